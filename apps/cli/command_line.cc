#include "cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/config_file.h"
#include "greenkgc/error.h"

namespace greenkgc::cli {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kUsage, message);
}

std::string option_name(const std::string& flag) {  // "--embed.learning-rate" -> embed.learning_rate
  std::string name = flag.substr(2);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<BoundOption> all_options(const Command* command, GlobalOptions& global) {
  std::vector<OptionGroup> groups;
  if (command != nullptr) groups = command->options;
  groups.push_back(group_of(global));
  return bound_options(groups);
}

const Command& find_command(const std::string& word, std::span<const Command> commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (command.name == word) return command;
    names.push_back(command.name);
  }
  refuse(fmt::format("unknown command '{}'{} (run greenkgc --help for a list)", word,
                     did_you_mean(word, names)));
}

BoundOption find_flag(const std::string& flag, const Command* command, std::span<const BoundOption> options) {
  const std::string word = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  if (flag == "--" + word && word.find('_') == std::string::npos) {
    const std::vector<BoundOption> found = options_named(options, option_name(flag));
    if (found.size() == 1) return found[0];
    if (found.size() > 1)
      refuse(fmt::format("{} is ambiguous: {} or {}", flag, found[0].flag(), found[1].flag()));
  }
  std::vector<std::string> names = {"help", "version"};
  for (const BoundOption& option : options) {
    names.push_back(option.flag().substr(2));
    if (!option.stage.empty()) names.push_back(names.back().substr(option.stage.size() + 1));
    for (const OptionAlias& alias : option.spec->aliases) {
      if (!alias.former) names.push_back(flag_of(alias.name).substr(2));
    }
  }
  refuse(fmt::format("unknown option {}{} (run greenkgc {}--help for a list)", flag,
                     did_you_mean(word, names, "--"), command == nullptr ? "" : command->name + " "));
}

bool is_help(const std::string& word) {
  return word == "--help" || word == "-h";
}

CommandLine parse_for_help(std::span<const std::string> arguments, std::span<const Command> commands) {
  CommandLine line;
  line.help = true;
  line.man = arguments.size() == 1 && arguments[0] == "--man";
  for (const std::string& argument : arguments) {
    const auto named = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& command) { return command.name == argument; });
    if (line.command == nullptr && named != commands.end()) line.command = &*named;
  }
  if (line.command == nullptr && !arguments.empty() && !arguments[0].starts_with('-'))
    find_command(arguments[0], commands);
  return line;
}

// The value of a flag that was given without `=`: the next word, where the option needs one.
std::string value_after(const BoundOption& option, std::span<const std::string> arguments, std::size_t& at) {
  if (std::holds_alternative<bool>(option.spec->default_value)) return "true";
  if (option.spec->name == "json") return kJsonToStdout;
  if (at + 1 == arguments.size() || arguments[at + 1].starts_with("--"))
    refuse(option.flag() + " needs a value");
  return arguments[++at];
}

// Takes the flag at `at`, and its value where that is the next word.
void parse_flag(CommandLine& line, std::span<const std::string> arguments, std::size_t& at,
                GlobalOptions& global) {
  const std::string& word = arguments[at];
  const std::size_t equals = word.find('=');
  const std::string written = word.substr(0, equals);
  const BoundOption option = find_flag(written, line.command, all_options(line.command, global));
  for (const CommandLine::Flag& flag : line.flags) {
    if (flag.option.spec != option.spec || flag.option.options != option.options) continue;
    refuse(flag.written == written
               ? written + " is given more than once"
               : fmt::format("{} and {} are the same option; give one of them", flag.written, written));
  }
  const std::string value =
      equals == std::string::npos ? value_after(option, arguments, at) : word.substr(equals + 1);
  const bool free_text =
      std::holds_alternative<std::string>(option.spec->default_value) && option.spec->limits.choices.empty();
  if (value.empty() && free_text) refuse(option.flag() + " needs a value");
  line.flags.push_back({option, value, written});
}

void refuse_extra_word(const CommandLine& line) {
  const Command& command = *line.command;
  const std::string& extra = line.words[command.positionals.size()];
  const bool json = std::any_of(line.flags.begin(), line.flags.end(), [](const CommandLine::Flag& flag) {
    return flag.option.spec->name == "json" && flag.text == kJsonToStdout;
  });
  refuse(fmt::format("{} does not accept the argument '{}'{}", command.name, extra,
                     json ? fmt::format("; to write JSON to a file, use --json={}", extra)
                          : fmt::format(" (run greenkgc {} --help for its usage)", command.name)));
}

