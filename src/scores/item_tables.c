/* SPDX-License-Identifier: Apache-2.0 */
/* Items that are scored several times: how much each varies, and what more repeats would gain. */
#include "base/err.h"
#include "base/memory.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/message.h"
#include "scores/score_measures.h"
#include "scores/score_tables.h"
#include "stat/evidence.h"

#include <math.h>
#include <stdlib.h>

/* One item of one system. */
typedef struct item_row {
    const char *run;
    iv_str item;
    size_t repeats, passed; /* SIZE_MAX: scores are no outcomes */
    double mean, lower, upper, flips, sd, share;
    double squares;         /* about the mean */
    size_t at;
} item_row;

const iv_field iv_scored_item_fields[] = {
    { "run", IV_AT(item_row, run), .heading = "system", .about = "name of the system" },
    { "item", IV_AT(item_row, item), .about = "name of the item" },
    { "repeats", IV_AT(item_row, repeats), .about = "scores of the system on the item" },
    { "passed", IV_AT(item_row, passed), .about = "how many of them are successes" },
    { "mean", IV_AT(item_row, mean), .digits = 3,
      .about = "mean over repeats; of outcomes the proportion of successes" },
    { "lower", IV_AT(item_row, lower), .digits = 3,
      .about = "lower limit: Clopper and Pearson's for outcomes, Student's t for others" },
    { "upper", IV_AT(item_row, upper), .digits = 3, .about = "upper limit of the interval" },
    { "flips", IV_AT(item_row, flips), .digits = 3,
      .about = "proportion of pairs of repeats with different outcomes" },
    { "sd", IV_AT(item_row, sd), .digits = 4, .about = "standard deviation over repeats" },
    { "proportion", IV_AT(item_row, share), .digits = 3,
      .about = "of the system's variance within items" },
    { NULL } };

static const iv_message item_rows[] = {
    { "items.vary", IV_NOTE, NULL,
      "{n} item[ varies|s vary] between repeats (--table items), which is {a%} of the variance of "
      "scores. Twice as many repeats would narrow the interval of the mean by {b%}, twice as many "
      "items by 29.3 %." },
    { NULL } };

/* The most varied first; of equal ones in the order of the table. */
static int most_varied(const void *a, const void *b)
{
    const item_row *x = a, *y = b;
    const bool outcomes = x->passed != SIZE_MAX && y->passed != SIZE_MAX;
    const double p = outcomes ? x->flips : x->sd, q = outcomes ? y->flips : y->sd;

    return p != q && !(isnan(p) && isnan(q)) ? (isnan(p) || p < q ? 1 : -1)
                                             : (x->at > y->at) - (x->at < y->at);
}

/* Are the scores of a measure outcomes: 0 and 1, or by a condition? */
static bool are_outcomes(const iv_scored *scored, size_t measure)
{
    bool binary = true;

    for (size_t i = 0; scored->success == NULL && i < scored->v->count; i++) {
        const iv_one_score *o = &scored->v->scores[i];
        binary = binary && (o->measure != measure || o->score == 0.0 || o->score == 1.0);
    }
    return binary;
}

static void fill_item(item_row *row, const iv_scored *scored, const iv_one_score *o, size_t n,
                      bool outcomes, double tail)
{
    double sum = 0.0, squares = 0.0;
    size_t passed = 0;

    for (size_t i = 0; i < n; i++) {
        const bool success = outcomes && iv_is_success(scored, o[i].score);
        sum += outcomes ? (double)success : o[i].score;
        passed += success;
    }
    const double mean = sum / (double)n, m = (double)n;
    for (size_t i = 0; i < n; i++) {
        const double x = outcomes ? (double)iv_is_success(scored, o[i].score) : o[i].score;
        squares += (x - mean) * (x - mean);
    }
    const double sd = n > 1 ? sqrt(squares / (m - 1.0)) : (double)NAN;
    const double half = n > 1 ? iv_t_isf(tail, m - 1.0) * sd / sqrt(m) : (double)NAN;
    const iv_evidence e = iv_proportion_evidence((int64_t)passed, (int64_t)n, 0.5, tail);
    *row = (item_row){ .run = scored->v->systems[o->system], .item = scored->v->items[o->item],
                       .repeats = n, .passed = outcomes ? passed : SIZE_MAX, .mean = mean,
                       .lower = outcomes ? e.lower : mean - half,
                       .upper = outcomes ? e.upper : mean + half, .sd = sd, .squares = squares,
                       .flips = outcomes && n > 1 ? 2.0 * squares / (m - 1.0) : (double)NAN };
}

/* One system's items: their parts of the variance within items, and its place in the sums. */
static void share_out(item_row *rows, size_t count, double sums[3])
{
    double within = 0.0, df = 0.0, mean = 0.0, between = 0.0, inverse = 0.0;

    for (size_t i = 0; i < count; i++) {
        within += rows[i].squares;
        df += (double)rows[i].repeats - 1.0;
        mean += rows[i].mean / (double)count;
        inverse += 1.0 / (double)rows[i].repeats / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i].share = within > 0.0 ? rows[i].squares / within : (double)NAN;
        between += (rows[i].mean - mean) * (rows[i].mean - mean);
    }
    if (df == 0.0 || count < 2)
        return;
    const double single = within / df, total = between / (double)(count - 1);
    sums[0] += single;
    sums[1] += fmax(0.0, total - single * inverse); /* of the items' true means */
    sums[2] += single * inverse;
}

int iv_tell_items(iv_scored *scored, double confidence, iv_result *out, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const double tail = 0.5 * (1.0 - confidence);
    const uint32_t measure = scored->definitions[0].number;
    item_row *rows = iv_take(scored->own, v->system_count * v->item_count + 1, sizeof *rows);
    bool *varies = iv_take(scored->own, v->item_count + 1, sizeof *varies);
    size_t count = 0, from = 0, several = 0, varied = 0;
    double sums[3] = { 0.0, 0.0, 0.0 };

    IV_TRY(iv_taken(scored->own, err));
    if (scored->most_repeats < 2)
        return IV_OK;
    const bool outcomes = are_outcomes(scored, measure);
    for (size_t i = 0, n; i < v->count; i += n) {
        const iv_one_score *o = &v->scores[i];
        for (n = 0; i + n < v->count && o[n].measure == o->measure && o[n].system == o->system
             && o[n].item == o->item;)
            n++;
        if (o->measure != measure)
            continue;
        fill_item(&rows[count], scored, o, n, outcomes, tail);
        rows[count].at = count;
        varied += rows[count].squares > 0.0;
        several += rows[count].squares > 0.0 && !varies[o->item];
        varies[o->item] = varies[o->item] || rows[count].squares > 0.0;
        count++;
        if (i + n == v->count || o[n].measure != measure || o[n].system != o->system) {
            share_out(rows + from, count - from, sums);
            from = count;
        }
    }
    qsort(rows, count, sizeof *rows, most_varied);
    IV_TABLE(out, "items", iv_scored_item_fields, rows, count, .showing = IV_FOLDED);
    IV_TABLE(out, "flaky", iv_scored_item_fields, rows, varied, .showing = IV_ASKED);
    const double now = sums[1] + sums[2];
    if (now > 0.0 && scored->definitions[0].form <= IV_FORM_PASS_ALL)
        IV_TELL(out, item_rows, "items.vary", several,
                { sums[0] / (sums[0] + sums[1]), 1.0 - sqrt((now - 0.5 * sums[2]) / now) });
    return IV_OK;
}
