/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base -- what every other module speaks: errors, strings, numbers as text,
 * tables of results, output files.  Depends on nothing.
 *
 * Conventions of the whole library:
 *  - a function that can fail returns IV_OK or a negative IV_E* code and fills
 *    the caller's iv_err (which may be NULL) with one line for a person;
 *  - out parameters come first and are the caller's to free; a returned
 *    pointer is borrowed from the object it was asked of;
 *  - on failure every out parameter is untouched;
 *  - what cannot be meant is IV_EARG: lists that are NULL or hold NULL, numbers that no
 *    enum has, NaN where a number is asked for;
 *  - iv_xxx_free(NULL) is fine;
 *  - nothing is printed, nothing exits, there is no global state; different
 *    objects may be used from different threads, one object by many readers;
 *  - options of {0}, and a NULL pointer to options, are the defaults: those of the
 *    command-line tool.
 *
 * Threads: a long loop starts threads, as many as the system gives, and ends them before it
 * returns.  They take no signals.  A caller's own threads may call the library at the same
 * time; each call starts threads of its own.  A child of fork() may use the library, whatever the
 * parent's threads were doing.  A progress function is called by the thread that called the
 * library or by one it started, one at a time.
 *
 * What is stable: functions and structs of these headers keep their meaning and
 * layout for as long as libintervale.so keeps its number.  Those marked
 * IV_EXPERIMENTAL may change or go in any version; the shared library exports them
 * under the version INTERVALE_EXPERIMENTAL.
 */
#ifndef INTERVALE_BASE_H
#define INTERVALE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define IV_BEGIN_C extern "C" {
#define IV_END_C }
#else
#define IV_BEGIN_C
#define IV_END_C
#endif

IV_BEGIN_C

#if defined(__GNUC__)
#define IV_API __attribute__((visibility("default")))
#define IV_MUST_CHECK __attribute__((warn_unused_result))
#define IV_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define IV_API
#define IV_MUST_CHECK
#define IV_PRINTF(fmt, args)
#endif

#define IV_EXPERIMENTAL /* see above */

/* The version of these headers. */
#define IV_VERSION_MAJOR 0
#define IV_VERSION_MINOR 3
#define IV_VERSION_PATCH 0

/* The version of the library in use, such as "0.3.0"; static. */
IV_API const char *iv_version(void);

/* ------------------------------------------------------------- errors -- */

/* What went wrong, coarsely enough that a caller can act on it. */
enum {
    IV_OK      = 0,
    IV_ENOMEM  = -1, /* allocation failed */
    IV_EIO     = -2, /* the operating system refused a read or a write */
    IV_EPARSE  = -3, /* the input is not in the format it claims; the error
                        names file and line */
    IV_EARG    = -4, /* a value is outside its documented domain */
    IV_ENODATA = -5, /* valid input, but nothing to compute from */
    IV_ENUM    = -6, /* a computation did not reach its accuracy */
    IV_ECANCELLED = -7 /* the caller's progress function asked to stop */
};

/* Filled by the function that detects the error; owned by the caller. */
typedef struct iv_err {
    int code;       /* one of the IV_E* values, IV_OK while unset */
    char msg[340];  /* one line, no newline, no final full stop */
    char hint[128]; /* what to do, to be put behind it: "; --sort sorts it first".  Options are
                       spelled as in the tool; "" if there is none */
    char file[160]; /* the file it is about, "" if none; a longer path has lost
                       its beginning and starts with "..." */
    uint64_t line;  /* of that file, from 1; 0: the whole file */
} iv_err;

/* How much a message matters. */
typedef enum iv_severity { IV_NOTE, IV_WARNING, IV_ERROR } iv_severity;

/* Behind a message: what to do, which names options (iv_err.hint). */
#define IV_HINT(text) "\x01" text

/* Records code and message in err (which may be NULL) and returns code. */
IV_API int iv_fail(iv_err *err, int code, const char *fmt, ...) IV_PRINTF(3, 4);

/* The same about a file, and a line of it, or 0. */
IV_API int iv_fail_at(iv_err *err, int code, const char *file, uint64_t line,
                      const char *fmt, ...) IV_PRINTF(5, 6);

/* Writes the whole line for a person: "FILE:LINE: msg", "FILE: msg" or "msg".
 * Returns out. */
enum { IV_ERR_TEXT_SIZE = 544 };
IV_API const char *iv_err_text(char out[IV_ERR_TEXT_SIZE], const iv_err *err);

