/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study machine, documents sampled in every topic: do intervals from rectified labels hold, and how
 * wide are they beside people's own?  Topics are drawn with replacement, each with a sample of its
 * own; the estimates are those that an evaluation of a sample makes.
 */
#include "study/machine_documents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "study/study_columns.h"

enum { COMBINED, PEOPLE, METHODS, LEVEL = 0, DIFFERENCE, THESE, KINDS, MEASURES = IV_DOCUMENT_MEASURES,
       RESAMPLES = 1000, PURPOSE = 0x6d64 };

static const char *const methods[] = { "combined", "people" };
static const char *const kinds[] = { "level", "difference", "these" };

typedef struct row {
    const char *judge, *measure, *kind, *weights, *method;
    size_t documents, topics, draws;
    double shown, coverage, se, with_refused, width, ratio, bias, rms;
} row;

const iv_field iv_machine_document_fields[] = {
    { "judge", IV_AT(row, judge), .about = "a machine, or the first one shuffled or inverted" },
    { "measure", IV_AT(row, measure), .about = "P@10, nDCG@10, AP or R@100, in the frame" },
    { "kind", IV_AT(row, kind),
      .about = "the mean of a run, the difference of two, or the mean over these topics" },
    { "weights", IV_AT(row, weights), .about = "uniform, or sample's with the machine's labels" },
    { "documents", IV_AT(row, documents), .about = "that people judge, a topic" },
    { "topics", IV_AT(row, topics), .about = "drawn with replacement, each with a sample" },
    { "method", IV_AT(row, method), .about = "with the machine, or people's sample alone" },
    { "draws", IV_AT(row, draws), .about = "samples" },
    { "shown", IV_AT(row, shown), .digits = 4, .about = "share of them that have an interval" },
    { "coverage", IV_AT(row, coverage), .digits = 4,
      .about = "share of intervals that hold the mean over all topics (or these)" },
    { "se", IV_AT(row, se), .digits = 4, .about = "of that share" },
    { "with_refused", IV_AT(row, with_refused), .digits = 4,
      .about = "the share, if a draw without interval is a miss" },
    { "width", IV_AT(row, width), .digits = 4, .about = "mean of upper - lower" },
    { "ratio", IV_AT(row, ratio), .digits = 3, .about = "of the width to people's" },
    { "bias", IV_AT(row, bias), .digits = 4, .about = "mean of value - truth" },
    { "rms", IV_AT(row, rms), .digits = 4, .about = "root mean squared error" },
    { NULL } };

typedef struct tally {
    size_t draws, shown, held;
    double width, bias, squares;
} tally;

typedef struct experiment {
    const iv_study_machine_question *q;
    iv_framed_collection c;
    iv_arena memory;
    int64_t usual_topics;
    iv_integers documents, topics;
    size_t draws;
    double confidence;
    uint64_t seed;
    iv_steps steps;
    row *rows;
} experiment;

/* A cell: who labels, how documents are drawn, how many of how many topics. */
typedef struct cell {
    size_t judge, documents, topics;
    bool weighted;
    iv_scheme **schemes; /* of the collection's topics */
    size_t **order;      /* documents as the scheme has them */
} cell;

/* What a thread works with: a place may be taken by any topic. */
typedef struct bench {
    const experiment *x;
    size_t *which;                /* the topic in each place */
    iv_rectified by[METHODS];
    const double **traits[METHODS];
    int32_t **grade;
    uint32_t **bucket;
    size_t *taken;
    double *change, *u, *pi, *sums;
    uint32_t *drawn;
    double *value[METHODS];       /* of two runs and their difference: 3 x topics */
    double noise[METHODS];        /* variance of the sampling, sum over topics, of the first run */
    double too_low[METHODS][2], too_high[METHODS][2]; /* of two runs, mean over topics */
    iv_discounts discounts;
} bench;

/* --------------------------------------------------------------- a sample -- */

typedef struct weighted { double weight; size_t at; } weighted;

static int by_weight(const void *va, const void *vb)
{
    const weighted *a = va, *b = vb;

    return a->weight != b->weight ? (a->weight < b->weight ? 1 : -1)
                                  : (a->at > b->at) - (a->at < b->at);
}

static void end_scheme(void *s) { iv_scheme_free(s); }

