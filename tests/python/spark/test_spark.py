# SPDX-License-Identifier: Apache-2.0
"""intervale.spark on a cluster of worker processes: the digits of one machine, also when one of
the workers is killed during the job; parts that are not what they should be."""
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

import pandas
import pytest

pyspark = pytest.importorskip("pyspark")
from pyspark.sql import SparkSession  # noqa: E402

import intervale  # noqa: E402
import intervale.spark  # noqa: E402


def collection(topics=120, documents=12, runs=3):
    rng = random.Random(3)
    qrels, ranked = [], []
    for t in range(topics):
        relevant = [rng.random() < 0.25 for _ in range(documents)]
        qrels += [(f"q{t}", f"d{d}", int(r)) for d, r in enumerate(relevant)]
        for r in range(runs):
            if r == 1 and t % 50 == 7:
                continue  # a topic that this run misses
            ranked += [(f"run{r}", f"q{t}", f"d{d}", rng.random() + 0.2 * (r + 1) * x)
                       for d, x in enumerate(relevant)]
    return qrels, ranked


QRELS, RANKED = collection()


def one_machine():
    runs = {}
    for run, topic, docno, score in RANKED:
        runs.setdefault(run, {}).setdefault(topic, {})[docno] = score
    judged = {}
    for topic, docno, grade in QRELS:
        judged.setdefault(topic, {})[docno] = grade
    return judged, runs


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    session = (SparkSession.builder.master("local-cluster[3,1,1024]").appName("intervale")
               .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
               .config("spark.driver.bindAddress", "127.0.0.1")
               .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
               .config("spark.executorEnv.INTERVALE_LIBRARY", os.environ["INTERVALE_LIBRARY"])
               .config("spark.sql.execution.arrow.pyspark.enabled", "true")
               .config("spark.driver.memory", "4g").config("spark.executor.memory", "1g")
               .config("spark.task.maxFailures", "8")
               .getOrCreate())
    yield session
    session.stop()


def frames(session):
    return (session.createDataFrame(QRELS, "topic string, docno string, grade int"),
            session.createDataFrame(RANKED, "run string, topic string, docno string, score double"))


def rows(result):
    return sorted(((s.run, s.measure, s.value, s.se, s.lower, s.upper, s.topics)
                   for s in result.measures))


def pairs(result):
    return [(p.a, p.b, p.p, p.lower, p.upper) for p in result.pairs]


MEASURES = ["AP", "nDCG@10", "P@5"]


def test_digits_are_those_of_one_machine(spark):
    qrels, runs = frames(spark)
    here = intervale.evaluate(*one_machine(), MEASURES)
    there = intervale.spark.evaluate(qrels, runs, MEASURES, partitions=5)
    assert rows(there) == rows(here)
    assert there.sentence == here.sentence and there.notes == here.notes
    board = intervale.spark.compare(qrels, runs, partitions=4)
    alone = intervale.compare(*one_machine())
    assert board.sentence == alone.sentence and pairs(board) == pairs(alone)


def executor_above(pid):
    """The Java process of the executor that started this Python worker."""
    while pid > 1:
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            if b"CoarseGrainedExecutorBackend" in f.read():
                return pid
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            pid = int(f.read().rsplit(")", 1)[1].split()[1])
    raise AssertionError("no executor")


def test_a_killed_worker_changes_nothing(spark, tmp_path, monkeypatch):
    qrels, runs = frames(spark)
    here = rows(intervale.evaluate(*one_machine(), MEASURES))
    started, killed = tmp_path / "started", tmp_path / "killed"
    started.mkdir()
    scored = intervale.spark._score

    def slow(batches, measures, given):
        # A file for every time that a partition is begun; none ends before an executor is dead,
        # however slow the machine, so that the dead one had begun a partition and ended none.
        (started / f"{os.getpid()}-{time.monotonic_ns()}").touch()
        while not killed.exists():
            time.sleep(0.05)
        return scored(batches, measures, given)

    monkeypatch.setattr(intervale.spark, "_score", slow)

    def kill():
        try:
            while not list(started.iterdir()):
                time.sleep(0.05)
            pid = int(next(started.iterdir()).name.split("-")[0])
            os.kill(executor_above(pid), signal.SIGKILL)
        finally:
            killed.touch()

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    there = intervale.spark.evaluate(qrels, runs, MEASURES, partitions=6)
    killer.join(30)
    assert killed.exists() and rows(there) == here
    assert len(list(started.iterdir())) > 6  # what the dead one had begun was begun again


