"""The numbers by which entities and relations are known, as numpy arrays; all of this needs numpy."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Sequence

from . import _core
from ._call import Path

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class ModelEmbeddings:
    """What a model stores of its entities and relations; row e belongs to entity e.

    A model keeps one byte for each number of an entity: which of the column's levels it has. So `bins` is what is
    there, seen without copying; `floats()` makes the numbers of it. Column v * dims + d is variable v of dimension d.

    >>> import greenkgc, numpy
    >>> model = greenkgc.load("run")
    >>> vectors = model.embeddings()
    >>> vectors.bins.shape[0] == len(model.entities), vectors.bins.dtype.name, vectors.bins.flags.writeable
    (True, 'uint8', False)
    >>> rows = vectors.floats()
    >>> bool(rows[7, 3] == vectors.levels[3][vectors.bins[7, 3]])
    True
    """

    model: str
    """The embedding model that they were trained with: "rotate"."""
    dims: int
    reciprocal: bool
    """Whether the second half of the relations' rows are for asking backwards."""
    range_dims: int
    """How many of the last dimensions hold what a relation's answers are like: there the entity that asks does not count."""
    bins: NDArray[numpy.uint8]
    """Entities by columns: the model's own bytes, which cannot be written."""
    levels: List[NDArray[numpy.float32]]
    """For each column, the numbers that its bins stand for."""
    relations: NDArray[numpy.float32]
    """The relations' rows: the model's own floats, which cannot be written."""

    def __init__(self, native: _core.Model):
        found: dict[str, Any] = _core.model_vectors(native)
        self.model = found["model"]
        self.dims = found["dims"]
        self.reciprocal = found["reciprocal"]
        self.range_dims = found["range_dims"]
        self.bins = found["bins"]
        self.levels = found["levels"]
        self.relations = found["relations"]

    def floats(self) -> NDArray[numpy.float32]:
        """The entities' rows as numbers: a new array, four times the size of `bins`."""
        import numpy

        rows = numpy.empty(self.bins.shape, numpy.float32)
        for column, levels in enumerate(self.levels):
            rows[:, column] = levels[self.bins[:, column]]
        return rows

    def __repr__(self) -> str:
        return (f"<ModelEmbeddings: {self.model}, {self.dims} dimensions, {self.bins.shape[0]:,} entities, "
                f"{self.relations.shape[0]:,} rows of relations>")


class Embeddings:
    """Embeddings of a file, which is mapped: the arrays are views of it that cannot be written."""

    model: str
    similarity: str
    """How a query and a candidate are compared: "dot", "l2", "squared-l2", "l1" or "moduli"."""
    dims: int
    reciprocal: bool
    range_dims: int
    entities: NDArray[numpy.float32]
    relations: NDArray[numpy.float32]

    def __init__(self, native: _core.EmbeddingFile):
        self._native = native
        self.model = native.model()
        self.similarity = native.similarity()
        self.dims = native.dims()
        self.reciprocal = native.reciprocal()
        self.range_dims = native.range_dims()
        self.entities = native.entities()
        self.relations = native.relations()

    @property
    def entity_labels(self) -> Sequence[str]:
        """Whose the rows of `entities` are."""
        return self._native.entity_labels()

    @property
    def relation_labels(self) -> Sequence[str]:
        """Whose the rows of `relations` are; with reciprocal relations there are twice as many rows as labels."""
        return self._native.relation_labels()

    def __repr__(self) -> str:
        return (f"<Embeddings: {self.model}, {self.dims} dimensions, {self.entities.shape[0]:,} entities, "
                f"{self.relations.shape[0]:,} rows of relations>")


def embeddings(path: Path) -> Embeddings:
    """The embeddings of a run's folder, or of a file from `greenkgc embed`.

    >>> import greenkgc
    >>> vectors = greenkgc.embeddings("run")
    >>> vectors.entities.shape == (len(vectors.entity_labels), vectors.entities.shape[1])
    True
    >>> vectors.entities.dtype.name, vectors.entities.flags.writeable
    ('float32', False)
    """
    file = os.path.join(path, "embeddings.safetensors") if os.path.isdir(path) else path
    return Embeddings(_core.EmbeddingFile.open(file, _core.Call(0, 0, None)))
