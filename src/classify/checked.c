/* SPDX-License-Identifier: Apache-2.0 */
/* A list that a machine labelled and people sampled: strata by both labels. */

#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "classify/checked.h"
#include "num/dist.h"
#include "num/logit.h"
#include "review/review_cases.h"
#include "stat/machine/regression_mean.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/gold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_LABELS = 20, CELLS = 2 * (MACHINE_LABELS + 1) };

typedef struct item {
    int32_t machine; /* number of its label; the last: none */
    bool looked, positive, called; /* called: positive by the machine */
    double pi;
} item;

typedef struct reading {
    iv_checked view; /* first: it is what callers have */
    iv_arena memory;
    iv_checked_metric *metrics;
    const char *machine, *probability;
    iv_labels_options how;
    iv_csv *file;
    item *items;
    size_t machine_at, gold_at, pi_at, systems, *system_at; /* columns */
    size_t labels; /* of the machine */
    double confidence;
} reading;

void iv_checked_free(iv_checked *c)
{
    reading *r = (reading *)c;

    if (r == NULL)
        return;
    iv_csv_free(r->file);
    iv_arena_free(&r->memory);
    free(r);
}

/* ---------------------------------------------------------------- columns -- */

/* Columns that are named for something else are not gold's. */
static int find_gold(reading *r, iv_err *err)
{
    const iv_texts *named = &r->how.systems;
    const char **others = iv_take(&r->memory, named->count + 1, sizeof *others);

    IV_TRY(iv_taken(&r->memory, err));
    for (size_t i = 0; i < named->count; i++)
        others[i] = named->at[i];
    others[named->count] = r->machine;
    return iv_gold_column(&r->gold_at, r->file, r->how.gold,
                          &(iv_texts){ others, named->count + 1 }, err);
}

/* What columns were taken for, where only their names told. */
static int add_notes(reading *r, iv_listing *left, const char *path, iv_err *err)
{
    const char **notes = iv_take(&r->memory, 2, sizeof *notes);
    char text[2][IV_GOLD_NOTE];

    (void)iv_gold_note(text[0], iv_csv_column(r->file, r->gold_at), r->how.gold);
    (void)iv_left_note(text[1], left, path);
    r->view.notes = (iv_texts){ notes, 0 };
    for (size_t i = 0; i < 2 && notes != NULL; i++)
        if (*text[i] != '\0')
            notes[r->view.notes.count++] = iv_arena_copy(&r->memory, iv_str_of(text[i]));
    return iv_taken(&r->memory, err);
}

static int find_columns(reading *r, const char *path, iv_err *err)
{
    const iv_csv *t = r->file;
    const size_t id = iv_id_column(t);
    char quoted[IV_QUOTE_SIZE];
    iv_listing left = { 0 };

    IV_TRY(find_gold(r, err));
    r->machine_at = iv_csv_find(t, iv_str_of(r->machine));
    r->pi_at = iv_csv_find(t, iv_str_of(r->probability != NULL ? r->probability : "pi"));
    if (r->machine_at == IV_NONE)
        return iv_fail_at(err, IV_EPARSE, path, 1, "no column %s of automatic labels",
                          iv_quote(quoted, iv_str_of(r->machine)));
    if (r->probability != NULL && r->pi_at == IV_NONE)
        return iv_fail_at(err, IV_EPARSE, path, 1, "no column %s of probabilities",
                          iv_quote(quoted, iv_str_of(r->probability)));
    if (r->machine_at == r->gold_at || r->machine_at == id || r->machine_at == r->pi_at)
        return iv_fail_at(err, IV_EPARSE, path, 1, "the automatic labels are in column %s, which "
                          "is that of %s", iv_quote(quoted, iv_str_of(r->machine)),
                          r->machine_at == id ? "the items" : r->machine_at == r->pi_at
                          ? "probabilities" : "gold");
    IV_TRY(iv_ids_once(NULL, t, id, err));
    r->system_at = iv_take(&r->memory, iv_csv_columns(t), sizeof *r->system_at);
    IV_TRY(iv_taken(&r->memory, err));
    const size_t taken[] = { id, r->gold_at, r->machine_at, r->pi_at };
    IV_TRY(iv_system_columns(r->system_at, &r->systems, t, &r->how.systems, taken,
                             sizeof taken / sizeof *taken, err));
    if (r->how.systems.count == 0)
        IV_TRY(iv_drop_gold_names(&left, r->system_at, &r->systems, t,
                                  iv_csv_column(t, r->gold_at), err));
    if (r->systems == 0)
        r->system_at[r->systems++] = r->machine_at;
    return add_notes(r, &left, path, err);
}

