/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels of items: what gold says of each, and what systems said.
 *
 * A label that gold never gives is refused, as it is more often a misspelling
 * than an answer, unless `classes` lists it.
 */
#ifndef INTERVALE_TREC_LABELS_H
#define INTERVALE_TREC_LABELS_H

#include "intervale/base.h"

IV_BEGIN_C

/* Which labels there are; {0}: those that gold gives, and of 0 and 1 the latter
 * is positive. */
typedef struct iv_labels_options {
    const char *positive; /* this label is positive, all others are negative */
    const char *classes;  /* all labels there are, separated by commas */
    const char *gold;     /* the column of gold; NULL: gold, label, truth, y_true or target,
                             of which there must be one */
    iv_texts predictions; /* other files, with the columns id and one a system; then the first has
                             id and gold only.  A column that two have is called by its file */
    const char *threshold; /* a number: systems' cells are scores, and positive from it on */
    iv_texts systems;     /* of a table: only these of its columns are systems; none: all others,
                             but of several none that is called as gold */
} iv_labels_options;

/* Read it as it stands; all of it lives until iv_labels_free(). */
typedef struct iv_labels {
    size_t items, systems;
    int32_t classes;              /* 1000 at most; if binary 2, and 1 is positive */
    bool binary;
    const int32_t *at;            /* items x (systems + 1): gold's, then the systems' */
    const char *const *system_names;
    const char *const *class_names; /* in the order of their numbers; unless binary */
    double highest;               /* score, where the threshold is within 0 and 1 and no score is
                                     below 0: above 1 it is a percentage, perhaps; else 0 */
    uint64_t bytes;               /* of the file as it is kept */
    iv_texts notes;               /* what columns were taken for, by their names alone */
} iv_labels;

/*
 * Reads a table, as iv_csv_load() does, with the columns gold (see the options), one for each
 * system, and perhaps id (or a first one without a name): predictions of a file of their own need
 * it, items of one file are known by their rows otherwise.  IV_EPARSE for a missing column, an id
 * there twice, a label that is missing or unknown; IV_EARG for classes that are empty or there
 * twice. *out is the caller's.
 */
IV_API IV_MUST_CHECK int iv_labels_load(iv_labels **out, const char *path,
                                        const iv_labels_options *options, const iv_work *work,
                                        iv_err *err);
IV_API IV_MUST_CHECK int iv_labels_parse(iv_labels **out, const char *name, const void *text,
                                         size_t len, const iv_labels_options *options,
                                         iv_err *err);
IV_API void iv_labels_free(iv_labels *l);

IV_END_C

#endif /* INTERVALE_TREC_LABELS_H */
