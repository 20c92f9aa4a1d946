/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of estimate share, and what other modules use of it. */
#ifndef IV_ESTIMATE_ESTIMATE_PRIVATE_H
#define IV_ESTIMATE_ESTIMATE_PRIVATE_H

#include "intervale/estimate.h"
#include "design/design_private.h"
#include "measure/measure_private.h"
#include "stat/machine/machine_private.h"
#include "stat/paired/paired_private.h"
#include "stat/prf/prf_private.h"
#include "stat/recall/recall_private.h"
#include "stat/sequential/sequential_private.h"

/* ------------------------------------------------------------ estimate -- */
/* What the other modules use of estimate beside what programs do. */

IV_ENDS(evaluation)

/* The same as words, static; empty when there is an interval. */
const char *iv_sampled_gap_text(iv_sampled_gap gap);

/*
 * The interval of a mean of these values, by their definition: of 0/1 values Wilson's
 * (guaranteed: exact), of others in [0, 1] IV_INTERVAL_AUTO (bounded), of geometric means t of
 * the logarithms (bounded), of any others the Studentised
 * bootstrap (guaranteed: IV_INTERVAL_NONE).
 */
iv_interval_method iv_usual_interval(const iv_value_info *value, bool guaranteed);

/* How far unjudged documents are counted: to the cut-off of the first measure, at least 10; to 10
 * where it has none, or one beyond 100, where much is unjudged in any collection.  NULL: 10. */
size_t iv_top_depth(const iv_value_info *first);

/*
 * The value of a topic with its uncertainty: of complete judgments variance 0 and
 * the value for lower and upper.  value is NaN where the run has no such topic.
 */
iv_estimate iv_evaluation_value(const iv_evaluation *e, size_t run, size_t measure,
                                       size_t topic);

/* Its bounds and its values over ties, where they were asked for; what a text
 * measure says of it, or NULL. */
iv_limits iv_evaluation_bounds(const iv_evaluation *e, size_t run, size_t measure,
                                      size_t topic);

iv_interval iv_evaluation_ties(const iv_evaluation *e, size_t run, size_t measure,
                                  size_t topic);

const char *iv_evaluation_text(const iv_evaluation *e, size_t run, size_t measure,
                                      size_t topic);

/* The run with that name, or else with that file (with or without its folder);
 * IV_NONE: there is none. */
size_t iv_evaluation_find(const iv_evaluation *e, const char *name);

/*
 * a - b over the topics that both have.  Runs on one sample err together, so the
 * errors are linearised together.  by_topic and variance (NaN: the run has no
 * such topic, or it is not known) have room for topic_count, or are NULL.
 * IV_EARG unless options.differences was set.  out: topics that both have, value, se and its parts.
 */
IV_MUST_CHECK int iv_evaluation_difference(iv_mean *out,
                                                  double *by_topic, double *variance,
                                                  const iv_evaluation *e, size_t measure,
                                                  size_t a, size_t b, iv_err *err);

/* What trec_eval prints, run after run: each topic, a summary, or both. */
IV_MUST_CHECK int iv_evaluation_write_trec(FILE *out, const iv_evaluation *e, bool topics,
                                           bool summary, iv_err *err);

/*
 * Writes the grid of a measure as a table that --scores reads, systems x
 * topics, in the given order of the runs (NULL: as they were given).
 */
IV_MUST_CHECK int iv_evaluation_write_matrix(const char *path, const iv_evaluation *e,
                                                    size_t measure, const size_t *order,
                                                    iv_err *err);

/*
 * Gives runs their names, all different: by tag, by file name where tags repeat,
 * then by path, then numbered.  paths[r] NULL: it has none.  The names are own's.
 */
IV_MUST_CHECK int iv_name_runs(const char **names, iv_arena *own, const iv_str *tags,
                               const char *const *paths, size_t count, iv_err *err);

/*
 * Reads a table, as iv_csv_load() does: id, gold (empty where nobody looked), the machine's column
 * and one for each system; without any the machine is the system.  `probability` is the column of
 * the probability with which an item was looked at (NULL: pi, if there is one); of the labels'
 * options gold, positive ("1") and systems count; confidence 0: .95.  IV_EPARSE for a column that
 * is missing, a cell of a system that is empty, a probability outside (0, 1]; IV_ENODATA where
 * fewer than two items were looked at.  *out is the caller's: iv_checked_free().
 */
