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
IV_API IV_EXPERIMENTAL const char *const *iv_unjudged_names(void);

/* How judgments were sampled. */
typedef struct iv_sampling iv_sampling;

IV_END_C

#endif /* INTERVALE_DESIGN_SAMPLING_H */
