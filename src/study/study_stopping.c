/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often a review that stops when its answer pleases is wrong, and what it costs.  Reviews
 * whose truth is known are judged in random order in blocks; each rule stops where it says
 * that the target is reached.  With a truth just below the target every stop is an error;
 * with truths above it the proportion of stops is power.
 */
#include "base/err.h"
#include "base/memory.h"
#include "study/study.h"

#include <math.h>

typedef enum rule_kind {
    STOP_WATCHED,        /* the posterior's one-sided limit, looked at 60 times */
    STOP_POCOCK,         /* five planned looks at it */
    STOP_OBRIEN_FLEMING,
    STOP_POCOCK_EXACT,   /* five planned looks at the exact limit */
    STOP_OBRIEN_EXACT,
    STOP_EVIDENCE,       /* the e-value, after every block */
    STOP_RATIO,          /* prior over posterior of the number left, after every block */
    STOP_HYPERGEOMETRIC, /* the hypergeometric rule, after every block */
    STOP_QBCB,
    RULES
} rule_kind;

static const char *const rule_names[RULES] = {
    "posterior, 60 interim analyses", "posterior, Pocock", "posterior, O'Brien-Fleming",
    "exact, Pocock", "exact, O'Brien-Fleming", "e-value", "prior-posterior ratio",
    "hypergeometric", "QBCB" };

/*
 * Both segments are sampled; or all of the retrieved is judged first and the rest is sampled;
 * or what is found in the rest counts as found, and recall grows while one looks; or the review
 * follows a ranking.
 */
typedef enum review_kind { BOTH, REST, GROWING, RANKED } review_kind;

typedef struct setting {
    const char *name;
    review_kind kind;
    int64_t size[2];     /* retrieved, unretrieved */
    int64_t relevant;    /* of the retrieved; of RANKED: known before the review */
    int64_t step[2];     /* a block */
    int64_t most;        /* documents judged of BOTH, else of the unretrieved */
    double target;
    int64_t missed;      /* of GROWING: relevant ones in the rest */
} setting;

/* Of a ranked review size[0] is how many relevant ones there are. */
static const setting settings[] = {
    { "large", BOTH, { 5000, 95000 }, 2500, { 1, 10 }, 3960, 0.75 },
    { "precise", BOTH, { 2000, 98000 }, 1800, { 1, 10 }, 3960, 0.8 },
    { "balanced", BOTH, { 1000, 9000 }, 400, { 1, 4 }, 2000, 0.75 },
    { "small", BOTH, { 60, 140 }, 30, { 1, 2 }, 200, 0.75 },
    { "rest-20000", REST, { 600, 20000 }, 300, { 600, 10 }, 3000, 0.8 },
    { "rest-500", REST, { 80, 500 }, 40, { 80, 5 }, 500, 0.8 },
    { "growing-500", GROWING, { 80, 500 }, 40, { 80, 1 }, 500, 0.9, 30 },
    { "ranked-30", RANKED, { 100, 0 }, 30, { 0, 0 }, 0, 0.8 },
    { "ranked-50", RANKED, { 1000, 0 }, 50, { 0, 0 }, 0, 0.9 },
};

enum { SETTINGS = sizeof settings / sizeof *settings, TRUTHS = 2, LOOKS = 5, WATCHED = 60 };

#define NEVER SIZE_MAX

/* One setting with one truth. */
typedef struct trial {
    const setting *s;
    double level;                         /* of the rules ... */
    iv_look pocock[LOOKS], obrien[LOOKS]; /* ... and the errors of planned looks */
    rule_kind first, last; /* that are tried where both parts are sampled */
    int64_t missed; /* relevant ones that are not retrieved */
    double truth;
} trial;

/* Just below the target, and a tenth above it. */
static trial trial_of(size_t number, const trial *plan)
{
    const setting *s = &settings[number / TRUTHS];
    const double wanted = fmin(s->target + (number % TRUTHS > 0 ? 0.1 : 0.0), 0.98);
    const double K = (double)s->relevant;
    trial t = *plan;

    t.s = s;
    t.last = s->kind == REST ? STOP_RATIO : STOP_EVIDENCE;
    t.truth = wanted;
    if (s->kind == RANKED) /* the rule decides its recall */
        return t;
    const double missed = floor(K * (1.0 - wanted) / wanted + 1e-9);
    t.missed = s->kind == GROWING ? s->missed : (int64_t)missed + (number % TRUTHS == 0);
    t.truth = K / (K + (double)t.missed);
    return t;
}

