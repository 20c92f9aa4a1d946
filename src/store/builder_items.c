/* SPDX-License-Identifier: Apache-2.0 */
/* What a session is made of: options, a design, a queue of runs or references, strata of a
 * review. */
#include "active/judging_state.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/draw.h"
#include "sampling/sample_state.h"
#include "sampling/sample_comments.h"
#include "stat/sequential/stopping.h"
#include "store/builder_items.h"
#include "trec/families.h"
#include "store/queue.h"
#include "store/session_export.h"
#include "store/store_open.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "trec/strata.h"
#include "trec/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What a plan may say, and what it means when it says nothing. */

/* A design is read as eval will read it, before anybody judges. */

/* The first document of the design that has no line to be judged in. */
static int without_line(const iv_judgments *j, const iv_sampling *s, const char *name, iv_err *err)
{
    iv_sample_comments l = { .found = false };
    int rc = iv_sample_comments_read(&l, j, name, err);

    for (size_t i = 0; i < l.count && rc == IV_OK; i++) {
        iv_str list = l.lines[i].documents, docno;
        while (rc == IV_OK && l.lines[i].kind < IV_COMMENT_REST && iv_next_word(&docno, &list)) {
            char quoted[IV_QUOTE_SIZE];
            if (iv_ids_find(&s->topics[l.lines[i].topic].absent.ids, docno) != IV_NO_ID)
                rc = iv_fail_at(err, IV_EPARSE, name, l.lines[i].line, "document %s of the sample "
                                "has no line, expected one to judge it in",
                                iv_quote(quoted, docno));
        }
    }
    iv_sample_comments_free(&l);
    return rc;
}

int iv_store_design_read(const iv_judgments *j, const char *name, iv_err *err)
{
    iv_sampling *s = NULL;

    IV_TRY(iv_sampling_new(&s, j, name, IV_UNJUDGED_NONRELEVANT, err));
    const int rc = s->source == IV_SAMPLING_WRITTEN ? without_line(j, s, name, err) : IV_OK;
    iv_sampling_free(s);
    return rc;
}

/* Adds an item behind the others; names must live as long as m. */
static int add_item(iv_builder *m, iv_str topic, iv_str docno, uint32_t stratum, uint32_t block,
                  iv_err *err)
{
    const uint32_t t = iv_ids_add(&m->topics, topic), d = iv_ids_add(&m->documents, docno);

    if (t == IV_NO_ID || d == IV_NO_ID || !IV_ROOM(m->items, m->capacity, m->count + 1))
        return iv_no_memory(err);
    m->items[m->count++] = (iv_builder_item){ t, d, stratum, block, false };
    return m->topics.count > IV_TOPICS_MOST ? iv_fail(err, IV_EARG, "more than %d topics, "
        "expected no more in one session", (int)IV_TOPICS_MOST) : IV_OK;
}

/* "wrong-design=0,privileged": what is behind = is a grade. */
static int check_tags(const iv_store_about *about, const char *tags, iv_err *err)
{
    iv_str left = iv_str_of(tags);
    int64_t grade = 0;

    while (left.len > 0) {
        const char *comma = memchr(left.ptr, ',', left.len);
        const iv_str tag = { left.ptr, comma == NULL ? left.len : (size_t)(comma - left.ptr) };
        const char *is = memchr(tag.ptr, '=', tag.len);
        left = (iv_str){ tag.ptr + tag.len, left.len - tag.len };
        if (comma != NULL)
            left = (iv_str){ left.ptr + 1, left.len - 1 };
        if (is == NULL)
            continue;
        const iv_str number = { is + 1, tag.len - (size_t)(is + 1 - tag.ptr) };
        size_t i = 0;
        if (!iv_scan_int(&grade, number, 0, INT32_MAX))
            grade = -1;
        while (i < about->grade_count && about->grades[i] != grade)
            i++;
        if (i == about->grade_count)
            return iv_fail(err, IV_EARG, "tag '%.*s', expected one of the grades behind =",
                           (int)tag.len, tag.ptr);
    }
    return IV_OK;
}

static int check_grades(iv_builder *m, iv_err *err)
{
    iv_store_about about = { .level = 0 };

    m->grades = m->plan->grades == NULL ? "0:not relevant,1:relevant" : m->plan->grades;
    IV_TRY(iv_grades_read(&about, &m->memory, iv_str_of(m->grades), err));
    const int32_t last = about.grades[about.grade_count - 1];
    m->level = m->plan->level == 0 ? 1 : m->plan->level == IV_ZERO ? 0 : m->plan->level;
    if (m->level > last)
        return iv_fail(err, IV_EARG, "relevant from grade %lld on, expected at most the highest "
                       "grade, %d", (long long)m->level, (int)last);
    return check_tags(&about, m->plan->tags == NULL ? "" : m->plan->tags, err);
}

size_t iv_store_control_least(double target)
{
    return (size_t)ceil(log(0.05) / log(target));
}

