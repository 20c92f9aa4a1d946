/* SPDX-License-Identifier: Apache-2.0 */
/* Options of all commands, the terminal, and temporary files. */
#include <strings.h>
#ifndef _WIN32
#include <sys/ioctl.h>
#endif
#include <unistd.h>

#include "frame/frame.h"
#include "frame/score_operands.h"
#include "study/study.h"

const session session_defaults = {
    .seed = 1,
    .confidence = 0.95,
};

enum { READS_FILES = 1 << 16 };

static const char *const *gate_on_names(void)
{
    static const char *const names[] = { "inconclusive", "worse", NULL };

    return names;
}

static const opt rows[] = {
    OPT_REAL_OPEN(session, 0, "confidence", "P", confidence, 0.5, 1.0,
                  "confidence of intervals; 95 and 95% mean 0.95", .percent = true,
                  .needs = SHARED_CONFIDENCE),
    OPT_INT(session, 0, "seed", "N", seed, 1, INT64_MAX,
            "seed of every random draw; the same seed gives the same output",
            .needs = SHARED_SEED),
    OPT_INT(session, 0, "threads", "N", threads, 1, 1024,
            "number of threads. Default: all processors; the output does not depend on it",
            .unrecorded = true, .needs = SHARED_THREADS),
    OPT_INT(session, 0, "max-input", "BYTES", most_bytes, 1, INT64_MAX,
            "size of the largest file to read, after unpacking. Default: what memory holds",
            .bytes = true, .unrecorded = true, .needs = READS_FILES),
    OPT_STR(session, 0, "format", "FORMAT", format, "output format", .usual = "text",
            .needs = SHARED_FORMAT),
    OPT_STR(session, 0, "table", "TABLE", table,
            "write only the table TABLE. tsv and csv hold one table, by default the first",
            .needs = SHARED_FORMAT),
    OPT_LIST(session, 'o', "output", "FILE", outputs,
            "write the output to FILE. It is written completely or not at all; - is standard "
            "output. Its ending decides the format, unless it is one file and --format is given: "
            ".txt .tsv .csv .json .jsonl .md .tex .html .svg .xml (junit)",
            .writes = true, .unrecorded = true, .needs = SHARED_OUTPUT),
    OPT_FLAG(session, 0, "force", force,
             "overwrite a file that intervale did not write", .unrecorded = true,
             .needs = SHARED_OUTPUT),
    OPT_STR(session, 0, "title", "TEXT", title,
            "title of the report", .needs = SHARED_FORMAT),
    OPT_STR(session, 0, "matter", "TEXT", matter, "subject of the report", .needs = SHARED_FORMAT),
    OPT_STR(session, 0, "author", "TEXT", author,
            "author of the report", .needs = SHARED_FORMAT),
    OPT_STR(session, 0, "date", "TEXT", date, "date of the report; it is not taken from the "
            "clock", .needs = SHARED_FORMAT),
    OPT_FLAG(session, 0, "quiet", quiet,
             "show no notes and no progress. Warnings in json and html stay",
             .needs = SHARED_QUIET),
    OPT_FLAG(session, 0, "verbose", verbose,
             "show all notes and columns. By default text and markdown show at most three "
             "notes, warnings first", .unrecorded = true, .needs = SHARED_FORMAT),
    OPT_FLAG(session, 0, "gate", gate,
             "exit status 0, 3 or 4: PASS, FAIL or INCONCLUSIVE",
             .needs = SHARED_GATE),
    OPT_ENUM(session, 0, "gate-on", "WHAT", gate_on, gate_on, gate_on_names,
             "verdicts that --gate fails on. inconclusive: FAIL and INCONCLUSIVE; worse: only FAIL",
             .was = (const char *const[]){ "doubt", "inconclusive", NULL }, .needs = SHARED_GATE),
    OPT_FLAG(session, 0, "cite", cite,
             "print references with BibTeX after the answer", .needs = SHARED_FORMAT),
    OPT_FLAG(session, 0, "help", help, "print a short help"),
    OPT_FLAG(session, 0, "help-all", help_all, "print the whole help"),
};

/* The text that a command has in place of the common one of a shared option. */
static const char *text_of(const cmd *c, const opt *o)
{
    for (const char *const *at = c != NULL ? c->about : NULL; at != NULL && *at != NULL; at += 2)
        if (strcmp(at[0], o->name) == 0)
            return at[1];
    return o->help;
}

/* The tables of a command, each once. */
static void fill_tables(session_table *out, const cmd *c)
{
    const iv_known_table *known[2];
    const size_t count[2] = { iv_known_tables(&known[0]), iv_study_tables(&known[1]) };
    size_t n = 0;

    for (const char *const *t = c->tables; t != NULL && *t != NULL; t++)
        out->tables[n++] = *t;
    for (size_t i = 0; c->tables == NULL && i < count[0] + count[1]; i++) {
        const iv_known_table *t = i < count[0] ? &known[0][i] : &known[1][i - count[0]];
        if (strcmp(t->command, c->name) == 0
            && (n == 0 || strcmp(t->table, out->tables[n - 1]) != 0))
            out->tables[n++] = t->table;
    }
    out->tables[n] = NULL;
}