/*
 * What a rule said of counts: reviews of one truth meet the same ones again and again.  Where
 * a limit of recall with some relevant ones outside does not reach the target, it does not
 * with more of them.
 */
typedef struct said {
    uint64_t of;                /* 0: nothing yet */
    int64_t stops_to, goes_from; /* relevant ones outside */
} said;

enum { SAID = 1 << 16 };

/* What a thread works with: a review while it is read by rules. */
typedef struct memory {
    const trial *t;
    size_t blocks;
    iv_recall_posterior *posterior;
    said *said;
    int64_t *drawn, *found;     /* blocks of two */
    int64_t *judged, *relevant; /* their sums so far */
} memory;

/* What is known after some blocks, one or more. */
static void known(iv_stratum out[2], const memory *m, size_t blocks)
{
    for (size_t side = 0; side < 2; side++)
        out[side] = (iv_stratum){ m->t->s->size[side], m->judged[2 * (blocks - 1) + side],
                                  m->relevant[2 * (blocks - 1) + side] };
}

/* Does a one-sided limit with this error reach the target? */
static int limit_reaches(bool *out, const memory *m, rule_kind rule, size_t blocks,
                         double error, iv_err *err)
{
    const bool exact = (rule >= STOP_POCOCK_EXACT && rule <= STOP_RATIO) || rule == STOP_QBCB;
    const iv_recall_options o = { .method = exact ? IV_RECALL_EXACT : IV_RECALL_AUTO,
                                  .confidence = 1.0 - error, .one_sided = true };
    iv_stratum now[2];
    iv_limits i;

    known(now, m, blocks);
    const int rc = iv_recall_interval_of(&i, &(iv_segments){ &now[0], &now[1], 1, 1 }, &o,
                                         m->posterior, err);
    *out = rc == IV_OK && i.lower >= m->t->s->target;
    return rc == IV_ENODATA ? IV_OK : rc;
}

static int rest_stops(bool *out, const memory *m, rule_kind rule, size_t blocks,
                      iv_err *err)
{
    iv_stratum now[2];
    int64_t least, most;

    known(now, m, blocks);
    if (rule == STOP_HYPERGEOMETRIC) {
        *out = iv_stop_p(now[0].relevant, now[1], m->t->s->target) < m->t->level;
        return IV_OK;
    }
    IV_TRY(iv_anytime_count(&least, &most, now[1], 0.0, 0.0, 1.0 - m->t->level, err));
    const double K = (double)now[0].relevant;
    const double more = m->t->s->kind == GROWING ? (double)now[1].relevant : 0.0;
    *out = (K + more) / (K + (double)most) >= m->t->s->target;
    return IV_OK;
}

/* Does the rule end the review behind these blocks?  Looks have an error each. */
static int stops(bool *out, const memory *m, rule_kind rule, size_t blocks, double error,
                 iv_err *err)
{
    const bool look = rule <= STOP_OBRIEN_EXACT;
    const int64_t in = m->relevant[2 * (blocks - 1)], outside = m->relevant[2 * blocks - 1];
    const uint64_t of = ((uint64_t)rule + 1) << 60 | (uint64_t)blocks << 44 | (uint64_t)in << 22
        | (look ? 0 : (uint64_t)outside);
    said *word = &m->said[of * 0x9E3779B97F4A7C15u >> 48];

    if (word->of != of)
        *word = (said){ of, -1, INT64_MAX };
    if (outside > word->stops_to && outside < word->goes_from) {
        bool yes = false;
        IV_TRY(look ? limit_reaches(&yes, m, rule, blocks, error, err)
                    : rest_stops(&yes, m, rule, blocks, err));
        *(yes ? &word->stops_to : &word->goes_from) = outside;
    }
    *out = outside <= word->stops_to;
    return IV_OK;
}

static int by_looks(size_t *at, const memory *m, rule_kind rule, iv_err *err)
{
    const bool watched = rule == STOP_WATCHED;
    const iv_look *looks = rule == STOP_POCOCK || rule == STOP_POCOCK_EXACT
        ? m->t->pocock : m->t->obrien;
    const size_t count = !watched ? LOOKS : m->blocks < WATCHED ? m->blocks : WATCHED;

    *at = NEVER;
    for (size_t k = 0; k < count && *at == NEVER; k++) {
        const size_t blocks = (m->blocks * (k + 1) + count - 1) / count;
        bool yes = false;
        IV_TRY(stops(&yes, m, rule, blocks, watched ? m->t->level : looks[k].error, err));
        *at = yes ? blocks : NEVER;
    }
    return IV_OK;
}

