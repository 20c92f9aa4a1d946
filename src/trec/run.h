/* SPDX-License-Identifier: Apache-2.0 */
/* What other modules use of a run beside what programs do. */
#ifndef IV_TREC_RUN_H
#define IV_TREC_RUN_H

#include "intervale/trec/runs.h"

/* The tag of the first line; empty in the MS MARCO format. */
iv_str iv_run_tag(const iv_run *run);

/* Size of the file as it is kept (packed, if it is packed). */
uint64_t iv_run_bytes(const iv_run *run);

/* The index of the topic with this id, or IV_NONE.  O(log topics). */
size_t iv_run_find_topic(const iv_run *run, iv_str id);

iv_str iv_run_docno(const iv_run *run, size_t topic, size_t rank);

double iv_run_score(const iv_run *run, size_t topic, size_t rank);

/*
 * Looks for them.  Where no score is above the one before it, ranks are looked
 * at in the first 16 KB only.  Takes a walk over the file at most.
 */
iv_run_oddities iv_run_odd(const iv_run *run);

/* Has a line another tag than the first? */
bool iv_run_many_tags(const iv_run *run);

#endif
