/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* mkostemps */
#include "serve/opening.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Twice away, so that nobody has to wait for the browser's end. */
void iv_start_browser(const char *what)
{
    static const char *const openers[] = { "xdg-open", "open", "sensible-browser" };
    const pid_t child = fork();

    if (child == 0) {
        if (fork() == 0) {
            const int quiet = open("/dev/null", O_RDWR);
            for (int i = 0; i < 3 && quiet >= 0; i++)
                (void)dup2(quiet, i);
            for (size_t i = 0; i < 3; i++)
                (void)execlp(openers[i], openers[i], what, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        (void)waitpid(child, NULL, 0);
}

int iv_open_browser(iv_opening *out, const char *link, iv_err *err)
{
    const char *own = getenv("TMPDIR");
    const bool fits = own != NULL && own[0] == '/'
        && strlen(own) + sizeof "/intervale-XXXXXX.html" <= sizeof out->path;

    (void)snprintf(out->path, sizeof out->path, "%s/intervale-XXXXXX.html", fits ? own : "/tmp");
    const int fd = mkostemps(out->path, 5, O_CLOEXEC); /* of mode 0600 */
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (file == NULL) {
        const int why = errno;
        out->path[0] = '\0';
        return iv_fail(err, IV_EIO, "cannot write a file for the browser: %s", strerror(why));
    }
    fprintf(file, "<!DOCTYPE html><meta charset=\"utf-8\"><title>Judging</title>"
            "<meta http-equiv=\"refresh\" content=\"0;url=%s\"><a href=\"%s\">Judge</a>\n", link,
            link);
    if (fclose(file) != 0)
        return iv_fail(err, IV_EIO, "cannot write a file for the browser: %s", strerror(errno));
    iv_start_browser(out->path);
    return IV_OK;
}

void iv_opening_end(iv_opening *o)
{
    if (o->path[0] != '\0')
        (void)unlink(o->path);
    o->path[0] = '\0';
}
