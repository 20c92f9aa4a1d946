/* SPDX-License-Identifier: Apache-2.0 */
/* Runs and complete judgments, as several studies read them. */
#include "base/parallel.h"
#include "study/sampling_study.h"

int iv_judged_runs_load(iv_judged_runs *out, iv_result *result, const char *qrels,
                        iv_texts runs, const iv_work *work, iv_err *err)
{
    const iv_work quiet = iv_work_quiet(work);
    int rc = iv_run_input_read(&out->in, result, &(iv_source){ .runs = runs }, &quiet, err);

    if (rc == IV_OK)
        rc = iv_judgments_load(&out->judgments, qrels, IV_JUDGMENTS_ANY, &quiet, err);
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
    iv_run_input_free(&c->in);
    iv_sampling_free(c->judged);
    iv_judgments_free(c->judgments);
}
