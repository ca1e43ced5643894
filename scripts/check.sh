#!/usr/bin/env bash
# What `make check` runs once the release's tests are built: format, order of includes, unit tests.
set -eu
cd "$(dirname "$0")/.."
scripts/format_check.sh
scripts/check_includes.py
scripts/unit_tests.sh release
