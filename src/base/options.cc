#include "greenkgc/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/edit_distance.h"
#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc {

namespace {

[[noreturn]] void refuse(std::string_view where, const std::string& why) {
  throw Error(ErrorCode::kUsage, fmt::format("{} {}", where, why));
}

struct KindName {
  std::string_view operator()(bool) const { return "true or false"; }
  std::string_view operator()(std::int64_t) const { return "a whole number"; }
  std::string_view operator()(double) const { return "a number"; }
  std::string_view operator()(const std::string&) const { return "a string"; }
  std::string_view operator()(const std::vector<std::string>&) const { return "a list of strings"; }
};

struct ShownValue {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {  // with a point, as TOML tells a real from a whole number
    const std::string digits = fmt::format("{}", value);
    return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
  }
  std::string operator()(const std::string& value) const { return in_quotes(value); }
  std::string operator()(const std::vector<std::string>&) const { return "a list"; }
};

[[noreturn]] void refuse_kind(std::string_view where, const OptionSpec& spec, const std::string& shown) {
  refuse(where, fmt::format("needs {}, not {}", std::visit(KindName{}, spec.default_value), shown));
}

void check_range(std::string_view where, const OptionLimits& limits, double value, const std::string& shown) {
  if (!std::isfinite(value)) refuse(where, fmt::format("must be finite, not {}", shown));
  if (value >= limits.min && value <= limits.max) return;
  const bool floor = std::isfinite(limits.min);
  const bool ceiling = std::isfinite(limits.max);
  const std::string range = floor && ceiling ? fmt::format("between {} and {}", limits.min, limits.max)
                            : floor          ? fmt::format("at least {}", limits.min)
                                             : fmt::format("at most {}", limits.max);
  refuse(where, fmt::format("must be {}, not {}", range, shown));
}

// Takes `value` as the choice that it is in any letter case.
void settle_choice(std::string_view where, const OptionLimits& limits, std::string& value) {
  const auto& choices = limits.choices;
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return;
  const auto same = std::find_if(choices.begin(), choices.end(), [&](const std::string& choice) {
    return lower_case(choice) == lower_case(value);
  });
  if (same != choices.end()) {
    value = *same;
    return;
  }
  std::vector<std::string> listed = choices;
  for (std::string& choice : listed) {
    if (choice.empty()) choice = "''";
  }
  const std::string near = nearest_name(value, choices);
  refuse(where, fmt::format("must be one of {}; not {}{}", fmt::join(listed, ", "), in_quotes(value),
                            near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

// Checks a value, and writes choices as they are declared.
struct Settle {
  std::string_view where;
  const OptionLimits& limits;

  void operator()(bool) const {}
  void operator()(std::int64_t value) const {
    check_range(where, limits, static_cast<double>(value), ShownValue{}(value));
  }
  void operator()(double value) const { check_range(where, limits, value, fmt::format("{}", value)); }
  void operator()(std::string& value) const { settle_choice(where, limits, value); }
  void operator()(std::vector<std::string>& values) const {
    for (std::string& value : values) settle_choice(where, limits, value);
  }
};

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

// Reads text as the kind of value that the option has.
struct FromText {
  std::string_view text;
  std::string_view where;
  const OptionSpec& spec;

  OptionValue operator()(bool) const {
    if (text == "true" || text == "false") return text == "true";
    refuse_kind(where, spec, in_quotes(text));
  }
  OptionValue operator()(std::int64_t) const {
    std::int64_t value = 0;
    if (parse_i64(text, value)) return value;
    // More digits than fit: out of range says more than not a number.
    if (double large = 0; parse_double(text, large))
      check_range(where, spec.limits, large, std::string(text));
    refuse_kind(where, spec, in_quotes(text));
  }
  OptionValue operator()(double) const {
    double value = 0;
    if (!parse_double(text, value)) refuse_kind(where, spec, in_quotes(text));
    return value;
  }
  OptionValue operator()(const std::string&) const { return std::string(text); }
  OptionValue operator()(const std::vector<std::string>&) const { return split_at_commas(text); }
};

struct AsToml {
  std::string operator()(bool value) const { return ShownValue{}(value); }
  std::string operator()(std::int64_t value) const { return ShownValue{}(value); }
  std::string operator()(double value) const { return ShownValue{}(value); }
  std::string operator()(const std::string& value) const {
    std::string out = "\"";
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (byte < 0x20 || byte == 0x7F) {
        out += fmt::format("\\u{:04X}", byte);
      } else {
        out += c;
      }
    }
    return out + "\"";
  }
  std::string operator()(const std::vector<std::string>& values) const {
    std::vector<std::string> items(values.size());
    std::transform(values.begin(), values.end(), items.begin(), *this);
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
};

}  // namespace

void set_option(void* options, const OptionSpec& spec, OptionValue value, std::string_view where) {
  if (const auto* whole = std::get_if<std::int64_t>(&value);
      whole != nullptr && std::holds_alternative<double>(spec.default_value))
    value = static_cast<double>(*whole);
  if (value.index() != spec.default_value.index()) refuse_kind(where, spec, std::visit(ShownValue{}, value));
  std::visit(Settle{where, spec.limits}, value);
  spec.set(options, value);
}

void set_option_text(void* options, const OptionSpec& spec, std::string_view text, std::string_view where) {
  set_option(options, spec, std::visit(FromText{text, where, spec}, spec.default_value), where);
}

std::string options_as_toml(const void* options, const std::vector<OptionSpec>& specs) {
  std::string out;
  for (const OptionSpec& spec : specs)
    out += fmt::format("{} = {}\n", spec.name, std::visit(AsToml{}, spec.get(options)));
  return out;
}

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t kLongestWord = 64;
  if (word.empty() || word.size() > kLongestWord) return "";
  const std::string meant = lower_case(word);
  std::string nearest;
  // One slip in three letters, two in six, and so on.
  std::size_t nearest_distance = std::max<std::size_t>(1, meant.size() / 3) + 1;
  std::vector<std::string> begun;
  for (const std::string& name : names) {
    const std::string lower = lower_case(name);
    const std::size_t distance = edit_distance(meant, lower);
    if (distance < std::min(nearest_distance, lower.size())) {
      nearest_distance = distance;
      nearest = name;
    }
    if (lower.starts_with(meant)) begun.push_back(name);
  }
  return begun.size() == 1 ? begun[0] : nearest;
}

}  // namespace greenkgc
