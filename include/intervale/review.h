/* SPDX-License-Identifier: Apache-2.0 */
/*
 * review -- how complete was a search or review: recall, elusion, when to stop, how much to judge.
 */
#ifndef INTERVALE_REVIEW_H
#define INTERVALE_REVIEW_H

#include "intervale/result/result_tables.h"
#include "intervale/stat/interim_analyses.h"
#include "intervale/stat/recall_intervals.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/runs.h"
#include "intervale/trec/strata_tables.h"

IV_BEGIN_C

/*
 * How many documents to judge for a recall interval, and how to divide them between
 * retrieved and unretrieved documents.
 *
 * For assumed true values, the expected limits are the means of a method's limits over all
 * possible samples.  They are computed from at most IV_PLAN_OUTCOMES outcomes of each sample
 * (7 for the method exact) with linear interpolation, accurate to about 0.003 of recall.
 * The probability that the lower limit reaches a target is a sum over all samples except
 * those in the outer 1e-5 of probability at each end.
 */

enum { IV_PLAN_OUTCOMES = 12, IV_PLAN_GUESSES = 64 };

/* Assumed true values of the search. */
typedef struct iv_recall_guess {
    double recall, precision; /* in (0, 1] */
} iv_recall_guess;

typedef struct iv_recall_plan {
    int64_t population, retrieved; /* documents; 0 < retrieved < population */
    iv_recall_options how;         /* { 0 } is the default */
    const iv_recall_guess *guesses;
    size_t guess_count;  /* 1 to IV_PLAN_GUESSES */
    double wanted_lower; /* target for p_lower below; 0: none */
    bool all_read;       /* every retrieved document is judged, so n1 = retrieved */
} iv_recall_plan;

/* Expected values of a design, for one guess. */
typedef struct iv_recall_expected {
    double width, lower, upper; /* means over samples */
    double p_lower;             /* P(lower limit >= wanted_lower); NaN if there is no target */
} iv_recall_expected;

/*
 * Expected values if n1 retrieved and n0 unretrieved documents are judged.  out must have
 * room for all guesses.  IV_EARG if n1 or n0 is below 1 or above the number of documents,
 * or if the plan or a guess is not valid.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_expect(iv_recall_expected *out,
                                          const iv_recall_plan *p, int64_t n1,
                                          int64_t n0, const iv_work *work, iv_err *err);

/*
 * The goal of a design.  IV_GOAL_WIDTH minimises the largest expected width over the
 * guesses; IV_GOAL_LOWER maximises the smallest expected lower limit; IV_GOAL_ASSURANCE
 * maximises the smallest p_lower.
 */
typedef enum iv_recall_goal {
    IV_GOAL_WIDTH, IV_GOAL_LOWER, IV_GOAL_ASSURANCE
} iv_recall_goal;

typedef struct iv_recall_design {
    int64_t n1, n0;
    double value; /* of the goal: width, lower limit or probability */
} iv_recall_design;

/*
 * The smallest number of documents, accurate to 1 %, whose best division reaches `wanted`:
 * a width of at most that, or a lower limit or probability of at least that.  IV_ENODATA if
 * judging all documents does not reach it.  Outcomes are discrete, so a slightly larger
 * number may miss `wanted`.  This takes seconds with exact posteriors.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_recall_least_size(iv_recall_design *out,
                                              const iv_recall_plan *p,
                                              iv_recall_goal goal, double wanted,
                                              const iv_work *work, iv_err *err);

/* What the questions about recall say of strata without a sample. */

/* What to do with a stratum of which nothing is sampled. */
typedef enum iv_unsampled {
    IV_UNSAMPLED_REFUSE,
    IV_UNSAMPLED_SKIP, /* it is excluded from the population */
    IV_UNSAMPLED_PRIOR /* the prior speaks for it */
} iv_unsampled;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_unsampled_names(void);

/* How many unretrieved documents must be judged to show that few are relevant? */

/* The first two must be given. */
typedef struct iv_plan_elusion_question {
    int64_t population;  /* documents not retrieved */
    double below;        /* demonstrate that elusion is below this proportion */
    iv_integers accept;  /* relevant documents accepted in the sample; none: 0, 1, 2, 3, 5, 10 */
    double elusion;      /* expected, for P(acceptance); 0: a quarter of below */
    double assurance;    /* P(acceptance) to reach; 0: 0.9 */
    double confidence;
} iv_plan_elusion_question;

/* Table plan.  Errors as those of iv_elusion_size(). */
IV_API IV_MUST_CHECK int iv_answer_plan_elusion(iv_result *out,
                                                const iv_plan_elusion_question *q,
                                                const iv_work *work, iv_err *err);

/* How many documents must be judged for a recall interval, and of which segment? */

/*
 * The first four must be given (precision unless retrieved_judged is).  Two numbers for recall or
 * precision are a range, whose middle is tried as well; at most 7 of each.
 */
