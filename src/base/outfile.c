/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output that appears whole or not at all.
 *
 * A regular file is written beside its final place and renamed over it.  What
 * is no regular file (a device, a pipe) is written directly: renaming over
 * /dev/null would replace the device.  A symbolic link is followed first, so
 * that the rename replaces what it points to and not the link.
 */
#include "intervale/base.h"

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
    char *temporary; /* NULL when written directly */
};

static int open_temporary(iv_outfile *f, iv_err *err)
{
    enum { TRIES = 1000 };
    const size_t size = strlen(f->path) + 40;
    int fd = -1;

    f->temporary = malloc(size);
    if (f->temporary == NULL)
        return iv_fail(err, IV_ENOMEM, "%s: out of memory", f->path);
    /* Not mkstemp: its files are private to their maker, whatever the umask. */
    for (unsigned i = 0; i < TRIES && fd < 0; i++) {
        (void)snprintf(f->temporary, size, "%s.tmp-%ld-%u", f->path,
                       (long)getpid(), i);
        fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0) {
        f->stream = fdopen(fd, "wb");
        if (f->stream != NULL)
            return IV_OK;
        (void)close(fd);
        (void)unlink(f->temporary);
    }
    free(f->temporary);
    f->temporary = NULL; /* there is nothing to remove */
    return iv_fail(err, IV_EIO, "%s: cannot write: %s", f->path, strerror(errno));
}

static int open_stream(iv_outfile *f, iv_err *err)
{
    struct stat st;

    if (strcmp(f->path, "-") == 0) {
        f->stream = stdout;
        return IV_OK;
    }
    if (stat(f->path, &st) == 0 && !S_ISREG(st.st_mode)) {
        if (S_ISDIR(st.st_mode))
            return iv_fail(err, IV_EIO, "%s: cannot write: it is a directory", f->path);
        f->stream = fopen(f->path, "wb");
        if (f->stream == NULL)
            return iv_fail(err, IV_EIO, "%s: cannot write: %s", f->path, strerror(errno));
        return IV_OK;
    }
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
    int rc;
    iv_outfile *f = calloc(1, sizeof *f);

    if (f == NULL)
        return iv_fail(err, IV_ENOMEM, "%s: out of memory", path);
    if (strcmp(path, "-") != 0)
        f->path = realpath(path, NULL);
    if (f->path == NULL) /* not there yet */
        f->path = strdup(path);
    if (f->path == NULL)
        rc = iv_fail(err, IV_ENOMEM, "%s: out of memory", path);
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
    const char *slash = strrchr(path, '/');
    size_t len = slash == NULL ? 0 : (size_t)(slash - path);

    if (len >= sizeof folder)
        return;
    memcpy(folder, path, len);
    if (slash == NULL)
        folder[len++] = '.';
    else if (len == 0)
        folder[len++] = '/';
    folder[len] = '\0';
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
    if (!failed && f->temporary != NULL)
        failed = fsync(fileno(f->stream)) != 0;
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
        rc = iv_fail(err, IV_EIO, "%s: cannot write: %s",
                     f->stream == stdout ? "standard output" : f->path, strerror(errno));
    release(f);
    return rc;
}

void iv_outfile_abandon(iv_outfile *f)
{
    if (f != NULL)
        release(f);
}
