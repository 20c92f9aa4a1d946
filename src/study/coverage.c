/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage of the default intervals: rows, progress, and replicates.
 *
 * Replicates are added up in a fixed number of blocks, and blocks in their order, so
 * that sums of widths do not depend on the threads.
 */
#include "study/coverage_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const *iv_coverage_part_names(void)
{
    static const char *const names[] = { "eval", "compare", "recall", "prf", "sample", "plan",
                                         "overlap", "agree", "roc", "scores", NULL };

    return names;
}

const double *iv_coverage_levels(void)
{
    static const double levels[IV_COVERAGE_LEVELS] = { 0.80, 0.90, 0.95, 0.99 };

    return levels;
}

size_t iv_coverage_size(const iv_coverage *c, size_t full)
{
    return c->o->quick ? (full + 19) / 20 : full;
}

/* --------------------------------------------------------------- progress -- */

static void begin_step(iv_coverage *c)
{
    const double steps = (double)c->steps, parts = (double)c->parts;
    const double from = fmin((double)c->step, steps), to = fmin(from + 1.0, steps);

    (void)iv_work_part(&c->stage, c->whole, ((double)c->part + from / steps) / parts,
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

static iv_covered *add_row(iv_coverage *c, const iv_covered *like)
{
    iv_covered *rows = iv_grow(c->row, &c->room, c->rows + 1, sizeof *rows);

    if (rows == NULL) {
        c->own.failed = true;
        return &c->nowhere; /* the study fails at its end */
    }
    c->row = rows;
    rows[c->rows] = *like;
    return &rows[c->rows++];
}

static iv_covered name_row(iv_coverage_part part, const char *interval, const char *data,
                           const char *setting, va_list words)
{
    iv_covered row = { .part = part, .below = NAN, .above = NAN, .least = NAN, .width = NAN };

    (void)snprintf(row.interval, sizeof row.interval, "%s", interval);
    (void)snprintf(row.data, sizeof row.data, "%s", data);
    (void)vsnprintf(row.setting, sizeof row.setting, setting, words);
    return row;
}

iv_covered *iv_coverage_add(iv_coverage *c, iv_coverage_part part, const char *interval,
                            const char *data, const char *setting, ...)
{
    va_list words;

    va_start(words, setting);
    const iv_covered row = name_row(part, interval, data, setting, words);
    va_end(words);
    return add_row(c, &row);
}

/* The rows of a tally, one a level. */
static void add_levels(iv_coverage *c, iv_covered row, const iv_tally *t)
{
    const double n = (double)t->intervals;

    row.replicates = t->intervals + t->gaps;
    row.without = (double)t->gaps / (double)row.replicates;
    for (size_t k = 0; k < IV_COVERAGE_LEVELS && t->intervals > 0; k++) {
        row.nominal = iv_coverage_levels()[k];
        row.below = (double)t->below[k] / n;
        row.above = (double)t->above[k] / n;
        row.coverage = (double)(t->intervals - t->below[k] - t->above[k]) / n;
        row.se = sqrt(fmax(0.0, row.coverage * (1.0 - row.coverage)) / n);
        row.width = t->width[k] / n;
        (void)add_row(c, &row);
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

typedef struct job {
    const iv_experiment *e;
    uint64_t seed;
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
                                       (uint64_t)1 << 62 | (uint64_t)j->e->number << 40 | r);

    return j->e->replicate(j->tallies + r * j->e->tallies, j->e->user, memory, r, &stream, err);
}

/* Tally number i over n replicates. */
static iv_tally sum_blocks(const job *j, size_t i, size_t n)
{
    enum { BLOCKS = 64 };
    iv_tally all = { 0 };

    for (size_t b = 0; b < BLOCKS; b++) {
        iv_tally sum = { 0 };
        for (size_t r = n * b / BLOCKS; r < n * (b + 1) / BLOCKS; r++)
            add_up(&sum, &j->tallies[r * j->e->tallies + i]);
        add_up(&all, &sum);
    }
    return all;
}

int iv_experiment_run(iv_coverage *c, const iv_experiment *e, iv_err *err, const char *setting,
                      ...)
{
    const size_t n = iv_coverage_size(c, e->replicates);
    iv_arena own = { 0 };
    job j = { e, iv_work_seed(c->whole), iv_take(&own, n * e->tallies, sizeof *j.tallies) };
    int rc = iv_taken(&own, err);

    iv_asking_start(&c->asking, &c->stage.work);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ n, one_replicate, &j, e->memory != NULL ? job_memory : NULL },
                         &c->asking.outer, err);
    for (size_t i = 0; i < e->tallies && rc == IV_OK; i++) {
        const iv_tally t = sum_blocks(&j, i, n);
        va_list words;
        va_start(words, setting);
        add_levels(c, name_row(e->part, e->intervals[i], e->data, setting, words), &t);
        va_end(words);
    }
    iv_arena_free(&own);
    iv_coverage_step_done(c);
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
    iv_covered *sorted = iv_take(&c->own, c->rows, sizeof *sorted);
    size_t n = 0;

    IV_TRY(iv_taken(&c->own, err));
    for (size_t i = 0; i < c->rows; i++)
        c->row[i].held = c->row[i].coverage * (1.0 - c->row[i].without);
    for (size_t i = 0; i < c->rows; i++) {
        bool seen = false;
        for (size_t j = 0; j < i && !seen; j++)
            seen = same_case(&c->row[i], &c->row[j]);
        for (size_t j = i; j < c->rows && !seen; j++)
            if (same_case(&c->row[i], &c->row[j]))
                sorted[n++] = c->row[j];
    }
    memcpy(c->row, sorted, n * sizeof *sorted);
    return IV_OK;
}

static int study_parts(iv_coverage *c, iv_err *err)
{
    static int (*const makers[IV_COVERAGE_PARTS])(iv_coverage *c, iv_err *err) = {
        iv_coverage_eval, iv_coverage_compare, iv_coverage_recall, iv_coverage_prf,
        iv_coverage_sample, iv_coverage_plan, iv_coverage_overlap,
        iv_coverage_agree, iv_coverage_roc, iv_coverage_scores };

    for (int k = 0; k < IV_COVERAGE_PARTS; k++)
        c->parts += c->o->wanted[k];
    for (int k = 0; k < IV_COVERAGE_PARTS; k++) {
        if (!c->o->wanted[k])
            continue;
        iv_coverage_steps(c, 1);
        IV_TRY(makers[k](c, err));
        c->part++;
    }
    return c->rows > 0 ? sort_rows(c, err) : iv_taken(&c->own, err);
}

int iv_coverage_run(iv_coverage **out, const iv_coverage_options *options, const iv_work *work,
                    iv_err *err)
{
    iv_coverage *c = calloc(1, sizeof *c);
    int rc = c == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK) {
        c->o = options;
        c->whole = work;
        rc = study_parts(c, err);
    }
    if (rc == IV_OK)
        *out = c;
    else
        iv_coverage_free(c);
    return rc;
}

void iv_coverage_free(iv_coverage *c)
{
    if (c == NULL)
        return;
    iv_arena_free(&c->own);
    free(c->row);
    free(c);
}

size_t iv_coverage_rows(const iv_covered **out, const iv_coverage *c)
{
    *out = c->row;
    return c->rows;
}