/* ------------------------------------------------------------ strings -- */

/* Bytes owned by someone else; not terminated, may hold any byte. */
typedef struct iv_str {
    const char *ptr;
    size_t len;
} iv_str;

/* A view of a terminated string. */
IV_API iv_str iv_str_of(const char *s);

/* Byte order: negative, 0 or positive as a sorts before, with or after b.
 * Either may be empty (len 0, any ptr). */
IV_API int iv_str_cmp(iv_str a, iv_str b);

/*
 * Writes s in single quotes for an error message: control bytes and bytes
 * that are not UTF-8 as \xNN, cut after 40 bytes with "...".  Returns out.
 */
enum { IV_QUOTE_SIZE = 176 };
IV_API const char *iv_quote(char out[IV_QUOTE_SIZE], iv_str s);

/*
 * How far a word is from another, in halves of an edit: inserting, deleting or
 * changing a letter and swapping two neighbours are one edit; another case costs
 * `other_case` halves.  Looks at the first 64 bytes of each.  Allocates nothing.
 */
IV_API size_t iv_edit_distance(iv_str a, iv_str b, size_t other_case);

/* ------------------------------------------------------- how to work -- */

/*
 * Long work reports its progress to the caller and asks whether to continue: at least
 * every 50 ms, from one thread at a time, with a fraction that never falls.
 * report may be NULL; when it returns anything but 0, the work ends with
 * IV_ECANCELLED as soon as it can, and leaves nothing behind.
 */
typedef struct iv_progress {
    int (*report)(void *user, double fraction);
    void *user;
} iv_progress;

typedef struct iv_digests iv_digests; /* see below */

/*
 * How a function shall work, never what it finds: results depend on the seed,
 * not on the threads.  {0}, and NULL where a pointer is taken, are all threads,
 * seed 1, no report.
 */
typedef struct iv_work {
    int threads;   /* 0: as many as there are processors */
    uint64_t seed; /* of random numbers; 0: 1 */
    iv_progress progress;
    uint64_t most_bytes; /* of one file, unpacked; 0: as many as memory holds */
    iv_digests *digests; /* gets the SHA-256 of every file read; NULL: nobody asks */
} iv_work;

/*
 * In options 0 is "the default".  Where the number 0 can be meant as well, and
 * no number below it can, IV_ZERO says so: .level = IV_ZERO is grade 0.
 */
#define IV_ZERO (-1)

/* Lists that a caller hands over; they are read during the call only. */
typedef struct iv_texts {
    const char *const *at;
    size_t count;
} iv_texts;
typedef struct iv_reals {
    const double *at;
    size_t count;
} iv_reals;
typedef struct iv_integers {
    const int64_t *at;
    size_t count;
} iv_integers;

/* Two limits; and an estimate with its standard error, limits, and the degrees of freedom of
 * these by Student's t.  NaN: there is none. */
typedef struct iv_limits {
    double lower, upper;
} iv_limits;
typedef struct iv_interval {
    double value, se, lower, upper, df;
} iv_interval;

/* ---------------------------------------------------- numbers as text -- */

/*
 * Reads the whole of s as a decimal number: optional sign, digits with an
 * optional point, optional exponent.  Correctly rounded, whatever the locale.
 * False, and *out untouched, for anything else: empty, blanks, hexadecimal,
 * "inf", "nan", an overflow to infinity.
 */
IV_API bool iv_scan_real(double *out, iv_str s);

/* Reads the whole of s as a decimal integer (a sign, then digits) in [lo, hi];
 * false, and *out untouched, for anything else. */
IV_API bool iv_scan_int(int64_t *out, iv_str s, int64_t lo, int64_t hi);

/*
 * The shortest text that reads back to the same double, terminated; "nan",
 * "inf" and "-inf" for the three that no table may hold.  Returns its length.
 */
enum { IV_REAL_SIZE = 32 };
IV_API size_t iv_format_real(char out[IV_REAL_SIZE], double value);

/* ------------------------------------------------------ result tables -- */

/*
 * What a command found, before anyone decides how to show it: tables of typed
 * cells, notes, and where they came from.  The report module renders it.
 *
 * Adding to a result cannot fail halfway: an allocation failure is remembered
 * and returned by iv_result_status(), so a command checks once, at its end.
 * All text is copied.
 */
typedef struct iv_result iv_result;
typedef struct iv_table iv_table;

typedef enum iv_kind { IV_TEXT, IV_INTEGER, IV_REAL } iv_kind;

