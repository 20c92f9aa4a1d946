/* SPDX-License-Identifier: Apache-2.0 */
/* Values of groups of items: tables groups and gaps, the sentence on the largest, and its gate. */
#include "base/err.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/gaps.h"
#include "result/message.h"
#include "result/methods.h"
#include "result/result_state.h"
#include "stat/pair_tests.h"

#include <math.h>
#include <string.h>

/* A group's value, and its gap to all others or to the reference. */
typedef struct group_row {
    const char *by, *group, *system, *measure;
    size_t items;
    double positives, value, lower, upper, gap, gap_lower, gap_upper, p, p_holm;
    bool quiet;
} group_row;

/* The largest gap between groups of a column. */
typedef struct gap_row {
    const char *by, *system, *measure, *highest, *lowest;
    double gap, lower, upper;
    bool quiet;
} gap_row;

const iv_field iv_group_value_fields[] = {
    { "by", IV_AT(group_row, by), .audience = IV_IF_VARIES, .about = "column of groups" },
    { "group", IV_AT(group_row, group), .about = "group of items" },
    { "system", IV_AT(group_row, system), .audience = IV_IF_VARIES, .about = "a system" },
    { "measure", IV_AT(group_row, measure), .about = "what is measured" },
    { "items", IV_AT(group_row, items), .about = "items that the value rests on" },
    { "positives", IV_AT(group_row, positives), .audience = IV_IF_ANY,
      .about = "positive items of the group" },
    { "value", IV_AT(group_row, value), .digits = 4, .about = "value of the group's items" },
    IV_LIMITS(group_row, , 4),
    { "gap", IV_AT(group_row, gap), .digits = 4,
      .about = "value of the group less that of all other groups, or of the reference" },
    { "gap_lower", IV_AT(group_row, gap_lower), .digits = 4,
      .heading = "lower", .about = "lower limit of the gap alone" },
    { "gap_upper", IV_AT(group_row, gap_upper), .digits = 4,
      .heading = "upper", .about = "upper limit of the gap alone" },
    { "p", IV_AT(group_row, p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "p-value of no gap" },
    { "p_holm", IV_AT(group_row, p_holm), .digits = 4,
      .about = "p-value, corrected for all groups of the column (Holm)" },
    { NULL } };

const iv_field iv_group_gap_fields[] = {
    { "by", IV_AT(gap_row, by), .audience = IV_IF_VARIES, .about = "column of groups" },
    { "system", IV_AT(gap_row, system), .audience = IV_IF_VARIES, .about = "a system" },
    { "measure", IV_AT(gap_row, measure), .about = "what is measured" },
    { "highest", IV_AT(gap_row, highest), .about = "group with the highest value" },
    { "lowest", IV_AT(gap_row, lowest), .about = "group with the lowest value" },
    { "gap", IV_AT(gap_row, gap), .digits = 4, .about = "highest less lowest value" },
    { "lower", IV_AT(gap_row, lower), .digits = 4,
      .about = "lower limit, which allows for choosing among all pairs of groups, columns and "
               "systems" },
    { "upper", IV_AT(gap_row, upper), .digits = 4,
      .about = "upper limit of the gap that is truly the largest" },
    { NULL } };

static const iv_message messages[] = {
    { "groups.few", IV_WARNING, "groups",
      "{n} value[|s] of groups rest[s|] on fewer than {a} items, or items of a class: {s}. A gap "
      "there is easily missed." },
    { "groups.no-value", IV_NOTE, "groups",
      "{n} value[|s] of groups [has|have] no interval, and gaps exclude [it|them]: {s}." },
    { "groups.without", IV_NOTE, "groups",
      "{n} item[|s] without a group [is|are] excluded from tables groups and gaps." },
    { NULL } };

static size_t families_of(const iv_gaps *g, const char *measure)
{
    size_t n = 0;

    for (size_t i = 0; i < g->count; i++)
        n += strcmp(g->families[i].measure, measure) == 0;
    return n;
}

/* Is it the first family of its column? */
static bool opens_column(const iv_gaps *g, size_t family)
{
    for (size_t i = 0; i < family; i++)
        if (g->families[i].groups == g->families[family].groups)
            return false;
    return true;
}

/* Families of a column and system come together, those of the best system first. */
static void gather(const iv_gaps *g)
{
    for (size_t i = 1; i < g->count; i++) {
        const iv_gap_family f = g->families[i], *all = g->families;
        const bool first = g->best != NULL && strcmp(f.system, g->best) == 0;
        size_t at = i;
        while (at > 0 && (all[at - 1].groups != f.groups || all[at - 1].system != f.system))
            at--;
        if (at == 0)
            for (at = i; at > 0 && first && all[at - 1].groups == f.groups;)
                at--;
        memmove(g->families + at + 1, g->families + at, (i - at) * sizeof f);
        g->families[at] = f;
    }
}

int iv_gaps_find(const iv_gaps *g, iv_err *err)
{
    bool found = g->asked->reference == NULL;

    gather(g);
    for (size_t i = 0; i < g->count; i++) {
        iv_gap_family *f = &g->families[i];
        f->reference = SIZE_MAX;
        for (size_t k = 0; k < f->groups->count && g->asked->reference != NULL; k++)
            if (strcmp(f->groups->names[k], g->asked->reference) == 0)
                f->reference = k;
        found = found || f->reference != SIZE_MAX;
        IV_TRY(iv_group_largest(&f->largest, f->of, f->groups->count, g->confidence,
                                families_of(g, f->measure), err));
    }
    return found ? IV_OK : iv_fail(err, IV_EARG, "no column has the group '%.80s' (reference)",
                                   g->asked->reference);
}

/* ------------------------------------------------------------------- claims -- */

static int claim_family(iv_result *out, iv_wording *w, const iv_gaps *g, const iv_gap_family *f,
                        iv_err *err)
{
    const size_t K = f->groups->count, families = families_of(g, f->measure);
    iv_group_value *careful = iv_take(iv_result_own(out), K, sizeof *careful);
    iv_largest_gap x;
    char measure[200], text[64];

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t k = 0; k < K; k++) {
        careful[k] = f->of[k];
        careful[k].careful = true;
    }
    IV_TRY(iv_group_largest(&x, careful, K, g->confidence, families, err));
    (void)snprintf(measure, sizeof measure, "the largest gap in %.60s between groups of %.80s",
                   f->measure, f->groups->name);
    iv_claim c = { .kind = IV_CLAIM_BELOW, .measure = measure, .system = f->system,
                   .bound = g->asked->most, .estimate = x.value, .lower = x.lower,
                   .upper = x.at_most, .p = NAN, .p_contrary = NAN, .level = 1.0 - g->confidence,
                   .level_contrary = 0.5 * (1.0 - g->confidence)
                       / ((double)families * fmax(1.0, (double)x.pairs)),
                   .method = "mover", .needed = NAN, .detectable = NAN,
                   .withheld = x.missing > 0 ? "a group has no interval" : NULL,
                   .unknown = x.pairs == 0 };
    iv_say(w, "%s: %s%s%s ", iv_verdict_name(iv_result_claim(out, &c)->verdict), measure,
           f->system != NULL ? " of " : "", f->system != NULL ? f->system : "");
    if (x.pairs == 0)
        iv_say(w, "is not known");
    else
        iv_say(w, "is %.3f (one-sided %.10g %% limits %.3f and %s)", x.value,
               100.0 * g->confidence, x.lower, iv_figure(text, 3, x.at_most, g->asked->most));
    iv_say(w, "; below %.10g is required. ", g->asked->most);
    return IV_OK;
}

