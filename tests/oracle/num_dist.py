#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reference values of distributions in 50-digit arithmetic (python3-mpmath).

usage: num_dist.py > tests/oracle/num_dist.tsv

Incomplete beta and gamma by continued fraction and series, counts by the
logarithms of factorials and by plain sums; nothing of the library's methods
(saddle points, integrals, Boost) is used.
Columns: function, tolerance (relative), arguments, value.
"""
import random

from mpmath import (betainc, digamma, erfc, exp, loggamma, log, mp, mpf, pi,
                    sqrt)

mp.dps = 50
EPS = mpf(10) ** -45


def beta_fraction(a, b, x):
    tiny = mpf(10) ** -300
    f, c, d = tiny, tiny, mpf(0)
    j = 0
    while True:
        m = j // 2
        if j == 0:
            t = mpf(1)
        elif j % 2 == 0:
            t = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            t = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + t * d)
        c = 1 + t / c
        f *= c * d
        if abs(c * d - 1) < EPS:
            return f
        j += 1


def beta_tails(x, a, b, y=None):
    a, b, x = mpf(a), mpf(b), mpf(x)
    y = 1 - x if y is None else y
    front = exp(a * log(x) + b * log(y) + loggamma(a + b) - loggamma(a)
                - loggamma(b))
    if x < (a + 1) / (a + b + 2):
        low = front / a * beta_fraction(a, b, x)
        return low, 1 - low
    up = front / b * beta_fraction(b, a, y)
    return 1 - up, up


def gamma_tails(x, s):
    x, s = mpf(x), mpf(s)
    front = exp(s * log(x) - x - loggamma(s + 1))
    if x < s + 1:
        term = total = mpf(1)
        k = s
        while term > EPS * total:
            k += 1
            term *= x / k
            total += term
        low = front * total
        return low, 1 - low
    b = x + 1 - s
    c, d = mpf(10) ** 300, 1 / b
    h = d
    n = 0
    while True:
        n += 1
        a = -n * (n - s)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        h *= c * d
        if abs(c * d - 1) < EPS:
            break
    up = front * s * h
    return 1 - up, up


def norm_tails(x):
    r = mpf(x) / sqrt(mpf(2))
    return erfc(-r) / 2, erfc(r) / 2


def t_tails(t, df):
    t, df = mpf(t), mpf(df)
    if t == 0:
        return mpf(1) / 2, mpf(1) / 2
    x, y = df / (df + t * t), t * t / (df + t * t)
    half = beta_tails(x, df / 2, mpf(1) / 2, y)[0] / 2
    return (half, 1 - half) if t < 0 else (1 - half, half)


def lchoose(n, k):
    return loggamma(mpf(n) + 1) - loggamma(mpf(k) + 1) - loggamma(mpf(n - k) + 1)


def binom_log(k, n, p):
    return lchoose(n, k) + k * log(mpf(p)) + (n - k) * log(1 - mpf(p))


def hyper_log(k, N, K, n):
    return lchoose(K, k) + lchoose(N - K, n - k) - lchoose(N, n)


def betabin_log(k, n, a, b):
    a, b = mpf(a), mpf(b)
    return (lchoose(n, k) + loggamma(k + a) + loggamma(n - k + b)
            - loggamma(n + a + b) + loggamma(a + b) - loggamma(a) - loggamma(b))


def sum_down(k, low, first, ratio):
    """Terms k, k-1, ... low; ratio(j) = p(j)/p(j+1)."""
    term = total = mpf(1)
    for j in range(k - 1, low - 1, -1):
        term *= ratio(j)
        total += term
        if term < EPS * total:
            break
    return exp(first) * total


def hyper_tails(k, N, K, n):
    low, high = max(0, n + K - N), min(K, n)
    down = lambda j: mpf(j + 1) * (N - K - n + j + 1) / (mpf(K - j) * (n - j))
    if k < n * K / N:
        lower = sum_down(k, low, hyper_log(k, N, K, n), down)
        return lower, 1 - lower
    # marked among the drawn > k  <=>  plain ones among them < n - k
    upper = hyper_tails(n - k - 1, N, N - K, n)[0] if k < high else mpf(0)
    return 1 - upper, upper


def emit(name, tol, args, value):
    print("\t".join([name, f"{tol:g}", *(repr(a) for a in args), mp.nstr(value, 20)]))


def both(name, tol, args, tails):
    for tail, v in zip(("cdf", "sf"), tails):
        if v > mpf(10) ** -300:
            emit(f"{name}_{tail}", tol, args, v)


BAR = 1e-12  # to parameters of 5e7


def continuous(rng):
    for x in (0.1, 0.5, 1.0, 2.0, 2.385, 17.25, 1234.5, 5e7):
        emit("digamma", 1e-13, (x,), digamma(mpf(x)))
    for a, b in ((0.5, 0.5), (1e-3, 2.0), (2.385, 731.5), (4e6, 5e7), (0.5, 5e7)):
        v = loggamma(mpf(a)) + loggamma(mpf(b)) - loggamma(mpf(a) + mpf(b))
        emit("log_beta", 1e-13, (a, b), v)
    for x in (-40.5, -37.0, -8.25, -1.96, -0.385, 0.0, 0.731, 2.5, 6.75):
        both("norm", 1e-12, (x,), norm_tails(x))
        emit("norm_log_pdf", 1e-14, (x,), -mpf(x) ** 2 / 2 - log(2 * pi) / 2)
    for df in (0.5, 1.0, 2.0, 4.5, 29.0, 1234.0, 1e6, 5e7):
        for t in (-35.0, -4.25, -0.385, 0.01, 2.045, 12.5):
            both("t", BAR, (t, df), t_tails(t, df))
            h = mpf(df) / 2
            v = (loggamma(h + mpf(1) / 2) - loggamma(h) - log(pi * df) / 2
                 - (h + mpf(1) / 2) * log(1 + mpf(t) ** 2 / df))
            emit("t_log_pdf", 1e-12, (t, df), v)
    for s in (1e-3, 0.5, 1.0, 3.25, 47.5, 1e3, 1e5, 5e7):
        for z in (-30, -6, -2, -0.1, 0.3, 2, 6, 30):
            x = float(s + z * sqrt(mpf(s)))
            x = x if x > 0 else float(s * 10 ** (z / 3))
            if x == 0.0:
                continue
            both("gamma", BAR, (x, s), gamma_tails(x, s))
            emit("gamma_log_pdf", 1e-12, (x, s),
                 (mpf(s) - 1) * log(mpf(x)) - mpf(x) - loggamma(mpf(s)))


def betas(rng):
    cases = [(1.0, 1.0, 0.385), (0.5, 0.5, 0.02), (1e-3, 2e-3, 0.4),
             (2.0, 1.0, 0.9), (0.5, 30.5, 1e-5)]
    for size in (30.0, 1e3, 1e4, 1e6, 5e7):
        for i in range(16):
            a = size if i % 4 == 0 else float(f"{size ** rng.random():.4g}")
            b = size * rng.random() if i % 2 else size ** rng.random()
            b = float(f"{b:.5g}")
            mean = a / (a + b)
            sd = (mean * (1 - mean) / (a + b + 1)) ** 0.5
            x = mean + rng.choice((-30, -8, -3, -1, -.1, 0, .1, 1, 3, 8, 30)) * sd
            x = float(f"{x:.12g}")
            if 0 < x < 1:
                cases.append((a, b, x))
    cases += [(0.5, 5e7, 1e-8), (0.5, 1e6, 3e-6), (3.5, 5e7, 2e-7),
              (12.0, 4e7, 1e-6), (1.5, 3e6, 9e-7), (5e7, 0.5, 0.99999999)]
    for a, b, x in cases:
        both("beta", BAR, (x, a, b), beta_tails(x, a, b))
        emit("beta_log_pdf", 1e-12, (x, a, b),
             (mpf(a) - 1) * log(mpf(x)) + (mpf(b) - 1) * log(1 - mpf(x))
             - loggamma(mpf(a)) - loggamma(mpf(b)) + loggamma(mpf(a) + mpf(b)))


def counts(rng):
    for n, p in ((1, 0.385), (10, 0.5), (50, 0.02), (1000, 0.731),
                 (1000000, 1e-6), (50000000, 2e-7), (50000000, 0.125)):
        sd = (n * p * (1 - p)) ** 0.5
        for z in (-30, -6, -1, 0, 0.5, 3, 12, 36):
            k = int(n * p + z * sd)
            if 0 <= k <= n:
                emit("binom_pmf", 1e-12, (k, n, p), exp(binom_log(k, n, p)))
                if k < n:
                    up, low = beta_tails(p, k + 1, n - k)
                    both("binom", BAR, (k, n, p), (low, up))
    for N, K, n in ((20, 8, 11), (1000, 385, 70), (1000000, 731, 5000),
                    (50000000, 250, 1000000), (50000000, 400000, 4000000),
                    (50000000, 25000000, 20000000), (50000000, 49999000, 30000),
                    (50000000, 30000000, 49990000)):
        m = n * K / N
        sd = (m * (1 - K / N) * (N - n) / (N - 1)) ** 0.5
        for z in (-35, -12, -5, -1, 0, 0.7, 3, 9, 37):
            k = int(m + z * sd)
            if max(0, n + K - N) <= k <= min(K, n):
                emit("hyper_pmf", 1e-12, (k, N, K, n), exp(hyper_log(k, N, K, n)))
                if k < min(K, n):
                    both("hyper", 1e-12, (k, N, K, n), hyper_tails(k, N, K, n))
    for n, a, b in ((5, 0.5, 0.5), (100, 2.385, 7.5), (1000000, 0.5, 1500.5),
                    (5000000, 30.5, 3970.5), (50000000, 0.5, 0.5),
                    (50000000, 12.5, 4000.0), (50000000, 3e4, 2e5),
                    (50000000, 1e-3, 0.7), (50000000, 2e7, 1e7),
                    (20000000, 5714685.3, 2e-4), (20000000, 3e-3, 7e6)):
        m = n * a / (a + b)
        sd = (m * b / (a + b) * (a + b + n) / (a + b + 1)) ** 0.5
        for k in {0, 1, n // 7, n - 1, n} | {int(m + z * sd)
                                      for z in (-35, -8, -1, 0, 0.4, 4, 11, 36)}:
            if 0 <= k <= n:
                v = exp(betabin_log(k, n, a, b))
                if v > mpf(10) ** -300:
                    emit("betabin_pmf", 1e-12, (k, n, a, b), v)


if __name__ == "__main__":
    assert abs(beta_tails(0.3, 2.5, 4)[0]
               - betainc(2.5, 4, 0, mpf(0.3), regularized=True)) < 1e-30
    rng = random.Random(3)
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# made by num_dist.py: 50-digit arithmetic, mpmath")
    continuous(rng)
    betas(rng)
    counts(rng)
