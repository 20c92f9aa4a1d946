/* SPDX-License-Identifier: Apache-2.0 */
/* Means and differences from people's values of some topics and a machine's of all. */
#include <math.h>
#include <stdlib.h>

#include "estimate/assisted_state.h"
#include "estimate/evaluation_parts.h"
#include "intervale/num.h"
#include "stat/paired/compare_parts.h"

/* Values of one row, or of the difference of two, where all are there: judged ones first. */
typedef struct column {
    double *x, *z[IV_MACHINES_MOST];
    size_t judged, units;
} column;

static bool collect(column *c, const iv_assisted *a, size_t row, size_t less)
{
    const size_t T = a->topics, n = a->view.judged, k = a->view.machines;
    double *room = malloc((n + k * T + 1) * sizeof *room);

    *c = (column){ .x = room };
    for (size_t i = 0; i < k; i++)
        c->z[i] = room != NULL ? room + n + i * T : NULL;
    for (size_t t = 0; room != NULL && t < T; t++) {
        bool there = true;
        double x = t < n ? a->human[row * n + t] : 0.0;
        if (t < n && less != IV_NONE)
            x -= a->human[less * n + t];
        for (size_t i = 0; i < k; i++) {
            const double z = a->values[i][row * T + t]
                - (less != IV_NONE ? a->values[i][less * T + t] : 0.0);
            c->z[i][c->units] = z;
            there = there && isfinite(z);
        }
        if (!there || !isfinite(x))
            continue;
        if (t < n)
            c->x[c->judged++] = x;
        c->units++;
    }
    return room != NULL;
}

static iv_assisted_mean nothing(const char *reason)
{
    const double nan = (double)NAN;

    return (iv_assisted_mean){ .value = nan, .se = nan, .lower = nan, .upper = nan, .p = nan,
        .human = nan, .human_se = nan, .human_lower = nan, .human_upper = nan, .human_p = nan,
        .machine = nan, .effective = nan, .gain = nan, .slope = nan, .rho = nan, .skewness = nan,
        .reason = reason };
}

static void take(iv_assisted_mean *m, const iv_two_phase *x)
{
    m->value = x->value;
    m->se = x->se;
    m->lower = x->lower;
    m->upper = x->upper;
    m->p = x->p;
    m->effective = x->effective;
    m->slope = x->slope[0];
    m->rho = x->rho;
    m->skewness = x->skewness;
    m->alone = x->used == 0;
}

/* Both estimates from the values; people's by Student's t.  noise: of a topic's own value. */
static int estimate(iv_assisted_mean *out, const iv_assisted *a, size_t row, size_t less,
                    bool bounded, double noise, iv_err *err)
{
    const iv_two_phase_options o = { a->confidence, a->how.infer == IV_INFER_THESE, bounded,
                                     noise };
    iv_assisted_mean m = nothing("");
    iv_two_phase both, people;
    column c;

    if (!collect(&c, a, row, less))
        return iv_no_memory(err);
    m.judged = c.judged;
    m.units = c.units;
    const iv_two_phase_data d = { c.x, c.judged, (const double *const *)c.z, a->view.machines,
                                  c.units };
    const iv_two_phase_data alone = { c.x, c.judged, NULL, 0, c.units };
    int rc = iv_two_phase_mean(&both, NULL, &d, &o, NULL);
    if (rc == IV_OK)
        rc = iv_two_phase_mean(&people, NULL, &alone, &o, NULL);
    if (rc != IV_OK) {
        m.reason = "fewer than four topics have people's and the machine's values";
    } else {
        m.machine = 0.0;
        for (size_t t = 0; t < c.units; t++)
            m.machine += c.z[0][t] / (double)c.units;
        take(&m, c.units > c.judged ? &both : &people);
        m.rho = both.rho;
        m.slope = both.slope[0];
        m.human = people.value;
        m.human_se = people.se;
        m.human_lower = people.lower;
        m.human_upper = people.upper;
        m.human_p = people.p;
    }
    free(c.x);
    *out = m;
    return rc == IV_ENOMEM ? iv_no_memory(err) : IV_OK;
}

