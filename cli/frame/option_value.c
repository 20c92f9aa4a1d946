/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>


int cmd_usage(iv_err *err, const char *fmt, ...)
{
    va_list ap;

    err->code = IV_EARG;
    va_start(ap, fmt);
    (void)vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    err->file[0] = '\0';
    return CMD_USAGE;
}

void cmd_hint(iv_err *err, const char *hint)
{
    const size_t used = strlen(err->msg);

    if (used + strlen(hint) < sizeof err->msg) /* half a hint is none */
        memcpy(err->msg + used, hint, strlen(hint) + 1);
}

const char *option_value_name(char out[OPTION_TEXT_SIZE], const opt *o)
{
    if (o->name != NULL)
        (void)snprintf(out, OPTION_TEXT_SIZE, "--%s", o->name);
    else
        (void)snprintf(out, OPTION_TEXT_SIZE, "-%c", o->letter);
    return out;
}

/* Appends to a text of OPTION_TEXT_SIZE bytes, cutting what does not fit. */
static void append(char *out, const char *fmt, ...) IV_PRINTF(2, 3);

static void append(char *out, const char *fmt, ...)
{
    const size_t used = strlen(out);
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(out + used, OPTION_TEXT_SIZE - used, fmt, ap);
    va_end(ap);
}

static void append_real(char *out, double value)
{
    char text[IV_REAL_SIZE];

    (void)iv_format_real(text, value);
    append(out, "%s", text);
}

/* " from 1 to 9", " of at least 1", " above 0 and below 1", "" and so on. */
static const char *real_domain(char out[OPTION_TEXT_SIZE], const opt *o)
{
    const bool below = isfinite(o->low), above = isfinite(o->high);

    out[0] = '\0';
    if (below) {
        append(out, o->open ? " above " : above ? " from " : " of at least ");
        append_real(out, o->low);
    }
    if (above) {
        append(out, o->open ? (below ? " and below " : " below ")
                            : (below ? " to " : " of at most "));
        append_real(out, o->high);
    }
    return out;
}

static const char *integer_domain(char out[OPTION_TEXT_SIZE], const opt *o)
{
    const bool below = o->least != INT64_MIN, above = o->most != INT64_MAX;

    out[0] = '\0';
    if (below)
        append(out, above ? " from %" PRId64 : " of at least %" PRId64, o->least);
    if (above)
        append(out, below ? " to %" PRId64 : " of at most %" PRId64, o->most);
    return out;
}

static int refuse(const opt *o, const char *text, const char *expected,
                  const char *domain, iv_err *err)
{
    char name[OPTION_TEXT_SIZE], quoted[IV_QUOTE_SIZE];

    return cmd_usage(err, "option '%s': %s is not %s%s", option_value_name(name, o),
                     iv_quote(quoted, iv_str_of(text)), expected, domain);
}

static bool in_domain(const opt *o, double value)
{
    return o->open ? value > o->low && value < o->high
                   : value >= o->low && value <= o->high;
}

