/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where published stopping rules would have ended reviews whose labels are all known, the recall
 * they had then, and how often what they promise was so.  Reviews are files of labelled rankings,
 * or simulated.
 */
#include "base/err.h"
#include "base/hash.h"
#include "base/order.h"
#include "result/methods.h"
#include "study/stopping_replay.h"
#include "study/study.h"
#include "trec/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATED = 24, STREAMS = 1 << 20, REPLAYS = 500 };

/* One review; of simulated ones each replicate is ranked anew. */
typedef struct review {
    char name[IV_STUDY_TEXT];
    iv_replay is;
    double quality;   /* simulated: by how much scores of relevant documents are higher ... */
    double hidden;    /* ... but for this proportion of them */
    bool simulated;
} review;

/* One rule on one review, or on all of them. */
typedef struct rule_row {
    const char *review, *rule;
    size_t documents, relevant;
    double promise, nominal, kept, least, recall, read, proportion;
    size_t reviews;
} rule_row;

const iv_field iv_study_rule_fields[] = {
    { "rule", IV_AT(rule_row, rule), .about = "stopping rule" },
    { "promise", IV_AT(rule_row, promise), .digits = 2, .about = "recall that the rule aims at" },
    { "nominal", IV_AT(rule_row, nominal), .digits = 2,
      .about = "how often recall shall be that high; empty if the rule does not say" },
    { "kept", IV_AT(rule_row, kept), .digits = 3,
      .about = "how often recall was that high, over reviews and replays" },
    { "least", IV_AT(rule_row, least), .digits = 3, .about = "in the review with the lowest rate" },
    { "recall", IV_AT(rule_row, recall), .digits = 3, .about = "mean recall at the stop" },
    { "read", IV_AT(rule_row, proportion), .digits = 3,
      .about = "mean proportion of the documents that were read, with control documents" },
    { "reviews", IV_AT(rule_row, reviews), .audience = IV_FOR_PROGRAMS,
      .about = "number of reviews" },
    { NULL } };

const iv_field iv_study_review_fields[] = {
    { "review", IV_AT(rule_row, review), .about = "review" },
    { "documents", IV_AT(rule_row, documents), .about = "documents of the review" },
    { "relevant", IV_AT(rule_row, relevant), .about = "relevant ones" },
    { "rule", IV_AT(rule_row, rule), .about = "stopping rule" },
    { "promise", IV_AT(rule_row, promise), .digits = 2, .about = "recall that the rule aims at" },
    { "nominal", IV_AT(rule_row, nominal), .digits = 2,
      .about = "how often recall shall be that high; empty if the rule does not say" },
    { "kept", IV_AT(rule_row, kept), .digits = 3, .about = "how often recall was that high" },
    { "recall", IV_AT(rule_row, recall), .digits = 3, .about = "mean recall at the stop" },
    { "stop", IV_AT(rule_row, read), .digits = 0,
      .about = "mean number of documents read, with control documents" },
    { NULL } };

/* ------------------------------------------------------------------- files -- */

/* A file being read: its columns. */
typedef struct labelled {
    const iv_csv *t;
    const char *path;
    size_t label, review, rank[IV_REPLAY_RANKINGS], ranks;
} labelled;

static int find_columns(labelled *f, iv_err *err)
{
    static const char *const labels[] = { "included", "asreview_label", "label_included", "label",
                                          "relevant" };
    static const char *const reviews[] = { "review", "topic" };

    f->label = f->review = IV_NONE;
    for (size_t i = 5; i-- > 0;)
        if (iv_csv_find(f->t, iv_str_of(labels[i])) != IV_NONE)
            f->label = iv_csv_find(f->t, iv_str_of(labels[i]));
    for (size_t i = 2; i-- > 0;)
        if (iv_csv_find(f->t, iv_str_of(reviews[i])) != IV_NONE)
            f->review = iv_csv_find(f->t, iv_str_of(reviews[i]));
    for (size_t c = 0; c < iv_csv_columns(f->t) && f->ranks < IV_REPLAY_RANKINGS; c++)
        if (iv_csv_column(f->t, c).len >= 4
            && memcmp(iv_csv_column(f->t, c).ptr, "rank", 4) == 0)
            f->rank[f->ranks++] = c;
    return f->label != IV_NONE ? IV_OK
        : iv_fail_at(err, IV_EPARSE, f->path, 1, "no column of labels; expected included, with 1 "
                     "or 0 for each document, the best first");
}

/* Row i's place in ranking k. */
static int rank_of(double *out, const labelled *f, size_t row, size_t k, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const iv_str cell = iv_csv_cell(f->t, row, f->rank[k]);

    return iv_scan_real(out, cell) ? IV_OK
        : iv_fail_at(err, IV_EPARSE, f->path, iv_csv_line(f->t, row), "rank %s; expected a number",
                     iv_quote(quoted, cell));
}

