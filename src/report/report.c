/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats, and the door to all of them. */
#include "intervale/report.h"

#include <errno.h>
#include <string.h>

#include "report/render.h"

/* The names are a list of their own so that they can be handed out. */
static const char *const names[] = {
    [IV_FORMAT_TEXT] = "text",
    [IV_FORMAT_TSV] = "tsv",
    [IV_FORMAT_CSV] = "csv",
    [IV_FORMAT_JSON] = "json",
    [IV_FORMAT_MARKDOWN] = "markdown",
    [IV_FORMAT_LATEX] = "latex",
    [IV_FORMAT_HTML] = "html",
    [IV_FORMAT_VEGA] = "vega",
    NULL
};

#if !INTERVALE_HTML
#define iv_render_html NULL
#endif

static const struct {
    int (*render)(FILE *out, const iv_view *view, iv_err *err); /* NULL: left out */
    bool whole; /* shows all tables and the notes, not one table alone */
} formats[] = {
    [IV_FORMAT_TEXT] = { iv_render_text, true },
    [IV_FORMAT_TSV] = { iv_render_tsv, false },
    [IV_FORMAT_CSV] = { iv_render_csv, false },
    [IV_FORMAT_JSON] = { iv_render_json, true },
    [IV_FORMAT_MARKDOWN] = { iv_render_markdown, true },
    [IV_FORMAT_LATEX] = { iv_render_latex, true },
    [IV_FORMAT_HTML] = { iv_render_html, true },
    [IV_FORMAT_VEGA] = { iv_render_vega, true },
};

const char *const *iv_format_names(void)
{
    return names;
}

bool iv_format_find(iv_format *out, const char *name)
{
    for (size_t i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            *out = (iv_format)i;
            return true;
        }
    }
    return false;
}

bool iv_format_has_notes(iv_format format)
{
    return formats[format].whole && format != IV_FORMAT_VEGA;
}

bool iv_format_is_built(iv_format format)
{
    return formats[format].render != NULL;
}

static int unknown_table(const iv_result *result, const char *wanted, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    char list[256] = "";
    size_t used = 0;

    for (size_t i = 0; i < iv_result_tables(result); i++) {
        const int n = snprintf(list + used, sizeof list - used, "%s%s",
                               i == 0 ? "; there is " : ", ",
                               iv_table_name(iv_result_table_at(result, i)));
        if (n < 0 || (size_t)n >= sizeof list - used)
            break;
        used += (size_t)n;
    }
    return iv_fail(err, IV_EARG, "no table %s in the result%s",
                   iv_quote(quoted, iv_str_of(wanted)), list);
}

static int choose_tables(iv_view *view, iv_err *err)
{
    const iv_report_options *o = view->options;
    const size_t tables = iv_result_tables(view->result);

    view->first = 0;
    view->count = formats[o->format].whole || tables == 0 ? tables : 1;
    if (o->table == NULL)
        return IV_OK;
    view->count = 1;
    for (; view->first < tables; view->first++)
        if (strcmp(iv_table_name(iv_result_table_at(view->result, view->first)),
                   o->table) == 0)
            return IV_OK;
    return unknown_table(view->result, o->table, err);
}

int iv_report_write(FILE *out, const iv_result *result, const iv_report_options *options,
                    iv_err *err)
{
    iv_view view = { .result = result, .options = options };
    int rc = iv_result_status(result, err);

    if (rc < 0)
        return rc;
    if ((size_t)options->format >= sizeof formats / sizeof *formats)
        return iv_fail(err, IV_EARG, "no format has the number %d", (int)options->format);
    if (!iv_format_is_built(options->format))
        return iv_fail(err, IV_EARG, "format %s is not in this build, which was made without "
                       "npm (-DINTERVALE_HTML=OFF)", names[options->format]);
    rc = choose_tables(&view, err);
    if (rc < 0)
        return rc;
    errno = 0;
    rc = formats[options->format].render(out, &view, err);
    if (rc < 0)
        return rc;
    if (ferror(out))
        return iv_fail(err, IV_EIO, "cannot write the report: %s",
                       errno != 0 ? strerror(errno) : "the stream is broken");
    return IV_OK;
}
