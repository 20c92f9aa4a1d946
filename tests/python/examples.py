# SPDX-License-Identifier: Apache-2.0
"""Every public function has an example, which help() and the site's page show and which runs.

usage: examples.py ROOT LIBRARY
"""
import ast
import doctest
import html
import inspect
import io
import os
import pathlib
import random
import shutil
import sys
import tempfile
from contextlib import redirect_stdout

ROOT = pathlib.Path(sys.argv[1]).resolve()
os.environ["INTERVALE_LIBRARY"] = os.path.abspath(sys.argv[2])
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tools")]
import intervale  # pylint: disable=wrong-import-position
import site_pages  # pylint: disable=wrong-import-position
from intervale._examples import EXAMPLES  # pylint: disable=wrong-import-position


def data():
    """The files that examples name, in the current folder."""
    intervale.simulate("made", topics=25, documents=100, runs=3, prevalence=0.3, judge="kappa=0.5", seed=3)
    for path, name in (("machine.qrels", "llm.qrels"), ("runs/sim01", "runA"), ("runs/sim02", "runB"),
                       ("runs/sim03", "runC")):
        shutil.copy(f"made/{path}", name)
    judged = pathlib.Path("made/qrels").read_text(encoding="utf-8").splitlines(keepends=True)
    for name, count in (("qrels", 1500), ("human.qrels", 300)):
        pathlib.Path(name).write_text("".join(random.Random(1).sample(judged, count)), encoding="utf-8")


def run(code):
    """What the last expression is, and what was printed."""
    lines = "".join(e.source for e in doctest.DocTestParser().get_examples(code))
    names, parsed, printed = {"intervale": intervale}, ast.parse(lines), io.StringIO()
    with redirect_stdout(printed):
        last = parsed.body.pop()
        exec(compile(parsed, "example", "exec"), names)  # pylint: disable=exec-used
        value = eval(compile(ast.Expression(last.value), "example", "eval"), names)  # pylint: disable=eval-used
    return value, printed.getvalue()


def main():
    public = [n for n in intervale.__all__ if inspect.isfunction(getattr(intervale, n))]
    assert sorted(EXAMPLES) == sorted(public), set(EXAMPLES) ^ set(public)
    page = site_pages.python_pages(set())[0].body
    os.chdir(tempfile.mkdtemp(prefix="intervale-examples-"))
    data()
    for name, code in EXAMPLES.items():
        try:
            value, printed = run(code)
        except Exception as error:
            raise AssertionError(f"the example of {name}: {error!r}") from error
        if "-v" in sys.argv:
            print(f"--- {name}\n{code}\n{value!r}\n{printed}")
        assert f"intervale.{name}(" in code and len(code.splitlines()) <= 4, name
        assert value is not None or printed.strip(), f"the example of {name} shows nothing"
        assert code in inspect.getdoc(getattr(intervale, name)), name
        entry = page.partition(f'<h2 id="{name}">')[2].partition("<h2")[0]
        assert html.escape(code, quote=False) in entry, f"the page has no example of {name}"
    shutil.rmtree(os.getcwd())


main()
