/* SPDX-License-Identifier: Apache-2.0 */
/* plan power -- topics, effect and power of a test. */
#include <math.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/plan.h"
#include "command/plan_tests.h"

typedef struct args {
    opt_list tests;
    opt_numbers topics, effect, power, certainty;
    double alpha;
    int sides;
    int64_t experiments;
} args;

static const char *const sides_words[] = { "one", "two", NULL };

static const opt opts[] = {
    OPT_WORDS(args, 0, "test", "TEST", tests, plan_tests_words,
              "sign (exact) unless given; normal is the sign test in its normal form"),
    OPT_NUMBERS(args, 0, "topics", "N,...", topics, 1, OPT_NUMBERS_MAX, 1.0,
                IV_PLAN_TOPICS_MAX, "numbers of topics"),
    OPT_NUMBERS(args, 0, "effect", "H,...", effect, 1, OPT_NUMBERS_MAX, 0.0, 100.0,
                "effect sizes: for sign and normal the share of topics won less the share "
                "lost, at most 1; for the others the mean difference in standard deviations"),
    OPT_NUMBERS(args, 0, "power", "P,...", power, 1, OPT_NUMBERS_MAX, 0.0, 1.0,
                "powers to reach"),
    OPT_REAL_OPEN(args, 0, "alpha", "A", alpha, 0.0, 1.0, "level of the test"),
    OPT_NUMBERS(args, 0, "certainty", "L,...", certainty, 1, OPT_NUMBERS_MAX, 0.5, 1.0,
                "probability that the winner of a topic is told rightly, above 0.5"),
    OPT_CHOICE(args, 0, "sides", "HOW", sides, sides_words, "one-sided or two-sided test"),
    OPT_INT(args, 0, "experiments", "N", experiments, 100, 100000000,
            "simulated experiments, where power is not computed"),
    OPT_END
};

typedef struct found {
    size_t topics, steady;
    double effect;
    iv_power at;
} found;

static void put(iv_table *t, const iv_power_options *o, const found *f)
{
    iv_put_text(t, iv_str_of(iv_planned_test_names()[o->test]));
    iv_put_int(t, (int64_t)f->topics);
    iv_put_real(t, f->effect);
    iv_put_real(t, o->alpha);
    iv_put_real(t, o->certainty);
    iv_put_real(t, f->at.critical);
    iv_put_real(t, f->at.power);
}

/* Which of the three is asked for: the one that is not given. */
enum { ASK_POWER, ASK_TOPICS, ASK_EFFECT };

static int question(int *out, const args *a, iv_err *err)
{
    const int given = (a->topics.count > 0) + (a->effect.count > 0) + (a->power.count > 0);

    if (given != 2)
        return cmd_usage(err, "give two of --topics, --effect and --power: the third is "
                         "computed");
    *out = a->power.count == 0 ? ASK_POWER : a->topics.count == 0 ? ASK_TOPICS : ASK_EFFECT;
    for (size_t i = 0; i < a->topics.count; i++) {
        if (a->topics.at[i] != floor(a->topics.at[i]))
            return cmd_usage(err, "option --topics: %g, expected a whole number",
                             a->topics.at[i]);
    }
    return IV_OK;
}

/* One plan: x and y are the two values given, topics before effect before power. */
static int solve(found *f, int ask, double x, double y, const iv_power_options *o, iv_err *err)
{
    int rc = IV_OK;

    *f = (found){ .topics = (size_t)x, .effect = y };
    if (ask == ASK_TOPICS) {
        f->effect = x;
        rc = iv_power_topics(&f->topics, &f->steady, y, x, o, err);
    } else if (ask == ASK_EFFECT) {
        rc = iv_power_effect(&f->effect, y, (size_t)x, o, err);
    }
    return rc == IV_OK ? iv_power_at(&f->at, f->topics, f->effect, o, err) : rc;
}

static void tell(cmd_context *c, int ask, const iv_power_options *o, const found *f, double y)
{
    const char *test = iv_planned_test_names()[o->test];

    if (ask == ASK_POWER)
        iv_result_answer(c->result, "%zu topics find an effect of %g with power %.3f (%s "
                         "test).", f->topics, f->effect, f->at.power, test);
    else if (ask == ASK_TOPICS)
        iv_result_answer(c->result, "%zu topics find an effect of %g with power %g (%s test).",
                         f->topics, f->effect, y, test);
    else
        iv_result_answer(c->result, "%zu topics find an effect of %.4f with power %g (%s "
                         "test).", f->topics, f->effect, y, test);
}

