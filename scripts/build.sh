#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures once, then builds. Quiet unless something is compiled or wrong.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
# Paths relative to the checkout: another clone of the same sources finds its objects in the compiler cache.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
if [ ! -f "build/$preset/build.ninja" ]; then
  mkdir -p "build/$preset"
  cmake --preset "$preset" >"build/$preset/configure.log" 2>&1 || { cat "build/$preset/configure.log" >&2; exit 1; }
fi
targets=()
for target in "$@"; do targets+=(--target "$target"); done
cmake --build "build/$preset" "${targets[@]}" -- --quiet
