# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin: verdicts of gates become outcomes of tests, and are kept in the JUnit file."""
import importlib.metadata
import subprocess
import sys

import pytest

# A package that pip installed has registered it.
PLUGIN = [] if [e for e in importlib.metadata.entry_points(group="pytest11") if e.name == "intervale"] \
    else ["-p", "intervale.pytest_plugin"]
TEST = """
def scores(loss):
    return {{"main": {{str(i): i % 10 / 10 for i in range(200)}},
             "new": {{str(i): i % 10 / 10 - loss * (i % 3) for i in range(200)}}}}

def test_it(assert_not_worse):
    found = assert_not_worse(scores({loss}), "new", "main", {margin}, range=[-1, 2]{more})
    assert found.verdict
"""


@pytest.mark.parametrize("loss, margin, more, outcome, verdict", [
    (0.01, 0.05, "", "1 passed", "PASS"), (0.2, 0.05, "", "1 failed", "FAIL"),
    (0.05, 0.05, "", "1 failed", "INCONCLUSIVE"), (0.05, 0.05, ", inconclusive='skip'", "1 skipped", "INCONCLUSIVE"),
    (0.05, 0.05, ", inconclusive='pass'", "1 passed", "INCONCLUSIVE")])
def test_the_verdict_is_the_outcome(tmp_path, loss, margin, more, outcome, verdict):
    (tmp_path / "test_it.py").write_text(TEST.format(loss=loss, margin=margin, more=more))
    done = subprocess.run([sys.executable, "-m", "pytest", *PLUGIN, "-p", "no:cacheprovider",
                           "--junitxml=out.xml", "test_it.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert outcome in done.stdout, done.stdout
    kept = (tmp_path / "out.xml").read_text()
    assert f'name="intervale.verdict" value="{verdict}"' in kept and 'name="intervale.answer"' in kept


def test_a_system_that_is_not_there_is_an_error(tmp_path):
    text = TEST.format(loss=0, margin=0.1, more="").replace('"new", "main"', '"nwe", "main"')
    (tmp_path / "test_it.py").write_text(text)
    done = subprocess.run([sys.executable, "-m", "pytest", *PLUGIN, "-p", "no:cacheprovider",
                           "test_it.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "no system 'nwe'; the scores have" in done.stdout and "1 failed" in done.stdout
