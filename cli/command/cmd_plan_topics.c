/* SPDX-License-Identifier: Apache-2.0 */
/* plan topics -- topics needed, from a pilot's scores. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/plan.h"
#include "intervale/trec.h"
#include "command/plan_tests.h"
#include "frame/suggest.h"

typedef struct args {
    int by, sides;
    const char *baseline;
    opt_list tests;
    double power, alpha, certainty;
    int64_t experiments;
} args;

static const char *const by_words[] = { "systems", "topics", NULL };
static const char *const sides_words[] = { "one", "two", NULL };

static const opt opts[] = {
    OPT_CHOICE(args, 0, "by", "WHAT", by, by_words, "what a row of the matrix stands for"),
    OPT_STR(args, 0, "baseline", "SYSTEM", baseline,
            "compare each system with this one, not all pairs"),
    OPT_WORDS(args, 0, "test", "TEST", tests, plan_tests_words,
              "sign (exact) unless given; normal is the sign test in its normal form"),
    OPT_REAL_OPEN(args, 0, "power", "P", power, 0.0, 1.0, "power to reach"),
    OPT_REAL_OPEN(args, 0, "alpha", "A", alpha, 0.0, 1.0, "level of the test"),
    OPT_REAL(args, 0, "certainty", "L", certainty, 0.5, 1.0,
             "probability that the winner of a topic is told rightly, above 0.5"),
    OPT_CHOICE(args, 0, "sides", "HOW", sides, sides_words, "one-sided or two-sided test"),
    OPT_INT(args, 0, "experiments", "N", experiments, 100, 100000000,
            "simulated experiments, where power is not computed"),
    OPT_END
};

typedef struct pilot {
    const iv_matrix *m;
    double *d;      /* differences of one pair */
    size_t dropped; /* scores missing on a side, over pairs */
    size_t open;    /* pairs without an upper limit */
} pilot;

static size_t differences(pilot *p, size_t a, size_t b)
{
    size_t n = 0;

    for (size_t t = 0; t < iv_matrix_topics(p->m); t++) {
        const double d = iv_matrix_score(p->m, a, t) - iv_matrix_score(p->m, b, t);
        if (!isnan(d))
            p->d[n++] = d;
        else
            p->dropped++;
    }
    return n;
}

static void put_topics(iv_table *t, size_t n)
{
    if (n == SIZE_MAX)
        iv_put_missing(t);
    else
        iv_put_int(t, (int64_t)n);
}

static int put_pair(cmd_context *c, iv_table *t, pilot *p, size_t a, size_t b,
                    iv_planned_test test, iv_err *err)
{
    const args *o = c->args;
    const iv_power_options options = {
        .test = test, .two_sided = o->sides == 1, .alpha = o->alpha,
        .certainty = o->certainty, .experiments = (size_t)o->experiments,
        .seed = c->shared->seed, .threads = (int)c->shared->threads };
    const size_t n = differences(p, a, b);
    const iv_str names[] = { iv_matrix_system(p->m, a), iv_matrix_system(p->m, b) };
    iv_pilot_topics f;
    const int rc = iv_topics_from_pilot(&f, p->d, n, o->power, c->shared->confidence,
                                        &options, err);

    if (rc == IV_ENODATA && n >= 2) {
        char x[IV_QUOTE_SIZE], y[IV_QUOTE_SIZE];
        iv_result_note(c->result, "%s and %s: %s", iv_quote(x, names[0]),
                       iv_quote(y, names[1]), err->msg);
        return IV_OK;
    }
    if (rc != IV_OK)
        return rc;
    iv_put_text(t, names[f.a_better ? 0 : 1]);
    iv_put_text(t, names[f.a_better ? 1 : 0]);
    iv_put_text(t, iv_str_of(iv_planned_test_names()[test]));
    iv_put_int(t, (int64_t)f.pilot);
    iv_put_real(t, f.effect);
    iv_put_real(t, f.lower);
    iv_put_real(t, f.upper);
    put_topics(t, f.topics);
    put_topics(t, f.fewest);
    put_topics(t, f.most);
    p->open += f.most == SIZE_MAX;
    if (iv_table_rows(t) == 1 && f.topics != SIZE_MAX) {
        char x[IV_QUOTE_SIZE], y[IV_QUOTE_SIZE];
        iv_result_answer(c->result, "%s over %s: %zu topics for power %g, if the effect is "
                         "what the pilot shows.", iv_quote(x, names[f.a_better ? 0 : 1]),
                         iv_quote(y, names[f.a_better ? 1 : 0]), f.topics, o->power);
    }
    return IV_OK;
}

static int find_system(size_t *out, const iv_matrix *m, const char *name, iv_err *err)
{
    char hint[SUGGEST_SIZE], word[IV_QUOTE_SIZE];
    suggest s = suggest_for(name);

    for (size_t k = 0; k < iv_matrix_systems(m); k++) {
        const iv_str is = iv_matrix_system(m, k);
        if (iv_str_cmp(is, iv_str_of(name)) == 0) {
            *out = k;
            return IV_OK;
        }
        (void)snprintf(word, sizeof word, "%.*s", (int)(is.len < 100 ? is.len : 100), is.ptr);
        suggest_offer(&s, word);
    }
    return cmd_usage(err, "the baseline '%.80s' is not in the matrix%s", name,
                     suggest_text(hint, &s, ""));
}

