# Written by scripts/python_options.py; options(function) says what each means.
from typing import Literal, Optional, Sequence, TypedDict, Union

EmbedStage = TypedDict('EmbedStage', {
    'model': Optional[Literal['transe', 'distmult', 'complex', 'rotate']],
    'similarity': Optional[Literal['auto', 'dot', 'l2', 'squared-l2', 'l1', 'moduli']],
    'dims': Optional[int],
    'range_share': Optional[float],
    'loss': Optional[Literal['self-adversarial', 'softmax']],
    'margin': Optional[float],
    'temperature': Optional[float],
    'subsampling': Optional[bool],
    'question_power': Optional[float],
    'batch': Optional[int],
    'negatives': Optional[int],
    'negative_sampling': Optional[Literal['uniform', 'frequency']],
    'mask_known': Optional[bool],
    'n3': Optional[float],
    'l2': Optional[float],
    'dura': Optional[float],
    'reciprocal': Optional[bool],
    'optimiser': Optional[Literal['adagrad', 'adagrad-row']],
    'rate': Optional[float],
    'lr': Optional[float],
    'learning_rate': Optional[float],
    'warm_up': Optional[float],
    'final_rate': Optional[float],
    'epochs': Optional[int],
    'init_scale': Optional[float],
    'valid_sample': Optional[int],
    'valid_every': Optional[int],
    'patience': Optional[int],
}, total=False)

PruneStage = TypedDict('PruneStage', {
    'groups': Optional[str],
    'max_groups': Optional[int],
    'group_gain': Optional[float],
    'keep_dims': Optional[int],
    'scope': Optional[Literal['group', 'global']],
    'selector': Optional[Literal['dft', 'dft-reversed', 'random', 'variance', 'forest', 'none']],
    'projection': Optional[Literal['logistic', 'pca']],
    'bins': Optional[int],
    'max_facts': Optional[int],
    'phase_form': Optional[Literal['angle', 'cos-sin']],
    'store': Optional[Union[str, Sequence[str]]],
    'refit_epochs': Optional[int],
    'refit_rate': Optional[float],
}, total=False)

DecideStage = TypedDict('DecideStage', {
    'negatives': Optional[str],
    'negatives_per_side': Optional[int],
    'leave_out': Optional[float],
    'pool_factor': Optional[int],
    'classifier': Optional[Literal['boosting', 'forest', 'tree']],
    'engine': Optional[Literal['native', 'xgboost']],
    'objective': Optional[Literal['log-loss', 'softmax']],
    'trees': Optional[int],
    'depth': Optional[int],
    'rate': Optional[float],
    'lr': Optional[float],
    'learning_rate': Optional[float],
    'lambda': Optional[float],
    'gamma': Optional[float],
    'min_child_weight': Optional[float],
    'row_share': Optional[float],
    'column_share': Optional[float],
    'bins': Optional[int],
    'base_margin': Optional[bool],
    'max_facts': Optional[int],
    'held_out': Optional[int],
    'stop_metric': Optional[Literal['auc-pr', 'loss', 'valid-mrr']],
    'patience': Optional[int],
    'evaluate_every': Optional[int],
    'valid_sample': Optional[int],
    'mrr_every': Optional[int],
    'search': Optional[bool],
    'calibration': Optional[Literal['auto', 'isotonic', 'platt', 'none']],
    'with_facts': Optional[bool],
}, total=False)

RerankStage = TypedDict('RerankStage', {
    'labels': Optional[Literal['heldout', 'valid']],
    'held_out_share': Optional[float],
    'max_questions': Optional[int],
    'links': Optional[bool],
    'list_size': Optional[int],
    'first_best': Optional[int],
    'objective': Optional[Literal['softmax', 'log-loss']],
    'trees': Optional[int],
    'depth': Optional[int],
    'rate': Optional[float],
    'lr': Optional[float],
    'learning_rate': Optional[float],
    'lambda': Optional[float],
    'min_child_weight': Optional[float],
    'list_share': Optional[float],
    'column_share': Optional[float],
    'bins': Optional[int],
    'early_share': Optional[float],
    'patience': Optional[int],
    'valid_sample': Optional[int],
}, total=False)

