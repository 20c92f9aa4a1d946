/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of study share, and what other modules use of it. */
#ifndef IV_STUDY_STUDY_H
#define IV_STUDY_STUDY_H

#include "active/pilot.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/answer.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/linear.h"
#include "result/answering.h"
#include "simulate/simulation.h"
#include "stat/agreement.h"
#include "stat/incomplete/ap_belief.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/interval/limits.h"
#include "stat/interval_methods.h"
#include "stat/machine/regression_mean.h"
#include "stat/pair_tests.h"
#include "stat/paired/pair_p.h"
#include "stat/prf/prf_draws.h"
#include "stat/prf/prf_posterior.h"
#include "stat/rank_agreement.h"
#include "stat/recall/elusion.h"
#include "stat/recall/recall_limits.h"
#include "stat/recall/recall_methods.h"
#include "stat/recall/recall_outcomes.h"
#include "stat/scored/scored.h"
#include "stat/sequential/anytime.h"
#include "stat/sequential/interim.h"
#include "stat/sequential/stopping.h"
#include "stat/sign_power.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "trec/score_table.h"
#include "trec/trec_ends.h"

/*
 * Studies: experiments on the methods of the library.  Not part of the public interface.
 *
 * An experiment is a generator of data whose truth is known, the methods that are tried on
 * it, and a setting.  Each method becomes one row: how often its interval contained the truth
 * (or how often a test or rule decided), how often the truth was below and above, the mean
 * width and the bias.  All studies fill the same table.
 */

/* ---------------------------------------------------------------- question -- */

typedef enum iv_study_kind {
    IV_STUDY_COVERAGE, /* all of the others on simulated data, and AUC, agreement, clusters */
    IV_STUDY_RECALL,
    IV_STUDY_MAP,
    IV_STUDY_PRF,
    IV_STUDY_POWER,
    IV_STUDY_SAMPLING,
    IV_STUDY_JUDGING,
    IV_STUDY_STOPPING,
    IV_STUDY_MACHINE,
    IV_STUDY_OTHERS,   /* AUC, agreement, clusters: only by coverage */
    IV_STUDY_PLANS,
    IV_STUDY_GATES,
    IV_STUDY_JUDGED,
    IV_STUDY_WATCH,
    IV_STUDIES
} iv_study_kind;

/* "coverage", "recall", "map", ...; ends with NULL. */
const char *const *iv_study_names(void);

/* What to study; {0} of a study are its own sizes on simulated data. */
typedef struct iv_study_question {
    iv_study_kind study;
    iv_texts only;       /* of coverage: names of studies; none: all */
    iv_texts settings;   /* only settings that begin with one of these */
    iv_texts methods;    /* only these */
    iv_texts measures;   /* none: the study's own */
    iv_integers n;       /* sizes of samples; none: the study's own */
    size_t replicates;   /* of each setting; 0: the study's own */
    bool quick;          /* a twentieth of the replicates */
    double confidence;   /* 0: 0.95 */
    /* Data that are given instead of simulated ones. */
    const char *scores;  /* a matrix of scores, systems x topics */
    iv_score_rows by;
    const char *judgments; /* complete judgments of the runs' documents */
    iv_texts runs;
    iv_machines machine;
    int32_t level;       /* lowest relevant grade; 0: 1 */
    iv_texts rankings;   /* of stopping: labelled rankings, or "simulated" */
    double target;       /* of these: recall; 0: 0.8 */
} iv_study_question;

/* Tables rates and summary, and those that a study has besides. */
IV_MUST_CHECK int iv_study_answer(iv_result *out, const iv_study_question *q,
                                  const iv_work *work, iv_err *err);

/* ------------------------------------------------------------- experiments -- */

enum { IV_STUDY_TEXT = 72 };

