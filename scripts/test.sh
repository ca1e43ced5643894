#!/usr/bin/env bash
# What `make test` runs after the release is built. Each step says its name; the first failure ends the run.
set -eu
cd "$(dirname "$0")/.."
python=/usr/bin/python3
seconds_at_start=$SECONDS
step() { printf '\n== %s (after %s s)\n' "$1" "$((SECONDS - seconds_at_start))"; }

step "format, order of includes, unit tests"
scripts/check.sh

step "unit tests under the address and undefined-behavior sanitizers"
scripts/build.sh asan
scripts/unit_tests.sh asan
GREENKGC_BIN=build/asan/greenkgc GREENKGC_MALFORMED_REQUESTS=2000 "$python" -m pytest -q -p no:cacheprovider -n 2 --dist loadfile \
  tests/cli/test_bad_input.py tests/serve/test_malformed.py

step "fuzzers, a few seconds each"
scripts/fuzz.sh 8

step "the server and the parallel loop under the thread sanitizer"
scripts/tsan.sh

step "the Python package"
"$python" python/build_package.py

step "the command and the package from outside, installation, documents, real data"
"$python" -m pytest -q -p no:cacheprovider -n 2 --dist loadfile tests
