/* SPDX-License-Identifier: Apache-2.0 */
/* What the worker computes: numbers, lists and exports; and what the writer does beside
 * judgments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/answers.h"

enum { LISTED_MOST = 50 };

/* ------------------------------------------------------------------ live -- */

static void say_interval(iv_json *j, const char *key, const iv_live_value *n)
{
    iv_json_object(j, key);
    iv_json_text(j, "of", n->of);
    iv_json_real(j, "value", n->value);
    iv_json_real(j, "lower", n->lower);
    iv_json_real(j, "upper", n->upper);
    iv_json_int(j, "documents", (int64_t)n->documents);
    iv_json_close(j);
}

static void say_live(iv_json *j, const iv_live *n, bool shown)
{
    iv_json_object(j, "live");
    iv_json_int(j, "seq", n->seq);
    iv_json_int(j, "items", (int64_t)n->items);
    iv_json_int(j, "judged", (int64_t)n->judged);
    iv_json_real(j, "minutes_left", n->minutes_left);
    if (shown) {
        iv_json_int(j, "relevant", (int64_t)n->relevant);
        iv_json_int(j, "prefix", (int64_t)n->prefix);
        iv_json_real(j, "confidence", n->confidence);
        iv_json_real(j, "target", n->target);
        say_interval(j, "now", &n->now);
        if (n->has_guaranteed) {
            iv_json_real(j, "guaranteed", n->guaranteed);
            iv_json_real(j, "evidence", n->evidence);
            iv_json_real(j, "evidence_needed", n->evidence_needed);
        }
        iv_json_int(j, "look", (int64_t)n->look);
        iv_json_int(j, "looks", (int64_t)n->looks);
        iv_json_int(j, "look_at", (int64_t)n->look_at);
        iv_json_int(j, "judged_at_last", (int64_t)n->judged_at_last);
        iv_json_real(j, "look_lower", n->look_lower);
        iv_json_bool(j, "may_stop", n->may_stop);
        iv_json_text(j, "advice", n->advice);
    }
    iv_json_close(j);
}

/* The server that ends does not wait for numbers. */
static int ask_whether_ending(void *user, double done)
{
    iv_desk *desk = user;

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

    if (!v->live_known || (v->live.seq != seq && began >= v->live_again)) {
        IV_TRY(iv_live_of(&v->live, v->store, &work, err));
        v->live_known = true;
        const double ended = iv_serve_ms();
        v->live_again = ended + 4.0 * (ended - began);
    }
    *out = v->live;
    return IV_OK;
}

void iv_work_live(iv_server *v, iv_exchange *x)
{
    const iv_job *job = x->job;
    iv_answer a;
    iv_live n;
    iv_err err;

    if (find_live(&n, v, &err) != IV_OK) {
        iv_say_failure(v, x, &err);
        return;
    }
    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    say_live(&a.json, &n, job->owner || !v->hide);
    iv_json_close(&a.json);
    iv_say_end(&a, 200);
    (void)snprintf(x->extra, sizeof x->extra, "ETag: \"%lld\"\r\n", (long long)n.seq);
}

/* -------------------------------------------------------------- overview -- */

static int say_assessors(iv_json *j, iv_server *v, iv_arena *a, iv_err *err)
{
    const iv_assessor_row *rows;
    size_t count;

    IV_TRY(iv_store_assessor_rows(&rows, &count, a, v->store, err));
    iv_json_array(j, "assessors");
    for (size_t i = 0; i < count; i++) {
        iv_json_object(j, NULL);
        iv_json_text(j, "name", rows[i].name);
        iv_json_bool(j, "revoked", rows[i].revoked);
        iv_json_int(j, "judged", rows[i].judged);
        iv_json_int(j, "relevant", rows[i].relevant);
        iv_json_int(j, "cannot", rows[i].cannot);
        iv_json_int(j, "later", rows[i].later);
        iv_json_int(j, "undone", rows[i].undone);
        iv_json_real(j, "median_ms", rows[i].median_ms);
        iv_json_text(j, "last", rows[i].last);
        iv_json_close(j);
    }
    iv_json_close(j);
    return IV_OK;
}

