# SPDX-License-Identifier: Apache-2.0
"""What is in memory gives what files give, to the last digit, whatever it is."""
import collections
import gc
import re
import tempfile

import numpy
import pandas
import polars
import pyarrow
import pytest
from ir_measures import AP, Qrel, ScoredDoc, nDCG

import intervale

MEASURES = ["AP", "nDCG@10", "P@5", "RR"]


def pandas_of(rows, names):
    return pandas.DataFrame(rows, columns=names)


FORMS = {
    "dicts": (lambda m: m.qrels, lambda m, n: m.runs[n]),
    "records": (lambda m: [Qrel(*r) for r in m.qrel_rows()],
                lambda m, n: [ScoredDoc(*r) for r in m.run_rows(n)]),
    "pandas as ir_measures": (
        lambda m: pandas_of(m.qrel_rows(), ["query_id", "doc_id", "relevance"]),
        lambda m, n: pandas_of(m.run_rows(n), ["query_id", "doc_id", "score"])),
    "pandas as PyTerrier": (
        lambda m: pandas_of(m.qrel_rows(), ["qid", "docno", "label"]),
        lambda m, n: pandas_of(m.run_rows(n), ["qid", "docno", "score"]).assign(
            docid=1, query="some words", rank=0)),
    "polars": (
        lambda m: polars.DataFrame(m.qrel_rows(), schema=["query_id", "doc_id", "relevance"],
                                   orient="row"),
        lambda m, n: polars.DataFrame(m.run_rows(n), schema=["query_id", "doc_id", "score"],
                                      orient="row")),
    "arrow": (
        lambda m: pyarrow.Table.from_pandas(pandas_of(m.qrel_rows(), ["qid", "docno", "label"])),
        lambda m, n: pyarrow.Table.from_pandas(pandas_of(m.run_rows(n),
                                                         ["qid", "docno", "score"]))),
}


@pytest.mark.parametrize("form", FORMS)
def test_memory_gives_what_files_give(made, form):
    qrels, run = FORMS[form]
    runs = {name: run(made, name) for name in made.runs}
    for asked in (dict(), dict(complete=True, ci="t", confidence=0.9)):
        files = intervale.evaluate(made.folder / "qrels", made.paths, MEASURES, **asked)
        memory = intervale.evaluate(qrels(made), runs, MEASURES, **asked)
        assert list(memory.measures) == list(files.measures)
        assert len(memory.measures) == len(MEASURES) * 3
        unnamed = intervale.evaluate(qrels(made), list(runs.values()), MEASURES, **asked)
        assert [row[1:] for row in unnamed.measures] == [row[1:] for row in files.measures]
    files = intervale.compare(made.folder / "qrels", made.paths)
    memory = intervale.compare(qrels(made), runs)
    assert memory.sentence == files.sentence
    assert list(memory.pairs) == list(files.pairs)
    assert list(memory.runs) == list(files.runs)


def test_measures_of_ir_measures_are_taken(made):
    named = intervale.evaluate(made.qrels, made.runs, ["AP", "nDCG@10"])
    given = intervale.evaluate(made.qrels, made.runs, [AP, nDCG @ 10])
    assert list(named.measures) == list(given.measures)


def test_judging_from_memory_is_judging_from_files(made):
    two = dict(list(made.runs.items())[:2])
    for name, options in (("next", {}), ("incomplete", {})):
        ask = getattr(intervale, name)
        memory, files = ask(made.qrels, two, **options), ask(made.folder / "qrels",
                                                             made.paths[:2], **options)
        assert memory.sentence == files.sentence
        assert [list(t) for t in memory.tables.values()] == [list(t) for t in
                                                             files.tables.values()]
    memory, files = (intervale.sample(r, budget=10, seed=3) for r in (made.runs, made.paths))
    assert [l for l in memory.form.splitlines() if l[0] != "#"] \
        == [l for l in files.form.splitlines() if l[0] != "#"]
    assert list(memory.design) == list(files.design)


