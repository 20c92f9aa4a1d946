# SPDX-License-Identifier: Apache-2.0
"""Reference values for the P/R/F posteriors, by mpmath: prints prf.tsv.

Methods that share nothing with the library's:
  greater   P(A > B) of two betas by Gil-Pelaez' inversion of the difference of
            logits, whose characteristic function is a ratio of gamma functions;
  fgreater  the same for F_beta, whose logit is a beta's plus a bounded term;
  fcdf      P(F_beta <= x), a double integral over the three gamma variables;
  gap       P(A - B <= x) of two betas, integrating over B directly;
  balanced  P((R + S)/2 <= x), integrating over R directly;
  paired    P(pi_a - pi_b <= x), integrating over pi_a + pi_b directly.
A line is: name, arguments, value.
"""
from mpmath import (mp, mpf, loggamma, exp, log, quad, beta, betainc, pi, sqrt, inf, im,
                    mpc, nstr, linspace, polygamma)

mp.dps = 30


def phi_logit(a, b, u):
    i = mpc(0, u)
    return exp(loggamma(a + i) + loggamma(b - i) - loggamma(a) - loggamma(b))


def invert(phi, sd):
    """P(T > 0) from the characteristic function of T: trapezoid, spectrally."""
    step = mpf(1) / (20 * sd)
    total, k = mpf(0), 0
    while True:
        u = (k + mpf(1) / 2) * step
        value = phi(u)
        total += im(value) / u
        if abs(value) < mpf(10) ** -22 and k > 40:
            break
        k += 1
    return mpf(1) / 2 + total * step / pi


def spread(*parameters):
    return sqrt(sum(polygamma(1, p) for p in parameters))


def greater(a, b, c, d):
    a, b, c, d = (mpf(x) for x in (a, b, c, d))
    phi = lambda u: phi_logit(a, b, u) * phi_logit(c, d, -u)
    sd = spread(a, b, c, d)
    # a step below 1/(range of T) is needed: the tails reach far when small
    reach = 60 / min(a, b, c, d, 1 / sd)
    return invert(phi, max(sd, reach / 40))


def phi_shift(fp, fn, b2):
    """Characteristic function of v(w), w ~ Beta(fp, fn), at a list of u."""
    nodes = []
    lo, hi = log(fp / fn) - 60 / min(fp, 1) * 1, log(fp / fn) + 60 / min(fn, 1)
    sd = spread(fp, fn)
    centre = log(fp / fn)
    lo, hi = max(lo, centre - 40 * sd - 40), min(hi, centre + 40 * sd + 40)
    n = 4000
    if min(fp, fn) > 1000:  # nearly normal
        lo, hi, n = centre - 14 * sd, centre + 14 * sd, 560
    norm = loggamma(fp) + loggamma(fn) - loggamma(fp + fn)
    h = (hi - lo) / n
    for i in range(n + 1):
        t = lo + i * h
        w = 1 / (1 + exp(-t))
        rest = 1 / (1 + exp(t))
        g = exp(fp * log(w) + fn * log(rest) - norm)
        if g * h > mpf(10) ** -28:
            nodes.append((log(1 + b2) - log(b2 * rest + w), g * h))
    return nodes


def fgreater(tp1, fp1, fn1, tp2, fp2, fn2, b):
    tp1, fp1, fn1, tp2, fp2, fn2, b = (mpf(x) for x in (tp1, fp1, fn1, tp2, fp2, fn2, b))
    v1, v2 = phi_shift(fp1, fn1, b * b), phi_shift(fp2, fn2, b * b)

    def phi(u):
        s1 = sum(g * exp(mpc(0, u * v)) for v, g in v1)
        s2 = sum(g * exp(mpc(0, -u * v)) for v, g in v2)
        return phi_logit(tp1, fp1 + fn1, u) * phi_logit(tp2, fp2 + fn2, -u) * s1 * s2
    sd = spread(tp1, fp1 + fn1, tp2, fp2 + fn2)
    reach = 60 / min(tp1, tp2, fp1 + fn1, fp2 + fn2, 1 / sd)
    return invert(phi, max(sd, reach / 40))


def pdf(x, y, a, b):
    return x ** (a - 1) * y ** (b - 1) / beta(a, b)


def cdf(x, a, b):
    return mpf(0) if x <= 0 else mpf(1) if x >= 1 else betainc(a, b, 0, x, regularized=True)


