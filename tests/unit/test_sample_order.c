/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the order of a sample: whatever its first documents are, they are a sample. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale.h"
#include "sampling/sampled_judgments.h"

enum { DOCUMENTS = 40, BUDGET = 12, SAMPLES = 3000 };

static iv_err err;

/* Documents d00 ... d39; every fourth is relevant, more of them at the top. */
static bool is_relevant(const char *docno)
{
    const int number = atoi(docno + 1);

    return number % 4 == 0 || number < 5;
}

static iv_run *make_run(void)
{
    char text[DOCUMENTS * 32];
    size_t n = 0;
    iv_run *run = NULL;

    for (int i = 0; i < DOCUMENTS; i++)
        n += (size_t)sprintf(text + n, "1 Q0 d%02d %d %d r\n", i, i + 1, 100 - i);
    assert_int_equal(iv_run_parse(&run, "r", text, n, IV_RUN_ANY, NULL, &err), IV_OK);
    return run;
}

/* The sample with the first `judged` of its order judged and the others open; the caller
 * frees it.  NULL: not every bucket has a judged document. */
static char *judge_first(char *text, size_t judged)
{
    char *out = calloc(2, strlen(text) + 1), *order = strstr(text, "#: order 1"), *rest = NULL;
    char list[DOCUMENTS * 8] = "", open[DOCUMENTS * 8] = "#: open 1";
    char *names = strdup(order);
    size_t n = 0;

    assert_non_null(out);
    for (char *w = strtok_r(names + 10, " \n", &rest); w != NULL; w = strtok_r(NULL, " \n", &rest)) {
        if (*w != 'd') /* the list goes on in the next line */
            continue;
        char *to = n++ < judged ? list : open;
        (void)strcat(strcat(to, " "), w);
    }
    free(names);
    size_t len = 0;
    for (char *line = text, *end; *line != '\0'; line = end + 1) {
        char docno[8] = "", wanted[10];
        end = strchr(line, '\n');
        (void)sscanf(line, "1 %7s", docno);
        (void)snprintf(wanted, sizeof wanted, " %s", docno);
        if (line[0] == '1' && strstr(list, wanted) != NULL)
            len += (size_t)sprintf(out + len, "1 %s %d%.*s\n", docno, is_relevant(docno),
                                   (int)(end - strstr(line, " -1 ")) - 3,
                                   strstr(line, " -1 ") + 3);
        else
            len += (size_t)sprintf(out + len, "%.*s\n", (int)(end - line), line);
    }
    (void)sprintf(out + len, "%s\n", open);
    return out;
}

/* The estimated number of relevant documents; NaN: a bucket has none judged. */
static double total_of(const char *text)
{
    iv_judgments *j = NULL;
    iv_sampling *s = NULL;
    double total = 0.0;

    assert_int_equal(iv_judgments_parse(&j, "x", text, strlen(text), IV_JUDGMENTS_PRELS, NULL,
                                        &err), IV_OK);
    const int rc = iv_sampling_new(&s, j, "x", IV_UNJUDGED_REFUSE, &err);
    if (rc != IV_OK) {
        assert_non_null(strstr(err.msg, "none of the"));
        iv_judgments_free(j);
        return NAN;
    }
    const iv_sampling_topic t = iv_sampling_topic_at(s, 0);
    for (size_t i = 0; i < t.count; i++)
        if (t.pi[i] > 0.0)
            total += t.grade[i] / t.pi[i];
    iv_sampling_free(s);
    iv_judgments_free(j);
    return total;
}

/* A sample of a design with a seed, as a file. */
static char *draw(iv_run *run, iv_design design, uint64_t seed)
{
    const iv_run *runs[] = { run };
    const iv_sample_options o = { .design = design, .budget = BUDGET, .pool_depth = 2 };
    const iv_work work = { .threads = 1, .seed = seed };
    iv_frame *frame = NULL;
    iv_sample *sample = NULL;
    static char *text;
    static size_t len;
    FILE *f = open_memstream(&text, &len);

    assert_int_equal(iv_frame_new(&frame, runs, 1, 0, NULL, &err), IV_OK);
    assert_int_equal(iv_sample_draw(&sample, frame, &o, &work, &err), IV_OK);
    assert_int_equal(iv_sample_write(f, sample, NULL, 0, &err), IV_OK);
    assert_int_equal(fclose(f), 0);
    iv_sample_free(sample);
    iv_frame_free(frame);
    return text;
}

static void the_first_of_the_order_estimate_without_bias(void **state)
{
    static const iv_design designs[] = { IV_DESIGN_STEVENS, IV_DESIGN_UNIFORM,
                                         IV_DESIGN_STRATIFIED };
    iv_run *run = make_run();
    double truth = 0.0;

    (void)state;
    for (int i = 0; i < DOCUMENTS; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "d%02d", i);
        truth += is_relevant(name);
    }
    for (size_t d = 0; d < 3; d++) {
        for (size_t judged = 8; judged <= 12; judged += 4) {
            double sum = 0.0, squares = 0.0, n = 0.0;
            for (uint64_t seed = 1; seed <= SAMPLES; seed++) {
                char *text = draw(run, designs[d], seed), *part = judge_first(text, judged);
                const double x = total_of(part);
                free(text);
                free(part);
                if (isnan(x)) /* too early: each bucket is to have one */
                    continue;
                sum += x;
                squares += x * x;
                n++;
            }
            const double mean = sum / n;
            const double se = sqrt((squares / n - mean * mean) / n);
            assert_true(n > 0.9 * SAMPLES);
            /* One of six such comparisons is false by chance with probability 0.0004. */
            assert_true(fabs(mean - truth) < 4.0 * se);
        }
    }
    iv_run_free(run);
}

static void certain_documents_come_first_and_each_once(void **state)
{
    iv_run *run = make_run();

    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        char *text = draw(run, IV_DESIGN_STEVENS, seed), *order = strstr(text, "#: order 1 ");
        int places = 0, lines = 0;
        assert_non_null(order);
        assert_true(strncmp(order + 11, "d00 d01", 7) == 0
                    || strncmp(order + 11, "d01 d00", 7) == 0);
        for (char *p = order; (p = strstr(p, " d")) != NULL; p++)
            places++;
        for (char *p = strstr(text, "#: "); (p = strstr(p, " -1 ")) != NULL; p++)
            lines++;
        assert_int_equal(places, lines);
        free(text);
    }
    iv_run_free(run);
}

static void a_document_is_open_or_judged(void **state)
{
    static const char text[] =
        "#: intervale-sample 1 uniform\n#: topic 1 3 2\n#: stratum 1 1 3 2 a b\n#: rest 1 1 c\n"
        "#: open 1 a\n1 a 1 1 0.6666666666666666\n1 b 1 1 0.6666666666666666\n";
    iv_judgments *j = NULL;
    iv_sampling *s = NULL;

    (void)state;
    assert_int_equal(iv_judgments_parse(&j, "x", text, strlen(text), IV_JUDGMENTS_PRELS, NULL,
                                        &err), IV_OK);
    assert_int_equal(iv_sampling_new(&s, j, "x", IV_UNJUDGED_REFUSE, &err), IV_EPARSE);
    assert_non_null(strstr(err.msg, "is open and judged"));
    assert_int_equal(err.line, 5);
    iv_judgments_free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_the_order_estimate_without_bias),
        cmocka_unit_test(certain_documents_come_first_and_each_once),
        cmocka_unit_test(a_document_is_open_or_judged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
