/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/problems.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* What to do, behind the message; "" if there is nothing. */
static const char *split(char *text)
{
    char *hint = strchr(text, IV_HINT("")[0]);

    if (hint == NULL)
        return "";
    *hint = '\0';
    return hint + 1;
}

static void keep(iv_problems *list, uint64_t line, bool error, const char *text, const char *hint)
{
    const char *copy = iv_arena_copy(&list->text, iv_str_of(text));
    const char *help = iv_arena_copy(&list->text, iv_str_of(hint));

    if (copy == NULL || help == NULL || !IV_ROOM(list->items, list->capacity, list->count + 1)) {
        list->no_memory = true;
        return;
    }
    list->items[list->count++] = (iv_problem){ line, error, copy, help };
    list->kept_errors += error;
}

/* A list of one error keeps that of the first line, in whatever order lines are told. */
static bool has_room(iv_problems *list, uint64_t line, bool error)
{
    if ((error ? list->kept_errors : list->count - list->kept_errors) < list->most)
        return true;
    for (size_t i = 0; list->most == 1 && error && i < list->count; i++)
        if (list->items[i].error && list->items[i].line > line) {
            list->items[i] = list->items[--list->count];
            list->kept_errors--;
            return true;
        }
    return false;
}

void iv_complain(iv_problems *list, uint64_t line, iv_severity severity,
                const char *fmt, ...)
{
    char text[400];
    va_list ap;

    if (severity == IV_ERROR)
        list->errors++;
    else
        list->warnings++;
    if (!has_room(list, line, severity == IV_ERROR))
        return;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    const char *hint = split(text);
    keep(list, line, severity == IV_ERROR, text, hint);
}

const char *iv_and_more(char out[IV_MORE_SIZE], uint64_t others, const char *thing)
{
    out[0] = '\0';
    if (others > 0)
        (void)snprintf(out, IV_MORE_SIZE, " and %llu more %s%s",
                       (unsigned long long)others, thing, others == 1 ? "" : "s");
    return out;
}

void iv_problems_append(iv_problems *list, const iv_problems *more, uint64_t lines)
{
    /* No limit here: what comes later may stand on an earlier line. */
    for (size_t i = 0; i < more->count; i++)
        keep(list, more->items[i].line + lines, more->items[i].error,
             more->items[i].message, more->items[i].hint);
    list->errors += more->errors;
    list->warnings += more->warnings;
    list->no_memory = list->no_memory || more->no_memory;
    list->stopped = list->stopped || more->stopped;
}

static int by_line(const void *left, const void *right)
{
    const iv_problem *a = left, *b = right;

    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->error != b->error)
        return a->error ? -1 : 1;
    return a->told < b->told ? -1 : 1; /* never the same one */
}

void iv_problems_finish(iv_problems *list)
{
    const size_t errors = list->kept_errors < list->most ? list->kept_errors : list->most;
    size_t left[] = { list->most - errors, errors }; /* warnings, errors */
    size_t kept = 0;

    for (size_t i = 0; i < list->count; i++)
        list->items[i].told = i;
    if (list->count > 1) /* of one line, what was told first stays first */
        qsort(list->items, list->count, sizeof *list->items, by_line);
    for (size_t i = 0; i < list->count; i++) {
        if (left[list->items[i].error] == 0)
            continue;
        left[list->items[i].error]--;
        list->items[kept++] = list->items[i];
    }
    list->count = kept;
    list->kept_errors = errors;
}

int iv_problems_verdict(iv_problems *list, const char *name, iv_err *err)
{
    int rc = list->stopped ? iv_fail_at(err, IV_ECANCELLED, name, 0, "reading was stopped")
        : list->no_memory ? iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory") : IV_OK;

    iv_problems_finish(list);
    for (size_t i = 0; i < list->count && rc == IV_OK; i++)
        if (list->items[i].error)
            rc = iv_fail_at(err, IV_EPARSE, name, list->items[i].line, "%s" IV_HINT("%s"),
                            list->items[i].message, list->items[i].hint);
    iv_problems_free(list);
    return rc;
}

void iv_problems_free(iv_problems *list)
{
    free(list->items);
    iv_arena_free(&list->text);
    *list = (iv_problems){ 0 };
}
