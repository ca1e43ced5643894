"""predict, neighbors, explain and complete, from outside."""

import gzip
import json
import random

import pytest
from program import fails, run

SMALL = ["--trees=20", "--depth=4", "--negatives-per-side=4", "--evaluate-every=20", "--mrr-every=20"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A small model of world, with facts and without them."""
    folder = tmp_path_factory.mktemp("answers")
    data, embedding, features = folder / "world", folder / "e.safetensors", folder / "f.safetensors"
    assert run("convert", "world", "--out", folder / "world.tsv").code == 0
    lines = (folder / "world.tsv").read_text().splitlines(keepends=True)
    data.mkdir()
    for split, places in (("train", range(18)), ("valid", [18]), ("test", [19])):
        (data / f"{split}.txt").write_text("".join(line for i, line in enumerate(lines) if i % 20 in places))
    embed = ["--dims=16", "--negatives=512", "--batch=512", "--margin=6", "--rate=0.3", "--epochs=6", "--valid-every=6"]
    assert run("embed", data, "--model=rotate", *embed, "--out", embedding).code == 0
    assert run("prune", data, "--embeddings", embedding, "--groups=2", "--keep-dims=8", "--out", features).code == 0
    for name, with_facts in (("m.gkgc", "true"), ("bare.gkgc", "false")):
        args = ["--features", features, *SMALL, f"--with-facts={with_facts}", "--out", folder / name]
        assert run("decide", data, *args).code == 0
    return folder / "m.gkgc"


def facts_of(model, split):
    lines = (model.parent / "world" / f"{split}.txt").read_text().splitlines()
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
    report = run("evaluate", model.parent / "world", "--model", model, "--json").json
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
        (["--queries=q.tsv", "--head=Norway"], "takes the queries from a file"),
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
        (b"Norway\tborders\tSweden\n", "line 1: .*in one column, but has it in 0"),
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


def test_answers_before_a_wrong_line_are_given(model, tmp_path):
    queries = tmp_path / "q.tsv"
    queries.write_text("Norway\tborders\t?\nNorway\tcontinent\t?\nNorway\n")
    done = fails(2, "q.tsv: line 3: ", "predict", "--model", model, "--queries", queries, "--top-k=1")
    assert [line.split("\t")[:2] for line in done.stdout.splitlines()] == [["Norway", "borders"], ["Norway", "continent"]]


def test_what_is_no_model(model, tmp_path):
    fails(2, "nowhere", "predict", "--model", tmp_path / "nowhere.gkgc", "--head=Norway", "--relation=borders")
    fails(2, "e.safetensors", "predict", "--model", model.parent / "e.safetensors", "--head=a", "--relation=b")
    fails(2, "predict needs --model", "predict", "--head=Norway", "--relation=borders")


def test_neighbors(model):
    done = run("neighbors", "--model", model, "--entity=Norway", "--top-k=7", "--json").json
    cosines = [n["cosine"] for n in done["neighbors"]]
    assert len(cosines) == 7 and cosines == sorted(cosines, reverse=True) and -1 <= cosines[-1] <= cosines[0] <= 1
    assert "Norway" not in [n["entity"] for n in done["neighbors"]]
    back = run("neighbors", "--model", model, "--entity", done["neighbors"][0]["entity"], "--top-k=5000", "--json").json
    assert len(back["neighbors"]) == 2904
    (cosine,) = [n["cosine"] for n in back["neighbors"] if n["entity"] == "Norway"]
    assert cosine == pytest.approx(cosines[0], rel=1e-12)
    own = run("neighbors", "--model", model, "--entity=Norway", "--relation=borders", "--top-k=7", "--json").json
    assert own["relation"] == "borders" and own["neighbors"] != done["neighbors"]
    assert len(run("neighbors", "--model", model, "--entity=Norway").stdout.splitlines()) == 11


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


@pytest.fixture(scope="module")
def two_stage(model):
    """The small model with a second stage, which reads its evidence from train."""
    out = model.parent / "two.gkgc"
    small = ["--trees=20", "--depth=4", "--min-child-weight=3", "--lambda=1", "--rate=0.3", "--max-questions=300"]
    done = run("rerank", model.parent / "world", "--model", model, *small, "--labels=valid", "--out", out)
    assert done.code == 0, done.stderr
    return out


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


def rows_of(path):
    return [line.split("\t") for line in path.read_text().splitlines()]


def test_complete(model, tmp_path):
    known = set(facts_of(model, "train")) | set(facts_of(model, "valid"))
    out = tmp_path / "run/new.tsv"
    done = run("complete", "--model", model, "--relation=borders,capital", "--top=300", "--out", out, "--json")
    assert done.code == 0, done.stderr
    rows = rows_of(out)
    assert done.json["facts"] == len(rows) == 300 and not done.json["exact"]
    assert not {tuple(row[:3]) for row in rows} & known and {row[1] for row in rows} <= {"borders", "capital"}
    probabilities = [float(row[3]) for row in rows]
    assert probabilities == sorted(probabilities, reverse=True)
    for place, ends in ((0, {}), (2, {})):
        for fact in known:
            ends.setdefault(fact[1], set()).add(fact[place])
        assert all(row[place] in ends[row[1]] for row in rows)
    again = tmp_path / "again.tsv"
    args = ["--relation=capital,borders", "--top=300", "--threads=1", "--out", again]
    assert run("complete", "--model", model, *args).code == 0
    assert again.read_bytes() == out.read_bytes()


def test_complete_is_predict_over_all_heads(model, tmp_path):
    """Exact mode, against the best answers to all questions for tails."""
    out, queries = tmp_path / "new.tsv", tmp_path / "q.tsv"
    assert run("complete", "--model", model, "--relation=continent", "--top=50", "--exact", "--out", out).code == 0
    entities = sorted({e for split in ("train", "valid", "test") for h, _, t in facts_of(model, split) for e in (h, t)})
    queries.write_text("".join(f"{e}\tcontinent\t?\n" for e in entities))
    answers = run("predict", "--model", model, "--queries", queries, "--top-k=50").stdout
    rows = [line.split("\t") for line in answers.splitlines()]
    best = sorted((-float(row[5]), row[4]) for row in rows)[:50]
    assert [row[3] for row in rows_of(out)] == [probability for _, probability in best]


def test_complete_stops_at_a_probability(model, tmp_path):
    out = tmp_path / "new.tsv"
    assert run("complete", "--model", model, "--out", out).code == 0
    rows = rows_of(out)
    assert len(rows) == 1000
    at = float(rows[100][3]) + 1e-6  # above what was rounded to six digits
    expected = [row for row in rows if float(row[3]) >= at]
    assert run("complete", "--model", model, f"--min-probability={at}", "--out", out).code == 0
    assert rows_of(out) == expected
    done = run("complete", "--model", model, "--min-probability=1", "--out", out)
    assert done.code == 0 and out.read_text() == "" and "no missing fact" in done.stdout


def test_complete_as_n_triples(model, tmp_path):
    out, table = tmp_path / "new.nt.gz", tmp_path / "new.tsv"
    assert run("complete", "--model", model, "--top=40", "--out", out).code == 0
    assert run("complete", "--model", model, "--top=40", "--out", table).code == 0
    back = tmp_path / "back.tsv"
    assert run("convert", out, "--out", back).code == 0
    assert rows_of(back) == [row[:3] for row in rows_of(table)]


@pytest.mark.parametrize(
    "args, complaint",
    [
        (["complete"], "complete needs --out"),
        (["complete", "--out=new.ttl"], "must end in .tsv or .nt"),
        (["complete", "--out=new.tsv", "--relation=bordrs"], "did you mean 'borders'"),
        (["complete", "--out=new.tsv", "--min-probability=1.5"], "--min-probability"),
        (["complete", "--out=new.tsv", "--top=0"], "--top"),
        (["neighbors"], "neighbors needs --entity"),
        (["neighbors", "--entity=Norwy"], "did you mean 'Norway'"),
        (["neighbors", "--entity=Norway", "--relation=bordrs"], "did you mean 'borders'"),
        (["neighbors", "--entity=Norway", "--top-k=0"], "--top-k"),
        (["explain", "--head=Norway", "--relation=borders"], "explain needs --tail"),
        (["explain", "--head=Norway", "--relation=borders", "--tail=Swedn"], "did you mean 'Sweden'"),
    ],
)
def test_wrong_usage(model, args, complaint):
    fails(2, complaint, *args, "--model", model)


def test_complete_needs_facts(model, tmp_path):
    out = tmp_path / "new.tsv"
    fails(2, "holds no facts.*--with-facts", "complete", "--model", model.parent / "bare.gkgc", "--out", out)
    assert not out.exists()


def test_hints_say_the_same_word_before_similar_letters(model):
    fails(2, "no entity 'USA'; did you mean 'United States'\\?", "predict", "--model", model, "--head=USA", "--relation=borders")
    done = run("predict", "--model", model, "--head=the united states of america", "--relation=borders")
    assert done.code == 2 and "did you mean 'United States'" in done.stderr
    fails(2, "no entity 'qqq'$", "predict", "--model", model, "--head=qqq", "--relation=borders")


def test_known_answers_that_are_left_out_are_counted(model, tmp_path):
    known = {(h, r, t) for split in ("train", "valid") for h, r, t in facts_of(model, split)}
    (head, relation), tails = next(
        (pair, sorted(t for h, r, t in known if (h, r) == pair))
        for pair in sorted({(h, r) for h, r, _ in known})
        if len([1 for h, r, _ in known if (h, r) == pair]) > 4
    )
    question = ["--model", model, "--head", head, "--relation", relation]
    assert run("predict", *question, "--json").json["known_left_out"] == len(tails)
    assert run("predict", *question, "--json", "--include-known").json["known_left_out"] == 0
    last = run("predict", *question).stdout.splitlines()[-1]
    assert last.startswith(f"{len(tails)} known answers are not shown: ") and f" and {len(tails) - 3} more; " in last
    assert sum(name in tails for name in last.split(": ", 1)[1].split(" and ")[0].split(", ")) == 3
    assert "not shown" not in run("predict", *question, "--include-known").stdout

    h, r, t = next(fact for fact in sorted(known) if sum(f[:2] == fact[:2] for f in known) == 1)
    last = run("predict", "--model", model, "--head", h, "--relation", r).stdout.splitlines()[-1]
    assert last == f"1 known answer is not shown: {t}; --include-known shows it"
    relations = run("predict", "--model", model, "--head", h, "--tail", t, "--json").json
    assert relations["known_left_out"] == len({b for a, b, c in known if (a, c) == (h, t)})

    queries = tmp_path / "q.tsv"
    queries.write_text(f"{h}\t{r}\t?\n?\t{r}\t{t}\n")
    lines = run("predict", "--model", model, "--queries", queries, "--json").stdout.splitlines()
    assert [json.loads(line)["known_left_out"] for line in lines] == [1, len({a for a, b, c in known if (b, c) == (r, t)})]
    bare = run("predict", "--model", model.parent / "bare.gkgc", "--head", h, "--relation", r, "--json")
    assert bare.json["known_left_out"] == 0


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
