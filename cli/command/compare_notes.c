/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_notes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
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

static void tell_same_file(iv_result *out, const iv_evaluated *v)
{
    const size_t count = v->run_count;
    struct stat *files = malloc((count + 1) * sizeof *files);
    size_t same = 0, first = 0;

    for (size_t r = 0; files != NULL && r < count; r++) {
        if (strcmp(v->runs[r].path, "-") == 0 || stat(v->runs[r].path, &files[r]) != 0
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

void tell_run_files(iv_result *out, const iv_evaluated *v)
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
                       "trec_eval", and_more(text, v->runs[first_misranked].path, misranked - 1),
                       (unsigned long long)v->runs[first_misranked].noted.odd.misranked_line,
                       misranked > 1 ? " of the first" : "");
    if (tags > 0)
        iv_result_note(out, "several run tags in %s: taken for one run%s, named by the first "
                       "tag", and_more(text, v->runs[first_tags].path, tags - 1),
                       tags > 1 ? " each" : "");
}

/* Both parts of a variance are estimates, and one may exceed their sum. */
void tell_excess(iv_result *result, size_t count, const char *what)
{
    if (count > 0)
        iv_result_note(result, "se_judgments exceeds se for %zu %s%s: both are estimates with "
                       "noise of their own; se_topics, what is left, is cut at 0 there", count,
                       what, plural(count));
}

void tell_irregular(iv_result *result, const iv_sampling *s, int unjudged,
                            iv_estimator estimator)
{
    const iv_sampling_notes *n = iv_sampling_noted(s);

    if (n->unjudged > 0)
        iv_result_note(result, "%zu document%s of the sample %s not judged and %s", n->unjudged,
                       plural(n->unjudged), n->unjudged == 1 ? "was" : "were",
                       unjudged == IV_UNJUDGED_DROP
                       ? "dropped: the probabilities of their buckets are lower by as much"
                       : "counted as not relevant");
    if (n->added > 0)
        iv_result_note(result, "%zu judgment%s with probability 1 beyond the design: right if "
                       "they were chosen without regard to what was drawn and to relevance",
                       n->added, plural(n->added));
    if (n->missing_topics > 0)
        iv_result_note(result, "%zu topic%s of the design %s no judgment and %s left out",
                       n->missing_topics, plural(n->missing_topics),
                       n->missing_topics == 1 ? "has" : "have",
                       n->missing_topics == 1 ? "is" : "are");
    if (n->empty_strata > 0)
        iv_result_note(result, "%zu strat%s without a judged document: what is relevant there "
                       "cannot be estimated", n->empty_strata,
                       n->empty_strata == 1 ? "um is" : "a are");
    if (estimator == IV_ESTIMATOR_LITERAL)
        iv_result_note(result, "the literal estimator is biased upwards and its variance too "
                       "small: see doc/methods/sampling.md");
}
