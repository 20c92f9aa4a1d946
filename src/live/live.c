/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers as they stand: of a review, a sample, a queue; agreement of assessors. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "intervale/retrieval.h"
#include "live/live.h"
#include "live/live_review.h"
#include "num/dist.h"
#include "result/wording.h"
#include "stat/agreement.h"
#include "stat/sequential/anytime.h"
#include "stat/sequential/interim.h"
#include "stat/sequential/judged_order.h"
#include "stat/sequential/stopping.h"
#include "store/combined.h"
#include "store/entries.h"
#include "store/overview.h"
#include "store/queue.h"
#include "store/restore.h"
#include "store/upkeep.h"
#include "trec/judgments.h"

#include <math.h>
#include <stdlib.h>

#define IV_LIVE_CONFIDENCE 0.95

/* The numbers as they stand, whatever is judged. */

/* A review while it is judged.  The order was settled by chance beforehand, so that the first
 * documents of it are a sample, and a look at so many of them can be told at any time later. */

int iv_live_read_review(iv_live_review *out, iv_arena *a, iv_store *s, iv_err *err)
{
    iv_live_review r = { 0 };

    IV_TRY(iv_store_strata(&r.strata, a, s, s->path, err));
    r.count = r.strata->row_count;
    size_t *place = iv_take(a, r.count + 1, sizeof *place), at = 0;
    r.cells = iv_take(a, r.count + 1, sizeof *r.cells);
    if (place == NULL || r.cells == NULL)
        return iv_no_memory(err);
    for (int side = 1; side >= 0; side--) {
        const size_t first = at;
        for (size_t k = 0; k < r.count; k++)
            if (r.strata->retrieved[k] == (side == 1))
                place[k] = at++;
        *(side == 1 ? &r.segments.retrieved : &r.segments.unretrieved) = r.cells + first;
        *(side == 1 ? &r.segments.retrieved_count : &r.segments.unretrieved_count) = at - first;
    }
    r.place = place;
    *out = r;
    return IV_OK;
}

void iv_live_count_review(iv_live_review *r, const iv_combined *c, size_t items, int32_t level)
{
    for (size_t k = 0; k < r->count; k++)
        r->cells[r->place[k]] = (iv_stratum){ r->strata->rows[k].size, 0, 0 };
    for (size_t i = 0; i < items; i++) {
        iv_stratum *cell = &r->cells[r->place[c->stratum[i]]];
        cell->sampled++;
        cell->relevant += c->grade[i] >= level;
    }
}

/* Has every stratum a judged document? */
bool iv_live_all_seen(const iv_live_review *r)
{
    for (size_t k = 0; k < r->count; k++)
        if (r->cells[k].sampled == 0)
            return false;
    return r->count > 0;
}

static int interval(iv_limits *out, const iv_live_review *r, const iv_recall_options *o,
                    iv_err *err)
{
    iv_recall_posterior *p = NULL;
    int rc = iv_recall_posterior_new(&p, err);

    if (rc == IV_OK)
        rc = iv_recall_interval_of(out, &r->segments, o, p, err);
    iv_recall_posterior_free(p);
    if (rc == IV_ENODATA) { /* everything is judged and nothing is relevant */
        *out = (iv_limits){ NAN, NAN };
        *err = (iv_err){ .code = IV_OK };
        return IV_OK;
    }
    return rc;
}

static int recall_of(iv_live_value *out, const iv_live_review *r, iv_err *err)
{
    const iv_recall_options o = { .confidence = IV_LIVE_CONFIDENCE };
    iv_limits i = { NAN, NAN };

    (void)snprintf(out->of, sizeof out->of, "recall");
    out->value = NAN;
    if (iv_live_all_seen(r)) {
        IV_TRY(interval(&i, r, &o, err));
        out->value = iv_recall_estimate(&r->segments);
    }
    out->lower = i.lower;
    out->upper = i.upper;
    return IV_OK;
}

/* --------------------------------------------------------- guaranteed -- */

/* The blocks that are whole: every stratum that is not finished has one in each. */
static int whole_blocks(iv_review_blocks *out, iv_arena *a, const iv_live_review *r,
                        const iv_combined *c, size_t prefix, int32_t level, iv_err *err)
{
    const size_t blocks = c->count > 0 ? (size_t)c->block[c->count - 1] + 1 : 0;
    int64_t *size = iv_take(a, r->count + 1, sizeof *size);
    int64_t *drawn = iv_take(a, (blocks + 1) * r->count, sizeof *drawn);
    int64_t *found = iv_take(a, (blocks + 1) * r->count, sizeof *found);

    IV_TRY(iv_taken(a, err));
    for (size_t k = 0; k < r->count; k++)
        size[k] = r->strata->rows[k].size;
    for (size_t i = 0; i < prefix; i++) {
        const size_t at = c->block[i] * r->count + c->stratum[i];
        drawn[at]++;
        found[at] += c->grade[i] >= level;
    }
    /* The block in which the next document stands is not whole. */
    const size_t whole = prefix == c->count ? blocks : c->block[prefix];
    *out = (iv_review_blocks){ size, r->strata->retrieved, drawn, found, r->count, whole };
    return IV_OK;
}

