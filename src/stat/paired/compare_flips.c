/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The randomisation test of all pairs.  Systems with the same topics form a
 * class; the pairs of two classes share the same topics and are flipped at
 * once, with the p that each would have by itself.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "stat/paired/compare_parts.h"

/* Fewer pairs at once than this are as quick one by one. */
enum { FEW = 3 };

static bool same_topics(const double *a, const double *b, size_t topics)
{
    for (size_t t = 0; t < topics; t++) {
        if (isnan(a[t]) != isnan(b[t]))
            return false;
    }
    return true;
}

/* class_of[s], numbered from 0 by first member; returns how many there are. */
static size_t find_classes(size_t *class_of, size_t *first, const iv_comparison *c)
{
    size_t count = 0;

    for (size_t s = 0; s < c->systems; s++) {
        size_t k = 0;
        while (k < count && !same_topics(c->values + s * c->topics,
                                         c->values + first[k] * c->topics, c->topics))
            k++;
        if (k == count)
            first[count++] = s;
        class_of[s] = k;
    }
    return count;
}

/* Memory for one pair of classes at a time. */
typedef struct room {
    size_t *class_of, *first, *members;
    double *values, *p;
} room;

static bool room_new(room *r, const iv_comparison *c)
{
    r->class_of = malloc(c->systems * sizeof *r->class_of);
    r->first = malloc(c->systems * sizeof *r->first);
    r->members = malloc(c->systems * sizeof *r->members);
    r->values = malloc((c->systems * c->topics + 1) * sizeof *r->values);
    r->p = malloc(iv_pair_count(c->systems) * sizeof *r->p);
    return r->class_of != NULL && r->first != NULL && r->members != NULL && r->values != NULL
        && r->p != NULL;
}

static void room_free(room *r)
{
    free(r->class_of);
    free(r->first);
    free(r->members);
    free(r->values);
    free(r->p);
}

/* The members of both classes on the topics they share; returns how many. */
static size_t take_shared(room *r, size_t *members, const iv_comparison *c, size_t x, size_t y)
{
    const double *a = c->values + r->first[x] * c->topics;
    const double *b = c->values + r->first[y] * c->topics;
    size_t n = 0, at = 0;

    *members = 0;
    for (size_t t = 0; t < c->topics; t++)
        n += !isnan(a[t]) && !isnan(b[t]);
    for (size_t s = 0; s < c->systems; s++) {
        if (r->class_of[s] != x && r->class_of[s] != y)
            continue;
        r->members[(*members)++] = s;
        for (size_t t = 0; t < c->topics; t++) {
            if (!isnan(a[t]) && !isnan(b[t]))
                r->values[at++] = c->values[s * c->topics + t];
        }
    }
    return n;
}

/* Flips the pairs of which one system is in class x, the other in y. */
static int flip_classes(iv_comparison *c, size_t k, bool *done, room *r, size_t x, size_t y,
                        const iv_work *work, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    size_t members;
    const size_t n = take_shared(r, &members, c, x, y);
    const iv_score_grid grid = { r->values, members, n };
    int rc;

    if (n <= IV_FLIPS_EXACT || iv_pair_count(members) < FEW)
        return IV_OK; /* exact, or few: one by one */
    rc = iv_randomisation_pairs(r->p, &grid, o->permutations, o->alternative, work, err);
    for (size_t i = 0; rc == IV_OK && i < members; i++) {
        for (size_t j = i + 1; j < members; j++) {
            const size_t a = r->members[i], b = r->members[j];
            const size_t pair = iv_pair_index(c->systems, a, b);
            if (x != y && r->class_of[a] == r->class_of[b])
                continue;
            c->tests[pair * o->test_count + k].test = (iv_test){
                .p = r->p[iv_pair_index(members, i, j)],
                .statistic = c->pairs[pair].found.mean, .used = n };
            done[pair] = true;
        }
    }
    return rc;
}

int iv_compare_flips(iv_comparison *c, size_t k, bool *done, const iv_work *work, iv_err *err)
{
    room r = { 0 };
    int rc = room_new(&r, c) ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");

    if (rc == IV_OK) {
        const size_t classes = find_classes(r.class_of, r.first, c);
        const double all = (double)(iv_pair_count(classes) + classes);
        size_t seen = 0;
        for (size_t x = 0; x < classes && rc == IV_OK; x++) {
            for (size_t y = x; y < classes && rc == IV_OK; y++, seen++) {
                iv_stage stage;
                const iv_work *part = iv_work_part(&stage, work, (double)seen / all,
                                                   (double)(seen + 1) / all);
                rc = flip_classes(c, k, done, &r, x, y, part, err);
            }
        }
    }
    room_free(&r);
    return rc;
}
