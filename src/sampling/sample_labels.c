/* SPDX-License-Identifier: Apache-2.0 */
/* sample: documents with automatic labels, for people to label by a design that eval knows. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "num/draw.h"
#include "result/answering.h"
#include "sampling/sample_labels.h"
#include "trec/judgments.h"
#include "trec/machine_labels.h"
#include "trec/trec_ends.h"

IV_NAMES(iv_human_design_names, "stated", "random", "by-topic", "topics",
         "strata", "clusters")

enum { USUAL_BUDGET = 20, STREAM = 7 };

typedef struct drawing {
    const iv_sample_question *q;
    iv_judgments *labels;
    iv_arena *own;
    iv_stream stream;
    iv_named *all; /* labelled documents and their topics, those chosen first */
    size_t count, chosen, topics;
} drawing;

/* Puts `most` at random of those from `from` to `to` into the places from `at` on, in random order:
 * what was judged so far, from the first line on, is a random sample, too. */
static size_t shuffle(drawing *d, size_t at, size_t from, size_t to, size_t most)
{
    size_t n = 0;

    for (; n < most && from + n < to; n++) {
        const size_t k = from + n + (size_t)iv_draw_below(&d->stream, to - from - n);
        const iv_named x = d->all[k];
        d->all[k] = d->all[from + n];
        d->all[from + n] = d->all[at + n];
        d->all[at + n] = x;
    }
    return n;
}

static void draw_by_topic(drawing *d, size_t budget)
{
    for (size_t from = 0, to; from < d->count; from = to) {
        for (to = from; to < d->count && d->all[to].at == d->all[from].at;)
            to++;
        /* Places before `from` hold what earlier topics lost: swapped, never overwritten. */
        d->chosen += shuffle(d, d->chosen, from, to, budget);
    }
}

/* Whole topics, budget of them. */
static int draw_topics(drawing *d, size_t budget, iv_err *err)
{
    bool *taken = iv_take(d->own, d->topics + 1, sizeof *taken);

    IV_TRY(iv_taken(d->own, err));
    for (size_t t = 0, left = d->topics, need = budget; t < d->topics; t++, left--)
        if (iv_draw_below(&d->stream, left) < need) {
            taken[t] = true;
            need--;
        }
    for (size_t i = 0; i < d->count; i++)
        if (taken[d->all[i].at]) {
            const iv_named x = d->all[i];
            d->all[i] = d->all[d->chosen];
            d->all[d->chosen++] = x;
        }
    return IV_OK;
}

static int list_labelled(drawing *d, iv_err *err)
{
    const iv_judgment *j;
    size_t all = 0;

    d->topics = iv_judgments_topics(d->labels);
    for (size_t t = 0; t < d->topics; t++)
        all += iv_judgments_of(&j, d->labels, t);
    d->all = iv_take(d->own, all + 1, sizeof *d->all);
    IV_TRY(iv_taken(d->own, err));
    for (size_t t = 0; t < d->topics; t++) {
        const size_t n = iv_judgments_of(&j, d->labels, t);
        for (size_t i = 0; i < n; i++)
            if (j[i].grade >= 0)
                d->all[d->count++] = (iv_named){ j[i].docno, t };
    }
    return IV_OK;
}

static int draw(drawing *d, iv_err *err)
{
    const iv_sample_question *q = d->q;
    const size_t budget = q->how.budget > 0 ? (size_t)q->how.budget : USUAL_BUDGET;

    IV_TRY(list_labelled(d, err));
    switch (q->human_design) {
    case IV_HUMAN_RANDOM:
        d->chosen = shuffle(d, 0, 0, d->count,
                            q->how.total > 0 ? (size_t)q->how.total : budget * d->topics);
        return IV_OK;
    case IV_HUMAN_BY_TOPIC:
        draw_by_topic(d, budget);
        return IV_OK;
    default:
        return draw_topics(d, budget, err);
    }
}

