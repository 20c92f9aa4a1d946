/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a session: into a file beside its place, which is renamed when it is whole. */
#include "base/digest.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/draw.h"
#include "store/builder.h"
#include "store/builder_items.h"
#include "store/db.h"
#include "store/document_text.h"
#include "store/documents.h"
#include "store/seal.h"
#include "store/session.h"
#include "store/store_open.h"
#include "trec/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t overlap_key = UINT64_C(0x6f7665726c617000);

/* ------------------------------------------------------------- the texts -- */

static int put_document(void *user, uint32_t id, iv_str title, iv_str text, iv_str source,
                        iv_err *err)
{
    iv_builder *m = user;
    iv_arena own = { 0 };
    bool zipped = false;
    iv_str kept;
    int rc = iv_store_pack(&kept, &zipped, &own, text, err);

    if (rc == IV_OK) {
        iv_db_bind(m->put, "issbi", (int64_t)id + 1, m->documents.names[id], title, kept,
                   (int64_t)zipped);
        rc = iv_db_run(m->put, m->path, "store a document", err);
    }
    if (rc == IV_OK && source.len > 0) {
        iv_db_bind(m->keep, "is", (int64_t)id + 1, source);
        rc = iv_db_run(m->keep, m->path, "store a reference", err);
    }
    iv_arena_free(&own);
    return rc;
}

static int put_topic(void *user, uint32_t id, iv_str title, iv_str text, iv_str source,
                     iv_err *err)
{
    iv_builder *m = user;

    (void)source;
    iv_db_bind(m->put, "iss", (int64_t)id + 1, m->topics.names[id], text.len > 0 ? text : title);
    return iv_db_run(m->put, m->path, "store a topic", err);
}

/* What no file has: refused, or shown by its id. */
static int lacking(iv_builder *m, iv_wanted *wanted, const char *file, bool refuse, iv_err *err)
{
    for (uint32_t id = 0; id < wanted->ids.count && wanted->left > 0; id++) {
        char quoted[IV_QUOTE_SIZE];
        if (wanted->line[id] != 0)
            continue;
        if (refuse)
            return iv_fail_at(err, IV_ENODATA, file, 0, "%zu %s%s without a text, such as %s",
                              wanted->left, wanted->topics ? "topic" : "document",
                              wanted->left == 1 ? "" : "s",
                              iv_quote(quoted, wanted->ids.names[id]));
        iv_db_bind(m->put, wanted->topics ? "iss" : "issni", (int64_t)id + 1,
                   wanted->ids.names[id], (iv_str){ "", 0 }, (int64_t)0);
        IV_TRY(iv_db_run(m->put, m->path, "store a document", err));
    }
    return IV_OK;
}

static int write_texts(iv_builder *m, iv_wanted *wanted, const iv_ids *ids, const iv_texts *files,
                       bool refuse, iv_err *err)
{
    const char *sql = wanted->topics ? "INSERT INTO topic VALUES (?, ?, ?)"
                                     : "INSERT INTO document VALUES (?, ?, ?, ?, ?)";

    IV_TRY(iv_db_prepare(&m->put, m->db, m->path, sql, err));
    for (size_t i = 0; i < ids->count; i++)
        if (iv_ids_add(&wanted->ids, ids->names[i]) == IV_NO_ID)
            return iv_no_memory(err);
    IV_TRY(iv_wanted_begin(wanted, err));
    if (!wanted->topics && m->plan->documents.count == 0) /* a queue and its texts in one */
        IV_TRY(iv_references_read(wanted, &m->references, m->path, err));
    for (size_t i = 0; i < files->count; i++)
        IV_TRY(iv_documents_read(wanted, files->at[i], m->work, err));
    return lacking(m, wanted, files->count > 0 ? files->at[files->count - 1] : "", refuse, err);
}

