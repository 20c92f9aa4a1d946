# SPDX-License-Identifier: Apache-2.0
"""What people try on their first day with the package, and what they should get."""
import os
import pathlib
import subprocess
import sys

import numpy
import pandas
import polars
import pytest

import intervale

ROOT = pathlib.Path(os.environ["INTERVALE_ROOT"])
GOLD = [1, 0, 1, 1, 0, 1, 0, 0, 1, 1]
SYSTEMS = {"A": [1, 0, 1, 0, 0, 1, 1, 0, 1, 1], "B": [1, 1, 1, 0, 0, 1, 1, 0, 0, 1]}


@pytest.fixture(scope="module", name="wide")
def fixture_wide(made):
    """Average precision, a row for each topic, a column for each run."""
    topics = intervale.evaluate(made.qrels, {n: made.runs[n] for n in ("run1", "run2")}, "AP").to_pandas("topics")
    return topics.pivot(index="topic", columns="run", values="value")


def test_series_are_joined_by_their_index(wide):
    want = intervale.compare_scores(wide.reset_index())
    first, second = (wide[n] for n in wide)
    shuffled = second.sample(frac=1, random_state=1)
    assert list(shuffled.index) != list(second.index)
    for other in (second, shuffled):
        found = intervale.compare_scores({"run1": first, "run2": other})
        assert found.pairs == want.pairs
        assert [(r.topic, r.score_a) for r in found.topics] == [(r.topic, r.score_a) for r in want.topics]
    missing = intervale.compare_scores({"run1": first, "run2": shuffled[1:]}).pairs[0]
    assert missing.topics == len(wide) - 1


def test_an_index_with_a_usual_name_is_a_column(made, wide):
    assert {r.topic: r.score_a for r in intervale.compare_scores(wide).topics} == wide.run1.to_dict()
    strange = intervale.compare_scores(wide.rename_axis("number"))
    assert sorted(r.run for r in strange.runs) == ["run1", "run2"]
    with pytest.raises(intervale.BadArgument, match="no column of the item"):
        intervale.compare_scores(wide.T.rename_axis("name"))  # rows are systems
    qrels = pandas.DataFrame(made.qrel_rows(), columns=["qid", "docno", "label"])
    run = pandas.DataFrame(made.run_rows("run1"), columns=["qid", "docno", "score"])
    want = intervale.evaluate(qrels, run, "AP")
    assert intervale.evaluate(qrels.set_index(["qid", "docno"]), run.set_index("qid"), "AP").measures \
        == want.measures


def test_a_frame_says_how_its_run_is_called(made):
    frames = [pandas.DataFrame(made.run_rows(n), columns=["qid", "docno", "score"]).assign(run=n.upper())
              for n in ("run1", "run2")]
    names = lambda runs: {r.run for r in intervale.evaluate(made.qrels, runs, "AP").measures}
    for form in (lambda f: f, polars.from_pandas):
        assert names(form(frames[0])) == {"RUN1"}
        assert names([form(f) for f in frames]) == {"RUN1", "RUN2"}
        assert names({"x": form(frames[0])}) == {"x"}


def test_topics_are_texts_whatever_they_were():
    want = intervale.compare_scores({"A": {"1": .1, "2": .4, "3": .5}, "B": {"1": .2, "2": .4, "3": .9}})
    mixed = intervale.compare_scores({"A": {1: .1, 2: .4, 3: .5}, "B": {"1": .2, "2": .4, "3": .9}})
    assert mixed.pairs == want.pairs
    with pytest.raises(intervale.BadArgument, match="as a number and as a text"):
        intervale.compare_scores({"A": {1: .1, "1": .4}, "B": {"1": .2}})


def test_records_of_scores(wide):
    long = wide.reset_index().melt("topic", var_name="model", value_name="score")
    records = long.to_dict("records")
    assert intervale.compare_scores(records).pairs == intervale.compare_scores(long.to_dict("list")).pairs
    assert intervale.evaluate_scores(records).measures == intervale.evaluate_scores(long).measures
    assert intervale.plan_topics(records).topics == intervale.plan_topics(long).topics
    with pytest.raises(intervale.BadArgument, match="{system: {topic: score}}"):
        intervale.compare_scores([{"q1": .1, "q2": .3}, {"q1": .2, "q2": .1}])


def test_positions_are_those_of_scikit_learn():
    named = intervale.prf(y_true=GOLD, y_pred=SYSTEMS, paired=True)
    for gold in (GOLD, numpy.array(GOLD), pandas.Series(GOLD, index=range(5, 15))):
        for systems in (SYSTEMS, pandas.DataFrame(SYSTEMS), polars.DataFrame(SYSTEMS)):
            assert intervale.prf(gold, systems, paired=True).metrics == named.metrics
    assert not [note for note in named.notes if "y_true" in note]
    scores = [.9, .1, .8, .4, .3, .6, .5, .2, .7, .75]
    assert intervale.roc(GOLD, scores).measures == intervale.roc(y_true=GOLD, y_score=scores).measures
    assert intervale.prf((8, 2, 4)).metrics == intervale.prf(counts=(8, 2, 4)).metrics
    with pytest.raises(intervale.BadArgument, match="y_true has a row for each item"):
        intervale.prf(numpy.eye(2)[GOLD], numpy.eye(2)[GOLD])
    with pytest.raises(intervale.BadArgument, match=r"counts are a ndarray|counts are array") as told:
        intervale.prf(numpy.arange(1000))
    assert len(str(told.value)) < 200


