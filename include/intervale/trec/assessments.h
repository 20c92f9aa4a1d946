/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels by several assessors: a table of items, assessors and labels, a line for each
 * label, with a topic, a stratum or whether the item was retrieved beside it where there is
 * such a column.  Columns are known by their names (doc/formats.md), in any order; others
 * are ignored.  Without a column of assessors and one of labels, a line is an item, and the
 * other columns are its labels by one assessor each.
 */
#ifndef INTERVALE_TREC_ASSESSMENTS_H
#define INTERVALE_TREC_ASSESSMENTS_H

#include "intervale/base.h"

IV_BEGIN_C

/* One that says nothing (empty, NA, nan, ?; -1 among grades) is not there. */
typedef struct iv_assessment {
    uint32_t assessor, label; /* their numbers */
} iv_assessment;

/* Borrowed.  Items stand topic by topic, each as it first comes. */
typedef struct iv_assessments_view {
    size_t item_count, assessor_count, topic_count;
    const iv_str *items;
    const char *const *assessors;    /* as they first come */
    const iv_str *topics;            /* one, "", without such a column */
    bool has_topics;
    const uint32_t *topic;           /* of each item */
    const size_t *topic_starts;      /* items of topic t: from topic_starts[t] on */
    uint32_t label_count;
    const char *const *labels;       /* numbers rising, or words in byte order */
    const double *values;            /* of each label; NULL: words */
    bool whole;                      /* values are whole numbers: grades */
    const iv_assessment *at;         /* item by item, by assessor */
    const size_t *starts;            /* of item i: from starts[i] on */
    const iv_str *stratum;           /* of each item; NULL: no such column */
    const bool *retrieved;           /* of each item; NULL: no such column */
    size_t missing;                  /* lines without a label */
    size_t cannot;                   /* of those, with the grade -1: could not be judged */
    bool wide;                       /* the table has a column for each assessor */
    const char *excluded;            /* of such a table: columns that share no label with another,
                                        as a text; NULL: none */
    size_t folded;                   /* words that differ from another in case only: the same */
    uint64_t bytes;                  /* of the file as it is kept */
} iv_assessments_view;

typedef struct iv_assessments iv_assessments;

/* Is a file such a table, detected from its header?  IV_EIO where it cannot be read, IV_EPARSE
 * where it is damaged. */
IV_API IV_MUST_CHECK int iv_file_is_assessments(bool *out, const char *path,
                                                const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_TREC_ASSESSMENTS_H */
