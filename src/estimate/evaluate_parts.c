/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation from parts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/parallel.h"
#include "estimate/part_merge.h"
#include "estimate/score_windows.h"
#include "measure/measure_parts.h"
#include "trec/judgments.h"
#include "measure/measure_private.h"
#include "stat/interval_private.h"

bool iv_is_scores_part(const char *path)
{
    char head[8];
    struct stat st;
    /* What is read of a pipe is gone. */
    FILE *f = path == NULL || stat(path, &st) != 0 || !S_ISREG(st.st_mode) ? NULL : fopen(path, "rb");
    const bool is = f != NULL && fread(head, sizeof head, 1, f) == 1
        && memcmp(head, IV_PART_MAGIC, sizeof head) == 0;

    if (f != NULL)
        (void)fclose(f);
    return is;
}

/* The names of single values that measures as asked for stand for. */
static int spell_out(iv_texts *out, iv_arena *own, const iv_evaluating *o, iv_err *err)
{
    iv_measures *m = NULL;

    *out = (iv_texts){ NULL, 0 };
    if (o->measures.count == 0)
        return IV_OK;
    IV_TRY(iv_measures_parse(&m, o->measures.at, o->measures.count, &o->measure, err));
    const size_t count = iv_measures_count(m);
    const char **names = iv_take(own, count, sizeof *names);
    for (size_t i = 0; i < count && names != NULL; i++)
        names[i] = iv_arena_copy(own, iv_str_of(iv_measures_value(m, i)->name));
    iv_measures_free(m);
    *out = (iv_texts){ names, count };
    return iv_taken(own, err);
}

/* What parts say of how topics were scored. */
static int take_task(iv_evaluation *e, iv_merging *m, const iv_evaluating *o, iv_err *err)
{
    const char **names = iv_take(&m->own, m->width, sizeof *names);

    IV_TRY(iv_taken(&m->own, err));
    for (size_t i = 0; i < m->width; i++)
        names[i] = m->names[m->chosen[i]].ptr;
    IV_TRY(iv_measures_parse(&e->measures, names, m->width, &m->measure, err));
    e->judgments = calloc(1, sizeof *e->judgments); /* tells its format alone */
    if (e->judgments == NULL)
        return iv_no_memory(err);
    if (m->uneven && iv_measures_scale(e->measures))
        return iv_fail(err, IV_EPARSE, "parts have different largest grades, by which a measure is "
                       "scaled, expected one: all judgments in every part, or the measure with its max");
    e->judgments->format = m->format;
    e->task = (iv_task){ .judgments = e->judgments, .measures = e->measures, .width = m->width,
                         .largest = m->largest, .how = *o,
                         .precision = iv_precision_of(m->measure.dialect) };
    e->task.how.measure = m->measure;
    e->task.how.complete = m->complete;
    e->task.how.resampling = e->view.resampling = iv_resampling_of(&o->resampling);
    e->view.run_count = m->run_count;
    e->view.judged_topics = m->topics.count;
    return IV_OK;
}

/* A run's rows by topic; its own are let go. */
static int take_run(iv_scores **out, iv_merged_run *run, size_t judged, size_t width, iv_err *err)
{
    iv_scores *s = *out = calloc(1, sizeof *s);

    if (s == NULL)
        return iv_no_memory(err);
    s->tag = iv_arena_copy(&s->memory, iv_str_of(run->tag));
    s->topic = iv_take(&s->memory, run->row_count + 1, sizeof *s->topic);
    s->rows = iv_take(&s->memory, run->row_count * width + 1, sizeof *s->rows);
    s->bytes = run->bytes;
    s->noted = run->noted;
    size_t missing = judged;
    for (size_t i = 0; i < run->row_count; i++)
        missing -= run->states[i].state == IV_STATE_SCORED;
    /* The same run in every part: what one has no judgments of another may have. */
    if (!run->split && judged - missing <= run->topics)
        s->noted.not_judged = run->topics - (judged - missing);
    s->missing = iv_take(&s->memory, missing + 1, sizeof *s->missing);
    IV_TRY(iv_taken(&s->memory, err));
    for (size_t t = 0; t < judged; t++) {
        const uint32_t row = t < run->place_count ? run->place[t] : IV_ABSENT;
        const bool scored = row != IV_ABSENT && run->states[row].state == IV_STATE_SCORED;
        if (!scored)
            s->missing[s->missing_count++] = t;
        if (row == IV_ABSENT)
            continue;
        memcpy(s->rows + s->topics * width, run->rows + row * width, width * sizeof *s->rows);
        s->topic[s->topics++] = (iv_scored_topic){ (uint32_t)t, scored ? 0 : IV_ABSENT };
    }
    free(run->rows);
    free(run->states);
    free(run->place);
    run->rows = NULL;
    run->states = NULL;
    run->place = NULL;
    return IV_OK;
}

