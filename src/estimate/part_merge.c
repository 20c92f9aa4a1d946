/* SPDX-License-Identifier: Apache-2.0 */
/* Parts put together: rows of runs by topic, whatever part they came from. */
#include "estimate/part_merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/parallel.h"
#include "estimate/estimate_private.h"
#include "measure/measure_private.h"

/* A block has its checksum and yet cannot be what was written: `what` says why. */
static int damaged(const char *what, iv_err *err)
{
    return iv_fail(err, IV_EPARSE, "the file is damaged: %s", what);
}

static const char short_block[] = "a block ends before what it counts";

/* A name that a C string can be. */
static bool is_name(iv_str s) { return s.len > 0 && memchr(s.ptr, '\0', s.len) == NULL; }

/* --------------------------------------------------------------- heads -- */

/* The measures to take of a part's, by their places there. */
static int choose_measures(iv_merging *m, const iv_texts *asked, iv_err *err)
{
    iv_listing there = { .most = 8 };

    for (size_t k = 0; k < m->stored; k++)
        iv_list_quoted(&there, m->names[k]);
    m->width = asked->count > 0 ? asked->count : m->stored;
    m->chosen = iv_take(&m->own, m->width, sizeof *m->chosen);
    IV_TRY(iv_taken(&m->own, err));
    for (size_t i = 0; i < m->width; i++) {
        size_t at = asked->count > 0 ? m->stored : i;
        for (size_t k = 0; at == m->stored && k < m->stored; k++)
            if (iv_str_eq(m->names[k], iv_str_of(asked->at[i])))
                at = k;
        if (at == m->stored)
            return iv_fail(err, IV_EARG, "the scores have no measure '%.80s', but %s",
                           asked->at[i], iv_listed(&there));
        m->chosen[i] = at;
    }
    return IV_OK;
}

/* How topics were scored, as far as it is numbers. */
static int take_options(iv_merging *m, iv_part_block *b, iv_err *err)
{
    iv_measure_options *o = &m->measure;
    const iv_str text = iv_part_text(b);
    const int64_t level = (int64_t)iv_part_u64(b);

    m->options = (iv_str){ iv_arena_copy(&m->own, text), text.len };
    o->level = (int32_t)level;
    o->depth = (size_t)iv_part_u64(b);
    o->collection = (int64_t)iv_part_u64(b);
    const uint32_t dialect = iv_part_u32(b), flags = iv_part_u32(b), format = iv_part_u32(b);
    o->dialect = (iv_dialect)dialect;
    o->judged_only = flags & 1;
    m->complete = flags & 2;
    m->format = (iv_judgments_format)format;
    IV_TRY(iv_taken(&m->own, err));
    return !b->bad && is_name(text) && level == o->level && o->collection >= 0
            && dialect <= IV_TREC_EVAL_10 && flags <= 3 && format <= IV_JUDGMENTS_QRELS_PREFS
        ? IV_OK : damaged("nothing is scored with such options", err);
}

/* Every measure of a part is one number of a topic, and known by that name here. */
static int known_measures(const iv_merging *m, iv_arena *own, iv_err *err)
{
    iv_measures *parsed = NULL;
    const char **names = iv_take(own, m->stored, sizeof *names);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m->stored; i++)
        names[i] = m->names[i].ptr;
    const int rc = iv_measures_parse(&parsed, names, m->stored, &m->measure, err);
    if (rc != IV_OK && rc != IV_EARG)
        return rc;
    bool known = rc == IV_OK && iv_measures_count(parsed) == m->stored;
    for (size_t i = 0; known && i < m->stored; i++)
        known = iv_measures_value(parsed, i)->measure->kind != IV_TEXT;
    iv_measures_free(parsed);
    return known ? IV_OK : iv_fail(err, IV_EPARSE, "the scores are of measures that are not known here");
}

