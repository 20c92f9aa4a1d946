# SPDX-License-Identifier: Apache-2.0
"""What people who live in pandas expect: names as given, frames as files, errors that help."""
import collections
import inspect
import subprocess
import sys

import pandas
import polars
import pyarrow
import pytest

import intervale
import intervale.spark


@pytest.fixture(scope="module", name="long")
def fixture_long(made):
    """Scores of two measures, a row each."""
    found = intervale.evaluate(made.qrels, made.runs, ["AP", "RR"])
    return pandas.DataFrame([(r.run, r.topic, r.measure, r.value) for r in found.topics],
                            columns=["system", "topic", "measure", "score"])


def test_a_frame_of_two_measures_is_compared_by_those_asked_for(long, tmp_path):
    long.to_csv(tmp_path / "long.csv", index=False)
    ap = intervale.compare_scores(long[long.measure == "AP"].drop(columns="measure"), name="AP").pairs
    rr = intervale.compare_scores(long[long.measure == "RR"].drop(columns="measure"), name="RR").pairs
    for asked in ("AP", ["AP"]):
        for word in ("measures", "measure"):
            assert intervale.compare_scores(long, **{word: asked}).pairs == ap
        assert intervale.compare(long, measures=asked).pairs == ap
    assert intervale.compare_scores(long, measures="RR").pairs == rr
    for form in (long, polars.DataFrame(long.to_dict("list")), pyarrow.Table.from_pandas(long),
                 tmp_path / "long.csv"):
        both = intervale.compare_scores(form, measures=["AP", "RR"]).pairs
        assert list(both) == [*ap, *rr]
        assert intervale.compare_scores(form).pairs == ap  # and says so
    with pytest.raises(intervale.BadArgument, match="no measure 'nDCG', but 'AP', 'RR'"):
        intervale.compare_scores(long, measures="nDCG")


def test_a_measure_is_chosen_and_only_name_names_scores(tmp_path):
    grid = {"A": {"1": 1, "2": 0, "3": 1}, "B": {"1": 0, "2": 0, "3": 1}}
    frame = pandas.DataFrame([(s, t, x) for s, row in grid.items() for t, x in row.items()],
                             columns=["system", "item", "correct"])
    frame.to_csv(tmp_path / "scores.csv", index=False)
    for scores in (grid, frame, tmp_path / "scores.csv"):
        with pytest.raises(intervale.BadArgument, match="measure"):
            intervale.compare_scores(scores, measures="nonsense")
        assert "in accuracy" in intervale.compare_scores(scores, name="accuracy").sentence
    for scores in (frame, tmp_path / "scores.csv"):  # called like the column of its scores
        assert "in correct" in intervale.compare_scores(scores, measures="correct").sentence


def test_seed_0_is_refused_and_progress_true_shows_it(made):
    with pytest.raises(intervale.BadArgument, match="seed is 0, expected 1 or more"):
        intervale.evaluate(made.qrels, made.runs, ["AP"], seed=0)
    assert intervale.evaluate(made.qrels, made.runs, ["AP"], progress=True).measures


def test_measures_that_pytrec_eval_has_for_runs_alone_are_named():
    from intervale.compat import pytrec_eval
    with pytest.warns(UserWarning, match="gm_map, num_q: no value of a topic"):
        pytrec_eval.RelevanceEvaluator({"q": {"d": 1}}, {"map", "gm_map", "num_q"})


