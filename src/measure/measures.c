/* SPDX-License-Identifier: Apache-2.0 */
/* From names to a list of values: parse, order, merge, name. */
#include "base/arguments.h"
#include "base/charconv.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "measure/definition.h"
#include "measure/measures.h"
#include "measure/parse.h"
#include "measure/requested.h"
#include "measure/topic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Which prepared arrays each measure reads: those that look alike share one. */

static size_t share_view(iv_measures *m, const iv_requested *a)
{
    size_t i = 0;

    while (i < m->view_count
           && (m->view[i].level != a->level
               || m->view[i].judged_only != a->judged_only))
        i++;
    if (i == m->view_count)
        m->view[m->view_count++] = (iv_view){ .level = a->level,
                                              .judged_only = a->judged_only };
    return i;
}

static bool same_gains(const iv_gains *g, const iv_requested *a)
{
    if (g->exponential != a->exponential || g->judged_only != a->judged_only
        || g->pair_count != a->pair_count)
        return false;
    for (size_t i = 0; i < g->pair_count; i++)
        if (g->pair[i].grade != a->pair[i].grade
            || g->pair[i].gain != a->pair[i].gain)
            return false;
    return true;
}

static size_t share_gains(iv_measures *m, const iv_requested *a)
{
    size_t i = 0;

    while (i < m->gains_count && !same_gains(&m->gains[i], a))
        i++;
    if (i == m->gains_count)
        m->gains[m->gains_count++] = (iv_gains){ .pair = a->pair,
                                                 .pair_count = a->pair_count,
                                                 .exponential = a->exponential,
                                                 .judged_only = a->judged_only };
    return i;
}

static size_t share_power(iv_measures *m, const iv_requested *a)
{
    size_t i = 0;

    while (i < m->power_count && m->power[i] != a->persistence)
        i++;
    if (i == m->power_count)
        m->power[m->power_count++] = a->persistence;
    return i;
}

/* Finds the ways in which the measures asked for look at a topic. */
static int measures_share(iv_measures *m, iv_err *err)
{
    const size_t most = m->requested_count + 1;

    m->view = iv_take(&m->arena, most, sizeof *m->view);
    m->gains = iv_take(&m->arena, most, sizeof *m->gains);
    m->power = iv_take(&m->arena, most, sizeof *m->power);
    IV_TRY(iv_taken(&m->arena, err));
    for (size_t i = 0; i < m->requested_count; i++) {
        iv_requested *a = &m->requested[i];
        m->reads |= a->definition->reads;
        a->view = share_view(m, a);
        if (a->definition->reads & IV_READS_GAINS)
            a->gains = share_gains(m, a);
        if (a->definition->reads & IV_READS_POWERS)
            a->powers = share_power(m, a);
    }
    return IV_OK;
}

/* One value over all topics, and values as trec_eval's lines. */

/* ---------------------------------------------------------- over topics -- */

static double summarize(iv_summary how, const double *rows, size_t stride,
                        size_t topics)
{
    double sum = 0.0;

    if (how == IV_SUMMARY_NONE)
        return 0.0;
    for (size_t t = 0; t < topics; t++)
        sum += how == IV_SUMMARY_GEOMETRIC ? log(rows[t * stride])
                                           : rows[t * stride];
    if (how == IV_SUMMARY_SUM)
        return sum;
    sum /= (double)topics;
    return how == IV_SUMMARY_GEOMETRIC ? exp(sum) : sum;
}

int iv_measures_summary(double *out, const iv_measures *m, const double *rows, size_t topics,
                        double above_0, iv_err *err)
{
    if (topics == 0)
        return iv_fail(err, IV_ENODATA, "there is no topic to summarise");
    for (size_t i = 0; i < m->value_count; i++) {
        const iv_requested *a = &m->requested[m->owner[i]];
        out[i] = a->definition->above_0 && above_0 >= 0.0 && !a->rel_given ? above_0
            : summarize(a->definition->info.summary, rows + i, m->value_count, topics);
    }
    return IV_OK;
}

/* -------------------------------------------------------------- as text -- */

enum { FIXED_SIZE = 330 }; /* of any number with a few digits behind the point */

