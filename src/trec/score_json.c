/* SPDX-License-Identifier: Apache-2.0 */
/* Scores in JSON: records of any kind, and what other tools write. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trec/score_json.h"
#include "trec/score_table_private.h"

/* ------------------------------------------------------------------ parts -- */

const iv_json *iv_json_member(const iv_json *v, iv_str name)
{
    const iv_json *found = iv_json_find(v, name);
    const char *dot = memchr(name.ptr, '.', name.len);

    if (found != NULL || dot == NULL)
        return found;
    found = iv_json_find(v, (iv_str){ name.ptr, (size_t)(dot - name.ptr) });
    return found == NULL ? NULL
        : iv_json_member(found, (iv_str){ dot + 1, name.len - (size_t)(dot + 1 - name.ptr) });
}

int iv_score_name(iv_str *out, iv_score_reading *in, const iv_json *v, iv_score_role role)
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
        if (iv_json_whole(&whole, v))
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

bool iv_json_score(double *out, const iv_json *v, bool grades)
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

int iv_score_put(iv_score_reading *in, const iv_json *v, bool grades)
{
    char quoted[IV_QUOTE_SIZE];
    const bool text = iv_json_kind_of(v) == IV_JSON_TEXT;

    if (!iv_json_score(&in->x.score, v, grades))
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "score %s, expected a finite "
                          "number", text ? iv_quote(quoted, iv_json_string(v)) : "is a list or an object");
    in->any = true;
    return iv_score_add(in->r, in->f, in->line, &in->x, in->err);
}

int iv_score_roles(iv_score_reading *in, const iv_json *v, bool usual)
{
    char quoted[IV_QUOTE_SIZE];

    for (size_t k = 0; k < IV_SCORE_ROLES; k++) {
        const iv_str asked = iv_score_asked(in->r, (iv_score_role)k);
        const iv_json *found = asked.ptr != NULL ? iv_json_member(v, asked) : NULL;
        iv_str name = asked;
        if (asked.ptr != NULL && found == NULL)
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "no member %s for %s",
                              iv_quote(quoted, asked), iv_score_role_names()[k]);
        for (const char *const *n = iv_score_usual((iv_score_role)k);
             asked.ptr == NULL && usual && found == NULL && *n != NULL; n++) {
            name = iv_str_of(*n);
            found = iv_json_find(v, name);
        }
        if (found == NULL)
            continue;
        iv_score_taken(in->r, (iv_score_role)k, name);
        if (k == IV_ROLE_WEIGHT && (!iv_json_score(&in->x.weight, found, false)
                                    || isnan(in->x.weight)))
            return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "the weight is no "
                              "number, expected one above 0");
        if (k != IV_ROLE_SCORE && k != IV_ROLE_WEIGHT)
            IV_TRY(iv_score_name(&in->x.text[k], in, found, (iv_score_role)k));
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- records -- */

static int named_measure(void *user, iv_str key, const iv_json *v)
{
    iv_score_reading *in = user;

    if (key.len <= 6 || memcmp(key.ptr, "score_", 6) != 0)
        return IV_OK;
    in->x.text[IV_ROLE_MEASURE] = (iv_str){ key.ptr + 6, key.len - 6 };
    return iv_score_put(in, v, true);
}

static int read_record(iv_score_reading *in, const iv_json *v)
{
    const iv_str asked = iv_score_asked(in->r, IV_ROLE_SCORE);
    const iv_json *score = asked.ptr != NULL ? iv_json_member(v, asked) : NULL;

    in->x = (iv_score_record){ .weight = (double)NAN };
    if (iv_json_kind_of(v) != IV_JSON_OBJECT)
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "expected an object: a "
                          "record with an item and a score");
    if (iv_is_lm_eval(v))
        return iv_read_lm_eval(in, v);
    if (iv_is_openai_evals(v))
        return iv_read_openai_evals(in, v);
    if (iv_is_helm(v))
        return iv_read_helm(in, v);
    if (iv_json_find(v, iv_str_of("scores")) != NULL && iv_json_find(v, iv_str_of("id")) != NULL
        && iv_json_find(v, iv_str_of("epoch")) != NULL)
        return iv_read_inspect(in, v);
    IV_TRY(iv_score_roles(in, v, true));
    for (const char *const *n = iv_score_usual(IV_ROLE_SCORE);
         asked.ptr == NULL && score == NULL && *n != NULL; n++)
        score = iv_json_find(v, iv_str_of(*n));
    if (score != NULL)
        return iv_score_put(in, score, false);
    in->any = false;
    IV_TRY(iv_json_each(v, in, named_measure));
    return in->any ? IV_OK
        : iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a record without a score"
                     IV_HINT("; --columns score=NAME names it"));
}

