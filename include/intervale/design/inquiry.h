/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which document should be judged next?  Minimal test collections.
 *
 * An inquiry is about the mean average precision of two or more runs over
 * topics of which some documents are judged; the others are relevant with a
 * probability.  It knows how sure the sign of each difference is, and which
 * judgment would move the expected differences most; each judgment updates it.
 *
 * Refs: Carterette, Allan and Sitaraman (2006), SIGIR, 268-275; Carterette and
 * Smucker (2007), CIKM.
 */
#ifndef INTERVALE_DESIGN_INQUIRY_H
#define INTERVALE_DESIGN_INQUIRY_H

#include "intervale/design/pooled.h"
#include "intervale/stat/incomplete.h"

IV_BEGIN_C

/*
 * How probable it is that a document nobody judged is relevant, each independently.  {0}: by
 * its best rank, by a logistic curve that is fitted to what is judged and follows it; 1/2 as long
 * as nothing is judged (Carterette 2007; Carterette and Smucker 2007).
 */
typedef struct iv_prior {
    double relevance;        /* this, in (0, 1); 0: learnt */
    bool by_rank;            /* by its best rank, along the curve, which stays */
    iv_rank_relevance curve;
} iv_prior;

/*
 * The curve of all judged documents of p, each at its best rank.  IV_ENODATA
 * when none is judged.
 */
IV_API IV_MUST_CHECK int iv_prior_by_rank(iv_prior *out, const iv_pooled *p, iv_err *err);

typedef struct iv_inquiry_options {
    iv_prior prior;
    iv_moments_form form; /* exact counts as delta */
    bool forget;          /* begin as if nothing were judged */
    /*
     * As in the paper: only the documents that the runs return count in the number of relevant
     * ones, and all of them may be relevant.  Otherwise those judged relevant elsewhere count too,
     * and below the depth that all runs of a topic have, unjudged documents do not: a run that
     * returns more is not better for it, and with everything judged the expected difference is
     * trec_eval's.
     */
    bool union_only;
    /*
     * Automatic labels (scores of iv_machine_labels_load(), if `scored`): the relevance of a
     * document with a label is that of the judged ones with the same label, beside one with the
     * relevance (label + 1/2) / (largest + 1).  They outlive the call; NULL: none.
     */
    const iv_judgments *machine;
    bool scored;
    bool order_only; /* for what to judge next alone, in a fraction of the time: moments have no
                        variance */
} iv_inquiry_options;

typedef struct iv_inquiry iv_inquiry;

/*
 * An inquiry about `count` >= 2 of the runs of p, by their numbers; p must
 * outlive it; options may be NULL.  O(m log m) for each topic of m documents and
 * pair of runs.  IV_EARG for a relevance outside (0, 1).
 */
IV_API IV_MUST_CHECK int iv_inquiry_new(iv_inquiry **out, const iv_pooled *p,
                                        const size_t *runs, size_t count,
                                        const iv_inquiry_options *options,
                                        const iv_work *work, iv_err *err);
IV_API void iv_inquiry_free(iv_inquiry *q);

/*
 * Its runs; topics as in p; the documents of a topic that these runs return, and
 * their names, borrowed.  topic and document are below these numbers here and in
 * what follows.
 */
IV_API size_t iv_inquiry_runs(const iv_inquiry *q);
IV_API size_t iv_inquiry_topics(const iv_inquiry *q);
IV_API iv_str iv_inquiry_topic_id(const iv_inquiry *q, size_t topic);
IV_API size_t iv_inquiry_documents(const iv_inquiry *q, size_t topic);
IV_API iv_str iv_inquiry_docno(const iv_inquiry *q, size_t topic, size_t document);

/* Its rank in the i-th run of the inquiry, 0: not returned. */
IV_API uint32_t iv_inquiry_rank(const iv_inquiry *q, size_t topic, size_t i,
                                size_t document);

/* The best rank of a document in any of the runs, from 1. */
IV_API uint32_t iv_inquiry_best_rank(const iv_inquiry *q, size_t topic, size_t document);

/* Its relevance as it is believed; 0 or 1 if it is judged. */
IV_API double iv_inquiry_relevance(const iv_inquiry *q, size_t topic, size_t document);

/*
 * Moments of the difference in average precision on a topic, and of that in
 * its mean over topics, for pair iv_pair_index(count, a, b).
 */
IV_API iv_moments iv_inquiry_topic_moments(const iv_inquiry *q, size_t topic, size_t pair);
IV_API iv_moments iv_inquiry_moments(const iv_inquiry *q, size_t pair);

