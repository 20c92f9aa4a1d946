# SPDX-License-Identifier: Apache-2.0
"""PyTerrier's experiments with intervale in them, and ranx' runs."""
import random
import shutil

import ir_measures
import pandas
import pytest
from ir_measures import AP, RR, P, R, nDCG

import intervale

WORDS = [f"word{i}" for i in range(60)]
MEASURES = [AP, nDCG @ 10, P @ 5, RR, R @ 20]


@pytest.fixture(scope="module", name="collection")
def fixture_collection(tmp_path_factory):
    """Two real systems of Terrier's on documents of made-up words."""
    if shutil.which("java") is None:
        pytest.skip("no Java here")
    pt = pytest.importorskip("pyterrier")
    try:
        pt.java.init()
    except Exception as error:  # its classes are loaded from the network, once
        pytest.skip(f"Terrier does not start: {error}")
    rng = random.Random(4)
    docs = [{"docno": f"d{i}", "text": " ".join(rng.choices(WORDS, k=rng.randint(20, 90)))}
            for i in range(300)]
    topics = pandas.DataFrame([(str(q), " ".join(rng.sample(WORDS, 3))) for q in range(1, 26)],
                              columns=["qid", "query"])
    grade = lambda doc, query: sum(doc["text"].split().count(w) > 1 for w in query.split())
    qrels = pandas.DataFrame([(q, d["docno"], grade(d, text)) for q, text in topics.values
                              for d in rng.sample(docs, 120)], columns=["qid", "docno", "label"])
    # The usual indexer hands documents over by a named pipe, and can wait for ever.
    indexer = pt.terrier.index._IterDictIndexer_nofifo
    index = indexer(str(tmp_path_factory.mktemp("index")), overwrite=True).index(docs)
    systems = [pt.terrier.Retriever(index, wmodel=w) for w in ("BM25", "Tf", "DirichletLM")]
    return pt, systems, topics, qrels


def experiment(collection, **asked):
    pt, systems, topics, qrels = collection
    return pt.Experiment(systems, topics, qrels, MEASURES, names=["bm25", "tf", "lm"], **asked)


@pytest.fixture(scope="module", name="without")
def fixture_without(collection):
    """What experiments say before intervale is the provider."""
    import intervale.pyterrier
    pipeline = ir_measures.DefaultPipeline.providers
    ours = pipeline.index(intervale.pyterrier.provider)
    provider = pipeline.pop(ours)
    made = experiment(collection), experiment(collection, perquery=True)
    pipeline.insert(ours, provider)
    return made


def test_an_experiment_gives_the_same_frame(collection, without):
    calls = []
    provider = intervale.pyterrier.provider
    honest = provider._evaluator
    provider._evaluator = lambda *args: calls.append(1) or honest(*args)
    try:
        means, topics = experiment(collection), experiment(collection, perquery=True)
    finally:
        del provider._evaluator
    assert calls  # it was asked
    # The columns come in the order of a set of ir_measures, by whomever they are computed.
    pandas.testing.assert_frame_equal(means, without[0], rtol=0, atol=1e-12, check_like=True)
    order = ["name", "qid", "measure"]
    as_text = lambda frame: frame.assign(measure=frame.measure.map(str)).sort_values(
        order).reset_index(drop=True)[[*order, "value"]]
    pandas.testing.assert_frame_equal(as_text(topics), as_text(without[1]), rtol=0, atol=1e-12)


def test_a_test_for_an_experiment(collection):
    frame = experiment(collection, baseline=0, test=intervale.pyterrier.test)
    per_topic = experiment(collection, perquery=True)
    for measure in ("AP", "nDCG@10"):
        pairs = {(p.a, p.b): p.p for p in intervale.compare(
            per_topic[per_topic.name.isin(["bm25", "tf"])], measures=measure).pairs}
        told = frame.set_index("name")[f"{measure} p-value"]
        assert pandas.isna(told["bm25"])
        assert told["tf"] == pytest.approx(next(iter(pairs.values())), rel=1e-6)


def test_the_frame_of_an_experiment_is_compared(collection):
    pt, systems, topics, qrels = collection
    frame = experiment(collection, perquery=True)
    found = intervale.compare(frame, measures="AP")
    runs = {name: system(topics) for name, system in zip(("bm25", "tf", "lm"), systems)}
    direct = intervale.compare(qrels, runs, ["AP"])
    by_names = lambda result: {frozenset((p.a, p.b)): p for p in result.pairs}
    mine, theirs = by_names(found), by_names(direct)
    assert len(mine) == 3 and mine.keys() == theirs.keys()
    for names, pair in mine.items():
        other = theirs[names]
        turned = 1 if pair.a == other.a else -1
        assert pair.p == pytest.approx(other.p, abs=1e-9)
        assert pair.difference == pytest.approx(turned * other.difference, abs=1e-12)


def test_runs_of_ranx():
    ranx = pytest.importorskip("ranx")
    rng = random.Random(2)
    qrels = {str(q): {f"d{d}": rng.choice([0, 1, 2]) for d in rng.sample(range(90), 40)}
             for q in range(20)}
    run = {q: {f"d{d}": rng.random() for d in rng.sample(range(90), 50)} for q in qrels}
    theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run, name="mine"),
                           ["map", "mrr", "precision@5", "ndcg@10", "recall@20"])
    found = intervale.evaluate(ranx.Qrels(qrels), ranx.Run(run, name="mine"),
                               ["AP", "RR", "P@5", "nDCG@10", "R@20"])
    assert {row.run for row in found.measures} == {"mine"}
    for row, value in zip(found.measures, theirs.values()):
        assert row.value == pytest.approx(value, abs=1e-12)
    assert list(found.measures) == list(intervale.evaluate(
        qrels, {"mine": run}, ["AP", "RR", "P@5", "nDCG@10", "R@20"]).measures)
