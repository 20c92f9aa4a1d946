/* SPDX-License-Identifier: Apache-2.0 */
/* Runs and complete judgments, as several studies read them. */
#include <stdlib.h>

#include "base/parallel.h"
#include "intervale/design/sample.h"
#include "study/sampling_study.h"

int iv_judged_runs_load(iv_judged_runs *out, iv_result *result, const char *qrels,
                        iv_texts runs, const iv_work *work, iv_err *err)
{
    const int threads = iv_work_threads(work);
    int rc;

    out->count = runs.count;
    out->runs = calloc(runs.count + 1, sizeof(iv_run *));
    if (out->runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    rc = iv_runs_load(out->runs, runs.at, runs.count, IV_RUN_ANY, threads, err);
    for (size_t r = 0; r < runs.count && rc == IV_OK; r++)
        iv_result_input(result, runs.at[r], iv_run_bytes(out->runs[r]));
    if (rc == IV_OK)
        rc = iv_judgments_load(&out->judgments, qrels, IV_JUDGMENTS_ANY, threads, err);
    if (rc == IV_OK && iv_judgments_format_of(out->judgments) != IV_JUDGMENTS_QRELS
        && iv_judgments_format_of(out->judgments) != IV_JUDGMENTS_BEIR)
        rc = iv_fail_at(err, IV_EARG, qrels, 0, "the judgments are a sample; the truth of a "
                        "study must be complete");
    if (rc == IV_OK)
        rc = iv_sampling_new(&out->judged, out->judgments, qrels, IV_UNJUDGED_NONRELEVANT, err);
    if (rc == IV_OK)
        iv_result_input(result, qrels, iv_judgments_bytes(out->judgments));
    return rc;
}

void iv_judged_runs_free(iv_judged_runs *c)
{
    for (size_t r = 0; c->runs != NULL && r < c->count; r++)
        iv_run_free(c->runs[r]);
    free(c->runs);
    iv_sampling_free(c->judged);
    iv_judgments_free(c->judgments);
}