/* Of the first part: measures and how they were computed. */
static int begin_measures(iv_merging *m, iv_part_block *b, const iv_texts *asked, iv_err *err)
{
    IV_TRY(take_options(m, b, err));
    m->stored = iv_part_u32(b);
    if (b->bad || m->stored == 0 || m->stored > (size_t)(b->end - b->at))
        return damaged(short_block, err);
    m->names = iv_take(&m->own, m->stored, sizeof *m->names);
    IV_TRY(iv_taken(&m->own, err));
    for (size_t i = 0; i < m->stored; i++) {
        const iv_str name = iv_part_text(b);
        if (!is_name(name))
            return damaged(b->bad ? short_block : "a measure has no name", err);
        m->names[i] = (iv_str){ iv_arena_copy(&m->own, name), name.len };
    }
    IV_TRY(iv_taken(&m->own, err));
    IV_TRY(known_measures(m, &m->own, err));
    return choose_measures(m, asked, err);
}

/* Of later parts: the same. */
static int check_measures(const iv_merging *m, iv_part_block *b, iv_err *err)
{
    char ours[IV_QUOTE_SIZE], theirs[IV_QUOTE_SIZE];
    const iv_str options = iv_part_text(b);

    (void)iv_part_bytes(b, 3 * 8 + 2 * 4);
    if (!b->bad && !iv_str_eq(options, m->options))
        return iv_fail(err, IV_EPARSE, "scored with %s, expected %s as the first part",
                       iv_quote(ours, options), iv_quote(theirs, m->options));
    const uint32_t format = iv_part_u32(b), stored = iv_part_u32(b);
    bool same = format == (uint32_t)m->format && stored == m->stored;
    for (size_t i = 0; same && i < m->stored; i++)
        same = iv_str_eq(iv_part_text(b), m->names[i]);
    return b->bad || !same ? iv_fail(err, IV_EPARSE, "other measures or another kind of judgments, "
                                     "expected those of the first part") : IV_OK;
}

/* The run of that name, a new one if need be; IV_NONE: memory is out.  Parts list runs in one
 * order as a rule, so it is looked for from `next` on. */
static size_t find_run(iv_merging *m, size_t next, const char *name, iv_str tag, iv_str path)
{
    for (size_t r = 0; r < m->run_count; r++)
        if (strcmp(m->runs[(next + r) % m->run_count].name, name) == 0)
            return (next + r) % m->run_count;
    iv_merged_run *runs = iv_grow(m->runs, &m->run_room, m->run_count + 1, sizeof *runs);
    if (runs == NULL)
        return IV_NONE;
    m->runs = runs;
    runs[m->run_count] = (iv_merged_run){
        .name = iv_arena_copy(&m->own, iv_str_of(name)), .tag = iv_arena_copy(&m->own, tag),
        .path = path.len > 0 ? iv_arena_copy(&m->own, path) : NULL };
    return m->own.failed ? IV_NONE : m->run_count++;
}

/* The runs of a part, each with its number among all. */
static int take_runs(iv_merging *m, iv_part_block *b, iv_err *err)
{
    const size_t count = iv_part_u32(b);
    iv_arena own = { 0 };

    if (b->bad || count > (size_t)(b->end - b->at))
        return damaged(short_block, err);
    iv_str *tags = iv_take(&own, count, sizeof *tags), *paths = iv_take(&own, count, sizeof *paths);
    const char **files = iv_take(&own, count, sizeof *files);
    char **names = iv_take(&own, count, sizeof *names);
    free(m->here);
    m->here = malloc((count + 1) * sizeof *m->here);
    m->here_count = count;
    int rc = m->here == NULL ? iv_no_memory(err) : iv_taken(&own, err);
    for (size_t r = 0; rc == IV_OK && r < count; r++) {
        tags[r] = iv_part_text(b);
        paths[r] = iv_part_text(b);
        files[r] = paths[r].len > 0 ? iv_arena_copy(&own, paths[r]) : NULL;
    }
    if (rc == IV_OK)
        rc = b->bad ? damaged(short_block, err) : iv_name_runs(names, tags, files, count, err);
    for (size_t r = 0; rc == IV_OK && r < count; r++) {
        m->here[r] = find_run(m, r > 0 ? m->here[r - 1] + 1 : 0, names[r], tags[r], paths[r]);
        if (m->here[r] == IV_NONE)
            rc = iv_no_memory(err);
    }
    for (size_t r = 0; names != NULL && r < count; r++)
        free(names[r]);
    iv_arena_free(&own);
    return rc;
}

