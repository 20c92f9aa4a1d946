/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A result as a format shows it, and the formats.
 *
 * Inside the module: one renderer a format.
 *
 * A renderer writes to a stream in memory and does not look back: a failed write stays
 * in the stream, a piece of memory that could not be had in the view's arena, where
 * iv_report_write() finds them at the end.
 */
#ifndef IV_REPORT_RENDER_H
#define IV_REPORT_RENDER_H

#include "base/memory.h"
#include "intervale/report.h"
#include "intervale/result/reading_back.h"

/*
 * What to show: some of the tables, each with the columns that are for those who
 * read the format; and the notes that are.
 */
typedef struct iv_report_view {
    const iv_result *result;
    const iv_report_options *options;
    bool people, whole; /* who reads the format: see the table of formats */
    iv_showing most;
    iv_arena memory;
    iv_table *tables;
    size_t count, capacity;
    iv_note *notes;    /* warnings first */
    size_t note_count;
    size_t more;       /* notes that are not shown for want of room */
    struct iv_plot **plots; /* of a format that draws */
    size_t plot_count;
} iv_report_view;

/* Fills *view, which has what the renderer borrows and who reads it; its memory is to be freed.
 * IV_EARG, with a list of those there are, when the result has no table of the wanted name. */
IV_MUST_CHECK int iv_view_fill(iv_report_view *view, iv_err *err);

/* "note" or "warning". */
const char *iv_severity_name(iv_severity severity);

/* What stands above a column. */
const char *iv_column_heading(const iv_column *c);

/* The references of the methods used and of the software, and their BibTeX. */
void iv_put_references(FILE *out, const iv_result *r);

void iv_render_text(FILE *out, iv_report_view *view);
void iv_render_tsv(FILE *out, iv_report_view *view);
void iv_render_csv(FILE *out, iv_report_view *view);
void iv_render_json(FILE *out, iv_report_view *view);
void iv_render_jsonl(FILE *out, iv_report_view *view);
void iv_render_markdown(FILE *out, iv_report_view *view);
void iv_render_github(FILE *out, iv_report_view *view);
void iv_render_junit(FILE *out, iv_report_view *view);
void iv_render_latex(FILE *out, iv_report_view *view);
void iv_render_html(FILE *out, iv_report_view *view); /* INTERVALE_HTML only */
void iv_render_vega(FILE *out, iv_report_view *view);

#endif