/* What an evaluation says by itself. */
static void take_mean(iv_assisted_mean *m, const iv_mean *from)
{
    m->value = from->value;
    m->se = from->se;
    m->lower = from->lower;
    m->upper = from->upper;
    m->effective = (double)m->judged;
    m->reason = from->gap == IV_GAP_NONE ? "" : iv_interval_gap_text(from->gap);
}

/* With fewer judged documents a topic only sums over documents have an interval: what divides by
 * the number of relevant ones did not hold (doc/methods/machine.md). */
enum { FEW_DOCUMENTS = 15 };

static void refuse_few(iv_assisted_mean *m, const iv_assisted *a, size_t measure)
{
    const iv_judged_by *judge = iv_judge_view(a->judges[0]);

    if (iv_assisted_is_sum(a, measure) || judge->pairs >= FEW_DOCUMENTS * judge->topics)
        return;
    m->lower = m->upper = m->p = m->se = (double)NAN;
    m->reason = "fewer than 15 judged documents a topic: only P at cut-offs has an interval";
}

/* Room for a bias, as an evaluation of a sample gives it. */
static void make_room(double *lower, double *upper, double value, const iv_doubt *d)
{
    if (isnan(d->too_low))
        *lower = *upper = d->too_low;
    else
        iv_doubt_mean(lower, upper, value, d->too_low, d->too_high);
}

/* The gain, and of a sample its documents. */
static void finish(iv_assisted_mean *m, const iv_assisted *a, size_t measure)
{
    const bool sampled = iv_assisted_values(a, measure) != a->view.human;

    if (sampled)
        refuse_few(m, a, measure);
    m->alone = !sampled && (m->alone || m->units == m->judged);
    m->gain = 1.0 - (m->upper - m->lower) / (m->human_upper - m->human_lower);
    if (sampled)
        m->effective = (double)iv_judge_view(a->judges[0])->pairs * m->human_se * m->human_se
            / (m->se * m->se);
}

static bool of_these(const iv_assisted *a)
{
    return a->how.infer == IV_INFER_THESE && iv_evaluation_view(a->view.human)->sampling != NULL;
}

/*
 * Of these topics, n of them with samples: which were sampled counts in proportion to the others,
 * and what judging all of a topic would remove stays.
 */
static double se_of_these(double se, double se_judgments, const iv_assisted_mean *m)
{
    const double share = (double)m->judged / (double)m->units;

    return sqrt((1.0 - share) * se * se + share * se_judgments * se_judgments);
}

/* Limits of these topics: as an evaluation has them where all were sampled. */
static void limit_these(double *lower, double *upper, double value, double se, bool unit,
                        const iv_assisted *a, const iv_assisted_mean *m)
{
    const bool all = m->units == m->judged;
    const bool learnt = iv_evaluation_view(a->view.human)->estimator == IV_ESTIMATOR_RECTIFIED;
    const double reach = iv_reach_of_these(learnt || !all, m->judged, a->confidence);

    *lower = unit ? fmax(fmin(0.0, value), value - reach * se) : value - reach * se;
    *upper = unit ? fmin(fmax(1.0, value), value + reach * se) : value + reach * se;
}

bool iv_evaluated_bounded(const iv_evaluated_measure *m)
{
    return m->info != NULL && m->info->lowest == 0.0 && m->info->highest == 1.0;
}

