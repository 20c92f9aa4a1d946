/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of a score table: what they are called, their values by item, and their intervals. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "result/methods.h"
#include "scores/score_measures.h"
#include "stat/interval/item_measures.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- names -- */

static int parse_pass(iv_score_measure *out, const char *name, iv_err *err)
{
    const char *colon = strchr(name, ':');
    const size_t end = colon != NULL ? (size_t)(colon - name) : strlen(name);
    int64_t k;

    if (!iv_scan_int(&k, (iv_str){ name + 5, end - 5 }, 1, 1000000)
        || (colon != NULL && colon[1] == '\0'))
        return iv_fail(err, IV_EARG, "the measure '%.80s', expected pass%cK or pass%cK:SCORE with "
                       "K attempts, 1 or more", name, name[4], name[4]);
    out->form = name[4] == '@' ? IV_FORM_PASS_ANY : IV_FORM_PASS_ALL;
    out->k = (size_t)k;
    out->of = iv_str_of(colon != NULL ? colon + 1 : "");
    return IV_OK;
}

int iv_measure_parse(iv_score_measure *out, const char *name, iv_err *err)
{
    const char *colon = strchr(name, ':'), *slash = strchr(name, '/');
    double percent;

    *out = (iv_score_measure){ .form = IV_FORM_MEAN, .of = iv_str_of(name) };
    if (strncmp(name, "pass@", 5) == 0 || strncmp(name, "pass^", 5) == 0)
        return parse_pass(out, name, err);
    if (name[0] == 'p' && colon != NULL && colon[1] != '\0'
        && iv_scan_real(&percent, (iv_str){ name + 1, (size_t)(colon - name) - 1 })) {
        if (!(percent > 0.0 && percent < 100.0))
            return iv_fail(err, IV_EARG, "the percentile '%.80s', expected p1 to p99", name);
        out->form = IV_FORM_PERCENTILE;
        out->p = percent / 100.0;
        out->of = iv_str_of(colon + 1);
    } else if (slash != NULL && slash > name && slash[1] != '\0') {
        out->form = IV_FORM_RATIO;
        out->of = (iv_str){ name, (size_t)(slash - name) };
        out->per = iv_str_of(slash + 1);
    }
    return IV_OK;
}

int iv_success_parse(iv_success *out, const char *text, iv_err *err)
{
    const char *sign = text + strcspn(text, "<>="), *number = sign;
    size_t end = (size_t)(sign - text);

    while (end > 0 && text[end - 1] == ' ')
        end--;
    *out = (iv_success){ .of = { text, end }, .sign = *sign };
    number += *sign != '\0';
    out->equal = *sign == '=' || *number == '=';
    number += *number == '=';
    number += strspn(number, " ");
    if (*sign != '\0' && iv_scan_real(&out->bound, iv_str_of(number)))
        return IV_OK;
    return iv_fail(err, IV_EARG, "'%.80s', expected a condition such as 'score >= 0.7'", text);
}

static bool succeeds(const iv_success *s, double x)
{
    return (s->equal && x == s->bound) || (s->sign == '>' && x > s->bound)
        || (s->sign == '<' && x < s->bound);
}

bool iv_names_a_loss(iv_str name)
{
    for (size_t at = 0, end = 0; at < name.len; at = end + 1) {
        for (end = at; end < name.len && isalnum((unsigned char)name.ptr[end]);)
            end++;
        if (iv_is_named((iv_str){ name.ptr + at, end - at }, "wer,cer,ter,eer,ece,mae,mse,rmse,"
                        "mape,nll,ppl,bpb,bits,perplexity,brier,loss,logloss,error,errors,cost,"
                        "costs,latency,latencyMs"))
            return true;
    }
    return false;
}

