/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the tool's frame, told on a table of commands of its own; the
 * name of a test is the claim.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "result/result_build.h"
#include "cli_tests.h"
#include "frame/frame.h"
#include "run_tool.h"

/* ------------------------------------------------- commands to try on -- */

typedef struct args {
    const char *fail;
    int64_t level;
    iv_texts measures;
} args;

static const opt opts[] = {
    OPT_STR(args, 0, "fail", "HOW", fail, "go wrong in this way"),
    OPT_HEADING("Of trec_eval"),
    OPT_INT(args, 'l', "level", "L", level, 0, 9, "least [grade] that's: relevant",
            .usual = "1"),
    OPT_LIST(args, 'm', NULL, "NAME", measures, "measure"),
    OPT_END
};

static int try_run(cmd_context *c, iv_err *err)
{
    static const iv_column columns[] = { { "name", IV_TEXT, 0 }, { "x", IV_REAL, 2 } };
    const args *a = c->args;
    const char *fail = a->fail != NULL ? a->fail : "";

    if (strcmp(fail, "parse") == 0)
        return iv_fail(err, IV_EPARSE, "f\x1b.txt:3: 5 fields, expected 4");
    if (strcmp(fail, "data") == 0)
        return iv_fail(err, IV_ENODATA, "no shared topic");
    if (strcmp(fail, "usage") == 0)
        return cmd_usage(err, "unknown fruit 'mapp'; did you mean 'map'?");
    if (strcmp(fail, "open-row") == 0) {
        iv_put_text(iv_result_table(c->result, "t", columns, 2), iv_str_of("a"));
        return IV_OK;
    }
    if (strcmp(c->shared->format, "trec") == 0) {
        c->written = true;
        (void)fprintf(c->out, "map all %d\n", a->level == 0 ? 1 : (int)a->level);
        iv_result_note(c->result, "a note");
        return IV_OK;
    }
    iv_table *t = iv_result_table(c->result, "main", columns, 2);
    for (size_t i = 0; i < c->operand_count; i++) {
        iv_put_text(t, iv_str_of(c->operands[i]));
        iv_put_real(t, c->shared->confidence);
    }
    t = iv_result_table(c->result, "other", columns, 2);
    iv_put_text(t, iv_str_of("o"));
    iv_put_missing(t);
    iv_result_note(c->result, "a note");
    return strcmp(fail, "late") == 0 ? CMD_FAILED : IV_OK;
}

static const char *const trec[] = { "trec", NULL };
static const char *const tables[] = { "main", "other", NULL };

