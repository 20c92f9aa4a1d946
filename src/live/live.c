/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers as they stand, whatever is judged. */
#include "live/live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "live/live_parts.h"

/* A ranked review: of the relevant documents known beforehand, how many has it met? */
static int of_ranking(iv_live *out, iv_arena *a, iv_store *s, const iv_combined *c, iv_err *err)
{
    iv_str known, count;
    double all = 0.0;
    int64_t met = 0;

    out->prefix = iv_combined_prefix(c, 0, c->count, true);
    IV_TRY(iv_store_value(&known, a, s, "known", err));
    IV_TRY(iv_store_value(&count, a, s, "known_count", err));
    if (count.ptr == NULL || !iv_scan_real(&all, count) || known.ptr == NULL)
        return IV_OK;
    for (const char *at = known.ptr; *at != '\0';) {
        char *end = NULL;
        const unsigned long place = strtoul(at, &end, 10);
        if (end == at)
            break;
        met += place <= out->prefix;
        at = *end == ' ' ? end + 1 : end;
    }
    const int64_t needed = iv_qbcb_needed((int64_t)all, out->target, out->confidence);
    out->may_stop = needed > 0 && met >= needed;
    if (needed == 0)
        (void)snprintf(out->advice, sizeof out->advice, "%g known relevant documents are too few "
                       "to show recall of %g; draw more.", all, out->target);
    else
        (void)snprintf(out->advice, sizeof out->advice, "The review has met %lld of the %g "
                       "relevant documents known before; at %lld recall is at least %g with %g %% "
                       "confidence%s", (long long)met, all, (long long)needed, out->target,
                       100.0 * out->confidence, out->may_stop ? ": judging may stop." : ".");
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
