/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judgments that may be incomplete, runs, and how relevant what nobody judged
 * is taken to be: what study judging
 * read.
 */
#ifndef INQUIRY_INPUT_H
#define INQUIRY_INPUT_H

#include "frame/cmd.h"
#include "intervale/design.h"

/* What the command's options say. */
typedef struct inquiry_source {
    const char *judgments;  /* a file; an empty one: nothing is judged */
    char **runs;
    size_t count;
    int judgments_format, run_format;
    const char *relevance;  /* a probability, or "rank" */
    iv_pooled_options pool;
} inquiry_source;

typedef struct inquiry_input {
    iv_judgments *judgments; /* NULL: nothing is judged */
    iv_run **runs;
    char **names;
    size_t count;
    iv_pooled *pooled;
    iv_prior prior;
} inquiry_input;

/* Words of options that these commands share. */
extern const char *const inquiry_moments_words[];   /* plain, delta, exact */
extern const char *const inquiry_judgments_words[]; /* formats */
extern const char *const inquiry_run_words[];
extern const char *const inquiry_no_answer_words[]; /* refuse, nonrelevant, skip */

/*
 * Reads it all into *in, which starts as {0} and is freed in any case; adds the
 * files to the result and notes what is left out.  CMD_USAGE for a relevance
 * that is neither.
 */
IV_MUST_CHECK int inquiry_input_read(inquiry_input *in, cmd_context *c,
                                     const inquiry_source *source, iv_err *err);
void inquiry_input_free(inquiry_input *in);

/* A note on how unjudged documents are taken. */
void inquiry_input_tell_prior(cmd_context *c, const inquiry_input *in);

/* Reads judgments and adds the file to the result. */
IV_MUST_CHECK int inquiry_judgments_read(iv_judgments **out, cmd_context *c, const char *path,
                                         int format, iv_err *err);

#endif /* INQUIRY_INPUT_H */
