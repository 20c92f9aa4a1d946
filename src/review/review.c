/* SPDX-License-Identifier: Apache-2.0 */
/* A review: from two segments, from a table of strata, from a ranking and a sample. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "num/dist.h"
#include "review/review_cases.h"
#include "trec/judgments.h"
#include "trec/run.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

IV_NAMES(iv_unsampled_names, "refuse", "skip", "prior")

IV_FREES(review, arena)

/*
 * Hands over r, or frees it when rc or its memory failed.  Returns the code of
 * the whole.
 */
static int review_done(iv_review **out, iv_review *r, int rc, iv_err *err)
{
    if (rc == IV_OK)
        rc = iv_taken(&r->arena, err);
    if (rc == IV_OK)
        *out = r;
    else
        iv_review_free(r);
    return rc;
}

/* Adds a case; texts, strata, retrieved ones first, and their names (NULL: none) are copied. */
static void review_add(iv_review *r, iv_str run, iv_str topic, int64_t cutoff,
                       const iv_stratum *strata, const iv_str *names, size_t retrieved,
                       size_t unretrieved, int64_t excluded)
{
    const size_t count = retrieved + unretrieved;
    iv_stratum *kept = iv_take(&r->arena, count + 1, sizeof *kept);
    const char **named = names == NULL ? NULL : iv_take(&r->arena, count + 1, sizeof *named);

    if (!IV_ARENA_ROOM(&r->arena, r->cases, r->capacity, r->count) || r->arena.failed)
        return;
    memcpy(kept, strata, count * sizeof *kept);
    for (size_t i = 0; named != NULL && i < count; i++)
        named[i] = iv_arena_copy(&r->arena, names[i]);
    r->cases[r->count++] = (iv_review_case){
        .run = iv_arena_copy(&r->arena, run), .cutoff = cutoff,
        .topic = topic.ptr != NULL ? iv_arena_copy(&r->arena, topic) : NULL,
        .segments = { kept, kept + retrieved, retrieved, unretrieved }, .strata = named,
        .excluded = excluded };
}

static void review_note(iv_review *r, const char *fmt, ...)
{
    char text[2048];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    iv_words_add(&r->arena, &r->notes, iv_arena_copy(&r->arena, iv_str_of(text)));
}

/* --------------------------------------------------------- two segments -- */

static int check_segment(iv_review *r, const iv_stratum *s, const char *name,
                         iv_unsampled unsampled, iv_err *err)
{
    if (s->size == 0)
        return iv_fail(err, IV_EARG, "the %s segment is empty: N = 0", name);
    if (s->sampled > s->size)
        return iv_fail(err, IV_EARG, "the %s segment: the sample size n = %lld is larger than "
                                     "the population N = %lld",
                       name, (long long)s->sampled, (long long)s->size);
    if (s->relevant > s->sampled)
        return iv_fail(err, IV_EARG, "the %s segment: r = %lld relevant of n = %lld sampled",
                       name, (long long)s->relevant, (long long)s->sampled);
    if (s->sampled > 0)
        return IV_OK;
    if (unsampled == IV_UNSAMPLED_REFUSE)
        return iv_fail(err, IV_ENODATA, "no document of the %s segment is judged (n = 0)"
                       IV_HINT("; '--unsampled prior' uses only the prior there"), name);
    if (unsampled == IV_UNSAMPLED_SKIP)
        return iv_fail(err, IV_ENODATA, "the %s segment has n = 0: leaving it out leaves no "
                       "segment", name);
    review_note(r, "The %s segment has n = 0: its %lld documents count with the prior alone; "
                "guaranteed limits allow for anything there.", name,
                (long long)s->size);
    return IV_OK;
}

int iv_review_counts(iv_review **out, iv_stratum retrieved, iv_stratum unretrieved,
                     iv_unsampled unsampled, iv_err *err)
{
    const iv_stratum both[2] = { retrieved, unretrieved };
    iv_review *r = calloc(1, sizeof *r);

    if (r == NULL)
        return iv_no_memory(err);
    int rc = check_segment(r, &both[0], "retrieved", unsampled, err);
    if (rc == IV_OK)
        rc = check_segment(r, &both[1], "unretrieved", unsampled, err);
    if (rc == IV_OK)
        review_add(r, iv_str_of("review"), (iv_str){ NULL, 0 }, 0, both, NULL, 1, 1, 0);
    return review_done(out, r, rc, err);
}

