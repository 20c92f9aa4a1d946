/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about sample, eval and compare on its files and plan sample. */
#include "sample_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_tests.h"
#include "drawn.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"
#include "trec/judgments.h"

enum { TOPICS = 4, RUNS = 3, POPULATION = 400 };

static const cmd *const commands[] = { &cmd_sample, &cmd_eval, &cmd_compare,
                                       &cmd_plan_sample, NULL };

typedef struct place {
    scratch dir;
    int status;
    char *out, *err;
} place;

static FILE *open_file(const place *p, const char *name, const char *mode)
{
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, &p->dir, name), mode);

    assert_non_null(f);
    return f;
}

static void put_file(const place *p, const char *name, const char *text)
{
    FILE *f = open_file(p, name, "wb");

    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A number in [0, 1) that looks random. */
static double noise(unsigned a, unsigned b, unsigned c)
{
    uint64_t h = (uint64_t)a << 40 | (uint64_t)b << 20 | c;

    for (int k = 0; k < 3; k++)
        h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9) + 0x9e37;
    return (double)(h >> 11) / 9007199254740992.0;
}

/* A sixth of the documents are relevant, half of these highly. */
static int grade_of(unsigned topic, unsigned document)
{
    const double x = noise(99, topic, document);

    return x > 1.0 / 6.0 ? 0 : x > 1.0 / 12.0 ? 1 : 2;
}

/* All documents, relevant ones rather first, in some runs more than in others. */
static void put_run(const place *p, unsigned run)
{
    char name[16];
    (void)snprintf(name, sizeof name, "run%u", run);
    FILE *f = open_file(p, name, "wb");

    for (unsigned t = 0; t < TOPICS; t++)
        for (unsigned d = 0; d < POPULATION; d++)
            (void)fprintf(f, "%u Q0 d%u-%u 1 %.9f run%u\n", t + 1, t, d,
                          grade_of(t, d) * 0.2 * (3.0 - run) + noise(run, t, d)
                              + noise(55, t, d), run);
    assert_int_equal(fclose(f), 0);
}

static int begin(void **state)
{
    place *p = calloc(1, sizeof *p);

    assert_non_null(p);
    assert_true(scratch_make(&p->dir));
    for (unsigned r = 0; r < RUNS; r++)
        put_run(p, r);
    FILE *f = open_file(p, "qrels", "wb");
    for (unsigned t = 0; t < TOPICS; t++)
        for (unsigned d = 0; d < POPULATION; d++)
            (void)fprintf(f, "%u 0 d%u-%u %d\n", t + 1, t, d, grade_of(t, d));
    assert_int_equal(fclose(f), 0);
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

static void good(place *p, const char *line)
{
    command(p, line);
    if (p->status != 0)
        fail_msg("%s", p->err);
}

static void contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, text);
}

/*
 * Fills in a file: every -1 becomes the grade.  Of line `odd` (0: none) among
 * those that are no comments, the text becomes `line`.
 */
static void fill_in(const place *p, const char *from, const char *to, size_t odd,
                    const char *line)
{
    size_t len, n = 0;
    char *text = scratch_bytes(&p->dir, from, &len), *rest = text;
    FILE *f = open_file(p, to, "wb");

    for (char *at; (at = strtok_r(rest, "\n", &rest)) != NULL;) {
        unsigned topic, set, document;
        int grade, method;
        char pi[64];
        if (at[0] == '#') {
            (void)fprintf(f, "%s\n", at);
            continue;
        }
        assert_int_equal(sscanf(at, "%u d%u-%u %d %d %63s", &topic, &set, &document, &grade,
                                &method, pi), 6);
        if (++n == odd)
            (void)fprintf(f, "%s", line);
        else
            (void)fprintf(f, "%u d%u-%u %d %d %s\n", topic, set, document,
                          grade >= 0 ? grade : grade_of(set, document), method, pi);
    }
    assert_int_equal(fclose(f), 0);
    free(text);
}

static size_t count_lines(const char *text, char first)
{
    size_t n = 0;

    for (const char *at = text; *at != '\0'; at = strchr(at, '\n') + 1)
        n += first == '#' ? *at == '#' : *at != '#';
    return n;
}

/* The cell of a table in tsv: of the row that begins so, in that column. */
static double cell(const char *tsv, const char *row, const char *column)
{
    const char *head = tsv, *line = strstr(tsv, row);
    size_t skip = 0;

    assert_non_null(line);
    for (const char *at = strstr(tsv, column); head < at; head++)
        skip += *head == '\t';
    for (; skip > 0; skip--)
        line = strchr(line, '\t') + 1;
    return strtod(line, NULL);
}

/* ---------------------------------------------------------------- sample -- */

static void a_sample_is_the_same_for_any_order_and_threads(void **state)
{
    place *p = *state;
    char *first;

    good(p, "intervale sample --budget 20 --threads 1 --seed 5 --quiet @/run0 @/run1 @/run2");
    assert_int_equal(count_lines(p->out, ' '), 20 * TOPICS);
    first = strdup(strstr(p->out, "#: intervale-sample"));
    assert_non_null(first);
    good(p, "intervale sample --budget 20 --threads 3 --seed 5 --quiet @/run2 @/run0 @/run1");
    assert_string_equal(strstr(p->out, "#: intervale-sample"), first);
    good(p, "intervale sample --budget 20 --seed 6 --quiet @/run0 @/run1 @/run2");
    assert_string_not_equal(strstr(p->out, "#: intervale-sample"), first);
    free(first);
}

static void budgets_are_kept(void **state)
{
    place *p = *state;

    good(p, "intervale sample --total 90 --quiet @/run0 @/run1 @/run2");
    assert_int_equal(count_lines(p->out, ' '), 90);
    good(p, "intervale sample --total 91 --divide frame --quiet @/run0 @/run1 @/run2");
    assert_int_equal(count_lines(p->out, ' '), 91);
    good(p, "intervale sample --design uniform --budget 7 --quiet @/run0 @/run1");
    assert_int_equal(count_lines(p->out, ' '), 7 * TOPICS);
    good(p, "intervale sample --design stratified --budget 31 --quiet @/run0 @/run1");
    assert_int_equal(count_lines(p->out, ' '), 31 * TOPICS);
    good(p, "intervale sample --budget 100000 @/run0 @/run1");
    contains(p->err, "smaller than the budget");
    assert_null(strstr(p->out, " 1 0.")); /* all certain */
    good(p, "intervale sample --design pool --pool-depth 1 --quiet @/run0");
    assert_int_equal(count_lines(p->out, ' '), TOPICS);
    good(p, "intervale sample --pool-depth 5 --budget 10 --judged @/some --quiet @/run0");
}

/* With one draw, a document's probability is its weight over the sum of all. */
static void weights_of_a_file_decide_what_is_sampled(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "weights", "wb"), *half = open_file(p, "half", "wb");
    unsigned topic, set, document;
    int grade, method;
    size_t lines = 0;
    double pi;

    for (unsigned t = 0; t < TOPICS; t++)
        for (unsigned d = 0; d < POPULATION; d++) {
            (void)fprintf(f, "%u Q0 d%u-%u 1 %u w\n", t + 1, t, d, d + 1);
            (void)fprintf(half, "%u Q0 d%u-%u 1 %u w\n", t + 1, t, d, d % 2);
        }
    assert_int_equal(fclose(f), 0);
    assert_int_equal(fclose(half), 0);
    good(p, "intervale sample --depth 400 --budget 1 --weights @/weights --quiet @/run0 @/run1");
    for (const char *at = p->out; *at != '\0'; at = strchr(at, '\n') + 1) {
        if (*at == '#')
            continue;
        assert_int_equal(sscanf(at, "%u d%u-%u %d %d %lf", &topic, &set, &document, &grade,
                                &method, &pi), 6);
        assert_near(pi, (document + 1.0) / (POPULATION * (POPULATION + 1.0) / 2.0), 1e-9);
        lines++;
    }
    assert_int_equal(lines, TOPICS);
    command(p, "intervale sample --depth 400 --weights @/half @/run0");
    assert_int_equal(p->status, 1);
    contains(p->err, "has no weight; expected a number above 0 for each document of the frame");
    command(p, "intervale sample --design uniform --weights @/weights @/run0");
    assert_int_equal(p->status, 2);
}

