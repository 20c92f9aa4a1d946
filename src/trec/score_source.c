/* SPDX-License-Identifier: Apache-2.0 */
/* Where scores come from: files of any format, or arrays. */
#include "base/arguments.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "trec/score_records.h"
#include "trec/score_table.h"
#include "trec/text.h"
#include "trec/zip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

IV_NAMES(iv_sets_names, "fixed", "sampled")


IV_NAMES(iv_score_rows_names, "auto", "systems", "topics")

static bool declares_binary(const char *text) { return strncmp(text, "binary=", 7) == 0; }

/* The role that a text begins with, followed by '='; IV_SCORE_ROLES: none. */
static size_t role_at(const char *text)
{
    const char *is = strchr(text, '=');

    if (declares_binary(text))
        return IV_ROLE_SCORE;
    return is != NULL ? iv_score_role_named((iv_str){ text, (size_t)(is - text) }) : IV_SCORE_ROLES;
}

/* Another column of scores, which is not one before. */
static int check_more(const iv_scores_reader *r, iv_str name, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    bool again = iv_same_name(name, r->asked[IV_ROLE_SCORE]);

    for (size_t k = 0; k < r->more_count; k++)
        again = again || iv_same_name(name, r->more[k]);
    return again ? iv_fail(err, IV_EARG, "the column %s twice for score", iv_quote(quoted, name))
        : r->more_count == IV_MORE_SCORES
        ? iv_fail(err, IV_EARG, "more than %d columns for score", IV_MORE_SCORES + 1) : IV_OK;
}

/* "role=column", or several with commas between. */
static int take_columns(iv_scores_reader *r, const iv_texts *columns, iv_err *err)
{
    for (size_t i = 0; columns != NULL && i < columns->count; i++) {
        for (const char *at = columns->at[i]; at != NULL;) {
            const size_t role = role_at(at);
            const char *is = role < IV_SCORE_ROLES ? strchr(at, '=') + 1 : NULL, *end = is;
            /* A comma ends the name only where another role begins behind it. */
            while (end != NULL && *end != '\0'
                   && !(*end == ',' && role_at(end + 1) < IV_SCORE_ROLES))
                end++;
            if (is == NULL || end == is)
                return iv_fail(err, IV_EARG, "the column '%.80s', expected ROLE=NAME with a role "
                               "of system, item, score, binary, measure, repeat, cluster, set, "
                               "weight, human, stratum, group, date", at);
            const iv_str name = { is, (size_t)(end - is) };
            const bool more = role == IV_ROLE_SCORE && r->asked[role].ptr != NULL;
            if (more)
                IV_TRY(check_more(r, name, err));
            else if (r->asked[role].ptr != NULL || r->path_says[role].ptr != NULL)
                return iv_fail(err, IV_EARG, "two columns for %s", iv_score_role_names()[role]);
            if (*is == '@' && ((!iv_score_is_path(name) && !iv_score_is_given(name))
                               || role == IV_ROLE_SCORE || role == IV_ROLE_WEIGHT
                               || role == IV_ROLE_HUMAN))
                return iv_fail(err, IV_EARG, "the column '%.80s', expected @file, @folder, "
                               "@name:TEXT or @path:PATTERN with {system}, {repeat} and * in it",
                               at);
            *(more ? &r->more[r->more_count++] : *is == '@' ? &r->path_says[role]
              : &r->asked[role]) = name;
            r->to->binary = r->to->binary || declares_binary(at);
            at = *end == ',' ? end + 1 : NULL;
        }
    }
    r->to->several = r->more_count > 0;
    for (size_t k = 0; k < r->more_count; k++) { /* as messages call them */
        char *to = r->taken[IV_ROLE_SCORE];
        const size_t len = strlen(to), room = sizeof r->taken[0] - len;
        const iv_str first = k == 0 ? r->asked[IV_ROLE_SCORE] : (iv_str){ "", 0 };
        (void)snprintf(to + len, room, "%.*s, %.*s", (int)first.len, first.ptr,
                       (int)r->more[k].len, r->more[k].ptr);
    }
    if (r->to->several && (r->asked[IV_ROLE_MEASURE].ptr != NULL
                           || r->path_says[IV_ROLE_MEASURE].ptr != NULL))
        return iv_fail(err, IV_EARG, "several columns of scores are measures by their names, "
                       "expected no column for measure");
    return IV_OK;
}

