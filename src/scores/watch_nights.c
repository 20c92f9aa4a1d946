/* SPDX-License-Identifier: Apache-2.0 */
/* Which scores are a night's, in which order nights come, and how they differ from the baseline. */
#include "base/err.h"
#include "base/listing.h"
#include "scores/watching.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------- order -- */

/* Digits compare as numbers, so that build9 comes before build10. */
static int by_time(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            while (*a == '0' && isdigit((unsigned char)a[1]))
                a++;
            while (*b == '0' && isdigit((unsigned char)b[1]))
                b++;
            const size_t m = strspn(a, "0123456789"), n = strspn(b, "0123456789");
            const int order = m != n ? (m > n) - (m < n) : strncmp(a, b, m);
            if (order != 0)
                return order;
            a += m;
            b += n;
        } else if (*a != *b) {
            break;
        } else {
            a++;
            b++;
        }
    }
    return (unsigned char)*a - (unsigned char)*b;
}

static int nights_by_time(const void *x, const void *y)
{
    const iv_watched_night *a = x, *b = y;
    const int dates = by_time(a->date, b->date), names = by_time(a->system, b->system);

    return dates != 0 ? dates : names != 0 ? names : strcmp(a->system, b->system);
}

/* 31/12/2026 and 31.12.2026 do not sort by time. */
static int check_date(const char *date, iv_err *err)
{
    const char *last = strpbrk(date, "/.") == NULL ? NULL
        : strrchr(date, '/') != NULL ? strrchr(date, '/') : strrchr(date, '.');

    if (last == NULL || last - date > 5 || strspn(last + 1, "0123456789") != 4)
        return IV_OK;
    return iv_fail(err, IV_EPARSE, "the date '%.40s', expected YYYY-MM-DD or another form that "
                   "sorts by time", date);
}

/* Days since 1970 of YYYY-MM-DD, with any time behind; false: it is none. */
static bool day_of(long *day, const char *s)
{
    int y, m, d, used = 0;

    if (sscanf(s, "%4d-%2d-%2d%n", &y, &m, &d, &used) != 3 || used != 10 || m < 1 || m > 12)
        return false;
    const long year = m <= 2 ? y - 1 : y, era = year / 400, of = year - era * 400;
    const long in = (153 * (m > 2 ? m - 3 : m + 9) + 2) / 5 + d - 1;
    *day = era * 146097 + of * 365 + of / 4 - of / 100 + in - 719468;
    return true;
}

size_t iv_watching_gaps(const iv_watching *w)
{
    size_t gaps = 0, next = 0;
    long before = 0, day = 0;

    for (size_t i = 0; i < w->count; i++, before = day) {
        if (!day_of(&day, w->nights[i].name))
            return 0;
        if (i == 0 || day <= before)
            continue;
        next += day == before + 1;
        gaps += (size_t)(day - before - 1);
    }
    return 2 * next >= w->count ? gaps : 0;
}

/* ------------------------------------------------------------------- nights -- */

static const char *date_of(const iv_watching *w, size_t system)
{
    return w->scored.v->dates != NULL ? w->scored.v->dates[system] : "";
}

/* The systems of that name, or if there is none, of that date. */
static int find_baselines(iv_watching *w, iv_err *err)
{
    const iv_score_table *v = w->scored.v;
    iv_listing there = { .most = 8 };

    for (int by_date = 0; by_date < 2 && w->baseline_count == 0; by_date++)
        for (size_t s = 0; s < v->system_count; s++)
            if (strcmp(by_date ? date_of(w, s) : v->plain[s], w->asked->baseline) == 0)
                w->baselines[w->baseline_count++] = s;
    for (size_t s = 0; w->baseline_count == 0 && s < v->system_count; s++)
        iv_list_quoted(&there, iv_str_of(v->plain[s]));
    return w->baseline_count > 0 ? IV_OK
        : iv_fail(err, IV_EARG, "no system or date '%.80s' for the baseline, but %s",
                  w->asked->baseline, iv_listed(&there));
}

static bool is_baseline(const iv_watching *w, size_t system)
{
    for (size_t b = 0; b < w->baseline_count; b++)
        if (w->baselines[b] == system)
            return true;
    return false;
}

/* What can be wrong with nights in their order. */
static int check_nights(const iv_watching *w, iv_err *err)
{
    const iv_watch_question *q = w->asked;

    if (w->count == 0)
        return iv_fail(err, IV_ENODATA, q->system != NULL || q->since != NULL
                       ? "no night beside the baseline is of the system and time that were asked "
                         "for" : "there is no night beside the baseline");
    for (size_t i = 0; i < w->count; i++) {
        const iv_watched_night *n = &w->nights[i];
        IV_TRY(check_date(n->date, err));
        if (i > 0 && w->scored.v->dates != NULL && strcmp(n->date, n[-1].date) == 0)
            return iv_fail(err, IV_EARG, "two systems on %.40s, '%.60s' and '%.60s'; expected one"
                           IV_HINT("; --system NAME chooses"), n->date[0] != '\0' ? n->date
                           : "no date", n[-1].system, n->system);
    }
    return IV_OK;
}