static int check_control(const iv_builder *m, iv_err *err)
{
    const size_t least = iv_store_control_least(m->plan->target);
    /* If one in 20 is relevant, these have as many with a chance of 93 % or more. */
    const double enough = 10.0 * ceil(2.0 * ((double)least + 1.5 * sqrt((double)least)));

    if (m->plan->judged != NULL ? m->plan->control == 0 : m->plan->control >= least)
        return IV_OK;
    return iv_fail(err, IV_EARG, "a recall of %g %% needs at least %zu relevant control documents; "
                   "expected --control N (N random documents, %zu or more, judged first; about "
                   "%.0f if one in 20 is relevant) or --judged QRELS (a random sample, "
                   "judged before)", 100.0 * m->plan->target, least, least, enough);
}

static int check_stop(iv_builder *m, iv_err *err)
{
    const bool ranked = m->plan->queue.count > 0 && m->plan->target > 0.0;
    const char *text = m->plan->stop != NULL ? m->plan->stop
        : m->plan->control > 0 || ranked ? "qbcb" : "none";
    const char *colon = strchr(text, ':');
    const size_t len = colon == NULL ? strlen(text) : (size_t)(colon - text);
    const char *const *names = iv_store_stop_names();
    size_t k = 0;

    while (names[k] != NULL && (strlen(names[k]) != len || memcmp(names[k], text, len) != 0))
        k++;
    m->stop = (iv_store_stop)k;
    m->stop_number = m->stop == IV_STORE_STOP_PLAN ? 5 : 0;
    if (names[k] == NULL || (colon != NULL && (m->stop != IV_STORE_STOP_PLAN
                             || !iv_scan_int(&m->stop_number, iv_str_of(colon + 1), 2, 100))))
        return iv_fail(err, IV_EARG, "stopping rule '%.40s', expected 'qbcb' (references or a "
                       "run), 'plan:LOOKS' or 'anytime' (strata), or 'none'", text);
    if (m->stop != IV_STORE_STOP_NONE && m->plan->target == 0.0)
        return iv_fail(err, IV_EARG, "a stopping rule needs a target, expected the recall to "
                           "reach");
    if (m->stop == IV_STORE_STOP_NONE && m->plan->target > 0.0)
        return iv_fail(err, IV_EARG, "a target needs a stopping rule; expected --stop plan:5, "
                       "anytime or qbcb");
    if ((m->stop == IV_STORE_STOP_PLAN || m->stop == IV_STORE_STOP_ANYTIME)
        && m->plan->strata == NULL)
        return iv_fail(err, IV_EARG, "the rule %s is for the strata of a review; expected qbcb, "
                       "which stops a queue by a control sample", names[k]);
    if (m->stop == IV_STORE_STOP_QBCB && m->plan->queue.count == 0)
        return iv_fail(err, IV_EARG, "the rule qbcb needs a queue of one run");
    if (m->stop == IV_STORE_STOP_QBCB)
        return check_control(m, err);
    if (m->plan->control > 0)
        return iv_fail(err, IV_EARG, "a control sample (--control) needs the rule qbcb");
    return IV_OK;
}

/* Behind the assessors: somebody else, or her own labels would be among those she decides on. */
static int add_adjudicator(iv_builder *m, const char *name, iv_err *err)
{
    IV_TRY(iv_assessor_name_check(name, err));
    for (size_t k = 0; k < m->assessor_count; k++)
        if (strcmp(name, m->assessors[k]) == 0)
            return iv_fail(err, IV_EARG, "adjudicator '%s' is one of the assessors; expected "
                           "somebody else, or none: then the owner decides disagreements", name);
    if (m->assessor_count == IV_ASSESSORS_MOST)
        return iv_fail(err, IV_EARG, "more than %d assessors, expected no more",
                       (int)IV_ASSESSORS_MOST);
    m->assessors[m->assessor_count++] = name;
    return IV_OK;
}

static int check_assessors(iv_builder *m, iv_err *err)
{
    char *at = iv_arena_copy(&m->memory, iv_str_of(m->plan->assessors != NULL ? m->plan->assessors
                                                                              : "assessor"));

    m->assessors = iv_take(&m->memory, IV_ASSESSORS_MOST, sizeof *m->assessors);
    IV_TRY(iv_taken(&m->memory, err));
    for (char *comma; at != NULL; at = comma) {
        comma = strchr(at, ',');
        if (comma != NULL)
            *comma++ = '\0';
        IV_TRY(iv_assessor_name_check(at, err));
        for (size_t k = 0; k < m->assessor_count; k++)
            if (strcmp(at, m->assessors[k]) == 0)
                return iv_fail(err, IV_EARG, "assessor '%s' is named twice; expected different "
                               "names", at);
        if (m->assessor_count == IV_ASSESSORS_MOST)
            return iv_fail(err, IV_EARG, "more than %d assessors, expected no more",
                           (int)IV_ASSESSORS_MOST);
        m->assessors[m->assessor_count++] = at;
    }
    if (m->plan->overlap > 0.0 && m->assessor_count < 2)
        return iv_fail(err, IV_EARG, "an overlap of %g with one assessor, expected two or more",
                       m->plan->overlap);
    return m->plan->adjudicator == NULL ? IV_OK : add_adjudicator(m, m->plan->adjudicator, err);
}

