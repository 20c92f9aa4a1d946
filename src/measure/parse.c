/* SPDX-License-Identifier: Apache-2.0 */
/* Names of measures: those of ir_measures, of trec_eval, and as people write them. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "measure/definition.h"
#include "measure/parse.h"
#include "measure/topic.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* trec_eval's grammar: name, name.5,10 and, as it prints them, name_5. */

iv_requested iv_requested_plain(const iv_definition *d, const iv_measure_options *options)
{
    return (iv_requested){
        .definition = d,
        .number = d->usual,
        .number_count = d->usual_count,
        .level = options->level,
        .judged_only = options->judged_only,
        .persistence = d->persistence,
        .target = d->target,
        .alpha = d->alpha,
        .model = d->model,
        .normal = true,
    };
}

/* Cuts the next piece off the front of *rest, at the byte mark or its end. */
static bool next_piece(iv_str *piece, iv_str *rest, char mark)
{
    if (rest->ptr == NULL)
        return false;
    const char *end = rest->len > 0 ? memchr(rest->ptr, mark, rest->len) : NULL;
    if (end == NULL) {
        *piece = *rest;
        *rest = (iv_str){ NULL, 0 };
        return true;
    }
    *piece = (iv_str){ rest->ptr, (size_t)(end - rest->ptr) };
    rest->len -= piece->len + 1;
    rest->ptr = end + 1;
    return true;
}

iv_str iv_trim(iv_str s)
{
    while (s.len > 0 && (*s.ptr == ' ' || *s.ptr == '\t')) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t'))
        s.len--;
    return s;
}

static size_t pieces(iv_str list)
{
    size_t n = 1;

    for (size_t i = 0; i < list.len; i++)
        n += list.ptr[i] == ',';
    return n;
}

/* Refuses a parameter and says what belongs there. */
static int refuse_value(const iv_parsed_name *r, iv_str value, const char *expected,
                  iv_err *err)
{
    char whole[IV_QUOTE_SIZE], part[IV_QUOTE_SIZE];

    return iv_fail(err, IV_EARG, "measure %s: %s, expected %s",
                   iv_quote(whole, r->text), iv_quote(part, value), expected);
}

static bool read_number(double *out, const iv_definition *d, iv_str s)
{
    if (d->shape == IV_SHAPE_CUTS) { /* 23.4 is rank 23, as trec_eval reads it */
        double rank = 0.0;
        if (!iv_scan_real(&rank, s) || !(rank >= 1.0 && rank <= (double)UINT32_MAX))
            return false;
        *out = floor(rank);
        return true;
    }
    return iv_scan_real(out, s) && *out >= d->least && *out <= d->most;
}

static int expect_number(const iv_definition *d, const iv_parsed_name *r,
                         iv_str value, iv_err *err)
{
    char least[IV_REAL_SIZE], most[IV_REAL_SIZE], expected[160];

    if (d->shape == IV_SHAPE_CUTS)
        return refuse_value(r, value, "ranks from 1, separated by commas", err);
    (void)iv_format_real(least, d->least);
    (void)iv_format_real(most, d->most);
    (void)snprintf(expected, sizeof expected,
                   "numbers from %s to %s, separated by commas", least, most);
    return refuse_value(r, value, expected, err);
}

static int parse_numbers(iv_requested *out, iv_str list, const iv_parsed_name *r,
                         iv_err *err)
{
    const iv_definition *d = out->definition;
    const size_t count = pieces(list);
    double *number = iv_arena_alloc(r->arena, count * sizeof *number);
    iv_str rest = list, piece;

    if (number == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; next_piece(&piece, &rest, ','); i++)
        if (!read_number(&number[i], d, iv_trim(piece)))
            return expect_number(d, r, piece, err);
    if (d->shape == IV_SHAPE_NUMBERS && !d->varied && count != d->usual_count) {
        char expected[40];
        (void)snprintf(expected, sizeof expected, "%zu number%s",
                       d->usual_count, d->usual_count == 1 ? "" : "s");
        return refuse_value(r, list, expected, err);
    }
    if (d->shape != IV_SHAPE_NUMBERS) {
        qsort(number, count, sizeof *number, iv_ascending);
        for (size_t i = 1; i < count; i++)
            if (number[i] == number[i - 1])
                return refuse_value(r, list, "each number once", err);
    }
    out->number = number;
    out->number_count = count;
    return IV_OK;
}

