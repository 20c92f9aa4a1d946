/* SPDX-License-Identifier: Apache-2.0 */
/* plan cost -- many topics with few judgments, or few with many? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/plan.h"
#include "intervale/num.h"
#include "intervale/trec.h"
#include "command/plan_cost_tables.h"

typedef struct args {
    opt_numbers coefficients;
    double topics, topic_cost, judgment_cost, free_topics, at;
} args;

static const opt opts[] = {
    OPT_NUMBERS(args, 0, "coefficients", "G,G,G", coefficients, 3, 3, -100.0, 100.0,
                "the model itself (constant, of log certainty, of log topics) in place of a "
                "pilot"),
    OPT_REAL(args, 0, "topics", "N", topics, 1.0, 1e6,
             "topics that would be enough if judged to certainty"),
    OPT_REAL(args, 0, "topic-cost", "C", topic_cost, 0.0, 1e12, "price of a topic"),
    OPT_REAL(args, 0, "judgment-cost", "C", judgment_cost, 0.0, 1e12, "price of a judgment"),
    OPT_REAL(args, 0, "free-topics", "N", free_topics, 0.0, 1e12,
             "topics that are there already and cost nothing"),
    OPT_REAL(args, 0, "certainty", "L", at, 0.5, 1.0,
             "show the cost of this certainty, not of the best one"),
    OPT_END
};

/* A column by any of its names, ending with NULL. */
static int find_column(size_t *out, const iv_csv *t, const char *path,
                       const char *const *names, iv_err *err)
{
    for (size_t k = 0; names[k] != NULL; k++) {
        *out = iv_csv_find(t, iv_str_of(names[k]));
        if (*out != IV_NONE)
            return IV_OK;
    }
    return iv_fail_at(err, IV_EPARSE, path, 1, "no column named %s", names[0]);
}

static int read_cell(double *out, const iv_csv *t, const char *path, size_t row,
                     size_t column, double low, double high, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const iv_str cell = iv_csv_cell(t, row, column);

    if (iv_scan_real(out, cell) && *out >= low && *out <= high)
        return IV_OK;
    (void)iv_quote(quoted, cell);
    const iv_str name = iv_csv_column(t, column);
    return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, row), isfinite(high)
                      ? "%.*s is %s, expected %g to %g" : "%.*s is %s, expected at least %g",
                      (int)name.len, name.ptr, quoted, low, high);
}

static int read_rows(double *x, const iv_csv *t, const char *path, iv_err *err)
{
    static const char *const certainty[] = { "certainty", "confidence", "lambda", NULL };
    static const char *const topics[] = { "topics", "n", NULL };
    static const char *const judgments[] = { "judgments", "j", NULL };
    const size_t rows = iv_csv_rows(t);
    size_t column[3] = { 0, 0, 0 };
    int rc = find_column(&column[0], t, path, certainty, err);

    if (rc == IV_OK)
        rc = find_column(&column[1], t, path, topics, err);
    if (rc == IV_OK)
        rc = find_column(&column[2], t, path, judgments, err);
    for (size_t i = 0; i < rows && rc == IV_OK; i++) {
        rc = read_cell(&x[i], t, path, i, column[0], 0.5, 1.0, err);
        if (rc == IV_OK)
            rc = read_cell(&x[rows + i], t, path, i, column[1], 1.0, (double)INFINITY, err);
        if (rc == IV_OK)
            rc = read_cell(&x[2 * rows + i], t, path, i, column[2], 0.0, (double)INFINITY,
                           err);
    }
    return rc;
}

static int fit(iv_cost_model *out, cmd_context *c, const char *path, iv_err *err)
{
    iv_csv *t = NULL;
    double *x = NULL;
    int rc = iv_csv_load(&t, path, err);

    if (rc != IV_OK)
        return rc;
    iv_result_input(c->result, path, iv_csv_bytes(t));
    const size_t rows = iv_csv_rows(t);
    x = malloc((3 * rows + 1) * sizeof *x);
    rc = x == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : read_rows(x, t, path, err);
    if (rc == IV_OK)
        rc = iv_cost_fit(out, x, x + rows, x + 2 * rows, rows, err);
    free(x);
    iv_csv_free(t);
    return rc;
}

static int read_model(iv_cost_model *out, cmd_context *c, iv_err *err)
{
    const args *a = c->args;

    if ((a->coefficients.count == 0) == (c->operand_count == 0))
        return cmd_usage(err, "give a PILOT or --coefficients, one of the two");
    if (c->operand_count == 1)
        return fit(out, c, c->operands[0], err);
    *out = (iv_cost_model){ .rows = 0 };
    memcpy(out->g, a->coefficients.at, sizeof out->g);
    return IV_OK;
}

