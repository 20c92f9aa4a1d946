/* SPDX-License-Identifier: Apache-2.0 */
/* What answers with a machine's labels share. */
#ifndef IV_ANSWER_ASSISTED_PARTS_H
#define IV_ANSWER_ASSISTED_PARTS_H

#include "base/memory.h"
#include "intervale/answer/compare.h"
#include "intervale/answer/eval.h"

/* What is told of the machine: inputs, the tables of judges, notes and the assumption; `nothing`
 * of `all` estimates gain nothing from it. */
IV_MUST_CHECK int iv_tell_machines(iv_result *out, iv_arena *memory, const iv_source *source,
                                   const iv_machines *machines, const iv_assisted *a,
                                   size_t nothing, size_t all, iv_err *err);

/* Does the machine tell nothing of people's values, by the rule rho^2 < 1 / (n - 2)? */
bool iv_machine_idle(const iv_assisted_mean *m);

/* For the sentence: why a measure has no interval, or what is to be known before the one that it
 * has is believed; empty where nothing is. */
void iv_assisted_doubted(char *out, size_t size, const iv_assisted_view *v, const char *measure,
                         const iv_assisted_mean *m);

/* The answers with a machine. */
IV_MUST_CHECK int iv_eval_assisted_topics(iv_result *out, iv_arena *memory, const iv_assisted *a,
                                          iv_err *err);
IV_MUST_CHECK int iv_eval_assisted(iv_result *out, const iv_eval_question *q,
                                   const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_compare_assisted(iv_result *out, const iv_compare_question *q,
                                      const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_ASSISTED_PARTS_H */
