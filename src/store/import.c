/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments made elsewhere, as words of an assessor, where they differ from the last. */
#include "base/digest.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/memory.h"
#include "store/assessors.h"
#include "store/bibliography.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/items.h"
#include "store/queue.h"
#include "store/record.h"
#include "store/session.h"
#include "store/session_export.h"
#include "store/store_open.h"
#include "store/upkeep.h"
#include "trec/judgments.h"

#include <sqlite3.h>
#include <string.h>

static void uuid_of(char out[IV_UUID_SIZE], int64_t item, int64_t assessor, int64_t seq)
{
    char text[96], sha[IV_SHA256_SIZE];
    const int len = snprintf(text, sizeof text, "import %lld %lld after %lld", (long long)item,
                             (long long)assessor, (long long)seq);

    (void)iv_sha256(sha, text, (size_t)len);
    (void)snprintf(out, IV_UUID_SIZE, "%.8s-%.4s-%.4s-%.4s-%.12s", sha, sha + 8, sha + 12,
                   sha + 16, sha + 20);
}

/* Judgments of the items that `mine`, the assessor's last words, do not have; in the order of
 * items. */
static size_t match(iv_store_entry *entries, iv_imported *done, const iv_judgments *j,
                    const iv_store *s, const iv_combined *c, const iv_combined *mine,
                    const iv_assessor *who)
{
    const int64_t assessor = who->id;
    const bool final = !who->judges; /* an adjudicator's */
    size_t n = 0;

    for (size_t i = 0; i < c->count; i++) {
        const char *topic = s->topics[s->items[i].topic].name;
        const size_t t = iv_judgments_find_topic(j, iv_str_of(topic));
        const iv_judgment *x = t == IV_NONE ? NULL : iv_judgments_find(j, t, c->docno[i]);
        if (x == NULL || x->grade < 0)
            continue;
        done->found++;
        if (final ? c->state[i] == IV_DECIDED && c->grade[i] == x->grade
                  : mine->grade[i] == x->grade)
            continue;
        done->changed += c->grade[i] >= 0 && c->grade[i] != x->grade;
        entries[n] = (iv_store_entry){ .item = (int64_t)i + 1, .assessor = assessor,
                                       .reason = final ? IV_REASON_ADJUDICATED
                                           : IV_REASON_IMPORTED, .grade = x->grade };
        uuid_of(entries[n].uuid, entries[n].item, assessor, iv_store_seq(s));
        n++;
    }
    return n;
}

static int take(iv_imported *done, iv_arena *a, iv_store *s, const iv_judgments *j,
                const char *path, const iv_assessor *who, iv_err *err)
{
    iv_combined c, mine;

    IV_TRY(iv_store_combine(&c, a, s, NULL, true, err));
    IV_TRY(iv_store_combine(&mine, a, s, &(iv_export_options){ .combine = who->name }, false, err));
    iv_store_entry *entries = iv_take(a, c.count + 1, sizeof *entries);
    if (entries == NULL)
        return iv_no_memory(err);
    const size_t n = match(entries, done, j, s, &c, &mine, who);
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *all;
        const size_t count = iv_judgments_of(&all, j, t);
        for (size_t i = 0; i < count; i++)
            done->others += all[i].grade >= 0;
    }
    done->others -= done->found;
    if (done->found == 0)
        return iv_fail_at(err, IV_ENODATA, path, 0, "judges no document of the session");
    /* What a session cannot hold is refused before anything is stored. */
    for (size_t i = 0; i < n; i++)
        if (!iv_store_has_grade(s, entries[i].grade))
            return iv_fail_at(err, IV_EPARSE, path, 0, "grade %d of document '%.*s', expected one "
                              "of the session's grades", (int)entries[i].grade,
                              (int)c.docno[entries[i].item - 1].len,
                              c.docno[entries[i].item - 1].ptr);
    IV_TRY(iv_store_append(s, entries, n, err));
    for (size_t i = 0; i < n; i++)
        done->stored += entries[i].stored == IV_STORED_NEW;
    return IV_OK;
}

