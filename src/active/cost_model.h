/* SPDX-License-Identifier: Apache-2.0 */
/* The model of what a certainty costs, and the cheapest experiment. */
#ifndef IV_ACTIVE_COST_MODEL_H
#define IV_ACTIVE_COST_MODEL_H

#include "intervale/active.h"

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

/* The coefficients of the cost model, with standard errors. */
void iv_put_cost_model(iv_result *out, const iv_cost_model *m);

#endif
