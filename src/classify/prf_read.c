/* SPDX-License-Identifier: Apache-2.0 */
/* Systems from counts, in words, files or as numbers, and from labels. */
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "classify/prf_making.h"
#include "intervale/trec/runs.h"
#include "trec/column_roles.h"
#include "trec/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Copies that live as long as the evaluation, "f1" or "f1[what]"; NULL when memory is out. */
static const char *prf_keep(iv_prf_making *k, iv_str s)
{
    return iv_arena_copy(&k->texts, s);
}

const char *iv_prf_keep_name(iv_prf_making *k, iv_prf_metric m, const char *what)
{
    char name[IV_PRF_NAME_SIZE];

    (void)iv_prf_name(name, m);
    if (what == NULL)
        return prf_keep(k, iv_str_of(name));
    const size_t size = strlen(name) + strlen(what) + 3;
    char *text = iv_arena_alloc(&k->texts, size);
    if (text != NULL)
        (void)snprintf(text, size, "%s[%s]", name, what);
    return text;
}

bool iv_prf_wanted(const iv_prf_making *k, const char *metric)
{
    const size_t named = strcspn(metric, k->out.classes[0] != NULL ? "" : "[");

    for (size_t i = 0; i < k->wanted.count; i++) {
        const char *name = k->wanted.at[i];
        if (strcmp(name, metric) == 0
            || (strlen(name) == named && strncmp(name, metric, named) == 0))
            return true;
    }
    return k->wanted.count == 0;
}

const iv_prf_estimate *iv_prf_find(const iv_prf_evaluation *e, size_t system,
                                   const char *metric)
{
    for (size_t i = 0; i < e->estimate_count; i++) {
        const iv_prf_estimate *x = &e->estimates[i];
        if (x->system_at == system && strcmp(x->metric, metric) == 0)
            return x;
    }
    return NULL;
}

static int keep_note(iv_prf_making *k, const char *text, iv_err *err)
{
    iv_words_add(&k->texts, &k->notes, prf_keep(k, iv_str_of(text)));
    k->out.notes = (iv_texts){ k->notes.at, k->notes.count };
    return iv_taken(&k->texts, err);
}

static int keep_input(iv_prf_making *k, const char *path, uint64_t bytes, iv_err *err)
{
    const iv_input x = { prf_keep(k, iv_str_of(path)), bytes };

    if (!IV_ARENA_ROOM(&k->texts, k->out.inputs, k->input_room, k->out.input_count))
        return iv_no_memory(err);
    k->out.inputs[k->out.input_count++] = x;
    return iv_taken(&k->texts, err);
}

/* The system of that name, which may be new; NULL when memory is out. */
static iv_prf_system *system_of(iv_prf_making *k, const char *name)
{
    const size_t n = k->out.system_count;
    const uint32_t there = iv_ids_find(&k->names, iv_str_of(name));

    if (there != IV_NO_ID)
        return &k->out.systems[there];
    if (!IV_ROOM(k->out.systems, k->system_room, n + 1))
        return NULL;
    k->out.systems[n] = (iv_prf_system){ .name = prf_keep(k, iv_str_of(name)) };
    return k->out.systems[n].name != NULL
            && iv_ids_add(&k->names, iv_str_of(k->out.systems[n].name)) != IV_NO_ID
        ? &k->out.systems[k->out.system_count++] : NULL;
}

static int add_counts(iv_prf_making *k, const char *system, const char *category,
               const iv_prf_counts *counts, iv_err *err)
{
    char quoted[2][IV_QUOTE_SIZE];
    iv_prf_system *s = system_of(k, system);

    if (s == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < s->count; i++) {
        const char *there = s->categories[i].category;
        if (there == NULL || category == NULL)
            return iv_fail(err, IV_EARG, "the system %s occurs twice",
                           iv_quote(quoted[0], iv_str_of(system)));
        if (strcmp(there, category) == 0)
            return iv_fail(err, IV_EARG, "the category %s of system %s occurs twice",
                           iv_quote(quoted[0], iv_str_of(category)),
                           iv_quote(quoted[1], iv_str_of(system)));
    }
    iv_prf_entry *grown = realloc(s->categories, (s->count + 1) * sizeof *grown);
    if (grown == NULL)
        return iv_no_memory(err);
    s->categories = grown;
    grown[s->count] = (iv_prf_entry){ .counts = *counts };
    if (category != NULL)
        grown[s->count].category = prf_keep(k, iv_str_of(category));
    s->count++;
    return iv_taken(&k->texts, err);
}

