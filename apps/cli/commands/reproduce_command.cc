#include "greenkgc/reproduce.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <memory>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/table.h"
#include "greenkgc/error.h"

namespace greenkgc::cli {

namespace {

struct ReproduceArguments {
  std::string name;
  std::string data;
  std::string out;
  ReproduceOptions options;

  static void declare(OptionList<ReproduceArguments>& o) {
    o.add("data", &ReproduceArguments::data,
          "folder that contains FB15k-237, WN18RR, YAGO3-10 and ogbl-wikikg2, or some of them");
    o.add("out", &ReproduceArguments::out,
          "output folder for the tables (JSON, Markdown), the figures (SVG) and the models, which are "
          "trained once and shared");
  }
};

Result list() {
  Table table(
      {{"name", Column::Kind::kText}, {"shows", Column::Kind::kLabel}, {"datasets", Column::Kind::kText}});
  Json json = Json::array();
  for (const Reproducible& what : reproducibles()) {
    table.add({what.name, what.title, fmt::format("{}", fmt::join(what.datasets, ", "))});
    json.push_back({{"name", what.name}, {"title", what.title}, {"datasets", what.datasets}});
  }
  return {table.text(terminal_columns(STDOUT_FILENO)), json};
}

Json json_of(const std::string& name, const Reproduced& done) {
  Json written = Json::array();
  for (const auto& path : done.written) written.push_back(path.string());
  return {{"name", name}, {"written", written}, {"missing", done.missing}, {"seconds", done.seconds}};
}

Result run(const ReproduceArguments& arguments, const Context& context) {
  if (arguments.name == "list") return list();
  if (arguments.out.empty()) throw Error(ErrorCode::kUsage, "reproduce needs --out, the output folder");
  std::vector<std::string> names = {arguments.name};
  if (arguments.name == "all") {
    names.clear();
    for (const Reproducible& what : reproducibles()) names.push_back(what.name);
  }
  Result result{"", Json::array()};
  for (const std::string& name : names) {
    if (names.size() > 1) context.say(LogLevel::kInfo, name);
    const Reproduced done =
        reproduce({.name = name, .data = arguments.data, .out = arguments.out}, arguments.options, context);
    if (names.size() == 1) result.text += done.markdown + "\n";
    for (const auto& path : done.written) result.text += printable(path.string()) + "\n";
    result.json.push_back(json_of(name, done));
  }
  return result;
}

}  // namespace

Command reproduce_command() {
  auto arguments = std::make_shared<ReproduceArguments>();
  return {
      .name = "reproduce",
      .summary = "reproduce the tables and figures of the paper, next to the published figures",
      .example = "greenkgc reproduce table-low-dimensions --data data --out paper",
      .positionals =
          {{"NAME", "name of a table or figure; list: print the names; all: everything that the data allow",
            &arguments->name}},
      .options = {group_of(*arguments), group_of(arguments->options)},
      .required = {},
      .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
