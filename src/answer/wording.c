/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_parts.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "base/base_private.h"

void iv_say(iv_wording *w, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const int n = vsnprintf(w->at + w->len, sizeof w->at - w->len, fmt, args);
    va_end(args);
    w->len += n > 0 ? (size_t)n : 0;
    if (w->len >= sizeof w->at)
        w->len = sizeof w->at - 1;
}

void iv_say_p(iv_wording *w, double p, const char *why)
{
    if (isnan(p))
        iv_say(w, "no p-value (%s)", why != NULL ? why : "none");
    else if (p < IV_P_LEAST)
        iv_say(w, "p < %.0e", IV_P_LEAST);
    else if (p < 0.0001)
        iv_say(w, "p = %.1e", p);
    else
        iv_say(w, "p = %.*f", p < 0.001 ? 5 : p < 0.1 ? 4 : 2, p);
}

const char *iv_probability(char out[IV_PROBABILITY_SIZE], double p)
{
    if (p > 0.9995)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "more than 0.999");
    else if (p < 0.0005)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "less than 0.001");
    else
        (void)snprintf(out, IV_PROBABILITY_SIZE, "%.3f", p);
    return out;
}

const char *iv_span(char out[IV_SPAN_SIZE], double confidence, double lower, double upper)
{
    out[0] = '\0';
    if (isfinite(lower))
        (void)snprintf(out, IV_SPAN_SIZE, " (%.10g %% interval %.3f to %.3f)", 100.0 * confidence,
                       lower, upper);
    return out;
}

/* ------------------------------------------------------------------ claims -- */

void iv_answer_claims(iv_result *out, iv_wording *w)
{
    size_t count;
    const iv_verdict all = iv_result_has_verdict(NULL, &count, out);

    while (w->len > 0 && w->at[w->len - 1] == ' ')
        w->at[--w->len] = '\0';
    if (count > 1)
        iv_result_answer(out, "%s (%zu claims). %s", iv_verdict_name(all), count, w->at);
    else
        iv_result_answer(out, "%s", w->at);
}

static bool same_measure(iv_str a, iv_str b)
{
    return a.len == b.len && strncasecmp(a.ptr, b.ptr, a.len) == 0;
}

/* One row of table measures against X. */
static void claim_row(iv_result *out, iv_wording *w, const iv_table *t, size_t row, double least,
                      double confidence)
{
    const size_t at[] = { iv_table_find(t, "run"), iv_table_find(t, "measure"),
                          iv_table_find(t, "value"), iv_table_find(t, "lower"),
                          iv_table_find(t, "upper") };
    const iv_str run = iv_table_cell(t, row, at[0]).text;
    const iv_str measure = iv_table_cell(t, row, at[1]).text;
    const iv_cell value = iv_table_cell(t, row, at[2]);
    static const char *const lies[] = { "", "lies above", "lies below", "contains" };
    const iv_cell none = { .missing = true };
    const iv_cell lower = at[3] == SIZE_MAX ? none : iv_table_cell(t, row, at[3]);
    const iv_cell upper = at[4] == SIZE_MAX ? none : iv_table_cell(t, row, at[4]);
    const iv_verdict v = lower.missing || upper.missing ? IV_VERDICT_OPEN
        : lower.real >= least ? IV_VERDICT_SHOWN
        : upper.real < least ? IV_VERDICT_OTHERWISE : IV_VERDICT_OPEN;

    iv_say(w, "%s: %.*s of %.*s is %.4g", iv_verdict_name(v), (int)measure.len, measure.ptr,
           (int)run.len, run.ptr, value.missing ? (double)NAN : value.real);
    if (lower.missing || upper.missing)
        iv_say(w, ", without an interval; %g is required. ", least);
    else
        iv_say(w, " (%.10g %% interval %.4g to %.4g). The interval %s the required %g. ",
               100.0 * confidence, lower.real, upper.real, lies[v], least);
    iv_result_verdict(out, v, "%.*s of %.*s is at least %g", (int)measure.len, measure.ptr,
                      (int)run.len, run.ptr, least);
}

int iv_claim_at_least(iv_result *out, const iv_texts *targets, double confidence, iv_err *err)
{
    const iv_table *t = NULL;
    iv_wording w = { .len = 0 };

    for (size_t i = 0; i < iv_result_tables(out); i++)
        if (strcmp(iv_table_name(iv_result_table_at(out, i)), "measures") == 0)
            t = iv_result_table_at(out, i);
    for (size_t i = 0; i < targets->count; i++) {
        const char *is = strrchr(targets->at[i], '=');
        const iv_str name = { targets->at[i], is != NULL ? (size_t)(is - targets->at[i]) : 0 };
        double least;
        size_t found = 0;
        if (is == NULL || !iv_scan_real(&least, iv_str_of(is + 1)))
            return iv_fail(err, IV_EARG, "'%.80s', expected MEASURE=NUMBER", targets->at[i]);
        const size_t topic = t != NULL ? iv_table_find(t, "topic") : SIZE_MAX;
        for (size_t row = 0; t != NULL && row < iv_table_rows(t); row++) {
            const bool mean = topic == SIZE_MAX || iv_table_cell(t, row, topic).missing
                || iv_str_cmp(iv_table_cell(t, row, topic).text, iv_str_of("all")) == 0;
            if (!mean
                || !same_measure(iv_table_cell(t, row, iv_table_find(t, "measure")).text, name))
                continue;
            claim_row(out, &w, t, row, least, confidence);
            found++;
        }
        if (found == 0)
            return iv_fail(err, IV_EARG, "no measure '%.*s' among those computed"
                           IV_HINT("; --measure adds it"), (int)name.len, name.ptr);
    }
    if (targets->count > 0)
        iv_answer_claims(out, &w);
    return IV_OK;
}
