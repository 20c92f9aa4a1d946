/* SPDX-License-Identifier: Apache-2.0 */
/* Scores in tables with a header, and in trec_eval's -q lines. */
#include "base/bytes.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/names.h"
#include "intervale/trec/runs.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/fields.h"
#include "trec/json_read.h"
#include "trec/problems.h"
#include "trec/score_records.h"
#include "trec/score_table.h"
#include "trec/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool iv_is_measure_name(iv_str name)
{
    static const char *const stems[] = { "map", "ap", "gm_", "ndcg", "dcg", "p", "recall", "r",
                                         "precision", "mrr", "rr", "recip_rank", "reciprocal_rank",
                                         "success", "hits", "hit_rate", "f1", "f", "bpref", "rprec",
                                         "r-precision", "rbp", "err", "iprec", "infap", "set_",
                                         "num_", "judged", "bm", "cap", "hole", "accuracy",
                                         "naucs", "r_cap", "11pt_avg", "utility", "relative",
                                         "rel" };

    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        const iv_str stem = iv_str_of(stems[i]);
        /* The stem, then nothing or a cut-off: "P_10", "ndcg@5", "NDCG@10". */
        if (name.len >= stem.len && iv_same_name((iv_str){ name.ptr, stem.len }, stem)
            && (name.len == stem.len || strchr("@_.", name.ptr[stem.len]) != NULL
                || stem.ptr[stem.len - 1] == '_'))
            return true;
    }
    return false;
}

/* ------------------------------------------------------------ trec_eval -- */

/* measure, topic, number; or runid, all, name. */
static bool is_trec_eval(iv_str text)
{
    iv_str field[4];
    uint64_t line;
    double value;

    return iv_first_fields(field, 4, text, false, &line) == 3
        && ((iv_str_cmp(field[0], iv_str_of("runid")) == 0
             && iv_str_cmp(field[1], iv_str_of("all")) == 0) || iv_scan_real(&value, field[2]));
}