/* Who holds what. */
static int say_holds(iv_json *j, iv_server *v, iv_arena *a, iv_err *err)
{
    iv_store_hold held[IV_ASSESSORS_MOST * IV_LEASES];
    const size_t count = iv_store_holds(held, v->store, &(iv_store_wish){
        .now = iv_serve_now() });
    iv_store_item item;
    iv_assessor who;

    iv_json_array(j, "held");
    for (size_t i = 0; i < count; i++) {
        IV_TRY(iv_store_item_at(&item, a, v->store, held[i].item, 1, err));
        iv_json_object(j, NULL);
        iv_json_text(j, "name", iv_serve_assessor(&who, v, held[i].assessor) ? who.name : NULL);
        iv_json_text(j, "docno", item.docno);
        iv_json_int(j, "idle", held[i].idle);
        iv_json_close(j);
    }
    iv_json_close(j);
    return IV_OK;
}

static int say_overview(iv_json *j, iv_server *v, iv_arena *a, iv_err *err)
{
    iv_store_counts c;
    iv_live n;

    IV_TRY(iv_store_count(&c, v->store, IV_NONE_TOPIC, err));
    iv_json_object(j, "counts");
    iv_json_int(j, "items", (int64_t)c.items);
    iv_json_int(j, "judged", (int64_t)c.judged);
    iv_json_int(j, "open", (int64_t)c.open);
    iv_json_int(j, "later", (int64_t)c.later);
    iv_json_int(j, "cannot", (int64_t)c.cannot);
    iv_json_int(j, "conflicts", (int64_t)c.conflicts);
    iv_json_int(j, "twice", (int64_t)c.twice);
    iv_json_int(j, "judgments", c.judgments);
    iv_json_close(j);
    IV_TRY(say_assessors(j, v, a, err));
    IV_TRY(say_holds(j, v, a, err));
    IV_TRY(find_live(&n, v, err));
    say_live(j, &n, true);
    return iv_say_topics(j, v, err);
}

void iv_work_overview(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;
    iv_answer a;
    iv_err err;

    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    const int rc = say_overview(&a.json, v, &job->memory, &err);
    iv_json_close(&a.json);
    iv_say_end(&a, 200);
    if (rc != IV_OK)
        iv_say_failure(v, x, &err);
}

