/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of intervals from sampled judgments, and how often the sign of a
 * difference from few judgments is right: on a simulated collection and on one
 * that is given.
 */
#include <math.h>
#include <stdlib.h>

#include "study/coverage_parts.h"

static iv_simulation_options collection(uint64_t seed, uint32_t runs)
{
    iv_simulation_options o = { 0 };

    o.seed = seed;
    o.documents = 500;
    o.prevalence = 0.05;
    o.least_relevant = 10;
    o.runs = runs;
    o.depth = 100;
    return o;
}

/* ---------------------------------------------------------------- sampling -- */

/*
 * The runs of a collection are estimated from the same samples: a standard
 * error counts samples of topics (or of collections), not runs.
 */
static void put_covers(iv_coverage *c, const iv_sampling_found *s, const char *data,
                       double nominal, size_t replicates)
{
    static const char *const names[] = { "AP of a topic, sampled", "MAP, other topics, sampled",
                                         NULL, "MAP, these topics, sampled" };
    const iv_sampling_cover *x = s->covers;
    const size_t count = s->cover_count, topics = s->collection.topics;

    for (size_t i = 0; i < count; i++) {
        const bool all = x[i].relevant_from == 1 && x[i].relevant_to == SIZE_MAX;
        const double n = (double)(replicates * (x[i].level == IV_LEVEL_TOPIC ? topics : 1));
        iv_covered row = { .part = IV_COVERAGE_SAMPLE, .nominal = nominal, .below = NAN,
                           .above = NAN, .least = NAN };
        if (!all || names[x[i].level] == NULL || x[i].estimator != IV_ESTIMATOR_CORRECTED
            || isnan(x[i].coverage))
            continue;
        row.coverage = x[i].coverage;
        row.se = sqrt(x[i].coverage * (1.0 - x[i].coverage) / n);
        row.width = x[i].width;
        row.without = x[i].without;
        row.replicates = (size_t)n;
        (void)snprintf(row.interval, sizeof row.interval, "%s", names[x[i].level]);
        (void)snprintf(row.data, sizeof row.data, "%s", data);
        (void)snprintf(row.setting, sizeof row.setting, "%zu judgments a topic",
                       x[i].judgments);
        iv_coverage_put_row(c, &row);
    }
}

static int sampling(iv_coverage *c, const iv_coverage_options *o, const char *data,
                    const iv_run *const *runs, size_t count, const iv_sampling *judged,
                    iv_err *err)
{
    int rc = IV_OK;

    for (size_t k = 0; k < IV_COVERAGE_LEVELS && rc == IV_OK; k++) {
        const iv_sampling_study_options s = { .deepest = IV_ZERO,
                                              .replicates = iv_coverage_size(o, 60),
                                              .confidence = iv_coverage_levels()[k] };
        iv_sampling_found found;
        rc = iv_sampling_study_run(&found, runs, count, judged, &s, iv_coverage_work(c), err);
        if (rc == IV_OK) {
            put_covers(c, &found, data, s.confidence, s.replicates);
            iv_sampling_found_free(&found);
        }
        iv_coverage_step_done(c);
    }
    return rc;
}

int iv_coverage_sample(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    const iv_simulation_options options = collection(iv_work_seed(iv_coverage_work(c)), 10);
    iv_made made;
    int rc = iv_made_new(&made, &options, o->quick ? 15 : 50, err);

    if (rc != IV_OK)
        return rc;
    iv_coverage_steps(c, IV_COVERAGE_LEVELS * (o->run_count > 0 ? 2 : 1));
    rc = sampling(c, o, "simulated", (const iv_run *const *)made.runs, made.run_count,
                  made.judged, err);
    if (rc == IV_OK && o->run_count > 0)
        rc = sampling(c, o, "collection", o->runs, o->run_count, o->judged, err);
    iv_made_free(&made);
    return rc;
}

/* -------------------------------------------------------- signs, incomplete -- */

static void put_signs(iv_coverage *c, const iv_judging_study *s, const char *data)
{
    for (size_t k = 0; k < IV_CERTAINTY_BINS; k++) {
        const iv_certainty_bin *b = &s->certainty[k];
        const double n = fmin((double)b->points, (double)s->pairs);
        iv_covered row = { .part = IV_COVERAGE_COMPARE, .nominal = b->confidence, .below = NAN,
                           .above = NAN, .least = NAN, .width = NAN };
        if (b->points == 0)
            continue;
        row.coverage = b->accuracy;
        /* Looks at one pair are far from independent: count pairs. */
        row.se = sqrt(b->accuracy * (1.0 - b->accuracy) / n);
        row.replicates = b->points;
        (void)snprintf(row.interval, sizeof row.interval, "sign of dMAP, --incomplete");
        (void)snprintf(row.data, sizeof row.data, "%s", data);
        (void)snprintf(row.setting, sizeof row.setting, "confidence %.2f to %.2f", b->from,
                       b->to);
        iv_coverage_put_row(c, &row);
    }
}

static int signs(iv_coverage *c, const iv_coverage_options *o, const char *data,
                 const iv_run *const *runs, size_t count, const iv_judgments *judgments,
                 iv_err *err)
{
    const iv_pooled_options pool = { .depth = 100, .level = 1, .judged_topics = true };
    const iv_judging_study_options s = { .prior = { .relevance = 0.5 },
                                         .pairs = iv_coverage_size(o, 120), .trials = 1 };
    iv_judging_study found;
    iv_pooled *pooled = NULL;
    int rc = iv_pooled_new(&pooled, runs, count, judgments, &pool, NULL, err);

    if (rc == IV_OK)
        rc = iv_judging_study_run(&found, pooled, &s, iv_coverage_work(c), err);
    if (rc == IV_OK) {
        put_signs(c, &found, data);
        iv_judging_study_clear(&found);
    }
    iv_pooled_free(pooled);
    iv_coverage_step_done(c);
    return rc;
}

int iv_coverage_signs(iv_coverage *c, const iv_coverage_options *o, iv_err *err)
{
    const iv_simulation_options options = collection(iv_work_seed(iv_coverage_work(c)) + 1, 16);
    iv_made made;
    int rc = iv_made_new(&made, &options, 50, err);

    if (rc != IV_OK)
        return rc;
    rc = signs(c, o, "simulated", (const iv_run *const *)made.runs, made.run_count,
               made.judgments, err);
    if (rc == IV_OK && o->run_count > 0)
        rc = signs(c, o, "collection", o->runs, o->run_count, o->judgments, err);
    iv_made_free(&made);
    return rc;
}
