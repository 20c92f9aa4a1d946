/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a result and its tables: for the module result, and for report. */
#ifndef IV_RESULT_RESULT_STATE_H
#define IV_RESULT_RESULT_STATE_H

#include "base/memory.h"
#include "result/result_build.h"

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
    const char *label;   /* of that, in latex */
    bool named;          /* left out of text, which names it */
    const char *split; /* the column that parts it for people; NULL: none */
};

struct iv_result {
    iv_arena arena;   /* of all but cells; when it fails, so does the result */
    iv_arena own;     /* what an answer needs while it is made, and no longer */
    const char *command, *answer;
    const char *plain, *lead; /* the answer by itself, and warnings before it */
    bool decides;  /* `plain` follows the word of the verdict */
    bool gated;    /* so does any answer ... */
    bool opened;   /* ... which passes because it is only inconclusive */
    iv_words arguments, methods, assumptions;
    iv_claim *claims;
    size_t claim_count, claim_capacity;
    iv_note *notes;
    size_t note_count, note_capacity;
    iv_words used, used_texts; /* methods: their ids, and what is said of each */
    const char *method_text;
    const char *interval; /* what stands above columns lower and upper; NULL: their names */
    iv_citation *citations;
    size_t citation_count, citation_capacity;
    iv_words detail_names, details;
    iv_verdict verdict;
    size_t decisive; /* claims with that verdict */
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

/* A view of t: the columns that are for its readers.  A page has all: it shows what people see,
 * and saves what programs read.  Borrows t. */
typedef enum { IV_PROGRAMS, IV_PEOPLE, IV_PAGE } iv_readers;
IV_MUST_CHECK int iv_table_view(iv_table *out, iv_arena *a, const iv_table *t, iv_readers readers,
                                bool verbose, iv_err *err);

/* The part of t that begins in row *from, which moves on to the next; false when none
 * is left.  A table that is not split is one part. */
bool iv_table_part(iv_table *part, const iv_table *t, size_t *from);

#endif