/* Far beyond use, and their sums cannot overflow. */
#define MOST_GAIN 1e12

/* Reads grade<mark>gain pairs apart by commas into out->pair. */
static int parse_pairs(iv_requested *out, iv_str list, char mark, const iv_parsed_name *r,
                       iv_err *err)
{
    iv_grade_gain *pair = iv_arena_alloc(r->arena, pieces(list) * sizeof *pair);
    const char *expected = mark == ':' ? "grade: gain pairs, such as {1: 3, 2: 9}"
        : out->definition->reads & IV_READS_POWERS
        ? "p=0.8 (from 0, below 1) or grade=gain pairs, such as 1=3.5,2=9"
        : "grade=gain pairs, such as 1=3.5,2=9";
    iv_str rest = list, piece;
    size_t count = 0;

    if (pair == NULL)
        return iv_no_memory(err);
    while (next_piece(&piece, &rest, ',')) {
        iv_str value = piece, key;
        int64_t grade = 0;
        double gain = 0.0;
        (void)next_piece(&key, &value, mark);
        key = iv_trim(key);
        if (value.ptr == NULL || !iv_scan_real(&gain, iv_trim(value))
            || gain < -MOST_GAIN || gain > MOST_GAIN)
            return refuse_value(r, piece, expected, err);
        if (mark == '=' && out->definition->reads & IV_READS_POWERS && key.len == 1
            && *key.ptr == 'p' && gain >= 0.0 && gain < 1.0) {
            out->persistence = gain;
            continue;
        }
        if (!iv_scan_int(&grade, key, 0, IV_GRADE_MAX))
            return refuse_value(r, piece, expected, err);
        for (size_t i = 0; i < count; i++)
            if (pair[i].grade == grade)
                return refuse_value(r, piece, "each grade once", err);
        pair[count++] = (iv_grade_gain){ (int32_t)grade, gain };
    }
    out->pair = pair;
    out->pair_count = count;
    return IV_OK;
}

/* Parameters begin so, and no name that goes on after _ does. */
static bool like_parameters(const iv_definition *d, iv_str s)
{
    if (s.len == 0)
        return false;
    if (d->shape == IV_SHAPE_PAIRS)
        return memchr(s.ptr, '=', s.len) != NULL;
    return (*s.ptr >= '0' && *s.ptr <= '9') || *s.ptr == '.' || *s.ptr == '-';
}

/* name_parameters, by the longest name; NULL: it is none of those. */
static const iv_definition *printed_form(iv_str *suffix, iv_str s)
{
    const iv_definition *d, *best = NULL;
    size_t longest = 0;

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        const iv_str name = iv_str_of(d->info.name);
        if (d->shape == IV_SHAPE_PLAIN || s.len <= name.len + 1
            || s.ptr[name.len] != '_' || name.len < longest
            || memcmp(s.ptr, name.ptr, name.len) != 0)
            continue;
        const iv_str rest = { s.ptr + name.len + 1, s.len - name.len - 1 };
        if (like_parameters(d, rest)) {
            best = d;
            longest = name.len;
            *suffix = rest;
        }
    }
    return best;
}

int iv_parse_trec(iv_requested *out, const iv_parsed_name *r, iv_err *err)
{
    iv_str suffix = r->text, name;
    char quoted[IV_QUOTE_SIZE];
    int rc = IV_OK;

    (void)next_piece(&name, &suffix, '.');
    const iv_definition *d = iv_definition_of(name);
    if (d == NULL)
        d = printed_form(&suffix, r->text);
    /* What needs a keyword or a cut-off goes the other way, which says so. */
    if (d == NULL || (d->at == IV_AT_MUST && d->shape == IV_SHAPE_PLAIN)
        || d->keywords & IV_IR_MODEL) {
        out->definition = NULL;
        return IV_OK;
    }
    *out = iv_requested_plain(d, r->options);
    if (suffix.ptr == NULL)
        return IV_OK;
    if (suffix.len == 0 || d->shape == IV_SHAPE_PLAIN)
        return iv_fail(err, IV_EARG, "measure %s: %s", iv_quote(quoted, r->text),
                       d->shape == IV_SHAPE_PLAIN
                           ? "it takes no parameters after a point"
                           : "parameters expected after the point");
    rc = d->shape == IV_SHAPE_PAIRS
        ? parse_pairs(out, suffix, '=', r, err)
        : parse_numbers(out, suffix, r, err);
    out->suffix = iv_arena_copy(r->arena, suffix);
    if (rc == IV_OK && out->suffix == NULL)
        return iv_no_memory(err);
    return rc;
}

