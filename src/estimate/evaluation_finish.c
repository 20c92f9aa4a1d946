/* SPDX-License-Identifier: Apache-2.0 */
/* From the scores of runs to an evaluation: names, means, what is told of each. */
#include "estimate/evaluation_parts.h"
#include "estimate/range_parts.h"
#include "estimate/estimate_private.h"
#include "measure/measure_private.h"
#include "trec/trec_private.h"

int iv_evaluation_room(iv_evaluation *e, iv_err *err)
{
    const size_t runs = e->view.run_count;

    e->scores = iv_take(&e->memory, runs + 1, sizeof(iv_scores *));
    e->runs = iv_take(&e->memory, runs + 1, sizeof *e->runs);
    e->names = iv_take(&e->memory, runs + 1, sizeof(char *));
    e->paths = iv_take(&e->memory, runs + 1, sizeof(char *));
    e->values = iv_take(&e->memory, e->task.width + 1, sizeof *e->values);
    e->means = iv_take(&e->memory, runs * e->task.width + 1, sizeof *e->means);
    return iv_taken(&e->memory, err);
}

/* paths: of files; NULL: there are none. */
static int name_runs(iv_evaluation *e, const char *const *paths, iv_err *err)
{
    const size_t count = e->view.run_count;
    iv_str *tags = iv_take(&e->memory, count + 1, sizeof *tags);

    for (size_t r = 0; r < count && tags != NULL; r++) {
        tags[r] = iv_str_of(e->scores[r]->tag);
        if (paths != NULL && paths[r] != NULL)
            e->paths[r] = iv_arena_copy(&e->memory, iv_str_of(paths[r]));
    }
    IV_TRY(iv_taken(&e->memory, err));
    return iv_name_runs(e->names, tags, (const char *const *)e->paths, count, err);
}

static int describe_run(iv_evaluation *e, size_t r, iv_err *err)
{
    const iv_scores *s = e->scores[r];
    iv_str *missing = iv_take(&e->memory, s->missing_count + 1, sizeof *missing);

    if (missing == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < s->missing_count; i++)
        missing[i] = iv_judged_name(e, s->missing[i]);
    e->runs[r] = (iv_evaluated_run){
        .name = e->names[r], .tag = s->tag, .path = e->paths[r], .bytes = s->bytes,
        .topics = s->topics, .missing = missing, .missing_count = s->missing_count,
        .noted = s->noted };
    return IV_OK;
}

/* Topics that some run has. */
static int list_topics(iv_evaluation *e, iv_err *err)
{
    const size_t judged = e->view.judged_topics;

    e->topics = iv_take(&e->memory, judged + 1, sizeof *e->topics);
    e->judged = iv_take(&e->memory, judged + 1, sizeof *e->judged);
    IV_TRY(iv_taken(&e->memory, err));
    for (size_t t = 0; t < judged; t++)
        e->judged[t] = IV_NONE;
    for (size_t r = 0; r < e->view.run_count; r++)
        for (size_t t = 0; t < e->scores[r]->topics; t++)
            e->judged[e->scores[r]->topic[t].judged] = 0;
    for (size_t t = 0; t < judged; t++)
        if (e->judged[t] != IV_NONE) {
            e->topics[e->view.topic_count] = iv_judged_name(e, t);
            e->judged[e->view.topic_count++] = t;
        }
    return IV_OK;
}

static void describe_measures(iv_evaluation *e)
{
    const iv_task *x = &e->task;

    for (size_t i = 0; i < x->width; i++) {
        const iv_sampled_value *s = x->sampling != NULL ? &x->estimated->values[i] : NULL;
        const size_t at = s != NULL ? s->asked : i;
        const iv_value_info *v = at != IV_NONE ? iv_measures_value(x->measures, at) : NULL;
        e->values[i] = (iv_evaluated_measure){
            .name = s != NULL ? s->name : v->name, .info = v, .per_topic = true,
            .overall = true, .count = s != NULL ? s->count : v->measure->kind == IV_INTEGER,
            .inferred = s != NULL && s->inferred };
        if (s != NULL)
            continue;
        e->values[i].text = v->measure->kind == IV_TEXT;
        e->values[i].per_topic = v->measure->per_topic;
        e->values[i].overall = v->measure->overall;
        e->values[i].has_bounds = iv_has_bounds(x->measures, i, x->largest);
        e->values[i].why_no_bounds = iv_why_no_bounds(x->measures, i, x->largest);
        e->values[i].has_ties = iv_has_ties(x->measures, i, x->largest);
    }
}

int iv_evaluation_finish(iv_evaluation *e, const char *const *paths, const iv_work *work, iv_err *err)
{
    IV_TRY(name_runs(e, paths, err));
    for (size_t r = 0; r < e->view.run_count; r++)
        IV_TRY(describe_run(e, r, err));
    IV_TRY(iv_means(e->means, (const iv_scores *const *)e->scores, e->view.run_count, &e->task, work,
                    err));
    IV_TRY(list_topics(e, err));
    describe_measures(e);
    e->view.complete = e->task.how.complete;
    e->view.largest_grade = iv_judgments_format_of(e->task.judgments) == IV_JUDGMENTS_PREFS
        ? -1 : e->task.largest;
    e->view.runs = e->runs;
    e->view.measures = e->values;
    e->view.measure_count = e->task.width;
    e->view.means = e->means;
    e->view.topics = e->topics;
    return IV_OK;
}

bool iv_blanks_count(iv_judgments_format format)
{
    return format == IV_JUDGMENTS_QRELS || format == IV_JUDGMENTS_BEIR;
}

void iv_count_blank(iv_evaluated *view, const iv_judgments *judgments)
{
    for (size_t t = 0; t < iv_judgments_topics(judgments); t++) {
        const iv_judgment *list;
        const size_t n = iv_judgments_of(&list, judgments, t);
        size_t blank = 0;
        for (size_t i = 0; i < n; i++)
            blank += list[i].grade < 0;
        view->blank += blank;
        view->blank_topics += n > 0 && blank == n;
    }
}

void iv_count_groups(iv_evaluated *view, const iv_judgments *judgments)
{
    if (iv_judgments_format_of(judgments) < IV_JUDGMENTS_GROUPS)
        return;
    for (size_t t = 0; t < iv_judgments_topics(judgments); t++) {
        const iv_judgment *list;
        const size_t n = iv_judgments_of(&list, judgments, t);
        for (size_t i = 0; i < n; i++)
            if ((size_t)list[i].stratum + 1 > view->groups)
                view->groups = (size_t)list[i].stratum + 1;
    }
}
