/* SPDX-License-Identifier: Apache-2.0 */
/* Published stopping rules, replayed on a ranking whose labels are all known. */
#include "base/err.h"
#include "num/dist.h"
#include "stat/sequential/stopping.h"
#include "study/stopping_replay.h"

#include <math.h>
#include <string.h>

enum { TARGET_SIZE = 10, KNEE_LEAST = 1000, STARTS = 50 };

iv_replay_promise iv_replay_promise_of(iv_replayed_rule rule, double target, double confidence)
{
    static const char *const names[IV_REPLAY_RULES] = {
        "target (10 found)", "QBCB, smallest sample", "QBCB, twice the sample", "knee", "budget",
        "50 irrelevant in a row", "200 irrelevant in a row", "hypergeometric, on the ranking",
        "hypergeometric, random rest", "Chao, estimate", "Chao, upper limit" };
    const bool theirs = rule == IV_REPLAY_TARGET || rule == IV_REPLAY_KNEE
        || rule == IV_REPLAY_BUDGET; /* recall of 0.7 in 95 % of reviews */
    const bool none = rule == IV_REPLAY_ROW_50 || rule == IV_REPLAY_ROW_200
        || rule == IV_REPLAY_CHAO;

    return (iv_replay_promise){ names[rule], theirs ? 0.7 : target,
                                theirs ? 0.95 : none ? NAN : confidence };
}

int iv_replay_room_of(iv_replay_room *out, iv_arena *own, size_t documents, iv_err *err)
{
    *out = (iv_replay_room){ iv_take(own, documents + 1, sizeof *out->order),
                             iv_take(own, documents + 1, sizeof *out->found),
                             iv_take(own, documents + 1, sizeof *out->seen) };
    return iv_taken(own, err);
}

static iv_replay_end end_at(const iv_replay *r, const iv_replay_room *room, size_t rank,
                            size_t more)
{
    return (iv_replay_end){ (double)(rank + more), room->found[rank] / (double)r->relevant };
}

/* ------------------------------------------------------- control documents -- */

/*
 * Documents are drawn until so many of them are relevant, or all; the ranking is read until it
 * has met `needed` of these.
 */
static iv_replay_end by_control(const iv_replay *r, iv_replay_room *room, size_t known,
                                size_t needed, iv_stream *stream)
{
    size_t drawn = 0, met = 0, rank = 0, behind = 0;

    for (size_t i = 0; i < r->documents; i++)
        room->order[i] = (uint32_t)i;
    memset(room->seen, 0, r->documents);
    for (size_t relevant = 0; drawn < r->documents && relevant < known; drawn++) {
        const size_t k = drawn + (size_t)iv_draw_below(stream, r->documents - drawn);
        const uint32_t at = room->order[k];
        room->order[k] = room->order[drawn];
        room->order[drawn] = at;
        room->seen[at] = 1;
        relevant += r->label[at];
    }
    while (rank < r->documents && met < needed) {
        met += room->seen[rank] && r->label[rank];
        rank++;
    }
    for (size_t i = 0; i < drawn; i++)
        behind += room->order[i] >= rank;
    return end_at(r, room, rank, behind);
}

static iv_replay_end by_bound(const iv_replay *r, iv_replay_room *room, bool twice,
                              iv_stream *stream)
{
    int64_t known = 1;

    while (iv_qbcb_needed(known, r->target, r->confidence) == 0)
        known++;
    known *= twice ? 2 : 1;
    const int64_t needed = iv_qbcb_needed(known, r->target, r->confidence);
    return by_control(r, room, (size_t)known, (size_t)needed, stream);
}

/* ------------------------------------------------------- the curve of gain -- */

/* How many documents are read before the next look: batches grow by a tenth. */
static size_t next_look(size_t *batch, size_t read, size_t documents)
{
    const size_t now = read + *batch;

    *batch += (*batch + 9) / 10;
    return now < documents ? now : documents;
}

/* The slope before the knee over that behind it; the knee is the point farthest above the line
 * from the beginning to the end of the curve. */
static double slope_ratio(const iv_replay_room *room, size_t read)
{
    const double slope = (double)room->found[read] / (double)read;
    double farthest = 0.0;
    size_t knee = 0;

    for (size_t i = 1; i < read; i++) {
        const double above = (double)room->found[i] - slope * (double)i;
        if (above > farthest) {
            farthest = above;
            knee = i;
        }
    }
    if (knee == 0)
        return 0.0;
    return (double)room->found[knee] / (double)knee
        / ((1.0 + (double)(room->found[read] - room->found[knee])) / (double)(read - knee));
}

static iv_replay_end by_slope(const iv_replay *r, const iv_replay_room *room, bool budget)
{
    size_t read = 0, batch = 1;

    for (;;) {
        read = next_look(&batch, read, r->documents);
        const double found = (double)room->found[read], all = (double)r->documents;
        if (read == r->documents || (budget && (double)read >= 0.75 * all))
            return end_at(r, room, read, 0);
        const bool enough = budget ? found > 0.0 && (double)read >= 10.0 * all / found
                                   : read >= KNEE_LEAST;
        if (enough && slope_ratio(room, read) >= (budget ? 6.0 : 156.0 - fmin(found, 150.0)))
            return end_at(r, room, read, 0);
    }
}

/* The first rank at which the last so many are irrelevant; all documents if there is none. */
static size_t row_of(const iv_replay *r, size_t length)
{
    size_t row = 0;

    for (size_t i = 0; i < r->documents; i++) {
        row = r->label[i] ? 0 : row + 1;
        if (row == length)
            return i + 1;
    }
    return r->documents;
}

/* --------------------------------------------------------- hypergeometric -- */

