/* SPDX-License-Identifier: Apache-2.0 */
/* Answers in JSON: of the loop, and what the worker computes. */
#include "base/err.h"
#include "base/memory.h"
#include "live/live_flow.h"
#include "report/json_write.h"
#include "serve/answers.h"
#include "serve/bodies.h"
#include "serve/connection.h"
#include "serve/http_sessions.h"
#include "serve/server.h"
#include "serve/workers.h"
#include "store/assessors.h"
#include "store/entries.h"
#include "store/lists.h"
#include "store/overview.h"
#include "store/record.h"
#include "store/session.h"
#include "store/session_export.h"
#include "store/upkeep.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Answers of the loop, in JSON. */

enum { SHOWN_MOST = 1 << 20 };

bool iv_may_know(const iv_server *v, const iv_exchange *x, iv_secret what)
{
    return x->owner || x->script || (what == IV_SECRET_NUMBERS ? !v->hide : x->adjudicates);
}

/* Begins an answer of JSON on one line, which is the text of the exchange. */
static bool say_begin(iv_json *j, iv_exchange *x)
{
    free(x->text);
    x->text = NULL;
    *j = (iv_json){ .out = open_memstream(&x->text, &x->len), .in_page = true };
    if (j->out == NULL) {
        x->status = 503;
        return false;
    }
    iv_json_object(j, NULL);
    return true;
}

static void say_end(iv_json *j, iv_exchange *x, int status)
{
    iv_json_close(j);
    const bool failed = ferror(j->out) != 0;

    x->status = status;
    if (fclose(j->out) != 0 || failed || x->text == NULL) {
        free(x->text);
        x->text = NULL;
        x->status = 503;
    }
}

void iv_say_error(iv_exchange *x, int status, const char *text)
{
    iv_json j;

    x->status = status;
    if (!say_begin(&j, x))
        return;
    iv_json_text(&j, "error", text);
    say_end(&j, x, status);
}

/* A disk that is full may have room again; one that failed needs a restart. */
void iv_say_failure(iv_server *v, iv_exchange *x, const iv_err *err)
{
    char line[IV_ERR_TEXT_SIZE];
    const int status = err->code == IV_EARG || err->code == IV_ENODATA ? 409
        : err->code != IV_EIO ? 500 : iv_store_refuses(v->store) ? 503 : 507;

    iv_say_error(x, status, status == 409 ? err->msg : iv_err_text(line, err));
}

void iv_say_filled(iv_server *v, iv_exchange *x)
{
    iv_json j;
    iv_err err;

    if (x->rc != IV_OK) {
        iv_say_failure(v, x, &x->err);
        return;
    }
    if (!say_begin(&j, x))
        return;
    x->status = 200;
    const int rc = x->fill(&j, v, x, &err);
    say_end(&j, x, x->status);
    if (rc != IV_OK)
        iv_say_failure(v, x, &err);
}

/* -------------------------------------------------------------- session -- */

static void say_grades(iv_json *j, const iv_store_about *about)
{
    iv_json_array(j, "grades");
    for (size_t i = 0; i < about->grade_count; i++)
        iv_json_put(j, NULL, "{'grade': %d, 'word': %s}", (int64_t)about->grades[i],
                    about->words[i]);
    iv_json_close(j);
}

static void say_topics(iv_json *j, iv_server *v)
{
    iv_json_array(j, "topics");
    for (size_t i = 0; i < iv_store_about_of(v->store)->topics; i++) {
        const iv_store_topic t = iv_store_topic_at(v->store, i);
        iv_json_put(j, NULL, "{'name': %s, 'items': %d, 'judged': %d}", t.name, (int64_t)t.items,
                    (int64_t)t.judged);
    }
    iv_json_close(j);
}

