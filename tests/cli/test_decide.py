"""greenkgc decide, and evaluate of what it leaves, from outside."""

import json
import signal
import subprocess
import time

import pytest
from program import BIN, default_signals, run

SMALL = ["--trees=20", "--depth=4", "--negatives-per-side=4", "--evaluate-every=10", "--mrr-every=10"]


@pytest.fixture(scope="module")
def features(tmp_path_factory):
    folder = tmp_path_factory.mktemp("decide")
    embedding = folder / "e.safetensors"
    embed = ["--dims=16", "--negatives=512", "--batch=512", "--margin=6", "--rate=0.3", "--epochs=6", "--valid-every=6"]
    assert run("embed", "world", "--model=rotate", *embed, "--out", embedding).code == 0
    out = folder / "f.safetensors"
    assert run("prune", "world", "--embeddings", embedding, "--groups=2", "--keep-dims=8", "--out", out).code == 0
    return out


def test_decide_then_evaluate(features, tmp_path):
    out = tmp_path / "run/world.gkgc"
    done = run("decide", "world", "--features", features, *SMALL, "--out", out, "--json")
    assert done.code == 0, done.stderr
    assert [g["trees"] for g in done.json["groups"]] == [20, 20]
    assert 0 < done.json["valid_mrr"] < 1 and done.json["bytes"] == out.stat().st_size
    points = [json.loads(line) for line in (tmp_path / "run/log.jsonl").read_text().splitlines()]
    points = [p for p in points if p["event"] == "decide.point"]
    assert [(p["group"], p["trees"]) for p in points] == [(0, 10), (0, 20), (1, 10), (1, 20)]
    for point in points:
        assert {"loss", "auc_pr", "held_out_loss", "held_out_auc_pr", "valid_mrr"} <= set(point)

    for protocol in ("filtered", "raw", "range", "paper"):
        report = run("evaluate", "world", "--model", out, "--protocol", protocol, "--json").json
        assert report["queries"] == 1058 and 0 < report["both"]["realistic"]["mrr"] < 1
    table = run("decide", "world", "--features", features, *SMALL, "--out", out).stdout
    assert "held-out" in table and "valid MRR" in table


def test_search_prints_what_was_tried(tmp_path):
    lines = [f"e{a}\tnext\te{(a + 1) % 9}\n" for a in range(9)] + [f"e{a}\tthird\te{(a + 3) % 9}\n" for a in range(9)]
    (tmp_path / "train.txt").write_text("".join(lines[:16]))
    (tmp_path / "valid.txt").write_text("".join(lines[16:]))
    embedding, features, out = tmp_path / "e.safetensors", tmp_path / "f.safetensors", tmp_path / "m.gkgc"
    assert run("embed", tmp_path, "--dims=4", "--epochs=3", "--out", embedding).code == 0
    assert run("prune", tmp_path, "--embeddings", embedding, "--groups=1", "--keep-dims=2", "--out", features).code == 0
    args = ["--search", "--negatives-per-side=2", "--base-margin=false", "--json"]
    done = run("decide", tmp_path, "--features", features, *args, "--out", out)
    assert done.code == 0, done.stderr
    (group,) = done.json["groups"]
    assert len(group["searched"]) == 9
    best = max(mrr for s in group["searched"] for mrr in s["valid_mrr"])
    chosen = next(s for s in group["searched"] if (s["depth"], s["rate"]) == (group["depth"], group["rate"]))
    assert best == pytest.approx(chosen["valid_mrr"][chosen["trees"].index(group["trees"])])
    assert best == pytest.approx(group["valid_mrr"])
    assert not list(tmp_path.glob("*.search.jsonl"))
    table = run("decide", tmp_path, "--features", features, *args[:-1], "--out", out).stdout
    assert "settings tried" in table


