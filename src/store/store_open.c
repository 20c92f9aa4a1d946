/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a session: its tables, whose file it is, and what is held in memory. */
#define _GNU_SOURCE /* flock */

#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

/* The tables of a session.  Texts stand apart from items, so that the queue is narrow. */

const char iv_store_schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT;"
    "CREATE TABLE topic(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL)"
    " STRICT;"
    "CREATE TABLE document(id INTEGER PRIMARY KEY, docno TEXT NOT NULL UNIQUE, title TEXT,"
    " text BLOB, zipped INTEGER NOT NULL) STRICT;" /* text NULL: the collection lacked it */
    "CREATE TABLE stratum(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER,"
    " retrieved INTEGER) STRICT;"
    /* ord: its place in the order of its topic, from 0; twice: two assessors. */
    "CREATE TABLE item(id INTEGER PRIMARY KEY, topic INTEGER NOT NULL REFERENCES topic,"
    " document INTEGER NOT NULL REFERENCES document, stratum INTEGER, block INTEGER,"
    " ord INTEGER NOT NULL, twice INTEGER NOT NULL, UNIQUE(topic, document)) STRICT;"
    "CREATE TABLE assessor(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " token_sha256 TEXT, revoked TEXT) STRICT;"
    "CREATE TABLE judgment(seq INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,"
    " item INTEGER NOT NULL REFERENCES item, assessor INTEGER NOT NULL REFERENCES assessor,"
    " grade INTEGER, reason INTEGER NOT NULL, replaces INTEGER, active_ms INTEGER,"
    " away_ms INTEGER, at TEXT NOT NULL, note TEXT) STRICT;"
    /* The last word of each assessor (final: of the owner, on a conflict). */
    "CREATE TABLE current(item INTEGER NOT NULL, assessor INTEGER NOT NULL,"
    " final INTEGER NOT NULL, seq INTEGER NOT NULL, grade INTEGER, reason INTEGER NOT NULL,"
    " PRIMARY KEY(item, assessor, final)) STRICT, WITHOUT ROWID;"
    "CREATE TRIGGER judgment_stays BEFORE UPDATE ON judgment BEGIN"
    " SELECT RAISE(ABORT, 'judgments are never changed'); END;"
    "CREATE TRIGGER judgment_is_kept BEFORE DELETE ON judgment BEGIN"
    " SELECT RAISE(ABORT, 'judgments are never deleted'); END;"
    "PRAGMA application_id = 1769368164;" /* IV_STORE_APPLICATION */
    "PRAGMA user_version = 1;";           /* IV_STORE_VERSION */

/* The words of the store's enums. */

IV_NAMES(iv_store_kind_names, "sample", "queue", "review")
IV_NAMES(iv_store_stop_names, "none", "plan", "anytime", "qbcb")
IV_NAMES(iv_store_state_names, "any", "open", "done", "later", "cannot", "conflict", "noted")
IV_NAMES(iv_store_reason_names, "judged", "cannot", "later", "undo", "imported", "adjudicated")
IV_NAMES(iv_store_form_names, "usual", "prels", "qrels", "strata", "log", "labels", "ris", "csv")
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
    b->interleaved = is[INTERLEAVED] != 0.0;
    b->hide_interval = is[HIDE] != 0.0;
    IV_TRY(load_grades(s, err));
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
    a->id = sqlite3_column_int64(st, 0);
    a->name = iv_db_text(&s->memory, st, 1);
    a->owner = a->id == 1;
    a->revoked = sqlite3_column_type(st, 3) != SQLITE_NULL;
    a->script = sqlite3_column_int(st, 4) != 0;
    if (sqlite3_column_type(st, 2) != SQLITE_NULL)
        (void)snprintf(a->token_sha256, sizeof a->token_sha256, "%s",
                       (const char *)sqlite3_column_text(st, 2));
    s->assessor_count++;
    return a->name == NULL ? iv_no_memory(err) : IV_OK;
}

static int take_word(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    const int64_t item = sqlite3_column_int64(st, 0), who = sqlite3_column_int64(st, 1);

    if (item < 1 || (size_t)item > s->about.items || who < 1
        || (size_t)who > s->assessor_count)
        return broken(s, "a judgment is of no item or of no assessor", err);
    iv_queue_word(s, item, who, (iv_store_reason)sqlite3_column_int64(st, 2));
    return IV_OK;
}

static int take_conflict(iv_store *s, sqlite3_stmt *st, iv_err *err)
{
    (void)err;
    iv_queue_conflict(s, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1) != 0,
                      sqlite3_column_int64(st, 2) != 0);
    return IV_OK;
}

