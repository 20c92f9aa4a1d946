/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of eval on sampled judgments share. */
#ifndef EVAL_SAMPLED_H
#define EVAL_SAMPLED_H

#include "command/eval.h"

typedef struct sampled {
    const eval *e;
    iv_sampling *sampling;
    iv_sampled_measures *measures;
    size_t width;
    iv_sampled **runs;
    size_t *order;          /* of the runs in tables: by the first measure */
    iv_sampled_mean *means; /* runs x width */
    iv_estimator estimator;
} sampled;

void sampled_tables(const sampled *s);
void sampled_notes(const sampled *s);

/* Of `count` means or differences the judgments' part is larger than the whole. */
void sampled_tell_excess(iv_result *result, size_t count, const char *what);

/* What is irregular in the file, and in the estimator. */
void sampled_tell_irregular(iv_result *result, const iv_sampling *s, int unjudged,
                            iv_estimator estimator);

/* Lines as trec_eval prints them; counts are estimates and have digits. */
void sampled_print_trec(const sampled *s, FILE *out);

#endif /* EVAL_SAMPLED_H */
