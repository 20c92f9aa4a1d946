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

/* kept: control characters that are shown as they are. */
static void put_shown(FILE *stream, const char *text, const char *kept)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        /* C2 80 to C2 9F are control characters beyond ASCII. */
        if (byte == 0xc2 && (text[1] & 0xe0) == 0x80)
            (void)fprintf(stream, "\\xc2\\x%02x", (unsigned)(unsigned char)*++text);
        else if (strncmp(text, "\n  ", 3) == 0) /* a line that goes on, indented */
            (void)putc(byte, stream);
        else if ((byte < 0x20 && strchr(kept, *text) == NULL) || byte == 0x7f)
            (void)fprintf(stream, "\\x%02x", (unsigned)byte);
        else
            (void)putc(byte, stream);
    }
}

void terminal_complain(const char *prefix, const char *text)
{
    (void)fputs(prefix, stderr);
    put_shown(stderr, text, "");
    (void)putc('\n', stderr);
}

void terminal_show(FILE *stream, const char *lines) { put_shown(stream, lines, "\t\n"); }
