/* SPDX-License-Identifier: Apache-2.0 */
/* Intervals drawn in characters. */
#ifndef IV_REPORT_DRAWING_H
#define IV_REPORT_DRAWING_H

#include "intervale/result/result_tables.h"

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

#endif
