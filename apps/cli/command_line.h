#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "command.h"
#include "global_options.h"

namespace greenkgc::cli {

// An option and the struct that holds its value.
struct BoundOption {
  const OptionSpec* spec;
  void* options;
  std::set<std::string>* given;
  std::string stage;

  std::string name() const { return stage.empty() ? spec->name : stage + "." + spec->name; }
  std::string flag() const;
  // As set_option and set_option_text.
  void set(OptionValue value, std::string_view where) const;
  void set_text(std::string_view text, std::string_view where) const;
};

std::vector<BoundOption> bound_options(std::span<const OptionGroup> groups);
std::string flag_of(std::string name);  // valid_share -> "--valid-share"

// The option of that whole name; or else those of any stage that have the name.
std::vector<BoundOption> options_named(std::span<const BoundOption> options, std::string_view name);

// "; did you mean PREFIXname?", or "" if no name is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names,
                         std::string_view prefix = "");

// The words of a command line, understood but not yet obeyed.
struct CommandLine {
  struct Flag {
    BoundOption option;
    std::string text;
  };

  const Command* command = nullptr;  // null: none was named
  bool help = false;                 // about the command, or the program
  bool man = false;                  // the man page
  bool version = false;              // of the program: no command
  std::vector<Flag> flags;
  std::vector<std::string> words;  // what is not a flag
};

// Throws kUsage for unknown commands and flags, for a flag given twice and for one that lacks its value; but
// where help is asked for, nothing else is checked.
CommandLine parse_command_line(std::span<const std::string> arguments, std::span<const Command> commands,
                               GlobalOptions& global);

// Fills the options and positionals of the command: config file first, then flags. Throws as set_option and
// apply_config do, and kUsage if something required is missing or two options contradict each other.
void obey(const CommandLine& line, std::span<const Command> commands, GlobalOptions& global);

}  // namespace greenkgc::cli