/* --------------------------------------------------------------- strata -- */

/* An error of a table is one of its file, if it has one. */
static const char *path_of(const iv_strata_table *t) { return t->path != NULL ? t->path : ""; }
static int code_of(const iv_strata_table *t) { return t->path != NULL ? IV_EPARSE : IV_ENODATA; }

/* A row that sums up others would count them twice. */
static int check_totals(const iv_strata_table *t, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    iv_stratum all = { 0, 0, 0 };

    for (size_t i = 0; i < t->row_count; i++) {
        all.size += t->rows[i].size;
        all.sampled += t->rows[i].sampled;
        all.relevant += t->rows[i].relevant;
    }
    for (size_t i = 0; i < t->row_count; i++) {
        const iv_strata_row *row = &t->rows[i];
        int64_t side = 0; /* of its segment, in the first run */
        for (size_t k = 0; k < t->row_count; k++)
            side += t->retrieved[k] == t->retrieved[i] ? t->rows[k].size : 0;
        const bool whole = row->size == all.size - row->size, word = iv_is_summary_word(row->name);
        const bool sums = whole && row->sampled > 0 && row->sampled == all.sampled - row->sampled
                          && row->relevant == all.relevant - row->relevant && t->row_count > 3;
        if (sums || (word && (whole || row->size == side - row->size)))
            return iv_fail_at(err, code_of(t), path_of(t), row->line, "stratum %s is the sum of "
                              "other rows; expected strata alone", iv_quote(quoted, row->name));
    }
    return IV_OK;
}

static int handle_unsampled(iv_review *r, const iv_strata_table *t, iv_unsampled unsampled,
                            iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < t->row_count; i++) {
        const iv_strata_row *row = &t->rows[i];
        if (row->sampled > 0)
            continue;
        if (unsampled == IV_UNSAMPLED_REFUSE)
            return iv_fail_at(err, code_of(t), path_of(t), row->line, "stratum %s has n = 0: "
                              "nothing is sampled" IV_HINT("; --unsampled skip or prior"),
                              iv_quote(quoted, row->name));
        if (unsampled == IV_UNSAMPLED_PRIOR)
            review_note(r, "Stratum %s has n = 0: its %lld document%s count%s with the prior "
                        "alone; guaranteed limits allow for anything there.",
                        iv_quote(quoted, row->name), (long long)row->size,
                        row->size == 1 ? "" : "s", row->size == 1 ? "s" : "");
    }
    return IV_OK;
}

static int add_run(iv_review *r, const iv_strata_table *t, size_t run, iv_unsampled unsampled,
                   iv_stratum *strata, iv_str *names, iv_err *err)
{
    const bool alone = iv_str_cmp(t->runs[run], iv_str_of("review")) == 0;
    char quoted[IV_QUOTE_SIZE];
    size_t count[2] = { 0, 0 }, used = 0;
    int64_t excluded = 0;

    for (int side = 1; side >= 0; side--) {
        int64_t size = 0;
        for (size_t i = 0; i < t->row_count; i++) {
            const iv_strata_row *row = &t->rows[i];
            if (t->retrieved[run * t->row_count + i] != (side == 1))
                continue;
            if (row->sampled == 0 && unsampled == IV_UNSAMPLED_SKIP) {
                excluded += row->size;
                continue;
            }
            names[used] = row->name;
            strata[used++] = (iv_stratum){ row->size, row->sampled, row->relevant };
            size += row->size;
            count[side]++;
        }
        if (size == 0)
            return iv_fail_at(err, code_of(t), path_of(t), 1, "the %s segment of %s is empty",
                              side == 1 ? "retrieved" : "unretrieved",
                              alone ? "the review" : iv_quote(quoted, t->runs[run]));
    }
    review_add(r, t->runs[run], (iv_str){ NULL, 0 }, 0, strata, names, count[1], count[0],
               excluded);
    return IV_OK;
}

