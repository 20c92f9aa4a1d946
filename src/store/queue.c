/* SPDX-License-Identifier: Apache-2.0 */
/* Who judges what next: the queue in memory. */
#include <string.h>

#include "store/store_parts.h"

static uint64_t bit_of(int64_t assessor)
{
    return UINT64_C(1) << (assessor - 1);
}

iv_queued_assessor *iv_queue_assessor(iv_store *s, int64_t id)
{
    if (id < 1 || (size_t)id > s->assessor_count || s->assessor[id - 1].is.revoked)
        return NULL;
    return &s->assessor[id - 1];
}

/* -------------------------------------------------------------- leases -- */

static void end_lease(iv_store *s, int64_t item, int64_t assessor)
{
    iv_queued *q = &s->items[item - 1];
    int64_t *leased = s->assessor[assessor - 1].leased;

    if (q->lease_by == assessor)
        q->flags = (uint8_t)(q->flags & ~IV_QUEUED_HELD);
    for (size_t i = 0; i < IV_LEASES; i++)
        if (leased[i] == item)
            leased[i] = 0;
}

static void lease(iv_store *s, int64_t item, int64_t assessor)
{
    iv_queued *q = &s->items[item - 1];
    int64_t *leased = s->assessor[assessor - 1].leased;
    size_t at = 0;

    if (q->lease_by != 0 && !(q->flags & IV_QUEUED_TWICE))
        end_lease(s, item, q->lease_by); /* who was gone holds it no longer */
    while (at < IV_LEASES - 1 && leased[at] != 0)
        at++;
    if (leased[at] != 0) { /* the oldest goes back */
        end_lease(s, leased[0], assessor);
        memmove(leased, leased + 1, (IV_LEASES - 1) * sizeof *leased);
    }
    leased[at] = item;
    q->lease_by = (uint8_t)assessor;
    q->flags |= IV_QUEUED_HELD;
}

/* Has the assessor given a sign of life? */
static bool is_there(const iv_store *s, int64_t assessor, int64_t now)
{
    return s->assessor[assessor - 1].seen + s->hold > now;
}

static bool held(const iv_store *s, const iv_queued *q, int64_t now)
{
    return (q->flags & IV_QUEUED_HELD) && is_there(s, q->lease_by, now);
}

size_t iv_queue_release(iv_store *s, int64_t assessor)
{
    const int64_t *leased = s->assessor[assessor - 1].leased;
    size_t count = 0;

    for (size_t i = 0; i < IV_LEASES; i++)
        if (leased[i] != 0) {
            end_lease(s, leased[i], assessor);
            count++;
        }
    return count;
}

size_t iv_store_release(iv_store *s, int64_t assessor)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    const size_t count = assessor < 1 || (size_t)assessor > s->assessor_count ? 0
        : iv_queue_release(s, assessor);
    (void)pthread_mutex_unlock(&s->lock_queue);
    return count;
}

size_t iv_store_conflicts(size_t *settled, iv_store *s)
{
    size_t all = 0;

    *settled = 0;
    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->about.items; i++) {
        all += (s->items[i].flags & IV_QUEUED_CONFLICT) != 0;
        *settled += (s->items[i].flags & IV_QUEUED_CONFLICT) != 0
            && (s->items[i].flags & IV_QUEUED_ADJUDICATED) != 0;
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    return all;
}

void iv_store_seen(iv_store *s, int64_t assessor, int64_t now)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    iv_queued_assessor *who = iv_queue_assessor(s, assessor);
    if (who != NULL)
        who->seen = now;
    (void)pthread_mutex_unlock(&s->lock_queue);
}

void iv_store_hold_for(iv_store *s, int64_t seconds)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    s->hold = seconds;
    (void)pthread_mutex_unlock(&s->lock_queue);
}

/* Is the item one that w asks about? */
static bool concerns(const iv_store *s, int64_t item, const iv_store_wish *w)
{
    const iv_queued *q = &s->items[item - 1];

    return !iv_queued_done(q) && (w->assessor == 0 || !(q->judged & bit_of(w->assessor)))
        && (w->topic == 0 || q->topic == w->topic - 1);
}

