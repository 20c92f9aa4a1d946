/* SPDX-License-Identifier: Apache-2.0 */
/* What only the files of estimate share. */
#ifndef IV_ESTIMATE_ESTIMATE_PARTS_H
#define IV_ESTIMATE_ESTIMATE_PARTS_H

#include "estimate/estimate_private.h"

/* ------------------------------------------------ difference estimator -- */
/*
 * The difference estimator of a measure: automatic labels of all documents, human ones of a random
 * sample of them.
 *
 * p is the probability that a document's grade reaches a level, by a logistic model with the
 * document's automatic label, its rank in the run and a random effect of its topic, fitted to the
 * human labels.  A topic's value is the measure at p, with human labels in their places, plus its
 * gradient times the residuals y - p of the sampled documents times 1/pi - 1, for those not
 * sampled: the difference estimator of a measure that is linear in the labels, first order for any
 * other. Influences of topics include the estimation of the model, each topic's by leaving it out.
 * doc/methods/machine.md has formulas and coverage.
 *
 * Refs: Sarndal, Swensson and Wretman (1992), Model Assisted Survey Sampling, ch. 6 and 8;
 * Lehtonen, Sarndal and Veijanen (2003), Survey Methodology 29; Stiratelli, Laird and Ware (1984),
 * Biometrics 40; Bell and McCaffrey (2002), Survey Methodology 28.
 */

/* Automatic labels are told apart up to so many; a document without one has its own. */
enum { IV_LABEL_GROUPS = 20 };

/* Adds a grade to a list without repeats, rising, unless it has `most` of them; how many it has. */
size_t iv_note_grade(int32_t *list, size_t count, size_t most, int32_t grade);

/* A topic's documents; those of the human sample have a grade. */
typedef struct iv_population_topic {
    size_t count, sampled;
    uint32_t *label;   /* of each document: its group */
    int32_t *grade;    /* below 0: not sampled */
    double *pi;        /* inclusion probability */
    uint32_t *sample;  /* the documents sampled, rising */
    iv_str *docno;     /* of each document */
} iv_population_topic;

/* One run.  rankings[t].document NULL: the run does not have the topic. */
typedef struct iv_difference_task {
    const iv_label_population *population;
    const iv_label_ranking *rankings;
    const iv_label_measure *measures;
    size_t measure_count;
    const double *discounts; /* to the largest rank and count, plus 1 */
    /* use the automatic labels; else human ones alone, by the same model */
    bool automatic;
} iv_difference_task;

/*
 * Fills value and influence, measure x topic, NaN for topics that the run does not have: the mean
 * of the values estimates the measure, and the sum of squared influences over n (n - 1) is its
 * variance over samples of topics and of documents.  document, measure x sampled documents (topic
 * by topic), becomes the influence of each sampled document on the mean, for this fixed
 * set of topics.  IV_ENOMEM.
 */
IV_MUST_CHECK int iv_difference_estimate(double *value, double *influence, double *document,
                                         const iv_difference_task *task, iv_err *err);

/* ---------------------------------------------------- label population -- */
/* The documents with automatic labels, and which of them have human ones: by which design. */

/*
 * Lists documents and checks that the sample can be what the design says, or sampling (NULL:
 * another design than STATED).  In memory that own frees.  IV_ENODATA for fewer topics than
 * IV_TWO_PHASE_LEAST and where human labels follow automatic ones, or topics, as chance would not.
 */
IV_MUST_CHECK int iv_label_population_list(iv_label_population *out, iv_arena *own,
                                           const iv_judgments *human, const iv_judgments *labels,
                                           bool scored, iv_human_design design,
                                           const iv_sampling *sampling, iv_err *err);

/* Counts, and nothing else: labelled documents of the topics that have human labels, and of them
 * those with human ones; labels of others; topics of which fewer than half have one. */
iv_label_population iv_label_coverage_of(const iv_judgments *human, const iv_judgments *labels);

/* ----------------------------------------------------------- part file -- */
/*
 * The file of a part: magic, version, then blocks, each with its kind, length and checksum.
 * Numbers are little-endian; texts have their length before them.
 */

enum { IV_PART_VERSION = 2 };
enum { IV_PART_HEAD = 1, IV_PART_ROWS = 2, IV_PART_TAIL = 3 };

