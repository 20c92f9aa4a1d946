/* SPDX-License-Identifier: Apache-2.0 */
/* Paths on Windows: UTF-8 outside, UTF-16 for the system. */
#include <errno.h>
#include <windows.h>
#include <shellapi.h>

wchar_t *iv_win32_wide(const char *utf8)
{
    const int len = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, NULL, 0);
    wchar_t *out = len > 0 ? malloc((size_t)len * sizeof *out) : NULL;

    if (out == NULL) {
        errno = len > 0 ? ENOMEM : ENOENT; /* no file has a name that is no text */
        return NULL;
    }
    (void)MultiByteToWideChar(CP_UTF8, 0, utf8, -1, out, len);
    return out;
}

char *iv_win32_utf8(const wchar_t *wide)
{
    const int len = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *out = len > 0 ? malloc((size_t)len) : NULL;

    if (out == NULL)
        errno = ENOMEM;
    else
        (void)WideCharToMultiByte(CP_UTF8, 0, wide, -1, out, len, NULL, NULL);
    return out;
}

static void use_slashes(char *path)
{
    for (; *path != '\0'; path++)
        if (*path == '\\')
            *path = '/';
}

char *iv_win32_realpath(const char *path, char *out)
{
    wchar_t full[PATH_MAX];
    wchar_t *wide = iv_win32_wide(path);

    if (wide == NULL)
        return NULL;
    const DWORD len = GetFullPathNameW(wide, PATH_MAX, full, NULL);
    const bool there = len > 0 && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES;
    free(wide);
    if (!there || len >= PATH_MAX) {
        errno = there ? ENAMETOOLONG : ENOENT;
        return NULL;
    }
    char *found = iv_win32_utf8(full);
    if (found != NULL) {
        use_slashes(found);
        for (size_t end = strlen(found); end > 3 && found[end - 1] == '/'; end--) /* C:/ stays */
            found[end - 1] = '\0';
    }
    if (found == NULL || out == NULL)
        return found;
    const size_t size = strlen(found) + 1;
    errno = size > PATH_MAX ? ENAMETOOLONG : 0;
    char *kept = size > PATH_MAX ? NULL : memcpy(out, found, size);
    free(found);
    return kept;
}

/* A path is what begins with a drive or a server, exists, or is in a folder that exists. */
static bool is_path(const char *word)
{
    char folder[PATH_MAX];
    const char *last = strrchr(word, '\\');

    if (last == NULL || strlen(word) >= PATH_MAX)
        return false;
    if ((word[0] != '\0' && word[1] == ':') || strncmp(word, "\\\\", 2) == 0)
        return true;
    const size_t len = (size_t)(last - word);
    memcpy(folder, word, len);
    folder[len] = '\0';
    return access(word, 0) == 0 || access(folder, 0) == 0;
}

static char *argument(const wchar_t *wide)
{
    char *word = iv_win32_utf8(wide);

    if (word == NULL)
        return NULL;
    char *value = word[0] == '-' ? strchr(word, '=') : NULL; /* --qrels=C:\data\qrels */
    value = value != NULL ? value + 1 : word;
    if (is_path(value))
        use_slashes(value);
    return word;
}

/* The arguments as they were typed, in place of those in the system's code page. */
bool iv_win32_start(int *argc, char ***argv)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **words = calloc((size_t)count + 1, sizeof *words);
    bool ok = wide != NULL && words != NULL;

    for (int i = 0; ok && i < count; i++)
        ok = (words[i] = argument(wide[i])) != NULL;
    (void)LocalFree(wide);
    if (!ok)
        return false; /* the program ends: nothing is freed */
    *argc = count;
    *argv = words;
    for (int fd = 0; fd < 3; fd++)
        (void)_setmode(fd, _O_BINARY);
    (void)SetConsoleOutputCP(CP_UTF8);
    return true;
}
