/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the default intervals: rows, progress, and replicates.
 *
 * Replicates are cut into a fixed number of blocks, each run by one thread in
 * the order of its replicates; blocks are added up in their order.  So sums of
 * widths do not depend on the threads.
 */
#include "study/coverage_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"

struct iv_coverage {
    iv_covered *row;
    size_t rows, room;
    bool no_memory;
    iv_progress progress;
    size_t part, parts, step, steps;
};

const char *const *iv_coverage_part_names(void)
{
    static const char *const names[] = { "eval", "compare", "recall", "prf", "sample", "plan",
                                         NULL };

    return names;
}

const double *iv_coverage_levels(void)
{
    static const double levels[IV_COVERAGE_LEVELS] = { 0.80, 0.90, 0.95, 0.99 };

    return levels;
}

size_t iv_coverage_size(const iv_coverage_options *o, size_t full)
{
    return o->quick ? (full + 19) / 20 : full;
}

/* --------------------------------------------------------------- progress -- */

static int report(void *user, double fraction)
{
    const iv_coverage *c = user;
    const double steps = c->steps > 0 ? (double)c->steps : 1.0;

    if (c->progress.report != NULL)
        c->progress.report(c->progress.user, ((double)c->part
            + fmin(1.0, ((double)c->step + fraction) / steps)) / (double)c->parts);
    return 0;
}

iv_progress iv_coverage_progress(iv_coverage *c)
{
    return (iv_progress){ report, c };
}

void iv_coverage_steps(iv_coverage *c, size_t steps)
{
    c->step = 0;
    c->steps = steps;
}

void iv_coverage_step_done(iv_coverage *c)
{
    c->step++;
    report(c, 0.0);
}

/* ------------------------------------------------------------------- rows -- */

void iv_coverage_put_row(iv_coverage *c, const iv_covered *row)
{
    if (c->rows == c->room) {
        const size_t room = 2 * c->room + 64;
        iv_covered *more = realloc(c->row, room * sizeof *more);
        if (more == NULL) {
            c->no_memory = true;
            return;
        }
        c->row = more;
        c->room = room;
    }
    c->row[c->rows++] = *row;
}

void iv_coverage_put(iv_coverage *c, iv_covered name, const iv_tally *t)
{
    const double n = (double)t->intervals;

    name.replicates = t->intervals + t->gaps;
    name.without = (double)t->gaps / (double)name.replicates;
    name.least = NAN;
    for (size_t k = 0; k < IV_COVERAGE_LEVELS && t->intervals > 0; k++) {
        name.nominal = iv_coverage_levels()[k];
        name.below = (double)t->below[k] / n;
        name.above = (double)t->above[k] / n;
        name.coverage = (double)(t->intervals - t->below[k] - t->above[k]) / n;
        name.se = sqrt(fmax(0.0, name.coverage * (1.0 - name.coverage)) / n);
        name.width = t->width[k] / n;
        iv_coverage_put_row(c, &name);
    }
}

void iv_tally_put(iv_tally *t, size_t level, double lower, double upper, double truth)
{
    /* A truth that equals a limit but for rounding is held. */
    const double slack = isfinite(truth) ? 1e-12 * fmax(1.0, fabs(truth)) : 0.0;

    t->intervals += level == 0;
    t->below[level] += truth < lower - slack;
    t->above[level] += truth > upper + slack;
    t->width[level] += upper - lower;
}

static void add_up(iv_tally *sum, const iv_tally *t)
{
    sum->intervals += t->intervals;
    sum->gaps += t->gaps;
    for (size_t k = 0; k < IV_COVERAGE_LEVELS; k++) {
        sum->below[k] += t->below[k];
        sum->above[k] += t->above[k];
        sum->width[k] += t->width[k];
    }
}

/* ------------------------------------------------------------- replicates -- */

enum { BLOCKS = 64 };