/* A comma, behind which something follows. */
static int take_comma(iv_score_reading *in, iv_json_place *p, char end)
{
    IV_TRY(iv_json_take(p, ',', in->err));
    return iv_json_peek(p) != end ? IV_OK
        : iv_fail_at(in->err, IV_EPARSE, in->f->name, p->line, "a comma before '%c', expected "
                     "another value or no comma", end);
}

/* The records of an array that begins here. */
static int walk_array(iv_score_reading *in, iv_json_place *p, int (*record)(iv_score_reading *, const iv_json *))
{
    IV_TRY(iv_json_take(p, '[', in->err));
    while (iv_json_peek(p) != ']') {
        iv_json *v = NULL;
        in->line = p->line;
        IV_TRY(iv_json_read_python(&v, p, in->err));
        in->x = (iv_score_record){ .weight = (double)NAN };
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
static int walk_object(iv_score_reading *in, iv_json_place *p, void *user,
                       int (*found)(iv_score_reading *in, iv_json_place *p, iv_str key, void *user))
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
            rc = found(in, p, iv_json_string(key), user);
        }
        iv_json_free(key);
        if (rc != IV_OK)
            return rc;
        if (iv_json_peek(p) != '}')
            IV_TRY(take_comma(in, p, '}'));
    }
    return iv_json_take(p, '}', in->err);
}

int iv_score_keep(iv_str *out, iv_score_reading *in, const iv_json *v)
{
    const iv_str s = v != NULL && iv_json_kind_of(v) == IV_JSON_TEXT ? iv_json_string(v)
        : (iv_str){ "", 0 };
    const char *kept = s.len > 0 ? iv_arena_copy(&in->r->to->own, s) : NULL;

    if (s.len > 0 && kept == NULL)
        return iv_fail(in->err, IV_ENOMEM, "out of memory");
    *out = s.len > 0 ? (iv_str){ kept, s.len } : *out;
    return IV_OK;
}

static int inspect_member(iv_score_reading *in, iv_json_place *p, iv_str key, void *user)
{
    iv_json *v = NULL;

    (void)user;
    if (iv_str_cmp(key, iv_str_of("samples")) == 0 && iv_json_peek(p) == '[')
        return walk_array(in, p, iv_read_inspect);
    int rc = iv_json_read_python(&v, p, in->err);
    if (rc == IV_OK && iv_str_cmp(key, iv_str_of("eval")) == 0
        && iv_json_kind_of(v) == IV_JSON_OBJECT) {
        rc = iv_score_keep(&in->f->system, in, iv_json_find(v, iv_str_of("model")));
        if (rc == IV_OK)
            rc = iv_score_keep(&in->f->suite, in, iv_json_find(v, iv_str_of("task")));
    }
    iv_json_free(v);
    return rc;
}

/* Which levels of a dictionary of dictionaries are measures. */
typedef struct levels {
    bool outer, inner; /* names of measures */
    bool numbers;      /* all values are dictionaries of numbers */
} levels;

static int look_inner(void *user, iv_str key, const iv_json *v)
{
    levels *l = user;

    l->numbers = l->numbers && (iv_json_kind_of(v) == IV_JSON_NUMBER
                                || iv_json_kind_of(v) == IV_JSON_NULL);
    l->inner = l->inner && iv_is_measure_name(key);
    return IV_OK;
}

static int look_outer(void *user, iv_str key, const iv_json *v)
{
    levels *l = user;

    l->outer = l->outer && iv_is_measure_name(key);
    l->numbers = l->numbers && iv_json_kind_of(v) == IV_JSON_OBJECT && iv_json_count(v) > 0;
    return l->numbers ? iv_json_each(v, l, look_inner) : IV_OK;
}

