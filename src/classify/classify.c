/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to classify: takes columns by what they hold, and has roc or prf answer. */
#include "base/err.h"
#include "base/names.h"
#include "intervale/classify.h"
#include "result/answering.h"
#include "result/result_state.h"
#include "result/wording.h"
#include "trec/class_columns.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/gold.h"
#include "trec/trec_ends.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FOUND_GROUPS = 20 };

IV_ENDS(labels)

/* What columns are. */
typedef struct column_list {
    const char **at;
    size_t count;
} column_list;

typedef struct sorting {
    const iv_classify_question *q;
    const iv_csv *t;
    iv_arena *own;
    iv_str *gold; /* its labels, sorted */
    size_t gold_count;
    column_list scores, labels, groups, unused;
    bool many; /* three or more classes, each with a column of scores */
} sorting;

static int by_text(const void *a, const void *b)
{
    return iv_str_cmp(*(const iv_str *)a, *(const iv_str *)b);
}

/* The different texts of a column, sorted; missing cells are none. */
static int distinct(iv_str **out, size_t *count, const sorting *s, size_t column, iv_err *err)
{
    const size_t n = iv_csv_rows(s->t);
    iv_str *at = iv_take(s->own, n + 1, sizeof *at);
    size_t cells = 0, kept = 0;

    IV_TRY(iv_taken(s->own, err));
    for (size_t i = 0; i < n; i++)
        if (!iv_csv_is_missing(iv_csv_cell(s->t, i, column)))
            at[cells++] = iv_bit_of(iv_csv_cell(s->t, i, column));
    qsort(at, cells, sizeof *at, by_text);
    for (size_t i = 0; i < cells; i++)
        if (i == 0 || iv_str_cmp(at[kept - 1], at[i]) != 0)
            at[kept++] = at[i];
    *out = at;
    *count = kept;
    return IV_OK;
}

static void add(column_list *to, const char *name) { to->at[to->count++] = name; }

static bool is_listed(const iv_texts *names, iv_str name)
{
    for (size_t i = 0; i < names->count; i++)
        if (iv_str_cmp(iv_str_of(names->at[i]), name) == 0)
            return true;
    return false;
}

static int sort_column(sorting *s, size_t column, iv_err *err)
{
    const iv_str name = iv_csv_column(s->t, column);
    const char *copy = iv_arena_copy(s->own, name);
    iv_str *texts;
    size_t count, numbers = 0, labels = 0;
    double x;

    IV_TRY(iv_taken(s->own, err));
    IV_TRY(distinct(&texts, &count, s, column, err));
    for (size_t i = 0; i < count; i++) {
        numbers += iv_scan_real(&x, texts[i]);
        labels += bsearch(&texts[i], s->gold, s->gold_count, sizeof *s->gold, by_text) != NULL;
    }
    const bool wanted = s->q->named.count == 0 || is_listed(&s->q->named, name);
    const bool groups = s->q->columns.count == 0 && memchr(name.ptr, ',', name.len) == NULL;
    if (wanted && count > 0 && labels == count && !iv_is_gold_name(name))
        add(&s->labels, copy);
    else if (wanted && count > 0 && numbers == count && !iv_is_gold_name(name))
        add(&s->scores, copy);
    else if (groups && numbers == 0 && count >= 2 && count <= MOST_FOUND_GROUPS)
        add(&s->groups, copy);
    else
        add(&s->unused, copy);
    return IV_OK;
}

/* "group=NAME", several between commas, names this column. */
static bool is_group(const iv_texts *columns, iv_str name)
{
    for (size_t i = 0; i < columns->count; i++)
        for (const char *at = columns->at[i]; at != NULL && strncmp(at, "group=", 6) == 0;) {
            const size_t len = strcspn(at + 6, ",");
            if (iv_str_cmp((iv_str){ at + 6, len }, name) == 0)
                return true;
            at = at[6 + len] == ',' ? at + 7 + len : NULL;
        }
    return false;
}