/* One block on the memory of a thread. */
static int run_block(iv_tally *tallies, const iv_experiment *e, uint32_t study, uint64_t seed,
                     size_t block, void *work, iv_err *err)
{
    const size_t from = e->replicates * block / BLOCKS, to = e->replicates * (block + 1) / BLOCKS;
    int rc = IV_OK;

    for (size_t r = from; r < to && rc == IV_OK; r++) {
        iv_stream stream = iv_stream_start(seed, IV_FOR_STUDY,
                                           (uint64_t)1 << 62 | (uint64_t)study << 40 | r);
        rc = e->replicate(tallies, e->user, work, r, &stream, err);
    }
    return rc;
}

int iv_experiment_run(iv_tally *out, const iv_experiment *e, uint32_t study, iv_coverage *c,
                      const iv_coverage_options *o, iv_err *err)
{
    iv_tally *tallies = calloc(BLOCKS * e->tallies, sizeof *tallies);
    iv_err first = { 0 };
    size_t failed = BLOCKS, done = 0;

    if (tallies == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
#pragma omp parallel num_threads(iv_threads(o->threads))
    {
        void *work = e->work_new(e->user);
#pragma omp for schedule(dynamic, 1)
        for (size_t b = 0; b < BLOCKS; b++) {
            iv_err mine = { 0 };
            const int rc = work == NULL ? iv_fail(&mine, IV_ENOMEM, "out of memory")
                : run_block(tallies + b * e->tallies, e, study, o->seed, b, work, &mine);
#pragma omp critical(iv_experiment)
            {
                done++;
                if (rc != IV_OK && b < failed) {
                    failed = b;
                    first = mine;
                }
                report(c, (double)done / BLOCKS);
            }
        }
        e->work_free(work);
    }
    memset(out, 0, e->tallies * sizeof *out);
    for (size_t i = 0; i < BLOCKS * e->tallies; i++)
        add_up(&out[i % e->tallies], &tallies[i]);
    free(tallies);
    return failed == BLOCKS ? IV_OK : iv_fail_as(err, &first);
}

/* -------------------------------------------------------------------- run -- */

static bool same_case(const iv_covered *a, const iv_covered *b)
{
    return a->part == b->part && strcmp(a->interval, b->interval) == 0
        && strcmp(a->data, b->data) == 0 && strcmp(a->setting, b->setting) == 0;
}

/* The levels of a case one after the other, cases as they first came. */
static int sort_rows(iv_coverage *c, iv_err *err)
{
    iv_covered *sorted = malloc((c->rows + 1) * sizeof *sorted);
    size_t n = 0;

    if (sorted == NULL || c->no_memory) {
        free(sorted);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    for (size_t i = 0; i < c->rows; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = same_case(&c->row[i], &c->row[j]);
        for (size_t j = i; j < c->rows && !seen; j++)
            if (same_case(&c->row[i], &c->row[j]))
                sorted[n++] = c->row[j];
    }
    free(c->row);
    c->row = sorted;
    return IV_OK;
}

typedef int part_maker(iv_coverage *c, const iv_coverage_options *o, iv_err *err);

int iv_coverage_run(iv_coverage **out, const iv_coverage_options *options, iv_err *err)
{
    static part_maker *const makers[IV_COVERAGE_PARTS] = {
        iv_coverage_eval, iv_coverage_compare, iv_coverage_recall, iv_coverage_prf,
        iv_coverage_sample, iv_coverage_plan };
    iv_coverage *c = calloc(1, sizeof *c);
    int rc = c == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (int k = 0; k < IV_COVERAGE_PARTS && rc == IV_OK; k++)
        c->parts += options->wanted[k];
    for (int k = 0; k < IV_COVERAGE_PARTS && rc == IV_OK; k++) {
        if (!options->wanted[k])
            continue;
        c->progress = options->progress;
        iv_coverage_steps(c, 1);
        rc = makers[k](c, options, err);
        c->part++;
    }
    if (rc == IV_OK)
        rc = sort_rows(c, err);
    if (rc != IV_OK) {
        iv_coverage_free(c);
        return rc;
    }
    *out = c;
    return IV_OK;
}

void iv_coverage_free(iv_coverage *c)
{
    if (c == NULL)
        return;
    free(c->row);
    free(c);
}

size_t iv_coverage_rows(const iv_covered **out, const iv_coverage *c)
{
    *out = c->row;
    return c->rows;
}
