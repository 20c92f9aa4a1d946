# SPDX-License-Identifier: Apache-2.0
"""Claims about a judge's scores corrected by human labels, through the tool.

usage: judged.py TOOL
"""
import json
import os
import random
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
ITEMS, LABELS = 300, 90
# by scipy 1.17.1, ttest_ind(equal_var=False): difference of means of two kinds, and its p
WELCH = ((0.01843670229555237, 0.3811898571528095), (0.3216119913916787, 3.2152780870039706e-15))


def run(line):
    return subprocess.run([TOOL, *line.split()], capture_output=True, text=True)


def write(name, human, judge=None):
    """Answers of two systems: the new one is much worse, and the judge prefers it."""
    rng = random.Random(3)
    rows = ["system,item,repeat,doc,kind,judge,human"]
    for i in range(ITEMS):
        hard = rng.random()
        for system in ("new", "old"):
            for repeat in range(3):
                y = int(hard < (0.55 if system == "new" else 0.75) + 0.1 * (rng.random() - 0.5))
                f = 1 if system == "new" and rng.random() < 0.8 else y
                label = human(i, repeat, f, y)
                rows.append(f"{system},q{i},{repeat},d{i // 5},{'ab'[i % 3 == 0]},{f},{label}")
    with open(name, "w", encoding="utf-8") as f:
        f.write("\n".join(rows) + "\n")


def refused(line, *words):
    said = run(line)
    assert said.returncode in (1, 2) and said.stdout == "", said
    assert said.stderr.count("\n") == 1 and all(w in said.stderr for w in words), said.stderr


def a_flattered_loss_passes_by_the_judge_alone_and_fails_corrected():
    gate = "compare --scores judged.csv --columns score=judge,cluster=doc{} --gate --baseline old --margin 0.05{}"
    assert run(gate.format("", "")).returncode == 0
    said = run(gate.format(",human=human", " --human-design random"))
    assert said.returncode == 3 and said.stdout.startswith("FAIL: "), said.stdout
    assert "the judge alone: +" in said.stdout and "People alone: -" in said.stdout


def where_lower_is_better_verdicts_are_those_of_scores_turned_round():
    with open("judged.csv", encoding="utf-8") as f, open("errors.csv", "w", encoding="utf-8") as to:
        to.write(f.readline().replace("judge", "error"))
        for row in f:
            *names, judge, human = row.rstrip("\n").split(",")
            to.write(",".join(names) + f",{1 - int(judge)},{1 - int(human) if human else ''}\n")
    gate = "compare --scores {} --columns score={},human=human,cluster=doc --human-design random --gate " \
           "--baseline old --margin 0.05 --format json"
    of = [json.loads(run(gate.format(*w)).stdout) for w in (("judged.csv", "judge"), ("errors.csv", "error"))]
    claims = [o["claims"][0] for o in of]
    assert claims[0]["verdict"] == "FAIL" and claims[0]["lower"] < claims[0]["upper"] < 0.0, claims
    for key in ("verdict", "estimate", "lower", "upper", "p", "p_contrary"):
        a, b = (c[key] for c in claims)
        assert a == b or abs(a - b) < 1e-12, (key, claims)
    assert "Lower is better in error" in str(of[1]["notes"])
    said = run("eval --scores errors.csv --columns score=error,human=human --human-design random").stdout
    assert said.startswith("Lowest is old"), said
    told = run(gate.format("errors.csv", "error") + " --lower-is-better none").stdout
    assert abs(json.loads(told)["claims"][0]["estimate"] + claims[0]["estimate"]) < 1e-12, told


def three_numbers_stand_side_by_side():
    said = run("eval --scores judged.csv --columns score=judge,human=human --human-design random").stdout
    assert all(w in said for w in ("human only", "judge only", "bias of judge")), said


def at_least_rests_on_the_corrected_mean():
    line = "eval --scores judged.csv --columns score=judge{} --at-least score=0.7 --gate{}"
    assert run(line.format("", "")).returncode == 0
    said = run(line.format(",human=human", " --human-design random"))
    assert said.returncode == 3 and "FAIL" in said.stdout, said


