/* SPDX-License-Identifier: Apache-2.0 */
/* Help texts and manual pages, made from the tables of commands and options. */
#include <inttypes.h>

#include "frame/frame.h"
#include "study/study.h"

enum { WIDTH = 79, WIDTH_MANUAL = 76 };

/* The next paragraph at *rest, which moves on, without the line ends around it; false after the
 * last.  One that begins with a blank keeps its lines. */
static bool prose_next(iv_str *out, const char **rest)
{
    const char *start = *rest + strspn(*rest, "\n");
    const char *end = strstr(start, "\n\n");

    if (*start == '\0')
        return false;
    if (end == NULL)
        end = start + strlen(start);
    *rest = end;
    while (end > start && end[-1] == '\n')
        end--;
    *out = (iv_str){ start, (size_t)(end - start) };
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n';
}

/* The next word of [*at, end), which moves on; its length, 0 after the last. */
static size_t prose_word(const char **word, const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        ++*at;
    *word = *at;
    while (*at < end && !is_blank(**at))
        ++*at;
    return (size_t)(*at - *word);
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

/*
 * Writes text in lines of at most 79 columns that begin with indent blanks; the first is already
 * filled up to the given column.  Or for troff, which fills lines itself: broken here only to keep
 * the source readable.
 */
static void fill_lines(FILE *out, const char *text, size_t len, int indent, int column, bool troff)
{
    const int most = troff ? WIDTH_MANUAL : WIDTH;
    const char *at = text, *word;
    size_t size;
    bool first = true;

    while ((size = prose_word(&word, &at, text + len)) > 0) {
        const int width = (int)(troff ? raw_width(word, size) : size);
        if (first) {
            column += fprintf(out, "%*s", indent > column ? indent - column : 0, "");
        } else if (column + 1 + width > most) {
            column = fprintf(out, "\n%*s", indent, "") - 1;
        } else {
            (void)putc(' ', out);
            column++;
        }
        if (troff)
            put_raw(out, word, size, column == 0);
        else
            (void)fwrite(word, 1, size, out);
        column += width;
        first = false;
    }
    (void)putc('\n', out);
}

static void prose_wrap(FILE *out, const char *text, size_t len, int indent, int column)
{
    fill_lines(out, text, len, indent, column, false);
}

static void put_text_manual(FILE *out, const char *text, size_t len)
{
    fill_lines(out, text, len, 0, 0, true);
}

/* --------------------------------------------------------------- columns -- */

/* The tables of a command, for help and manual: what each column holds. */

static bool is_of(const iv_known_table *t, const char *command, const char *table)
{
    return strcmp(t->command, command) == 0 && (table == NULL || strcmp(t->table, table) == 0);
}

/* Was it said before, in this way of making the table or in one before it? */
static bool is_said(const iv_known_table *from, const iv_known_table *t, const iv_field *f)
{
    for (const iv_known_table *k = from; k <= t; k++) {
        if (!is_of(k, t->command, t->table))
            continue;
        for (const iv_field *g = k->fields; g->name != NULL && g != f; g++)
            if (strcmp(g->name, f->name) == 0 && strcmp(g->about, f->about) == 0)
                return true;
    }
    return false;
}

/* How the name of a table is written, and a column of it. */
typedef void put_name_of(FILE *out, const char *name);
typedef void put_column_of(FILE *out, const char *name, const char *about);

static void put_list(FILE *out, const iv_known_table *list, size_t count, const char *command,
                     put_name_of *table, put_column_of *column)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_of(&list[i], command, NULL))
            continue;
        if (i == 0 || !is_of(&list[i - 1], command, list[i].table))
            table(out, list[i].table);
        for (const iv_field *f = list[i].fields; f->name != NULL; f++)
            if (!is_said(list, &list[i], f))
                column(out, f->name, f->about);
    }
}

/* Writes what each column of a command's tables holds. */
static void columns_put(FILE *out, const cmd *c, put_name_of *table, put_column_of *column)
{
    const iv_known_table *list;
    const size_t answers = iv_known_tables(&list);

    put_list(out, list, answers, c->name, table, column);
    const size_t studies = iv_study_tables(&list);
    put_list(out, list, studies, c->name, table, column);
}

/* ------------------------------------------------------------- described -- */

/*
 * The commands and their options as JSON, for programs that ask in place of a person: the
 * browser's forms are made from it.
 */

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

/* A member behind others of its object, unless there is no text. */
static void put_member(FILE *out, const char *name, const char *text)
{
    if (text == NULL || *text == '\0')
        return;
    (void)fprintf(out, ",\"%s\":", name);
    put_text(out, text);
}