static void fixed_documents_have_probability_1_and_grades_if_judged(void **state)
{
    place *p = *state;

    put_file(p, "some", "1 0 known 2\n1 0 listed -1\n");
    good(p, "intervale sample --pool-depth 2 --budget 5 --judged @/some --quiet @/run0 @/run1");
    contains(p->out, "\n1 known 2 0 1.0\n");
    assert_null(strstr(p->out, "listed"));
    contains(p->out, "#: fixed 1 ");
}

/* ------------------------------------------------------------------ eval -- */

static void a_completed_sample_is_evaluated(void **state)
{
    place *p = *state;

    good(p, "intervale sample --budget 60 --quiet -o @/judge @/run0 @/run1 @/run2");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval -m AP -m num_rel --format tsv @/done @/run0 @/run1 @/run2");
    contains(p->out, "run\tmeasure\ttopic\ttopics\tvalue\tse\tlower\tupper\tmissing\t"
             "se_judgments\tse_topics\t");
    const double se = cell(p->out, "run0\tAP\tall", "se");
    const double judgments = cell(p->out, "run0\tAP\tall", "se_judgments");
    const double topics = cell(p->out, "run0\tAP\tall", "se_topics");
    assert_true(judgments > 0.0 && judgments * judgments <= se * se + topics * topics);
    if (topics > 0.0)
        assert_near(se * se, judgments * judgments + topics * topics, 1e-12);
    good(p, "intervale eval -m AP --format tsv --estimator published @/done @/run0");
    contains(p->err, "biased upwards");
    const double literal = cell(p->out, "run0\tAP\tall", "value");
    good(p, "intervale eval -m AP --format tsv @/done @/run0");
    assert_true(literal > cell(p->out, "run0\tAP\tall", "value"));
}

static void a_difference_is_linearised_jointly(void **state)
{
    place *p = *state;

    good(p, "intervale sample --budget 60 --quiet -o @/judge @/run0 @/run1 @/run2");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval -m AP --format tsv --quiet @/done @/run0 @/run1");
    const double a = cell(p->out, "run0\tAP\tall", "se_judgments");
    const double b = cell(p->out, "run1\tAP\tall", "se_judgments");
    const double means = cell(p->out, "run0\tAP\tall", "value")
        - cell(p->out, "run1\tAP\tall", "value");
    good(p, "intervale compare --table sampling --format tsv --quiet @/done @/run0 @/run1");
    const double both = cell(p->out, "AP\trun0\trun1", "se_judgments");
    assert_near(cell(p->out, "AP\trun0\trun1", "difference"), means, 1e-13);
    /* Two runs on one sample: less than independent errors would give. */
    assert_true(both > 0.0 && both < sqrt(a * a + b * b));
    /* A run and its copy do not differ, and nothing is unsure about that. */
    good(p, "intervale compare --table sampling --format tsv --quiet @/done @/run0 @/run0");
    assert_true(cell(p->out, "AP\t", "difference") == 0.0);
    assert_true(cell(p->out, "AP\t", "se_judgments") == 0.0);
}

static void noise_that_was_not_seen_is_not_0(void **state)
{
    place *p = *state;

    put_file(p, "blank", "1 a 0 1 0.5\n1 b 0 1 0.5\n2 c 0 1 0.5\n3 e 0 1 0.5\n");
    put_file(p, "found", "1 a 1 1 0.5\n1 b 0 1 0.5\n2 c 0 1 0.5\n3 e 1 1 0.5\n");
    put_file(p, "short", "1 Q0 a 1 3 short\n1 Q0 b 2 2 short\n2 Q0 c 1 3 short\n"
                         "3 Q0 e 1 3 short\n");
    good(p, "intervale eval -m AP -m P_5 -m num_rel --format tsv @/blank @/short");
    /* AP divides by the number of relevant documents: where most topics show none, it has none. */
    assert_null(strstr(p->out, "short\tAP\tall"));
    good(p, "intervale eval -m AP @/blank @/short");
    contains(p->out, "No estimate of AP: 3 of 3 topics have no relevant document in the sample.");
    contains(p->out, "Use P@k, or judge more documents");
    good(p, "intervale eval -m AP -m P_5 -m num_rel --format tsv @/blank @/short");
    contains(p->out, "short\tP_5\tall\t3\t0\t0\t\t\t0\t\t\t\t0\t");
    contains(p->out, "short\tnum_rel\tall\t3\t0\t\t\t\t0\t\t\t\t0\t");
    /* One relevant document that ranks first: AP is 1 if it is drawn. */
    good(p, "intervale eval -m AP --ci t --format tsv @/found @/short");
    assert_near(cell(p->out, "short\tAP\tall", "lower"), 0.0, 0.0); /* 2/3 -+ 4.3 thirds */
    assert_near(cell(p->out, "short\tAP\tall", "upper"), 1.0, 0.0);
    contains(p->out, "\t0\t\t\t\t2\t");
    good(p, "intervale eval -m P_5 --format tsv @/found @/short");
    assert_near(cell(p->out, "short\tP_5\tall", "se_judgments"),
                sqrt(2.0 * 0.5 * 0.4 * 0.4) / 3.0, 1e-15);
}

/* A topic whose sample has no relevant document counts as 0, and the answer says how many do. */
static void topics_without_a_relevant_document_in_the_sample_are_counted(void **state)
{
    place *p = *state;

    put_file(p, "one_of_four", "1 a 1 1 0.5\n1 b 1 1 0.5\n2 c 1 1 0.5\n3 e 0 1 0.5\n4 f 1 1 0.5\n");
    put_file(p, "none", "1 a 1 1 0.5\n1 b 1 1 0.5\n2 c 1 1 0.5\n3 e 0 1 1\n4 f 1 1 0.5\n");
    put_file(p, "run", "1 Q0 a 1 3 run\n1 Q0 b 2 2 run\n2 Q0 c 1 3 run\n3 Q0 e 1 3 run\n"
                       "4 Q0 f 1 3 run\n");
    good(p, "intervale eval -m AP @/one_of_four @/run");
    contains(p->out, "1 of 4 topics has no relevant document in the sample and counts as 0");
    good(p, "intervale eval -m P_5 @/one_of_four @/run");
    assert_null(strstr(p->out, "no relevant document in the sample"));
    good(p, "intervale eval -m AP @/none @/run"); /* all of topic 3 was judged: 0 is its AP */
    assert_null(strstr(p->out, "no relevant document in the sample"));
}

