/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a session: into a file beside its place, which is renamed when it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "num/num_private.h"
#include "store/bibliography.h"
#include "store/builder.h"
#include "store/store_parts.h"

/* Writes a session: into a file beside its place, which is renamed when it is whole. */

static const uint64_t overlap_key = UINT64_C(0x6f7665726c617000);

/* The file being written. */
typedef struct writing {
    iv_builder *m;
    const char *path;
    char *temporary;
    sqlite3 *db;
    sqlite3_stmt *put, *keep;
    iv_session_made made;
} writing;

/* ------------------------------------------------------------- the texts -- */

static int put_document(void *user, uint32_t id, iv_str title, iv_str text, iv_str source,
                        iv_err *err)
{
    writing *w = user;
    iv_arena own = { 0 };
    bool zipped = false;
    iv_str kept;
    int rc = iv_store_pack(&kept, &zipped, &own, text, err);

    if (rc == IV_OK) {
        iv_db_bind(w->put, "issbi", (int64_t)id + 1, w->m->documents.names[id], title, kept,
                   (int64_t)zipped);
        rc = iv_db_run(w->put, w->path, "store a document", err);
    }
    if (rc == IV_OK && source.len > 0) {
        iv_db_bind(w->keep, "is", (int64_t)id + 1, source);
        rc = iv_db_run(w->keep, w->path, "store a reference", err);
    }
    iv_arena_free(&own);
    return rc;
}

static int put_topic(void *user, uint32_t id, iv_str title, iv_str text, iv_str source,
                     iv_err *err)
{
    writing *w = user;

    (void)title;
    (void)source;
    iv_db_bind(w->put, "iss", (int64_t)id + 1, w->m->topics.names[id], text);
    return iv_db_run(w->put, w->path, "store a topic", err);
}

/* What no file has: refused, or shown by its id. */
static int lacking(writing *w, iv_wanted *wanted, const char *file, bool refuse, iv_err *err)
{
    for (uint32_t id = 0; id < wanted->ids.count && wanted->left > 0; id++) {
        char quoted[IV_QUOTE_SIZE];
        if (wanted->line[id] != 0)
            continue;
        if (refuse)
            return iv_fail_at(err, IV_ENODATA, file, 0, "%s %s of the queue is nowhere found "
                              "(%zu such), expected its text",
                              wanted->topics ? "topic" : "document",
                              iv_quote(quoted, wanted->ids.names[id]), wanted->left);
        iv_db_bind(w->put, wanted->topics ? "iss" : "issni", (int64_t)id + 1,
                   wanted->ids.names[id], (iv_str){ "", 0 }, (int64_t)0);
        IV_TRY(iv_db_run(w->put, w->path, "store a document", err));
    }
    return IV_OK;
}

static int write_texts(writing *w, iv_wanted *wanted, const iv_ids *ids, const iv_texts *files,
                       bool refuse, iv_err *err)
{
    const char *sql = wanted->topics ? "INSERT INTO topic VALUES (?, ?, ?)"
                                     : "INSERT INTO document VALUES (?, ?, ?, ?, ?)";

    IV_TRY(iv_db_prepare(&w->put, w->db, w->path, sql, err));
    for (size_t i = 0; i < ids->count; i++)
        if (iv_ids_add(&wanted->ids, ids->names[i]) == IV_NO_ID)
            return iv_no_memory(err);
    IV_TRY(iv_wanted_begin(wanted, err));
    if (!wanted->topics && w->m->plan->documents.count == 0) /* a queue and its texts in one */
        IV_TRY(iv_references_read(wanted, &w->m->references, w->path, err));
    for (size_t i = 0; i < files->count; i++)
        IV_TRY(iv_documents_read(wanted, files->at[i], w->m->work, err));
    return lacking(w, wanted, files->count > 0 ? files->at[files->count - 1] : "", refuse, err);
}

