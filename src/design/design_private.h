/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of design share, and what other modules use of it. */
#ifndef IV_DESIGN_DESIGN_PRIVATE_H
#define IV_DESIGN_DESIGN_PRIVATE_H

#include "intervale/design.h"
#include "stat/incomplete/incomplete_private.h"
#include "trec/tables_private.h"

/* ------------------------------------------------------ pool documents -- */
/*
 * The documents that some of several runs return, topic by topic, with their
 * rank in each run and what is known of their relevance.
 */

typedef struct iv_pooled_options {
    size_t depth;       /* of each run to look at; 0: all */
    int32_t level;      /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    bool judged_topics; /* only topics that the judgments have */
} iv_pooled_options;

typedef struct iv_pooled_topic {
    iv_arena memory;
    iv_str id;
    size_t documents, outside; /* outside: judged relevant, and none of the runs returns it */
    iv_str *docno;             /* documents by their best rank in any run, then by name */
    uint32_t *rank;            /* runs x documents; see iv_pooled_ranks() */
    signed char *judged;       /* 1 relevant, 0 not, -1 not judged */
} iv_pooled_topic;

/* Runs go by their place in the array given, topics are in byte order of their ids, which are
 * borrowed.  Immutable: any number of threads may read it. */
typedef struct iv_pooled {
    size_t runs, topics, capacity;
    iv_pooled_topic *topic;
    /* What was left out or is missing, over all topics. */
    size_t not_shared; /* topics that only some of the runs have */
    size_t not_judged; /* topics of all runs left out for want of judgments */
    iv_str not_shared_first, not_judged_first; /* one of them each */
    size_t documents, judged, relevant, outside;
    const iv_run *const *run; /* these three while it is made */
    const iv_judgments *judgments;
    iv_pooled_options options;
} iv_pooled;

/*
 * Pools the topics that all of `count` >= 1 runs have.  judgments may be NULL:
 * nothing is judged.  Runs and judgments must outlive *out; options may be NULL.
 * IV_ENODATA when
 * no topic is left, IV_EARG for judgments that are a sample (prels,
 * stratified): their unjudged documents are not open, they were not drawn.
 */
IV_MUST_CHECK int iv_pooled_new(iv_pooled **out, const iv_run *const *runs,
                                       size_t count, const iv_judgments *judgments,
                                       const iv_pooled_options *options,
                                       const iv_work *work, iv_err *err);
void iv_pooled_free(iv_pooled *p);

/* The rank of each document in a run, from 1; 0: not returned.  Borrowed. */
const uint32_t *iv_pooled_ranks(const iv_pooled *p, size_t topic, size_t run);

/* ------------------------------------------------------------- inquiry -- */
/* Inquiries: one topic at work, and the paths that judging takes. */

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
 * An inquiry about `count` >= 2 of the runs of p, by their numbers (NULL: the first ones); p must
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

/* ------------------------------------------------------------- samples -- */
/*
 * Drawing documents with known probabilities: the prior of average precision,
 * Stevens' scheme and stratified sampling, probabilities of inclusion and of
 * joint inclusion, the variance of a total.
 *
 * Ref: Aslam and Pavlu (2008), A practical sampling strategy for efficient
 * retrieval evaluation; Stevens (1958), Sampling without replacement with
 * probability proportional to size, JRSS B 20.
 *
 * Corrected against the paper: the last bucket may be short, and then neither
 * its share nor draws times share over size is the probability of its
 * documents; see doc/methods/sampling.md.
 */

/* ---------------------------------------------------------- the prior -- */

/* The prior of average precision at rank r of a list of z documents,
 * w[r - 1] = (1 + 1/r + 1/(r+1) + ... + 1/z) / (2 z); they sum to 1. */
void iv_ap_priors(double *w, size_t z);

/*
 * Variance of one draw with replacement, value[i] / p[i] with probability
 * p[i] > 0: sum value^2 / p - (sum value)^2.  The mean of m draws has this
 * over m.
 */