/* Everything judged for certain: the digits of complete judgments. */
static void at_probability_1_the_digits_are_those_of_complete_judgments(void **state)
{
    place *p = *state;
    char *sampled;

    good(p, "intervale sample --budget 100000 --depth 1000 --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    FILE *f = open_file(p, "frame.qrels", "wb");
    size_t len;
    char *text = scratch_bytes(&p->dir, "done", &len), *rest = text;
    for (char *at; (at = strtok_r(rest, "\n", &rest)) != NULL;) {
        char topic[16], docno[32];
        int grade;
        if (at[0] != '#' && sscanf(at, "%15s %31s %d", topic, docno, &grade) == 3)
            (void)fprintf(f, "%s 0 %s %d\n", topic, docno, grade);
    }
    assert_int_equal(fclose(f), 0);
    free(text);
    good(p, "intervale eval -q --format trec --quiet -m map -m P -m recall -m Rprec -m ndcg "
            "-m ndcg_cut -m num_rel -m num_rel_ret -m num_ret @/done @/run0 @/run1");
    sampled = strdup(p->out);
    good(p, "intervale eval -q --format tsv --quiet -m map -m Rprec -m ndcg -m ndcg_cut_10 "
            "@/done @/run0");
    char *ours = strdup(p->out);
    good(p, "intervale eval -q --format tsv --quiet -m map -m Rprec -m ndcg -m ndcg_cut_10 "
            "@/frame.qrels @/run0");
    static const char *const rows[] = { "run0\tmap\t1\t", "run0\tmap\tall", "run0\tRprec\t2\t",
                                        "run0\tndcg\t3\t", "run0\tndcg_cut_10\tall" };
    for (size_t i = 0; i < 5; i++)
        assert_true(cell(ours, rows[i], "value") == cell(p->out, rows[i], "value"));
    /* trec_eval's order differs; its lines do not. */
    good(p, "intervale eval -q --format trec --quiet -m map -m P -m recall -m Rprec -m ndcg "
            "-m ndcg_cut -m num_rel -m num_rel_ret -m num_ret @/frame.qrels @/run0 @/run1");
    size_t lines = 0;
    rest = p->out;
    for (char *at; (at = strtok_r(rest, "\n", &rest)) != NULL; lines++)
        contains(sampled, at);
    assert_int_equal(lines, 2 * (TOPICS + 1) * (1 + 9 + 9 + 1 + 1 + 9 + 3));
    /* What cannot be estimated can then be computed, byte for byte. */
    good(p, "intervale eval -q -J --format trec --quiet -m all_trec @/done @/run0");
    free(sampled);
    sampled = strdup(p->out);
    good(p, "intervale eval -q -J --format trec --quiet -m all_trec @/frame.qrels @/run0");
    assert_string_equal(sampled, p->out);
    free(sampled);
    free(ours);
}

/* One more document that chance left out: the estimators' own arithmetic. */
static void certain_relevance_gives_complete_values_through_the_estimators(void **state)
{
    place *p = *state;
    char *exact;

    put_file(p, "all", "1 a 1 0 1.0\n1 b 0 0 1.0\n1 c 2 0 1.0\n1 d 1 0 1.0\n1 e 0 0 1.0\n");
    put_file(p, "more", "1 a 1 0 1.0\n1 b 0 0 1.0\n1 c 2 0 1.0\n1 d 1 0 1.0\n1 e 0 0 1.0\n"
             "1 q 0 1 0.5\n");
    put_file(p, "tiny", "1 Q0 b 1 9 t\n1 Q0 a 2 8 t\n1 Q0 x 3 7 t\n1 Q0 c 4 6 t\n");
    good(p, "intervale eval -q --format tsv -m map -m P_3 -m recall_3 -m Rprec -m ndcg "
            "-m ndcg_cut_2 -m map_cut_3 -m num_rel --quiet @/all @/tiny");
    exact = strdup(p->out);
    good(p, "intervale eval -q --format tsv -m map -m P_3 -m recall_3 -m Rprec -m ndcg "
            "-m ndcg_cut_2 -m map_cut_3 -m num_rel --quiet @/more @/tiny");
    static const char *const rows[] = { "t\tmap\t1", "t\tP_3\t1", "t\trecall_3\t1",
                                        "t\tRprec\t1", "t\tndcg\t1", "t\tndcg_cut_2\t1",
                                        "t\tmap_cut_3\t1", "t\tnum_rel\t1" };
    for (size_t i = 0; i < 8; i++) {
        assert_near(cell(p->out, rows[i], "value"), cell(exact, rows[i], "value"), 1e-14);
        assert_true(cell(exact, rows[i], "value") > 0.0);
    }
    free(exact);
}

static void recall_of_all_that_was_drawn_is_1_to_the_last_bit(void **state)
{
    place *p = *state;

    put_file(p, "drawn", "1 a 1 1 0.3\n1 b 1 1 0.7\n1 c 1 1 0.1\n1 d 1 1 0.9\n");
    put_file(p, "found", "1 Q0 d 1 9 t\n1 Q0 c 2 8 t\n1 Q0 a 3 7 t\n1 Q0 b 4 6 t\n");
    good(p, "intervale eval -q --format tsv -m recall_10 -m recall_3 --quiet @/drawn @/found");
    assert_true(cell(p->out, "t\trecall_10\t1", "value") == 1.0);
    assert_true(cell(p->out, "t\trecall_3\t1", "value") < 1.0);
    /* A run that returns the whole frame misses nothing, and no rounding is left to be an error. */
    good(p, "intervale sample --budget 20 --quiet -o @/judge @/run0");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval --format tsv -m recall_100 --quiet @/done @/run0");
    assert_true(cell(p->out, "run0\trecall_100\tall", "value") == 1.0);
    assert_true(cell(p->out, "run0\trecall_100\tall", "se") == 0.0);
}

/* A uniform or stratified sample of ours and the same as TREC writes it. */
static void our_strata_and_trecs_give_the_same(void **state)
{
    place *p = *state;
    char *ours;

    good(p, "intervale sample --design stratified --strata 5,20 --rates 1,0.5,0.3 "
            "--pool-depth 2 --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    FILE *f = open_file(p, "strata", "wb");
    size_t len;
    char *text = scratch_bytes(&p->dir, "done", &len), *rest = text;
    iv_judgments *j = NULL;
    assert_int_equal(iv_judgments_parse(&j, "j", text, len, IV_JUDGMENTS_ANY, NULL, NULL), IV_OK);
    for (char *at; (at = strtok_r(rest, "\n", &rest)) != NULL;) {
        char *words = NULL, *topic, *number = (char[]){ "0" };
        if (strncmp(at, "#: ", 3) != 0)
            continue;
        const char *keyword = strtok_r(at + 3, " ", &words);
        if (strcmp(keyword, "topic") == 0 || strcmp(keyword, "intervale-sample") == 0
            || strcmp(keyword, "ranks") == 0 || strcmp(keyword, "order") == 0)
            continue;
        topic = strtok_r(words, " ", &words);
        if (strcmp(keyword, "fixed") != 0)
            number = strtok_r(words, " ", &words);
        for (int skip = strcmp(keyword, "stratum") == 0 ? 2 : 0; skip > 0; skip--)
            (void)strtok_r(words, " ", &words);
        for (char *d; (d = strtok_r(words, " ", &words)) != NULL;) {
            const iv_judgment *found = iv_judgments_find(
                j, iv_judgments_find_topic(j, iv_str_of(topic)), iv_str_of(d));
            (void)fprintf(f, "%s 0 %s %s %d\n", topic, d, number,
                          found != NULL ? (int)found->grade : -1);
        }
    }
    assert_int_equal(fclose(f), 0);
    iv_judgments_free(j);
    free(text);
    good(p, "intervale eval -q --format trec --quiet --estimator corrected -m infAP -m infNDCG "
            "-m iP_10 -m AP -m P_20 -m nDCG @/done @/run0 @/run1");
    ours = strdup(p->out);
    good(p, "intervale eval -q --format trec --quiet --estimator corrected -m infAP -m infNDCG "
            "-m iP_10 -m AP -m P_20 -m nDCG @/strata @/run0 @/run1");
    assert_string_equal(p->out, ours);
    free(ours);
}

/* ------------------------------------------------------------- bad input -- */

static void changed_files_are_refused_with_their_line(void **state)
{
    static const struct {
        const char *line, *says;
    } cases[] = {
        { "1 d0-7 -1 1 PI\n", "is not judged, expected a grade" },
        { "", "is not judged, expected a grade" }, /* the line is gone */
        { "1 d0-7 0 1 0.123\n", "has another probability" },
        { "1 d0-7 0 1 1.5\n", "expected 0 < pi <= 1" },
        { "1 d0-7 0 1 0\n", "expected 0 < pi <= 1" },
        { "1 d0-7 0 1 1e-200\n", "expected 1e-100 or more: it weighs 1/pi" },
        { "1 KEEP 0 1 PI\n1 KEEP 0 1 PI\n", "expected one line per document" },
        { "1 KEEP 0 1 PI\n1 stranger 1 1 0.5\n", "was not sampled by the design" },
    };
    place *p = *state;

    good(p, "intervale sample --budget 10 --quiet -o @/judge @/run0 @/run1");
    size_t len;
    char *text = scratch_bytes(&p->dir, "judge", &len), docno[32], pi[64];
    assert_int_equal(sscanf(strstr(text, "\n1 ") + 1, "1 %31s -1 1 %63s", docno, pi), 2);
    free(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512] = "";
        for (const char *at = cases[i].line; *at != '\0';) {
            const char *word = strncmp(at, "KEEP", 4) == 0 || strncmp(at, "d0-7", 4) == 0
                ? docno : strncmp(at, "PI", 2) == 0 ? pi : NULL;
            char one[2] = { *at, '\0' };
            (void)strcat(line, word != NULL ? word : one);
            at += word == NULL ? 1 : *at == 'P' ? 2 : 4;
        }
        fill_in(p, "judge", "done", 1, line);
        command(p, "intervale eval @/done @/run0");
        assert_int_equal(p->status, 1);
        contains(p->err, cases[i].says);
        contains(p->err, "/done:");
        assert_string_equal(p->out, "");
        assert_true(strchr(p->err, '\n')[1] == '\0');
    }
}

/* The file without its nth line of the design; false when it has fewer. */
static bool lose_line(const place *p, const char *from, const char *to, size_t nth)
{
    size_t len, n = 0;
    char *text = scratch_bytes(&p->dir, from, &len);
    FILE *f = open_file(p, to, "wb");

    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = strchr(at, '\n') + 1;
        if (strncmp(at, "#:", 2) != 0 || ++n != nth)
            (void)fwrite(at, 1, (size_t)(next - at), f);
    }
    assert_int_equal(fclose(f), 0);
    free(text);
    return n >= nth;
}

