/* SPDX-License-Identifier: Apache-2.0 */
/* What is done for each address.  By the loop's thread, which hands on whatever takes time. */
#include "base/err.h"
#include "base/memory.h"
#include "report/json_write.h"
#include "serve/answers.h"
#include "serve/server.h"
#include "store/upkeep.h"
#include "trec/json_read.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A member that an object may have, and where its value goes. */
typedef struct member {
    const char *name;
    enum { TEXT, WHOLE, TRUTH, LIST } kind;
    void *to;      /* const char *, int64_t, bool, const iv_json * */
    int64_t limit; /* most bytes of a text; the least number */
} member;

enum { WORD_MOST = 256, NAME_MOST = 4096, KEY_MOST = 20, KEYS_MOST = 64 };

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
        if (kind != IV_JSON_NUMBER || !iv_json_whole(&n, v) || n < m->limit
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

/* {"ranking": ["id", ...]}: documents, the best first */
static int body_ranking(iv_str **names, size_t *count, iv_arena *a, iv_str body, iv_err *err)
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

/* {"text": "..."} */
static int body_search(const char **text, iv_arena *a, iv_str body, iv_err *err)
{
    const char *found = "";

    IV_TRY(take_body(body, (member[]){ { "text", TEXT, &found, WORD_MOST }, { NULL } }, a, err));
    *text = found;
    return found[0] != '\0' ? IV_OK : refuse(err, "a text is expected");
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
    return iv_json_kind_of(v) != IV_JSON_TEXT || key.len > KEY_MOST
            || iv_json_string(v).len > KEY_MOST ? refuse(user, "a key is a short text") : IV_OK;
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

static void answer(iv_exchange *x, int status, const char *text)
{
    iv_say_error(x, status, text);
    iv_connections_answer(x);
}

/* Lets a desk work for the exchange, and the loop finish it (NULL: the answer is there). */
static int hand_on(iv_worker_queue *desk, iv_exchange *x, void (*work)(iv_server *, iv_exchange *),
                   void (*finish)(iv_server *, iv_exchange *), iv_filling *fill)
{
    x->work = work;
    x->finish = finish;
    x->fill = fill;
    iv_worker_add(desk, x);
    return IV_OK;
}

/* ---------------------------------------------------------------- visits -- */

static void keep_setting(iv_server *v, iv_exchange *x)
{
    x->rc = iv_store_value_put(v->store, x->key, x->value, &x->err);
}

/* The answer without a body, when it is kept. */
static void say_kept(iv_server *v, iv_exchange *x)
{
    x->status = 204;
    if (x->rc != IV_OK)
        iv_say_failure(v, x, &x->err);
}

/* A wrong link ends the connection; links have 128 random bits, so that no count of wrong ones
 * is needed, which could lock out the owner. */
static int log_in(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_assessor who;
    iv_str token;

    IV_TRY(iv_body_login(&token, &x->memory, x->body, err));
    const int64_t id = iv_store_token_owner(v->store, token);
    if (id == 0 || !iv_store_assessor(&who, v->store, id) || who.revoked) {
        x->asked.last = true;
        answer(x, 401, "this link is not valid any more");
        return IV_OK;
    }
    if (iv_http_sessions_enter(v, x, id, err) != IV_OK) {
        answer(x, 503, err->msg);
        return IV_OK;
    }
    return hand_on(&v->writer, x, keep_setting, iv_say_filled, iv_fill_key);
}

static int log_out(iv_server *v, iv_exchange *x, iv_err *err)
{
    bool everywhere = false;

    IV_TRY(iv_body_logout(&everywhere, &x->memory, x->body, err));
    if (everywhere)
        iv_http_sessions_forget(v, x->assessor);
    else
        iv_http_sessions_leave(v, x->asked.key);
    (void)iv_store_release(v->store, x->assessor);
    if (iv_http_sessions_keep(v, x, x->assessor) != IV_OK)
        return iv_no_memory(err);
    return hand_on(&v->writer, x, keep_setting, say_kept, NULL);
}

/* ----------------------------------------------------------------- items -- */

static int show_next(iv_server *v, iv_exchange *x, iv_err *err)
{
    int64_t topic, not_this, adjudicate;

    if (!iv_query_number(&topic, x->asked.query, "topic", 0)
        || !iv_query_number(&not_this, x->asked.query, "not", 0)
        || !iv_query_number(&adjudicate, x->asked.query, "adjudicate", 0))
        return refuse(err, "topic, not and adjudicate are numbers");
    x->sent = (iv_sent){ .more = true, .topic = topic, .not_this = not_this,
                           .adjudicate = adjudicate != 0 };
    x->fill = iv_fill_stored;
    iv_say_filled(v, x);
    iv_connections_answer(x);
    return IV_OK;
}

static int show_item(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_store_item item;
    int64_t id, whole;

    if (!iv_query_number(&id, x->asked.query, "id", 0)
        || !iv_query_number(&whole, x->asked.query, "whole", 0))
        return refuse(err, "id and whole are numbers");
    const int rc = iv_store_item_at(&item, &x->memory, v->store, id, x->assessor, err);
    if (rc == IV_OK)
        iv_say_item(v, x, &item, whole != 0);
    else if (rc == IV_ENODATA)
        iv_say_error(x, 404, "no such item");
    else
        iv_say_failure(v, x, err);
    iv_connections_answer(x);
    return IV_OK;
}

static int take_judgments(iv_server *v, iv_exchange *x, iv_err *err)
{
    IV_TRY(iv_body_judgments(&x->sent, &x->memory, x->body, err));
    if (strcmp(x->sent.session, iv_store_identity(v->store)) != 0) {
        answer(x, 421, "these judgments are of another session");
        return IV_OK;
    }
    for (size_t i = 0; i < x->sent.count; i++) {
        x->sent.entries[i].assessor = x->assessor;
        if (x->sent.entries[i].reason == IV_REASON_ADJUDICATED && !x->adjudicates) {
            answer(x, 403, "only the adjudicator decides disagreements");
            return IV_OK;
        }
    }
    return hand_on(&v->writer, x, NULL, iv_say_filled, iv_fill_stored);
}

/* --------------------------------------------------------------- numbers -- */

static int show_live(iv_server *v, iv_exchange *x, iv_err *err)
{
    char tag[40];

    (void)err;
    (void)snprintf(tag, sizeof tag, "\"%lld\"", (long long)iv_store_seq(v->store));
    if (iv_str_cmp(x->asked.unchanged, iv_str_of(tag)) != 0)
        return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_live);
    x->status = 304;
    iv_connections_answer(x);
    return IV_OK;
}

static bool find_word(int *out, iv_str word, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (iv_str_cmp(word, iv_str_of(names[i])) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static int list_items(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_str word;
    int state = IV_ITEM_ANY;

    if (!iv_query_number(&x->from, x->asked.query, "from", 0)
        || !iv_query_word(&word, x->asked.query, "state")
        || (word.len > 0 && !find_word(&state, word, iv_store_state_names())))
        return refuse(err, "from is a number, state one of those of the store");
    x->state = (iv_store_state)state;
    if (x->state == IV_ITEM_CONFLICT && !iv_may_know(v, x, IV_SECRET_GRADES)) {
        answer(x, 403, "this is the adjudicator's");
        return IV_OK;
    }
    return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_items);
}

static int list_history(iv_server *v, iv_exchange *x, iv_err *err)
{
    if (!iv_query_number(&x->from, x->asked.query, "before", 0))
        return refuse(err, "before is a number");
    return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_history);
}

static int export_all(iv_server *v, iv_exchange *x, iv_err *err)
{
    int64_t partial;
    iv_str as, combine;
    int form = IV_EXPORT_USUAL;

    if (!iv_query_word(&as, x->asked.query, "as")
        || (as.len > 0 && !find_word(&form, as, iv_store_form_names()))
        || !iv_query_word(&combine, x->asked.query, "combine")
        || !iv_query_number(&partial, x->asked.query, "partial", 0))
        return refuse(err, "as is one of the forms of export, combine a word, partial 0 or 1");
    const char *how = combine.len == 0 ? NULL : iv_arena_copy(&x->memory, combine);
    if (combine.len > 0 && how == NULL)
        return iv_no_memory(err);
    x->exports = (iv_export_options){ .form = (iv_store_form)form, .combine = how,
                                        .partial = partial != 0 };
    return hand_on(&v->worker, x, iv_work_export, NULL, NULL);
}

/* -------------------------------------------------------------- settings -- */

static int take_keys(iv_server *v, iv_exchange *x, iv_err *err)
{
    char key[40];

    if (x->body.len > 4096)
        return refuse(err, "too many keys");
    IV_TRY(iv_body_keys(&x->value, &x->memory, x->body, err));
    (void)snprintf(key, sizeof key, "set:keys:%lld", (long long)x->assessor);
    x->key = iv_arena_copy(&x->memory, iv_str_of(key));
    return x->key == NULL ? iv_no_memory(err)
        : hand_on(&v->writer, x, keep_setting, say_kept, NULL);
}

static int take_ranking(iv_server *v, iv_exchange *x, iv_err *err)
{
    IV_TRY(body_ranking(&x->names, &x->name_count, &x->memory, x->body, err));
    return hand_on(&v->writer, x, iv_work_rank, iv_say_filled, iv_fill_ranked);
}

static int search(iv_server *v, iv_exchange *x, iv_err *err)
{
    IV_TRY(body_search(&x->wanted, &x->memory, x->body, err));
    return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_items);
}

