/* SPDX-License-Identifier: Apache-2.0 */
/* Simulates topics: relevance, scores of systems, and judgments of people and machines. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "num/draw.h"
#include "num/plain_math.h"
#include "simulate/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A number, the usual one for 0, and 0 for IV_ZERO. */
static double usual(double given, double usually)
{
    return given == 0.0 ? usually : given == IV_ZERO ? 0.0 : given;
}

static uint32_t usual_count(uint32_t given, uint32_t usually)
{
    return given == 0 ? usually : given;
}

static iv_simulation_options resolve(const iv_simulation_options *options)
{
    static const double quality[] = { 2.1, 1.3 };
    iv_simulation_options o = options != NULL ? *options : (iv_simulation_options){ 0 };

    o.seed = o.seed == 0 ? 1 : o.seed;
    o.documents = usual_count(o.documents, 4000);
    o.runs = usual_count(o.runs, 10);
    o.grades = usual_count(o.grades, 2);
    o.depth = usual_count(o.depth, o.documents < 1000 ? o.documents : 1000);
    o.prevalence = usual(o.prevalence, 0.015);
    o.prevalence_spread = usual(o.prevalence_spread, 0.9);
    o.least_relevant = usual_count(o.least_relevant, 1);
    if (o.quality.count == 0)
        o.quality = (iv_reals){ quality, 2 };
    o.similarity = usual(o.similarity, 0.7);
    o.difficulty = usual(o.difficulty, 0.8);
    o.breadth = usual(o.breadth, 0.6);
    o.interaction = usual(o.interaction, 0.33);
    return o;
}

/* ------------------------------------------------------------ checking -- */

static int check_count(const char *what, uint32_t value, uint32_t least, uint32_t most,
                       iv_err *err)
{
    if (value >= least && value <= most)
        return IV_OK;
    return iv_fail(err, IV_EARG, "%s is %u, expected %u to %u", what, value, least, most);
}

/* Written so that NaN fails too. */
static int check_real(const char *what, double value, double least, double most,
                      iv_err *err)
{
    if (value >= least && value <= most)
        return IV_OK;
    return iv_fail(err, IV_EARG, "%s is %g, expected %g to %g", what, value, least, most);
}

static int check_counts(const iv_simulation_options *o, iv_err *err)
{
    IV_TRY(check_count("the number of documents", o->documents, 1, IV_SIMULATED_DOCUMENTS_MAX,
                       err));
    IV_TRY(check_count("the number of runs", o->runs, 1, IV_SIMULATED_RUNS_MAX, err));
    IV_TRY(check_count("the number of grades", o->grades, 2, IV_SIMULATED_GRADES_MAX, err));
    if (o->depth > o->documents)
        return iv_fail(err, IV_EARG, "a depth of %u, but a topic has %u documents",
                       o->depth, o->documents);
    if (o->least_relevant > o->documents)
        return iv_fail(err, IV_EARG, "at least %u relevant documents, but expected 1 "
                       "to %u, the documents of a topic", o->least_relevant,
                       o->documents);
    return IV_OK;
}

static int check_quality(const iv_simulation_options *o, iv_err *err)
{
    if (o->quality.count > 2 && o->quality.count != o->runs)
        return iv_fail(err, IV_EARG, "%zu qualities for %u run%s, expected 1, 2 or one "
                       "for each run", o->quality.count, o->runs, o->runs == 1 ? "" : "s");
    for (size_t i = 0; i < o->quality.count; i++)
        IV_TRY(check_real("a run's quality", o->quality.at[i], -10.0, 10.0, err));
    return IV_OK;
}

static int check_reals(const iv_simulation_options *o, iv_err *err)
{
    IV_TRY(check_real("the standard deviation of the prevalence", o->prevalence_spread, 0.0, 10.0,
                      err));
    IV_TRY(check_real("the similarity of runs", o->similarity, 0.0, 1.0, err));
    IV_TRY(check_real("the standard deviation of the difficulty", o->difficulty, 0.0, 5.0, err));
    IV_TRY(check_real("the breadth", o->breadth, -1.0, 1.0, err));
    IV_TRY(check_real("the standard deviation of the interaction", o->interaction, 0.0, 5.0, err));
    IV_TRY(check_real("the step of tied scores", o->ties, 0.0, 100.0, err));
    if (!(o->prevalence > 0.0 && o->prevalence < 1.0))
        return iv_fail(err, IV_EARG, "the prevalence is %g, expected more than 0 and "
                       "less than 1", o->prevalence);
    if (o->ties > 0.0 && o->ties * IV_SCORE_UNIT < 1.0)
        return iv_fail(err, IV_EARG, "the step of tied scores is %g, expected 0 or at "
                       "least 1e-6", o->ties);
    return IV_OK;
}

