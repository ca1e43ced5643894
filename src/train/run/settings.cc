#include "train/run/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace greenkgc {
namespace {

void for_each_setting(std::string_view settings,
                      const std::function<void(const std::string& name, std::string_view value)>& visit) {
  while (!settings.empty()) {
    const std::string_view setting = settings.substr(0, settings.find(' '));
    settings.remove_prefix(std::min(settings.size(), setting.size() + 1));
    const std::size_t equals = setting.find('=');
    visit(std::string(setting.substr(0, equals)), setting.substr(equals + 1));
  }
}

// A word or a list of words of TOML as a flag has it; anything else as it is. None of our words has quotes.
std::string as_flag(std::string_view value) {
  std::string text(value);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::erase(text, '"');
  for (std::size_t at = text.find(", "); at != std::string::npos; at = text.find(", ")) text.erase(at + 1, 1);
  return text;
}

}  // namespace

void apply_settings(std::string_view settings, const std::set<std::string>& given, void* options,
                    const std::vector<OptionSpec>& specs) {
  for_each_setting(settings, [&](const std::string& name, std::string_view value) {
    if (given.contains(name)) return;
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const OptionSpec& candidate) { return candidate.answers_to(name); });
    set_option_text(options, *spec, value, name);
  });
}

void apply_record(std::string_view record, void* options, const std::vector<OptionSpec>& specs,
                  std::string_view where) {
  while (!record.empty()) {
    const std::string_view line = record.substr(0, record.find('\n'));
    record.remove_prefix(std::min(record.size(), line.size() + 1));
    const std::size_t equals = line.find(" = ");
    if (equals == std::string_view::npos) continue;
    for (const OptionSpec& spec : specs) {
      if (spec.answers_to(line.substr(0, equals)))
        set_option_text(options, spec, as_flag(line.substr(equals + 3)),
                        fmt::format("{} {}", where, spec.name));
    }
  }
}

std::set<std::string> names_in(std::string_view settings) {
  std::set<std::string> names;
  for_each_setting(settings, [&](const std::string& name, std::string_view) { names.insert(name); });
  return names;
}

}  // namespace greenkgc
