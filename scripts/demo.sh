#!/usr/bin/env bash
# demo.sh GREENKGC: what the engine can do so far, on the graph that is built into it.
set -eu
greenkgc=$1
out=build/demo
show() {
  printf '\n$ greenkgc %s\n' "$*"
  "$greenkgc" "$@"
}
echo "The graph 'world' is part of the program: countries, cities, rivers, languages, memberships."
show stats world --top 12
show embed world --dims 32 --negatives 0 --margin 6 --rate 0.3 --epochs 30 --out "$out/world.safetensors"
show evaluate world --model "$out/world.safetensors"
echo
echo "Over a third of world's test facts are the reverse of a training fact (has_city and located_in, borders both ways),"
echo "so these figures flatter: stats lists that as 'backwards in train'."
