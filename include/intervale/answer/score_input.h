/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of any kind, as several questions take them. */
#ifndef INTERVALE_ANSWER_SCORE_INPUT_H
#define INTERVALE_ANSWER_SCORE_INPUT_H

#include "intervale/trec/score_table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the sets of a suite are: all there are to speak of, or a sample of such sets. */
typedef enum iv_sets { IV_SETS_FIXED, IV_SETS_SAMPLED } iv_sets;

/* "fixed", "sampled", NULL. */
IV_API const char *const *iv_sets_names(void);

/* {0}: there are none. */
typedef struct iv_score_input {
    bool given;           /* the question is about these, not about judgments and runs */
    iv_score_source from;
    iv_sets sets;
    iv_texts set_weights; /* "SET=2.5"; sets that are not named have 1 */
    bool binary;          /* scores are 0 or 1, or the input is refused */
} iv_score_input;

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ANSWER_SCORE_INPUT_H */
