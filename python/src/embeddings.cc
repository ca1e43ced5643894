#include <pybind11/stl.h>

#include "bindings.h"
#include "call.h"
#include "greenkgc/vectors.h"
#include "labels.h"
#include "views.h"

namespace greenkgc::python {

namespace {

using namespace pybind11::literals;

// Of an object that holds a Model: arrays over what the model holds.
py::dict model_vectors(const py::object& owner) {
  const ModelVectors vectors = vectors_of(owner.cast<const Model&>());
  const auto rows = static_cast<py::ssize_t>(vectors.entities);
  const auto columns = static_cast<py::ssize_t>(vectors.entity_width());
  py::list levels;
  for (const std::span<const float> column : vectors.levels)
    levels.append(view(column, {static_cast<py::ssize_t>(column.size())}, {1}, owner));
  return py::dict(
      "model"_a = vectors.model, "dims"_a = vectors.dims, "reciprocal"_a = vectors.reciprocal,
      "range_dims"_a = vectors.range_dims, "bins"_a = view(vectors.bins, {rows, columns}, {1, rows}, owner),
      "levels"_a = levels,
      "relations"_a = rows_view(vectors.relations, vectors.relation_rows, vectors.relation_width(), owner));
}

py::array entities_of(const py::object& owner) {
  const auto& file = owner.cast<const EmbeddingFile&>();
  const std::size_t rows = file.entity_count();
  return rows_view(file.entities(), rows, rows == 0 ? 0 : file.entities().size() / rows, owner);
}

py::array relations_of(const py::object& owner) {
  const auto& file = owner.cast<const EmbeddingFile&>();
  const std::size_t rows = file.relation_rows();
  return rows_view(file.relations(), rows, rows == 0 ? 0 : file.relations().size() / rows, owner);
}

template <class Id>
py::list labels_of(const EmbeddingFile& file, std::uint32_t count) {
  py::list labels;
  for (std::uint32_t id = 0; id < count; ++id) labels.append(to_python(file.label(Id{id})));
  return labels;
}

}  // namespace

void bind_embeddings(py::module_& module) {
  module.def("model_vectors", &model_vectors, py::arg("model"));
  py::class_<EmbeddingFile>(module, "EmbeddingFile", "Embeddings in a memory-mapped file.")
      .def_static(
          "open",
          [](const py::object& path, const Call& call) {
            const std::string name = to_path(path);
            return run(call, [&](const Context&) { return EmbeddingFile::open(name); });
          },
          py::arg("path"), py::arg("call"))
      .def("model", [](const EmbeddingFile& file) { return std::string(file.model()); })
      .def("similarity", [](const EmbeddingFile& file) { return std::string(file.similarity()); })
      .def("dims", &EmbeddingFile::dims)
      .def("reciprocal", &EmbeddingFile::reciprocal)
      .def("range_dims", &EmbeddingFile::range_dims)
      .def("entity_labels",
           [](const EmbeddingFile& file) { return labels_of<EntityId>(file, file.entity_count()); })
      .def("relation_labels",
           [](const EmbeddingFile& file) { return labels_of<RelationId>(file, file.relation_count()); })
      .def("entities", &entities_of)
      .def("relations", &relations_of);
}

}  // namespace greenkgc::python