int iv_assisted_mean_of(iv_assisted_mean *out, const iv_assisted *a, size_t run, size_t measure,
                        iv_err *err)
{
    const iv_evaluated *v = iv_evaluation_view(a->view.human);
    const iv_evaluated_measure *is = &v->measures[measure];
    const iv_mean *people = &v->means[run * v->measure_count + measure];
    const iv_summary summary = is->info != NULL ? is->info->measure->summary : IV_SUMMARY_MEAN;

    if (is->text || !is->per_topic || !is->overall || summary != IV_SUMMARY_MEAN) {
        *out = nothing("no mean of the topics' values");
        return IV_OK;
    }
    const bool bounded = iv_evaluated_bounded(is);
    const iv_evaluation *from = iv_assisted_values(a, measure);
    const iv_mean *values = &iv_evaluation_view(from)->means[run * v->measure_count + measure];
    const iv_doubt doubt = iv_evaluation_doubt(from, run, measure);
    const double noise = values->se_judgments * values->se_judgments * (double)values->topics;
    iv_assisted_mean m;
    IV_TRY(estimate(&m, a, measure * a->runs + run, IV_NONE, bounded,
                    v->sampling != NULL ? noise : 0.0, err));
    /* Of a population of topics people alone are what an evaluation without machine says. */
    if (a->how.infer == IV_INFER_NEW || v->sampling != NULL) {
        m.human = people->value;
        m.human_se = people->se;
        m.human_lower = people->lower;
        m.human_upper = people->upper;
        if (m.reason[0] == '\0' && (m.alone || m.units == m.judged))
            take_mean(&m, values);
        else
            make_room(&m.lower, &m.upper, m.value, &doubt);
    }
    if (of_these(a) && m.reason[0] == '\0') {
        const iv_doubt own = iv_evaluation_doubt(a->view.human, run, measure);
        m.human_se = se_of_these(people->se, people->se_judgments, &m);
        limit_these(&m.human_lower, &m.human_upper, m.human, m.human_se, bounded, a, &m);
        make_room(&m.human_lower, &m.human_upper, m.human, &own);
        if (m.alone || m.units == m.judged) {
            m.se = se_of_these(values->se, values->se_judgments, &m);
            limit_these(&m.lower, &m.upper, m.value, m.se, bounded, a, &m);
            make_room(&m.lower, &m.upper, m.value, &doubt);
        }
        if (!isfinite(m.lower))
            m.reason = "how much the sampling errs is not known";
    }
    if (isnan(doubt.too_low) && m.reason[0] == '\0')
        m.reason = iv_interval_gap_text(IV_GAP_FEW);
    finish(&m, a, measure);
    *out = m;
    return IV_OK;
}

/* Room for a bias in a difference of the estimates of an evaluation. */
static void doubt_pair(double *lower, double *upper, const iv_evaluation *e, size_t measure,
                       size_t a, size_t b)
{
    const iv_doubt x = iv_evaluation_doubt(e, a, measure), y = iv_evaluation_doubt(e, b, measure);

    iv_doubt_difference(lower, upper, &x, &y);
}

/* Of a sample: people alone are the difference of their own estimates. */
static void take_people(iv_assisted_mean *m, const iv_assisted *s, size_t measure, size_t a,
                        size_t b)
{
    iv_evaluated_difference d;
    const double tail = 0.5 * (1.0 - s->confidence);

    if (iv_evaluation_difference(&d, NULL, NULL, s->view.human, measure, a, b, NULL) != IV_OK)
        return;
    const double df = (double)d.topics - 1.0, reach = iv_t_isf(tail, df) * d.se;
    m->human = d.value;
    m->human_se = d.se;
    m->human_lower = d.value - reach;
    m->human_upper = d.value + reach;
    if (of_these(s)) {
        m->human_se = se_of_these(d.se, d.se_judgments, m);
        limit_these(&m->human_lower, &m->human_upper, d.value, m->human_se, false, s, m);
    }
    doubt_pair(&m->human_lower, &m->human_upper, s->view.human, measure, a, b);
    m->human_p = m->human_se > 0.0 ? 2.0 * iv_t_sf(fabs(d.value) / m->human_se, df) : 1.0;
}

int iv_assisted_difference(iv_assisted_mean *out, const iv_assisted *s, size_t measure, size_t a,
                           size_t b, iv_err *err)
{
    const iv_evaluation *values = iv_assisted_values(s, measure);
    iv_evaluated_difference d = { 0 };
    iv_assisted_mean m;

    if (of_these(s))
        IV_TRY(iv_evaluation_difference(&d, NULL, NULL, values, measure, a, b, err));
    IV_TRY(estimate(&m, s, measure * s->runs + a, measure * s->runs + b, false,
                    d.se_judgments * d.se_judgments * (double)d.topics, err));
    if (values != s->view.human || of_these(s))
        take_people(&m, s, measure, a, b);
    else
        doubt_pair(&m.human_lower, &m.human_upper, s->view.human, measure, a, b);
    doubt_pair(&m.lower, &m.upper, values, measure, a, b);
    if (iv_evaluated_bounded(&iv_evaluation_view(s->view.human)->measures[measure])) {
        iv_possible_difference(&m.lower, &m.upper);
        iv_possible_difference(&m.human_lower, &m.human_upper);
    }
    finish(&m, s, measure);
    *out = m;
    return IV_OK;
}
