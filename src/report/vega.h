/* SPDX-License-Identifier: Apache-2.0 */
/* A chart as a Vega-Lite specification. */
#ifndef IV_REPORT_VEGA_H
#define IV_REPORT_VEGA_H

#include "report/json_write.h"
#include "report/plot.h"

#define IV_VEGA_SCHEMA "https://vega.github.io/schema/vega-lite/v6.json"

/* How a field is named in a specification: points and brackets have a meaning. */
enum { IV_FIELD_SIZE = 256 };
const char *iv_vega_field(char out[IV_FIELD_SIZE], const char *name);

/* One of the texts that a column holds, which may stand for a number. */
void iv_vega_word(iv_json *j, const char *key, const iv_column *column, iv_str word);

/* The field that holds both texts of a forest's label. */
extern const char iv_vega_both[];

/* Levels of a matrix: how many, the field of what lies between, its words. */
enum { IV_BAND_SIZE = 96 };
extern const char iv_vega_banded[];
size_t iv_vega_levels(const iv_plot *p);
const char *iv_vega_band(char out[IV_BAND_SIZE], const iv_plot *p, size_t i);

/* Writes the member "layer": what is drawn, one over another. */
void iv_vega_layers(iv_json *j, const iv_plot *p);

/* A layer with a line to compare with, and one with its name at its end. */
void iv_vega_line(iv_json *j, const iv_chart_line *line, bool upright);

/* A layer with the line where x and value are equal, as far as both axes reach. */
void iv_vega_diagonal(iv_json *j, const iv_axis *x, const iv_axis *y);

/* Writes the members of the specification of one panel but its data. */
void iv_vega_picture(iv_json *j, const iv_plot *p, size_t panel, size_t number);

/* Writes the member "params": the pages a reader can choose, if any. */
void iv_vega_choice(iv_json *j, const iv_plots *plots, size_t first, size_t count);

/* Writes the member "config": colours, fonts and lines of all charts. */
void iv_vega_config(iv_json *j);

#endif /* IV_REPORT_VEGA_H */
