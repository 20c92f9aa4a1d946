/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/bodies.h"

#include <string.h>

#include "trec/json_read.h"

static int refuse(iv_err *err, const char *what)
{
    return iv_fail(err, IV_EPARSE, "%s", what);
}

/* The one JSON value of the body. */
static int read_body(iv_json **out, iv_str body, iv_err *err)
{
    iv_json_place p = { "request", body.ptr, body.ptr + body.len, 1 };
    iv_json *v = NULL;

    if (body.len == 0 || iv_json_read(&v, &p, NULL) != IV_OK)
        return refuse(err, "the body is not JSON");
    if (iv_json_peek(&p) != '\0') {
        iv_json_free(v);
        return refuse(err, "there is something after the JSON");
    }
    *out = v;
    return IV_OK;
}

/* Reads an object by its members. */
static int read_object(iv_str body, void *user,
                       int (*member)(void *user, iv_str key, const iv_json *v), iv_err *err)
{
    iv_json *v = NULL;

    IV_TRY(read_body(&v, body, err));
    const int rc = iv_json_kind_of(v) == IV_JSON_OBJECT ? iv_json_each(v, user, member)
                                                        : refuse(err, "an object is expected");
    iv_json_free(v);
    return rc;
}

static bool is(iv_str key, const char *name)
{
    return iv_str_cmp(key, iv_str_of(name)) == 0;
}

static int take_text(const char **out, iv_arena *a, const iv_json *v, size_t most, iv_err *err)
{
    if (iv_json_kind_of(v) != IV_JSON_TEXT)
        return refuse(err, "a text is expected");
    const iv_str s = iv_json_string(v);
    if (s.len > most || (s.len > 0 && memchr(s.ptr, '\0', s.len) != NULL))
        return refuse(err, "a text is too long, or has a zero byte");
    *out = iv_arena_copy(a, s);
    return *out == NULL ? iv_no_memory(err) : IV_OK;
}

static int take_whole(int64_t *out, const iv_json *v, int64_t least, iv_err *err)
{
    int64_t n = 0;

    if (iv_json_kind_of(v) != IV_JSON_NUMBER || !iv_json_whole(&n, v) || n < least
        || n > INT64_C(1) << 53)
        return refuse(err, "a whole number is expected");
    *out = n;
    return IV_OK;
}

static int take_truth(bool *out, const iv_json *v, iv_err *err)
{
    if (iv_json_kind_of(v) != IV_JSON_TRUTH)
        return refuse(err, "true or false is expected");
    *out = iv_json_number(v) != 0.0;
    return IV_OK;
}

/* ----------------------------------------------------------- judgments -- */

typedef struct reading {
    iv_sent *sent;
    iv_store_entry *e;
    bool graded, reasoned;
    iv_arena *a;
    iv_err *err;
} reading;

static bool is_uuid(iv_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        const char c = s.ptr[i];
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return s.len == IV_UUID_SIZE - 1;
}

static int take_reason(reading *r, const iv_json *v)
{
    static const char *const words[] = { "judged", "cannot", "later", "undo", "adjudicated" };
    static const iv_store_reason reasons[] = { IV_REASON_JUDGED, IV_REASON_CANNOT,
        IV_REASON_LATER, IV_REASON_UNDO, IV_REASON_ADJUDICATED };

    if (iv_json_kind_of(v) == IV_JSON_TEXT)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (is(iv_json_string(v), words[i])) {
                r->e->reason = reasons[i];
                r->reasoned = true;
                return IV_OK;
            }
    return refuse(r->err, "a reason is judged, cannot, later, undo or adjudicated");
}

static int entry_member(void *user, iv_str key, const iv_json *v)
{
    reading *r = user;
    iv_store_entry *e = r->e;
    int64_t grade = 0;

    if (is(key, "uuid")) {
        const iv_str s = iv_json_kind_of(v) == IV_JSON_TEXT ? iv_json_string(v) : (iv_str){ 0 };
        if (!is_uuid(s))
            return refuse(r->err, "uuid is 32 hexadecimal digits in five groups");
        memcpy(e->uuid, s.ptr, s.len);
        return IV_OK;
    }
    if (is(key, "item"))
        return take_whole(&e->item, v, 1, r->err);
    if (is(key, "reason"))
        return take_reason(r, v);
    if (is(key, "active_ms"))
        return take_whole(&e->active_ms, v, 0, r->err);
    if (is(key, "away_ms"))
        return take_whole(&e->away_ms, v, 0, r->err);
    if (is(key, "replaces"))
        return take_whole(&e->replaces, v, 0, r->err);
    if (is(key, "note"))
        return take_text(&e->note, r->a, v, IV_NOTE_BYTES, r->err);
    if (!is(key, "grade"))
        return refuse(r->err, "a judgment has a member that is not known");
    IV_TRY(take_whole(&grade, v, 0, r->err));
    if (grade > INT32_MAX)
        return refuse(r->err, "a grade is too large");
    e->grade = (int32_t)grade;
    r->graded = true;
    return IV_OK;
}

static int take_entry(reading *r, iv_store_entry *e, const iv_json *v)
{
    *e = (iv_store_entry){ .grade = -1 };
    r->e = e;
    r->graded = r->reasoned = false;
    if (iv_json_kind_of(v) != IV_JSON_OBJECT)
        return refuse(r->err, "a judgment is an object");
    IV_TRY(iv_json_each(v, r, entry_member));
    const bool needs = e->reason == IV_REASON_JUDGED || e->reason == IV_REASON_ADJUDICATED;
    if (e->uuid[0] == '\0' || e->item == 0 || !r->reasoned)
        return refuse(r->err, "a judgment has uuid, item and reason");
    if (needs != r->graded)
        return refuse(r->err, needs ? "a grade is missing" : "a grade without a judgment");
    return IV_OK;
}

