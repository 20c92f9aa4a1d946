# SPDX-License-Identifier: Apache-2.0
"""Reference strengths of pairwise preferences: preferences.tsv.

usage: preferences.py > preferences.tsv        (needs choix, numpy and scipy)

Without ties by choix (ilsr_pairwise), with ties and the position by scipy's trust-exact
minimisation; standard errors by the sandwich over items, with dense matrices of numpy.
"""
import random


def votes(seed, systems, count, ties, items):
    """(a, b, winner, item), winner 0, 1 or 2 (a tie), of systems whose strengths rise."""
    rng = random.Random(seed)
    out = []
    for _ in range(count):
        a, b = rng.sample(range(systems), 2)
        better = rng.random() < 1 / (1 + 2.0 ** ((b - a) / 2))
        out.append((a, b, 2 if rng.random() < ties else 0 if better else 1, rng.randrange(items)))
    return out


CASES = [("plain", 1, 6, 300, 0.0, 40, False), ("ties", 2, 8, 500, 0.25, 50, False),
         ("position", 3, 5, 400, 0.2, 30, True)]


def fit(data, K, ties, position):
    import choix
    import numpy as np
    from scipy.optimize import minimize

    a, b, y, item = map(np.array, zip(*data))
    n = K + (ties > 0) + position
    X = np.zeros((len(a), 3, n))
    rows = np.arange(len(a))
    X[rows, 0, a] = X[rows, 1, b] = 1
    X[rows, 2, a] = X[rows, 2, b] = 0.5
    if ties > 0:
        X[:, 2, K] = 1
    if position:
        X[:, 1, n - 1] = -1
    last = 3 if ties > 0 else 2

    def parts(t):
        u = (X @ t)[:, :last]
        p = np.exp(u - u.max(1, keepdims=True))
        p = np.hstack([p / p.sum(1, keepdims=True), np.zeros((len(a), 3 - last))])
        m = np.einsum("vy,vyn->vn", p, X)
        h = np.einsum("vy,vyn,vyk->nk", p, X, X) - m.T @ m
        h[:K, :K] += 1 / K
        value = (np.logaddexp.reduce(u, axis=1) - u[rows, y]).sum() + t[:K].sum() ** 2 / (2 * K)
        gradient = (m - X[rows, y]).sum(0)
        gradient[:K] += t[:K].sum() / K
        return value, gradient, h, m

    t = minimize(lambda t: parts(t)[0], np.zeros(n), jac=lambda t: parts(t)[1],
                 hess=lambda t: parts(t)[2], method="trust-exact", options={"gtol": 1e-10}).x
    if ties == 0 and not position:
        by_choix = choix.ilsr_pairwise(K, [(i, j) if w == 0 else (j, i) for i, j, w, _ in data], tol=1e-13)
        assert abs(by_choix - by_choix.mean() - t[:K]).max() < 1e-8
    _, _, h, m = parts(t)
    scores = np.zeros((item.max() + 1, n))
    np.add.at(scores, item, X[rows, y] - m)
    clusters = len(set(item))
    inverse = np.linalg.inv(h)
    cov = inverse @ scores.T @ scores @ inverse * clusters / (clusters - 1)
    return t, np.sqrt(np.diag(cov))


if __name__ == "__main__":
    print("# by preferences.py: case, strengths (and log nu, position), standard errors")
    for name, seed, K, count, ties, items, position in CASES:
        t, se = fit(votes(seed, K, count, ties, items), K, ties, position)
        print(name, " ".join(map(repr, map(float, t))), " ".join(map(repr, map(float, se))), sep="\t")
