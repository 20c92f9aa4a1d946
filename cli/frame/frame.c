/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "intervale/report.h"

/* One command line at work. */
typedef struct job {
    const cmd *const *commands;
    const cmd *self;
    void *args;
    session shared;
    session_table table;
    opt_set sets[2];
    options_words words;
    iv_result *result;
    iv_outfile *file;
    iv_digests *digests; /* NULL: the format does not tell them */
} job;

/* Tells an error and turns what went wrong into an exit status. */
static int conclude(const cmd *c, int rc, const iv_err *err)
{
    char prefix[96], line[IV_ERR_TEXT_SIZE], text[IV_ERR_TEXT_SIZE + 96];
    const char *name = c != NULL ? c->name : "";
    const size_t len = strlen(err->msg);
    const bool suggests = len > 0 && err->msg[len - 1] == '?';

    if (rc == IV_OK || (rc == CMD_FAILED && len == 0))
        return rc == IV_OK ? FRAME_OK : FRAME_FAILED;
    if (rc == IV_ECANCELLED && progress_stopped() != 0)
        return FRAME_FAILED; /* whoever sent the signal knows */
    (void)snprintf(prefix, sizeof prefix, "intervale%s%s: ", *name ? " " : "", name);
    (void)iv_err_text(line, err);
    if (rc == CMD_USAGE && !suggests)
        (void)snprintf(text, sizeof text, "%s; see 'intervale help%s%s'", line,
                       *name ? " " : "", name);
    /* FILE:LINE: comes first on its line, for editors that jump there. */
    terminal_complain(err->code == IV_EPARSE ? "" : prefix,
                      rc == CMD_USAGE && !suggests ? text : line);
    return rc == CMD_USAGE ? FRAME_USAGE : FRAME_FAILED;
}

/* Help goes to standard output, which may be full like any other file. */
static int flush_output(iv_err *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return IV_OK;
    return iv_fail(err, IV_EIO, "standard output: cannot write: %s", strerror(errno));
}

/* A picture is what the format vega has, drawn. */
static bool is_svg(const job *j)
{
    return strcmp(j->shared.format, "svg") == 0;
}

static bool format_of(iv_format *out, const job *j)
{
    return iv_format_find(out, is_svg(j) ? "vega" : j->shared.format);
}

static void tell_notes(const job *j)
{
    char prefix[96];
    const iv_note *notes;
    const size_t count = iv_result_notes(&notes, j->result);
    const size_t most = j->shared.verbose ? SIZE_MAX : 3; /* as in text */
    size_t told = 0;

    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < count; i++) {
            const bool warns = notes[i].severity == IV_WARNING;
            if (notes[i].legend || warns != (round == 0) || told >= most)
                continue;
            (void)snprintf(prefix, sizeof prefix, "intervale %s: %s: ", j->self->name,
                           warns ? "warning" : "note");
            terminal_complain(prefix, notes[i].text);
            told++;
        }
}

/* What could not be written is told with the output's name, which only the frame knows. */
static int name_output(const job *j, const FILE *out, iv_err *err)
{
    char why[sizeof err->msg];
    const char *last = err->msg;

    for (const char *at = last; (at = strstr(at, ": ")) != NULL; at += 2)
        last = at + 2;
    (void)snprintf(why, sizeof why, "%s", last);
    return iv_fail_at(err, IV_EIO, out == stdout ? "standard output" : j->shared.output, 0,
                      "cannot write: %s", why);
}

/* Renders the result, unless the command has written by itself. */
static int write_result(job *j, const cmd_context *c, iv_err *err)
{
    iv_report_options o = { .format = IV_FORMAT_TEXT, .table = j->shared.table };
    bool has_notes = false;
    int rc = iv_result_status(j->result, err);

    if (rc < 0)
        return rc;
    if (!c->written) {
        if (!format_of(&o.format, j))
            return iv_fail(err, IV_EARG, "the command does not write format '%s'",
                           j->shared.format);
        has_notes = iv_format_has_notes(o.format);
        o.no_notes = j->shared.quiet;
        o.verbose = j->shared.verbose;
        o.cite = j->shared.cite;
        o.elsewhere = "--table lists them, --format tsv too";
        o.width = terminal_width(c->out);
        o.wrap = terminal_is(c->out);
        o.utf8 = terminal_is_utf8(c->out);
        o.colour = terminal_has_colour(c->out);
        rc = is_svg(j) ? svg_write(c->out, j->result, o.table, err)
                       : iv_report_write(c->out, j->result, &o, err);
        if (rc == IV_EARG)
            return CMD_USAGE; /* the result is sound: there is no such table */
        if (rc == IV_EIO && !is_svg(j))
            return name_output(j, c->out, err);
    }
    if (rc == IV_OK) {
        rc = iv_outfile_commit(j->file, err);
        j->file = NULL;
    }
    if (rc == IV_OK && !has_notes && !j->shared.quiet)
        tell_notes(j);
    return rc;
}