static int sent_member(void *user, iv_str key, const iv_json *v)
{
    reading *r = user;
    iv_sent *s = r->sent;

    if (is(key, "more"))
        return take_truth(&s->more, v, r->err);
    if (is(key, "adjudicate"))
        return take_truth(&s->adjudicate, v, r->err);
    if (is(key, "topic"))
        return take_whole(&s->topic, v, 0, r->err);
    if (is(key, "not"))
        return take_whole(&s->not_this, v, 0, r->err);
    if (!is(key, "judgments"))
        return refuse(r->err, "the body has a member that is not known");
    if (iv_json_kind_of(v) != IV_JSON_LIST || iv_json_count(v) > IV_SENT_MOST)
        return refuse(r->err, "judgments are a list of at most 50");
    s->entries = iv_take(r->a, iv_json_count(v) + 1, sizeof *s->entries);
    if (s->entries == NULL)
        return iv_no_memory(r->err);
    s->count = iv_json_count(v);
    for (size_t i = 0; i < s->count; i++)
        IV_TRY(take_entry(r, &s->entries[i], iv_json_at(v, i)));
    return IV_OK;
}

int iv_body_judgments(iv_sent *out, iv_arena *a, iv_str body, iv_err *err)
{
    iv_sent sent = { 0 };
    reading r = { .sent = &sent, .a = a, .err = err };

    IV_TRY(read_object(body, &r, sent_member, err));
    if (sent.count == 0)
        return refuse(err, "there are no judgments");
    *out = sent;
    return IV_OK;
}

/* -------------------------------------------------------- smaller bodies -- */

typedef struct words {
    const char *token, *act, *name, *text;
    iv_str *names; /* of a ranking */
    size_t count;
    iv_arena *a;
    iv_err *err;
} words;

static int word_member(void *user, iv_str key, const iv_json *v)
{
    words *w = user;
    const char **to = is(key, "token") ? &w->token : is(key, "do") ? &w->act
        : is(key, "name") ? &w->name : is(key, "text") ? &w->text : NULL;

    if (to == NULL)
        return refuse(w->err, "the body has a member that is not known");
    return take_text(to, w->a, v, 256, w->err);
}

static int ranking_member(void *user, iv_str key, const iv_json *v)
{
    words *w = user;

    if (!is(key, "ranking") || iv_json_kind_of(v) != IV_JSON_LIST)
        return refuse(w->err, "ranking is a list of documents");
    w->names = iv_take(w->a, iv_json_count(v) + 1, sizeof *w->names);
    if (w->names == NULL)
        return iv_no_memory(w->err);
    for (; w->count < iv_json_count(v); w->count++) {
        const char *name = NULL;
        IV_TRY(take_text(&name, w->a, iv_json_at(v, w->count), 1000, w->err));
        w->names[w->count] = iv_str_of(name);
    }
    return IV_OK;
}

int iv_body_ranking(iv_str **names, size_t *count, iv_arena *a, iv_str body, iv_err *err)
{
    words w = { .a = a, .err = err };

    IV_TRY(read_object(body, &w, ranking_member, err));
    *names = w.names;
    *count = w.count;
    return w.count > 0 ? IV_OK : refuse(err, "ranking is a list of documents");
}

int iv_body_search(const char **text, iv_arena *a, iv_str body, iv_err *err)
{
    words w = { .a = a, .err = err };

    IV_TRY(read_object(body, &w, word_member, err));
    if (w.text == NULL || w.text[0] == '\0' || w.token != NULL || w.act != NULL || w.name != NULL)
        return refuse(err, "a text is expected");
    *text = w.text;
    return IV_OK;
}

int iv_body_login(iv_str *token, iv_arena *a, iv_str body, iv_err *err)
{
    words w = { .a = a, .err = err };

    IV_TRY(read_object(body, &w, word_member, err));
    if (w.token == NULL || w.act != NULL || w.name != NULL)
        return refuse(err, "a token is expected");
    *token = iv_str_of(w.token);
    return IV_OK;
}

int iv_body_assessor(iv_assessor_act *act, const char **name, iv_arena *a, iv_str body,
                     iv_err *err)
{
    static const char *const acts[] = { "add", "link", "revoke", "release" };
    words w = { .a = a, .err = err };
    size_t i = 0;

    IV_TRY(read_object(body, &w, word_member, err));
    while (w.act != NULL && i < 4 && strcmp(w.act, acts[i]) != 0)
        i++;
    if (w.act == NULL || i == 4 || w.name == NULL || w.token != NULL)
        return refuse(err, "a name and one of add, link, revoke and release are expected");
    *act = (iv_assessor_act)i;
    *name = w.name;
    return IV_OK;
}

/* A name of something that a key does, and the key: short, so that all of them are. */
static int key_member(void *user, iv_str key, const iv_json *v)
{
    words *w = user;

    if (iv_json_kind_of(v) != IV_JSON_TEXT || key.len > 20 || iv_json_string(v).len > 20)
        return refuse(w->err, "a key is a short text");
    if (++w->count > 64)
        return refuse(w->err, "too many keys");
    return IV_OK;
}

int iv_body_keys(const char **out, iv_arena *a, iv_str body, iv_err *err)
{
    words w = { .a = a, .err = err };

    IV_TRY(read_object(body, &w, key_member, err));
    const char *text = iv_arena_copy(a, body);
    if (text == NULL)
        return iv_no_memory(err);
    *out = text;
    return IV_OK;
}