static void a_lost_line_of_the_design_is_refused_or_changes_nothing(void **state)
{
    static const char *const designs[] = { "stevens", "uniform",
                                           "stratified --strata 5,20 --rates 1,0.5,0.3" };
    place *p = *state;

    for (size_t d = 0; d < sizeof designs / sizeof *designs; d++) {
        char line[256], eval[256];
        size_t refused = 0, n = 1;
        (void)snprintf(eval, sizeof eval, "intervale eval -m AP -m num_rel -m %s --ci none --format "
                       "tsv --quiet @/lost @/run0 @/run1", d == 0 ? "P_20" : "infAP");
        (void)snprintf(line, sizeof line, "intervale sample --design %s %s --pool-depth 1 --quiet "
                       "-o @/judge @/run0 @/run1", designs[d], d == 2 ? "" : "--budget 10");
        good(p, line);
        fill_in(p, "judge", "done", 0, NULL);
        assert_false(lose_line(p, "done", "lost", SIZE_MAX));
        good(p, eval);
        char *whole = strdup(p->out);
        for (; n < 60 && lose_line(p, "done", "lost", n); n++) {
            command(p, eval);
            if (p->status == 0) {
                assert_string_equal(p->out, whole);
                continue;
            }
            assert_int_equal(p->status, 1);
            contains(p->err, "/lost:");
            refused++;
        }
        assert_true(refused > n / 3);
        free(whole);
    }
}

static void unjudged_documents_are_refused_counted_or_dropped(void **state)
{
    place *p = *state;

    good(p, "intervale sample --budget 30 --quiet -o @/judge @/run0 @/run1");
    size_t len;
    char *text = scratch_bytes(&p->dir, "judge", &len), line[128];
    (void)snprintf(line, sizeof line, "%.*s\n",
                   (int)strcspn(strstr(text, "\n1 ") + 1, "\n"), strstr(text, "\n1 ") + 1);
    free(text);
    fill_in(p, "judge", "done", 1, line);
    command(p, "intervale eval @/done @/run0");
    assert_int_equal(p->status, 1);
    good(p, "intervale eval --unjudged nonrelevant -m num_rel -q --format tsv @/done @/run0");
    contains(p->err, "1 document of the sample was not judged and counted as not relevant");
    const double low = cell(p->out, "run0\tnum_rel\t1", "value");
    good(p, "intervale eval --unjudged drop -m num_rel -q --format tsv @/done @/run0");
    contains(p->err, "dropped");
    assert_true(cell(p->out, "run0\tnum_rel\t1", "value") >= low);
    command(p, "intervale compare @/done @/run0 @/run1");
    assert_int_equal(p->status, 1);
    good(p, "intervale compare --unjudged nonrelevant @/done @/run0 @/run1");
    contains(p->out, "1 document of the sample was not judged and counted as not relevant");
}

/* Every third document of a list filled in has grade -1, or no line at all. */
static void leave_out(const place *p, const char *from, const char *to, bool gone)
{
    size_t len, n = 0;
    char *text = scratch_bytes(&p->dir, from, &len), *rest = text, topic[16], docno[32], pi[64];
    FILE *f = open_file(p, to, "wb");

    for (char *at; (at = strtok_r(rest, "\n", &rest)) != NULL;) {
        const bool left_out = at[0] != '#' && n++ % 3 == 1;
        if (!left_out) {
            (void)fprintf(f, "%s\n", at);
        } else if (!gone) {
            assert_int_equal(sscanf(at, "%15s %31s %*d %*d %63s", topic, docno, pi), 3);
            (void)fprintf(f, "%s %s -1 1 %s\n", topic, docno, pi);
        }
    }
    assert_int_equal(fclose(f), 0);
    free(text);
}

static void a_line_that_is_gone_counts_as_grade_minus_1(void **state)
{
    static const char *const designs[] = {
        "--budget 30", "--design uniform --budget 30",
        "--design stratified --strata 20 --rates 0.6,0.3",
        "--design stratified --strata 5,20 --rates 1,0.5,0.3",
        "--pool-depth 3 --design uniform --budget 20", "--pool-depth 3 --budget 20" };
    static const char *const ways[] = { "nonrelevant", "drop" };
    static const char *const estimators[] = { "corrected", "published" };
    place *p = *state;
    size_t estimated = 0;

    for (size_t i = 0; i < 6 * 2 * 2; i++) {
        const bool strata = strstr(designs[i / 4], "--design") != NULL;
        char line[512];
        (void)snprintf(line, sizeof line, "intervale sample %s --quiet -o @/judge @/run0 @/run1",
                       designs[i / 4]);
        good(p, line);
        fill_in(p, "judge", "full", 0, "");
        (void)snprintf(line, sizeof line, "intervale eval --unjudged %s --estimator %s -q --quiet "
                       "--format tsv -m AP -m P_3 -m P_20 -m recall_20 -m Rprec -m nDCG -m num_rel "
                       "-m num_rel_ret %s @/done @/run0 @/run1", ways[i / 2 % 2],
                       estimators[i % 2],
                       strata ? "-m infAP -m xinfAP -m infNDCG -m iP_10" : "");
        leave_out(p, "full", "done", false);
        command(p, line);
        const int status = p->status;
        char *listed = strdup(p->out);
        leave_out(p, "full", "done", true);
        command(p, line);
        assert_int_equal(p->status, status);
        assert_string_equal(p->out, listed);
        free(listed);
        /* What is certain cannot be dropped, nor can all of a bucket. */
        if (status != 0)
            contains(p->err, strata ? "cannot be dropped" : "drop");
        assert_true(status == 0 || i / 2 % 2 == 1);
        estimated += status == 0;
    }
    assert_int_equal(estimated, 12 + 3 * 2); /* all, and the designs that can */
}

