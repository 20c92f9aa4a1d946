/* SPDX-License-Identifier: Apache-2.0 */
/* Messages about runs and judgments that evaluations share. */
#include "base/listing.h"
#include "result/cautions.h"
#include "result/message.h"
#include "result/result_build.h"
#include "result/wording.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "sampling/sampling_messages.h"
#include "sampling/sampled_judgments.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const iv_message file_messages[] = {
    { "judgments.negative", IV_WARNING, NULL,
      "{n} judgment[ has|s have] a negative grade and count[s|] as unjudged, as in trec_eval. "
      "Replace -1 by a grade; write 0 where a negative grade marks spam{s}." },
    { "judgments.all-relevant", IV_ERROR, NULL,
      "No document is judged as not relevant, so {s} says nothing. If grade 1 means not relevant, "
      "use -l 2." },
    { "run.reversed", IV_ERROR, NULL,
      "Scores of {s}[| and other runs] rise with rank, and scores decide. If they are distances, "
      "change their sign." },
    { NULL } };

void iv_tell_inputs(iv_result *out, const iv_source *source, const iv_evaluated *v)
{
    for (size_t i = 0; i < source->parts.count; i++) {
        struct stat st;
        iv_result_input(out, source->parts.at[i],
                        stat(source->parts.at[i], &st) == 0 ? (uint64_t)st.st_size : 0);
    }
    if (source->parts.count > 0) {
        if (v->repeated > 0)
            iv_result_note(out, "%llu topic%s of runs occur%s in several parts, with the same "
                                "scores. Such topics count once.",
                                (unsigned long long)v->repeated, iv_plural(v->repeated),
                           v->repeated == 1 ? "s" : "");
        return;
    }
    if (source->judged == NULL)
        iv_result_input(out, source->judgments, v->judgments_bytes);
    for (size_t r = 0; r < v->run_count; r++)
        if (v->runs[r].path != NULL)
            iv_result_input(out, v->runs[r].path, v->runs[r].bytes);
}

/* A run in memory has its name. */
static void list_file(iv_listing *l, const iv_evaluated *v, size_t run)
{
    l->most = 1;
    iv_list(l, "%.270s", v->runs[run].path != NULL ? v->runs[run].path : v->runs[run].name);
}

static void tell_same_file(iv_result *out, const iv_evaluated *v)
{
    struct stat *files = calloc(v->run_count + 1, sizeof *files);
    iv_listing same = { 0 };

    for (size_t r = 0; files != NULL && r < v->run_count; r++) {
        const char *path = v->runs[r].path;
        if (path == NULL || strcmp(path, "-") == 0 || stat(path, &files[r]) != 0
            || !S_ISREG(files[r].st_mode))
            files[r].st_ino = 0;
        for (size_t k = 0; k < r && files[r].st_ino != 0; k++) {
            if (files[k].st_ino == files[r].st_ino && files[k].st_dev == files[r].st_dev) {
                list_file(&same, v, r);
                break;
            }
        }
    }
    if (same.count > 0)
        iv_result_note(out, "The same file was given more than once: %s.", iv_listed(&same));
    free(files);
}

void iv_tell_run_files(iv_result *out, const iv_evaluated *v)
{
    iv_listing misranked = { 0 }, tags = { 0 };
    iv_found reversed = { 0 };
    uint64_t line = 0;

    for (size_t r = 0; r < v->run_count; r++) {
        const iv_run_oddities *odd = &v->runs[r].noted.odd;
        iv_found_add(&reversed, odd->reversed, v->runs[r].name);
        if (odd->misranked_line > 0 && !odd->reversed) {
            line = line > 0 ? line : odd->misranked_line;
            list_file(&misranked, v, r);
        }
        if (odd->many_tags)
            list_file(&tags, v, r);
    }
    iv_result_say(out, file_messages, "run.reversed", reversed);
    tell_same_file(out, v);
    if (misranked.count > 0)
        iv_result_note(out, "Ranks contradict scores in %s (line %llu%s): scores decide, as in "
                       "trec_eval.", iv_listed(&misranked), (unsigned long long)line,
                       misranked.count > 1 ? " of the first" : "");
    if (tags.count > 0)
        iv_result_note(out, "Several run tags in %s: taken for one run%s, named by the first "
                       "tag.", iv_listed(&tags), tags.count > 1 ? " each" : "");
}

