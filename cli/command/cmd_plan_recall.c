/* SPDX-License-Identifier: Apache-2.0 */
/* plan recall -- how many documents to judge, and which. */
#include <math.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/plan.h"

typedef struct args {
    int64_t population, retrieved;
    opt_numbers recall, precision, total;
    double width, lower, assurance;
    int method;
    bool one_sided;
} args;

static const char *const methods[] = {
    "auto", "naive", "normal", "normal-uncorrected", "laplace", "agresti-coull", "koopman", "jeffreys",
    "betabin-uniform", "betabin-mcp", "betabin-half", "betabin-shared", NULL
};

static const opt opts[] = {
    OPT_INT(args, 0, "population", "N", population, 2, IV_STRATUM_MAX,
            "documents in the collection"),
    OPT_INT(args, 0, "retrieved", "N", retrieved, 1, IV_STRATUM_MAX,
            "how many of them are retrieved"),
    OPT_NUMBERS(args, 0, "recall", "X,...", recall, 1, 7, 0.0, 1.0,
                "what recall might be; two numbers are a range, of which the ends and the middle "
                "are tried"),
    OPT_NUMBERS(args, 0, "precision", "X,...", precision, 1, 7, 0.0, 1.0,
                "what precision might be, in the same way"),
    OPT_HEADING("What is wanted"),
    OPT_NUMBERS(args, 0, "total", "N,...", total, 1, 24, 2.0, 1e12,
                "documents to judge, in both segments together"),
    OPT_REAL_OPEN(args, 0, "width", "W", width, 0.0, 1.0,
                  "find the number for an interval of this expected width"),
    OPT_REAL_OPEN(args, 0, "lower", "X", lower, 0.0, 1.0,
                  "find the number for an expected lower limit of X"),
    OPT_REAL_OPEN(args, 0, "assurance", "P", assurance, 0.0, 1.0,
                  "with --lower: for a lower limit of at least X with this probability"),
    OPT_CHOICE(args, 0, "method", "NAME", method, methods, "how the interval will be computed"),
    OPT_FLAG(args, 0, "one-sided", one_sided, "the limits will be one-sided"),
    OPT_END
};

enum { MOST_SIZES = 24, SPLITS = 19 };

typedef struct planning {
    cmd_context *c;
    const args *a;
    iv_recall_plan plan;
    iv_recall_guess guesses[IV_PLAN_GUESSES];
    iv_recall_goal goal;
    double wanted; /* of the goal; NaN: sizes are given */
    size_t part, parts;
} planning;

static void step(planning *p)
{
    p->part++;
    if (p->c->progress.report != NULL)
        p->c->progress.report(p->c->progress.user,
                              fmin(1.0, (double)p->part / (double)p->parts));
}

/* Two numbers are a range: its middle is tried too. */
static size_t spread(double out[8], const opt_numbers *given)
{
    if (given->count == 2) {
        out[0] = given->at[0];
        out[1] = 0.5 * (given->at[0] + given->at[1]);
        out[2] = given->at[1];
        return given->at[0] == given->at[1] ? 1 : 3;
    }
    memcpy(out, given->at, given->count * sizeof *out);
    return given->count;
}

static int prepare(planning *p, iv_err *err)
{
    const args *a = p->a;
    double recall[8], precision[8];

    if (a->population < 0 || a->retrieved < 0 || a->recall.count == 0 || a->precision.count == 0)
        return cmd_usage(err, "--population, --retrieved, --recall and --precision are needed");
    if ((a->total.count > 0) + !isnan(a->width) + !isnan(a->lower) > 1)
        return cmd_usage(err, "give one of --total, --width and --lower");
    if (!isnan(a->assurance) && isnan(a->lower))
        return cmd_usage(err, "--assurance needs --lower");
    const size_t recalls = spread(recall, &a->recall);
    const size_t precisions = spread(precision, &a->precision);
    size_t n = 0;
    for (size_t i = 0; i < recalls; i++) {
        for (size_t k = 0; k < precisions && n < IV_PLAN_GUESSES; k++)
            p->guesses[n++] = (iv_recall_guess){ recall[i], precision[k] };
    }
    p->goal = isnan(a->lower)       ? IV_GOAL_WIDTH
              : isnan(a->assurance) ? IV_GOAL_LOWER : IV_GOAL_ASSURANCE;
    p->wanted = p->goal == IV_GOAL_WIDTH   ? a->width
                : p->goal == IV_GOAL_LOWER ? a->lower : a->assurance;
    p->plan = (iv_recall_plan){ a->population, a->retrieved,
                                { .method = (iv_recall_method)a->method,
                                  .confidence = p->c->shared->confidence,
                                  .one_sided = a->one_sided },
                                p->guesses, n, isnan(a->lower) ? 0.0 : a->lower };
    for (size_t i = 0; i < a->total.count; i++) {
        if (a->total.at[i] != floor(a->total.at[i]))
            return cmd_usage(err, "--total: %g is not a whole number", a->total.at[i]);
        if (a->total.at[i] > (double)a->population)
            return cmd_usage(err, "--total: %.0f documents to judge of %lld", a->total.at[i],
                             (long long)a->population);
    }
    return IV_OK;
}