static int make_schemes(cell *c, const experiment *x, iv_arena *own, iv_err *err)
{
    const iv_framed_collection *from = &x->c;

    c->schemes = iv_take(own, from->topic_count, sizeof *c->schemes);
    c->order = iv_take(own, from->topic_count, sizeof *c->order);
    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < from->topic_count; t++) {
        const iv_framed_topic *f = &from->topics[t];
        const size_t draws = c->documents < f->count ? c->documents : f->count;
        weighted *w = iv_take(own, f->count, sizeof *w);
        double *weight = iv_take(own, f->count, sizeof *weight);
        c->order[t] = iv_take(own, f->count, sizeof **c->order);
        IV_TRY(iv_taken(own, err));
        for (size_t d = 0; d < f->count; d++)
            w[d] = (weighted){ c->weighted ? f->share[c->judge][d] : 1.0, d };
        qsort(w, f->count, sizeof *w, by_weight);
        for (size_t d = 0; d < f->count; d++) {
            c->order[t][d] = w[d].at;
            weight[d] = w[d].weight;
        }
        if (c->weighted)
            IV_TRY(iv_scheme_stevens_of(&c->schemes[t], weight, f->count, draws, err));
        else
            IV_TRY(iv_scheme_strata(&c->schemes[t], &f->count, &draws, 1, err));
        (void)iv_own(own, c->schemes[t], end_scheme);
        IV_TRY(iv_taken(own, err));
    }
    return IV_OK;
}

/* Puts a sample of a topic into a place. */
static void draw_place(bench *b, const cell *c, size_t place, size_t topic, iv_stream *stream)
{
    const iv_framed_collection *from = &b->x->c;
    const iv_framed_topic *f = &from->topics[topic];
    const iv_scheme *scheme = c->schemes[topic];
    const size_t buckets = iv_scheme_buckets(scheme);
    size_t first = 0, *which = b->taken + buckets;
    double *pi = b->by[COMBINED].topics[place].pi;

    b->which[place] = topic;
    b->traits[COMBINED][place] = f->machine[c->judge];
    b->traits[PEOPLE][place] = f->traits;
    for (size_t k = 0; k < METHODS; k++)
        b->by[k].topics[place].count = b->by[k].topics[place].framed = f->count;
    iv_scheme_draw(b->taken, scheme, stream);
    for (size_t k = 0; k < buckets; k++) {
        const iv_bucket *x = iv_scheme_bucket(scheme, k);
        for (size_t i = 0; i < x->size; i++) {
            const size_t d = c->order[topic][first + i];
            pi[d] = x->pi;
            b->bucket[place][d] = (uint32_t)k;
            b->grade[place][d] = -1;
        }
        (void)iv_draw_subset(stream, which, b->taken[k], x->size);
        for (size_t i = 0; i < b->taken[k]; i++) {
            const size_t d = c->order[topic][first + which[i]];
            b->grade[place][d] = f->grade[d];
        }
        first += x->size;
    }
    memcpy(b->by[PEOPLE].topics[place].pi, pi, f->count * sizeof *pi);
}

/* Levels are the grades that were seen, as in an evaluation. */
static void see_levels(bench *b, size_t topics)
{
    const iv_framed_collection *c = &b->x->c;
    size_t n = 0;

    for (size_t h = 0; h < c->grades; h++) {
        bool seen = false;
        for (size_t k = 0; k < topics && !seen; k++)
            for (size_t d = 0; d < b->by[0].topics[k].count && !seen; d++)
                seen = b->grade[k][d] == c->grade[h];
        if (seen)
            b->by[COMBINED].grade[n] = b->by[PEOPLE].grade[n] = c->grade[h], n++;
    }
    for (size_t k = 0; k < METHODS; k++) {
        b->by[k].levels = n;
        b->by[k].topic_count = topics;
    }
}

/* -------------------------------------------------------------- estimates -- */

/* The variance of the sampling, as eval has it, of a value that changes so. */
static double noise_of(bench *b, const cell *c, const iv_rectified *l, size_t place,
                       const iv_document_value *v)
{
    const iv_rectified_topic *t = &l->topics[place];
    const iv_scheme *scheme = c->schemes[b->which[place]];
    iv_estimate e = { .value = v->value };
    size_t n = 0;

    if (v->levels == 0)
        return 0.0;
    for (size_t d = 0; d < t->count; d++) {
        if (b->grade[place][d] < 0)
            continue;
        b->u[n] = 0.0;
        b->pi[n] = t->pi[d];
        b->drawn[n] = b->bucket[place][d];
        for (size_t h = 0; h < v->levels; h++)
            b->u[n] += b->change[h * t->count + d]
                * ((b->grade[place][d] >= l->grade[v->first + h] ? 1.0 : 0.0)
                   - t->p[(v->first + h) * t->count + d]);
        n++;
    }
    const double sampled = iv_scheme_variance(scheme, b->u, &(iv_drawn_set){ b->pi, b->drawn, n },
                                              b->sums);
    iv_rectified_interval(&e, t, b->change, v->first, v->levels, sampled, IV_RECTIFIED_TOP, 0.0,
                          b->x->confidence);
    return e.variance;
}

