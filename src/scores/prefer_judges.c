/* SPDX-License-Identifier: Apache-2.0 */
/* Judges of preferences: circular triads, and agreement with people. */
#include "base/err.h"
#include "result/answering.h"
#include "result/methods.h"
#include "scores/voting.h"
#include "stat/interval/limits.h"

#include <math.h>
#include <stdlib.h>

typedef struct judge_row {
    iv_str judge;
    size_t votes, ties, shared, triads, loops;
    double circular, agreement, lower, upper;
} judge_row;

const iv_field iv_prefer_judge_fields[] = {
    { "judge", IV_AT(judge_row, judge), .about = "name of the judge" },
    { "votes", IV_AT(judge_row, votes), .about = "votes of the judge" },
    { "ties", IV_AT(judge_row, ties), .about = "votes for neither" },
    { "triads", IV_AT(judge_row, triads), .audience = IV_FOR_PROGRAMS,
      .about = "three systems on one item that the judge compared with each other, without a tie" },
    { "circular", IV_AT(judge_row, circular), .digits = 3, .audience = IV_IF_ANY,
      .about = "proportion of these that are circular, a over b over c over a; 0.25 if by chance" },
    { "shared", IV_AT(judge_row, shared), .audience = IV_IF_VARIES,
      .about = "comparisons also judged by the human judge, or, if there is none, by any other" },
    { "agreement", IV_AT(judge_row, agreement), .digits = 3, .audience = IV_IF_ANY,
      .about = "proportion of shared comparisons with the same winner" },
    IV_LIMITS_FOR(judge_row, , 3, IV_IF_ANY),
    { NULL } };

/* Two systems, in whichever order they were shown. */
static uint64_t pair_of(const iv_vote *v)
{
    return v->a < v->b ? (uint64_t)v->a << 32 | v->b : (uint64_t)v->b << 32 | v->a;
}

/* ------------------------------------------------------------------ triads -- */

static int by_judge_and_item(const void *a, const void *b)
{
    const iv_vote *x = *(const iv_vote *const *)a, *y = *(const iv_vote *const *)b;

    if (x->judge != y->judge)
        return x->judge < y->judge ? -1 : 1;
    return x->item != y->item ? (x->item < y->item ? -1 : 1) : (x > y) - (x < y);
}

static int sign_of(int won) { return (won > 0) - (won < 0); }

/* Of one judge's votes on one item: each pair a < b with each c > b (Kendall & Babington Smith
 * 1940).  won[a * systems + b]: votes for a less those for b. */
static void count_loops(judge_row *row, int *won, bool *done, size_t systems,
                        const iv_vote *const *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const iv_vote *v = at[i];
        const int x = v->winner == IV_PREFERS_NONE ? 0 : v->winner == IV_PREFERS_A ? 1 : -1;
        won[v->a * systems + v->b] += x;
        won[v->b * systems + v->a] -= x;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t a = at[i]->a < at[i]->b ? at[i]->a : at[i]->b, b = at[i]->a + at[i]->b - a;
        const bool again = done[a * systems + b];
        done[a * systems + b] = true;
        for (size_t c = b + 1; c < systems && !again; c++) {
            const int ab = sign_of(won[a * systems + b]), bc = sign_of(won[b * systems + c]),
                ca = sign_of(won[c * systems + a]);
            row->triads += ab != 0 && bc != 0 && ca != 0;
            row->loops += ab != 0 && ab == bc && bc == ca;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const size_t there = at[i]->a * systems + at[i]->b, back = at[i]->b * systems + at[i]->a;
        won[there] = won[back] = 0;
        done[there] = done[back] = false;
    }
}

static int count_triads(judge_row *rows, iv_voting *v, iv_err *err)
{
    const size_t K = v->systems.count;
    const iv_vote **sorted = iv_take(v->own, v->count + 1, sizeof(const iv_vote *));
    int *won = iv_take(v->own, K * K + 1, sizeof *won);
    bool *done = iv_take(v->own, K * K + 1, sizeof *done);

    IV_TRY(iv_taken(v->own, err));
    for (size_t i = 0; i < v->count; i++)
        sorted[i] = &v->votes[i];
    qsort(sorted, v->count, sizeof(const iv_vote *), by_judge_and_item);
    for (size_t from = 0, to; v->has_item && from < v->count; from = to) {
        for (to = from + 1; to < v->count && sorted[to]->judge == sorted[from]->judge
             && sorted[to]->item == sorted[from]->item;)
            to++;
        if (to - from > 2)
            count_loops(&rows[sorted[from]->judge], won, done, K, sorted + from, to - from);
    }
    for (size_t j = 0; j < v->judges.count; j++)
        rows[j].circular = rows[j].triads == 0 ? (double)NAN
            : (double)rows[j].loops / (double)rows[j].triads;
    return IV_OK;
}

