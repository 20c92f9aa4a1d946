/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers as they stand, whatever is judged. */
#include "live/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "live/live_parts.h"

/* Are the control's relevant documents a random part, by rank, of all that were found? */
static double control_order(const char *places, const iv_combined *c, size_t prefix, int32_t level)
{
    double sum = 0.0, count = 0.0, position = 0.0;
    const char *at = places;
    char *end = NULL;
    unsigned long place = strtoul(at, &end, 10);

    for (size_t i = 0; i <= prefix; i++) {
        for (; end != at && place <= i; place = strtoul(at, &end, 10)) {
            position += 1.0;
            sum += position;
            count += 1.0;
            at = end;
        }
        if (i < prefix)
            position += c->grade[i] >= level;
    }
    return iv_rank_sum_p(sum, count, position);
}

/* A ranked review: of the relevant control documents, how many has it found? */
static int of_ranking(iv_live *out, iv_arena *a, iv_store *s, const iv_combined *c, iv_err *err)
{
    iv_str known, count;
    double all = 0.0;
    int64_t met = 0;

    IV_TRY(iv_store_value(&known, a, s, "known", err));
    IV_TRY(iv_store_value(&count, a, s, "known_count", err));
    if (count.ptr == NULL || !iv_scan_real(&all, count) || known.ptr == NULL)
        return IV_OK;
    out->control = (size_t)all;
    for (const char *at = known.ptr; *at != '\0';) {
        char *end = NULL;
        const unsigned long place = strtoul(at, &end, 10);
        if (end == at)
            break;
        met += place <= out->prefix;
        at = *end == ' ' ? end + 1 : end;
    }
    const int64_t needed = iv_qbcb_needed((int64_t)all, out->target, out->confidence);
    const double p = control_order(known.ptr, c, out->prefix, iv_store_about_of(s)->level);
    out->may_stop = needed > 0 && met >= needed && p >= IV_CHECK_P;
    if (p < IV_CHECK_P)
        (void)snprintf(out->advice, sizeof out->advice, "The control documents are not a random "
                       "sample, by their ranks (p = %.1g): the stopping rule does not apply.", p);
    else if (needed == 0)
        (void)snprintf(out->advice, sizeof out->advice, "%g relevant control documents are too few "
                       "for a recall of %g %%; sample more.", all, 100.0 * out->target);
    else if (out->may_stop)
        (void)snprintf(out->advice, sizeof out->advice, "%lld of %g relevant control documents "
                                                        "were "
                       "found: recall is at least %g %% (%g %% confidence). You may stop.",
                       (long long)met, all, 100.0 * out->target, 100.0 * out->confidence);
    else
        (void)snprintf(out->advice, sizeof out->advice, "Go on: %lld of %g relevant control "
                       "documents were found, and %lld are needed for a recall of %g %%.",
                       (long long)met, all, (long long)needed, 100.0 * out->target);
    return IV_OK;
}

/* Active time for what is open, at each assessor's median; NaN: nobody has judged yet. */
static int time_left(double *out, iv_arena *a, iv_store *s, size_t open, iv_err *err)
{
    const iv_assessor_row *rows;
    size_t count = 0;
    double sum = 0.0, weight = 0.0;

    IV_TRY(iv_store_assessor_rows(&rows, &count, a, s, err));
    for (size_t i = 0; i < count; i++)
        if (!isnan(rows[i].median_ms)) {
            sum += rows[i].median_ms * (double)rows[i].judged;
            weight += (double)rows[i].judged;
        }
    *out = weight > 0.0 ? sum / weight * (double)open / 60000.0 : NAN;
    return IV_OK;
}

static int compute(iv_live *out, iv_arena *a, iv_store *s, const iv_work *work, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    iv_store_counts counts;
    iv_combined c;

    IV_TRY(iv_store_count(&counts, s, IV_NONE_TOPIC, err));
    IV_TRY(iv_store_combine(&c, a, s, NULL, false, err));
    out->items = about->items;
    for (size_t i = 0; i < c.count; i++) {
        out->judged += c.grade[i] >= 0 || c.grade[i] == IV_COMBINED_CANNOT;
        out->relevant += c.grade[i] >= about->level;
    }
    IV_TRY(time_left(&out->minutes_left, a, s, counts.open, err));
    if (about->kind == IV_STORE_REVIEW)
        return iv_live_of_review(out, a, s, &c, err);
    if (about->kind == IV_STORE_SAMPLE)
        return iv_live_of_sample(&out->now, &out->prefix, s, NULL, work, err);
    (void)snprintf(out->now.of, sizeof out->now.of, "relevant documents found");
    out->now.value = (double)out->relevant;
    out->prefix = iv_combined_prefix(&c, 0, c.count, true);
    return about->stop == IV_STORE_STOP_QBCB ? of_ranking(out, a, s, &c, err) : IV_OK;
}

int iv_live_of(iv_live *out, iv_store *s, const iv_work *work, iv_err *err)
{
    iv_arena memory = { 0 };
    iv_live l = { .seq = iv_store_seq(s), .confidence = IV_LIVE_CONFIDENCE,
                  .target = iv_store_about_of(s)->target, .guaranteed = NAN, .evidence = NAN,
                  .evidence_needed = round(1.0 / (1.0 - IV_LIVE_CONFIDENCE)), .look_lower = NAN,
                  .minutes_left = NAN, .now = { "", NAN, NAN, NAN } };

    const int rc = compute(&l, &memory, s, work, err);
    l.now.documents = l.prefix;
    iv_arena_free(&memory);
    if (rc == IV_OK)
        *out = l;
    return rc;
}
