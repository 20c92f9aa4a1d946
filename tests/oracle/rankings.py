# SPDX-License-Identifier: Apache-2.0
"""Reference values of rank-biased overlap and AP correlation: rankings.tsv.

usage: rankings.py [RBO_PY [PYIRCOR]] > rankings.tsv

Lists are letters, tied ones in parentheses.  Values come from the definitions, in
rational arithmetic but for logarithms and roots, one item and one depth at a time;
where ties are averaged and the lists are equally long, they are also the mean over
every order of the tied, and RBO_PY (rbo.py of github.com/julian-urbano/sigir2024-rbo)
must agree to 1e-12.  tau_AP is a mean over every order of the tied; PYIRCOR, a folder
that holds pyircor, must agree where it takes the data.
"""
import importlib.util
import itertools
import math
import random
import sys
from fractions import Fraction as F


def parse(text):
    groups, inside = [], False
    for c in text:
        if c == "(":
            groups.append("")
            inside = True
        elif c == ")":
            inside = False
        elif inside:
            groups[-1] += c
        else:
            groups.append(c)
    return groups


def share(groups, item, d, ties):
    """By how much an item is among the first d."""
    top = 0
    for g in groups:
        if item in g:
            whole = ties == "equal" and d > top or d >= top + len(g)
            return F(1) if whole else F(max(d - top, 0), len(g))
        top += len(g)
    return F(0)


def rbo(a, b, p, ties):
    S, L = sorted((parse(a), parse(b)), key=lambda r: sum(map(len, r)))
    s, l = sum(map(len, S)), sum(map(len, L))
    items = sorted(set("".join(S + L)))
    only = [x for g in L for x in g if not any(x in h for h in S)]
    total = {"value": 0.0, "lower": 0.0, "upper": 0.0}
    for d in range(1, l + 1):
        cs = {x: share(S, x, d, ties) for x in items}
        cl = {x: share(L, x, d, ties) for x in items}
        X = sum(cs[x] * cl[x] for x in items)
        extra = {"value": F(0), "lower": F(0), "upper": F(0)}
        if d > s:
            there = [cl[x] for x in only if cl[x] > 0]
            extra["value"] = (d - s) * A * sum(there) / len(there)
            extra["upper"] = sum(cl[x] for x in only[:d - s])
        for k, e in extra.items():
            if ties == "average":
                now = (X + e) / d
            elif ties == "equal":
                now = 2 * (X + e) / ((sum(cs.values()) if d <= s else d) + sum(cl.values()))
            else:
                mine = sum(c * c for c in cs.values()) if d <= s else d
                now = float(X + e) / math.sqrt(mine * sum(c * c for c in cl.values()))
            total[k] += p ** d * float(now)
            if d <= s:
                A = F(now) if ties != "shared" else F(float(now))
    both = float(X)
    seen = l + s - int(X)
    total["value"] += (both + (l - s) * float(A)) / l * p ** (l + 1) / (1 - p)
    total["lower"] += both * (-math.log(1 - p) - sum(p ** d / d for d in range(1, l + 1)))
    total["upper"] += sum((2 * d - l - s + both) / d * p ** d for d in range(l + 1, seen + 1)) \
        + p ** (seen + 1) / (1 - p)
    return [(1 - p) / p * total[k] for k in ("value", "lower", "upper")]


def orders(groups):
    return ["".join(o) for o in itertools.product(
        *(["".join(q) for q in itertools.permutations(g)] for g in groups))]


def write(groups):
    return "".join(g if len(g) == 1 else f"({g})" for g in groups)


def tau_ap(truth, x):
    """Both falling groups; the mean over all orders."""
    total = count = 0
    for t in orders(truth):
        for e in orders(x):
            total += sum(F(sum(t.index(e[j]) < t.index(e[i]) for j in range(i)), i)
                         for i in range(1, len(e)))
            count += 1
    return 2 * total / count / (len(e) - 1) - 1


def tau_ap_b(x, y):
    def one(x, y):
        place = lambda r, c: next(i for i, g in enumerate(r) if c in g)
        parts = []
        for i, g in enumerate(y[1:], 1):
            up = "".join(y[:i])
            parts += [F(sum(place(x, j) < place(x, c) for j in up), len(up)) for c in g]
        return 2 * sum(parts) / len(parts) - 1
    return (one(x, y) + one(y, x)) / 2


def main():
    theirs = cor = None
    if len(sys.argv) > 1:
        spec = importlib.util.spec_from_file_location("theirs", sys.argv[1])
        theirs = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(theirs)
    if len(sys.argv) > 2:
        sys.path.insert(0, sys.argv[2])
        import pyircor.tauap as cor
    rng = random.Random(5)

    def ranking(letters, n):
        chosen = rng.sample(letters, n)
        groups = []
        while chosen:
            k = rng.choice((1, 1, 1, 2, 3))
            groups.append("".join(chosen[:k]))
            chosen = chosen[k:]
        return groups

    print("# by rankings.py: kind, ties, a, b, p, value, lower, upper")
    pairs = [("abcdefg", "zcavwxy"), ("abcde", "abcde"), ("a", "b"), ("a(bc)de", "(ab)f(dgh)c"),
             ("abcdefghij", "abcdefghij")]
    for i in range(24):
        n = rng.randint(1, 7)
        pairs.append((write(ranking("abcdefghij", n)),
                      write(ranking("abcdefghij", n if i % 2 else rng.randint(1, 7)))))
    for a, b in pairs:
        for ties, letter in (("average", "a"), ("shared", "b"), ("equal", "w")):
            p = rng.choice((0.5, 0.8, 0.9, 0.95, 0.98))
            got = rbo(a, b, p, ties)
            if theirs:
                r = theirs.rbo(*([g if len(g) == 1 else set(g) for g in parse(t)] for t in (a, b)),
                               p=p, ties=letter)
                assert all(abs(g - r[k]) < 1e-12 for g, k in zip(got, ("ext", "min", "max"))), (
                    a, b, ties, p, got, r)
            x, y = parse(a), parse(b)
            if ties == "average" and sum(map(len, x)) == sum(map(len, y)):
                each = [rbo(o, q, p, ties) for o in orders(x) for q in orders(y)]
                mean = [sum(e[k] for e in each) / len(each) for k in range(3)]
                assert all(abs(g - m) < 1e-12 for g, m in zip(got, mean)), (a, b, got, mean)
            print("rbo", ties, a, b, p, *map(repr, got), sep="\t")
    for i in range(20):
        n = rng.randint(3, 6)
        t, x = ranking("abcdef"[:n], n), ranking("abcdef"[:n], n)
        if i < 6:
            t, x = rng.sample("abcdef"[:n], n), rng.sample("abcdef"[:n], n)
        got = float(tau_ap(t, x))
        score = lambda r: [float(-next(k for k, g in enumerate(r) if c in g)) for c in "abcdef"[:n]]
        if cor and len(t) == n:
            import numpy as np
            assert abs(cor.tauap_a(np.array(score(t)), np.array(score(x))) - got) < 1e-12
        print("tau_ap", "-", write(t), write(x), 0, repr(got), 0, 0, sep="\t")
        if min(len(t), len(x)) > 1:
            got = float(tau_ap_b(t, x))
            if cor:
                import numpy as np
                assert abs(cor.tauap_b(np.array(score(t)), np.array(score(x))) - got) < 1e-12
            print("tau_ap_b", "-", write(t), write(x), 0, repr(got), 0, 0, sep="\t")


main()
