"""greenkgc train: the run folder, presets, what happens on small and odd graphs, and after kill -9."""

import fcntl
import json
import os
import random
import signal
import subprocess
import time
import tomllib

import pytest
from program import BIN, default_signals, fails, run, tsv, write

OUTPUTS = ["embeddings.safetensors", "features.safetensors", "first_stage.gkgc", "model.gkgc"]
TINY = [
    *["--dims=4", "--epochs=12", "--valid-every=1", "--batch=1024", "--embed.negatives=64", "--embed.valid-sample=100"],
    *["--groups=2", "--decide.trees=20", "--decide.depth=3", "--rerank.trees=10", "--negatives-per-side=4", "--evaluate-every=5", "--mrr-every=5"],
    *["--decide.valid-sample=100", "--rerank.valid-sample=100", "--threads=1"],
]


def metrics_of(folder):
    return json.loads((folder / "metrics.json").read_text())["metrics"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nothing interrupted, and how long it took."""
    folder = tmp_path_factory.mktemp("train") / "whole"
    began = time.monotonic()
    done = run("train", "world", *TINY, "--out", folder, "--json")
    assert done.code == 0, done.stderr
    return folder, time.monotonic() - began, done.json


def test_the_folder(whole):
    folder, _, result = whole
    assert {p.name for p in folder.iterdir()} == {*OUTPUTS, "measured.gkgc", "metrics.json", "config.toml", "log.jsonl", "run.json", "report.html"}
    assert [s["name"] for s in result["stages"]] == ["embed", "prune", "decide", "rerank", "final", "evaluate"]
    assert [s["bytes"] for s in result["stages"]] == [(folder / s["output"]).stat().st_size for s in result["stages"]]
    measured = [(m["of"], m["split"], m["protocol"]) for m in metrics_of(folder)]
    assert measured == [(of, split, "filtered") for of in OUTPUTS for split in ("valid", "test")]
    events = [json.loads(line)["event"] for line in (folder / "log.jsonl").read_text().splitlines()]
    order = ["train.start", "embed.start", "embed.done", "prune.done", "decide.done", "rerank.done", "train.done"]
    assert [e for e in events if e in order] == order


def test_the_table_has_names_for_people(whole):
    done = run("train", "world", *TINY, "--out", whole[0], "--resume")
    assert done.code == 0, done.stderr
    table = done.stdout.split("H@10\n")[1]
    for name in ("embeddings", "pruned embeddings", "model, first stage", "model, both stages"):
        assert f"\n  {name}  " in "\n" + table or f"\n{name}  " in "\n" + table, table
    assert ".safetensors" not in table and "first_stage" not in table


def test_metrics_are_those_of_evaluate(whole):
    folder, _, result = whole
    apart = run("evaluate", "world", "--model", folder / "measured.gkgc", "--json").json
    (together,) = [m for m in metrics_of(folder) if m["of"] == "model.gkgc" and m["split"] == "test"]
    assert together["both"] == apart["both"] and together["relations"] == apart["relations"]
    assert result["metrics"][-1]["mrr"] == apart["both"]["realistic"]["mrr"]


def test_the_completion_is_that_of_evaluate(whole):
    folder, _, _ = whole
    together = json.loads((folder / "metrics.json").read_text())["completion"]
    apart = run("evaluate", "world", "--model", folder / "measured.gkgc", "--task=completion", "--json").json
    assert apart.pop("task") == "completion" and apart.pop("seconds") > 0 and together.pop("seconds") > 0
    assert together.pop("of") == "model.gkgc" and together.pop("before_final") is True
    assert together == apart
    fails(2, "knows all test facts", "evaluate", "world", "--model", folder / "model.gkgc", "--task=completion", "--quiet")
    done = run("train", "world", *TINY, "--out", folder, "--resume")
    assert f"completion, test: R-precision {together['r_precision']:.3f}" in done.stdout


@pytest.mark.parametrize("output", ["embeddings.safetensors", "features.safetensors", "model.gkgc"])
def test_evaluating_by_another_split_is_noticed(whole, output):
    same = run("evaluate", "world", "--model", whole[0] / output, "--sample", "20")
    other = run("evaluate", "world", "--model", whole[0] / output, "--sample", "20", "--seed", "7")
    assert same.code == other.code == 0
    assert "was trained on other train and valid facts" not in same.stderr
    assert "was trained on other train and valid facts" in other.stderr


def test_the_record_of_a_run_repeats_it(whole, tmp_path):
    config = tomllib.loads((whole[0] / "config.toml").read_text())
    assert (config["seed"], config["train"]["preset"]) == (42, "light")
    assert (config["embed"]["dims"], config["decide"]["trees"]) == (4, 20)
    again = tmp_path / "again"
    assert run("train", "world", "--config", whole[0] / "config.toml", "--out", again).code == 0
    assert (again / "model.gkgc").read_bytes() == (whole[0] / "model.gkgc").read_bytes()


def test_stages_by_hand_come_to_the_same(whole, tmp_path):
    """The record serves the commands of the stages as well."""
    config = ["--config", whole[0] / "config.toml"]
    embedding, features, first, model = (tmp_path / name for name in OUTPUTS)
    assert run("embed", "world", *config, "--out", embedding).code == 0
    assert run("prune", "world", *config, "--embeddings", whole[0] / OUTPUTS[0], "--out", features).code == 0
    assert features.read_bytes() == (whole[0] / OUTPUTS[1]).read_bytes()
    assert run("decide", "world", *config, "--features", features, "--out", first).code == 0
    assert first.read_bytes() == (whole[0] / OUTPUTS[2]).read_bytes()
    assert run("rerank", "world", *config, "--model", first, "--out", model).code == 0
    assert model.read_bytes() == (whole[0] / "measured.gkgc").read_bytes()


def test_killed_at_any_moment_it_goes_on(whole, tmp_path):
    folder, seconds, _ = whole
    moments = random.Random(7)
    out = tmp_path / "run"
    args = [BIN, "train", "world", *TINY, "--out", str(out), "--resume"]
    killed = 0
    for _ in range(8):
        process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=default_signals)
        time.sleep(moments.uniform(0.05, 0.6) * seconds)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
    last = run(*args[1:])
    assert last.code == 0, last.stderr
    assert killed >= 2
    for name in OUTPUTS:
        assert (out / name).read_bytes() == (folder / name).read_bytes(), name
    assert not list(out.glob("*.checkpoint"))


def test_resuming_does_again_what_has_changed(whole, tmp_path):
    out = tmp_path / "run"
    assert run("train", "world", *TINY, "--out", out).code == 0
    fails(2, "already contains a run: use --resume", "train", "world", *TINY, "--out", out)

    def earlier(*args):
        done = run("train", "world", *args, "--out", out, "--resume", "--json")
        assert done.code == 0, done.stderr
        return [stage["name"] for stage in done.json["stages"] if stage["earlier"]]

    assert earlier(*TINY) == ["embed", "prune", "decide", "rerank", "final", "evaluate"]
    fewer = [a for a in TINY if a != "--decide.trees=20"] + ["--decide.trees=10"]
    assert earlier(*fewer) == ["embed", "prune"]
    (out / "model.gkgc").write_bytes(b"damaged")
    assert earlier(*fewer) == ["embed", "prune", "decide", "rerank", "evaluate"]
    without = earlier(*fewer, "--second-stage=no")
    assert without == ["embed", "prune"] and not (out / "first_stage.gkgc").exists()
    assert earlier(*fewer, "--seed=1") == []


def test_a_checkpoint_of_other_options_is_left_alone(tmp_path):
    out = tmp_path / "run"
    slow = ["--dims=64", "--epochs=1000", "--valid-every=1", "--embed.valid-sample=10"]
    args = [BIN, "train", "world", *slow, "--out", str(out)]
    process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=default_signals)
    checkpoint = out / "embeddings.safetensors.checkpoint"
    deadline = time.monotonic() + 60
    while not checkpoint.exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert checkpoint.exists()
    fails(2, "already contains a run", "train", "world", *TINY, "--out", out)
    assert run("train", "world", *TINY, "--out", out, "--resume").code == 0
    assert not checkpoint.exists()


def test_files_that_no_run_made_are_not_overwritten(tmp_path):
    write(tmp_path / "run/model.gkgc", "precious")
    for resume in ([], ["--resume"]):
        fails(2, "model.gkgc already exists", "train", "world", *TINY, "--out", tmp_path / "run", *resume)
    assert (tmp_path / "run/model.gkgc").read_text() == "precious"
    fails(2, "is a file, but a run needs a folder", "train", "world", "--out", write(tmp_path / "file", "x"))


def test_a_folder_belongs_to_one_run_at_a_time(people, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    held = os.open(folder, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    fails(2, "another greenkgc process is using this folder", "train", people, "--out", folder)
    assert not list(folder.iterdir())
    os.close(held)


@pytest.mark.parametrize("record", [b"", b"{}", b"[1]", b'{"format": "greenkgc.run 1", "stages": {"embed": 3}}'])
def test_a_damaged_record(tmp_path, record):
    write(tmp_path / "run.json", record)
    fails(2, r"run\.json: is no", "train", "world", *TINY, "--out", tmp_path, "--resume", "--quiet")


def facts(count, relations=2):
    return tsv(*[f"e{i % 20} r{i % relations} e{i * 7 % 13}" for i in range(count)])


ODD_GRAPHS = {
    "ten facts": {"g.tsv": tsv(*[f"a{i} likes b{i}" for i in range(10)])},
    "one fact": {"g.tsv": tsv("a likes b")},
    "one relation": {"g.tsv": facts(200, relations=1)},
    "turtle": {"g.ttl": "@prefix : <http://x/> .\n" + "".join(f":e{i} :knows :e{i % 7} .\n" for i in range(60))},
    "train only": {"g/train.txt": facts(80)},
    "no valid": {"g/train.txt": facts(80), "g/test.txt": tsv("e1 r0 e2")},
    "no test": {"g/train.txt": facts(80), "g/valid.txt": tsv("e1 r0 e2")},
    "a relation without training facts": {"g/train.txt": facts(80), "g/valid.txt": tsv("e1 r9 e2")},
}


@pytest.mark.parametrize("preset", ["light", "paper", "accurate"])
@pytest.mark.parametrize("graph", ODD_GRAPHS)
def test_any_graph_just_works(tmp_path, graph, preset):
    for name, text in ODD_GRAPHS[graph].items():
        data = write(tmp_path / name, text)
    data = data.parent if data.name.startswith(("train", "valid", "test")) else data
    small = ["--epochs=3", "--decide.trees=5"] if preset != "light" else []
    done = run("train", data, "--preset", preset, *small, "--out", tmp_path / "run")
    assert done.code == 0, done.stderr
    lacks_valid = graph in ("ten facts", "one fact", "train only", "no valid")
    assert done.stderr.count("no validation facts: training") == lacks_valid, done.stderr
    for metrics in metrics_of(tmp_path / "run"):
        assert 0 <= metrics["both"]["realistic"]["mrr"] <= 1


def test_the_paper_names_its_protocol(people, tmp_path):
    done = run("train", people, "--preset=paper", "--epochs=2", "--decide.trees=5", "--out", tmp_path / "run")
    assert done.code == 0, done.stderr
    assert "paper, answer exempt" in done.stdout and "filtered" in done.stdout
    protocols = [m["protocol"] for m in metrics_of(tmp_path / "run") if m["split"] == "test"]
    assert protocols == 3 * ["paper", "filtered"]
    model = [m["model"] for m in metrics_of(tmp_path / "run") if "model" in m][-1]
    events = map(json.loads, (tmp_path / "run/log.jsonl").read_text().splitlines())
    (stored,) = [e["union_dims"] for e in events if e["event"] == "prune.done"]
    assert model["entity_parameters"] == 5 * stored * 2  # entities, dimensions, real and imaginary part
    config = tomllib.loads((tmp_path / "run/config.toml").read_text())
    assert config["embed"]["model"] == "rotate" and config["decide"]["base_margin"] is False
    assert config["prune"]["groups"] == "2"  # of 5, as there are two relations


def test_paths_may_be_any_bytes(people, tmp_path):
    odd = tmp_path / os.fsdecode(b"caf\xe9 \n")
    people.rename(odd)
    out = tmp_path / os.fsdecode(b"run \xff")
    assert run("train", odd, "--epochs=2", "--decide.trees=2", "--out", out).code == 0
    tomllib.loads((out / "config.toml").read_text())
    json.loads((out / "metrics.json").read_text())


BAD_USAGE = {
    "two stages have it": (["--rate=0.1"], r"--rate is ambiguous: --embed\.rate or --decide\.rate"),
    "no stage has it": (["--embed.trees=3"], r"unknown option --embed\.trees"),
    "a slip": (["--embed.epoch=3"], r"did you mean --(embed\.)?epochs\?"),
    "out of range": (["--decide.depth=8"], r"--decide\.depth must be between 1 and 7"),
    "said twice": (["--dims=3", "--embed.dims=3"], r"--dims and --embed\.dims are the same option"),
    "contradiction": (["--decide.classifier=forest", "--decide.objective=softmax"], "--objective softmax needs"),
    "negatives": (["--decide.negatives=randon"], "did you mean random"),
    "groups": (["--groups=1000"], "--groups 1000 is more than the"),
    "dimensions": (["--preset=paper", "--dims=8", "--keep-dims=9"], "--keep-dims 9 is more than --dims 8"),
    "other model": (["--recipe=fb15k-237-rotate", "--model=transe"], "recipe fb15k-237-rotate is for rotate"),
}


@pytest.mark.parametrize("case", BAD_USAGE)
def test_wrong_usage(tmp_path, case):
    args, complaint = BAD_USAGE[case]
    fails(2, complaint, "train", "world", *args, "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_config_tables_of_stages(people, tmp_path):
    config = write(tmp_path / "c.toml", "dims = 3\n[decide]\ntrees = 4\n[embed]\nrate = 0.2\nepochs = 2\n[stats]\ntop = 3\n")
    assert run("train", people, "--config", config, "--out", tmp_path / "run").code == 0
    used = tomllib.loads((tmp_path / "run/config.toml").read_text())
    assert (used["embed"]["dims"], used["embed"]["rate"], used["decide"]["trees"]) == (3, 0.2, 4)
    bad = write(tmp_path / "bad.toml", "rate = 0.2\n")
    fails(2, "line 1: rate is ambiguous: embed.rate or decide.rate", "train", people, "--config", bad, "--out", tmp_path / "x")
    bad = write(tmp_path / "bad.toml", "[embed]\ntrees = 2\n")
    fails(2, r"line 2: train has no option 'embed\.trees'", "train", people, "--config", bad, "--out", tmp_path / "x")


def test_the_final_model_knows_all_facts(whole, tmp_path):
    """Those of the test as well, which the measured one does not know; without --final there is one model."""
    folder, _, _ = whole
    split = tmp_path / "split"
    assert run("convert", "world", "--valid-share", "0.05", "--test-share", "0.05", "--out", split).code == 0
    head, relation, tail = (split / "test.txt").read_text().splitlines()[0].split("\t")
    known = [run("explain", "--model", folder / model, "--head", head, "--relation", relation, "--tail", tail, "--json").json["known"]
             for model in ("measured.gkgc", "model.gkgc")]
    assert known == [False, True]
    (entry,) = [m for m in metrics_of(folder) if m["of"] == "model.gkgc" and m["split"] == "test"]
    assert entry["before_final"] and entry["bytes"] == (folder / "measured.gkgc").stat().st_size

    alone = tmp_path / "alone"
    assert run("train", "world", *TINY, "--final=false", "--out", alone).code == 0
    assert not (alone / "measured.gkgc").exists()
    assert (alone / "model.gkgc").read_bytes() == (folder / "measured.gkgc").read_bytes()
