/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command found, before anyone decides how to show it: tables of typed
 * cells, notes, and where they came from.  The report module renders it.
 *
 * Adding to a result cannot fail halfway: an allocation failure is remembered
 * and returned by iv_result_status(), so a command checks once, at its end.
 * All text is copied.
 */
#ifndef INTERVALE_RESULT_RESULT_TABLES_H
#define INTERVALE_RESULT_RESULT_TABLES_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_result iv_result;
typedef struct iv_table iv_table;

/* Whom a column is for; the report module knows which formats are whose. */
typedef enum iv_audience {
    IV_FOR_ALL,
    IV_FOR_PROGRAMS, /* tsv, csv, json, charts, and pages, which can be searched */
    IV_FOR_PEOPLE,   /* text, markdown and latex */
    IV_IF_ANY,       /* programs always; people if a row has a value */
    IV_IF_VARIES,    /* programs always; people if rows differ */
    IV_IF_VERBOSE    /* programs always; people with --verbose */
} iv_audience;

typedef struct iv_column {
    const char *name;
    iv_kind kind;
    int digits; /* of an IV_REAL, after the decimal point, for people */
    iv_audience audience;
    const char *about; /* what it contains; or NULL */
    const char *heading; /* for people; NULL: the name */
} iv_column;

/* Which formats show a table that was not requested by its name. */
typedef enum iv_showing {
    IV_SHOWN,  /* all that show several tables */
    IV_ASIDE,  /* all but text */
    IV_FOLDED, /* programs, and pages, which fold it: the data of a chart */
    IV_LONG,   /* as IV_FOLDED, and people see how many rows are hidden */
    IV_ASKED   /* none: to compute it takes longer than all the rest */
} iv_showing;

typedef struct iv_cell {
    bool missing;
    iv_str text;     /* of an IV_TEXT column */
    int64_t integer; /* of an IV_INTEGER column */
    double real;     /* of an IV_REAL column; always finite */
    bool count;      /* of an IV_REAL column: a number of things, shown to people as an integer */
} iv_cell;

/* Which columns of a table have an interval that text output may draw. */
typedef struct iv_drawn {
    const char *value, *lower, *upper; /* column names; value may be NULL */
    double from, to; /* the axis; from == to: take it from the data */
} iv_drawn;

/*
 * An empty result of a command.  The caller frees *out, with its tables and texts, by
 * iv_result_free().  IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_result_new(iv_result **out, const char *command,
                                       iv_err *err);
IV_API void iv_result_free(iv_result *r);

/*
 * Provenance: the words of the command line one by one, and the seed.  Reported in the order
 * of the calls.
 */
IV_API void iv_result_argument(iv_result *r, const char *word);
IV_API void iv_result_seed(iv_result *r, uint64_t seed);

/* A sentence for the reader, without an id; messages of commands are rows. */
IV_API void iv_result_note(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/* The answer in one plain sentence, shown before the tables. */
IV_API void iv_result_answer(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/*
 * A table from an array of structs.  A field connects a column with a member of the
 * struct:
 *
 *     static const iv_field fields[] = {
 *         { "run", IV_AT(row, name) },
 *         { "mean", IV_AT(row, mean), .digits = 4, .about = "over topics" },
 *         { "topics", IV_AT(row, topics), .shown = UNEVEN },
 *         { NULL } };
 *     iv_result_rows(r, &(iv_rows){ "runs", fields, rows, count, sizeof *rows });
 *
 * Members are doubles, integers of any size, bool, iv_str, or terminated text (a
 * pointer, or an array whose size is not that of a pointer);
 * an enum is shown by `names`.  A real that is not finite, a NULL text, the largest
 * unsigned integer and the smallest signed one are missing values.
 */
enum { IV_AS_REAL, IV_AS_SIGNED, IV_AS_UNSIGNED, IV_AS_TEXT, IV_AS_STR };
enum { IV_DIGITS = -1 }; /* as many digits as the rows say */

typedef struct iv_field {
    const char *name; /* NULL ends the list */
    int type;         /* these three by IV_AT() */
    size_t size, offset;
    int digits;
    iv_audience audience;
    unsigned needs;   /* the column exists only with one of these flags ... */
    unsigned shown;   /* ... and people see it only with one of these; 0: always */
    const char *const *(*names)(void); /* of the values of an enum */
    const char *about;
    const char *heading; /* for people; NULL: the name */
} iv_field;

#define IV_AT(T, member)                                                      \
    _Generic(((T *)0)->member, double: IV_AS_REAL, bool: IV_AS_UNSIGNED,      \
             int: IV_AS_SIGNED, long: IV_AS_SIGNED, long long: IV_AS_SIGNED,  \
             unsigned: IV_AS_UNSIGNED, unsigned long: IV_AS_UNSIGNED,         \
             unsigned long long: IV_AS_UNSIGNED, char *: IV_AS_TEXT,          \
             const char *: IV_AS_TEXT, iv_str: IV_AS_STR),                    \
    sizeof(((T *)0)->member), offsetof(T, member)

typedef struct iv_rows {
    const char *name;
    const iv_field *fields;
    const void *at;
    size_t count, size; /* rows, and bytes from one to the next */
    unsigned with;      /* flags of fields' needs and shown */
    int digits;         /* of fields with IV_DIGITS */
    iv_showing showing;
    iv_drawn drawn;     /* .lower NULL: nothing is drawn */
    const char *split;  /* a column of text by which the rows are sorted: people see
                           one table for each of its texts, named by it */
    size_t quiet;       /* IV_QUIET() of a bool: rows for which it is true are for
                           programs only; 0: all rows are for all */
} iv_rows;

#define IV_QUIET(T, member) (1 + offsetof(T, member))

/* Adds the table; nothing is borrowed afterwards.  Never returns NULL: after an allocation
 * failure the rows are lost, and iv_result_status() reports it. */
IV_API iv_table *iv_result_rows(iv_result *r, const iv_rows *rows);

/*
 * Will a table of that name be shown?  Answers may ask, to save the work of making it.
 * A new result wants everything.
 */
IV_API bool iv_result_wants(iv_result *r, const char *table, iv_showing showing);

/*
 * IV_OK, IV_ENOMEM, or IV_EARG if a cell did not fit its column or the last
 * row of a table is incomplete.
 */
IV_API IV_MUST_CHECK int iv_result_status(const iv_result *r, iv_err *err);

/* How the numbers were computed, and what is assumed: each call adds a sentence,
 * which pages show. */
IV_API void iv_result_method(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);
IV_API void iv_result_assumption(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/*
 * What the report is about, and by whom: a name ("Matter") and a text, which pages show at
 * the top and json has.  Given by the caller, never taken from the clock or the machine.
 */
IV_API void iv_result_detail(iv_result *r, const char *name, const char *text);

/* Gives the inputs of a result that are on the list their SHA-256. */
IV_API void iv_result_digests(iv_result *r, const iv_digests *d);

/* A method that can be named: src/result/methods.c lists them. */
typedef struct iv_method_row {
    const char *id;    /* "holm" */
    const char *text;  /* "Holm's correction" */
    const char *cites; /* keys of papers, separated by blanks; "": none is needed */
} iv_method_row;

IV_END_C

#endif
