/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about eval and measures as commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli_tests.h"
#include "trec/score_table.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"

static const cmd *const commands[] = { &cmd_eval, &cmd_measures, NULL };

static const char qrels[] = "1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 2\n3 0 c 1\n";
static const char good[] = "1 Q0 a 1 9 good\n1 Q0 b 2 8 good\n2 Q0 b 1 9 good\n"
                           "3 Q0 c 1 9 good\n";
static const char poor[] = "1 Q0 b 1 9 poor\n1 Q0 a 2 8 poor\n2 Q0 q 1 9 poor\n"
                           "2 Q0 b 2 9 poor\n";

typedef struct place {
    scratch dir;
    int status;
    char *out, *err; /* what the last command wrote */
} place;

static void put_file(const place *p, const char *name, const char *text)
{
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, &p->dir, name), "wb");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static int begin(void **state)
{
    place *p = calloc(1, sizeof *p);

    assert_non_null(p);
    assert_true(scratch_make(&p->dir));
    put_file(p, "qrels", qrels);
    put_file(p, "good", good);
    put_file(p, "poor", poor);
    *state = p;
    return 0;
}

static int end(void **state)
{
    place *p = *state;

    scratch_remove(p->dir.path);
    free(p->out);
    free(p->err);
    free(p);
    return 0;
}

/* Runs a line in which @ stands for the directory; what it writes is kept. */
static void command(place *p, const char *line)
{
    size_t len;

    p->status = run_tool_in(commands, p->dir.path, strchr(line, ' '));
    free(p->out);
    free(p->err);
    p->out = scratch_bytes(&p->dir, "out", &len);
    p->err = scratch_bytes(&p->dir, "err", &len);
}

static void contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void tsv_has_the_columns_that_programs_expect(void **state)
{
    place *p = *state;

    command(p, "intervale eval -m AP --ci none --format tsv @/qrels @/good");
    assert_int_equal(p->status, 0);
    assert_string_equal(p->out, "run\tmeasure\ttopic\ttopics\tvalue\tse\tlower\tupper\t"
                                "missing\tcanonical\ngood\tAP\tall\t3\t1\t0\t\t\t0\tAP\n");
    command(p, "intervale eval -q -m AP --ci t --bounds --ties --format tsv @/qrels @/poor");
    assert_int_equal(p->status, 0);
    contains(p->out, "missing\tbound_lower\tbound_upper\ttie_lower\ttie_expected\t"
                     "tie_upper\tcanonical\n");
    /* Topic 2: q is unjudged and ties with b. */
    contains(p->out, "poor\tAP\t1\t1\t0.5\t\t\t\t0\t0.5\t0.5\t0.5\t0.5\t0.5\tAP\n");
    contains(p->out, "poor\tAP\t2\t1\t0.5\t\t\t\t0\t0.5\t1\t0.5\t0.75\t1\tAP\n");
    contains(p->out, "poor\tAP\tall\t2\t0.5\t0\t\t\t1\t0.5\t0.75\t0.5\t0.625\t0.75\tAP\n");
}

static void a_program_gets_the_bytes_of_the_tool(void **state)
{
    static const iv_format formats[] = { IV_FORMAT_TEXT, IV_FORMAT_TSV, IV_FORMAT_LATEX };
    place *p = *state;
    char judged[SCRATCH_PATH], own[SCRATCH_PATH], path[2][SCRATCH_PATH], line[128];
    const char *const runs[] = { scratch_at(path[0], &p->dir, "poor"),
                                 scratch_at(path[1], &p->dir, "good") };
    const iv_eval_question question = {
        .source = { .judgments = scratch_at(judged, &p->dir, "qrels"), .runs = { runs, 2 } } };

    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        const iv_report_options shown = { .format = formats[f], .verbose = true };
        iv_result *result = NULL;
        size_t len = 0;
        assert_int_equal(iv_result_new(&result, "eval", NULL), IV_OK);
        assert_int_equal(iv_answer_eval(result, &question, NULL, NULL), IV_OK);
        FILE *out = fopen(scratch_at(own, &p->dir, "own"), "wb");
        assert_non_null(out);
        assert_int_equal(iv_report_write(out, result, &shown, NULL), IV_OK);
        assert_int_equal(fclose(out), 0);
        iv_result_free(result);
        char *text = scratch_bytes(&p->dir, "own", &len);
        (void)snprintf(line, sizeof line, "intervale eval --format %s @/qrels @/poor @/good",
                       iv_format_names()[formats[f]]);
        command(p, line);
        assert_int_equal(p->status, 0);
        assert_string_equal(text, p->out);
        free(text);
    }
}

