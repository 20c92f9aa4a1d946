/* SPDX-License-Identifier: Apache-2.0 */
/* What the command recall reads: cases, each a run's two segments. */
#ifndef RECALL_CASES_H
#define RECALL_CASES_H

#include "frame/cmd.h"
#include "intervale/stat.h"
#include "intervale/trec.h"

/* What to do with a stratum of which nothing is sampled. */
typedef enum unsampled { UNSAMPLED_REFUSE, UNSAMPLED_SKIP, UNSAMPLED_PRIOR } unsampled;

/* Sampled documents without a judgment. */
typedef enum unjudged { UNJUDGED_REFUSE, UNJUDGED_NONRELEVANT, UNJUDGED_DROP } unjudged;

typedef struct recall_args {
    opt_numbers retrieved, unretrieved;
    const char *strata, *runs;
    const char *run, *sample, *collection;
    opt_numbers at;
    int64_t drawn_at, level;
    int unsampled, unjudged, judgments_format;
    int method;
    opt_numbers prior;
    bool one_sided, density;
    double target, beta;
    int64_t draws;
} recall_args;

typedef struct recall_case {
    char *run, *topic;     /* terminated; topic may be NULL */
    int64_t cutoff;        /* 0: none */
    iv_stratum *strata;    /* retrieved, then unretrieved */
    size_t retrieved, unretrieved;
} recall_case;

typedef struct recall_cases {
    recall_case *at;
    size_t count, capacity;
    bool ranked; /* topics and cut-offs mean something */
} recall_cases;

void recall_cases_free(recall_cases *c);

/* The segments of a case; borrowed. */
iv_segments recall_segments(const recall_case *c);

/*
 * Adds a case; strata are copied, retrieved first.  run and topic are copied.
 * Returns the new case, or NULL when memory is out.
 */
recall_case *recall_add(recall_cases *c, iv_str run, iv_str topic,
                        const iv_stratum *strata, size_t retrieved, size_t unretrieved);

/* The three ways in.  Notes go to the result. */
int recall_from_counts(recall_cases *out, cmd_context *c, iv_err *err);
int recall_from_strata(recall_cases *out, cmd_context *c, iv_err *err);
int recall_from_ranking(recall_cases *out, cmd_context *c, iv_err *err);

/* Fills the tables, the answer and the notes. */
int recall_tables(const recall_cases *cases, cmd_context *c, iv_err *err);

#endif /* RECALL_CASES_H */