static int sort_columns(sorting *s, iv_str *gold, iv_err *err)
{
    const size_t columns = iv_csv_columns(s->t), id = iv_id_column(s->t);
    column_list *const lists[] = { &s->scores, &s->labels, &s->groups, &s->unused };
    size_t gold_column;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        lists[i]->at = iv_take(s->own, columns, sizeof *lists[i]->at);
    IV_TRY(iv_taken(s->own, err));
    IV_TRY(iv_gold_column(&gold_column, s->t, s->q->gold, &s->q->named, err));
    IV_TRY(distinct(&s->gold, &s->gold_count, s, gold_column, err));
    for (size_t i = 0; i < s->q->named.count; i++)
        if (iv_csv_find(s->t, iv_str_of(s->q->named.at[i])) == IV_NONE)
            return iv_csv_lacks(s->t, &(iv_column_role){ .names = s->q->named.at[i] }, "", err);
    *gold = iv_csv_column(s->t, gold_column);
    for (size_t c = 0; c < columns; c++)
        if (c != gold_column && c != id && !is_group(&s->q->columns, iv_csv_column(s->t, c)))
            IV_TRY(sort_column(s, c, err));
    for (size_t i = 0; s->scores.count > 0 && i < s->labels.count; i++)
        add(&s->unused, s->labels.at[i]);
    return s->scores.count + s->labels.count > 0 ? IV_OK
        : iv_csv_refuse(s->t, IV_NONE, err, "no column of scores, or of labels that '%.*s' has",
                        (int)gold->len, gold->ptr);
}

/* ------------------------------------------------------------------- answer -- */

static void say_list(iv_wording *w, const char *what, const column_list *l)
{
    for (size_t i = 0; i < l->count; i++)
        iv_say(w, "%s%.80s", i == 0 ? what : ", ", l->at[i]);
}

static void note_columns(iv_result *out, const sorting *s, iv_str gold)
{
    iv_wording w = { .len = 0 };

    iv_say(&w, "Columns: gold %.*s", (int)gold.len, gold.ptr);
    say_list(&w, "; scores ", &s->scores);
    if (s->scores.count == 0)
        say_list(&w, "; labels ", &s->labels);
    say_list(&w, "; groups ", &s->groups);
    say_list(&w, "; not used ", &s->unused);
    iv_result_note(out, "%s (--gold, --system, --columns group=NAME).", w.at);
}

/* "group=NAME" of each group. */
static int name_groups(iv_texts *out, const sorting *s, iv_err *err)
{
    const char **texts = iv_take(s->own, s->groups.count + 1, sizeof *texts);

    IV_TRY(iv_taken(s->own, err));
    *out = s->q->columns;
    for (size_t i = 0; i < s->groups.count; i++) {
        iv_wording w = { .len = 0 };
        iv_say(&w, "group=%s", s->groups.at[i]);
        texts[i] = iv_arena_copy(s->own, iv_str_of(w.at));
        *out = (iv_texts){ texts, s->groups.count };
    }
    return iv_taken(s->own, err);
}

static int answer_scores(iv_result *out, const sorting *s, const char *gold, iv_texts groups,
                         const iv_work *work, iv_err *err)
{
    const iv_classify_question *q = s->q;
    const double at = q->threshold == IV_ZERO ? 0.0 : q->threshold;
    iv_roc_question roc = { .table = s->t, .gold = gold, .positive = q->positive,
                            .named = { s->scores.at, s->scores.count }, .columns = groups,
                            .confidence = q->confidence, .summary = true };

    if (q->threshold != 0.0)
        roc.fixed = (iv_reals){ &at, 1 };
    if (s->many)
        roc.named = q->named;
    return iv_answer_roc(out, &roc, work, err);
}

