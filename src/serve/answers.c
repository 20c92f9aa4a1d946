/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of the loop, in JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/answers.h"

enum { SHOWN_MOST = 1 << 20 };

bool iv_say_begin(iv_answer *a, iv_exchange *x)
{
    *a = (iv_answer){ .x = x };
    a->json = (iv_json){ .out = open_memstream(&a->text, &a->len), .in_page = true };
    if (a->json.out == NULL) {
        x->status = 503;
        return false;
    }
    return true;
}

void iv_say_end(iv_answer *a, int status)
{
    const bool failed = ferror(a->json.out) != 0;

    if (fclose(a->json.out) != 0 || failed) {
        free(a->text);
        a->x->status = 503;
        return;
    }
    free(a->x->text);
    a->x->text = a->text;
    a->x->len = a->len;
    a->x->status = status;
}

void iv_say_text(iv_json *j, const char *key, iv_str s)
{
    iv_json_key(j, key);
    iv_json_quote(j->out, s, IV_JSON_IN_PAGE);
}

void iv_say_error(iv_exchange *x, int status, const char *text)
{
    iv_answer a;

    x->status = status;
    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    iv_json_text(&a.json, "error", text);
    iv_json_close(&a.json);
    iv_say_end(&a, status);
}

/* A disk that is full may have room again; one that failed needs a restart. */
void iv_say_failure(iv_server *v, iv_exchange *x, const iv_err *err)
{
    char line[IV_ERR_TEXT_SIZE];
    const int status = err->code == IV_EARG || err->code == IV_ENODATA ? 409
        : err->code != IV_EIO ? 500 : iv_store_refuses(v->store) ? 503 : 507;

    iv_say_error(x, status, status == 409 ? err->msg : iv_err_text(line, err));
}

/* -------------------------------------------------------------- session -- */

static void say_grades(iv_json *j, const iv_store_about *about)
{
    iv_json_array(j, "grades");
    for (size_t i = 0; i < about->grade_count; i++) {
        iv_json_object(j, NULL);
        iv_json_int(j, "grade", about->grades[i].grade);
        iv_json_text(j, "word", about->grades[i].word);
        iv_json_close(j);
    }
    iv_json_close(j);
}

int iv_say_topics(iv_json *j, iv_server *v, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(v->store);
    iv_store_topic t;
    int rc = IV_OK;

    iv_json_array(j, "topics");
    for (size_t i = 0; i < about->topics && rc == IV_OK; i++) {
        if ((rc = iv_store_topic_at(&t, v->store, i, err)) != IV_OK)
            break;
        iv_json_object(j, NULL);
        iv_json_text(j, "name", t.name);
        iv_json_int(j, "items", (int64_t)t.items);
        iv_json_int(j, "judged", (int64_t)t.judged);
        iv_json_close(j);
    }
    iv_json_close(j);
    return rc;
}

static int say_about(iv_json *j, iv_server *v, iv_job *job, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(v->store);
    const char *keys = NULL, *slash = strrchr(v->options->file, '/');
    char key[40];
    iv_assessor who;

    if (!iv_serve_assessor(&who, v, job->assessor))
        return iv_fail(err, IV_ENODATA, "the assessor's right was taken");
    iv_json_text(j, "assessor", who.name);
    iv_json_bool(j, "owner", who.owner);
    iv_json_text(j, "file", slash == NULL ? v->options->file : slash + 1);
    iv_json_text(j, "kind", iv_store_kind_names()[about->kind]);
    say_grades(j, about);
    iv_json_int(j, "level", about->level);
    iv_json_text(j, "guidelines", about->guidelines);
    iv_json_real(j, "target", about->target);
    iv_json_text(j, "stop", iv_store_stop_names()[about->stop]);
    iv_json_bool(j, "interleaved", about->interleaved);
    iv_json_bool(j, "numbers", who.owner || !v->hide);
    (void)snprintf(key, sizeof key, "keys:%lld", (long long)who.id);
    IV_TRY(iv_store_setting(&keys, &job->memory, v->store, key, err));
    iv_json_key(j, "keys");
    fputs(keys == NULL ? "{}" : keys, j->out); /* was read as JSON before it was kept */
    return iv_say_topics(j, v, err);
}

void iv_say_session(iv_server *v, iv_exchange *x)
{
    iv_answer a;
    iv_err err;

    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    const int rc = say_about(&a.json, v, x->job, &err);
    iv_json_close(&a.json);
    iv_say_end(&a, 200);
    if (rc != IV_OK)
        iv_say_failure(v, x, &err);
}

/* ----------------------------------------------------------------- items -- */

/* Cuts between characters. */
static iv_str cut(const char *text, size_t len, size_t most)
{
    if (len > most)
        for (len = most; len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80;)
            len--;
    return (iv_str){ text, len };
}

static void say_word(iv_json *j, iv_server *v, const char *key, const iv_store_word *w)
{
    iv_assessor who;

    iv_json_object(j, key);
    iv_json_int(j, "seq", w->seq);
    iv_json_text(j, "assessor", iv_serve_assessor(&who, v, w->assessor) ? who.name : NULL);
    iv_json_text(j, "reason", iv_store_reason_names()[w->reason]);
    if (w->grade >= 0)
        iv_json_int(j, "grade", w->grade);
    iv_json_text(j, "at", w->at);
    iv_json_text(j, "note", w->note);
    iv_json_close(j);
}

