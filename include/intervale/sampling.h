/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sampling -- which documents to judge, and with which probability.
 */
#ifndef INTERVALE_SAMPLING_H
#define INTERVALE_SAMPLING_H

#include "intervale/result/result_tables.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/run_sources.h"
#include "intervale/trec/runs.h"

IV_BEGIN_C

/*
 * Which documents to judge: frames, and samples taken from them.
 *
 * The frame of a topic is the union of the runs' documents down to a depth.
 * Relevant documents outside it are not counted.  Documents that
 * are included with certainty (a shallow pool, existing judgments) leave the
 * frame before anything is sampled, and have probability 1.
 */

/* How the documents of one topic were sampled; immutable. */
typedef struct iv_scheme iv_scheme;

/* A document that is included with certainty. */
#define IV_FIXED UINT32_MAX

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
 * order of the runs does not matter.  A run with z documents up to the depth gives
 * rank r the prior iv_ap_prior(z, r), and 0 to documents that it does not return.  The
 * runs must outlive *out, which the caller frees by iv_frame_free().  depth: how many ranks of
 * each run and topic are used; 0: IV_FRAME_DEPTH.  IV_ENODATA if there is no document.
 * O(n log n) for the n documents of a topic.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_frame_new(iv_frame **out, const iv_run *const *runs,
                                      size_t count, size_t depth, const iv_work *work,
                                      iv_err *err);
IV_API IV_EXPERIMENTAL void iv_frame_free(iv_frame *f);

/* ------------------------------------------------------------- samples -- */

typedef enum iv_design {
    IV_DESIGN_STEVENS,    /* by weight: iv_scheme_stevens_of() */
    IV_DESIGN_UNIFORM,    /* all with the same probability, for infAP */
    IV_DESIGN_STRATIFIED, /* by best rank, for xinfAP */
    IV_DESIGN_POOL        /* no sampling: a pool and existing judgments */
} iv_design;

/* The designs' names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_design_names(void);

/* How a total is divided among the topics. */
typedef enum iv_spread_rule {
    IV_SPREAD_EVEN, /* equally */
    IV_SPREAD_FRAME /* in proportion to its frame */
} iv_spread_rule;

/* "even", "frame", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_spread_rule_names(void);

typedef struct iv_sample_options {
    iv_design design;
    /* How many documents to draw: one of these three, or the rates below; {0} is a
     * budget of 100. */
    size_t budget;       /* for each topic */
    size_t total;        /* for all topics together ... */
    iv_spread_rule spread; /* ... divided like this */
    size_t budget_depth; /* as many as a pool of this depth has, per topic */
    /* Also included, with certainty. */
    size_t pool_depth;          /* documents up to this rank of any run; 0: none */
    const iv_judgments *judged; /* existing qrels; NULL: none */
    /*
     * Strata: the deepest best rank of each, increasing, and the proportion of each
     * that is sampled, in (0, 1].  No depths: 10, 30, 100 and that of the frame.  No
     * rates: the budget is divided by the strata's weights.
     */
    iv_integers strata;
    iv_reals rates;
} iv_sample_options;

/* One topic's sample, borrowed.  Documents have probability 0 if they are not sampled, grade -1
 * if they are not judged yet, and their bucket (or -1: included with certainty) as stratum. */
typedef struct iv_sample_topic {
    iv_str topic;
    size_t frame;           /* documents that could be sampled */
    size_t asked;           /* draws requested; more than the frame: all of it */
    size_t fixed, drawn;    /* documents included with certainty, and sampled */
    size_t judged;          /* of all these, judged already */
    iv_scheme *scheme;      /* NULL: nothing is sampled */
    iv_judgment *documents; /* fixed and sampled, by docno */
    size_t count;
    iv_judgment *rest;      /* of the frame, not sampled, by docno */
    size_t rest_count;
    size_t *order;          /* in which to judge what is not judged: places in documents */
    size_t order_count;
    iv_frame_document *open; /* the frame, in the order of its buckets */
    size_t pool;            /* documents of the pool that sets the budget */
} iv_sample_topic;

