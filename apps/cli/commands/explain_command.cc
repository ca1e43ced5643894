#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"
#include "greenkgc/model.h"
#include "shared/answer_json.h"

namespace greenkgc::cli {

namespace {

struct ExplainArguments {
  std::string model;
  std::string head;
  std::string relation;
  std::string tail;
  std::int64_t top_k = 5;

  static void declare(OptionList<ExplainArguments>& o) {
    o.add("model", &ExplainArguments::model, "model from `greenkgc train`");
    o.add("head", &ExplainArguments::head, "label of the fact's head");
    o.add("relation", &ExplainArguments::relation, "label of the fact's relation");
    o.add("tail", &ExplainArguments::tail, "label of the fact's tail");
    o.add("top_k", &ExplainArguments::top_k,
          "number of pieces of evidence, dimensions and known facts to list", {.min = 0, .max = 1e9});
  }
};

std::string terminal_text(const Table& table) {
  return table.text(terminal_columns(STDOUT_FILENO));
}

std::string parts_text(const Explanation& explanation) {
  Table table({{"", Column::Kind::kText}, {""}});
  const auto add = [&](const std::string& name, double value) {
    table.add({name, fmt::format("{:+.4f}", value)});
  };
  add("constant", explanation.base.constant);
  add("score of the embedding", explanation.base.score);
  add("frequency of this head with the relation", explanation.base.head_count);
  add("frequency of this tail with the relation", explanation.base.tail_count);
  if (explanation.base.self != 0) add("head and tail are the same entity", explanation.base.self);
  add("trees, average over their leaves", explanation.trees_expected);
  const Contribution sides = server::sum_of(explanation.contributions);
  add("trees, head features", sides.head);
  add("trees, relation features", sides.relation);
  add("trees, tail features", sides.tail);
  add("score", static_cast<double>(explanation.first.margin));
  return terminal_text(table);
}

std::string dimensions_text(const Explanation& explanation, std::size_t most) {
  Table table({{"dimension"}, {"total"}, {"head"}, {"relation"}, {"tail"}});
  for (std::size_t i = 0; i < std::min(most, explanation.contributions.size()); ++i) {
    const Contribution& c = explanation.contributions[i];
    table.add({std::to_string(c.dimension), fmt::format("{:+.4f}", c.total()), fmt::format("{:+.4f}", c.head),
               fmt::format("{:+.4f}", c.relation), fmt::format("{:+.4f}", c.tail)});
  }
  return terminal_text(table);
}

std::string support_text(const Model& model, const Explanation& explanation) {
  Table table({{"cosine"}, {"head", Column::Kind::kLabel}, {"tail", Column::Kind::kLabel}});
  for (const SupportingFact& support : explanation.support)
    table.add({fmt::format("{:.4f}", support.similarity), std::string(model.label(support.fact.head)),
               std::string(model.label(support.fact.tail))});
  return terminal_text(table);
}

std::string rank_text(double tail_rank, double head_rank) {
  return fmt::format("rank {:g} among tails, {:g} among heads (other known answers left out)\n", tail_rank,
                     head_rank);
}

// With a label to its left; further lines begin below the text.
std::string item_text(const std::string& label, const std::string& text) {
  const std::size_t columns = terminal_columns(STDOUT_FILENO);
  return fmt::format("  {}  {}\n", label,
                     wrapped(printable(text), columns == 0 ? 110 : columns, label.size() + 4));
}

std::string grounds_text(const Grounds& grounds) {
  std::string text = "\nEvidence for it, by confidence\n";
  for (const Evidence& evidence : grounds.evidence)
    text += item_text(fmt::format("{:.2f}", evidence.confidence), evidence.sentence);
  text += item_text("base", grounds.base_rate);
  text += "\nEvidence against it\n";
  for (const std::string& sentence : grounds.against) text += item_text("-", sentence);
  return text;
}

std::string first_stage_text(const Model& model, const Explanation& explanation, std::size_t most) {
  std::string text = "\nParts of the score (log-odds)\n" + parts_text(explanation);
  if (most > 0 && !explanation.contributions.empty())
    text += "\nContribution of the trees, by feature dimension\n" + dimensions_text(explanation, most);
  if (!explanation.support.empty())
    text +=
        "\nKnown facts that differ only in head or tail, by similarity\n" + support_text(model, explanation);
  return text;
}

std::string text_of(const Model& model, const Explanation& explanation, std::size_t most) {
  const Answer& answer = explanation.answer;
  std::string text = fmt::format("probability {:.4f}, score {:.4f}{}\n", answer.probability, answer.margin,
                                 answer.known ? ", a known fact" : "");
  text += rank_text(explanation.tail_rank, explanation.head_rank);
  if (explanation.grounds) {
    const Standing& first = explanation.first;
    text += grounds_text(*explanation.grounds);
    text += fmt::format("\nFirst stage alone: probability {:.4f}, score {:.4f}\n", first.probability,
                        first.margin);
    text += rank_text(first.tail_rank, first.head_rank);
  }
  return text + first_stage_text(model, explanation, most);
}

Result run(const ExplainArguments& arguments, const Context& context) {
  const Model model = Model::open(arguments.model);
  const Triple fact{model.entity(arguments.head), model.relation(arguments.relation),
                    model.entity(arguments.tail)};
  const auto most = static_cast<std::size_t>(arguments.top_k);
  const Explanation explanation = model.explain(fact, most, context);
  return {text_of(model, explanation, most), server::explanation_json(model, explanation)};
}

}  // namespace

Command explain_command() {
  auto arguments = std::make_shared<ExplainArguments>();
  return {.name = "explain",
          .summary = "explain why a fact is likely or not: evidence for and against, parts of its score",
          .example = "greenkgc explain --model world.gkgc --head Norway --relation continent --tail Europe",
          .positionals = {},
          .options = {group_of(*arguments)},
          .required = {"model", "head", "relation", "tail"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
