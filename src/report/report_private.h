/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the module share: views, cells, drawings, and the formats. */
#ifndef IV_REPORT_REPORT_PRIVATE_H
#define IV_REPORT_REPORT_PRIVATE_H

#include "intervale/report.h"
#include "base/base_private.h"

/* -------------------------------------------------------------- escape -- */

/* Text of unknown origin, made safe for one output language. */
typedef struct iv_escapes {
    /* How to write an ASCII character the language gives a meaning to, or
     * NULL to write it as it is.  prev is the byte before it, or 0. */
    const char *(*special)(char c, char prev);
    /* How to write the backslash of \xNN. */
    const char *backslash;
} iv_escapes;

/* For a terminal: nothing has a meaning but control characters. */
extern const iv_escapes iv_escapes_plain;

/* For HTML and XML: safe as text of an element and inside quotes. */
extern const iv_escapes iv_escapes_html;

/*
 * Writes s to out and returns how many terminal columns it takes; control
 * characters and bytes that are not UTF-8 come out as \xNN.  With out NULL it
 * only measures.
 */
size_t iv_escape(FILE *out, iv_str s, const iv_escapes *e);

/* The template as it is, but for %s, a text, and %S, an iv_str, both made safe, and %z, a
 * size_t. */
void iv_put(FILE *out, const iv_escapes *e, const char *template, ...);

/* --------------------------------------------------------------- cells -- */

/* One cell of a table, for people and for programs. */
enum { IV_CELL_SIZE = 64 };

/*
 * A number of that column as text: rounded to its digits for people, exact
 * for programs.  The column must not be one of text, the cell not missing.
 */
const char *iv_cell_rounded(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell);
const char *iv_cell_exact(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell);

/*
 * Writes a cell for people (out NULL: only measures) and returns its columns
 * on the screen; a missing one is written as the given text.
 */
size_t iv_cell_show(FILE *out, const iv_column *column, iv_cell cell,
                    const iv_escapes *e, const char *missing);

/*
 * Writes a cell of a column that is `width` columns wide: numbers to the right of it, text to
 * the left.  Returns how many columns are left behind it.
 */
size_t iv_cell_aligned(FILE *out, const iv_column *column, iv_cell cell, const iv_escapes *e,
                       const char *missing, size_t width);

/* How many screen columns each column of t takes, heading included; NULL when memory is out. */
size_t *iv_cell_widths(iv_arena *own, const iv_table *t, const iv_escapes *e,
                       const char *missing);

/* Writes that many spaces. */
void iv_cell_pad(FILE *out, size_t columns);

/* -------------------------------------------------------------- render -- */

/*
 * Inside the module: one renderer a format.
 *
 * A renderer writes to a stream in memory and does not look back: a failed write stays
 * in the stream, a piece of memory that could not be had in the view's arena, where
 * iv_report_write() finds them at the end.
 */

/*
 * What to show: some of the tables, each with the columns that are for those who
 * read the format; and the notes that are.
 */
typedef struct iv_report_view {
    const iv_result *result;
    const iv_report_options *options;
    bool people, whole; /* who reads the format: see the table of formats */
    iv_showing most;
    iv_arena memory;
    iv_table *tables;
    size_t count, capacity;
    iv_note *notes;    /* warnings first */
    size_t note_count;
    size_t more;       /* notes that are not shown for want of room */
    struct iv_plot **plots; /* of a format that draws */
    size_t plot_count;
} iv_report_view;

/* Fills *view, which has what the renderer borrows and who reads it; its memory is to be freed.
 * IV_EARG, with a list of those there are, when the result has no table of the wanted name. */
IV_MUST_CHECK int iv_view_fill(iv_report_view *view, iv_err *err);

/* "note" or "warning". */
const char *iv_severity_name(iv_severity severity);

/* What stands above a column. */
const char *iv_column_heading(const iv_column *c);

