/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of plan share, and what other modules use of it. */
#ifndef IV_PLAN_PLAN_PRIVATE_H
#define IV_PLAN_PLAN_PRIVATE_H

#include "intervale/plan.h"
#include "estimate/estimate_private.h"

/* ---------------------------------------------------------------- plan -- */
/* What the other modules use of intervale/plan.h beside what programs do. */

/* The largest effect that is planned for, in standard deviations. */
enum { IV_MOST_EFFECT = 100 };

/* Is its effect h, at most 1, or d? */
bool iv_planned_test_by_sign(iv_planned_test test);

/*
 * The effect that `topics` find with `power` in (alpha, 1).  IV_ENODATA when
 * none does: the sign test needs several topics to reject at all.
 */
IV_MUST_CHECK int iv_power_effect(double *effect, double power, size_t topics,
                                         const iv_power_options *options,
                                         const iv_work *work, iv_err *err);

/*
 * From the differences of a pilot with two topics or more; sign tests expect ties in the proportion
 * seen.  The interval of theta is Jeffreys', that of d from the noncentral t: the variance of the
 * mean is sd^2 / n + shared (what topics do not lessen; 0: nothing), with df degrees of freedom.
 * IV_ENODATA when no topic differs (sign tests), or all differences are the same.
 */
IV_MUST_CHECK int iv_topics_from_pilot(iv_pilot_topics *out, const iv_differences *pilot,
                                              double shared, double df,
                                              double power, double confidence,
                                              const iv_power_options *options,
                                              const iv_work *work, iv_err *err);

IV_MUST_CHECK int iv_plan_machine_topics(iv_machine_topics *out, double sd, double rho,
                                                double T, double width, double confidence,
                                                iv_err *err);

/*
 * The best split of n documents, to 1 % of them; with all_read there is but one, and n is
 * above the number retrieved.  IV_EARG unless 2 <= n <= population.  A split that is tried costs up
 * to IV_PLAN_OUTCOMES^2 intervals a guess: in all about a second with exact posteriors.
 */
IV_MUST_CHECK int iv_recall_best_split(iv_recall_design *out,
                                              const iv_recall_plan *p, int64_t n,
                                              iv_recall_goal goal, const iv_work *work,
                                              iv_err *err);

/* ---------------------------------------------------------- cost model -- */
/* The model of what a certainty costs, and the cheapest experiment. */

typedef struct iv_cost_model {
    double g[3];
    double covariance[3][3]; /* of g if counts are Poisson; 0 if g was given */
    double deviance, null_deviance;
    double r2;               /* share of the null deviance explained */
    double dispersion;       /* Pearson's chi-square over its degrees of freedom;
                                far above 1 counts are not Poisson, and standard
                                errors grow by its root */
    size_t rows;             /* 0: g was given */
} iv_cost_model;

/*
 * Fits the model to `rows` observations: certainties in [1/2, 1], topics >= 1,
 * judgments >= 0.  IV_ENODATA for fewer than four rows, or too little variety in certainty
 * or topics.
 */
IV_MUST_CHECK int iv_cost_fit(iv_cost_model *out, const double *certainty,
                                     const double *topics, const double *judgments,
                                     size_t rows, iv_err *err);

/* j(certainty, topics), and the standard error of its logarithm. */
double iv_cost_judgments(const iv_cost_model *m, double certainty, double topics);
double iv_cost_log_se(const iv_cost_model *m, double certainty, double topics);

/* One way to run the experiment. */
typedef struct iv_cost_choice {
    double certainty;
    double topics;    /* n', not rounded */
    double judgments;
    double cost;
} iv_cost_choice;

/* What a certainty in (1/2, 1] costs with the power of n certain topics; prices may
 * be NULL. */
iv_cost_choice iv_cost_at(const iv_cost_model *m, double n, double certainty,
                                 const iv_prices *prices);

/* Below this it takes topics without end. */
#define IV_COST_LEAST_CERTAINTY 0.505

/*
 * The certainty of least cost among those from `least` (> 1/2, such as
 * IV_COST_LEAST_CERTAINTY or the lowest that the model was fitted to) to 1: g1 /
 * (2 g1 - 4 g2) when all topics are free, or the end if that is outside;
 * otherwise by search.  IV_EARG for n < 1 or bad prices.
 */
IV_MUST_CHECK int iv_cost_least(iv_cost_choice *out, const iv_cost_model *m, double n,
                                       const iv_prices *prices, double least, iv_err *err);

