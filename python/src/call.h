#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "greenkgc/context.h"

namespace greenkgc::python {

namespace py = pybind11;

// How the library is called. `watch` is None, or has
//   progress(task: str, done: int, total: int, unit: str)   while a task runs, some 20 times a second
//   idle()                                                  when none runs any more
//   log(level: str, message: str)                           "debug", "info" or "warning"
struct Call {
  int threads = 0;
  std::uint64_t seed = 42;
  py::object watch;
};

// Runs `work` in a thread of its own, without the GIL, while the calling thread waits, tells `watch` and lets
// Python's signal handlers run: all of Python's code is run by the thread that called. If a handler or
// `watch` raises, the work is cancelled, and what was raised comes out once it has ended.
void run_watched(const Call& call, const std::function<void(const Context&)>& work);

// The same for work that has a result.
template <class Work>
auto run(const Call& call, const Work& work) {
  std::optional<decltype(work(std::declval<const Context&>()))> result;
  run_watched(call, [&](const Context& context) { result.emplace(work(context)); });
  return std::move(*result);
}

void bind_call(py::module_& module);

}  // namespace greenkgc::python
