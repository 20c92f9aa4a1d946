/* SPDX-License-Identifier: Apache-2.0 */
/* What a store holds in memory: what it is about, topics, assessors, the queue. */
#include <stdlib.h>
#include <string.h>

#include "store/store_parts.h"

int iv_store_meta(const char **out, size_t *len, iv_arena *a, sqlite3 *db, const char *path,
                  const char *key, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, db, path, "SELECT value FROM meta WHERE key = ?", err);

    *out = NULL;
    if (rc == IV_OK) {
        iv_db_bind(st, "t", key);
        rc = iv_db_step(st, path, err);
    }
    if (rc == IV_OK) {
        const iv_str kept = { sqlite3_column_blob(st, 0), (size_t)sqlite3_column_bytes(st, 0) };
        *out = iv_arena_copy(a, kept.len == 0 ? (iv_str){ "", 0 } : kept);
        if (len != NULL)
            *len = kept.len;
        if (*out == NULL)
            rc = iv_no_memory(err);
    }
    (void)sqlite3_finalize(st);
    return rc == IV_NO_ROW ? IV_OK : rc;
}

static int count_of(size_t *out, iv_store *s, const char *sql, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, sql, err);

    if (rc == IV_OK)
        rc = iv_db_step(st, s->path, err);
    if (rc == IV_OK)
        *out = (size_t)sqlite3_column_int64(st, 0);
    (void)sqlite3_finalize(st);
    return rc;
}

static int load_counts(iv_store *s, iv_err *err)
{
    size_t last = 0;

    IV_TRY(count_of(&s->about.items, s, "SELECT count(*) FROM item", err));
    IV_TRY(count_of(&s->about.topics, s, "SELECT count(*) FROM topic", err));
    IV_TRY(count_of(&s->about.documents, s, "SELECT count(*) FROM document", err));
    IV_TRY(count_of(&s->about.strata, s, "SELECT count(*) FROM stratum", err));
    IV_TRY(count_of(&last, s, "SELECT coalesce(max(seq), 0) FROM judgment", err));
    s->seq = (int64_t)last;
    s->topics = iv_take(&s->memory, s->about.topics + 1, sizeof *s->topics);
    s->lanes = iv_take(&s->memory, s->about.topics + 1, sizeof *s->lanes);
    s->lane_count = s->about.kind == IV_STORE_QUEUE ? 1 : s->about.topics;
    s->items = calloc(s->about.items + 1, sizeof *s->items);
    if (s->memory.failed || s->items == NULL)
        return iv_no_memory(err);
    s->lanes[0].count = s->about.items; /* of a queue */
    return s->about.topics > IV_TOPICS_MOST ? iv_fail_at(err, IV_EPARSE, s->path, 0, "%zu topics, "
        "expected at most %d", s->about.topics, (int)IV_TOPICS_MOST) : IV_OK;
}

/* Calls back for each row of a query. */
typedef int row_taker(iv_store *s, sqlite3_stmt *st, iv_err *err);

static int each_row(iv_store *s, const char *sql, row_taker *take, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, sql, err);

    while (rc == IV_OK && (rc = iv_db_step(st, s->path, err)) == IV_OK)
        rc = take(s, st, err);
    (void)sqlite3_finalize(st);
    return rc == IV_NO_ROW ? IV_OK : rc;
}

static int broken(const iv_store *s, const char *what, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: %s", what);
}

static int take_topic(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    const int64_t id = sqlite3_column_int64(st, 0);

    if (id < 1 || (size_t)id > s->about.topics)
        return broken(s, "the numbers of topics have a gap", err);
    const int64_t first = sqlite3_column_int64(st, 3), items = sqlite3_column_int64(st, 4);
    if (first < 0 || items < 0 || (uint64_t)first + (uint64_t)items > s->about.items)
        return broken(s, "the items of a topic are not where they were", err);
    iv_queued_topic *t = &s->topics[id - 1];
    t->name = iv_db_text(&s->memory, st, 1);
    t->text = iv_db_text(&s->memory, st, 2);
    t->count = (size_t)sqlite3_column_int64(st, 4);
    if (s->about.kind == IV_STORE_QUEUE)
        t->cursor = (size_t)sqlite3_column_int64(st, 3);
    else
        s->lanes[id - 1] = (iv_lane){ (size_t)sqlite3_column_int64(st, 3), t->count, 0 };
    if (t->name == NULL || t->text == NULL
        || iv_ids_add(&s->topic_ids, iv_str_of(t->name)) == IV_NO_ID)
        return iv_no_memory(err);
    return IV_OK;
}

static int take_item(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    const int64_t id = sqlite3_column_int64(st, 0), topic = sqlite3_column_int64(st, 1);

    if (id < 1 || (size_t)id > s->about.items || topic < 1 || (size_t)topic > s->about.topics)
        return broken(s, "the numbers of items have a gap", err);
    s->items[id - 1].topic = (uint16_t)(topic - 1);
    s->items[id - 1].flags = sqlite3_column_int(st, 2) != 0 ? IV_QUEUED_TWICE : 0;
    return IV_OK;
}