static void a_file_that_a_program_saved_with_tabs_keeps_its_design(void **state)
{
    place *p = *state;

    good(p, "intervale sample --budget 10 --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval --quiet --format tsv @/done @/run0");
    char *before = strdup(p->out);
    size_t len;
    char *text = scratch_bytes(&p->dir, "done", &len);
    FILE *f = open_file(p, "tabs", "wb");
    for (const char *at = text; *at != '\0'; at++)
        (void)fputc(*at == ' ' ? '\t' : *at, f);
    assert_int_equal(fclose(f), 0);
    free(text);
    good(p, "intervale eval --quiet --format tsv @/tabs @/run0");
    assert_string_equal(p->out, before);
    free(before);
}

/* Two documents of probability 0.1 count as ten each: one after the other at the
 * top they make an estimate above 1, far apart they do not. */
static void put_steep(place *p)
{
    FILE *judged = open_file(p, "steep", "wb"), *f[2];

    f[0] = open_file(p, "near", "wb");
    f[1] = open_file(p, "far", "wb");
    for (int t = 1; t <= 6; t++) {
        (void)fprintf(judged, "%d a 1 1 0.1\n%d b 1 1 0.1\n%d c 0 1 0.5\n", t, t, t);
        (void)fprintf(f[0], "%d Q0 a 1 99 near\n%d Q0 b 1 98 near\n%d Q0 c 1 1 near\n", t, t, t);
        (void)fprintf(f[1], "%d Q0 a 1 %d far\n%d Q0 b 1 1 far\n", t, 99 - t, t);
        for (int d = 2; d < 98; d++)
            (void)fprintf(f[1], "%d Q0 x%d 1 %d far\n", t, d, d);
    }
    assert_int_equal(fclose(judged) | fclose(f[0]) | fclose(f[1]), 0);
    f[0] = open_file(p, "far2", "wb");
    for (int t = 1; t <= 6; t++)
        (void)fprintf(f[0], "%d Q0 a 1 9 far2\n", t);
    assert_int_equal(fclose(f[0]), 0);
}

static void the_interval_of_a_run_is_the_same_beside_any_other(void **state)
{
    static const char *const lines[] = {
        "intervale eval -m AP --format tsv @/steep @/far @/near",
        "intervale compare --table runs --format tsv @/steep @/far @/far2",
        "intervale compare --table runs --format tsv @/steep @/near @/far" };
    place *p = *state;
    double lower[3], upper[3];

    put_steep(p);
    for (int i = 0; i < 3; i++) {
        good(p, lines[i]);
        lower[i] = cell(p->out, "\nfar\t", "lower");
        upper[i] = cell(p->out, "\nfar\t", "upper");
        assert_true(lower[i] > 0.0 && lower[i] < upper[i]);
        assert_true(lower[i] == lower[0] && upper[i] == upper[0]);
    }
}

static void eval_names_its_method_and_where_it_fails(void **state)
{
    place *p = *state;

    put_steep(p);
    /* All topics of 'near' are alike: what is seen of judging exceeds the whole. */
    good(p, "intervale eval -m AP --format tsv @/steep @/far @/near");
    assert_true(cell(p->out, "\nnear\t", "se_judgments") > cell(p->out, "\nnear\t", "se\t"));
    assert_true(cell(p->out, "\nnear\t", "se_topics") == 0.0);
    good(p, "intervale eval -m AP @/steep @/far");
    contains(p->out, "Method: ratio estimates from inclusion probabilities");
    good(p, "intervale eval -m AP --estimator published --ci t @/steep @/far");
    contains(p->out, "Method: statAP as published, plus or minus 2 standard errors");
    /* A thin sample is warned about, and a fixed set of topics has no interval of a ratio. */
    good(p, "intervale sample --budget 6 --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval -m AP @/done @/run0 @/run1");
    contains(p->out, "sampled topics have fewer than 5 relevant documents in the sample");
    good(p, "intervale eval -m AP -m P_10 --infer these --format tsv @/done @/run1");
    contains(p->err, "no interval for a fixed set of topics");
    contains(p->out, "ratio estimates have low coverage");
    assert_true(cell(p->out, "run1\tP_10\tall", "lower") < cell(p->out, "run1\tP_10\tall", "upper"));
    good(p, "intervale sample --budget 200 --force --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval -m AP @/done @/run0");
    assert_null(strstr(p->out, "fewer than 5 relevant"));
    contains(p->out, "With only 4 topics");
    assert_null(strstr(p->out, "--guaranteed")); /* which is refused here */
}

/* The paper's own: two standard errors by its printed variance on each side. */
static void the_published_interval_is_four_standard_errors_long(void **state)
{
    place *p = *state;

    good(p, "intervale sample --budget 60 --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval -q -m AP --estimator published --infer these --format tsv @/done @/run0");
    static const char *const rows[] = { "run0\tAP\t1\t", "run0\tAP\tall" };
    for (size_t i = 0; i < 2; i++) {
        const double se = cell(p->out, rows[i], "se\t");
        assert_true(se > 0.0);
        assert_near(cell(p->out, rows[i], "upper") - cell(p->out, rows[i], "lower"), 4.0 * se, 1e-12);
    }
}

static void compare_takes_the_estimator_that_is_asked_for(void **state)
{
    place *p = *state;

    good(p, "intervale sample --budget 10 --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale compare --quiet --format tsv --table sampling @/done @/run0 @/run1");
    const double corrected = cell(p->out, "AP\trun0\trun1", "difference");
    good(p, "intervale eval --estimator published --format tsv -m map @/done @/run0 @/run1");
    const double a = cell(p->out, "run0\tmap\tall", "value");
    const double b = cell(p->out, "run1\tmap\tall", "value");
    good(p, "intervale compare --estimator published --format tsv --table sampling @/done @/run0 "
            "@/run1");
    contains(p->err, "biased upwards");
    assert_near(cell(p->out, "AP\trun0\trun1", "difference"), a - b, 1e-12);
    assert_true(fabs(a - b - corrected) > 1e-6);
    put_file(p, "plain.qrels", "1 0 d0-1 1\n2 0 d0-1 1\n");
    command(p, "intervale compare --estimator published @/plain.qrels @/run0 @/run1");
    assert_int_equal(p->status, 2);
}

/* A pool of the runs, judged, as a file of qrels. */
static void put_pool(place *p, const char *name, unsigned depth, const char *runs)
{
    char line[128];

    (void)snprintf(line, sizeof line, "intervale sample --design pool --pool-depth %u --force --quiet "
                   "-o @/pool %s", depth, runs);
    good(p, line);
    size_t len;
    char *text = scratch_bytes(&p->dir, "pool", &len), *rest = text;
    FILE *f = open_file(p, name, "wb");
    for (char *at; (at = strtok_r(rest, "\n", &rest)) != NULL;) {
        unsigned topic, set, document;
        if (at[0] != '#' && sscanf(at, "%u d%u-%u", &topic, &set, &document) == 3)
            (void)fprintf(f, "%u 0 d%u-%u %d\n", topic, set, document, grade_of(set, document));
    }
    assert_int_equal(fclose(f), 0);
    free(text);
}

