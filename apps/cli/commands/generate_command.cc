#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "cli/command.h"
#include "cli/display.h"
#include "cli/written_files.h"
#include "greenkgc/generate.h"

namespace greenkgc::cli {

namespace {

struct GenerateArguments {
  std::string out;
  GenerateOptions generate;

  static void declare(OptionList<GenerateArguments>& o) {
    o.add("out", &GenerateArguments::out, "output folder for train.txt, valid.txt, test.txt and config.toml");
  }
};

Result run(const GenerateArguments& arguments, const Context& context) {
  const auto began = std::chrono::steady_clock::now();
  const auto paths = generate(arguments.generate, arguments.out, context);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  const GenerateOptions& made = arguments.generate;
  const auto count = [](std::int64_t n) { return commas(static_cast<std::uint64_t>(n)); };
  return {fmt::format("{} facts about {} entities and {} relations in {}\n\n", count(made.triples),
                      count(made.entities), count(made.relations), short_seconds(seconds)) +
              written_text(paths),
          {{"entities", made.entities},
           {"relations", made.relations},
           {"triples", made.triples},
           {"seed", context.seed},
           {"seconds", seconds},
           {"written", written_json(paths)}}};
}

}  // namespace

Command generate_command() {
  auto arguments = std::make_shared<GenerateArguments>();
  return {.name = "generate",
          .summary = "generate a synthetic graph of any size, with planted rules",
          .example = "greenkgc generate --entities 1000 --triples 20000 --seed 7 --out /tmp/synthetic",
          .positionals = {},
          .options = {group_of(*arguments), group_of(arguments->generate)},
          .required = {"out"},
          .run = [arguments](const Context& context) { return run(*arguments, context); }};
}

}  // namespace greenkgc::cli
