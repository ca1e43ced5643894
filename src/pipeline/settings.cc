#include "pipeline/settings.h"

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

}  // namespace

void apply_settings(std::string_view settings, const std::set<std::string>& given, void* options,
                    const std::vector<OptionSpec>& specs) {
  for_each_setting(settings, [&](const std::string& name, std::string_view value) {
    if (given.contains(name)) return;
    const auto spec = std::find_if(specs.begin(), specs.end(),
                                   [&](const OptionSpec& candidate) { return candidate.name == name; });
    set_option_text(options, *spec, value, name);
  });
}

std::set<std::string> names_in(std::string_view settings) {
  std::set<std::string> names;
  for_each_setting(settings, [&](const std::string& name, std::string_view) { names.insert(name); });
  return names;
}

}  // namespace greenkgc