static void say_agreement(iv_json *j, const iv_live_agreement *g)
{
    iv_json_int(j, "items", (int64_t)g->items);
    iv_json_real(j, "prevalence", g->prevalence);
    iv_json_array(j, "pairs");
    for (size_t i = 0; i < g->pair_count; i++) {
        const iv_live_pair *p = &g->pairs[i];
        iv_json_object(j, NULL);
        iv_json_text(j, "a", p->a);
        iv_json_text(j, "b", p->b);
        iv_json_int(j, "items", (int64_t)p->items);
        iv_json_real(j, "agreement", p->agreement);
        iv_json_real(j, "agreement_lower", p->agreement_lower);
        iv_json_real(j, "agreement_upper", p->agreement_upper);
        iv_json_real(j, "kappa", p->kappa);
        iv_json_real(j, "kappa_lower", p->kappa_lower);
        iv_json_real(j, "kappa_upper", p->kappa_upper);
        iv_json_bool(j, "few", p->few);
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_array(j, "under");
    for (size_t i = 0; i < g->under_count; i++)
        say_interval(j, NULL, &g->under[i]);
    iv_json_close(j);
}

void iv_work_agreement(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;
    iv_live_agreement g;
    iv_answer a;
    iv_err err;
    const iv_work work = work_of(v);
    const int rc = iv_live_agree(&g, &job->memory, v->store, &work, &err);

    if (rc == IV_ENODATA)
        g = (iv_live_agreement){ .prevalence = NAN };
    else if (rc != IV_OK) {
        iv_say_failure(v, x, &err);
        return;
    }
    if (!iv_say_begin(&a, x))
        return;
    iv_json_object(&a.json, NULL);
    say_agreement(&a.json, &g);
    iv_json_close(&a.json);
    iv_say_end(&a, 200);
}

/* ----------------------------------------------------------------- lists -- */

static void say_list(iv_server *v, iv_exchange *x, const iv_store_listed *rows, size_t count)
{
    iv_assessor who;
    iv_answer a;

    if (!iv_say_begin(&a, x))
        return;
    iv_json *j = &a.json;
    iv_json_object(j, NULL);
    iv_json_array(j, "items");
    for (size_t i = 0; i < count; i++) {
        iv_json_object(j, NULL);
        iv_json_int(j, "item", rows[i].item);
        iv_json_int(j, "seq", rows[i].seq);
        iv_json_int(j, "topic", (int64_t)rows[i].topic);
        iv_json_text(j, "docno", rows[i].docno);
        iv_json_text(j, "title", rows[i].title);
        iv_json_text(j, "assessor",
                     iv_serve_assessor(&who, v, rows[i].assessor) ? who.name : NULL);
        iv_json_text(j, "reason", iv_store_reason_names()[rows[i].reason]);
        if (rows[i].grade >= 0)
            iv_json_int(j, "grade", rows[i].grade);
        iv_json_text(j, "at", rows[i].at);
        iv_json_text(j, "note", rows[i].note);
        iv_json_int(j, "active_ms", rows[i].active_ms);
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_close(j);
    iv_say_end(&a, 200);
}

void iv_work_history(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;
    const iv_store_listed *rows;
    size_t count;
    iv_err err;

    if (iv_store_history(&rows, &count, &job->memory, v->store, job->assessor, job->from,
                         LISTED_MOST, &err) == IV_OK)
        say_list(v, x, rows, count);
    else
        iv_say_failure(v, x, &err);
}

void iv_work_items(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;
    const iv_store_listed *rows;
    size_t count;
    iv_err err;

    if (iv_store_items(&rows, &count, &job->memory, v->store, job->owner ? 0 : job->assessor,
                       job->state, job->from, LISTED_MOST, &err) == IV_OK)
        say_list(v, x, rows, count);
    else
        iv_say_failure(v, x, &err);
}

/* --------------------------------------------------------------- exports -- */

void iv_work_export(iv_server *v, iv_exchange *x)
{
    const iv_job *job = x->job;
    iv_exported done;
    char *text = NULL;
    size_t len = 0;
    iv_err err;
    FILE *out = open_memstream(&text, &len);

    if (out == NULL) {
        iv_say_error(x, 503, "out of memory");
        return;
    }
    const int rc = iv_store_export(&done, out, v->store, &job->exports, &err);
    if (fclose(out) != 0 || rc != IV_OK) {
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
                   job->exports.form == IV_EXPORT_USUAL
                       ? "txt" : iv_store_form_names()[job->exports.form]);
}

/* ------------------------------------------------------------- assessors -- */

void iv_serve_list_assessors(iv_server *v)
{
    const iv_assessor *list;
    const size_t count = iv_store_assessors(&list, v->store);

    (void)pthread_mutex_lock(&v->lock);
    memcpy(v->assessors, list, count * sizeof *list);
    v->assessor_count = count;
    (void)pthread_mutex_unlock(&v->lock);
}

bool iv_serve_assessor(iv_assessor *out, iv_server *v, int64_t id)
{
    bool found = false;

    (void)pthread_mutex_lock(&v->lock);
    for (size_t i = 0; i < v->assessor_count; i++)
        if (v->assessors[i].id == id) {
            *out = v->assessors[i];
            found = true;
        }
    (void)pthread_mutex_unlock(&v->lock);
    return found;
}

static int change_assessor(iv_server *v, iv_job *job)
{
    iv_err *err = &job->err;

    if (job->act == IV_ACT_ADD) {
        IV_TRY(iv_store_assessor_add(&job->from, v->store, job->name, err));
        return iv_store_token_new(job->token, v->store, job->from, err);
    }
    const iv_assessor *list;
    const size_t count = iv_store_assessors(&list, v->store);
    job->from = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, job->name) == 0 && !list[i].revoked) {
            if (list[i].owner && job->act == IV_ACT_REVOKE)
                return iv_fail(err, IV_EARG, "the owner's right cannot be taken");
            job->from = list[i].id;
        }
    if (job->from == 0)
        return iv_fail(err, IV_ENODATA, "there is no such assessor");
    if (job->act == IV_ACT_REVOKE)
        return iv_store_assessor_revoke(v->store, job->name, err);
    if (job->act == IV_ACT_RELEASE) {
        (void)iv_store_release(v->store, job->from);
        return IV_OK;
    }
    return iv_store_token_new(job->token, v->store, job->from, err);
}

void iv_work_assessor(iv_server *v, iv_exchange *x)
{
    iv_job *job = x->job;

    job->rc = change_assessor(v, job);
    iv_serve_list_assessors(v);
}
