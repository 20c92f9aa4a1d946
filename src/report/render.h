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

#include "base/result.h"
#include "intervale/report.h"

/*
 * What to show: some of the tables, each with the columns that are for those who
 * read the format; and the notes that are.
 */
typedef struct iv_report_view {
    const iv_result *result;
    const iv_report_options *options;
    iv_table *tables;
    size_t count, capacity;
    const char **notes;
    size_t note_count;
    char unlisted[400]; /* a note on tables too long to be shown; empty: none is */
} iv_report_view;

/* What those who read a format want to see. */
typedef struct iv_reader {
    bool people, legends, whole; /* see the table of formats */
    iv_showing most;
} iv_reader;

/* Fills *view, to be freed; borrows result and options.  IV_EARG, with a list of
 * those there are, when the result has no table of the wanted name. */
IV_MUST_CHECK int iv_view_new(iv_report_view *view, const iv_result *result,
                              const iv_report_options *options, const iv_reader *reader,
                              iv_err *err);
void iv_view_free(iv_report_view *view);

int iv_render_text(FILE *out, const iv_report_view *view, iv_err *err);
int iv_render_tsv(FILE *out, const iv_report_view *view, iv_err *err);
int iv_render_csv(FILE *out, const iv_report_view *view, iv_err *err);
int iv_render_json(FILE *out, const iv_report_view *view, iv_err *err);
int iv_render_jsonl(FILE *out, const iv_report_view *view, iv_err *err);
int iv_render_markdown(FILE *out, const iv_report_view *view, iv_err *err);
int iv_render_latex(FILE *out, const iv_report_view *view, iv_err *err);
int iv_render_html(FILE *out, const iv_report_view *view, iv_err *err); /* INTERVALE_HTML only */
int iv_render_vega(FILE *out, const iv_report_view *view, iv_err *err);

#endif /* IV_REPORT_RENDER_H */
