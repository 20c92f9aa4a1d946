/* SPDX-License-Identifier: Apache-2.0 */
/* roc -- how good are the scores of classifiers, of two classes or of more? */
#include "answer/answer_private.h"

/* FEW, AP_FEW: items of a class, positive ones, below which coverage was outside 0.90 to 0.985. */
enum { MEASURES = 5, LOSSES = 2, CURVES = 2, FEW = 20, AP_FEW = 15, MANY = 1, MOST_SYSTEMS = 1000 };

/* Rows: of a measure of a system, or of the AUC of one of its classes with its items; of pairs,
 * with p and Holm's p, texts a, b and the measure. */
enum { SYSTEM, MEASURE, PAIR_MEASURE, HOLM = 0 };

const iv_field iv_roc_measure_fields[] = {
    { "system", IV_AT(iv_row, text[SYSTEM]), .about = "name of the system" },
    { "measure", IV_AT(iv_row, text[MEASURE]), .about = "what is measured" },
    { "value", IV_AT(iv_row, is.value), .digits = 4, .about = "value on these items" },
    { "se", IV_AT(iv_row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(iv_row, is., 4),
    { NULL } };

const iv_field iv_roc_pair_fields[] = {
    { "a", IV_AT(iv_row, text[0]), .about = "a system" },
    { "b", IV_AT(iv_row, text[1]), .about = "another system" },
    { "measure", IV_AT(iv_row, text[PAIR_MEASURE]),
      .about = "measure compared; with several classes, AUC is the macro average" },
    { "difference", IV_AT(iv_row, is.value), .digits = 4, .about = "difference a - b" },
    { "se", IV_AT(iv_row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error (for AUC, DeLong's)" },
    IV_LIMITS(iv_row, is., 4),
    { "p", IV_AT(iv_row, p), .digits = 4,
      .about = "p-value of no difference: DeLong's test for AUC, paired t test for losses" },
    { "p_holm", IV_AT(iv_row, real[HOLM]), .digits = 4, .shown = MANY,
      .about = "p-value, corrected for all pairs (Holm)" },
    { NULL } };

const iv_field iv_roc_threshold_fields[] = {
    { "system", IV_AT(iv_row, text[0]), .about = "name of the system" },
    { "goal", IV_AT(iv_row, text[1]), .about = "what the threshold is best for" },
    { "threshold", IV_AT(iv_row, real[0]), .digits = 4,
      .about = "items with this score or a higher one are positive; empty: none is" },
    { "apparent", IV_AT(iv_row, real[1]), .digits = 4,
      .about = "value of the goal on these items" },
    { "optimism", IV_AT(iv_row, real[2]), .digits = 4,
      .about = "estimated overestimation in 'apparent'" },
    { "value", IV_AT(iv_row, is.value), .digits = 4,
      .about = "estimated value of the goal on new items" },
    IV_LIMITS(iv_row, is., 4),
    { NULL } };

const iv_field iv_roc_curve_fields[] = {
    { "system", IV_AT(iv_row, text[0]), .about = "name of the system" },
    { "curve", IV_AT(iv_row, text[1]), .about = "ROC or precision" },
    { "x", IV_AT(iv_row, real[0]), .digits = 2, .about = "false positive rate, or recall" },
    { "y", IV_AT(iv_row, is.value), .digits = 4, .about = "true positive rate, or precision" },
    { "lower", IV_AT(iv_row, is.lower), .digits = 4, .about = "lower limit of the band" },
    { "upper", IV_AT(iv_row, is.upper), .digits = 4, .about = "upper limit of the band" },
    { NULL } };

/* What a system says of the classes of gold, and then of others that it knows. */
typedef struct system_scores {
    const char *name;
    const char **classes;
    const double **scores; /* by class */
    size_t count;
    iv_row *rows;          /* of the classes, macro and weighted */
} system_scores;

typedef struct scoring {
    const iv_roc_question *q;
    const char *path;
    iv_arena *own;
    /* Of two classes: */
    iv_scored_system *systems;
    size_t count, items, positives;
    bool *positive;
    iv_str ids;      /* a column that was taken for them, by what it holds */
    iv_str gold;     /* that of gold, of a table */
    iv_listing left; /* columns called as gold */
    iv_listing rest; /* columns beside those of the positive class */
    size_t bins;
    iv_row *thresholds, *curves;
    /* Of more: */
    iv_class_table t;
    size_t *sizes;   /* of gold's classes */
    system_scores *said;
    bool *is_used;   /* of the table's other columns */
    iv_row *rows;
    size_t row_count;
    /* Of both: */
    bool probabilities;
    size_t clipped;
    iv_row *measures, *pairs;
    size_t measure_count, pair_count; /* pairs of one measure: AUC's come first */
    size_t compared; /* measures */
} scoring;

static int read_scores(iv_scored_system *systems, const size_t *columns, size_t count,
                       const iv_csv *t, const scoring *s, iv_err *err)
{
    const size_t items = iv_csv_rows(t);
    char quoted[IV_QUOTE_SIZE];

    for (size_t k = 0; k < count; k++) {
        double *scores = iv_take(s->own, items, sizeof *scores);
        systems[k].name = iv_arena_copy(s->own, iv_csv_column(t, columns[k]));
        systems[k].scores = scores;
        IV_TRY(iv_taken(s->own, err));
        for (size_t i = 0; i < items; i++) {
            const iv_str cell = iv_csv_cell(t, i, columns[k]);
            if (iv_csv_is_missing(cell))
                return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "the score of %s is "
                                  "missing, expected one of each item", systems[k].name);
            if (!iv_scan_real(&scores[i], cell))
                return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "the score %s of %s, "
                                  "expected a number"
                                  IV_HINT("; --system names the columns of systems"),
                                  iv_quote(quoted, cell), systems[k].name);
        }
    }
    return IV_OK;
}

/* Each pair of them is compared. */
static int check_count(const scoring *s, const iv_csv *t, iv_err *err)
{
    return s->count <= MOST_SYSTEMS ? IV_OK
        : iv_fail_at(err, IV_EPARSE, t != NULL ? s->path : NULL, t != NULL ? 1 : 0, "%zu systems, "
                     "each pair of which is compared, expected %d at most: name those that matter"
                     IV_HINT(" (--system)"), s->count, MOST_SYSTEMS);
}

/* The columns of the positive class, where each of three or more classes has its own, or none. */
static int take_class(scoring *s, size_t *column, const iv_csv *t, iv_err *err)
{
    const iv_roc_question *q = s->q;
    iv_class_table c = { 0 };
    iv_err why;
    bool many;

    IV_TRY(iv_class_many(&many, t, q->gold, &q->named, err));
    if (!many || iv_class_columns(&c, t, q->gold, &q->named, s->own, &why) != IV_OK)
        return iv_taken(s->own, err);
    for (size_t k = 0; k < c.classes; k++)
        for (size_t i = 0; i < c.system_count && strcmp(c.names[k], q->positive) == 0; i++)
            column[s->count++] = c.systems[i].columns[k];
    for (size_t k = 0; k < c.classes * c.system_count && s->count > 0; k++)
        if (strcmp(c.names[k % c.classes], q->positive) != 0)
            iv_list_quoted(&s->rest, iv_csv_column(
                               t, c.systems[k / c.classes].columns[k % c.classes]));
    for (size_t k = 0; k < c.other_count && s->count > 0; k++)
        iv_list_quoted(&s->rest, iv_csv_column(t, c.others[k]));
    return IV_OK;
}

/* All columns that are a system's. */
static int take_systems(scoring *s, size_t *column, const iv_csv *t, const size_t taken[2],
                        iv_err *err)
{
    const iv_roc_question *q = s->q;

    IV_TRY(iv_system_columns(column, &s->count, t, &q->named, taken, 2, err));
    if (q->named.count == 0 && taken[1] == IV_NONE)
        s->ids = iv_drop_text_ids(column, &s->count, t);
    if (q->named.count == 0)
        IV_TRY(iv_drop_gold_names(&s->left, column, &s->count, t, s->gold, err));
    return s->count > 0 ? IV_OK
        : iv_fail_at(err, IV_EPARSE, s->path, 1, "no column of scores beside what the items are, "
                     "expected one or more");
}

static int read_table(scoring *s, const iv_csv *t, iv_err *err)
{
    const iv_roc_question *q = s->q;
    char quoted[IV_QUOTE_SIZE];
    size_t taken[2] = { IV_NONE, iv_id_column(t) }, *column;

    IV_TRY(iv_gold_column(&taken[0], t, q->gold, &q->named, err));
    IV_TRY(iv_ids_once(NULL, t, taken[1], err));
    s->items = iv_csv_rows(t);
    s->positive = iv_take(s->own, s->items, sizeof *s->positive);
    s->systems = iv_take(s->own, iv_csv_columns(t), sizeof *s->systems);
    column = iv_take(s->own, iv_csv_columns(t), sizeof *column);
    IV_TRY(iv_taken(s->own, err));
    s->gold = iv_csv_column(t, taken[0]);
    if (q->positive != NULL && q->named.count == 0)
        IV_TRY(take_class(s, column, t, err));
    if (s->count == 0)
        IV_TRY(take_systems(s, column, t, taken, err));
    IV_TRY(check_count(s, t, err));
    const iv_str wanted = iv_str_of(q->positive != NULL ? q->positive : "1");
    for (size_t i = 0; i < s->items; i++) {
        const iv_str cell = iv_csv_cell(t, i, taken[0]);
        const iv_str label = q->positive == NULL ? iv_bit_of(cell) : cell;
        s->positive[i] = iv_str_cmp(label, wanted) == 0;
        if (!s->positive[i] && iv_same_name(label, wanted))
            return iv_csv_refuse(t, i, err, "the gold label %s, expected one spelling of the "
                                 "positive label, '%s'", iv_quote(quoted, label), wanted.ptr);
        if (iv_csv_is_missing(label) && !(s->positive[i] && label.len > 0))
            return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "the gold label is "
                              "missing%s%s", label.len > 0 ? ": " : "",
                              label.len > 0 ? iv_quote(quoted, label) : "");
        if (q->positive == NULL && !s->positive[i] && iv_str_cmp(label, iv_str_of("0")) != 0)
            return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "label %s, expected 0 "
                              "or 1, or the name of the positive label"
                              IV_HINT(" (--positive LABEL; if each class has a column, also "
                                      "--system NAME)"), iv_quote(quoted, label));
    }
    return read_scores(s->systems, column, s->count, t, s, err);
}

static int read_items(scoring *s, const iv_csv *t, iv_err *err)
{
    const iv_roc_question *q = s->q;

    if (t != NULL) {
        IV_TRY(read_table(s, t, err));
    } else {
        s->count = q->system_count;
        s->items = q->items;
        s->systems = iv_take(s->own, s->count, sizeof *s->systems);
        s->positive = iv_take(s->own, s->items, sizeof *s->positive);
        IV_TRY(iv_taken(s->own, err));
        if (s->count == 0 || s->items == 0)
            return iv_fail(err, IV_ENODATA, "no scores, expected a file or items");
        IV_TRY(check_count(s, t, err));
        if (q->systems == NULL || q->is_positive == NULL)
            return iv_fail(err, IV_EARG, "a list of the %s is NULL",
                           q->systems == NULL ? "systems" : "items");
        memcpy(s->systems, q->systems, s->count * sizeof *s->systems);
        memcpy(s->positive, q->is_positive, s->items * sizeof *s->positive);
    }
    for (size_t i = 0; i < s->items; i++)
        s->positives += s->positive[i];
    if (s->positives == 0 || s->positives == s->items)
        return iv_fail_at(err, IV_ENODATA, q->file, 0, "%s %zu item%s %s positive, expected "
                          "positive and negative ones", s->positives > 0 ? "all" : "none of",
                          s->items, iv_plural(s->items), s->positives > 0 ? "are" : "is");
    return IV_OK;
}

static void note_columns(iv_result *out, scoring *s)
{
    const iv_roc_question *q = s->q;
    char quoted[IV_QUOTE_SIZE], note[IV_GOLD_NOTE];

    if (s->gold.len > 0 && *iv_gold_note(note, s->gold, q->gold) != '\0')
        iv_result_note(out, "%s", note);
    if (*iv_left_note(note, &s->left, s->path) != '\0')
        iv_result_note(out, "%s", note);
    if (s->rest.count > 0)
        iv_result_note(out, "Columns used as scores: %s; excluded: %s.", q->positive,
                       iv_listed(&s->rest));
    if (s->ids.len > 0)
        iv_result_note(out, "Column %s is used as ids: it has no numbers, and each text occurs "
                            "once.",
                       iv_quote(quoted, s->ids));
}

static double percent_of(const iv_roc_question *q)
{
    return 100.0 * (q->confidence == 0.0 ? 0.95 : q->confidence);
}

/* Holm's correction over the pairs of one measure, which have a p. */
static int correct(iv_row *pairs, size_t count, iv_arena *own, iv_err *err)
{
    double *p = iv_take(own, count + 1, sizeof *p);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < count; i++)
        p[i] = pairs[i].p;
    IV_TRY(iv_adjust(p, p, count, IV_CORRECT_HOLM, err));
    for (size_t i = 0; i < count; i++)
        pairs[i].real[HOLM] = p[i];
    return IV_OK;
}

