/* SPDX-License-Identifier: Apache-2.0 */
/* Inquiries: one topic at work, and the paths that judging takes. */
#ifndef IV_DESIGN_INQUIRY_PARTS_H
#define IV_DESIGN_INQUIRY_PARTS_H

#include "base/memory.h"
#include "intervale/design/inquiry.h"

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

/* Fills *out, which starts as {0}; freed by iv_inquiry_topic_clear() also then
 * when this fails. */
IV_MUST_CHECK int iv_inquiry_topic_fill(iv_inquiry_topic *out, const iv_pooled *p, size_t t,
                                        const size_t *runs, size_t count,
                                        const iv_inquiry_options *options, iv_err *err);
void iv_inquiry_topic_clear(iv_inquiry_topic *x);

/* The relevance of documents that nobody judged, learnt from the others. */
typedef struct iv_learnt {
    iv_rank_relevance curve; /* of no judged document: 1/2 */
    const double *label;     /* by automatic label; NULL: there are none */
} iv_learnt;

/* Makes its belief anew by what was learnt. */
IV_MUST_CHECK int iv_inquiry_topic_believe(iv_inquiry_topic *x, const iv_learnt *l, size_t runs,
                                           const iv_inquiry_options *o, iv_err *err);
/* Does its judgment make a rank below the depth count?  Then the belief must be made anew. */
bool iv_inquiry_topic_deeper(const iv_inquiry_topic *x, size_t runs, size_t document);

/* The best rank of a document in any of `count` runs. */
uint32_t iv_inquiry_topic_best(const iv_inquiry_topic *x, size_t count, size_t document);

/* Learns relevance from all that is judged now, if it is learnt. */
IV_MUST_CHECK int iv_inquiry_settle(iv_inquiry *q, const iv_work *work, iv_err *err);

/* The number in the pool of a document of an inquiry. */
size_t iv_inquiry_pooled(const iv_inquiry *q, size_t topic, size_t document);

/* iv_inquiry_limits() of work that is `done` so far, and asks after each topic. */
IV_MUST_CHECK int iv_inquiry_limits_at(double *lower, double *upper, const iv_inquiry *q, size_t a,
                                       size_t b, const iv_work *work, double done, iv_err *err);

/* ---------------------------------------------------------- a machine -- */

/* The largest label, or part of scores. */
double iv_largest_label(const iv_judgments *machine, bool scored);

/* How likely a document is to be relevant by its label alone, before anything is known of
 * the machine: (label + 1/2) / (largest + 1); NaN without a label. */
double iv_label_share(const iv_judgments *machine, double largest, size_t topic, iv_str docno);


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

typedef struct iv_paths_options {
    iv_prior prior;
    iv_moments_form form;
    iv_judging_order order;
    iv_no_answer no_answer;
    bool union_only; /* of the truth; see iv_inquiry_options */
} iv_paths_options;

/*
 * Paths of runs a and b over the topics of p, whose judgments are the oracle;
 * judging starts from nothing.  p must outlive it.  IV_ENODATA if the oracle
 * lacks a document and shall refuse (name stands in the message).
 */
IV_MUST_CHECK int iv_paths_new(iv_paths **out, const iv_pooled *p, size_t a, size_t b,
                               const iv_paths_options *options, const char *name,
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

/* What is seen on the way. */
typedef struct iv_paths_view {
    size_t judgments;
    iv_moments sum;       /* over topics, of the difference */
    size_t right, wrong;  /* topics whose expected sign is that of the truth, or
                             not; those without a true sign are not counted */
} iv_paths_view;

/*
 * Judges n topics to the end, or until visit says false, and shows how things
 * stand before the first judgment and whenever `every` more were made (by
 * pool: after each round).
 */
IV_MUST_CHECK int iv_paths_watch(iv_paths *x, const size_t *topics, size_t n, size_t every,
                                 bool (*visit)(void *user, const iv_paths_view *view),
                                 void *user, const iv_work *work, iv_err *err);

/* Mean and variance on a topic before anything is judged. */

/*
 * What is true of topic's difference: with all known judgments, unjudged
 * documents taken for not relevant.
 */
double iv_paths_truth(const iv_paths *x, size_t topic);

#endif /* IV_DESIGN_INQUIRY_PARTS_H */
