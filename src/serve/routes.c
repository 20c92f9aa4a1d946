/* SPDX-License-Identifier: Apache-2.0 */
/* What is done for each address.  By the loop's thread, which hands on whatever takes time. */
#include <stdlib.h>
#include <string.h>

#include "serve/server.h"

static void end(iv_exchange *x)
{
    iv_job_free(x);
    iv_connections_answer(x);
}

static void answer(iv_exchange *x, int status, const char *text)
{
    iv_say_error(x, status, text);
    end(x);
}

/* Lets a desk work for the exchange, and the loop finish it (NULL: the answer is there). */
static int hand_on(iv_worker_queue *desk, iv_exchange *x, void (*work)(iv_server *, iv_exchange *),
                   void (*finish)(iv_server *, iv_exchange *), iv_filling *fill)
{
    iv_job *job = x->job;

    job->work = work;
    job->finish = finish;
    job->fill = fill;
    iv_worker_add(desk, x);
    return IV_OK;
}

static int refuse(iv_err *err, const char *what) { return iv_fail(err, IV_EPARSE, "%s", what); }

/* ---------------------------------------------------------------- visits -- */

static void keep_setting(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;

    job->rc = iv_store_setting_put(v->store, job->key, job->value, &job->err);
}

/* The answer without a body, when it is kept. */
static void say_kept(iv_server *v, iv_exchange *x)
{
    const iv_job *job = x->job;

    x->status = 204;
    if (job->rc != IV_OK)
        iv_say_failure(v, x, &job->err);
}

/* A wrong link ends the connection; links have 128 random bits, so that no count of wrong ones
 * is needed, which could lock out the owner. */
static int log_in(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;
    iv_assessor who;
    iv_str token;

    IV_TRY(iv_body_login(&token, &job->memory, x->body, err));
    const int64_t id = iv_store_token_owner(v->store, token);
    if (id == 0 || !iv_serve_assessor(&who, v, id) || who.revoked) {
        x->asked.last = true;
        answer(x, 401, "this link is not valid any more");
        return IV_OK;
    }
    if (iv_http_sessions_enter(v, job, id, err) != IV_OK) {
        answer(x, 503, err->msg);
        return IV_OK;
    }
    return hand_on(&v->writer, x, keep_setting, iv_say_filled, iv_fill_key);
}

static int log_out(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;

    iv_http_sessions_leave(v, x->asked.key);
    (void)iv_store_release(v->store, job->assessor);
    if (iv_http_sessions_keep(v, job, job->assessor) != IV_OK)
        return iv_no_memory(err);
    return hand_on(&v->writer, x, keep_setting, say_kept, NULL);
}

/* ----------------------------------------------------------------- items -- */

static int show_next(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;
    int64_t topic, not_this, adjudicate;

    if (!iv_query_number(&topic, x->asked.query, "topic", 0)
        || !iv_query_number(&not_this, x->asked.query, "not", 0)
        || !iv_query_number(&adjudicate, x->asked.query, "adjudicate", 0))
        return refuse(err, "topic, not and adjudicate are numbers");
    job->sent = (iv_sent){ .more = true, .topic = topic, .not_this = not_this,
                           .adjudicate = adjudicate != 0 };
    iv_say_stored(v, x);
    end(x);
    return IV_OK;
}

static int show_item(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;
    iv_store_item item;
    int64_t id, whole;

    if (!iv_query_number(&id, x->asked.query, "id", 0)
        || !iv_query_number(&whole, x->asked.query, "whole", 0))
        return refuse(err, "id and whole are numbers");
    const int rc = iv_store_item_at(&item, &job->memory, v->store, id, job->assessor, err);
    if (rc == IV_OK)
        iv_say_item(v, x, &item, whole != 0);
    else if (rc == IV_ENODATA)
        iv_say_error(x, 404, "no such item");
    else
        iv_say_failure(v, x, err);
    end(x);
    return IV_OK;
}

