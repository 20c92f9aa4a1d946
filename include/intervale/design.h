/* SPDX-License-Identifier: Apache-2.0 */
/*
 * design -- what to judge, and with which probability.
 */
#ifndef INTERVALE_DESIGN_H
#define INTERVALE_DESIGN_H

#include "intervale/base.h"
#include "intervale/stat.h"
#include "intervale/trec.h"

IV_BEGIN_C

/*
 * Active judging: what is believed of documents that nobody judged, and in which order documents
 * are judged.  Questions about it are in intervale/answer.h.
 *
 * Refs: Carterette, Allan and Sitaraman (2006), SIGIR, 268-275; Carterette (2007), SIGIR;
 * Carterette and Smucker (2007), CIKM.
 */

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

/* What to do where the oracle has no judgment. */
typedef enum iv_no_answer {
    IV_NO_ANSWER_REFUSE,      /* fail, and name the document */
    IV_NO_ANSWER_NONRELEVANT, /* it is not relevant */
    IV_NO_ANSWER_SKIP         /* never ask for it */
} iv_no_answer;

/* "refuse", "nonrelevant", "skip", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_no_answer_names(void);

/* What is judged next. */
typedef enum iv_judging_order {
    IV_ORDER_NEXT, /* what iv_inquiry_next() says */
    IV_ORDER_POOL  /* all runs' first document, then the second, ... */
} iv_judging_order;

/* "next", "pool", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_judging_order_names(void);

/*
 * Which documents to judge: frames, and samples taken from them.
 *
 * The frame of a topic is the union of the runs' documents down to a depth.
 * Relevant documents outside it are invisible to every sample.  Documents that
 * are included with certainty (a shallow pool, judgments that exist) leave the
 * frame before anything is sampled, and have probability 1.
 */

/* How the documents of one topic were sampled; immutable. */
typedef struct iv_scheme iv_scheme;

/* A document that is judged whatever is sampled. */
#define IV_FIXED UINT32_MAX

/* ---------------------------------------------------------------- runs -- */

/*
 * Reads `count` runs, many at a time; out[0 ... count - 1] are the caller's.
 * On failure, the first bad file's in the order given, out is untouched.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_runs_load(iv_run **out, const char *const *paths,
                                                      size_t count,
                                      iv_run_format format, const iv_work *work, iv_err *err);

/* -------------------------------------------------------------- frames -- */

enum { IV_FRAME_DEPTH = 100 };

typedef struct iv_frame_document {
    iv_str docno;  /* borrowed from a run */
    double weight; /* sums to 1 over the topic */
    uint32_t best; /* the best rank any run gives it, from 1 */
    uint32_t runs; /* that return it */
} iv_frame_document;

/* The frames of all topics of the runs, in byte order of their ids. */
typedef struct iv_frame iv_frame;

/*
 * Documents are in order of their weight, highest first, then of docno; the
 * order of the runs does not matter.  A run of z documents to the depth gives
 * rank r the prior iv_ap_prior(z, r), and 0 to what it does not return.  The
 * runs must outlive *out, which is the caller's: iv_frame_free().  depth: ranks of each run and
 * topic that enter; 0: IV_FRAME_DEPTH.  IV_ENODATA when there is no document.  n log n for the n
 * documents of a topic.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_frame_new(iv_frame **out, const iv_run *const *runs,
                                      size_t count, size_t depth, const iv_work *work,
                                      iv_err *err);
IV_API IV_EXPERIMENTAL void iv_frame_free(iv_frame *f);

/* ------------------------------------------------------------- samples -- */

typedef enum iv_design {
    IV_DESIGN_STEVENS,    /* by weight: iv_scheme_stevens_of() */
    IV_DESIGN_UNIFORM,    /* each document alike, for infAP */
    IV_DESIGN_STRATIFIED, /* by best rank, for xinfAP */
    IV_DESIGN_POOL        /* nothing is sampled: a pool and what is judged */
} iv_design;