void set_positionals(const CommandLine& line) {
  const Command& command = *line.command;
  const bool takes_all = !command.positionals.empty() && command.positionals.back().rest != nullptr;
  if (line.words.size() > command.positionals.size() && !takes_all) refuse_extra_word(line);
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const Positional& positional = command.positionals[i];
    if (i == line.words.size() && positional.optional) return;
    if (i == line.words.size() || line.words[i].empty())
      refuse(fmt::format("{} needs {}: {}", command.name, positional.name, positional.help));
    if (positional.rest != nullptr) {
      positional.rest->assign(line.words.begin() + static_cast<std::ptrdiff_t>(i), line.words.end());
    } else {
      *positional.value = line.words[i];
    }
  }
}

void check_required(const Command& command) {
  for (const BoundOption& option : bound_options(command.options)) {
    const auto& required = command.required;
    if (std::find(required.begin(), required.end(), option.spec->name) == required.end()) continue;
    if (std::get<std::string>(option.spec->get(option.options)).empty())
      refuse(fmt::format("{} needs {}: {}", command.name, option.flag(), option.spec->help));
  }
}

}  // namespace

void BoundOption::set(OptionValue value, std::string_view where) const {
  set_option(options, *spec, std::move(value), where);
  if (given != nullptr) given->insert(spec->name);
}

void BoundOption::set_text(std::string_view text, std::string_view where) const {
  set_option_text(options, *spec, text, where);
  if (given != nullptr) given->insert(spec->name);
}

std::vector<BoundOption> bound_options(std::span<const OptionGroup> groups) {
  std::vector<BoundOption> bound;
  for (const OptionGroup& group : groups) {
    for (const OptionSpec& spec : *group.specs)
      bound.push_back({&spec, group.options, group.given, group.stage});
  }
  return bound;
}

bool BoundOption::is_called(std::string_view word) const {
  if (stage.empty()) return spec->answers_to(word);
  return word.starts_with(stage + ".") && spec->answers_to(word.substr(stage.size() + 1));
}

bool BoundOption::was_called(std::string_view word) const {
  const bool whole = !stage.empty() && word.starts_with(stage + ".");
  return spec->was_called(whole ? word.substr(stage.size() + 1) : word);
}

std::string BoundOption::flag() const {
  return flag_of(name());
}

std::string flag_of(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::vector<BoundOption> options_named(std::span<const BoundOption> options, std::string_view name) {
  std::vector<BoundOption> found;
  for (const BoundOption& option : options) {
    if (option.is_called(name)) return {option};
    if (option.spec->answers_to(name)) found.push_back(option);
  }
  return found;
}

std::string renamed_note(std::string_view former, std::string_view now) {
  return fmt::format("{} is now called {}; the former name will be removed in a later release", former, now);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names,
                         std::string_view prefix) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? "" : fmt::format("; did you mean {}{}?", prefix, near);
}

CommandLine parse_command_line(std::span<const std::string> arguments, std::span<const Command> commands,
                               GlobalOptions& global) {
  if (!arguments.empty() && arguments[0] == "help") return parse_for_help(arguments.subspan(1), commands);
  if (std::any_of(arguments.begin(), arguments.end(), is_help)) return parse_for_help(arguments, commands);
  CommandLine line;
  bool flags_end = false;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string& word = arguments[at];
    if (word == "--" && !flags_end) {
      flags_end = true;
    } else if (flags_end || word.size() < 2 || word[0] != '-') {
      if (line.command == nullptr) {
        line.command = &find_command(word, commands);
      } else {
        line.words.push_back(word);
      }
    } else if (word == "--version") {
      line.version = true;
    } else {
      parse_flag(line, arguments, at, global);
    }
  }
  if (line.version) line.command = nullptr;
  return line;
}

std::vector<std::string> obey(const CommandLine& line, std::span<const Command> commands,
                              GlobalOptions& global) {
  std::vector<std::string> notes;
  const auto set_flag = [](const CommandLine::Flag& flag) { flag.option.set_text(flag.text, flag.written); };
  for (const CommandLine::Flag& flag : line.flags) {
    if (flag.option.spec->name == "config") set_flag(flag);
  }
  if (!global.config.empty() && line.command != nullptr)
    notes = apply_config(global.config, *line.command, all_options(line.command, global), commands);
  for (const CommandLine::Flag& flag : line.flags) {
    set_flag(flag);
    if (flag.option.was_called(option_name(flag.written)))
      notes.push_back(renamed_note(flag.written, flag.option.flag()));
  }
  if (global.quiet && global.verbose) refuse("--quiet and --verbose cannot be combined");
  if (line.command == nullptr) return notes;
  if (line.command->json != nullptr) *line.command->json = global.json;
  set_positionals(line);
  check_required(*line.command);
  return notes;
}

}  // namespace greenkgc::cli
