/* SPDX-License-Identifier: Apache-2.0 */
/* Every method that an answer may name, one row each: id, words, papers.  The intervals of means
 * have their rows in src/stat/interval/interval.c. */
#include "answer/answer_private.h"

#include <strings.h>

bool iv_reference_find(iv_citation *out, const char *key)
{
    const char *at = iv_references; /* key, label, text, entry: each ends with a NUL */

    while (*at != '\0') {
        const char *field[4];
        for (size_t i = 0; i < 4; i++, at += strlen(at) + 1)
            field[i] = at;
        *out = (iv_citation){ NULL, field[0], field[1], field[2], field[3] };
        if (strcmp(field[0], key) == 0)
            return true;
    }
    return false;
}

static const iv_method_row rows[] = {
    /* means */
    { "mean", "means over topics, no interval", "" },
    { "t", "Student's t interval", "student1908probable" },
    { "logit-bootstrap", "Studentised logit bootstrap over topics", "park2011bootstrap" },
    { "bootstrap", "bootstrap over topics", "park2011bootstrap" },
    { "bca", "BCa bootstrap", "efron1987better" },
    { "clustered", "standard errors over clusters",
      "miller2024adding bell2002bias imbens2016robust" },
    /* differences */
    { "paired-t", "paired t test", "student1908probable" },
    { "larger-p", "larger p-value of the paired t test and Hall's t test",
      "student1908probable hall1992removal intervale2026larger" },
    { "randomisation", "randomisation test", "fisher1935design smucker2007comparison" },
    { "holm", "Holm's correction", "holm1979simple" },
    { "bonferroni", "Bonferroni's correction", "holm1979simple" },
    { "bh", "Benjamini and Hochberg's correction", "benjamini1995controlling" },
    { "tukey", "randomised Tukey test", "carterette2012multiple" },
    { "bonferroni-limits", "Bonferroni's simultaneous intervals of differences",
      "dunn1961multiple" },
    { "holm-limits", "intervals end at 0 where Holm's test is significant but Bonferroni's "
      "interval contains 0",
      "strassburger2008compatible" },
    { "mcnemar", "McNemar's test", "mcnemar1947note" },
    { "tango", "Tango's interval of a difference", "tango1998equivalence" },
    { "sign", "sign test", "conover1999practical" },
    { "noncentral-t", "power of the t test by the noncentral t distribution",
      "student1908probable" },
    { "wilcoxon", "Wilcoxon's signed-rank test", "wilcoxon1945individual" },
    { "repeats", "variance between repeats added", "miller2024adding hartley1978simple" },
    { "margin", "one-sided tests of the difference against the margin",
      "schuirmann1987comparison" },
    { "unseen",
      "tests against the margin allow for rare cases with a large loss that the sample may lack",
      "hanley1983nothing intervale2026larger" },
    { "exact-margin", "exact test of the difference against the margin", "hsueh2001unconditional" },
    /* measures and rankings */
    { "ties", "expected values over ties", "mcsherry2008computing" },
    { "rbo", "rank-biased overlap", "webber2010similarity corsi2024treatment" },
    { "tau-ap", "tau_AP", "yilmaz2008new urbano2017treatment" },
    /* preferences */
    { "bradley-terry", "Bradley-Terry model", "bradley1952rank ford1957solution" },
    { "davidson", "Bradley-Terry model with ties", "bradley1952rank davidson1970extending" },
    { "preference-sandwich", "sandwich variance", "liang1986longitudinal" },
    { "rank-intervals", "ranges of ranks, valid for all systems at once, Holm's correction",
      "mogstad2024inference holm1979simple" },
    { "position-effect", "effect of the position", "davidson1977extending" },
    /* proportions, recall, precision */
    { "clopper-pearson", "exact binomial limits", "clopper1934use" },
    { "wilson", "Wilson's score interval", "wilson1927probable" },
    { "betabin", "beta-binomial posterior", "webber2013recall" },
    { "betabin-half", "beta-binomial posterior, prior Beta(1/2, 1/2)", "webber2013recall" },
    { "betabin-weighted", "beta-binomial posterior, prior Beta(w/2, w/2), w proportional to the "
      "sampling weight of the stratum",
      "webber2013recall intervale2026prior" },
    { "betabin-mcp", "beta-binomial posterior, most conservative prior",
      "webber2013recall dyer1993choice" },
    { "recall-interval", "expected limits of recall", "webber2013recall" },
    { "weighted-recall", "ratio of Horvitz-Thompson estimators, linearised variance, logit scale",
      "horvitz1952generalization sarndal1992model" },
    { "double-sampling", "double sampling, beta-binomial posteriors, prior Beta(1/2, 1/2)",
      "webber2010assessor tenenbein1970double" },
    { "hypergeometric", "hypergeometric limits, coverage guaranteed for every true value",
      "clopper1934use" },
    { "buehler", "Buehler's bound, coverage guaranteed for every true value",
      "buehler1957product" },
    { "chernoff", "Chernoff's inequality, coverage guaranteed for every true value",
      "serfling1974probability" },
    { "confidence-sequence", "e-values, valid whenever you stop judging",
      "waudbysmith2020without" },
    { "qbcb", "quantile binomial confidence bound (QBCB), valid for any number of interim analyses",
      "lewis2021certifying" },
    { "hypergeometric-rule", "hypergeometric rule, exact for one planned test and approximate if "
                             "repeated after every document", "callaghan2020stopping" },
    { "proportion", "Wald, score, Agresti-Coull, Jeffreys and exact intervals",
      "wilson1927probable agresti1998approximate clopper1934use brown2001interval" },
    { "koopman", "Koopman's ratio interval", "koopman1984ratio" },
    { "goutte", "Beta posteriors of precision, recall and F", "goutte2005probabilistic" },
    { "goutte-paired", "paired comparison on the items that only one system got right",
      "goutte2005probabilistic" },
    { "jackknife-logit", "jackknife on the logit scale", "miller1974jackknife" },
    { "delong", "DeLong's variance for differences of AUC", "delong1988comparing" },
    { "boyd", "logit interval of AP", "boyd2013area" },
    { "ece", "ECE with equal-width bins", "naeini2015obtaining" },
    { "optimism", "measures at a chosen threshold, corrected for optimism by the bootstrap",
      "harrell1996multivariable noma2021confidence" },
    { "curve-bands", "percentile bootstrap of curves", "efron1993introduction" },
    { "korn-graubard", "Korn and Graubard's limits of proportions", "korn1998confidence" },
    { "reproduction", "measures of reproduction", "breuer2020measure" },
    { "worth", "informativeness: reference labels needed without the judge, divided by those "
      "with it, for the same standard error", "tenenbein1970double" },
    { "newcombe", "Newcombe's interval of AUC", "newcombe2006confidence" },
    { "kappa", "Cohen's kappa", "cohen1960coefficient" },
    { "weighted-kappa", "weighted kappa", "cohen1968weighted" },
    { "alpha", "Krippendorff's alpha", "krippendorff2004content" },
    { "jackknife", "jackknife", "fleiss1982jackknifing" },
    { "obrien-fleming", "O'Brien and Fleming's bounds", "obrien1979multiple" },
    { "pocock", "Pocock's bounds", "pocock1977group" },
    { "lan-demets", "alpha spending", "lan1983discrete" },
    /* samples and automatic labels */
    { "horvitz-thompson", "Horvitz-Thompson estimator", "horvitz1952generalization" },
    { "aslam-pavlu", "ratio estimates from inclusion probabilities", "aslam2008practical" },
    { "statap", "statAP as published, plus or minus 2 standard errors", "aslam2008practical" },
    { "stevens", "Stevens' sampling", "aslam2008practical stevens1958sampling" },
    { "uniform", "simple random sampling in each topic", "cochran1977sampling" },
    { "stratified", "stratified random sampling in each topic", "cochran1977sampling" },
    { "pool", "depth pooling, no sampling", "sparckjones1975report" },
    { "difference-estimator", "difference estimator", "sarndal1992model" },
    { "label-model", "labels calibrated by a mixed logistic model",
      "lehtonen2003effect stiratelli1984random" },
    { "two-phase", "estimates from human and automatic labels", "angelopoulos2023prediction" },
    { "regression-estimator", "regression estimator", "cochran1977sampling" },
    { "incomplete", "expected measures under incomplete judgments", "carterette2007hypothesis" },
    { "rank-relevance", "relevance by logistic regression on rank", "carterette2007robust" },
    { "equal-depth", "unjudged documents count only to the depth that all runs have",
      "intervale2026depth" },
    { "minimal", "order of judging by expected change", "carterette2006minimal" },
    { "unjudged", "relevance of unjudged documents by logistic regression",
      "carterette2007robust" },
    { "power", "power of paired tests", "carterette2007hypothesis" },
    { "ndcg", "nDCG", "jarvelin2002cumulated" },
    { "bpref", "bpref", "buckley2004retrieval" },
    { "infap", "infAP", "yilmaz2006estimating" },
    { "rbp", "RBP", "moffat2008rank" },
    { "err", "ERR", "chapelle2009expected" },
    /* simulation */
    { "simulated-scores", "simulated runs from a model of scores",
      "tague1994statistical urbano2019statistical" },
};