int iv_fill_session(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(v->store);
    const char *slash = strrchr(v->options->file, '/'), *chosen;
    char key[40];
    iv_str keys;
    iv_assessor who = { 0 };

    if (!iv_store_assessor(&who, v->store, x->assessor))
        return iv_fail(err, IV_ENODATA, "the assessor was revoked");
    iv_json_put(j, NULL, "'session': %s, 'assessor': %s, 'owner': %b, 'adjudicates': %b, "
                "'judges': %b, 'file': %s, 'kind': %s", iv_store_identity(v->store), who.name,
                who.owner, who.adjudicates, who.judges,
                slash == NULL ? v->options->file : slash + 1,
                iv_store_kind_names()[about->kind]);
    say_grades(j, about);
    iv_json_put(j, NULL, "'level': %d, 'guidelines': %s, 'tags': %s, 'target': %g, 'stop': %s, "
                "'interleaved': %b, 'numbers': %b", (int64_t)about->level, about->guidelines,
                about->tags, about->target, iv_store_stop_names()[about->stop],
                about->interleaved, iv_may_know(v, x, IV_SECRET_NUMBERS));
    (void)snprintf(key, sizeof key, "set:keys:%lld", (long long)who.id);
    IV_TRY(iv_store_value(&keys, &x->memory, v->store, key, err));
    if (keys.ptr == NULL || iv_body_keys(&chosen, &x->memory, keys, err) != IV_OK)
        chosen = "{}"; /* what a person edited is no setting */
    iv_json_key(j, "keys");
    fputs(chosen, j->out);
    say_topics(j, v);
    return IV_OK;
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

/* The name of an assessor, which is the store's; NULL: there is no such. */
static const char *name_of(iv_server *v, int64_t assessor)
{
    iv_assessor who = { 0 };

    return iv_store_assessor(&who, v->store, assessor) ? who.name : NULL;
}

static void say_word(iv_json *j, iv_server *v, const iv_store_word *w)
{
    iv_json_put(j, NULL, "'assessor': %s, 'reason': %s", name_of(v, w->assessor),
                iv_store_reason_names()[w->reason]);
    if (w->grade >= 0)
        iv_json_int(j, "grade", w->grade);
    iv_json_put(j, NULL, "'at': %s, 'note': %s", w->at, w->note);
}

static void say_item(iv_json *j, iv_server *v, const iv_exchange *x, const iv_store_item *i,
                     bool whole)
{
    const iv_str text = cut(i->text, i->text_bytes, whole ? SIZE_MAX : SHOWN_MOST);
    const iv_store_topic t = iv_store_topic_at(v->store, i->topic);

    iv_json_put(j, "next", "{'item': %d, 'topic': %d, 'topic_name': %s, 'topic_text': %s, "
                "'adjudicate': %b, 'docno': %s, 'title': %s", i->item, (int64_t)i->topic, t.name,
                t.text, i->role == IV_ROLE_ADJUDICATION, i->docno, i->title);
    iv_json_key(j, "text");
    iv_json_quote(j->out, text, IV_JSON_IN_PAGE);
    iv_json_put(j, NULL, "'bytes': %d, 'cut': %b, 'missing': %b, 'journal': %s, 'doi': %s, "
                "'url': %s", (int64_t)i->text_bytes, text.len < i->text_bytes, i->missing,
                i->journal, i->doi, i->url);
    if (i->mine.seq > 0) {
        iv_json_put(j, "mine", "{'seq': %d", i->mine.seq);
        say_word(j, v, &i->mine);
        iv_json_close(j);
    }
    iv_json_array(j, "others"); /* who judges second must not see the first */
    const bool shown = i->role == IV_ROLE_ADJUDICATION && iv_may_know(v, x, IV_SECRET_GRADES);
    for (size_t k = 0; shown && k < i->other_count; k++) {
        iv_json_put(j, NULL, "{'seq': %d", i->others[k].seq);
        say_word(j, v, &i->others[k]);
        iv_json_close(j);
    }
    iv_json_put(j, NULL, "]}");
}

void iv_say_item(iv_server *v, iv_exchange *x, const iv_store_item *item, bool whole)
{
    iv_json j;

    if (!say_begin(&j, x))
        return;
    say_item(&j, v, x, item, whole);
    say_end(&j, x, 200);
}

/* How many documents that the assessor could judge are held, by whom. */
static void say_held(iv_json *j, iv_server *v, const iv_store_wish *w)
{
    iv_store_hold held[IV_ASSESSORS_MOST * IV_LEASES];
    const size_t count = iv_store_holds(held, v->store, w);

    iv_json_array(j, "held");
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i; next < count && held[next].assessor == held[i].assessor;)
            next++;
        iv_json_put(j, NULL, "{'name': %s, 'documents': %d}", name_of(v, held[i].assessor),
                    (int64_t)(next - i));
    }
    iv_json_close(j);
}

