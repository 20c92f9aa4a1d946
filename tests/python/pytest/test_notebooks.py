# SPDX-License-Identifier: Apache-2.0
"""The jobs of doc/python.md are notebooks, run as nbconvert does, and show their pictures.

Two of them, unless INTERVALE_NOTEBOOKS=all.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

ROOT = pathlib.Path(os.environ["INTERVALE_ROOT"])
EVERY = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
NOTEBOOKS = EVERY if os.environ.get("INTERVALE_NOTEBOOKS") == "all" else \
    [p for p in EVERY if p.name.startswith(("01", "09"))]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def test_there_is_one_for_each_job():
    assert len([p for p in EVERY if re.match(r"\d\d-", p.name)]) == 12
    subprocess.run([sys.executable, ROOT / "tools" / "notebooks.py", ROOT, "--check"], check=True)
    words = len((ROOT / "doc" / "python.md").read_text(encoding="utf-8").split())
    assert words <= 1500, words


def test_types_are_true(tmp_path):
    stub = tmp_path / "use.py"
    stub.write_text("import intervale\nintervale.compare('q', ['r'], confidense=0.9)\n")
    mypy = lambda *files: subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", *files],
        env={**os.environ, "MYPYPATH": str(ROOT / "python")}, capture_output=True, text=True, check=False)
    good = mypy(ROOT / "examples" / "python_tour.py")
    assert good.returncode == 0, good.stdout
    assert 'did you mean "confidence"' in mypy(stub).stdout


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_it_runs_and_shows_its_pictures(path, tmp_path):
    shutil.copy(path, tmp_path / "in.ipynb")
    for _ in range(2):  # in the folder where it ran before
        subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "out.ipynb",
                        tmp_path / "in.ipynb"], cwd=tmp_path, check=True, capture_output=True, timeout=400)
    stored, made = (nbformat.read(p, as_version=4) for p in (path, tmp_path / "out.ipynb"))
    assert not any(c.get("outputs") for c in stored.cells), "stored with output: clear it"
    outputs = [o for c in made.cells if c.cell_type == "code" for o in c.outputs]
    assert outputs and not [o for o in outputs if o.get("name") == "stderr"], "progress, or a warning"
    parts = [o["data"]["text/html"] for o in outputs if "text/html" in o.get("data", {})]
    pictures = sum('<div id="intervale-' in part for part in parts)
    assert sum("vegaEmbed=" in part or len(part) > 500_000 for part in parts) == (pictures > 0), "once"
    if BROWSER is None or pictures == 0:
        return
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><meta charset=utf-8>\n" + "\n".join(parts), encoding="utf-8")
    drawn = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu",
                            "--virtual-time-budget=20000", "--dump-dom", page.as_uri()],
                           capture_output=True, text=True, check=True, timeout=120).stdout
    assert drawn.count("<svg") >= pictures, "a chart was not drawn"
