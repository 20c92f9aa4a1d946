/* SPDX-License-Identifier: Apache-2.0 */
/* The channels of a specification: which column goes to which axis or colour. */
#ifndef IV_REPORT_VEGA_CHANNELS_H
#define IV_REPORT_VEGA_CHANNELS_H

#include "report/vega.h"

enum {
    IV_MOST_COLOURS = 8, /* groups that the palette can tell apart */
    IV_MOST_SHAPES = 6   /* groups that dashes and shapes can tell apart */
};

/* Writes the member "field". */
void iv_vega_put_field(iv_json *j, const char *name);

/* What a reader is told who points at a mark: all columns of the chart. */
void iv_vega_tooltip(iv_json *j, const iv_plot *p);

/*
 * A channel of numbers; main is the column that gives the axis its title.
 * zero: the axis begins there, if it says nothing else.
 */
void iv_vega_numbers(iv_json *j, const char *channel, const iv_column *column,
                     const iv_column *main, const iv_axis *axis, bool zero);

/* A height from 0, never put on top of another: bars and areas. */
void iv_vega_upright(iv_json *j, const iv_column *column, const iv_axis *axis);

/* The other end of a span, on the axis of the first. */
void iv_vega_second(iv_json *j, const char *channel, const iv_column *column);

/* Groups by colour and, where that is possible, by another channel. */
void iv_vega_groups(iv_json *j, const iv_plot *p, const char *also);

#endif /* IV_REPORT_VEGA_CHANNELS_H */