/* Whom a column is for; the report module knows which formats are whose. */
typedef enum iv_audience {
    IV_FOR_ALL,
    IV_FOR_PROGRAMS, /* tsv, csv, json, charts, and pages, which can be searched */
    IV_FOR_PEOPLE,   /* text, markdown and latex */
    IV_IF_ANY,       /* programs always; people, where a row has a value */
    IV_IF_VARIES,    /* programs always; people, where rows differ */
    IV_IF_VERBOSE    /* programs always; people, who want all there is */
} iv_audience;

typedef struct iv_column {
    const char *name;
    iv_kind kind;
    int digits; /* of an IV_REAL, behind the point, where people read it */
    iv_audience audience;
    const char *about; /* what it contains; or NULL */
    const char *heading; /* for people; NULL: the name */
} iv_column;

/* Which formats show a table that nobody asked for by its name. */
typedef enum iv_showing {
    IV_SHOWN,  /* all that show several tables */
    IV_ASIDE,  /* all but text */
    IV_FOLDED, /* programs, and a page, which folds it away: drawn from, not read */
    IV_LONG,   /* as IV_FOLDED, and people see how many rows are hidden */
    IV_ASKED   /* none: to make it takes longer than all the rest */
} iv_showing;

typedef struct iv_cell {
    bool missing;
    iv_str text;     /* of an IV_TEXT column */
    int64_t integer; /* of an IV_INTEGER column */
    double real;     /* of an IV_REAL column; always finite */
    bool count;      /* of an IV_REAL column: a number of things, which people read whole */
} iv_cell;

/* Which columns of a table hold an interval that text output may draw. */
typedef struct iv_drawn {
    const char *value, *lower, *upper; /* column names; value may be NULL */
    double from, to; /* the axis; from == to: take it from the data */
} iv_drawn;

/*
 * An empty result of a command; *out is the caller's: iv_result_free() frees it
 * with its tables and texts.  IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_result_new(iv_result **out, const char *command,
                                       iv_err *err);
IV_API void iv_result_free(iv_result *r);

/*
 * Provenance: the words of the command line one by one, the seed, a file that
 * was read and its size.  Told in the order of the calls.
 */
IV_API void iv_result_argument(iv_result *r, const char *word);
IV_API void iv_result_seed(iv_result *r, uint64_t seed);

