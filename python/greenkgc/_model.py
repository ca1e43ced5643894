"""Training, loading and querying models."""
from __future__ import annotations

import json
import os
import shutil
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, List, Optional, Sequence

from . import _core
from ._call import DEFAULT_SEED, Path, ProgressArgument, Triples, rows_of, watched
from ._dataset import Data, native_data
from ._embeddings import ModelEmbeddings
from ._evaluation import Completion, Evaluation
from ._explanation import Explanation, explanation
from ._labels import Labels
from ._results import Answers, Fact, Neighbor, Option, Predictions, Question, Score, Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import EvaluateOptions, TrainOptions


class Model:
    """An open model file, which answers queries about the graph that it was trained on.

    Returned by `train` and `load`. Arguments and results are labels; an unknown label raises `Error` with hints.
    Calls are thread-safe and release the GIL. `k` = 0 returns all answers.
    """

    path: str
    """The file. If `train` was called without `out`, the file is deleted with the model; `save` keeps a copy."""

    def __init__(self, native: _core.Model, path: str, folder: Optional[tempfile.TemporaryDirectory[str]] = None):
        self._native = native
        self._folder = folder
        self.path = path

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
    def has_facts(self) -> bool:
        """Whether the model stores its training facts, so that known answers can be left out or marked."""
        return self._native.has_facts()

    @property
    def metrics(self) -> List[Evaluation]:
        """The metrics at the end of training, by split and protocol, from metrics.json in the run folder. Empty if
        there is no such file next to the model."""
        try:
            with open(os.path.join(os.path.dirname(self.path), "metrics.json"), encoding="utf-8") as file:
                measured = json.load(file)["metrics"]
        except FileNotFoundError:
            return []
        return [Evaluation(one) for one in measured if one["of"] == os.path.basename(self.path)]

    @property
    def completion_quality(self) -> Optional[Completion]:
        """How well the model found the test facts at the end of training, before it was given them, from metrics.json in
        the run folder. None if it was not measured or there is no such file.

        >>> import greenkgc
        >>> greenkgc.load("run").completion_quality.figures.hidden > 100
        True
        """
        try:
            with open(os.path.join(os.path.dirname(self.path), "metrics.json"), encoding="utf-8") as file:
                measured = json.load(file).get("completion")
        except FileNotFoundError:
            return None
        return Completion(measured) if measured is not None else None

    def predict_tails(self, head: str, relation: str, k: int = 10, *, include_known: bool = False, threads: int = 0,
                      progress: ProgressArgument = True) -> Answers:
        """Answers (head, relation, ?), best first. Known answers are left out, or marked with `include_known`.

        >>> import greenkgc
        >>> model = greenkgc.load("run")
        >>> answers = model.predict_tails("Norway", "borders", k=3, include_known=True)
        >>> len(answers), answers.question
        (3, Question(head='Norway', relation='borders', tail=None))
        >>> answers[0].answer in model.entities and 0 <= answers[0].probability <= 1
        True
        >>> list(answers.to_pandas().columns)
        ['answer', 'probability', 'margin', 'known']
        >>> model.predict_tails("Japan", "capital").known_left_out    # Tokyo, which the graph has
        1
        """
        return self.predict([(head, relation, None)], k, include_known=include_known, threads=threads,
                            progress=progress)[0]

    def predict_heads(self, relation: str, tail: str, k: int = 10, *, include_known: bool = False, threads: int = 0,
                      progress: ProgressArgument = True) -> Answers:
        """Answers (?, relation, tail), best first.

        >>> import greenkgc
        >>> len(greenkgc.load("run").predict_heads("official_language", "Portuguese", k=5))
        5
        """
        return self.predict([(None, relation, tail)], k, include_known=include_known, threads=threads,
                            progress=progress)[0]

    def predict_relations(self, head: str, tail: str, k: int = 10, *, include_known: bool = False, threads: int = 0,
                          progress: ProgressArgument = True) -> Answers:
        """Answers (head, ?, tail), most probable first.

        >>> import greenkgc
        >>> model = greenkgc.load("run")
        >>> model.predict_relations("Japan", "Tokyo", k=2, include_known=True)[0].answer in model.relations
        True
        """
        return self.predict([(head, None, tail)], k, include_known=include_known, threads=threads,
                            progress=progress)[0]

    def predict(self, questions: Iterable[Sequence[Optional[str]]], k: int = 10, *, include_known: bool = False,
                threads: int = 0, progress: ProgressArgument = True) -> Predictions:
        """Answers many queries at once, faster than one by one. A query is a triple with None for the missing part.

        >>> import greenkgc
        >>> both = greenkgc.load("run").predict([("Norway", "borders", None), (None, "capital", "Oslo")], k=2)
        >>> [len(answers) for answers in both]
        [2, 2]
        >>> both.to_pandas().shape
        (4, 7)
        """
        asked = list(questions)
        watch, call = watched(progress, threads)
        with watch:
            found = self._native.predict(asked, k, include_known, call)
        return Predictions(Answers(Question._make(question), answers, known_left_out)
                           for question, (answers, known_left_out) in zip(asked, found))

    def score(self, triples: Triples, *, threads: int = 0, progress: ProgressArgument = True) -> Table[Score]:
        """Returns the probability of each triple, in order. Takes tuples, or a DataFrame with head, relation and tail.

        >>> import greenkgc
        >>> model = greenkgc.load("run")
        >>> right, wrong = model.score([("Norway", "continent", "Europe"), ("Norway", "continent", "Oslo")])
        >>> right.probability > wrong.probability
        True
        """
        rows = list(rows_of(triples))
        watch, call = watched(progress, threads)
        with watch:
            return Table(Score, self._native.score(rows, call))

    def neighbors(self, entity: str, relation: Optional[str] = None, k: int = 10, *, threads: int = 0,
                  progress: ProgressArgument = True) -> Table[Neighbor]:
        """Returns the most similar entities, by all stored dimensions or by those that a relation's group keeps.

        >>> import greenkgc
        >>> len(greenkgc.load("run").neighbors("Norway", k=4))
        4
        """
        watch, call = watched(progress, threads)
        with watch:
            return Table(Neighbor, self._native.neighbors(entity, relation, k, call))

    def explain(self, head: str, relation: str, tail: str, k: int = 5, *, threads: int = 0,
                progress: ProgressArgument = True) -> Explanation:
        """Explains why a fact is likely or not, with at most `k` pieces of evidence and known facts.

        >>> import greenkgc
        >>> why = greenkgc.load("run").explain("Norway", "continent", "Europe")
        >>> print(str(why).splitlines()[0][:32])
        Norway continent Europe: probabi
        >>> why.known, len(why.evidence) <= 5
        (True, True)
        """
        watch, call = watched(progress, threads)
        with watch:
            return explanation((head, relation, tail), self._native.explain((head, relation, tail), k, call))

    def complete(self, relation: str | Sequence[str] | None = None, *, entity: str | Sequence[str] | None = None,
                 type: str | Sequence[str] | None = None, min_probability: float = 0, top: int = 1000,
                 exact: bool = False, only_gaps: bool = False, max_per_query: int = 0, max_queries: int = 0,
                 missing_share: float = 0, exclude: Path | Sequence[Path] = (), threads: int = 0,
                 progress: ProgressArgument = True) -> Table[Fact]:
        """Returns the most probable missing facts, of the given relations or of all relations.

        With `entity`, only facts that have one of these entities as head or tail; with `type`, only facts whose head
        has a known fact with one of these as tail, such as its class. `greenkgc.options("complete")` says what each
        option means. Facts in the files of `exclude` are not returned.

        >>> import greenkgc
        >>> new = greenkgc.load("run").complete("borders", top=5)
        >>> len(new), new[0]._fields
        (5, ('head', 'relation', 'tail', 'probability', 'margin'))
        """
        files = [exclude] if isinstance(exclude, (str, os.PathLike)) else exclude
        options = {"relation": relation, "entity": entity, "type": type, "min_probability": min_probability,
                   "top": top, "exact": exact, "only_gaps": only_gaps, "max_per_query": max_per_query,
                   "max_queries": max_queries, "missing_share": missing_share,
                   "exclude": [os.fspath(file) for file in files]}
        watch, call = watched(progress, threads)
        with watch:
            return Table(Fact, self._native.complete(options, call))

    def evaluate(self, data: Data, *, seed: int = DEFAULT_SEED, threads: int = 0, progress: ProgressArgument = True,
                 **options: Unpack[EvaluateOptions]) -> Evaluation:
        """Ranks the facts of a split of the data that the model was trained on, or any facts with labels of the model.

        A single file that the model was trained on is split by `seed`, which must be the seed of the training. For
        other data, all triples of a file, a list or a DataFrame are ranked, or the split of a folder; the facts in the
        model and in the data are the known ones. Unknown labels raise `Error`; with `skip_unknown=True` they are
        skipped and counted. `greenkgc.options("evaluate")` lists the options.

        With `task="completion"` the model completes its graph, and the facts of the split are looked for among what it
        proposes. It must not know them: use measured.gkgc of a run, or train with `final=False`.

        >>> import greenkgc
        >>> found = greenkgc.load("run").evaluate("world", sample=20)
        >>> found.protocol, found.both.queries, 0 < found.mrr <= 1
        ('filtered', 40, True)
        >>> greenkgc.load("run/measured.gkgc").evaluate("world", task="completion").completion
        <Completion: test, ... hidden facts, ... proposals, R-precision 0...>
        >>> greenkgc.load("run").evaluate([("Norway", "borders", "Sweden"), ("Japan", "capital", "Tokyo")]).both.queries
        4
        """
        watch, call = watched(progress, threads, seed)
        with watch:
            text = _core.evaluate(native_data(data, seed), self.path, options, call)
        return Evaluation(json.loads(text))

    def embeddings(self) -> ModelEmbeddings:
        """Returns the stored embeddings as numpy arrays, without copying."""
        return ModelEmbeddings(self._native)

    def save(self, path: Path) -> None:
        """Copies the model file. The copy is atomic: it is complete or does not exist.

        >>> import greenkgc
        >>> greenkgc.load("run").save("copy.gkgc")
        >>> greenkgc.load("copy.gkgc")
        <Model copy.gkgc: 2,..., with facts>
        """
        beside = f"{os.fspath(path)}.part"
        shutil.copyfile(self.path, beside)
        os.replace(beside, path)

    def __reduce__(self) -> Any:
        return load, (self.path,)

    def __repr__(self) -> str:
        native = self._native
        return (f"<Model {self.path}: {native.entity_count():,} entities, {native.relation_count():,} relations, "
                f"{'with' if native.has_facts() else 'without'} facts>")


