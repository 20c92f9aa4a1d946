# SPDX-License-Identifier: Apache-2.0
"""The texts and numbers of ranx' Qrels and Run, read where they are: its own to_dict() crosses from
numba to Python name by name.  Compiled when first needed, and kept on disk, as ranx' functions are."""
from __future__ import annotations

import numpy
from numba import njit, types
from numba.cpython.charseq import unicode_charseq_get_code
from numba.cpython.unicode import _get_code_point
from numba.extending import overload


def _point(text, i):
    """The code point of a character."""
    return ord(text[i])


@overload(_point)
def _point_of(text, i):
    """Names are of a fixed width where ranx made them from arrays."""
    if isinstance(text, types.UnicodeCharSeq):
        return lambda text, i: unicode_charseq_get_code(text, i)
    return lambda text, i: _get_code_point(text, i)


@njit(cache=True)
def _columns(by_topic):
    """Of {topic: {document: number}} the code points of topics and documents, each name with a line
    feed behind it, how many documents each topic has, and the numbers."""
    count = topics = docs = 0
    for topic, of in by_topic.items():
        topics += len(topic) + 1
        count += len(of)
        for doc in of:
            docs += len(doc) + 1
    names, texts = numpy.empty(topics, numpy.uint32), numpy.empty(docs, numpy.uint32)
    counts, numbers = numpy.empty(len(by_topic), numpy.int64), numpy.empty(count, numpy.float64)
    row = at = name_at = place = 0
    for topic, of in by_topic.items():
        for i in range(len(topic)):
            names[name_at + i] = _point(topic, i)
        name_at += len(topic) + 1
        names[name_at - 1] = 10
        counts[place] = len(of)
        place += 1
        for doc, number in of.items():
            for i in range(len(doc)):
                texts[at + i] = _point(doc, i)
            at += len(doc) + 1
            texts[at - 1] = 10
            numbers[row] = number
            row += 1
    return names, texts, counts, numbers


def _text(points) -> bytes:
    """Names as UTF-8, without the last line feed."""
    points = points[:-1]
    if points.size and points.max() > 127:
        return points.tobytes().decode("utf-32-" + ("le" if numpy.little_endian else "be"),
                                       "surrogatepass").encode("utf-8", "surrogatepass")
    return points.astype(numpy.uint8).tobytes()


def columns(by_topic):
    """Topics, the documents of all in one text, how many each has, and the numbers."""
    names, texts, counts, numbers = _columns(by_topic)
    topics = _text(names).decode("utf-8", "surrogatepass").split("\n") if len(counts) else []
    return topics, _text(texts), counts, numbers