int iv_builder_options(iv_builder *m, iv_err *err)
{
    const iv_session_plan *p = m->plan;

    if ((p->design != NULL) + (p->queue.count > 0) + (p->strata != NULL) + (p->ids != NULL) != 1)
        return iv_fail(err, IV_EARG, "a design, a queue, ids or strata: expected one of these");
    if ((p->strata != NULL) != (p->lists != NULL))
        return iv_fail(err, IV_EARG, "strata and the folder of their lists, expected both");
    if (p->judged != NULL && p->queue.count == 0 && p->ids == NULL)
        return iv_fail(err, IV_EARG, "judgments that are there, expected with a queue of runs");
    if (!(p->overlap >= 0.0 && p->overlap <= 1.0) || !(p->target >= 0.0 && p->target < 1.0))
        return iv_fail(err, IV_EARG, "overlap %g and target %g, expected from 0 to 1", p->overlap,
                       p->target);
    IV_TRY(check_grades(m, err));
    IV_TRY(check_stop(m, err));
    return check_assessors(m, err);
}

int iv_store_text(iv_str *out, iv_arena *a, const char *path, const iv_work *work, iv_err *err)
{
    iv_bytes b;

    IV_TRY(iv_bytes_load(&b, path, work, err));
    const iv_str text = iv_text_of(&b);
    *out = (iv_str){ iv_arena_copy(a, text), text.len };
    iv_bytes_free(&b);
    return out->ptr == NULL ? iv_no_memory(err) : IV_OK;
}

int iv_store_names(iv_str **out, size_t *count, iv_arena *a, const char *path,
                   const iv_work *work, iv_err *err)
{
    iv_str text, word, rest;
    size_t n = 0;

    IV_TRY(iv_store_text(&text, a, path, work, err));
    iv_str *names = iv_take(a, (size_t)iv_lines_in(text) + 1, sizeof *names);
    if (names == NULL)
        return iv_no_memory(err);
    for (uint64_t line = 1; iv_next_line(&rest, &text); line++) {
        if (iv_next_word(&word, &rest))
            names[n++] = word;
        if (iv_next_word(&word, &rest))
            return iv_fail_at(err, IV_EPARSE, path, line, "two words; expected one document per "
                              "line");
    }
    *out = names;
    *count = n;
    return IV_OK;
}

/* What a file of judgments asks for: its documents with a grade below 0.  A sample is judged in
 * the order that it has or, where that is missing, at random; qrels in the order of the file. */

/* Another stream than that of the draw. */
static const uint64_t judging_key = UINT64_C(0x6a756467696e6700);

static int add_judgment(iv_builder *m, const iv_judgments *j, size_t topic, const iv_judgment *x,
                        iv_err *err)
{
    if (x->grade >= 0)
        return IV_OK;
    return add_item(m, iv_judgments_topic(j, topic), x->docno, 0, 0, err);
}

/* The certain ones first, then the others, both at random. */
static int add_at_random(iv_builder *m, const iv_judgments *j, size_t topic, iv_err *err)
{
    const iv_judgment *all;
    const size_t count = iv_judgments_of(&all, j, topic);
    const iv_judgment **order = iv_take(&m->memory, count + 1, sizeof *order);
    iv_stream s = iv_stream_start(iv_work_seed(m->work), IV_FOR_SAMPLING,
                                  iv_topic_key(iv_judgments_topic(j, topic)) ^ judging_key);

    if (order == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < count; i++)
        order[i] = &all[i];
    iv_draw_shuffle(&s, order, count, sizeof *order);
    for (int drawn = 0; drawn < 2; drawn++)
        for (size_t i = 0; i < count; i++)
            if ((order[i]->pi < 1.0) == (drawn == 1))
                IV_TRY(add_judgment(m, j, topic, order[i], err));
    return IV_OK;
}

/* "#: order TOPIC docno...": the order, if the file has it; several lines continue each other. */
static int add_in_order(bool *found, iv_builder *m, const iv_judgments *j, size_t topic,
                        iv_err *err)
{
    iv_comment c = { 0 };
    iv_str word, rest;

    *found = false;
    while (iv_judgments_next_comment(&c, j)) {
        if (c.text.len < 8 || memcmp(c.text.ptr, "#: order ", 9) != 0)
            continue;
        rest = (iv_str){ c.text.ptr + 9, c.text.len - 9 };
        if (!iv_next_word(&word, &rest) || !iv_str_eq(word, iv_judgments_topic(j, topic)))
            continue;
        *found = true;
        while (iv_next_word(&word, &rest)) {
            const iv_judgment *x = iv_judgments_find(j, topic, word);
            char quoted[IV_QUOTE_SIZE];
            if (x == NULL)
                return iv_fail_at(err, IV_EPARSE, m->plan->design, c.line, "document %s of the "
                                  "order has no line, expected those of the sample",
                                  iv_quote(quoted, word));
            IV_TRY(add_judgment(m, j, topic, x, err));
        }
    }
    return IV_OK;
}