static int write_all_texts(writing *w, iv_err *err)
{
    const char *topics[] = { w->m->plan->topics };
    const iv_texts topic_files = { topics, topics[0] != NULL };
    const bool refuse = w->m->plan->missing == IV_MISSING_REFUSE;
    iv_wanted documents = { .put = put_document, .user = w };
    iv_wanted wanted = { .topics = true, .put = put_topic, .user = w };
    int rc = iv_db_prepare(&w->keep, w->db, w->path, "INSERT INTO meta VALUES ('ref:' || ?, ?)",
                           err);
    if (rc == IV_OK)
        rc = write_texts(w, &documents, &w->m->documents, &w->m->plan->documents, refuse, err);
    (void)sqlite3_finalize(w->keep);

    w->made.missing = documents.left;
    iv_wanted_free(&documents);
    (void)sqlite3_finalize(w->put);
    w->put = NULL;
    /* Where no file of topics is given, nobody has promised their texts. */
    if (rc == IV_OK)
        rc = write_texts(w, &wanted, &w->m->topics, &topic_files, refuse && topics[0] != NULL,
                         err);
    iv_wanted_free(&wanted);
    (void)sqlite3_finalize(w->put);
    w->put = NULL;
    return rc;
}

/* ------------------------------------------------------------- the queue -- */

static int by_topic(const void *va, const void *vb)
{
    const iv_builder_item *a = va, *b = vb;

    if (a->topic != b->topic)
        return a->topic < b->topic ? -1 : 1;
    return a->block < b->block ? -1 : a->block > b->block; /* holds the order meanwhile */
}

/* A topic's items stand together, but for a queue; which are judged twice is drawn. */
static int arrange(iv_builder *m, iv_err *err)
{
    const uint64_t seed = m->work == NULL || m->work->seed == 0 ? 1 : m->work->seed;
    iv_stream s = iv_stream_start(seed, IV_FOR_SAMPLING, overlap_key);
    const size_t twice = (size_t)(m->plan->overlap * (double)m->count + 0.5);
    size_t *which = malloc((m->count + 1) * sizeof *which);

    if (which == NULL)
        return iv_no_memory(err);
    if (m->kind == IV_STORE_SAMPLE) { /* block holds the place */
        for (size_t i = 0; i < m->count; i++)
            m->items[i].block = (uint32_t)i;
        qsort(m->items, m->count, sizeof *m->items, by_topic);
        for (size_t i = 0; i < m->count; i++)
            m->items[i].block = 0;
    }
    if (twice > 0 && iv_draw_subset(&s, which, twice, m->count))
        for (size_t i = 0; i < twice; i++)
            m->items[which[i]].twice = true;
    free(which);
    return IV_OK;
}

static int write_items(writing *w, iv_err *err)
{
    const iv_builder *m = w->m;
    size_t *next = calloc(m->topics.count + 1, sizeof *next);
    int rc = next == NULL ? iv_no_memory(err)
        : iv_db_prepare(&w->put, w->db, w->path,
                        "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?)", err);

    for (size_t i = 0; i < m->count && rc == IV_OK; i++) {
        const iv_builder_item *x = &m->items[i];
        const size_t ord = next[x->topic]++;
        const bool review = m->kind == IV_STORE_REVIEW;
        (void)sqlite3_clear_bindings(w->put);
        iv_db_bind(w->put, "iii", (int64_t)i + 1, (int64_t)x->topic + 1,
                   (int64_t)x->document + 1);
        if (review) {
            (void)sqlite3_bind_int64(w->put, 4, (int64_t)x->stratum + 1);
            (void)sqlite3_bind_int64(w->put, 5, (int64_t)x->block + 1);
        }
        (void)sqlite3_bind_int64(w->put, 6, (int64_t)ord);
        (void)sqlite3_bind_int64(w->put, 7, x->twice);
        w->made.twice += x->twice;
        rc = iv_db_run(w->put, w->path, "store the queue", err);
    }
    free(next);
    (void)sqlite3_finalize(w->put);
    w->put = NULL;
    return rc;
}

/* ------------------------------------------------------- all the rest -- */

static int put_meta(writing *w, const char *key, const char *text, iv_err *err)
{
    iv_db_bind(w->put, "tt", key, text);
    return iv_db_run(w->put, w->path, "store the session", err);
}

static int put_number(writing *w, const char *key, double value, iv_err *err)
{
    char text[IV_REAL_SIZE];

    (void)iv_format_real(text, value);
    return put_meta(w, key, text, err);
}

