#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "greenkgc/ids.h"

namespace greenkgc::python {

namespace py = pybind11;

// Labels are bytes, mostly UTF-8; the others come out as lone surrogates ("surrogateescape"), and go back in
// as the bytes that they were.
py::str to_python(std::string_view label);

// From str or bytes. Throws TypeError for anything else.
std::string to_label(py::handle text);

// The same of a path: str, bytes or os.PathLike.
std::string to_path(py::handle path);

// The label of an id of a Model or Dataset that has `count` of the kind. Throws IndexError beyond them.
template <class Id, class Holder>
py::str label_at(const Holder& holder, std::uint32_t id, std::uint32_t count) {
  if (id >= count) throw py::index_error("id " + std::to_string(id) + " of " + std::to_string(count));
  return to_python(holder.label(Id{id}));
}

template <class Id>
std::optional<std::uint32_t> number_of(const std::optional<Id>& id) {
  return id ? std::optional(index(*id)) : std::nullopt;
}

}  // namespace greenkgc::python
