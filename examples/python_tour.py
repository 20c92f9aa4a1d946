# SPDX-License-Identifier: Apache-2.0
"""Four questions, answered from Python with the package python/intervale.

    PYTHONPATH=python python3 examples/python_tour.py QRELS RUN_A RUN_B
"""
import sys

import intervale


def main(qrels: str, run_a: str, run_b: str) -> None:
    # What are the scores, and within what bounds?
    found = intervale.evaluate(qrels, [run_a, run_b], ["AP", "nDCG@10"])
    print(found.sentence)
    for s in found.measures:
        print(f"{s.run} {s.measure} {s.value!r} {s.lower!r} {s.upper!r}")

    # Do the two runs differ?
    pair = intervale.compare(qrels, [run_a, run_b]).pairs[0]
    print(f"{pair.a} - {pair.b} {pair.difference!r} {pair.lower!r} {pair.upper!r} p {pair.p!r}")

    # What recall did a review reach?  N documents, n sampled, r relevant, of
    # those retrieved and of the others.
    r = intervale.recall((10000, 500, 350), (990000, 2000, 3), target=0.75).recall[0]
    print(f"recall {r.recall!r} {r.lower!r} {r.upper!r} P(at least 0.75) {r.p_target!r}")

    # How sure is an F1, and does A beat B?  TP, FP, FN of each.
    counts = {"A": (80, 20, 40), "B": (75, 10, 45)}
    found = intervale.prf(counts, compare=True)
    for m in found.metrics:
        print(f"{m.system} {m.metric} {m.mean!r} {m.lower!r} {m.upper!r}")
    for d in found.comparison:
        print(f"P({d.a} > {d.b} in {d.metric}) {d.probability!r}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:4])
    except intervale.Error as error:
        sys.exit(f"python_tour: {error}")