/* ------------------------------------------------------------------ files -- */

static const char *const count_names[4] = { "TP", "FP", "FN", "TN" };

enum { SYSTEM = 4, CATEGORY, ROLES };
static const iv_column_role roles[ROLES] = {
    { "TP", .whole = true, .high = IV_PRF_COUNT_MAX },
    { "FP", .whole = true, .high = IV_PRF_COUNT_MAX },
    { "FN", .whole = true, .high = IV_PRF_COUNT_MAX },
    { "TN", .optional = true, .whole = true, .high = IV_PRF_COUNT_MAX },
    { "system,name", .optional = true },
    { "category,class", .optional = true } };

static bool scan_count(int64_t *out, iv_str s, size_t which, char *why, size_t size)
{
    char quoted[IV_QUOTE_SIZE];

    if (iv_scan_int(out, s, 0, IV_PRF_COUNT_MAX))
        return true;
    (void)snprintf(why, size, "%s is %s, expected a whole number from 0 to %lld",
                   count_names[which], iv_quote(quoted, s), (long long)IV_PRF_COUNT_MAX);
    return false;
}

/* The first column names systems whatever it is called, unless it has another role. */
static int find_columns(size_t at[ROLES], iv_prf_making *making, const iv_csv *t, const char *path,
                        iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], note[IV_QUOTE_SIZE + 400];

    IV_TRY(iv_role_columns(at, t, roles, ROLES, "; expected a header such as system,tp,fp,fn or "
                           "category,tp,fp,fn,tn"
                           IV_HINT("; labels of items are read by --labels FILE"), err));
    for (size_t c = 0; c < iv_csv_columns(t); c++) {
        bool used = false;
        for (size_t k = 0; k < ROLES; k++)
            used = used || at[k] == c;
        if (!used && c == 0 && at[SYSTEM] == IV_NONE) {
            at[SYSTEM] = 0;
        } else if (!used) {
            (void)snprintf(note, sizeof note, "%.300s: column %s is not used", path,
                           iv_quote(quoted, iv_csv_column(t, c)));
            IV_TRY(keep_note(making, note, err));
        }
    }
    return IV_OK;
}

/* The file's name without folder and endings, for rows that name no system. */
static iv_str stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const size_t len = strcspn(base, ".");

    return strcmp(path, "-") == 0 || len == 0 ? iv_str_of("all") : (iv_str){ base, len };
}

static int read_row(iv_prf_making *making, const iv_csv *t, size_t row, const size_t at[ROLES],
                    const char *path, iv_err *err)
{
    double value[4] = { 0.0, 0.0, 0.0, -1.0 };
    char number[32];
    iv_err twice = { .code = IV_OK };

    for (size_t n = 0; n < 4; n++)
        if (at[n] != IV_NONE)
            IV_TRY(iv_role_number(&value[n], t, row, at[n], &roles[n], err));
    (void)snprintf(number, sizeof number, "row%zu", row + 1);
    const iv_str system = at[SYSTEM] != IV_NONE ? iv_csv_cell(t, row, at[SYSTEM])
                          : at[CATEGORY] != IV_NONE ? stem(path) : iv_str_of(number);
    const iv_str category = at[CATEGORY] != IV_NONE ? iv_csv_cell(t, row, at[CATEGORY])
                                                    : iv_str_of("");
    if (system.len == 0 || (at[CATEGORY] != IV_NONE && category.len == 0))
        return iv_csv_refuse(t, row, err, "a name is empty");
    const char *name = prf_keep(making, system), *kind = prf_keep(making, category);
    if (name == NULL || kind == NULL)
        return iv_no_memory(err);
    const iv_prf_counts counts = { (int64_t)value[0], (int64_t)value[1], (int64_t)value[2],
                                   (int64_t)value[3] };
    const int rc = add_counts(making, name, category.len > 0 ? kind : NULL, &counts, &twice);
    if (rc == IV_EARG)
        return iv_csv_refuse(t, row, err, "%s", twice.msg);
    return rc < 0 ? iv_fail_as(err, &twice) : IV_OK;
}

static int read_file(iv_prf_making *k, const char *path, const iv_work *work, iv_err *err)
{
    iv_csv *t = NULL;
    size_t at[ROLES];
    IV_TRY(iv_csv_load(&t, path, work, err));
    int rc = keep_input(k, path, iv_csv_bytes(t), err);
    if (rc == IV_OK)
        rc = find_columns(at, k, t, path, err);
    for (size_t row = 0; row < iv_csv_rows(t) && rc == IV_OK; row++)
        rc = read_row(k, t, row, at, path, err);
    iv_csv_free(t);
    return rc;
}

