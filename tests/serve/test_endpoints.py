"""What each endpoint answers, against the command and the graph."""

import json
import random
import re
import subprocess

import pytest
from serving import BIN, command, known, models, service, serving  # noqa: F401


def test_predict_is_what_the_command_says(service, models):
    model = models / "two.gkgc"
    for parts in (
        {"head": "Norway", "relation": "borders"},
        {"relation": "capital", "tail": "Oslo"},
        {"head": "Japan", "tail": "Tokyo"},
    ):
        for include_known in (False, True):
            flags = [f"--{name}={label}" for name, label in parts.items()] + ["--include-known"] * include_known
            expected = command("predict", "--model", model, "--top-k=7", *flags)
            assert service.get("/v1/predict", k=7, include_known=include_known, **parts) == expected
    assert len(service.get("/v1/predict", head="Norway", relation="borders")["answers"]) == 10


def test_a_batch_is_its_questions_one_by_one(service, known):
    facts = random.Random(3).sample(sorted(known), 70)  # more than go at once
    questions = [{"head": h, "relation": r} for h, r, _ in facts[:50]]
    questions += [{"relation": r, "tail": t} for _, r, t in facts[50:60]]
    questions += [{"head": h, "relation": None, "tail": t} for h, _, t in facts[60:]]
    results = service.post("/v1/predict", {"questions": questions, "k": 3, "include_known": True})["results"]
    assert len(results) == 70
    for question, result in zip(questions, results):
        alone = {name: label for name, label in question.items() if label is not None}
        assert result == service.get("/v1/predict", k=3, include_known=True, **alone)


def test_histogram_counts_all_candidates(service):
    question = {"head": "Norway", "relation": "borders"}
    with_it = service.get("/v1/predict", histogram=9, k=4, **question)
    histogram = with_it.pop("histogram")
    assert with_it == service.get("/v1/predict", k=4, **question)
    every = service.get("/v1/predict", k=1000, include_known=True, histogram=1, **question)
    total = service.get("/v1/model")["entities"]
    assert sum(histogram["counts"]) == sum(every["histogram"]["counts"]) == total and len(histogram["counts"]) == 9
    assert histogram["high"] == every["answers"][0]["margin"]
    width = (histogram["high"] - histogram["low"]) / 9
    above = sum(answer["margin"] > histogram["high"] - width for answer in every["answers"])
    assert abs(histogram["counts"][-1] - above) <= 1  # at the edge of the bin


def test_score(service, known, models, tmp_path):
    facts = [*random.Random(4).sample(sorted(known), 40), ("Norway", "currency", "Oslo")]
    triples, out = tmp_path / "triples.tsv", tmp_path / "scores.jsonl"
    triples.write_text("".join("\t".join(fact) + "\n" for fact in facts))
    subprocess.run(
        [BIN, "score", "--model", models / "two.gkgc", triples, "--lines=jsonl", "--out", out], check=True, capture_output=True
    )
    expected = [json.loads(line) for line in out.read_text().splitlines()]
    body = {"facts": [dict(zip(("head", "relation", "tail"), fact)) for fact in facts]}
    results = service.post("/v1/score", body)["results"]
    for fact, result, by_command in zip(facts, results, expected):
        assert (result["head"], result["relation"], result["tail"]) == fact
        assert result["margin"] == pytest.approx(by_command["margin"], rel=1e-6)
        assert result["probability"] == pytest.approx(by_command["probability"], rel=1e-6)
        assert result["known"] == (fact in known)
    assert service.get("/v1/score", **body["facts"][3]) == results[3]


def test_explain_and_neighbors_are_what_the_command_says(service, models):
    fact = {"head": "Norway", "relation": "continent", "tail": "Europe"}
    flags = [f"--{name}={label}" for name, label in fact.items()]
    for name in ("two", "one"):
        expected = command("explain", "--model", models / f"{name}.gkgc", *flags, "--top-k=3")
        if name == "two":
            assert service.get("/v1/explain", most=3, **fact) == expected
        else:
            with serving(models / "one.gkgc") as other:
                assert other.get("/v1/explain", most=3, **fact) == expected
    plain = command("neighbors", "--model", models / "two.gkgc", "--entity=Norway", "--top-k=5")
    assert service.get("/v1/neighbors", entity="Norway", k=5) == plain
    own = command("neighbors", "--model", models / "two.gkgc", "--entity=Norway", "--relation=borders", "--top-k=5")
    assert service.get("/v1/neighbors", entity="Norway", relation="borders", k=5) == own


