/* SPDX-License-Identifier: Apache-2.0 */
/* Labels that a machine made: judgments, or scores that become some. */
#ifndef INTERVALE_TREC_MACHINE_H
#define INTERVALE_TREC_MACHINE_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct iv_judgments;

/* Scores are kept as the proportion of the file's scores below them, in this many parts. */
enum { IV_SCORE_PARTS = 1000 };

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_TREC_MACHINE_H */