/* Not iv_scan_int: a seed may use all 64 bits. */
static bool scan_u64(uint64_t *out, const char *text)
{
    uint64_t value = 0;

    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        const uint64_t digit = (uint64_t)(*text - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *out = value;
    return true;
}

/* One of an option's numbers; a whole one may be written 1e6, too. */
static bool scan_number(double *real, int64_t *integer, const opt *o, iv_str s)
{
    if (o->kind == OPT_INTEGERS_ && iv_scan_int(integer, s, INT64_MIN, INT64_MAX)) {
        *real = (double)*integer;
        return in_domain(o, *real);
    }
    if (!iv_scan_real(real, s) || !in_domain(o, *real))
        return false;
    if (o->kind != OPT_INTEGERS_)
        return true;
    if (fabs(*real) > 0x1p53 || *real != floor(*real))
        return false;
    *integer = (int64_t)*real;
    return true;
}

/* "18,000" without its commas, or with none: digits in groups of three; false: not so. */
static bool ungroup(char out[32], const char *text)
{
    size_t digits = 0, n = 0;
    bool grouped = false;

    for (const char *p = text; *p != '\0'; p++) {
        if (*p == ',') {
            if (digits == 0 || digits > 3 || (grouped && digits != 3))
                return false;
            grouped = true;
            digits = 0;
        } else if (*p >= '0' && *p <= '9' && n < 31) {
            out[n++] = *p;
            digits++;
        } else {
            return false;
        }
    }
    out[n] = '\0';
    return grouped && digits == 3;
}

/*
 * Whole numbers, largest first, of which some have thousands separators: "18,000,172,70".  The
 * reading with as many numbers as the option takes, none larger than the one before, if there is
 * one alone.
 */
static bool read_grouped(size_t *count, int64_t *room, const opt *o, const char *text)
{
    int64_t part[16], found[16];
    bool three[16];
    size_t parts = 0, readings = 0;

    for (const char *p = text;; p++) {
        const size_t len = strcspn(p, ",");
        if (parts == 16 || !iv_scan_int(&part[parts], (iv_str){ p, len }, 0, INT64_MAX / 1000))
            return false;
        three[parts++] = len == 3;
        p += len;
        if (*p == '\0')
            break;
    }
    for (unsigned joined = 1; joined < 1u << (parts - 1); joined++) {
        size_t n = 0;
        bool good = true;
        for (size_t i = 0; i < parts && good; i++) {
            if (i > 0 && (joined >> (i - 1) & 1) != 0) {
                good = three[i] && found[n - 1] > 0 && found[n - 1] < INT64_MAX / 2000;
                found[n - 1] = good ? 1000 * found[n - 1] + part[i] : 0;
            } else {
                found[n++] = part[i];
            }
        }
        for (size_t i = 0; i < n && good; i++)
            good = in_domain(o, (double)found[i]) && (i == 0 || found[i] <= found[i - 1]);
        if (!good || (int64_t)n != o->most)
            continue;
        readings++;
        memcpy(room, found, n * sizeof *room);
        *count = n;
    }
    return readings == 1;
}

/* Puts the numbers of the text where there is room for all of them, and counts
 * them; reals and integers have the same size. */
static int read_numbers(size_t *count, void *room, const opt *o, const char *text, iv_err *err)
{
    char domain[OPTION_TEXT_SIZE], name[OPTION_TEXT_SIZE], quoted[IV_QUOTE_SIZE];
    size_t n = 0;

    for (const char *p = text;; n++) {
        const iv_str s = { p, strcspn(p, ",") };
        double real = 0.0;
        int64_t integer = 0;
        if (!scan_number(&real, &integer, o, s))
            return cmd_usage(err, "option '%s': %s is not a%s number%s",
                             option_value_name(name, o), iv_quote(quoted, s),
                             o->kind == OPT_INTEGERS_ ? " whole" : "", real_domain(domain, o));
        if ((int64_t)n >= o->most)
            break;
        if (o->kind == OPT_INTEGERS_)
            ((int64_t *)room)[n] = integer;
        else
            ((double *)room)[n] = real;
        if (p[s.len] == '\0') {
            *count = n + 1;
            if ((int64_t)*count < o->least)
                break;
            return IV_OK;
        }
        p += s.len + 1;
    }
    return cmd_usage(err, "option '%s': %s is not %s", option_value_name(name, o),
                     iv_quote(quoted, iv_str_of(text)), o->value);
}

/* Numbers into a field that points at them; *block is to be freed. */
static int take_numbers(void **block, void *field, const opt *o, const char *text, iv_err *err)
{
    size_t most = 1, count = 0;

    for (const char *p = text; *p != '\0'; p++)
        most += *p == ',';
    *block = malloc(most * sizeof(double));
    if (*block == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const bool grouped = o->kind == OPT_INTEGERS_ && o->most > 1 && (int64_t)most > o->most
                         && read_grouped(&count, *block, o, text);
    const int rc = grouped ? IV_OK : read_numbers(&count, *block, o, text, err);
    if (rc == IV_OK && o->kind == OPT_INTEGERS_)
        *(iv_integers *)field = (iv_integers){ *block, count };
    else if (rc == IV_OK)
        *(iv_reals *)field = (iv_reals){ *block, count };
    return rc;
}

const char *const *option_value_words(const opt *o)
{
    return o->names != NULL ? o->names() : o->words;
}

/* The same word, though written -ize or -ise. */
static bool is_word(const char *word, const char *text)
{
    size_t i = 0;

    while (word[i] != '\0'
           && (word[i] == text[i]
               || (word[i] == 's' && text[i] == 'z' && i > 0 && word[i - 1] == 'i')))
        i++;
    return word[i] == text[i];
}

int option_value_choice(int *out, const opt *o, const char *text, iv_err *err)
{
    char name[OPTION_TEXT_SIZE], quoted[IV_QUOTE_SIZE], near[SUGGEST_SIZE];
    char all[OPTION_TEXT_SIZE] = "";
    const char *const *words = option_value_words(o);
    suggest s = suggest_for(text);

    for (const char *const *w = o->was; w != NULL && *w != NULL; w += 2)
        text = strcmp(w[0], text) == 0 ? w[1] : text;
    for (int i = 0; words[i] != NULL; i++) {
        if (is_word(words[i], text)) {
            *out = i;
            return IV_OK;
        }
        suggest_offer(&s, words[i]);
        append(all, "%s%s", i == 0 ? "; expected " : words[i + 1] ? ", " : " or ", words[i]);
    }
    return cmd_usage(err, "option '%s': unknown %s %s%s%s", option_value_name(name, o),
                     o->value, iv_quote(quoted, iv_str_of(text)), all,
                     suggest_text(near, &s, ""));
}

/* An integer into a field of 4 or 8 bytes. */
static void store_integer(void *field, size_t size, int64_t value)
{
    const int32_t narrow = (int32_t)value;

    memcpy(field, size == sizeof narrow ? (const void *)&narrow : &value, size);
}

static int64_t load_integer(const void *field, size_t size)
{
    int32_t narrow = 0;
    int64_t value = 0;

    memcpy(size == sizeof narrow ? (void *)&narrow : &value, field, size);
    return size == sizeof narrow ? narrow : value;
}

/* 64K, 256M, 4G. */
static bool scan_bytes(int64_t *out, const opt *o, const char *text)
{
    static const char units[] = "KMG";
    iv_str s = iv_str_of(text);
    const char *unit = s.len > 1 ? strchr(units, s.ptr[s.len - 1]) : NULL;
    const int shift = unit != NULL && *unit != '\0' ? 10 * (int)(unit - units + 1) : 0;

    s.len -= shift > 0;
    if (!o->bytes || shift == 0 || !iv_scan_int(out, s, 0, o->most >> shift))
        return false;
    *out = *out << shift;
    return *out >= o->least;
}

static int read_integer(const opt *o, void *field, const char *text, iv_err *err)
{
    char domain[OPTION_TEXT_SIZE];
    int64_t value = 0;

    char plain[32];

    if (ungroup(plain, text))
        text = plain;
    if (!iv_scan_int(&value, iv_str_of(text), o->least, o->most) && !scan_bytes(&value, o, text))
        return refuse(o, text, "an integer", integer_domain(domain, o), err);
    store_integer(field, o->size, o->zero && value == 0 ? IV_ZERO : value);
    return IV_OK;
}

/* Where shares are asked for 95% is 0.95; where o->percent says so, so is 95, which no
 * share can be; 1 and 5 stay what they are. */
static bool scan_percent(double *out, const opt *o, const char *text)
{
    const size_t len = strlen(text);
    const bool sign = len > 1 && text[len - 1] == '%';
    double real;

    if (!iv_scan_real(&real, (iv_str){ text, sign ? len - 1 : len })
        || !(sign ? o->low >= 0.0 && o->high <= 1.0
                  : o->percent && real >= 50.0 && real < 100.0))
        return false;
    *out = real / 100.0;
    return true;
}

static int read_real(const opt *o, double *field, const char *text, iv_err *err)
{
    char domain[OPTION_TEXT_SIZE];
    double real = 0.0;

    if (!scan_percent(&real, o, text) && !iv_scan_real(&real, iv_str_of(text)))
        return refuse(o, text, "a number", real_domain(domain, o), err);
    if (!in_domain(o, real))
        return refuse(o, text, "a number", real_domain(domain, o), err);
    *field = o->zero && real == 0.0 ? IV_ZERO : real;
    return IV_OK;
}

int option_value_read(void **block, const opt *o, void *args, const char *text, iv_err *err)
{
    void *field = (char *)args + o->offset;
    uint64_t large = 0;
    int word = 0;

    const bool listed = option_value_words(o) != NULL && !o->others;

    if ((o->kind == OPT_STR_ && listed) || o->kind == OPT_ENUM_) {
        if (option_value_choice(&word, o, text, err) != IV_OK)
            return CMD_USAGE;
    }
    switch (o->kind) {
    case OPT_STR_:
        *(const char **)field = listed ? option_value_words(o)[word] : text;
        return IV_OK;
    case OPT_ENUM_:
        store_integer(field, o->size, word);
        return IV_OK;
    case OPT_U64_:
        if (!scan_u64(&large, text) || large < (uint64_t)o->least)
            return refuse(o, text, o->least > 0 ? "an integer from 1 to 18446744073709551615"
                                                : "an integer from 0 to 18446744073709551615",
                          "", err);
        *(uint64_t *)field = large;
        return IV_OK;
    case OPT_INT_:
        return read_integer(o, field, text, err);
    case OPT_REAL_:
        return read_real(o, field, text, err);
    case OPT_REALS_:
    case OPT_INTEGERS_:
        return take_numbers(block, field, o, text, err);
    case OPT_FLAG_:
    case OPT_LIST_:
    case OPT_HEADING_:
    case OPT_END_:
        break;
    }
    return iv_fail(err, IV_EARG, "option '%s' takes no single value", o->name);
}

const char *option_value_label(char out[OPTION_TEXT_SIZE], const opt *o)
{
    out[0] = '\0';
    if (o->letter != 0)
        append(out, "-%c", o->letter);
    if (o->name != NULL)
        append(out, "%s--%s", o->letter != 0 ? ", " : "", o->name);
    if (o->value != NULL)
        append(out, " %s", o->value);
    return out;
}

const char *option_value_explain(char out[OPTION_HELP_SIZE], const opt *o,
                                 const void *defaults)
{
    char value[OPTION_TEXT_SIZE];
    const char *const *words = option_value_words(o);
    size_t used = 0;

    used += (size_t)snprintf(out, OPTION_HELP_SIZE, "%s", o->help);
    for (size_t i = 0; words != NULL && words[i] != NULL; i++) {
        const char *join = i == 0 ? ": " : words[i + 1] != NULL ? ", " : " or ";
        if (used < OPTION_HELP_SIZE)
            used += (size_t)snprintf(out + used, OPTION_HELP_SIZE - used, "%s%s", join,
                                     words[i]);
    }
    if (o->kind == OPT_LIST_ && used < OPTION_HELP_SIZE)
        used += (size_t)snprintf(out + used, OPTION_HELP_SIZE - used,
                                 "; may be given many times");
    if (option_value_show(value, o, defaults)[0] != '\0' && used < OPTION_HELP_SIZE)
        (void)snprintf(out + used, OPTION_HELP_SIZE - used, " (default: %s)", value);
    return out;
}

const char *option_value_show(char out[OPTION_TEXT_SIZE], const opt *o, const void *args)
{
    const char *const *words = option_value_words(o);

    out[0] = '\0';
    if (o->usual != NULL)
        append(out, "%s", o->usual);
    else if (o->kind == OPT_ENUM_)
        append(out, "%s", words[0]);
    if (args == NULL || o->usual != NULL)
        return out;
    const void *field = (const char *)args + o->offset;
    if (o->kind == OPT_STR_ && *(const char *const *)field != NULL)
        append(out, "%s", *(const char *const *)field);
    else if (o->kind == OPT_U64_)
        append(out, "%" PRIu64, *(const uint64_t *)field);
    else if (o->kind == OPT_INT_) {
        const int64_t value = load_integer(field, o->size);
        if (value >= o->least && value <= o->most)
            append(out, "%" PRId64, value);
    } else if (o->kind == OPT_REAL_ && in_domain(o, *(const double *)field))
        append_real(out, *(const double *)field);
    return out;
}
