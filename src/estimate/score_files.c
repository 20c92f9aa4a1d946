/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs: read, scored and let go, one a thread where there are enough. */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "estimate/scores.h"

/* What all threads share. */
typedef struct batch {
    iv_scores **out;
    const char *const *paths;
    size_t count;
    iv_run_format format;
    const iv_judgments *judgments;
    const iv_measures *measures;
    int32_t largest;
    const iv_scoring *options;
    size_t done;
    size_t failed; /* the first in the order of the files; count: none */
    int rc;
    iv_err err;
} batch;

static void score_file(batch *b, size_t i, int threads)
{
    iv_err err = { IV_OK, "" };
    iv_run *run = NULL;
    iv_scores *scores = NULL;
    size_t failed;

    #pragma omp atomic read
    failed = b->failed;
    if (failed < i)
        return;
    int rc = iv_run_load(&run, b->paths[i], b->format, &(iv_work){ .threads = threads }, &err);
    if (rc == IV_OK)
        rc = iv_score_named(&scores, b->paths[i], run, b->judgments, b->measures,
                            b->largest, b->options, threads, &err);
    iv_run_free(run);
    #pragma omp critical(iv_score_files)
    {
        b->out[i] = scores;
        if (rc != IV_OK && i < b->failed) {
            #pragma omp atomic write
            b->failed = i;
            b->rc = rc;
            b->err = err;
        }
        b->done++;
        if (b->options->progress.report != NULL)
            b->options->progress.report(b->options->progress.user,
                                        (double)b->done / (double)b->count);
    }
}

int iv_score_files(iv_scores **out, const char *const *paths, size_t count,
                   iv_run_format format, const iv_judgments *judgments,
                   const iv_measures *measures, const iv_scoring *options, iv_err *err)
{
    const int threads = iv_threads(options->threads);
    const int rc = iv_scores_check(judgments, measures, err);

    if (rc != IV_OK)
        return rc;
    batch b = { .out = calloc(count + 1, sizeof *b.out), .paths = paths, .count = count,
                .format = format, .judgments = judgments, .measures = measures,
                .largest = iv_largest_grade(judgments), .options = options,
                .failed = count };
    if (b.out == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    if (count >= 2 * (size_t)threads) {
        #pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (size_t i = 0; i < count; i++)
            score_file(&b, i, 1);
    } else {
        for (size_t i = 0; i < count; i++)
            score_file(&b, i, threads);
    }
    if (b.failed < count) {
        for (size_t i = 0; i < count; i++)
            iv_scores_free(b.out[i]);
        if (err != NULL)
            *err = b.err;
    } else {
        memcpy(out, b.out, count * sizeof *out);
    }
    free(b.out);
    return b.rc;
}
