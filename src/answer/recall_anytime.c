/* SPDX-License-Identifier: Apache-2.0 */
/* Recall while it is being judged: what holds however the review is stopped. */
#include <inttypes.h>
#include <math.h>

#include "answer/answer_columns.h"
#include "answer/recall_parts.h"
#include "base/memory.h"
#include "intervale/stat/sequential.h"

void iv_recall_watched_free(iv_recall_watched *w)
{
    iv_review_log_free(w->log);
    iv_strata_free(w->file);
}

/* -------------------------------------------------------------- reading -- */

static int add_segment(iv_strata_row *out, const char *name, const iv_integers *given,
                       iv_err *err)
{
    if (given->count != 1 && given->count != 3)
        return iv_fail(err, IV_EARG, "the %s segment has %zu numbers, expected N, or N, n and r",
                       name, given->count);
    *out = (iv_strata_row){ iv_str_of(name), given->at[0], 0, 0, 0 };
    if (given->count == 3) {
        out->sampled = given->at[1];
        out->relevant = given->at[2];
    }
    return IV_OK;
}

int iv_recall_read_log(iv_review **out, iv_recall_watched *w, iv_result *r,
                       const iv_recall_question *q, const iv_work *work, iv_err *err)
{
    static const bool sides[] = { true, false };
    const iv_str run = iv_str_of("review");
    iv_strata_row segments[2];
    iv_strata_table two = { segments, &run, sides, 2, 1, NULL, 0, NULL };
    const iv_strata_table *table = &two;

    if (q->run != NULL || q->sample != NULL || q->ranking != NULL || q->judged != NULL)
        return iv_fail(err, IV_EARG, "a log is of segments or strata, not of a ranking");
    if (q->strata != NULL) {
        IV_TRY(iv_strata_load(&w->file, q->strata, q->runs, work, err));
        table = iv_strata_view(w->file);
        iv_result_input(r, table->path, table->bytes);
    } else if (q->table != NULL) {
        table = q->table;
    } else {
        IV_TRY(add_segment(&segments[0], "retrieved", &q->retrieved, err));
        IV_TRY(add_segment(&segments[1], "unretrieved", &q->unretrieved, err));
    }
    IV_TRY(iv_review_log_load(&w->log, q->log, table, q->level, work, err));
    table = iv_review_log_table(w->log);
    iv_result_input(r, table->path, table->bytes);
    return iv_review_strata(out, table, q->unsampled, err);
}

/* -------------------------------------------------------------- finding -- */

/* The stratum that is left to sample; NULL: none, or several. */
static const iv_stratum *only_unknown(bool *retrieved, double known[2], const iv_segments *s)
{
    const iv_stratum *found = NULL;
    size_t unknown = 0;

    known[0] = known[1] = 0.0;
    for (size_t i = 0; i < s->retrieved_count + s->unretrieved_count; i++) {
        const bool side = i < s->retrieved_count;
        const iv_stratum *one = side ? &s->retrieved[i] : &s->unretrieved[i - s->retrieved_count];
        if (one->sampled == one->size) {
            known[side] += (double)one->relevant;
            continue;
        }
        found = one;
        *retrieved = side;
        unknown++;
    }
    return unknown == 1 ? found : NULL;
}

static double share(double of, double other)
{
    return of + other > 0.0 ? of / (of + other) : 0.0;
}

/* From counts alone, when one stratum is left. */
static int watch_counts(iv_recall_watched *w, const iv_recall_told *t, iv_err *err)
{
    double known[2];
    bool retrieved = false;
    const iv_stratum *s = only_unknown(&retrieved, known, &t->cases[0].segments);
    int64_t least, most;

    if (s == NULL)
        return iv_fail(err, IV_EARG, "limits at any time need the judgments in their order, "
                       "unless one stratum alone is left to sample");
    IV_TRY(iv_anytime_count(&least, &most, *s, 0.0, 0.0, t->confidence, err));
    const double few = known[retrieved] + (double)least, many = known[retrieved] + (double)most;
    w->limits = retrieved
        ? (iv_recall_interval){ share(few, known[0]), share(many, known[0]) }
        : (iv_recall_interval){ share(known[1], many), share(known[1], few) };
    w->documents = s->sampled;
    return IV_OK;
}

