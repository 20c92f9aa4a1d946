/* SPDX-License-Identifier: Apache-2.0 */
/* Votes from a table, JSON lines or an array of records. */
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "result/answering.h"
#include "scores/voting.h"
#include "trec/json_read.h"
#include "trec/text.h"

#include <string.h>
#include <strings.h>

enum { A, B, WINNER, ITEM, JUDGE, ROLES };
static const char *const roles[ROLES + 1] = { "a", "b", "winner", "item", "judge", NULL };
static const char *const usual[ROLES][9] = {
    { "a", "model_a", "system_a", "model_1", "left", NULL },
    { "b", "model_b", "system_b", "model_2", "right", NULL },
    { "winner", "preference", "preferred", "vote", "label", NULL },
    { "item", "prompt_id", "question_id", "prompt", "question", "instruction", "conversation_id",
      "id", NULL },
    { "judge", "annotator", "assessor", "rater", NULL } };

static int take_columns(iv_voting *v, iv_err *err)
{
    for (size_t i = 0; i < v->q->columns.count; i++)
        for (const char *at = v->q->columns.at[i]; *at != '\0';) {
            const size_t len = strcspn(at, ","), role_len = strcspn(at, "=");
            const iv_str name = { at + role_len + 1, len > role_len ? len - role_len - 1 : 0 };
            const bool covariate = role_len == 9 && strncmp(at, "covariate=", 10) == 0;
            size_t r = 0;
            while (r < ROLES && !iv_str_eq(iv_str_of(roles[r]), (iv_str){ at, role_len }))
                r++;
            if ((r == ROLES && !covariate) || role_len + 1 >= len)
                return iv_fail(err, IV_EARG, "the column '%.80s', expected ROLE=NAME with a role "
                               "of a, b, winner, item, judge, covariate", at);
            if (covariate && v->covariate_count == IV_PREFERENCE_COVARIATES)
                return iv_fail(err, IV_EARG, "more than %d covariates", IV_PREFERENCE_COVARIATES);
            if (covariate)
                v->covariates[v->covariate_count++] = name;
            else
                v->asked[r] = name;
            at += len + (at[len] == ',');
        }
    return IV_OK;
}

/* Who won: a name, a side, or nobody.  A name that is also the word of another is ambiguous. */
static bool winner_of(iv_preferred *out, bool *ambiguous, iv_str said, const iv_str cell[ROLES])
{
    static const char *const words[3][5] = { { "a", "model_a", "left", "first", NULL },
                                             { "b", "model_b", "right", "second", NULL },
                                             { "tie", "both", "draw", "equal", "neither" } };
    const bool named = iv_str_eq(said, cell[A]) || iv_str_eq(said, cell[B]);
    const iv_preferred name = iv_str_eq(said, cell[A]) ? IV_PREFERS_A : IV_PREFERS_B;

    for (size_t who = 0; who < 3; who++)
        for (size_t i = 0; i < 5 && words[who][i] != NULL; i++) {
            /* 'tie (bothbad)' is a tie, 'tiebreaker' a name. */
            const iv_str start = { said.ptr, strlen(words[who][i]) };
            const bool longer = who == 2 && !named && said.len > start.len;
            if ((longer || said.len == start.len)
                && strncasecmp(said.ptr, words[who][i], start.len) == 0) {
                *out = (iv_preferred[]){ IV_PREFERS_A, IV_PREFERS_B, IV_PREFERS_NONE }[who];
                *ambiguous = named && *out != name;
                return true;
            }
        }
    *out = name;
    return named;
}

/* A covariate of a vote: a's value less b's, or their difference as it is given. */
static int add_covariate(iv_voting *v, size_t k, const iv_str value[2], uint64_t line, iv_err *err)
{
    const size_t at = v->count * v->covariate_count + k;
    double x[2] = { 0.0, 0.0 };
    char quoted[IV_QUOTE_SIZE];

    if (!IV_ARENA_ROOM(v->own, v->x, v->x_room, at))
        return iv_no_memory(err);
    for (size_t side = 0; side < 2; side++)
        if (value[side].ptr != NULL && !iv_scan_real(&x[side], value[side]))
            return iv_fail_at(err, IV_EPARSE, v->path, line, "covariate %s, expected a number",
                              iv_quote(quoted, value[side]));
    v->x[at] = x[0] - x[1];
    return IV_OK;
}

