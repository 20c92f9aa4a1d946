/* SPDX-License-Identifier: Apache-2.0 */
/* Weights of votes: those of judges corrected by those of people on some comparisons. */
#include "base/err.h"
#include "stat/preference.h"

#include <math.h>
#include <stdlib.h>

/* A vote by its comparison, an item and two systems in whichever order. */
typedef struct placed {
    uint64_t pair;
    uint32_t item;
    size_t at;
} placed;

static int by_comparison(const void *x, const void *y)
{
    const placed *a = x, *b = y;

    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    return a->pair != b->pair ? (a->pair < b->pair ? -1 : 1) : (a->at > b->at) - (a->at < b->at);
}

static bool same(const placed *a, const placed *b)
{
    return a->item == b->item && a->pair == b->pair;
}

/* What a vote says of the first of its two systems, beyond what the judges' model expects. */
static double surprise(const iv_vote *v, const iv_preferences *f)
{
    const double d = (f->systems[v->a].value - f->systems[v->b].value) / 2.0;
    const double tie = isnan(f->tie) ? 0.0 : exp(f->tie), sum = exp(d) + exp(-d) + tie;
    const double said = v->winner == IV_PREFERS_A ? 1.0 : v->winner == IV_PREFERS_B ? 0.0 : 0.5;
    const double of_a = said - (exp(d) + 0.5 * tie) / sum;

    return v->a < v->b ? of_a : -of_a;
}

/* A comparison: the votes of people and of judges, and the mean surprise of each. */
typedef struct comparison {
    double votes[2], mean[2];
} comparison;

static comparison look(const placed *at, size_t count, const iv_vote *votes, uint32_t human,
                       const iv_preferences *judges)
{
    comparison c = { { 0.0 }, { 0.0 } };

    for (size_t i = 0; i < count; i++) {
        const iv_vote *v = &votes[at[i].at];
        const size_t who = v->judge == human ? 0 : 1;
        c.votes[who] += 1.0;
        c.mean[who] += surprise(v, judges);
    }
    for (size_t who = 0; who < 2; who++)
        c.mean[who] /= fmax(1.0, c.votes[who]);
    return c;
}

static void add(iv_corrected_votes *out, const iv_vote *v, double weight, double unit)
{
    out->votes[out->count] = *v;
    out->weight[out->count] = weight;
    out->unit[out->count++] = unit;
}

/* The votes of one comparison that a judge saw. */
static void weigh(iv_corrected_votes *out, const placed *at, size_t count, const iv_vote *votes,
                  uint32_t human, const comparison *c)
{
    const double part = (double)out->labelled / (double)out->comparisons, lambda = out->lambda;

    for (size_t i = 0; i < count; i++) {
        const iv_vote *v = &votes[at[i].at];
        if (v->judge == human) {
            add(out, v, 1.0 / c->votes[0], 1.0 / c->votes[0]);
            continue;
        }
        add(out, v, lambda * part / c->votes[1], -part / c->votes[1]);
        if (c->votes[0] > 0.0)
            add(out, v, -lambda / c->votes[1], 0.0);
    }
}

int iv_preference_correct(iv_corrected_votes *out, const iv_vote *votes, size_t count,
                          uint32_t human, const iv_preferences *judges, iv_arena *own, iv_err *err)
{
    placed *at = iv_take(own, count + 1, sizeof *at);
    double both = 0.0, square = 0.0;

    *out = (iv_corrected_votes){ .votes = iv_take(own, 2 * count + 1, sizeof *out->votes),
                                 .weight = iv_take(own, 2 * count + 1, sizeof(double)),
                                 .unit = iv_take(own, 2 * count + 1, sizeof(double)) };
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < count; i++) {
        const uint64_t a = votes[i].a, b = votes[i].b;
        at[i] = (placed){ a < b ? a << 32 | b : b << 32 | a, votes[i].item, i };
    }
    qsort(at, count, sizeof *at, by_comparison);
    for (int pass = 0; pass < 2; pass++) /* counts, then weights */
        for (size_t from = 0, to; from < count; from = to) {
            for (to = from + 1; to < count && same(&at[to], &at[from]);)
                to++;
            const comparison c = look(at + from, to - from, votes, human, judges);
            if (pass == 1 && c.votes[1] > 0.0)
                weigh(out, at + from, to - from, votes, human, &c);
            if (pass == 1)
                continue;
            out->comparisons += c.votes[1] > 0.0;
            out->unmatched += c.votes[1] > 0.0 ? 0 : (size_t)c.votes[0];
            if (c.votes[0] > 0.0 && c.votes[1] > 0.0) {
                out->labelled++;
                both += c.mean[0] * c.mean[1];
                square += c.mean[1] * c.mean[1];
                out->lambda = square > 0.0 ? fmin(1.0, fmax(0.0, both / square)) : 0.0;
            }
        }
    return out->labelled > 0 ? IV_OK
        : iv_fail(err, IV_ENODATA, "people and the judges voted on no comparison in common");
}
