/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation at work: the measures of a sample, the scores of runs, what is kept. */
#ifndef IV_ESTIMATE_EVALUATION_PARTS_H
#define IV_ESTIMATE_EVALUATION_PARTS_H

#include "design/samples.h"
#include "base/memory.h"
#include "intervale/design.h"
#include "intervale/estimate.h"
#include "intervale/stat.h"
#include "trec/trec_private.h"

/* ---------------------------------------------------- sampled measures -- */

/* What can be asked of a sample, beside the complete measures it is made of. */
typedef enum iv_sampled_kind {
    IV_SAMPLED_AP, IV_SAMPLED_P, IV_SAMPLED_RECALL, IV_SAMPLED_RPREC, IV_SAMPLED_NDCG,
    IV_SAMPLED_NUM_REL, IV_SAMPLED_NUM_REL_RET, IV_SAMPLED_NUM_RET,
    IV_SAMPLED_INFAP, IV_SAMPLED_XINFAP, IV_SAMPLED_INFNDCG, IV_SAMPLED_IP,
    IV_SAMPLED_INUM_REL, IV_SAMPLED_INUM_REL_RET
} iv_sampled_kind;

/* One number of a topic. */
typedef struct iv_sampled_value {
    const char *name;  /* as asked for, in trec_eval's or ir_measures' way */
    iv_sampled_kind kind;
    size_t cutoff;     /* 0: none */
    int32_t level;     /* the lowest relevant grade */
    bool count;        /* a number of documents: summed over topics */
    bool inferred;     /* TREC's estimate, without uncertainty for a topic */
    size_t asked;      /* its place among the complete measures; IV_NONE: none */
} iv_sampled_value;

typedef struct iv_sampled_measures {
    iv_measures *complete; /* NULL: only TREC's estimates are asked for */
    iv_sampled_value *values;
    size_t count, capacity;
    size_t depth;          /* documents of a topic to look at */
    iv_arena names;
} iv_sampled_measures;

/* What only scoring sees, such as preferences that contradict each other, is wrong in the
 * judgments: the error gets their file.  Returns rc. */
int iv_blame_judgments(int rc, const iv_source *source, iv_err *err);

/*
 * Parses names as iv_measures_parse() does, and those of TREC's estimates.
 * IV_EARG also for a measure that cannot be estimated from a sample.
 */
IV_MUST_CHECK int iv_sampled_measures_parse(iv_sampled_measures **out,
                                            const char *const *names, size_t count,
                                            const iv_measure_options *options, iv_err *err);
void iv_sampled_measures_free(iv_sampled_measures *m);

/* Parses those that are none of TREC's estimates; *out stays where there are no others. */
IV_MUST_CHECK int iv_measures_parse_complete(iv_measures **out, const char *const *names,
                                             size_t count, const iv_measure_options *options,
                                             iv_err *err);

/* Does the sample tell what the measures need? */
IV_MUST_CHECK int iv_sampled_check(const iv_sampling *s, const iv_sampled_measures *m,
                                   iv_err *err);

/* ------------------------------------------------------- sampled topic -- */

/*
 * Estimates for one topic of one run, from documents with probabilities.
 *
 * Each function returns an estimate and fills u, one number for each document
 * of the sample: the estimate's change when that document's weight 1/pi
 * changes.  The variance of the estimate is that of the total of u/pi, for
 * which the design has a formula; a difference of two runs has the difference
 * of their u.
 */

/* A topic's sample beside a ranking.  Arrays are by document of the sample. */
typedef struct iv_sampled_view {
    const double *pi;       /* 0: listed, but not in the sample */
    const int32_t *grade;
    const uint32_t *bucket;
    size_t count;
    const iv_scheme *scheme;
    const uint32_t *found;  /* the documents of the sample that the run
                               retrieved, in the order of their ranks */
    const double *rank;     /* of found[k], from 1 */
    size_t found_count;
    int32_t level;          /* the lowest relevant grade */
} iv_sampled_view;

static inline bool iv_sampled_relevant(const iv_sampled_view *v, size_t i)
{
    return v->pi[i] > 0.0 && v->grade[i] >= v->level;
}

/* Relevant documents in all, and of these how many were drawn (pi < 1). */
double iv_sampled_total(double *u, const iv_sampled_view *v);
size_t iv_sampled_drawn(const iv_sampled_view *v);