/* The next item for who asks; null: there is none now, and "held" says what others hold. */
static int say_next(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    const iv_sent *sent = &x->sent;
    iv_store_item item;

    if (!sent->more)
        return IV_OK;
    const iv_store_wish w = { x->assessor, (size_t)sent->topic, sent->adjudicate && x->adjudicates,
                              sent->not_this, iv_serve_now() };
    const int rc = iv_store_next(&item, &x->memory, v->store, &w, err);
    if (w.adjudicate) { /* "3 of 6" */
        const iv_store_counts c = iv_store_count_queue(v->store);
        iv_json_put(j, NULL, "'conflicts': %d, 'settled': %d",
                    (int64_t)(c.conflicts + c.settled), (int64_t)c.settled);
    }
    if (rc == IV_OK)
        say_item(j, v, x, &item, false);
    if (rc != IV_ENODATA)
        return rc;
    iv_json_text(j, "next", NULL);
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
        iv_json_put(j, NULL, "{'uuid': %s, 'stored': %s", e->uuid, words[e->stored]);
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

int iv_fill_stored(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    x->status = say_entries(j, &x->sent);
    const int rc = say_next(j, v, x, err);
    return x->sent.count == 0 ? rc : IV_OK; /* judgments are stored, whatever comes next */
}

/* ------------------------------------------------------------- assessors -- */

int iv_fill_key(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    (void)v, (void)err;
    iv_json_text(j, "key", x->token);
    return IV_OK;
}

int iv_fill_ranked(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    (void)v, (void)err;
    iv_json_int(j, "ranked", x->from);
    return IV_OK;
}

int iv_fill_link(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    char url[sizeof v->places.url + 8 + IV_TOKEN_SIZE];

    (void)err;
    if (x->act == IV_ACT_REVOKE || x->act == IV_ACT_LINK)
        iv_http_sessions_forget(v, x->from);
    (void)snprintf(url, sizeof url, "%s#t=%s", v->places.url, x->token);
    iv_json_text(j, "name", x->name);
    iv_json_text(j, "link", x->token[0] == '\0' ? NULL : url);
    return IV_OK;
}

/* What the worker computes: numbers, lists and exports; and what the writer does beside
 * judgments. */

enum { LISTED_MOST = 50 };

/* ------------------------------------------------------------------ live -- */

/* Members of a struct as members of an object. */
static void say_fields(iv_json *j, const iv_field *f, const void *row)
{
    for (; f->name != NULL; f++) {
        const void *at = (const char *)row + f->offset;
        int64_t whole = 0;
        if (f->type == IV_AS_REAL) {
            iv_json_put(j, f->name, "%g", *(const double *)at);
        } else if (f->type == IV_AS_TEXT) { /* a pointer, or an array */
            iv_json_text(j, f->name, f->size == sizeof(char *) ? *(char *const *)at : at);
        } else if (f->size == sizeof(bool)) {
            iv_json_put(j, f->name, "%b", *(const bool *)at);
        } else {
            memcpy(&whole, at, f->size); /* 64 bits, of either sign */
            iv_json_int(j, f->name, whole);
        }
    }
}

static void say_object(iv_json *j, const char *key, const iv_field *f, const void *row)
{
    iv_json_object(j, key);
    say_fields(j, f, row);
    iv_json_close(j);
}

static void say_array(iv_json *j, const iv_rows *rows)
{
    iv_json_array(j, rows->name);
    for (size_t i = 0; i < rows->count; i++)
        say_object(j, NULL, rows->fields, (const char *)rows->at + i * rows->size);
    iv_json_close(j);
}

#define FIELD(T, member) { #member, IV_AT(T, member) }

static const iv_field value_fields[] = { FIELD(iv_live_value, of), FIELD(iv_live_value, value),
    FIELD(iv_live_value, lower), FIELD(iv_live_value, upper), FIELD(iv_live_value, documents),
    { NULL } };
static const iv_field progress_fields[] = { FIELD(iv_live, seq), FIELD(iv_live, items),
    FIELD(iv_live, judged), FIELD(iv_live, open), FIELD(iv_live, minutes_left), { NULL } };
static const iv_field live_fields[] = { FIELD(iv_live, relevant), FIELD(iv_live, control),
    FIELD(iv_live, streak), FIELD(iv_live, prefix), FIELD(iv_live, confidence),
    FIELD(iv_live, target), FIELD(iv_live, look), FIELD(iv_live, looks), FIELD(iv_live, look_at),
    FIELD(iv_live, judged_at_last), FIELD(iv_live, look_lower), FIELD(iv_live, may_stop),
    FIELD(iv_live, advice), { NULL } };
static const iv_field guaranteed_fields[] = { FIELD(iv_live, guaranteed), FIELD(iv_live, evidence),
    FIELD(iv_live, evidence_needed), { NULL } };

static void say_live(iv_json *j, const iv_live *n, bool shown, bool ranked)
{
    iv_json_object(j, "live");
    say_fields(j, progress_fields, n);
    if (shown) {
        say_fields(j, live_fields, n);
        say_object(j, "now", value_fields, &n->now);
        if (n->has_guaranteed)
            say_fields(j, guaranteed_fields, n);
        iv_json_array(j, "curve");
        for (size_t i = 0; ranked && i <= IV_CURVE; i++)
            iv_json_int(j, NULL, (int64_t)n->curve[i]);
        iv_json_close(j);
    }
    iv_json_close(j);
}

static bool is_ranked(const iv_server *v)
{
    return iv_store_about_of(v->store)->kind == IV_STORE_QUEUE;
}

/* The server that ends does not wait for numbers. */
static int ask_whether_ending(void *user, double done)
{
    iv_worker_queue *desk = user;

    (void)done;
    (void)pthread_mutex_lock(&desk->lock);
    const bool stop = desk->stop;
    (void)pthread_mutex_unlock(&desk->lock);
    return stop;
}

static iv_work work_of(iv_server *v)
{
    return (iv_work){ .threads = 1, .progress = { ask_whether_ending, &v->worker } };
}

/*
 * The numbers of the newest judgment, computed once for all who ask.  Those of a large sample
 * take a while: four fifths of the worker's time are left to others, and who asks in between
 * gets the last ones, with their seq.
 */
static int find_live(iv_live *out, iv_server *v, iv_err *err)
{
    const int64_t seq = iv_store_seq(v->store);
    const double began = iv_serve_ms();
    const iv_work work = work_of(v);

    const bool ranked = __atomic_exchange_n(&v->ranked, false, __ATOMIC_ACQ_REL);

    if (!v->live_known || ranked || (v->live.seq != seq && began >= v->live_again)) {
        IV_TRY(iv_live_of(&v->live, v->store, &work, err));
        v->live_known = true;
        const double ended = iv_serve_ms();
        v->live_again = ended + 4.0 * (ended - began);
    }
    *out = v->live;
    return IV_OK;
}

int iv_fill_live(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_live n;

    IV_TRY(find_live(&n, v, err));
    say_live(j, &n, iv_may_know(v, x, IV_SECRET_NUMBERS), is_ranked(v));
    iv_json_int(j, "mine", (int64_t)iv_store_judged_by(v->store, x->assessor));
    (void)snprintf(x->extra, sizeof x->extra, "ETag: \"%lld\"\r\n", (long long)n.seq);
    return IV_OK;
}

/* -------------------------------------------------------------- overview -- */

static const iv_field row_fields[] = { FIELD(iv_assessor_row, name),
                                       FIELD(iv_assessor_row, revoked),
    FIELD(iv_assessor_row, judged), FIELD(iv_assessor_row, relevant),
    FIELD(iv_assessor_row, cannot), FIELD(iv_assessor_row, later), FIELD(iv_assessor_row, undone),
    FIELD(iv_assessor_row, median_ms), FIELD(iv_assessor_row, last), { NULL } };
static const iv_field count_fields[] = { FIELD(iv_store_counts, items),
    FIELD(iv_store_counts, judged), FIELD(iv_store_counts, open), FIELD(iv_store_counts, later),
    FIELD(iv_store_counts, cannot), FIELD(iv_store_counts, conflicts),
    FIELD(iv_store_counts, twice), FIELD(iv_store_counts, judgments), { NULL } };

/* Who holds what. */
static int say_holds(iv_json *j, iv_server *v, iv_arena *a, iv_err *err)
{
    iv_store_hold held[IV_ASSESSORS_MOST * IV_LEASES];
    const size_t count = iv_store_holds(held, v->store, &(iv_store_wish){
        .now = iv_serve_now() });
    iv_store_item item;

    iv_json_array(j, "held");
    for (size_t i = 0; i < count; i++) {
        IV_TRY(iv_store_item_at(&item, a, v->store, held[i].item, 1, err));
        iv_json_put(j, NULL, "{'name': %s, 'docno': %s, 'idle': %d}",
                    name_of(v, held[i].assessor), item.docno, held[i].idle);
    }
    iv_json_close(j);
    return IV_OK;
}

/* The steps of a PRISMA flow diagram; none but of references. */
static int say_flow(iv_json *j, iv_server *v, iv_arena *a, const iv_live *n, iv_err *err)
{
    const iv_live_step *steps;
    size_t count = 0;

    IV_TRY(iv_live_flow(&steps, &count, a, v->store, n, err));
    iv_json_array(j, "prisma");
    for (size_t i = 0; i < count; i++)
        iv_json_put(j, NULL, "{'step': %s, 'records': %d}", steps[i].name,
                    (int64_t)steps[i].records);
    iv_json_close(j);
    return IV_OK;
}

int iv_fill_overview(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    const iv_assessor_row *rows;
    iv_store_counts c;
    size_t count;
    iv_live n;

    IV_TRY(iv_store_count(&c, v->store, err));
    say_object(j, "counts", count_fields, &c);
    IV_TRY(iv_store_assessor_rows(&rows, &count, &x->memory, v->store, err));
    say_array(j, &(iv_rows){ "assessors", row_fields, rows, count, sizeof *rows });
    IV_TRY(say_holds(j, v, &x->memory, err));
    IV_TRY(find_live(&n, v, err));
    say_live(j, &n, true, is_ranked(v));
    say_topics(j, v);
    return say_flow(j, v, &x->memory, &n, err);
}

static const iv_field pair_fields[] = { FIELD(iv_live_pair, a), FIELD(iv_live_pair, b),
    FIELD(iv_live_pair, items), FIELD(iv_live_pair, agreement),
    FIELD(iv_live_pair, agreement_lower), FIELD(iv_live_pair, agreement_upper),
    FIELD(iv_live_pair, kappa), FIELD(iv_live_pair, kappa_lower), FIELD(iv_live_pair, kappa_upper),
    FIELD(iv_live_pair, few), { NULL } };

int iv_fill_agreement(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_live_agreement g;
    const iv_work work = work_of(v);
    const int rc = iv_live_agree(&g, &x->memory, v->store, &work, err);

    if (rc == IV_ENODATA)
        g = (iv_live_agreement){ .prevalence = NAN };
    else if (rc != IV_OK)
        return rc;
    iv_json_int(j, "items", (int64_t)g.items);
    iv_json_put(j, "prevalence", "%g", g.prevalence);
    say_array(j, &(iv_rows){ "pairs", pair_fields, g.pairs, g.pair_count, sizeof *g.pairs });
    say_array(j, &(iv_rows){ "under", value_fields, g.under, g.under_count, sizeof *g.under });
    return IV_OK;
}

/* ----------------------------------------------------------------- lists -- */

static void say_list(iv_json *j, iv_server *v, const iv_store_item *rows, size_t count)
{
    iv_json_array(j, "items");
    for (size_t i = 0; i < count; i++) {
        iv_json_put(j, NULL, "{'item': %d, 'seq': %d, 'topic': %d, 'docno': %s, 'title': %s",
                    rows[i].item, rows[i].mine.seq, (int64_t)rows[i].topic, rows[i].docno,
                    rows[i].title);
        say_word(j, v, &rows[i].mine);
        iv_json_put(j, NULL, "'active_ms': %d}", rows[i].mine.active_ms);
    }
    iv_json_close(j);
}

int iv_fill_history(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    const iv_store_item *rows;
    size_t count;

    IV_TRY(iv_store_history(&rows, &count, &x->memory, v->store, x->assessor, x->from,
                            LISTED_MOST, err));
    say_list(j, v, rows, count);
    return IV_OK;
}

int iv_fill_items(iv_json *j, iv_server *v, iv_exchange *x, iv_err *err)
{
    const iv_store_item *rows;
    size_t count;

    x->filter->assessor = x->owner || x->filter->state == IV_ITEM_CONFLICT ? 0 : x->assessor;
    IV_TRY(iv_store_items(&rows, &count, &x->memory, v->store, x->filter, LISTED_MOST, err));
    say_list(j, v, rows, count);
    return IV_OK;
}

/* --------------------------------------------------------------- exports -- */

void iv_work_export(iv_server *v, iv_exchange *x)
{
    iv_exported done;
    char *text = NULL;
    size_t len = 0;
    iv_err err;
    FILE *out = open_memstream(&text, &len);

    if (out == NULL) {
        iv_say_error(x, 503, "out of memory");
        return;
    }
    const int rc = iv_live_export(&done, out, v->store, &x->exports, NULL, &err);
    if (fclose(out) != 0 || rc != IV_OK || text == NULL) {
        free(text);
        if (rc == IV_OK)
            iv_say_error(x, 503, "out of memory");
        else
            iv_say_failure(v, x, &err);
        return;
    }
    x->text = text;
    x->len = len;
    x->status = 200;
    x->type = "text/plain; charset=utf-8";
    (void)snprintf(x->extra, sizeof x->extra,
                   "Content-Disposition: attachment; filename=\"judgments.%s\"\r\n",
                   x->exports.form == IV_EXPORT_USUAL
                       ? "txt" : iv_store_form_names()[x->exports.form]);
}

/* --------------------------------------------------------------- ranking -- */

void iv_work_rank(iv_server *v, iv_exchange *x)
{
    iv_ranked done = { 0 };

    x->rc = iv_store_rank(&done, v->store, x->names, x->name_count,
                          &(iv_store_input){ .path = "(sent to the server)" }, &x->err);
    x->from = (int64_t)done.placed;
    __atomic_store_n(&v->ranked, true, __ATOMIC_RELEASE);
}

/* ------------------------------------------------------------- assessors -- */

static int change_assessor(iv_server *v, iv_exchange *x)
{
    iv_err *err = &x->err;

    if (x->act == IV_ACT_ADD) {
        IV_TRY(iv_store_assessor_add(&x->from, v->store, x->name, err));
        return iv_store_token_new(x->token, v->store, x->from, err);
    }
    const iv_assessor *list;
    const size_t count = iv_store_assessors(&list, v->store);
    x->from = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, x->name) == 0 && !list[i].revoked) {
            if (list[i].owner && x->act == IV_ACT_REVOKE)
                return iv_fail(err, IV_EARG, "the owner cannot be revoked");
            x->from = list[i].id;
        }
    if (x->from == 0)
        return iv_fail(err, IV_ENODATA, "there is no such assessor");
    if (x->act == IV_ACT_REVOKE) {
        IV_TRY(iv_http_sessions_erase(v, x->from, err));
        return iv_store_assessor_revoke(v->store, x->name, err);
    }
    if (x->act == IV_ACT_RELEASE) {
        (void)iv_store_release(v->store, x->from);
        return IV_OK;
    }
    IV_TRY(iv_http_sessions_erase(v, x->from, err)); /* a new link ends what the old one began */
    return iv_store_token_new(x->token, v->store, x->from, err);
}

void iv_work_assessor(iv_server *v, iv_exchange *x)
{
    x->rc = change_assessor(v, x);
}
