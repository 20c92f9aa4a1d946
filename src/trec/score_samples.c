/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of lm-evaluation-harness (samples_TASK_DATE.jsonl) and of Inspect's logs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trec/score_json.h"

/* ------------------------------------------------- lm-evaluation-harness -- */

void iv_score_folder(iv_score_file *f)
{
    const char *slash = strrchr(f->name, '/'), *from = slash == NULL ? f->name : slash + 1;
    const char *end = slash;

    if (strncmp(from, "samples_", 8) == 0 && f->suite.len == 0) {
        const char *task = from + 8, *date = NULL;
        for (const char *p = strstr(task, "_20"); p != NULL; p = strstr(p + 1, "_20"))
            date = p; /* the last one: a task may have a year in its name */
        f->suite = (iv_str){ task, date != NULL ? (size_t)(date - task) : strcspn(task, ".") };
    }
    if (end == NULL)
        return;
    const char *start = end;
    while (start > f->name && start[-1] != '/')
        start--;
    if (start == f->from[IV_ROLE_REPEAT].ptr && start > f->name) { /* repeat=@folder */
        end = --start;
        while (start > f->name && start[-1] != '/')
            start--;
    }
    if (end > start)
        f->system = (iv_str){ start, (size_t)(end - start) };
}

bool iv_is_lm_eval(const iv_json *v)
{
    return iv_json_find(v, iv_str_of("doc_id")) != NULL
        && (iv_json_find(v, iv_str_of("resps")) != NULL
            || iv_json_find(v, iv_str_of("filtered_resps")) != NULL);
}

/* A score of a measure with two names. */
static int put_joined(iv_score_reading *in, iv_str a, char between, iv_str b, const iv_json *v,
                      bool grades)
{
    char small[300], *both = small;
    const size_t len = a.len + 1 + b.len;

    if (len > sizeof small && (both = malloc(len)) == NULL)
        return iv_fail(in->err, IV_ENOMEM, "out of memory");
    memcpy(both, a.ptr, a.len);
    both[a.len] = between;
    memcpy(both + a.len + 1, b.ptr, b.len);
    in->x.text[IV_ROLE_MEASURE] = (iv_str){ both, len };
    const int rc = iv_score_put(in, v, grades);
    in->x.text[IV_ROLE_MEASURE] = a;
    if (both != small)
        free(both);
    return rc;
}

/* One metric of a sample; those that are no number of the sample are passed over. */
static int add_metric(iv_score_reading *in, iv_str name, const iv_json *v, iv_str filter)
{
    double value;

    if (iv_json_kind_of(v) == IV_JSON_TEXT || !iv_json_score(&value, v, false))
        return IV_OK;
    in->x.text[IV_ROLE_MEASURE] = name;
    return filter.len > 0 && iv_str_cmp(filter, iv_str_of("none")) != 0
        ? put_joined(in, name, ',', filter, v, false) : iv_score_put(in, v, false);
}

/* Versions that do not list their metrics: what is a number and not known as another. */
static int old_metric(void *user, iv_str key, const iv_json *v)
{
    return iv_str_cmp(key, iv_str_of("doc_id")) == 0 || iv_str_cmp(key, iv_str_of("target")) == 0
            || (iv_json_kind_of(v) != IV_JSON_NUMBER && iv_json_kind_of(v) != IV_JSON_TRUTH)
        ? IV_OK : add_metric(user, key, v, (iv_str){ NULL, 0 });
}

int iv_read_lm_eval(iv_score_reading *in, const iv_json *v)
{
    const iv_json *metrics = iv_json_find(v, iv_str_of("metrics"));
    const iv_json *f = iv_json_find(v, iv_str_of("filter"));
    const iv_str filter = f != NULL && iv_json_kind_of(f) == IV_JSON_TEXT ? iv_json_string(f)
        : (iv_str){ NULL, 0 };

    iv_score_folder(in->f);
    IV_TRY(iv_score_name(&in->x.text[IV_ROLE_ITEM], in, iv_json_find(v, iv_str_of("doc_id")),
                   IV_ROLE_ITEM));
    IV_TRY(iv_score_roles(in, v, false));
    in->any = false;
    if (iv_score_asked(in->r, IV_ROLE_SCORE).ptr != NULL)
        return iv_score_put(in, iv_json_member(v, iv_score_asked(in->r, IV_ROLE_SCORE)), false);
    if (metrics == NULL || iv_json_kind_of(metrics) != IV_JSON_LIST)
        IV_TRY(iv_json_each(v, in, old_metric));
    for (size_t i = 0; metrics != NULL && iv_json_kind_of(metrics) == IV_JSON_LIST
         && i < iv_json_count(metrics); i++) {
        const iv_json *name = iv_json_at(metrics, i);
        const iv_json *value = iv_json_kind_of(name) != IV_JSON_TEXT ? NULL
            : iv_json_find(v, iv_json_string(name));
        if (value != NULL)
            IV_TRY(add_metric(in, iv_json_string(name), value, filter));
    }
    return in->any ? IV_OK
        : iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a sample without a metric that "
                     "is a number");
}

/* ---------------------------------------------------------------- Inspect -- */

/* What a scorer said: a value, or a dictionary of values, a measure each. */
typedef struct scorer {
    iv_score_reading *in;
    iv_str name;
} scorer;

static int scorer_part(void *user, iv_str key, const iv_json *v)
{
    const scorer *s = user;

    return put_joined(s->in, s->name, '.', key, v, true);
}

static int add_scorer(void *user, iv_str key, const iv_json *v)
{
    scorer s = { user, key };
    const iv_json *value = iv_json_find(v, iv_str_of("value"));

    s.in->x.text[IV_ROLE_MEASURE] = key;
    if (value != NULL && iv_json_kind_of(value) == IV_JSON_OBJECT)
        return iv_json_each(value, &s, scorer_part);
    return iv_score_put(s.in, value != NULL ? value : v, true);
}

int iv_read_inspect(iv_score_reading *in, const iv_json *v)
{
    static const char *const parts[] = { "id", "epoch" };
    static const iv_score_role roles[] = { IV_ROLE_ITEM, IV_ROLE_REPEAT };
    const iv_json *scores = iv_json_find(v, iv_str_of("scores"));
    const iv_json *score = iv_json_find(v, iv_str_of("score")); /* of old logs */

    for (size_t i = 0; i < 2; i++) {
        const iv_json *found = iv_json_find(v, iv_str_of(parts[i]));
        if (found != NULL)
            IV_TRY(iv_score_name(&in->x.text[roles[i]], in, found, roles[i]));
    }
    IV_TRY(iv_score_roles(in, v, false));
    if (scores != NULL && iv_json_kind_of(scores) == IV_JSON_OBJECT && iv_json_count(scores) > 0)
        return iv_json_each(scores, in, add_scorer);
    if (score != NULL && iv_json_kind_of(score) == IV_JSON_OBJECT)
        return add_scorer(in, (iv_str){ NULL, 0 }, score);
    in->x.score = (double)NAN; /* a sample that ended in an error */
    return iv_score_add(in->r, in->f, in->line, &in->x, in->err);
}
