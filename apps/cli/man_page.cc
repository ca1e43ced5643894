#include "cli/man_page.h"

#include <fmt/format.h>

#include "cli/display.h"
#include "cli/help.h"
#include "greenkgc/version.h"

namespace greenkgc::cli {

namespace {

// Text that roff takes as it is: nothing of it is a request or an escape, a minus stays one.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

// In lines that linters like: at most 80 bytes once hyphens are escaped.
std::string prose(std::string_view text) {
  return plain(wrapped(text, 66, 0)) + '\n';
}

std::string code(std::string_view line) {
  return fmt::format(".sp\n.nf\n.RS\n{}\n.RE\n.fi\n", plain(line));
}

std::string man_entry(std::string_view term, std::string_view explanation) {
  return fmt::format(".TP\n.B {}\n{}", plain(term), prose(explanation));
}

std::string man_entries(const std::vector<HelpEntry>& listed) {
  std::string out;
  for (const HelpEntry& one : listed) out += man_entry(one.term, one.explanation);
  return out;
}

std::string section(std::string_view name) {
  return fmt::format(".SH {}\n", name);
}

std::string command_section(const Command& command) {
  std::string out = fmt::format(".SS greenkgc {}\n{}", plain(command.name), prose(command.summary));
  out += code(usage_line(command));
  for (const Positional& positional : command.positionals) out += man_entry(positional.name, positional.help);
  out += man_entries(option_entries(command.options, command.required));
  return out + ".PP\nExample:\n" + code(command.example);
}

}  // namespace

std::string man_page(std::span<const Command> commands, GlobalOptions& global) {
  std::string out = fmt::format(".TH GREENKGC 1 \"\" \"greenkgc {}\" \"User Commands\"\n.nh\n.ad l\n",
                                build_info().version);
  out += section("NAME") + "greenkgc \\- complete knowledge graphs on ordinary CPUs\n";
  out += section("SYNOPSIS") + ".B greenkgc\n.I COMMAND\n.RI [ options ]\n";
  out += section("DESCRIPTION");
  out += prose(
      "Learns from the facts (head, relation, tail) of a knowledge graph and writes one small model file "
      "that predicts which facts are missing. `train` does all of it; `predict`, `explain`, `complete`, "
      "`score` and `neighbors` query the model; `evaluate` measures its accuracy.");
  out += ".PP\n" +
         prose(
             "DATA is a folder with train, valid and test, a single file, which is then split, or world, a "
             "graph that is built into the program. Formats are recognized by name and content.");
  out += section("COMMANDS");
  for (const Command& command : commands) out += command_section(command);
  out += section("OPTIONS OF EVERY COMMAND") + man_entries(global_entries(global));
  out += man_entry("--version", "print version, kernels, BLAS and compiler");
  out += section("EXIT STATUS") + man_entry("0", "done") +
         man_entry("1", "system error: disk full, read error, not enough memory") +
         man_entry("2", "wrong usage or bad input") + man_entry("130", "interrupted");
  out += section("ENVIRONMENT") + man_entries(environment_entries());
  out += section("EXAMPLES") + "Train a model, query it, and write the missing facts:\n" +
         code("greenkgc train world --out run") +
         code("greenkgc predict --model run/model.gkgc --head Norway --relation borders") +
         code("greenkgc complete --model run/model.gkgc --min-probability 0.9 --out new.tsv");
  return out;
}

}  // namespace greenkgc::cli
