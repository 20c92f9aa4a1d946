/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about recall from samples of families: design effects, and coverage by simulation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "num/draw.h"
#include "review/recall_families.h"

enum { MOST_FAMILIES = 4000, MOST_SIZE = 20 };

/* A collection: families of 1 to `most` documents.  In a family documents are relevant with a
 * probability of their own, drawn from a beta distribution with this mean and correlation. */
typedef struct setting {
    const char *name;
    int64_t families, most;
    double hits, found, missed, alike; /* proportion of families that were retrieved; relevant
                                          among retrieved and other documents; correlation */
    double budget;                     /* families sampled of each kind */
} setting;

static const setting settings[] = {
    { "1 document, 200 families each", 4000, 1, 0.15, 0.6, 0.02, 0.0, 200 },
    { "1 to 5, correlation 0.3", 4000, 5, 0.15, 0.6, 0.02, 0.3, 150 },
    { "1 to 20, correlation 0", 3000, 20, 0.15, 0.6, 0.02, 0.0, 100 },
    { "1 to 20, correlation 0.1", 3000, 20, 0.15, 0.6, 0.02, 0.1, 100 },
    { "1 to 20, correlation 0.3", 3000, 20, 0.15, 0.6, 0.02, 0.3, 100 },
    { "1 to 20, correlation 0.3, 300 families each", 3000, 20, 0.15, 0.6, 0.02, 0.3, 300 },
    { "1 to 20, correlation 0.6", 3000, 20, 0.15, 0.6, 0.02, 0.6, 100 },
    { "1 to 20, correlation 0.3, 0.5 % relevant outside", 3000, 20, 0.15, 0.6, 0.005, 0.3, 200 },
};

enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct family {
    int n[2], r[2]; /* retrieved documents, and others; relevant ones */
} family;

static void add(iv_family_cell *c, int n, int r, bool sampled)
{
    c->size += n;
    c->families += n > 0;
    if (!sampled || n == 0)
        return;
    c->sampled++;
    c->judged += n;
    c->relevant += r;
    c->nn += (double)n * n;
    c->nr += (double)n * r;
    c->rr += (double)r * r;
}

static void draw_collection(family *all, const setting *s, iv_stream *stream)
{
    for (int64_t f = 0; f < s->families; f++) {
        const bool hit = iv_draw_uniform(stream) < s->hits;
        const int size = 1 + (int)iv_draw_below(stream, (uint64_t)s->most);
        double p[2] = { s->found, s->missed };
        for (int k = 0; k < 2 && s->alike > 0.0; k++) {
            const double sum = 1.0 / s->alike - 1.0;
            p[k] = iv_draw_beta(stream, p[k] * sum, (1.0 - p[k]) * sum);
        }
        all[f] = (family){ { 0 } };
        for (int i = 0; i < size; i++) { /* an attachment may have been missed */
            const int out = !(hit && iv_draw_uniform(stream) < 0.9);
            all[f].n[out]++;
            all[f].r[out] += iv_draw_uniform(stream) < p[out];
        }
    }
}

/* Samples families with and without retrieved documents, budget of each. */
static double sample(iv_family_cell cells[IV_FAMILY_CELLS], const family *all, const setting *s,
                     iv_stream *stream)
{
    int64_t left[2] = { 0, 0 }, wanted[2];
    double in = 0.0, sum = 0.0;

    for (int k = 0; k < IV_FAMILY_CELLS; k++)
        cells[k] = (iv_family_cell){ 0 };
    for (int64_t f = 0; f < s->families; f++)
        left[all[f].n[0] == 0]++;
    for (int k = 0; k < 2; k++)
        wanted[k] = s->budget < (double)left[k] ? (int64_t)s->budget : left[k];
    for (int64_t f = 0; f < s->families; f++) {
        const family *x = &all[f];
        const int kind = x->n[0] == 0;
        const bool sampled = (int64_t)iv_draw_below(stream, (uint64_t)left[kind]--) < wanted[kind];
        wanted[kind] -= sampled;
        add(&cells[IV_FAMILY_RETRIEVED], x->n[0], x->r[0], sampled);
        add(&cells[kind ? IV_FAMILY_OUTSIDE : IV_FAMILY_BESIDE], x->n[1], x->r[1], sampled);
        in += x->r[0];
        sum += x->r[0] + x->r[1];
    }
    return in / sum;
}