/* One guess by itself. */
static iv_recall_plan only(const planning *p, size_t guess)
{
    iv_recall_plan one = p->plan;

    one.guesses = &p->guesses[guess];
    one.guess_count = 1;
    return one;
}

/* Is the curve drawn in characters?  Pages have charts, programs want numbers. */
static bool sketches(const planning *p)
{
    return strcmp(p->c->shared->format, "text") == 0;
}

/* A row of the tables split and size ends with a bar as long as the width. */
static void put_curve(const planning *p, iv_table *t, double width)
{
    char bar[21];

    if (!sketches(p))
        return;
    const size_t length = (size_t)rint(20.0 * fmin(fmax(width, 0.0), 1.0));

    memset(bar, '#', length);
    bar[length] = '\0';
    iv_put_text(t, iv_str_of(bar));
}

static void put_design(iv_table *t, const iv_recall_guess *g, int64_t n1, int64_t n0,
                       const iv_recall_expected *e)
{
    if (g == NULL) {
        iv_put_missing(t);
        iv_put_missing(t);
    } else {
        iv_put_real(t, g->recall);
        iv_put_real(t, g->precision);
    }
    iv_put_int(t, n1 + n0);
    iv_put_int(t, n1);
    iv_put_int(t, n0);
    iv_put_real(t, e->width);
    iv_put_real(t, e->lower);
    iv_put_real(t, e->upper);
}

/* Best for n documents, or of the least size when n is 0. */
static int best_design(iv_recall_design *d, planning *p, const iv_recall_plan *plan, int64_t n,
                       iv_err *err)
{
    const int rc = n > 0 ? iv_recall_best_split(d, plan, n, p->goal, NULL, err)
                         : iv_recall_least_size(d, plan, p->goal, p->wanted, NULL, err);

    step(p);
    return rc;
}

/* What all guesses together may expect of a design: the worst of each. */
static iv_recall_expected worst_of(const iv_recall_expected *e, size_t count)
{
    iv_recall_expected w = e[0];

    for (size_t i = 1; i < count; i++) {
        w.width = fmax(w.width, e[i].width);
        w.lower = fmin(w.lower, e[i].lower);
        w.upper = fmax(w.upper, e[i].upper);
        w.p_lower = fmin(w.p_lower, e[i].p_lower);
    }
    return w;
}

static int put_plans(planning *p, iv_table *t, int64_t n, iv_recall_design *chosen, iv_err *err)
{
    iv_recall_expected e[IV_PLAN_GUESSES];
    const bool many = p->plan.guess_count > 1;
    int rc = IV_OK;

    for (size_t i = 0; i < p->plan.guess_count && rc == IV_OK; i++) {
        const iv_recall_plan one = only(p, i);
        rc = best_design(chosen, p, &one, n, err);
        if (rc == IV_OK)
            rc = iv_recall_expect(e, &one, chosen->n1, chosen->n0, NULL, err);
        if (rc < 0)
            return rc;
        put_design(t, &p->guesses[i], chosen->n1, chosen->n0, e);
        if (!isnan(p->a->lower))
            iv_put_real(t, e[0].p_lower);
    }
    if (!many)
        return rc;
    rc = best_design(chosen, p, &p->plan, n, err);
    if (rc == IV_OK)
        rc = iv_recall_expect(e, &p->plan, chosen->n1, chosen->n0, NULL, err);
    if (rc < 0)
        return rc;
    const iv_recall_expected worst = worst_of(e, p->plan.guess_count);
    put_design(t, NULL, chosen->n1, chosen->n0, &worst);
    if (!isnan(p->a->lower))
        iv_put_real(t, worst.p_lower);
    return IV_OK;
}

