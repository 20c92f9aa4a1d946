/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <string.h>


/* Of the last change in substance; fixed, so that a source makes one page. */
static const char date[] = "2026-11-15";

enum { WIDTH = 76 };

const char *manual_name(char out[MANUAL_NAME_SIZE], const cmd *c)
{
    (void)snprintf(out, MANUAL_NAME_SIZE, "intervale%s%s", c != NULL ? "-" : "",
                   c != NULL ? c->name : "");
    for (char *p = out; *p != '\0'; p++)
        if (*p == ' ')
            *p = '-';
    return out;
}

/* How troff must be told this very character; NULL: as it is. */
static const char *escape_of(char c)
{
    switch (c) {
    case '\\': return "\\e";
    case '-': return "\\-";
    case '\'': return "\\(aq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    default: return NULL;
    }
}

/* How many bytes put_raw() writes. */
static size_t raw_width(const char *text, size_t len)
{
    size_t width = 0;

    for (size_t i = 0; i < len; i++)
        width += escape_of(text[i]) != NULL ? strlen(escape_of(text[i])) : 1;
    return width;
}

/* Writes bytes so that troff shows these very characters. */
static void put_raw(FILE *out, const char *text, size_t len, bool line_start)
{
    for (size_t i = 0; i < len; i++) {
        const char *escape = escape_of(text[i]);
        if (line_start && i == 0 && text[i] == '.')
            (void)fputs("\\&", out);
        if (escape != NULL)
            (void)fputs(escape, out);
        else
            (void)putc(text[i], out);
    }
}

/* Prose, filled by troff; broken here only to keep the source readable. */
static void put_text(FILE *out, const char *text, size_t len)
{
    const char *at = text, *word;
    size_t size, column = 0;

    while ((size = prose_word(&word, &at, text + len)) > 0) {
        const size_t width = raw_width(word, size);
        if (column > 0 && column + 1 + width > WIDTH) {
            (void)putc('\n', out);
            column = 0;
        } else if (column > 0) {
            (void)putc(' ', out);
            column++;
        }
        put_raw(out, word, size, column == 0);
        column += width;
    }
    (void)putc('\n', out);
}

/* Lines as they are. */
static void put_lines(FILE *out, const char *text, size_t len)
{
    (void)fputs(".RS 4\n.nf\n", out);
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        const size_t size = end != NULL ? (size_t)(end - text) - at : len - at;
        put_raw(out, text + at, size, true);
        (void)putc('\n', out);
        at += size + 1;
    }
    (void)fputs(".fi\n.RE\n", out);
}

static void put_prose(FILE *out, const char *text)
{
    prose_part part;

    for (bool first = true; prose_next(&part, &text); first = false) {
        if (!first)
            (void)fputs(".PP\n", out);
        if (part.verbatim)
            put_lines(out, part.text, part.len);
        else
            put_text(out, part.text, part.len);
    }
}

static void put_title(FILE *out, const cmd *c, const char *summary)
{
    char name[MANUAL_NAME_SIZE], title[MANUAL_NAME_SIZE];

    (void)manual_name(name, c);
    for (size_t i = 0; i <= strlen(name); i++)
        title[i] = name[i] >= 'a' && name[i] <= 'z' ? (char)(name[i] - 'a' + 'A') : name[i];
    (void)fprintf(out, ".TH %s 1 %s \"intervale %s\" \"User Commands\"\n.SH NAME\n", title,
                  date, iv_version());
    put_raw(out, name, strlen(name), true);
    (void)fputs(" \\- ", out);
    put_raw(out, summary, strlen(summary), false);
    (void)putc('\n', out);
}

/* "-o, --output FILE" with what is typed in bold and the rest in italics. */
static void put_label(FILE *out, const opt *o)
{
    (void)fputs(".TP\n", out);
    if (o->letter != 0)
        (void)fprintf(out, "\\fB\\-%c\\fR", o->letter);
    if (o->name != NULL) {
        (void)fprintf(out, "%s\\fB\\-\\-", o->letter != 0 ? ", " : "");
        put_raw(out, o->name, strlen(o->name), false);
        (void)fputs("\\fR", out);
    }
    if (o->value != NULL) {
        (void)fputs(" \\fI", out);
        put_raw(out, o->value, strlen(o->value), false);
        (void)fputs("\\fR", out);
    }
    (void)putc('\n', out);
}

static void put_options(FILE *out, const opt *o, const void *defaults)
{
    char text[OPTION_HELP_SIZE];

    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_) {
            (void)fputs(".SS ", out);
            put_raw(out, o->help, strlen(o->help), false);
            (void)putc('\n', out);
            continue;
        }
        put_label(out, o);
        (void)option_value_explain(text, o, defaults);
        put_text(out, text, strlen(text));
    }
}

static void put_environment(FILE *out)
{
    (void)fputs(".SH ENVIRONMENT\n"
                "These change only text that is written to a terminal.\n"
                "There sentences are wrapped, and a table that is too wide goes on below.\n"
                "In a file or a pipe a sentence and a row of a table are one line each; intervals\n"
                "are plotted up to 80 columns, in ASCII and without colour.\n"
                ".TP\n.B COLUMNS\nThe width to use instead of the window\\(aqs.\n"
                ".TP\n.BR LC_ALL \", \" LC_CTYPE \", \" LANG\n"
                "The first that is set tells whether the terminal shows UTF\\-8;\n"
                "intervals are then plotted with box characters.\n"
                ".TP\n.B NO_COLOR\nIf set to anything but the empty string, no colour.\n"
                ".TP\n.B TERM\nIf unset or \\(lqdumb\\(rq, no colour.\n", out);
}

