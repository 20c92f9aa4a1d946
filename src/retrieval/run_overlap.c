/* SPDX-License-Identifier: Apache-2.0 */
/* How similar runs are, without judgments. */
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/linear.h"
#include "retrieval/run_overlap.h"
#include "stat/rank_agreement.h"
#include "trec/run.h"

#include <math.h>

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* A run's list with documents as numbers, and what the correlations look at. */
typedef struct list {
    size_t count;
    uint32_t *items;
    double *scores; /* by rank */
    double *values; /* by document: minus the rank at which its tie begins */
    size_t *ranks;  /* by document, from 1; 0: it is not there */
} list;

static int number(list *l, iv_ids *ids, const iv_run *run, size_t topic, const iv_work *work,
                  iv_err *err)
{
    for (size_t i = 0; i < l->count; i++) {
        if (i % 65536 == 0)
            IV_TRY(iv_check_work(work, 0.0, err));
        l->items[i] = iv_ids_add(ids, iv_run_docno(run, topic, i));
        if (l->items[i] == IV_NO_ID)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        l->scores[i] = iv_run_score(run, topic, i);
    }
    return IV_OK;
}

static void place(list *l, size_t documents)
{
    size_t first = 0;

    for (size_t d = 0; d < documents; d++)
        l->values[d] = -(double)l->count;
    for (size_t i = 0; i < l->count; i++) {
        if (l->scores[i] != l->scores[first])
            first = i;
        l->values[l->items[i]] = -(double)first;
        l->ranks[l->items[i]] = i + 1;
    }
}

static void count_first(iv_overlapping *out, const list *a, const list *b, size_t documents,
                        size_t top)
{
    const size_t most = least(top, a->count > b->count ? a->count : b->count);

    for (size_t d = 0; d < documents; d++) {
        const size_t ra = a->ranks[d], rb = b->ranks[d];
        const bool in_a = ra > 0 && ra <= top, in_b = rb > 0 && rb <= top;
        out->both += in_a && in_b;
        out->only_a += in_a && !in_b;
        out->only_b += in_b && !in_a;
        out->moved += (in_a || in_b) && ra != rb;
    }
    out->overlap = (double)out->both / (double)most;
    out->jaccard = (double)out->both / (double)(out->both + out->only_a + out->only_b);
}

static int compare_lists(iv_overlapping *out, const list *a, const list *b, size_t documents,
                         const iv_overlap_options *o, const iv_work *work, iv_err *err)
{
    const iv_ranked_items x = { a->items, a->scores, a->count };
    const iv_ranked_items y = { b->items, b->scores, b->count };

    IV_TRY(iv_rbo_of(&out->rbo, &x, &y, documents, o->persistence, o->ties, err));
    IV_TRY(iv_check_work(work, 0.0, err));
    out->tau = NAN;
    const int rc = iv_kendall(&out->tau, a->values, b->values, documents, err);
    if (rc != IV_ENODATA) /* else all documents of a run are tied */
        IV_TRY(rc);
    IV_TRY(iv_check_work(work, 0.0, err));
    count_first(out, a, b, documents, o->top == 0 ? 10 : o->top);
    return iv_tau_ap_b(&out->tau_ap, a->values, b->values, documents, err);
}

static void make_room(list *l, iv_arena *memory, size_t count, size_t documents)
{
    l->count = count;
    l->items = iv_take(memory, count, sizeof *l->items);
    l->scores = iv_take(memory, count, sizeof *l->scores);
    l->values = iv_take(memory, documents, sizeof *l->values);
    l->ranks = iv_take(memory, documents, sizeof *l->ranks);
}

int iv_run_overlap(iv_overlapping *out, const iv_run *a, size_t at_a, const iv_run *b,
                   size_t at_b, const iv_overlap_options *options, const iv_work *work,
                   iv_err *err)
{
    const iv_overlap_options o = options != NULL ? *options : (iv_overlap_options){ 0 };
    const size_t cut = o.depth == 0 ? SIZE_MAX : o.depth;
    const size_t na = least(iv_run_depth(a, at_a), cut), nb = least(iv_run_depth(b, at_b), cut);
    iv_overlapping found = { 0 };
    iv_arena memory = { 0 };
    iv_ids ids = { 0 };
    list x, y;

    make_room(&x, &memory, na, na + nb);
    make_room(&y, &memory, nb, na + nb);
    int rc = iv_taken(&memory, err);
    if (rc == IV_OK)
        rc = number(&x, &ids, a, at_a, work, err);
    if (rc == IV_OK)
        rc = number(&y, &ids, b, at_b, work, err);
    if (rc == IV_OK) {
        place(&x, ids.count);
        place(&y, ids.count);
        rc = compare_lists(&found, &x, &y, ids.count, &o, work, err);
    }
    if (rc == IV_OK)
        *out = found;
    iv_ids_free(&ids);
    iv_arena_free(&memory);
    return rc;
}

