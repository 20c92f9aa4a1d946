/* SPDX-License-Identifier: Apache-2.0 */
/*
 * infAP, infNDCG, inferred precision and counts, as TREC's sample_eval has
 * them: the documents of a stratum that the ranking shows are taken to be
 * relevant as often as the judged ones among them.
 *
 * Ref: Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling
 * method for estimating AP and NDCG, SIGIR; for one uniform sample Yilmaz and
 * Aslam (2006), Estimating average precision with incomplete and imperfect
 * judgments, CIKM.
 */
#include "estimate/evaluation_parts.h"

#include <math.h>

enum { DEEPEST = 1000 }; /* documents of a ranking that sample_eval looks at */

static const double epsilon = 1e-5; /* smooths 0/0 */

static void forget(const iv_sampled_worker *w)
{
    for (size_t s = 0; s < w->stratum_count; s++)
        w->strata[s].pooled = w->strata[s].judged = w->strata[s].relevant
            = w->strata[s].gain = 0.0;
}

static void see(const iv_sampled_worker *w, const iv_inferred_hit *h)
{
    iv_inferred_stratum *s = &w->strata[h->stratum];

    s->pooled += 1.0;
    if (h->grade < 0)
        return;
    s->judged += 1.0;
    s->relevant += h->grade >= w->view.level;
    if (h->grade > 0)
        s->gain += (double)h->grade / log2((double)h->rank + 1.0);
}

/* Relevant documents among those seen. */
static double expected_relevant(const iv_sampled_worker *w)
{
    double sum = 0.0;

    for (size_t i = 0; i < w->stratum_count; i++) {
        const iv_inferred_stratum *s = &w->strata[i];
        sum += s->pooled * ((s->relevant + epsilon) / (s->judged + 3.0 * epsilon));
    }
    return sum;
}

/* The same with one stratum, smoothed as trec_eval does. */
static double expected_uniform(const iv_sampled_worker *w)
{
    const iv_inferred_stratum *s = &w->strata[0];

    return s->pooled * ((s->relevant + epsilon) / (s->judged + 2.0 * epsilon));
}

static double average_precision(const iv_sampled_worker *w, bool uniform)
{
    double sum = 0.0;

    forget(w);
    for (size_t k = 0; k < w->hit_count; k++) {
        const iv_inferred_hit *h = &w->hits[k];
        if (h->rank > DEEPEST && !uniform)
            break;
        if (h->grade >= w->view.level) {
            const iv_inferred_stratum *s = &w->strata[h->stratum];
            const double above = h->rank == 1 ? 0.0
                : uniform ? expected_uniform(w) : expected_relevant(w);
            sum += (1.0 + above) / (double)h->rank * (s->size / s->sampled);
        }
        see(w, h);
    }
    return w->relevant > 0.0 ? sum / w->relevant : 0.0;
}

/* Looks at the ranking down to a rank. */
static void look(const iv_sampled_worker *w, size_t cutoff)
{
    const size_t end = cutoff < DEEPEST ? cutoff : DEEPEST;

    forget(w);
    for (size_t k = 0; k < w->hit_count && w->hits[k].rank <= end; k++)
        see(w, &w->hits[k]);
}

static double ndcg(const iv_sampled_worker *w)
{
    double gain = 0.0, ideal = 0.0;
    size_t place = 0;

    look(w, DEEPEST);
    for (size_t i = 0; i < w->stratum_count; i++)
        if (w->strata[i].judged > 0.0)
            gain += w->strata[i].pooled * w->strata[i].gain / w->strata[i].judged;
    for (size_t g = w->grades; g > 0; g--) {
        const double whole = floor(w->grade_count[g - 1] + 0.5);
        for (double k = 0.0; k < whole && place < DEEPEST; k += 1.0)
            ideal += (double)g / log2((double)++place + 1.0);
    }
    return ideal > 0.0 ? gain / ideal : 0.0;
}

double iv_inferred(const iv_sampled_worker *w, iv_sampled_kind kind, size_t cutoff)
{
    switch (kind) {
    case IV_SAMPLED_INFAP:
        return average_precision(w, w->stratum_count == 1);
    case IV_SAMPLED_XINFAP:
        return average_precision(w, false);
    case IV_SAMPLED_INFNDCG:
        return ndcg(w);
    case IV_SAMPLED_IP:
        look(w, cutoff);
        return expected_relevant(w) / (double)cutoff;
    case IV_SAMPLED_INUM_REL_RET:
        look(w, DEEPEST);
        return expected_relevant(w);
    default:
        return w->relevant;
    }
}
