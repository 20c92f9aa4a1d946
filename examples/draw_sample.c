/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which documents to judge: draws 20 a topic from the runs' first 100, the
 * highly ranked with a higher probability, and writes a file to fill in.
 *
 *     cc draw_sample.c -o draw_sample -lintervale && ./draw_sample RUN... >judge.txt
 *
 * Once judged, `intervale eval judge.txt RUN...` estimates what the measures
 * would be if everything were; in C, see intervale/estimate.h.
 */
#include <intervale/sampling.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const size_t count = argc > 1 ? (size_t)argc - 1 : 0;
    const iv_sample_options options = { .budget = 20 };
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];
    iv_frame *frame = NULL;
    iv_sample *sample = NULL;
    int status = EXIT_FAILURE;

    if (count == 0) {
        fprintf(stderr, "usage: draw_sample RUN...\n");
        return EXIT_FAILURE;
    }
    iv_run **runs = calloc(count, sizeof(iv_run *));
    if (runs == NULL
        || iv_runs_load(runs, (const char *const *)argv + 1, count, IV_RUN_ANY, NULL, &err)
            != IV_OK
        || iv_frame_new(&frame, (const iv_run *const *)runs, count, 0, NULL, &err)
            != IV_OK
        || iv_sample_draw(&sample, frame, &options, NULL, &err) != IV_OK
        || iv_sample_write(stdout, sample, NULL, 0, &err) != IV_OK)
        goto done;

    for (size_t t = 0; t < iv_sample_topics(sample); t++) {
        const iv_sample_topic topic = iv_sample_topic_at(sample, t);
        fprintf(stderr, "topic %.*s: %zu of %zu documents\n", (int)topic.topic.len,
                topic.topic.ptr, topic.count, topic.frame);
    }
    status = EXIT_SUCCESS;
done:
    if (status != EXIT_SUCCESS)
        fprintf(stderr, "draw_sample: %s\n", iv_err_text(text, &err));
    iv_sample_free(sample); /* before the frame, which comes before the runs */
    iv_frame_free(frame);
    for (size_t r = 0; runs != NULL && r < count; r++)
        iv_run_free(runs[r]);
    free(runs);
    return status;
}
