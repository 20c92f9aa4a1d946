/* SPDX-License-Identifier: Apache-2.0 */
/* Inquiries: one topic at work, and the paths that judging takes. */
#ifndef IV_DESIGN_INQUIRY_PARTS_H
#define IV_DESIGN_INQUIRY_PARTS_H

#include "base/memory.h"
#include "design/pool_documents.h"
#include "intervale/design.h"
#include "stat/incomplete/incomplete_parts.h"

/*
 * An inquiry is about the mean average precision of two or more runs over
 * topics of which some documents are judged; the others are relevant with a
 * probability.  It knows how sure the sign of each difference is, and which
 * judgment would move the expected differences most; each judgment updates it.
 */

/*
 * The curve of all judged documents of p, each at its best rank.  IV_ENODATA
 * when none is judged.
 */
IV_MUST_CHECK int iv_prior_by_rank(iv_prior *out, const iv_pooled *p, iv_err *err);

typedef struct iv_inquiry_options {
    iv_prior prior;
    iv_moments_form form;
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
    bool order_only; /* for what to judge next alone: there are no pairs, and no moments */
    /* Of paths. */
    iv_judging_order order;
    iv_no_answer no_answer;
} iv_inquiry_options;

typedef struct iv_inquiry iv_inquiry;

/*
 * An inquiry about `count` >= 2 of the runs of p, by their numbers; p must
 * outlive it; options may be NULL.  O(m log m) for each topic of m documents and
 * pair of runs.
 */
IV_MUST_CHECK int iv_inquiry_new(iv_inquiry **out, const iv_pooled *p,
                                        const size_t *runs, size_t count,
                                        const iv_inquiry_options *options,
                                        const iv_work *work, iv_err *err);
void iv_inquiry_free(iv_inquiry *q);

/* Names, borrowed.  Topics are as in p, the documents of a topic those that its runs return. */
iv_str iv_inquiry_topic_id(const iv_inquiry *q, size_t topic);
iv_str iv_inquiry_docno(const iv_inquiry *q, size_t topic, size_t document);

/* Its rank in the i-th run of the inquiry, 0: not returned. */
uint32_t iv_inquiry_rank(const iv_inquiry *q, size_t topic, size_t i,
                                size_t document);

/* The best rank of a document in any of the runs, from 1. */
uint32_t iv_inquiry_best_rank(const iv_inquiry *q, size_t topic, size_t document);

/* Its relevance as it is believed; 0 or 1 if it is judged. */
double iv_inquiry_relevance(const iv_inquiry *q, size_t topic, size_t document);

/*
 * Moments of the difference in average precision on a topic, and of that in
 * its mean over topics, for pair iv_pair_index(count, a, b).
 */
iv_moments iv_inquiry_topic_moments(const iv_inquiry *q, size_t topic, size_t pair);
iv_moments iv_inquiry_moments(const iv_inquiry *q, size_t pair);

/* Does choosing look at this pair?  At the beginning it looks at all. */
void iv_inquiry_want(iv_inquiry *q, size_t pair, bool wanted);

/* Document d of a topic may be chosen (all may at the beginning). */
void iv_inquiry_allow(iv_inquiry *q, size_t topic, size_t document, bool allowed);

typedef struct iv_candidate {
    size_t topic, document;
    double movement; /* expected, of the differences in the mean */
    uint32_t rank;   /* the best of any run */
} iv_candidate;

/*
 * The judgment that moves the wanted differences most; ties go to the better
 * best rank.  False when none moves them.  O(topics) after a judgment.
 */
bool iv_inquiry_next(iv_candidate *out, iv_inquiry *q);

/*
 * The first documents in that order, as things stand, at most *count, which says
 * then how many there are.  O(n log n) in all documents.
 */
IV_MUST_CHECK int iv_inquiry_list(iv_candidate *out, size_t *count,
                                         const iv_inquiry *q, const iv_work *work, iv_err *err);

/* A document was judged.  O(m) for each pair. */
void iv_inquiry_judge(iv_inquiry *q, size_t topic, size_t document, bool relevant);

/* -------------------------------------------------------- simulated judging -- */

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
IV_MUST_CHECK int iv_judge_until(iv_judging_record *out, iv_inquiry *q,
                                        const iv_judgments *oracle, const char *name,
                                        const iv_judging_plan *plan, const iv_work *work,
                                        iv_err *err);
void iv_judging_record_free(iv_judging_record *r);

/* ------------------------------------------------------- inquiry topic -- */

/* One topic of an inquiry: the documents of its runs, and what is believed. */
typedef struct iv_inquiry_topic {
    iv_arena memory;
    size_t documents; /* that the runs return */
    size_t all;       /* and documents known to be relevant elsewhere */
    uint32_t *pooled; /* the number of each in the pool */
    uint32_t *rank;   /* runs x all */
    bool *allowed;    /* may be chosen */
    signed char *known; /* 1 relevant, 0 not, -1 not judged */
    uint32_t *label;  /* automatic label of each, UINT32_MAX: none; NULL: there are none */
    uint32_t depth;   /* that all runs have; below it unjudged documents do not count */
    uint32_t *counted; /* runs x all: ranks that count, 0 for others */
    iv_ap_belief *belief; /* NULL as long as relevance is not learnt */
} iv_inquiry_topic;

