/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses command lines by tables of options, and suggests names that are nearest to unknown ones.
 */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>

#include "frame/frame.h"

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

static char letter(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

suggest suggest_for(const char *word)
{
    /* A third of the letters may be wrong; beyond that it is another word. */
    const size_t allowed = strlen(word) / 3;

    return (suggest){ .word = word, .distance = allowed == 0 ? 1 : allowed < 4 ? allowed : 4 };
}

void suggest_offer(suggest *s, const char *name)
{
    const size_t m = strlen(s->word);
    const size_t n = strlen(name);
    size_t distance;

    if (m == 0 || m > SUGGEST_LONGEST || n > SUGGEST_LONGEST)
        return;
    /* Slips keep the first letter, or swap it with the second: --gate is not --date. */
    if (letter(s->word[0]) != letter(name[0])
        && !(m > 1 && s->word[0] == name[1] && s->word[1] == name[0]))
        return;
    /* The beginning of a name is as good as a name with one slip. */
    if (m >= 2 && n > m && strncmp(s->word, name, m) == 0)
        distance = 1;
    else
        distance = iv_edit_distance(iv_str_of(s->word), iv_str_of(name), 0) / 2;
    if (distance >= n || distance > s->distance)
        return;
    if (distance < s->distance) {
        s->distance = distance;
        s->count = 0;
    }
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0)
            return;
    if (s->count < SUGGEST_SHOWN)
        memcpy(s->names[s->count++], name, n + 1);
}

const char *suggest_text(char out[OPTION_TEXT_SIZE], const suggest *s, const char *prefix)
{
    out[0] = '\0';
    for (size_t i = 0; i < s->count; i++)
        append(out, "%s'%s%s'%s", i == 0 ? "; did you mean " : i + 1 < s->count ? ", " : " or ",
               prefix, s->names[i], i + 1 < s->count ? "" : "?");
    return out;
}

/* ---------------------------------------------------------------- lookup -- */

const cmd *lookup_command(const cmd *const *commands, char **words, size_t count,
                          size_t *used)
{
    for (; count > 0 && *commands != NULL; commands++) {
        const char *name = (*commands)->name;
        const size_t first = strcspn(name, " ");
        if (strncmp(name, words[0], first) != 0 || words[0][first] != '\0')
            continue;
        if (name[first] == '\0')
            *used = 1;
        else if (count > 1 && strcmp(name + first + 1, words[1]) == 0)
            *used = 2;
        else
            continue;
        return *commands;
    }
    return NULL;
}

const cmd *lookup_moved(const cmd *const *commands, const cmd *c, char **words, size_t *count)
{
    static char incomplete[] = "incomplete"; /* compare --incomplete, in version 0.2 */
    char *now[] = { incomplete };
    size_t used = 0;
    const cmd *other = lookup_command(commands, now, 1, &used);

    for (size_t k = 0; other != NULL && strcmp(c->name, "compare") == 0 && k < *count
         && strcmp(words[k], "--") != 0; k++)
        if (strcmp(words[k], "--incomplete") == 0) {
            memmove(words + k, words + k + 1, (*count - k) * sizeof *words);
            --*count;
            return other;
        }
    return c;
}

bool lookup_in_family(const cmd *c, const char *family)
{
    const size_t len = strcspn(c->name, " ");

    if (family == NULL || c->name[len] == '\0')
        return family == NULL && c->name[len] == '\0';
    return strlen(family) == len && memcmp(c->name, family, len) == 0;
}

bool lookup_family(const cmd *const *commands, const char *word)
{
    for (; *commands != NULL; commands++)
        if (lookup_in_family(*commands, word))
            return true;
    return false;
}

/* What was renamed, and what some builds lack. */
static const char *known_as(const char *word)
{
    if (strcmp(word, "evaluate") == 0)
        return "; did you mean 'eval'?";
    if (strcmp(word, "study all") == 0)
        return "; 'intervale papers' repeats the papers, 'intervale study coverage' measures "
               "coverage";
    if (strcmp(word, "judge") == 0)
        return ": this build was made without SQLite, libevent or Jansson, which it needs";
    if (strcmp(word, "web") == 0)
        return ": this build was made without SQLite, libevent or Jansson, which the server "
               "needs; any other file server serves the site (doc/browser.md)";
    return NULL;
}

