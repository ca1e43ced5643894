"""Models of each kind that the format has known, which every later program must read alike."""

from pathlib import Path

import pytest
from program import run

DATA = Path(__file__).parent.parent / "data"


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_old_models_answer_as_they_did(version):
    name = f"golden-{version}"
    questions = DATA / f"{name}-questions.tsv"
    done = run("predict", "--model", DATA / f"{name}.gkgc", "--queries", questions, "--top-k", "3", "--include-known")
    assert done.code == 0, done.stderr
    assert done.stdout == (DATA / f"{name}.tsv").read_text()
