# SPDX-License-Identifier: Apache-2.0
"""Processes made by multiprocessing use the library, whatever their parent did before."""
import multiprocessing
import multiprocessing.pool
import os
import threading

import pytest

import intervale

QRELS = {str(t): {f"d{d}": int(d % 3 == 0) for d in range(30)} for t in range(40)}
RUNS = {name: {str(t): {f"d{(d * k + t) % 30}": 30.0 - d for d in range(30)} for t in range(40)}
        for name, k in (("a", 7), ("b", 11))}


def answer(_=None):
    return intervale.compare(QRELS, RUNS, threads=2).sentence


FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork()")


@pytest.mark.parametrize("method", [pytest.param("fork", marks=FORKS), "spawn",
                                    pytest.param("forkserver", marks=FORKS)])
def test_a_pool_answers_as_its_parent(method):
    expected = answer()
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(answer, range(4)).get(timeout=120) == [expected] * 4


def rows(_=None):
    return list(intervale.compare(QRELS, RUNS, threads=2).pairs)


def whole(_=None):
    return intervale.compare(QRELS, RUNS, threads=2)


@pytest.mark.parametrize("method", [pytest.param("fork", marks=FORKS), "spawn"])
def test_rows_come_back_and_results_say_what_does(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        row, = pool.map_async(rows, [1]).get(timeout=120)[0]
        assert row == rows()[0] and row.p == rows()[0].p
        with pytest.raises(multiprocessing.pool.MaybeEncodingError, match=r"list\(found.pairs\)"):
            pool.map_async(whole, [1]).get(timeout=120)


@FORKS
def test_a_fork_beside_a_call_of_another_thread():
    stop = threading.Event()

    def work():
        while not stop.is_set():
            answer()

    other = threading.Thread(target=work)
    other.start()
    try:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert len(pool.map_async(answer, range(8)).get(timeout=120)) == 8
    finally:
        stop.set()
        other.join()


class Answers:
    """A dataset of PyTorch whose items are answers of the library."""

    def __len__(self):
        return 8

    def __getitem__(self, i):
        return answer(i)


@FORKS
def test_workers_of_a_data_loader_answer_as_their_parent():
    data = pytest.importorskip("torch.utils.data")
    expected = answer()
    loader = data.DataLoader(Answers(), batch_size=2, num_workers=2, timeout=120,
                             multiprocessing_context="fork")
    assert [text for batch in loader for text in batch] == [expected] * 8
