/* SPDX-License-Identifier: Apache-2.0 */
/* Short names made of values in JSON. */
#include "base/err.h"
#include "trec/short_name.h"

#include <stdio.h>

void iv_name_add(iv_short_name *n, iv_str part)
{
    for (size_t i = 0; i < part.len; i++) {
        const char c = (unsigned char)part.ptr[i] < ' ' ? ' ' : part.ptr[i]; /* names are a line */
        if (n->len < sizeof n->text - 1)
            n->text[n->len] = c;
        n->hash = ((n->len++ == 0 ? UINT64_C(0xcbf29ce484222325) : n->hash)
                   ^ (unsigned char)part.ptr[i]) * UINT64_C(0x100000001b3);
    }
}

iv_str iv_name_end(iv_short_name *n)
{
    enum { KEPT = 80 };

    if (n->len < sizeof n->text)
        return (iv_str){ n->text, n->len };
    size_t at = KEPT;
    while (at > 0 && ((unsigned char)n->text[at] & 0xC0) == 0x80)
        at--; /* not within a character */
    const int more = snprintf(n->text + at, sizeof n->text - at, "... #%016llx",
                              (unsigned long long)n->hash);
    return (iv_str){ n->text, at + (size_t)more };
}

static int name_member(void *user, iv_str key, const iv_json *v);

int iv_name_members(iv_short_name *n, const iv_json *object)
{
    const size_t outer = n->members;

    n->members = 0;
    IV_TRY(iv_json_each(object, n, name_member));
    n->members = outer;
    return IV_OK;
}

/* A value as text: a text itself, objects and lists by their parts. */
int iv_name_value(iv_short_name *n, const iv_json *v)
{
    const iv_json_kind kind = iv_json_kind_of(v);
    char number[IV_REAL_SIZE] = "null";

    if (kind == IV_JSON_NUMBER)
        (void)iv_format_real(number, iv_json_number(v));
    if (kind == IV_JSON_TRUTH)
        (void)snprintf(number, sizeof number, iv_json_number(v) > 0.0 ? "true" : "false");
    if (kind == IV_JSON_LIST || kind == IV_JSON_OBJECT)
        iv_name_add(n, iv_str_of(kind == IV_JSON_LIST ? "[" : "{"));
    else
        iv_name_add(n, kind == IV_JSON_TEXT ? iv_json_string(v) : iv_str_of(number));
    if (kind == IV_JSON_OBJECT)
        IV_TRY(iv_name_members(n, v));
    for (size_t i = 0; kind == IV_JSON_LIST && i < iv_json_count(v); i++) {
        iv_name_add(n, iv_str_of(i > 0 ? ", " : ""));
        IV_TRY(iv_name_value(n, iv_json_at(v, i)));
    }
    if (kind == IV_JSON_LIST || kind == IV_JSON_OBJECT)
        iv_name_add(n, iv_str_of(kind == IV_JSON_LIST ? "]" : "}"));
    return IV_OK;
}

static int name_member(void *user, iv_str key, const iv_json *v)
{
    iv_short_name *n = user;

    iv_name_add(n, iv_str_of(n->members++ > 0 ? ", " : ""));
    iv_name_add(n, key);
    iv_name_add(n, iv_str_of("="));
    return iv_name_value(n, v);
}