static int take_assessor(iv_server *v, iv_exchange *x, iv_err *err)
{
    IV_TRY(iv_body_assessor(&x->act, &x->name, &x->memory, x->body, err));
    return hand_on(&v->writer, x, iv_work_assessor, iv_say_filled, iv_fill_link);
}

/* ------------------------------------------------------------------ doors -- */

static int show_page(iv_server *v, iv_exchange *x, iv_err *err)
{
    x->text = malloc(v->page_len);
    if (x->text == NULL)
        return iv_no_memory(err);
    memcpy(x->text, v->page, v->page_len);
    x->len = v->page_len;
    x->status = 200;
    x->type = "text/html; charset=utf-8";
    iv_connections_answer(x);
    return IV_OK;
}

/* There is none; every browser asks. */
static int show_icon(iv_server *v, iv_exchange *x, iv_err *err)
{
    (void)v, (void)err;
    x->status = 204;
    iv_connections_answer(x);
    return IV_OK;
}

const iv_address iv_addresses[] = {
    { "/", IV_GET, IV_BY_ANYBODY, show_page },
    { "/favicon.ico", IV_GET, IV_BY_ANYBODY, show_icon },
    { "/api/login", IV_POST, IV_BY_ANYBODY, log_in },
    { "/api/logout", IV_POST, IV_BY_ASSESSOR, log_out },
    { "/api/session", IV_GET, IV_BY_ASSESSOR, NULL, iv_fill_session },
    { "/api/next", IV_GET, IV_BY_ASSESSOR, show_next },
    { "/api/item", IV_GET, IV_BY_ASSESSOR, show_item },
    { "/api/judgments", IV_POST, IV_BY_ASSESSOR, take_judgments },
    { "/api/live", IV_GET, IV_BY_ASSESSOR, show_live },
    { "/api/history", IV_GET, IV_BY_ASSESSOR, list_history },
    { "/api/items", IV_GET, IV_BY_ASSESSOR, list_items },
    { "/api/keys", IV_POST, IV_BY_ASSESSOR, take_keys },
    { "/api/overview", IV_GET, IV_BY_OWNER_OR_SCRIPT, NULL, iv_fill_overview },
    { "/api/agreement", IV_GET, IV_BY_OWNER_OR_SCRIPT, NULL, iv_fill_agreement },
    { "/api/export", IV_GET, IV_BY_OWNER_OR_SCRIPT, export_all },
    { "/api/rank", IV_POST, IV_BY_OWNER_OR_SCRIPT, take_ranking },
    { "/api/search", IV_POST, IV_BY_ASSESSOR, search },
    { "/api/assessor", IV_POST, IV_BY_OWNER, take_assessor },
    { NULL }
};