def test_engines_agree(features, tmp_path):
    mrr = {}
    for engine in ("native", "xgboost"):
        out = tmp_path / f"{engine}.gkgc"
        done = run("decide", "world", "--features", features, *SMALL, "--engine", engine, "--out", out, "--json")
        if "does not include XGBoost" in done.stderr:
            pytest.skip("built without XGBoost")
        assert done.code == 0, done.stderr
        mrr[engine] = done.json["valid_mrr"]
    assert mrr["native"] == pytest.approx(mrr["xgboost"], abs=0.01)


def test_trees_go_to_xgboost_and_back(features, tmp_path):
    out, trees, back = tmp_path / "m.gkgc", tmp_path / "trees", tmp_path / "back.gkgc"
    args = ["decide", "world", "--features", features, *SMALL, "--base-margin=false"]
    there = run(*args, "--out", out, "--json").json
    assert run("convert", out, "--out", trees).code == 0
    model = json.loads((trees / "group-0.json").read_text())
    assert len(model["learner"]["gradient_booster"]["model"]["trees"]) == 20
    assert (trees / "columns.tsv").read_text().splitlines()[1] == "0\t0\thead\t0\t0"
    done = run(*args, "--trees-from", trees, "--out", back, "--json")
    assert done.code == 0, done.stderr
    assert done.json["valid_mrr"] == pytest.approx(there["valid_mrr"], abs=1e-4)
    (trees / "group-1.json").write_text('{"learner": {}}')
    refused = run(*args, "--trees-from", trees, "--out", back)
    assert refused.code != 0 and "group-1.json" in refused.stderr


def test_killed_run_goes_on(features, tmp_path):
    whole = tmp_path / "whole.gkgc"
    slow = ["--trees=150", "--depth=4", "--negatives-per-side=32", "--evaluate-every=10", "--mrr-every=10"]
    assert run("decide", "world", "--features", features, *slow, "--out", whole).code == 0
    out = tmp_path / "m.gkgc"
    args = [BIN, "decide", "world", "--features", str(features), *slow, "--out", str(out)]
    process = subprocess.Popen(args, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=default_signals)
    checkpoint = tmp_path / "m.gkgc.checkpoint"
    deadline = time.monotonic() + 60
    while not checkpoint.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if out.exists():
        pytest.skip("the machine was too fast: the run had ended before it could be killed")
    again = run("decide", "world", "--features", features, *slow, "--out", out, "--resume")
    assert again.code == 0 and "resuming after group" in again.stderr
    assert out.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    "args, complaint",
    [
        (["--negatives=ontologi"], "ontology"),
        (["--negatives=random:-1"], "random:-1"),
        (["--depth=8"], "between 1 and 7"),
        (["--classifier=forest", "--search"], "--search needs --classifier boosting"),
    ],
)
def test_wrong_usage(features, tmp_path, args, complaint):
    done = run("decide", "world", "--features", features, "--out", tmp_path / "m.gkgc", *args)
    assert done.code in (1, 2) and complaint in done.stderr
    assert done.stderr.count("greenkgc:") == 1


def test_damaged_models_are_refused(features, tmp_path):
    out = tmp_path / "m.gkgc"
    assert run("decide", "world", "--features", features, *SMALL, "--out", out).code == 0
    whole = out.read_bytes()
    for damage in (whole[: len(whole) // 2], whole[:-1], whole[:5000] + b"\xff" + whole[5001:], b""):
        out.write_bytes(damage)
        done = run("evaluate", "world", "--model", out)
        assert done.code != 0 and str(out) in done.stderr and done.stdout == ""


def test_a_model_of_other_data_is_refused(features, tmp_path):
    out = tmp_path / "m.gkgc"
    assert run("decide", "world", "--features", features, *SMALL, "--out", out).code == 0
    (tmp_path / "train.txt").write_text("a\tr\tb\n")
    (tmp_path / "test.txt").write_text("b\tr\ta\n")
    done = run("evaluate", tmp_path, "--model", out)
    assert done.code == 2 and "the model has no entity 'a'" in done.stderr
