"""docs/guide.md is true: its commands are run in order, in one shell, as a reader would type them."""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUIDE = (ROOT / "docs/guide.md").read_text()
MARK = "== step"


def blocks():
    return re.findall(r"^```(\w+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    """The folder that the guide was followed in, and what each of its steps printed."""
    place = tmp_path_factory.mktemp("guide")
    (place / "examples").mkdir()
    shutil.copy(ROOT / "examples/isles.ttl", place / "examples")
    (place / "work").mkdir()
    script = ["set -eu -o pipefail"]
    for language, text in (block for block in blocks() if block[0] in ("sh", "python")):
        script.append(f"echo '{MARK}'")
        script.append(text if language == "sh" else f"/usr/bin/python3 - <<'END_OF_PYTHON'\n{text}END_OF_PYTHON\n")
    environment = dict(os.environ, PATH=f"{ROOT / 'build/release'}:{os.environ['PATH']}", PYTHONPATH=str(ROOT / "build/python"))
    # A service that a failing step leaves behind ends with its shell.
    script.insert(1, "trap 'for job in $(jobs -p); do kill $job 2>/dev/null; done' EXIT")
    done = subprocess.run(["bash", "-c", "\n".join(script).replace("8080", str(free_port()))], cwd=place / "work",
                          env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return place / "work", done.stdout.split(MARK + "\n")[1:]


def test_every_block_is_run_but_the_installation_and_the_sample_outputs():
    languages = [language for language, _ in blocks()]
    assert set(languages) == {"sh", "python", "shell", "text"} and languages.count("shell") == 1
    targets = re.findall(r"^make (\w+)", dict(reversed(blocks()))["shell"], re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text()
    assert targets == ["install", "python"] and all(f"\n{target}:" in makefile for target in targets)


def test_all_steps_were_taken(steps):
    place, printed = steps
    assert len(printed) == sum(language in ("sh", "python") for language, _ in blocks())
    assert ":livesIn :Gravel_Hythe" in printed[0]
    assert (place / "run/report.html").exists()
    new = (place / "new.nt").read_text().splitlines()
    assert len(new) == 20 and all("<http://isles.example/speaks>" in line and line.endswith(" .") for line in new)


def test_figures_of_the_guide(steps):
    _, printed = steps
    assert "2,162 triples, 262 triples with a literal skipped" in printed[1] and "Graph: 387 entities, 16 relations" in printed[1]
    assert "test 17 (15.7%)" in printed[1]
    mrr = float(re.search(r"model, both stages +test +filtered +216 +([0-9.]+)", printed[2]).group(1))
    assert mrr == pytest.approx(0.83, abs=0.06)  # another machine's floats lead elsewhere, but not far


def test_the_measured_completion_of_the_guide(steps):
    _, printed = steps
    assert "108 facts hidden from the model, 20,000 proposals" in printed[6]
    share, of = re.search(r"right among p >= 0.5 +([0-9.]+) of (\d+)", printed[6]).groups()
    assert float(share) == pytest.approx(0.8, abs=0.15) and 25 < int(of) < 80


def test_the_answer_of_the_guide(steps):
    """From the command, Python and the service."""
    _, printed = steps
    predicted, explained, python = printed[3], printed[4], printed[7]
    assert re.search(r"^ +1 +http://isles.example/Merish", predicted, re.MULTILINE)
    assert "183 of 188 other" in explained and "140 of 144 other" in explained
    assert python.splitlines()[1].startswith("http://isles.example/Merish") and "Evidence for it" in python
    search, one, many = (json.loads(line) for line in printed[9].splitlines() if line.startswith("{"))
    assert "http://isles.example/Zeno_Moor" in [entity["label"] for entity in search["entities"]]
    assert one["answers"][0]["answer"] == "http://isles.example/Merish"
    assert [len(result["answers"]) for result in many["results"]] == [2, 2]
    assert "ready" in printed[8]


def test_the_service_took_the_new_model(steps):
    place, printed = steps
    card = json.loads([line for line in printed[10].splitlines() if line.startswith("{")][-1])
    assert card["generation"] == 2 and card["bytes"] == (place / "better/model.gkgc").stat().st_size
    requests = [json.loads(line) for line in (place / "access.jsonl").read_text().splitlines()]
    assert len(requests) >= 5