def test_names_that_are_numbers_are_names():
    found = intervale.evaluate({1: {10: 1, 20: 0}}, [{1: {10: 0.5, 20: 0.4}}], ["P@1"])
    assert found.measures[0].value == 1.0
    rows = pandas.DataFrame({"qid": [1, 1], "docno": [10, 20], "score": [0.5, 0.4]})
    assert intervale.evaluate({1: {10: 1, 20: 0}}, rows, ["P@1"]).measures[0].value == 1.0


def test_columns_whose_names_are_numbers():
    truth, said = [1, 1, 1, 0, 0, 0], [[1, 1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 1]]
    frame = pandas.DataFrame({"y_true": truth, 0: said[0], 1: said[1]})
    named = intervale.prf(labels={"y_true": truth, "0": said[0], "1": said[1]}, paired=True)
    assert list(intervale.prf(labels=frame, paired=True).metrics) == list(named.metrics)
    for systems in (frame[[0, 1]], {0: said[0], 1: said[1]}):
        assert list(intervale.prf_paired(truth, systems).metrics) == list(named.metrics)


def test_scores_as_a_mapping_a_matrix_a_long_table(made):
    rng = numpy.random.default_rng(1)
    grid = rng.random((3, 20))
    systems, topics = ["a", "b", "c"], [str(i) for i in range(20)]
    mapping = {s: dict(zip(topics, map(float, row))) for s, row in zip(systems, grid)}
    long = pandas.DataFrame([(s, t, x) for s, of in mapping.items() for t, x in of.items()],
                            columns=["system", "topic", "score"])
    wanted = list(intervale.compare_scores(mapping).pairs)
    assert list(intervale.compare_scores(grid, systems=systems, topics=topics).pairs) == wanted
    assert list(intervale.compare_scores(long).pairs) == wanted
    right = long.assign(score=(long["score"] > 0.4).astype(int))
    limits = lambda x, **how: [(p.lower, p.upper) for p in intervale.compare_scores(x, **how).pairs]
    one = {s: dict(zip(of["topic"], of["score"])) for s, of in right.groupby("system")}
    for how in ({}, {"binary": True}):
        assert limits(right, **how) == limits(one, **how)
    assert limits(right) == limits(right, binary=True)  # scores of 0 and 1 are seen to be
    with pytest.raises(intervale.Error, match="expected 0 or 1"):
        intervale.compare_scores(mapping, binary=True)
    with pytest.raises(intervale.BadArgument):
        intervale.compare_scores(mapping, sets="sampled")
    terrier = long.rename(columns={"system": "name", "topic": "qid", "score": "value"})
    terrier["measure"] = "AP"
    assert [p.p for p in intervale.compare(terrier).pairs] == [p.p for p in wanted]