typedef struct dictionary {
    iv_score_reading *in;
    iv_str outer;
    levels is;
    iv_str item; /* of means over a data set: its file's name */
} dictionary;

static int dictionary_score(void *user, iv_str key, const iv_json *v)
{
    dictionary *d = user;
    iv_score_reading *in = d->in;
    const bool turned = d->is.outer && !d->is.inner; /* ranx: measure, then item */

    in->x = (iv_score_record){ .weight = (double)NAN };
    in->x.text[IV_ROLE_MEASURE] = turned ? d->outer : key;
    in->x.text[IV_ROLE_ITEM] = d->is.outer && d->is.inner ? d->item
        : turned ? key : d->outer;
    return iv_score_put(in, v, false);
}

static int dictionary_member(iv_score_reading *in, iv_json_place *p, iv_str key, void *user)
{
    dictionary *d = user;
    iv_json *v = NULL;

    d->outer = key;
    in->line = p->line;
    IV_TRY(iv_json_read_python(&v, p, in->err));
    const int rc = iv_json_each(v, d, dictionary_score);
    iv_json_free(v);
    return rc;
}

/* pytrec_eval's item, measure; ranx's measure, item; BEIR's means of a data set. */
static int read_dictionary(iv_score_reading *in, iv_json_place *p, levels is)
{
    dictionary d = { .in = in, .is = is };

    if (is.outer && is.inner) {
        d.item = in->f->system;
        iv_score_folder(in->f); /* results/MODEL/SET.json: the folder is the system */
    }
    return walk_object(in, p, &d, dictionary_member);
}

/* ---------------------------------------------------------- our own tables -- */

/* The cell of a row of ours: rows are objects, or lists (of schema 1) in the order of columns. */
static const iv_json *own_cell(const iv_json *columns, const iv_json *row, const char *name)
{
    if (iv_json_kind_of(row) == IV_JSON_OBJECT)
        return iv_json_find(row, iv_str_of(name));
    for (size_t c = 0; c < iv_json_count(columns) && c < iv_json_count(row); c++) {
        const iv_json *is = iv_json_at(columns, c);
        if (iv_json_kind_of(is) == IV_JSON_TEXT
            && iv_str_cmp(iv_json_string(is), iv_str_of(name)) == 0)
            return iv_json_at(row, c);
    }
    return NULL;
}

static int own_row(iv_score_reading *in, const iv_json *columns, const iv_json *row)
{
    static const char *const wanted[] = { "run", "measure", "topic" };
    static const iv_score_role roles[] = { IV_ROLE_SYSTEM, IV_ROLE_MEASURE, IV_ROLE_ITEM };
    const iv_json *score = own_cell(columns, row, "value");

    in->x = (iv_score_record){ .weight = (double)NAN };
    for (size_t k = 0; k < 3; k++) {
        const iv_json *cell = own_cell(columns, row, wanted[k]);
        if (cell != NULL)
            IV_TRY(iv_score_name(&in->x.text[roles[k]], in, cell, roles[k]));
    }
    const iv_str item = in->x.text[IV_ROLE_ITEM];
    if (item.len == 0 || iv_str_cmp(item, iv_str_of("all")) == 0 || score == NULL)
        return IV_OK; /* a mean */
    return iv_score_put(in, score, false);
}

static int read_own(iv_score_reading *in, const iv_json *v)
{
    const iv_json *tables = iv_json_find(v, iv_str_of("tables"));
    bool by_topic = false;

    for (size_t i = 0; iv_json_kind_of(tables) == IV_JSON_LIST && i < iv_json_count(tables); i++) {
        const iv_json *t = iv_json_at(tables, i), *name = iv_json_find(t, iv_str_of("name"));
        const iv_json *columns = iv_json_find(t, iv_str_of("columns"));
        const iv_json *rows = iv_json_find(t, iv_str_of("rows"));
        if (name == NULL || columns == NULL || rows == NULL || by_topic
            || iv_json_kind_of(name) != IV_JSON_TEXT || iv_json_kind_of(rows) != IV_JSON_LIST
            || iv_json_kind_of(columns) != IV_JSON_LIST
            || (iv_str_cmp(iv_json_string(name), iv_str_of("measures")) != 0
                && iv_str_cmp(iv_json_string(name), iv_str_of("topics")) != 0))
            continue;
        in->any = false;
        for (size_t k = 0; k < iv_json_count(rows); k++)
            if (iv_json_kind_of(iv_json_at(rows, k)) == IV_JSON_LIST
                || iv_json_kind_of(iv_json_at(rows, k)) == IV_JSON_OBJECT)
                IV_TRY(own_row(in, columns, iv_json_at(rows, k)));
        by_topic = in->any; /* the table topics has what measures has, if both are there */
    }
    return IV_OK;
}

