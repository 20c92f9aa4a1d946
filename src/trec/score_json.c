/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores in JSON: records of any kind, and what other tools write: lm-evaluation-harness,
 * Inspect, promptfoo, DeepEval, OpenAI evals, HELM, pytrec_eval, ranx and BEIR.
 */
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "trec/json_read.h"
#include "trec/score_records.h"
#include "trec/score_table.h"
#include "trec/short_name.h"
#include "trec/zip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The record at hand. */
typedef struct reading {
    iv_scores_reader *r;
    iv_score_file *f;
    uint64_t line;
    iv_score_record x;
    char number[IV_SCORE_ROLES][IV_REAL_SIZE]; /* texts of what were numbers */
    iv_str names[IV_SCORE_ROLES]; /* of the members that the records of the file use */
    const iv_json *score; /* the member that is it */
    bool any; /* a score was found */
    iv_str text;  /* of the file */
    /* Of promptfoo: how many prompts there are, 0: not yet known; whether each has one column of
     * results; and how often each column has had each item. */
    size_t prompts;
    bool alone;
    iv_ids runs;
    unsigned *times;
    size_t times_room;
    iv_str scorer; /* of Inspect, whose dictionary of values is at hand */
    /* Of a dictionary of dictionaries: which of its levels are names of measures, and whether all
     * values are dictionaries of numbers; the name at hand; of means over a data set its file. */
    bool outer_measures, inner_measures, numbers;
    iv_str outer, set;
    iv_err *err;
} reading;

/* ------------------------------------------------------------------ parts -- */

static const iv_json *dotted_member(const iv_json *v, iv_str name)
{
    const iv_json *found = iv_json_find(v, name);
    const char *dot = memchr(name.ptr, '.', name.len);

    if (found != NULL || dot == NULL)
        return found;
    found = iv_json_find(v, (iv_str){ name.ptr, (size_t)(dot - name.ptr) });
    return found == NULL ? NULL
        : dotted_member(found, (iv_str){ dot + 1, name.len - (size_t)(dot + 1 - name.ptr) });
}

static int take_name(iv_str *out, reading *in, const iv_json *v, iv_score_role role)
{
    char *number = in->number[role];
    int64_t whole;

    switch (iv_json_kind_of(v)) {
    case IV_JSON_TEXT:
        *out = iv_json_string(v);
        if (memchr(out->ptr, '\0', out->len) != NULL)
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "%s has a character 0, "
                              "expected a name", iv_score_role_names()[role]);
        return IV_OK;
    case IV_JSON_NUMBER:
        if (iv_json_integer(&whole, v))
            (void)snprintf(number, IV_REAL_SIZE, "%lld", (long long)whole);
        else
            (void)iv_format_real(number, iv_json_number(v));
        *out = iv_str_of(number);
        return IV_OK;
    case IV_JSON_TRUTH:
        *out = iv_str_of(iv_json_number(v) > 0.0 ? "true" : "false");
        return IV_OK;
    case IV_JSON_NULL:
        *out = (iv_str){ "", 0 };
        return IV_OK;
    case IV_JSON_LIST:
    case IV_JSON_OBJECT:
        break;
    }
    return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "%s is a list or an object, "
                      "expected a name", iv_score_role_names()[role]);
}

static bool score_of(double *out, const iv_json *v, bool grades)
{
    *out = (double)NAN;
    switch (iv_json_kind_of(v)) {
    case IV_JSON_NUMBER:
    case IV_JSON_TRUTH:
        *out = iv_json_number(v);
        return true;
    case IV_JSON_TEXT:
        return iv_json_string(v).len == 0 || iv_score_of(out, iv_json_string(v), grades);
    case IV_JSON_NULL:
        return true;
    case IV_JSON_LIST:
    case IV_JSON_OBJECT:
        break;
    }
    return false;
}

static int put_score(reading *in, const iv_json *v, bool grades)
{
    char quoted[IV_QUOTE_SIZE];
    const bool text = iv_json_kind_of(v) == IV_JSON_TEXT;

    if (!score_of(&in->x.score, v, grades))
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "score %s, expected a finite "
                          "number", text ? iv_quote(quoted, iv_json_string(v))
                                         : "is a list or an object");
    in->any = true;
    return iv_score_add(in->r, in->f, in->line, &in->x, in->err);
}

/* The members that are asked for as measures of their own, of a record without measures. */
static int add_wanted(reading *in, const iv_json *v)
{
    const iv_texts *wanted = &in->r->wanted;

    if (in->names[IV_ROLE_MEASURE].ptr != NULL || in->r->path_says[IV_ROLE_MEASURE].ptr != NULL)
        return IV_OK;
    for (size_t i = 0; i < wanted->count; i++) {
        const iv_str name = iv_str_of(wanted->at[i]);
        const iv_json *found = dotted_member(v, name);
        bool again = found == NULL || found == in->score
            || iv_json_kind_of(found) == IV_JSON_LIST || iv_json_kind_of(found) == IV_JSON_OBJECT;
        for (size_t k = 0; k < i; k++)
            again = again || strcmp(wanted->at[k], wanted->at[i]) == 0;
        if (again || iv_score_named_for_other(in->r, IV_SCORE_ROLES, name))
            continue;
        in->x.text[IV_ROLE_MEASURE] = name;
        IV_TRY(put_score(in, found, false));
    }
    return IV_OK;
}

