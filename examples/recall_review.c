/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What recall did a review reach?  A random sample of the documents it
 * retrieved was judged, and one of those it did not: each side is N documents,
 * n sampled, r relevant among them.
 *
 *     cc recall_review.c -o recall_review -lintervale
 *     ./recall_review 10000 500 350 990000 2000 3
 */
#include <intervale/stat.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const double target = 0.75;
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    iv_recall_posterior *posterior = NULL;
    iv_limits interval;
    int64_t count[6];
    int status = EXIT_FAILURE;

    for (int i = 0; i < 6; i++) {
        if (argc != 7 || !iv_scan_int(&count[i], iv_str_of(argv[i + 1]), 0, IV_STRATUM_MAX)) {
            fprintf(stderr, "usage: recall_review N1 n1 r1 N0 n0 r0\n");
            return EXIT_FAILURE;
        }
    }
    /* Stratified samples have several strata a side; a simple one has one. */
    const iv_stratum retrieved = { count[0], count[1], count[2] };
    const iv_stratum unretrieved = { count[3], count[4], count[5] };
    const iv_segments review = { &retrieved, &unretrieved, 1, 1 };

    /* The interval leaves the whole posterior behind, for further questions. */
    if (iv_recall_posterior_new(&posterior, &err) == IV_OK
        && iv_recall_interval_of(&interval, &review, NULL, posterior, &err) == IV_OK) {
        const iv_limits yield = iv_recall_limits(posterior, IV_RECALL_YIELD, 0.0, 0.95,
                                                 false);
        printf("recall %.4f, 95 %% interval %.4f to %.4f\n", iv_recall_estimate(&review),
               interval.lower, interval.upper);
        printf("at least %.2f with probability %.4f\n", target,
               iv_recall_at_least(posterior, IV_RECALL_RECALL, 0.0, target));
        printf("%.0f to %.0f relevant documents in all\n", yield.lower, yield.upper);
        status = EXIT_SUCCESS;
    } else {
        fprintf(stderr, "recall_review: %s\n", iv_err_text(text, &err));
    }
    iv_recall_posterior_free(posterior);
    return status;
}