static int guarantee(iv_live *out, iv_arena *a, const iv_live_review *r, const iv_combined *c,
                     int32_t level, iv_err *err)
{
    iv_review_blocks b;
    iv_limits limits = { 0.0, 1.0 };
    double log_e = 0.0;

    IV_TRY(whole_blocks(&b, a, r, c, out->prefix, level, err));
    if (b.count > 0)
        IV_TRY(iv_recall_anytime(&limits, &b, IV_LIVE_CONFIDENCE, true, err));
    out->has_guaranteed = true;
    while (out->whole < out->prefix && c->block[out->whole] < b.count)
        out->whole++;
    out->guaranteed = limits.lower;
    out->guaranteed_upper = limits.upper;
    if (out->target > 0.0) {
        if (b.count > 0)
            IV_TRY(iv_recall_evidence(&log_e, &b, out->target, false, err));
        out->evidence = exp(fmin(log_e, 700.0));
    }
    return IV_OK;
}

/* --------------------------------------------------------------- plan -- */

/* Documents judged at look k of a plan, from 1. */
size_t iv_live_look_at(const iv_live *l, size_t k)
{
    return (l->items * k + l->looks - 1) / l->looks;
}

_Static_assert((int)IV_LIVE_LOOKS == (int)IV_LOOKS_MOST, "all interim analyses have room");

static int follow_plan(iv_live *out, iv_live_review *r, const iv_combined *c, int32_t level,
                       iv_err *err)
{
    iv_look looks[IV_LOOKS_MOST];
    iv_limits limits = { NAN, NAN };
    size_t taken = 0;

    while (taken < out->looks && out->prefix >= iv_live_look_at(out, taken + 1))
        taken++;
    out->look = taken < out->looks ? taken + 1 : taken;
    out->look_at = iv_live_look_at(out, out->look);
    IV_TRY(iv_looks_of(looks, NULL, out->looks, IV_LOOKS_OBRIEN_FLEMING,
                       1.0 - IV_LIVE_CONFIDENCE, err));
    for (size_t k = 0; k < out->looks; k++) {
        out->look_error[k] = looks[k].error;
        out->look_limit[k] = NAN;
    }
    for (size_t k = 1; k <= taken; k++) {
        const iv_recall_options o = { .method = IV_RECALL_EXACT, .one_sided = true,
                                      .confidence = 1.0 - looks[k - 1].error };
        iv_live_count_review(r, c, iv_live_look_at(out, k), level);
        if (!iv_live_all_seen(r) || looks[k - 1].error < 1e-9)
            continue;
        IV_TRY(interval(&limits, r, &o, err));
        out->look_limit[k - 1] = limits.lower;
        if (out->may_stop)
            continue; /* an earlier one has decided */
        out->judged_at_last = iv_live_look_at(out, k);
        out->look_lower = limits.lower;
        out->may_stop = limits.lower >= out->target && out->target > 0.0;
    }
    iv_live_count_review(r, c, out->prefix, level);
    return IV_OK;
}

void iv_live_say_early(iv_wording *w, const iv_live *l)
{
    char limit[IV_FIGURE_SIZE];
    size_t k = 1, last = l->looks;

    if (!l->may_stop || l->looks == 0 || l->judged_at_last == l->items)
        return;
    while (k < l->looks && iv_live_look_at(l, k) < l->judged_at_last)
        k++;
    while (last > k && isnan(l->look_limit[last - 1]))
        last--;
    iv_say(w, " by the first %s documents (analysis %zu of %zu)", IV_COUNT(l->judged_at_last), k,
           l->looks);
    if (last > k)
        iv_say(w, ", %s by %s %s (analysis %zu of %zu)",
               iv_percent_limit(limit, l->look_limit[last - 1], l->target, false),
               last == l->looks ? "all" : "the first", IV_COUNT(iv_live_look_at(l, last)), last,
               l->looks);
}

/* ------------------------------------------------------------- together -- */

/* Of the first documents in the order, those whose grade may still change. */
static size_t undecided(const iv_combined *c, size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count && i < c->count; i++)
        n += c->state[c->order[i]] != IV_DECIDED;
    return n;
}

/* The promise is of the grades that count in the end: no stop before they are decided. */
static void decide_first(iv_live *l)
{
    iv_wording w = { 0 };

    l->may_stop = false;
    iv_review_verdict_say(&w, &l->review);
    (void)snprintf(l->verdict, sizeof l->verdict, "%.*s", (int)sizeof l->verdict - 1, w.at);
    (void)snprintf(l->advice, sizeof l->advice, "%s Decide these first.", l->verdict);
}

/* The p-value of random order within strata of the first `items`. */
static int order_of(double *out, iv_arena *a, const iv_live_review *r, const iv_combined *c,
                    size_t items, int32_t level, iv_err *err)
{
    iv_judged_order *order = iv_take(a, r->count + 1, sizeof *order);

    if (order == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < items; i++)
        iv_judged_order_add(&order[c->stratum[i]], c->grade[i] >= level);
    *out = iv_judged_order_p(order, r->count);
    return IV_OK;
}