/* The references of the methods used and of the software, and their BibTeX. */
void iv_put_references(FILE *out, const iv_result *r);

void iv_render_text(FILE *out, iv_report_view *view);
void iv_render_tsv(FILE *out, iv_report_view *view);
void iv_render_csv(FILE *out, iv_report_view *view);
void iv_render_json(FILE *out, iv_report_view *view);
void iv_render_jsonl(FILE *out, iv_report_view *view);
void iv_render_markdown(FILE *out, iv_report_view *view);
void iv_render_github(FILE *out, iv_report_view *view);
void iv_render_junit(FILE *out, iv_report_view *view);
void iv_render_latex(FILE *out, iv_report_view *view);
void iv_render_html(FILE *out, iv_report_view *view); /* INTERVALE_HTML only */
void iv_render_vega(FILE *out, iv_report_view *view);

/* ------------------------------------------------------------- drawing -- */

/* Intervals in characters, all rows of a table on one axis. */
enum { IV_DRAWING_LEAST = 12, IV_DRAWING_MOST = 60 };

typedef struct iv_drawing {
    double from, to;             /* the values at the first and last column */
    int columns;                 /* IV_DRAWING_LEAST to IV_DRAWING_MOST */
    int digits;                  /* of the labels; negative: as many as needed */
    bool utf8;
    size_t value, lower, upper;  /* columns of the table; SIZE_MAX: none */
} iv_drawing;

/* False when the table draws nothing, or not in so little room. */
bool iv_drawing_fit(iv_drawing *out, const iv_table *t, size_t room, bool utf8);

/*
 * Draws the interval of one row between two texts, without blanks at its end;
 * nothing at all where there is nothing to draw.
 */
void iv_drawing_row(FILE *out, const iv_drawing *d, const iv_table *t, size_t row,
                    const char *before, const char *after);

/* Draws the axis with its two ends' values. */
void iv_drawing_axis(FILE *out, const iv_drawing *d);

/* ---------------------------------------------------------------- plot -- */

/*
 * A chart met with its table: which columns it takes, which rows, and how
 * many labels, groups, panels and pages there are.
 */
typedef enum iv_role {
    IV_ROLE_LABEL, IV_ROLE_AGAINST, IV_ROLE_X, IV_ROLE_VALUE, IV_ROLE_LOWER,
    IV_ROLE_UPPER, IV_ROLE_GROUP, IV_ROLE_PANEL, IV_ROLE_PAGE, IV_ROLE_WHERE, IV_ROLES
} iv_role;

typedef struct iv_plot {
    iv_chart chart;      /* the command's, or one made from what the table draws */
    const iv_table *table;
    size_t number;       /* of the table in the result */
    size_t at[IV_ROLES]; /* the column in each role; SIZE_MAX: none */
    size_t rows;         /* how many the chart takes */
    size_t lines;        /* labels on one page of one panel */
    iv_ids groups, panels, pages; /* in the order of the table */
    size_t most_groups;           /* in one picture: it takes so many colours */
    iv_ids down, across;          /* labels of a matrix or of bars, also of
                                     missing values */
    iv_arena *own;                /* has their texts, where columns are of numbers */
    bool below_zero, above_zero;  /* is there such a value? */
    bool gaps;                    /* is a lower or upper end missing? */
} iv_plot;

/*
 * The charts of the tables in view: the command's, or, where it has none, a
 * forest for each table that draws intervals.  Those without a row are left out.
 */
IV_MUST_CHECK int iv_view_plots(iv_report_view *view, iv_err *err);

/* Is this row of the table in the chart?  Counts are on no scale with shares, and in no forest. */
bool iv_plot_takes(const iv_plot *p, size_t row);

/* How many pictures it is: one a panel. */
size_t iv_plot_pictures(const iv_plot *p);

/* The column in a role; NULL: none. */
const iv_column *iv_plot_column(const iv_plot *p, iv_role role);

