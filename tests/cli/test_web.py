"""The web page of greenkgc serve: types and units by npm, then the page itself in Debian's Chromium (web/tests)."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from program import BIN, ROOT, run, write
from test_train import TINY

WEB = ROOT / "web"
NASTY = "<img src=x onerror=alert(1)>&\"'`"

pytestmark = pytest.mark.skipif(
    not (pathlib.Path(BIN).parent / "web").is_dir(), reason="the page was left out of this build (GREENKGC_WEB)"
)


# As `completion` in metrics.json, with more relations than the page shows at first and an empty bin.
COMPLETION = {
    "split": "test", "hidden": 529, "proposals": 1890, "r_precision": 0.64, "average_precision": 0.68, "recall": 0.9,
    "precision_90": 0.99, "n_90": 140, "precision_50": 0.86, "n_50": 317, "calibration_error": 0.035, "second_values": 0.0, "seconds": 3.2,
    "bins": [
        {"from": low / 10, "to": (low + 1) / 10, "candidates": 900 // (low + 1), "facts": 90 * low // (low + 1),
         "predicted": low / 10 + 0.05, "observed": low / 10}
        for low in range(9)
    ] + [{"from": 0.9, "to": 1.0, "candidates": 0, "facts": 0, "predicted": 0, "observed": 0}],
    "relations": [
        {"relation": f"relation_{i}", "hidden": 3 * i % 20, "proposals": 5 * i, "r_precision": 0.5, "average_precision": 0.6,
         "precision_50": 0.8 if i % 3 else None, "n_50": i, "recall": 0.7}
        for i in range(20)
    ],
}


def npm(*args, **env):
    done = subprocess.run(["npm", "run", *args], cwd=WEB, env={**os.environ, **env}, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.fail(done.stdout + done.stderr, pytrace=False)


def test_types_and_units():
    npm("check")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not here (scripts/setup.sh installs it)")
def test_the_page(tmp_path):
    done = run("train", "world", *TINY, "--out", tmp_path / "world")
    assert done.code == 0, done.stderr
    metrics = tmp_path / "world" / "metrics.json"
    metrics.write_text(json.dumps({**json.loads(metrics.read_text()), "completion": COMPLETION}))
    facts = [(f"e{i}{NASTY if i else ''}", f"r{NASTY}", f"e{(i + 1) % 120}{NASTY if (i + 1) % 120 else ''}") for i in range(120)]
    write(tmp_path / "toy.tsv", "".join("\t".join(fact) + "\n" for fact in facts))
    done = run("train", tmp_path / "toy.tsv", *[arg for arg in TINY if arg != "--groups=2"], "--groups=1", "--out", tmp_path / "toy")
    assert done.code == 0, done.stderr
    metrics = tmp_path / "toy" / "metrics.json"  # as of a run whose completion was not measured
    measured = json.loads(metrics.read_text())
    assert measured.pop("completion")["before_final"] is True
    metrics.write_text(json.dumps(measured))
    npm("test", GREENKGC_BIN=BIN, GREENKGC_WORLD=str(tmp_path / "world"), GREENKGC_TOY=str(tmp_path / "toy"))