/* --------------------------------------------------------------- agreement -- */

static int by_comparison(const void *a, const void *b)
{
    const iv_vote *x = *(const iv_vote *const *)a, *y = *(const iv_vote *const *)b;
    const uint64_t p = pair_of(x), q = pair_of(y);

    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return p != q ? (p < q ? -1 : 1) : (x > y) - (x < y);
}

/* The winner's number; SIZE_MAX: none. */
static size_t winner_number(const iv_vote *v)
{
    return v->winner == IV_PREFERS_NONE ? SIZE_MAX : v->winner == IV_PREFERS_A ? v->a : v->b;
}

/* Of one comparison: the proportion of pairs of votes, j's and people's or others', that agree. */
static double agreement(const iv_vote *const *at, size_t count, uint32_t j, uint32_t human)
{
    size_t pairs = 0, same = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; at[i]->judge == j && k < count; k++)
            if (human != IV_NO_ID ? at[k]->judge == human && j != human
                                  : at[k]->judge != j) {
                pairs++;
                same += winner_number(at[i]) == winner_number(at[k]);
            }
    return pairs > 0 ? (double)same / (double)pairs : (double)NAN;
}

int iv_voting_judges(iv_result *out, iv_voting *v, double confidence, iv_err *err)
{
    const size_t J = v->judges.count;
    const uint32_t human = v->human;
    judge_row *rows = iv_take(v->own, J, sizeof *rows);
    const iv_vote **sorted = iv_take(v->own, v->count, sizeof(const iv_vote *));
    double *x = iv_take(v->own, v->count, sizeof *x);
    uint32_t *cluster = iv_take(v->own, v->count, sizeof *cluster);

    IV_TRY(iv_taken(v->own, err));
    IV_TRY(count_triads(rows, v, err));
    for (size_t i = 0; i < v->count; i++) {
        const iv_vote *w = &v->votes[i];
        sorted[i] = w;
        rows[w->judge].votes++;
        rows[w->judge].ties += w->winner == IV_PREFERS_NONE;
    }
    qsort(sorted, v->count, sizeof(const iv_vote *), by_comparison);
    for (size_t j = 0; j < J; j++) {
        size_t *shared = &rows[j].shared;
        iv_structured m;
        iv_mean_interval ci;
        rows[j].judge = v->judges.names[j];
        rows[j].agreement = rows[j].lower = rows[j].upper = (double)NAN;
        for (size_t from = 0, to; v->has_item && from < v->count; from = to) {
            for (to = from; to < v->count && sorted[to]->item == sorted[from]->item
                 && pair_of(sorted[to]) == pair_of(sorted[from]);)
                to++;
            x[*shared] = agreement(sorted + from, to - from, (uint32_t)j, human);
            cluster[*shared] = sorted[from]->item;
            *shared += isnan(x[*shared]) ? 0U : 1U;
        }
        const iv_structure s = { .cluster = cluster, .clusters = v->items.count };
        if (*shared == 0)
            continue;
        IV_TRY(iv_structured_mean(&m, x, *shared, &s, 0, err));
        IV_TRY(iv_structured_interval(&ci, &m, true, IV_INTERVAL_AUTO, confidence, err));
        rows[j].agreement = m.mean;
        rows[j].lower = ci.lower;
        rows[j].upper = ci.upper;
    }
    iv_table_head(IV_TABLE(out, "judges", iv_prefer_judge_fields, rows, J), "shared",
                  human != IV_NO_ID ? "shared with human judge" : "shared with others");
    for (size_t j = 0; j < J; j++)
        if (rows[j].triads > 0)
            iv_result_used(out, "triads");
    if (v->has_item)
        iv_result_used(out, "clustered");
    return IV_OK;
}