bool iv_method_at(iv_method_row *out, size_t i)
{
    const size_t own = sizeof rows / sizeof *rows;
    const iv_interval_info *interval = i < own ? NULL
        : iv_interval_about((iv_interval_method)(i - own));

    if (i >= own && interval == NULL)
        return false;
    *out = i < own ? rows[i] : (iv_method_row){ interval->id, interval->text, interval->cite };
    return true;
}

static bool find(iv_method_row *out, iv_result *r, const char *id)
{
    for (size_t i = 0; iv_method_at(out, i); i++)
        if (strcmp(out->id, id) == 0)
            return true;
    if (r->failure.code == IV_OK)
        (void)iv_fail(&r->failure, IV_EARG, "no method '%s'", id);
    return false;
}

/* "text (A 1999; B & C 2001)" */
static void use(iv_result *r, const iv_method_row *m, const char *text)
{
    iv_wording w = { .len = 0 };

    iv_say(&w, "%s", text);
    for (const char *at = m->cites; *at != '\0';) {
        char key[64];
        const size_t len = strcspn(at, " ");
        (void)snprintf(key, sizeof key, "%.*s", (int)len, at);
        iv_citation paper;
        const bool found = iv_reference_find(&paper, key);
        paper.method = m->text;
        if (found) {
            iv_result_add_citation(r, &paper);
            iv_say(&w, "%s%s", at == m->cites ? " (" : "; ", paper.label);
        } else if (r->failure.code == IV_OK)
            (void)iv_fail(&r->failure, IV_EARG, "no paper '%s'", key);
        at += len;
        at += *at == ' ';
    }
    iv_say(&w, "%s", m->cites[0] != '\0' ? ")" : "");
    iv_result_add_method(r, m->id, w.at);
}

