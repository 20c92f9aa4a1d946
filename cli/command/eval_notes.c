/* SPDX-License-Identifier: Apache-2.0 */
/* What eval says beside its numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/eval.h"

enum { NAMED = 5, FEW_TOPICS = 10 };

/* A list in a sentence: "'a', 'b' and 3 more". */
typedef struct list {
    char text[NAMED * (IV_QUOTE_SIZE + 2) + 32];
    size_t used, count;
} list;

static void list_add(list *l, iv_str s)
{
    char quoted[IV_QUOTE_SIZE];

    if (l->count++ < NAMED)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s%s",
                                    l->count > 1 ? ", " : "", iv_quote(quoted, s));
}

static const char *list_text(list *l)
{
    if (l->count > NAMED)
        (void)snprintf(l->text + l->used, sizeof l->text - l->used, " and %zu more",
                       l->count - NAMED);
    return l->text;
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* --------------------------------------------------------- of the topics -- */

static void tell_missing(const eval *e)
{
    const size_t judged = iv_judgments_topics(e->judgments);
    size_t told = 0, more = 0;

    for (size_t r = 0; r < e->count; r++) {
        const iv_scores *s = e->runs[r];
        list topics = { .used = 0 };
        if (iv_scores_missing(s) == 0)
            continue;
        if (told == NAMED) {
            more++;
            continue;
        }
        told++;
        for (size_t i = 0; i < iv_scores_missing(s); i++)
            list_add(&topics, iv_scores_missing_topic(s, i));
        iv_result_note(e->result, "%s misses %zu of %zu judged topics, %s: %s", e->names[r],
                       iv_scores_missing(s), judged,
                       e->args->complete ? "which count as empty"
                                         : "which are left out (-c counts them)",
                       list_text(&topics));
    }
    if (more > 0)
        iv_result_note(e->result, "%zu more run%s miss%s judged topics: see the column "
                       "'missing'", more, plural(more), more == 1 ? "es" : "");
}

static void tell_not_judged(const eval *e)
{
    size_t runs = 0, most = 0, which = 0;

    for (size_t r = 0; r < e->count; r++) {
        const size_t n = iv_scores_noted(e->runs[r]).not_judged;
        runs += n > 0;
        if (n > most) {
            most = n;
            which = r;
        }
    }
    if (runs == 1)
        iv_result_note(e->result, "%s has %zu topic%s without judgments, left out",
                       e->names[which], most, plural(most));
    else if (runs > 1)
        iv_result_note(e->result, "%zu runs have topics without judgments, left out; most "
                       "has %s: %zu", runs, e->names[which], most);
}

static void tell_few_topics(const eval *e)
{
    size_t least = SIZE_MAX;

    for (size_t k = 0; k < e->count * e->width; k++)
        if (isfinite(e->means[k].lower) && e->means[k].topics < least)
            least = e->means[k].topics;
    if (least < FEW_TOPICS)
        iv_result_note(e->result, "intervals from %zu topic%s are rough: with few topics "
                       "percentile and bca miss the true mean far more often than they "
                       "should, logit and t somewhat", least, plural(least));
}

/* ------------------------------------------------------ of the documents -- */

/* " (3 of 5 runs)", or nothing where there is one run. */
static const char *of_runs(char out[64], const eval *e, size_t runs)
{
    out[0] = '\0';
    if (e->count > 1)
        (void)snprintf(out, 64, " (%zu of %zu runs)", runs, e->count);
    return out;
}

static void tell_float_ties(const eval *e)
{
    size_t ties = 0, runs = 0;
    char where[64];

    for (size_t r = 0; r < e->count; r++) {
        const size_t n = iv_scores_noted(e->runs[r]).float_ties;
        ties += n;
        runs += n > 0;
    }
    if (ties > 0)
        iv_result_note(e->result, "%zu pair%s of neighbouring documents%s ha%s scores that "
                       "differ only beyond float precision and count as tied, as in "
                       "trec_eval 9 (--compat 10 tells them apart)", ties, plural(ties),
                       of_runs(where, e, runs), ties == 1 ? "s" : "ve");
}

static void tell_ties(const eval *e)
{
    size_t ties = 0, runs = 0, all = 0;
    char where[64];

    for (size_t r = 0; r < e->count; r++) {
        const iv_run_notes n = iv_scores_noted(e->runs[r]);
        ties += n.ties;
        runs += n.ties > 0;
        all += n.retrieved;
    }
    if (ties > 0 && !e->args->ties)
        iv_result_note(e->result, "%.3g %% of the documents share their score with "
                       "another%s: their order is by docno; --ties shows what other orders "
                       "would give", 100.0 * (double)ties / (double)all,
                       of_runs(where, e, runs));
}

static void tell_unjudged(const eval *e)
{
    size_t unjudged = 0, retrieved = 0, which = 0;
    double most = 0.0;

    for (size_t r = 0; r < e->count; r++) {
        const iv_run_notes n = iv_scores_noted(e->runs[r]);
        const double share = n.top_retrieved > 0
            ? (double)n.top_unjudged / (double)n.top_retrieved : 0.0;
        unjudged += n.top_unjudged;
        retrieved += n.top_retrieved;
        if (share > most) {
            most = share;
            which = r;
        }
    }
    if (unjudged == 0)
        return;
    const double share = 100.0 * (double)unjudged / (double)retrieved;
    char worst[256] = "";
    if (e->count > 1)
        (void)snprintf(worst, sizeof worst, " (most: %.100s, %.3g %%)", e->names[which],
                       100.0 * most);
    iv_result_note(e->result, "%.3g %% of the documents on ranks 1 to 10 are unjudged%s and "
                   "count as not relevant%s", share, worst,
                   e->args->bounds ? "" : "; --bounds shows how far that could be wrong");
}

/* ------------------------------------------------------ of the intervals -- */

/* The measures for which something holds, in a list. */
static size_t list_values(list *l, const eval *e, bool (*holds)(const eval *, size_t))
{
    for (size_t i = 0; i < e->width; i++)
        if (holds(e, i))
            list_add(l, iv_str_of(iv_measures_value(e->measures, i)->name));
    return l->count;
}

static bool was_replaced(const eval *e, size_t i)
{
    return e->means[i].replaced;
}

static bool is_text(const eval *e, size_t i)
{
    return !eval_shows(e, i);
}

static bool lacks_bounds(const eval *e, size_t i)
{
    return e->args->bounds && eval_shows(e, i) && !iv_has_bounds(e->measures, i, e->largest);
}

static bool lacks_ties(const eval *e, size_t i)
{
    return e->args->ties && eval_shows(e, i) && !iv_has_ties(e->measures, i, e->largest);
}

static void tell_measures(const eval *e)
{
    list replaced = { .used = 0 }, texts = { .used = 0 };
    list bounds = { .used = 0 }, ties = { .used = 0 };

    if (list_values(&replaced, e, was_replaced) > 0)
        iv_result_note(e->result, "logit is for means of values in [0, 1]; t is used for %s",
                       list_text(&replaced));
    if (list_values(&texts, e, is_text) > 0)
        iv_result_note(e->result, "no numbers, so only in --format trec: %s",
                       list_text(&texts));
    if (list_values(&bounds, e, lacks_bounds) > 0)
        iv_result_note(e->result, "no bounds are known for %s", list_text(&bounds));
    if (list_values(&ties, e, lacks_ties) > 0)
        iv_result_note(e->result, "no values over ties are known for %s", list_text(&ties));
}

/* Where something happened over runs and measures: the first, and how often. */
typedef struct places {
    size_t count, first;
} places;

static void note_place(places *p, size_t k)
{
    if (p->count++ == 0)
        p->first = k;
}

static void tell_place(const eval *e, const places *p, const char *format)
{
    char where[256], more[64] = "";

    if (p->count == 0)
        return;
    (void)snprintf(where, sizeof where, "%.60s of %.120s",
                   iv_measures_value(e->measures, p->first % e->width)->name,
                   e->names[p->first / e->width]);
    if (p->count > 1)
        (void)snprintf(more, sizeof more, " and %zu more", p->count - 1);
    iv_result_note(e->result, format, where, more);
}

static void tell_gaps(const eval *e)
{
    places constant = { 0, 0 };

    for (iv_interval_gap gap = IV_GAP_ONE_VALUE; gap <= IV_GAP_RESAMPLES; gap++) {
        places p = { 0, 0 };
        char format[160];
        for (size_t k = 0; k < e->count * e->width; k++)
            if (e->means[k].gap == gap)
                note_place(&p, k);
        (void)snprintf(format, sizeof format, "no interval for %%s%%s: %s",
                       iv_interval_gap_text(gap));
        tell_place(e, &p, format);
    }
    for (size_t k = 0; k < e->count * e->width; k++)
        if (e->means[k].constant && e->means[k].gap == IV_GAP_NONE)
            note_place(&constant, k);
    tell_place(e, &constant, "all topics have the same value for %s%s: the interval has no "
               "width and says nothing of other topics");
}

static void tell_dropped(const eval *e)
{
    size_t most = 0, which = 0, columns = 0;

    for (size_t k = 0; k < e->count * e->width; k++) {
        columns += e->means[k].dropped > 0;
        if (e->means[k].dropped > most) {
            most = e->means[k].dropped;
            which = k;
        }
    }
    if (most > 0)
        iv_result_note(e->result, "resamples with mean 0 or 1 have no logit and were left "
                       "out: at most %zu of %lld, for %s of %s (%zu mean%s in all)", most,
                       (long long)e->args->resamples,
                       iv_measures_value(e->measures, which % e->width)->name,
                       e->names[which / e->width], columns, plural(columns));
}

/* ---------------------------------------------------------- of the files -- */

/* "FILE", or "FILE and 3 more". */
static const char *and_more(char out[320], const char *path, size_t others)
{
    char more[40] = "";

    if (others > 0)
        (void)snprintf(more, sizeof more, " and %zu more", others);
    (void)snprintf(out, 320, "%.270s%s", path, more);
    return out;
}

static void tell_same_file(iv_result *out, char *const *paths, size_t count)
{
    struct stat *files = malloc((count + 1) * sizeof *files);
    size_t same = 0, first = 0;

    for (size_t r = 0; files != NULL && r < count; r++) {
        if (strcmp(paths[r], "-") == 0 || stat(paths[r], &files[r]) != 0
            || !S_ISREG(files[r].st_mode))
            files[r].st_ino = 0;
        for (size_t k = 0; k < r && files[r].st_ino != 0; k++) {
            if (files[k].st_ino == files[r].st_ino && files[k].st_dev == files[r].st_dev) {
                first = same++ == 0 ? r : first;
                break;
            }
        }
    }
    char text[320];
    if (same > 0)
        iv_result_note(out, "the same file was given more than once: %s",
                       and_more(text, paths[first], same - 1));
    free(files);
}

iv_run_oddities eval_odd_scores(const void *runs, size_t r)
{
    return iv_scores_noted(((iv_scores *const *)runs)[r]).odd;
}

iv_run_oddities eval_odd_sampled(const void *runs, size_t r)
{
    return iv_sampled_odd(((iv_sampled *const *)runs)[r]);
}

void eval_tell_files(iv_result *out, char *const *paths, const void *runs, odd_of *odd,
                     size_t count)
{
    size_t misranked = 0, tags = 0, first_misranked = 0, first_tags = 0;
    uint64_t line = 0;
    char text[320];

    for (size_t r = 0; r < count; r++) {
        const iv_run_oddities seen = odd(runs, r);
        if (seen.misranked_line > 0 && misranked++ == 0) {
            first_misranked = r;
            line = seen.misranked_line;
        }
        if (seen.many_tags && tags++ == 0)
            first_tags = r;
    }
    tell_same_file(out, paths, count);
    if (misranked > 0)
        iv_result_note(out, "ranks contradict scores in %s (line %llu%s): scores decide, as in "
                       "trec_eval", and_more(text, paths[first_misranked], misranked - 1),
                       (unsigned long long)line, misranked > 1 ? " of the first" : "");
    if (tags > 0)
        iv_result_note(out, "several run tags in %s: taken for one run%s, named by the first "
                       "tag", and_more(text, paths[first_tags], tags - 1),
                       tags > 1 ? " each" : "");
}

void eval_notes(eval *e, bool tables)
{
    eval_tell_files(e->result, e->paths, e->runs, eval_odd_scores, e->count);
    tell_missing(e);
    tell_not_judged(e);
    tell_float_ties(e);
    if (!tables)
        return;
    tell_measures(e);
    tell_few_topics(e);
    tell_gaps(e);
    tell_dropped(e);
    tell_ties(e);
    tell_unjudged(e);
}
