#!/usr/bin/env bash
# demo.sh GREENKGC: what the engine can do so far, on the graph that is built into it.
set -eu
greenkgc=$1
run=build/demo/run
show() {
  printf '\n$ greenkgc %s\n' "$*"
  "$greenkgc" "$@"
}
echo "The graph 'world' is part of the program: countries, cities, rivers, languages, memberships."
show stats world --top 12
rm -rf "$run"
show train world --epochs 40 --out "$run"
echo
echo "Over a third of world's test facts are the reverse of a training fact (has_city and located_in, borders both ways),"
echo "so these figures flatter: stats lists that as 'backwards in train'."

# ---- five questions, once `greenkgc predict` is there ----
# show predict --model "$run/model.gkgc" --head Norway --relation borders
# ----------------------------------------------------------
