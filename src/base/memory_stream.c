/* SPDX-License-Identifier: Apache-2.0 */
/* Streams into memory for callers from other languages. */
#include "base/err.h"

#include <stdlib.h>

FILE *iv_memory_open(char **text, size_t *len)
{
    *text = NULL;
    *len = 0;
    return open_memstream(text, len);
}

int iv_memory_close(FILE *stream, char **text, iv_err *err)
{
    const bool broken = ferror(stream) != 0;

    if (fclose(stream) == 0 && !broken && *text != NULL)
        return IV_OK;
    free(*text);
    *text = NULL;
    return iv_no_memory(err);
}

void iv_memory_free(char *text)
{
    free(text);
}
