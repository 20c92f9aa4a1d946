/* SPDX-License-Identifier: Apache-2.0 */
/* Who is logged in.  A visit outlives the server: a page that is open goes on after a crash. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "serve/server.h"
#include "base/base_private.h"

int64_t iv_serve_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec;
}

/* 32 hexadecimal digits from the system's random numbers. */
static int iv_secret(char out[IV_SECRET_SIZE], iv_err *err)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[(IV_SECRET_SIZE - 1) / 2];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return iv_fail(err, IV_EIO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[IV_SECRET_SIZE - 1] = '\0';
    return IV_OK;
}

static bool same_digest(const char *a, const char *b)
{
    unsigned char differ = 0;

    for (size_t i = 0; i < IV_SHA256_SIZE - 1; i++)
        differ = (unsigned char)(differ | (a[i] ^ b[i]));
    return differ == 0;
}

/* Which visit; count: none. */
static size_t find(const iv_server *v, iv_str key)
{
    char digest[IV_SHA256_SIZE];
    size_t found = v->visit_count;

    (void)iv_sha256(digest, key.ptr, key.len);
    for (size_t i = 0; i < v->visit_count; i++) /* all of them: time tells nothing */
        if (same_digest(digest, v->visits[i].sha256))
            found = i;
    return found;
}

static void remove_at(iv_server *v, size_t at)
{
    memmove(&v->visits[at], &v->visits[at + 1], (v->visit_count - at - 1) * sizeof *v->visits);
    v->visit_count--;
}

void iv_http_sessions_leave(iv_server *v, iv_str key)
{
    const size_t at = find(v, key);

    if (at < v->visit_count)
        remove_at(v, at);
}

int64_t iv_http_sessions_who(iv_server *v, iv_str key)
{
    const int64_t now = iv_serve_now();
    const size_t at = find(v, key);

    if (at == v->visit_count)
        return 0;
    if (now - v->visits[at].used > IV_HTTP_SESSION_SECONDS) {
        remove_at(v, at);
        return 0;
    }
    v->visits[at].used = now;
    return v->visits[at].assessor;
}

void iv_http_sessions_forget(iv_server *v, int64_t assessor)
{
    for (size_t i = v->visit_count; i-- > 0;)
        if (v->visits[i].assessor == assessor)
            remove_at(v, i);
}

/* Adds a visit, in place of the assessor's oldest when there are many. */
static void add(iv_server *v, int64_t assessor, const char *sha256)
{
    size_t count = 0, oldest = 0;

    for (size_t i = v->visit_count; i-- > 0;)
        if (v->visits[i].assessor == assessor) {
            count++;
            oldest = i;
        }
    if (count == IV_HTTP_SESSIONS_EACH)
        remove_at(v, oldest);
    if (v->visit_count == IV_ASSESSORS_MOST * IV_HTTP_SESSIONS_EACH)
        return;
    v->visits[v->visit_count].assessor = assessor;
    v->visits[v->visit_count].used = iv_serve_now();
    memcpy(v->visits[v->visit_count].sha256, sha256, IV_SHA256_SIZE);
    v->visit_count++;
}

static const char *key_of(iv_arena *a, int64_t assessor)
{
    char key[40];

    (void)snprintf(key, sizeof key, "visits:%lld", (long long)assessor);
    return iv_arena_copy(a, iv_str_of(key));
}

/* What is kept of an assessor: the digests, one behind another. */
static const char *kept(iv_arena *a, const iv_server *v, int64_t assessor)
{
    char *out = iv_take(a, IV_HTTP_SESSIONS_EACH + 1, IV_SHA256_SIZE - 1);
    size_t at = 0;

    for (size_t i = 0; out != NULL && i < v->visit_count; i++)
        if (v->visits[i].assessor == assessor) {
            memcpy(out + at, v->visits[i].sha256, IV_SHA256_SIZE - 1);
            at += IV_SHA256_SIZE - 1;
        }
    return out;
}

int iv_http_sessions_load(iv_server *v, iv_err *err)
{
    const iv_assessor *list;
    const size_t count = iv_store_assessors(&list, v->store);
    iv_arena a = { 0 };
    int rc = IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const char *text = NULL, *key = key_of(&a, list[i].id);
        char digest[IV_SHA256_SIZE];
        rc = key == NULL ? iv_no_memory(err) : iv_store_setting(&text, &a, v->store, key, err);
        for (; rc == IV_OK && text != NULL && strlen(text) >= IV_SHA256_SIZE - 1;
             text += IV_SHA256_SIZE - 1) {
            memcpy(digest, text, IV_SHA256_SIZE - 1);
            digest[IV_SHA256_SIZE - 1] = '\0';
            add(v, list[i].id, digest);
        }
    }
    iv_arena_free(&a);
    return rc;
}

int iv_http_sessions_keep(iv_server *v, iv_job *job, int64_t assessor)
{
    job->key = key_of(&job->memory, assessor);
    job->value = kept(&job->memory, v, assessor);
    return job->key == NULL || job->value == NULL ? IV_ENOMEM : IV_OK;
}

int iv_http_sessions_enter(iv_server *v, iv_job *job, int64_t assessor, iv_err *err)
{
    char digest[IV_SHA256_SIZE];

    IV_TRY(iv_secret(job->token, err));
    add(v, assessor, iv_sha256(digest, job->token, strlen(job->token)));
    return iv_http_sessions_keep(v, job, assessor) == IV_OK ? IV_OK : iv_no_memory(err);
}
