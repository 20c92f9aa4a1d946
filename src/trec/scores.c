/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of any kind: records become numbers of names, each once. */
#include "base/err.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "trec/score_records.h"
#include "trec/score_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_BETWEEN = 4096 }; /* that are read before work is asked again */

IV_NAMES(iv_score_role_names, "system", "item", "score", "measure", "repeat", "cluster", "set",
         "weight", "human", "stratum", "group", "date")

size_t iv_score_role_named(iv_str name)
{
    size_t role = 0;

    if (iv_str_cmp(name, iv_str_of("suite")) == 0)
        return IV_ROLE_SUITE;
    while (role < IV_SCORE_ROLES && iv_str_cmp(name, iv_str_of(iv_score_role_names()[role])) != 0)
        role++;
    return role;
}

const char *const *iv_score_usual(iv_score_role role, bool dated)
{
    enum { NAMES = 15 };
    static const char *const all[IV_SCORE_ROLES][NAMES] = {
        { "system", "run", "model", "agent", "eval_id" },
        { "item", "topic", "query", "query_id", "qid", "question_id", "doc_id", "id", "sample_id",
          "question", "prompt", "task_id", "instance_id", "user_input" },
        { "score", "value", "correct", "acc", "exact_match", "f1", "resolved", "is_resolved",
          "success", "passed", "reward" }, { "measure", "metric" },
        { "repeat", "epoch", "seed", "attempt", "trial" }, { "cluster" },
        { "suite", "set", "dataset", "task", "task_name", "subset" }, { "weight" },
        { NULL }, { NULL }, { NULL }, { "date", "night", "day" } };

    return role == IV_ROLE_DATE && !dated ? &all[role][NAMES - 1] : all[role];
}

bool iv_score_named_for_other(const iv_scores_reader *r, size_t role, iv_str column)
{
    for (size_t k = 0; k < IV_SCORE_ROLES; k++)
        if (k != role && r->asked[k].ptr != NULL && iv_same_name(r->asked[k], column))
            return true;
    for (size_t k = 0; k < r->more_count && role != IV_ROLE_SCORE; k++)
        if (iv_same_name(r->more[k], column))
            return true;
    return false;
}

bool iv_score_task_is_item(iv_scores_reader *r, iv_str column)
{
    if (r->asked[IV_ROLE_SUITE].ptr != NULL || r->asked[IV_ROLE_ITEM].ptr != NULL
        || !iv_is_named(column, "task,task_name"))
        return false;
    r->taken[IV_ROLE_SUITE][0] = '\0';
    iv_score_taken(r, IV_ROLE_ITEM, column);
    return true;
}

void iv_score_taken(iv_scores_reader *r, iv_score_role role, iv_str column)
{
    if (r->taken[role][0] == '\0')
        (void)snprintf(r->taken[role], sizeof r->taken[role], "%.*s",
                       (int)(column.len < 60 ? column.len : 60), column.ptr);
}

bool iv_score_of(double *out, iv_str text, bool grades)
{
    static const char *const words[] = { "true", "True", "TRUE", "false", "False", "FALSE",
                                         "C", "I", "P", "N" };
    static const double word_values[] = { 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0 };

    for (size_t i = 0; i < (grades ? 10U : 6U); i++) {
        if (iv_str_cmp(text, iv_str_of(words[i])) == 0) {
            *out = word_values[i];
            return true;
        }
    }
    return iv_scan_real(out, text);
}

/* ---------------------------------------------------------------- names -- */