static int take_assessor(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    iv_queued_assessor *a = &s->assessor[s->assessor_count];

    if (s->assessor_count == IV_ASSESSORS_MOST
        || sqlite3_column_int64(st, 0) != (int64_t)s->assessor_count + 1)
        return broken(s, "the numbers of assessors have a gap", err);
    a->is.id = sqlite3_column_int64(st, 0);
    a->is.name = iv_db_text(&s->memory, st, 1);
    a->is.owner = a->is.id == 1;
    a->is.revoked = sqlite3_column_type(st, 3) != SQLITE_NULL;
    if (sqlite3_column_type(st, 2) != SQLITE_NULL)
        (void)snprintf(a->token_sha256, sizeof a->token_sha256, "%s",
                       (const char *)sqlite3_column_text(st, 2));
    s->assessor_count++;
    return a->is.name == NULL ? iv_no_memory(err) : IV_OK;
}

static int take_word(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    const int64_t item = sqlite3_column_int64(st, 0), who = sqlite3_column_int64(st, 1);

    if (item < 1 || (size_t)item > s->about.items || who < 1
        || (size_t)who > s->assessor_count)
        return broken(s, "a judgment is of no item or of no assessor", err);
    iv_queue_word(s, item, who, (iv_store_reason)sqlite3_column_int64(st, 2));
    return IV_OK;
}

static int take_conflict(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    (void)err;
    iv_queue_conflict(s, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1) != 0,
                      sqlite3_column_int64(st, 2) != 0);
    return IV_OK;
}

/* Each item of a review is of a stratum, and of a block no later than the last one's. */
static int check_places(iv_store *s, iv_err *err)
{
    size_t wrong = 0;

    if (s->about.kind != IV_STORE_REVIEW)
        return IV_OK;
    IV_TRY(count_of(&wrong, s, "SELECT count(*) FROM item WHERE stratum IS NULL OR block IS NULL"
                    " OR stratum < 1 OR stratum > (SELECT count(*) FROM stratum) OR block < 1"
                    " OR block > (SELECT count(*) FROM item)"
                    " OR block > (SELECT block FROM item ORDER BY id DESC LIMIT 1)", err));
    return wrong > 0 ? broken(s, "an item is of no stratum or of no block", err) : IV_OK;
}

int iv_store_load(iv_store *s, iv_err *err)
{
    IV_TRY(iv_store_load_about(s, err));
    IV_TRY(load_counts(s, err));
    IV_TRY(iv_store_check_about(s, err));
    IV_TRY(check_places(s, err));
    IV_TRY(each_row(s, "SELECT t.id, name, text, coalesce(min(i.id) - 1, 0), count(i.id)"
                    " FROM topic t LEFT JOIN item i ON i.topic = t.id GROUP BY t.id ORDER BY t.id",
                    take_topic, err));
    IV_TRY(each_row(s, "SELECT id, topic, twice FROM item", take_item, err));
    IV_TRY(each_row(s, "SELECT id, name, token_sha256, revoked FROM assessor ORDER BY id",
                    take_assessor, err));
    IV_TRY(each_row(s, "SELECT item, assessor, reason FROM current WHERE final = 0", take_word,
                    err));
    IV_TRY(each_row(s, "SELECT item, min(iif(final, NULL, grade)) <> max(iif(final, NULL, grade)),"
                    " max(final) FROM current GROUP BY item HAVING count(*) > 1", take_conflict,
                    err));
    IV_TRY(iv_db_prepare(&s->read_document, s->reads, s->path,
                         "SELECT docno, title, text, zipped FROM document"
                         " WHERE id = (SELECT document FROM item WHERE id = ?)", err));
    return iv_db_prepare(&s->read_words, s->reads, s->path,
                         "SELECT c.seq, c.assessor, c.reason, c.grade, j.at, j.note"
                         " FROM current c JOIN judgment j ON j.seq = c.seq"
                         " WHERE c.item = ? ORDER BY c.seq", err);
}

/* ---------------------------------------------------------------- asking -- */

const iv_store_about *iv_store_about_of(const iv_store *s) { return &s->about; }

int iv_store_topic_at(iv_store_topic *out, iv_store *s, size_t topic, iv_err *err)
{
    if (topic >= s->about.topics)
        return iv_fail(err, IV_ENODATA, "topic %zu, expected one below %zu", topic,
                       s->about.topics);
    const iv_queued_topic *t = &s->topics[topic];
    (void)pthread_mutex_lock(&s->lock_queue);
    *out = (iv_store_topic){ t->name, t->text, t->count, t->done, t->judged };
    (void)pthread_mutex_unlock(&s->lock_queue);
    return IV_OK;
}

size_t iv_store_find_topic(const iv_store *s, iv_str name)
{
    const uint32_t id = iv_ids_find(&s->topic_ids, name);

    return id == IV_NO_ID ? IV_NONE_TOPIC : id;
}

int64_t iv_store_seq(const iv_store *s)
{
    return __atomic_load_n(&s->seq, __ATOMIC_ACQUIRE);
}