/* Who asks: a page by the key of its session, a script by its token. */
static bool find_asker(iv_assessor *who, iv_server *v, iv_str key)
{
    int64_t id = iv_http_sessions_who(v, key);
    const bool page = id != 0;

    if (!page)
        id = iv_store_token_owner(v->store, key);
    return iv_store_assessor(who, v->store, id) && !who->revoked && (page || who->script);
}

void iv_handle(void *server, iv_exchange *x)
{
    iv_server *v = server;
    const iv_address *at = &iv_addresses[x->asked.address];
    const iv_right right = at->right;
    iv_assessor who = { .id = 0 };
    iv_err err;
    int rc = IV_OK;

    if (at->answer == show_page || at->answer == show_icon)
        rc = at->answer(v, x, &err);
    else if (v->ending)
        answer(x, 503, "the server is ending");
    else if (right != IV_BY_ANYBODY && !find_asker(&who, v, x->asked.key))
        answer(x, 401, "open the link that you were given");
    else if (right >= IV_BY_OWNER_OR_SCRIPT && !who.owner
             && !(who.script && right == IV_BY_OWNER_OR_SCRIPT))
        answer(x, 403, "this is the owner's");
    else {
        x->assessor = who.id;
        x->owner = who.owner;
        x->script = who.script;
        x->adjudicates = who.adjudicates;
        iv_store_seen(v->store, who.id, iv_serve_now());
        rc = at->answer != NULL ? at->answer(v, x, &err)
            : hand_on(&v->worker, x, iv_say_filled, NULL, at->fill);
    }
    if (rc != IV_OK)
        answer(x, rc == IV_ENOMEM ? 503 : 400, err.msg);
}

