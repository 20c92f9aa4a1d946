/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A ranking and a judged sample: at each cut-off the sample falls into the
 * documents above and below it, which makes it a sample of each.  A sample
 * drawn apart from each side of some rank keeps that rank as a border of its
 * strata at every cut-off.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "estimate/review_state.h"

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
    size_t dropped;     /* sampled, not judged */
    size_t lopsided;    /* cut-offs that no simple sample would fall by so */
    size_t labels;      /* the topic among the machine's; IV_NONE: none */
    int64_t *called;    /* of the first k ranked documents, how many the machine calls so */
    int64_t called_all; /* of all documents */
    size_t merged;      /* strata that nobody looked into, joined with the other */
} ranking;

static int check_judged(ranking *r, const iv_judgment *j, iv_str topic, bool *take, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], name[IV_QUOTE_SIZE];

    *take = j->grade >= 0 || r->in->unjudged == IV_UNJUDGED_NONRELEVANT;
    if (j->grade >= 0)
        return IV_OK;
    if (r->in->unjudged == IV_UNJUDGED_REFUSE)
        return iv_fail_at(err, IV_ENODATA, r->sample_name, 0, "topic %s: document %s is in the "
                          "sample but not judged (grade %d)", iv_quote(name, topic), iv_quote(quoted, j->docno),
                       (int)j->grade);
    r->dropped++;
    return IV_OK;
}

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

/* The sample of a topic, by rank where the run has it. */
static int collect(ranking *r, size_t run_topic, size_t judged_topic, iv_err *err)
{
    const iv_judgment *list;
    const size_t all = iv_judgments_of(&list, r->in->judgments, judged_topic);
    const iv_str topic = iv_judgments_topic(r->in->judgments, judged_topic);
    size_t found = 0, n = 0;

    if (all > r->capacity) {
        placed_doc *docs = realloc(r->docs, all * sizeof *docs);
        if (docs == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        r->docs = docs;
        r->capacity = all;
    }
    bool *seen = calloc(all + 1, sizeof *seen);
    int rc = seen == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
    for (size_t k = 0; k < iv_run_depth(r->in->run, run_topic) && rc == IV_OK && found < all; k++) {
        const iv_judgment *j = iv_judgments_find(r->in->judgments, judged_topic,
                                                 iv_run_docno(r->in->run, run_topic, k));
        bool take;
        if (j == NULL)
            continue;
        found++;
        seen[j - list] = true;
        rc = check_judged(r, j, topic, &take, err);
        if (rc == IV_OK && take)
            r->docs[n++] = (placed_doc){ k, j->pi, j->grade >= r->level,
                                         is_called(r, j->docno) };
    }
    for (size_t i = 0; i < all && rc == IV_OK; i++) {
        bool take;
        if (seen[i])
            continue;
        rc = check_judged(r, &list[i], topic, &take, err);
        if (rc == IV_OK && take)
            r->docs[n++] = (placed_doc){ SIZE_MAX, list[i].pi, list[i].grade >= r->level,
                                         is_called(r, list[i].docno) };
    }
    free(seen);
    r->count = n;
    return rc;
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
        r->merged++;
        return 1;
    }
    out[0] = called;
    out[1] = rest;
    return 2;
}

/* One probability of being drawn for each side, or the sample is of another kind. */
static int check_probabilities(const ranking *r, iv_str topic, iv_err *err)
{
    const int64_t border = r->in->drawn_at > 0 ? r->in->drawn_at : INT64_MAX;
    double pi[2] = { -1.0, -1.0 };
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < r->count; i++) {
        const int side = r->docs[i].rank == SIZE_MAX ? border != INT64_MAX
                                                     : (int64_t)r->docs[i].rank >= border;
        if (pi[side] < 0.0)
            pi[side] = r->docs[i].pi;
        if (fabs(r->docs[i].pi - pi[side]) > 1e-6 * pi[side])
            return iv_fail_at(err, IV_EARG, r->sample_name, 0, "topic %s: documents were drawn "
                              "with different probabilities, such as %g and %g; this needs a "
                              "simple sample of the collection, or of each side of one rank"
                              IV_HINT(" (--drawn-at)"),
                              iv_quote(quoted, topic), pi[side], r->docs[i].pi);
    }
    return IV_OK;
}

static int unsampled_stratum(bool *leave, ranking *r, const char *where, const iv_stratum *s,
                             iv_err *err)
{
    *leave = false;
    if (s->sampled > 0)
        return IV_OK;
    if (r->in->unsampled == IV_UNSAMPLED_REFUSE)
        return iv_fail(err, IV_ENODATA, "%s: none of these %lld documents is in the sample, which "
                       "tells nothing about them" IV_HINT("; --unsampled skip excludes them, --unsampled "
                       "prior lets the prior speak"), where, (long long)s->size);
    *leave = r->in->unsampled == IV_UNSAMPLED_SKIP;
    iv_review_note(r->out, "%s: none of these %lld documents is in the sample; %s.", where,
                   (long long)s->size, *leave ? "they are left out"
                                              : "a prior speaks for them, and to the method "
                                                "exact they may be anything");
    return IV_OK;
}