double iv_draw_variance(const double *value, const double *p, size_t n);

/* ------------------------------------------------------------- schemes -- */

/* Documents of a frame that are drawn alike: a bucket or a stratum. */
typedef struct iv_bucket {
    size_t size;   /* documents in it */
    double share;  /* Stevens: probability that a draw picks it; else 0 */
    size_t drawn;  /* strata: documents drawn from it; Stevens: 0 */
    double pi;     /* probability that a document of it is in the sample */
    double within; /* that two of its documents are; 0 if it has but one */
} iv_bucket;

/*
 * Stevens' scheme: `draws` draws with replacement over buckets of `sizes`
 * documents, picked with probabilities in proportion to `weights` (> 0); a
 * bucket drawn k times gives k of its documents, equally likely, or all it
 * has.  Every bucket but the last has at least `draws` documents: IV_EARG if
 * not.  Exact, whatever the last one has.
 */
IV_MUST_CHECK int iv_scheme_stevens(iv_scheme **out, const size_t *sizes,
                                           const double *weights, size_t buckets,
                                           size_t draws, iv_err *err);

/*
 * The same from the documents' weights (> 0, none above the one before it):
 * buckets of `draws` documents, the last perhaps shorter.
 */
IV_MUST_CHECK int iv_scheme_stevens_of(iv_scheme **out, const double *weights,
                                              size_t documents, size_t draws,
                                              iv_err *err);

/*
 * Strata: drawn[h] of sizes[h] documents, every subset equally likely, each
 * stratum by itself; 1 <= drawn <= size.  One stratum is a uniform sample.
 */
IV_MUST_CHECK int iv_scheme_strata(iv_scheme **out, const size_t *sizes,
                                          const size_t *drawn, size_t strata,
                                          iv_err *err);

/* Documents drawn independently of each other: no buckets. */
IV_MUST_CHECK int iv_scheme_independent(iv_scheme **out, iv_err *err);

/* Schemes are the caller's to free. */
void iv_scheme_free(iv_scheme *s);

/*
 * Probability that two different documents, one of bucket a and one of bucket
 * b (perhaps the same), are both in the sample.
 */
double iv_scheme_joint(const iv_scheme *s, size_t a, size_t b);

/*
 * Draws once: taken[i] is how many documents bucket i gives, at most its size.
 */
void iv_scheme_draw(size_t *taken, const iv_scheme *s, iv_stream *stream);

/* ------------------------------------------------------- their variance -- */

/*
 * Estimated variance of the total sum u[i] / pi[i] over the sample of `count` documents with
 * probabilities in (0, 1] and buckets (or IV_FIXED; not looked at if draws are independent;
 * Horvitz and Thompson's form): the sum over pairs of
 * (1 - pi_i pi_j / pi_ij) u_i u_j / (pi_i pi_j), pi_ii = pi_i.  Unbiased for
 * fixed u; may be negative.  Where u is 0, pi does not matter.  sums: room for
 * a double a bucket.  Linear in the number of documents and buckets.
 */
double iv_scheme_variance(const iv_scheme *s, const double *u, const double *pi,
                          const uint32_t *bucket, size_t count, double *sums);

/*
 * The true variance of that total over all samples, when u is known for every
 * document of the frame; weight[i] (NULL: all 1) counts a document that often,
 * as when u is known of a sample of them only.
 */
double iv_scheme_true_variance(const iv_scheme *s, const double *u,
                                      const double *weight, const uint32_t *bucket,
                                      size_t count, double *sums);

/* -------------------------------------------------------------- frames -- */

/* The place of a topic, or IV_NONE. */
size_t iv_frame_find_topic(const iv_frame *f, iv_str id);

/* ------------------------------------------------- judgments as a sample -- */

typedef enum iv_sampling_source {
    IV_SAMPLING_NONE,     /* qrels: nothing was sampled */
    IV_SAMPLING_WRITTEN,  /* the file's comment lines have the design */
    IV_SAMPLING_STRATA,   /* stratified judgments */
    IV_SAMPLING_INCLUSION /* probabilities only */
} iv_sampling_source;

