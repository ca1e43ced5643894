"""Whole trainings on graphs that are unlike the benchmarks: they end, and their model answers."""

import random

import pytest
from program import run

QUICK = ["--embed.dims=4", "--embed.epochs=2", "--rerank.trees=10", "--rerank.max-questions=300"]


def one_relation(draw):
    return [(f"e{draw.randrange(120)}", "r", f"e{draw.randrange(120)}") for _ in range(900)]


def star(draw):
    return [("hub", "r", f"leaf{i}") for i in range(900)]


def chain(draw):
    return [(f"e{i}", "next", f"e{i + 1}") for i in range(900)]


def bipartite(draw):
    """Users and items, the relation from one kind to the other alone."""
    return [(f"user{draw.randrange(150)}", "likes", f"item{int(60 * draw.random() ** 2)}") for _ in range(1500)]


def no_shared_attributes(draw):
    """Pairs that touch nothing else."""
    return [(f"a{i}", f"r{i % 3}", f"b{i}") for i in range(900)]


def thousand_relations(draw):
    return [(f"e{draw.randrange(200)}", f"r{i % 1000}", f"e{draw.randrange(200)}") for i in range(4000)]


def duplicates(draw):
    facts = one_relation(draw)
    return facts[:300] + facts[300:] * 8


def loops(draw):
    return [(f"e{i % 60}", f"r{i % 4}", f"e{i % 60}") for i in range(600)] + one_relation(draw)


def hub(draw):
    """Most facts are of one entity, with many relations to others that have little else."""
    facts = [("hub", f"r{i % 5}", f"e{i}") for i in range(3000)]
    return facts + [(f"e{draw.randrange(3000)}", "near", f"e{draw.randrange(3000)}") for _ in range(300)]


@pytest.mark.parametrize(
    "make", [one_relation, star, chain, bipartite, no_shared_attributes, thousand_relations, duplicates, loops, hub],
    ids=lambda make: make.__name__)
def test_train_evaluate_and_ask(tmp_path, make):
    facts = make(random.Random(7))
    data = tmp_path / "graph.tsv"
    data.write_text("".join("\t".join(fact) + "\n" for fact in facts))
    done = run("train", data, "--out", tmp_path / "run", *QUICK, "--quiet", "--json")
    assert done.code == 0, done.stderr
    # Where every fact is an entity's only one, none can be held out to learn from, nor to ask for.
    alone = make in (star, no_shared_attributes)
    assert ("rerank" in [stage["name"] for stage in done.json["stages"]]) == (not alone)
    if alone:
        assert any("the only one of an entity" in note for note in done.json["notes"])
    else:
        mrr = {(m["of"], m["split"]): m["mrr"] for m in done.json["metrics"]}
        assert 0 < mrr["model.gkgc", "test"] <= 1
    model = tmp_path / "run/model.gkgc"
    head, relation, tail = facts[0]
    answers = run("predict", "--model", model, "--head", head, "--relation", relation, "--top-k=5", "--json")
    assert answers.code == 0, answers.stderr
    answers = run("predict", "--model", model, "--tail", tail, "--relation", relation, "--top-k=5", "--json")
    assert answers.code == 0, answers.stderr
    found = run("complete", "--model", model, "--top=20", "--out", tmp_path / "new.tsv", "--quiet")
    assert found.code == 0, found.stderr
    explained = run("explain", "--model", model, "--head", head, "--relation", relation, "--tail", tail)
    assert explained.code == 0, explained.stderr
