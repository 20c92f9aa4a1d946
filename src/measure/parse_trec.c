/* SPDX-License-Identifier: Apache-2.0 */
/* trec_eval's grammar: name, name.5,10 and, as it prints them, name_5. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "measure/measure_parts.h"

iv_asked iv_ask(const iv_definition *d, const iv_measure_options *options)
{
    return (iv_asked){
        .is = d,
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

bool iv_next_piece(iv_str *piece, iv_str *rest, char mark)
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
static int refuse(const iv_request *r, iv_str value, const char *expected,
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

static int expect_number(const iv_definition *d, const iv_request *r,
                         iv_str value, iv_err *err)
{
    char least[IV_REAL_SIZE], most[IV_REAL_SIZE], expected[160];

    if (d->shape == IV_SHAPE_CUTS)
        return refuse(r, value, "ranks from 1, separated by commas", err);
    (void)iv_format_real(least, d->least);
    (void)iv_format_real(most, d->most);
    (void)snprintf(expected, sizeof expected,
                   "numbers from %s to %s, separated by commas", least, most);
    return refuse(r, value, expected, err);
}

static int parse_numbers(iv_asked *out, iv_str list, const iv_request *r,
                         iv_err *err)
{
    const iv_definition *d = out->is;
    const size_t count = pieces(list);
    double *number = iv_arena_alloc(r->arena, count * sizeof *number);
    iv_str rest = list, piece;

    if (number == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; iv_next_piece(&piece, &rest, ','); i++)
        if (!read_number(&number[i], d, iv_trim(piece)))
            return expect_number(d, r, piece, err);
    if (d->shape == IV_SHAPE_NUMBERS && !d->varied && count != d->usual_count) {
        char expected[40];
        (void)snprintf(expected, sizeof expected, "%zu number%s",
                       d->usual_count, d->usual_count == 1 ? "" : "s");
        return refuse(r, list, expected, err);
    }
    if (d->shape != IV_SHAPE_NUMBERS) {
        qsort(number, count, sizeof *number, iv_rising);
        for (size_t i = 1; i < count; i++)
            if (number[i] == number[i - 1])
                return refuse(r, list, "each number once", err);
    }
    out->number = number;
    out->number_count = count;
    return IV_OK;
}

/* Far beyond use, and their sums cannot overflow. */
#define MOST_GAIN 1e12

int iv_parse_pairs(iv_asked *out, iv_str list, char mark, const iv_request *r,
                   iv_err *err)
{
    iv_pair *pair = iv_arena_alloc(r->arena, pieces(list) * sizeof *pair);
    const char *expected = mark == ':' ? "grade: gain pairs, such as {1: 3, 2: 9}"
        : out->is->reads & IV_READS_POWERS
        ? "p=0.8 (from 0, below 1) or grade=gain pairs, such as 1=3.5,2=9"
        : "grade=gain pairs, such as 1=3.5,2=9";
    iv_str rest = list, piece;
    size_t count = 0;

    if (pair == NULL)
        return iv_no_memory(err);
    while (iv_next_piece(&piece, &rest, ',')) {
        iv_str value = piece, key;
        int64_t grade = 0;
        double gain = 0.0;
        (void)iv_next_piece(&key, &value, mark);
        key = iv_trim(key);
        if (value.ptr == NULL || !iv_scan_real(&gain, iv_trim(value))
            || gain < -MOST_GAIN || gain > MOST_GAIN)
            return refuse(r, piece, expected, err);
        if (mark == '=' && out->is->reads & IV_READS_POWERS && key.len == 1
            && *key.ptr == 'p' && gain >= 0.0 && gain < 1.0) {
            out->persistence = gain;
            continue;
        }
        if (!iv_scan_int(&grade, key, 0, IV_GRADE_MAX))
            return refuse(r, piece, expected, err);
        for (size_t i = 0; i < count; i++)
            if (pair[i].grade == grade)
                return refuse(r, piece, "each grade once", err);
        pair[count++] = (iv_pair){ (int32_t)grade, gain };
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

int iv_parse_trec(iv_asked *out, const iv_request *r, iv_err *err)
{
    iv_str suffix = r->text, name;
    char quoted[IV_QUOTE_SIZE];
    int rc = IV_OK;

    (void)iv_next_piece(&name, &suffix, '.');
    const iv_definition *d = iv_definition_of(name);
    if (d == NULL)
        d = printed_form(&suffix, r->text);
    /* What needs a keyword or a cut-off goes the other way, which says so. */
    if (d == NULL || (d->at == IV_AT_MUST && d->shape == IV_SHAPE_PLAIN)
        || d->keywords & IV_IR_MODEL) {
        out->is = NULL;
        return IV_OK;
    }
    *out = iv_ask(d, r->options);
    if (suffix.ptr == NULL)
        return IV_OK;
    if (suffix.len == 0 || d->shape == IV_SHAPE_PLAIN)
        return iv_fail(err, IV_EARG, "measure %s: %s", iv_quote(quoted, r->text),
                       d->shape == IV_SHAPE_PLAIN
                           ? "it takes no parameters after a point"
                           : "parameters expected after the point");
    rc = d->shape == IV_SHAPE_PAIRS
        ? iv_parse_pairs(out, suffix, '=', r, err)
        : parse_numbers(out, suffix, r, err);
    out->suffix = iv_arena_copy(r->arena, suffix);
    if (rc == IV_OK && out->suffix == NULL)
        return iv_no_memory(err);
    return rc;
}
