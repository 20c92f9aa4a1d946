/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs, judgments that may be incomplete, and the relevance of unjudged documents, as requests
 * name them.
 */
#ifndef IV_ACTIVE_JUDGING_INPUT_H
#define IV_ACTIVE_JUDGING_INPUT_H

#include "active/pooled.h"
#include "intervale/active.h"
#include "result/run_input.h"

typedef struct iv_judging_input {
    iv_run_input runs;
    const iv_judgments *judgments; /* NULL: nothing is judged */
    iv_pooled *pooled;
    iv_prior prior;
} iv_judging_input;

/*
 * Reads it all into *in, in the same way, and notes what is left out.  An empty file of
 * judgments means that nothing is judged yet.  IV_EARG for fewer than two runs and for a
 * relevance that is neither "rank" nor a probability; NULL is "rank".
 */
IV_MUST_CHECK int iv_judging_input_read(iv_judging_input *in, iv_result *out,
                                        const iv_source *from, const char *relevance,
                                        const iv_pooled_options *pool, const iv_work *work,
                                        iv_err *err);

/* Notes the method, and where it does not fit the judgments; paper: as printed there. */
void iv_judging_input_tell_prior(iv_result *out, const iv_judging_input *in, bool paper);

void iv_judging_input_tell_uneven(iv_result *out, const iv_judging_input *in);

#endif
