/* SPDX-License-Identifier: Apache-2.0 */
#include "store/settings.h"

#include <string.h>

#include "store/store_parts.h"

enum { KEY_SIZE = 64, TEXT_MOST = 8192 };

/* Settings stand in the table of what a session is about, under names of their own. */
static int name_of(char out[KEY_SIZE], const char *key, iv_err *err)
{
    if (snprintf(out, KEY_SIZE, "set:%s", key) >= KEY_SIZE)
        return iv_fail(err, IV_EARG, "the name of a setting is too long");
    return IV_OK;
}

int iv_store_setting(const char **out, iv_arena *a, iv_store *s, const char *key, iv_err *err)
{
    char name[KEY_SIZE];

    IV_TRY(name_of(name, key, err));
    (void)pthread_mutex_lock(&s->read_lock);
    const int rc = iv_store_meta(out, NULL, a, s->reads, s->path, name, err);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

static int put(iv_store *s, const char *name, const char *text, iv_err *err)
{
    sqlite3_stmt *st = NULL;

    if (s->broken)
        return iv_fail_at(err, IV_EIO, s->path, 0, "the disk failed; a restart is needed");
    int rc = iv_db_prepare(&st, s->db, s->path,
                           "INSERT INTO meta(key, value) VALUES(?1, ?2)"
                           " ON CONFLICT(key) DO UPDATE SET value = ?2", err);
    if (rc == IV_OK) {
        iv_db_bind(st, "tt", name, text);
        rc = iv_db_run(st, s->path, "keep a setting", err);
    }
    (void)sqlite3_finalize(st);
    return rc;
}

int iv_store_setting_put(iv_store *s, const char *key, const char *text, iv_err *err)
{
    char name[KEY_SIZE];

    IV_TRY(name_of(name, key, err));
    if (s->db == NULL || strlen(text) > TEXT_MOST)
        return iv_fail(err, IV_EARG, "a setting of at most %d bytes in a session that is held "
                       "for writing is expected", TEXT_MOST);
    (void)pthread_mutex_lock(&s->write_lock);
    const int rc = put(s, name, text, err);
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

bool iv_store_has_token(iv_store *s, int64_t assessor)
{
    bool has = false;

    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->assessor_count; i++)
        if (s->assessor[i].is.id == assessor)
            has = s->assessor[i].token_sha256[0] != '\0';
    (void)pthread_mutex_unlock(&s->lock_queue);
    return has;
}
