#include "server/parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "server/http/http.h"

namespace greenkgc::server {
namespace {

constexpr int kMostDepth = 8;  // of nested JSON
constexpr std::size_t kMostShown = 60;

// A name from the network, as it may stand in a message.
std::string shown(std::string_view text) {
  std::string result = "'";
  for (const char byte : text.substr(0, kMostShown))
    result += static_cast<unsigned char>(byte) < ' ' ? '?' : byte;
  return result + (text.size() > kMostShown ? "...'" : "'");
}

template <class Number>
std::optional<Number> parsed(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Parameters::Parameters(const std::multimap<std::string, std::string>& query)
    : values_(Input::object()), from_query_(true) {
  for (const auto& [name, value] : query) {
    if (values_.contains(name)) fail(400, fmt::format("parameter {} is given twice", shown(name)));
    values_[name] = value;
  }
}

Parameters::Parameters(const Input& object, std::string where)
    : values_(object), from_query_(false), where_(std::move(where)) {
  if (!values_.is_object()) fail(400, "should be a JSON object");
}

const Input* Parameters::find(const std::string& name) {
  asked_.insert(name);
  const auto found = values_.find(name);
  return found == values_.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> Parameters::text(const std::string& name) {
  const Input* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) fail(400, fmt::format("{} should be a string", name));
  return value->get<std::string>();
}

std::string Parameters::needed_text(const std::string& name) {
  auto value = text(name);
  if (!value) fail(400, fmt::format("{} is missing", name));
  return *value;
}

std::int64_t Parameters::number(const std::string& name, const Bounded& bounds) {
  const Input* value = find(name);
  if (value == nullptr) return bounds.standard;
  std::optional<std::int64_t> number;
  if (from_query_) {
    number = parsed<std::int64_t>(value->get<std::string>());
  } else if (value->is_number_unsigned()) {
    number = static_cast<std::int64_t>(std::min<std::uint64_t>(value->get<std::uint64_t>(), INT64_MAX));
  } else if (value->is_number_integer()) {
    number = value->get<std::int64_t>();
  }
  if (!number) fail(400, fmt::format("{} should be a whole number", name));
  if (*number < bounds.min || *number > bounds.max)
    fail(422, fmt::format("{} should be from {} to {}, not {}", name, bounds.min, bounds.max, *number));
  return *number;
}

double Parameters::share(const std::string& name, double standard) {
  const Input* value = find(name);
  if (value == nullptr) return standard;
  std::optional<double> number;
  if (from_query_) {
    number = parsed<double>(value->get<std::string>());
  } else if (value->is_number()) {
    number = value->get<double>();
  }
  if (!number || !(*number >= 0 && *number <= 1))
    fail(422, fmt::format("{} should be a number from 0 to 1", name));
  return *number;
}

bool Parameters::flag(const std::string& name) {
  const Input* value = find(name);
  if (value == nullptr) return false;
  if (!from_query_ && value->is_boolean()) return value->get<bool>();
  if (from_query_ && *value == "true") return true;
  if (!from_query_ || *value != "false") fail(400, fmt::format("{} should be true or false", name));
  return false;
}

std::string Parameters::choice(const std::string& name, const std::vector<std::string>& choices) {
  const auto value = text(name);
  if (!value) return choices.front();
  if (std::find(choices.begin(), choices.end(), *value) == choices.end())
    fail(400, fmt::format("{} should be {}, not {}", name, fmt::join(choices, " or "), shown(*value)));
  return *value;
}

const Input& Parameters::list(const std::string& name, std::int64_t most) {
  const Input* value = find(name);
  if (value == nullptr || !value->is_array()) fail(400, fmt::format("{} should be an array", name));
  if (value->empty() || value->size() > static_cast<std::uint64_t>(most))
    fail(422, fmt::format("{} should have 1 to {} elements, not {}", name, most, value->size()));
  return *value;
}

void Parameters::check_all_used() const {
  for (const auto& [name, value] : values_.items()) {
    if (!asked_.contains(name))
      fail(400, fmt::format("there is no {}; what can be given: {}", shown(name), fmt::join(asked_, ", ")));
  }
}

void Parameters::fail(int status, const std::string& message) const {
  throw HttpError(status, status == 422 ? "out_of_bounds" : "bad_parameter", where_ + message);
}

Input parse_body(std::string_view body) {
  const auto not_too_deep = [](int depth, Input::parse_event_t, Input&) {
    if (depth > kMostDepth)
      throw HttpError(400, "bad_json", fmt::format("the body is nested deeper than {} levels", kMostDepth));
    return true;
  };
  Input parsed_body;
  try {
    parsed_body = Input::parse(body, not_too_deep);
  } catch (const Input::exception&) {
    throw HttpError(400, "bad_json", "the body is not JSON");
  }
  if (!parsed_body.is_object()) throw HttpError(400, "bad_json", "the body should be a JSON object");
  return parsed_body;
}

}  // namespace greenkgc::server
