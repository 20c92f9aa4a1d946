# SPDX-License-Identifier: Apache-2.0
"""The fixture assert_not_worse: a test that fails when a change makes scores worse, not when chance does."""
from __future__ import annotations

import pytest


@pytest.fixture
def assert_not_worse(record_property):
    """assert_not_worse(scores, candidate, baseline, margin, inconclusive="fail", **options)

    scores and options are those of intervale.compare_scores().  A test with the verdict FAIL fails; one with
    INCONCLUSIVE fails too, or is skipped or passes: inconclusive is "fail", "skip" or "pass".  The verdict and
    the sentence are properties in the JUnit file.  Returns the result.
    """
    import intervale

    def check(scores, candidate: str, baseline: str, margin: float, inconclusive: str = "fail", **options):
        __tracebackhide__ = True
        if inconclusive not in ("fail", "skip", "pass"):
            raise ValueError(f"inconclusive is {inconclusive!r}, expected fail, skip or pass")
        found = intervale.compare_scores(scores, baseline=baseline, margin=margin, gate=True, **options)
        systems = [row[0] for row in found.runs]
        if candidate not in systems:
            raise ValueError(f"no system {candidate!r}; the scores have {', '.join(systems)}")
        if len(systems) > 2:
            raise ValueError(f"{len(systems)} systems, expected {candidate!r} and {baseline!r}: the verdict is about "
                             "all of them")
        record_property("intervale.verdict", found.verdict)
        record_property("intervale.answer", found.sentence)
        if found.verdict == "INCONCLUSIVE" and inconclusive == "skip":
            pytest.skip(found.sentence)
        if found.verdict == "FAIL" or (found.verdict == "INCONCLUSIVE" and inconclusive == "fail"):
            pytest.fail(found.sentence, pytrace=False)
        return found

    return check
