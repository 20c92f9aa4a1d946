# SPDX-License-Identifier: Apache-2.0
"""In the place of others: pytrec_eval's evaluator, ir_measures' providers."""
import ir_measures
import pandas
import pytest
import pytrec_eval
from ir_measures import AP, RR, Bpref, IPrec, Judged, NumRel, NumRet, P, R, Rprec, SetF, SetP, \
    SetR, Success, infAP, nDCG

import intervale
import intervale.ir_measures
import intervale.pyterrier

NAMES = {"map", "ndcg", "P_5,10", "recip_rank", "recall_100", "Rprec", "bpref", "ndcg_cut_10",
         "set_F", "success_1", "num_rel", "num_ret", "iprec_at_recall_0.10", "map_cut_20"}


@pytest.mark.parametrize("level", [1, 2])
def test_pytrec_eval_to_the_last_digit(made, level):
    theirs = pytrec_eval.RelevanceEvaluator(made.qrels, NAMES, relevance_level=level)
    ours = intervale.RelevanceEvaluator(made.qrels, NAMES, relevance_level=level)
    for run in made.runs.values():
        assert ours.evaluate(run) == theirs.evaluate(run)


def test_judged_documents_only(made):
    theirs = pytrec_eval.RelevanceEvaluator(made.qrels, {"map"}, judged_docs_only_flag=True)
    ours = intervale.RelevanceEvaluator(made.qrels, {"map"}, judged_docs_only_flag=True)
    assert ours.evaluate(made.runs["run1"]) == theirs.evaluate(made.runs["run1"])


MEASURES = [AP, AP @ 20, AP(rel=2), nDCG, nDCG @ 10, P @ 5, P(rel=2) @ 10, RR, RR @ 10, Rprec,
            Bpref, R @ 50, Success @ 3, SetF, SetP, SetR, IPrec @ 0.1, Judged @ 10, infAP,
            NumRet, NumRel]


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_provider_agrees(made, measure):
    qrels = pandas.DataFrame(made.qrel_rows(), columns=["query_id", "doc_id", "relevance"])
    others = ir_measures.providers.FallbackProvider(
        [p for p in ir_measures.DefaultPipeline.providers
         if p is not intervale.ir_measures.provider])
    for name in made.runs:
        run = pandas.DataFrame(made.run_rows(name), columns=["query_id", "doc_id", "score"])
        theirs = {m.query_id: m.value for m in others.iter_calc([measure], qrels, run)}
        ours = {m.query_id: m.value for m in
                intervale.ir_measures.provider.iter_calc([measure], qrels, run)}
        assert ours.keys() == theirs.keys()
        assert all(abs(ours[t] - theirs[t]) < 1e-12 for t in theirs)


def test_means_carry_their_intervals(made):
    found = intervale.ir_measures.provider.calc_aggregate([AP, nDCG @ 10], made.qrels,
                                                          made.runs["run1"])
    rows = intervale.evaluate(made.qrels, [made.runs["run1"]], ["AP"], complete=True).measures
    assert found[AP] == pytest.approx(rows[0].value, abs=1e-15)
    assert (found[AP].lower, found[AP].upper) == (rows[0].lower, rows[0].upper)


def test_what_is_not_known_is_not_claimed():
    unknown = ir_measures.define(lambda qrels, run: 0.0, name="Mine")
    assert not intervale.ir_measures.provider.supports(unknown)
    assert intervale.ir_measures.provider.supports(AP)


def test_a_test_for_experiments(made):
    ours = intervale.RelevanceEvaluator(made.qrels, {"map"})
    a, b = ([v["map"] for v in ours.evaluate(made.runs[n]).values()] for n in ("run1", "run2"))
    difference, p = intervale.pyterrier.test(a, b)
    pair = intervale.compare(made.qrels, {n: made.runs[n] for n in ("run1", "run2")}).pairs[0]
    assert (difference, p) == (pair.difference, pair.p)
