/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scenarios of Webber (2013), tables VI to VIII, in the reading that
 * reproduces their printed ranges and means: R1 = N pi Rec, N1 = R1 / Prec; the
 * lower bound of precision is the largest of those listed; the exponents of
 * the sample sizes run to the smaller of the two limits; the small scenario's
 * "10 Unif" and "1.5 Unif" are powers.
 */
#include <math.h>

#include "intervale/num.h"
#include "study/recall_study.h"

static const char *const names[] = { "neutral", "legal", "small", NULL };

const char *const *iv_recall_scenario_names(void) { return names; }

static double uniform(iv_stream *s, double from, double to)
{
    return from + (to - from) * iv_draw_uniform(s);
}

/* least x 2^Unif(0, min(cap, floor(log2(size / least)))), at most size. */
static int64_t sample_size(iv_stream *s, double least, double cap, double size)
{
    const double limit = fmax(0.0, fmin(cap, floor(log2(size / least))));

    return (int64_t)fmin(size, fmax(1.0, rint(least * exp2(uniform(s, 0.0, limit)))));
}

static double floor_of_precision(iv_recall_scenario scenario, double pi, double share)
{
    if (scenario == IV_SCENARIO_NEUTRAL)
        return fmax(0.1, fmax(0.95 * pi, 1.05 * share));
    return fmax(0.025, 2.0 * share);
}

static double draw_population(iv_stream *s, iv_recall_scenario scenario)
{
    if (scenario == IV_SCENARIO_NEUTRAL)
        return rint(1000.0 * exp2(uniform(s, 0.0, 12.0)));
    if (scenario == IV_SCENARIO_LEGAL)
        return rint(5e5 * pow(10.0, uniform(s, 0.0, 2.0)));
    return rint(1000.0 * pow(10.0, uniform(s, 0.0, 1.0)));
}

static double draw_prevalence(iv_stream *s, iv_recall_scenario scenario)
{
    if (scenario == IV_SCENARIO_NEUTRAL) {
        const double u = uniform(s, 1.0, 6.0);
        return 0.02 * u * u;
    }
    return scenario == IV_SCENARIO_LEGAL ? 0.002 * pow(1.5, uniform(s, 1.0, 10.0))
                                         : 0.02 * pow(1.5, uniform(s, 0.0, 6.0));
}

static void draw_samples(iv_recall_population *p, iv_stream *s, iv_recall_scenario scenario)
{
    const double N1 = (double)p->N1, N0 = (double)p->N0;

    if (scenario == IV_SCENARIO_SMALL) {
        p->n1 = (int64_t)fmax(1.0, rint(N1 * uniform(s, 0.2, 0.5)));
        p->n0 = (int64_t)fmax(1.0, rint(N0 * uniform(s, 0.05, 0.3)));
        return;
    }
    const bool legal = scenario == IV_SCENARIO_LEGAL;
    p->n1 = sample_size(s, legal ? 20.0 : 10.0, legal ? 8.0 : 10.0, N1);
    p->n0 = sample_size(s, legal ? 100.0 : 10.0, legal ? 7.0 : 10.0, N0);
}

iv_recall_population iv_recall_realisation(iv_recall_scenario scenario, uint64_t seed,
                                           uint64_t i)
{
    iv_stream s = iv_stream_start(seed, IV_FOR_STUDY, (uint64_t)scenario << 40 | i);

    /* Draws that make no sense (nothing retrieved, all retrieved, more relevant
     * than documents) are rare and drawn again. */
    for (;;) {
        const double N = draw_population(&s, scenario), pi = draw_prevalence(&s, scenario);
        const double recall = scenario == IV_SCENARIO_LEGAL
                                  ? 0.0025 * pow(uniform(&s, 1.0, 34.0), 1.65)
                                  : uniform(&s, 0.1, 1.0);
        const double R = rint(N * pi), R1 = fmin(R, rint(N * pi * recall));
        const double least = floor_of_precision(scenario, pi, R1 / N);
        const double most = scenario == IV_SCENARIO_NEUTRAL ? 1.0 : 0.92;
        const double precision = uniform(&s, fmin(least, most), most);
        const double N1 = rint(R1 / precision);
        iv_recall_population p = { (int64_t)N1, (int64_t)R1, 0, (int64_t)(N - N1),
                                   (int64_t)(R - R1), 0, false };
        if (R1 < 1.0 || p.N0 < 1 || p.R0 > p.N0 || p.R1 > p.N1)
            continue;
        draw_samples(&p, &s, scenario);
        return p;
    }
}
