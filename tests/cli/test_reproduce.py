"""greenkgc reproduce: every table and figure, on generated graphs that take seconds."""

import json
import re
import signal
import subprocess
import time
from xml.etree import ElementTree

import pytest
from program import BIN, default_signals, fails, run, tsv, write

QUICK = ["--quick", "--threads=1", "--quiet"]
NAMES = [what["name"] for what in run("reproduce", "list", "--json").json]


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """What the exhibits share."""
    return tmp_path_factory.mktemp("reproduce")


def made(out, name, *args):
    done = run("reproduce", name, *QUICK, "--out", out, *args, "--json")
    assert done.code == 0, done.stderr
    (result,) = done.json
    assert result["missing"] == [] and all((out / path).exists() for path in result["written"])
    return json.loads((out / f"{name}.json").read_text())


def test_the_list_has_what_the_paper_has():
    assert len([n for n in NAMES if n.startswith("table-")]) == 11
    assert len([n for n in NAMES if n.startswith("figure-")]) == 8
    assert "table-low-dimensions" in run("reproduce", "list").stdout


@pytest.mark.parametrize("name", NAMES)
def test_each_is_made(out, name):
    exhibit = made(out, name)
    assert exhibit["seed"] == 42 and "quick = true" in exhibit["options"]
    assert any("mean nothing" in note for note in exhibit["notes"])
    text = (out / f"{name}.md").read_text()
    assert text.startswith(f"# {name}: ")
    if name.startswith("table-"):
        assert exhibit.get("results") or exhibit["tables"]
        assert re.search(r"\| paper\b|^Paper$|\bpublished \|", text, re.IGNORECASE | re.MULTILINE)
    else:
        assert exhibit["figures"]
    for figure in exhibit.get("figures", []):
        root = ElementTree.parse(out / figure["file"]).getroot()
        marks = [e for e in root.iter() if (e.get("class") or "").startswith(("line", "dot", "bar"))]
        steps = sum(e.get("d", "").count("L") for e in marks)
        assert len(marks) + steps >= 4, figure["file"]
        assert f"]({figure['file']})" in text
    for row in exhibit.get("results", []):
        assert row["cited"] == ("ours" not in row)
        if row["cited"]:
            continue
        assert 0 <= row["ours"]["filtered"]["mrr"] <= 1 and row["ours"]["paper"]["words"] == "answer exempt"
        assert row["ours"]["bytes"] > 0 and row["ours"]["training_seconds"] > 0 and row["published"]["mrr"] > 0
    for artefact in exhibit.get("artefacts", []):
        assert artefact["bytes"] > 0 and artefact["options"] and artefact["seed"] == 42


def test_figures_are_those_of_evaluate(out):
    exhibit = made(out, "table-negatives")
    data = {name: next((out / f"artefacts/{name}").glob("generated-*")) for name in ("FB15k-237", "WN18RR")}
    for row in exhibit["results"]:
        for protocol in ("filtered", "paper"):
            graph = data[row["dataset"].split()[0]]
            apart = run("evaluate", graph, "--model", row["ours"]["artefact"], "--protocol", protocol, "--json").json
            assert apart["both"]["realistic"]["mrr"] == pytest.approx(row["ours"][protocol]["mrr"])


def test_artefacts_are_shared_and_kept(out):
    made(out, "table-negatives")
    before = {p: p.stat().st_mtime_ns for p in (out / "artefacts").rglob("*.safetensors")}
    first = made(out, "table-pruning")
    after = {p: p.stat().st_mtime_ns for p in (out / "artefacts").rglob("*.safetensors")}
    assert {p: after[p] for p in before} == before
    again = made(out, "table-pruning")
    assert {p: p.stat().st_mtime_ns for p in (out / "artefacts").rglob("*.safetensors")} == after
    assert again["results"] == first["results"]
    rotate = [a["file"] for a in first["artefacts"] if a["kind"] == "embedding" and "dims = 62" in a["options"]]
    assert len(rotate) == 2  # one for each dataset, though five ways of pruning use it


def test_what_is_damaged_or_of_another_seed_is_made_again(out):
    first = made(out, "table-groups")
    embedding = next(a["file"] for a in first["artefacts"] if a["kind"] == "embedding")
    content = open(embedding, "rb").read()
    write(out / embedding, b"damaged")
    assert made(out, "table-groups")["tables"] == first["tables"]
    assert open(embedding, "rb").read() == content
    other = made(out, "table-groups", "--seed=7")
    assert embedding not in [a["file"] for a in other["artefacts"]]


def test_killed_at_any_moment_it_goes_on(out, tmp_path):
    whole = made(out, "table-negatives")
    args = [BIN, "reproduce", "table-negatives", *QUICK, "--out", str(tmp_path)]
    killed = 0
    for _ in range(6):
        process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=default_signals)
        time.sleep(0.08)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
    assert killed >= 2
    figures = [[row["ours"][protocol] for protocol in ("filtered", "paper")] for row in whole["results"]]
    again = made(tmp_path, "table-negatives")
    assert [[row["ours"][protocol] for protocol in ("filtered", "paper")] for row in again["results"]] == figures


def test_all_of_them_again_takes_nothing(out):
    done = run("reproduce", "all", *QUICK, "--out", out, "--json")
    assert done.code == 0, done.stderr
    assert [r["name"] for r in done.json] == NAMES


def test_data_that_are_not_there(tmp_path):
    facts = tsv(*[f"e{i % 20} r{i % 3} e{i * 7 % 13}" for i in range(90)])
    write(tmp_path / "data/wn18rr/train.txt", facts)
    done = run("reproduce", "table-datasets", "--data", tmp_path / "data", "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.stderr
    assert done.json[0]["missing"] == ["FB15k-237", "YAGO3-10", "ogbl-wikikg2"]
    for name in done.json[0]["missing"]:
        assert f"{name} is missing" in done.stderr
    text = (tmp_path / "out/table-datasets.md").read_text()
    assert "pip install ogb" in text and "ConvE" in text and "| WN18RR | counted | 20 | 3 |" in text


def test_wrong_usage(tmp_path):
    fails(2, "reproduce needs NAME", "reproduce")
    fails(2, "reproduce needs --out", "reproduce", "all", "--quick")
    fails(2, "needs --data", "reproduce", "table-groups", "--out", tmp_path / "out")
    fails(2, "is not a folder", "reproduce", "table-groups", "--data", tmp_path / "none", "--out", tmp_path / "out")
    fails(2, "did you mean table-groups", "reproduce", "table-group", "--quick", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()
