/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One measure of one run, with its 95 % interval:
 *
 *     cc score_run.c -o score_run -lintervale && ./score_run QRELS RUN nDCG@10
 */
#include <intervale/retrieval.h>
#include <math.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *const measure = argc > 3 ? argv[3] : "AP";
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    iv_evaluation *evaluation = NULL;

    if (argc < 3) {
        fprintf(stderr, "usage: score_run JUDGMENTS RUN [MEASURE]\n");
        return EXIT_FAILURE;
    }
    const iv_source files = { .judgments = argv[1],
                              .runs = { (const char *const *)argv + 2, 1 } };
    const iv_evaluating how = { .measures = { &measure, 1 } };
    if (iv_evaluate(&evaluation, &files, &how, NULL, &err) != IV_OK) {
        fprintf(stderr, "score_run: %s\n", iv_err_text(text, &err));
        return EXIT_FAILURE;
    }
    const iv_evaluated *found = iv_evaluation_view(evaluation);
    const iv_mean *mean = &found->means[0];
    printf("%s %.4f", found->measures[0].name, mean->value);
    if (isfinite(mean->lower))
        printf(", 95 %% interval %.4f to %.4f", mean->lower, mean->upper);
    printf(", %zu topics, %zu missing\n", mean->topics, found->runs[0].missing_count);
    iv_evaluation_free(evaluation);
    return EXIT_SUCCESS;
}
