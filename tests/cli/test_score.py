"""greenkgc score, and the probabilities that decide leaves and evaluate checks, from outside."""

import gzip
import json
import math
import subprocess

import pytest
from program import BIN, environment, fails, run, write

metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn (scripts/setup.sh) is not here")
SMALL = ["--trees=30", "--depth=4", "--negatives-per-side=4", "--evaluate-every=0"]


def learn(folder, data, name, *args):
    """A model of the data."""
    embedding, features, out = folder / "e.safetensors", folder / "f.safetensors", folder / name
    if not features.exists():
        embed = ["--dims=8", "--negatives=256", "--batch=256", "--epochs=10", "--valid-every=10"]
        assert run("embed", data, "--model=rotate", *embed, "--out", embedding).code == 0
        prune = ["--groups=2", "--keep-dims=4"]
        assert run("prune", data, "--embeddings", embedding, *prune, "--out", features).code == 0
    done = run("decide", data, "--features", features, *SMALL, *args, "--out", out)
    assert done.code == 0, done.stderr
    return out


def lines_of(folder, name):
    return [tuple(line.split("\t")) for line in (folder / name).read_text().splitlines()]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """The embedded graph as a folder with false facts, as CoDEx has them, and a model of it."""
    folder = tmp_path_factory.mktemp("score")
    assert run("convert", "world", "--out", folder / "all").code == 0
    facts = lines_of(folder / "all", "train.txt")
    known = set(facts)
    parts = {"valid": facts[3::16], "test": facts[11::16]}
    parts["train"] = [f for i, f in enumerate(facts) if i % 16 not in (3, 11)]
    for split, own in parts.items():
        write(folder / f"data/{split}.txt", "".join("\t".join(f) + "\n" for f in own))
    for split in ("valid", "test"):
        facts = lines_of(folder / "data", f"{split}.txt")
        tails = [t for _, _, t in facts[1:] + facts[:1]]
        false = [(h, r, t) for (h, r, _), t in zip(facts, tails) if (h, r, t) not in known]
        write(folder / f"data/{split}_negatives.txt", "".join("\t".join(f) + "\n" for f in false))
    learn(folder, folder / "data", "m.gkgc")
    return folder


@pytest.fixture(scope="module")
def labelled(world):
    """Test facts and false ones, labelled."""
    facts = lines_of(world / "data", "test.txt")
    false = lines_of(world / "data", "test_negatives.txt")
    rows = [(*f, "1") for f in facts] + [(*f, "-1" if i % 2 else "0") for i, f in enumerate(false)]
    return write(world / "labelled.tsv", "".join("\t".join(r) + "\n" for r in rows))


def test_lines_and_figures(world, labelled):
    done = run("score", "--model", world / "m.gkgc", labelled, "--json")
    assert done.code == 0, done.stderr
    report = json.loads(done.stderr[done.stderr.index("{") :])
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    given = [line.split("\t") for line in labelled.read_text().splitlines()]
    assert [r[:3] for r in rows] == [g[:3] for g in given]
    p = [float(r[3]) for r in rows]
    y = [int(g[3] == "1") for g in given]
    assert all(0 < x < 1 for x in p) and report["scored"] == len(rows) and report["thresholds"] == "0.5"
    decided = [x >= 0.5 for x in p]
    found = report["metrics"]
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, decided))
    assert found["f1"] == pytest.approx(metrics.f1_score(y, decided, zero_division=0))
    assert found["precision"] == pytest.approx(metrics.precision_score(y, decided, zero_division=0))
    assert found["recall"] == pytest.approx(metrics.recall_score(y, decided))
    assert found["auc_roc"] == pytest.approx(metrics.roc_auc_score(y, p), abs=1e-6)
    assert found["auc_pr"] == pytest.approx(metrics.average_precision_score(y, p), abs=1e-6)
    assert found["log_loss"] == pytest.approx(metrics.log_loss(y, p), abs=1e-5)
    assert found["brier"] == pytest.approx(metrics.brier_score_loss(y, p), abs=1e-6)
    assert found["auc_roc"] > 0.6


def test_any_threads_sources_and_forms(world, labelled, tmp_path):
    model = ["--model", world / "m.gkgc"]
    plain = run("score", *model, labelled, "--threads=1").stdout
    packed = tmp_path / "l.tsv.gz"
    packed.write_bytes(gzip.compress(labelled.read_bytes()))
    assert run("score", *model, packed, "--threads=3").stdout == plain
    piped = [BIN, "score", *map(str, model), "-", "--quiet"]
    done = subprocess.run(piped, input=labelled.read_bytes(), capture_output=True, env=environment())
    assert done.stdout.decode() == plain
    out = tmp_path / "out/p.jsonl.gz"
    done = run("score", *model, labelled, "--lines=jsonl", "--out", out)
    assert done.code == 0 and "threshold 0.5" in done.stdout
    rows = [json.loads(line) for line in gzip.decompress(out.read_bytes()).splitlines()]
    for row, line in zip(rows, plain.splitlines()):
        head, relation, tail, p = line.split("\t")
        assert (row["head"], row["relation"], row["tail"]) == (head, relation, tail)
        assert row["probability"] == pytest.approx(float(p)) and row["label"] in (0, 1)


