/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of several assessors, read from a table.
 *
 * Labels by several assessors: a table with a line for each label and columns for item,
 * assessor and label.  Columns for topic, stratum and whether the item was retrieved are
 * optional.  Columns are found by their names (doc/formats.md), in any order; others are
 * ignored.  If there are no columns for assessor and label, each line is an item, and each
 * of the other columns has the labels of one assessor.
 */
#ifndef IV_TREC_ASSESSMENTS_H
#define IV_TREC_ASSESSMENTS_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/trec/delimited_tables.h"

/* Missing labels (empty, NA, nan, ?; -1 among grades) are excluded.  Items are
 * sorted by topic, otherwise in the order of the file. */
typedef struct iv_assessments {
    size_t item_count, assessor_count, topic_count;
    const iv_str *items;
    const char *const *assessors;    /* in the order of the file */
    const iv_str *topics;            /* one, "", if there is no column of topics */
    bool has_topics;
    const uint32_t *topic;           /* of each item */
    const size_t *topic_starts;      /* the first item of each topic */
    uint32_t label_count;
    const char *const *labels;       /* numbers in increasing order, or words in byte order */
    const double *values;            /* of each label; NULL if labels are words */
    bool whole;                      /* values are whole numbers: grades */
    const uint32_t *assessor, *label; /* of each label, sorted by item, then by assessor */
    const size_t *starts;            /* the first label of each item */
    size_t missing;                  /* lines without a label */
    size_t cannot;                   /* of these, lines with grade -1: could not be judged */
    bool wide;                       /* the table has a column for each assessor */
    const char *excluded;            /* columns of such a table that share no label with
                                        another column, as a text; NULL: none */
    size_t folded;                   /* labels that differ from another in case only */
    uint64_t bytes;                  /* size of the file on disk */
    /* What its reader needs: */
    iv_arena *own;
    iv_csv *csv;
    size_t column[6];                /* by role; IV_NONE: there is none */
    size_t *judges, judge_count;     /* columns of assessors; 0: each label has a line */
    iv_ids topic_ids, item_ids, assessor_ids, texts; /* of items: topic and name as one text */
    struct record *records;
    size_t count;
    uint32_t *place;                 /* of each item as it first comes: where it stands now, ... */
    uint32_t *topic_of;
    size_t *first;                   /* ... and the row where it comes */
} iv_assessments;

/*
 * Reads them from a table, which the arena takes over, also on failure.  IV_EPARSE with the line
 * for a column that is missing, a name that is, an item labelled twice by one assessor; IV_ENODATA
 * without a label.  *out is the arena's.
 */
IV_MUST_CHECK int iv_assessments_of(const iv_assessments **out, iv_arena *own, iv_csv *table,
                                    iv_err *err);

#endif
