/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Goutte and Gaussier (2005).  Probabilities are in per cent and come from 10,000 draws in the
 * paper, with the standard errors that the tables print; ours are exact.  Table 1 prints
 * F-scores, not counts: with table 2 they leave one solution for 33 of 39 cells.
 */
#include <math.h>
#include <string.h>

#include "stat/prf/prf_state.h"
#include "study/papers.h"

/* Precision of 10 of 20 beside 3 of 5, Jeffreys' prior. */
static int example(iv_paper_run *p, iv_err *err)
{
    iv_posterior *one = NULL, *two = NULL, *none = NULL;
    double greater = 0.0;
    int rc = iv_posterior_beta(&one, 10.5, 10.5, err);

    if (rc == IV_OK)
        rc = iv_posterior_beta(&two, 3.5, 2.5, err);
    if (rc == IV_OK)
        rc = iv_posterior_beta(&none, 0.5, 0.5, err);
    if (rc == IV_OK)
        rc = iv_posterior_greater(&greater, two, one, err);
    if (rc == IV_OK) {
        iv_paper_put(p, "Section 2.2", "system 1", "mean", iv_posterior_mean(one), 0.0);
        iv_paper_put(p, "Section 2.2", "system 1", "mode", iv_posterior_mode(one), 0.0);
        iv_paper_put(p, "Section 2.2", "system 2", "mean", iv_posterior_mean(two), 0.0);
        iv_paper_put(p, "Section 2.2", "system 2", "mode", iv_posterior_mode(two), 0.0);
        iv_paper_put(p, "Section 2.2", "system 2 better", "probability", greater, 0.0);
        iv_paper_put(p, "Section 2.2", "system 1 better", "probability", 1.0 - greater, 0.0);
        iv_paper_put(p, "Section 2.1", "nothing returned", "mean of precision",
                     iv_posterior_mean(none), 0.0);
        for (int i = 1; i < 100; i++) {
            iv_paper_draw(p, "Figure 1", "precision", "system 1: 10 of 20", 0.01 * i,
                          exp(iv_posterior_log_density(one, 0.01 * i)));
            iv_paper_draw(p, "Figure 1", "precision", "system 2: 3 of 5", 0.01 * i,
                          exp(iv_posterior_log_density(two, 0.01 * i)));
        }
        iv_paper_figure(p, IV_CHART_CURVES, "Figure 1", "Posterior density of the precision of two "
                        "systems. System 1 is better with probability 35 %.", "precision",
                        "density");
    }
    iv_posterior_free(one);
    iv_posterior_free(two);
    iv_posterior_free(none);
    return rc;
}

/* F1 depends on FP + FN alone. */
static int f_posterior(iv_posterior **out, double tp, double errors, iv_err *err)
{
    const iv_prf_counts counts = { (int64_t)tp, (int64_t)errors, 0, -1 };
    iv_prf_cells cells;

    IV_TRY(iv_prf_update(&cells, (iv_prf_prior){ 0.5, 0.5 }, &counts, err));
    return iv_posterior_prf(out, &cells, (iv_prf_metric){ IV_PRF_F, 1.0 }, err);
}

/* P(F of the first system is greater) from the counts that begin with a field. */
static int f_greater(double *out, iv_str line, size_t field, iv_err *err)
{
    iv_posterior *of[2] = { NULL, NULL };
    int rc = f_posterior(&of[0], iv_paper_number(line, field), iv_paper_number(line, field + 1),
                         err);

    if (rc == IV_OK)
        rc = f_posterior(&of[1], iv_paper_number(line, field + 2),
                         iv_paper_number(line, field + 3), err);
    if (rc == IV_OK)
        rc = iv_posterior_greater(out, of[0], of[1], err);
    iv_posterior_free(of[0]);
    iv_posterior_free(of[1]);
    return rc;
}

enum { COUNTS = 4, OTHER_COUNTS = 9 };

/* Of earn and acq the middle of the range that the printed F-scores leave. */
static int f_scores(iv_paper_run *p, iv_str line, const char *category, const char *comparison,
                    iv_err *err)
{
    const bool range = iv_paper_field(line, OTHER_COUNTS).len > 0;
    const size_t name = strcspn(comparison, ":");
    double greater, other;

    IV_TRY(f_greater(&greater, line, COUNTS, err));
    other = greater;
    if (range)
        IV_TRY(f_greater(&other, line, OTHER_COUNTS, err));
    const char *probability = iv_paper_text(p, "%s, %%", comparison);
    iv_paper_put(p, "Table 1", category, probability, 50.0 * (greater + other), 0.0);
    iv_paper_range(p, "Table 1", category, probability, 50.0 * fabs(greater - other));
    for (size_t k = 0; k < 2 && !range; k++) {
        const double tp = iv_paper_number(line, COUNTS + 2 * k);
        const double errors = iv_paper_number(line, COUNTS + 2 * k + 1);
        const char *column = iv_paper_text(p, "%.*s: F1 %s", (int)name, comparison,
                                           k == 0 ? "first" : "second");
        iv_paper_put(p, "Table 1", category, column, 200.0 * tp / (2.0 * tp + errors), 0.0);
    }
    return IV_OK;
}

int iv_paper_goutte(iv_paper_run *p, iv_err *err)
{
    iv_str rest = iv_paper_file("goutte_counts"), line;

    IV_TRY(example(p, err));
    while (iv_paper_line(&line, &rest)) {
        const char *category = iv_arena_copy(&p->own, iv_paper_field(line, 0));
        const char *comparison = iv_arena_copy(&p->own, iv_paper_field(line, 1));
        const iv_paired_cells cells = { iv_paper_number(line, 2) + 0.5,
                                        iv_paper_number(line, 3) + 0.5, 1.0 };
        const char *row = iv_arena_copy(&p->own, iv_paper_field(line, 8));
        if (category == NULL || comparison == NULL || row == NULL)
            return iv_no_memory(err);
        iv_paper_put(p, "Table 2", row, iv_paper_text(p, "%s, %%", comparison),
                     100.0 * iv_paired_greater(cells), 0.0);
        IV_TRY(f_scores(p, line, category, comparison, err));
    }
    iv_paper_put(p, "Section 5", "8 to 3", "probability, %",
                 100.0 * iv_paired_greater((iv_paired_cells){ 8.5, 3.5, 1.0 }), 0.0);
    return IV_OK;
}
