/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A report as one file that needs nothing else: the answer, charts, tables,
 * notes, method and where it all came from.
 *
 * Text of others is escaped wherever it stands, and a content security policy
 * lets the browser run one script only, the one whose hash it names.
 */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "report/report_parts.h"
#include "base/base_private.h"

static void put_text(FILE *out, const char *text)
{
    iv_html_text(out, iv_str_of(text));
}

static void put_pieces(FILE *out, const char *const *pieces)
{
    for (; *pieces != NULL; pieces++)
        fputs(*pieces, out);
}

static void put_head(FILE *out, const iv_result *r)
{
    const char *answer = iv_result_answer_text(r);

    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"color-scheme\" content=\"light dark\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data: blob:; script-src '", out);
    fputs(iv_page_script_hash, out);
    fprintf(out, "'\">\n<meta name=\"generator\" content=\"intervale %s\">\n<title>%s", iv_version(),
            iv_html_title(r) != NULL ? "" : "intervale ");
    put_text(out, iv_html_title(r) != NULL ? iv_html_title(r) : iv_result_command(r));
    if (answer != NULL) {
        fputs(": ", out);
        put_text(out, answer);
    }
    fputs("</title>\n<style>\n", out);
    put_pieces(out, iv_page_style);
    fputs("</style>\n</head>\n<body>\n", out);
}

static size_t count_legends(const iv_report_view *view)
{
    size_t count = 0;

    for (size_t i = 0; i < view->note_count; i++)
        count += view->notes[i].legend;
    return count;
}

static void put_lead(FILE *out, const iv_report_view *view)
{
    const iv_result *r = view->result;
    const char *answer = iv_result_answer_text(r);
    const size_t count = view->note_count - count_legends(view);

    fputs("<header>\n", out);
    if (answer != NULL) {
        fputs("<p class=\"command\">", out);
        if (iv_html_title(r) == NULL)
            fputs("intervale ", out);
        put_text(out, iv_html_title(r) != NULL ? iv_html_title(r) : iv_result_command(r));
        fputs("</p>\n<h1>", out);
        put_text(out, answer);
    } else {
        fputs("<h1>intervale ", out);
        put_text(out, iv_result_command(r));
    }
    fputs("</h1>\n", out);
    iv_html_details(out, r);
    if (count > 0)
        fprintf(out, "<p class=\"lead\"><a href=\"#notes\">%zu note%s</a> below.</p>\n", count, count == 1 ? "" : "s");
    fputs("</header>\n<main>\n", out);
}

static void put_figure(FILE *out, const iv_plot *p, size_t number)
{
    const size_t pictures = p->panels.count > 1 ? p->panels.count : 1;

    fprintf(out, "<figure id=\"chart-%zu\">\n<h3>", number);
    put_text(out, p->chart.title);
    fputs("</h3>\n", out);
    for (size_t k = 0; k < pictures; k++) {
        if (pictures > 1) {
            fputs("<h4>", out);
            iv_html_text(out, p->panels.names[k]);
            fputs("</h4>\n", out);
        }
        fputs("<div class=\"chart\"></div><div class=\"tools\"></div>\n", out);
    }
    fputs("<figcaption>", out);
    if (p->chart.caption != NULL)
        put_text(out, p->chart.caption);
    fprintf(out, " The values: <a href=\"#table-%zu\">table ", p->number);
    put_text(out, iv_table_name(p->table));
    fputs("</a>.</figcaption>\n</figure>\n", out);
}