def test_search_against_all_labels(service):
    labels = [e["label"] for e in service.get("/v1/entities", limit=1000, match="substring")["entities"]]
    everything = service.get("/v1/entities", limit=1000)
    assert everything["truncated"] and service.get("/v1/model")["entities"] > 1000
    draw = random.Random(5)
    for _ in range(60):
        label = draw.choice(labels)
        begin = draw.randrange(len(label))
        text = label[begin : begin + draw.randint(1, 6)]
        text = draw.choice([text, text.upper(), text.lower()])
        if text.lower() != label[begin : begin + len(text)].lower():
            continue  # a letter whose cases are not of one length
        for match, fits in (("prefix", str.startswith), ("substring", str.__contains__)):
            found = service.get("/v1/entities", q=text, match=match, limit=1000)
            got = [entity["label"] for entity in found["entities"]]
            assert all(fits(one.lower(), text.lower()) for one in got)
            if not found["truncated"]:
                assert {one for one in labels if fits(one.lower(), text.lower())} <= set(got)
            if match == "prefix":
                assert got == sorted(got, key=str.encode)
            few = service.get("/v1/entities", q=text, match=match, limit=2)
            assert [entity["label"] for entity in few["entities"]] == got[:2] and few["truncated"] == (len(got) > 2)
    assert service.get("/v1/relations", q="CAPITAL") == {
        "relations": [{"label": "capital"}, {"label": "capital_of"}],
        "truncated": False,
    }
    assert service.get("/v1/entities", q="no such thing") == {"entities": [], "truncated": False}


def test_facts_around(service, known):
    for entity in ("Norway", "Oslo", "Europe"):
        heads = {fact for fact in known if fact[0] == entity}
        tails = {fact for fact in known if fact[2] == entity} - heads
        around = service.get("/v1/facts", entity=entity, limit=1000)
        facts = [(fact["head"], fact["relation"], fact["tail"]) for fact in around["facts"]]
        assert set(facts) == heads | tails and len(facts) == len(heads | tails) and not around["truncated"]
        assert (around["as_head"], around["as_tail"]) == (len(heads), len(tails))
        few = service.get("/v1/facts", entity=entity, limit=6)
        own = sum(fact["head"] == entity for fact in few["facts"])
        assert len(few["facts"]) == min(6, len(facts)) and few["truncated"] == (len(facts) > 6)
        assert own == min(len(heads), max(3, 6 - len(tails)))


def test_complete(service, models, tmp_path):
    out = tmp_path / "new.tsv"
    command("complete", "--model", models / "two.gkgc", "--relation=borders", "--top=60", "--out", out)
    rows = [line.split("\t") for line in out.read_text().splitlines()]
    for _ in range(2):  # the second time from memory
        facts = service.get("/v1/complete", relation="borders", k=60)["facts"]
        assert [(f["head"], f["relation"], f["tail"]) for f in facts] == [tuple(row[:3]) for row in rows]
    least = facts[20]["probability"]
    some = service.get("/v1/complete", relation="borders", min_probability=least, k=1000)["facts"]
    assert all(f["probability"] >= least for f in some) and some[:21] == facts[:21]
    answer = service.get("/v1/complete", relation="borders", k=1)
    # Its probabilities assume that each query has an answer, and nothing tells which queries are worth asking.
    assert answer["missing_share"] is None and answer["queries_left_out"] == 0 and "reason" not in answer["facts"][0]


@pytest.fixture(scope="module")
def judged(models):
    """A server with a model that judges each fact by trees."""
    run = models / "judged"
    flags = ["--dims=8", "--epochs=8", "--groups=1", "--decide.trees=20", "--decide.depth=3", "--rerank.trees=20", "--threads=2"]
    subprocess.run([BIN, "train", models / "data", *flags, "--out", run, "--quiet"], check=True, capture_output=True)
    with serving(run) as server:
        yield server, run / "model.gkgc"