/* The value of one of two runs in a place. */
static bool value_of(iv_document_value *out, bench *b, const cell *c, size_t way, size_t measure,
                     size_t run, size_t place, size_t which)
{
    const iv_framed_collection *from = &b->x->c;
    const iv_labelled_ranking *r = from->rankings + b->which[place] + run * from->topic_count;

    if (!iv_document_value_of(out, b->change, measure, &b->by[way], place, from->level, r,
                              &b->discounts))
        return false;
    b->too_low[way][which] += out->too_low / (double)c->topics;
    b->too_high[way][which] += out->too_high / (double)c->topics;
    return true;
}

static int estimate(bench *b, const cell *c, size_t measure, size_t one, size_t two, iv_err *err)
{
    const size_t T = c->topics;

    memset(b->too_low, 0, sizeof b->too_low);
    memset(b->too_high, 0, sizeof b->too_high);
    for (size_t k = 0; k < METHODS; k++) {
        b->noise[k] = 0.0;
        for (size_t place = 0; place < T; place++) {
            iv_document_value v, w;
            if (!value_of(&w, b, c, k, measure, two, place, 1)
                || !value_of(&v, b, c, k, measure, one, place, 0)) /* its change is used below */
                return iv_no_memory(err);
            b->value[k][place] = v.value;
            b->value[k][T + place] = w.value;
            b->value[k][2 * T + place] = v.value - w.value;
            b->noise[k] += noise_of(b, c, &b->by[k], place, &v);
        }
    }
    return IV_OK;
}

static void count(tally *t, bool refused, double value, double lower, double upper, double truth)
{
    t->draws++;
    t->bias += value - truth;
    t->squares += (value - truth) * (value - truth);
    if (refused || !isfinite(lower) || !isfinite(upper))
        return;
    t->shown++;
    /* Runs that find the same differ by nothing, and an interval of no width may miss it by rounding. */
    t->held += lower - 1e-12 <= truth && truth <= upper + 1e-12;
    t->width += upper - lower;
}

/* As in an evaluation: few documents tell, with a machine, of sums only; and where few relevant
 * ones are found nothing has an interval. */
static bool is_refused(const bench *b, const cell *c, size_t way, size_t measure)
{
    const iv_rectified *l = &b->by[way];

    return (way == COMBINED && measure > 0 && c->documents < 15)
        || iv_rectified_few(l, measure == 1 ? 0 : iv_rectified_level(l, b->x->c.level));
}

static double mean_of(const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return sum / (double)n;
}

/* Intervals of one measure of the runs drawn. */
static int look(tally *t, const bench *b, const cell *c, size_t measure, size_t one, size_t two,
                iv_err *err)
{
    const iv_framed_collection *from = &b->x->c;
    const size_t T = c->topics, K = from->topic_count;
    const double *a = from->truth + (measure * from->in.count + one) * K;
    const double *z = from->truth + (measure * from->in.count + two) * K;
    const double truth = mean_of(a, K), less = mean_of(z, K);
    const double reach = iv_reach_of_these(true, T, b->x->confidence);
    const double *const samples[] = { b->value[COMBINED], b->value[PEOPLE] };
    const iv_interval_method how[] = { IV_INTERVAL_AUTO, IV_INTERVAL_AUTO };
    iv_mean_interval level[METHODS];
    double here = 0.0;

    IV_TRY(iv_mean_intervals(level, samples, how, METHODS, T,
                             &(iv_resampling){ b->x->confidence, RESAMPLES },
                             &(iv_work){ .threads = 1 }, err));
    for (size_t k = 0; k < T; k++)
        here += a[b->which[k]] / (double)T;
    for (size_t k = 0; k < METHODS; k++) {
        tally *to = t + (k * MEASURES + measure) * KINDS;
        iv_two_phase d;
        const bool refused = is_refused(b, c, k, measure);
        const double mean = level[k].mean, second = mean_of(b->value[k] + T, T);
        const double se = sqrt(b->noise[k]) / (double)T;
        const iv_doubt x = iv_doubt_of(mean, b->too_low[k][0], b->too_high[k][0], measure == 3);
        const iv_doubt y = iv_doubt_of(second, b->too_low[k][1], b->too_high[k][1], measure == 3);
        count(&to[LEVEL], refused, mean, level[k].lower - x.too_high, level[k].upper + x.too_low,
              truth);
        count(&to[THESE], refused, mean, mean - reach * se - x.too_high,
              mean + reach * se + x.too_low, here);
        if (one == two
            || iv_two_phase_mean(&d, NULL,
                                 &(iv_two_phase_data){ b->value[k] + 2 * T, T, NULL, 0, T },
                                 &(iv_two_phase_options){ .confidence = b->x->confidence },
                                 NULL) != IV_OK)
            continue;
        iv_doubt_difference(&d.lower, &d.upper, &x, &y);
        count(&to[DIFFERENCE], refused, d.value, d.lower, d.upper, truth - less);
    }
    return IV_OK;
}