static int read_file(iv_scores_reader *r, size_t number, iv_bytes *b, iv_err *err)
{
    const char *path = r->files.at[number];
    iv_score_file f = { .name = path, .number = (uint32_t)number };
    const iv_str text = iv_text_of(b);
    size_t at = 0;
    int rc;

    f.system = iv_score_stem(path);
    IV_TRY(iv_score_from_path(&f, r->path_says, err));
    r->bytes[number] = b->stored;
    while (at < text.len && strchr(" \t\r\n", text.ptr[at]) != NULL && text.ptr[at] != '\0')
        at++;
    const bool zip = b->len > 4 && memcmp(b->ptr, "PK\x03\x04", 4) == 0;
    const bool json = at < text.len && (text.ptr[at] == '{' || text.ptr[at] == '[');
    if (r->to->several && (zip || json)) {
        iv_bytes_free(b);
        return iv_fail_at(err, IV_EARG, path, 0, "several columns for score, expected a table with "
                          "a header");
    }
    if (zip) {
        rc = iv_scores_read_eval(r, &f, (iv_str){ b->ptr, b->len }, err);
        iv_bytes_free(b);
    } else if (json) {
        rc = iv_scores_read_json(r, &f, text, err);
        iv_bytes_free(b);
    } else {
        rc = iv_scores_read_text(r, &f, b, err);
    }
    return rc;
}

static int check_list(const char *what, size_t has, size_t count, iv_err *err)
{
    return has == 0 || has == count ? IV_OK
        : iv_fail(err, IV_EARG, "%zu of %s, expected as many as scores, %zu", has, what, count);
}

static int take_arrays(iv_scores_reader *r, const iv_score_source *s, iv_err *err)
{
    const iv_texts *lists[IV_SCORE_ROLES] = { &s->system, &s->item, NULL, &s->measure, &s->repeat,
                                              &s->cluster, &s->suite, NULL, NULL, &s->stratum,
                                              &s->group, &s->date };
    iv_score_file f = { .name = "the arrays" };

    for (size_t k = 0; k < IV_SCORE_ROLES; k++)
        if (r->path_says[k].ptr != NULL && !iv_score_is_given(r->path_says[k]))
            return iv_fail(err, IV_EARG, "%s=%.*s, but arrays have no path; expected @name:TEXT",
                           iv_score_role_names()[k], (int)r->path_says[k].len,
                           r->path_says[k].ptr);
    if (r->to->several && s->measure.count == 0)
        return iv_fail(err, IV_EARG, "several columns for score, but arrays have one of scores: "
                       "expected their names as measures");
    IV_TRY(iv_score_from_path(&f, r->path_says, err));
    if (r->asked[IV_ROLE_SCORE].ptr != NULL && !r->to->several) /* its name says what is better */
        iv_score_taken(r, IV_ROLE_SCORE, r->asked[IV_ROLE_SCORE]);
    IV_TRY(check_list("weight", s->weight.count, s->score.count, err));
    IV_TRY(check_list("human", s->human.count, s->score.count, err));
    for (size_t k = 0; k < IV_SCORE_ROLES; k++)
        if (lists[k] != NULL)
            IV_TRY(check_list(iv_score_role_names()[k], lists[k]->count, s->score.count, err));
    for (size_t i = 0; i < s->score.count; i++) {
        iv_score_record x = IV_SCORE_RECORD;
        x.score = s->score.at[i];
        x.weight = s->weight.count > 0 ? s->weight.at[i] : x.weight;
        x.human = s->human.count > 0 ? s->human.at[i] : x.human;
        for (size_t k = 0; k < IV_SCORE_ROLES; k++)
            if (lists[k] != NULL && lists[k]->count > 0)
                x.text[k] = iv_str_of(lists[k]->at[i]);
        IV_TRY(iv_score_add(r, &f, i + 1, &x, err));
    }
    return IV_OK;
}

