#!/usr/bin/env python3
"""wikikg2_to_tsv.py OGB_FOLDER OUT: ogbl-wikikg2 as OGB unpacks it (split/time/{train,valid,test}.pt) to OUT/train.txt,
valid.txt and test.txt: head, relation and tail as ids, separated by tabs. Needs numpy, not PyTorch.
"""
import pathlib
import pickle
import sys
import zipfile

import numpy


class ArrayUnpickler(pickle.Unpickler):
    """Makes arrays and nothing else: a pickle may otherwise run any code."""

    def find_class(self, module, name):
        if module.split(".")[0] == "numpy" and name in ("_reconstruct", "ndarray", "dtype", "scalar", "_frombuffer"):
            return super().find_class(module, name)
        if (module, name) == ("_codecs", "encode"):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"holds a {module}.{name}, which is no array")


def read_pt(path):
    """What torch.save() wrote: a zip with data.pkl, or, by older versions, four pickles of which the last is it."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            (name,) = [n for n in archive.namelist() if n.endswith("/data.pkl")]
            return ArrayUnpickler(archive.open(name)).load()
    with open(path, "rb") as file:
        return [ArrayUnpickler(file).load() for _ in range(4)][-1]


def convert(source, out):
    out.mkdir(parents=True, exist_ok=True)
    for split in ("train", "valid", "test"):
        facts = read_pt(source / "split/time" / f"{split}.pt")
        columns = [numpy.asarray(facts[name]) for name in ("head", "relation", "tail")]
        numpy.savetxt(out / f"{split}.txt", numpy.stack(columns, axis=1), fmt="%d", delimiter="\t")
        print(f"{out / split}.txt: {len(columns[0])} facts")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    convert(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