/* The documents of a session, to find a reference by: keys have the numbers of documents. */
typedef struct catalogue {
    iv_ids names, titles, dois;
    iv_str *title;          /* keys, by document */
    uint64_t *record;       /* hashes, by document */
    uint32_t *of_title, *of_doi; /* IV_NO_ID: several have the title, or the DOI */
} catalogue;

static void free_catalogue(catalogue *c)
{
    iv_ids_free(&c->names);
    iv_ids_free(&c->titles);
    iv_ids_free(&c->dois);
}

static int read_catalogue(catalogue *c, iv_arena *a, iv_store *s, iv_err *err)
{
    const size_t room = s->about.documents + 1;
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT docno, title, (SELECT value FROM meta"
                           " WHERE key = 'ref:' || d.id) FROM document d ORDER BY d.id", err);

    c->title = iv_take(a, room, sizeof *c->title);
    c->record = iv_take(a, room, sizeof *c->record);
    c->of_title = iv_take(a, room, sizeof *c->of_title);
    c->of_doi = iv_take(a, room, sizeof *c->of_doi);
    if (rc == IV_OK)
        rc = iv_taken(a, err);
    for (uint32_t i = 0; iv_db_next(st, &rc, s->path, err); i++) {
        const char *name = iv_db_text(a, st, 0);
        const iv_str doi = iv_reference_key(a, iv_reference_field(a, iv_db_str(st, 2), "DO", true),
                                            true);
        if (name == NULL || i + 1 == room || iv_ids_add(&c->names, iv_str_of(name)) == IV_NO_ID)
            rc = iv_no_memory(err);
        if (rc != IV_OK)
            break;
        c->title[i] = iv_reference_key(a, iv_db_str(st, 1), false);
        c->record[i] = iv_hash(iv_db_str(st, 2));
        const size_t others = c->titles.count;
        const uint32_t title = c->title[i].len == 0 ? IV_NO_ID
            : iv_ids_add(&c->titles, c->title[i]);
        if (title != IV_NO_ID)
            c->of_title[title] = title < others ? IV_NO_ID : i;
        const size_t dois = c->dois.count;
        const uint32_t named = doi.len == 0 ? IV_NO_ID : iv_ids_add(&c->dois, doi);
        if (named != IV_NO_ID)
            c->of_doi[named] = named < dois ? IV_NO_ID : i;
    }
    return iv_db_end(st, rc);
}

/* By id, unless the titles differ, as they do when another program numbered the records; by a
 * number of ours if the record is the same; by DOI; by title, *unclear if several have it. */
static uint32_t find_reference(bool *unclear, const catalogue *c, iv_arena *a,
                               const iv_bibliographic *x)
{
    const iv_str title = iv_reference_key(a, x->title, false);
    const iv_str doi = iv_reference_key(a, x->doi, true);
    const bool own = iv_reference_field(a, x->source, "ID AN", true).len == x->id.len;
    uint32_t id = iv_ids_find(&c->names, x->id);

    *unclear = false;
    if (id != IV_NO_ID && (!own ? iv_hash(x->source) == c->record[id]
                           : title.len == 0 || c->title[id].len == 0
                             || iv_str_eq(title, c->title[id])))
        return id;
    if (doi.len > 0 && c->dois.count > 0 && (id = iv_ids_find(&c->dois, doi)) != IV_NO_ID
        && c->of_doi[id] != IV_NO_ID)
        return c->of_doi[id];
    if (title.len == 0 || c->titles.count == 0
        || (id = iv_ids_find(&c->titles, title)) == IV_NO_ID)
        return IV_NO_ID;
    *unclear = c->of_title[id] == IV_NO_ID;
    return c->of_title[id];
}

/* An assessor who is not revoked; NULL: none has the name. */
static const iv_assessor *assessor_named(const iv_store *s, iv_str name)
{
    for (size_t i = 0; i < s->assessor_count; i++)
        if (iv_str_eq(iv_str_of(s->assessor[i].name), name) && !s->assessor[i].revoked)
            return &s->assessor[i];
    return NULL;
}