/*
 * A record of our stream: the result itself, or a row of a table.  Scores are taken from
 * one table, the first that has any; `none` when it is no record of ours.
 */
static int read_streamed(bool *none, iv_score_reading *in, const iv_json *v)
{
    const iv_json *row = iv_json_find(v, iv_str_of("row"));
    const iv_json *table = iv_json_find(v, iv_str_of("table"));

    *none = iv_json_find(v, iv_str_of("record")) == NULL;
    if (!*none && iv_json_find(v, iv_str_of("intervale")) != NULL)
        return IV_OK;
    *none = *none || row == NULL || table == NULL || iv_json_kind_of(table) != IV_JSON_TEXT
        || iv_json_kind_of(row) != IV_JSON_OBJECT;
    if (*none || (iv_str_cmp(iv_json_string(table), iv_str_of("measures")) != 0
                  && iv_str_cmp(iv_json_string(table), iv_str_of("topics")) != 0)
        || (in->table.len > 0 && iv_str_cmp(iv_json_string(table), in->table) != 0))
        return IV_OK;
    in->any = false;
    IV_TRY(own_row(in, NULL, row));
    return in->any && in->table.len == 0 ? iv_score_keep(&in->table, in, table) : IV_OK;
}

/* The only object of the file, which ends behind it. */
static int read_document(iv_score_reading *in, const iv_json *v, iv_json_place from)
{
    levels l = { true, true, true };

    if (iv_json_find(v, iv_str_of("intervale")) != NULL
        && iv_json_find(v, iv_str_of("tables")) != NULL)
        return read_own(in, v);
    if (iv_json_find(v, iv_str_of("eval")) != NULL
        && iv_json_find(v, iv_str_of("samples")) != NULL)
        return walk_object(in, &from, NULL, inspect_member);
    if (iv_is_promptfoo(v))
        return iv_read_promptfoo(in, v);
    if (iv_json_find(v, iv_str_of("model_names")) != NULL
        && iv_json_find(v, iv_str_of("metrics")) != NULL)
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, from.line, "a report of ranx, which has "
                          "means only; expected scores of items, such as its runs' scores");
    if (iv_json_kind_of(v) == IV_JSON_OBJECT && iv_json_count(v) > 0
        && iv_json_each(v, &l, look_outer) == IV_OK && l.numbers)
        return read_dictionary(in, &from, l);
    return read_record(in, v);
}

int iv_scores_read_json(iv_scores_reader *r, iv_score_file *f, iv_str text, iv_err *err)
{
    iv_json_place p = { f->name, text.ptr, text.ptr + text.len, 1 };
    iv_score_reading in = { .r = r, .f = f, .err = err };
    size_t count = 0;

    if (iv_json_peek(&p) == '[') {
        IV_TRY(walk_array(&in, &p, read_record));
        return iv_json_peek(&p) == '\0' ? IV_OK
            : iv_fail_at(err, IV_EPARSE, f->name, p.line, "more behind the array, expected the "
                         "end");
    }
    while (iv_json_peek(&p) != '\0') {
        const iv_json_place from = p;
        iv_json *v = NULL;
        in.line = p.line;
        IV_TRY(iv_json_read_python(&v, &p, err));
        const bool only = count++ == 0 && iv_json_peek(&p) == '\0';
        bool none = true;
        int rc = only ? IV_OK : read_streamed(&none, &in, v);
        if (rc == IV_OK && none)
            rc = only ? read_document(&in, v, from) : read_record(&in, v);
        iv_json_free(v);
        if (rc != IV_OK)
            return rc;
    }
    return IV_OK;
}
