/* SPDX-License-Identifier: Apache-2.0 */
/* A review, and the two short ways to one: two segments, and a table of strata. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/names.h"
#include "estimate/review_state.h"

IV_NAMES(iv_unsampled_names, "refuse", "skip", "prior")

iv_review *iv_review_new(iv_err *err)
{
    iv_review *r = calloc(1, sizeof *r);

    if (r == NULL)
        (void)iv_fail(err, IV_ENOMEM, "out of memory");
    return r;
}

void iv_review_free(iv_review *r)
{
    if (r == NULL)
        return;
    iv_arena_free(&r->arena);
    free(r->cases);
    free(r->notes);
    free(r);
}

int iv_review_done(iv_review **out, iv_review *r, int rc, iv_err *err)
{
    if (rc == IV_OK && r->out_of_memory)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK)
        *out = r;
    else
        iv_review_free(r);
    return rc;
}

void iv_review_add(iv_review *r, iv_str run, iv_str topic, int64_t cutoff,
                   const iv_stratum *strata, size_t retrieved, size_t unretrieved)
{
    const size_t count = retrieved + unretrieved;
    iv_review_case *cases = iv_grow(r->cases, &r->capacity, r->count + 1, sizeof *cases);
    iv_stratum *kept = iv_arena_alloc(&r->arena, (count + 1) * sizeof *kept);

    if (cases != NULL)
        r->cases = cases;
    if (cases == NULL || kept == NULL) {
        r->out_of_memory = true;
        return;
    }
    if (count > 0)
        memcpy(kept, strata, count * sizeof *kept);
    iv_review_case *new = &cases[r->count++];
    *new = (iv_review_case){ .run = iv_arena_copy(&r->arena, run), .cutoff = cutoff,
                             .segments = { kept, kept + retrieved, retrieved, unretrieved } };
    if (topic.ptr != NULL)
        new->topic = iv_arena_copy(&r->arena, topic);
    r->out_of_memory |= new->run == NULL || (topic.ptr != NULL && new->topic == NULL);
}

void iv_review_note(iv_review *r, const char *fmt, ...)
{
    const char **notes = iv_grow(r->notes, &r->note_capacity, r->note_count + 1, sizeof *notes);
    char text[2048];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (notes != NULL) {
        r->notes = notes;
        notes[r->note_count] = iv_arena_copy(&r->arena, iv_str_of(text));
    }
    if (notes == NULL || notes[r->note_count] == NULL)
        r->out_of_memory = true;
    else
        r->note_count++;
}

size_t iv_review_cases(const iv_review_case **out, const iv_review *r)
{
    *out = r->cases;
    return r->count;
}

size_t iv_review_notes(const char *const **out, const iv_review *r)
{
    *out = r->notes;
    return r->note_count;
}

/* --------------------------------------------------------- two segments -- */

static int check_segment(iv_review *r, const iv_stratum *s, const char *name,
                         iv_unsampled unsampled, iv_err *err)
{
    if (s->size == 0)
        return iv_fail(err, IV_EARG, "the %s segment is empty: N = 0", name);
    if (s->sampled > s->size)
        return iv_fail(err, IV_EARG, "the %s segment: n = %lld sampled of N = %lld documents",
                       name, (long long)s->sampled, (long long)s->size);
    if (s->relevant > s->sampled)
        return iv_fail(err, IV_EARG, "the %s segment: r = %lld relevant of n = %lld sampled",
                       name, (long long)s->relevant, (long long)s->sampled);
    if (s->sampled > 0)
        return IV_OK;
    if (unsampled == IV_UNSAMPLED_REFUSE)
        return iv_fail(err, IV_ENODATA, "the %s segment has n = 0: nothing is sampled, so it "
                       "tells nothing" IV_HINT("; --unsampled prior lets the prior speak"), name);
    if (unsampled == IV_UNSAMPLED_SKIP)
        return iv_fail(err, IV_ENODATA, "the %s segment has n = 0: leaving it out leaves no "
                       "segment", name);
    iv_review_note(r, "The %s segment has n = 0: no judgment tells of its %lld documents; a prior speaks "
                   "for them, and to the method exact they may be anything.", name,
                   (long long)s->size);
    return IV_OK;
}

int iv_review_counts(iv_review **out, iv_stratum retrieved, iv_stratum unretrieved,
                     iv_unsampled unsampled, iv_err *err)
{
    IV_TRY(iv_check_choice(unsampled, iv_unsampled_names(), "what to do with unsampled strata", err));
    const iv_stratum both[2] = { retrieved, unretrieved };
    iv_review *r = iv_review_new(err);

    if (r == NULL)
        return IV_ENOMEM;
    int rc = check_segment(r, &both[0], "retrieved", unsampled, err);
    if (rc == IV_OK)
        rc = check_segment(r, &both[1], "unretrieved", unsampled, err);
    if (rc == IV_OK)
        iv_review_add(r, iv_str_of("review"), (iv_str){ NULL, 0 }, 0, both, 1, 1);
    return iv_review_done(out, r, rc, err);
}