/* The labels of references, such as ASReview exports them. */
static int labels_of_references(iv_judgments **out, iv_imported *done, iv_arena *a,
                                const iv_store *s, const catalogue *c, const iv_bibliography *b,
                                const char *path, const iv_work *work, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    size_t n = 0;
    int rc = IV_OK;
    iv_str *topics = iv_take(a, b->count + 1, sizeof *topics);
    iv_str *docs = iv_take(a, b->count + 1, sizeof *docs);
    int32_t *grades = iv_take(a, b->count + 1, sizeof *grades);
    size_t *labelled = iv_take(a, s->about.documents + 1, sizeof *labelled); /* by n, from 1 */

    IV_TRY(iv_taken(a, err));
    for (size_t i = 0; i < b->count && rc == IV_OK; i++) {
        const iv_bibliographic *x = &b->at[i];
        bool unclear = false;
        const uint32_t id = x->label < 0 ? IV_NO_ID : find_reference(&unclear, c, a, x);
        const size_t before = id == IV_NO_ID ? 0 : labelled[id];
        if (unclear || (before > 0 && grades[before - 1] != x->label))
            rc = iv_fail_at(err, IV_EPARSE, path, x->line, unclear
                            ? "several documents have the title %s; expected record_id or doi"
                            : "document %s has another label in a line before; expected one label",
                            iv_quote(quoted, unclear ? x->title : c->names.names[id]));
        done->others += id == IV_NO_ID && x->label >= 0;
        done->undecided += x->label == -2;
        if (id == IV_NO_ID || before > 0)
            continue;
        labelled[id] = n + 1;
        topics[n] = iv_str_of(s->topics[0].name);
        grades[n] = x->label;
        docs[n++] = iv_str_of(iv_arena_copy(a, c->names.names[id]));
    }
    if (rc == IV_OK && n == 0)
        rc = iv_fail_at(err, IV_ENODATA, path, 0, done->others > 0
                        ? "no row matches a record of the session by id and title, by DOI or by "
                          "title"
                        : "no record has a label; expected a column included with 0 and 1, notes "
                          "of ASReview or Rayyan, or a project of ASReview");
    return rc != IV_OK ? rc
        : iv_judgments_build(out, path, &(iv_judgment_columns){ n, { .strs = topics },
                                                                { .strs = docs }, grades },
                             work, err);
}

/* --------------------------------------------------- reviewers of Rayyan -- */

enum { NO_VOTE = -1, MAYBE = -2 };

/* The next of {"Jo"=>"Included", "Al"=>"Maybe"}. */
static bool next_vote(iv_str *name, int32_t *vote, iv_str *rest)
{
    iv_str part[2];

    for (int k = 0; k < 2; k++) {
        const char *from = rest->len == 0 ? NULL : memchr(rest->ptr, '"', rest->len);
        const size_t left = from == NULL ? 0 : rest->len - (size_t)(from + 1 - rest->ptr);
        const char *to = left == 0 ? NULL : memchr(from + 1, '"', left);
        if (to == NULL)
            return false;
        part[k] = (iv_str){ from + 1, (size_t)(to - from) - 1 };
        *rest = (iv_str){ to + 1, left - part[k].len - 1 };
    }
    *name = part[0];
    *vote = iv_is_one_of(part[1], "included") ? 1 : iv_is_one_of(part[1], "excluded") ? 0
        : iv_is_one_of(part[1], "maybe") ? MAYBE : NO_VOTE;
    return true;
}

