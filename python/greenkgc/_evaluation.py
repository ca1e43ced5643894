"""How good a model is."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, NamedTuple

from ._results import Table

if TYPE_CHECKING:
    import pandas


class RankMetrics(NamedTuple):
    """Over queries, ties at their mean rank."""

    queries: int
    mrr: float
    mr: float
    hits_at_1: float
    hits_at_3: float
    hits_at_10: float


class NamedMetrics(NamedTuple):
    """The same of one part: "both", "head" (asked for the head), "tail", "1-N head" and so on, or a relation's label."""

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
    """Ranks of a split's facts, summed up. Figures are those of both sides; never quote them without `protocol`."""

    json: Dict[str, Any]
    """All of it, as `greenkgc evaluate --json` prints it."""

    def __init__(self, json: Dict[str, Any]):
        self.json = json

    @property
    def protocol(self) -> str:
        """What the candidates were: "filtered", "raw", "range", or "paper", where the answer is exempt."""
        return str(self.json["protocol"])

    @property
    def split(self) -> str:
        return str(self.json["split"])

    @property
    def both(self) -> RankMetrics:
        """Both sides."""
        return _metrics(self.json["both"])

    @property
    def head(self) -> RankMetrics:
        """Of the questions for heads."""
        return _metrics(self.json["head"])

    @property
    def tail(self) -> RankMetrics:
        """Of the questions for tails."""
        return _metrics(self.json["tail"])

    @property
    def mrr(self) -> float:
        """Mean reciprocal rank, both sides."""
        return self.both.mrr

    @property
    def parts(self) -> Table[NamedMetrics]:
        """Sides, and categories of relations by side."""
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