def load(path: Path) -> Model:
    """Opens a model: a file, or a run folder, which contains model.gkgc.

    >>> import greenkgc
    >>> greenkgc.load("run")
    <Model run/model.gkgc: 2,... entities, ... relations, with facts>
    """
    file = os.path.join(path, "model.gkgc") if os.path.isdir(path) else os.fspath(path)
    return Model(_core.Model.open(file, _core.Call(0, DEFAULT_SEED, None)), file)


def train(data: Data, *, out: Optional[Path] = None, resume: bool = False, seed: int = DEFAULT_SEED, threads: int = 0,
          progress: ProgressArgument = True, **options: Unpack[TrainOptions]) -> Model:
    """Trains a model from a graph: a path or "world" as for `load_dataset`, a Dataset, triples, or a DataFrame.

    `out` is the run folder, which keeps everything that the model was made from and can be resumed. Without it, the run
    uses a temporary folder that is deleted with the model.

    Options are those of `greenkgc train`, with underscores. Options of a step go into a dict, `embed={"rate": 0.1}`;
    if only one step has the option, `dims=64` is enough. `greenkgc.options("train")` lists them. Ctrl-C stops a
    training within a second; use `out` and `resume` to continue it later.

    >>> import greenkgc
    >>> model = greenkgc.train("world", second_stage="no", dims=8, epochs=2, keep_dims=8, decide={"trees": 5})
    >>> model.predict_tails("Norway", "borders", k=1)[0].answer in model.entities
    True
    >>> greenkgc.train("world", dimz=64)
    Traceback (most recent call last):
        ...
    greenkgc.Error: train() has no option 'dimz'; did you mean dims?
    """
    folder = tempfile.TemporaryDirectory(prefix="greenkgc-") if out is None else None
    place = os.path.join(folder.name, "run") if folder is not None else os.fspath(out)  # type: ignore[arg-type]
    watch, call = watched(progress, threads, seed)
    with watch:
        _core.train(native_data(data, seed), place, resume, options, call)
    file = os.path.join(place, "model.gkgc")
    return Model(_core.Model.open(file, _core.Call(0, seed, None)), file, folder)


def options(function: str, data: Optional[Data] = None, *, seed: int = DEFAULT_SEED,
            **given: Unpack[TrainOptions]) -> Table[Option]:
    """Lists the options of "train", "evaluate", "complete", "load_dataset" or "write": type, default, meaning, range.

    For "train", the defaults are the values that a training would use with the given preset and options: for the graph
    `data`, or else for a graph of medium size with validation facts; `by_data` marks those that depend on the graph.

    >>> import greenkgc
    >>> [option.name for option in greenkgc.options("complete")]
    ['relation', 'entity', 'type', 'min_probability', ..., 'max_queries', 'missing_share', 'exclude']
    >>> {option.stage + "." + option.name: option.default for option in greenkgc.options("train", preset="paper")
    ...  if option.name in ("dims", "keep_dims")}
    {'embed.dims': 500, 'prune.keep_dims': 32}
    """
    call = _core.Call(0, seed, None)
    return Table(Option, _core.options(function, None if data is None else native_data(data, seed), given, call))
