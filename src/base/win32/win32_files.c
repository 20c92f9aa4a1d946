/* SPDX-License-Identifier: Apache-2.0 */
/* Files on Windows: opening, identity, replacement and reading at a position. */
#include <errno.h>
#include <stdarg.h>
#include <windows.h>

static int set_errno(void)
{
    switch (GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_NETPATH: errno = ENOENT; break;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS: errno = EEXIST; break;
    case ERROR_DIR_NOT_EMPTY: errno = ENOTEMPTY; break;
    case ERROR_NOT_ENOUGH_MEMORY: errno = ENOMEM; break;
    case ERROR_DISK_FULL: errno = ENOSPC; break;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION: errno = EBUSY; break;
    default: errno = EACCES; break;
    }
    return -1;
}

/* Seconds and nanoseconds since 1970, of units of 100 ns since 1601. */
static struct timespec time_of(FILETIME t)
{
    const uint64_t units = ((uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime);
    const uint64_t since = units - 116444736000000000u;

    return (struct timespec){ (time_t)(since / 10000000u), (long)(since % 10000000u * 100u) };
}

static int describe(HANDLE h, struct iv_win32_stat *out)
{
    BY_HANDLE_FILE_INFORMATION is;
    const DWORD kind = GetFileType(h);

    *out = (struct iv_win32_stat){ 0 };
    /* A stream that another program opened may not say what it is; it can be read. */
    if (kind != FILE_TYPE_DISK || !GetFileInformationByHandle(h, &is)) {
        out->st_mode = kind == FILE_TYPE_CHAR ? S_IFCHR : S_IFIFO;
        out->st_ino = (uint64_t)(uintptr_t)h;
        out->st_dev = UINT64_MAX; /* of no disk */
        return 0;
    }
    const bool folder = (is.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    out->st_mode = (unsigned short)(folder ? S_IFDIR | 0777 : S_IFREG | 0666);
    out->st_dev = is.dwVolumeSerialNumber;
    out->st_ino = (uint64_t)is.nFileIndexHigh << 32 | is.nFileIndexLow;
    out->st_size = (int64_t)((uint64_t)is.nFileSizeHigh << 32 | is.nFileSizeLow);
    out->st_mtim = time_of(is.ftLastWriteTime);
    return 0;
}

int iv_win32_stat(const char *path, struct iv_win32_stat *out)
{
    wchar_t *wide = iv_win32_wide(path);

    if (wide == NULL)
        return -1;
    const HANDLE h = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                 NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(wide);
    if (h == INVALID_HANDLE_VALUE)
        return set_errno();
    const int rc = describe(h, out);
    (void)CloseHandle(h);
    return rc;
}

int iv_win32_fstat(int fd, struct iv_win32_stat *out)
{
    const HANDLE h = (HANDLE)_get_osfhandle(fd);

    if (h == INVALID_HANDLE_VALUE) {
        errno = EBADF;
        return -1;
    }
    return describe(h, out);
}

int iv_win32_open(const char *path, int flags, ...)
{
    struct iv_win32_stat st;
    wchar_t *wide = iv_win32_wide(path);
    va_list more;

    if (wide == NULL)
        return -1;
    va_start(more, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) & 0600 : 0;
    va_end(more);
    const int fd = _wopen(wide, flags | _O_BINARY | _O_NOINHERIT, mode);
    if (fd < 0 && errno == EACCES && iv_win32_stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        errno = EISDIR;
    free(wide);
    return fd;
}

FILE *iv_win32_fopen(const char *path, const char *mode)
{
    wchar_t how[8];
    size_t len = 0;
    wchar_t *wide = iv_win32_wide(path);

    if (wide == NULL)
        return NULL;
    for (; mode[len] != '\0' && len < 6; len++)
        how[len] = (wchar_t)mode[len];
    how[len] = L'\0';
    if (wcschr(how, L'b') == NULL) {
        how[len++] = L'b';
        how[len] = L'\0';
    }
    FILE *f = _wfopen(wide, how);
    free(wide);
    return f;
}

/* Replaces a file.  One that another program has open for a moment (a reader, a virus scanner, a
 * backup) cannot be replaced, so that this is tried for a second. */
static bool move_file(const wchar_t *from, const wchar_t *to)
{
    enum { TRIES = 100, PAUSE_MS = 10 };

    for (unsigned i = 1;; i++) {
        if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return true;
        const DWORD why = GetLastError();
        if ((why != ERROR_ACCESS_DENIED && why != ERROR_SHARING_VIOLATION) || i == TRIES)
            return false;
        Sleep(PAUSE_MS);
    }
}

int iv_win32_rename(const char *from, const char *to)
{
    wchar_t *old = iv_win32_wide(from), *new = iv_win32_wide(to);
    int rc = -1;

    if (old != NULL && new != NULL) {
        const DWORD is = GetFileAttributesW(new);
        if (is != INVALID_FILE_ATTRIBUTES && (is & FILE_ATTRIBUTE_DIRECTORY) != 0)
            (void)RemoveDirectoryW(new); /* if it is empty; otherwise the next call fails */
        rc = move_file(old, new) ? 0 : set_errno();
    }
    free(old);
    free(new);
    return rc;
}

int iv_win32_unlink(const char *path)
{
    wchar_t *wide = iv_win32_wide(path);
    const int rc = wide == NULL ? -1 : _wunlink(wide);

    free(wide);
    return rc;
}

int iv_win32_access(const char *path, int mode)
{
    wchar_t *wide = iv_win32_wide(path);
    const int rc = wide == NULL ? -1 : _waccess(wide, mode);

    free(wide);
    return rc;
}

/* Of its users each removes the file while it is open: Windows removes it when it is closed. */
int iv_win32_mkstemp(char *name)
{
    char *end = name + strlen(name) - 6;

    for (unsigned i = 0; i < 1000; i++) {
        wchar_t *wide;
        (void)snprintf(end, 7, "%06u", ((unsigned)getpid() * 1000u + i) % 1000000u);
        wide = iv_win32_wide(name);
        const int fd = wide == NULL ? -1
            : _wopen(wide, O_RDWR | O_CREAT | O_EXCL | _O_BINARY | _O_NOINHERIT | _O_TEMPORARY,
                     0600);
        free(wide);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

ssize_t iv_win32_pread(int fd, void *out, size_t size, off_t from)
{
    const HANDLE h = (HANDLE)_get_osfhandle(fd);
    const __int64 here = _lseeki64(fd, 0, SEEK_CUR);
    OVERLAPPED at = { .Offset = (DWORD)from, .OffsetHigh = (DWORD)((uint64_t)from >> 32) };
    DWORD got = 0;

    if (h == INVALID_HANDLE_VALUE || here < 0) {
        errno = ESPIPE;
        return -1;
    }
    const bool ok = ReadFile(h, out, size > 1u << 30 ? 1u << 30 : (DWORD)size, &got, &at)
        || GetLastError() == ERROR_HANDLE_EOF;
    (void)_lseeki64(fd, here, SEEK_SET);
    return ok ? (ssize_t)got : set_errno();
}