/* The same of what belongs to a set: one name may be in several. */
static int number_within(uint32_t *out, iv_ids *n, iv_str set, iv_str name, iv_arena *own,
                         iv_err *err)
{
    char small[512], *both = small;
    const size_t len = set.len + 1 + name.len;

    if (set.ptr == NULL)
        return iv_ids_number(out, n, name, own, err);
    if (len >= sizeof small && (both = malloc(len + 1)) == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    memcpy(both, set.ptr, set.len);
    both[set.len] = '/';
    memcpy(both + set.len + 1, name.ptr, name.len);
    const int rc = iv_ids_number(out, n, (iv_str){ both, len }, own, err);
    if (both != small)
        free(both);
    return rc;
}

/* ------------------------------------------------------- what items have -- */

/* The item of a record with its cluster and weight, which must be what they were. */
static int place_item(iv_one_score *e, iv_scores_reader *r, const iv_score_file *f, uint64_t line,
                      const iv_score_record *x, iv_str set, iv_err *err)
{
    uint32_t *item = &e->item;
    const iv_str cluster = x->text[IV_ROLE_CLUSTER];
    const size_t before = r->items.count;
    uint32_t c = IV_NO_ID, s = IV_NO_ID, g = IV_NO_ID;
    char quoted[IV_QUOTE_SIZE];

    if (set.ptr != NULL)
        IV_TRY(iv_ids_number(&s, &r->suites, set, &r->to->own, err));
    IV_TRY(number_within(item, &r->items, set, x->text[IV_ROLE_ITEM], &r->to->own, err));
    if (cluster.len > 0)
        IV_TRY(number_within(&c, &r->clusters, set, cluster, &r->to->own, err));
    if (x->text[IV_ROLE_GROUP].len > 0)
        IV_TRY(iv_ids_number(&g, &r->groups, x->text[IV_ROLE_GROUP], &r->to->own, err));
    e->group = g;
    r->clustered = r->clustered || cluster.len > 0;
    r->weighted = r->weighted || !isnan(x->weight);
    const double w = isnan(x->weight) ? 1.0 : x->weight;
    if (*item == before) {
        if (!IV_ROOM(r->cluster, r->cluster_room, *item + 1)
            || !IV_ROOM(r->suite, r->suite_room, *item + 1)
            || !IV_ROOM(r->group, r->group_room, *item + 1)
            || !IV_ROOM(r->weight, r->weight_room, *item + 1)
            || !IV_ROOM(r->document, r->document_room, *item + 1))
            return iv_no_memory(err);
        r->cluster[*item] = c;
        r->suite[*item] = s;
        r->group[*item] = g;
        r->weight[*item] = w;
        r->document[*item] = x->document;
        return IV_OK;
    }
    (void)iv_quote(quoted, x->text[IV_ROLE_ITEM]);
    if (r->cluster[*item] != c)
        return iv_fail_at(err, IV_EPARSE, f->name, line, "item %s is in another cluster than "
                          "before, expected one", quoted);
    if (r->group[*item] != g && !r->is_regrouped) {
        r->is_regrouped = true;
        r->regrouped = *e;
    }
    if (r->weight[*item] != w)
        return iv_fail_at(err, IV_EPARSE, f->name, line, "item %s has the weight %g, and before "
                          "%g", quoted, w, r->weight[*item]);
    if (x->document != 0 && r->document[*item] != 0 && x->document != r->document[*item])
        return iv_fail_at(err, IV_EPARSE, f->name, line, "item %s is another document than before "
                          "(doc_hash), expected one"
                          IV_HINT("; --columns item=doc_id takes them as the same"), quoted);
    return IV_OK;
}

/* The system of a record; on a date it is "DATE/SYSTEM". */
static int place_system(uint32_t *system, iv_scores_reader *r, iv_str name, iv_str date,
                        iv_err *err)
{
    const size_t before = r->systems.count;
    iv_arena *own = &r->to->own;

    r->any_date = r->any_date || date.len > 0;
    IV_TRY(number_within(system, &r->systems, date.len > 0 ? date : (iv_str){ NULL, 0 }, name, own,
                         err));
    if (*system < before)
        return IV_OK;
    if (!IV_ROOM(r->plain, r->plain_room, *system + 1)
        || !IV_ROOM(r->date, r->date_room, *system + 1))
        return iv_no_memory(err);
    r->plain[*system] = iv_arena_copy(own, name);
    r->date[*system] = iv_arena_copy(own, date);
    return r->plain[*system] != NULL && r->date[*system] != NULL ? IV_OK : iv_no_memory(err);
}

/* A record without a score is told, not counted. */
static void leave_out(iv_scores_reader *r, const iv_score_file *f, uint64_t line, iv_str system,
                      iv_str item)
{
    char a[IV_QUOTE_SIZE], b[IV_QUOTE_SIZE];

    if (r->to->empty++ == 0)
        (void)snprintf(r->first_empty, sizeof r->first_empty, "%.100s:%llu: %s on item %s",
                       f->name, (unsigned long long)line, iv_quote(a, system), iv_quote(b, item));
}

/* What every record must have. */
static int check_record(const iv_scores_reader *r, const iv_score_file *f, uint64_t line,
                        const iv_score_record *x, iv_str system, iv_str set, iv_err *err)
{
    if (system.len == 0)
        return iv_fail_at(err, IV_EPARSE, f->name, line, "no system, expected a name");
    if (x->text[IV_ROLE_ITEM].len == 0)
        return iv_fail_at(err, IV_EPARSE, f->name, line, "no item, expected a name");
    if (fabs(x->human) > IV_SCORE_MOST)
        return iv_fail_at(err, IV_EPARSE, f->name, line, "the human label %g, expected one from "
                          "-1e100 to 1e100", x->human);
    if (!isnan(x->weight) && !(x->weight >= 1.0 / IV_SCORE_MOST && x->weight <= IV_SCORE_MOST))
        return iv_fail_at(err, IV_EPARSE, f->name, line, "the weight %g, expected above 0 (from "
                          "1e-100 to 1e100)", x->weight);
    if (fabs(x->score) > IV_SCORE_MOST)
        return iv_fail_at(err, IV_EPARSE, f->name, line, "the score %g, expected one from -1e100 "
                          "to 1e100", x->score);
    if ((r->any_suite && set.len == 0) || (r->none_suite && set.len > 0))
        return iv_fail_at(err, IV_EPARSE, f->name, line, "%s, and before there was %s: expected "
                          "a set for every item or for none", set.len == 0 ? "no set" : "a set",
                          set.len == 0 ? "one" : "none");
    return IV_OK;
}

int iv_score_add(iv_scores_reader *r, const iv_score_file *f, uint64_t line,
                 const iv_score_record *record, iv_err *err)
{
    static const iv_str plain = { "score", 5 }, once = { "", 0 };
    iv_score_record with = *record;
    const iv_score_record *x = &with;

    for (size_t k = 0; k < IV_SCORE_ROLES; k++)
        if (f->from[k].ptr != NULL)
            with.text[k] = f->from[k];
    const iv_str system = x->text[IV_ROLE_SYSTEM].ptr != NULL ? x->text[IV_ROLE_SYSTEM]
                                                              : f->system;
    const iv_str said = x->text[IV_ROLE_SUITE];
    const iv_str set = said.len > 0 ? said : f->suite.len > 0 ? f->suite
        : (iv_str){ NULL, 0 };
    const iv_str measure = x->text[IV_ROLE_MEASURE], repeat = x->text[IV_ROLE_REPEAT];
    iv_one_score e = { .file = f->number, .line = line, .stratum = IV_NO_ID,
                       .group = IV_NO_ID, .human = x->human + 0.0 };

    IV_TRY(check_record(r, f, line, x, system, set, err));
    if (++r->added % RECORDS_BETWEEN == 0)
        IV_TRY(iv_check_work(r->work, (double)f->number / (double)(r->files.count + 1), err));
    r->any_suite = r->any_suite || set.len > 0;
    r->none_suite = r->none_suite || set.len == 0;
    r->any_repeat = r->any_repeat || repeat.len > 0;
    IV_TRY(place_system(&e.system, r, system, x->text[IV_ROLE_DATE], err));
    IV_TRY(iv_ids_number(&e.measure, &r->measures, measure.len > 0 ? measure : plain, &r->to->own,
                     err));
    IV_TRY(place_item(&e, r, f, line, x, set, err));
    IV_TRY(iv_ids_number(&e.repeat, &r->repeats, repeat.len > 0 ? repeat : once, &r->to->own, err));
    if (x->text[IV_ROLE_STRATUM].len > 0)
        IV_TRY(iv_ids_number(&e.stratum, &r->strata, x->text[IV_ROLE_STRATUM], &r->to->own, err));
    e.score = x->score + 0.0; /* never -0 */
    r->to->human_alone += isnan(x->score) && !isnan(x->human);
    r->to->human_count += !isnan(x->score) && !isnan(x->human);
    if (isnan(x->score) && f->wide)
        return IV_OK;
    if (isnan(x->score)) {
        leave_out(r, f, line, system, x->text[IV_ROLE_ITEM]);
        return IV_OK;
    }
    if (!IV_ROOM(r->entries, r->capacity, r->count + 1))
        return iv_no_memory(err);
    r->entries[r->count++] = e;
    return IV_OK;
}

/* -------------------------------------------------------------- finishing -- */

static int by_names(const void *a, const void *b)
{
    const iv_one_score *x = a, *y = b;
    const uint32_t p[] = { x->measure, x->system, x->item, x->repeat, x->file };
    const uint32_t q[] = { y->measure, y->system, y->item, y->repeat, y->file };

    for (size_t i = 0; i < 5; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* What to name where two scores are of one system and item: in one file, or in two. */
static const char *what_to_name(const iv_scores_reader *r, bool one_file, char *room, size_t size)
{
    if (one_file && r->other_system != NULL) {
        (void)snprintf(room, size, IV_HINT("; --columns system=%s names other systems"),
                       r->other_system);
        return room;
    }
    if (one_file && r->any_repeat)
        return *r->taken[IV_ROLE_SYSTEM] != '\0' ? ""
            : IV_HINT("; --columns system=COLUMN names the systems");
    return r->any_repeat || !one_file
        ? IV_HINT("; --columns system=@folder (or @file) for systems in folders, "
                  "repeat=@folder for seeds in folders")
        : ", or a column that names the repeat" IV_HINT("; --columns repeat=COLUMN");
}

/* The first line that says again what another said. */
static int refuse_doubles(const iv_scores_reader *r, iv_err *err)
{
    const iv_one_score *worst = NULL, *first = NULL;
    char a[IV_QUOTE_SIZE], b[IV_QUOTE_SIZE], hint[80];

    for (size_t i = 1; i < r->count; i++) {
        const iv_one_score *x = &r->entries[i - 1], *y = &r->entries[i];
        if (x->measure != y->measure || x->system != y->system
            || x->item != y->item || x->repeat != y->repeat)
            continue;
        if (worst == NULL || y->file < worst->file
            || (y->file == worst->file && y->line < worst->line)) {
            worst = y;
            first = x;
        }
    }
    if (worst == NULL)
        return IV_OK;
    return iv_fail_at(err, IV_EPARSE, r->files.at[worst->file], worst->line, "second score of "
                      "system %s for item %s, the first is at %.80s:%llu; expected one score per "
                      "system and item%s",
                      iv_quote(a, r->systems.names[worst->system]),
                      iv_quote(b, r->items.names[worst->item]),
                      r->files.at[first->file], (unsigned long long)first->line,
                      what_to_name(r, worst->file == first->file, hint, sizeof hint));
}

/* "system = model, item, score"; "" if every column is named like its role. */
static const char *say_columns(const iv_scores_reader *r, iv_arena *own)
{
    iv_listing said = { .most = IV_SCORE_ROLES };
    bool renamed = false;

    for (size_t i = 0; i < IV_SCORE_ROLES; i++) {
        const char *role = iv_score_role_names()[i];
        const bool same = iv_score_role_named(iv_str_of(r->taken[i])) == i;
        renamed = renamed || (r->taken[i][0] != '\0' && !same);
        if (same)
            iv_list(&said, "%s", role);
        else if (r->taken[i][0] != '\0')
            iv_list(&said, "%s (column '%s')", role, r->taken[i]);
    }
    return iv_arena_copy(own, iv_str_of(renamed ? iv_listed(&said) : ""));
}

/* Copies a list into the arena of what is handed over. */
static const void *keep(iv_arena *own, const void *from, size_t count, size_t size)
{
    void *to = iv_take(own, count + 1, size);

    if (to != NULL && count > 0)
        memcpy(to, from, count * size);
    return to;
}

/* The names as texts, with room for more. */
static const char **names_of(iv_arena *own, const iv_ids *ids, size_t more)
{
    const char **names = iv_take(own, ids->count + more + 1, sizeof *names);

    for (size_t i = 0; names != NULL && i < ids->count; i++)
        names[i] = ids->names[i].ptr;
    return names;
}

static int hand_over(iv_scores_reader *r, iv_err *err)
{
    iv_score_table *v = r->to;
    iv_arena *own = &v->own;
    const size_t T = r->items.count;
    const char **clusters = names_of(own, &r->clusters, T);

    v->cluster_count = r->clustered ? r->clusters.count : 0;
    for (size_t t = 0; r->clustered && clusters != NULL && t < T; t++)
        if (r->cluster[t] == IV_NO_ID) { /* items without a cluster are one each */
            clusters[v->cluster_count] = r->items.names[t].ptr;
            r->cluster[t] = (uint32_t)v->cluster_count++;
        }
    v->clusters = clusters;
    v->systems = names_of(own, &r->systems, 0);
    v->plain = keep(own, r->plain, r->systems.count, sizeof *r->plain);
    v->dates = r->any_date ? keep(own, r->date, r->systems.count, sizeof *r->date) : NULL;
    v->measures = names_of(own, &r->measures, 0);
    v->repeats = names_of(own, &r->repeats, 0);
    v->suites = names_of(own, &r->suites, 0);
    v->strata = names_of(own, &r->strata, 0);
    v->stratum_count = r->strata.count;
    v->groups = names_of(own, &r->groups, 0);
    v->group_count = r->groups.count;
    v->group = v->group_count > 0 ? keep(own, r->group, T, sizeof *r->group) : NULL;
    v->regrouped = r->is_regrouped ? keep(own, &r->regrouped, 1, sizeof r->regrouped) : NULL;
    v->items = keep(own, r->items.names, T, sizeof *v->items);
    v->cluster = r->clustered ? keep(own, r->cluster, T, sizeof *r->cluster) : NULL;
    v->suite = r->any_suite ? keep(own, r->suite, T, sizeof *r->suite) : NULL;
    v->weight = r->weighted ? keep(own, r->weight, T, sizeof *r->weight) : NULL;
    v->columns = say_columns(r, own);
    v->group_column = iv_arena_copy(own, iv_str_of(r->taken[IV_ROLE_GROUP]));
    v->score_column = iv_arena_copy(own, iv_str_of(r->taken[IV_ROLE_SCORE]));
    v->first_empty = iv_arena_copy(own, iv_str_of(r->first_empty));
    v->scores = iv_own(own, r->entries, free);
    r->entries = NULL;
    v->count = r->count;
    v->system_count = r->systems.count;
    v->measure_count = r->measures.count;
    v->item_count = T;
    v->repeat_count = r->any_repeat ? r->repeats.count : 0;
    v->suite_count = r->any_suite ? r->suites.count : 0;
    return iv_taken(own, err);
}

int iv_scores_finish(iv_scores_reader *r, iv_err *err)
{
    if (r->count == 0)
        return iv_fail_at(err, IV_ENODATA, r->files.count > 0 ? r->files.at[0] : "the arrays", 0,
                          "there is no score%s",
                          r->to->empty > 0 ? ", only records without one" : "");
    size_t sorted = 1;
    while (sorted < r->count && by_names(&r->entries[sorted - 1], &r->entries[sorted]) <= 0)
        sorted++;
    if (sorted < r->count)
        qsort(r->entries, r->count, sizeof *r->entries, by_names);
    IV_TRY(refuse_doubles(r, err));
    return hand_over(r, err);
}

size_t iv_score_values(double *out, const iv_score_table *t, size_t measure)
{
    const size_t T = t->item_count;
    size_t most = 0;

    for (size_t i = 0; i < t->system_count * T; i++)
        out[i] = (double)NAN;
    for (size_t i = 0; i < t->count;) {
        const iv_one_score *x = &t->scores[i];
        double sum = 0.0;
        size_t n = 0;
        for (; i < t->count && t->scores[i].measure == x->measure
             && t->scores[i].system == x->system && t->scores[i].item == x->item; i++, n++)
            sum += t->scores[i].score;
        if (x->measure != measure)
            continue;
        out[x->system * T + x->item] = sum / (double)n;
        most = n > most ? n : most;
    }
    return most;
}

void iv_scores_reader_free(iv_scores_reader *r)
{
    iv_ids *all[] = { &r->systems, &r->items, &r->measures, &r->repeats, &r->clusters, &r->suites,
                      &r->strata, &r->groups };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        iv_ids_free(all[i]);
    free(r->cluster);
    free(r->suite);
    free(r->group);
    free(r->weight);
    free(r->document);
    free((void *)r->plain);
    free((void *)r->date);
    free(r->entries);
}