/* ---------------------------------------------------------- json write -- */

/* JSON, value by value, with the commas and the indentation seen to. */
enum { IV_JSON_DEEPEST = 24 };

typedef struct iv_json {
    FILE *out;
    bool in_page; /* inside HTML: nothing that ends a script, on one line */
    int depth;
    bool filled[IV_JSON_DEEPEST]; /* has something been written at this depth? */
    bool flat[IV_JSON_DEEPEST];   /* on one line from here on */
    bool array[IV_JSON_DEEPEST];
} iv_json;

/*
 * A string in quotes: valid JSON in valid UTF-8, whatever the bytes.  In a
 * page <, >, & and the two line ends of JavaScript are escaped, too.  To be
 * shown: what a terminal would act on and bytes that are no UTF-8 come out as
 * the four characters \xNN, as they do in a table for people.
 */
enum { IV_JSON_IN_PAGE = 1, IV_JSON_SHOWN = 2 };
void iv_json_quote(FILE *out, iv_str s, unsigned how);

/* Opens what iv_json_close() closes; key is NULL inside an array. */
void iv_json_object(iv_json *j, const char *key);
void iv_json_array(iv_json *j, const char *key);
void iv_json_close(iv_json *j);

/* Values; text NULL is null. */
void iv_json_text(iv_json *j, const char *key, const char *text);
void iv_json_int(iv_json *j, const char *key, int64_t value);

/* A cell, by the name of its column; how: as iv_json_quote() has it. */
void iv_json_cell(iv_json *j, const iv_table *t, size_t row, size_t column, unsigned how);

/* Writes what comes before a value, which the caller writes by itself. */
void iv_json_key(iv_json *j, const char *key);

/*
 * A value, or members of what is open, by a template: JSON with single quotes in which %s is a
 * text (NULL: null), %S an iv_str to be shown, %f a name as Vega-Lite has fields, %d an int64_t,
 * %g a double (null unless finite) and %b a bool.  It is on one line, but for what a bracket with
 * a line end behind it opens.  What it leaves open is closed as usual.
 */
void iv_json_put(iv_json *j, const char *key, const char *template, ...);

/* How a field is named in a specification: points and brackets have a meaning.  Returns out. */
enum { IV_FIELD_SIZE = 256 };
const char *iv_json_field(char out[IV_FIELD_SIZE], const char *name);

/* ---------------------------------------------------------------- vega -- */

/* A chart as a Vega-Lite specification. */
#define IV_VEGA_SCHEMA "https://vega.github.io/schema/vega-lite/v6.json"

/* Writes the members of the specification of one panel but its data. */
void iv_vega_picture(iv_json *j, const iv_plot *p, size_t panel, size_t number);

/* Writes the member "params": the pages a reader can choose, if any. */
void iv_vega_choice(iv_json *j, const iv_report_view *view, size_t first, size_t count);

/* Writes the member "config": colours, fonts and lines of all charts. */
void iv_vega_config(iv_json *j);

/* ------------------------------------------------------- vega channels -- */

/* The channels of a specification: which column goes to which axis or colour. */
enum {
    IV_MOST_COLOURS = 8, /* groups that the palette can tell apart */
    IV_MOST_SHAPES = 6   /* groups that dashes and shapes can tell apart */
};

/* ---------------------------------------------------------------- html -- */

/* Parts of an HTML report. */

/* Rows of a table that stand in the page itself; the script shows the others. */
enum { IV_HTML_ROWS = 200 };

/* ---------------------------------------------------------------- page -- */

/* What every HTML report carries; made when the library is built. */

/* Pieces to be written one after another; each list ends with NULL.  The libraries that
 * draw come before the rest of the script. */
extern const char *const iv_page_style[];
extern const char *const iv_page_drawing[];
extern const char *const iv_page_script[];

/* Of the two together, as a content security policy names it. */
extern const char iv_page_script_hash[];

#endif