size_t iv_trec_line(char *out, size_t size, const iv_value_info *value,
                    iv_str topic, double number, const char *text)
{
    const iv_measure_info *m = value->measure;
    const bool whole = m->kind == IV_INTEGER;
    /* The grades of a topic come in quotes, the run's tag does not. */
    const char *quote = m->kind == IV_TEXT && m->per_topic ? "'" : "";
    char figure[FIXED_SIZE];

    if (m->kind != IV_TEXT)
        iv_to_digits(figure, sizeof figure, whole ? trunc(number) : number, whole ? 0 : 4, false);
    const int n = snprintf(out, size, "%-22s\t%.*s\t%s%s%s\n", value->name, (int)topic.len,
                           topic.ptr, quote, m->kind != IV_TEXT ? figure : text != NULL ? text : "",
                           quote);
    return n > 0 ? (size_t)n : 0;
}

iv_measure_options iv_measure_options_of(const iv_measure_options *options)
{
    iv_measure_options o = options != NULL ? *options : (iv_measure_options){ 0 };

    o.level = o.level == 0 ? 1 : o.level == IV_ZERO ? 0 : o.level;
    o.depth = o.depth == 0 ? SIZE_MAX : o.depth;
    return o;
}

IV_NAMES(iv_dialect_names, "9", "10")

iv_precision iv_precision_of(iv_dialect dialect)
{
    return dialect == IV_TREC_EVAL_9 ? IV_SCORES_FLOAT : IV_SCORES_DOUBLE;
}

/* ------------------------------------------------------------- collect -- */

static int append(iv_measures *m, const iv_requested *a, iv_err *err)
{
    if (!IV_ROOM(m->requested, m->requested_capacity, m->requested_count + 1))
        return iv_no_memory(err);
    m->requested[m->requested_count++] = *a;
    return IV_OK;
}

/* Where trec_eval prints it; what it cannot print stays as asked, last. */
static size_t place(const iv_requested *a)
{
    const iv_definition *d;
    size_t i = 0;

    while ((d = iv_definition_at(i)) != NULL && (a->label != NULL || d != a->definition))
        i++;
    return i;
}

/* How many places there are: one behind those of all measures. */
static size_t places(void)
{
    return place(&(iv_requested){ .definition = NULL }) + 1;
}

/* As trec_eval: a measure once, with the first parameters given for it. */
static int merge(iv_measures *m, const iv_requested *a, iv_err *err)
{
    if (!m->options.as_trec_eval || a->label != NULL)
        return append(m, a, err);
    size_t *had = &m->requested_at[place(a)];
    if (*had == 0) {
        *had = m->requested_count + 1;
        return append(m, a, err);
    }
    if (m->requested[*had - 1].suffix == NULL && a->suffix != NULL)
        m->requested[*had - 1] = *a;
    return IV_OK;
}

static int add_set(iv_measures *m, unsigned bit, iv_err *err)
{
    const iv_definition *d;
    int rc = IV_OK;

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL && rc == IV_OK; i++)
        if (d->sets & bit) {
            const iv_requested a = iv_requested_plain(d, &m->options);
            rc = merge(m, &a, err);
        }
    return rc;
}

/* A near name with the cut-off asked for, if there is one; false: it takes none. */
static bool with_cutoff(char out[64], const char *near, const char *asked)
{
    const char *at = strchr(asked, '@');
    const iv_definition *d = iv_definition_of(iv_str_of(near));

    if (d == NULL || d->info.ir_name == NULL)
        d = iv_definition_of_ir(iv_str_of(near), at != NULL);
    if (at != NULL && (d == NULL || d->info.ir_name == NULL))
        return false;
    if (at != NULL && iv_definition_of_ir(iv_str_of(d->info.ir_name), true)->at == IV_AT_NEVER)
        return false;
    (void)snprintf(out, 64, "%.30s%.20s", at != NULL ? d->info.ir_name : near,
                   at != NULL ? at : "");
    return true;
}

/* hit@10, hits@10, hit_10, hit_rate@10 and so on: the cut-off; NULL: none of them. */
static const char *is_hit(const char *text)
{
    static const char *const names[] = { "hit_rate", "hitrate", "hits", "hit", "HitRate", "Hits",
                                         "Hit", "HR" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t len = strlen(names[i]);
        if (strncmp(text, names[i], len) == 0
            && (text[len] == '\0' || text[len] == '@' || text[len] == '_' || text[len] == '.'))
            return text + len + (text[len] != '\0');
    }
    return NULL;
}

