/* SPDX-License-Identifier: Apache-2.0 */
/* Scores that were read, laid out by measure, system and item. */
#ifndef IV_ANSWER_SCORECARD_H
#define IV_ANSWER_SCORECARD_H

#include "base/memory.h"
#include "intervale/answer/score_input.h"
#include "intervale/stat/structure.h"

typedef struct iv_scorecard {
    iv_arena own;
    const iv_score_input *asked;
    const iv_score_view *v;
    uint32_t *measures; /* those that were asked for, by their number in v */
    size_t measure_count;
    double *values;          /* [(m * systems + s) * items + t], over repeats; NaN: none */
    iv_structure *structure; /* by measure */
    bool structured;         /* items hang together, or repeats bring variance */
    struct iv_set_slice *slices; /* of sets; NULL: there are none */
    bool binary;             /* declared to be 0 or 1 */
    size_t most_repeats;     /* scores of one system on one item, at most */
} iv_scorecard;

/*
 * Reads and lays out, with what there is to say of the files.  measures: none: `all` of them, or else one.
 * *card starts as zeros and is freed in any case.
 */
IV_MUST_CHECK int iv_scorecard_read(iv_scorecard *card, const iv_score_input *asked,
                                    const iv_texts *measures, bool all, bool complete,
                                    iv_result *out, const iv_work *work, iv_err *err);
void iv_scorecard_free(iv_scorecard *card);

/* Refuses what is for scores of any kind only where there are none; `tables`: scores are there in
 * another form, which may be declared to be binary. */
IV_MUST_CHECK int iv_scorecard_absent(const iv_score_input *asked, bool tables, iv_err *err);

/* The scores of a measure: systems x items. */
const double *iv_scorecard_values(const iv_scorecard *card, size_t measure);

/* Names the estimand and warns of few units. */
void iv_scorecard_tell(const iv_scorecard *card, iv_result *out);

/* Where the items of a set are: from the first of them to the last, with others between. */
typedef struct iv_set_slice {
    size_t from, count;
} iv_set_slice;

/* A set's slice, and how its items hang together; room: for item_count numbers. */
iv_set_slice iv_scorecard_within(iv_structure *out, uint32_t *room, const iv_scorecard *card,
                                 size_t measure, size_t set);

/* Are the units that vary clusters or sets, not items? */
bool iv_scorecard_units(const iv_scorecard *card);

/* What a unit is called, "item", "cluster" or "set". */
const char *iv_scorecard_unit(const iv_scorecard *card);

#endif /* IV_ANSWER_SCORECARD_H */
