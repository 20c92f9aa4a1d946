/* SPDX-License-Identifier: Apache-2.0 */
/* Lists for people: what was said, items in a state, how assessors are doing. */
#define _GNU_SOURCE /* strcasestr */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/store_parts.h"

static const char *text_or_empty(iv_arena *a, sqlite3_stmt *st, int column)
{
    const char *text = iv_db_text(a, st, column);

    return text == NULL ? "" : text;
}

/* item, docno, title, seq, assessor, reason, grade, at, note, active_ms */
static iv_store_item row_of(const iv_store *s, iv_arena *a, sqlite3_stmt *st)
{
    return (iv_store_item){
        .item = sqlite3_column_int64(st, 0),
        .topic = iv_queue_topic_of(s, sqlite3_column_int64(st, 0)),
        .docno = text_or_empty(a, st, 1), .title = text_or_empty(a, st, 2),
        .mine = { sqlite3_column_int64(st, 3), sqlite3_column_int64(st, 4),
                  (iv_store_reason)sqlite3_column_int(st, 5),
                  sqlite3_column_type(st, 6) == SQLITE_NULL ? -1 : sqlite3_column_int(st, 6),
                  text_or_empty(a, st, 7), text_or_empty(a, st, 8), sqlite3_column_int64(st, 9) } };
}

/* Is the text in the document of the row, in its name or its note? */
static int holds_text(bool *out, iv_store *s, sqlite3_stmt *row, const char *text, iv_err *err)
{
    static const int columns[] = { 1, 2, 8 };
    iv_arena own = { 0 };
    sqlite3_stmt *st = s->read_document;
    iv_str plain = { "", 0 };

    *out = false;
    for (size_t i = 0; i < 3 && !*out; i++) {
        const char *cell = (const char *)sqlite3_column_text(row, columns[i]);
        *out = cell != NULL && strcasestr(cell, text) != NULL;
    }
    if (*out)
        return IV_OK;
    iv_db_bind(st, "i", sqlite3_column_int64(row, 0));
    int rc = iv_db_step(st, s->path, err);
    if (rc == IV_OK && sqlite3_column_type(st, 2) != SQLITE_NULL)
        rc = iv_store_unpack(&plain, &own, iv_db_str(st, 2), sqlite3_column_int(st, 3) != 0, err);
    (void)sqlite3_reset(st);
    *out = rc == IV_OK && strcasestr(plain.ptr, text) != NULL;
    iv_arena_free(&own);
    return rc;
}

static int list(const iv_store_item **out, size_t *count, iv_arena *a, iv_store *s,
                const char *sql, int64_t assessor, const char *text, int64_t from, size_t most,
                iv_err *err)
{
    const size_t room = most > 10000 ? 10000 : most;
    iv_store_item *rows = iv_take(a, room + 1, sizeof *rows);
    sqlite3_stmt *st = NULL;
    bool taken = true;
    size_t n = 0;

    if (rows == NULL)
        return iv_no_memory(err);
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "iii", assessor, from,
                         text != NULL ? (int64_t)-1 : (int64_t)room);
    while (n < room && iv_db_next(st, &rc, s->path, err)) {
        if (text != NULL)
            rc = holds_text(&taken, s, st, text, err);
        if (rc == IV_OK && taken)
            rows[n++] = row_of(s, a, st);
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *count = n;
    *out = rows;
    return rc;
}

#define COLUMNS "i.id, d.docno, d.title, "
#define WORD "j.seq, j.assessor, j.reason, j.grade, j.at, j.note, j.active_ms "
#define NO_WORD "0, 0, 0, NULL, NULL, NULL, 0 "
/* Fewer have judged the item i than shall. */
#define NEEDS_MORE "(SELECT count(*) FROM current k WHERE k.item = i.id AND k.final = 0" \
    " AND k.reason <> 2) < 1 + i.twice"
#define OF_ITEM "JOIN item i ON i.id = j.item JOIN document d ON d.id = i.document "

int iv_store_history(const iv_store_item **out, size_t *count, iv_arena *a, iv_store *s,
                     int64_t assessor, int64_t before, size_t most, iv_err *err)
{
    return list(out, count, a, s, "SELECT " COLUMNS WORD "FROM judgment j " OF_ITEM
                "WHERE (?1 = 0 OR j.assessor = ?1) AND j.seq < ?2 ORDER BY j.seq DESC LIMIT ?3",
                assessor, NULL, before == 0 ? INT64_MAX : before, most, err);
}