/* The e-value does not fall again, so the first block that has enough is found by halving. */
static int by_evidence(size_t *at, const memory *m, iv_err *err)
{
    size_t low = 0, high = m->blocks; /* not enough after low */
    double e = 0.0;
    iv_review_blocks b = { m->t->s->size, (const bool[]){ true, false }, m->drawn, m->found, 2,
                           high };

    IV_TRY(iv_recall_evidence(&e, &b, m->t->s->target, false, err));
    *at = e >= -log(m->t->level) ? high : NEVER;
    while (*at != NEVER && high - low > 1) {
        b.count = low + (high - low) / 2;
        IV_TRY(iv_recall_evidence(&e, &b, m->t->s->target, false, err));
        if (e >= -log(m->t->level))
            high = b.count;
        else
            low = b.count;
        *at = high;
    }
    return IV_OK;
}

static int by_rest(size_t *at, const memory *m, rule_kind rule, iv_err *err)
{
    *at = NEVER;
    for (size_t k = 1; k <= m->blocks && *at == NEVER; k++) {
        bool yes = false;
        IV_TRY(stops(&yes, m, rule, k, 0.0, err));
        *at = yes ? k : NEVER;
    }
    return IV_OK;
}

/* An end is an error if what was found by then is too little. */
static int end_growing(iv_tally *t, const memory *m, iv_err *err)
{
    for (int rule = STOP_RATIO; rule <= STOP_HYPERGEOMETRIC; rule++) {
        size_t at = NEVER;
        iv_stratum now[2];
        IV_TRY(by_rest(&at, m, (rule_kind)rule, err));
        known(now, m, at != NEVER ? at : m->blocks);
        const double found = (double)(now[0].relevant + now[1].relevant);
        iv_tally_decision(&t[rule],
                          found / (double)(m->t->s->relevant + m->t->s->missed) < m->t->s->target,
                          (double)(now[0].sampled + now[1].sampled));
    }
    return IV_OK;
}

static int end_review(iv_tally *t, const memory *m, iv_err *err)
{
    iv_stratum now[2];

    for (int i = (int)m->t->first; i <= (int)m->t->last; i++) {
        size_t at = NEVER;
        IV_TRY(i <= STOP_OBRIEN_EXACT ? by_looks(&at, m, (rule_kind)i, err)
               : i == STOP_EVIDENCE ? by_evidence(&at, m, err) : by_rest(&at, m, STOP_RATIO, err));
        known(now, m, at != NEVER ? at : m->blocks);
        iv_tally_decision(&t[i], at != NEVER, (double)(now[0].sampled + now[1].sampled));
    }
    return IV_OK;
}

/* Draws the blocks of a review. */
static size_t draw_blocks(memory *m, const trial *t, iv_stream *stream)
{
    const setting *s = t->s;
    int64_t left[2] = { s->size[0], s->size[1] }, marked[2] = { s->relevant, t->missed };
    int64_t total = s->kind == BOTH ? 0 : -s->size[0];
    size_t k = 0;

    while (total < s->most && left[0] + left[1] > 0) {
        for (int side = 0; side < 2; side++) {
            const int64_t d = s->step[side] < left[side] ? s->step[side] : left[side];
            const int64_t x = d > 0 ? iv_draw_hyper(stream, left[side], marked[side], d) : 0;
            m->drawn[2 * k + (size_t)side] = d;
            m->found[2 * k + (size_t)side] = x;
            left[side] -= d;
            marked[side] -= x;
            m->judged[2 * k + (size_t)side] = s->size[side] - left[side];
            m->relevant[2 * k + (size_t)side]
                = (side == 0 ? s->relevant : t->missed) - marked[side];
            total += d;
        }
        k++;
    }
    return k;
}

/* The review ends with the j-th of the known; where that stands among all is all that counts. */
static void end_ranked(iv_tally *out, const trial *t, iv_stream *stream)
{
    const int64_t all = t->s->size[0], drawn = t->s->relevant;
    const int64_t j = iv_qbcb_needed(drawn, t->s->target, 1.0 - t->level);
    int64_t met = 0, rank = 0;

    /* Down the relevant ones: each is one of the known with the share that is left. */
    while (met < j) {
        met += (int64_t)iv_draw_below(stream, (uint64_t)(all - rank)) < drawn - met;
        rank++;
    }
    /* Too early? */
    iv_tally_decision(&out[STOP_QBCB], (double)rank < t->s->target * (double)all, (double)rank);
}

