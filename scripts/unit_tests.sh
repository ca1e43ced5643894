#!/usr/bin/env bash
# unit_tests.sh PRESET: runs the unit tests of a preset that is built, two halves at a time: most tests have one thread.
set -eu
cd "$(dirname "$0")/.."
tests=build/$1/tests
GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=0 "$tests/greenkgc_tests" --gtest_brief=1 &
first=$!
GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 "$tests/greenkgc_tests" --gtest_brief=1
wait "$first"
"$tests/greenkgc_server_tests" --gtest_brief=1