/* ---------------------------------------------------------------- rows -- */

/* The topic's number; *known: a part before this one, or this one, has it. */
static uint32_t number_topic(iv_merging *m, iv_str name, const iv_judged_topic *judged, bool *known)
{
    uint32_t t = iv_ids_find(&m->topics, name);

    *known = t != IV_NO_ID;
    if (*known)
        return t;
    char *copy = iv_slabs_take(&m->bytes, name.len + 1);
    iv_judged_topic *grown = iv_grow(m->judged, &m->judged_room, m->topics.count + 1, sizeof *grown);
    if (grown != NULL)
        m->judged = grown;
    if (copy == NULL || grown == NULL)
        return IV_NO_ID;
    memcpy(copy, name.ptr, name.len);
    t = iv_ids_add(&m->topics, (iv_str){ copy, name.len });
    if (t != IV_NO_ID)
        m->judged[t] = *judged;
    return t;
}

/* Where the run's scores of a topic go: a new row, or the one it has; false: no memory. */
static bool make_row(iv_merged_run *run, uint32_t topic, size_t width)
{
    if (topic >= run->place_count) {
        uint32_t *place = iv_grow(run->place, &run->place_room, (size_t)topic + 1, sizeof *place);
        if (place == NULL)
            return false;
        run->place = place;
        for (; run->place_count <= topic; run->place_count++)
            place[run->place_count] = IV_ABSENT;
    }
    if (run->place[topic] != IV_ABSENT)
        return true;
    double *rows = iv_grow(run->rows, &run->row_room, (run->row_count + 1) * width, sizeof *rows);
    if (rows != NULL)
        run->rows = rows;
    iv_row_state *states = iv_grow(run->states, &run->state_room, run->row_count + 1, sizeof *states);
    if (states != NULL)
        run->states = states;
    if (rows == NULL || states == NULL)
        return false;
    states[run->row_count] = (iv_row_state){ IV_STATE_ABSENT, 0 };
    run->place[topic] = (uint32_t)run->row_count++;
    return true;
}

static int tell_split(const iv_merging *m, uint32_t topic, const char *run, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    return iv_fail(err, IV_EPARSE, "topic %s of run '%.80s' has other scores here than in a part before "
                   "this one, expected all lines of a topic in one part",
                   iv_quote(quoted, m->topics.names[topic]), run);
}

