// SPDX-License-Identifier: Apache-2.0
// C has no locale-free, correctly rounded reading of a double and no shortest
// writing of one; C++17's <charconv> has both, and never throws.
#include "base/charconv.h"

#include <charconv>

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

extern "C" size_t iv_to_chars(char *out, size_t size, double value)
{
    const auto wrote = std::to_chars(out, out + size - 1, value);
    *wrote.ptr = '\0';
    return static_cast<size_t>(wrote.ptr - out);
}
