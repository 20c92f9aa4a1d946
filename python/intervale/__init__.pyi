# SPDX-License-Identifier: Apache-2.0
# Written by tools/python_stubs.py from the options of the library.
import os
from os import PathLike
from typing import (Any, Callable, Dict, Iterator, List, Literal, Mapping, Optional, Sequence,
                    Union)

Path = Union[str, bytes, "os.PathLike[str]"]
__version__: str

class BadArgument(Error, ValueError):
    code: int

class BadFile(Error, ValueError):
    code: int

class Cancelled(Error):
    code: int

class Error(Exception):
    code: int

class FileFailure(Error, OSError):
    code: int

class NoData(Error, ValueError):
    code: int

class NotAccurate(Error, ArithmeticError):
    code: int

class OutOfMemory(Error, MemoryError):
    code: int

class Table:
    name: str
    columns: List[str]
    about: Dict[str, Optional[str]]
    def __init__(self, handle: Any, owner: Any) -> None: ...
    def __reduce__(self) -> Any: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __getitem__(self, at: Any) -> Any: ...
    def __eq__(self, other: Any) -> bool: ...
    def __repr__(self) -> str: ...
    def __arrow_c_stream__(self, requested_schema: Any = ...) -> Any: ...
    def to_dict(self) -> Dict[str, List[Any]]: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def to_arrow(self) -> Any: ...

class Result:
    sentence: str
    verdict: Optional[str]
    method: Optional[str]
    has_charts: bool
    notes: List[str]
    methods: List[str]
    assumptions: List[str]
    references: List[str]
    messages: List[Dict[str, Any]]
    citations: List[Dict[str, Any]]
    tables: Dict[str, Table]
    failed: Optional[Error]
    form: str
    def __init__(self, handle: Any, inputs: Any = ...) -> None: ...
    def __getattr__(self, name: Any) -> Any: ...
    def __reduce__(self) -> Any: ...
    def __dir__(self) -> List[str]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __repr__(self) -> str: ...
    def __str__(self) -> str: ...
    def table(self, name: Optional[str] = ...) -> Table: ...
    def to_pandas(self, table: Optional[str] = ...) -> Any: ...
    def to_polars(self, table: Optional[str] = ...) -> Any: ...
    def __arrow_c_stream__(self, requested_schema: Any = ...) -> Any: ...
    def to(self, format: str = ..., table: Optional[str] = ...) -> str: ...
    def report(self) -> str: ...
    def to_html(self) -> str: ...
    def vega(self, table: Optional[str] = ...) -> Dict[str, Any]: ...
    def save(self, path: Path, format: Optional[str] = ..., table: Optional[str] = ...) -> None: ...
    def plot(self, table: Optional[str] = ..., ax: Any = ...) -> Any: ...

class RelevanceEvaluator:
    def __init__(
        self,
        query_relevance: Any,
        measures: Any,
        relevance_level: int = ...,
        judged_docs_only_flag: bool = ...,
        groups: bool = ...,
        depth: int = ...,
    ) -> None: ...
    def evaluate(self, scores: Any) -> Dict[str, Dict[str, float]]: ...