/* The AUC of a system; of several classes the macro average. */
static const iv_row *auc_of(const scoring *s, size_t k)
{
    return s->said != NULL ? &s->said[k].rows[s->said[k].count]
                           : &s->measures[k * (s->measure_count / s->count)];
}

/* The first of those with the highest AUC, and how many others have it. */
static const iv_row *highest(const scoring *s, size_t *others)
{
    const iv_row *best = auc_of(s, 0);

    *others = 0;
    for (size_t k = 1; k < s->count; k++) {
        const double above = auc_of(s, k)->is.value - best->is.value;
        *others = above > 1e-12 ? 0 : *others + (above > -1e-12);
        best = above > 1e-12 ? auc_of(s, k) : best;
    }
    return best;
}

/* The best of several, and how many of the others differ significantly from it. */
static void say_highest(iv_result *out, const scoring *s, const char *what)
{
    size_t n = 0, others;
    const iv_row *best = highest(s, &others);
    const char *name = best->text[SYSTEM];
    char equals[IV_EQUALS_SIZE];

    for (size_t i = 0; i < s->pair_count; i++)
        n += (s->pairs[i].text[0] == name || s->pairs[i].text[1] == name)
            && s->pairs[i].real[HOLM] < 1.0 - percent_of(s->q) / 100.0;
    iv_result_answer(out, "%s%s %s the highest %s of %zu systems, %.3f. %s differs significantly "
                     "from %zu of the others (Holm's correction for %zu pairs).",
                     name, iv_say_equals(equals, others, NULL),
                     others > 0 ? "have" : "has", what, s->count, best->is.value,
                     others > 0 ? name : "It", n, s->pair_count);
}