struct iv_inquiry {
    iv_arena memory;
    const iv_pooled *p;
    size_t runs, pairs, topics;
    size_t *run; /* their numbers in p */
    iv_inquiry_options options;
    iv_inquiry_topic *topic;
    iv_candidate *best; /* of each topic; document SIZE_MAX: none moves anything ... */
    bool *stale;        /* ... and whether it must be looked for */
    bool *wanted;
    /* Relevance learnt: of no judged document 1/2; by automatic label, NULL: there are none. */
    iv_rank_relevance curve;
    double *label;
    size_t labels;       /* how many there are */
    size_t judged, all;  /* documents: judged, and in all */
    size_t fitted;       /* judged when relevance was learnt last */
};

/* Fills *out, which starts as {0}; freed by iv_inquiry_topic_clear() also then
 * when this fails. */
IV_MUST_CHECK int iv_inquiry_topic_fill(iv_inquiry_topic *out, const iv_pooled *p, size_t t,
                                        const size_t *runs, size_t count,
                                        const iv_inquiry_options *options, iv_err *err);
void iv_inquiry_topic_clear(iv_inquiry_topic *x);

/* Makes its belief anew by what was learnt; NULL: nothing. */
IV_MUST_CHECK int iv_inquiry_topic_believe(iv_inquiry_topic *x, const iv_rank_relevance *curve,
                                           const double *label, size_t runs,
                                           const iv_inquiry_options *o, iv_err *err);
/* The best rank of a document in any of `count` runs. */
uint32_t iv_inquiry_topic_best(const iv_inquiry_topic *x, size_t count, size_t document);

/* Learns relevance from all that is judged now, if it is learnt. */
IV_MUST_CHECK int iv_inquiry_settle(iv_inquiry *q, const iv_work *work, iv_err *err);

/* Limits of the difference in the mean of runs a < b (see stat/incomplete.h), of work that is
 * `done` so far; asks after each topic. */
IV_MUST_CHECK int iv_inquiry_limits_at(double *lower, double *upper, const iv_inquiry *q, size_t a,
                                       size_t b, const iv_work *work, double done, iv_err *err);

/* ---------------------------------------------------------- a machine -- */

/* The largest label, or part of scores. */
double iv_largest_label(const iv_judgments *machine, bool scored);

/* ------------------------------------------------------- judging paths -- */

/*
 * Judging simulated many times over.
 *
 * Which document of a topic comes next depends on that topic alone, so each
 * topic has one path: what is judged after what, and mean and variance of the
 * difference after each judgment.  Judging any set of topics is then a merge
 * of their paths, and a resample of topics costs next to nothing.  Paths are
 * walked only as far as somebody asks.
 */
typedef struct iv_paths iv_paths;

/*
 * Paths of runs a and b over the topics of p, whose judgments are the oracle;
 * judging starts from nothing.  Of the options prior, form, order, no_answer and, of the truth,
 * union_only.  p must outlive it.  IV_ENODATA if the oracle
 * lacks a document and shall refuse (name stands in the message).
 */
IV_MUST_CHECK int iv_paths_new(iv_paths **out, const iv_pooled *p, size_t a, size_t b,
                               const iv_inquiry_options *options, const char *name,
                               const iv_work *work, iv_err *err);
void iv_paths_free(iv_paths *x);

/*
 * The number of judgments after which n topics (numbers, perhaps repeated and
 * then judged anew) first reach each of `count` rising confidences (from
 * IV_CERTAIN on counts as 1); SIZE_MAX where they never do.  wins and losses
 * (NULL: not asked for) count the topics with expected difference above and
 * below 0 when the last one is reached, or at the end.  Changes the paths,
 * never the result.
 */
IV_MUST_CHECK int iv_paths_judge(size_t *judgments, size_t *wins, size_t *losses, iv_paths *x,
                                 const size_t *topics, size_t n, const double *confidence,
                                 size_t count, const iv_work *work, iv_err *err);

/*
 * Judges n topics to the end, or until visit says false, and shows how things
 * stand before the first judgment and whenever `every` more were made (by
 * pool: after each round): judgments, the sum of the differences over topics, and topics whose
 * expected sign is that of the truth, or not; those without a true sign are not counted.
 */
IV_MUST_CHECK int iv_paths_watch(iv_paths *x, const size_t *topics, size_t n, size_t every,
                                 bool (*visit)(void *user, size_t judgments, iv_moments sum,
                                               size_t right, size_t wrong),
                                 void *user, const iv_work *work, iv_err *err);

/*
 * What is true of topic's difference: with all known judgments, unjudged
 * documents taken for not relevant.
 */
double iv_paths_truth(const iv_paths *x, size_t topic);

#endif /* IV_DESIGN_INQUIRY_PARTS_H */