int lookup_unknown(const cmd *const *commands, char **words, size_t count, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], near[OPTION_TEXT_SIZE], asked[128], name[64];
    char list[OPTION_TEXT_SIZE] = ""; /* "; there is study map, study power": those of a family */
    char prefix[64] = "";
    const bool family = lookup_family(commands, words[0]), two = count > 1 && family;

    (void)snprintf(asked, sizeof asked, "%s%s%s", words[0], two ? " " : "",
                   two ? words[1] : "");
    if (two)
        (void)snprintf(prefix, sizeof prefix, "%s ", words[0]);
    suggest s = suggest_for(two ? words[1] : words[0]);
    for (; *commands != NULL; commands++) {
        /* One word asked for: a family is offered by its one word. */
        const size_t len = strcspn((*commands)->name, " ");
        if (two && lookup_in_family(*commands, words[0])) {
            suggest_offer(&s, (*commands)->name + len + 1);
            append(list, "%s%s", list[0] == '\0' ? "; there is " : ", ", (*commands)->name);
        } else if (!two) {
            (void)snprintf(name, sizeof name, "%.*s", (int)len, (*commands)->name);
            suggest_offer(&s, name);
        }
    }
    const char *hint = known_as(family ? asked : words[0]), *go, *page;
    if (hint == NULL && s.count == 0 && !two && topics_word(&go, &page, words[0]))
        return cmd_usage(err, "unknown command %s; try: %s (%s)",
                         iv_quote(quoted, iv_str_of(asked)), go, page);
    return cmd_usage(err, "unknown command %s%s%s", iv_quote(quoted, iv_str_of(asked)), list,
                     hint != NULL ? hint : suggest_text(near, &s, prefix));
}

/* ---------------------------------------------------------- option value -- */

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

/* "--name", or "-x" for an option without a long form. */
static const char *option_value_name(char out[OPTION_TEXT_SIZE], const opt *o)
{
    if (o->name != NULL)
        (void)snprintf(out, OPTION_TEXT_SIZE, "--%s", o->name);
    else
        (void)snprintf(out, OPTION_TEXT_SIZE, "-%c", o->letter);
    return out;
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

/* A number.  Where proportions are asked for 95% is 0.95; where o->percent says so, so is 95,
 * which no proportion can be; 1 and 5 stay what they are. */
static bool scan_real(double *out, const opt *o, iv_str s)
{
    const bool sign = s.len > 1 && s.ptr[s.len - 1] == '%' && o->low >= 0.0 && o->high <= 1.0;
    double real;

    if (!iv_scan_real(&real, (iv_str){ s.ptr, sign ? s.len - 1 : s.len }))
        return false;
    *out = sign || (o->percent && real >= 50.0 && real < 100.0) ? real / 100.0 : real;
    return true;
}

/* One of an option's numbers; a whole one may be written 1e6, too. */
static bool scan_number(double *real, int64_t *integer, const opt *o, iv_str s)
{
    if (o->kind == OPT_INTEGERS_ && iv_scan_int(integer, s, INT64_MIN, INT64_MAX)) {
        *real = (double)*integer;
        return in_domain(o, *real);
    }
    if (!scan_real(real, o, s) || !in_domain(o, *real))
        return false;
    if (o->kind != OPT_INTEGERS_)
        return true;
    if (fabs(*real) > 0x1p53 || *real != floor(*real))
        return false;
    *integer = (int64_t)*real;
    return true;
}

/*
 * Whole numbers, largest first, of which some have thousands separators: "18,000,172,70".  The
 * reading with so many numbers, none larger than the one before, if there is one alone.
 */
static bool read_grouped(int64_t *room, size_t count, const opt *o, const char *text)
{
    int64_t part[16], found[16];
    bool three[16], few[16]; /* digits: three, at most three */
    size_t parts = 0, readings = 0;

    for (const char *p = text;; p++) {
        const size_t len = strcspn(p, ",");
        if (parts == 16 || !iv_scan_int(&part[parts], (iv_str){ p, len }, 0, INT64_MAX / 1000))
            return false;
        few[parts] = len <= 3;
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
                good = three[i] && few[i - 1] && found[n - 1] > 0
                    && found[n - 1] < INT64_MAX / 2000;
                found[n - 1] = good ? 1000 * found[n - 1] + part[i] : 0;
            } else {
                found[n++] = part[i];
            }
        }
        for (size_t i = 0; i < n && good; i++)
            good = (o->kind == OPT_INT_ || in_domain(o, (double)found[i]))
                && (i == 0 || found[i] <= found[i - 1]);
        if (!good || n != count)
            continue;
        readings++;
        memcpy(room, found, n * sizeof *room);
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
                         && read_grouped(*block, (size_t)o->most, o, text);
    count = grouped ? (size_t)o->most : 0;
    const int rc = grouped ? IV_OK : read_numbers(&count, *block, o, text, err);
    if (rc == IV_OK && o->kind == OPT_INTEGERS_)
        *(iv_integers *)field = (iv_integers){ *block, count };
    else if (rc == IV_OK)
        *(iv_reals *)field = (iv_reals){ *block, count };
    return rc;
}

