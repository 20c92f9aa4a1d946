/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of promptfoo, OpenAI evals and HELM. */
#include <math.h>
#include <string.h>

#include "trec/score_json.h"

/* A member of a kind; NULL: there is none. */
static const iv_json *member(const iv_json *v, const char *name, iv_json_kind kind)
{
    const iv_json *m = v != NULL && iv_json_kind_of(v) == IV_JSON_OBJECT
        ? iv_json_find(v, iv_str_of(name)) : NULL;

    return m != NULL && iv_json_kind_of(m) == kind ? m : NULL;
}

static bool is_text(const iv_json *v, const char *text)
{
    return v != NULL && iv_str_cmp(iv_json_string(v), iv_str_of(text)) == 0;
}

/* Every number of an object is a measure. */
static int add_number(void *user, iv_str key, const iv_json *v)
{
    iv_score_reading *in = user;

    if (iv_json_kind_of(v) != IV_JSON_NUMBER && iv_json_kind_of(v) != IV_JSON_TRUTH)
        return IV_OK;
    in->x.text[IV_ROLE_MEASURE] = key;
    return iv_score_put(in, v, false);
}

/* -------------------------------------------------------------- promptfoo -- */

/* The list of results of --output, or NULL. */
static const iv_json *results_of(const iv_json *v)
{
    const iv_json *inner = member(v, "results", IV_JSON_OBJECT);
    const iv_json *list = member(inner != NULL ? inner : v, "results", IV_JSON_LIST);

    return list != NULL && iv_json_count(list) > 0
            && iv_json_kind_of(iv_json_at(list, 0)) == IV_JSON_OBJECT
            && iv_json_find(iv_json_at(list, 0), iv_str_of("provider")) != NULL
        ? list : NULL;
}

bool iv_is_promptfoo(const iv_json *v) { return results_of(v) != NULL; }

/* One result: the provider is the system, the test the item, the prompt a repeat of neither. */
static int promptfoo_result(iv_score_reading *in, const iv_json *v, size_t number)
{
    const iv_json *provider = iv_json_find(v, iv_str_of("provider"));
    const iv_json *id = member(provider, "id", IV_JSON_TEXT), *label = member(provider, "label",
                                                                             IV_JSON_TEXT);
    const iv_json *prompt = member(v, "promptIdx", IV_JSON_NUMBER);
    const iv_json *test = member(v, "testIdx", IV_JSON_NUMBER);
    const iv_json *score = iv_json_find(v, iv_str_of("score"));
    const iv_json *named = member(v, "namedScores", IV_JSON_OBJECT);
    char item[32], system[300];

    in->x = (iv_score_record){ .weight = (double)NAN };
    const iv_json *name = label != NULL && iv_json_string(label).len > 0 ? label
        : id != NULL ? id : provider;
    IV_TRY(iv_score_name(&in->x.text[IV_ROLE_SYSTEM], in, name, IV_ROLE_SYSTEM));
    const iv_str is = in->x.text[IV_ROLE_SYSTEM];
    if (prompt != NULL && iv_json_number(prompt) > 0.0) {
        (void)snprintf(system, sizeof system, "%.*s, prompt %.0f",
                       (int)(is.len < 200 ? is.len : 200), is.ptr, iv_json_number(prompt) + 1.0);
        in->x.text[IV_ROLE_SYSTEM] = iv_str_of(system);
    }
    (void)snprintf(item, sizeof item, "%.0f", test != NULL ? iv_json_number(test) : (double)number);
    in->x.text[IV_ROLE_ITEM] = iv_str_of(item);
    IV_TRY(iv_score_roles(in, v, false));
    if (score == NULL)
        score = iv_json_find(v, iv_str_of("success"));
    if (score == NULL)
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a result without a score");
    IV_TRY(iv_score_put(in, score, false));
    return named != NULL ? iv_json_each(named, in, add_number) : IV_OK;
}

int iv_read_promptfoo(iv_score_reading *in, const iv_json *v)
{
    const iv_json *list = results_of(v);

    for (size_t i = 0; i < iv_json_count(list); i++)
        if (iv_json_kind_of(iv_json_at(list, i)) == IV_JSON_OBJECT)
            IV_TRY(promptfoo_result(in, iv_json_at(list, i), i));
    return IV_OK;
}