/* How a run stands to a judged topic. */
enum { IV_STATE_ABSENT, IV_STATE_SCORED, IV_STATE_EMPTY /* missing, and counted */ };

/* ------------------------------------------------------------- writing -- */

typedef struct iv_part_writer iv_part_writer;
struct iv_part_writer {
    iv_outfile *file;
    const char *path;
    char *block; /* that is being filled */
    size_t len, room;
    bool failed; /* memory was out */
    iv_written_scores found;
};

/* Begins the file of p->path. */
IV_MUST_CHECK int iv_part_begin(iv_part_writer *p, iv_err *err);

/* Measures and how they were computed, the judgments, the runs. */
IV_MUST_CHECK int iv_part_head(iv_part_writer *p, const iv_evaluation *e, iv_err *err);

/* Topics of the judgments and every run's scores of them. */
IV_MUST_CHECK int iv_part_rows(iv_part_writer *p, const iv_judgments *j,
                               iv_scores *const *scores, size_t runs, size_t width, iv_err *err);

/* What is told of each run and of all judgments; makes the file appear. */
IV_MUST_CHECK int iv_part_end(iv_part_writer *p, const iv_evaluation *e, iv_err *err);

void iv_part_abandon(iv_part_writer *p);

/* ------------------------------------------------------------- reading -- */

/* A block's bytes as they are taken one after another; `bad` once there were too few. */
typedef struct iv_part_block {
    uint32_t kind;
    const char *at, *end;
    bool bad;
} iv_part_block;

uint64_t iv_part_u64(iv_part_block *b);

/* What a block's bytes must have. */
uint64_t iv_part_checksum(const char *bytes, size_t len);

/* The evaluation that parts make up: iv_source has the rules. */
IV_MUST_CHECK int iv_evaluate_parts(iv_evaluation **out, const iv_texts *parts,
                                    const iv_evaluating *o, const iv_work *work, iv_err *err);

/* ---------------------------------------------------------- prf making -- */
/* An evaluation of counts or labels while it is made. */

/* What an estimate's posterior is made of. */
typedef struct iv_prf_exact {
    iv_prf_cells cells;
    iv_prf_metric metric;
    iv_prf_counts counts; /* that the metric is binomial in; tp < 0: none */
} iv_prf_exact;

typedef struct iv_prf_making {
    iv_prf_evaluation out; /* first: the caller holds its address */
    iv_arena texts; /* and draws */
    iv_ids names; /* of the systems */
    iv_prf_exact *exact; /* of each estimate */
    iv_words notes;
    size_t system_room, estimate_room, exact_room, pair_room, best_room, alone_room, input_room;
    iv_posterior *posteriors; /* of the estimates that are not drawn or jackknifed */
    /* How to make it. */
    iv_work one;            /* thread, with the seed that was given */
    iv_texts wanted;        /* metrics; none: all */
    iv_prf_metric *metrics;
    size_t metric_count, averaged; /* the first of them, which do without TN, have averages */
    iv_labels *owned;   /* read from a file */
    iv_prf_items items; /* of labels; items.items 0: counts */
} iv_prf_making;

const char *iv_prf_keep_name(iv_prf_making *k, iv_prf_metric m, const char *what);

/* Is the metric among those that are named, if any are?  f1 names f1[...] too, except of
 * binary labels, where it is that of the positive class. */
bool iv_prf_wanted(const iv_prf_making *k, const char *metric);

/* Reads all input. */
IV_MUST_CHECK int iv_prf_read(iv_prf_making *k, const iv_prf_input *in, bool paired,
                              const iv_work *work, iv_err *err);