static int take_judgments(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;

    IV_TRY(iv_body_judgments(&job->sent, &job->memory, x->body, err));
    for (size_t i = 0; i < job->sent.count; i++) {
        job->sent.entries[i].assessor = job->assessor;
        if (job->sent.entries[i].reason == IV_REASON_ADJUDICATED && !job->owner) {
            answer(x, 403, "only the owner adjudicates");
            return IV_OK;
        }
    }
    return hand_on(&v->writer, x, NULL, iv_say_stored, NULL);
}

/* --------------------------------------------------------------- numbers -- */

static int show_live(iv_server *v, iv_exchange *x, iv_err *err)
{
    char tag[40];

    (void)err;
    (void)snprintf(tag, sizeof tag, "\"%lld\"", (long long)iv_store_seq(v->store));
    if (iv_str_cmp(x->asked.unchanged, iv_str_of(tag)) != 0)
        return hand_on(&v->worker, x, iv_work_live, NULL, NULL);
    x->status = 304;
    end(x);
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
    iv_job *job = x->job;
    iv_str word;
    int state = IV_ITEM_ANY;

    if (!iv_query_number(&job->from, x->asked.query, "from", 0)
        || !iv_query_word(&word, x->asked.query, "state")
        || (word.len > 0 && !find_word(&state, word, iv_store_state_names())))
        return refuse(err, "from is a number, state one of those of the store");
    job->state = (iv_store_state)state;
    return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_items);
}

static int list_history(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;

    if (!iv_query_number(&job->from, x->asked.query, "before", 0))
        return refuse(err, "before is a number");
    return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_history);
}

static int export_all(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;
    int64_t partial;
    iv_str as, combine;
    int form = IV_EXPORT_USUAL;

    if (!iv_query_word(&as, x->asked.query, "as")
        || (as.len > 0 && !find_word(&form, as, iv_store_form_names()))
        || !iv_query_word(&combine, x->asked.query, "combine")
        || !iv_query_number(&partial, x->asked.query, "partial", 0))
        return refuse(err, "as is one of the forms of export, combine a word, partial 0 or 1");
    const char *how = combine.len == 0 ? NULL : iv_arena_copy(&job->memory, combine);
    if (combine.len > 0 && how == NULL)
        return iv_no_memory(err);
    job->exports = (iv_export_options){ .form = (iv_store_form)form, .combine = how,
                                        .partial = partial != 0 };
    return hand_on(&v->worker, x, iv_work_export, NULL, NULL);
}

/* -------------------------------------------------------------- settings -- */

static int take_keys(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;
    char key[40];

    if (x->body.len > 4096)
        return refuse(err, "too many keys");
    IV_TRY(iv_body_keys(&job->value, &job->memory, x->body, err));
    (void)snprintf(key, sizeof key, "keys:%lld", (long long)job->assessor);
    job->key = iv_arena_copy(&job->memory, iv_str_of(key));
    return job->key == NULL ? iv_no_memory(err)
        : hand_on(&v->writer, x, keep_setting, say_kept, NULL);
}

static int take_ranking(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;

    IV_TRY(iv_body_ranking(&job->names, &job->name_count, &job->memory, x->body, err));
    return hand_on(&v->writer, x, iv_work_rank, iv_say_filled, iv_fill_ranked);
}

static int search(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;

    IV_TRY(iv_body_search(&job->text, &job->memory, x->body, err));
    return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_items);
}

static int take_assessor(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_job *job = x->job;

    IV_TRY(iv_body_assessor(&job->act, &job->name, &job->memory, x->body, err));
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
    return iv_serve_assessor(who, v, id) && !who->revoked && (page || who->script);
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
    else if (iv_job_new(x, who.id, who.owner) != NULL) {
        iv_store_seen(v->store, who.id, iv_serve_now());
        rc = at->answer != NULL ? at->answer(v, x, &err)
            : hand_on(&v->worker, x, iv_say_filled, NULL, at->fill);
    }
    if (rc != IV_OK)
        answer(x, rc == IV_ENOMEM ? 503 : 400, err.msg);
}

void iv_returned(void *server, iv_exchange *x)
{
    const iv_job *job = x->job;

    if (job->finish != NULL)
        job->finish(server, x);
    end(x);
}
