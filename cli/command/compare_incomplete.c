/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_incomplete.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/estimate.h"
#include "frame/suggest.h"

static int find_baseline(size_t *out, const inquiry_input *in, char *const *paths,
                         const char *name, iv_err *err)
{
    char hint[SUGGEST_SIZE];
    suggest s = suggest_for(name);

    for (size_t r = 0; r < in->count; r++) {
        const char *slash = strrchr(paths[r], '/');
        if (strcmp(in->names[r], name) == 0 || strcmp(paths[r], name) == 0
            || (slash != NULL && strcmp(slash + 1, name) == 0)) {
            *out = r;
            return IV_OK;
        }
        suggest_offer(&s, in->names[r]);
    }
    return cmd_usage(err, "the baseline '%.80s' is not among the runs%s", name,
                     suggest_text(hint, &s, ""));
}

static void table_pairs(cmd_context *c, const inquiry_input *in, const iv_incomplete *x,
                        size_t count)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 }, { "b", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 },
        { "expected", IV_REAL, 4 }, { "sd", IV_REAL, 4 }, { "p_less", IV_REAL, 4 },
        { "effect_adjusted", IV_REAL, 4 }, { "topics_adjusted", IV_INTEGER, 0 } };
    iv_table *t = iv_result_table(c->result, "pairs", columns, 8);

    for (size_t k = 0; k < count; k++) {
        iv_put_text(t, iv_str_of(in->names[x[k].a]));
        iv_put_text(t, iv_str_of(in->names[x[k].b]));
        iv_put_int(t, (int64_t)x[k].topics);
        iv_put_real(t, x[k].difference.mean);
        iv_put_real(t, sqrt(x[k].difference.variance));
        iv_put_real(t, x[k].p_less);
        iv_put_real(t, x[k].effect_adjusted);
        if (x[k].topics_adjusted < 9e15) /* rounded up, to keep the power */
            iv_put_int(t, (int64_t)ceil(x[k].topics_adjusted - 1e-9));
        else
            iv_put_missing(t);
    }
}

static void table_signs(cmd_context *c, const inquiry_input *in, const iv_incomplete *x,
                        size_t count)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 }, { "b", IV_TEXT, 0 }, { "wins", IV_INTEGER, 0 },
        { "ties", IV_INTEGER, 0 }, { "losses", IV_INTEGER, 0 }, { "effect", IV_REAL, 4 },
        { "certainty", IV_REAL, 4 }, { "p", IV_REAL, 4 }, { "p_expected", IV_REAL, 4 },
        { "p_reject", IV_REAL, 4 } };
    iv_table *t = iv_result_table(c->result, "signs", columns, 10);

    for (size_t k = 0; k < count; k++) {
        iv_put_text(t, iv_str_of(in->names[x[k].a]));
        iv_put_text(t, iv_str_of(in->names[x[k].b]));
        iv_put_int(t, (int64_t)x[k].wins);
        iv_put_int(t, (int64_t)x[k].ties);
        iv_put_int(t, (int64_t)x[k].losses);
        iv_put_real(t, x[k].effect);
        iv_put_real(t, x[k].certainty);
        iv_put_real(t, x[k].p);
        iv_put_real(t, x[k].p_expected);
        iv_put_real(t, x[k].p_reject);
    }
}

/* For a page: the differences with intervals, which the table has as sd. */
static void draw(cmd_context *c, const inquiry_input *in, const iv_incomplete *x, size_t count)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 }, { "b", IV_TEXT, 0 }, { "expected", IV_REAL, 4 },
        { "lower", IV_REAL, 4 }, { "upper", IV_REAL, 4 } };
    const double z = iv_norm_isf(0.5 * (1.0 - c->shared->confidence));
    iv_table *t = iv_result_table(c->result, "expected", columns, 5);
    char caption[400];

    iv_table_show(t, IV_FOLDED);
    for (size_t k = 0; k < count; k++) {
        const double sd = sqrt(x[k].difference.variance);
        iv_put_text(t, iv_str_of(in->names[x[k].a]));
        iv_put_text(t, iv_str_of(in->names[x[k].b]));
        iv_put_real(t, x[k].difference.mean);
        iv_put_real(t, x[k].difference.mean - z * sd);
        iv_put_real(t, x[k].difference.mean + z * sd);
    }
    (void)snprintf(caption, sizeof caption,
        "A point is the expected difference in mean average precision, first run less second; "
        "the line holds %g %% of what the missing judgments could make of it, on these topics. "
        "A line that crosses 0 leaves open which run they would favour.",
        100.0 * c->shared->confidence);
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "expected", .title = "The differences",
        .caption = caption, .label = "a", .against = "b", .value = "expected",
        .lower = "lower", .upper = "upper", .lines = { { "no difference", 0.0, true } } });
}

