/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a session: its tables, whose file it is, and what is held in memory. */
#define _GNU_SOURCE /* flock */

#include "base/err.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/names.h"
#include "store/assessors.h"
#include "store/builder.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/items.h"
#include "store/queue.h"
#include "store/seal.h"
#include "store/session.h"
#include "store/session_export.h"
#include "store/store_open.h"
#include "store/upkeep.h"
#include "trec/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The words of the store's enums. */

IV_NAMES(iv_store_kind_names, "sample", "queue", "review")
IV_NAMES(iv_store_stop_names, "none", "plan", "anytime", "qbcb")
IV_NAMES(iv_store_state_names, "any", "open", "done", "later", "cannot", "conflict", "noted")
IV_NAMES(iv_store_reason_names, "judged", "cannot", "later", "undo", "imported", "adjudicated")
IV_NAMES(iv_store_form_names, "usual", "prels", "qrels", "strata", "log", "labels", "ris", "csv",
         "duplicates")
IV_NAMES(iv_missing_names, "refuse", "show-id")
IV_NAMES(iv_store_order_names, "topic", "interleaved")

/* What a session is about, and whether it can be what judge new has written: numbers choose
 * names and divide later, so that none may be another. */

enum { GRADE_MOST = 1000 };

enum { GRADES_MOST = 10 };

int iv_grades_read(iv_store_about *out, iv_arena *a, iv_str text, iv_err *err)
{
    int32_t *grades = iv_take(a, GRADES_MOST, sizeof *grades);
    const char **words = iv_take(a, GRADES_MOST, sizeof *words);
    size_t n = 0, count = 0;

    IV_TRY(iv_taken(a, err));
    for (size_t at = 0, end; text.len > 0 && at <= text.len; at = end + 1, count++) {
        const char *comma = memchr(text.ptr + at, ',', text.len - at);
        end = comma == NULL ? text.len : (size_t)(comma - text.ptr);
        const iv_str part = { text.ptr + at, end - at };
        const char *colon = memchr(part.ptr, ':', part.len);
        const iv_str number = { part.ptr, colon == NULL ? part.len : (size_t)(colon - part.ptr) };
        const iv_str word = colon == NULL ? number
            : (iv_str){ colon + 1, part.len - number.len - 1 };
        char quoted[IV_QUOTE_SIZE];
        int64_t grade = 0;
        if (!iv_scan_int(&grade, number, n == 0 ? 0 : grades[n - 1] + 1, 1000) || word.len == 0
            || word.len > 40)
            return iv_fail(err, IV_EARG, "grade %s, expected rising whole numbers with a word "
                           "each, as in 0:not,1:partly,2:highly", iv_quote(quoted, part));
        if (count >= GRADES_MOST)
            continue;
        words[n] = iv_arena_copy(a, word);
        grades[n++] = (int32_t)grade;
    }
    if (count < 2 || count > GRADES_MOST)
        return iv_fail(err, IV_EARG, "%zu grades, expected 2 to %d", count, (int)GRADES_MOST);
    out->grades = grades;
    out->words = words;
    out->grade_count = n;
    return iv_taken(a, err);
}

static int damaged(const iv_store *s, iv_err *err, const char *key, double is,
                   const char *expected)
{
    return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: %s %g, expected %s", key,
                      is, expected);
}

/* ------------------------------------------------------------- numbers -- */

/* A number of table meta. */
typedef struct number {
    const char *key;
    double least, most;
    bool whole;
    const char *expected;
} number;

static int read_number(double *out, iv_store *s, const number *n, iv_err *err)
{
    iv_str text;
    char quoted[IV_QUOTE_SIZE];

    IV_TRY(iv_store_value(&text, &s->memory, s, n->key, err));
    if (text.ptr == NULL)
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: no %s, expected %s",
                          n->key, n->expected);
    if (!iv_scan_real(out, text))
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: %s %s, expected %s",
                          n->key, iv_quote(quoted, text), n->expected);
    if (!(*out >= n->least && *out <= n->most) || (n->whole && *out != floor(*out)))
        return damaged(s, err, n->key, *out, n->expected);
    return IV_OK;
}