def test_columns_are_the_same_in_frames_and_files(tmp_path):
    frame = pandas.DataFrame([(m, i, s, (i * (3 + s) + k * i * i) % 11 / 11) for k, m in enumerate("AB")
                              for i in range(15) for s in range(3)],
                             columns=["model", "question", "seed", "acc"])
    frame.to_csv(tmp_path / "usual.csv", index=False)
    odd = frame.rename(columns={"model": "who", "question": "what", "seed": "try", "acc": "got"})
    odd.to_csv(tmp_path / "odd.csv", index=False)
    roles = {"system": "who", "item": "what", "repeat": "try", "score": "got"}
    texts = [f"{role}={name}" for role, name in roles.items()]
    for ask in (intervale.compare_scores, intervale.evaluate_scores):
        want = ask(tmp_path / "usual.csv")
        found = [ask(frame), ask(frame.to_dict("list"))]
        for table in (odd, odd.to_dict("list"), tmp_path / "odd.csv", pyarrow.Table.from_pandas(odd)):
            found += [ask(table, columns=c) for c in (roles, texts, ",".join(texts))]
        for one in found:
            assert list(one.tables) == list(want.tables)
            assert list(one.tables.values()) == list(want.tables.values())
        with pytest.raises(intervale.BadArgument, match="no column 'x' for score; the columns are who, what"):
            ask(odd, columns={"score": "x"})
        with pytest.raises(intervale.BadArgument, match="repeat=@folder, which is taken from the path"):
            ask(odd, columns="repeat=@folder")
        with pytest.raises(intervale.BadArgument, match="role 'sytem', expected one of: system, item"):
            ask(odd, columns={"sytem": "who"})
    sets = {"system": list("AABB") * 4, "item": [f"i{n // 4}" for n in range(16)], "part": list("xyxy") * 4,
            "score": [n * 7 % 5 / 5 for n in range(16)]}
    want = intervale.compare_scores({**{n: sets[n] for n in ("system", "item", "score")}, "set": sets["part"]})
    for role in ("set", "suite"):  # its name before 0.3
        assert intervale.compare_scores(sets, columns={role: "part"}).sets == want.sets
    with pytest.raises(intervale.BadArgument, match="the scores have no columns"):
        intervale.compare_scores({"A": {"1": 1}, "B": {"1": 2}}, columns={"score": "x"})


def test_topics_are_planned_from_what_evaluate_takes(made, long, tmp_path):
    qrels, paths = made.folder / "qrels", made.paths
    want = intervale.plan_topics(qrels, paths, ["AP"])
    frames = {n: pandas.DataFrame(made.run_rows(n), columns=["qid", "docno", "score"])
              for n in made.runs}
    judged = pandas.DataFrame(made.qrel_rows(), columns=["qid", "docno", "label"])
    for one in (intervale.plan_topics(made.qrels, made.runs), intervale.plan_topics(judged, frames),
                intervale.plan_topics(judged, pandas.concat([f.assign(run=n) for n, f in frames.items()]))):
        assert one.table() == want.table()
    ap = long[long.measure == "AP"].drop(columns="measure")
    ap.to_csv(tmp_path / "ap.csv", index=False)
    grid = {s: dict(zip(of.topic, of.score)) for s, of in ap.groupby("system")}
    want = intervale.plan_topics(tmp_path / "ap.csv", scores=True).table()
    for given in (ap, grid, ap.pivot(index="topic", columns="system", values="score").reset_index()):
        assert intervale.plan_topics(given).table() == want
    assert intervale.plan_topics(long, measures="AP").table()[0].topics == want[0].topics


def test_measures_are_called_as_asked_for(made):
    asked = ["mrr", "MAP", "ndcg@10", "P_5", "recall@5", "map"]
    found = intervale.evaluate(made.qrels, made.runs, asked)
    assert list(dict.fromkeys(r.measure for r in found.measures)) == asked
    plain = intervale.evaluate(made.qrels, made.runs, ["RR", "AP", "nDCG@10", "P@5", "R@5", "map"])
    assert [r.value for r in found.measures] == [r.value for r in plain.measures]
    assert {r.measure for r in intervale.compare(made.qrels, made.runs, "mrr").pairs} == {"mrr"}
    with_level = intervale.evaluate(made.qrels, made.runs, ["mrr"], level=2).measures[0]
    assert with_level.measure in ("mrr", "RR(rel=2)")


