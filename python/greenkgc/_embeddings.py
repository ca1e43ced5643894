"""Embeddings of entities and relations as numpy arrays; needs numpy."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, Sequence

from . import _core
from ._call import Path

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class ModelEmbeddings:
    """The quantized embeddings that a model stores; row e belongs to entity e.

    A model stores one byte for each number of an entity: the index of a level of its column. `bins` is a view of these
    bytes; `floats()` decodes them. Column v * dims + d is variable v of dimension d.

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
    """The scorer that they were trained with, such as "rotate"."""
    dims: int
    reciprocal: bool
    """Whether the second half of the relations' rows are reciprocal relations."""
    range_dims: int
    """Number of answer-prior dimensions, the last ones, in which the known entity is ignored."""
    bins: NDArray[numpy.uint8]
    """Entities by columns: a read-only view of the model's bytes."""
    levels: List[NDArray[numpy.float32]]
    """For each column, the values of its bins."""
    relations: NDArray[numpy.float32]
    """The relations' rows: a read-only view of the model's floats."""

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
        """Returns the entities' rows as floats: a new array, four times the size of `bins`."""
        import numpy

        rows = numpy.empty(self.bins.shape, numpy.float32)
        for column, levels in enumerate(self.levels):
            rows[:, column] = levels[self.bins[:, column]]
        return rows

    def __repr__(self) -> str:
        return (f"<ModelEmbeddings: {self.model}, {self.dims} dimensions, {self.bins.shape[0]:,} entities, "
                f"{self.relations.shape[0]:,} rows of relations>")


class Embeddings:
    """Embeddings in a memory-mapped file; the arrays are read-only views of it."""

    model: str
    similarity: str
    """How a query is compared with a candidate: "dot", "l2", "squared-l2", "l1" or "moduli"."""
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
        """The labels of the rows of `entities`."""
        return self._native.entity_labels()

    @property
    def relation_labels(self) -> Sequence[str]:
        """The labels of the rows of `relations`; with reciprocal relations there are twice as many rows as labels."""
        return self._native.relation_labels()

    def __repr__(self) -> str:
        return (f"<Embeddings: {self.model}, {self.dims} dimensions, {self.entities.shape[0]:,} entities, "
                f"{self.relations.shape[0]:,} rows of relations>")


def embeddings(path: Path) -> Embeddings:
    """Opens the embeddings of a run folder, or of a file from `greenkgc embed`.

    >>> import greenkgc
    >>> vectors = greenkgc.embeddings("run")
    >>> vectors.entities.shape == (len(vectors.entity_labels), vectors.entities.shape[1])
    True
    >>> vectors.entities.dtype.name, vectors.entities.flags.writeable
    ('float32', False)
    """
    file = os.path.join(path, "embeddings.safetensors") if os.path.isdir(path) else path
    return Embeddings(_core.EmbeddingFile.open(file, _core.Call(0, 0, None)))