/* Pairs and P(best): on different items, on the same, and of counts of the same. */
IV_MUST_CHECK int iv_prf_make_different(iv_prf_making *k, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_prf_make_same(iv_prf_making *k, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_prf_make_alone(iv_prf_making *k, iv_err *err);

/* --------------------------------------------------------------- range -- */
/* Bounds and ties: which values have them, and those of a topic. */

/* --------------------------------------------------------- range kinds -- */

/* What bounds and ties need to know of a measure and of a topic. */
enum { IV_RANGE_GRADES = 256 }; /* so many different grades are tried */

/* One value with its parameters. */
typedef struct iv_range_value {
    const iv_measures *measures;
    size_t index;
    iv_range_kind kind;
    size_t cutoff;      /* SIZE_MAX: none */
    size_t depth;       /* documents looked at; SIZE_MAX: all */
    int32_t level;
    bool binary;        /* RBP with rel= */
    bool judged_only;
    double persistence;
    int32_t max_grade;  /* of RBP and ERR */
} iv_range_value;

/*
 * Describes the i-th value; kind IV_RANGE_NONE where there are no bounds (or
 * no ties) for it.
 */
iv_range_value iv_range_value_of(const iv_measures *m, size_t i, int32_t largest,
                                 bool ties);

/* Are there bounds, or values over ties, for the i-th value? */
bool iv_has_bounds(const iv_measures *m, size_t i, int32_t largest);
bool iv_has_ties(const iv_measures *m, size_t i, int32_t largest);

/* Why there are no bounds, as the end of a sentence; NULL: there are, or it is not known. */
const char *iv_why_no_bounds(const iv_measures *m, size_t i, int32_t largest);

/* A topic's ranking: the grade at each rank from 0; -1: not judged. */
typedef struct iv_graded {
    const int32_t *grade;
    size_t n;
    const iv_judgment *judged; /* all of the topic */
    size_t judged_count;
    const size_t *end; /* of ties: group k, of equal score, ends before rank end[k], from 0 */
    size_t groups;
} iv_graded;

/* How many judged documents are relevant at a level, retrieved or not. */
size_t iv_graded_relevant(const iv_graded *g, int32_t level);

/* ----------------------------------------------------------------- bounds -- */

/*
 * AP, with so many judged documents relevant in all, and R-precision; least and most: how many of
 * the unjudged can be relevant.  room: 2 (n + 1) doubles.  doc/methods/bounds-and-ties.md has the
 * reasons.
 */
iv_limits iv_bounds_ap(const iv_range_value *v, const iv_graded *g, size_t judged_relevant,
                       size_t least, size_t most, double *room);

/*
 * AP_IA.  An unjudged document may be relevant to each subtopic or not, whatever it is to
 * the others, so that the bounds are the means of those of the subtopics' AP; so may a
 * judged one with a grade below 0 for a subtopic, to that alone.  judged: of the whole
 * topic, by document; scratch: n grades.
 */
iv_limits iv_bounds_ap_ia(const iv_range_value *v, const iv_graded *g, const iv_hit *hits,
                          int32_t largest, int32_t *scratch, double *room);
iv_limits iv_bounds_rprec(const iv_range_value *v, const iv_graded *g, size_t least, size_t most);

/*
 * nDCG over the grades given, ascending.  room: iv_bounds_ndcg_room() doubles.
 */
size_t iv_bounds_ndcg_room(size_t n, size_t judged);
iv_limits iv_bounds_ndcg(const iv_range_value *v, const iv_graded *g,
                         const int32_t *grades, size_t grade_count, double *room);

/* ------------------------------------------------------------------- ties -- */

/*
 * The expected value over the orders within groups.  g has each group in the
 * order that gives the highest value, which is `highest`.  room: n + 1 doubles.
 */
double iv_expected(const iv_range_value *v, const iv_graded *g, double highest, double *room);

/* -------------------------------------------------------------- ranges -- */

/*
 * How far a topic's values could be: over what its unjudged documents might
 * turn out to be (bounds), and over the orders of tied documents (ties).
 */

/* The memory that this reuses; one a thread. */
typedef struct iv_ranges iv_ranges;

/* The arena's; NULL when memory is out.  The measures and the scorer must outlive it; the scorer is
 * used. */
iv_ranges *iv_ranges_new(iv_arena *own, const iv_measures *m, iv_scorer *scorer, int32_t largest);

/* Fill one entry a value; row holds the topic's values as scored. */
int iv_ranges_bounds(iv_limits *out, iv_ranges *r, const iv_joined *topic,
                     const double *row, iv_err *err);
int iv_ranges_ties(iv_interval *out, iv_ranges *r, const iv_joined *topic,
                   const double *row, iv_err *err);

/* Where nothing can change: the value itself, or NaN for other measures. */
void iv_ranges_fixed(iv_limits *bounds, iv_interval *ties, const iv_ranges *r, size_t i,
                     double value);

/* ------------------------------------------------------- score windows -- */
/* Evaluating files sorted by topic in bounded memory. */

/* Puts judged topics that came in another order into that of bytes, with all scores. */
IV_MUST_CHECK int iv_sort_topics(iv_evaluation *e, iv_err *err);

#endif