/* -------------------------------------------------------------- grades -- */

static int load_grades(iv_store *s, iv_err *err)
{
    iv_str text;
    iv_err why;

    IV_TRY(iv_store_value(&text, &s->memory, s, "grades", err));
    const int rc = iv_grades_read(&s->about, &s->memory, text.ptr == NULL ? iv_str_of("") : text,
                                  &why);
    return rc == IV_EARG ? iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: %s",
                                      why.msg) : rc == IV_OK ? rc : iv_no_memory(err);
}

/* ----------------------------------------------------------- the whole -- */

/* A text of table meta, "" if there is none. */
static int load_text(const char **out, iv_store *s, const char *key, iv_err *err)
{
    iv_str text;

    IV_TRY(iv_store_value(&text, &s->memory, s, key, err));
    *out = text.ptr == NULL ? "" : text.ptr;
    return IV_OK;
}

/* Reads what a session is about, each number within its range.  IV_EPARSE: it is damaged. */
static int load_about(iv_store *s, iv_err *err)
{
    enum { KIND, LEVEL, STOP, STOP_NUMBER, TARGET, OVERLAP, INTERLEAVED, HIDE, ZIPPED, NUMBERS };
    static const number numbers[NUMBERS] = {
        { "kind", 0, IV_STORE_REVIEW, true, "0 (sample), 1 (queue) or 2 (review)" },
        { "level", 0, GRADE_MOST, true, "a grade" },
        { "stop", 0, IV_STORE_STOP_QBCB, true, "0 (none), 1 (plan), 2 (anytime) or 3 (qbcb)" },
        { "stop_number", 0, 1e9, true, "a whole number" },
        { "target", 0.0, 1.0, false, "0 to below 1" },
        { "overlap", 0.0, 1.0, false, "0 to 1" },
        { "interleaved", 0, 1, true, "0 or 1" },
        { "hide_interval", 0, 1, true, "0 or 1" },
        { "form_zipped", 0, 1, true, "0 or 1" } };
    iv_store_about *b = &s->about;
    double is[NUMBERS] = { 0.0 };

    for (size_t k = 0; k < NUMBERS; k++)
        IV_TRY(read_number(&is[k], s, &numbers[k], err));
    b->kind = (iv_store_kind)is[KIND];
    b->level = (int32_t)is[LEVEL];
    b->stop = (iv_store_stop)is[STOP];
    b->stop_number = (int64_t)is[STOP_NUMBER];
    b->target = is[TARGET];
    b->overlap = is[OVERLAP];
    b->interleaved = is[INTERLEAVED] != 0.0;
    b->hide_interval = is[HIDE] != 0.0;
    IV_TRY(load_grades(s, err));
    if (s->version > 1) {
        iv_str id;
        IV_TRY(iv_store_value(&id, &s->memory, s, "session", err));
        if (id.ptr == NULL || id.len != IV_TOKEN_SIZE - 1)
            return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: it has no "
                              "identity");
        memcpy(s->identity, id.ptr, IV_TOKEN_SIZE);
    }
    IV_TRY(load_text(&b->guidelines, s, "guidelines", err));
    return load_text(&b->tags, s, "tags", err);
}

/* A rule to stop by, of the kind that it is for. */
static int check_stop(const iv_store *s, iv_err *err)
{
    const iv_store_about *b = &s->about;
    const bool plan = b->stop == IV_STORE_STOP_PLAN;

    if (b->stop != IV_STORE_STOP_NONE
        && (b->stop == IV_STORE_STOP_QBCB ? IV_STORE_QUEUE : IV_STORE_REVIEW) != b->kind)
        return damaged(s, err, "stop", b->stop, b->kind == IV_STORE_SAMPLE ? "0 in a sample"
                       : b->kind == IV_STORE_QUEUE ? "0 or 3 in a queue" : "0 to 2 in a review");
    if (plan && (b->stop_number < 2 || b->stop_number > 100))
        return damaged(s, err, "stop_number", (double)b->stop_number, "2 to 100 looks");
    if (b->stop == IV_STORE_STOP_QBCB && b->stop_number >= (int64_t)b->items)
        return damaged(s, err, "stop_number", (double)b->stop_number, "fewer than the items");
    if (!plan && b->stop != IV_STORE_STOP_QBCB && b->stop_number != 0)
        return damaged(s, err, "stop_number", (double)b->stop_number, "0, since no looks are "
                       "planned");
    if (b->target == 1.0 || (b->stop != IV_STORE_STOP_NONE && b->target == 0.0))
        return damaged(s, err, "target", b->target, b->target == 1.0 ? "0 to below 1"
                       : "more than 0, since there is a rule to stop by");
    return IV_OK;
}

