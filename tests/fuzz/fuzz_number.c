/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers are read as the C library reads them, and written so that they read back. */
#include "fuzz.h"

#include <errno.h>
#include <math.h>

static bool is_decimal(const char *s)
{
    const size_t sign = *s == '-' || *s == '+';
    const size_t whole = strspn(s + sign, "0123456789");
    size_t at = sign + whole, fraction = 0;

    if (s[at] == '.') {
        fraction = strspn(s + at + 1, "0123456789");
        at += 1 + fraction;
    }
    if (whole + fraction == 0)
        return false;
    if (s[at] == 'e' || s[at] == 'E') {
        at++;
        at += s[at] == '-' || s[at] == '+';
        const size_t digits = strspn(s + at, "0123456789");
        if (digits == 0)
            return false;
        at += digits;
    }
    return s[at] == '\0';
}

static void as_real(const char *s, size_t len)
{
    double got = 7.25, want = strtod(s, NULL);
    const bool good = strlen(s) == len && is_decimal(s) && isfinite(want);

    PROMISE(iv_scan_real(&got, (iv_str){ s, len }) == good);
    if (good)
        PROMISE(memcmp(&got, &want, sizeof got) == 0);
    else
        PROMISE(got == 7.25);
}

static void as_integer(const char *s, size_t len)
{
    const size_t sign = *s == '-' || *s == '+';
    const size_t digits = strspn(s + sign, "0123456789");
    int64_t got = 77;

    errno = 0;
    const long long want = strtoll(s, NULL, 10);
    const bool good = digits > 0 && sign + digits == len && errno == 0;
    PROMISE(iv_scan_int(&got, (iv_str){ s, len }, INT64_MIN, INT64_MAX) == good);
    PROMISE(got == (good ? want : 77));
    PROMISE(iv_scan_int(&got, (iv_str){ s, len }, -5, 12) == (good && want >= -5 && want <= 12));
}

static void both_ways(double value)
{
    char text[IV_REAL_SIZE];
    double back = 0.0;
    const size_t len = iv_format_real(text, value);

    PROMISE(len < IV_REAL_SIZE && text[len] == '\0' && strlen(text) == len);
    PROMISE(iv_scan_real(&back, (iv_str){ text, len }) == (bool)isfinite(value));
    if (isfinite(value))
        PROMISE(memcmp(&back, &value, sizeof back) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    double value = 0.0;
    char *s = malloc(size + 1);

    PROMISE(s != NULL);
    if (size > 0)
        memcpy(s, data, size);
    s[size] = '\0';
    as_real(s, size);
    as_integer(s, size);
    memcpy(&value, s, size < sizeof value ? size : sizeof value);
    both_ways(value);
    free(s);
    return 0;
}