const char *const *option_value_words(const opt *o)
{
    return o->words != NULL || o->names == NULL ? o->words : o->names();
}

/* The number of a word among the names, of which only some may be words. */
static int number_of(const opt *o, int word)
{
    const char *const *names = o->names != NULL ? o->names() : o->words;
    int i = 0;

    while (strcmp(names[i], o->words != NULL ? o->words[word] : names[word]) != 0)
        i++;
    return i;
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

/* Which of the option's words text is; CMD_USAGE lists them. */
static int option_value_choice(int *out, const opt *o, const char *text, iv_err *err)
{
    char name[OPTION_TEXT_SIZE], quoted[IV_QUOTE_SIZE], near[OPTION_TEXT_SIZE];
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

    const bool read = read_grouped(&value, 1, o, text)
        ? value >= o->least && value <= o->most
        : iv_scan_int(&value, iv_str_of(text), o->least, o->most) || scan_bytes(&value, o, text);
    if (!read)
        return refuse(o, text, "an integer", integer_domain(domain, o), err);
    store_integer(field, o->size, o->zero && value == 0 ? IV_ZERO : value);
    return IV_OK;
}

static int read_real(const opt *o, double *field, const char *text, iv_err *err)
{
    char domain[OPTION_TEXT_SIZE];
    double real = 0.0;

    if (!scan_real(&real, o, iv_str_of(text)) || !in_domain(o, real))
        return refuse(o, text, "a number", real_domain(domain, o), err);
    *field = o->zero && real == 0.0 ? IV_ZERO : real;
    return IV_OK;
}

/*
 * Reads text as the value of an option of any kind but flag and list into the
 * option's field of args.  A field that points at numbers points into *block, which
 * is the caller's to free; NULL for other kinds.  IV_OK, IV_ENOMEM, or CMD_USAGE
 * with what was expected.
 */
static int option_value_read(void **block, const opt *o, void *args, const char *text, iv_err *err)
{
    void *field = (char *)args + o->offset;
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
        store_integer(field, o->size, number_of(o, word));
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

const char *option_value_explain(char out[OPTION_TEXT_SIZE], const opt *o, const void *defaults)
{
    char value[OPTION_TEXT_SIZE];
    const char *const *words = option_value_words(o);
    const bool long_help = strstr(o->help, ". ") != NULL || strstr(o->help, "; ") != NULL
        || strstr(o->help, ": ") != NULL;

    out[0] = '\0';
    append(out, "%s", o->help);
    for (size_t i = 0; words != NULL && words[i] != NULL; i++)
        append(out, "%s%s", i > 0 ? words[i + 1] != NULL ? ", " : " or "
                            : long_help ? ". Values: " : ": ", words[i]);
    if (o->kind == OPT_LIST_)
        append(out, "; may be given many times");
    if (option_value_show(value, o, defaults)[0] != '\0')
        append(out, " (default: %s)", value);
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
    else if (o->kind == OPT_INT_) {
        const int64_t value = load_integer(field, o->size);
        if (value >= o->least && value <= o->most)
            append(out, "%" PRId64, value);
    } else if (o->kind == OPT_REAL_ && in_domain(o, *(const double *)field))
        append_real(out, *(const double *)field);
    return out;
}

/* --------------------------------------------------------------- options -- */

const opt *option_find(const opt *o, char letter, iv_str name)
{
    const opt *was = NULL;

    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_)
            continue;
        if ((letter != 0 && o->letter == letter)
            || (o->name != NULL && iv_str_cmp(iv_str_of(o->name), name) == 0))
            return o;
        for (const char *const *n = o->names_were; n != NULL && *n != NULL; n++)
            was = iv_str_cmp(iv_str_of(*n), name) == 0 ? o : was;
    }
    return was;
}