static void runs_come_by_the_first_measure_and_are_named_by_tag_or_file(void **state)
{
    place *p = *state;

    command(p, "intervale eval -m AP --ci none --quiet --format tsv @/qrels @/poor @/good");
    assert_true(strstr(p->out, "good") < strstr(p->out, "poor"));
    put_file(p, "good2", good);
    command(p, "intervale eval -m AP --quiet --format tsv @/qrels @/poor @/good @/good2");
    contains(p->out, "\ngood\t");
    contains(p->out, "\ngood2\t");
    command(p, "intervale eval -m AP --quiet --format tsv @/qrels @/good @/good");
    contains(p->out, "/good\t");
    contains(p->out, "/good#2\t");
}

static void missing_topics_are_told(void **state)
{
    place *p = *state;

    command(p, "intervale eval -m AP --format tsv @/qrels @/poor");
    contains(p->err, "returned nothing for 1 of 3 judged topics; its mean excludes them. Use -c");
    command(p, "intervale eval -c -m AP --ci none --format tsv @/qrels @/poor");
    contains(p->out, "poor\tAP\tall\t3\t0.333333333333333");
    command(p, "intervale eval -qc -m map --format trec --compat 10 --quiet @/qrels @/poor");
    contains(p->out, "map                   \t3\t0.0000\n");
    command(p, "intervale eval -qc -m map --format trec --quiet @/qrels @/poor");
    assert_null(strstr(p->out, "\t3\t0.0000\n"));
}

static void bad_input_is_one_line_and_status_1(void **state)
{
    static const char *const lines[] = {
        "intervale eval @/qrels @/nowhere", "intervale eval @/qrels @/stranger",
        "intervale eval -m ERR @/none @/good",
        "intervale eval @/qrels @/broken",
        "intervale eval -m AP --write-matrix @/no/where @/qrels @/good",
    };
    place *p = *state;

    put_file(p, "stranger", "77 Q0 a 1 9 t\n");
    put_file(p, "none", "1 0 a 0\n");
    put_file(p, "broken", "1 Q0 a 1 9 t\n1 Q0 b 2 x t\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        command(p, lines[i]);
        assert_int_equal(p->status, 1);
        assert_string_equal(p->out, "");
        const char *eol = strchr(p->err, '\n');
        assert_true(eol != NULL && eol[1] == '\0');
    }
    command(p, "intervale eval @/qrels @/broken");
    contains(p->err, "/broken:2: ");
}

static void usage_errors_have_status_2_and_suggest(void **state)
{
    static const char *const lines[][2] = {
        { "intervale eval -m mapp @/qrels @/good", "map" },
        { "intervale eval --ci logitt @/qrels @/good", "logit" },
        { "intervale eval -n @/qrels @/good", "--per-topic" },
        { "intervale eval --format trec --bounds @/qrels @/good", "--bounds" },
        { "intervale eval - -", "standard input" },
        { "intervale eval -J -M 5 --ties @/qrels @/good", "ties" },
        { "intervale measures nDGC", "nDCG" },
    };
    place *p = *state;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        command(p, lines[i][0]);
        assert_int_equal(p->status, 2);
        contains(p->err, lines[i][1]);
    }
}

static void the_matrix_holds_the_first_measure(void **state)
{
    place *p = *state;
    char path[SCRATCH_PATH];
    iv_score_table *m = NULL;
    double x[6];

    command(p, "intervale eval -m AP -m RR --quiet --write-matrix @/m.csv @/qrels @/poor "
               "@/good");
    assert_int_equal(p->status, 0);
    const char *const files[] = { scratch_at(path, &p->dir, "m.csv") };
    assert_int_equal(iv_score_table_load(&m, &(iv_score_source){ .files = { files, 1 } }, NULL, NULL),
                     IV_OK);
    assert_int_equal(m->system_count, 2);
    assert_int_equal(m->item_count, 3);
    assert_string_equal(m->systems[0], "good");
    assert_int_equal(iv_score_values(x, m, 0), 1);
    assert_near(x[3], 0.5, 0.0);
    assert_true(isnan(x[5]));
    iv_score_table_free(m);
}

static void the_output_does_not_depend_on_threads(void **state)
{
    place *p = *state;

    command(p, "intervale eval --threads 1 -q --format json -o @/1.json @/qrels @/good "
               "@/poor");
    assert_int_equal(p->status, 0);
    command(p, "intervale eval --threads 3 -q --format json -o @/3.json @/qrels @/good "
               "@/poor");
    scratch_assert_same(&p->dir, "1.json", "3.json");
    size_t len;
    char *json = scratch_bytes(&p->dir, "1.json", &len);
    contains(json, "\"inputs\"");
    contains(json, "/poor");
    assert_null(strstr(json, "nan"));
    free(json);
}