/* The designs' names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_design_names(void);

/* How a total is divided among the topics. */
typedef enum iv_spread_rule {
    IV_SPREAD_EVEN, /* each as many as any other */
    IV_SPREAD_FRAME /* in proportion to its frame */
} iv_spread_rule;

/* "even", "frame", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_spread_rule_names(void);

typedef struct iv_sample_options {
    iv_design design;
    /* How many documents to draw: one of the three, or the rates below; {0} is a
     * budget of 100. */
    size_t budget;       /* for each topic */
    size_t total;        /* for all topics together ... */
    iv_spread_rule spread; /* ... divided like this */
    size_t budget_depth; /* as many as a pool of this depth has, per topic */
    /* What is judged besides, for certain. */
    size_t pool_depth;          /* documents that some run ranks so high; 0 */
    const iv_judgments *judged; /* qrels; NULL: none */
    /*
     * Strata: the deepest best rank of each, rising, and the proportion of each
     * that is sampled, in (0, 1].  No depths: 10, 30, 100 and the frame's.  No
     * rates: the budget is divided by the strata's weights.
     */
    iv_integers strata;
    iv_reals rates;
} iv_sample_options;

/* One topic's sample, borrowed.  Documents have probability 0 if they are not sampled, grade -1
 * if they are not judged yet, and their bucket (or -1: judged whatever is sampled) as stratum. */
typedef struct iv_sample_topic {
    iv_str topic;
    size_t frame;            /* documents that could be sampled */
    size_t asked;            /* draws asked for; more than the frame: all of it */
    size_t fixed, drawn;     /* documents included with certainty, and sampled */
    size_t judged;           /* of all these, judged already */
    const iv_scheme *scheme; /* NULL: nothing is sampled */
    const iv_judgment *documents; /* fixed and sampled, by docno */
    size_t count;
    const iv_judgment *rest; /* of the frame, not sampled, by docno */
    size_t rest_count;
} iv_sample_topic;

typedef struct iv_sample iv_sample;

/*
 * Draws a sample of every topic of the frame.  A topic's draws depend on the
 * seed, its id and its frame, and on no other topic.  The frame (with its
 * runs) and options->judged must outlive *out; options may be NULL.  IV_EARG for
 * options that contradict each other, or a budget that leaves a topic with nothing:
 * of the first such topic.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_sample_draw(iv_sample **out, const iv_frame *frame,
                                        const iv_sample_options *options,
                                        const iv_work *work, iv_err *err);
IV_API IV_EXPERIMENTAL void iv_sample_free(iv_sample *s);

/* How many topics were sampled, in byte order, and one of them; borrowed. */
IV_API IV_EXPERIMENTAL size_t iv_sample_topics(const iv_sample *s);
IV_API IV_EXPERIMENTAL iv_sample_topic iv_sample_topic_at(const iv_sample *s, size_t topic);

/*
 * Writes the sample as a file of judgments to fill in: prels, a grade of -1
 * for what is not judged yet, the design in comment lines (doc/formats.md).
 * The words, such as a command line and the runs' names, come first, one a
 * comment line.  IV_EIO when a write failed.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_sample_write(FILE *out, const iv_sample *s,
                                         const char *const *words, size_t word_count,
                                         iv_err *err);

/*
 * How judgments that were read came about: which documents are in the sample,
 * with which probability, and what is known of pairs of them.
 *
 * Understood are files that iv_sample_write() wrote and people filled in (the
 * comment lines say everything), prels without such lines (probabilities, and
 * nothing on pairs: draws are taken to be independent), stratified judgments
 * (the listed documents are the strata), and qrels (everything is certain).
 */

/* What to do with a document of the sample that nobody judged. */
typedef enum iv_unjudged {
    IV_UNJUDGED_REFUSE,
    IV_UNJUDGED_NONRELEVANT, /* it has grade 0 */
    IV_UNJUDGED_DROP /* it leaves the sample, and the others of its bucket have
                        a smaller probability: as if it had been chance */
} iv_unjudged;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_unjudged_names(void);

/* How judgments were sampled. */
typedef struct iv_sampling iv_sampling;

IV_END_C

#endif /* INTERVALE_DESIGN_H */
