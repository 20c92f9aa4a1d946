/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments: replicates on many threads, and rows.  Replicates are added up in their order,
 * so that sums of widths do not depend on the number of threads.
 */
#include "base/memory.h"
#include "base/parallel.h"
#include "study/study.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

size_t iv_study_size(const iv_study *s, size_t full)
{
    if (s->q->replicates > 0)
        return s->q->replicates;
    return s->q->quick ? (full + 19) / 20 : full;
}

double iv_study_alpha(const iv_study *s)
{
    return rint((1.0 - s->confidence) * 1e12) / 1e12;
}

static bool listed(const iv_texts *texts, const char *word, bool whole)
{
    for (size_t i = 0; i < texts->count; i++) {
        const size_t len = strlen(texts->at[i]);
        if (strncmp(texts->at[i], word, len) == 0 && (!whole || word[len] == '\0'))
            return true;
    }
    return texts->count == 0;
}

bool iv_study_wants(const iv_study *s, const char *setting)
{
    return listed(&s->q->settings, setting, false);
}

bool iv_study_wants_method(const iv_study *s, const char *method)
{
    return listed(&s->q->methods, method, true);
}

/* ---------------------------------------------------------------- progress -- */

static void begin_step(iv_study *s)
{
    const double steps = (double)s->steps, from = fmin((double)s->step, steps);

    (void)iv_work_part(&s->stage, s->work, from / steps, fmin(from + 1.0, steps) / steps);
}

void iv_study_steps(iv_study *s, size_t steps)
{
    s->step = 0;
    s->steps = steps;
    begin_step(s);
}

void iv_study_step_done(iv_study *s)
{
    s->step++;
    begin_step(s);
}

/* -------------------------------------------------------------------- rows -- */

static iv_rate *add_row(iv_study *s, const char *quantity, const char *method, const char *data,
                        const char *setting)
{
    static iv_rate nowhere; /* where rows go without memory: the study fails at its end */
    const bool room = IV_ROOM(s->row, s->capacity, s->rows + 1);

    s->own.failed = s->own.failed || !room;
    iv_rate *r = room ? &s->row[s->rows++] : &nowhere;
    *r = (iv_rate){ .study = s->name, .nominal = s->confidence, .se = NAN, .below = NAN,
                    .above = NAN, .least = NAN, .width = NAN, .bias = NAN, .documents = NAN,
                    .replicates = SIZE_MAX };
    (void)snprintf(r->quantity, sizeof r->quantity, "%s", quantity);
    (void)snprintf(r->method, sizeof r->method, "%s", method);
    (void)snprintf(r->data, sizeof r->data, "%s", data);
    (void)snprintf(r->setting, sizeof r->setting, "%s", setting);
    return r;
}

iv_rate *iv_study_row(iv_study *s, const char *quantity, const char *method, const char *data,
                      const char *setting, ...)
{
    char text[IV_STUDY_TEXT];
    va_list words;

    va_start(words, setting);
    (void)vsnprintf(text, sizeof text, setting, words);
    va_end(words);
    return add_row(s, quantity, method, data, text);
}

void iv_tally_interval(iv_tally *t, double estimate, double lower, double upper, double truth)
{
    /* A truth that equals a limit but for rounding is contained. */
    const double slack = isfinite(truth) ? 1e-12 * fmax(1.0, fabs(truth)) : 0.0;

    if (isfinite(estimate)) {
        t->estimates++;
        t->error += estimate - truth;
    }
    if (isnan(lower) || isnan(upper)) {
        t->without++;
        return;
    }
    t->intervals++;
    t->below += truth < lower - slack;
    t->above += truth > upper + slack;
    t->width += upper - lower;
}

void iv_tally_decision(iv_tally *t, bool made, double documents)
{
    t->intervals++;
    t->below += !made;
    t->width += documents;
}

/* squares: sum over replicates of the squared deviation of misses from their expectation. */
static void put_tally(iv_study *s, const iv_experiment *e, size_t m, const iv_tally *t,
                      double squares, const char *setting)
{
    const iv_studied *x = &e->methods[m];
    const double n = (double)t->intervals;

    if (t->intervals + t->without == 0)
        return;
    iv_rate *r = add_row(s, x->quantity, x->method, e->data, setting);
    r->replicates = t->intervals + t->without;
    r->rate = n > 0.0 ? (n - (double)(t->below + t->above)) / n : NAN;
    r->se = sqrt(squares) / n;
    if (x->decides) {
        r->nominal = x->nominal;
        r->documents = t->width > 0.0 ? t->width / n : NAN;
        return;
    }
    r->below = (double)t->below / n;
    r->above = (double)t->above / n;
    r->width = n > 0.0 ? t->width / n : NAN;
    r->bias = t->estimates > 0 ? t->error / (double)t->estimates : NAN;
    r->without = (double)t->without / (double)r->replicates;
}

