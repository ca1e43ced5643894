#!/usr/bin/env bash
# What `make check` runs once the release's tests are built: format, order of includes, unit tests.
set -eu
cd "$(dirname "$0")/.."
git ls-files '*.h' '*.cc' | xargs -P "$(nproc)" -n 40 clang-format --dry-run --Werror
scripts/check_includes.py
# Two halves at a time: most tests have one thread.
GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=0 build/release/tests/greenkgc_tests --gtest_brief=1 &
first=$!
GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 build/release/tests/greenkgc_tests --gtest_brief=1
wait "$first"
build/release/tests/greenkgc_server_tests --gtest_brief=1
