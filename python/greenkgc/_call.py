"""What every call into the library needs, and what users may hand to it."""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Sequence, Union

from . import _core
from ._progress import Progress, Watch

Path = Union[str, "os.PathLike[str]"]
Triples = Iterable[Sequence[str]]  # or a DataFrame with the columns head, relation and tail
ProgressArgument = Union[bool, Callable[[Progress], object]]

DEFAULT_SEED = 42  # of the command, too


def watched(progress: ProgressArgument, threads: int = 0, seed: int = DEFAULT_SEED) -> tuple[Watch, _core.Call]:
    watch = Watch(progress)
    return watch, _core.Call(threads, seed, watch)


def rows_of(triples: Any) -> Iterable[Sequence[str]]:
    """The triples of a DataFrame, or of any iterable of sequences of three."""
    if hasattr(triples, "itertuples"):
        columns = [name for name in ("head", "relation", "tail") if name in triples.columns]
        table = triples[columns] if len(columns) == 3 else triples
        rows: Iterable[Sequence[str]] = table.itertuples(index=False, name=None)
        return rows
    return triples  # type: ignore[no-any-return]
