# SPDX-License-Identifier: Apache-2.0
"""intervale.spark on a cluster of worker processes: the digits of one machine, also when one of
the workers is killed during the job."""
import os
import random
import signal
import sys
import threading
import time

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
    session = (SparkSession.builder.master("local-cluster[2,1,1024]").appName("intervale")
               .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
               .config("spark.driver.bindAddress", "127.0.0.1")
               .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
               .config("spark.executorEnv.INTERVALE_LIBRARY", os.environ["INTERVALE_LIBRARY"])
               .config("spark.executor.memory", "1g").config("spark.task.maxFailures", "8")
               .getOrCreate())
    yield session
    session.stop()


def frames(session):
    return (session.createDataFrame(QRELS, "topic string, docno string, grade int"),
            session.createDataFrame(RANKED, "run string, topic string, docno string, score double"))


def rows(result):
    return sorted(((s.run, s.measure, s.value, s.se, s.lower, s.upper, s.topics)
                   for s in result.measures))


MEASURES = ["AP", "nDCG@10", "P@5"]


def test_digits_are_those_of_one_machine(spark):
    qrels, runs = frames(spark)
    here = intervale.evaluate(*one_machine(), MEASURES)
    there = intervale.spark.evaluate(qrels, runs, MEASURES, partitions=5)
    assert rows(there) == rows(here)
    assert there.sentence == here.sentence and there.notes == here.notes
    board = intervale.spark.compare(qrels, runs, partitions=4)
    alone = intervale.compare(*one_machine())
    assert board.sentence == alone.sentence
    assert [(p.a, p.b, p.p, p.lower, p.upper) for p in board.pairs] \
        == [(p.a, p.b, p.p, p.lower, p.upper) for p in alone.pairs]


def executors():
    """Executors that this process's cluster has started: Java processes below it."""
    parents, names = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
                parents[int(pid)] = int(f.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                names[int(pid)] = f.read()
        except OSError:
            pass

    def ours(pid):
        while pid > 1 and pid != os.getpid():
            pid = parents.get(pid, 0)
        return pid == os.getpid()

    return [pid for pid, name in names.items()
            if b"CoarseGrainedExecutorBackend" in name and b"java" in name and ours(pid)]


def test_a_killed_worker_changes_nothing(spark, tmp_path, monkeypatch):
    qrels, runs = frames(spark)
    here = rows(intervale.evaluate(*one_machine(), MEASURES))
    started, killed = tmp_path / "started", []
    scored = intervale.spark._score

    def slow(batches, measures, given):
        started.touch()
        time.sleep(1.0)
        return scored(batches, measures, given)

    monkeypatch.setattr(intervale.spark, "_score", slow)

    def kill():
        while not started.exists():
            time.sleep(0.05)
        killed.append(executors()[0])
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    there = intervale.spark.evaluate(qrels, runs, MEASURES, partitions=6)
    killer.join(30)
    assert killed and rows(there) == here


def test_what_cannot_be_read_is_told(spark):
    qrels, runs = frames(spark)
    with pytest.raises(intervale.BadArgument, match="qrels: columns topic, docno, expected one of"):
        intervale.spark.evaluate(qrels.drop("grade"), runs)
    with pytest.raises(Exception, match="again in topic"):
        intervale.spark.evaluate(qrels.union(qrels), runs)
