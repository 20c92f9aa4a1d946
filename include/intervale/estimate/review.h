/* SPDX-License-Identifier: Apache-2.0 */
/* What the questions about recall say of strata without a sample. */
#ifndef INTERVALE_ESTIMATE_REVIEW_H
#define INTERVALE_ESTIMATE_REVIEW_H

#include "intervale/design/sampling.h"
#include "intervale/stat/recall.h"
#include "intervale/trec.h"
#include "intervale/trec/strata.h"

IV_BEGIN_C

/* What to do with a stratum of which nothing is sampled. */
typedef enum iv_unsampled {
    IV_UNSAMPLED_REFUSE,
    IV_UNSAMPLED_SKIP, /* it is left out of the population */
    IV_UNSAMPLED_PRIOR /* the prior speaks for it */
} iv_unsampled;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_unsampled_names(void);

IV_END_C

#endif /* INTERVALE_ESTIMATE_REVIEW_H */
