/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the report room: one renderer a format.
 *
 * A renderer writes to a stream and does not look back: a failed write stays
 * in the stream, where iv_report_write() finds it at the end.  It fails by
 * itself only when memory is out, or when there is no chart to write.
 */
#ifndef IV_REPORT_RENDER_H
#define IV_REPORT_RENDER_H

#include "intervale/report.h"

/* What to show: the tables first ... first + count - 1 of a result. */
typedef struct iv_view {
    const iv_result *result;
    const iv_report_options *options;
    size_t first, count;
} iv_view;

int iv_render_text(FILE *out, const iv_view *view, iv_err *err);
int iv_render_tsv(FILE *out, const iv_view *view, iv_err *err);
int iv_render_csv(FILE *out, const iv_view *view, iv_err *err);
int iv_render_json(FILE *out, const iv_view *view, iv_err *err);
int iv_render_markdown(FILE *out, const iv_view *view, iv_err *err);
int iv_render_latex(FILE *out, const iv_view *view, iv_err *err);
int iv_render_html(FILE *out, const iv_view *view, iv_err *err); /* INTERVALE_HTML only */
int iv_render_vega(FILE *out, const iv_view *view, iv_err *err);

#endif /* IV_REPORT_RENDER_H */