size_t iv_store_holds(iv_store_hold out[IV_ASSESSORS_MOST * IV_LEASES], iv_store *s,
                      const iv_store_wish *w)
{
    size_t count = 0;

    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->assessor_count; i++) {
        const iv_queued_assessor *who = &s->assessor[i];
        if (who->is.id == w->assessor || !is_there(s, who->is.id, w->now))
            continue;
        for (size_t k = 0; k < IV_LEASES; k++)
            if (who->leased[k] != 0 && concerns(s, who->leased[k], w))
                out[count++] = (iv_store_hold){ who->is.id, who->leased[k],
                                                w->now - who->seen };
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    return count;
}

/* --------------------------------------------------------------- words -- */

static void recount(iv_store *s, const iv_queued *q, bool was, bool judged)
{
    const size_t at = s->place[q - s->items];
    iv_store_topic *t = &s->topics[q->topic];
    iv_lane *lane = &s->lanes[s->lane_count == 1 ? 0 : q->topic];
    const bool is = iv_queued_done(q);

    t->judged += (size_t)(q->judged != 0 && !judged);
    t->judged -= (size_t)(q->judged == 0 && judged);
    if (is && !was)
        t->done++;
    if (was && !is) {
        t->done--;
        if (at - lane->first < lane->cursor)
            lane->cursor = at - lane->first;
        if (at - lane->first < s->cursors[q->topic])
            s->cursors[q->topic] = at - lane->first;
    }
}

void iv_queue_word(iv_store *s, int64_t item, int64_t assessor, iv_store_reason reason)
{
    iv_queued *q = &s->items[item - 1];
    const bool was = iv_queued_done(q), judged = q->judged != 0;

    if (reason == IV_REASON_ADJUDICATED)
        return;
    end_lease(s, item, assessor);
    if (reason == IV_REASON_LATER || reason == IV_REASON_UNDO) {
        q->judged &= ~bit_of(assessor);
        q->flags = (uint8_t)(reason == IV_REASON_LATER ? q->flags | IV_QUEUED_LATER
                                                       : q->flags & ~IV_QUEUED_LATER);
    } else {
        q->judged |= bit_of(assessor);
        q->flags = (uint8_t)(q->flags & ~IV_QUEUED_LATER);
    }
    recount(s, q, was, judged);
}

void iv_queue_conflict(iv_store *s, int64_t item, bool conflict, bool adjudicated)
{
    iv_queued *q = &s->items[item - 1];
    const int both = IV_QUEUED_CONFLICT | IV_QUEUED_ADJUDICATED;
    const bool was = (q->flags & both) == IV_QUEUED_CONFLICT;

    q->flags = (uint8_t)((q->flags & ~both) | (conflict ? IV_QUEUED_CONFLICT : 0)
                         | (adjudicated ? IV_QUEUED_ADJUDICATED : 0));
    const bool is = (q->flags & both) == IV_QUEUED_CONFLICT;
    s->conflicts += (size_t)(is && !was);
    s->conflicts -= (size_t)(was && !is);
}

/* ---------------------------------------------------------------- next -- */

/* May the assessor judge it now?  What was put off comes when `late`. */
static bool offered(const iv_store *s, const iv_queued *q, const iv_store_wish *w, bool late)
{
    const unsigned need = q->flags & IV_QUEUED_TWICE ? 2 : 1;
    unsigned has = iv_queued_judged(q);

    if (q->judged & bit_of(w->assessor) || (!late && q->flags & IV_QUEUED_LATER))
        return false;
    if (q->lease_by != w->assessor && held(s, q, w->now))
        has++;
    return has < need;
}

