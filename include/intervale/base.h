/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base -- what every other module uses: errors, strings, numbers as text,
 * tables of results, output files.  Depends on nothing.
 *
 * Conventions of the whole library:
 *  - a function that can fail returns IV_OK or a negative IV_E* code and fills
 *    the caller's iv_err (which may be NULL) with one line for a person;
 *  - out parameters come first, and the caller frees them; a returned
 *    pointer is borrowed from the object that was passed;
 *  - on failure every out parameter is untouched;
 *  - invalid arguments give IV_EARG: lists that are NULL or contain NULL, values that the
 *    enum does not have, NaN instead of a number;
 *  - iv_xxx_free(NULL) does nothing;
 *  - nothing is printed, nothing exits, there is no global state; different
 *    objects may be used from different threads, one object by many readers;
 *  - options of {0}, and a NULL pointer to options, mean the defaults of the
 *    command-line tool.
 *
 * Threads: a long loop starts threads, as many as the system gives, and ends them before it
 * returns.  They take no signals.  A caller's own threads may call the library at the same
 * time; each call starts its own threads.  A child of fork() may use the library, whatever the
 * parent's threads were doing.  A progress function is called by the thread that called the
 * library or by a thread that the library started, one at a time.
 *
 * What is stable: functions and structs of these headers keep their meaning and
 * layout for as long as libintervale.so keeps its number.  Those marked
 * IV_EXPERIMENTAL may change or disappear in any version; the shared library exports them
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

/* What went wrong, as far as a caller can act on it. */
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
    char hint[128]; /* what to do, to be shown after it: "; --sort sorts it first".  Options are
                       spelled as in the tool; "" if there is none */
    char file[160]; /* the file it is about, "" if none; a longer path has lost
                       its beginning and starts with "..." */
    uint64_t line;  /* of that file, from 1; 0: the whole file */
} iv_err;

/* How much a message matters. */
typedef enum iv_severity { IV_NOTE, IV_WARNING, IV_ERROR } iv_severity;

/* At the end of a message: what to do; it may name options (iv_err.hint). */
#define IV_HINT(text) "\x01" text

/* Records code and message in err (which may be NULL) and returns code. */
IV_API int iv_fail(iv_err *err, int code, const char *fmt, ...) IV_PRINTF(3, 4);

/* The same for a file, and a line of it (0: none). */
IV_API int iv_fail_at(iv_err *err, int code, const char *file, uint64_t line,
                      const char *fmt, ...) IV_PRINTF(5, 6);

/* Writes the whole line for a person: "FILE:LINE: msg", "FILE: msg" or "msg".
 * Returns out. */
enum { IV_ERR_TEXT_SIZE = 544 };
IV_API const char *iv_err_text(char out[IV_ERR_TEXT_SIZE], const iv_err *err);

/* ------------------------------------------------------------ strings -- */

/* Bytes owned by someone else; not terminated, any byte may occur. */
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
 * How a function works.  Results depend on the seed, but not on the threads.
 * {0}, and NULL if a pointer is taken, mean all threads,
 * seed 1, no report.
 */
typedef struct iv_work {
    int threads;   /* 0: as many as there are processors */
    uint64_t seed; /* of random numbers; 0: 1 */
    iv_progress progress;
    uint64_t most_bytes; /* of one file, unpacked; 0: as many as memory holds */
    iv_digests *digests; /* gets the SHA-256 of every file read; NULL: not needed */
} iv_work;

/*
 * In options, 0 means the default.  If the number 0 is a valid value, too, and
 * negative numbers are not, IV_ZERO is the number 0: .level = IV_ZERO is grade 0.
 */
#define IV_ZERO (-1)

/* Lists that a caller passes; they are read during the call only. */
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

/* Two limits; and an estimate with its standard error, its limits, and their degrees of
 * freedom (Student's t).  NaN: there is none. */
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
 * The shortest text that is read as the same double, terminated; "nan",
 * "inf" and "-inf" for the three that no table may contain.  Returns its length.
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
 * The verdict on a claim.  With several claims, the verdict of the result is
 * IV_VERDICT_OTHERWISE if that of one claim is, otherwise IV_VERDICT_OPEN if that of one is.
 */
typedef enum iv_verdict {
    IV_VERDICT_NONE,      /* nothing was claimed */
    IV_VERDICT_SHOWN,     /* demonstrated, with the requested confidence */
    IV_VERDICT_OTHERWISE, /* the contrary is demonstrated */
    IV_VERDICT_OPEN,      /* neither is demonstrated */
    IV_VERDICT_ERROR      /* there is no answer */
} iv_verdict;

/* Adds a claim, in a clause such as "recall is at least 0.75". */
IV_API void iv_result_verdict(iv_result *r, iv_verdict verdict, const char *fmt, ...)
    IV_PRINTF(3, 4);

/* Inconclusive claims pass: only a claim that is refuted fails. */
IV_API void iv_result_open_passes(iv_result *r);

/* "PASS", "FAIL", "INCONCLUSIVE", "ERROR"; NULL for IV_VERDICT_NONE. */
IV_API const char *iv_verdict_name(iv_verdict verdict);

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

/*
 * Reading back, as the report module and tests do.  Functions with `out` set it to
 * an array and return its length; arrays, texts and tables are borrowed from the
 * result and valid until something is added to it.  Indices must be below the
 * counts.  A cell's text is borrowed too.
 */