/* That no system is worse than the baseline, or the first, by more than the margin, by one-sided
 * limits of all candidates at once: if this is claimed, it is the answer. */
static int claim(iv_result *out, const scoring *s, const char *first, iv_err *err)
{
    const iv_roc_question *q = s->q;
    const char *baseline = q->baseline != NULL ? q->baseline : first;
    const double margin = q->margin == IV_ZERO ? 0.0 : q->margin, c = percent_of(q) / 100.0;
    const char *measure = q->measure != NULL ? q->measure : "AUC";
    size_t found = 0, candidates = s->count - 1;
    iv_wording w = { 0 };

    if (!q->not_worse)
        return IV_OK;
    for (size_t i = 0; i < s->compared * s->pair_count; i++) {
        const iv_row *p = &s->pairs[i];
        const bool turned = strcmp(p->text[0], baseline) == 0;
        const char *other = p->text[turned];
        if (strcmp(p->text[PAIR_MEASURE], measure) != 0
            || (!turned && strcmp(p->text[1], baseline) != 0))
            continue;
        /* The gain over the baseline: of a loss the other way round. */
        const double sign = (turned ? -1.0 : 1.0) * (strcmp(measure, "AUC") != 0 ? -1.0 : 1.0);
        const double gain = sign * p->is.value, half = p->is.se > 0.0
            ? iv_t_isf((1.0 - c) / (double)candidates, p->is.df) * p->is.se : (double)NAN;
        const iv_verdict v = gain - half > -margin   ? IV_VERDICT_SHOWN
                             : gain + half < -margin ? IV_VERDICT_OTHERWISE : IV_VERDICT_OPEN;
        iv_say(&w, "%s: %s of %s is %.4f %s than that of %s (", iv_verdict_name(v), measure, other,
               fabs(gain), gain < 0.0 ? "worse" : "better", baseline);
        iv_say_one_sided(&w, c, candidates, fabs(gain) - half, fabs(gain) + half,
                         gain < 0.0 ? margin : -margin);
        iv_say(&w, "); the allowed loss is %.10g. ", margin);
        iv_result_verdict(out, v, "%s of %s is not worse than that of %s by more than %.10g",
                          measure, other, baseline, margin);
        found++;
    }
    if (found == 0)
        return iv_fail(err, IV_EARG, "no pair of the baseline '%.80s' by %.40s, expected a system "
                       "and a measure of table 'pairs'", baseline, measure);
    iv_answer_claims(out, &w);
    if (candidates > 1)
        iv_result_used_with(out, "bonferroni", " for %zu candidates", candidates);
    return IV_OK;
}

