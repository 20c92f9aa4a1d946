/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/trec.h"

#define NO_GROUP UINT32_MAX

/* The groups, in the order in which the file names them. */
typedef struct groups {
    iv_csv *file;
    iv_str *names; /* borrowed from the file */
    size_t count;
    uint32_t *of;  /* by topic of the input; NO_GROUP: in none */
} groups;

/* ---------------------------------------------------------------- reading -- */

static size_t find_topic(const compare_input *in, iv_str id)
{
    for (size_t t = 0; t < in->topic_count; t++) {
        if (iv_str_cmp(iv_str_of(in->topics[t]), id) == 0)
            return t;
    }
    return IV_NONE;
}

static uint32_t find_group(groups *g, iv_str name)
{
    for (size_t i = 0; i < g->count; i++) {
        if (iv_str_cmp(g->names[i], name) == 0)
            return (uint32_t)i;
    }
    g->names[g->count] = name;
    return (uint32_t)g->count++;
}

static int find_columns(size_t *topic, size_t *group, const groups *g, const char *path,
                        iv_err *err)
{
    static const char *const names[] = { "topic", "group" };
    size_t *const found[] = { topic, group };

    for (size_t i = 0; i < 2; i++) {
        *found[i] = iv_csv_find(g->file, iv_str_of(names[i]));
        if (*found[i] == IV_NONE)
            return iv_fail_at(err, IV_EPARSE, path, 1, "no column '%s', expected the "
                              "columns topic and group", names[i]);
    }
    return IV_OK;
}

static int read_rows(groups *g, const compare_input *in, const char *path, size_t *unknown,
                     iv_err *err)
{
    size_t topic = 0, group = 0;
    int rc = find_columns(&topic, &group, g, path, err);

    for (size_t row = 0; rc == IV_OK && row < iv_csv_rows(g->file); row++) {
        const iv_str id = iv_csv_cell(g->file, row, topic);
        const iv_str name = iv_csv_cell(g->file, row, group);
        const size_t t = find_topic(in, id);
        const unsigned long long line = (unsigned long long)iv_csv_line(g->file, row);
        char quoted[IV_QUOTE_SIZE];
        if (name.len == 0)
            return iv_fail_at(err, IV_EPARSE, path, line, "topic %s has an empty group",
                              iv_quote(quoted, id));
        if (t == IV_NONE) {
            ++*unknown;
            continue;
        }
        const uint32_t which = find_group(g, name);
        if (g->of[t] != NO_GROUP && g->of[t] != which)
            return iv_fail_at(err, IV_EPARSE, path, line, "topic %s is in a second group",
                              iv_quote(quoted, id));
        g->of[t] = which;
    }
    return rc;
}

static int read_groups(groups *g, cmd_context *c, const compare_input *in, const char *path,
                       iv_err *err)
{
    size_t unknown = 0, without = 0;
    int rc = iv_csv_load(&g->file, path, err);

    if (rc < 0)
        return rc;
    g->names = calloc(iv_csv_rows(g->file) + 1, sizeof *g->names);
    g->of = malloc((in->topic_count + 1) * sizeof *g->of);
    if (g->names == NULL || g->of == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t t = 0; t < in->topic_count; t++)
        g->of[t] = NO_GROUP;
    rc = read_rows(g, in, path, &unknown, err);
    if (rc < 0)
        return rc;
    for (size_t t = 0; t < in->topic_count; t++)
        without += g->of[t] == NO_GROUP;
    if (without == in->topic_count)
        return iv_fail(err, IV_ENODATA, "%s has none of the topics of the runs", path);
    iv_result_input(c->result, path, iv_csv_bytes(g->file));
    if (without > 0)
        iv_result_note(c->result, "%zu of %zu topics are in no group of %s and left out of "
                       "the tables groups and interaction", without, in->topic_count, path);
    if (unknown > 0)
        iv_result_note(c->result, "%zu lines of %s are of topics that no run has", unknown,
                       path);
    return IV_OK;
}

/* --------------------------------------------------------------- comparing -- */

iv_correction compare_possible_correction(const double *values, size_t runs, size_t topics,
                                          iv_correction wanted)
{
    size_t shared = 0;

    for (size_t t = 0; t < topics; t++) {
        bool all = true;
        for (size_t r = 0; r < runs && all; r++)
            all = !isnan(values[r * topics + t]);
        shared += all;
    }
    return wanted == IV_CORRECT_TUKEY && shared < 2 ? IV_CORRECT_HOLM : wanted;
}

/* The scores of a measure on the topics of one group, or of any (NO_GROUP). */
static size_t take_topics(double *out, uint32_t *of, const groups *g, const compare_input *in,
                          size_t measure, uint32_t which)
{
    const double *values = compare_input_values(in, measure);
    size_t n = 0, k = 0;

    for (size_t t = 0; t < in->topic_count; t++)
        n += which == NO_GROUP ? g->of[t] != NO_GROUP : g->of[t] == which;
    for (size_t t = 0; t < in->topic_count; t++) {
        if (which == NO_GROUP ? g->of[t] == NO_GROUP : g->of[t] != which)
            continue;
        for (size_t r = 0; r < in->run_count; r++)
            out[r * n + k] = values[r * in->topic_count + t];
        of[k++] = g->of[t];
    }
    return n;
}