/* Makes the reader, lets it read, hands over. */
static int scores_from(iv_score_table **out, const iv_score_source *source, iv_bytes *bytes,
                       const iv_work *work, iv_err *err)
{
    static const char *const arrays[] = { "the arrays" };
    iv_scores_reader r = { .to = calloc(1, sizeof *r.to), .rows = source->rows,
                           .dated = source->dated, .wanted = source->scores, .work = work };
    iv_words paths = { 0 };
    int rc = r.to == NULL ? iv_no_memory(err) : take_columns(&r, &source->columns, err);

    if (rc == IV_OK && bytes != NULL)
        iv_words_add(&r.to->own, &paths,
                     iv_arena_copy(&r.to->own, iv_str_of(source->files.at[0])));
    else if (rc == IV_OK)
        rc = iv_score_paths_of(&paths, &r.to->own, &source->files, err);
    if (rc == IV_OK) {
        r.to->files = r.files = (iv_texts){ paths.at, paths.count };
        r.to->file_bytes = r.bytes = iv_take(&r.to->own, paths.count + 1, sizeof *r.bytes);
        rc = iv_taken(&r.to->own, err);
    }
    for (size_t i = 0; rc == IV_OK && i < r.files.count; i++) {
        iv_bytes b;
        if (bytes != NULL)
            b = *bytes;
        else
            rc = (iv_is_zip(r.files.at[i]) ? iv_bytes_load_raw : iv_bytes_load)(&b, r.files.at[i],
                                                                               work, err);
        bytes = NULL;
        if (rc == IV_OK)
            rc = read_file(&r, i, &b, err);
        if (rc == IV_OK)
            rc = iv_check_work(work, (double)(i + 1) / (double)r.files.count, err);
    }
    if (bytes != NULL)
        iv_bytes_free(bytes);
    if (rc == IV_OK && source->files.count == 0) {
        r.files = (iv_texts){ arrays, 1 };
        rc = take_arrays(&r, source, err);
    }
    if (rc == IV_OK)
        rc = iv_scores_finish(&r, err);
    iv_scores_reader_free(&r);
    if (rc == IV_OK)
        *out = r.to;
    else
        iv_score_table_free(r.to);
    return rc;
}

int iv_score_runs_named(const char **system, const char **repeat, iv_arena *own,
                        const iv_texts *columns, const iv_texts *paths, iv_err *err)
{
    iv_score_table nothing = { 0 };
    iv_scores_reader r = { .to = &nothing };

    IV_TRY(take_columns(&r, columns, err));
    for (size_t k = 0; k < IV_SCORE_ROLES; k++)
        if (r.asked[k].ptr != NULL || r.path_says[IV_ROLE_SYSTEM].ptr == NULL
            || (r.path_says[k].ptr != NULL && k != IV_ROLE_SYSTEM && k != IV_ROLE_REPEAT))
            return iv_fail(err, IV_EARG, "columns of runs are parts of their paths, expected "
                           "system=@path:PATTERN with {system} and {repeat} in it");
    for (size_t i = 0; i < paths->count; i++) {
        iv_score_file f = { .name = paths->at[i] };
        IV_TRY(iv_score_from_path(&f, r.path_says, err));
        system[i] = iv_arena_copy(own, f.from[IV_ROLE_SYSTEM]);
        repeat[i] = iv_arena_copy(own, f.from[IV_ROLE_REPEAT]);
    }
    return iv_taken(own, err);
}

int iv_score_table_load(iv_score_table **out, const iv_score_source *source, const iv_work *work,
                   iv_err *err)
{
    IV_TRY(iv_check_given(source, "the scores", err));
    IV_TRY(IV_CHECK(source, err,
        IV_PART_OF(iv_score_source, files, PATHS, "file of scores"),
        IV_CHOICE_OF(iv_score_source, rows, iv_score_rows_names, "what rows are"),
        IV_PART_OF(iv_score_source, columns, TEXTS, "name of a column"),
        IV_PART_OF(iv_score_source, system, TEXTS, "system"),
        IV_PART_OF(iv_score_source, item, TEXTS, "item"),
        IV_PART_OF(iv_score_source, measure, TEXTS, "measure"),
        IV_PART_OF(iv_score_source, repeat, TEXTS, "repeat"),
        IV_PART_OF(iv_score_source, cluster, TEXTS, "cluster"),
        IV_PART_OF(iv_score_source, suite, TEXTS, "set"),
        IV_PART_OF(iv_score_source, group, TEXTS, "group"),
        IV_PART_OF(iv_score_source, date, TEXTS, "date"),
        IV_PART_OF(iv_score_source, scores, TEXTS, "column of scores")));
    return scores_from(out, source, NULL, work, err);
}

int iv_score_table_parse(iv_score_table **out, const char *name, const void *text, size_t len,
                    const iv_texts *columns, iv_score_rows rows, iv_err *err)
{
    const iv_score_source source = { .files = { &name, 1 }, .rows = rows,
                                     .columns = columns != NULL ? *columns : (iv_texts){ 0 } };
    iv_bytes bytes;

    IV_TRY(iv_check_choice(rows, iv_score_rows_names(), "what rows are", err));
    IV_TRY(iv_bytes_copy(&bytes, name, text, len, NULL, err));
    return scores_from(out, &source, &bytes, NULL, err);
}

void iv_score_table_free(void *table)
{
    iv_score_table *s = table;

    if (s == NULL)
        return;
    iv_arena_free(&s->own);
    free(s);
}
