/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON one value at a time. */
#include "base/err.h"
#include "trec/json_read.h"

#include <stdlib.h>
#include <string.h>

#if INTERVALE_JANSSON
#include <jansson.h>

/* An iv_json is Jansson's value under another name. */
static const json_t *own(const iv_json *v) { return (const json_t *)(const void *)v; }

iv_json_kind iv_json_kind_of(const iv_json *v)
{
    switch (json_typeof(own(v))) {
    case JSON_OBJECT:
        return IV_JSON_OBJECT;
    case JSON_ARRAY:
        return IV_JSON_LIST;
    case JSON_STRING:
        return IV_JSON_TEXT;
    case JSON_INTEGER:
    case JSON_REAL:
        return IV_JSON_NUMBER;
    case JSON_TRUE:
    case JSON_FALSE:
        return IV_JSON_TRUTH;
    case JSON_NULL:
        break;
    }
    return IV_JSON_NULL;
}

double iv_json_number(const iv_json *v)
{
    return json_is_true(own(v)) ? 1.0 : json_number_value(own(v));
}

bool iv_json_integer(int64_t *out, const iv_json *v)
{
    *out = json_integer_value(own(v));
    return json_is_integer(own(v));
}

iv_str iv_json_string(const iv_json *v)
{
    return (iv_str){ json_string_value(own(v)), json_string_length(own(v)) };
}

size_t iv_json_count(const iv_json *v)
{
    return json_is_object(own(v)) ? json_object_size(own(v)) : json_array_size(own(v));
}

const iv_json *iv_json_at(const iv_json *v, size_t i)
{
    return (const iv_json *)(const void *)json_array_get(own(v), i);
}

const iv_json *iv_json_find(const iv_json *v, iv_str key)
{
    char name[256];

    if (!json_is_object(own(v)) || key.len >= sizeof name)
        return NULL;
    memcpy(name, key.ptr, key.len);
    name[key.len] = '\0';
    return (const iv_json *)(const void *)json_object_get(own(v), name);
}

int iv_json_each(const iv_json *object, void *user,
                 int (*member)(void *user, iv_str key, const iv_json *v))
{
    json_t *of = (json_t *)(uintptr_t)own(object); /* the iterator changes nothing */

    for (void *i = json_object_iter(of); i != NULL; i = json_object_iter_next(of, i)) {
        const int rc = member(user, iv_str_of(json_object_iter_key(i)),
                              (const iv_json *)(const void *)json_object_iter_value(i));
        if (rc != IV_OK)
            return rc;
    }
    return IV_OK;
}

int iv_json_read(iv_json **out, iv_json_place *p, iv_err *err)
{
    json_error_t why;
    char quoted[IV_QUOTE_SIZE];

    (void)iv_json_peek(p);
    json_t *v = json_loadb(p->at, (size_t)(p->end - p->at),
                           JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL
                           | JSON_REJECT_DUPLICATES, &why);
    if (v == NULL && json_error_code(&why) == json_error_out_of_memory)
        return iv_fail_at(err, IV_ENOMEM, p->name, 0, "out of memory");
    if (v == NULL)
        return iv_fail_at(err, IV_EPARSE, p->name,
                          p->line + (uint64_t)(why.line > 0 ? why.line - 1 : 0),
                          "no JSON: %s", iv_quote(quoted, iv_str_of(why.text)));
    for (int i = 0; i < why.position; i++)
        p->line += p->at[i] == '\n';
    p->at += why.position;
    *out = (iv_json *)(void *)v;
    return IV_OK;
}

void iv_json_free(iv_json *v) { json_decref((json_t *)(void *)v); }

#elif !INTERVALE_OTHER_JSON /* web/json_rapid.cpp */

iv_json_kind iv_json_kind_of(const iv_json *v) { (void)v; return IV_JSON_NULL; }
double iv_json_number(const iv_json *v) { (void)v; return 0.0; }
bool iv_json_integer(int64_t *out, const iv_json *v) { (void)out; (void)v; return false; }
iv_str iv_json_string(const iv_json *v) { (void)v; return iv_str_of(""); }
size_t iv_json_count(const iv_json *v) { (void)v; return 0; }
const iv_json *iv_json_at(const iv_json *v, size_t i) { (void)v; (void)i; return NULL; }
const iv_json *iv_json_find(const iv_json *v, iv_str key) { (void)v; (void)key; return NULL; }

int iv_json_each(const iv_json *object, void *user,
                 int (*member)(void *user, iv_str key, const iv_json *v))
{
    (void)object; (void)user; (void)member;
    return IV_OK;
}

int iv_json_read(iv_json **out, iv_json_place *p, iv_err *err)
{
    (void)out;
    return iv_fail_at(err, IV_EPARSE, p->name, p->line,
                      "JSON, which this build was made without; convert it to CSV first");
}

void iv_json_free(iv_json *v) { (void)v; }

#endif

char iv_json_peek(iv_json_place *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->line += *p->at++ == '\n';
    /* A NUL in the text is not its end: any other byte that is no JSON stands for it. */
    return p->at == p->end ? '\0' : *p->at == '\0' ? '\x01' : *p->at;
}

