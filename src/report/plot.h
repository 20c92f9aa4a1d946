/* SPDX-License-Identifier: Apache-2.0 */
/* Which columns of a table a chart shows, and how. */
#ifndef IV_REPORT_PLOT_H
#define IV_REPORT_PLOT_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/result/result_charts.h"
#include "report/render.h"

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
    double farthest;              /* from 0 that a value is */
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

#endif