/* Figure 14: the width over the split of n documents. */
static int put_splits(planning *p, iv_table *t, int64_t n, iv_err *err)
{
    iv_recall_expected e[IV_PLAN_GUESSES];

    for (int i = 1; i <= SPLITS; i++, step(p)) {
        const int64_t n1 = (int64_t)rint((double)n * (double)i / (SPLITS + 1.0));
        if (n1 < 1 || n - n1 < 1 || n1 > p->plan.retrieved
            || n - n1 > p->plan.population - p->plan.retrieved)
            continue;
        const int rc = iv_recall_expect(e, &p->plan, n1, n - n1, NULL, err);
        if (rc < 0)
            return rc;
        for (size_t k = 0; k < p->plan.guess_count; k++) {
            iv_put_real(t, (double)i / (SPLITS + 1.0));
            put_design(t, &p->guesses[k], n1, n - n1, &e[k]);
            put_curve(p, t, e[k].width);
        }
    }
    return IV_OK;
}

/* Figure 15: the width over the size, each with its best split. */
static int put_sizes(planning *p, iv_table *t, iv_err *err)
{
    static const double ladder[] = { 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000 };

    for (size_t i = 0; i < sizeof ladder / sizeof *ladder; i++) {
        const int64_t n = (int64_t)ladder[i];
        if (n > p->plan.population)
            break;
        for (size_t k = 0; k < p->plan.guess_count; k++, step(p)) {
            const iv_recall_plan one = only(p, k);
            iv_recall_design d;
            iv_recall_expected e;
            int rc = iv_recall_best_split(&d, &one, n, IV_GOAL_WIDTH, NULL, err);
            if (rc == IV_OK)
                rc = iv_recall_expect(&e, &one, d.n1, d.n0, NULL, err);
            if (rc < 0)
                return rc;
            put_design(t, &p->guesses[k], d.n1, d.n0, &e);
            put_curve(p, t, e.width);
        }
    }
    return IV_OK;
}

static void answer(const planning *p, iv_recall_design d)
{
    const char *span = p->plan.guess_count > 1 ? " over all the guesses" : "";

    if (p->goal == IV_GOAL_WIDTH)
        iv_result_answer(p->c->result, "Judge %lld retrieved and %lld other documents, %lld in all: "
                         "the expected width is %s%.3f%s.", (long long)d.n1, (long long)d.n0,
                         (long long)(d.n1 + d.n0), span[0] != '\0' ? "at most " : "", d.value,
                         span);
    else
        iv_result_answer(p->c->result, "Judge %lld retrieved and %lld other documents, %lld in all: "
                         "%s %.3f%s%s.", (long long)d.n1, (long long)d.n0,
                         (long long)(d.n1 + d.n0),
                         p->goal == IV_GOAL_LOWER ? "the expected lower limit is"
                                                  : "the wanted lower limit has probability",
                         d.value, span[0] != '\0' ? " or more" : "", span);
}

/* Figures 14 and 15 of the paper. */
static void draw(const planning *p, iv_recall_design d)
{
    const double least = p->a->lower, n = (double)(d.n1 + d.n0);
    iv_result *out = p->c->result;

    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "size", .title = "How many to judge",
        .caption = "The band is the interval to expect, over the number of documents judged "
                   "and split in the best way; the line is the recall guessed.",
        .x = "n", .value = "recall", .lower = "lower", .upper = "upper", .page = "recall",
        .x_axis = { .title = "documents judged", .log = true },
        .value_axis = { .title = "recall" },
        .lines = { { "the plan", n, true }, { isnan(least) ? NULL : "wanted", least, false } } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "split", .title = "How to split them",
        .caption = "The width of the interval to expect, over the share of the judgments that "
                   "goes to retrieved documents: the best split is at the lowest point.",
        .x = "share", .value = "width", .group = "recall", .panel = "precision",
        .x_axis = { .title = "share of the judgments that goes to retrieved documents",
                    .from = 0.0, .to = 1.0 },
        .value_axis = { .title = "expected width" },
        .lines = { { "the plan", n > 0.0 ? (double)d.n1 / n : 0.0, true } } });
}