int iv_review_strata(iv_review **out, const iv_strata_table *table, iv_unsampled unsampled,
                     iv_err *err)
{
    IV_TRY(iv_check_list(table->rows, table->row_count, "stratum", err));
    IV_TRY(iv_check_list(table->runs, table->run_count, "run", err));
    IV_TRY(iv_check_list(table->retrieved, table->run_count, "mark", err));
    if (table->run_count == 0)
        return iv_fail(err, IV_EARG, "a table of strata without a run");
    IV_TRY(check_totals(table, err));
    iv_review *r = calloc(1, sizeof *r);
    if (r == NULL)
        return iv_no_memory(err);
    iv_stratum *strata = iv_take(&r->arena, table->row_count, sizeof *strata);
    iv_str *names = iv_take(&r->arena, table->row_count, sizeof *names);
    int rc = iv_taken(&r->arena, err);

    if (table->ignored != NULL && table->ignored[0] != '\0')
        review_note(r, "Columns ignored: %s.", table->ignored);
    if (rc == IV_OK)
        rc = handle_unsampled(r, table, unsampled, err);
    for (size_t i = 0; i < table->run_count && rc == IV_OK; i++)
        rc = add_run(r, table, i, unsampled, strata, names, err);
    return review_done(out, r, rc, err);
}

/* ------------------------------------------------------------- ranking -- */

/*
 * A ranking and a judged sample: at each cut-off the sample falls into the
 * documents above and below it, which makes it a sample of each.  A sample
 * drawn apart from each side of some rank keeps that rank as a border of its
 * strata at every cut-off.
 */

/* A sampled document: its rank from 0, SIZE_MAX when the run lacks it. */
typedef struct placed_doc {
    size_t rank;
    double pi;
    bool relevant;
    bool called; /* relevant by the machine */
} placed_doc;

typedef struct ranking {
    const iv_review_sample *in;
    const char *run_name, *sample_name;
    int64_t level;
    iv_review *out;
    placed_doc *docs;
    size_t count, capacity;
    size_t sampled, relevant; /* documents, over all topics */
    size_t dropped;     /* sampled, not judged */
    size_t labels;      /* the topic among the machine's; IV_NONE: none */
    int64_t *called;    /* of the first k ranked documents, how many the machine calls so */
    int64_t called_all; /* of all documents */
    bool unchecked;     /* one of them is so large that chance does not explain it */
    size_t merged;      /* strata that nobody looked into, joined with the other */
} ranking;

/* Does the machine call a document relevant? */
static bool is_called(const ranking *r, iv_str docno)
{
    const iv_judgment *j = r->labels == IV_NONE ? NULL
        : iv_judgments_find(r->in->machine, r->labels, docno);

    return j != NULL && j->grade >= (r->in->machine_level > 0 ? r->in->machine_level : r->level);
}

/* Counts what the machine calls relevant, down the ranking and beyond it. */
static int count_called(ranking *r, size_t run_topic, iv_str topic, iv_err *err)
{
    const size_t depth = iv_run_depth(r->in->run, run_topic);
    const int64_t level = r->in->machine_level > 0 ? r->in->machine_level : r->level;
    const iv_judgment *all;

    r->labels = r->in->machine == NULL ? IV_NONE : iv_judgments_find_topic(r->in->machine, topic);
    int64_t *called = realloc(r->called, (depth + 1) * sizeof *called);
    if (called == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    r->called = called;
    called[0] = r->called_all = 0;
    for (size_t k = 0; k < depth; k++)
        called[k + 1] = called[k] + is_called(r, iv_run_docno(r->in->run, run_topic, k));
    const size_t n = r->labels == IV_NONE ? 0 : iv_judgments_of(&all, r->in->machine, r->labels);
    for (size_t i = 0; i < n; i++)
        r->called_all += all[i].grade >= level;
    return IV_OK;
}

/* Takes a document of the sample, if it is judged or counts as not relevant. */
static int take_document(ranking *r, const iv_judgment *j, size_t rank, iv_str topic, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], name[IV_QUOTE_SIZE];

    if (j->grade < 0 && r->in->unjudged == IV_UNJUDGED_REFUSE)
        return iv_fail_at(err, IV_ENODATA, r->sample_name, 0, "topic %s: document %s is in the "
                          "sample but not judged (grade %d)", iv_quote(name, topic),
                          iv_quote(quoted, j->docno), (int)j->grade);
    r->dropped += j->grade < 0;
    if (j->grade < 0 && r->in->unjudged != IV_UNJUDGED_NONRELEVANT)
        return IV_OK;
    r->docs[r->count] = (placed_doc){ rank, j->pi, j->grade >= r->level, is_called(r, j->docno) };
    r->relevant += r->docs[r->count++].relevant;
    r->sampled++;
    return IV_OK;
}

