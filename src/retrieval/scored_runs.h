/* SPDX-License-Identifier: Apache-2.0 */
/* How runs are scored, and what is kept of each. */
#ifndef IV_RETRIEVAL_SCORED_RUNS_H
#define IV_RETRIEVAL_SCORED_RUNS_H

#include "base/memory.h"
#include "intervale/trec/topic_join.h"
#include "retrieval/sampled_measures.h"
#include "retrieval/standard_scores.h"

/* The same for all runs of an evaluation; borrowed. */
typedef struct iv_scoring {
    const iv_judgments *judgments;
    const iv_measures *measures;      /* NULL: only TREC's estimates */
    const iv_sampling *sampling;      /* NULL: complete judgments */
    const iv_sampled_measures *estimated; /* of a sample */
    size_t width;                     /* values of a topic */
    int32_t largest;                  /* grade of the judgments */
    double above_0;                   /* how many grades are above 0 */
    bool window;                      /* the judgments are some of the topics */
    bool counts;                      /* count the documents retrieved for each topic */
    iv_precision precision;           /* of the runs' scores */
    const iv_standards *standards;    /* NULL: values as they are */
    iv_evaluating how;                /* without zeros for defaults */
} iv_scoring;

/* A row of values: which topic of the judgments, and of the run. */
#define IV_ABSENT UINT32_MAX
typedef struct iv_scored_topic {
    uint32_t judged;
    uint32_t in_run; /* IV_ABSENT: missing */
} iv_scored_topic;

/* One run.  Of complete judgments a value takes eight bytes. */
typedef struct iv_run_scores {
    iv_arena memory;        /* of all but what u and texts point to */
    char *tag;
    uint64_t bytes;
    iv_scored_topic *topic; /* rising */
    size_t topics;
    size_t *missing;        /* topics of the judgments */
    size_t missing_count;
    double *rows;           /* topics x width, of complete judgments */
    uint32_t *retrieved;    /* documents of a topic; NULL: not counted */
    iv_estimate *estimates; /* or of a sample */
    double **u;             /* of a topic, width x its documents; NULL: not kept */
    iv_limits *bounds;      /* as rows; NULL: not asked for */
    iv_interval *ties;
    char **texts;           /* topics x text_count; NULL: not kept */
    size_t *text_of;        /* a value's place among the texts; IV_NONE: none */
    size_t text_count;
    iv_run_notes noted;
} iv_run_scores;

/* Scores a run; name stands in messages. */
IV_MUST_CHECK int iv_score_run(iv_run_scores **out, const char *name, const iv_run *run,
                               const iv_scoring *task, const iv_work *work, iv_err *err);
void iv_run_scores_free(iv_run_scores *s);

/* Adds counts, and what is odd, of some topics to those of topics before them. */
void iv_notes_add(iv_run_notes *sum, const iv_run_notes *part);

/* The value in a row. */
static inline double iv_run_scores_at(const iv_run_scores *s, const iv_scoring *task, size_t row,
                                      size_t i)
{
    const size_t at = row * task->width + i;

    return s->rows != NULL ? s->rows[at] : s->estimates[at].value;
}

/* Summarises runs: out[r * width + i]. */
IV_MUST_CHECK int iv_means(iv_mean *out, const iv_run_scores *const *runs, size_t count,
                           const iv_scoring *task, const iv_work *work, iv_err *err);

#endif
