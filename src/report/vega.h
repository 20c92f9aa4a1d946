/* SPDX-License-Identifier: Apache-2.0 */
/* Charts as Vega-Lite specifications. */
#ifndef IV_REPORT_VEGA_H
#define IV_REPORT_VEGA_H

#include "report/json_write.h"
#include "report/plot.h"
#include "report/render.h"

/* A chart as a Vega-Lite specification. */
#define IV_VEGA_SCHEMA "https://vega.github.io/schema/vega-lite/v6.json"

/* Writes the members of the specification of one panel but its data. */
void iv_vega_picture(iv_json *j, const iv_plot *p, size_t panel, size_t number);

/* Writes the member "params": the pages a reader can choose, if any. */
void iv_vega_choice(iv_json *j, const iv_report_view *view, size_t first, size_t count);

/* Writes the member "config": colours, fonts and lines of all charts. */
void iv_vega_config(iv_json *j);

/* The channels of a specification: which column goes to which axis or colour. */
enum {
    IV_MOST_COLOURS = 8, /* groups that the palette can tell apart */
    IV_MOST_SHAPES = 6   /* groups that dashes and shapes can tell apart */
};

#endif