/* What the order leaves out: nothing may be lost. */
static int add_rest(iv_builder *m, const iv_judgments *j, size_t topic, size_t from, iv_err *err)
{
    const iv_judgment *all;
    const size_t count = iv_judgments_of(&all, j, topic);
    size_t open = 0;

    for (size_t i = 0; i < count; i++)
        open += all[i].grade < 0;
    if (m->count - from == open)
        return IV_OK;
    if (m->count == from) /* the sample is judged: documents were put behind it, as next does */
        return add_at_random(m, j, topic, err);
    return iv_fail_at(err, IV_EPARSE, m->plan->design, 0, "the order of topic '%.*s' names %zu "
                      "documents to judge, expected %zu", (int)iv_judgments_topic(j, topic).len,
                      iv_judgments_topic(j, topic).ptr, m->count - from, open);
}

static int add_topic(iv_builder *m, const iv_judgments *j, size_t topic, iv_err *err)
{
    const iv_judgment *all;
    const size_t count = iv_judgments_of(&all, j, topic), from = m->count;
    bool found = false;

    for (size_t i = 0; i < count; i++)
        m->made.judged_before += all[i].grade >= 0;
    if (m->kind == IV_STORE_QUEUE) {
        for (size_t i = 0; i < count; i++)
            IV_TRY(add_judgment(m, j, topic, &all[i], err));
        return IV_OK;
    }
    IV_TRY(add_in_order(&found, m, j, topic, err));
    return found ? add_rest(m, j, topic, from, err) : add_at_random(m, j, topic, err);
}

int iv_builder_design(iv_builder *m, iv_err *err)
{
    iv_judgments *j = NULL;
    const char *path = m->plan->design;

    IV_TRY(iv_store_text(&m->form, &m->memory, path, m->work, err));
    IV_TRY(iv_judgments_parse(&j, path, m->form.ptr, m->form.len, IV_JUDGMENTS_ANY, m->work,
                              err));
    IV_TRY(iv_keep(&m->memory, j, (void (*)(void *))iv_judgments_free, err));
    const iv_judgments_format format = iv_judgments_format_of(j);
    if (format != IV_JUDGMENTS_PRELS && format != IV_JUDGMENTS_QRELS
        && format != IV_JUDGMENTS_BEIR)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is in the format %s, expected prels or qrels "
                          "with grades of -1 to fill in", iv_judgments_format_names()[format]);
    m->kind = format == IV_JUDGMENTS_PRELS ? IV_STORE_SAMPLE : IV_STORE_QUEUE;
    if (m->kind == IV_STORE_SAMPLE)
        IV_TRY(iv_store_design_read(j, path, err));
    for (size_t t = 0; t < iv_judgments_topics(j); t++)
        IV_TRY(add_topic(m, j, t, err));
    if (m->count == 0)
        return iv_fail_at(err, IV_ENODATA, path, 0, "every document is judged, expected grades "
                          "of -1 to fill in");
    return IV_OK;
}

/* A queue: of two and more runs what would tell them apart, most telling first; of one run its
 * documents from the top, topic after topic. */

static bool is_judged(const iv_builder *m, iv_str topic, iv_str docno, int32_t *grade)
{
    const size_t t = m->judged == NULL ? IV_NONE : iv_judgments_find_topic(m->judged, topic);
    const iv_judgment *j = t == IV_NONE ? NULL : iv_judgments_find(m->judged, t, docno);

    if (j == NULL || j->grade < 0)
        return false;
    *grade = j->grade;
    return true;
}

static bool enough(const iv_builder *m)
{
    return m->plan->count > 0 && m->count >= m->plan->count;
}

static int rank_order(iv_builder *m, iv_err *err)
{
    const iv_run *run = m->runs[0];
    int32_t grade = 0;

    for (size_t t = 0; t < iv_run_topics(run); t++) {
        const size_t depth = iv_run_depth(run, t), most = m->plan->depth;
        for (size_t r = 0; r < (most > 0 && most < depth ? most : depth); r++)
            if (!enough(m) && !is_judged(m, iv_run_topic(run, t), iv_run_docno(run, t, r),
                                            &grade))
                IV_TRY(add_item(m, iv_run_topic(run, t), iv_run_docno(run, t, r), 0, 0,
                                err));
    }
    return IV_OK;
}

/* The control's documents, each with how many of the queue stand before it in the run: it is met
 * when these are judged. */
