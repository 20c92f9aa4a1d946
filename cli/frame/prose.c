/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <string.h>

enum { WIDTH = 79 };

bool prose_next(prose_part *out, const char **rest)
{
    const char *start = *rest + strspn(*rest, "\n");
    const char *end = strstr(start, "\n\n");

    if (*start == '\0')
        return false;
    if (end == NULL)
        end = start + strlen(start);
    *rest = end;
    while (end > start && end[-1] == '\n')
        end--;
    *out = (prose_part){ start, (size_t)(end - start), *start == ' ' };
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n';
}

size_t prose_word(const char **word, const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        ++*at;
    *word = *at;
    while (*at < end && !is_blank(**at))
        ++*at;
    return (size_t)(*at - *word);
}

void prose_wrap(FILE *out, const char *text, size_t len, int indent, int column)
{
    const char *at = text;
    const char *word;
    size_t size;
    bool first = true;

    while ((size = prose_word(&word, &at, text + len)) > 0) {
        if (first) {
            column += fprintf(out, "%*s", indent > column ? indent - column : 0, "");
        } else if (column + 1 + (int)size > WIDTH) {
            column = fprintf(out, "\n%*s", indent, "") - 1;
        } else {
            (void)putc(' ', out);
            column++;
        }
        (void)fwrite(word, 1, size, out);
        column += (int)size;
        first = false;
    }
    (void)putc('\n', out);
}