static int write_all_texts(iv_builder *m, iv_err *err)
{
    const char *topics[] = { m->plan->topics };
    const iv_texts topic_files = { topics, topics[0] != NULL };
    const bool refuse = m->plan->missing == IV_MISSING_REFUSE;
    iv_wanted documents = { .put = put_document, .user = m };
    iv_wanted wanted = { .topics = true, .put = put_topic, .user = m };
    int rc = iv_db_prepare(&m->keep, m->db, m->path, "INSERT INTO meta VALUES ('ref:' || ?, ?)",
                           err);
    if (rc == IV_OK)
        rc = write_texts(m, &documents, &m->documents, &m->plan->documents, refuse, err);
    (void)sqlite3_finalize(m->keep);

    m->made.missing = documents.left;
    iv_wanted_free(&documents);
    (void)sqlite3_finalize(m->put);
    m->put = NULL;
    /* Where no file of topics is given, nobody has promised their texts. */
    if (rc == IV_OK)
        rc = write_texts(m, &wanted, &m->topics, &topic_files, refuse && topics[0] != NULL,
                         err);
    iv_wanted_free(&wanted);
    (void)sqlite3_finalize(m->put);
    m->put = NULL;
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
    iv_stream s = iv_stream_start(iv_work_seed(m->work), IV_FOR_SAMPLING, overlap_key);
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

static int write_items(iv_builder *m, iv_err *err)
{
    size_t *next = calloc(m->topics.count + 1, sizeof *next);
    int rc = next == NULL ? iv_no_memory(err)
        : iv_db_prepare(&m->put, m->db, m->path,
                        "INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?)", err);

    for (size_t i = 0; i < m->count && rc == IV_OK; i++) {
        const iv_builder_item *x = &m->items[i];
        const size_t ord = next[x->topic]++;
        const bool review = m->kind == IV_STORE_REVIEW;
        iv_db_bind(m->put, "iiiiiii", (int64_t)i + 1, (int64_t)x->topic + 1,
                   (int64_t)x->document + 1, review ? (int64_t)x->stratum + 1 : INT64_MIN,
                   review ? (int64_t)x->block + 1 : INT64_MIN, (int64_t)ord, (int64_t)x->twice);
        m->made.twice += x->twice;
        rc = iv_db_run(m->put, m->path, "store the queue", err);
    }
    free(next);
    (void)sqlite3_finalize(m->put);
    m->put = NULL;
    return rc;
}

/* ------------------------------------------------------- all the rest -- */

static int put_meta(iv_builder *m, const char *key, const char *text, iv_err *err)
{
    return iv_db_do(m->db, m->path, "store the session", err, "INSERT INTO meta VALUES (?, ?)",
                    "tt", key, text);
}

static int put_number(iv_builder *m, const char *key, double value, iv_err *err)
{
    char text[IV_REAL_SIZE];

    (void)iv_format_real(text, value);
    return put_meta(m, key, text, err);
}

/* A file of texts is as large as a collection: the texts that are taken from it have a checksum. */
static int write_source(iv_builder *m, const char *path, size_t number, iv_err *err)
{
    return path == NULL || iv_digests_find(m->work->digests, path) != NULL ? IV_OK
        : iv_db_do(m->db, m->path, "store the session", err,
                   "INSERT INTO meta VALUES ('input:' || ?, ' ' || ?)", "it", (int64_t)number,
                   path);
}

/* What a report names: the seed, and the files with their checksums. */
static int write_origin(iv_builder *m, iv_err *err)
{
    const iv_input *files;
    const size_t count = iv_digests_all(&files, m->work->digests);
    char seed[IV_REAL_SIZE];

    (void)snprintf(seed, sizeof seed, "%" PRIu64, iv_work_seed(m->work));
    IV_TRY(put_meta(m, "seed", seed, err));
    for (size_t i = 0; i < count; i++)
        IV_TRY(iv_db_do(m->db, m->path, "store the session", err,
                        "INSERT INTO meta VALUES ('input:' || ?, ? || ' ' || ?)", "itt",
                        (int64_t)i + 1, files[i].sha256, files[i].path));
    for (size_t i = 0; i < m->plan->documents.count; i++)
        IV_TRY(write_source(m, m->plan->documents.at[i], count + i + 1, err));
    return write_source(m, m->plan->topics, count + m->plan->documents.count + 1, err);
}

/* The assessors that a line names, with commas between, as bits. */
static int read_names(uint64_t *out, const iv_builder *m, iv_str names, uint64_t line, iv_err *err)
{
    const size_t judges = m->assessor_count - (m->plan->adjudicator != NULL);
    uint64_t bits = 0;

    while (names.len > 0) {
        const char *comma = memchr(names.ptr, ',', names.len);
        const size_t len = comma == NULL ? names.len : (size_t)(comma - names.ptr);
        const iv_str name = iv_trimmed((iv_str){ names.ptr, len });
        char quoted[IV_QUOTE_SIZE];
        size_t i = 0;
        while (i < judges && iv_str_cmp(name, iv_str_of(m->assessors[i])) != 0)
            i++;
        if (i == judges || i > 62)
            return iv_fail_at(err, IV_EPARSE, m->plan->assign, line, "%s is none of the assessors",
                              iv_quote(quoted, name));
        bits |= UINT64_C(1) << i;
        names = (iv_str){ names.ptr + len + (comma != NULL), names.len - len - (comma != NULL) };
    }
    if ((bits & (bits - 1)) == 0 && (bits == 0 || m->plan->overlap > 0.0))
        return iv_fail_at(err, IV_EPARSE, m->plan->assign, line, "one assessor at most, expected "
                          "%s", bits == 0 ? "a topic and its assessors" : "two with an overlap");
    *out = bits;
    return IV_OK;
}

/* Who judges which topic: lines of the topic's number and its assessors as bits. */
static int write_assigned(iv_builder *m, iv_err *err)
{
    iv_str text, line, word;
    char *out, quoted[IV_QUOTE_SIZE];
    uint64_t number = 0, bits = 0;
    size_t n = 0;

    if (m->plan->assign == NULL)
        return IV_OK;
    IV_TRY(iv_store_text(&text, &m->memory, m->plan->assign, m->work, err));
    out = iv_take(&m->memory, 48 * ((size_t)iv_lines_in(text) + 2), 1);
    if (out == NULL)
        return iv_no_memory(err);
    while (iv_next_line(&line, &text)) {
        number++;
        if (!iv_next_word(&word, &line))
            continue;
        const uint32_t topic = iv_ids_find(&m->topics, word);
        if (topic == IV_NO_ID)
            return iv_fail_at(err, IV_EPARSE, m->plan->assign, number, "%s is no topic of the "
                              "session", iv_quote(quoted, word));
        IV_TRY(read_names(&bits, m, iv_trimmed(line), number, err));
        n += (size_t)sprintf(out + n, "%" PRIu32 " %" PRIu64 "\n", topic + 1, bits);
    }
    return put_meta(m, "assign", out, err);
}

static int write_meta(iv_builder *m, iv_err *err)
{
    iv_str guidelines = { "", 0 }, clean = { "", 0 }, form;
    bool zipped = false;
    iv_work work = m->work != NULL ? *m->work : (iv_work){ 0 };

    work.most_bytes = 1u << 20; /* browsers show them beside every document */
    if (m->plan->guidelines != NULL)
        IV_TRY(iv_store_text(&guidelines, &m->memory, m->plan->guidelines, &work, err));
    const char *nul = memchr(guidelines.ptr, '\0', guidelines.len);
    if (nul != NULL)
        return iv_fail_at(err, IV_EPARSE, m->plan->guidelines, 1 + iv_lines_in((iv_str){
                          guidelines.ptr, (size_t)(nul - guidelines.ptr) }),
                          "a NUL byte, expected text");
    IV_TRY(iv_plain_utf8(&clean, &m->memory, guidelines, err));
    IV_TRY(iv_store_pack(&form, &zipped, &m->memory, m->form, err));
    IV_TRY(put_number(m, "kind", m->kind, err));
    IV_TRY(put_number(m, "level", (double)m->level, err));
    IV_TRY(put_number(m, "stop", m->stop, err));
    IV_TRY(put_number(m, "stop_number", (double)m->stop_number, err));
    IV_TRY(put_number(m, "target", m->plan->target, err));
    IV_TRY(put_number(m, "overlap", m->plan->overlap, err));
    IV_TRY(put_number(m, "interleaved", m->plan->order == IV_ORDER_INTERLEAVED, err));
    IV_TRY(put_number(m, "hide_interval", m->plan->hide_interval, err));
    IV_TRY(put_number(m, "form_zipped", zipped, err));
    IV_TRY(put_number(m, "known_count", (double)m->known_count, err));
    IV_TRY(put_meta(m, "known", m->known == NULL ? "" : m->known, err));
    IV_TRY(put_meta(m, "known_names", m->known == NULL ? "" : m->known_names, err));
    IV_TRY(put_meta(m, "tags", m->plan->tags == NULL ? "" : m->plan->tags, err));
    if (m->references.count > 0) {
        IV_TRY(put_number(m, "duplicates", (double)m->references.duplicates, err));
        IV_TRY(put_number(m, "skipped", (double)m->references.skipped, err));
        IV_TRY(put_number(m, "judged_before", (double)m->made.judged_before, err));
    }
    if (m->plan->adjudicator != NULL)
        IV_TRY(put_meta(m, "adjudicator", m->plan->adjudicator, err));
    IV_TRY(write_assigned(m, err));
    IV_TRY(put_meta(m, "grades", m->grades, err));
    IV_TRY(put_meta(m, "guidelines", clean.ptr, err));
    IV_TRY(put_meta(m, "version", iv_version(), err));
    IV_TRY(write_origin(m, err));
    IV_TRY(iv_db_do(m->db, m->path, "store the session", err,
                    "INSERT INTO meta VALUES ('form', ?)", "b", form));
    return iv_db_exec(m->db, m->path, "INSERT INTO meta VALUES ('created',"
                      " strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))", err);
}

static int write_people(iv_builder *m, iv_err *err)
{
    for (size_t i = 0; i < m->assessor_count; i++)
        IV_TRY(iv_db_do(m->db, m->path, "store an assessor", err,
                        "INSERT INTO assessor(id, name) VALUES (?, ?)", "it", (int64_t)i + 1,
                        m->assessors[i]));
    for (size_t k = 0; k < m->stratum_count; k++)
        IV_TRY(iv_db_do(m->db, m->path, "store a stratum", err,
                        "INSERT INTO stratum VALUES (?, ?, ?, ?)", "isii", (int64_t)k + 1,
                        m->strata[k].name, m->strata[k].size, (int64_t)m->strata[k].retrieved));
    return IV_OK;
}

static int write_duplicates(iv_builder *m, iv_err *err)
{
    const iv_bibliography *b = &m->references;

    for (size_t i = 0; i < b->count; i++) {
        const iv_bibliographic *x = &b->at[i];
        if (x->of > 0)
            IV_TRY(iv_db_do(m->db, m->path, "store a duplicate", err,
                            "INSERT INTO duplicate VALUES (?, ?, ?, ?, ?)", "sstis", x->id,
                            b->at[x->of - 1].id, x->why, (int64_t)x->duplicate, x->source));
    }
    return IV_OK;
}

static int write_all(iv_builder *m, iv_err *err)
{
    /* Nobody sees the file before it is whole: it needs no journal. */
    IV_TRY(iv_db_exec(m->db, m->path, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF",
                      err));
    IV_TRY(iv_db_exec(m->db, m->path, iv_store_schema, err));
    IV_TRY(iv_db_exec(m->db, m->path, "BEGIN", err));
    IV_TRY(write_all_texts(m, err));
    IV_TRY(arrange(m, err));
    IV_TRY(write_items(m, err));
    IV_TRY(write_people(m, err));
    IV_TRY(write_meta(m, err));
    IV_TRY(write_duplicates(m, err));
    IV_TRY(iv_seal_begin(m->db, m->path, err));
    return iv_db_exec(m->db, m->path, "COMMIT", err);
}

/* ---------------------------------------------------------- the file -- */

static int cannot(const char *path, iv_err *err)
{
    return iv_fail_at(err, IV_EIO, path, 0, "cannot write: %s", strerror(errno));
}

int iv_store_begin_file(char **out, iv_arena *a, const char *path, iv_err *err)
{
    static const char *const ends[] = { "-wal", "-shm", "-journal" };
    const size_t len = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (len > strlen(ends[i]) && strcmp(path + len - strlen(ends[i]), ends[i]) == 0)
            return iv_fail_at(err, IV_EIO, path, 0, "is a name of SQLite's logs, which it deletes; "
                              "expected one that does not end with %s", ends[i]);
    *out = iv_take(a, len + 40, 1);
    if (*out == NULL)
        return iv_no_memory(err);
    (void)sprintf(*out, "%s.tmp-%ld", path, (long)getpid());
    (void)unlink(*out);
    const int fd = open(*out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return fd < 0 || close(fd) != 0 ? cannot(path, err) : IV_OK;
}

static bool sync_path(const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool done = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0)
        (void)close(fd);
    return done;
}

int iv_store_place_file(const char *temporary, const char *path, bool replace, iv_err *err)
{
    char *copy = strdup(path);
    int rc = IV_OK;

    if (copy == NULL)
        return iv_no_memory(err);
    if (!sync_path(temporary)
        || (replace ? rename(temporary, path) : link(temporary, path)) != 0)
        rc = !replace && errno == EEXIST ? iv_fail_at(err, IV_EIO, path, 0, "exists already, "
                                                      "expected a new name") : cannot(path, err);
    if (rc == IV_OK && !replace)
        (void)unlink(temporary);
    if (rc == IV_OK && !sync_path(dirname(copy)))
        rc = cannot(path, err);
    free(copy);
    return rc;
}

static int write_file(iv_builder *m, iv_err *err)
{
    char *copy = iv_arena_copy(&m->memory, iv_str_of(m->path)), *temporary = NULL;

    if (copy == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_store_refuse_network(dirname(copy), err));
    IV_TRY(iv_store_begin_file(&temporary, &m->memory, m->path, err));
    int rc = iv_store_connect(&m->db, temporary, err);
    if (rc == IV_OK)
        rc = write_all(m, err);
    (void)sqlite3_finalize(m->put);
    if (sqlite3_close(m->db) != SQLITE_OK && rc == IV_OK)
        rc = iv_fail_at(err, IV_EIO, m->path, 0, "cannot write: the database did not close");
    if (rc == IV_OK)
        rc = iv_store_place_file(temporary, m->path, false, err);
    if (rc != IV_OK)
        (void)unlink(temporary);
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

static int make(iv_session_made *out, const char *path, const iv_session_plan *plan,
                const iv_work *work, iv_err *err)
{
    iv_builder m = { .plan = plan, .work = work, .grades = "", .path = path };
    int rc = path[0] == '\0' ? iv_fail(err, IV_EARG, "the name of the session is empty, expected "
                                      "a file") : iv_builder_options(&m, err);

    if (rc == IV_OK)
        rc = refuse_remains(&m.memory, path, err);
    if (rc == IV_OK)
        rc = plan->design != NULL ? iv_builder_design(&m, err)
            : plan->strata != NULL ? iv_builder_review(&m, err) : iv_builder_queue(&m, err);
    if (rc == IV_OK)
        rc = write_file(&m, err);
    if (rc == IV_OK) {
        m.made.items = m.count;
        m.made.topics = m.topics.count;
        m.made.documents = m.documents.count;
        m.made.references = m.references.count > 0;
        m.made.duplicates = m.references.duplicates;
        m.made.alike = m.references.alike;
        m.made.skipped = m.references.skipped;
        m.made.labelled = m.references.labelled;
        m.made.renamed = m.references.renamed;
        memcpy(m.made.skipped_at, m.references.skipped_at, sizeof m.made.skipped_at);
        *out = m.made;
    }
    free(m.items);
    iv_ids_free(&m.topics);
    iv_ids_free(&m.documents);
    iv_arena_free(&m.memory);
    return rc;
}

int iv_session_make(iv_session_made *out, const char *path, const iv_session_plan *plan,
                    const iv_work *work, iv_err *err)
{
    iv_work with = work != NULL ? *work : (iv_work){ 0 };
    iv_digests *own = NULL;

    if (with.digests == NULL) {
        IV_TRY(iv_digests_new(&own, err));
        with.digests = own;
    }
    const int rc = make(out, path, plan, &with, err);
    iv_digests_free(own);
    return rc;
}
