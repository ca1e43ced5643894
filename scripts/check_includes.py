#!/usr/bin/env python3
"""Checks who includes whom (docs: ARCHITECTURE.md).

- No folder of src/ includes upward: base <- simd <- math <- graph <- tensors <- kge <- features <- trees, graph <- evidence,
  all of these <- model <- rank <- answers, train <- report.
- Nothing outside a training folder includes one: */train/, train/ and features/prune/. What answers a question never needs what
  learned the answer.
- Apps, python and examples use the public headers alone (unit tests in apps may use all); apps/server does not know apps/cli, and
  apps/shared knows neither. Public headers include only each other and std.

check_includes.py [ROOT]: prints each forbidden edge as FILE:LINE and exits 1 if there is one.
"""
import pathlib
import re
import sys

LEVELS = ["base", "simd", "math", "graph", "tensors", "kge", "features", "trees", "evidence", "model", "rank"]
BELOW = {folder: set(LEVELS[:at]) for at, folder in enumerate(LEVELS)}  # what each folder of src/ may include, besides itself
BELOW["evidence"] = {"base", "simd", "math", "graph"}
BELOW["answers"] = BELOW["train"] = set(LEVELS)
BELOW["report"] = {*LEVELS, "answers", "train"}
BELOW["reproduce"] = set(BELOW)  # beside src/, above all of it
# (file, what it includes) -> why it may break the rule about training folders.
EXCEPTIONS = {
    ("reproduce/workshop.cc", "train/run/recorded_stage.h"): "the reproduction runs the steps of training, as train/ does",
}
OUTSIDE = ("apps", "python", "examples")  # see include/greenkgc and their own files only
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
STANDARD = re.compile(r"^\s*#\s*include\s*<([a-z0-9_]+)>")


def trains(parts: tuple[str, ...]) -> bool:
    """Whether a path below src/ is in a folder that only training needs."""
    return "train" in parts[:-1] or parts[:2] == ("features", "prune")


def forbidden(path: pathlib.PurePath, included: str) -> str | None:
    """Why this file may not include that, or None."""
    top = path.parts[0]
    target = pathlib.PurePath(included).parts
    if top == "include":
        return None if target[0] == "greenkgc" else "a public header includes only public headers and std"
    if target[0] == "greenkgc":
        return None
    tested = path.stem.endswith(("_test", "_bench"))
    if top in OUTSIDE:
        below = {"server": {"cli"}, "shared": {"cli", "server"}}.get(path.parts[1], set())
        if target[0] in below:
            return f"apps/{path.parts[1]} does not know apps/{target[0]}"
        return f"{top} uses include/greenkgc only" if target[0] in BELOW and not tested else None
    if target[0] == "support":
        return None if tested else "tests/support is for tests and benchmarks"
    own = path.parts[1] if top == "src" else top
    if own not in BELOW:
        return f"src/{own} has no place in the order of folders; give it one in this script"
    if target[0] in BELOW and target[0] != own and target[0] not in BELOW[own]:
        return f"{own} may not include {target[0]}"
    if trains(target) and not trains(path.parts[1:]) and not tested and (str(path), included) not in EXCEPTIONS:
        return "only a training folder includes a training folder"
    return None


def check(root: pathlib.Path) -> list[str]:
    faults = []
    for top in ("include", "src", "reproduce", *OUTSIDE):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cc"):
                continue
            relative = path.relative_to(root)
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                reason = forbidden(relative, match.group(1)) if match else None
                if top == "include" and re.match(r"^\s*#\s*include\s*<", line) and not STANDARD.match(line):
                    reason = "a public header includes only public headers and std"
                if reason:
                    faults.append(f"{relative}:{number}: {line.strip()}: {reason}")
    return faults


if __name__ == "__main__":
    found = check(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent))
    print("\n".join(found) if found else "includes: every edge goes the right way")
    sys.exit(1 if found else 0)
