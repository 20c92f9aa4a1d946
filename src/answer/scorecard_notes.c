/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of means and differences of scores must know of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/run_notes.h"
#include "answer/scorecard.h"
#include "base/listing.h"

enum { FEW_ITEMS = 30 }; /* of a set */

/* The least degrees of freedom of a system's mean in the first measure. */
static double degrees_of(const iv_scorecard *card, iv_structured *m)
{
    const size_t items = card->v->item_count;
    double least = (double)NAN;

    for (size_t s = 0; s < card->v->system_count; s++) {
        iv_structured one;
        if (iv_structured_mean(&one, iv_scorecard_values(card, 0) + s * items, items,
                               &card->structure[0], s, NULL) == IV_OK && !(one.df >= least)) {
            least = one.df;
            *m = one;
        }
    }
    return least;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What clusters are called within their sets; items that are in none are not called. */
static void name_clusters(const char **names, const iv_score_view *v)
{
    for (size_t k = 0; k < v->cluster_count; k++)
        names[k] = "";
    for (size_t t = 0; t < v->item_count; t++) {
        const char *full = v->clusters[v->cluster[t]];
        if (strncmp(full, v->items[t].ptr, v->items[t].len) != 0
            || full[v->items[t].len] != '\0')
            names[v->cluster[t]] = full + strlen(v->suites[v->suite[t]]) + 1;
    }
}

/* A cluster is one of its set: names that stand in several may mean one and the same. */
static void tell_shared_clusters(const iv_scorecard *card, iv_result *out)
{
    const iv_score_view *v = card->v;
    const bool both = v->suite_count > 0 && v->cluster != NULL;
    const char **names = both ? calloc(v->cluster_count + 1, sizeof *names) : NULL;
    size_t shared = 0;

    if (names == NULL)
        return;
    name_clusters(names, v);
    qsort(names, v->cluster_count, sizeof *names, by_text);
    for (size_t k = 1; k < v->cluster_count; k++)
        shared += names[k][0] != '\0' && strcmp(names[k], names[k - 1]) == 0
            && (k < 2 || strcmp(names[k - 1], names[k - 2]) != 0);
    free(names);
    if (shared > 0)
        iv_result_note(out, "warning: %zu cluster%s in more than one set, and counted as another "
                       "in each: if items of different sets hang together, they count for more "
                       "than they are", shared, shared == 1 ? " is" : "s are");
}

/* Few items that all have one score look as if the set's mean were certain; those of 0 and 1
 * borrow from other sets. */
static void tell_equal_sets(const iv_scorecard *card, const iv_structured *m, iv_result *out)
{
    const iv_score_view *v = card->v;
    const size_t T = v->item_count;
    size_t equal = 0;

    for (size_t k = 0; isnan(m->square) && k < v->system_count * v->suite_count; k++) {
        const double *x = iv_scorecard_values(card, 0) + k / v->suite_count * T;
        const size_t h = k % v->suite_count, from = card->slices[h].from;
        double first = (double)NAN;
        size_t n = 0, same = 0;
        for (size_t t = from; t < from + card->slices[h].count; t++) {
            if (v->suite[t] != h || isnan(x[t]))
                continue;
            first = n++ == 0 ? x[t] : first;
            same += x[t] == first;
        }
        equal += n > 0 && n < FEW_ITEMS && same == n;
    }
    if (equal > 0)
        iv_result_note(out, "warning: in %zu mean%s of a set fewer than %d items all have one score, "
                       "as if it were certain: intervals and tests over sets may hold less often "
                       "than they say", equal, iv_plural(equal), (int)FEW_ITEMS);
}

/* If 0 and 1 vary most in one small set, what others have tells little of it. */
static void tell_heavy_set(const iv_scorecard *card, const iv_structured *m, iv_result *out)
{
    const iv_score_view *v = card->v;
    const double *weight = card->structure[0].suite_weight;
    double *part = calloc(v->suite_count, sizeof *part), all = 0.0;
    size_t heavy = 0, items = 0;

    if (part == NULL || isnan(m->square)) {
        free(part);
        return;
    }
    for (size_t t = 0; t < v->item_count; t++)
        part[v->suite[t]] += 1.0;
    for (size_t h = 0; h < v->suite_count; h++) {
        const size_t n = (size_t)part[h];
        part[h] = n == 0 ? 0.0 : weight[h] * weight[h] / (double)n;
        all += part[h];
        if (part[h] > part[heavy] || h == 0) {
            heavy = h;
            items = n;
        }
    }
    if (part[heavy] > 0.5 * all && items < FEW_ITEMS)
        iv_result_note(out, "warning: set '%.60s' has %zu item%s and %.0f %% of the variance, if "
                       "sets vary alike: where its share differs from the others', intervals may "
                       "hold less often than they say", v->suites[heavy], items, iv_plural(items),
                       100.0 * part[heavy] / all);
    free(part);
}

void iv_tell_undeclared(iv_result *out, const char *of)
{
    iv_result_note(out, "warning: all scores%s are 0 or 1, and not declared to be binary: of few "
                   "items intervals for any numbers hold less often than those of shares; --binary "
                   "declares it, --columns binary=NAME of a column", of);
}

static void tell_answers(const iv_scorecard *card, iv_result *out)
{
    const size_t each = card->v->system_count * card->v->item_count;
    iv_listing which = { .most = 1 };

    for (size_t m = 0; m < card->measure_count; m++) {
        const double *x = iv_scorecard_values(card, m);
        size_t other = 0;
        for (size_t i = 0; i < each; i++)
            other += !isnan(x[i]) && x[i] != 0.0 && x[i] != 1.0;
        if (other == 0)
            iv_list(&which, " of %.60s", card->v->measures[card->measures[m]]);
    }
    if (!card->binary && card->most_repeats < 2 && which.count > 0)
        iv_tell_undeclared(out, card->v->measure_count > 1 ? iv_listed(&which) : "");
}

/* Of all systems, the fewest repeats that one has. */
static size_t fewest_repeats(const iv_scorecard *card)
{
    const iv_score_view *v = card->v;
    const size_t R = v->repeat_count;
    bool *seen = calloc(v->system_count * R + 1, sizeof *seen);
    size_t least = R;

    for (size_t i = 0; seen != NULL && i < v->count; i++)
        seen[v->scores[i].system * R + v->scores[i].repeat] = true;
    for (size_t s = 0; seen != NULL && s < v->system_count; s++) {
        size_t has = 0;
        for (size_t r = 0; r < R; r++)
            has += seen[s * R + r];
        least = has < least ? has : least;
    }
    free(seen);
    return least;
}

void iv_scorecard_tell(const iv_scorecard *card, iv_result *out)
{
    const iv_structure *s = &card->structure[0];
    const bool repeats = card->most_repeats > 1;
    iv_structured m = { 0 };

    iv_result_note(out, "estimand: the mean over new %ss%s%s%s%s", iv_scorecard_unit(card),
                   s->sampled ? " of the kind, each with new items"
                   : s->cluster != NULL ? " and their items" : "",
                   repeats ? " and new repeats" : "",
                   s->suite == NULL || s->sampled ? "" : ", of the macro mean over these sets",
                   s->suite_weight == NULL || card->asked->set_weights.count == 0 ? ""
                   : ", weighted");
    const size_t least = repeats ? fewest_repeats(card) : SIZE_MAX;
    if (least <= IV_FEW_DEGREES) /* of which repeats have one less */
        iv_result_note(out, "warning: %zu repeat%s hardly tell%s what a repeat brings to all items "
                       "together (a seed of training): if it does, intervals and tests hold less "
                       "often than they say", least, iv_plural(least), least == 1 ? "s" : "");
    tell_answers(card, out);
    tell_shared_clusters(card, out);
    const double df = card->structured ? degrees_of(card, &m) : (double)NAN;
    if (s->suite != NULL && !s->sampled) {
        tell_equal_sets(card, &m, out);
        tell_heavy_set(card, &m, out);
    }
    if (df < IV_FEW_DEGREES)
        iv_result_note(out, "warning: only %.3g effective degrees of freedom (%zu %s%s): intervals "
                       "and tests of so few may hold less often than they say", df, m.units,
                       iv_scorecard_unit(card), iv_plural(m.units));
}
