/* SPDX-License-Identifier: Apache-2.0 */
/* Several assessors: what they say together, and what comes of it. */
#ifndef IV_ANSWER_ASSESSOR_PARTS_H
#define IV_ANSWER_ASSESSOR_PARTS_H

#include "base/memory.h"
#include "intervale/answer/likeness.h"
#include "intervale/trec.h"

typedef struct iv_majority {
    uint32_t label; /* the lowest of the commonest; IV_NO_LABEL: nobody gave one */
    size_t votes, of;
    bool tie;
} iv_majority;

#define IV_NO_LABEL UINT32_MAX

typedef struct iv_judge_panel {
    const iv_agree_question *q;
    const iv_assessments_view *v;
    iv_majority *majority; /* of each item */
    double confidence;
    iv_arena memory;
    size_t verdicts, changed; /* pairs of runs by assessors; those that say otherwise */
    /* The first thing measured: by the majority, and by single assessors. */
    const char *run, *measure; /* NULL: nothing was */
    double by_majority, least, most;
} iv_judge_panel;

/* What an assessor says of an item, or the majority where he does not; `by` is the number of
 * assessors for the majority itself. */
uint32_t iv_panel_label(const iv_judge_panel *p, size_t by, size_t item);

/* "majority" after the assessors. */
const char *iv_panel_name(const iv_judge_panel *p, size_t by);

/* The answers of runs, and of recall, under each; tells nothing where neither is asked. */
IV_MUST_CHECK int iv_panel_runs(iv_judge_panel *p, iv_result *out, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_panel_recall(iv_judge_panel *p, iv_result *out, const iv_work *work, iv_err *err);

/* The whole answer. */
IV_MUST_CHECK int iv_agree_assessors(iv_result *out, const iv_agree_question *q,
                                     const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_ASSESSOR_PARTS_H */
