/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of intervals from sampled judgments, and how often the sign of a
 * difference from few judgments is right: on a simulated collection and on one
 * that is given.
 */
#include <math.h>
#include <stdlib.h>

#include "study/coverage_parts.h"

static iv_simulation_options collection(const iv_coverage *c, uint64_t more, uint32_t runs)
{
    return (iv_simulation_options){ .seed = iv_work_seed(c->whole) + more, .documents = 500,
                                    .prevalence = 0.05, .least_relevant = 10, .runs = runs,
                                    .depth = 100 };
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

    for (size_t i = 0; i < s->cover_count; i++) {
        const iv_sampling_cover *x = &s->covers[i];
        const bool all = x->relevant_from == 1 && x->relevant_to == SIZE_MAX;
        if (!all || names[x->level] == NULL || x->estimator != IV_ESTIMATOR_CORRECTED
            || isnan(x->coverage))
            continue;
        iv_covered *row = iv_coverage_add(c, IV_COVERAGE_SAMPLE, names[x->level], data,
                                          "%zu judgments a topic", x->judgments);
        row->nominal = nominal;
        row->coverage = x->coverage;
        row->replicates = replicates * (x->level == IV_LEVEL_TOPIC ? s->collection.topics : 1);
        row->se = sqrt(x->coverage * (1.0 - x->coverage) / (double)row->replicates);
        row->width = x->width;
        row->without = x->without;
    }
}

static int sampling(iv_coverage *c, const iv_made *of, iv_err *err)
{
    static const int64_t judgments[] = { 20, 40, 60, 100 };

    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        const iv_sampling_study_options s = { .deepest = IV_ZERO,
                                              .judgments = { judgments, 4 },
                                              .replicates = iv_coverage_size(c, 60),
                                              .confidence = iv_coverage_levels()[k] };
        iv_sampling_found found;
        IV_TRY(iv_sampling_study_run(&found, of->runs, of->run_count, of->judged, &s,
                                     &c->stage.work, err));
        put_covers(c, &found, of->data, s.confidence, s.replicates);
        iv_sampling_found_free(&found);
        iv_coverage_step_done(c);
    }
    return IV_OK;
}

int iv_coverage_sample(iv_coverage *c, iv_err *err)
{
    const iv_simulation_options options = collection(c, 0, 10);
    const iv_made given = iv_made_given(c->o);
    iv_made made;

    IV_TRY(iv_made_new(&made, c, &options, c->o->quick ? 15 : 50, err));
    iv_coverage_steps(c, IV_COVERAGE_LEVELS * (given.run_count > 0 ? 2 : 1));
    IV_TRY(sampling(c, &made, err));
    return given.run_count > 0 ? sampling(c, &given, err) : IV_OK;
}

/* -------------------------------------------------------- signs, incomplete -- */

static void put_signs(iv_coverage *c, const iv_judging_study *s, const char *data)
{
    for (size_t k = 0; k < IV_CERTAINTY_BINS; k++) {
        const iv_certainty_bin *b = &s->certainty[k];
        if (b->points == 0)
            continue;
        iv_covered *row = iv_coverage_add(c, IV_COVERAGE_COMPARE, "sign of dMAP, --incomplete",
                                          data, "confidence %.2f to %.2f", b->from, b->to);
        row->nominal = b->confidence;
        row->coverage = b->accuracy;
        /* Looks at one pair are far from independent: count pairs. */
        row->se = sqrt(b->accuracy * (1.0 - b->accuracy)
                       / fmin((double)b->points, (double)s->pairs));
        row->replicates = b->points;
    }
}

static int signs(iv_coverage *c, const iv_made *of, iv_err *err)
{
    const iv_pooled_options pool = { .depth = 100, .level = 1, .judged_topics = true };
    const iv_judging_study_options s = { .prior = { .relevance = 0.5 },
                                         .pairs = iv_coverage_size(c, 120), .trials = 1 };
    iv_judging_study found;
    iv_pooled *pooled = NULL;

    IV_TRY(iv_pooled_new(&pooled, of->runs, of->run_count, of->judgments, &pool, NULL, err));
    const int rc = iv_judging_study_run(&found, pooled, &s, &c->stage.work, err);
    if (rc == IV_OK) {
        put_signs(c, &found, of->data);
        iv_judging_study_clear(&found);
    }
    iv_pooled_free(pooled);
    iv_coverage_step_done(c);
    return rc;
}

int iv_coverage_signs(iv_coverage *c, iv_err *err)
{
    const iv_simulation_options options = collection(c, 1, 16);
    const iv_made given = iv_made_given(c->o);
    iv_made made;

    IV_TRY(iv_made_new(&made, c, &options, 50, err));
    IV_TRY(signs(c, &made, err));
    return given.run_count > 0 ? signs(c, &given, err) : IV_OK;
}