static int unknown(iv_str name, iv_err *err)
{
    enum { SHOWN = 3 };
    const char *near[2 * SHOWN];
    char quoted[IV_QUOTE_SIZE], text[64] = "", shown[SHOWN][64];
    iv_listing similar = { .most = SHOWN };
    size_t count = 0;

    memcpy(text, name.ptr, name.len < 63 ? name.len : 63);
    const char *success = is_hit(text);
    if (success != NULL)
        return iv_fail(err, IV_EARG, "unknown measure %s; did you mean Success@%.20s?",
                       iv_quote(quoted, name), *success != '\0' ? success : "k");
    const size_t n = iv_measure_nearest(near, 2 * SHOWN, text);
    for (size_t i = 0; i < n && count < SHOWN; i++) {
        bool repeated = !with_cutoff(shown[count], near[i], text);
        for (size_t k = 0; k < count && !repeated; k++)
            repeated = strcmp(shown[k], shown[count]) == 0;
        if (!repeated)
            iv_list(&similar, "%s", shown[count++]);
    }
    return iv_fail(err, IV_EARG, "unknown measure %s%s%s" IV_HINT("; 'intervale measures' lists "
                                                                  "all"),
                   iv_quote(quoted, name), count > 0 ? "; similar names: " : "",
                   iv_listed(&similar));
}

/* Either grammar; a->is stays NULL where neither knows the name. */
static int parse_name(iv_requested *a, const iv_parsed_name *r, iv_err *err)
{
    int rc = IV_OK;

    if (memchr(r->text.ptr, '(', r->text.len) == NULL
        && memchr(r->text.ptr, '@', r->text.len) == NULL)
        rc = iv_parse_trec(a, r, err);
    if (rc == IV_OK && a->definition == NULL)
        rc = iv_parse_ir(a, r, err);
    return rc;
}

static int add_name(iv_measures *m, const char *name, iv_err *err)
{
    const iv_parsed_name r = { iv_trim(iv_str_of(name)), &m->options, &m->arena };
    const unsigned set = iv_set_bit(r.text, m->options.dialect);
    iv_parsed_name other = r;
    iv_requested a = { .definition = NULL };

    if (set != 0)
        return add_set(m, set, err);
    if (r.text.len == 0)
        return iv_fail(err, IV_EARG, "a measure's name is empty");
    int rc = parse_name(&a, &r, err);
    if (rc == IV_OK && a.definition == NULL)
        rc = iv_respell(&other.text, r.text, &m->arena, err);
    if (rc == IV_OK && a.definition == NULL && other.text.len > 0)
        rc = parse_name(&a, &other, err);
    const bool respelled = other.text.ptr != r.text.ptr && a.number_count <= 1
        && memchr(r.text.ptr, '.', r.text.len) == NULL;
    if (rc == IV_OK && a.definition != NULL && memchr(r.text.ptr, '(', r.text.len) == NULL
        && (a.label != NULL ? strchr(a.label, '(') == NULL : respelled)) {
        a.label = iv_arena_copy(&m->arena, r.text); /* as the caller calls it */
        rc = a.label == NULL ? iv_no_memory(err) : IV_OK;
    }
    if (rc != IV_OK)
        return rc;
    return a.definition != NULL ? merge(m, &a, err) : unknown(r.text, err);
}

/* Several in one text: map,ndcg_cut_10.  A comma before a letter begins a measure, one
 * before a digit a cut-off (P.5,10); inside parentheses neither. */
static int add_names(iv_measures *m, const char *names, iv_err *err)
{
    const char *from = names;
    int depth = 0, rc = IV_OK;

    for (const char *at = names; rc == IV_OK; at++) {
        depth += (*at == '(') - (*at == ')');
        const char *next = at + 1;
        while (*at == ',' && *next == ' ')
            next++;
        const bool letter = *at == ',' && ((*next >= 'a' && *next <= 'z')
                                           || (*next >= 'A' && *next <= 'Z'));
        if (*at != '\0' && (!letter || depth > 0))
            continue;
        if (*at == '\0' && from == names)
            return add_name(m, names, err);
        const char *one = iv_arena_copy(&m->arena, (iv_str){ from, (size_t)(at - from) });
        rc = one == NULL ? iv_no_memory(err) : add_name(m, one, err);
        if (*at == '\0')
            break;
        from = next;
    }
    return rc;
}

/* Counts, then deals: stable. */
static int sort_as_trec_eval(iv_measures *m, iv_err *err)
{
    const size_t most = places();
    size_t *first = iv_take(&m->arena, most + 1, sizeof *first);
    iv_requested *sorted = iv_take(&m->arena, m->requested_count, sizeof *sorted);

    IV_TRY(iv_taken(&m->arena, err));
    for (size_t i = 0; i < m->requested_count; i++)
        first[place(&m->requested[i]) + 1]++;
    for (size_t k = 1; k < most; k++)
        first[k] += first[k - 1];
    for (size_t i = 0; i < m->requested_count; i++)
        sorted[first[place(&m->requested[i])]++] = m->requested[i];
    for (size_t i = 0; i < m->requested_count; i++)
        m->requested[i] = sorted[i];
    return IV_OK;
}