/* The last words in a state, or items that lack one. */
#define WORDS_THAT(condition)                                                       \
    "SELECT " COLUMNS WORD "FROM current c JOIN judgment j ON j.seq = c.seq "       \
    OF_ITEM "WHERE (?1 = 0 OR c.assessor = ?1) AND i.id >= ?2 AND (" condition ")"  \
    " ORDER BY i.id, j.seq LIMIT ?3"
#define CONFLICT                                                                    \
    "(SELECT min(grade) <> max(grade) FROM current k WHERE k.item = i.id AND k.final = 0)" \
    " AND NOT EXISTS (SELECT 1 FROM current k WHERE k.item = i.id AND k.final = 1)"

static const char *const state_queries[] = {
    [IV_ITEM_ANY] = "SELECT " COLUMNS "coalesce(j.seq, 0), coalesce(j.assessor, 0),"
        " coalesce(j.reason, 0), j.grade, j.at, j.note, coalesce(j.active_ms, 0)"
        " FROM item i JOIN document d ON d.id = i.document"
        " LEFT JOIN judgment j ON j.seq = (SELECT max(seq) FROM current c WHERE c.item = i.id"
        " AND (?1 = 0 OR c.assessor = ?1)) WHERE i.id >= ?2 ORDER BY i.id LIMIT ?3",
    [IV_ITEM_OPEN] = "SELECT " COLUMNS NO_WORD "FROM item i JOIN document d ON d.id = i.document"
        " WHERE i.id >= ?2 AND " NEEDS_MORE
        " AND (?1 = 0 OR NOT EXISTS (SELECT 1 FROM current c WHERE c.item = i.id"
        " AND c.assessor = ?1 AND c.reason <> 2)) ORDER BY i.id LIMIT ?3",
    [IV_ITEM_DONE] = WORDS_THAT("c.reason <> 2"),
    [IV_ITEM_LATER] = WORDS_THAT("c.reason = 2 AND " NEEDS_MORE),
    [IV_ITEM_CANNOT] = WORDS_THAT("c.reason = 1"),
    [IV_ITEM_CONFLICT] = WORDS_THAT(CONFLICT),
    [IV_ITEM_NOTED] = WORDS_THAT("j.note IS NOT NULL")
};

int iv_store_items(const iv_store_item **out, size_t *count, iv_arena *a, iv_store *s,
                   int64_t assessor, iv_store_state state, const char *text, int64_t from,
                   size_t most, iv_err *err)
{
    if (state > IV_ITEM_NOTED)
        return iv_fail(err, IV_EARG, "state %d, expected one of the known", (int)state);
    return list(out, count, a, s, state_queries[state], assessor, text, from, most, err);
}

/* --------------------------------------------------------------- counts -- */

/* What memory knows of the items of a topic, or of all. */
static iv_store_counts count_queue(iv_store *s, size_t topic)
{
    const int both = IV_QUEUED_CONFLICT | IV_QUEUED_ADJUDICATED;
    iv_store_counts c = { .judgments = iv_store_seq(s) };

    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->about.items; i++) {
        const iv_queued *q = &s->items[i];
        if (topic != IV_NONE_TOPIC && q->topic != topic)
            continue;
        c.items++;
        c.judged += q->judged != 0;
        c.open += iv_queued_open(q);
        c.twice += iv_queued_judged(q) > 1;
        c.conflicts += (q->flags & both) == IV_QUEUED_CONFLICT;
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    return c;
}

