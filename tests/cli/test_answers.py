"""predict, neighbors, explain and complete, from outside."""

import gzip
import json
import random

import pytest
from conftest import fails, run

SMALL = ["--trees=20", "--depth=4", "--negatives-per-side=4", "--evaluate-every=20", "--mrr-every=20"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A small model of world, with facts and without them."""
    folder = tmp_path_factory.mktemp("answers")
    embedding, features = folder / "e.safetensors", folder / "f.safetensors"
    embed = ["--dims=16", "--negatives=512", "--batch=512", "--margin=6", "--rate=0.3", "--epochs=6", "--valid-every=6"]
    assert run("embed", "world", "--model=rotate", *embed, "--out", embedding).code == 0
    assert run("prune", "world", "--embeddings", embedding, "--groups=2", "--keep-dims=8", "--out", features).code == 0
    for name, with_facts in (("m.gkgc", "true"), ("bare.gkgc", "false")):
        args = ["--features", features, *SMALL, "--with-facts", with_facts, "--out", folder / name]
        assert run("decide", "world", *args).code == 0
    assert run("convert", "world", "--out", folder / "world", "--to=tsv").code == 0
    return folder / "m.gkgc"


def facts_of(model, split):
    lines = (model.parent / "world" / f"{split}.tsv").read_text().splitlines()
    return [tuple(line.split("\t")) for line in lines]


def asked(model, *args):
    done = run("predict", "--model", model, *args, "--json")
    assert done.code == 0, done.stderr
    return done.json["answers"]


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
    report = run("evaluate", "world", "--model", model, "--json").json
    assert 2 * len(test) == report["queries"] == i + 1
    assert total / report["queries"] == pytest.approx(report["both"]["realistic"]["mrr"], rel=1e-9)


def test_known_answers(model):
    known = set(facts_of(model, "train")) | set(facts_of(model, "valid"))
    marked = asked(model, "--head=Norway", "--relation=borders", "--top-k=0", "--include-known")
    assert {a["answer"] for a in marked if a["known"]} == {t for h, r, t in known if (h, r) == ("Norway", "borders")}
    rest = asked(model, "--head=Norway", "--relation=borders", "--top-k=0")
    assert rest == [a for a in marked if not a["known"]]
    heads = asked(model, "--relation=capital", "--tail=Oslo", "--top-k=3", "--include-known")
    assert len(heads) == 3
    relations = asked(model, "--head=Norway", "--tail=Sweden", "--top-k=0", "--include-known")
    assert [a["probability"] for a in relations] == sorted((a["probability"] for a in relations), reverse=True)
    assert {a["answer"] for a in relations if a["known"]} == {r for h, r, t in known if (h, t) == ("Norway", "Sweden")}
    table = run("predict", "--model", model, "--head=Norway", "--relation=borders", "--include-known").stdout
    assert len(table.splitlines()) == 11 and "probability" in table and "known" in table


def test_a_model_without_facts(model):
    done = run("predict", "--model", model.parent / "bare.gkgc", "--head=Norway", "--relation=borders", "--top-k=3")
    assert done.code == 0 and len(done.stdout.splitlines()) == 4
    assert done.stderr.count("\n") == 1 and "cannot be left out" in done.stderr


def test_query_files(model, tmp_path):
    lines = [f"{h}\t{r}\t?\n" for h, r, _ in facts_of(model, "train")[:1500]]
    random.Random(1).shuffle(lines)
    lines.insert(3, "Norway\t?\tSweden\n")
    plain, packed = tmp_path / "q.tsv", tmp_path / "q.tsv.gz"
    plain.write_text("".join(lines))
    packed.write_bytes(gzip.compress("".join(lines).encode()))
    done = run("predict", "--model", model, "--queries", plain, "--top-k=2")
    assert done.code == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert all(len(row) == 7 and row[6] == "0" for row in rows)
    assert [row[3] for row in rows] == ["1", "2"] * len(lines)
    assert [tuple(row[:2]) for row in rows[:6:2]] == [tuple(line.split("\t")[:2]) for line in lines[:3]]
    assert run("predict", "--model", model, "--queries", packed, "--top-k=2", "--threads=1").stdout == done.stdout
    single = asked(model, "--head=Norway", "--tail=Sweden", "--top-k=2")
    assert [rows[6][1], rows[7][1]] == [a["answer"] for a in single]


@pytest.mark.parametrize(
    "args, complaint",
    [
        (["--head=Norway"], "two of --head, --relation and --tail, not 1"),
        (["--head=Norway", "--relation=borders", "--tail=Sweden"], "not 3"),
        (["--head=Norwy", "--relation=borders"], "no entity 'Norwy'; did you mean 'Norway'"),
        (["--head=Norway", "--relation=border"], "no relation 'border'; did you mean 'borders'"),
        (["--head=Norway", "--relation=borders", "--top-k=-1"], "--top-k"),
        (["--queries=q.tsv", "--head=Norway"], "questions of its own"),
        (["--queries=q.tsv", "--json=x.json"], "--json without a file"),
        (["--queries=nowhere.tsv"], "nowhere.tsv"),
    ],
)
def test_wrong_questions(model, args, complaint):
    fails(2, complaint, "predict", "--model", model, *args)


@pytest.mark.parametrize(
    "text, complaint",
    [
        (b"Norway\tborders\t?\nNorway\tborders\n", "q.tsv: line 2: .*2 fields"),
        (b"Norway\tborders\tSweden\n", "line 1: .*in one place, but has it in 0"),
        (b"?\t?\tSweden\n", "in 2"),
        (b"Norge\tborders\t?\n", "line 1: the model has no entity 'Norge'"),
        (b"Norway\tborders\t?\t1\n", "4 fields"),
        (b"Nor\xffway\tborders\t?\n", "line 1: the model has no entity"),
        (b"\0\tborders\t?\n", "NUL"),
        (b"\x1f\x8b\x08\x00garbage", "q.tsv"),
    ],
)
def test_bad_query_files(model, tmp_path, text, complaint):
    queries = tmp_path / "q.tsv"
    queries.write_bytes(text)
    fails(2, complaint, "predict", "--model", model, "--queries", queries)


def test_what_is_no_model(model, tmp_path):
    fails(2, "nowhere", "predict", "--model", tmp_path / "nowhere.gkgc", "--head=Norway", "--relation=borders")
    fails(2, "e.safetensors", "predict", "--model", model.parent / "e.safetensors", "--head=a", "--relation=b")
    fails(2, "predict needs --model", "predict", "--head=Norway", "--relation=borders")