/* The experiment of least total cost. */
typedef struct iv_error_plan {
    double topics;         /* n, if judged to certainty */
    double alpha, beta;    /* the level, and the probability to miss the effect */
    iv_cost_choice choice; /* of topics and judgments with that power */
    double cost;           /* with C_alpha alpha + C_beta beta */
} iv_error_plan;

/*
 * Of errors of a one-sided sign test that cost C_alpha and C_beta, in the unit of prices, at an
 * effect in (0, 1): minimises over topics, certainty and alpha (Carterette and Smucker 2007,
 * section 4.3); beta by
 * the normal form, 1 - beta = Phi(Phi^-1(alpha) + effect sqrt(n)), alpha < 1/2.  IV_EARG for costs
 * that are not above 0, an effect outside (0, 1), or as iv_cost_least().
 */
IV_MUST_CHECK int iv_cost_with_errors(iv_error_plan *out, const iv_cost_model *m,
                                             double false_positive, double false_negative,
                                             double effect, const iv_prices *prices, iv_err *err);

/* -------------------------------------------------------- known sample -- */
/* Samples of topics whose relevant documents are known: what a budget would give. */

/* A topic's sample, and memory for it; one a thread. */
typedef struct iv_known_sample {
    uint32_t *place; /* of a document of the frame in the sample, or IV_NO_PLACE */
    double *pi;
    int32_t *grade;
    uint32_t *bucket;
    size_t count;
    uint32_t *found; /* of the view */
    double *rank, *u, *sums;
    size_t *taken;
} iv_known_sample;

#define IV_NO_PLACE UINT32_MAX

iv_known_sample iv_known_sample_take(iv_arena *own, const iv_known_frame *f);

/* Draws a topic's sample by its scheme, and keeps all of it or the relevant documents,
 * which alone matter for AP. */
void iv_known_sample_draw(iv_known_sample *s, const iv_known_topic *t, const iv_scheme *scheme,
                          bool relevant_only, iv_stream *stream);

/* The sample beside a ranking, relevant documents only. */
iv_sampled_view iv_known_sample_view(const iv_known_sample *s, const iv_label_ranking *r);

/* Stevens' scheme on a topic, at most as many draws as documents; the arena's. */
IV_MUST_CHECK int iv_known_scheme(iv_scheme **out, iv_arena *own, const iv_known_topic *t,
                                  size_t draws, iv_err *err);

/* Makes a scheme the arena's. */
iv_scheme *iv_own_scheme(iv_arena *own, iv_scheme *scheme);

/* ------------------------------------------------------ pilot training -- */
/* Training data for the cost model: judgments by certainty and topics. */

/* What the model was fitted to: the mean over samples. */
typedef struct iv_pilot_row {
    double certainty;
    size_t topics;
    size_t samples, reached; /* drawn; those that reached the certainty */
    double judgments, fitted;
} iv_pilot_row;

/* Experiments with more topics are not simulated. */
enum { IV_FORECAST_TOPICS = 20000 };

/* Judgments that an experiment is going to take. */
typedef struct iv_forecast {
    size_t topics;
    double certainty;
    double model;               /* what the model predicts */
    double mean, lower, upper;  /* over simulated experiments; NaN: none ended */
    double cost;                /* at the mean */
    size_t experiments, reached;
} iv_forecast;

typedef struct iv_pilot {
    size_t topics;        /* of the pilot */
    size_t start_up;      /* judgments that made it certain; SIZE_MAX: never */
    iv_cost_model model;
    iv_pilot_row *row;    /* freed by iv_pilot_clear() */
    size_t rows;
    size_t left_out;      /* rows that most samples did not reach */
    iv_forecast certain;     /* n topics judged to certainty */
    double pool_depth;       /* of the two runs, at most 100 */
    double pool_judgments;   /* n topics with pools of that depth, and their cost */
    double pool_cost;
} iv_pilot;

/*
 * A pilot of runs a and b of p, whose judgments are the pilot's; name stands in
 * messages; options may be NULL.  IV_ENODATA for fewer than two topics, a judgment that is missing
 * and must not be, or too few judgments to fit a model.
 */
IV_MUST_CHECK int iv_pilot_study(iv_pilot *out, const iv_pooled *p, size_t a, size_t b,
                                        const iv_pilot_options *options, const char *name,
                                        const iv_work *work, iv_err *err);
void iv_pilot_clear(iv_pilot *x);