static int answer_labels(iv_result *out, const sorting *s, const char *gold, iv_texts groups,
                         const iv_work *work, iv_err *err)
{
    const iv_classify_question *q = s->q;
    const iv_labels_options as = { .positive = q->positive, .gold = gold,
                                   .systems = { s->labels.at, s->labels.count },
                                   .columns = groups };
    iv_prf_question prf = { .how = { .confidence = q->confidence,
                                     .paired = s->labels.count > 1 } };
    iv_labels *labels;

    if (q->threshold != 0.0)
        return iv_fail(err, IV_EARG, "a threshold needs scores, and these are labels");
    IV_TRY(iv_labels_parse(&labels, s->t->path, s->t->bytes.ptr, s->t->bytes.len, &as, err));
    IV_TRY(IV_KEEP(out, labels, labels, err));
    prf.from.labelled = labels;
    return iv_answer_prf(out, &prf, work, err);
}

/* Four pictures first, and tables of details folded. */
static void arrange(iv_result *out)
{
    static const char *const first[] = { "ROC curves", "The systems", "The metrics", "Reliability",
                                         "The differences", "The groups", "Confusion" };
    static const char *const open[] = { "measures", "operating", "classes", "comparison", "gaps",
                                        "groups" };
    size_t placed = 0;

    for (size_t f = 0; f < sizeof first / sizeof *first; f++)
        for (size_t i = placed; i < out->chart_count; i++)
            if (strcmp(out->charts[i].title, first[f]) == 0) {
                const iv_chart found = out->charts[i];
                memmove(out->charts + placed + 1, out->charts + placed,
                        (i - placed) * sizeof found);
                out->charts[placed++] = found;
            }
    for (size_t i = 0; i < out->table_count; i++) {
        bool stays = false;
        for (size_t k = 0; k < sizeof open / sizeof *open; k++)
            stays = stays || strcmp(out->tables[i]->name, open[k]) == 0;
        if (!stays)
            iv_table_showing(out->tables[i], IV_FOLDED);
    }
}

/* Scores of three or more classes have no groups yet. */
static int find_classes(sorting *s, const char *gold, iv_err *err)
{
    if (s->scores.count > 0 && s->q->positive == NULL)
        IV_TRY(iv_gold_multiclass(&s->many, s->t, gold, &s->q->named, err));
    for (size_t i = 0; s->many && i < s->groups.count; i++)
        add(&s->unused, s->groups.at[i]);
    s->groups.count = s->many ? 0 : s->groups.count;
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    sorting s = { .q = asked, .own = iv_result_own(out) };
    iv_csv *loaded = NULL;
    iv_texts groups;
    iv_str gold;

    if (s.q->file != NULL) {
        IV_TRY(iv_csv_load(&loaded, s.q->file, work, err));
        IV_TRY(IV_KEEP(out, csv, loaded, err));
        iv_result_input(out, s.q->file, iv_csv_bytes(loaded));
    }
    s.t = loaded != NULL ? loaded : s.q->table;
    if (s.t == NULL)
        return iv_fail(err, IV_ENODATA, "no table, expected a file or one in memory");
    IV_TRY(sort_columns(&s, &gold, err));
    const char *name = iv_arena_copy(s.own, gold);
    IV_TRY(iv_taken(s.own, err));
    IV_TRY(find_classes(&s, name, err));
    IV_TRY(name_groups(&groups, &s, err));
    note_columns(out, &s, gold);
    IV_TRY(s.scores.count > 0 ? answer_scores(out, &s, name, groups, work, err)
                              : answer_labels(out, &s, name, groups, work, err));
    arrange(out);
    return IV_OK;
}

int iv_answer_classify(iv_result *out, const iv_classify_question *q, const iv_work *work,
                       iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_classify_question, file, PATH, "the table"),
        IV_PART_OF(iv_classify_question, named, TEXTS, "name of a system"),
        IV_PART_OF(iv_classify_question, columns, TEXTS, "name of a column"),
        IV_PART_OF(iv_classify_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