/*
 * Is more, or less, of the sample above the cut-off than chance allows?  Then
 * it was drawn apart from each side of some rank: 5 standard deviations.
 */
static bool is_lopsided(const iv_stratum *above, const iv_stratum *below)
{
    const double N = (double)(above->size + below->size);
    const double n = (double)(above->sampled + below->sampled), share = (double)above->size / N;
    const double variance = n * share * (1.0 - share) * (N - n) / (N - 1.0);

    return fabs((double)above->sampled - n * share) > 5.0 * sqrt(variance) + 1.0;
}

/* One topic at one cut-off. */
static int add_cutoff(ranking *r, iv_str topic, int64_t depth, int64_t collection,
                      int64_t cutoff, iv_err *err)
{
    const int64_t border = r->in->drawn_at, at = cutoff < depth ? cutoff : depth;
    int64_t cut[4] = { 0, at, INT64_MAX, INT64_MAX };
    iv_stratum strata[6], sides[3];
    size_t parts = 2, count[2] = { 0, 0 }, used = 0, whole = 0;
    char quoted[IV_QUOTE_SIZE], where[IV_QUOTE_SIZE + 96];

    if (border > 0 && border != at) {
        cut[1] = border < at ? border : at;
        cut[2] = border < at ? at : border;
        parts = 3;
    }
    if (at >= collection) {
        iv_review_note(r->out, "Topic %s at %lld: all %lld documents are retrieved; there is "
                       "no recall to estimate.", iv_quote(quoted, topic), (long long)cutoff,
                       (long long)collection);
        return IV_OK;
    }
    for (size_t i = 0; i < parts; i++) {
        const iv_stratum s = between(r, cut[i], i + 1 == parts ? INT64_MAX : cut[i + 1],
                                     collection);
        bool leave;
        if (i + 1 == parts)
            (void)snprintf(where, sizeof where, "topic %s, below rank %lld",
                           iv_quote(quoted, topic), (long long)cut[i]);
        else
            (void)snprintf(where, sizeof where, "topic %s, ranks %lld to %lld",
                           iv_quote(quoted, topic), (long long)cut[i] + 1,
                           (long long)cut[i + 1]);
        if (s.sampled > s.size)
            return iv_fail(err, IV_EARG, "%s: %lld documents in the sample of %lld in the "
                           "collection", where, (long long)s.sampled, (long long)s.size);
        if (s.size == 0)
            continue;
        const int rc = unsampled_stratum(&leave, r, where, &s, err);
        if (rc < 0)
            return rc;
        if (leave)
            continue;
        const size_t made = by_machine(strata + used, r, &s, cut[i],
                                       i + 1 == parts ? INT64_MAX : cut[i + 1], depth);
        used += made;
        count[cut[i] < at] += made;
        sides[whole++] = s;
    }
    if (count[0] == 0 || count[1] == 0) {
        iv_review_note(r->out, "Topic %s at %lld: nothing is left of a segment; there is no "
                       "row for it.", iv_quote(quoted, topic), (long long)cutoff);
        return IV_OK;
    }
    if (border <= 0 && whole == 2)
        r->lopsided += is_lopsided(&sides[0], &sides[1]);
    const iv_str tag = iv_run_tag(r->in->run);
    iv_review_add(r->out, tag.len > 0 ? tag : iv_str_of(r->run_name), topic, cutoff, strata,
                  count[1], count[0]);
    return IV_OK;
}

static int add_topic(ranking *r, size_t judged_topic, iv_err *err)
{
    const iv_str topic = iv_judgments_topic(r->in->judgments, judged_topic);
    const size_t run_topic = iv_run_find_topic(r->in->run, topic);
    char quoted[IV_QUOTE_SIZE];

    if (run_topic == IV_NONE) {
        iv_review_note(r->out, "Topic %s of the sample is not in the run; it is left out.",
                       iv_quote(quoted, topic));
        return IV_OK;
    }
    const int64_t depth = (int64_t)iv_run_depth(r->in->run, run_topic);
    const int64_t collection = r->in->collection > 0 ? r->in->collection : depth;
    if (collection < depth)
        return iv_fail_at(err, IV_EARG, r->run_name, 0, "topic %s ranks %lld documents, more "
                          "than the %lld of the collection", iv_quote(quoted, topic), (long long)depth,
                       (long long)collection);
    if (r->in->drawn_at > depth)
        return iv_fail_at(err, IV_EARG, r->run_name, 0, "topic %s ranks %lld documents; the "
                          "sample cannot have been drawn at %lld, below them", iv_quote(quoted, topic), (long long)depth,
                       (long long)r->in->drawn_at);
    int rc = count_called(r, run_topic, topic, err);
    if (rc == IV_OK)
        rc = collect(r, run_topic, judged_topic, err);
    if (rc == IV_OK)
        rc = check_probabilities(r, topic, err);
    const size_t cutoffs = r->in->at.count > 0 ? r->in->at.count : 1;
    for (size_t i = 0; i < cutoffs && rc == IV_OK; i++) {
        const int64_t cutoff = r->in->at.count > 0 ? r->in->at.at[i] : depth;
        if (cutoff > depth)
            iv_review_note(r->out, "Topic %s: the run ranks %lld documents; at %lld it has "
                           "retrieved no more.", iv_quote(quoted, topic), (long long)depth,
                           (long long)cutoff);
        rc = add_cutoff(r, topic, depth, collection, cutoff, err);
    }
    return rc;
}

