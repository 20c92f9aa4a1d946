/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/review_log.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/ids.h"
#include "base/memory.h"
#include "num/num_private.h"
#include "trec/roles.h"
#include "trec/trec_private.h"

struct iv_review_log {
    iv_arena own;
    iv_strata_table table;
    iv_review_blocks blocks;
    int64_t pending;
    double order; /* p-value */
};

double iv_review_log_order(const iv_review_log *l) { return l->order; }

void iv_review_log_free(iv_review_log *l)
{
    if (l == NULL)
        return;
    iv_arena_free(&l->own);
    free(l);
}

const iv_strata_table *iv_review_log_table(const iv_review_log *l)
{
    return &l->table;
}

const iv_review_blocks *iv_review_log_blocks(int64_t *pending, const iv_review_log *l)
{
    if (pending != NULL)
        *pending = l->pending;
    return &l->blocks;
}

/* A log while it is read. */
typedef struct reading {
    const iv_csv *csv;
    size_t stratum, relevant, block; /* columns; block may be IV_NONE */
    int64_t level;
    iv_strata_row *rows;
    size_t count;                    /* of strata */
    int64_t *drawn, *found;          /* the block at hand is the last */
    int64_t *ranks, *runs;           /* by stratum: sum of the ranks of relevant documents, and
                                        how often one follows none */
    bool *last;                      /* was the last one of the stratum relevant? */
    size_t blocks;
    int64_t in_block;
    double named;
    size_t first;                    /* row of the block's first */
} reading;

static const iv_column_role roles[] = { { "stratum" },
                                 { "relevant", .whole = true, .high = IV_STRATUM_MAX },
                                 { "block", .optional = true, .whole = true,
                                   .high = IV_STRATUM_MAX } };

static int find_stratum(size_t *out, const reading *r, size_t row, iv_err *err)
{
    const iv_str name = iv_csv_cell(r->csv, row, r->stratum);
    char quoted[IV_QUOTE_SIZE];

    for (*out = 0; *out < r->count; (*out)++)
        if (iv_str_eq(r->rows[*out].name, name))
            return IV_OK;
    return iv_csv_refuse(r->csv, row, err, "stratum %s is not one of the review's %zu strata",
                         iv_quote(quoted, name), r->count);
}

/* The stratum that is not finished and has no document in the block; IV_NONE: all have. */
static size_t lacking(const reading *r)
{
    const int64_t *drawn = r->drawn + r->blocks * r->count;

    for (size_t s = 0; s < r->count; s++)
        if (drawn[s] == 0 && r->rows[s].sampled < r->rows[s].size)
            return s;
    return IV_NONE;
}

/* Ends the block; one that was named must have them all. */
static int end_block(reading *r, iv_err *err)
{
    const size_t s = r->in_block > 0 ? lacking(r) : IV_NONE;

    if (s != IV_NONE)
        return iv_csv_refuse(r->csv, r->first, err, "block %.0f has no document of stratum '%.*s', "
                             "which is not finished", r->named, (int)r->rows[s].name.len,
                             r->rows[s].name.ptr);
    r->blocks += r->in_block > 0;
    r->in_block = 0;
    return IV_OK;
}

static int read_row(reading *r, size_t row, iv_err *err)
{
    double grade = 0.0, named = 0.0;
    size_t s = 0;

    IV_TRY(find_stratum(&s, r, row, err));
    IV_TRY(iv_role_number(&grade, r->csv, row, r->relevant, &roles[1], err));
    if (r->block != IV_NONE)
        IV_TRY(iv_role_number(&named, r->csv, row, r->block, &roles[2], err));
    if (r->block != IV_NONE && row > 0 && named < r->named)
        return iv_csv_refuse(r->csv, row, err, "block %.0f after block %.0f, expected blocks in "
                             "the order in which they were judged", named, r->named);
    if (r->block != IV_NONE && r->in_block > 0 && named != r->named)
        IV_TRY(end_block(r, err));
    if (r->in_block++ == 0)
        r->first = row;
    r->named = named;
    if (r->rows[s].sampled == r->rows[s].size)
        return iv_csv_refuse(r->csv, row, err, "one document more than the %" PRId64 " of stratum "
                             "'%.*s'",
                             r->rows[s].size, (int)r->rows[s].name.len, r->rows[s].name.ptr);
    const bool relevant = grade >= (double)r->level;
    r->rows[s].sampled++;
    r->rows[s].relevant += relevant;
    r->ranks[s] += relevant ? r->rows[s].sampled : 0;
    r->runs[s] += relevant && !r->last[s];
    r->last[s] = relevant;
    r->drawn[r->blocks * r->count + s]++;
    r->found[r->blocks * r->count + s] += relevant;
    return r->block == IV_NONE && lacking(r) == IV_NONE ? end_block(r, err) : IV_OK;
}