/* ir_measures' grammar: Name(keyword=value, ...)@at. */

static int refuse(const iv_parsed_name *r, iv_err *err, const char *fmt, ...)
    IV_PRINTF(3, 4);

static int refuse(const iv_parsed_name *r, iv_err *err, const char *fmt, ...)
{
    char whole[IV_QUOTE_SIZE], why[300];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    return iv_fail(err, IV_EARG, "measure %s: %s", iv_quote(whole, r->text), why);
}

/* ------------------------------------------------------------ keywords -- */

static bool read_bool(bool *out, iv_str s)
{
    static const char *const words[] = { "False", "True", "false", "true" };

    for (size_t i = 0; i < 4; i++)
        if (iv_str_cmp(s, iv_str_of(words[i])) == 0) {
            *out = i % 2 == 1;
            return true;
        }
    return false;
}

static int set_relative(iv_requested *out, iv_str value, const iv_parsed_name *r,
                        iv_err *err)
{
    bool relative = false;

    if (!read_bool(&relative, value))
        return refuse(r, err, "relative= expects True or False");
    if (relative)
        out->definition = out->definition->variant;
    return IV_OK;
}

static int set_beta(iv_requested *out, iv_str value, const iv_parsed_name *r, iv_err *err)
{
    double *beta = iv_arena_alloc(r->arena, sizeof *beta);

    if (beta == NULL)
        return iv_no_memory(err);
    if (!iv_scan_real(beta, value) || !(*beta >= 0.0 && *beta <= out->definition->most))
        return refuse(r, err, "beta= expects a number from 0");
    out->number = beta;
    return IV_OK;
}

static int set_dcg(iv_requested *out, iv_str value, const iv_parsed_name *r, iv_err *err)
{
    if (iv_str_cmp(value, iv_str_of("exp-log2")) == 0)
        out->exponential = true;
    else if (iv_str_cmp(value, iv_str_of("log2")) != 0)
        return refuse(r, err, "dcg= expects 'log2' or 'exp-log2'");
    return IV_OK;
}

static int set_gains(iv_requested *out, iv_str value, const iv_parsed_name *r,
                     iv_err *err)
{
    if (value.len < 2 || value.ptr[0] != '{' || value.ptr[value.len - 1] != '}')
        return refuse(r, err, "gains= expects grade: gain pairs in braces, such as {1: 3, 2: 9}");
    return parse_pairs(out, (iv_str){ value.ptr + 1, value.len - 2 }, ':', r,
                       err);
}

static int set_model(iv_requested *out, iv_str value, const iv_parsed_name *r, iv_err *err)
{
    out->model = iv_model_named(value);
    return out->model != IV_MODEL_NONE ? IV_OK
        : refuse(r, err, "model= expects P, RR, AP, RBP, INST, INSQ, BPM, SDCG or NERR8 to NERR11");
}

/* What a user model needs beside its keywords. */
static int check_model(const iv_requested *a, const iv_parsed_name *r, iv_err *err)
{
    if (a->definition->keywords & IV_IR_MODEL && a->model == IV_MODEL_NONE)
        return refuse(r, err, "%s needs a user model, such as %s(model=INST)",
                      a->definition->info.name, a->definition->info.name);
    if (a->model != IV_MODEL_NONE && iv_model_cut(a->model) && a->cutoff == 0)
        return refuse(r, err, "model %s needs a cut-off, such as @10", iv_model_name(a->model));
    if (a->max_grade > 0 && a->min_grade >= a->max_grade)
        return refuse(r, err, "min_rel= expects a grade below max_rel");
    return IV_OK;
}

