/* SPDX-License-Identifier: Apache-2.0 */
/* study map -- do intervals on a mean over topics hold? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "study/map_study.h"
#include "frame/suggest.h"

typedef struct args {
    const char *matrix, *methods;
    int by;
    opt_numbers n, alpha;
    int64_t samples, resamples;
} args;

static const char *const by_words[] = { "systems", "topics", NULL };

static const opt opts[] = {
    OPT_STR(args, 0, "matrix", "FILE", matrix,
            "scores, systems x topics, as eval --write-matrix writes them"),
    OPT_CHOICE(args, 0, "by", "WHAT", by, by_words, "what a line of FILE stands for"),
    OPT_NUMBERS(args, 0, "n", "N,...", n, 1, OPT_NUMBERS_MAX, 2.0, 1e9,
                "topics in a sample"),
    OPT_NUMBERS(args, 0, "alpha", "A,...", alpha, 1, OPT_NUMBERS_MAX, 0.0, 1.0,
                "nominal errors: 1 - confidence"),
    OPT_STR(args, 0, "methods", "NAME,...", methods,
            "which intervals: percentile, bca, logit, t"),
    OPT_INT(args, 0, "samples", "N", samples, 1, 100000000,
            "samples of each size from each system"),
    OPT_INT(args, 0, "resamples", "B", resamples, 1, 100000000, "resamples of each sample"),
    OPT_END
};

enum { METHODS = 8 };

/* What the words of the command line ask for. */
typedef struct plan {
    iv_interval_method methods[METHODS];
    size_t n[OPT_NUMBERS_MAX];
    iv_map_study_options options;
} plan;

static int unknown_method(const char *word, iv_err *err)
{
    suggest s = suggest_for(word);
    char quoted[IV_QUOTE_SIZE], near[SUGGEST_SIZE];

    for (const char *const *name = iv_interval_names() + IV_INTERVAL_LOGIT; *name != NULL; name++)
        suggest_offer(&s, *name);
    return cmd_usage(err, "unknown method %s, expected percentile, bca, logit or t%s",
                     iv_quote(quoted, iv_str_of(word)), suggest_text(near, &s, ""));
}

static int read_methods(plan *p, const char *text, iv_err *err)
{
    const char *const *names = iv_interval_names();

    for (const char *at = text; p->options.method_count < METHODS;) {
        const size_t len = strcspn(at, ",");
        char word[64];
        size_t k = 1; /* not "none" */
        (void)snprintf(word, sizeof word, "%.*s", (int)(len < 60 ? len : 60), at);
        while (names[k] != NULL && strcmp(names[k], word) != 0)
            k++;
        if (names[k] == NULL)
            return unknown_method(word, err);
        p->methods[p->options.method_count++] = (iv_interval_method)k;
        if (at[len] == '\0')
            return IV_OK;
        at += len + 1;
    }
    return cmd_usage(err, "more than %d methods", METHODS);
}

static int read_plan(plan *p, const cmd_context *c, iv_err *err)
{
    const args *a = c->args;

    p->options = (iv_map_study_options){
        .methods = p->methods, .n = p->n, .n_count = a->n.count, .alpha = a->alpha.at,
        .alpha_count = a->alpha.count, .samples = (size_t)a->samples,
        .resamples = (size_t)a->resamples, .seed = c->shared->seed,
        .threads = (int)c->shared->threads, .progress = c->progress };
    if (a->matrix == NULL)
        return cmd_usage(err, "--matrix FILE is needed");
    for (size_t i = 0; i < a->n.count; i++) {
        if (a->n.at[i] != floor(a->n.at[i]))
            return cmd_usage(err, "--n %g, expected whole numbers", a->n.at[i]);
        p->n[i] = (size_t)a->n.at[i];
    }
    for (size_t i = 0; i < a->alpha.count; i++)
        if (!(a->alpha.at[i] > 0.0 && a->alpha.at[i] < 1.0))
            return cmd_usage(err, "--alpha %g, expected 0 < alpha < 1", a->alpha.at[i]);
    return read_methods(p, a->methods, err);
}

/* How far each method is from what it promises, in a sentence. */
static void answer(cmd_context *c, const plan *p, const iv_map_study_cell *cells)
{
    const iv_map_study_options *o = &p->options;
    char text[400];
    size_t used = 0;

    for (size_t m = 0; m < o->method_count; m++) {
        double worst = 0.0;
        for (size_t k = 0; k < o->n_count * o->alpha_count; k++) {
            const iv_map_study_cell *x = &cells[m * o->n_count * o->alpha_count + k];
            worst = fmax(worst, fabs(x->error - x->alpha));
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.4f",
                                 m > 0 ? ", " : "", iv_interval_names()[o->methods[m]],
                                 worst);
    }
    iv_result_answer(c->result, "Largest difference between the error and alpha: %s.", text);
}

