/* SPDX-License-Identifier: Apache-2.0 */
#include "command/prf_input.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "intervale/trec.h"

const char *prf_keep(prf_input *in, iv_str s)
{
    char **grown = realloc(in->texts, (in->text_count + 1) * sizeof *grown);

    if (grown == NULL)
        return NULL;
    in->texts = grown;
    char *copy = malloc(s.len + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    in->texts[in->text_count++] = copy;
    return copy;
}

void prf_input_free(prf_input *in)
{
    for (size_t i = 0; i < in->count; i++)
        free(in->systems[i].categories);
    for (size_t i = 0; i < in->text_count; i++)
        free(in->texts[i]);
    free(in->systems);
    free(in->texts);
    free(in->labels);
    *in = (prf_input){ 0 };
}

prf_system *prf_find(const prf_input *in, const char *name)
{
    for (size_t i = 0; i < in->count; i++) {
        if (strcmp(in->systems[i].name, name) == 0)
            return &in->systems[i];
    }
    return NULL;
}

static prf_system *new_system(prf_input *in, const char *name)
{
    prf_system *grown = realloc(in->systems, (in->count + 1) * sizeof *grown);

    if (grown == NULL)
        return NULL;
    in->systems = grown;
    in->systems[in->count] = (prf_system){ .name = name };
    return &in->systems[in->count++];
}

int prf_add(prf_input *in, const char *system, const char *category,
            const iv_prf_counts *counts, iv_err *err)
{
    char quoted[2][IV_QUOTE_SIZE];
    prf_system *s = prf_find(in, system);

    if (s == NULL)
        s = new_system(in, system);
    if (s == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < s->count; i++) {
        const char *there = s->categories[i].name;
        if (there == NULL || category == NULL)
            return iv_fail(err, IV_EARG, "the system %s is there twice",
                           iv_quote(quoted[0], iv_str_of(system)));
        if (strcmp(there, category) == 0)
            return iv_fail(err, IV_EARG, "the category %s of system %s is there twice",
                           iv_quote(quoted[0], iv_str_of(category)),
                           iv_quote(quoted[1], iv_str_of(system)));
    }
    prf_category *grown = realloc(s->categories, (s->count + 1) * sizeof *grown);
    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    s->categories = grown;
    s->categories[s->count++] = (prf_category){ category, *counts };
    return IV_OK;
}

/* -------------------------------------------------- on the command line -- */

static const char *const count_names[4] = { "TP", "FP", "FN", "TN" };

/* One count, or the reason why it is none. */
static bool scan_count(int64_t *out, iv_str s, char *why, size_t size, const char *name)
{
    char quoted[IV_QUOTE_SIZE];

    if (iv_scan_int(out, s, 0, IV_PRF_COUNT_MAX))
        return true;
    (void)snprintf(why, size, "%s is %s, expected a whole number from 0 to %lld", name,
                   iv_quote(quoted, s), (long long)IV_PRF_COUNT_MAX);
    return false;
}

int prf_counts_scan(iv_prf_counts *out, iv_str text, const char *option, iv_err *err)
{
    int64_t value[4] = { 0, 0, 0, -1 };
    char why[IV_QUOTE_SIZE + 128], quoted[IV_QUOTE_SIZE];
    size_t count = 0, at = 0;

    for (;;) {
        const char *comma = memchr(text.ptr + at, ',', text.len - at);
        const size_t end = comma != NULL ? (size_t)(comma - text.ptr) : text.len;
        const iv_str s = { text.ptr + at, end - at };
        if (count == 4)
            return cmd_usage(err, "option '%s': %s has more than four counts", option,
                             iv_quote(quoted, text));
        if (!scan_count(&value[count], s, why, sizeof why, count_names[count]))
            return cmd_usage(err, "option '%s': %s", option, why);
        count++;
        if (end == text.len)
            break;
        at = end + 1;
    }
    if (count < 3)
        return cmd_usage(err, "option '%s': %s is not TP,FP,FN or TP,FP,FN,TN", option,
                         iv_quote(quoted, text));
    *out = (iv_prf_counts){ value[0], value[1], value[2], value[3] };
    return IV_OK;
}

/* ---------------------------------------------------------------- files -- */

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory");
}

/* The columns of a file of counts; IV_NONE: not there. */
typedef struct columns {
    size_t count[4], system, category;
} columns;

static bool called(iv_str s, const char *name)
{
    return s.len == strlen(name) && strncasecmp(s.ptr, name, s.len) == 0;
}

