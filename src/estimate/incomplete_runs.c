/* SPDX-License-Identifier: Apache-2.0 */
#include "intervale/estimate/incomplete_runs.h"

#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/sign_power.h"
#include "stat/paired/significant.h"

/* What a difference known to be 0 looks like, in spite of rounding. */
static bool is_tie(iv_moments d)
{
    return d.variance < 1e-28 && fabs(d.mean) < 1e-13;
}

/* p of the sign test when a wins s of n topics. */
static double sign_p(size_t s, size_t n, iv_alternative alternative)
{
    const int64_t k = (int64_t)s, of = (int64_t)n;
    const double upper = iv_binom_sf(k - 1, of, 0.5), lower = iv_binom_cdf(k, of, 0.5);

    if (alternative == IV_GREATER)
        return upper;
    if (alternative == IV_LESS)
        return lower;
    return fmin(1.0, 2.0 * fmin(lower, upper));
}

/*
 * The number of topics that a wins, each with a probability of its own: the
 * distribution by convolution, one topic after the other.
 */
static void count_wins(double *chance, const double *wins, size_t n)
{
    chance[0] = 1.0;
    for (size_t t = 0; t < n; t++) {
        chance[t + 1] = 0.0;
        for (size_t s = t + 2; s-- > 0;)
            chance[s] = chance[s] * (1.0 - wins[t]) + (s > 0 ? chance[s - 1] * wins[t] : 0.0);
    }
}

static void test_signs(iv_incomplete *x, const double *wins, size_t n, double *chance,
                       const iv_incomplete_options *o)
{
    const size_t told = x->wins + x->losses;

    x->p = x->p_expected = x->p_reject = (double)NAN;
    if (told > 0)
        x->p = sign_p(x->wins, told, o->alternative);
    if (n == 0)
        return;
    count_wins(chance, wins, n);
    x->p_expected = x->p_reject = 0.0;
    for (size_t s = 0; s <= n; s++) {
        const double p = sign_p(s, n, o->alternative);
        x->p_expected += chance[s] * p;
        x->p_reject += iv_significant(p, o->alpha) ? chance[s] : 0.0;
    }
    x->p_expected = fmin(x->p_expected, 1.0);
    x->p_reject = fmin(x->p_reject, 1.0);
}

/* Walks over the topics; wins gets the probabilities of those that are no tie. */
static int sum_topics(iv_incomplete *x, double *wins, size_t *open, const iv_inquiry *q,
                      bool exact, const iv_work *work, iv_err *err)
{
    const size_t n = iv_inquiry_topics(q);
    iv_moments sum = { 0.0, 0.0 };

    for (size_t t = 0; t < n; t++) {
        iv_moments d = iv_inquiry_topic_moments(q, t, 0);
        const int rc = !exact                                ? IV_OK
            : iv_check_work(work, (double)t / (double)n, err) != IV_OK
                ? IV_ECANCELLED
                : iv_inquiry_topic_exact(&d, q, t, 0, 1, err);
        if (rc != IV_OK)
            return rc;
        sum.mean += d.mean;
        sum.variance += d.variance;
        x->wins += d.mean > 1e-13;
        x->losses += d.mean < -1e-13;
        if (!is_tie(d))
            wins[(*open)++] = 1.0 - iv_probability_less(d);
    }
    x->topics = n;
    x->ties = n - x->wins - x->losses;
    x->difference = (iv_moments){ sum.mean / (double)n, sum.variance / ((double)n * (double)n) };
    return IV_OK;
}

static int compare_pair(iv_incomplete *x, const iv_pooled *p, const iv_incomplete_options *o,
                        const iv_work *work, iv_err *err)
{
    const iv_inquiry_options how = { .prior = o->prior, .form = o->form,
                                     .union_only = o->union_only };
    const size_t runs[] = { x->a, x->b }, n = iv_pooled_topics(p);
    double *room = malloc((2 * n + 2) * sizeof *room);
    iv_inquiry *q = NULL;
    size_t open = 0;
    iv_stage make, sum;
    int rc = room == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                          : iv_inquiry_new(&q, p, runs, 2, &how,
                                           iv_work_part(&make, work, 0.0, 0.5), err);

    *x = (iv_incomplete){ .a = runs[0], .b = runs[1] };
    const bool together = o->prior.model == IV_MODEL_RUNS;
    if (rc == IV_OK)
        rc = sum_topics(x, room, &open, q, o->form == IV_MOMENTS_EXACT && !together,
                        iv_work_part(&sum, work, 0.5, 1.0), err);
    if (rc == IV_OK) {
        const double told = (double)(x->wins + x->losses);
        if (together) /* topics err together */
            x->difference = iv_inquiry_moments(q, 0);
        x->p_less = iv_probability_less(x->difference);
        x->certainty = iv_sign_confidence(x->difference);
        x->lopsided = together && iv_inquiry_lopsided(q, 0, 1);
        x->effect = told > 0.0 ? ((double)x->wins - (double)x->losses) / told : (double)NAN;
        x->effect_adjusted = iv_uncertain_effect(x->effect, x->certainty);
        x->topics_adjusted = iv_uncertain_topics((double)n, x->certainty);
        test_signs(x, room, open, room + n, o);
    }
    iv_inquiry_free(q);
    free(room);
    return rc;
}

typedef struct pair_loop {
    iv_incomplete *pairs;
    const iv_pooled *p;
    const iv_incomplete_options *o;
    iv_asking asking;
} pair_loop;

static int pair_item(void *user, void *memory, size_t k, iv_err *err)
{
    pair_loop *l = user;

    (void)memory;
    return compare_pair(&l->pairs[k], l->p, l->o, &l->asking.inner, err);
}

int iv_incomplete_pairs(iv_incomplete *pairs, size_t count, const iv_pooled *p,
                        const iv_incomplete_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(pairs, count, "pair", err));
    IV_TRY(IV_CHECK(options, err,
        IV_CHOICE_OF(iv_incomplete_options, form, iv_moments_form_names, "the form of moments"),
        IV_CHOICE_OF(iv_incomplete_options, alternative, iv_alternative_names,
                     "the alternative")));
    iv_incomplete_options o = options == NULL ? (iv_incomplete_options){ 0 } : *options;
    pair_loop l = { .pairs = pairs, .p = p, .o = &o };

    o.alpha = o.alpha == 0.0 ? 0.05 : o.alpha;
    if (!(o.alpha > 0.0 && o.alpha < 1.0))
        return iv_fail(err, IV_EARG, "level %g, expected between 0 and 1", o.alpha);
    if (count == 1) /* all threads on its topics */
        return compare_pair(pairs, p, &o, work, err);
    iv_asking_start(&l.asking, work);
    return iv_parallel(&(iv_loop){ count, pair_item, &l, NULL }, &l.asking.outer, err);
}
