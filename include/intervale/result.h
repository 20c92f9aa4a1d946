/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result -- what a command found: its sentence, tables, messages, methods and charts.
 */
#ifndef INTERVALE_RESULT_H
#define INTERVALE_RESULT_H

#include "intervale/base.h"

IV_BEGIN_C

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

/*
 * A decision: what is claimed of a value, the evidence for it, and the verdict.
 *
 * The value is a measure of a system or, where a baseline is named, a difference: how much better
 * the system is.  The bound is what the value is compared with: t of "at least t" and "below t",
 * m of "not worse by more than m" (the value must be above -m) and of "better by more than m".
 *
 * The verdict follows from p and p_contrary or, where these are NaN, from the limits, each at its
 * level.  iv_claim_decide() is the only function that decides.
 */
typedef enum iv_claim_kind {
    IV_CLAIM_AT_LEAST,
    IV_CLAIM_BELOW,
    IV_CLAIM_NOT_WORSE,
    IV_CLAIM_BETTER
} iv_claim_kind;

typedef enum iv_claim_strength {
    IV_STRENGTH_DEFAULT,   /* the published test that is usual for such data */
    IV_STRENGTH_GUARANTEED /* valid for all data in the range of the score */
} iv_claim_strength;

typedef struct iv_claim {
    iv_claim_kind kind;
    const char *measure, *system, *baseline, *set; /* NULL: not named */
    double bound;
    double estimate;       /* NaN: none */
    double lower, upper;   /* one-sided limits, each at its level; NaN: none */
    double p, p_contrary;  /* small p: the claim holds; small p_contrary: it does not.  NaN: the
                              limits decide */
    double level, level_contrary; /* that p and p_contrary must be below, after correction for
                              several claims; level_contrary 0: as level */
    const char *method;    /* id of a method; NULL: not named */
    iv_claim_strength strength;
    const char *withheld;  /* why it does not pass whatever p is; NULL: nothing is in the way */
    bool unknown;          /* with `withheld`: it does not fail either */
    bool open_passes;      /* only its contrary is tested: inconclusive is PASS */
    double items;          /* it rests on; 0: not counted */
    double needed;         /* items that pass with probability 0.8 if the estimate stays; infinite:
                              no number does; NaN: not known */
    double detectable;     /* the smallest loss (distance from the bound for a claim without a
                              baseline) that fails with probability 0.8; NaN: not known */
    /* Filled in by iv_result_claim(). */
    iv_verdict verdict;
    const char *text;      /* "recall of bm25 is at least 0.75" */
} iv_claim;

/* The verdict of a claim.  Exact, costs nothing; NaN everywhere is IV_VERDICT_OPEN. */
IV_API iv_verdict iv_claim_decide(const iv_claim *claim);

/*
 * Adds a claim: decides it, and copies its texts.  Returns the copy, which lives as long as the
 * result but may move with the next claim; never NULL: without memory, which iv_result_status()
 * reports, it is the claim that was given.
 */
IV_API const iv_claim *iv_result_claim(iv_result *r, const iv_claim *claim);

/* Fills in what would change a claim, from its estimate, limits, levels and items: how many items
 * pass, and which loss fails, with probability 0.8 (normal approximation).  O(1). */
IV_API void iv_claim_outlook(iv_claim *claim);

/* The names of kinds and strengths, in their order, ending with NULL. */
IV_API const char *const *iv_claim_kind_names(void);
IV_API const char *const *iv_claim_strength_names(void);

/* The verdict of the result is IV_VERDICT_ERROR: there is no answer. */
IV_API void iv_result_failed(iv_result *r);

/* The answer begins with the word of the verdict.  open_passes: inconclusive claims pass, only a
 * claim that is refuted fails. */
IV_API void iv_result_gate(iv_result *r, bool open_passes);

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

/* A paper that a method comes from; src/result/references.bib has them. */
typedef struct iv_citation {
    const char *method; /* that it is cited for: "Holm's correction" */
    const char *key;    /* "holm1979simple" */
    const char *label;  /* "Holm 1979" */
    const char *text;   /* as in a list of references */
    const char *bibtex;
} iv_citation;

IV_API const char *iv_result_answer_text(const iv_result *r); /* NULL: none */
/* The verdict of all claims, and the claims; either may be NULL. */
IV_API iv_verdict iv_result_has_verdict(const iv_claim **claims, size_t *count,
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

/* Gives the inputs of a result that are on the list their SHA-256. */
IV_API void iv_result_digests(iv_result *r, const iv_digests *d);

/* A method that can be named: src/result/methods.c lists them. */
typedef struct iv_method_row {
    const char *id;    /* "holm" */
    const char *text;  /* "Holm's correction" */
    const char *cites; /* keys of papers, separated by blanks; "": none is needed */
} iv_method_row;

/* What is asked of groups of items, whose values have tables groups (each value, and its gap to the
 * rest) and gaps (the largest one between two groups). */
typedef struct iv_gaps_asked {
    const char *reference; /* gaps are to this group; NULL: to all other items */
    double most;           /* the claim that no gap is this large; 0: none */
} iv_gaps_asked;

IV_END_C

#endif /* INTERVALE_RESULT_H */