/* The sample with the pool in its own lines: method 0 and probability 1, drawn or not; twice:
 * the lines of drawn documents stay. */
static void put_lines(const place *p, const char *from, const char *pool, const char *to,
                      bool twice)
{
    size_t len;
    char *text = scratch_bytes(&p->dir, from, &len), *more = scratch_bytes(&p->dir, pool, &len);
    FILE *f = open_file(p, to, "wb");

    for (const char *at = text, *next; *at != '\0'; at = next) {
        char topic[16], docno[32], key[64];
        next = strchr(at, '\n') + 1;
        (void)sscanf(at, "%15s %31s", topic, docno);
        (void)snprintf(key, sizeof key, "%s 0 %s ", topic, docno);
        if (twice || *at == '#' || strstr(more, key) == NULL)
            (void)fwrite(at, 1, (size_t)(next - at), f);
    }
    for (const char *at = more; *at != '\0'; at = strchr(at, '\n') + 1) {
        char topic[16], docno[32];
        int grade;
        assert_int_equal(sscanf(at, "%15s 0 %31s %d", topic, docno, &grade), 3);
        (void)fprintf(f, "%s %s %d 0 1.0\n", topic, docno, grade);
    }
    assert_int_equal(fclose(f), 0);
    free(text);
    free(more);
}

/* Aslam and Pavlu, section 3.3: additional judgments have probability 1, collisions included. */
static void judgments_merged_with_a_sample_have_probability_1(void **state)
{
    static const char *const designs[] = { "stevens", "uniform" };
    place *p = *state;

    put_pool(p, "pool10", 10, "@/run0 @/run1 @/run2");
    good(p, "intervale eval -m P_10 --format tsv --quiet @/qrels @/run0 @/run1 @/run2");
    char *truth = strdup(p->out);
    for (size_t d = 0; d < 2; d++) {
        char line[256];
        (void)snprintf(line, sizeof line, "intervale sample --design %s --budget 30 --seed 5 --force "
                       "--quiet -o @/judge @/run0 @/run1 @/run2", designs[d]);
        good(p, line);
        fill_in(p, "judge", "done", 0, NULL);
        put_lines(p, "done", "pool10", "lines", false);
        put_lines(p, "done", "pool10", "twice", true);
        good(p, "intervale eval -m P_10 -m AP -m num_rel --format tsv @/lines @/run0 @/run1 @/run2");
        contains(p->err, "only if the documents were chosen without regard to judgments");
        contains(p->err, " beyond the design, ");
        contains(p->err, " of sampled documents.");
        contains(p->err, "their bias and coverage with added judgments are not known");
        char *lines = strdup(p->out);
        good(p, "intervale eval -m P_10 -m AP -m num_rel --format tsv @/twice @/run0 @/run1 @/run2");
        assert_string_equal(p->out, lines);
        for (unsigned r = 0; r < RUNS; r++) {
            char row[32];
            (void)snprintf(row, sizeof row, "run%u\tP_10\tall", r);
            assert_true(cell(p->out, row, "value") == cell(truth, row, "value"));
            assert_true(cell(p->out, row, "se_judgments") == 0.0);
        }
        good(p, "intervale eval -m P_10 -m AP -m num_rel --also @/pool10 --format tsv @/done @/run0 "
                "@/run1 @/run2");
        assert_string_equal(p->out, lines);
        free(lines);
        if (d == 1) /* strata less what left them: infAP knows what is certain */
            good(p, "intervale eval -m infAP -m iP_10 --also @/pool10 @/done @/run0");
    }
    good(p, "intervale compare -m P_10 --also @/pool10 @/done @/run0 @/run1");
    /* Complete judgments take them, too; grades that contradict each other are refused. */
    put_file(p, "one", "1 0 d0-1 1\n");
    put_file(p, "two", "1 0 d0-2 1\n1 0 d0-1 1\n");
    put_file(p, "bad", "1 0 d0-1 2\n");
    good(p, "intervale eval -m num_rel --format tsv --also @/two @/one @/run0");
    assert_true(cell(p->out, "run0\tnum_rel\tall", "value") == 2.0);
    command(p, "intervale eval --also @/bad @/one @/run0");
    assert_int_equal(p->status, 1);
    contains(p->err, "/one:1: document 'd0-1' has grade 1, and 2 in ");
    free(truth);
}

/* A sum over samples: a pool that is merged changes no expectation (section 2.2). */
static void a_merged_pool_leaves_estimates_unbiased(void **state)
{
    enum { SAMPLES = 60 };
    place *p = *state;
    double sum = 0.0, squares = 0.0;

    put_pool(p, "pool2", 2, "@/run0 @/run1 @/run2");
    good(p, "intervale sample --design pool --pool-depth 100 --force --quiet -o @/frame @/run0 @/run1 "
            "@/run2");
    fill_in(p, "frame", "framed", 0, NULL);
    good(p, "intervale eval -m P_30 --format tsv --quiet @/framed @/run0");
    const double truth = cell(p->out, "run0\tP_30\tall", "value");
    for (unsigned seed = 1; seed <= SAMPLES; seed++) {
        char line[128];
        (void)snprintf(line, sizeof line, "intervale sample --budget 30 --seed %u --force --quiet -o "
                       "@/judge @/run0 @/run1 @/run2", seed);
        good(p, line);
        fill_in(p, "judge", "done", 0, NULL);
        good(p, "intervale eval -m P_30 --ci t --also @/pool2 --format tsv --quiet @/done @/run0");
        const double x = cell(p->out, "run0\tP_30\tall", "value") - truth;
        sum += x;
        squares += x * x;
    }
    const double mean = sum / SAMPLES, se = sqrt((squares / SAMPLES - mean * mean) / (SAMPLES - 1));
    assert_true(fabs(mean) < 4.0 * se);
}

/* ------------------------------------------------------------- the frame -- */

static void a_run_outside_of_the_frame_has_no_interval_and_no_test(void **state)
{
    place *p = *state;

    good(p, "intervale sample --budget 30 --depth 30 --quiet -o @/judge @/run0 @/run1");
    fill_in(p, "judge", "done", 0, NULL);
    /* A run of documents that the two rank low. */
    FILE *f = open_file(p, "stranger", "wb");
    for (unsigned t = 0; t < TOPICS; t++)
        for (unsigned d = 0; d < POPULATION; d++)
            (void)fprintf(f, "%u Q0 d%u-%u 1 %.9f stranger\n", t + 1, t, d,
                          -noise(0, t, d) - noise(55, t, d));
    assert_int_equal(fclose(f), 0);
    good(p, "intervale eval -m P_10 @/done @/stranger");
    contains(p->out, "outside the sampled frame");
    contains(p->out, "--also");
    good(p, "intervale eval -m P_10 -m AP --format tsv @/done @/run0 @/stranger");
    assert_true(cell(p->out, "run0\tP_10\tall", "outside") == 0.0);
    assert_true(cell(p->out, "stranger\tP_10\tall", "outside") > 0.5);
    contains(p->out, "more than 5 % of what the measure looks at is outside the sampled frame");
    command(p, "intervale compare -m P_10 @/done @/run0 @/stranger");
    assert_int_equal(p->status, 1);
    contains(p->err, "No test: ");
    contains(p->err, "merge the judgments (--also)");
    /* With its documents judged there is both. */
    put_pool(p, "pool10", 10, "@/stranger");
    good(p, "intervale compare -m P_10 --also @/pool10 @/done @/run0 @/stranger");
    /* What the frame does not reach is refused. */
    command(p, "intervale eval -m recall_100 @/done @/run0");
    assert_int_equal(p->status, 2);
    contains(p->err, "looks deeper than the sampled frame, the first 30 documents");
    /* The frame's value is not called the collection's. */
    good(p, "intervale eval -m AP @/done @/run0");
    contains(p->out, "counting only documents of the sampled frame (the first 30 of each run)");
}