static int read_trec_eval(iv_scores_reader *r, const iv_score_file *f, iv_str text, iv_err *err)
{
    const char *at = text.ptr, *end = text.ptr + text.len;
    iv_str system = { NULL, 0 }, field[4] = { { NULL, 0 } };
    char quoted[IV_QUOTE_SIZE];

    for (const char *look = at; look < end;)
        if (iv_split_line(field, 4, &look, end) == 3
            && iv_str_cmp(field[0], iv_str_of("runid")) == 0)
            system = field[2];
    for (uint64_t line = 1; at < end; line++) {
        const size_t count = iv_split_line(field, 4, &at, end);
        iv_score_record x = IV_SCORE_RECORD;
        if (count == 0)
            continue;
        if (count != 3)
            return iv_fail_at(err, IV_EPARSE, f->name, line, "%zu field%s, expected measure, "
                              "topic and value as of trec_eval -q", count, count == 1 ? "" : "s");
        if (iv_str_cmp(field[1], iv_str_of("all")) == 0)
            continue; /* a mean, not a score */
        if (!iv_scan_real(&x.score, field[2]))
            return iv_fail_at(err, IV_EPARSE, f->name, line, "score %s, expected a finite number",
                              iv_quote(quoted, field[2]));
        x.text[IV_ROLE_SYSTEM] = system;
        x.text[IV_ROLE_MEASURE] = field[0];
        x.text[IV_ROLE_ITEM] = field[1];
        IV_TRY(iv_score_add(r, f, line, &x, err));
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- tables -- */

/* A table without a column for a role, and which it has. */
static int lacks(const iv_csv *t, iv_score_role role, const char *name, const char *why,
                 const char *hint, iv_err *err)
{
    iv_listing there = { .most = 8 };

    for (size_t c = 0; c < iv_csv_columns(t); c++)
        iv_list_quoted(&there, iv_csv_column(t, c));
    return iv_csv_refuse(t, IV_NONE, err, "no column %s%sfor %s%s; the columns are %s%s", name,
                         *name != '\0' ? " " : "", iv_score_role_names()[role], why,
                         iv_listed(&there), hint);
}

/* The column with a usual name of a role that was not asked for in another one (r NULL: none
 * were); IV_NONE: there is none. */
static size_t usual_column(const iv_scores_reader *r, const iv_csv *t, iv_score_role role)
{
    const bool dated = r != NULL && r->dated;

    for (const char *const *name = iv_score_usual(role, dated); *name != NULL; name++) {
        const size_t found = iv_csv_find(t, iv_str_of(*name));
        if (found != IV_NONE
            && (r == NULL || !iv_score_named_for_other(r, role, iv_csv_column(t, found))))
            return found;
    }
    return IV_NONE;
}

/* The column of a role: as asked for, which must be there, or by a usual name. */
static int find_column(size_t *out, iv_scores_reader *r, const iv_csv *t, iv_score_role role,
                       iv_err *err)
{
    const iv_str asked = r->asked[role];
    char quoted[IV_QUOTE_SIZE];

    *out = asked.ptr != NULL ? iv_csv_find(t, asked) : usual_column(r, t, role);
    if (*out == IV_NONE && asked.ptr != NULL)
        return lacks(t, role, iv_quote(quoted, asked), "", "", err);
    if (*out != IV_NONE)
        iv_score_taken(r, role, iv_csv_column(t, *out));
    return IV_OK;
}

/* The means of logs that evals_df() of Inspect has beside those of each log's tasks. */
static bool is_of_logs(const iv_csv *t)
{
    return iv_csv_find(t, iv_str_of("score_headline_value")) != IV_NONE;
}

/* Is it what a scorer said of a score that has a column, too: score_NAME_answer? */
static bool is_detail(const iv_csv *t, iv_str s)
{
    static const char *const ends[] = { "_answer", "_explanation", "_reason", "_metadata" };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = strlen(ends[i]);
        if (s.len > n && memcmp(s.ptr + s.len - n, ends[i], n) == 0
            && iv_csv_find(t, (iv_str){ s.ptr, s.len - n }) != IV_NONE)
            return true;
    }
    return false;
}

/* Columns score_NAME, as samples_df() of Inspect has them: a measure each. */
static bool measure_column(iv_str *name, const iv_csv *t, size_t c)
{
    const iv_str s = iv_csv_column(t, c);

    *name = (iv_str){ s.ptr + 6, s.len - 6 };
    return s.len > 6 && memcmp(s.ptr, "score_", 6) == 0 && !is_of_logs(t) && !is_detail(t, s);
}

static bool has_scores(const iv_scores_reader *r, const iv_csv *t)
{
    bool found = usual_column(r, t, IV_ROLE_SCORE) != IV_NONE;
    iv_str name;

    for (size_t c = 0; c < iv_csv_columns(t); c++)
        found = found || measure_column(&name, t, c);
    return found || (r != NULL && r->wanted_count > 0);
}

bool iv_csv_is_scores(const iv_csv *t) { return has_scores(NULL, t); }

static int read_score(double *out, const char *what, const iv_score_file *f, uint64_t line,
                      iv_str cell, bool grades, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    *out = (double)NAN;
    if (iv_csv_is_missing(cell) || iv_score_of(out, cell, grades))
        return IV_OK;
    return iv_fail_at(err, IV_EPARSE, f->name, line, "%s %s, expected a finite number or "
                      "nothing", what, iv_quote(quoted, cell));
}

/* A scorer's dictionary, in JSON: SCORER.KEY is a measure. */
typedef struct scorer_cell {
    iv_scores_reader *r;
    const iv_score_file *f;
    iv_score_record *x;
    iv_str scorer;
    uint64_t line;
    iv_err *err;
} scorer_cell;

static int scorer_part(void *user, iv_str key, const iv_json *v)
{
    scorer_cell *in = user;
    const iv_json_kind kind = iv_json_kind_of(v);
    char name[300];

    if (kind == IV_JSON_LIST || kind == IV_JSON_OBJECT)
        return iv_fail_at(in->err, IV_EPARSE, in->f->name, in->line, "a score is a list or an "
                          "object, expected a finite number");
    in->x->score = kind == IV_JSON_NULL ? (double)NAN : iv_json_number(v);
    if (kind == IV_JSON_TEXT)
        IV_TRY(read_score(&in->x->score, "score", in->f, in->line, iv_json_string(v), true,
                          in->err));
    (void)snprintf(name, sizeof name, "%.*s.%.*s", (int)fmin((double)in->scorer.len, 140.0),
                   in->scorer.ptr, (int)fmin((double)key.len, 140.0), key.ptr);
    in->x->text[IV_ROLE_MEASURE] = iv_str_of(name);
    return iv_score_add(in->r, in->f, in->line, in->x, in->err);
}

/* The cell of a column score_NAME: a score, or a dictionary of scores. */
static int add_scorer(scorer_cell *in, iv_str cell)
{
    iv_json_place p = { .at = cell.ptr, .end = cell.ptr + cell.len, .name = in->f->name,
                        .line = in->line };
    iv_json *v = NULL;

    if (cell.len == 0 || *cell.ptr != '{') {
        in->x->text[IV_ROLE_MEASURE] = in->scorer;
        IV_TRY(read_score(&in->x->score, "score", in->f, in->line, cell, true, in->err));
        return iv_score_add(in->r, in->f, in->line, in->x, in->err);
    }
    IV_TRY(iv_json_read_python(&v, &p, in->err));
    const int rc = iv_json_each(v, in, scorer_part);
    iv_json_free(v);
    return rc;
}

/* Of one row: its score, or one of each column of a measure; and those that are asked for. */
static int add_row(iv_scores_reader *r, const iv_score_file *f, const iv_csv *t, size_t row,
                   iv_score_record *x, size_t column, iv_err *err)
{
    const uint64_t line = iv_csv_line(t, row);

    for (size_t k = 0; r->to->several && k <= r->more_count; k++) {
        const iv_str name = k == 0 ? r->asked[IV_ROLE_SCORE] : r->more[k - 1];
        const size_t c = iv_csv_find(t, name);
        char quoted[IV_QUOTE_SIZE];
        if (c == IV_NONE)
            return lacks(t, IV_ROLE_SCORE, iv_quote(quoted, name), "", "", err);
        x->text[IV_ROLE_MEASURE] = iv_csv_column(t, c);
        IV_TRY(read_score(&x->score, "score", f, line, iv_csv_cell(t, row, c), false, err));
        IV_TRY(iv_score_add(r, f, line, x, err));
    }
    if (r->to->several)
        return IV_OK;
    if (column != IV_NONE) {
        IV_TRY(read_score(&x->score, "score", f, line, iv_csv_cell(t, row, column), false, err));
        IV_TRY(iv_score_add(r, f, line, x, err));
    }
    for (size_t i = 0; i < r->wanted_count; i++) {
        x->text[IV_ROLE_MEASURE] = iv_csv_column(t, r->wanted_at[i]);
        IV_TRY(read_score(&x->score, "score", f, line, iv_csv_cell(t, row, r->wanted_at[i]), false,
                          err));
        IV_TRY(iv_score_add(r, f, line, x, err));
    }
    for (size_t c = 0; column == IV_NONE && c < iv_csv_columns(t); c++) {
        scorer_cell in = { r, f, x, { NULL, 0 }, line, err };
        if (measure_column(&in.scorer, t, c))
            IV_TRY(add_scorer(&in, iv_csv_cell(t, row, c)));
    }
    return IV_OK;
}

/* The columns that are asked for as measures of their own, in a table without a column of
 * measures; the score is read, too, unless all that is asked for are others. */
static int find_wanted(iv_scores_reader *r, const iv_csv *t, size_t column[IV_SCORE_ROLES],
                       iv_err *err)
{
    bool others = r->wanted.count > 0;

    r->wanted_count = 0;
    if (column[IV_ROLE_MEASURE] != IV_NONE || r->path_says[IV_ROLE_MEASURE].ptr != NULL)
        return IV_OK;
    r->wanted_at = iv_take(&r->to->own, r->wanted.count + 1, sizeof *r->wanted_at);
    IV_TRY(iv_taken(&r->to->own, err));
    for (size_t i = 0; i < r->wanted.count; i++) {
        const size_t c = iv_csv_find(t, iv_str_of(r->wanted.at[i]));
        bool free = c != IV_NONE && c != column[IV_ROLE_SCORE]
            && !iv_score_named_for_other(r, IV_SCORE_ROLES, iv_csv_column(t, c));
        others = others && free;
        for (size_t k = 0; k < r->wanted_count; k++)
            free = free && r->wanted_at[k] != c;
        if (free)
            r->wanted_at[r->wanted_count++] = c;
    }
    if (others && column[IV_ROLE_SCORE] != IV_NONE && r->asked[IV_ROLE_SCORE].ptr == NULL) {
        column[IV_ROLE_SCORE] = IV_NONE;
        r->taken[IV_ROLE_SCORE][0] = '\0';
    }
    return IV_OK;
}

static int find_columns(size_t column[IV_SCORE_ROLES], iv_scores_reader *r, const iv_csv *t,
                        const iv_score_file *f, iv_err *err)
{
    for (size_t k = 0; k < IV_SCORE_ROLES; k++)
        IV_TRY(find_column(&column[k], r, t, (iv_score_role)k, err));
    for (size_t k = 0; k < IV_SCORE_ROLES; k++)
        for (size_t i = 0; column[k] != IV_NONE && i < k; i++)
            if (column[i] == column[k])
                return iv_fail_at(err, IV_EPARSE, f->name, 1, "one column for %s and for %s",
                                  iv_score_role_names()[i], iv_score_role_names()[k]);
    for (const char *const *n = iv_score_usual(IV_ROLE_SYSTEM, false); *n != NULL; n++) {
        const size_t other = iv_csv_find(t, iv_str_of(*n));
        if (other != IV_NONE && other != column[IV_ROLE_SYSTEM])
            r->other_system = *n;
    }
    if (column[IV_ROLE_SCORE] == IV_NONE && r->wanted.count == 0 && !has_scores(r, t)
        && iv_csv_find(t, iv_str_of("eval_id")) != IV_NONE)
        return iv_csv_refuse(t, IV_NONE, err, "no scores of samples; samples_df() of Inspect "
                             "exports them, evals_df() and messages_df() do not");
    /* Rows of one system in one file may be without names. */
    const bool alone = column[IV_ROLE_SYSTEM] == IV_NONE && column[IV_ROLE_REPEAT] == IV_NONE
        && r->files.count <= 1;
    if (column[IV_ROLE_ITEM] == IV_NONE && column[IV_ROLE_SYSTEM] == IV_NONE)
        column[IV_ROLE_ITEM] = iv_id_column(t);
    if (column[IV_ROLE_ITEM] == IV_NONE && column[IV_ROLE_SUITE] != IV_NONE
        && (!alone || iv_csv_all_differ(t, column[IV_ROLE_SUITE]))
        && iv_score_task_is_item(r, iv_csv_column(t, column[IV_ROLE_SUITE]))) {
        column[IV_ROLE_ITEM] = column[IV_ROLE_SUITE];
        column[IV_ROLE_SUITE] = IV_NONE;
    }
    if (column[IV_ROLE_ITEM] == IV_NONE && !alone)
        return lacks(t, IV_ROLE_ITEM, "", ", which says what scores of several systems are of",
                     IV_HINT("; --columns item=NAME names it"), err);
    IV_TRY(find_wanted(r, t, column, err));
    if (column[IV_ROLE_SCORE] == IV_NONE && !has_scores(r, t))
        return lacks(t, IV_ROLE_SCORE, "", "", IV_HINT("; --columns score=NAME names it; --by "
                     "topics reads a column for each system"), err);
    return IV_OK;
}

bool iv_csv_rows_named(const iv_csv *t, iv_problems *problems)
{
    iv_ids seen = { 0 };
    bool fraction = false, numbers = true;

    for (size_t r = 0; r < t->row_count && numbers; r++) {
        const iv_str s = iv_csv_cell(t, r, 0);
        double value;
        int64_t whole;
        numbers = iv_scan_real(&value, s);
        fraction = fraction || !iv_scan_int(&whole, s, INT64_MIN, INT64_MAX);
        if (iv_ids_add(&seen, s) == IV_NO_ID)
            problems->no_memory = true;
    }
    const bool repeated = seen.count < t->row_count;
    iv_ids_free(&seen);
    return !numbers || (!fraction && !repeated);
}

bool iv_csv_is_matrix(const iv_csv *t, bool rows_named)
{
    size_t numbers = 0;

    for (size_t r = 0; r < t->row_count; r++) {
        for (size_t c = rows_named; c < t->columns; c++) {
            double value;
            const iv_str s = iv_csv_cell(t, r, c);
            const bool missing = iv_csv_is_missing(s);
            if (!missing && !iv_scan_real(&value, s))
                return false;
            numbers += !missing;
        }
    }
    return numbers > 0;
}


static int read_records(iv_scores_reader *r, const iv_score_file *f, const iv_csv *t, iv_err *err)
{
    size_t column[IV_SCORE_ROLES];
    char quoted[IV_QUOTE_SIZE];

    IV_TRY(find_columns(column, r, t, f, err));
    /* In tables of this library a row without a topic, or of all, is a mean. */
    const bool own = iv_csv_find(t, iv_str_of("topics")) != IV_NONE
        && iv_csv_find(t, iv_str_of("run")) != IV_NONE;
    for (size_t row = 0; row < iv_csv_rows(t); row++) {
        iv_score_record x = IV_SCORE_RECORD;
        char number[24];
        (void)snprintf(number, sizeof number, "%zu", row + 1);
        x.text[IV_ROLE_ITEM] = iv_str_of(number);
        for (size_t k = 0; k < IV_SCORE_ROLES; k++)
            if (column[k] != IV_NONE && k != IV_ROLE_SCORE && k != IV_ROLE_WEIGHT
                && k != IV_ROLE_HUMAN)
                x.text[k] = iv_csv_said(t, row, column[k]);
        if (own && (x.text[IV_ROLE_ITEM].len == 0
                    || iv_str_cmp(x.text[IV_ROLE_ITEM], iv_str_of("all")) == 0))
            continue;
        const iv_str w = column[IV_ROLE_WEIGHT] == IV_NONE ? iv_str_of("")
            : iv_csv_cell(t, row, column[IV_ROLE_WEIGHT]);
        if (column[IV_ROLE_WEIGHT] != IV_NONE && !iv_scan_real(&x.weight, w))
            return iv_fail_at(err, IV_EPARSE, f->name, iv_csv_line(t, row), "the weight %s, "
                              "expected a number above 0", iv_quote(quoted, w));
        if (column[IV_ROLE_HUMAN] != IV_NONE)
            IV_TRY(read_score(&x.human, "human label", f, iv_csv_line(t, row),
                              iv_csv_cell(t, row, column[IV_ROLE_HUMAN]), false, err));
        IV_TRY(add_row(r, f, t, row, &x, column[IV_ROLE_SCORE], err));
    }
    return IV_OK;
}

/* What the first column of a table says that rows are, or what was asked for. */
static iv_score_rows rows_of(const iv_scores_reader *r, const iv_csv *t)
{
    const iv_str asked = r->asked[IV_ROLE_ITEM];
    const bool items = (asked.ptr != NULL && iv_csv_find(t, asked) == 0)
        || usual_column(r, t, IV_ROLE_ITEM) == 0;

    return r->rows != IV_ROWS_AUTO ? r->rows : items ? IV_ROWS_TOPICS : IV_ROWS_SYSTEMS;
}

/* Has no column a role, but the first that of the system or the item?  A table of two columns
 * has one score of each system. */
static bool may_be_wide(const iv_scores_reader *r, const iv_csv *t)
{
    bool systems = false;

    for (size_t i = 0; i < r->wanted.count; i++) {
        const size_t c = iv_csv_find(t, iv_str_of(r->wanted.at[i]));
        if (c != IV_NONE && c > 0)
            return false;
    }
    for (size_t k = 0; k < IV_SCORE_ROLES; k++) {
        const iv_str asked = r->asked[k];
        const bool names_rows = k == IV_ROLE_SYSTEM || k == IV_ROLE_ITEM;
        if (asked.ptr != NULL && (!names_rows || iv_csv_find(t, asked) != 0))
            return false;
        for (const char *const *name = iv_score_usual((iv_score_role)k, r->dated);
             *name != NULL; name++) {
            const size_t at = iv_csv_find(t, iv_str_of(*name));
            if (at != IV_NONE && iv_score_named_for_other(r, k, iv_csv_column(t, at)))
                continue;
            if (at != IV_NONE && at > 0)
                return false;
            systems = systems || (at == 0 && k == IV_ROLE_SYSTEM);
        }
    }
    return iv_csv_columns(t) > (systems ? 1u : 2u);
}

/* A column for each item, or for each system. */
static int read_wide(iv_scores_reader *r, const iv_score_file *f, const iv_csv *t, bool named,
                     iv_err *err)
{
    const bool items = rows_of(r, t) == IV_ROWS_TOPICS;
    const iv_score_role down = items ? IV_ROLE_ITEM : IV_ROLE_SYSTEM;
    const iv_score_role across = items ? IV_ROLE_SYSTEM : IV_ROLE_ITEM;
    iv_score_file wide = *f;

    wide.wide = true;
    if (iv_csv_columns(t) == named)
        return iv_fail_at(err, IV_EPARSE, f->name, iv_csv_line(t, 0), "1 cell, expected a name and "
                          "scores");
    r->to->wide = true;
    if (named && usual_column(r, t, down) != 0
        && !iv_is_measure_name(iv_csv_column(t, 0))) /* as eval --write-matrix has it */
        iv_score_taken(r, down, iv_csv_column(t, 0));
    for (size_t row = 0; row < iv_csv_rows(t); row++) {
        iv_score_record x = IV_SCORE_RECORD;
        char number[24];
        (void)snprintf(number, sizeof number, "%zu", row + 1);
        x.text[down] = named ? iv_csv_cell(t, row, 0) : iv_str_of(number);
        for (size_t c = named; c < iv_csv_columns(t); c++) {
            x.text[across] = iv_csv_column(t, c);
            IV_TRY(read_score(&x.score, "score", f, iv_csv_line(t, row),
                              iv_csv_cell(t, row, c), false, err));
            IV_TRY(iv_score_add(r, &wide, iv_csv_line(t, row), &x, err));
        }
    }
    return IV_OK;
}

static int read_table(iv_scores_reader *r, const iv_score_file *f, const iv_csv *t, iv_err *err)
{
    iv_problems problems = { 0 };

    if (r->rows == IV_ROWS_AUTO && !may_be_wide(r, t))
        return read_records(r, f, t, err);
    const bool named = iv_csv_rows_named(t, &problems);
    if (problems.no_memory)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return r->rows != IV_ROWS_AUTO || (named && iv_csv_is_matrix(t, named))
        ? read_wide(r, f, t, named, err) : read_records(r, f, t, err);
}

int iv_scores_read_text(iv_scores_reader *r, const iv_score_file *f, iv_bytes *b, iv_err *err)
{
    iv_csv *t = NULL;
    int rc;

    if (is_trec_eval(iv_text_of(b))) {
        rc = read_trec_eval(r, f, iv_text_of(b), err);
        iv_bytes_free(b);
        return rc;
    }
    rc = iv_csv_from(&t, b, f->name, r->work, err);
    if (rc == IV_OK)
        rc = read_table(r, f, t, err);
    iv_csv_free(t);
    return rc;
}