def test_pool_takes_its_measure_as_the_others_do(made):
    found = intervale.pool(made.qrels, made.runs, "nDCG@10")
    assert found.sentence == intervale.pool(made.qrels, made.runs, measure="nDCG@10").sentence
    assert "nDCG@10" in found.sentence
    with pytest.raises(intervale.BadArgument, match="2 measures; expected one"):
        intervale.pool(made.qrels, made.runs, ["AP", "nDCG@10"])


def test_errors_list_the_choices(made, tmp_path):
    found = intervale.compare(made.qrels, made.runs)
    with pytest.raises(intervale.BadArgument, match="no test 'student', expected one of: sign, wilcoxon, t"):
        intervale.compare(made.qrels, made.runs, test="student")
    with pytest.raises(intervale.BadArgument, match="no format 'word', expected one of: .*latex.*svg"):
        found.to("word")
    assert found.to("tex", "paper") == found.to("latex", "paper")
    found.save(tmp_path / "t.tex", "paper")
    assert (tmp_path / "t.tex").read_text() == found.to("latex", "paper")
    with pytest.raises(intervale.BadArgument, match="columns A, expected .* one for each of two"):
        intervale.compare_scores({"A": [1, 2, 3]})
    with pytest.raises(intervale.BadArgument, match="^scores of 'B' are .*, expected {topic: score}"):
        intervale.compare_scores({"A": {"1": 1}, "B": [1, 2]})
    with pytest.raises(intervale.BadArgument, match=r"A \(3 rows\), B \(2 rows\) differ in length"):
        intervale.compare_scores({"A": [1, 2, 3], "B": [1, 2]})
    for odd in (5, "AB", [1, 2]):
        with pytest.raises((intervale.BadArgument, OSError)):
            intervale.compare_scores(odd)
    wide = intervale.compare_scores({"A": [1, 2, 3, 5], "B": [2, 2, 5, 9]})
    assert wide.pairs == intervale.compare_scores([[1, 2, 3, 5], [2, 2, 5, 9]], systems=["A", "B"]).pairs


