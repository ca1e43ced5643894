#!/usr/bin/env bash
# tsan.sh [all [FILTER]]: runs the tests of the server and of the parallel loop under the thread sanitizer, with the rest
# of the library as the release has it. `all` builds everything with the sanitizer and runs all unit tests, or those of the
# library that match FILTER and all of the server's.
set -eu
cd "$(dirname "$0")/.."
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp"
# The sanitizer of GCC 12 does not start where the kernel spreads addresses further than it expects.
fixed_addresses=()
! setarch "$(uname -m)" -R true 2>/dev/null || fixed_addresses=(setarch "$(uname -m)" -R)
run() { "${fixed_addresses[@]}" "$@" --gtest_brief=1; }

if [ "${1:-}" = all ]; then
  scripts/build.sh tsan greenkgc_tests greenkgc_server_tests
  run build/tsan/tests/greenkgc_tests --gtest_filter="${2:-*}"
  run build/tsan/tests/greenkgc_server_tests
else
  scripts/build.sh release greenkgc_tsan_tests
  run build/release/tests/greenkgc_tsan_tests
fi
