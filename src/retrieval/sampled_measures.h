/* SPDX-License-Identifier: Apache-2.0 */
/* Measures that can be estimated from a sample. */
#ifndef IV_RETRIEVAL_SAMPLED_MEASURES_H
#define IV_RETRIEVAL_SAMPLED_MEASURES_H

#include "base/memory.h"
#include "intervale/retrieval.h"

/* The same as words, static; empty when there is an interval. */
const char *iv_sampled_gap_text(iv_sampled_gap gap);

/* What can be asked of a sample, beside the complete measures it is made of. */
typedef enum iv_sampled_kind {
    IV_SAMPLED_AP, IV_SAMPLED_P, IV_SAMPLED_RECALL, IV_SAMPLED_RPREC, IV_SAMPLED_NDCG,
    IV_SAMPLED_NUM_REL, IV_SAMPLED_NUM_REL_RET, IV_SAMPLED_NUM_RET,
    IV_SAMPLED_INFAP, IV_SAMPLED_XINFAP, IV_SAMPLED_INFNDCG, IV_SAMPLED_IP,
    IV_SAMPLED_INUM_REL, IV_SAMPLED_INUM_REL_RET
} iv_sampled_kind;

/* One number of a topic. */
typedef struct iv_sampled_value {
    const char *name;  /* as asked for, in trec_eval's or ir_measures' way */
    iv_sampled_kind kind;
    size_t cutoff;     /* 0: none */
    int32_t level;     /* the lowest relevant grade */
    bool count;        /* a number of documents: summed over topics */
    bool inferred;     /* TREC's estimate, without uncertainty for a topic */
    size_t asked;      /* its place among the complete measures; IV_NONE: none */
} iv_sampled_value;

typedef struct iv_sampled_measures {
    iv_measures *complete; /* NULL: only TREC's estimates are asked for */
    iv_sampled_value *values;
    size_t count, capacity;
    size_t depth;          /* documents of a topic to look at */
    iv_arena names;
} iv_sampled_measures;

/*
 * Parses names as iv_measures_parse() does, and those of TREC's estimates.
 * IV_EARG also for a measure that cannot be estimated from a sample.
 */
IV_MUST_CHECK int iv_sampled_measures_parse(iv_sampled_measures **out,
                                            const char *const *names, size_t count,
                                            const iv_measure_options *options, iv_err *err);
void iv_sampled_measures_free(iv_sampled_measures *m);

/* Parses those that are none of TREC's estimates; *out stays where there are no others. */
IV_MUST_CHECK int iv_measures_parse_complete(iv_measures **out, const char *const *names,
                                             size_t count, const iv_measure_options *options,
                                             iv_err *err);

/* Does the sample tell what the measures need? */
IV_MUST_CHECK int iv_sampled_check(const iv_sampling *s, const iv_sampled_measures *m,
                                   iv_err *err);

#endif