static int keep_known(iv_builder *m, const size_t *place, const iv_str *docno, size_t count,
                      iv_err *err)
{
    size_t len = 0, named = 0, bytes = 1;

    for (size_t i = 0; i < count; i++)
        bytes += docno[i].len + 1;
    m->known = iv_take(&m->memory, 21 * (count + 1), 1);
    m->known_names = iv_take(&m->memory, bytes, 1);
    IV_TRY(iv_taken(&m->memory, err));
    for (size_t i = 0; i < count; i++) {
        len += (size_t)sprintf(m->known + len, "%zu ", place[i]);
        named += (size_t)sprintf(m->known_names + named, "%.*s ", (int)docno[i].len,
                                 docno[i].ptr);
    }
    return IV_OK;
}

/* Of a control that was judged before: its relevant documents. */
static int list_known(iv_builder *m, iv_err *err)
{
    const iv_run *run = m->runs[0];
    const iv_str topic = iv_run_topic(run, 0);
    const size_t depth = iv_run_depth(run, 0);
    const iv_judgment *j;
    const size_t t = iv_judgments_find_topic(m->judged, topic);
    const size_t count = t == IV_NONE ? 0 : iv_judgments_of(&j, m->judged, t);
    size_t *place = iv_take(&m->memory, depth + 1, sizeof *place), before = 0, n = 0, other = 0;
    iv_str *docno = iv_take(&m->memory, depth + 1, sizeof *docno);
    double ranks = 0.0;

    IV_TRY(iv_taken(&m->memory, err));
    for (size_t i = 0; i < count; i++)
        m->known_count += j[i].grade >= m->level;
    for (size_t r = 0; r < depth; r++) {
        int32_t grade = 0;
        docno[n] = iv_run_docno(run, 0, r);
        place[n] = before;
        if (!is_judged(m, topic, docno[n], &grade)) {
            before++;
            continue;
        }
        ranks += (double)r + 1.0;
        other += grade < m->level;
        n += grade >= m->level;
    }
    /* Of a list of relevant documents alone, the ranks show nothing. */
    const double p = other > 0 ? iv_rank_sum_p(ranks, (double)(n + other), (double)depth) : 1.0;
    if (m->stop == IV_STORE_STOP_QBCB && p < IV_CHECK_P)
        return iv_fail_at(err, IV_EARG, m->plan->judged, 0, "the control documents are not a "
                          "random sample, by their ranks (p = %.1g); the rule needs control "
                          "documents sampled from the whole collection", p);
    return keep_known(m, place, docno, n, err);
}

/* Another stream than those of samples.  Of one seed, a larger control has a smaller one in it. */
static const uint64_t control_key = UINT64_C(0x636f6e74726f6c00);

/* A control that is judged in the session: drawn from the queue, and put before the rest of it. */
static int draw_control(iv_builder *m, iv_err *err)
{
    const size_t n = m->plan->control;
    iv_stream s = iv_stream_start(iv_work_seed(m->work), IV_FOR_SAMPLING, control_key);
    iv_builder_item *all = iv_take(&m->memory, m->count + 1, sizeof *all);
    size_t *drawn = iv_take(&m->memory, m->count + 1, sizeof *drawn);
    size_t *place = iv_take(&m->memory, n + 1, sizeof *place), at = n;
    size_t *which = iv_take(&m->memory, m->count + 1, sizeof *which); /* of the control, + 1 */
    iv_str *docno = iv_take(&m->memory, n + 1, sizeof *docno);

    IV_TRY(iv_taken(&m->memory, err));
    if (n >= m->count)
        return iv_fail(err, IV_EARG, "a control sample of %zu needs more than %zu documents, and "
                       "there are %zu", n, n, m->count);
    for (size_t i = 0; i < m->count; i++)
        drawn[i] = i;
    iv_draw_shuffle(&s, drawn, m->count, sizeof *drawn);
    for (size_t k = 0; k < n; k++)
        which[drawn[k]] = k + 1;
    memcpy(all, m->items, m->count * sizeof *all);
    for (size_t i = 0; i < m->count; i++) {
        const size_t k = which[i];
        m->items[k > 0 ? k - 1 : at++] = all[i];
        if (k > 0) {
            docno[k - 1] = m->documents.names[all[i].document];
            place[k - 1] = at - n;
        }
    }
    m->stop_number = (int64_t)n;
    return keep_known(m, place, docno, n, err);
}

/* The rule is about all documents of the run, and needs a label of each of the control. */
static int check_qbcb(const iv_builder *m, size_t ungraded, iv_err *err)
{
    const iv_run *run = m->runs[0];
    size_t queued = 0;
    int32_t grade;

    for (size_t r = 0; r < iv_run_depth(run, 0); r++)
        queued += !is_judged(m, iv_run_topic(run, 0), iv_run_docno(run, 0, r), &grade);
    if ((m->plan->depth > 0 || m->plan->count > 0) && queued > m->count)
        return iv_fail(err, IV_EARG, "the rule qbcb needs all documents of the run; --depth or "
                       "--count leaves out %zu", queued - m->count);
    return m->plan->control > 0 || ungraded == 0 ? IV_OK
        : iv_fail_at(err, IV_EARG, m->plan->judged, 0, "%zu control documents have no label (grade "
                     "below 0); the rule qbcb needs one of each", ungraded);
}