int32_t iv_sample_grade(iv_sample_grades *g, iv_str topic, iv_str docno)
{
    const size_t t = g->known == NULL ? IV_NONE : iv_judgments_find_topic(g->known, topic);
    const iv_judgment *j = t == IV_NONE ? NULL : iv_judgments_find(g->known, t, docno);
    const int32_t grade = j == NULL || j->grade < 0 ? -1 : j->grade;

    g->chosen++;
    g->filled += grade >= 0;
    return grade;
}

const char *iv_sample_filled(char out[IV_SAMPLE_FILLED_SIZE], const iv_sample_grades *g)
{
    const size_t left = g->chosen - g->filled;

    out[0] = '\0';
    if (g->known != NULL)
        (void)snprintf(out, IV_SAMPLE_FILLED_SIZE, " Labels fill in %s of them; %s %s left to "
                       "judge.", IV_COUNT(g->filled), IV_COUNT(left), left == 1 ? "is" : "are");
    return out;
}

int iv_sample_put(FILE *f, iv_sample_grades *g, iv_str topic, iv_str docno, iv_err *err)
{
    const int32_t grade = iv_sample_grade(g, topic, docno);

    if (f != NULL && fprintf(f, "%.*s 0 %.*s %d\n", (int)topic.len, topic.ptr, (int)docno.len,
                             docno.ptr, (int)grade) < 0)
        return iv_fail(err, IV_EIO, "the file of documents cannot be written");
    return IV_OK;
}

static int write(FILE *f, const drawing *d, iv_sample_grades *grades, iv_err *err)
{
    for (size_t i = 0; i < d->chosen; i++)
        IV_TRY(iv_sample_put(f, grades, iv_judgments_topic(d->labels, d->all[i].at),
                             d->all[i].name, err));
    return IV_OK;
}

int iv_sample_labels(iv_result *out, const iv_sample_question *q, iv_sample_grades *grades,
                     const iv_work *work, iv_err *err)
{
    char filled[IV_SAMPLE_FILLED_SIZE];
    drawing d = { .q = q, .own = iv_result_own(out), .stream = iv_stream_start(work != NULL
                                                    && work->seed != 0 ? work->seed : 1,
                                                    STREAM, 0) };
    typedef iv_sample_question T;
    bool scored;

    if (q->human_design == IV_HUMAN_STATED)
        return iv_fail(err, IV_EARG, "automatic labels need --human-design random, by-topic or "
                       "topics");
    if (q->from.runs.count > 0)
        return iv_fail(err, IV_EARG, "documents with automatic labels are sampled without runs");
    IV_TRY(IV_REFUSE(q, "with --machine", err, IV_IDLE(depth, "depth"),
        IV_IDLE(how.design, "design"), IV_IDLE(how.strata.count, "strata"),
        IV_IDLE(how.rates.count, "rates"), IV_IDLE(how.spread, "divide"),
        IV_IDLE(how.pool_depth, "pool-depth"), IV_IDLE(how.budget_depth, "budget-depth"),
        IV_IDLE(from.judgments, "judged"), IV_IDLE(from.run_format, "run-format"),
        IV_IDLE(weights, "weights")));
    if (q->human_design != IV_HUMAN_RANDOM)
        IV_TRY(IV_REFUSE(q, "with this --human-design", err, IV_IDLE(how.total, "total")));
    if (q->how.total > 0)
        IV_TRY(IV_REFUSE(q, "with --total", err, IV_IDLE(how.budget, "budget")));
    IV_TRY(iv_machine_labels_load(&d.labels, &scored, q->machine, IV_JUDGMENTS_ANY, work, err));
    IV_TRY(IV_KEEP(out, judgments, d.labels, err));
    iv_result_input(out, q->machine, iv_judgments_bytes(d.labels));
    IV_TRY(draw(&d, err));
    IV_TRY(write(NULL, &d, grades, err)); /* counts */
    iv_result_answer(out, "%s of %s labelled documents are to be labelled by people (%s).%s",
                     IV_COUNT(d.chosen), IV_COUNT(d.count),
                     iv_human_design_names()[q->human_design], iv_sample_filled(filled, grades));
    IV_TRY(iv_result_status(out, err)); /* before anything is written */
    return q->form != NULL ? write(q->form, &d, grades, err) : IV_OK;
}