/* Puts `count` rows into the review, in the order of the first ranking or of the file. */
static int take_rows(review *out, iv_study *s, const labelled *f, const size_t *rows, size_t count,
                     iv_err *err)
{
    const size_t rankings = f->ranks > 0 ? f->ranks : 1;
    iv_placed *placed = iv_take(&s->own, count + 1, sizeof *placed);
    size_t *number = iv_take(&s->own, count + 1, sizeof *number); /* by row of this review */
    uint8_t *label = iv_take(&s->own, count + 1, sizeof *label);
    char quoted[IV_QUOTE_SIZE];

    IV_TRY(iv_taken(&s->own, err));
    for (size_t k = 0; k < rankings; k++) {
        uint32_t *ranking = iv_take(&s->own, count + 1, sizeof *ranking);
        IV_TRY(iv_taken(&s->own, err));
        for (size_t i = 0; i < count; i++) {
            double rank = (double)i;
            if (f->ranks > 0)
                IV_TRY(rank_of(&rank, f, rows[i], k, err));
            placed[i] = (iv_placed){ -rank, i };
        }
        qsort(placed, count, sizeof *placed, iv_descending_placed);
        for (size_t i = 0; i < count; i++) {
            if (k == 0)
                number[placed[i].at] = i;
            ranking[i] = (uint32_t)number[placed[i].at];
        }
        out->is.ranking[k] = ranking;
    }
    for (size_t i = 0; i < count; i++) {
        const iv_str cell = iv_csv_cell(f->t, rows[i], f->label);
        double value = 0.0;
        if (!iv_scan_real(&value, cell) || (value != 0.0 && value != 1.0))
            return iv_fail_at(err, IV_EPARSE, f->path, iv_csv_line(f->t, rows[i]), "label %s; "
                              "expected 1 or 0 for every document", iv_quote(quoted, cell));
        label[number[i]] = value > 0.0;
        out->is.relevant += value > 0.0;
    }
    out->is.label = label;
    out->is.documents = count;
    out->is.rankings = f->ranks > 1 ? f->ranks : 0;
    return out->is.relevant > 0 ? IV_OK
        : iv_fail_at(err, IV_ENODATA, f->path, iv_csv_line(f->t, rows[0]), "review '%s' has no "
                     "relevant document", out->name);
}

static int take_file(review **all, size_t *count, size_t *room, iv_study *s, const labelled *f,
                     iv_err *err)
{
    const size_t rows = iv_csv_rows(f->t);
    size_t *mine = iv_take(&s->own, rows + 1, sizeof *mine);
    uint8_t *taken = iv_take(&s->own, rows + 1, sizeof *taken);
    const char *slash = strrchr(f->path, '/');

    IV_TRY(iv_taken(&s->own, err));
    for (size_t i = 0; i < rows; i++) {
        size_t n = 0;
        if (taken[i])
            continue;
        const iv_str name = f->review == IV_NONE
            ? iv_str_of(slash == NULL ? f->path : slash + 1) : iv_csv_cell(f->t, i, f->review);
        for (size_t k = i; k < rows; k++)
            if (!taken[k] && (f->review == IV_NONE
                              || iv_str_eq(name, iv_csv_cell(f->t, k, f->review)))) {
                taken[k] = 1;
                mine[n++] = k;
            }
        if (!IV_ARENA_ROOM(&s->own, *all, *room, *count))
            return iv_no_memory(err);
        review *x = &(*all)[(*count)++];
        *x = (review){ .quality = NAN };
        (void)snprintf(x->name, sizeof x->name, "%.*s", (int)name.len, name.ptr);
        IV_TRY(take_rows(x, s, f, mine, n, err));
    }
    return IV_OK;
}