IV_MUST_CHECK int iv_checked_load(iv_checked **out, const char *path, const char *machine,
                                  const char *probability, const iv_labels_options *labels,
                                  double confidence, const iv_work *work, iv_err *err);

void iv_checked_free(iv_checked *c);

/*
 * A judge (a model or an assessor) compared with a reference, on the documents that both
 * labelled: agreement, bias, calibration of labels, and its drift between
 * topics.  doc/methods/machine.md has the formulas.
 */

typedef struct iv_judge_options {
    int level;         /* lowest relevant grade of the reference; 0: 1, IV_ZERO: 0 */
    int judge_level;   /* the same of the judge; 0: as level, 1 if it has grades 0 and 1 only */
    iv_kappa_weights weights; /* of the graded kappa */
    double confidence; /* 0: 0.95 */
    bool by_topic;     /* the reference is a simple random sample of each topic's labels: pairs
                          are weighted accordingly */
} iv_judge_options;

/* One of the judge's labels. */
typedef struct iv_judge_label {
    int32_t label;       /* IV_GRADE_MIN: documents without one */
    size_t pairs;        /* documents that have it, of topics both have */
    size_t judged;       /* of them, labelled by the reference, too */
    iv_interval share; /* proportion of relevant ones among these */
    double grade;        /* mean of the reference's grades */
    const char *by;      /* whose it is, in tables of several judges; NULL */
} iv_judge_label;

/* How many pairs have these two labels. */
typedef struct iv_judge_cell {
    int32_t reference, judge;
    size_t pairs;
    double share; /* by weight, of all pairs */
    const char *by; /* as above */
} iv_judge_cell;

typedef struct iv_judge {
    size_t topics, pairs;
    size_t only_reference;   /* documents of these topics without a label of the judge */
    size_t topics_reference; /* topics without one */
    bool scored;         /* the judge's labels are scores, cut so that each grade is as
                            frequent as the reference's */
    int32_t level, judge_level; /* in use */
    bool constant;       /* the judge has one label for all */
    iv_agreement kappa;      /* of relevant or not */
    iv_agreement graded;     /* of the grades */
    iv_interval sensitivity, specificity;
    iv_interval bias;  /* proportion relevant by the judge minus that by the reference */
    iv_interval worth;   /* 1 / (1 - R^2), R^2 the proportion of the variance of the reference that
                            labels explain: of relevant or not; of the grades: */
    iv_interval worth_graded;
    /* Does a label mean the same in all topics?  How far the reference's positives of a topic are,
     * relatively, from what the other topics' calibration expects, beyond chance (0: no further),
     * and the test that it is chance; p NaN: fewer than three topics are informative. */
    double drift_sd;
    iv_test drift;
    iv_judge_label *labels;  /* by label */
    size_t label_count;
    iv_judge_cell *cells;    /* that occur */
    size_t cell_count;
    double *log_worth;       /* without one unit each (of grades), for comparing judges */
    const iv_judgments *grades; /* the judge's labels as grades: the file's, or scores that were
                                   cut; borrowed from either */
    /* While it is built: */
    iv_arena memory;
    iv_judgments *cut;       /* of scores; NULL: none */
    struct iv_judge_pair *pair; /* of documents, topic by topic */
    size_t *starts;
    iv_str *topic;
    iv_judge_options how;
} iv_judge;

/*
 * Compares labels.  Of a sample (prels, strata, a completed sample) pairs weigh 1 / pi.
 * `scored` says that the judge's are scores of iv_machine_labels_load().  name and
 * judge_name stand in messages.  *out is the caller's: iv_judge_free().  IV_ENODATA
 * where both share no topic or no document; IV_EARG for options outside their domain.
 */
IV_MUST_CHECK int iv_judge_new(iv_judge **out, const iv_judgments *reference,
                                      const char *name, const iv_judgments *judge, bool scored,
                                      const char *judge_name, const iv_judge_options *options,
                                      iv_err *err);

void iv_judge_free(iv_judge *j);

/*
 * Is judge b worth less than a on the same topics?  The difference of their log worth (graded),
 * with p of Student's t over topics left out; 1 where no topic makes a difference.  NaN where
 * they have not the same topics.
 */