/* What the control knew of relevant documents, for the rule that stops at so many of them. */
static int note_known(iv_builder *m, iv_err *err)
{
    size_t ungraded = 0;

    for (size_t t = 0; m->judged != NULL && t < iv_judgments_topics(m->judged); t++) {
        const iv_judgment *j;
        const size_t count = iv_judgments_of(&j, m->judged, t);
        for (size_t i = 0; i < count; i++)
            if (j[i].grade >= 0)
                m->made.judged_before++;
            else
                ungraded++;
    }
    const bool one = m->run_count == 1 && iv_run_topics(m->runs[0]) == 1;
    if (m->stop != IV_STORE_STOP_QBCB && (m->judged == NULL || !one))
        return IV_OK;
    if (!one || (m->plan->control == 0 && m->made.judged_before == 0))
        return iv_fail(err, IV_EARG, "the rule qbcb needs references or one run of one topic, and "
                       "a control sample: --control N, or --judged with its judgments");
    if (m->stop == IV_STORE_STOP_QBCB)
        IV_TRY(check_qbcb(m, ungraded, err));
    return m->plan->control > 0 ? draw_control(m, err) : list_known(m, err);
}

static int telling_order(iv_builder *m, iv_err *err)
{
    iv_arena *a = &m->memory;
    const iv_pooled_options pool = { .depth = m->plan->depth,
                                     .level = m->level == 0 ? IV_ZERO
                                         : (int32_t)m->level };
    iv_pooled *pooled = NULL;
    iv_judging_state *judging = NULL;
    size_t most = 0;

    IV_TRY(iv_pooled_new(&pooled, (const iv_run *const *)m->runs, m->run_count, m->judged, &pool,
                         m->work, err));
    IV_TRY(iv_keep(a, pooled, (void (*)(void *))iv_pooled_free, err));
    IV_TRY(iv_judging_new(&judging, pooled, NULL, m->run_count,
                          &(iv_judging_options){ .order_only = true }, m->work, err));
    IV_TRY(iv_keep(a, judging, (void (*)(void *))iv_judging_free, err));
    for (size_t t = 0; t < pooled->topics; t++)
        most += pooled->topic[t].documents;
    if (m->plan->count > 0 && m->plan->count < most)
        most = m->plan->count;
    iv_candidate *list = iv_take(a, most + 1, sizeof *list);
    if (list == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_judging_list(list, &most, judging, m->work, err));
    for (size_t i = 0; i < most; i++)
        IV_TRY(add_item(m, iv_judging_topic_id(judging, list[i].topic),
                        iv_judging_docno(judging, list[i].topic, list[i].document), 0, 0,
                        err));
    return IV_OK;
}

/* The judgments as they are, and a line with -1 for each document. */
static int write_form(iv_builder *m, iv_str before, iv_err *err)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (out == NULL)
        return iv_no_memory(err);
    (void)fwrite(before.ptr, 1, before.len, out);
    if (before.len > 0 && before.ptr[before.len - 1] != '\n')
        (void)fputc('\n', out);
    for (size_t i = 0; i < m->count; i++) {
        const iv_str topic = m->topics.names[m->items[i].topic];
        const iv_str docno = m->documents.names[m->items[i].document];
        const size_t t = m->judged == NULL ? IV_NONE : iv_judgments_find_topic(m->judged, topic);
        if (t != IV_NONE && iv_judgments_find(m->judged, t, docno) != NULL)
            continue; /* it has a line, with -1 */
        (void)fprintf(out, "%.*s 0 %.*s -1\n", (int)topic.len, topic.ptr, (int)docno.len,
                      docno.ptr);
    }
    const bool failed = fclose(out) != 0 || text == NULL;
    if (failed || iv_own(&m->memory, text, free) == NULL)
        return iv_no_memory(err);
    m->form = (iv_str){ text, len };
    return IV_OK;
}

/* References as a run: one topic, in the order of the files, without duplicates. */
static int run_of_references(iv_run **out, iv_builder *m, iv_err *err)
{
    iv_bibliography *b = &m->references;
    size_t n = 0;

    IV_TRY(iv_bibliography_load(b, &m->memory, &m->plan->queue, m->work, err));
    iv_str *topics = iv_take(&m->memory, b->count, sizeof *topics);
    iv_str *docs = iv_take(&m->memory, b->count, sizeof *docs);
    if (topics == NULL || docs == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < b->count; i++) {
        if (b->at[i].duplicate)
            continue;
        topics[n] = iv_str_of(IV_BIBLIOGRAPHY_TOPIC);
        docs[n++] = b->at[i].id;
    }
    return iv_run_build(out, m->plan->queue.at[0],
                        &(iv_run_columns){ n, { .strs = topics }, { .strs = docs } }, m->work,
                        err);
}

