/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the default intervals: rows, progress, and replicates.
 *
 * Replicates are added up in a fixed number of blocks, and blocks in their order, so
 * that sums of widths do not depend on the threads.
 */
#include "study/coverage_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct iv_coverage {
    iv_covered *row;
    size_t rows, room;
    bool no_memory;
    const iv_work *work;
    iv_stage stage; /* of a step */
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

const iv_work *iv_coverage_work(const iv_coverage *c) { return &c->stage.work; }

static void begin_step(iv_coverage *c)
{
    const double steps = (double)c->steps, parts = (double)c->parts;
    const double from = fmin((double)c->step, steps), to = fmin(from + 1.0, steps);

    (void)iv_work_part(&c->stage, c->work, ((double)c->part + from / steps) / parts,
                       ((double)c->part + to / steps) / parts);
}

void iv_coverage_steps(iv_coverage *c, size_t steps)
{
    c->step = 0;
    c->steps = steps;
    begin_step(c);
}

void iv_coverage_step_done(iv_coverage *c)
{
    c->step++;
    begin_step(c);
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

typedef struct job {
    const iv_experiment *e;
    uint64_t seed, study;
    iv_tally *tallies; /* replicates x tallies */
} job;

static void *job_memory(iv_arena *own, void *user)
{
    const job *j = user;

    return j->e->memory(own, j->e->user);
}

static int one_replicate(void *user, void *memory, size_t r, iv_err *err)
{
    const job *j = user;
    iv_stream stream = iv_stream_start(j->seed, IV_FOR_STUDY,
                                       (uint64_t)1 << 62 | j->study << 40 | r);

    return j->e->replicate(j->tallies + r * j->e->tallies, j->e->user, memory, r, &stream, err);
}

int iv_experiment_run(iv_tally *out, const iv_experiment *e, uint32_t study, iv_coverage *c,
                      iv_err *err)
{
    const iv_work *work = iv_coverage_work(c);
    const size_t n = e->replicates;
    job j = { e, iv_work_seed(work), study, calloc(n * e->tallies + 1, sizeof *j.tallies) };
    const iv_loop loop = { n, one_replicate, &j, e->memory != NULL ? job_memory : NULL };
    const int rc = j.tallies == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                                     : iv_parallel(&loop, work, err);

    memset(out, 0, e->tallies * sizeof *out);
    for (size_t b = 0; b < BLOCKS && rc == IV_OK; b++) {
        for (size_t i = 0; i < e->tallies; i++) {
            iv_tally sum = { 0 };
            for (size_t r = n * b / BLOCKS; r < n * (b + 1) / BLOCKS; r++)
                add_up(&sum, &j.tallies[r * e->tallies + i]);
            add_up(&out[i], &sum);
        }
    }
    free(j.tallies);
    return rc;
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

int iv_coverage_run(iv_coverage **out, const iv_coverage_options *options, const iv_work *work,
                    iv_err *err)
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
        c->work = work;
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
