# SPDX-License-Identifier: Apache-2.0
"""Makes tests/oracle/clusters.tsv: clustered standard errors of a mean by statsmodels.

Made with statsmodels 0.15.0 and numpy 2.4.6: python3 clusters.py > clusters.tsv
Lines: cr0, the sandwich without corrections; cr1, with G / (G - 1) (N - 1) / (N - K); then
values and clusters of the items.  cr2 and df are Bell and McCaffrey's, from whole matrices.
"""
import numpy as np
import statsmodels.api as sm

rng = np.random.default_rng(21)


def matrices(x, cluster, icc):
    """CR2 and Satterthwaite's degrees of freedom as they are defined, by matrices."""
    n = len(x)
    ones = np.ones((n, 1))
    hat = ones @ ones.T / n
    residual = x - x.mean()
    same = (cluster[:, None] == cluster[None, :]).astype(float)
    omega = icc * same + (1 - icc) * np.eye(n)
    variance, vectors = 0.0, []
    for c in np.unique(cluster):
        i = np.where(cluster == c)[0]
        block = np.eye(len(i)) - hat[np.ix_(i, i)]
        values, basis = np.linalg.eigh(block)
        root = basis @ np.diag(values ** -0.5) @ basis.T
        variance += (np.ones(len(i)) @ root @ residual[i] / n) ** 2
        vectors.append((np.eye(n) - hat)[i].T @ root @ np.ones(len(i)) / n)
    g = np.array(vectors).T
    m = g.T @ omega @ g
    return np.sqrt(variance), np.trace(m) ** 2 / np.sum(m * m)


for sizes in ([3, 3, 3, 3], [1, 2, 5, 9, 4, 1], [10, 1, 1, 1, 1, 2, 7]):
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    x = np.round(0.5 + 0.2 * rng.standard_normal(len(sizes))[cluster]
                 + 0.3 * rng.standard_normal(len(cluster)), 4)
    fit = sm.OLS(x, np.ones(len(x)))
    cr0 = fit.fit(cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": False}).bse[0]
    cr1 = fit.fit(cov_type="cluster", cov_kwds={"groups": cluster}).bse[0]
    e = x - x.mean()
    sums = np.bincount(cluster, e)
    squares = np.sum(e * e)
    pairs = np.sum(np.array(sizes) ** 2 - np.array(sizes))
    icc = min(1.0, max(0.0, (np.sum(sums ** 2) - squares) / pairs / (squares / len(x))))
    cr2, df = matrices(x, cluster, icc)
    print(*(repr(float(v)) for v in (cr0, cr1, cr2, df, icc)),
          " ".join(map(str, x)), " ".join(map(str, cluster)), sep="\t")