static int add_vote(iv_voting *v, const iv_str cell[ROLES], const iv_str values[][2],
                    uint64_t line, iv_err *err)
{
    iv_vote x = { 0 };
    char quoted[IV_QUOTE_SIZE];
    bool wanted = v->q->judges.count == 0, ambiguous = false;

    for (size_t i = 0; i < v->q->judges.count; i++)
        wanted = wanted || iv_str_cmp(cell[JUDGE], iv_str_of(v->q->judges.at[i])) == 0;
    if (cell[A].len == 0 || cell[B].len == 0)
        return iv_fail_at(err, IV_EPARSE, v->path, line, "no system %s, expected a name",
                          cell[A].len == 0 ? "a" : "b");
    if (iv_str_eq(cell[A], cell[B]))
        return iv_fail_at(err, IV_EPARSE, v->path, line, "system %s against itself, expected two",
                          iv_quote(quoted, cell[A]));
    if (iv_csv_is_missing(cell[WINNER])) {
        v->skipped++;
        return IV_OK;
    }
    if (!winner_of(&x.winner, &ambiguous, cell[WINNER], cell))
        return iv_fail_at(err, IV_EPARSE, v->path, line, "winner %s, expected a, b, tie or the "
                          "name of one of the two systems", iv_quote(quoted, cell[WINNER]));
    if (ambiguous)
        return iv_fail_at(err, IV_EPARSE, v->path, line, "winner %s is a system of the pair, but "
                          "also the word for a side or a tie; rename the system, or take another "
                          "column for winner", iv_quote(quoted, cell[WINNER]));
    if (!wanted) {
        v->others++;
        return IV_OK;
    }
    IV_TRY(iv_ids_number(&x.a, &v->systems, cell[A], v->own, err));
    IV_TRY(iv_ids_number(&x.b, &v->systems, cell[B], v->own, err));
    IV_TRY(iv_ids_number(&x.item, &v->items, cell[ITEM], v->own, err));
    IV_TRY(iv_ids_number(&x.judge, &v->judges, cell[JUDGE], v->own, err));
    v->has_judge = v->has_judge || cell[JUDGE].len > 0;
    if (!IV_ARENA_ROOM(v->own, v->votes, v->capacity, v->count))
        return iv_no_memory(err);
    for (size_t k = 0; k < v->covariate_count; k++)
        IV_TRY(add_covariate(v, k, values[k], line, err));
    v->votes[v->count++] = x;
    return IV_OK;
}

static int no_column(const iv_voting *v, size_t r, uint64_t line, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    if (v->asked[r].ptr != NULL)
        return iv_fail_at(err, IV_EPARSE, v->path, line, "no column %s for %s",
                          iv_quote(quoted, v->asked[r]), roles[r]);
    return iv_fail_at(err, IV_EPARSE, v->path, line, "no column for role '%s'; expected a column "
                                                     "'%s' or '%s'"
                      IV_HINT("; --columns %s=NAME names another"), roles[r], usual[r][0],
                      usual[r][1], roles[r]);
}

static int no_covariate(const iv_voting *v, size_t k, uint64_t line, iv_err *err)
{
    const iv_str name = v->covariates[k];

    return iv_fail_at(err, IV_EPARSE, v->path, line, "no columns '%.*s_a' and '%.*s_b' for a "
                      "covariate, nor '%.*s', their difference", (int)name.len, name.ptr,
                      (int)name.len, name.ptr, (int)name.len, name.ptr);
}

/* "length_a", "length_b": those of the two systems. */
static iv_str sided(char room[IV_QUOTE_SIZE], iv_str name, size_t side)
{
    (void)snprintf(room, IV_QUOTE_SIZE, "%.*s_%c", (int)name.len, name.ptr, "ab"[side]);
    return iv_str_of(room);
}

static int read_table(iv_voting *v, const iv_csv *t, iv_err *err)
{
    size_t column[ROLES], of[IV_PREFERENCE_COVARIATES][2];
    iv_str cell[ROLES] = { { NULL, 0 } }, value[IV_PREFERENCE_COVARIATES][2];
    char room[IV_QUOTE_SIZE];

    for (size_t k = 0; k < v->covariate_count; k++) {
        for (size_t side = 0; side < 2; side++)
            of[k][side] = iv_csv_find(t, sided(room, v->covariates[k], side));
        if (of[k][0] == IV_NONE || of[k][1] == IV_NONE) {
            of[k][0] = iv_csv_find(t, v->covariates[k]);
            of[k][1] = IV_NONE;
        }
        if (of[k][0] == IV_NONE)
            return no_covariate(v, k, 1, err);
    }
    for (size_t r = 0; r < ROLES; r++) {
        column[r] = v->asked[r].ptr != NULL ? iv_csv_find(t, v->asked[r]) : IV_NONE;
        for (size_t i = 0; v->asked[r].ptr == NULL && column[r] == IV_NONE && usual[r][i] != NULL;
             i++)
            column[r] = iv_csv_find(t, iv_str_of(usual[r][i]));
        if (column[r] == IV_NONE && (r <= WINNER || v->asked[r].ptr != NULL))
            return no_column(v, r, 1, err);
    }
    v->has_item = column[ITEM] != IV_NONE;
    for (size_t i = 0; i < iv_csv_rows(t); i++) {
        for (size_t r = 0; r < ROLES; r++)
            if (column[r] != IV_NONE)
                cell[r] = iv_csv_cell(t, i, column[r]);
        for (size_t k = 0; k < v->covariate_count; k++)
            for (size_t side = 0; side < 2; side++)
                value[k][side] = of[k][side] != IV_NONE ? iv_csv_cell(t, i, of[k][side])
                    : (iv_str){ NULL, 0 };
        IV_TRY(add_vote(v, cell, (const iv_str(*)[2])value, iv_csv_line(t, i), err));
    }
    return IV_OK;
}