/*
 * How many documents of equal contribution would make the variance as unsure
 * as it is: (sum a)^2 / sum a^2 over a = (1 - pi) (u / pi)^2; 0 if all are 0.
 */
double iv_sampled_effective(const double *u, const iv_sampled_view *v);

/*
 * Average precision to a cut-off (0: none); total: iv_sampled_total() > 0.
 * u of the literal form is that of the printed variance, PC less AP.
 */
double iv_sampled_ap(double *u, const iv_sampled_view *v, double total, size_t cutoff,
                     iv_estimator estimator);

/* The variance that the paper prints for the literal form, from its u; absent:
 * documents of the sample that are not relevant and not among v's. */
double iv_sampled_printed_variance(const double *u, const iv_sampled_view *v, size_t absent);

/* Relevant documents down to a rank (0: all), over `over`. */
double iv_sampled_found(double *u, const iv_sampled_view *v, double cutoff, double over);

double iv_sampled_recall(double *u, const iv_sampled_view *v, double total, size_t cutoff);
double iv_sampled_rprec(double *u, const iv_sampled_view *v, double total);

/*
 * Discounts 1/log2(i + 1), summed: sum[i] is that of the first i.  Grows as
 * needed; {0} is empty.
 */
typedef struct iv_discounts {
    double *sum;
    size_t count, capacity;
} iv_discounts;

/*
 * nDCG to a cut-off (0: none), with gain[i] of each document of the sample;
 * the ideal ranking is that of the estimated number of documents of each gain.
 * order: room for v->count.  False when memory is out.
 */
bool iv_sampled_ndcg(double *value, double *u, const iv_sampled_view *v,
                     const double *gain, size_t cutoff, iv_discounts *d, uint32_t *order);

/*
 * The interval: Student's t on the logit scale for a share, on the logarithm
 * for a count (which is at least `least`); degrees of freedom are the mean of
 * `relevant` and `effective`, less 1.  Fills lower, upper and gap from the
 * other fields.
 */
void iv_estimate_interval(iv_estimate *e, bool count, double least, double confidence);

/* ---------------------------------------------------- sampled inferred -- */

/* TREC's estimates from strata, for one topic of one run. */

/* A document of the ranking that belongs to the frame. */
typedef struct iv_inferred_hit {
    size_t rank;     /* from 1 */
    uint32_t stratum;
    int32_t grade;   /* below 0: not in the sample */
} iv_inferred_hit;

/* A stratum, and what the ranking has shown of it so far. */
typedef struct iv_inferred_stratum {
    double size, sampled;      /* in all */
    double pooled, judged, relevant; /* seen */
    double gain;               /* discounted, of the judged ones seen */
} iv_inferred_stratum;

/* -------------------------------------------------------------- scores -- */

/* How runs are scored, and what is kept of each. */

/* The same for all runs of an evaluation; borrowed. */
typedef struct iv_task {
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
    iv_evaluating how;                /* without zeros for defaults */
} iv_task;

/* A row of values: which topic of the judgments, and of the run. */
#define IV_ABSENT UINT32_MAX
typedef struct iv_scored_topic {
    uint32_t judged;
    uint32_t in_run; /* IV_ABSENT: missing */
} iv_scored_topic;

/* One run.  Of complete judgments a value takes eight bytes. */
typedef struct iv_scores {
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
} iv_scores;

/* Scores a run; name stands in messages. */
IV_MUST_CHECK int iv_score_run(iv_scores **out, const char *name, const iv_run *run,
                               const iv_task *task, const iv_work *work, iv_err *err);
void iv_scores_free(iv_scores *s);

/* Adds counts, and what is odd, of some topics to those of topics before them. */
void iv_notes_add(iv_run_notes *sum, const iv_run_notes *part);

/* The value in a row. */
static inline double iv_scores_at(const iv_scores *s, const iv_task *task, size_t row,
                                  size_t i)
{
    const size_t at = row * task->width + i;

    return s->rows != NULL ? s->rows[at] : s->estimates[at].value;
}

/* Summarises runs: out[r * width + i]. */
IV_MUST_CHECK int iv_means(iv_mean *out, const iv_scores *const *runs, size_t count,
                           const iv_task *task, const iv_work *work, iv_err *err);

/* --------------------------------------------------------- sampled run -- */

/* Estimates for a topic of a run, and the workspace of one thread. */