static int write_meta(writing *w, iv_err *err)
{
    iv_builder *m = w->m;
    iv_str guidelines = { "", 0 }, clean = { "", 0 }, form;
    bool zipped = false;

    if (m->plan->guidelines != NULL)
        IV_TRY(iv_builder_text(&guidelines, m, m->plan->guidelines, err));
    IV_TRY(iv_plain_utf8(&clean, &m->memory, guidelines, err));
    IV_TRY(iv_store_pack(&form, &zipped, &m->memory, m->form, err));
    IV_TRY(put_number(w, "kind", m->kind, err));
    IV_TRY(put_number(w, "level", (double)m->level, err));
    IV_TRY(put_number(w, "stop", m->stop, err));
    IV_TRY(put_number(w, "stop_number", (double)m->stop_number, err));
    IV_TRY(put_number(w, "target", m->plan->target, err));
    IV_TRY(put_number(w, "overlap", m->plan->overlap, err));
    IV_TRY(put_number(w, "interleaved", m->plan->order == IV_ORDER_INTERLEAVED, err));
    IV_TRY(put_number(w, "hide_interval", m->plan->hide_interval, err));
    IV_TRY(put_number(w, "form_zipped", zipped, err));
    IV_TRY(put_number(w, "known_count", (double)m->known_count, err));
    IV_TRY(put_meta(w, "known", m->known == NULL ? "" : m->known, err));
    IV_TRY(put_meta(w, "known_names", m->known == NULL ? "" : m->known_names, err));
    IV_TRY(put_meta(w, "tags", m->plan->tags == NULL ? "" : m->plan->tags, err));
    if (m->references.count > 0) {
        IV_TRY(put_number(w, "duplicates", (double)m->references.duplicates, err));
        IV_TRY(put_number(w, "skipped", (double)m->references.skipped, err));
        IV_TRY(put_number(w, "judged_before", (double)m->judged_before, err));
    }
    IV_TRY(put_meta(w, "grades", m->grades, err));
    IV_TRY(put_meta(w, "guidelines", clean.ptr, err));
    IV_TRY(put_meta(w, "version", iv_version(), err));
    iv_db_bind(w->put, "tb", "form", form);
    IV_TRY(iv_db_run(w->put, w->path, "store the session", err));
    return iv_db_exec(w->db, w->path, "INSERT INTO meta VALUES ('created',"
                      " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))", err);
}

static int write_people(writing *w, iv_err *err)
{
    static const char *const one[] = { "assessor" };
    const iv_texts *given = &w->m->plan->assessors;
    const iv_texts who = given->count > 0 ? *given : (iv_texts){ one, 1 };

    IV_TRY(iv_db_prepare(&w->put, w->db, w->path, "INSERT INTO assessor(id, name) VALUES (?, ?)",
                         err));
    for (size_t i = 0; i < who.count; i++) {
        iv_db_bind(w->put, "it", (int64_t)i + 1, who.at[i]);
        IV_TRY(iv_db_run(w->put, w->path, "store an assessor", err));
    }
    (void)sqlite3_finalize(w->put);
    w->put = NULL;
    IV_TRY(iv_db_prepare(&w->put, w->db, w->path, "INSERT INTO stratum VALUES (?, ?, ?, ?)",
                         err));
    for (size_t k = 0; k < w->m->stratum_count; k++) {
        const iv_builder_stratum *s = &w->m->strata[k];
        iv_db_bind(w->put, "isii", (int64_t)k + 1, s->name, s->size, (int64_t)s->retrieved);
        IV_TRY(iv_db_run(w->put, w->path, "store a stratum", err));
    }
    (void)sqlite3_finalize(w->put);
    w->put = NULL;
    IV_TRY(iv_db_prepare(&w->put, w->db, w->path, "INSERT INTO meta VALUES (?, ?)", err));
    const int rc = write_meta(w, err);
    (void)sqlite3_finalize(w->put);
    w->put = NULL;
    return rc;
}

static int write_all(writing *w, iv_err *err)
{
    /* Nobody sees the file before it is whole: it needs no journal. */
    IV_TRY(iv_db_exec(w->db, w->path, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF",
                      err));
    IV_TRY(iv_db_exec(w->db, w->path, iv_store_schema, err));
    IV_TRY(iv_db_exec(w->db, w->path, "BEGIN", err));
    IV_TRY(write_all_texts(w, err));
    IV_TRY(arrange(w->m, err));
    IV_TRY(write_items(w, err));
    IV_TRY(write_people(w, err));
    return iv_db_exec(w->db, w->path, "COMMIT", err);
}

/* ---------------------------------------------------------- the file -- */

