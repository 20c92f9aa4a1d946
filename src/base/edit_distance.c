/* SPDX-License-Identifier: Apache-2.0 */
/* The edit distance of two words, for suggestions. */
#include "intervale/base.h"

enum { LONGEST = 64, EDIT = 2 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t change(char x, char y, size_t other_case)
{
    return x == y ? 0 : lower(x) == lower(y) ? other_case : EDIT;
}

/* Three rows of the usual table suffice, since a swap looks two rows back. */
size_t iv_edit_distance(iv_str a, iv_str b, size_t other_case)
{
    size_t rows[3][LONGEST + 1];
    const size_t m = least(a.len, LONGEST), n = least(b.len, LONGEST);

    for (size_t j = 0; j <= n; j++)
        rows[0][j] = EDIT * j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        row[0] = EDIT * i;
        for (size_t j = 1; j <= n; j++) {
            const char x = a.ptr[i - 1], y = b.ptr[j - 1];
            row[j] = least(above[j - 1] + change(x, y, other_case),
                           least(above[j], row[j - 1]) + EDIT);
            if (i < 2 || j < 2)
                continue;
            const size_t swap = change(x, b.ptr[j - 2], other_case)
                                + change(a.ptr[i - 2], y, other_case);
            if (swap < EDIT)
                row[j] = least(row[j], rows[(i + 1) % 3][j - 2] + EDIT + swap);
        }
    }
    return rows[m % 3][n];
}
