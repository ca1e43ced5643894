#pragma once

#include <pybind11/numpy.h>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace greenkgc::python {

namespace py = pybind11;

// numpy is needed by what returns arrays, and by nothing else. Throws ImportError, which says so.
inline void require_numpy() {
  try {
    py::module_::import("numpy");
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    throw py::import_error(
        "this returns numpy arrays, but numpy cannot be imported (" + std::string(py::str(error.value())) +
        "); install it with `pip install numpy` or, for Debian's Python, `apt install python3-numpy`");
  }
}

// An array over numbers that `owner` holds: nothing is copied, nothing can be written, and the owner lives as
// long as the array does. Strides are in numbers.
template <class Number>
py::array view(std::span<const Number> numbers, std::vector<py::ssize_t> shape,
               std::vector<py::ssize_t> strides, const py::object& owner) {
  require_numpy();
  for (py::ssize_t& stride : strides) stride *= static_cast<py::ssize_t>(sizeof(Number));
  py::array array(py::dtype::of<Number>(), std::move(shape), std::move(strides), numbers.data(), owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

// Rows one after another.
template <class Number>
py::array rows_view(std::span<const Number> numbers, std::size_t rows, std::size_t width,
                    const py::object& owner) {
  const auto columns = static_cast<py::ssize_t>(width);
  return view(numbers, {static_cast<py::ssize_t>(rows), columns}, {columns, 1}, owner);
}

}  // namespace greenkgc::python
