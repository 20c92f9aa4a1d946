# SPDX-License-Identifier: Apache-2.0
"""The table of a paper compiles with booktabs alone, in every style.

usage: paper.py TOOL

Needs pdflatex; without it, it says so in a line and is skipped (status 77).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import tool

RUNS = [f"c/runs/sim0{i}" for i in range(1, 6)]
STYLES = ([], ["--interval-style", "pm"], ["--baseline", "sim03"], ["--interval-style", "none"],
          ["--baseline", "sim02", "--interval-style", "pm", "-m", "P@10", "-m", "RR"])
HEAD = "\\documentclass[twocolumn]{article}\n\\usepackage{booktabs}\n\\begin{document}\n"


def compiled(name, text):
    pathlib.Path(f"{name}.tex").write_text(HEAD + text + "\n\\end{document}\n", encoding="utf-8")
    done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error",
                           f"{name}.tex"], capture_output=True, check=False, timeout=120)
    log = done.stdout.decode(errors="replace")
    tool.expect(done.returncode == 0 and "Overfull" not in log
                and "Float too large" not in log, name, log[-1500:])
    tool.expect(pathlib.Path(f"{name}.pdf").is_file(), name, "no pdf")


def main():
    made = tool.run("simulate", "--topics", "150", "--documents", "200", "--runs", "5", "--seed",
                    "3", "-o", "c")
    tool.expect(made.returncode == 0, made.stderr)
    for i, style in enumerate(STYLES):
        done = tool.run("compare", "-m", "AP,nDCG@10", "--resamples", "200", "--table", "paper",
                        "--format", "latex", *style, "c/qrels", *RUNS)
        text = done.stdout.decode()
        tool.expect(done.returncode == 0 and text.count("\\textbf{") == (4 if "RR" in style else 2)
                    and ("[0." in text.replace("{[}", "[")) == ("pm" not in style
                                                               and "none" not in style)
                    and ("$\\pm$" in text) == ("pm" in style)
                    and ("\\begin{table*}" in text) == ("RR" in style)
                    and ("(baseline)" in text) == ("--baseline" in style)
                    and "Means over 150 topics" in text, style, text, done.stderr)
        order = re.findall(r"^(sim0\d)", text, re.M)
        tool.expect(sorted(order) == [f"sim0{i}" for i in range(1, 6)], order)
        compiled(f"paper{i}", text)
    pathlib.Path("sparse.csv").write_text("system,item,score\n" + "".join(
        f"{s},{i},{(i % 7) / 7 + (0.1 if s == 'b' else 0) + (0.3 if s == 'b' and i == 3 else 0):.4f}\n"
        for s in "ab" for i in range(40)), encoding="utf-8")
    for words in (["--table", "paper"], ["--table", "paper", "--format", "latex"], ["--table", "runs"]):
        done = tool.run("compare", "--scores", "sparse.csv", *words)
        tool.expect(b"warning: 1 pair has the same difference on all but a few" in done.stdout + done.stderr,
                    words, done.stdout, done.stderr)
    eight = [f"c8/runs/sim0{i}" for i in range(1, 9)]
    tool.expect(tool.run("simulate", "--topics", "50", "--documents", "200", "--runs", "8", "-o",
                         "c8").returncode == 0, "no collection")
    of_eight = ["compare", "-m", "AP,nDCG@10,P@10", "--resamples", "200", "--table", "paper"]
    text = tool.run(*of_eight, "--format", "latex", "--caption", "Our 8 runs & 50 % more",
                    "--label", "tab:eight", "--paper-order", "best", "c8/qrels",
                    *reversed(eight)).stdout.decode()
    compiled("eight", text)
    means = [float(x) for x in re.findall(r"^sim0\d \([a-h]\) & (?:\\textbf\{)?([\d.]+)", text, re.M)]
    tool.expect(len(means) == 8 and means == sorted(means, reverse=True), "not the best first", text)
    tool.expect(re.findall(r"^sim0\d \(([a-h])\)", text, re.M) == list("abcdefgh"), "letters", text)
    tool.expect("\\caption{Our 8 runs \\& 50 \\% more. Means over" in text
                and "\\label{tab:eight}" in text, "caption or label", text)
    for runs, letters, measures, wide in ((3, 8, "AP,nDCG@10,P@10", False), (3, 20, "AP,nDCG@10,P@10", True),
                                          (3, 20, "AP,nDCG@10", False), (3, 32, "AP,nDCG@10", True),
                                          (3, 20, "AP", False), (3, 40, "AP", True), (45, 8, "AP,nDCG@10", True), (46, 8, "AP", False), (3, 60, "AP,nDCG@10,P@10", True)):
        name = f"names{runs}_{letters}_{measures.count(',')}"
        os.mkdir(name)
        for i in range(runs):
            lines = pathlib.Path(eight[i % 8]).read_text(encoding="utf-8").splitlines()
            pathlib.Path(name, f"{i:02}".ljust(letters, "n")).write_text(
                "".join(f"{x.rsplit(None, 1)[0]} {f'{i:02}'.ljust(letters, 'n')}\n" for x in lines), encoding="utf-8")
        text = tool.run("compare", "-m", measures, "--resamples", "100", "--table", "paper", "--format", "latex",
                        "c8/qrels", *sorted(str(x) for x in pathlib.Path(name).iterdir())).stdout.decode()
        tool.expect(("\\begin{table*}" in text) == wide, name, text)
        tool.expect(("46 rows may be longer than a page" in text) == (runs == 46), name, text)
        tool.expect(("characters may be wider than a page" in text) == (letters == 60), name, text)
        if runs < 46 and letters < 60:
            compiled(name, text)
    tool.expect(tool.run(*of_eight, "--label", "a}b", "c8/qrels", *eight).returncode != 0, "a}b")
    done = tool.run("compare", "--baseline", "sim03", "--resamples", "200", "--table", "paper",
                    "--format", "tsv", "c/qrels", *RUNS).stdout.decode()
    tool.expect("\u25b2" in done and "\u25bc" in done, "no marks of better and worse:", done)


if shutil.which("pdflatex") is None:
    print("skipped: there is no pdflatex here (texlive-latex-base texlive-latex-recommended)")
    sys.exit(77)
with tempfile.TemporaryDirectory(prefix="intervale-paper-") as folder:
    os.chdir(folder)
    main()
    os.chdir("/")
tool.finish()