/* What comes next, behind the verdict. */
static void go_on(char *out, size_t size, const iv_live *l, iv_store_stop stop)
{
    const bool enough = stop == IV_STORE_STOP_ANYTIME && l->evidence >= l->evidence_needed;
    iv_wording early = { 0 };

    iv_live_say_early(&early, l);
    if (l->may_stop)
        (void)snprintf(out, size, "%s%.140s%s You may stop.", early.len > 0 ? " The limit is" : "",
                       early.at, early.len > 0 ? "." : "");
    else if (l->undecided == 0 && l->review.order < IV_CHECK_P)
        (void)snprintf(out, size, " Judge a sample of the documents again.");
    else if (l->undecided > 0 && enough)
        (void)snprintf(out, size, " Decide these first.");
    else if (l->open == 0 && l->conflicts > 0)
        (void)snprintf(out, size, " Decide the disagreements.");
    else if (l->open == 0)
        out[0] = '\0'; /* nothing is left to do */
    else if (stop == IV_STORE_STOP_PLAN)
        (void)snprintf(out, size, " Continue the review: interim analysis %zu of %zu is after the "
                       "first %zu documents of the list; the first %zu are judged.", l->look,
                       l->looks, l->look_at, l->prefix);
    else if (stop == IV_STORE_STOP_ANYTIME)
        (void)snprintf(out, size, " Continue the review: the target is demonstrated when its "
                       "e-value reaches %g; it is %.3g.", l->evidence_needed, l->evidence);
    else
        (void)snprintf(out, size, " Continue the review: the sample is judged when all %zu "
                       "documents are.", l->items);
}

/* One-sided limits of everything that is judged, for a sample that is complete. */
static int final_limits(iv_limits *out, const iv_live *l, const iv_live_review *r, iv_err *err)
{
    const iv_recall_options o = { .method = IV_RECALL_EXACT, .one_sided = true,
                                  .confidence = IV_LIVE_CONFIDENCE };

    *out = (iv_limits){ 0.0, 1.0 };
    if (l->prefix < l->items || !iv_live_all_seen(r))
        return IV_OK;
    IV_TRY(interval(out, r, &o, err));
    if (isnan(out->lower))
        *out = (iv_limits){ 0.0, 1.0 };
    return IV_OK;
}

/* The verdict on the target, by the session's rule: limits at any time; the lower limit of planned
 * interim analyses, and the upper one when all is judged; or both when all is judged. */
static int advise(iv_live *l, iv_arena *a, const iv_live_review *r, const iv_combined *c,
                  const iv_store_about *about, iv_err *err)
{
    iv_review_verdict v = { .target = l->target, .confidence = IV_LIVE_CONFIDENCE };
    iv_wording w = { 0 };
    iv_limits final;

    if (l->target == 0.0)
        return IV_OK;
    IV_TRY(final_limits(&final, l, r, err));
    (void)snprintf(v.rule, sizeof v.rule, "%s", iv_store_stop_names()[about->stop]);
    v.lower = final.lower;
    v.upper = final.upper;
    if (about->stop == IV_STORE_STOP_PLAN) {
        (void)snprintf(v.rule, sizeof v.rule, "plan:%zu", l->looks);
        v.lower = isnan(l->look_lower) ? 0.0 : l->look_lower;
    } else if (about->stop == IV_STORE_STOP_ANYTIME) {
        v.lower = l->guaranteed;
        v.upper = l->guaranteed_upper;
    }
    for (size_t i = 0; i < r->count; i++) {
        v.judged += r->cells[i].sampled;
        v.relevant += r->cells[i].relevant;
    }
    l->ruled = about->stop == IV_STORE_STOP_PLAN ? l->judged_at_last
        : about->stop == IV_STORE_STOP_ANYTIME ? l->whole : l->prefix;
    l->undecided = undecided(c, about->stop == IV_STORE_STOP_PLAN && !l->may_stop ? l->prefix
                             : l->ruled);
    l->lower = v.lower > 0.0 ? v.lower : (double)NAN;
    l->upper = v.upper < 1.0 ? v.upper : (double)NAN;
    v.undecided = (int64_t)l->undecided;
    v.order = 1.0;
    if (about->stop == IV_STORE_STOP_PLAN || about->stop == IV_STORE_STOP_ANYTIME)
        IV_TRY(order_of(&v.order, a, r, c, l->prefix, about->level, err));
    l->invalid = v.order < IV_CHECK_P;
    iv_review_verdict_decide(&v);
    l->may_stop = v.verdict == IV_VERDICT_SHOWN;
    if (l->may_stop && l->looks > 0) /* the upper limit is of all documents, and does not decide */
        l->upper = NAN;
    l->review = v;
    iv_review_verdict_say(&w, &v);
    (void)snprintf(l->verdict, sizeof l->verdict, "%.*s", (int)sizeof l->verdict - 1, w.at);
    char next[200] = "";
    go_on(next, sizeof next, l, about->stop);
    (void)snprintf(l->advice, sizeof l->advice, "%s%s", l->verdict, next);
    return IV_OK;
}