/* The sample of a topic, by rank where the run has it. */
static int collect(ranking *r, size_t run_topic, size_t judged_topic, iv_err *err)
{
    const iv_judgment *list;
    const size_t all = iv_judgments_of(&list, r->in->judgments, judged_topic);
    const iv_str topic = iv_judgments_topic(r->in->judgments, judged_topic);
    bool *seen = iv_take(&r->out->arena, all, sizeof *seen);
    size_t found = 0;

    r->count = 0;
    if (seen == NULL || !IV_ROOM(r->docs, r->capacity, all + 1))
        return iv_no_memory(err);
    for (size_t k = 0; k < iv_run_depth(r->in->run, run_topic) && found < all; k++) {
        const iv_judgment *j = iv_judgments_find(r->in->judgments, judged_topic,
                                                 iv_run_docno(r->in->run, run_topic, k));
        if (j == NULL)
            continue;
        found++;
        seen[j - list] = true;
        IV_TRY(take_document(r, j, k, topic, err));
    }
    for (size_t i = 0; i < all; i++)
        if (!seen[i])
            IV_TRY(take_document(r, &list[i], SIZE_MAX, topic, err));
    return IV_OK;
}

/* Ranks from <= k < to as a stratum; to INT64_MAX takes what is not ranked. */
static iv_stratum between(const ranking *r, int64_t from, int64_t to, int64_t collection)
{
    iv_stratum s = { (to == INT64_MAX ? collection : to) - from, 0, 0 };

    for (size_t i = 0; i < r->count; i++) {
        const int64_t k = r->docs[i].rank == SIZE_MAX ? INT64_MAX - 1 : (int64_t)r->docs[i].rank;
        if (k < from || k >= to)
            continue;
        s.sampled++;
        s.relevant += r->docs[i].relevant;
    }
    return s;
}

/* Parts a stratum by what the machine calls relevant, if people looked into both parts. */
static size_t by_machine(iv_stratum *out, ranking *r, const iv_stratum *s, int64_t from, int64_t to,
                         int64_t depth)
{
    iv_stratum called = { (to == INT64_MAX ? r->called_all : r->called[to < depth ? to : depth])
                          - r->called[from < depth ? from : depth], 0, 0 };

    out[0] = *s;
    if (r->labels == IV_NONE || called.size <= 0 || called.size >= s->size)
        return 1;
    for (size_t i = 0; i < r->count; i++) {
        const int64_t k = r->docs[i].rank == SIZE_MAX ? INT64_MAX - 1 : (int64_t)r->docs[i].rank;
        if (k < from || k >= to || !r->docs[i].called)
            continue;
        called.sampled++;
        called.relevant += r->docs[i].relevant;
    }
    const iv_stratum rest = { s->size - called.size, s->sampled - called.sampled,
                              s->relevant - called.relevant };
    if (called.sampled == 0 || rest.sampled == 0 || called.sampled > called.size
        || rest.sampled > rest.size) {
        const int64_t empty = called.sampled == 0 ? called.size : rest.size;
        r->unchecked |= s->sampled <= s->size && (called.sampled == 0 || rest.sampled == 0)
                        && exp(iv_hyper_log_pmf(0, s->size, empty, s->sampled)) < 0.001;
        r->merged++;
        return 1;
    }
    out[0] = called;
    out[1] = rest;
    return 2;
}

/* Are there different probabilities of being sampled on a side? */
static bool is_unequal(const ranking *r)
{
    const int64_t border = r->in->drawn_at > 0 ? r->in->drawn_at : INT64_MAX;
    double pi[2] = { -1.0, -1.0 };

    for (size_t i = 0; i < r->count; i++) {
        const int side = r->docs[i].rank == SIZE_MAX ? border != INT64_MAX
                                                     : (int64_t)r->docs[i].rank >= border;
        if (pi[side] < 0.0)
            pi[side] = r->docs[i].pi;
        if (fabs(r->docs[i].pi - pi[side]) > 1e-6 * pi[side])
            return true;
    }
    return false;
}

