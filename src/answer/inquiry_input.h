/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs, judgments that may be incomplete, and how relevant what nobody judged is
 * taken to be: what several answers read.
 */
#ifndef IV_ANSWER_INQUIRY_INPUT_H
#define IV_ANSWER_INQUIRY_INPUT_H

#include "intervale/design.h"
#include "intervale/estimate.h"

/* The runs of a source: read, or the caller's. */
typedef struct iv_run_input {
    const iv_run *const *runs;
    const char *const *paths; /* NULL: they are in memory */
    size_t count;
    iv_run **own;
} iv_run_input;

/*
 * Reads the runs into *in, which starts as {0} and is freed in any case, and adds
 * them to the inputs of the result.
 */
IV_MUST_CHECK int iv_run_input_read(iv_run_input *in, iv_result *out, const iv_source *from,
                                    const iv_work *work, iv_err *err);
void iv_run_input_free(iv_run_input *in);

/* Is this the run's tag, its file, or the name of its file? */
bool iv_run_input_is(const iv_run_input *in, size_t run, const char *name);

/* The names of the runs, all different; *names is to be freed in any case. */
IV_MUST_CHECK int iv_run_input_names(char ***names, const iv_run_input *in, iv_err *err);
void iv_run_input_free_names(char **names, const iv_run_input *in);

/* The judgments of a file; adds it to the inputs of the result. */
IV_MUST_CHECK int iv_judgments_input(iv_judgments **own, iv_result *out, const char *path,
                                     iv_judgments_format format, const iv_work *work,
                                     iv_err *err);

typedef struct iv_inquiry_input {
    iv_run_input runs;
    const iv_judgments *judgments; /* NULL: nothing is judged */
    iv_judgments *own;
    char **names;                  /* of the runs */
    iv_pooled *pooled;
    iv_prior prior;
} iv_inquiry_input;

/*
 * Reads it all into *in, which starts as {0} and is freed in any case; adds the
 * files to the result and notes what is left out.  An empty file of judgments means
 * that nothing is judged yet.  IV_EARG for fewer than two runs and for a relevance
 * that is neither "rank" nor a probability; NULL is "0.5".
 */
IV_MUST_CHECK int iv_inquiry_input_read(iv_inquiry_input *in, iv_result *out,
                                        const iv_source *from, const char *relevance,
                                        const iv_pooled_options *pool, const iv_work *work,
                                        iv_err *err);
void iv_inquiry_input_free(iv_inquiry_input *in);

/* A note on how unjudged documents are taken. */
void iv_inquiry_input_tell_prior(iv_result *out, const iv_inquiry_input *in);

#endif /* IV_ANSWER_INQUIRY_INPUT_H */
