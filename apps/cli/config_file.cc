#include "cli/config_file.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>

#include "greenkgc/error.h"

namespace greenkgc::cli {

namespace {

std::string read_text(const std::filesystem::path& path) {
  constexpr std::streamsize kLargest = 1 << 20;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found)
    throw Error(ErrorCode::kBadInput, path.string() + ": no such file");
  if (std::filesystem::is_directory(status))
    throw Error(ErrorCode::kBadInput, path.string() + ": is a folder, not a TOML file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(ErrorCode::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno)));
  std::string text(kLargest + 1, '\0');
  file.read(text.data(), kLargest + 1);
  if (file.bad()) throw Error(ErrorCode::kIo, path.string() + ": cannot read the file");
  if (file.gcount() > kLargest)
    throw Error(ErrorCode::kBadInput, path.string() + ": a config file may have at most 1 MB");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

class ConfigFile {
 public:
  ConfigFile(const std::filesystem::path& path, const Command& command, std::span<const BoundOption> options,
             std::span<const Command> commands)
      : path_(path.string()), command_(command), options_(options) {
    for (const Command& other : commands) command_names_.push_back(other.name);
  }

  // Returns notes about former names of options.
  std::vector<std::string> apply(const std::string& text) {
    const toml::table root = parse(text);
    Given given;
    for (const auto& [key, node] : root) {
      if (!node.is_table()) set(std::string(key.str()), node, given);
    }
    for (const auto& [key, node] : root) {
      if (node.is_table()) apply_table(std::string(key.str()), *node.as_table());
    }
    return std::move(notes_);
  }

 private:
  // The options that one table has set, each with the key that did it.
  using Given = std::map<std::pair<const OptionSpec*, void*>, std::string>;

  toml::table parse(const std::string& text) const {
    try {
      return toml::parse(text, path_);
    } catch (const toml::parse_error& error) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{} line {}: {}", path_, error.source().begin.line, error.description()));
    }
  }

  void apply_table(const std::string& name, const toml::table& table) {
    const bool is_stage = std::any_of(options_.begin(), options_.end(),
                                      [&](const BoundOption& option) { return option.stage == name; });
    if (name == command_.name || is_stage) {
      Given given;
      for (const auto& [key, node] : table)
        set((is_stage ? name + "." : "") + std::string(key.str()), node, given);
    } else if (std::find(command_names_.begin(), command_names_.end(), name) == command_names_.end()) {
      refuse(table, fmt::format("there is no command '{}'{}", name, did_you_mean(name, command_names_)));
    }
  }

  void set(const std::string& key, const toml::node& node, Given& given) {
    const std::vector<BoundOption> found = options_named(options_, key);
    const bool leads_on = key == "config";  // one file does not lead to the next
    if (found.size() == 1 && !leads_on) {
      const auto [other, is_new] = given.emplace(std::pair(found[0].spec, found[0].options), key);
      if (!is_new)
        refuse(node, fmt::format("{} and {} are the same option; give one of them", other->second, key));
      if (found[0].was_called(key))
        notes_.push_back(renamed_note(fmt::format("{}: {}", place(node), key), found[0].name()));
      return found[0].set(value_of(key, node), fmt::format("{}: {}", place(node), key));
    }
    if (found.size() > 1)
      refuse(node, fmt::format("{} is ambiguous: {} or {}", key, found[0].name(), found[1].name()));
    std::vector<std::string> names;
    for (const BoundOption& option : options_) {
      if (option.name() != "config") names.push_back(option.name());
      for (const OptionAlias& alias : option.spec->aliases) {
        if (!alias.former) names.push_back(alias.name);
      }
    }
    refuse(node, fmt::format("{} has no option '{}'{}", command_.name, key, did_you_mean(key, names)));
  }

  OptionValue value_of(const std::string& key, const toml::node& node) const {
    if (const auto* value = node.as_boolean()) return value->get();
    if (const auto* value = node.as_integer()) return value->get();
    if (const auto* value = node.as_floating_point()) return value->get();
    if (const auto* value = node.as_string()) return value->get();
    const toml::array* array = node.as_array();
    if (array == nullptr) refuse(node, fmt::format("{} must not be a table or a date", key));
    std::vector<std::string> texts;
    for (const toml::node& item : *array) {
      if (!item.is_string()) refuse(item, fmt::format("{}: a list may contain only strings", key));
      texts.push_back(item.as_string()->get());
    }
    return texts;
  }

  std::string place(const toml::node& node) const {
    return fmt::format("{} line {}", path_, node.source().begin.line);
  }

  [[noreturn]] void refuse(const toml::node& node, const std::string& why) const {
    throw Error(ErrorCode::kUsage, fmt::format("{}: {}", place(node), why));
  }

  std::string path_;
  const Command& command_;
  std::span<const BoundOption> options_;
  std::vector<std::string> command_names_;
  std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> apply_config(const std::filesystem::path& path, const Command& command,
                                      std::span<const BoundOption> options,
                                      std::span<const Command> commands) {
  return ConfigFile(path, command, options, commands).apply(read_text(path));
}

}  // namespace greenkgc::cli