def test_triple_classification(world, labelled):
    done = run("score", "--model", world / "m.gkgc", "--data", world / "data", "--json")
    assert done.code == 0, done.stderr
    report = done.json
    rows = run("score", "--model", world / "m.gkgc", labelled, "--lines=jsonl").stdout.splitlines()
    rows = [json.loads(row) for row in rows]
    thresholds = {r["relation"]: r["threshold"] for r in report["relations"]}
    right = 0
    for row in rows:
        threshold = thresholds[row["relation"]]
        if threshold:
            right += (row["margin"] >= threshold["margin"]) == row["label"]
        else:
            right += (row["probability"] >= report["threshold_probability"]) == row["label"]
    assert report["test"]["accuracy"] == pytest.approx(right / len(rows))
    assert sum(r["test"]["triples"] for r in report["relations"]) == report["test"]["triples"] == len(rows)
    assert report["valid"]["accuracy"] > 0.6 and report["test"]["accuracy"] > 0.55
    # The same thresholds serve a file.
    done = run("score", "--model", world / "m.gkgc", labelled, "--data", world / "data", "--out", "/dev/null", "--json")
    assert done.json["metrics"]["accuracy"] == report["test"]["accuracy"] and done.json["thresholds"] == "valid"
    table = run("score", "--model", world / "m.gkgc", "--data", world / "data").stdout
    assert "triple classification" in table and "accuracy" in table


def test_prior_shifts_all_log_odds_by_one_amount(world, labelled):
    model = ["score", "--model", world / "m.gkgc"]
    plain = [json.loads(row) for row in run(*model, labelled, "--lines=jsonl").stdout.splitlines()]
    done = run(*model, labelled, "--lines=jsonl", "--prior=0.5", "--json")
    assert done.code == 0, done.stderr
    report = json.loads(done.stderr[done.stderr.index("{\n") :])
    rows = [json.loads(row) for row in done.stdout.splitlines()]
    p, y = [row["probability"] for row in rows], [row["label"] for row in rows]
    assert sum(p) / len(p) == pytest.approx(0.5, abs=1e-9) and report["prior"] == 0.5

    def log_odds(row):
        return math.log(row["probability"] / (1 - row["probability"]))

    assert [(r["head"], r["margin"]) for r in rows] == [(r["head"], r["margin"]) for r in plain]
    amounts = [log_odds(row) - log_odds(before) for row, before in zip(rows, plain)]
    assert max(amounts) - min(amounts) < 1e-6 and amounts[0] > 0.1
    found = report["metrics"]
    assert found["accuracy"] == pytest.approx(metrics.accuracy_score(y, [x >= 0.5 for x in p]))
    assert found["log_loss"] == pytest.approx(metrics.log_loss(y, p), abs=1e-6)
    assert found["brier"] == pytest.approx(metrics.brier_score_loss(y, p), abs=1e-9)
    before = run(*model, labelled, "--json", "--out=/dev/null").json["metrics"]
    assert found["log_loss"] < before["log_loss"] and found["auc_roc"] == pytest.approx(before["auc_roc"])


def test_prior_of_lines_without_labels_and_of_triple_classification(world, labelled, tmp_path):
    model = ["score", "--model", world / "m.gkgc"]
    lines = ["\t".join(line.split("\t")[:3]) + "\n" for line in labelled.read_text().splitlines()]
    bare = write(tmp_path / "bare.tsv", "".join(lines))
    rows = [float(line.split("\t")[3]) for line in run(*model, bare, "--prior=0.02").stdout.splitlines()]
    assert len(rows) == len(lines) and sum(rows) / len(rows) == pytest.approx(0.02, abs=1e-6)
    assert run(*model, write(tmp_path / "empty.tsv", ""), "--prior=0.5").stdout == ""
    plain = run(*model, "--data", world / "data", "--json").json
    shifted = run(*model, "--data", world / "data", "--prior=0.5", "--json").json
    of_file = run(*model, labelled, "--prior=0.5", "--json", "--out=/dev/null").json["metrics"]
    assert plain["prior"] is None and shifted["prior"] == 0.5
    for name in ("log_loss", "brier"):
        assert shifted["test"][name] == pytest.approx(of_file[name]) and shifted["test"][name] < plain["test"][name]
    assert shifted["test"]["accuracy"] == plain["test"]["accuracy"]
    by_valid = run(*model, labelled, "--data", world / "data", "--prior=0.5", "--json", "--out=/dev/null").json
    assert by_valid["metrics"]["accuracy"] == plain["test"]["accuracy"]
    for prior in ("1", "-0.1", "nan"):
        fails(2, "--prior", *model, bare, f"--prior={prior}")