static int plan_pairs(cmd_context *c, iv_table *t, pilot *p, iv_err *err)
{
    const args *o = c->args;
    const size_t systems = iv_matrix_systems(p->m);
    iv_planned_test tests[PLAN_TESTS] = { IV_PLAN_SIGN };
    size_t count = 1, baseline = SIZE_MAX;
    int rc = IV_OK;

    plan_tests_read(tests, &count, &o->tests);
    if (o->baseline != NULL)
        rc = find_system(&baseline, p->m, o->baseline, err);
    for (size_t a = 0; a < systems && rc == IV_OK; a++) {
        const size_t from = baseline == SIZE_MAX ? a + 1 : baseline;
        const size_t to = baseline == SIZE_MAX ? systems : baseline + 1;
        for (size_t b = from; b < to && rc == IV_OK; b++) {
            for (size_t k = 0; k < count && rc == IV_OK && a != b; k++)
                rc = put_pair(c, t, p, a, b, tests[k], err);
        }
    }
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    static const iv_column columns[] = {
        { "a", IV_TEXT, 0 }, { "b", IV_TEXT, 0 }, { "test", IV_TEXT, 0 },
        { "pilot_topics", IV_INTEGER, 0 }, { "effect", IV_REAL, 3 },
        { "effect_lower", IV_REAL, 3 }, { "effect_upper", IV_REAL, 3 },
        { "topics", IV_INTEGER, 0 }, { "topics_lower", IV_INTEGER, 0 },
        { "topics_upper", IV_INTEGER, 0 } };
    const args *o = c->args;
    iv_matrix *m = NULL;
    int rc;

    if (!(o->certainty > 0.5))
        return cmd_usage(err, "option --certainty: %g, expected above 0.5", o->certainty);
    if (!(o->power > o->alpha))
        return cmd_usage(err, "option --power: %g, expected above alpha, %g", o->power,
                         o->alpha);
    rc = iv_matrix_load(&m, c->operands[0], (iv_matrix_rows)o->by, err);
    if (rc != IV_OK)
        return rc;
    iv_result_input(c->result, c->operands[0], iv_matrix_bytes(m));
    pilot p = { .m = m, .d = malloc((iv_matrix_topics(m) + 1) * sizeof(double)) };
    if (p.d == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    else if (iv_matrix_systems(m) < 2)
        rc = iv_fail(err, IV_ENODATA, "%s has one system, expected at least two",
                     c->operands[0]);
    else if (iv_matrix_topics(m) < 2)
        rc = iv_fail(err, IV_ENODATA, "%s has one topic, expected at least two",
                     c->operands[0]);
    if (rc == IV_OK)
        rc = plan_pairs(c, iv_result_table(c->result, "topics", columns, 10), &p, err);
    if (rc == IV_OK)
        iv_result_chart(c->result, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "topics", .title = "Topics needed",
            .caption = "A point is the number of topics to find the effect of the pilot, the "
                       "line the numbers that its interval allows. No line: no number of topics "
                       "is sure to be enough.",
            .label = "a", .against = "b", .page = "test", .value = "topics",
            .lower = "topics_lower", .upper = "topics_upper", .value_axis = { .log = true } });
    if (rc == IV_OK && p.dropped > 0)
        iv_result_note(c->result, "topics with a score missing are left out of their pairs");
    if (rc == IV_OK && p.open > 0)
        iv_result_note(c->result, "no topics_upper: the pilot does not exclude an effect of 0, "
                       "which no number of topics finds");
    if (rc == IV_OK)
        iv_result_note(c->result, "a is the system that did better in the pilot; a pilot that "
                       "was chosen because it looked good overstates the effect");
    free(p.d);
    iv_matrix_free(m);
    return rc;
}

const cmd cmd_plan_topics = {
    .name = "plan topics",
    .group = "Planning",
    .summary = "say how many topics a difference seen in a pilot needs",
    .operands = "MATRIX",
    .least = 1,
    .most = 1,
    .description =
        "Reads scores of systems on the topics of a pilot (CSV) and tells, for each pair, "
        "how many topics would find the difference with the power asked for: at the effect "
        "that the pilot shows, and at both ends of its interval, which is wide for small "
        "pilots. topics_lower goes with effect_upper.\n\n"
        "The effect is the share of topics won less the share lost for sign and normal (its "
        "interval is Jeffreys'), and the mean difference in standard deviations for t, "
        "wilcoxon and randomisation (its interval is that of the noncentral t).",
    .examples = (const cmd_example[]){
        { "intervale plan topics pilot.csv", "All pairs of systems, by the sign test." },
        { "intervale plan topics --baseline bm25 --test t --power 0.9 --sides two pilot.csv",
          "Each system against a baseline." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .power = 0.8, .alpha = 0.05, .certainty = 1.0,
                               .experiments = 10000 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "topics", NULL },
    .run = run,
};
