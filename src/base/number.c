/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers from text.
 *
 * A decimal m x 10^e with m below 2^53 and |e| at most 22 is one exact integer
 * times or divided by one exact power of ten, so a single IEEE operation rounds
 * it correctly (Clinger, PLDI 1990).  Nearly every score and probability is of
 * that kind; the rest go to the C++ library's from_chars.
 */
#include "base/charconv.h"
#include "base/order.h"
#include "base/ties.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double exact_power[] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads [+-]digits up to end, saturated far beyond any double. */
static bool scan_exponent(int64_t *out, const char *p, const char *end)
{
    const bool negative = p < end && *p == '-';
    int64_t value = 0;

    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        if (value < 100000000)
            value = 10 * value + (*p - '0');
    }
    *out = negative ? -value : value;
    return true;
}

/* False when s, behind its sign, is no decimal number.  *magnitude: of its first significant digit,
 * INT64_MIN for 0. */
static bool split(int64_t *magnitude, iv_str s)
{
    const char *p = s.ptr;
    const char *const end = s.ptr + s.len;
    int64_t written = 0, before_point = 0, fraction = 0, first = 0;
    bool point = false, significant = false;

    for (; p < end && (is_digit(*p) || (*p == '.' && !point)); p++) {
        point = point || *p == '.';
        fraction += point && *p != '.';
        before_point += !point;
        if (!significant && is_digit(*p) && *p != '0') {
            significant = true;
            first = point ? -fraction : before_point;
        }
    }
    if (before_point + fraction == 0)
        return false;
    if (p < end && ((*p != 'e' && *p != 'E') || !scan_exponent(&written, p + 1, end)))
        return false;
    /* Digits were counted from the left: the first significant one stands before_point - first
     * places before the point. */
    *magnitude = !significant ? INT64_MIN : written + (first > 0 ? before_point - first : first);
    return true;
}

/*
 * Reads [-]digits[.digits] of at most 18 digits, which is how nearly all
 * scores are written.  False: look closer.
 */