/* Do the numbers go together, when strata are counted? */
static int check_about(const iv_store *s, iv_err *err)
{
    const iv_store_about *b = &s->about;

    if (b->kind == IV_STORE_REVIEW && b->strata == 0)
        return damaged(s, err, "kind", b->kind, "0 (sample) or 1 (queue), since there are no "
                       "strata");
    if (b->kind != IV_STORE_REVIEW && b->strata > 0)
        return damaged(s, err, "kind", b->kind, "2 (review), since there are strata");
    if (b->level > b->grades[b->grade_count - 1])
        return damaged(s, err, "level", b->level, "at most the highest grade");
    return check_stop(s, err);
}

/* What a store holds in memory: what it is about, topics, assessors, the queue. */

static int count_of(size_t *out, iv_store *s, const char *sql, iv_err *err)
{
    int64_t count = 0;

    IV_TRY(iv_db_number(&count, s->reads, s->path, sql, err));
    *out = (size_t)count;
    return IV_OK;
}

static int load_counts(iv_store *s, iv_err *err)
{
    IV_TRY(count_of(&s->about.items, s, "SELECT count(*) FROM item", err));
    IV_TRY(count_of(&s->about.topics, s, "SELECT count(*) FROM topic", err));
    IV_TRY(count_of(&s->about.documents, s, "SELECT count(*) FROM document", err));
    IV_TRY(count_of(&s->about.strata, s, "SELECT count(*) FROM stratum", err));
    IV_TRY(iv_db_number(&s->seq, s->reads, s->path,
                        "SELECT coalesce(max(seq), 0) FROM judgment", err));
    s->topics = iv_take(&s->memory, s->about.topics + 1, sizeof *s->topics);
    s->cursors = iv_take(&s->memory, s->about.topics + 1, sizeof *s->cursors);
    s->items = calloc(s->about.items + 1, sizeof *s->items);
    if (s->memory.failed || s->items == NULL)
        return iv_no_memory(err);
    return s->about.topics > IV_TOPICS_MOST ? iv_fail_at(err, IV_EPARSE, s->path, 0, "%zu topics, "
        "expected at most %d", s->about.topics, (int)IV_TOPICS_MOST) : IV_OK;
}

/* Calls back for each row of a query. */
typedef int row_taker(iv_store *s, sqlite3_stmt *st, iv_err *err);

static int each_row(iv_store *s, const char *sql, row_taker *take, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, sql, err);

    while (iv_db_next(st, &rc, s->path, err))
        rc = take(s, st, err);
    return iv_db_end(st, rc);
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
    if (sqlite3_column_type(st, 1) == SQLITE_NULL || sqlite3_column_type(st, 2) == SQLITE_NULL)
        return broken(s, "a topic has no name or text", err);
    iv_store_topic *t = &s->topics[id - 1];
    t->name = iv_db_text(&s->memory, st, 1);
    t->text = iv_db_text(&s->memory, st, 2);
    t->items = (size_t)items;
    t->first = s->cursors[id - 1] = (size_t)first;
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
    iv_assessor *a = &s->assessor[s->assessor_count];

    if (s->assessor_count == IV_ASSESSORS_MOST
        || sqlite3_column_int64(st, 0) != (int64_t)s->assessor_count + 1)
        return broken(s, "the numbers of assessors have a gap", err);
    if (sqlite3_column_type(st, 1) == SQLITE_NULL)
        return broken(s, "the name of an assessor is none", err);
    a->id = sqlite3_column_int64(st, 0);
    a->name = iv_db_text(&s->memory, st, 1);
    if (a->name != NULL && !iv_assessor_name_is(a->name))
        return broken(s, "the name of an assessor is none", err);
    a->owner = a->id == 1;
    a->revoked = sqlite3_column_type(st, 3) != SQLITE_NULL;
    a->judges = sqlite3_column_int(st, 5) == 0;
    a->adjudicates = a->owner || (!a->judges && !a->revoked);
    s->assessor[0].adjudicates &= a->owner || !a->adjudicates;
    a->script = sqlite3_column_int(st, 4) != 0;
    if (sqlite3_column_type(st, 2) != SQLITE_NULL)
        (void)snprintf(a->token_sha256, sizeof a->token_sha256, "%s",
                       (const char *)sqlite3_column_text(st, 2));
    s->assessor_count++;
    return a->name == NULL ? iv_no_memory(err) : IV_OK;
}

