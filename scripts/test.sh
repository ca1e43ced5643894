#!/usr/bin/env bash
# What `make test` runs after the release is built. Each step says its name; the first failure ends the run.
set -eu
cd "$(dirname "$0")/.."
python=/usr/bin/python3
seconds_at_start=$SECONDS
step() { printf '\n== %s (after %s s)\n' "$1" "$((SECONDS - seconds_at_start))"; }

step "unit tests"
build/release/tests/greenkgc_tests --gtest_brief=1
build/release/tests/greenkgc_server_tests --gtest_brief=1

step "unit tests under the address and undefined-behaviour sanitizers"
scripts/build.sh asan greenkgc_tests greenkgc_server_tests greenkgc_cli
build/asan/tests/greenkgc_tests --gtest_brief=1
build/asan/tests/greenkgc_server_tests --gtest_brief=1
GREENKGC_BIN=build/asan/greenkgc GREENKGC_MALFORMED_REQUESTS=2000 "$python" -m pytest -q -p no:cacheprovider \
  tests/cli/test_bad_input.py tests/serve/test_malformed.py

step "fuzzers, a few seconds each"
scripts/fuzz.sh 8

step "the Python package"
"$python" python/build_package.py

step "the command and the package from outside, installation, includes, real data"
"$python" -m pytest -q -p no:cacheprovider tests
