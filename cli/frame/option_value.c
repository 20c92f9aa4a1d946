/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/option_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "frame/suggest.h"

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

static int read_numbers(opt_numbers *out, const opt *o, const char *text, iv_err *err)
{
    char domain[OPTION_TEXT_SIZE], name[OPTION_TEXT_SIZE], quoted[IV_QUOTE_SIZE];
    opt_numbers numbers = { .count = 0 };

    for (const char *p = text;;) {
        const size_t len = strcspn(p, ",");
        double value = 0.0;
        if (!iv_scan_real(&value, (iv_str){ p, len }) || !in_domain(o, value))
            return cmd_usage(err, "option '%s': %s is not a number%s",
                             option_value_name(name, o),
                             iv_quote(quoted, (iv_str){ p, len }), real_domain(domain, o));
        if (numbers.count >= OPT_NUMBERS_MAX || (int64_t)numbers.count >= o->most)
            break;
        numbers.at[numbers.count++] = value;
        if (p[len] == '\0') {
            if ((int64_t)numbers.count < o->least)
                break;
            *out = numbers;
            return IV_OK;
        }
        p += len + 1;
    }
    return cmd_usage(err, "option '%s': %s is not %s", option_value_name(name, o),
                     iv_quote(quoted, iv_str_of(text)), o->value);
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
    suggest s = suggest_for(text);

    for (int i = 0; o->words[i] != NULL; i++) {
        if (is_word(o->words[i], text)) {
            *out = i;
            return IV_OK;
        }
        suggest_offer(&s, o->words[i]);
        append(all, "%s%s", i == 0 ? "; expected " : o->words[i + 1] ? ", " : " or ",
               o->words[i]);
    }
    return cmd_usage(err, "option '%s': unknown %s %s%s%s", option_value_name(name, o),
                     o->value, iv_quote(quoted, iv_str_of(text)), all,
                     suggest_text(near, &s, ""));
}

int option_value_read(const opt *o, void *args, const char *text, iv_err *err)
{
    void *field = (char *)args + o->offset;
    char domain[OPTION_TEXT_SIZE];
    double real = 0.0;
    int word = 0;

    switch (o->kind) {
    case OPT_STR_:
        if (o->words != NULL && option_value_choice(&word, o, text, err) != IV_OK)
            return CMD_USAGE;
        *(const char **)field = o->words != NULL ? o->words[word] : text;
        return IV_OK;
    case OPT_U64_:
        if (scan_u64(field, text))
            return IV_OK;
        return refuse(o, text, "an integer from 0 to 18446744073709551615", "", err);
    case OPT_INT_:
        if (iv_scan_int(field, iv_str_of(text), o->least, o->most))
            return IV_OK;
        return refuse(o, text, "an integer", integer_domain(domain, o), err);
    case OPT_REAL_:
        if (!iv_scan_real(&real, iv_str_of(text)) || !in_domain(o, real))
            return refuse(o, text, "a number", real_domain(domain, o), err);
        *(double *)field = real;
        return IV_OK;
    case OPT_NUMBERS_:
        return read_numbers(field, o, text, err);
    case OPT_CHOICE_:
        return option_value_choice(field, o, text, err);
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
    size_t used = 0;

    used += (size_t)snprintf(out, OPTION_HELP_SIZE, "%s", o->help);
    for (size_t i = 0; o->words != NULL && o->words[i] != NULL; i++) {
        const char *join = i == 0 ? ": " : o->words[i + 1] != NULL ? ", " : " or ";
        if (used < OPTION_HELP_SIZE)
            used += (size_t)snprintf(out + used, OPTION_HELP_SIZE - used, "%s%s", join,
                                     o->words[i]);
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
    const void *field = (const char *)args + o->offset;
    const char *const *text = field;
    const int64_t *integer = field;
    const double *real = field;
    const int *choice = field;
    const opt_numbers *numbers = field;

    out[0] = '\0';
    if (o->kind == OPT_STR_ && *text != NULL)
        append(out, "%s", *text);
    else if (o->kind == OPT_U64_)
        append(out, "%" PRIu64, *(const uint64_t *)field);
    else if (o->kind == OPT_INT_ && *integer >= o->least && *integer <= o->most)
        append(out, "%" PRId64, *integer);
    else if (o->kind == OPT_REAL_ && in_domain(o, *real))
        append_real(out, *real);
    else if (o->kind == OPT_CHOICE_ && *choice >= 0)
        append(out, "%s", o->words[*choice]);
    for (size_t i = 0; o->kind == OPT_NUMBERS_ && i < numbers->count; i++) {
        append(out, i == 0 ? "" : ",");
        append_real(out, numbers->at[i]);
    }
    return out;
}