static void put_list(FILE *out, const char *id, const char *heading,
                     const char *const *items, size_t count)
{
    if (count == 0)
        return;
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<ul>\n", id, heading);
    for (size_t i = 0; i < count; i++) {
        fputs("<li>", out);
        put_text(out, items[i]);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n</section>\n", out);
}

static void put_notes(FILE *out, const iv_report_view *view)
{
    if (view->note_count == count_legends(view))
        return;
    fputs("<section id=\"notes\">\n<h2>Notes</h2>\n<ul>\n", out);
    for (size_t i = 0; i < view->note_count; i++) {
        if (view->notes[i].legend)
            continue;
        fputs(view->notes[i].severity == IV_WARNING ? "<li>Warning: " : "<li>", out);
        put_text(out, view->notes[i].text);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n</section>\n", out);
}

static void put_paragraph(FILE *out, const char *text)
{
    fputs("<p>", out);
    put_text(out, text);
    fputs("</p>\n", out);
}

/* Methods, and what was said on how to read the numbers. */
static void put_methods(FILE *out, const iv_report_view *view)
{
    const char *const *items;
    const iv_result *r = view->result;
    size_t count = iv_result_methods(&items, r);
    const char *said = iv_result_method_text(r);
    const iv_citation *cited;
    const bool any = count + count_legends(view) > 0 || said != NULL;

    if (any)
        fputs("<section id=\"method\">\n<h2>Method</h2>\n", out);
    if (said != NULL)
        put_paragraph(out, said);
    for (size_t i = 0; i < count; i++)
        put_paragraph(out, items[i]);
    for (size_t i = 0; i < view->note_count; i++)
        if (view->notes[i].legend)
            put_paragraph(out, view->notes[i].text);
    if (any)
        fputs("</section>\n", out);
    count = iv_result_assumptions(&items, r);
    put_list(out, "assumptions", "Assumptions", items, count);
    count = iv_result_citations(&cited, r);
    if (count > 0)
        fputs("<section id=\"references\">\n<h2>References</h2>\n<ul>\n", out);
    for (size_t i = 0; i < count; i++) {
        fputs("<li>", out);
        put_text(out, cited[i].text);
        fputs("</li>\n", out);
    }
    fputs(count > 0 ? "</ul>\n</section>\n" : "", out);
}

/* A word as a shell would want it back. */
static void put_word(FILE *out, const char *word)
{
    const bool plain = *word != '\0' && word[strspn(word,
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%")] == '\0';

    putc(' ', out);
    if (plain) {
        put_text(out, word);
        return;
    }
    fputs("&#39;", out);
    for (const char *at = word; *at != '\0';) {
        const size_t len = strcspn(at, "'");
        iv_html_text(out, (iv_str){ at, len });
        at += len;
        if (*at == '\'') {
            fputs("&#39;\\&#39;&#39;", out);
            at++;
        }
    }
    fputs("&#39;", out);
}

static void put_inputs(FILE *out, const iv_result *r)
{
    const iv_input *inputs;
    const size_t count = iv_result_inputs(&inputs, r);

    if (count == 0)
        return;
    fputs("<dt>Inputs</dt><dd>", out);
    if (count > 8)
        fprintf(out, "<details><summary>%zu files</summary>", count);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "<code>" : "<br><code>", out);
        put_text(out, inputs[i].path);
        fprintf(out, "</code> (%" PRIu64 " bytes%s", inputs[i].bytes,
                inputs[i].sha256 != NULL ? ", SHA-256 <code>" : "");
        if (inputs[i].sha256 != NULL)
            fprintf(out, "%s</code>", inputs[i].sha256);
        putc(')', out);
    }
    fputs(count > 8 ? "</details></dd>\n" : "</dd>\n", out);
}

static void put_provenance(FILE *out, const iv_result *r)
{
    const char *const *words;
    const size_t count = iv_result_arguments(&words, r);
    uint64_t seed;

    fputs("<section id=\"made\">\n<h2>How this was made</h2>\n<dl>\n", out);
    fprintf(out, "<dt>Version</dt><dd>intervale %s</dd>\n<dt>Command</dt><dd>", iv_version());
    if (count > 40)
        fprintf(out, "<details><summary>%zu words</summary>", count);
    fputs("<code>intervale ", out);
    put_text(out, iv_result_command(r));
    for (size_t i = 0; i < count; i++)
        put_word(out, words[i]);
    fputs(count > 40 ? "</code></details></dd>\n" : "</code></dd>\n", out);
    if (iv_result_has_seed(&seed, r))
        fprintf(out, "<dt>Seed</dt><dd>%" PRIu64 "</dd>\n", seed);
    put_inputs(out, r);
    fputs("</dl>\n</section>\n", out);
}

/* Which rows and columns of its table a chart takes, and its pictures. */
static void put_chart(iv_json *j, const iv_plots *all, size_t number)
{
    const iv_plot *p = &all->at[number];
    const size_t pictures = p->panels.count > 1 ? p->panels.count : 1;

    iv_json_object(j, NULL);
    iv_json_int(j, "table", (int64_t)p->number);
    iv_json_array(j, "columns");
    for (iv_role r = IV_ROLE_LABEL; r < IV_ROLE_WHERE; r++)
        if (p->at[r] != SIZE_MAX)
            iv_json_int(j, NULL, (int64_t)p->at[r]);
    iv_json_close(j);
    if (p->at[IV_ROLE_WHERE] != SIZE_MAX) {
        iv_json_int(j, "where", (int64_t)p->at[IV_ROLE_WHERE]);
        if (p->chart.is != NULL)
            iv_json_shown(j, "is", iv_str_of(p->chart.is));
        else if (p->chart.is_not != NULL)
            iv_json_shown(j, "isNot", iv_str_of(p->chart.is_not));
    }
    if (p->chart.kind == IV_CHART_FOREST && p->at[IV_ROLE_VALUE] != SIZE_MAX)
        iv_json_int(j, "noCounts", (int64_t)p->at[IV_ROLE_VALUE]);
    iv_json_int(j, "pages", (int64_t)(p->pages.count > 1 ? p->pages.count : 1));
    iv_json_array(j, "specs");
    for (size_t k = 0; k < pictures; k++) {
        iv_json_object(j, NULL);
        iv_vega_choice(j, all, number, 1);
        iv_vega_picture(j, p, k, number);
        iv_json_close(j);
    }
    iv_json_close(j);
    iv_json_close(j);
}

/* What the script works with. */
static int put_store(FILE *out, const iv_report_view *view, const iv_plots *all, iv_err *err)
{
    iv_json j = { .out = out, .in_page = true };
    int rc = IV_OK;

    fputs("<script type=\"application/json\" id=\"data\">", out);
    iv_json_object(&j, NULL);
    iv_json_text(&j, "command", iv_result_command(view->result));
    iv_json_int(&j, "shown", IV_HTML_ROWS);
    iv_json_text(&j, "schema", IV_VEGA_SCHEMA);
    iv_json_array(&j, "tables");
    for (size_t i = 0; rc == IV_OK && i < view->count; i++)
        rc = iv_html_data(&j, &view->tables[i], err);
    iv_json_close(&j);
    iv_json_array(&j, "charts");
    for (size_t i = 0; i < all->count; i++)
        put_chart(&j, all, i);
    iv_json_close(&j);
    iv_vega_config(&j);
    iv_json_close(&j);
    fputs("</script>\n<script>", out);
    put_pieces(out, iv_page_drawing);
    put_pieces(out, iv_page_script);
    fputs("</script>\n</body>\n</html>\n", out);
    return rc;
}

int iv_render_html(FILE *out, const iv_report_view *view, iv_err *err)
{
    iv_plots all;
    IV_TRY(iv_plots_collect(&all, view, err));
    put_head(out, view->result);
    put_lead(out, view);
    if (all.count > 0) {
        fputs("<section id=\"charts\" aria-label=\"Charts\">\n"
              "<noscript><p class=\"soft\">Charts need the script in this page; the tables "
              "below hold all values.</p></noscript>\n", out);
        for (size_t i = 0; i < all.count; i++)
            put_figure(out, &all.at[i], i);
        fputs("</section>\n", out);
    }
    fputs("<section id=\"tables\">\n<h2>Tables</h2>\n", out);
    for (size_t i = 0; i < view->count; i++)
        iv_html_table(out, &view->tables[i], i);
    fputs("</section>\n", out);
    put_notes(out, view);
    put_methods(out, view);
    iv_html_glossary(out, view);
    put_provenance(out, view->result);
    iv_html_signatures(out, view->result);
    fputs("</main>\n", out);
    int rc = put_store(out, view, &all, err);
    iv_plots_free(&all);
    return rc;
}