/* Recall at a cut-off by Horvitz and Thompson's estimators, and its linearised standard error as
 * if documents had been sampled independently. */
static void estimate_weighted(iv_review_case *c, const ranking *r, int64_t at)
{
    double yield[2] = { 0.0, 0.0 }, variance = 0.0;

    for (size_t i = 0; i < r->count; i++)
        if (r->docs[i].relevant)
            yield[r->docs[i].rank != SIZE_MAX && (int64_t)r->docs[i].rank < at]
                += 1.0 / r->docs[i].pi;
    const double all = yield[0] + yield[1], recall = yield[1] / all;
    for (size_t i = 0; i < r->count; i++) {
        const bool above = r->docs[i].rank != SIZE_MAX && (int64_t)r->docs[i].rank < at;
        const double u = r->docs[i].relevant ? ((above ? 1.0 : 0.0) - recall) / all : 0.0;
        variance += (1.0 - r->docs[i].pi) * pow(u / r->docs[i].pi, 2);
    }
    c->weighted = true;
    c->recall = recall;
    c->se = sqrt(variance);
}

static void add_weighted(ranking *r, iv_str topic, int64_t depth, int64_t collection,
                         int64_t cutoff)
{
    const int64_t at = cutoff < depth ? cutoff : depth;
    const iv_stratum two[2] = { between(r, 0, at, collection),
                                between(r, at, INT64_MAX, collection) };
    const iv_str tag = iv_run_tag(r->in->run);

    review_add(r->out, tag.len > 0 ? tag : iv_str_of(r->run_name), topic, cutoff, two, NULL, 1,
               1, 0);
    if (!r->out->arena.failed)
        estimate_weighted(&r->out->cases[r->out->count - 1], r, at);
}

static int unsampled_stratum(bool *leave, ranking *r, const char *where, const iv_stratum *s,
                             iv_err *err)
{
    *leave = false;
    if (s->sampled > 0)
        return IV_OK;
    if (r->in->unsampled == IV_UNSAMPLED_REFUSE)
        return iv_fail(err, IV_ENODATA, "%s: none of these %lld documents is in the sample"
                       IV_HINT("; --unsampled skip or prior"), where,
                       (long long)s->size);
    *leave = r->in->unsampled == IV_UNSAMPLED_SKIP;
    review_note(r->out, "%s: none of these %lld documents is in the sample; %s.", where,
                (long long)s->size, *leave ? "they are excluded"
                                              : "their number of relevant ones comes from the "
                                                "prior; for the method exact it may be anything");
    return IV_OK;
}

/*
 * Is more, or less, of the sample above the cut-off than chance allows?  Then
 * it was drawn apart from each side of some rank: 5 standard deviations.
 */
static int check_even(const ranking *r, iv_str topic, const iv_stratum sides[2], iv_err *err)
{
    const double N = (double)(sides[0].size + sides[1].size), share = (double)sides[0].size / N;
    const double n = (double)(sides[0].sampled + sides[1].sampled);
    const double variance = n * share * (1.0 - share) * (N - n) / (N - 1.0);
    char quoted[IV_QUOTE_SIZE];

    if (!(fabs((double)sides[0].sampled - n * share) > 5.0 * sqrt(variance) + 1.0))
        return IV_OK;
    return iv_fail_at(err, IV_EARG, r->sample_name, 0, "topic %s: %lld of the first %lld "
                      "documents and %lld of the %lld others are in the sample, which is not a "
                      "simple random sample of the collection; if documents above and "
                      "below some rank were sampled separately, give that rank (--sampled-at)",
                      iv_quote(quoted, topic),
                      (long long)sides[0].sampled, (long long)sides[0].size,
                      (long long)sides[1].sampled, (long long)sides[1].size);
}

enum { PART_SIZE = IV_QUOTE_SIZE + 96 };