/* Compares within each group; those too small are told. */
static int compare_within(compared *list, iv_comparison **made, size_t *count, cmd_context *c,
                          const groups *g, const compare_input *in, size_t measure,
                          const iv_compare_options *options, double *room, uint32_t *of,
                          iv_err *err)
{
    for (size_t i = 0; i < g->count; i++) {
        const size_t n = take_topics(room, of, g, in, measure, (uint32_t)i);
        iv_compare_options o = *options;
        char quoted[IV_QUOTE_SIZE];
        iv_err why = { IV_OK, "" };
        o.correction = compare_possible_correction(room, in->run_count, n, o.correction);
        const int rc = iv_compare(&made[*count], room, in->run_count, n, &o, &why);
        if (rc == IV_ENODATA) {
            iv_result_note(c->result, "group %s is left out: some pair has fewer than two of "
                           "its topics in common", iv_quote(quoted, g->names[i]));
            continue;
        }
        if (rc < 0)
            return iv_fail_as(err, &why);
        char *name = malloc(g->names[i].len + 1);
        if (name == NULL) {
            iv_comparison_free(made[*count]);
            return iv_fail(err, IV_ENOMEM, "out of memory");
        }
        memcpy(name, g->names[i].ptr, g->names[i].len);
        name[g->names[i].len] = '\0';
        list[*count] = (compared){ measure, made[*count], name };
        ++*count;
    }
    return IV_OK;
}

static int add_groups(cmd_context *c, const groups *g, const compare_input *in,
                      const iv_compare_options *options, const compare_layout *layout,
                      double *room, uint32_t *of, iv_err *err)
{
    const size_t most = g->count * in->measure_count;
    compared *list = calloc(most + 1, sizeof *list);
    iv_comparison **made = calloc(most + 1, sizeof *made);
    size_t count = 0;
    int rc = list == NULL || made == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t m = 0; m < in->measure_count && rc == IV_OK; m++)
        rc = compare_within(list, made, &count, c, g, in, m, options, room, of, err);
    if (rc == IV_OK && count > 0)
        compare_table_pairs(c->result, "groups", in, list, count, layout);
    for (size_t i = 0; i < count; i++) {
        free((void *)(uintptr_t)list[i].group);
        iv_comparison_free(made[i]);
    }
    free(list);
    free(made);
    return rc;
}

/* Adjusted by Holm's method where Tukey's has no meaning. */
static int add_interaction(cmd_context *c, const groups *g, const compare_input *in,
                           const compared *list, const iv_compare_options *options,
                           const compare_layout *layout, double *room, uint32_t *of,
                           iv_err *err)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, list[0].found), M = in->measure_count;
    const iv_correction correction = options->correction == IV_CORRECT_TUKEY ? IV_CORRECT_HOLM
        : options->correction;
    compare_interaction *x = calloc(M, sizeof *x);
    iv_test *tests = calloc(M * n, sizeof *tests);
    double *p = malloc(M * n * sizeof *p);
    int rc = x == NULL || tests == NULL || p == NULL
        ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t m = 0; m < M && rc == IV_OK; m++) {
        const size_t topics = take_topics(room, of, g, in, m, NO_GROUP);
        rc = iv_compare_interaction(tests + m * n, room, in->run_count, topics, of, g->count,
                                    options, err);
        for (size_t i = 0; rc == IV_OK && i < n; i++)
            p[m * n + i] = tests[m * n + i].p;
        if (rc == IV_OK)
            rc = iv_adjust(p + m * n, p + m * n, n, correction, err);
        x[m] = (compare_interaction){ m, list[m].found, tests + m * n, p + m * n };
    }
    if (rc == IV_OK)
        compare_table_interaction(c->result, in, x, M, layout);
    free(x);
    free(tests);
    free(p);
    return rc;
}

int compare_groups(cmd_context *c, const char *path, const compare_input *in,
                   const compared *list, const iv_compare_options *options,
                   const compare_layout *layout, bool listed, iv_err *err)
{
    groups g = { 0 };
    double *room = malloc((in->run_count * in->topic_count + 1) * sizeof *room);
    uint32_t *of = malloc((in->topic_count + 1) * sizeof *of);
    int rc = room == NULL || of == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : read_groups(&g, c, in, path, err);

    if (rc == IV_OK && !listed)
        iv_result_note(c->result, "nor are pairs within groups: --table groups and --table "
                       "interaction list them");
    if (rc == IV_OK && listed)
        rc = add_groups(c, &g, in, options, layout, room, of, err);
    if (rc == IV_OK && listed)
        rc = add_interaction(c, &g, in, list, options, layout, room, of, err);
    iv_csv_free(g.file);
    free(g.names);
    free(g.of);
    free(room);
    free(of);
    return rc;
}