/* With what is known before a judgment is read. */
static iv_live live_start(iv_store *s)
{
    return (iv_live){ .seq = iv_store_seq(s), .confidence = IV_LIVE_CONFIDENCE,
                      .target = iv_store_about_of(s)->target, .items = iv_store_about_of(s)->items,
                      .guaranteed = NAN, .evidence = NAN,
                      .evidence_needed = round(1.0 / (1.0 - IV_LIVE_CONFIDENCE)),
                      .look_lower = NAN, .lower = NAN, .upper = NAN, .minutes_left = NAN,
                      .now = { "", NAN, NAN, NAN, NAN, 0 } };
}

static int of_review(iv_live *out, iv_arena *a, iv_store *s, const iv_combined *c, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    iv_live_review r;

    IV_TRY(iv_live_read_review(&r, a, s, err));
    out->prefix = iv_combined_prefix(c, 0, c->count, false);
    iv_live_count_review(&r, c, out->prefix, about->level);
    IV_TRY(recall_of(&out->now, &r, err));
    IV_TRY(guarantee(out, a, &r, c, about->level, err));
    if (about->stop == IV_STORE_STOP_PLAN) {
        out->looks = (size_t)about->stop_number;
        IV_TRY(follow_plan(out, &r, c, about->level, err));
    }
    return advise(out, a, &r, c, about, err);
}

int iv_live_ends(iv_live_end out[2], iv_arena *a, iv_store *s, const iv_combined *c, iv_err *err)
{
    iv_combined changed = *c;
    int32_t *grade = iv_take(a, c->count + 1, sizeof *grade);
    iv_live_review r;

    if (grade == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_live_read_review(&r, a, s, err));
    changed.grade = grade;
    for (int end = 0; end < 2; end++) {
        iv_live x = live_start(s);
        for (size_t i = 0; i < c->count; i++)
            grade[i] = c->grade[i] < 0 || c->state[i] == IV_DECIDED ? c->grade[i]
                : r.strata->retrieved[c->stratum[i]] == (end == 1) ? INT32_MAX : 0;
        IV_TRY(of_review(&x, a, s, &changed, err));
        out[end] = x.invalid ? (iv_live_end){ x.now.value, NAN, NAN }
                             : (iv_live_end){ x.now.value, x.lower, x.upper };
    }
    return IV_OK;
}

/* A sample while it is judged: how many relevant documents it stands for, over the topics of
 * which enough is judged.  The partial export is read and evaluated as eval does. */

/* eval asks for a run; the number of relevant documents is the same for all. */
static int any_run(iv_run **out, const iv_judgments *j, iv_err *err)
{
    const size_t count = iv_judgments_topics(j);
    iv_arena own = { 0 };
    iv_str *topics = iv_take(&own, count, sizeof *topics), *one = iv_take(&own, count, sizeof *one);
    int rc = iv_taken(&own, err);

    for (size_t t = 0; t < count && rc == IV_OK; t++) {
        topics[t] = iv_judgments_topic(j, t);
        one[t] = iv_str_of("document");
    }
    if (rc == IV_OK)
        rc = iv_run_build(out, "the session",
                          &(iv_run_columns){ count, { .strs = topics }, { .strs = one } }, NULL,
                          err);
    iv_arena_free(&own);
    return rc;
}

static int estimate(iv_live_value *out, iv_str text, int32_t level, const iv_work *work,
                    iv_err *err)
{
    static const char *const measures[] = { "num_rel" };
    /* What nobody could judge counts as not relevant, here. */
    const iv_evaluating how = { .measures = { measures, 1 }, .unjudged = IV_UNJUDGED_NONRELEVANT,
                                .measure.level = level == 0 ? IV_ZERO : level,
                                .resampling.confidence = IV_LIVE_CONFIDENCE };
    iv_judgments *j = NULL;
    iv_run *run = NULL;
    iv_evaluation *e = NULL;
    int rc = iv_judgments_parse(&j, "the session", text.ptr, text.len, IV_JUDGMENTS_PRELS, NULL,
                                err);

    if (rc == IV_OK)
        rc = any_run(&run, j, err);
    if (rc == IV_OK)
        rc = iv_evaluate(&e, &(iv_source){ .judged = j, .ranked = (const iv_run *const[]){ run },
                                           .ranked_count = 1 }, &how, work, err);
    if (rc == IV_OK) {
        const iv_evaluated *v = iv_evaluation_view(e);
        const iv_mean *m = &v->means[0];
        *out = (iv_live_value){ .value = m->value, .lower = v->certain ? m->value : m->lower,
                                .upper = v->certain ? m->value : m->upper };
        (void)snprintf(out->of, sizeof out->of, "relevant documents in %zu topic%s, estimated",
                       m->topics, m->topics == 1 ? "" : "s");
    }
    iv_evaluation_free(e);
    iv_run_free(run);
    iv_judgments_free(j);
    return rc;
}