double iv_judge_worse(const iv_judge *a, const iv_judge *b);

/*
 * Scores runs as iv_evaluate() does and writes every topic's scores; the file appears whole or not
 * at all. Files that are read some topics at a time (iv_source) are written so, too: no score is
 * kept in memory.  Intervals, bounds, ties and texts are not written.  Fails as iv_evaluate(), with
 * IV_EARG for sampled judgments, and with IV_EIO.  found may be NULL.
 */
IV_MUST_CHECK int iv_write_scores(const char *path, const struct iv_source *source,
                                         const struct iv_evaluating *options,
                                         iv_written_scores *found,
                                         const iv_work *work, iv_err *err);

/* ---------------------------------------------------------- evaluation -- */
/* An evaluation at work: the measures of a sample, the scores of runs, what is kept. */

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
    size_t count;
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

/* The arena's, which remembers if memory is out; scorer NULL: no complete measure is asked for. */
iv_sampled_worker *iv_sampled_worker_new(iv_arena *own, const iv_task *task, iv_scorer *scorer,
                                         iv_join *join);

/*
 * Fills a row of estimates; run_topic IV_NONE: nothing is retrieved.  u: room
 * for width x documents of the topic, or NULL.
 */
int iv_sampled_estimate(iv_estimate *row, double *u, iv_sampled_worker *w,
                        const iv_run *run, size_t run_topic, size_t topic, iv_err *err);

/* ---------------------------------------------------------- evaluation -- */

/* What an evaluation keeps. */
struct iv_part_writer;
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
    const char **names, **paths;
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

/* ----------------------------------------------------- incomplete runs -- */
/*
 * Is one run better than another, while not all of their documents are judged?
 *
 * Differences in average precision are random numbers (stat/incomplete.h); the
 * sign of the difference in their mean is known with some confidence, the
 * certainty.  A sign test on the topics' expected differences has then less
 * power than it seems: its effect size shrinks by 2 certainty - 1.
 *
 * Ref: Carterette and Smucker (2007), CIKM, sections 3.4 and 4.
 */

/* A pair of runs, a less b; fill in a and b, the rest is found. */
typedef struct iv_incomplete {
    size_t a, b;
    size_t topics;
    iv_moments difference;     /* of the mean over topics */
    double p_less;             /* P(difference < 0) */
    double certainty;          /* the larger of that and its complement */
    size_t wins, ties, losses; /* topics by the sign of the expected difference */
    double effect;             /* (wins - losses) / (wins + losses); NaN: none */
    double effect_adjusted;    /* effect (2 certainty - 1) */
    double topics_adjusted;    /* topics / (2 certainty - 1)^2; infinite at 1/2 */
    double p;                  /* of the sign test, as if the signs were known; NaN: all ties */
} iv_incomplete;

/*
 * Fills in `count` pairs of runs of p, from one inquiry about all runs, as `next` makes it.
 * O(m log m) for each pair of runs of p and topic of m documents.
 * alternative: of the sign test.  IV_EARG for a prior outside (0, 1).
 */
IV_MUST_CHECK int iv_incomplete_pairs(iv_incomplete *pairs, size_t count, const iv_pooled *p,
                                      const iv_inquiry_options *how, iv_alternative alternative,
                                      const iv_work *work, iv_err *err);

/* ------------------------------------------------------ label measures -- */
/*
 * Measures as functions of labels: the value and its gradient.
 *
 * A label x of a document is a number, at best from 0 to 1: whether its grade reaches a level, the
 * probability that it does, or an estimate of either.  Measures of several levels (nDCG, DCG,
 * graded RBP) have a label for each level and add a gain for each level that is reached.
 */

enum { IV_LABEL_LEVELS = 16 };

/* The ranked documents that have labels, or are in a frame, best first. */
typedef struct iv_label_ranking {
    uint32_t *document;
    double *rank; /* from 1 */
    size_t count;
    uint32_t *relevant; /* of a known frame: places in the two arrays above */
    size_t relevant_count;
} iv_label_ranking;

typedef enum iv_label_kind {
    IV_LABEL_P, IV_LABEL_RBP, IV_LABEL_DCG, IV_LABEL_AP, IV_LABEL_RECALL, IV_LABEL_RPREC,
    IV_LABEL_NDCG, IV_LABEL_OTHER
} iv_label_kind;

