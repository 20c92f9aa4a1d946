/* SPDX-License-Identifier: Apache-2.0 */
/* Scores topics by the requested measures, in memory that grows to the largest topic. */
#include "base/err.h"
#include "base/memory.h"
#include "measure/definition.h"
#include "measure/judges.h"
#include "measure/measures.h"
#include "measure/requested.h"
#include "measure/scorer.h"
#include "measure/topic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct iv_scorer {
    iv_arena memory;       /* of what does not grow */
    const iv_measures *measures;
    int32_t largest_grade;
    iv_ranking ranking[2]; /* all documents, the judged ones */
    iv_level *levels;
    iv_view *view;         /* as many as the measures have, and so on */
    iv_gains *gains;
    double **powers;
    size_t *powers_count;
    double *log2;          /* log2[k] = log2(k); [0] is never read */
    size_t log2_count;
    iv_judges panel[2];     /* of the topic, for groups and for preferences */
    iv_arena arena;        /* owns what they hold, and the rankings */
    char **text;           /* one a measure; NULL: it is no text */
    const iv_work *work;   /* asked while a topic takes long */
};

/* ------------------------------------------------------------ creation -- */

static bool allocate(iv_scorer *s)
{
    const iv_measures *m = s->measures;

    s->view = iv_take(&s->memory, m->view_count + 1, sizeof *s->view);
    s->gains = iv_take(&s->memory, m->gains_count + 1, sizeof *s->gains);
    s->powers = iv_take(&s->memory, m->power_count + 1, sizeof *s->powers);
    s->powers_count = iv_take(&s->memory, m->power_count + 1, sizeof *s->powers_count);
    s->text = iv_take(&s->memory, m->requested_count + 1, sizeof *s->text);
    if (s->memory.failed)
        return false;
    memcpy(s->view, m->view, m->view_count * sizeof *s->view);
    memcpy(s->gains, m->gains, m->gains_count * sizeof *s->gains);
    for (size_t i = 0; i < m->requested_count; i++) {
        const iv_requested *a = &m->requested[i];
        const size_t room = a->number_count > 0 ? (size_t)a->number[0] + 1 : 1;
        if (a->definition->info.kind == IV_TEXT && a->definition->info.per_topic)
            s->text[i] = iv_take(&s->memory, room, 1);
    }
    return !s->memory.failed;
}

static bool scales_by_largest(const iv_requested *a)
{
    return a->max_grade == 0 && (a->model != IV_MODEL_NONE ? !iv_model_binary(a->model)
                                 : a->definition->keywords & IV_IR_MAX && !a->rel_given);
}

bool iv_measures_scale(const iv_measures *m)
{
    for (size_t i = 0; i < m->requested_count; i++)
        if (scales_by_largest(&m->requested[i])
            || (m->requested[i].max_grade == 0 && m->requested[i].definition->keywords & IV_IR_MAX))
            return true;
    return false;
}

/* The measures that scale by the largest grade need one. */
static int check_grades(const iv_measures *m, int32_t largest, iv_err *err)
{
    for (size_t i = 0; i < m->requested_count; i++) {
        const iv_requested *a = &m->requested[i];
        if (scales_by_largest(a) && largest <= a->min_grade)
            return iv_fail(err, IV_ENODATA,
                           "measure %s needs a grade above %d, and the judgments "
                           "have none; max%s= would give it", m->value[a->first].name,
                           (int)a->min_grade, a->definition->keywords & IV_IR_MAX ? "" : "_rel");
    }
    return IV_OK;
}

int iv_scorer_new(iv_scorer **out, const iv_measures *m, int32_t largest_grade,
                  iv_err *err)
{
    IV_TRY(check_grades(m, largest_grade, err));
    iv_scorer *s = calloc(1, sizeof *s);
    if (s == NULL)
        return iv_no_memory(err);
    s->measures = m;
    s->largest_grade = largest_grade;
    if (!allocate(s)) {
        iv_scorer_free(s);
        return iv_no_memory(err);
    }
    *out = s;
    return IV_OK;
}

void iv_scorer_free(iv_scorer *s)
{
    if (s == NULL)
        return;
    const iv_measures *m = s->measures;
    for (size_t i = 0; s->powers != NULL && i < m->power_count; i++)
        free(s->powers[i]);
    iv_arena_free(&s->memory);
    free(s->log2);
    iv_arena_free(&s->arena);
    free(s);
}

void iv_scorer_asks(iv_scorer *s, const iv_work *work)
{
    s->work = work;
}

/* -------------------------------------------------------------- growth -- */

static bool grow_log2(iv_scorer *s, size_t need)
{
    size_t capacity = s->log2_count;

    if (need <= s->log2_count)
        return true;
    if (!IV_ROOM(s->log2, capacity, need))
        return false;
    for (size_t k = s->log2_count; k < capacity; k++)
        s->log2[k] = k > 0 ? log2((double)k) : 0.0;
    s->log2_count = capacity;
    return true;
}

/* By repeated multiplication: these are trec_eval's digits, pow()'s differ. */
static bool grow_powers(iv_scorer *s, size_t which, size_t need)
{
    size_t capacity = s->powers_count[which];
    const double p = s->measures->power[which];

    if (need <= capacity)
        return true;
    if (!IV_ROOM(s->powers[which], capacity, need))
        return false;
    for (size_t k = s->powers_count[which]; k < capacity; k++)
        s->powers[which][k] = k > 0 ? s->powers[which][k - 1] * p : 1.0;
    s->powers_count[which] = capacity;
    return true;
}

/* ------------------------------------------------------------- scoring -- */