/* A number, or a text that is one; NULL: there is none. */
static iv_str text_of(const iv_json *m, char room[IV_REAL_SIZE])
{
    if (m != NULL && iv_json_kind_of(m) == IV_JSON_TEXT)
        return iv_json_string(m);
    return m != NULL && iv_json_kind_of(m) == IV_JSON_NUMBER
        ? (iv_str){ room, iv_format_real(room, iv_json_number(m)) } : (iv_str){ NULL, 0 };
}

static int take_covariates(iv_voting *v, iv_str value[][2], char numbers[][2][IV_REAL_SIZE],
                           const iv_json *x, uint64_t line, iv_err *err)
{
    char room[IV_QUOTE_SIZE];

    for (size_t k = 0; k < v->covariate_count; k++) {
        for (size_t side = 0; side < 2; side++)
            value[k][side] = text_of(iv_json_find(x, sided(room, v->covariates[k], side)),
                                     numbers[k][side]);
        if (value[k][0].ptr == NULL || value[k][1].ptr == NULL) {
            value[k][0] = text_of(iv_json_find(x, v->covariates[k]), numbers[k][0]);
            value[k][1] = (iv_str){ NULL, 0 };
        }
        if (value[k][0].ptr == NULL)
            return no_covariate(v, k, line, err);
    }
    return IV_OK;
}

static int read_record(iv_voting *v, const iv_json *x, uint64_t line, iv_err *err)
{
    iv_str cell[ROLES] = { { NULL, 0 } }, value[IV_PREFERENCE_COVARIATES][2];
    char number[ROLES][IV_REAL_SIZE], numbers[IV_PREFERENCE_COVARIATES][2][IV_REAL_SIZE];

    if (iv_json_kind_of(x) != IV_JSON_OBJECT)
        return iv_fail_at(err, IV_EPARSE, v->path, line, "expected an object: a vote");
    for (size_t r = 0; r < ROLES; r++) {
        const iv_json *m = v->asked[r].ptr != NULL ? iv_json_find(x, v->asked[r]) : NULL;
        for (size_t i = 0; v->asked[r].ptr == NULL && m == NULL && usual[r][i] != NULL; i++)
            m = iv_json_find(x, iv_str_of(usual[r][i]));
        if (m == NULL && (r <= WINNER || v->asked[r].ptr != NULL))
            return no_column(v, r, line, err);
        cell[r] = text_of(m, number[r]);
        if (m != NULL && cell[r].ptr == NULL && iv_json_kind_of(m) != IV_JSON_NULL)
            return iv_fail_at(err, IV_EPARSE, v->path, line, "%s is no text, expected one",
                              roles[r]);
        if (cell[r].len > 0 && memchr(cell[r].ptr, '\0', cell[r].len) != NULL)
            return iv_fail_at(err, IV_EPARSE, v->path, line, "%s has a character 0", roles[r]);
        v->has_item = v->has_item || (r == ITEM && m != NULL);
    }
    IV_TRY(take_covariates(v, value, numbers, x, line, err));
    return add_vote(v, cell, (const iv_str(*)[2])value, line, err);
}

/* JSON lines, or an array of records. */
static int read_json(iv_voting *v, iv_str text, const iv_work *work, iv_err *err)
{
    iv_json_place p = { v->path, text.ptr, text.ptr + text.len, 1 };
    const bool array = iv_json_peek(&p) == '[';

    if (array)
        IV_TRY(iv_json_take(&p, '[', err));
    for (size_t i = 1; iv_json_peek(&p) != (array ? ']' : '\0'); i++) {
        const uint64_t line = p.line;
        iv_json *x = NULL;
        IV_TRY(iv_json_read_python(&x, &p, err));
        const int rc = read_record(v, x, line, err);
        iv_json_free(x);
        IV_TRY(rc);
        if (array && iv_json_peek(&p) != ']')
            IV_TRY(iv_json_take(&p, ',', err));
        if (i % 4096 == 0)
            IV_TRY(iv_check_work(work, (double)(p.at - text.ptr) / (double)(text.len + 1), err));
    }
    return IV_OK;
}

int iv_voting_read(iv_voting *v, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_bytes bytes;
    iv_csv *t = NULL;

    IV_TRY(take_columns(v, err));
    if (v->q->table != NULL)
        return read_table(v, v->q->table, err);
    IV_TRY(iv_bytes_load(&bytes, v->path, work, err));
    iv_result_input(out, v->path, bytes.stored);
    const iv_str text = iv_text_of(&bytes);
    if (text.len > 0 && (text.ptr[0] == '{' || text.ptr[0] == '[')) {
        const int rc = read_json(v, text, work, err);
        iv_bytes_free(&bytes);
        return rc;
    }
    IV_TRY(iv_csv_from(&t, &bytes, v->path, work, err));
    const int rc = read_table(v, t, err);
    iv_csv_free(t);
    return rc;
}
