/* SPDX-License-Identifier: Apache-2.0 */
/* eval with a machine's labels, topic by topic. */
#include <math.h>

#include "answer/answer_columns.h"
#include "answer/assisted_parts.h"
#include "estimate/assisted_state.h"

typedef struct line {
    const char *run, *measure;
    iv_str topic;
    double value, lower, upper, human, machine;
} line;

const iv_field iv_eval_assisted_topic_fields[] = {
    { "run", IV_AT(line, run), .about = "its tag, or its file" },
    { "measure", IV_AT(line, measure), .about = "as it was asked for" },
    { "topic", IV_AT(line, topic), .about = "its id" },
    { "value", IV_AT(line, value), .digits = 4,
      .about = "of a sampled topic people and the machine combined; of one judged in full people's" },
    { "lower", IV_AT(line, lower), .digits = 4, .about = "end of its interval, of a sampled topic" },
    { "upper", IV_AT(line, upper), .digits = 4, .about = "the other end" },
    { "human", IV_AT(line, human), .digits = 4, .about = "people alone; empty: not judged" },
    { "machine", IV_AT(line, machine), .digits = 4, .about = "the machine alone" },
    { NULL } };

/* Topics of people and of the machine, both in byte order, each once. */
static size_t merge(size_t *human, size_t *machine, const iv_evaluated *h, const iv_evaluated *m)
{
    size_t i = 0, k = 0, n = 0;

    while (i < h->topic_count || k < m->topic_count) {
        const int order = i == h->topic_count ? 1 : k == m->topic_count ? -1
            : iv_str_cmp(h->topics[i], m->topics[k]);
        human[n] = order <= 0 ? i++ : IV_NONE;
        machine[n++] = order >= 0 ? k++ : IV_NONE;
    }
    return n;
}

static line line_of(const iv_assisted_view *v, const iv_evaluation *values, size_t run,
                    size_t measure, size_t human, size_t machine)
{
    const iv_evaluated *h = iv_evaluation_view(v->human), *m = iv_evaluation_view(v->machine);
    const double nan = (double)NAN;
    line l = { h->runs[run].name, h->measures[measure].name,
               human != IV_NONE ? h->topics[human] : m->topics[machine], nan, nan, nan, nan, nan };

    if (machine != IV_NONE)
        l.machine = iv_evaluation_value(v->machine, run, measure, machine).value;
    if (human == IV_NONE)
        return l;
    l.human = iv_evaluation_value(v->human, run, measure, human).value;
    const iv_estimate e = iv_evaluation_value(values, run, measure, human);
    l.value = e.value;
    if (h->sampling != NULL) {
        l.lower = e.lower;
        l.upper = e.upper;
    }
    return l;
}

int iv_eval_assisted_topics(iv_result *out, iv_arena *memory, const iv_assisted *a, iv_err *err)
{
    const iv_assisted_view *v = iv_assisted_viewed(a);
    const iv_evaluated *h = iv_evaluation_view(v->human), *m = iv_evaluation_view(v->machine);
    const size_t most = h->topic_count + m->topic_count;
    size_t *human = iv_take(memory, most, sizeof *human), n = 0;
    size_t *machine = iv_take(memory, most, sizeof *machine);

    IV_TRY(iv_taken(memory, err));
    const size_t topics = merge(human, machine, h, m);
    line *lines = iv_take(memory, topics * h->run_count * h->measure_count + 1, sizeof *lines);
    IV_TRY(iv_taken(memory, err));
    for (size_t k = 0; k < h->measure_count; k++)
        for (size_t r = 0; r < h->run_count && !h->measures[k].text && h->measures[k].per_topic; r++)
            for (size_t t = 0; t < topics; t++)
                lines[n++] = line_of(v, iv_assisted_values(a, k), r, k, human[t], machine[t]);
    (void)iv_result_rows(out, &(iv_rows){ "topics", iv_eval_assisted_topic_fields, lines, n,
                                          sizeof *lines });
    return IV_OK;
}
