#!/usr/bin/env python3
"""Measures the rows of docs/results.md: trains each with three seeds, evaluates the test split, prints a table row.

    bench/results.py [ROW ...] [--seeds 42,1,2] [--threads N] [--list]

Without names, all rows are measured (some hours on two cores); `--list` prints them with their commands. Data are looked
for in ../shared/data or $GREENKGC_DATA, one folder per dataset; `world` is built into the program. Run folders are kept in
build/results/ROW/SEED, and a finished run is not repeated; delete its folder to measure it again.

MRR is the mean over the seeds with the standard deviation (n - 1) in parentheses; hits, size and times are means. The size
is that of model.gkgc without its labels, in units of 1,000,000 bytes. The training time is that of all steps without the
evaluation; ms per query is that of ranking all entities for all test queries, one query after another on each thread.
"""
import argparse
import json
import os
import pathlib
import statistics
import struct
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("GREENKGC_BIN", ROOT / "build/release/greenkgc"))
OUT = pathlib.Path(os.environ.get("GREENKGC_RESULTS", ROOT / "build/results"))
DATA = pathlib.Path(os.environ.get("GREENKGC_DATA", ROOT.parent / "shared/data"))

VALID = ["--rerank.labels", "valid"]
NO_LINKS = ["--rerank.links=false"]
ACCURATE = ["--preset", "accurate"]
# Name: dataset, options of `greenkgc train`.
ROWS = {
    "umls": ("umls", []),
    "kinship": ("kinship", []),
    "nations": ("nations", []),
    "world": ("world", []),
    "codex-s": ("codex-s", []),
    "wn18rr-light": ("WN18RR", []),
    "fb15k-237-light": ("FB15k-237", []),
    "fb15k-237-light-valid": ("FB15k-237", VALID),
    "fb15k-237-light-valid-no-links": ("FB15k-237", VALID + NO_LINKS),
    "wn18rr-accurate": ("WN18RR", ACCURATE),
    "fb15k-237-accurate-valid": ("FB15k-237", ACCURATE + VALID),
    "fb15k-237-accurate-valid-no-links": ("FB15k-237", ACCURATE + VALID + NO_LINKS),
}
METRICS = ("mrr", "hits_at_1", "hits_at_3", "hits_at_10")
STEPS = ("embed", "prune", "decide", "rerank")


def data_of(row):
    dataset = ROWS[row][0]
    return dataset if dataset == "world" else str(DATA / dataset)


def train(row, seed, threads):
    """Returns the folder of a finished run. An interrupted run is resumed."""
    folder = OUT / row / str(seed)
    if (folder / "metrics.json").exists():
        return folder
    command = [str(PROGRAM), "train", data_of(row), "--out", str(folder), "--seed", str(seed), "--final=false", "--quiet", *ROWS[row][1]]
    if threads:
        command += ["--threads", str(threads)]
    if (folder / "run.json").exists():
        command.append("--resume")
    folder.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


def bytes_without_labels(model):
    """The file's size without the tensors of labels (safetensors: a length, a JSON header, the tensors)."""
    with open(model, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
    labels = sum(tensor["data_offsets"][1] - tensor["data_offsets"][0] for name, tensor in header.items()
                 if name.rpartition(".")[2] in ("labels", "label_ends", "label_order") and not name.startswith("second."))
    return model.stat().st_size - labels


def measure(row, seed, threads):
    folder = train(row, seed, threads)
    evaluations = json.loads((folder / "metrics.json").read_text())["metrics"]
    test = next(e for e in evaluations
                if e["of"] == "model.gkgc" and e["split"] == "test" and e["protocol"] == "filtered")
    steps = json.loads((folder / "run.json").read_text())["stages"]
    figures = {metric: test["both"]["realistic"][metric] for metric in METRICS}
    figures["seconds"] = sum(steps[step]["seconds"] for step in STEPS if step in steps)
    figures["ms"] = test["ms_per_query"]
    figures["megabytes"] = bytes_without_labels(folder / "model.gkgc") / 1e6
    return figures


def in_minutes(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds // 60:.0f} min {seconds % 60:02.0f} s"


def table_row(row, runs):
    mean = {name: statistics.mean(run[name] for run in runs) for name in runs[0]}
    spread = f" ({statistics.stdev(run['mrr'] for run in runs):.4f})" if len(runs) > 1 else ""
    return (f"| `{row}` | {mean['mrr']:.4f}{spread} | {mean['hits_at_1']:.3f} | {mean['hits_at_3']:.3f} "
            f"| {mean['hits_at_10']:.3f} | {mean['megabytes']:.1f} | {in_minutes(mean['seconds'])} | {mean['ms']:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--seeds", default="42,1,2")
    parser.add_argument("--threads", type=int, default=0, help="of the training; 0: one per core")
    parser.add_argument("--list", action="store_true", help="print the rows and their commands")
    arguments = parser.parse_args()
    unknown = [row for row in arguments.rows if row not in ROWS]
    if unknown:
        sys.exit(f"there is no row {unknown[0]}; the rows are {', '.join(ROWS)}")
    rows = arguments.rows or list(ROWS)
    if arguments.list:
        for row in rows:
            print(f"{row}: greenkgc train", *ROWS[row][:1], "--out RUN --seed SEED", *ROWS[row][1])
        return
    print("| row | MRR (spread) | H@1 | H@3 | H@10 | MB | training | ms per query |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for row in rows:
        if row != "world" and not pathlib.Path(data_of(row)).exists():
            sys.exit(f"{data_of(row)} does not exist; set GREENKGC_DATA to the folder that holds {ROWS[row][0]}")
        runs = [measure(row, int(seed), arguments.threads) for seed in arguments.seeds.split(",")]
        print(table_row(row, runs), flush=True)


if __name__ == "__main__":
    main()