/* One method in one setting. */
typedef struct iv_rate {
    const char *study;
    char quantity[IV_STUDY_TEXT]; /* what the interval is of, or what is decided */
    char method[IV_STUDY_TEXT];
    char data[IV_STUDY_TEXT];     /* the kind of data: "lognormal", "legal", a file's name */
    char setting[IV_STUDY_TEXT];  /* "25 topics" */
    double nominal;               /* what the rate should be */
    double rate, se;              /* of intervals that contain the truth; of decisions */
    double below, above;          /* truths below and above the interval; NaN: not counted */
    double least;                 /* least rate among the cases averaged; NaN: one case */
    double width;                 /* mean; NaN: no intervals */
    double bias;                  /* mean of estimate - truth; NaN: not known */
    double without;               /* proportion of replicates without an interval */
    double documents;             /* mean number judged; NaN: not counted */
    size_t replicates;            /* SIZE_MAX: all outcomes are enumerated */
} iv_rate;

/* Intervals of one method, counted. */
typedef struct iv_tally {
    size_t intervals, without, below, above, estimates;
    double width, error;
} iv_tally;

/* Counts an interval; limits that are NaN count as none.  An estimate of NaN has no bias. */
void iv_tally_interval(iv_tally *t, double estimate, double lower, double upper, double truth);

/* Counts a decision, and how many documents were judged for it (0: not counted): the rate is
 * how often it was made. */
void iv_tally_decision(iv_tally *t, bool made, double documents);

/* A study at work. */
typedef struct iv_study {
    const iv_study_question *q;
    const char *name;        /* of the study whose rows are made */
    iv_result *out;
    iv_arena own;
    iv_rate *row;
    size_t rows, capacity;
    double confidence;
    const iv_work *work;     /* of the study whose rows are made */
    iv_stage stage;          /* of a step */
    iv_nested_work nested;
    size_t step, steps;
    iv_score_grid population; /* simulated scores, once they are needed */
} iv_study;

/* A method of an experiment: what its intervals are of, and its name. */
typedef struct iv_studied {
    const char *quantity, *method;
    bool decides; /* the tally counts decisions, with `nominal` as their rate */
    double nominal;
} iv_studied;

/* Arrays that a replicate works in. */
typedef struct iv_study_room {
    double *x, *y;
    size_t *index;
    uint32_t *word;
    bool *flag;
} iv_study_room;

/* Of so many elements each, in that order. */
enum { IV_ROOM_ARRAYS = 5 };
iv_study_room *iv_study_room_new(iv_arena *own, const size_t sizes[IV_ROOM_ARRAYS]);

/*
 * replicate() adds to one tally a method; memory is the thread's.  The streams depend on the
 * names of study, data and setting and on the replicate's number alone.
 */
typedef struct iv_experiment {
    const char *data;
    const iv_studied *methods;
    size_t count, replicates; /* a twentieth of them when quick */
    int (*replicate)(iv_tally *tallies, void *user, void *memory, iv_stream *stream, iv_err *err);
    void *user;
    void *(*memory)(iv_arena *own, void *user); /* NULL: an iv_study_room of these sizes */
    size_t room[IV_ROOM_ARRAYS];
} iv_experiment;

/* Runs it, unless its setting is not asked for, keeps its rows and ends a step. */
IV_MUST_CHECK int iv_experiment_run(iv_study *s, const iv_experiment *e, iv_err *err,
                                    const char *setting, ...) IV_PRINTF(4, 5);

/* A row that a study filled by other means; quantity and method as they are named. */
iv_rate *iv_study_row(iv_study *s, const char *quantity, const char *method, const char *data,
                      const char *setting, ...) IV_PRINTF(5, 6);

/* Is this setting, or this method, asked for? */
bool iv_study_wants(const iv_study *s, const char *setting);
bool iv_study_wants_method(const iv_study *s, const char *method);

/* 1 - confidence, without what binary fractions add. */
double iv_study_alpha(const iv_study *s);

/* Of the number of replicates: as asked for, as given, or a twentieth. */
size_t iv_study_size(const iv_study *s, size_t full);

/* Steps take alike of the study's time. */
void iv_study_steps(iv_study *s, size_t steps);
void iv_study_step_done(iv_study *s);

