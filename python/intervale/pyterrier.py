# SPDX-License-Identifier: Apache-2.0
"""intervale inside PyTerrier's experiments.

    >>> import pyterrier as pt
    >>> import intervale, intervale.pyterrier
    >>> pt.Experiment([a, b], topics, qrels, [AP, nDCG@10], baseline=0,
    ...               test=intervale.pyterrier.test)
    >>> frame = pt.Experiment([a, b], topics, qrels, [AP], perquery=True)
    >>> intervale.compare(frame)

Importing the module makes intervale the first provider that ir_measures, and so
pt.Experiment, asks.
"""
from __future__ import annotations

import ir_measures

from . import compare_scores
from .ir_measures import provider

if provider not in ir_measures.DefaultPipeline.providers:
    ir_measures.DefaultPipeline.providers.insert(0, provider)


def test(a, b):
    """For Experiment's test=: the mean difference, and p of the randomisation test."""
    pair = compare_scores({"a": dict(enumerate(a)), "b": dict(enumerate(b))}).pairs[0]
    return pair.difference, pair.p


__all__ = ["provider", "test"]
