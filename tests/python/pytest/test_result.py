# SPDX-License-Identifier: Apache-2.0
"""What a result can be turned into, and what long work does."""
import _thread
import inspect
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
    page = subprocess.run([tool, "compare", "--format", "html", made.folder / "qrels", *made.paths],
                          capture_output=True, text=True, check=False)
    if page.returncode == 0:
        assert files.to_html()[:100] == page.stdout[:100]  # further down is who made it
    else:  # a build without npm
        with pytest.raises(intervale.BadArgument, match="format html is not in this build"):
            files.to_html()
    found.save(tmp_path / "pairs.csv")
    assert (tmp_path / "pairs.csv").read_text() == found.to("csv")
    assert json.loads(found.to("json"))["answer"] == found.sentence
    assert "$schema" in found.vega()
    with pytest.raises(intervale.BadArgument):
        found.save(tmp_path / "x.xlsx")
    assert sorted(os.listdir(tmp_path)) == ["pairs.csv"]


@pytest.mark.skipif(os.name == "nt", reason="permissions, links and named pipes of Windows are others")
def test_save_keeps_what_is_there(made, tmp_path):
    found = intervale.evaluate(made.qrels, [made.paths[0]])
    place, link, pipe = tmp_path / "a.csv", tmp_path / "link.csv", tmp_path / "pipe.csv"
    place.write_text("old")
    place.chmod(0o600)
    link.symlink_to(place)
    found.save(link)
    assert link.is_symlink() and place.read_text() == found.to("csv")
    assert place.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    found.save(pipe)
    reader.join()
    assert pipe.is_fifo() and read == [found.to("csv")]
    with pytest.raises(intervale.BadArgument):
        found.save(tmp_path / "b.csv", table="nonsense")
    with pytest.raises(OSError):
        found.save(tmp_path / "nowhere" / "b.csv")
    assert sorted(os.listdir(tmp_path)) == ["a.csv", "link.csv", "pipe.csv"]


def test_save_never_replaces_what_the_result_was_made_from(made, tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    for name in ("qrels", "run1"):
        (tmp_path / name).write_bytes((made.folder / name).read_bytes())
    os.link(tmp_path / "run1", tmp_path / "hard")
    links = ["hard"]
    if os.name != "nt":  # there few users may make one
        (tmp_path / "link").symlink_to("run1")
        links.append("link")
    monkeypatch.chdir(tmp_path)
    for runs in (["run1"], ["run1", made.runs["run2"]]):  # the second ones are in memory
        found = intervale.evaluate("qrels", runs)
        monkeypatch.chdir(tmp_path / "sub")
        for name in ("run1", "qrels", *links):
            with pytest.raises(intervale.BadArgument, match="made from"):
                found.save(tmp_path / name, format="text")
        monkeypatch.chdir(tmp_path)
    assert (tmp_path / "run1").read_bytes() == (made.folder / "run1").read_bytes()


def read_whole(place):
    while True:
        try:
            return place.read_bytes()
        except PermissionError:  # Windows opens no file while it is replaced
            if os.name != "nt":
                raise


def test_threads_save_to_one_file_whole(found, tmp_path):
    place, whole, wrong = tmp_path / "a.csv", found.to("csv"), []
    found.save(place)

    def work():
        try:
            for _ in range(20):
                found.save(place)
                wrong.extend([] if read_whole(place).decode() == whole else ["torn"])
        except Exception as error:  # pylint: disable=broad-except
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and os.listdir(tmp_path) == ["a.csv"]


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
    interrupt = _thread.interrupt_main if os.name == "nt" else lambda: os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(0.5, interrupt)  # kill() of Windows ends the process
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        intervale.evaluate(made.qrels, made.runs, resamples=50_000_000, threads=1)
    assert time.monotonic() - begun < 60.0 # to its end it would take many minutes
    timer.join()
    assert "intervale" not in [thread.name for thread in threading.enumerate()]


def _in_a_child(made):
    return intervale.compare(made.qrels, made.runs, threads=2).sentence


def test_forks_and_threads(made, found):
    if hasattr(os, "fork"):
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


def test_a_table_shows_its_size_and_first_rows(made):
    found = intervale.evaluate(made.qrels, made.runs, ["AP"], per_topic=True)
    first, heads, *rows = repr(found.measures).splitlines()
    assert first == (f"<intervale.Table measures: {len(found.measures)} rows x "
                     f"{len(found.measures.columns)} columns>")
    assert heads.split()[:3] == ["run", "measure", "topic"]
    assert len(rows) == 6 and rows[-1] == "..." and rows[0].split()[0] == "run1"
    assert all(len(line) < 100 for line in rows)


def test_options_are_found_by_function_and_by_command():
    assert intervale.options(intervale.evaluate) == intervale.options("evaluate") \
        == intervale.options("eval")
    assert intervale.options("plan_recall") == intervale.options("plan recall")
    assert intervale.options(intervale.compare_scores) == intervale.options("compare")
    with pytest.raises(intervale.BadArgument, match="no command 'evil'"):
        intervale.options("evil")


def test_options_say_what_they_are():
    for command in ("eval", "compare", "agree", "plan recall", "prf"):
        assert all(len(about) > 5 for about in intervale.options(command).values()), command
    told = intervale.options(intervale.compare)
    assert told["confidence"] == "confidence of every interval" and "holm" in told["correct"]
    assert "AP" in intervale.options("agree")["measure"]
    for name in ("compare", "evaluate", "prf_paired", "plan_recall"):
        lines = inspect.getdoc(getattr(intervale, name)).splitlines()
        for option in intervale.options(name):
            assert any(line.startswith(f"{option}: ") for line in lines), (name, option)


def test_a_column_shows_one_number_of_digits():
    found = intervale.prf({"A": (17, 1, 0), "B": (1, 17, 0)})
    lines = [line.split() for line in repr(found.metrics).splitlines()[1:]]
    value = lines[0].index("value")
    shown = [line[value] for line in lines[1:6] if len(line) > value]
    assert len(shown) > 3 and {len(x.partition(".")[2]) for x in shown} == {5}, shown
    assert shown[0] == "0.94444"
