/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <string.h>


enum { OPTION_COLUMN = 26, SUMMARY_COLUMN = 18 };

/* A left entry, then text that begins at a column, below when it is taken. */
static void put_entry(FILE *out, const char *label, int column, const char *text)
{
    int used = fprintf(out, "  %s", label);

    if (used + 2 > column) {
        (void)putc('\n', out);
        used = 0;
    }
    prose_wrap(out, text, strlen(text), column, used);
}

/* Was a command of the same group shown before this one? */
static bool group_seen(const cmd *const *commands, const cmd *const *upto,
                       const char *family)
{
    for (; commands < upto; commands++)
        if (strcmp((*commands)->group, (*upto)->group) == 0
            && (family == NULL || lookup_in_family(*commands, family)))
            return true;
    return false;
}

void help_overview(FILE *out, const cmd *const *commands, const char *family)
{
    if (family == NULL)
        (void)fputs("usage: intervale COMMAND [OPTIONS] OPERANDS\n\n"
                    "Evaluate retrieval systems, classifiers and document reviews, and\n"
                    "say how sure the answer is.\n", out);
    else
        (void)fprintf(out, "usage: intervale %s COMMAND [OPTIONS] OPERANDS\n", family);
    for (const cmd *const *first = commands; *first != NULL; first++) {
        if (group_seen(commands, first, family)
            || (family != NULL && !lookup_in_family(*first, family)))
            continue;
        (void)fprintf(out, "\n%s:\n", (*first)->group);
        for (const cmd *const *c = first; *c != NULL; c++)
            if (strcmp((*c)->group, (*first)->group) == 0
                && (family == NULL || lookup_in_family(*c, family)))
                put_entry(out, (*c)->name, SUMMARY_COLUMN, (*c)->summary);
    }
    (void)fputs("\n'intervale help COMMAND' explains one of them.\n", out);
}

void help_synopsis(FILE *out, const cmd *c)
{
    (void)fprintf(out, "intervale %s [OPTIONS]%s%s", c->name, *c->operands ? " " : "",
                  c->operands);
}

static void put_options(FILE *out, const opt *o, const void *defaults, const char *heading)
{
    char label[OPTION_TEXT_SIZE], shifted[OPTION_TEXT_SIZE + 4], text[OPTION_HELP_SIZE];

    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_) {
            heading = o->help;
            continue;
        }
        if (heading != NULL)
            (void)fprintf(out, "\n%s:\n", heading);
        heading = NULL;
        (void)snprintf(shifted, sizeof shifted, "%s%s", o->letter == 0 ? "    " : "",
                       option_value_label(label, o));
        put_entry(out, shifted, OPTION_COLUMN, option_value_explain(text, o, defaults));
    }
}

/* ---------------------------------------------------------- first layer -- */

enum { EXAMPLES_SHOWN = 3, OPTIONS_SHOWN = 10, EXAMPLE_WIDTH = 90 };

/* Is the option among the names? */
static bool is_named(const char *names, const char *name)
{
    const size_t len = strlen(name);

    for (const char *at = names; (at = strstr(at, name)) != NULL; at += len)
        if ((at == names || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
            return true;
    return false;
}

/* An option in one line: the text up to the first clause that ends. */
static void put_brief_option(FILE *out, const opt *o)
{
    char label[OPTION_TEXT_SIZE], shifted[OPTION_TEXT_SIZE + 4], text[64];
    size_t clause = strcspn(o->help, ";(");
    const size_t colon = strcspn(o->help, ":");

    clause = colon > 24 && colon < clause ? colon : clause;
    while (clause > 0 && o->help[clause - 1] == ' ')
        clause--;

    (void)snprintf(shifted, sizeof shifted, "%s%s", o->letter == 0 ? "    " : "",
                   option_value_label(label, o));
    (void)snprintf(text, sizeof text, "%.*s", (int)(clause < 52 ? clause : 52), o->help);
    if (clause > 52) { /* whole words */
        char *blank = strrchr(text, ' ');
        (void)snprintf(blank != NULL ? blank : text, 4, "...");
    }
    put_entry(out, shifted, OPTION_COLUMN, text);
}

/* Those of the names; without names the first ones.  Returns how many there are in all. */
static size_t put_brief_options(FILE *out, const opt *o, const char *names, size_t most,
                                const char **heading)
{
    size_t all = 0;

    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_)
            continue;
        all++;
        if (most > 0 && (names == NULL || (o->name != NULL && is_named(names, o->name)))) {
            (void)fputs(*heading, out);
            *heading = "";
            put_brief_option(out, o);
            most--;
        }
    }
    return all;
}