void iv_returned(void *server, iv_exchange *x)
{
    if (x->finish != NULL)
        x->finish(server, x);
    iv_connections_answer(x);
}

/* Where the server listens, and by which names it may be asked. */

static int add_name(iv_places *p, const char *scheme, const char *authority, iv_err *err)
{
    if (p->count == sizeof p->authorities / sizeof *p->authorities
        || snprintf(p->texts[p->count][0], sizeof p->texts[0][0], "%s", authority)
            >= (int)sizeof p->texts[0][0]
        || snprintf(p->texts[p->count][1], sizeof p->texts[0][1], "%s://%s", scheme, authority)
            >= (int)sizeof p->texts[0][1])
        return iv_fail(err, IV_EARG, "the address is too long");
    p->authorities[p->count] = p->texts[p->count][0];
    p->origins[p->count] = p->texts[p->count][1];
    p->count++;
    return IV_OK;
}

/* ------------------------------------------------------------ public url -- */

static bool is_loopback_name(iv_str host)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };

    for (size_t i = 0; i < 3; i++)
        if (iv_str_cmp(host, iv_str_of(names[i])) == 0)
            return true;
    return false;
}

/* "https://judge.example.org/": the one authority that may be asked for. */
static int take_public_url(iv_places *p, const iv_serve_options *o, iv_err *err)
{
    const char *url = o->public_url, *rest = strstr(url, "://");
    char quoted[IV_QUOTE_SIZE], authority[256];
    const bool secure = strncmp(url, "https://", 8) == 0;

    (void)iv_quote(quoted, iv_str_of(url));
    if (rest == NULL || (!secure && strncmp(url, "http://", 7) != 0))
        return iv_fail(err, IV_EARG, "public URL %s, expected https://HOST/", quoted);
    rest += 3;
    const size_t len = strcspn(rest, "/?#");
    if (len == 0 || len >= sizeof authority || (rest[len] != '\0' && strcmp(rest + len, "/") != 0))
        return iv_fail(err, IV_EARG, "public URL %s, expected a host and no path after it: the "
                       "page is served at the root of a name", quoted);
    if (strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") < len)
        return iv_fail(err, IV_EARG, "public URL %s, expected a host in lower case", quoted);
    memcpy(authority, rest, len);
    authority[len] = '\0';
    const size_t host = authority[0] == '[' ? strcspn(authority, "]") + 1 : strcspn(authority, ":");
    if (!secure && !o->insecure_lan && !is_loopback_name((iv_str){ authority, host }))
        return iv_fail(err, IV_EARG, "public URL %s, expected https: tokens and judgments would "
                       "be readable on the way", quoted);
    (void)snprintf(p->url, sizeof p->url, "%s://%s/", secure ? "https" : "http", authority);
    return add_name(p, secure ? "https" : "http", authority, err);
}

/* --------------------------------------------------------------- sockets -- */

static int bind_tcp(int *out, int64_t *port, const char *address, int64_t wanted, iv_err *err)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t)wanted) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)wanted) };
    const bool four = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
    char quoted[IV_QUOTE_SIZE];
    const int yes = 1;

    if (!four && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1)
        return iv_fail(err, IV_EARG, "address %s, expected numbers such as 192.168.1.5 or ::1",
                       iv_quote(quoted, iv_str_of(address)));
    const int fd = socket(four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return iv_fail(err, IV_EIO, "no socket: %s", strerror(errno));
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (!four)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    struct sockaddr *at = four ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
    socklen_t len = four ? sizeof v4 : sizeof v6;
    if (bind(fd, at, len) != 0 || getsockname(fd, at, &len) != 0) {
        const int why = errno;
        (void)close(fd);
        return iv_fail(err, IV_EIO, "cannot listen at %s port %lld: %s", address,
                       (long long)wanted, strerror(why));
    }
    *port = ntohs(four ? v4.sin_port : v6.sin6_port);
    *out = fd;
    return IV_OK;
}