void iv_result_used_all(iv_result *r, const char *ids)
{
    while (*ids != '\0') {
        char id[64];
        const size_t len = strcspn(ids, " ");
        (void)snprintf(id, sizeof id, "%.*s", (int)len, ids);
        iv_result_used(r, id);
        ids += len + (ids[len] == ' ');
    }
}

void iv_result_used(iv_result *r, const char *id)
{
    iv_method_row m;

    if (find(&m, r, id))
        use(r, &m, m.text);
}

void iv_result_used_with(iv_result *r, const char *id, const char *fmt, ...)
{
    iv_method_row m;
    char text[512];
    va_list ap;

    if (!find(&m, r, id))
        return;
    const int len = snprintf(text, sizeof text, "%s", m.text);
    va_start(ap, fmt);
    (void)vsnprintf(text + len, sizeof text - (size_t)len, fmt, ap);
    va_end(ap);
    use(r, &m, text);
}

/* Once is enough: after a stop the caller hears no more. */
typedef struct asked_once {
    iv_progress whole;
    int stop;
} asked_once;

static int ask_once(void *user, double done)
{
    asked_once *a = user;

    if (a->stop == 0)
        a->stop = a->whole.report(a->whole.user, done);
    return a->stop;
}

void iv_name_limits(iv_result *out, double confidence, bool one_sided)
{
    char text[48];

    (void)snprintf(text, sizeof text, "%s%g %% %s", one_sided ? "one-sided " : "",
                   confidence == 0.0 ? 95.0 : 100.0 * confidence,
                   one_sided ? "limits" : "interval");
    out->interval = iv_result_keep(out, iv_str_of(text));
}

