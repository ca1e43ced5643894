#include "keywords.h"

#include <pybind11/stl.h>

#include <cmath>
#include <map>
#include <optional>

#include "greenkgc/error.h"
#include "labels.h"

namespace greenkgc::python {

namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorCode::kUsage, message);
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? "" : "; did you mean " + near + "?";
}

bool is_bool(py::handle value) {
  if (py::isinstance<py::bool_>(value)) return true;
  return py::hasattr(value, "dtype") && py::str(value.attr("dtype")).equal(py::str("bool"));
}

// A number of numpy will do.
std::optional<OptionValue> number_of(py::handle value, const std::string& name) {
  if (PyIndex_Check(value.ptr())) {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!whole) throw py::error_already_set();
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
    if (overflow != 0) refuse(name + " is too large: " + std::string(py::str(value)));
    return OptionValue(std::int64_t{number});
  }
  if (py::isinstance<py::float_>(value) || py::hasattr(value, "__float__"))
    return OptionValue(py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>());
  return std::nullopt;
}

std::vector<std::string> texts_of(const py::iterable& items) {
  std::vector<std::string> texts;
  for (const py::handle item : items) texts.push_back(to_label(item));
  return texts;
}

OptionValue value_of(py::handle value, const OptionSpec& spec, const std::string& name) {
  const bool is_list = std::holds_alternative<std::vector<std::string>>(spec.default_value);
  if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value)) {
    if (is_list) return std::vector<std::string>{to_label(value)};
    return to_label(value);
  }
  if (py::hasattr(value, "__fspath__")) return to_path(value);
  if (is_list && py::isinstance<py::iterable>(value))
    return texts_of(py::reinterpret_borrow<py::iterable>(value));
  if (is_bool(value)) return py::bool_(py::reinterpret_borrow<py::object>(value)).cast<bool>();
  if (const auto number = number_of(value, name)) return *number;
  refuse(name + " cannot be a " + std::string(py::str(py::type::of(value).attr("__name__"))));
}

// The options that were set, each with the name that did it.
using Given = std::map<std::pair<const OptionSpec*, void*>, std::string>;

void warn_of_former_name(const std::string& name, const OptionSpec& spec) {
  const std::string text =
      name + " is now called " + spec.name + "; the former name will be removed in a later release";
  if (PyErr_WarnEx(PyExc_FutureWarning, text.c_str(), 1) < 0) throw py::error_already_set();
}

// `word` is the option's name in `name`, as it was given.
void set(const KeywordGroup& group, const OptionSpec& spec, py::handle value, const std::string& word,
         const std::string& name, Given& given) {
  if (value.is_none()) return;
  const auto [other, is_new] = given.emplace(std::pair(&spec, group.options), name);
  if (!is_new) refuse(other->second + " and " + name + " are the same option; give one of them");
  if (spec.was_called(word)) warn_of_former_name(word, spec);
  set_option(group.options, spec, value_of(value, spec, name), name);
  if (group.given != nullptr) group.given->insert(spec.name);
}

struct Found {
  const KeywordGroup* group;
  const OptionSpec* spec;
};

std::vector<Found> options_named(std::span<const KeywordGroup> groups, const std::string& name) {
  std::vector<Found> found;
  for (const KeywordGroup& group : groups) {
    for (const OptionSpec& spec : *group.specs) {
      if (!spec.answers_to(name)) continue;
      if (group.stage.empty()) return {{&group, &spec}};
      found.push_back({&group, &spec});
    }
  }
  return found;
}

void add_names(const OptionSpec& spec, std::vector<std::string>& names) {
  names.push_back(spec.name);
  for (const OptionAlias& alias : spec.aliases) {
    if (!alias.former) names.push_back(alias.name);
  }
}

void set_stage(const KeywordGroup& group, const py::dict& values, Given& given) {
  for (const auto& [key, value] : values) {
    const std::string name = to_label(key);
    const std::vector<Found> found = options_named({&group, 1}, name);
    if (found.empty()) {
      std::vector<std::string> names;
      for (const OptionSpec& spec : *group.specs) add_names(spec, names);
      refuse(group.stage + " has no option '" + name + "'" + did_you_mean(name, names));
    }
    set(group, *found[0].spec, value, name, group.stage + "[\"" + name + "\"]", given);
  }
}

// Whether the keyword is a stage with a dict of its options.
bool took_stage(const std::string& name, py::handle value, std::span<const KeywordGroup> groups,
                Given& given) {
  for (const KeywordGroup& group : groups) {
    if (group.stage.empty() || group.stage != name) continue;
    if (value.is_none()) return true;
    if (!py::isinstance<py::dict>(value)) refuse(name + " is a step of training: pass a dict of its options");
    set_stage(group, py::reinterpret_borrow<py::dict>(value), given);
    return true;
  }
  return false;
}

std::string in_stage(const Found& found) {
  return found.group->stage + "={\"" + found.spec->name + "\": ...}";
}

[[noreturn]] void refuse_unknown(const std::string& name, std::string_view function,
                                 std::span<const KeywordGroup> groups) {
  std::vector<std::string> names;
  for (const KeywordGroup& group : groups) {
    if (!group.stage.empty()) names.push_back(group.stage);
    for (const OptionSpec& spec : *group.specs) add_names(spec, names);
  }
  refuse(std::string(function) + "() has no option '" + name + "'" + did_you_mean(name, names));
}

struct TypeName {
  const char* operator()(bool) const { return "bool"; }
  const char* operator()(std::int64_t) const { return "int"; }
  const char* operator()(double) const { return "float"; }
  const char* operator()(const std::string&) const { return "str"; }
  const char* operator()(const std::vector<std::string>&) const { return "list"; }
};

py::object limit(double value) {
  return std::isfinite(value) ? py::object(py::float_(value)) : py::none();
}

}  // namespace

void set_keywords(const py::dict& keywords, std::string_view function, std::span<const KeywordGroup> groups) {
  Given given;
  for (const auto& [key, value] : keywords) {
    const std::string name = to_label(key);
    if (took_stage(name, value, groups, given)) continue;
    const std::vector<Found> found = options_named(groups, name);
    if (found.empty()) refuse_unknown(name, function, groups);
    if (found.size() > 1) refuse(name + " is ambiguous: " + in_stage(found[0]) + " or " + in_stage(found[1]));
    set(*found[0].group, *found[0].spec, value, name, name, given);
  }
}

py::list listed(std::span<const KeywordGroup> groups, const std::set<std::string>& by_data) {
  py::list list;
  for (const KeywordGroup& group : groups) {
    for (const OptionSpec& spec : *group.specs) {
      std::vector<std::string> names;
      add_names(spec, names);
      const std::vector<std::string> aliases(names.begin() + 1, names.end());
      const std::string whole = group.stage.empty() ? spec.name : group.stage + "." + spec.name;
      list.append(py::make_tuple(group.stage, spec.name, std::visit(TypeName{}, spec.default_value),
                                 py::cast(spec.get(group.options)), spec.help, limit(spec.limits.min),
                                 limit(spec.limits.max), py::cast(spec.limits.choices), py::cast(aliases),
                                 by_data.contains(whole)));
    }
  }
  return list;
}

}  // namespace greenkgc::python
