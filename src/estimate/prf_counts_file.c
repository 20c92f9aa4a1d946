/* SPDX-License-Identifier: Apache-2.0 */
/* A file of counts: a row a system, or a category of one. */
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "estimate/prf_making.h"
#include "intervale/trec.h"

static const char *const count_names[4] = { "TP", "FP", "FN", "TN" };

/* The columns of the file; IV_NONE: not there. */
typedef struct columns {
    size_t count[4], system, category;
} columns;

bool iv_prf_scan_count(int64_t *out, iv_str s, size_t which, char *why, size_t size)
{
    char quoted[IV_QUOTE_SIZE];

    if (iv_scan_int(out, s, 0, IV_PRF_COUNT_MAX))
        return true;
    (void)snprintf(why, size, "%s is %s, expected a whole number from 0 to %lld",
                   count_names[which], iv_quote(quoted, s), (long long)IV_PRF_COUNT_MAX);
    return false;
}

static bool called(iv_str s, const char *name)
{
    return s.len == strlen(name) && strncasecmp(s.ptr, name, s.len) == 0;
}

static size_t *place_of(columns *k, iv_str name, size_t column)
{
    size_t *to = called(name, "system") || called(name, "name") ? &k->system
                 : called(name, "category") || called(name, "class") ? &k->category
                                                                     : NULL;

    for (size_t n = 0; n < 4; n++)
        to = called(name, count_names[n]) ? &k->count[n] : to;
    return to == NULL && column == 0 ? &k->system : to;
}

static int note_unused(iv_prf_making *k, const char *path, const char *column, iv_err *err)
{
    const size_t size = strlen(path) + strlen(column) + 32;
    char *note = iv_arena_alloc(&k->texts, size);

    if (note == NULL)
        return iv_no_memory(err);
    (void)snprintf(note, size, "%s: column %s is not used", path, column);
    return iv_prf_add_note(k, note, err);
}

static int find_columns(columns *out, iv_prf_making *making, const iv_csv *t, const char *path,
                        iv_err *err)
{
    columns k = { { IV_NONE, IV_NONE, IV_NONE, IV_NONE }, IV_NONE, IV_NONE };
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < iv_csv_columns(t); i++) {
        const iv_str name = iv_csv_column(t, i);
        size_t *to = place_of(&k, name, i);
        (void)iv_quote(quoted, name);
        if (to == NULL) {
            IV_TRY(note_unused(making, path, quoted, err));
        } else if (*to != IV_NONE) {
            return iv_fail_at(err, IV_EPARSE, path, 1, "two columns could be %s", quoted);
        } else {
            *to = i;
        }
    }
    for (size_t n = 0; n < 3; n++) {
        if (k.count[n] == IV_NONE)
            return iv_fail_at(err, IV_EPARSE, path, 1, "no column '%s'; expected a header such "
                              "as system,tp,fp,fn or category,tp,fp,fn,tn"
                              IV_HINT("; labels of items are read by --labels FILE"),
                              count_names[n]);
    }
    *out = k;
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

static int read_row(iv_prf_making *making, const iv_csv *t, size_t row, const columns *k,
                    const char *path, iv_err *err)
{
    const uint64_t line = iv_csv_line(t, row);
    int64_t value[4] = { 0, 0, 0, -1 };
    char why[IV_QUOTE_SIZE + 128], number[32];
    iv_err twice = { .code = IV_OK };

    for (size_t n = 0; n < 4; n++) {
        if (k->count[n] != IV_NONE
            && !iv_prf_scan_count(&value[n], iv_csv_cell(t, row, k->count[n]), n, why,
                                  sizeof why))
            return iv_fail_at(err, IV_EPARSE, path, line, "%s", why);
    }
    (void)snprintf(number, sizeof number, "row%zu", row + 1);
    const iv_str system = k->system != IV_NONE ? iv_csv_cell(t, row, k->system)
                          : k->category != IV_NONE ? stem(path) : iv_str_of(number);
    const iv_str category = k->category != IV_NONE ? iv_csv_cell(t, row, k->category)
                                                   : iv_str_of("");
    if (system.len == 0 || (k->category != IV_NONE && category.len == 0))
        return iv_fail_at(err, IV_EPARSE, path, line, "a name is empty");
    const char *name = iv_prf_keep(making, system), *kind = iv_prf_keep(making, category);
    if (name == NULL || kind == NULL)
        return iv_no_memory(err);
    const iv_prf_counts counts = { value[0], value[1], value[2], value[3] };
    const int rc = iv_prf_add(making, name, category.len > 0 ? kind : NULL, &counts, &twice);
    if (rc == IV_EARG)
        return iv_fail_at(err, IV_EPARSE, path, line, "%s", twice.msg);
    return rc < 0 ? iv_fail_as(err, &twice) : IV_OK;
}

int iv_prf_read_file(iv_prf_making *k, const char *path, const iv_work *work, iv_err *err)
{
    iv_csv *t = NULL;
    columns at;
    IV_TRY(iv_csv_load(&t, path, work, err));
    int rc = iv_prf_add_input(k, path, iv_csv_bytes(t), err);
    if (rc == IV_OK)
        rc = find_columns(&at, k, t, path, err);
    for (size_t row = 0; row < iv_csv_rows(t) && rc == IV_OK; row++)
        rc = read_row(k, t, row, &at, path, err);
    iv_csv_free(t);
    return rc;
}
