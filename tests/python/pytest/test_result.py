# SPDX-License-Identifier: Apache-2.0
"""What a result can be turned into, and what long work does."""
import json
import multiprocessing
import os
import signal
import subprocess
import threading
import time

import pandas
import polars
import pyarrow
import pytest

import intervale


@pytest.fixture(scope="module", name="found")
def fixture_found(made):
    return intervale.compare(made.qrels, made.runs)


def test_tables_are_frames_of_any_library(found):
    frame = found.to_pandas("pairs")
    assert list(frame.columns) == found.pairs.columns
    assert frame["p"].tolist() == [row.p for row in found.pairs]
    assert polars.DataFrame(found.pairs)["p"].to_list() == frame["p"].tolist()
    assert found.to_polars("runs")["run"].to_list() == [row.run for row in found.runs]
    arrow = pyarrow.table(found.pairs)
    assert arrow.column("a").to_pylist() == [row.a for row in found.pairs]
    assert arrow.column("p").type == pyarrow.float64()
    assert pyarrow.table(found).num_rows == len(found)
    capsule = found.pairs.__arrow_c_stream__()  # one that nobody takes
    del capsule


def test_missing_cells_are_nulls():
    table = intervale.prf((0, 0, 4)).table("metrics")
    missing = [row.metric for row in table if row.lower is None]
    arrow = pyarrow.table(table)
    assert arrow.column("lower").null_count == len(missing)
    assert [m for m, x in zip(arrow.column("metric").to_pylist(),
                              arrow.column("lower").to_pylist()) if x is None] == missing
    assert isinstance(table.to_pandas(), pandas.DataFrame)


def test_formats_are_the_tools(found, made, tmp_path):
    tool = os.environ["INTERVALE_TOOL"]
    files = intervale.compare(made.folder / "qrels", made.paths)
    for name in ("text", "tsv", "csv", "markdown", "latex"):
        said = subprocess.run([tool, "compare", "--format", name, made.folder / "qrels",
                               *made.paths], capture_output=True, text=True, check=True).stdout
        assert files.to(name) in (said, said.replace("\n", "\r\n"))
    found.save(tmp_path / "pairs.csv")
    assert (tmp_path / "pairs.csv").read_text() == found.to("csv")
    assert json.loads(found.to("json"))["answer"] == found.sentence
    assert "$schema" in found.vega()
    with pytest.raises(intervale.BadArgument):
        found.save(tmp_path / "x.xlsx")
    assert sorted(os.listdir(tmp_path)) == ["pairs.csv"]


def test_a_cell_shows_words_and_tables_without_scripts(found):
    shown = found._repr_html_()
    plain = shown.partition("<script>")[0]
    assert found.sentence.split("'")[0][:20] in plain and "<table>" in plain
    second = found._repr_html_()
    assert len(second) < 200_000  # the libraries that draw come once


def test_every_option_of_the_tool_is_there():
    tool = os.environ["INTERVALE_TOOL"]
    shared = {"seed", "threads", "format", "table", "output", "quiet", "help", "cite", "force"}
    for command in ("eval", "compare", "recall", "prf", "sample", "next", "incomplete",
                    "plan recall", "plan power", "plan topics", "check", "simulate"):
        text = subprocess.run([tool, *command.split(), "--help"], capture_output=True, text=True,
                              check=True).stdout
        named = {w.strip(",").partition("=")[0][2:].replace("-", "_")
                 for line in text.splitlines() if line.startswith("  -") for w in line.split()
                 if w.startswith("--")}
        assert named - shared - set(intervale.options(command)) <= {"max_input"}, command


def test_progress_is_told_and_can_stop(made):
    told = []
    intervale.evaluate(made.qrels, made.runs, progress=told.append, resamples=100_000)
    assert told and all(0 <= x <= 1 for x in told)
    with pytest.raises(intervale.Cancelled):
        intervale.evaluate(made.qrels, made.runs, resamples=100_000, progress=lambda x: True)
    with pytest.raises(ZeroDivisionError):
        intervale.evaluate(made.qrels, made.runs, resamples=100_000, progress=lambda x: 1 / 0)


def test_an_interrupt_stops_it(made):
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored, if begun in the background
    begun = time.monotonic()
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        intervale.evaluate(made.qrels, made.runs, resamples=50_000_000, threads=1)
    assert time.monotonic() - begun < 60.0 # to its end it would take many minutes
    timer.join()
    assert "intervale" not in [thread.name for thread in threading.enumerate()]


def _in_a_child(made):
    return intervale.compare(made.qrels, made.runs, threads=2).sentence


def test_forks_and_threads(made, found):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_in_a_child, [made] * 4) == [found.sentence] * 4
    said = []
    threads = [threading.Thread(target=lambda: said.append(_in_a_child(made)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [found.sentence] * 4
