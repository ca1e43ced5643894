#!/usr/bin/python3
"""How long single top-10 questions take, one after another, as a program that holds the model open asks them.

    PYTHONPATH=build/python bench/lone_questions.py MODEL TEST.txt [QUESTIONS] [THREADS]

Asks for tails and heads of facts of a tab-separated file, spread evenly over it, in random order so that a question
rarely finds what the last one needed. Prints a line of JSON: the median and the 99th percentile in milliseconds."""

import json
import random
import sys
import time

import greenkgc


def main(model_path, facts_path, count=1000, threads=0):
    model = greenkgc.load(model_path)
    with open(facts_path, encoding="utf-8") as lines:
        facts = [line.rstrip("\r\n").split("\t") for line in lines]
    chosen = facts[:: max(1, 2 * len(facts) // int(count))]
    questions = [q for head, relation, tail in chosen for q in ((head, relation, None), (None, relation, tail))]
    random.Random(1).shuffle(questions)
    taken = []
    for i, question in enumerate(questions):
        start = time.perf_counter()
        model.predict([question], k=10, threads=int(threads), progress=False)
        if i > 0:  # the first opens what all need
            taken.append(1000 * (time.perf_counter() - start))
    taken.sort()
    print(json.dumps({"questions": len(taken), "p50_ms": round(taken[len(taken) // 2], 3),
                      "p99_ms": round(taken[len(taken) * 99 // 100], 3), "worst_ms": round(taken[-1], 3)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
