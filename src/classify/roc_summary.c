/* SPDX-License-Identifier: Apache-2.0 */
/* What roc adds for classify: sentences on a threshold and on calibration, the confusion matrix. */
#include "base/err.h"
#include "classify/confusion.h"
#include "classify/roc_scoring.h"
#include "result/result_state.h"

#include <math.h>

static const double usual[] = { 0.5 };

void iv_roc_summary_asks(iv_roc_question *room, iv_roc_scoring *s)
{
    if (s->q->fixed.count > 0 || !s->probabilities)
        return;
    *room = *s->q;
    room->fixed = (iv_reals){ usual, 1 };
    s->q = room;
}

/* What the first threshold of a system gives; NULL: there is none. */
static const iv_roc_operating *operating_of(const iv_roc_scoring *s, const char *system)
{
    for (size_t i = 0; i < s->operating_count; i++)
        if (s->operating[i].system == system)
            return &s->operating[i];
    return NULL;
}

static int put_confusion(iv_result *out, const iv_roc_scoring *s, const char *best, iv_err *err)
{
    const char **names = iv_take(s->own, s->count + 2, sizeof *names);
    int64_t *counts = iv_take(s->own, 4 * s->count, sizeof *counts);

    IV_TRY(iv_taken(s->own, err));
    for (size_t k = 0; k < s->count; k++) {
        const iv_roc_operating *x = operating_of(s, s->systems[k].name);
        const size_t false_hits = x->flagged - x->hits;
        names[k] = s->systems[k].name;
        counts[4 * k] = (int64_t)(s->items - s->positives - false_hits);
        counts[4 * k + 1] = (int64_t)false_hits;
        counts[4 * k + 2] = (int64_t)(s->positives - x->hits);
        counts[4 * k + 3] = (int64_t)x->hits;
    }
    names[s->count] = s->q->positive != NULL ? "other" : "0";
    names[s->count + 1] = s->q->positive != NULL ? s->q->positive : "1";
    const iv_confusion c = { names, s->count, names + s->count, 2, counts,
                             s->q->confidence == 0.0 ? 0.95 : s->q->confidence, true };
    IV_TRY(iv_confusion_put(out, &c, err));
    iv_confusion_chart(out, &c, best);
    return IV_OK;
}

static void say_threshold(iv_wording *w, const iv_roc_scoring *s, const iv_roc_operating *x)
{
    const iv_evidence *r = &x->recall, *p = &x->precision;

    if (x->flagged == 0) {
        iv_say(w, " At threshold %.4g, %s flags no item.", x->threshold, x->system);
        return;
    }
    iv_say(w, " At threshold %.4g, %s finds %.0f %% of the positive items (%.10g %% interval %.0f "
           "%% to %.0f %%), and %.0f %% (%.0f %% to %.0f %%) of the items that it flags are "
           "positive.", x->threshold, x->system, 100.0 * r->estimate, iv_roc_percent(s->q),
           100.0 * r->lower, 100.0 * r->upper, 100.0 * p->estimate, 100.0 * p->lower,
           100.0 * p->upper);
}

/* Are probabilities too high or low on average, or else too far from the average or too near? */
static int say_calibration(iv_wording *w, const iv_roc_scoring *s, size_t k, iv_err *err)
{
    const char *name = s->systems[k].name;
    const iv_interval *slope = &s->reliability[k].slope;
    iv_interval x;

    IV_TRY(iv_roc_bias(&x, s, k, err));
    const bool high = x.lower > 0.0;
    if (high || x.upper < 0.0)
        iv_say(w, " The probabilities of %s are too %s, by %.3f on average (%.3f to %.3f)", name,
               high ? "high" : "low", fabs(x.value), high ? x.lower : -x.upper,
               high ? x.upper : -x.lower);
    else if (slope->upper < 1.0 || slope->lower > 1.0)
        iv_say(w, " The probabilities of %s are %s extreme%s (calibration slope %.2f, %.2f to "
               "%.2f)", name, slope->upper < 1.0 ? "too" : "not",
               slope->upper < 1.0 ? "" : " enough", slope->value, slope->lower, slope->upper);
    else
        iv_say(w, " No significant miscalibration of %s was found", name);
    iv_say(w, s->count > 1 ? "; table calibration has the other systems." : ".");
    return IV_OK;
}

int iv_roc_summarise(iv_result *out, const iv_roc_scoring *s, iv_err *err)
{
    size_t others, k = 0;
    const iv_roc_value *highest = iv_roc_highest(s, &others);
    const char *best = highest->system;
    const bool reversed = highest->is.upper < 0.5; /* then nothing else is worth saying */
    const iv_roc_operating *x = operating_of(s, best);
    iv_wording w = { .len = 0 };

    while (s->systems[k].name != best)
        k++;
    iv_say(&w, "%s", out->plain != NULL ? out->plain : "");
    if (x != NULL) {
        if (!reversed)
            say_threshold(&w, s, x);
        IV_TRY(put_confusion(out, s, best, err));
    } else {
        iv_say(&w, " --threshold X adds precision and recall.");
    }
    if (s->probabilities && !reversed)
        IV_TRY(say_calibration(&w, s, k, err));
    iv_result_answer(out, "%s", w.at);
    return IV_OK;
}