int iv_recall_watch(iv_recall_watched *w, const iv_recall_told *t, iv_err *err)
{
    w->e = NAN;
    w->needed = -log1p(-t->confidence);
    if (!t->q->anytime)
        return IV_OK;
    if (t->case_count != 1)
        return iv_fail(err, IV_EARG, "limits at any time are of one review, not of %zu",
                       t->case_count);
    w->anytime = true;
    if (w->log == NULL)
        return watch_counts(w, t, err);
    const iv_review_blocks *b = iv_review_log_blocks(&w->pending, w->log);
    const int64_t *drawn = b->drawn;
    for (size_t i = 0; i < b->count * b->stratum_count; i++)
        w->documents += drawn[i];
    w->blocks = (int64_t)b->count;
    if (t->q->target > 0.0)
        IV_TRY(iv_recall_evidence(&w->e, b, t->q->target, false, err));
    return iv_recall_anytime(&w->limits, b, t->confidence, true, err);
}

/* --------------------------------------------------------------- telling -- */

enum { EVIDENCE = 1, BLOCKS = 2 };

typedef struct row {
    iv_recall_watched x;
    double e, needed;
} row;

const iv_field iv_recall_anytime_fields[] = {
    { "documents", IV_AT(row, x.documents), .about = "judged" },
    { "blocks", IV_AT(row, x.blocks), .needs = BLOCKS, .about = "of judgments" },
    { "lower", IV_AT(row, x.limits.lower), .digits = 3,
      .about = "limit of recall that holds by itself however the review is stopped" },
    { "upper", IV_AT(row, x.limits.upper), .digits = 3, .about = "the same from above" },
    { "evidence", IV_AT(row, e), .digits = 2, .needs = EVIDENCE,
      .about = "largest e-value so far against a recall below the target; 10^9: or more" },
    { "needed", IV_AT(row, needed), .digits = 2, .needs = EVIDENCE,
      .about = "the e-value that shows it" },
    { NULL } };

void iv_recall_watched_table(iv_result *out, const iv_recall_told *t)
{
    const iv_recall_watched *w = t->watched;

    if (w == NULL || !w->anytime)
        return;
    const row one = { *w, fmin(exp(w->e), 1e9), exp(w->needed) };
    (void)iv_result_rows(out, &(iv_rows){ "anytime", iv_recall_anytime_fields, &one, 1, sizeof one,
                                          .with = (isnan(w->e) ? 0u : EVIDENCE)
                                                  | (w->log != NULL ? BLOCKS : 0u) });
    iv_result_note(out, "The limits of the table anytime hold with %.10g %% confidence each, "
                   "whatever the truth and whenever the review is stopped, if the documents of a "
                   "stratum were judged in random order. Those of the other tables are for a "
                   "sample whose size was fixed beforehand.", 100.0 * t->confidence);
    if (w->pending > 0)
        iv_result_note(out, "%" PRId64 " document%s at the end make%s no whole block, which has "
                       "one of every stratum that is not finished: left out of the table anytime.",
                       w->pending, w->pending == 1 ? "" : "s", w->pending == 1 ? "s" : "");
}

void iv_recall_say_watched(iv_wording *said, const iv_recall_told *t)
{
    const iv_recall_watched *w = t->watched;

    if (w != NULL && w->anytime)
        iv_say(said, "However the review is stopped, recall is at least %.3f with %g %% "
               "confidence; what follows is for a sample whose size was fixed. ",
               w->limits.lower, 100.0 * t->confidence);
}

int iv_recall_look(double *error, iv_result *out, const iv_recall_question *q, iv_err *err)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    iv_look looks[IV_LOOKS_MOST];

    *error = 0.0;
    if (q->looks == 0 && q->look == 0)
        return IV_OK;
    if (q->look < 1 || q->look > q->looks)
        return iv_fail(err, IV_EARG, "look %zu of %zu", q->look, q->looks);
    IV_TRY(iv_looks_of(looks, NULL, q->looks, q->shape, 1.0 - confidence, err));
    *error = looks[q->look - 1].error;
    iv_result_note(out, "Look %zu of %zu, %s: limits with %.3f %% confidence each, so that one "
                   "of the looks shows too much with a chance of at most %g (%s).", q->look,
                   q->looks, iv_look_shape_names()[q->shape], 100.0 * (1.0 - *error),
                   1.0 - confidence, q->guaranteed || q->method == IV_RECALL_EXACT
                   ? "looks that were planned" : "about; looks that were planned");
    return IV_OK;
}
