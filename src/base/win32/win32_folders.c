/* SPDX-License-Identifier: Apache-2.0 */
/* Folders on Windows: listing, making and removing them. */
#include <errno.h>
#include <windows.h>

struct iv_win32_dir {
    HANDLE search;
    WIN32_FIND_DATAW next;
    bool more;
    struct iv_win32_dirent entry;
};

iv_win32_dir *iv_win32_opendir(const char *path)
{
    iv_win32_dir *d = calloc(1, sizeof *d);
    const size_t size = strlen(path) + 3;
    char *pattern = malloc(size);
    wchar_t *wide = NULL;

    if (d != NULL && pattern != NULL) {
        (void)snprintf(pattern, size, "%s/*", path);
        wide = iv_win32_wide(pattern);
    }
    if (wide != NULL)
        d->search = FindFirstFileW(wide, &d->next);
    free(pattern);
    if (wide == NULL || d->search == INVALID_HANDLE_VALUE) {
        errno = wide == NULL ? ENOMEM : ENOENT;
        free(wide);
        free(d);
        return NULL;
    }
    free(wide);
    d->more = true;
    return d;
}

struct iv_win32_dirent *iv_win32_readdir(iv_win32_dir *d)
{
    if (!d->more)
        return NULL;
    char *name = iv_win32_utf8(d->next.cFileName);
    if (name == NULL)
        return NULL;
    (void)snprintf(d->entry.d_name, sizeof d->entry.d_name, "%s", name);
    free(name);
    d->more = FindNextFileW(d->search, &d->next) != 0;
    return &d->entry;
}

int iv_win32_closedir(iv_win32_dir *d)
{
    (void)FindClose(d->search);
    free(d);
    return 0;
}

int iv_win32_mkdir(const char *path, mode_t mode)
{
    wchar_t *wide = iv_win32_wide(path);
    const int rc = wide == NULL ? -1 : _wmkdir(wide);

    (void)mode;
    free(wide);
    return rc;
}

int iv_win32_rmdir(const char *path)
{
    wchar_t *wide = iv_win32_wide(path);
    const int rc = wide == NULL ? -1 : _wrmdir(wide);

    free(wide);
    return rc;
}

void iv_win32_empty(const char *path)
{
    iv_win32_dir *d = iv_win32_opendir(path);
    struct iv_win32_dirent *e;

    while (d != NULL && (e = iv_win32_readdir(d)) != NULL) {
        const size_t size = strlen(path) + strlen(e->d_name) + 2;
        char *inner = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ? NULL
            : malloc(size);
        if (inner == NULL)
            continue;
        (void)snprintf(inner, size, "%s/%s", path, e->d_name);
        if (iv_win32_unlink(inner) != 0) {
            iv_win32_empty(inner);
            (void)iv_win32_rmdir(inner);
        }
        free(inner);
    }
    if (d != NULL)
        (void)iv_win32_closedir(d);
}
