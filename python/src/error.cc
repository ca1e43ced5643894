#include "error.h"

#include "greenkgc/error.h"
#include "labels.h"

namespace greenkgc::python {

namespace {

const char* code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kBadInput:
      return "bad_input";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kInterrupted:
      return "interrupted";
  }
  return "";
}

void raise(const Error& error) {
  const py::object type = py::module_::import("greenkgc._errors").attr("Error");
  const py::object raised = type(to_python(error.what()), code_name(error.code()));
  PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

void register_error() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace greenkgc::python
