/* SPDX-License-Identifier: Apache-2.0 */
/* From the last words of assessors to one grade of each item. */
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "store/assessors.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/queue.h"
#include "store/session.h"
#include "store/session_export.h"
#include "store/store_open.h"
#include "store/upkeep.h"

#include <ctype.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef enum how { ADJUDICATED, LAST, MAJORITY, MEDIAN, ONE, ONE_OR_OTHERS } how;

/* The words on one item. */
typedef struct said {
    int32_t grade[IV_ASSESSORS_MOST], last, final, theirs;
    size_t count;
    bool cannot;
} said;

static int read_how(how *out, int64_t *who, iv_store *s, const iv_export_options *o, iv_err *err)
{
    const char *combine = o == NULL ? NULL : o->combine;
    static const char *const names[] = { "adjudicated", "last", "majority", "median" };
    const iv_assessor *all;
    char quoted[IV_QUOTE_SIZE];

    *out = ADJUDICATED;
    *who = 0;
    for (size_t i = iv_store_assessors(&all, s); i-- > 0;)
        *who = all[i].owner ? all[i].id : *who; /* whose word counts */
    if (combine == NULL)
        return IV_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(combine, names[i]) == 0) {
            *out = (how)i;
            return IV_OK;
        }
    *out = o->or_others ? ONE_OR_OTHERS : ONE;
    *who = 0;
    for (size_t i = iv_store_assessors(&all, s); i-- > 0;)
        if (strcmp(all[i].name, combine) == 0)
            *who = all[i].id;
    return *who != 0 ? IV_OK : iv_fail(err, IV_EARG, "combine by %s, expected last, majority, "
                                       "median, adjudicated or an assessor's name",
                                       iv_quote(quoted, iv_str_of(combine)));
}

static int by_grade(const void *a, const void *b)
{
    return *(const int32_t *)a < *(const int32_t *)b ? -1
        : *(const int32_t *)a > *(const int32_t *)b;
}

/* The grade that most give; two alike: the last word of the owner, if there is one. */
static int32_t majority(const said *w)
{
    int32_t best = IV_COMBINED_UNDECIDED;
    size_t most = 0;

    for (size_t i = 0; i < w->count; i++) {
        size_t same = 0, before = 0;
        for (size_t k = 0; k < w->count; k++) {
            same += w->grade[k] == w->grade[i];
            before += k < i && w->grade[k] == w->grade[i];
        }
        if (before > 0)
            continue; /* each grade once */
        if (same == most)
            best = IV_COMBINED_UNDECIDED;
        if (same > most) {
            most = same;
            best = w->grade[i];
        }
    }
    return best == IV_COMBINED_UNDECIDED && w->final >= 0 ? w->final : best;
}

static int32_t combined(said *w, how h)
{
    if (h == ONE || (h == ONE_OR_OTHERS && w->theirs >= 0))
        return w->theirs;
    h = h == ONE_OR_OTHERS ? ADJUDICATED : h;
    if (w->count == 0 && w->final < 0)
        return w->cannot ? IV_COMBINED_CANNOT : IV_COMBINED_OPEN;
    if (h == ADJUDICATED && w->final >= 0)
        return w->final;
    if (h == ADJUDICATED && w->theirs >= 0)
        return w->theirs;
    if (w->count == 0)
        return w->final;
    if (h == MAJORITY)
        return majority(w);
    if (h == MEDIAN) { /* the lower one of two */
        qsort(w->grade, w->count, sizeof *w->grade, by_grade);
        return w->grade[(w->count - 1) / 2];
    }
    return w->last;
}

/* ------------------------------------------------------------- reading -- */

static void forget(said *w)
{
    *w = (said){ .last = IV_COMBINED_OPEN, .final = -1, .theirs = IV_COMBINED_OPEN };
}

static void hear(said *w, sqlite3_stmt *st, int64_t who)
{
    const bool graded = sqlite3_column_type(st, 3) != SQLITE_NULL;
    const int32_t grade = graded ? sqlite3_column_int(st, 3) : IV_COMBINED_CANNOT;
    const bool final = sqlite3_column_int(st, 2) != 0;

    if (graded)
        w->last = grade; /* rows come in the order of the log */
    w->cannot = w->cannot || !graded;
    if (final) {
        w->final = grade;
        return;
    }
    if (sqlite3_column_int64(st, 1) == who)
        w->theirs = grade;
    if (graded && w->count < IV_ASSESSORS_MOST)
        w->grade[w->count++] = grade;
}