static bool scan_plain(double *out, iv_str s)
{
    const char *p = s.ptr;
    const char *const end = s.ptr + s.len;
    const char *point = NULL;
    const bool negative = p < end && *p == '-';
    uint64_t mantissa = 0;

    p += negative;
    if (end - p > 19 || p == end)
        return false;
    for (const char *q = p; q < end; q++) {
        const unsigned digit = (unsigned)(unsigned char)*q - '0';
        if (digit <= 9)
            mantissa = 10 * mantissa + digit;
        else if (*q == '.' && point == NULL)
            point = q;
        else
            return false;
    }
    if (end - p - (point != NULL) < 1 || mantissa >= UINT64_C(1) << 53)
        return false;
    double value = (double)mantissa;
    if (point != NULL)
        value /= exact_power[end - point - 1];
    *out = negative ? -value : value;
    return true;
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/* The number that eight digits write, the first in the lowest byte; false: other bytes. */
static bool eight_digits(uint64_t *out, uint64_t w)
{
    const uint64_t zeros = UINT64_C(0x3030303030303030);

    if (((w & UINT64_C(0xf0f0f0f0f0f0f0f0)) ^ zeros) != 0
        || (((w + UINT64_C(0x0606060606060606)) & UINT64_C(0xf0f0f0f0f0f0f0f0)) ^ zeros) != 0)
        return false;
    w -= zeros; /* neighbours are joined: digits, pairs, fours */
    w = (w * 10 + (w >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    w = (w * 100 + (w >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *out = (w * 10000 + (w >> 32)) & UINT64_C(0xffffffff);
    return true;
}

/*
 * Reads [-]digits.digits of at least eight bytes with the point among the last eight: the
 * digits behind it all at once.  False: look closer.
 */
static bool scan_point(double *out, iv_str s)
{
    uint64_t w, behind, before = 0;

    if (s.len < 8 || s.len > 18)
        return false;
    memcpy(&w, s.ptr + s.len - 8, 8);
    const uint64_t other = w ^ UINT64_C(0x2e2e2e2e2e2e2e2e);
    const uint64_t points = (other - UINT64_C(0x0101010101010101)) & ~other
        & UINT64_C(0x8080808080808080);
    if (points == 0)
        return false;
    const unsigned place = (unsigned)__builtin_ctzll(points) >> 3; /* of the first point */
    const uint64_t dropped = UINT64_MAX >> (8 * (7 - place)); /* up to the point */
    if (!eight_digits(&behind, (w & ~dropped) | (UINT64_C(0x3030303030303030) & dropped)))
        return false;
    static const uint64_t powers[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };
    const char *p = s.ptr;
    const char *const point = s.ptr + s.len - 8 + place;
    const bool negative = *p == '-';
    p += negative;
    if (p == point)
        return false;
    for (; p < point; p++) {
        const unsigned digit = (unsigned)(unsigned char)*p - '0';
        if (digit > 9)
            return false;
        before = 10 * before + digit;
    }
    const uint64_t mantissa = before * powers[7 - place] + behind;
    if (mantissa >= UINT64_C(1) << 53)
        return false;
    const double value = (double)mantissa / exact_power[7 - place];
    *out = negative ? -value : value;
    return true;
}
#else
static bool scan_point(double *out, iv_str s)
{
    (void)out, (void)s;
    return false;
}
#endif

/* Reads any decimal. */
static bool scan_closely(double *out, iv_str s)
{
    const bool has_sign = s.len > 0 && (s.ptr[0] == '-' || s.ptr[0] == '+');
    const iv_str digits = { s.ptr + has_sign, s.len - has_sign };
    int64_t magnitude;
    double value = 0.0;

    if (!split(&magnitude, digits))
        return false;
    if (magnitude > INT64_MIN && !iv_from_chars(&value, digits)) {
        if (magnitude >= 0)
            return false; /* larger than any double */
        value = 0.0;
    }
    *out = has_sign && s.ptr[0] == '-' ? -value : value;
    return true;
}

/* Not inlined: the quick way, which nearly all numbers go, needs no registers saved for it. */
static __attribute__((noinline)) bool scan_other(double *out, iv_str s)
{
    return scan_plain(out, s) || scan_closely(out, s);
}

bool iv_scan_real(double *out, iv_str s)
{
    return scan_point(out, s) || scan_other(out, s);
}

bool iv_scan_int(int64_t *out, iv_str s, int64_t lo, int64_t hi)
{
    const char *p = s.ptr;
    const char *const end = s.ptr + s.len;
    const bool negative = p < end && *p == '-';
    const uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : INT64_MAX;
    uint64_t value = 0;

    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        const uint64_t digit = (uint64_t)(*p - '0');
        if (value > limit / 10)
            return false;
        value = 10 * value + digit;
        if (value > limit)
            return false;
    }
    /* Through unsigned arithmetic: -INT64_MIN does not exist. */
    const int64_t signed_value = negative ? -(int64_t)(value - (value > 0)) - (value > 0)
                                          : (int64_t)value;
    if (signed_value < lo || signed_value > hi)
        return false;
    *out = signed_value;
    return true;
}

size_t iv_format_real(char out[IV_REAL_SIZE], double value)
{
    return iv_to_chars(out, IV_REAL_SIZE, value);
}

double iv_slack_of(const double *x, size_t count)
{
    double largest = 0.0;

    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i])); /* passes over NaN */
    return IV_SLACK * largest;
}

int iv_tie_means(double *means, size_t count, double slack, iv_err *err)
{
    double **order = calloc(count + 1, sizeof *order);

    if (order == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for %zu means", count);
    for (size_t i = 0; i < count; i++)
        order[i] = &means[i];
    qsort(order, count, sizeof *order, iv_descending_at);
    for (size_t i = 0, first = 0; i < count; i++) {
        if (*order[i] < *order[first] - slack)
            first = i;
        *order[i] = *order[first];
    }
    free(order);
    return IV_OK;
}
