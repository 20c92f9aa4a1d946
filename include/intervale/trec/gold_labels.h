/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gold labels of items, and the labels that systems predicted.
 *
 * A predicted label that is not among the gold labels is an error, because it is probably
 * misspelt, unless `classes` lists it.
 */
#ifndef INTERVALE_TREC_GOLD_LABELS_H
#define INTERVALE_TREC_GOLD_LABELS_H

#include "intervale/base.h"

IV_BEGIN_C

/* {0}: the labels are the gold labels; if these are 0 and 1, 1 is positive. */
typedef struct iv_labels_options {
    const char *positive; /* this label is positive, all others are negative */
    const char *classes;  /* all labels, separated by commas */
    const char *gold;     /* the column of gold labels; NULL: gold, label, truth, y_true or
                             target; there must be exactly one of these */
    iv_texts predictions; /* other files, with a column id and one column for each system; the
                             first file then has only id and gold.  If two files have a column
                             of the same name, systems are named after the files */
    const char *threshold; /* a number; cells of systems are scores, and scores of at least this
                              are positive */
    iv_texts systems;     /* the columns that are systems; none: all columns other than id and
                             gold, and other than further columns with a usual name of gold */
    iv_texts columns;     /* "group=NAME": a column that says which group an item is in; several
                             between commas */
} iv_labels_options;

/* A column that puts items into groups. */
typedef struct iv_item_groups {
    const char *name;          /* of the column */
    size_t count;
    const char *const *names;  /* in byte order */
    const uint32_t *of;        /* by item; UINT32_MAX: its cell is empty */
} iv_item_groups;

/* Read the fields directly; they are valid until iv_labels_free(). */
typedef struct iv_labels {
    size_t items, systems;
    int32_t classes;              /* at most 1000; if binary 2, and class 1 is positive */
    bool binary;
    const int32_t *at;            /* items x (systems + 1): gold, then the systems */
    const char *const *system_names;
    const char *const *class_names; /* in the order of their numbers; unless binary */
    double highest;               /* highest score, if the threshold is in [0, 1] and no score is
                                     below 0; above 1, scores may be percentages; otherwise 0 */
    uint64_t bytes;               /* size of the file on disk */
    iv_texts notes;               /* which columns were chosen by their names */
    const iv_item_groups *groups; /* by column of groups */
    size_t grouping_count;
} iv_labels;

/*
 * Reads a table, as iv_csv_load() does, with a column for gold (see the options), one for
 * each system, and optionally id (or a first column without a name).  If predictions are in
 * another file, id is required.  IV_EPARSE for a missing column, an id that occurs twice, or
 * a missing or unknown label; IV_EARG for classes that are empty or occur twice.  Free *out
 * with iv_labels_free().
 */
IV_API IV_MUST_CHECK int iv_labels_load(iv_labels **out, const char *path,
                                        const iv_labels_options *options, const iv_work *work,
                                        iv_err *err);
IV_API IV_MUST_CHECK int iv_labels_parse(iv_labels **out, const char *name, const void *text,
                                         size_t len, const iv_labels_options *options,
                                         iv_err *err);
IV_API void iv_labels_free(iv_labels *l);

IV_END_C

#endif