static int of_sample(iv_live_value *out, size_t *prefix, iv_store *s, const char *combine,
                      const iv_work *work, iv_err *err)
{
    const iv_export_options o = { .form = IV_EXPORT_PRELS, .combine = combine, .or_others = true,
                                  .partial = true, .unchecked = true };
    char *text = NULL;
    size_t len = 0;
    iv_exported done;
    iv_err why = { 0 };
    FILE *f = open_memstream(&text, &len);

    *out = (iv_live_value){ "relevant documents, estimated", NAN, NAN, NAN, NAN, 0 };
    if (f == NULL)
        return iv_no_memory(err);
    int rc = iv_store_export(&done, f, s, &o, &why);
    if ((fclose(f) != 0 || text == NULL) && rc == IV_OK)
        rc = iv_no_memory(&why);
    if (rc == IV_OK) {
        *prefix = done.written;
        rc = estimate(out, (iv_str){ text, len }, iv_store_about_of(s)->level, work,
                      err);
    } else {
        rc = rc == IV_ENODATA ? IV_OK : iv_fail_as(err, &why); /* too early to tell */
    }
    free(text);
    return rc;
}

/* The numbers as they stand, whatever is judged. */

/* A control sample: where its relevant documents stand among the others, in rising order. */
typedef struct control {
    size_t *place, placed;
    size_t relevant; /* all of them, ranked or not */
    size_t open;     /* documents of it that are to be judged */
    size_t cannot;   /* documents of it that nobody could judge */
    size_t items;    /* of it, which are the first of the session; 0: it was judged before */
    size_t reached;  /* documents of the ranking that are judged, up to the first that is not */
    size_t met;      /* relevant ones that stand before that */
} control;

static int by_place(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return x < y ? -1 : x > y;
}

static int read_control(control *out, iv_arena *a, iv_store *s, const iv_combined *c, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    control k = { .items = c->control };
    iv_str known, count;
    int64_t before = 0;

    IV_TRY(iv_store_value(&known, a, s, "known", err));
    IV_TRY(iv_store_value(&count, a, s, "known_count", err));
    k.place = iv_take(a, known.len / 2 + 1, sizeof *k.place);
    if (k.place == NULL)
        return iv_no_memory(err);
    if (count.ptr != NULL && iv_scan_int(&before, count, 0, INT64_MAX))
        k.relevant = (size_t)before;
    k.reached = iv_combined_prefix(c, k.items, c->count - k.items, true);
    const char *at = known.ptr == NULL ? "" : known.ptr;
    char *end = NULL;
    for (size_t i = 0; ; i++, at = end) {
        const size_t place = strtoul(at, &end, 10);
        if (end == at)
            break;
        if (i < k.items) {
            k.open += c->grade[i] == IV_COMBINED_OPEN;
            k.cannot += c->grade[i] == IV_COMBINED_CANNOT;
            k.relevant += c->grade[i] >= about->level;
            if (c->grade[i] < about->level)
                continue;
        }
        k.place[k.placed++] = place;
        k.met += place <= k.reached;
    }
    qsort(k.place, k.placed, sizeof *k.place, by_place);
    *out = k;
    return IV_OK;
}

/* Are the control's relevant documents a random part of all that were found, by their ranks and
 * by their number (hypergeometric, where the control is of the session)? */
static double control_random(const control *k, const iv_combined *c, int32_t level)
{
    double sum = 0.0, count = 0.0, position = 0.0;
    size_t next = 0;

    for (size_t i = 0; i <= k->reached; i++) {
        for (; next < k->placed && k->place[next] <= i; next++) {
            position += 1.0;
            sum += position;
            count += 1.0;
        }
        if (i < k->reached)
            position += c->grade[c->order[k->items + i]] >= level;
    }
    const double order = iv_rank_sum_p(sum, count, position);
    if (k->items == 0)
        return order;
    return fmin(1.0, 2.0 * fmin(order, iv_hyper_sf((int64_t)count - 1, (int64_t)c->count,
                                                   (int64_t)k->items, (int64_t)position)));
}

/* Too few relevant ones to demonstrate the target, even if all are found. */
static void advise_few(iv_live *out, const control *k)
{
    const double least = (double)iv_store_control_least(out->target);
    char more[96] = "";

    if (k->items > 0 && k->relevant > 0)
        (void)snprintf(more, sizeof more, " (about %.0f more control documents at this rate)",
                       ceil((least / (double)k->relevant - 1.0) * (double)k->items));
    (void)snprintf(out->advice, sizeof out->advice, "The control sample has too few relevant "
                   "documents: %zu. To demonstrate a recall of %.10g %%, it needs %.0f%s. Instead, "
                   "judge the documents that are likely to be relevant, then a random sample of "
                   "the rest ('intervale judge rank --random').", k->relevant,
                   100.0 * out->target, least, more);
}

static void advise_open(iv_live *out, const control *k)
{
    (void)snprintf(out->advice, sizeof out->advice, "Continue the review: %zu of the %zu control "
                   "documents (a random sample, judged first) are judged. The stopping rule "
                   "applies once all %zu are judged, if at least %zu are relevant.",
                   k->items - k->open, k->items, k->items, iv_store_control_least(out->target));
}