static int take_roles(reading *in, const iv_json *v, bool usual)
{
    char quoted[IV_QUOTE_SIZE], before[IV_QUOTE_SIZE];

    in->score = NULL;
    for (size_t k = 0; k < IV_SCORE_ROLES; k++) {
        const char *role = iv_score_role_names()[k];
        const iv_str asked = in->r->asked[k];
        const iv_json *found = asked.ptr != NULL ? dotted_member(v, asked) : NULL;
        iv_str name = asked;
        if (asked.ptr != NULL && found == NULL && k != IV_ROLE_HUMAN) /* nobody looked */
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "no member %s for %s",
                              iv_quote(quoted, asked), role);
        for (const char *const *n = iv_score_usual((iv_score_role)k, in->r->dated);
             asked.ptr == NULL && usual && found == NULL && *n != NULL; n++) {
            name = iv_str_of(*n);
            found = iv_score_named_for_other(in->r, k, name) ? NULL : iv_json_find(v, name);
        }
        if (found == NULL)
            continue;
        if (in->names[k].ptr != NULL && in->names[k].ptr != name.ptr)
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "%s is the %s, and before "
                              "%s was; expected one name" IV_HINT("; --columns %s=NAME names it"),
                              iv_quote(quoted, name), role, iv_quote(before, in->names[k]), role);
        in->names[k] = name;
        iv_score_taken(in->r, (iv_score_role)k, name);
        if (k == IV_ROLE_WEIGHT && (!score_of(&in->x.weight, found, false)
                                    || isnan(in->x.weight)))
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "the weight is no "
                              "number, expected one above 0");
        if (k == IV_ROLE_HUMAN && !score_of(&in->x.human, found, false))
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "the human label is no "
                              "number, expected one or null");
        if (k == IV_ROLE_SCORE)
            in->score = found;
        else if (k != IV_ROLE_WEIGHT && k != IV_ROLE_HUMAN)
            IV_TRY(take_name(&in->x.text[k], in, found, (iv_score_role)k));
    }
    if (usual && in->x.text[IV_ROLE_ITEM].ptr == NULL && in->x.text[IV_ROLE_SUITE].ptr != NULL
        && iv_score_task_is_item(in->r, in->names[IV_ROLE_SUITE])) {
        in->x.text[IV_ROLE_ITEM] = in->x.text[IV_ROLE_SUITE];
        in->x.text[IV_ROLE_SUITE] = (iv_str){ NULL, 0 };
    }
    return IV_OK;
}

static int keep_text(iv_str *out, reading *in, const iv_json *v)
{
    const iv_str s = v != NULL && iv_json_kind_of(v) == IV_JSON_TEXT ? iv_json_string(v)
        : (iv_str){ "", 0 };
    const char *kept = s.len > 0 ? iv_arena_copy(&in->r->to->own, s) : NULL;

    if (s.len > 0 && kept == NULL)
        return iv_fail(in->err, IV_ENOMEM, "out of memory");
    *out = s.len > 0 ? (iv_str){ kept, s.len } : *out;
    return IV_OK;
}

/* A member of a kind; NULL: there is none. */
static const iv_json *member(const iv_json *v, const char *name, iv_json_kind kind)
{
    const iv_json *m = v != NULL && iv_json_kind_of(v) == IV_JSON_OBJECT
        ? iv_json_find(v, iv_str_of(name)) : NULL;

    return m != NULL && iv_json_kind_of(m) == kind ? m : NULL;
}

static bool is_text(const iv_json *v, const char *text)
{
    return v != NULL && iv_json_kind_of(v) == IV_JSON_TEXT
        && iv_str_cmp(iv_json_string(v), iv_str_of(text)) == 0;
}

/* ------------------------------------------------- lm-evaluation-harness -- */

static void folder_names(iv_score_file *f)
{
    const char *slash = strrchr(f->name, '/'), *from = slash == NULL ? f->name : slash + 1;

    if (strncmp(from, "samples_", 8) == 0 && f->suite.len == 0) {
        const char *task = from + 8, *date = NULL;
        for (const char *p = strstr(task, "_20"); p != NULL; p = strstr(p + 1, "_20"))
            date = p; /* the last one: a task may have a year in its name */
        f->suite = (iv_str){ task, date != NULL ? (size_t)(date - task) : strcspn(task, ".") };
    }
    if (slash == NULL)
        return;
    iv_str folder = iv_score_part(f->name, slash);
    if (folder.ptr == f->from[IV_ROLE_REPEAT].ptr && folder.ptr > f->name) /* repeat=@folder */
        folder = iv_score_part(f->name, folder.ptr - 1);
    if (folder.len > 0)
        f->system = folder;
}

static bool is_lm_eval(const iv_json *v)
{
    return iv_json_find(v, iv_str_of("doc_id")) != NULL
        && (iv_json_find(v, iv_str_of("resps")) != NULL
            || iv_json_find(v, iv_str_of("filtered_resps")) != NULL);
}

/* A score of a measure with two names. */
static int put_joined(reading *in, iv_str a, char between, iv_str b, const iv_json *v,
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
    const int rc = put_score(in, v, grades);
    in->x.text[IV_ROLE_MEASURE] = a;
    if (both != small)
        free(both);
    return rc;
}

