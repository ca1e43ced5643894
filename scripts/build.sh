#!/usr/bin/env bash
# build.sh PRESET [TARGET...]: configures if needed, then builds.
set -eu
cd "$(dirname "$0")/.."
preset=$1
shift
folder=build/$preset
# Paths relative to the checkout: another clone of the same sources finds its objects in the compiler cache.
export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
# Tests, benchmarks and XGBoost are built if their packages are installed: look again once some were (on Debian; elsewhere,
# `cmake --preset PRESET` does so).
configured=$folder/configure.log
if [ ! -f "$folder/build.ninja" ] || [ CMakePresets.json -nt "$configured" ] || [ /var/lib/dpkg/status -nt "$configured" ]; then
  echo "configuring $folder"
  mkdir -p "$folder"
  cmake --preset "$preset" >"$configured.new" 2>&1 || { cat "$configured.new" >&2; exit 1; }
  mv "$configured.new" "$configured"
fi
targets=()
for target in "$@"; do targets+=(--target "$target"); done
# On a terminal ninja shows how far it is; elsewhere one line says that it works, for a first build takes minutes.
quiet=()
[ -t 1 ] || { echo "building $folder"; quiet=(--quiet); }
cmake --build "$folder" "${targets[@]}" -- "${quiet[@]}"
