"""The command `greenkgc` of a wheel: hands over to the program that the package contains."""
import os
import sys

_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "greenkgc")


def main() -> None:
    if not os.path.exists(_PROGRAM):
        sys.exit(f"greenkgc: this installation has no program ({_PROGRAM} is missing); a wheel made by `make wheel` has one")
    os.execv(_PROGRAM, [sys.argv[0], *sys.argv[1:]])
