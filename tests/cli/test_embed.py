"""greenkgc embed and evaluate, from outside."""

import json
import signal
import subprocess
import time

from program import BIN, default_signals, run

SMALL = ["--dims=16", "--negatives=512", "--batch=512", "--margin=6", "--rate=0.3", "--epochs=4", "--valid-every=2"]


def test_embed_then_evaluate(tmp_path):
    out = tmp_path / "run/world.safetensors"
    done = run("embed", "world", *SMALL, "--out", out, "--json")
    assert done.code == 0, done.stderr
    assert done.json["epochs"] == 4 and 0 < done.json["best_valid_mrr"] < 1
    events = [json.loads(line) for line in (tmp_path / "run/log.jsonl").read_text().splitlines()]
    assert [e["event"] for e in events] == ["embed.start"] + 4 * ["embed.epoch"] + ["embed.done"]
    assert [("valid_mrr" in e) for e in events[1:5]] == [False, True, False, True]

    report = run("evaluate", "world", "--model", out, "--json").json
    assert report["protocol"] == "filtered" and report["queries"] == 1058
    assert set(report["categories"]) == {"1-1", "1-N", "N-1", "N-N"}
    assert report["both"]["optimistic"]["mrr"] >= report["both"]["realistic"]["mrr"] >= report["both"]["pessimistic"]["mrr"]
    sampled = run("evaluate", "world", "--model", out, "--sample", "100", "--json").json
    assert sampled["queries"] == 200 and sampled["both"]["mrr_standard_error"] > 0
    assert "answer exempt" in run("evaluate", "world", "--model", out, "--protocol", "paper").stdout


def test_no_entity_answers_its_own_question(tmp_path):
    """TransE puts the known entity first where a relation is symmetric, as `borders` is."""
    out = tmp_path / "e.safetensors"
    assert run("embed", "world", *SMALL, "--model=transe", "--out", out).code == 0
    usual = run("evaluate", "world", "--model", out, "--json").json
    without = run("evaluate", "world", "--model", out, "--self-answers=false", "--json").json
    assert "self_answers" not in usual and without["self_answers"] is False
    assert without["both"]["realistic"]["mrr"] > usual["both"]["realistic"]["mrr"]
    assert "the entity that a query names is not a candidate" in run("evaluate", "world", "--model", out, "--self-answers=false").stdout


def test_rotate_by_moduli(tmp_path):
    """By the distance that its authors' program has, and with the duality penalty."""
    out = tmp_path / "e.safetensors"
    flags = ["--model=rotate", "--similarity=moduli", "--dims=16", "--negatives=512", "--batch=512", "--margin=6",
             "--rate=0.1", "--epochs=6", "--dura=0.0001"]
    done = run("embed", "world", *flags, "--out", out, "--json")
    assert done.code == 0, done.stderr
    report = run("evaluate", "world", "--model", out, "--json").json
    assert report["both"]["realistic"]["mrr"] > 0.1  # without learning 0.003
    pruned = tmp_path / "f.safetensors"
    assert run("prune", "world", "--embeddings", out, "--keep-dims", "8", "--groups", "2", "--out", pruned).code == 0
    model = tmp_path / "m.gkgc"
    assert run("decide", "world", "--features", pruned, "--out", model, "--trees", "5").code == 0
    assert run("predict", "--model", model, "--head", "Norway", "--relation", "borders").code == 0
    assert run("embed", "world", "--model=complex", "--similarity=moduli", "--out", out).code == 2


def test_range_dimensions(tmp_path):
    """They count the same in an embedding, a folder of tables, features and a model."""
    def mrr(file):
        return run("evaluate", "world", "--model", file, "--json").json["both"]["realistic"]["mrr"]

    out = tmp_path / "e.safetensors"
    flags = ["--model=complex", "--dims=12", "--range-share=0.25", "--epochs=4"]
    assert run("embed", "world", *flags, "--out", out).code == 0
    assert json.loads(out.read_bytes()[8:].split(b"}}")[0] + b"}}")["__metadata__"]["range_dims"] == "3"
    assert run("convert", out, "--out", tmp_path / "npy", "--to", "npy").code == 0
    assert run("convert", tmp_path / "npy", "--out", tmp_path / "again.safetensors").code == 0
    assert mrr(tmp_path / "again.safetensors") == mrr(out) > 0.1
    features = tmp_path / "f.safetensors"
    assert run("prune", "world", "--embeddings", out, "--selector=none", "--groups=1", "--out", features).code == 0
    assert abs(mrr(features) - mrr(out)) < 1e-6
    model = tmp_path / "m.gkgc"
    assert run("decide", "world", "--features", features, "--out", model, "--trees=0").code == 0
    assert mrr(model) > 0.9 * mrr(out)  # base margins begin with the score
    refit = ["--keep-dims=6", "--groups=2", "--refit-epochs=2", "--out", tmp_path / "r.safetensors"]
    assert run("prune", "world", "--embeddings", out, *refit).code == 0
    assert run("embed", "world", "--range-share=0.95", "--out", out).code == 2


def test_killed_run_goes_on(tmp_path):
    out = tmp_path / "e.safetensors"
    args = [BIN, "embed", "world", *SMALL[:-2], "--epochs=2000", "--valid-every=1", "--patience=0", "--out", str(out)]
    process = subprocess.Popen(args, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=default_signals)
    checkpoint = tmp_path / "e.safetensors.checkpoint"
    deadline = time.monotonic() + 60
    while not checkpoint.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert checkpoint.exists() and out.exists()

    resumed = subprocess.Popen([*args, "--resume"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
                               preexec_fn=default_signals)
    said = resumed.stderr.readline() + resumed.stderr.readline()
    resumed.send_signal(signal.SIGINT)
    rest = resumed.communicate()[1]
    assert said.startswith("recipe auto: ") and "resuming after epoch" in said
    assert resumed.returncode == 130 and "interrupted" in rest


def test_a_recipe_is_printed_and_stored_and_flags_win(tmp_path):
    out = tmp_path / "e.safetensors"
    done = run("embed", "world", "--recipe", "wn18rr-rotate", "--dims=8", "--epochs=1", "--out", out)
    assert done.code == 0 and "recipe wn18rr-rotate: model = rotate" in done.stderr and "dims = 8," in done.stderr
    header = json.loads(out.read_bytes()[8:8 + int.from_bytes(out.read_bytes()[:8], "little")])["__metadata__"]
    assert header["provenance.recipe"] == "wn18rr-rotate" and "dims = 8" in header["provenance.options"]
    done = run("embed", "world", "--recipe", "wn18rr-rotate", "--model", "transe", "--out", out)
    assert done.code == 2 and "is for rotate" in done.stderr


def test_wrong_models_are_refused(tmp_path):
    (tmp_path / "text").write_text("this is not a model, though it is long enough to hold a header\n")
    done = run("evaluate", "world", "--model", tmp_path / "text")
    assert done.code == 2 and "safetensors" in done.stderr
    assert run("evaluate", "world", "--model", tmp_path / "gone").code == 2
    assert run("embed", "world", "--model", "rotat", "--out", tmp_path / "e").code == 2
    done = run("embed", "world", "--model", "distmult", "--similarity", "l1", "--out", tmp_path / "e")
    assert done.code == 2 and "does not work with" in done.stderr