static void put_what(FILE *out, const cmd *c, const help_brief *b)
{
    const char *rest = c->description;
    prose_part part = { 0 };

    if (b == NULL && prose_next(&part, &rest)) {
        const char *stop = part.text; /* the first sentence */
        const char *const end = part.text + part.len;
        while (stop < end && !(*stop == '.' && (stop + 1 == end || stop[1] == ' ' || stop[1] == '\n')))
            stop++;
        prose_wrap(out, part.text, (size_t)(stop - part.text) + (stop < end), 0, 0);
    } else if (b != NULL) {
        prose_wrap(out, b->what, strlen(b->what), 0, 0);
    }
}

void help_command(FILE *out, const cmd *c)
{
    const help_brief *b = topics_command(c->name);
    session_table shared;
    const char *heading = "\nOptions most people need\n";
    size_t shown = 0, all = 0;

    put_what(out, c, b);
    (void)fputs("\n  ", out);
    help_synopsis(out, c);
    (void)putc('\n', out);
    for (const cmd_example *e = c->examples; e != NULL && e->line != NULL; e++)
        if (shown < EXAMPLES_SHOWN && strlen(e->line) < EXAMPLE_WIDTH)
            (void)fprintf(out, "%s  %s\n", shown++ == 0 ? "\nExamples\n" : "", e->line);
    session_options(&shared, c);
    all = put_brief_options(out, c->opts, b != NULL ? b->often : NULL, OPTIONS_SHOWN, &heading);
    all += put_brief_options(out, shared.opts, "confidence gate table format output verbose",
                             OPTIONS_SHOWN, &heading);
    (void)fprintf(out, "\nAll %zu options: intervale %s --help-all, or man intervale-", all, c->name);
    for (const char *at = c->name; *at != '\0'; at++)
        (void)putc(*at == ' ' ? '-' : *at, out);
    (void)putc('\n', out);
    if (b != NULL)
        (void)fprintf(out, "More: %s\n", b->pages);
}

/* ---------------------------------------------------------- second layer -- */

void help_whole(FILE *out, const cmd *c)
{
    const char *rest = c->description;
    prose_part part;
    session_table shared;

    (void)fputs("usage: ", out);
    help_synopsis(out, c);
    (void)putc('\n', out);
    while (prose_next(&part, &rest)) {
        (void)putc('\n', out);
        if (part.verbatim)
            (void)fprintf(out, "%.*s\n", (int)part.len, part.text);
        else
            prose_wrap(out, part.text, part.len, 0, 0);
    }
    session_options(&shared, c);
    put_options(out, c->opts, NULL, "Options");
    put_options(out, shared.opts, &session_defaults,
                c->opts != NULL ? "Shared options" : "Options");
    if (c->examples != NULL && c->examples->line != NULL)
        (void)fputs("\nExamples:\n", out);
    for (const cmd_example *e = c->examples; e != NULL && e->line != NULL; e++) {
        (void)fprintf(out, "  %s\n", e->line);
        prose_wrap(out, e->shows, strlen(e->shows), 6, 0);
    }
}

static void put_table(FILE *out, const char *name)
{
    (void)fprintf(out, "\n%s:\n", name);
}

static void put_column(FILE *out, const char *name, const char *about)
{
    put_entry(out, name, OPTION_COLUMN, about);
}

void help_tables(FILE *out, const cmd *c)
{
    (void)fprintf(out, "Tables of 'intervale %s', for --table, and their columns. Some are there only\n"
                  "with the options that bring them; --format json has them all.\n", c->name);
    columns_put(out, c, &(columns_style){ put_table, put_column });
}
