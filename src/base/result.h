/* SPDX-License-Identifier: Apache-2.0 */
/* The insides of a result, for the files that fill and read it. */
#ifndef IV_BASE_RESULT_H
#define IV_BASE_RESULT_H

#include <stdarg.h>

#include "base/memory.h"
#include "intervale/base.h"

/* A cell; its kind is the column's. */
#define IV_CELL_MISSING SIZE_MAX
#define IV_CELL_COUNT 1
typedef struct iv_stored {
    union {
        const char *text;
        int64_t integer;
        double real;
    } as;
    size_t len; /* of a text; of a real IV_CELL_COUNT or 0; IV_CELL_MISSING in any column */
} iv_stored;

struct iv_table {
    iv_result *result;
    const char *name;
    iv_column *columns;
    size_t column_count;
    size_t stride;     /* cells of a row; in a view more than columns ... */
    size_t *map;       /* ... which are found here; NULL: each at its place */
    iv_stored *cells;
    size_t count, capacity; /* cells */
    size_t unlisted;        /* rows that were counted and not kept */
    iv_drawn drawn;
    bool draws;
    iv_showing showing;
    bool *quiet;       /* by row: for programs only; NULL: none is */
    size_t quiet_capacity;
    size_t *row_map, row_count; /* of a view without those rows; NULL: all */
    const char *caption; /* of a table that a paper prints; NULL: it is none */
    bool named;          /* left out of text, which names it */
    const char *split; /* the column that parts it for people; NULL: none */
};

typedef struct iv_words {
    const char **at;
    size_t count, capacity;
} iv_words;

struct iv_result {
    iv_arena arena;   /* of all but cells; when it fails, so does the result */
    iv_arena own;     /* what an answer needs while it is made, and no longer */
    const char *command, *answer;
    const char *plain, *lead; /* the answer by itself, and warnings before it */
    iv_words arguments, methods, assumptions, claims;
    iv_note *notes;
    size_t note_count, note_capacity;
    iv_words used, used_texts; /* methods: their ids, and what is said of each */
    const char *method_text;
    const char *interval; /* what stands above columns lower and upper; NULL: their names */
    iv_citation *citations;
    size_t citation_count, citation_capacity;
    iv_words detail_names, details;
    iv_verdict verdict;
    iv_words known;   /* tables that somebody asked about */
    const char *wanted; /* the only table; NULL: any up to `most` */
    iv_showing most;
    bool without_charts;
    iv_input *inputs;
    size_t input_count, input_capacity;
    uint64_t seed;
    bool has_seed;
    iv_table **tables;
    size_t table_count, table_capacity;
    iv_chart *charts;
    size_t chart_count, chart_capacity;
    iv_table nowhere; /* stands in for a table that could not be made */
    iv_err failure;
};

/* Forgets what was said since r was as in `before`, a copy of it; the memory stays. */
void iv_result_rewind(iv_result *r, const iv_result *before);

/* A copy that lives as long as the result; "" when memory is out, which the status tells. */
const char *iv_result_keep(iv_result *r, iv_str s);

/* Tables whose columns depend on the data; others are declared (iv_result_rows). */

/*
 * Adds an empty table; columns are copied.  Never NULL: after an allocation
 * failure the rows go nowhere and iv_result_status() tells.
 */
iv_table *iv_result_table(iv_result *r, const char *name, const iv_column *columns,
                          size_t count);

/* ... and which formats show it unasked; IV_SHOWN unless this is called. */
void iv_table_show(iv_table *t, iv_showing showing);

/* Text output shall draw this interval at the end of each row. */
void iv_table_draw(iv_table *t, iv_drawn drawn);

/* Text leaves it out and says that it is there; the others show it. */
void iv_table_named(iv_table *t);

/* What stands behind the largest value of a column, and what the caption says of it; latex
 * sets such values in bold instead. */
#define IV_PAPER_MAX " (max)"
#define IV_PAPER_MARKED "is marked (max)"
#define IV_PAPER_BOLD "is in bold"

/* The note added last is about these tables ("pairs groups"): who sees none of them is not
 * told.  Notes of the result are all of them; formats leave out what they do not show. */
void iv_result_about(iv_result *r, const char *tables);

/* Adds a note; its texts are copied but for the id, which is static. */
void iv_result_add_note(iv_result *r, const iv_note *note);

/* A sentence before the answer, set before or after it. */
void iv_result_lead(iv_result *r, const char *text);

/* A method was used: its id, static, and what the line on methods says of it.  False: it is
 * known already. */
bool iv_result_add_method(iv_result *r, const char *id, const char *text);

/* ... and it rests on a paper; all static.  One that is there already is not added. */
void iv_result_add_citation(iv_result *r, const iv_citation *c);

/* It is one that a paper prints: a text a run, then cells of value, interval and marks. */
void iv_table_paper(iv_table *t, const char *caption);

/*
 * Fills the next cell of the table, row by row, left to right; the kind must
 * be the column's.  A real that is not finite is a missing value.
 */
void iv_put_text(iv_table *t, iv_str s);
void iv_put_int(iv_table *t, int64_t v);
void iv_put_real(iv_table *t, double v);
void iv_put_missing(iv_table *t);

/* Appends rows to a table that iv_result_rows() made with the same fields and flags:
 * a large one need not be in memory twice. */
void iv_table_append(iv_table *t, const iv_rows *rows);

/* The last so many rows have counts in that column of reals, among others that have shares. */
void iv_table_counts(iv_table *t, size_t rows, const char *column);

/* Has the column a value in any row, and do its cells differ? */
bool iv_table_has_any(const iv_table *t, size_t column);
bool iv_table_varies(const iv_table *t, size_t column);

/* A view of t for people or for programs: the columns that are for them.  Borrows t. */
IV_MUST_CHECK int iv_table_view(iv_table *out, iv_arena *a, const iv_table *t, bool people,
                                bool verbose, iv_err *err);

/* The part of t that begins in row *from, which moves on to the next; false when none
 * is left.  A table that is not split is one part. */
bool iv_table_part(iv_table *part, const iv_table *t, size_t *from);

/* Will only the number of such a table's rows be shown?  They are not kept then. */
bool iv_result_counts_only(const iv_result *r, iv_showing showing);

/* Was this table asked for by its name? */
bool iv_result_wants_only(const iv_result *r, const char *table);

#endif /* IV_BASE_RESULT_H */