static void name_part(char out[PART_SIZE], iv_str topic, int64_t from, int64_t to)
{
    char quoted[IV_QUOTE_SIZE];

    if (to == INT64_MAX)
        (void)snprintf(out, PART_SIZE, "topic %s, below rank %lld", iv_quote(quoted, topic),
                       (long long)from);
    else
        (void)snprintf(out, PART_SIZE, "topic %s, ranks %lld to %lld", iv_quote(quoted, topic),
                       (long long)from + 1, (long long)to);
}

/* One topic at one cut-off. */
static int add_cutoff(ranking *r, iv_str topic, int64_t depth, int64_t collection,
                      int64_t cutoff, iv_err *err)
{
    const int64_t border = r->in->drawn_at, at = cutoff < depth ? cutoff : depth;
    int64_t cut[4] = { 0, at, INT64_MAX, INT64_MAX };
    iv_stratum strata[6], sides[3];
    size_t parts = 2, count[2] = { 0, 0 }, used = 0, whole = 0;
    int64_t excluded = 0;
    char quoted[IV_QUOTE_SIZE], where[PART_SIZE];

    if (border > 0 && border != at) {
        cut[1] = border < at ? border : at;
        cut[2] = border < at ? at : border;
        parts = 3;
    }
    if (at >= collection) {
        review_note(r->out, "Topic %s at %lld: all %lld documents are retrieved; there is "
                    "no recall to estimate.", iv_quote(quoted, topic), (long long)cutoff,
                    (long long)collection);
        return IV_OK;
    }
    for (size_t i = 0; i < parts; i++) {
        const iv_stratum s = between(r, cut[i], i + 1 == parts ? INT64_MAX : cut[i + 1],
                                     collection);
        bool leave;
        name_part(where, topic, cut[i], i + 1 == parts ? INT64_MAX : cut[i + 1]);
        if (s.sampled > s.size)
            return iv_fail(err, IV_EARG, "%s: %lld documents in the sample of %lld in the "
                           "collection", where, (long long)s.sampled, (long long)s.size);
        if (s.size == 0)
            continue;
        IV_TRY(unsampled_stratum(&leave, r, where, &s, err));
        if (leave) {
            excluded += s.size;
            continue;
        }
        const size_t made = by_machine(strata + used, r, &s, cut[i],
                                       i + 1 == parts ? INT64_MAX : cut[i + 1], depth);
        if (r->unchecked)
            return iv_fail_at(err, IV_EARG, r->sample_name, 0, "topic %s: only documents with one "
                              "automatic label were judged; expected a random sample, whatever the "
                              "label", iv_quote(quoted, topic));
        used += made;
        count[cut[i] < at] += made;
        sides[whole++] = s;
    }
    if (count[0] == 0 || count[1] == 0) {
        review_note(r->out, "Topic %s at %lld: nothing is left of a segment; there is no "
                    "row for it.", iv_quote(quoted, topic), (long long)cutoff);
        return IV_OK;
    }
    if (border <= 0 && whole == 2)
        IV_TRY(check_even(r, topic, sides, err));
    const iv_str tag = iv_run_tag(r->in->run);
    review_add(r->out, tag.len > 0 ? tag : iv_str_of(r->run_name), topic, cutoff, strata,
               NULL, count[1], count[0], excluded);
    return IV_OK;
}

