#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/display.h"
#include "cli/global_options.h"
#include "cli/table.h"
#include "greenkgc/error.h"
#include "greenkgc/model.h"
#include "shared/answer_json.h"

namespace greenkgc::cli {

namespace {

struct PredictArguments {
  std::string model;
  std::string head;
  std::string relation;
  std::string tail;
  std::string queries;
  PredictOptions predict;
  std::string json;

  static void declare(OptionList<PredictArguments>& o) {
    o.add("model", &PredictArguments::model, "model from `greenkgc train`");
    o.add("head", &PredictArguments::head, "label of the known head");
    o.add("relation", &PredictArguments::relation, "label of the known relation");
    o.add("tail", &PredictArguments::tail, "label of the known tail; a query gives two of the three");
    o.add("queries", &PredictArguments::queries,
          "file of queries: lines of head, relation and tail separated by tabs, one of them a ?; answers are "
          "tab-separated lines of head, relation, tail, rank, probability, score (log-odds) and 1 if known "
          "(else 0), or with --json one JSON object per query");
  }
};

Question question_of(const Model& model, const PredictArguments& arguments) {
  const int given = !arguments.head.empty() + !arguments.relation.empty() + !arguments.tail.empty();
  if (given != 2)
    throw Error(
        ErrorCode::kUsage,
        fmt::format(
            "a query gives two of --head, --relation and --tail, not {}; use --queries for a file of queries",
            given));
  Question question;
  if (!arguments.head.empty()) question.head = model.entity(arguments.head);
  if (!arguments.relation.empty()) question.relation = model.relation(arguments.relation);
  if (!arguments.tail.empty()) question.tail = model.entity(arguments.tail);
  return question;
}

std::string left_out_text(const Model& model, const Question& question, std::span<const Triple> known) {
  constexpr std::size_t kNamed = 3;
  if (known.empty()) return "";
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, known.size()); ++i)
    names += fmt::format("{}{}", i == 0 ? "" : ", ",
                         printable(server::answer_label(model, question, Answer{.fact = known[i]})));
  const bool one = known.size() == 1;
  if (known.size() > kNamed) names += fmt::format(" and {} more", commas(known.size() - kNamed));
  return fmt::format("{} {} not shown: {}; --include-known shows {}\n",
                     count_of(known.size(), "known answer", "known answers"), one ? "is" : "are", names,
                     one ? "it" : "them");
}

std::string text_of(const Model& model, const Question& question, std::span<const Answer> answers,
                    bool show_known) {
  if (answers.empty()) return "no answers\n";
  Table table(
      {{""}, {"answer", Column::Kind::kLabel}, {"probability"}, {"score"}, {"", Column::Kind::kText}});
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Answer& answer = answers[i];
    table.add({std::to_string(i + 1), std::string(server::answer_label(model, question, answer)),
               fmt::format("{:.4f}", answer.probability), fmt::format("{:.3f}", answer.margin),
               show_known && answer.known ? "known" : ""});
  }
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string tsv_of(const Model& model, std::span<const Answer> answers) {
  std::string lines;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Answer& answer = answers[i];
    lines += fmt::format("{}\t{}\t{}\t{}\t{:.6g}\t{:.9g}\t{}\n", model.label(answer.fact.head),
                         model.label(answer.fact.relation), model.label(answer.fact.tail), i + 1,
                         answer.probability, answer.margin, answer.known ? 1 : 0);
  }
  return lines;
}

Result stream(const Model& model, const PredictArguments& arguments, const Context& context) {
  if (!arguments.head.empty() || !arguments.relation.empty() || !arguments.tail.empty())
    throw Error(ErrorCode::kUsage,
                "--queries takes the queries from a file: leave out --head, --relation and --tail");
  const bool as_json = arguments.json == kJsonToStdout;
  if (!arguments.json.empty() && !as_json)
    throw Error(ErrorCode::kUsage, "--queries writes JSON to standard output: use --json without a file");
  answer_file(
      model, arguments.queries, arguments.predict,
      [&](const Question& question, std::span<const Answer> answers) {
        if (!as_json) return write_stdout(tsv_of(model, answers));
        const auto known = server::known_left_out(model, question, arguments.predict, context);
        write_stdout(server::compact_text(server::answers_json(model, question, answers, known.size())) +
                     '\n');
      },
      context);
  return {.streamed = true};
}

Result run(const PredictArguments& arguments, const Context& context) {
  const Model model = Model::open(arguments.model);
  if (!arguments.queries.empty()) return stream(model, arguments, context);
  const Question question = question_of(model, arguments);
  const auto answers = model.predict({&question, 1}, arguments.predict, context)[0];
  const auto known = server::known_left_out(model, question, arguments.predict, context);
  return {text_of(model, question, answers, arguments.predict.include_known) +
              left_out_text(model, question, known),
          server::answers_json(model, question, answers, known.size())};
}

}  // namespace

Command predict_command() {
  auto arguments = std::make_shared<PredictArguments>();
  return {.name = "predict",
          .summary = "predict tails, heads or relations, with probabilities",
          .example = "greenkgc predict --model world.gkgc --head Norway --relation borders --top-k 5",
          .positionals = {},
          .options = {group_of(*arguments), group_of(arguments->predict)},
          .required = {"model"},
          .run = [arguments](const Context& context) { return run(*arguments, context); },
          .json = &arguments->json};
}

}  // namespace greenkgc::cli
