"""predict, neighbors and complete, from outside."""

import gzip
import json
import random

import pytest
from program import fails, run
from world_model import asked, facts_of


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


def test_complete_leaves_out_excluded_facts(model, tmp_path):
    """Of files of several forms; facts that are not proposed make room for others."""
    out, rest = tmp_path / "new.tsv", tmp_path / "rest.tsv"
    args = ["complete", "--model", model, "--relation=borders,capital"]
    assert run(*args, "--top=60", "--out", out).code == 0
    lines = out.read_text().splitlines(keepends=True)
    plain, packed = tmp_path / "a.tsv", tmp_path / "b.tsv.gz"
    plain.write_text("".join(lines[:10]) + "\nnowhere\tborders\tNorway\n")
    packed.write_bytes(gzip.compress("".join(lines[10:20]).encode()))
    done = run(*args, "--top=40", "--exclude", f"{plain},{packed}", "--out", rest)
    assert done.code == 0 and "a.tsv: 1 fact skipped, because the graph does not have all" in done.stderr
    assert rest.read_text() == "".join(lines[20:])
    plain.write_text(lines[0] + "Norway\tborders\n")
    fails(2, "a.tsv: line 2: must be head, relation and tail", *args, "--exclude", plain, "--out", tmp_path / "no.tsv")
    fails(2, "absent.tsv", *args, "--exclude=absent.tsv", "--out", tmp_path / "no.tsv")
    assert not (tmp_path / "no.tsv").exists()


@pytest.mark.parametrize("kind", ["model", "two_stage", "judging"])
def test_complete_asks_for_gaps_and_keeps_a_few_of_each_query(kind, request, tmp_path):
    model, out = request.getfixturevalue(kind), tmp_path / "new.tsv"
    known = set(facts_of(model, "train")) | set(facts_of(model, "valid"))
    args = ["complete", "--model", model, "--relation=borders,official_language", "--top=100000", "--out", out, "--json"]
    done = run(*args, "--only-gaps")
    assert done.code == 0 and done.json["only_gaps"], done.stderr
    filled = {tuple(row[:2]) for row in rows_of(out)}
    assert filled and not filled & {(h, r) for h, r, _ in known}
    for name in ("--max-per-query=2", "--max-per-question=2"):
        assert run(*args, name).code == 0
        few = [tuple(row[:2]) for row in rows_of(out)]
        assert max(few.count(query) for query in set(few)) == 2
    assert not set(few) <= filled  # all queries again


def test_complete_assumes_a_missing_share(model, judging, tmp_path):
    """Where trees judge facts, odds follow those of the share; elsewhere there is none."""
    out, more = tmp_path / "new.tsv", tmp_path / "more.tsv"
    args = ["complete", "--relation=continent", "--top=100000", "--json", "--out"]
    done = run(*args, out, "--model", model)
    assert done.code == 0 and done.json["missing_share"] is None
    fails(2, "missing_share applies to models that judge each fact by trees", *args, more, "--model", model, "--missing-share=0.3")
    fails(2, "--missing-share", *args, more, "--model", judging, "--missing-share=1")
    trained = run(*args, out, "--model", judging).json["missing_share"]
    assert 0 < trained < 0.3
    done = run(*args, more, "--model", judging, "--missing-share=0.3")
    assert done.json["missing_share"] == 0.3
    table = run("complete", "--model", judging, "--relation=continent", "--missing-share=0.3", "--out", more).stdout
    assert "assume that 30.0% of all true facts are missing" in table
    before = {tuple(row[:3]): float(row[3]) for row in rows_of(out)}
    factor = 0.3 / 0.7 / (trained / (1 - trained))
    compared = 0
    for *fact, p in rows_of(more):
        if tuple(fact) in before:
            odds = before[tuple(fact)] / (1 - before[tuple(fact)]) * factor
            assert float(p) == pytest.approx(odds / (1 + odds), rel=1e-4)
            compared += 1
    assert compared > 20


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


def test_a_fact_has_one_probability_however_it_is_asked_for(judging, tmp_path):
    new, triples = tmp_path / "new.tsv", tmp_path / "triples.tsv"
    assert run("complete", "--model", judging, "--top=400", "--out", new).code == 0
    facts = [line.split("\t") for line in new.read_text().splitlines()]
    chosen = facts[:3] + facts[-3:]
    triples.write_text("".join("\t".join(fact[:3]) + "\n" for fact in chosen))
    scored = run("score", "--model", judging, triples, "--lines=jsonl", "--out=-").stdout.splitlines()
    for (head, relation, tail, completed), line in zip(chosen, scored):
        parts = {"head": head, "relation": relation, "tail": tail}
        expected = json.loads(line)["probability"]
        assert float(completed) == pytest.approx(expected, rel=1e-5)
        explained = run("explain", "--model", judging, *(f"--{k}={v}" for k, v in parts.items()), "--json").json
        assert explained["probability"] == expected
        for asked in parts:
            given = [f"--{k}={v}" for k, v in parts.items() if k != asked]
            answers = run("predict", "--model", judging, *given, "--top-k=1000", "--json").json["answers"]
            (found,) = [a["probability"] for a in answers if a["answer"] == parts[asked]]
            assert found == expected, (asked, parts)