/* The first item of a lane that may be judged, from its cursor on; SIZE_MAX: none. */
static size_t first_of(iv_store *s, iv_lane *t, const iv_store_wish *w, bool late)
{
    const uint32_t *order = s->order + t->first;
    const bool all = w->topic == 0;
    size_t *cursor = all ? &t->cursor : &s->cursors[w->topic - 1];

    while (*cursor < t->count && (iv_queued_done(&s->items[order[*cursor]])
                                  || (!all && s->items[order[*cursor]].topic != w->topic - 1)))
        (*cursor)++;
    for (size_t i = *cursor; i < t->count; i++) {
        const iv_queued *q = &s->items[order[i]];
        if ((all || q->topic == w->topic - 1) && (int64_t)order[i] + 1 != w->not_this
            && offered(s, q, w, late))
            return i;
    }
    return SIZE_MAX;
}

/* What the assessor has already and has not judged. */
static int64_t leased_before(const iv_store *s, const iv_store_wish *w)
{
    const int64_t *leased = s->assessor[w->assessor - 1].leased;

    for (size_t i = 0; i < IV_LEASES; i++) {
        if (leased[i] == 0 || leased[i] == w->not_this)
            continue;
        const iv_queued *q = &s->items[leased[i] - 1];
        if (q->lease_by == w->assessor && held(s, q, w->now) && offered(s, q, w, true)
            && (w->topic == 0 || iv_queue_topic_of(s, leased[i]) == w->topic - 1))
            return leased[i];
    }
    return 0;
}

/* Topic by topic, or from all in turn: the one whose first open item comes first. */
static int64_t choose(iv_store *s, const iv_store_wish *w, bool late)
{
    size_t best = SIZE_MAX;
    int64_t item = 0;

    for (size_t t = 0; t < s->lane_count; t++) {
        if (s->lane_count > 1 && ((w->topic != 0 && t != w->topic - 1)
                                  || s->topics[t].done == s->topics[t].items))
            continue;
        const size_t at = first_of(s, &s->lanes[t], w, late);
        if (at < best) {
            best = at;
            item = (int64_t)s->order[s->lanes[t].first + at] + 1;
            if (!s->about.interleaved || at == 0)
                break;
        }
    }
    return item;
}

static int64_t choose_conflict(const iv_store *s, const iv_store_wish *w)
{
    const int both = IV_QUEUED_CONFLICT | IV_QUEUED_ADJUDICATED;

    for (size_t i = 0; s->conflicts > 0 && i < s->about.items; i++)
        if ((s->items[i].flags & both) == IV_QUEUED_CONFLICT && (int64_t)i + 1 != w->not_this
            && (w->topic == 0 || iv_queue_topic_of(s, (int64_t)i + 1) == w->topic - 1))
            return (int64_t)i + 1;
    return 0;
}

/* The item and why; 0: none is left. */
static int64_t take_next(iv_store_role *role, iv_store *s, const iv_store_wish *w)
{
    int64_t item;

    if (w->topic > s->about.topics)
        return 0;
    if (w->adjudicate) {
        *role = IV_ROLE_ADJUDICATION;
        return choose_conflict(s, w);
    }
    s->assessor[w->assessor - 1].seen = w->now;
    item = leased_before(s, w);
    if (item == 0)
        item = choose(s, w, false);
    if (item == 0)
        item = choose(s, w, true);
    if (item == 0)
        return 0;
    *role = s->items[item - 1].judged != 0 ? IV_ROLE_OVERLAP : IV_ROLE_FIRST;
    end_lease(s, item, w->assessor);
    lease(s, item, w->assessor);
    return item;
}

/* ---------------------------------------------------------------- items -- */

static int read_text(iv_store_item *out, iv_arena *a, iv_store *s, iv_err *err)
{
    sqlite3_stmt *st = s->read_document;

    iv_db_bind(st, "i", out->item);
    const int rc = iv_db_step(st, s->path, err);
    if (rc != IV_OK)
        return rc == IV_NO_ROW ? iv_fail_at(err, IV_ENODATA, s->path, 0, "no item %lld",
                                            (long long)out->item) : rc;
    out->docno = iv_db_text(a, st, 0);
    out->title = iv_db_text(a, st, 1);
    out->missing = sqlite3_column_type(st, 2) == SQLITE_NULL;
    iv_str text = { "", 0 };
    int said = IV_OK;
    if (!out->missing)
        said = iv_store_unpack(&text, a, iv_db_str(st, 2), sqlite3_column_int(st, 3) != 0, err);
    (void)sqlite3_reset(st);
    out->text = text.ptr;
    out->text_bytes = text.len;
    if (out->title == NULL)
        out->title = "";
    return said == IV_OK && out->docno == NULL ? iv_no_memory(err) : said;
}

