#!/usr/bin/env python3
"""The accuracy figures of docs/lab/embeddings.md: trains recipes of `greenkgc embed`, ranks the test split, prints a table.

    bench/accuracy.py [RECIPE ...]        all recipes (an hour), or the named ones

Data are looked for in ../shared/data or $GREENKGC_DATA (FB15k-237, WN18RR). What is done is kept in build/accuracy/ and
not done again; delete a file there to repeat it.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parent.parent
PROGRAM = pathlib.Path(os.environ.get("GREENKGC_BIN", ROOT / "build/release/greenkgc"))
OUT = ROOT / "build/accuracy"
DATA = pathlib.Path(os.environ.get("GREENKGC_DATA", ROOT.parent / "shared/data"))
DATASETS = {"fb15k-237": "FB15k-237", "wn18rr": "WN18RR"}


def recipes():
    refusal = subprocess.run([PROGRAM, "embed", "world", "--recipe", "?", "--out", "x"], capture_output=True, text=True)
    names = refusal.stderr.split("one of ")[1].split(";")[0].split(", ")
    return [name for name in names if name != "auto"]


def measure(recipe):
    data = DATA / next(folder for name, folder in DATASETS.items() if recipe.startswith(name))
    model = OUT / recipe / "embeddings.safetensors"
    record = OUT / f"{recipe}.json"
    if not record.exists():
        command = [PROGRAM, "embed", data, "--recipe", recipe, "--out", model, "--json"]
        training = subprocess.Popen(command, stdout=subprocess.PIPE)
        trained = json.load(training.stdout)
        _, status, usage = os.wait4(training.pid, 0)
        if status != 0:
            sys.exit(f"{recipe}: training failed")
        evaluation = subprocess.run([PROGRAM, "evaluate", data, "--model", model, "--json"], check=True,
                                    stdout=subprocess.PIPE)
        test = json.loads(evaluation.stdout)["both"]["realistic"]
        record.write_text(json.dumps({"trained": trained, "test": test, "peak_mb": usage.ru_maxrss / 1024}))
    return json.loads(record.read_text())


def main():
    if not DATA.exists():
        sys.exit(f"{DATA} is not there; set GREENKGC_DATA to a folder that holds {', '.join(DATASETS.values())}")
    OUT.mkdir(parents=True, exist_ok=True)
    print("| recipe | test MRR | Hits@1 | Hits@10 | valid MRR (sample) | epochs | training | memory | file |")
    print("|---|---|---|---|---|---|---|---|---|")
    for recipe in sys.argv[1:] or recipes():
        run = measure(recipe)
        trained, test = run["trained"], run["test"]
        print(f"| {recipe} | {test['mrr']:.4f} | {test['hits_at_1']:.3f} | {test['hits_at_10']:.3f} "
              f"| {trained['best_valid_mrr']:.4f} | {trained['best_epoch']} of {trained['epochs']} "
              f"| {trained['seconds']:.0f} s | {run['peak_mb']:.0f} MB | {trained['bytes'] / 1e6:.1f} MB |", flush=True)


if __name__ == "__main__":
    main()