@pytest.mark.parametrize("way", ["gate", "gate_on_worse"])
def test_each_way_of_a_gate_is_one(wide, way):
    asked = {way: True, "baseline": "run2"}
    assert intervale.compare_scores(wide, margin=0.9, **asked).verdict == "PASS"
    with pytest.raises(intervale.BadArgument, match="a gate needs one baseline and a margin: baseline= and margin="):
        intervale.compare_scores(wide, **asked)


def test_weights_of_sets_are_a_mapping():
    scores = {"model": list("aaaabbbb"), "task": list("xxyy") * 2, "question": list("1212") * 2,
              "score": [.1, .2, .3, .4, .2, .2, .4, .3]}
    assert intervale.compare_scores(scores, set_weight={"x": 2}).pairs \
        == intervale.compare_scores(scores, set_weight="x=2").pairs \
        != intervale.compare_scores(scores).pairs


@pytest.mark.parametrize("ask, expected", [
    (lambda: intervale.compare_scores({}), "scores: no rows"),
    (lambda: intervale.compare_scores([]), "scores: no rows"),
    (lambda: intervale.compare("scores.csv"), r"no runs were given; compare_scores\(\)"),
    (lambda: intervale.plan_topics(difference=0.1), r"expected those of a pilot .* plan_power\(\)"),
    (lambda: intervale.compare_scores(polars.DataFrame(SYSTEMS).lazy()), r"its collect\(\)"),
    (lambda: intervale.evaluate([{"query_id": "1"}], {}, "AP"), "the attributes query_id, doc_id and relevance"),
])
def test_errors_say_what_to_do(ask, expected):
    with pytest.raises(intervale.BadArgument, match=expected):
        ask()


def test_an_unknown_option_is_of_the_function():
    with pytest.raises(TypeError, match=r"^evaluate\(\) has no option 'llm'; intervale.options\('evaluate'\) lists"):
        intervale.evaluate({"1": {"a": 1}}, {"1": {"a": 1.0}}, llm=3)


def test_print_speaks_python():
    judged = {str(t): {"a": 1, "b": 0} for t in range(8)}
    run = {str(t): {"a": 1.0 + t, "b": 2.0} for t in range(6)}
    shown = str(intervale.evaluate(judged, run, ["AP"]))
    assert "Use complete= to count them as 0." in shown and "--" not in shown.split("warning: ")[1]
    assert "|" in shown  # charts stay as they are
    few = intervale.compare(judged, {"x": run, "y": {t: {"a": 1.0, "b": 2.0} for t in run}})
    assert "(plan_topics())" in "".join(few.notes) or "topics would be" not in "".join(few.notes)


def test_a_cell_of_a_notebook_shows_what_print_shows():
    found = intervale.prf(GOLD, SYSTEMS, paired=True)
    cell = found._repr_html_()
    assert "balanced_accuracy" in cell and "\\_" not in cell.split("<script>")[0]
    assert f"<li>Method: {found.method[:20]}" in cell
    notes = [line for line in str(found).splitlines() if line.startswith(("note: ", "warning: "))]
    assert cell.split("<script>")[0].count("<li>") == len(notes) + 1
    tiny = intervale.compare_scores({"A": {i: 1 + i % 3 / 10 for i in range(40)}, "B": {i: i % 3 / 10 + i % 2 / 50
                                                                                     for i in range(40)}})
    assert tiny.pairs[0].p < 1e-6 and f"{tiny.pairs[0].p:.1e}" in tiny.pairs._repr_html_()


def test_labels_of_an_axis_do_not_touch(tmp_path):
    pytest.importorskip("matplotlib")
    found = intervale.compare_scores({f"a system with a long name {k}": {i: (i * k % 7) / 40 for i in range(30)}
                                      for k in (1, 2, 3)})
    axes = found.plot("pairs")
    axes.figure.savefig(tmp_path / "x.png")
    boxes = [t.get_window_extent() for t in axes.get_xticklabels() if t.get_text()]
    left, right = axes.get_xlim()
    seen = [b for b, at in zip(boxes, axes.get_xticks()) if left <= at <= right]
    assert len(seen) > 1 and all(a.x1 < b.x0 for a, b in zip(seen, seen[1:]))


def test_types_take_what_functions_take(tmp_path):
    use = tmp_path / "use.py"
    use.write_text("""from pathlib import Path
import intervale
qrels = {"1": {"a": 1}}
intervale.evaluate(qrels, {"1": {"a": 1.0}}, "P@10", machine=qrels, human_design="random")
intervale.compare(Path("q"), [Path("a"), "b"], baseline=Path("a"), groups=Path("g"))
intervale.compare_scores("s.csv", columns={"score": "acc"}, set_weight={"arc": 2})
intervale.plan_power(difference=0.02, sd=0.1, confidence=0.9)
intervale.prf([1], {"A": [1]}, paired=True).report()
""", encoding="utf-8")
    found = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", use],
                           env={**os.environ, "MYPYPATH": str(ROOT / "python")}, capture_output=True, text=True,
                           check=False)
    assert found.returncode == 0, found.stdout
