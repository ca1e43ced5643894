#include "greenkgc/complete.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"
#include "cli/written_files.h"

namespace greenkgc::cli {

namespace {

constexpr std::size_t kShown = 10;

struct CompleteArguments {
  std::string model;
  std::string out;
  CompleteOptions complete;

  static void declare(OptionList<CompleteArguments>& o) {
    o.add("model", &CompleteArguments::model, "model from `greenkgc train`; it must store its facts");
    o.add("out", &CompleteArguments::out,
          "output file: .tsv has head, relation, tail and probability; .nt is N-Triples; both may end in .gz "
          "or .zst; - is standard output, as .tsv");
  }
};

std::string text_of(const Model& model, const std::vector<Answer>& answers,
                    std::optional<double> missing_share, const std::string& out) {
  if (answers.empty()) return "no missing fact reaches this probability\n\n" + written_text({out});
  Table table({{"probability"},
               {"head", Column::Kind::kLabel},
               {"relation", Column::Kind::kLabel},
               {"tail", Column::Kind::kLabel}});
  for (std::size_t i = 0; i < std::min(kShown, answers.size()); ++i) {
    const auto& [fact, margin, probability, known] = answers[i];
    table.add({fmt::format("{:.4f}", probability), std::string(model.label(fact.head)),
               std::string(model.label(fact.relation)), std::string(model.label(fact.tail))});
  }
  std::string text = table.text(terminal_columns(STDOUT_FILENO));
  if (answers.size() > kShown) text += fmt::format("  and {} more\n", commas(answers.size() - kShown));
  if (missing_share)
    text += fmt::format("\nThe probabilities assume that {} of all true facts are missing from the graph.\n",
                        percent(*missing_share));
  return text + "\n" + written_text({out});
}

Result run(const CompleteArguments& arguments, const Context& context) {
  const std::string out = output_path(arguments.out);
  check_facts_path(out);
  const Model model = Model::open(arguments.model);
  const std::vector<Answer> answers = complete(model, arguments.complete, context);
  write_facts(model, answers, out, context);
  const std::optional<double> missing_share = assumed_missing_share(model, arguments.complete);
  return {text_of(model, answers, missing_share, out),
          {{"facts", answers.size()},
           {"exact", arguments.complete.exact},
           {"only_gaps", arguments.complete.only_gaps},
           {"missing_share", missing_share ? Json(*missing_share) : Json(nullptr)},
           {"most_probable", answers.empty() ? Json(nullptr) : Json(answers.front().probability)},
           {"least_probable", answers.empty() ? Json(nullptr) : Json(answers.back().probability)},
           {"written", written_json({out})}},
          is_standard_output(out)};
}

}  // namespace

Command complete_command() {
  auto arguments = std::make_shared<CompleteArguments>();
  return {
      .name = "complete",
      .summary = "write the most probable facts that are missing from the graph",
      .example = "greenkgc complete --model world.gkgc --relation borders,capital --top 100 --out new.tsv",
      .positionals = {},
      .options = {group_of(*arguments), group_of(arguments->complete)},
      .required = {"model", "out"},
      .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