/* The sum of a count over runs; where: " (3 of 5 runs)" have any, or nothing where there is one. */
static size_t count_ties(char where[64], const iv_evaluated *v, bool in_float)
{
    size_t ties = 0, runs = 0;

    for (size_t r = 0; r < v->run_count; r++) {
        const size_t n = in_float ? v->runs[r].noted.float_ties : v->runs[r].noted.ties;
        ties += n;
        runs += n > 0;
    }
    where[0] = '\0';
    if (v->run_count > 1)
        (void)snprintf(where, 64, " (%zu of %zu runs)", runs, v->run_count);
    return ties;
}

void iv_tell_float_ties(iv_result *result, const iv_evaluated *v)
{
    char where[64];
    const size_t ties = count_ties(where, v, true);

    if (ties > 0)
        iv_result_note(result, "%zu pair%s of neighbouring documents%s ha%s scores that differ "
                               "only beyond float precision and count as tied, as in trec_eval 9 "
                               "(version 10 distinguishes them).", ties, iv_plural(ties), where,
                       ties == 1 ? "s" : "ve");
}

void iv_tell_ties(iv_result *result, const iv_evaluated *v, const char *hint)
{
    char where[64];
    const size_t ties = count_ties(where, v, false);
    size_t all = 0;

    for (size_t r = 0; r < v->run_count; r++)
        all += v->runs[r].noted.retrieved;
    if (ties > 0)
        iv_result_note(result, "%.3g %% of the documents have tied scores%s: their order is by "
                               "docno%s.", 100.0 * (double)ties / (double)all, where, hint);
}

void iv_tell_subtopics(iv_result *out, const iv_evaluated *v)
{
    iv_listing names = { 0 };

    for (size_t i = 0; i < v->measure_count && v->groups == 1; i++)
        if (strcmp(v->measures[i].info->measure->family, "subtopics") == 0)
            iv_list(&names, "%s", v->measures[i].name);
    if (names.count > 0)
        iv_result_note(out, "Every topic has only one subtopic (the second column of its "
                       "judgments), so diversity is not measured by %s.", iv_listed(&names));
}

bool iv_none_relevant(const iv_evaluated *v, size_t measure)
{
    const iv_value_info *info = v->measures[measure].info;

    if (info == NULL || v->measures[measure].text || v->largest_grade < 0
        || info->level <= v->largest_grade)
        return false;
    for (size_t r = 0; r < v->run_count; r++)
        if (v->means[r * v->measure_count + measure].value != 0.0)
            return false;
    return true;
}

/* Others take a highest grade of 4 for given. */
static void tell_highest(iv_result *out, const iv_evaluated *v)
{
    iv_listing names = { 0 };

    for (size_t i = 0; i < v->measure_count; i++) {
        const iv_value_info *info = v->measures[i].info;
        if (info != NULL && strcmp(info->measure->name, "ERR") == 0 && info->max_grade == 0)
            iv_list(&names, "%.60s", v->measures[i].name);
    }
    if (names.count > 0 && v->largest_grade != 4)
        iv_result_note(out, "%s is scaled by %ld, the highest grade of the judgments. gdeval and "
                       "ir_measures always use 4, as ERR(max=4) does.", iv_listed(&names),
                       (long)v->largest_grade);
}

/* Scores of 1 whatever the ranking, or nearly: nothing that is judged is not relevant, and the
 * rest does not count or is not there. */
static bool all_relevant(const iv_evaluated *v, bool removed)
{
    const iv_value_info *info = v->measures[0].info;
    bool unjudged = false;

    if (v->sampling != NULL || v->graded == 0 || v->graded_0 > 0 || info == NULL || info->level > 1)
        return false;
    for (size_t r = 0; r < v->run_count; r++)
        unjudged = unjudged || v->runs[r].noted.unjudged > 0;
    return removed || !unjudged || strcmp(info->measure->name, "bpref") == 0;
}

