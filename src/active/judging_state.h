/* SPDX-License-Identifier: Apache-2.0 */
/* Active judging: how sure differences of runs are, and which judgment moves them most. */
#ifndef IV_ACTIVE_JUDGING_STATE_H
#define IV_ACTIVE_JUDGING_STATE_H

#include "active/pooled.h"
#include "intervale/active.h"

/*
 * The curve of all judged documents of p, each at its best rank.  IV_ENODATA
 * when none is judged.
 */
IV_MUST_CHECK int iv_prior_by_rank(iv_prior *out, const iv_pooled *p, iv_err *err);

typedef struct iv_judging_options {
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
} iv_judging_options;

/*
 * The state of judging for the mean average precision of two or more runs, over topics of which
 * some documents are judged; the others are relevant with a probability.  It knows how sure the
 * sign of each difference is, and which judgment would move the expected differences most; each
 * judgment updates it.
 */
typedef struct iv_judging_state iv_judging_state;

/*
 * Active judging of `count` >= 2 of the runs of p, by their numbers (NULL: the first ones); p must
 * outlive it; options may be NULL.  O(m log m) for each topic of m documents and
 * pair of runs.
 */
IV_MUST_CHECK int iv_judging_new(iv_judging_state **out, const iv_pooled *p,
                                        const size_t *runs, size_t count,
                                        const iv_judging_options *options,
                                        const iv_work *work, iv_err *err);
void iv_judging_free(iv_judging_state *q);

/* Names, borrowed.  Topics are as in p, the documents of a topic those that its runs return. */
iv_str iv_judging_topic_id(const iv_judging_state *q, size_t topic);
iv_str iv_judging_docno(const iv_judging_state *q, size_t topic, size_t document);

/* Its rank in the i-th of its runs, 0: not returned. */
uint32_t iv_judging_rank(const iv_judging_state *q, size_t topic, size_t i,
                                size_t document);

/* The best rank of a document in any of the runs, from 1. */
uint32_t iv_judging_best_rank(const iv_judging_state *q, size_t topic, size_t document);

/* Its relevance as it is believed; 0 or 1 if it is judged. */
double iv_judging_relevance(const iv_judging_state *q, size_t topic, size_t document);

/*
 * Moments of the difference in average precision on a topic, and of that in
 * its mean over topics, for pair iv_pair_index(count, a, b).
 */
iv_moments iv_judging_topic_moments(const iv_judging_state *q, size_t topic, size_t pair);
iv_moments iv_judging_moments(const iv_judging_state *q, size_t pair);

/* Does choosing look at this pair?  At the beginning it looks at all. */
void iv_judging_want(iv_judging_state *q, size_t pair, bool wanted);

/* Document d of a topic may be chosen (all may at the beginning). */
void iv_judging_allow(iv_judging_state *q, size_t topic, size_t document, bool allowed);

typedef struct iv_candidate {
    size_t topic, document;
    double movement; /* expected, of the differences in the mean */
    uint32_t rank;   /* the best of any run */
} iv_candidate;

/*
 * The judgment that moves the wanted differences most; ties go to the better
 * best rank.  False when none moves them.  O(topics) after a judgment.
 */
bool iv_judging_next(iv_candidate *out, iv_judging_state *q);

/*
 * The first documents in that order, as things stand, at most *count, which says
 * then how many there are.  O(n log n) in all documents.
 */
IV_MUST_CHECK int iv_judging_list(iv_candidate *out, size_t *count,
                                  const iv_judging_state *q, const iv_work *work, iv_err *err);

/* A document was judged.  O(m) for each pair. */
void iv_judging_judge(iv_judging_state *q, size_t topic, size_t document, bool relevant);

#endif