def test_results_are_drawn(made, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    found = intervale.compare(made.qrels, made.runs)
    ax = found.plot()
    assert [t.get_text() for t in ax.get_yticklabels()] == [f"{r.a} - {r.b}" for r in found.pairs]
    assert ax.get_xlabel() == "difference of AP"
    assert found.plot("runs", ax=ax) is ax
    for kind, begin in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        place = tmp_path / f"fig.{kind}"
        found.save(place)
        first = place.read_bytes()
        found.save(place)
        assert first.startswith(begin) and place.read_bytes() == first
    with pytest.raises(intervale.BadArgument, match="'paper' has no intervals"):
        found.plot("paper")


def test_runs_in_memory_are_seeds_by_their_names():
    topics = [f"t{k}" for k in range(20)]
    qrels = {t: {"a0": 1, "a1": k % 3, "a2": k % 2} for k, t in enumerate(topics)}
    qrels["t0"]["b0"] = 0
    runs = {f"{s}.{k}": {t: {f"{s}{(i + k) % 3}": 3 - i for i in range(3)} for t in topics}
            for s in "ab" for k in range(3)}
    columns = {"system": "@path:{system}.{repeat}"}
    found = intervale.compare(qrels, runs, "P@3", columns=columns)
    assert str(found).startswith("Cannot be decided: 98 % of the top 10 documents of b are unjudged, and 0 % of "
                                 "those of a.") and found.pairs[0].unjudged, found
    full = {t: {**of, **{f"b{k}": 0 for k in range(3)}} for t, of in qrels.items()}
    assert "unjudged" not in str(intervale.compare(full, runs, "P@3", columns=columns))
    with pytest.raises(intervale.Error, match="system=@path"):
        intervale.compare(qrels, runs, "P@3", columns={"item": "x"})


def test_judgments_and_frames_name_what_is_unjudged_and_scores_say_that_they_cannot(made):
    frames = {name: pandas.DataFrame([(t, d, s) for t in run for d, s in run[t].items()],
                                     columns=["qid", "docno", "score"]) for name, run in made.runs.items()}
    labels = pandas.DataFrame([(t, d, g) for t in made.qrels for d, g in made.qrels[t].items()],
                              columns=["qid", "docno", "label"])
    assert str(intervale.compare(labels, frames, "AP")) == str(intervale.compare(made.qrels, made.runs, "AP"))
    scores = {r: {row.topic: row.value for row in intervale.evaluate(made.qrels, {r: made.runs[r]}, "AP").topics}
              for r in made.runs}
    assert "Scores of AP do not show unjudged documents" in str(intervale.compare_scores(scores, name="AP"))
    assert "do not show unjudged" not in str(intervale.compare_scores(scores, name="exact match"))


def test_pictures_of_several_measures_of_ranks_and_of_topics(made, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    found = intervale.compare(made.qrels, made.runs, ["AP", "P@10"])
    rows = {m: [r for r in found.runs if r.measure == m] for m in ("AP", "P@10")}
    for name, values in (("runs", [r.mean for r in rows["P@10"]]), ("ranks", [r.rank for r in rows["P@10"]])):
        drawn = found.plot(name)
        assert [ax.get_xlabel().split()[-1] for ax in drawn] == ["AP", "P@10"], name
        assert list(drawn[1].lines[0].get_xdata()) == values, name
    assert drawn[1].get_xlim() == (0.5, len(values) + 0.5)  # no rank is 0
    alone = intervale.compare(made.qrels, made.paths[:2], "AP")
    ax = alone.plot("topics")
    of_topics = sorted(alone.topics, key=lambda row: -row.difference)
    assert [bar.get_height() for bar in ax.patches] == [row.difference for row in of_topics]
    assert {t.get_text() for t in ax.texts} == {r.topic for r in of_topics[:3] + of_topics[-3:] if r.difference}
    assert ax.get_title() == f"{of_topics[0].a} - {of_topics[0].b}" and ax.get_ylabel() == "difference in AP"
    pages = len({row.pair for row in found.topics})
    assert len(found.plot("topics")) == pages > 1
    with pytest.raises(intervale.BadArgument, match=f"{pages} pictures"):
        found.plot("topics", ax=ax)
    found.save(tmp_path / "topics.svg", table="topics")
    text = (tmp_path / "topics.svg").read_text()
    assert all(f"{row.a} - {row.b}" in text for row in found.pairs)


def test_the_extra_is_named_where_nothing_draws(made, tmp_path, monkeypatch):
    for name in ("matplotlib", "matplotlib.pyplot", "vl_convert"):
        monkeypatch.setitem(sys.modules, name, None)
    found = intervale.evaluate(made.qrels, made.runs)
    for draw in (found.plot, lambda: found.save(tmp_path / "fig.svg")):
        with pytest.raises(ImportError, match=r"pip install intervale\[plot\]"):
            draw()
    assert not list(tmp_path.iterdir())


def test_signatures_have_every_option():
    for name in intervale.__all__:
        function = getattr(intervale, name)
        if not inspect.isfunction(function) or name in ("options", "version"):
            continue
        taken = inspect.signature(function).parameters
        assert not any(p.kind == p.VAR_KEYWORD for p in taken.values()), name
        assert set(intervale.options(name)) | {"seed", "threads", "progress"} <= set(taken), name
        assert inspect.getsource(function).startswith(f"def {name}(")
    compare = inspect.signature(intervale.compare).parameters
    assert compare["confidence"].annotation == "float | None"
    assert "'holm'" in compare["correct"].annotation
    assert compare["judgments"].kind == inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert {n for n in dir(intervale) if n[0] != "_"} == set(intervale.__all__)
    done = subprocess.run([sys.executable, "-c", "import sys, intervale; sys.exit('inspect' in sys.modules)"],
                          check=False)
    assert done.returncode == 0  # made when somebody asks


def test_a_cell_shows_what_print_shows_and_folds_the_rest(made):
    found = intervale.compare(made.qrels, {**made.runs, "a|b<i>": made.runs["run1"]})
    shown, _, folded = found._repr_html_().partition("<details>")
    plain = shown.partition("<script>")[0]
    heads = [c for c in ("pair", "difference", "lower", "upper", "p (Holm)", "ranks") if f">{c}</th>" in plain]
    assert len(heads) == 6 and "superiority" not in plain and "superiority" in folded
    assert ">run1 - a|b&lt;i&gt;</td>" in plain and "<i>" not in plain
    assert folded.count("<table>") == len(found.tables)
    several = intervale.evaluate(made.qrels, made.runs, ["AP", "RR"])._repr_html_().partition("<details>")[0]
    for row in intervale.evaluate(made.qrels, made.runs, ["AP", "RR"]).measures:
        assert f">{row.value:.4f}</td>" in several


def test_progress_in_a_notebook_is_one_output_or_none(monkeypatch):
    from intervale import _progress  # pylint: disable=import-outside-toplevel
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "ipywidgets" else 1)
    assert not _progress.watched()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: 1)
    assert _progress.watched()


