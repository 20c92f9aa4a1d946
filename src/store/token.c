/* SPDX-License-Identifier: Apache-2.0 */
/* Random tokens, and digests compared in constant time. */
#define _GNU_SOURCE /* getrandom */

#include "store/assessors.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

int iv_token_random(char out[IV_TOKEN_SIZE], iv_err *err)
{
    unsigned char random[(IV_TOKEN_SIZE - 1) / 2];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return iv_fail(err, IV_EIO, "no random numbers from the system: %s", strerror(errno));
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(out + 2 * i, 3, "%02x", random[i]);
    return IV_OK;
}

bool iv_same_digest(const char *a, const char *b)
{
    unsigned differs = 0;

    for (size_t i = 0; i < IV_SHA256_SIZE - 1; i++)
        differs |= (unsigned)((unsigned char)((const volatile char *)a)[i] ^ (unsigned char)b[i]);
    return differs == 0;
}