static void fill_table(cmd_context *c, const plan *p, const iv_map_study_cell *cells)
{
    static const iv_column columns[] = {
        { "method", IV_TEXT, 0 },   { "n", IV_INTEGER, 0 },    { "alpha", IV_REAL, 2 },
        { "error", IV_REAL, 4 },    { "error_se", IV_REAL, 4 }, { "below", IV_REAL, 4 },
        { "above", IV_REAL, 4 },    { "width", IV_REAL, 4 },   { "bias", IV_REAL, 5 },
        { "intervals", IV_INTEGER, 0 }, { "gaps", IV_INTEGER, 0 } };
    const iv_map_study_options *o = &p->options;
    iv_table *t = iv_result_table(c->result, "errors", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t k = 0; k < o->method_count * o->n_count * o->alpha_count; k++) {
        const iv_map_study_cell *x = &cells[k];
        iv_put_text(t, iv_str_of(iv_interval_names()[x->method]));
        iv_put_int(t, (int64_t)x->n);
        iv_put_real(t, x->alpha);
        iv_put_real(t, x->error);
        iv_put_real(t, x->error_se);
        iv_put_real(t, x->below);
        iv_put_real(t, x->above);
        iv_put_real(t, x->width);
        iv_put_real(t, x->bias);
        iv_put_int(t, (int64_t)x->intervals);
        iv_put_int(t, (int64_t)x->gaps);
    }
}

static void draw(cmd_context *c, const plan *p, const iv_map_study_cell *cells)
{
    const iv_map_study_options *o = &p->options;
    double most = 0.0;

    for (size_t k = 0; k < o->method_count * o->n_count * o->alpha_count; k++)
        most = fmax(most, fmax(cells[k].alpha, cells[k].error));
    most = fmin(1.0, ceil(20.0 * most + 0.2) / 20.0);
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "What alpha promises, and what holds",
        .caption = "How often an interval misses the mean, over how often it says it would. On "
                   "the diagonal it keeps its promise; above it is too narrow, below too wide.",
        .x = "alpha", .value = "error", .group = "method", .page = "n", .diagonal = true,
        .x_axis = { .title = "alpha: the error promised", .from = 0.0, .to = most },
        .value_axis = { .title = "error found", .from = 0.0, .to = most } });
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "How wide the intervals are",
        .caption = "The mean width of the intervals: of two methods that keep their promise, "
                   "the narrower one says more.",
        .x = "alpha", .value = "width", .group = "method", .page = "n",
        .x_axis = { .title = "alpha" } });
}

static void tell_gaps(cmd_context *c, const plan *p, const iv_map_study_cell *cells)
{
    const iv_map_study_options *o = &p->options;
    const size_t each = o->n_count * o->alpha_count;

    for (size_t i = 0; i < o->n_count; i++) {
        const iv_map_study_cell *x = &cells[i * o->alpha_count];
        if (x->gaps > 0 && each > 0)
            iv_result_note(c->result, "%zu of %zu samples of %zu topics had all values equal "
                           "to 0 or to 1 and gave no interval; they are left out", x->gaps,
                           x->gaps + x->intervals, x->n);
    }
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    plan p = { .options.method_count = 0 };
    iv_matrix *scores = NULL;
    iv_map_study_cell *cells = NULL;
    int rc = read_plan(&p, c, err);

    if (rc == IV_OK)
        rc = iv_matrix_load(&scores, a->matrix,
                            a->by == 0 ? IV_ROWS_SYSTEMS : IV_ROWS_TOPICS, err);
    if (rc != IV_OK)
        return rc;
    iv_result_input(c->result, a->matrix, iv_matrix_bytes(scores));
    cells = calloc(p.options.method_count * p.options.n_count * p.options.alpha_count + 1,
                   sizeof *cells);
    rc = cells == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                       : iv_map_study(cells, scores, &p.options, err);
    if (rc == IV_OK) {
        answer(c, &p, cells);
        fill_table(c, &p, cells);
        draw(c, &p, cells);
        tell_gaps(c, &p, cells);
        iv_result_note(c->result, "%zu systems and %zu topics; %zu samples of each size from "
                       "each system, without replacement; %zu resamples of each",
                       iv_matrix_systems(scores), iv_matrix_topics(scores),
                       p.options.samples, p.options.resamples);
    }
    free(cells);
    iv_matrix_free(scores);
    return rc;
}

const cmd cmd_study_map = {
    .name = "study map",
    .group = "Studies",
    .summary = "how often intervals on a mean over topics miss it",
    .operands = "",
    .description =
        "Takes each system's scores on all topics for its population, draws samples of n "
        "topics without replacement, makes intervals and counts how often they miss the "
        "population's mean: the error that alpha promises. Repeats Park's experiment on any "
        "matrix of scores in [0, 1].\n\n"
        "The finite population is sampled without replacement while the intervals reckon "
        "with an infinite one, so that large n look better than they are.",
    .examples = (const cmd_example[]){
        { "intervale study map --matrix ap.csv",
          "Park's tables: percentile, bca and logit for 5, 10 and 20 topics." },
        { "intervale study map --matrix ap.csv --n 50 --alpha 0.05 --methods logit,t --format "
          "tsv",
          "Two methods for 50 topics at 95 % confidence, for a program." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){
        .methods = "percentile,bca,logit", .n = { 3, { 5, 10, 20 } },
        .alpha = { 10, { .05, .10, .15, .20, .25, .30, .35, .40, .45, .50 } },
        .samples = 1000, .resamples = 1000 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "errors", NULL },
    .run = run,
};