/* A document that could be drawn. */
typedef struct iv_framed_document {
    uint32_t bucket;
    int32_t grade; /* below 0: it is not in the sample */
} iv_framed_document;

/* Documents by their names: iv_ids_find() has their places. */
typedef struct iv_sampling_list {
    iv_ids ids;
    iv_framed_document *at;
    size_t capacity;
} iv_sampling_list;

/* One topic, its arrays in the order of its judgments in the file. */
typedef struct iv_sampling_topic {
    const iv_judgment *judgments;
    double *pi;       /* 0: not in the sample */
    int32_t *grade;   /* of those in the sample, at least 0 */
    uint32_t *bucket; /* or IV_FIXED */
    size_t count;
    iv_scheme *scheme; /* never NULL */
    size_t drawn;     /* documents in the sample with pi < 1 */
    bool certain;     /* none: everything was judged for certain */
    bool frame_known; /* documents of the frame outside the sample are listed in rest */
    iv_sampling_list rest;   /* of the frame, not in the sample (not drawn, or dropped), without a
                                line: their buckets */
    iv_sampling_list absent; /* in the sample, without a line: not relevant; as these */
    iv_sampling_list frame;  /* what could be drawn; empty: not known */
    size_t *moved;    /* of each bucket: documents of it that are certain for another reason and
                         have IV_FIXED; NULL: none */
} iv_sampling_topic;

/* What a reader must know of the whole. */
typedef struct iv_sampling_notes {
    size_t unjudged;       /* documents of the sample without a grade */
    size_t added;          /* judgments with probability 1 of documents that were not drawn */
    size_t certain;        /* and of documents that were */
    size_t chosen;         /* judgments chosen in the light of others: no part of the sample */
    size_t missing_topics; /* topics of the design without any judgment */
    size_t empty_strata;   /* strata without a judged document, left out */
    size_t depth;          /* ranks of each run that entered the frame; 0: not known */
    char design[32];       /* its name, if the file says it */
} iv_sampling_notes;

/*
 * Looks at judgments, which must outlive *out; name stands in messages.
 * IV_EPARSE, with the line, for a document of the sample without a grade
 * (unless `unjudged` says what to do), a probability that is neither the design's nor 1,
 * a document with a probability below 1 that the design did not draw, comment
 * lines that contradict each other.
 */
IV_MUST_CHECK int iv_sampling_new(iv_sampling **out, const iv_judgments *j,
                                         const char *name, iv_unjudged unjudged,
                                         iv_err *err);
void iv_sampling_free(iv_sampling *s);

/* The bucket of a document that is listed in rest; IV_FIXED: it is not. */
uint32_t iv_sampling_rest(const iv_sampling_topic *t, iv_str docno);

/* ------------------------------------------------------ sampling state -- */
/* Samples: how they are drawn, divided, written and read again. */

/* ------------------------------------------------------- sample scheme -- */

/* What a scheme keeps. */
typedef enum iv_scheme_kind {
    IV_SCHEME_INDEPENDENT,
    IV_SCHEME_STEVENS,
    IV_SCHEME_STRATA
} iv_scheme_kind;

struct iv_scheme {
    iv_scheme_kind kind;
    size_t buckets;    /* or strata; of independent draws none */
    size_t draws;      /* of Stevens' scheme; documents drawn in all otherwise */
    iv_bucket *bucket;
    bool short_last;   /* the last bucket has fewer documents than draws */
    double last_ratio; /* joint probability of a document of the short bucket
                          and one of a full bucket, over both probabilities */
};

/*
 * Of the `of` documents drawn from a bucket only `kept` are used, any of them
 * equally likely: its probabilities shrink.
 */
void iv_scheme_thin(iv_scheme *s, size_t bucket, size_t kept, size_t of);

/* --------------------------------------------------------- sample draw -- */