/* A keyword and its value: a member of iv_requested within limits, or set by a function. */
typedef struct keyword {
    const char *name;
    unsigned bit;
    enum { TRUTH, GRADE, REAL, OTHER } kind;
    size_t at;        /* of the member */
    double low, high; /* of numbers */
    const char *expects;
    int (*set)(iv_requested *out, iv_str value, const iv_parsed_name *r, iv_err *err);
} keyword;

#define TRUTH_OF(name, bit, member) \
    { name, bit, TRUTH, offsetof(iv_requested, member), .expects = "True or False" }
#define REAL_OF(name, bit, member, low, high, expects) \
    { name, bit, REAL, offsetof(iv_requested, member), low, high, expects }
#define GRADE_OF(name, bit, member, low) \
    { name, bit, GRADE, offsetof(iv_requested, member), low, IV_GRADE_MAX, \
      "a grade, a whole number from " #low }

static const keyword keywords[] = {
    GRADE_OF("rel", IV_IR_REL, level, 0),
    TRUTH_OF("judged_only", IV_IR_JUDGED_ONLY, judged_only),
    REAL_OF("p", IV_IR_P, persistence, 0.0, 0x1.fffffffffffffp-1, "a number from 0, below 1"),
    { "beta", IV_IR_BETA, OTHER, .set = set_beta },
    { "dcg", IV_IR_DCG, OTHER, .set = set_dcg },
    { "gains", IV_IR_GAINS, OTHER, .set = set_gains },
    GRADE_OF("max", IV_IR_MAX, max_grade, 1),
    { "relative", IV_IR_RELATIVE, OTHER, .set = set_relative },
    { "model", IV_IR_MODEL, OTHER, .set = set_model },
    REAL_OF("T", IV_IR_T, target, DBL_TRUE_MIN, 1e6, "a gain above 0, at most 1000000"),
    REAL_OF("alpha", IV_IR_ALPHA, alpha, 0.0, 1.0, "a number from 0 to 1"),
    GRADE_OF("min_rel", IV_IR_MIN_REL, min_grade, 0),
    GRADE_OF("max_rel", IV_IR_MAX_REL, max_grade, 1),
    TRUTH_OF("normalize", IV_IR_NORMALIZE, normal),
    TRUTH_OF("residual", IV_IR_RESIDUAL, residual),
    TRUTH_OF("strict", IV_IR_STRICT, strict),
};

static int set_keyword(iv_requested *out, const keyword *k, iv_str value, const iv_parsed_name *r,
                       iv_err *err)
{
    char *at = (char *)out + k->at;
    int64_t grade = 0;
    double real = 0.0;

    if (k->kind == OTHER)
        return k->set(out, value, r, err);
    if (k->kind == GRADE && iv_scan_int(&grade, value, (int64_t)k->low, (int64_t)k->high)) {
        *(int32_t *)(void *)at = (int32_t)grade;
        out->rel_given = out->rel_given || k->bit == IV_IR_REL;
        return IV_OK;
    }
    if (k->kind == REAL && iv_scan_real(&real, value) && real >= k->low && real <= k->high) {
        *(double *)(void *)at = real;
        return IV_OK;
    }
    if (k->kind == TRUTH && read_bool((bool *)at, value))
        return IV_OK;
    return refuse(r, err, "%s= expects %s", k->name, k->expects);
}

enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

static int unknown_keyword(const iv_definition *d, iv_str key,
                           const iv_parsed_name *r, iv_err *err)
{
    iv_listing known = { .most = KEYWORDS };
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < KEYWORDS; i++)
        if (d->keywords & keywords[i].bit)
            iv_list(&known, "%s", keywords[i].name);
    return refuse(r, err, "unknown keyword %s; %s takes %s", iv_quote(quoted, key),
                  d->info.ir_name, known.count > 0 ? iv_listed(&known) : "none");
}

/* ------------------------------------------------------------- grammar -- */