/* The certainties looked at; the last stands for certainty itself. */
enum { IV_PILOT_LEVELS = 10 };
extern const double iv_pilot_levels[IV_PILOT_LEVELS]; /* .55, .60, ..., .95, 1 */

/* Numbers of topics to train on, up to `most`; returns how many, at most 20. */
enum { IV_PILOT_SIZES = 20 };
size_t iv_pilot_sizes(size_t out[IV_PILOT_SIZES], size_t most);

/* n of `count` topics: without replacement while there are enough, else with. */
void iv_pilot_draw(size_t *out, size_t n, size_t count, iv_stream *s);

/*
 * Fills rows (levels x sizes) with mean judgments over `replicates` samples of
 * the `count` topics; fitted is left 0.  Stream r of (seed, IV_FOR_PILOT)
 * is for sample r of all, from `first` on.
 */
IV_MUST_CHECK int iv_pilot_train(iv_pilot_row *rows, iv_paths *paths, size_t count,
                                 const size_t *sizes, size_t size_count, size_t replicates,
                                 uint64_t first, const iv_work *work, iv_err *err);

/*
 * Fits the model to the rows that most samples reached, and fills in fitted;
 * left_out (may be NULL) counts the others.
 */
IV_MUST_CHECK int iv_pilot_fit(iv_cost_model *out, size_t *left_out, iv_pilot_row *rows,
                               size_t count, iv_err *err);

/*
 * Simulates experiments with f->topics topics judged to f->certainty, on
 * samples of samples of the `count` topics in from (NULL: all), and fills in
 * the rest of f.  Of o: forecasts, confidence, prices; streams `first` on of (seed, IV_FOR_PILOT).
 */
IV_MUST_CHECK int iv_pilot_forecast(iv_forecast *f, iv_paths *paths, const size_t *from,
                                    size_t count, const iv_pilot_options *o, uint64_t first,
                                    const iv_work *work, iv_err *err);

/* --------------------------------------------------------- sample plan -- */
/* The smallest sample that is precise enough. */

/* For which runs (or pairs of runs, and topics) it must hold. */
typedef enum iv_sample_scope {
    IV_SCOPE_TYPICAL, /* root mean square over them */
    IV_SCOPE_EVERY    /* the worst of them */
} iv_sample_scope;

/* An answer.  NaN: not known. */
typedef struct iv_sample_budget {
    iv_sample_scope scope;
    bool reached;        /* else not even judging the frame is enough */
    size_t budget;       /* documents of a topic */
    size_t documents;    /* in all: topics with a smaller frame need fewer */
    double wanted;       /* the standard error that the goal comes to there */
    double predicted;    /* what the formula gives at the budget */
    double achieved;     /* what samples gave; NaN: judgments not complete */
    double noise;        /* of achieved, a standard error: samples are few; NaN as it is */
    double factor;       /* what samples gave over the formula, without the part
                            of the topics; NaN: not checked, or nothing is left
                            to chance */
} iv_sample_budget;

/* What other budgets would give: typical, by formula, which no sample corrected. */
typedef struct iv_sample_curve {
    size_t budget;
    double topic, mean, difference; /* standard errors; NaN: one run only */
} iv_sample_curve;

typedef struct iv_sample_plan {
    iv_sample_budget typical, every; /* by scope */
    iv_sample_curve *curve;
    size_t curve_count;
    size_t frame;        /* documents of all frames */
    size_t inside;       /* relevant documents of the pilot in the frames ... */
    size_t outside;      /* ... and outside, for topics of the runs: the AP of
                            the plan, and of estimates from its samples, knows
                            nothing of these */
    size_t planned;      /* topics whose mean is planned */
    size_t without;      /* topics without a relevant document: AP is 0 there */
    bool complete;       /* the judgments are */
    double topics_se;    /* what judging everything leaves of a mean's standard
                            error: typical over runs (differences) */
} iv_sample_plan;

/*
 * Fills *out; iv_sample_plan_clear() frees what it points to.  The runs must
 * outlive it.  IV_EARG unless one of se and halfwidth is given, IV_ENODATA when no
 * topic has a relevant document in the frame, or for a difference of one run.
 */
IV_MUST_CHECK int iv_sample_plan_make(iv_sample_plan *out, const iv_run *const *runs,
                                             size_t count, const iv_sampling *judged,
                                             const iv_sample_plan_options *options,
                                             const iv_work *work, iv_err *err);
void iv_sample_plan_clear(iv_sample_plan *plan);

#endif
