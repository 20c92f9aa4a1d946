/* SPDX-License-Identifier: Apache-2.0 */
/* Texts: UTF-8, names, lists in a sentence, and ids as numbers. */
#define _DEFAULT_SOURCE /* getentropy */
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h> /* which declares getentropy there */
#endif

size_t iv_utf8_next(uint32_t *code, iv_str s, size_t at)
{
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *p = (const unsigned char *)s.ptr + at;
    const size_t left = s.len - at;
    size_t width;
    uint32_t c = p[0];

    *code = c;
    if (c < 0x80)
        return 1;
    if (c >= 0xc2 && c < 0xe0) {
        width = 2;
        c &= 0x1f;
    } else if (c >= 0xe0 && c < 0xf0) {
        width = 3;
        c &= 0x0f;
    } else if (c >= 0xf0 && c < 0xf5) {
        width = 4;
        c &= 0x07;
    } else {
        return 0;
    }
    if (left < width)
        return 0;
    for (size_t i = 1; i < width; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3fu);
    }
    if (c < smallest[width] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    *code = c;
    return width;
}

bool iv_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0)
        || code == 0x061c || code == 0x200b || code == 0x200e || code == 0x200f
        || (code >= 0x2028 && code <= 0x202e)
        || code == 0x2060 || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

static bool ends_cell(char prev)
{
    return memchr("\0,;\t\r\n", prev, 6) != NULL;
}

bool iv_starts_formula(char c, char prev)
{
    return memchr("=+-@", c, 4) != NULL && ends_cell(prev);
}

bool iv_starts_wide_formula(iv_str s, size_t at, char prev)
{
    return s.len - at >= 3 && memcmp(s.ptr + at, "\xef\xbc", 2) == 0
        && memchr("\x9d\x8b\x8d\xa0", s.ptr[at + 2], 4) != NULL && ends_cell(prev);
}

iv_str iv_str_of(const char *s)
{
    return (iv_str){ s, strlen(s) };
}

int iv_str_cmp(iv_str a, iv_str b)
{
    const size_t shared = a.len < b.len ? a.len : b.len;
    const int order = shared == 0 ? 0 : memcmp(a.ptr, b.ptr, shared);

    if (order != 0)
        return order;
    return (a.len > b.len) - (a.len < b.len);
}

const char *iv_quote(char out[IV_QUOTE_SIZE], iv_str s)
{
    enum { SHOWN = 40 };
    static const char hex[] = "0123456789abcdef";
    size_t at = 0;
    size_t n = 0;

    out[n++] = '\'';
    while (at < s.len) {
        uint32_t code;
        size_t width = iv_utf8_next(&code, s, at);
        if (at + (width ? width : 1) > SHOWN) {
            memcpy(out + n, "...", 3);
            n += 3;
            break;
        }
        if (width != 0 && !iv_is_control(code)) {
            memcpy(out + n, s.ptr + at, width);
            n += width;
        } else {
            width += width == 0;
            for (size_t i = at; i < at + width; i++) {
                const unsigned char byte = (unsigned char)s.ptr[i];
                out[n++] = '\\';
                out[n++] = 'x';
                out[n++] = hex[byte >> 4];
                out[n++] = hex[byte & 15];
            }
        }
        at += width;
    }
    out[n++] = '\'';
    out[n] = '\0';
    return out;
}

int iv_by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool iv_same_name(iv_str a, iv_str b)
{
    bool same = a.len == b.len;

    for (size_t i = 0; i < a.len && same; i++) {
        char c[2] = { a.ptr[i], b.ptr[i] };
        for (int k = 0; k < 2; k++)
            c[k] = c[k] >= 'A' && c[k] <= 'Z' ? (char)(c[k] - 'A' + 'a')
                : c[k] == ' ' || c[k] == '-' ? '_' : c[k];
        same = c[0] == c[1];
    }
    return same;
}

bool iv_is_named(iv_str s, const char *names)
{
    bool found = false;

    for (const char *p = names; !found && *p != '\0'; p += *p == ',') {
        const iv_str name = { p, strcspn(p, ",") };
        found = iv_same_name(s, name);
        p += name.len;
    }
    return found;
}

bool iv_is_summary_word(iv_str name)
{
    return iv_is_named(name, "total,totals,sum,all,overall,grand_total,subtotal,mean,average,avg,"
                             "macro");
}

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

uint64_t iv_hash_key = UINT64_C(0x1e3779b97f4a7c15) >> 5;

/* Where the system has no random numbers the time and the place of the program must do. */
__attribute__((constructor)) static void draw_key(void)
{
    uint64_t key = 0;
    struct timespec now = { 0 };

    if (getentropy(&key, sizeof key) != 0) {
        (void)clock_gettime(CLOCK_REALTIME, &now);
        key = ((uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uintptr_t)&iv_hash_key)
              * UINT64_C(0x9e3779b97f4a7c15);
    }
    iv_hash_key = (key >> 5) + 1;
}

/* The slot that holds id, or the free one where it belongs. */
static size_t slot_of(const iv_ids *t, iv_str id)
{
    const size_t mask = t->slot_count - 1;
    size_t i = (size_t)iv_hash(id) & mask;

    while (t->slots[i] != 0 && !iv_str_eq(t->names[t->slots[i] - 1], id))
        i = (i + 1) & mask;
    return i;
}

static bool rehash(iv_ids *t, size_t slot_count)
{
    uint32_t *slots = calloc(slot_count, sizeof *slots);

    if (slots == NULL)
        return false;
    free(t->slots);
    t->slots = slots;
    t->slot_count = slot_count;
    for (size_t i = 0; i < t->count; i++)
        t->slots[slot_of(t, t->names[i])] = (uint32_t)i + 1;
    return true;
}

uint32_t iv_ids_add(iv_ids *t, iv_str id)
{
    /* At most half full: a search ends after a step or two. */
    if (2 * (t->count + 1) > t->slot_count
        && !rehash(t, t->slot_count ? 2 * t->slot_count : 16))
        return IV_NO_ID;
    const size_t slot = slot_of(t, id);
    if (t->slots[slot] != 0)
        return t->slots[slot] - 1;
    if (t->count >= IV_NO_ID - 1 || !IV_ROOM(t->names, t->names_capacity, t->count + 1))
        return IV_NO_ID;
    t->names[t->count++] = id;
    t->slots[slot] = (uint32_t)t->count;
    return (uint32_t)t->count - 1;
}

uint32_t iv_ids_find(const iv_ids *t, iv_str id)
{
    if (t->slot_count == 0)
        return IV_NO_ID;
    const uint32_t held = t->slots[slot_of(t, id)];
    return held == 0 ? IV_NO_ID : held - 1;
}

int iv_ids_number(uint32_t *out, iv_ids *t, iv_str name, iv_arena *own, iv_err *err)
{
    *out = iv_ids_find(t, name);
    if (*out != IV_NO_ID)
        return IV_OK;
    const char *kept = iv_arena_copy(own, name);
    if (kept != NULL)
        *out = iv_ids_add(t, (iv_str){ kept, name.len });
    return *out != IV_NO_ID ? IV_OK : iv_no_memory(err);
}

void iv_ids_free(iv_ids *t)
{
    free(t->names);
    free(t->slots);
    *t = (iv_ids){ 0 };
}