BAD = {
    "a text for a score": (lambda m: {"1": {"d1": "x"}}, "score 'x' of topic '1', document 'd1'"),
    "no score": (lambda m: {"1": {"d1": None}}, "score None of topic '1', document 'd1'"),
    "a score that is no number": (lambda m: {"1": {"d0": 1.0, "d1": float("nan")}},
                                  "topic '1', document 'd1'"),
    "no run": (lambda m: {}, "no runs"),
    "an empty run": (lambda m: {"1": {}}, "no rows"),
    "two columns of scores": (
        lambda m: pandas_of(m.run_rows("run1"), ["qid", "docno", "score"]).assign(score_2=1.0),
        "score, score_2"),
    "no column of documents": (
        lambda m: pandas_of(m.run_rows("run1"), ["qid", "thing", "score"]), "qid, thing, score"),
    "a document without a name": (lambda m: {"1": {"": 1.0}}, "document ''"),
    "a name of two lines": (lambda m: {"1": {"a\nb": 1.0}}, r"document 'a\nb'"),
    "a missing topic": (lambda m: pandas.DataFrame(
        {"qid": ["1", None], "docno": ["a", "b"], "score": [1.0, 2.0]}), "row 2"),
    "something else": (lambda m: 5, "int"),
    "a document twice": (lambda m: pandas.DataFrame(
        {"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}), "document 'a'"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_is_named(made, what):
    run, part = BAD[what]
    with pytest.raises(intervale.BadArgument) as told:
        intervale.evaluate(made.qrels, run(made))
    assert part in str(told.value)


def test_bad_judgments_are_named(made):
    for qrels, part in (({"1": {"d": 1.5}}, "grade 1.5 of topic '1', document 'd'"),
                        ({}, "judgments: no rows"), ({"1": 3}, "topic '1' is int")):
        with pytest.raises(intervale.BadArgument) as told:
            intervale.evaluate(qrels, made.runs)
        assert part in str(told.value)


def test_a_million_rows_and_nothing_left_behind(made):
    Row = collections.namedtuple("Row", "query_id doc_id score")
    many = [Row("1", f"d{i}", float(i)) for i in range(200_000)]
    assert intervale.evaluate(made.qrels, [many], ["num_ret"]).measures[0].value == 200_000
    before = None
    for i in range(1000):
        intervale.evaluate(made.qrels, {"r": {"1": made.runs["run1"]["1"]}}, ["P@5"], ci="none",
                           threads=1)
        if i % 250 == 249:
            gc.collect()
            now = len(gc.get_objects())
            assert before is None or now - before < 200
            before = now


def test_a_wide_frame_of_scores_is_the_long_one(made):
    wide = pandas.DataFrame({"qid": [f"q{i}" for i in range(12)],
                             "A": [i * i % 7 / 7 for i in range(12)],
                             "B": [i * 3 % 5 / 5 for i in range(12)]})
    long = wide.melt("qid", var_name="system", value_name="score")
    want = intervale.compare_scores(long).pairs
    assert intervale.compare_scores(wide).pairs == want
    assert intervale.compare_scores(wide.drop(columns="qid")).pairs == want
    with pytest.raises(intervale.BadArgument, match="one for each of two systems"):
        intervale.compare_scores(wide[["qid", "A"]])
    with pytest.raises(intervale.BadArgument, match="twice"):
        intervale.compare_scores(wide.assign(qid="q"))


def test_predictions_in_memory_are_joined_by_id(tmp_path):
    ids = list(range(30))
    gold = {"id": ids, "gold": [i % 2 for i in ids]}
    said = {"id": ids[::-1], "m": [i % 2 if i % 7 else 0 for i in ids[::-1]]}
    want = intervale.prf(labels={**gold, "m": said["m"][::-1]}).metrics
    assert intervale.prf(labels=gold, predictions=said).metrics == want
    (tmp_path / "gold").write_text("id,gold\n" + "".join(f"{i},{i % 2}\n" for i in ids))
    assert intervale.prf(labels=tmp_path / "gold", predictions=said).metrics == want
    both = intervale.prf(labels=gold, predictions={**said, "y_true": [i % 2 for i in ids[::-1]]})
    assert both.metrics == want
    assert "gold or ids are excluded: 'y_true'" in " ".join(both.notes)


def test_predictions_of_several_tables(tmp_path):
    ids = list(range(30))
    gold = {"id": ids, "gold": [i % 2 for i in ids]}
    said = {n: pandas.DataFrame({"id": ids[::-1], "y": [i % 2 if i % k else 0 for i in ids[::-1]]})
            for n, k in (("A", 7), ("B", 5))}
    want = intervale.prf(labels={**gold, **{n: list(t.y)[::-1] for n, t in said.items()}}).metrics
    said["A"].to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "gold").write_text("id,gold\n" + "".join(f"{i},{i % 2}\n" for i in ids))
    for labels in (gold, tmp_path / "gold"):
        for a in (said["A"], tmp_path / "a.csv"):
            found = intervale.prf(labels=labels, predictions={"A": a, "B": said["B"]})
            assert found.metrics == want
            found = intervale.prf(labels=labels, predictions=[a, said["B"]])
            assert [r[1:] for r in found.metrics] == [r[1:] for r in want]
            first = f"{a}:y" if a is not said["A"] else "predictions1:y"
            assert list(dict.fromkeys(r.system for r in found.metrics)) == [first, "predictions2:y"]
    pandas.testing.assert_frame_equal(pandas.read_csv(tmp_path / "a.csv"), said["A"])  # nothing wrote to it
    both = said["A"].assign(z=said["B"].y)
    names = {r.system for r in intervale.prf(labels=gold, predictions={"A": both}).metrics}
    assert names == {"A:y", "A:z"}
    for bad, told in (({"A": both.drop(columns="id")}, "^A:1: no column 'id'"),
                      ([both, 3], "^predictions is a list, expected a table"),
                      ({"A": both.head(3)}, "no prediction of A has the id '")):
        with pytest.raises(ValueError, match=told) as error:
            intervale.prf(labels=gold, predictions=bad)
        assert tempfile.gettempdir() + "/tmp" not in str(error.value)


@pytest.fixture(name="others", scope="module")
def fixture_others(made, tmp_path_factory):
    """Other judgments, in memory and in a file."""
    other = {t: {d: g if (i + k) % 5 else 0 for k, (d, g) in enumerate(of.items())}
             for i, (t, of) in enumerate(made.qrels.items())}
    path = tmp_path_factory.mktemp("others") / "other"
    path.write_text("".join(f"{t} 0 {d} {g}\n" for t, of in other.items() for d, g in of.items()))
    return other, path


def qrels_frame(qrels):
    return pandas_of([(t, d, g) for t, of in qrels.items() for d, g in of.items()],
                     ["qid", "docno", "label"])


def is_the_same(memory, files):
    assert memory.sentence == files.sentence
    assert memory.notes == [re.sub(r" by (qrels|other)\b", "", n) for n in files.notes]
    assert memory.tables == files.tables and len(files.tables) > 0
    assert tempfile.gettempdir() + "/tmp" not in memory.to("json")


def test_agree_from_memory_is_agree_from_files(made, others):
    other, path = others
    qrels = made.folder / "qrels"
    for form in (dict, qrels_frame):
        is_the_same(intervale.agree(form(made.qrels), made.runs, other=form(other)),
                    intervale.agree(qrels, made.paths, other=path))
        for runs, paths in (((), ()), (made.runs, made.paths)):
            is_the_same(intervale.agree(form(made.qrels), runs, labels={"other": form(other)}),
                        intervale.agree(qrels, paths, labels=[path]))
    scored = {t: {d: g / 4 for d, g in of.items()} for t, of in other.items()}
    assert intervale.agree(made.qrels, labels={"m": scored}).judges[0].judge == "m"
    table = pandas.DataFrame({"item": [1, 1, 2, 2, 3, 3, 4, 4], "assessor": ["a", "b"] * 4,
                              "label": [1, 1, 0, 0, 1, 0, 0, 0]})
    table.to_csv(path.parent / "assessed.csv", index=False)
    is_the_same(intervale.agree(assessors=table),
                intervale.agree(assessors=path.parent / "assessed.csv"))


def test_runs_made_again_from_memory(made, tmp_path):
    runs, paths, qrels = made.runs, made.paths, made.folder / "qrels"
    again = {"run3": runs["run1"], "run1": runs["run2"], "run2": runs["run3"]}
    files = {}
    for name, run in again.items():
        files[name] = tmp_path / name
        files[name].write_text("".join(f"{t} Q0 {d} 0 {s!r} new-{name}\n" for t, of in run.items()
                                       for d, s in of.items()))
    want = intervale.agree(qrels, paths, reproduced=[files[n] for n in runs], baseline="run1")
    assert max(row.rmse for row in want.systems) > 0.1
    for given, made_again in ((runs, again), (runs, [again[n] for n in runs]), (runs, files),
                              (runs, [again["run1"], files["run2"], again["run3"]]),
                              (paths, [again[n] for n in runs]), (runs, {f"{n}b": again[n] for n in runs}),
                              (dict(zip(runs, paths)), files)):
        is_the_same(intervale.agree(made.qrels, given, reproduced=made_again, baseline="run1"), want)
    turned = intervale.agree(qrels, paths[::-1], reproduced=[again[n] for n in list(runs)[::-1]],
                             baseline="run1")
    assert turned.systems == want.systems  # by place, not by a name that only numbers it
    with pytest.raises(intervale.BadArgument, match="1 reproduced run, expected one for each of 3"):
        intervale.agree(made.qrels, runs, reproduced=[runs["run1"]])


def test_tau_between_two_results(made):
    ap, p = (intervale.evaluate(made.qrels, made.runs, m, complete=True) for m in ("AP", "P@10"))
    means = [{row.run: row.value for row in found.measures} for found in (ap, p)]
    want = intervale.agree(orders=means).orders[0]
    assert intervale.agree(orders=(ap, p)).orders[0].value == want.value
    one = intervale.compare(made.qrels, made.runs, "AP", complete=True)
    assert intervale.agree(orders=(one, ap)).orders[0].value == 1.0
    with pytest.raises(intervale.BadArgument, match="AP, P@10, expected one measure"):
        intervale.agree(orders=(intervale.evaluate(made.qrels, made.runs, ["AP", "P@10"]), ap))


def test_a_sample_is_filled_in_from_judgments(made, tmp_path):
    for how in ({"budget": 10}, {"budget": 9, "design": "stratified"}, {"design": "pool", "pool_depth": 5}):
        empty = intervale.sample(made.runs, **how).form
        path = tmp_path / how.get("design", "stevens")
        intervale.sample(made.runs, labels=made.qrels, output=path, **how)
        lines = [line.split() for line in path.read_text().splitlines() if line[0] != "#"]
        assert len(lines) == sum(line[0] != "#" for line in empty.splitlines()) > 0
        for fields in lines:
            topic, doc, grade = fields[:3] if len(fields) == 5 else (fields[0], *fields[2:])
            assert int(grade) == made.qrels[topic].get(doc, -1), fields
        found = intervale.sample(made.runs, labels=made.folder / "qrels", **how)
        assert found.form == path.read_text()
        left = sum(fields[2 if len(fields) == 5 else 3] == "-1" for fields in lines)
        assert 0 < left < len(lines)
        assert f"Labels fill in {len(lines) - left:,} of them; {left:,} are left to judge." in found.sentence
        assert [sum(row[k] for row in found.design) for k in (4, 5)] == [len(lines) - left, left]
    drawn = {"machine": made.folder / "qrels", "human_design": "random", "total": 90}
    known = {t: of for t, of in made.qrels.items() if t < "2"}
    found, empty = intervale.sample((), labels=known, **drawn), intervale.sample((), **drawn).form
    want = [f"{t} 0 {d} {known[t][d] if t in known else -1}"
            for t, _, d, _ in map(str.split, empty.splitlines())]
    assert found.form.splitlines() == want and f"{sum(x.endswith('-1') for x in want)} are left" in found.sentence
    with pytest.raises(intervale.BadFile, match="run1:1: this looks like a run, not judgments"):
        intervale.sample(made.runs, budget=10, labels=made.paths[0])


def test_orders_from_memory(made, others, tmp_path):
    grids = []
    for i, qrels in enumerate((made.qrels, others[0])):
        found = intervale.evaluate(qrels, made.runs, ["AP"], per_topic=True,
                                   write_matrix=tmp_path / f"m{i}")
        grid = {}
        for row in found.measures:
            if row.topic not in (None, "all"):
                grid.setdefault(row.run, {})[row.topic] = row.value
        grids.append(grid)
    frames = [pandas.DataFrame([(s, t, v) for s, of in g.items() for t, v in of.items()],
                               columns=["system", "topic", "score"]) for g in grids]
    want = intervale.agree(orders=[tmp_path / "m0", tmp_path / "m1"])
    for given in (grids, frames):
        is_the_same(intervale.agree(orders=given), want)
        is_the_same(intervale.agree(orders=given, by="topics"), want)
    values = intervale.agree(orders=[{"A": 3, "B": 2, "C": 1}, {"A": 3, "B": 1, "C": 2}])
    assert values.orders[0].value == pytest.approx(1 / 3)


def test_what_agree_refuses_is_named(made, others):
    for ask, told in (
            (dict(orders=qrels_frame(others[0])), "orders is a DataFrame, expected two"),
            (dict(labels=[others[0]]), "judgments is None, expected"),
            (dict(judgments=made.qrels, labels={"x": {"1": {"a b": 1}}}), "labels x: document 'a b'"),
            (dict(judgments=made.qrels, labels={"x": {"1": {"zz": 1}}}),
             "^x has no label for any document that judgments judged"),
            (dict(assessors={"x": [1]}), "^assessors:1: no column 'item'"),
            (dict(judgments=made.qrels, runs=made.runs, other={"1": {"d": "x"}}), "^other: grade 'x'")):
        with pytest.raises(intervale.Error, match=told):
            intervale.agree(**ask)
    with pytest.raises(TypeError, match="'measures' .did you mean 'measure'"):
        intervale.agree(made.qrels, made.runs, other=others[0], measures="AP")


@pytest.mark.parametrize("column", ["run", "tag", "system"])
def test_one_frame_of_all_runs(made, column):
    frames = {n: pandas_of(made.run_rows(n), ["qid", "docno", "score"]) for n in made.runs}
    all_runs = pandas.concat([f.assign(**{column: n}) for n, f in frames.items()])
    want = intervale.compare(made.qrels, frames)
    for given in (all_runs, polars.DataFrame(all_runs.to_dict("list")),
                  pyarrow.Table.from_pandas(all_runs)):
        found = intervale.compare(made.qrels, given)
        assert found.pairs == want.pairs and found.runs == want.runs
    one = intervale.evaluate(made.qrels, frames["run2"].assign(**{column: "x"}), ["AP"])
    assert [row.run for row in one.measures] == ["x"]
    with pytest.raises(intervale.BadArgument, match="is a duplicate of.*3 runs are in this frame"):
        intervale.evaluate(made.qrels, [all_runs])


def test_intents_are_subtopics(made):
    judged = pandas.DataFrame({"qid": ["1"] * 3 + ["2"] * 2, "docno": list("aabab"),
                               "label": [1, 1, 1, 1, 0], "intent": list("12212")})
    run = {"1": {"a": 2, "b": 1}, "2": {"b": 2, "a": 1}}
    want = intervale.evaluate(judged.rename(columns={"intent": "subtopic"}), run, ["alpha_nDCG@5"])
    assert intervale.evaluate(judged, run, ["alpha_nDCG@5"]).measures == want.measures


def test_messages_name_the_argument(tmp_path):
    with pytest.raises(ValueError, match="y_true.*target.*; gold= names it$"):
        intervale.prf(labels={"what": [0, 1, 1], "A": [0, 1, 0]})
    with pytest.raises(ValueError, match="y_true.*target.*; gold= names it$"):
        intervale.roc({"what": [0, 1, 1], "A": [0.1, 0.9, 0.4]})
    with pytest.raises(ValueError, match="measures is .*; name= names them$"):
        intervale.compare_scores({"A": {"1": 1}}, measures="nonsense")


def test_two_columns_called_as_gold_are_refused():
    table = {"y_true": [1, 0, 1, 0], "m": [1, 0, 0, 0], "label": [0, 0, 1, 1]}
    for ask in (lambda **how: intervale.prf(labels=table, **how),
                lambda **how: intervale.roc(table, **how)):
        with pytest.raises(intervale.Error, match="'y_true', 'label' could each be the column of gold"):
            ask()
        told = ask(gold="y_true")
        (table_of, *_) = told.tables.values()
        assert {row.system for row in table_of} == {"m"}
        assert "gold or ids are excluded: 'label'" in " ".join(told.notes)


def test_automatic_labels_may_be_in_memory(made, tmp_path):
    run, llm = {"run1": made.runs["run1"]}, {t: {d: min(g, 1) for d, g in of.items()} for t, of in made.qrels.items()}
    (tmp_path / "llm").write_text("".join(f"{t} 0 {d} {g}\n" for t, of in llm.items() for d, g in of.items()))
    human = {t: of for t, of in made.qrels.items() if int(t) % 2}
    want, found = (intervale.evaluate(human, run, "P@10", machine=m, human_design="topics")
                   for m in (tmp_path / "llm", llm))
    assert found.measures == want.measures
    with pytest.raises(intervale.Error) as refused:
        intervale.evaluate(human, run, "P@10", machine={"1": {"doc1": 1}}, human_design="topics")
    assert "/tmp" not in str(refused.value)


def judged():
    """Two judges and people: every fourth answer has a human label."""
    rows = []
    for i in range(120):
        for system, gain in (("new", 0.1), ("old", 0.0)):
            y = (i * 37 % 97) / 120 + gain
            rows.append({"system": system, "item": f"q{i}", "judge": y + (i * 13 % 11) / 60,
                         "second": y - (i * 29 % 17) / 90, "human": y if i % 4 == 0 else None})
    return pandas.DataFrame(rows)


@pytest.mark.parametrize("score", ["judge", ["judge", "second"]])
def test_human_labels_in_a_frame_are_those_of_a_file(tmp_path, score):
    frame, path = judged(), tmp_path / "judged.csv"
    frame.to_csv(path, index=False)
    how = {"score": score, "human": "human", "human_design": "random"}
    gate = {**how, "gate": True, "baseline": "old", "margin": 0.05}
    told, want = (intervale.compare_scores(x, **gate) for x in (frame, str(path)))
    assert told.pairs == want.pairs and told.verdict == want.verdict == "PASS"
    assert told.pairs[0].human != told.pairs[0].judge
    assert intervale.evaluate_scores(frame, **how).measures == intervale.evaluate_scores(str(path), **how).measures
    of, wanted = (intervale.agree(scores=x, **how).bias for x in (frame, str(path)))
    assert [(b.bias, b.lower, b.p) for b in of] == [(b.bias, b.lower, b.p) for b in wanted]


def test_a_role_has_one_column_but_that_of_scores():
    with pytest.raises(intervale.Error, match="no column 'third' for score"):
        intervale.evaluate_scores(judged(), score=["judge", "third"])
    with pytest.raises(intervale.Error, match="one column for human"):
        intervale.evaluate_scores(judged(), columns="human=human,human=judge")


def test_columns_named_as_errors_are_lower_is_better_as_in_files(tmp_path):
    """The name of the score's column says what is better, with and without human labels."""
    columns = {"system": [], "item": [], "error": [], "human": []}
    for i in range(200):
        for system in ("old", "new"):
            wrong = float(i % 10 < (2 if system == "old" else 4))
            for name, value in (("system", system), ("item", f"q{i}"), ("error", wrong),
                                ("human", wrong if i % 3 == 0 else None)):
                columns[name].append(value)
    path = tmp_path / "errors.csv"
    path.write_text("system,item,error,human\n" + "".join(
        f"{s},{i},{e:g},{'' if h is None else f'{h:g}'}\n" for s, i, e, h in zip(*columns.values())))
    how = {"gate": True, "baseline": "old", "margin": 0.05}
    for more in ({}, {"human": "human", "human_design": "random"}):
        memory, file = (intervale.compare_scores(x, score="error", **more, **how)
                        for x in (columns, str(path)))
        assert memory.verdict == file.verdict == "FAIL", (memory.sentence, file.sentence)
        assert memory.sentence == file.sentence
        assert intervale.compare_scores(columns, score="error", lower_is_better="none", **more,
                                        **how).verdict == "PASS"
