"""greenkgc rerank, and what evaluate and predict make of it, from outside."""

import json

import pytest
from program import fails, run, tsv, write

FIRST = [
    *["--dims=4", "--epochs=6", "--valid-every=3", "--embed.negatives=64", "--embed.valid-sample=100", "--groups=1"],
    *["--decide.trees=5", "--decide.depth=3", "--negatives-per-side=4", "--evaluate-every=5", "--mrr-every=5"],
    *["--decide.valid-sample=100", "--threads=1", "--second-stage=no"],
]
SMALL = ["--trees=20", "--depth=4", "--min-child-weight=3", "--lambda=1", "--rate=0.3", "--max-questions=300"]


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rerank")
    done = run("train", "world", *FIRST, "--out", folder / "run")
    assert done.code == 0, done.stderr
    return folder / "run/model.gkgc"


@pytest.mark.parametrize("labels", ["valid", "heldout"])
def test_rerank_then_evaluate_and_predict(first, tmp_path, labels):
    out = tmp_path / "run/two.gkgc"
    done = run("rerank", "world", "--model", first, *SMALL, f"--labels={labels}", "--out", out, "--json")
    assert done.code == 0, done.stderr
    assert done.json["labels"] == labels and done.json["links"] is True
    assert done.json["questions"] == 300 and 0 < done.json["recall"] <= 1
    assert done.json["bytes"] == out.stat().st_size
    assert (done.json["valid_mrr"] is None) == (labels == "valid")
    events = {json.loads(line)["event"] for line in (tmp_path / "run/log.jsonl").read_text().splitlines()}
    assert {"rerank.point", "rerank.done"} <= events
    assert sorted(p.name for p in out.parent.iterdir()) == ["log.jsonl", "two.gkgc"]

    def mrr(model, *more):
        report = run("evaluate", "world", "--model", model, *more, "--json").json
        return report["both"]["realistic"]["mrr"], report.get("second_stage")

    assert mrr(first)[1] is None
    for protocol in ("filtered", "raw", "range", "paper"):
        assert mrr(out, "--protocol", protocol)[1] == {"labels": labels, "links": True}
    assert mrr(out)[0] > mrr(first)[0]
    words = "second stage trained on: validation facts; " if labels == "valid" else "second stage trained on: held-out training facts; "
    assert words + "link features: yes" in run("evaluate", "world", "--model", out).stdout

    ask = ["predict", "--model", out, "--head", "Norway", "--relation", "borders", "--json"]
    answers = run(*ask).json
    assert answers and run(*ask, "--threads=1").json == answers


def tensors(path):
    """Sizes and bytes of the tensors of a safetensors file."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    return {name: (tensor["shape"], data[start + tensor["data_offsets"][0]:start + tensor["data_offsets"][1]])
            for name, tensor in header.items() if name != "__metadata__"}


def test_parameters_count_the_second_stage(first, tmp_path):
    model = tmp_path / "two.gkgc"
    assert run("rerank", "world", "--model", first, *SMALL, "--labels=valid", "--out", model).code == 0

    def size(path):
        return run("evaluate", "world", "--model", path, "--sample=10", "--json").json["model"]

    stored = tensors(model)
    splits, leaves = (stored[f"second.trees.{name}"][0][0] for name in ("features", "values"))
    lengths = stored["second.rules.lengths"][1]
    steps = stored["second.walks.weights"][0][0]
    one, two = size(first), size(model)
    assert one["second_stage_parameters"] == 0
    assert two["second_stage_parameters"] == 2 * splits + leaves + sum(lengths) + 2 * len(lengths) + steps
    assert splits > 0 and len(lengths) > 0 and steps > 0
    assert two["parameters"] == one["parameters"] + two["second_stage_parameters"]
    assert "second stage " in run("evaluate", "world", "--model", model, "--sample=10").stdout


def test_complete_goes_by_both_stages(first, tmp_path):
    """Exact mode, against the answers to all questions for tails that are within a list."""
    model, out, queries = (tmp_path / name for name in ("two.gkgc", "new.tsv", "q.tsv"))
    assert run("rerank", "world", "--model", first, *SMALL, "--labels=valid", "--list-size=30", "--first-best=15", "--out", model).code == 0
    args = ["complete", "--model", model, "--relation=continent", "--top=40", "--out", out]
    assert run(*args, "--exact").code == 0
    found = [line.split("\t") for line in out.read_text().splitlines()]
    assert len(found) == 40
    heads = sorted({row[0] for row in found})
    queries.write_text("".join(f"{head}\tcontinent\t?\n" for head in heads))
    answers = run("predict", "--model", model, "--queries", queries, "--top-k=30").stdout.splitlines()
    probability = {(row[0], row[2]): row[4] for row in (line.split("\t") for line in answers)}
    assert all(probability[(head, tail)] == p for head, _, tail, p in found)
    assert [float(row[3]) for row in found] == sorted((float(row[3]) for row in found), reverse=True)
    exact = out.read_text()
    assert run(*args, "--exact", "--threads=2").code == 0 and out.read_text() == exact
    assert run(*args).code == 0
    known_heads = {row.split("\t")[0] for row in out.read_text().splitlines()}
    assert known_heads and "Europe" not in known_heads  # no continent has a continent


def test_the_held_out_run_can_be_kept_and_used_again(first, tmp_path):
    args = ["rerank", "world", "--model", first, *SMALL, "--heldout", tmp_path / "h"]
    assert run(*args, "--out", tmp_path / "a.gkgc").code == 0
    made = (tmp_path / "h/model.gkgc").stat().st_mtime_ns
    assert run(*args, "--out", tmp_path / "b.gkgc").code == 0
    assert (tmp_path / "h/model.gkgc").stat().st_mtime_ns == made
    assert (tmp_path / "a.gkgc").read_bytes() == (tmp_path / "b.gkgc").read_bytes()


@pytest.mark.parametrize(
    "facts",
    [
        [f"e{i} next e{(i + 1) % 60}" for i in range(60)],  # a ring
        [f"hub has e{i}" for i in range(60)] + [f"e{i} in hub" for i in range(60)],
        [f"u{i} likes i{(i * j) % 7}" for i in range(30) for j in range(1, 4)],
        [f"e{i % 20} r{i} e{(i * 7) % 20}" for i in range(200)],
    ],
)
def test_odd_graphs(facts, tmp_path):
    data = write(tmp_path / "g.tsv", tsv(*dict.fromkeys(facts)))
    assert run("train", data, *FIRST, "--out", tmp_path / "run").code == 0
    first = tmp_path / "run/model.gkgc"
    for labels in ("valid", "heldout"):
        done = run("rerank", data, "--model", first, *SMALL, f"--labels={labels}", "--out", tmp_path / "two.gkgc")
        if done.code != 0:
            refusal = "there are no valid facts" if labels == "valid" else "no training fact can be held out"
            assert done.code == 2 and refusal in done.stderr, done.stderr
            continue
        assert run("evaluate", data, "--model", tmp_path / "two.gkgc").code == 0


def test_refusals(first, people, tmp_path):
    out = tmp_path / "two.gkgc"
    rerank = ["rerank", "world", "--out", out]
    fails(2, "--first-best 100 is more than --list-size 50", *rerank, "--model", first, "--list-size=50")
    fails(2, "trained on other data", "rerank", people, "--model", first, "--out", out)
    fails(2, "first-stage model", "rerank", "world", "--model", first, "--out", first)
    fails(2, "format|model", *rerank, "--model", first.parent / "embeddings.safetensors")
    assert not out.exists()
