/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do recall intervals cover?  Webber's three scenarios, segments cut into many
 * strata, and real rankings whose labels are known.
 *
 * A realisation is a population with known yields and sample sizes.  Samples
 * are drawn from it (hypergeometric), every method's interval is computed for
 * each, and it is counted how often it holds the true recall.
 *
 * Intervals from posteriors are computed once for each outcome of a
 * realisation that occurs, from the two segments' posteriors, each tabulated
 * once: atom by atom while they have fewer than 4,000 atoms together, else over
 * coarse cells, which are good to about 1e-5 in probability and 1e-5 in logit
 * recall.  The result depends on the options alone, not on the threads.
 */
#ifndef INTERVALE_STUDY_RECALL_H
#define INTERVALE_STUDY_RECALL_H

#include "intervale/stat/recall.h"
#include "base/parallel.h"

typedef enum iv_recall_scenario {
    IV_SCENARIO_NEUTRAL, /* table VI of Webber (2013) */
    IV_SCENARIO_LEGAL,   /* table VII */
    IV_SCENARIO_SMALL    /* table VIII */
} iv_recall_scenario;

/* "neutral", "legal", "small"; NULL at the end. */
const char *const *iv_recall_scenario_names(void);

/* A population cut into the retrieved and the others, and what is sampled. */
typedef struct iv_recall_population {
    int64_t N1, R1, n1; /* retrieved: documents, relevant ones, sampled */
    int64_t N0, R0, n0; /* the others */
    bool together;      /* n1 + n0 are drawn from all, and fall as they fall */
} iv_recall_population;

/*
 * Realisation number i of a scenario: 0 < R1, n <= N on both sides.  The
 * bounds on precision are the largest of those the paper lists and the
 * exponents of the sample sizes the smallest; see doc/methods/recall.md.
 */
iv_recall_population iv_recall_realisation(iv_recall_scenario scenario,
                                                  uint64_t seed, uint64_t i);

typedef struct iv_recall_study_options {
    size_t samples;    /* of each realisation; 0: 1,000 */
    double confidence; /* 0: .95 */
} iv_recall_study_options;

/* Least, quartiles and largest over realisations. */
typedef struct iv_five_numbers {
    double least, q1, median, q3, most;
} iv_five_numbers;

/* How a method did, over all realisations.  NaN: it has no interval there. */
typedef struct iv_recall_coverage {
    double coverage, width; /* means */
    double rmse;            /* of a realisation's coverage from the nominal */
    double below, above;    /* mean share of truths below and above */
    double closest;         /* share of realisations where no method was closer
                               to the nominal coverage; ties split */
    iv_five_numbers coverages, belows, aboves;
} iv_recall_coverage;

/*
 * Runs the methods on populations; out has room for IV_RECALL_ALL, by method.  With
 * samples drawn together, a sample that leaves a side without a document is
 * drawn again.  IV_EARG for a population that is none.
 */
IV_MUST_CHECK int iv_recall_study(iv_recall_coverage *out,
                                  const iv_recall_population *populations, size_t count,
                                  const iv_recall_study_options *o, const iv_work *work,
                                  iv_err *err);

/*
 * One population whose unretrieved segment of 320,000 documents, 640 of them
 * relevant, is cut into `strata` (a divisor of 640) of equal size, 3,200
 * documents sampled; graded: the relevant ones thin out from stratum to
 * stratum instead of being spread evenly.  2,560 retrieved, half of them
 * relevant, 400 sampled.  No Koopman: NaN.  o->samples samples; the spreads
 * and closest are NaN.
 */
IV_MUST_CHECK int iv_recall_layout_study(iv_recall_coverage *out, size_t strata, bool graded,
                                         const iv_recall_study_options *o, const iv_work *work,
                                         iv_err *err);