static const cmd cmd_try = {
    .name = "try",
    .group = "Trials",
    .summary = "try the frame",
    .operands = "FILE...",
    .least = 1,
    .most = 3,
    .description = "First paragraph, long enough that it has to be broken into two lines "
                   "of text.\n\n  verbatim  text\n  .more\n\n'Last' paragraph.",
    .exit_note = "Also when told to.",
    .examples = (const cmd_example[]){ { "intervale try a", "Tries a." }, { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .about = (const char *const[]){ "date", "date of the trial", NULL },
    .formats = trec,
    .tables = tables,
    .run = try_run,
};

static int plan_run(cmd_context *c, iv_err *err)
{
    (void)err;
    c->written = true;
    (void)fprintf(c->out, "%s\n", c->self->name);
    return IV_OK;
}

static const cmd fake_plan_recall = {
    .name = "plan recall", .group = "Planning", .summary = "plan a recall", .operands = "",
    .description = "Plans.", .run = plan_run,
};

static const cmd fake_plan_power = {
    .name = "plan power", .group = "Planning", .summary = "plan a power", .operands = "",
    .description = "Plans.", .run = plan_run,
};

static const cmd *const commands[] = {
    &cmd_try, &fake_plan_recall, &fake_plan_power, &cmd_help, &cmd_manual, &cmd_completion,
    &cmd_version, NULL
};

/* -------------------------------------------------- what a line gives -- */

typedef struct outcome {
    int status;
    char out[16384], err[2048];
} outcome;

static void take(const char *path, char *into, size_t size)
{
    FILE *from = fopen(path, "rb");

    assert_non_null(from);
    into[fread(into, 1, size - 1, from)] = '\0';
    (void)fclose(from);
    assert_int_equal(unlink(path), 0);
}

/* Runs "intervale LINE" with both streams redirected into the outcome. */
static void run_line(outcome *o, const char *line)
{
    char text[256];
    char *argv[32] = { text };
    const int argc = 1 + split_words(text, sizeof text, argv + 1, 31, line);
    char out[] = "/tmp/intervale-out-XXXXXX", err[] = "/tmp/intervale-err-XXXXXX";

    assert_int_equal(close(mkstemp(out)), 0);
    assert_int_equal(close(mkstemp(err)), 0);
    o->status = run_argv(commands, argc, argv, out, err);
    take(out, o->out, sizeof o->out);
    take(err, o->err, sizeof o->err);
}

static void assert_line(const char *line, int status, const char *out, const char *err)
{
    outcome o;

    run_line(&o, line);
    assert_string_equal(o.err, err);
    assert_string_equal(o.out, out);
    assert_int_equal(o.status, status);
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no '%s' in:\n%s", part, text);
}

/* -------------------------------------------------------------- claims -- */

static void a_result_is_rendered_and_written(void **state)
{
    (void)state;
    assert_line("try a --confidence 0.9 --table main", 0,
                "name     x\na     0.90\n\nnote: a note\n", "");
    assert_line("try a --format tsv", 0, "name\tx\na\t0.95\n",
                "intervale try: note: a note\n");
    assert_line("try a --format tsv --quiet", 0, "name\tx\na\t0.95\n", "");
    assert_line("try a --format=csv --table other --quiet", 0, "name,x\no,\n", "");
    assert_line("try -l2 --format trec a", 0, "map all 2\n", "intervale try: note: a note\n");
}

static void json_records_the_words_that_matter(void **state)
{
    (void)state;
    outcome o, again;

    run_line(&o, "try --threads 2 -mx a --seed 5 --format json -o - b --threads=2");
    assert_int_equal(o.status, 0);
    assert_has(o.out, "\"command\": \"try\"");
    assert_has(o.out, "\"arguments\": [\"-mx\", \"a\", \"--seed\", \"5\", \"--format\", "
                      "\"json\", \"b\"]");
    assert_has(o.out, "\"seed\": 5");
    run_line(&again, "try -mx a --seed 5 --format json b");
    assert_string_equal(o.out, again.out);
}

static void errors_are_one_line_and_a_status(void **state)
{
    (void)state;
    assert_line("try --fail parse a", 1, "", "f\\x1b.txt:3: 5 fields, expected 4\n");
    assert_line("try --fail data a", 1, "", "intervale try: no shared topic\n");
    assert_line("try --fail usage a", 2, "",
                "intervale try: unknown fruit 'mapp'; did you mean 'map'?\n");
    assert_line("try --fail late a --format tsv --quiet", 1, "name\tx\na\t0.95\n", "");
    assert_line("try --fail open-row a", 1, "",
                "intervale try: table 't': the last row has 1 cells of 2\n");
    assert_line("try --bogus", 2, "",
                "intervale try: unknown option '--bogus'; see 'intervale help try'\n");
    assert_line("try a --format spreadsheet", 2, "",
                "intervale try: option '--format': unknown FORMAT 'spreadsheet'; expected text, "
                "tsv, csv, json, jsonl, markdown, latex, github, junit, html, vega, svg or trec; see "
                "'intervale help try'\n");
    assert_line("try a --table othr", 2, "",
                "intervale try: option '--table': unknown TABLE 'othr'; expected main or other; "
                "did you mean 'other'?\n");
    assert_line("try", 2, "", "intervale try: too few operands; usage: intervale try "
                              "[OPTIONS] FILE...; see 'intervale help try'\n");
    assert_line("try a b c d", 2, "",
                "intervale try: unexpected operand 'd'; see 'intervale help try'\n");
}

static void an_option_a_command_cannot_heed_is_refused(void **state)
{
    (void)state;
    assert_line("version --seed 3", 2, "",
                "intervale version: unknown option '--seed'; see 'intervale help version'\n");
    assert_line("plan recall -o x", 2, "", "intervale plan recall: unknown option '-o'; see "
                                           "'intervale help plan recall'\n");
}

static void commands_may_have_two_words(void **state)
{
    (void)state;
    outcome o;

    assert_line("plan power", 0, "plan power\n", "");
    assert_line("plan powr", 2, "",
                "intervale: unknown command 'plan powr'; there is plan recall, plan power; did "
                "you mean 'plan power'?\n");
    run_line(&o, "plan");
    assert_int_equal(o.status, 2);
    assert_string_equal(o.out, "");
    assert_has(o.err, "usage: intervale plan COMMAND");
    assert_has(o.err, "  plan recall     plan a recall\n");
    assert_null(strstr(o.err, "Trials"));
    run_line(&o, "plan --help");
    assert_int_equal(o.status, 0);
    assert_has(o.out, "  plan power      plan a power\n");
    run_line(&o, "help plan power");
    assert_int_equal(o.status, 0);
    assert_has(o.out, "  intervale plan power [OPTIONS]\n");
}

static void an_unknown_command_suggests_the_nearest(void **state)
{
    (void)state;
    assert_line("tyr", 2, "", "intervale: unknown command 'tyr'; did you mean 'try'?\n");
    assert_line("pla", 2, "", "intervale: unknown command 'pla'; did you mean 'plan'?\n");
    assert_line("frobnicate x", 2, "",
                "intervale: unknown command 'frobnicate'; see 'intervale help'\n");
    assert_line("help tri", 2, "",
                "intervale help: unknown command 'tri'; did you mean 'try'?\n");
    assert_line("--frob", 2, "", "intervale: unknown command '--frob'; see 'intervale help'\n");
    /* These commands have none; nor has a build without what a server needs. */
    assert_line("web --open", 2, "", "intervale: unknown command 'web': this build was made without "
                "SQLite, libevent or Jansson, which the server needs; any other file server serves "
                "the site (doc/browser.md); see 'intervale help'\n");
    assert_line("judge new x", 2, "", "intervale: unknown command 'judge': this build was made "
                "without SQLite, libevent or Jansson, which it needs; see 'intervale help'\n");
}

static void help_goes_to_standard_output(void **state)
{
    (void)state;
    outcome o, other;

    run_line(&o, "--help");
    assert_int_equal(o.status, 0);
    assert_has(o.out, "\nTrials:\n  try             try the frame\n");
    run_line(&other, "help");
    assert_string_equal(o.out, other.out);
    run_line(&o, "");
    assert_int_equal(o.status, 2);
    assert_string_equal(o.err, other.out);
    run_line(&o, "--version");
    assert_has(o.out, "intervale ");
}

static void the_help_of_a_command_says_all_of_it(void **state)
{
    (void)state;
    assert_line("try --help-all", 0,
        "usage: intervale try [OPTIONS] FILE...\n"
        "\n"
        "First paragraph, long enough that it has to be broken into two lines of text.\n"
        "\n"
        "  verbatim  text\n"
        "  .more\n"
        "\n"
        "'Last' paragraph.\n"
        "\n"
        "Options:\n"
        "      --fail HOW          go wrong in this way\n"
        "\n"
        "Of trec_eval:\n"
        "  -l, --level L           least [grade] that's: relevant (default: 1)\n"
        "  -m NAME                 measure; may be given many times\n"
        "\n"
        "Shared options:\n"
        "      --confidence P      confidence of intervals; 95 and 95% mean 0.95\n"
        "                          (default: 0.95)\n"
        "      --seed N            seed of every random draw; the same seed gives the\n"
        "                          same output (default: 1)\n"
        "      --threads N         number of threads. Default: all processors; the\n"
        "                          output does not depend on it\n"
        "      --max-input BYTES   size of the largest file to read, after unpacking.\n"
        "                          Default: what memory holds\n"
        "      --format FORMAT     output format: text, tsv, csv, json, jsonl, markdown,\n"
        "                          latex, github, junit, html, vega, svg or trec\n"
        "                          (default: text)\n"
        "      --table TABLE       write only the table TABLE. tsv and csv hold one\n"
        "                          table, by default the first. Values: main or other\n"
        "  -o, --output FILE       write the output to FILE. It is written completely or\n"
        "                          not at all; - is standard output. Its ending decides\n"
        "                          the format, unless it is one file and --format is\n"
        "                          given: .txt .tsv .csv .json .jsonl .md .tex .html\n"
        "                          .svg .xml (junit); may be given many times\n"
        "      --force             overwrite a file that intervale did not write\n"
        "      --title TEXT        title of the report\n"
        "      --matter TEXT       subject of the report\n"
        "      --author TEXT       author of the report\n"
        "      --date TEXT         date of the trial\n"
        "      --quiet             show no notes and no progress. Warnings in json and\n"
        "                          html stay\n"
        "      --verbose           show all notes and columns. By default text and\n"
        "                          markdown show at most three notes, warnings first\n"
        "      --cite              print references with BibTeX after the answer\n"
        "      --help              print a short help\n"
        "      --help-all          print the whole help\n"
        "\n"
        "Examples:\n"
        "  intervale try a\n"
        "      Tries a.\n", "");
}

static void an_output_file_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    char name[] = "/tmp/intervale-test-XXXXXX", line[128], text[64] = "";
    const int fd = mkstemp(name);

    assert_true(fd >= 0);
    (void)close(fd);
    (void)unlink(name);
    (void)snprintf(line, sizeof line, "try a --fail data -o %s", name);
    assert_line(line, 1, "", "intervale try: no shared topic\n");
    assert_int_equal(access(name, F_OK), -1);
    (void)snprintf(line, sizeof line, "try a --quiet --format tsv -o%s", name);
    assert_line(line, 0, "", "");
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    (void)fclose(f);
    assert_string_equal(text, "name\tx\na\t0.95\n");
    (void)unlink(name);
    assert_line("try a -o /no/such/folder/x", 1, "", "intervale try: /no/such/folder/x: "
                "cannot write: No such file or directory\n");
}

static void a_full_disk_is_one_line(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_line("try a -o /dev/full", 1, "",
                "intervale try: /dev/full: cannot write: No space left on device\n");
}

static void a_manual_page_is_made_of_the_same_tables(void **state)
{
    (void)state;
    outcome o;

    run_line(&o, "manual try");
    assert_int_equal(o.status, 0);
    assert_has(o.out, ".TH INTERVALE-TRY 1 ");
    assert_has(o.out, "\nintervale\\-try \\- try the frame\n");
    assert_has(o.out, "\n.nf\n  verbatim  text\n  .more\n.fi\n");
    assert_has(o.out, "\n\\(aqLast\\(aq paragraph.\n");
    assert_has(o.out, "\n.SS Of trec_eval\n.TP\n\\fB\\-l\\fR, \\fB\\-\\-level\\fR \\fIL\\fR\n"
                      "least [grade] that\\(aqs: relevant (default: 1)\n");
    assert_has(o.out, "\nAlso when told to.\n");
    assert_has(o.out, "\n.SH EXAMPLES\nTries a.\n");
    run_line(&o, "manual plan recall");
    run_line(&o, "manual");
    assert_has(o.out, ".TH INTERVALE 1 ");
    assert_has(o.out, "\n.TP\n.B plan recall\nplan a recall\n");
    assert_has(o.out, "\n.BR intervale\\-plan\\-recall (1),\n");
}

static void the_shells_learn_every_option(void **state)
{
    (void)state;
    outcome o;

    assert_line("completion words -- tr", 0, "try\ttry the frame\n", "");
    assert_line("completion words -- p", 0, "plan\ta family of commands\n", "");
    assert_line("completion words -- --v", 0, "--version\t\n", "");
    assert_line("completion words -- plan po", 0, "power\tplan a power\n", "");
    assert_line("completion words -- try --ci", 0,
                "--cite\tprint references with BibTeX after the answer\n", "");
    assert_line("completion words -- try --le", 0,
                "--level\tleast [grade] that's: relevant\n", "");
    assert_line("completion words -- try -l", 0, "-l\tleast [grade] that's: relevant\n", "");
    assert_line("completion words -- try a --format t", 0, "text\t\ntsv\t\ntrec\t\n", "");
    assert_line("completion words -- try --format=te", 0, "--format=text\t\n", "");
    assert_line("completion words -- try --format = te", 0, "text\t\n", "");
    assert_line("completion words -- try -o te", 0, "", "");
    assert_line("completion words -- try te", 0, "", "");
    assert_line("completion words -- help comp", 0,
                "completion\tprint a completion script for bash, zsh or fish\n", "");
    assert_line("completion words -- completion b", 0, "bash\t\n", "");
    assert_line("completion words -- no such", 0, "", "");
    run_line(&o, "completion words");
    assert_has(o.out, "\nhelp\texplain a command, or list all commands\n");
    run_line(&o, "completion fish");
    assert_has(o.out, "complete -c intervale");
    assert_line("completion bash zsh", 2, "", "intervale completion: unexpected operand 'zsh'; "
                "see 'intervale help completion'\n");
    assert_line("completion csh", 2, "",
                "intervale completion: unknown shell 'csh'; expected bash, zsh or fish; see 'intervale help completion'\n");
}

static void what_has_become_a_command_is_still_understood(void **state)
{
    (void)state;
    static const cmd compare = { .name = "compare" }, incomplete = { .name = "incomplete" };
    const cmd *const before[] = { &compare, NULL }, *const now[] = { &compare, &incomplete, NULL };
    char a[] = "qrels", flag[] = "--incomplete", b[] = "run", end[] = "--";
    char *words[] = { a, flag, b, NULL }, *operands[] = { a, end, flag, NULL };
    size_t count = 3;

    assert_ptr_equal(lookup_moved(before, &compare, words, &count), &compare);
    assert_int_equal(count, 3);
    assert_ptr_equal(lookup_moved(now, &compare, words, &count), &incomplete);
    assert_int_equal(count, 2);
    assert_string_equal(words[1], "run");
    assert_null(words[2]);
    assert_ptr_equal(lookup_moved(now, &compare, words, &count), &compare);
    count = 3;
    assert_ptr_equal(lookup_moved(now, &compare, operands, &count), &compare);
    assert_ptr_equal(lookup_moved(now, &incomplete, operands, &count), &incomplete);
}

static void progress_is_silent_where_nobody_watches_and_stops_after_a_signal(void **state)
{
    (void)state;
    progress p;
    const iv_progress told = progress_start(&p, "try", true);

    assert_int_equal(told.report(told.user, 0.5), 0);
    assert_int_equal(p.columns, 0);
    progress_stop(15);
    assert_int_equal(progress_stopped(), 15);
    assert_int_not_equal(told.report(told.user, 0.6), 0);
    progress_stop(0);
    progress_end(&p);
}

int frame_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_is_rendered_and_written),
        cmocka_unit_test(json_records_the_words_that_matter),
        cmocka_unit_test(errors_are_one_line_and_a_status),
        cmocka_unit_test(an_option_a_command_cannot_heed_is_refused),
        cmocka_unit_test(commands_may_have_two_words),
        cmocka_unit_test(an_unknown_command_suggests_the_nearest),
        cmocka_unit_test(help_goes_to_standard_output),
        cmocka_unit_test(the_help_of_a_command_says_all_of_it),
        cmocka_unit_test(an_output_file_appears_whole_or_not_at_all),
        cmocka_unit_test(a_full_disk_is_one_line),
        cmocka_unit_test(a_manual_page_is_made_of_the_same_tables),
        cmocka_unit_test(the_shells_learn_every_option),
        cmocka_unit_test(what_has_become_a_command_is_still_understood),
        cmocka_unit_test(progress_is_silent_where_nobody_watches_and_stops_after_a_signal),
    };
    return cmocka_run_group_tests_name("frame", tests, NULL, NULL);
}

int main(void)
{
    const int options = options_tests();
    const int frame = frame_tests();

    return options + frame != 0;
}
