/* SPDX-License-Identifier: Apache-2.0 */
/* prefer -- strengths of systems from pairwise preferences. */
#include "base/arguments.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/scores.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/message.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/preference.h"
#include "trec/csv.h"
#include "trec/json_read.h"
#include "trec/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---------------------------------------------------------------- reading -- */

enum { PAIRS_READ = 10 }; /* more are only named in text output */
enum { A, B, WINNER, ITEM, JUDGE, ROLES };
static const char *const roles[ROLES + 1] = { "a", "b", "winner", "item", "judge", NULL };
static const char *const usual[ROLES][9] = {
    { "a", "model_a", "system_a", "model_1", "left", NULL },
    { "b", "model_b", "system_b", "model_2", "right", NULL },
    { "winner", "preference", "preferred", "vote", "label", NULL },
    { "item", "prompt_id", "question_id", "prompt", "question", "instruction", "conversation_id",
      "id", NULL },
    { "judge", "annotator", "assessor", "rater", NULL } };

typedef struct voting {
    const iv_prefer_question *q;
    const char *path;
    iv_str asked[ROLES];
    iv_arena *own;
    iv_ids systems, items, judges;
    iv_vote *votes;
    size_t count, capacity, skipped, others;
    bool has_item, has_judge;
    iv_preferences fit;
} voting;

static int take_columns(voting *v, iv_err *err)
{
    for (size_t i = 0; i < v->q->columns.count; i++)
        for (const char *at = v->q->columns.at[i]; *at != '\0';) {
            const size_t len = strcspn(at, ","), role_len = strcspn(at, "=");
            size_t r = 0;
            while (r < ROLES && !iv_str_eq(iv_str_of(roles[r]), (iv_str){ at, role_len }))
                r++;
            if (r == ROLES || role_len + 1 >= len)
                return iv_fail(err, IV_EARG, "the column '%.80s', expected ROLE=NAME with a role "
                               "of a, b, winner, item, judge", at);
            v->asked[r] = (iv_str){ at + role_len + 1, len - role_len - 1 };
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

static int add_vote(voting *v, const iv_str cell[ROLES], uint64_t line, iv_err *err)
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
    v->votes[v->count++] = x;
    return IV_OK;
}

static int no_column(const voting *v, size_t r, uint64_t line, iv_err *err)
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

static int read_table(voting *v, const iv_csv *t, iv_err *err)
{
    size_t column[ROLES];
    iv_str cell[ROLES] = { { NULL, 0 } };

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
        IV_TRY(add_vote(v, cell, iv_csv_line(t, i), err));
    }
    return IV_OK;
}

static int read_record(voting *v, const iv_json *x, uint64_t line, iv_err *err)
{
    iv_str cell[ROLES] = { { NULL, 0 } };
    char number[ROLES][IV_REAL_SIZE];

    if (iv_json_kind_of(x) != IV_JSON_OBJECT)
        return iv_fail_at(err, IV_EPARSE, v->path, line, "expected an object: a vote");
    for (size_t r = 0; r < ROLES; r++) {
        const iv_json *m = v->asked[r].ptr != NULL ? iv_json_find(x, v->asked[r]) : NULL;
        for (size_t i = 0; v->asked[r].ptr == NULL && m == NULL && usual[r][i] != NULL; i++)
            m = iv_json_find(x, iv_str_of(usual[r][i]));
        if (m == NULL && (r <= WINNER || v->asked[r].ptr != NULL))
            return no_column(v, r, line, err);
        if (m != NULL && iv_json_kind_of(m) == IV_JSON_TEXT)
            cell[r] = iv_json_string(m);
        else if (m != NULL && iv_json_kind_of(m) == IV_JSON_NUMBER)
            cell[r] = (iv_str){ number[r], iv_format_real(number[r], iv_json_number(m)) };
        else if (m != NULL && iv_json_kind_of(m) != IV_JSON_NULL)
            return iv_fail_at(err, IV_EPARSE, v->path, line, "%s is no text, expected one",
                              roles[r]);
        if (cell[r].len > 0 && memchr(cell[r].ptr, '\0', cell[r].len) != NULL)
            return iv_fail_at(err, IV_EPARSE, v->path, line, "%s has a character 0", roles[r]);
        v->has_item = v->has_item || (r == ITEM && m != NULL);
    }
    return add_vote(v, cell, line, err);
}

