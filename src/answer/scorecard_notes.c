/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader of means and differences of scores must know: conditions, then all words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/run_notes.h"
#include "answer/scorecard.h"
#include "base/message.h"

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

/* Names of clusters that stand in several sets: a cluster is one of its set. */
static iv_found shared_clusters(const void *about)
{
    const iv_score_view *v = ((const iv_scorecard *)about)->v;
    const bool both = v->suite_count > 0 && v->cluster != NULL;
    const char **names = both ? calloc(v->cluster_count + 1, sizeof *names) : NULL;
    size_t shared = 0;

    if (names == NULL)
        return (iv_found){ 0 };
    name_clusters(names, v);
    qsort(names, v->cluster_count, sizeof *names, by_text);
    for (size_t k = 1; k < v->cluster_count; k++)
        shared += names[k][0] != '\0' && strcmp(names[k], names[k - 1]) == 0
            && (k < 2 || strcmp(names[k - 1], names[k - 2]) != 0);
    free(names);
    return (iv_found){ shared, { 0.0 }, { NULL } };
}

/* Means of a set whose items all have one score, other than 0 and 1. */
static iv_found equal_sets(const void *about)
{
    const iv_scorecard *card = about;
    const iv_score_view *v = card->v;
    iv_found f = { 0 };

    for (size_t k = 0; card->structure[0].suite != NULL && k < v->system_count * v->suite_count; k++) {
        const double *x = iv_scorecard_values(card, 0) + k / v->suite_count * v->item_count;
        const size_t h = k % v->suite_count, from = card->slices[h].from;
        double first = (double)NAN;
        size_t n = 0, same = 0;
        for (size_t t = from; t < from + card->slices[h].count; t++) {
            if (v->suite[t] != h || isnan(x[t]))
                continue;
            first = n++ == 0 ? x[t] : first;
            same += x[t] == first;
        }
        f.count += n > 1 && same == n && first != 0.0 && first != 1.0;
    }
    return f;
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

static iv_found few_repeats(const void *about)
{
    const iv_scorecard *card = about;
    const size_t least = card->most_repeats > 1 ? fewest_repeats(card) : 0;

    return (iv_found){ least <= IV_FEW_DEGREES ? least : 0, { 0.0 }, { NULL } };
}

static iv_found few_units(const void *about)
{
    const iv_scorecard *card = about;
    iv_structured m = { 0 };
    const double df = card->structured ? degrees_of(card, &m) : (double)NAN;

    return (iv_found){ df < IV_FEW_DEGREES ? m.units : 0, { df }, { iv_scorecard_unit(card) } };
}

/* Systems whose mean is over other sets than the others'. */
static iv_found lost_sets(const void *about)
{
    const iv_scorecard *card = about;
    const iv_score_view *v = card->v;
    bool *has = card->structure[0].suite != NULL ? calloc(v->suite_count, sizeof *has) : NULL;
    iv_found f = { 0 };

    for (size_t r = 0; has != NULL && r < v->system_count; r++) {
        const double *x = iv_scorecard_values(card, 0) + r * v->item_count;
        size_t sets = 0;
        memset(has, 0, v->suite_count * sizeof *has);
        for (size_t t = 0; t < v->item_count; t++) {
            sets += !isnan(x[t]) && !has[v->suite[t]];
            has[v->suite[t]] = has[v->suite[t]] || !isnan(x[t]);
        }
        if (sets == 0 || sets == v->suite_count)
            continue;
        f.text[0] = f.count == 0 ? v->systems[r] : f.text[0];
        f.value[0] = f.count == 0 ? (double)sets : f.value[0];
        f.value[1] = (double)v->suite_count;
        f.count++;
    }
    free(has);
    return f;
}

static const iv_message rows[] = {
    { "scores.other-sets", IV_WARNING, NULL, lost_sets,
      "{s} has scores in {a} of {b} sets only: its mean is over other sets than the others'.",
      "{n} systems ({s} and others) have scores in some of the {b} sets only: their means are over "
      "other sets than the others'." },
    { "scores.few-units", IV_WARNING, NULL, few_units,
      "All items are of one {s}, so there is no standard error.",
      "Only {a} effective degrees of freedom ({n} units, each a {s}): with fewer than 4, intervals "
      "and tests are unreliable (Tipton 2015)." },
    { "scores.few-repeats", IV_WARNING, NULL, few_repeats,
      "Some system has one repeat only, so how much repeats vary is not included.",
      "Repeats (seeds) may shift all items at once, and {n} repeats estimate this poorly: it is "
      "included, but may be too small." },
    { "scores.shared-clusters", IV_WARNING, NULL, shared_clusters,
      "1 cluster name occurs in more than one set, and counts as another cluster in each. If it is "
      "the same, standard errors are too small.",
      "{n} cluster names occur in more than one set, and count as others in each. If they are the "
      "same, standard errors are too small." },
    { "scores.equal-set", IV_WARNING, NULL, equal_sets,
      "In one mean of a set all items have the same score, so its variance counts as 0: "
      "intervals may "
      "be too narrow.",
      "In {n} means of a set all items have the same score, so their variance counts as 0: "
      "intervals "
      "may be too narrow." },
    { NULL } };

void iv_scorecard_tell(const iv_scorecard *card, iv_result *out)
{
    const iv_structure *s = &card->structure[0];

    iv_result_assumption(out, "The mean is for a new sample of %ss%s%s%s%s.", iv_scorecard_unit(card),
                         s->sampled ? ", each with new items"
                         : s->cluster != NULL ? " with their items" : "",
                         card->most_repeats > 1 ? " and of repeats" : "",
                         s->suite == NULL || s->sampled ? "" : ", averaged over this fixed set of sets",
                         s->suite_weight == NULL || card->asked->set_weights.count == 0 ? ""
                         : " with their weights");
    iv_result_tell(out, rows, card, NULL);
}