/* An option and the struct it writes to; no options when there is none. */
static opt_set find(const options_words *p, char letter, iv_str name)
{
    for (size_t i = 0; i < p->set_count; i++) {
        const opt *o = option_find(p->sets[i].opts, letter, name);
        if (o != NULL)
            return (opt_set){ o, p->sets[i].args };
    }
    return (opt_set){ NULL, NULL };
}

/* Copies len bytes of word to the record. */
static int record(options_words *p, const char *word, size_t len, iv_err *err)
{
    char *copy = strndup(word, len);

    if (copy == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    p->record[p->record_count++] = copy;
    return IV_OK;
}

/* Options of version 0.2 that are gone, and what to do instead (doc/migrating.md). */
static const char *const gone[][2] = {
    { "model", "leave it out, or use --relevance 0.5 or --paper" },
    { "moments", "use --paper for the paper's" },
    { "union-only", "use --paper" },
    { "part", "use --halfwidth for the whole interval, --se for judgments alone" },
    { "draws", "results need no draws now" },
    { "density", "use --table curves" },
    { "beta", "use prf --beta" },
    { "judgments-format", "the format is detected from the content" },
    { "two-sided", "use --confidence 0.975" },
    { "papers", "use intervale papers" },
    { "coverage", "use intervale study coverage" },
    { "positives", "the study has no such part now" },
    { "kappa", "the study has no such part now" },
    { "deepest", "depths are 1 to 10" },
    { "interval", "intervals have equal tails" },
    { "truth-topics", "simulate many topics: column map is their mean" },
    { "prior-counts", "add them to the counts: the posterior is the same" },
    { "anytime", "fix the number of topics beforehand (plan topics)" },
    { "exclude-runs", "leave the runs out of the command line" },
    { "strata", "use recall with the counts of each assessor" },
    { "population", "use recall with the counts of each assessor" },
    { "topic-texts", "join the texts to --table topics by topic" },
    { "marks", "arrows with --baseline, letters without" },
    { "order", "give the runs in the order of the table" },
    { "two-columns", "tables of four measures or more span both columns" },
};

static bool has_option(const options_words *p, const char *name)
{
    for (size_t i = 0; i < p->set_count; i++)
        for (const opt *o = p->sets[i].opts; o != NULL && o->kind != OPT_END_; o++)
            if (o->name != NULL && strcmp(o->name, name) == 0)
                return true;
    return false;
}

static int unknown_name(const options_words *p, const char *word, size_t len, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], near[OPTION_TEXT_SIZE], name[64];
    const size_t shown = len < sizeof name - 1 ? len : sizeof name - 1;

    memcpy(name, word + 2, shown);
    name[shown] = '\0';
    suggest s = suggest_for(name);
    for (size_t i = 0; i < p->set_count; i++)
        for (const opt *o = p->sets[i].opts; o != NULL && o->kind != OPT_END_; o++)
            if (o->name != NULL)
                suggest_offer(&s, o->name);
    (void)iv_quote(quoted, (iv_str){ word, len + 2 });
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (strcmp(gone[i][0], name) == 0)
            return cmd_usage(err, "option %s is gone since 0.3: %s", quoted, gone[i][1]);
    if (strcmp(name, "guaranteed") == 0 && has_option(p, "confidence"))
        return cmd_usage(err, "unknown option %s; no guarantee is published for this command's "
                         "estimates", quoted);
    if (strcmp(name, "judge-calibration") == 0)
        return cmd_usage(err, "unknown option %s; 'intervale eval' has it. A difference would "
                         "need equal error rates of the judge on both systems: label answers of "
                         "both (--columns human=NAME)", quoted);
    if (strcmp(name, "margin") == 0) /* of a plan */
        return cmd_usage(err, "unknown option %s; 'intervale plan gate' plans for a margin",
                         quoted);
    for (const char *const *f = iv_format_names(); *f != NULL; f++) /* --json */
        if (strcmp(*f, name) == 0)
            return cmd_usage(err, "unknown option %s; did you mean '--format %s'?", quoted, *f);
    return cmd_usage(err, "unknown option %s%s", quoted, suggest_text(near, &s, "--"));
}

