/* SPDX-License-Identifier: Apache-2.0 */
/* The C++ standard library's text conversions, which C lacks. */
#ifndef IV_BASE_CHARCONV_H
#define IV_BASE_CHARCONV_H

#include "intervale/base.h"

IV_BEGIN_C

/*
 * Reads an unsigned decimal text, already known to be well formed, correctly
 * rounded whatever the locale.  False when the value rounds to 0 or infinity.
 */
bool iv_from_chars(double *out, iv_str s);

/* Writes the shortest text that reads back to value; returns its length. */
size_t iv_to_chars(char *out, size_t size, double value);

/* Writes value with so many digits behind the point, correctly rounded; scientific: as 1.2e-07. */
void iv_to_digits(char *out, size_t size, double value, int digits, bool scientific);

IV_END_C

#endif /* IV_BASE_CHARCONV_H */