/* Each item of a review is of a stratum, and of a block no later than the last one's. */
static int check_places(iv_store *s, iv_err *err)
{
    size_t wrong = 0;

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

/* Reads everything that is held in memory. */
static int load(iv_store *s, iv_err *err)
{
    IV_TRY(load_about(s, err));
    IV_TRY(load_counts(s, err));
    IV_TRY(check_about(s, err));
    IV_TRY(check_places(s, err));
    IV_TRY(load_order(s, err));
    IV_TRY(each_row(s, "SELECT t.id, name, text, coalesce(min(i.id) - 1, 0), count(i.id)"
                    " FROM topic t LEFT JOIN item i ON i.topic = t.id GROUP BY t.id ORDER BY t.id",
                    take_topic, err));
    IV_TRY(each_row(s, "SELECT id, topic, twice FROM item", take_item, err));
    IV_TRY(each_row(s, "SELECT id, name, token_sha256, revoked, EXISTS (SELECT 1 FROM meta"
                    " WHERE key = 'set:script:' || id) FROM assessor ORDER BY id",
                    take_assessor, err));
    IV_TRY(each_row(s, "SELECT item, assessor, reason FROM current WHERE final = 0", take_word,
                    err));
    IV_TRY(each_row(s, "SELECT item, min(iif(final, NULL, grade)) <> max(iif(final, NULL, grade)),"
                    " max(final) FROM current GROUP BY item HAVING count(*) > 1", take_conflict,
                    err));
    IV_TRY(iv_db_prepare(&s->read_document, s->reads, s->path,
                         "SELECT docno, title, text, zipped FROM document"
                         " WHERE id = (SELECT document FROM item WHERE id = ?)", err));
    return iv_db_prepare(&s->read_words, s->reads, s->path,
                         "SELECT c.seq, c.assessor, c.reason, c.grade, j.at, j.note"
                         " FROM current c JOIN judgment j ON j.seq = c.seq"
                         " WHERE c.item = ? ORDER BY c.seq", err);
}

/* ---------------------------------------------------------------- asking -- */

const iv_store_about *iv_store_about_of(const iv_store *s) { return &s->about; }

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

/* Opening a session: whose file it is, who else has it, and on which disk it lies. */

const char *iv_network_file_system(long kind)
{
    static const unsigned long kinds[] = { 0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x65735546,
                                           0x01021997, 0x00c36400, 0x5346414f, 0x73757245,
                                           0x47504653, 0x0bd00bd0 };
    static const char *const names[] = { "NFS", "CIFS", "SMB", "SMB", "FUSE", "9P", "Ceph", "AFS",
                                         "Coda", "GPFS", "Lustre" };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (((unsigned long)kind & 0xffffffffUL) == kinds[i])
            return names[i];
    return NULL;
}

int iv_store_refuse_network(const char *path, iv_err *err)
{
    struct statfs fs;
    const char *name = NULL;

    if (statfs(path, &fs) == 0)
        name = iv_network_file_system((long)fs.f_type);
    if (name != NULL)
        return iv_fail_at(err, IV_EIO, path, 0, "lies on a network file system (%s), where "
                          "judgments could be lost; expected a disk of this machine", name);
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
    return IV_OK;
}

/* A database by its path, which errors name, or by a URI. */
static int connect_as(sqlite3 **out, const char *uri, const char *path, int flags, iv_err *err)
{
    sqlite3 *db = NULL;

    if (sqlite3_open_v2(uri != NULL ? uri : path, &db,
                        flags | SQLITE_OPEN_FULLMUTEX | (uri != NULL ? SQLITE_OPEN_URI : 0), NULL)
        != SQLITE_OK) {
        const int rc = db == NULL ? iv_no_memory(err) : iv_db_fail(err, db, path, "open");
        (void)sqlite3_close(db);
        return rc;
    }
    (void)sqlite3_busy_timeout(db, 5000);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    *out = db;
    return IV_OK;
}

int iv_store_connect(sqlite3 **out, const char *path, iv_err *err)
{
    return connect_as(out, NULL, path, SQLITE_OPEN_READWRITE, err);
}

/* Is it a session that this program can read? */
static int recognise(sqlite3 *db, const char *path, iv_err *err)
{
    int64_t application = 0, version = 0;

    IV_TRY(iv_db_number(&application, db, path, "PRAGMA application_id", err));
    IV_TRY(iv_db_number(&version, db, path, "PRAGMA user_version", err));
    if (application != IV_STORE_APPLICATION)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is another program's database, expected a "
                          "file of judge new");
    if (version > IV_STORE_VERSION)
        return iv_fail_at(err, IV_EPARSE, path, 0, "was made by a newer version (its format is "
                          "%lld, this program knows %d); use that", (long long)version,
                          (int)IV_STORE_VERSION);
    if (version < 1)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is a session that was never finished, "
                          "expected a file of judge new");
    return IV_OK;
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
    IV_TRY(recognise(s->db, s->path, err));
    IV_TRY(iv_db_exec(s->db, s->path, "PRAGMA journal_mode = WAL;"
                      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err));
    /* Creates the log of SQLite, so that readers need not. */
    IV_TRY(iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE; COMMIT", err));
    if (stat(sqlite3_filename_wal(sqlite3_db_filename(s->db, "main")), &s->log) != 0)
        return iv_fail_at(err, IV_EIO, s->path, 0, "has no log: %s", strerror(errno));
    return IV_OK;
}

/* A path in an address of SQLite's, to be given to sqlite3_free(). */
static char *address_of(const char *path)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendall(text, "file:");
    for (; *path != '\0'; path++)
        sqlite3_str_appendf(text, strchr("?#%", *path) != NULL ? "%%%02x" : "%c",
                            (unsigned char)*path);
    sqlite3_str_appendall(text, "?immutable=1");
    return sqlite3_str_finish(text);
}

/* The connection that reads beside it.  Where nobody writes and the folder cannot be written
 * either, the file is taken as it stands. */
static int open_for_reading(iv_store *s, bool as_it_stands, iv_err *err)
{
    char *uri = NULL;
    int rc;

    if (as_it_stands) {
        uri = address_of(s->path);
        if (uri == NULL)
            return iv_no_memory(err);
    }
    rc = connect_as(&s->reads, uri, s->path, SQLITE_OPEN_READONLY, err);
    sqlite3_free(uri);
    return rc == IV_OK ? recognise(s->reads, s->path, err) : rc;
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
    if (writable)
        IV_TRY(open_for_writing(s, err));
    return open_for_reading(s, !writable && !held, err);
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
