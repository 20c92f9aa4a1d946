/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <stdio.h>
#include <string.h>

#include "intervale/base.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static char letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

suggest suggest_for(const char *word)
{
    /* A third of the letters may be wrong; beyond that it is another word. */
    const size_t allowed = strlen(word) / 3;

    return (suggest){ .word = word, .distance = smaller(allowed > 0 ? allowed : 1, 4) };
}

void suggest_offer(suggest *s, const char *name)
{
    const size_t m = strlen(s->word);
    const size_t n = strlen(name);
    size_t distance;

    if (m == 0 || m > SUGGEST_LONGEST || n > SUGGEST_LONGEST)
        return;
    /* Slips keep the first letter, or swap it with the second: --gate is not --date. */
    if (letter(s->word[0]) != letter(name[0])
        && !(m > 1 && s->word[0] == name[1] && s->word[1] == name[0]))
        return;
    /* The beginning of a name is as good as a name with one slip. */
    if (m >= 2 && n > m && strncmp(s->word, name, m) == 0)
        distance = 1;
    else
        distance = iv_edit_distance(iv_str_of(s->word), iv_str_of(name), 0) / 2;
    if (distance >= n || distance > s->distance)
        return;
    if (distance < s->distance) {
        s->distance = distance;
        s->count = 0;
    }
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0)
            return;
    if (s->count < SUGGEST_SHOWN)
        memcpy(s->names[s->count++], name, n + 1);
}

const char *suggest_text(char out[SUGGEST_SIZE], const suggest *s, const char *prefix)
{
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < s->count; i++) {
        const char *join = i == 0 ? "; did you mean " : i + 1 < s->count ? ", " : " or ";
        const int n = snprintf(out + at, SUGGEST_SIZE - at, "%s'%s%s'%s", join, prefix,
                               s->names[i], i + 1 < s->count ? "" : "?");
        if (n < 0 || (size_t)n >= SUGGEST_SIZE - at)
            break;
        at += (size_t)n;
    }
    return out;
}
