"""Explanations of facts."""
from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import Any, List, Mapping, NamedTuple, Optional, Tuple

Triple = Tuple[str, str, str]


@dataclass(frozen=True)
class Evidence:
    """A pattern in the known facts, without the explained one, that supports an answer: of `of` cases like this one,
    `holds` are facts. `kind` is "path", "attribute" or "mirror" (see docs/answers.md)."""

    kind: str
    confidence: float
    holds: int
    of: int
    sampled: bool
    sentence: str
    facts: List[Triple]


@dataclass(frozen=True)
class Rival:
    """An alternative tail, and the best evidence for it, if there is any."""

    tail: str
    probability: float
    margin: float
    evidence: Optional[Evidence]


class Contribution(NamedTuple):
    """What the tree splits on one dimension add to the first stage's score (log-odds), by part of the fact."""

    dimension: int
    head: float
    relation: float
    tail: float


class SupportingFact(NamedTuple):
    """A known fact that differs in head or tail, and the cosine between the two entities."""

    fact: Triple
    similarity: float


@dataclass(frozen=True)
class FirstStage:
    """The first stage's score of the fact. `margin` (log-odds) is the sum of `base`, `trees_expected` and the
    contributions."""

    probability: float
    margin: float
    tail_rank: float
    head_rank: float
    base: Mapping[str, float]
    trees_expected: float
    dimensions: List[Contribution]
    support: List[SupportingFact]


@dataclass(frozen=True)
class Explanation:
    """Explains why a fact is likely or not; `print` shows it in sentences. A known fact is not evidence for itself.

    Evidence, base rate, alternatives (`rivals`) and evidence against it come from the second stage; a one-stage model
    has none."""

    head: str
    relation: str
    tail: str
    probability: float
    margin: float
    known: bool
    tail_rank: float
    head_rank: float
    evidence: List[Evidence]
    base_rate: Optional[str]
    rivals: List[Rival]
    against: List[str]
    first_stage: FirstStage

    def __str__(self) -> str:
        lines = [f"{self.head} {self.relation} {self.tail}: probability {self.probability:.4f}"
                 + (", a known fact" if self.known else ""),
                 f"rank {self.tail_rank:g} among tails, {self.head_rank:g} among heads"]
        if self.base_rate is not None:
            lines.append("Evidence for it")
            lines += [_item(f"{piece.confidence:.2f}", piece.sentence) for piece in self.evidence]
            lines.append(_item("base", self.base_rate))
            lines.append("Evidence against it")
            lines += [_item("-", sentence) for sentence in self.against]
        return "\n".join(lines)


def _item(label: str, text: str) -> str:
    return textwrap.fill(text, 100, initial_indent=f"  {label}  ", subsequent_indent=" " * (len(label) + 4),
                         break_long_words=False, break_on_hyphens=False)


def explanation(fact: Triple, found: Mapping[str, Any]) -> Explanation:
    """Converts the native result."""
    grounds = found["grounds"] or {"evidence": [], "base_rate": None, "rivals": [], "against": []}
    first = dict(found["first_stage"])
    first["dimensions"] = [Contribution._make(one) for one in first["dimensions"]]
    first["support"] = [SupportingFact._make(one) for one in first["support"]]
    rivals = [Rival(rival["tail"], rival["probability"], rival["margin"],
                    rival["evidence"] and Evidence(**rival["evidence"])) for rival in grounds["rivals"]]
    return Explanation(
        *fact, found["probability"], found["margin"], found["known"], found["tail_rank"], found["head_rank"],
        [Evidence(**piece) for piece in grounds["evidence"]], grounds["base_rate"], rivals, grounds["against"],
        FirstStage(**first))