def test_what_cannot_be_read_is_told(spark):
    qrels, runs = frames(spark)
    with pytest.raises(intervale.BadArgument, match="qrels: columns topic, docno, expected one of"):
        intervale.spark.evaluate(qrels.drop("grade"), runs)
    with pytest.raises(Exception, match="is a duplicate of"):
        intervale.spark.evaluate(qrels.union(qrels), runs)


def text_of(path):
    """The lines of a file, unpacked."""
    return subprocess.run([os.environ["INTERVALE_TOOL"], "sort", path], check=True,
                          capture_output=True).stdout.decode()


def folders():
    """Recorded collections, and those that the environment names."""
    golden = pathlib.Path(os.environ["INTERVALE_ROOT"], "tests", "golden", "trec_eval")
    return sorted(p for p in golden.iterdir() if p.is_dir()) + \
        [pathlib.Path(p) for p in os.environ.get("INTERVALE_SPARK_COLLECTIONS", "").split()]


@pytest.mark.parametrize("folder", folders(), ids=lambda p: p.name)
def test_collections_have_the_digits_of_the_command(spark, folder):
    judged = next(folder.glob("qrels*"))
    paths = sorted((folder / "runs").iterdir(), key=lambda p: p.name.removesuffix(".zst")) \
        if (folder / "runs").is_dir() else [next(folder.glob("run.*"))]
    fields = [list(map(str.split, text_of(path).splitlines())) for path in [judged, *paths]]
    qrels = pandas.DataFrame({"topic": [f[0] for f in fields[0]], "docno": [f[2] for f in fields[0]],
                              "grade": [int(f[3]) for f in fields[0]]})
    ranked = pandas.concat([pandas.DataFrame(
        {"run": path.name.removesuffix(".zst"), "topic": [f[0] for f in each],
         "docno": [f[2] for f in each], "score": [float(f[4]) for f in each]})
        for path, each in zip(paths, fields[1:])])
    frame = spark.createDataFrame(qrels), spark.createDataFrame(ranked)
    here = intervale.evaluate(judged, paths, MEASURES)
    there = intervale.spark.evaluate(*frame, MEASURES, partitions=3)
    assert [r[1:] for r in rows(there)] == [r[1:] for r in rows(here)] if len(paths) == 1 \
        else rows(there) == rows(here)
    if len(paths) > 1:
        alone, board = intervale.compare(judged, paths), intervale.spark.compare(*frame, partitions=5)
        assert board.sentence == alone.sentence and pairs(board) == pairs(alone)


def test_bad_parts_are_one_line_each(spark, tmp_path):
    qrels, runs = frames(spark)
    parts = intervale.spark.write_parts(qrels, runs, tmp_path, ["AP"], partitions=3)
    assert rows(intervale.evaluate_scores(parts)) == rows(intervale.evaluate(*one_machine(), ["AP"]))
    good = pathlib.Path(parts[1]).read_bytes()

    def told(data, match):
        pathlib.Path(parts[1]).write_bytes(data)
        with pytest.raises(intervale.Error, match=match) as caught:
            intervale.evaluate_scores(parts)
        assert "\n" not in str(caught.value) and os.path.basename(parts[1]) in str(caught.value)

    told(good[:len(good) // 2], "the file is truncated")
    told(good[:8] + b"\7" + good[9:], "scores of version 7, expected 2")
    told(good[:99] + bytes([good[99] ^ 1]) + good[100:], "the file is damaged")
    pathlib.Path(parts[1]).write_bytes(good)
    # Half of a topic's lines in a part of its own.
    halves = tmp_path / "half"
    halves.mkdir()
    half = intervale.spark.write_parts(qrels.where("topic = 'q3'"),
                                       runs.where("topic = 'q3' and docno < 'd5'"), halves, ["AP"],
                                       partitions=1)
    with pytest.raises(intervale.Error, match="topic 'q3' of run 'run0' has other scores here than in a "
                                              "part before this one"):
        intervale.evaluate_scores(parts + half)
