/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many topics does it take to find a difference?  The effect is the mean
 * difference over its standard deviation; the test is the paired t test.
 *
 *     cc plan_power.c -o plan_power -lintervale && ./plan_power 0.3 0.8
 */
#include <intervale/stat.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const iv_power_options options = { .test = IV_PLAN_T, .sides = IV_BOTH_SIDES };
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    double effect, power;
    iv_power at;
    size_t topics;

    if (argc != 3 || !iv_scan_real(&effect, iv_str_of(argv[1]))
        || !iv_scan_real(&power, iv_str_of(argv[2]))) {
        fprintf(stderr, "usage: plan_power EFFECT POWER\n");
        return EXIT_FAILURE;
    }
    if (iv_power_topics(&topics, NULL, power, effect, &options, NULL, &err) != IV_OK
        || iv_power_at(&at, topics, effect, &options, NULL, &err) != IV_OK) {
        fprintf(stderr, "plan_power: %s\n", iv_err_text(text, &err));
        return EXIT_FAILURE;
    }
    printf("%zu topics find an effect of %g with power %.4f\n", topics, effect, at.power);
    return EXIT_SUCCESS;
}
