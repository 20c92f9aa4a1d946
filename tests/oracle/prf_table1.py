# SPDX-License-Identifier: Apache-2.0
"""Counts behind table 1 of Goutte and Gaussier (2005): prints prf_table1.tsv.

The paper prints F1 to two decimals and, in table 2, how often only one of two
systems was right.  For systems a and b on the same 3299 documents

    E_b - E_a = N_a - N_b,  E = FP + FN,        TP_a - TP_b in [-N_b, N_a],

and four systems of a category share three such comparisons.  All integer
solutions are listed; a cell is kept when only one pair of counts is left.
All but 'earn' and 'acq' are determined: 33 of the 39 cells.
"""
import csv
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
# category, then F1 of a, F1 of b, printed P(a better) for the three columns
TABLE1 = """earn 98.66 98.07 93.71 98.07 96.36 99.96 98.66 98.80 34.68
acq 94.70 93.88 82.09 93.88 79.31 100.00 94.70 94.73 49.39
money-fx 76.40 75.12 63.31 75.12 64.40 99.64 76.40 73.90 75.45
crude 86.96 86.15 61.53 86.15 71.12 100.00 86.96 86.26 60.33
grain 89.61 88.22 69.55 88.22 73.99 99.99 89.61 86.57 85.66
trade 75.86 77.47 34.07 77.47 75.11 71.77 75.86 77.13 38.76
interest 73.98 77.93 17.03 77.93 68.24 98.83 73.98 72.27 64.72
wheat 79.10 80.79 36.81 80.79 77.27 75.14 79.10 80.92 36.45
ship 75.50 80.25 17.99 80.25 66.22 99.44 75.50 73.47 63.78
corn 83.17 83.64 46.73 83.64 65.35 99.76 83.17 82.00 58.15
dlr 78.05 74.23 69.34 74.23 25.17 100.00 78.05 72.97 74.18
oilseed 61.90 62.37 48.58 62.37 42.35 98.77 61.90 58.23 65.28
money-sup 70.77 67.57 64.53 67.57 70.13 38.19 70.77 74.19 36.06"""
COMPARISONS = ["ltc_nnn", "nnn_lin_p2", "ltc_lin_p2"]
DOCUMENTS = 3299


def f1(tp, errors):
    return round(200 * tp / (2 * tp + errors), 2) if tp + errors else -1


def solutions(fa, fb, na, nb):
    found = []
    for tpa in range(1, DOCUMENTS + 1):
        low = 2 * tpa * (100 / (fa + .005) - 1)
        high = 2 * tpa * (100 / (fa - .005) - 1)
        for ea in range(max(nb, math.ceil(low - 1e-9)), math.floor(high + 1e-9) + 1):
            eb = ea + na - nb
            if f1(tpa, ea) != fa or eb < na or tpa + ea > DOCUMENTS:
                continue
            found += [(tpa, ea, tpb, eb) for tpb in range(max(0, tpa - na), tpa + nb + 1)
                      if f1(tpb, eb) == fb]
    return found


def main():
    with open(os.path.join(HERE, "prf_table2.tsv")) as f:
        rows = csv.DictReader((x for x in f if not x.startswith("#")), delimiter="\t")
        wins = {(r["category"], r["comparison"]): (int(r["a"]), int(r["b"])) for r in rows}
    print("# Made by prf_table1.py: counts that table 1's F1 and table 2 leave possible.")
    print("category\tcomparison\ttp_a\terrors_a\ttp_b\terrors_b\tprinted")
    for line in TABLE1.splitlines():
        category, *w = line.split()
        w = [float(x) for x in w]
        s = [solutions(w[3 * c], w[3 * c + 1], *wins[category, COMPARISONS[c]])
             for c in range(3)]
        # ltc against nnn shares ltc with the last comparison, nnn with the middle
        joint = [(a, b, c) for a in s[0] for b in s[1] for c in s[2]
                 if a[2:] == b[:2] and a[:2] == c[:2]]
        for c in range(3):
            cells = {j[c] for j in joint}
            if len(cells) == 1:
                print(category, COMPARISONS[c], *cells.pop(), "%.2f" % w[3 * c + 2], sep="\t")


main()
