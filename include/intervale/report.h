/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report -- writes a result in a format.
 *
 * The module knows tables, notes and intervals to draw, and no statistics.
 *
 *   text      for people: the answer, aligned tables, drawn intervals, notes
 *   tsv       one table: a line of column names, then one line a row
 *   csv       the same for spreadsheets
 *   json      the whole result in one object
 *   jsonl     the same as a stream, a line each: the result without its rows, then
 *             the rows
 *   markdown  tables as in GitHub's dialect
 *   latex     booktabs tabulars to paste into a paper
 *   html      one page with charts that needs no network: the answer, charts,
 *             tables to sort and save, notes, method, where it came from
 *   vega      the charts as a Vega-Lite specification with its data; several
 *             are put below each other
 *
 * Numbers carry full precision in tsv, csv, json and jsonl (the shortest text that
 * reads back to the same double) and the column's digits elsewhere; there a
 * number that is not 0 but would be rounded to 0 is shown as 3.2e-07.  A
 * missing value is empty in tsv, csv and markdown, null in json, - in text
 * and -- in latex.  The output does not depend on the locale.
 *
 * Text from files may hold anything and does no harm in any format.  What a
 * terminal would act on (control characters, bidirectional overrides) and
 * bytes that are not UTF-8 are written \xNN, but in json as \u00NN and U+FFFD.
 * Beyond that:
 *   tsv       exact and reversible: \t, \n, \r and \\ stand for a tab, line
 *             feed, carriage return and backslash; the first of = + - @ where
 *             a spreadsheet could take it for a formula is \xNN
 *   csv       RFC 4180 quoting, lines end with LF; text that a spreadsheet
 *             could take for a formula (= + - or @ first or behind a separator,
 *             and no number) gets an apostrophe there: use tsv or json for
 *             exact text.  Empty text is "", a missing value is nothing
 *   json, markdown, latex   escaped as the language wants it
 *   html      escaped, and no script runs but the report's own
 *   vega      as text in quotes, with \xNN as above
 */
#ifndef INTERVALE_REPORT_H
#define INTERVALE_REPORT_H

#include "intervale/base.h"
#include "intervale/result/result_tables.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iv_format {
    IV_FORMAT_TEXT,
    IV_FORMAT_TSV,
    IV_FORMAT_CSV,
    IV_FORMAT_JSON,
    IV_FORMAT_JSONL,
    IV_FORMAT_MARKDOWN,
    IV_FORMAT_LATEX,
    IV_FORMAT_GITHUB, /* a step summary: Markdown of at most 25 lines */
    IV_FORMAT_JUNIT,  /* claims as test cases */
    IV_FORMAT_HTML,
    IV_FORMAT_VEGA
} iv_format;

/* The names of all formats, in the order of iv_format, ending with NULL. */
IV_API const char *const *iv_format_names(void);

/* The format of that name; false, and *out untouched, when there is none. */
IV_API bool iv_format_find(iv_format *out, const char *name);

/* Does the format have a place for the notes, or must the caller show them? */
IV_API bool iv_format_has_notes(iv_format format);

/* Does it name the files that were read, and their SHA-256 if it is known? */
IV_API bool iv_format_has_inputs(iv_format format);

/* Can it be written?  html needs npm when the library is built. */
IV_API bool iv_format_is_built(iv_format format);

/* How to show a result.  {0} is text, all tables, plain, 80 columns. */
typedef struct iv_report_options {
    iv_format format;
    const char *table; /* only the table of this name; NULL: all of them, or
                          the first in tsv and csv; in vega, only charts of
                          this table */
    int width;         /* of the window, for text; 0: 80 */
    bool utf8;         /* text may draw with characters beyond ASCII */
    bool colour;       /* text may use terminal colours */
    bool no_notes;     /* text, markdown and latex: leave the notes out */
    const char *elsewhere; /* how to see a table too long to be shown, for the note
                              that it is: "--table lists it" */
    bool verbose;      /* text and markdown: all notes and columns; else at most three notes,
                          warnings first, and no legends */
    bool cite;         /* text and markdown: with the references and their BibTeX */
    bool wrap;         /* text: no line is longer than the window; sentences go on in the
                          next, wide tables below, unless one word or cell is longer */
    bool still;        /* vega: a picture from which nobody chooses; pages of a chart, at most
                          12, are below each other */
} iv_report_options;

/*
 * Tells a new result what will be shown: expensive tables and charts that nobody sees
 * are not made.
 */
IV_API void iv_report_wish(iv_result *result, const iv_report_options *options);

/*
 * Writes the result to out.  IV_EARG when it has no table of the wanted name
 * (the message lists those it has), or with what iv_result_status() says of
 * an unfinished result.  IV_ENODATA when a result without charts is asked for as
 * vega.  IV_ENOMEM.  Nothing is written then.  IV_EIO when a write failed.
 * Takes time linear in the number of cells, and memory for the whole text.
 */
IV_API IV_MUST_CHECK int iv_report_write(FILE *out, const iv_result *result,
                                         const iv_report_options *options,
                                         iv_err *err);

/*
 * Writes the script that pages carry to draw what the format vega writes: it defines
 * vega and vegaLite, in a browser or elsewhere.  IV_EARG where html is not built, IV_EIO
 * when a write failed.
 */
IV_API IV_MUST_CHECK IV_EXPERIMENTAL int iv_report_drawing(FILE *out, iv_err *err);

/* -------------------------------------------------------------- arrow -- */

/* The structs of the Arrow C data and stream interfaces, whose layout is fixed; a
 * program may have them from elsewhere, under the guards that these share. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_NULLABLE 2

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

/*
 * A table for programs that speak Arrow: a stream of one batch, texts as large_utf8,
 * whole numbers as int64, real ones as float64, missing cells as nulls.  Columns that
 * only repeat others for people are left out.  *out is the caller's, to be released by
 * its own function; the table need not outlive it.
 */
IV_API IV_MUST_CHECK int iv_table_arrow(struct ArrowArrayStream *out, const iv_table *table,
                                        iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_REPORT_H */