typedef struct iv_label_measure {
    iv_label_kind kind;  /* IV_LABEL_OTHER: not a function that is known here */
    size_t cutoff;       /* 0: none */
    size_t level, levels; /* the first level that counts, and how many */
    double persistence;  /* of RBP */
    double gain[IV_LABEL_LEVELS]; /* that each level adds */
} iv_label_measure;

/* The i-th measure, given the grades that are levels, rising; largest: the largest grade. */
iv_label_measure iv_label_measure_of(const iv_measures *m, size_t i, const int32_t *grade,
                                     size_t levels, int32_t largest);

/* Is the measure linear in the labels? */
bool iv_label_measure_linear(const iv_label_measure *m);

/* Sums of the discounts 1 / log2(i + 1): sums[k] is that of the first k ranks, k to `ranks`; NULL
 * when memory is out. */
double *iv_label_discounts(iv_arena *memory, size_t ranks);

/*
 * The value; x is level x count, of all levels.  u has room for m->levels x count and becomes the
 * gradient, from m->level on.  discounts must reach the largest rank and count, plus 1.
 * AP counts a document's own term in its precision as 1, which is exact for labels 0 and 1 and
 * removes the square of a label.  Discounts of an ideal ranking are linear between whole ranks.
 */
double iv_label_measure_value(double *u, const iv_label_measure *m, const double *x, size_t count,
                              const iv_label_ranking *r, const double *discounts);

/* ---------------------------------------------------------- review log -- */
/*
 * The judgments of a review in the order in which they were made: a table with the columns
 * stratum, relevant (a grade; level and above is relevant) and, if blocks were planned, block.
 * Within each stratum the order must be random.
 */

typedef struct iv_review_log {
    iv_arena own;
    iv_strata_table table;   /* with n and r as the log has them; its file is the log, its names
                                are borrowed from the first table */
    iv_review_blocks blocks; /* those that are whole */
    int64_t pending;         /* documents after them */
    /*
     * The p-value of "within each stratum the order is random": the smaller of two, doubled; the
     * ranks of relevant documents (Wilcoxon's test, stratified) and the number of their runs
     * (exact, Bonferroni's correction over strata).
     */
    double order;
} iv_review_log;

/*
 * Reads a log of the strata of a table of one run, which says how large they are; its n and r
 * must be 0 or those of the log.  Rows of one number of block, one after the other, are a
 * block; without that column a block ends when every stratum that is not finished has a
 * document in it.  IV_EPARSE, with the line, for a stratum that is not in the table, more
 * documents than it has, and a block that leaves one out; IV_EARG for a table of several runs.
 */
IV_MUST_CHECK int iv_review_log_load(iv_review_log **out, const char *path,
                                            const iv_strata_table *table, int64_t level,
                                            const iv_work *work, iv_err *err);
void iv_review_log_free(iv_review_log *l);

/* -------------------------------------------------------- review state -- */
/*
 * How complete was a review or a search?  From counts, from a table of strata, or from a ranking
 * and a judged sample to cases, each the two segments of a run (of a topic, at a cut-off); and
 * from cases to what each method finds.
 */

typedef struct iv_review_case {
    const char *run, *topic; /* topic NULL: not from a ranking */
    int64_t cutoff;          /* 0: not from a ranking */
    iv_segments segments;
    const char *const *strata; /* names of the strata, retrieved ones first; NULL: none */
    bool weighted;           /* sampled with unequal probabilities: the next two say it all */
    double recall, se;       /* ratio of Horvitz-Thompson estimators, linearised standard error */
    int64_t excluded;        /* documents of strata without a sample, which are skipped */
} iv_review_case;

typedef struct iv_review {
    iv_arena arena; /* of all that the cases point to, and of the notes */
    iv_review_case *cases;
    size_t count, capacity;
    iv_words notes; /* what was left out or odd on the way to the cases, in sentences */
} iv_review;

/* One case, "review", from N, n, r of both segments.  IV_EARG, IV_ENODATA. */
IV_MUST_CHECK int iv_review_counts(iv_review **out, iv_stratum retrieved,
                                          iv_stratum unretrieved,
                                          iv_unsampled unsampled, iv_err *err);

