/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The commands and their options as JSON, for programs that ask in place of a person: the
 * browser's forms are made from it.
 */
#include "frame/frame.h"

#include <inttypes.h>
#include <string.h>

#include "intervale/report.h"

/* Where the writing is: a comma goes before all but the first of a list. */
typedef struct writing {
    FILE *out;
    bool first;
} writing;

static void put_text(FILE *out, const char *text)
{
    (void)putc('"', out);
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20)
            (void)fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            (void)fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    (void)putc('"', out);
}

static void put_name(writing *w, const char *name)
{
    if (!w->first)
        (void)fputs(",", w->out);
    w->first = false;
    if (name != NULL) {
        put_text(w->out, name);
        (void)putc(':', w->out);
    }
}

static void open_with(writing *w, const char *name, char bracket)
{
    put_name(w, name);
    (void)putc(bracket, w->out);
    w->first = true;
}

static void close_with(writing *w, char bracket)
{
    (void)putc(bracket, w->out);
    w->first = false;
}

static void put_member(writing *w, const char *name, const char *text)
{
    if (text == NULL || *text == '\0')
        return;
    put_name(w, name);
    put_text(w->out, text);
}

static void put_flag(writing *w, const char *name, bool value)
{
    if (!value)
        return;
    put_name(w, name);
    (void)fputs("true", w->out);
}

static void put_words(writing *w, const char *name, const char *const *words)
{
    if (words == NULL)
        return;
    open_with(w, name, '[');
    for (; *words != NULL; words++)
        put_member(w, NULL, *words);
    close_with(w, ']');
}

/* The kinds, in their order. */
static const char *const kinds[] = { "", "heading", "flag", "text", "integer", "integer", "real",
                                     "reals", "integers", "choice", "list" };

static void put_option(writing *w, const opt *o, const void *defaults, bool shared)
{
    char room[OPTION_TEXT_SIZE], letter[2] = { o->letter, '\0' };
    const bool numbers = o->kind == OPT_REALS_ || o->kind == OPT_INTEGERS_;

    open_with(w, NULL, '{');
    put_member(w, "kind", kinds[o->kind]);
    put_member(w, "letter", letter);
    put_member(w, "name", o->name);
    put_member(w, "value", o->value);
    put_member(w, "help", o->help);
    if (o->kind != OPT_HEADING_ && o->kind != OPT_FLAG_) {
        put_member(w, "usual", option_value_show(room, o, defaults));
        put_words(w, "words", option_value_words(o));
    }
    if (o->kind == OPT_INT_ || numbers) {
        put_name(w, "least");
        (void)fprintf(w->out, "%" PRId64, o->least);
        put_name(w, "most");
        (void)fprintf(w->out, "%" PRId64, o->most);
    }
    if (o->kind == OPT_REAL_ || numbers) {
        put_name(w, "low");
        (void)fprintf(w->out, "%.17g", o->low);
        put_name(w, "high");
        (void)fprintf(w->out, "%.17g", o->high);
    }
    put_flag(w, "open", o->open);
    put_flag(w, "percent", o->percent);
    put_flag(w, "writes", o->writes);
    put_flag(w, "file", !o->writes && session_names_file(o->value));
    put_flag(w, "shared", shared);
    close_with(w, '}');
}

static void put_options(writing *w, const opt *o, const void *defaults, bool shared)
{
    for (; o != NULL && o->kind != OPT_END_; o++)
        put_option(w, o, defaults, shared);
}

static void put_command(writing *w, const cmd *c)
{
    session_table shared;

    session_options(&shared, c);
    open_with(w, NULL, '{');
    put_member(w, "name", c->name);
    put_member(w, "group", c->group);
    put_member(w, "summary", c->summary);
    put_member(w, "operands", c->operands);
    put_name(w, "least");
    (void)fprintf(w->out, "%d", c->least);
    put_name(w, "most");
    (void)fprintf(w->out, "%d", c->most);
    put_member(w, "description", c->description);
    put_flag(w, "reports", (c->shared & SHARED_FORMAT) != 0);
    put_flag(w, "files", session_names_file(c->operands));
    put_words(w, "formats", c->formats);
    put_words(w, "tables", c->tables);
    put_words(w, "operandWords", c->operand_words);
    open_with(w, "examples", '[');
    for (const cmd_example *e = c->examples; e != NULL && e->line != NULL; e++) {
        open_with(w, NULL, '{');
        put_member(w, "line", e->line);
        put_member(w, "shows", e->shows);
        close_with(w, '}');
    }
    close_with(w, ']');
    open_with(w, "options", '[');
    put_options(w, c->opts, NULL, false);
    put_options(w, shared.opts, &session_defaults, true);
    close_with(w, ']');
    close_with(w, '}');
}

void described_commands(FILE *out, const cmd *const *commands)
{
    writing w = { out, true };

    open_with(&w, NULL, '{');
    put_member(&w, "version", iv_version());
    put_words(&w, "formats", iv_format_names());
    open_with(&w, "commands", '[');
    for (; *commands != NULL; commands++) {
        (void)putc('\n', out);
        put_command(&w, *commands);
    }
    close_with(&w, ']');
    close_with(&w, '}');
    (void)putc('\n', out);
}
