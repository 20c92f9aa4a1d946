/* SPDX-License-Identifier: Apache-2.0 */
/* Inside a simulation and a topic of it. */
#ifndef IV_SIMULATE_SIMULATION_H
#define IV_SIMULATE_SIMULATION_H

#include "base/memory.h"
#include "intervale/num.h"
#include "intervale/simulate.h"

struct iv_simulation {
    iv_arena memory;
    iv_simulation_options options; /* without zeros that stand for others; quality is the array
                                      below */
    double *quality;               /* one a run */
    size_t quality_given;          /* how many the caller gave */
    double *weight;                /* of the signal, by grade; weight[0] = 0 */
    double *grade_up_to;           /* P(grade <= g | relevant), by grade */
    double logit;                  /* mean of the logit of the prevalence */
    double shared, own;            /* sqrt(similarity), sqrt(1 - similarity) */
    uint32_t step;                 /* scores are multiples, in millionths */
    uint32_t spacing;              /* docnos between two documents, mean */
    int digits;                    /* of a docno, behind its letter */
};

enum { IV_SCORE_UNIT = 1000000 }; /* scores are integers of 1e-6 */

struct iv_simulated_topic {
    const iv_simulation *simulation;
    uint32_t topic;
    uint32_t relevant;
    double difficulty;
    int32_t *grades;    /* of each document; at least 1 is relevant */
    double *noise;      /* shared by the runs, by document */
    uint32_t *numbers;  /* of the docnos, increasing */
    uint64_t *keys, *scratch; /* score and document, to be sorted */
    size_t *picks;      /* the relevant documents, or those judged */
    uint32_t *documents; /* the last ranking: documents ... */
    int32_t *units;      /* ... scores in millionths ... */
    double *scores;      /* ... and as numbers */
    /* Where not all documents are judged; NULL: they are. */
    bool *marks;        /* those that are */
    uint32_t *best;     /* rank that some run gives a document, from 1 */
    uint32_t *at_rank;  /* how many documents have this best rank */
};

/* Memory for a topic of s, which must outlive it; the arena says when there is none. */
iv_simulated_topic *iv_simulated_topic_take(iv_arena *own, const iv_simulation *s);

/* What a stream of the collection is about. */
typedef enum iv_draw_kind {
    IV_DRAW_TOPIC, /* difficulty and number of relevant documents */
    IV_DRAW_RELEVANT,
    IV_DRAW_SHARED_NOISE,
    IV_DRAW_DOCNOS,
    IV_DRAW_INTERACTION,
    IV_DRAW_OWN_NOISE,
    IV_DRAW_JUDGED,
    IV_DRAW_MACHINE
} iv_draw_kind;

/* Fills documents and units of t; iv_simulated_rank() without real numbers. */
void iv_simulated_rank_units(iv_simulated_topic *t, uint32_t run);

/* The AP of the ranking that is in t. */
double iv_simulated_ranked_ap(const iv_simulated_topic *t);

/* How far relevant documents stand above the others in a run's scores. */
double iv_simulated_signal(const iv_simulated_topic *t, uint32_t run);

/* Memory to mark which documents of a topic are judged. */
void iv_judged_take(iv_arena *own, iv_simulated_topic *t);

/*
 * Marks `count` documents of t: by lot, or those that some run ranks highest
 * (of the last rank that counts only the first ones in order of docno; fewer
 * where the runs return fewer).  Leaves another ranking in t.
 */
void iv_judged_mark(iv_simulated_topic *t, iv_judging judging, uint32_t count);

/* Lines of runs and judgments, as TREC's files have them. */

/* Text that grows; memory that ran out is remembered.  {0} is an empty one. */
typedef struct iv_lines {
    char *text;
    size_t len, capacity;
    bool failed;
} iv_lines;

/* Replaces the text by the lines of the ranking that is in t. */
void iv_lines_of_ranking(iv_lines *l, const iv_simulated_topic *t, uint32_t topic,
                         const char *run);

/* Replaces it by the judgments of the documents that judged marks; NULL: all.
 * Returns how many there are. */
uint32_t iv_lines_of_judgments(iv_lines *l, const iv_simulated_topic *t, uint32_t topic,
                               const bool *judged);

/* A machine that labels documents: from "kappa=0.4,drift=0.45", either of which may be left out. */
IV_MUST_CHECK int iv_simulated_judge_read(double *kappa, double *drift, const char *text,
                                          iv_err *err);

/* Puts its labels in the place of the topic's grades. */
void iv_simulated_judge_label(iv_simulated_topic *t, double kappa, double drift);

/* What a simulated collection says about itself. */

#endif /* IV_SIMULATE_SIMULATION_H */
