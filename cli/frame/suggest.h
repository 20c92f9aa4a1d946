/* SPDX-License-Identifier: Apache-2.0 */
/*
 * "Did you mean": the nearest of many names to a word that is none of them.
 *
 *     suggest s = suggest_for("evla");
 *     for (...) suggest_offer(&s, name);
 *     suggest_text(buffer, &s, "")    "; did you mean 'eval'?", or ""
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stddef.h>

enum { SUGGEST_SHOWN = 3, SUGGEST_LONGEST = 48, SUGGEST_SIZE = 256 };

typedef struct suggest {
    const char *word;
    char names[SUGGEST_SHOWN][SUGGEST_LONGEST + 1]; /* the nearest so far */
    size_t count;
    size_t distance; /* of each of them */
} suggest;

suggest suggest_for(const char *word);
void suggest_offer(suggest *s, const char *name);

/* The end of an error message; each name is shown with prefix before it. */
const char *suggest_text(char out[SUGGEST_SIZE], const suggest *s, const char *prefix);

#endif /* SUGGEST_H */