/* Who voted, and whether they are assessors of the session, all or none of them. */
static int find_reviewers(iv_imported *done, iv_ids *names, const iv_store *s,
                          const iv_bibliography *b, const char *path, iv_err *err)
{
    size_t known = 0, missing = 0, length = 0;
    char quoted[IV_QUOTE_SIZE];
    iv_str name;
    int32_t vote;

    for (size_t i = 0; i < b->count; i++)
        for (iv_str votes = b->at[i].votes; next_vote(&name, &vote, &votes);)
            if (iv_ids_add(names, name) == IV_NO_ID)
                return iv_no_memory(err);
    for (size_t k = 0; k < names->count; k++) {
        const iv_assessor *who = assessor_named(s, names->names[k]);
        known += who != NULL;
        missing = who == NULL ? k : missing;
        if (length + 3 < sizeof done->names)
            length += (size_t)snprintf(done->names + length, sizeof done->names - length, "%s%.*s",
                                       k > 0 ? ", " : "", (int)names->names[k].len,
                                       names->names[k].ptr);
    }
    done->reviewers = names->count;
    done->each = known > 0;
    return known == 0 || known == names->count ? IV_OK
        : iv_fail_at(err, IV_EARG, path, 0, "reviewer %s of Rayyan is no assessor of the session; "
                     "expected one of that name (judge assessor SESSION --add NAME)",
                     iv_quote(quoted, names->names[missing]));
}

/* The votes of all reviewers as words of the assessors that they are. */
typedef struct votes {
    iv_imported *done;
    iv_arena *memory;
    iv_store *s;
    iv_combined all;
    iv_ids documents;        /* in the order of items */
    const int32_t *mine;     /* of the reviewer at hand: labels, by item */
    iv_store_entry *entries;
    size_t count;
} votes;

static int take_vote(votes *v, const catalogue *c, const iv_bibliographic *x,
                     const iv_assessor *who, int32_t vote, const char *path, iv_err *err)
{
    bool unclear = false;
    char quoted[IV_QUOTE_SIZE];
    const uint32_t id = find_reference(&unclear, c, v->memory, x);
    const uint32_t at = id == IV_NO_ID ? IV_NO_ID : iv_ids_find(&v->documents, c->names.names[id]);
    const int32_t kept = vote == MAYBE ? IV_COMBINED_CANNOT : vote;

    if (unclear)
        return iv_fail_at(err, IV_EPARSE, path, x->line, "several documents have the title %s; "
                          "expected record_id or doi", iv_quote(quoted, x->title));
    v->done->others += at == IV_NO_ID;
    if (at == IV_NO_ID)
        return IV_OK;
    v->done->found++;
    v->done->maybe += vote == MAYBE;
    if (v->mine[at] == kept)
        return IV_OK;
    iv_store_entry *e = &v->entries[v->count++];
    *e = (iv_store_entry){ .item = (int64_t)at + 1, .assessor = who->id,
                           .reason = vote == MAYBE ? IV_REASON_CANNOT : IV_REASON_IMPORTED,
                           .grade = vote, .note = vote == MAYBE ? "#maybe" : NULL };
    uuid_of(e->uuid, e->item, e->assessor, iv_store_seq(v->s));
    return IV_OK;
}

static int take_votes(votes *v, const catalogue *c, const iv_bibliography *b,
                      const iv_ids *reviewers, const char *path, iv_err *err)
{
    iv_str name;
    int32_t vote;

    IV_TRY(iv_store_combine(&v->all, v->memory, v->s, NULL, true, err));
    v->entries = iv_take(v->memory, b->count * reviewers->count + 1, sizeof *v->entries);
    IV_TRY(iv_taken(v->memory, err));
    for (size_t i = 0; i < v->all.count; i++)
        if (iv_ids_add(&v->documents, v->all.docno[i]) == IV_NO_ID)
            return iv_no_memory(err);
    for (size_t k = 0; k < reviewers->count; k++) {
        const iv_assessor *who = assessor_named(v->s, reviewers->names[k]);
        iv_combined mine;
        IV_TRY(iv_store_combine(&mine, v->memory, v->s, &(iv_export_options){
                                .combine = who->name }, false, err));
        v->mine = mine.grade;
        for (size_t i = 0; i < b->count; i++)
            for (iv_str said = b->at[i].votes; next_vote(&name, &vote, &said);)
                if (vote != NO_VOTE && iv_str_eq(name, reviewers->names[k]))
                    IV_TRY(take_vote(v, c, &b->at[i], who, vote, path, err));
    }
    if (v->done->found == 0)
        return iv_fail_at(err, IV_ENODATA, path, 0, "judges no document of the session");
    IV_TRY(iv_store_append(v->s, v->entries, v->count, err));
    for (size_t i = 0; i < v->count; i++)
        v->done->stored += v->entries[i].stored == IV_STORED_NEW;
    return IV_OK;
}

