/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of a run says beyond what ranking needs: ranks and tags. */
#include "trec/fields.h"
#include "trec/run.h"
#include "trec/trec_private.h"

bool iv_rank_watch_line(iv_rank_watch *w, const iv_str *fields)
{
    int64_t rank;
    double score;

    w->odd = !iv_scan_int(&rank, fields[3], INT64_MIN, INT64_MAX);
    if (w->odd || !iv_scan_real(&score, fields[4]))
        return false;
    const bool against = w->has_last && iv_str_eq(w->topic, fields[0])
        && ((rank > w->rank && score > w->score) || (rank < w->rank && score < w->score));
    *w = (iv_rank_watch){ rank, score, fields[0], true, false };
    return against;
}

/* The first line on which rank and score disagree with the line before it; 0. */
static uint64_t misranked_line(const iv_run *run)
{
    const char *p = run->text.ptr;
    const char *const all = p + run->text.len;
    /* Where no score rises only ranks that fall could disagree: rare enough
     * to look for them in the beginning of the file only. */
    const char *const end = run->rises || run->text.len < IV_ODD_LOOKED_AT
        ? all : p + IV_ODD_LOOKED_AT;
    iv_rank_watch w = { .has_last = false };

    for (uint64_t line = 1; p < end; line++) {
        iv_str fields[6];
        const bool comment = iv_is_comment(p, all);
        if (iv_split_line(fields, 6, &p, all) >= 6 && !comment
            && iv_rank_watch_line(&w, fields))
            return line;
    }
    return 0;
}

bool iv_run_many_tags(const iv_run *run)
{
    bool many = false;

    for (size_t i = 0; i < run->grouped.chunk_count && !many; i++) {
        const iv_chunk *c = &run->grouped.chunks[i];
        many = c->other_tag || (c->tag.ptr != NULL && !iv_str_eq(c->tag, run->tag));
    }
    return many;
}

/* Ranks are stored as negative scores. */
static bool lacks_first_rank(const iv_run *run)
{
    const size_t topics = iv_run_topics(run);

    for (size_t t = 0; t < topics; t++)
        if (iv_run_depth(run, t) > 0 && iv_run_score(run, t, 0) >= -1.0)
            return false;
    return topics > 0;
}

iv_run_oddities iv_run_odd(const iv_run *run)
{
    iv_run_oddities odd = { .misranked_line = 0 };

    if (run->format == IV_RUN_MSMARCO && !run->built)
        odd.no_first_rank = lacks_first_rank(run);
    if (run->format != IV_RUN_TREC || run->built)
        return odd;
    odd.many_tags = iv_run_many_tags(run);
    odd.misranked_line = misranked_line(run);
    return odd;
}