/* --------------------------------------------------------------- the loop -- */

static void *make_memory(iv_arena *own, void *user)
{
    const setting *s = ((const trial *)user)->s;
    memory *m = iv_take(own, 1, sizeof *m);
    const int64_t step = s->step[1] > 0 ? s->step[1] : 1;
    const size_t blocks = (size_t)((s->most + s->size[0]) / step) + 70;

    if (m == NULL)
        return NULL;
    m->posterior = iv_recall_memory(own, NULL);
    m->said = iv_take(own, SAID, sizeof *m->said);
    m->drawn = iv_take(own, 2 * blocks, sizeof *m->drawn);
    m->found = iv_take(own, 2 * blocks, sizeof *m->found);
    m->judged = iv_take(own, 2 * blocks, sizeof *m->judged);
    m->relevant = iv_take(own, 2 * blocks, sizeof *m->relevant);
    return own->failed || m->posterior == NULL ? NULL : m;
}

static int one_review(iv_tally *t, void *user, void *thread, iv_stream *stream, iv_err *err)
{
    memory *m = thread;

    m->t = user;
    if (m->t->s->kind == RANKED) {
        end_ranked(t, m->t, stream);
        return IV_OK;
    }
    m->blocks = draw_blocks(m, m->t, stream);
    return m->t->s->kind == GROWING ? end_growing(t, m, err) : end_review(t, m, err);
}

static int plan_of(trial *out, const iv_study *s, iv_err *err)
{
    *out = (trial){ .level = iv_study_alpha(s) };
    if (!(out->level > 0.0 && out->level < 0.5))
        return iv_fail(err, IV_EARG, "confidence %g; expected between 0.5 and 1", s->confidence);
    IV_TRY(iv_looks_of(out->pocock, NULL, LOOKS, IV_LOOKS_POCOCK, out->level, err));
    return iv_looks_of(out->obrien, NULL, LOOKS, IV_LOOKS_OBRIEN_FLEMING, out->level, err);
}

static int run_trial(iv_study *s, trial *x, const iv_studied *methods, const char *data,
                     size_t replicates, iv_err *err)
{
    const iv_experiment e = { data, methods, RULES, replicates, one_review, x, make_memory };

    return iv_experiment_run(s, &e, err, "%s, recall %.3f, target %g", x->s->name, x->truth,
                             x->s->target);
}

int iv_study_stopping(iv_study *s, iv_err *err)
{
    trial p;

    IV_TRY(plan_of(&p, s, err));
    iv_study_steps(s, SETTINGS * TRUTHS);
    for (size_t i = 0; i < SETTINGS * TRUTHS; i++) {
        const bool error = i % TRUTHS == 0;
        trial x = trial_of(i, &p);
        iv_studied methods[RULES];
        const char *const kinds[] = { "both parts sampled", "rest sampled", "recall grows",
                                      "ranked" };
        if (x.s->kind >= GROWING && !error)
            continue;
        for (int k = 0; k < RULES; k++)
            methods[k] = (iv_studied){ error ? "stopped below the target" : "stopped above the "
                                       "target", rule_names[k], true, error ? p.level : NAN };
        IV_TRY(run_trial(s, &x, methods, kinds[x.s->kind], error ? 400 : 100, err));
    }
    return IV_OK;
}

/* Five planned looks where recall is just below the target: every stop is an error. */
int iv_study_look_plans(iv_study *s, iv_err *err)
{
    iv_studied methods[RULES];
    trial p;

    IV_TRY(plan_of(&p, s, err));
    for (int k = 0; k < RULES; k++)
        methods[k] = (iv_studied){ "stopped below the target", k == STOP_POCOCK
                                   ? "plan looks --shape pocock" : "plan looks", true, p.level };
    for (size_t i = 0; settings[i].kind == BOTH; i++) {
        trial x = trial_of(i * TRUTHS, &p);
        x.first = STOP_POCOCK;
        x.last = STOP_OBRIEN_FLEMING;
        IV_TRY(run_trial(s, &x, methods, "one review", 2000, err));
    }
    return IV_OK;
}