static int read_words(iv_combined *c, int32_t *grade, iv_store *s, how h, int64_t who,
                      iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT item, assessor, final, grade"
                           " FROM current WHERE reason <> 2 ORDER BY item, seq", err);
    int64_t at = 0;
    said w;

    forget(&w);
    while (iv_db_next(st, &rc, s->path, err)) {
        const int64_t item = sqlite3_column_int64(st, 0);
        if (item < 1 || (size_t)item > c->count)
            continue;
        if (item != at && at != 0)
            grade[at - 1] = combined(&w, h);
        if (item != at)
            forget(&w);
        at = item;
        hear(&w, st, who);
    }
    if (at != 0)
        grade[at - 1] = combined(&w, h);
    return iv_db_end(st, rc);
}

static int read_items(uint32_t *stratum, uint32_t *block, iv_str *docno, iv_arena *a,
                      iv_store *s, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, docno != NULL
        ? "SELECT i.id, stratum, block, docno FROM item i JOIN document d ON d.id = i.document"
        : "SELECT id, stratum, block FROM item", err);

    while (iv_db_next(st, &rc, s->path, err)) {
        const size_t i = (size_t)sqlite3_column_int64(st, 0) - 1;
        if (i >= s->about.items) {
            rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: the numbers of "
                            "items have a gap");
            break;
        }
        stratum[i] = (uint32_t)sqlite3_column_int64(st, 1) - 1;
        block[i] = (uint32_t)sqlite3_column_int64(st, 2) - 1;
        if (docno == NULL)
            continue;
        const char *text = iv_db_text(a, st, 3);
        if (text == NULL)
            rc = iv_no_memory(err);
        else
            docno[i] = iv_str_of(text);
    }
    rc = iv_db_end(st, rc);
    for (size_t i = 0; docno != NULL && rc == IV_OK && i < s->about.items; i++)
        if (docno[i].ptr == NULL)
            rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: item %zu is of "
                            "no document", i + 1);
    return rc;
}

static iv_decided decided(const iv_queued *q)
{
    if (q->flags & IV_QUEUED_ADJUDICATED)
        return IV_DECIDED;
    return q->flags & IV_QUEUED_CONFLICT ? IV_IN_CONFLICT
        : q->judged != 0 && !iv_queued_done(q) ? IV_ONE_OF_TWO : IV_DECIDED;
}

int iv_store_combine(iv_combined *out, iv_arena *a, iv_store *s, const iv_export_options *o,
                     bool with_names, iv_err *err)
{
    const size_t n = s->about.items;
    iv_combined c = { .count = n, .control = s->about.stop == IV_STORE_STOP_QBCB
                                      ? (size_t)s->about.stop_number : 0 };
    int32_t *grade = iv_take(a, n + 1, sizeof *grade);
    uint32_t *stratum = iv_take(a, n + 1, sizeof *stratum);
    uint32_t *block = iv_take(a, n + 1, sizeof *block);
    uint32_t *order = iv_take(a, n + 1, sizeof *order);
    uint8_t *state = iv_take(a, n + 1, sizeof *state);
    iv_str *docno = with_names ? iv_take(a, n + 1, sizeof *docno) : NULL;
    int64_t who = 0;
    how h;

    IV_TRY(iv_taken(a, err));
    IV_TRY(read_how(&h, &who, s, o, err));
    for (size_t i = 0; i < n; i++)
        grade[i] = IV_COMBINED_OPEN;
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = read_words(&c, grade, s, h, who, err);
    if (rc == IV_OK && (with_names || s->about.kind == IV_STORE_REVIEW))
        rc = read_items(stratum, block, docno, a, s, err);
    (void)pthread_mutex_unlock(&s->read_lock);
    c.grade = grade;
    c.stratum = stratum;
    c.block = block;
    c.docno = docno;
    c.order = order;
    c.state = state;
    (void)pthread_mutex_lock(&s->lock_queue);
    memcpy(order, s->order, n * sizeof *order);
    for (size_t i = 0; i < n; i++)
        state[i] = (uint8_t)decided(&s->items[i]);
    (void)pthread_mutex_unlock(&s->lock_queue);
    for (size_t i = 0; i < n; i++) {
        c.open += grade[i] == IV_COMBINED_OPEN;
        c.cannot += grade[i] == IV_COMBINED_CANNOT;
        c.undecided += grade[i] == IV_COMBINED_UNDECIDED;
        c.conflicts += state[i] == IV_IN_CONFLICT;
        c.one_of_two += state[i] == IV_ONE_OF_TWO;
    }
    if (rc == IV_OK)
        *out = c;
    return rc;
}

