/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output that appears whole or not at all.
 *
 * A regular file is written without a name where the system has such files, so
 * that nothing is left behind whatever ends the program, and else beside its
 * final place; then it is renamed over it, with the permissions of what was there.  What
 * is no regular file (a device, a pipe) is written directly: renaming over
 * /dev/null would replace the device; so is the file that standard output is, by whatever
 * name (/dev/stdout), or what others write there would be lost.  A symbolic link is followed first,
 * so that the rename replaces what it points to and not the link.
 */
#define _GNU_SOURCE /* O_TMPFILE */

#include "base/arguments.h"
#include "base/err.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct iv_outfile {
    FILE *stream;
    char *path;      /* the final name */
    bool nameless;   /* gets a name when it is complete */
    mode_t mode;     /* of the file that is replaced; 0: there is none */
    char *temporary; /* NULL when there is no such file */
};

enum { TRIES = 1000, LINK_SIZE = 40 };

/* The folder a path is in; false when its name is too long. */
static bool folder_of(char out[PATH_MAX], const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - path);

    if (len >= PATH_MAX)
        return false;
    memcpy(out, path, len);
    if (slash == NULL)
        out[len++] = '.';
    else if (len == 0)
        out[len++] = '/';
    out[len] = '\0';
    return true;
}

/* Where the system shows the open file, so that it can be linked. */
static const char *link_of(char out[LINK_SIZE], int fd)
{
    (void)snprintf(out, LINK_SIZE, "/proc/self/fd/%d", fd);
    return out;
}

/* A file without a name in the folder of the path; -1: there can be none. */
static int open_nameless(const char *path)
{
    int fd = -1;
#ifdef O_TMPFILE
    char folder[PATH_MAX], shown[LINK_SIZE];

    if (folder_of(folder, path))
        fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0 && access(link_of(shown, fd), F_OK) != 0) {
        (void)close(fd);
        fd = -1;
    }
#else
    (void)path;
#endif
    return fd;
}

/* Gives f->temporary a name that is free, with a file or for fd; -1: errno. */
static int make_temporary(iv_outfile *f, int fd)
{
    const size_t size = strlen(f->path) + 40;
    char shown[LINK_SIZE];
    int made = -1;

    f->temporary = malloc(size);
    if (f->temporary == NULL) {
        errno = ENOMEM;
        return -1;
    }
    /* Not mkstemp: its files are private to their maker, whatever the umask. */
    for (unsigned i = 0; i < TRIES && made < 0; i++) {
        (void)snprintf(f->temporary, size, "%s.tmp-%ld-%u", f->path, (long)getpid(), i);
        made = fd < 0 ? open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)
                      : linkat(AT_FDCWD, link_of(shown, fd), AT_FDCWD, f->temporary,
                               AT_SYMLINK_FOLLOW);
        if (made < 0 && errno != EEXIST)
            break;
    }
    if (made < 0) {
        const int why = errno;
        free(f->temporary);
        f->temporary = NULL; /* there is nothing to remove */
        errno = why;
    }
    return made;
}

/* What errno says of it. */
static int cannot_write(const iv_outfile *f, iv_err *err)
{
    const char *name = f->stream == stdout ? "standard output" : f->path;

    if (errno == ENOMEM)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    return iv_fail_at(err, IV_EIO, name, 0, "cannot write: %s", strerror(errno));
}

/* What is replaced keeps its permissions; files in a browser have none. */
static bool keep_mode(int fd, mode_t mode)
{
#ifdef __wasi__
    return fd >= 0 && mode != 0;
#else
    return fchmod(fd, mode) == 0;
#endif
}

static int open_temporary(iv_outfile *f, iv_err *err)
{
    int fd = open_nameless(f->path);

    f->nameless = fd >= 0;
    if (fd < 0)
        fd = make_temporary(f, -1);
    if (fd >= 0) {
        if (f->mode == 0 || keep_mode(fd, f->mode))
            f->stream = fdopen(fd, "wb");
        if (f->stream != NULL)
            return IV_OK;
        (void)close(fd);
    }
    return cannot_write(f, err);
}

static int open_stream(iv_outfile *f, iv_err *err)
{
    struct stat st;

    if (strcmp(f->path, "-") == 0) {
        f->stream = stdout;
        return IV_OK;
    }
    const bool there = stat(f->path, &st) == 0;
    if (there && !S_ISREG(st.st_mode)) {
        if (S_ISDIR(st.st_mode))
            return iv_fail_at(err, IV_EIO, f->path, 0, "cannot write: it is a directory");
        f->stream = fopen(f->path, "wb");
        if (f->stream == NULL)
            return iv_fail_at(err, IV_EIO, f->path, 0, "cannot write: %s", strerror(errno));
        return IV_OK;
    }
    struct stat to;
    if (there && fstat(STDOUT_FILENO, &to) == 0 && to.st_dev == st.st_dev
        && to.st_ino == st.st_ino) {
        f->stream = stdout;
        return IV_OK;
    }
    f->mode = there ? st.st_mode & 0777 : 0;
    return open_temporary(f, err);
}

static void release(iv_outfile *f)
{
    if (f->stream != NULL && f->stream != stdout)
        (void)fclose(f->stream);
    if (f->temporary != NULL)
        (void)unlink(f->temporary);
    free(f->temporary);
    free(f->path);
    free(f);
}

int iv_outfile_open(iv_outfile **out, const char *path, iv_err *err)
{
    IV_TRY(iv_check_given(path, "the path of a file", err));
    int rc;
    struct stat st;
    iv_outfile *f = calloc(1, sizeof *f);

    if (f == NULL)
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    if (strcmp(path, "-") != 0)
        f->path = realpath(path, NULL);
    /* A pipe behind /dev/stdout has no path, but is there. */
    const bool dangling = f->path == NULL && stat(path, &st) != 0 && lstat(path, &st) == 0
        && S_ISLNK(st.st_mode);
    if (f->path == NULL) /* not there yet */
        f->path = strdup(path);
    if (dangling)
        rc = iv_fail_at(err, IV_EIO, path, 0, "is a link to a file that does not exist");
    else if (f->path == NULL)
        rc = iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    else
        rc = open_stream(f, err);
    if (rc < 0) {
        release(f);
        return rc;
    }
    *out = f;
    return IV_OK;
}

FILE *iv_outfile_stream(iv_outfile *f)
{
    return f->stream;
}

/* A rename survives a crash only once its folder is on disk too. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];

    if (!folder_of(folder, path))
        return;
    const int fd = open(folder, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return; /* the data themselves are safe; there is nothing to undo */
    (void)fsync(fd);
    (void)close(fd);
}

int iv_outfile_commit(iv_outfile *f, iv_err *err)
{
    int rc = IV_OK;
    bool failed = ferror(f->stream) != 0;

    errno = failed ? EIO : 0;
    failed = fflush(f->stream) != 0 || failed;
    if (!failed && (f->nameless || f->temporary != NULL))
        failed = fsync(fileno(f->stream)) != 0;
    if (!failed && f->nameless)
        failed = make_temporary(f, fileno(f->stream)) < 0;
    if (!failed && f->stream != stdout) {
        failed = fclose(f->stream) != 0;
        f->stream = NULL;
    }
    if (!failed && f->temporary != NULL) {
        failed = rename(f->temporary, f->path) != 0;
        if (!failed) {
            free(f->temporary);
            f->temporary = NULL;
            sync_folder(f->path);
        }
    }
    if (failed)
        rc = cannot_write(f, err);
    release(f);
    return rc;
}

void iv_outfile_abandon(iv_outfile *f)
{
    if (f != NULL)
        release(f);
}