/* --------------------------------------------------------------- strata -- */

/* An error of a table is one of its file, if it has one. */
static const char *path_of(const iv_strata_table *t) { return t->path != NULL ? t->path : ""; }
static int code_of(const iv_strata_table *t) { return t->path != NULL ? IV_EPARSE : IV_ENODATA; }

static int handle_unsampled(iv_review *r, const iv_strata_table *t, iv_unsampled unsampled,
                            iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    size_t skipped = 0;
    int64_t documents = 0;

    for (size_t i = 0; i < t->row_count; i++) {
        const iv_strata_row *row = &t->rows[i];
        if (row->sampled > 0)
            continue;
        if (unsampled == IV_UNSAMPLED_REFUSE)
            return iv_fail_at(err, code_of(t), path_of(t), row->line, "stratum %s has n = 0: "
                              "nothing is sampled, so it tells nothing" IV_HINT("; --unsampled skip excludes "
                              "it, --unsampled prior lets the prior speak"),
                              iv_quote(quoted, row->name));
        documents += row->size;
        skipped++;
        if (unsampled == IV_UNSAMPLED_PRIOR)
            iv_review_note(r, "Stratum %s has n = 0: no judgment tells of its %lld document%s; a prior "
                           "speaks for them, and to the method exact they may be anything.",
                           iv_quote(quoted, row->name), (long long)row->size,
                           row->size == 1 ? "" : "s");
    }
    if (skipped > 0 && unsampled == IV_UNSAMPLED_SKIP)
        iv_review_note(r, "%zu strat%s with n = 0, of %lld documents together, %s left out.",
                       skipped, skipped == 1 ? "um" : "a", (long long)documents,
                       skipped == 1 ? "is" : "are");
    return IV_OK;
}

static int add_run(iv_review *r, const iv_strata_table *t, size_t run, iv_unsampled unsampled,
                   iv_stratum *strata, iv_err *err)
{
    const bool alone = iv_str_cmp(t->runs[run], iv_str_of("review")) == 0;
    char quoted[IV_QUOTE_SIZE];
    size_t count[2] = { 0, 0 }, used = 0;

    for (int side = 1; side >= 0; side--) {
        int64_t size = 0;
        for (size_t i = 0; i < t->row_count; i++) {
            const iv_strata_row *row = &t->rows[i];
            if (t->retrieved[run * t->row_count + i] != (side == 1)
                || (row->sampled == 0 && unsampled == IV_UNSAMPLED_SKIP))
                continue;
            strata[used++] = (iv_stratum){ row->size, row->sampled, row->relevant };
            size += row->size;
            count[side]++;
        }
        if (size == 0)
            return iv_fail_at(err, code_of(t), path_of(t), 1, "the %s segment of %s is empty",
                              side == 1 ? "retrieved" : "unretrieved",
                              alone ? "the review" : iv_quote(quoted, t->runs[run]));
    }
    iv_review_add(r, t->runs[run], (iv_str){ NULL, 0 }, 0, strata, count[1], count[0]);
    return IV_OK;
}

int iv_review_strata(iv_review **out, const iv_strata_table *table, iv_unsampled unsampled,
                     iv_err *err)
{
    IV_TRY(iv_check_choice(unsampled, iv_unsampled_names(), "what to do with unsampled strata", err));
    IV_TRY(iv_check_given(table, "a table of strata", err));
    IV_TRY(iv_check_list(table->rows, table->row_count, "stratum", err));
    IV_TRY(iv_check_list(table->runs, table->run_count, "run", err));
    IV_TRY(iv_check_list(table->retrieved, table->run_count, "mark", err));
    iv_review *r = iv_review_new(err);
    iv_stratum *strata = malloc((table->row_count + 1) * sizeof *strata);
    int rc = r == NULL ? IV_ENOMEM : IV_OK;

    if (rc == IV_OK && strata == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK && table->run_count == 0)
        rc = iv_fail(err, IV_EARG, "a table of strata without a run");
    if (rc == IV_OK && table->ignored != NULL && table->ignored[0] != '\0')
        iv_review_note(r, "Columns ignored: %s.", table->ignored);
    if (rc == IV_OK)
        rc = handle_unsampled(r, table, unsampled, err);
    for (size_t i = 0; i < table->run_count && rc == IV_OK; i++)
        rc = add_run(r, table, i, unsampled, strata, err);
    free(strata);
    return r == NULL ? rc : iv_review_done(out, r, rc, err);
}
