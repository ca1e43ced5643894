"""Knowledge graph completion on ordinary CPUs.

>>> import greenkgc
>>> model = greenkgc.load("run")                    # or greenkgc.train("my.ttl", out="run")
>>> answers = model.predict_tails("Norway", "borders", k=3)
>>> [answer.answer in model.entities for answer in answers]
[True, True, True]

`train` trains a model from a graph, `load` opens one; a `Model` predicts, scores, explains, completes and evaluates.
Arguments and results use labels; results are lists of named tuples, which `.to_pandas()` turns into DataFrames. Errors
raise `greenkgc.Error`. The library's notes go to the logger "greenkgc".
"""
from . import _core
from ._call import Path, Triples
from ._dataset import Data, Dataset, InversePair, RelationStats, SplitStats, Stats, load_dataset
from ._embeddings import Embeddings, ModelEmbeddings, embeddings
from ._errors import Error
from ._evaluation import (Completion, CompletionFigures, Evaluation, NamedMetrics, RankMetrics, RelationCompletion,
                          ReliabilityBin)
from ._explanation import Contribution, Evidence, Explanation, FirstStage, Rival, SupportingFact
from ._labels import Labels
from ._model import Model, load, options, train
from ._progress import Progress
from ._results import Answer, Answers, Fact, Neighbor, Option, Predictions, Question, Score, Table

__version__: str = _core.build_info()["version"]

__all__ = [
    "Answer", "Answers", "Completion", "CompletionFigures", "Contribution", "Data", "Dataset", "Embeddings", "Error",
    "Evaluation", "Evidence", "Explanation", "Fact", "FirstStage", "InversePair", "Labels", "Model", "ModelEmbeddings",
    "NamedMetrics", "Neighbor", "Option", "Path", "Predictions", "Progress", "Question", "RankMetrics",
    "RelationCompletion", "RelationStats", "ReliabilityBin", "Rival", "Score", "SplitStats", "Stats", "SupportingFact", "Table", "Triples", "embeddings", "load", "load_dataset", "options", "train",
]