/* The same of runs a < b in exact form, some hundreds of times as slow.  IV_ENUM
 * when the quadrature fails. */
IV_API IV_MUST_CHECK int iv_inquiry_topic_exact(iv_moments *out, const iv_inquiry *q,
                                                size_t topic, size_t a, size_t b, iv_err *err);

/* Limits of the difference in the mean of runs a < b; see stat/incomplete.h. */
IV_API IV_MUST_CHECK int iv_inquiry_limits(double *lower, double *upper, const iv_inquiry *q,
                                           size_t a, size_t b, iv_err *err);

/* Does choosing look at this pair?  At the beginning it looks at all. */
IV_API void iv_inquiry_want(iv_inquiry *q, size_t pair, bool wanted);

/* Document d of a topic may be chosen (all may at the beginning). */
IV_API void iv_inquiry_allow(iv_inquiry *q, size_t topic, size_t document, bool allowed);

typedef struct iv_candidate {
    size_t topic, document;
    double movement; /* expected, of the differences in the mean */
} iv_candidate;

/*
 * The judgment that moves the wanted differences most; ties go to the better
 * best rank.  False when none moves them.  O(topics) after a judgment.
 */
IV_API bool iv_inquiry_next(iv_candidate *out, iv_inquiry *q);

/*
 * The first documents in that order, as things stand, at most *count, which says
 * then how many there are.  O(n log n) in all documents.
 */
IV_API IV_MUST_CHECK int iv_inquiry_list(iv_candidate *out, size_t *count,
                                         const iv_inquiry *q, const iv_work *work, iv_err *err);

/* A document was judged.  O(m) for each pair. */
IV_API void iv_inquiry_judge(iv_inquiry *q, size_t topic, size_t document, bool relevant);

/* -------------------------------------------------------- simulated judging -- */

/* What to do where the oracle has no judgment. */
typedef enum iv_no_answer {
    IV_NO_ANSWER_REFUSE,      /* fail, and name the document */
    IV_NO_ANSWER_NONRELEVANT, /* it is not relevant */
    IV_NO_ANSWER_SKIP         /* never ask for it */
} iv_no_answer;

/* "refuse", "nonrelevant", "skip", NULL. */
IV_API const char *const *iv_no_answer_names(void);

/* What is judged next. */
typedef enum iv_judging_order {
    IV_ORDER_NEXT, /* what iv_inquiry_next() says */
    IV_ORDER_POOL  /* all runs' first document, then the second, ... */
} iv_judging_order;

/* "next", "pool", NULL. */
IV_API const char *const *iv_judging_order_names(void);

typedef struct iv_judging_plan {
    double until;          /* confidence that every pair shall reach, in (1/2, 1];
                              from IV_CERTAIN on, or a sign that cannot change,
                              counts as 1; 0: .95 */
    int32_t level;         /* the lowest grade that the oracle calls relevant; 0: 1,
                              IV_ZERO: 0 */
    iv_judging_order order;
    iv_no_answer no_answer;
    size_t most;           /* judgments; 0: no limit */
} iv_judging_plan;

/* One judgment of a simulation. */
typedef struct iv_judging_step {
    size_t topic, document;
    bool relevant;
    double movement;   /* expected; of a pool 0 */
    double confidence; /* the least over the pairs, after it; NaN within a round of a pool */
} iv_judging_step;

typedef struct iv_judging_record {
    iv_judging_step *step; /* freed by iv_judging_record_free() */
    size_t steps, relevant;
    size_t depth;          /* of the pool */
    double start;          /* confidence before the first judgment */
    double confidence;     /* the least over the pairs, at the end */
    bool reached;          /* the confidence asked for, by all pairs */
    size_t sure;           /* pairs that have it */
    bool fixed;            /* every sign is fixed by its limits */
    size_t unanswered;     /* documents the oracle lacks, taken as told */
} iv_judging_record;

/*
 * Judges documents of q as the oracle answers (judgments of the same topics;
 * `name` stands in messages) until the confidence is reached, nothing more can be
 * learnt, or `most` are judged.  plan may be NULL.
 * IV_ENODATA for a document the oracle lacks, if it is to refuse.
 */
IV_API IV_MUST_CHECK int iv_judge_until(iv_judging_record *out, iv_inquiry *q,
                                        const iv_judgments *oracle, const char *name,
                                        const iv_judging_plan *plan, const iv_work *work,
                                        iv_err *err);
IV_API void iv_judging_record_free(iv_judging_record *r);

IV_END_C

#endif /* INTERVALE_DESIGN_INQUIRY_H */
