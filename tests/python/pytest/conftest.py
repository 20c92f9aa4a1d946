# SPDX-License-Identifier: Apache-2.0
"""A made-up collection, in files and in memory."""
import random

import pytest


class Collection:
    def __init__(self, folder):
        rng = random.Random(7)
        self.topics = [str(i + 1) for i in range(24)]
        self.qrels = {t: {f"doc{d}": rng.choice([0, 0, 1, 2])
                          for d in rng.sample(range(300), 60)} for t in self.topics}
        self.runs = {}
        for k, good in enumerate((1.5, 1.0, 0.4)):
            self.runs[f"run{k + 1}"] = {
                t: {f"doc{d}": round(rng.gauss(good * self.qrels[t].get(f"doc{d}", 0), 1), 3)
                    for d in rng.sample(range(300), 100)} for t in self.topics}
        del self.runs["run3"]["5"]  # a run that misses a topic
        self.folder = folder
        (folder / "qrels").write_text("".join(
            f"{t} 0 {d} {g}\n" for t, of in self.qrels.items() for d, g in of.items()))
        for name, run in self.runs.items():
            (folder / name).write_text("".join(
                f"{t} Q0 {d} 0 {s!r} {name}\n" for t, of in run.items() for d, s in of.items()))
        self.paths = [str(folder / name) for name in self.runs]

    def qrel_rows(self):
        return [(t, d, g) for t, of in self.qrels.items() for d, g in of.items()]

    def run_rows(self, name):
        return [(t, d, s) for t, of in self.runs[name].items() for d, s in of.items()]


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    return Collection(tmp_path_factory.mktemp("collection"))


@pytest.fixture(scope="session")
def pytrec_eval():
    return pytest.importorskip("pytrec_eval", reason="pytrec_eval has no wheel for this platform")