/* A format that cannot be written is refused before the work. */
static int check_format(const job *j, iv_err *err)
{
    iv_format format;

    if (is_svg(j) && iv_format_is_built(IV_FORMAT_HTML))
        return svg_check(err);
    if (!is_svg(j)
        && (!iv_format_find(&format, j->shared.format) || iv_format_is_built(format)))
        return IV_OK;
    (void)iv_fail(err, IV_EARG, "format %s is not in this build, which was made without npm "
                  "(-DINTERVALE_HTML=OFF); install npm and build with -DINTERVALE_HTML=ON, or "
                  "take a release's archive", j->shared.format);
    return IV_EARG;
}

/* Whose report it is; nothing of it is taken from the machine. */
static void add_details(const job *j)
{
    const struct {
        const char *name, *text;
    } details[] = { { "title", j->shared.title }, { "matter", j->shared.matter },
                    { "author", j->shared.author }, { "date", j->shared.date } };

    for (size_t i = 0; i < sizeof details / sizeof *details; i++)
        if (details[i].text != NULL)
            iv_result_detail(j->result, details[i].name, details[i].text);
}

/* What the library shall know before it works: words, seed, and who will look. */
static int prepare(job *j, iv_err *err)
{
    iv_report_options shown = { .table = j->shared.table };
    int rc = iv_result_new(&j->result, j->self->name, err);

    if (rc < 0)
        return rc;
    if (format_of(&shown.format, j)) {
        iv_report_wish(j->result, &shown);
        if (iv_format_has_inputs(shown.format))
            rc = iv_digests_new(&j->digests, err);
    }
    for (size_t i = 0; i < j->words.record_count; i++)
        iv_result_argument(j->result, j->words.record[i]);
    if (j->self->shared & SHARED_SEED)
        iv_result_seed(j->result, j->shared.seed);
    add_details(j);
    return rc;
}

static int check_gate(const job *j, iv_err *err)
{
    if (!j->shared.gate && j->shared.gate_on != GATE_ON_INCONCLUSIVE)
        return cmd_usage(err, "--gate-on is for --gate");
    if (!j->shared.gate || iv_result_has_verdict(NULL, NULL, j->result) != IV_VERDICT_NONE)
        return IV_OK;
    return cmd_usage(err, "--gate has nothing to tell: no claim was made");
}

/* The first word of a gate's answer is its verdict. */
static void say_gate(const job *j)
{
    const char *text = iv_result_answer_text(j->result);
    const iv_verdict verdict = iv_result_has_verdict(NULL, NULL, j->result);
    const bool passes = verdict == IV_VERDICT_OPEN && j->shared.gate_on == GATE_ON_WORSE;
    const char *word = iv_verdict_name(verdict);

    if (!j->shared.gate || text == NULL || strncmp(text, "PASS", 4) == 0
        || strncmp(text, "FAIL", 4) == 0 || strncmp(text, "INCONCLUSIVE", 12) == 0)
        return;
    if (passes)
        iv_result_answer(j->result, "PASS (--gate-on worse): %s", text);
    else if (strncasecmp(text, word, strlen(word)) == 0)
        iv_result_answer(j->result, "%s%s", word, text + strlen(word));
    else
        iv_result_answer(j->result, "%s: %s", word, text);
}