int iv_json_take(iv_json_place *p, char byte, iv_err *err)
{
    const char seen = iv_json_peek(p);
    char quoted[IV_QUOTE_SIZE];

    if (seen != byte)
        return iv_fail_at(err, IV_EPARSE, p->name, p->line, "no JSON: %s, expected '%c'",
                          p->at == p->end ? "the file ends"
                          : iv_quote(quoted, (iv_str){ p->at, 1 }), byte);
    p->at++;
    return IV_OK;
}

/* ------------------------------------------------------- what Python writes -- */

/* What stands for bytes of the text that are written otherwise: themselves, in quotes. */
static const char in_quotes[] = "";

/* The bytes of a constant that is no JSON; 0: there is none. */
static size_t constant_at(const char *at, const char *end)
{
    static const char *const words[] = { "NaN", "Infinity", "-Infinity" };

    for (size_t k = 0; k < 3; k++) {
        const size_t n = strlen(words[k]);
        if ((size_t)(end - at) >= n && memcmp(at, words[k], n) == 0
            && (at + n == end || strchr(",]} \t\r\n", at[n]) != NULL))
            return n;
    }
    return 0;
}

/* A number's bytes; one that is too large for a reader of numbers is written in quotes. */
static size_t number_at(const char **with, const char *at, const char *end)
{
    enum { DIGITS = 18, EXPONENT = 2 };
    size_t n = 0, digits = 0, exponent = 0;
    bool whole = true, raised = false;

    for (; at + n < end && strchr("+-.eE0123456789", at[n]) != NULL && at[n] != '\0'; n++) {
        const bool digit = at[n] >= '0' && at[n] <= '9';
        raised = raised || at[n] == 'e' || at[n] == 'E';
        whole = whole && (digit || (at[n] == '-' && n == 0));
        digits += digit && !raised;
        exponent += digit && raised;
    }
    if ((whole && digits > DIGITS) || exponent > EXPONENT)
        *with = in_quotes;
    return n;
}

/* The four digits of \uXXXX, or 0. */
static unsigned escaped_at(const char *at, const char *end)
{
    char digits[5] = "";
    char *behind = digits;

    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return 0;
    memcpy(digits, at + 2, 4);
    const unsigned long u = strtoul(digits, &behind, 16);
    return behind == digits + 4 ? (unsigned)u : 0;
}

/* An escaped character's bytes; half of one is written as what cannot be shown. */
static size_t escape_at(const char **with, const char *at, const char *end)
{
    const unsigned u = escaped_at(at, end);
    const bool first = u >= 0xd800 && u < 0xdc00;
    const unsigned next = first ? escaped_at(at + 6, end) : 0;

    if (next >= 0xdc00 && next < 0xe000)
        return 12;
    if (first || (u >= 0xdc00 && u < 0xe000))
        *with = "\\ufffd";
    return u > 0 ? 6 : at + 1 < end ? 2 : 1;
}

/* Copies the value at `at` with what is no JSON written otherwise (out NULL: counts only); returns
 * the bytes of the copy, *used those of the value, *mended how many there were. */
static size_t write_json(char *out, size_t *used, size_t *mended, const char *at, const char *end)
{
    const char *c = at;
    size_t made = 0, depth = 0;
    bool text = false, done = false;

    for (*mended = 0; c < end && !done;) {
        const size_t constant = text ? 0 : constant_at(c, end);
        const char *with = constant > 0 ? "null" : NULL; /* NULL: the bytes themselves */
        size_t n = constant > 0 ? constant : 1;
        if (constant > 0)
            done = depth == 0;
        else if (text && *c == '\\')
            n = escape_at(&with, c, end);
        else if (!text && (*c == '-' || (*c >= '0' && *c <= '9'))) {
            n = number_at(&with, c, end);
            done = depth == 0;
        } else {
            const bool closing = !text && (*c == '}' || *c == ']');
            depth += !text && (*c == '{' || *c == '[');
            depth -= closing && depth > 0;
            done = depth == 0 && (closing || (text && *c == '"'));
            text = text != (*c == '"');
        }
        const size_t quotes = with == in_quotes;
        const char *from = with != NULL && quotes == 0 ? with : c;
        const size_t wide = from == c ? n : strlen(from);
        if (out != NULL && quotes > 0)
            out[made] = out[made + 1 + wide] = '"';
        if (out != NULL)
            memcpy(out + made + quotes, from, wide);
        made += wide + 2 * quotes;
        *mended += with != NULL;
        c += n;
    }
    *used = (size_t)(c - at);
    return made;
}

int iv_json_read_python(iv_json **out, iv_json_place *p, iv_err *err)
{
    iv_err why = { .code = IV_OK };
    size_t used, mended;
    const int rc = iv_json_read(out, p, &why);

    if (rc == IV_OK)
        return IV_OK;
    const size_t n = rc == IV_EPARSE ? write_json(NULL, &used, &mended, p->at, p->end) : 0;
    if (n == 0 || mended == 0)
        return iv_fail_as(err, &why);
    char *copy = malloc(n);
    if (copy == NULL)
        return iv_fail_at(err, IV_ENOMEM, p->name, 0, "out of memory");
    (void)write_json(copy, &used, &mended, p->at, p->end);
    iv_json_place in_copy = { p->name, copy, copy + n, p->line };
    const int second_rc = iv_json_read(out, &in_copy, err);
    if (second_rc == IV_OK) {
        p->line = in_copy.line;
        p->at += used;
    }
    free(copy);
    return second_rc;
}
