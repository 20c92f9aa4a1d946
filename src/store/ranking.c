/* SPDX-License-Identifier: Apache-2.0 */
/* A new order of what is left to judge, by a ranking that was made elsewhere. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "design/sampling_state.h"
#include "store/bibliography.h"
#include "store/combined.h"
#include "store/store.h"
#include "store/store_parts.h"
#include "trec/trec_private.h"

/* A relevant document of the control: met when `place` items of the queue are judged. */
typedef struct control {
    unsigned long place;
    const char *name;
} control;

static int by_place(const void *a, const void *b)
{
    const control *x = a, *y = b;

    return x->place < y->place ? -1 : x->place > y->place;
}

int iv_store_load_order(iv_store *s, iv_err *err)
{
    iv_arena own = { 0 };
    const char *text = NULL;
    size_t n = 0;

    s->order = iv_take(&s->memory, s->about.items + 1, sizeof *s->order);
    s->place = iv_take(&s->memory, s->about.items + 1, sizeof *s->place);
    IV_TRY(iv_taken(&s->memory, err));
    int rc = iv_store_meta(&text, NULL, &own, s->reads, s->path, "rank", err);
    for (size_t i = 0; i < s->about.items; i++)
        s->order[i] = s->place[i] = (uint32_t)i;
    for (char *at = (char *)(uintptr_t)text, *end; rc == IV_OK && text != NULL; at = end) {
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

/* Where the control's documents stand from now on: those that were met stay where they are. */
static int move_control(char **places, char **names, iv_arena *a, iv_store *s, const iv_ids *ranked,
                        const size_t *before, size_t judged, size_t prefix, iv_err *err)
{
    iv_str known, docs;
    size_t n = 0;

    IV_TRY(iv_store_value(&known, a, s, "known", err));
    IV_TRY(iv_store_value(&docs, a, s, "known_names", err));
    if (known.ptr == NULL || known.len == 0)
        return IV_OK;
    if (docs.ptr == NULL)
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "has a control sample without names, of "
                          "another version; expected a session made by this one");
    control *all = iv_take(a, known.len / 2 + 1, sizeof *all);
    *places = iv_take(a, 21 * (known.len / 2 + 1), 1);
    *names = iv_take(a, docs.len + 2, 1);
    IV_TRY(iv_taken(a, err));
    char *at = (char *)(uintptr_t)known.ptr, *end = NULL, *rest = NULL;
    for (char *name = strtok_r((char *)(uintptr_t)docs.ptr, " ", &rest); name != NULL;
         name = strtok_r(NULL, " ", &rest), n++) {
        const uint32_t id = iv_ids_find(ranked, iv_str_of(name));
        all[n] = (control){ strtoul(at, &end, 10), name };
        at = end;
        if (all[n].place > prefix)
            all[n].place = id == IV_NO_ID ? ULONG_MAX : judged + before[id];
    }
    qsort(all, n, sizeof *all, by_place);
    for (size_t i = 0, p = 0, q = 0; i < n; i++) {
        p += (size_t)sprintf(*places + p, "%lu ", all[i].place);
        q += (size_t)sprintf(*names + q, "%s ", all[i].name);
    }
    return IV_OK;
}

static int keep(iv_store *s, const char *const values[][2], size_t count, iv_err *err)
{
    int rc = s->broken ? iv_fail_at(err, IV_EIO, s->path, 0, "the disk failed; a restart is needed")
        : iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err);

    for (size_t i = 0; i < count && rc == IV_OK; i++)
        if (values[i][1] != NULL)
            rc = iv_store_meta_put(s, values[i][0], values[i][1], err);
    if (rc == IV_OK)
        rc = iv_db_exec(s->db, s->path, "COMMIT", err);
    if (rc != IV_OK && sqlite3_get_autocommit(s->db) == 0)
        (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

/* A ranking, and the order that it makes: judged items in their order, open ones by rank, then
 * open ones that were not ranked. */
typedef struct ranking {
    iv_ids names;        /* all that it has */
    size_t *before;      /* open items of the queue that stand before each */
    uint32_t *order;
    size_t judged, placed;
} ranking;

static int arrange(ranking *k, iv_arena *a, const iv_combined *c, const iv_str *names,
                   size_t count, iv_err *err)
{
    iv_ids documents = { 0 };
    bool *done = iv_take(a, c->count + 1, sizeof *done);
    size_t n = 0;

    k->before = iv_take(a, count + 1, sizeof *k->before);
    k->order = iv_take(a, c->count + 1, sizeof *k->order);
    int rc = iv_taken(a, err);
    for (size_t i = 0; i < c->count && rc == IV_OK; i++) {
        if (iv_ids_add(&documents, c->docno[i]) == IV_NO_ID)
            rc = iv_no_memory(err);
        done[c->order[i]] = c->grade[c->order[i]] != IV_COMBINED_OPEN;
        if (done[c->order[i]])
            k->order[n++] = c->order[i];
    }
    k->judged = n;
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const uint32_t item = iv_ids_find(&documents, names[i]), all = (uint32_t)k->names.count;
        if (iv_ids_add(&k->names, names[i]) == IV_NO_ID)
            rc = iv_no_memory(err);
        else if (k->names.count > all)
            k->before[all] = n - k->judged;
        if (rc == IV_OK && item != IV_NO_ID && !done[item]) {
            done[item] = true;
            k->order[n++] = item;
        }
    }
    k->placed = n - k->judged;
    for (size_t i = 0; i < c->count && rc == IV_OK; i++)
        if (!done[c->order[i]])
            k->order[n++] = c->order[i];
    iv_ids_free(&documents);
    return rc;
}

/* Keeps the order, then makes it that of the queue; with write_lock held. */
static int take_order(iv_store *s, iv_arena *a, const ranking *k, const iv_combined *c,
                      iv_err *err)
{
    char *text = iv_take(a, 11 * (c->count + 1), 1), *places = NULL, *names = NULL;

    if (text == NULL)
        return iv_no_memory(err);
    for (size_t i = 0, at = 0; i < c->count; i++)
        at += (size_t)sprintf(text + at, "%lu ", (unsigned long)k->order[i] + 1);
    if (s->about.stop == IV_STORE_STOP_QBCB)
        IV_TRY(move_control(&places, &names, a, s, &k->names, k->before, k->judged,
                            iv_combined_prefix(c, 0, c->count, true), err));
    IV_TRY(keep(s, (const char *const[][2]){ { "rank", text }, { "known", places },
                                             { "known_names", names } }, 3, err));
    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < c->count; i++) {
        s->order[i] = k->order[i];
        s->place[k->order[i]] = (uint32_t)i;
    }
    s->lanes[0].cursor = s->cursors[0] = 0;
    (void)pthread_mutex_unlock(&s->lock_queue);
    return IV_OK;
}

