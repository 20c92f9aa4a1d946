/* SPDX-License-Identifier: Apache-2.0 */
/* Strata by the best rank that any run gives a document. */
#include <math.h>
#include <stdlib.h>

#include "design/sampling_state.h"

typedef struct strata {
    size_t depth[IV_STRATA_MAX + 4];
    size_t size[IV_STRATA_MAX + 4], drawn[IV_STRATA_MAX + 4];
    double weight[IV_STRATA_MAX + 4];
    size_t count;
} strata;

static int by_best(const void *va, const void *vb)
{
    const iv_frame_document *a = va, *b = vb;

    if (a->best != b->best)
        return a->best < b->best ? -1 : 1;
    return iv_str_cmp(a->docno, b->docno);
}

/* The depths to use; the last stratum takes all that is deeper. */
static void set_depths(strata *s, const iv_sample_options *o)
{
    static const size_t usual[] = { 10, 30, 100 };

    s->count = o->strata.count > 0 ? o->strata.count : 3;
    for (size_t h = 0; h < s->count; h++)
        s->depth[h] = o->strata.count > 0 ? (size_t)o->strata.at[h] : usual[h];
    s->depth[s->count++] = SIZE_MAX;
}

/* Counts the documents (in order of best rank) and drops empty strata. */
static int fill(strata *s, const iv_drawn_topic *t, const iv_sample_options *o, iv_err *err)
{
    size_t kept = 0, at = 0;

    for (size_t h = 0; h < s->count; h++) {
        size_t size = 0;
        double weight = 0.0;
        for (; at < t->open_count && t->open[at].best <= s->depth[h]; at++, size++)
            weight += t->open[at].weight;
        if (size == 0)
            continue;
        if (o->rates.count > 0 && h >= o->rates.count)
            return iv_fail(err, IV_EARG, "%zu rates, but the frame has documents in stratum "
                           "%zu, at best rank %u", o->rates.count, h + 1,
                           (unsigned)t->open[at - 1].best);
        if (o->rates.count > 0)
            s->drawn[kept] = (size_t)fmax(1.0, floor(o->rates.at[h] * (double)size + 0.5));
        s->size[kept] = size;
        s->weight[kept++] = weight;
    }
    s->count = kept;
    return IV_OK;
}

int iv_stratify(iv_drawn_topic *t, const iv_sample_options *o, iv_err *err)
{
    strata s = { .count = 0 };

    set_depths(&s, o);
    qsort(t->open, t->open_count, sizeof *t->open, by_best);
    int rc = fill(&s, t, o, err);
    if (rc == IV_OK && o->rates.count == 0) {
        rc = iv_divide_budget(s.drawn, s.weight, s.size, s.count, t->asked, NULL);
        if (rc != IV_OK)
            rc = iv_fail(err, rc, "%zu documents cannot be drawn from %zu strata: at least "
                         "one each", t->asked, s.count);
    }
    if (rc == IV_OK)
        rc = iv_scheme_strata(&t->scheme, s.size, s.drawn, s.count, err);
    return rc;
}
