/* SPDX-License-Identifier: Apache-2.0 */
/* study prf -- do intervals on precision, recall and F hold? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "study/prf_study.h"

typedef struct args {
    int metric;
    opt_numbers rates, sizes, prior;
    double beta, prevalence;
    int64_t replicates, draws;
} args;

static const char *const metrics[] = { "precision", "recall", "f1", "f-beta", "accuracy",
                                       "specificity", "balanced_accuracy", "mcc", NULL };
static const iv_prf_kind kinds[] = { IV_PRF_PRECISION, IV_PRF_RECALL, IV_PRF_F, IV_PRF_F,
                                     IV_PRF_ACCURACY, IV_PRF_SPECIFICITY,
                                     IV_PRF_BALANCED_ACCURACY, IV_PRF_MCC };
enum { F_BETA = 3 };

static const opt opts[] = {
    OPT_CHOICE(args, 0, "metric", "METRIC", metric, metrics, "whose intervals to study"),
    OPT_REAL(args, 0, "beta", "B", beta, 0.01, 100.0, "of f-beta"),
    OPT_NUMBERS(args, 0, "rates", "R,...", rates, 1, OPT_NUMBERS_MAX, 1e-6, 0.999999,
                "true rates"),
    OPT_NUMBERS(args, 0, "sizes", "N,...", sizes, 1, OPT_NUMBERS_MAX, 1,
                IV_PRF_STUDY_ITEMS_MAX,
                "numbers of items: returned (precision), relevant (recall), either (f1), all"),
    OPT_NUMBERS(args, 0, "prior", "L or A,B", prior, 1, 2, 1e-6, 1e6,
                "of the posterior, as in prf"),
    OPT_HEADING("For f-beta, balanced_accuracy and mcc, whose samples are drawn"),
    OPT_REAL(args, 0, "prevalence", "P", prevalence, 1e-6, 0.5, "share of relevant items"),
    OPT_INT(args, 0, "replicates", "N", replicates, 100, 10000000, "samples"),
    OPT_INT(args, 0, "draws", "N", draws, IV_PRF_DRAWS_MIN, IV_PRF_DRAWS_MAX,
            "draws from each posterior, and resamples of each bootstrap"),
    OPT_END
};

static int read_sizes(int64_t *out, const opt_numbers *sizes, iv_err *err)
{
    for (size_t i = 0; i < sizes->count; i++) {
        if (sizes->at[i] != floor(sizes->at[i]))
            return cmd_usage(err, "option '--sizes': %g is not a whole number", sizes->at[i]);
        out[i] = (int64_t)sizes->at[i];
    }
    return IV_OK;
}

static void fill_table(cmd_context *c, const iv_prf_study_options *o,
                       const iv_prf_study_cell *cells)
{
    static const iv_column columns[] = {
        { "metric", IV_TEXT, 0 },   { "method", IV_TEXT, 0 },  { "rate", IV_REAL, 3 },
        { "n", IV_INTEGER, 0 },     { "truth", IV_REAL, 4 },   { "coverage", IV_REAL, 4 },
        { "coverage_se", IV_REAL, 4 }, { "below", IV_REAL, 4 }, { "above", IV_REAL, 4 },
        { "width", IV_REAL, 4 },    { "gaps", IV_REAL, 4 } };
    const size_t count = o->rate_count * o->size_count * IV_PRF_STUDY_METHODS;
    char name[IV_PRF_NAME_SIZE];
    iv_table *t = iv_result_table(c->result, "coverage", columns, 11);

    (void)iv_prf_name(name, o->metric);
    for (size_t i = 0; i < count; i++) {
        const iv_prf_study_cell *x = &cells[i];
        if (isnan(x->coverage))
            continue; /* a method that the metric does not have */
        iv_put_text(t, iv_str_of(name));
        iv_put_text(t, iv_str_of(iv_prf_study_names()[x->method]));
        iv_put_real(t, x->rate);
        iv_put_int(t, x->size);
        iv_put_real(t, x->truth);
        iv_put_real(t, x->coverage);
        iv_put_real(t, x->coverage_se);
        iv_put_real(t, x->below);
        iv_put_real(t, x->above);
        iv_put_real(t, x->width);
        iv_put_real(t, x->gaps);
    }
}

static void draw(cmd_context *c, const iv_prf_study_options *o)
{
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "Coverage",
        .caption = "How often an interval holds the truth, over the true rate; the dashed line "
                   "is what it promises. Below the line it is too narrow.",
        .x = "rate", .value = "coverage", .group = "method", .page = "n",
        .x_axis = { .title = "true rate" },
        .lines = { { "promised", o->confidence, false } } });
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "Width",
        .caption = "How wide the intervals are: of two that keep their promise, the narrower "
                   "says more.",
        .x = "rate", .value = "width", .group = "method", .page = "n",
        .x_axis = { .title = "true rate" } });
}