static bool prepare(iv_scorer *s, const iv_joined *topic)
{
    const iv_measures *m = s->measures;
    const size_t hits = topic->hit_count, judged = topic->judged_count;
    iv_ranking *all = &s->ranking[0], *only = &s->ranking[1];

    iv_arena_reuse(&s->arena);
    all->hits = iv_arena_alloc(&s->arena, (hits + 1) * sizeof *all->hits);
    s->levels = iv_arena_alloc(&s->arena, (judged + 1) * sizeof *s->levels);
    only->hits = NULL;
    if (s->arena.failed || !grow_log2(s, (hits > judged ? hits : judged) + 3))
        return false;
    iv_list_hits(all, topic, m->options.depth);
    iv_count_levels(s->levels, topic->judged, judged);
    for (size_t i = 0; i < m->view_count; i++) {
        if (s->view[i].judged_only && only->hits == NULL) {
            only->hits = iv_arena_alloc(&s->arena, (all->hit_count + 1) * sizeof *only->hits);
            if (only->hits == NULL)
                return false;
            iv_keep_judged_hits(only, all);
        }
        iv_fill_view(&s->view[i], &s->arena, &s->ranking[s->view[i].judged_only], s->levels);
    }
    for (size_t i = 0; i < m->gains_count; i++)
        iv_fill_gains(&s->gains[i], &s->arena, &s->ranking[s->gains[i].judged_only], s->levels,
                      judged, s->log2);
    for (size_t i = 0; i < m->power_count; i++)
        if (!grow_powers(s, i, hits + 1))
            return false;
    return !s->arena.failed;
}

static int prepare_panels(iv_scorer *s, const iv_joined *topic, iv_err *err)
{
    const iv_measures *m = s->measures;
    const unsigned reads = m->reads;
    const size_t depth = m->options.depth;

    if (reads & (IV_READS_GROUPS | IV_READS_NUGGETS))
        IV_TRY(iv_judges_fill(&s->panel[0], &s->arena, topic, depth, false, err));
    if (reads & IV_READS_GROUPS)
        IV_TRY(iv_judges_views(&s->panel[0], &s->arena, m, err));
    if (!(reads & IV_READS_PREFS))
        return IV_OK;
    IV_TRY(iv_judges_fill(&s->panel[1], &s->arena, topic, depth, true, err));
    return iv_judges_prefs(&s->panel[1], &s->arena, topic->topic, s->work, err);
}

static int score(double *values, iv_scorer *s, const iv_joined *topic,
                 bool missing, iv_err *err)
{
    const iv_measures *m = s->measures;

    if (topic->hit_count > 4294967000u || topic->judged_count > 4294967000u)
        return iv_fail(err, IV_EARG, "a topic with more than 4294967000 documents");
    if (!prepare(s, topic))
        return iv_no_memory(err);
    if (m->reads & IV_READS_JUDGES)
        IV_TRY(prepare_panels(s, topic, err));
    iv_topic t = { .options = &m->options,
                   .largest_grade = s->largest_grade,
                   .missing = missing,
                   .levels = s->levels,
                   .log2 = s->log2,
                   .log2_count = s->log2_count };
    for (size_t i = 0; i < m->requested_count; i++) {
        const iv_requested *a = &m->requested[i];
        if (a->count == 0)
            continue;
        t.view = &s->view[a->view];
        t.gains = a->definition->reads & IV_READS_GAINS ? &s->gains[a->gains] : NULL;
        t.powers = a->definition->reads & IV_READS_POWERS ? s->powers[a->powers] : NULL;
        t.panel = &s->panel[(a->definition->reads & IV_READS_PREFS) != 0];
        t.text = s->text[i];
        a->definition->compute(values + a->first, a, &t);
    }
    return IV_OK;
}

int iv_scorer_topic(double *values, iv_scorer *s, const iv_joined *topic,
                    iv_err *err)
{
    return score(values, s, topic, false, err);
}

static bool is_cleared(const iv_definition *d, const char *value)
{
    return d->missing == IV_MISSING_CLEARED
           || (d->missing == IV_MISSING_CLEARED_PLAIN && strcmp(value, d->info.name) == 0);
}

/*
 * Version 10 gives a missing topic one document that is in no collection, and
 * clears some values behind it; utility.2,-1,0,0 still counts that document.
 */
static int score_invented(double *values, iv_scorer *s, const iv_judgment *judged,
                          size_t judged_count, iv_err *err)
{
    const iv_measures *m = s->measures;
    const iv_hit invented = { .judgment = NULL };
    const iv_joined topic = { .hits = &invented, .hit_count = 1, .judged = judged,
                              .judged_count = judged_count };
    const int rc = score(values, s, &topic, false, err);

    for (size_t i = 0; i < m->requested_count && rc == IV_OK; i++) {
        const iv_requested *a = &m->requested[i];
        for (size_t k = a->first; k < a->first + a->count; k++) {
            if (!is_cleared(a->definition, m->value[k].name))
                continue;
            values[k] = 0.0;
            if (s->text[i] != NULL)
                s->text[i][0] = '\0';
        }
    }
    return rc;
}

int iv_scorer_missing(double *values, iv_scorer *s, const iv_judgment *judged,
                      size_t judged_count, iv_err *err)
{
    const iv_measure_options *o = &s->measures->options;
    const iv_joined topic = { .judged = judged, .judged_count = judged_count };

    if (o->as_trec_eval && o->dialect == IV_TREC_EVAL_10)
        return score_invented(values, s, judged, judged_count, err);
    return score(values, s, &topic, true, err);
}

const char *iv_scorer_text(const iv_scorer *s, size_t i)
{
    return s->text[s->measures->owner[i]];
}
