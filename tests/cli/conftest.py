"""Graphs and models that the tests of the command share."""

import pytest
from program import run, tsv, write

SMALL = ["--trees=20", "--depth=4", "--negatives-per-side=4", "--evaluate-every=20", "--mrr-every=20"]


@pytest.fixture
def people(tmp_path):
    """A folder small enough to count by hand."""
    folder = tmp_path / "people"
    train = ["a likes b", "b likes a", "a lives x", "b lives x", "c lives x", "a likes b"]
    write(folder / "train.txt", tsv(*train))
    write(folder / "valid.txt", tsv("c likes a"))
    write(folder / "test.txt", tsv("a likes b", "d likes a"))
    return folder


@pytest.fixture
def chain(tmp_path):
    """A single file of 200 facts, each entity in two of them."""
    return write(tmp_path / "chain.tsv", tsv(*[f"e{i} next e{(i + 1) % 200}" for i in range(200)]))


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def two_stage(model):
    """The small model with a second stage, which reads its evidence from train."""
    out = model.parent / "two.gkgc"
    small = ["--trees=20", "--depth=4", "--min-child-weight=3", "--lambda=1", "--rate=0.3", "--max-questions=300"]
    done = run("rerank", model.parent / "world", "--model", model, *small, "--labels=valid", "--out", out)
    assert done.code == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def judging(model):
    """The small model with a second stage whose trees judge each fact."""
    out = model.parent / "judging.gkgc"
    small = ["--trees=20", "--depth=4", "--min-child-weight=3", "--lambda=1", "--rate=0.3", "--max-questions=300"]
    done = run("rerank", model.parent / "world", "--model", model, *small, "--labels=heldout", "--out", out)
    assert done.code == 0, done.stderr
    return out