/* One run on one topic.  What a part counted as empty another may have. */
static int take_row(iv_merging *m, iv_merged_run *run, uint32_t topic, iv_part_block *b, iv_err *err)
{
    const char *state = iv_part_bytes(b, 1);
    const uint32_t retrieved = iv_part_u32(b);
    const char *row = state != NULL && *state != IV_STATE_ABSENT
        ? iv_part_bytes(b, 8 * (uint64_t)m->stored) : NULL;
    char quoted[IV_QUOTE_SIZE];
    double values[1];

    if (b->bad || (unsigned char)*state > IV_STATE_EMPTY)
        return damaged(b->bad ? short_block : "a topic of a run is neither scored nor missing", err);
    if (*state == IV_STATE_ABSENT)
        return IV_OK;
    run->here += *state == IV_STATE_SCORED;
    if (!make_row(run, topic, m->width))
        return iv_no_memory(err);
    const size_t at = run->place[topic];
    iv_row_state *has = &run->states[at];
    bool same = has->state == *state && has->retrieved == retrieved;
    if (has->state == IV_STATE_SCORED && *state == IV_STATE_EMPTY)
        return IV_OK;
    for (size_t i = 0; i < m->width; i++) {
        iv_part_block cell = { 0, row + 8 * m->chosen[i], row + 8 * m->stored, false };
        const uint64_t bits = iv_part_u64(&cell);
        memcpy(values, &bits, sizeof *values);
        if (!isfinite(*values))
            return iv_fail(err, IV_EPARSE, "topic %s of run '%.80s' has no finite score",
                           iv_quote(quoted, m->topics.names[topic]), run->name);
        double *to = &run->rows[at * m->width + i];
        same = same && memcmp(to, values, sizeof *values) == 0;
        if (has->state != *state)
            *to = *values;
    }
    if (has->state == *state && !same)
        return tell_split(m, topic, run->name, err);
    m->repeated += has->state == *state && *state == IV_STATE_SCORED;
    *has = (iv_row_state){ (uint8_t)*state, retrieved };
    return IV_OK;
}

/* One topic's name and judgments, the same as in parts before this one, and here once. */
static int take_topic(uint32_t *out, iv_merging *m, iv_part_block *b, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const iv_str name = iv_part_text(b);
    iv_judged_topic here = { .judged = iv_part_u32(b) };
    bool known;

    here.above = iv_part_u32(b);
    here.blank = iv_part_u32(b);
    here.digest = iv_part_u64(b);
    if (b->bad || !is_name(name) || (uint64_t)here.above + here.blank > here.judged)
        return damaged(b->bad ? short_block : "a topic has no name, or more judgments of a kind than in "
                       "all", err);
    *out = number_topic(m, name, &here, &known);
    if (*out == IV_NO_ID)
        return iv_no_memory(err);
    iv_judged_topic *has = &m->judged[*out];
    if (has->part > m->tails)
        return iv_fail(err, IV_EPARSE, "topic %s stands twice in this part", iv_quote(quoted, name));
    has->part = m->tails + 1;
    if (has->judged == here.judged && has->above == here.above && has->blank == here.blank)
        return has->digest == here.digest ? IV_OK
            : iv_fail(err, IV_EPARSE, "topic %s has other judgments here than in a part before this "
                      "one, expected the same", iv_quote(quoted, name));
    return iv_fail(err, IV_EPARSE, "topic %s has %lu judgments here and %lu in a part before this one, "
                   "expected all lines of a topic in one part", iv_quote(quoted, name),
                   (unsigned long)here.judged, (unsigned long)has->judged);
}

static int take_rows(iv_merging *m, iv_part_block *b, const iv_work *work, iv_err *err)
{
    const size_t count = iv_part_u32(b);

    if (b->bad || count > (size_t)(b->end - b->at))
        return damaged(short_block, err);
    uint32_t *topic = malloc((count + 1) * sizeof *topic);
    int rc = topic == NULL ? iv_no_memory(err) : IV_OK;
    for (size_t t = 0; rc == IV_OK && t < count; t++)
        rc = take_topic(&topic[t], m, b, err);
    for (size_t r = 0; rc == IV_OK && r < m->here_count; r++)
        for (size_t t = 0; rc == IV_OK && t < count; t++) {
            rc = take_row(m, &m->runs[m->here[r]], topic[t], b, err);
            if (rc == IV_OK && t % 4096 == 0)
                rc = iv_check_work(work, 0.5, err);
        }
    m->part_topics += count;
    free(topic);
    return rc;
}

