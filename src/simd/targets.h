#pragma once

#include <string>
#include <vector>

namespace greenkgc::simd {

// Which instruction set our SIMD kernels use. Highway picks the best at the first call of a kernel; the
// environment variable GREENKGC_KERNELS (a name such as AVX2 or SSE4) forces one.

// Names of what this program has and this machine can run, best first.
std::vector<std::string> available_kernel_targets();

// The one in use.
std::string kernel_target();

// Uses this one from now on, for tests and for GREENKGC_KERNELS; "" gives the choice back to Highway.
// Throws kUsage, with the list of those that can be had, if it is not one of them. Not while a kernel runs.
void force_kernel_target(const std::string& name);

// Obeys GREENKGC_KERNELS; returns whether it is set.
bool apply_kernel_environment();

}  // namespace greenkgc::simd
