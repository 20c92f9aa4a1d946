/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage at any cut-off of a ranking when the sample was drawn apart from
 * each side of one of them: three strata, two of which share a sample.
 */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "intervale/num.h"
#include "study/recall_study.h"

enum { PARTS = 3 };

typedef struct job {
    int64_t size[PARTS], relevant[PARTS]; /* down the ranking */
    size_t retrieved; /* parts above the cut-off: 1 or 2 */
    size_t above;     /* parts above the border of the sample */
    int64_t drawn[2]; /* above and below it */
    iv_recall_options options;
    const iv_recall_study_options *o;
    iv_recall_interval *intervals;
    size_t done;
    int rc;
    iv_err err;
} job;

/* Draws `drawn` documents from two parts together, some from each. */
static void share(iv_stream *s, const job *j, int64_t sampled[PARTS], size_t first,
                  int64_t drawn)
{
    const int64_t size = j->size[first], other = j->size[first + 1];

    if (size == 0 || other == 0) {
        sampled[first] = size == 0 ? 0 : drawn;
        sampled[first + 1] = drawn - sampled[first];
        return;
    }
    do
        sampled[first] = iv_draw_hyper(s, size + other, size, drawn);
    while (sampled[first] == 0 || sampled[first] == drawn);
    sampled[first + 1] = drawn - sampled[first];
}

static int one_sample(const job *j, size_t i, iv_recall_posterior *w, iv_err *err)
{
    iv_stream s = iv_stream_start(j->o->seed, IV_FOR_STUDY, (uint64_t)3 << 60 | i);
    int64_t sampled[PARTS] = { j->drawn[0], 0, j->drawn[1] };
    iv_stratum strata[PARTS];
    size_t used = 0, retrieved = 0;

    share(&s, j, sampled, j->above == 2 ? 0 : 1, j->drawn[j->above == 2 ? 0 : 1]);
    for (size_t k = 0; k < PARTS; k++) {
        if (j->size[k] == 0)
            continue;
        strata[used++] = (iv_stratum){ j->size[k], sampled[k],
                                       iv_draw_hyper(&s, j->size[k], j->relevant[k],
                                                     sampled[k]) };
        retrieved += k < j->retrieved;
    }
    const iv_segments data = { strata, strata + retrieved, retrieved, used - retrieved };
    return iv_recall_interval_of(&j->intervals[i], &data, &j->options, w, err);
}

static void work(job *j)
{
#pragma omp parallel num_threads(iv_threads(j->o->threads))
    {
        iv_err err = { IV_OK, "" };
        iv_recall_posterior *w = NULL;
        int rc = iv_recall_posterior_new(&w, &err);
#pragma omp for schedule(dynamic, 16)
        for (size_t i = 0; i < j->o->samples; i++) {
            if (rc == IV_OK)
                rc = one_sample(j, i, w, &err);
#pragma omp critical(iv_recall_apart_tell)
            {
                j->done++;
                if (rc < 0 && j->rc == IV_OK) {
                    j->rc = rc;
                    j->err = err;
                }
                if (j->o->progress.report != NULL)
                    j->o->progress.report(j->o->progress.user,
                                          (double)j->done / (double)j->o->samples);
            }
        }
        iv_recall_posterior_free(w);
    }
}

static void sum_up(iv_recall_coverage *out, const job *j)
{
    const iv_five_numbers unknown = { NAN, NAN, NAN, NAN, NAN };
    const double n = (double)j->o->samples;
    double yield = 0.0, all = 0.0;

    for (size_t k = 0; k < PARTS; k++) {
        all += (double)j->relevant[k];
        yield += k < j->retrieved ? (double)j->relevant[k] : 0.0;
    }
    *out = (iv_recall_coverage){ .coverages = unknown, .belows = unknown, .aboves = unknown,
                                 .closest = NAN };
    for (size_t i = 0; i < j->o->samples; i++) {
        out->width += (j->intervals[i].upper - j->intervals[i].lower) / n;
        out->below += yield / all < j->intervals[i].lower;
        out->above += yield / all > j->intervals[i].upper;
    }
    out->coverage = (n - out->below - out->above) / n;
    out->below /= n;
    out->above /= n;
    out->rmse = fabs(out->coverage - j->o->confidence);
}

static bool sensible(const job *j, const iv_recall_ranking *r)
{
    for (size_t k = 0; k < PARTS; k++) {
        if (j->size[k] < 0 || j->relevant[k] < 0 || j->relevant[k] > j->size[k])
            return false;
    }
    /* What two parts share must be able to leave one to each. */
    const int64_t shared = r->cutoff == r->drawn_at ? 1 : 2;
    return r->cutoff >= 1 && r->drawn_at >= 1 && j->size[2] >= 1
        && r->above <= r->drawn_at && r->below <= r->documents - r->drawn_at
        && r->above >= (r->cutoff < r->drawn_at ? shared : 1)
        && r->below >= (r->cutoff > r->drawn_at ? shared : 1)
        && j->relevant[0] + j->relevant[1] + j->relevant[2] >= 1;
}

int iv_recall_apart_study(iv_recall_coverage *out, const iv_recall_ranking *r,
                          iv_recall_method method, const iv_recall_study_options *o, iv_err *err)
{
    const int64_t first = r->cutoff < r->drawn_at ? r->cutoff : r->drawn_at;
    const int64_t second = r->cutoff < r->drawn_at ? r->drawn_at : r->cutoff;
    job j = { .size = { first, second - first, r->documents - second },
              .relevant = { r->relevant[0], r->relevant[1], r->relevant[2] },
              .retrieved = r->cutoff > r->drawn_at ? 2 : 1,
              .above = r->cutoff < r->drawn_at ? 2 : 1, .drawn = { r->above, r->below },
              .options = { .method = method, .confidence = o->confidence }, .o = o };

    if (o->samples == 0 || !sensible(&j, r))
        return iv_fail(err, IV_EARG, "a study needs samples, and two sides to draw them from");
    j.intervals = malloc(o->samples * sizeof *j.intervals);
    if (j.intervals == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu samples", o->samples);
    work(&j);
    if (j.rc < 0 && err != NULL)
        *err = j.err;
    if (j.rc == IV_OK)
        sum_up(out, &j);
    free(j.intervals);
    return j.rc;
}
