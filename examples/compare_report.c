/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares runs that a program holds: prints the answer and writes the report, which
 * shows the WORDS as the command line they stand for.
 *
 *     cc compare_report.c -o compare_report -lintervale && ./compare_report html page.html
 */
#include <intervale.h>
#include <stdlib.h>

#define ROWS 12
static const char *const topics[ROWS] = { "1", "1", "1", "2", "2", "2", "3", "3", "3", "4",
                                          "4", "4" };
static const char *const judged[ROWS] = { "a", "b", "c", "a", "b", "c", "a", "b", "c", "a",
                                          "b", "c" };
static const int32_t grades[ROWS] = { 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1 };
static const char *const first[ROWS] = { "a", "b", "c", "b", "x", "c", "a", "c", "b", "c",
                                         "a", "b" };
static const char *const second[ROWS] = { "b", "a", "c", "a", "b", "c", "b", "x", "a", "b",
                                          "a", "c" };

int main(int argc, char **argv)
{
    const iv_judgment_columns what = { ROWS, { .texts = topics }, { .texts = judged },
                                       .grade = grades };
    const iv_run_columns one = { ROWS, { .texts = topics }, { .texts = first }, .tag = "first" };
    const iv_run_columns two = { ROWS, { .texts = topics }, { .texts = second }, .tag = "second" };
    iv_report_options how = { 0 };
    iv_compare_question question = { 0 };
    iv_judgments *judgments = NULL;
    iv_run *runs[2] = { NULL, NULL };
    iv_result *result = NULL;
    iv_outfile *file = NULL;
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];

    if (argc < 3 || !iv_format_find(&how.format, argv[1]))
        return fprintf(stderr, "usage: compare_report FORMAT FILE [WORDS...]\n") > 0;
    bool ok = iv_judgments_build(&judgments, "judged", &what, NULL, &err) == IV_OK
        && iv_run_build(&runs[0], "first", &one, NULL, &err) == IV_OK
        && iv_run_build(&runs[1], "second", &two, NULL, &err) == IV_OK
        && iv_result_new(&result, "compare", &err) == IV_OK;
    for (int i = 3; ok && i < argc; i++)
        iv_result_argument(result, argv[i]);
    question.source = (iv_source){ .judged = judgments, .ranked_count = 2,
                                   .ranked = (const iv_run *const *)runs };
    if (ok)
        iv_result_seed(result, 1);
    ok = ok && iv_answer_compare(result, &question, NULL, &err) == IV_OK
        && iv_outfile_open(&file, argv[2], &err) == IV_OK
        && iv_report_write(iv_outfile_stream(file), result, &how, &err) == IV_OK
        && iv_outfile_commit(file, &err) == IV_OK;
    puts(ok ? iv_result_answer_text(result) : iv_err_text(text, &err));
    iv_result_free(result);
    iv_run_free(runs[0]);
    iv_run_free(runs[1]);
    iv_judgments_free(judgments);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