/* -------------------------------------------------------------- replicates -- */

typedef struct job {
    const iv_experiment *e;
    uint64_t seed, stream;
    iv_tally *tallies; /* replicates x methods */
} job;

iv_study_room *iv_study_room_new(iv_arena *own, const size_t sizes[IV_ROOM_ARRAYS])
{
    iv_study_room *w = iv_take(own, 1, sizeof *w);

    if (w != NULL)
        *w = (iv_study_room){ iv_take(own, sizes[0], sizeof(double)),
                              iv_take(own, sizes[1], sizeof(double)),
                              iv_take(own, sizes[2], sizeof(size_t)),
                              iv_take(own, sizes[3], sizeof(uint32_t)),
                              iv_take(own, sizes[4], sizeof(bool)) };
    return own->failed ? NULL : w;
}

/* A number of 21 bits for the streams of an experiment. */
static uint64_t stream_of(const char *study, const char *data, const char *setting)
{
    const char *const words[] = { study, data, setting };
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < 3; i++) {
        for (const char *c = words[i]; *c != '\0'; c++)
            hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
        hash = (hash ^ 0xff) * UINT64_C(1099511628211);
    }
    return (uint64_t)1 << 62 | (hash >> 43) << 40;
}

static void *job_memory(iv_arena *own, void *user)
{
    const iv_experiment *e = ((const job *)user)->e;

    return e->memory != NULL ? e->memory(own, e->user) : iv_study_room_new(own, e->room);
}

static int one_replicate(void *user, void *memory, size_t r, iv_err *err)
{
    const job *j = user;
    iv_stream stream = iv_stream_start(j->seed, IV_FOR_STUDY, j->stream | r);

    return j->e->replicate(j->tallies + r * j->e->count, j->e->user, memory, &stream, err);
}

static iv_tally add_up(const job *j, size_t method, size_t replicates)
{
    iv_tally sum = { 0 };

    for (size_t r = 0; r < replicates; r++) {
        const iv_tally *t = &j->tallies[r * j->e->count + method];
        sum.intervals += t->intervals;
        sum.without += t->without;
        sum.below += t->below;
        sum.above += t->above;
        sum.estimates += t->estimates;
        sum.width += t->width;
        sum.error += t->error;
    }
    return sum;
}

/* Intervals of one replicate depend on each other: replicates are compared. */
static double deviation(const job *j, size_t method, size_t replicates, const iv_tally *all)
{
    const double miss = (double)(all->below + all->above) / (double)all->intervals;
    double squares = 0.0;

    for (size_t r = 0; r < replicates && all->intervals > 0; r++) {
        const iv_tally *t = &j->tallies[r * j->e->count + method];
        const double d = (double)(t->below + t->above) - miss * (double)t->intervals;
        squares += d * d;
    }
    return squares;
}

int iv_experiment_run(iv_study *s, const iv_experiment *e, iv_err *err, const char *setting, ...)
{
    const size_t n = iv_study_size(s, e->replicates);
    char text[IV_STUDY_TEXT];
    iv_arena own = { 0 };
    va_list words;
    int rc = IV_OK;

    va_start(words, setting);
    (void)vsnprintf(text, sizeof text, setting, words);
    va_end(words);
    if (iv_study_wants(s, text)) {
        job j = { e, iv_work_seed(s->work), stream_of(s->name, e->data, text),
                  iv_take(&own, n * e->count, sizeof *j.tallies) };
        iv_nested_work_start(&s->nested, &s->stage.work);
        rc = iv_taken(&own, err);
        if (rc == IV_OK)
            rc = iv_parallel(&(iv_loop){ n, one_replicate, &j, job_memory }, &s->nested.outer,
                             err);
        for (size_t m = 0; m < e->count && rc == IV_OK; m++) {
            const iv_tally t = add_up(&j, m, n);
            if (iv_study_wants_method(s, e->methods[m].method))
                put_tally(s, e, m, &t, deviation(&j, m, n, &t), text);
        }
    }
    iv_arena_free(&own);
    iv_study_step_done(s);
    return rc;
}
