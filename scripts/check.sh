#!/usr/bin/env bash
# What `make check` runs once the release's tests are built: format, order of includes, unit tests.
set -eu
cd "$(dirname "$0")/.."
# Versions of clang-format disagree about some lines, so one of them decides: that of Debian 12.
version=$(clang-format --version | grep -oE '[0-9]+' | head -n 1)
if [ "$version" = 14 ]; then
  git ls-files '*.h' '*.cc' | xargs -P "$(nproc)" -n 40 clang-format --dry-run --Werror
else
  echo "the format was not checked: clang-format 14 decides, and this is version $version"
fi
scripts/check_includes.py
scripts/unit_tests.sh release
