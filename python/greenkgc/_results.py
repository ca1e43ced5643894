"""Results: lists of named tuples that can be shown as tables."""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Callable, Iterable, List, NamedTuple, Optional, Tuple, Type, TypeVar

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row", bound=Tuple[Any, ...])
_SHOWN = 20  # rows of a table
_WIDEST = 60  # characters of a cell


class Answer(NamedTuple):
    """One answer to a query."""

    answer: str
    probability: float
    margin: float
    known: bool


class Fact(NamedTuple):
    """A probable fact that is not known."""

    head: str
    relation: str
    tail: str
    probability: float
    margin: float


class Score(NamedTuple):
    """A fact's probability and score (log-odds, `margin`)."""

    probability: float
    margin: float


class Neighbor(NamedTuple):
    """A similar entity, and the cosine between the two."""

    entity: str
    similarity: float


class Question(NamedTuple):
    """A query: a fact whose missing part is None."""

    head: Optional[str]
    relation: Optional[str]
    tail: Optional[str]


class Option(NamedTuple):
    """An option of a function: a keyword of that name or, with a stage (step of training), an entry of its dict.

    `default` is the value that is used if the option is not given; if `by_data` is true, it depends on the graph
    (`options("train", data=...)` lists the defaults for a graph). `aliases` are other names of the option.
    """

    stage: str
    name: str
    type: str
    default: Any
    help: str
    least: Optional[float]
    most: Optional[float]
    choices: List[str]
    aliases: List[str]
    by_data: bool


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) < 1e6 else f"{value:g}"
    text = "" if value is None else ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."


class Table(List[Row]):
    """A list of named tuples that prints as a table, in a notebook too.

    >>> table = Table(Neighbor, [("Sweden", 0.9712), ("Iceland", 0.9)])
    >>> print(table)
    entity   similarity
    Sweden       0.9712
    Iceland      0.9000
    >>> table[0].entity
    'Sweden'
    >>> table.to_pandas().columns.tolist()
    ['entity', 'similarity']
    """

    columns: Tuple[str, ...]

    def __init__(self, row_type: Type[Row], rows: Iterable[Iterable[Any]] = ()):
        make: Callable[[Iterable[Any]], Row] = getattr(row_type, "_make")
        super().__init__(map(make, rows))
        self.columns = getattr(row_type, "_fields")

    def to_pandas(self) -> pandas.DataFrame:
        """Converts the table to a DataFrame; needs pandas."""
        import pandas

        return pandas.DataFrame.from_records(list(self), columns=list(self.columns))

    def __str__(self) -> str:
        rows = [[_cell(value) for value in row] for row in self[:_SHOWN]]
        if not rows:
            return "(nothing)"
        numeric = [isinstance(value, (int, float)) for value in self[0]]
        widths = [max(map(len, column)) for column in zip(self.columns, *rows)]
        lines = ["  ".join(text.rjust(width) if right else text.ljust(width)
                           for text, width, right in zip(cells, widths, numeric)).rstrip()
                 for cells in [list(self.columns), *rows]]
        if len(self) > _SHOWN:
            lines.append(f"... and {len(self) - _SHOWN:,} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def line(cells: Iterable[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(line(map(_cell, row), "td") for row in self[:_SHOWN])
        more = f"<p>and {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        return f"<table><thead>{line(self.columns, 'th')}</thead><tbody>{body}</tbody></table>{more}"


class Answers(Table[Answer]):
    """Answers to one query, best first."""

    question: Question
    known_left_out: int
    """Number of known answers to the query that are left out; `include_known` lists them."""

    def __init__(self, question: Question, answers: Iterable[Iterable[Any]] = (), known_left_out: int = 0):
        super().__init__(Answer, answers)
        self.question = question
        self.known_left_out = known_left_out

    def __str__(self) -> str:
        """The table, and a line about known answers that are not in it.

        >>> print(Answers(Question("Japan", "capital", None), [("Nagasaki", 0.01, -4.6, False)], 1))
        answer    probability   margin  known
        Nagasaki       0.0100  -4.6000  False
        1 known answer is not shown; include_known=True shows it
        """
        if self.known_left_out == 0:
            return super().__str__()
        one = self.known_left_out == 1
        return (f"{super().__str__()}\n{self.known_left_out:,} known {'answer is' if one else 'answers are'} not shown; "
                f"include_known=True shows {'it' if one else 'them'}")

    def facts(self) -> List[Tuple[str, str, str]]:
        """The query's fact, completed with each answer.

        >>> Answers(Question("Norway", "borders", None), [("Sweden", 0.9, 3.1, True)]).facts()
        [('Norway', 'borders', 'Sweden')]
        """
        head, relation, tail = self.question
        return [(answer.answer if head is None else head, answer.answer if relation is None else relation,
                 answer.answer if tail is None else tail) for answer in self]


class Predictions(List[Answers]):
    """Answers to many queries, in the order of the queries."""

    def to_pandas(self) -> pandas.DataFrame:
        """One row per answer: head, relation, tail, rank, probability, margin (log-odds), known; needs pandas."""
        import pandas

        rows = [(*fact, rank, *answer[1:]) for answers in self
                for rank, (fact, answer) in enumerate(zip(answers.facts(), answers), 1)]
        return pandas.DataFrame.from_records(
            rows, columns=["head", "relation", "tail", "rank", "probability", "margin", "known"])