/* The smallest p-value over places from which on the documents read may stand for a sample. */
static double least_p(const iv_replay *r, const iv_replay_room *room, size_t read)
{
    double least = 1.0;

    for (size_t k = 0; k < STARTS; k++) {
        const size_t from = read * k / STARTS;
        const iv_stratum left = { (int64_t)(r->documents - from), (int64_t)(read - from),
                                  (int64_t)(room->found[read] - room->found[from]) };
        least = fmin(least, iv_stop_p((int64_t)room->found[from], left, r->target));
    }
    return least;
}

static iv_replay_end by_ranked_sample(const iv_replay *r, const iv_replay_room *room)
{
    size_t read = 0, batch = 1;

    do
        read = next_look(&batch, read, r->documents);
    while (read < r->documents && !(least_p(r, room, read) < 1.0 - r->confidence));
    return end_at(r, room, read, 0);
}

/* After 50 irrelevant ones in a row the rest is read in random order, and tested after each
 * hundredth of it. */
static iv_replay_end by_random_rest(const iv_replay *r, iv_replay_room *room, iv_stream *stream)
{
    const size_t from = row_of(r, 50), rest = r->documents - from;
    const size_t step = rest / 100 + 1;
    const int64_t found = (int64_t)room->found[from];
    int64_t more = 0;
    size_t read = 0;

    for (size_t i = 0; i < rest; i++)
        room->order[i] = (uint32_t)(from + i);
    while (read < rest) {
        const size_t k = read + (size_t)iv_draw_below(stream, rest - read);
        const uint32_t at = room->order[k];
        room->order[k] = room->order[read];
        room->order[read++] = at;
        more += r->label[at];
        const iv_stratum left = { (int64_t)rest, (int64_t)read, more };
        if (read % step == 0 && iv_stop_p(found, left, r->target) < 1.0 - r->confidence)
            break;
    }
    return (iv_replay_end){ (double)(from + read),
                            (double)(found + more) / (double)r->relevant };
}

/* -------------------------------------------------------------------- Chao -- */

/*
 * Of f[k] documents captured k times by m rankings, how many were captured by none:
 * (m - 1) / m f1^2 / (2 f2), without f2 the form corrected for bias.  With a level, the upper
 * limit of the lognormal interval (Chao 1987).
 */
static double unseen(const double *f, double m, double level)
{
    const double K = (m - 1.0) / m, ratio = f[2] > 0.0 ? f[1] / f[2] : 0.0;
    const double none = f[2] > 0.0 ? K * f[1] * ratio / 2.0 : K * f[1] * (f[1] - 1.0) / 2.0;
    const double variance = f[2] > 0.0
        ? f[2] * (K / 2.0 * ratio * ratio + K * K * pow(ratio, 3.0) + K * K / 4.0 * pow(ratio, 4.0))
        : none + K * K * f[1] * pow(2.0 * f[1] - 1.0, 2.0) / 4.0;

    if (level == 0.0 || !(none > 0.0))
        return none;
    return none * exp(iv_norm_isf(level) * sqrt(log1p(variance / (none * none))));
}

/* All rankings are read to the same depth, at least a twentieth of the documents.  A relevant
 * document that k of them have reached was captured k times. */
static iv_replay_end by_chao(const iv_replay *r, iv_replay_room *room, bool upper)
{
    const double level = upper ? 1.0 - r->confidence : 0.0;
    size_t read = 0, batch = 1, depth = 0;
    double f[IV_REPLAY_RANKINGS + 2] = { 0.0 }, found = 0.0;

    if (r->rankings < 2)
        return (iv_replay_end){ NAN, NAN };
    memset(room->seen, 0, r->documents);
    while (depth < r->documents) {
        const size_t to = next_look(&batch, depth, r->documents);
        for (; depth < to; depth++)
            for (size_t k = 0; k < r->rankings; k++) {
                const uint32_t at = r->ranking[k][depth];
                const size_t times = room->seen[at]++;
                read += times == 0;
                if (!r->label[at])
                    continue;
                found += times == 0;
                f[times] -= times > 0;
                f[times + 1] += 1.0;
            }
        if (read >= r->documents / 20 && found > 1.0
            && found >= r->target * (found + unseen(f, (double)r->rankings, level)))
            break;
    }
    return (iv_replay_end){ (double)read, found / (double)r->relevant };
}

iv_replay_end iv_replay_rule(iv_replayed_rule rule, const iv_replay *r, iv_replay_room *room,
                             iv_stream *stream)
{
    room->found[0] = 0;
    for (size_t i = 0; i < r->documents; i++)
        room->found[i + 1] = room->found[i] + r->label[i];
    switch (rule) {
    case IV_REPLAY_TARGET:
        return by_control(r, room, TARGET_SIZE, TARGET_SIZE, stream);
    case IV_REPLAY_QBCB:
    case IV_REPLAY_QBCB_TWICE:
        return by_bound(r, room, rule == IV_REPLAY_QBCB_TWICE, stream);
    case IV_REPLAY_KNEE:
    case IV_REPLAY_BUDGET:
        return by_slope(r, room, rule == IV_REPLAY_BUDGET);
    case IV_REPLAY_ROW_50:
    case IV_REPLAY_ROW_200:
        return end_at(r, room, row_of(r, rule == IV_REPLAY_ROW_50 ? 50 : 200), 0);
    case IV_REPLAY_HYPER_RANKED:
        return by_ranked_sample(r, room);
    case IV_REPLAY_HYPER_RANDOM:
        return by_random_rest(r, room, stream);
    default:
        return by_chao(r, room, rule == IV_REPLAY_CHAO_UPPER);
    }
}