/* -------------------------------------------------------- preparations -- */

/*
 * The mean of 1/(1 + exp(-(location + spread z))) over a standard normal z, by
 * the trapezoidal rule, which converges faster than any power of the step.
 */
static double logit_normal_mean(double location, double spread)
{
    double sum = 0.0, weights = 0.0;

    for (int i = -128; i <= 128; i++) {
        const double z = i / 16.0;
        const double w = iv_plain_exp(-0.5 * z * z);
        weights += w;
        sum += w / (1.0 + iv_plain_exp(-(location + spread * z)));
    }
    return sum / weights;
}

/* The mean of the logit-normal's logit whose own mean is `mean`, in (0, 1). */
static double logit_normal_location(double mean, double spread)
{
    double low = -200.0, high = 200.0;

    for (int i = 0; i < 80; i++) {
        const double middle = 0.5 * (low + high);
        if (logit_normal_mean(middle, spread) < mean)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* One a run, whatever was given. */
static void spread_quality(double *out, const iv_simulation_options *o)
{
    const bool steps = o->quality.count == 2 && o->runs > 1;
    const double last = o->runs > 1 ? o->runs - 1.0 : 1.0;

    for (uint32_t r = 0; r < o->runs; r++) {
        if (o->quality.count == o->runs && !steps)
            out[r] = o->quality.at[r];
        else if (steps)
            out[r] = o->quality.at[0] + (o->quality.at[1] - o->quality.at[0]) * (r / last);
        else
            out[r] = o->quality.at[0];
    }
}

/*
 * Each grade is half as common as the one below, and its signal is in
 * proportion to the grade, of mean 1 over relevant documents.
 */
static void spread_grades(iv_simulation *s)
{
    const uint32_t grades = s->options.grades;
    double share = 1.0, total = 0.0, mean = 0.0;

    s->weight[0] = s->grade_up_to[0] = 0.0;
    for (uint32_t g = 1; g < grades; g++, share *= 0.5) {
        total += share;
        mean += share * g;
        s->grade_up_to[g] = total;
    }
    mean /= total;
    for (uint32_t g = 1; g < grades; g++) {
        s->grade_up_to[g] /= total;
        s->weight[g] = g / mean;
    }
}

/* Ten times as many docnos as documents, and a million at least. */
static void choose_docnos(iv_simulation *s)
{
    uint64_t names = 1000000;

    s->digits = 7;
    while (names < 10 * (uint64_t)s->options.documents) {
        names *= 10;
        s->digits++;
    }
    s->spacing = (uint32_t)(names / s->options.documents);
}

static int prepare(iv_simulation *s, const iv_simulation_options *o, iv_err *err)
{
    s->options = *o;
    s->quality = iv_take(&s->memory, o->runs, sizeof *s->quality);
    s->weight = iv_take(&s->memory, o->grades, sizeof *s->weight);
    s->grade_up_to = iv_take(&s->memory, o->grades, sizeof *s->grade_up_to);
    IV_TRY(iv_taken(&s->memory, err));
    spread_quality(s->quality, o);
    spread_grades(s);
    choose_docnos(s);
    s->options.quality = (iv_reals){ s->quality, o->runs };
    s->quality_given = o->quality.count;
    s->logit = logit_normal_location(o->prevalence, o->prevalence_spread);
    s->shared = sqrt(o->similarity);
    s->own = sqrt(1.0 - o->similarity);
    s->step = (uint32_t)(o->ties * IV_SCORE_UNIT + 0.5);
    return IV_OK;
}

int iv_simulation_new(iv_simulation **out, const iv_simulation_options *options,
                      iv_err *err)
{
    IV_TRY(IV_CHECK(options, err, IV_PART_OF(iv_simulation_options, quality, REALS, "quality")));
    const iv_simulation_options o = resolve(options);

    IV_TRY(check_counts(&o, err));
    IV_TRY(check_quality(&o, err));
    IV_TRY(check_reals(&o, err));
    iv_simulation *s = calloc(1, sizeof *s);
    const int rc = s == NULL ? iv_no_memory(err) : prepare(s, &o, err);
    if (rc == IV_OK)
        *out = s;
    else
        iv_simulation_free(s);
    return rc;
}

void iv_simulation_free(iv_simulation *s)
{
    if (s != NULL)
        iv_arena_free(&s->memory);
    free(s);
}

/* The stream for that, of a topic and (else 0) a run. */
static iv_stream simulation_stream(const iv_simulation *s, iv_draw_kind kind, uint32_t topic,
                                   uint32_t run)
{
    return iv_stream_start(s->options.seed, IV_FOR_COLLECTION,
                           (uint64_t)kind << 56 | (uint64_t)run << 32 | topic);
}

/* One topic: its documents, and what a run makes of them. */

iv_simulated_topic *iv_simulated_topic_take(iv_arena *own, const iv_simulation *s)
{
    const size_t n = s->options.documents, depth = s->options.depth;
    iv_simulated_topic *t = iv_take(own, 1, sizeof *t);

    if (t == NULL)
        return NULL;
    t->simulation = s;
    t->grades = iv_take(own, n, sizeof *t->grades);
    t->noise = iv_take(own, n, sizeof *t->noise);
    t->numbers = iv_take(own, n, sizeof *t->numbers);
    t->keys = iv_take(own, n, sizeof *t->keys);
    t->scratch = iv_take(own, n, sizeof *t->scratch);
    t->picks = iv_take(own, n, sizeof *t->picks);
    t->documents = iv_take(own, depth, sizeof *t->documents);
    t->units = iv_take(own, depth, sizeof *t->units);
    return t;
}

/* ------------------------------------------------------------- drawing -- */

/* How many relevant documents, and how much lower their signal. */
static void draw_nature(iv_simulated_topic *t)
{
    const iv_simulation_options *o = &t->simulation->options;
    iv_stream s = simulation_stream(t->simulation, IV_DRAW_TOPIC, t->topic, 0);
    const double z = iv_draw_normal(&s), w = iv_draw_normal(&s);
    const double logit = t->simulation->logit + o->prevalence_spread * z;
    const double share = 1.0 / (1.0 + iv_plain_exp(-logit));
    const double count = floor(o->documents * share + iv_draw_uniform(&s));

    t->difficulty = -o->difficulty
        * (o->breadth * z + sqrt(1.0 - o->breadth * o->breadth) * w);
    t->relevant = o->least_relevant;
    if (count > t->relevant)
        t->relevant = count < o->documents ? (uint32_t)count : o->documents;
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

static void draw_grades(iv_simulated_topic *t)
{
    const iv_simulation *sim = t->simulation;
    iv_stream s = simulation_stream(sim, IV_DRAW_RELEVANT, t->topic, 0);

    memset(t->grades, 0, sim->options.documents * sizeof *t->grades);
    (void)iv_draw_subset(&s, t->picks, t->relevant, sim->options.documents);
    for (uint32_t i = 0; i < t->relevant; i++)
        t->grades[t->picks[i]] = any_grade(sim, &s);
}

void iv_simulated_topic_draw(iv_simulated_topic *t, uint32_t topic)
{
    const iv_simulation *sim = t->simulation;
    const uint32_t n = sim->options.documents;

    t->topic = topic;
    draw_nature(t);
    draw_grades(t);
    iv_stream s = simulation_stream(sim, IV_DRAW_SHARED_NOISE, topic, 0);
    for (uint32_t d = 0; d < n && sim->shared > 0.0; d++)
        t->noise[d] = sim->shared * iv_draw_normal(&s);
    s = simulation_stream(sim, IV_DRAW_DOCNOS, topic, 0);
    for (uint32_t d = 0; d < n; d++)
        t->numbers[d] = d * sim->spacing + (uint32_t)iv_draw_below(&s, sim->spacing);
}

/* ------------------------------------------------------------- ranking -- */

double iv_simulated_signal(const iv_simulated_topic *t, uint32_t run)
{
    const iv_simulation *sim = t->simulation;
    iv_stream s = simulation_stream(sim, IV_DRAW_INTERACTION, t->topic, run);

    return sim->quality[run] + t->difficulty
        + sim->options.interaction * iv_draw_normal(&s);
}

/*
 * Scores all documents into keys whose upper half is the distance from the
 * highest score; returns the largest distance.  Later documents come first,
 * and stay before others of the same score.
 */
static uint32_t score(iv_simulated_topic *t, uint32_t run, int32_t *highest)
{
    const iv_simulation *sim = t->simulation;
    const uint32_t n = sim->options.documents;
    const int32_t step = sim->step > 0 ? (int32_t)sim->step : 1;
    const double units = (double)IV_SCORE_UNIT / step;
    const double signal = iv_simulated_signal(t, run);
    iv_stream s = simulation_stream(sim, IV_DRAW_OWN_NOISE, t->topic, run);
    int32_t most = INT32_MIN, least = INT32_MAX;

    for (uint32_t d = 0; d < n; d++) {
        double x = t->noise[d] + signal * sim->weight[t->grades[d]];
        if (sim->own > 0.0)
            x += sim->own * iv_draw_normal(&s);
        /* The nearest whole number of units, or of steps where ties are wanted. */
        const int32_t u = (int32_t)floor(x * units + 0.5) * step;
        t->keys[n - 1 - d] = (uint64_t)(uint32_t)u << 32 | d;
        most = u > most ? u : most;
        least = u < least ? u : least;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t distance = (uint32_t)most - (uint32_t)(t->keys[i] >> 32);
        t->keys[i] = (uint64_t)distance << 32 | (uint32_t)t->keys[i];
    }
    *highest = most;
    return (uint32_t)most - (uint32_t)least;
}

/*
 * Sorts n keys by their upper halves, none above `most`, lowest first, and
 * keeps the order of equal ones.  The sorted keys are where it returns: keys
 * or scratch, which both have room for n.
 */
static uint64_t *sort_keys(uint64_t *keys, uint64_t *scratch, size_t n, uint32_t most)
{
    enum { BITS = 12, BINS = 1 << BITS };
    uint32_t start[BINS];

    for (unsigned shift = 32; shift < 64 && (most >> (shift - 32)) > 0; shift += BITS) {
        uint32_t sum = 0;
        memset(start, 0, sizeof start);
        for (size_t i = 0; i < n; i++)
            start[(keys[i] >> shift) & (BINS - 1)]++;
        for (size_t b = 0; b < BINS; b++) {
            const uint32_t count = start[b];
            start[b] = sum;
            sum += count;
        }
        for (size_t i = 0; i < n; i++)
            scratch[start[(keys[i] >> shift) & (BINS - 1)]++] = keys[i];
        uint64_t *sorted = scratch;
        scratch = keys;
        keys = sorted;
    }
    return keys;
}

void iv_simulated_rank(iv_simulated_topic *t, uint32_t run)
{
    const iv_simulation_options *o = &t->simulation->options;
    int32_t highest;
    const uint32_t most = score(t, run, &highest);
    const uint64_t *sorted = sort_keys(t->keys, t->scratch, o->documents, most);
    const bool strict = t->simulation->step == 0;

    for (uint32_t i = 0; i < o->depth; i++) {
        int32_t u = (int32_t)((uint32_t)highest - (uint32_t)(sorted[i] >> 32));
        if (strict && i > 0 && u >= t->units[i - 1])
            u = t->units[i - 1] - 1;
        t->documents[i] = (uint32_t)sorted[i];
        t->units[i] = u;
    }
}

double iv_simulated_ranked_ap(const iv_simulated_topic *t)
{
    double sum = 0.0;
    uint32_t found = 0;

    for (uint32_t i = 0; i < t->simulation->options.depth; i++) {
        if (t->grades[t->documents[i]] > 0)
            sum += ++found / (i + 1.0);
    }
    return sum / t->relevant;
}

double iv_simulated_ap(iv_simulated_topic *t, uint32_t run)
{
    iv_simulated_rank(t, run);
    return iv_simulated_ranked_ap(t);
}

/* The best rank of each document over all runs, 0 where none returns it. */
static void find_best(iv_simulated_topic *t)
{
    const iv_simulation_options *o = &t->simulation->options;

    memset(t->best, 0, o->documents * sizeof *t->best);
    for (uint32_t r = 0; r < o->runs; r++) {
        iv_simulated_rank(t, r);
        for (uint32_t i = 0; i < o->depth; i++) {
            uint32_t *best = &t->best[t->documents[i]];
            if (*best == 0 || i + 1 < *best)
                *best = i + 1;
        }
    }
}

static void mark_pool(iv_simulated_topic *t, uint32_t count)
{
    const iv_simulation_options *o = &t->simulation->options;
    uint32_t whole = 0, left = count;

    find_best(t);
    memset(t->at_rank, 0, (o->depth + 2) * sizeof *t->at_rank);
    for (uint32_t d = 0; d < o->documents; d++)
        t->at_rank[t->best[d]]++;
    while (whole < o->depth && t->at_rank[whole + 1] <= left)
        left -= t->at_rank[++whole];
    /* Ranks to `whole` are judged altogether, of the next `left` documents. */
    for (uint32_t d = 0; d < o->documents; d++) {
        t->marks[d] = t->best[d] > 0 && t->best[d] <= whole;
        if (t->best[d] == whole + 1 && left > 0) {
            t->marks[d] = true;
            left--;
        }
    }
}

void iv_judged_mark(iv_simulated_topic *t, iv_judging judging, uint32_t count)
{
    const uint32_t n = t->simulation->options.documents;

    if (judging == IV_JUDGE_POOL) {
        mark_pool(t, count);
        return;
    }
    iv_stream s = simulation_stream(t->simulation, IV_DRAW_JUDGED, t->topic, 0);
    memset(t->marks, 0, n * sizeof *t->marks);
    (void)iv_draw_subset(&s, t->picks, count, n);
    for (uint32_t i = 0; i < count; i++)
        t->marks[t->picks[i]] = true;
}

/*
 * A machine that labels a simulated collection.  Of the relevant documents it finds the
 * share that makes its kappa with the truth what is asked for, when it calls as many
 * relevant as there are; how many it calls so differs between topics by a factor with
 * mean 1, its drift.  Without drift every method of correcting labels looks good.
 */

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

void iv_simulated_judge_label(iv_simulated_topic *t, double kappa, double drift)
{
    const iv_simulation *sim = t->simulation;
    iv_stream s = simulation_stream(sim, IV_DRAW_MACHINE, t->topic, 0);
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

static char *put_text(char *at, const char *s, size_t len)
{
    memcpy(at, s, len);
    return at + len;
}

/* The number in decimal, with zeros before it up to the given digits. */
static char *put_digits(char *at, uint32_t number, int digits)
{
    char reversed[10];
    int n = 0;

    for (; number > 0 || n < digits; number /= 10)
        reversed[n++] = (char)('0' + number % 10);
    while (n > 0)
        *at++ = reversed[--n];
    return at;
}

static char *put_score(char *at, int32_t units)
{
    const uint32_t size = units < 0 ? 0u - (uint32_t)units : (uint32_t)units;

    if (units < 0)
        *at++ = '-';
    at = put_digits(at, size / IV_SCORE_UNIT, 1);
    *at++ = '.';
    return put_digits(at, size % IV_SCORE_UNIT, 6);
}

static char *put_docno(char *at, const iv_simulated_topic *t, uint32_t document)
{
    at = put_text(at, "DOC-", 4);
    return put_digits(at, t->numbers[document], t->simulation->digits);
}

const char *iv_simulated_docno(char out[IV_SIMULATED_NAME_SIZE],
                               const iv_simulated_topic *t, uint32_t document)
{
    *put_docno(out, t, document) = '\0';
    return out;
}

void iv_lines_of_ranking(iv_simulated_topic *t, uint32_t topic, const char *run)
{
    const uint32_t depth = t->simulation->options.depth;
    const size_t name = strlen(run);
    char first[16];

    char *at = put_digits(first, topic, 1);
    const size_t first_len = (size_t)(put_text(at, " Q0 ", 4) - first);
    at = t->text;
    for (uint32_t i = 0; i < depth; i++) {
        at = put_text(at, first, first_len);
        at = put_docno(at, t, t->documents[i]);
        *at++ = ' ';
        at = put_digits(at, i + 1, 1);
        *at++ = ' ';
        at = put_score(at, t->units[i]);
        *at++ = ' ';
        at = put_text(at, run, name);
        *at++ = '\n';
    }
    t->len = (size_t)(at - t->text);
}

uint32_t iv_lines_of_judgments(iv_simulated_topic *t, uint32_t topic, const bool *judged)
{
    const uint32_t n = t->simulation->options.documents;
    uint32_t count = 0;
    char *at = t->text;

    for (uint32_t d = 0; d < n; d++) {
        if (judged != NULL && !judged[d])
            continue;
        at = put_digits(at, topic, 1);
        at = put_text(at, " 0 ", 3);
        at = put_docno(at, t, d);
        *at++ = ' ';
        at = put_digits(at, (uint32_t)t->grades[d], 1);
        *at++ = '\n';
        count++;
    }
    t->len = (size_t)(at - t->text);
    return count;
}
