/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run's average precision from people's judgments of some topics and a machine's labels
 * of all, beside people alone:
 *
 *     cc assisted_run.c -o assisted_run -lintervale && ./assisted_run QRELS LABELS RUN
 */
#include <intervale/estimate.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const char *const measure = "AP";
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    iv_assisted *both = NULL;

    if (argc != 4) {
        fprintf(stderr, "usage: assisted_run JUDGMENTS LABELS RUN\n");
        return EXIT_FAILURE;
    }
    const char *const *files = (const char *const *)argv;
    const iv_source source = { .judgments = argv[1], .runs = { files + 3, 1 } };
    const iv_machines machine = { .files = { files + 2, 1 } };
    const iv_evaluating how = { .measures = { &measure, 1 } };
    iv_assisted_mean m;
    if (iv_assisted_new(&both, &source, &machine, &how, NULL, &err) != IV_OK
        || iv_assisted_mean_of(&m, both, 0, 0, &err) != IV_OK) {
        fprintf(stderr, "assisted_run: %s\n", iv_err_text(text, &err));
        return EXIT_FAILURE;
    }
    printf("AP %.4f, 95 %% interval %.4f to %.4f, from %zu judged and %zu labelled topics\n",
           m.value, m.lower, m.upper, m.judged, m.units);
    printf("people alone %.4f, %.4f to %.4f; the machine alone %.4f\n", m.human, m.human_lower,
           m.human_upper, m.machine);
    iv_assisted_free(both);
    return EXIT_SUCCESS;
}