int iv_gaps_claim(iv_result *out, iv_wording *w, const iv_gaps *g, iv_err *err)
{
    for (size_t i = 0; i < g->count && g->asked->most > 0.0; i++)
        if (strcmp(g->families[i].measure, g->headline) == 0)
            IV_TRY(claim_family(out, w, g, &g->families[i], err));
    return IV_OK;
}

/* ------------------------------------------------------------------- tables -- */

/* Do people not see it?  They see the best system, by the headline's measure and by rates.  Of the
 * others, they see the largest gap in the headline's measure. */
static bool is_quiet(const iv_gaps *g, const iv_gap_family *f)
{
    return (!g->all && !f->is_rate && strcmp(f->measure, g->headline) != 0)
        || (g->best != NULL && strcmp(f->system, g->best) != 0);
}

static void count_positives(group_row *rows, const iv_gaps *g, const iv_item_groups *groups)
{
    for (size_t k = 0; k < groups->count; k++)
        rows[k].positives = g->positive != NULL ? 0.0 : (double)NAN;
    for (size_t i = 0; g->positive != NULL && i < g->items; i++)
        if (groups->of[i] != UINT32_MAX)
            rows[groups->of[i]].positives += g->positive[i];
}

static int fill_family(group_row *rows, const iv_gaps *g, const iv_gap_family *f, iv_arena *own,
                       iv_err *err)
{
    const double level = 0.5 * (1.0 - g->confidence);
    const size_t K = f->groups->count;
    double *p = iv_take(own, K, sizeof *p);

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < K; k++) {
        const iv_group_value *v = &f->of[k];
        const bool alone = k == f->reference;
        const iv_group_value *other = f->reference != SIZE_MAX ? &f->of[f->reference]
                                                               : &f->rest[k];
        const iv_limits l = v->limits != NULL ? v->limits(v, level) : (iv_limits){ NAN, NAN };
        const iv_interval gap = alone ? (iv_interval){ NAN, NAN, NAN, NAN, NAN }
                                      : iv_group_gap(v, other, level);
        p[k] = alone ? (double)NAN : iv_group_gap_p(v, other);
        rows[k] = (group_row){ .by = f->groups->name, .group = f->groups->names[k],
                               .system = f->system, .measure = f->measure, .items = v->items,
                               .value = v->value, .lower = l.lower, .upper = l.upper,
                               .gap = gap.value, .gap_lower = gap.lower, .gap_upper = gap.upper,
                               .p = p[k], .quiet = is_quiet(g, f) };
    }
    count_positives(rows, g, f->groups);
    IV_TRY(iv_adjust(p, p, K, IV_CORRECT_HOLM, err));
    for (size_t k = 0; k < K; k++)
        rows[k].p_holm = p[k];
    return IV_OK;
}

