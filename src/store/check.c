/* SPDX-License-Identifier: Apache-2.0 */
/* Is a session whole?  And copies of it. */
#include "store/store_private.h"

#include <unistd.h>

int iv_store_form_read(iv_judgments **out, iv_store_kind kind, iv_str form, const char *name,
                       iv_err *err)
{
    iv_judgments *j = NULL;

    IV_TRY(iv_judgments_parse(&j, name, form.ptr, form.len, IV_JUDGMENTS_ANY, NULL, err));
    const iv_judgments_format format = iv_judgments_format_of(j);
    const bool sample = kind == IV_STORE_SAMPLE;
    if (sample != (format == IV_JUDGMENTS_PRELS)) {
        iv_judgments_free(j);
        return iv_fail_at(err, IV_EPARSE, name, 0, "the session is damaged: kind %d, and judgments "
                          "in the format %s, expected %s", (int)kind,
                          iv_judgments_format_names()[format], sample ? "prels" : "qrels");
    }
    *out = j;
    return IV_OK;
}

int iv_store_strata(const iv_strata_table **out, iv_arena *a, iv_store *s, const char *name,
                    iv_err *err)
{
    const iv_strata_table *t = NULL;
    sqlite3_stmt *st = NULL;
    bool all = true; /* a table without any n asks for all documents */
    iv_str form;

    IV_TRY(iv_store_form_text(&form, a, s, err));
    IV_TRY(iv_strata_parse(&t, a, name, form, err));
    if (t->row_count != s->about.strata || t->run_count != 1)
        return iv_fail_at(err, IV_EPARSE, name, 0, "%zu strata of %zu run%s, and the session has "
                          "%zu of one", t->row_count, t->run_count, t->run_count == 1 ? "" : "s",
                          s->about.strata);
    for (size_t k = 0; k < t->row_count; k++)
        all = all && t->rows[k].sampled == 0;
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT name, size, retrieved,"
                           " coalesce(items, 0) FROM stratum LEFT JOIN (SELECT stratum AS id,"
                           " count(*) AS items FROM item GROUP BY stratum) USING (id) ORDER BY id",
                           err);
    for (size_t k = 0; k < t->row_count && iv_db_next(st, &rc, s->path, err); k++) {
        const iv_strata_row *row = &t->rows[k];
        const int64_t size = sqlite3_column_int64(st, 1), items = sqlite3_column_int64(st, 3);
        const int64_t wanted = all ? row->size : row->sampled;
        const bool retrieved = sqlite3_column_int(st, 2) != 0;
        char quoted[2][IV_QUOTE_SIZE];
        if (iv_str_cmp(row->name, iv_db_str(st, 0)) != 0 || row->size != size
            || t->retrieved[k] != retrieved || items != wanted)
            rc = iv_fail_at(err, IV_EPARSE, name, row->line, "stratum %s of %lld documents, %s, "
                            "%lld to judge, and the session has %s of %lld, %s, %lld to judge",
                            iv_quote(quoted[0], row->name), (long long)row->size,
                            t->retrieved[k] ? "retrieved" : "unretrieved", (long long)wanted,
                            iv_quote(quoted[1], iv_db_str(st, 0)), (long long)size,
                            retrieved ? "retrieved" : "unretrieved", (long long)items);
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = t;
    return rc;
}

/* Copies of a session, and whether it is whole. */

/* A copy must not take the place of what a session is made of, this one or another. */
static int refuse_target(const iv_store *s, const char *to, iv_err *err)
{
    static const char *const parts[] = { "", "-wal", "-shm" };
    const size_t room = strlen(s->path) + strlen(to) + 8;
    char *name = malloc(room);
    struct stat there, own;
    int rc = IV_OK;

    if (name == NULL)
        return iv_no_memory(err);
    const bool is = stat(to, &there) == 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == IV_OK; i++) {
        (void)snprintf(name, room, "%s%s", s->path, parts[i]);
        if (strcmp(name, to) == 0 || (is && stat(name, &own) == 0 && own.st_ino == there.st_ino
                                      && own.st_dev == there.st_dev))
            rc = iv_fail_at(err, IV_EIO, to, 0, "belongs to the session that is to be copied");
    }
    if (rc == IV_OK && is && !S_ISREG(there.st_mode))
        rc = iv_fail_at(err, IV_EIO, to, 0, "is no file that a copy can take the place of");
    for (size_t i = 1; i < sizeof parts / sizeof *parts && rc == IV_OK; i++) {
        (void)snprintf(name, room, "%s%s", to, parts[i]);
        if (stat(name, &own) == 0)
            rc = iv_fail_at(err, IV_EIO, to, 0, "is a session that is open, or was not closed: "
                            "%s exists", name);
    }
    free(name);
    return rc;
}

