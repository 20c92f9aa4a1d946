/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Webber (2013), table XII: recall of the runs of TREC 2009's Legal track
 * (Interactive task), from the strata that the track's overview published
 * (Hedin, Tomlinson, Baron and Oard 2009, appendix).
 *
 * Ours are exact.  The paper's beta-binomial limits are quantiles of 40,000
 * draws; their standard error is taken from draws of our own.
 */
#include <math.h>
#include <string.h>

#include "intervale/stat/recall.h"
#include "study/papers_study.h"
#include "stat/recall/recall_yield.h"

/* A letter a run says whether it retrieved (R) the stratum or not (N). */
typedef struct stratum {
    int topic;
    const char *runs;
    int64_t N, n, r;
} stratum;

/* Recall, then limits of betabin-half, normal, laplace.  `place`: the letter. */
typedef struct printed_run {
    int topic;
    const char *run;
    size_t place;
    double value[7];
} printed_run;

static const stratum strata[] = {
    { 201, "RRRR", 101, 16, 15 }, { 201, "RRRN", 7, 3, 0 }, { 201, "RRNR", 188, 29, 27 },
    { 201, "RRNN", 74, 12, 1 }, { 201, "RNRR", 4, 2, 2 }, { 201, "RNRN", 11, 2, 0 },
    { 201, "RNNR", 31, 4, 4 }, { 201, "RNNN", 48, 7, 0 }, { 201, "NRRR", 108, 18, 17 },
    { 201, "NRRN", 25, 4, 0 }, { 201, "NRNR", 382, 59, 53 }, { 201, "NRNN", 2657, 331, 3 },
    { 201, "NNRR", 37, 6, 6 }, { 201, "NNRN", 1911, 232, 2 }, { 201, "NNNR", 479, 77, 64 },
    { 201, "NNNN", 562971, 1927, 1 }, { 202, "RR", 1690, 397, 378 },
    { 202, "RN", 1733, 406, 139 }, { 202, "NR", 1312, 317, 229 },
    { 202, "NN", 564299, 2600, 3 }, { 203, "RRRR", 13, 3, 3 }, { 203, "RRRN", 28, 7, 6 },
    { 203, "RRNR", 155, 30, 26 }, { 203, "RRNN", 962, 108, 73 }, { 203, "RNRR", 1, 1, 1 },
    { 203, "RNRN", 10, 3, 0 }, { 203, "RNNR", 91, 20, 18 }, { 203, "RNNN", 8248, 800, 9 },
    { 203, "NRRR", 0, 0, 0 }, { 203, "NRRN", 2, 2, 1 }, { 203, "NRNR", 19, 5, 5 },
    { 203, "NRNN", 1043, 117, 69 }, { 203, "NNRR", 7, 3, 1 }, { 203, "NNRN", 23, 6, 2 },
    { 203, "NNNR", 58, 15, 11 }, { 203, "NNNN", 558374, 2200, 0 }, { 204, "RRR", 463, 41, 41 },
    { 204, "RRN", 715, 59, 5 }, { 204, "RNR", 468, 41, 36 }, { 204, "RNN", 11102, 769, 2 },
    { 204, "NRR", 81, 14, 9 }, { 204, "NRN", 2482, 192, 4 }, { 204, "NNR", 1907, 149, 116 },
    { 204, "NNN", 551816, 2710, 3 }, { 205, "RRR", 3907, 106, 100 },
    { 205, "RRN", 7007, 191, 174 }, { 205, "RNR", 11068, 302, 59 },
    { 205, "RNN", 37243, 1003, 157 }, { 205, "NRR", 622, 27, 19 }, { 205, "NRN", 2200, 60, 52 },
    { 205, "NNR", 17640, 481, 42 }, { 205, "NNN", 489347, 1100, 11 }, { 206, "RRRR", 7, 3, 3 },
    { 206, "RRRN", 234, 20, 12 }, { 206, "RRNR", 0, 0, 0 }, { 206, "RRNN", 0, 0, 0 },
    { 206, "RNRR", 0, 0, 0 }, { 206, "RNRN", 0, 0, 0 }, { 206, "RNNR", 0, 0, 0 },
    { 206, "RNNN", 0, 0, 0 }, { 206, "NRRR", 1, 1, 0 }, { 206, "NRRN", 63, 8, 3 },
    { 206, "NRNR", 0, 0, 0 }, { 206, "NRNN", 0, 0, 0 }, { 206, "NNRR", 2994, 70, 1 },
    { 206, "NNRN", 30202, 680, 22 }, { 206, "NNNR", 23673, 590, 15 },
    { 206, "NNNN", 511860, 2025, 55 }, { 207, "RRRR", 2660, 105, 105 },
    { 207, "RRRN", 124, 5, 4 }, { 207, "RRNR", 704, 28, 27 }, { 207, "RRNN", 245, 11, 8 },
    { 207, "RNRR", 922, 36, 33 }, { 207, "RNRN", 436, 17, 6 }, { 207, "RNNR", 1004, 41, 37 },
    { 207, "RNNN", 1816, 73, 39 }, { 207, "NRRR", 129, 5, 4 }, { 207, "NRRN", 457, 17, 2 },
    { 207, "NRNR", 155, 5, 5 }, { 207, "NRNN", 1232, 48, 6 }, { 207, "NNRR", 574, 24, 18 },
    { 207, "NNRN", 20102, 800, 8 }, { 207, "NNNR", 968, 40, 27 },
    { 207, "NNNN", 537506, 2540, 1 },
};

