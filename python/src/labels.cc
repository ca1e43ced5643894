#include "labels.h"

namespace greenkgc::python {

namespace {

constexpr const char* kOtherBytes = "surrogateescape";

template <class Object>
Object checked(PyObject* made) {
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<Object>(made);
}

}  // namespace

py::str to_python(std::string_view label) {
  return checked<py::str>(
      PyUnicode_DecodeUTF8(label.data(), static_cast<Py_ssize_t>(label.size()), kOtherBytes));
}

std::string to_label(py::handle text) {
  if (py::isinstance<py::bytes>(text)) return std::string(py::reinterpret_borrow<py::bytes>(text));
  if (!py::isinstance<py::str>(text))
    throw py::type_error("a label is a str, not " +
                         std::string(py::str(py::type::of(text).attr("__name__"))));
  return std::string(checked<py::bytes>(PyUnicode_AsEncodedString(text.ptr(), "utf-8", kOtherBytes)));
}

std::string to_path(py::handle path) {
  return to_label(checked<py::object>(PyOS_FSPath(path.ptr())));
}

}  // namespace greenkgc::python
