#!/usr/bin/env bash
# fuzz.sh SECONDS: builds the fuzzers with the other sanitized targets and runs each for SECONDS, from the seeds in fuzz/seeds and what earlier runs found.
set -eu
cd "$(dirname "$0")/.."
seconds=$1
scripts/build.sh asan
for fuzzer in build/asan/fuzz/*_fuzz; do
  name=$(basename "$fuzzer")
  corpus=build/asan/corpus/$name
  mkdir -p "$corpus"
  log=build/asan/$name.log
  if ! "$fuzzer" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -artifact_prefix="build/asan/$name-" \
      "$corpus" "fuzz/seeds/$name" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "$name: found a fault; the input is build/asan/$name-*" >&2
    exit 1
  fi
  echo "$name: $(grep -oE 'Done [0-9]+ runs in [0-9]+ second' "$log" | tail -n 1)s, no fault"
done
