#!/usr/bin/env bash
# tsan.sh [FILTER]: builds the unit tests with the thread sanitizer and runs those of the service, and those of the library that
# match FILTER (all of them without one).
set -eu
cd "$(dirname "$0")/.."
scripts/build.sh tsan greenkgc_tests greenkgc_server_tests
export TSAN_OPTIONS="suppressions=$PWD/tests/tsan.supp"
# The sanitizer of GCC 12 does not start where the kernel spreads addresses further than it expects.
fixed_addresses=()
! setarch "$(uname -m)" -R true 2>/dev/null || fixed_addresses=(setarch "$(uname -m)" -R)
"${fixed_addresses[@]}" build/tsan/tests/greenkgc_tests --gtest_brief=1 --gtest_filter="${1:-*}"
"${fixed_addresses[@]}" build/tsan/tests/greenkgc_server_tests --gtest_brief=1
