"""The web page of greenkgc serve: types and units by npm, then the page itself in Debian's Chromium (web/tests)."""

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
    facts = [(f"e{i}{NASTY if i else ''}", f"r{NASTY}", f"e{(i + 1) % 120}{NASTY if (i + 1) % 120 else ''}") for i in range(120)]
    write(tmp_path / "toy.tsv", "".join("\t".join(fact) + "\n" for fact in facts))
    done = run("train", tmp_path / "toy.tsv", *[arg for arg in TINY if arg != "--groups=2"], "--groups=1", "--out", tmp_path / "toy")
    assert done.code == 0, done.stderr
    npm("test", GREENKGC_BIN=BIN, GREENKGC_WORLD=str(tmp_path / "world"), GREENKGC_TOY=str(tmp_path / "toy"))