/* One metric of a sample; those that are no number of the sample are passed over. */
static int add_metric(reading *in, iv_str name, const iv_json *v, iv_str filter)
{
    double value;

    if (iv_json_kind_of(v) == IV_JSON_TEXT || !score_of(&value, v, false))
        return IV_OK;
    in->x.text[IV_ROLE_MEASURE] = name;
    return filter.len > 0 && iv_str_cmp(filter, iv_str_of("none")) != 0
        ? put_joined(in, name, ',', filter, v, false) : put_score(in, v, false);
}

/* Versions that do not list their metrics: what is a number and not known as another. */
static int old_metric(void *user, iv_str key, const iv_json *v)
{
    return iv_str_cmp(key, iv_str_of("doc_id")) == 0 || iv_str_cmp(key, iv_str_of("target")) == 0
            || (iv_json_kind_of(v) != IV_JSON_NUMBER && iv_json_kind_of(v) != IV_JSON_TRUTH)
        ? IV_OK : add_metric(user, key, v, (iv_str){ NULL, 0 });
}

static int read_lm_eval(reading *in, const iv_json *v)
{
    const iv_json *metrics = member(v, "metrics", IV_JSON_LIST);
    const iv_json *f = member(v, "filter", IV_JSON_TEXT);
    const iv_json *hash = member(v, "doc_hash", IV_JSON_TEXT);
    const iv_str filter = f != NULL ? iv_json_string(f) : (iv_str){ NULL, 0 };

    folder_names(in->f);
    if (hash != NULL && in->r->asked[IV_ROLE_ITEM].ptr == NULL)
        in->x.document = iv_hash(iv_json_string(hash));
    IV_TRY(take_name(&in->x.text[IV_ROLE_ITEM], in, iv_json_find(v, iv_str_of("doc_id")),
                   IV_ROLE_ITEM));
    IV_TRY(take_roles(in, v, false));
    in->any = false;
    if (in->score != NULL)
        return put_score(in, in->score, false);
    if (metrics == NULL)
        IV_TRY(iv_json_each(v, in, old_metric));
    for (size_t i = 0; metrics != NULL && i < iv_json_count(metrics); i++) {
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

static int scorer_part(void *user, iv_str key, const iv_json *v)
{
    reading *in = user;

    return put_joined(in, in->scorer, '.', key, v, true);
}

/* What a scorer said: a value, or a dictionary of values, a measure each. */
static int add_scorer(void *user, iv_str key, const iv_json *v)
{
    reading *in = user;
    const iv_json *value = iv_json_find(v, iv_str_of("value"));

    in->scorer = in->x.text[IV_ROLE_MEASURE] = key;
    if (value != NULL && iv_json_kind_of(value) == IV_JSON_OBJECT)
        return iv_json_each(value, in, scorer_part);
    return put_score(in, value != NULL ? value : v, true);
}

static int read_inspect(reading *in, const iv_json *v)
{
    static const char *const parts[] = { "id", "epoch" };
    static const iv_score_role roles[] = { IV_ROLE_ITEM, IV_ROLE_REPEAT };
    const iv_json *scores = iv_json_find(v, iv_str_of("scores"));
    const iv_json *score = iv_json_find(v, iv_str_of("score")); /* of old logs */

    for (size_t i = 0; i < 2; i++) {
        const iv_json *found = iv_json_find(v, iv_str_of(parts[i]));
        if (found != NULL)
            IV_TRY(take_name(&in->x.text[roles[i]], in, found, roles[i]));
    }
    IV_TRY(take_roles(in, v, false));
    IV_TRY(add_wanted(in, v)); /* total_time, working_time */
    in->x.text[IV_ROLE_MEASURE] = (iv_str){ NULL, 0 };
    if (scores != NULL && iv_json_kind_of(scores) == IV_JSON_OBJECT && iv_json_count(scores) > 0)
        return iv_json_each(scores, in, add_scorer);
    if (score != NULL && iv_json_kind_of(score) == IV_JSON_OBJECT)
        return add_scorer(in, (iv_str){ NULL, 0 }, score);
    in->x.score = (double)NAN; /* a sample that ended in an error */
    return iv_score_add(in->r, in->f, in->line, &in->x, in->err);
}

/* Every number of an object is a measure. */
static int add_number(void *user, iv_str key, const iv_json *v)
{
    reading *in = user;

    if (iv_json_kind_of(v) != IV_JSON_NUMBER && iv_json_kind_of(v) != IV_JSON_TRUTH)
        return IV_OK;
    in->x.text[IV_ROLE_MEASURE] = key;
    return put_score(in, v, false);
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

static bool is_promptfoo_line(const iv_json *v)
{
    return iv_json_find(v, iv_str_of("promptIdx")) != NULL
        && iv_json_find(v, iv_str_of("testIdx")) != NULL
        && iv_json_find(v, iv_str_of("provider")) != NULL;
}

/* How many different values the members of a name have in the text: those of the first `most`,
 * each behind its colon up to a comma or bracket. */
static size_t values_of(iv_str text, iv_str key)
{
    enum { MOST = 64 };
    const char *end = text.ptr + text.len;
    uint64_t seen[MOST];
    size_t count = 0;

    for (const char *at = text.ptr; (at = memchr(at, '"', (size_t)(end - at))) != NULL; at++) {
        if ((size_t)(end - at) <= key.len || memcmp(at, key.ptr, key.len) != 0)
            continue;
        const char *from = at += key.len, *to = from;
        while (to < end && strchr(",]}", *to) == NULL)
            to++;
        const uint64_t is = iv_hash((iv_str){ from, (size_t)(to - from) });
        size_t i = 0;
        while (i < count && seen[i] != is)
            i++;
        if (i == count && count < MOST)
            seen[count++] = is;
        at = to - 1;
    }
    return count;
}

/*
 * The item of a result: its test's description and variables, which are the same in each of
 * --repeat's runs of it, whereas testIdx counts those runs.  A test with neither has its
 * assertions.
 */
static int name_test(iv_short_name *n, const iv_json *v)
{
    const iv_json *test = member(v, "testCase", IV_JSON_OBJECT);
    const iv_json *described = member(test, "description", IV_JSON_TEXT);
    const iv_json *vars = member(test, "vars", IV_JSON_OBJECT);
    const iv_json *asserts = member(test, "assert", IV_JSON_LIST);

    if (vars == NULL)
        vars = member(v, "vars", IV_JSON_OBJECT);
    if (described != NULL && iv_json_string(described).len > 0) {
        iv_name_add(n, iv_json_string(described));
        iv_name_add(n, iv_str_of(vars != NULL && iv_json_count(vars) > 0 ? ": " : ""));
    }
    if (vars != NULL)
        IV_TRY(iv_name_members(n, vars));
    return n->len == 0 && asserts != NULL ? iv_name_value(n, asserts) : IV_OK;
}

/* Of several prompts the prompt's label, with the provider if each prompt has several. */
static int name_system(reading *in, iv_short_name *n, const iv_json *v)
{
    const iv_json *provider = iv_json_find(v, iv_str_of("provider"));
    const iv_json *id = member(provider, "id", IV_JSON_TEXT);
    const iv_json *label = member(provider, "label", IV_JSON_TEXT);
    const iv_json *prompt = member(member(v, "prompt", IV_JSON_OBJECT), "label", IV_JSON_TEXT);

    if (prompt == NULL)
        prompt = member(v, "promptId", IV_JSON_TEXT);
    IV_TRY(take_name(&in->x.text[IV_ROLE_SYSTEM], in,
                     label != NULL && iv_json_string(label).len > 0 ? label
                         : id != NULL ? id : provider, IV_ROLE_SYSTEM));
    if (in->prompts == 0) {
        in->prompts = values_of(in->text, iv_str_of("\"promptId\""));
        in->alone = values_of(in->text, iv_str_of("\"promptIdx\"")) <= in->prompts;
    }
    if (prompt == NULL || in->prompts < 2)
        return IV_OK;
    if (!in->alone) {
        iv_name_add(n, in->x.text[IV_ROLE_SYSTEM]);
        iv_name_add(n, iv_str_of(", "));
    }
    iv_name_add(n, iv_json_string(prompt));
    in->x.text[IV_ROLE_SYSTEM] = iv_name_end(n);
    return IV_OK;
}

/* Which repeat of its item a result is: --repeat runs the tests again, in one file. */
static int name_repeat(reading *in, const iv_json *v)
{
    const iv_json *column = member(v, "promptIdx", IV_JSON_NUMBER);
    iv_short_name key = { .len = 0 };
    uint32_t at;

    (void)snprintf(key.text, sizeof key.text, "%.0f/",
                   column != NULL ? iv_json_number(column) : 0.0);
    key.len = strlen(key.text);
    iv_name_add(&key, in->x.text[IV_ROLE_ITEM]);
    const size_t before = in->runs.count;
    IV_TRY(iv_ids_number(&at, &in->runs, iv_name_end(&key), &in->r->to->own, in->err));
    if (!IV_ROOM(in->times, in->times_room, in->runs.count))
        return iv_no_memory(in->err);
    in->times[at] = at == before ? 1 : in->times[at] + 1;
    if (in->times[at] > 1) {
        (void)snprintf(in->number[IV_ROLE_REPEAT], IV_REAL_SIZE, "%u", in->times[at]);
        in->x.text[IV_ROLE_REPEAT] = iv_str_of(in->number[IV_ROLE_REPEAT]);
    }
    return IV_OK;
}

/* One result: the provider or prompt is the system, the test the item, --repeat the repeat. */
static int promptfoo_result(reading *in, const iv_json *v, size_t number)
{
    const iv_json *test = member(v, "testIdx", IV_JSON_NUMBER);
    const iv_json *score = iv_json_find(v, iv_str_of("score"));
    const iv_json *named = member(v, "namedScores", IV_JSON_OBJECT);
    iv_short_name system = { .len = 0 }, item = { .len = 0 };
    char plain[32];

    in->x = IV_SCORE_RECORD;
    IV_TRY(name_system(in, &system, v));
    IV_TRY(name_test(&item, v));
    (void)snprintf(plain, sizeof plain, "%.0f",
                   test != NULL ? iv_json_number(test) : (double)number);
    in->x.text[IV_ROLE_ITEM] = item.len > 0 ? iv_name_end(&item) : iv_str_of(plain);
    IV_TRY(name_repeat(in, v));
    IV_TRY(take_roles(in, v, false));
    if (score == NULL)
        score = iv_json_find(v, iv_str_of("success"));
    if (score == NULL)
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a result without a score");
    IV_TRY(put_score(in, score, false));
    in->score = score;
    if (named != NULL)
        IV_TRY(iv_json_each(named, in, add_number));
    return add_wanted(in, v);
}

static int read_promptfoo(reading *in, const iv_json *v)
{
    const iv_json *list = results_of(v);

    for (size_t i = 0; i < iv_json_count(list); i++)
        if (iv_json_kind_of(iv_json_at(list, i)) == IV_JSON_OBJECT)
            IV_TRY(promptfoo_result(in, iv_json_at(list, i), i));
    return IV_OK;
}

/* --------------------------------------------------------------- DeepEval -- */

/* A metric of a test case: its name is the measure, beside what the case says of itself. */
static int deepeval_metric(reading *in, const iv_json *metric)
{
    const iv_json *name = member(metric, "name", IV_JSON_TEXT);
    const iv_json *score = iv_json_find(metric, iv_str_of("score"));

    if (name == NULL || score == NULL)
        return IV_OK; /* a metric that ended in an error */
    in->x.text[IV_ROLE_MEASURE] = iv_json_string(name);
    return put_score(in, score, false);
}

/* A case of test_run_DATE.json: its name is the item, the file the system; "success" says whether
 * all metrics reached their thresholds. */
static int read_deepeval(reading *in, const iv_json *cases)
{
    for (size_t i = 0; i < iv_json_count(cases); i++) {
        const iv_json *v = iv_json_at(cases, i);
        const iv_json *metrics = member(v, "metricsData", IV_JSON_LIST);
        const iv_json *name = member(v, "name", IV_JSON_TEXT);
        const iv_json *passed = member(v, "success", IV_JSON_TRUTH);
        in->x = (iv_score_record){ .weight = (double)NAN };
        if (metrics == NULL || name == NULL)
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a test case without a "
                              "name or metricsData");
        in->x.text[IV_ROLE_ITEM] = iv_json_string(name);
        IV_TRY(take_roles(in, v, false));
        for (size_t k = 0; k < iv_json_count(metrics); k++)
            IV_TRY(deepeval_metric(in, iv_json_at(metrics, k)));
        in->x.text[IV_ROLE_MEASURE] = iv_str_of("success");
        if (passed != NULL)
            IV_TRY(put_score(in, passed, false));
    }
    return IV_OK;
}

/* ------------------------------------------------ SWE-bench, Terminal-Bench -- */

/* A report of SWE-bench: what was submitted is resolved or not. */
static int read_swebench(reading *in, const iv_json *submitted, const iv_json *resolved)
{
    uint32_t number;

    for (size_t i = 0; i < iv_json_count(resolved); i++)
        if (iv_json_kind_of(iv_json_at(resolved, i)) == IV_JSON_TEXT)
            IV_TRY(iv_ids_number(&number, &in->runs, iv_json_string(iv_json_at(resolved, i)),
                                 &in->r->to->own, in->err));
    for (size_t i = 0; i < iv_json_count(submitted); i++) {
        in->x = IV_SCORE_RECORD;
        IV_TRY(take_name(&in->x.text[IV_ROLE_ITEM], in, iv_json_at(submitted, i), IV_ROLE_ITEM));
        in->x.text[IV_ROLE_MEASURE] = iv_str_of("resolved");
        in->x.score = iv_ids_find(&in->runs, in->x.text[IV_ROLE_ITEM]) != IV_NO_ID;
        IV_TRY(iv_score_add(in->r, in->f, in->line, &in->x, in->err));
    }
    return IV_OK;
}

/* results.json of Terminal-Bench: a trial is a repeat of its task; the folder names the run. */
static int read_trials(reading *in, const iv_json *list)
{
    folder_names(in->f);
    for (size_t i = 0; i < iv_json_count(list); i++) {
        const iv_json *v = iv_json_at(list, i), *task = member(v, "task_id", IV_JSON_TEXT);
        const iv_json *resolved = member(v, "is_resolved", IV_JSON_TRUTH);
        in->x = IV_SCORE_RECORD;
        if (task == NULL)
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a trial without a task");
        in->x.text[IV_ROLE_ITEM] = iv_json_string(task);
        IV_TRY(name_repeat(in, v));
        IV_TRY(take_roles(in, v, false));
        in->x.text[IV_ROLE_MEASURE] = iv_str_of("resolved");
        in->x.score = resolved != NULL ? iv_json_number(resolved) : 0.0; /* as it counts them */
        IV_TRY(iv_score_add(in->r, in->f, in->line, &in->x, in->err));
    }
    return IV_OK;
}

/* ----------------------------------------------------------- OpenAI evals -- */

static bool is_openai_evals(const iv_json *v)
{
    return member(v, "spec", IV_JSON_OBJECT) != NULL
        || iv_json_find(v, iv_str_of("final_report")) != NULL
        || (iv_json_find(v, iv_str_of("event_id")) != NULL
            && member(v, "data", IV_JSON_OBJECT) != NULL);
}

/* The line of the run, of the means, or of an event; match and metrics have scores. */
static int read_openai_evals(reading *in, const iv_json *v)
{
    const iv_json *spec = member(v, "spec", IV_JSON_OBJECT);
    const iv_json *data = member(v, "data", IV_JSON_OBJECT);
    const iv_json *type = member(v, "type", IV_JSON_TEXT), *fns = member(spec, "completion_fns",
                                                                         IV_JSON_LIST);
    const iv_json *item = iv_json_find(v, iv_str_of("sample_id"));

    if (spec != NULL) {
        if (fns != NULL && iv_json_count(fns) > 0)
            IV_TRY(keep_text(&in->f->system, in, iv_json_at(fns, 0)));
        return keep_text(&in->f->suite, in, member(spec, "eval_name", IV_JSON_TEXT));
    }
    if (data == NULL || item == NULL || !(is_text(type, "match") || is_text(type, "metrics")))
        return IV_OK;
    IV_TRY(take_name(&in->x.text[IV_ROLE_ITEM], in, item, IV_ROLE_ITEM));
    if (is_text(type, "metrics"))
        return iv_json_each(data, in, add_number);
    const iv_json *correct = iv_json_find(data, iv_str_of("correct"));
    in->x.text[IV_ROLE_MEASURE] = iv_str_of("correct");
    return correct != NULL ? put_score(in, correct, false) : IV_OK;
}

/* ------------------------------------------------------------------- HELM -- */

static bool is_helm(const iv_json *v)
{
    return iv_json_find(v, iv_str_of("instance_id")) != NULL
        && member(v, "stats", IV_JSON_LIST) != NULL;
}

/* "mmlu:subject=philosophy,model=openai_gpt2": the folder names set and system. */
static void helm_folder(iv_score_file *f)
{
    const char *slash = strrchr(f->name, '/');
    const char *from = slash != NULL ? iv_score_part(f->name, slash).ptr : NULL;

    for (const char *at = from; at != NULL && at + 7 <= slash; at++) {
        if ((*at != ',' && *at != ':') || strncmp(at + 1, "model=", 6) != 0)
            continue;
        f->suite = (iv_str){ from, (size_t)(at - from) };
        f->system = (iv_str){ at + 7, strcspn(at + 7, ",/") };
        return;
    }
}

/* Costs and counts that HELM lists beside the measures. */
static bool is_helm_cost(iv_str name)
{
    static const char *const costs[] = { "num_", "training_", "inference_", "finish_reason_",
                                         "batch_size", "prompt_truncated", "max_prob", "logprob" };

    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (name.len >= strlen(costs[i]) && strncmp(name.ptr, costs[i], strlen(costs[i])) == 0)
            return true;
    return false;
}

/* An instance of per_instance_stats.json; perturbed ones are passed over. */
static int read_helm(reading *in, const iv_json *v)
{
    const iv_json *stats = member(v, "stats", IV_JSON_LIST);
    const iv_json *trial = member(v, "train_trial_index", IV_JSON_NUMBER);

    if (member(v, "perturbation", IV_JSON_OBJECT) != NULL)
        return IV_OK;
    helm_folder(in->f);
    IV_TRY(take_name(&in->x.text[IV_ROLE_ITEM], in, iv_json_find(v, iv_str_of("instance_id")),
                         IV_ROLE_ITEM));
    if (trial != NULL)
        IV_TRY(take_name(&in->x.text[IV_ROLE_REPEAT], in, trial, IV_ROLE_REPEAT));
    IV_TRY(take_roles(in, v, false));
    for (size_t i = 0; i < iv_json_count(stats); i++) {
        const iv_json *s = iv_json_at(stats, i);
        const iv_json *name = member(member(s, "name", IV_JSON_OBJECT), "name", IV_JSON_TEXT);
        const iv_json *mean = member(s, "mean", IV_JSON_NUMBER);
        if (name == NULL || mean == NULL || is_helm_cost(iv_json_string(name)))
            continue;
        in->x.text[IV_ROLE_MEASURE] = iv_json_string(name);
        IV_TRY(put_score(in, mean, false));
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- records -- */

static int named_measure(void *user, iv_str key, const iv_json *v)
{
    reading *in = user;

    if (key.len <= 6 || memcmp(key.ptr, "score_", 6) != 0)
        return IV_OK;
    in->x.text[IV_ROLE_MEASURE] = (iv_str){ key.ptr + 6, key.len - 6 };
    return put_score(in, v, true);
}

static int read_record(reading *in, const iv_json *v)
{
    in->x = IV_SCORE_RECORD;
    if (iv_json_kind_of(v) != IV_JSON_OBJECT)
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "expected an object: a "
                          "record with an item and a score");
    if (is_lm_eval(v))
        return read_lm_eval(in, v);
    if (is_promptfoo_line(v))
        return promptfoo_result(in, v, in->line);
    if (is_openai_evals(v))
        return read_openai_evals(in, v);
    if (is_helm(v))
        return read_helm(in, v);
    if (iv_json_find(v, iv_str_of("scores")) != NULL && iv_json_find(v, iv_str_of("id")) != NULL
        && iv_json_find(v, iv_str_of("epoch")) != NULL)
        return read_inspect(in, v);
    IV_TRY(take_roles(in, v, true));
    in->any = false;
    if (in->score != NULL)
        IV_TRY(put_score(in, in->score, false));
    IV_TRY(add_wanted(in, v));
    if (in->score == NULL)
        IV_TRY(iv_json_each(v, in, named_measure));
    return in->any ? IV_OK
        : iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a record without a score"
                     IV_HINT("; --columns score=NAME names it"));
}

/* A comma, behind which something follows. */
static int take_comma(reading *in, iv_json_place *p, char end)
{
    IV_TRY(iv_json_take(p, ',', in->err));
    return iv_json_peek(p) != end ? IV_OK
        : iv_fail_at(in->err, IV_EPARSE, in->f->name, p->line, "a comma before '%c', expected "
                     "another value or no comma", end);
}

/* The records of an array that begins here. */
static int walk_array(reading *in, iv_json_place *p, int (*record)(reading *, const iv_json *))
{
    IV_TRY(iv_json_take(p, '[', in->err));
    while (iv_json_peek(p) != ']') {
        iv_json *v = NULL;
        in->line = p->line;
        IV_TRY(iv_json_read_python(&v, p, in->err));
        in->x = IV_SCORE_RECORD;
        const int rc = record(in, v);
        iv_json_free(v);
        if (rc != IV_OK)
            return rc;
        if (iv_json_peek(p) != ']')
            IV_TRY(take_comma(in, p, ']'));
    }
    return iv_json_take(p, ']', in->err);
}

/* -------------------------------------------------------------- documents -- */

/* Walks the members of the object that begins here; `found` moves behind each value. */
static int walk_object(reading *in, iv_json_place *p,
                       int (*found)(reading *in, iv_json_place *p, iv_str key))
{
    IV_TRY(iv_json_take(p, '{', in->err));
    while (iv_json_peek(p) != '}') {
        iv_json *key = NULL;
        if (*p->at != '"')
            return iv_json_take(p, '"', in->err);
        IV_TRY(iv_json_read_python(&key, p, in->err));
        int rc = iv_json_take(p, ':', in->err);
        if (rc == IV_OK) {
            (void)iv_json_peek(p);
            rc = found(in, p, iv_json_string(key));
        }
        iv_json_free(key);
        if (rc != IV_OK)
            return rc;
        if (iv_json_peek(p) != '}')
            IV_TRY(take_comma(in, p, '}'));
    }
    return iv_json_take(p, '}', in->err);
}

/* The model is the system, the task the set. */
static int inspect_eval(reading *in, const iv_json *eval)
{
    IV_TRY(keep_text(&in->f->system, in, member(eval, "model", IV_JSON_TEXT)));
    return keep_text(&in->f->suite, in, member(eval, "task", IV_JSON_TEXT));
}

static int inspect_member(reading *in, iv_json_place *p, iv_str key)
{
    iv_json *v = NULL;

    if (iv_str_cmp(key, iv_str_of("samples")) == 0 && iv_json_peek(p) == '[')
        return walk_array(in, p, read_inspect);
    int rc = iv_json_read_python(&v, p, in->err);
    if (rc == IV_OK && iv_str_cmp(key, iv_str_of("eval")) == 0)
        rc = inspect_eval(in, v);
    if (rc == IV_OK && iv_str_cmp(key, iv_str_of("status")) == 0 && !is_text(v, "success"))
        in->r->to->unfinished = in->f->name;
    iv_json_free(v);
    return rc;
}

static int look_inner(void *user, iv_str key, const iv_json *v)
{
    reading *in = user;

    in->numbers = in->numbers && (iv_json_kind_of(v) == IV_JSON_NUMBER
                                  || iv_json_kind_of(v) == IV_JSON_NULL);
    in->inner_measures = in->inner_measures && iv_is_measure_name(key);
    return IV_OK;
}

static int look_outer(void *user, iv_str key, const iv_json *v)
{
    reading *in = user;

    in->outer_measures = in->outer_measures && iv_is_measure_name(key);
    in->numbers = in->numbers && iv_json_kind_of(v) == IV_JSON_OBJECT && iv_json_count(v) > 0;
    return in->numbers ? iv_json_each(v, in, look_inner) : IV_OK;
}

static bool is_dictionary(reading *in, const iv_json *v)
{
    in->outer_measures = in->inner_measures = in->numbers = true;
    return iv_json_kind_of(v) == IV_JSON_OBJECT && iv_json_count(v) > 0
        && iv_json_each(v, in, look_outer) == IV_OK && in->numbers;
}

static int dictionary_score(void *user, iv_str key, const iv_json *v)
{
    reading *in = user;
    const bool turned = in->outer_measures && !in->inner_measures; /* ranx: measure, then item */

    in->x = IV_SCORE_RECORD;
    in->x.text[IV_ROLE_MEASURE] = turned ? in->outer : key;
    in->x.text[IV_ROLE_ITEM] = in->outer_measures && in->inner_measures ? in->set
        : turned ? key : in->outer;
    return put_score(in, v, false);
}

static int dictionary_member(reading *in, iv_json_place *p, iv_str key)
{
    iv_json *v = NULL;

    in->outer = key;
    in->line = p->line;
    IV_TRY(iv_json_read_python(&v, p, in->err));
    const int rc = iv_json_each(v, in, dictionary_score);
    iv_json_free(v);
    return rc;
}

/* pytrec_eval's item, measure; ranx's measure, item; BEIR's means of a data set. */
static int read_dictionary(reading *in, iv_json_place *p)
{
    if (in->outer_measures && in->inner_measures) {
        in->set = in->f->system;
        folder_names(in->f); /* results/MODEL/SET.json: the folder is the system */
    }
    return walk_object(in, p, dictionary_member);
}

/* The only object of the file, which ends behind it. */
static int read_document(reading *in, const iv_json *v, iv_json_place from)
{
    if (iv_json_find(v, iv_str_of("eval")) != NULL
        && iv_json_find(v, iv_str_of("samples")) != NULL)
        return walk_object(in, &from, inspect_member);
    if (results_of(v) != NULL)
        return read_promptfoo(in, v);
    const iv_json *cases = member(v, "testCases", IV_JSON_LIST);
    const iv_json *talks = member(v, "conversationalTestCases", IV_JSON_LIST);
    if (cases != NULL || talks != NULL) {
        if (cases != NULL)
            IV_TRY(read_deepeval(in, cases));
        return talks != NULL ? read_deepeval(in, talks) : IV_OK;
    }
    const iv_json *submitted = member(v, "submitted_ids", IV_JSON_LIST);
    const iv_json *resolved = member(v, "resolved_ids", IV_JSON_LIST);
    if (submitted != NULL && resolved != NULL)
        return read_swebench(in, submitted, resolved);
    const iv_json *trials = member(v, "results", IV_JSON_LIST);
    if (trials != NULL && iv_json_count(trials) > 0
        && member(iv_json_at(trials, 0), "trial_name", IV_JSON_TEXT) != NULL)
        return read_trials(in, trials);
    if (iv_json_find(v, iv_str_of("model_names")) != NULL
        && iv_json_find(v, iv_str_of("metrics")) != NULL)
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, from.line, "a report of ranx, which has "
                          "means only; expected scores of items, such as its runs' scores");
    if (is_dictionary(in, v))
        return read_dictionary(in, &from);
    return read_record(in, v);
}

/* An array of records, one document, or a value after another. */
static int read_values(reading *in, iv_json_place *p)
{
    size_t count = 0;

    if (iv_json_peek(p) == '[') {
        IV_TRY(walk_array(in, p, read_record));
        return iv_json_peek(p) == '\0' ? IV_OK
            : iv_fail_at(in->err, IV_EPARSE, p->name, p->line,
                         "more after the array, expected the end");
    }
    while (iv_json_peek(p) != '\0') {
        const iv_json_place from = *p;
        iv_json *v = NULL;
        in->line = p->line;
        IV_TRY(iv_json_read_python(&v, p, in->err));
        const bool only = count++ == 0 && iv_json_peek(p) == '\0';
        const bool own = iv_json_find(v, iv_str_of("intervale")) != NULL
            && iv_json_find(v, iv_str_of("command")) != NULL;
        const int rc = own ? iv_fail_at(in->err, IV_EPARSE, p->name, from.line, "a result of "
                                        "intervale in JSON; expected it as CSV, of "
                                        "'eval -q --format csv'")
            : only ? read_document(in, v, from) : read_record(in, v);
        iv_json_free(v);
        if (rc != IV_OK)
            return rc;
    }
    return IV_OK;
}

int iv_scores_read_json(iv_scores_reader *r, iv_score_file *f, iv_str text, iv_err *err)
{
    iv_json_place p = { f->name, text.ptr, text.ptr + text.len, 1 };
    reading in = { .r = r, .f = f, .err = err, .text = text };
    const int rc = read_values(&in, &p);

    iv_ids_free(&in.runs);
    free(in.times);
    return rc;
}

/* -------------------------------------------------- Inspect's .eval, a zip -- */

/* A part of the archive that is one value or an array of samples. */
static int inspect_part(reading *in, const iv_zip_entry *e, bool samples)
{
    iv_bytes b;
    iv_json *v = NULL;

    IV_TRY(iv_zip_unpack(&b, in->f->name, e, in->r->work, in->err));
    iv_json_place p = { in->f->name, b.ptr, b.ptr + b.len, 1 };
    int rc = samples ? walk_array(in, &p, read_inspect) : iv_json_read_python(&v, &p, in->err);
    if (rc == IV_OK && !samples)
        rc = inspect_eval(in, member(v, "eval", IV_JSON_OBJECT));
    if (rc == IV_OK && !samples && !is_text(member(v, "status", IV_JSON_TEXT), "success"))
        in->r->to->unfinished = in->f->name;
    iv_json_free(v);
    iv_bytes_free(&b);
    return rc;
}

/* The header names system and set; summaries have the scores.  A log that was not finished
 * has both in its journal. */
int iv_scores_read_eval(iv_scores_reader *r, iv_score_file *f, iv_str zip, iv_err *err)
{
    static const char *const parts[] = { "header.json", "_journal/start.json", "summaries.json",
                                         "_journal/summaries/" };
    reading in = { .r = r, .f = f, .err = err };
    iv_zip_entry *all = NULL;
    size_t count = 0, found[2] = { 0 };
    int rc = iv_zip_entries(&all, &count, f->name, zip, err);

    for (size_t k = 0; k < 4; k++) {
        const bool there = k % 2 == 1 && found[k / 2] > 0;
        for (size_t i = 0; rc == IV_OK && !there && i < count; i++)
            if (all[i].name.len >= strlen(parts[k])
                && strncmp(all[i].name.ptr, parts[k], strlen(parts[k])) == 0) {
                rc = inspect_part(&in, &all[i], k >= 2);
                found[k / 2]++;
            }
    }
    free(all);
    return rc != IV_OK || (found[0] > 0 && found[1] > 0) ? rc
        : iv_fail_at(err, IV_EPARSE, f->name, 0, "a zip archive without header.json and "
                     "summaries.json; expected a log of Inspect, or an uncompressed file");
}
