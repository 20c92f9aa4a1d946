# SPDX-License-Identifier: Apache-2.0
"""What 95 % intervals of a share near 1 hold, summed over all outcomes: quoted in
doc/methods/prf.md.

usage: share_near_one.py [ITEMS SHARE]      (100 .99)

Over 400 true shares within .3 of SHARE on the scale of logits, as `study all --coverage --only
prf` draws accuracies: mean, least and largest.  Made with numpy 2.4.6 and scipy 1.17.1.
"""
import sys

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta, binom, norm

TAIL = 0.025


def jeffreys(k, n):
    """prf's interval of accuracy; a share of 0 or 1 is held."""
    return (beta.ppf(TAIL, k + 0.5, n - k + 0.5) if k > 0 else 0.0,
            beta.isf(TAIL, k + 0.5, n - k + 0.5) if k < n else 1.0)


def mid_p(k, n):
    def above(p):
        return binom.sf(k, n, p) + 0.5 * binom.pmf(k, n, p) - TAIL

    def below(p):
        return binom.cdf(k - 1, n, p) + 0.5 * binom.pmf(k, n, p) - TAIL
    return brentq(above, 0, 1) if k > 0 else 0.0, brentq(below, 0, 1) if k < n else 1.0


def clopper_pearson(k, n):
    return (beta.ppf(TAIL, k, n - k + 1) if k > 0 else 0.0,
            beta.isf(TAIL, k + 1, n - k) if k < n else 1.0)


def wilson(k, n):
    z2 = norm.isf(TAIL) ** 2
    middle, half = k + z2 / 2, np.sqrt(z2 * (k * (n - k) / n + z2 / 4))
    return (middle - half) / (n + z2), (middle + half) / (n + z2)


def blaker_accepts(n, p):
    """Outcomes whose acceptability at p is above 5 %."""
    k = np.arange(n + 1)
    tail = np.minimum(binom.cdf(k, n, p), binom.sf(k - 1, n, p))
    return np.array([binom.pmf(k[tail <= t * (1 + 1e-9)], n, p).sum() > 2 * TAIL for t in tail])


items, share = (int(sys.argv[1]), float(sys.argv[2])) if len(sys.argv) > 2 else (100, 0.99)
truths = 1 / (1 + np.exp(-(np.log(share / (1 - share)) + np.linspace(-0.3, 0.3, 400))))
outcomes = np.arange(items + 1)
chance = np.array([binom.pmf(outcomes, items, p) for p in truths])


def tell(name, held):
    cover = (chance * held).sum(1)
    print(f"{name} {cover.mean():.3f}, {cover.min():.3f} to {cover.max():.3f}")


for method in (jeffreys, mid_p, clopper_pearson, wilson):
    limits = np.array([method(k, items) for k in outcomes])
    tell(method.__name__, (limits[:, 0] <= truths[:, None]) & (truths[:, None] <= limits[:, 1]))
tell("blaker", np.array([blaker_accepts(items, p) for p in truths]))
