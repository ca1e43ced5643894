#include "cli/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "cli/command_line.h"
#include "cli/display.h"

namespace greenkgc::cli {

namespace {

constexpr std::size_t kTermColumns = 26;  // where explanations begin

std::size_t page_columns() {
  const std::size_t columns = terminal_columns(STDOUT_FILENO);
  return columns == 0 ? 80 : std::clamp<std::size_t>(columns, 50, 100);
}

std::string entry(const std::string& term, const std::string& explanation) {
  std::string line = "  " + term;
  if (line.size() + 2 > kTermColumns) {
    line += '\n' + std::string(kTermColumns, ' ');
  } else {
    line.resize(kTermColumns, ' ');
  }
  return line + wrapped(explanation, page_columns(), kTermColumns) + '\n';
}

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// "--threads N", "--json[=FILE]", "--quiet".
std::string usage_of(const BoundOption& option) {
  const OptionSpec& spec = *option.spec;
  std::string flag = option.flag();
  if (spec.name == "json") return flag + "[=FILE]";
  if (std::holds_alternative<bool>(spec.default_value)) return flag;
  if (std::holds_alternative<std::int64_t>(spec.default_value)) return flag + " N";
  if (std::holds_alternative<double>(spec.default_value)) return flag + " X";
  return flag + " " + upper_case(spec.name);
}

std::string range_of(const OptionLimits& limits) {
  if (!limits.choices.empty()) {
    std::vector<std::string> choices = limits.choices;
    std::replace(choices.begin(), choices.end(), std::string(), std::string("''"));
    return fmt::format("{}", fmt::join(choices, ", "));
  }
  const bool floor = std::isfinite(limits.min);
  const bool ceiling = std::isfinite(limits.max);
  if (floor && ceiling) return fmt::format("{} to {}", limits.min, limits.max);
  if (floor) return fmt::format("at least {}", limits.min);
  return ceiling ? fmt::format("at most {}", limits.max) : "";
}

std::string default_of(const OptionValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "";
}

std::string explanation_of(const BoundOption& option, bool required) {
  std::vector<std::string> facts;
  const std::string range = range_of(option.spec->limits);
  const std::string value = default_of(option.spec->get(option.options));
  if (!range.empty()) facts.push_back(range);
  if (option.given != nullptr) {
    facts.push_back("default set by the recipe");
  } else if (!value.empty()) {
    facts.push_back("default " + value);
  }
  if (required) facts.push_back("required");
  std::vector<std::string> others;
  for (const OptionAlias& alias : option.spec->aliases) {
    if (!alias.former) others.push_back(flag_of(alias.name));
  }
  if (!others.empty()) facts.push_back(fmt::format("also {}", fmt::join(others, ", ")));
  return facts.empty() ? option.spec->help
                       : fmt::format("{} ({})", option.spec->help, fmt::join(facts, "; "));
}

std::string entries(const std::vector<HelpEntry>& listed) {
  std::string out;
  for (const HelpEntry& one : listed) out += entry(one.term, one.explanation);
  return out;
}

}  // namespace

std::vector<HelpEntry> option_entries(std::span<const OptionGroup> groups,
                                      const std::vector<std::string>& required) {
  std::vector<HelpEntry> out;
  for (const BoundOption& option : bound_options(groups)) {
    const bool is_required = std::find(required.begin(), required.end(), option.spec->name) != required.end();
    if (option.stage.empty()) out.push_back({usage_of(option), explanation_of(option, is_required)});
  }
  for (const OptionGroup& group : groups) {
    if (group.stage.empty()) continue;
    out.push_back({fmt::format("--{}.OPTION", group.stage),
                   fmt::format("any option of greenkgc {0} (see its --help); --OPTION is enough if only one "
                               "step has that option",
                               group.stage)});
  }
  return out;
}

std::vector<HelpEntry> global_entries(GlobalOptions& global) {
  const OptionGroup group = group_of(global);
  std::vector<HelpEntry> out = option_entries({&group, 1}, {});
  out.push_back({"--help", "print this help"});
  return out;
}

std::vector<HelpEntry> environment_entries() {
  return {{"GREENKGC_KERNELS",
           "instruction set of the kernels (AVX2, SSE4, ...) to use instead of the best that the machine "
           "has; --version prints the one in use"},
          {"GREENKGC_TOKEN", "serve: token that every request must send (Authorization: Bearer ...)"},
          {"NO_COLOR", "if set, the output has no colors"}};
}

std::string usage_line(const Command& command) {
  std::string line = "greenkgc " + command.name;
  for (const Positional& positional : command.positionals)
    line += positional.optional ? fmt::format(" [{}]", positional.name) : " " + positional.name;
  for (const std::string& name : command.required) line += fmt::format(" --{} {}", name, upper_case(name));
  return line + " [options]";
}

std::string program_help(std::span<const Command> commands, GlobalOptions& global) {
  std::string out =
      "greenkgc completes knowledge graphs on ordinary CPUs\n\nUsage: greenkgc COMMAND ...\n\nCommands\n";
  for (const Command& command : commands) out += entry(command.name, command.summary);
  out += "\nOptions of every command\n" + entries(global_entries(global));
  out += entry("--version", "print version, kernels, BLAS and compiler");
  out += "\nEnvironment\n" + entries(environment_entries());
  return out + "\nRun greenkgc COMMAND --help for the options of a command and an example.\n";
}

std::string command_help(const Command& command, GlobalOptions& global) {
  std::string out =
      fmt::format("greenkgc {}: {}\n\nUsage: {}\n", command.name, command.summary, usage_line(command));
  for (const Positional& positional : command.positionals) out += entry(positional.name, positional.help);
  out += "\nOptions\n" + entries(option_entries(command.options, command.required));
  out += "\nOptions of every command\n" + entries(global_entries(global));
  return out + fmt::format("\nExample\n  {}\n", command.example);
}

}  // namespace greenkgc::cli