/* ----------------------------------------------------------- OpenAI evals -- */

bool iv_is_openai_evals(const iv_json *v)
{
    return member(v, "spec", IV_JSON_OBJECT) != NULL
        || iv_json_find(v, iv_str_of("final_report")) != NULL
        || (iv_json_find(v, iv_str_of("event_id")) != NULL
            && member(v, "data", IV_JSON_OBJECT) != NULL);
}

/* The line of the run, of the means, or of an event; match and metrics have scores. */
int iv_read_openai_evals(iv_score_reading *in, const iv_json *v)
{
    const iv_json *spec = member(v, "spec", IV_JSON_OBJECT);
    const iv_json *data = member(v, "data", IV_JSON_OBJECT);
    const iv_json *type = member(v, "type", IV_JSON_TEXT), *fns = member(spec, "completion_fns",
                                                                         IV_JSON_LIST);
    const iv_json *item = iv_json_find(v, iv_str_of("sample_id"));

    if (spec != NULL) {
        if (fns != NULL && iv_json_count(fns) > 0)
            IV_TRY(iv_score_keep(&in->f->system, in, iv_json_at(fns, 0)));
        return iv_score_keep(&in->f->suite, in, member(spec, "eval_name", IV_JSON_TEXT));
    }
    if (data == NULL || item == NULL || !(is_text(type, "match") || is_text(type, "metrics")))
        return IV_OK;
    in->x = (iv_score_record){ .weight = (double)NAN };
    IV_TRY(iv_score_name(&in->x.text[IV_ROLE_ITEM], in, item, IV_ROLE_ITEM));
    if (is_text(type, "metrics"))
        return iv_json_each(data, in, add_number);
    const iv_json *correct = iv_json_find(data, iv_str_of("correct"));
    in->x.text[IV_ROLE_MEASURE] = iv_str_of("correct");
    return correct != NULL ? iv_score_put(in, correct, false) : IV_OK;
}

/* ------------------------------------------------------------------- HELM -- */

bool iv_is_helm(const iv_json *v)
{
    return iv_json_find(v, iv_str_of("instance_id")) != NULL
        && member(v, "stats", IV_JSON_LIST) != NULL;
}

/* "mmlu:subject=philosophy,model=openai_gpt2": the folder names set and system. */
static void helm_folder(iv_score_file *f)
{
    const char *slash = strrchr(f->name, '/'), *from = slash;

    while (from != NULL && from > f->name && from[-1] != '/')
        from--;
    for (const char *at = from; at != NULL && at + 7 <= slash; at++) {
        if ((*at != ',' && *at != ':') || strncmp(at + 1, "model=", 6) != 0)
            continue;
        f->suite = (iv_str){ from, (size_t)(at - from) };
        f->system = (iv_str){ at + 7, strcspn(at + 7, ",/") };
        return;
    }
}

/* An instance of per_instance_stats.json; perturbed ones are passed over. */
int iv_read_helm(iv_score_reading *in, const iv_json *v)
{
    const iv_json *stats = member(v, "stats", IV_JSON_LIST);
    const iv_json *trial = member(v, "train_trial_index", IV_JSON_NUMBER);

    if (member(v, "perturbation", IV_JSON_OBJECT) != NULL)
        return IV_OK;
    helm_folder(in->f);
    in->x = (iv_score_record){ .weight = (double)NAN };
    IV_TRY(iv_score_name(&in->x.text[IV_ROLE_ITEM], in, iv_json_find(v, iv_str_of("instance_id")),
                         IV_ROLE_ITEM));
    if (trial != NULL)
        IV_TRY(iv_score_name(&in->x.text[IV_ROLE_REPEAT], in, trial, IV_ROLE_REPEAT));
    IV_TRY(iv_score_roles(in, v, false));
    for (size_t i = 0; i < iv_json_count(stats); i++) {
        const iv_json *s = iv_json_at(stats, i);
        const iv_json *name = member(member(s, "name", IV_JSON_OBJECT), "name", IV_JSON_TEXT);
        const iv_json *mean = member(s, "mean", IV_JSON_NUMBER);
        if (name == NULL || mean == NULL)
            continue;
        in->x.text[IV_ROLE_MEASURE] = iv_json_string(name);
        IV_TRY(iv_score_put(in, mean, false));
    }
    return IV_OK;
}