static void lines_of_a_sample_are_short_and_the_design_comes_last(void **state)
{
    place *p = *state;
    size_t len;
    bool listed = false;

    good(p, "intervale sample --budget 20 --pool-depth 3 --quiet -o @/judge @/run0 @/run1 @/run2");
    char *text = scratch_bytes(&p->dir, "judge", &len);
    for (const char *at = text, *next; *at != '\0'; at = next) {
        next = strchr(at, '\n') + 1;
        assert_true(next - at <= 101 || strstr(at, "# Made by") == at);
        assert_false(listed && *at != '#'); /* no judgment behind the design */
        listed = listed || strncmp(at, "#: topic", 8) == 0;
    }
    assert_true(listed);
    free(text);
}

static void usage_errors_have_status_2(void **state)
{
    static const char *const lines[][2] = {
        { "intervale sample --budget 5 --total 9 @/run0", "one way only" },
        { "intervale sample --total 2 @/run0", "less than one for each" },
        { "intervale sample --rates 0.5 @/run0", "a stratified design" },
        { "intervale sample --design pool @/run0", "needs its depth" },
        { "intervale sample --design pool --budget 5 @/run0", "is not sampled" },
        { "intervale sample --exclude-runs run0 @/run0", "leave the runs out" },
        { "intervale sample --spread frame @/run0", "needs a total" },
        { "intervale sample --design steven @/run0", "stevens" },
        { "intervale eval --estimator corrected @/qrels @/run0", "sampled judgments" },
        { "intervale eval --estimator rectified @/wild @/run0", "expected auto, corrected or published" },
        { "intervale eval -m RR @/wild @/run0", "cannot be estimated" },
        { "intervale eval -m infAP @/wild @/run0", "uniform or stratified" },
        { "intervale eval --bounds @/wild @/run0", "bounds" },
        { "intervale plan sample --pilot @/qrels @/run0", "--se or --halfwidth" },
        { "intervale plan sample --se 0.1 @/run0", "--pilot" },
    };
    place *p = *state;

    put_file(p, "wild", "1 d0-1 1 1 0.5\n1 d0-2 0 1 0.25\n2 d1-1 0 1 0.5\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command(p, lines[i][0]);
        if (p->status != 2)
            fail_msg("%s: status %d, %s", lines[i][0], p->status, p->err);
        contains(p->err, lines[i][1]);
        assert_string_equal(p->out, "");
    }
    good(p, "intervale eval @/wild @/run0");
    contains(p->out, "draws taken to be independent");
}

/* ---------------------------------------------------- plans and studies -- */

static void a_plan_gives_what_it_promises(void **state)
{
    static const char *const goals[] = { "mean", "difference" };
    place *p = *state;

    for (size_t i = 0; i < 2; i++) {
        char line[256], row[64];
        (void)snprintf(line, sizeof line, "intervale plan sample --pilot @/qrels --goal %s "
                       "--se 0.03 --check 400 --format tsv --quiet @/run0 @/run1 @/run2",
                       goals[i]);
        good(p, line);
        (void)snprintf(row, sizeof row, "%s\ttypical", goals[i]);
        const double wanted = cell(p->out, row, "wanted"), got = cell(p->out, row, "achieved");
        assert_true(cell(p->out, row, "budget") > 1.0);
        assert_true(got <= 1.02 * wanted && got >= 0.9 * wanted);
        assert_close(cell(p->out, row, "predicted"), got, 0.35);
    }
    good(p, "intervale plan sample --pilot @/qrels --halfwidth 0.01 @/run0 @/run1");
    contains(p->out, "Use more topics");
}

/* Half the width that was planned is that of eval's interval on samples of the budget. */
static void a_planned_half_width_is_that_of_evals_interval(void **state)
{
    enum { SAMPLES = 20 };
    place *p = *state;
    double sum = 0.0;

    good(p, "intervale plan sample --pilot @/qrels --halfwidth 0.16 --format tsv --table budget --quiet "
            "@/run0 @/run1 @/run2");
    const double budget = cell(p->out, "mean\ttypical", "budget");
    assert_true(budget > 5.0 && budget < 200.0);
    for (unsigned seed = 1; seed <= SAMPLES; seed++) {
        char line[160];
        (void)snprintf(line, sizeof line, "intervale sample --budget %.0f --seed %u --force --quiet -o "
                       "@/judge @/run0 @/run1 @/run2", budget, seed);
        good(p, line);
        fill_in(p, "judge", "done", 0, NULL);
        good(p, "intervale eval -m AP --ci t --format tsv --quiet @/done @/run0 @/run1 @/run2");
        for (unsigned r = 0; r < RUNS; r++) {
            char row[32];
            (void)snprintf(row, sizeof row, "run%u\tAP\tall", r);
            const double half = 0.5 * (cell(p->out, row, "upper") - cell(p->out, row, "lower"));
            sum += half * half / (SAMPLES * RUNS);
        }
    }
    assert_close(sqrt(sum), 0.16, 0.25);
}

/* The number that follows some words. */
static double number_after(const char *text, const char *words)
{
    const char *at = strstr(text, words);

    if (at == NULL)
        fail_msg("'%s' is not in: %s", words, text);
    return strtod(at + strlen(words), NULL);
}

/* eval's and compare's se_topics, not se, which has the noise of the pilot's judgments, too. */
static void a_sampled_pilots_noise_is_not_left_by_topics(void **state)
{
    static const char *const pairs[] = { "AP\trun0\trun1", "AP\trun0\trun2", "AP\trun1\trun2" };
    place *p = *state;
    double runs = 0.0, differences = 0.0;

    good(p, "intervale sample --budget 60 --seed 1 --force --quiet -o @/judge @/run0 @/run1 @/run2");
    fill_in(p, "judge", "done", 0, NULL);
    good(p, "intervale eval -m AP --format tsv --quiet @/done @/run0 @/run1 @/run2");
    for (unsigned r = 0; r < 3; r++) {
        char row[32];
        (void)snprintf(row, sizeof row, "run%u\tAP\tall", r);
        runs += pow(cell(p->out, row, "se_topics"), 2.0) / 3.0;
    }
    good(p, "intervale compare -m AP --table sampling --format tsv --quiet @/done @/run0 @/run1 @/run2");
    for (unsigned k = 0; k < 3; k++)
        differences += pow(cell(p->out, pairs[k], "se_topics"), 2.0) / 3.0;
    good(p, "intervale plan sample --pilot @/done --halfwidth 0.001 @/run0 @/run1 @/run2");
    assert_near(number_after(p->out, "leaves a standard error of "), sqrt(runs), 5e-5);
    good(p, "intervale plan sample --pilot @/done --halfwidth 0.001 --goal difference @/run0 @/run1 "
            "@/run2");
    assert_near(number_after(p->out, "leaves a standard error of "), sqrt(differences), 5e-5);
}

static void a_plan_says_what_its_figures_are_not(void **state)
{
    place *p = *state;
    double relevant = 0.0;

    for (unsigned t = 0; t < TOPICS; t++)
        for (unsigned d = 0; d < POPULATION; d++)
            relevant += grade_of(t, d) > 0;
    /* The frame's average precision is not that of all judgments. */
    good(p, "intervale plan sample --pilot @/qrels --se 0.03 --depth 50 @/run0 @/run1");
    assert_true(number_after(p->out, "of the pilot's ") == relevant);
    contains(p->out, "top 50 of any run. Neither the plan nor an estimate from the sample counts them");
    good(p, "intervale plan sample --pilot @/qrels --se 0.03 --check 0 @/run0 @/run1");
    contains(p->out, "no sample checked them");
    /* What only judging everything gives is called so. */
    good(p, "intervale plan sample --pilot @/qrels --se 0.00001 @/run0 @/run1");
    contains(p->out, "Judge all ");
}

