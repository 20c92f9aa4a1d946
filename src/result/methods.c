/* SPDX-License-Identifier: Apache-2.0 */
/* Every method that an answer may name, one row each: id, words, papers.  The intervals of means
 * have their rows in src/stat/interval/interval.c. */
#include "result/methods.h"
#include "result/result_state.h"
#include "result/wording.h"
#include "stat/interval_methods.h"

#include <stdarg.h>
#include <string.h>

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
    { "mean", "means, no interval", "" },
    { "t", "Student's t interval", "student1908probable" },
    { "logit-bootstrap", "Studentised logit bootstrap over topics", "park2011bootstrap" },
    { "bootstrap", "bootstrap over topics", "park2011bootstrap" },
    { "bca", "BCa bootstrap", "efron1987better" },
    { "clustered", "standard errors over clusters",
      "miller2024adding bell2002bias imbens2016robust" },
    { "cluster-bootstrap-t", "Studentised bootstrap over clusters",
      "cameron2008bootstrap hesterberg2015teachers" },
    { "effective-items", "with the effective number of items, at most their number",
      "dean2015evaluating korn1998confidence" },
    { "kish", "effective number of clusters where all scores are equal", "kish1965survey" },
    { "pass-any", "unbiased estimate of pass@k by items", "chen2021evaluating" },
    { "pass-all", "unbiased estimate of pass^k by items", "yao2024tau" },
    { "fieller", "Fieller's limits of a ratio of totals", "fieller1954some" },
    { "ratio-test", "larger p-value of the t test and Hall's t test of a ratio",
      "student1908probable hall1992removal fieller1954some" },
    { "order-statistics", "limits of a percentile by order statistics",
      "david2003order woodruff1952confidence korn1998confidence" },
    /* differences */
    { "paired-t", "paired t test", "student1908probable" },
    { "larger-p", "larger p-value of the paired t test and Hall's t test",
      "student1908probable hall1992removal intervale2026larger" },
    { "hall", "Hall's t test", "hall1992removal" },
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
    { "betting", "betting martingale, valid for all scores in the range",
      "waudbysmith2024estimating" },
    { "one-sided-t", "larger p-value of the one-sided t test and Hall's t test",
      "student1908probable hall1992removal" },
    { "mover", "MOVER limits of a difference", "zou2008construction" },
    { "group-gaps", "MOVER limits of gaps between groups, with Holm's correction over the groups "
      "of a column and Bonferroni's for the largest gap", "zou2008construction holm1979simple" },
    { "margin", "one-sided tests of the difference against the margin",
      "schuirmann1987comparison" },
    { "unseen",
      "tests that also count differences too rare to be in the sample",
      "hanley1983nothing intervale2026larger" },
    { "watch", "one-sided t tests of each night and of the last 7 nights, whose level allows for "
      "all nights and for the error of the baseline that they share",
      "dunnett1955multiple lai1995sequential hall1992removal" },
    { "two-more", "two more items, one up and one down, for scores of two values",
      "bonett2012adjusted" },
    { "shifts", "variance between nights, from successive differences", "laney2002improved" },
    { "score-margin", "score test of the difference against the margin", "tango1998equivalence" },
    { "exact-margin", "exact test of the difference against the margin", "hsueh2001unconditional" },
    /* measures and rankings */
    { "ties", "expected values over ties", "mcsherry2008computing" },
    { "rbo", "rank-biased overlap", "webber2010similarity corsi2024treatment" },
    { "tau-ap", "tau_AP", "yilmaz2008new urbano2017treatment" },
    /* preferences */
    { "bradley-terry", "Bradley-Terry model", "bradley1952rank ford1957solution" },
    { "davidson", "Bradley-Terry model with ties", "bradley1952rank davidson1970extending" },
    { "preference-exists", "condition for the estimates of the Bradley-Terry model to exist",
      "ford1957solution" },
    { "preference-sandwich", "sandwich variance", "liang1986longitudinal" },
    { "two-way-sandwich", "sandwich variance over items and judges",
      "liang1986longitudinal cameron2011robust cameron2015practitioner mackinnon2021wild" },
    { "rank-intervals", "ranges of ranks, valid for all systems at once, Holm's correction",
      "mogstad2024inference holm1979simple" },
    { "position-effect", "effect of the position", "davidson1977extending" },
    { "triads", "circular triads", "kendall1940method" },
    { "corrected-votes", "votes of judges corrected by those of people",
      "angelopoulos2023ppi chatzi2024prediction" },
    /* proportions, recall, precision */
    { "clopper-pearson", "exact binomial limits", "clopper1934use" },
    { "jeffreys", "Jeffreys' limits of proportions", "brown2001interval" },
    { "wilson", "Wilson's score interval", "wilson1927probable" },
    { "betabin", "beta-binomial posterior", "webber2013recall" },
    { "betabin-half", "beta-binomial posterior, prior Beta(1/2, 1/2)", "webber2013recall" },
    { "betabin-weighted", "beta-binomial posterior, prior Beta(w/2, w/2), w proportional to the "
      "sampling weight of the stratum",
      "webber2013recall intervale2026prior" },
    { "betabin-mcp", "beta-binomial posterior, most conservative prior",
      "webber2013recall dyer1993choice" },
    { "recall-interval", "expected limits of recall", "webber2013recall" },
    { "family-recall", "beta posteriors of effective sample sizes, variance between families",
      "korn1998confidence kish1965survey" },
    { "weighted-recall", "ratio of Horvitz-Thompson estimators, linearised variance, logit scale",
      "horvitz1952generalization sarndal1992model" },
    { "double-sampling", "double sampling, beta-binomial posteriors, prior Beta(1/2, 1/2)",
      "webber2010assessor tenenbein1970double" },
    { "double-sampling-exact", "double sampling, hypergeometric limits combined by Bonferroni's "
      "inequality, coverage guaranteed for every true value",
      "tenenbein1970double clopper1934use dunn1961multiple" },
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
    { "slope-ratio", "target, knee and budget methods", "cormack2016engineering" },
    { "chao", "Chao's estimate from several rankings",
      "chao1987estimating bron2024using" },
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
    { "scheffe", "Scheffe's lower limit of ECE", "scheffe1953method" },
    { "cox", "calibration slope and intercept by logistic regression", "cox1958two" },
    { "murphy", "parts of the Brier score", "murphy1973new stephenson2008two" },
    { "wilks", "distribution-free tolerance limits of recall at a threshold",
      "wilks1941determination" },
    { "optimism", "measures at a chosen threshold, corrected for optimism by the bootstrap",
      "harrell1996multivariable noma2021confidence" },
    { "curve-bands", "percentile bootstrap of curves", "efron1993introduction" },
    { "korn-graubard", "Korn and Graubard's limits of proportions", "korn1998confidence" },
    { "reproduction", "measures of reproduction", "breuer2020measure" },
    { "worth", "informativeness: reference labels needed without the judge, divided by those "
      "with it, for the same standard error", "tenenbein1970double" },
    { "logit-delong", "logit interval of AUC with DeLong's variance",
      "delong1988comparing pepe2003statistical" },
    { "newcombe", "Newcombe's interval for an AUC whose variance is 0 or unknown",
      "newcombe2006confidence" },
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
    { "judge-regression", "regression of human labels on the judge's scores",
      "cochran1977sampling angelopoulos2023ppi" },
    { "judge-ppi", "power-tuned prediction-powered inference (PPI++)", "angelopoulos2023ppi" },
    { "judge-difference", "difference of human labels and the judge's scores",
      "sarndal1992model angelopoulos2023prediction" },
    { "rogan-gladen", "correction by sensitivity and specificity",
      "rogan1978estimating lang2014confidence" },
    { "judge-human", "human labels alone", "cochran1977sampling" },
    { "judge-strata", "labels of strata", "fisch2024stratified" },
    { "judge-wilson", "Wilson's limits of proportions, added by MOVER",
      "wilson1927probable zou2008construction" },
    { "incomplete", "expected measures under incomplete judgments", "carterette2007hypothesis" },
    { "leave-one-out", "leave-one-out of the pool", "zobel1998reliable" },
    { "simulated-judgments", "500 simulated judgments of unjudged documents",
      "carterette2006minimal" },
    { "rank-relevance", "relevance by logistic regression on rank", "carterette2007robust" },
    { "equal-depth", "unjudged documents count only to the depth that all runs have",
      "intervale2026depth" },
    { "minimal", "order of judging by expected change", "carterette2006minimal" },
    { "unjudged", "relevance of unjudged documents by logistic regression",
      "carterette2007robust" },
    { "power", "power of paired tests", "carterette2007hypothesis" },
    { "judgments-model", "judgments by Poisson regression on certainty and topics",
      "carterette2007hypothesis" },
    { "uncertain-signs", "topics for equal power of the sign test with uncertain signs",
      "carterette2007hypothesis" },
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
