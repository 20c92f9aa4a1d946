/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What 95 % intervals of areas and of their differences hold: figures of doc/methods/scored.md.
 *
 * usage: auc_coverage TABLE [SAMPLES [SEED]]     (4000 samples, seed 100)
 *
 * TABLE is areas, few, hidden or answers (one system), normal, shapes, alike, beside or power (two); a row a
 * setting, then the least and the largest of them, and how many are outside of .93 to .97 by .002
 * or more.  To build it:
 *     cc -O2 -I include -I build/release/include tests/oracle/auc_coverage.c \
 *        build/release/libintervale.a -lstdc++ -lz -lm -lpthread
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/num.h"
#include "intervale/stat/scored.h"

enum { GRID = 20000, FINE = 1000, SPAN = 9, MOST = 2000, LISTED = 1000 };

/* A score is a growing function of a normal z. */
typedef enum kind { NORMAL, POSITIVES, NEGATIVES, EXPONENTIAL, LOGNORMAL, STUDENT, LEVELS, ANSWERS, BELOW } kind;

static const char *const names[] = { "normal", "positives spread twice", "negatives spread twice", "exponential",
                                     "lognormal", "Student's t", "five levels", "yes and no", "some below all" };

typedef struct setting {
    kind kind;
    size_t m, n;
    double x[2], y[2]; /* of both systems: areas; of ANSWERS shares called yes of both classes; of BELOW distance and share */
    double common;     /* correlation of the z of an item */
} setting;

static setting list[LISTED];
static size_t listed;
static double student[2 * SPAN * FINE + 1]; /* the quantile that z stands for */
static double freedom = 3.0;

static double student_of(double z)
{
    const double at = fmin(fmax((z + SPAN) * FINE, 0.0), 2.0 * SPAN * FINE - 1.0);
    const size_t i = (size_t)at;

    return student[i] + (at - (double)i) * (student[i + 1] - student[i]);
}

static double score(kind k, bool positive, double z, double x, double y)
{
    const double moved = positive ? x : 0.0;

    switch (k) {
    case POSITIVES: return moved + (positive ? 2.0 : 1.0) * z;
    case NEGATIVES: return moved + (positive ? 1.0 : 2.0) * z;
    case EXPONENTIAL: return -log(iv_norm_sf(z)) * (positive ? exp(x) : 1.0);
    case LOGNORMAL: return moved + exp(z);
    case STUDENT: return moved + student_of(z);
    case LEVELS: return fmin(fmax(floor(moved + z - 0.5 * x + 2.5), 0.0), 4.0);
    case ANSWERS: return iv_norm_sf(z) < (positive ? x : y);
    case BELOW:
        if (!positive)
            return z;
        const double u = iv_norm_cdf(z);
        return u < y ? z - 100.0 : x + iv_norm_quantile((u - y) / (1.0 - y));
    default: return moved + z;
    }
}

/* Of a population of GRID items a class. */
static double area_of(kind k, double x, double y)
{
    static double a[GRID], b[GRID];
    double wins = 0.0;

    for (size_t i = 0; i < GRID; i++) {
        const double z = iv_norm_quantile(((double)i + 0.5) / GRID);
        a[i] = score(k, true, z, x, y);
        b[i] = score(k, false, z, x, y);
    }
    for (size_t i = 0, below = 0, upto = 0; i < GRID; i++) {
        while (below < GRID && b[below] < a[i])
            below++;
        while (upto < GRID && b[upto] <= a[i])
            upto++;
        wins += 0.5 * (double)(below + upto);
    }
    return wins / ((double)GRID * GRID);
}

/* x of scores that are made to have this area. */
static double apart(kind k, double area)
{
    static struct { kind kind; double area, x; } known[100];
    static size_t count;
    double low = 0.0, high = 40.0;

    for (size_t i = 0; i < count; i++)
        if (known[i].kind == k && known[i].area == area)
            return known[i].x;
    for (int round = 0; round < 40; round++) {
        const double middle = 0.5 * (low + high);
        if (area_of(k, middle, 0.0) < area)
            low = middle;
        else
            high = middle;
    }
    known[count].kind = k;
    known[count].area = area;
    return known[count++].x = 0.5 * (low + high);
}

typedef struct counts {
    double held, below, above, width, told, delong, told_delong;
} counts;

static void take(counts *c, double lower, double upper, double truth)
{
    c->held += lower <= truth && truth <= upper;
    c->below += truth < lower;
    c->above += truth > upper;
    c->width += upper - lower;
}

