// SPDX-License-Identifier: Apache-2.0
// C has no locale-free, correctly rounded reading of a double and no shortest
// writing of one; C++17's <charconv> has both, and never throws.
#include "base/charconv.h"

#include <charconv>
#ifdef __wasi__ // whose library cannot read a double so, and knows no locale but C's
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

extern "C" bool iv_from_chars(double *out, iv_str s)
{
    char room[64];
    const std::unique_ptr<char[]> longer(s.len < sizeof room ? nullptr
                                                             : new (std::nothrow) char[s.len + 1]);
    char *const text = longer ? longer.get() : room;
    if (s.len >= sizeof room && !longer)
        return false;
    std::memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    char *end = nullptr;
    const double value = std::strtod(text, &end);
    if (end != text + s.len || value == 0.0 || std::isinf(value))
        return false;
    *out = value;
    return true;
}
#else
extern "C" bool iv_from_chars(double *out, iv_str s)
{
    double value = 0.0;
    const auto end = s.ptr + s.len;
    const auto read = std::from_chars(s.ptr, end, value);
    if (read.ec != std::errc() || read.ptr != end)
        return false;
    *out = value;
    return true;
}
#endif

extern "C" size_t iv_to_chars(char *out, size_t size, double value)
{
    const auto wrote = std::to_chars(out, out + size - 1, value);
    *wrote.ptr = '\0';
    return static_cast<size_t>(wrote.ptr - out);
}

extern "C" void iv_to_digits(char *out, size_t size, double value, int digits, bool scientific)
{
    const auto how = scientific ? std::chars_format::scientific : std::chars_format::fixed;
    *std::to_chars(out, out + size - 1, value, how, digits).ptr = '\0';
}
