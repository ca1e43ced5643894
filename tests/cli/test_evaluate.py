"""evaluate, from outside: its ranks against predict's, and files of facts that the model has never seen."""

import collections
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


def shares(found, hidden):
    """Of proposals in their order, told by whether each is a hidden fact."""
    first = found[:hidden]
    precisions = [sum(found[: place + 1]) / (place + 1) for place, is_right in enumerate(found) if is_right]
    return {"r_precision": sum(first) / hidden, "average_precision": sum(precisions) / hidden, "recall": sum(found) / hidden}


def calibration_error(proposals, hidden):
    tenths = [[(p, fact in hidden) for fact, p in proposals if min(9, int(10 * p)) == tenth] for tenth in range(10)]
    return sum(abs(sum(p for p, _ in some) - sum(right for _, right in some)) for some in tenths) / len(proposals)


def second_values(proposals, hidden, known):
    """Of as many first proposals as are hidden, the share that are wrong and second for relations that have one value."""
    values = collections.defaultdict(set)
    for head, relation, tail in known | hidden:
        values[relation, head].add(tail)
    lengths = collections.defaultdict(list)
    for (relation, _), tails in values.items():
        lengths[relation].append(len(tails))
    filled = {(head, relation) for head, relation, _ in known}
    first = [fact for fact, _ in proposals[: len(hidden)]]
    wrong = [(h, r) for h, r, t in first if (h, r, t) not in hidden and lengths[r].count(1) >= 0.9 * len(lengths[r])]
    return sum(slot in filled for slot in wrong) / len(first)


def completed(model, out, *args):
    done = run("complete", "--model", model, "--top=20000", *args, "--out", out)
    assert done.code == 0, done.stderr
    lines = [line.split("\t") for line in out.read_text().splitlines()]
    return [(tuple(line[:3]), float(line[3])) for line in lines]


@pytest.mark.parametrize("kind", ["judging", "two_stage", "model"])
def test_completion_is_measured_on_what_complete_writes(kind, model, tmp_path, request):
    """The definitions, once more and from the files alone."""
    path = request.getfixturevalue(kind)
    proposals = completed(path, tmp_path / "new.tsv")
    hidden = set(facts_of(model, "test"))
    known = set(facts_of(model, "train") + facts_of(model, "valid"))
    report = evaluated(path, model.parent / "world", "--task=completion")
    assert (report["task"], report["split"], report["hidden"]) == ("completion", "test", len(hidden))
    assert report["proposals"] == len(proposals) and len(known & hidden) == 0
    found = [fact in hidden for fact, _ in proposals]
    expected = shares(found, len(hidden))
    for bound, name in ((0.9, "90"), (0.5, "50")):
        chosen = [is_right for is_right, (_, p) in zip(found, proposals) if p >= bound]
        assert report["n_" + name] == len(chosen)
        assert report["precision_" + name] == (pytest.approx(sum(chosen) / len(chosen)) if chosen else None)
    expected["calibration_error"] = calibration_error(proposals[: 2 * len(hidden)], hidden)
    expected["calibration_error_all"] = calibration_error(proposals, hidden)
    expected["second_values"] = second_values(proposals, hidden, known)
    assert {name: report[name] for name in expected} == pytest.approx(expected, abs=1e-5)
    assert sum(bin["candidates"] for bin in report["bins"]) == len(proposals)
    assert sum(bin["facts"] for bin in report["bins"]) == sum(found)
    assert [row["hidden"] for row in report["relations"]] == sorted((r["hidden"] for r in report["relations"]), reverse=True)
    assert sum(row["hidden"] for row in report["relations"]) == len(hidden)
    for row in report["relations"]:
        own = [is_right for is_right, (fact, _) in zip(found, proposals) if fact[1] == row["relation"]]
        wanted = sum(fact[1] == row["relation"] for fact in hidden)
        assert (row["hidden"], row["proposals"]) == (wanted, len(own))
        if wanted:
            assert {k: row[k] for k in shares(own, wanted)} == pytest.approx(shares(own, wanted), abs=1e-9)


def test_completion_for_people_and_any_number_of_threads(judging):
    folder = judging.parent / "world"
    one, two = (evaluated(judging, folder, "--task=completion", f"--threads={n}") for n in (1, 2))
    one.pop("seconds"), two.pop("seconds")
    assert one == two
    text = run("evaluate", folder, "--model", judging, "--task=completion").stdout
    assert f"{one['r_precision']:.3f}" in text and "lower bounds" in text and f"and {len(one['relations']) - 20} relations more" in text


def test_completion_of_other_files_and_of_some_heads(judging, model, tmp_path):
    """Facts of a file, in any order, and other splits, which are neither right nor wrong."""
    whole = evaluated(judging, model.parent / "world", "--task=completion")
    file = evaluated(judging, in_any_order(facts_of(model, "test"), tmp_path / "facts.tsv"), "--task=completion")
    assert file.pop("split") == "all" and whole.pop("split") == "test"
    file.pop("seconds"), whole.pop("seconds")
    assert file == whole
    test = facts_of(model, "test")
    parts = {"train": facts_of(model, "train"), "valid": test[::2], "test": test[1::2]}
    (tmp_path / "folder").mkdir()
    for name, facts in parts.items():
        in_any_order(facts, tmp_path / "folder" / f"{name}.txt")
    half = evaluated(judging, tmp_path / "folder", "--task=completion")
    proposals = completed(judging, tmp_path / "new.tsv")
    assert half["hidden"] == len(parts["test"])
    assert half["proposals"] == len(proposals) - sum(fact in set(parts["valid"]) for fact, _ in proposals)
    some = evaluated(judging, model.parent / "world", "--task=completion", "--sample-heads=400")
    assert some["sampled_heads"] == 400 and 0 < some["hidden"] < whole["hidden"] and 0 < some["r_precision"] <= 1


def test_completion_of_facts_that_the_model_knows(judging, model, tmp_path):
    folder = model.parent / "world"
    fails(2, r"judging\.gkgc knows all valid facts.*measured\.gkgc.*--final=false", "evaluate", folder, "--model", judging,
          "--task=completion", "--split=valid", "--quiet")
    some = in_any_order(facts_of(model, "test")[:20] + facts_of(model, "train")[:3], tmp_path / "some.tsv")
    done = run("evaluate", some, "--model", judging, "--task=completion", "--json")
    assert done.code == 0 and "knows 3 of the 23 facts" in done.stderr and done.json["hidden"] == 20
    fails(2, "only models can complete", "evaluate", folder, "--model", model.parent / "e.safetensors", "--task=completion", "--quiet")
    fails(2, "holds no facts", "evaluate", folder, "--model", model.parent / "bare.gkgc", "--task=completion", "--quiet")
    fails(2, "protocol is an option of the other task", "evaluate", folder, "--model", judging, "--task=completion", "--protocol=raw")
    fails(2, "sample_heads is an option of the other task", "evaluate", folder, "--model", judging, "--sample-heads=3")