static void advise_more(iv_live *out, const control *k, size_t needed)
{
    (void)snprintf(out->advice, sizeof out->advice, "Continue the review: %zu of the %zu relevant "
                   "control documents are ranked above the first unjudged document. At %zu, a "
                   "recall of %.10g %% is demonstrated (%.10g %% confidence, as the labels "
                   "stand%s).", k->met, k->relevant, needed, 100.0 * out->target,
                   100.0 * out->confidence, k->cannot == 0 ? "" : "; those that nobody could "
                   "judge count as relevant and not found");
}

/* Of the ranked documents up to the first that is not judged, those that nobody could judge: the
 * rule counts them as found. */
static size_t unread(const iv_combined *c, const control *k)
{
    size_t n = 0;

    for (size_t i = 0; i < k->reached; i++)
        n += c->grade[c->order[k->items + i]] == IV_COMBINED_CANNOT;
    return n;
}

/* A ranked review: how many relevant control documents are above the place it has reached? */
static int of_ranking(iv_live *out, iv_arena *a, iv_store *s, const iv_combined *c, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    control k = { 0 };

    IV_TRY(read_control(&k, a, s, c, err));
    out->control = k.items > 0 ? 0 : k.relevant;
    if (about->stop != IV_STORE_STOP_QBCB)
        return IV_OK;
    out->review = (iv_review_verdict){ IV_VERDICT_OPEN, "qbcb", out->target, out->confidence,
                                       .upper = 1.0, .order = 1.0 };
    const size_t needed = (size_t)iv_qbcb_needed((int64_t)(k.relevant + k.cannot), out->target,
                                                 out->confidence);
    out->qbcb = (iv_live_control){ k.items, k.open, k.relevant, k.met, needed, k.cannot };
    if (k.open > 0) {
        advise_open(out, &k);
        return IV_OK;
    }
    const double p = control_random(&k, c, about->level);
    out->invalid = p < IV_CHECK_P && c->open > 0;
    const bool passed = needed > 0 && k.met >= needed && p >= IV_CHECK_P;
    size_t restored = 0;
    IV_TRY(iv_store_restored_open(&restored, s, err));
    out->undecided = undecided(c, k.items + k.reached);
    const size_t skipped = unread(c, &k);
    const bool ends = passed || c->open == 0 || needed > k.relevant; /* judging more is no help */
    const size_t cannot = skipped + (passed ? 0 : k.cannot);
    out->may_stop = passed && restored == 0 && skipped == 0;
    out->review.lower = out->may_stop || (c->open == 0 && cannot == 0) ? out->target : 0.0;
    out->review.undecided = (int64_t)out->undecided;
    iv_review_verdict_decide(&out->review);
    if (out->may_stop && out->undecided > 0)
        decide_first(out);
    else if (passed && restored > 0)
        (void)snprintf(out->advice, sizeof out->advice, "Continue the review: the control sample "
                       "does not represent restored duplicates. Judge those left: %zu.", restored);
    else if (cannot > 0 && ends && !out->may_stop)
        (void)snprintf(out->advice, sizeof out->advice, "Continue the review: for the stopping "
                       "rule, the owner of the session grades the documents that nobody could "
                       "judge: %zu.", cannot);
    else if (out->may_stop)
        (void)snprintf(out->advice, sizeof out->advice, "Yes, certified: recall is at least %.10g "
                       "%% (%.10g %% confidence): %zu of the %zu relevant control documents %s. "
                       "You may stop.", 100.0 * out->target, 100.0 * out->confidence, k.met,
                       k.relevant, c->open == 0 ? "were reached; all documents are judged"
                       : "are ranked above the first unjudged document");
    else if (c->open == 0)
        return IV_OK; /* all is found */
    else if (p < IV_CHECK_P)
        (void)snprintf(out->advice, sizeof out->advice, "The control documents are not a random "
                       "sample of those found, by ranks or number (p = %.1g): the stopping rule "
                       "does not apply.%s", p, k.items == 0 ? "" : " Rank them with the "
                       "others, and do not train the ranker on their labels.");
    else if (needed == 0)
        advise_few(out, &k);
    else
        advise_more(out, &k, needed);
    return IV_OK;
}

/* Active time for what is open, at each assessor's median; NaN: too little is judged to tell. */
static int time_left(double *out, iv_arena *a, iv_store *s, size_t open, iv_err *err)
{
    enum { ENOUGH = 10 };
    const iv_assessor_row *rows;
    size_t count = 0;
    double sum = 0.0, weight = 0.0;

    IV_TRY(iv_store_assessor_rows(&rows, &count, a, s, err));
    for (size_t i = 0; i < count; i++)
        if (rows[i].timed > 0) {
            sum += rows[i].median_ms * (double)rows[i].timed;
            weight += (double)rows[i].timed;
        }
    *out = weight >= ENOUGH ? sum / weight * (double)open / 60000.0 : NAN;
    return IV_OK;
}