def test_topics_are_tidy_and_measures_have_two_names(made):
    found = intervale.compare(made.qrels, made.runs, ["mrr", "map"])
    first = next(r for r in found.topics if (r.a, r.b, r.measure) == ("run1", "run2", "mrr"))
    score = {(r.run, r.measure, r.topic): r.value for r in
             intervale.evaluate(made.qrels, made.runs, ["mrr", "map"]).topics}
    for row in found.topics:
        assert (row.score_a, row.score_b) == tuple(score[x, row.measure, row.topic] for x in (row.a, row.b))
        assert row.difference == row.score_a - row.score_b
    assert first.pair == "run1 - run2, mrr"
    assert {(r.measure, r.canonical) for r in found.pairs} == {("mrr", "RR"), ("map", "AP")}
    names = ["P_10", "ndcg@10", "iprec_at_recall_0.10", "RBP(p=0.5)", "num_rel"]
    listed = intervale.evaluate(made.qrels, made.runs, names, ci="none").measures
    assert list(dict.fromkeys(r.canonical for r in listed)) == [
        "P@10", "nDCG@10", "IPrec@0.1", "RBP(p=0.5)", "NumRel"]


def test_per_topic_keeps_every_table(made):
    plain, more = (intervale.evaluate(made.qrels, made.runs, "AP", per_topic=x) for x in (False, True))
    assert list(plain.tables) == list(more.tables) and plain.topics == more.topics


def test_a_frame_of_many_runs_is_that_of_each(made):
    frames = {n: pandas.DataFrame(made.run_rows(n), columns=["qid", "docno", "score"]) for n in made.runs}
    want = intervale.evaluate(made.qrels, frames, "AP").measures
    one = pandas.concat([f.assign(run=n) for n, f in frames.items()])
    for form in (one, one.sample(frac=1, random_state=1)):
        for made_by in (lambda f: f, polars.from_pandas, pyarrow.Table.from_pandas):
            assert intervale.evaluate(made.qrels, made_by(form), "AP").measures == want


def test_arrays_of_scikit_learn():
    y_true, y_pred = ["a", "b", "c", "a"] * 20, ["a", "b", "a", "a"] * 20
    found = intervale.prf(y_true=y_true, y_pred=y_pred)
    assert found.report().splitlines()[0].split() == ["class", "precision", "recall", "f1", "support"]
    assert list(found.metrics) == list(intervale.prf(
        labels={"id": list(range(80)), "y_true": y_true, "system": y_pred}).metrics)
    scores = [[.6, .3, .1], [.2, .7, .1], [.5, .2, .3], [.4, .5, .1]] * 20
    assert "3 classes" in intervale.roc(y_true=y_true, y_score=scores).sentence
    two, of = [0, 1, 1, 0] * 10, [.1, .8, .4, .6] * 10
    assert list(intervale.roc(y_true=two, y_score=[[1 - s, s] for s in of]).measures) \
        == list(intervale.roc({"id": list(range(40)), "y_true": two, "system": of}).measures)
    with pytest.raises(intervale.BadArgument, match="y_score of system has 2 columns, and y_true 3 classes"):
        intervale.roc(y_true=y_true, y_score=[[.5, .5]] * 80)


