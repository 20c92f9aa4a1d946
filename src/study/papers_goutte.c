/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Goutte and Gaussier (2005).  Probabilities are in per cent and come from 10,000 draws in the
 * paper, with the standard errors that the tables print; ours are exact.  Table 1 prints
 * F-scores, not counts: those are solved from the F-scores, the counts of table 2, the sizes of
 * the categories and the micro-averages.
 */
#include "base/err.h"
#include "base/memory.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

/* Precision of 10 of 20 beside 3 of 5, Jeffreys' prior. */
static void example(iv_paper_run *p)
{
    iv_posterior one, two, none;

    iv_posterior_beta(&one, 10.5, 10.5);
    iv_posterior_beta(&two, 3.5, 2.5);
    iv_posterior_beta(&none, 0.5, 0.5);
    const double greater = iv_posterior_greater(&two, &one);
    iv_paper_put(p, "Section 2.2", "system 1", "mean", one.mean, 0.0);
    iv_paper_put(p, "Section 2.2", "system 1", "mode", iv_posterior_mode(&one), 0.0);
    iv_paper_put(p, "Section 2.2", "system 2", "mean", two.mean, 0.0);
    iv_paper_put(p, "Section 2.2", "system 2", "mode", iv_posterior_mode(&two), 0.0);
    iv_paper_put(p, "Section 2.2", "system 2 better", "probability", greater, 0.0);
    iv_paper_put(p, "Section 2.2", "system 1 better", "probability", 1.0 - greater, 0.0);
    iv_paper_put(p, "Section 2.1", "nothing returned", "mean of precision", none.mean, 0.0);
    for (int i = 1; i < 100; i++) {
        iv_paper_draw(p, "Figure 1", "precision", "system 1: 10 of 20", 0.01 * i,
                      exp(iv_posterior_log_density(&one, 0.01 * i)));
        iv_paper_draw(p, "Figure 1", "precision", "system 2: 3 of 5", 0.01 * i,
                      exp(iv_posterior_log_density(&two, 0.01 * i)));
    }
    iv_paper_figure(p, IV_CHART_CURVES, "Figure 1", "Posterior density of the precision of two "
                    "systems. System 1 is better with probability 35 %.", "precision",
                    "density");
}

/* ------------------------------------------------------------------ counts -- */

enum { LTC_LINEAR, NNN_LINEAR, NNN_POLY, LTC_POLY, SYSTEMS, COMPARISONS = 3, CATEGORIES = 16,
       SOLUTIONS = 64, MOST_COMBINED = 10000 };

static const char *const systems[SYSTEMS] = { "F1 of ltc, linear", "F1 of nnn, linear",
                                              "F1 of nnn, polynomial", "F1 of ltc, polynomial" };
static const char *const comparisons[COMPARISONS] = { "linear: ltc > nnn, %",
                                                      "nnn: lin > poly, %", "ltc: lin > poly, %" };
static const int sides[COMPARISONS][2] = { { LTC_LINEAR, NNN_LINEAR }, { NNN_LINEAR, NNN_POLY },
                                           { LTC_LINEAR, LTC_POLY } };

/* Errors (FP + FN) and the range of TP of each system. */
typedef struct solution {
    int errors[SYSTEMS], from[SYSTEMS], to[SYSTEMS];
} solution;

typedef struct category {
    const char *name;
    int size, wins[COMPARISONS][2];
    solution solution[SOLUTIONS], left[SOLUTIONS]; /* left: by the micro-averages, too */
    size_t solutions;
    double f[COMPARISONS]; /* P(F of the first system is greater) */
} category;

/* The range of TP in [from, to] with which F1 is printed as it is; false: there is none. */
static bool fit(int *from, int *to, int errors, double f1)
{
    const int least = *from, most = *to;

    if (isnan(f1))
        return least <= most;
    *from = most + 1;
    *to = least - 1;
    for (int tp = least; tp <= most; tp++) {
        const double f = 200.0 * tp / (2.0 * tp + errors);
        if (fabs(f - f1) > 0.005 + 1e-9)
            continue;
        *from = tp < *from ? tp : *from;
        *to = tp;
    }
    return *from <= *to;
}