static int execute(job *j, iv_err *err)
{
    cmd_context c = { .self = j->self, .commands = j->commands, .args = j->args,
                      .shared = &j->shared, .operands = j->words.operands,
                      .operand_count = j->words.operand_count };
    progress p;
    int rc = check_format(j, err);

    if (rc == IV_OK)
        rc = prepare(j, err);
    if (rc < 0)
        return rc;
    c.result = j->result;
    rc = options_effect(j->self->opts, j->args, j->result, j->shared.format, err);
    if (rc != IV_OK)
        return rc;
    /* Opened before the work: a folder one may not write to is told at once. */
    rc = iv_outfile_open(&j->file, j->shared.output, err);
    if (rc < 0)
        return rc;
    c.out = iv_outfile_stream(j->file);
    c.work = (iv_work){ (int)j->shared.threads, j->shared.seed,
                        progress_start(&p, j->self->name, j->shared.quiet),
                        (uint64_t)j->shared.most_bytes, j->digests };
    const int status = j->self->run(&c, err);
    progress_end(&p);
    if (status == IV_EARG && err->file[0] == '\0' && !j->self->numbers_are_data)
        return CMD_USAGE; /* what cannot be had was asked wrongly */
    if (status == IV_EIO && ferror(c.out))
        return name_output(j, c.out, err);
    if (status < 0 || status == CMD_USAGE)
        return status;
    rc = check_gate(j, err);
    if (rc != IV_OK)
        return rc;
    say_gate(j);
    if (j->digests != NULL)
        iv_result_digests(j->result, j->digests);
    rc = write_result(j, &c, err);
    return rc != IV_OK ? rc : status;
}

static int check_operands(const job *j, iv_err *err)
{
    const cmd *c = j->self;
    const size_t count = j->words.operand_count;
    char quoted[IV_QUOTE_SIZE];

    if (count < (size_t)c->least)
        return cmd_usage(err, "too few operands; usage: intervale %s [OPTIONS] %s",
                         c->name, c->operands);
    if (count <= (size_t)c->most)
        return IV_OK;
    (void)iv_quote(quoted, iv_str_of(j->words.operands[c->most]));
    return cmd_usage(err, "unexpected operand %s", quoted);
}

/* How often an option was told to read standard input. */
static size_t standard_inputs(const opt *o, const char *args)
{
    const void *field = args + o->offset;
    const iv_texts *list = field;
    const char *const *text = field;
    size_t count = 0;

    if (o->writes || o->value == NULL || strstr(o->value, "FILE") == NULL)
        return 0;
    if (o->kind == OPT_STR_)
        return *text != NULL && strcmp(*text, "-") == 0;
    for (size_t i = 0; o->kind == OPT_LIST_ && i < list->count; i++)
        count += strcmp(list->at[i], "-") == 0;
    return count;
}

static int check_inputs(const job *j, iv_err *err)
{
    size_t count = 0;

    for (size_t i = 0; j->self->operand_words == NULL && i < j->words.operand_count; i++)
        count += strcmp(j->words.operands[i], "-") == 0;
    for (const opt *o = j->self->opts; o != NULL && o->kind != OPT_END_; o++)
        count += standard_inputs(o, j->args);
    if (count <= 1)
        return IV_OK;
    return cmd_usage(err, "standard input can be read once, and '-' was given %zu times", count);
}