/* A case for each run of a table.  IV_ENODATA, or IV_EPARSE of a file, for a
 * segment without a document and for strata that are refused. */
IV_MUST_CHECK int iv_review_strata(iv_review **out, const iv_strata_table *table,
                                          iv_unsampled unsampled, iv_err *err);

/* A ranking and judgments of a random sample of the collection. */
typedef struct iv_review_sample {
    const iv_run *run;
    const iv_judgments *judgments;
    const char *run_name, *sample_name; /* for messages; NULL: "run", "sample" */
    int64_t collection;     /* documents; 0: those the run ranks, topic by topic */
    iv_integers at;         /* cut-offs; none: all that is ranked */
    int64_t drawn_at;       /* the sample was drawn apart from the first so many
                               and from the others; 0: from all together */
    int64_t level;          /* least grade that is relevant; 0: 1 */
    iv_unsampled unsampled;
    iv_unjudged unjudged;   /* sampled documents with a grade below 0 */
    /* A machine's labels: each side of a cut-off falls into what it calls relevant (from
     * machine_level on; 0: as level) and the rest; NULL: none. */
    const iv_judgments *machine;
    int64_t machine_level;
} iv_review_sample;

/*
 * A case for each topic and cut-off.  IV_EARG for a sample with unequal
 * probabilities on a side of drawn_at, or larger than the collection; IV_ENODATA
 * for what is refused, and when nothing is left.
 */
IV_MUST_CHECK int iv_review_ranking(iv_review **out, const iv_review_sample *in,
                                           iv_err *err);

/* Frees it and what is borrowed from it. */
void iv_review_free(iv_review *r);

/* ----------------------------------------------------------- findings -- */

/* { 0 } and NULL are the default. */
typedef struct iv_review_options {
    iv_recall_options how; /* IV_RECALL_ALL: every method in turn, and with a
                              prior the default with it as well */
    double target;         /* for p_target; 0: none */
    double beta;           /* F-beta beside F1; 0: none */
    size_t curves;         /* of how many posteriors, at most */
} iv_review_options;

/* A measure, or a number of relevant documents. */
typedef struct iv_review_quantity {
    /* Whose row it is.  method: as the library names it, or betabin-prior. */
    const char *run, *method, *topic;
    int64_t cutoff;
    size_t item; /* the index of the case */
    iv_recall_method number; /* of the method */
    const char *name; /* recall, precision, f1, ...; retrieved, unretrieved, all */
    double estimate;  /* plain; NaN: none */
    double lower, upper;
    /* Of the interval of recall by a method: */
    double confidence;
    double prior_share;  /* NaN: no posterior */
    double p_target;     /* P(recall >= target); NaN: not asked */
} iv_review_quantity;

/* A point of the density of recall, precision or F. */
typedef struct iv_review_point {
    const char *name; /* of the case and its method */
    const char *quantity;
    double x, density, lower, upper;
} iv_review_point;

/* Rows in the order of the cases, and of the methods in them. */
typedef struct iv_review_findings {
    iv_arena own; /* all that it points to */
    iv_review_quantity *intervals, *measures, *yields;
    iv_review_point *points;
    size_t interval_count, measure_count, yield_count, point_count;
    const char **refused; /* "METHOD: why", of the methods that gave no row; with
                             IV_RECALL_ALL only, else that is an error */
    size_t refused_count;
} iv_review_findings;

/*
 * What the methods find.  *out borrows from r and is the caller's:
 * iv_review_findings_free().  Errors as iv_recall_interval_of().
 */
IV_MUST_CHECK int iv_review_find(iv_review_findings **out, const iv_review *r,
                                        const iv_review_options *o, const iv_work *work,
                                        iv_err *err);
void iv_review_findings_free(iv_review_findings *f);

/*
 * Limits of a case with unequal probabilities: normal on the logit scale (Sarndal, Swensson and
 * Wretman 1992, section 5.6, for the variance); [0, 1] where recall is estimated at 0 or 1.
 */
iv_limits iv_review_weighted(const iv_review_case *c, double confidence, bool one_sided);

/* The default method: betabin-half for one stratum a segment, else betabin-weighted. */
iv_recall_method iv_recall_usual(const iv_segments *s);

/* Strata that are not fully judged. */
size_t iv_segments_unknown(const iv_segments *s);