static int read_said(iv_store_item *out, iv_arena *a, iv_store *s, int64_t assessor, bool all,
                     iv_err *err)
{
    iv_store_word *words = iv_take(a, 2 * IV_ASSESSORS_MOST, sizeof *words);
    int rc = words == NULL ? iv_no_memory(err) : IV_OK;
    sqlite3_stmt *st = s->read_words;

    iv_db_bind(st, "i", out->item);
    while (iv_db_next(st, &rc, s->path, err)) {
        const char *note = iv_db_text(a, st, 5);
        const iv_store_word w = {
            sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1),
            (iv_store_reason)sqlite3_column_int(st, 2),
            sqlite3_column_type(st, 3) == SQLITE_NULL ? -1 : sqlite3_column_int(st, 3),
            iv_db_text(a, st, 4), note == NULL ? "" : note };
        if (w.assessor == assessor && w.reason != IV_REASON_ADJUDICATED)
            out->mine = w;
        if (all && out->other_count < 2 * IV_ASSESSORS_MOST)
            words[out->other_count++] = w;
    }
    out->others = words;
    return rc == IV_NO_ROW ? IV_OK : rc;
}

static int read_item(iv_store_item *out, iv_arena *a, iv_store *s, int64_t assessor, bool all,
                     iv_err *err)
{
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = read_text(out, a, s, err);
    if (rc == IV_OK)
        rc = read_said(out, a, s, assessor, all, err);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

int iv_store_next(iv_store_item *out, iv_arena *a, iv_store *s, const iv_store_wish *wish,
                  iv_err *err)
{
    iv_store_item it = { 0 };
    bool known = false, owner = false;

    (void)pthread_mutex_lock(&s->lock_queue);
    const iv_queued_assessor *who = iv_queue_assessor(s, wish->assessor);
    if (who != NULL) {
        known = true;
        owner = who->is.owner;
        if (!wish->adjudicate || owner)
            it.item = take_next(&it.role, s, wish);
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    if (!known || (wish->adjudicate && !owner))
        return iv_fail(err, IV_EARG, known ? "only the owner adjudicates"
                       : "assessor %lld, expected one who may judge", (long long)wish->assessor);
    if (it.item == 0)
        return iv_fail(err, IV_ENODATA, "nothing is left to judge");
    it.topic = iv_queue_topic_of(s, it.item);
    IV_TRY(read_item(&it, a, s, wish->assessor, wish->adjudicate, err));
    *out = it;
    return IV_OK;
}

int iv_store_item_at(iv_store_item *out, iv_arena *a, iv_store *s, int64_t item,
                     int64_t assessor, iv_err *err)
{
    iv_store_item it = { .item = item, .role = IV_ROLE_FIRST };
    bool owner = false, theirs = false;

    if (item < 1 || (size_t)item > s->about.items)
        return iv_fail(err, IV_ENODATA, "no item %lld", (long long)item);
    (void)pthread_mutex_lock(&s->lock_queue);
    const iv_queued_assessor *who = iv_queue_assessor(s, assessor);
    const iv_queued *q = &s->items[item - 1];
    if (who != NULL) {
        owner = who->is.owner;
        theirs = owner || q->lease_by == assessor || (q->judged & bit_of(assessor));
        if (q->judged & ~bit_of(assessor))
            it.role = IV_ROLE_OVERLAP;
        if (owner && (q->flags & IV_QUEUED_CONFLICT))
            it.role = IV_ROLE_ADJUDICATION;
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    it.topic = iv_queue_topic_of(s, item);
    IV_TRY(read_item(&it, a, s, assessor, owner, err));
    if (!theirs && it.mine.seq == 0)
        return iv_fail(err, IV_ENODATA, "no item %lld of this assessor", (long long)item);
    *out = it;
    return IV_OK;
}