int iv_store_rank(size_t *placed, iv_store *s, const iv_str *names, size_t count, iv_err *err)
{
    iv_arena a = { 0 };
    ranking k = { .placed = 0 };
    iv_combined c;

    if (s->about.kind != IV_STORE_QUEUE || s->about.topics != 1)
        return iv_fail_at(err, IV_EARG, s->path, 0, "is judged in the random order of its design; "
                          "expected a queue of one topic to rank");
    if (s->db == NULL)
        return iv_fail_at(err, IV_EIO, s->path, 0, "is open for reading only");
    (void)pthread_mutex_lock(&s->write_lock);
    int rc = iv_store_combine(&c, &a, s, NULL, true, err);
    if (rc == IV_OK)
        rc = arrange(&k, &a, &c, names, count, err);
    if (rc == IV_OK && k.placed == 0)
        rc = iv_fail_at(err, IV_ENODATA, s->path, 0, "has no document to judge among those ranked");
    if (rc == IV_OK)
        rc = take_order(s, &a, &k, &c, err);
    (void)pthread_mutex_unlock(&s->write_lock);
    iv_ids_free(&k.names);
    iv_arena_free(&a);
    *placed = k.placed;
    return rc;
}

/* ---------------------------------------------------------------- files -- */

/* A document a line, the best first. */
static int read_list(const iv_str **out, size_t *count, iv_arena *a, const char *path,
                     const iv_work *work, iv_err *err)
{
    iv_bytes b;
    size_t n = 0;

    IV_TRY(iv_bytes_load(&b, path, work, err));
    const char *copy = iv_arena_copy(a, (iv_str){ b.len == 0 ? "" : b.ptr, b.len });
    iv_str text = { copy, copy == NULL ? 0 : b.len }, word, rest;
    iv_bytes_free(&b);
    iv_str *names = iv_take(a, (size_t)iv_lines_in(text) + 1, sizeof *names);
    if (copy == NULL || names == NULL)
        return iv_no_memory(err);
    for (uint64_t line = 1; iv_next_line(&rest, &text); line++) {
        if (iv_next_word(&word, &rest))
            names[n++] = word;
        if (iv_next_word(&word, &rest))
            return iv_fail_at(err, IV_EPARSE, path, line, "two words; expected one document per "
                              "line, a run of one topic, or references");
    }
    *out = names;
    *count = n;
    return IV_OK;
}

static int read_run(const iv_str **out, size_t *count, iv_arena *a, const char *path,
                    const iv_work *work, iv_err *err)
{
    iv_run *run = NULL;

    IV_TRY(iv_run_load(&run, path, IV_RUN_ANY, work, err));
    IV_TRY(iv_keep(a, run, (void (*)(void *))iv_run_free, err));
    if (iv_run_topics(run) != 1)
        return iv_fail_at(err, IV_EPARSE, path, 0, "%zu topics, expected one", iv_run_topics(run));
    *count = iv_run_depth(run, 0);
    iv_str *names = iv_take(a, *count + 1, sizeof *names);
    for (size_t i = 0; names != NULL && i < *count; i++)
        names[i] = iv_run_docno(run, 0, i);
    *out = names;
    return names == NULL ? iv_no_memory(err) : IV_OK;
}

int iv_store_rank_file(size_t *placed, size_t *named, iv_store *s, const char *path,
                       const iv_work *work, iv_err *err)
{
    iv_arena a = { 0 };
    const iv_str *names = NULL;
    size_t count = 0;
    iv_err other;
    int rc = iv_bibliography_is(path) ? iv_store_find_references(&names, &count, &a, s, path, work,
                                                                 err)
        : read_list(&names, &count, &a, path, work, err);

    if (rc == IV_EPARSE && !iv_bibliography_is(path)
        && read_run(&names, &count, &a, path, work, &other) == IV_OK)
        rc = IV_OK;
    if (rc == IV_OK)
        rc = iv_store_rank(placed, s, names, count, err);
    *named = count;
    iv_arena_free(&a);
    return rc;
}