void iv_tell_grades(iv_result *out, const iv_evaluated *v, bool removed)
{
    iv_listing none = { 0 };
    int32_t level = 0;

    iv_result_say(out, file_messages, "judgments.all-relevant",
                  (iv_found){ all_relevant(v, removed), { 0.0 }, { v->measures[0].name } });
    for (size_t i = 0; i < v->measure_count; i++)
        if (iv_none_relevant(v, i)) {
            level = none.count == 0 || v->measures[i].info->level < level
                ? v->measures[i].info->level : level;
            iv_list(&none, "%.60s", v->measures[i].name);
        }
    if (none.count > 0)
        iv_result_note(out, "No judgment has grade %ld or more (the highest is %ld): nothing "
                       "counts as relevant, and every run has 0 in %s.", (long)level,
                       (long)v->largest_grade, iv_listed(&none));
    tell_highest(out, v);
}

/* Lines that were written to be filled in, and were not. */
static void tell_blank(iv_result *result, const iv_evaluated *v)
{
    char topics[96] = "";

    if (v->blank_topics > 0)
        (void)snprintf(topics, sizeof topics, "; %zu topic%s no other judgment, and count%s with "
                       "no relevant document", v->blank_topics,
                       v->blank_topics == 1 ? " has" : "s have", v->blank_topics == 1 ? "s" : "");
    iv_result_say(result, file_messages, "judgments.negative",
                  (iv_found){ v->blank, { 0.0 }, { topics } });
}

double iv_top_unjudged(const iv_evaluated_run *run)
{
    const iv_run_notes *n = &run->noted;

    return n->top_retrieved > 0 ? (double)n->top_unjudged / (double)n->top_retrieved : 0.0;
}

size_t iv_most_unjudged(const iv_evaluated *v)
{
    size_t most = 0;

    for (size_t r = 1; r < v->run_count; r++)
        most = iv_top_unjudged(&v->runs[r]) > iv_top_unjudged(&v->runs[most]) ? r : most;
    return most;
}

void iv_tell_unjudged(iv_result *result, const iv_evaluated *v, bool removed, const char *hint)
{
    const iv_evaluated_run *most = &v->runs[iv_most_unjudged(v)];
    size_t unjudged = 0, retrieved = 0;

    tell_blank(result, v);
    for (size_t r = 0; r < v->run_count; r++) {
        unjudged += v->runs[r].noted.top_unjudged;
        retrieved += v->runs[r].noted.top_retrieved;
    }
    if (unjudged == 0)
        return;
    char worst[160] = "";
    if (v->run_count > 1)
        (void)snprintf(worst, sizeof worst, " (most: %.100s, %.3g %%)", most->name,
                       100.0 * iv_top_unjudged(most));
    iv_result_note(result, "%.3g %% of the documents at ranks 1 to %zu are unjudged%s and %s%s.",
                   100.0 * (double)unjudged / (double)retrieved, iv_top_depth(v->measures[0].info),
                   worst, removed
                   ? "were removed before scoring (-J)" : "count as not relevant",
                   removed ? "" : hint);
}

int iv_check_frame(const iv_evaluated *v, iv_err *err)
{
    for (size_t r = 0; r < v->run_count && v->sampling == NULL; r++)
        if (v->runs[r].noted.retrieved > 0
            && v->runs[r].noted.unjudged == v->runs[r].noted.retrieved)
            return iv_fail(err, IV_ENODATA, "No test: none of the documents of %.200s is judged. "
                           "Do the document ids match those of the judgments?", v->runs[r].name);
    for (size_t k = 0; k < v->run_count * v->measure_count; k++)
        if (v->means[k].outside > iv_caution_at(IV_OUTSIDE_FRAME))
            return iv_fail(err, IV_ENODATA, "No test: %.0f %% of the documents that %s uses in "
                           "%.200s are outside the sampled frame and would count as not "
                           "relevant. Judge this run's documents and merge the judgments "
                           "(--also).",
                           100.0 * v->means[k].outside, v->measures[k % v->measure_count].name,
                           v->runs[k / v->measure_count].name);
    for (size_t k = 0; k < v->run_count * v->measure_count; k++)
        if (2 * v->means[k].unseen > v->means[k].topics)
            return iv_fail(err, IV_ENODATA, "No test: %zu of %zu topics have no relevant document "
                           "in the sample, so %s has no estimate. Use P@k, or judge more documents "
                           "(intervale plan sample).", v->means[k].unseen, v->means[k].topics,
                           v->measures[k % v->measure_count].name);
    return IV_OK;
}