int iv_check_lower(const iv_scored *scored, iv_err *err)
{
    const iv_texts *lower = &scored->input->lower;
    const iv_score_table *v = scored->v;

    for (size_t i = 0; i < lower->count; i++)
        for (const char *p = lower->at[i]; *p != '\0'; p += *p == ',') {
            const iv_str name = { p, strcspn(p, ",") };
            bool found = iv_is_named(name, "none")
                || iv_same_name(name, iv_str_of(v->score_column));
            for (size_t m = 0; m < v->measure_count && !found; m++)
                found = iv_same_name(name, iv_str_of(v->measures[m]));
            for (size_t m = 0; m < scored->measure_count && !found; m++)
                found = iv_same_name(name, iv_str_of(scored->names[m]));
            if (!found)
                return iv_fail(err, IV_EARG, "no score is called '%.*s', in which lower would "
                               "be better; expected '%.80s', for example",
                               (int)(name.len < 80 ? name.len : 80), p, scored->names[0]);
            p += name.len;
        }
    return IV_OK;
}

bool iv_measure_lower(const iv_scored *scored, size_t measure)
{
    const iv_score_measure *is = &scored->definitions[measure];
    const iv_texts *lower = &scored->input->lower;
    const iv_score_table *v = scored->v;
    const bool column = is->of.len == 0 || iv_str_cmp(is->of, iv_str_of("score")) == 0;
    bool above = false;

    for (size_t i = 0; i < lower->count; i++)
        if (iv_is_named(iv_str_of(scored->names[measure]), lower->at[i])
            || (column && iv_is_named(iv_str_of(v->score_column), lower->at[i]))
            || (is->form >= IV_FORM_RATIO && iv_is_named(is->of, lower->at[i])))
            return true;
    if (lower->count > 0 || is->form == IV_FORM_PASS_ANY || is->form == IV_FORM_PASS_ALL)
        return false;
    for (size_t i = 0; i < v->count && !above; i++) /* negated ones are below 0 */
        above = v->scores[i].measure == is->number && v->scores[i].score > 0.0;
    return above && iv_names_a_loss(column ? iv_str_of(v->score_column) : is->of);
}

bool iv_is_success(const iv_scored *scored, double score)
{
    return scored->success != NULL ? succeeds(scored->success, score) : score == 1.0;
}

/* ------------------------------------------------------------------ values -- */

/* An attempt must be 0 or 1, unless it is said what a success is. */
static int refuse_grades(const iv_scored *scored, size_t m, const iv_one_score *x, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    return iv_fail_at(err, IV_EPARSE, scored->v->files.count > 0 ? scored->v->files.at[x->file]
                      : "the arrays", x->line, "'%.60s' has the score %g on item %s; expected 0 "
                      "or 1 for %s" IV_HINT("; --success 'score >= 0.7' says which scores are "
                      "successes"), scored->v->systems[x->system], x->score,
                      iv_quote(quoted, scored->v->items[x->item]), scored->names[m]);
}

/* Items that have fewer attempts than k, once each. */
static void tell_short(const bool *fewer, const iv_scored *scored, size_t m, iv_result *out)
{
    const iv_score_table *v = scored->v;
    iv_listing names = { .most = 5 };

    for (size_t t = 0; t < v->item_count; t++)
        if (fewer[t])
            iv_list(&names, "%.*s", (int)(v->items[t].len < 60 ? v->items[t].len : 60),
                    v->items[t].ptr);
    if (names.count > 0)
        iv_result_note(out, "%zu item%s %s excluded from %s, with fewer than %zu attempts: %s.",
                       names.count, names.count == 1 ? "" : "s",
                       names.count == 1 ? "is" : "are", scored->names[m], scored->definitions[m].k,
                       iv_listed(&names));
}

