/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of documents and how many groups prefer which, a few rows of all pairs at a time. */
#include "measure/measure_private.h"

enum { ROWS = 32 };

typedef struct pairing {
    const iv_judges *p;
    const iv_preferrer *group;
    size_t words;
    /* votes[r * docs + j]: of row r, groups that prefer the upper document, the lower one; 0
     * between the blocks */
    uint32_t (*votes)[2];
    uint64_t *known;   /* bits: which of these are not 0 */
    size_t *at;        /* of groups: the first document that no row before was */
} pairing;

static void count_group(pairing *x, size_t k, size_t row)
{
    const iv_preferrer *g = &x->group[k];
    const size_t lo = x->at[k];
    size_t hi = lo;

    while (hi < g->n && g->doc[hi] < row + ROWS)
        hi++;
    x->at[k] = hi;
    for (size_t i = lo; i < hi; i++) {
        uint32_t (*v)[2] = x->votes + (g->doc[i] - row) * x->p->docs;
        uint64_t *known = x->known + (g->doc[i] - row) * x->words;
        for (size_t j = i + 1; j < g->n; j++) {
            const bool up = iv_prefers(g, i, j), down = iv_prefers(g, j, i);
            const size_t doc = g->doc[j];
            v[doc][0] += up;
            v[doc][1] += down;
            known[doc / 64] |= (uint64_t)(up || down) << doc % 64;
        }
    }
}

/* In the order of the documents, which decides the last digits. */
static void sum_row(double sum[2], double pairs[3], pairing *x, size_t row, size_t r)
{
    for (size_t w = 0; w < x->words; w++) {
        uint64_t left = x->known[r * x->words + w];
        x->known[r * x->words + w] = 0;
        for (size_t j = w * 64; left != 0; left >>= 1, j++) {
            uint32_t *v = x->votes[r * x->p->docs + j];
            if (!(left & 1))
                continue;
            const unsigned missing = (unsigned)(row + r >= x->p->found) + (j >= x->p->found);
            pairs[missing]++;
            if (missing < 2)
                sum[missing] += (double)v[0] / ((double)v[0] + (double)v[1]);
            v[0] = v[1] = 0;
        }
    }
}

int iv_prefs_pairs(double sum[2], double pairs[3], const iv_judges *p, const iv_preferrer *group,
                   iv_arena *arena, const iv_work *work, iv_err *err)
{
    pairing x = { .p = p, .group = group, .words = (p->docs + 63) / 64 };

    x.votes = iv_take(arena, ROWS * p->docs + 1, sizeof *x.votes);
    x.known = iv_take(arena, ROWS * x.words + 1, sizeof *x.known);
    x.at = iv_take(arena, p->groups + 1, sizeof *x.at);
    if (x.votes == NULL || x.known == NULL || x.at == NULL)
        return iv_no_memory(err);
    for (size_t row = 0; row < p->docs; row += ROWS) {
        for (size_t k = 0; k < p->groups; k++) {
            if (x.at[k] >= group[k].n || group[k].doc[x.at[k]] >= row + ROWS)
                continue;
            IV_TRY(iv_check_work(work, 0.0, err));
            count_group(&x, k, row);
        }
        for (size_t r = 0; r < ROWS && row + r < p->docs; r++)
            sum_row(sum, pairs, &x, row, r);
    }
    return IV_OK;
}
