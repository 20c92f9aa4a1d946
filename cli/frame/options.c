/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <stdlib.h>
#include <string.h>

#include "intervale/report.h"


typedef struct parser {
    const opt_set *sets;
    size_t count;
    int argc, at;
    char **argv;
    options_words *out;
} parser;

/* An option and the struct it writes to; o is NULL when there is none. */
typedef struct found {
    const opt *o;
    void *args;
} found;

static found find_letter(const parser *p, char letter)
{
    for (size_t i = 0; i < p->count; i++)
        for (const opt *o = p->sets[i].opts; o != NULL && o->kind != OPT_END_; o++)
            if (o->kind != OPT_HEADING_ && o->letter == letter)
                return (found){ o, p->sets[i].args };
    return (found){ NULL, NULL };
}

static bool is_name(const char *name, const char *word, size_t len)
{
    return name != NULL && strlen(name) == len && memcmp(name, word, len) == 0;
}

/* The option of that name, or of that name in an earlier version. */
static found find_name(const parser *p, const char *name, size_t len)
{
    found was = { NULL, NULL };

    for (size_t i = 0; i < p->count; i++)
        for (const opt *o = p->sets[i].opts; o != NULL && o->kind != OPT_END_; o++) {
            if (is_name(o->name, name, len))
                return (found){ o, p->sets[i].args };
            for (const char *const *n = o->names_were; n != NULL && *n != NULL; n++)
                if (is_name(*n, name, len))
                    was = (found){ o, p->sets[i].args };
        }
    return was;
}

/* Copies len bytes of word to the record. */
static int record(parser *p, const char *word, size_t len, iv_err *err)
{
    char *copy = strndup(word, len);

    if (copy == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    p->out->record[p->out->record_count++] = copy;
    return IV_OK;
}

/* Options of version 0.2 that are gone, and what to do instead (doc/migrating.md). */
static const struct gone { const char *name, *instead; } gone[] = {
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
    { "exclude-runs", "leave the runs out of the command line" },
    { NULL, NULL } };

static int unknown_name(const parser *p, const char *word, size_t len, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE], near[SUGGEST_SIZE], name[64];
    const size_t shown = len < sizeof name - 1 ? len : sizeof name - 1;

    memcpy(name, word + 2, shown);
    name[shown] = '\0';
    suggest s = suggest_for(name);
    for (size_t i = 0; i < p->count; i++)
        for (const opt *o = p->sets[i].opts; o != NULL && o->kind != OPT_END_; o++)
            if (o->name != NULL)
                suggest_offer(&s, o->name);
    (void)iv_quote(quoted, (iv_str){ word, len + 2 });
    for (const struct gone *g = gone; g->name != NULL; g++)
        if (strcmp(g->name, name) == 0)
            return cmd_usage(err, "option %s is gone since 0.3: %s", quoted, g->instead);
    for (const char *const *f = iv_format_names(); *f != NULL; f++) /* --json */
        if (strcmp(*f, name) == 0)
            return cmd_usage(err, "unknown option %s; did you mean '--format %s'?", quoted, *f);
    return cmd_usage(err, "unknown option %s%s", quoted, suggest_text(near, &s, "--"));
}