static void put_flag(FILE *out, const char *name, bool value)
{
    if (value)
        (void)fprintf(out, ",\"%s\":true", name);
}

static void put_words(FILE *out, const char *name, const char *const *words)
{
    if (words == NULL || words[0] == NULL)
        return;
    (void)fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; words[i] != NULL; i++) {
        (void)fputs(i > 0 ? "," : "", out);
        put_text(out, words[i]);
    }
    (void)putc(']', out);
}

/* The kinds, in their order. */
static const char *const kinds[] = { "", "heading", "flag", "text", "integer", "real",
                                     "reals", "integers", "choice", "list" };

static void put_option(FILE *out, const opt *o, const void *defaults, bool shared)
{
    char room[OPTION_TEXT_SIZE], letter[2] = { o->letter, '\0' };
    const bool numbers = o->kind == OPT_REALS_ || o->kind == OPT_INTEGERS_;

    (void)fprintf(out, "{\"kind\":\"%s\"", kinds[o->kind]);
    put_member(out, "letter", letter);
    put_member(out, "name", o->name);
    put_member(out, "value", o->value);
    put_member(out, "help", o->help);
    if (o->kind != OPT_HEADING_ && o->kind != OPT_FLAG_) {
        put_member(out, "usual", option_value_show(room, o, defaults));
        put_words(out, "words", option_value_words(o));
    }
    if (o->kind == OPT_INT_ || numbers)
        (void)fprintf(out, ",\"least\":%" PRId64 ",\"most\":%" PRId64, o->least, o->most);
    if (o->kind == OPT_REAL_ || numbers)
        (void)fprintf(out, ",\"low\":%.17g,\"high\":%.17g", o->low, o->high);
    put_flag(out, "open", o->open);
    put_flag(out, "percent", o->percent);
    put_flag(out, "writes", o->writes);
    put_flag(out, "file", !o->writes && session_names_file(o->value));
    put_flag(out, "shared", shared);
    (void)putc('}', out);
}

static void put_command(FILE *out, const cmd *c)
{
    session_table shared;

    session_options(&shared, c);
    (void)fprintf(out, "{\"name\":\"%s\"", c->name);
    put_member(out, "group", c->group);
    put_member(out, "summary", c->summary);
    put_member(out, "operands", c->operands);
    (void)fprintf(out, ",\"least\":%d,\"most\":%d", c->least, c->most);
    put_member(out, "description", c->description);
    put_flag(out, "reports", (c->shared & SHARED_FORMAT) != 0);
    put_flag(out, "files", session_names_file(c->operands));
    put_words(out, "formats", c->formats);
    put_words(out, "tables", shared.tables);
    put_words(out, "operandWords", c->operand_words);
    (void)fputs(",\"examples\":[", out);
    for (const cmd_example *e = c->examples; e != NULL && e->line != NULL; e++) {
        (void)fputs(e > c->examples ? ",{\"line\":" : "{\"line\":", out);
        put_text(out, e->line);
        put_member(out, "shows", e->shows);
        (void)putc('}', out);
    }
    (void)fputs("],\"options\":[", out);
    for (const opt *o = c->opts; o != NULL && o->kind != OPT_END_; o++) {
        put_option(out, o, NULL, false);
        (void)putc(',', out);
    }
    for (const opt *o = shared.opts; o->kind != OPT_END_; o++) { /* there is always one */
        (void)fputs(o > shared.opts ? "," : "", out);
        put_option(out, o, &session_defaults, true);
    }
    (void)fputs("]}", out);
}

void described_commands(FILE *out, const cmd *const *commands)
{
    (void)fprintf(out, "{\"version\":\"%s\"", iv_version());
    put_words(out, "formats", iv_format_names());
    (void)fputs(",\"commands\":[", out);
    for (size_t i = 0; commands[i] != NULL; i++) {
        (void)fputs(i > 0 ? "\n," : "\n", out);
        put_command(out, commands[i]);
    }
    (void)fprintf(out, "],\n\"answer\":%s}\n", answer_schema);
}

/* ------------------------------------------------------------------ help -- */

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

/* The commands by group, of a family or all. */
static void put_groups(FILE *out, const cmd *const *commands, const char *family,
                       put_name_of *group, put_column_of *command)
{
    for (const cmd *const *first = commands; *first != NULL; first++) {
        if (group_seen(commands, first, family)
            || (family != NULL && !lookup_in_family(*first, family)))
            continue;
        group(out, (*first)->group);
        for (const cmd *const *c = first; *c != NULL; c++)
            if (strcmp((*c)->group, (*first)->group) == 0
                && (family == NULL || lookup_in_family(*c, family)))
                command(out, (*c)->name, (*c)->summary);
    }
}

