/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated collection: its topics, systems, judgments and files. */
#ifndef IV_SIMULATE_SIMULATION_H
#define IV_SIMULATE_SIMULATION_H

#include "base/memory.h"
#include "intervale/simulate.h"

/* IV_EARG when options contradict each other or leave their domain. */
IV_MUST_CHECK int iv_simulation_new(iv_simulation **out,
                                           const iv_simulation_options *options,
                                           iv_err *err);

void iv_simulation_free(iv_simulation *s);

/*
 * Draws topic number `topic`, of as many as one wants, in place of the one
 * that was there.  A collection made of files has the topics from 0.
 */
void iv_simulated_topic_draw(iv_simulated_topic *t, uint32_t topic);

const char *iv_simulated_docno(char out[IV_SIMULATED_NAME_SIZE],
                                      const iv_simulated_topic *t,
                                      uint32_t document);

/*
 * One run's answer to the topic, in documents and units of t, the first ranked first, as many as
 * the depth.  Scores are multiples of 1e-6 and fall strictly, unless options ask
 * for ties; equal scores have the later docno first, as in trec.
 */
void iv_simulated_rank(iv_simulated_topic *t, uint32_t run);

/* The run's average precision on the topic, from complete judgments. */
double iv_simulated_ap(iv_simulated_topic *t, uint32_t run);

/*
 * Writes directory/qrels, directory/runs/NAME for each run, directory/machine.qrels if there
 * is a judge, directory/README
 * (how it was made) and directory/truth.tsv.  files may be NULL: {0}.  The directory appears
 * complete or not at all; what is there already is refused (IV_EIO), unless it is an
 * empty directory.  map, the mean AP of each run over the topics with complete judgments,
 * has room for all runs.
 */
IV_MUST_CHECK int iv_simulation_write(double *map,
                                             iv_simulation_summary *summary,
                                             const iv_simulation *s,
                                             const char *directory,
                                             const iv_simulation_files *files,
                                             const iv_work *work, iv_err *err);

const char *iv_simulated_run_name(char out[IV_SIMULATED_RUN_SIZE],
                                         const iv_simulation *s,
                                         const char *prefix, uint32_t run);

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
    int32_t *units;      /* ... and scores in millionths */
    /* Where not all documents are judged; NULL: they are. */
    bool *marks;        /* those that are */
    uint32_t *best;     /* rank that some run gives a document, from 1 */
    uint32_t *at_rank;  /* how many documents have this best rank */
    char *text;         /* lines of a file; NULL: none are written */
    size_t len;
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

/* The AP of the ranking that is in t. */
double iv_simulated_ranked_ap(const iv_simulated_topic *t);

/* How far relevant documents stand above the others in a run's scores. */
double iv_simulated_signal(const iv_simulated_topic *t, uint32_t run);

/*
 * Marks `count` documents of t, which has memory for it: by lot, or those that some run ranks
 * highest (of the last rank that counts only the first ones in order of docno; fewer
 * where the runs return fewer).  Leaves another ranking in t.
 */
void iv_judged_mark(iv_simulated_topic *t, iv_judging judging, uint32_t count);

/* Lines of runs and judgments, as TREC's files have them: the text of t becomes those of the
 * ranking that is in t. */
void iv_lines_of_ranking(iv_simulated_topic *t, uint32_t topic, const char *run);

/* Or the judgments of the documents that judged marks; NULL: all.  Returns how many there are. */
uint32_t iv_lines_of_judgments(iv_simulated_topic *t, uint32_t topic, const bool *judged);

/* Room for the text: bytes of a line of a ranking without the run's name, and of a judgment. */
enum {
    IV_RANKING_LINE = 10 + 4 + IV_SIMULATED_NAME_SIZE + 1 + 10 + 1 + 12 + 1 + 1,
    IV_JUDGMENT_LINE = 10 + 3 + IV_SIMULATED_NAME_SIZE + 1 + 10 + 1
};

/* A machine that labels documents: from "kappa=0.4,drift=0.45", either of which may be left out. */
IV_MUST_CHECK int iv_simulated_judge_read(double *kappa, double *drift, const char *text,
                                          iv_err *err);

/* Puts its labels in the place of the topic's grades. */
void iv_simulated_judge_label(iv_simulated_topic *t, double kappa, double drift);

/* What a simulated collection says about itself. */

#endif