/* Coverage over the grid, by method: what most readers look for. */
static void fill_summary(cmd_context *c, const iv_prf_study_options *o,
                         const iv_prf_study_cell *cells)
{
    static const iv_column columns[] = {
        { "method", IV_TEXT, 0 },  { "mean", IV_REAL, 4 }, { "least", IV_REAL, 4 },
        { "most", IV_REAL, 4 },    { "error", IV_REAL, 4 }, { "width", IV_REAL, 4 } };
    const size_t count = o->rate_count * o->size_count;
    iv_table *t = iv_result_table(c->result, "summary", columns, 6);

    for (size_t m = 0; m < IV_PRF_STUDY_METHODS; m++) {
        double sum = 0.0, least = INFINITY, most = -INFINITY, squares = 0.0, width = 0.0;
        for (size_t i = 0; i < count; i++) {
            const iv_prf_study_cell *x = &cells[i * IV_PRF_STUDY_METHODS + m];
            sum += x->coverage;
            least = fmin(least, x->coverage);
            most = fmax(most, x->coverage);
            squares += (x->coverage - o->confidence) * (x->coverage - o->confidence);
            width += x->width;
        }
        if (isnan(sum))
            continue;
        iv_put_text(t, iv_str_of(iv_prf_study_names()[m]));
        iv_put_real(t, sum / (double)count);
        iv_put_real(t, least);
        iv_put_real(t, most);
        iv_put_real(t, sqrt(squares / (double)count));
        iv_put_real(t, width / (double)count);
    }
}

static void tell(cmd_context *c, const iv_prf_study_options *o,
                 const iv_prf_study_cell *cells)
{
    const size_t count = o->rate_count * o->size_count;
    double mean[IV_PRF_STUDY_METHODS] = { 0.0 };

    for (size_t i = 0; i < count * IV_PRF_STUDY_METHODS; i++)
        mean[i % IV_PRF_STUDY_METHODS] += cells[i].coverage / (double)count;
    iv_result_answer(c->result, "At confidence %g the posterior's interval holds the truth in "
                     "%.4f of samples on average, the bootstrap's in %.4f.", o->confidence,
                     mean[IV_PRF_STUDY_EQUAL], mean[IV_PRF_STUDY_BOOTSTRAP]);
    if (!iv_prf_study_is_drawn(o->metric)) {
        iv_result_note(c->result, "coverage is exact: a sum over all outcomes; the bootstrap is "
                       "the ideal one, without resampling error");
        return;
    }
    iv_result_note(c->result, "samples of n items with prevalence %g, precision and recall both "
                   "the rate; %zu samples, %zu draws and resamples each; Wilson's interval has "
                   "no form for this metric", o->prevalence, o->replicates, o->draws);
    iv_result_note(c->result, "a sample without an interval (more than half of its resamples "
                   "are 0/0) counts as one that misses; gaps is their share");
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    int64_t sizes[OPT_NUMBERS_MAX];
    const iv_prf_study_options o = {
        .metric = { kinds[a->metric], a->metric == F_BETA ? a->beta : 1.0 },
        .prior = { a->prior.at[0], a->prior.at[a->prior.count - 1] },
        .confidence = c->shared->confidence, .rates = a->rates.at, .sizes = sizes,
        .rate_count = a->rates.count, .size_count = a->sizes.count,
        .prevalence = a->prevalence, .replicates = (size_t)a->replicates,
        .draws = (size_t)a->draws, .seed = c->shared->seed,
        .threads = (int)c->shared->threads, .progress = c->progress };
    int rc = read_sizes(sizes, &a->sizes, err);

    if (rc != IV_OK)
        return rc;
    iv_prf_study_cell *cells = calloc(o.rate_count * o.size_count * IV_PRF_STUDY_METHODS,
                                      sizeof *cells);
    rc = cells != NULL ? iv_prf_study(cells, &o, err)
                       : iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK) {
        fill_table(c, &o, cells);
        fill_summary(c, &o, cells);
        draw(c, &o);
        tell(c, &o, cells);
    }
    free(cells);
    return rc;
}

const cmd cmd_study_prf = {
    .name = "study prf",
    .group = "Studies",
    .summary = "how often intervals on precision and F hold",
    .operands = "",
    .description =
        "For true rates and sample sizes: how often does an interval hold the truth, on which "
        "side does it miss, how wide is it? The posterior's intervals of prf (equal tails and "
        "highest density) stand beside Wilson's score interval and the percentile bootstrap.\n\n"
        "For precision, recall, specificity, accuracy and f1 the answer is exact: given the "
        "number of items that count, true positives are binomial, and all outcomes are summed. "
        "For f-beta, balanced_accuracy and mcc samples are drawn, with their standard error.",
    .examples = (const cmd_example[]){
        { "intervale study prf --metric f1", "The default grid, exactly." },
        { "intervale study prf --metric precision --rates 0.9,0.99 --sizes 10,50,200 "
          "--table summary",
          "High precision, small samples: the worst coverage of each method." },
        { "intervale study prf --metric mcc --rates 0.8 --sizes 100 --replicates 500",
          "Matthews' correlation, from samples of 100 items." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){
        .metric = 2, .beta = 2.0, .prevalence = 0.2, .replicates = 2000, .draws = 2000,
        .rates = { .count = 7, .at = { 0.05, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95 } },
        .sizes = { .count = 5, .at = { 10, 20, 50, 100, 500 } },
        .prior = { .count = 1, .at = { 0.5 } } },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "coverage", "summary", NULL },
    .run = run,
};