static const printed_run printed[] = {
    { 201, "UW", 3, { .778, .451, .928, .485, 1.070, .351, .916 } },
    { 201, "CS", 1, { .489, .287, .592, .304, .673, .226, .593 } },
    { 201, "CB", 0, { .204, .119, .250, .126, .282, .093, .247 } },
    { 201, "UP", 2, { .167, .097, .208, .102, .231, .076, .205 } },
    { 202, "UW", 1, { .673, .523, .768, .542, .803, .501, .771 } },
    { 202, "CS", 0, { .579, .451, .662, .467, .692, .432, .664 } },
    { 203, "UW", 1, { .865, .623, .881, .832, .897, .552, .940 } },
    { 203, "UB", 0, { .592, .427, .621, .552, .631, .378, .652 } },
    { 203, "ZL-NoCull", 3, { .175, .123, .185, .157, .192, .105, .185 } },
    { 203, "ZL-Cull", 2, { .029, .019, .034, .023, .035, .016, .033 } },
    { 204, "H5", 2, { .762, .572, .882, .595, .930, .538, .874 } },
    { 204, "AD", 0, { .305, .229, .360, .235, .374, .216, .358 } },
    { 204, "CB", 1, { .198, .149, .240, .151, .246, .140, .238 } },
    { 205, "CS", 0, { .673, .592, .738, .599, .747, .587, .737 } },
    { 205, "EQ", 1, { .463, .404, .509, .409, .516, .399, .505 } },
    { 205, "IN", 2, { .292, .253, .327, .254, .329, .250, .325 } },
    { 206, "CB-High", 2, { .076, .052, .112, .046, .106, .049, .109 } },
    { 206, "LO", 3, { .042, .025, .069, .020, .063, .023, .067 } },
    { 206, "CB-Mid", 1, { .011, .007, .015, .007, .015, .007, .014 } },
    { 206, "CB-Low", 0, { .009, .006, .013, .006, .013, .005, .012 } },
    { 207, "CB", 0, { .768, .698, .798, .723, .813, .689, .802 } },
    { 207, "UW", 3, { .761, .688, .791, .714, .807, .677, .791 } },
    { 207, "LO", 2, { .538, .489, .566, .503, .573, .484, .569 } },
    { 207, "EQ", 1, { .483, .437, .507, .451, .515, .430, .507 } },
};

enum { MOST = 32, DRAWS = 40000 };

typedef struct segments {
    iv_stratum retrieved[MOST], unretrieved[MOST];
    iv_segments of;
} segments;

/* Strata of which nothing was sampled are left out, as the paper does. */
static void collect(segments *s, const printed_run *run)
{
    size_t n1 = 0, n0 = 0;

    for (size_t i = 0; i < sizeof strata / sizeof *strata; i++) {
        const stratum *x = &strata[i];
        if (x->topic != run->topic || x->n == 0 || n1 == MOST || n0 == MOST)
            continue;
        const iv_stratum one = { x->N, x->n, x->r };
        if (x->runs[run->place] == 'R')
            s->retrieved[n1++] = one;
        else
            s->unretrieved[n0++] = one;
    }
    s->of = (iv_segments){ s->retrieved, s->unretrieved, n1, n0 };
}

static int add_interval(iv_papers *p, const segments *s, const printed_run *run, int which,
                        iv_recall_posterior *w, iv_err *err)
{
    static const iv_recall_method methods[] = { IV_RECALL_BETABIN_HALF, IV_RECALL_NORMAL,
                                                IV_RECALL_LAPLACE };
    const iv_recall_options options = { .method = methods[which], .confidence = 0.95 };
    const double step = sqrt(0.025 * 0.975 / DRAWS);
    iv_recall_interval found;
    double se[2] = { 0.0, 0.0 }; /* of quantiles of so many draws */
    int rc = iv_recall_interval_of(&found, &s->of, &options, w, err);

    if (rc != IV_OK)
        return rc;
    for (int side = 0; side < 2 && which == 0; side++) {
        const double q = side == 0 ? 0.025 : 0.975;
        se[side] = 0.5 * (iv_recall_quantile(w, IV_RECALL_RECALL, 1.0, q + step)
                          - iv_recall_quantile(w, IV_RECALL_RECALL, 1.0, q - step));
    }
    for (int side = 0; side < 2; side++)
        iv_papers_add(p, (iv_published){ .table = IV_WEBBER_XII,
            .published = run->value[1 + 2 * which + side], .rounding = 0.0005,
            .published_se = se[side],
            .ours = side == 0 ? found.lower : found.upper },
            "%d %s, %s: %s", run->topic, run->run, iv_recall_method_names()[methods[which]],
            side == 0 ? "lower" : "upper");
    return IV_OK;
}

int iv_papers_legal(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    iv_recall_posterior *w = NULL;
    int rc = IV_OK;

    if (!o->wanted[IV_WEBBER_XII])
        return IV_OK;
    rc = iv_recall_posterior_new(&w, err);
    for (size_t i = 0; i < sizeof printed / sizeof *printed && rc == IV_OK; i++) {
        segments s;
        collect(&s, &printed[i]);
        iv_papers_add(p, (iv_published){ .table = IV_WEBBER_XII,
            .published = printed[i].value[0], .rounding = 0.0005,
            .ours = iv_recall_estimate(&s.of) }, "%d %s: recall", printed[i].topic,
            printed[i].run);
        for (int which = 0; which < 3 && rc == IV_OK; which++)
            rc = add_interval(p, &s, &printed[i], which, w, err);
    }
    iv_recall_posterior_free(w);
    return rc;
}