static int run(cmd_context *c, iv_err *err)
{
    static const iv_column columns[] = {
        { "share", IV_REAL, 2 }, { "recall", IV_REAL, 3 }, { "precision", IV_REAL, 3 },
        { "n", IV_INTEGER, 0 }, { "n1", IV_INTEGER, 0 }, { "n0", IV_INTEGER, 0 },
        { "width", IV_REAL, 3 }, { "lower", IV_REAL, 3 }, { "upper", IV_REAL, 3 },
        { "p_lower", IV_REAL, 3 } };
    iv_column curved[10];
    planning p = { .c = c, .a = c->args };
    iv_recall_design d = { 0, 0, 0.0 };
    int rc = prepare(&p, err);

    if (rc != IV_OK)
        return rc;
    static const double usual[] = { 500, 1000, 2000, 5000 };
    const size_t sizes = !isnan(p.wanted) ? 1 : p.a->total.count > 0 ? p.a->total.count : 4;
    p.parts = (sizes + 10) * (p.plan.guess_count + 1) + SPLITS;
    iv_table *plans = iv_result_table(c->result, "plan", columns + 1,
                                      isnan(p.a->lower) ? 8 : 9);
    memcpy(curved, columns, sizeof curved);
    curved[9] = (iv_column){ "curve", IV_TEXT, 0 };
    iv_table *splits = iv_result_table(c->result, "split", curved, sketches(&p) ? 10 : 9);
    iv_table *curve = iv_result_table(c->result, "size", curved + 1, sketches(&p) ? 9 : 8);
    for (size_t i = 0; i < sizes && rc == IV_OK; i++) {
        double n = !isnan(p.wanted) ? 0.0 : p.a->total.count > 0 ? p.a->total.at[i] : usual[i];
        n = fmin(n, (double)p.plan.population);
        rc = put_plans(&p, plans, (int64_t)n, &d, err);
    }
    if (rc == IV_OK)
        rc = put_splits(&p, splits, d.n1 + d.n0, err);
    if (rc == IV_OK)
        rc = put_sizes(&p, curve, err);
    if (rc < 0)
        return rc;
    answer(&p, d);
    draw(&p, d);
    if (p.plan.guess_count > 1)
        iv_result_note(c->result, "In the table plan the row without a guess is for one design "
                       "that serves all guesses: the largest width, the smallest lower and the "
                       "largest upper limit over them.");
    iv_result_note(c->result, "Expected limits of %s, over the samples one might see if the guess "
                   "is true, good to about 0.001. The table split is for %lld documents; size has "
                   "the best split of each n.", methods[p.a->method == 0 ? IV_RECALL_BETABIN_SHARED : p.a->method], (long long)(d.n1 + d.n0));
    return IV_OK;
}

const cmd cmd_plan_recall = {
    .name = "plan recall",
    .group = "Planning",
    .summary = "say how many documents to judge for a recall interval",
    .operands = "",
    .least = 0,
    .most = 0,
    .description =
        "Before a review is audited: how wide will the interval on recall be, when so many "
        "documents are judged; how should they be split between the retrieved and the others; "
        "how many does a wanted width need, or a wanted lower limit when recall is really as "
        "guessed?\n\n"
        "The table plan has the best split of n documents for each guess, n1 retrieved and n0 "
        "others, and one split for all guesses together. The "
        "table split shows the expected interval over the split (share is the part judged of the "
        "retrieved), and the table size over the number of documents: figures 14 and 15 of "
        "Webber (2013) for your numbers. A precise interval on precision needs more retrieved "
        "documents than the best split for recall judges.",
    .examples = (const cmd_example[]){
        { "intervale plan recall --population 100000 --retrieved 5000 --recall 0.7 "
          "--precision 0.5 --total 1000",
          "What 1000 judgments would give." },
        { "intervale plan recall --population 100000 --retrieved 5000 --recall 0.85 "
          "--precision 0.5 --lower 0.75 --assurance 0.8",
          "How many judgments show recall of 0.75 with probability 0.8, when it is 0.85." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .population = -1, .retrieved = -1, .width = NAN, .lower = NAN,
                               .assurance = NAN },
    .args_size = sizeof(args),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "plan", "split", "size", NULL },
    .run = run,
};
