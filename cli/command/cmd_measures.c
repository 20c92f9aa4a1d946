/* SPDX-License-Identifier: Apache-2.0 */
/* measures -- which measures there are, and what each one is. */
#include <math.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/measure.h"

static const char *summary_text(iv_summary s)
{
    static const char *const texts[] = {
        [IV_SUMMARY_NONE] = "none", [IV_SUMMARY_MEAN] = "mean",
        [IV_SUMMARY_GEOMETRIC] = "geometric mean", [IV_SUMMARY_SUM] = "sum" };

    return texts[s];
}

/* "0 to 1", "no limits", or "" for a text. */
static const char *range_text(char out[96], const iv_measure_info *m)
{
    char low[IV_REAL_SIZE], high[IV_REAL_SIZE];

    (void)iv_format_real(low, m->lowest);
    (void)iv_format_real(high, m->highest);
    if (m->kind == IV_TEXT)
        out[0] = '\0';
    else if (isinf(m->lowest) && isinf(m->highest))
        (void)snprintf(out, 96, "no limits");
    else if (isinf(m->highest))
        (void)snprintf(out, 96, "%s upwards", low);
    else if (isinf(m->lowest))
        (void)snprintf(out, 96, "up to %s", high);
    else
        (void)snprintf(out, 96, "%s to %s", low, high);
    return out;
}

static iv_str text_or_nothing(const char *s)
{
    return iv_str_of(s != NULL ? s : "");
}

static void put_measure(iv_table *t, const iv_measure_info *m, bool all)
{
    char range[96];

    iv_put_text(t, iv_str_of(m->name));
    iv_put_text(t, text_or_nothing(m->ir_name));
    iv_put_text(t, iv_str_of(m->family));
    if (all) {
        iv_put_text(t, iv_str_of(range_text(range, m)));
        iv_put_text(t, iv_str_of(summary_text(m->summary)));
        iv_put_text(t, iv_str_of(m->usage));
    }
    iv_put_text(t, iv_str_of(m->brief));
    if (all)
        iv_put_text(t, iv_str_of(m->text));
}

static const iv_column short_columns[] = {
    { "measure", IV_TEXT, 0 }, { "ir_measures", IV_TEXT, 0 }, { "family", IV_TEXT, 0 },
    { "is", IV_TEXT, 0 } };
static const iv_column long_columns[] = {
    { "measure", IV_TEXT, 0 }, { "ir_measures", IV_TEXT, 0 }, { "family", IV_TEXT, 0 },
    { "range", IV_TEXT, 0 },   { "over_topics", IV_TEXT, 0 }, { "usage", IV_TEXT, 0 },
    { "is", IV_TEXT, 0 },      { "text", IV_TEXT, 0 } };

static void list_all(cmd_context *c)
{
    const bool brief = strcmp(c->shared->format, "text") == 0;
    const iv_measure_info *const *all;
    const iv_measure_set *sets;
    const size_t count = iv_measure_list(&all), set_count = iv_measure_sets(&sets);
    iv_table *t = brief ? iv_result_table(c->result, "measures", short_columns, 4)
                        : iv_result_table(c->result, "measures", long_columns, 8);

    for (size_t i = 0; i < count; i++)
        put_measure(t, all[i], !brief);
    for (size_t i = 0; i < set_count && brief; i++)
        iv_result_note(c->result, "%s stands for many: %s", sets[i].name, sets[i].brief);
}

/* The measure that a name with or without parameters stands for. */
static int find(const iv_measure_info **out, const char *name, iv_err *err)
{
    iv_measures *m = NULL;

    *out = iv_measure_find(name);
    if (*out != NULL)
        return IV_OK;
    const int rc = iv_measures_parse(&m, &name, 1, NULL, err);
    if (rc == IV_EARG)
        return CMD_USAGE;
    if (rc != IV_OK)
        return rc;
    if (iv_measures_count(m) > 0)
        *out = iv_measures_value(m, 0)->measure;
    iv_measures_free(m);
    return IV_OK;
}

static const iv_measure_set *find_set(const char *name)
{
    const iv_measure_set *sets;
    const size_t count = iv_measure_sets(&sets);

    for (size_t i = 0; i < count; i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

static void explain(FILE *out, const iv_measure_info *m)
{
    char range[96];

    (void)fprintf(out, "%s", m->name);
    if (m->ir_name != NULL && strcmp(m->ir_name, m->name) != 0)
        (void)fprintf(out, " (%s)", m->ir_name);
    (void)fprintf(out, ": %s\n\nask for it: %s\n", m->brief, m->usage);
    if (m->kind != IV_TEXT)
        (void)fprintf(out, "range:      %s\n", range_text(range, m));
    (void)fprintf(out, "topics:     %s\n\n%s", summary_text(m->summary), m->text);
}

/* The names of a set's values, in lines. */
static int explain_set(FILE *out, const iv_measure_set *set, iv_err *err)
{
    iv_measures *m = NULL;
    int column = 0;
    const int rc = iv_measures_parse(&m, &set->name, 1, NULL, err);

    if (rc != IV_OK)
        return rc;
    (void)fprintf(out, "%s: %s\n\n", set->name, set->brief);
    for (size_t i = 0; i < iv_measures_count(m); i++) {
        const char *name = iv_measures_value(m, i)->name;
        if (column > 0 && column + 2 + (int)strlen(name) > 78) {
            (void)putc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%s%s", column > 0 ? "  " : "", name);
    }
    (void)putc('\n', out);
    iv_measures_free(m);
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    const bool prose = strcmp(c->shared->format, "text") == 0;
    iv_table *t = NULL;
    int rc = IV_OK;

    if (c->operand_count == 0) {
        list_all(c);
        return IV_OK;
    }
    if (!prose)
        t = iv_result_table(c->result, "measures", long_columns, 8);
    c->written = prose;
    for (size_t i = 0; i < c->operand_count && rc == IV_OK; i++) {
        const iv_measure_set *set = find_set(c->operands[i]);
        const iv_measure_info *m = NULL;
        if (prose && i > 0)
            (void)fputs("\n\n", c->out);
        if (set != NULL && !prose)
            return cmd_usage(err, "%s stands for many measures: only --format text lists "
                             "them", set->name);
        if (set != NULL) {
            rc = explain_set(c->out, set, err);
            continue;
        }
        rc = find(&m, c->operands[i], err);
        if (rc == IV_OK && prose)
            explain(c->out, m);
        else if (rc == IV_OK)
            put_measure(t, m, true);
    }
    return rc;
}

const cmd cmd_measures = {
    .name = "measures",
    .group = "Evaluation",
    .summary = "list the measures, or explain some",
    .operands = "[NAME...]",
    .least = 0,
    .most = CMD_MANY,
    .description =
        "Without a name, lists every measure that eval knows, by trec_eval's name and by "
        "ir_measures'. With names, explains them: formula, range, parameters, and what "
        "happens to unjudged documents. A name may carry parameters, as in nDCG@10, or be "
        "that of a set, such as all_trec.",
    .examples = (const cmd_example[]){
        { "intervale measures", "Lists all measures." },
        { "intervale measures nDCG@10 bpref", "Explains two of them." },
        { "intervale measures official", "Lists what trec_eval prints unless asked." },
        { NULL, NULL } },
    .shared = SHARED_REPORT,
    .tables = (const char *const[]){ "measures", NULL },
    .run = run,
};