static int fill_passes(iv_scored *scored, size_t m, bool complete, iv_result *out, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const iv_score_measure *is = &scored->definitions[m];
    const iv_success *s = scored->success;
    double *x = scored->values + m * v->system_count * v->item_count;
    bool *fewer = iv_take(scored->own, v->item_count + 1, sizeof *fewer), any = false;
    size_t most = 0;

    IV_TRY(iv_taken(scored->own, err));
    for (size_t i = 0; i < v->system_count * v->item_count; i++)
        x[i] = complete ? 0.0 : (double)NAN;
    for (size_t i = 0, n, passed; i < v->count; i += n) {
        const iv_one_score *o = &v->scores[i];
        for (n = 0, passed = 0; i + n < v->count && o[n].measure == o->measure
             && o[n].system == o->system && o[n].item == o->item; n++) {
            if (s == NULL && o->measure == is->number && o[n].score != 0.0 && o[n].score != 1.0)
                return refuse_grades(scored, m, &o[n], err);
            passed += iv_is_success(scored, o[n].score);
        }
        if (o->measure != is->number)
            continue;
        x[o->system * v->item_count + o->item] = is->form == IV_FORM_PASS_ANY
            ? iv_pass_any(n, passed, is->k) : iv_pass_all(n, passed, is->k);
        fewer[o->item] = fewer[o->item] || n < is->k;
        any = any || n >= is->k;
        most = n > most ? n : most;
    }
    if (!any)
        return iv_fail(err, IV_ENODATA, "%s needs %zu attempts of an item; the most is %zu"
                       IV_HINT("; --columns repeat=NAME names the column of attempts"),
                       scored->names[m], is->k, most);
    scored->most_repeats = most > scored->most_repeats ? most : scored->most_repeats;
    tell_short(fewer, scored, m, out);
    return IV_OK;
}

int iv_measure_fill(iv_scored *scored, size_t m, bool complete, iv_result *out, iv_err *err)
{
    iv_score_measure *is = &scored->definitions[m];
    const size_t all = scored->v->system_count * scored->v->item_count;

    if (is->form == IV_FORM_PASS_ANY || is->form == IV_FORM_PASS_ALL)
        return fill_passes(scored, m, complete, out, err);
    if (complete)
        return iv_fail(err, IV_EARG, "-c cannot count missing items as 0 in %s", scored->names[m]);
    is->over = iv_take(scored->own, all + 1, sizeof *is->over);
    is->under = is->form == IV_FORM_RATIO ? iv_take(scored->own, all + 1, sizeof *is->under) : NULL;
    IV_TRY(iv_taken(scored->own, err));
    const size_t n = iv_score_values(is->over, scored->v, is->number);
    scored->most_repeats = n > scored->most_repeats ? n : scored->most_repeats;
    if (is->under != NULL)
        (void)iv_score_values(is->under, scored->v, is->divisor);
    for (size_t i = 0; is->under != NULL && i < all; i++) {
        is->over[i] = isnan(is->under[i]) ? (double)NAN : is->over[i];
        is->under[i] = isnan(is->over[i]) ? (double)NAN : is->under[i];
    }
    return IV_OK;
}

/* ------------------------------------------------------------------ ratios -- */

static const iv_structure *structure_of(const iv_scored *scored, size_t m)
{
    static const iv_structure none = { 0 };

    return scored->structure != NULL ? &scored->structure[m] : &none;
}

/* The two means of a system's items, with the variances of both and of their sum. */
static int two_means(iv_two_means *out, double *df, const iv_scored *scored, size_t m, size_t s,
                     iv_err *err)
{
    const size_t T = scored->v->item_count;
    const double *a = scored->definitions[m].over + s * T;
    const double *b = scored->definitions[m].under + s * T;
    double *x = malloc((T + 1) * sizeof *x);
    iv_structured of[4];
    int rc = x == NULL ? iv_no_memory(err) : IV_OK;

    for (size_t k = 0; rc == IV_OK && k < 4; k++) {
        const double r = k == 3 ? of[0].mean / of[1].mean : 0.0;
        for (size_t t = 0; t < T; t++)
            x[t] = k == 0 ? a[t] : k == 1 ? b[t] : k == 2 ? a[t] + b[t] : a[t] - r * b[t];
        rc = iv_structured_mean(&of[k], x, T, structure_of(scored, m), s, err);
    }
    free(x);
    if (rc != IV_OK)
        return rc;
    const double vo = of[0].se * of[0].se, vu = of[1].se * of[1].se;
    *out = (iv_two_means){ of[0].mean, of[1].mean, vo, vu,
                           0.5 * (of[2].se * of[2].se - vo - vu) };
    *df = of[3].df;
    return IV_OK;
}

