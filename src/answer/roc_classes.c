/* SPDX-License-Identifier: Apache-2.0 */
/* roc of more than two classes: the area of each against the rest, and their averages. */
#include <math.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/roc_parts.h"
#include "answer/run_notes.h"
#include "base/listing.h"
#include "base/parallel.h"
#include "trec/class_columns.h"
#include "trec/csv.h"
#include "trec/gold.h"

enum { FEW = 20, NOT_MANY = 50, MANY = 1, LOSSES = 2 };

typedef struct class_row {
    const char *system, *klass;
    size_t support;
    iv_scored_value x;
} class_row;

const iv_field iv_roc_class_fields[] = {
    { "system", IV_AT(class_row, system), .shown = MANY, .about = "its name" },
    { "class", IV_AT(class_row, klass), .about = "a class against the rest, or an average" },
    { "support", IV_AT(class_row, support), .about = "items that are of the class" },
    { "auc", IV_AT(class_row, x.value), .digits = 4, .about = "area under the ROC curve" },
    { "se", IV_AT(class_row, x.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "its standard error" },
    { "lower", IV_AT(class_row, x.lower), .digits = 4, .about = "of the interval" },
    { "upper", IV_AT(class_row, x.upper), .digits = 4, .about = "of the interval" },
    { NULL } };

/* What a system says of the classes of gold, and then of others that it knows. */
typedef struct system_scores {
    const char *name;
    const char **classes;
    const double **scores; /* by class */
    size_t count;
    class_row *rows;       /* of the classes, macro and weighted */
} system_scores;

typedef struct classing {
    const iv_roc_question *q;
    const char *path;
    iv_arena memory;
    iv_class_table t;
    size_t *sizes;         /* of gold's classes */
    system_scores *systems;
    bool *is_used;         /* of the table's other columns */
    bool probabilities;
    class_row *rows;
    size_t row_count, clipped;
    iv_roc_pair *pairs;
    iv_roc_measure *measures;
    size_t measure_count;
} classing;

/* ----------------------------------------------------------------- reading -- */

/* A row may be off by as much as rounding to two digits brings. */
static bool adds_up(double sum, size_t classes)
{
    return fabs(sum - 1.0) <= fmin(0.005 * (double)classes, 0.05) + 1e-9;
}

/* Are they probabilities of all there is?  *off is the first item whose do not add up. */
static bool are_probabilities(const system_scores *s, size_t items, size_t *off)
{
    for (size_t i = 0; i < items; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < s->count; k++) {
            sum += s->scores[k][i];
            if (!(s->scores[k][i] >= 0.0 && s->scores[k][i] <= 1.0))
                return false;
        }
        if (!adds_up(sum, s->count)) {
            *off = i;
            return false;
        }
    }
    return true;
}

/* The class that a column beside those of gold's would be of; its name is empty: of none. */
static iv_str other_class(iv_str column, const iv_class_system *s)
{
    const size_t beside = s->before.len + s->behind.len;

    if (column.len <= beside || memcmp(column.ptr, s->before.ptr, s->before.len) != 0
        || memcmp(column.ptr + column.len - s->behind.len, s->behind.ptr, s->behind.len) != 0)
        return (iv_str){ column.ptr, 0 };
    return (iv_str){ column.ptr + s->before.len, column.len - beside };
}

/*
 * Probabilities that add up to 1 only with those of other columns that are called alike: these are
 * of classes that no item is of.
 */
static int add_others(classing *c, size_t at, const iv_csv *t, iv_err *err)
{
    const iv_class_table *x = &c->t;
    system_scores *s = &c->systems[at];
    const size_t before = s->count;
    bool *mine = iv_take(&c->memory, x->other_count, sizeof *mine);
    size_t off = IV_NONE;

    IV_TRY(iv_taken(&c->memory, err));
    if (are_probabilities(s, x->items, &off) || off == IV_NONE)
        return IV_OK;
    for (size_t i = 0; i < x->other_count; i++) {
        const iv_str name = other_class(iv_csv_column(t, x->others[i]), &x->systems[at]);
        iv_scored_system one;
        iv_err why;
        if (name.len == 0
            || iv_roc_scores(&one, &x->others[i], 1, t, c->path, &c->memory, &why) != IV_OK)
            continue;
        s->classes[s->count] = iv_arena_copy(&c->memory, name);
        s->scores[s->count++] = one.scores;
        mine[i] = true;
    }
    if (!are_probabilities(s, x->items, &off))
        s->count = before;
    for (size_t i = 0; i < x->other_count && s->count > before; i++)
        c->is_used[i] = c->is_used[i] || mine[i];
    return iv_taken(&c->memory, err);
}