/* ------------------------------------------------------- sampled frame -- */
/*
 * Frames whose relevant documents are known, all of them or a sample, and
 * where runs rank them: what plans and studies of sampling start from.
 */

typedef struct iv_known_topic {
    iv_arena memory;  /* of the arrays here, and of the topic's rankings */
    iv_str id;
    const iv_frame_document *documents;
    size_t count;
    bool *relevant;   /* known to be */
    double *weight;   /* 1/pi of a judged document; 0: not judged */
    uint32_t *known;  /* the relevant ones, in the order of the frame */
    size_t known_count;
    double total;     /* relevant documents in all, estimated from them */
    size_t outside;   /* relevant documents that are not in the frame */
} iv_known_topic;

typedef struct iv_known_frame {
    iv_known_topic *topics;
    size_t topic_count;
    size_t without;   /* topics of the frame without a relevant document */
    size_t unjudged;  /* topics of the frame without judgments */
    size_t inside, outside; /* relevant documents of judged topics: in the frame, not */
    size_t runs;
    iv_label_ranking *rankings; /* rankings[run * topic_count + topic] */
    const iv_run *const *ranked; /* while it is built ... */
    bool relevant_only;          /* ... with these documents alone */
} iv_known_frame;

/*
 * Topics of the frame with a relevant document (grade at least 1), or all that have
 * judgments (without_too).  Rankings of the runs to their full depth; with
 * `relevant_only` they hold relevant documents and no others.  The frame must outlive *out.
 */
int iv_known_frame_new(iv_known_frame **out, const iv_frame *frame,
                       const iv_sampling *judged, const iv_run *const *runs, size_t count,
                       bool without_too, bool relevant_only, const iv_work *work, iv_err *err);
void iv_known_frame_free(iv_known_frame *f);

static inline const iv_label_ranking *iv_known_ranking(const iv_known_frame *f, size_t run,
                                                       size_t topic)
{
    return &f->rankings[run * f->topic_count + topic];
}

/* Average precision if what is known were all, at weights 1. */
double iv_known_ap(const iv_known_topic *t, const iv_label_ranking *r);

/* -------------------------------------------------------------- source -- */
/* What a caller can get wrong in an iv_source and in an iv_evaluating, for IV_CHECK(). */

/* of: the member of T that is one, with its dot; nothing: T itself. */
#define IV_SOURCE_PARTS(T, of)                                                          \
    IV_PART_OF(T, of runs, PATHS, "run"),                                               \
    IV_LIST_OF(T, of ranked, of ranked_count, EACH, "run"),                             \
    IV_PART_OF(T, of judgments, PATH, "the judgments"),                                 \
    IV_PART_OF(T, of parts, PATHS, "part"),                                             \
    IV_CHOICE_OF(T, of judgments_format, iv_judgments_format_names,                     \
                 "the format of the judgments"),                                        \
    IV_CHOICE_OF(T, of run_format, iv_run_format_names, "the format of the runs")

#define IV_EVALUATING_PARTS(T, of)                                                      \
    IV_PART_OF(T, of measures, TEXTS, "measure"),                                       \
    IV_CHOICE_OF(T, of measure.dialect, iv_dialect_names, "the dialect"),               \
    IV_CHOICE_OF(T, of interval, iv_interval_names, "the interval of means"),           \
    IV_PART_OF(T, of resampling.confidence, CONFIDENCE, "the confidence"),                    \
    IV_CHOICE_OF(T, of estimator, iv_estimator_names, "the estimator"),                 \
    IV_PART_OF(T, of also, PATH, "the additional judgments"),                           \
    IV_CHOICE_OF(T, of unjudged, iv_unjudged_names, "what to do with unjudged documents")

/* ------------------------------------------------------ two phase runs -- */
/*
 * Runs scored with automatic labels (of a language model) of all documents and human labels of a
 * random sample: both together, human labels alone, automatic labels alone.
 *
 * Of a sample of documents both are joined by the difference estimator, of whole topics by the
 * regression estimator (stat/two_phase.h).  doc/methods/machine.md has formulas and coverage.
 */