/*
 * Scores that stand for a population of topics: the matrix that was given, or average
 * precision of 20 simulated runs.  *data says which.
 */
IV_MUST_CHECK int iv_study_population(const iv_score_grid **out, const char **data, iv_study *s,
                                      iv_err *err);

/* The effect of a pair of systems: mean over standard deviation of their differences. */
double iv_study_effect(const iv_score_grid *x, size_t a, size_t b);

/* Average precision of simulated runs, in the arena. */
IV_MUST_CHECK int iv_study_simulate(iv_score_grid *out, iv_arena *own, uint32_t runs,
                                    size_t topics, const iv_work *work, iv_err *err);

/* A matrix as a grid, in the arena.  IV_ENODATA where a score is missing. */
IV_MUST_CHECK int iv_study_grid(iv_score_grid *out, iv_arena *own, iv_result *result,
                                const char *path, iv_score_rows by, const iv_work *work,
                                iv_err *err);

/* Runs with complete judgments, given or simulated. */
typedef struct iv_collection {
    const char *data;
    const iv_run *const *runs;
    size_t count;
    iv_judgments *judgments;
    iv_sampling *judged;
} iv_collection;

/* The judgments and runs of the question, or a simulated collection of so many topics and
 * runs; in the study's arena.  IV_EARG where the judgments are a sample. */
IV_MUST_CHECK int iv_study_collection(iv_collection *out, iv_study *s, size_t topics,
                                      size_t runs, iv_err *err);

/* A simulated collection of 6 runs of all documents, of which few are relevant: 1.5 %. */
IV_MUST_CHECK int iv_study_sparse_collection(iv_collection *out, iv_study *s, size_t topics,
                                             uint32_t documents, iv_err *err);

/* ---------------------------------------------------------------- the studies -- */