int iv_store_backup(iv_store *s, const char *to, iv_err *err)
{
    /* The connection that only reads cannot; it does not harm the one that writes. */
    sqlite3 *db = s->db != NULL ? s->db : s->reads;
    pthread_mutex_t *lock = s->db != NULL ? &s->write_lock : &s->read_lock;
    iv_arena own = { 0 };
    char *temporary = NULL;
    int rc = refuse_target(s, to, err);

    (void)pthread_mutex_lock(lock);
    if (rc == IV_OK) /* SQLite writes to a file that is empty */
        rc = iv_store_begin_file(&temporary, &own, to, err);
    if (rc == IV_OK)
        rc = iv_db_do(db, to, "write the copy", err, "VACUUM INTO ?", "t", temporary);
    if (rc == IV_OK)
        rc = iv_store_place_file(temporary, to, true, err);
    if (rc != IV_OK && temporary != NULL)
        (void)unlink(temporary);
    (void)pthread_mutex_unlock(lock);
    iv_arena_free(&own);
    return rc;
}

/* ---------------------------------------------------------------- check -- */

/* A query without rows, or the first row says what is wrong. */
static int expect_none(iv_store *s, const char *sql, const char *what, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, sql, err);

    if (iv_db_next(st, &rc, s->path, err)) {
        const char *text = (const char *)sqlite3_column_text(st, 0);
        rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "%s: %.200s", what, text == NULL ? "" : text);
    }
    return iv_db_end(st, rc);
}

/* Texts can be unpacked, one after the other. */
static int check_texts(iv_store *s, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    iv_err why;
    int rc = iv_db_prepare(&st, s->reads, s->path,
                           "SELECT docno, text FROM document WHERE zipped <> 0", err);

    while (iv_db_next(st, &rc, s->path, err)) {
        iv_arena own = { 0 };
        iv_str text;
        rc = iv_store_unpack(&text, &own, iv_db_str(st, 1), true, &why);
        if (rc != IV_OK)
            (void)iv_fail_at(err, rc, s->path, 0, "%s (that of document '%.200s')", why.msg,
                             (const char *)sqlite3_column_text(st, 0));
        iv_arena_free(&own);
    }
    return iv_db_end(st, rc);
}

/* The file that the session was made from can be read, as eval will read it. */
static int check_form(iv_store *s, iv_err *err)
{
    iv_arena own = { 0 };
    const bool review = s->about.kind == IV_STORE_REVIEW;
    const iv_strata_table *unused;
    iv_judgments *j = NULL;
    iv_str form;
    iv_err why;
    int rc = review ? iv_store_strata(&unused, &own, s, "its design", &why)
                    : iv_store_form_text(&form, &own, s, &why);

    if (rc == IV_OK && !review)
        rc = iv_store_form_read(&j, s->about.kind, form, "its design", &why);
    if (rc == IV_OK && s->about.kind == IV_STORE_SAMPLE)
        rc = iv_store_design_read(j, "its design", &why);
    if (rc != IV_OK) {
        char line[IV_ERR_TEXT_SIZE];
        (void)iv_fail_at(err, rc, s->path, 0, "%.300s",
                         strcmp(why.file, "its design") == 0 ? iv_err_text(line, &why) : why.msg);
    }
    iv_judgments_free(j);
    iv_arena_free(&own);
    return rc;
}

int iv_store_check_words(iv_store *s, iv_err *err)
{
    static const char what[] = "the current judgments differ from the log";
    /* What the log says is the last word of each, undone ones left out. */
    static const char words[] =
        "WITH last AS (SELECT j.item, j.assessor, j.reason = 5 AS final, max(j.seq) AS seq"
        " FROM judgment j WHERE j.reason <> 3 GROUP BY 1, 2, 3),"
        " kept AS (SELECT l.* FROM last l WHERE l.seq NOT IN (SELECT u.replaces"
        " FROM judgment u WHERE u.reason = 3 AND u.replaces IS NOT NULL)),"
        " differs AS (SELECT item, assessor, final, seq FROM kept EXCEPT"
        " SELECT item, assessor, final, seq FROM current UNION ALL SELECT * FROM"
        " (SELECT item, assessor, final, seq FROM current EXCEPT"
        " SELECT item, assessor, final, seq FROM kept))"
        " SELECT 'item ' || item || ', assessor ' || assessor FROM differs LIMIT 1";

    (void)pthread_mutex_lock(&s->read_lock);
    int rc = expect_none(s, words, what, err);
    if (rc == IV_OK)
        rc = expect_none(s, "SELECT 'seq ' || c.seq FROM current c JOIN judgment j"
                         " ON j.seq = c.seq WHERE j.grade IS NOT c.grade OR j.reason <> c.reason"
                         " OR j.item <> c.item LIMIT 1", what, err);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

int iv_store_check(iv_store *s, iv_err *err)
{
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = expect_none(s, "SELECT * FROM pragma_integrity_check(1) WHERE integrity_check <> 'ok'",
                         "the database is damaged", err);
    if (rc == IV_OK)
        rc = expect_none(s, "SELECT \"table\" || ', row ' || rowid FROM pragma_foreign_key_check"
                         " LIMIT 1", "a row refers to nothing", err);
    if (rc == IV_OK)
        rc = check_texts(s, err);
    (void)pthread_mutex_unlock(&s->read_lock);
    if (rc == IV_OK)
        rc = iv_store_check_words(s, err);
    return rc == IV_OK ? check_form(s, err) : rc;
}
