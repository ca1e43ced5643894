#include "simd/targets.h"

#define HWY_WANT_AVX3_DL  // which some kernels have
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "greenkgc/error.h"

namespace greenkgc::simd {
namespace {

// Highway numbers its targets by bits, better ones lower.
std::vector<std::int64_t> available_bits() {
  hwy::SetSupportedTargetsForTest(0);
  std::vector<std::int64_t> bits;
  for (std::int64_t left = hwy::SupportedTargets() & HWY_TARGETS; left != 0; left &= left - 1)
    bits.push_back(left & -left);
  return bits;
}

std::int64_t& forced_bit() {
  static std::int64_t bit = 0;
  return bit;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto same = [](unsigned char x, unsigned char y) { return std::toupper(x) == std::toupper(y); };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

void use(std::int64_t bit) {
  forced_bit() = bit;
  // What a kernel has no AVX3_DL for is AVX3 then.
  hwy::SetSupportedTargetsForTest(bit == HWY_AVX3_DL ? HWY_AVX3_DL | HWY_AVX3 : bit);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace

std::vector<std::string> available_kernel_targets() {
  const std::int64_t forced = forced_bit();
  std::vector<std::string> names;
  for (const std::int64_t bit : available_bits()) names.emplace_back(hwy::TargetName(bit));
  use(forced);
  return names;
}

std::string kernel_target() {
  const std::int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

void force_kernel_target(const std::string& name) {
  if (name.empty()) return use(0);
  for (const std::int64_t bit : available_bits()) {
    if (same_but_for_case(name, hwy::TargetName(bit))) return use(bit);
  }
  use(forced_bit());
  throw Error(ErrorCode::kUsage,
              fmt::format("GREENKGC_KERNELS: {} is not available on this machine; it has {}", name,
                          fmt::join(available_kernel_targets(), ", ")));
}

bool apply_kernel_environment() {
  const char* name = std::getenv("GREENKGC_KERNELS");
  if (name == nullptr || *name == '\0') return false;
  force_kernel_target(name);
  return true;
}

}  // namespace greenkgc::simd
