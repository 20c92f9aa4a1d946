# SPDX-License-Identifier: Apache-2.0
"""An example of each function, which help() and the site's page show.  Files are in the current folder:
judgments (qrels, and human labels of a sample in human.qrels), runs, and automatic labels (llm.qrels)."""

EXAMPLES = {
    "agree": """\
>>> print(intervale.agree("qrels", labels={"llm": "llm.qrels"}))         # a judge and the judgments
>>> intervale.agree("qrels", ["runA", "runB", "runC"], other="llm.qrels").orders[0]  # of the runs""",
    "check": """\
>>> print(intervale.check(["qrels", "runA"]))""",
    "classify": """\
>>> table = {"gold": [1, 0, 1, 1, 0, 0], "A": [0.9, 0.2, 0.7, 0.4, 0.5, 0.1]}
>>> found = intervale.classify(table)
>>> print(found.sentence)
>>> found.save("page.html")""",
    "compare": """\
>>> found = intervale.compare("qrels", ["runA", "runB", "runC"], ["AP", "nDCG@10"])
>>> print(found.sentence)
>>> found.pairs["p_adjusted"]""",
    "compare_scores": """\
>>> scores = {"main": {"q1": 1, "q2": 0, "q3": 1, "q4": 1}, "new": {"q1": 1, "q2": 1, "q3": 1, "q4": 1}}
>>> print(intervale.compare_scores(scores, name="accuracy").sentence)""",
    "evaluate": """\
>>> found = intervale.evaluate("qrels", ["runA", "runB"], ["AP", "nDCG@10"])
>>> [(row.run, row.measure, row.value, row.lower, row.upper) for row in found.measures]""",
    "evaluate_scores": """\
>>> rows = {"system": ["A"] * 4, "item": [1, 1, 2, 2], "repeat": [1, 2, 1, 2], "score": [1, 0, 1, 1]}
>>> intervale.evaluate_scores(rows).measures[0]""",
    "incomplete": """\
>>> print(intervale.incomplete("qrels", ["runA", "runB"], measure="nDCG@10"))""",
    "measures": """\
>>> print(intervale.measures("nDCG@10", "bpref"))""",
    "next": """\
>>> found = intervale.next("qrels", ["runA", "runB"], count=20)
>>> print(found)""",
    "options": """\
>>> intervale.options(intervale.compare)["margin"]""",
    "overlap": """\
>>> intervale.overlap(["runA", "runB"], persistence=0.98).pairs[0]""",
    "plan_cost": """\
>>> intervale.plan_pilot("qrels", ["runA", "runB"], unjudged="nonrelevant").save("pilot.csv", "training")
>>> intervale.plan_cost("pilot.csv", topic_cost=20).sentence""",
    "plan_elusion": """\
>>> intervale.plan_elusion(population=858000, below=0.01).sentence""",
    "plan_gate": """\
>>> intervale.plan_gate(margin=0.02, sd=0.25, correlation=0.6).sentence""",
    "plan_looks": """\
>>> print(intervale.plan_looks(looks=5, documents=3960))""",
    "plan_machine": """\
>>> found = intervale.plan_machine("human.qrels", ["runA", "runB"], machine="llm.qrels",
...                                human_design="random", width=0.2)
>>> print(found.sentence)""",
    "plan_pilot": """\
>>> print(intervale.plan_pilot("qrels", ["runA", "runB"], effect=0.35, power=0.8, unjudged="skip"))""",
    "plan_power": """\
>>> intervale.plan_power(difference=0.05, sd=0.2, power=0.8).sentence""",
    "plan_recall": """\
>>> found = intervale.plan_recall(population=100000, retrieved=5000, recall=0.7, precision=0.5, total=1000)
>>> print(found)""",
    "plan_sample": """\
>>> print(intervale.plan_sample("qrels", ["runA", "runB"], se=0.01))""",
    "plan_topics": """\
>>> intervale.plan_topics("qrels", ["runA", "runB"], "AP", power=0.9).sentence""",
    "pool": """\
>>> print(intervale.pool("qrels", ["runA", "runB", "runC"], measure="nDCG@10"))""",
    "prefer": """\
>>> votes = {"a": list("AABACB"), "b": list("BCCBAC"), "winner": ["a", "tie", "b", "b", "a", "a"]}
>>> intervale.prefer(votes).systems[0]""",
    "prf": """\
>>> found = intervale.prf([1, 0, 1, 1, 0, 0], {"A": [1, 0, 1, 0, 0, 0], "B": [0, 0, 1, 0, 1, 0]})
>>> print(found.report())""",
    "prf_paired": """\
>>> intervale.prf_paired([1, 0, 1, 1, 0, 0], {"A": [1, 0, 1, 0, 0, 0], "B": [0, 0, 1, 0, 1, 0]}).sentence""",
    "recall": """\
>>> found = intervale.recall((2000, 100, 50), (100000, 100, 3), target=0.75)
>>> print(found.sentence)""",
    "roc": """\
>>> found = intervale.roc([1, 0, 1, 1, 0, 0], {"A": [0.9, 0.2, 0.7, 0.4, 0.5, 0.1]})
>>> found.measures[0].value""",
    "sample": """\
>>> found = intervale.sample(["runA", "runB"], budget=100, output="judge.txt")
>>> print(found.sentence)""",
    "simulate": """\
>>> intervale.simulate("collection", topics=50, runs=5, seed=7)  # qrels and runs/sim01 to runs/sim05""",
    "sort": """\
>>> intervale.sort("runA", "runA.sorted")""",
    "version": """\
>>> intervale.version()""",
    "watch": """\
>>> nights = {"date": ["2026-01-01"] * 8 + ["2026-01-02"] * 8, "item": [*range(8)] * 2,
...           "score": [1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0, 1]}
>>> print(intervale.watch(nights, baseline="2026-01-01"))""",
}