static int read_reviews(review **all, size_t *count, iv_study *s, iv_err *err)
{
    size_t room = 0;

    for (size_t i = 0; i < s->q->rankings.count; i++) {
        labelled f = { .path = s->q->rankings.at[i] };
        iv_csv *t = NULL;
        IV_TRY(iv_csv_load(&t, f.path, s->work, err));
        f.t = t;
        int rc = find_columns(&f, err);
        if (rc == IV_OK)
            rc = take_file(all, count, &room, s, &f, err);
        iv_csv_free(t);
        IV_TRY(rc);
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- simulated -- */

/* Sizes and prevalences as in screening, by rankers that are poor, good, and good but blind to
 * a tenth of the relevant documents. */
static int simulated_reviews(review **all, size_t *count, iv_study *s, iv_err *err)
{
    static const size_t sizes[] = { 2000, 6000 }, relevant[] = { 20, 60, 150, 400 };
    static const struct {
        const char *name;
        double quality, hidden;
    } rankers[] = { { "poor ranker", 1.5, 0.0 }, { "good ranker", 2.5, 0.0 },
                    { "good ranker, a tenth hidden", 2.5, 0.1 } };

    *all = iv_take(&s->own, SIMULATED, sizeof **all);
    IV_TRY(iv_taken(&s->own, err));
    for (size_t i = 0; i < SIMULATED; i++) {
        review *x = &(*all)[*count];
        const size_t n = sizes[i / 12], r = relevant[i / 3 % 4], k = i % 3;
        *x = (review){ .quality = rankers[k].quality, .hidden = rankers[k].hidden,
                       .simulated = true, .is = { .documents = n, .relevant = r,
                                                  .rankings = IV_REPLAY_RANKINGS } };
        (void)snprintf(x->name, sizeof x->name, "%zu of %zu, %s", r, n, rankers[k].name);
        *count += iv_study_wants(s, x->name);
    }
    return *count > 0 ? IV_OK : iv_fail(err, IV_EARG, "there is no such setting");
}

/* What a thread works in. */
typedef struct memory {
    iv_replay_room room;
    iv_placed *placed;
    double *common;
    uint32_t *ranking[IV_REPLAY_RANKINGS], *number;
    uint8_t *label;
} memory;

/* Scores of five rankers, which share most of their errors; documents are numbered by the first. */
static void rank_anew(iv_replay *is, const review *x, memory *m, iv_stream *stream)
{
    const size_t n = x->is.documents, hidden = (size_t)(x->hidden * (double)x->is.relevant);

    for (size_t i = 0; i < n; i++)
        m->common[i] = sqrt(0.7) * iv_draw_normal(stream)
            + (i >= hidden && i < x->is.relevant ? x->quality : 0.0);
    for (size_t k = 0; k < IV_REPLAY_RANKINGS; k++) {
        for (size_t i = 0; i < n; i++)
            m->placed[i] = (iv_placed){ m->common[i] + sqrt(0.3) * iv_draw_normal(stream), i };
        qsort(m->placed, n, sizeof *m->placed, iv_descending_placed);
        for (size_t i = 0; i < n; i++) {
            const size_t at = m->placed[i].at;
            if (k == 0) {
                m->number[at] = (uint32_t)i;
                m->label[i] = at < x->is.relevant;
            }
            m->ranking[k][i] = m->number[at];
        }
        is->ranking[k] = m->ranking[k];
    }
    is->label = m->label;
}

/* ------------------------------------------------------------------ the loop -- */

typedef struct job {
    const review *x;
    uint64_t seed;
    size_t number;
    iv_replay_end *ends; /* replicates x rules */
} job;

static void *make_memory(iv_arena *own, void *user)
{
    const size_t n = ((const job *)user)->x->is.documents + 1;
    memory *m = iv_take(own, 1, sizeof *m);

    if (m == NULL || iv_replay_room_of(&m->room, own, n, NULL) != IV_OK)
        return NULL;
    m->placed = iv_take(own, n, sizeof *m->placed);
    m->common = iv_take(own, n, sizeof *m->common);
    m->number = iv_take(own, n, sizeof *m->number);
    m->label = iv_take(own, n, sizeof *m->label);
    for (size_t k = 0; k < IV_REPLAY_RANKINGS; k++)
        m->ranking[k] = iv_take(own, n, sizeof *m->ranking[k]);
    return own->failed ? NULL : m;
}

static int one_replay(void *user, void *mem, size_t i, iv_err *err)
{
    const job *j = user;
    memory *m = mem;
    iv_replay is = j->x->is;
    iv_stream stream = iv_stream_start(j->seed, IV_FOR_STUDY, j->number * STREAMS + i);

    (void)err;
    if (j->x->simulated)
        rank_anew(&is, j->x, m, &stream);
    for (int rule = 0; rule < IV_REPLAY_RULES; rule++)
        j->ends[i * IV_REPLAY_RULES + (size_t)rule]
            = iv_replay_rule((iv_replayed_rule)rule, &is, &m->room, &stream);
    return IV_OK;
}

static rule_row row_of(const review *x, int rule, const iv_replay_end *ends, size_t count)
{
    const iv_replay_promise p = iv_replay_promise_of((iv_replayed_rule)rule, x->is.target,
                                                     x->is.confidence);
    rule_row out = { .review = x->name, .rule = p.name, .documents = x->is.documents,
                     .relevant = x->is.relevant, .promise = p.recall, .nominal = p.confidence };

    for (size_t i = 0; i < count; i++) {
        const iv_replay_end e = ends[i * IV_REPLAY_RULES + (size_t)rule];
        out.kept += e.recall >= p.recall - 1e-12;
        out.recall += e.recall;
        out.read += e.read;
    }
    out.kept /= (double)count;
    out.recall /= (double)count;
    out.read /= (double)count;
    out.proportion = out.read / (double)x->is.documents;
    return out;
}

/* A rule over all reviews that have what it needs. */
static rule_row over_reviews(const rule_row *rows, size_t reviews, size_t rules, size_t rule)
{
    rule_row out = rows[rule];

    out.kept = out.recall = out.proportion = 0.0;
    out.least = 1.0;
    for (size_t i = 0; i < reviews; i++) {
        const rule_row *x = &rows[i * rules + rule];
        const double n = (double)++out.reviews;
        out.kept += (x->kept - out.kept) / n;
        out.recall += (x->recall - out.recall) / n;
        out.proportion += (x->proportion - out.proportion) / n;
        out.least = fmin(out.least, x->kept);
    }
    return out;
}

static int replay(rule_row *rows, const int *rules, size_t count, iv_study *s, const review *x,
                  size_t number, size_t replays, iv_err *err)
{
    iv_arena own = { 0 };
    job j = { x, iv_work_seed(s->work), number,
              iv_take(&own, replays * IV_REPLAY_RULES, sizeof *j.ends) };
    int rc = iv_taken(&own, err);

    iv_nested_work_start(&s->nested, &s->stage.work);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ replays, one_replay, &j, make_memory }, &s->nested.outer, err);
    for (size_t k = 0; k < count && rc == IV_OK; k++)
        rows[k] = row_of(x, rules[k], j.ends, replays);
    iv_arena_free(&own);
    iv_study_step_done(s);
    return rc;
}