static int unknown_letter(const parser *p, const char *word, char letter, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const char shown[] = { '-', letter, '\0' };
    /* -seed 7 was meant to be --seed 7. */
    const found slip = find_name(p, word + 1, strcspn(word + 1, "="));
    const char *meant = slip.o != NULL ? slip.o->name : letter == 'h' ? "help" : NULL;

    (void)iv_quote(quoted, iv_str_of(slip.o != NULL ? word : shown));
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

static int append_to_list(const parser *p, const opt *o, iv_texts *list, const char *text,
                          iv_err *err)
{
    const char *const *words = option_value_words(o);
    int word = 0;

    if (words != NULL && option_value_choice(&word, o, text, err) != IV_OK)
        return CMD_USAGE;
    struct options_block *block = block_of(p->out, list);
    if (block->at == NULL)
        block->at = calloc((size_t)p->argc, sizeof text);
    if (block->at == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const char **at = block->at;
    at[list->count++] = words != NULL ? words[word] : text;
    list->at = at;
    return IV_OK;
}

static int take(const parser *p, found f, const char *text, iv_err *err)
{
    char name[OPTION_TEXT_SIZE];
    void *field = (char *)f.args + f.o->offset;
    void *fresh = NULL;

    if (f.o->kind == OPT_LIST_)
        return append_to_list(p, f.o, field, text, err);
    struct options_block *block = block_of(p->out, field);
    if (block->text != NULL && strcmp(block->text, text) != 0)
        return cmd_usage(err, "%s takes one value, and has '%.80s' and '%.80s'",
                         option_value_name(name, f.o), block->text, text);
    block->text = text;
    const int rc = option_value_read(&fresh, f.o, f.args, text, err);
    if (fresh != NULL && rc == IV_OK) {
        free(block->at);
        block->at = fresh;
    } else {
        free(fresh);
    }
    return rc;
}

/* The value in the word after the current one; NULL and an error if none. */
static const char *next_word(parser *p, const opt *o, iv_err *err)
{
    char name[OPTION_TEXT_SIZE];

    if (p->at + 1 < p->argc)
        return p->argv[++p->at];
    (void)cmd_usage(err, "option '%s' needs a value: %s", option_value_name(name, o),
                    o->value);
    return NULL;
}

static int parse_long(parser *p, iv_err *err)
{
    const char *word = p->argv[p->at];
    const size_t len = strcspn(word + 2, "=");
    const bool attached = word[2 + len] == '=';
    const char *value = attached ? word + 2 + len + 1 : NULL;
    const found f = find_name(p, word + 2, len);
    int rc = IV_OK;

    if (f.o == NULL)
        return unknown_name(p, word, len, err);
    if (f.o->kind == OPT_FLAG_ && attached)
        return cmd_usage(err, "option '--%s' takes no value", f.o->name);
    if (f.o->kind == OPT_FLAG_)
        *(bool *)(void *)((char *)f.args + f.o->offset) = true;
    else if (!attached && (value = next_word(p, f.o, err)) == NULL)
        return CMD_USAGE;
    if (!f.o->unrecorded)
        rc = record(p, word, strlen(word), err);
    if (rc == IV_OK && value != NULL && !attached && !f.o->unrecorded)
        rc = record(p, value, strlen(value), err);
    if (rc == IV_OK && value != NULL)
        rc = take(p, f, value, err);
    return rc;
}

/* One word of letters, of which the last may take a value. */
static int parse_cluster(parser *p, iv_err *err)
{
    const char *word = p->argv[p->at];
    const char *value = NULL;
    bool value_follows = false;
    found f = { NULL, NULL };
    size_t kept = 1;
    int rc = IV_OK;
    char *shown = strdup(word);

    if (shown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (const char *c = word + 1; *c != '\0' && value == NULL; c++) {
        f = find_letter(p, *c);
        if (f.o == NULL) {
            rc = unknown_letter(p, word, *c, err);
            goto done;
        }
        if (!f.o->unrecorded)
            shown[kept++] = *c;
        if (f.o->kind == OPT_FLAG_) {
            *(bool *)(void *)((char *)f.args + f.o->offset) = true;
            continue;
        }
        value_follows = c[1] == '\0';
        value = value_follows ? next_word(p, f.o, err) : c + 1;
        if (value == NULL) {
            rc = CMD_USAGE;
            goto done;
        }
        if (!value_follows && !f.o->unrecorded) {
            memcpy(shown + kept, value, strlen(value));
            kept += strlen(value);
        }
    }
    if (kept > 1)
        rc = record(p, shown, kept, err);
    if (rc == IV_OK && value_follows && !f.o->unrecorded)
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
    parser p = { sets, count, argc, 0, argv, out };
    bool ended = false;
    int rc = IV_OK;

    *out = (options_words){ 0 };
    out->operands = calloc((size_t)argc + 1, sizeof *out->operands);
    out->record = calloc((size_t)argc + 1, sizeof *out->record);
    out->blocks = calloc((size_t)argc + 1, sizeof *out->blocks);
    if (out->operands == NULL || out->record == NULL || out->blocks == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (; p.at < argc && rc == IV_OK; p.at++) {
        char *word = argv[p.at];
        const bool operand = ended || word[0] != '-' || word[1] == '\0';
        if (operand)
            out->operands[out->operand_count++] = word;
        if (operand || strcmp(word, "--") == 0) {
            ended = ended || !operand;
            rc = record(&p, word, strlen(word), err);
        } else if (word[1] == '-') {
            rc = parse_long(&p, err);
        } else {
            rc = parse_cluster(&p, err);
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
