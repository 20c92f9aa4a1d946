# SPDX-License-Identifier: Apache-2.0
"""Guaranteed limits of small reviews, by brute force in rational arithmetic.

One or two sampled strata that are not fully judged.  The limit is found by looking at every
truth: with one unknown the hypergeometric limit, with two Buehler's, the samples in the order
of the split of the error.  Prints the rows of recall_guaranteed.tsv: quantity, confidence,
one-sided, the strata of both segments as N:n:r, lower, upper.
"""
import random
from fractions import Fraction as F
from math import comb, sqrt

QUANTITIES = ("recall", "precision", "f", "yield", "elusion")


def value(q, R1, R0, N1, N0):
    return {"recall": F(R1, max(1, R1 + R0)), "precision": F(R1, N1),
            "f": F(2 * R1, R1 + R0 + N1), "yield": F(R1 + R0), "elusion": F(R0, N0)}[q]


def pmf(N, K, n):
    return [F(comb(K, x) * comb(N - K, n - x), comb(N, n)) for x in range(n + 1)]


def limit(q, alpha, ret, un, upper):
    """The lower limit of the quantity, or minus the upper one."""
    strata = [(1, s) for s in ret] + [(0, s) for s in un]
    N1, N0 = sum(s[0] for s in ret), sum(s[0] for s in un)
    sign = -1 if upper else 1
    way = {"recall": (-1, 1), "precision": (0, 1), "f": (-1, 1), "yield": (1, 1),
           "elusion": (1, 0)}[q]
    free = [i for i, (side, s) in enumerate(strata) if s[1] < s[0] and way[side] != 0]

    def at(K):
        R = [0, 0]
        for (side, s), k in zip(strata, K):
            R[side] += k
        return sign * value(q, R[1], R[0], N1, N0)

    known = [s[2] for _, s in strata]
    up = [way[strata[i][0]] * sign > 0 for i in free]

    def tail(i, K, x):
        """P(a count as much in the limit's favour as x) in stratum free[i]."""
        N, n, _ = strata[free[i]][1]
        p = pmf(N, K, n)
        return sum(p[x:]) if up[i] else sum(p[:x + 1])

    def cautious(i, x, a):
        """The worst number of relevant ones that the stratum's own limit leaves."""
        N = strata[free[i]][1][0]
        left = [K for K in range(N + 1) if tail(i, K, x) > a]
        return min(left) if up[i] else max(left)

    def put(Ks):
        K = list(known)
        for i, k in zip(free, Ks):
            K[i] = k
        return at(K)

    seen = [strata[i][1][2] for i in free]
    if not free:
        return at(known)
    if len(free) == 1:
        return put([cautious(0, seen[0], alpha)])
    half = F(1 - sqrt(1 - float(alpha)))
    T = {}
    for x in range(strata[free[0]][1][1] + 1):
        for y in range(strata[free[1]][1][1] + 1):
            T[x, y] = put([cautious(0, x, half), cautious(1, y, half)])
    high = [xy for xy in T if T[xy] >= T[tuple(seen)]]
    best = None
    (N, n, x), (M, m, y) = (strata[i][1] for i in free)
    for K in range(x, N - n + x + 1):  # those that the sample does not contradict
        p = pmf(N, K, n)
        for L in range(y, M - m + y + 1):
            r = pmf(M, L, m)
            if sum(p[a] * r[b] for a, b in high) > alpha:
                v = put([K, L])
                best = v if best is None or v < best else best
    return best


def main():
    random.seed(16)
    print("# quantity confidence one-sided retrieved unretrieved lower upper; by "
          "recall_guaranteed.py")
    for _ in range(160):
        q = random.choice(QUANTITIES)
        layout = random.choice([(1, 1), (1, 1), (1, 1), (2, 1), (1, 2)])
        segments = []
        for count in layout:
            strata = []
            for _ in range(count):
                N = random.randint(3, 12)
                n = random.randint(1, N)
                strata.append((N, n, random.randint(0, n)))
            segments.append(strata)
        if sum(layout) == 3:  # one of the three is judged in full
            s = random.choice(segments)
            i = random.randrange(len(s))
            s[i] = (s[i][0], s[i][0], random.randint(0, s[i][0]))
        if sum(s[2] for part in segments for s in part) == 0 and q == "recall":
            continue
        confidence = random.choice((F(947, 1000), F(793, 1000), F(531, 1000)))  # no ties
        one = random.random() < 0.5
        alpha = (1 - confidence) / (1 if one else 2)
        lower = limit(q, alpha, *segments, False)
        upper = -limit(q, alpha, *segments, True)
        text = [";".join("%d:%d:%d" % s for s in part) for part in segments]
        print(q, float(confidence), int(one), *text, repr(float(lower)), repr(float(upper)))


if __name__ == "__main__":
    main()