static void fill(session_table *out, unsigned has, const cmd *c)
{
    const char *const *known = iv_format_names();
    const char *const *own = c != NULL ? c->formats : NULL;
    size_t formats = 0, count = 0;

    for (; *known != NULL && formats + 1 < SESSION_FORMATS; known++)
        out->formats[formats++] = *known;
    out->formats[formats++] = "svg";
    for (; own != NULL && *own != NULL && formats + 1 < SESSION_FORMATS; own++)
        out->formats[formats++] = *own;
    out->formats[formats] = NULL;
    out->tables[0] = NULL;
    if (c != NULL)
        fill_tables(out, c);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].needs != 0 && (has & rows[i].needs) == 0)
            continue;
        opt *o = &out->opts[count++];
        *o = rows[i];
        o->help = text_of(c, o);
        if (o->offset == offsetof(session, format))
            o->words = out->formats;
        if (o->offset == offsetof(session, table) && c != NULL) {
            o->words = out->tables[0] != NULL ? out->tables : NULL;
            o->others = c->table_parts;
        }
    }
    out->opts[count] = (opt)OPT_END;
}

bool session_names_file(const char *placeholder)
{
    static const char *const files[] = { "FILE", "SESSION", "RUN...", "JUDGMENTS", "QRELS",
                                         "MATRIX", "PILOT", "LABELS" };

    for (size_t i = 0; placeholder != NULL && i < sizeof files / sizeof *files; i++)
        if (strstr(placeholder, files[i]) != NULL)
            return true;
    return false;
}

static bool reads_files(const cmd *c)
{
    for (const opt *o = c->opts; o != NULL && o->kind != OPT_END_; o++)
        if (!o->writes && session_names_file(o->value))
            return true;
    return session_names_file(c->operands);
}

void session_options(session_table *out, const cmd *c)
{
    fill(out, c->shared | (reads_files(c) ? READS_FILES : 0), c);
}

void session_all_options(session_table *out)
{
    fill(out, ~0u, NULL);
}

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 20, MOST_WIDTH = 1000 };

bool terminal_is(FILE *stream) { return isatty(fileno(stream)) != 0; }

/* From the environment and not by setlocale(): the tool stays in the C
 * locale, where a number has a point. */
static bool is_utf8(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

    for (size_t i = 0; i < 3; i++) {
        const char *locale = getenv(variables[i]);
        if (locale == NULL || *locale == '\0')
            continue;
        const char *charset = strchr(locale, '.');
        return charset != NULL && (strncasecmp(charset, ".utf-8", 6) == 0
                                   || strncasecmp(charset, ".utf8", 5) == 0);
    }
    return false;
}

void terminal_describe(iv_report_options *o, FILE *stream)
{
    const char *columns = getenv("COLUMNS"), *refused = getenv("NO_COLOR"), *term = getenv("TERM");
    int64_t given;

    o->width = USUAL_WIDTH;
    o->wrap = terminal_is(stream);
    if (!o->wrap)
        return;
    o->utf8 = is_utf8();
    o->colour = (refused == NULL || *refused == '\0') && term != NULL && strcmp(term, "dumb") != 0;
#ifdef TIOCGWINSZ
    struct winsize window;
    if (ioctl(fileno(stream), TIOCGWINSZ, &window) == 0 && window.ws_col >= LEAST_WIDTH)
        o->width = window.ws_col;
#endif
    if (columns != NULL && iv_scan_int(&given, iv_str_of(columns), LEAST_WIDTH, MOST_WIDTH))
        o->width = (int)given;
}

void terminal_show(FILE *stream, const char *text, const char *kept)
{
    char shown[IV_QUOTE_SIZE];

    for (size_t len; *text != '\0'; text += len) {
        for (len = 1; len < 4 && ((unsigned char)text[len] & 0xc0) == 0x80; len++)
            continue; /* one character */
        if (strchr(kept, *text) != NULL || strncmp(text, "\n  ", 3) == 0) { /* it goes on */
            (void)putc(*text, stream);
            len = 1;
        } else {
            (void)iv_quote(shown, (iv_str){ text, len });
            (void)fwrite(shown + 1, 1, strlen(shown) - 2, stream);
        }
    }
}

void terminal_complain(const char *prefix, const char *text)
{
    (void)fputs(prefix, stderr);
    terminal_show(stderr, text, "");
    (void)putc('\n', stderr);
}

FILE *terminal_enter(terminal_guard *g, FILE *to)
{
    *g = (terminal_guard){ .to = to };
    return terminal_is(to) ? open_memstream(&g->lines, &g->size) : to;
}

bool terminal_leave(terminal_guard *g, FILE *from)
{
    if (from == g->to)
        return true;
    const bool whole = from != NULL && fclose(from) == 0 && g->lines != NULL;
    if (whole)
        terminal_show(g->to, g->lines, "\t\n");
    free(g->lines);
    return whole;
}

const char *cmd_temporary(void)
{
    const char *folder = getenv("TMPDIR");

    return folder != NULL && folder[0] != '\0' ? folder : NULL;
}

int cmd_take_scores(iv_score_input *in, iv_source *source, const cmd_context *c, iv_err *err)
{
    if (source != NULL)
        source->folder = cmd_temporary();
    if (!in->given)
        return IV_OK;
    if (c->operand_count == 0)
        return cmd_usage(err, "--scores: the files of scores are missing");
    const iv_texts files = { (const char *const *)c->operands, c->operand_count };
    if (source == NULL || !iv_is_scores_part(files.at[0])) {
        in->from.files = files;
        return IV_OK;
    }
    source->parts = files;
    in->given = false;
    return IV_OK;
}
