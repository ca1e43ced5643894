#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "greenkgc/export.h"

namespace greenkgc {

// A struct of options declares each of its fields once, beside the field:
//
//   struct SplitOptions {
//     double valid_share = 0.05;
//     static void declare(OptionList<SplitOptions>& o) {
//       o.add("valid_share", &SplitOptions::valid_share, "share of the facts held out for validation",
//             {.min = 0, .max = 0.5});
//     }
//   };
//
// That one line is the flag --valid-share, the config key valid_share, the Python keyword, the line of --help
// and the line in the record of a run. `option_specs<SplitOptions>()` is the list of them.
//
// An option may answer to other names, which are flags, config keys and keywords as well, and are recorded
// under the option's own name:
//
//   o.add("rate", &EmbedOptions::rate, "learning rate").alias("lr");     // --help mentions it
//   o.add("k", &PredictOptions::k, "answers").former_name("top_k");      // --help does not; use is noted

using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

struct OptionLimits {
  double min = -std::numeric_limits<double>::infinity();  // inclusive
  double max = std::numeric_limits<double>::infinity();   // inclusive
  std::vector<std::string> choices = {};                  // of a text option; empty: any text
};

struct OptionAlias {
  std::string name;  // snake_case
  bool former =
      false;  // the option was renamed: the name still works, and whoever uses it is told the new one
};

struct OptionSpec {
  std::string name;  // snake_case
  std::string help;  // meaning and unit; what raising it does
  OptionLimits limits;
  OptionValue default_value;
  std::function<OptionValue(const void*)> get;
  std::function<void(void*, const OptionValue&)> set;  // the value has the type of default_value
  std::vector<OptionAlias> aliases = {};

  OptionSpec& alias(std::string other) {
    aliases.push_back({std::move(other)});
    return *this;
  }
  OptionSpec& former_name(std::string other) {
    aliases.push_back({std::move(other), true});
    return *this;
  }
  bool answers_to(std::string_view word) const {
    return name == word || std::any_of(aliases.begin(), aliases.end(),
                                       [&](const OptionAlias& other) { return other.name == word; });
  }
  bool was_called(std::string_view word) const {
    return std::any_of(aliases.begin(), aliases.end(),
                       [&](const OptionAlias& other) { return other.former && other.name == word; });
  }
};

template <class Options>
class OptionList {
 public:
  // The reference is for naming aliases at once: the next add() ends it.
  template <class Field>
  OptionSpec& add(std::string name, Field Options::*member, std::string help, OptionLimits limits = {}) {
    using Stored = std::conditional_t<
        std::is_same_v<Field, bool>, bool,
        std::conditional_t<std::is_integral_v<Field>, std::int64_t,
                           std::conditional_t<std::is_floating_point_v<Field>, double, Field>>>;
    narrow_to<Field>(limits);
    specs.push_back(
        {std::move(name), std::move(help), std::move(limits), Stored(Options{}.*member),
         [member](const void* o) -> OptionValue { return Stored(static_cast<const Options*>(o)->*member); },
         [member](void* o, const OptionValue& value) {
           static_cast<Options*>(o)->*member = static_cast<Field>(std::get<Stored>(value));
         }});
    return specs.back();
  }
  std::vector<OptionSpec> specs;

 private:
  // No value that passes the limits overflows the field.
  template <class Field>
  static void narrow_to(OptionLimits& limits) {
    if constexpr (std::is_same_v<Field, bool>) return;
    if constexpr (std::is_arithmetic_v<Field> && sizeof(Field) < sizeof(std::int64_t)) {
      limits.min = std::max(limits.min, static_cast<double>(std::numeric_limits<Field>::lowest()));
      limits.max = std::min(limits.max, static_cast<double>(std::numeric_limits<Field>::max()));
    } else if constexpr (std::is_unsigned_v<Field>) {
      limits.min = std::max(limits.min, 0.0);
    }
  }
};

template <class Options>
const std::vector<OptionSpec>& option_specs() {
  static const std::vector<OptionSpec> specs = [] {
    OptionList<Options> list;
    Options::declare(list);
    return std::move(list.specs);
  }();
  return specs;
}

// Throws Error{kUsage} in one sentence that starts with `where` ("--valid-share", "run.toml line 3:
// valid_share") if the value has the wrong type, is out of range, not finite, or not one of the choices. A
// whole number passes for a real, and a choice in other letter case for the choice; nothing else is
// converted.
GREENKGC_API void set_option(void* options, const OptionSpec& spec, OptionValue value,
                             std::string_view where);

// The same from text, as it comes from a command line: numbers in decimal, true/false, lists by comma.
GREENKGC_API void set_option_text(void* options, const OptionSpec& spec, std::string_view text,
                                  std::string_view where);

// `name = value` lines of TOML, one per option, in the order of declaration; reading them back gives the same
// values.
GREENKGC_API std::string options_as_toml(const void* options, const std::vector<OptionSpec>& specs);

// The name in `names` that was probably meant by `word`: a few slips of the finger away, or the only one that
// `word` begins; letter case does not count. "" if there is none.
GREENKGC_API std::string nearest_name(std::string_view word, const std::vector<std::string>& names);

}  // namespace greenkgc