/* Every number of a word, once: what reads it later relies on it. */
static int take_word(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    const int64_t item = sqlite3_column_int64(st, 0), who = sqlite3_column_int64(st, 1);
    const int64_t reason = sqlite3_column_int64(st, 2), final = sqlite3_column_int64(st, 3);
    const int64_t seq = sqlite3_column_int64(st, 4), grade = sqlite3_column_int64(st, 5);
    const bool graded = sqlite3_column_type(st, 5) != SQLITE_NULL;

    if (item < 1 || (size_t)item > s->about.items || who < 1
        || (size_t)who > s->assessor_count)
        return broken(s, "a judgment is of no item or of no assessor", err);
    if (reason < 0 || reason > IV_REASON_ADJUDICATED || reason == IV_REASON_UNDO
        || final != (reason == IV_REASON_ADJUDICATED) || seq < 1 || seq > s->seq)
        return broken(s, "a judgment is of no known kind", err);
    if (graded != (reason != IV_REASON_CANNOT && reason != IV_REASON_LATER)
        || (graded && (grade != (int32_t)grade || !iv_store_has_grade(s, (int32_t)grade))))
        return broken(s, "a judgment has no grade of the session", err);
    iv_queue_word(s, item, who, (iv_store_reason)reason);
    return IV_OK;
}

/* The same of every judgment that was ever made. */
static int check_log(iv_store *s, iv_err *err)
{
    char sql[700], grades[128] = "";
    sqlite3_stmt *st = NULL;

    for (size_t i = 0, at = 0; i < s->about.grade_count; i++)
        at += (size_t)snprintf(grades + at, sizeof grades - at, "%s%d", i == 0 ? "" : ",",
                               (int)s->about.grades[i]);
    (void)snprintf(sql, sizeof sql, "SELECT seq FROM judgment WHERE seq < 1 OR"
                   " item NOT BETWEEN 1 AND ?1 OR assessor NOT BETWEEN 1 AND ?2 OR"
                   " reason NOT BETWEEN 0 AND 5 OR (grade IS NULL) <> (reason IN (1, 2, 3)) OR"
                   " grade NOT IN (%s) OR coalesce(replaces NOT BETWEEN 1 AND seq - 1, 0) OR"
                   " (replaces IS NULL) <> (reason <> 3) OR"
                   " coalesce(active_ms, 0) NOT BETWEEN 0 AND 86400000 OR"
                   " coalesce(away_ms, 0) NOT BETWEEN 0 AND 86400000 OR length(uuid) <> 36"
                   " OR length(at) <> 24 LIMIT 1", grades);
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "ii", (int64_t)s->about.items,
                         (int64_t)s->assessor_count);
    if (iv_db_next(st, &rc, s->path, err))
        rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: judgment %lld has "
                        "a value that no judgment has", (long long)sqlite3_column_int64(st, 0));
    return iv_db_end(st, rc);
}

static int take_conflict(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    (void)err;
    iv_queue_conflict(s, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1) != 0,
                      sqlite3_column_int64(st, 2) != 0);
    return IV_OK;
}

