/* SPDX-License-Identifier: Apache-2.0 */
/* What roc adds for classify: sentences on a threshold and on calibration, the confusion matrix. */
#include "base/err.h"
#include "classify/confusion.h"
#include "classify/roc_scoring.h"
#include "result/result_state.h"
#include "stat/group_gaps.h"

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

static int put_confusion(iv_result *out, const iv_roc_scoring *s, iv_err *err)
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
                             s->q->confidence == 0.0 ? 0.95 : s->q->confidence, false };
    IV_TRY(iv_confusion_put(out, &c, err));
    iv_confusion_chart(out, &c);
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
    const double tail = 0.5 - 0.005 * iv_roc_percent(s->q);
    const iv_interval *slope = &s->reliability[k].slope;
    double *over = iv_take(s->own, s->items, sizeof *over);

    IV_TRY(iv_taken(s->own, err));
    for (size_t i = 0; i < s->items; i++)
        over[i] = s->systems[k].scores[i] - (s->positive[i] ? 1.0 : 0.0);
    const iv_group_value g = iv_group_mean(over, s->items);
    const iv_limits l = g.limits != NULL ? g.limits(&g, tail) : (iv_limits){ NAN, NAN };
    if (l.lower > 0.0)
        iv_say(w, " Its probabilities are too high, by %.3f on average (%.3f to %.3f).", g.value,
               l.lower, l.upper);
    else if (l.upper < 0.0)
        iv_say(w, " Its probabilities are too low, by %.3f on average (%.3f to %.3f).", -g.value,
               -l.upper, -l.lower);
    else if (slope->upper < 1.0)
        iv_say(w, " Its probabilities are too extreme (calibration slope %.2f, %.2f to %.2f).",
               slope->value, slope->lower, slope->upper);
    else if (slope->lower > 1.0)
        iv_say(w, " Its probabilities are not extreme enough (calibration slope %.2f, %.2f to "
               "%.2f).", slope->value, slope->lower, slope->upper);
    else
        iv_say(w, " No significant miscalibration of its probabilities was found.");
    return IV_OK;
}

int iv_roc_summarise(iv_result *out, const iv_roc_scoring *s, iv_err *err)
{
    size_t others, k = 0;
    const char *best = iv_roc_highest(s, &others)->system;
    const iv_roc_operating *x = operating_of(s, best);
    iv_wording w = { .len = 0 };

    while (s->systems[k].name != best)
        k++;
    iv_say(&w, "%s", out->plain != NULL ? out->plain : "");
    if (x != NULL) {
        say_threshold(&w, s, x);
        IV_TRY(put_confusion(out, s, err));
    } else {
        iv_say(&w, " --threshold X adds precision and recall.");
    }
    if (s->probabilities)
        IV_TRY(say_calibration(&w, s, k, err));
    iv_result_answer(out, "%s", w.at);
    return IV_OK;
}
