/* SPDX-License-Identifier: Apache-2.0 */
/* Any words are a command line or a usage error, the same each time. */
#include "fuzz.h"

#include "frame/frame.h"

typedef struct args {
    bool flag, other;
    const char *text;
    uint64_t seed;
    int64_t count;
    double level;
    iv_reals cuts;
    iv_integers ranks;
    enum { RED, GREEN } colour;
    iv_texts names;
} args;

static const char *const *colours(void)
{
    static const char *const names[] = { "red", "green", NULL };

    return names;
}

static const args defaults = { .count = 3, .level = 0.95 };
static const opt opts[] = {
    OPT_HEADING("All kinds"),
    OPT_FLAG(args, 'f', "flag", flag, "a flag"),
    OPT_FLAG(args, 'g', NULL, other, "a letter only"),
    OPT_STR(args, 't', "text", "TEXT", text, "text"),
    OPT_INT(args, 0, "seed", "N", seed, 0, INT64_MAX, "a seed"),
    OPT_INT(args, 'n', "count", "N", count, -5, 100, "a count"),
    OPT_REAL_OPEN(args, 'p', "level", "P", level, 0.0, 1.0, "a level"),
    OPT_NUMBERS(args, 0, "cuts", "N,...", cuts, 1, 4, 0.0, 1e6, "cuts"),
    OPT_INTEGERS(args, 0, "ranks", "N,...", ranks, 1, 4, 1.0, 1e6, "ranks"),
    OPT_ENUM(args, 'c', "colour", "C", colour, unsigned, colours, "a colour"),
    OPT_LIST(args, 'm', "name", "NAME", names, "a name"),
    OPT_END
};

static int parse(options_words *words, args *a, int argc, char **argv, iv_err *err)
{
    const opt_set set = { opts, a };

    *a = defaults;
    return options_parse(words, &set, 1, argc, argv, err);
}

static void sound(const options_words *w, const args *a, int argc)
{
    PROMISE(w->operand_count <= (size_t)argc && w->record_count <= (size_t)argc);
    PROMISE(w->operands[w->operand_count] == NULL);
    PROMISE(a->count >= -5 && a->count <= 100 && a->level > 0.0 && a->level < 1.0);
    PROMISE(a->colour == RED || a->colour == GREEN);
    PROMISE(a->cuts.count <= 4 && a->names.count <= (size_t)argc);
    for (size_t i = 0; i < a->cuts.count; i++)
        PROMISE(a->cuts.at[i] >= 0.0 && a->cuts.at[i] <= 1e6);
    for (size_t i = 0; i < a->ranks.count; i++)
        PROMISE(a->ranks.at[i] >= 1 && a->ranks.at[i] <= 1000000);
}

/* The record of a command line is one that means the same. */
static void record_again(const options_words *w, const args *a)
{
    options_words words;
    args b;

    PROMISE(parse(&words, &b, (int)w->record_count, w->record, NULL) == IV_OK);
    PROMISE(a->flag == b.flag && a->other == b.other && a->seed == b.seed);
    PROMISE(a->count == b.count && a->level == b.level && a->colour == b.colour);
    PROMISE(a->cuts.count == b.cuts.count && a->names.count == b.names.count);
    PROMISE((a->text == NULL) == (b.text == NULL));
    PROMISE(a->text == NULL || strcmp(a->text, b.text) == 0);
    PROMISE(words.operand_count == w->operand_count);
    for (size_t i = 0; i < w->operand_count; i++)
        PROMISE(strcmp(words.operands[i], w->operands[i]) == 0);
    options_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST = 40 };
    char *argv[MOST + 1];
    int argc = 0;
    options_words words;
    args a;
    iv_err err = { IV_OK, "" };
    char *text = malloc(size + 1);

    PROMISE(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    for (char *p = text; p != NULL && argc < MOST;) { /* one word a line */
        argv[argc++] = p;
        p = strchr(p, '\n');
        if (p != NULL)
            *p++ = '\0';
    }
    argv[argc] = NULL;
    const int rc = parse(&words, &a, argc, argv, &err);
    PROMISE(rc == IV_OK || rc == CMD_USAGE);
    if (rc == IV_OK) {
        sound(&words, &a, argc);
        record_again(&words, &a);
    } else {
        PROMISE(err.msg[0] != '\0' && strchr(err.msg, '\n') == NULL);
    }
    options_free(&words);
    free(text);
    return 0;
}