static void name_interval(iv_result *out, const void *question, const iv_answering *how)
{
    for (size_t i = 0; i < how->count; i++)
        if (how->parts[i].kind == IV_IS_CONFIDENCE) {
            double confidence;
            memcpy(&confidence, (const char *)question + how->parts[i].at, sizeof confidence);
            iv_name_limits(out, confidence, false);
        }
}

int iv_answer_with(iv_result *out, const void *question, const iv_answering *how,
                   const iv_work *work, iv_err *err)
{
    const iv_result before = *out;
    iv_work guarded = work != NULL ? *work : (iv_work){ 0 };
    asked_once once = { guarded.progress, 0 };
    iv_err mine = { 0 };
    int rc = question != NULL ? IV_OK : iv_fail(&mine, IV_EARG, "there is no question");

    if (guarded.progress.report != NULL)
        guarded.progress = (iv_progress){ ask_once, &once };
    if (rc == IV_OK)
        rc = iv_check_parts(question, how->parts, how->count, &mine);
    if (rc == IV_OK)
        name_interval(out, question, how);
    if (rc == IV_OK)
        rc = how->answer(out, question, &guarded, &mine);
    iv_arena_free(&out->own);
    if (rc == IV_OK && how->uses != NULL && out->used.count == 0)
        iv_result_used_all(out, how->uses);
    if (rc == IV_OK)
        rc = iv_result_status(out, &mine);
    if (rc == IV_OK)
        return IV_OK;
    mine.code = rc;
    if (!how->keeps || (rc != IV_EPARSE && rc != IV_EIO))
        iv_result_rewind(out, &before);
    return iv_fail_as(err, &mine);
}

void iv_say(iv_wording *w, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const int n = vsnprintf(w->at + w->len, sizeof w->at - w->len, fmt, args);
    va_end(args);
    w->len += n > 0 ? (size_t)n : 0;
    if (w->len >= sizeof w->at)
        w->len = sizeof w->at - 1;
}

void iv_say_p(iv_wording *w, double p, const char *why)
{
    if (isnan(p))
        iv_say(w, "no p-value (%s)", why != NULL ? why : "none");
    else if (p < IV_P_LEAST)
        iv_say(w, "p < %.0e", IV_P_LEAST);
    else if (p < 0.0001)
        iv_say(w, "p = %.1e", p);
    else
        iv_say(w, "p = %.*f", p < 0.001 ? 5 : p < 0.1 ? 4 : 2, p);
}

const char *iv_probability(char out[IV_PROBABILITY_SIZE], double p)
{
    if (p > 0.9995)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "more than 0.999");
    else if (p < 0.0005)
        (void)snprintf(out, IV_PROBABILITY_SIZE, "less than 0.001");
    else
        (void)snprintf(out, IV_PROBABILITY_SIZE, "%.3f", p);
    return out;
}

const char *iv_say_equals(char out[IV_EQUALS_SIZE], size_t equal, const char *second)
{
    out[0] = '\0';
    if (equal == 1 && second != NULL)
        (void)snprintf(out, IV_EQUALS_SIZE, " and %.200s", second);
    else if (equal > 0)
        (void)snprintf(out, IV_EQUALS_SIZE, " and %zu other%s", equal, iv_plural(equal));
    return out;
}

