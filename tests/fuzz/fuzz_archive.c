/* SPDX-License-Identifier: Apache-2.0 */
/* An archive with any bytes as its database is read as a project of ASReview, or refused. */
#include "fuzz_answer.h"
#include "store/bibliography.h"

/* CRC-32 as zip files have it; of our own, since a build without zlib reads stored entries, too. */
static uint32_t crc_of(const char *text, size_t len)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < len; i++) {
        crc ^= (unsigned char)text[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (UINT32_C(0xedb88320) & (0u - (crc & 1u)));
    }
    return ~crc;
}

static unsigned char *put(unsigned char *to, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *to++ = (unsigned char)(value >> 8 * i);
    return to;
}

/* The fields that the two headers of an entry share, from the version needed on. */
static unsigned char *put_head(unsigned char *to, uint32_t crc, uint32_t len, uint32_t name)
{
    to = put(put(put(put(to, 20, 2), 0, 2), 0, 2), 0, 4); /* version, flags, stored, time */
    to = put(put(put(to, crc, 4), len, 4), len, 4);
    return put(put(to, name, 2), 0, 2);
}

/* A zip file with one entry, results.db, that is stored. */
static size_t zip_of(unsigned char *out, const char *text, size_t len)
{
    static const char name[] = "results.db";
    const uint32_t named = sizeof name - 1, size = (uint32_t)len;
    const uint32_t crc = crc_of(text, len);
    unsigned char *at = put(out, 0x04034b50, 4);

    at = put_head(at, crc, size, named);
    memcpy(at, name, named);
    memcpy(at + named, text, len);
    at += named + len;
    unsigned char *directory = at;
    at = put_head(put(put(at, 0x02014b50, 4), 20, 2), crc, size, named);
    at = put(put(put(put(put(at, 0, 2), 0, 2), 0, 2), 0, 4), 0, 4); /* comment ... offset */
    memcpy(at, name, named);
    at += named;
    const uint32_t length = (uint32_t)(at - directory), offset = (uint32_t)(directory - out);
    at = put(put(put(put(put(at, 0x06054b50, 4), 0, 2), 0, 2), 1, 2), 1, 2);
    return (size_t)(put(put(put(at, length, 4), offset, 4), 0, 2) - out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    char path[FUZZ_PATH];
    const char *files[] = { path };
    iv_arena a = { 0 };
    iv_bibliography b = { .labels = in.choice % 2 == 1 };
    iv_err err = { IV_OK, "" };
    unsigned char *zip = malloc(in.len + 300);

    PROMISE(zip != NULL);
    const size_t len = zip_of(zip, in.text, in.len);
    (void)snprintf(path, sizeof path, "/tmp/iv-fuzz-%ld.asreview", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (file != NULL && fwrite(zip, 1, len, file) == len && fclose(file) == 0) {
        const int rc = iv_bibliography_load(&b, &a, &(iv_texts){ files, 1 }, NULL, &err);
        PROMISE(rc == IV_OK || rc == IV_EPARSE || rc == IV_EIO);
        PROMISE(rc == IV_OK || (err.msg[0] != '\0' && strchr(err.msg, '\n') == NULL));
    }
    (void)unlink(path);
    free(zip);
    iv_arena_free(&a);
    return 0;
}