static int take_topics(iv_evaluation *e, iv_merging *m, iv_err *err)
{
    const size_t n = m->topics.count;

    e->judged_names = malloc((n + 1) * sizeof *e->judged_names);
    if (e->judged_names == NULL)
        return iv_no_memory(err);
    for (size_t t = 0; t < n; t++) {
        e->judged_names[t] = m->topics.names[t];
        e->task.above_0 += m->judged[t].above;
        e->view.blank += m->judged[t].blank;
        e->view.blank_topics += m->judged[t].judged > 0 && m->judged[t].blank == m->judged[t].judged;
    }
    e->name_bytes = m->bytes;
    m->bytes = (iv_slabs){ NULL };
    return IV_OK;
}

static int build(iv_evaluation *e, iv_merging *m, const iv_evaluating *o, const iv_work *work,
                 iv_err *err)
{
    bool sorted = true;

    if (m->run_count == 0)
        return iv_fail(err, IV_ENODATA, "the parts have no runs");
    IV_TRY(take_task(e, m, o, err));
    IV_TRY(iv_evaluation_room(e, err));
    IV_TRY(take_topics(e, m, err));
    const char **paths = iv_take(&m->own, m->run_count, sizeof *paths);
    IV_TRY(iv_taken(&m->own, err));
    for (size_t r = 0; r < m->run_count; r++) {
        paths[r] = m->runs[r].path;
        IV_TRY(take_run(&e->scores[r], &m->runs[r], m->topics.count, m->width, err));
        if (e->scores[r]->missing_count == m->topics.count)
            return iv_fail(err, IV_ENODATA, "run '%.80s' shares no topic with the judgments",
                           m->runs[r].name);
    }
    for (size_t t = 1; t < m->topics.count && sorted; t++)
        sorted = iv_str_cmp(e->judged_names[t - 1], e->judged_names[t]) < 0;
    if (!sorted)
        IV_TRY(iv_sort_topics(e, err));
    return iv_evaluation_finish(e, paths, work, err);
}

/* What is asked of topics was decided when they were scored. */
static int check_asked(const iv_merging *m, const iv_evaluating *o, iv_err *err)
{
    const iv_measure_options *a = &o->measure, *b = &m->measure;
    char quoted[IV_QUOTE_SIZE];

    if (o->bounds || o->ties || o->texts || o->standards != NULL || a->as_trec_eval)
        return iv_fail(err, IV_EARG, "files of scores have no bounds, values over ties, standard "
                       "scores and texts");
    if ((a->level != 0 && a->level != b->level) || (a->depth != 0 && a->depth != b->depth)
        || (a->judged_only && !b->judged_only) || (a->collection != 0 && a->collection != b->collection)
        || (a->dialect != 0 && a->dialect != b->dialect) || (o->complete && !m->complete))
        return iv_fail(err, IV_EARG, "the scores were computed with %s, and something else is asked "
                       "for", iv_quote(quoted, m->options));
    return IV_OK;
}

int iv_evaluate_parts(iv_evaluation **out, const iv_texts *parts, const iv_evaluating *o,
                      const iv_work *work, iv_err *err)
{
    iv_merging m = { 0 };
    iv_stage stage;
    iv_texts asked;
    iv_evaluation *e = calloc(1, sizeof *e);
    int rc = e == NULL ? iv_no_memory(err) : spell_out(&asked, &m.own, o, err);

    if (rc == IV_OK && parts->count == 0)
        rc = iv_fail(err, IV_EARG, "there are no parts");
    for (size_t i = 0; rc == IV_OK && i < parts->count; i++)
        rc = iv_merging_add(&m, parts->at[i], &asked,
                            iv_work_part(&stage, work, 0.5 * (double)i / (double)parts->count,
                                         0.5 * (double)(i + 1) / (double)parts->count), err);
    if (rc == IV_OK)
        rc = check_asked(&m, o, err);
    if (rc == IV_OK)
        rc = build(e, &m, o, iv_work_part(&stage, work, 0.5, 1.0), err);
    if (rc == IV_OK)
        e->view.repeated = m.repeated;
    iv_merging_free(&m);
    if (rc == IV_OK)
        *out = e;
    else
        iv_evaluation_free(e);
    return rc;
}

int iv_blame_judgments(int rc, const iv_source *source, iv_err *err)
{
    if (rc != IV_EPARSE || err == NULL || err->file[0] != '\0' || source->judgments == NULL)
        return rc;
    const iv_err why = *err;
    return iv_fail_at(err, rc, source->judgments, 0, "%s", why.msg);
}
