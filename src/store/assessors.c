/* SPDX-License-Identifier: Apache-2.0 */
/* Who may judge, and settings of the server. */
#include "base/digest.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "store/assessors.h"
#include "store/db.h"
#include "store/queue.h"
#include "store/seal.h"
#include "store/session.h"
#include "store/upkeep.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

/* Who may judge: names, and tokens of which only the SHA-256 is kept. */

int iv_store_value(iv_str *out, iv_arena *a, iv_store *s, const char *key, iv_err *err)
{
    sqlite3_stmt *st = NULL;

    *out = (iv_str){ NULL, 0 };
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_query(&st, s->reads, s->path, err, "SELECT value FROM meta WHERE key = ?", "t",
                         key);
    if (iv_db_next(st, &rc, s->path, err)) {
        const iv_str kept = iv_db_str(st, 0);
        *out = (iv_str){ iv_arena_copy(a, kept), kept.len };
        if (out->ptr == NULL)
            rc = iv_no_memory(err);
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

size_t iv_store_assessors(const iv_assessor **out, iv_store *s)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    const size_t count = s->assessor_count;
    (void)pthread_mutex_unlock(&s->lock_queue);
    *out = s->assessor;
    return count;
}

bool iv_store_assessor(iv_assessor *out, iv_store *s, int64_t id)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    const bool found = id >= 1 && (size_t)id <= s->assessor_count;
    if (found)
        *out = s->assessor[id - 1];
    (void)pthread_mutex_unlock(&s->lock_queue);
    return found;
}

bool iv_assessor_name_is(const char *name)
{
    const iv_str s = iv_str_of(name);
    uint32_t code = 0;

    for (size_t at = 0, width; at < s.len; at += width) {
        width = iv_utf8_next(&code, s, at);
        if (width == 0 || iv_is_control(code) || code == ',')
            return false;
    }
    return s.len > 0 && s.len <= 60 && name[0] != ' ' && name[s.len - 1] != ' ';
}

int iv_assessor_name_check(const char *name, iv_err *err)
{
    static const char *const taken[] = { "last", "majority", "median", "adjudicated" };
    char quoted[IV_QUOTE_SIZE];

    if (!iv_assessor_name_is(name))
        return iv_fail(err, IV_EARG, "assessor %s, expected a name of up to 60 bytes without "
                       "commas", iv_quote(quoted, iv_str_of(name)));
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name, taken[i]) == 0)
            return iv_fail(err, IV_EARG, "assessor '%s', expected a name that is no way to "
                           "combine judgments", name);
    return IV_OK;
}