/* The mean of a system's items by the structure; NaN: it has none. */
static double mean_of(const double *x, const iv_scored *scored, size_t m, size_t s)
{
    iv_structured is;

    return iv_structured_mean(&is, x + s * scored->v->item_count, scored->v->item_count,
                              structure_of(scored, m), s, NULL) == IV_OK ? is.mean : (double)NAN;
}

/* Values at a ratio r: their mean is that of the sample, their variance that of a - r b. */
static void ratio_values(double *out, const iv_scored *scored, size_t m, size_t s, double r)
{
    const size_t T = scored->v->item_count;
    const double *a = scored->definitions[m].over + s * T;
    const double *b = scored->definitions[m].under + s * T;
    const double under = mean_of(scored->definitions[m].under, scored, m, s);

    for (size_t t = 0; t < T; t++)
        out[t] = r + (a[t] - r * b[t]) / under;
}

/* ------------------------------------------------------------- percentiles -- */

/* All attempts of a system, sorted, each with its part of the item's weight. */
typedef struct attempts {
    iv_weighted *x;
    size_t count, items;
    double *within; /* by item: the proportion of attempts at or below a bound; NaN: none */
    double trials;  /* as many independent attempts would be as sure */
} attempts;

static int by_value(const void *a, const void *b)
{
    const iv_weighted *x = a, *y = b;

    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->weight > y->weight) - (x->weight < y->weight);
}

/* The weight of each item in the mean; 0 without a value. */
static int item_weights(double *w, iv_arena *own, const iv_scored *scored, size_t m, size_t s,
                        iv_err *err)
{
    const iv_structure *of = structure_of(scored, m);
    const size_t T = scored->v->item_count;
    const double *x = scored->definitions[m].over + s * T;
    double *sums = iv_take(own, of->suites + 1, sizeof *sums);

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < T; t++) {
        w[t] = isnan(x[t]) ? 0.0 : of->weight != NULL ? of->weight[t] : 1.0;
        sums[of->suite != NULL ? of->suite[t] : 0] += w[t];
    }
    for (size_t t = 0; t < T && of->suite != NULL; t++)
        if (w[t] > 0.0)
            w[t] *= (of->suite_weight != NULL ? of->suite_weight[of->suite[t]] : 1.0)
                / sums[of->suite[t]];
    return IV_OK;
}

/* The first of a system's scores of a measure, and behind the last of them. */
static void scores_of(size_t *from, size_t *to, const iv_score_table *v, size_t measure, size_t s)
{
    *from = 0;
    while (*from < v->count && (v->scores[*from].measure != measure
                                || v->scores[*from].system != s))
        ++*from;
    *to = *from;
    while (*to < v->count && v->scores[*to].measure == measure && v->scores[*to].system == s)
        ++*to;
}

static int take_attempts(attempts *out, iv_arena *own, const iv_scored *scored, size_t m, size_t s,
                         iv_err *err)
{
    const iv_score_table *v = scored->v;
    const double *kept = scored->definitions[m].over + s * v->item_count;
    double *w = iv_take(own, v->item_count + 1, sizeof *w);
    size_t *n = iv_take(own, v->item_count + 1, sizeof *n), from, to;

    scores_of(&from, &to, v, scored->definitions[m].number, s);
    *out = (attempts){ .x = iv_take(own, to - from + 1, sizeof *out->x),
                       .within = iv_take(own, v->item_count + 1, sizeof *out->within) };
    IV_TRY(iv_taken(own, err));
    IV_TRY(item_weights(w, own, scored, m, s, err));
    for (size_t i = from; i < to; i++)
        out->items += n[v->scores[i].item]++ == 0 && !isnan(kept[v->scores[i].item]);
    for (size_t i = from; i < to; i++) {
        const iv_one_score *o = &v->scores[i];
        if (!isnan(kept[o->item]))
            out->x[out->count++] = (iv_weighted){ o->score, w[o->item] / (double)n[o->item] };
    }
    qsort(out->x, out->count, sizeof *out->x, by_value);
    return IV_OK;
}