static void notes_name_what_is_odd(void **state)
{
    place *p = *state;

    command(p, "intervale eval --verbose -m AP -m relstring -m num_ret -m dcg --ci logit @/qrels "
               "@/good");
    assert_int_equal(p->status, 0);
    contains(p->out, "all values are equal, so their variance cannot be estimated");
    contains(p->out, "t is used for dcg");
    contains(p->out, "only in trec_eval's format, because it is not a number: relstring");
    command(p, "intervale eval --verbose -m AP @/qrels @/poor"); /* .5 both */
    contains(p->out, "No interval for AP of poor: all values are equal");
    contains(p->out, "have tied scores");
    contains(p->out, "are unjudged");
    command(p, "intervale eval --verbose -m bpref --bounds --ties @/qrels @/poor");
    contains(p->out, "No bounds are known for bpref");
    contains(p->out, "The effect of ties is not known for bpref");
    command(p, "intervale eval --verbose -m INST -m P.2 -m Compat --bounds @/qrels @/poor");
    contains(p->out, "No bounds for INST: a higher gain can lower the value");
}

static void measures_are_listed_and_explained(void **state)
{
    place *p = *state;

    command(p, "intervale measures");
    contains(p->out, "ndcg_cut");
    contains(p->out, "all_trec");
    command(p, "intervale measures ndcg_cut_10 official");
    contains(p->out, "log2(i + 1)");
    contains(p->out, "iprec_at_recall_0.00");
    command(p, "intervale measures AP --format tsv");
    contains(p->out, "map\tAP\taverage precision\t0 to 1\tmean\t");
}

/* What would reverse the answer stands in its first line. */
static void the_first_line_says_what_the_mean_is_of(void **state)
{
    place *p = *state;

    command(p, "intervale eval -m AP @/qrels @/poor");
    contains(p->out, "poor: AP 0.500 over 2 of 3 topics.\n");
    contains(p->out, "warning: poor returned nothing for 1 of 3 judged topics");
    command(p, "intervale eval -c -m AP @/qrels @/poor");
    contains(p->out, "over 3 topics.\n");
    assert_null(strstr(p->out, "warning: poor returned"));
    /* Ids that lost a prefix: no document is judged, and there is no interval. */
    put_file(p, "renamed", "1 Q0 xa 1 9 r\n1 Q0 xb 2 8 r\n2 Q0 xb 1 9 r\n3 Q0 xc 1 9 r\n");
    command(p, "intervale eval -m AP @/qrels @/renamed");
    contains(p->out, "No score: none of the documents of r is judged. Do the document ids match");
    assert_null(strstr(p->out, "Wilson"));
    command(p, "intervale eval -m AP @/qrels @/renamed @/good");
    contains(p->out, "warning: None of the documents of r is judged");
    /* Scores in the place of ranks. */
    put_file(p, "three", "1 a 14\n1 b 9\n2 b 12\n3 c 11\n");
    command(p, "intervale eval -m recip_rank @/qrels @/three");
    contains(p->out, "read as topic, document and rank, but no topic has a rank 1");
    put_file(p, "ranks", "1 a 1\n1 b 2\n2 b 1\n3 c 1\n");
    command(p, "intervale eval -m recip_rank @/qrels @/ranks");
    assert_null(strstr(p->out, "no topic has a rank 1"));
}

static void documents_that_are_not_judged_are_told_as_they_count(void **state)
{
    place *p = *state;

    command(p, "intervale eval -J -m AP @/qrels @/poor");
    contains(p->out, "are unjudged and were removed before scoring (-J)");
    put_file(p, "web", "1 0 a 1\n1 0 b -2\n2 0 b 1\n3 0 c 1\n");
    command(p, "intervale eval -m AP @/web @/good");
    contains(p->out, "1 judgment has a negative grade and counts as unjudged, as in trec_eval");
}

#define CLAIM(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLAIM(tsv_has_the_columns_that_programs_expect),
        CLAIM(a_program_gets_the_bytes_of_the_tool),
        CLAIM(runs_come_by_the_first_measure_and_are_named_by_tag_or_file),
        CLAIM(missing_topics_are_told),
        CLAIM(the_first_line_says_what_the_mean_is_of),
        CLAIM(documents_that_are_not_judged_are_told_as_they_count),
        CLAIM(bad_input_is_one_line_and_status_1),
        CLAIM(usage_errors_have_status_2_and_suggest),
        CLAIM(the_matrix_holds_the_first_measure),
        CLAIM(the_output_does_not_depend_on_threads),
        CLAIM(notes_name_what_is_odd),
        CLAIM(measures_are_listed_and_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
