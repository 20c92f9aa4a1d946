/* SPDX-License-Identifier: Apache-2.0 */
/* scratch -- a directory of the test's own, gone when the test ends. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SCRATCH_PATH = 512, SCRATCH_FILE = 1 << 20 };

typedef struct scratch {
    char path[64];
} scratch;

/* Makes it; false when that cannot be done. */
static inline bool scratch_make(scratch *s)
{
    (void)snprintf(s->path, sizeof s->path, "/tmp/intervale-test-XXXXXX");
    return mkdtemp(s->path) != NULL;
}

/* The path of a name in it; returns out. */
static inline const char *scratch_at(char out[SCRATCH_PATH], const scratch *s,
                                     const char *name)
{
    assert_true(snprintf(out, SCRATCH_PATH, "%s/%s", s->path, name) < SCRATCH_PATH);
    return out;
}

/* How many names there are in it. */
static inline int scratch_names(const scratch *s)
{
    int count = 0;
    struct dirent *e;
    DIR *d = opendir(s->path);

    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        count += e->d_name[0] != '.';
    (void)closedir(d);
    return count;
}

/* A file's bytes, terminated; the caller frees them. */
static inline char *scratch_bytes(const scratch *s, const char *name, size_t *len)
{
    char path[SCRATCH_PATH];
    char *text = malloc(SCRATCH_FILE);
    FILE *file = fopen(scratch_at(path, s, name), "rb");

    assert_non_null(text);
    assert_non_null(file);
    *len = fread(text, 1, SCRATCH_FILE, file);
    (void)fclose(file);
    assert_true(*len < SCRATCH_FILE);
    text[*len] = '\0';
    return text;
}

static inline void scratch_assert_same(const scratch *s, const char *a, const char *b)
{
    size_t na, nb;
    char *x = scratch_bytes(s, a, &na), *y = scratch_bytes(s, b, &nb);

    assert_true(na > 0);
    assert_int_equal(na, nb);
    assert_memory_equal(x, y, na);
    free(x);
    free(y);
}

/* Removes a directory with all that is in it. */
static inline void scratch_remove(const char *path)
{
    char inner[SCRATCH_PATH];
    struct dirent *e;
    DIR *d = opendir(path);

    while (d != NULL && (e = readdir(d)) != NULL) {
        if (e->d_name[0] == '.')
            continue;
        if ((size_t)snprintf(inner, sizeof inner, "%s/%s", path, e->d_name) < sizeof inner
            && unlink(inner) != 0)
            scratch_remove(inner);
    }
    if (d != NULL)
        (void)closedir(d);
    (void)rmdir(path);
}

#endif /* SCRATCH_H */
