"""Evaluation results."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, NamedTuple

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


def _metrics(ties: Dict[str, Any]) -> RankMetrics:
    return RankMetrics(ties["queries"], **ties["realistic"])


class Evaluation:
    """Metrics of a split. The figures combine head and tail queries; never quote them without `protocol`."""

    json: Dict[str, Any]
    """All results, as `greenkgc evaluate --json` prints them."""

    def __init__(self, json: Dict[str, Any]):
        self.json = json

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
        figures = self.both
        return (f"<Evaluation: {self.split}, {self.protocol}, {figures.queries:,} queries, MRR {figures.mrr:.4f}, "
                f"H@1 {figures.hits_at_1:.3f}, H@10 {figures.hits_at_10:.3f}>")