int iv_watching_nights(iv_watching *w, iv_err *err)
{
    const iv_score_table *v = w->scored.v;
    const iv_watch_question *q = w->asked;

    w->nights = iv_take(w->scored.own, v->system_count + 1, sizeof *w->nights);
    w->baselines = iv_take(w->scored.own, v->system_count + 1, sizeof *w->baselines);
    IV_TRY(iv_taken(w->scored.own, err));
    IV_TRY(find_baselines(w, err));
    for (size_t s = 0; s < v->system_count; s++) {
        const char *date = date_of(w, s), *name = date[0] != '\0' ? date : v->plain[s];
        if (is_baseline(w, s) || (q->system != NULL && strcmp(v->plain[s], q->system) != 0)
            || (q->since != NULL && by_time(name, q->since) < 0))
            continue;
        w->nights[w->count++] = (iv_watched_night){ name, date, v->plain[s], s, IV_NONE };
    }
    qsort(w->nights, w->count, sizeof *w->nights, nights_by_time);
    IV_TRY(check_nights(w, err));
    w->nightly = v->dates != NULL;
    for (size_t i = 0; i < w->count; i++) {
        for (size_t b = 0; v->dates != NULL && b < w->baseline_count; b++)
            if (strcmp(date_of(w, w->baselines[b]), w->nights[i].date) == 0)
                w->nights[i].baseline = w->baselines[b];
        w->nightly = w->nightly && w->nights[i].baseline != IV_NONE;
    }
    return IV_OK;
}

/* -------------------------------------------------------------- differences -- */

static const double *scores_of(const iv_watching *w, size_t system)
{
    return iv_scored_values(&w->scored, 0) + system * w->scored.v->item_count;
}

/* Do two have the same scores, and on the same items? */
static bool same_scores(const iv_watching *w, size_t a, size_t b)
{
    const double *x = scores_of(w, a), *y = scores_of(w, b);

    for (size_t t = 0; t < w->scored.v->item_count; t++)
        if (!(x[t] == y[t] || (isnan(x[t]) && isnan(y[t]))))
            return false;
    return true;
}

/* The mean of the baseline's nights by item. */
static void fixed_baseline(double *out, const iv_watching *w)
{
    for (size_t t = 0; t < w->scored.v->item_count; t++) {
        double sum = 0.0, n = 0.0;
        for (size_t b = 0; b < w->baseline_count; b++) {
            const double x = scores_of(w, w->baselines[b])[t];
            sum += isnan(x) ? 0.0 : x;
            n += isnan(x) ? 0.0 : 1.0;
        }
        out[t] = n > 0.0 ? sum / n : (double)NAN;
    }
}

/* Differences of one night; what is equal but for rounding becomes equal. */
static void subtract(double *out, iv_watching *w, size_t night, const double *base, double step)
{
    const double *x = scores_of(w, w->nights[night].number);
    const bool last = night + 1 == w->count;

    for (size_t t = 0; t < w->scored.v->item_count; t++) {
        const bool lost = isnan(x[t]) && !isnan(base[t]);
        const double score = lost && w->asked->complete ? 0.0 : x[t];
        out[t] = rint((score - base[t]) / step) * step;
        w->lost += last && lost && !w->asked->complete;
        w->expected += last && !isnan(base[t]);
    }
}

int iv_watching_differences(iv_watching *w, iv_err *err)
{
    const size_t items = w->scored.v->item_count;
    double *base = iv_take(w->scored.own, items + 1, sizeof *base), largest = 0.0;
    bool *fresh = iv_take(w->scored.own, items + 1, sizeof *fresh);

    w->x = iv_take(w->scored.own, w->count * items + 1, sizeof *w->x);
    IV_TRY(iv_taken(w->scored.own, err));
    for (size_t i = 0; i < w->scored.v->system_count * items; i++)
        largest = fmax(largest, fabs(iv_scored_values(&w->scored, 0)[i]));
    const double step = largest > 0.0 ? ldexp(1.0, ilogb(largest) - 44) : 1.0;
    fixed_baseline(base, w);
    for (size_t i = 0; i < w->count; i++) {
        const iv_watched_night *n = &w->nights[i];
        const double *beside = w->nightly ? scores_of(w, n->baseline) : base;
        subtract(w->x + i * items, w, i, beside, step);
        for (size_t t = 0; t < items; t++)
            fresh[t] = fresh[t] || (isnan(beside[t]) && !isnan(scores_of(w, n->number)[t]));
        w->equal += i > 0 && same_scores(w, n->number, n[-1].number);
        if (i > 0 && w->nightly && !same_scores(w, n->baseline, n[-1].baseline)) {
            w->first_change = w->changes == 0 ? i : w->first_change;
            w->changes++;
        }
    }
    for (size_t t = 0; t < items; t++)
        w->fresh += fresh[t];
    return IV_OK;
}
