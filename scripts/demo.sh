#!/usr/bin/env bash
# demo.sh GREENKGC: what the engine can do, on the graph that is built into it.
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
echo "Five queries. The model knows all facts of 'world', so its answers are what the graph does not have:"
show predict --model "$run/model.gkgc" --head Norway --relation capital --top-k 3 --include-known
show predict --model "$run/model.gkgc" --head Azerbaijan --relation borders --top-k 3 --include-known
show predict --model "$run/model.gkgc" --head Bolivia --relation football_confederation --top-k 3 --include-known
show predict --model "$run/model.gkgc" --relation official_language --tail Portuguese --top-k 3 --include-known
show predict --model "$run/model.gkgc" --head Japan --tail Tokyo --top-k 3 --include-known

# Facts that a part of the graph lacks are facts that a person can check: those of the test split, which measured.gkgc does not know.
echo
echo "Ten facts that a model proposes which knows only nine tenths of 'world' (the model before it got all facts), each with its reason:"
# Of has_city and located_in most test facts are the reverse of a known one, which would fill the list.
relations=continent,driving_side,football_confederation,hemisphere,region,government,official_language,language_family,flows_through,capital,borders
show complete --model "$run/measured.gkgc" --relation "$relations" --top 10 --out build/demo/new.tsv
while IFS=$'\t' read -r head relation tail probability; do
  printf '\n%s  %s  %s   %s\n' "$head" "$relation" "$tail" "$probability"
  "$greenkgc" explain --model "$run/measured.gkgc" --head "$head" --relation "$relation" --tail "$tail" --json |
    sed -n 's/^ *"sentence": "\(.*\)",\{0,1\}$/   because \1/p' | head -n 1
done <build/demo/new.tsv
