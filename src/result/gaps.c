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
    double value, lower, upper, gap, gap_lower, gap_upper, p, p_holm;
    bool quiet;
} group_row;

/* The largest gap between groups of a column. */
typedef struct gap_row {
    const char *by, *system, *measure, *highest, *lowest;
    double gap, lower, upper;
} gap_row;

const iv_field iv_group_value_fields[] = {
    { "by", IV_AT(group_row, by), .audience = IV_IF_VARIES, .about = "column of groups" },
    { "group", IV_AT(group_row, group), .about = "group of items" },
    { "system", IV_AT(group_row, system), .audience = IV_IF_VARIES, .about = "a system" },
    { "measure", IV_AT(group_row, measure), .about = "what is measured" },
    { "items", IV_AT(group_row, items), .about = "items that the value rests on" },
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
      "{n} group[ has|s have] fewer than {a} items: [its|their] intervals are wide, and a gap in "
      "[it|them] is easily missed." },
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

int iv_gaps_find(const iv_gaps *g, iv_err *err)
{
    bool found = g->asked->reference == NULL;

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
                               .p = p[k],
                               .quiet = !g->all && strcmp(f->measure, g->headline) != 0 };
    }
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
                                   .lower = x->lower, .upper = x->upper };
    }
    IV_TABLE(out, "gaps", iv_group_gap_fields, rows, n, .drawn = { "gap", "lower", "upper" });
}

/* The largest gap of the headline's measure, behind the answer. */
static void say_largest(iv_result *out, const iv_gaps *g)
{
    const iv_gap_family *most = NULL;
    iv_wording w = { .len = 0 };
    bool systems = false;

    for (size_t i = 0; i < g->count; i++) {
        const iv_gap_family *f = &g->families[i];
        if (strcmp(f->measure, g->headline) != 0 || f->largest.pairs == 0)
            continue;
        systems = systems || (most != NULL && strcmp(f->system, most->system) != 0);
        if (most == NULL || f->largest.value > most->largest.value)
            most = f;
    }
    if (most == NULL || out->plain == NULL || out->decides)
        return;
    const iv_largest_gap *x = &most->largest;
    iv_say(&w, "%s Between groups of %s, %s%s%s differs most between %s (%.3f) and %s (%.3f): by "
           "%.3f (%.10g %% interval %.3f to %.3f, allowing for the choice)%s.", out->plain,
           most->groups->name,
           most->measure, systems ? " of " : "", systems ? most->system : "",
           most->groups->names[x->high], most->of[x->high].value, most->groups->names[x->low],
           most->of[x->low].value, x->value, 100.0 * g->confidence, x->lower, x->upper,
           x->lower > 0.0 ? "" : ", so no difference is demonstrated");
    iv_result_answer(out, "%s", w.at);
}

static void tell(iv_result *out, const iv_gaps *g)
{
    iv_listing lacking = { .most = 3 };
    const double least = iv_caution_at(IV_FEW_GROUP_ITEMS);
    size_t few = 0, without = 0;

    for (size_t i = 0; i < g->count; i++) {
        const iv_gap_family *f = &g->families[i];
        const bool first = i == 0 || f->groups != g->families[i - 1].groups;
        for (size_t k = 0; k < f->groups->count; k++) {
            if (f->of[k].limits == NULL)
                iv_list(&lacking, "%.40s of %.40s", f->measure, f->groups->names[k]);
            few += strcmp(f->measure, g->headline) == 0 && (double)f->of[k].items < least
                && f->system == g->families[0].system;
        }
        for (size_t t = 0; t < g->items && first && f->system == g->families[0].system; t++)
            without += f->groups->of[t] == UINT32_MAX;
    }
    IV_TELL(out, messages, "groups.few", few, { least, 0.0, 0.0 });
    IV_TELL(out, messages, "groups.no-value", lacking.count, .text = { iv_listed(&lacking) });
    IV_TELL(out, messages, "groups.without", without);
}

int iv_gaps_put(iv_result *out, const iv_gaps *g, iv_err *err)
{
    size_t most = 0, n = 0, columns = 0;
    bool systems = false;

    for (size_t i = 0; i < g->count; i++) {
        most += g->families[i].groups->count;
        systems = systems || g->families[i].system != g->families[0].system;
        columns += i == 0 || g->families[i].groups != g->families[0].groups;
    }
    group_row *rows = iv_take(iv_result_own(out), most + 1, sizeof *rows);
    gap_row *gaps = iv_take(iv_result_own(out), g->count + 1, sizeof *gaps);
    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < g->count; n += g->families[i++].groups->count)
        IV_TRY(fill_family(rows + n, g, &g->families[i], iv_result_own(out), err));
    put_gaps(out, g, gaps);
    IV_TABLE(out, "groups", iv_group_value_fields, rows, n,
             .drawn = { "value", "lower", "upper" }, .quiet = IV_QUIET(group_row, quiet));
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "groups", .title = "The groups",
        .caption = "A point is the value of a group of items. The line is its interval.",
        .label = "group", .page = "measure", .opens = g->headline,
        .panel = columns > 1 ? "by" : NULL, .group = systems ? "system" : NULL,
        .value = "value", .lower = "lower", .upper = "upper" });
    iv_result_used_with(out, "mover", " between groups");
    iv_result_used_with(out, "holm", " for the groups of a column");
    iv_result_used_with(out, "bonferroni", " for the largest gap");
    say_largest(out, g);
    tell(out, g);
    return IV_OK;
}