/* JSON lines, or an array of records. */
static int read_json(voting *v, iv_str text, const iv_work *work, iv_err *err)
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

static int read_votes(voting *v, iv_result *out, const iv_work *work, iv_err *err)
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

/* --------------------------------------------------------------- the tables -- */

typedef struct system_row {
    iv_str system;
    iv_interval strength;
    double elo;
    const char *ranks;
    size_t rank_lower, rank_upper, wins, losses, ties;
} system_row;

typedef struct pair_row {
    iv_str a, b;
    size_t votes;
    iv_preference_pair is;
} pair_row;

const iv_field iv_prefer_pair_fields[] = {
    { "a", IV_AT(pair_row, a), .about = "the stronger system" },
    { "b", IV_AT(pair_row, b), .about = "the other system" },
    { "votes", IV_AT(pair_row, votes), .about = "between the two" },
    { "wins", IV_AT(pair_row, is.wins), .about = "votes for a" },
    { "losses", IV_AT(pair_row, is.losses), .about = "votes for b" },
    { "ties", IV_AT(pair_row, is.ties), .about = "votes for neither" },
    { "difference", IV_AT(pair_row, is.difference), .digits = 3,
      .about = "strength of a less that of b, from the votes on all pairs" },
    { "se", IV_AT(pair_row, is.se), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(pair_row, is., 3),
    { "p", IV_AT(pair_row, is.p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "p-value of equal strengths" },
    { "p_holm", IV_AT(pair_row, is.p_holm), .digits = 4, .heading = "p (Holm)",
      .about = "p-value, corrected for all pairs (Holm)" },
    { NULL } };

const iv_field iv_prefer_system_fields[] = {
    { "system", IV_AT(system_row, system), .about = "name of the system" },
    { "strength", IV_AT(system_row, strength.value), .digits = 3,
      .about = "log scale with mean 0: if two strengths differ by 1, the odds of winning "
               "are 2.7 to 1" },
    { "se", IV_AT(system_row, strength.se), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(system_row, strength., 3),
    { "elo", IV_AT(system_row, elo), .digits = 0, .audience = IV_IF_VERBOSE,
      .about = "strength on the Elo scale with mean 1,000: 400 points are odds of 10 to 1" },
    { "ranks", IV_AT(system_row, ranks), .audience = IV_FOR_PEOPLE,
      .about = "ranks still possible, for all systems at once, with the stated confidence" },
    { "rank_lower", IV_AT(system_row, rank_lower), .audience = IV_FOR_PROGRAMS,
      .about = "best possible rank (simultaneous)" },
    { "rank_upper", IV_AT(system_row, rank_upper), .audience = IV_FOR_PROGRAMS,
      .about = "worst possible rank (simultaneous)" },
    { "wins", IV_AT(system_row, wins), .about = "votes for the system" },
    { "losses", IV_AT(system_row, losses), .about = "votes for its opponents" },
    { "ties", IV_AT(system_row, ties), .about = "votes for neither" },
    { NULL } };

/* What being shown first does. */
typedef struct position_row {
    size_t first, second, ties;
    iv_interval effect;
    double p;
} position_row;

const iv_field iv_prefer_position_fields[] = {
    { "first", IV_AT(position_row, first), .about = "votes for the system shown first" },
    { "second", IV_AT(position_row, second), .about = "votes for the system shown second" },
    { "ties", IV_AT(position_row, ties), .about = "votes for neither" },
    { "effect", IV_AT(position_row, effect.value), .digits = 3,
      .about = "log odds of winning added by being shown first" },
    { "se", IV_AT(position_row, effect.se), .digits = 3, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(position_row, effect., 3),
    { "p", IV_AT(position_row, p), .digits = 4, .about = "p-value of no effect of the position" },
    { NULL } };

typedef struct judge_row {
    iv_str judge;
    size_t votes, ties, shared;
    double agreement, lower, upper;
} judge_row;

const iv_field iv_prefer_judge_fields[] = {
    { "judge", IV_AT(judge_row, judge), .about = "name of the judge" },
    { "votes", IV_AT(judge_row, votes), .about = "votes of the judge" },
    { "ties", IV_AT(judge_row, ties), .about = "votes for neither" },
    { "shared", IV_AT(judge_row, shared), .audience = IV_IF_VARIES,
      .about = "comparisons also judged by the human judge, or, if there is none, by any other" },
    { "agreement", IV_AT(judge_row, agreement), .digits = 3, .audience = IV_IF_ANY,
      .about = "proportion of shared comparisons with the same winner" },
    IV_LIMITS_FOR(judge_row, , 3, IV_IF_ANY),
    { NULL } };

static const iv_message messages[] = {
    { "prefer.position", IV_WARNING, NULL,
      "The position matters: the system shown first gets {a} log odds more (p = {b}). Show pairs "
      "in both orders, or use --position." },
    { "prefer.few", IV_WARNING, NULL,
      "{n} system[ has|s have] fewer than {a} votes: [its|their] interval[|s] may be too "
      "narrow." },
    { "prefer.constant", IV_WARNING, NULL,
      "No interval for {n} system[|s]: all [its|their] votes are as the model predicts, so the "
      "variance cannot be estimated." },
    { "prefer.few-items", IV_WARNING, NULL,
      "The votes are on {n} items only: intervals may be too narrow." },
    { "prefer.these-judges", IV_NOTE, NULL,
      "The intervals are about [this judge|these {n} judges]: fewer than {a} say too little about "
      "the preferences of others." },
    { "prefer.no-item", IV_NOTE, NULL,
      "There is no column 'item', so votes count as independent. If several votes are on one "
      "prompt, name the column of prompts with --columns item=NAME." },
    { "prefer.skipped", IV_NOTE, NULL,
      "{n} vote[|s] without a winner [is|are] excluded." },
    { NULL } };

/* --------------------------------------------------------------- agreement -- */

/* Two systems, in whichever order they were shown. */
static uint64_t pair_of(const iv_vote *v)
{
    return v->a < v->b ? (uint64_t)v->a << 32 | v->b : (uint64_t)v->b << 32 | v->a;
}

static int by_comparison(const void *a, const void *b)
{
    const iv_vote *x = *(const iv_vote *const *)a, *y = *(const iv_vote *const *)b;
    const uint64_t p = pair_of(x), q = pair_of(y);

    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return p != q ? (p < q ? -1 : 1) : (x > y) - (x < y);
}

/* The winner's number; SIZE_MAX: none. */
static size_t winner_number(const iv_vote *v)
{
    return v->winner == IV_PREFERS_NONE ? SIZE_MAX : v->winner == IV_PREFERS_A ? v->a : v->b;
}

/* Of one comparison: the proportion of pairs of votes, j's and people's or others', that agree. */
static double agreement(const iv_vote *const *at, size_t count, uint32_t j, uint32_t human)
{
    size_t pairs = 0, same = 0;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; at[i]->judge == j && k < count; k++)
            if (human != IV_NO_ID ? at[k]->judge == human && j != human
                                  : at[k]->judge != j) {
                pairs++;
                same += winner_number(at[i]) == winner_number(at[k]);
            }
    return pairs > 0 ? (double)same / (double)pairs : (double)NAN;
}

static int put_judges(iv_result *out, voting *v, double confidence, iv_err *err)
{
    const size_t J = v->judges.count;
    const char *name = v->q->human != NULL ? v->q->human : "human";
    const uint32_t human = iv_ids_find(&v->judges, iv_str_of(name));
    judge_row *rows = iv_take(v->own, J, sizeof *rows);
    const iv_vote **sorted = iv_take(v->own, v->count, sizeof(const iv_vote *));
    double *x = iv_take(v->own, v->count, sizeof *x);
    uint32_t *cluster = iv_take(v->own, v->count, sizeof *cluster);

    if (v->q->human != NULL && human == IV_NO_ID)
        return iv_fail(err, IV_EARG, "no judge '%.80s'", name);
    IV_TRY(iv_taken(v->own, err));
    for (size_t i = 0; i < v->count; i++) {
        const iv_vote *w = &v->votes[i];
        sorted[i] = w;
        rows[w->judge].votes++;
        rows[w->judge].ties += w->winner == IV_PREFERS_NONE;
    }
    qsort(sorted, v->count, sizeof(const iv_vote *), by_comparison);
    for (size_t j = 0; j < J; j++) {
        size_t *shared = &rows[j].shared;
        iv_structured m;
        iv_mean_interval ci;
        rows[j].judge = v->judges.names[j];
        rows[j].agreement = rows[j].lower = rows[j].upper = (double)NAN;
        for (size_t from = 0, to; v->has_item && from < v->count; from = to) {
            for (to = from; to < v->count && sorted[to]->item == sorted[from]->item
                 && pair_of(sorted[to]) == pair_of(sorted[from]);)
                to++;
            x[*shared] = agreement(sorted + from, to - from, (uint32_t)j, human);
            cluster[*shared] = sorted[from]->item;
            *shared += isnan(x[*shared]) ? 0U : 1U;
        }
        const iv_structure s = { .cluster = cluster, .clusters = v->items.count };
        if (*shared == 0)
            continue;
        IV_TRY(iv_structured_mean(&m, x, *shared, &s, 0, err));
        IV_TRY(iv_structured_interval(&ci, &m, true, IV_INTERVAL_AUTO, confidence, err));
        rows[j].agreement = m.mean;
        rows[j].lower = ci.lower;
        rows[j].upper = ci.upper;
    }
    iv_table_head(IV_TABLE(out, "judges", iv_prefer_judge_fields, rows, J), "shared",
                  human != IV_NO_ID ? "shared with human judge" : "shared with others");
    if (v->has_item)
        iv_result_used(out, "clustered");
    return IV_OK;
}

/* --------------------------------------------------------------- the answer -- */

static int by_strength(const void *a, const void *b)
{
    const system_row *x = a, *y = b;

    if (x->strength.value != y->strength.value && !isnan(x->strength.value))
        return x->strength.value > y->strength.value ? -1 : 1;
    return iv_str_cmp(x->system, y->system);
}

static void answer_none(iv_result *out, const voting *v)
{
    static const char *const why[] = {
        [IV_PREFERENCE_APART] = "the comparisons do not connect all systems, so some cannot be "
                                "compared",
        [IV_PREFERENCE_ENDS] = "some systems never lost to the others, so there is no finite "
                               "estimate. Collect more votes between them",
        [IV_PREFERENCE_TIES] = "ties and wins do not overlap, so there is no finite estimate. "
                               "Collect more votes",
        [IV_PREFERENCE_POSITION] = "with the effect of the position, there is no finite estimate. "
                                   "Collect more votes, or leave out --position",
        [IV_PREFERENCE_ONE_ITEM] = "all votes are on one item, so nothing is known about others" };
    const size_t i = v->fit.example;

    if (v->fit.gap == IV_PREFERENCE_ENDS && i < v->systems.count)
        iv_result_answer(out, "No strengths: %.*s %s, so its strength has no finite estimate. "
                         "Collect more votes, or exclude it.", (int)v->systems.names[i].len,
                         v->systems.names[i].ptr,
                         v->fit.systems[i].wins == 0 ? "never won" : "never lost");
    else
        iv_result_answer(out, "No strengths: %s.", why[v->fit.gap]);
}

static void answer_best(iv_result *out, const voting *v, const system_row *rows,
                        double confidence)
{
    const size_t K = v->systems.count, tied = rows[0].rank_upper - 1;
    size_t alike = 1;
    iv_wording w = { .len = 0 };

    while (alike < K && rows[alike].strength.value == rows[0].strength.value)
        alike++;
    if (alike == K) {
        iv_result_answer(out, "No system is preferred most: all %zu strengths are equal.", K);
        return;
    }
    iv_say(&w, "%.*s", (int)rows[0].system.len, rows[0].system.ptr);
    if (alike > 1)
        iv_say(&w, ", as strong as %zu other%s,", alike - 1, alike > 2 ? "s" : "");
    iv_say(&w, " is preferred most");
    if (v->has_judge && v->judges.count == 1)
        iv_say(&w, " by this judge");
    else if (v->has_judge && v->judges.count < IV_MANY_JUDGES)
        iv_say(&w, " by these %zu judges", v->judges.count);
    iv_say(&w, " (Bradley-Terry strength %.2f", rows[0].strength.value);
    if (!isnan(rows[0].strength.lower))
        iv_say(&w, ", %g %% interval %.2f to %.2f", 100.0 * confidence, rows[0].strength.lower,
               rows[0].strength.upper);
    iv_say(&w, "), ");
    if (tied == 0)
        iv_say(&w, "significantly more than %s.", K == 2 ? "the other" : "all others");
    else if (tied == K - 1)
        iv_say(&w, "but not significantly more than any other system.");
    else
        iv_say(&w, "significantly more than %zu of %zu others.", K - 1 - tied, K - 1);
    iv_result_answer(out, "%s", w.at);
}

static void put_systems(iv_result *out, voting *v, system_row *rows, double confidence)
{
    const size_t K = v->systems.count;
    size_t few = 0, constant = 0;

    for (size_t i = 0; i < K; i++) {
        const iv_strength *s = &v->fit.systems[i];
        char ranks[48];
        (void)snprintf(ranks, sizeof ranks, s->rank_lower == s->rank_upper ? "%zu" : "%zu-%zu",
                       s->rank_lower, s->rank_upper);
        rows[i] = (system_row){ .system = v->systems.names[i],
                                .strength = { s->value, s->se, s->lower, s->upper },
                                .elo = 1000.0 + 400.0 / log(10.0) * s->value,
                                .ranks = iv_arena_copy(v->own, iv_str_of(ranks)),
                                .rank_lower = s->rank_lower, .rank_upper = s->rank_upper,
                                .wins = s->wins, .losses = s->losses, .ties = s->ties };
        few += (double)(s->wins + s->losses + s->ties) < iv_caution_at(IV_FEW_VOTES);
        constant += isnan(s->se) ? 1U : 0U;
    }
    qsort(rows, K, sizeof *rows, by_strength);
    IV_TABLE(out, "systems", iv_prefer_system_fields, rows, K,
             .drawn = { "strength", "lower", "upper" });
    if (v->fit.gap != IV_PREFERENCE_EXISTS) {
        answer_none(out, v);
        iv_result_used(out, "preference-exists");
        return;
    }
    answer_best(out, v, rows, confidence);
    iv_result_used(out, isnan(v->fit.tie) ? "bradley-terry" : "davidson");
    const bool judges = v->has_judge && v->judges.count >= IV_MANY_JUDGES;
    if (judges && v->has_item)
        iv_result_used(out, "two-way-sandwich");
    else
        iv_result_used_with(out, "preference-sandwich", judges ? " over judges" : v->has_item
                            ? " over items" : " over votes");
    iv_result_used(out, "rank-intervals");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "systems", .title = "Leaderboard",
        .caption = "A point is a system's strength. The line is its interval. If two strengths "
                   "differ by 1, the odds of winning are 2.7 to 1.",
        .label = "system", .value = "strength", .lower = "lower",
        .upper = "upper", .sorted = true });
    iv_result_say(out, messages, "prefer.constant", (iv_found){ constant, { 0 } });
    iv_result_say(out, messages, "prefer.few", (iv_found){ few, { iv_caution_at(IV_FEW_VOTES) } });
    iv_result_say(out, messages, "prefer.these-judges",
                  (iv_found){ v->has_judge && !judges ? v->judges.count : 0, { IV_MANY_JUDGES } });
    if (v->has_item && (double)v->fit.clusters < iv_caution_at(IV_FEW_VOTES))
        iv_result_say(out, messages, "prefer.few-items", (iv_found){ v->fit.clusters, { 0 } });
}

static int by_difference(const void *a, const void *b)
{
    const iv_preference_pair *x = a, *y = b;

    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* All pairs, the stronger system first; in the order of the systems. */
static int put_pairs(iv_result *out, voting *v, const system_row *systems, iv_err *err)
{
    const size_t K = v->systems.count, n = v->fit.pair_count;
    pair_row *rows = iv_take(v->own, n + 1, sizeof *rows);
    size_t *place = iv_take(v->own, K + 1, sizeof *place);

    IV_TRY(iv_taken(v->own, err));
    for (size_t i = 0; i < K; i++)
        place[iv_ids_find(&v->systems, systems[i].system)] = i;
    for (size_t i = 0; i < n; i++) {
        v->fit.pairs[i].a = place[v->fit.pairs[i].a];
        v->fit.pairs[i].b = place[v->fit.pairs[i].b];
    }
    qsort(v->fit.pairs, n, sizeof *v->fit.pairs, by_difference);
    for (size_t i = 0; i < n; i++) {
        const iv_preference_pair *x = &v->fit.pairs[i];
        rows[i] = (pair_row){ .a = systems[x->a].system, .b = systems[x->b].system, .is = *x,
                              .votes = x->wins + x->losses + x->ties };
    }
    if (n > 0)
        IV_TABLE(out, "pairs", iv_prefer_pair_fields, rows, n,
                 .showing = n <= PAIRS_READ ? IV_SHOWN : IV_LONG,
                 .drawn = { "difference", "lower", "upper" });
    else if (K > IV_PREFERENCE_PAIRED)
        iv_result_legend(out, "There is no table of pairs for more than %d systems.",
                         IV_PREFERENCE_PAIRED);
    return IV_OK;
}

static void put_position(iv_result *out, const voting *v, double confidence)
{
    const iv_preferences *f = &v->fit;
    position_row r = {
        .effect = { f->position, f->position_se, f->position_lower, f->position_upper },
        .p = f->position_p };

    for (size_t i = 0; i < v->count; i++) {
        r.first += v->votes[i].winner == IV_PREFERS_A;
        r.second += v->votes[i].winner == IV_PREFERS_B;
        r.ties += v->votes[i].winner == IV_PREFERS_NONE;
    }
    IV_TABLE(out, "position", iv_prefer_position_fields, &r, 1,
             .showing = v->q->position ? IV_SHOWN : IV_ASIDE);
    if (v->q->position)
        iv_result_used(out, "position-effect");
    iv_result_say(out, messages, "prefer.position",
                  (iv_found){ !v->q->position && f->position_p < 1.0 - confidence ? 1U : 0U,
                              { f->position, f->position_p } });
}

static int answer_votes(iv_result *out, voting *v, const iv_work *work, iv_err *err)
{
    typedef iv_prefer_question T;
    const double confidence = v->q->confidence > 0.0 ? v->q->confidence : 0.95;

    IV_TRY(read_votes(v, out, work, err));
    if (v->count == 0 || v->systems.count < 2)
        return iv_fail_at(err, IV_ENODATA, v->path, 0, v->others > 0
                          ? "no vote of the judges that were named" : "there is no vote");
    IV_TRY(iv_preference_fit(&v->fit, v->votes, v->count, v->systems.count,
                             v->has_item ? v->items.count : 0,
                             v->has_judge && v->judges.count >= IV_MANY_JUDGES
                                 ? v->judges.count : 0,
                             v->q->position, confidence, v->own, err));
    system_row *rows = iv_take(v->own, v->systems.count, sizeof *rows);
    IV_TRY(iv_taken(v->own, err));
    put_systems(out, v, rows, confidence);
    IV_TRY(put_pairs(out, v, rows, err));
    put_position(out, v, confidence);
    iv_result_say(out, messages, "prefer.no-item", (iv_found){ v->has_item ? 0U : 1U, { 0 } });
    iv_result_say(out, messages, "prefer.skipped", (iv_found){ v->skipped, { 0 } });
    iv_result_assumption(out, "The %s are a random sample of those of interest, and one strength "
                         "per system explains all its comparisons.", !v->has_item ? "votes"
                         : v->has_judge && v->judges.count >= IV_MANY_JUDGES ? "items and judges"
                         : "items");
    return v->judges.count > 1 ? put_judges(out, v, confidence, err)
        : IV_REFUSE(v->q, "without votes of several judges", err, IV_IDLE(human, "human"));
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    voting v = { .q = asked, .own = iv_result_own(out) };

    v.path = v.q->file != NULL ? v.q->file : "table";
    const int rc = answer_votes(out, &v, work, err);
    iv_ids_free(&v.systems);
    iv_ids_free(&v.items);
    iv_ids_free(&v.judges);
    return rc;
}

int iv_answer_prefer(iv_result *out, const iv_prefer_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_prefer_question, file, PATH, "the votes"),
        IV_PART_OF(iv_prefer_question, columns, TEXTS, "name of a column"),
        IV_PART_OF(iv_prefer_question, judges, TEXTS, "name of a judge"),
        IV_PART_OF(iv_prefer_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
