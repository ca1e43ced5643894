#!/usr/bin/env bash
# unit_tests.sh PRESET: runs the unit tests of a preset that is built, in parts, as many at a time as there are cores: most tests
# have one thread.
set -eu
cd "$(dirname "$0")/.."
tests=build/$1/tests
export GTEST_TOTAL_SHARDS=8
seq 0 $((GTEST_TOTAL_SHARDS - 1)) |
  xargs -P "$(nproc)" -I {} env GTEST_SHARD_INDEX={} "$tests/greenkgc_tests" --gtest_brief=1
unset GTEST_TOTAL_SHARDS
"$tests/greenkgc_server_tests" --gtest_brief=1