static int say_item(iv_json *j, iv_server *v, const char *key, const iv_store_item *i, bool whole,
                    iv_err *err)
{
    const iv_str text = cut(i->text, i->text_bytes, whole ? SIZE_MAX : SHOWN_MOST);
    iv_store_topic t;

    IV_TRY(iv_store_topic_at(&t, v->store, i->topic, err));
    iv_json_object(j, key);
    iv_json_int(j, "item", i->item);
    iv_json_int(j, "topic", (int64_t)i->topic);
    iv_json_text(j, "topic_name", t.name);
    iv_json_text(j, "topic_text", t.text);
    iv_json_bool(j, "adjudicate", i->role == IV_ROLE_ADJUDICATION);
    iv_json_text(j, "docno", i->docno);
    iv_json_text(j, "title", i->title);
    iv_say_text(j, "text", text);
    iv_json_int(j, "bytes", (int64_t)i->text_bytes);
    iv_json_bool(j, "cut", text.len < i->text_bytes);
    iv_json_bool(j, "missing", i->missing);
    if (i->mine.seq > 0)
        say_word(j, v, "mine", &i->mine);
    iv_json_array(j, "others"); /* who judges second must not see the first */
    for (size_t k = 0; i->role == IV_ROLE_ADJUDICATION && k < i->other_count; k++)
        say_word(j, v, NULL, &i->others[k]);
    iv_json_close(j);
    iv_json_close(j);
    return IV_OK;
}

void iv_say_item(iv_server *v, iv_exchange *x, const iv_store_item *item, bool whole)
{
    iv_answer a;
    iv_err err;

    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    const int rc = say_item(&a.json, v, "next", item, whole, &err);
    iv_json_close(&a.json);
    iv_say_end(&a, 200);
    if (rc != IV_OK)
        iv_say_failure(v, x, &err);
}

/* How many documents that the assessor could judge are held, by whom. */
static void say_held(iv_json *j, iv_server *v, const iv_store_wish *w)
{
    iv_store_hold held[IV_ASSESSORS_MOST * IV_LEASES];
    const size_t count = iv_store_holds(held, v->store, w);
    iv_assessor who;

    iv_json_array(j, "held");
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && held[next].assessor == held[i].assessor;)
            next++;
        iv_json_object(j, NULL);
        iv_json_text(j, "name", iv_serve_assessor(&who, v, held[i].assessor) ? who.name : NULL);
        iv_json_int(j, "documents", (int64_t)(next - i));
        iv_json_close(j);
    }
    iv_json_close(j);
}

/* The next item for who asks; null: there is none now, and "held" says what others hold. */
static int say_next(iv_json *j, iv_server *v, iv_job *job, iv_err *err)
{
    const iv_sent *sent = &job->sent;
    iv_store_item item;

    if (!sent->more)
        return IV_OK;
    const iv_store_wish w = { job->assessor, (size_t)sent->topic, sent->adjudicate && job->owner,
                              sent->not_this, iv_serve_now() };
    const int rc = iv_store_next(&item, &job->memory, v->store, &w, err);
    if (rc == IV_OK)
        return say_item(j, v, "next", &item, false, err);
    if (rc != IV_ENODATA)
        return rc;
    iv_json_null(j, "next");
    if (!w.adjudicate)
        say_held(j, v, &w);
    return IV_OK;
}

/* What became of the judgments; 201 when all are stored, 409 when one is not. */
static int say_entries(iv_json *j, const iv_sent *sent)
{
    static const char *const words[] = { "new", "before", "other", "refused" };
    int status = sent->count > 0 ? 201 : 200;

    iv_json_array(j, "stored");
    for (size_t i = 0; i < sent->count; i++) {
        const iv_store_entry *e = &sent->entries[i];
        iv_json_object(j, NULL);
        iv_json_text(j, "uuid", e->uuid);
        iv_json_text(j, "stored", words[e->stored]);
        if (e->stored == IV_STORED_NEW || e->stored == IV_STORED_BEFORE) {
            iv_json_int(j, "seq", e->seq);
        } else {
            iv_json_text(j, "why", e->why);
            status = 409;
        }
        iv_json_close(j);
    }
    iv_json_close(j);
    return status;
}

void iv_say_stored(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;
    iv_answer a;
    iv_err err;

    if (job->rc != IV_OK) {
        iv_say_failure(v, x, &job->err);
        return;
    }
    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    const int status = say_entries(&a.json, &job->sent);
    const int rc = say_next(&a.json, v, job, &err);
    iv_json_close(&a.json);
    iv_say_end(&a, status);
    if (rc != IV_OK && job->sent.count == 0) /* judgments are stored, whatever comes next */
        iv_say_failure(v, x, &err);
}

/* ------------------------------------------------------------- assessors -- */

void iv_say_key(iv_server *v, iv_exchange *x)
{
    const iv_job *job = x->job;
    iv_answer a;

    if (job->rc != IV_OK) {
        iv_say_failure(v, x, &job->err);
        return;
    }
    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    iv_json_text(&a.json, "key", job->token);
    iv_json_close(&a.json);
    iv_say_end(&a, 200);
}

void iv_say_link(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;
    iv_answer a;
    char url[sizeof v->places.url + 8 + IV_TOKEN_SIZE];

    if (job->rc != IV_OK) {
        iv_say_failure(v, x, &job->err);
        return;
    }
    if (job->act == IV_ACT_REVOKE)
        iv_visits_forget(&v->visits, job->from);
    if (!iv_say_begin(&a, x))
        return;
    (void)snprintf(url, sizeof url, "%s#t=%s", v->places.url, job->token);
    iv_json_object(&a.json, NULL);
    iv_json_text(&a.json, "name", job->name);
    iv_json_text(&a.json, "link", job->token[0] == '\0' ? NULL : url);
    iv_json_close(&a.json);
    iv_say_end(&a, 200);
}
