/* SPDX-License-Identifier: Apache-2.0 */
/* One value over all topics, and values as trec_eval's lines. */
#include <math.h>
#include <string.h>

#include "measure/measure_parts.h"
#include "measure/measure_private.h"
#include "trec/trec_private.h"

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
        const iv_asked *a = &m->asked[m->owner[i]];
        out[i] = a->is->above_0 && above_0 >= 0.0 && !a->rel_given ? above_0
            : summarize(a->is->info.summary, rows + i, m->value_count, topics);
    }
    return IV_OK;
}

/* -------------------------------------------------------------- as text -- */

static size_t write_digits(char *out, uint64_t n, int least)
{
    char reversed[24];
    size_t count = 0;

    while (n > 0 || (int)count < least) {
        reversed[count++] = (char)('0' + n % 10);
        n /= 10;
    }
    for (size_t i = 0; i < count; i++)
        out[i] = reversed[count - 1 - i];
    return count;
}

/*
 * Rounds as printf does, on the exact value and to even: value x 10^digits is
 * high + low without error, and high's fraction is a multiple of its last bit,
 * so low only decides at exactly one half.
 */
size_t iv_format_fixed(char out[IV_FIXED_SIZE], double value, int digits)
{
    static const double power[] = { 1.0, 10.0, 100.0, 1000.0, 10000.0 };
    const double scale = power[digits], size = fabs(value);
    size_t at = 0;

    if (!(size < 1e11)) { /* no measure is; the locale's point may show */
        const int n = snprintf(out, IV_FIXED_SIZE, "%.*f", digits, value);
        return n > 0 ? (size_t)n : 0;
    }
    const double high = size * scale, low = fma(size, scale, -high);
    const double whole = floor(high), rest = high - whole;
    uint64_t n = (uint64_t)whole;
    n += rest > 0.5 || (rest == 0.5 && (low > 0.0 || (low == 0.0 && n % 2 == 1)));
    if (signbit(value))
        out[at++] = '-';
    at += write_digits(out + at, n / (uint64_t)scale, 1);
    if (digits > 0) {
        out[at++] = '.';
        at += write_digits(out + at, n % (uint64_t)scale, digits);
    }
    out[at] = '\0';
    return at;
}

/* Appends to out[size], which has *length bytes, and counts on when it is full. */
static void put(char *out, size_t size, size_t *length, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++, ++*length)
        if (*length + 1 < size)
            out[*length] = s[i];
}

size_t iv_trec_line(char *out, size_t size, const iv_value_info *value,
                    iv_str topic, double number, const char *text)
{
    enum { WIDTH = 22 };
    const iv_measure_info *m = value->measure;
    const size_t name = strlen(value->name);
    char figure[IV_FIXED_SIZE];
    size_t length = 0;

    put(out, size, &length, value->name, name);
    for (size_t i = name; i < WIDTH; i++)
        put(out, size, &length, " ", 1);
    put(out, size, &length, "\t", 1);
    put(out, size, &length, topic.ptr, topic.len);
    put(out, size, &length, "\t", 1);
    if (m->kind == IV_TEXT) {
        /* The grades of a topic come in quotes, the run's tag does not. */
        const char *quote = m->per_topic ? "'" : "";
        put(out, size, &length, quote, strlen(quote));
        put(out, size, &length, text, text != NULL ? strlen(text) : 0);
        put(out, size, &length, quote, strlen(quote));
    } else {
        put(out, size, &length, figure,
            iv_format_fixed(figure, m->kind == IV_INTEGER ? trunc(number) : number,
                            m->kind == IV_INTEGER ? 0 : 4));
    }
    put(out, size, &length, "\n", 1);
    if (size > 0)
        out[length < size ? length : size - 1] = '\0';
    return length;
}