static void put_gaps(iv_result *out, const iv_gaps *g, gap_row *rows)
{
    size_t n = 0;

    for (size_t i = 0; i < g->count; i++) {
        const iv_gap_family *f = &g->families[i];
        const iv_largest_gap *x = &f->largest;
        if (x->pairs > 0)
            rows[n++] = (gap_row){ .by = f->groups->name, .system = f->system,
                                   .measure = f->measure, .highest = f->groups->names[x->high],
                                   .lowest = f->groups->names[x->low], .gap = x->value,
                                   .lower = x->lower, .upper = x->upper, .quiet = is_quiet(g, f)
                                       && strcmp(f->measure, g->headline) != 0 };
    }
    IV_TABLE(out, "gaps", iv_group_gap_fields, rows, n, .drawn = { "gap", "lower", "upper" },
             .quiet = IV_QUIET(gap_row, quiet));
}

/*
 * Do groups differ in the headline's measure, for the best system?  Behind the answer: the largest
 * gap of its columns, one that is demonstrated before others.
 */
static void say_largest(iv_result *out, const iv_gaps *g)
{
    const iv_gap_family *most = NULL;
    iv_wording w = { .len = 0 }, columns = { .len = 0 };
    bool several = false;

    for (size_t i = 0; i < g->count; i++) {
        const iv_gap_family *f = &g->families[i];
        if (strcmp(f->measure, g->headline) != 0 || f->largest.pairs == 0
            || (g->best != NULL && strcmp(f->system, g->best) != 0))
            continue;
        several = columns.len > 0;
        iv_say(&columns, "%s%.80s", several ? " or " : "", f->groups->name);
        const bool sure = f->largest.lower > 0.0, before = most && most->largest.lower > 0.0;
        if (most == NULL || (sure == before ? f->largest.value > most->largest.value : sure))
            most = f;
    }
    if (most == NULL || out->plain == NULL || out->decides)
        return;
    const iv_largest_gap *x = &most->largest;
    const bool sure = x->lower > 0.0;
    iv_say(&w, sure ? "%s %s%s%s differs between groups of %s."
                    : "%s No difference in %s%s%s between groups of %s is demonstrated.",
           out->plain, most->measure, g->best != NULL ? " of " : "", g->best != NULL ? g->best : "",
           sure ? most->groups->name : columns.at);
    iv_say(&w, " The largest gap%s%s%s is %.3f, between %s (%.3f) and %s (%.3f) (%.10g %% interval "
           "%.3f to %.3f, allowing for the choice).", several ? " (" : "",
           several ? most->groups->name : "", several ? ")" : "", x->value,
           most->groups->names[x->high], most->of[x->high].value, most->groups->names[x->low],
           most->of[x->low].value, 100.0 * g->confidence, x->lower, x->upper);
    iv_result_answer(out, "%s", w.at);
}

