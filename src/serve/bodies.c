/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of requests, checked. */
#include "base/err.h"
#include "serve/bodies.h"
#include "store/lists.h"
#include "trec/json_read.h"

#include <string.h>

/* A member that an object may have, and where its value goes. */
typedef struct member {
    const char *name;
    enum { TEXT, WHOLE, TRUTH, LIST } kind;
    void *to;      /* const char *, int64_t, bool, const iv_json * */
    int64_t limit; /* most bytes of a text; the least number */
} member;

enum { WORD_MOST = 256, NAME_MOST = 4096, KEY_MOST = 20, TAG_MOST = 80, WORDS_MOST = 1500,
       KEYS_MOST = 64 };

static int refuse(iv_err *err, const char *what)
{
    return iv_fail(err, IV_EPARSE, "%s", what);
}

/* The one object of the body. */
static int read_object(iv_json **out, iv_str body, iv_err *err)
{
    iv_json_place p = { "request", body.ptr, body.ptr + body.len, 1 };
    iv_json *v = NULL;
    int rc = IV_OK;

    if (body.len == 0 || iv_json_read(&v, &p, NULL) != IV_OK)
        return refuse(err, "the body is not JSON with numbers below 2^63 and each member once");
    if (iv_json_peek(&p) != '\0')
        rc = refuse(err, "there is something after the JSON");
    else if (iv_json_kind_of(v) != IV_JSON_OBJECT)
        rc = refuse(err, "an object is expected");
    if (rc == IV_OK)
        *out = v;
    else
        iv_json_free(v);
    return rc;
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

static int take_member(const member *m, iv_arena *a, const iv_json *v, iv_err *err)
{
    const iv_json_kind kind = iv_json_kind_of(v);
    int64_t n = 0;

    switch (m->kind) {
    case TEXT:
        return take_text(m->to, a, v, (size_t)m->limit, err);
    case WHOLE:
        if (kind != IV_JSON_NUMBER || !iv_json_integer(&n, v) || n < m->limit
            || n > INT64_C(1) << 53)
            return refuse(err, "a whole number is expected");
        *(int64_t *)m->to = n;
        return IV_OK;
    case TRUTH:
        if (kind != IV_JSON_TRUTH)
            return refuse(err, "true or false is expected");
        *(bool *)m->to = iv_json_number(v) != 0.0;
        return IV_OK;
    case LIST:
        break;
    }
    *(const iv_json **)m->to = v;
    return kind == IV_JSON_LIST ? IV_OK : refuse(err, "a list is expected");
}

/* The members of an object, which NULL ends; it has no others. */
static int take_members(const iv_json *v, const member *m, iv_arena *a, iv_err *err)
{
    size_t known = 0;

    for (; m->name != NULL; m++) {
        const iv_json *x = iv_json_find(v, iv_str_of(m->name));
        if (x != NULL)
            IV_TRY(take_member(m, a, x, err));
        known += x != NULL;
    }
    return known == iv_json_count(v) ? IV_OK : refuse(err, "a member is not known");
}

/* The same of a body, which has nothing else. */
static int take_body(iv_str body, const member *m, iv_arena *a, iv_err *err)
{
    iv_json *v = NULL;

    IV_TRY(read_object(&v, body, err));
    const int rc = take_members(v, m, a, err);
    iv_json_free(v);
    return rc;
}

/* ----------------------------------------------------------- judgments -- */

static int take_entry(iv_store_entry *out, iv_arena *a, const iv_json *v, iv_err *err)
{
    const char *const *reasons = iv_store_reason_names();
    const char *uuid = "", *reason = "";
    iv_store_entry e = { .reason = IV_REASON_JUDGED };
    int64_t grade = -1;
    const member members[] = {
        { "uuid", TEXT, &uuid, IV_UUID_SIZE }, { "item", WHOLE, &e.item, 1 },
        { "reason", TEXT, &reason, 20 }, { "grade", WHOLE, &grade, 0 },
        { "active_ms", WHOLE, &e.active_ms, 0 }, { "away_ms", WHOLE, &e.away_ms, 0 },
        { "replaces", WHOLE, &e.replaces, 0 }, { "note", TEXT, &e.note, IV_NOTE_BYTES },
        { "docno", TEXT, &e.docno, NAME_MOST }, { NULL } };

    if (iv_json_kind_of(v) != IV_JSON_OBJECT)
        return refuse(err, "a judgment is an object");
    IV_TRY(take_members(v, members, a, err));
    if (!iv_is_uuid(uuid))
        return refuse(err, "uuid is 32 hexadecimal digits in lower case, in five groups");
    while (reasons[e.reason] != NULL && strcmp(reasons[e.reason], reason) != 0)
        e.reason++;
    if (reasons[e.reason] == NULL || e.reason == IV_REASON_IMPORTED)
        return refuse(err, "a reason is judged, cannot, later, undo or adjudicated");
    if (e.item == 0 || e.docno == NULL)
        return refuse(err, "a judgment has uuid, item, docno and reason");
    const bool needs = e.reason == IV_REASON_JUDGED || e.reason == IV_REASON_ADJUDICATED;
    if (needs != (grade >= 0) || grade > INT32_MAX)
        return refuse(err, !needs ? "a grade without a judgment" : grade < 0
                      ? "a grade is missing" : "a grade is too large");
    memcpy(e.uuid, uuid, IV_UUID_SIZE);
    e.grade = (int32_t)grade;
    *out = e;
    return IV_OK;
}

int iv_body_judgments(iv_sent *out, iv_arena *a, iv_str body, iv_err *err)
{
    iv_sent sent = { 0 };
    const iv_json *list = NULL;
    const member members[] = { { "judgments", LIST, &list }, { "more", TRUTH, &sent.more },
                               { "adjudicate", TRUTH, &sent.adjudicate },
                               { "session", TEXT, &sent.session, IV_TOKEN_SIZE },
                               { "topic", WHOLE, &sent.topic, 0 },
                               { "not", WHOLE, &sent.not_this, 0 }, { NULL } };
    iv_json *v = NULL;

    IV_TRY(read_object(&v, body, err));
    int rc = take_members(v, members, a, err);
    sent.count = list == NULL ? 0 : iv_json_count(list);
    if (rc == IV_OK && sent.session == NULL)
        rc = refuse(err, "session is expected, as /api/session says it");
    if (rc == IV_OK && (sent.count == 0 || sent.count > IV_SENT_MOST))
        rc = refuse(err, sent.count == 0 ? "there are no judgments"
                    : "judgments are a list of at most 50");
    if (rc == IV_OK) {
        sent.entries = iv_take(a, sent.count, sizeof *sent.entries);
        rc = sent.entries == NULL ? iv_no_memory(err) : IV_OK;
    }
    for (size_t i = 0; i < sent.count && rc == IV_OK; i++)
        rc = take_entry(&sent.entries[i], a, iv_json_at(list, i), err);
    iv_json_free(v);
    if (rc == IV_OK)
        *out = sent;
    return rc;
}

/* -------------------------------------------------------- smaller bodies -- */

int iv_body_ranking(iv_str **names, size_t *count, iv_arena *a, iv_str body, iv_err *err)
{
    const iv_json *list = NULL;
    const member members[] = { { "ranking", LIST, &list }, { NULL } };
    iv_json *v = NULL;

    IV_TRY(read_object(&v, body, err));
    int rc = take_members(v, members, a, err);
    *count = list == NULL ? 0 : iv_json_count(list);
    *names = iv_take(a, *count + 1, sizeof **names);
    if (rc == IV_OK && (*count == 0 || *names == NULL))
        rc = *names == NULL ? iv_no_memory(err) : refuse(err, "ranking is a list of documents");
    for (size_t i = 0; i < *count && rc == IV_OK; i++) {
        const char *name = "";
        rc = take_text(&name, a, iv_json_at(list, i), NAME_MOST, err);
        (*names)[i] = iv_str_of(name);
    }
    iv_json_free(v);
    return rc;
}

int iv_body_search(iv_store_filter *out, iv_arena *a, iv_str body, iv_err *err)
{
    const char *const *names = iv_store_state_names();
    const char *state = names[IV_ITEM_ANY];
    iv_store_filter f = { 0 };
    int64_t grade = -1;
    const member members[] = { { "text", TEXT, &f.text, WORD_MOST },
                               { "tag", TEXT, &f.tag, WORD_MOST },
                               { "state", TEXT, &state, WORD_MOST },
                               { "grade", WHOLE, &grade, 0 }, { "from", WHOLE, &f.from, 0 },
                               { NULL } };

    IV_TRY(take_body(body, members, a, err));
    while (names[f.state] != NULL && strcmp(names[f.state], state) != 0)
        f.state++;
    if (names[f.state] == NULL)
        return refuse(err, "state is one of those of the store");
    if ((f.text != NULL && f.text[0] == '\0') || (f.text == NULL && f.tag == NULL && grade < 0
                                                  && f.state == IV_ITEM_ANY))
        return refuse(err, "a text, tag, grade or state is expected");
    f.grade = grade + 1;
    *out = f;
    return IV_OK;
}

int iv_body_login(iv_str *token, iv_arena *a, iv_str body, iv_err *err)
{
    const char *found = NULL;

    IV_TRY(take_body(body, (member[]){ { "token", TEXT, &found, WORD_MOST }, { NULL } }, a, err));
    if (found == NULL)
        return refuse(err, "a token is expected");
    *token = iv_str_of(found);
    return IV_OK;
}

int iv_body_logout(bool *everywhere, iv_arena *a, iv_str body, iv_err *err)
{
    return take_body(body, (member[]){ { "everywhere", TRUTH, everywhere }, { NULL } }, a, err);
}

int iv_body_assessor(iv_assessor_act *act, const char **name, iv_arena *a, iv_str body,
                     iv_err *err)
{
    static const char *const acts[] = { "add", "link", "revoke", "release" };
    const char *wanted = "", *who = NULL;
    size_t i = 0;

    IV_TRY(take_body(body, (member[]){ { "do", TEXT, &wanted, WORD_MOST },
                                       { "name", TEXT, &who, WORD_MOST }, { NULL } }, a, err));
    while (i < 4 && strcmp(wanted, acts[i]) != 0)
        i++;
    if (i == 4 || who == NULL)
        return refuse(err, "a name and one of add, link, revoke and release are expected");
    *act = (iv_assessor_act)i;
    *name = who;
    return IV_OK;
}

/* A name of something that a key does, and the key: short, so that all of them are. */
static int check_key(void *user, iv_str key, const iv_json *v)
{
    const bool list = iv_str_cmp(key, iv_str_of("include")) == 0
        || iv_str_cmp(key, iv_str_of("exclude")) == 0; /* words to highlight */

    return iv_json_kind_of(v) != IV_JSON_TEXT || key.len > TAG_MOST
            || iv_json_string(v).len > (list ? WORDS_MOST : KEY_MOST)
        ? refuse(user, "a key is a short text") : IV_OK;
}

int iv_body_keys(const char **out, iv_arena *a, iv_str body, iv_err *err)
{
    iv_json *v = NULL;

    IV_TRY(read_object(&v, body, err));
    const int rc = iv_json_count(v) > KEYS_MOST ? refuse(err, "too many keys")
        : iv_json_each(v, err, check_key);
    iv_json_free(v);
    *out = iv_arena_copy(a, body);
    return rc != IV_OK || *out != NULL ? rc : iv_no_memory(err);
}
