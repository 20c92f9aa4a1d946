/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/run_notes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *iv_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

void iv_tell_inputs(iv_result *out, const iv_source *source, const iv_evaluated *v)
{
    if (source->judged == NULL)
        iv_result_input(out, source->judgments, v->judgments_bytes);
    for (size_t r = 0; r < v->run_count; r++)
        if (v->runs[r].path != NULL)
            iv_result_input(out, v->runs[r].path, v->runs[r].bytes);
}

/* "FILE", or "FILE and 3 more". */
static const char *and_more(char out[320], const char *path, size_t others)
{
    char more[40] = "";

    if (others > 0)
        (void)snprintf(more, sizeof more, " and %zu more", others);
    (void)snprintf(out, 320, "%.270s%s", path, more);
    return out;
}

/* A run in memory has its name. */
static const char *file_of(const iv_evaluated *v, size_t run)
{
    return v->runs[run].path != NULL ? v->runs[run].path : v->runs[run].name;
}

static void tell_same_file(iv_result *out, const iv_evaluated *v)
{
    const size_t count = v->run_count;
    struct stat *files = malloc((count + 1) * sizeof *files);
    size_t same = 0, first = 0;

    for (size_t r = 0; files != NULL && r < count; r++) {
        if (v->runs[r].path == NULL || strcmp(v->runs[r].path, "-") == 0
            || stat(v->runs[r].path, &files[r]) != 0
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
                       and_more(text, v->runs[first].path, same - 1));
    free(files);
}

void iv_tell_run_files(iv_result *out, const iv_evaluated *v)
{
    size_t misranked = 0, tags = 0, first_misranked = 0, first_tags = 0;
    char text[320];

    for (size_t r = 0; r < v->run_count; r++) {
        if (v->runs[r].noted.odd.misranked_line > 0 && misranked++ == 0)
            first_misranked = r;
        if (v->runs[r].noted.odd.many_tags && tags++ == 0)
            first_tags = r;
    }
    tell_same_file(out, v);
    if (misranked > 0)
        iv_result_note(out, "ranks contradict scores in %s (line %llu%s): scores decide, as in "
                       "trec_eval", and_more(text, file_of(v, first_misranked), misranked - 1),
                       (unsigned long long)v->runs[first_misranked].noted.odd.misranked_line,
                       misranked > 1 ? " of the first" : "");
    if (tags > 0)
        iv_result_note(out, "several run tags in %s: taken for one run%s, named by the first "
                       "tag", and_more(text, file_of(v, first_tags), tags - 1),
                       tags > 1 ? " each" : "");
}

/* Both parts of a variance are estimates, and one may exceed their sum. */
void iv_tell_excess(iv_result *result, size_t count, const char *what)
{
    if (count > 0)
        iv_result_note(result, "se_judgments exceeds se for %zu %s%s: both are estimates with "
                       "noise of their own; se_topics, what is left, is cut at 0 there", count,
                       what, iv_plural(count));
}

void iv_tell_irregular(iv_result *result, const iv_evaluated *v, iv_unjudged unjudged)
{
    const iv_sampling_notes *n = iv_sampling_noted(v->sampling);

    if (n->unjudged > 0)
        iv_result_note(result, "%zu document%s of the sample %s not judged and %s", n->unjudged,
                       iv_plural(n->unjudged), n->unjudged == 1 ? "was" : "were",
                       unjudged == IV_UNJUDGED_DROP
                       ? "dropped: the probabilities of their buckets are lower by as much"
                       : "counted as not relevant");
    if (n->added > 0)
        iv_result_note(result, "%zu judgment%s with probability 1 beyond the design: right if "
                       "they were chosen without regard to what was drawn and to relevance",
                       n->added, iv_plural(n->added));
    if (n->missing_topics > 0)
        iv_result_note(result, "%zu topic%s of the design %s no judgment and %s left out",
                       n->missing_topics, iv_plural(n->missing_topics),
                       n->missing_topics == 1 ? "has" : "have",
                       n->missing_topics == 1 ? "is" : "are");
    if (n->empty_strata > 0)
        iv_result_note(result, "%zu strat%s without a judged document: what is relevant there "
                       "cannot be estimated", n->empty_strata,
                       n->empty_strata == 1 ? "um is" : "a are");
    if (v->estimator == IV_ESTIMATOR_LITERAL)
        iv_result_note(result, "the literal estimator is biased upwards and its variance too "
                       "small: see doc/methods/sampling.md");
}
