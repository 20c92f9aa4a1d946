/* SPDX-License-Identifier: Apache-2.0 */
/* A sample while it is judged: how many relevant documents it stands for, over the topics of
 * which enough is judged.  The partial export is what is read: live and eval see one design. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "intervale/design/sampling.h"
#include "intervale/num.h"
#include "live/live_parts.h"

/* The total of one topic, and its variance. */
static int add_topic(double *total, double *variance, const iv_sampling_topic *t, int32_t level,
                     iv_err *err)
{
    iv_arena own = { 0 };
    double *u = iv_take(&own, t->count + 1, sizeof *u), *pi = iv_take(&own, t->count + 1, sizeof *pi);
    double *sums = iv_take(&own, iv_scheme_buckets(t->scheme) + 1, sizeof *sums);
    uint32_t *bucket = iv_take(&own, t->count + 1, sizeof *bucket);
    size_t n = 0;
    const int rc = iv_taken(&own, err);

    for (size_t i = 0; i < t->count && rc == IV_OK; i++) {
        if (t->pi[i] <= 0.0)
            continue;
        u[n] = t->grade[i] >= level;
        pi[n] = t->pi[i];
        bucket[n] = t->bucket[i];
        *total += u[n] / pi[n];
        n++;
    }
    if (rc == IV_OK) {
        const iv_drawn_set set = { pi, bucket, n };
        *variance += fmax(0.0, iv_scheme_variance(t->scheme, u, &set, sums));
    }
    iv_arena_free(&own);
    return rc;
}

static int estimate(iv_live_value *out, iv_str text, int32_t level, iv_err *err)
{
    iv_judgments *j = NULL;
    iv_sampling *s = NULL;
    double total = 0.0, variance = 0.0, found = 0.0;
    int rc = iv_judgments_parse(&j, "the session", text.ptr, text.len, IV_JUDGMENTS_PRELS, NULL,
                                err);

    if (rc == IV_OK) /* what nobody could judge counts as not relevant, here */
        rc = iv_sampling_new(&s, j, "the session", IV_UNJUDGED_NONRELEVANT, err);
    for (size_t t = 0; rc == IV_OK && t < iv_judgments_topics(j); t++) {
        const iv_sampling_topic topic = iv_sampling_topic_at(s, t);
        rc = add_topic(&total, &variance, &topic, level, err);
        for (size_t i = 0; rc == IV_OK && i < topic.count; i++)
            found += topic.pi[i] > 0.0 && topic.grade[i] >= level;
    }
    if (rc == IV_OK) {
        const double half = iv_norm_quantile(0.5 + 0.5 * IV_LIVE_CONFIDENCE) * sqrt(variance);
        out->value = total;
        out->lower = fmax(found, total - half);
        out->upper = total + half;
        (void)snprintf(out->of, sizeof out->of, "relevant documents of %zu topic%s",
                       iv_judgments_topics(j), iv_judgments_topics(j) == 1 ? "" : "s");
    }
    iv_sampling_free(s);
    iv_judgments_free(j);
    return rc;
}

int iv_live_of_sample(iv_live_value *out, size_t *prefix, iv_store *s, const char *combine,
                      iv_err *err)
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
        rc = estimate(out, (iv_str){ text, len }, iv_store_about_of(s)->level, err);
    } else {
        rc = rc == IV_ENODATA ? IV_OK : iv_fail_as(err, &why); /* too early to tell */
    }
    free(text);
    return rc;
}
