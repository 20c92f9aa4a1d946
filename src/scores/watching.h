/* SPDX-License-Identifier: Apache-2.0 */
/* A series of nights while it is being watched. */
#ifndef IV_SCORES_WATCHING_H
#define IV_SCORES_WATCHING_H

#include "intervale/scores.h"
#include "result/message.h"
#include "scores/score_tables.h"
#include "stat/sequential/nights.h"

extern const iv_message iv_watch_messages[];

/* A night: a system of the score table, and the baseline beside it. */
typedef struct iv_watched_night {
    const char *name;          /* its date, or else its system */
    const char *date, *system;
    size_t number;             /* of the system in the table */
    size_t baseline;           /* the baseline of the same date; IV_NONE: none */
} iv_watched_night;

typedef struct iv_watching {
    const iv_watch_question *asked;
    iv_scored scored;
    iv_watched_night *nights;  /* in the order of time */
    size_t count;
    size_t *baselines;         /* systems of the table that are the baseline */
    size_t baseline_count;
    bool nightly;              /* each night has its own baseline ... */
    size_t changes;            /* ... whose scores differ from the night before so often ... */
    size_t first_change;       /* ... at first on this night */
    double *x;                 /* differences: [night * items + item]; NaN: none */
    size_t fresh;              /* items that the baseline lacks */
    size_t lost, expected;     /* items of the baseline that the last night lacks; all of them */
    size_t equal;              /* nights that have the scores of the night before */
    iv_nights tested;
    iv_night *found;
    size_t since;              /* of an alarm of the last night */
} iv_watching;

/* Nights in order and their baseline: in watch_nights.c. */
IV_MUST_CHECK int iv_watching_nights(iv_watching *w, iv_err *err);
IV_MUST_CHECK int iv_watching_differences(iv_watching *w, iv_err *err);

/* Dates without scores, where nights are YYYY-MM-DD and mostly successive. */
size_t iv_watching_gaps(const iv_watching *w);

#endif
