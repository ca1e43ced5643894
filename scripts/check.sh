#!/usr/bin/env bash
# What `make check` runs once the release's tests are built: format, order of includes, unit tests.
set -eu
cd "$(dirname "$0")/.."
git ls-files '*.h' '*.cc' | xargs -P "$(nproc)" -n 40 clang-format --dry-run --Werror
scripts/check_includes.py
scripts/unit_tests.sh release
