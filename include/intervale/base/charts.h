/* SPDX-License-Identifier: Apache-2.0 */
/* Charts of a result, and what pages say about it; a part of base.h. */
#ifndef INTERVALE_BASE_CHARTS_H
#define INTERVALE_BASE_CHARTS_H

#include "intervale/base.h"

IV_BEGIN_C

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
typedef struct iv_detail {
    const char *name, *text;
} iv_detail;
IV_API void iv_result_detail(iv_result *r, const char *name, const char *text);

/* What was put into the result; the list is borrowed, the number is returned. */
IV_API size_t iv_result_charts(const iv_chart **out, const iv_result *r);
IV_API size_t iv_result_methods(const char *const **out, const iv_result *r);
IV_API size_t iv_result_assumptions(const char *const **out, const iv_result *r);

IV_END_C

#endif /* INTERVALE_BASE_CHARTS_H */