/* The name, what stands in its parentheses, and what follows its @; ptr NULL: not there. */
static int split(iv_str *name, iv_str *arguments, iv_str *at, const iv_parsed_name *r, iv_err *err)
{
    iv_str s = r->text;
    size_t i = 0;

    *arguments = *at = (iv_str){ NULL, 0 };
    while (i < s.len && s.ptr[i] != '(' && s.ptr[i] != '@')
        i++;
    *name = iv_trim((iv_str){ s.ptr, i });
    if (i < s.len && s.ptr[i] == '(') {
        const char *close = memchr(s.ptr + i, ')', s.len - i);
        if (close == NULL)
            return refuse(r, err, "the parenthesis is not closed");
        *arguments = iv_trim((iv_str){ s.ptr + i + 1, (size_t)(close - s.ptr) - i - 1 });
        i = (size_t)(close - s.ptr) + 1;
    }
    const iv_str rest = iv_trim((iv_str){ s.ptr + i, s.len - i });
    if (rest.len == 0)
        return IV_OK;
    if (*rest.ptr != '@')
        return refuse(r, err, "expected Name(keyword=value, ...)@cutoff");
    *at = iv_trim((iv_str){ rest.ptr + 1, rest.len - 1 });
    return IV_OK;
}

/* Where the argument that begins s ends: at a comma outside of braces. */
static size_t argument_length(iv_str s)
{
    int depth = 0;
    size_t i = 0;

    for (; i < s.len; i++) {
        depth += s.ptr[i] == '{';
        depth -= s.ptr[i] == '}';
        if (s.ptr[i] == ',' && depth == 0)
            break;
    }
    return i;
}

static iv_str unquote(iv_str s)
{
    if (s.len >= 2 && (*s.ptr == '\'' || *s.ptr == '"')
        && s.ptr[s.len - 1] == *s.ptr)
        return (iv_str){ s.ptr + 1, s.len - 2 };
    return s;
}

/* One keyword=value; cutoff= and recall= are other ways to write @. */
static int apply(iv_requested *out, iv_str *at, const iv_definition *d,
                 iv_str argument, const iv_parsed_name *r, iv_err *err)
{
    iv_str value = argument, key;

    (void)next_piece(&key, &value, '=');
    key = iv_trim(key);
    if (value.ptr == NULL)
        return refuse(r, err, "expected keyword=value in the parentheses");
    value = unquote(iv_trim(value));
    if (iv_str_cmp(key, iv_str_of(d->shape == IV_SHAPE_POINTS ? "recall"
                                                              : "cutoff")) == 0) {
        *at = value;
        return IV_OK;
    }
    for (size_t i = 0; i < KEYWORDS; i++)
        if (d->keywords & keywords[i].bit
            && iv_str_cmp(key, iv_str_of(keywords[i].name)) == 0)
            return set_keyword(out, &keywords[i], value, r, err);
    return unknown_keyword(d, key, r, err);
}

static int set_at(iv_requested *out, iv_str at, const iv_parsed_name *r, iv_err *err)
{
    const iv_definition *d = out->definition;
    int64_t rank = 0;

    if (at.ptr == NULL) {
        if (d->at != IV_AT_MUST)
            return IV_OK;
        return refuse(r, err, "%s needs a cut-off, such as %s@%s",
                      d->info.ir_name, d->info.ir_name,
                      d->shape == IV_SHAPE_POINTS ? "0.1" : "10");
    }
    if (d->at == IV_AT_NEVER)
        return refuse(r, err, "%s takes no cut-off", d->info.ir_name);
    double *number = iv_arena_alloc(r->arena, sizeof *number);
    if (number == NULL)
        return iv_no_memory(err);
    if (d->shape == IV_SHAPE_POINTS) {
        if (!iv_scan_real(number, at) || !(*number >= 0.0 && *number <= d->most))
            return refuse(r, err, "@ expects a recall from 0 to 1");
    } else if (iv_scan_int(&rank, at, 1, UINT32_MAX)) {
        *number = (double)rank;
    } else {
        return refuse(r, err, "@ expects a rank, a whole number from 1");
    }
    if (d->shape == IV_SHAPE_CUTS || d->shape == IV_SHAPE_POINTS) {
        out->number = number;
        out->number_count = 1;
    } else {
        out->cutoff = (size_t)rank;
    }
    return IV_OK;
}

/* --------------------------------------------------------------- label -- */

enum { LABEL = 400 };

static void add(char label[LABEL], const char *fmt, ...) IV_PRINTF(2, 3);

static void add(char label[LABEL], const char *fmt, ...)
{
    const size_t length = strlen(label);
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(label + length, LABEL - length, fmt, args);
    va_end(args);
}