static int read_system(classing *c, size_t at, const iv_csv *t, iv_err *err)
{
    const iv_class_table *x = &c->t;
    const size_t K = x->classes, most = K + x->other_count;
    system_scores *s = &c->systems[at];
    iv_scored_system *columns = iv_take(&c->memory, K, sizeof *columns);

    *s = (system_scores){ .name = x->systems[at].name, .count = K };
    s->classes = iv_take(&c->memory, most, sizeof *s->classes);
    s->scores = iv_take(&c->memory, most, sizeof *s->scores);
    IV_TRY(iv_taken(&c->memory, err));
    IV_TRY(iv_roc_scores(columns, x->systems[at].columns, K, t, c->path, &c->memory, err));
    for (size_t k = 0; k < K; k++) {
        s->classes[k] = x->names[k];
        s->scores[k] = columns[k].scores;
    }
    return add_others(c, at, t, err);
}

static int read_systems(classing *c, const iv_csv *t, iv_err *err)
{
    IV_TRY(iv_class_columns(&c->t, t, c->q->gold, &c->q->named, c->path, &c->memory, err));
    if (c->q->goal != IV_BEST_F1)
        return iv_fail(err, IV_EARG, "a threshold for %s is one of two classes, and there are %zu: name "
                       "the positive one" IV_HINT(" with --positive LABEL"), iv_threshold_goal_names()[c->q->goal], c->t.classes);
    if (c->t.system_count > IV_ROC_MOST_SYSTEMS)
        return iv_fail_at(err, IV_EPARSE, c->path, 1, "%zu systems, expected %d at most",
                          c->t.system_count, IV_ROC_MOST_SYSTEMS);
    c->sizes = iv_take(&c->memory, c->t.classes, sizeof *c->sizes);
    c->systems = iv_take(&c->memory, c->t.system_count, sizeof *c->systems);
    c->is_used = iv_take(&c->memory, c->t.other_count, sizeof *c->is_used);
    IV_TRY(iv_taken(&c->memory, err));
    for (size_t i = 0; i < c->t.items; i++)
        c->sizes[c->t.is[i]]++;
    for (size_t s = 0; s < c->t.system_count; s++)
        IV_TRY(read_system(c, s, t, err));
    return IV_OK;
}

/* --------------------------------------------------------------- computing -- */

static iv_class_items items_of(const classing *c, const system_scores *s)
{
    return (iv_class_items){ s->scores, c->t.is, s->count, c->t.items };
}

static int measure_system(classing *c, system_scores *s, iv_result *out, const iv_work *work,
                          iv_err *err)
{
    static const char *const averages[2] = { "macro", "weighted" };
    const iv_class_items items = items_of(c, s);
    iv_scored_value *each = iv_take(&c->memory, s->count, sizeof *each), average[2];
    iv_class_losses l;

    IV_TRY(iv_taken(&c->memory, err));
    IV_TRY(iv_auc_classes(each, &average[0], &average[1], &items, c->q->confidence, err));
    s->rows = c->rows + c->row_count;
    for (size_t k = 0; k < s->count; k++)
        s->rows[k] = (class_row){ s->name, s->classes[k], k < c->t.classes ? c->sizes[k] : 0, each[k] };
    for (size_t k = 0; k < 2; k++)
        s->rows[s->count + k] = (class_row){ s->name, averages[k], c->t.items, average[k] };
    c->row_count += s->count + 2;
    if (!c->probabilities)
        return IV_OK;
    IV_TRY(iv_class_calibrate(&l, &items, c->q->confidence, c->q->resamples, work, err));
    c->measures[c->measure_count++] = (iv_roc_measure){ s->name, "Brier", l.brier };
    c->measures[c->measure_count++] = (iv_roc_measure){ s->name, "log_loss", l.log_loss };
    c->clipped += l.clipped;
    if (isnan(l.log_loss.lower))
        iv_result_note(out, "%s: all items have the same loss, which says nothing of how those "
                       "of others vary: no interval of log_loss", s->name);
    return IV_OK;
}