def agree(
    judgments: Any = ...,
    runs: Any = ...,
    *,
    orders: Sequence[Any] = ...,
    labels: Any = ...,
    assessors: Any = ...,
    other: Any = ...,
    reproduced: Any = ...,
    baseline: str | PathLike[str] | None = ...,
    by: Literal['auto', 'systems', 'topics'] | None = ...,
    confidence: float | None = ...,
    judge_level: int | None = ...,
    level: int | None = ...,
    measure: str | PathLike[str] | None = ...,
    other_measure: str | PathLike[str] | None = ...,
    persistence: float | None = ...,
    scale: Literal['auto', 'nominal', 'ordinal', 'interval'] | None = ...,
    weights: Literal['plain', 'linear', 'quadratic'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def check(
    files: Any,
    *,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    most: int | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def compare(
    judgments: Any = ...,
    runs: Any = ...,
    measures: Any = ...,
    *,
    matrix: Optional[Path] = ...,
    also: str | PathLike[str] | None = ...,
    alternative: Literal['two-sided', 'greater', 'less'] | None = ...,
    baseline: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    binary: bool | None = ...,
    by: Literal['auto', 'systems', 'topics'] | None = ...,
    ci: Literal['auto', 'none', 'logit', 'percentile', 'bca', 't', 'logit-t', 'bootstrap-t', 'wilson', 'exact', 'bounded'] | None = ...,
    columns: Mapping[str, str] | str | Sequence[str] | None = ...,
    compat: Literal['9', '10'] | None = ...,
    complete: bool | None = ...,
    confidence: float | None = ...,
    correct: Literal['auto', 'none', 'bonferroni', 'holm', 'bh', 'tukey'] | None = ...,
    depth: int | None = ...,
    estimator: Literal['auto', 'corrected', 'published'] | None = ...,
    gate: bool | None = ...,
    gate_on_worse: bool | None = ...,
    gate_sets: bool | None = ...,
    groups: str | PathLike[str] | None = ...,
    human_design: Literal['stated', 'random', 'by-topic', 'topics'] | None = ...,
    infer: Literal['new', 'these'] | None = ...,
    interval_style: Literal['brackets', 'pm', 'none'] | None = ...,
    judged_only: bool | None = ...,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    level: int | None = ...,
    machine: Any | None = ...,
    machine_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    machine_level: int | None = ...,
    margin: float | None = ...,
    measure: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    memory: int | None = ...,
    permutations: int | None = ...,
    resamples: int | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    scores: bool | None = ...,
    set_weight: Mapping[str, float] | str | Sequence[str] | None = ...,
    sets: Literal['fixed', 'sampled'] | None = ...,
    sort: bool | None = ...,
    test: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    ties: Literal['discard', 'split'] | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'drop'] | None = ...,
    zeros: Literal['drop', 'rank'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def compare_scores(
    scores: Any,
    measures: Any = ...,
    *,
    systems: Optional[Sequence[str]] = ...,
    topics: Optional[Sequence[str]] = ...,
    name: Any = ...,
    also: str | PathLike[str] | None = ...,
    alternative: Literal['two-sided', 'greater', 'less'] | None = ...,
    baseline: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    binary: bool | None = ...,
    by: Literal['auto', 'systems', 'topics'] | None = ...,
    ci: Literal['auto', 'none', 'logit', 'percentile', 'bca', 't', 'logit-t', 'bootstrap-t', 'wilson', 'exact', 'bounded'] | None = ...,
    columns: Mapping[str, str] | str | Sequence[str] | None = ...,
    compat: Literal['9', '10'] | None = ...,
    complete: bool | None = ...,
    confidence: float | None = ...,
    correct: Literal['auto', 'none', 'bonferroni', 'holm', 'bh', 'tukey'] | None = ...,
    depth: int | None = ...,
    estimator: Literal['auto', 'corrected', 'published'] | None = ...,
    gate: bool | None = ...,
    gate_on_worse: bool | None = ...,
    gate_sets: bool | None = ...,
    groups: str | PathLike[str] | None = ...,
    human_design: Literal['stated', 'random', 'by-topic', 'topics'] | None = ...,
    infer: Literal['new', 'these'] | None = ...,
    interval_style: Literal['brackets', 'pm', 'none'] | None = ...,
    judged_only: bool | None = ...,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    level: int | None = ...,
    machine: Any | None = ...,
    machine_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    machine_level: int | None = ...,
    margin: float | None = ...,
    measure: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    memory: int | None = ...,
    permutations: int | None = ...,
    resamples: int | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    set_weight: Mapping[str, float] | str | Sequence[str] | None = ...,
    sets: Literal['fixed', 'sampled'] | None = ...,
    sort: bool | None = ...,
    test: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    ties: Literal['discard', 'split'] | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'drop'] | None = ...,
    zeros: Literal['drop', 'rank'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def evaluate(
    judgments: Any,
    runs: Any,
    measures: Any = ...,
    *,
    also: str | PathLike[str] | None = ...,
    at_least: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    binary: bool | None = ...,
    bounds: bool | None = ...,
    by: Literal['auto', 'systems', 'topics'] | None = ...,
    ci: Literal['auto', 'none', 'logit', 'percentile', 'bca', 't', 'logit-t', 'bootstrap-t', 'wilson', 'exact', 'bounded'] | None = ...,
    collection: int | None = ...,
    columns: Mapping[str, str] | str | Sequence[str] | None = ...,
    compat: Literal['9', '10'] | None = ...,
    complete: bool | None = ...,
    confidence: float | None = ...,
    depth: int | None = ...,
    estimator: Literal['auto', 'corrected', 'published'] | None = ...,
    guaranteed: bool | None = ...,
    human_design: Literal['stated', 'random', 'by-topic', 'topics'] | None = ...,
    infer: Literal['new', 'these'] | None = ...,
    judged_only: bool | None = ...,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    level: int | None = ...,
    machine: Any | None = ...,
    machine_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    machine_level: int | None = ...,
    measure: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    memory: int | None = ...,
    no_summary: bool | None = ...,
    per_topic: bool | None = ...,
    resamples: int | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    scores: bool | None = ...,
    set_weight: Mapping[str, float] | str | Sequence[str] | None = ...,
    sets: Literal['fixed', 'sampled'] | None = ...,
    sort: bool | None = ...,
    ties: bool | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'drop'] | None = ...,
    write_matrix: str | PathLike[str] | None = ...,
    write_scores: str | PathLike[str] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def evaluate_scores(
    scores: Any,
    measures: Any = ...,
    *,
    also: str | PathLike[str] | None = ...,
    at_least: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    binary: bool | None = ...,
    bounds: bool | None = ...,
    by: Literal['auto', 'systems', 'topics'] | None = ...,
    ci: Literal['auto', 'none', 'logit', 'percentile', 'bca', 't', 'logit-t', 'bootstrap-t', 'wilson', 'exact', 'bounded'] | None = ...,
    collection: int | None = ...,
    columns: Mapping[str, str] | str | Sequence[str] | None = ...,
    compat: Literal['9', '10'] | None = ...,
    complete: bool | None = ...,
    confidence: float | None = ...,
    depth: int | None = ...,
    estimator: Literal['auto', 'corrected', 'published'] | None = ...,
    guaranteed: bool | None = ...,
    human_design: Literal['stated', 'random', 'by-topic', 'topics'] | None = ...,
    infer: Literal['new', 'these'] | None = ...,
    judged_only: bool | None = ...,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    level: int | None = ...,
    machine: Any | None = ...,
    machine_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    machine_level: int | None = ...,
    measure: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    memory: int | None = ...,
    no_summary: bool | None = ...,
    per_topic: bool | None = ...,
    resamples: int | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    set_weight: Mapping[str, float] | str | Sequence[str] | None = ...,
    sets: Literal['fixed', 'sampled'] | None = ...,
    sort: bool | None = ...,
    ties: bool | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'drop'] | None = ...,
    write_matrix: str | PathLike[str] | None = ...,
    write_scores: str | PathLike[str] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def incomplete(
    judgments: Any,
    runs: Any,
    *,
    alternative: Literal['two-sided', 'greater', 'less'] | None = ...,
    baseline: str | PathLike[str] | None = ...,
    confidence: float | None = ...,
    depth: int | None = ...,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    level: int | None = ...,
    paper: bool | None = ...,
    relevance: str | PathLike[str] | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def measures(
    *names: str,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def next(
    judgments: Any,
    runs: Any,
    *,
    count: int | None = ...,
    depth: int | None = ...,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    level: int | None = ...,
    machine: Any | None = ...,
    most: int | None = ...,
    oracle: str | PathLike[str] | None = ...,
    paper: bool | None = ...,
    relevance: str | PathLike[str] | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'skip'] | None = ...,
    until: float | None = ...,
    write: str | PathLike[str] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def options(command: Any) -> Dict[str, str]: ...
def overlap(
    runs: Any,
    *,
    confidence: float | None = ...,
    depth: int | None = ...,
    persistence: float | None = ...,
    resamples: int | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    ties: Literal['average', 'shared', 'equal'] | None = ...,
    top: int | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_cost(
    pilot: Optional[Path] = ...,
    *,
    certainty: float | None = ...,
    coefficients: float | Sequence[float] | None = ...,
    confidence: float | None = ...,
    effect: float | None = ...,
    error_costs: float | Sequence[float] | None = ...,
    free_topics: float | None = ...,
    judgment_cost: float | None = ...,
    topic_cost: float | None = ...,
    topics: float | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_elusion(
    *,
    accept: int | Sequence[int] | None = ...,
    assurance: float | None = ...,
    below: float | None = ...,
    confidence: float | None = ...,
    elusion: float | None = ...,
    population: int | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_looks(
    *,
    at: float | Sequence[float] | None = ...,
    confidence: float | None = ...,
    documents: int | None = ...,
    looks: int | None = ...,
    shape: Literal['obrien-fleming', 'pocock', 'spend-obrien-fleming', 'spend-pocock'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_machine(
    pilot: Any,
    runs: Any,
    *,
    machine: Any,
    width: float,
    confidence: float | None = ...,
    human_design: Literal['stated', 'random', 'by-topic', 'topics'] | None = ...,
    level: int | None = ...,
    machine_level: int | None = ...,
    measure: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_pilot(
    judgments: Any,
    runs: Any,
    *,
    alpha: float | None = ...,
    confidence: float | None = ...,
    depth: int | None = ...,
    effect: float | None = ...,
    forecasts: int | None = ...,
    free_topics: float | None = ...,
    judge: Literal['next', 'pool'] | None = ...,
    judgment_cost: float | None = ...,
    judgments_format: Literal['any', 'qrels', 'prels', 'stratified', 'beir', 'groups', 'prefs', 'nuggets', 'qrels_jg', 'qrels_prefs'] | None = ...,
    level: int | None = ...,
    power: float | None = ...,
    relevance: str | PathLike[str] | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    samples: int | None = ...,
    topic_cost: float | None = ...,
    topics: float | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'skip'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_power(
    *,
    alpha: float | None = ...,
    certainty: float | Sequence[float] | None = ...,
    confidence: float | None = ...,
    difference: float | Sequence[float] | None = ...,
    effect: float | Sequence[float] | None = ...,
    power: float | Sequence[float] | None = ...,
    runs: int | None = ...,
    sd: float | None = ...,
    sides: Literal['two', 'one'] | None = ...,
    test: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    ties: float | None = ...,
    topics: int | Sequence[int] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_recall(
    *,
    assurance: float | None = ...,
    confidence: float | None = ...,
    guaranteed: bool | None = ...,
    lower: float | None = ...,
    method: Literal['auto', 'naive', 'normal', 'normal-uncorrected', 'laplace', 'agresti-coull', 'koopman', 'jeffreys', 'betabin-uniform', 'betabin-mcp', 'betabin-half', 'betabin-weighted', 'exact', 'all'] | None = ...,
    one_sided: bool | None = ...,
    population: int | None = ...,
    precision: float | Sequence[float] | None = ...,
    recall: float | Sequence[float] | None = ...,
    retrieved: int | None = ...,
    retrieved_judged: int | None = ...,
    target: float | None = ...,
    total: int | Sequence[int] | None = ...,
    width: float | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_sample(
    pilot: Any,
    runs: Any,
    *,
    check: int | None = ...,
    confidence: float | None = ...,
    depth: int | None = ...,
    goal: Literal['mean', 'difference'] | None = ...,
    halfwidth: float | None = ...,
    se: float | None = ...,
    topics: int | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'drop'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def plan_topics(
    judgments: Any = ...,
    runs: Any = ...,
    measures: Any = ...,
    *,
    matrix: Optional[Path] = ...,
    alone: bool | None = ...,
    alpha: float | None = ...,
    baseline: str | PathLike[str] | None = ...,
    binary: bool | None = ...,
    by: Literal['auto', 'systems', 'topics'] | None = ...,
    certainty: float | None = ...,
    columns: Mapping[str, str] | str | Sequence[str] | None = ...,
    complete: bool | None = ...,
    confidence: float | None = ...,
    measure: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    power: float | None = ...,
    scores: bool | None = ...,
    set_weight: Mapping[str, float] | str | Sequence[str] | None = ...,
    sets: Literal['fixed', 'sampled'] | None = ...,
    sides: Literal['two', 'one'] | None = ...,
    test: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def prefer(
    votes: Any,
    *,
    columns: Mapping[str, str] | str | Sequence[str] | None = ...,
    confidence: float | None = ...,
    human: str | PathLike[str] | None = ...,
    judge: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    position: bool | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def prf(
    counts: Any = ...,
    y_pred: Any = ...,
    *,
    labels: Any = ...,
    predictions: Any = ...,
    y_true: Any = ...,
    baseline: str | PathLike[str] | None = ...,
    beta: float | Sequence[float] | None = ...,
    classes: str | PathLike[str] | None = ...,
    compare: bool | None = ...,
    confidence: float | None = ...,
    draws: int | None = ...,
    gate: bool | None = ...,
    gold: str | PathLike[str] | None = ...,
    guaranteed: bool | None = ...,
    machine_column: str | PathLike[str] | None = ...,
    margin: float | None = ...,
    metric: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    paired: bool | None = ...,
    positive: str | PathLike[str] | None = ...,
    prior: float | Sequence[float] | None = ...,
    probability_column: str | PathLike[str] | None = ...,
    system: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    target: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    threshold: str | PathLike[str] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def prf_paired(
    gold: Sequence[Any],
    systems: Mapping[str, Sequence[Any]],
    *,
    baseline: str | PathLike[str] | None = ...,
    beta: float | Sequence[float] | None = ...,
    classes: str | PathLike[str] | None = ...,
    compare: bool | None = ...,
    confidence: float | None = ...,
    counts: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    draws: int | None = ...,
    gate: bool | None = ...,
    guaranteed: bool | None = ...,
    labels: str | PathLike[str] | None = ...,
    machine_column: str | PathLike[str] | None = ...,
    margin: float | None = ...,
    metric: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    paired: bool | None = ...,
    positive: str | PathLike[str] | None = ...,
    predictions: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    prior: float | Sequence[float] | None = ...,
    probability_column: str | PathLike[str] | None = ...,
    system: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    target: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    threshold: str | PathLike[str] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def recall(
    retrieved: Any = ...,
    unretrieved: Any = ...,
    *,
    strata: Optional[Path] = ...,
    run: Optional[Path] = ...,
    sample: Optional[Path] = ...,
    collection: Any = ...,
    anytime: bool | None = ...,
    at: int | Sequence[int] | None = ...,
    confidence: float | None = ...,
    control: int | Sequence[int] | None = ...,
    found: str | PathLike[str] | None = ...,
    guaranteed: bool | None = ...,
    level: int | None = ...,
    log: str | PathLike[str] | None = ...,
    look: int | None = ...,
    looks: int | None = ...,
    machine: Any | None = ...,
    machine_level: int | None = ...,
    max_elusion: float | None = ...,
    method: Literal['auto', 'naive', 'normal', 'normal-uncorrected', 'laplace', 'agresti-coull', 'koopman', 'jeffreys', 'betabin-uniform', 'betabin-mcp', 'betabin-half', 'betabin-weighted', 'exact', 'all'] | None = ...,
    one_sided: bool | None = ...,
    prior: float | Sequence[float] | None = ...,
    proportion: int | Sequence[int] | None = ...,
    rechecked: int | Sequence[int] | None = ...,
    runs: str | PathLike[str] | None = ...,
    sampled_at: int | None = ...,
    shape: Literal['obrien-fleming', 'pocock', 'spend-obrien-fleming', 'spend-pocock'] | None = ...,
    stop: Literal['none', 'qbcb', 'hypergeometric'] | None = ...,
    target: float | None = ...,
    unjudged: Literal['refuse', 'nonrelevant', 'drop'] | None = ...,
    unsampled: Literal['refuse', 'skip', 'prior'] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def roc(
    table: Any = ...,
    y_score: Any = ...,
    *,
    y_true: Any = ...,
    baseline: str | PathLike[str] | None = ...,
    bins: int | None = ...,
    choose: Literal['none', 'f1', 'accuracy', 'youden'] | None = ...,
    confidence: float | None = ...,
    gate: bool | None = ...,
    gold: str | PathLike[str] | None = ...,
    margin: float | None = ...,
    measure: str | PathLike[str] | None = ...,
    positive: str | PathLike[str] | None = ...,
    resamples: int | None = ...,
    system: str | PathLike[str] | Sequence[str | PathLike[str]] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def sample(
    runs: Any,
    *,
    output: Optional[Path] = ...,
    judged: Any = ...,
    budget: int | None = ...,
    budget_depth: int | None = ...,
    depth: int | None = ...,
    design: Literal['stevens', 'uniform', 'stratified', 'pool'] | None = ...,
    divide: Literal['even', 'frame'] | None = ...,
    human_design: Literal['stated', 'random', 'by-topic', 'topics'] | None = ...,
    machine: Any | None = ...,
    pool_depth: int | None = ...,
    rates: float | Sequence[float] | None = ...,
    run_format: Literal['any', 'trec', 'msmarco'] | None = ...,
    strata: int | Sequence[int] | None = ...,
    total: int | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def simulate(
    directory: Path,
    *,
    breadth: float | None = ...,
    depth: int | None = ...,
    difficulty: float | None = ...,
    documents: int | None = ...,
    first_topic: int | None = ...,
    grades: int | None = ...,
    interaction: float | None = ...,
    judge: str | PathLike[str] | None = ...,
    judged: int | None = ...,
    judging: Literal['pool', 'uniform'] | None = ...,
    least_relevant: int | None = ...,
    prefix: str | PathLike[str] | None = ...,
    prevalence: float | None = ...,
    prevalence_sd: float | None = ...,
    quality: float | Sequence[float] | None = ...,
    runs: int | None = ...,
    similarity: float | None = ...,
    ties: float | None = ...,
    topics: int | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def sort(
    file: Path,
    output: Path,
    *,
    memory: int | None = ...,
    temporary: str | PathLike[str] | None = ...,
    seed: int | None = ...,
    threads: int | None = ...,
    progress: Callable[[float], object] | bool | None = ...,
) -> Result: ...
def version() -> str: ...
__all__ = ['BadArgument', 'BadFile', 'Cancelled', 'Error', 'FileFailure', 'NoData', 'NotAccurate', 'OutOfMemory', 'RelevanceEvaluator', 'Result', 'Table', 'agree', 'check', 'compare', 'compare_scores', 'evaluate', 'evaluate_scores', 'incomplete', 'measures', 'next', 'options', 'overlap', 'plan_cost', 'plan_elusion', 'plan_looks', 'plan_machine', 'plan_pilot', 'plan_power', 'plan_recall', 'plan_sample', 'plan_topics', 'prefer', 'prf', 'prf_paired', 'recall', 'roc', 'sample', 'simulate', 'sort', 'version']
