/* SPDX-License-Identifier: Apache-2.0 */
/* The table of metrics, and what its reader must know. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/prf_rows.h"

enum { NAMED = 4 };

/* Names that share something, "'x' in 'y'", the first few of them spelled out. */
typedef struct gathered {
    char text[NAMED * (IV_QUOTE_SIZE + 32)];
    size_t count;
} gathered;

static void gather(gathered *g, const char *name, const char *joined, const char *of)
{
    char quoted[IV_QUOTE_SIZE];
    const size_t used = strlen(g->text);

    if (g->count++ >= NAMED)
        return;
    (void)snprintf(g->text + used, sizeof g->text - used, "%s%s", used > 0 ? ", " : "",
                   iv_quote(quoted, iv_str_of(name)));
    const size_t now = strlen(g->text);
    if (of != NULL)
        (void)snprintf(g->text + now, sizeof g->text - now, " %s %s", joined,
                       iv_quote(quoted, iv_str_of(of)));
}

static void tell(iv_result *result, const gathered *g, const char *what)
{
    char more[32] = "";

    if (g->count == 0)
        return;
    if (g->count > NAMED)
        (void)snprintf(more, sizeof more, " and %zu more", g->count - NAMED);
    iv_result_note(result, "%s%s: %s", g->text, more, what);
}

void prf_degenerate_notes(const prf_input *in, iv_result *result)
{
    gathered silent = { "", 0 }, irrelevant = { "", 0 }, empty = { "", 0 };
    gathered no_negatives = { "", 0 }, no_mcc = { "", 0 };

    for (size_t s = 0; s < in->count; s++) {
        for (size_t k = 0; k < in->systems[s].count; k++) {
            const iv_prf_counts *c = &in->systems[s].categories[k].counts;
            const char *name = in->systems[s].name;
            const char *category = in->systems[s].categories[k].name;
            if (c->tp + c->fp + c->fn == 0)
                gather(&empty, name, "in", category);
            else if (c->tp + c->fp == 0)
                gather(&silent, name, "in", category);
            else if (c->tp + c->fn == 0)
                gather(&irrelevant, name, "in", category);
            if (c->tn == 0 && c->fp == 0)
                gather(&no_negatives, name, "in", category);
            if (c->tn >= 0
                && isnan(iv_prf_value((iv_prf_metric){ IV_PRF_MCC, 0.0 }, c)))
                gather(&no_mcc, name, "in", category);
        }
    }
    tell(result, &empty, "nothing returned and nothing relevant (TP = FP = FN = 0): precision, "
         "recall and F are 0/0 and have no value; their posterior is the prior");
    tell(result, &silent, "nothing returned (TP + FP = 0): precision is 0/0 and has no value; "
         "its posterior is the prior");
    tell(result, &irrelevant, "nothing relevant (TP + FN = 0): recall is 0/0 and has no value; "
         "its posterior is the prior");
    tell(result, &no_negatives, "no negatives (TN + FP = 0): specificity is 0/0 and has no "
         "value; its posterior is the prior");
    tell(result, &no_mcc, "MCC is 0/0 and has no value, since a row or a column of the "
         "confusion matrix is empty; it has a posterior");
}

static const iv_column columns[] = {
    { "system", IV_TEXT, 0 }, { "metric", IV_TEXT, 0 }, { "value", IV_REAL, 4 },
    { "mean", IV_REAL, 4 },   { "mode", IV_REAL, 4 },   { "lower", IV_REAL, 4 },
    { "upper", IV_REAL, 4 } };
static const iv_column error_columns[] = {
    { "system", IV_TEXT, 0 },      { "metric", IV_TEXT, 0 },     { "draws", IV_INTEGER, 0 },
    { "mean_error", IV_REAL, 6 },  { "mode_error", IV_REAL, 6 }, { "lower_error", IV_REAL, 6 },
    { "upper_error", IV_REAL, 6 } };

/* The tables being filled, and what the notes will say. */
typedef struct teller {
    iv_table *metrics, *errors;
    gathered no_hump;
    double largest_error;
} teller;