typedef struct iv_plan_recall_question {
    int64_t population, retrieved; /* documents */
    iv_reals recall, precision;    /* expected values */
    iv_integers total;    /* documents to judge; none: 500, 1000, 2000 and 5000 */
    double width;         /* to reach, instead of totals */
    double lower;         /* a lower limit to reach, instead ... */
    double assurance;     /* ... with this probability; 0: on average */
    double target;        /* to demonstrate by a one-sided limit with the assurance (0: 0.8) */
    bool guaranteed;      /* with guaranteed limits */
    iv_recall_method method;
    double confidence;
    bool one_sided;
    int64_t retrieved_judged; /* all retrieved documents were read, and this number is relevant:
                                 only the others are to be judged, totals count only these, and
                                 no precision is needed; 0: not so */
} iv_plan_recall_question;

/* Table plan.  Errors as those of iv_recall_expect() and iv_recall_least_size(). */
IV_API IV_MUST_CHECK int iv_answer_plan_recall(iv_result *out, const iv_plan_recall_question *q,
                                               const iv_work *work, iv_err *err);

/* How complete was a search or review? */

/* When may a review stop? */
typedef enum iv_review_stop {
    IV_REVIEW_STOP_NONE, /* not asked */
    IV_REVIEW_STOP_QBCB, /* when enough relevant control documents are found */
    IV_REVIEW_STOP_HYPERGEOMETRIC /* when a random sample of the documents left makes it unlikely
                            that the target is missed: two segments, all retrieved documents
                            read.  Exact for one test, approximate for repeated tests */
} iv_review_stop;

/* "none", "qbcb", "hypergeometric", NULL. */
IV_API const char *const *iv_review_stop_names(void);

/* A ranking and judgments of a random sample of the collection, in files or in memory. */
typedef struct iv_recall_ranking {
    const char *run, *sample;           /* paths */
    const iv_run *ranking;              /* instead of run; run is then its name */
    const iv_judgments *judged;         /* instead of sample, in the same way */
    const char *collection;             /* number of documents in it; "run": those ranked */
    iv_integers at;                     /* cut-offs; none: all that is ranked */
    iv_unjudged unjudged;               /* sampled documents with a grade below 0 */
    const char *machine;                /* a file of automatic labels, which are strata */
    int64_t machine_level, drawn_at;    /* they are relevant from this grade on (0: as level); the
                                           first so many were sampled apart (0: were not) */
} iv_recall_ranking;

/* May the review stop?  And limits while it is being judged. */
typedef struct iv_recall_stopping {
    iv_integers control;                /* relevant control documents: found, and all */
    iv_review_stop rule;                /* qbcb needs a ranking and a sample, but no collection */
    const char *found;                  /* with qbcb: a file of the review's judgments so far, which
                                           checks that the control sample is random */
    const char *log;                    /* the judgments in their order, a file as
                                           iv_review_log_load() reads it; segments may then
                                           be N alone */
    bool anytime;                       /* limits that are valid at any time; needs a log unless
                                           only one stratum is left to sample */
    size_t looks, look;                 /* planned interim analyses, and which this is; 0: none */
    iv_look_shape shape;                /* of the plan */
} iv_recall_stopping;

/*
 * The judgments are one of: two segments; the unretrieved segment alone, which gives
 * elusion; strata, in a file or in memory; a ranking and a sample; families of documents.  All
 * other members may be 0.
 */
typedef struct iv_recall_question {
    iv_integers retrieved, unretrieved; /* N, n, r of each segment */
    iv_integers rechecked;              /* k, c, m, d of each: k of the r relevant ones were
                                           rechecked and c are relevant; m of the other n - r
                                           were, and d are relevant */
    const char *strata, *runs;          /* a table of strata (trec.h); which columns are runs */
    const iv_strata_table *table;       /* instead of strata */
    iv_unsampled unsampled;
    iv_recall_ranking ranked;
    const char *families;               /* all documents: a table of document, family, segment;
                                           ranked.sample has the judgments of sampled families */
    int64_t level;                      /* least grade that is relevant; 0: 1 */
    iv_recall_method method;
    double confidence;
    bool one_sided, guaranteed;         /* guaranteed: exact, for every true value */
    iv_reals prior;                     /* a, b; none: 1/2 each */
    double target;                      /* is recall at least this? */
    double max_elusion;                 /* of the unretrieved segment: is elusion below this? */
    iv_recall_stopping stopping;        /* its rules need the target */
    iv_integers proportion;             /* r, n: only intervals of one proportion */
} iv_recall_question;

/*
 * Tables recall, measures, yield, data, curves, anytime.  Only table stop or control for
 * a rule or control documents; elusion and missed for the unretrieved segment alone; rechecked for
 * rechecked judgments; proportion for a proportion.  IV_EARG for contradictory or invalid
 * options, IV_ENODATA if recall is undefined, IV_EPARSE and IV_EIO for files.
 */
IV_API IV_MUST_CHECK int iv_answer_recall(iv_result *out, const iv_recall_question *q,
                                          const iv_work *work, iv_err *err);

/* Interim analyses of a review or an experiment that may stop early. */
typedef struct iv_plan_looks_question {
    iv_look_shape shape;
    size_t looks;       /* equally spaced; 0: 5 */
    iv_reals fractions; /* of the largest sample, instead */
    int64_t documents;  /* the largest sample; 0: not given */
    double confidence;  /* of the whole plan; 0: 0.95 */
} iv_plan_looks_question;

/* Table looks.  IV_EARG as iv_looks_of(). */
IV_API IV_MUST_CHECK int iv_answer_plan_looks(iv_result *out, const iv_plan_looks_question *q,
                                              const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_REVIEW_H */
