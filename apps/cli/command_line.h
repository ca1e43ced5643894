#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/global_options.h"

namespace greenkgc::cli {

// An option and the struct that holds its value.
struct BoundOption {
  const OptionSpec* spec;
  void* options;
  std::set<std::string>* given;
  std::string stage;

  std::string name() const { return stage.empty() ? spec->name : stage + "." + spec->name; }
  std::string flag() const;
  bool is_called(std::string_view word) const;   // by name() or, with its stage, an alias
  bool was_called(std::string_view word) const;  // by a former name, with or without its stage
  // As set_option and set_option_text.
  void set(OptionValue value, std::string_view where) const;
  void set_text(std::string_view text, std::string_view where) const;
};

std::vector<BoundOption> bound_options(std::span<const OptionGroup> groups);
std::string flag_of(std::string name);  // valid_share -> "--valid-share"

// The option of that whole name; or else those of any stage that have the name. Aliases count as names.
std::vector<BoundOption> options_named(std::span<const BoundOption> options, std::string_view name);

// "; did you mean PREFIXname?", or "" if no name is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names,
                         std::string_view prefix = "");

// The words of a command line, understood but not yet obeyed.
struct CommandLine {
  struct Flag {
    BoundOption option;
    std::string text;
    std::string written;  // the flag as it was given, which may be an alias: "--lr"
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

// For people who use a former name of an option.
std::string renamed_note(std::string_view former, std::string_view now);

// Fills the options and positionals of the command: config file first, then flags. Returns notes about former
// names of options. Throws as set_option and apply_config do, and kUsage if something required is missing or
// two options contradict each other.
std::vector<std::string> obey(const CommandLine& line, std::span<const Command> commands,
                              GlobalOptions& global);

}  // namespace greenkgc::cli
