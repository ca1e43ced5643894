#!/usr/bin/env python3
"""How good completions are: completion.py DATA... [--seeds 42,1,2] [--greenkgc BINARY] [--train-option=--epochs=10]

DATA is `world` or a folder with train.txt, valid.txt and test.txt (head, relation, tail by tabs) of a graph in which everything true is
written down. The facts of test are hidden: the program gets train and valid alone, trains with its defaults, and `greenkgc evaluate --task
completion` looks for test facts among what the finished model proposes. Prints a row of the table in docs/calibration.md for each graph
and seed. The figures are the product's own; tests/cli/test_evaluate.py computes them a second time.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import tempfile
import time

SHARES = {"r_precision": "R-precision", "average_precision": "average precision", "recall": "recall",
          "calibration_error": "calibration error", "second_values": "second values"}


def row_of(found):
    """The figures of `evaluate --task completion --json` with the names of the table."""
    row = {"hidden": found["hidden"], **{name: found[key] for key, name in SHARES.items()}}
    for bound in (90, 50):
        precision, count = found[f"precision_{bound}"], found[f"n_{bound}"]
        row[f"right among p >= 0.{bound // 10}"] = f"{precision:.3f} of {count}" if count else "none"
    return row


def measure(program, data, seed, options, folder):
    def run(*arguments):
        return subprocess.run([program, *map(str, arguments), "--quiet"], check=True, stdout=subprocess.PIPE, text=True).stdout

    given = pathlib.Path(data)
    if data == "world":
        given = folder / "split"
        run("convert", "world", "--seed", seed, "--valid-share", 0.05, "--test-share", 0.05, "--out", given)
    visible = folder / "visible"
    visible.mkdir()
    for name in ("train.txt", "valid.txt"):
        shutil.copy(given / name, visible / name)
    model = folder / "run" / "model.gkgc"
    begin = time.monotonic()
    run("train", visible, "--seed", seed, "--out", model.parent, *options)
    trained = time.monotonic()
    found = json.loads(run("evaluate", given, "--model", model, "--task", "completion", "--seed", seed, "--skip-unknown", "--json"))
    row = row_of(found)
    if "skipped" in found:
        row["hidden facts with unknown labels, left out"] = found["skipped"]
    return row | {"train s": trained - begin, "complete s": found["seconds"], "model kB": model.stat().st_size / 1000}


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