static int read_options(job *j, int argc, char **argv, iv_err *err)
{
    const cmd *c = j->self;

    j->shared = session_defaults;
    session_options(&j->table, c);
    j->args = calloc(1, c->args_size + 1);
    if (j->args == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    j->sets[0] = (opt_set){ c->opts, j->args };
    j->sets[1] = (opt_set){ j->table.opts, &j->shared };
    const int rc = options_parse(&j->words, j->sets, 2, argc, argv, err);
    if (c->confidence > 0)
        memcpy((char *)j->args + c->confidence - 1, &j->shared.confidence, sizeof(double));
    return rc;
}

static int gate_status(const iv_result *r, gate_on on)
{
    const iv_verdict verdict = r != NULL ? iv_result_has_verdict(NULL, NULL, r) : IV_VERDICT_NONE;

    return verdict == IV_VERDICT_OTHERWISE ? FRAME_OTHERWISE
         : verdict == IV_VERDICT_OPEN && on == GATE_ON_INCONCLUSIVE ? FRAME_OPEN
                                           : FRAME_OK;
}

static bool has_option(const cmd *c, iv_str name)
{
    for (const opt *o = c->opts; o != NULL && o->kind != OPT_END_; o++)
        if (o->name != NULL && iv_str_cmp(iv_str_of(o->name), name) == 0)
            return true;
    return false;
}

/* What to do stands behind an error when the command has all options that it names. */
static void add_hint(iv_err *err, const cmd *c)
{
    for (const char *at = err->hint; (at = strstr(at, "--")) != NULL;) {
        const iv_str name = { at + 2, strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-") };
        if (!has_option(c, name))
            return;
        at = name.ptr + name.len;
    }
    cmd_hint(err, err->hint);
}

/* A gate that ends in an error leaves no verdict of yesterday in its output file. */
static void write_error(job *j, const iv_err *why)
{
    char text[IV_ERR_TEXT_SIZE];
    cmd_context c = { .self = j->self };
    iv_err err = { IV_OK, "" };

    if (!j->shared.gate || strcmp(j->shared.output, "-") == 0
        || outputs_check(j->sets, 2, j->words.operands, j->shared.force, &err) != IV_OK)
        return;
    iv_result_free(j->result);
    iv_outfile_abandon(j->file);
    j->result = NULL;
    j->file = NULL;
    if (iv_result_new(&j->result, j->self->name, &err) != IV_OK
        || iv_outfile_open(&j->file, j->shared.output, &err) != IV_OK)
        return;
    c.out = iv_outfile_stream(j->file);
    j->shared.table = NULL;
    j->shared.quiet = true;
    (void)iv_err_text(text, why);
    iv_result_verdict(j->result, IV_VERDICT_ERROR, "%s", text);
    iv_result_answer(j->result, "ERROR: %s", text);
    if (write_result(j, &c, &err) == IV_OK)
        outputs_mark(j->sets, 2);
}

static int run_command(const cmd *const *commands, const cmd *self, int argc, char **argv)
{
    iv_err err = { IV_OK, "" };
    job j = { .commands = commands, .self = self };
    int rc = read_options(&j, argc, argv, &err);

    if (rc != IV_OK)
        goto done;
    if (j.shared.help || j.shared.help_all) {
        if (j.shared.help_all)
            help_whole(stdout, self);
        else
            help_command(stdout, self);
        rc = flush_output(&err);
        goto done;
    }
    rc = check_operands(&j, &err);
    if (rc == IV_OK)
        rc = check_inputs(&j, &err);
    if (rc == IV_OK)
        rc = outputs_check(j.sets, 2, j.words.operands, j.shared.force, &err);
    if (rc == IV_OK) {
        rc = execute(&j, &err);
        if (rc == IV_OK || rc == CMD_FAILED)
            outputs_mark(j.sets, 2);
    }
done:
    if (rc != IV_OK)
        add_hint(&err, self);
    if (rc != IV_OK && rc != CMD_FAILED)
        write_error(&j, &err);
    rc = conclude(self, rc, &err);
    if (rc == FRAME_OK && j.shared.gate)
        rc = gate_status(j.result, j.shared.gate_on);
    iv_outfile_abandon(j.file);
    iv_result_free(j.result);
    iv_digests_free(j.digests);
    options_free(&j.words);
    free(j.args);
    return rc;
}

/* The command a word of the top level stands for, when it is an option. */
static const char *top_level(const char *word)
{
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return "help";
    return strcmp(word, "--version") == 0 ? "version" : word;
}

int frame_main(const cmd *const *commands, int argc, char **argv)
{
    char name[64];
    char *words[2] = { name, argc > 2 ? argv[2] : NULL };
    size_t used = 0;
    iv_err err = { IV_OK, "" };

    if (argc < 2) {
        help_overview(stderr, commands, NULL);
        return FRAME_USAGE;
    }
    (void)snprintf(name, sizeof name, "%s", top_level(argv[1]));
    const cmd *c = lookup_command(commands, words, argc > 2 ? 2 : 1, &used);
    if (c != NULL) {
        size_t count = (size_t)argc - 1 - used;
        c = lookup_moved(commands, c, argv + 1 + used, &count);
        return run_command(commands, c, (int)count, argv + 1 + used);
    }
    if (!lookup_family(commands, argv[1]) || (argc > 2 && argv[2][0] != '-'))
        return conclude(NULL, lookup_unknown(commands, argv + 1, (size_t)argc - 1, &err),
                        &err);
    if (argc < 3 || strcmp(top_level(argv[2]), "help") != 0) {
        help_overview(stderr, commands, argv[1]);
        return FRAME_USAGE;
    }
    help_overview(stdout, commands, argv[1]);
    return conclude(NULL, flush_output(&err), &err);
}
