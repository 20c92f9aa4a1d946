/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats, and the door to all of them. */
#include "base/err.h"
#include "base/memory.h"
#include "report/page.h"
#include "report/plot.h"
#include "result/result_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The names are a list of their own so that they can be handed out. */
static const char *const names[] = {
    [IV_FORMAT_TEXT] = "text",
    [IV_FORMAT_TSV] = "tsv",
    [IV_FORMAT_CSV] = "csv",
    [IV_FORMAT_JSON] = "json",
    [IV_FORMAT_JSONL] = "jsonl",
    [IV_FORMAT_MARKDOWN] = "markdown",
    [IV_FORMAT_LATEX] = "latex",
    [IV_FORMAT_GITHUB] = "github",
    [IV_FORMAT_JUNIT] = "junit",
    [IV_FORMAT_HTML] = "html",
    [IV_FORMAT_VEGA] = "vega",
    NULL
};

#if !INTERVALE_HTML
#define iv_render_html NULL
#endif

static const struct format {
    void (*render)(FILE *out, iv_report_view *view); /* NULL: left out */
    bool people;     /* read by them: see iv_audience */
    bool notes;      /* has a place for notes at all */
    bool charts;     /* draws */
    bool inputs;     /* names the files that were read */
    bool whole;      /* shows several tables ... */
    iv_showing most; /* ... up to these, unless one is asked for */
} formats[] = {
    [IV_FORMAT_TEXT] = { iv_render_text, true, true, false, false, true, IV_SHOWN },
    [IV_FORMAT_TSV] = { iv_render_tsv, false, false, false, false, false, IV_SHOWN },
    [IV_FORMAT_CSV] = { iv_render_csv, false, false, false, false, false, IV_SHOWN },
    [IV_FORMAT_JSON] = { iv_render_json, false, true, false, true, true, IV_LONG },
    [IV_FORMAT_JSONL] = { iv_render_jsonl, false, true, false, true, true, IV_LONG },
    [IV_FORMAT_MARKDOWN] = { iv_render_markdown, true, true, false, false, true, IV_ASIDE },
    [IV_FORMAT_LATEX] = { iv_render_latex, true, true, false, false, true, IV_ASIDE },
    [IV_FORMAT_GITHUB] = { iv_render_github, true, true, false, false, true, IV_SHOWN },
    [IV_FORMAT_JUNIT] = { iv_render_junit, true, true, false, false, true, IV_SHOWN },
    [IV_FORMAT_HTML] = { iv_render_html, false, true, true, true, true, IV_LONG },
    [IV_FORMAT_VEGA] = { iv_render_vega, false, false, true, false, true, IV_LONG },
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
    return formats[format].notes;
}

bool iv_format_has_inputs(iv_format format)
{
    return formats[format].inputs;
}

bool iv_format_is_built(iv_format format)
{
    return formats[format].render != NULL;
}

int iv_report_drawing(FILE *out, iv_err *err)
{
#if INTERVALE_HTML
    for (const char *const *piece = iv_page_drawing; *piece != NULL; piece++)
        fputs(*piece, out);
    return ferror(out) ? iv_fail(err, IV_EIO, "cannot write the script") : IV_OK;
#else
    (void)out;
    return iv_fail(err, IV_EARG, "this build cannot draw: it was made without npm "
                   "(-DINTERVALE_HTML=OFF)");
#endif
}

static const iv_report_options usual = { 0 };

int iv_report_write(FILE *out, const iv_result *result, const iv_report_options *options,
                    iv_err *err)
{
    IV_TRY(iv_result_status(result, err));
    options = options == NULL ? &usual : options;
    if ((size_t)options->format >= sizeof formats / sizeof *formats)
        return iv_fail(err, IV_EARG, "no format has the number %d", (int)options->format);
    if (!iv_format_is_built(options->format))
        return iv_fail(err, IV_EARG, "format %s is not in this build, which was made without "
                       "npm (-DINTERVALE_HTML=OFF)", names[options->format]);
    const struct format *f = &formats[options->format];
    iv_report_view view = { .result = result, .options = options, .people = f->people,
                            .whole = f->whole, .most = f->most };
    char *text = NULL; /* rendered as a whole first: nothing is written when memory is out */
    size_t len = 0;
    int rc = iv_view_fill(&view, err);
    if (rc == IV_OK && f->charts)
        rc = iv_view_plots(&view, err);
    if (rc == IV_OK && options->format == IV_FORMAT_VEGA && view.plot_count == 0)
        rc = iv_fail(err, IV_ENODATA, "the result has no chart%s",
                     options->table != NULL ? " of that table" : "");
    FILE *whole = rc == IV_OK ? open_memstream(&text, &len) : NULL;
    if (whole != NULL)
        f->render(whole, &view);
    const bool full = whole == NULL || ferror(whole) || view.memory.failed;
    iv_arena_free(&view.memory);
    /* glibc's fclose() returns 0 where its last allocation fails: then there is no text. */
    if (((whole != NULL && fclose(whole) != 0) || full || text == NULL) && rc == IV_OK)
        rc = IV_ENOMEM;
    errno = 0;
    if (rc == IV_OK)
        (void)fwrite(text, 1, len, out);
    free(text);
    if (rc < 0)
        return rc == IV_ENOMEM ? iv_fail(err, rc, "out of memory") : rc;
    if (fflush(out) != 0 || ferror(out))
        return iv_fail(err, IV_EIO, "cannot write the report: %s",
                       errno != 0 ? strerror(errno) : "the stream is broken");
    return IV_OK;
}

void iv_report_wish(iv_result *result, const iv_report_options *options)
{
    options = options == NULL ? &usual : options;
    const struct format *f = &formats[options->format];

    iv_result_wish(result, options->table != NULL || f->whole ? options->table : "", f->most,
                   f->charts);
}
