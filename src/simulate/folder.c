/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "folder/name" in fresh memory, or NULL. */
static char *join(const char *folder, const char *name)
{
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);

    if (path != NULL)
        (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool is_entry(const struct dirent *e)
{
    return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

/* May the directory be made at path?  It may if that is free, or empty. */
static int check_place(const char *path, iv_err *err)
{
    struct stat st, here;
    struct dirent *e = NULL;

    if (stat(path, &st) != 0)
        return IV_OK; /* making it will tell what else is wrong */
    if (!S_ISDIR(st.st_mode))
        return iv_fail_at(err, IV_EIO, path, 0, "exists and is not a directory");
    if (stat(".", &here) == 0 && here.st_dev == st.st_dev && here.st_ino == st.st_ino)
        return iv_fail_at(err, IV_EIO, path, 0, "is the current directory; name a new one");
    DIR *d = opendir(path);
    if (d == NULL)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(errno));
    do
        e = readdir(d);
    while (e != NULL && !is_entry(e));
    (void)closedir(d);
    if (e != NULL)
        return iv_fail_at(err, IV_EIO, path, 0, "exists and is not empty");
    return IV_OK;
}

static int make_temporary(iv_folder *f, iv_err *err)
{
    enum { TRIES = 1000 };
    const size_t size = strlen(f->path) + 40;
    bool made = false;
    char *name = malloc(size);

    if (name == NULL)
        return iv_fail_at(err, IV_ENOMEM, f->path, 0, "out of memory");
    for (unsigned i = 0; i < TRIES && !made; i++) {
        (void)snprintf(name, size, "%s.tmp-%ld-%u", f->path, (long)getpid(), i);
        made = mkdir(name, 0777) == 0;
        if (!made && errno != EEXIST)
            break;
    }
    if (made) {
        f->temporary = name;
        return IV_OK;
    }
    free(name);
    return iv_fail_at(err, IV_EIO, f->path, 0, "cannot make the directory: %s",
                      strerror(errno));
}

/* The path that rename() can replace: no links, no slash at its end. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);
    size_t len;

    if (real != NULL)
        return real;
    real = strdup(path); /* not there yet */
    if (real == NULL)
        return NULL;
    for (len = strlen(real); len > 1 && real[len - 1] == '/'; len--)
        real[len - 1] = '\0';
    return real;
}

int iv_folder_start(iv_folder *f, const char *path, const char *inner, iv_err *err)
{
    iv_folder made = { NULL, NULL };
    int rc = check_place(path, err);

    if (rc < 0)
        return rc;
    made.path = resolve(path);
    if (made.path == NULL)
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    rc = make_temporary(&made, err);
    if (rc == IV_OK) {
        char *within = join(made.temporary, inner);
        if (within == NULL)
            rc = iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
        else if (mkdir(within, 0777) != 0)
            rc = iv_fail_at(err, IV_EIO, path, 0, "cannot make the directory: %s",
                            strerror(errno));
        free(within);
    }
    if (rc < 0) {
        iv_folder_end(&made);
        return rc;
    }
    *f = made;
    return IV_OK;
}

int iv_folder_file(FILE **out, const iv_folder *f, const char *inner, const char *name,
                   iv_err *err)
{
    char *folder = inner != NULL ? join(f->temporary, inner) : strdup(f->temporary);
    char *path = folder != NULL ? join(folder, name) : NULL;
    FILE *file = path != NULL ? fopen(path, "wb") : NULL;
    const int error = errno;

    free(folder);
    free(path);
    if (path == NULL)
        return iv_fail_at(err, IV_ENOMEM, f->path, 0, "out of memory");
    if (file == NULL)
        return iv_fail_at(err, IV_EIO, f->path, 0, "cannot write %s: %s", name,
                          strerror(error));
    *out = file;
    return IV_OK;
}

int iv_folder_close(const iv_folder *f, FILE *file, iv_err *err)
{
    const bool failed = ferror(file) != 0;

    if (fclose(file) == 0 && !failed)
        return IV_OK;
    return iv_fail_at(err, IV_EIO, f->path, 0, "cannot write: %s", strerror(errno));
}

int iv_folder_commit(iv_folder *f, iv_err *err)
{
    struct stat old;
    const bool replaces = stat(f->path, &old) == 0; /* an empty one, whose owner and mode stay */

    if ((replaces && (chown(f->temporary, old.st_uid, old.st_gid) != 0
                      || chmod(f->temporary, old.st_mode & 07777) != 0))
        || rename(f->temporary, f->path) != 0)
        return iv_fail_at(err, IV_EIO, f->path, 0, "cannot put the directory in its place: "
                          "%s", strerror(errno));
    free(f->temporary);
    f->temporary = NULL;
    return IV_OK;
}

/*
 * Removes what a directory holds, directories of files too.  By its descriptor, so
 * that it needs no memory for paths: there may be none.
 */
static void empty_out(int at, const char *path, bool inner)
{
    const int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;

    if (d == NULL) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    while ((e = readdir(d)) != NULL) {
        if (!is_entry(e) || unlinkat(dirfd(d), e->d_name, 0) == 0)
            continue;
        if (!inner)
            empty_out(dirfd(d), e->d_name, true);
        (void)unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    }
    (void)closedir(d);
}

void iv_folder_end(iv_folder *f)
{
    if (f->temporary != NULL) {
        empty_out(AT_FDCWD, f->temporary, false);
        (void)rmdir(f->temporary);
    }
    free(f->temporary);
    free(f->path);
    *f = (iv_folder){ NULL, NULL };
}
