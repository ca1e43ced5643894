"""scripts/wikikg2_to_tsv.py reads what torch.save() writes, in both of its forms, without PyTorch."""
import pathlib
import pickle
import subprocess
import sys
import zipfile

import numpy
import pytest

SCRIPT = pathlib.Path(__file__).parent.parent / "scripts/wikikg2_to_tsv.py"
FACTS = {"head": numpy.array([3, 1]), "relation": numpy.array([0, 5]), "tail": numpy.array([2, 2_500_603]), "head_neg": numpy.ones((2, 4))}


def write_zip(path, facts):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(facts, protocol=2))
        archive.writestr("archive/version", "3\n")


def write_pickles(path, facts):
    with open(path, "wb") as file:
        for part in (0x1950A86A20F9469CFC6C, 1001, {"little_endian": True}, facts, []):
            pickle.dump(part, file, protocol=2)


@pytest.mark.parametrize("write", [write_zip, write_pickles])
def test_facts_come_out(tmp_path, write):
    folder = tmp_path / "ogbl_wikikg2/split/time"
    folder.mkdir(parents=True)
    for split in ("train", "valid", "test"):
        write(folder / f"{split}.pt", FACTS)
    subprocess.run([sys.executable, SCRIPT, tmp_path / "ogbl_wikikg2", tmp_path / "out"], check=True)
    for split in ("train", "valid", "test"):
        assert (tmp_path / f"out/{split}.txt").read_text() == "3\t0\t2\n1\t5\t2500603\n"


class Evil:
    def __reduce__(self):
        return print, ("this must not run",)


def test_nothing_else_is_unpickled(tmp_path):
    folder = tmp_path / "ogbl_wikikg2/split/time"
    folder.mkdir(parents=True)
    write_zip(folder / "train.pt", {"head": Evil()})
    done = subprocess.run([sys.executable, SCRIPT, tmp_path / "ogbl_wikikg2", tmp_path / "out"], capture_output=True, text=True)
    assert done.returncode != 0 and "which is no array" in done.stderr and "this must not run" not in done.stdout
