/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How sure are precision, recall and F1, and does A beat B?  Counts are true
 * positives, false positives and false negatives of two classifiers that were
 * tried on different items:
 *
 *     cc score_classifier.c -o score_classifier -lintervale
 *     ./score_classifier 80 20 40 75 10 45
 */
#include <intervale/classify.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    iv_prf_entry systems[2] = { { .system = "A" }, { .system = "B" } };
    iv_prf_evaluation *e = NULL;
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];

    for (int i = 0; i < 6; i++) {
        iv_prf_counts *c = &systems[i / 3].counts;
        int64_t *const to[] = { &c->tp, &c->fp, &c->fn };
        if (argc != 7 || !iv_scan_int(to[i % 3], iv_str_of(argv[i + 1]), 0, IV_PRF_COUNT_MAX)) {
            fprintf(stderr, "usage: score_classifier TP FP FN TP FP FN\n");
            return EXIT_FAILURE;
        }
        c->tn = -1; /* not known; none of the three needs it */
    }
    if (iv_prf_evaluate(&e, &(iv_prf_input){ .entries = systems, .entry_count = 2 },
                        &(iv_prf_options){ .compare = true }, NULL, &err) != IV_OK) {
        fprintf(stderr, "score_classifier: %s\n", iv_err_text(text, &err));
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < e->pair_count; i++) {
        const iv_prf_pair *p = &e->pairs[i];
        const iv_prf_estimate *a = iv_prf_find(e, 0, p->metric);
        const iv_prf_estimate *b = iv_prf_find(e, 1, p->metric);
        printf("%s A %.4f (%.4f to %.4f) B %.4f (%.4f to %.4f) P(A > B) %.4f\n", p->metric,
               a->mean, a->lower, a->upper, b->mean, b->lower, b->upper, p->probability);
    }
    iv_prf_evaluation_free(e);
    return EXIT_SUCCESS;
}