int iv_store_commit_settings(iv_store *s, int rc, iv_err *err)
{
    if (rc == IV_OK && s->version > 1)
        rc = iv_seal_put(s->db, s->path, IV_SEAL_SETTINGS, err);
    if (rc == IV_OK)
        rc = iv_db_exec(s->db, s->path, "COMMIT", err);
    if (rc != IV_OK && sqlite3_get_autocommit(s->db) == 0)
        (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

/* Runs one statement with the lock of writers. */
static int change(iv_store *s, const char *sql, const char *text, int64_t id, const char *doing,
                  iv_err *err)
{
    if (s->db == NULL)
        return iv_fail_at(err, IV_EIO, s->path, 0, "is served by another process; that can add "
                          "and revoke assessors when it is ended");
    (void)pthread_mutex_lock(&s->write_lock);
    int rc = iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err);
    if (rc == IV_OK)
        rc = iv_db_do(s->db, s->path, doing, err, sql, "ti", text, id);
    rc = iv_store_commit_settings(s, rc, err);
    (void)pthread_mutex_unlock(&s->write_lock);
    return rc;
}

static size_t find_name(iv_store *s, const char *name)
{
    for (size_t i = 0; i < s->assessor_count; i++)
        if (strcmp(s->assessor[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

int iv_store_assessor_add(int64_t *id, iv_store *s, const char *name, iv_err *err)
{
    IV_TRY(iv_assessor_name_check(name, err));
    if (find_name(s, name) != SIZE_MAX)
        return iv_fail(err, IV_EARG, "there is already an assessor '%s', choose another name",
                       name);
    if (s->assessor_count == IV_ASSESSORS_MOST)
        return iv_fail(err, IV_EARG, "there are %d assessors, the most allowed",
                       (int)IV_ASSESSORS_MOST);
    const int64_t next = (int64_t)s->assessor_count + 1;
    IV_TRY(change(s, "INSERT INTO assessor(name, id) VALUES (?, ?)", name, next,
                  "add an assessor", err));
    (void)pthread_mutex_lock(&s->lock_queue);
    iv_assessor *a = &s->assessor[s->assessor_count];
    *a = (iv_assessor){ .id = next, .name = iv_arena_copy(&s->memory, iv_str_of(name)),
                        .judges = true };
    const bool made = a->name != NULL;
    s->assessor_count += made;
    (void)pthread_mutex_unlock(&s->lock_queue);
    if (!made)
        return iv_no_memory(err);
    *id = next;
    return IV_OK;
}

int iv_store_assessor_revoke(iv_store *s, const char *name, iv_err *err)
{
    const size_t at = find_name(s, name);
    char quoted[IV_QUOTE_SIZE];

    if (at == SIZE_MAX)
        return iv_fail(err, IV_ENODATA, "no assessor %s", iv_quote(quoted, iv_str_of(name)));
    if (at == 0)
        return iv_fail(err, IV_EARG, "assessor '%s' is the owner, who cannot be revoked", name);
    IV_TRY(change(s, "UPDATE assessor SET token_sha256 = NULL,"
                  " revoked = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE name = ? AND id = ?",
                  name, (int64_t)at + 1, "revoke an assessor", err));
    (void)pthread_mutex_lock(&s->lock_queue);
    s->assessor[at].revoked = true;
    s->assessor[0].adjudicates |= s->assessor[at].adjudicates; /* somebody must */
    s->assessor[at].token_sha256[0] = '\0';
    (void)iv_queue_release(s, (int64_t)at + 1);
    (void)pthread_mutex_unlock(&s->lock_queue);
    return IV_OK;
}

int iv_store_token_new(char out[IV_TOKEN_SIZE], iv_store *s, int64_t assessor, iv_err *err)
{
    char sha[IV_SHA256_SIZE], token[IV_TOKEN_SIZE];

    if (assessor < 1 || (size_t)assessor > s->assessor_count
        || s->assessor[assessor - 1].revoked)
        return iv_fail(err, IV_EARG, "assessor %lld, expected one who may judge",
                       (long long)assessor);
    IV_TRY(iv_token_random(token, err));
    (void)iv_sha256(sha, token, sizeof token - 1);
    IV_TRY(change(s, "UPDATE assessor SET token_sha256 = ? WHERE id = ?", sha, assessor,
                  "store a token", err));
    (void)pthread_mutex_lock(&s->lock_queue);
    memcpy(s->assessor[assessor - 1].token_sha256, sha, sizeof sha);
    (void)pthread_mutex_unlock(&s->lock_queue);
    memcpy(out, token, sizeof token);
    return IV_OK;
}

int iv_store_script_token(char out[IV_TOKEN_SIZE], iv_store *s, const char *name, iv_err *err)
{
    const size_t at = find_name(s, name);
    int64_t id = (int64_t)at + 1;
    char key[40];

    if (at != SIZE_MAX && !s->assessor[at].script)
        return iv_fail(err, IV_EARG, "assessor '%s' is a person, expected another name", name);
    if (at == SIZE_MAX)
        IV_TRY(iv_store_assessor_add(&id, s, name, err));
    (void)snprintf(key, sizeof key, "set:script:%lld", (long long)id);
    IV_TRY(iv_store_value_put(s, key, "1", err));
    s->assessor[id - 1].script = true;
    return iv_store_token_new(out, s, id, err);
}

int64_t iv_store_token_owner(iv_store *s, iv_str token)
{
    char sha[IV_SHA256_SIZE];
    int64_t found = 0;

    if (token.len != IV_TOKEN_SIZE - 1)
        return 0;
    (void)iv_sha256(sha, token.ptr, token.len);
    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->assessor_count; i++) /* all of them: no time is told */
        if (iv_same_digest(s->assessor[i].token_sha256, sha) && !s->assessor[i].revoked)
            found = s->assessor[i].id;
    (void)pthread_mutex_unlock(&s->lock_queue);
    return found;
}

int iv_store_meta_put(iv_store *s, const char *name, const char *text, iv_err *err)
{
    if (s->broken)
        return iv_fail_at(err, IV_EIO, s->path, 0, "the disk failed; a restart is needed");
    return iv_db_do(s->db, s->path, "keep a setting", err,
                    "INSERT INTO meta(key, value) VALUES(?1, ?2)"
                    " ON CONFLICT(key) DO UPDATE SET value = ?2", "tt", name, text);
}

int iv_store_value_put(iv_store *s, const char *key, const char *text, iv_err *err)
{
    (void)pthread_mutex_lock(&s->write_lock);
    int rc;
    if (strncmp(key, "set:", 4) == 0) {
        rc = iv_store_meta_put(s, key, text, err);
    } else {
        rc = iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err);
        if (rc == IV_OK)
            rc = iv_store_meta_put(s, key, text, err);
        rc = iv_store_commit_settings(s, rc, err);
    }
    (void)pthread_mutex_unlock(&s->write_lock);
    return rc;
}

bool iv_store_refuses(iv_store *s)
{
    (void)pthread_mutex_lock(&s->write_lock);
    const bool broken = s->broken;
    (void)pthread_mutex_unlock(&s->write_lock);
    return broken;
}
