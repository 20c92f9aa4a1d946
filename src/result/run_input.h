/* SPDX-License-Identifier: Apache-2.0 */
/* The runs and judgments that a request names, read and kept with its result. */
#ifndef IV_RESULT_RUN_INPUT_H
#define IV_RESULT_RUN_INPUT_H

#include "intervale/result/result_tables.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/run_sources.h"
#include "intervale/trec/runs.h"

/* The runs of a source: read, or the caller's. */
typedef struct iv_run_input {
    const iv_run *const *runs;
    const char *const *paths; /* NULL: they are in memory */
    size_t count;
    const char **names;       /* all different */
} iv_run_input;

/* Reads the runs, which the result keeps while the answer is made, and adds them to its inputs. */
IV_MUST_CHECK int iv_run_input_read(iv_run_input *in, iv_result *out, const iv_source *from,
                                    const iv_work *work, iv_err *err);

/* Is this the run's tag, its file, or the name of its file? */
bool iv_run_input_named(const iv_run_input *in, size_t run, const char *name);

/* The judgments of a file, kept in the same way; adds it to the inputs of the result. */
IV_MUST_CHECK int iv_judgments_input(iv_judgments **j, iv_result *out, const char *path,
                                     iv_judgments_format format, const iv_work *work,
                                     iv_err *err);

#endif
