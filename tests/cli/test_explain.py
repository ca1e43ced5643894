"""explain, from outside: its parts, its evidence and the known facts that it names."""

import random

import pytest
from program import run
from world_model import asked, facts_of


def test_explain(model):
    known = set(facts_of(model, "train")) | set(facts_of(model, "valid"))
    answers = asked(model, "--head=Norway", "--relation=borders", "--top-k=0")
    for answer in answers[:3] + answers[-2:]:
        args = ["--head=Norway", "--relation=borders", "--tail", answer["answer"]]
        done = run("explain", "--model", model, *args, "--json")
        assert done.code == 0, done.stderr
        why = done.json
        assert why["margin"] == pytest.approx(answer["margin"], abs=1e-5) and not why["known"]
        assert why["probability"] == pytest.approx(answer["probability"], abs=1e-5)
        assert why["tail_rank"] == pytest.approx(answers.index(answer) + 1, abs=20)  # ties
        parts = [*why["base"].values(), why["trees_expected"], *why["sides"].values()]
        assert sum(parts) == pytest.approx(why["margin"], abs=1e-4)
        assert sum(d["total"] for d in why["dimensions"]) == pytest.approx(sum(why["sides"].values()))
        for fact in why["support"]:
            assert (fact["head"], fact["relation"], fact["tail"]) in known
    fact = ["--head=Norway", "--relation=continent", "--tail=Europe"]
    table = run("explain", "--model", model, *fact).stdout
    assert "rank " in table and "Parts of the score" in table and "Known facts" in table


def flags(fact):
    return [f"--{part}={label}" for part, label in zip(("head", "relation", "tail"), fact)]


def explained(model, *fact):
    done = run("explain", "--model", model, *flags(fact), "--top-k=9", "--json")
    assert done.code == 0 and not done.stderr, done.stderr
    return done.json


def triple(fact):
    return fact["head"], fact["relation"], fact["tail"]


def recounted(piece, known, head, relation, tail):
    """Of others that share the first fact with the head (mirror: the tail), who have an answer; who have this one."""
    own, place = (head, 0) if piece["kind"] == "attribute" else (tail, 2)
    shared = triple(piece["facts"][0])
    at = 0 if shared[0] == own else 2
    assert shared[at] == own
    others = {f[at] for f in known if f[1] == shared[1] and f[2 - at] == shared[2 - at]} - {own}
    answering = {f[place] for f in known if f[1] == relation} & others
    right = {f[place] for f in known if f[1] == relation and f[2 - place] == (head, tail)[place == 0]} & others
    return len(right), len(answering)


def test_explain_by_evidence(two_stage):
    train = facts_of(two_stage, "train")
    kinds = set()
    for fact in random.Random(1).sample(train, 12) + facts_of(two_stage, "test")[:4]:
        why = explained(two_stage, *fact)
        known = set(train) - {fact}
        confidences = [piece["confidence"] for piece in why["evidence"]]
        assert confidences == sorted(confidences, reverse=True)
        for piece in why["evidence"]:
            kinds.add(piece["kind"])
            assert {triple(f) for f in piece["facts"]} <= known
            assert piece["confidence"] == pytest.approx(piece["holds"] / (piece["of"] + 5))
            assert piece["sentence"].startswith(f"{piece['holds']:,} of {piece['of']:,} other")
            if piece["kind"] == "path":
                ends = [e for f in piece["facts"] for e in (f["head"], f["tail"])]
                assert fact[0] in ends[:2] and fact[2] in ends[-2:]
                assert all(" ".join(triple(f)) in piece["sentence"] for f in piece["facts"])
            else:
                assert (piece["holds"], piece["of"]) == recounted(piece, known, *fact)
                assert triple(piece["facts"][0])[1] in piece["sentence"]
        answering = {h for h, r, _ in known if r == fact[1]} - {fact[0]}
        right = {h for h, r, t in known if (r, t) == fact[1:]} - {fact[0]}
        assert why["base_rate"].startswith(f"{len(right):,} of {len(answering):,} other")
        assert all({triple(f) for f in (r["evidence"] or {"facts": []})["facts"]} <= known for r in why["rivals"])
        above = [rival for rival in why["rivals"] if rival["margin"] > why["margin"]]
        assert len(above) <= min(3, why["tail_rank"] - 1)
        assert len(why["rivals"]) == max(1, len(above)) and len(why["against"]) >= len(why["rivals"])
    assert kinds == {"path", "attribute", "mirror"}
    one_thread = run("explain", "--model", two_stage, *flags(fact), "--top-k=9", "--threads=1", "--json")
    assert one_thread.json == why


def test_explain_agrees_with_predict_and_the_first_stage(model, two_stage):
    answers = asked(two_stage, "--head=Norway", "--relation=borders", "--top-k=0")
    for place in (0, 3, 2000):
        fact = ("Norway", "borders", answers[place]["answer"])
        why = explained(two_stage, *fact)
        assert why["margin"] == answers[place]["margin"] and why["probability"] == answers[place]["probability"]
        assert why["tail_rank"] == pytest.approx(place + 1, abs=20)  # ties
        assert [r["tail"] for r in why["rivals"]][:place] == [a["answer"] for a in answers[: min(place, 3)]]
        first = explained(model, *fact)
        assert "evidence" not in first and "first_stage" not in first
        assert all(first[key] == value for key, value in why["first_stage"].items())


def test_explain_what_nothing_speaks_for(two_stage):
    why = explained(two_stage, "Norway", "currency", "Oslo")
    assert why["evidence"] == [] and why["base_rate"].startswith("0 of ")
    assert why["against"][0].startswith("no rule and no property") and len(why["rivals"]) == 3
    assert "Norway currency Norwegian krone is already known" in why["against"][1]
    assert all("ranks above it" in sentence for sentence in why["against"][2:])
    known = run("explain", "--model", two_stage, "--head=Norway", "--relation=continent", "--tail=Europe", "--top-k=2")
    assert known.code == 0 and not known.stderr
    parts = ["Evidence for it, by confidence", "Evidence against it", "First stage alone", "Parts of the score"]
    assert sorted(parts, key=known.stdout.index) == parts
    evidence = known.stdout[known.stdout.index("Evidence for it") : known.stdout.index("Evidence against it")]
    assert evidence.count("\n  0.") == 2 and "with a known continent have Europe" in evidence
