# SPDX-License-Identifier: Apache-2.0
"""CONTRIBUTING's recipes do what they say.

usage: recipes.py ROOT BUILD CC VERSION

The recipes are carried out in a copy of the tree: a block of C belongs to the file
named last before it, or is put at the end of one that is there.  What they touch is
compiled anew and linked before the libraries of BUILD, so that it takes the place of
what they hold.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Wpedantic", "-Wshadow",
            "-Wconversion", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Werror"]
RULES = ["layers", "style", "type_names"]


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")
    return done.stdout


def blocks(text):
    """The blocks of C of a page, as (file named before it, code)."""
    for m in re.finditer(r"^```c\n(.*?)^```", text, re.M | re.S):
        named = re.findall(r"`((?:src|cli|include)/[\w/]+\.[ch])`", text[:m.start()])
        yield named[-1] if named else None, m[1]


def edit(path, old, new):
    """Puts new before the first old of a file."""
    text = path.read_text(encoding="utf-8")
    if old not in text:
        sys.exit(f"{path}: no {old!r}")
    path.write_text(text.replace(old, new + old, 1), encoding="utf-8")


def snippet(page, pattern):
    """Code that stands within a sentence or a list of a recipe."""
    found = re.search(pattern, page, re.S)
    if found is None:
        sys.exit(f"CONTRIBUTING.md: no {pattern}")
    return found[1]


def carry_out(tree, page):
    """Does what the recipes say; the .c files that changed."""
    touched = set()
    for name, code in blocks(page):
        path = tree / name
        before = {"include/intervale/stat/mean_intervals.h": "IV_END_C", "include/intervale/classify.h": "IV_END_C",
                  "src/measure/precision.c": "/* What trec_eval lacks. */",
                  "src/classify/share.c": "    return iv_result_status(",  # the chart
                  "src/stat/interval/interval.c": "/* --------------------------------------------------------------- methods"}
        if name in before and path.exists():
            edit(path, before[name], code)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "a", encoding="utf-8") as file:
                file.write(("\n" if path.stat().st_size else "") + code)
        touched.add(path)
    for name, old, new in (
            ("src/stat/interval/interval.c", "\n\nconst char *const *iv_interval_names", " \\\n    "
             + snippet(page, r'`(X\("normal", .*?\))`')),
            ("src/scores/compare_tables.c", "} pair_row;", "    " + snippet(page, r"`(double width; .*?)`") + "\n"),
            ("src/scores/compare_tables.c", "}\n\n/* p is adjusted", "    " + snippet(page, r"`(row->width = .*?)`") + "\n"),
            ("src/scores/compare_tables.c", '    { "wins",', snippet(page, r'(\{ "width", .*?\},)') + "\n"),
            ("src/measure/precision.c", "NULL };", snippet(page, r"`(&iv_define_F_cut,)`") + " "),
            ("cli/frame/cmd.h", "X(eval)", snippet(page, r"`(X\(share\))`") + " "),
            ("src/answer/answer_columns.c", '    X("agree", "judges",',
             '    X("share", "share", iv_share_fields) \\\n'),
            ("src/result/methods.c", "    /* differences */",
             '    { "exact-share", "exact binomial limits", "clopper1934use" },\n')):
        edit(tree / name, old, new)
        touched.add(tree / name)
    touched.add(tree / "cli/main.c")  # has the rows of cmd.h
    return sorted(p for p in touched if p.suffix == ".c")


def expect(said, *parts):
    for part in parts:
        if part not in said:
            sys.exit(f"expected {part!r} in:\n{said}")


def recipes(root, build, compiler, version, folder):
    tree = folder / "tree"
    for name in ("include", "src", "cli", "tools"):
        shutil.copytree(root / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    sources = carry_out(tree, (root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    for name in RULES:
        run(sys.executable, "-B", root / f"tests/rules/{name}.py", tree)
    objects = []
    for source in sources:
        objects.append(folder / (source.name + ".o"))
        run(*compiler, "-std=c11", "-D_XOPEN_SOURCE=700", f'-DINTERVALE_VERSION="{version}"',
            *WARNINGS, "-fopenmp", f"-I{tree}/include", f"-I{tree}/src", f"-I{tree}/cli",
            "-c", source, "-o", objects[-1])
    tool = folder / "intervale"
    run(*compiler, *objects, build / "cli/libiv_cli.a", build / "libiv_study.a",
        build / "libintervale.a", "-fopenmp", "-lz", "-lzstd", "-ljansson", "-lstdc++", "-lm", "-o", tool)
    data = root / "tests/data"
    expect(run(tool, "measures", "F_cut"), "harmonic mean of precision and recall at rank k")
    # F = 2 PR/(P + R), by the measures that were there before.
    figures = run(tool, "eval", "--ci", "none", "-q", "-m", "P_5", "-m", "recall_5", "-m",
                  "F_cut_5", "--format", "trec", data / "qrels", data / "run")
    found = {}
    for line in figures.splitlines():
        measure, topic, value = line.split()
        found.setdefault(topic, {})[measure] = float(value)
    found.pop("all")
    if not found or not any(f["F_cut_5"] > 0.0 for f in found.values()):
        sys.exit("nothing to look at:\n" + figures)
    for f in found.values():
        p, r = f["P_5"], f["recall_5"]
        if abs(f["F_cut_5"] - (2.0 * p * r / (p + r) if p + r else 0.0)) > 2e-4:
            sys.exit("F_cut_5 is not the harmonic mean:\n" + figures)
    said = run(tool, "eval", "--ci", "normal", "-m", "AP", "--cite", data / "qrels", data / "run")
    expect(said, "Method: normal approximation (Efron & Tibshirani 1993)", "@book{efron1993introduction,")
    expect(" ".join(run(tool, "eval", "--help-all").split()), "or normal (default: auto)")
    tables = json.loads(run(tool, "compare", "--format", "json", "--matrix", data / "scores.csv"))["tables"]
    for pair in next(t["rows"] for t in tables if t["name"] == "pairs"):
        if not pair["width"] == pair["upper"] - pair["lower"] > 0:
            sys.exit(f"width is not that of the interval: {pair}")
    expect(run(tool, "help", "compare", "--tables"), "of that interval")
    expect(run(tool, "share", "--counts", "8,10"),
           "The share is 0.8000, with 95 % confidence between 0.4439 and 0.9748.")
    expect(run(tool, "share", "--counts", "8,10", "--confidence", "0.9"), "with 90 % confidence")
    expect(run(tool, "share", "--counts", "8,10", "--format", "vega"),
           "The share and its interval")
    expect(run(tool, "share", "--counts", "8,10", "--cite"),
           "Method: exact binomial limits (Clopper & Pearson 1934)", "@article{clopper1934use,")
    expect(run(tool, "share", "--help"), "successes and trials")
    expect(run(tool, "help", "share", "--tables"), "successes over trials")


def main(root, build, compiler, version):
    root, build = pathlib.Path(root), pathlib.Path(build)
    with tempfile.TemporaryDirectory(prefix="intervale-recipes-") as name:
        recipes(root, build, [compiler], version, pathlib.Path(name))


if __name__ == "__main__":
    main(*sys.argv[1:5])