const char *iv_span(char out[IV_SPAN_SIZE], double confidence, double lower, double upper)
{
    out[0] = '\0';
    if (isfinite(lower))
        (void)snprintf(out, IV_SPAN_SIZE, " (%.10g %% interval %.3f to %.3f)", 100.0 * confidence,
                       lower, upper);
    return out;
}

/* ------------------------------------------------------ numbers in words -- */

/* Which way a figure is rounded: to the nearest, down or up. */
typedef enum rounding { NEAREST, DOWN, UP } rounding;

static double round_to(int digits, double x, rounding way)
{
    const double unit = pow(10.0, digits), units = x * unit;
    const double whole = way == DOWN ? floor(units + 1e-7)
                         : way == UP ? ceil(units - 1e-7) : rint(units);

    return whole / unit + 0.0; /* of -0: 0 */
}

/* With so many digits, and more as long as it lies beyond `other` (NaN: there is none), or on it,
 * and x does not. */
static const char *figure(char out[IV_FIGURE_SIZE], int digits, double x, double other,
                          rounding way, const char *unit)
{
    enum { MOST = 9 };
    double is = round_to(digits, x, way);

    if (fabs(x - other) < 1e-10) { /* as it was given */
        (void)snprintf(out, IV_FIGURE_SIZE, "%.10g%s", other, unit);
        return out;
    }
    while (digits < MOST && !isnan(other) && !((is - other) * (x - other) > 0.0))
        is = round_to(++digits, x, way);
    (void)snprintf(out, IV_FIGURE_SIZE, "%.*f%s", digits, is, unit);
    return out;
}

static const char *percent(char out[IV_FIGURE_SIZE], double x, double other, rounding way)
{
    const double away = fmin(fabs(x), fabs(1.0 - x)); /* from 0 or 1 */
    int digits = 0;

    if (isnan(x)) {
        (void)snprintf(out, IV_FIGURE_SIZE, "unknown");
        return out;
    }
    const bool whole = fabs(100.0 * x - rint(100.0 * x)) < 1e-9;
    while (digits < 6 && away > 0.0 && !whole
           && 100.0 * away * pow(10.0, digits) < (x < 0.5 ? 9.95 : 0.995))
        digits++;
    return figure(out, digits, 100.0 * x, 100.0 * other, way, " %");
}

const char *iv_percent(char out[IV_FIGURE_SIZE], double x, double other)
{
    return percent(out, x, other, NEAREST);
}

const char *iv_percent_limit(char out[IV_FIGURE_SIZE], double x, double other, bool upper)
{
    return percent(out, x, other, upper ? UP : DOWN);
}

const char *iv_figure(char out[IV_FIGURE_SIZE], int digits, double x, double other)
{
    const double size = fmin(fmax(fabs(x), 0.1), 1e9);

    return figure(out, (int)fmax(0.0, digits - 1 - floor(log10(size))), x, other, NEAREST, "");
}

/* ------------------------------------------------------------------ claims -- */

void iv_say_one_sided(iv_wording *w, double confidence, size_t candidates, double lower,
                      double upper, double other)
{
    char low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];

    if (isnan(lower)) {
        iv_say(w, "no limits, as its variance cannot be estimated");
        return;
    }
    iv_say(w, "one-sided %.10g %% limits %s and %s", 100.0 * confidence,
           iv_figure(low, 4, lower, other), iv_figure(high, 4, upper, other));
    if (candidates > 1)
        iv_say(w, ", corrected for %zu candidates", candidates);
}

void iv_answer_claims(iv_result *out, iv_wording *w)
{
    size_t count;
    const iv_verdict all = iv_result_has_verdict(NULL, &count, out);

    while (w->len > 0 && w->at[w->len - 1] == ' ')
        w->at[--w->len] = '\0';
    if (count > 1)
        iv_result_answer(out, "%s (%zu of %zu claims). %s", iv_verdict_name(all), out->decisive,
                         count, w->at);
    else
        iv_result_answer(out, "%s", w->at);
}

