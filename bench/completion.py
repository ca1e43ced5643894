#!/usr/bin/env python3
"""How good completions are: completion.py DATA... [--seeds 42,1,2] [--greenkgc BINARY] [--train-option=--epochs=10]

DATA is `world` or a folder with train.txt, valid.txt and test.txt (head, relation, tail by tabs) of a graph in which everything true is
written down. The facts of test are hidden: the program gets train and valid alone, trains with its defaults, and completes the graph.
A proposal is right if it is a hidden fact. Prints a row of the table in docs/calibration.md for each graph and seed.
"""
import argparse
import collections
import pathlib
import shutil
import subprocess
import tempfile
import time

PROPOSALS = 20_000


def read(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return [tuple(line.rstrip("\r\n").split("\t")) for line in lines if line.strip()]


def single_valued(facts):
    """The relations of which at least nine heads in ten have one value."""
    values = collections.Counter((head, relation) for head, relation, _ in facts)
    heads, single = collections.Counter(), collections.Counter()
    for (_, relation), count in values.items():
        heads[relation] += 1
        single[relation] += count == 1
    return {relation for relation in heads if single[relation] >= 0.9 * heads[relation]}


def judge(proposals, hidden, known):
    """Figures of (fact, probability) pairs, the most probable first."""
    right = [fact in hidden for fact, _ in proposals]
    found, precision_sum = 0, 0.0
    for place, is_right in enumerate(right, 1):
        found += is_right
        precision_sum += found / place if is_right else 0
    bins = collections.defaultdict(lambda: [0.0, 0])
    some = list(zip(right, proposals))[: 2 * len(hidden)]
    for is_right, (_, probability) in some:
        cell = bins[min(9, int(10 * probability))]
        cell[0] += probability
        cell[1] += is_right
    filled = {(head, relation) for head, relation, _ in known}
    single = single_valued(known | hidden)
    first = list(zip(right, proposals))[: len(hidden)]
    second = [1 for is_right, ((head, relation, _), _) in first if not is_right and relation in single and (head, relation) in filled]
    row = {
        "hidden": len(hidden),
        "R-precision": sum(right[: len(hidden)]) / len(hidden),
        "average precision": precision_sum / len(hidden),
        "recall": found / len(hidden),
        "calibration error": sum(abs(p - r) for p, r in bins.values()) / max(1, len(some)),
        "second values": len(second) / len(hidden),
    }
    for bound in (0.9, 0.5):
        chosen = [is_right for is_right, (_, probability) in zip(right, proposals) if probability >= bound]
        row[f"right among p >= {bound}"] = f"{sum(chosen) / max(1, len(chosen)):.3f} of {len(chosen)}"
    return row


def measure(program, data, seed, options, folder):
    def run(*arguments):
        subprocess.run([program, *map(str, arguments), "--quiet"], check=True, stdout=subprocess.DEVNULL)

    given = pathlib.Path(data)
    if data == "world":
        given = folder / "split"
        run("convert", "world", "--seed", seed, "--valid-share", 0.05, "--test-share", 0.05, "--out", given)
    visible = folder / "visible"
    visible.mkdir()
    for name in ("train.txt", "valid.txt"):
        shutil.copy(given / name, visible / name)
    begin = time.monotonic()
    run("train", visible, "--seed", seed, "--out", folder / "run", *options)
    trained = time.monotonic()
    new = folder / "new.tsv"
    run("complete", "--model", folder / "run" / "model.gkgc", "--top", PROPOSALS, "--out", new)
    completed = time.monotonic()
    proposals = [(line[:3], float(line[3])) for line in read(new)]
    row = judge(proposals, set(f[:3] for f in read(given / "test.txt")),
                set(f[:3] for name in ("train.txt", "valid.txt") for f in read(given / name)))
    row |= {"train s": trained - begin, "complete s": completed - trained,
            "model kB": (folder / "run" / "model.gkgc").stat().st_size / 1000}
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="+")
    parser.add_argument("--seeds", default="42,1,2")
    parser.add_argument("--greenkgc", default="build/release/greenkgc")
    parser.add_argument("--train-option", action="append", default=[], help="passed on to `greenkgc train`, as --train-option=--epochs=10")
    arguments = parser.parse_args()
    for data in arguments.data:
        for seed in arguments.seeds.split(","):
            with tempfile.TemporaryDirectory() as folder:
                row = measure(arguments.greenkgc, data, seed, arguments.train_option, pathlib.Path(folder))
            cells = [f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items()]
            print(f"{pathlib.Path(data).name}, seed {seed}: " + ", ".join(cells), flush=True)


if __name__ == "__main__":
    main()
