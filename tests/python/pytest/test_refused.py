# SPDX-License-Identifier: Apache-2.0
"""What cannot be meant is refused in words, and nothing is cut to fit."""
import ctypes

import pytest

import intervale
from intervale._questions import COMMANDS

_INTEGERS = (ctypes.c_int, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint, ctypes.c_uint32,
             ctypes.c_uint64, ctypes.c_size_t)


def _options():
    """Every option with its command and the type of its field."""
    for command, (kind, known) in COMMANDS.items():
        for name, (path, words, _, _) in known.items():
            of = kind
            for step in path.split("."):
                of = dict(of._fields_)[step]
            if words is None:
                yield command, name, of


WHOLE = [(c, n, of) for c, n, of in _options() if of in _INTEGERS or of is intervale.iv_integers]


def test_there_are_options_of_whole_numbers():
    assert len(WHOLE) > 40 and {of for _, _, of in WHOLE} >= {ctypes.c_int32, ctypes.c_int64,
                                                              ctypes.c_size_t}


@pytest.mark.parametrize("command, name, of", WHOLE)
def test_whole_numbers_that_do_not_fit_are_refused(command, name, of):
    listed = of is intervale.iv_integers
    bits = 63 if listed else 8 * ctypes.sizeof(of) - (of(-1).value < 0)
    for value in (2 ** bits, 2 ** 64 + 10, -1, -50, 1.5, "x", 10 ** 5000):
        with pytest.raises(intervale.BadArgument, match=f"^{name} is .*, expected a whole number"):
            intervale._fill(COMMANDS[command][0](), command, {name: [value] if listed else value})
    intervale._fill(COMMANDS[command][0](), command, {name: [2 ** bits - 1] if listed
                                                     else 2 ** bits - 1})


@pytest.mark.parametrize("ask", [
    lambda big: intervale.recall((big + 10000, 500, 350), (90000, 500, 10)),
    lambda big: intervale.recall([(big + 10000, 500, 350)], [(90000, 500, 10)]),
    lambda big: intervale.prf((big + 80, 20, 40)),
    lambda big: intervale.plan_power(topics=big + 50, effect=0.3),
    lambda big: intervale.plan_power(topics=-50, effect=0.3),
    lambda big: intervale.plan_recall(population=big + 1000),
    lambda big: intervale.measures(seed=big),
    lambda big: intervale.measures(threads=2 ** 32 + 1),
    lambda big: intervale.measures(threads="x"),
    lambda big: intervale.RelevanceEvaluator({"1": {"a": 1}}, ["map"], big + 1).evaluate(
        {"1": {"a": 1}}),
])
def test_counts_that_do_not_fit_are_refused(ask):
    with pytest.raises(intervale.BadArgument, match=", expected a whole number from 0 to "):
        ask(2 ** 64)


