/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that a chart is compared with. */
#include "report/report_parts.h"

static const char colour_line[] = "#D55E00";

/* Ends an encoding and its layer. */
static void end_layer(iv_json *j)
{
    iv_json_close(j);
    iv_json_close(j);
}

static void put_one_row(iv_json *j)
{
    iv_json_flat_object(j, "data");
    iv_json_flat_array(j, "values");
    iv_json_flat_object(j, NULL);
    iv_json_close(j);
    iv_json_close(j);
    iv_json_close(j);
}

static void put_datum(iv_json *j, const char *channel, double at)
{
    iv_json_flat_object(j, channel);
    iv_json_real(j, "datum", at);
    iv_json_text(j, "type", "quantitative");
    iv_json_close(j);
}

static void put_constant(iv_json *j, const char *channel, const char *text, double number)
{
    iv_json_flat_object(j, channel);
    if (text != NULL)
        iv_json_text(j, "value", text);
    else
        iv_json_real(j, "value", number);
    iv_json_close(j);
}

void iv_vega_line(iv_json *j, const iv_chart_line *line, bool upright)
{
    iv_json_object(j, NULL);
    put_one_row(j);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "type", "rule");
    iv_json_text(j, "color", colour_line);
    iv_json_flat_array(j, "strokeDash");
    iv_json_int(j, NULL, 5);
    iv_json_int(j, NULL, 3);
    iv_json_close(j);
    iv_json_close(j); /* the mark */
    iv_json_object(j, "encoding");
    put_datum(j, upright ? "x" : "y", line->at);
    put_constant(j, "tooltip", line->text, 0.0);
    end_layer(j);

    iv_json_object(j, NULL);
    put_one_row(j);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "type", "text");
    iv_json_text(j, "align", upright ? "center" : "left");
    iv_json_text(j, "baseline", upright ? "bottom" : "middle");
    iv_json_int(j, upright ? "dy" : "dx", upright ? -2 : 4); /* outside the frame */
    iv_json_close(j); /* the mark */
    iv_json_object(j, "encoding");
    put_datum(j, upright ? "x" : "y", line->at);
    put_constant(j, upright ? "y" : "x", upright ? NULL : "width", 0.0);
    put_constant(j, "text", line->text, 0.0);
    end_layer(j);
}

void iv_vega_diagonal(iv_json *j, const iv_axis *x, const iv_axis *y)
{
    const double from = x->from > y->from ? x->from : y->from;
    const double to = x->to < y->to ? x->to : y->to;

    if (!(to > from))
        return;
    iv_json_object(j, NULL);
    iv_json_object(j, "data");
    iv_json_flat_array(j, "values");
    for (int end = 0; end < 2; end++) {
        iv_json_flat_object(j, NULL);
        iv_json_real(j, "at", end ? to : from);
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_close(j);
    iv_json_flat_object(j, "mark");
    iv_json_text(j, "type", "line");
    iv_json_text(j, "color", "#888888");
    iv_json_real(j, "strokeWidth", 1.0);
    iv_json_close(j); /* the mark */
    iv_json_object(j, "encoding");
    for (int end = 0; end < 2; end++) {
        iv_json_flat_object(j, end ? "y" : "x");
        iv_json_text(j, "field", "at");
        iv_json_text(j, "type", "quantitative");
        iv_json_close(j);
    }
    end_layer(j);
}
