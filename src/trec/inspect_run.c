/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "trec/fields.h"
#include "trec/inspect.h"
#include "trec/run.h"

/* What the lines of a run say beyond what a reader needs. */
typedef struct habits {
    iv_ids tags;
    uint64_t other_tag_line;
    uint64_t misranked, misranked_line; /* a higher score at a lower rank */
    uint64_t odd_ranks, odd_rank_line;  /* a rank that is no whole number */
    uint64_t behind, behind_line;       /* text behind the tag */
    iv_rank_watch ranks;
} habits;

static void look_at_rank(habits *h, const iv_str *fields, uint64_t line)
{
    if (iv_rank_watch_line(&h->ranks, fields))
        h->misranked_line = h->misranked++ == 0 ? line : h->misranked_line;
    if (h->ranks.odd)
        h->odd_rank_line = h->odd_ranks++ == 0 ? line : h->odd_rank_line;
}

/* Walks the lines of six fields or more once more. */
static void look_at_lines(habits *h, iv_str text, iv_problems *problems, const iv_work *work)
{
    const char *p = text.ptr;
    const char *const end = text.ptr + text.len;

    for (uint64_t line = 1; p < end; line++) {
        iv_str fields[6];
        const bool comment = iv_is_comment(p, end);
        if (line % 16384 == 0 && !iv_problems_go_on(problems, work))
            return;
        const size_t count = iv_split_line(fields, 6, &p, end);
        if (comment || count < 6)
            continue;
        if (count > 6)
            h->behind_line = h->behind++ == 0 ? line : h->behind_line;
        const size_t before = h->tags.count;
        if (iv_ids_add(&h->tags, fields[5]) == IV_NO_ID)
            problems->no_memory = true;
        if (before == 1 && h->tags.count == 2)
            h->other_tag_line = line;
        look_at_rank(h, fields, line);
    }
}

static void tell_habits(iv_inspector *i, const habits *h)
{
    char one[IV_QUOTE_SIZE], other[IV_QUOTE_SIZE], more[IV_MORE_SIZE];

    if (h->tags.count > 1)
        iv_complain(&i->problems, h->other_tag_line, IV_WARNING,
                    "tag %s after %s; the file has %zu tags, and the first names the run",
                    iv_quote(other, h->tags.names[1]), iv_quote(one, h->tags.names[0]),
                    h->tags.count);
    if (h->misranked > 0)
        iv_complain(&i->problems, h->misranked_line, IV_WARNING,
                    "ranks and scores disagree on the order here%s; scores decide",
                    iv_and_more(more, h->misranked - 1, "such line"));
    if (h->odd_ranks > 0)
        iv_complain(&i->problems, h->odd_rank_line, IV_WARNING,
                    "a rank that is no whole number%s; ranks are not used",
                    iv_and_more(more, h->odd_ranks - 1, "such line"));
    if (h->behind > 0)
        iv_complain(&i->problems, h->behind_line, IV_WARNING,
                    "text behind the tag, the sixth field%s; it is not used",
                    iv_and_more(more, h->behind - 1, "such line"));
}

/* Documents that share their score with another of their topic. */
static uint64_t count_ties(const iv_run_doc *ranked, size_t n)
{
    uint64_t ties = 0;

    for (size_t k = 0; k < n; k++)
        ties += (k > 0 && ranked[k].score == ranked[k - 1].score)
            || (k + 1 < n && ranked[k].score == ranked[k + 1].score);
    return ties;
}

/* Counts ties and different documents, and sees whether the file is ranked. */
static void look_at_topics(iv_inspector *i, const iv_run *run, const iv_work *work)
{
    iv_ids documents = { 0 };

    i->view.score_order = true;
    for (size_t t = 0; t < run->grouped.topic_count && iv_problems_go_on(&i->problems, work); t++) {
        iv_run_doc *docs = run->grouped.topics[t].records;
        const size_t n = run->grouped.topics[t].count;
        iv_run_doc *scratch = malloc((n + 1) * sizeof *scratch);
        if (scratch == NULL) {
            i->problems.no_memory = true;
            break;
        }
        for (size_t k = 0; k < n; k++) {
            if (iv_ids_add(&documents, iv_run_doc_name(&docs[k])) == IV_NO_ID)
                i->problems.no_memory = true;
            if (k > 0 && docs[k].score > docs[k - 1].score)
                i->view.score_order = false;
        }
        iv_run_docs_sort(docs, n, scratch);
        i->view.ties += count_ties(docs, n);
        free(scratch);
    }
    i->view.documents = documents.count;
    iv_ids_free(&documents);
}

void iv_inspect_run(iv_inspector *i, iv_run_format format, const iv_work *work)
{
    iv_run run = { .bytes = i->bytes };
    habits h = { .misranked = 0 };
    const uint64_t before = i->problems.errors;

    i->view.duplicates = iv_run_read(&run, format, true, work, 0, &i->problems);
    i->view.format = run.format == IV_RUN_TREC ? "TREC run"
        : run.format == IV_RUN_MSMARCO ? "MS MARCO run" : "run";
    if (run.format != IV_RUN_ANY) {
        iv_inspect_grouped(i, &run.grouped);
        look_at_topics(i, &run, work);
    }
    if (run.format == IV_RUN_TREC) {
        look_at_lines(&h, run.text, &i->problems, work);
        i->view.tags = h.tags.count;
        if (h.tags.count > 0) {
            i->view.tag = iv_arena_copy(&i->text, h.tags.names[0]);
            if (i->view.tag == NULL)
                i->problems.no_memory = true;
        }
        if (i->problems.errors == before) /* else the order may be the errors' */
            tell_habits(i, &h);
    }
    iv_ids_free(&h.tags);
    iv_run_forget(&run);
}
