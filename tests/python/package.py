"""The Python package, as `make python` leaves it in build/python, and its command, for the tests."""
import importlib
import json
import os
import pathlib
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "build/release/greenkgc"
PACKAGE = ROOT / "build/python"
if not PACKAGE.exists():
    raise RuntimeError("there is no build/python: `make python` makes it")
sys.path.insert(0, str(PACKAGE))
greenkgc = importlib.import_module("greenkgc")

SMALL = {"dims": 16, "epochs": 4, "keep_dims": 8, "decide": {"trees": 20}, "rerank": {"trees": 20}}


def command(*args):
    return json.loads(subprocess.run([BIN, *map(str, args), "--json"], check=True, capture_output=True).stdout)


def python(code, **options):
    environment = dict(os.environ, PYTHONPATH=str(PACKAGE), **options.pop("env", {}))
    return subprocess.Popen([sys.executable, "-c", "import greenkgc, sys\n" + code], env=environment,
                            stdin=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
                            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options})