static bool are_probabilities(const scoring *s)
{
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0; i < s->items; i++)
            if (!(s->systems[k].scores[i] >= 0.0 && s->systems[k].scores[i] <= 1.0))
                return false;
    return true;
}

static void add_measure(scoring *s, size_t system, const char *name, iv_interval x)
{
    s->measures[s->measure_count++] = (iv_row){ .text = { s->systems[system].name, name },
                                                .is = x };
}

static int measure_system(scoring *s, size_t k, const iv_work *work, iv_err *err)
{
    const iv_roc_question *q = s->q;
    const iv_scored_items items = { s->systems[k].scores, s->positive, s->items };
    const iv_threshold_goal goal = q->goal == IV_BEST_NONE ? IV_BEST_F1 : q->goal;
    iv_interval points[CURVES][IV_CURVE_POINTS];
    iv_interval x;
    iv_calibration c;
    iv_stage stage;

    IV_TRY(iv_auc(&x, &items, q->confidence, err));
    add_measure(s, k, "AUC", x);
    IV_TRY(iv_scored_ap(&x, &items, q->confidence, err));
    add_measure(s, k, "AP", x);
    if (s->probabilities) {
        IV_TRY(iv_calibrate(&c, &items, q->bins, q->confidence, err));
        add_measure(s, k, "Brier", c.brier);
        add_measure(s, k, "log_loss", c.log_loss);
        add_measure(s, k, "ECE", (iv_interval){ c.ece, NAN, NAN, NAN });
        s->clipped += c.clipped;
        s->bins = c.bins;
    }
    if (s->thresholds != NULL) {
        iv_threshold t;
        IV_TRY(iv_threshold_choose(&t, &items, goal, q->confidence, q->resamples,
                                   iv_work_part(&stage, work, 0.0, 0.5), err));
        s->thresholds[k] = (iv_row){
            .text = { s->systems[k].name, iv_threshold_goal_names()[goal] },
            .real = { t.at, t.apparent, t.optimism },
            .is = { t.value, NAN, t.lower, t.upper } };
    }
    if (s->curves == NULL)
        return IV_OK;
    IV_TRY(iv_scored_curves(points[0], points[1], &items, q->confidence, q->resamples,
                            iv_work_part(&stage, work, 0.5, 1.0), err));
    for (size_t i = 0; i < CURVES * IV_CURVE_POINTS; i++) {
        const iv_interval *at = &points[i / IV_CURVE_POINTS][i % IV_CURVE_POINTS];
        s->curves[k * CURVES * IV_CURVE_POINTS + i] = (iv_row){
            .text = { s->systems[k].name, i < IV_CURVE_POINTS ? "ROC" : "precision" },
            .real = { 0.01 * (double)(i % IV_CURVE_POINTS) },
            .is = { at->value, NAN, at->lower, at->upper } };
    }
    return IV_OK;
}

static iv_row pair_of(const char *a, const char *b, const char *measure, const iv_interval *x)
{
    return (iv_row){ .text = { a, b, measure }, .is = *x, .p = iv_scored_p(x), .real = { NAN } };
}

static int compare_systems(scoring *s, iv_err *err)
{
    static const char *const measures[] = { "AUC", "Brier", "log_loss" };
    const size_t n = s->pair_count;
    size_t at = 0;

    for (size_t a = 0; a < s->count; a++)
        for (size_t b = a + 1; b < s->count; b++, at++) {
            const double *x = s->systems[a].scores, *y = s->systems[b].scores;
            iv_interval d[3];
            IV_TRY(iv_auc_compare(&d[0], x, y, s->positive, s->items, s->q->confidence, err));
            if (s->probabilities)
                IV_TRY(iv_losses_compare(d + 1, x, y, s->positive, s->items,
                                         s->q->confidence, err));
            for (size_t m = 0; m < s->compared; m++)
                s->pairs[m * n + at] = pair_of(s->systems[a].name, s->systems[b].name,
                                               measures[m], &d[m]);
        }
    for (size_t m = 0; m < s->compared; m++)
        IV_TRY(correct(s->pairs + m * n, n, s->own, err));
    return IV_OK;
}

