#!/usr/bin/env bash
# demo.sh GREENKGC: what the engine can do so far, on the graph that is built into it.
set -eu
greenkgc=$1
run=build/demo/run
show() {
  printf '\n$ greenkgc %s\n' "$*"
  "$greenkgc" "$@"
}
echo "The graph 'world' is built into the program: countries, cities, rivers, languages, memberships."
show stats world --top 12
rm -rf "$run"
show train world --epochs 40 --out "$run"
echo
echo "Over a third of world's test facts are the reverse of a training fact (has_city and located_in, borders both ways),"
echo "so these figures are too optimistic: stats lists such facts as 'reversed in train'."

echo
echo "Five queries. Known answers are left out, or marked as known:"
show predict --model "$run/model.gkgc" --head Norway --relation capital --top-k 3
show predict --model "$run/model.gkgc" --head Azerbaijan --relation borders --top-k 3
show predict --model "$run/model.gkgc" --head Bolivia --relation football_confederation --top-k 3
show predict --model "$run/model.gkgc" --relation official_language --tail Portuguese --top-k 3 --include-known
show predict --model "$run/model.gkgc" --head Japan --tail Tokyo --top-k 3 --include-known