/* A list of documents as a run: one topic, in the order of the file, families together. */
static int run_of_ids(iv_run **out, iv_builder *m, iv_err *err)
{
    iv_family_list l;

    IV_TRY(iv_family_list_load(&l, &m->memory, m->plan->ids, m->work, err));
    iv_str *topics = iv_take(&m->memory, l.count + 1, sizeof *topics);
    iv_str *docs = iv_take(&m->memory, l.count + 1, sizeof *docs);
    size_t *at = iv_take(&m->memory, l.families + 2, sizeof *at);
    IV_TRY(iv_taken(&m->memory, err));
    for (size_t i = 0; i < l.count; i++)
        at[l.family[i] + 1]++;
    for (size_t f = 0; f < l.families; f++)
        at[f + 1] += at[f];
    for (size_t i = 0; i < l.count; i++) {
        topics[i] = iv_str_of(IV_BIBLIOGRAPHY_TOPIC);
        docs[at[l.family[i]]++] = l.document[i];
    }
    return iv_run_build(out, m->plan->ids,
                        &(iv_run_columns){ l.count, { .strs = topics }, { .strs = docs } }, m->work,
                        err);
}

static int read_files(iv_builder *m, iv_str *before, iv_err *err)
{
    const iv_session_plan *p = m->plan;

    size_t references = 0;

    for (size_t i = 0; i < p->queue.count; i++)
        references += iv_bibliography_is(p->queue.at[i]);
    m->run_count = references == p->queue.count ? 1 : p->queue.count; /* also of ids */
    m->runs = iv_take(&m->memory, m->run_count + 1, sizeof *m->runs);
    if (m->runs == NULL)
        return iv_no_memory(err);
    if (p->ids != NULL)
        IV_TRY(run_of_ids(&m->runs[0], m, err));
    else if (references == p->queue.count)
        IV_TRY(run_of_references(&m->runs[0], m, err));
    else
        IV_TRY(iv_runs_load(m->runs, p->queue.at, m->run_count, IV_RUN_ANY, m->work, err));
    for (size_t r = 0; r < m->run_count; r++)
        IV_TRY(iv_keep(&m->memory, m->runs[r], (void (*)(void *))iv_run_free, err));
    if (p->judged == NULL)
        return IV_OK;
    IV_TRY(iv_store_text(before, &m->memory, p->judged, m->work, err));
    if (before->len == 0)
        return IV_OK; /* nothing is judged yet */
    IV_TRY(iv_judgments_parse(&m->judged, p->judged, before->ptr, before->len, IV_JUDGMENTS_ANY,
                              m->work, err));
    IV_TRY(iv_keep(&m->memory, m->judged, (void (*)(void *))iv_judgments_free, err));
    if (iv_judgments_format_of(m->judged) != IV_JUDGMENTS_QRELS)
        return iv_fail_at(err, IV_EPARSE, p->judged, 0, "is in the format %s, expected qrels",
                          iv_judgments_format_names()[iv_judgments_format_of(m->judged)]);
    return IV_OK;
}

int iv_builder_queue(iv_builder *m, iv_err *err)
{
    iv_str before = { "", 0 };

    m->kind = IV_STORE_QUEUE;
    IV_TRY(read_files(m, &before, err));
    IV_TRY(m->run_count == 1 ? rank_order(m, err) : telling_order(m, err));
    IV_TRY(note_known(m, err));
    if (m->count == 0)
        return iv_fail(err, IV_ENODATA, "every document that the runs return is judged");
    return write_form(m, before, err);
}

/* A review: so many documents of each stratum, at random, in blocks that have some of every
 * stratum.  A folder has a file of each stratum, its documents one a line. */

static const uint64_t review_key = UINT64_C(0x7265766965770000);

enum { PATH_ROOM = 1000 };

static const char *list_path(char path[PATH_ROOM], const char *folder, iv_str name)
{
    static const char *const ends[] = { "", ".txt", ".lst", ".gz", ".txt.gz", ".zst", ".txt.zst" };
    struct stat st;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        (void)snprintf(path, PATH_ROOM, "%.700s/%.*s%s", folder, (int)(name.len < 250 ? name.len
                       : 250), name.ptr, ends[i]);
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
            return path;
    }
    (void)snprintf(path, PATH_ROOM, "%.700s/%.*s", folder,
                   (int)(name.len < 250 ? name.len : 250), name.ptr);
    return path;
}

