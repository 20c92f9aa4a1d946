/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to draw from a table.  A chart names
 * columns; the report module draws them and knows no statistics.
 * Formats without pictures omit charts.  A result without charts gets a
 * forest plot of each table that draws intervals.
 */
#ifndef INTERVALE_RESULT_RESULT_CHARTS_H
#define INTERVALE_RESULT_RESULT_CHARTS_H

#include "intervale/result/result_tables.h"

IV_BEGIN_C

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

IV_END_C

#endif
