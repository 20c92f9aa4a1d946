/* SPDX-License-Identifier: Apache-2.0 */
/* Published stopping rules, replayed on a ranking whose labels are all known. */
#ifndef IV_STUDY_STOPPING_REPLAY_H
#define IV_STUDY_STOPPING_REPLAY_H

#include "base/memory.h"
#include "num/draw.h"

typedef enum iv_replayed_rule {
    IV_REPLAY_TARGET,      /* Cormack and Grossman (2016): ten relevant documents, drawn first */
    IV_REPLAY_QBCB,        /* the smallest control sample with which the bound can be reached */
    IV_REPLAY_QBCB_TWICE,  /* one with twice as many relevant documents */
    IV_REPLAY_KNEE,        /* Cormack and Grossman (2016) */
    IV_REPLAY_BUDGET,
    IV_REPLAY_ROW_50,      /* so many irrelevant documents in a row */
    IV_REPLAY_ROW_200,
    IV_REPLAY_HYPER_RANKED, /* Callaghan and Mueller-Hansen (2020): the last documents of the
                               ranking taken for a random sample ... */
    IV_REPLAY_HYPER_RANDOM, /* ... and a random sample of the rest, after 50 in a row */
    IV_REPLAY_CHAO,        /* Chao (1987), from which rankings have reached a document ... */
    IV_REPLAY_CHAO_UPPER,  /* ... and the upper limit of that estimate */
    IV_REPLAY_RULES
} iv_replayed_rule;

/* What is promised: recall of at least so much, with a confidence (NaN: with none). */
typedef struct iv_replay_promise {
    const char *name;
    double recall, confidence;
} iv_replay_promise;
iv_replay_promise iv_replay_promise_of(iv_replayed_rule rule, double target, double confidence);

enum { IV_REPLAY_RANKINGS = 5 };

/* A review whose labels are all known; documents are numbered in the order of the ranking. */
typedef struct iv_replay {
    size_t documents, relevant;
    const uint8_t *label;      /* 0 or 1, by document */
    const uint32_t *ranking[IV_REPLAY_RANKINGS]; /* documents, the best first, of all ... */
    size_t rankings;           /* ... where there are two or more; else 0 */
    double target, confidence;
} iv_replay;

/* Where a rule stops: documents read, and recall that the ranking has reached by then; control
 * documents count as read, and as found once the ranking reaches them.  NaN: the rule needs data
 * that the review does not have. */
typedef struct iv_replay_end {
    double read, recall;
} iv_replay_end;

/* Arrays that a replay works in, for reviews of up to so many documents. */
typedef struct iv_replay_room {
    uint32_t *order, *found; /* found: relevant documents among the first so many */
    uint8_t *seen;
} iv_replay_room;
IV_MUST_CHECK int iv_replay_room_of(iv_replay_room *out, iv_arena *own, size_t documents,
                                    iv_err *err);

/* Replays one rule; what chance decides comes from the stream. */
iv_replay_end iv_replay_rule(iv_replayed_rule rule, const iv_replay *r, iv_replay_room *room,
                             iv_stream *stream);

#endif
