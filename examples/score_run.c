/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One measure of one run, with its 95 % interval:
 *
 *     cc score_run.c -o score_run -lintervale && ./score_run QRELS RUN nDCG@10
 */
#include <intervale/estimate.h>
#include <math.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *const name = argc > 3 ? argv[3] : "AP";
    const iv_scoring how = { .precision = IV_SCORES_DOUBLE };
    const iv_mean_options intervals = { .by_measure = true,
                                        .resampling = iv_resampling_defaults() };
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    iv_judgments *judgments = NULL;
    iv_measures *measures = NULL;
    iv_run *run = NULL;
    iv_scores *scores = NULL;
    int status = EXIT_FAILURE;

    if (argc < 3) {
        fprintf(stderr, "usage: score_run JUDGMENTS RUN [MEASURE]\n");
        return EXIT_FAILURE;
    }
    if (iv_measures_parse(&measures, &name, 1, NULL, &err) != IV_OK
        || iv_judgments_load(&judgments, argv[1], IV_JUDGMENTS_ANY, 0, &err) != IV_OK
        || iv_run_load(&run, argv[2], IV_RUN_ANY, 0, &err) != IV_OK
        || iv_score_run(&scores, run, judgments, measures, &how, &err) != IV_OK)
        goto done;

    const iv_scores *runs[] = { scores };
    iv_mean *mean = calloc(iv_measures_count(measures), sizeof *mean);
    if (mean != NULL && iv_means(mean, runs, 1, measures, &intervals, &err) == IV_OK) {
        printf("%s %.4f", iv_measures_value(measures, 0)->name, mean[0].value);
        if (isfinite(mean[0].lower))
            printf(", 95 %% interval %.4f to %.4f", mean[0].lower, mean[0].upper);
        printf(", %zu topics, %zu missing\n", mean[0].topics, iv_scores_missing(scores));
        status = EXIT_SUCCESS;
    }
    free(mean);
done:
    if (status != EXIT_SUCCESS)
        fprintf(stderr, "score_run: %s\n", iv_err_text(text, &err));
    iv_scores_free(scores);
    iv_run_free(run);
    iv_judgments_free(judgments);
    iv_measures_free(measures);
    return status;
}