@pytest.mark.parametrize("given", [None, 5, "", "qrels\0/nonsense", b"a\0b", "\ud800", ["a"]])
@pytest.mark.parametrize("ask", [
    intervale.simulate, intervale.roc, intervale.plan_topics,
    lambda p: intervale.sort(p, "out"), lambda p: intervale.sort("in", p),
    lambda p: intervale.prf((8, 2, 4)).save(p, format="text"),
    lambda p: intervale.agree(orders=(p, "b")),
])
def test_what_is_no_path_is_refused(ask, given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(intervale.BadArgument, match="^[a-z]+ is .*, expected "):
        ask(given)
    assert not list(tmp_path.iterdir())


def test_a_text_is_no_path(made):
    form = intervale.sample(made.runs, budget=5).form
    for what, ask in (("judgments", lambda: intervale.evaluate(form, made.paths)),
                      ("runs", lambda: intervale.evaluate(made.qrels, [form])),
                      ("scores", lambda: intervale.evaluate_scores(form)),
                      ("table", lambda: intervale.prefer(form))):
        said = f"^{what} is a text of {len(form.splitlines()):,} lines, expected a path: write"
        with pytest.raises(intervale.BadArgument, match=said):
            ask()


def test_texts_end_at_no_nul(made):
    qrels, run = str(made.folder / "qrels"), made.paths[0]
    for ask in (lambda: intervale.evaluate(qrels + "\0x", [run]),
                lambda: intervale.evaluate(qrels, [run + "\0x"]),
                lambda: intervale.evaluate(qrels, [run + "\0x", made.runs["run2"]]),
                lambda: intervale.evaluate(qrels, [run], ["AP\0garbage"]),
                lambda: intervale.compare(qrels, made.paths, baseline="run1\0x"),
                lambda: intervale.measures("AP\0garbage"),
                lambda: intervale.check([qrels + "\0x"])):
        with pytest.raises(intervale.BadArgument, match="expected one without a NUL"):
            ask()
    for ask in (lambda: intervale.check([None]), lambda: intervale.check(None),
                lambda: intervale.evaluate(qrels, [run], [None])):
        with pytest.raises(intervale.BadArgument, match="None, expected a path or a text"):
            ask()


@pytest.mark.parametrize("ask, said", [
    (lambda: intervale.evaluate({"1": {"a": 1}}, [{"1": {"a": 10 ** 400}}]),
     "score 1000.*topic '1', document 'a', expected a number"),
    (lambda: intervale.evaluate({"1": {"a": 10 ** 400}}, [{"1": {"a": 1}}]),
     "grade 1000.*topic '1', document 'a', expected a whole number"),
    (lambda: intervale.evaluate({"1": {"a": 1}}, [{"1": {"b": 1, "\ud800": 1}}]),
     r"document of row 2 is '\\ud800', expected"),
    (lambda: intervale.evaluate({"\ud800": {"a": 1}}, [{"1": {"a": 1}}]),
     r"topic of row 1 is '\\ud800', expected"),
    (lambda: intervale.compare_scores({"A": {"1": 10 ** 400}, "B": {"1": 1}}),
     "score of A on 1 is 1000.*expected a number"),
    (lambda: intervale.evaluate_scores({"item": ["1", "2"], "score": [1, "x"], "system": ["A", "A"]}),
     "score 'x' of row 2, expected a number"),
    (lambda: intervale.roc({"gold": [0, 1], "A": ["\ud800", 0.5]}),
     r"A of row 1 is '\\ud800', expected"),
    (lambda: intervale.plan_power(topics=50, effect=10 ** 400), "effect is .*expected numbers"),
    (lambda: intervale.prf((8, 2, 4), confidence=10 ** 400), "confidence is .*expected a number"),
    (lambda: intervale.recall(5, 6), "retrieved is 5, expected"),
])
def test_the_message_says_which_value_of_what(ask, said):
    with pytest.raises(intervale.BadArgument, match=said) as error:
        ask()
    assert len(str(error.value)) < 300


def test_no_input_is_written_over(made, tmp_path):
    run = tmp_path / "run"
    text = open(made.paths[0], encoding="utf-8").read()
    run.write_text(text)
    for ask in (lambda: intervale.sort(run, run),
                lambda: intervale.evaluate(made.qrels, run, write_scores=run),
                lambda: intervale.evaluate(made.qrels, {"a": run, "b": made.runs["run2"]},
                                           write_matrix=str(run))):
        with pytest.raises(intervale.BadArgument, match="a file that is read"):
            ask()
    assert run.read_text() == text
    intervale.sort(run, tmp_path / "sorted")


_COUNTS, _SCORES = (10, 5, 3, 40), {"a": {"1": 0.1, "2": 0.4}, "b": {"1": 0.2, "2": 0.3}}
_QRELS, _RUNS = {"1": {"d": 1}, "2": {"d": 1}}, {n: {t: {"d": 1.0} for t in "12"} for n in "ab"}
_TABLE = {"gold": [0, 1, 0, 1], "a": [0.1, 0.9, 0.3, 0.6], "b": [0.2, 0.8, 0.7, 0.5]}


@pytest.mark.parametrize("needs, ask", [
    ("gate=", lambda: intervale.roc(_TABLE, baseline="a")),
    ("gate=", lambda: intervale.roc(_TABLE, margin=0.1)),
    ("gate=", lambda: intervale.prf(labels=_TABLE, threshold=0.5, margin=0.1)),
    ("gate=", lambda: intervale.prf(labels=_TABLE, threshold=0.5, baseline="a")),
    ("labels=", lambda: intervale.prf(_COUNTS, gold="nosuch")),
    ("labels=", lambda: intervale.prf(_COUNTS, threshold=0.5)),
    ("labels=", lambda: intervale.prf(_COUNTS, positive="yes")),
    ("machine_column=", lambda: intervale.prf(_COUNTS, probability_column="nosuch")),
    ("machine=", lambda: intervale.evaluate(_QRELS, _RUNS, human_design="random")),
    ("machine=", lambda: intervale.compare(_QRELS, _RUNS, machine_level=2)),
    ("test= sign", lambda: intervale.compare_scores(_SCORES, ties="split")),
    ("correct= tukey", lambda: intervale.compare_scores(_SCORES, permutations=100)),
    ("oracle=", lambda: intervale.next(_QRELS, _RUNS, most=5)),
    ("error_costs=", lambda: intervale.plan_cost(coefficients=[1, 1, 1], effect=0.3)),
    ("looks=", lambda: intervale.recall((10, 10, 5), (90, 50, 1), shape="pocock")),
    ("strata=", lambda: intervale.recall((10, 10, 5), (90, 50, 1), runs="a")),
    ("run=", lambda: intervale.recall((10, 10, 5), (90, 50, 1), at=[5])),
    ("run=", lambda: intervale.recall((10, 10, 5), (90, 50, 1), collection=100)),
    ("effect=", lambda: intervale.plan_pilot(_QRELS, _RUNS, power=0.9)),
    ("machine=", lambda: intervale.sample(_RUNS, human_design="random")),
    ("judged=", lambda: intervale.simulate("none", judging="uniform")),
    ("test= sign", lambda: intervale.plan_power(topics=50, effect=0.3, ties=0.1)),
    ("per_topic=", lambda: intervale.evaluate(_QRELS, _RUNS, no_summary=True)),
])
def test_an_option_without_effect_is_refused(needs, ask):
    with pytest.raises(intervale.BadArgument, match=f"cannot be used without {needs}"):
        ask()


@pytest.mark.parametrize("one, other, ask", [
    ("max_elusion=", "with recall", lambda: intervale.recall((10, 10, 5), (90, 50, 1), max_elusion=0.1)),
    ("target=", "with", lambda: intervale.recall(None, (90, 50, 1), target=0.5)),
    ("method=", "with", lambda: intervale.recall(None, (90, 50, 1), method="normal")),
    ("ci=", "with guaranteed=", lambda: intervale.evaluate(_QRELS, _RUNS, ci="bca", guaranteed=True)),
    ("looks=", "with at=", lambda: intervale.plan_looks(looks=3, at=[0.5, 1])),
    ("by=", "with scores in memory", lambda: intervale.compare_scores(_SCORES, by="topics")),
    ("matrix=", "with judgments=", lambda: intervale.compare(_QRELS, _RUNS, matrix="m.csv")),
    ("assessors=", "with labels=", lambda: intervale.agree(_QRELS, labels=_QRELS, assessors=_TABLE)),
    ("orders=", "with judgments=", lambda: intervale.agree(_QRELS, orders=[_SCORES, _SCORES])),
    ("gold=", "with y_true=", lambda: intervale.roc([0, 1], [0.2, 0.3], gold="x")),
    ("human=", "without votes of several judges",
     lambda: intervale.prefer({"a": ["x", "y"], "b": ["y", "x"], "winner": ["a", "b"]}, human="z")),
])
def test_of_two_arguments_none_is_ignored(one, other, ask):
    with pytest.raises(intervale.BadArgument, match=f"^{one} cannot be used {other}"):
        ask()
