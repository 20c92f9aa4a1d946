/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/references_private.h"

#include <string.h>

bool iv_reference_find(iv_citation *out, const char *key)
{
    const char *at = iv_references; /* key, label, text, entry: each ends with a NUL */

    while (*at != '\0') {
        const char *field[4];
        for (size_t i = 0; i < 4; i++, at += strlen(at) + 1)
            field[i] = at;
        *out = (iv_citation){ NULL, field[0], field[1], field[2], field[3] };
        if (strcmp(field[0], key) == 0)
            return true;
    }
    return false;
}
