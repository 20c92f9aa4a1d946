/* SPDX-License-Identifier: Apache-2.0 */
/* A sample while it is judged: how many relevant documents it stands for, over the topics of
 * which enough is judged.  The partial export is read and evaluated as eval does. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "intervale/estimate.h"
#include "live/live_parts.h"
#include "base/base_private.h"
#include "trec/trec_private.h"

/* eval asks for a run; the number of relevant documents is the same for all. */
static int any_run(iv_run **out, const iv_judgments *j, iv_err *err)
{
    const size_t count = iv_judgments_topics(j);
    iv_arena own = { 0 };
    iv_str *topics = iv_take(&own, count, sizeof *topics), *one = iv_take(&own, count, sizeof *one);
    int rc = iv_taken(&own, err);

    for (size_t t = 0; t < count && rc == IV_OK; t++) {
        topics[t] = iv_judgments_topic(j, t);
        one[t] = iv_str_of("document");
    }
    if (rc == IV_OK)
        rc = iv_run_build(out, "the session",
                          &(iv_run_columns){ count, { .strs = topics }, { .strs = one } }, NULL,
                          err);
    iv_arena_free(&own);
    return rc;
}

static int estimate(iv_live_value *out, iv_str text, int32_t level, const iv_work *work,
                    iv_err *err)
{
    static const char *const measures[] = { "num_rel" };
    /* What nobody could judge counts as not relevant, here. */
    const iv_evaluating how = { .measures = { measures, 1 }, .unjudged = IV_UNJUDGED_NONRELEVANT,
                                .measure.level = level == 0 ? IV_ZERO : level,
                                .resampling.confidence = IV_LIVE_CONFIDENCE };
    iv_judgments *j = NULL;
    iv_run *run = NULL;
    iv_evaluation *e = NULL;
    int rc = iv_judgments_parse(&j, "the session", text.ptr, text.len, IV_JUDGMENTS_PRELS, NULL,
                                err);

    if (rc == IV_OK)
        rc = any_run(&run, j, err);
    if (rc == IV_OK)
        rc = iv_evaluate(&e, &(iv_source){ .judged = j, .ranked = (const iv_run *const[]){ run },
                                           .ranked_count = 1 }, &how, work, err);
    if (rc == IV_OK) {
        const iv_evaluated *v = iv_evaluation_view(e);
        const iv_mean *m = &v->means[0];
        *out = (iv_live_value){ .value = m->value, .lower = v->certain ? m->value : m->lower,
                                .upper = v->certain ? m->value : m->upper };
        (void)snprintf(out->of, sizeof out->of, "relevant documents of %zu topic%s", m->topics,
                       m->topics == 1 ? "" : "s");
    }
    iv_evaluation_free(e);
    iv_run_free(run);
    iv_judgments_free(j);
    return rc;
}

int iv_live_of_sample(iv_live_value *out, size_t *prefix, iv_store *s, const char *combine,
                      const iv_work *work, iv_err *err)
{
    const iv_export_options o = { .form = IV_EXPORT_PRELS, .combine = combine, .or_others = true,
                                  .partial = true };
    char *text = NULL;
    size_t len = 0;
    iv_exported done;
    iv_err why = { 0 };
    FILE *f = open_memstream(&text, &len);

    *out = (iv_live_value){ "relevant documents", NAN, NAN, NAN };
    if (f == NULL)
        return iv_no_memory(err);
    int rc = iv_store_export(&done, f, s, &o, &why);
    if (fclose(f) != 0 && rc == IV_OK)
        rc = iv_no_memory(&why);
    if (rc == IV_OK) {
        *prefix = done.written;
        rc = estimate(out, (iv_str){ text, len }, iv_store_about_of(s)->level, work,
                      err);
    } else {
        rc = rc == IV_ENODATA ? IV_OK : iv_fail_as(err, &why); /* too early to tell */
    }
    free(text);
    return rc;
}