static counts measure(const setting *s, bool two, size_t samples, uint64_t seed, uint32_t number)
{
    static double a[MOST], b[MOST];
    static bool y[MOST];
    const bool by_area = s->kind != ANSWERS && s->kind != BELOW;
    const double xa = by_area ? apart(s->kind, s->x[0]) : s->x[0], xb = by_area ? apart(s->kind, s->x[1]) : s->x[1];
    const double area = area_of(s->kind, xa, s->y[0]);
    const double truth = area - (xa == xb && s->y[0] == s->y[1] ? area : area_of(s->kind, xb, s->y[1]));
    const double rest = sqrt(1.0 - s->common * s->common), z95 = iv_norm_isf(0.025);
    counts c = { 0 };

    for (size_t k = 0; k < samples; k++) {
        iv_stream stream = iv_stream_start(seed, number, (uint32_t)k);
        iv_scored_value one;
        iv_auc_difference d;
        for (size_t i = 0; i < s->m + s->n; i++) {
            const double z = iv_draw_normal(&stream);
            y[i] = i < s->m;
            a[i] = score(s->kind, y[i], z, xa, s->y[0]);
            if (two)
                b[i] = score(s->kind, y[i], s->common * z + rest * iv_draw_normal(&stream), xb, s->y[1]);
        }
        if (!two) {
            if (iv_auc(&one, &(iv_scored_items){ a, y, s->m + s->n }, 0.0, NULL) != IV_OK)
                abort();
            take(&c, one.lower, one.upper, area);
            continue;
        }
        if (iv_auc_compare(&d, a, b, y, s->m + s->n, 0.0, NULL) != IV_OK)
            abort();
        take(&c, d.lower, d.upper, truth);
        c.told += d.p <= 0.05;
        c.delong += fabs(d.value - truth) <= z95 * d.se;
        c.told_delong += d.p_delong <= 0.05;
    }
    return c;
}

static void put(kind k, size_t m, size_t n, double xa, double xb, double common)
{
    list[listed++] = (setting){ k, m, n, { xa, xb }, { 0.0, 0.0 }, common };
}

static void put_both(kind k, size_t m, size_t n, double xa, double ya, double xb, double yb)
{
    list[listed++] = (setting){ k, m, n, { xa, xb }, { ya, yb }, 0.0 };
}

static const size_t usual[][2] = { { 20, 20 }, { 20, 200 }, { 200, 20 }, { 50, 50 }, { 100, 100 }, { 40, 160 } };

static void list_areas(void)
{
    static const size_t sizes[][2] = { { 20, 20 }, { 20, 60 }, { 60, 20 }, { 20, 200 }, { 200, 20 }, { 40, 40 },
                                       { 40, 160 }, { 160, 40 }, { 40, 400 }, { 400, 40 }, { 100, 100 },
                                       { 100, 400 }, { 400, 100 } };
    static const double areas[] = { 0.7, 0.9, 0.99 };

    for (int i = 0; i < 7 * 3 * 13; i++)
        put((kind)(i / 39), sizes[i % 13][0], sizes[i % 13][1], areas[i / 13 % 3], areas[i / 13 % 3], 0.0);
}

static void list_few(void)
{
    static const size_t sizes[][2] = { { 2, 3 }, { 2, 20 }, { 5, 5 }, { 5, 50 }, { 10, 10 }, { 10, 100 }, { 100, 10 } };

    for (int i = 0; i < 6 * 2 * 7; i++)
        put((kind)(i / 14), sizes[i % 7][0], sizes[i % 7][1], i / 7 % 2 ? 0.99 : 0.9, 0.9, 0.0);
}

static void list_answers(void)
{
    static const size_t sizes[][2] = { { 20, 20 }, { 20, 200 }, { 200, 20 }, { 50, 50 }, { 50, 500 }, { 100, 100 } };
    static const double yes[] = { 0.8, 0.88, 0.92, 0.96, 0.98 }, wrong[] = { 0.01, 0.05, 0.1, 0.2 };

    for (int i = 0; i < 6 * 5 * 4; i++)
        put_both(ANSWERS, sizes[i / 20][0], sizes[i / 20][1], yes[i / 4 % 5], wrong[i % 4], 0.0, 0.0);
}

static void list_normal(void)
{
    static const double pairs[][2] = { { 0.9, 0.6 }, { 0.9, 0.8 }, { 0.95, 0.7 }, { 0.95, 0.9 }, { 0.97, 0.93 },
                                       { 0.99, 0.9 }, { 0.99, 0.95 } };
    static const double common[] = { 0.0, 0.5, 0.9 };

    for (int i = 0; i < 7 * 3 * 5; i++)
        put(NORMAL, usual[i % 5][0], usual[i % 5][1], pairs[i / 15][0], pairs[i / 15][1], common[i / 5 % 3]);
}

static void list_shapes(void)
{
    static const double pairs[][2] = { { 0.9, 0.9 }, { 0.99, 0.99 }, { 0.99, 0.9 } };

    for (int i = 0; i < 6 * 3 * 2 * 5; i++) {
        const size_t *size = usual[i % 5 == 4 ? 5 : i % 5];
        put((kind)(1 + i / 30), size[0], size[1], pairs[i / 10 % 3][0], pairs[i / 10 % 3][1], i / 5 % 2 ? 0.5 : 0.0);
    }
}

