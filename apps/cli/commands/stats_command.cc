#include <memory>

#include "cli/command.h"
#include "cli/commands/stats_report.h"
#include "greenkgc/dataset.h"
#include "greenkgc/stats.h"

namespace greenkgc::cli {

namespace {

struct StatsArguments {
  std::string data;
  std::int64_t top = 20;
  LoadOptions load;

  static void declare(OptionList<StatsArguments>& o) {
    o.add("top", &StatsArguments::top, "number of relations to list, by number of facts; 0: all",
          {.min = 0, .max = 1e9});
  }
};

Result run(const StatsArguments& arguments, const Context& context) {
  const Dataset dataset = Dataset::load(arguments.data, arguments.load, context);
  const GraphStats stats = compute_stats(dataset, context);
  return {stats_text(dataset, stats, static_cast<std::size_t>(arguments.top)), stats_json(dataset, stats)};
}

}  // namespace

Command stats_command() {
  auto arguments = std::make_shared<StatsArguments>();
  return {.name = "stats",
          .summary = "describe a graph: sizes, relations, anomalies, degrees, coverage",
          .example = "greenkgc stats world --top 5",
          .positionals = {{"DATA",
                           "a folder with train, valid and test, a single file, or world (a built-in graph)",
                           &arguments->data}},
          .options = {group_of(*arguments), group_of(arguments->load)},
          .required = {},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