def with_negatives(model, data):
    """The data of a shared model, with false facts for valid and test."""
    for split in ("train", "valid", "test"):
        facts = (model.parent / "world" / f"{split}.txt").read_text()
        write(data / f"{split}.txt", facts)
        rows = [tuple(line.split("\t")) for line in facts.splitlines()]
        tails = [t for _, _, t in rows[1:] + rows[:1]]
        false = [f"{h}\t{r}\t{t}\n" for (h, r, own), t in zip(rows, tails) if t not in (own, h)]
        if split != "train":
            write(data / f"{split}_negatives.txt", "".join(false))
    return data


def test_thresholds_of_two_stages_are_on_their_own_curve(two_stage, tmp_path):
    """The probability of a threshold lies between those of the lines whose scores enclose it."""
    data = with_negatives(two_stage, tmp_path / "data")
    report = run("score", "--model", two_stage, "--data", data, "--json").json
    both = write(tmp_path / "both.tsv", (data / "test.txt").read_text() + (data / "test_negatives.txt").read_text())
    rows = [json.loads(row) for row in run("score", "--model", two_stage, both, "--lines=jsonl").stdout.splitlines()]
    thresholds = {r["relation"]: r["threshold"] for r in report["relations"] if r["threshold"]}
    assert thresholds
    for row in rows:
        threshold = thresholds.get(row["relation"])
        if threshold and row["margin"] >= threshold["margin"]:
            assert row["probability"] >= threshold["probability"] - 1e-9
        elif threshold:
            assert row["probability"] <= threshold["probability"] + 1e-9


def test_triple_classification_where_trees_judge_facts(judging, tmp_path):
    """Each relation weighs score and probability; others have the weights that relations have on average."""
    data = with_negatives(judging, tmp_path / "data")
    done = run("score", "--model", judging, "--data", data, "--json")
    assert done.code == 0, done.stderr
    report = done.json
    assert report["threshold_probability"] is None
    lines = [f"{line}\t1\n" for line in (data / "test.txt").read_text().splitlines()]
    lines += [f"{line}\t0\n" for line in (data / "test_negatives.txt").read_text().splitlines()]
    given = write(tmp_path / "all.tsv", "".join(lines))
    rows = [json.loads(row) for row in run("score", "--model", judging, given, "--lines=jsonl").stdout.splitlines()]
    own = {r["relation"]: r["threshold"]["weights"] if r["threshold"] else report["weights"] for r in report["relations"]}
    right = 0
    for row in rows:
        weights, p = own[row["relation"]], row["probability"]
        value = weights["offset"] + weights["score"] * row["margin"] + weights["log_odds"] * math.log(p / (1 - p))
        right += (value >= 0) == row["label"]
    assert report["test"]["accuracy"] == pytest.approx(right / len(rows))
    assert report["test"]["accuracy"] > 0.6
    at_half = run("score", "--model", judging, given, "--json", "--out=/dev/null").json["metrics"]
    assert report["test"]["accuracy"] > at_half["accuracy"]
    assert "weights of score and probability" in run("score", "--model", judging, "--data", data).stdout


def test_bad_lines_and_unknown_labels(world, tmp_path):
    head, relation, tail = lines_of(world / "data", "test.txt")[0]
    good = f"{head}\t{relation}\t{tail}"
    model = ["score", "--model", world / "m.gkgc"]
    for lines, complaint in [
        (f"{good}\n\n{head}\t{relation}\n", "line 3: must be head, relation and tail"),
        (f"{good}\t1\t1\n", "line 1: has more than 4 columns"),
        (f"{good}\t2\n", "line 1: the label must be 1, 0 or -1, not .2."),
        (f"{good}\nnowhere\t{relation}\t{tail}\n", "line 2: the model does not know the entity .nowhere."),
        (f"{head}\tisnt\t{tail}\n", "does not know the relation"),
        (b"a\0b\n", "NUL"),
    ]:
        path = write(tmp_path / "bad.tsv", lines)
        fails(2, f"bad.tsv.*{complaint}", *model, path, "--out", tmp_path / "out.tsv")
        assert not (tmp_path / "out.tsv").exists()
    path = write(tmp_path / "some.tsv", f"{good}\nnowhere\t{relation}\t{tail}\n{good}\n")
    done = run(*model, path, "--skip-unknown", "--json", "--out", tmp_path / "out.tsv")
    assert done.json["scored"] == 2 and done.json["skipped"] == 1 and done.json["metrics"] is None
    assert len((tmp_path / "out.tsv").read_text().splitlines()) == 2
    assert run(*model, write(tmp_path / "empty.tsv", "")).stdout == ""
    fails(2, "score needs TRIPLES", *model)
    fails(2, "absent.tsv", *model, tmp_path / "absent.tsv")
    fails(2, "valid_negatives", *model, "--data", "world")


