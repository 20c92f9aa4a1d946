/* SPDX-License-Identifier: Apache-2.0 */
/* The past of a session: first judgments, dates, and the files that it was made from. */
#include "base/err.h"
#include "store/bibliography.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/queue.h"
#include "store/record.h"

#include <pthread.h>
#include <string.h>

static int read_firsts(iv_store_first *rows, iv_arena *a, iv_store *s, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, "WITH " IV_SQL_FIRSTS
                           " SELECT f.item, f.grade, j.at, j.reason = 4 FROM first f JOIN judgment"
                           " j ON j.seq = f.began WHERE f.grade IS NOT NULL"
                           " ORDER BY f.item, f.began", err);

    while (iv_db_next(st, &rc, s->path, err)) {
        const int64_t item = sqlite3_column_int64(st, 0);
        if (item < 1 || (size_t)item > s->about.items)
            continue;
        iv_store_first *r = &rows[item - 1];
        if (r->graded++ > 0)
            continue;
        r->grade = sqlite3_column_int(st, 1);
        r->at = iv_db_text(a, st, 2);
        r->imported = sqlite3_column_int(st, 3) != 0;
    }
    return iv_db_end(st, rc);
}

int iv_store_firsts(const iv_store_first **out, iv_arena *a, iv_store *s, iv_err *err)
{
    iv_store_first *rows = iv_take(a, s->about.items + 1, sizeof *rows);

    if (rows == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < s->about.items; i++)
        rows[i] = (iv_store_first){ .grade = IV_COMBINED_OPEN,
                                    .twice = (s->items[i].flags & IV_QUEUED_TWICE) != 0 };
    (void)pthread_mutex_lock(&s->read_lock);
    const int rc = read_firsts(rows, a, s, err);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = rows;
    return rc;
}

int iv_store_inputs(const iv_store_input **out, size_t *count, iv_arena *a, iv_store *s,
                    iv_err *err)
{
    iv_store_input *rows = NULL;
    size_t n = 0, capacity = 0;
    sqlite3_stmt *st = NULL;

    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT nullif(substr(value, 1,"
                           " instr(value, ' ') - 1), ''), substr(value, instr(value, ' ') + 1),"
                           " iif(key GLOB 'input:*:*', substr(key, 7 + instr(substr(key, 7), ':')),"
                           " 'session') FROM meta WHERE key GLOB 'input:*'"
                           " ORDER BY CAST(substr(key, 7) AS INTEGER)", err);
    while (iv_db_next(st, &rc, s->path, err)) {
        if (!IV_ARENA_ROOM(a, rows, capacity, n)) {
            rc = iv_no_memory(err);
            break;
        }
        rows[n++] = (iv_store_input){ iv_db_text(a, st, 1), iv_db_text(a, st, 2),
                                       iv_db_text(a, st, 0) };
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = rows;
    *count = n;
    return rc;
}

int iv_store_input_add(iv_store *s, const iv_store_input *in, iv_err *err)
{
    (void)pthread_mutex_lock(&s->write_lock);
    int rc = iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err);

    if (rc == IV_OK)
        rc = iv_db_do(s->db, s->path, "name the file", err, "INSERT INTO meta SELECT 'input:'"
                      " || (SELECT 1 + coalesce(max(CAST(substr(key, 7) AS INTEGER)), 0) FROM meta"
                      " WHERE key GLOB 'input:*') || ':' || ?1, ?2 || ' ' || ?3 WHERE NOT EXISTS"
                      " (SELECT 1 FROM meta WHERE key GLOB 'input:*' AND value = ?2 || ' ' || ?3"
                      " AND substr(key, -length(?1)) = ?1)", "ttt", in->use,
                      in->sha256 == NULL ? "" : in->sha256, in->path);
    rc = iv_store_commit_settings(s, rc, err);
    (void)pthread_mutex_unlock(&s->write_lock);
    return rc;
}

int iv_store_textless(const bool **out, iv_arena *a, iv_store *s, iv_err *err)
{
    bool *rows = iv_take(a, s->about.items + 1, sizeof *rows);
    sqlite3_stmt *st = NULL;

    if (rows == NULL)
        return iv_no_memory(err);
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT i.id, coalesce(length(text), 0), value"
                           " FROM item i JOIN document d ON d.id = document"
                           " LEFT JOIN meta ON key = 'ref:' || d.id", err);
    while (iv_db_next(st, &rc, s->path, err)) {
        const int64_t item = sqlite3_column_int64(st, 0);
        const iv_str source = iv_db_str(st, 2);
        if (item > 0 && (size_t)item <= s->about.items)
            rows[item - 1] = sqlite3_column_int64(st, 1) == 0 || (source.len > 0
                && iv_reference_field(a, source, "AB N2", true).len == 0);
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = rows;
    return rc;
}

int iv_store_log_read(iv_store_logged *out, iv_arena *a, iv_store *s, iv_err *err)
{
    sqlite3_stmt *st = NULL;

    *out = (iv_store_logged){ .first = NULL };
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_query(&st, s->reads, s->path, err, "WITH word AS (SELECT grade >= ? AS now,"
                         " lag(grade IS NULL) OVER (PARTITION BY item, assessor, reason = 5"
                         " ORDER BY seq) AS without,"
                         " lag(grade >= ?) OVER (PARTITION BY item, assessor, reason = 5"
                         " ORDER BY seq) AS before FROM judgment WHERE reason NOT IN (2, 3))"
                         " SELECT min(at) FILTER (WHERE NOT "
                           IV_SQL_ELSEWHERE "), max(at) FILTER (WHERE NOT " IV_SQL_ELSEWHERE "),"
                           " count(*) FILTER (WHERE " IV_SQL_ELSEWHERE "), count(*) FILTER (WHERE"
                           " reason NOT IN (2, 3) AND seq NOT IN (SELECT seq FROM current)),"
                           " count(*) FILTER (WHERE NOT " IV_SQL_ELSEWHERE " AND"
                           " substr(at, 1, 19) < (SELECT substr(value, 1, 19) FROM meta"
                           " WHERE key = 'created')),"
                           " (SELECT count(*) FROM word WHERE now > before),"
                           " (SELECT count(*) FROM word WHERE now < before),"
                           " (SELECT count(*) FROM word WHERE without AND now IS NOT NULL),"
                           " count(*) FILTER (WHERE substr(at, 1, 19) >"
                           " strftime('%Y-%m-%dT%H:%M:%S', 'now')),"
                           " (SELECT count(*) FROM (SELECT at, lag(at) OVER (ORDER BY seq) AS"
                           " before FROM judgment) WHERE substr(at, 1, 19) <"
                           " substr(before, 1, 19)) FROM judgment", "ii",
                           (int64_t)s->about.level, (int64_t)s->about.level);
    if (iv_db_next(st, &rc, s->path, err))
        *out = (iv_store_logged){ iv_db_text(a, st, 0), iv_db_text(a, st, 1),
                                  sqlite3_column_int64(st, 2), sqlite3_column_int64(st, 3),
                                  { sqlite3_column_int64(st, 5), sqlite3_column_int64(st, 6),
                                    sqlite3_column_int64(st, 7) },
                                  sqlite3_column_int64(st, 4), sqlite3_column_int64(st, 8),
                                  sqlite3_column_int64(st, 9) };
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}