static int add_topic(ranking *r, size_t judged_topic, iv_err *err)
{
    const iv_str topic = iv_judgments_topic(r->in->judgments, judged_topic);
    const size_t run_topic = iv_run_find_topic(r->in->run, topic);
    char quoted[IV_QUOTE_SIZE];

    if (run_topic == IV_NONE) {
        review_note(r->out, "Topic %s of the sample is not in the run; it is excluded.",
                    iv_quote(quoted, topic));
        return IV_OK;
    }
    const int64_t depth = (int64_t)iv_run_depth(r->in->run, run_topic);
    const int64_t collection = r->in->collection > 0 ? r->in->collection : depth;
    if (collection < depth)
        return iv_fail_at(err, IV_EARG, r->run_name, 0, "topic %s ranks %lld documents, more "
                          "than the %lld of the collection", iv_quote(quoted, topic),
                          (long long)depth,
                       (long long)collection);
    if (r->in->drawn_at > depth)
        return iv_fail_at(err, IV_EARG, r->run_name, 0, "topic %s ranks %lld documents; the "
                          "sample cannot be split at %lld, below them",
                          iv_quote(quoted, topic),
                          (long long)depth, (long long)r->in->drawn_at);
    IV_TRY(count_called(r, run_topic, topic, err));
    IV_TRY(collect(r, run_topic, judged_topic, err));
    const bool weighted = is_unequal(r);
    if (weighted && r->labels != IV_NONE)
        return iv_fail_at(err, IV_EARG, r->sample_name, 0, "topic %s: documents were sampled with "
                          "different probabilities, which automatic labels do not allow",
                          iv_quote(quoted, topic));
    const size_t cutoffs = r->in->at.count > 0 ? r->in->at.count : 1;
    for (size_t i = 0; i < cutoffs; i++) {
        const int64_t cutoff = r->in->at.count > 0 ? r->in->at.at[i] : depth;
        if (cutoff > depth)
            review_note(r->out, "Topic %s: the run ranks %lld documents; at %lld it has "
                        "retrieved no more.", iv_quote(quoted, topic), (long long)depth,
                        (long long)cutoff);
        if (weighted)
            add_weighted(r, topic, depth, collection, cutoff);
        else
            IV_TRY(add_cutoff(r, topic, depth, collection, cutoff, err));
    }
    return IV_OK;
}

static void note_topics(const ranking *r)
{
    iv_listing missing = { 0 };

    for (size_t i = 0; i < iv_run_topics(r->in->run); i++) {
        const iv_str topic = iv_run_topic(r->in->run, i);
        if (iv_judgments_find_topic(r->in->judgments, topic) == IV_NONE)
            iv_list_quoted(&missing, topic);
    }
    if (missing.count > 0)
        review_note(r->out, "%zu topic%s of the run ha%s no sample and no row: %s.",
                    missing.count, missing.count == 1 ? "" : "s",
                    missing.count == 1 ? "s" : "ve", iv_listed(&missing));
    if (r->merged > 0)
        review_note(r->out, "In %zu segment%s only documents with one automatic label were "
                    "judged: the labels are not used there.", r->merged,
                    r->merged == 1 ? "" : "s");
    if (r->dropped > 0)
        review_note(r->out, "%zu sampled documents were not judged; they %s.", r->dropped,
                    r->in->unjudged == IV_UNJUDGED_DROP
                           ? "are excluded, as if the rest had been sampled"
                           : "count as not relevant");
}

int iv_review_ranking(iv_review **out, const iv_review_sample *in, iv_err *err)
{
    ranking r = { .in = in, .run_name = in->run_name != NULL ? in->run_name : "run",
                  .sample_name = in->sample_name != NULL ? in->sample_name : "sample",
                  .level = in->level == 0 ? 1 : in->level };
    const iv_judgments_format format = iv_judgments_format_of(in->judgments);
    int rc = IV_OK;

    if (format == IV_JUDGMENTS_STRATIFIED)
        return iv_fail_at(err, IV_EARG, r.sample_name, 0, "a stratified sample; give its strata as "
                          "a table" IV_HINT(" with --strata"));
    if (format >= IV_JUDGMENTS_GROUPS)
        return iv_fail_at(err, IV_EARG, r.sample_name, 0, "judgments by groups, expected one of "
                          "each document");
    for (size_t i = 0; i < in->at.count; i++) {
        if (in->at.at[i] < 1)
            return iv_fail(err, IV_EARG, "a cut-off of %lld, expected at least 1",
                           (long long)in->at.at[i]);
    }
    r.out = calloc(1, sizeof *r.out);
    if (r.out == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; rc == IV_OK && i < iv_judgments_topics(in->judgments); i++)
        rc = add_topic(&r, i, err);
    if (rc == IV_OK && r.sampled > 0 && r.relevant == r.sampled)
        rc = iv_fail_at(err, IV_EARG, r.sample_name, 0, "every document of the sample is relevant: "
                        "expected a random sample of the collection, with its documents that are "
                        "not relevant");
    if (rc == IV_OK)
        note_topics(&r);
    if (rc == IV_OK && r.out->count == 0 && !r.out->arena.failed)
        rc = iv_fail(err, IV_ENODATA, "%s and %s leave nothing to estimate", r.run_name,
                     r.sample_name);
    free(r.docs);
    free(r.called);
    return review_done(out, r.out, rc, err);
}