/* Each item has a document; in a review it is of a stratum, and of a block no later than the last
 * one's. */
static int check_places(iv_store *s, iv_err *err)
{
    size_t wrong = 0;

    IV_TRY(count_of(&wrong, s, "SELECT count(*) FROM item WHERE ord NOT BETWEEN 0 AND"
                    " (SELECT count(*) FROM item) OR NOT EXISTS (SELECT 1 FROM document d"
                    " WHERE d.id = item.document)", err));
    if (wrong > 0)
        return broken(s, "an item is of no document or has no place", err);
    IV_TRY(count_of(&wrong, s, "SELECT count(*) FROM stratum WHERE id < 1 OR"
                    " id > (SELECT count(*) FROM stratum) OR size IS NULL OR size < 0 OR"
                    " retrieved IS NULL OR retrieved NOT IN (0, 1)", err));
    if (wrong > 0)
        return broken(s, "a stratum has no size or no number", err);
    if (s->about.kind != IV_STORE_REVIEW)
        return IV_OK;
    IV_TRY(count_of(&wrong, s, "SELECT count(*) FROM item WHERE stratum IS NULL OR block IS NULL"
                    " OR stratum < 1 OR stratum > (SELECT count(*) FROM stratum) OR block < 1"
                    " OR block > (SELECT count(*) FROM item)"
                    " OR block > (SELECT block FROM item ORDER BY id DESC LIMIT 1)", err));
    return wrong > 0 ? broken(s, "an item is of no stratum or of no block", err) : IV_OK;
}

/* Reads the order of judging: that of items, or of the last ranking. */
static int load_order(iv_store *s, iv_err *err)
{
    iv_arena own = { 0 };
    iv_str text;
    size_t n = 0;

    s->order = iv_take(&s->memory, s->about.items + 1, sizeof *s->order);
    s->place = iv_take(&s->memory, s->about.items + 1, sizeof *s->place);
    IV_TRY(iv_taken(&s->memory, err));
    int rc = iv_store_value(&text, &own, s, "rank", err);
    for (size_t i = 0; i < s->about.items; i++)
        s->order[i] = s->place[i] = (uint32_t)i;
    for (char *at = (char *)(uintptr_t)text.ptr, *end; rc == IV_OK && at != NULL; at = end) {
        const unsigned long item = strtoul(at, &end, 10);
        if (end == at)
            break;
        if (item < 1 || item > s->about.items || n == s->about.items)
            rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: its order");
        else
            s->order[n++] = (uint32_t)item - 1;
    }
    for (size_t i = 0; i < n && rc == IV_OK; i++)
        s->place[s->order[i]] = (uint32_t)i;
    for (size_t i = 0; i < n && rc == IV_OK; i++)
        if (s->place[s->order[i]] != i || n != s->about.items)
            rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: its order");
    iv_arena_free(&own);
    return rc;
}

/* Who judges which topic. */
static int load_assigned(iv_store *s, iv_err *err)
{
    iv_arena own = { 0 };
    iv_str text, line, word;

    s->judges = iv_take(&s->memory, s->about.topics + 1, sizeof *s->judges);
    IV_TRY(iv_taken(&s->memory, err));
    int rc = iv_store_value(&text, &own, s, "assign", err);
    while (rc == IV_OK && text.ptr != NULL && iv_next_line(&line, &text)) {
        int64_t topic = 0, judges = 0;
        if (!iv_next_word(&word, &line) || !iv_scan_int(&topic, word, 1, (int64_t)s->about.topics)
            || !iv_next_word(&word, &line) || !iv_scan_int(&judges, word, 1, INT64_MAX))
            rc = broken(s, "who judges which topic", err);
        else
            s->judges[topic - 1] |= (uint64_t)judges;
    }
    iv_arena_free(&own);
    return rc;
}