typedef struct iv_sample iv_sample;

/*
 * Draws a sample of every topic of the frame.  A topic's draws depend on the
 * seed, its id and its frame, and on no other topic.  The frame (with its
 * runs) and options->judged must outlive *out; options may be NULL.  IV_EARG for
 * options that contradict each other, or a budget that leaves a topic without documents;
 * the error is that of the first such topic.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_sample_draw(iv_sample **out, const iv_frame *frame,
                                        const iv_sample_options *options,
                                        const iv_work *work, iv_err *err);
IV_API IV_EXPERIMENTAL void iv_sample_free(iv_sample *s);

/* How many topics were sampled, in byte order, and one of them; borrowed. */
IV_API IV_EXPERIMENTAL size_t iv_sample_topics(const iv_sample *s);
IV_API IV_EXPERIMENTAL iv_sample_topic iv_sample_topic_at(const iv_sample *s, size_t topic);

/*
 * Writes the sample as a file to fill in: prels, with grade -1
 * for documents not judged yet, and the design in comment lines (doc/formats.md).
 * The words, such as a command line and the names of runs, come first, each in a
 * comment line.  IV_EIO if a write failed.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_sample_write(FILE *out, const iv_sample *s,
                                         const char *const *words, size_t word_count,
                                         iv_err *err);

/*
 * How judgments were sampled: which documents are in the sample,
 * with which probability, and with which joint probabilities.
 *
 * Possible are completed files of iv_sample_write() (the
 * comment lines have the design), prels without such lines (draws are treated as
 * independent), stratified judgments
 * (the listed documents are the strata), and qrels (all with certainty).
 */

/* How judgments were sampled. */
typedef struct iv_sampling iv_sampling;

/* How the documents with human labels were chosen. */
typedef enum iv_human_design {
    IV_HUMAN_STATED,   /* the file says it, or every labelled document of its topics has one */
    IV_HUMAN_RANDOM,   /* a simple random sample of all labelled documents */
    IV_HUMAN_BY_TOPIC, /* a simple random sample of each topic's */
    IV_HUMAN_TOPICS,   /* whole topics */
    IV_HUMAN_STRATA,   /* of scores: a simple random sample of each stratum */
    IV_HUMAN_CLUSTERS  /* of scores: whole clusters of items, a random sample of them */
} iv_human_design;

/* "stated", "random", "by-topic", "topics", "strata", "clusters", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_human_design_names(void);

/* Which documents should be judged, and with which probability? */
typedef struct iv_sample_question {
    iv_source from;        /* the runs; judgments, if any, are filled in */
    size_t depth;          /* of the frame; 0: IV_FRAME_DEPTH */
    const char *labels;    /* judgments that fill in the sample; NULL: none */
    const char *weights;   /* a run whose scores, above 0, are the weights of the frame's documents,
                              for any prior; NULL: the prior of average precision */
    const char *machine;   /* automatic labels: documents are sampled from this file by
                              human_design, without runs, and written as qrels; NULL: none */
    iv_human_design human_design;
    const char *ids; /* how.total documents of a list: lines "DOCUMENT [FAMILY]", or a table with
                        document, family and segment; families are sampled whole.  NULL: none */
    iv_sample_options how; /* except its judgments */
    FILE *form;            /* where to write the file to fill in; NULL: nowhere */
} iv_sample_question;

/*
 * Table design has a row for each topic, table probabilities one for each bucket.
 * IV_EARG for options that contradict each other;
 * otherwise as iv_frame_new(), iv_sample_draw() and iv_sample_write().
 */
IV_API IV_MUST_CHECK int iv_answer_sample(iv_result *out, const iv_sample_question *q,
                                          const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_SAMPLING_H */
