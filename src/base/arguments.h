/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of what a caller passes.
 *
 * What a caller can get wrong that no type prevents: lists that are NULL or hold NULL,
 * numbers that no enum has, NaN.  Each is refused in one line, with IV_EARG, before
 * anything is done; `what` names it in the message.
 */
#ifndef IV_BASE_ARGUMENTS_H
#define IV_BASE_ARGUMENTS_H

#include "intervale/base.h"

/* Something that must be there is. */
IV_MUST_CHECK int iv_check_given(const void *at, const char *what, iv_err *err);

/* So is a list, unless it is empty; `what` is one of it. */
IV_MUST_CHECK int iv_check_list(const void *at, size_t count, const char *what, iv_err *err);

/* And none of its pointers, or of its numbers, is NULL or NaN. */
IV_MUST_CHECK int iv_check_each(const void *pointers, size_t count, const char *what, iv_err *err);
IV_MUST_CHECK int iv_check_reals(const double *at, size_t count, const char *what, iv_err *err);

/* A value of an enum has one of the names, which NULL ends. */
IV_MUST_CHECK int iv_check_choice(unsigned value, const char *const *names, const char *what,
                                  iv_err *err);

/* A member of options or of a question. */
typedef struct iv_part {
    enum {
        IV_IS_LIST,     /* a pointer, and a size_t elsewhere: IV_LIST_OF() */
        IV_IS_EACH,     /* the same, of pointers */
        IV_IS_TEXTS,    /* iv_texts without NULL */
        IV_IS_PATHS,    /* iv_texts without NULL or "" */
        IV_IS_NAMES,    /* iv_texts without NULL or "", each once */
        IV_IS_PATH,     /* const char *, NULL or not "" */
        IV_IS_INTEGERS, /* iv_integers */
        IV_IS_REALS,    /* iv_reals without NaN */
        IV_IS_REAL,     /* double, not NaN */
        IV_IS_CONFIDENCE, /* the same, of intervals: 0 is 0.95 */
        IV_IS_CHOICE    /* an enum, as many values as names: IV_CHOICE_OF() */
    } kind;
    size_t at; /* in the struct */
    const char *what;
    const char *const *(*names)(void);
    size_t count; /* where that of a list is */
} iv_part;

#define IV_PART_OF(T, member, is, what) { IV_IS_##is, offsetof(T, member), what, NULL, 0 }
#define IV_CHOICE_OF(T, member, names, what) \
    { IV_IS_CHOICE, offsetof(T, member), what, names, 0 }
#define IV_LIST_OF(T, member, count, is, what) \
    { IV_IS_##is, offsetof(T, member), what, NULL, offsetof(T, count) }

/* All of a struct; NULL is the default of options, and right. */
IV_MUST_CHECK int iv_check_parts(const void *of, const iv_part *parts, size_t count, iv_err *err);

#define IV_CHECK(of, err, ...)                                                       \
    iv_check_parts(of, (const iv_part[]){ __VA_ARGS__ },                             \
                   sizeof((const iv_part[]){ __VA_ARGS__ }) / sizeof(iv_part), err)

/*
 * Options that would do nothing are refused.
 *
 * An option is the member of a request that holds it (of a list, its count).  It declares the cases
 * that it needs, all of them, and the cases that exclude it, as bits.  A case has the words that
 * follow "--option cannot be used": "with --scores" where it excludes, "without --scores" where it
 * is needed.  Which cases a request is in is for its command to say.
 */
typedef struct iv_option {
    const char *name; /* NULL ends the list */
    size_t at, size;
    unsigned needs, excluded;
} iv_option;

#define IV_OPTION(T, member, name, needs, excluded) \
    { name, offsetof(T, member), sizeof(((T *)0)->member), needs, excluded }

typedef struct iv_case {
    unsigned bit; /* or several of the same words; 0 ends the list */
    const char *with, *without;
} iv_case;

/* Refuses the first option given (it is not zero) whose cases are not those of the request, by the
 * first such case. */
IV_MUST_CHECK int iv_refuse_options(const void *request, const iv_option *options,
                                    const iv_case *cases, unsigned in, iv_err *err);

/* The same of options that one condition excludes: `where` says which.  In a function that calls
 * the type of its request T. */
#define IV_IDLE(member, name) IV_OPTION(T, member, name, 0, 1)
#define IV_REFUSE(request, where, err, ...)                                        \
    iv_refuse_options(request, (const iv_option[]){ __VA_ARGS__, { NULL, 0, 0, 0, 0 } }, \
                      (const iv_case[]){ { 1, where, NULL }, { 0, NULL, NULL } }, 1, err)

#endif