/* ----------------------------------------------------------------- a cell -- */

static void bench_end(void *memory)
{
    bench *b = memory;

    free(b->discounts.sum);
}

static void *bench_new(iv_arena *own, void *user)
{
    const experiment *x = user;
    const size_t most = x->c.most + 1, levels = x->c.grades + 1;
    bench *b = iv_own(own, iv_take(own, 1, sizeof *b), bench_end);
    size_t T = 0;

    for (size_t i = 0; i < x->topics.count; i++)
        T = (size_t)x->topics.at[i] > T ? (size_t)x->topics.at[i] : T;
    if (b == NULL)
        return NULL;
    *b = (bench){ .x = x, .which = iv_take(own, T, sizeof *b->which),
                  .grade = iv_take(own, T, sizeof *b->grade),
                  .bucket = iv_take(own, T, sizeof *b->bucket),
                  .taken = iv_take(own, 2 * most + 2, sizeof *b->taken),
                  .change = iv_take(own, most * levels, sizeof *b->change),
                  .u = iv_take(own, most, sizeof *b->u), .pi = iv_take(own, most, sizeof *b->pi),
                  .sums = iv_take(own, most, sizeof *b->sums),
                  .drawn = iv_take(own, most, sizeof *b->drawn) };
    for (size_t k = 0; k < METHODS; k++) {
        b->traits[k] = iv_take(own, T, sizeof **b->traits);
        b->value[k] = iv_take(own, 3 * T, sizeof **b->value);
        b->by[k].topics = iv_take(own, T, sizeof *b->by[k].topics);
        for (size_t t = 0; t < T && !own->failed; t++)
            if (iv_rectified_room(&b->by[k].topics[t], own, most, 0, levels, NULL) != IV_OK)
                break;
    }
    for (size_t t = 0; t < T && !own->failed; t++) {
        b->grade[t] = iv_take(own, most, sizeof **b->grade);
        b->bucket[t] = iv_take(own, most, sizeof **b->bucket);
    }
    return own->failed ? NULL : b;
}

static int one_draw(tally *t, bench *b, const cell *c, size_t number, size_t draw, iv_err *err)
{
    const experiment *x = b->x;
    const size_t widths[] = { x->c.width[c->judge], IV_RANK_TRAITS }, runs = x->c.in.count;
    iv_stream s = iv_stream_start(x->seed, PURPOSE, (uint64_t)number << 32 | draw);
    const size_t one = (size_t)iv_draw_below(&s, runs);
    size_t two = runs > 1 ? (size_t)iv_draw_below(&s, runs - 1) : one;

    two += runs > 1 && two >= one;
    for (size_t k = 0; k < c->topics; k++)
        draw_place(b, c, k, (size_t)iv_draw_below(&s, x->c.topic_count), &s);
    see_levels(b, c->topics);
    for (size_t k = 0; k < METHODS; k++)
        IV_TRY(iv_rectified_make(&b->by[k], &(iv_rectified_known){
            widths[k], b->traits[k], (const int32_t *const *)b->grade }, err));
    for (size_t m = 0; m < MEASURES; m++) {
        IV_TRY(estimate(b, c, m, one, two, err));
        IV_TRY(look(t, b, c, m, one, two, err));
    }
    return IV_OK;
}

