#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/num/ziggurat.h: 256 layers of equal area under exp(-x^2/2).

usage: num_ziggurat.py > src/num/ziggurat.h        (needs python3-mpmath)
"""
from mpmath import mp, mpf, exp, log, sqrt, quad, inf, findroot

mp.dps = 40
LAYERS = 256


def f(x):
    return exp(-x * x / 2)


def edges(r):
    area = r * f(r) + quad(f, [r, r + 5, inf])
    x = [area / f(r), r]
    for _ in range(LAYERS - 2):
        y = area / x[-1] + f(x[-1])
        x.append(sqrt(-2 * log(y)) if y < 1 else mpf(0))
    return x, area


def excess(r):
    x, area = edges(r)
    return area / x[-1] + f(x[-1]) - 1


def table(name, values):
    print(f"static const double {name}[{LAYERS + 1}] = {{")
    for i in range(0, len(values), 3):
        print("    " + " ".join(float(v).hex() + "," for v in values[i:i + 3]))
    print("};")


r = findroot(excess, (mpf("3.6541"), mpf("3.6542")), solver="anderson", tol=1e-60)
x, _ = edges(r)
x.append(mpf(0))
print("/* SPDX-License-Identifier: Apache-2.0 */")
print("/* Written by tests/oracle/num_ziggurat.py; correctly rounded, so that the")
print(" * draws do not depend on anyone's exp() or log(). */")
print("#ifndef IV_NUM_ZIGGURAT_H\n#define IV_NUM_ZIGGURAT_H\n")
print("/* Right edge of each layer, from the base (whose edge is virtual) up; the")
print(" * tail begins at edge 1. */")
table("ziggurat_edge", x)
print("\n/* exp(-edge^2/2). */")
table("ziggurat_height", [f(v) for v in x])
print("\n#endif /* IV_NUM_ZIGGURAT_H */")