static int cannot(const char *path, const char *what, iv_err *err)
{
    return iv_fail_at(err, IV_EIO, path, 0, "cannot %s: %s", what, strerror(errno));
}

/* The folder of a path; room for it and a dot. */
static void folder_of(char *out, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t len = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);

    memcpy(out, slash == NULL ? "." : path, slash == NULL ? 1 : len);
    out[slash == NULL ? 1 : len] = '\0';
}

static int sync_path(const char *path, iv_err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool done = fd >= 0 && fsync(fd) == 0;
    const int rc = done ? IV_OK : cannot(path, "write", err);

    if (fd >= 0)
        (void)close(fd);
    return rc;
}

/* Gives it its name: never over another file. */
static int name_it(const writing *w, char *folder, iv_err *err)
{
    IV_TRY(sync_path(w->temporary, err));
    if (link(w->temporary, w->path) != 0)
        return errno == EEXIST ? iv_fail_at(err, IV_EIO, w->path, 0, "exists already, expected a "
                                            "new name") : cannot(w->path, "write", err);
    (void)unlink(w->temporary);
    folder_of(folder, w->path);
    return sync_path(folder, err);
}

static int write_file(writing *w, iv_err *err)
{
    char *folder = iv_take(&w->m->memory, strlen(w->path) + 3, 1);
    int rc = IV_OK;

    w->temporary = iv_take(&w->m->memory, strlen(w->path) + 40, 1);
    if (w->temporary == NULL || folder == NULL)
        return iv_no_memory(err);
    folder_of(folder, w->path);
    IV_TRY(iv_store_refuse_network(folder, err));
    (void)sprintf(w->temporary, "%s.tmp-%ld", w->path, (long)getpid());
    (void)unlink(w->temporary);
    const int fd = open(w->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return cannot(w->path, "write", err);
    (void)close(fd);
    rc = iv_store_connect(&w->db, w->temporary, SQLITE_OPEN_READWRITE, err);
    if (rc == IV_OK)
        rc = write_all(w, err);
    (void)sqlite3_finalize(w->put);
    if (sqlite3_close(w->db) != SQLITE_OK && rc == IV_OK)
        rc = iv_fail_at(err, IV_EIO, w->path, 0, "cannot write: the database did not close");
    if (rc == IV_OK)
        rc = name_it(w, folder, err);
    if (rc != IV_OK)
        (void)unlink(w->temporary);
    return rc;
}

/* SQLite takes a log beside a file for that file's, though it was another of the same name: its
 * judgments would be lost, and the new file with them. */
static int refuse_remains(iv_arena *a, const char *path, iv_err *err)
{
    static const char *const ends[] = { "", "-wal", "-journal" };
    char *name = iv_take(a, strlen(path) + 10, 1);
    struct stat st;

    if (name == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < 3; i++) {
        (void)sprintf(name, "%s%s", path, ends[i]);
        if (lstat(name, &st) == 0)
            return iv_fail_at(err, IV_EIO, name, 0, i == 0 ? "exists already, expected a new name"
                              : "exists, with judgments of a missing file; expected a new name");
    }
    return IV_OK;
}

int iv_session_make(iv_session_made *out, const char *path, const iv_session_plan *plan,
                    const iv_work *work, iv_err *err)
{
    iv_builder m = { .plan = plan, .work = work, .grades = "" };
    writing w = { .m = &m, .path = path };
    int rc = iv_builder_options(&m, err);

    if (rc == IV_OK)
        rc = refuse_remains(&m.memory, path, err);
    if (rc == IV_OK)
        rc = plan->design != NULL ? iv_builder_design(&m, err)
            : plan->strata != NULL ? iv_builder_review(&m, err) : iv_builder_queue(&m, err);
    if (rc == IV_OK)
        rc = write_file(&w, err);
    if (rc == IV_OK) {
        w.made.items = m.count;
        w.made.topics = m.topics.count;
        w.made.documents = m.documents.count;
        w.made.judged_before = m.judged_before;
        w.made.duplicates = m.references.duplicates;
        w.made.skipped = m.references.skipped;
        memcpy(w.made.skipped_at, m.references.skipped_at, sizeof w.made.skipped_at);
        *out = w.made;
    }
    free(m.items);
    iv_ids_free(&m.topics);
    iv_ids_free(&m.documents);
    iv_arena_free(&m.memory);
    return rc;
}