def over_beta(f, a, b, cuts=()):
    """E f(x, 1-x), X ~ Beta(a, b), through x = sin^2(t), in pieces."""
    from mpmath import sin, cos, asin
    edges = sorted({mpf(0), pi / 2} | {asin(sqrt(c)) for c in cuts if 0 < c < 1}
                   | {k * pi / 16 for k in range(8)})
    g = lambda t: (2 * sin(t) ** (2 * a - 1) * cos(t) ** (2 * b - 1) / beta(a, b)
                   * f(sin(t) ** 2, cos(t) ** 2))
    return quad(g, edges)


def fcdf(tp, fp, fn, b, x):
    tp, fp, fn, b, x = (mpf(v) for v in (tp, fp, fn, b, x))

    def given(w, rest):
        m = (b * b * rest + w) * x / ((1 + b * b) * (1 - x))
        return cdf(m / (1 + m), tp, fp + fn)
    return over_beta(given, fp, fn)


def gap(a, b, c, d, x):
    a, b, c, d, x = (mpf(v) for v in (a, b, c, d, x))
    return over_beta(lambda y, rest: cdf(y + x, a, b), c, d, (-x, 1 - x))


def balanced(tp, fp, fn, tn, x):
    tp, fp, fn, tn, x = (mpf(v) for v in (tp, fp, fn, tn, x))
    return over_beta(lambda r, rest: cdf(2 * x - r, tn, fp), tp, fn, (2 * x, 2 * x - 1))


def paired(a, b, rest, x):
    a, b, rest, x = (mpf(v) for v in (a, b, rest, x))

    def given(s, missing):
        share = x / s
        return cdf((1 + share) / 2, a, b)
    return over_beta(given, a + b, rest, (abs(x),))


def show(name, f, *arguments):
    print(name, *arguments, nstr(f(*arguments), 17), sep="\t", flush=True)


print("# Made by prf.py (mpmath, 30 digits).")
for row in ["3.5 2.5 10.5 10.5", "4 3 11 11", "80.5 51 70.5 56", "0.5 0.5 0.5 0.5",
            "0.5 0.5 10.5 0.5", "0.5 3.5 0.5 7.5", "0.5 100000000.5 1.5 100000000.5",
            "100000000.5 0.5 100000000.5 1.5", "100000000.5 100000000.5 100010000.5 100000000.5",
            "100000000.5 1000000.5 100000000.5 1000500.5", "1000000.5 100000000.5 10.5 1000.5",
            "50000000.5 100.5 50000000.5 120.5", "0.5 0.5 100000000.5 100000000.5",
            "12345678.5 87654321.5 123456.5 876543.5", "91.5 65 113.5 65",
            "1068.5 30 1070.5 43", "0.5 11 0.5 12", "20000.5 0.5 19990.5 1.5"]:
    show("greater", greater, *row.split())
for row in ["80.5 20.5 30.5 70.5 15.5 40.5 0.5", "80.5 20.5 30.5 70.5 15.5 40.5 2",
            "3.5 0.5 7.5 1.5 2.5 0.5 2", "1000.5 100.5 1.5 1000.5 1.5 10.5 10",
            "100000000.5 1000000.5 10000000.5 100000000.5 1001000.5 10000000.5 2",
            "100000000.5 1000000.5 10000.5 100000000.5 1001000.5 10000.5 10"]:
    show("fgreater", fgreater, *row.split())
for row in ["3.5 2.5 7.5 0.5 0.5", "10.5 10.5 5.5 2 0.5", "10.5 10.5 5.5 2 0.75",
            "0.5 0.5 0.5 2 0.3", "0.5 4.5 0.5 3 0.1", "50.5 5.5 0.5 0.25 0.9"]:
    show("fcdf", fcdf, *row.split())
for row in ["3.5 2.5 10.5 10.5 0.1", "3.5 2.5 10.5 10.5 -0.3", "0.5 0.5 0.5 0.5 0.5",
            "0.5 5.5 0.5 0.5 -0.25", "200.5 100.5 150.5 150.5 0.2", "10.5 0.5 0.5 4.5 0.9"]:
    show("gap", gap, *row.split())
for row in ["50.5 5.5 5.5 100.5 0.9", "0.5 0.5 10.5 90.5 0.5", "0.5 0.5 10.5 90.5 0.55",
            "0.5 0.5 0.5 0.5 0.3", "1 1 1 1 0.25", "3.5 2.5 0.5 7.5 0.8"]:
    show("balanced", balanced, *row.split())
for row in ["17.5 4.5 3278.5 0.004", "17.5 4.5 3278.5 0", "0.5 0.5 0.5 0.4",
            "0.5 3.5 10.5 -0.2", "40.5 12.5 7.5 0.3", "3.5 9.5 0.5 -0.4"]:
    show("paired", paired, *row.split())