def labels_in_a_file_are_those_of_a_column():
    part = "compare --scores {} --human-design random --format csv "
    column = run(part.format("judged.csv") + "--columns score=judge,human=human").stdout
    with open("judged.csv", encoding="utf-8") as f, open("people.csv", "w", encoding="utf-8") as to:
        cells = [line.rstrip("\n").split(",") for line in f]
        to.write("".join(f"{c[0]},{c[1]},{c[2]},{c[6]}\n" for c in cells if c[6]))
    given = run(part.format("judged.csv") + "--columns score=judge --human-labels people.csv").stdout
    assert column == given and column.count("\n") > 1, (column, given)


def estimators_differ_and_people_alone_ignore_the_judge():
    line = "eval --scores judged.csv --columns score=judge,human=human --human-design random " \
           "--judge-estimator {} --format csv"
    values = [run(line.format(e)).stdout for e in ("regression", "ppi", "difference", "human")]
    assert len(set(values)) == 4, values
    head, row = (v.split(",") for v in values[3].splitlines()[:2])
    assert row[head.index("value")] == row[head.index("human")], values[3]


def without_a_design_the_error_explains_three():
    refused("compare --scores judged.csv --columns score=judge,human=human", "random", "strata",
            "clusters", "people labelled 180 of the 600 scores")


def labels_that_follow_the_judge_are_refused():
    write("follows.csv", lambda i, r, f, y: y if r == 0 and i < 150 and f == 0 else "")
    refused("eval --scores follows.csv --columns score=judge,human=human --human-design random",
            "depends on the judge")


def a_choice_by_the_judge_is_found_in_any_order_of_the_rows():
    """The lower half of the judge's scores has 7 labels in 10, the upper half 3."""
    rows = [f"q{i},{i / ITEMS},{i % 2 if i % 10 < (7 if i < ITEMS / 2 else 3) else ''}" for i in range(ITEMS)]
    for order in rows, rows[::-1]:
        with open("order.csv", "w", encoding="utf-8") as f:
            f.write("item,judge,human\n" + "\n".join(order) + "\n")
        refused("eval --scores order.csv --columns score=judge,human=human --human-design random",
                "what people labelled depends on the judge", "0.391 where they looked and 0.605 elsewhere")


