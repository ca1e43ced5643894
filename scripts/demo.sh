#!/usr/bin/env bash
# demo.sh GREENKGC: what the engine can do so far, on the graph that is built into it.
set -eu
greenkgc=$1
echo "The graph 'world' is part of the program: countries, cities, rivers, languages, memberships."
echo
echo "\$ greenkgc stats world"
"$greenkgc" stats world --top 12