/* ----------------------------------------------------------------- words -- */

/* "TP,FP,FN[,TN]"; `given` names the field in errors. */
static int scan_counts(iv_prf_counts *out, iv_str text, const char *given, iv_err *err)
{
    int64_t value[4] = { 0, 0, 0, -1 };
    char why[IV_QUOTE_SIZE + 128], quoted[IV_QUOTE_SIZE];
    size_t count = 0, at = 0;

    for (;; count++) {
        const char *comma = memchr(text.ptr + at, ',', text.len - at);
        const size_t end = comma != NULL ? (size_t)(comma - text.ptr) : text.len;
        if (count == 4)
            return iv_fail(err, IV_EARG, "%s: %s has more than four counts", given,
                           iv_quote(quoted, text));
        if (!scan_count(&value[count], (iv_str){ text.ptr + at, end - at }, count, why,
                               sizeof why))
            return iv_fail(err, IV_EARG, "%s: %s", given, why);
        if (end == text.len)
            break;
        at = end + 1;
    }
    if (count < 2)
        return iv_fail(err, IV_EARG, "%s: %s is not TP,FP,FN or TP,FP,FN,TN", given,
                       iv_quote(quoted, text));
    *out = (iv_prf_counts){ value[0], value[1], value[2], value[3] };
    return IV_OK;
}

/* "[NAME=]TP,FP,FN[,TN]", or a file if it does not look like counts. */
static int read_word(iv_prf_making *k, const iv_texts *all, size_t i, const iv_work *work,
                     iv_err *err)
{
    const char *text = all->at[i], *equals = strchr(text, '=');
    const char *numbers = equals != NULL ? equals + 1 : text;
    char number[32] = "system";
    iv_prf_counts counts;
    iv_err twice = { .code = IV_OK };

    if (strchr(numbers, ',') == NULL && strspn(numbers, "0123456789.+-eE") != strlen(numbers))
        return read_file(k, text, work, err);
    IV_TRY(scan_counts(&counts, iv_str_of(numbers), "counts", err));
    if (equals == text)
        return iv_fail(err, IV_EARG, "counts: no name before '='");
    if (all->count > 1)
        (void)snprintf(number, sizeof number, "system%zu", i + 1);
    const char *name = equals == NULL ? number
                                      : prf_keep(k, (iv_str){ text, (size_t)(equals - text) });
    if (name == NULL)
        return iv_no_memory(err);
    int rc = add_counts(k, name, NULL, &counts, &twice);
    return rc == IV_OK ? IV_OK : iv_fail(err, rc, "counts: %s", twice.msg);
}

/* "[A:B=]N1:N2[:N]": items that only A and only B got right, and all of them. */
static int scan_pair(iv_prf_pair *out, iv_prf_making *k, const char *text, iv_err *err)
{
    const char *equals = strchr(text, '='), *colon = strchr(text, ':');
    const char *numbers = equals != NULL ? equals + 1 : text;
    int64_t value[3] = { 0, 0, -1 };
    char quoted[IV_QUOTE_SIZE];
    size_t count = 0;

    *out = (iv_prf_pair){ .a = "A", .b = "B", .agree = (double)NAN };
    const bool named = equals != NULL && colon != NULL && colon < equals;
    if (named) {
        out->a = prf_keep(k, (iv_str){ text, (size_t)(colon - text) });
        out->b = prf_keep(k, (iv_str){ colon + 1, (size_t)(equals - colon - 1) });
        if (out->a == NULL || out->b == NULL)
            return iv_no_memory(err);
        if (strcmp(out->a, out->b) == 0)
            return iv_fail(err, IV_EARG, "counts: %s compares a system with itself, expected two",
                           iv_quote(quoted, iv_str_of(text)));
    }
    for (const char *at = numbers; count < 3; count++) {
        const size_t len = strcspn(at, ":");
        if (!iv_scan_int(&value[count], (iv_str){ at, len }, 0, IV_PRF_COUNT_MAX))
            break;
        at += len;
        if (*at == '\0') {
            out->a_only = value[0];
            out->b_only = value[1];
            if (count == 2)
                out->agree = (double)(value[2] - value[0] - value[1]);
            if (count > 0 && (equals != NULL) == named && !(out->agree < 0.0))
                return IV_OK;
            break;
        }
        at++;
    }
    return iv_fail(err, IV_EARG, "counts: %s, expected labels or [A:B=]N1:N2[:N] for a paired "
                   "comparison: items that only A and only B got right, and all items",
                   iv_quote(quoted, iv_str_of(text)));
}