/* A socket that a server left behind is replaced; anything else is somebody's file. */
static int bind_unix(int *out, const char *path, iv_err *err)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    struct stat is;

    if (strlen(path) >= sizeof at.sun_path)
        return iv_fail_at(err, IV_EARG, path, 0, "a path of a socket has at most %zu bytes",
                          sizeof at.sun_path - 1);
    memcpy(at.sun_path, path, strlen(path) + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return iv_fail(err, IV_EIO, "no socket: %s", strerror(errno));
    if (lstat(path, &is) == 0 && S_ISSOCK(is.st_mode)) {
        if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0) {
            (void)close(fd);
            return iv_fail_at(err, IV_EIO, path, 0, "another process listens there");
        }
        if (errno == ECONNREFUSED)
            (void)unlink(path);
    }
    const mode_t old = umask(0177);
    const int rc = bind(fd, (struct sockaddr *)&at, sizeof at);
    const int why = errno;
    (void)umask(old);
    if (rc != 0) {
        (void)close(fd);
        return iv_fail_at(err, IV_EIO, path, 0, "cannot listen: %s", strerror(why));
    }
    *out = fd;
    return IV_OK;
}

/* Both loopbacks on one port: 127.0.0.1 and, where there is one, ::1. */
static int bind_loopback(iv_places *p, int64_t wanted, iv_err *err)
{
    iv_err why;
    int64_t same;

    IV_TRY(bind_tcp(&p->fds[0], &p->port, "127.0.0.1", wanted, err));
    p->fd_count = 1;
    if (bind_tcp(&p->fds[1], &same, "::1", p->port, &why) == IV_OK)
        p->fd_count = 2;
    return IV_OK;
}

static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static int name_ports(iv_places *p, const char *address, iv_err *err)
{
    static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };
    char authority[160];
    const bool six = strchr(address, ':') != NULL;

    (void)snprintf(authority, sizeof authority, six ? "[%s]:%lld" : "%s:%lld", address,
                   (long long)p->port);
    (void)snprintf(p->url, sizeof p->url, "http://%s/", authority);
    IV_TRY(add_name(p, "http", authority, err));
    for (size_t i = 0; i < 3 && is_loopback(address); i++) {
        (void)snprintf(authority, sizeof authority, "%s:%lld", names[i], (long long)p->port);
        if (strncmp(p->texts[0][0], authority, sizeof authority) != 0)
            IV_TRY(add_name(p, "http", authority, err));
    }
    return IV_OK;
}

static int check_options(const iv_serve_options *o, iv_err *err)
{
    if (o->socket != NULL && (o->port != 0 || o->listen != NULL))
        return iv_fail(err, IV_EARG, "a socket in place of a port and an address, not beside them");
    if (o->socket != NULL && o->public_url == NULL)
        return iv_fail(err, IV_EARG, "a socket has no name: the URL that browsers will use is "
                       "needed");
    if (o->listen != NULL && !is_loopback(o->listen) && o->public_url == NULL
        && !o->insecure_lan)
        return iv_fail(err, IV_EARG, "%s can be reached from other machines and there is no TLS: "
                       "whoever listens on the way could read tokens and judge. A proxy with TLS "
                       "and its public URL are needed", o->listen);
    return IV_OK;
}

int iv_places_open(iv_places *out, const iv_serve_options *o, int64_t remembered, iv_err *err)
{
    const char *address = o->listen != NULL ? o->listen : "127.0.0.1";
    iv_err why;
    int rc;

    *out = (iv_places){ .fd_count = 0 };
    IV_TRY(check_options(o, err));
    if (o->socket != NULL) {
        IV_TRY(bind_unix(&out->fds[0], o->socket, err));
        out->fd_count = 1;
        out->socket = o->socket;
    } else if (o->listen != NULL) {
        IV_TRY(bind_tcp(&out->fds[0], &out->port, address, o->port, err));
        out->fd_count = 1;
    } else if (o->port != 0) {
        IV_TRY(bind_loopback(out, o->port, err));
    } else if (remembered == 0 || bind_loopback(out, remembered, &why) != IV_OK) {
        IV_TRY(bind_loopback(out, 0, err));
    }
    rc = o->public_url != NULL ? take_public_url(out, o, err) : name_ports(out, address, err);
    if (rc != IV_OK)
        iv_places_close(out);
    return rc;
}

void iv_places_close(iv_places *p)
{
    for (size_t i = 0; i < p->fd_count; i++)
        (void)close(p->fds[i]);
    p->fd_count = 0;
    if (p->socket != NULL)
        (void)unlink(p->socket);
    p->socket = NULL;
}