typedef struct iv_input {
    const char *path;
    uint64_t bytes;
    const char *sha256; /* in hexadecimal; NULL: not requested */
} iv_input;

/* A message of a result.  Texts spell options as the tool does. */
typedef struct iv_note {
    const char *id;     /* "compare.few-topics"; NULL: none */
    iv_severity severity;
    const char *text;
    const char *tables; /* that it is about, separated by blanks; NULL: all */
    bool legend;        /* it explains columns */
    bool people;        /* ... that only people see */
    size_t advice;      /* number of its last bytes that say what to do next; pages omit them */
} iv_note;

/* A paper that a method comes from; src/answer/references.bib has them. */
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
 * A file that is written completely or not at all.  It is written in the same folder without
 * a name (under a temporary name if the system has no nameless files);
 * iv_outfile_commit() syncs and names it, with the permissions of a file that it
 * replaces.
 */
typedef struct iv_outfile iv_outfile;

/*
 * Opens path for writing; path "-" is standard output, written directly.  IV_EIO
 * if the folder cannot be written.  The caller commits or abandons *out.
 */
IV_API IV_MUST_CHECK int iv_outfile_open(iv_outfile **out, const char *path,
                                         iv_err *err);

/* Where to write; borrowed.  Write errors may be reported only by the commit. */
IV_API FILE *iv_outfile_stream(iv_outfile *f);

/* Gives the file its name, or fails (IV_EIO) and keeps the previous file.  Frees f
 * in either case. */
IV_API IV_MUST_CHECK int iv_outfile_commit(iv_outfile *f, iv_err *err);

/* Discards the file.  Frees f, which may be NULL. */
IV_API void iv_outfile_abandon(iv_outfile *f);

/* ------------------------------------------------------------- charts -- */

/*
 * What to draw from a table.  A chart names
 * columns; the report module draws them and knows no statistics.
 * Formats without pictures omit charts.  A result without charts gets a
 * forest plot of each table that draws intervals.
 */
typedef enum iv_chart_kind {
    IV_CHART_FOREST,  /* a line for each label, from lower to upper, with its value; lower
                         and upper, or the value, may be omitted; with `against` both texts
                         are the label */
    IV_CHART_BARS,    /* a bar for each label, from 0 to its value, the highest first */
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
    bool upright; /* at an x; always in a forest plot, whose values are along x */
} iv_chart_line;

enum { IV_CHART_LINES = 4, IV_CHART_LEVELS = 3 };

typedef struct iv_chart {
    iv_chart_kind kind;
    const char *title;
    const char *caption;  /* how to read it, in whole sentences */
    const char *table;    /* which the result already has */
    /* Columns.  Of text: where; of any kind: label, against, group, panel,
     * page; of numbers: the others.  NULL: none. */
    const char *label, *against;
    const char *x, *value, *lower, *upper;
    const char *group;    /* distinguished by colour and shape */
    const char *panel;    /* one picture for each of its texts, below each other */
    const char *page;     /* one at a time, for the reader to choose */
    const char *opens;    /* the text of the page that is seen first; NULL: the first there is */
    const char *where;    /* only the rows ... */
    const char *is;       /* ... where this column holds this text, ... */
    const char *is_not;   /* ... or anything but this one */
    iv_axis x_axis, value_axis;
    bool diagonal;        /* with a line where x and value are equal */
    bool sorted;          /* a forest with the highest value first, not in the
                             order of the table */
    bool stepped;         /* curves that keep their value up to x, then jump */
    double levels[IV_CHART_LEVELS]; /* of a matrix: rising; colours change there
                             only, dark below the first; 0 ends the list */
    iv_chart_line lines[IV_CHART_LINES];
} iv_chart;

/*
 * Adds a chart of an existing table; all text is copied.  A table or
 * column that does not exist, or has another type, is reported by
 * iv_result_status() as IV_EARG.
 */
IV_API void iv_result_chart(iv_result *r, const iv_chart *chart);

/* How the numbers were computed, and what is assumed: each call adds a sentence,
 * which pages show. */
IV_API void iv_result_method(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);
IV_API void iv_result_assumption(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/*
 * What the report is about, and by whom: a name ("Matter") and a text, which pages show at
 * the top and json has.  Given by the caller, never taken from the clock or the machine.
 */
IV_API void iv_result_detail(iv_result *r, const char *name, const char *text);

/* What was put into the result; the list is borrowed, the number is returned. */
IV_API size_t iv_result_charts(const iv_chart **out, const iv_result *r);
IV_API size_t iv_result_methods(const char *const **out, const iv_result *r);
IV_API size_t iv_result_assumptions(const char *const **out, const iv_result *r);

/* The SHA-256 of input files, for reports. */

enum { IV_SHA256_SIZE = 65 };

/*
 * A list of files and their SHA-256, filled by the functions that read them: see iv_work.
 * Files have the names that the caller gave; the bytes are those on disk, packed
 * or not.  IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_digests_new(iv_digests **out, iv_err *err);
IV_API void iv_digests_free(iv_digests *d);

/* Gives the inputs of a result that are on the list their SHA-256. */
IV_API void iv_result_digests(iv_result *r, const iv_digests *d);

IV_END_C

#endif /* INTERVALE_BASE_H */