static int compute(classing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t S = c->t.system_count;
    size_t most = 0, at = 0, off = IV_NONE;

    c->probabilities = true;
    for (size_t s = 0; s < S; s++) {
        most += c->systems[s].count + 2;
        c->probabilities = c->probabilities && are_probabilities(&c->systems[s], c->t.items, &off);
    }
    c->rows = iv_take(&c->memory, most, sizeof *c->rows);
    c->measures = iv_take(&c->memory, LOSSES * S, sizeof *c->measures);
    c->pairs = iv_take(&c->memory, S * (S - 1) / 2, sizeof *c->pairs);
    IV_TRY(iv_taken(&c->memory, err));
    for (size_t s = 0; s < S; s++) {
        iv_stage stage;
        const double n = (double)S;
        IV_TRY(measure_system(c, &c->systems[s], out,
                              iv_work_part(&stage, work, (double)s / n, (double)(s + 1) / n), err));
    }
    for (size_t a = 0; a < S; a++)
        for (size_t b = a + 1; b < S; b++, at++) {
            iv_class_items items = items_of(c, &c->systems[a]);
            items.classes = c->t.classes; /* both know these */
            c->pairs[at].a = c->systems[a].name;
            c->pairs[at].b = c->systems[b].name;
            IV_TRY(iv_auc_classes_compare(&c->pairs[at].x, &items, c->systems[b].scores,
                                          c->q->confidence, err));
        }
    return IV_OK;
}

/* ----------------------------------------------------------------- telling -- */

/* What of the table was not taken for what it may be. */
static void tell_columns(iv_result *out, const classing *c, const iv_csv *t)
{
    iv_listing left = { .most = 5 }, empty = { .most = 5 };
    size_t off = IV_NONE;
    char note[IV_GOLD_NOTE];

    if (*iv_gold_note(note, iv_csv_column(t, c->t.gold), c->q->gold) != '\0')
        iv_result_note(out, "%s", note);
    for (size_t i = 0; i < c->t.other_count; i++)
        if (!c->is_used[i])
            iv_list_quoted(&left, iv_csv_column(t, c->t.others[i]));
    for (size_t s = 0; s < c->t.system_count; s++)
        for (size_t k = c->t.classes; k < c->systems[s].count && (s == 0 || empty.count == 0); k++)
            iv_list(&empty, "%s", c->systems[s].classes[k]);
    if (left.count > 0)
        iv_result_note(out, "left out, as no column of a class: %s", iv_listed(&left));
    if (empty.count > 0)
        iv_result_note(out, "no item is of %s: no area can be told, and averages are of the other "
                       "classes", iv_listed(&empty));
    for (size_t s = 0; s < c->t.system_count && !c->probabilities; s++) {
        const system_scores *x = &c->systems[s];
        double sum = 0.0;
        if (are_probabilities(x, c->t.items, &off))
            continue;
        for (size_t k = 0; k < x->count && off != IV_NONE; k++)
            sum += x->scores[k][off];
        if (off == IV_NONE)
            iv_result_note(out, "%s: scores are not all in [0, 1]: nothing is said of probabilities "
                           "(Brier, log loss)", x->name);
        else
            iv_result_note(out, "%s: the scores of line %llu add up to %.4g and not to 1: nothing is "
                           "said of probabilities (Brier, log loss)", x->name,
                           (unsigned long long)iv_csv_line(t, off), sum);
        return;
    }
}

/* Averages of which scores with long tails were measured to hold less often. */
#define NEAR 0.975

/* Where intervals hold less often than they say. */
static void tell_few(iv_result *out, const classing *c)
{
    size_t least = 0;

    for (size_t k = 1; k < c->t.classes; k++)
        if (c->sizes[k] < c->sizes[least])
            least = k;
    const size_t few = c->sizes[least];
    if (few < FEW)
        iv_result_note(out, "only %zu item%s of %s: 95 %% intervals of a class' AUC held .91 to .99 in trials "
                       "of up to 10, of macro averages .91 to .99 with a class of 5 (normal scores)", few, iv_plural(few),
                       c->t.names[least]);
    else if (few < NOT_MANY && c->t.items - few >= 3 * few)
        iv_result_note(out, "%zu items of %s beside %zu others: where scores have long tails, or those "
                       "of a class spread more, 95 %% intervals of an AUC of .9 held .90 to .93", few,
                       c->t.names[least], c->t.items - few);
    for (size_t s = 0; s < c->t.system_count; s++) {
        if (c->systems[s].rows[c->systems[s].count].x.value < NEAR)
            continue;
        iv_result_note(out, "near an area of 1 scores with long tails show too few of their losses: in "
                       "trials with 10 classes 95 %% intervals of macro averages of .99 held .86 to .89");
        break;
    }
}