static int tell_drawn(teller *t, const prf_row *r, const char *system, const prf_wish *w,
                      iv_err *err)
{
    iv_drawn_summary s;
    double *copy = malloc(w->draws * sizeof *copy);

    if (copy == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    memcpy(copy, r->draws, w->draws * sizeof *copy);
    const int rc = iv_summarise_draws(&s, copy, w->draws, w->confidence, w->interval, err);
    free(copy);
    if (rc < 0)
        return rc;
    if (!isnan(r->mean)) {
        s.mean = r->mean;
        s.mean_error = 0.0;
    }
    iv_put_real(t->metrics, s.mean);
    iv_put_real(t->metrics, s.mode);
    iv_put_real(t->metrics, s.lower);
    iv_put_real(t->metrics, s.upper);
    iv_put_text(t->errors, iv_str_of(system));
    iv_put_text(t->errors, iv_str_of(r->name));
    iv_put_int(t->errors, (int64_t)w->draws);
    iv_put_real(t->errors, s.mean_error);
    iv_put_real(t->errors, s.mode_error);
    iv_put_real(t->errors, s.lower_error);
    iv_put_real(t->errors, s.upper_error);
    t->largest_error = fmax(t->largest_error, fmax(s.lower_error, s.upper_error));
    return IV_OK;
}

static int tell_exact(teller *t, const prf_row *r, const char *system, const prf_wish *w,
                      iv_err *err)
{
    iv_credible i;
    const int rc = iv_posterior_interval(&i, r->posterior, w->confidence, w->interval, err);

    if (rc < 0)
        return rc;
    if (i.kind != w->interval)
        gather(&t->no_hump, r->name, "of", system);
    iv_put_real(t->metrics, iv_posterior_mean(r->posterior));
    iv_put_real(t->metrics, iv_posterior_mode(r->posterior));
    iv_put_real(t->metrics, i.lower);
    iv_put_real(t->metrics, i.upper);
    return IV_OK;
}

static bool any_drawn(const prf_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->at[i].draws != NULL)
            return true;
    return false;
}

void prf_method_note(const prf_rows *rows, const prf_wish *wish, bool earlier, bool compared,
                     iv_result *result)
{
    const double right = wish->prior.right, wrong = wish->prior.wrong;
    char prior[120];

    if (right != wrong)
        (void)snprintf(prior, sizeof prior, "prior %g added to TP and TN, %g to FP and FN",
                       right, wrong);
    else if (right == 0.5)
        (void)snprintf(prior, sizeof prior, "prior 1/2 added to each (Jeffreys)");
    else
        (void)snprintf(prior, sizeof prior, "prior %g added to each%s", right,
                       right == 1.0 ? " (uniform)" : "");
    iv_result_note(result, "method: Dirichlet posterior of the counts, %s%s, %s; exact%s%s", prior,
                   earlier ? " and earlier counts" : "",
                   wish->interval == IV_INTERVAL_EQUAL ? "equal tails" : "highest density",
                   any_drawn(rows) ? " but for what is drawn" : "",
                   !compared ? "" : wish->interval == IV_INTERVAL_EQUAL
                   ? "; difference is the posterior mean of a - b"
                   : "; difference is the posterior mean of a - b, and its interval has equal "
                     "tails");
}

int prf_rows_tell(const prf_rows *rows, const prf_input *in, const prf_wish *wish,
                  iv_result *result, iv_err *err)
{
    teller t = { .metrics = iv_result_table(result, "metrics", columns, 7) };
    const bool drawn = any_drawn(rows);
    int rc = IV_OK;

    iv_table_draw(t.metrics, (iv_drawn){ "value", "lower", "upper", 0.0, 0.0 });
    if (drawn)
        t.errors = iv_result_table(result, "monte_carlo", error_columns, 7);
    for (size_t i = 0; i < rows->count && rc == IV_OK; i++) {
        const prf_row *r = &rows->at[i];
        const char *system = in->systems[r->system].name;
        iv_put_text(t.metrics, iv_str_of(system));
        iv_put_text(t.metrics, iv_str_of(r->name));
        iv_put_real(t.metrics, r->value);
        rc = r->draws != NULL ? tell_drawn(&t, r, system, wish, err)
                              : tell_exact(&t, r, system, wish, err);
    }
    tell(result, &t.no_hump, "the region of highest density is not one interval, so equal "
         "tails are given");
    if (drawn)
        iv_result_note(result, "MCC and macro averages come from %zu draws; the Monte Carlo "
                       "standard error of an interval's end is at most %.1g (table "
                       "monte_carlo)", wish->draws, t.largest_error);
    if (in->multiclass)
        iv_result_note(result, "an item has one class: micro precision, recall and F are "
                       "accuracy, and macro recall is balanced accuracy");
    return rc;
}