/* A sentence for the reader, without an id; messages of commands are rows. */
IV_API void iv_result_note(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/* The answer in one plain sentence, shown before the tables. */
IV_API void iv_result_answer(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/*
 * A claim that somebody wants to have shown, and what became of it.  Of several claims
 * the result's verdict is "otherwise" when one is, else "open" when one is.
 */
typedef enum iv_verdict {
    IV_VERDICT_NONE,      /* nothing was claimed */
    IV_VERDICT_SHOWN,     /* demonstrated, with the requested confidence */
    IV_VERDICT_OTHERWISE, /* the contrary does */
    IV_VERDICT_OPEN,      /* neither is demonstrated */
    IV_VERDICT_ERROR      /* there is no answer */
} iv_verdict;

/* Adds a claim, in a clause such as "recall is at least 0.75". */
IV_API void iv_result_verdict(iv_result *r, iv_verdict verdict, const char *fmt, ...)
    IV_PRINTF(3, 4);

/* What is inconclusive passes: only a claim that is refuted fails. */
IV_API void iv_result_open_passes(iv_result *r);

/* "PASS", "FAIL", "INCONCLUSIVE", "ERROR"; NULL for IV_VERDICT_NONE. */
IV_API const char *iv_verdict_name(iv_verdict verdict);

/*
 * A table from an array of structs.  A field ties a column to a member of the
 * struct, so that a column and its value cannot part:
 *
 *     static const iv_field fields[] = {
 *         { "run", IV_AT(row, name) },
 *         { "mean", IV_AT(row, mean), .digits = 4, .about = "over topics" },
 *         { "topics", IV_AT(row, topics), .shown = UNEVEN },
 *         { NULL } };
 *     iv_result_rows(r, &(iv_rows){ "runs", fields, rows, count, sizeof *rows });
 *
 * Members are doubles, integers of any size, bool, iv_str, or terminated text (a
 * pointer, or an array of another size than a pointer's);
 * an enum is shown by `names`.  Missing are a real that is not finite, a NULL
 * text, the largest unsigned integer and the smallest signed one.
 */
enum { IV_AS_REAL, IV_AS_SIGNED, IV_AS_UNSIGNED, IV_AS_TEXT, IV_AS_STR };
enum { IV_DIGITS = -1 }; /* as many digits as the rows say */

typedef struct iv_field {
    const char *name; /* NULL ends the list */
    int type;         /* these three by IV_AT() */
    size_t size, offset;
    int digits;
    iv_audience audience;
    unsigned needs;   /* the column is there only with one of these flags ... */
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
    size_t quiet;       /* IV_QUIET() of a bool: rows where it is true are for
                           programs only; 0: all are for all */
} iv_rows;

#define IV_QUIET(T, member) (1 + offsetof(T, member))

/* Adds the table; nothing is borrowed afterwards.  Never NULL: after an allocation
 * failure the rows go nowhere and iv_result_status() reports it. */
IV_API iv_table *iv_result_rows(iv_result *r, const iv_rows *rows);

/*
 * Will anybody look at a table of that name, or at charts?  Who does not ask adds
 * it in any case; who does saves the work.  A new result wants everything.
 */
IV_API bool iv_result_wants(iv_result *r, const char *table, iv_showing showing);

/*
 * IV_OK, IV_ENOMEM, or IV_EARG when a cell did not fit its column or the last
 * row of a table is not full.
 */
IV_API IV_MUST_CHECK int iv_result_status(const iv_result *r, iv_err *err);

/*
 * Reading back, as the report module and tests do.  Functions with `out` set it to
 * an array and return its length; arrays, texts and tables are borrowed from the
 * result and valid until something is added to it.  Indices must be below the
 * counts.  A cell's text is borrowed too.
 */
typedef struct iv_input {
    const char *path;
    uint64_t bytes;
    const char *sha256; /* in hexadecimal; NULL: nobody asked for it */
} iv_input;

/* What is said beside the answer.  Texts spell options as the tool does. */
typedef struct iv_note {
    const char *id;     /* "compare.few-topics"; NULL: none */
    iv_severity severity;
    const char *text;
    const char *tables; /* it is about these, with blanks between; NULL: about all */
    bool legend;        /* it explains columns */
    bool people;        /* ... that only people see */
    size_t advice;      /* its last bytes say what to do next, which pages leave out: so many */
} iv_note;

/* A paper that a number rests on; src/answer/references.bib has them. */
typedef struct iv_citation {
    const char *method; /* that it is cited for: "Holm's correction" */
    const char *key;    /* "holm1979simple" */
    const char *label;  /* "Holm 1979" */
    const char *text;   /* as in a list of references */
    const char *bibtex;
} iv_citation;

IV_API const char *iv_result_answer_text(const iv_result *r); /* NULL: none */
IV_API iv_verdict iv_result_has_verdict(const char *const **claims, size_t *count,
                                        const iv_result *r);
IV_API size_t iv_result_notes(const iv_note **out, const iv_result *r);
IV_API size_t iv_result_citations(const iv_citation **out, const iv_result *r);
IV_API const char *iv_result_method_text(const iv_result *r); /* NULL: none was named */
IV_API size_t iv_result_inputs(const iv_input **out, const iv_result *r);
IV_API size_t iv_result_tables(const iv_result *r);
IV_API const iv_table *iv_result_table_at(const iv_result *r, size_t i);
IV_API const char *iv_table_name(const iv_table *t);
IV_API size_t iv_table_columns(const iv_column **out, const iv_table *t);
IV_API size_t iv_table_rows(const iv_table *t);
IV_API size_t iv_table_find(const iv_table *t, const char *column);
IV_API const iv_drawn *iv_table_drawn(const iv_table *t); /* NULL: none */

/* ------------------------------------------------------- output files -- */

/*
 * A file that appears whole or not at all: written in the same folder without
 * a name (under a temporary one where the system has no nameless files),
 * synced, named and renamed by iv_outfile_commit(), with the permissions of a file that it
 * replaces.
 */
typedef struct iv_outfile iv_outfile;

/*
 * Opens path for writing; path "-" is standard output, written directly.  IV_EIO
 * when the folder cannot be written.  *out is the caller's, to be committed or
 * abandoned.
 */
IV_API IV_MUST_CHECK int iv_outfile_open(iv_outfile **out, const char *path,
                                         iv_err *err);

/* Where to write; borrowed.  Write errors may wait for the commit. */
IV_API FILE *iv_outfile_stream(iv_outfile *f);

/* Makes the file appear, or fails (IV_EIO) and leaves what was there.  Frees f
 * in either case. */
IV_API IV_MUST_CHECK int iv_outfile_commit(iv_outfile *f, iv_err *err);

/* Gives up: nothing appears.  Frees f, which may be NULL. */
IV_API void iv_outfile_abandon(iv_outfile *f);

/* ------------------------------------------------------------- charts -- */

/*
 * What to draw from a table, before anyone decides with what.  A chart names
 * columns; the report module makes a picture of them and knows no statistics.
 * Formats without pictures leave charts out.  A result without charts gets a
 * forest of each table that draws intervals.
 */
typedef enum iv_chart_kind {
    IV_CHART_FOREST,  /* a line a label: from lower to upper, and its value; one
                         of the two may be left out; with `against` both texts
                         are the label */
    IV_CHART_BARS,    /* a bar a label, from 0 to its value, the highest first */
    IV_CHART_CURVES,  /* value over x, joined, in a band from lower to upper */
    IV_CHART_POINTS,  /* value over x, each with a bar from lower to upper */
    IV_CHART_DENSITY, /* value over x, filled, darker where x is from lower to
                         upper */
    IV_CHART_MATRIX   /* labels down, `against` across, the value as a colour */
} iv_chart_kind;

typedef struct iv_axis {
    const char *title; /* NULL: the column's name */
    double from, to;   /* from == to: take them from the data */
    bool log;          /* a logarithmic axis */
} iv_axis;

/* A line to compare with: across the chart at a value, or upright at an x. */
typedef struct iv_chart_line {
    const char *text; /* what it stands for; NULL ends the list */
    double at;
    bool upright; /* at an x; in a forest, whose values lie along x, always */
} iv_chart_line;

enum { IV_CHART_LINES = 4, IV_CHART_LEVELS = 3 };

typedef struct iv_chart {
    iv_chart_kind kind;
    const char *title;
    const char *caption;  /* how to read it, in whole sentences */
    const char *table;    /* that the result has already */
    /* Columns.  Of text: where; of any kind: label, against, group, panel,
     * page; of numbers: the others.  NULL: none. */
    const char *label, *against;
    const char *x, *value, *lower, *upper;
    const char *group;    /* distinguished by colour and shape */
    const char *panel;    /* one picture for each of its texts, below another */
    const char *page;     /* one at a time, for the reader to choose */
    const char *opens;    /* the text of the page that is seen first; NULL: the first there is */
    const char *where;    /* only the rows ... */
    const char *is;       /* ... where this column holds this text, ... */
    const char *is_not;   /* ... or anything but this one */
    iv_axis x_axis, value_axis;
    bool diagonal;        /* with a line where x and value are equal */
    bool sorted;          /* a forest with the highest value first, not in the
                             order of the table */
    bool stepped;         /* curves that hold their value up to x, then jump */
    double levels[IV_CHART_LEVELS]; /* of a matrix: rising; colours change there
                             only, dark below the first; 0 ends the list */
    iv_chart_line lines[IV_CHART_LINES];
} iv_chart;

/*
 * Adds a chart of a table that is there; all text is copied.  A table or
 * column that is not there, or holds something else, is reported by
 * iv_result_status() as IV_EARG.
 */
IV_API void iv_result_chart(iv_result *r, const iv_chart *chart);

/* How the numbers were made, and what they take for granted: each call adds a sentence,
 * which pages show. */
IV_API void iv_result_method(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);
IV_API void iv_result_assumption(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/*
 * Whose report it is and what about: a name ("Matter") and a text, which pages show on
 * top and json has.  Given by the caller, never taken from the clock or the machine.
 */
IV_API void iv_result_detail(iv_result *r, const char *name, const char *text);

/* What was put into the result; the list is borrowed, the number is returned. */
IV_API size_t iv_result_charts(const iv_chart **out, const iv_result *r);
IV_API size_t iv_result_methods(const char *const **out, const iv_result *r);
IV_API size_t iv_result_assumptions(const char *const **out, const iv_result *r);

/* The SHA-256 of files, so that a report names the very bytes it is about. */

enum { IV_SHA256_SIZE = 65 };

/*
 * A list of files and their SHA-256, to be filled by those who read them: see iv_work.
 * A file is named as it was asked for, and its bytes are those it is kept with, packed
 * or not.  IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_digests_new(iv_digests **out, iv_err *err);
IV_API void iv_digests_free(iv_digests *d);

/* Gives the inputs of a result that are on the list their SHA-256. */
IV_API void iv_result_digests(iv_result *r, const iv_digests *d);

IV_END_C

#endif /* INTERVALE_BASE_H */
