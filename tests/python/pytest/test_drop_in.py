# SPDX-License-Identifier: Apache-2.0
"""In the place of others: pytrec_eval's evaluator, ir_measures' providers."""
import importlib
import re
import ir_measures
import pandas
import pytest
from ir_measures import AP, RR, Bpref, IPrec, Judged, NumRel, NumRet, P, R, Rprec, SetF, SetP, \
    SetR, Success, infAP, nDCG

import intervale
import intervale.ir_measures
import intervale.pyterrier

NAMES = {"map", "ndcg", "P_5,10", "recip_rank", "recall_100", "Rprec", "bpref", "ndcg_cut_10",
         "set_F", "success_1", "num_rel", "num_ret", "iprec_at_recall_0.10", "map_cut_20"}


@pytest.mark.parametrize("level", [1, 2])
def test_pytrec_eval_to_the_last_digit(made, pytrec_eval, level):
    theirs = pytrec_eval.RelevanceEvaluator(made.qrels, NAMES, relevance_level=level)
    ours = intervale.RelevanceEvaluator(made.qrels, NAMES, relevance_level=level)
    for run in made.runs.values():
        assert ours.evaluate(run) == theirs.evaluate(run)


def test_cut_offs_replace_those_of_the_plain_measure(made, pytrec_eval):
    asked = ["ndcg_cut", "ndcg_cut.1,4", "ndcg_cut_20,4", "ndcg_cut_15", "recall.1000", "P"]
    theirs = pytrec_eval.RelevanceEvaluator(made.qrels, asked).evaluate(made.runs["run1"])
    assert intervale.RelevanceEvaluator(made.qrels, asked).evaluate(made.runs["run1"]) == theirs


def test_judged_documents_only(made, pytrec_eval):
    theirs = pytrec_eval.RelevanceEvaluator(made.qrels, {"map"}, judged_docs_only_flag=True)
    ours = intervale.RelevanceEvaluator(made.qrels, {"map"}, judged_docs_only_flag=True)
    assert ours.evaluate(made.runs["run1"]) == theirs.evaluate(made.runs["run1"])


def test_what_is_empty_is_as_there(made, pytrec_eval):
    qrel = {"q1": {"d1": 0, "d2": 1}, "q2": {"d2": 1, "d3": 1}, "q3": {}}
    runs = [{}, {"q1": {}, "q2": {}}, {"q1": {"d2": 1.0}, "q2": {}}, {"q2": {"d3": 1.0}, "x": {}}]
    # But num_rel of a topic without documents, which is 0 there.
    for asked in ({"map", "ndcg", "P_5"}, set()):
        for judged in (qrel, {}):
            theirs = pytrec_eval.RelevanceEvaluator(judged, asked)
            ours = intervale.RelevanceEvaluator(judged, asked)
            for run in runs:
                assert ours.evaluate(run) == theirs.evaluate(run)


def test_subtopics_of_records_and_frames():
    qrels = [ir_measures.Qrel(q, d, g, s) for q in "12" for d, s, g in
             (("a", "x", 1), ("a", "y", 0), ("b", "y", 1), ("c", "x", 1), ("d", "y", 2))]
    run = [ir_measures.ScoredDoc(q, d, -i) for q in "12" for i, d in enumerate("dazbc")]
    asked = [ir_measures.parse_measure(m) for m in ("ERR_IA@3", "alpha_nDCG@5", "StRecall@2",
                                                    "AP_IA", "P@2")]
    found = list(intervale.ir_measures.provider.iter_calc(asked, qrels, run))
    assert len(found) == 10
    means = intervale.ir_measures.provider.calc_aggregate(asked, qrels, run)
    assert means[asked[2]] == 1.0
    frame = pandas.DataFrame(qrels)
    direct = intervale.evaluate(frame, [run], [str(m) for m in asked[:4]],
                                judgments_format="groups").measures
    assert [row.value for row in direct] == [means[m] for m in asked[:4]]
    for given in (frame, qrels):
        with pytest.raises(intervale.BadArgument, match="'a' of topic '1' is a duplicate.*iteration is a "
                           "subtopic; judgments_format=\"groups\" reads them so"):
            intervale.evaluate(given, [run], ["ERR_IA@3"])
    renamed = frame.rename(columns={"iteration": "subtopic"})
    assert list(intervale.evaluate(renamed, [run], ["ERR_IA@3"]).measures) == list(direct)[:1]