static int unknown_letter(const options_words *p, const char *word, char letter, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const char shown[] = { '-', letter, '\0' };
    /* -seed 7 was meant to be --seed 7. */
    const opt_set slip = find(p, 0, (iv_str){ word + 1, strcspn(word + 1, "=") });
    const char *meant = slip.opts != NULL ? slip.opts->name : letter == 'h' ? "help" : NULL;

    (void)iv_quote(quoted, iv_str_of(slip.opts != NULL ? word : shown));
    if (meant == NULL)
        return cmd_usage(err, "unknown option %s", quoted);
    return cmd_usage(err, "unknown option %s; did you mean '--%s'?", quoted, meant);
}

/* What was given is remembered, and what a list or numbers point at, to be freed. */
static struct options_block *block_of(options_words *w, const void *field)
{
    for (size_t i = 0; i < w->block_count; i++)
        if (w->blocks[i].field == field)
            return &w->blocks[i];
    w->blocks[w->block_count] = (struct options_block){ field, NULL, NULL };
    return &w->blocks[w->block_count++];
}

static int append_to_list(options_words *p, const opt *o, iv_texts *list, const char *text,
                          iv_err *err)
{
    const char *const *words = option_value_words(o);
    int word = 0;

    if (words != NULL && option_value_choice(&word, o, text, err) != IV_OK)
        return CMD_USAGE;
    struct options_block *block = block_of(p, list);
    if (block->at == NULL)
        block->at = calloc((size_t)p->argc, sizeof text);
    if (block->at == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const char **at = block->at;
    at[list->count++] = words != NULL ? words[word] : text;
    list->at = at;
    return IV_OK;
}

static int take(options_words *p, opt_set f, const char *text, iv_err *err)
{
    char name[OPTION_TEXT_SIZE];
    void *field = (char *)f.args + f.opts->offset;
    void *fresh = NULL;

    if (f.opts->kind == OPT_LIST_)
        return append_to_list(p, f.opts, field, text, err);
    struct options_block *block = block_of(p, field);
    if (block->text != NULL && strcmp(block->text, text) != 0)
        return cmd_usage(err, "%s takes one value, but two were given: '%.80s' and '%.80s'",
                         option_value_name(name, f.opts), block->text, text);
    block->text = text;
    const int rc = option_value_read(&fresh, f.opts, f.args, text, err);
    if (fresh != NULL && rc == IV_OK) {
        free(block->at);
        block->at = fresh;
    } else {
        free(fresh);
    }
    return rc;
}

/* The value in the word after the current one; NULL and an error if none. */
static const char *next_word(options_words *p, const opt *o, iv_err *err)
{
    char name[OPTION_TEXT_SIZE];

    if (p->at + 1 < p->argc)
        return p->argv[++p->at];
    (void)cmd_usage(err, "option '%s' needs a value: %s", option_value_name(name, o),
                    o->value);
    return NULL;
}

static int parse_long(options_words *p, iv_err *err)
{
    const char *word = p->argv[p->at];
    const size_t len = strcspn(word + 2, "=");
    const bool attached = word[2 + len] == '=';
    const char *value = attached ? word + 2 + len + 1 : NULL;
    const opt_set f = find(p, 0, (iv_str){ word + 2, len });
    int rc = IV_OK;

    if (f.opts == NULL)
        return unknown_name(p, word, len, err);
    if (f.opts->kind == OPT_FLAG_ && attached)
        return cmd_usage(err, "option '--%s' takes no value", f.opts->name);
    if (f.opts->kind == OPT_FLAG_)
        *(bool *)(void *)((char *)f.args + f.opts->offset) = true;
    else if (!attached && (value = next_word(p, f.opts, err)) == NULL)
        return CMD_USAGE;
    if (!f.opts->unrecorded)
        rc = record(p, word, strlen(word), err);
    if (rc == IV_OK && value != NULL && !attached && !f.opts->unrecorded)
        rc = record(p, value, strlen(value), err);
    if (rc == IV_OK && value != NULL)
        rc = take(p, f, value, err);
    return rc;
}

/* One word of letters, of which the last may take a value. */
static int parse_cluster(options_words *p, iv_err *err)
{
    const char *word = p->argv[p->at];
    const char *value = NULL;
    bool value_follows = false;
    opt_set f = { NULL, NULL };
    size_t kept = 1;
    int rc = IV_OK;
    char *shown = strdup(word);

    if (shown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (const char *c = word + 1; *c != '\0' && value == NULL; c++) {
        f = find(p, *c, (iv_str){ "", 0 });
        if (f.opts == NULL) {
            rc = unknown_letter(p, word, *c, err);
            goto done;
        }
        if (!f.opts->unrecorded)
            shown[kept++] = *c;
        if (f.opts->kind == OPT_FLAG_) {
            *(bool *)(void *)((char *)f.args + f.opts->offset) = true;
            continue;
        }
        value_follows = c[1] == '\0';
        value = value_follows ? next_word(p, f.opts, err) : c + 1;
        if (value == NULL) {
            rc = CMD_USAGE;
            goto done;
        }
        if (!value_follows && !f.opts->unrecorded) {
            memcpy(shown + kept, value, strlen(value));
            kept += strlen(value);
        }
    }
    if (kept > 1)
        rc = record(p, shown, kept, err);
    if (rc == IV_OK && value_follows && !f.opts->unrecorded)
        rc = record(p, value, strlen(value), err);
    if (rc == IV_OK && value != NULL)
        rc = take(p, f, value, err);
done:
    free(shown);
    return rc;
}

int options_parse(options_words *out, const opt_set *sets, size_t count, int argc,
                  char **argv, iv_err *err)
{
    bool ended = false;
    int rc = IV_OK;

    *out = (options_words){ .sets = sets, .set_count = count, .argc = argc, .argv = argv };
    out->operands = calloc((size_t)argc + 1, sizeof *out->operands);
    out->record = calloc((size_t)argc + 1, sizeof *out->record);
    out->blocks = calloc((size_t)argc + 1, sizeof *out->blocks);
    if (out->operands == NULL || out->record == NULL || out->blocks == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (; out->at < argc && rc == IV_OK; out->at++) {
        char *word = argv[out->at];
        const bool operand = ended || word[0] != '-' || word[1] == '\0';
        if (operand)
            out->operands[out->operand_count++] = word;
        if (operand || strcmp(word, "--") == 0) {
            ended = ended || !operand;
            rc = record(out, word, strlen(word), err);
        } else if (word[1] == '-') {
            rc = parse_long(out, err);
        } else {
            rc = parse_cluster(out, err);
        }
    }
    return rc;
}

void options_free(options_words *w)
{
    for (size_t i = 0; i < w->record_count; i++)
        free(w->record[i]);
    for (size_t i = 0; i < w->block_count; i++)
        free(w->blocks[i].at);
    free(w->record);
    free(w->blocks);
    free(w->operands);
    *w = (options_words){ 0 };
}
