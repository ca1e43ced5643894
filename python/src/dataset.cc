#include "greenkgc/dataset.h"

#include <pybind11/stl.h>

#include <array>

#include "bindings.h"
#include "call.h"
#include "greenkgc/error.h"
#include "greenkgc/stats.h"
#include "keywords.h"
#include "labels.h"
#include "views.h"

namespace greenkgc::python {

namespace {

using namespace pybind11::literals;

Dataset load(const py::object& data, const py::dict& keywords, const Call& call) {
  LoadOptions options;
  const std::array groups = {keywords_of(options)};
  set_keywords(keywords, "load_dataset", groups);
  const std::string name = to_path(data);
  return run(call, [&](const Context& context) { return Dataset::load(name, options, context); });
}

Split split_named(const std::string& name) {
  std::string names;
  for (const Split split : kAllSplits) {
    if (split_name(split) == name) return split;
    names += (names.empty() ? "" : ", ") + std::string(split_name(split));
  }
  throw Error(ErrorCode::kUsage, "split must be one of " + names + "; not '" + name + "'");
}

static_assert(sizeof(Triple) == 3 * sizeof(std::uint32_t));

py::array triples(const py::object& owner, const std::string& split) {
  const std::span<const Triple> facts = owner.cast<const Dataset&>().triples(split_named(split));
  const std::span ids(reinterpret_cast<const std::uint32_t*>(facts.data()), 3 * facts.size());
  return rows_view(ids, facts.size(), 3, owner);
}

std::size_t fact_count(const Dataset& dataset, const std::string& split) {
  return dataset.triples(split_named(split)).size();
}

py::list facts(const Dataset& dataset, const std::string& split) {
  py::list list;
  for (const Triple& fact : dataset.triples(split_named(split)))
    list.append(py::make_tuple(to_python(dataset.label(fact.head)), to_python(dataset.label(fact.relation)),
                               to_python(dataset.label(fact.tail))));
  return list;
}

py::object weights(const py::object& owner, const std::string& split) {
  const std::span<const float> values = owner.cast<const Dataset&>().weights(split_named(split));
  if (values.empty()) return py::none();
  return view(values, {static_cast<py::ssize_t>(values.size())}, {1}, owner);
}

py::list split_list(const GraphStats& stats) {
  py::list list;
  for (const SplitStats& s : stats.splits)
    list.append(py::make_tuple(std::string(split_name(s.split)), s.triples, s.duplicates, s.self_loops,
                               s.in_train, s.inverse_in_train, s.pair_linked, s.unseen_entity,
                               s.unseen_relation, s.head_in_range, s.tail_in_range));
  return list;
}

py::list relation_list(const GraphStats& stats, const Dataset& dataset) {
  py::list list;
  for (const RelationStats& r : stats.by_relation)
    list.append(py::make_tuple(to_python(dataset.label(r.relation)), r.train, r.valid, r.test, r.heads,
                               r.tails, r.tails_per_head, r.heads_per_tail,
                               std::string(category_name(r.category)), r.symmetry));
  return list;
}

py::dict stats_of(const Dataset& dataset, const Call& call) {
  const GraphStats stats = run(call, [&](const Context& context) { return compute_stats(dataset, context); });
  py::list inverse_pairs;
  for (const InversePair& pair : stats.inverse_pairs)
    inverse_pairs.append(py::make_tuple(to_python(dataset.label(pair.relation)),
                                        to_python(dataset.label(pair.inverse)), pair.facts, pair.overlap));
  return py::dict("entities"_a = stats.entities, "relations"_a = stats.relations,
                  "unseen_entities"_a = stats.unseen_entities, "mean_degree"_a = stats.mean_degree,
                  "median_degree"_a = stats.median_degree, "max_degree"_a = stats.max_degree,
                  "splits"_a = split_list(stats), "by_relation"_a = relation_list(stats, dataset),
                  "inverse_pairs"_a = inverse_pairs);
}

std::vector<py::str> write(const Dataset& dataset, const py::object& out, const py::dict& keywords,
                           const Call& call) {
  ConvertOptions options;
  const std::array groups = {keywords_of(options)};
  set_keywords(keywords, "write", groups);
  const std::string path = to_path(out);
  std::vector<py::str> written;
  for (const auto& file :
       run(call, [&](const Context& context) { return write_dataset(dataset, path, options, context); }))
    written.push_back(to_python(file.native()));
  return written;
}

std::vector<py::str> notes(const Dataset& dataset) {
  std::vector<py::str> lines;
  for (const std::string& note : dataset.notes()) lines.push_back(to_python(note));
  return lines;
}

}  // namespace

void bind_dataset(py::module_& module) {
  py::class_<Dataset>(module, "Dataset", "A graph in memory.")
      .def_static("load", &load, py::arg("data"), py::arg("keywords"), py::arg("call"))
      .def("entity_count", &Dataset::entity_count)
      .def("relation_count", &Dataset::relation_count)
      .def(
          "entity_label",
          [](const Dataset& dataset, std::uint32_t id) {
            return label_at<EntityId>(dataset, id, dataset.entity_count());
          },
          py::arg("id"))
      .def(
          "relation_label",
          [](const Dataset& dataset, std::uint32_t id) {
            return label_at<RelationId>(dataset, id, dataset.relation_count());
          },
          py::arg("id"))
      .def(
          "find_entity",
          [](const Dataset& dataset, const py::object& label) {
            return number_of(dataset.find_entity(to_label(label)));
          },
          py::arg("label"))
      .def(
          "find_relation",
          [](const Dataset& dataset, const py::object& label) {
            return number_of(dataset.find_relation(to_label(label)));
          },
          py::arg("label"))
      .def("fact_count", &fact_count, py::arg("split"))
      .def("facts", &facts, py::arg("split"))
      .def("triples", &triples, py::arg("split"))
      .def("weights", &weights, py::arg("split"))
      .def("notes", &notes)
      .def("stats", &stats_of, py::arg("call"))
      .def("write", &write, py::arg("out"), py::arg("keywords"), py::arg("call"));
}

}  // namespace greenkgc::python