/* One thread's memory. */
typedef struct iv_sampled_worker {
    iv_arena memory;
    const iv_task *task;
    iv_scorer *scorer; /* NULL: no complete measure is asked for */
    iv_join *join;
    size_t capacity;   /* documents of a topic's judgments */
    double *u, *gain, *rank, *sums, *complete;
    uint32_t *found, *order;
    iv_inferred_hit *hits;
    size_t hit_capacity;
    uint32_t *beyond;  /* of the first k documents, those outside of the frame */
    size_t beyond_capacity;
    iv_inferred_stratum *strata;
    double *grade_count; /* estimated documents of grade 1, 2, ... */
    size_t grades;     /* the largest grade of the judgments */
    iv_discounts discounts;
    /* The topic at work. */
    size_t topic;
    iv_sampling_topic sample;
    iv_joined joined;
    size_t retrieved;  /* documents looked at */
    iv_sampled_view view;
    bool frame_known;  /* which documents could be drawn */
    bool inferred_ready;
    size_t hit_count, stratum_count; /* one stratum: trec_eval's infAP */
    double relevant;   /* estimated documents */
} iv_sampled_worker;

double iv_inferred(const iv_sampled_worker *w, iv_sampled_kind kind, size_t cutoff);

int iv_sampled_worker_start(iv_sampled_worker *w, const iv_task *task, iv_err *err);
void iv_sampled_worker_end(iv_sampled_worker *w);

/*
 * Fills a row of estimates; run_topic IV_NONE: nothing is retrieved.  u: room
 * for width x documents of the topic, or NULL.
 */
int iv_sampled_estimate(iv_estimate *row, double *u, iv_sampled_worker *w,
                        const iv_run *run, size_t run_topic, size_t topic, iv_err *err);

/* ---------------------------------------------------------- evaluation -- */

/* What an evaluation keeps. */
struct iv_part_writer; /* estimate/part_file.h */
struct iv_evaluation {
    struct iv_part_writer *writer; /* takes scores, which are not kept then; NULL: none */
    iv_arena memory;         /* of the arrays below, and what is in them */
    iv_evaluated view;
    iv_task task;
    iv_judgments *judgments; /* read here; NULL: the caller's */
    iv_sampling *sampling;
    iv_measures *measures;   /* of complete judgments */
    iv_sampled_measures *estimated;
    iv_scores **scores;
    iv_evaluated_run *runs;
    char **names, **paths;
    iv_evaluated_measure *values;
    iv_mean *means;
    iv_str *topics;
    size_t *judged;          /* topics' places in the judgments, rising */
    iv_str *judged_names;    /* of judgments that were read in windows, with their bytes; NULL:
                                ask the judgments */
    iv_arena name_bytes;
    const iv_source *source; /* while runs are scored ... */
    const iv_work *work;     /* ... of one of them */
};

/* The name of a judged topic. */
static inline iv_str iv_judged_name(const iv_evaluation *e, size_t t)
{
    return e->judged_names != NULL ? e->judged_names[t] : iv_judgments_topic(e->task.judgments, t);
}

/* Room for what is told of runs and measures; then all of it, once runs are scored.  paths: of
 * the runs' files, NULL: they have none. */
IV_MUST_CHECK int iv_evaluation_room(iv_evaluation *e, iv_err *err);
IV_MUST_CHECK int iv_evaluation_finish(iv_evaluation *e, const char *const *paths,
                                       const iv_work *work, iv_err *err);

/* Can documents of the format have grades that are still to be filled in? */
bool iv_blanks_count(iv_judgments_format format);

/* Adds what judgments have to what e says of all of them: the largest grade and those above 0, the
 * most groups that a topic has, and with `blanks` documents whose grade is to be filled in. */
void iv_count_judgments(iv_evaluation *e, const iv_judgments *judgments, bool blanks);

/*
 * Topic `at_a` of run a beside topic `at_b` of run b.  IV_EARG as iv_rbo_of().  Ties
 * count in rank-biased overlap and the correlations; "the first" are as the run ranks
 * them.  n log n in the documents; asks work between its steps, each a second or less for a
 * million of them.
 */
IV_MUST_CHECK int iv_run_overlap(iv_overlapping *out, const iv_run *a, size_t at_a,
                                 const iv_run *b, size_t at_b, const iv_overlap_options *options,
                                 const iv_work *work, iv_err *err);

#endif /* IV_ESTIMATE_EVALUATION_PARTS_H */
