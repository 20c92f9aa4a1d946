# SPDX-License-Identifier: Apache-2.0
"""The notebooks of examples/notebooks run, and show their pictures."""
import os
import pathlib
import shutil
import subprocess

import nbclient
import nbformat
import pytest

import intervale
from intervale._base import _index, _lib

NOTEBOOKS = sorted((pathlib.Path(os.environ["INTERVALE_ROOT"]) / "examples" / "notebooks")
                   .glob("*.ipynb"))
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
               None)


def shown(notebook):
    """What the cells show, as one page."""
    return [output["data"]["text/html"] for cell in notebook.cells if cell.cell_type == "code"
            for output in cell.outputs if "text/html" in output.get("data", {})]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_it_runs_and_shows_its_pictures(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert not shown(notebook), "stored with output: clear it"
    nbclient.NotebookClient(notebook, timeout=300,
                            resources={"metadata": {"path": str(tmp_path)}}).execute()
    parts = shown(notebook)
    assert len(parts) >= 2 and all("<table>" in part for part in parts)
    if not _lib.iv_format_is_built(_index("format", "html", "iv_format_names")):
        pytest.skip("this build has no charts (INTERVALE_HTML=OFF)")
    pictures = sum('<div id="intervale-' in part for part in parts)
    assert pictures >= 2
    assert sum("vegaEmbed=" in part or len(part) > 500_000 for part in parts) == 1, "once"
    if BROWSER is None:
        pytest.skip("no browser of the Chromium family is here")
    page = tmp_path / "page.html"
    page.write_text("<!doctype html><meta charset=utf-8>\n" + "\n".join(parts), encoding="utf-8")
    drawn = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu",
                            "--virtual-time-budget=20000", "--dump-dom", page.as_uri()],
                           capture_output=True, text=True, check=True, timeout=120).stdout
    assert drawn.count("<svg") >= pictures, "a chart was not drawn"