static iv_str label_at(const reading *r, size_t row, size_t column)
{
    const iv_str label = iv_csv_cell(r->file, row, column);

    return r->how.positive == NULL ? iv_bit_of(label) : label;
}

/* Is a label of gold or of a system the positive one? */
static int read_bit(bool *out, const reading *r, size_t row, size_t column, iv_err *err)
{
    const iv_str label = label_at(r, row, column);
    char quoted[IV_QUOTE_SIZE];

    *out = iv_str_cmp(label, iv_str_of(r->how.positive != NULL ? r->how.positive : "1")) == 0;
    if (r->how.positive == NULL && !*out && label.len > 0 && iv_str_cmp(label, iv_str_of("0")) != 0)
        return iv_csv_refuse(r->file, row, err, "label %s, expected 0 or 1, or the name of the "
                             "positive label" IV_HINT(" (--positive LABEL)"),
                             iv_quote(quoted, label));
    return IV_OK;
}

/* Do probabilities differ within a label of the machine, or among all items? */
static bool is_weighted(const reading *r, bool by_machine)
{
    double first[MACHINE_LABELS + 1] = { 0.0 };

    for (size_t i = 0; i < r->view.items; i++) {
        const item *x = &r->items[i];
        double *one = &first[by_machine ? x->machine : 0];
        if (x->looked && *one == 0.0)
            *one = x->pi;
        if (x->looked && fabs(x->pi - *one) > 1e-9 * *one)
            return true;
    }
    return false;
}

static int read_items(reading *r, const char *path, iv_err *err)
{
    const iv_str positive = iv_str_of(r->how.positive != NULL ? r->how.positive : "1");
    const size_t rows = iv_csv_rows(r->file);
    iv_str label[MACHINE_LABELS];
    char quoted[IV_QUOTE_SIZE];

    r->items = iv_take(&r->memory, rows, sizeof *r->items);
    IV_TRY(iv_taken(&r->memory, err));
    r->view.items = rows;
    for (size_t i = 0; i < rows; i++) {
        const iv_str machine = label_at(r, i, r->machine_at);
        item *x = &r->items[i];
        size_t k = 0;
        while (k < r->labels && iv_str_cmp(label[k], machine) != 0)
            k++;
        if (machine.len > 0 && k == r->labels) {
            if (k == MACHINE_LABELS)
                return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(r->file, i),
                                  "the machine's label %s is one of more than %d, expected classes",
                                  iv_quote(quoted, machine), MACHINE_LABELS);
            label[r->labels++] = machine;
        }
        *x = (item){ machine.len > 0 ? (int32_t)k : MACHINE_LABELS,
                     iv_csv_cell(r->file, i, r->gold_at).len > 0, false,
                     iv_str_cmp(machine, positive) == 0, 1.0 };
        IV_TRY(read_bit(&x->positive, r, i, r->gold_at, err));
        r->view.unlabelled += machine.len == 0;
        r->view.judged += x->looked;
        r->view.positive += x->positive;
        if (r->pi_at == IV_NONE)
            continue;
        const iv_str pi = iv_csv_cell(r->file, i, r->pi_at);
        const bool scanned = iv_scan_real(&x->pi, pi);
        if (!x->looked && scanned && x->pi >= 1.0)
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(r->file, i), "probability %s of "
                              "an item without a human label, expected below 1",
                              iv_quote(quoted, pi));
        if (!x->looked)
            continue;
        if (!scanned || !(x->pi > 0.0) || !(x->pi <= 1.0))
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(r->file, i), "probability %s of "
                              "an item with a human label, expected above 0 and at most 1",
                              iv_quote(quoted, pi));
    }
    r->view.weighted = is_weighted(r, true);
    if (r->view.judged < 2)
        return iv_fail_at(err, IV_ENODATA, path, 0, "human labels in the column of gold: %zu "
                          "item%s, expected two or more", r->view.judged,
                          r->view.judged == 1 ? "" : "s");
    return IV_OK;
}

