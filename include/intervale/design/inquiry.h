/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Active judging: what is believed of documents that nobody judged, and in which order documents
 * are judged.  Questions about it are in intervale/answer.h.
 *
 * Refs: Carterette, Allan and Sitaraman (2006), SIGIR, 268-275; Carterette (2007), SIGIR;
 * Carterette and Smucker (2007), CIKM.
 */
#ifndef INTERVALE_DESIGN_INQUIRY_H
#define INTERVALE_DESIGN_INQUIRY_H

#include "intervale/stat/incomplete.h"

IV_BEGIN_C

/*
 * How probable it is that a document nobody judged is relevant, each independently.  {0}: by
 * its best rank, by a logistic curve that is fitted to what is judged and follows it; 1/2 as long
 * as nothing is judged (Carterette 2007; Carterette and Smucker 2007).
 */
typedef struct iv_prior {
    double relevance;        /* this, in (0, 1); 0: learnt */
    bool by_rank;            /* by its best rank, along the curve, which stays */
    iv_rank_relevance curve;
} iv_prior;

/* What to do where the oracle has no judgment. */
typedef enum iv_no_answer {
    IV_NO_ANSWER_REFUSE,      /* fail, and name the document */
    IV_NO_ANSWER_NONRELEVANT, /* it is not relevant */
    IV_NO_ANSWER_SKIP         /* never ask for it */
} iv_no_answer;

/* "refuse", "nonrelevant", "skip", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_no_answer_names(void);

/* What is judged next. */
typedef enum iv_judging_order {
    IV_ORDER_NEXT, /* what iv_inquiry_next() says */
    IV_ORDER_POOL  /* all runs' first document, then the second, ... */
} iv_judging_order;

/* "next", "pool", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_judging_order_names(void);

IV_END_C

#endif /* INTERVALE_DESIGN_INQUIRY_H */