IV_MUST_CHECK int iv_study_recall(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_map(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_prf(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_power(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_sampling(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_judging(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_stopping(iv_study *s, iv_err *err);

/* Stopping rules replayed on the rankings of the question; fills the result itself. */
IV_MUST_CHECK int iv_study_rankings(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_machine(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_others(iv_study *s, iv_err *err);

/* Parts of the study of others, of so many settings: gaps between groups of items; votes of judges
 * of different taste, and of biased ones beside people; agents that try tasks several times. */
enum { IV_GROUP_SETTINGS = 18, IV_PREFERENCE_SETTINGS = 8, IV_BIASED_SETTINGS = 9,
       IV_AGENT_SETTINGS = 24 };
IV_MUST_CHECK int iv_study_groups(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_preferences(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_agents(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_plans(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_gates(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_judged(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_watch(iv_study *s, iv_err *err);

/* Rows of plan machine and plan looks. */
IV_MUST_CHECK int iv_study_machine_plans(iv_study *s, iv_err *err);
IV_MUST_CHECK int iv_study_look_plans(iv_study *s, iv_err *err);

/* -------------------------------------------------------------- papers -- */
/*
 * The five papers that the methods come from: each printed value beside what the library
 * computes.  Printed values are the tables of folder papers (table, row, column, section, value,
 * standard error of their simulation, reason where ours differs); a paper's maker computes
 * values by the same names.
 *
 * A value agrees when |computed - printed| is at most half a unit of the last printed digit
 * plus three standard errors of both simulations.  Nothing about a verdict is stored.
 */

enum { IV_PAPERS = 5 };

typedef struct iv_papers_question {
    const char *paper;     /* NULL: a list of them */
    bool quick;            /* small simulations, whose values have the verdict quick */
    const char *robust2004; /* average precision of TREC 2004 Robust: 110 systems x 249 topics */
    iv_score_rows by;
    const char *judgments; /* complete judgments, and runs: instead of simulated ones */
    iv_texts runs;
    /* For tests: nothing is simulated; computed values of this table and row are multiplied by
     * the factor. */
    bool exact;
    const char *seeded_table, *seeded_row;
    double seeded_factor; /* 0: they are what is printed, read as an input */
    const char *without; /* this item, or all of them for "*", is no input */
} iv_papers_question;

/* Tables values, verdicts, differs, one for each table of the paper, and figures. */
IV_MUST_CHECK int iv_papers_answer(iv_result *out, const iv_papers_question *q,
                                   const iv_work *work, iv_err *err);

/* ------------------------------------------------------------ for the makers -- */

/* What a row of a paper is. */
typedef enum iv_paper_kind {
    IV_PAPER_PRINTED,  /* a number that the paper prints */
    IV_PAPER_IDENTITY, /* not printed: follows from a definition of the paper */
    IV_PAPER_INPUT,    /* printed, and read to compute others: it is not compared */
    IV_PAPER_CLAIM,    /* a statement, with the number that makes it true */
    IV_PAPER_WORDS,    /* a list or a diagram: it has no numbers */
    IV_PAPER_KINDS
} iv_paper_kind;

const char *const *iv_paper_kind_names(void);

typedef enum iv_paper_verdict {
    IV_PAPER_AGREES,
    IV_PAPER_DIFFERS,
    IV_PAPER_HOLDS,   /* a claim; a value on other data that is within a tenth of the printed one */
    IV_PAPER_FAILS,
    IV_PAPER_QUICK,   /* simulated with few replicates: no verdict */
    IV_PAPER_UNCHECKED,
    IV_PAPER_USED,    /* an input */
    IV_PAPER_VERDICTS
} iv_paper_verdict;

const char *const *iv_paper_verdict_names(void);

/* One row: what is printed, and what is computed. */
typedef struct iv_paper_value {
    iv_str table, row, column, section, text, reason;
    const char *item;                   /* table, row, column */
    const char *data;                   /* computed on other data than the paper's; NULL: not */
    iv_paper_kind kind;
    double printed, rounding, printed_se;
    double computed, se, tolerance;
    char bound;                         /* '>', '<': printed as ">=0"; 0: a number */
    bool simulated, weak;               /* weak: the tolerance is above a tenth of the value */
    iv_paper_verdict verdict;
} iv_paper_value;

/* A point of a figure; the names are static. */
typedef struct iv_paper_point {
    const char *figure, *panel, *curve;
    double x, y;
} iv_paper_point;

enum { IV_PAPER_FIGURES = 20 };

typedef struct iv_paper_run {
    const iv_papers_question *q;
    const char *name;
    iv_result *out;
    const iv_work *work;
    iv_arena own;
    iv_paper_value *value;
    size_t values, unknown;             /* unknown: computed, but not printed */
    iv_paper_point *point;
    size_t points, capacity;
    iv_chart figure[IV_PAPER_FIGURES];
    size_t figures;
    const char *data;                   /* what follows is computed on; NULL: on the paper's */
} iv_paper_run;

/* A computed value; se is 0 where it is not simulated. */
void iv_paper_put(iv_paper_run *p, const char *table, const char *row, const char *column,
                  double computed, double se);

/* The standard error of a printed value, where it is known from our simulation only. */
void iv_paper_their_se(iv_paper_run *p, const char *table, const char *row, const char *column,
                       double se);

/* A printed value that others are computed from; NaN: there is none.  Nothing else is read. */
double iv_paper_input(const iv_paper_run *p, const char *table, const char *row,
                      const char *column);

/* Reads the values that a paper printed, from the file of that name. */
IV_MUST_CHECK int iv_paper_read(iv_paper_run *p, const char *name, iv_err *err);

/* Computed as the middle of the range that the printed inputs leave possible, half of which is
 * part of the tolerance. */
void iv_paper_put_range(iv_paper_run *p, const char *table, const char *row, const char *column,
                        double from, double to);

/* The row is not computed from these data, for this reason. */
void iv_paper_cannot(iv_paper_run *p, const char *table, const char *row, const char *column,
                     const char *reason);

/* The verdict on a row that was computed elsewhere, with large simulations. */
void iv_paper_judge(iv_paper_value *v, bool quick);

/* The name of a collection of runs, for data. */
const char *iv_paper_collection(iv_paper_run *p, const iv_collection *c);

/* A point of a figure, and the figure. */
void iv_paper_draw(iv_paper_run *p, const char *figure, const char *panel, const char *curve,
                   double x, double y);
void iv_paper_figure(iv_paper_run *p, iv_chart_kind kind, const char *figure, const char *caption,
                     const char *x, const char *y);

/* Draws x = y into the last figure, over the range of its points. */
void iv_paper_diagonal(iv_paper_run *p);

/* A name in the run's arena; "" without memory, which the arena remembers. */
const char *iv_paper_text(iv_paper_run *p, const char *format, ...) IV_PRINTF(2, 3);

/* The files of papers/, as cmake/papers.cmake makes them part of the program: name without .tsv
 * and bytes. */
extern const iv_str iv_papers_files[][2];
extern const size_t iv_papers_file_count;

/* The lines of a file of papers/ below its header, and the fields of a line. */
IV_MUST_CHECK bool iv_paper_line(iv_str *line, iv_str *rest);
iv_str iv_paper_field(iv_str line, size_t field);
iv_str iv_paper_file(const char *name);
double iv_paper_number(iv_str line, size_t field);

IV_MUST_CHECK int iv_paper_webber(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_aslam(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_carterette(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_park(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_goutte(iv_paper_run *p, iv_err *err);

/*
 * Scores for Park and for Carterette and Smucker: the matrix of the question if it is that of
 * the Robust track, by shape and checksum; otherwise what is given, average precision of the runs
 * that are given (0 where a run lacks a topic), or simulated scores of that shape, and what is
 * computed from them is of other data.
 */
IV_MUST_CHECK int iv_paper_robust(iv_score_grid *out, iv_paper_run *p, iv_err *err);

/* ------------------------------------------------------- study columns -- */
/* The columns of the tables of studies. */

/* The same as iv_known_tables(), of studies. */
size_t iv_study_tables(const iv_known_table **out);

extern const iv_field iv_study_rate_fields[], iv_study_rule_fields[], iv_study_review_fields[],
    iv_study_summary_fields[],
    iv_study_sampling_fields[], iv_study_judging_fields[], iv_paper_value_fields[],
    iv_paper_failure_fields[], iv_paper_command_fields[], iv_paper_total_fields[],
    iv_paper_verdict_fields[], iv_paper_claim_fields[], iv_paper_point_fields[],
    iv_paper_list_fields[];

/* ------------------------------------------------------- study judging -- */
/*
 * Judging little (Carterette and Smucker 2007) on a collection with judgments, which are the
 * truth: is the sign of a difference right as often as the confidence says (figure 4), how
 * many judgments does a confidence take (figure 5), and what power is left (figures 7, 8)?
 */

/*
 * Ten bins of each kind.  Of the confidence in [from, from + 0.05): one point a pair and stage of
 * judging, and whether the sign is right.  Of the true effect in [from, from + 0.1): one a trial,
 * of topics judged to certainty and of more topics judged to the certainty of least cost, and
 * whether the test rejects.
 */
enum { IV_BINS_CONFIDENCE, IV_BINS_CERTAIN, IV_BINS_CHEAPEST, IV_BINS_PILOT, IV_BINS_DEAR,
       IV_BIN_KINDS, IV_BINS = 10 };
typedef struct iv_judging_bin {
    size_t points, right;
    size_t topics, topic_right; /* of confidence */
    double at, predicted;       /* sums: of confidence or effect; of the power */
    double adjusted;            /* sum of effects that the test saw */
} iv_judging_bin;

/*
 * Judgments of one design over its trials: 25 certain topics; the cheapest plan; pools of those
 * topics; a pilot of ten topics judged to certainty; the plan of least cost by that pilot, as
 * predicted and as it then took; and as it took where every topic costs 20 judgments.
 */
enum { IV_SPENT_CERTAIN, IV_SPENT_CHEAPEST, IV_SPENT_POOL, IV_SPENT_START, IV_SPENT_PREDICTED,
       IV_SPENT_TAKEN, IV_SPENT_DEAR, IV_SPENT_KINDS };
typedef struct iv_judging_spent {
    size_t trials;
    double mean, median, least, most;
} iv_judging_spent;

/* Plans by pilots, at one price of topics: means, and the proportion of trials that took more
 * than was predicted. */
typedef struct iv_judging_plans {
    double certainty, topics, most_topics, cost, over;
} iv_judging_plans;

typedef struct iv_judging_found {
    size_t pairs;
    iv_judging_bin bin[IV_BIN_KINDS][IV_BINS];
    iv_pilot_row *row;   /* judgments by certainty and topics, mean over pairs */
    size_t rows;
    iv_cost_model model; /* fitted to them */
    iv_cost_choice choice;
    iv_judging_spent spent[IV_SPENT_KINDS];
    double below_plan;           /* proportion of the cheapest plan's trials below its model */
    double small_start;          /* proportion of pilots with 1,000 judgments or fewer */
    iv_judging_plans plan, dear; /* by pilots: with 249 free topics; topics cost 20 judgments */
    double pilot_correlation;    /* of judgments that the first predict and take */
    double certain_cheapest; /* proportion of them that judge to certainty if topics cost 20 */
} iv_judging_found;

/* The paper's way: pools of growing depth, independent documents, relevance 1/2.  The pilot is the
 * first ten topics. */
IV_MUST_CHECK int iv_judging_experiment(iv_judging_found *out, iv_arena *own,
                                        const iv_collection *c, size_t pairs, size_t topics,
                                        const iv_work *work, iv_err *err);

/* Rows of plan cost: the power of both designs, as in study judging. */
IV_MUST_CHECK int iv_study_cost_plans(iv_study *s, const iv_collection *c, iv_err *err);

/* Rows of plan pilot: does the interval of a pilot's forecast contain what 25 topics take? */
IV_MUST_CHECK int iv_study_pilot_plans(iv_study *s, const iv_collection *c, iv_err *err);

/* ----------------------------------------------------------- study map -- */
/*
 * Error of intervals on a mean over topics (Park 2011): all topics of a system are its
 * population; n of them are drawn without replacement, the interval is made, and it is
 * counted how often it misses the population's mean.
 */

typedef struct iv_map_options {
    const iv_interval_method *methods;
    size_t method_count;
    iv_integers n;    /* sizes of samples, each from 2 to the topics */
    iv_reals alpha;   /* 1 - confidence, each in (0, 1) */
    size_t samples;   /* of each size from each system */
    size_t resamples; /* of each sample */
} iv_map_options;

/* One method at one size and one level, over all systems and samples. */
typedef struct iv_map_cell {
    iv_interval_method method;
    size_t n;
    double alpha;
    double error, error_se; /* proportion of intervals that miss the mean */
    double below, above;    /* of those, truths below and above the interval */
    double width, bias;
    size_t intervals, without; /* without: all values of the sample are 0, or all are 1 */
} iv_map_cell;

/*
 * Methods x n x alpha cells, in that order, in the arena.  IV_ENODATA for scores outside
 * [0, 1] with logit, and for too few topics.  Time samples x resamples x systems x n.
 */
IV_MUST_CHECK int iv_map_cells(iv_map_cell **out, iv_arena *own, const iv_score_grid *scores,
                               const iv_map_options *o, const iv_work *work, iv_err *err);

/* --------------------------------------------------------- study power -- */
/*
 * Power of the one-sided sign test on samples of topics, for all pairs of a population
 * (Carterette and Smucker 2007, table 2).
 */

/*
 * The pairs whose effect h = (wins - losses) / (wins + losses) is from effect - low to
 * effect + high, and their exact mean power on samples without replacement; NaN: there is none.
 */
IV_MUST_CHECK int iv_study_sign_power(size_t *pairs, double *expected,
                                      const iv_score_grid *population, size_t topics,
                                      double effect, double low, double high, double alpha,
                                      const iv_work *work, iv_err *err);

/* ----------------------------------------------------------- study prf -- */
/* Intervals of a binomial proportion, as studies and papers compare them. */

typedef enum iv_binomial_interval {
    IV_BINOMIAL_WALD,
    IV_BINOMIAL_WILSON,
    IV_BINOMIAL_AGRESTI_COULL,
    IV_BINOMIAL_JEFFREYS,
    IV_BINOMIAL_CLOPPER_PEARSON,
    IV_BINOMIAL_INTERVALS
} iv_binomial_interval;

/* "wald", "wilson", "agresti-coull", "jeffreys", "clopper-pearson"; ends with NULL. */
const char *const *iv_binomial_interval_names(void);

/* The interval when k of n are successes (Brown, Cai and DasGupta 2001); Wald's and
 * Agresti and Coull's may leave [0, 1]. */
void iv_binomial_limits(double *lower, double *upper, iv_binomial_interval method, double k,
                        double n, double confidence);

/* Coverage at proportion p, summed over all outcomes of n. */
double iv_binomial_coverage(iv_binomial_interval method, int64_t n, double p, double confidence);

/* Items in five classes, equal ones or two of 3 %.  A classifier names the right one with this
 * probability and else one by their size, so F1 of a class is its recall. */
typedef struct iv_study_classes {
    bool rare, paired; /* with a second classifier, whose averages are lower by the loss */
    double right, loss;
} iv_study_classes;

/* Such labels, in three words an item, and the first one's true macro F1 and recall. */
iv_prf_items iv_study_classify(double *truth, const iv_study_classes *c, size_t items,
                               iv_study_room *room, iv_stream *stream);

/* -------------------------------------------------------- study recall -- */
/*
 * Coverage of recall intervals on populations whose recall is known: Webber's three scenarios
 * (2013, tables VI to VIII) and rankings whose documents are all judged.
 *
 * Samples are drawn (hypergeometric), every method's interval is computed for each, and it is
 * counted how often it contains the true recall.  Intervals are computed once for each outcome.
 */

typedef enum iv_recall_scenario {
    IV_SCENARIO_NEUTRAL, /* table VI of Webber (2013) */
    IV_SCENARIO_LEGAL,   /* table VII */
    IV_SCENARIO_SMALL,   /* table VIII */
    IV_SCENARIOS
} iv_recall_scenario;

/* "neutral", "legal", "small"; NULL at the end. */
const char *const *iv_recall_scenario_names(void);

/* A population cut into the retrieved and the others, and what is sampled. */
typedef struct iv_recall_population {
    int64_t N1, R1, n1; /* retrieved: documents, relevant ones, sampled */
    int64_t N0, R0, n0; /* the others */
    bool together;      /* n1 + n0 are sampled from all documents */
} iv_recall_population;

/*
 * Realisation number i of a scenario: 0 < R1, n <= N on both sides.  The bounds on precision
 * are the largest of those the paper lists, the exponents of the sample sizes the smallest.
 */
iv_recall_population iv_recall_realisation(iv_recall_scenario scenario, uint64_t seed,
                                           uint64_t i);

/* Of one method on one population: proportions of samples, mean width. */
typedef struct iv_recall_tally {
    double covered, below, above, width;
} iv_recall_tally;

/*
 * Runs the methods on samples of populations: out[i * IV_RECALL_ALL + method].  one_sided: lower
 * limits.  NaN where a method is not tried (exact takes too long).  A sample that leaves a side
 * without a document is drawn again.
 */
IV_MUST_CHECK int iv_recall_tallies(iv_recall_tally *out, const iv_recall_population *populations,
                                    size_t count, size_t samples, double confidence,
                                    bool one_sided, const iv_work *work, iv_err *err);

/* A method over populations. */
typedef struct iv_recall_coverage {
    double coverage, coverage_se; /* mean, and its error from one population to the next */
    double least, width, width_se, below, above;
    double rmse, rmse_se;         /* of a population's coverage from the nominal */
} iv_recall_coverage;

iv_recall_coverage iv_recall_coverage_of(const iv_recall_tally *tallies, size_t count,
                                         iv_recall_method method, double confidence);

/* ------------------------------------------------------ study sampling -- */
/*
 * Estimates from sampled judgments beside the truth (Aslam and Pavlu 2008): as many documents
 * of each topic as its pool of depth 1, 2, ... has are sampled, every run's mean is estimated,
 * and compared with complete judgments; beside it depth pools, infAP and bpref.
 *
 * The truth is what the judgments inside the frame (100 documents of each run) give.
 */

typedef enum iv_sampling_method {
    IV_SAMPLING_STATAP, /* Stevens' scheme with the corrected estimates */
    IV_SAMPLING_POOL,   /* a depth pool, other documents taken for not relevant */
    IV_SAMPLING_INFAP,  /* infAP from a uniform sample; of AP only */
    IV_SAMPLING_BPREF,  /* bpref from the same; of AP only */
    IV_SAMPLING_BOTH,   /* statAP with the pool's judgments added; of AP only */
    IV_SAMPLING_PRINTED, /* statAP by the estimator as printed; of AP only */
    IV_SAMPLING_METHODS
} iv_sampling_method;

typedef enum iv_sampling_measure {
    IV_SAMPLING_AP,
    IV_SAMPLING_RPREC,
    IV_SAMPLING_P30,
    IV_SAMPLING_MEASURES
} iv_sampling_measure;

const char *const *iv_sampling_method_names(void);
const char *const *iv_sampling_measure_names(void);

/* Runs whose documents may be sampled, and runs that came later. */
typedef enum iv_sampling_group {
    IV_SAMPLING_CONTRIBUTORS,
    IV_SAMPLING_NEW,
    IV_SAMPLING_GROUPS
} iv_sampling_group;

typedef struct iv_sampling_options {
    size_t shallowest, deepest, replicates;
    bool split;   /* every second run is new; otherwise all contribute */
    double power; /* the prior of a document to this power is its weight; 1: as published */
} iv_sampling_options;

/* Estimated against true means of the runs, averaged over replicates. */
typedef struct iv_sampling_error {
    iv_sampling_group group;
    iv_sampling_method method;
    iv_sampling_measure measure;
    size_t depth;     /* of the pool that sets the number of judgments */
    double judgments; /* of a topic, on average */
    double rms, correlation, tau; /* NaN: fewer than two different values */
    double rms_se, tau_se;        /* of the averages */
} iv_sampling_error;

/* Ordered pairs of runs, a run with itself too: significant by Wilcoxon's one-sided test at
 * 0.05 by the truth and by the estimates (table 1 of the paper). */
enum { IV_NEITHER, IV_SAMPLE_ONLY, IV_TRUTH_ONLY, IV_AGREED, IV_AGREEMENTS };

/* A true and an estimated value, of the first replicate: a run's mean at depth 1 and the deepest;
 * at the deepest AP of the runs on the first topic, and of the first run on the topics. */
typedef struct iv_sampling_point {
    enum { IV_POINT_MEAN, IV_POINT_TOPIC, IV_POINT_RUN } of;
    size_t depth;
    iv_sampling_measure measure;
    double truth, estimate;
} iv_sampling_point;

typedef struct iv_sampling_found {
    iv_sampling_error *error;
    size_t errors;
    size_t agreement[2][IV_AGREEMENTS]; /* at depth 1 and the deepest */
    iv_sampling_point *point;
    size_t points;
} iv_sampling_found;

/* In the arena.  IV_ENODATA when no topic has a relevant document in the frame. */
IV_MUST_CHECK int iv_sampling_errors(iv_sampling_found *out, iv_arena *own,
                                     const iv_collection *c, const iv_sampling_options *o,
                                     const iv_work *work, iv_err *err);

/* Rows of plan sample: how often what was planned around the estimate contains the truth. */
IV_MUST_CHECK int iv_study_sample_plans(iv_study *s, const iv_collection *c, iv_err *err);

#endif