/* How far estimates of AP were too low in simulations with so many topics without a relevant
 * document in the sample. */
static const struct { iv_caution above; const char *bias; } UNSEEN[] = {
    { IV_UNSEEN_HALF,
      "has no estimate: with more than half of such topics it was 51 % to 82 % too low" },
    { IV_UNSEEN_THIRD, "is too low, with a third of such topics by 22 % to 47 % in simulations" },
    { IV_UNSEEN_FIFTH, "is too low, with a fifth of such topics by 17 % to 35 % in simulations" },
    { IV_UNSEEN_TENTH, "is too low, with a tenth of such topics by up to 11 % in simulations" } };

bool iv_tell_unseen(iv_result *out, const iv_evaluated *v)
{
    const iv_mean *most = &v->means[0];
    size_t of = 0, k = 0;

    for (size_t i = 0; i < v->run_count * v->measure_count; i++)
        if (v->means[i].unseen > most->unseen) {
            most = &v->means[i];
            of = i % v->measure_count;
        }
    const double share = (double)most->unseen / (double)(most->topics > 0 ? most->topics : 1);
    while (k < sizeof UNSEEN / sizeof *UNSEEN && share <= iv_caution_at(UNSEEN[k].above))
        k++;
    if (k == sizeof UNSEEN / sizeof *UNSEEN)
        return false;
    IV_SAY_SAMPLING(out, "sampled.unseen", most->unseen, .value = { (double)most->topics },
                    .text = { v->measures[of].name, UNSEEN[k].bias });
    return true;
}

void iv_tell_irregular(iv_result *result, const iv_evaluated *v, iv_unjudged unjudged)
{
    const iv_sampling_notes *n = &v->sampling->noted;

    if (n->unjudged > 0)
        iv_result_note(result, "%zu document%s of the sample %s not judged and %s.", n->unjudged,
                       iv_plural(n->unjudged), n->unjudged == 1 ? "was" : "were",
                       unjudged == IV_UNJUDGED_DROP
                       ? "dropped: the probabilities of their buckets are lower by as much"
                       : "counted as not relevant");
    if (n->added + n->certain > 0)
        iv_result_note(result, "Judgments with probability 1: %zu beyond the design, %zu of "
                       "sampled documents. That is right only if the documents were chosen without "
                       "regard to judgments, as a pool is.", n->added, n->certain);
    if (n->chosen > 0)
        iv_result_note(result, "%zu judgment%s chosen by 'next', not sampled: estimates from the "
                       "sample exclude %s.", n->chosen,
                       n->chosen == 1 ? " was" : "s were", n->chosen == 1 ? "it" : "them");
    if (n->missing_topics > 0)
        iv_result_note(result, "%zu topic%s of the design %s no judgment and %s excluded.",
                       n->missing_topics, iv_plural(n->missing_topics),
                       n->missing_topics == 1 ? "has" : "have",
                       n->missing_topics == 1 ? "is" : "are");
    if (n->empty_strata > 0)
        iv_result_note(result, "%zu strat%s without a judged document: what is relevant there "
                       "cannot be estimated.", n->empty_strata,
                       n->empty_strata == 1 ? "um is" : "a are");
    if (v->estimator == IV_ESTIMATOR_PUBLISHED)
        iv_result_note(result, "The published estimator is biased upwards (AP 0.50 for 0.23 at 30 "
                       "draws) and its variance too small; use the estimator 'corrected'.");
}
