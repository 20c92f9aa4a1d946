# SPDX-License-Identifier: Apache-2.0
"""Answers that changed lines of code would change and that no other test checked.

usage: answers.py TOOL [CLAIM]

The name of a function is its claim.  Most were written for survivors of tools/mutants.py.
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from claims import TOOL, table, words, write


def run(command, status=0):
    done = subprocess.run([TOOL, *words(command)], capture_output=True, text=True, check=False)
    assert done.returncode == status, (command, done.returncode, done.stdout, done.stderr)
    return done


def refused(command, text, status=1):
    done = run(command, status)
    assert text in done.stderr, (command, done.stderr)


def rows(command, name=None):
    """A table of the answer, the first unless named, as dictionaries."""
    tables = json.loads(run(command + " --format json").stdout)["tables"]
    return next(t["rows"] for t in tables if name in (None, t["name"]))


def near(a, b, error=1e-9):
    assert abs(a - b) <= error, (a, b)


def a_sort_in_parts_gives_the_lines_of_a_sort_in_memory():
    rng = random.Random(1)
    lines = [f"{rng.randrange(4000)} Q0 document-{i:07d} 1 {i} a-run-with-a-long-name\n"
             for i in range(120000)]
    write("mixed.run", "".join(lines))
    run("sort --memory 1M mixed.run -o sorted.run")
    with open("sorted.run", encoding="utf-8") as f:
        got = f.read()
    assert got == "".join(sorted(lines, key=lambda line: line.split()[0].encode()))


def automatic_labels_that_are_scores_need_a_level():
    write("run", "".join(f"1 Q0 d{i:03d} {i + 1} {1000 - i} run\n" for i in range(400)))
    write("sample", "".join(f"1 0 d{i:03d} {int(i < 150 and i % 3 != 1 or i % 20 == 0)}\n"
                            for i in range(600) if i * 7 % 5 < 2))
    label = [int(i < 150 and i % 3 != 1) for i in range(600)]
    write("llm", "".join(f"1 0 d{i:03d} {x}\n" for i, x in enumerate(label)))
    write("llm_scores", "".join(f"1 0 d{i:03d} {0.25 + 0.5 * x}\n" for i, x in enumerate(label)))
    review = "recall --run run --sample sample --collection 600 --at 150 --machine "
    refused(review + "llm_scores", "--machine-level must say which are relevant")
    assert rows(review + "llm_scores --machine-level 1") == rows(review + "llm")


def a_given_relevance_of_unjudged_documents_decides_the_confidence():
    run("simulate --topics 12 --documents 300 --runs 2 --seed 4 -o c")
    with open("c/qrels", encoding="utf-8") as f:
        write("some", "".join(line for i, line in enumerate(f) if i % 4 == 0))
    pair = "some c/runs/sim01 c/runs/sim02"
    low, high, usual = (rows(f"compare --incomplete {how} {pair}") for how in
                        ("--relevance 0.05", "--relevance 0.6", ""))
    assert low != high and low != usual and high != usual


def ndcg_of_a_sample_ends_at_its_cutoff():
    write("s.prels", "".join(f"{t} {d} {g} 1 {p}\n" for t in range(1, 5) for d, g, p in
                             (("a", 1, 1.0), ("b", 0, 0.5), ("c", 1, 0.5), ("d", 1, 0.5))))
    write("first", "".join(f"{t} Q0 {d} {i} {9 - i} first\n" for t in range(1, 5)
                           for i, d in enumerate("abx", 1)))
    near(rows("eval -m nDCG@1 -m nDCG@2 s.prels first")[0]["value"], 1.0)
    assert rows("eval -m nDCG@2 s.prels first")[0]["value"] < 0.99


def the_relevant_documents_seen_are_the_least_that_num_rel_may_be():
    write("few.prels", "".join(f"{t} d{i} {int(i < 3)} 1 0.1\n" for t in (1, 2)
                               for i in range(6)))
    write("any", "1 Q0 d0 1 9 any\n2 Q0 d0 1 9 any\n")
    for row in rows("eval -q -m num_rel few.prels any", "topics"):
        near(row["value"], 30.0)
        assert row["lower"] >= 3.0, row


def labels_of_other_documents_cannot_order_the_judging():
    write("elsewhere", "1 0 nothing 1\n1 0 nobody 0\n")
    refused("next --machine elsewhere some c/runs/sim01 c/runs/sim02",
            "intervale next: elsewhere: no label of a document that the runs return")


def counts_of_a_category_given_twice_are_refused_by_name():
    table("twice.csv", "system,category,tp,fp,fn", [["A", "x", 3, 1, 1], ["A", "x", 4, 1, 1]])
    refused("prf twice.csv", "the category 'x' of system 'A' occurs twice")


def a_stratum_without_a_judged_document_is_reported():
    write("ranked", "".join(f"{t} Q0 d{i} {i} {20 - i} ranked\n" for t in (1, 2, 3, 4)
                            for i in range(1, 9)))
    for name, empty, said in (("none", (), None), ("one", ((1, 2),), "1 stratum is without"),
                              ("two", ((1, 2), (3, 2)), "2 strata are without")):
        write(name, "".join(f"{t} 0 d{i} {1 + i // 5} {-1 if (t, 1 + i // 5) in empty else i % 2}\n"
                            for t in (1, 2, 3, 4) for i in range(1, 9)))
        shown = run(f"eval -m infAP {name} ranked --verbose").stdout
        assert said in shown if said else "without a judged" not in shown, shown


def systems_with_the_same_labels_are_the_best_equally_often():
    rng = random.Random(1)
    def label(gold):
        return gold if rng.random() < 0.8 else 1 - gold
    items = [[i, i % 2, label(i % 2), label(i % 2)] for i in range(80)]
    table("alike.csv", "id,gold,A,B,C", [[i, g, a, a, c] for i, g, a, c in items])
    for row in (best := rows("prf --labels alike.csv --paired --table best", "best")):
        same = [x["probability"] for x in best if x["metric"] == row["metric"]]
        near(same[0], same[1])
        near(sum(same), 1.0, 1e-6)


def preferences_are_transitive_over_more_than_64_documents():
    write("chain", "".join(f"1 g s{i} d{i} 2\n1 g s{i} d{i + 1} 1\n" for i in range(69)))
    ask = "eval --judgments-format prefs -m prefs_num_prefs_poss -m prefs_num_prefs_ful chain "
    for name, order, fulfilled in (("right", range(70), 2415), ("wrong", range(69, -1, -1), 0)):
        write(name, "".join(f"1 Q0 d{d} {i + 1} {99 - i} {name}\n" for i, d in enumerate(order)))
        assert [row["value"] for row in rows(ask + name)] == [2415, fulfilled]  # 70 * 69 / 2


def a_set_that_a_system_lacks_does_not_change_its_interval():
    rng = random.Random(4)
    page = [rng.gauss(0, 0.3) for _ in range(20)]
    answers = [[s, f"set{i % 2}", i, f"p{i % 2}_{int(i ** 0.5)}", round(
        0.5 + page[2 * int(i ** 0.5) + i % 2] + rng.gauss(0, 0.1), 4)]
               for s in "ab" for i in range(80)]
    header = "system,suite,item,cluster,score"
    table("lacks.csv", header, [r for r in answers if r[:2] != ["b", "set1"]])
    table("alone.csv", header, [r for r in answers if r[:2] == ["b", "set0"]])
    lacks = next(r for r in rows("eval --scores lacks.csv") if r["run"] == "b")
    alone = rows("eval --scores alone.csv")[0]
    for column in ("value", "se", "lower", "upper"):
        near(lacks[column], alone[column], 1e-12)


def bounds_of_ndcg_are_the_extremes_over_all_grades_of_unjudged_documents():
    judged = {1: {"j0": 1, "j1": 0, "j2": 2, "j3": 1}, 2: {"j0": 1, "j1": 0}}
    ranked = {1: ["u0", "u1", "u2", "u3"], 2: ["u0", "j0", "u1"]}
    write("few.qrels", "".join(f"{t} 0 {d} {g}\n" for t in judged for d, g in judged[t].items()))
    write("few.run", "".join(f"{t} Q0 {d} {i + 1} {9 - i} few\n" for t in ranked
                             for i, d in enumerate(ranked[t])))
    def dcg(grades):
        return sum(g / math.log2(i + 2) for i, g in enumerate(grades))
    for row in rows("eval -q -m nDCG --bounds few.qrels few.run")[:2]:
        t = int(row["topic"])
        values = []
        for grades in itertools.product((0, 1, 2), repeat=len(ranked[t])):
            given = {d: judged[t].get(d, g) for d, g in zip(ranked[t], grades)}
            all_grades = sorted({**judged[t], **given}.values(), reverse=True)
            values.append(dcg(given.values()) / dcg(all_grades))
        near(row["bound_lower"], min(values), 1e-12)
        near(row["bound_upper"], max(values), 1e-12)


def a_study_of_power_names_each_effect():
    shown = rows("study power --n 10 --replicates 4 --method t --threads 1", "rates")
    names = {row["quantity"] for row in shown}
    assert {"equal pair rejected", "pair with effect 0.2 rejected"} <= names, names


def an_automatic_label_that_nobody_checked_counts_as_the_one_checked_most():
    rng = random.Random(9)
    items = []
    for i in range(300):
        machine, system, pi = i % 3, int(i % 5 < 2), (0.5, 0.25)[i % 2]
        gold = int((machine > 0) != (rng.random() < 0.15))
        looked = rng.random() < pi and not (system == 1 and machine == 2)
        items.append([i, gold if looked else "", machine, system, pi])
    checked = [m for _, gold, m, system, _ in items if system == 1 and gold != ""]
    most = max((0, 1), key=checked.count)
    header = "id,gold,llm,system,pi"
    table("unchecked.csv", header, items)
    table("recoded.csv", header, [[i, g, most if s == 1 and m == 2 else m, s, pi]
                                  for i, g, m, s, pi in items])
    answers = [[row for row in rows(f"prf --labels {name} --machine-column llm")
                if row["metric"] in ("recall", "precision", "f1")]
               for name in ("unchecked.csv", "recoded.csv")]
    assert len(answers[0]) == 3 and answers[0] == answers[1], answers


if __name__ == "__main__":
    claims = {name: f for name, f in list(globals().items())
              if callable(f) and "_" in name and f.__module__ == "__main__"}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, check in claims.items():
            if not sys.argv[2:] or name in sys.argv[2:]:
                check()
                print(name)