/* A ranking whose documents are all judged, cut, and sampled apart. */
typedef struct iv_recall_ranking {
    int64_t documents;
    int64_t cutoff;       /* recall of the first so many is asked for */
    int64_t drawn_at;     /* border of the sample, from 1 */
    int64_t above, below; /* drawn from the first drawn_at, and from the others */
    int64_t relevant[3];  /* down to the smaller of cutoff and drawn_at, from
                             there to the larger, and below */
} iv_recall_ranking;

/*
 * Coverage of a method at one cut-off, over samples drawn apart from each side
 * of drawn_at and post-stratified at the cut-off, as `recall --drawn-at` does;
 * a sample that leaves a stratum without a document is drawn again.  The
 * spreads and closest are NaN.  IV_EARG for a ranking that is none, and for
 * methods that refuse strata.
 */
IV_MUST_CHECK int iv_recall_apart_study(iv_recall_coverage *out, const iv_recall_ranking *r,
                                        iv_recall_method method,
                                        const iv_recall_study_options *o, const iv_work *work,
                                        iv_err *err);

/*
 * Strata sampled at unequal rates: design number i, by enumeration of all samples at
 * each truth of a grid; coverage is the mean over truths, coverages.least the least.
 * Of betabin-half, -shared, -weighted and, for small populations of which every truth
 * is gone through, exact; others are NaN.  IV_EARG for a design that is none.
 */
IV_MUST_CHECK int iv_recall_unequal_study(iv_recall_coverage *out, size_t i, double confidence,
                                          const iv_work *work, iv_err *err);

/* "near-20", ...; NULL: there is no such design. */
const char *iv_recall_unequal_name(size_t i);

/* ---------------------------------------------------------------- the answer -- */

/* What is simulated: a scenario, layouts of strata, unequal rates; {0}: all of it. */
typedef enum iv_recall_simulated {
    IV_SIMULATED_ALL,
    IV_SIMULATED_NEUTRAL,
    IV_SIMULATED_LEGAL,
    IV_SIMULATED_SMALL,
    IV_SIMULATED_STRATA,
    IV_SIMULATED_UNEQUAL
} iv_recall_simulated;

/* "all", "neutral", "legal", "small", "strata", "unequal"; NULL at the end. */
const char *const *iv_recall_simulated_names(void);

typedef struct iv_study_recall_question {
    iv_recall_simulated scenario;
    size_t realisations; /* of each scenario; 0: 1,000 */
    iv_recall_study_options how; /* four times as many samples for layouts */
    /* Real reviews instead: both files, and cut-offs. */
    const char *run, *labels;
    iv_integers at;
    int64_t sample_size;    /* 0: 500 */
    int64_t drawn_at;       /* half is drawn from the first so many; 0: from all */
    int64_t least_relevant; /* topics with fewer are left out; 0: 20 */
    int64_t level;          /* least grade that is relevant; 0: 1 */
} iv_study_recall_question;

/* The answer: tables coverage, and quartiles and closest, or topics of a review. */
IV_MUST_CHECK int iv_study_answer_recall(iv_result *out, const iv_study_recall_question *q,
                                         const iv_work *work, iv_err *err);

/* What the parts of the answer to study recall share. */

typedef struct iv_recall_row {
    char scenario[48];
    iv_recall_method method;
    iv_recall_coverage x;
} iv_recall_row;

typedef struct iv_recall_studied {
    iv_result *out;
    iv_study_recall_question q; /* without defaults left */
    const iv_work *work;
    iv_recall_row *rows;
    size_t count, room;
} iv_recall_studied;

/* Rows of the table coverage: by method. */
IV_MUST_CHECK int iv_recall_tell(iv_recall_studied *s, const char *scenario,
                                 const iv_recall_coverage *by_method, iv_err *err);

/* Adds the table. */
void iv_recall_add_coverage(const iv_recall_studied *s);

/* Rankings and complete labels instead of scenarios: adds tables coverage and topics. */
IV_MUST_CHECK int iv_recall_review_study(iv_recall_studied *s, iv_err *err);

#endif /* INTERVALE_STUDY_RECALL_H */