static int take_tail(iv_merging *m, iv_part_block *b, iv_err *err)
{
    const uint64_t topics = iv_part_u64(b);
    const int32_t largest = (int32_t)iv_part_u32(b);
    bool many = false; /* more lines than a file can have */

    m->uneven = m->uneven || (m->tails > 0 && largest != m->largest);
    m->tails++;
    m->largest = largest > m->largest ? largest : m->largest;
    for (size_t r = 0; r < m->here_count; r++) {
        iv_merged_run *run = &m->runs[m->here[r]];
        const uint64_t bytes = iv_part_u64(b);
        size_t n[10] = { 0 };
        for (size_t i = 1; i < 10; i++) {
            const uint64_t lines = iv_part_u64(b);
            n[i] = (size_t)lines;
            many = many || lines >> 53 != 0 || n[i] != lines;
        }
        many = many || bytes >> 53 != 0;
        many = many || n[5] > n[4] || n[7] > n[6];
        const size_t file = run->here + n[1];
        run->split = run->split || (run->topics != 0 && run->topics != file);
        run->topics = file;
        run->here = 0;
        run->bytes += bytes;
        const iv_run_notes here = {
            .not_judged = n[1], .float_ties = n[2], .ties = n[3], .top_retrieved = n[4],
            .top_unjudged = n[5], .retrieved = n[6], .unjudged = n[7],
            .odd = { .misranked_line = n[8], .many_tags = n[9] != 0 } };
        iv_notes_add(&run->noted, &here);
    }
    return b->bad || many || topics != m->part_topics ? damaged("its blocks do not add up", err) : IV_OK;
}

/* --------------------------------------------------------------- parts -- */

static int take_blocks(iv_merging *m, const iv_bytes *bytes, const char *name, const iv_texts *asked,
                       const iv_work *work, iv_err *err)
{
    const char *at = bytes->ptr, *const end = at + bytes->len;
    uint32_t last = 0;

    IV_TRY(iv_part_open(name, &at, end, err));
    m->part_topics = 0;
    while (last != IV_PART_TAIL) {
        iv_part_block b;
        int rc;
        IV_TRY(iv_part_next(&b, name, &at, end, err));
        if ((b.kind == IV_PART_HEAD) != (last == 0)) {
            rc = damaged("its blocks are not in order", err);
        } else if (b.kind == IV_PART_HEAD) {
            rc = m->stored == 0 ? begin_measures(m, &b, asked, err) : check_measures(m, &b, err);
            rc = rc == IV_OK ? take_runs(m, &b, err) : rc;
        } else {
            rc = b.kind == IV_PART_ROWS ? take_rows(m, &b, work, err) : take_tail(m, &b, err);
        }
        if (rc == IV_OK && b.at != b.end)
            rc = damaged("a block goes on behind what it counts", err);
        if (rc == IV_EPARSE && err != NULL && err->file[0] == '\0') {
            const iv_err told = *err;
            (void)iv_fail_at(err, rc, name, 0, "%s", told.msg);
        }
        IV_TRY(rc);
        last = b.kind;
    }
    return at == end ? IV_OK : iv_fail_at(err, IV_EPARSE, name, 0, "%llu bytes behind the last block, "
                                          "expected none", (unsigned long long)(end - at));
}

int iv_merging_add(iv_merging *m, const char *path, const iv_texts *asked, const iv_work *work,
                   iv_err *err)
{
    iv_bytes bytes;

    IV_TRY(iv_bytes_load_raw(&bytes, path, work, err));
    const int rc = iv_packing_of(bytes.ptr, bytes.len) != IV_PLAIN
        ? iv_fail_at(err, IV_EPARSE, path, 0, "is packed, expected scores as they were written")
        : take_blocks(m, &bytes, path, asked, work, err);
    iv_bytes_free(&bytes);
    return rc;
}

void iv_merging_free(iv_merging *m)
{
    for (size_t r = 0; r < m->run_count; r++) {
        free(m->runs[r].rows);
        free(m->runs[r].states);
        free(m->runs[r].place);
    }
    free(m->runs);
    free(m->here);
    free(m->judged);
    iv_ids_free(&m->topics);
    iv_slabs_free(&m->bytes);
    iv_arena_free(&m->own);
}