static int compute(scoring *s, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t systems = s->count;

    s->probabilities = are_probabilities(s);
    s->pair_count = systems * (systems - 1) / 2;
    s->compared = s->probabilities ? 3 : 1;
    s->measures = iv_take(s->own, MEASURES * systems, sizeof *s->measures);
    s->pairs = iv_take(s->own, 3 * s->pair_count, sizeof *s->pairs);
    if (s->q->goal != IV_BEST_NONE || iv_result_wants(out, "threshold", IV_FOLDED))
        s->thresholds = iv_take(s->own, systems, sizeof *s->thresholds);
    if (iv_result_wants(out, "curves", IV_FOLDED) || iv_result_wants_charts(out))
        s->curves = iv_take(s->own, systems * CURVES * IV_CURVE_POINTS, sizeof *s->curves);
    IV_TRY(iv_taken(s->own, err));
    for (size_t k = 0; k < systems; k++) {
        iv_stage stage;
        IV_TRY(measure_system(s, k, iv_work_nth(&stage, work, k, systems), err));
    }
    return compare_systems(s, err);
}

/* A system whose scores have two values only, as labels do; or NULL. */
static const char *that_has_labels(const scoring *s)
{
    for (size_t k = 0; k < s->count; k++) {
        const double *x = s->systems[k].scores;
        double low = x[0], high = x[0];
        size_t between = 0;
        for (size_t i = 0; i < s->items; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
        for (size_t i = 0; i < s->items; i++)
            between += x[i] > low && x[i] < high;
        if (between == 0 && high > low)
            return s->systems[k].name;
    }
    return NULL;
}

/* Are there two systems whose scores add up to 1 on every item? */
static bool are_complements(const scoring *s)
{
    bool so = s->count == 2;

    for (size_t i = 0; so && i < s->items; i++)
        so = fabs(s->systems[0].scores[i] + s->systems[1].scores[i] - 1.0) < 1e-6;
    return so;
}

/* The sentence about one difference. */
static void say_difference(iv_result *out, const iv_row *p, const char *what, double a, double b,
                           double percent)
{
    const iv_interval *x = &p->is;
    const bool clear = x->lower > 0.0 || x->upper < 0.0;
    iv_wording w = { .len = 0 };

    iv_say(&w, "%s: %.4f for %s and %.4f for %s. The difference ", what, a, p->text[0], b,
           p->text[1]);
    if (isnan(x->lower)) {
        iv_say(&w, "has no interval.");
    } else {
        iv_say(&w, "of %.4f (%.10g %% interval %.4f to %.4f, ", x->value, percent, x->lower,
               x->upper);
        iv_say_p(&w, p->p, NULL);
        iv_say(&w, ") is %ssignificant.", clear ? "" : "not ");
    }
    iv_result_answer(out, "%s", w.at);
}

static void answer(iv_result *out, const scoring *s)
{
    const double percent = percent_of(s->q);
    size_t others;
    const iv_row *best = highest(s, &others), *reversed = NULL;

    for (size_t k = 0; k < s->count; k++)
        reversed = auc_of(s, k)->is.upper < 0.5 ? auc_of(s, k) : reversed;
    if (reversed != NULL && !are_complements(s))
        iv_result_answer(out, "The scores of %s look reversed: its AUC is %.3f (%.10g %% interval "
                         "%.3f to %.3f). Higher scores must mean positive.", reversed->text[SYSTEM],
                         reversed->is.value, percent, reversed->is.lower, reversed->is.upper);
    else if (s->count == 2 && !are_complements(s))
        say_difference(out, s->pairs, "AUC", auc_of(s, 0)->is.value, auc_of(s, 1)->is.value,
                       percent);
    else if (s->count == 1 || are_complements(s))
        iv_result_answer(out, "The AUC of %s is %.3f (%.10g %% interval %.3f to %.3f), over %zu "
                         "positive and %zu negative items.", best->text[SYSTEM], best->is.value,
                         percent, best->is.lower, best->is.upper, s->positives,
                         s->items - s->positives);
    else
        say_highest(out, s, "AUC");
}

static void note_all(iv_result *out, scoring *s)
{
    const size_t rest = s->items - s->positives,
        few = rest < s->positives ? rest : s->positives;
    const char *other = s->count > 1 ? s->systems[1].name : "";
    size_t skewed = 0, near = 0;

    IV_CLASSIFY(out, "roc.complements", are_complements(s),
                .text = { s->systems[0].name, other });
    IV_CLASSIFY(out, "roc.labels", that_has_labels(s) != NULL, .text = { that_has_labels(s) });
    if (few < FEW && s->items - few >= 3 * few)
        IV_CLASSIFY(out, "roc.few", few);
    IV_CLASSIFY(out, "roc.few-positives", s->positives < AP_FEW ? s->positives : 0);
    IV_CLASSIFY(out, "roc.selected", s->count > 2);
    for (size_t i = 0; i < s->measure_count; i++) {
        const iv_interval *x = &s->measures[i].is;
        const char *measure = s->measures[i].text[MEASURE];
        const double n = (double)s->items, squares = x->value * x->value + x->se * x->se * n;
        skewed += strcmp(measure, "log_loss") == 0
            && (s->items < 50 || n * x->value * x->value < 10.0 * squares);
        near += !strcmp(measure, "AUC") && x->value > 0.8
            && (1.0 - x->value) * (double)few < 3.0;
    }
    IV_CLASSIFY(out, "roc.few-losses", skewed);
    IV_CLASSIFY(out, "roc.threshold", s->thresholds != NULL);
    IV_CLASSIFY(out, "roc.near-one", near);
    IV_CLASSIFY(out, "roc.clipped", s->clipped);
    if (!s->probabilities)
        iv_result_legend(out, "Scores are not all in [0, 1]: no Brier score, log loss or ECE.");
    else
        iv_result_legend(out, "ECE uses %zu equal-width bins. It has no interval, and sampling "
                         "noise makes it too large on average.", s->bins);
    note_columns(out, s);
}

static void chart_curves(iv_result *out)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curves", .title = "ROC curves",
        .caption = "True positive rate against false positive rate for every threshold, with "
                   "pointwise bands. The diagonal is chance.", .where = "curve",
        .is = "ROC", .x = "x", .value = "y", .lower = "lower", .upper = "upper",
        .group = "system", .diagonal = true, .x_axis = { "false positive rate", 0.0, 1.0, false },
        .value_axis = { "true positive rate", 0.0, 1.0, false } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curves", .title = "Precision and recall",
        .caption = "Precision at each recall, with pointwise bands.", .where = "curve",
        .is = "precision", .x = "x", .value = "y", .lower = "lower", .upper = "upper",
        .group = "system", .x_axis = { "recall", 0.0, 1.0, false },
        .value_axis = { "precision", 0.0, 1.0, false } });
}