/* One system gains on another what it alone got right. */
static void solve(iv_paper_run *p, category *c)
{
    double f1[SYSTEMS];

    for (int s = 0; s < SYSTEMS; s++)
        f1[s] = iv_paper_input(p, "Table 1", c->name, systems[s]);
    for (int errors = 0; errors <= 2 * c->size && c->solutions < SOLUTIONS; errors++) {
        solution *x = &c->solution[c->solutions];
        bool possible = true;
        x->errors[LTC_LINEAR] = errors;
        for (int k = 0; k < COMPARISONS; k++)
            x->errors[sides[k][1]] = x->errors[sides[k][0]] + c->wins[k][0] - c->wins[k][1];
        for (int s = 0; s < SYSTEMS && possible; s++) {
            const int missed = c->size - x->errors[s];
            x->from[s] = missed > 0 ? missed : 0;
            x->to[s] = c->size;
            possible = x->errors[s] >= 0 && fit(&x->from[s], &x->to[s], x->errors[s], f1[s]);
        }
        c->solutions += possible;
    }
}

/* Sums over categories of one of their solutions each: the micro-averages narrow them. */
static bool narrow(const iv_paper_run *p, category *c, size_t count, const size_t *chosen,
                   solution *sum)
{
    *sum = (solution){ .errors = { 0 } };
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < SYSTEMS; s++) {
            sum->errors[s] += c[i].solution[chosen[i]].errors[s];
            sum->from[s] += c[i].solution[chosen[i]].from[s];
            sum->to[s] += c[i].solution[chosen[i]].to[s];
        }
    const solution wide = *sum;
    for (int s = 0; s < SYSTEMS; s++)
        if (!fit(&sum->from[s], &sum->to[s], sum->errors[s],
                 iv_paper_input(p, "Table 1", "micro-average", systems[s])))
            return false;
    for (size_t i = 0; i < count; i++)
        for (int s = 0; s < SYSTEMS; s++) {
            const solution *x = &c[i].solution[chosen[i]];
            solution *y = &c[i].left[chosen[i]];
            const int from = sum->from[s] - (wide.to[s] - x->to[s]);
            const int to = sum->to[s] - (wide.from[s] - x->from[s]);
            const bool first = y->to[s] == 0;
            const int low = from > x->from[s] ? from : x->from[s];
            const int high = to < x->to[s] ? to : x->to[s];
            y->errors[s] = x->errors[s];
            y->from[s] = first || low < y->from[s] ? low : y->from[s];
            y->to[s] = high > y->to[s] ? high : y->to[s];
        }
    return true;
}

/* P(F of the first system is greater) at the two ends of the range that TP may have. */
static void f_range(double out[2], const solution *x, const int side[2])
{
    iv_posterior of[2];

    for (int end = 0; end < 2; end++) {
        for (int k = 0; k < 2; k++) {
            const int s = side[k], tp = end == k ? x->from[s] : x->to[s];
            /* F1 depends on FP + FN alone. */
            const iv_prf_cells cells = { .tp = tp + 0.5, .fp = x->errors[s] + 0.5, .fn = 0.5 };
            iv_posterior_prf(&of[k], &cells, (iv_prf_metric){ IV_PRF_F, 1.0 });
        }
        const double greater = 100.0 * iv_posterior_greater(&of[0], &of[1]);
        out[0] = fmin(out[0], greater);
        out[1] = fmax(out[1], greater);
    }
}

static void put_f(iv_paper_run *p, const char *row, const solution *x, size_t count,
                  double middle[COMPARISONS])
{
    for (int k = 0; k < COMPARISONS; k++) {
        double range[2] = { INFINITY, -INFINITY };
        for (size_t i = 0; i < count; i++)
            if (x[i].to[LTC_LINEAR] > 0)
                f_range(range, &x[i], sides[k]);
        middle[k] = 0.5 * (range[0] + range[1]);
        if (range[0] <= range[1])
            iv_paper_put_range(p, "Table 1", row, comparisons[k], range[0], range[1]);
    }
}