static size_t asked(size_t usual)
{
    const char *often = getenv("REPLICATES");

    return often == NULL ? usual : (size_t)atol(often);
}

static void intervals_by_families_contain_the_true_recall(void **state)
{
    static family all[MOST_FAMILIES];
    const size_t replicates = asked(15);

    (void)state;
    for (size_t i = 0; i < SETTINGS; i++) {
        size_t covered = 0, low = 0;
        double width = 0.0;
        for (size_t k = 0; k < replicates; k++) {
            iv_stream s = iv_stream_start(7, IV_FOR_STUDY, i << 20 | k);
            iv_family_cell cells[IV_FAMILY_CELLS];
            iv_limits is;
            double estimate = NAN;
            draw_collection(all, &settings[i], &s);
            const double truth = sample(cells, all, &settings[i], &s);
            assert_int_equal(iv_family_recall(&is, &estimate, cells, 0.95, false, NULL), 0);
            covered += is.lower <= truth && truth <= is.upper;
            low += truth < is.lower;
            width += is.upper - is.lower;
        }
        const double n = (double)replicates;
        printf("%s: coverage %.3f, truth below %.3f, width %.3f\n", settings[i].name,
               (double)covered / n, (double)low / n, width / n);
        assert_true((double)covered / n > 0.93 - 3.0 * sqrt(0.05 * 0.95 / n));
    }
}

/* By hand: three families of 4, 2 and 2 documents, of which 4, 0 and 0 are relevant: p = 1/2,
 * residuals 2, -1, -1, so 3/2 * 6 / (8/4) = 4.5; families of one document have none. */
static void the_design_effect_is_the_variance_between_families_over_that_of_documents(void **state)
{
    iv_family_cell c = { 0 }, one = { 0 }, none = { 0 };

    (void)state;
    add(&c, 4, 4, true);
    add(&c, 2, 0, true);
    add(&c, 2, 0, true);
    assert_true(fabs(iv_family_effect(&c) - (4.5)) < 1e-12);
    for (int i = 0; i < 100; i++)
        add(&one, 1, i % 2, true);
    assert_true(fabs(iv_family_effect(&one) - (100.0 / 99.0)) < 1e-12);
    add(&none, 4, 0, true); /* nothing is relevant: Kish's for families that are alike inside */
    add(&none, 2, 0, true);
    assert_true(fabs(iv_family_effect(&none) - (20.0 / 6.0)) < 1e-12);
}

static void what_is_judged_completely_has_no_interval(void **state)
{
    iv_family_cell cells[IV_FAMILY_CELLS] = { { 0 } };
    double estimate = NAN;
    iv_limits is;

    (void)state;
    for (int i = 0; i < 20; i++) {
        add(&cells[IV_FAMILY_RETRIEVED], 3, 2, true);
        add(&cells[IV_FAMILY_OUTSIDE], 4, 1, true);
    }
    assert_int_equal(iv_family_recall(&is, &estimate, cells, 0.95, false, NULL), 0);
    assert_true(fabs(is.lower - (2.0 / 3.0)) < 1e-12);
    assert_true(fabs(is.upper - (2.0 / 3.0)) < 1e-12);
    assert_true(fabs(estimate - (2.0 / 3.0)) < 1e-12);
    add(&cells[IV_FAMILY_BESIDE], 4, 1, false);
    assert_int_not_equal(iv_family_recall(&is, &estimate, cells, 0.95, false, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_by_families_contain_the_true_recall),
        cmocka_unit_test(the_design_effect_is_the_variance_between_families_over_that_of_documents),
        cmocka_unit_test(what_is_judged_completely_has_no_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
