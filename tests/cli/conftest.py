"""Graphs that the tests of the command share."""

import pytest
from program import tsv, write


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
