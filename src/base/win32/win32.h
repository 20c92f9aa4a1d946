/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Windows lacks of POSIX, included before every C file of a build for Windows
 * (cmake/win32.cmake).  Paths are UTF-8 and may use either slash; files are binary; an open file
 * is not inherited; stat() knows the identity of a file.  What has no counterpart (owners, modes,
 * most signals) succeeds without effect where nothing depends on it, and fails with errno
 * otherwise.
 */
#ifndef INTERVALE_WIN32_H
#define INTERVALE_WIN32_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* Names of POSIX's early days that its headers declare and static functions of ours have. */
#define tell iv_win32_own_tell
#define write iv_win32_own_write

/* ---------------------------------------------------------------- paths -- */

#undef PATH_MAX
#define PATH_MAX 4096

/* UTF-8 to UTF-16 and back; the caller frees.  NULL: errno. */
wchar_t *iv_win32_wide(const char *utf8);
char *iv_win32_utf8(const wchar_t *wide);
/* The absolute path with '/', of something that exists; out NULL: the caller frees. */
char *iv_win32_realpath(const char *path, char *out);
#define realpath iv_win32_realpath

/* ---------------------------------------------------------------- files -- */

#define O_CLOEXEC _O_NOINHERIT
#define AT_FDCWD (-100)
#define AT_SYMLINK_FOLLOW 0
static inline int linkat(int from, const char *old, int to, const char *made, int flags)
{
    (void)from, (void)old, (void)to, (void)made, (void)flags;
    return -1; /* only files without a name are linked, and Windows has none */
}

struct iv_win32_stat {
    uint64_t st_dev, st_ino;
    unsigned short st_mode;
    int st_uid, st_gid;
    int64_t st_size;
    struct timespec st_mtim;
};
int iv_win32_stat(const char *path, struct iv_win32_stat *out);
int iv_win32_fstat(int fd, struct iv_win32_stat *out);
int iv_win32_open(const char *path, int flags, ...);
FILE *iv_win32_fopen(const char *path, const char *mode);
int iv_win32_rename(const char *from, const char *to); /* replaces a file, or an empty folder */
int iv_win32_unlink(const char *path);
int iv_win32_access(const char *path, int mode);
int iv_win32_mkstemp(char *name);
ssize_t iv_win32_pread(int fd, void *out, size_t size, off_t from); /* keeps the position */
#define stat iv_win32_stat
#define fstat iv_win32_fstat
#define lstat iv_win32_stat
#define open iv_win32_open
#define fopen iv_win32_fopen
#define rename iv_win32_rename
#define unlink iv_win32_unlink
#define access iv_win32_access
#define mkstemp iv_win32_mkstemp
#define pread iv_win32_pread
#define fsync _commit
#define S_ISLNK(mode) ((void)(mode), 0)
static inline int fchmod(int fd, mode_t mode) { return (void)fd, (void)mode, 0; }
static inline int iv_win32_chmod(const char *path, mode_t mode)
{
    return (void)path, (void)mode, 0;
}
static inline int chown(const char *path, int owner, int group)
{
    return (void)path, (void)owner, (void)group, 0;
}
#define chmod iv_win32_chmod

/* -------------------------------------------------------------- folders -- */

typedef struct iv_win32_dir iv_win32_dir;
struct iv_win32_dirent {
    char d_name[PATH_MAX];
};
iv_win32_dir *iv_win32_opendir(const char *path);
struct iv_win32_dirent *iv_win32_readdir(iv_win32_dir *d);
int iv_win32_closedir(iv_win32_dir *d);
int iv_win32_mkdir(const char *path, mode_t mode);
int iv_win32_rmdir(const char *path);
void iv_win32_empty(const char *path); /* removes what a folder holds */
#define _DIRENT_H_ /* its <dirent.h> is not ours */
#define DIR iv_win32_dir
#define dirent iv_win32_dirent
#define opendir iv_win32_opendir
#define readdir iv_win32_readdir
#define closedir iv_win32_closedir
#define mkdir iv_win32_mkdir
#define rmdir iv_win32_rmdir

/* -------------------------------------------------------------- streams -- */

/* A stream into memory: *text and *len are set when it is closed; the caller frees the text. */
FILE *iv_win32_open_memstream(char **text, size_t *len);
int iv_win32_fclose(FILE *f);
#define open_memstream iv_win32_open_memstream
#define fclose iv_win32_fclose

/* -------------------------------------------------------------- process -- */

enum { _SC_NPROCESSORS_ONLN = 1, _SC_OPEN_MAX };
long sysconf(int what);
int getentropy(void *out, size_t size);

/* Signals that Windows does not send. */
enum { SIGHUP = 101, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGUSR1,
       SIGUSR2 };
#define SA_RESETHAND 0
struct sigaction {
    void (*sa_handler)(int);
    int sa_flags;
};
int sigaction(int number, const struct sigaction *now, struct sigaction *old);
typedef int iv_win32_sigset;
#define sigset_t iv_win32_sigset
static inline int sigfillset(sigset_t *all) { return *all = 0, 0; }

/* Called first by main(): binary standard streams, UTF-8 on the console, and the arguments in
 * UTF-8, with '/' in those that are paths.  false: out of memory. */
bool iv_win32_start(int *argc, char ***argv);

/* The width of the console; -1: not a console. */
#define TIOCGWINSZ 1
struct winsize {
    unsigned short ws_row, ws_col;
};
int ioctl(int fd, int request, struct winsize *out);

/* ----------------------------------------------------------- small ones -- */

static inline int posix_memalign(void **out, size_t align, size_t size)
{
    (void)align; /* asked for speed alone, and free() takes nothing aligned here */
    *out = malloc(size);
    return *out == NULL ? 12 : 0; /* ENOMEM */
}

static inline void *memmem(const void *text, size_t len, const void *word, size_t size)
{
    const char *at = text;

    for (size_t i = 0; size <= len && i <= len - size; i++)
        if (memcmp(at + i, word, size) == 0)
            return (void *)(uintptr_t)(at + i);
    return NULL;
}

#endif /* INTERVALE_WIN32_H */