static void put_table(FILE *out, const char *name)
{
    (void)fprintf(out, "\n%s:\n", name);
}

static void put_summary(FILE *out, const char *name, const char *about)
{
    put_entry(out, name, SUMMARY_COLUMN, about);
}

void help_overview(FILE *out, const cmd *const *commands, const char *family)
{
    if (family == NULL)
        (void)fputs("usage: intervale COMMAND [OPTIONS] OPERANDS\n\n"
                    "Evaluate retrieval systems, classifiers and document reviews, and\n"
                    "say how sure the answer is.\n", out);
    else
        (void)fprintf(out, "usage: intervale %s COMMAND [OPTIONS] OPERANDS\n", family);
    put_groups(out, commands, family, put_table, put_summary);
    (void)fputs("\n'intervale help COMMAND' explains one of them.\n", out);
}

/* The line that says how it is called, without "usage:" and line end. */
static void help_synopsis(FILE *out, const cmd *c)
{
    (void)fprintf(out, "intervale %s [OPTIONS]%s%s", c->name, *c->operands ? " " : "",
                  c->operands);
}

static void put_option_entry(FILE *out, const opt *o, const char *text)
{
    char label[OPTION_TEXT_SIZE], shifted[OPTION_TEXT_SIZE + 4];

    (void)snprintf(shifted, sizeof shifted, "%s%s", o->letter == 0 ? "    " : "",
                   option_value_label(label, o));
    put_entry(out, shifted, OPTION_COLUMN, text);
}

static void put_options_help(FILE *out, const opt *o, const void *defaults, const char *heading)
{
    char text[OPTION_TEXT_SIZE];

    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_) {
            heading = o->help;
            continue;
        }
        if (heading != NULL)
            (void)fprintf(out, "\n%s:\n", heading);
        heading = NULL;
        put_option_entry(out, o, option_value_explain(text, o, defaults));
    }
}

/* ---------------------------------------------------------- first layer -- */

enum { EXAMPLES_SHOWN = 3, OPTIONS_SHOWN = 10, EXAMPLE_WIDTH = 110 };

