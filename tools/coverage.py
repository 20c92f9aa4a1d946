# SPDX-License-Identifier: Apache-2.0
"""Measures the coverage of the default intervals, and writes what the documents show of it.

usage: coverage.py ROOT TOOL [OPTION...]

Runs "TOOL study coverage OPTION..." and writes doc/coverage.tsv (one row for each method,
kind of data and setting), doc/coverage.svg (the plots) and doc/methods/coverage.md (the
summary).  With no TOOL ("-") the tsv that is there is used.
"""
import csv
import pathlib
import subprocess
import sys

LEFT, WIDTH, LINE, FROM = 470, 820, 15, 0.60

# Methods by name only, no command's default, and those of doc/methods/agents.md: they are in the tsv, and not
# on the page.
OTHERS = {"naive", "normal", "normal-uncorrected", "laplace", "agresti-coull", "koopman",
          "jeffreys", "betabin-uniform", "betabin-mcp", "automatic labels only", "bootstrap",
          "posterior, HDI", "t, Holm", "exact (0/1), t (others)", "percentile", "bca",
          "human labels only", "clustered by item and judge", "exact (0/1), bootstrap-t (others)",
          "t", "wilson", "sign", "wilcoxon", "randomisation", "hall", "larger-p",
          "posterior, 60 interim analyses", "human only", "judge only", "compare, two agents",
          "compare --margin, false PASS"}

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Written by tools/coverage.py. -->
# Coverage of the default intervals

*Question.* The tool says "95 % interval". How often does such an interval contain the true value?

The tables have the least, mean and largest coverage of each default over the settings of a kind of
data. A 95 % interval should have 0.95. **Bold**: the least coverage is below 0.90; answers from
such data have a warning. [coverage.tsv](../coverage.tsv) has all settings and all methods.

![Coverage of each method and kind of data](../coverage.svg)

The data are simulated: average precision of 20 simulated runs on 1,000
topics ([simulation.md](simulation.md)), values of other shapes, Webber's scenarios of reviews,
binomial counts, labels and clusters. To regenerate this page:

    python3 tools/coverage.py . build/release/intervale
"""


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def summarise(rows):
    """(study, quantity, method, data) -> nominal, least, mean, largest, settings."""
    groups = {}
    for row in rows:
        if row["rate"]:
            key = tuple(row[k] for k in ("study", "quantity", "method", "data"))
            groups.setdefault(key, []).append((row["nominal"], float(row["rate"]),
                                               float(row["least"] or row["rate"])))
    for key, values in groups.items():
        nominal = {v[0] for v in values}
        rates = [v[1] for v in values]
        yield (*key, float(nominal.pop()) if len(nominal) == 1 and values[0][0] else None,
               min(v[2] for v in values), sum(rates) / len(rates), max(rates), len(rates))


def table(rows, title, low):
    lines = [f"\n## {title}\n", "| quantity | method | data | least | mean | largest | settings |",
             "|---|---|---|---|---|---|---|"]
    for _, quantity, method, data, _, least, mean, largest, settings in rows:
        mark = "**" if low and least < 0.9 else ""
        lines.append(f"| {quantity} | {method} | {data} | {mark}{least:.3f}{mark} | {mean:.3f} | "
                     f"{largest:.3f} | {settings} |")
    return "\n".join(lines) + "\n"


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def draw(rows):
    """A line from least to largest and a point at the mean, for each row."""
    def x(value):
        return LEFT + (max(value, FROM) - FROM) / (1.0 - FROM) * (WIDTH - LEFT - 20)
    height = 40 + LINE * (len(rows) + len({r[0] for r in rows}) * 2)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
           f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">',
           f'<title>Coverage of nominal 95 % intervals</title>',
           f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']
    y, study = 14, None
    for tick in (0.6, 0.7, 0.8, 0.9, 0.95, 1.0):
        colour = "#c33" if tick == 0.95 else "#ddd"
        out.append(f'<line x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="20" y2="{height - 6}" '
                   f'stroke="{colour}"/><text x="{x(tick):.1f}" y="{y}" '
                   f'text-anchor="middle">{tick:g}</text>')
    y += LINE
    for row in rows:
        if row[0] != study:
            study = row[0]
            y += LINE // 2
            out.append(f'<text x="6" y="{y + 4}" font-weight="bold">{escape(study)}</text>')
            y += LINE
        out.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">'
                   f'{escape(f"{row[1]}, {row[2]}, {row[3]}"[:74])}</text>'
                   f'<line x1="{x(row[5]):.1f}" x2="{x(row[7]):.1f}" y1="{y}" y2="{y}" '
                   f'stroke="#468" stroke-width="2"/>'
                   f'<circle cx="{x(row[6]):.1f}" cy="{y}" r="3.2" fill="#246"/>')
        y += LINE
    return "\n".join(out) + "\n</svg>\n"


def main(root, tool, *options):
    doc = pathlib.Path(root) / "doc"
    if tool != "-":
        subprocess.run([tool, "study", "coverage", "--table", "rates", "--format", "tsv",
                        "--quiet", "--force", "-o", doc / "coverage.tsv", *options], check=True)
    none = "MAP of this fixed set of topics"  # eval gives no interval of it
    rows = [r for r in summarise(read(doc / "coverage.tsv"))
            if r[2] not in OTHERS and r[1] != none and r[0] != "plans"]  # doc/checks.md
    intervals = [r for r in rows if r[4] == 0.95]
    errors = [r for r in rows if r[4] == 0.05]
    (doc / "coverage.svg").write_text(draw(intervals), encoding="utf-8")
    (doc / "methods" / "coverage.md").write_text(
        HEAD + table(intervals, "Intervals, nominal 0.95", True)
        + table(errors, "Errors of tests and stopping rules, nominal 0.05", False),
        encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