size_t iv_combined_prefix(const iv_combined *c, size_t first, size_t count, bool with_cannot)
{
    size_t n = 0;

    while (n < count && (c->grade[c->order[first + n]] >= 0
                         || (with_cannot && c->grade[c->order[first + n]] == IV_COMBINED_CANNOT)))
        n++;
    return n;
}

int iv_store_labels(const iv_store_label **out, size_t *count, iv_arena *a, iv_store *s,
                    iv_err *err)
{
    sqlite3_stmt *st = NULL;
    iv_store_label *rows = NULL;
    size_t n = 0, capacity = 0;

    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "WITH " IV_SQL_FIRSTS
                           " SELECT item, assessor, grade FROM first WHERE grade IS NOT NULL"
                           " ORDER BY item, assessor", err);
    while (iv_db_next(st, &rc, s->path, err)) {
        if (!IV_ARENA_ROOM(a, rows, capacity, n)) {
            rc = iv_no_memory(err);
            break;
        }
        rows[n++] = (iv_store_label){ sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1),
                                      sqlite3_column_int(st, 2) };
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = rows;
    *count = n;
    return rc;
}

bool iv_next_tag(iv_str *tag, iv_str *note)
{
    for (size_t i = 0; i < note->len; i++) {
        size_t n = i + 1;
        while (n < note->len && (isalnum((unsigned char)note->ptr[n]) || note->ptr[n] == '-'
                                 || note->ptr[n] == '_' || (unsigned char)note->ptr[n] >= 0x80))
            n++;
        if (note->ptr[i] != '#' || n == i + 1 || (i > 0
                                                  && !isspace((unsigned char)note->ptr[i - 1])))
            continue;
        *tag = (iv_str){ note->ptr + i + 1, n - i - 1 };
        *note = (iv_str){ note->ptr + n, note->len - n };
        return true;
    }
    return false;
}

int iv_store_tags(const iv_store_tag **out, size_t *count, iv_arena *a, iv_store *s,
                  const iv_combined *c, iv_err *err)
{
    iv_ids names = { 0 };
    iv_store_tag *rows = NULL;
    int64_t *last = NULL; /* the document that each was counted for */
    size_t room = 0, last_room = 0;
    sqlite3_stmt *st = NULL;

    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT c.item, j.note FROM current c JOIN"
                           " judgment j ON j.seq = c.seq WHERE j.note LIKE '%#%' ORDER BY c.item",
                           err);
    while (iv_db_next(st, &rc, s->path, err)) {
        const int64_t item = sqlite3_column_int64(st, 0);
        const char *text = iv_db_text(a, st, 1);
        iv_str note = iv_str_of(text == NULL ? "" : text), tag;
        while (rc == IV_OK && item <= (int64_t)c->count && iv_next_tag(&tag, &note)) {
            const uint32_t before = (uint32_t)names.count, id = iv_ids_add(&names, tag);
            if (id == IV_NO_ID || !IV_ARENA_ROOM(a, rows, room, before)
                || !IV_ARENA_ROOM(a, last, last_room, before)) {
                rc = iv_no_memory(err);
                break;
            }
            if (id == before) {
                rows[id] = (iv_store_tag){ iv_arena_copy(a, tag), 0, 0 };
                last[id] = 0;
            }
            if (last[id] == item)
                continue;
            last[id] = item;
            rows[id].documents++;
            rows[id].excluded += c->state[item - 1] == IV_DECIDED && c->grade[item - 1] >= 0
                && c->grade[item - 1] < s->about.level;
        }
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *count = names.count;
    *out = rows;
    iv_ids_free(&names);
    return rc;
}

int iv_store_form_text(iv_str *out, iv_arena *a, iv_store *s, iv_err *err)
{
    iv_str form, zipped;

    IV_TRY(iv_store_value(&form, a, s, "form", err));
    IV_TRY(iv_store_value(&zipped, a, s, "form_zipped", err));
    if (form.ptr == NULL)
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: no form");
    if (zipped.ptr == NULL || zipped.ptr[0] != '1') {
        if (form.len >= 4 && memcmp(form.ptr, "\x28\xb5\x2f\xfd", 4) == 0) /* of zstd */
            return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: form_zipped 0, "
                              "expected 1, since the form is packed");
        *out = form;
        return IV_OK;
    }
    return iv_store_unpack(out, a, form, true, err);
}
