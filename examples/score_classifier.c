/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How sure are precision, recall and F1, and does A beat B?  Counts are true
 * positives, false positives and false negatives of two classifiers that were
 * tried on different items:
 *
 *     cc score_classifier.c -o score_classifier -lintervale
 *     ./score_classifier 80 20 40 75 10 45
 */
#include <intervale/stat.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const iv_prf_metric metrics[] = { { IV_PRF_PRECISION, 0.0 }, { IV_PRF_RECALL, 0.0 },
                                             { IV_PRF_F, 1.0 } };
    const iv_prf_prior prior = { 0.5, 0.5 }; /* Jeffreys' */
    iv_prf_counts counts[2];
    iv_prf_cells cells[2];
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    int rc = IV_OK;

    for (int i = 0; i < 6; i++) {
        iv_prf_counts *c = &counts[i / 3];
        int64_t *const to[] = { &c->tp, &c->fp, &c->fn };
        if (argc != 7 || !iv_scan_int(to[i % 3], iv_str_of(argv[i + 1]), 0, IV_PRF_COUNT_MAX)) {
            fprintf(stderr, "usage: score_classifier TP FP FN TP FP FN\n");
            return EXIT_FAILURE;
        }
        c->tn = -1; /* not known; none of the three needs it */
    }
    for (int s = 0; s < 2 && rc == IV_OK; s++)
        rc = iv_prf_update(&cells[s], prior, &counts[s], NULL, &err);
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics && rc == IV_OK; m++) {
        iv_posterior *of[2] = { NULL, NULL };
        iv_credible in[2];
        char name[IV_PRF_NAME_SIZE];
        double greater;

        for (int s = 0; s < 2 && rc == IV_OK; s++) {
            rc = iv_posterior_prf(&of[s], &cells[s], metrics[m], &err);
            if (rc == IV_OK)
                rc = iv_posterior_interval(&in[s], of[s], 0.95, IV_INTERVAL_EQUAL, &err);
        }
        if (rc == IV_OK)
            rc = iv_posterior_greater(&greater, of[0], of[1], &err);
        if (rc == IV_OK)
            printf("%s A %.4f (%.4f to %.4f) B %.4f (%.4f to %.4f) P(A > B) %.4f\n",
                   iv_prf_name(name, metrics[m]), iv_posterior_mean(of[0]), in[0].lower,
                   in[0].upper, iv_posterior_mean(of[1]), in[1].lower, in[1].upper, greater);
        iv_posterior_free(of[0]);
        iv_posterior_free(of[1]);
    }
    if (rc != IV_OK)
        fprintf(stderr, "score_classifier: %s\n", iv_err_text(text, &err));
    return rc == IV_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
