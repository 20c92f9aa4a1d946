/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "intervale/base.h"

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 20, MOST_WIDTH = 1000 };

bool terminal_is(FILE *stream) { return isatty(fileno(stream)) != 0; }

int terminal_width(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    int64_t given;

    if (!isatty(fileno(stream)))
        return USUAL_WIDTH;
    if (columns != NULL && iv_scan_int(&given, iv_str_of(columns), LEAST_WIDTH, MOST_WIDTH))
        return (int)given;
#ifdef TIOCGWINSZ
    struct winsize window;
    if (ioctl(fileno(stream), TIOCGWINSZ, &window) == 0 && window.ws_col >= LEAST_WIDTH)
        return window.ws_col;
#endif
    return USUAL_WIDTH;
}

/* From the environment and not by setlocale(): the tool stays in the C
 * locale, where a number has a point. */
bool terminal_is_utf8(FILE *stream)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; isatty(fileno(stream)) && i < 3; i++) {
        const char *locale = getenv(variables[i]);
        if (locale == NULL || *locale == '\0')
            continue;
        const char *charset = strchr(locale, '.');
        return charset != NULL && (strncasecmp(charset, ".utf-8", 6) == 0
                                   || strncasecmp(charset, ".utf8", 5) == 0);
    }
    return false;
}

bool terminal_has_colour(FILE *stream)
{
    const char *refused = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return isatty(fileno(stream)) && (refused == NULL || *refused == '\0')
        && term != NULL && strcmp(term, "dumb") != 0;
}

/* What a terminal would act on is shown as \xNN, but for control characters that are kept. */
static void put_shown(FILE *stream, const char *text, const char *kept)
{
    char shown[IV_QUOTE_SIZE];

    for (size_t len; *text != '\0'; text += len) {
        for (len = 1; len < 4 && ((unsigned char)text[len] & 0xc0) == 0x80; len++)
            continue; /* one character */
        if (strchr(kept, *text) != NULL || strncmp(text, "\n  ", 3) == 0) { /* it goes on */
            (void)putc(*text, stream);
            len = 1;
        } else {
            (void)iv_quote(shown, (iv_str){ text, len });
            (void)fwrite(shown + 1, 1, strlen(shown) - 2, stream);
        }
    }
}

void terminal_complain(const char *prefix, const char *text)
{
    (void)fputs(prefix, stderr);
    put_shown(stderr, text, "");
    (void)putc('\n', stderr);
}

void terminal_show(FILE *stream, const char *lines) { put_shown(stream, lines, "\t\n"); }
