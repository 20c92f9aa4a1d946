/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Problems of a file, collected in the order of its lines.  A reader stops at the first error,
 * check collects them all; both get the same text.
 */
#ifndef IV_TREC_PROBLEMS_H
#define IV_TREC_PROBLEMS_H

#include "base/memory.h"
#include "base/parallel.h"

/* Something wrong with a file (an error) or unusual in it (a warning). */
typedef struct iv_problem {
    uint64_t line;       /* from 1 */
    bool error;
    const char *message; /* an error's reads as every reader would put it */
    const char *hint; /* what to do, behind it: see iv_err; "" if there is nothing */
    size_t order; /* in which it was reported */
} iv_problem;

/*
 * {.most = n} is a valid empty list that keeps n problems; a warning
 * never takes the place of an error.
 */
typedef struct iv_problems {
    iv_problem *items;
    size_t count, capacity;
    size_t most;
    size_t kept_errors;
    uint64_t errors, warnings; /* kept or not */
    bool no_memory; /* or stopped, which ends a reader in the same way */
    bool stopped;   /* by the caller's progress */
    iv_arena text;
} iv_problems;

/* Records a problem; the message has neither file nor line. */
void iv_complain(iv_problems *list, uint64_t line, iv_severity severity,
                const char *fmt, ...) IV_PRINTF(4, 5);

/* " and N more THINGs" for a problem told once for many places; "" when this was the only one. */
enum { IV_MORE_SIZE = 64 };
const char *iv_and_more(char out[IV_MORE_SIZE], uint64_t others, const char *thing);

/* Remembers how a loop over the file ended. */
static inline void iv_problems_ended(iv_problems *list, int rc)
{
    list->stopped = list->stopped || rc == IV_ECANCELLED;
    list->no_memory = list->no_memory || rc != IV_OK;
}

/* Asks work, which has read the file, whether to go on with it; false: no. */
static inline bool iv_problems_go_on(iv_problems *list, const iv_work *work)
{
    iv_problems_ended(list, iv_check_work(work, 1.0, NULL));
    return !list->stopped;
}

/* Adds what another list holds, its lines moved down by `lines`. */
void iv_problems_append(iv_problems *list, const iv_problems *more, uint64_t lines);

/*
 * Sorts by line, errors first, and drops what is more than `most`: the last
 * warnings, then the last errors.
 */
void iv_problems_finish(iv_problems *list);

/*
 * IV_OK when the list has no error; else fills err with the first one and its line, or with
 * IV_ENOMEM or IV_ECANCELLED.  Frees the list.
 */
IV_MUST_CHECK int iv_problems_verdict(iv_problems *list, const char *name, iv_err *err);

void iv_problems_free(iv_problems *list);

#endif