static void note_topics(const ranking *r)
{
    char quoted[IV_QUOTE_SIZE], some[6 * IV_QUOTE_SIZE] = "";
    size_t missing = 0, used = 0;

    for (size_t i = 0; i < iv_run_topics(r->in->run); i++) {
        const iv_str topic = iv_run_topic(r->in->run, i);
        if (iv_judgments_find_topic(r->in->judgments, topic) != IV_NONE)
            continue;
        if (missing++ < 5)
            used += (size_t)snprintf(some + used, sizeof some - used, "%s%s",
                                     missing > 1 ? ", " : "", iv_quote(quoted, topic));
    }
    if (missing > 0)
        iv_review_note(r->out, "%zu topic%s of the run ha%s no sample and no row: %s%s.",
                       missing, missing == 1 ? "" : "s", missing == 1 ? "s" : "ve", some,
                       missing > 5 ? ", ..." : "");
    if (r->lopsided > 0)
        iv_review_note(r->out, "At %zu cut-off%s the two sides are sampled too unevenly for a "
                       "simple sample of the collection: if it was drawn from each side of one "
                       "rank, that rank must be given; the rows of other cut-offs are wrong "
                       "without it.", r->lopsided, r->lopsided == 1 ? "" : "s");
    if (r->merged > 0)
        iv_review_note(r->out, "At %zu segment%s people looked into one part only of what the "
                       "machine tells apart: there it counts for nothing.", r->merged,
                       r->merged == 1 ? "" : "s");
    if (r->dropped > 0)
        iv_review_note(r->out, "%zu sampled documents were not judged; they %s.", r->dropped,
                       r->in->unjudged == IV_UNJUDGED_DROP
                           ? "are left out, as if drawn from what is judged"
                           : "count as not relevant");
}

int iv_review_ranking(iv_review **out, const iv_review_sample *in, iv_err *err)
{
    IV_TRY(iv_check_given(in, "a ranking and a sample", err));
    IV_TRY(iv_check_given(in->run, "the run", err));
    IV_TRY(iv_check_given(in->judgments, "the judgments", err));
    IV_TRY(IV_CHECK(in, err, IV_PART_OF(iv_review_sample, at, INTEGERS, "cut-off"),
                    IV_CHOICE_OF(iv_review_sample, unsampled, iv_unsampled_names,
                                 "what to do with unsampled strata"),
                    IV_CHOICE_OF(iv_review_sample, unjudged, iv_unjudged_names,
                                 "what to do with unjudged documents")));
    ranking r = { .in = in, .run_name = in->run_name != NULL ? in->run_name : "run",
                  .sample_name = in->sample_name != NULL ? in->sample_name : "sample",
                  .level = in->level == 0 ? 1 : in->level, .out = iv_review_new(err) };
    int rc = r.out == NULL ? IV_ENOMEM : IV_OK;

    if (rc < 0)
        return rc;
    if (iv_judgments_format_of(in->judgments) == IV_JUDGMENTS_STRATIFIED)
        rc = iv_fail_at(err, IV_EARG, r.sample_name, 0, "a stratified sample; give its strata as a "
                        "table" IV_HINT(" with --strata"));
    else if (iv_judgments_format_of(in->judgments) >= IV_JUDGMENTS_GROUPS)
        rc = iv_fail_at(err, IV_EARG, r.sample_name, 0, "judgments by groups, expected one of each "
                        "document");
    for (size_t i = 0; rc == IV_OK && i < in->at.count; i++) {
        if (in->at.at[i] < 1)
            rc = iv_fail(err, IV_EARG, "a cut-off of %lld, expected at least 1",
                         (long long)in->at.at[i]);
    }
    for (size_t i = 0; rc == IV_OK && i < iv_judgments_topics(in->judgments); i++)
        rc = add_topic(&r, i, err);
    if (rc == IV_OK)
        note_topics(&r);
    if (rc == IV_OK && r.out->count == 0 && !r.out->out_of_memory)
        rc = iv_fail(err, IV_ENODATA, "%s and %s leave nothing to estimate", r.run_name,
                     r.sample_name);
    free(r.docs);
    free(r.called);
    return iv_review_done(out, r.out, rc, err);
}
