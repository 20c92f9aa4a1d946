/* SPDX-License-Identifier: Apache-2.0 */
/* A score table laid out by measure, system and item, with the design of its items; and the
 * tables that several answers have of it. */
#ifndef IV_ANSWER_SCORE_TABLES_H
#define IV_ANSWER_SCORE_TABLES_H

#include "base/memory.h"
#include "intervale/answer.h"
#include "intervale/stat.h"
#include "trec/trec_private.h"

typedef struct iv_scored {
    iv_arena *own;           /* the answer's */
    const iv_score_input *asked;
    const iv_score_table *v;
    uint32_t *measures; /* those that were asked for, by their number in v */
    const char **names; /* ... and what they are called */
    size_t measure_count;
    double *values;          /* [(m * systems + s) * items + t], over repeats; NaN: none */
    iv_structure *structure; /* by measure */
    bool structured;         /* items hang together, or repeats bring variance */
    struct iv_set_slice *slices; /* of sets; NULL: there are none */
    bool binary;             /* declared to be 0 or 1 */
    size_t most_repeats;     /* scores of one system on one item, at most */
} iv_scored;

/*
 * Reads and lays out, with what there is to say of the files.  measures: none: `all` of them, or
 * else one. *card starts as zeros; what it takes is kept while the answer is made.
 */
IV_MUST_CHECK int iv_scored_read(iv_scored *card, const iv_score_input *asked,
                                    const iv_texts *measures, bool all, bool complete,
                                    iv_result *out, const iv_work *work, iv_err *err);

/* Refuses what is for scores of any kind only where there are none; `tables`: scores are there in
 * another form, which may be declared to be binary. */
IV_MUST_CHECK int iv_scored_absent(const iv_score_input *asked, bool tables, iv_err *err);

/* The scores of a measure: systems x items. */
const double *iv_scored_values(const iv_scored *card, size_t measure);

/* Names the estimand and warns of few units. */
void iv_scored_tell(const iv_scored *card, iv_result *out);

/* Where the items of a set are: from the first of them to the last, with others between. */
typedef struct iv_set_slice {
    size_t from, count;
} iv_set_slice;

/* A set's slice, and how its items hang together; room: for item_count numbers. */
iv_set_slice iv_scored_within(iv_structure *out, uint32_t *room, const iv_scored *card,
                                 size_t measure, size_t set);

/* Are the units that vary clusters or sets, not items? */
bool iv_scored_units(const iv_scored *card);

/* What a unit is called, "item", "topic", "cluster" or "set". */
const char *iv_scored_unit(const iv_scored *card);

/*
 * By system: the variance that its repeats bring to the mean of the first measure, however
 * many items there are.  NULL where it is not shown that they bring any: a plan that counts
 * what may be chance would say that no number of items is enough.
 */
IV_MUST_CHECK int iv_scored_shared(const double **out, const iv_scored *card, iv_err *err);

/* Table variance with its chart; nothing for one system. */
IV_MUST_CHECK int iv_tell_variance(iv_scored *card, double confidence, iv_result *out,
                                   const iv_work *work, iv_err *err);

/* Table design, if there are repeats: the standard error of a difference for more items and
 * for more repeats, with its curve, and a note which buys more. */
IV_MUST_CHECK int iv_tell_design(const iv_scored *card, double confidence, iv_result *out,
                                 iv_err *err);

/* Table sets: each system's mean in each set, if there are sets. */
IV_MUST_CHECK int iv_tell_sets(iv_scored *card, double confidence, iv_result *out,
                               const iv_work *work, iv_err *err);

/* Table errors: what standard errors are made of, if items hang together. */
IV_MUST_CHECK int iv_tell_errors(iv_scored *card, iv_result *out, const iv_work *work,
                                 iv_err *err);

#endif /* IV_ANSWER_SCORE_TABLES_H */
