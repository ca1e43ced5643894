#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures once, then builds.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
# Paths relative to the checkout: another clone of the same sources finds its objects in the compiler cache.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
if [ ! -f "build/$preset/build.ninja" ] || [ CMakePresets.json -nt "build/$preset/build.ninja" ]; then
  echo "configuring build/$preset"
  mkdir -p "build/$preset"
  cmake --preset "$preset" >"build/$preset/configure.log" 2>&1 || { cat "build/$preset/configure.log" >&2; exit 1; }
fi
targets=()
for target in "$@"; do targets+=(--target "$target"); done
# On a terminal ninja shows how far it is; elsewhere one line says that it works, for a first build takes minutes.
quiet=()
[ -t 1 ] || { echo "building build/$preset"; quiet=(--quiet); }
cmake --build "build/$preset" "${targets[@]}" -- "${quiet[@]}"