def triples(facts):
    return [(fact["head"], fact["relation"], fact["tail"]) for fact in facts]


def test_complete_over_all_relations(judged, tmp_path):
    server, model = judged
    out = tmp_path / "new.tsv"
    expected = command("complete", "--model", model, "--top=80", "--max-queries=5000", "--out", out)
    answer = server.get("/v1/complete", k=80)
    assert answer["missing_share"] == expected["missing_share"] > 0
    assert triples(answer["facts"]) == [tuple(line.split("\t")[:3]) for line in out.read_text().splitlines()]
    assert len({fact["relation"] for fact in answer["facts"]}) > 3
    few = server.get("/v1/complete", max_queries=10)
    assert few["queries_left_out"] > 0 and len({(f["head"], f["relation"]) for f in few["facts"]}) <= 10
    assert len(server.get("/v1/complete", max_queries=10, max_per_query=1)["facts"]) <= 10


def test_complete_with_reasons(judged):
    server, _ = judged
    for fact in server.get("/v1/complete", k=30, reasons=True)["facts"]:
        parts = {name: fact[name] for name in ("head", "relation", "tail")}
        evidence = server.get("/v1/explain", **parts, most=1)["evidence"]
        assert fact["reason"] == (evidence[0]["sentence"] if evidence else None)
    with_and_without = [server.get("/v1/complete", k=30, reasons=reasons)["facts"] for reasons in (True, False)]
    assert [{k: v for k, v in f.items() if k != "reason"} for f in with_and_without[0]] == with_and_without[1]


def test_complete_with_filters(judged):
    server, _ = judged
    everything = server.get("/v1/complete", k=1000)["facts"]
    entity = everything[0]["head"]
    about = server.get("/v1/complete", entity=entity)
    assert about["entity"] == entity and about["facts"] and all(entity in (f["head"], f["tail"]) for f in about["facts"])
    assert triples(about["facts"])[0] == triples(everything)[0]
    african = {f["head"] for f in server.get("/v1/facts", entity="Africa", limit=1000)["facts"] if f["tail"] == "Africa"}
    some = server.get("/v1/complete", type="Africa")["facts"]
    assert some and all(f["head"] in african for f in some)
    for fact in server.get("/v1/complete", only_gaps=True, k=20)["facts"]:
        known = server.get("/v1/facts", entity=fact["head"], limit=1000)["facts"]
        assert not any((f["head"], f["relation"]) == (fact["head"], fact["relation"]) for f in known)
    for name in ("relation", "entity", "type"):
        assert "'Norwy'" in server.fails(404, "unknown_label", "GET", "/v1/complete", **{name: "Norwy"})


def test_a_model_without_facts(models):
    with serving(models / "bare.gkgc") as bare:
        assert "holds no facts" in bare.fails(422, "not_possible", "GET", "/v1/complete", relation="borders")
        assert bare.get("/v1/facts", entity="Norway")["facts"] == []
        assert not any(a["known"] for a in bare.get("/v1/predict", head="Norway", relation="borders", include_known=True)["answers"])
        assert bare.get("/v1/model")["facts"] == 0 and bare.get("/v1/model")["stages"] == 1


def test_model_card_with_the_metrics_of_its_run(service, models, tmp_path):
    card = service.get("/v1/model")
    assert card["file"] == "two.gkgc" and card["bytes"] == (models / "two.gkgc").stat().st_size
    assert card["stages"] == 2 and card["second_stage"]["labels"] == "valid" and card["metrics"] is None
    assert card["provenance"]["rerank.seed"] == "42" and card["generation"] >= 1
    model = tmp_path / "model.gkgc"
    model.write_bytes((models / "one.gkgc").read_bytes())
    for content, expected in (
        ('{"preset": "x", "metrics": [{"of": "m", "relations": [1]}]}', {"preset": "x", "metrics": [{"of": "m"}]}),
        ("{]", None),
        ('{"metrics": 3}', None),
    ):
        (tmp_path / "metrics.json").write_text(content)
        with serving(model) as other:
            assert other.get("/v1/model")["metrics"] == expected