struct iv_sample {
    iv_design design;
    size_t depth; /* of the frame */
    iv_sample_topic *topics;
    size_t topic_count, foreign; /* foreign: of options->judged, that no run has */
    const iv_frame *frame;       /* these three while it is drawn */
    const iv_sample_options *o;
    uint64_t seed;
};

typedef struct iv_topic_frame {
    iv_str id;
    iv_frame_document *documents; /* highest weight first */
    size_t count;
} iv_topic_frame;

struct iv_frame {
    size_t depth; /* ranks of each run that enter */
    iv_topic_frame *topics; /* in byte order */
    size_t topic_count;
    const iv_run *const *runs; /* while it is gathered */
    size_t run_count;
};

/* The name of a topic's random stream. */
uint64_t iv_topic_key(iv_str id);

/* ------------------------------------------------------ sampling parts -- */

/* Is the document in the sample, or could it have been drawn? */
bool iv_sampling_covers(const iv_sampling_topic *t, const iv_hit *hit);

/* Inside a sampling: what the comment lines say, and what becomes of it. */

/* A comment line that lists documents. */
typedef enum iv_listed_kind {
    IV_LISTED_FIXED,
    IV_LISTED_BUCKET,
    IV_LISTED_STRATUM,
    IV_LISTED_REST,
    IV_LISTED_RANKS,
    IV_LISTED_OPEN, /* not judged yet, which is chance: the others stand for them */
    IV_LISTED_ORDER, /* in which to judge */
    IV_LISTED_CHOSEN, /* with regard to what was judged, not drawn: no part of the sample */
    IV_LISTED_KINDS
} iv_listed_kind;

typedef struct iv_sample_comment {
    iv_listed_kind kind;
    size_t topic;    /* of the judgments */
    size_t number;   /* of the bucket, from 1 */
    size_t size, drawn;
    double share;
    iv_str documents; /* the rest of the line */
    uint64_t line;
} iv_sample_comment;

/* All of them, by topic, kind and number. */
typedef struct iv_sample_comments {
    bool found;
    char design[32];
    iv_sample_comment *lines;
    size_t count, capacity;
    bool has[IV_LISTED_KINDS]; /* some topic of the judgments has such a line */
    size_t *frame, *draws;     /* of each topic of the judgments */
    uint64_t *topic_line;      /* where that stands; 0: nowhere */
    size_t missing_topics;
    bool wrapped;   /* version 2: lists go on in further lines */
    size_t depth;   /* of the frame; 0: not told */
    iv_arena joined; /* lists of several lines, and the arrays above */
    const iv_judgments *judgments; /* these four while lines are read */
    const char *name;
    uint64_t line;
    iv_err *err;
} iv_sample_comments;

/* Reads the comment lines; found stays false if they hold no design.  IV_EPARSE where a line of
 * one stands and none says which design it is. */
int iv_listing_read(iv_sample_comments *out, const iv_judgments *j, const char *name, iv_err *err);
void iv_listing_free(iv_sample_comments *l);

/* The next word of a list; false at its end. */
bool iv_next_word(iv_str *word, iv_str *list);

struct iv_sampling {
    iv_arena memory, lists;
    const iv_judgments *judgments;
    const char *name;
    iv_unjudged unjudged;
    iv_sampling_source source;
    iv_sampling_topic *topics; /* of the judgments */
    iv_sampling_notes noted;
};

/* A topic of the judgments, by its index there; its arrays are borrowed. */
static inline iv_sampling_topic iv_sampling_topic_at(const iv_sampling *s, size_t topic)
{
    return s->topics[topic];
}

/* Adds a document to a list, or changes it; false when memory is out. */
bool iv_sampling_put(iv_sampling_list *list, iv_str docno, uint32_t bucket, int32_t grade);

/* Fills a topic from the lines of the design that are about it. */
int iv_sampling_written(iv_sampling *s, size_t topic, const iv_sample_comments *listing,
                        const iv_sample_comment *lines, size_t count, iv_err *err);

#endif