static int tell(iv_study *s, const rule_row *all, size_t rules, const rule_row *rows,
                size_t reviews, size_t replays, iv_err *err)
{
    size_t promised = 0, kept = 0, always = 0;

    for (size_t k = 0; k < rules; k++) {
        promised += isnan(all[k].nominal) ? 0U : 1U;
        const double se = sqrt(all[k].nominal * (1.0 - all[k].nominal) / (double)replays);
        kept += all[k].kept >= all[k].nominal ? 1U : 0U; /* never for NaN */
        always += all[k].least + 3.0 * se >= all[k].nominal ? 1U : 0U;
    }
    iv_result_answer(s->out, "Of %zu rules that promise a recall with a confidence, %zu kept it "
                     "that often over %zu review%s replayed %zu times, and %zu in every review.",
                     promised, kept, reviews, reviews == 1 ? "" : "s", replays, always);
    IV_TABLE(s->out, "rules", iv_study_rule_fields, all, rules);
    IV_TABLE(s->out, "reviews", iv_study_review_fields, rows, rules * reviews,
             .showing = reviews > 1 ? IV_LONG : IV_SHOWN);
    iv_result_used_all(s->out, "slope-ratio qbcb hypergeometric-rule chao");
    return iv_result_status(s->out, err);
}

/* Rules that all reviews have the data for. */
static size_t usable_rules(int out[IV_REPLAY_RULES], const iv_study *s, const review *all,
                           size_t count)
{
    size_t rules = 0, several = 0;

    for (size_t i = 0; i < count; i++)
        several += all[i].is.rankings > 1;
    for (int k = 0; k < IV_REPLAY_RULES; k++)
        if (k < IV_REPLAY_CHAO || several == count)
            out[rules++] = k;
    if (several < count)
        iv_result_note(s->out, "Chao's estimate needs several rankings of the same documents: "
                       "columns rank1, rank2 and so on.");
    return rules;
}

int iv_study_rankings(iv_study *s, iv_err *err)
{
    const bool simulated = s->q->rankings.count == 1
        && strcmp(s->q->rankings.at[0], "simulated") == 0;
    const double target = s->q->target > 0.0 ? s->q->target : 0.8;
    const size_t replays = iv_study_size(s, REPLAYS);
    review *all = NULL;
    size_t count = 0;
    int rules[IV_REPLAY_RULES];

    if (!(s->confidence > 0.5 && s->confidence < 1.0 && target < 1.0))
        return iv_fail(err, IV_EARG, "target %g and confidence %g; expected below 1, and a "
                       "confidence above 0.5", target, s->confidence);
    IV_TRY((simulated ? simulated_reviews : read_reviews)(&all, &count, s, err));
    const size_t used = usable_rules(rules, s, all, count);
    rule_row *rows = iv_take(&s->own, count * used + 1, sizeof *rows);
    rule_row *sums = iv_take(&s->own, used + 1, sizeof *sums);
    IV_TRY(iv_taken(&s->own, err));
    iv_study_steps(s, count);
    for (size_t i = 0; i < count; i++) {
        all[i].is.target = target;
        all[i].is.confidence = s->confidence;
        IV_TRY(replay(&rows[i * used], rules, used, s, &all[i], i, replays, err));
    }
    for (size_t k = 0; k < used; k++)
        sums[k] = over_reviews(rows, count, used, k);
    return tell(s, sums, used, rows, count, replays, err);
}