def test_accuracy_leaves_out_what_ir_measures_leaves_out():
    measure = ir_measures.parse_measure("Accuracy(rel=2)")
    qrels = {"1": {"a": 2, "b": 0}, "2": {"a": 1}}
    run = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0, "b": 0.5}}
    found = list(intervale.ir_measures.provider.iter_calc([measure], qrels, run))
    assert [(m.query_id, m.value) for m in found] == [("1", 0.0)]


@pytest.mark.parametrize("name", ["BPM(T=2.0,max_rel=1)@10", "INST(T=2.0,max_rel=1)",
                                  "RBP(p=0.9,rel=1)", "NERR11(T=2.0,max_rel=1)"])
def test_names_that_are_written_otherwise(made, name):
    measure = ir_measures.parse_measure(name)
    found = list(intervale.ir_measures.provider.iter_calc([measure], made.qrels,
                                                          made.runs["run1"]))
    assert len(found) == len(made.topics) and all(m.measure == measure for m in found)


MEASURES = [AP, AP @ 20, AP(rel=2), nDCG, nDCG @ 10, P @ 5, P(rel=2) @ 10, RR, RR @ 10, Rprec,
            Bpref, R @ 50, Success @ 3, SetF, SetP, SetR, IPrec @ 0.1, Judged @ 10, infAP,
            NumRet, NumRel]


@pytest.mark.usefixtures("pytrec_eval")  # ir_measures computes most of them by it
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


def test_the_module_stands_in_for_pytrec_eval(made, pytrec_eval):
    import intervale.compat.pytrec_eval as ours  # pylint: disable=import-outside-toplevel
    whole = {"num_q", "gm_map", "gm_bpref", "runid", "relstring"}
    with open(made.folder / "qrels", encoding="utf-8") as a, open(made.paths[0], encoding="utf-8") as b:
        qrel, run = a.readlines(), b.readlines()
    assert ours.parse_qrel(qrel) == pytrec_eval.parse_qrel(qrel)
    assert ours.parse_run(run) == pytrec_eval.parse_run(run)
    assert ours.supported_measures == pytrec_eval.supported_measures - whole
    for name, of in ours.supported_nicknames.items():
        assert of == pytrec_eval.supported_nicknames[name] - whole
    theirs, mine = (m.RelevanceEvaluator(m.parse_qrel(qrel), m.supported_measures - whole).evaluate(
        m.parse_run(run)) for m in (pytrec_eval, ours))
    assert mine == theirs
    for name in ("map", "num_ret", "P_5", "gm_map"):
        values = [of.get(name, -2.0) for of in theirs.values()]
        assert ours.compute_aggregated_measure(name, values) == pytest.approx(
            pytrec_eval.compute_aggregated_measure(name, values), rel=1e-14)
    with pytest.raises(ValueError, match="unknown measure 'nonsense'"):
        ours.RelevanceEvaluator(ours.parse_qrel(qrel), {"nonsense"})
    with pytest.raises(ValueError, match="qrel:2: document 'd' again"):
        ours.parse_qrel(["1 0 d 1\n", "1 0 d 0\n"])


def test_the_module_stands_in_for_ranx(made):
    ranx = importlib.import_module("intervale.compat.ranx")
    judged, runs = ranx.Qrels(made.qrels), [ranx.Run(made.runs[n], name=n) for n in ("run1", "run2")]
    found = ranx.evaluate(judged, runs[0], ["map", "mrr@10"])
    want = intervale.evaluate(made.qrels, {"run1": made.runs["run1"]}, ["AP", "RR@10"]).measures
    assert list(found.values()) == pytest.approx([r.value for r in want], abs=1e-12)
    report = ranx.compare(judged, runs, ["map"], max_p=0.05)
    pair = intervale.compare(made.qrels, {r.name: r.to_dict() for r in runs}, "AP", test="t", correct="none").pairs[0]
    assert report.comparisons[frozenset(("run1", "run2"))]["map"]["p_value"] == pytest.approx(pair.p)
    assert report.comparisons["run2", "run1"] == report.comparisons[frozenset(("run1", "run2"))]
    with pytest.raises(KeyError):
        report.comparisons["run1", "run9"]
    tables = ranx.compare(judged, runs, ["map", "ndcg@10"]).to_latex()
    assert re.findall(r"\\label\{(.*)\}", tables) == ["tab:paper-map", "tab:paper-ndcg@10"]
    with pytest.raises(AssertionError, match="make_comparable"):
        ranx.evaluate(judged, ranx.Run(made.runs["run3"]), "map")
    assert 0 < ranx.evaluate(judged, ranx.Run(made.runs["run3"]), "map", make_comparable=True) < 1
