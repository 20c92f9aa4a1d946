# SPDX-License-Identifier: Apache-2.0
"""Evaluation on Apache Spark: topics are scored by the workers, the driver merges and answers.

    import intervale.spark
    result = intervale.spark.evaluate(qrels_df, runs_df, ["AP", "nDCG@10"])

Frames are Spark's, in long form: qrels with topic, docno and grade, runs with topic, docno,
score and, if there are several, run.  Rows are shuffled by topic, scored with the library in
Arrow batches, no row by itself, and come back as parts (the files of eval --write-scores), so
that numbers are those of one machine, to the last digit, and a worker that is lost is simply
asked again.  Workers need this package; Spark is not imported before it is needed.
"""
import os
import tempfile
from typing import Iterable, List, Optional

from . import BadArgument, Result
from . import compare_scores as _compare_parts
from . import evaluate as _evaluate
from . import evaluate_scores as _evaluate_parts
from . import measures as _explain
from ._scores import names_of

__all__ = ["compare", "evaluate", "write_parts"]

_TOPIC = ("topic", "qid", "query_id", "query")
_DOCNO = ("docno", "doc_id", "docid", "document", "corpus_id", "corpus-id")
_GRADE = ("grade", "relevance", "label", "rel")
_SCORE = ("score", "sim")
_RUN = ("run", "system", "name", "tag", "model")


def _column(frame, known, what: str, needed: bool = True) -> Optional[str]:
    for name in known:
        if name in frame.columns:
            return name
    if needed:
        raise BadArgument(f"{what}: columns {', '.join(frame.columns)}, expected one of: "
                          f"{', '.join(known)}")
    return None


def _rows(qrels, runs):
    """Judgments and runs as rows of one frame; a judgment has no run."""
    from pyspark.sql import functions as f  # pylint: disable=import-outside-toplevel

    def text(frame, known, what):
        return f.col(f"`{_column(frame, known, what)}`").cast("string")

    run = _column(runs, _RUN, "runs", needed=False)
    judged = qrels.select(
        f.lit(None).cast("string").alias("run"), text(qrels, _TOPIC, "qrels").alias("topic"),
        text(qrels, _DOCNO, "qrels").alias("docno"), f.lit(None).cast("double").alias("score"),
        f.col(f"`{_column(qrels, _GRADE, 'qrels')}`").cast("int").alias("grade"))
    ranked = runs.select(
        (f.col(f"`{run}`").cast("string") if run else f.lit("run1")).alias("run"),
        text(runs, _TOPIC, "runs").alias("topic"), text(runs, _DOCNO, "runs").alias("docno"),
        f.col(f"`{_column(runs, _SCORE, 'runs')}`").cast("double").alias("score"),
        f.lit(None).cast("int").alias("grade"))
    return judged.unionByName(ranked)


def _score(batches: Iterable, measures, given):
    """The rows of some topics become one part: on a worker."""
    import pyarrow as pa  # pylint: disable=import-outside-toplevel
    import pyarrow.compute as pc  # pylint: disable=import-outside-toplevel

    table = pa.Table.from_batches(list(batches)) if not isinstance(batches, pa.Table) else batches
    judged = table.filter(pc.is_null(table["run"])).select(["topic", "docno", "grade"])
    ranked = table.filter(pc.is_valid(table["run"]))
    if judged.num_rows == 0:
        return None  # nobody judged these topics
    names: List[str] = sorted(pc.unique(ranked["run"]).to_pylist())
    runs = {name: ranked.filter(pc.equal(ranked["run"], name)).select(["topic", "docno", "score"])
            for name in names}
    handle, path = tempfile.mkstemp(suffix=".ivs")
    os.close(handle)
    os.remove(path)
    try:
        _evaluate(judged, runs, measures, write_scores=path, progress=False, **given)
        with open(path, "rb") as part:
            return part.read()
    finally:
        if os.path.exists(path):
            os.remove(path)


def write_parts(qrels, runs, folder, measures=None, *, partitions: Optional[int] = None,
                **given) -> List[str]:
    """Scores topics on the workers and writes a part each into a folder of the driver's.

    Parts can be evaluated, compared and kept: evaluate_scores(), compare_scores() and the
    command's --scores read them.  partitions: how many; Spark's own number unless given.
    """
    names = names_of(measures)
    if names:
        _explain(*names)  # a wrong name is refused here, not on the workers
    rows = _rows(qrels, runs)
    rows = rows.repartition(partitions, "topic") if partitions else rows.repartition("topic")

    def score(batches):
        import pyarrow as pa  # pylint: disable=import-outside-toplevel
        held = list(batches)
        part = _score(held, names, given) if held else None
        if part is not None:
            yield pa.RecordBatch.from_pydict({"part": pa.array([part], pa.binary())})

    paths = []
    for i, row in enumerate(rows.mapInArrow(score, "part binary").collect()):
        paths.append(os.path.join(os.fspath(folder), f"part{i:05d}.ivs"))
        with open(paths[-1], "wb") as part:
            part.write(row[0])
    if not paths:
        raise BadArgument("qrels: no judgments, expected at least one")
    return paths


_SCORING = ("level", "depth", "judged_only", "collection", "compat", "complete")


def _answer(ask, qrels, runs, measures, partitions, given) -> Result:
    scoring = {k: given.pop(k) for k in _SCORING if k in given}
    with tempfile.TemporaryDirectory() as folder:
        parts = write_parts(qrels, runs, folder, measures, partitions=partitions, **scoring)
        return ask(parts, **given)


def evaluate(qrels, runs, measures=None, *, partitions: Optional[int] = None, **given) -> Result:
    """Every measure of every run with its interval, as intervale.evaluate() has it."""
    return _answer(_evaluate_parts, qrels, runs, measures, partitions, given)


def compare(qrels, runs, measures=None, *, partitions: Optional[int] = None, **given) -> Result:
    """Which runs differ, as intervale.compare() has it; AP unless measures says otherwise."""
    return _answer(_compare_parts, qrels, runs, measures or ["AP"], partitions, given)
