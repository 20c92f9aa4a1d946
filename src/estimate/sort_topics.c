/* SPDX-License-Identifier: Apache-2.0 */
/* Judged topics in another order than that of bytes: sorted, with the scores of all runs. */
#include "estimate/estimate_parts.h"

static int by_judged(const void *a, const void *b)
{
    const iv_scored_topic *x = a, *y = b;

    return (x->judged > y->judged) - (x->judged < y->judged);
}

/* Moves things of `size` bytes: what was at from[i].in_run goes to i. */
static bool move(void *array, const iv_scored_topic *from, size_t count, size_t size)
{
    char *copy = array == NULL || size == 0 ? NULL : malloc(count * size + 1);

    if (array == NULL || size == 0)
        return true;
    if (copy == NULL)
        return false;
    memcpy(copy, array, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy((char *)array + i * size, copy + from[i].in_run * size, size);
    free(copy);
    return true;
}

static bool sort_run(iv_scores *s, const uint32_t *place, size_t width)
{
    iv_scored_topic *order = malloc((s->topics + 1) * sizeof *order);

    if (order == NULL)
        return false;
    for (size_t t = 0; t < s->topics; t++) {
        s->topic[t].judged = place[s->topic[t].judged];
        order[t] = (iv_scored_topic){ s->topic[t].judged, (uint32_t)t };
    }
    for (size_t i = 0; i < s->missing_count; i++)
        s->missing[i] = place[s->missing[i]];
    if (s->missing_count > 0)
        qsort(s->missing, s->missing_count, sizeof *s->missing, iv_rising_sizes);
    if (s->topics > 0)
        qsort(order, s->topics, sizeof *order, by_judged);
    const bool good = move(s->topic, order, s->topics, sizeof *s->topic)
        && move(s->rows, order, s->topics, width * sizeof *s->rows)
        && move(s->bounds, order, s->topics, width * sizeof *s->bounds)
        && move(s->ties, order, s->topics, width * sizeof *s->ties)
        && move(s->texts, order, s->topics, s->text_count * sizeof *s->texts);
    free(order);
    return good;
}

int iv_sort_topics(iv_evaluation *e, iv_err *err)
{
    const size_t n = e->view.judged_topics;
    iv_named *sorted = malloc((n + 1) * sizeof *sorted);
    uint32_t *place = malloc((n + 1) * sizeof *place);
    bool good = sorted != NULL && place != NULL;

    for (size_t t = 0; good && t < n; t++)
        sorted[t] = (iv_named){ e->judged_names[t], t };
    if (good && n > 0)
        qsort(sorted, n, sizeof *sorted, iv_rising_texts);
    for (size_t t = 0; good && t < n; t++) {
        e->judged_names[t] = sorted[t].name;
        place[sorted[t].at] = (uint32_t)t;
    }
    free(sorted);
    for (size_t r = 0; good && r < e->view.run_count; r++)
        good = sort_run(e->scores[r], place, e->task.width);
    free(place);
    return good ? IV_OK : iv_no_memory(err);
}