/* Labels of references, or votes of the session's assessors; *out NULL: these are stored. */
static int import_references(iv_judgments **out, iv_imported *done, iv_arena *a, iv_store *s,
                             const char *path, const char *assessor, const iv_work *work,
                             iv_err *err)
{
    iv_bibliography b = { .labels = true };
    catalogue c = { .title = NULL };
    iv_ids reviewers = { 0 };
    votes v = { .done = done, .memory = a, .s = s };
    int rc = iv_bibliography_load(&b, a, &(iv_texts){ &path, 1 }, work, err);

    if (rc == IV_OK)
        rc = read_catalogue(&c, a, s, err);
    if (rc == IV_OK && assessor == NULL)
        rc = find_reviewers(done, &reviewers, s, &b, path, err);
    if (rc == IV_OK)
        rc = done->each ? take_votes(&v, &c, &b, &reviewers, path, err)
            : labels_of_references(out, done, a, s, &c, &b, path, work, err);
    free_catalogue(&c);
    iv_ids_free(&v.documents);
    iv_ids_free(&reviewers);
    return rc;
}

int iv_store_find_references(iv_str **out, size_t *count, iv_arena *a, iv_store *s,
                             const char *path, const iv_work *work, iv_err *err)
{
    iv_bibliography b = { 0 };
    catalogue c = { .title = NULL };
    bool unclear; /* a ranking may leave a document out */
    int rc = iv_bibliography_load(&b, a, &(iv_texts){ &path, 1 }, work, err);
    iv_str *names = iv_take(a, b.count + 1, sizeof *names);

    if (rc == IV_OK)
        rc = names == NULL ? iv_no_memory(err) : read_catalogue(&c, a, s, err);
    for (size_t i = 0; i < b.count && rc == IV_OK; i++) {
        const uint32_t id = find_reference(&unclear, &c, a, &b.at[i]);
        names[i] = id == IV_NO_ID ? b.at[i].id : iv_str_of(iv_arena_copy(a, c.names.names[id]));
    }
    free_catalogue(&c);
    *out = names;
    *count = b.count;
    return rc;
}

int iv_store_import(iv_imported *out, iv_store *s, const char *path, const char *assessor,
                    const iv_work *work, iv_err *err)
{
    iv_arena memory = { 0 };
    iv_judgments *j = NULL;
    iv_imported done = { 0 };
    const iv_assessor *all, *who = NULL;

    if (iv_store_assessors(&all, s) > 0)
        who = assessor == NULL ? &all[0] : assessor_named(s, iv_str_of(assessor));
    if (who == NULL)
        return iv_fail(err, IV_EARG, "the session has no active assessor '%.60s'", assessor);
    iv_work listed = work != NULL ? *work : (iv_work){ 0 };
    char use[96];
    IV_TRY(iv_digests_new(&listed.digests, err));
    int rc = iv_bibliography_is(path)
        ? import_references(&j, &done, &memory, s, path, assessor, &listed, err)
        : iv_judgments_load(&j, path, IV_JUDGMENTS_ANY, &listed, err);
    if (rc == IV_OK && !done.each)
        rc = take(&done, &memory, s, j, path, who, err);
    (void)snprintf(use, sizeof use, "labels of %s", done.each ? "its reviewers" : who->name);
    if (rc == IV_OK)
        rc = iv_store_input_add(s, &(iv_store_input){ path, use, iv_digests_find(listed.digests,
                                                                                 path) }, err);
    iv_digests_free(listed.digests);
    iv_judgments_free(j);
    iv_arena_free(&memory);
    if (rc == IV_OK)
        *out = done;
    return rc;
}
