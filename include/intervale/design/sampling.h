/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How judgments that were read came about: which documents are in the sample,
 * with which probability, and what is known of pairs of them.
 *
 * Understood are files that iv_sample_write() wrote and people filled in (the
 * comment lines say everything), prels without such lines (probabilities, and
 * nothing on pairs: draws are taken to be independent), stratified judgments
 * (the listed documents are the strata), and qrels (everything is certain).
 */
#ifndef INTERVALE_DESIGN_SAMPLING_H
#define INTERVALE_DESIGN_SAMPLING_H

#include "intervale/design/scheme.h"
#include "intervale/trec.h"

IV_BEGIN_C

/* What to do with a document of the sample that nobody judged. */
typedef enum iv_unjudged {
    IV_UNJUDGED_REFUSE,
    IV_UNJUDGED_NONRELEVANT, /* it has grade 0 */
    IV_UNJUDGED_DROP /* it leaves the sample, and the others of its bucket have
                        a smaller probability: as if it had been chance */
} iv_unjudged;

/* Their names in that order, ending with NULL. */
IV_API const char *const *iv_unjudged_names(void);

typedef enum iv_sampling_source {
    IV_SAMPLING_NONE,     /* qrels: nothing was sampled */
    IV_SAMPLING_WRITTEN,  /* the file's comment lines have the design */
    IV_SAMPLING_STRATA,   /* stratified judgments */
    IV_SAMPLING_INCLUSION /* probabilities only */
} iv_sampling_source;

/* One topic, its arrays in the order of its judgments in the file. */
typedef struct iv_sampling_topic {
    const iv_judgment *judgments;
    const double *pi;        /* 0: not in the sample */
    const int32_t *grade;    /* of those in the sample, at least 0 */
    const uint32_t *bucket;  /* or IV_FIXED */
    size_t count;
    const iv_scheme *scheme; /* never NULL */
    size_t drawn;            /* documents in the sample with pi < 1 */
    bool certain;            /* none: everything was judged for certain */
    bool frame_known;        /* documents of the frame outside the sample are
                                listed: iv_sampling_rest() */
    const uint32_t *absent;  /* buckets (or IV_FIXED) of documents of the sample
                                whose lines are gone and that count as not
                                relevant: iv_sampling_absent() */
    size_t absent_count;
    const size_t *moved;     /* of each bucket: documents of it that are certain for another
                                reason and have IV_FIXED; NULL: none */
} iv_sampling_topic;

/* A document that could be drawn, and where the runs have it. */
typedef struct iv_framed_document {
    uint32_t bucket;
    int32_t grade;       /* below 0: it is not in the sample */
    uint32_t best, runs; /* best rank, runs that return it; 0: not known */
} iv_framed_document;

/* What a reader must know of the whole. */
typedef struct iv_sampling_notes {
    size_t unjudged;       /* documents of the sample without a grade */
    size_t added;          /* judgments beyond the design, with probability 1, of documents
                              drawn or not */
    size_t chosen;         /* judgments chosen in the light of others: no part of the sample */
    size_t missing_topics; /* topics of the design without any judgment */
    size_t empty_strata;   /* strata without a judged document, left out */
    size_t depth;          /* ranks of each run that entered the frame; 0: not known */
    char design[32];       /* its name, if the file says it */
} iv_sampling_notes;

typedef struct iv_sampling iv_sampling;

/*
 * Looks at judgments, which must outlive *out; name stands in messages.
 * IV_EPARSE, with the line, for a document of the sample without a grade
 * (unless `unjudged` says what to do), a probability that is neither the design's nor 1,
 * a document with a probability below 1 that the design did not draw, comment
 * lines that contradict each other.
 */
IV_API IV_MUST_CHECK int iv_sampling_new(iv_sampling **out, const iv_judgments *j,
                                         const char *name, iv_unjudged unjudged,
                                         iv_err *err);
IV_API void iv_sampling_free(iv_sampling *s);

/* Where the design is from; the judgments it was made of; what a reader must
 * know.  Borrowed. */
IV_API iv_sampling_source iv_sampling_source_of(const iv_sampling *s);
IV_API const iv_judgments *iv_sampling_judgments(const iv_sampling *s);
IV_API const iv_sampling_notes *iv_sampling_noted(const iv_sampling *s);

/* A topic of the judgments, by its index there; its arrays are borrowed. */
IV_API iv_sampling_topic iv_sampling_topic_at(const iv_sampling *s, size_t topic);

/*
 * The bucket of a document of the frame that is not in the sample (it was not
 * drawn, or is dropped) and has no judgment line; IV_FIXED if there is no such
 * document.
 */
IV_API uint32_t iv_sampling_rest(const iv_sampling *s, size_t topic, iv_str docno);

/*
 * The documents that could be drawn, in the sample or not: how many, 0 if the file does
 * not tell; the place of one among them, IV_NONE if it is none.  Borrowed.
 */
IV_API size_t iv_sampling_frame(const iv_framed_document **out, const iv_sampling *s,
                                size_t topic);
IV_API size_t iv_sampling_frame_find(const iv_sampling *s, size_t topic, iv_str docno);
IV_API iv_str iv_sampling_frame_docno(const iv_sampling *s, size_t topic, size_t place);

/* The place in the topic's `absent` of a document of the sample without a
 * line; SIZE_MAX if it is not one. */
IV_API size_t iv_sampling_absent(const iv_sampling *s, size_t topic, iv_str docno);

IV_END_C

#endif /* INTERVALE_DESIGN_SAMPLING_H */
