/* SPDX-License-Identifier: Apache-2.0 */
/* What the command recall says in words: the answer and the notes. */
#ifndef RECALL_WORDS_H
#define RECALL_WORDS_H

#include "command/recall_cases.h"

/* What was met while the tables were filled. */
typedef struct recall_findings {
    size_t outside;   /* intervals of the normal methods that leave [0, 1] */
    char heavy[200];  /* methods whose prior brings in much */
    double heaviest;
    bool cells;       /* some posterior was too large for atoms */
    const recall_case *best; /* the highest estimate, or the only case */
    int method;              /* its method, interval and P(recall >= target) */
    iv_recall_interval interval;
    double p_target;         /* NaN: none */
} recall_findings;

/* As users write it; betabin-prior for a prior of theirs. */
const char *recall_method_name(int method);

/* The answer in a sentence, and all that a reader must know. */
void recall_words(const recall_findings *f, const recall_cases *cases, const cmd_context *c);

#endif /* RECALL_WORDS_H */
