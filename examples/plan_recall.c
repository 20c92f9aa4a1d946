/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many documents must be judged for a recall interval of a wanted width,
 * and how many of them among those retrieved?
 *
 *     cc plan_recall.c -o plan_recall -lintervale
 *     ./plan_recall POPULATION RETRIEVED WIDTH
 */
#include <intervale/review.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    /* What one would not be surprised to find; the plan must do for both. */
    static const iv_recall_guess guesses[] = { { 0.7, 0.5 }, { 0.9, 0.5 } };
    iv_recall_plan plan = { .guesses = guesses, .guess_count = 2 };
    iv_recall_expected expected[2];
    iv_recall_design design;
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    double width;

    if (argc != 4 || !iv_scan_int(&plan.population, iv_str_of(argv[1]), 1, IV_STRATUM_MAX)
        || !iv_scan_int(&plan.retrieved, iv_str_of(argv[2]), 1, IV_STRATUM_MAX)
        || !iv_scan_real(&width, iv_str_of(argv[3]))) {
        fprintf(stderr, "usage: plan_recall POPULATION RETRIEVED WIDTH\n");
        return EXIT_FAILURE;
    }
    if (iv_recall_least_size(&design, &plan, IV_GOAL_WIDTH, width, NULL, &err) != IV_OK
        || iv_recall_expect(expected, &plan, design.n1, design.n0, NULL, &err) != IV_OK) {
        fprintf(stderr, "plan_recall: %s\n", iv_err_text(text, &err));
        return EXIT_FAILURE;
    }
    printf("judge %lld retrieved and %lld other documents\n", (long long)design.n1,
           (long long)design.n0);
    for (int g = 0; g < 2; g++)
        printf("if recall is %.2f, expect an interval of %.4f to %.4f\n", guesses[g].recall,
               expected[g].lower, expected[g].upper);
    return EXIT_SUCCESS;
}
