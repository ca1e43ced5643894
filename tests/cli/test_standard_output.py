"""Standard output is written through the inherited descriptor: what stands before and after a command in the same
redirection stays, as `{ echo a; greenkgc score ...; echo b; } > f` promises."""

import shlex
import subprocess
from pathlib import Path

import pytest
from program import BIN, default_signals, environment, run, write

DATA = Path(__file__).parent.parent / "data"
MODEL = DATA / "golden-4.gkgc"
QUESTIONS = DATA / "golden-4-questions.tsv"


@pytest.fixture
def commands(tmp_path):
    """Commands that write their result to standard output, by every name it has."""
    triples = write(tmp_path / "t.tsv", "Q43\tP4\tQ51\nQ43\tP4\tQ6\n")
    score = ["score", "--model", MODEL, triples]
    convert = ["convert", triples, "--to", "tsv", "--out"]
    complete = ["complete", "--model", MODEL, "--top=3", "--out"]
    predict = ["predict", "--model", MODEL, "--head=Q43", "--relation=P4"]
    return {
        "score": score,
        "score -": [*score, "--out", "-"],
        "score /dev/stdout": [*score, "--out", "/dev/stdout"],
        "score /dev/fd/1": [*score, "--out", "/dev/fd/1"],
        "convert -": [*convert, "-"],
        "convert /dev/stdout": [*convert, "/dev/stdout"],
        "convert /proc/self/fd/1": [*convert, "/proc/self/fd/1"],
        "complete -": [*complete, "-"],
        "complete /dev/stdout": [*complete, "/dev/stdout"],
        "predict": predict,
        "predict --json": [*predict, "--json"],
        "predict --json=-": [*predict, "--json=-"],
        "predict --json=/dev/stdout": [*predict, "--json=/dev/stdout"],
        "predict --queries": ["predict", "--model", MODEL, "--queries", QUESTIONS],
        "predict --queries --json": ["predict", "--model", MODEL, "--queries", QUESTIONS, "--json"],
        "stats --json": ["stats", triples, "--json"],
    }


def shell(script, folder):
    done = subprocess.run(
        ["sh", "-ec", script], cwd=folder, env=environment(), capture_output=True, timeout=120, preexec_fn=default_signals
    )
    assert done.returncode == 0, done.stderr.decode()


NAMES = [
    "score",
    "score -",
    "score /dev/stdout",
    "score /dev/fd/1",
    "convert -",
    "convert /dev/stdout",
    "convert /proc/self/fd/1",
    "complete -",
    "complete /dev/stdout",
    "predict",
    "predict --json",
    "predict --json=-",
    "predict --json=/dev/stdout",
    "predict --queries",
    "predict --queries --json",
    "stats --json",
]


@pytest.mark.parametrize("name", NAMES)
def test_what_stands_around_the_output_stays(name, commands, tmp_path):
    piped = run(*commands[name])
    assert piped.code == 0 and piped.stdout, piped.stderr
    command = " ".join(shlex.quote(str(word)) for word in [BIN, *commands[name]])
    shell(f"{{ echo a; {command}; echo b; }} > f", tmp_path)
    assert (tmp_path / "f").read_text() == f"a\n{piped.stdout}b\n"
    shell(f"echo earlier > g; {{ echo a; {command}; echo b; }} >> g; {command} >> g", tmp_path)
    assert (tmp_path / "g").read_text() == f"earlier\na\n{piped.stdout}b\n{piped.stdout}"


def test_the_report_goes_beside_the_data(commands):
    """By any name of standard output, it holds the data alone."""
    for names in (["score", "score -", "score /dev/stdout", "score /dev/fd/1"], ["complete -", "complete /dev/stdout"]):
        outputs = [run(*commands[name]) for name in names]
        assert len({done.stdout for done in outputs}) == 1, names
        assert all(line.count("\t") == 3 for line in outputs[0].stdout.splitlines())
        assert all(done.stderr for done in outputs)


def test_closed_standard_output_is_an_error(commands, tmp_path):
    for name in ("score -", "convert -", "complete -", "predict --json=/dev/stdout"):
        command = " ".join(shlex.quote(str(word)) for word in [BIN, *commands[name]])
        done = subprocess.run(["sh", "-c", f"{command} >&-"], cwd=tmp_path, env=environment(), capture_output=True)
        assert done.returncode == 1, (name, done.stderr)
        assert b"cannot be written" in done.stderr