def test_the_page_and_paths_that_are_none(service):
    status, headers, page = service.ask("GET", "/")
    assert status == 200 and headers["Content-Type"].startswith("text/html") and b"<html" in page
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["X-Frame-Options"] == "DENY"
    for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/assets/../../x", "/v1", "/v1/model/"):
        assert "/openapi.json" in service.fails(404, "no_such_path", "GET", path)
    status, headers, body = service.ask("HEAD", "/v1/model")
    assert status == 200 and int(headers["Content-Length"]) > 100 and body == b""


def test_unknown_labels_get_a_hint(service):
    hint = service.fails(404, "unknown_label", "GET", "/v1/predict", head="Norwy", relation="borders")
    assert "did you mean 'Norway'" in hint


def test_an_unknown_label_in_a_batch_is_an_error_of_its_query(service):
    good = [{"head": "Norway", "relation": "borders"}, {"relation": "capital", "tail": "Oslo"}]
    bad = [{"head": "Norway", "relation": "bordrs"}, {"head": "Norwy", "relation": "borders"}]
    # Errors at the beginning, in the middle and at the end, in more than one part of the batch.
    questions = [bad[0], *good, bad[1], *good * 40, bad[0]]
    results = service.post("/v1/predict", {"questions": questions, "k": 2})["results"]
    assert len(results) == len(questions)
    for question, result in zip(questions, results):
        if question in bad:
            assert set(result) == {"error"} and result["error"]["code"] == "unknown_label"
        else:
            assert result == service.get("/v1/predict", k=2, **question)
    assert "the model has no relation 'bordrs'; did you mean 'borders'" in results[0]["error"]["message"]
    assert "the model has no entity 'Norwy'" in results[3]["error"]["message"]
    fact = {"head": "Norway", "relation": "borders", "tail": "Sweden"}
    first, second = service.post("/v1/score", {"facts": [{**fact, "tail": "Swden"}, fact]})["results"]
    assert first["error"]["code"] == "unknown_label" and second == service.get("/v1/score", **fact)
    alone = service.post("/v1/score", {"facts": [{**fact, "head": "nobody"}]})["results"]
    assert [set(one) for one in alone] == [{"error"}]


def test_the_interface_as_a_page(service):
    status, headers, page = service.ask("GET", "/docs")
    assert status == 200 and headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    text = page.decode()
    document = service.get("/openapi.json")
    for path, methods in document["paths"].items():
        assert f"<code>{path}</code>" in text
        for operation in methods.values():
            assert f'id="{operation["operationId"]}"' in text
    for name in document["components"]["schemas"]:
        assert f'id="schema-{name}"' in text
    # It works by itself: no scripts, and every link within it leads somewhere.
    assert "<script" not in text and not re.search(r'(?:src|href)="(?:https?:)?//', text)
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r'id="([^"]+)"', text))


def test_post_without_a_body_needs_no_length(service):
    """As `curl -X POST` sends it."""
    request = b"POST /v1/admin/reload HTTP/1.1\r\nHost: localhost\r\n\r\n"
    received = service.raw(request + request)
    assert received.count(b"HTTP/1.1 200 OK") == 2 and received.count(b'"generation"') == 2


def test_a_run_folder_is_a_model(models, tmp_path):
    (tmp_path / "model.gkgc").write_bytes((models / "one.gkgc").read_bytes())
    with serving(tmp_path) as running:
        assert running.get("/v1/model")["file"] == "model.gkgc"
        (tmp_path / "model.gkgc").unlink()
        (tmp_path / "model.gkgc").write_bytes((models / "two.gkgc").read_bytes())
        assert running.post("/v1/admin/reload", "")["generation"] == 2
        assert running.get("/v1/model")["stages"] == 2


def test_keep_alive_and_requests_sent_ahead(service):
    connection = service.connection()
    for _ in range(3):
        status, headers, _ = service.ask("GET", "/healthz", connection=connection)
        assert status == 200 and "Connection" not in headers
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    last = b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    received = service.raw(request + request + last)
    assert received.count(b"HTTP/1.1 200 OK") == 3 and received.count(b"Connection: close") == 1
