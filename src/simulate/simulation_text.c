/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulation.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "simulate/simulate_private.h"

static char *put_text(char *at, const char *s, size_t len)
{
    memcpy(at, s, len);
    return at + len;
}

/* The number in decimal, with zeros before it up to the given digits. */
static char *put_digits(char *at, uint32_t number, int digits)
{
    char reversed[10];
    int n = 0;

    for (; number > 0 || n < digits; number /= 10)
        reversed[n++] = (char)('0' + number % 10);
    while (n > 0)
        *at++ = reversed[--n];
    return at;
}

static char *put_score(char *at, int32_t units)
{
    const uint32_t size = units < 0 ? 0u - (uint32_t)units : (uint32_t)units;

    if (units < 0)
        *at++ = '-';
    at = put_digits(at, size / IV_SCORE_UNIT, 1);
    *at++ = '.';
    return put_digits(at, size % IV_SCORE_UNIT, 6);
}

static char *put_docno(char *at, const iv_simulated_topic *t, uint32_t document)
{
    at = put_text(at, "DOC-", 4);
    return put_digits(at, t->numbers[document], t->simulation->digits);
}

const char *iv_simulated_docno(char out[IV_SIMULATED_NAME_SIZE],
                               const iv_simulated_topic *t, uint32_t document)
{
    *put_docno(out, t, document) = '\0';
    return out;
}

/* Empties l and makes room for so many bytes. */
static bool reserve(iv_lines *l, size_t lines, size_t line)
{
    char *grown = iv_grow(l->text, &l->capacity, lines * line, 1);

    l->len = 0;
    l->failed = grown == NULL;
    if (grown != NULL)
        l->text = grown;
    return grown != NULL;
}

void iv_lines_of_ranking(iv_lines *l, const iv_simulated_topic *t, uint32_t topic,
                         const char *run)
{
    const uint32_t depth = t->simulation->options.depth;
    const size_t name = strlen(run);
    char first[16];

    /* topic, " Q0 ", docno, " ", rank, " ", score, " ", tag, line end */
    if (!reserve(l, depth,
                 10 + 4 + IV_SIMULATED_NAME_SIZE + 1 + 10 + 1 + 12 + 1 + name + 1))
        return;
    char *at = put_digits(first, topic, 1);
    const size_t first_len = (size_t)(put_text(at, " Q0 ", 4) - first);
    at = l->text;
    for (uint32_t i = 0; i < depth; i++) {
        at = put_text(at, first, first_len);
        at = put_docno(at, t, t->documents[i]);
        *at++ = ' ';
        at = put_digits(at, i + 1, 1);
        *at++ = ' ';
        at = put_score(at, t->units[i]);
        *at++ = ' ';
        at = put_text(at, run, name);
        *at++ = '\n';
    }
    l->len = (size_t)(at - l->text);
}

uint32_t iv_lines_of_judgments(iv_lines *l, const iv_simulated_topic *t, uint32_t topic,
                               const bool *judged)
{
    const uint32_t n = t->simulation->options.documents;
    uint32_t count = 0;

    /* topic, " 0 ", docno, " ", grade, line end */
    if (!reserve(l, n, 10 + 3 + IV_SIMULATED_NAME_SIZE + 1 + 10 + 1))
        return 0;
    char *at = l->text;
    for (uint32_t d = 0; d < n; d++) {
        if (judged != NULL && !judged[d])
            continue;
        at = put_digits(at, topic, 1);
        at = put_text(at, " 0 ", 3);
        at = put_docno(at, t, d);
        *at++ = ' ';
        at = put_digits(at, (uint32_t)t->grades[d], 1);
        *at++ = '\n';
        count++;
    }
    l->len = (size_t)(at - l->text);
    return count;
}
