/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__) || defined(__APPLE__)
#include <sys/xattr.h>
#endif

enum { MARK_SIZE = 64 };

#if defined(__linux__)
#define GET(path, out) getxattr(path, "user.intervale", out, MARK_SIZE)
#define SET(path, text) setxattr(path, "user.intervale", text, strlen(text), 0)
#elif defined(__APPLE__)
#define GET(path, out) getxattr(path, "user.intervale", out, MARK_SIZE, 0, 0)
#define SET(path, text) setxattr(path, "user.intervale", text, strlen(text), 0, 0)
#else
#define GET(path, out) ((void)(path), (void)(out), -1)
#define SET(path, text) ((void)(path), (void)(text), -1)
#endif

/* What changes when somebody writes to the file. */
static const char *mark_of(char out[MARK_SIZE], const struct stat *st)
{
#if defined(__APPLE__)
    const struct timespec t = st->st_mtimespec;
#else
    const struct timespec t = st->st_mtim;
#endif
    (void)snprintf(out, MARK_SIZE, "%lld %lld.%09ld", (long long)st->st_size,
                   (long long)t.tv_sec, (long)t.tv_nsec);
    return out;
}

static bool is_marked(const char *path, const struct stat *st)
{
    char found[MARK_SIZE], expected[MARK_SIZE];
    const ssize_t len = GET(path, found);

    return len > 0 && (size_t)len == strlen(mark_of(expected, st))
        && memcmp(found, expected, (size_t)len) == 0;
}

/* The file an option writes; NULL: none that could be replaced. */
static const char *written(const opt *o, const void *args, struct stat *st)
{
    if (!o->writes || o->kind != OPT_STR_)
        return NULL;
    const char *path = *(const char *const *)(const void *)((const char *)args + o->offset);
    return path != NULL && strcmp(path, "-") != 0 && stat(path, st) == 0
        && S_ISREG(st->st_mode) ? path : NULL;
}

/* Is a word of the command line, or what follows its '=', that file, or does that belong to the
 * word's session of judging? */
static bool names(const char *word, const struct stat *file)
{
    static const char *const parts[] = { "", "-wal", "-shm" };
    const char *equals = strchr(word, '=');
    char path[4096];
    struct stat st;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (snprintf(path, sizeof path, "%s%s", word, parts[i]) < (int)sizeof path
            && stat(path, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino)
            return true;
    return equals != NULL && names(equals + 1, file);
}

static bool option_names(const opt *o, const void *args, const struct stat *file)
{
    const void *field = (const char *)args + o->offset;
    const iv_texts *list = field;
    const char *const *text = field;

    if (o->writes)
        return false;
    if (o->kind == OPT_STR_)
        return *text != NULL && names(*text, file);
    for (size_t i = 0; o->kind == OPT_LIST_ && i < list->count; i++)
        if (names(list->at[i], file))
            return true;
    return false;
}

/* Is the file read, too? */
static bool is_input(const opt_set *sets, size_t count, char *const *operands,
                     const struct stat *file)
{
    struct stat st;

    if (fstat(STDIN_FILENO, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino)
        return true;
    for (; *operands != NULL; operands++)
        if (names(*operands, file))
            return true;
    for (size_t s = 0; s < count; s++)
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++)
            if (option_names(o, sets[s].args, file))
                return true;
    return false;
}

/* The path that an option writes; NULL: none. */
static const char *path_of(const opt *o, const void *args)
{
    return o->writes && o->kind == OPT_STR_
        ? *(const char *const *)(const void *)((const char *)args + o->offset) : NULL;
}

/* Where a path leads, whether the file is there or not; false: nowhere. */
static bool place_of(char out[PATH_MAX], const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const size_t len = slash != NULL ? (size_t)(slash - path) + 1 : 0;

    if (realpath(path, out) != NULL)
        return true;
    if (len >= sizeof folder)
        return false;
    memcpy(folder, path, len);
    folder[len] = '\0';
    if (realpath(len > 0 ? folder : ".", out) == NULL || strlen(out) + strlen(name) + 2 > PATH_MAX)
        return false;
    strcat(strcat(out, "/"), name);
    return true;
}

static bool same_place(const char *a, const char *b)
{
    char x[PATH_MAX], y[PATH_MAX];

    return strcmp(a, b) == 0 || (place_of(x, a) && place_of(y, b) && strcmp(x, y) == 0);
}

/* Another option that writes the same path. */
static const opt *other_writer(const opt_set *sets, size_t count, const opt *than, const char *path)
{
    for (size_t s = 0; s < count; s++) {
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++) {
            const char *p = path_of(o, sets[s].args);
            if (o != than && p != NULL && same_place(p, path))
                return o;
        }
    }
    return NULL;
}

int outputs_check(const opt_set *sets, size_t count, char *const *operands, bool force,
                  iv_err *err)
{
    struct stat st;

    for (size_t s = 0; s < count; s++) {
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++) {
            const char *named = path_of(o, sets[s].args);
            const opt *other = named != NULL ? other_writer(sets, count, o, named) : NULL;
            if (other != NULL)
                return cmd_usage(err, "--%s and --%s would both write %s", o->name, other->name,
                                 named);
            const char *path = written(o, sets[s].args, &st);
            if (path == NULL)
                continue;
            if (is_input(sets, count, operands, &st))
                return cmd_usage(err, "--%s would replace a file that is read, %s", o->name,
                                 path);
            if (!force && st.st_size > 0 && !is_marked(path, &st))
                return iv_fail_at(err, IV_EIO, path, 0, "is there, and nothing says that "
                                  "intervale wrote it; --force replaces it");
        }
    }
    return IV_OK;
}

void outputs_mark(const opt_set *sets, size_t count)
{
    char text[MARK_SIZE];
    struct stat st;

    for (size_t s = 0; s < count; s++) {
        for (const opt *o = sets[s].opts; o != NULL && o->kind != OPT_END_; o++) {
            const char *path = written(o, sets[s].args, &st);
            if (path != NULL)
                (void)SET(path, mark_of(text, &st)); /* not every file system has marks */
        }
    }
}
