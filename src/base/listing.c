/* SPDX-License-Identifier: Apache-2.0 */
#include "base/listing.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { MORE = 32 }; /* room for " and 3 more" */

/* Is the next item to be named?  Writes what stands before it. */
static bool begin(iv_listing *l)
{
    if (l->count++ >= (l->most == 0 ? 5 : l->most) || l->used + MORE + 2 >= sizeof l->text)
        return false;
    if (l->used > 0)
        l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, ", ");
    return true;
}

void iv_list(iv_listing *l, const char *fmt, ...)
{
    const size_t room = sizeof l->text - MORE;
    va_list ap;

    if (!begin(l))
        return;
    va_start(ap, fmt);
    (void)vsnprintf(l->text + l->used, room - l->used, fmt, ap); /* cut where it is full */
    va_end(ap);
    l->used += strlen(l->text + l->used);
}

void iv_list_quoted(iv_listing *l, iv_str s)
{
    char quoted[IV_QUOTE_SIZE];

    iv_list(l, "%s", iv_quote(quoted, s));
}

const char *iv_listed(iv_listing *l)
{
    const size_t most = l->most == 0 ? 5 : l->most;

    if (l->count > most)
        (void)snprintf(l->text + l->used, sizeof l->text - l->used, " and %zu more",
                       l->count - most);
    return l->text;
}

void iv_drop_signs(char *text)
{
    char *to = text;

    for (const char *at = text; *at != '\0'; at++) {
        const bool begins = *at == '-' && (at == text || strchr(" ([", at[-1]) != NULL);
        const size_t zeros = begins && strncmp(at + 1, "0.0", 3) == 0 ? 3 + strspn(at + 4, "0") : 0;
        if (zeros == 0 || (at[1 + zeros] != '\0' && strchr("123456789e.", at[1 + zeros]) != NULL))
            *to++ = *at;
    }
    *to = '\0';
}

const char *iv_thousands(char out[IV_FIGURE_SIZE], double count)
{
    char digits[IV_FIGURE_SIZE];
    const int n = snprintf(digits, sizeof digits, "%.0f", fmin(fabs(count), 1e15));
    size_t at = 0;

    if (isnan(count)) {
        (void)snprintf(out, IV_FIGURE_SIZE, "unknown");
        return out;
    }
    if (count < 0.0)
        out[at++] = '-';
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}