/* Reads everything that is held in memory. */
static int load(iv_store *s, iv_err *err)
{
    IV_TRY(load_about(s, err));
    IV_TRY(load_counts(s, err));
    IV_TRY(check_about(s, err));
    IV_TRY(check_places(s, err));
    IV_TRY(load_order(s, err));
    IV_TRY(load_assigned(s, err));
    IV_TRY(each_row(s, "SELECT t.id, name, text, coalesce(min(i.id) - 1, 0), count(i.id)"
                    " FROM topic t LEFT JOIN item i ON i.topic = t.id GROUP BY t.id ORDER BY t.id",
                    take_topic, err));
    IV_TRY(each_row(s, "SELECT id, topic, twice FROM item", take_item, err));
    IV_TRY(each_row(s, "SELECT id, name, token_sha256, revoked, EXISTS (SELECT 1 FROM meta"
                    " WHERE key = 'set:script:' || id), name = (SELECT value FROM meta WHERE key ="
                    " 'adjudicator') FROM assessor ORDER BY id",
                    take_assessor, err));
    IV_TRY(each_row(s, "SELECT item, assessor, reason, final, seq, grade FROM current", take_word,
                    err));
    IV_TRY(check_log(s, err));
    IV_TRY(each_row(s, "SELECT item, " IV_SQL_DIFFER ", max(final) FROM current GROUP BY item"
                    " HAVING count(*) > 1", take_conflict, err));
    IV_TRY(iv_db_prepare(&s->read_document, s->reads, s->path,
                         "SELECT docno, title, text, zipped, (SELECT value FROM meta"
                         " WHERE key = 'ref:' || document.id) FROM document"
                         " WHERE id = (SELECT document FROM item WHERE id = ?)", err));
    return iv_db_prepare(&s->read_words, s->reads, s->path,
                         "SELECT c.seq, c.assessor, c.reason, c.grade, j.at, j.note"
                         " FROM current c JOIN judgment j ON j.seq = c.seq"
                         " WHERE c.item = ? ORDER BY c.seq", err);
}

/* ---------------------------------------------------------------- asking -- */

const iv_store_about *iv_store_about_of(const iv_store *s) { return &s->about; }

const char *iv_store_identity(const iv_store *s) { return s->identity; }

iv_store_topic iv_store_topic_at(iv_store *s, size_t topic)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    const iv_store_topic t = s->topics[topic];
    (void)pthread_mutex_unlock(&s->lock_queue);
    return t;
}

int64_t iv_store_seq(const iv_store *s)
{
    return __atomic_load_n(&s->seq, __ATOMIC_ACQUIRE);
}

/* Opening a session: whose file it is, and who else has it. */

/* Version 0.2 had its lock on a file beside the session, FILE-lock. */
static int look_for_old_server(bool *held, iv_store *s, iv_err *err)
{
    char *name = iv_take(&s->memory, strlen(s->path) + sizeof "-lock", 1);

    if (name == NULL)
        return iv_no_memory(err);
    (void)sprintf(name, "%s-lock", s->path);
    const int fd = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        *held = errno == EWOULDBLOCK;
        s->locked = !*held;
    }
    if (fd >= 0)
        (void)close(fd);
    return IV_OK;
}

/*
 * Takes the lock, which is of the database itself, whatever name it is opened by.  *held: another
 * process has it.  The file stays open as long as SQLite has it: to close it would end SQLite's
 * own locks.
 */
static int take_lock(iv_store *s, bool *held, iv_err *err)
{
    struct stat st;

    s->file = open(s->path, O_RDWR | O_CLOEXEC);
    if (s->file < 0 && (errno == EACCES || errno == EROFS || errno == EPERM))
        s->file = open(s->path, O_RDONLY | O_CLOEXEC);
    if (s->file < 0 || fstat(s->file, &st) != 0)
        return iv_fail_at(err, IV_EIO, s->path, 0, "cannot open: %s", strerror(errno));
    /* SQLite's log is named after the database: by two names there are two logs. */
    if (st.st_nlink > 1)
        return iv_fail_at(err, IV_EIO, s->path, 0, "has %lu names (hard links), by which "
                          "judgments could be lost; expected one", (unsigned long)st.st_nlink);
    s->locked = flock(s->file, LOCK_EX | LOCK_NB) == 0;
    *held = !s->locked && errno == EWOULDBLOCK;
    return s->locked && !*held ? look_for_old_server(held, s, err) : IV_OK;
}

