"""Facts that are known to be false: where they are read from, and that they are never proposed."""

import shutil

import pytest
from program import fails, run, write
from test_train import TINY

TRAINED = [*TINY, "--quiet"]


def lines_of(path):
    return [tuple(line.split("\t")[:3]) for line in path.read_text().splitlines()]


def proposals(model, out):
    done = run("complete", "--model", model, "--top", "400", "--out", out)
    assert done.code == 0, done.stderr
    return lines_of(out)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("negatives") / "world"
    assert run("convert", "world", "--seed", "1", "--valid-share", "0.05", "--test-share", "0.05", "--out", folder).code == 0
    return folder


@pytest.fixture(scope="module")
def unwarned(data):
    """A model that was told of nothing false, and what it proposes."""
    out = data.parent / "unwarned"
    assert run("train", data, *TRAINED, "--final=false", "--out", out).code == 0
    return proposals(out / "model.gkgc", data.parent / "unwarned.tsv")


def test_files_of_the_option_are_never_proposed(data, unwarned, tmp_path):
    false = unwarned[:5]
    listed = write(tmp_path / "false.tsv", "".join("\t".join(fact) + "\t0.9\trejected\n" for fact in false) + "no\tsuch\tfact\n")
    done = run("train", data, *TINY, "--final=false", "--negatives", listed, "--out", tmp_path / "run")
    assert done.code == 0, done.stderr
    assert "false.tsv: 1 fact skipped" in done.stderr
    model = tmp_path / "run/model.gkgc"
    proposed = proposals(model, tmp_path / "new.tsv")
    assert proposed and not set(proposed) & set(false)

    head, relation, tail = false[0]
    answers = run("predict", "--model", model, "--head", head, "--relation", relation, "--json").json["answers"]
    assert tail not in [answer["answer"] for answer in answers]
    everything = run("predict", "--model", model, "--head", head, "--relation", relation, "--top-k", "4000", "--include-known", "--json")
    assert tail in [answer["answer"] for answer in everything.json["answers"]]
    why = run("explain", "--model", model, "--head", head, "--relation", relation, "--tail", tail, "--json").json
    assert "the data say that it is false" in why["against"]


def test_a_folder_and_a_single_file_bring_theirs(data, unwarned, tmp_path):
    false = unwarned[:3]
    text = "".join("\t".join(fact) + "\n" for fact in false)
    folder = tmp_path / "world"
    shutil.copytree(data, folder)
    write(folder / "train_negatives.txt", text)
    assert run("train", folder, *TRAINED, "--final=false", "--out", tmp_path / "run").code == 0
    assert not set(proposals(tmp_path / "run/model.gkgc", tmp_path / "new.tsv")) & set(false)

    write(tmp_path / "one.tsv", "".join((data / f"{split}.txt").read_text() for split in ("train", "valid")))
    write(tmp_path / "one_negatives.tsv", text)
    assert "one_negatives.tsv: 3 negatives" in run("stats", tmp_path / "one.tsv").stdout
    assert run("train", tmp_path / "one.tsv", *TRAINED, "--out", tmp_path / "single").code == 0
    assert not set(proposals(tmp_path / "single/model.gkgc", tmp_path / "single.tsv")) & set(false)


def test_the_final_model_holds_those_of_test_too(data, unwarned, tmp_path):
    folder = tmp_path / "world"
    shutil.copytree(data, folder)
    assert run("train", folder, *TRAINED, "--out", tmp_path / "run").code == 0
    before = proposals(tmp_path / "run/model.gkgc", tmp_path / "new.tsv")
    false = before[:3]
    write(folder / "test_negatives.txt", "".join("\t".join(fact) + "\n" for fact in false))
    done = run("train", folder, *TINY, "--out", tmp_path / "run", "--resume")
    assert done.code == 0, done.stderr
    assert "rerank: already finished" in done.stderr and "final: already finished" not in done.stderr
    assert not set(proposals(tmp_path / "run/model.gkgc", tmp_path / "again.tsv")) & set(false)


def test_rdf_and_bad_lines(data, unwarned, tmp_path):
    model = data.parent / "unwarned/model.gkgc"
    excluded = write(tmp_path / "false.tsv", "a\tb\n")
    fails(2, r"false.tsv: line 1: must be head, relation and tail, separated by tabs, but has 2 columns",
          "complete", "--model", model, "--exclude", excluded, "--out", tmp_path / "new.tsv")
    fails(2, r"missing.tsv", "train", data, *TRAINED, "--negatives", tmp_path / "missing.tsv", "--out", tmp_path / "run")
    rdf = tmp_path / "new.nt"
    assert run("complete", "--model", model, "--top", "4", "--out", rdf).code == 0
    done = run("complete", "--model", model, "--top", "400", "--exclude", rdf, "--out", tmp_path / "rest.tsv")
    assert done.code == 0, done.stderr
    assert not set(lines_of(tmp_path / "rest.tsv")) & set(unwarned[:4])