/* All ways to choose one solution of each category; of the micro-averages the last one's sums. */
static void table_1(iv_paper_run *p, category *c, size_t count)
{
    size_t chosen[CATEGORIES] = { 0 }, ways = 1, kept = 0;
    solution sum, micro = { .errors = { 0 } };

    for (size_t i = 0; i < count; i++)
        ways = ways > MOST_COMBINED ? ways : ways * c[i].solutions;
    for (size_t w = 0; w < ways && ways <= MOST_COMBINED; w++) {
        size_t rest = w;
        for (size_t i = 0; i < count; i++) {
            chosen[i] = rest % c[i].solutions;
            rest /= c[i].solutions;
        }
        if (narrow(p, c, count, chosen, &sum)) {
            micro = sum;
            kept++;
        }
    }
    for (size_t i = 0; i < count; i++)
        put_f(p, c[i].name, kept > 0 ? c[i].left : c[i].solution, c[i].solutions, c[i].f);
    if (kept == 1)
        put_f(p, "micro-average", &micro, 1, (double[COMPARISONS]){ 0.0 });
}

static double paired(double first, double second)
{
    return 100.0 * iv_paired_greater((iv_paired_cells){ first + 0.5, second + 0.5, 1.0 });
}

static void table_2(iv_paper_run *p, const category *c)
{
    const char *row = iv_paper_text(p, "%s (%d:%d, %d:%d, %d:%d)", c->name, c->wins[0][0],
                                    c->wins[0][1], c->wins[1][0], c->wins[1][1], c->wins[2][0],
                                    c->wins[2][1]);

    for (int k = 0; k < COMPARISONS; k++)
        iv_paper_put(p, "Table 2", row, comparisons[k], paired(c->wins[k][0], c->wins[k][1]), 0.0);
}

/* What sections 4 and 5 say of the probabilities: of how many categories it is true. */
typedef struct says {
    double worse_kernel; /* table 1: nnn, linear better than polynomial at the 98 % level */
    double larger, either; /* table 1: ltc better with more than earn; ltc: a kernel, at 90 % */
    double better[COMPARISONS], worse[COMPARISONS]; /* table 2: at the 95 % level */
    double weakly, neither; /* table 2: ltc better at 90 % only; nnn, no kernel better */
    double f_only;       /* table 1 at the 95 % level, and table 2 not */
} says;

static says count_claims(const category *c, size_t count)
{
    says s = { 0.0 };

    for (size_t i = 0; i < count; i++) {
        s.worse_kernel += c[i].f[1] > 98.0;
        s.larger += c[i].f[0] > c[0].f[0]; /* the first one is earn */
        s.either += c[i].f[2] > 90.0 || c[i].f[2] < 10.0;
        for (int k = 0; k < COMPARISONS; k++) {
            const double one = paired(c[i].wins[k][0], c[i].wins[k][1]);
            s.better[k] += one > 95.0;
            s.worse[k] += one < 5.0;
            s.f_only += c[i].f[k] > 95.0 && one <= 95.0;
            s.weakly += k == 0 && one > 90.0 && one <= 95.0;
            s.neither += k == 1 && one >= 5.0 && one <= 95.0;
        }
    }
    return s;
}