static void put(iv_result *out, const scoring *s)
{
    const size_t points = s->count * CURVES * IV_CURVE_POINTS;

    iv_result_used(out, "newcombe");
    iv_result_used(out, "boyd");
    if (s->probabilities) {
        iv_result_used_with(out, "t", " of Brier score and log loss");
        iv_result_used(out, "ece");
    }
    if (s->count > 1)
        iv_result_used(out, "delong");
    if (s->count > 2)
        iv_result_used_with(out, "holm", " for %zu pairs", s->pair_count);
    if (s->thresholds != NULL)
        iv_result_used(out, "optimism");
    if (s->curves != NULL)
        iv_result_used(out, "curve-bands");
    IV_TABLE(out, "measures", iv_roc_measure_fields, s->measures, s->measure_count,
             .drawn = { "value", "lower", "upper" });
    if (s->count > 1)
        IV_TABLE(out, "pairs", iv_roc_pair_fields, s->pairs, s->compared * s->pair_count,
                 .with = s->count > 2 ? MANY : 0);
    if (s->thresholds != NULL)
        IV_TABLE(out, "threshold", iv_roc_threshold_fields, s->thresholds, s->count,
                 .showing = s->q->goal != IV_BEST_NONE ? IV_SHOWN : IV_FOLDED);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures", .title = "The measures",
        .caption = "A point is the value on these items. The line is its interval.",
        .label = "system",
        .page = "measure", .value = "value", .lower = "lower", .upper = "upper" });
    if (s->curves == NULL)
        return;
    IV_TABLE(out, "curves", iv_roc_curve_fields, s->curves, points, .showing = IV_FOLDED);
    chart_curves(out);
}

static int answer_two(iv_result *out, const iv_roc_question *q, const iv_csv *t, const char *path,
                      const iv_work *work, iv_err *err)
{
    scoring s = { .q = q, .path = path, .own = &out->own };

    IV_TRY(read_items(&s, t, err));
    IV_TRY(compute(&s, out, work, err));
    put(out, &s);
    answer(out, &s);
    IV_TRY(claim(out, &s, s.systems[0].name, err));
    note_all(out, &s);
    return IV_OK;
}