static void notes(cmd_context *c, const iv_power_options *o, const found *f, int ask, double y)
{
    if (ask == ASK_TOPICS && f->steady > f->topics)
        iv_result_note(c->result, "exact power goes up and down in steps: from %zu topics on it "
                       "stays at %g or above (effect %g)", f->steady, y, f->effect);
    if (f->at.se > 0.0)
        iv_result_note(c->result, "power of %s with %zu topics is simulated: standard error "
                       "%.4f", iv_planned_test_names()[o->test], f->topics, f->at.se);
}

/* All combinations for one test and certainty. */
static int fill(cmd_context *c, iv_table *t, int ask, const iv_power_options *o, bool *first,
                iv_err *err)
{
    const args *a = c->args;
    const opt_numbers *x = ask == ASK_TOPICS ? &a->effect : &a->topics;
    const opt_numbers *y = ask == ASK_POWER ? &a->effect : &a->power;

    for (size_t i = 0; i < x->count; i++) {
        for (size_t k = 0; k < y->count; k++) {
            found f;
            const int rc = solve(&f, ask, x->at[i], y->at[k], o, err);
            if (rc != IV_OK)
                return rc == IV_EARG ? CMD_USAGE : rc;
            put(t, o, &f);
            notes(c, o, &f, ask, y->at[k]);
            if (*first)
                tell(c, ask, o, &f, y->at[k]);
            *first = false;
        }
    }
    return IV_OK;
}

/* ------------------------------------------------------------- the curves -- */

enum { CURVE_POINTS = 30, SIMULATED_POINTS = 8, SIMULATED_EXPERIMENTS = 2000 };

static bool is_computed(iv_planned_test test)
{
    return test == IV_PLAN_SIGN || test == IV_PLAN_SIGN_NORMAL || test == IV_PLAN_T;
}

/* Power over topics at the effect of a row; simulated powers at fewer points. */
static int put_curve(iv_table *t, iv_power_options o, double effect, double most, iv_err *err)
{
    const int points = is_computed(o.test) ? CURVE_POINTS : SIMULATED_POINTS;
    size_t last = 1;

    if (o.experiments > SIMULATED_EXPERIMENTS)
        o.experiments = SIMULATED_EXPERIMENTS;
    for (int k = 1; k <= points; k++) {
        const size_t topics = (size_t)(most * k / points);
        iv_power at;
        if (topics <= last) /* few topics: not every point is another one */
            continue;
        const int rc = iv_power_at(&at, topics, effect, &o, err);
        if (rc != IV_OK)
            return rc;
        iv_put_text(t, iv_str_of(iv_planned_test_names()[o.test]));
        iv_put_int(t, (int64_t)topics);
        iv_put_real(t, effect);
        iv_put_real(t, o.certainty);
        iv_put_real(t, at.power);
        last = topics;
    }
    return IV_OK;
}

/* Around the plans from this row on, the power that more or fewer topics have. */
static int put_curves(iv_table *t, const iv_table *plans, size_t first,
                      const iv_power_options *o, iv_err *err)
{
    enum { TOPICS = 1, EFFECT = 2 };
    double most = 10.0;
    int rc = IV_OK;

    for (size_t i = first; i < iv_table_rows(plans); i++)
        most = fmax(most, 1.5 * (double)iv_table_cell(plans, i, TOPICS).integer);
    most = fmin(most, IV_PLAN_TOPICS_MAX / 2.0);
    for (size_t i = first; i < iv_table_rows(plans) && rc == IV_OK; i++) {
        const double effect = iv_table_cell(plans, i, EFFECT).real;
        bool again = false;
        for (size_t k = first; k < i; k++)
            again = again || iv_table_cell(plans, k, EFFECT).real == effect;
        if (!again)
            rc = put_curve(t, *o, effect, most, err);
    }
    return rc;
}