/* One pair in a sentence. */
static void answer_pair(cmd_context *c, const inquiry_input *in, const iv_incomplete *x)
{
    const bool a_first = !(x->difference.mean < 0.0);
    const char *first = in->names[a_first ? x->a : x->b];
    const char *second = in->names[a_first ? x->b : x->a];

    /* Known to be 0, but for rounding: the runs are alike, or all is judged. */
    if (fabs(x->difference.mean) < 1e-13 && x->difference.variance < 1e-28)
        iv_result_answer(c->result, "%s and %s do not differ in mean average precision, and no "
                         "missing judgment can change that.", first, second);
    else
        iv_result_answer(c->result, "%s is better than %s in mean average precision with "
                         "probability %.3f, given what is judged (expected difference %.4f).",
                         first, second, x->certainty, fabs(x->difference.mean));
}

static void tell(cmd_context *c, const inquiry_input *in, const iv_incomplete *x,
                 size_t count)
{
    const iv_pooled_facts f = iv_pooled_facts_of(in->pooled);
    size_t sure = 0;

    for (size_t k = 0; k < count; k++)
        sure += x[k].certainty >= c->shared->confidence;
    if (count == 1)
        answer_pair(c, in, x);
    else
        iv_result_answer(c->result, "Of %zu pairs, %zu have a sign that is sure to %g, given "
                         "what is judged.", count, sure, c->shared->confidence);
    inquiry_input_tell_prior(c, in);
    if (f.outside > 0)
        iv_result_note(c->result, "%zu document%s judged relevant that no run returns count%s in "
                       "the number of relevant ones; --union-only leaves %s out", f.outside,
                       f.outside == 1 ? "" : "s", f.outside == 1 ? "s" : "",
                       f.outside == 1 ? "it" : "them");
    iv_result_note(c->result, "this is uncertainty of judgments, on these topics; p is the sign "
                   "test's if the signs were known, p_expected allows for their uncertainty, "
                   "p_reject is the chance that known signs would be significant at %g",
                   1.0 - c->shared->confidence);
}

/* The pairs to look at; their number, or 0 when memory is out. */
static size_t list_pairs(iv_incomplete **out, size_t runs, size_t baseline)
{
    const size_t count = baseline == SIZE_MAX ? iv_pair_count(runs) : runs - 1;
    iv_incomplete *x = calloc(count, sizeof *x);
    size_t k = 0;

    for (size_t a = 0; x != NULL && a < runs; a++) {
        if (baseline != SIZE_MAX && a != baseline)
            x[k++] = (iv_incomplete){ .a = a, .b = baseline };
        for (size_t b = a + 1; baseline == SIZE_MAX && b < runs; b++)
            x[k++] = (iv_incomplete){ .a = a, .b = b };
    }
    *out = x;
    return k;
}

int compare_incomplete(cmd_context *c, const incomplete_source *source, iv_err *err)
{
    inquiry_input in = { 0 };
    iv_incomplete *pairs = NULL;
    size_t baseline = SIZE_MAX, count = 0;
    int rc = inquiry_input_read(&in, c, &source->input, err);

    if (rc == IV_OK && source->baseline != NULL)
        rc = find_baseline(&baseline, &in, source->input.runs, source->baseline, err);
    if (rc == IV_OK && (count = list_pairs(&pairs, in.count, baseline)) == 0)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK) {
        const iv_incomplete_options o = {
            .prior = in.prior, .form = source->form, .union_only = source->union_only,
            .alternative = source->alternative, .alpha = 1.0 - c->shared->confidence,
            .threads = (int)c->shared->threads, .progress = c->progress };
        rc = iv_incomplete_pairs(pairs, count, in.pooled, &o, err);
    }
    if (rc == IV_OK) {
        tell(c, &in, pairs, count);
        table_pairs(c, &in, pairs, count);
        table_signs(c, &in, pairs, count);
        if (session_draws(c->shared))
            draw(c, &in, pairs, count);
    }
    free(pairs);
    inquiry_input_free(&in);
    return rc;
}
