/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do two runs differ in average precision?
 *
 *     cc compare_runs.c -o compare_runs -lintervale && ./compare_runs QRELS RUN_A RUN_B
 */
#include <intervale/estimate.h>
#include <intervale/stat.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *const name = "AP";
    /* A topic that a run misses counts 0, so that both have the same topics. */
    const iv_scoring how = { .precision = IV_SCORES_DOUBLE, .complete = true };
    const iv_compare_options options = iv_compare_defaults();
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    iv_judgments *judgments = NULL;
    iv_measures *measures = NULL;
    iv_scores *runs[2] = { NULL, NULL };
    iv_comparison *found = NULL;
    double *values = NULL;
    int status = EXIT_FAILURE;

    if (argc != 4) {
        fprintf(stderr, "usage: compare_runs QRELS RUN_A RUN_B\n");
        return EXIT_FAILURE;
    }
    if (iv_measures_parse(&measures, &name, 1, NULL, &err) != IV_OK
        || iv_judgments_load(&judgments, argv[1], IV_JUDGMENTS_ANY, 0, &err) != IV_OK
        || iv_score_files(runs, (const char *const *)argv + 2, 2, IV_RUN_ANY, judgments,
                          measures, &how, &err) != IV_OK)
        goto done;
    const size_t topics = iv_scores_topics(runs[0]);
    values = malloc(2 * topics * sizeof *values);
    for (size_t r = 0; values != NULL && r < 2; r++)
        memcpy(values + r * topics, iv_scores_rows(runs[r]), topics * sizeof *values);
    if (values == NULL || iv_compare(&found, values, 2, topics, &options, &err) != IV_OK)
        goto done;

    const iv_compared_pair *pair;
    const iv_compared_test *test;
    iv_comparison_pairs(&pair, found);
    iv_comparison_tests(&test, found, 0);
    printf("a - b %.4f, 95 %% interval %.4f to %.4f, p %.4f, %zu topics\n",
           pair->found.mean, pair->lower, pair->upper, test->test.p, pair->found.n);
    status = EXIT_SUCCESS;
done:
    if (status != EXIT_SUCCESS)
        fprintf(stderr, "compare_runs: %s\n", iv_err_text(text, &err));
    iv_comparison_free(found);
    free(values);
    iv_scores_free(runs[0]);
    iv_scores_free(runs[1]);
    iv_judgments_free(judgments);
    iv_measures_free(measures);
    return status;
}
