/* SPDX-License-Identifier: Apache-2.0 */
/* A new order of what is left to judge, by a ranking that was made elsewhere. */
#include "base/digest.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/draw.h"
#include "sampling/sample_comments.h"
#include "store/builder_items.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/queue.h"
#include "store/record.h"
#include "store/upkeep.h"
#include "trec/run.h"
#include "trec/text.h"

#include <pthread.h>
#include <stdlib.h>

static int keep(iv_store *s, const char *const values[][2], size_t count, iv_err *err)
{
    int rc = s->broken ? iv_fail_at(err, IV_EIO, s->path, 0, "the disk failed; a restart is needed")
        : iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err);

    for (size_t i = 0; i < count && rc == IV_OK; i++)
        if (values[i][1] != NULL)
            rc = iv_store_meta_put(s, values[i][0], values[i][1], err);
    return s->broken ? rc : iv_store_commit_settings(s, rc, err);
}

/* A ranking, and the order that it makes: the control sample, then of the rest judged items in
 * their order, open ones by rank, and open ones that were not ranked. */
typedef struct ranking {
    iv_ids names;        /* all that it has */
    size_t *before;      /* open items of the rest that stand before each */
    size_t *behind;      /* of the first k of the rest, those that are open and not ranked */
    uint32_t *order;
    size_t judged, rest; /* items of the rest: those judged, and all */
    iv_ranked ranked;
} ranking;

static int arrange(ranking *k, iv_arena *a, const iv_combined *c, const iv_str *names,
                   size_t count, iv_err *err)
{
    iv_ids documents = { 0 };
    bool *done = iv_take(a, c->count + 1, sizeof *done);
    size_t n = c->control;

    k->rest = c->count - c->control;
    k->before = iv_take(a, count + 1, sizeof *k->before);
    k->behind = iv_take(a, k->rest + 1, sizeof *k->behind);
    k->order = iv_take(a, c->count + 1, sizeof *k->order);
    int rc = iv_taken(a, err);
    for (size_t i = 0; i < c->count && rc == IV_OK; i++) {
        const uint32_t item = c->order[i];
        if (iv_ids_add(&documents, c->docno[i]) == IV_NO_ID)
            rc = iv_no_memory(err);
        done[item] = i < c->control || c->grade[item] != IV_COMBINED_OPEN;
        if (done[item])
            k->order[i < c->control ? i : n++] = item;
    }
    const size_t first = n;
    k->judged = first - c->control;
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const uint32_t item = iv_ids_find(&documents, names[i]), all = (uint32_t)k->names.count;
        if (iv_ids_add(&k->names, names[i]) == IV_NO_ID)
            rc = iv_no_memory(err);
        else if (k->names.count > all)
            k->before[all] = n - first;
        if (rc == IV_OK && item != IV_NO_ID && !done[item]) {
            done[item] = true;
            k->order[n++] = item;
        }
    }
    k->ranked.named = count;
    k->ranked.placed = n - first;
    for (size_t i = 0; i < k->rest && rc == IV_OK; i++) {
        const uint32_t item = c->order[c->control + i];
        k->behind[i + 1] = k->behind[i] + !done[item];
        if (!done[item])
            k->order[n++] = item;
    }
    iv_ids_free(&documents);
    return rc;
}

/* Where the control's documents stand from now on: those that were met by what is judged, `prefix`
 * of the rest, stay where they are. */
static int move_control(char **places, ranking *k, iv_arena *a, iv_store *s, size_t prefix,
                        iv_err *err)
{
    iv_str known, docs, name;
    size_t len = 0;

    IV_TRY(iv_store_value(&known, a, s, "known", err));
    IV_TRY(iv_store_value(&docs, a, s, "known_names", err));
    if (known.ptr == NULL || known.len == 0)
        return IV_OK;
    if (docs.ptr == NULL)
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "has a control sample without names, of "
                          "another version; expected a session made by this one");
    *places = iv_take(a, 21 * (docs.len / 2 + 1), 1);
    IV_TRY(iv_taken(a, err));
    char *at = (char *)(uintptr_t)known.ptr;
    while (iv_next_word(&name, &docs)) {
        const uint32_t id = iv_ids_find(&k->names, name);
        size_t place = strtoul(at, &at, 10);
        const bool met = prefix > 0 && place <= prefix;
        if (!met && id != IV_NO_ID) {
            place = k->judged + k->before[id];
        } else if (!met) {
            place = k->judged + k->ranked.placed + k->behind[place < k->rest ? place : k->rest];
            k->ranked.control++;
        }
        len += (size_t)sprintf(*places + len, "%zu ", place);
    }
    return IV_OK;
}

