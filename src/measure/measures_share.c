/* SPDX-License-Identifier: Apache-2.0 */
/* Which prepared arrays each measure reads: those that look alike share one. */
#include <stdlib.h>

#include "measure/measure_parts.h"

static size_t share_view(iv_measures *m, const iv_asked *a)
{
    size_t i = 0;

    while (i < m->view_count
           && (m->view[i].level != a->level
               || m->view[i].judged_only != a->judged_only))
        i++;
    if (i == m->view_count)
        m->view[m->view_count++] = (iv_view){ .level = a->level,
                                              .judged_only = a->judged_only };
    return i;
}

static bool same_gains(const iv_gains *g, const iv_asked *a)
{
    if (g->exponential != a->exponential || g->judged_only != a->judged_only
        || g->pair_count != a->pair_count)
        return false;
    for (size_t i = 0; i < g->pair_count; i++)
        if (g->pair[i].grade != a->pair[i].grade
            || g->pair[i].gain != a->pair[i].gain)
            return false;
    return true;
}

static size_t share_gains(iv_measures *m, const iv_asked *a)
{
    size_t i = 0;

    while (i < m->gains_count && !same_gains(&m->gains[i], a))
        i++;
    if (i == m->gains_count)
        m->gains[m->gains_count++] = (iv_gains){ .pair = a->pair,
                                                 .pair_count = a->pair_count,
                                                 .exponential = a->exponential,
                                                 .judged_only = a->judged_only };
    return i;
}

static size_t share_power(iv_measures *m, const iv_asked *a)
{
    size_t i = 0;

    while (i < m->power_count && m->power[i] != a->persistence)
        i++;
    if (i == m->power_count)
        m->power[m->power_count++] = a->persistence;
    return i;
}

int iv_measures_share(iv_measures *m, iv_err *err)
{
    const size_t most = m->asked_count + 1;

    m->view = iv_take(&m->arena, most, sizeof *m->view);
    m->gains = iv_take(&m->arena, most, sizeof *m->gains);
    m->power = iv_take(&m->arena, most, sizeof *m->power);
    IV_TRY(iv_taken(&m->arena, err));
    for (size_t i = 0; i < m->asked_count; i++) {
        iv_asked *a = &m->asked[i];
        m->reads |= a->is->reads;
        a->view = share_view(m, a);
        if (a->is->reads & IV_READS_GAINS)
            a->gains = share_gains(m, a);
        if (a->is->reads & IV_READS_POWERS)
            a->powers = share_power(m, a);
    }
    return IV_OK;
}
