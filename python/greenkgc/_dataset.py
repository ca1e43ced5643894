"""Graphs in memory."""
from __future__ import annotations

import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, List, NamedTuple, Tuple, Union

from . import _core
from ._call import DEFAULT_SEED, Path, ProgressArgument, Triples, rows_of, watched
from ._errors import Error
from ._labels import Labels
from ._results import Table

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from ._options import LoadDatasetOptions, WriteOptions


class SplitStats(NamedTuple):
    """Anomalies of one split, counted over its lines; `greenkgc/stats.h` describes each field."""

    split: str
    triples: int
    duplicates: int
    self_loops: int
    in_train: int
    inverse_in_train: int
    pair_linked: int
    unseen_entity: int
    unseen_relation: int
    head_in_range: float
    tail_in_range: float


class RelationStats(NamedTuple):
    """Statistics of one relation, over its distinct facts."""

    relation: str
    train: int
    valid: int
    test: int
    heads: int
    tails: int
    tails_per_head: float
    heads_per_tail: float
    category: str
    symmetry: float


class InversePair(NamedTuple):
    """Two relations that are mostly inverses of each other."""

    relation: str
    inverse: str
    facts: int
    overlap: float


class Stats(NamedTuple):
    """Statistics of a graph, and its anomalies."""

    entities: int
    relations: int
    unseen_entities: int
    mean_degree: float
    median_degree: int
    max_degree: int
    splits: Table[SplitStats]
    by_relation: Table[RelationStats]
    inverse_pairs: Table[InversePair]


class Dataset:
    """A graph in memory: labels, and the facts of each split as ids.

    >>> import greenkgc
    >>> world = greenkgc.load_dataset("world")
    >>> len(world.relations) > 20 and "Norway" in world.entities
    True
    >>> ids = world.triples("train")        # numpy, without copying
    >>> ids.shape[1], ids.dtype.name, ids.flags.writeable
    (3, 'uint32', False)
    """

    def __init__(self, native: _core.Dataset):
        self._native = native

    @classmethod
    def from_triples(cls, train: Triples, valid: Triples = (), test: Triples = (), *, seed: int = DEFAULT_SEED,
                     valid_share: float | None = None, test_share: float | None = None) -> Dataset:
        """Makes a graph from triples of labels: tuples, or a DataFrame with the columns head, relation and tail.

        Without `valid` and `test`, shares of `train` are held out, as with a single file.

        >>> import greenkgc
        >>> chain = [(f"e{i}", "next", f"e{i + 1}") for i in range(40)]
        >>> graph = greenkgc.Dataset.from_triples(chain[:36], test=chain[36:])
        >>> graph
        <Dataset: 41 entities, 1 relation, 36 train, 0 valid, 4 test>
        """
        parts = {name: _tsv(rows_of(triples)) for name, triples in (("train", train), ("valid", valid), ("test", test))}
        options = {"format": "tsv", "valid_share": valid_share, "test_share": test_share}
        with tempfile.TemporaryDirectory(prefix="greenkgc-") as folder:
            for name, content in parts.items():
                if content or name == "train":
                    (pathlib.Path(folder) / f"{name}.txt").write_bytes(content)
            alone = not parts["valid"] and not parts["test"]
            place = os.path.join(folder, "train.txt") if alone else folder
            return cls(_core.Dataset.load(place, options, _core.Call(0, seed, None)))

    @property
    def entities(self) -> Labels:
        """The entities' labels, by id."""
        native = self._native
        return Labels(native.entity_count(), native.entity_label, native.find_entity)

    @property
    def relations(self) -> Labels:
        """The relations' labels, by id."""
        native = self._native
        return Labels(native.relation_count(), native.relation_label, native.find_relation)

    @property
    def notes(self) -> List[str]:
        """One line for each file that was read, with its detected format."""
        return self._native.notes()

    def triples(self, split: str = "train") -> NDArray[numpy.uint32]:
        """Ids of head, relation and tail, one fact per row, as a read-only view; needs numpy."""
        return self._native.triples(split)

    def weights(self, split: str = "train") -> NDArray[numpy.float32] | None:
        """The weights of the facts, if they have any, as a read-only view; needs numpy."""
        return self._native.weights(split)

    def facts(self, split: str = "train") -> List[Tuple[str, str, str]]:
        """The facts as labels of head, relation and tail."""
        return self._native.facts(split)

    def stats(self, *, threads: int = 0, progress: ProgressArgument = True) -> Stats:
        """Returns statistics of the graph, and its anomalies.

        >>> import greenkgc
        >>> stats = greenkgc.load_dataset("world").stats()
        >>> [split.split for split in stats.splits]
        ['train', 'valid', 'test']
        """
        watch, call = watched(progress, threads)
        with watch:
            found = self._native.stats(call)
        splits, by_relation = Table(SplitStats, found.pop("splits")), Table(RelationStats, found.pop("by_relation"))
        pairs = Table(InversePair, found.pop("inverse_pairs"))
        return Stats(**found, splits=splits, by_relation=by_relation, inverse_pairs=pairs)

    def write(self, out: Path, *, progress: ProgressArgument = True, **options: Unpack[WriteOptions]) -> List[str]:
        """Writes the graph and returns the written paths; `greenkgc.options("write")` lists the options."""
        watch, call = watched(progress)
        with watch:
            return self._native.write(out, options, call)

    def __repr__(self) -> str:
        def count(n: int, one: str, many: str) -> str:
            return f"{n:,} {one if n == 1 else many}"

        native = self._native
        facts = ", ".join(f"{native.fact_count(split):,} {split}" for split in ("train", "valid", "test"))
        return (f"<Dataset: {count(native.entity_count(), 'entity', 'entities')}, "
                f"{count(native.relation_count(), 'relation', 'relations')}, {facts}>")


Data = Union[Path, Dataset, Triples]


def _tsv(triples: Iterable[Any]) -> bytes:
    lines = []
    for triple in triples:
        labels = [label if isinstance(label, bytes) else _encoded(label) for label in triple]
        if len(labels) != 3:
            raise Error(f"a triple has head, relation and tail, not {len(labels)} parts: {triple!r}")
        for label in labels:
            if not label or any(byte in label for byte in (b"\t", b"\n", b"\r", b"\0")):
                raise Error(f"a label is a text without tab, line end and NUL: {triple!r}", "bad_input")
        lines.append(b"\t".join(labels) + b"\n")
    return b"".join(lines)


def _encoded(label: object) -> bytes:
    if not isinstance(label, str):
        raise Error(f"a label is a str, not {type(label).__name__}: {label!r}", "bad_input")
    return label.encode("utf-8", "surrogateescape")


def load_dataset(data: Path, *, seed: int = DEFAULT_SEED, threads: int = 0, progress: ProgressArgument = True,
                 **options: Unpack[LoadDatasetOptions]) -> Dataset:
    """Loads a graph: a folder with train, valid and test; a single file, which is split so that every entity and
    relation occurs in train; or "world", the built-in graph. `greenkgc.options("load_dataset")` lists the
    options.

    >>> import greenkgc
    >>> greenkgc.load_dataset("world", valid_share=0.1, test_share=0.1).triples("test").shape[0] > 500
    True
    """
    watch, call = watched(progress, threads, seed)
    with watch:
        return Dataset(_core.Dataset.load(data, options, call))


def native_data(data: Data, seed: int) -> Path | _core.Dataset:
    """What the native calls take."""
    if isinstance(data, Dataset):
        return data._native
    if isinstance(data, (str, os.PathLike)):
        return data
    return Dataset.from_triples(data, seed=seed)._native