static void put_choice(iv_table *t, const char *name, const iv_cost_model *m,
                       const iv_cost_choice *c, double z, double against)
{
    const double spread = z * iv_cost_log_se(m, c->certainty, c->topics);
    const bool known = m->rows > 0;

    iv_put_text(t, iv_str_of(name));
    iv_put_real(t, c->certainty);
    iv_put_int(t, (int64_t)ceil(c->topics - 1e-9));
    iv_put_real(t, c->judgments);
    iv_put_real(t, known ? c->judgments * exp(-spread) : (double)NAN);
    iv_put_real(t, known ? c->judgments * exp(spread) : (double)NAN);
    iv_put_real(t, c->cost);
    iv_put_real(t, against > 0.0 ? 1.0 - c->cost / against : (double)NAN);
}

static int run(cmd_context *c, iv_err *err)
{
    static const iv_column columns[] = {
        { "plan", IV_TEXT, 0 }, { "certainty", IV_REAL, 4 }, { "topics", IV_INTEGER, 0 },
        { "judgments", IV_REAL, 1 }, { "lower", IV_REAL, 1 }, { "upper", IV_REAL, 1 },
        { "cost", IV_REAL, 1 }, { "saving", IV_REAL, 3 } };
    const args *a = c->args;
    const iv_prices prices = { a->topic_cost, a->judgment_cost, a->free_topics };
    const double z = iv_norm_isf(0.5 * (1.0 - c->shared->confidence));
    iv_cost_model m;
    iv_cost_choice best;

    if (!(a->topic_cost + a->judgment_cost > 0.0))
        return cmd_usage(err, "a topic or a judgment must cost something");
    if (!isnan(a->at) && a->at <= 0.5)
        return cmd_usage(err, "option --certainty: %g, expected above 0.5", a->at);
    int rc = read_model(&m, c, err);
    if (rc == IV_OK)
        rc = iv_cost_least(&best, &m, a->topics, &prices, IV_COST_LEAST_CERTAINTY, err);
    if (rc != IV_OK)
        return rc;
    const iv_cost_choice shown = isnan(a->at) ? best : iv_cost_at(&m, a->topics, a->at, &prices);
    const iv_cost_choice certain = iv_cost_at(&m, a->topics, 1.0, &prices);
    iv_table *t = iv_result_table(c->result, "plan", columns, 8);
    put_choice(t, isnan(a->at) ? "cheapest" : "asked", &m, &shown, z, certain.cost);
    put_choice(t, "certain", &m, &certain, z, 0.0);
    iv_result_answer(c->result, "%s: certainty %.3f on %.0f topics, %.0f judgments, cost %.0f; "
                     "%g topics judged to certainty cost %.0f.",
                     isnan(a->at) ? "Cheapest" : "As asked", shown.certainty,
                     ceil(shown.topics - 1e-9), shown.judgments, shown.cost, a->topics,
                     certain.cost);
    plan_cost_model_table(c->result, &m);
    plan_cost_fit_table(c->result, &m);
    plan_cost_curve_table(c->result, &m, a->topics, &prices,
                          strcmp(c->shared->format, "text") == 0 ? 5 : 1, shown.certainty);
    plan_cost_tell(c->result, &m, &shown, IV_COST_LEAST_CERTAINTY);
    return rc;
}

const cmd cmd_plan_cost = {
    .name = "plan cost",
    .group = "Planning",
    .summary = "weigh topics against judgments",
    .operands = "[PILOT]",
    .least = 0,
    .most = 1,
    .description =
        "Fits the number of judgments that it takes to reach a certainty, j = exp(g0 + g1 log "
        "certainty + g2 log topics), to the rows of PILOT (CSV or TSV with columns certainty, "
        "topics and judgments) by Poisson regression, and finds the certainty at which an "
        "experiment with the power of --topics certain topics costs least: topics / (2 "
        "certainty - 1)^2 topics are then needed. plan pilot makes such rows from runs and "
        "judgments.\n\n"
        "cost is computed with topics not rounded. lower and upper are an interval for the "
        "mean number of judgments as the model has it; single experiments vary far more. r2 is "
        "the share of the null deviance explained.",
    .examples = (const cmd_example[]){
        { "intervale plan cost pilot.csv", "Fit and minimise; topics are free." },
        { "intervale plan cost --coefficients 4.79,5.43,0.71 --topics 25",
          "The model of the paper." },
        { "intervale plan cost --topic-cost 20 --free-topics 249 --coefficients 4.79,5.43,0.71",
          "Topics beyond 249 cost as much as twenty judgments." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .topics = 25.0, .judgment_cost = 1.0, .at = (double)NAN },
    .args_size = sizeof(args),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "plan", "model", "fit", "curve", NULL },
    .run = run,
};
