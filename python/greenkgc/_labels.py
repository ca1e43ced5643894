"""Labels by id, and ids by label."""
from __future__ import annotations

from typing import Callable, Iterator, Optional, Sequence, overload


class Labels(Sequence[str]):
    """The labels of entities or relations, in the order of their ids; labels are copied only on access.

    >>> import greenkgc
    >>> entities = greenkgc.load("run").entities
    >>> "Norway" in entities, "Atlantis" in entities
    (True, False)
    >>> entities[entities.index("Norway")]
    'Norway'
    """

    def __init__(self, count: int, label: Callable[[int], str], find: Callable[[str], Optional[int]]):
        self._count = count
        self._label = label
        self._find = find

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._label(i) for i in range(*index.indices(self._count))]
        if not -self._count <= index < self._count:
            raise IndexError(f"id {index} of {self._count}")
        return self._label(index % self._count)

    def __iter__(self) -> Iterator[str]:
        return map(self._label, range(self._count))

    def __contains__(self, label: object) -> bool:
        return isinstance(label, (str, bytes)) and self._find(label) is not None  # type: ignore[arg-type]

    def index(self, label: str, start: int = 0, stop: int | None = None) -> int:
        """The id of a label. Raises ValueError if there is none."""
        found = self._find(label)
        if found is None or found < start or (stop is not None and found >= stop):
            raise ValueError(f"there is no label {label!r}")
        return found

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3]))
        return f"<{self._count:,} labels: {shown}{', ...' if self._count > 3 else ''}>"