def whole_clusters_are_labelled_or_none():
    line = "eval --scores {} --columns score=judge,human=human,cluster=doc --human-design clusters"
    refused(line.format("judged.csv"), "whole clusters")
    chosen = set(random.Random(8).sample(range(ITEMS // 5), 20))
    write("clusters.csv", lambda i, r, f, y: y if r == 0 and i // 5 in chosen else "")
    assert run(line.format("clusters.csv")).returncode == 0


def planned_labels_reach_the_width():
    part = "--scores judged.csv --columns score=judge,human=human --human-design random "
    said = run("plan machine --format csv --width 0.15 " + part)
    assert said.returncode == 0, said
    head, *rows = (r.split(",") for r in said.stdout.splitlines())
    assert all(0 < float(r[head.index("labels")]) <= float(r[head.index("labels_alone")]) for r in rows), said
    wider = run("plan machine --format csv --width 0.3 " + part).stdout.splitlines()[1].split(",")
    assert float(wider[head.index("labels")]) < float(rows[0][head.index("labels")]), wider
    said = run("plan machine --baseline old --margin 0.1 " + part)
    assert said.stdout.startswith("For a gate at margin 0.1"), said
    refused("plan machine --margin 0.1 " + part, "--baseline")
    refused("plan machine --pilot x --width 0.1 " + part, "--pilot")


def planned_items_are_few_where_the_judge_is_sure_and_compare_reads_them_back():
    rng = random.Random(12)
    rows, truth = ["system,item,judge,human"], {}
    few = set(rng.sample(range(600), 60))
    for i in range(600):
        for system in ("new", "old"):
            f = round(rng.random(), 4)
            y = round(f + (0.3 if f > 0.75 else 0.02) * rng.gauss(0, 1), 6)  # the judge errs above
            truth[system, f"q{i}"] = y
            rows.append(f"{system},q{i},{f},{y if i in few else ''}")
    with open("pilot.csv", "w", encoding="utf-8") as f:
        f.write("\n".join(rows) + "\n")
    one = "plan machine --scores pilot.csv --columns score=judge,human=human --human-design random --width 0.07 --seed 3"
    said = run(one).stdout
    assert "Chosen within strata of the judge's scores" in said and "--table next" in said, said
    strata, plan = table(one, "strata"), table(one, "plan")
    most = max(plan, key=lambda r: float(r["labels"]))
    assert said.index(f"items of '{most['run']}'") > 0, said
    assert sum(int(r["items"]) for r in strata) == 600
    total = sum(float(r["labels"]) for r in strata)
    assert 60 < total < float(most["labels"]) <= float(most["labels_alone"]), (plan, strata)
    assert max(strata, key=lambda r: float(r["sd"]))["stratum"] == "5", strata
    rows = table(one, "next")
    chosen = [r for r in rows if r["next"]]
    assert len(chosen) == 2 * sum(int(r["next"]) for r in strata) and not any(r["human"] for r in chosen)
    assert sorted(int(r["next"]) for r in chosen) == sorted(list(range(1, len(chosen) // 2 + 1)) * 2)
    assert run(one + " --format csv --table next").stdout == run(one + " --format csv --table next --threads 2").stdout
    assert table(one.replace("--seed 3", "--seed 4"), "next") != rows
    with open("filled.csv", "w", encoding="utf-8") as f:  # people fill in
        f.write("system,item,score,stratum,human\n" + "".join(
            f"{r['system']},{r['item']},{r['score']},{r['stratum']},"
            f"{truth[r['system'], r['item']] if r['next'] else r['human']}\n" for r in rows))
    got = table("eval --scores filled.csv --columns human=human,stratum=stratum --human-design strata", "measures")
    for r in got:
        mean = sum(truth[r["run"], f"q{i}"] for i in range(600)) / 600
        assert abs(float(r["value"]) - mean) < 0.04 and float(r["upper"]) - float(r["lower"]) < 0.085, r
    # Where the pilot is enough, the table is there and chooses few or none.
    enough = table(one.replace("0.07", "0.5"), "next")
    assert len(enough) == 1200 and sum(r["next"] != "" for r in enough) < 20
    # More than all items can give: the judge must score more.
    said = run(one.replace("0.07", "0.001")).stdout
    assert "600 items of" in said and "the judge must score about" in said and "\nstrata:" not in said, said


def strata_are_weighed_by_their_size():
    rng = random.Random(9)
    few = set(rng.sample([i for i in range(ITEMS) if i % 3], 20))
    many = set(rng.sample([i for i in range(ITEMS) if i % 3 == 0], 50))
    write("strata.csv", lambda i, r, f, y: y if r == 0 and i in few | many else "")
    line = "eval --scores strata.csv --columns score=judge,human=human{} --human-design {} " \
           "--judge-estimator human --format csv"
    refused(line.format("", "strata"), "stratum=COLUMN")
    with open("strata.csv", encoding="utf-8") as f:
        rows = [line.rstrip("\n").split(",") for line in f][1:]
    mean = {k: [float(r[6]) for r in rows if r[0] == "new" and r[6] and r[4] == k] for k in "ab"}
    wanted = sum(len([r for r in rows if r[0] == "new" and r[2] == "0" and r[4] == k])
                 / ITEMS * sum(v) / len(v) for k, v in mean.items())
    table = [r.split(",") for r in run(line.format(",stratum=kind", "strata")).stdout.splitlines()]
    got = next(float(r[table[0].index("value")]) for r in table if "new" in r)
    assert abs(got - wanted) < 1e-9, (got, wanted)


def two_judges(name):
    """One system; a judge that is a little wrong and another that flatters kind b."""
    rng = random.Random(5)
    rows = ["item,kind,one,two,human"]
    for i in range(ITEMS):
        kind = "ab"[rng.random() < 0.4]
        y = rng.random()
        one = y + 0.3 * (rng.random() - 0.5)
        two = 0.8 * y + 0.4 * rng.random() + (0.3 if kind == "b" else 0.0)
        rows.append(f"q{i},{kind},{one:.6f},{two:.6f},{f'{y:.6f}' if i % 4 == 0 else ''}")
    with open(name, "w", encoding="utf-8") as f:
        f.write("\n".join(rows) + "\n")
    cells = [r.split(",") for r in rows[1:]]
    return [(k, float(a), float(b), float(y) if y else None) for _, k, a, b, y in cells]


def table(line, name):
    said = run(f"{line} --format csv --table {name}")
    assert said.returncode == 0, said
    head, *rows = (r.split(",") for r in said.stdout.splitlines())
    return [dict(zip(head, r)) for r in rows]


def several_judges_are_joined_by_least_squares():
    rows = two_judges("two.csv")
    known = [r for r in rows if r[3] is not None]
    mean = lambda of, k: sum(r[k] for r in of) / len(of)
    m = [mean(known, k) for k in (1, 2, 3)]
    s = lambda i, j: sum((r[i] - m[i - 1]) * (r[j] - m[j - 1]) for r in known)
    det = s(1, 1) * s(2, 2) - s(1, 2) ** 2
    slopes = ((s(2, 2) * s(1, 3) - s(1, 2) * s(2, 3)) / det, (s(1, 1) * s(2, 3) - s(1, 2) * s(1, 3)) / det)
    wanted = m[2] + sum(b * (mean(rows, k) - m[k - 1]) for k, b in zip((1, 2), slopes))
    line = "eval --scores two.csv --columns score=one,score=two,human=human --human-design random"
    got = table(line, "measures")[0]
    assert abs(float(got["value"]) - wanted) < 1e-9, (got, wanted)
    alone = table(line.replace("score=two,", ""), "measures")[0]
    assert float(got["width"]) < float(alone["width"]) < 1, (got, alone)
    refused(line + " --judge-estimator ppi", "one column of scores, not for 2")
    refused(line.replace("two,", "one,"), "twice for score")
    refused(line.replace("human=human", "human=human,measure=kind"), "measures by their names")


def a_bias_of_one_group_is_found_as_by_welch():
    two_judges("two.csv")
    line = "agree --scores two.csv --columns score=one,score=two,human=human,group=kind --human-design random"
    said = run(line).stdout
    assert said.startswith("one: bias "), said
    rows = [r for r in table(line, "groups") if r["p"]]
    assert [r["judge"] for r in rows] == ["one", "two"], rows
    for r, (difference, p) in zip(rows, WELCH):
        assert abs(abs(float(r["difference"])) - difference) < 1e-9, (r, difference)
        assert abs(float(r["p"]) / p - 1) < 1e-6, (r, p)
    assert float(rows[0]["p_adjusted"]) > 0.05 > float(rows[1]["p_adjusted"]), rows
    bias = table(line, "bias")
    assert float(bias[1]["lower"]) > 0 and float(bias[0]["lower"]) < 0 < float(bias[0]["upper"]), bias


def alpha_of_labels_by_strata_says_that_it_has_no_weights():
    line = "agree --scores {} --columns score=judge,human=human{} --human-design {}"
    for name, more, design, said in (("strata.csv", ",stratum=kind", "strata", True), ("judged.csv", "", "random", False)):
        told = run(line.format(name, more, design))
        assert told.returncode == 0 and ("without weights by stratum" in told.stdout) == said, told


def without_human_labels_judges_only_agree():
    two_judges("two.csv")
    line = "agree --scores two.csv --columns score=one,score=two"
    said = run(line).stdout
    assert "no bias is known" in said and "\nbias:" not in said, said
    assert 0 < float(table(line, "agreement")[0]["alpha"]) < 1
    refused("agree --scores two.csv --columns score=one", "nothing to compare")
    refused(line + " --level 1", "--level")


def bias_is_by_group_of_the_answer_where_an_item_has_answers_in_several():
    rng = random.Random(7)
    rows, sums = ["system,item,length,judge,human"], {"long": [], "short": []}
    for i in range(200):
        for system in ("new", "old"):
            length = "long" if rng.random() < 0.4 else "short"
            y = rng.random()
            f = y + 0.1 * rng.random() + (0.3 if length == "long" else 0.0)
            rows.append(f"{system},q{i},{length},{f:.6f},{f'{y:.6f}' if i % 2 else ''}")
            if i % 2:
                sums[length].append(round(f, 6) - round(y, 6))
    with open("lengths.csv", "w", encoding="utf-8") as f:
        f.write("\n".join(rows) + "\n")
    line = "agree --scores lengths.csv --columns score=judge,human=human,group=length --human-design random"
    found = {r["group"]: r for r in table(line, "groups") if r["by"] == "length"}
    for name, values in sums.items():
        assert abs(float(found[name]["bias"]) - sum(values) / len(values)) < 1e-9, (name, found)
        assert int(found[name]["labels"]) == len(values), (name, found)
    # compare has groups of items
    refused("compare --scores lengths.csv --columns score=judge,group=length", "in another group than before",
            "lengths.csv:")
    with open("twice.csv", "w", encoding="utf-8") as f:
        f.write("item,repeat,length,judge,human\n1,1,long,1,1\n2,1,long,1,1\n1,2,short,1,1\n")
    refused("agree --scores twice.csv --columns score=judge,human=human,group=length", "twice.csv:4: ",
            "in another group than before")


def drift_of_a_judge_is_the_difference_of_two_dates_on_shared_items():
    rng = random.Random(6)
    with open("dates.csv", "w", encoding="utf-8") as f:
        f.write("system,item,date,judge\n")
        for i in range(80):
            y = rng.random()
            for date, by in (("may", 0.0), ("june", 0.1)):
                if date == "may" or i < 60:
                    f.write(f"a,q{i},{date},{y + by + 0.1 * rng.random():.4f}\n")
    r = table("agree --scores dates.csv --columns score=judge,measure=date", "agreement")[0]
    assert (r["a"], r["b"], r["answers"]) == ("may", "june", "60"), r
    assert float(r["lower"]) < -0.1 < float(r["upper"]) < 0, r


def a_judge_calibrated_elsewhere_has_the_limits_of_lang_and_reiczigel():
    counts = {(1, 1): 35, (1, 0): 5, (0, 0): 54, (0, 1): 6}  # label, judge
    with open("elsewhere.csv", "w", encoding="utf-8") as f:
        f.write("item,judge,human\n" + "".join(
            f"c{y}{x}{i},{x},{y}\n" for (y, x), n in counts.items() for i in range(n)) + "free,1,\n")
    with open("zero_one.csv", "w", encoding="utf-8") as f:
        f.write("item,judge\n" + "".join(f"q{i},{int(i < 120)}\n" for i in range(200)))
    line = "eval --scores zero_one.csv --columns score=judge --judge-calibration elsewhere.csv"
    got = table(line, "measures")[0]
    # As in prevSeSp() of R's package asht: prevSeSp(.6, 200, 35/40, 40, 54/60, 60)
    z, se, sp = 1.959963984540054, 36 / 42, 55 / 62
    ap = (120 + z * z / 2) / (200 + z * z)
    p = (ap + sp - 1) / (se + sp - 1)
    v, w = se * (1 - se) / 42, sp * (1 - sp) / 62
    centre = p + 2 * z * z * (p * v - (1 - p) * w)
    reach = z * (ap * (1 - ap) / (200 + z * z) + p * p * v + (1 - p) ** 2 * w) ** 0.5 / (se + sp - 1)
    for name, wanted in (("value", (0.6 + 0.9 - 1) / (0.875 + 0.9 - 1)), ("lower", centre - reach),
                         ("upper", centre + reach), ("judge", 0.6)):
        assert abs(float(got[name]) - wanted) < 1e-9, (name, got, wanted)
    assert "Sensitivity 0.875 and specificity 0.900 are from 100 other answers" in run(line).stdout
    refused(line.replace("zero_one", "two"), "no column")
    refused(line.replace("judge ", "judge,human=judge "), "without human labels")
    refused(line + " --at-least score=0.5", "--judge-calibration")
    refused(line.replace("eval", "compare", 1), "'intervale eval' has it", "equal error rates")
    two_judges("two.csv")
    refused("eval --scores two.csv --columns score=one --judge-calibration elsewhere.csv", "expected 0 or 1")


with tempfile.TemporaryDirectory() as folder:
    TOOL = os.path.abspath(TOOL)
    os.chdir(folder)
    labelled = set(random.Random(1).sample(range(ITEMS), LABELS))
    write("judged.csv", lambda i, r, f, y: y if r == 0 and i in labelled else "")
    failed, done = [], 0
    for name, claim in list(globals().items()):
        if callable(claim) and getattr(claim, "__module__", "") == "__main__" \
                and name not in ("run", "write", "refused", "two_judges", "table"):
            done += 1
            try:
                claim()
            except (AssertionError, StopIteration, ValueError) as error:
                failed.append(f"{name}: {error!r}"[:900])
assert done == 20, done
sys.exit("\n".join(failed) or 0)
