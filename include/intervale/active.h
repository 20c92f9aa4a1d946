/* SPDX-License-Identifier: Apache-2.0 */
/*
 * active -- judging in the order that shows soonest which run is better.
 */
#ifndef INTERVALE_ACTIVE_H
#define INTERVALE_ACTIVE_H

#include "intervale/result/result_tables.h"
#include "intervale/stat/incomplete_judgments.h"
#include "intervale/stat/paired_tests.h"
#include "intervale/trec/run_sources.h"

IV_BEGIN_C

/*
 * Active judging: how probable it is that an unjudged document is relevant, and in which order
 * documents are judged.  Questions about it are in intervale/answer.h.
 *
 * Refs: Carterette, Allan and Sitaraman (2006), SIGIR, 268-275; Carterette (2007), SIGIR;
 * Carterette and Smucker (2007), CIKM.
 */

/*
 * The probability that an unjudged document is relevant, independently of others.  {0}: from
 * its best rank, by a logistic curve that is refitted to the judgments; 1/2 while
 * nothing is judged (Carterette 2007; Carterette and Smucker 2007).
 */
typedef struct iv_prior {
    double relevance;        /* this, in (0, 1); 0: estimated */
    bool by_rank;            /* by its best rank, along the curve, which is not refitted */
    iv_rank_relevance curve;
} iv_prior;

/* What to do if the oracle has no judgment. */
typedef enum iv_no_answer {
    IV_NO_ANSWER_REFUSE,      /* fail, and name the document */
    IV_NO_ANSWER_NONRELEVANT, /* it is not relevant */
    IV_NO_ANSWER_SKIP         /* never ask for it */
} iv_no_answer;

/* "refuse", "nonrelevant", "skip", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_no_answer_names(void);

/* What is judged next. */
typedef enum iv_judging_order {
    IV_ORDER_NEXT, /* what iv_judging_next() says */
    IV_ORDER_POOL  /* the first document of all runs, then the second, ... */
} iv_judging_order;

/* "next", "pool", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_judging_order_names(void);

/*
 * Many topics with few judgments, or few topics with many?
 *
 * Certainty is the probability that the better run of a topic is identified correctly.
 * The number of judgments that n topics need to reach a certainty is modelled as
 * j(certainty, n) = exp(g0 + g1 log certainty + g2 log n), by Poisson regression on a pilot.
 * The power of n topics with certainty 1 needs n' = n / (2 certainty - 1)^2 topics with a
 * lower certainty (src/stat).  Their cost is
 *
 *     C(certainty) = Ct max(0, n' - free topics) + Cj j(certainty, n').
 *
 * Ref: Carterette and Smucker (2007), CIKM, sections 4.2 and 5.
 */

/* {0}: topics cost nothing, a judgment costs 1. */
typedef struct iv_prices {
    double topic, judgment; /* >= 0, not both 0; judgment 0: 1, IV_ZERO: nothing */
    double free_topics;     /* number of existing topics, which cost nothing */
} iv_prices;

/*
 * A pilot study: a few completely judged topics say how many judgments other topics need.
 *
 * Judging is simulated on the pilot's topics and on samples of them (with replacement if
 * the sample is larger than the pilot), to find how many judgments a certainty needs.  This
 * is repeated on resampled pilots, for an interval that includes the choice of the pilot's
 * topics.
 *
 * Ref: Carterette and Smucker (2007), CIKM, section 5.2.
 */

typedef struct iv_pilot_options {
    iv_prior prior;
    iv_moments_form form;
    iv_no_answer no_answer; /* for documents that the pilot did not judge */
    iv_judging_order order;
    double topics;          /* number of topics to judge; 0: 25 */
    iv_prices prices;
    size_t replicates;      /* samples for each number of topics; 0: 20 */
    size_t forecasts;       /* simulated experiments for the interval, >= 10; 0: 500 */
    double confidence;      /* of the interval; 0: 0.95 */
} iv_pilot_options;

