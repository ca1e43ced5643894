#!/usr/bin/env bash
# What `make test` runs after the release is built. Each step says its name; the first failure ends the run.
set -eu
cd "$(dirname "$0")/.."
python=/usr/bin/python3
seconds_at_start=$SECONDS
# Two halves of a suite at a time: most tests have one thread.
in_halves() {
  GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=0 "$1" --gtest_brief=1 &
  local first=$!
  GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 "$1" --gtest_brief=1
  wait "$first"
}
step() { printf '\n== %s (after %s s)\n' "$1" "$((SECONDS - seconds_at_start))"; }

step "unit tests"
in_halves build/release/tests/greenkgc_tests
build/release/tests/greenkgc_server_tests --gtest_brief=1

step "unit tests under the address and undefined-behaviour sanitizers"
scripts/build.sh asan greenkgc_tests greenkgc_server_tests greenkgc_cli
in_halves build/asan/tests/greenkgc_tests
build/asan/tests/greenkgc_server_tests --gtest_brief=1
GREENKGC_BIN=build/asan/greenkgc GREENKGC_MALFORMED_REQUESTS=2000 "$python" -m pytest -q -p no:cacheprovider \
  tests/cli/test_bad_input.py tests/serve/test_malformed.py

step "fuzzers, a few seconds each"
scripts/fuzz.sh 8

step "the Python package"
"$python" python/build_package.py

step "the command and the package from outside, installation, includes, real data"
"$python" -m pytest -q -p no:cacheprovider -n 2 --dist loadfile tests
