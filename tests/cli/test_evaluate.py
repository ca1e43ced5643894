"""evaluate, from outside: its ranks against predict's, and files of facts that the model has never seen."""

import json
import random

import pytest
from program import fails, run
from world_model import facts_of


def test_ranks_are_those_of_evaluate(model, tmp_path):
    """The mean reciprocal rank of the test facts, from all answers to their questions."""
    test = facts_of(model, "test")
    queries = tmp_path / "q.tsv"
    queries.write_text("".join(f"{h}\t{r}\t?\n?\t{r}\t{t}\n" for h, r, t in test))
    done = run("predict", "--model", model, "--queries", queries, "--top-k=0", "--json", timeout=300)
    assert done.code == 0, done.stderr
    total = 0
    for i, line in enumerate(done.stdout.splitlines()):
        head, relation, tail = test[i // 2]
        question = json.loads(line)
        right = tail if i % 2 == 0 else head
        others = {t for h, r, t in test if (h, r) == (head, relation)}
        if i % 2:
            others = {h for h, r, t in test if (r, t) == (relation, tail)}
        left = [a for a in question["answers"] if a["answer"] == right or a["answer"] not in others]
        (margin,) = [a["margin"] for a in left if a["answer"] == right]
        better = sum(a["margin"] > margin for a in left)
        equal = sum(a["margin"] == margin for a in left) - 1
        total += 1 / (better + 1 + equal / 2)
    report = run("evaluate", model.parent / "world", "--model", model, "--json").json
    assert 2 * len(test) == report["queries"] == i + 1
    assert total / report["queries"] == pytest.approx(report["both"]["realistic"]["mrr"], rel=1e-9)


def evaluated(model, data, *args):
    done = run("evaluate", data, "--model", model, *args, "--json")
    assert done.code == 0, done.stderr
    return done.json


def in_any_order(facts, path):
    facts = list(facts)
    random.Random(3).shuffle(facts)
    path.write_text("".join("\t".join(fact) + "\n" for fact in facts))
    return path


def test_any_file_of_facts_is_evaluated(model, tmp_path):
    """The model holds train and valid; with the test facts themselves, that is what the folder knows."""
    own = evaluated(model, model.parent / "world")
    facts = in_any_order(facts_of(model, "test"), tmp_path / "facts.tsv")
    other = evaluated(model, facts)
    assert other["split"] == "all" and other["queries"] == own["queries"] and "skipped" not in other
    for side in ("both", "head", "tail"):
        for metric, value in own[side]["realistic"].items():
            assert other[side]["realistic"][metric] == pytest.approx(value, rel=1e-9), (side, metric)
    assert {r["relation"]: r["both"]["queries"] for r in other["relations"]} == {
        r["relation"]: r["both"]["queries"] for r in own["relations"]
    }
    done = run("evaluate", facts, "--model", model)
    assert done.stdout.startswith("all facts of the file, filtered")
    part = in_any_order(facts_of(model, "test")[:5], tmp_path / "part.tsv")
    assert evaluated(model, part)["queries"] == 10
    reversed_folder = tmp_path / "folder"
    reversed_folder.mkdir()
    for split in ("train", "valid", "test"):
        in_any_order(facts_of(model, split), reversed_folder / f"{split}.txt")
    again = evaluated(model, reversed_folder)
    assert again["split"] == "test" and again["both"]["realistic"] == pytest.approx(own["both"]["realistic"], rel=1e-9)


def test_facts_that_the_model_holds_are_said_to_be(model, tmp_path):
    facts = in_any_order(facts_of(model, "train")[:30] + facts_of(model, "test")[:10], tmp_path / "facts.tsv")
    done = run("evaluate", facts, "--model", model, "--json")
    assert done.code == 0 and "trained on 30 of them" in done.stderr
    assert done.json["queries"] == 80
    bare = run("evaluate", facts, "--model", model.parent / "bare.gkgc")
    assert bare.code == 0 and "holds no facts" in bare.stderr
    fails(2, "needs training facts", "evaluate", facts, "--model", model.parent / "bare.gkgc", "--protocol=range")
    assert evaluated(model, facts, "--protocol=range")["protocol"] == "range"


def test_facts_with_unknown_labels(model, tmp_path):
    facts = facts_of(model, "test")[:6]
    lines = ["\t".join(fact) for fact in facts]
    lines[3:3] = ["Norwy\tborders\tSweden"]
    lines += ["Norway\tborders\tAtlantis", "Norway\tbordrs\tSweden"]
    path = tmp_path / "facts.tsv"
    path.write_text("".join(line + "\n" for line in lines))
    fails(
        2,
        r"facts\.tsv line 4: the model has no entity 'Norwy'; did you mean 'Norway'\? \(3 of 9 facts .*--skip-unknown",
        *["evaluate", path, "--model", model, "--quiet"],
    )
    found = evaluated(model, path, "--skip-unknown")
    assert found["skipped"] == 3 and found["queries"] == 12
    assert "except 3 facts with unknown labels" in run("evaluate", path, "--model", model, "--skip-unknown").stdout
    path.write_text("Norway\tbordrs\tSweden\n")
    for skip in ([], ["--skip-unknown"]):
        fails(2, "line 1: the model has no relation 'bordrs'", "evaluate", path, "--model", model, "--quiet", *skip)
    path.write_text("\n".join(lines[:3]) + "\n")
    fails(2, "all of its facts are ranked; leave out --split valid", "evaluate", path, "--model", model, "--split=valid", "--quiet")