/* `seen` gets the documents of all strata. */
static int read_list(iv_builder_stratum *out, iv_ids *seen, iv_builder *m,
                     const iv_strata_row *row, iv_err *err)
{
    char path[PATH_ROOM], quoted[IV_QUOTE_SIZE];

    if (memchr(row->name.ptr, '/', row->name.len) != NULL || row->name.ptr[0] == '.')
        return iv_fail_at(err, IV_EPARSE, m->plan->strata, row->line, "stratum '%.*s', expected "
                          "a name that can be a file's", (int)row->name.len, row->name.ptr);
    out->path = iv_arena_copy(&m->memory, iv_str_of(list_path(path, m->plan->lists, row->name)));
    if (out->path == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_store_names(&out->docnos, &out->count, &m->memory, out->path, m->work, err));
    if ((int64_t)out->count != row->size)
        return iv_fail_at(err, IV_EPARSE, out->path, 0, "has %zu documents, expected the %lld of "
                          "stratum '%.*s'", out->count, (long long)row->size,
                          (int)row->name.len, row->name.ptr);
    for (size_t i = 0; i < out->count; i++) {
        const size_t before = seen->count;
        if (iv_ids_add(seen, out->docnos[i]) == IV_NO_ID)
            return iv_no_memory(err);
        if (seen->count == before)
            return iv_fail_at(err, IV_EPARSE, out->path, 0, "document %s is in two strata, or "
                              "twice in one, expected once", iv_quote(quoted, out->docnos[i]));
    }
    return IV_OK;
}

/* Shuffles all of a stratum, and says which are judged. */
static void draw(iv_builder_stratum *l, const iv_builder *m, const iv_strata_row *row, bool all)
{
    iv_stream s = iv_stream_start(iv_work_seed(m->work), IV_FOR_SAMPLING,
                                  iv_topic_key(row->name) ^ review_key);

    iv_draw_shuffle(&s, l->docnos, l->count, sizeof *l->docnos);
    l->judge = all ? l->count : (size_t)row->sampled;
}

/* Documents of a block, of all strata, at random. */
static int add_block(iv_builder *m, size_t block, size_t blocks, iv_stream *s, iv_err *err)
{
    const iv_builder_stratum *lists = m->strata;
    const iv_str topic = iv_str_of("review");
    const size_t first = m->count;

    for (size_t k = 0; k < m->stratum_count; k++) {
        const size_t n = lists[k].judge;
        for (size_t i = n * block / blocks; i < n * (block + 1) / blocks; i++)
            IV_TRY(add_item(m, topic, lists[k].docnos[i], (uint32_t)k, (uint32_t)block, err));
    }
    iv_draw_shuffle(s, m->items + first, m->count - first, sizeof *m->items);
    return IV_OK;
}

static int read_strata(iv_builder *m, const iv_strata_table *t, iv_err *err)
{
    bool all = true;
    iv_ids seen = { 0 };
    int rc = IV_OK;

    for (size_t k = 0; k < t->row_count; k++) {
        all = all && t->rows[k].sampled == 0;
        if (t->rows[k].relevant != 0)
            return iv_fail_at(err, IV_EPARSE, m->plan->strata, t->rows[k].line, "r is %lld, "
                              "expected 0: nothing is judged yet",
                              (long long)t->rows[k].relevant);
    }
    for (size_t k = 0; k < t->row_count && rc == IV_OK; k++) {
        m->strata[k] = (iv_builder_stratum){ t->rows[k].name, t->rows[k].size, t->retrieved[k] };
        rc = read_list(&m->strata[k], &seen, m, &t->rows[k], err);
        if (rc == IV_OK)
            draw(&m->strata[k], m, &t->rows[k], all);
        if (rc == IV_OK && m->strata[k].judge == 0)
            rc = iv_fail_at(err, IV_EPARSE, m->plan->strata, t->rows[k].line, "n is 0, expected "
                            "how many documents of the stratum to judge");
    }
    iv_ids_free(&seen);
    return rc;
}

int iv_builder_review(iv_builder *m, iv_err *err)
{
    iv_stream s = iv_stream_start(iv_work_seed(m->work), IV_FOR_SAMPLING, review_key);
    const iv_strata_table *t = NULL;

    m->kind = IV_STORE_REVIEW;
    IV_TRY(iv_store_text(&m->form, &m->memory, m->plan->strata, m->work, err));
    IV_TRY(iv_strata_load(&t, &m->memory, m->plan->strata, NULL, m->work, err));
    if (t->run_count != 1)
        return iv_fail_at(err, IV_EPARSE, m->plan->strata, 1, "%zu runs, expected one: which "
                          "documents were retrieved", t->run_count);
    m->strata = iv_take(&m->memory, t->row_count, sizeof *m->strata);
    if (m->strata == NULL)
        return iv_no_memory(err);
    m->stratum_count = t->row_count;
    IV_TRY(read_strata(m, t, err));
    size_t blocks = SIZE_MAX;
    for (size_t k = 0; k < m->stratum_count; k++)
        blocks = m->strata[k].judge < blocks ? m->strata[k].judge : blocks;
    for (size_t b = 0; b < blocks; b++)
        IV_TRY(add_block(m, b, blocks, &s, err));
    return IV_OK;
}
