#!/usr/bin/env python3
"""Checks who includes whom (docs: ARCHITECTURE.md): no folder includes upward, learners never include each other,
rank includes no learner, apps, python and examples use the public headers alone (unit tests in apps may use all), the public
headers only each other and std.

check_includes.py [ROOT]: prints each forbidden edge as FILE:LINE and exits 1 if there is one.
"""
import pathlib
import re
import sys

LEARNERS = {"embed", "prune", "decide"}
BELOW = {  # folder of src/ -> folders of src/ that it may include, besides itself
    "base": set(),
    "report": {"base"},
    "kernels": {"base"},
    "graph": {"base", "kernels"},
    "model": {"base", "kernels", "graph"},
    "structure": {"base", "kernels", "graph", "model"},
    **{learner: {"base", "kernels", "graph", "model", "structure"} for learner in LEARNERS},
    "rank": {"base", "kernels", "graph", "model", "structure"},
}
BELOW["pipeline"] = set(BELOW)
OUTSIDE = ("apps", "python", "examples")  # see include/greenkgc and their own files only
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
STANDARD = re.compile(r"^\s*#\s*include\s*<([a-z0-9_]+)>")


def forbidden(path: pathlib.PurePath, included: str) -> str | None:
    """Why this file may not include that, or None."""
    top = path.parts[0]
    target = included.split("/")[0]
    if top == "include":
        return None if target == "greenkgc" else "a public header includes only public headers and std"
    if target == "greenkgc":
        return None
    if top in OUTSIDE:
        if path.parts[1] == "server" and target == "cli":
            return "apps/server does not know the command"
        tested = path.stem.endswith("_test")
        return f"{top} uses include/greenkgc only" if target in BELOW and not tested else None
    if top == "src":
        own = path.parts[1]
        if own not in BELOW:
            return f"src/{own} has no place in the order of folders; give it one in this script"
        if target in BELOW and target != own and target not in BELOW[own]:
            return f"src/{own} may not include {target}"
    return None


def check(root: pathlib.Path) -> list[str]:
    faults = []
    for top in ("include", "src", *OUTSIDE):
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