class TrainOptions(TypedDict, total=False):
    preset: Optional[Literal['light', 'paper', 'accurate']]
    recipe: Optional[Literal['auto', 'fb15k-237-transe', 'fb15k-237-rotate', 'fb15k-237-rotate-range', 'fb15k-237-complex', 'fb15k-237-distmult', 'fb15k-237-transe-32', 'fb15k-237-rotate-32', 'fb15k-237-complex-32', 'fb15k-237-complex-range-32', 'fb15k-237-distmult-32', 'wn18rr-transe', 'wn18rr-rotate', 'wn18rr-rotate-range', 'wn18rr-complex', 'wn18rr-distmult', 'wn18rr-transe-32', 'wn18rr-rotate-32', 'wn18rr-complex-32', 'wn18rr-distmult-32']]
    second_stage: Optional[Literal['auto', 'yes', 'no']]
    final: Optional[bool]
    negatives: Optional[Union[str, Sequence[str]]]
    format: Optional[Literal['auto', 'tsv', 'csv', 'dict', 'openke', 'libkge', 'nt', 'ttl', 'nq', 'trig']]
    keep_literals: Optional[bool]
    valid_share: Optional[float]
    test_share: Optional[float]
    embed: Optional[EmbedStage]
    prune: Optional[PruneStage]
    decide: Optional[DecideStage]
    rerank: Optional[RerankStage]
    model: Optional[Literal['transe', 'distmult', 'complex', 'rotate']]
    similarity: Optional[Literal['auto', 'dot', 'l2', 'squared-l2', 'l1', 'moduli']]
    dims: Optional[int]
    range_share: Optional[float]
    loss: Optional[Literal['self-adversarial', 'softmax']]
    margin: Optional[float]
    temperature: Optional[float]
    subsampling: Optional[bool]
    question_power: Optional[float]
    batch: Optional[int]
    negative_sampling: Optional[Literal['uniform', 'frequency']]
    mask_known: Optional[bool]
    n3: Optional[float]
    l2: Optional[float]
    dura: Optional[float]
    reciprocal: Optional[bool]
    optimiser: Optional[Literal['adagrad', 'adagrad-row']]
    warm_up: Optional[float]
    final_rate: Optional[float]
    epochs: Optional[int]
    init_scale: Optional[float]
    valid_every: Optional[int]
    groups: Optional[str]
    max_groups: Optional[int]
    group_gain: Optional[float]
    keep_dims: Optional[int]
    scope: Optional[Literal['group', 'global']]
    selector: Optional[Literal['dft', 'dft-reversed', 'random', 'variance', 'forest', 'none']]
    projection: Optional[Literal['logistic', 'pca']]
    phase_form: Optional[Literal['angle', 'cos-sin']]
    store: Optional[Union[str, Sequence[str]]]
    refit_epochs: Optional[int]
    refit_rate: Optional[float]
    negatives_per_side: Optional[int]
    leave_out: Optional[float]
    pool_factor: Optional[int]
    classifier: Optional[Literal['boosting', 'forest', 'tree']]
    engine: Optional[Literal['native', 'xgboost']]
    gamma: Optional[float]
    row_share: Optional[float]
    base_margin: Optional[bool]
    held_out: Optional[int]
    stop_metric: Optional[Literal['auc-pr', 'loss', 'valid-mrr']]
    evaluate_every: Optional[int]
    mrr_every: Optional[int]
    search: Optional[bool]
    calibration: Optional[Literal['auto', 'isotonic', 'platt', 'none']]
    with_facts: Optional[bool]
    labels: Optional[Literal['heldout', 'valid']]
    held_out_share: Optional[float]
    max_questions: Optional[int]
    links: Optional[bool]
    list_size: Optional[int]
    first_best: Optional[int]
    list_share: Optional[float]
    early_share: Optional[float]

class EvaluateOptions(TypedDict, total=False):
    task: Optional[Literal['ranking', 'completion']]
    split: Optional[Literal['train', 'valid', 'test']]
    protocol: Optional[Literal['filtered', 'raw', 'range', 'paper']]
    self_answers: Optional[bool]
    sample: Optional[int]
    calibration_sample: Optional[int]
    sample_heads: Optional[int]
    skip_unknown: Optional[bool]
    format: Optional[Literal['auto', 'tsv', 'csv', 'dict', 'openke', 'libkge', 'nt', 'ttl', 'nq', 'trig']]
    keep_literals: Optional[bool]
    valid_share: Optional[float]
    test_share: Optional[float]

class LoadDatasetOptions(TypedDict, total=False):
    format: Optional[Literal['auto', 'tsv', 'csv', 'dict', 'openke', 'libkge', 'nt', 'ttl', 'nq', 'trig']]
    keep_literals: Optional[bool]
    valid_share: Optional[float]
    test_share: Optional[float]

class WriteOptions(TypedDict, total=False):
    to: Optional[Literal['auto', 'tsv', 'csv', 'dict', 'openke', 'libkge', 'nt', 'ttl', 'nq', 'trig', 'safetensors', 'npy', 'word2vec']]
    split: Optional[Literal['auto', 'all', 'train', 'valid', 'test']]
    compress: Optional[Literal['none', 'gz', 'zst']]