/* ----------------------------------------------------------------- strata -- */

/* Strata: side (1: retrieved) x the machine's label, or one a side. */
typedef struct cells {
    iv_stratum at[2][MACHINE_LABELS + 1];
    size_t of[2][MACHINE_LABELS + 1]; /* what a label's stratum became */
} cells;

static void count_items(cells *c, const reading *r, const bool *side, bool by_machine)
{
    *c = (cells){ 0 };
    for (size_t i = 0; i < r->view.items; i++) {
        iv_stratum *s = &c->at[side[i]][by_machine ? r->items[i].machine : 0];
        s->size++;
        s->sampled += r->items[i].looked;
        s->relevant += r->items[i].looked && r->items[i].positive;
    }
}

/* A stratum that nobody looked into joins the largest of its side; how many did. */
static size_t merge(cells *c)
{
    size_t merged = 0;

    for (int s = 0; s < 2; s++) {
        size_t most = 0;
        for (size_t k = 0; k <= MACHINE_LABELS; k++) {
            c->of[s][k] = k;
            most = c->at[s][k].sampled > c->at[s][most].sampled ? k : most;
        }
        for (size_t k = 0; k <= MACHINE_LABELS; k++)
            if (c->at[s][k].size > 0 && c->at[s][k].sampled == 0 && k != most) {
                c->at[s][most].size += c->at[s][k].size;
                c->at[s][k] = (iv_stratum){ 0 };
                c->of[s][k] = most;
                merged++;
            }
    }
    return merged;
}

/* Estimate and limits of a name among quantities; NaN: it is not there. */
static void take(double out[3], const iv_review_quantity *q, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(q[i].name, name) == 0) {
            out[0] = q[i].estimate;
            out[1] = q[i].lower;
            out[2] = q[i].upper;
        }
}

enum { RECALL, PRECISION, F1, PREVALENCE, NAMES };
static const char *const names[NAMES] = { "recall", "precision", "f1", "prevalence" };

/* The exact posterior of all four from strata of equal probabilities. */
static int by_posterior(double out[NAMES][3], const cells *c, const reading *r,
                        const iv_work *work, iv_err *err)
{
    iv_strata_row rows[CELLS];
    bool retrieved[CELLS];
    const iv_str run = iv_str_of("review");
    iv_strata_table t = { rows, &run, retrieved, 0, 1, NULL, 0, NULL };
    iv_review *review = NULL;
    iv_review_findings *f = NULL;

    for (int s = 1; s >= 0; s--)
        for (size_t k = 0; k <= MACHINE_LABELS; k++)
            if (c->at[s][k].size > 0) {
                rows[t.row_count] = (iv_strata_row){ iv_str_of("s"), c->at[s][k].size,
                                                     c->at[s][k].sampled, c->at[s][k].relevant, 0 };
                retrieved[t.row_count++] = s == 1;
            }
    if (!retrieved[0]) { /* a review has two sides: one item, known to be negative */
        rows[t.row_count] = (iv_strata_row){ iv_str_of("s"), 1, 1, 0, 0 };
        retrieved[t.row_count++] = true;
    }
    int rc = iv_review_strata(&review, &t, IV_UNSAMPLED_PRIOR, err);
    if (rc == IV_OK)
        rc = iv_review_find(&f, review, &(iv_review_options){ .how = { .confidence
                                                              = r->confidence } }, work, err);
    if (rc == IV_OK) {
        for (size_t k = 0; k < PREVALENCE; k++)
            take(out[k], f->measures, f->measure_count, names[k]);
        take(out[PREVALENCE], f->yields, f->yield_count, "all");
        for (size_t k = 0; k < 3; k++)
            out[PREVALENCE][k] /= (double)r->view.items;
    }
    iv_review_findings_free(f);
    iv_review_free(review);
    return rc;
}

/* ----------------------------------------------------- unequal probabilities -- */

/* An item's part in the numerator and denominator of a ratio, and their sums. */
typedef struct ratio {
    double top, bottom;
} ratio;