/* One row of table measures against X. */
static void claim_row(iv_result *out, iv_wording *w, const iv_table *t, size_t row, double least,
                      double confidence)
{
    const size_t at[] = { iv_table_find(t, "run"), iv_table_find(t, "measure"),
                          iv_table_find(t, "value"), iv_table_find(t, "lower"),
                          iv_table_find(t, "upper") };
    const iv_str run = iv_table_cell(t, row, at[0]).text;
    const iv_str measure = iv_table_cell(t, row, at[1]).text;
    const iv_cell value = iv_table_cell(t, row, at[2]);
    static const char *const lies[] = { "", "lies above", "lies below", "contains" };
    const iv_cell none = { .missing = true };
    char low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];
    const iv_cell lower = at[3] == SIZE_MAX ? none : iv_table_cell(t, row, at[3]);
    const iv_cell upper = at[4] == SIZE_MAX ? none : iv_table_cell(t, row, at[4]);
    const iv_verdict v = lower.missing || upper.missing ? IV_VERDICT_OPEN
        : lower.real >= least ? IV_VERDICT_SHOWN
        : upper.real < least ? IV_VERDICT_OTHERWISE : IV_VERDICT_OPEN;

    iv_say(w, "%s: %.*s of %.*s ", iv_verdict_name(v), (int)measure.len, measure.ptr,
           (int)run.len, run.ptr);
    if (value.missing)
        iv_say(w, "has no value");
    else
        iv_say(w, "is %.4g", value.real);
    if (lower.missing || upper.missing)
        iv_say(w, ", without an interval; %.10g is required. ", least);
    else
        iv_say(w, " (%.10g %% interval %s to %s). The interval %s the required %.10g. ",
               100.0 * confidence, iv_figure(low, 4, lower.real, least),
               iv_figure(high, 4, upper.real, least), lies[v], least);
    iv_result_verdict(out, v, "%.*s of %.*s is at least %.10g", (int)measure.len, measure.ptr,
                      (int)run.len, run.ptr, least);
}

int iv_claim_at_least(iv_result *out, const iv_texts *targets, double confidence, iv_err *err)
{
    const iv_table *t = NULL;
    iv_wording w = { .len = 0 };

    for (size_t i = 0; i < iv_result_tables(out); i++)
        if (strcmp(iv_table_name(iv_result_table_at(out, i)), "measures") == 0)
            t = iv_result_table_at(out, i);
    for (size_t i = 0; i < targets->count; i++) {
        const char *is = strrchr(targets->at[i], '=');
        const iv_str name = { targets->at[i], is != NULL ? (size_t)(is - targets->at[i]) : 0 };
        double least;
        size_t found = 0;
        if (is == NULL || !iv_scan_real(&least, iv_str_of(is + 1)))
            return iv_fail(err, IV_EARG, "'%.80s', expected MEASURE=NUMBER", targets->at[i]);
        const size_t topic = t != NULL ? iv_table_find(t, "topic") : SIZE_MAX;
        for (size_t row = 0; t != NULL && row < iv_table_rows(t); row++) {
            const bool mean = topic == SIZE_MAX || iv_table_cell(t, row, topic).missing
                || iv_str_cmp(iv_table_cell(t, row, topic).text, iv_str_of("all")) == 0;
            const iv_str measure = iv_table_cell(t, row, iv_table_find(t, "measure")).text;
            if (!mean || measure.len != name.len
                || strncasecmp(measure.ptr, name.ptr, name.len) != 0)
                continue;
            claim_row(out, &w, t, row, least, confidence);
            found++;
        }
        if (found == 0)
            return iv_fail(err, IV_EARG, "no measure '%.*s' among those computed"
                           IV_HINT("; --measure adds it"), (int)name.len, name.ptr);
    }
    if (targets->count > 0)
        iv_answer_claims(out, &w);
    return IV_OK;
}