/* -------------------------------------------------------------- values -- */

static bool one_each(const iv_requested *a)
{
    return a->label == NULL
        && (a->definition->shape == IV_SHAPE_CUTS || a->definition->shape == IV_SHAPE_POINTS);
}

static size_t values_of(const iv_requested *a)
{
    return one_each(a) ? a->number_count : 1;
}

/* The name trec_eval prints; NULL when memory is out. */
static const char *name_value(iv_measures *m, const iv_requested *a, double number)
{
    char digits[FIXED_SIZE];
    const char *base = a->definition->info.name, *suffix = a->suffix;

    if (a->label != NULL)
        return a->label;
    if (one_each(a)) {
        iv_to_digits(digits, sizeof digits, number,
                     a->definition->shape == IV_SHAPE_CUTS ? 0 : 2, false);
        suffix = digits;
    }
    if (suffix == NULL)
        return base;
    char *name = iv_arena_alloc(&m->arena, strlen(base) + strlen(suffix) + 2);
    if (name != NULL) {
        strcpy(name, base);
        strcat(name, "_");
        strcat(name, suffix);
    }
    return name;
}

/* Is the value another than those before?  By its name, and what that does not show. */
static int is_new(bool *out, iv_measures *m, iv_ids *had, const iv_value_info *v, iv_err *err)
{
    const size_t len = strlen(v->name);
    const double point = v->point + 0.0; /* -0 is 0 */
    char *key = iv_arena_alloc(&m->arena, len + sizeof point + sizeof v->cutoff);

    if (key == NULL)
        return iv_no_memory(err);
    memcpy(key, &point, sizeof point);
    memcpy(key + sizeof point, &v->cutoff, sizeof v->cutoff);
    memcpy(key + sizeof point + sizeof v->cutoff, v->name, len);
    const size_t before = had->count;
    if (iv_ids_add(had, (iv_str){ key, len + sizeof point + sizeof v->cutoff }) == IV_NO_ID)
        return iv_no_memory(err);
    *out = had->count > before;
    return IV_OK;
}

/* A gain below 0 takes nDCG and its kin there; rbp scales it away. */
static bool goes_below_0(const iv_requested *a)
{
    bool below = false;

    for (size_t i = 0; i < a->pair_count; i++)
        below = below || a->pair[i].gain < 0.0;
    return below && !(a->definition->reads & IV_READS_POWERS);
}

static iv_value_info describe(const iv_requested *a, double number)
{
    const iv_shape shape = a->definition->shape;
    const size_t cutoff = shape == IV_SHAPE_CUTS ? (size_t)number : a->cutoff;

    return (iv_value_info){
        .measure = &a->definition->info,
        .lowest = goes_below_0(a) ? -INFINITY : a->definition->info.lowest,
        .highest = a->definition->info.highest,
        .cutoff = cutoff,
        .point = shape == IV_SHAPE_POINTS ? number : 0.0,
        .level = a->level,
        .judged_only = a->judged_only,
        .persistence = a->persistence,
        .exponential = a->exponential,
        .max_grade = a->max_grade,
        .binary = cutoff > 0 && cutoff <= a->definition->info.binary,
    };
}

/* Names the values of the i-th measure; those had already drop out. */
static int add_values(iv_measures *m, size_t i, iv_ids *had, iv_err *err)
{
    iv_requested *a = &m->requested[i];
    const size_t count = values_of(a);
    double *kept = iv_arena_alloc(&m->arena, (count + 1) * sizeof *kept);

    if (kept == NULL)
        return iv_no_memory(err);
    a->first = m->value_count;
    a->count = 0;
    for (size_t k = 0; k < count; k++) {
        const double number = a->number_count > 0 ? a->number[k] : 0.0;
        iv_value_info v = describe(a, number);
        bool fresh = false;
        v.name = name_value(m, a, number);
        v.canonical = a->definition->info.ir_name == NULL ? v.name
            : iv_ir_name(&m->arena, a, number, &m->options);
        if (v.name == NULL || v.canonical == NULL)
            return iv_no_memory(err);
        IV_TRY(is_new(&fresh, m, had, &v, err));
        if (!fresh)
            continue;
        kept[a->count++] = number;
        m->owner[m->value_count] = i;
        m->value[m->value_count++] = v;
    }
    if (one_each(a)) {
        a->number = kept;
        a->number_count = a->count;
    }
    return IV_OK;
}