static void tell(iv_result *out, const iv_gaps *g)
{
    const double least = iv_caution_at(IV_FEW_GROUP_ITEMS);
    iv_listing lacking = { .most = 3 }, few = lacking;
    size_t without = 0;

    for (size_t i = 0; i < g->count; i++) {
        const iv_gap_family *f = &g->families[i];
        for (size_t k = 0; k < f->groups->count; k++)
            if (f->of[k].limits == NULL)
                iv_list(&lacking, "%.40s of %.40s", f->measure, f->groups->names[k]);
            else if ((double)f->of[k].fewest < least && !is_quiet(g, f))
                iv_list(&few, "%.40s of %.40s (%zu)", f->measure, f->groups->names[k],
                        f->of[k].fewest);
        for (size_t t = 0; t < g->items && opens_column(g, i); t++)
            without += f->groups->of[t] == UINT32_MAX;
    }
    IV_TELL(out, messages, "groups.few", few.count, { least, 0.0, 0.0 }, { iv_listed(&few) });
    IV_TELL(out, messages, "groups.no-value", lacking.count, .text = { iv_listed(&lacking) });
    IV_TELL(out, messages, "groups.without", without);
}

int iv_gaps_put(iv_result *out, const iv_gaps *g, iv_err *err)
{
    size_t most = 0, n = 0, columns = 0, proportions = 0;
    bool systems = false;

    for (size_t i = 0; i < g->count; i++) {
        for (size_t k = 0; k < g->families[i].groups->count; k++)
            proportions += iv_group_is_proportion(&g->families[i].of[k]);
        most += g->families[i].groups->count;
        systems = systems || g->families[i].system != g->families[0].system;
        columns += i == 0 || g->families[i].groups != g->families[0].groups;
    }
    group_row *rows = iv_take(iv_result_own(out), most + 1, sizeof *rows);
    gap_row *gaps = iv_take(iv_result_own(out), g->count + 1, sizeof *gaps);
    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < 2 * g->count; i++) { /* first those that people see */
        const iv_gap_family *f = &g->families[i % g->count];
        if (is_quiet(g, f) != (i >= g->count))
            continue;
        IV_TRY(fill_family(rows + n, g, f, iv_result_own(out), err));
        n += f->groups->count;
    }
    put_gaps(out, g, gaps);
    IV_TABLE(out, "groups", iv_group_value_fields, rows, n,
             .drawn = { "value", "lower", "upper" }, .quiet = IV_QUIET(group_row, quiet));
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "groups", .title = "The groups",
        .caption = "A point is the value of a group of items. The line is its interval.",
        .label = "group", .page = "measure", .opens = g->headline,
        .panel = columns > 1 ? "by" : NULL, .group = systems ? "system" : NULL,
        .value = "value", .lower = "lower", .upper = "upper" });
    iv_result_used(out, "group-gaps");
    if (proportions > 0)
        iv_result_used_with(out, "jeffreys", " in groups");
    say_largest(out, g);
    tell(out, g);
    return IV_OK;
}