static void put_exit_status(FILE *out, const cmd *c)
{
    (void)fputs(".SH EXIT STATUS\n.TP\n.B 0\nThe command did what was asked.\n"
                ".TP\n.B 1\nIt failed: an input is not what it should be, a file\n"
                "cannot be read or written, or there is nothing to compute from.\n"
                "One line on standard error says why; no output file appears.\n", out);
    if (c != NULL && c->exit_note != NULL)
        put_prose(out, c->exit_note);
    (void)fputs(".TP\n.B 2\nThe command line is wrong.\n", out);
}

static void put_examples(FILE *out, const cmd *c)
{
    if (c->examples == NULL || c->examples->line == NULL)
        return;
    (void)fputs(".SH EXAMPLES\n", out);
    for (const cmd_example *e = c->examples; e->line != NULL; e++) {
        if (e != c->examples)
            (void)fputs(".PP\n", out);
        put_text(out, e->shows, strlen(e->shows));
        put_lines(out, e->line, strlen(e->line));
    }
}

static void put_table(FILE *out, const char *name)
{
    (void)fputs(".SS ", out);
    put_raw(out, name, strlen(name), false);
    (void)putc('\n', out);
}

static void put_column(FILE *out, const char *name, const char *about)
{
    (void)fputs(".TP\n.B ", out);
    put_raw(out, name, strlen(name), false);
    (void)putc('\n', out);
    put_text(out, about, strlen(about));
}

void manual_command(FILE *out, const cmd *c)
{
    session_table shared;

    put_title(out, c, c->summary);
    (void)fputs(".SH SYNOPSIS\n.B intervale ", out);
    put_raw(out, c->name, strlen(c->name), false);
    (void)fputs("\n.RI [ OPTIONS ]\n", out);
    if (*c->operands != '\0')
        put_text(out, c->operands, strlen(c->operands));
    (void)fputs(".SH DESCRIPTION\n", out);
    put_prose(out, c->description);
    session_options(&shared, c);
    (void)fputs(".SH OPTIONS\n", out);
    put_options(out, c->opts, NULL);
    if (c->opts != NULL)
        (void)fputs(".SS Shared options\n", out);
    put_options(out, shared.opts, &session_defaults);
    if (c->tables != NULL) {
        (void)fputs(".SH TABLES\nWhat their columns hold; some are there only with the options\n"
                    "that bring them.\n", out);
        (void)columns_put(out, c, &(columns_style){ put_table, put_column });
    }
    put_exit_status(out, c);
    if (c->shared & SHARED_FORMAT)
        put_environment(out);
    put_examples(out, c);
    if (c->shared & SHARED_FORMAT)
        (void)fputs(".SH REFERENCES\nOption \\-\\-cite prints those of the methods used.\n", out);
    (void)fputs(".SH SEE ALSO\n.BR intervale (1)\n", out);
}

static void put_commands(FILE *out, const cmd *const *commands)
{
    for (const cmd *const *first = commands; *first != NULL; first++) {
        bool seen = false;
        for (const cmd *const *c = commands; c < first; c++)
            seen = seen || strcmp((*c)->group, (*first)->group) == 0;
        if (seen)
            continue;
        (void)fputs(".SS ", out);
        put_raw(out, (*first)->group, strlen((*first)->group), false);
        (void)putc('\n', out);
        for (const cmd *const *c = first; *c != NULL; c++) {
            if (strcmp((*c)->group, (*first)->group) != 0)
                continue;
            (void)fputs(".TP\n.B ", out);
            put_raw(out, (*c)->name, strlen((*c)->name), false);
            (void)putc('\n', out);
            put_text(out, (*c)->summary, strlen((*c)->summary));
        }
    }
}

static const char description[] =
    "Evaluates retrieval systems, classifiers and document reviews, and says how sure "
    "the answer is: every score comes with its interval, every difference with its "
    "test.\n\n"
    "Options may stand before, between and after the operands; \"--\" ends them. Short "
    "options may be clustered and their values attached (-l2, -qc); a long option takes "
    "its value as --name value or --name=value. Given twice with two values it is refused, "
    "unless it may be given many times. A file named \"-\" is standard input.\n\n"
    "Data go to standard output or to the file named by -o, diagnostics to standard "
    "error. The same input, options and seed give the same bytes, on any number of "
    "threads.";

void manual_overview(FILE *out, const cmd *const *commands)
{
    char name[MANUAL_NAME_SIZE];
    session_table shared;

    put_title(out, NULL, "evaluation with intervals");
    (void)fputs(".SH SYNOPSIS\n.B intervale\n.I COMMAND\n.RI [ OPTIONS ]\n"
                ".I OPERANDS\n.br\n"
                ".B intervale help\n.RI [ COMMAND ]\n.SH DESCRIPTION\n", out);
    put_prose(out, description);
    (void)fputs(".SH COMMANDS\nEach has a page of its own.\n", out);
    put_commands(out, commands);
    (void)fputs(".SH SHARED OPTIONS\nEach command has those it can heed.\n", out);
    session_all_options(&shared);
    put_options(out, shared.opts, &session_defaults);
    put_exit_status(out, NULL);
    put_environment(out);
    (void)fputs(".SH SEE ALSO\n", out);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        (void)fputs(".BR ", out);
        (void)manual_name(name, *c);
        put_raw(out, name, strlen(name), false);
        (void)fprintf(out, " (1)%s\n", c[1] != NULL ? "," : "");
    }
}