static void add_keyword(char label[LABEL], const char *name, const char *value)
{
    add(label, "%c%s=%s", strchr(label, '(') != NULL ? ',' : '(', name, value);
}

static void add_real(char l[LABEL], const char *name, double value)
{
    char text[IV_REAL_SIZE];

    (void)iv_format_real(text, value);
    add_keyword(l, name, text);
}

static void add_grade(char l[LABEL], const char *name, int32_t grade)
{
    char text[16];

    (void)snprintf(text, sizeof text, "%d", (int)grade);
    add_keyword(l, name, text);
}

static void add_gains(char l[LABEL], const iv_requested *a)
{
    char text[IV_REAL_SIZE];

    add_keyword(l, "gains", "");
    for (size_t i = 0; i < a->pair_count; i++) {
        (void)iv_format_real(text, a->pair[i].gain);
        add(l, "%c%d:%s", i == 0 ? '{' : ',', (int)a->pair[i].grade, text);
    }
    add(l, "}");
}

/* As ir_measures writes it: what differs from the defaults, in our order. */
static void write_label(char l[LABEL], const iv_requested *a, iv_str at,
                        const iv_measure_options *o)
{
    const iv_definition *d = a->definition;

    add(l, "%s", d->info.ir_name);
    if (a->rel_given && (a->level != o->level || d->info.graded))
        add_grade(l, "rel", a->level);
    if (a->judged_only != o->judged_only)
        add_keyword(l, "judged_only", a->judged_only ? "True" : "False");
    if (d->keywords & IV_IR_MODEL)
        add_keyword(l, "model", iv_model_name(a->model));
    if (d->keywords & IV_IR_P && a->persistence != d->persistence && !isnan(a->persistence))
        add_real(l, "p", a->persistence);
    if (d->keywords & IV_IR_T && a->target != d->target)
        add_real(l, "T", a->target);
    if (d->keywords & IV_IR_ALPHA && a->alpha != d->alpha)
        add_real(l, "alpha", a->alpha);
    if (d->keywords & IV_IR_BETA && a->number[0] != d->usual[0])
        add_real(l, "beta", a->number[0]);
    if (a->exponential)
        add_keyword(l, "dcg", "'exp-log2'");
    if (a->pair_count > 0)
        add_gains(l, a);
    if (a->min_grade > 0)
        add_grade(l, "min_rel", a->min_grade);
    if (a->max_grade > 0)
        add_grade(l, d->keywords & IV_IR_MAX ? "max" : "max_rel", a->max_grade);
    if (!a->normal || a->residual || a->strict)
        add_keyword(l, !a->normal ? "normalize" : a->residual ? "residual" : "strict",
                    !a->normal ? "False" : "True");
    if (strchr(l, '(') != NULL)
        add(l, ")");
    if (at.ptr != NULL)
        add(l, "@%.*s", (int)(at.len < 40 ? at.len : 40), at.ptr);
}

const char *iv_ir_name(iv_arena *arena, const iv_requested *a, double number,
                       const iv_measure_options *o)
{
    char at[IV_REAL_SIZE];
    char l[LABEL] = "";
    const iv_shape shape = a->definition->shape;
    const bool points = shape == IV_SHAPE_POINTS, cuts = shape == IV_SHAPE_CUTS;

    (void)iv_format_real(at, cuts || points ? number : (double)a->cutoff);
    write_label(l, a, cuts || points || a->cutoff > 0 ? iv_str_of(at) : (iv_str){ NULL, 0 }, o);
    return iv_arena_copy(arena, iv_str_of(l));
}