/* The proportion at or below a bound, by item, its mean, and how many independent attempts would
 * be as sure of it. */
static int find_within(iv_structured *is, attempts *a, const iv_scored *scored, size_t m, size_t s,
                       double bound, double tail, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t T = v->item_count;
    const iv_structure *of = structure_of(scored, m);
    const double *kept = scored->definitions[m].over + s * T;
    size_t from, to;

    scores_of(&from, &to, v, scored->definitions[m].number, s);
    for (size_t t = 0; t < T; t++)
        a->within[t] = (double)NAN;
    for (size_t i = from, n; i < to; i += n) {
        const iv_one_score *o = &v->scores[i];
        size_t below = 0;
        for (n = 0; i + n < to && o[n].item == o->item; n++)
            below += o[n].score <= bound;
        if (!isnan(kept[o->item]))
            a->within[o->item] = (double)below / (double)n;
    }
    IV_TRY(iv_structured_mean(is, a->within, T, of, s, err));
    const bool plain = a->count == a->items && of->cluster == NULL && of->suite == NULL
        && of->weight == NULL;
    const double ratio = iv_norm_isf(tail) / iv_t_isf(tail, is->df);
    a->trials = plain ? (double)a->count : is->se > 0.0
        ? fmin((double)a->count, is->mean * (1.0 - is->mean) / (is->se * is->se) * ratio * ratio)
        : (double)is->units;
    return IV_OK;
}

static int find_percentile(iv_interval *out, attempts *a, iv_arena *own, const iv_scored *scored,
                           size_t m, size_t s, double tail, iv_err *err)
{
    const double p = scored->definitions[m].p;
    iv_structured is;

    IV_TRY(take_attempts(a, own, scored, m, s, err));
    if (a->count == 0)
        return iv_fail(err, IV_ENODATA, "'%.80s' has no %s", scored->v->systems[s],
                       scored->names[m]);
    *out = iv_percentile_limits(a->x, a->count, 1.0, p, tail);
    IV_TRY(find_within(&is, a, scored, m, s, out->value, tail, err));
    *out = iv_percentile_limits(a->x, a->count, a->trials, p, tail);
    out->se = (out->upper - out->lower) / (2.0 * iv_norm_isf(tail)); /* Woodruff's */
    out->df = is.df;
    return IV_OK;
}

/* ----------------------------------------------------------- linearisation -- */

static int percentile_values(double *out, const iv_scored *scored, size_t m, size_t s, bool common,
                             iv_err *err)
{
    const iv_score_measure *is = &scored->definitions[m];
    iv_arena own = { 0 };
    attempts a;
    iv_interval q;
    int rc = find_percentile(&q, &a, &own, scored, m, s, 0.025, err);

    if (rc == IV_OK && common && !isfinite(q.se))
        rc = iv_fail(err, IV_ENODATA, "a comparison of %s needs as much as %zu independent items; "
                     "'%.80s' has %.0f", scored->names[m],
                     iv_percentile_trials(fmax(is->p, 1.0 - is->p), 0.025), scored->v->systems[s],
                     floor(a.trials));
    /* Of equal weight over all: the proportions, each worth what the percentile moves by. */
    const double slope = rc == IV_OK && isfinite(q.se)
        ? q.se / sqrt(is->p * (1.0 - is->p) / a.trials) : 0.0;
    iv_structured all = { .mean = 0.0 };
    if (rc == IV_OK)
        rc = iv_structured_mean(&all, a.within, scored->v->item_count, structure_of(scored, m), s,
                                err);
    for (size_t t = 0; rc == IV_OK && t < scored->v->item_count; t++)
        out[t] = q.value + slope * (all.mean - a.within[t]);
    iv_arena_free(&own);
    return rc;
}