static double log_choose(double n, double k)
{
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

/* P(at most so many runs of r relevant among n documents in random order). */
static double few_runs(int64_t runs, int64_t r, int64_t n)
{
    double p = 0.0;

    if (r < 2)
        return 1.0;
    for (int64_t g = 1; g <= runs; g++)
        p += exp(log_choose((double)(r - 1), (double)(g - 1))
                 + log_choose((double)(n - r + 1), (double)g) - log_choose((double)n, (double)r));
    return fmin(p, 1.0);
}

static double order_of(const reading *r)
{
    double sum = 0.0, variance = 0.0, least = 1.0;

    for (size_t s = 0; s < r->count; s++) {
        const double n = (double)r->rows[s].sampled, x = (double)r->rows[s].relevant;
        sum += (double)r->ranks[s] - 0.5 * x * (n + 1.0);
        variance += x * (n - x) * (n + 1.0) / 12.0;
        least = fmin(least, few_runs(r->runs[s], r->rows[s].relevant, r->rows[s].sampled));
    }
    const double ranks = variance > 0.0 ? 2.0 * iv_norm_sf(fabs(sum) / sqrt(variance)) : 1.0;
    return fmin(1.0, 2.0 * fmin(ranks, (double)r->count * least));
}

/* n and r that the table had beside those of the log. */
static int check_counts(const reading *r, const char *path, const iv_strata_table *table,
                        iv_err *err)
{
    for (size_t s = 0; s < r->count; s++) {
        const iv_strata_row *had = &table->rows[s], *has = &r->rows[s];
        if (had->sampled > 0 && (had->sampled != has->sampled || had->relevant != has->relevant))
            return iv_fail(err, IV_EPARSE, "%s: stratum '%.*s' has %" PRId64 " relevant of %" PRId64
                           " judged documents; expected %" PRId64 " of %" PRId64 ", as given",
                           path, (int)has->name.len, has->name.ptr, has->relevant, has->sampled,
                           had->relevant, had->sampled);
    }
    return IV_OK;
}

static int read_rows(iv_review_log *l, reading *r, iv_err *err)
{
    const size_t rows = iv_csv_rows(r->csv);

    size_t column[3];

    IV_TRY(iv_role_columns(column, r->csv, roles, 3, "", err));
    r->stratum = column[0];
    r->relevant = column[1];
    r->block = column[2];
    r->drawn = iv_take(&l->own, (rows + 1) * r->count, sizeof *r->drawn);
    r->found = iv_take(&l->own, (rows + 1) * r->count, sizeof *r->found);
    r->ranks = iv_take(&l->own, r->count, sizeof *r->ranks);
    r->runs = iv_take(&l->own, r->count, sizeof *r->runs);
    r->last = iv_take(&l->own, r->count, sizeof *r->last);
    IV_TRY(iv_taken(&l->own, err));
    for (size_t row = 0; row < rows; row++)
        IV_TRY(read_row(r, row, err));
    /* The last block may be under way. */
    if (r->block != IV_NONE && r->in_block > 0 && lacking(r) == IV_NONE)
        IV_TRY(end_block(r, err));
    l->pending = r->in_block;
    l->order = order_of(r);
    return IV_OK;
}

static int fill(iv_review_log *l, const iv_csv *csv, const char *path,
                const iv_strata_table *table, int64_t level, iv_err *err)
{
    reading r = { .csv = csv, .level = level == 0 ? 1 : level,
                  .count = table->row_count };
    int64_t *size = iv_take(&l->own, r.count, sizeof *size);

    r.rows = iv_take(&l->own, r.count, sizeof *r.rows);
    IV_TRY(iv_taken(&l->own, err));
    for (size_t s = 0; s < r.count; s++) {
        r.rows[s] = table->rows[s];
        r.rows[s].sampled = r.rows[s].relevant = 0;
        size[s] = table->rows[s].size;
    }
    IV_TRY(read_rows(l, &r, err));
    IV_TRY(check_counts(&r, path, table, err));
    l->table = *table;
    l->table.rows = r.rows;
    l->blocks = (iv_review_blocks){ size, table->retrieved, r.drawn, r.found, r.count, r.blocks };
    return iv_review_blocks_check(&l->blocks, err);
}

int iv_review_log_load(iv_review_log **out, const char *path, const iv_strata_table *table,
                       int64_t level, const iv_work *work, iv_err *err)
{
    iv_csv *csv = NULL;

    if (table->run_count != 1)
        return iv_fail(err, IV_EARG, "a log is of one run's review, not of %zu runs",
                       table->run_count);
    iv_review_log *l = calloc(1, sizeof *l);
    int rc = l == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                       : iv_csv_load(&csv, path, work, err);
    if (rc == IV_OK)
        rc = fill(l, csv, path, table, level, err);
    if (rc == IV_OK) {
        l->table.path = iv_arena_copy(&l->own, iv_str_of(path));
        l->table.bytes = iv_csv_bytes(csv);
        rc = l->table.path != NULL ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
    }
    iv_csv_free(csv);
    if (rc == IV_OK)
        *out = l;
    else
        iv_review_log_free(l);
    return rc;
}