/* Which judgments would show which run is better? */
typedef struct iv_next_question {
    iv_source from;        /* a file of judgments may be empty */
    size_t count;          /* documents to list; 0: 10 */
    const char *write;     /* a file to write: the judgments, and these documents with grade -1,
                              to be filled in; NULL: none */
    const char *relevance; /* of unjudged documents: a probability in (0, 1), or "rank":
                              estimated from the judged ones; NULL: "rank" */
    bool paper;            /* as Carterette and Smucker (2007): relevance 0.5, the plain moments,
                              only documents that the runs return */
    size_t depth;          /* of the runs to look at; 0: all */
    int32_t level;         /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    const char *machine;   /* a file of automatic labels; NULL: none */
    /* Judging is simulated with these judgments ... */
    const char *oracle;    /* a file; NULL: it is not simulated */
    double until;          /* ... until the signs have this confidence; 0: 0.95 */
    iv_no_answer no_answer;
    size_t most;           /* judgments; 0: no limit */
} iv_next_question;

/*
 * Tables documents and pairs; also judging, if it is simulated.  IV_EARG for an
 * invalid relevance or fewer than two runs; otherwise as iv_judging_new() and
 * iv_judge_until().
 */
IV_API IV_MUST_CHECK int iv_answer_next(iv_result *out, const iv_next_question *q,
                                        const iv_work *work, iv_err *err);

/* --------------------------------------------------------- incomplete -- */

/* Which run is better, given the judgments so far? */
typedef struct iv_incomplete_question {
    iv_source from;             /* a file of judgments may be empty */
    const char *baseline;       /* each run against this one, by name or file; NULL: all
                                   pairs */
    const char *relevance;      /* as in iv_next_question, as is this: */
    bool paper;
    size_t depth;               /* of the runs to look at; 0: all */
    int32_t level;              /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    const char *measure;        /* that has a mean over topics; NULL: AP */
    iv_alternative alternative; /* of the sign test */
    double confidence;          /* in a sign; 0: 0.95 */
} iv_incomplete_question;

/* Tables pairs and signs.  IV_EARG as for next, and for a baseline that is not among the
 * runs. */
IV_API IV_MUST_CHECK int iv_answer_incomplete(iv_result *out, const iv_incomplete_question *q,
                                              const iv_work *work, iv_err *err);

/* Many topics with few judgments, or few with many? */
typedef struct iv_plan_cost_question {
    const char *pilot;     /* a table with the columns certainty, topics and judgments ... */
    iv_reals coefficients; /* ... or the three coefficients of the model */
    double topics;         /* that would be enough if fully judged; 0: 25 */
    iv_prices prices;
    double certainty;      /* above 1/2; 0: the cheapest */
    iv_reals errors;       /* costs of a false positive and a false negative: topics follow ... */
    double effect;         /* ... at this effect; none: topics are given */
    double confidence;     /* 0: 0.95 */
} iv_plan_cost_question;

/* Tables plan, model and curve.  IV_EARG unless either a pilot or coefficients
 * are given; otherwise as iv_cost_fit() and iv_cost_least(). */
IV_API IV_MUST_CHECK int iv_answer_plan_cost(iv_result *out, const iv_plan_cost_question *q,
                                             const iv_work *work, iv_err *err);

/* What do a few judged topics say about a whole experiment? */
typedef struct iv_plan_pilot_question {
    iv_source from;         /* the pilot's judgments, and two runs */
    double effect;          /* to find by the one-sided sign test, with ... */
    double power, alpha;    /* ... these; 0: 0.8 and 0.05 */
    const char *relevance;  /* as in iv_next_question */
    size_t depth;           /* of the runs to look at; 0: all */
    int32_t level;          /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    iv_pilot_options how;   /* topics only without an effect; no prior */
} iv_plan_pilot_question;

/* Tables plan, model and training.  IV_EARG if both topics and an effect are given;
 * otherwise as iv_pilot_study(). */
IV_API IV_MUST_CHECK int iv_answer_plan_pilot(iv_result *out, const iv_plan_pilot_question *q,
                                              const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ACTIVE_H */