static void tell(iv_result *out, const classing *c, const iv_csv *t)
{
    const double percent = 100.0 * (c->q->confidence == 0.0 ? 0.95 : c->q->confidence);
    const size_t S = c->t.system_count;
    const iv_scored_value *best = NULL, *x;
    const char *name = NULL;

    for (size_t s = 0; s < S; s++) {
        x = &c->systems[s].rows[c->systems[s].count].x;
        if (best == NULL || x->value > best->value) {
            best = x;
            name = c->systems[s].name;
        }
    }
    if (S == 2) {
        const iv_auc_difference *d = &c->pairs->x;
        iv_result_answer(out, "The macro average of the AUC over %zu classes is %.4f of %s and %.4f of "
                         "%s: a difference of %.4f, %.10g %% interval %.4f to %.4f, p = %.4g.",
                         c->t.classes, c->systems[0].rows[c->systems[0].count].x.value,
                         c->pairs->a, c->systems[1].rows[c->systems[1].count].x.value, c->pairs->b,
                         d->value, percent, d->lower, d->upper, d->p);
    } else {
        iv_result_answer(out, "%s%sThe macro average of the AUC over %zu classes is %.4f, %.10g %% "
                         "interval %.4f to %.4f, over %zu items.", S > 1 ? name : "",
                         S > 1 ? " is the highest. " : "", c->t.classes, best->value, percent,
                         best->lower, best->upper, c->t.items);
    }
    tell_columns(out, c, t);
    tell_few(out, c);
    if (c->clipped > 0)
        iv_result_note(out, "%zu probabilit%s of 0 for what was so: the logarithmic loss takes 1e-15 "
                       "for 0", c->clipped, c->clipped == 1 ? "y" : "ies");
    iv_result_legend(out, "classes: each against the rest; macro is the mean of the areas, weighted that "
                     "weighted by support; score intervals with Hanley and McNeil's variance scaled to "
                     "DeLong's, of averages to that of what each item moves all areas by");
    if (c->probabilities)
        iv_result_legend(out, "Brier: sum over classes, 0 to 2, as any mean in a range (logit); log_loss: Studentised "
                         "bootstrap");
    if (S > 1)
        iv_result_legend(out, "pairs: macro averages; score intervals joined with DeLong's, and p that "
                         "ends them at 0%s; z and p_delong are DeLong's test", S > 2 ? ", of single pairs"
                         : "");
}

static void put(iv_result *out, const classing *c)
{
    const size_t S = c->t.system_count;

    iv_result_used(out, "newcombe");
    if (S > 1)
        iv_result_used(out, "delong");
    (void)iv_result_rows(out, &(iv_rows){ "classes", iv_roc_class_fields, c->rows, c->row_count,
                                          sizeof *c->rows, .with = S > 1 ? MANY : 0,
                                          .drawn = { "auc", "lower", "upper", 0.0, 1.0 } });
    if (c->probabilities)
        (void)iv_result_rows(out, &(iv_rows){ "measures", iv_roc_measure_fields, c->measures,
                                              c->measure_count, sizeof *c->measures });
    if (S > 1)
        (void)iv_result_rows(out, &(iv_rows){ "pairs", iv_roc_pair_fields, c->pairs, S * (S - 1) / 2,
                                              sizeof *c->pairs });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "classes", .title = "The classes",
        .caption = "A point is the area under the ROC curve of a class against the rest, or an average "
                   "of them, the line its interval.",
        .label = "class", .page = S > 1 ? "system" : NULL, .value = "auc", .lower = "lower",
        .upper = "upper" });
}

int iv_roc_classes(iv_result *out, const iv_roc_question *q, const iv_csv *t, const char *path,
                   const iv_work *work, iv_err *err)
{
    classing c = { .q = q, .path = path };
    int rc = read_systems(&c, t, err);

    if (rc == IV_OK)
        rc = compute(&c, out, work, err);
    if (rc == IV_OK) {
        put(out, &c);
        tell(out, &c, t);
        iv_result_assumption(out, "Items are a random sample of those that matter.");
    }
    iv_arena_free(&c.memory);
    return rc;
}
