"""Published datasets, where they are at hand (../shared/data); on other machines these checks say that they are skipped."""
import json
import math
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parent.parent
GREENKGC = ROOT / "build/release/greenkgc"
DATA = ROOT.parent / "shared/data"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="the published datasets (../shared/data) are not here")


def stats(data):
    return json.loads(subprocess.run([GREENKGC, "stats", data, "--json", "--quiet"], check=True, capture_output=True).stdout)


@pytest.mark.parametrize(
    "name, entities, relations, train, valid, test",
    [
        ("FB15k-237", 14541, 237, 272115, 17535, 20466),  # published with CRLF line ends
        ("WN18RR", 40943, 11, 86835, 3034, 3134),
        ("umls", 135, 46, 5216, 652, 661),
        ("kinship", 104, 25, 8544, 1068, 1074),
        ("nations", 14, 55, 1592, 199, 201),
    ],
)
def test_published_counts(name, entities, relations, train, valid, test):
    report = stats(DATA / name)
    assert (report["entities"], report["relations"]) == (entities, relations)
    assert {name: split["triples"] for name, split in report["splits"].items()} == {
        "train": train, "valid": valid, "test": test}


def test_fb15k_237_coverage_fits_what_is_known_of_it():
    test_split = stats(DATA / "FB15k-237")["splits"]["test"]
    outside = 1 - (test_split["head_in_range"] + test_split["tail_in_range"]) / 2
    assert 0.16 < outside < 0.18
    assert test_split["pair_linked"] == 0  # its makers removed pairs that train links


@pytest.mark.parametrize("to", ["openke", "libkge", "dict", "csv", "nt", "trig"])
def test_there_and_back_again(tmp_path, to):
    subprocess.run([GREENKGC, "convert", DATA / "umls", "--out", tmp_path / to, "--to", to, "--quiet"], check=True)
    subprocess.run([GREENKGC, "convert", tmp_path / to, "--out", tmp_path / "back", "--to", "tsv", "--quiet"], check=True)
    for split in ("train", "valid", "test"):
        assert (tmp_path / f"back/{split}.txt").read_bytes() == (DATA / f"umls/{split}.txt").read_bytes().replace(b"\r", b"")


def test_the_paper_authors_embeddings(tmp_path):
    """Their README says what the rows are; a numpy computation of the same score gives 0.156 +- 0.003."""
    stem = DATA / "greenkgc-authors/RotatE_pruned_FB15k-237_32"
    model = tmp_path / "authors.safetensors"
    subprocess.run([GREENKGC, "convert", f"{stem}.npy", "--relations", f"{stem}_relation.npy", "--model", "rotate",
                    "--relation-form", "cos-sin", "--relation-scale", str(math.pi * 512 / 11), "--order", "first-appearance",
                    "--data", DATA / "FB15k-237", "--out", model, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([GREENKGC, "evaluate", DATA / "FB15k-237", "--model", model, "--json", "--quiet"],
                          check=True, capture_output=True)
    assert 0.150 < json.loads(done.stdout)["both"]["realistic"]["mrr"] < 0.162


@pytest.mark.parametrize(
    "name, flags, least",
    [
        # What the automatic recipe reaches (docs/lab/embeddings.md), less a margin for other machines' rounding.
        ("umls", [], 0.91),
        ("kinship", [], 0.80),
        ("nations", [], 0.73),
        # Short trainings: far from what the recipe reaches, but a mistake in loss, gradient or ranking shows.
        ("WN18RR", ["--dims=32", "--epochs=5", "--negatives=1024", "--n3=0.04", "--init-scale=0.001", "--valid-sample=0"], 0.33),
        ("FB15k-237", ["--dims=32", "--epochs=3", "--negatives=512", "--valid-sample=0"], 0.27),
        ("WN18RR", ["--model=rotate", "--dims=32", "--epochs=5", "--valid-sample=0"], 0.30),
    ],
)
def test_embeddings_are_as_good_as_they_were(tmp_path, name, flags, least):
    model = tmp_path / "embeddings.safetensors"
    subprocess.run([GREENKGC, "embed", DATA / name, *flags, "--out", model, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([GREENKGC, "evaluate", DATA / name, "--model", model, "--json", "--quiet"], check=True,
                          capture_output=True)
    assert json.loads(done.stdout)["both"]["realistic"]["mrr"] > least
