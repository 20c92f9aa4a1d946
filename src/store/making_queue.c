/* SPDX-License-Identifier: Apache-2.0 */
/* A queue: of two and more runs what would tell them apart, most telling first; of one run its
 * documents from the top, topic after topic. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "design/inquiry_parts.h"
#include "intervale/design.h"
#include "store/bibliography.h"
#include "store/making.h"
#include "trec/trec_private.h"

/* The runs, the judgments that are there (NULL: none), what is left to judge. */
typedef struct queueing {
    iv_making *m;
    iv_run **runs;
    size_t run_count;
    iv_judgments *judged;
} queueing;

static bool is_judged(const queueing *q, iv_str topic, iv_str docno, int32_t *grade)
{
    const size_t t = q->judged == NULL ? IV_NONE : iv_judgments_find_topic(q->judged, topic);
    const iv_judgment *j = t == IV_NONE ? NULL : iv_judgments_find(q->judged, t, docno);

    if (j == NULL || j->grade < 0)
        return false;
    *grade = j->grade;
    return true;
}

static bool enough(const iv_making *m)
{
    return m->plan->count > 0 && m->count >= m->plan->count;
}

static int rank_order(queueing *q, iv_err *err)
{
    const iv_run *run = q->runs[0];
    int32_t grade = 0;

    for (size_t t = 0; t < iv_run_topics(run); t++) {
        const size_t depth = iv_run_depth(run, t), most = q->m->plan->depth;
        for (size_t r = 0; r < (most > 0 && most < depth ? most : depth); r++)
            if (!enough(q->m) && !is_judged(q, iv_run_topic(run, t), iv_run_docno(run, t, r),
                                            &grade))
                IV_TRY(iv_making_add(q->m, iv_run_topic(run, t), iv_run_docno(run, t, r), 0, 0,
                                     err));
    }
    return IV_OK;
}

/* Where the control's relevant documents stand in the run: each is met when as many of the
 * queue are judged as stand before it. */
static int list_known(queueing *q, iv_err *err)
{
    const iv_run *run = q->runs[0];
    const iv_str topic = iv_run_topic(run, 0);
    const size_t depth = iv_run_depth(run, 0);
    const iv_judgment *j;
    const size_t t = iv_judgments_find_topic(q->judged, topic);
    const size_t count = t == IV_NONE ? 0 : iv_judgments_of(&j, q->judged, t);
    size_t place = 0, len = 0;

    q->m->known = iv_take(&q->m->memory, 21 * (count + 1), 1);
    if (q->m->known == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < count; i++)
        q->m->known_count += j[i].grade >= q->m->level;
    for (size_t r = 0; r < depth; r++) {
        int32_t grade = 0;
        if (!is_judged(q, topic, iv_run_docno(run, 0, r), &grade))
            place++;
        else if (grade >= q->m->level)
            len += (size_t)sprintf(q->m->known + len, "%zu ", place);
    }
    return IV_OK;
}

/* What the control knew of relevant documents, for the rule that stops at so many of them. */
static int note_known(queueing *q, iv_err *err)
{
    for (size_t t = 0; q->judged != NULL && t < iv_judgments_topics(q->judged); t++) {
        const iv_judgment *j;
        const size_t count = iv_judgments_of(&j, q->judged, t);
        for (size_t i = 0; i < count; i++)
            q->m->judged_before += j[i].grade >= 0;
    }
    if (q->m->stop != IV_STORE_STOP_QBCB)
        return IV_OK;
    if (q->run_count != 1 || iv_run_topics(q->runs[0]) != 1 || q->m->judged_before == 0)
        return iv_fail(err, IV_EARG, "the rule qbcb, expected with one run of one topic and "
                       "judgments of a random control sample");
    return list_known(q, err);
}

static int telling_order(queueing *q, iv_err *err)
{
    iv_arena *a = &q->m->memory;
    const iv_pooled_options pool = { .depth = q->m->plan->depth,
                                     .level = q->m->level == 0 ? IV_ZERO
                                         : (int32_t)q->m->level };
    iv_pooled *pooled = NULL;
    iv_inquiry *inquiry = NULL;
    size_t *all = iv_take(a, q->run_count, sizeof *all), most = 0;

    if (all == NULL)
        return iv_no_memory(err);
    for (size_t r = 0; r < q->run_count; r++)
        all[r] = r;
    IV_TRY(iv_pooled_new(&pooled, (const iv_run *const *)q->runs, q->run_count, q->judged, &pool,
                         q->m->work, err));
    if (iv_own(a, pooled, (void (*)(void *))iv_pooled_free) == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_inquiry_new(&inquiry, pooled, all, q->run_count, NULL, q->m->work, err));
    if (iv_own(a, inquiry, (void (*)(void *))iv_inquiry_free) == NULL)
        return iv_no_memory(err);
    for (size_t t = 0; t < iv_pooled_topics(pooled); t++)
        most += iv_pooled_documents(pooled, t);
    if (q->m->plan->count > 0 && q->m->plan->count < most)
        most = q->m->plan->count;
    iv_candidate *list = iv_take(a, most + 1, sizeof *list);
    if (list == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_inquiry_list(list, &most, inquiry, q->m->work, err));
    for (size_t i = 0; i < most; i++)
        IV_TRY(iv_making_add(q->m, iv_inquiry_topic_id(inquiry, list[i].topic),
                             iv_inquiry_docno(inquiry, list[i].topic, list[i].document), 0, 0,
                             err));
    return IV_OK;
}

