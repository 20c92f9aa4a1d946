/* SPDX-License-Identifier: Apache-2.0 */
/* The study of sampling: its collection, and samples of it. */
#include "study/sampling_study.h"

#include <math.h>
#include <string.h>

const char *const *iv_sampling_method_names(void)
{
    static const char *const names[] = { "stevens", "pool", "infAP", "bpref", NULL };

    return names;
}

/* -------------------------------------------------------- the collection -- */

void iv_sampling_found_free(iv_sampling_found *f)
{
    iv_arena_free(&f->own);
}

static int set_options(iv_sampling_study *s, const iv_sampling_study_options *o, iv_err *err)
{
    static const int64_t usual[] = { 60, 100 };
    iv_sampling_study_options *x = &s->options;

    *x = *o;
    x->depth = o->depth == 0 ? 100 : o->depth;
    x->replicates = o->replicates == 0 ? 100 : o->replicates;
    x->resamples = o->resamples == 0 ? 1000 : o->resamples;
    x->confidence = o->confidence == 0.0 ? 0.95 : o->confidence;
    s->deepest = o->deepest == 0 ? 10 : o->deepest < 0 ? 0 : (size_t)o->deepest;
    if (o->judgments.count == 0)
        x->judgments = (iv_integers){ usual, 2 };
    if (o->no_coverage)
        x->judgments.count = 0;
    if (!(x->confidence > 0.0 && x->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", x->confidence);
    for (size_t i = 0; i < x->judgments.count; i++)
        if (x->judgments.at[i] < 2)
            return iv_fail(err, IV_EARG, "%lld judgments a topic, expected at least 2",
                           (long long)x->judgments.at[i]);
    return IV_OK;
}

static void describe(iv_sampling_study *s)
{
    iv_sampling_collection *c = &s->found.collection;

    c->topics = s->topics;
    c->without = s->known->without;
    for (size_t t = 0; t < s->topics; t++) {
        c->documents += s->known->topics[t].count;
        c->relevant += s->known->topics[t].known_count;
        c->outside += s->known->topics[t].outside;
    }
    for (size_t r = 0; r < s->runs; r++) {
        c->contributors += !s->excluded[r];
        for (size_t t = 0; t < s->topics; t++) {
            const double ap = iv_known_ap(&s->known->topics[t],
                                          iv_known_ranking(s->known, r, t));
            s->truth[r * s->topics + t] = ap;
            s->mean[r] += ap / (double)s->topics;
        }
    }
}

/* The frame of the runs that contribute, and where all runs rank it. */
static int make_collection(iv_sampling_study *s, const iv_run *const *runs,
                           const iv_sampling *judged, const iv_work *work, iv_err *err)
{
    const iv_sampling_study_options *o = &s->options;
    const iv_frame_options how = { .depth = o->depth };
    const iv_run **used = iv_take(&s->own, s->runs, sizeof(const iv_run *));
    iv_stage still; /* as long as it takes, but it may be stopped */
    size_t count = 0;

    s->excluded = iv_take(&s->own, s->runs, sizeof *s->excluded);
    IV_TRY(iv_taken(&s->own, err));
    for (size_t r = 0; r < s->runs; r++) {
        s->excluded[r] = o->excluded != NULL && o->excluded[r];
        if (!s->excluded[r])
            used[count++] = runs[r];
    }
    (void)iv_work_part(&still, work, 0.0, 0.0);
    IV_TRY(iv_frame_new(&s->frame, used, count, &how, &still.work, err));
    IV_TRY(iv_known_frame_new(&s->known, s->frame, judged, runs, s->runs, false, false, &still.work,
                              err));
    s->topics = s->known->topic_count;
    s->truth = iv_take(&s->own, s->runs * s->topics, sizeof *s->truth);
    s->mean = iv_take(&s->own, s->runs, sizeof *s->mean);
    IV_TRY(iv_taken(&s->own, err));
    describe(s);
    return IV_OK;
}

int iv_sampling_study_run(iv_sampling_found *out, const iv_run *const *runs, size_t count,
                          const iv_sampling *judged, const iv_sampling_study_options *o,
                          const iv_work *work, iv_err *err)
{
    iv_sampling_study s = { .seed = iv_work_seed(work), .all = runs, .runs = count };
    iv_stage stage;
    int rc = set_options(&s, o, err);

    if (rc == IV_OK)
        rc = make_collection(&s, runs, judged, work, err);
    if (rc == IV_OK && s.deepest > 0)
        rc = iv_study_errors(&s, iv_work_part(&stage, work, 0.0, 0.5), err);
    if (rc == IV_OK && s.options.judgments.count > 0)
        rc = iv_study_covers(&s, iv_work_part(&stage, work, 0.5, 1.0), err);
    if (rc == IV_OK)
        *out = s.found;
    else
        iv_sampling_found_free(&s.found);
    iv_known_frame_free(s.known);
    iv_frame_free(s.frame);
    iv_arena_free(&s.own);
    return rc;
}

/* ------------------------------------------------------ complete judgments -- */

int iv_judged_runs_load(iv_judged_runs *out, iv_result *result, const char *qrels,
                        iv_texts runs, const iv_work *work, iv_err *err)
{
    const iv_work quiet = iv_work_quiet(work);

    IV_TRY(iv_run_input_read(&out->in, result, &(iv_source){ .runs = runs }, &quiet, err));
    IV_TRY(iv_judgments_load(&out->judgments, qrels, IV_JUDGMENTS_ANY, &quiet, err));
    if (iv_judgments_format_of(out->judgments) != IV_JUDGMENTS_QRELS
        && iv_judgments_format_of(out->judgments) != IV_JUDGMENTS_BEIR)
        return iv_fail_at(err, IV_EARG, qrels, 0, "the judgments are a sample; the truth of a "
                          "study must be complete");
    IV_TRY(iv_sampling_new(&out->judged, out->judgments, qrels, IV_UNJUDGED_NONRELEVANT, err));
    iv_result_input(result, qrels, iv_judgments_bytes(out->judgments));
    return IV_OK;
}

void iv_judged_runs_free(iv_judged_runs *c)
{
    iv_run_input_free(&c->in);
    iv_sampling_free(c->judged);
    iv_judgments_free(c->judgments);
}