static row row_of(const experiment *x, const cell *c, const tally *all, size_t method,
                  size_t measure, size_t kind)
{
    const tally *t = all + (method * MEASURES + measure) * KINDS + kind;
    const tally *people = all + (PEOPLE * MEASURES + measure) * KINDS + kind;
    const double shown = (double)t->shown, draws = (double)t->draws;
    const double share = (double)t->held / shown;

    return (row){ .judge = x->c.by.name[c->judge], .measure = iv_document_measures[measure],
                  .kind = kinds[kind], .weights = c->weighted ? "machine" : "uniform",
                  .method = methods[method], .documents = c->documents, .topics = c->topics,
                  .draws = t->draws, .shown = shown / draws, .coverage = share,
                  .se = sqrt(share * (1.0 - share) / shown),
                  .with_refused = (double)t->held / draws, .width = t->width / shown,
                  .ratio = t->width / shown / (people->width / (double)people->shown),
                  .bias = t->bias / draws, .rms = sqrt(t->squares / draws) };
}

static int one_cell(void *user, void *memory, size_t i, iv_err *err)
{
    experiment *x = user;
    const size_t sizes = x->documents.count * x->topics.count;
    cell c = { .judge = i / sizes / 2, .weighted = i / sizes % 2 == 1,
               .documents = (size_t)x->documents.at[i % x->documents.count],
               .topics = (size_t)x->topics.at[i / x->documents.count % x->topics.count] };
    tally t[METHODS * MEASURES * KINDS] = { { 0 } };
    iv_arena own = { 0 };
    int rc = make_schemes(&c, x, &own, err);

    /* Judges share topics and, drawn uniformly, samples. */
    for (size_t d = 0; d < x->draws && rc == IV_OK; d++) {
        rc = one_draw(t, memory, &c, i % (2 * sizes), d, err);
        rc = rc == IV_OK ? iv_step(&x->steps, err) : rc;
    }
    row *to = x->rows + i * METHODS * MEASURES * KINDS;
    for (size_t m = 0; m < MEASURES; m++)
        for (size_t kind = 0; kind < KINDS; kind++)
            for (size_t k = 0; k < METHODS; k++)
                *to++ = row_of(x, &c, t, k, m, kind);
    iv_arena_free(&own);
    return rc;
}

/* -------------------------------------------------------------------- all -- */

static int answer(experiment *x, iv_result *out, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_framed_collection_read(&x->c, &x->memory, out, x->q, work, err));
    x->usual_topics = (int64_t)x->c.topic_count;
    x->topics = x->q->topics.count > 0 ? x->q->topics : (iv_integers){ &x->usual_topics, 1 };
    const size_t cells = x->c.by.count * 2 * x->documents.count * x->topics.count;
    const size_t each = METHODS * MEASURES * KINDS;
    x->rows = iv_take(&x->memory, cells * each, sizeof *x->rows);
    IV_TRY(iv_taken(&x->memory, err));
    x->steps = (iv_steps){ .work = work, .total = (double)(cells * x->draws) };
    IV_TRY(iv_parallel(&(iv_loop){ cells, one_cell, x, bench_new },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    const row *worst = NULL;
    double sum = 0.0;
    size_t kept = 0, of = 0;
    for (size_t i = 0; i < cells * each; i++) {
        if (x->rows[i].draws == 0)
            continue; /* no second run */
        x->rows[kept] = x->rows[i];
        const row *r = &x->rows[kept++];
        if (r->method != methods[COMBINED] || r->kind == kinds[THESE] || !(r->shown > 0.0))
            continue;
        sum += r->coverage;
        of++;
        worst = worst == NULL || r->coverage < worst->coverage ? r : worst;
    }
    if (worst != NULL)
        iv_result_answer(out, "Combined intervals hold the mean over all topics in %.3f of draws on "
                         "average over %zu cells; least %.3f (%s, %s, %s, %s, %zu documents a topic).",
                         sum / (double)of, of, worst->coverage, worst->judge, worst->measure,
                         worst->kind, worst->weights, worst->documents);
    (void)iv_result_rows(out, &(iv_rows){ "documents", iv_machine_document_fields, x->rows, kept,
                                          sizeof *x->rows });
    return iv_result_status(out, err);
}

int iv_study_machine_documents(iv_result *out, const iv_study_machine_question *q,
                               const iv_work *work, iv_err *err)
{
    experiment x = { .q = q, .documents = q->documents, .draws = q->draws > 0 ? q->draws : 2000,
                     .confidence = q->confidence == 0.0 ? 0.95 : q->confidence,
                     .seed = iv_work_seed(work) };
    const int rc = q->measures.count > 0
        ? iv_fail(err, IV_EARG, "of sampled documents P@10, nDCG@10, AP and R@100 are studied, and "
                  "no measures may be given")
        : answer(&x, out, work, err);

    iv_framed_collection_free(&x.c);
    iv_arena_free(&x.memory);
    return rc;
}
