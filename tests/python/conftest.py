"""What the tests of the Python package share: a small run on `world`."""
import pytest
from package import SMALL, greenkgc


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Where `run` is the folder of a small run on world: what the docstrings refer to."""
    place = tmp_path_factory.mktemp("python")
    greenkgc.train("world", out=place / "run", progress=False, **SMALL)
    return place


@pytest.fixture(scope="session")
def model(folder):
    return greenkgc.load(folder / "run")