static int find_columns(columns *out, const iv_csv *t, const char *path, cmd_context *c,
                        iv_err *err)
{
    columns k = { { IV_NONE, IV_NONE, IV_NONE, IV_NONE }, IV_NONE, IV_NONE };
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < iv_csv_columns(t); i++) {
        const iv_str name = iv_csv_column(t, i);
        size_t *to = called(name, "system") || called(name, "name") ? &k.system
                     : called(name, "category") || called(name, "class") ? &k.category
                                                                         : NULL;
        for (size_t n = 0; n < 4; n++)
            to = called(name, count_names[n]) ? &k.count[n] : to;
        if (to == NULL && i == 0)
            to = &k.system;
        if (to == NULL)
            iv_result_note(c->result, "%s: column %s is not used", path,
                           iv_quote(quoted, name));
        else if (*to != IV_NONE)
            return iv_fail_at(err, IV_EPARSE, path, 1, "two columns could be %s",
                              iv_quote(quoted, name));
        else
            *to = i;
    }
    for (size_t n = 0; n < 3; n++) {
        if (k.count[n] == IV_NONE)
            return iv_fail_at(err, IV_EPARSE, path, 1, "no column '%s'; expected a header "
                              "such as system,tp,fp,fn or category,tp,fp,fn,tn",
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

static int read_row(prf_input *in, const iv_csv *t, size_t row, const columns *k,
                    const char *path, iv_err *err)
{
    const unsigned long long line = (unsigned long long)iv_csv_line(t, row);
    int64_t value[4] = { 0, 0, 0, -1 };
    char why[IV_QUOTE_SIZE + 128], number[32];
    iv_err twice = { IV_OK, "" };

    for (size_t n = 0; n < 4; n++) {
        if (k->count[n] != IV_NONE
            && !scan_count(&value[n], iv_csv_cell(t, row, k->count[n]), why, sizeof why,
                           count_names[n]))
            return iv_fail_at(err, IV_EPARSE, path, line, "%s", why);
    }
    (void)snprintf(number, sizeof number, "row%zu", row + 1);
    const iv_str system = k->system != IV_NONE ? iv_csv_cell(t, row, k->system)
                          : k->category != IV_NONE ? stem(path) : iv_str_of(number);
    const iv_str category = k->category != IV_NONE ? iv_csv_cell(t, row, k->category)
                                                   : iv_str_of("");
    if (system.len == 0 || (k->category != IV_NONE && category.len == 0))
        return iv_fail_at(err, IV_EPARSE, path, line, "a name is empty");
    const char *name = prf_keep(in, system);
    const char *class_name = category.len > 0 ? prf_keep(in, category) : NULL;
    if (name == NULL || (category.len > 0 && class_name == NULL))
        return no_memory(err);
    const iv_prf_counts counts = { value[0], value[1], value[2], value[3] };
    const int rc = prf_add(in, name, class_name, &counts, &twice);
    if (rc == IV_EARG)
        return iv_fail_at(err, IV_EPARSE, path, line, "%s", twice.msg);
    return rc < 0 ? iv_fail_as(err, &twice) : IV_OK;
}

static int read_file(prf_input *in, cmd_context *c, const char *path, iv_err *err)
{
    iv_csv *t = NULL;
    columns k;
    int rc = iv_csv_load(&t, path, err);

    if (rc < 0)
        return rc;
    iv_result_input(c->result, path, iv_csv_bytes(t));
    rc = find_columns(&k, t, path, c, err);
    for (size_t row = 0; row < iv_csv_rows(t) && rc == IV_OK; row++)
        rc = read_row(in, t, row, &k, path, err);
    iv_csv_free(t);
    return rc;
}

/* --counts NAME=TP,FP,FN[,TN], or a file if it does not look like counts. */
static int read_option(prf_input *in, cmd_context *c, const opt_list *all, size_t i,
                       iv_err *err)
{
    const char *text = all->at[i], *equals = strchr(text, '=');
    const char *numbers = equals != NULL ? equals + 1 : text;
    char number[32] = "system";
    iv_prf_counts counts;
    iv_err twice = { IV_OK, "" };

    if (strchr(numbers, ',') == NULL && strspn(numbers, "0123456789.+-eE") != strlen(numbers))
        return read_file(in, c, text, err);
    int rc = prf_counts_scan(&counts, iv_str_of(numbers), "--counts", err);
    if (rc != IV_OK)
        return rc;
    if (equals == text)
        return cmd_usage(err, "option '--counts': no name before '='");
    if (all->count > 1)
        (void)snprintf(number, sizeof number, "system%zu", i + 1);
    const char *name = prf_keep(in, equals != NULL ? (iv_str){ text, (size_t)(equals - text) }
                                                   : iv_str_of(number));
    if (name == NULL)
        return no_memory(err);
    rc = prf_add(in, name, NULL, &counts, &twice);
    return rc == IV_OK ? IV_OK : cmd_usage(err, "option '--counts': %s", twice.msg);
}

/* Without TN for all, metrics that need it are for none: nothing half. */
static void agree_on_tn(prf_input *in, cmd_context *c)
{
    size_t known = 0, all = 0;

    for (size_t s = 0; s < in->count; s++) {
        for (size_t k = 0; k < in->systems[s].count; k++, all++)
            known += in->systems[s].categories[k].counts.tn >= 0;
    }
    if (known == 0 || known == all)
        return;
    iv_result_note(c->result, "TN is known for %zu of %zu; metrics that need it are left out",
                   known, all);
    for (size_t s = 0; s < in->count; s++) {
        for (size_t k = 0; k < in->systems[s].count; k++)
            in->systems[s].categories[k].counts.tn = -1;
    }
}

int prf_input_read(prf_input *in, cmd_context *c, const prf_source *from, iv_err *err)
{
    int rc = IV_OK;

    if (from->labels != NULL) {
        if (from->counts.count > 0 || c->operand_count > 0)
            return cmd_usage(err, "counts and --labels cannot be given together");
        return prf_labels_read(in, c, from, err);
    }
    if (from->counts.count == 0 && c->operand_count == 0)
        return cmd_usage(err, "nothing to evaluate: give --counts TP,FP,FN, a CSV of counts "
                         "or --labels FILE");
    for (size_t i = 0; i < from->counts.count && rc == IV_OK; i++)
        rc = read_option(in, c, &from->counts, i, err);
    for (size_t i = 0; i < c->operand_count && rc == IV_OK; i++)
        rc = read_file(in, c, c->operands[i], err);
    if (rc == IV_OK)
        agree_on_tn(in, c);
    return rc;
}