/* What is true of a file before SQLite touches it: an empty one would become a database. */
static int look_at_file(const char *path, iv_err *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot open: %s", strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is %s, expected a file of judge new",
                          S_ISREG(st.st_mode) ? "empty" : "no file");
    return iv_store_refuse_network(path, err);
}

/* The connection that writes. */
static int open_for_writing(iv_store *s, iv_err *err)
{
    IV_TRY(iv_store_connect(&s->db, s->path, err));
    IV_TRY(iv_store_recognise(&s->version, s->db, s->path, err));
    IV_TRY(iv_db_exec(s->db, s->path, "PRAGMA journal_mode = WAL;"
                      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err));
    /* Creates the log of SQLite, so that readers need not. */
    IV_TRY(iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE; COMMIT", err));
    if (stat(sqlite3_filename_wal(sqlite3_db_filename(s->db, "main")), &s->log) != 0)
        return iv_fail_at(err, IV_EIO, s->path, 0, "has no log: %s", strerror(errno));
    return IV_OK;
}

static int ask_whether_ending(void *store)
{
    return __atomic_load_n(&((iv_store *)store)->ending, __ATOMIC_ACQUIRE);
}

void iv_store_end_reads(iv_store *s)
{
    __atomic_store_n(&s->ending, true, __ATOMIC_RELEASE);
}

int iv_store_connect_beside(sqlite3 **out, iv_store *s, iv_err *err)
{
    enum { STEPS = 1000 };

    IV_TRY(iv_store_connect_to_read(out, s->path, s->as_it_stands, err));
    sqlite3_progress_handler(*out, STEPS, ask_whether_ending, s);
    return IV_OK;
}

/* Is what the connection sees a whole session? */
static int is_whole(const char *path, bool as_it_stands, iv_err *err)
{
    sqlite3 *db = NULL;
    int64_t version = 0;
    int rc = iv_store_connect_to_read(&db, path, as_it_stands, err);

    if (rc == IV_OK)
        rc = iv_store_recognise(&version, db, path, err);
    if (rc == IV_OK)
        rc = iv_store_check_rows(db, path, version, IV_CHECK_ALL, err);
    (void)sqlite3_close(db);
    return rc;
}

/* The identity of the session that the connection sees, "" if that cannot be said. */
static void read_identity(char id[IV_TOKEN_SIZE], const char *path, bool as_it_stands)
{
    sqlite3 *db = NULL;
    iv_err why;

    id[0] = '\0';
    if (iv_store_connect_to_read(&db, path, as_it_stands, &why) == IV_OK
        && iv_seal_identity(id, db, path, &why) != IV_OK)
        id[0] = '\0';
    (void)sqlite3_close(db);
}

/*
 * A log that SQLite left behind is taken for the file's own, though a copy, or another session,
 * was put into the file's place: pages of both would be mixed.  They are together what was sealed
 * and of the session that the file alone is of, or the log is not touched.
 */
static int check_remains(iv_store *s, iv_err *err)
{
    char *log = iv_take(&s->memory, strlen(s->path) + sizeof "-wal", 1);
    char alone[IV_TOKEN_SIZE], both[IV_TOKEN_SIZE];
    struct stat st;
    iv_err why;

    if (log == NULL)
        return iv_no_memory(err);
    (void)sprintf(log, "%s-wal", s->path);
    if (stat(log, &st) != 0 || st.st_size == 0)
        return IV_OK;
    read_identity(alone, s->path, true);
    read_identity(both, s->path, false);
    if (alone[0] != '\0' && strcmp(alone, both) != 0)
        return iv_fail_at(err, IV_EPARSE, log, 0, "is the log of another session than %.200s; "
                          "move it away", s->path);
    const int rc = is_whole(s->path, false, err);
    if (rc != IV_EPARSE || is_whole(s->path, true, &why) != IV_OK)
        return rc;
    return iv_fail_at(err, IV_EPARSE, log, 0, "is the log of another copy of the session, and "
                      "%.200s is whole without it; move it away, or use judge restore", s->path);
}

/* SQLite's log is made beside the file. */
static bool folder_can_be_written(const char *path)
{
    char *whole = realpath(path, NULL), *slash = whole != NULL ? strrchr(whole, '/') : NULL;

    if (slash != NULL)
        slash[slash == whole] = '\0';
    const bool can = slash != NULL && access(whole, W_OK) == 0;
    free(whole);
    return can;
}

/* A session of version 0.2 or 0.3 gets its seals when it is to be written, if it is whole. */
static int upgrade(iv_store *s, iv_err *err)
{
    IV_TRY(iv_store_check_rows(s->db, s->path, s->version, IV_CHECK_ALL, err));
    return iv_seal_upgrade(s->db, s->path, err);
}

static int open_both(iv_store *s, iv_store_mode mode, iv_err *err)
{
    bool held = false;

    IV_TRY(look_at_file(s->path, err));
    IV_TRY(take_lock(s, &held, err));
    if (held && mode == IV_STORE_WRITE)
        return iv_fail_at(err, IV_EIO, s->path, 0, "is served or written by another process; "
                          "end that first");
    const bool writable = s->locked && (fcntl(s->file, F_GETFL) & O_ACCMODE) == O_RDWR
        && folder_can_be_written(s->path);
    if (!writable && mode == IV_STORE_WRITE)
        return iv_fail_at(err, IV_EIO, s->path, 0, "cannot be written here, expected a file and "
                          "a folder of yours");
    if (writable) {
        IV_TRY(check_remains(s, err));
        IV_TRY(open_for_writing(s, err));
        if (s->version == 1 && mode == IV_STORE_WRITE)
            IV_TRY(upgrade(s, err));
    }
    s->as_it_stands = !writable && !held;
    IV_TRY(iv_store_connect_beside(&s->reads, s, err));
    return iv_store_recognise(&s->version, s->reads, s->path, err);
}

int iv_store_open(iv_store **out, const char *path, iv_store_mode mode, iv_err *err)
{
    iv_store *s = calloc(1, sizeof *s);

    if (s == NULL)
        return iv_no_memory(err);
    s->file = -1;
    (void)pthread_mutex_init(&s->write_lock, NULL);
    (void)pthread_mutex_init(&s->read_lock, NULL);
    (void)pthread_mutex_init(&s->lock_queue, NULL);
    s->hold = IV_HOLD_SECONDS;
    s->path = iv_arena_copy(&s->memory, iv_str_of(path));
    int rc = s->path == NULL ? iv_no_memory(err) : open_both(s, mode, err);
    if (rc == IV_OK)
        rc = load(s, err);
    if (rc != IV_OK) {
        iv_store_close(s);
        return rc;
    }
    *out = s;
    return IV_OK;
}

void iv_store_close(iv_store *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < sizeof s->append_st / sizeof *s->append_st; i++)
        (void)sqlite3_finalize(s->append_st[i]);
    (void)sqlite3_finalize(s->read_document);
    (void)sqlite3_finalize(s->read_words);
    (void)sqlite3_close(s->reads); /* first: the last one to close folds the log in */
    (void)sqlite3_close(s->db);
    if (s->file >= 0)
        (void)close(s->file); /* after SQLite's: the lock ends last */
    free(s->items);
    iv_ids_free(&s->topic_ids);
    (void)pthread_mutex_destroy(&s->write_lock);
    (void)pthread_mutex_destroy(&s->read_lock);
    (void)pthread_mutex_destroy(&s->lock_queue);
    iv_arena_free(&s->memory);
    free(s);
}

int iv_store_checkpoint(iv_store *s, iv_err *err)
{
    int rc = IV_OK;

    if (s->db == NULL || s->broken)
        return IV_OK;
    (void)pthread_mutex_lock(&s->write_lock);
    if (sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) != SQLITE_OK)
        rc = iv_db_fail(err, s->db, s->path, "write");
    (void)pthread_mutex_unlock(&s->write_lock);
    return rc;
}