static iv_table *curve_table(cmd_context *c)
{
    static const iv_column columns[] = {
        { "test", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 }, { "effect", IV_REAL, 4 },
        { "certainty", IV_REAL, 3 }, { "power", IV_REAL, 4 } };
    iv_table *t = session_draws(c->shared) ? iv_result_table(c->result, "curve", columns, 5)
                                           : NULL;

    if (t != NULL)
        iv_table_show(t, IV_FOLDED);
    return t;
}

static void draw(cmd_context *c)
{
    const args *a = c->args;
    iv_chart chart = {
        .kind = IV_CHART_CURVES, .table = "curve", .title = "Power and topics",
        .caption = "The probability that the test finds an effect of this size, over the "
                   "number of topics; one line an effect.",
        .x = "topics", .value = "power", .group = "effect", .page = "certainty",
        .panel = "test", .value_axis = { .from = 0.0, .to = 1.0 } };

    if (a->power.count == 1)
        chart.lines[0] = (iv_chart_line){ "wanted", a->power.at[0], false };
    iv_result_chart(c->result, &chart);
}

static int run(cmd_context *c, iv_err *err)
{
    static const iv_column columns[] = {
        { "test", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 }, { "effect", IV_REAL, 4 },
        { "alpha", IV_REAL, 4 }, { "certainty", IV_REAL, 3 }, { "critical", IV_REAL, 2 },
        { "power", IV_REAL, 4 } };
    const args *a = c->args;
    iv_planned_test tests[PLAN_TESTS] = { IV_PLAN_SIGN };
    size_t count = 1;
    bool first = true, by_mean = false, by_sign = false;
    int ask = ASK_POWER, rc = question(&ask, a, err);

    plan_tests_read(tests, &count, &a->tests);
    if (rc != IV_OK)
        return rc;
    iv_table *t = iv_result_table(c->result, "power", columns, 7);
    iv_table *curve = curve_table(c); /* NULL: not for a page */
    for (size_t k = 0; k < count && rc == IV_OK; k++) {
        by_sign = by_sign || iv_planned_test_by_sign(tests[k]);
        by_mean = by_mean || !iv_planned_test_by_sign(tests[k]);
        for (size_t l = 0; l < a->certainty.count && rc == IV_OK; l++) {
            const iv_power_options o = {
                .test = tests[k], .two_sided = a->sides == 1, .alpha = a->alpha,
                .certainty = a->certainty.at[l], .experiments = (size_t)a->experiments,
                .seed = c->shared->seed, .threads = (int)c->shared->threads };
            const size_t before = iv_table_rows(t);
            rc = fill(c, t, ask, &o, &first, err);
            if (rc == IV_OK && curve != NULL)
                rc = put_curves(curve, t, before, &o, err);
        }
    }
    if (rc == IV_OK && curve != NULL)
        draw(c);
    if (by_sign && by_mean)
        iv_result_note(c->result, "effects are not the same: a win-loss share for sign and "
                       "normal, standard deviations for the others; an effect of d standard "
                       "deviations wins a share Phi(d) of normal topics, 2 Phi(d) - 1 = h");
    return rc;
}

const cmd cmd_plan_power = {
    .name = "plan power",
    .group = "Planning",
    .summary = "say how many topics a test needs, or what it can find",
    .operands = "",
    .description =
        "Given two of --topics, --effect and --power, computes the third: for the sign test "
        "exactly and one-sided unless told otherwise, for t by quadrature, for wilcoxon and "
        "randomisation by simulated experiments with normal differences. Lists of numbers "
        "give all combinations.\n\n"
        "critical is where the test begins to reject: wins, the sum of ranks, Student's t. "
        "With --certainty below 1 the winner of a topic is told rightly only with that "
        "probability, as after incomplete judgments: the effect that is left is (2 certainty "
        "- 1) times as large, and topics / (2 certainty - 1)^2 topics keep the power.",
    .examples = (const cmd_example[]){
        { "intervale plan power --topics 25,50,100 --effect 0.25,0.35,0.5",
          "The power of the sign test: table 2 of the paper." },
        { "intervale plan power --effect 0.4 --power 0.8 --certainty 1,0.8",
          "How many topics, with complete and with incomplete judgments?" },
        { "intervale plan power --test t --test wilcoxon --topics 50 --power 0.8",
          "The smallest effect that fifty topics find." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .alpha = 0.05, .certainty = { 1, { 1.0 } },
                               .experiments = 10000 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "power", NULL },
    .run = run,
};