def test_gates_confidence_and_scores_of_items(made):
    q = [made.qrels, {n: made.runs[n] for n in ("run1", "run2")}]
    old = {str(i): i % 7 / 10 for i in range(50)}
    for better, verdict in ((0.2, "PASS"), (-0.2, "FAIL")):
        new = {i: x + better + int(i) % 3 / 50 for i, x in old.items()}
        found = intervale.compare_scores({"old": old, "new": new}, baseline="old", margin=0.1, gate=True)
        assert found.verdict == verdict and found.sentence.startswith(verdict)
    with pytest.raises(intervale.BadArgument, match="one baseline and a margin"):
        intervale.compare(*q, gate=True)
    plan = dict(difference=0.02, sd=0.1, power=0.8)
    assert intervale.plan_power(confidence=0.9, **plan).sentence == intervale.plan_power(alpha=0.1, **plan).sentence
    scores = {"A": {"1": 0.5, "2": 0.7, "3": 0.2}, "B": {"1": 0.4, "2": 0.9, "3": 0.1}}
    rows = [(s, i, x) for s, of in scores.items() for i, x in of.items()]
    assert intervale.evaluate_scores(scores).measures == intervale.evaluate_scores(
        dict(zip(("system", "item", "score"), map(list, zip(*rows))))).measures


def test_the_table_of_a_paper_fits_a_column(made):
    names = ["AP", "nDCG@10", "P@10", "RR"]
    three, four = (intervale.compare(made.qrels, made.runs, names[:k]).to("latex", "paper") for k in (3, 4))
    for text, kind in ((three, "table"), (four, "table*")):
        assert f"\\begin{{{kind}}}[t]" in text and "\\label{tab:paper}" in text and "\\toprule" in text
    assert three.count("\\multicolumn{2}{c}{{\\scriptsize") == 9  # intervals below their means


def test_spark_refuses_a_wrong_measure_on_the_driver():
    with pytest.raises(intervale.Error, match="nDGC"):
        intervale.spark.evaluate(None, None, ["AP", "nDGC@10"])  # before Spark is needed


def test_help_has_the_real_defaults_and_explains_every_option(made):
    taken = inspect.signature(intervale.compare).parameters
    assert (taken["complete"].default, taken["resamples"].default) == (False, 10000)
    assert (taken["correct"].default, taken["confidence"].default) == ("auto", 0.95)
    assert inspect.signature(intervale.incomplete).parameters["measure"].default == "AP"
    for name in ("compare", "evaluate", "incomplete", "pool", "sample"):
        text = inspect.getdoc(getattr(intervale, name))
        assert all(f"{option}: " in text for option in intervale.options(name)), name
    assert "\ncorrect: correction for many pairs" in repr(intervale.options("compare"))
    given = {n: taken[n].default for n in ("confidence", "resamples", "correct", "complete", "test")}
    assert intervale.compare(made.qrels, made.runs, **given).pairs == intervale.compare(made.qrels, made.runs).pairs


def test_a_table_gives_a_column_by_its_name(made):
    found = intervale.compare(made.qrels, made.runs)
    assert found.pairs["p_adjusted"] == [row.p_adjusted for row in found.pairs]
    with pytest.raises(KeyError, match="table 'pairs' has no column 'q'; it has a, b"):
        found.pairs["q"]  # pylint: disable=pointless-statement


def test_a_dataset_of_ir_datasets_is_taken_as_it_is(made):
    class Dataset:
        def qrels_iter(self):
            return (Qrel(t, d, g) for t, d, g in made.qrel_rows())

    Qrel = collections.namedtuple("Qrel", "query_id doc_id relevance")
    assert intervale.evaluate(Dataset(), made.runs).measures == intervale.evaluate(made.qrels, made.runs).measures