/* Of an item on a side with the chance p of being positive: what it adds. */
static ratio part_of(size_t name, bool side, double p)
{
    return name == RECALL ? (ratio){ side ? p : 0.0, p }
        : name == PRECISION ? (ratio){ side ? p : 0.0, side ? 1.0 : 0.0 }
        : name == F1 ? (ratio){ side ? 2.0 * p : 0.0, p + (side ? 1.0 : 0.0) }
                     : (ratio){ p, 1.0 };
}

/*
 * The difference estimator: each item counts the share of positives in its stratum (by
 * 1 / pi), and those looked at are put right; the error by linearisation, for
 * independent draws.
 */
static void by_linearisation(double out[NAMES][3], const cells *c, const reading *r,
                             const bool *side, bool by_machine)
{
    double hits[2][MACHINE_LABELS + 1] = { { 0 } }, all[2][MACHINE_LABELS + 1] = { { 0 } };
    const double t = iv_t_isf(0.5 * (1.0 - r->confidence), fmax(1.0, (double)r->view.judged - 2.0));

    for (size_t i = 0; i < r->view.items; i++) {
        const item *x = &r->items[i];
        const size_t k = c->of[side[i]][by_machine ? x->machine : 0];
        if (x->looked) {
            hits[side[i]][k] += x->positive / x->pi;
            all[side[i]][k] += 1.0 / x->pi;
        }
    }
    for (size_t name = 0; name < NAMES; name++) {
        ratio sum = { 0.0, 0.0 };
        double variance = 0.0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < r->view.items; i++) {
                const item *x = &r->items[i];
                const size_t k = c->of[side[i]][by_machine ? x->machine : 0];
                const double p = all[side[i]][k] > 0.0 ? hits[side[i]][k] / all[side[i]][k] : 0.0;
                const ratio a = part_of(name, side[i], p);
                const ratio b = part_of(name, side[i], x->positive);
                const double top = x->looked ? (b.top - a.top) / x->pi : 0.0;
                const double bottom = x->looked ? (b.bottom - a.bottom) / x->pi : 0.0;
                if (pass == 0) {
                    sum.top += a.top + top;
                    sum.bottom += a.bottom + bottom;
                } else if (x->looked) {
                    const double u = (top - sum.top / sum.bottom * bottom) / sum.bottom;
                    variance += (1.0 - x->pi) * u * u;
                }
            }
        const double m = sum.top / sum.bottom;
        out[name][0] = m;
        out[name][1] = out[name][2] = (double)NAN;
        if (m > 0.0 && m < 1.0 && variance > 0.0)
            iv_logit_wald(&out[name][1], &out[name][2], m, t * sqrt(variance));
    }
}

/* -------------------------------------------------------------------- all -- */

static void by_machine_alone(double out[NAMES], const reading *r, const bool *side)
{
    double both = 0.0, said = 0.0, called = 0.0;

    for (size_t i = 0; i < r->view.items; i++) {
        both += side[i] && r->items[i].called;
        said += side[i];
        called += r->items[i].called;
    }
    out[RECALL] = both / called;
    out[PRECISION] = both / said;
    out[F1] = 2.0 * both / (said + called);
    out[PREVALENCE] = called / (double)r->view.items;
}

/*
 * A label that nobody looked into can be chance; where that has less than one chance in ten
 * thousand, the items to look at were chosen by label and nothing is known of the others.
 */
static int check_looked(reading *r, const char *path, iv_err *err)
{
    size_t all[MACHINE_LABELS + 1] = { 0 }, looked[MACHINE_LABELS + 1] = { 0 };
    const double rest = 1.0 - (double)r->view.judged / (double)r->view.items;
    double statistic, df;

    for (size_t i = 0; i < r->view.items; i++) {
        all[r->items[i].machine]++;
        looked[r->items[i].machine] += r->items[i].looked;
    }
    IV_TRY(iv_selection_test_of(&statistic, &df, all, looked, 1, MACHINE_LABELS + 1, err));
    r->view.uneven = !is_weighted(r, false) && iv_selection_uneven(statistic, df);
    for (size_t k = 0; k <= MACHINE_LABELS; k++)
        if (all[k] > 0 && looked[k] == 0 && pow(rest, (double)all[k]) < 1e-4)
            return iv_fail_at(err, IV_ENODATA, path, 0,
                              "none of %zu items with one of the automatic labels has a human "
                              "label, %zu of the others have: nothing is known about them, "
                              "expected a random sample of each label", all[k],
                              r->view.judged);
    return IV_OK;
}