def test_calibration_makes_probabilities_true(world):
    """Isotonic and Platt's curves are near the truth, and far nearer than the logistic function."""
    error = {}
    for method in ("auto", "isotonic", "platt", "none"):
        out = learn(world, world / "data", f"{method}.gkgc", f"--calibration={method}")
        done = run("evaluate", world / "data", "--model", out, "--json")
        assert done.code == 0 and "MB of memory" in done.stderr
        report = done.json["calibration"]
        error[method] = report["top_10"]["expected_calibration_error"]
        for name in ("top_10", "all"):
            bins = report[name]["bins"]
            assert len(bins) == 13 and sum(b["candidates"] for b in bins) == report[name]["candidates"]
            weighed = sum(b["candidates"] * abs(b["predicted"] - b["observed"]) for b in bins)
            expected = report[name]["expected_calibration_error"]
            assert weighed / report[name]["candidates"] == pytest.approx(expected, abs=1e-9)
        model = done.json["model"]
        assert model["bytes"] == out.stat().st_size
        parts = [model[f"{part}_parameters"] for part in ("entity", "relation", "tree")]
        assert model["parameters"] == sum(parts) and min(parts) > 0
    assert max(error["auto"], error["isotonic"], error["platt"]) < 0.05 < error["none"]


def test_isotonic_curve_is_that_of_scikit_learn(tmp_path):
    """Over every candidate of every question that a valid fact answers."""
    isotonic = pytest.importorskip("sklearn.isotonic")
    names = [f"e{i}" for i in range(40)]
    facts = [(names[a], f"plus{b}", names[(a * b + b) % 40]) for a in range(40) for b in range(1, 6)]
    valid = facts[::4]
    train = [f for f in facts if f not in valid]
    for name, part in (("train", train), ("valid", valid)):
        write(tmp_path / f"data/{name}.txt", "".join("\t".join(f) + "\n" for f in part))
    args = ["--calibration=isotonic", "--base-margin=false"]
    embedding, features, out = tmp_path / "e.safetensors", tmp_path / "f.safetensors", tmp_path / "m.gkgc"
    embed = ["--dims=4", "--epochs=20", "--n3=0.0134", "--init-scale=0.001"]
    assert run("embed", tmp_path / "data", *embed, "--out", embedding).code == 0
    prune = ["--groups=1", "--keep-dims=4", "--out", features]
    assert run("prune", tmp_path / "data", "--embeddings", embedding, *prune).code == 0
    assert run("decide", tmp_path / "data", "--features", features, *SMALL, *args, "--out", out).code == 0

    candidates = [(h, r, t) for h, r in sorted({f[:2] for f in valid}) for t in names]
    candidates += [(h, r, t) for r, t in sorted({f[1:] for f in valid}) for h in names]
    candidates = [c for c in candidates if c not in set(train)]
    path = write(tmp_path / "all.tsv", "".join("\t".join(c) + "\n" for c in candidates))
    rows = [json.loads(line) for line in run("score", "--model", out, path, "--lines=jsonl").stdout.splitlines()]
    margins = [row["margin"] for row in rows]
    truths = [c in set(valid) for c in candidates]
    expected = isotonic.IsotonicRegression().fit(margins, truths).predict(margins)
    compared = [(row["probability"], e) for row, e, true in zip(rows, expected, truths) if true and 0 < e < 1]
    assert len(compared) > 50 and len({e for _, e in compared}) > 3
    for ours, theirs in compared:
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_without_validation_facts_it_says_so(tmp_path):
    facts = "".join(f"e{a}\tnext\te{(a + 1) % 9}\n" for a in range(9))
    write(tmp_path / "data/train.txt", facts)
    write(tmp_path / "data/test.txt", "e1\tnext\te3\n")
    embedding, features, out = tmp_path / "e.safetensors", tmp_path / "f.safetensors", tmp_path / "m.gkgc"
    assert run("embed", tmp_path / "data", "--dims=4", "--epochs=2", "--out", embedding).code == 0
    args = ["--groups=1", "--keep-dims=2", "--out", features]
    assert run("prune", tmp_path / "data", "--embeddings", embedding, *args).code == 0
    args = ["--trees=2", "--negatives-per-side=2", "--base-margin=false", "--out", out]
    done = run("decide", tmp_path / "data", "--features", features, *args)
    assert done.code == 0 and done.stderr.count("because there are no validation facts") == 1
    assert run("evaluate", tmp_path / "data", "--model", out).code == 0