const iv_field iv_roc_class_fields[] = {
    { "system", IV_AT(iv_row, text[SYSTEM]), .shown = MANY, .about = "name of the system" },
    { "class", IV_AT(iv_row, text[MEASURE]), .about = "a class against the rest, or an average" },
    { "support", IV_AT(iv_row, count[0]), .about = "items of the class" },
    { "auc", IV_AT(iv_row, is.value), .digits = 4, .about = "area under the ROC curve" },
    { "se", IV_AT(iv_row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(iv_row, is., 4),
    { NULL } };

/* Are they probabilities of all there is?  *off is the first item whose do not add up. */
static bool add_to_one(const system_scores *s, size_t items, size_t *off)
{
    /* A row may be off by as much as rounding to two digits brings. */
    const double slack = fmin(0.005 * (double)s->count, 0.05) + 1e-9;

    for (size_t i = 0; i < items; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < s->count; k++) {
            sum += s->scores[k][i];
            if (!(s->scores[k][i] >= 0.0 && s->scores[k][i] <= 1.0))
                return false;
        }
        if (!(fabs(sum - 1.0) <= slack)) {
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
static int add_others(scoring *c, size_t at, const iv_csv *t, iv_err *err)
{
    const iv_class_table *x = &c->t;
    system_scores *s = &c->said[at];
    const size_t before = s->count;
    bool *mine = iv_take(c->own, x->other_count, sizeof *mine);
    size_t off = IV_NONE;

    IV_TRY(iv_taken(c->own, err));
    if (add_to_one(s, x->items, &off) || off == IV_NONE)
        return IV_OK;
    for (size_t i = 0; i < x->other_count; i++) {
        const iv_str name = other_class(iv_csv_column(t, x->others[i]), &x->systems[at]);
        iv_scored_system one;
        iv_err why;
        if (name.len == 0
            || read_scores(&one, &x->others[i], 1, t, c, &why) != IV_OK)
            continue;
        s->classes[s->count] = iv_arena_copy(c->own, name);
        s->scores[s->count++] = one.scores;
        mine[i] = true;
    }
    if (!add_to_one(s, x->items, &off))
        s->count = before;
    for (size_t i = 0; i < x->other_count && s->count > before; i++)
        c->is_used[i] = c->is_used[i] || mine[i];
    return iv_taken(c->own, err);
}

static int read_system(scoring *c, size_t at, const iv_csv *t, iv_err *err)
{
    const iv_class_table *x = &c->t;
    const size_t K = x->classes, most = K + x->other_count;
    system_scores *s = &c->said[at];
    iv_scored_system *columns = iv_take(c->own, K, sizeof *columns);

    *s = (system_scores){ .name = x->systems[at].name, .count = K };
    s->classes = iv_take(c->own, most, sizeof *s->classes);
    s->scores = iv_take(c->own, most, sizeof *s->scores);
    IV_TRY(iv_taken(c->own, err));
    IV_TRY(read_scores(columns, x->systems[at].columns, K, t, c, err));
    for (size_t k = 0; k < K; k++) {
        s->classes[k] = x->names[k];
        s->scores[k] = columns[k].scores;
    }
    return add_others(c, at, t, err);
}

static int read_systems(scoring *c, const iv_csv *t, iv_err *err)
{
    IV_TRY(iv_class_columns(&c->t, t, c->q->gold, &c->q->named, c->own, err));
    if (c->q->goal != IV_BEST_NONE)
        return iv_fail(err, IV_EARG, "a threshold for %s needs two classes, and there are %zu: "
                       "name the positive one" IV_HINT(" with --positive LABEL"),
                       iv_threshold_goal_names()[c->q->goal], c->t.classes);
    c->count = c->t.system_count;
    IV_TRY(check_count(c, t, err));
    c->sizes = iv_take(c->own, c->t.classes, sizeof *c->sizes);
    c->said = iv_take(c->own, c->t.system_count, sizeof *c->said);
    c->is_used = iv_take(c->own, c->t.other_count, sizeof *c->is_used);
    IV_TRY(iv_taken(c->own, err));
    for (size_t i = 0; i < c->t.items; i++)
        c->sizes[c->t.is[i]]++;
    for (size_t s = 0; s < c->t.system_count; s++)
        IV_TRY(read_system(c, s, t, err));
    return IV_OK;
}

/* What of the table was not taken for what it may be. */
static void note_class_columns(iv_result *out, const scoring *c, const iv_csv *t)
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
        for (size_t k = c->t.classes; k < c->said[s].count && (s == 0 || empty.count == 0); k++)
            iv_list(&empty, "%s", c->said[s].classes[k]);
    if (left.count > 0)
        iv_result_note(out, "Columns excluded, since they name no class: %s.", iv_listed(&left));
    if (empty.count > 0)
        iv_result_note(out, "No item has the class %s: it has no AUC, and averages exclude it.",
                       iv_listed(&empty));
    for (size_t s = 0; s < c->t.system_count && !c->probabilities; s++) {
        const system_scores *x = &c->said[s];
        double sum = 0.0;
        if (add_to_one(x, c->t.items, &off))
            continue;
        for (size_t k = 0; k < x->count && off != IV_NONE; k++)
            sum += x->scores[k][off];
        if (off == IV_NONE)
            iv_result_note(out, "%s: scores are not all in [0, 1], so Brier score and log loss "
                           "are omitted.", x->name);
        else
            iv_result_note(out, "%s: the scores of line %llu add up to %.4g, not to 1, so Brier "
                           "score and log loss are omitted.", x->name,
                           (unsigned long long)iv_csv_line(t, off), sum);
        return;
    }
}

static int measure_classes(scoring *c, system_scores *s, iv_err *err)
{
    static const char *const averages[2] = { "macro", "weighted" };
    const iv_class_items items = (iv_class_items){ s->scores, c->t.is, s->count, c->t.items };
    iv_interval *each = iv_take(c->own, s->count, sizeof *each), average[2];
    iv_calibration l;

    IV_TRY(iv_taken(c->own, err));
    IV_TRY(iv_auc_classes(each, &average[0], &average[1], &items, c->q->confidence, err));
    s->rows = c->rows + c->row_count;
    for (size_t k = 0; k < s->count; k++)
        s->rows[k] = (iv_row){ .text = { s->name, s->classes[k] }, .is = each[k],
                               .count = { k < c->t.classes ? c->sizes[k] : 0 } };
    for (size_t k = 0; k < 2; k++)
        s->rows[s->count + k] = (iv_row){ .text = { s->name, averages[k] }, .is = average[k],
                                          .count = { c->t.items } };
    c->row_count += s->count + 2;
    if (!c->probabilities)
        return IV_OK;
    IV_TRY(iv_class_calibrate(&l, &items, c->q->confidence, err));
    c->measures[c->measure_count++] = (iv_row){ .text = { s->name, "Brier" }, .is = l.brier };
    c->measures[c->measure_count++] = (iv_row){ .text = { s->name, "log_loss" },
                                                .is = l.log_loss };
    c->clipped += l.clipped;
    return IV_OK;
}

static int compute_classes(scoring *c, iv_err *err)
{
    const size_t S = c->t.system_count;
    size_t most = 0, at = 0, off = IV_NONE;

    c->probabilities = true;
    for (size_t s = 0; s < S; s++) {
        most += c->said[s].count + 2;
        c->probabilities = c->probabilities && add_to_one(&c->said[s], c->t.items, &off);
    }
    c->rows = iv_take(c->own, most, sizeof *c->rows);
    c->measures = iv_take(c->own, LOSSES * S, sizeof *c->measures);
    c->pair_count = S * (S - 1) / 2;
    c->compared = 1;
    c->pairs = iv_take(c->own, c->pair_count, sizeof *c->pairs);
    IV_TRY(iv_taken(c->own, err));
    for (size_t s = 0; s < S; s++)
        IV_TRY(measure_classes(c, &c->said[s], err));
    for (size_t a = 0; a < S; a++)
        for (size_t b = a + 1; b < S; b++, at++) {
            const iv_class_items items = { c->said[a].scores, c->t.is, c->t.classes,
                                           c->t.items };
            iv_interval d;
            IV_TRY(iv_auc_classes_compare(&d, &items, c->said[b].scores, c->q->confidence,
                                          err));
            c->pairs[at] = pair_of(c->said[a].name, c->said[b].name, "AUC", &d);
        }
    return correct(c->pairs, at, c->own, err);
}

static void answer_classes(iv_result *out, const scoring *c)
{
    const double percent = percent_of(c->q);
    const iv_interval *first = &auc_of(c, 0)->is;
    char span[IV_SPAN_SIZE];

    if (c->count == 2)
        say_difference(out, c->pairs, "Macro AUC", first->value, auc_of(c, 1)->is.value, percent);
    else if (c->count > 2)
        say_highest(out, c, "macro AUC");
    else
        iv_result_answer(out, "The macro AUC over %zu classes is %.3f%s, over %zu items.",
                         c->t.classes, first->value, isnan(first->lower)
                         ? " (no interval, as its variance cannot be estimated)"
                         : iv_span(span, percent / 100.0, first->lower, first->upper),
                         c->t.items);
}

static void put_classes(iv_result *out, const scoring *c)
{
    const size_t S = c->t.system_count;

    iv_result_used_all(out, S > 1 ? "newcombe delong" : "newcombe");
    if (c->probabilities)
        iv_result_used_with(out, "t", " of Brier score and log loss");
    if (S > 2)
        iv_result_used_with(out, "holm", " for %zu pairs", c->pair_count);
    IV_TABLE(out, "classes", iv_roc_class_fields, c->rows, c->row_count, .with = S > 1 ? MANY : 0,
             .drawn = { "auc", "lower", "upper", 0.0, 1.0 });
    if (c->probabilities)
        IV_TABLE(out, "measures", iv_roc_measure_fields, c->measures, c->measure_count);
    if (S > 1)
        IV_TABLE(out, "pairs", iv_roc_pair_fields, c->pairs, c->pair_count,
                 .with = S > 2 ? MANY : 0);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "classes", .title = "The classes",
        .caption = "A point is the AUC of a class against the rest, or an average. The line is "
                   "its interval.", .label = "class",
                   .page = S > 1 ? "system" : NULL, .value = "auc",
                   .lower = "lower", .upper = "upper" });
}

static int answer_many(iv_result *out, const iv_roc_question *q, const iv_csv *t, const char *path,
                       iv_err *err)
{
    typedef iv_roc_question T;
    scoring c = { .q = q, .path = path, .own = &out->own };
    size_t least = 0;

    IV_TRY(IV_REFUSE(q, "with three or more classes", err, IV_IDLE(bins, "bins"),
        IV_IDLE(resamples, "resamples")));
    IV_TRY(read_systems(&c, t, err));
    IV_TRY(compute_classes(&c, err));
    put_classes(out, &c);
    answer_classes(out, &c);
    IV_TRY(claim(out, &c, c.said[0].name, err));
    note_class_columns(out, &c, t);
    for (size_t k = 1; k < c.t.classes; k++)
        least = c.sizes[k] < c.sizes[least] ? k : least;
    if (c.sizes[least] < FEW)
        IV_CLASSIFY(out, "roc.few", c.sizes[least]);
    IV_CLASSIFY(out, "roc.clipped", c.clipped);
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    typedef iv_roc_question T;
    const iv_roc_question *q = asked;
    const char *path = q->file != NULL ? q->file : "table";
    iv_csv *loaded = NULL;
    bool many = false;

    if (!q->not_worse)
        IV_TRY(IV_REFUSE(q, "without --gate", err, IV_IDLE(measure, "measure"),
            IV_IDLE(baseline, "baseline"), IV_IDLE(margin, "margin")));
    if (q->file != NULL) {
        IV_TRY(iv_csv_load(&loaded, q->file, work, err));
        IV_TRY(IV_KEEP(out, csv, loaded, err));
        iv_result_input(out, q->file, iv_csv_bytes(loaded));
    }
    const iv_csv *t = loaded != NULL ? loaded : q->table;
    if (t != NULL && q->positive == NULL)
        IV_TRY(iv_class_many(&many, t, q->gold, &q->named, err));
    IV_TRY(many ? answer_many(out, q, t, path, err) : answer_two(out, q, t, path, work, err));
    iv_result_assumption(out, "The items are a random sample of the items of interest.");
    return IV_OK;
}

int iv_answer_roc(iv_result *out, const iv_roc_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_roc_question, file, PATH, "the scores"),
        IV_PART_OF(iv_roc_question, named, TEXTS, "name of a system"),
        IV_CHOICE_OF(iv_roc_question, goal, iv_threshold_goal_names, "what a threshold is for"),
        IV_PART_OF(iv_roc_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
