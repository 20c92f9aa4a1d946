/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/pilot_training.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"

const double iv_pilot_levels[IV_PILOT_LEVELS] = { 0.55, 0.6, 0.65, 0.7, 0.75,
                                                  0.8, 0.85, 0.9, 0.95, 1.0 };

size_t iv_pilot_sizes(size_t out[IV_PILOT_SIZES], size_t most)
{
    static const size_t sizes[IV_PILOT_SIZES] = { 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100,
                                                  150, 200, 300, 500, 700, 1000, 1500, 2000 };
    size_t n = 0;

    for (size_t k = 0; k < IV_PILOT_SIZES && sizes[k] <= most; k++)
        out[n++] = sizes[k];
    return n;
}

void iv_pilot_draw(size_t *out, size_t n, const size_t *from, size_t count, iv_stream *s)
{
    if (n > count || !iv_draw_sequence(s, out, n, count)) {
        for (size_t k = 0; k < n; k++)
            out[k] = (size_t)iv_draw_below(s, count);
    }
    for (size_t k = 0; k < n && from != NULL; k++)
        out[k] = from[out[k]];
}

int iv_pilot_train(iv_pilot_row *rows, iv_paths *paths, const size_t *from, size_t count,
                   const size_t *sizes, size_t size_count, size_t replicates, uint64_t first,
                   const iv_work *work, iv_err *err)
{
    const size_t largest = size_count > 0 ? sizes[size_count - 1] : 0;
    size_t *topics = malloc((largest + 1) * sizeof *topics);
    int rc = topics == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t k = 0; k < size_count && rc == IV_OK; k++) {
        iv_pilot_row *of_size = rows + k * IV_PILOT_LEVELS;
        for (size_t l = 0; l < IV_PILOT_LEVELS; l++)
            of_size[l] = (iv_pilot_row){ .certainty = iv_pilot_levels[l], .topics = sizes[k],
                                         .samples = replicates };
        for (size_t r = 0; r < replicates && rc == IV_OK; r++) {
            const uint64_t sample = k * replicates + r;
            const double done = (double)sample / (double)(size_count * replicates);
            iv_stream s = iv_stream_start(iv_work_seed(work), IV_FOR_PILOT, first + sample);
            size_t judgments[IV_PILOT_LEVELS];
            iv_stage stage;
            rc = iv_check_work(work, done, err);
            if (rc != IV_OK)
                break;
            iv_pilot_draw(topics, sizes[k], from, count, &s);
            rc = iv_paths_judge(judgments, NULL, NULL, paths, topics, sizes[k],
                                iv_pilot_levels, IV_PILOT_LEVELS,
                                iv_work_part(&stage, work, done, done), err);
            for (size_t l = 0; rc == IV_OK && l < IV_PILOT_LEVELS; l++) {
                if (judgments[l] == SIZE_MAX)
                    continue;
                of_size[l].reached++;
                of_size[l].judgments += (double)judgments[l];
            }
        }
        for (size_t l = 0; l < IV_PILOT_LEVELS; l++)
            of_size[l].judgments /= fmax(1.0, (double)of_size[l].reached);
    }
    free(topics);
    return rc;
}

int iv_pilot_fit(iv_cost_model *out, size_t *left_out, iv_pilot_row *rows, size_t count,
                 iv_err *err)
{
    double *x = calloc(3 * count + 1, sizeof *x);
    size_t used = 0;

    if (x == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        if (2 * rows[i].reached < rows[i].samples)
            continue;
        x[used] = rows[i].certainty;
        x[count + used] = (double)rows[i].topics;
        x[2 * count + used] = rows[i].judgments;
        used++;
    }
    const int rc = iv_cost_fit(out, x, x + count, x + 2 * count, used, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        rows[i].fitted = iv_cost_judgments(out, rows[i].certainty, (double)rows[i].topics);
    if (rc == IV_OK && left_out != NULL)
        *left_out = count - used;
    free(x);
    return rc;
}