int iv_parse_ir(iv_requested *out, const iv_parsed_name *r, iv_err *err)
{
    iv_str name, arguments, at;
    char l[LABEL] = "";
    int rc = split(&name, &arguments, &at, r, err);

    out->definition = NULL;
    if (rc != IV_OK)
        return rc;
    const iv_definition *d = iv_definition_of_ir(name, at.ptr != NULL);
    if (d == NULL)
        return IV_OK;
    *out = iv_requested_plain(d, r->options);
    while (arguments.len > 0) {
        const size_t n = argument_length(arguments);
        const iv_str one = { arguments.ptr, n };
        IV_TRY(apply(out, &at, d, one, r, err));
        const size_t used = n + (n < arguments.len);
        arguments.ptr += used;
        arguments.len -= used;
    }
    if (at.ptr != NULL && d->at == IV_AT_NEVER) /* cutoff= came late */
        out->definition = iv_definition_of_ir(name, true);
    IV_TRY(set_at(out, at, r, err));
    IV_TRY(check_model(out, r, err));
    /* A count of documents of some grade is another count. */
    if (d->variant != NULL && out->rel_given && !(d->keywords & IV_IR_RELATIVE))
        out->definition = d->variant;
    write_label(l, out, at, r->options);
    out->label = iv_arena_copy(r->arena, iv_str_of(l));
    return out->label != NULL ? IV_OK : iv_no_memory(err);
}

/*
 * Names as people write them: ndcg@10, map@100, mrr, recall@5, alpha-nDCG@20.  Whatever
 * the case, with - for _, and trec_eval's name before ir_measures' cut-off, as long as it
 * can mean one measure only.
 */

static bool is(iv_str s, const char *name)
{
    return name != NULL && iv_same_name(s, iv_str_of(name));
}

/* Does s begin with the name, whatever the case and dashes? */
static bool begins(iv_str s, const char *name)
{
    const size_t len = strlen(name);

    return len <= s.len && is((iv_str){ s.ptr, len }, name);
}

/* May the rest follow a name of trec_eval's?  Nothing, .5 or _5. */
static bool is_suffix(iv_str rest)
{
    return rest.len == 0 || *rest.ptr == '.'
        || (rest.len > 1 && *rest.ptr == '_' && rest.ptr[1] >= '0' && rest.ptr[1] <= '9');
}

/* What the name may stand for; `many` when that is not one thing. */
typedef struct meaning {
    const iv_definition *is;
    const char *name; /* as it should be written */
    size_t used;      /* bytes of the text that it replaces */
    bool many;
} meaning;

static void offer(meaning *m, const iv_definition *d, const char *name, size_t used)
{
    m->many = m->many || (m->is != NULL && m->is != d);
    if (m->is == NULL)
        *m = (meaning){ d, name, used, m->many };
}

/* Name(...)@10: by ir_measures' names, or by trec_eval's for the same. */
static meaning with_parts(iv_str name, bool at)
{
    const iv_definition *d;
    meaning m = { .is = NULL };

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        if (d->info.ir_name != NULL
            && (is(name, d->info.ir_name) || is(name, d->ir_alias) || is(name, d->info.name)))
            offer(&m, iv_definition_of_ir(iv_str_of(d->info.ir_name), at), d->info.ir_name,
                  name.len);
    }
    return m;
}

/* One word: the longest of trec_eval's names with its parameters, or a name. */
static meaning word(iv_str text)
{
    const iv_definition *d;
    meaning m = { .is = NULL };

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        const size_t len = strlen(d->info.name);
        if (begins(text, d->info.name) && is_suffix((iv_str){ text.ptr + len, text.len - len })
            && len >= m.used) {
            if (len > m.used)
                m = (meaning){ .is = NULL };
            offer(&m, d, d->info.name, len);
        }
    }
    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        if (is(text, d->info.ir_name) || is(text, d->ir_alias))
            offer(&m, iv_definition_of_ir(iv_str_of(d->info.ir_name), false), d->info.ir_name,
                  text.len);
    }
    return m;
}

int iv_respell(iv_str *out, iv_str text, iv_arena *arena, iv_err *err)
{
    size_t name = 0;

    while (name < text.len && text.ptr[name] != '(' && text.ptr[name] != '@')
        name++;
    const meaning m = name < text.len
        ? with_parts((iv_str){ text.ptr, name }, memchr(text.ptr, '@', text.len) != NULL)
        : word(text);
    *out = (iv_str){ NULL, 0 };
    if (m.is == NULL || m.many)
        return IV_OK;
    const size_t length = strlen(m.name), rest = text.len - m.used;
    char *spelled = iv_arena_alloc(arena, length + rest + 1);
    if (spelled == NULL)
        return iv_no_memory(err);
    memcpy(spelled, m.name, length);
    memcpy(spelled + length, text.ptr + m.used, rest);
    *out = (iv_str){ spelled, length + rest };
    return IV_OK;
}