/* What was found on the way, in the order of judging. */
static void follow_order(iv_live *out, const iv_combined *c, int32_t level)
{
    size_t found = 0, next = 0;

    for (size_t i = 0; i <= out->prefix; i++) {
        for (; next <= IV_CURVE && next * out->prefix / IV_CURVE == i; next++)
            out->curve[next] = found;
        if (i == out->prefix)
            break;
        const bool relevant = c->grade[c->order[i]] >= level;
        found += relevant;
        out->streak = relevant ? 0 : out->streak + 1;
    }
}

static int compute(iv_live *out, iv_arena *a, iv_store *s, const iv_work *work, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    iv_store_counts counts;
    iv_combined c;

    IV_TRY(iv_store_count(&counts, s, err));
    IV_TRY(iv_store_combine(&c, a, s, NULL, false, err));
    out->open = counts.open;
    out->conflicts = c.conflicts;
    out->one_of_two = c.one_of_two;
    for (size_t i = 0; i < c.count; i++) {
        out->judged += c.grade[i] >= 0 || c.grade[i] == IV_COMBINED_CANNOT;
        out->relevant += c.grade[i] >= about->level;
    }
    IV_TRY(time_left(&out->minutes_left, a, s, counts.open, err));
    if (about->kind == IV_STORE_REVIEW)
        return of_review(out, a, s, &c, err);
    if (about->kind == IV_STORE_SAMPLE)
        return of_sample(&out->now, &out->prefix, s, NULL, work, err);
    (void)snprintf(out->now.of, sizeof out->now.of, "relevant documents found");
    out->now.value = (double)out->relevant;
    out->prefix = iv_combined_prefix(&c, 0, c.count, true);
    out->ruled = about->stop == IV_STORE_STOP_QBCB ? c.control : out->prefix;
    follow_order(out, &c, about->level);
    return of_ranking(out, a, s, &c, err);
}

int iv_live_of(iv_live *out, iv_store *s, const iv_work *work, iv_err *err)
{
    iv_arena memory = { 0 };
    iv_live l = live_start(s);

    const int rc = compute(&l, &memory, s, work, err);
    l.now.documents = l.prefix;
    iv_arena_free(&memory);
    if (rc == IV_OK)
        *out = l;
    return rc;
}

/* How far assessors agree on what two have judged, and what that does to the answer. */

/* The labels, and room for the pairs of two assessors. */
typedef struct agreeing {
    iv_store *s;
    iv_arena *a;
    const iv_work *work;
    const iv_store_label *labels;
    size_t count;
    iv_label_pair *pairs;
    size_t *starts;
    double *hits, *all;
} agreeing;

/* The place of a grade among the session's. */
static uint32_t label_of(const iv_store_about *about, int32_t grade)
{
    uint32_t i = 0;

    while (i + 1 < about->grade_count && about->grades[i] != grade)
        i++;
    return i;
}

/* The items that both have judged, topic by topic; returns how many topics. */
static size_t collect(size_t *items, agreeing *g, int64_t x, int64_t y)
{
    const iv_store_about *about = iv_store_about_of(g->s);
    size_t n = 0, units = 0, last = SIZE_MAX;

    for (size_t i = 0; i < g->count;) {
        const iv_store_label *a = NULL, *b = NULL;
        const int64_t item = g->labels[i].item;
        for (; i < g->count && g->labels[i].item == item; i++) {
            a = g->labels[i].assessor == x ? &g->labels[i] : a;
            b = g->labels[i].assessor == y ? &g->labels[i] : b;
        }
        if (a == NULL || b == NULL)
            continue;
        const size_t topic = iv_queue_topic_of(g->s, item);
        if (topic != last) {
            g->hits[units] = g->all[units] = 0.0;
            g->starts[units++] = n;
            last = topic;
        }
        g->pairs[n++] = (iv_label_pair){ label_of(about, a->grade), label_of(about, b->grade),
                                         1.0 };
        g->hits[units - 1] += a->grade == b->grade;
        g->all[units - 1] += 1.0;
    }
    g->starts[units] = n;
    *items = n;
    return units;
}

static int compare(iv_live_pair *out, agreeing *g, const iv_assessor *x, const iv_assessor *y,
                   iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(g->s);
    iv_agreement k;

    *out = (iv_live_pair){ .a = x->name, .b = y->name };
    const size_t topics = collect(&out->items, g, x->id, y->id);
    if (out->items == 0)
        return IV_OK;
    const size_t units = iv_agreement_units(g->starts, topics);
    const iv_label_pairs pairs = { g->pairs, g->starts, units, (uint32_t)about->grade_count };
    IV_TRY(iv_kappa_of(&k, NULL, &pairs, IV_KAPPA_PLAIN, IV_LIVE_CONFIDENCE, err));
    double *hits = g->hits, *all = g->all;
    const bool few = units < 2; /* then each item is a unit, as of kappa */
    if (few)
        for (size_t i = 0; i < out->items; i++) {
            hits[i] = g->pairs[i].a == g->pairs[i].b;
            all[i] = 1.0;
        }
    const iv_interval share = iv_share_over_units(hits, all, few ? out->items : units,
                                                  out->items, IV_LIVE_CONFIDENCE);
    out->agreement = share.value;
    out->agreement_lower = share.lower;
    out->agreement_upper = share.upper;
    out->kappa = k.is.value;
    out->kappa_lower = k.is.lower;
    out->kappa_upper = k.is.upper;
    out->few = k.few;
    return IV_OK;
}