/* The judgments as they are, and a line with -1 for each document. */
static int write_form(queueing *q, iv_str before, iv_err *err)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (out == NULL)
        return iv_no_memory(err);
    (void)fwrite(before.ptr, 1, before.len, out);
    if (before.len > 0 && before.ptr[before.len - 1] != '\n')
        (void)fputc('\n', out);
    for (size_t i = 0; i < q->m->count; i++) {
        const iv_str topic = q->m->topics.names[q->m->items[i].topic];
        const iv_str docno = q->m->documents.names[q->m->items[i].document];
        const size_t t = q->judged == NULL ? IV_NONE : iv_judgments_find_topic(q->judged, topic);
        if (t != IV_NONE && iv_judgments_find(q->judged, t, docno) != NULL)
            continue; /* it has a line, with -1 */
        (void)fprintf(out, "%.*s 0 %.*s -1\n", (int)topic.len, topic.ptr, (int)docno.len,
                      docno.ptr);
    }
    const bool failed = fclose(out) != 0;
    if (failed || iv_own(&q->m->memory, text, free) == NULL)
        return iv_no_memory(err);
    q->m->form = (iv_str){ text, len };
    return IV_OK;
}

/* References as a run: one topic, in the order of the file, without duplicates. */
static int run_of_references(iv_run **out, iv_making *m, const char *path, iv_err *err)
{
    iv_bibliography b = { 0 };
    size_t n = 0;

    IV_TRY(iv_bibliography_load(&b, &m->memory, path, m->work, err));
    iv_str *topics = iv_take(&m->memory, b.count, sizeof *topics);
    iv_str *docs = iv_take(&m->memory, b.count, sizeof *docs);
    if (topics == NULL || docs == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < b.count; i++) {
        if (b.at[i].duplicate)
            continue;
        topics[n] = iv_str_of(IV_BIBLIOGRAPHY_TOPIC);
        docs[n++] = b.at[i].id;
    }
    m->duplicates = b.duplicates;
    m->skipped = b.skipped;
    return iv_run_build(out, path, &(iv_run_columns){ n, { .strs = topics }, { .strs = docs } },
                        m->work, err);
}

static int read_files(queueing *q, iv_str *before, iv_err *err)
{
    iv_making *m = q->m;
    const iv_session_plan *p = m->plan;

    q->run_count = p->queue.count;
    q->runs = iv_take(&m->memory, q->run_count + 1, sizeof *q->runs);
    if (q->runs == NULL)
        return iv_no_memory(err);
    if (q->run_count == 1 && iv_bibliography_is(p->queue.at[0]))
        IV_TRY(run_of_references(&q->runs[0], m, p->queue.at[0], err));
    else
        IV_TRY(iv_runs_load(q->runs, p->queue.at, q->run_count, IV_RUN_ANY, m->work, err));
    for (size_t r = 0; r < q->run_count; r++)
        if (iv_own(&m->memory, q->runs[r], (void (*)(void *))iv_run_free) == NULL)
            return iv_no_memory(err);
    if (p->judged == NULL)
        return IV_OK;
    IV_TRY(iv_making_text(before, m, p->judged, err));
    if (before->len == 0)
        return IV_OK; /* nothing is judged yet */
    IV_TRY(iv_judgments_parse(&q->judged, p->judged, before->ptr, before->len, IV_JUDGMENTS_ANY,
                              m->work, err));
    if (iv_own(&m->memory, q->judged, (void (*)(void *))iv_judgments_free) == NULL)
        return iv_no_memory(err);
    if (iv_judgments_format_of(q->judged) != IV_JUDGMENTS_QRELS)
        return iv_fail_at(err, IV_EPARSE, p->judged, 0, "is in the format %s, expected qrels",
                          iv_judgments_format_names()[iv_judgments_format_of(q->judged)]);
    return IV_OK;
}

int iv_making_queue(iv_making *m, iv_err *err)
{
    queueing q = { .m = m };
    iv_str before = { "", 0 };

    m->kind = IV_STORE_QUEUE;
    IV_TRY(read_files(&q, &before, err));
    IV_TRY(q.run_count == 1 ? rank_order(&q, err) : telling_order(&q, err));
    IV_TRY(note_known(&q, err));
    if (m->count == 0)
        return iv_fail(err, IV_ENODATA, "every document that the runs return is judged");
    return write_form(&q, before, err);
}