/* One measure of one run, or of a difference of two; NaN stands for what there is not. */
typedef struct iv_two_phase_mean {
    size_t topics;        /* that the mean is over */
    double value, se, df, lower, upper; /* human and automatic labels */
    double p;             /* of a difference: that it is 0 */
    double human, human_se, human_lower, human_upper; /* human labels alone */
    double automatic;     /* automatic labels alone: they have no interval */
    double bias;          /* automatic - value */
    double width;         /* of the interval, over that of human labels alone */
    double rho;           /* of whole topics: correlation of human and automatic values */
    bool first_order;     /* of a sample of documents and a measure of all relevant ones */
    const char *reason;   /* why there is no interval; NULL: there is one */
    double needed;        /* human labels for an interval of this measure; NaN: there are enough */
} iv_two_phase_mean;

/* The documents with automatic labels, topic by topic. */
typedef struct iv_label_population {
    struct iv_population_topic *topics;
    size_t topic_count, most; /* documents of the largest topic */
    uint32_t groups;          /* of automatic labels */
    int32_t level[IV_LABEL_LEVELS]; /* grades above 0 of the sample, rising */
    size_t levels;
    size_t *labelled_topic; /* of each topic, its place among those of the labels */
    size_t *starts;         /* of each topic's sampled documents; the last: all */
    size_t labelled, labels; /* documents; of them with human labels */
    size_t judged;          /* topics with human labels */
    size_t no_human;        /* topics that are excluded, without human labels */
    size_t outside;         /* human labels of documents without an automatic one */
    size_t below_half;      /* topics of which fewer than half have a human label */
    int32_t largest;        /* human grade */
} iv_label_population;

typedef struct iv_two_phase {
    const iv_evaluation *runs;      /* names, measures and what is unusual of the runs: by human
                                       labels of whole topics, else by automatic ones */
    const iv_evaluation *automatic;
    iv_judge **judges;              /* agreement, one a file */
    uint64_t *bytes;                /* of the files */
    uint64_t human_bytes;
    iv_machines how;                /* its design is that in use; STATED: that of a file of sampled
                                       judgments */
    iv_label_population population; /* of whole topics counts alone */
    /* While it is built and asked: */
    iv_arena memory;
    iv_evaluating o;
    double confidence;
    iv_judgments *labels;           /* automatic ones */
    bool scored;
    size_t run_count, measures;
    /* Of whole topics: the topics with human values first. */
    double *by_human;               /* [(run x measures + measure) x judged + topic] */
    double *by_machine;             /* the same x topics */
    /* Of documents, with automatic labels and of human labels alone. */
    double *value[2], *influence[2]; /* [(run x measures + measure) x topics + topic] */
    double *document[2];            /* the same by sampled document */
    const iv_label_measure *kinds;
    const iv_source *source;        /* while runs are read ... */
    const double *discounts;
    size_t depth;                   /* ... and how far */
} iv_two_phase;

/*
 * Scores the runs.  Errors as iv_evaluate() and iv_judge_new().  IV_EARG where human labels cover a
 * part of the labelled documents and no design is given; IV_ENODATA where the sample contradicts
 * the design (iv_selection_test_of()), for fewer than four topics, and where no document of the
 * runs has a label.  *out is the caller's: iv_two_phase_free().
 */
IV_MUST_CHECK int iv_two_phase_new(iv_two_phase **out, const iv_source *source,
                                          const iv_machines *machines,
                                          const iv_evaluating *options, const iv_work *work,
                                          iv_err *err);
void iv_two_phase_free(iv_two_phase *a);

/* The mean of a measure of a run, or the difference of two on the topics of both, run - less;
 * IV_NONE: none is less. */
IV_MUST_CHECK int iv_two_phase_mean_of(iv_two_phase_mean *out, const iv_two_phase *a,
                                       size_t measure, size_t run, size_t less, iv_err *err);

/* Parts of the variance of a mean of documents sampled at random or by topic: of topics, which more
 * labels do not remove and which is at least that by automatic labels alone; of documents, which
 * falls with 1 / labels - 1 / labelled; and that of human labels alone.  Human labels, and those a
 * topic, below which there is no interval.  IV_EARG for another design. */
IV_MUST_CHECK int iv_two_phase_parts_of(double parts[3], double *least, double *least_each,
                                        const iv_two_phase *s, size_t run, size_t measure,
                                        iv_err *err);

/* The least coverage among what is shown, over truths, where it is known; 1 if guaranteed. */
double iv_prf_least(const iv_prf_evaluation *e);

#endif