static int estimate(double out[NAMES][3], reading *r, const bool *side, bool by_machine,
                    const iv_work *work, iv_err *err)
{
    cells c;

    for (size_t k = 0; k < NAMES; k++)
        out[k][0] = out[k][1] = out[k][2] = (double)NAN;
    count_items(&c, r, side, by_machine);
    const size_t merged = merge(&c);
    r->view.merged += by_machine ? merged : 0;
    if (!is_weighted(r, by_machine))
        return by_posterior(out, &c, r, work, err);
    by_linearisation(out, &c, r, side, by_machine);
    return IV_OK;
}

/* Metrics from `first` to before `end` of the items on a side. */
static int fill_metrics(iv_checked_metric *out, reading *r, const bool *side, const char *name,
                        size_t first, size_t end, const iv_work *work, iv_err *err)
{
    double both[NAMES][3], people[NAMES][3], alone[NAMES];

    IV_TRY(estimate(both, r, side, true, work, err));
    IV_TRY(estimate(people, r, side, false, work, err));
    for (size_t k = 0; k < 3 * NAMES && r->view.uneven; k++)
        people[k / 3][k % 3] = (double)NAN;
    by_machine_alone(alone, r, side);
    for (size_t k = first; k < end; k++)
        *out++ = (iv_checked_metric){
            name, names[k], both[k][0], both[k][1], both[k][2], people[k][0], people[k][1],
            people[k][2], alone[k],
            1.0 - (both[k][2] - both[k][1]) / (people[k][2] - people[k][1]) };
    return IV_OK;
}

static int do_system(reading *r, size_t s, const char *path, const iv_work *work, iv_err *err)
{
    bool *side = iv_take(&r->memory, r->view.items, sizeof *side);
    const char *name = iv_arena_copy(&r->memory, iv_csv_column(r->file, r->system_at[s]));
    size_t said = 0;

    IV_TRY(iv_taken(&r->memory, err));
    for (size_t i = 0; i < r->view.items; i++) {
        if (iv_csv_cell(r->file, i, r->system_at[s]).len == 0)
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(r->file, i), "%.60s has no label, "
                              "expected one of every item", name);
        IV_TRY(read_bit(&side[i], r, i, r->system_at[s], err));
        said += side[i];
    }
    if (said == 0 || said == r->view.items)
        return iv_fail_at(err, IV_ENODATA, path, 0, "%.60s calls %s item positive: there is no "
                          "recall to estimate", name, said == 0 ? "no" : "every");
    return fill_metrics(&r->metrics[1 + 3 * s], r, side, name, RECALL, PREVALENCE, work, err);
}

static int read_all(reading *r, const char *path, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_csv_load(&r->file, path, work, err));
    r->view.bytes = iv_csv_bytes(r->file);
    IV_TRY(find_columns(r, path, err));
    IV_TRY(read_items(r, path, err));
    IV_TRY(check_looked(r, path, err));
    r->metrics = iv_take(&r->memory, 1 + 3 * r->systems, sizeof *r->metrics);
    const bool *none = iv_take(&r->memory, r->view.items, sizeof *none); /* is on a side */
    IV_TRY(iv_taken(&r->memory, err));
    IV_TRY(fill_metrics(r->metrics, r, none, "", PREVALENCE, NAMES, work, err));
    for (size_t s = 0; s < r->systems; s++)
        IV_TRY(do_system(r, s, path, work, err));
    r->view.metrics = r->metrics;
    r->view.count = 1 + 3 * r->systems;
    return IV_OK;
}

int iv_checked_load(iv_checked **out, const char *path, const char *machine,
                    const char *probability, const iv_labels_options *labels, double confidence,
                    const iv_work *work, iv_err *err)
{
    reading *r = calloc(1, sizeof *r);

    if (r == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    r->how = *labels;
    r->machine = machine;
    r->probability = probability;
    r->confidence = confidence == 0.0 ? 0.95 : confidence;
    const int rc = machine == NULL
        ? iv_fail(err, IV_EARG, "no column of automatic labels was named")
        : read_all(r, path, work, err);
    if (rc == IV_OK)
        *out = &r->view;
    else
        iv_checked_free(&r->view);
    return rc;
}
