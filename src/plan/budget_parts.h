/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the plan of a sample. */
#ifndef IV_PLAN_SAMPLE_INSIDE_H
#define IV_PLAN_SAMPLE_INSIDE_H

#include "base/parallel.h"
#include "intervale/plan/budget.h"
#include "plan/known_sample.h"

typedef struct iv_sample_planner {
    iv_sample_plan_options options;
    const iv_work *work; /* the caller's */
    iv_stage stage;      /* the part that is at work; can be stopped */
    iv_arena own;
    iv_frame *frame;
    iv_known_frame *known;
    size_t runs, topics;
    size_t planned;  /* topics whose mean is planned, of the kind */
    double **u;      /* of a topic: runs x known documents */
    double **weight; /* of a topic: known documents */
    double *ap;      /* runs x topics */
    bool complete;
    size_t largest;  /* frame */
    double anchor;   /* the formula's standard errors are multiplied by it; 1 of complete ones */
} iv_sample_planner;

/* Standard errors over runs (or pairs): typical and worst; and how far those of samples may be
 * off, as shares of them: standard errors of their own. */
typedef struct iv_spread {
    double typical, worst;
    double typical_noise, worst_noise;
} iv_spread;

/* Gathers what is known of runs and judgments; free it also when this fails. */
int iv_planner_new(iv_sample_planner *p, const iv_run *const *runs, size_t count,
                   const iv_sampling *judged, const iv_sample_plan_options *o,
                   const iv_work *work, iv_err *err);
void iv_planner_free(iv_sample_planner *p);

/* Sets anchor: at the pilot's size the formula then gives what estimates of average
 * precision from it say of their own noise, typical over runs and topics. */
int iv_planner_anchor(iv_sample_planner *p, const iv_run *const *runs, const iv_sampling *judged,
                      iv_err *err);

/*
 * Predicted standard errors at a budget, of one topic or of all (IV_NONE);
 * total: with the part of the topics.  *relevant: documents that a topic's
 * estimate rests on, on average.
 */
int iv_planner_predict(iv_spread *out, double *relevant, const iv_sample_planner *p,
                       iv_sample_goal goal, bool total, size_t topic, size_t budget,
                       iv_err *err);

/*
 * What samples of a budget give: root mean square errors of the goal over options.check
 * samples.  each: every topic has its own budget and its own errors in out; else there is one
 * of both.
 */
int iv_planner_check(iv_spread *out, const iv_sample_planner *p, const size_t *budgets, bool each,
                     iv_err *err);

/* Root mean square and largest of the root of mean squares. */
iv_spread iv_spread_of(const double *squares, size_t count);

#endif /* IV_PLAN_SAMPLE_INSIDE_H */
