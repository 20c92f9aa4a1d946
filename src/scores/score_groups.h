/* SPDX-License-Identifier: Apache-2.0 */
/* Means of scores in groups of items, which a column with the role group names. */
#ifndef IV_SCORES_SCORE_GROUPS_H
#define IV_SCORES_SCORE_GROUPS_H

#include "intervale/result/decisions.h"
#include "scores/score_tables.h"

/* Tables groups and gaps, with the claim on the largest gap; nothing without groups.  `best`: the
 * system of the sentence, or NULL.  Refuses clusters, sets and weights, which lie across groups. */
IV_MUST_CHECK int iv_tell_groups(const iv_scored *scored, const iv_gaps_asked *asked,
                                 const char *best, double confidence, iv_result *out,
                                 iv_err *err);

#endif