int iv_measure_linearise(iv_scored *scored, size_t m, bool common, iv_err *err)
{
    const size_t S = scored->v->system_count, T = scored->v->item_count;
    iv_score_measure *is = &scored->definitions[m];
    double *x = scored->values + m * S * T;

    for (size_t t = 0; common && t < T; t++) {
        bool all = true;
        for (size_t s = 0; s < S; s++)
            all = all && !isnan(is->over[s * T + t]);
        for (size_t s = 0; s < S && !all; s++)
            is->over[s * T + t] = (double)NAN;
        for (size_t s = 0; s < S && !all && is->under != NULL; s++)
            is->under[s * T + t] = (double)NAN;
    }
    for (size_t i = 0; i < S * T; i++)
        x[i] = (double)NAN;
    for (size_t s = 0; s < S; s++) {
        const double over = mean_of(is->over, scored, m, s);
        const double under = is->under != NULL ? mean_of(is->under, scored, m, s) : 1.0;
        if (isnan(over))
            continue; /* it has none of these items */
        if (under == 0.0)
            return iv_fail(err, IV_ENODATA, "'%.80s' has a total of 0 in %.*s, so %s has no value",
                           scored->v->systems[s], (int)is->per.len, is->per.ptr, scored->names[m]);
        if (is->form == IV_FORM_RATIO)
            ratio_values(x + s * T, scored, m, s, over / under);
        else
            IV_TRY(percentile_values(x + s * T, scored, m, s, common, err));
    }
    return IV_OK;
}

/* --------------------------------------------------------------- intervals -- */

/* A ratio of a system, and room for linearised values. */
typedef struct ratio_of {
    const iv_scored *scored;
    size_t m, s;
    double *x;
    double at; /* its value */
} ratio_of;

/* The larger p of t and Hall's t of the values linearised at a bound. */
static int test_ratio(iv_evidence *out, const ratio_of *r, double bound, iv_err *err)
{
    iv_structured is;

    ratio_values(r->x, r->scored, r->m, r->s, bound);
    IV_TRY(iv_structured_mean(&is, r->x, r->scored->v->item_count,
                              structure_of(r->scored, r->m), r->s, err));
    const double n = (double)is.items;
    *out = iv_mean_evidence(&(iv_mean_summary){ is.mean, is.se * sqrt(n), n, is.df,
                                                is.skewness }, bound, 0.5);
    return IV_OK;
}

/* Where p of one side is `level`: at Fieller's limit, where that of t is, or beyond.  NaN: none. */
static int find_ratio_limit(double *limit, const ratio_of *r, double level, iv_err *err)
{
    enum { STEPS = 60 };
    double near = r->at, far = *limit;
    bool beyond = false;
    iv_evidence e;

    for (int k = 0; k < 2 * STEPS && isfinite(far) && (beyond || k < STEPS); k++) {
        const double at = beyond ? 0.5 * (near + far) : far;
        IV_TRY(test_ratio(&e, r, at, err));
        if ((at < r->at ? e.p_above : e.p_below) > level) {
            near = at;
            far += beyond ? 0.0 : far - r->at;
        } else {
            far = at;
            beyond = true;
        }
    }
    *limit = beyond ? far : (double)NAN;
    return IV_OK;
}

/* Fieller's limits of a ratio, or those of the test; its room is in the arena. */
static int find_ratio(iv_interval *out, ratio_of *r, iv_arena *own, double tail, bool tested,
                      iv_err *err)
{
    iv_two_means two;
    double df;

    r->x = iv_take(own, r->scored->v->item_count + 1, sizeof *r->x);
    IV_TRY(iv_taken(own, err));
    IV_TRY(two_means(&two, &df, r->scored, r->m, r->s, err));
    *out = (iv_interval){ .value = two.over / two.under, .lower = NAN, .upper = NAN };
    r->at = out->value;
    if (df > 0.0)
        iv_ratio_limits(&out->lower, &out->upper, &two, iv_t_isf(tail, df));
    if (!tested)
        return IV_OK;
    IV_TRY(find_ratio_limit(&out->lower, r, tail, err));
    return find_ratio_limit(&out->upper, r, tail, err);
}