static void list_rest(const char *table)
{
    if (strcmp(table, "hidden") == 0) {
        put_both(BELOW, 50, 500, 4.0, 0.02, 0.0, 0.0);
        put_both(BELOW, 100, 100, 4.0, 0.02, 0.0, 0.0);
    }
    if (strcmp(table, "alike") == 0) {
        put(NORMAL, 2, 3, 0.6, 0.6, 0.0);
        put(NORMAL, 5, 50, 0.6, 0.6, 0.0);
        put(NORMAL, 10, 100, 0.6, 0.6, 0.0);
    }
    if (strcmp(table, "power") == 0) {
        put(NORMAL, 100, 100, 0.99, 0.95, 0.5);
        put(NORMAL, 50, 50, 0.99, 0.95, 0.5);
        put(NORMAL, 100, 100, 0.95, 0.9, 0.5);
        put(NORMAL, 50, 50, 0.95, 0.9, 0.5);
        put(NORMAL, 100, 100, 0.99, 0.95, 0.0);
        put_both(ANSWERS, 20, 200, 0.96, 0.1, 0.88, 0.1);
        put_both(ANSWERS, 10, 100, 0.98, 0.05, 0.8, 0.05);
    }
    if (strcmp(table, "beside") == 0) {
        put_both(ANSWERS, 20, 200, 0.9, 0.01, 0.9, 0.01);
        put_both(ANSWERS, 20, 200, 0.9, 0.1, 0.9, 0.1);
        put_both(ANSWERS, 50, 50, 0.9, 0.1, 0.9, 0.1);
        put_both(ANSWERS, 10, 100, 0.9, 0.05, 0.8, 0.1);
        put_both(ANSWERS, 10, 100, 0.98, 0.05, 0.8, 0.05);
        put_both(ANSWERS, 20, 200, 0.96, 0.1, 0.88, 0.1);
        put_both(BELOW, 30, 300, 4.0, 0.05, 4.0, 0.05);
        put_both(BELOW, 30, 300, 4.0, 0.1, 4.0, 0.1);
        put(STUDENT, 20, 200, 0.965, 0.965, 0.0);
        put(NORMAL, 20, 200, 0.95, 0.95, 0.0);
        put(LEVELS, 20, 200, 0.95, 0.95, 0.0);
        freedom = 2.0;
    }
}

static void list_settings(const char *table)
{
    static const struct { const char *name; void (*list)(void); } tables[] = {
        { "areas", list_areas }, { "few", list_few }, { "answers", list_answers }, { "normal", list_normal },
        { "shapes", list_shapes },
    };

    list_rest(table);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(table, tables[i].name) == 0)
            tables[i].list();
}

static void summarise(const char *rule, const double *held, size_t count)
{
    double least = 1.0, largest = 0.0;
    size_t low = 0, high = 0;

    for (size_t i = 0; i < count; i++) {
        least = fmin(least, held[i]);
        largest = fmax(largest, held[i]);
        low += held[i] < 0.928;
        high += held[i] > 0.972;
    }
    printf("# %s: %zu settings, least %.3f, largest %.3f, %zu below .93, %zu above .97\n", rule, count, least,
           largest, low, high);
}

int main(int argc, char **argv)
{
    const char *table = argc > 1 ? argv[1] : "";
    const size_t samples = argc > 2 ? (size_t)atol(argv[2]) : 4000;
    const uint64_t seed = argc > 3 ? (uint64_t)atol(argv[3]) : 100;
    const bool two = strchr("nspb", *table) != NULL || strcmp(table, "alike") == 0;
    static double held[2][LISTED];

    list_settings(table);
    if (listed == 0)
        return 2;
    for (int i = 0; i <= 2 * SPAN * FINE; i++) {
        const double z = (double)i / FINE - SPAN;
        student[i] = z < 0.0 ? -iv_t_isf(iv_norm_cdf(z), freedom) : iv_t_isf(iv_norm_sf(z), freedom);
    }
    puts("scores\tm\tn\ta\t\tb\t\tcommon\theld\tse\tbelow\tabove\twidth\tp<=.05\tDeLong\tp<=.05");
    for (size_t i = 0; i < listed; i++) {
        const setting *s = &list[i];
        const counts c = measure(s, two, samples, seed, (uint32_t)i);
        const double n = (double)samples, h = c.held / n;
        printf("%s\t%zu\t%zu\t%g\t%g\t%g\t%g\t%g\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f", names[s->kind], s->m, s->n, s->x[0],
               s->y[0], s->x[1], s->y[1], s->common, h, sqrt(h * (1.0 - h) / n), c.below / n, c.above / n, c.width / n);
        if (two)
            printf("\t%.4f\t%.4f\t%.4f", c.told / n, c.delong / n, c.told_delong / n);
        puts("");
        fflush(stdout);
        held[0][i] = h;
        held[1][i] = c.delong / n;
    }
    summarise("this rule", held[0], listed);
    if (two)
        summarise("DeLong's", held[1], listed);
    return 0;
}
