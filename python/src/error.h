#pragma once

namespace greenkgc::python {

// From now on a greenkgc::Error that reaches Python is raised as greenkgc.Error, with its message and code.
void register_error();

}  // namespace greenkgc::python
