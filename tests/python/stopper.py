# SPDX-License-Identifier: Apache-2.0
"""intervale.asreview: when ASReview may stop by control records.

usage: stopper.py SOURCES LIBRARY
"""
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[1], "python"))
os.environ["INTERVALE_LIBRARY"] = sys.argv[2]
from intervale.asreview import ControlStopper  # noqa: E402


class Results(dict):
    """ASReview's table of results, as far as a stopper sees it."""
    def __len__(self):
        return len(self["record_id"])


def main():
    control = {i: int(i % 2 == 0) for i in range(44)} # 22 relevant ones: one may be missed
    rule = ControlStopper(control, target=0.8)
    assert rule.needed() == 21, rule.needed()
    data = range(500)
    even = list(range(0, 44, 2))
    assert not rule.stop(Results(record_id=list(range(300, 499)) + even[:20]), data)
    assert rule.stop(Results(record_id=even[:21]), data)
    assert rule.stop(Results(record_id=list(range(500))), data) # all are read
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "control.csv"
        path.write_text("record_id,included\n" + "".join(f"{r},{label}\n" for r, label in control.items()))
        assert ControlStopper(path).needed() == 21
        path.write_text("record_id,included\n1,yes\n")
        for few, why in ((path, "label 'yes', expected 1 or 0"), ({i: 1 for i in range(13)}, "13 relevant control")):
            try:
                ControlStopper(few).needed()
            except ValueError as problem:
                assert why in str(problem), problem
            else:
                raise AssertionError(why)


main()