static void a_plan_is_for_as_many_topics_as_asked_for(void **state)
{
    place *p = *state;
    char line[256];

    good(p, "intervale plan sample --pilot @/qrels --se 0.03 --format tsv --table budget @/run0 @/run1");
    const double budget = cell(p->out, "mean\ttypical", "budget");
    const double noise = cell(p->out, "mean\ttypical", "noise");
    /* A mean square of 200 nearly normal errors is off by a tenth, its root by a twentieth; two runs
     * on one sample are nearly one. */
    assert_close(noise, cell(p->out, "mean\ttypical", "achieved") / 20.0, 0.5);
    (void)snprintf(line, sizeof line, "intervale plan sample --pilot @/qrels --se 0.03 --topics %d "
                   "--format tsv --table budget @/run0 @/run1", 4 * TOPICS);
    good(p, line);
    const double fewer = cell(p->out, "mean\ttypical", "budget");
    assert_true(fewer < 0.7 * budget);
    assert_near(cell(p->out, "mean\ttypical", "documents"), 4.0 * TOPICS * fewer, 0.0);
}

/* A pilot cannot promise less noise at its own size than eval finds in it. */
static void a_plan_from_a_pilot_agrees_with_eval_of_the_pilot(void **state)
{
    place *p = *state;
    char line[256];
    double squares = 0.0;

    good(p, "intervale sample --budget 24 --seed 3 --quiet -o @/judge @/run0 @/run1 @/run2");
    fill_in(p, "judge", "pilot", 0, NULL);
    good(p, "intervale eval -m AP --format tsv --quiet @/pilot @/run0 @/run1 @/run2");
    for (unsigned r = 0; r < 3; r++) {
        char row[32];
        (void)snprintf(row, sizeof row, "run%u\tAP\tall", r);
        squares += pow(cell(p->out, row, "se_judgments"), 2.0) / 3.0;
    }
    (void)snprintf(line, sizeof line, "intervale plan sample --pilot @/pilot --se %.9f --format tsv "
                   "--table budget @/run0 @/run1 @/run2", 1.0001 * sqrt(squares));
    good(p, line);
    assert_near(cell(p->out, "mean\ttypical", "budget"), 24.0, 0.0);
    assert_near(cell(p->out, "mean\ttypical", "predicted"), sqrt(squares), 1e-4 * sqrt(squares));
    contains(p->err, "budgets cannot be checked with it");
}

/* What is estimated from a sample may leave what is possible; what is told of the truth may not. */
static void limits_end_at_what_is_possible(void **state)
{
    place *p = *state;

    put_file(p, "half", "1 a 1 1 0.5\n1 b 1 1 0.5\n2 a 1 1 0.5\n2 b 0 1 0.5\n3 a 1 1 0.5\n3 b 1 1 0.5\n");
    put_file(p, "all", "1 Q0 a 1 3 all\n1 Q0 b 2 2 all\n2 Q0 a 1 3 all\n3 Q0 x 1 4 all\n3 Q0 a 1 3 all\n");
    put_file(p, "some", "1 Q0 x 1 3 some\n1 Q0 b 2 2 some\n2 Q0 x 1 3 some\n3 Q0 a 1 3 some\n");
    put_file(p, "nothing", "1 Q0 x 1 3 nothing\n2 Q0 x 1 3 nothing\n3 Q0 x 1 3 nothing\n");
    good(p, "intervale compare -m AP --table pairs --format tsv --quiet @/half @/all @/some @/nothing");
    assert_near(cell(p->out, "all\tnothing\tAP", "upper_adjusted"), 1.0, 0.0);
    assert_near(cell(p->out, "all\tnothing\tAP", "upper"), 1.0, 0.0);
    assert_near(cell(p->out, "all\tsome\tAP", "lower_adjusted"), -1.0, 0.0);
    good(p, "intervale eval -m AP -m P_2 --format tsv --quiet @/half @/all @/some");
    assert_near(cell(p->out, "all\tAP\tall", "lower"), 0.0, 0.0);
    assert_near(cell(p->out, "all\tAP\tall", "upper"), 1.0, 0.0);
    /* An estimate above 1 is as it is, without an interval, and decides nothing. */
    assert_true(cell(p->out, "all\tP_2\tall", "value") > 1.0);
    contains(p->out, "the estimate is above 1, which is not possible");
    command(p, "intervale eval -m P_2 --at-least P_2=1 --gate @/half @/all");
    contains(p->out, "INCONCLUSIVE: P_2 of all is 1.333 (no limits");
    command(p, "intervale compare -m P_2 --margin 0.1 --baseline nothing --gate @/half @/all @/nothing");
    contains(p->out, "INCONCLUSIVE");
    contains(p->out, "2 estimates are not possible values and have no interval");
}

int sample_command_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_the_same_for_any_order_and_threads),
        cmocka_unit_test(fixed_documents_have_probability_1_and_grades_if_judged),
        cmocka_unit_test(weights_of_a_file_decide_what_is_sampled),
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(a_completed_sample_is_evaluated),
        cmocka_unit_test(a_difference_is_linearised_jointly),
        cmocka_unit_test(noise_that_was_not_seen_is_not_0),
        cmocka_unit_test(topics_without_a_relevant_document_in_the_sample_are_counted),
        cmocka_unit_test(at_probability_1_the_digits_are_those_of_complete_judgments),
        cmocka_unit_test(certain_relevance_gives_complete_values_through_the_estimators),
        cmocka_unit_test(recall_of_all_that_was_drawn_is_1_to_the_last_bit),
        cmocka_unit_test(our_strata_and_trecs_give_the_same),
        cmocka_unit_test(changed_files_are_refused_with_their_line),
        cmocka_unit_test(a_lost_line_of_the_design_is_refused_or_changes_nothing),
        cmocka_unit_test(unjudged_documents_are_refused_counted_or_dropped),
        cmocka_unit_test(a_line_that_is_gone_counts_as_grade_minus_1),
        cmocka_unit_test(a_file_that_a_program_saved_with_tabs_keeps_its_design),
        cmocka_unit_test(the_interval_of_a_run_is_the_same_beside_any_other),
        cmocka_unit_test(eval_names_its_method_and_where_it_fails),
        cmocka_unit_test(the_published_interval_is_four_standard_errors_long),
        cmocka_unit_test(compare_takes_the_estimator_that_is_asked_for),
        cmocka_unit_test(judgments_merged_with_a_sample_have_probability_1),
        cmocka_unit_test(a_merged_pool_leaves_estimates_unbiased),
        cmocka_unit_test(a_run_outside_of_the_frame_has_no_interval_and_no_test),
        cmocka_unit_test(lines_of_a_sample_are_short_and_the_design_comes_last),
        cmocka_unit_test(usage_errors_have_status_2),
        cmocka_unit_test(a_sampled_pilots_noise_is_not_left_by_topics),
        cmocka_unit_test(a_plan_says_what_its_figures_are_not),
        cmocka_unit_test(a_plan_is_for_as_many_topics_as_asked_for),
        cmocka_unit_test(a_plan_from_a_pilot_agrees_with_eval_of_the_pilot),
        cmocka_unit_test(limits_end_at_what_is_possible),
        cmocka_unit_test(a_planned_half_width_is_that_of_evals_interval),
        drawn_unit_test(a_plan_gives_what_it_promises),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
