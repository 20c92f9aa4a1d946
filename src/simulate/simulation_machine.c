/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A machine that labels a simulated collection.  Of the relevant documents it finds the
 * share that makes its kappa with the truth what is asked for, when it calls as many
 * relevant as there are; how many it calls so differs between topics by a factor with
 * mean 1, its drift.  Without drift every method of correcting labels looks good.
 */
#include <math.h>
#include <string.h>

#include "simulate/simulation.h"
#include "num/num_private.h"

static int read_number(double *out, const char **at, const char *name, double low, double high,
                       iv_err *err)
{
    const size_t len = strlen(name), end = strcspn(*at, ",");

    if (strncmp(*at, name, len) != 0 || (*at)[len] != '='
        || !iv_scan_real(out, (iv_str){ *at + len + 1, end - len - 1 }) || !(*out >= low)
        || !(*out <= high))
        return iv_fail(err, IV_EARG, "the judge is '%.40s', expected kappa=K,drift=D with K from "
                       "-1 "
                       "to 1 and D from 0 to 2", *at);
    *at += end + ((*at)[end] == ',');
    return IV_OK;
}

int iv_simulated_judge_read(double *kappa, double *drift, const char *text, iv_err *err)
{
    *kappa = 0.4;
    *drift = 0.45;
    while (*text != '\0')
        IV_TRY(text[0] == 'k' ? read_number(kappa, &text, "kappa", -1.0, 1.0, err)
                              : read_number(drift, &text, "drift", 0.0, 2.0, err));
    return IV_OK;
}

/* A grade from 1: as rare as those of the collection. */
static int32_t any_grade(const iv_simulation *sim, iv_stream *s)
{
    const double u = sim->options.grades > 2 ? iv_draw_uniform(s) : 0.0;
    int32_t g = 1;

    while (g + 1 < (int32_t)sim->options.grades && u >= sim->grade_up_to[g])
        g++;
    return g;
}

void iv_simulated_judge_label(iv_simulated_topic *t, double kappa, double drift)
{
    const iv_simulation *sim = t->simulation;
    iv_stream s = iv_simulation_stream(sim, IV_DRAW_MACHINE, t->topic, 0);
    const double n = sim->options.documents, share = t->relevant / n, d = drift;
    const double factor = d > 0.0 ? iv_draw_gamma(&s, 1.0 / (d * d)) * d * d : 1.0;
    const double all = sim->options.prevalence;
    const double hit = fmin(1.0, fmax(0.0, kappa + (1.0 - kappa) * all));
    const double false_hit = share < 1.0
        ? fmin(1.0, fmax(0.0, share * (factor - hit) / (1.0 - share))) : 0.0;

    for (uint32_t i = 0; i < sim->options.documents; i++) {
        const int32_t y = t->grades[i];
        const double u = iv_draw_uniform(&s), v = iv_draw_uniform(&s);
        if (u >= (y > 0 ? hit : false_hit))
            t->grades[i] = 0;
        else if (y == 0 || v >= hit) /* that it is relevant is seen, how much is not */
            t->grades[i] = any_grade(sim, &s);
    }
}