int iv_store_count(iv_store_counts *out, iv_store *s, size_t topic, iv_err *err)
{
    static const char sql[] =
        "SELECT count(DISTINCT c.item) FILTER (WHERE c.reason = 1),"
        " count(DISTINCT c.item) FILTER (WHERE c.reason = 2 AND c.final = 0 AND " NEEDS_MORE ")"
        " FROM current c JOIN item i ON i.id = c.item WHERE ?1 < 0 OR i.topic = ?1";
    sqlite3_stmt *st = NULL;

    if (topic != IV_NONE_TOPIC && topic >= s->about.topics)
        return iv_fail(err, IV_ENODATA, "topic %zu, expected one below %zu", topic,
                       s->about.topics);
    iv_store_counts c = count_queue(s, topic);
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "i",
                         topic == IV_NONE_TOPIC ? (int64_t)-1 : (int64_t)topic + 1);
    if (iv_db_next(st, &rc, s->path, err)) {
        c.cannot = (size_t)sqlite3_column_int64(st, 0);
        c.later = (size_t)sqlite3_column_int64(st, 1);
        *out = c;
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

/* ------------------------------------------------------------ assessors -- */

static int read_assessors(iv_assessor_row *rows, iv_arena *a, iv_store *s, iv_err *err)
{
    static const char sql[] =
        "SELECT assessor, count(*) FILTER (WHERE reason IN (0, 4)),"
        " count(*) FILTER (WHERE grade >= ?), count(*) FILTER (WHERE reason = 1),"
        " count(*) FILTER (WHERE reason = 2 AND " NEEDS_MORE ")"
        " FROM current c JOIN item i ON i.id = c.item WHERE final = 0 GROUP BY assessor";
    sqlite3_stmt *st = NULL;
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "i", (int64_t)s->about.level);

    while (iv_db_next(st, &rc, s->path, err)) {
        iv_assessor_row *r = &rows[sqlite3_column_int64(st, 0) - 1];
        r->judged = sqlite3_column_int64(st, 1);
        r->relevant = sqlite3_column_int64(st, 2);
        r->cannot = sqlite3_column_int64(st, 3);
        r->later = sqlite3_column_int64(st, 4);
    }
    IV_TRY(iv_db_end(st, rc));
    st = NULL;
    rc = iv_db_prepare(&st, s->reads, s->path, "SELECT assessor, max(at),"
                       " count(*) FILTER (WHERE reason = 3) FROM judgment GROUP BY assessor", err);
    while (iv_db_next(st, &rc, s->path, err)) {
        iv_assessor_row *r = &rows[sqlite3_column_int64(st, 0) - 1];
        r->last = iv_db_text(a, st, 1);
        r->undone = sqlite3_column_int64(st, 2);
    }
    return iv_db_end(st, rc);
}

/* The middle of the times that a page has measured, and how many these are. */
static int read_median(iv_assessor_row *out, iv_store *s, iv_err *err)
{
    static const char sql[] =
        "WITH t AS (SELECT active_ms AS ms FROM judgment WHERE assessor = ? AND reason IN (0, 1)"
        " AND active_ms > 0 ORDER BY 1), n AS (SELECT count(*) AS k FROM t)"
        " SELECT avg(ms), (SELECT k FROM n) FROM (SELECT ms FROM t LIMIT 2 - (SELECT k % 2 FROM n)"
        " OFFSET (SELECT max(k - 1, 0) / 2 FROM n))";
    sqlite3_stmt *st = NULL;
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "i", out->id);

    if (iv_db_next(st, &rc, s->path, err)) {
        out->median_ms = sqlite3_column_type(st, 0) == SQLITE_NULL ? NAN
            : sqlite3_column_double(st, 0);
        out->timed = sqlite3_column_int64(st, 1);
    }
    return iv_db_end(st, rc);
}

int iv_store_assessor_rows(const iv_assessor_row **out, size_t *count, iv_arena *a, iv_store *s,
                           iv_err *err)
{
    iv_assessor_row *rows = iv_take(a, IV_ASSESSORS_MOST, sizeof *rows);
    size_t n = 0;
    int rc = rows == NULL ? iv_no_memory(err) : IV_OK;

    (void)pthread_mutex_lock(&s->lock_queue);
    for (; rc == IV_OK && n < s->assessor_count; n++) {
        const iv_assessor *is = &s->assessor[n].is;
        rows[n] = (iv_assessor_row){ .id = is->id, .name = is->name, .revoked = is->revoked };
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    (void)pthread_mutex_lock(&s->read_lock);
    if (rc == IV_OK)
        rc = read_assessors(rows, a, s, err);
    for (size_t i = 0; i < n && rc == IV_OK; i++) {
        rc = read_median(&rows[i], s, err);
        rows[i].seconds = round(rows[i].median_ms / 100.0) / 10.0;
        rows[i].may = rows[i].revoked ? "revoked" : "judge";
    }
    (void)pthread_mutex_unlock(&s->read_lock);
    if (rc == IV_OK) {
        *out = rows;
        *count = n;
    }
    return rc;
}
