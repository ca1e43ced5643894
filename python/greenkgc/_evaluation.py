"""Evaluation results."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional

from ._results import Table

if TYPE_CHECKING:
    import pandas


class RankMetrics(NamedTuple):
    """Metrics over queries; ties count with their mean rank."""

    queries: int
    mrr: float
    mr: float
    hits_at_1: float
    hits_at_3: float
    hits_at_10: float


class NamedMetrics(NamedTuple):
    """Metrics of one part: "both", "head" (head queries), "tail", "1-N head" and so on, or a relation's label."""

    part: str
    queries: int
    mrr: float
    mr: float
    hits_at_1: float
    hits_at_3: float
    hits_at_10: float


class CompletionFigures(NamedTuple):
    """How many of the proposed facts are among hidden facts. The shares `precision_90` and `precision_50` are those of
    the `n_90` and `n_50` proposals with a probability of at least 0.9 and 0.5; None if there are none."""

    hidden: int
    proposals: int
    r_precision: float
    average_precision: float
    recall: float
    precision_90: Optional[float]
    n_90: int
    precision_50: Optional[float]
    n_50: int
    calibration_error: float
    calibration_error_all: float
    second_values: float


class RelationCompletion(NamedTuple):
    """The same for one relation. Shares are 0 if none of its facts is hidden."""

    relation: str
    hidden: int
    proposals: int
    r_precision: float
    average_precision: float
    recall: float
    precision_50: Optional[float]
    n_50: int


class ReliabilityBin(NamedTuple):
    """Proposals with a probability from `start` to `end`: their number, how many are hidden facts, their mean probability,
    and the share that are hidden facts."""

    start: float
    end: float
    candidates: int
    facts: int
    predicted: float
    observed: float


def _metrics(ties: Dict[str, Any]) -> RankMetrics:
    return RankMetrics(ties["queries"], **ties["realistic"])


class Completion:
    """How well a model finds hidden facts. A proposal that is not hidden counts as false, so unless everything true is
    written down, the figures are lower bounds."""

    json: Dict[str, Any]
    """All of it, as the object `completion` of metrics.json."""

    def __init__(self, json: Dict[str, Any]):
        self.json = json

    @property
    def split(self) -> str:
        """The split that has the hidden facts, or "all"."""
        return str(self.json["split"])

    @property
    def figures(self) -> CompletionFigures:
        """The figures over all relations."""
        return CompletionFigures(*(self.json[name] for name in CompletionFigures._fields))

    @property
    def relations(self) -> Table[RelationCompletion]:
        """The figures of each relation, most hidden facts first."""
        return Table(RelationCompletion, [tuple(row[name] for name in RelationCompletion._fields)
                                          for row in self.json["relations"]])

    @property
    def bins(self) -> Table[ReliabilityBin]:
        """Whether the probabilities are what they say, by tenths."""
        return Table(ReliabilityBin, [tuple(row.values()) for row in self.json["bins"]])

    def to_pandas(self) -> pandas.DataFrame:
        """`relations` as a DataFrame; needs pandas."""
        return self.relations.to_pandas()

    def __repr__(self) -> str:
        figures = self.figures
        return (f"<Completion: {self.split}, {figures.hidden:,} hidden facts, {figures.proposals:,} proposals, "
                f"R-precision {figures.r_precision:.4f}>")


class Evaluation:
    """Metrics of a split. The figures combine head and tail queries; never quote them without `protocol`.

    That of the task "completion" has `split`, `completion` and `json` alone.
    """

    json: Dict[str, Any]
    """All results, as `greenkgc evaluate --json` prints them."""

    def __init__(self, json: Dict[str, Any]):
        self.json = json

    @property
    def completion(self) -> Optional[Completion]:
        """How well the model finds hidden facts; None for the task "ranking"."""
        return Completion(self.json) if self.json.get("task") == "completion" else None

    @property
    def protocol(self) -> str:
        """Which candidates were ranked: "filtered", "raw", "range" or "paper" (see docs)."""
        return str(self.json["protocol"])

    @property
    def split(self) -> str:
        return str(self.json["split"])

    @property
    def both(self) -> RankMetrics:
        """Metrics of head and tail queries together."""
        return _metrics(self.json["both"])

    @property
    def head(self) -> RankMetrics:
        """Metrics of head queries."""
        return _metrics(self.json["head"])

    @property
    def tail(self) -> RankMetrics:
        """Metrics of tail queries."""
        return _metrics(self.json["tail"])

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank of head and tail queries."""
        return self.both.mrr

    @property
    def parts(self) -> Table[NamedMetrics]:
        """Metrics by side, and by relation category and side."""
        parts = {side: self.json[side] for side in ("both", "head", "tail")}
        for category, sides in self.json["categories"].items():
            parts.update({f"{category} {side}": sides[side] for side in ("head", "tail")})
        return Table(NamedMetrics, [(name, *_metrics(ties)) for name, ties in parts.items() if ties["queries"] > 0])

    def to_pandas(self) -> pandas.DataFrame:
        """`parts` as a DataFrame; needs pandas."""
        return self.parts.to_pandas()

    def __repr__(self) -> str:
        if self.completion is not None:
            return f"<Evaluation: {self.completion!r}>"
        figures = self.both
        return (f"<Evaluation: {self.split}, {self.protocol}, {figures.queries:,} queries, MRR {figures.mrr:.4f}, "
                f"H@1 {figures.hits_at_1:.3f}, H@10 {figures.hits_at_10:.3f}>")
