/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256, and the digests of the files that were read. */
#include "base/digest.h"
#include "base/memory.h"
#include "base/parallel.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- sha256 -- */

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
};

static uint32_t turned(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static void take_block(uint32_t h[8], const unsigned char *block)
{
    uint32_t w[64], s[8];

    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16
            | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7]
            + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3)
            + (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, h, sizeof s);
    for (int i = 0; i < 64; i++) {
        const uint32_t e = s[4], a = s[0];
        const uint32_t first = s[7] + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25))
            + ((e & s[5]) ^ (~e & s[6])) + constants[i] + w[i];
        const uint32_t second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22))
            + ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++)
        h[i] += s[i];
}

void iv_sha256_begin(iv_sha256_state *s)
{
    *s = (iv_sha256_state){ { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 }, 0, { 0 } };
}

void iv_sha256_add(iv_sha256_state *s, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    const size_t held = (size_t)(s->len % 64);

    s->len += len;
    if (held > 0) {
        const size_t more = len < 64 - held ? len : 64 - held;
        memcpy(s->held + held, at, more);
        at += more;
        len -= more;
        if (held + more < 64)
            return;
        take_block(s->h, s->held);
    }
    for (; len >= 64; at += 64, len -= 64)
        take_block(s->h, at);
    if (len > 0)
        memcpy(s->held, at, len);
}

const char *iv_sha256_end(char out[IV_SHA256_SIZE], const iv_sha256_state *state)
{
    iv_sha256_state s = *state;
    unsigned char last[128] = { 0 };
    const size_t rest = (size_t)(s.len % 64), ends = rest < 56 ? 64 : 128;

    memcpy(last, s.held, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[ends - 1 - (size_t)i] = (unsigned char)(s.len * 8 >> 8 * i);
    for (size_t i = 0; i < ends; i += 64)
        take_block(s.h, last + i);
    for (int i = 0; i < 8; i++)
        (void)snprintf(out + 8 * i, 9, "%08lx", (unsigned long)s.h[i]);
    return out;
}

const char *iv_sha256(char out[IV_SHA256_SIZE], const void *bytes, size_t len)
{
    iv_sha256_state s;

    iv_sha256_begin(&s);
    iv_sha256_add(&s, bytes, len);
    return iv_sha256_end(out, &s);
}

/* --------------------------------------------------------------- list -- */

struct iv_digests {
    iv_arena arena;
    iv_input *at;
    size_t count, capacity;
};

int iv_digests_new(iv_digests **out, iv_err *err)
{
    iv_digests *d = calloc(1, sizeof *d);

    if (d == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    *out = d;
    return IV_OK;
}

IV_FREES(digests, arena)

const char *iv_digests_find(const iv_digests *d, const char *path)
{
    for (size_t i = 0; i < d->count; i++)
        if (strcmp(d->at[i].path, path) == 0)
            return d->at[i].sha256;
    return NULL;
}

size_t iv_digests_all(const iv_input **out, const iv_digests *d)
{
    *out = d->at;
    return d->count;
}

static bool add(iv_digests *d, const char *path, const char *sha256)
{
    if (iv_digests_find(d, path) != NULL)
        return true;
    const iv_input new = { .path = iv_arena_copy(&d->arena, iv_str_of(path)),
                           .sha256 = iv_arena_copy(&d->arena, iv_str_of(sha256)) };
    if (new.path == NULL || new.sha256 == NULL
        || !IV_ARENA_ROOM(&d->arena, d->at, d->capacity, d->count))
        return false;
    d->at[d->count++] = new;
    return true;
}

int iv_digests_put(iv_digests *d, const char *path, const char *sha256, iv_err *err)
{
    iv_lock();
    const bool added = add(d, path, sha256);
    iv_unlock();
    return added ? IV_OK : iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
}