/* Pairs given as counts; a system is there once it is named. */
static int read_pairs(iv_prf_making *k, const iv_texts *words, iv_err *err)
{
    if (!IV_ROOM(k->out.alone, k->alone_room, words->count))
        return iv_no_memory(err);
    for (size_t i = 0; i < words->count; i++) {
        IV_TRY(scan_pair(&k->out.alone[i], k, words->at[i], err));
        k->out.alone_count++;
    }
    return IV_OK;
}

/* Without TN for all, metrics that need it are for none: nothing half. */
static int agree_on_tn(iv_prf_making *k, iv_err *err)
{
    size_t known = 0, all = 0;
    char note[120];

    for (size_t s = 0; s < k->out.system_count; s++) {
        for (size_t c = 0; c < k->out.systems[s].count; c++, all++)
            known += k->out.systems[s].categories[c].counts.tn >= 0;
    }
    if (known == 0 || known == all)
        return IV_OK;
    (void)snprintf(note, sizeof note, "TN is known for %zu of %zu; metrics that need it are "
                   "omitted", known, all);
    for (size_t s = 0; s < k->out.system_count; s++) {
        for (size_t c = 0; c < k->out.systems[s].count; c++)
            k->out.systems[s].categories[c].counts.tn = -1;
    }
    return keep_note(k, note, err);
}

/* ---------------------------------------------------------------- labels -- */

static int count_labels(iv_prf_making *k, const iv_labels *l, iv_err *err)
{
    const size_t cells = (size_t)l->classes * (size_t)l->classes;
    int64_t *all = iv_take(&k->texts, l->systems * cells, sizeof *all);

    IV_TRY(iv_taken(&k->texts, err));
    k->items = (iv_prf_items){ l->items, l->systems, l->classes, l->at };
    k->out.multiclass = !l->binary;
    k->out.confusion = l->binary && l->classes != 2 ? NULL : all;
    for (size_t s = 0; s < l->systems; s++) {
        int64_t *matrix = all + s * cells;
        iv_prf_confusion(matrix, &k->items, s);
        for (int32_t c = l->binary ? 1 : 0; c < l->classes; c++) {
            const iv_prf_counts counts = iv_prf_one_against_rest(matrix, l->classes, c);
            IV_TRY(add_counts(k, l->system_names[s], l->binary ? NULL : l->class_names[c],
                              &counts, err));
        }
    }
    return IV_OK;
}

static int read_labels(iv_prf_making *k, const iv_prf_input *in, const iv_work *work,
                       iv_err *err)
{
    const char *positive = in->labels_as.positive;

    if (in->labelled == NULL)
        IV_TRY(iv_labels_load(&k->owned, in->labels, &in->labels_as, work, err));
    const iv_labels *l = in->labelled != NULL ? in->labelled : k->owned;
    if (in->labels != NULL)
        IV_TRY(keep_input(k, in->labels, l->bytes, err));
    for (size_t i = 0; i < l->notes.count; i++)
        IV_TRY(keep_note(k, l->notes.at[i], err));
    k->out.highest = l->highest;
    if (l->binary) {
        k->out.classes[0] = positive != NULL ? "rest" : "0";
        k->out.classes[1] = positive != NULL ? prf_keep(k, iv_str_of(positive)) : "1";
        IV_TRY(iv_taken(&k->texts, err));
    }
    return count_labels(k, l, err);
}

int iv_prf_read(iv_prf_making *k, const iv_prf_input *in, bool paired, const iv_work *work,
                iv_err *err)
{
    const bool labels = in->labels != NULL || in->labelled != NULL;

    if (paired && !labels)
        return read_pairs(k, &in->counts, err);
    for (size_t i = 0; i < in->entry_count; i++)
        IV_TRY(add_counts(k, in->entries[i].system, in->entries[i].category,
                          &in->entries[i].counts, err));
    for (size_t i = 0; i < in->counts.count; i++)
        IV_TRY(read_word(k, &in->counts, i, work, err));
    for (size_t i = 0; i < in->files.count; i++)
        IV_TRY(read_file(k, in->files.at[i], work, err));
    if (labels)
        IV_TRY(read_labels(k, in, work, err));
    return agree_on_tn(k, err);
}