static int make_values(iv_measures *m, iv_err *err)
{
    size_t count = 0;
    iv_ids had = { 0 };
    int rc = IV_OK;

    for (size_t i = 0; i < m->requested_count; i++)
        count += values_of(&m->requested[i]);
    m->value = iv_take(&m->arena, count, sizeof *m->value);
    m->owner = iv_take(&m->arena, count, sizeof *m->owner);
    IV_TRY(iv_taken(&m->arena, err));
    for (size_t i = 0; i < m->requested_count && rc == IV_OK; i++)
        rc = add_values(m, i, &had, err);
    iv_ids_free(&had);
    return rc;
}

/* -------------------------------------------------------------- public -- */

static int fill(iv_measures *m, const char *const *names, size_t count, iv_err *err)
{
    if (m->options.level < 0 || m->options.collection < 0)
        return iv_fail(err, IV_EARG, "relevance level %d and %lld documents in the collection: "
                       "expected numbers from 0", (int)m->options.level,
                       (long long)m->options.collection);
    m->requested_at = iv_take(&m->arena, places(), sizeof *m->requested_at);
    IV_TRY(iv_taken(&m->arena, err));
    for (size_t i = 0; i < count; i++)
        IV_TRY(add_names(m, names[i], err));
    if (m->options.as_trec_eval)
        IV_TRY(sort_as_trec_eval(m, err));
    IV_TRY(make_values(m, err));
    return measures_share(m, err);
}

int iv_measures_parse(iv_measures **out, const char *const *names, size_t count,
                      const iv_measure_options *options, iv_err *err)
{
    IV_TRY(iv_check_each(names, count, "measure", err));
    IV_TRY(IV_CHECK(options, err,
                    IV_CHOICE_OF(iv_measure_options, dialect, iv_dialect_names, "the dialect")));
    iv_measures *m = calloc(1, sizeof *m);

    if (m == NULL)
        return iv_no_memory(err);
    m->options = iv_measure_options_of(options);
    const int rc = fill(m, names, count, err);
    if (rc == IV_OK)
        *out = m;
    else
        iv_measures_free(m);
    return rc;
}

int iv_measures_fit(const iv_measures *m, iv_judgments_format format, iv_err *err)
{
    const bool prefs = format == IV_JUDGMENTS_PREFS, nuggets = format == IV_JUDGMENTS_NUGGETS;
    const bool groups = format >= IV_JUDGMENTS_GROUPS;
    const unsigned fit = prefs ? IV_READS_PREFS
        : nuggets ? IV_READS_NUGGETS : IV_READS_GROUPS | IV_READS_PREFS;

    for (size_t i = 0; i < m->requested_count; i++) {
        const iv_requested *a = &m->requested[i];
        const unsigned reads = a->definition->reads;
        if (reads & IV_READS_NOTHING || a->count == 0)
            continue;
        if (groups && !(reads & fit))
            return iv_fail(err, IV_EARG, "measure %s needs %s, and the judgments are %s",
                           m->value[a->first].name,
                           reads & IV_READS_NUGGETS ? "nuggets"
                           : reads & IV_READS_JUDGES ? "grades" : "one judgment a document",
                           prefs ? "preferences" : nuggets ? "nuggets" : "by groups");
        if (!groups && reads & IV_READS_JUDGES)
            return iv_fail(err, IV_EARG, "measure %s needs %s", m->value[a->first].name,
                           reads & IV_READS_NUGGETS ? "judgments of nuggets"
                           : "judgments by groups (subtopics, judges)");
    }
    return IV_OK;
}

void iv_measures_free(iv_measures *m)
{
    if (m == NULL)
        return;
    free(m->requested);
    iv_arena_free(&m->arena);
    free(m);
}

size_t iv_measures_count(const iv_measures *m)
{
    return m->value_count;
}

const iv_value_info *iv_measures_value(const iv_measures *m, size_t i)
{
    return &m->value[i];
}

double iv_measures_gain(const iv_measures *m, size_t i, int32_t grade)
{
    const iv_requested *a = &m->requested[m->owner[i]];

    return iv_gain_of(a->pair, a->pair_count, a->exponential, grade);
}