int iv_measure_interval(iv_mean_interval *out, const iv_scored *scored, size_t m, size_t s,
                        double confidence, bool tested, iv_err *err)
{
    const double nan = (double)NAN, tail = 0.5 * (1.0 - confidence);
    const bool ratio = scored->definitions[m].form == IV_FORM_RATIO;
    ratio_of r = { scored, m, s, NULL, 0.0 };
    iv_arena own = { 0 };
    iv_structured is;
    iv_interval q;
    attempts a;

    IV_TRY(iv_structured_mean(&is, iv_scored_values(scored, m) + s * scored->v->item_count,
                              scored->v->item_count, structure_of(scored, m), s, err));
    const int rc = ratio ? find_ratio(&q, &r, &own, tail, tested, err)
                         : find_percentile(&q, &a, &own, scored, m, s, tail, err);
    iv_arena_free(&own);
    if (rc != IV_OK)
        return rc;
    *out = (iv_mean_interval){ .n = is.items, .method = IV_INTERVAL_NONE, .mean = q.value,
                               .se = ratio ? is.se : isfinite(q.se) ? q.se : nan,
                               .lower = q.lower, .upper = q.upper, .skewness = is.skewness,
                               .gap = !ratio ? IV_GAP_NONE : is.items < 2 ? IV_GAP_ONE_VALUE
                                   : isnan(q.lower) ? IV_GAP_RATIO : IV_GAP_NONE };
    return IV_OK;
}

static int ratio_evidence(iv_evidence *out, iv_arena *own, const iv_scored *scored, size_t m,
                          size_t s, double bound, double level, iv_err *err)
{
    ratio_of r = { scored, m, s, NULL, 0.0 };
    iv_interval q;

    IV_TRY(find_ratio(&q, &r, own, level, true, err));
    IV_TRY(test_ratio(out, &r, bound, err));
    out->estimate = q.value;
    out->lower = q.lower;
    out->upper = q.upper;
    return IV_OK;
}

static int percentile_evidence(iv_evidence *out, iv_arena *own, const iv_scored *scored, size_t m,
                               size_t s, double bound, double level, iv_err *err)
{
    const double p = scored->definitions[m].p;
    attempts a;
    iv_interval q;
    iv_structured is;

    IV_TRY(find_percentile(&q, &a, own, scored, m, s, level, err));
    const double count = fmax(floor(a.trials + 1e-9), 1.0); /* as of the limits */
    IV_TRY(find_within(&is, &a, scored, m, s, bound, level, err));
    /* More than p at or below the bound: the percentile is not above it.  Of as many independent
     * trials as are as sure, each test with the whole number of them that says less. */
    const double k = is.mean * count;
    const iv_evidence low = iv_proportion_evidence((int64_t)(k + 1e-9), (int64_t)count, p, level);
    const iv_evidence high = iv_proportion_evidence((int64_t)ceil(k - 1e-9), (int64_t)count, p,
                                                    level);
    *out = (iv_evidence){ q.value, high.p_below, low.p_above, q.lower, q.upper };
    return IV_OK;
}

int iv_measure_evidence(iv_evidence *out, const iv_scored *scored, size_t m, size_t s, double bound,
                        double level, iv_err *err)
{
    iv_arena own = { 0 };
    const int rc = scored->definitions[m].form == IV_FORM_RATIO
        ? ratio_evidence(out, &own, scored, m, s, bound, level, err)
        : percentile_evidence(out, &own, scored, m, s, bound, level, err);

    iv_arena_free(&own);
    return rc;
}

const char *iv_measure_method(const iv_score_measure *m, bool tested)
{
    return m->form != IV_FORM_RATIO ? "order-statistics" : tested ? "ratio-test" : "fieller";
}

void iv_measure_used(const iv_scored *scored, size_t m, bool tested, iv_result *out)
{
    const iv_measure_form form = scored->definitions[m].form;

    if (form != IV_FORM_MEAN)
        iv_result_used(out, form == IV_FORM_PASS_ANY ? "pass-any"
                       : form == IV_FORM_PASS_ALL ? "pass-all"
                       : iv_measure_method(&scored->definitions[m], tested));
}