/* Is the option among the names? */
static bool is_named(const char *names, const char *name)
{
    const size_t len = strlen(name);

    for (const char *at = names; (at = strstr(at, name)) != NULL; at += len)
        if ((at == names || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
            return true;
    return false;
}

/* An option in one line: its text up to the first clause or sentence. */
static void put_brief_option(FILE *out, const opt *o)
{
    char text[OPTION_TEXT_SIZE];
    size_t end = 0;

    while (o->help[end] != '\0' && strncmp(o->help + end, "; ", 2) != 0
           && strncmp(o->help + end, ". ", 2) != 0 && strncmp(o->help + end, " (", 2) != 0)
        end++;
    (void)snprintf(text, sizeof text, "%.*s", (int)end, o->help);
    put_option_entry(out, o, text);
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

void help_command(FILE *out, const cmd *c)
{
    session_table shared;
    const char *heading = "\nOptions most people need\n";
    const char *rest = c->description;
    char often[OPTION_TEXT_SIZE];
    iv_str what;
    size_t shown = 0, all = 0;

    if (prose_next(&what, &rest))
        prose_wrap(out, what.ptr, what.len, 0, 0);
    (void)fputs("\n  ", out);
    help_synopsis(out, c);
    (void)putc('\n', out);
    for (const cmd_example *e = c->examples; e != NULL && e->line != NULL; e++)
        if (shown < EXAMPLES_SHOWN && strlen(e->line) < EXAMPLE_WIDTH)
            (void)fprintf(out, "%s  %s\n", shown++ == 0 ? "\nExamples\n" : "", e->line);
    session_options(&shared, c);
    all = put_brief_options(out, c->opts, c->often, OPTIONS_SHOWN, &heading);
    (void)snprintf(often, sizeof often, "confidence gate table format output verbose %s",
                   c->often == NULL ? "" : c->often);
    all += put_brief_options(out, shared.opts, often, OPTIONS_SHOWN, &heading);
    (void)fprintf(out, "\nAll %zu options: intervale %s --help-all, or man intervale-", all,
                  c->name);
    for (const char *at = c->name; *at != '\0'; at++)
        (void)putc(*at == ' ' ? '-' : *at, out);
    (void)putc('\n', out);
    if (c->pages != NULL)
        (void)fprintf(out, "More: %s\n", c->pages);
}

/* ---------------------------------------------------------- second layer -- */

void help_whole(FILE *out, const cmd *c)
{
    const char *rest = c->description;
    iv_str part;
    session_table shared;

    (void)fputs("usage: ", out);
    help_synopsis(out, c);
    (void)putc('\n', out);
    while (prose_next(&part, &rest)) {
        (void)putc('\n', out);
        if (*part.ptr == ' ')
            (void)fprintf(out, "%.*s\n", (int)part.len, part.ptr);
        else
            prose_wrap(out, part.ptr, part.len, 0, 0);
    }
    session_options(&shared, c);
    put_options_help(out, c->opts, NULL, "Options");
    put_options_help(out, shared.opts, &session_defaults,
                c->opts != NULL ? "Shared options" : "Options");
    if (c->examples != NULL && c->examples->line != NULL)
        (void)fputs("\nExamples:\n", out);
    for (const cmd_example *e = c->examples; e != NULL && e->line != NULL; e++) {
        (void)fprintf(out, "  %s\n", e->line);
        prose_wrap(out, e->shows, strlen(e->shows), 6, 0);
    }
}

static void put_column(FILE *out, const char *name, const char *about)
{
    put_entry(out, name, OPTION_COLUMN, about);
}

void help_tables(FILE *out, const cmd *c)
{
    (void)fprintf(out, "Tables of 'intervale %s', for --table, and their columns.\n"
                  "Some appear only with certain options; --format json has all.\n", c->name);
    columns_put(out, c, put_table, put_column);
}

/* ---------------------------------------------------------------- manual -- */

/* Of the last change in substance; fixed, so that a source makes one page. */
static const char date[] = "2026-11-15";

const char *manual_name(char out[MANUAL_NAME_SIZE], const cmd *c)
{
    (void)snprintf(out, MANUAL_NAME_SIZE, "intervale%s%s", c != NULL ? "-" : "",
                   c != NULL ? c->name : "");
    for (char *p = out; *p != '\0'; p++)
        if (*p == ' ')
            *p = '-';
    return out;
}

/* A macro and its text, on a line. */
static void put_macro(FILE *out, const char *macro, const char *text)
{
    (void)fprintf(out, "%s ", macro);
    put_raw(out, text, strlen(text), false);
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
    iv_str part;

    for (bool first = true; prose_next(&part, &text); first = false) {
        if (!first)
            (void)fputs(".PP\n", out);
        if (*part.ptr == ' ')
            put_lines(out, part.ptr, part.len);
        else
            put_text_manual(out, part.ptr, part.len);
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

static void put_options_manual(FILE *out, const opt *o, const void *defaults)
{
    char text[OPTION_TEXT_SIZE];

    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_) {
            put_macro(out, ".SS", o->help);
            continue;
        }
        put_label(out, o);
        (void)option_value_explain(text, o, defaults);
        put_text_manual(out, text, strlen(text));
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
                "The first that is set decides whether the terminal shows UTF\\-8;\n"
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
        put_text_manual(out, e->shows, strlen(e->shows));
        put_lines(out, e->line, strlen(e->line));
    }
}

static void put_table_manual(FILE *out, const char *name)
{
    put_macro(out, ".SS", name);
}

static void put_column_manual(FILE *out, const char *name, const char *about)
{
    put_macro(out, ".TP\n.B", name);
    put_text_manual(out, about, strlen(about));
}

void manual_command(FILE *out, const cmd *c)
{
    session_table shared;

    put_title(out, c, c->summary);
    put_macro(out, ".SH SYNOPSIS\n.B intervale", c->name);
    (void)fputs(".RI [ OPTIONS ]\n", out);
    if (*c->operands != '\0')
        put_text_manual(out, c->operands, strlen(c->operands));
    (void)fputs(".SH DESCRIPTION\n", out);
    put_prose(out, c->description);
    session_options(&shared, c);
    (void)fputs(".SH OPTIONS\n", out);
    put_options_manual(out, c->opts, NULL);
    if (c->opts != NULL)
        (void)fputs(".SS Shared options\n", out);
    put_options_manual(out, shared.opts, &session_defaults);
    if (shared.tables[0] != NULL) {
        (void)fputs(".SH TABLES\nSome columns appear only with certain options.\n", out);
        columns_put(out, c, put_table_manual, put_column_manual);
    }
    put_exit_status(out, c);
    if (c->shared & SHARED_FORMAT)
        put_environment(out);
    put_examples(out, c);
    if (c->shared & SHARED_FORMAT)
        (void)fputs(".SH REFERENCES\nOption \\-\\-cite prints those of the methods used.\n", out);
    (void)fputs(".SH SEE ALSO\n.BR intervale (1)\n", out);
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
    put_groups(out, commands, NULL, put_table_manual, put_column_manual);
    (void)fputs(".SH SHARED OPTIONS\nEach command has those it can heed.\n", out);
    session_all_options(&shared);
    put_options_manual(out, shared.opts, &session_defaults);
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
