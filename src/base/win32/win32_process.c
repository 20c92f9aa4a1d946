/* SPDX-License-Identifier: Apache-2.0 */
/* The process on Windows: streams into memory, signals, processors, chance and the console. */
#include <errno.h>
#include <windows.h>
#include <ntsecapi.h>

/* Streams into memory are temporary files that are read back when they are closed. */
struct memory_stream {
    FILE *file;
    char **text;
    size_t *len;
    struct memory_stream *next;
};
static struct memory_stream *streams;
static SRWLOCK guard = SRWLOCK_INIT;

FILE *iv_win32_open_memstream(char **text, size_t *len)
{
    struct memory_stream *m = malloc(sizeof *m);
    FILE *f = m != NULL ? tmpfile() : NULL;

    if (f == NULL) {
        free(m);
        return NULL;
    }
    AcquireSRWLockExclusive(&guard);
    *m = (struct memory_stream){ f, text, len, streams };
    streams = m;
    ReleaseSRWLockExclusive(&guard);
    return f;
}

static struct memory_stream *taken(FILE *f)
{
    struct memory_stream **at = &streams, *m;

    AcquireSRWLockExclusive(&guard);
    while (*at != NULL && (*at)->file != f)
        at = &(*at)->next;
    m = *at;
    if (m != NULL)
        *at = m->next;
    ReleaseSRWLockExclusive(&guard);
    return m;
}

int iv_win32_fclose(FILE *f)
{
#undef fclose
    struct memory_stream *m = taken(f);
    bool ok = true;

    if (m != NULL) {
        const __int64 size = fflush(f) == 0 ? _ftelli64(f) : -1;
        char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        rewind(f);
        ok = text != NULL && fread(text, 1, (size_t)size, f) == (size_t)size;
        if (ok) {
            text[size] = '\0';
            *m->text = text;
            *m->len = (size_t)size;
        } else {
            free(text);
        }
        free(m);
    }
    return fclose(f) == 0 && ok ? 0 : EOF;
}

long sysconf(int what)
{
    SYSTEM_INFO system;

    if (what == _SC_OPEN_MAX)
        return _getmaxstdio();
    GetSystemInfo(&system);
    return (long)system.dwNumberOfProcessors;
}

int getentropy(void *out, size_t size)
{
    return RtlGenRandom(out, (ULONG)size) ? 0 : -1;
}

int sigaction(int number, const struct sigaction *now, struct sigaction *old)
{
    if (number != SIGINT && number != SIGTERM) {
        errno = EINVAL;
        return -1;
    }
    if (old != NULL)
        *old = (struct sigaction){ .sa_handler = SIG_DFL };
    return now == NULL || signal(number, now->sa_handler) != SIG_ERR ? 0 : -1;
}

int ioctl(int fd, int request, struct winsize *out)
{
    CONSOLE_SCREEN_BUFFER_INFO is;

    (void)request;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &is))
        return -1;
    out->ws_col = (unsigned short)(is.srWindow.Right - is.srWindow.Left + 1);
    out->ws_row = (unsigned short)(is.srWindow.Bottom - is.srWindow.Top + 1);
    return 0;
}
