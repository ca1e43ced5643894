#!/usr/bin/env bash
# clang-format and clang-tidy over our own sources; changes nothing, exits 1 if either has something to say.
set -eu
cd "$(dirname "$0")/.."
scripts/format_check.sh
cmake --preset dev >/dev/null
scripts/build.sh dev greenkgc_embedded
git ls-files 'src/*.cc' 'reproduce/*.cc' 'apps/*.cc' | grep -vE '_(test|bench)\.cc' | xargs -P "$(nproc)" -n 1 clang-tidy -p build/dev --quiet --extra-arg=-Wno-unknown-warning-option
scripts/check_includes.py