/* ----------------------------------------------------- what it does -- */

static int answer_under(iv_live_value *out, agreeing *g, const char *combine, const char *words,
                        iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(g->s);
    const iv_export_options how = { .combine = combine, .or_others = true };
    size_t from = 0;

    if (about->kind == IV_STORE_SAMPLE) {
        IV_TRY(of_sample(out, &from, g->s, combine, g->work, err));
    } else {
        iv_combined c;
        IV_TRY(iv_store_combine(&c, g->a, g->s, &how, false, err));
        *out = (iv_live_value){ "", 0.0, NAN, NAN, NAN, 0 };
        for (size_t i = 0; i < c.count; i++) {
            out->value += c.grade[i] >= about->level;
            from += c.grade[i] >= 0;
        }
        if (about->kind == IV_STORE_REVIEW) { /* without a majority the order ends */
            iv_live x = live_start(g->s);
            IV_TRY(of_review(&x, g->a, g->s, &c, err));
            from = x.prefix;
            *out = x.now;
            out->rule_lower = x.invalid ? (double)NAN : x.lower;
            out->ruled = x.ruled;
        }
    }
    out->documents = from;
    (void)snprintf(out->of, sizeof out->of, "%s %.80s", about->kind == IV_STORE_REVIEW
                   ? "recall" : "relevant", words);
    return IV_OK;
}

static int all_answers(iv_live_agreement *out, agreeing *g, const iv_assessor *who, size_t people,
                       iv_err *err)
{
    iv_live_value *rows = iv_take(g->a, people + 2, sizeof *rows);
    const bool decided = iv_store_count_queue(g->s).settled > 0;
    size_t n = 0;

    if (rows == NULL)
        return iv_no_memory(err);
    IV_TRY(answer_under(&rows[n++], g, NULL, decided ? "as adjudicated (else the owner's grade, "
                        "else the last one)" : "by the owner's grade, else the last one", err));
    IV_TRY(answer_under(&rows[n], g, "majority", decided ? "by majority (ties as adjudicated)"
                        : "by majority", err));
    n += rows[n].documents == rows[0].documents; /* with ties it would be of fewer documents */
    for (size_t i = 0; i < people; i++) {
        char words[96];
        bool any = false;
        for (size_t k = 0; k < g->count && !any; k++)
            any = g->labels[k].assessor == who[i].id;
        if (!any)
            continue;
        (void)snprintf(words, sizeof words, "by %.20s's grades (others' if %.20s did not judge)",
                       who[i].name, who[i].name);
        IV_TRY(answer_under(&rows[n++], g, who[i].name, words, err));
    }
    out->under = rows;
    out->under_count = n;
    return IV_OK;
}

static void count_items(iv_live_agreement *out, const agreeing *g)
{
    const int32_t level = iv_store_about_of(g->s)->level;
    size_t relevant = 0, judgments = 0;

    for (size_t i = 0, end; i < g->count; i = end) {
        size_t found = 0;
        for (end = i; end < g->count && g->labels[end].item == g->labels[i].item; end++)
            found += g->labels[end].grade >= level;
        if (end - i < 2)
            continue;
        out->items++;
        judgments += end - i;
        relevant += found;
    }
    out->prevalence = judgments > 0 ? (double)relevant / (double)judgments : NAN;
}

int iv_live_agree(iv_live_agreement *out, iv_arena *a, iv_store *s, const iv_work *work,
                  iv_err *err)
{
    agreeing g = { .s = s, .a = a, .work = work };
    iv_live_agreement all = { .prevalence = NAN };
    const iv_assessor *who;
    const size_t people = iv_store_assessors(&who, s);
    iv_live_pair *pairs = iv_take(a, people * people + 1, sizeof *pairs);

    IV_TRY(iv_store_labels(&g.labels, &g.count, a, s, err));
    g.pairs = iv_take(a, g.count + 1, sizeof *g.pairs);
    g.starts = iv_take(a, g.count + 2, sizeof *g.starts);
    g.hits = iv_take(a, g.count + 1, sizeof *g.hits);
    g.all = iv_take(a, g.count + 1, sizeof *g.all);
    IV_TRY(iv_taken(a, err));
    count_items(&all, &g);
    for (size_t i = 0; i < people; i++)
        for (size_t k = i + 1; k < people; k++) {
            IV_TRY(compare(&pairs[all.pair_count], &g, &who[i], &who[k], err));
            all.pair_count += pairs[all.pair_count].items > 0;
        }
    all.pairs = pairs;
    if (all.items > 0)
        IV_TRY(all_answers(&all, &g, who, people, err));
    *out = all;
    return IV_OK;
}