static void claims(iv_paper_run *p, const category *c, size_t count)
{
    const says s = count_claims(c, count);

    iv_paper_put(p, "Section 4", "F-score", "categories where nnn is worse with the polynomial "
                 "kernel, at 98 %", s.worse_kernel, 0.0);
    iv_paper_put(p, "Section 4", "F-score", "rank of earn by the probability that ltc is better",
                 1.0 + s.larger, 0.0);
    iv_paper_put(p, "Section 4", "F-score", "ltc: categories where a kernel is better, at 90 %",
                 s.either, 0.0);
    iv_paper_put(p, "Section 4", "paired", "categories where ltc is better, at 95 %", s.better[0],
                 0.0);
    iv_paper_put(p, "Section 4", "paired", "categories where ltc is better, at 90 % but not 95 %",
                 s.weakly, 0.0);
    iv_paper_put(p, "Section 4", "paired", "P of 8 to 3 less P of 21 to 15, %",
                 paired(8.0, 3.0) - paired(21.0, 15.0), 0.0);
    iv_paper_put(p, "Section 4", "paired", "nnn: categories without a difference, at 95 %",
                 s.neither, 0.0);
    iv_paper_put(p, "Section 4", "paired", "ltc: categories where polynomial is better, at 95 %",
                 s.worse[2], 0.0);
    iv_paper_put(p, "Section 4", "paired", "ltc: categories where linear is better, at 95 %",
                 s.better[2], 0.0);
    iv_paper_put(p, "Section 5", "both", "comparisons that only the F-score calls significant",
                 s.f_only, 0.0);
    iv_paper_put(p, "Section 5", "paired", "8 to 3, %", paired(8.0, 3.0), 0.0);
}

/* ------------------------------------------- the sign test and the bootstrap -- */

enum { MOST = 100 };

/*
 * P(N1* <= N2*) when items are resampled: of very many items N1* and N2* are Poisson with means
 * N1 and N2.
 */
static double bootstrapped(double first, double second)
{
    double p1 = exp(-first), p2 = exp(-second), below = p1, sum = 0.0;

    for (int k = 0; k < 4 * MOST; k++) { /* below: P(N1* <= k) */
        sum += p2 * below;
        p2 *= second / (k + 1.0);
        p1 *= first / (k + 1.0);
        below += p1;
    }
    return sum;
}

/* How often each method calls the first of two systems better, at the 5 % level, when so many
 * items were answered correctly by only one of them; summed over all outcomes. */
static void methods(iv_paper_run *p)
{
    static const double shares[] = { 0.5, 2.0 / 3.0 };
    static const char *const panels[] = { "equal systems", "two thirds of the items to the first" };
    static const char *const names[] = { "sign test", "posterior", "bootstrap" };

    for (int i = 0; i < 2; i++)
        for (int n = 5; n <= MOST; n += 5) {
            double rate[3] = { 0.0 };
            for (int k = 0; k <= n; k++) {
                const double mass = exp(iv_binom_log_pmf(k, n, shares[i]));
                rate[0] += mass * (k >= iv_sign_critical(n, 0.05));
                rate[1] += mass * (paired(k, n - k) > 95.0);
                rate[2] += mass * (bootstrapped(k, n - k) < 0.05);
            }
            for (int m = 0; m < 3; m++)
                iv_paper_draw(p, "Section 5", panels[i], names[m], n, rate[m]);
        }
    iv_paper_figure(p, IV_CHART_CURVES, "Section 5", "The comparison that section 5 leaves open: "
                    "how often three methods call the first system better at the 5 % level, over "
                    "the number of items that only one system got right. Exact.",
                    "items that only one got right", "proportion of outcomes");
}

int iv_paper_goutte(iv_paper_run *p, iv_err *err)
{
    iv_str rest = iv_paper_file("goutte_counts"), line;
    category *c = iv_take(&p->own, CATEGORIES, sizeof *c);
    size_t count = 0;

    IV_TRY(iv_taken(&p->own, err));
    example(p);
    while (count < CATEGORIES && iv_paper_line(&line, &rest)) {
        category *x = &c[count++];
        x->name = iv_arena_copy(&p->own, iv_paper_field(line, 0));
        if (x->name == NULL)
            return iv_no_memory(err);
        x->size = (int)iv_paper_number(line, 1);
        for (size_t k = 0; k < 2 * COMPARISONS; k++)
            x->wins[k / 2][k % 2] = (int)iv_paper_number(line, 2 + k);
        solve(p, x);
        table_2(p, x);
    }
    table_1(p, c, count);
    claims(p, c, count);
    methods(p);
    return iv_taken(&p->own, err);
}