/* Keeps the order, then makes it that of the queue; with write_lock held. */
static int take_order(iv_store *s, iv_arena *a, ranking *k, const iv_combined *c, iv_err *err)
{
    char *text = iv_take(a, 11 * (c->count + 1), 1), *places = NULL;

    if (text == NULL)
        return iv_no_memory(err);
    for (size_t i = 0, at = 0; i < c->count; i++)
        at += (size_t)sprintf(text + at, "%lu ", (unsigned long)k->order[i] + 1);
    if (s->about.stop == IV_STORE_STOP_QBCB)
        IV_TRY(move_control(&places, k, a, s, iv_combined_prefix(c, c->control, k->rest, true),
                            err));
    IV_TRY(keep(s, (const char *const[][2]){ { "rank", text }, { "known", places } }, 2, err));
    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < c->count; i++) {
        s->order[i] = k->order[i];
        s->place[k->order[i]] = (uint32_t)i;
    }
    s->cursors[0] = s->cursors[1] = 0; /* of its one topic, and of all */
    (void)pthread_mutex_unlock(&s->lock_queue);
    return IV_OK;
}

int iv_store_rank(iv_ranked *out, iv_store *s, const iv_str *names, size_t count,
                  const iv_store_input *from, iv_err *err)
{
    iv_arena a = { 0 };
    char use[64];
    ranking k = { .judged = 0 };
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
    for (size_t i = 0; i < c.count && rc == IV_OK; i++) {
        k.ranked.judged += c.grade[i] >= 0;
        k.ranked.relevant += c.grade[i] >= s->about.level;
    }
    if (rc == IV_OK && k.ranked.placed == 0)
        rc = iv_fail_at(err, IV_ENODATA, s->path, 0, "has no document to judge among those ranked");
    if (rc == IV_OK)
        rc = take_order(s, &a, &k, &c, err);
    (void)pthread_mutex_unlock(&s->write_lock);
    (void)snprintf(use, sizeof use, "order, after %zu labels", k.ranked.judged);
    if (rc == IV_OK && from != NULL)
        rc = iv_store_input_add(s, &(iv_store_input){ from->path, use, from->sha256 }, err);
    iv_ids_free(&k.names);
    iv_arena_free(&a);
    *out = k.ranked;
    return rc;
}

int iv_store_rank_random(iv_ranked *out, iv_store *s, const iv_work *work, iv_err *err)
{
    static const uint64_t rest_key = UINT64_C(0x7265737400000000);
    iv_stream stream = iv_stream_start(iv_work_seed(work), IV_FOR_SAMPLING,
                                       rest_key ^ (uint64_t)iv_store_seq(s));
    iv_arena a = { 0 };
    iv_combined c;
    iv_str *names = iv_take(&a, s->about.items + 1, sizeof *names);
    size_t n = 0;
    int rc = names == NULL ? iv_no_memory(err) : iv_store_combine(&c, &a, s, NULL, true, err);

    for (size_t i = 0; rc == IV_OK && i < c.count; i++)
        if (c.grade[i] == IV_COMBINED_OPEN)
            names[n++] = c.docno[i];
    if (rc == IV_OK) {
        iv_draw_shuffle(&stream, names, n, sizeof *names);
        rc = iv_store_rank(out, s, names, n, &(iv_store_input){ .path = "(random)" }, err);
    }
    iv_arena_free(&a);
    return rc;
}

/* ---------------------------------------------------------------- files -- */

static int read_run(iv_str **out, size_t *count, iv_arena *a, const char *path,
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

int iv_store_rank_file(iv_ranked *out, iv_store *s, const char *path, const iv_work *work,
                       iv_err *err)
{
    iv_arena a = { 0 };
    iv_str *names = NULL;
    size_t count = 0;
    iv_err other;
    iv_work listed = work != NULL ? *work : (iv_work){ 0 };

    IV_TRY(iv_digests_new(&listed.digests, err));
    int rc = iv_bibliography_is(path)
        ? iv_store_find_references(&names, &count, &a, s, path, &listed, err)
        : iv_store_names(&names, &count, &a, path, &listed, err);

    if (rc == IV_EPARSE && !iv_bibliography_is(path)
        && read_run(&names, &count, &a, path, &listed, &other) == IV_OK)
        rc = IV_OK;
    if (rc == IV_OK)
        rc = iv_store_rank(out, s, names, count, &(iv_store_input){
            .path = path, .sha256 = iv_digests_find(listed.digests, path) }, err);
    iv_digests_free(listed.digests);
    iv_arena_free(&a);
    return rc;
}
