/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of recall intervals on populations whose recall is known: Webber's three scenarios
 * (2013, tables VI to VIII) and rankings whose documents are all judged.
 *
 * Samples are drawn (hypergeometric), every method's interval is computed for each, and it is
 * counted how often it contains the true recall.  Intervals are computed once for each outcome.
 */
#ifndef IV_STUDY_STUDY_RECALL_H
#define IV_STUDY_STUDY_RECALL_H

#include "base/parallel.h"
#include "intervale/stat.h"

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

#endif /* IV_STUDY_STUDY_RECALL_H */
