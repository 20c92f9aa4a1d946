/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts that complete command lines in bash, zsh and fish, made from the tables of options. */
#include "frame/frame.h"

const char *const completion_shells[] = { "bash", "zsh", "fish", NULL };

const char *const completion_scripts[] = {
    "# bash completion for intervale; made by 'intervale completion bash'\n"
    "_intervale()\n{\n"
    "    local IFS=$'\\n'\n"
    "    COMPREPLY=($(\"${COMP_WORDS[0]}\" completion words -- \\\n"
    "        \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null | cut -f1))\n}\n"
    "complete -o default -F _intervale intervale\n",

    "#compdef intervale\n"
    "# zsh completion for intervale; made by 'intervale completion zsh'\n"
    "_intervale()\n{\n"
    "    local -a found\n"
    "    found=(\"${(@f)$($words[1] completion words -- \\\n"
    "        \"${(@)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
    "    found=(\"${(@)found//$'\\t'/:}\")\n"
    "    if [[ -n $found[1] ]]; then\n"
    "        _describe intervale found\n"
    "    else\n        _files\n    fi\n}\n"
    "_intervale \"$@\"\n",

    "# fish completion for intervale; made by 'intervale completion fish'\n"
    "function __intervale_words\n"
    "    set -l words (commandline -opc) (commandline -ct)\n"
    "    $words[1] completion words -- $words[2..-1] 2>/dev/null\nend\n"
    "complete -c intervale -n 'count (__intervale_words) >/dev/null' -f \\\n"
    "    -a '(__intervale_words)'\n",
};

/* One line, if the word begins as the one that is being typed. */
static void offer(FILE *out, const char *typed, const char *before, const char *word,
                  const char *means)
{
    const size_t len = strlen(before);

    if (strncmp(before, typed, strlen(typed) < len ? strlen(typed) : len) == 0
        && (strlen(typed) < len || strncmp(word, typed + len, strlen(typed) - len) == 0))
        (void)fprintf(out, "%s%s\t%s\n", before, word, means);
}

static void offer_all(FILE *out, const char *typed, const char *before,
                      const char *const *words)
{
    for (; words != NULL && *words != NULL; words++)
        offer(out, typed, before, *words, "");
}

/* The first words of commands, or with a family the second ones of its members. */
static void offer_commands(FILE *out, const cmd *const *commands, const char *typed,
                           const char *family)
{
    char name[64], last[64] = "";

    for (; *commands != NULL; commands++) {
        const char *full = (*commands)->name;
        const size_t len = strcspn(full, " ");
        if (family != NULL && lookup_in_family(*commands, family)) {
            offer(out, typed, "", full + len + 1, (*commands)->summary);
        } else if (family == NULL && (full[len] == '\0' || strncmp(last, full, len + 1) != 0)) {
            (void)snprintf(name, sizeof name, "%.*s", (int)len, full);
            offer(out, typed, "", name,
                  full[len] == '\0' ? (*commands)->summary : "a family of commands");
        }
        (void)snprintf(last, sizeof last, "%s", full);
    }
}

/* The option that a word names, "-x" or "--name", up to a "=". */
static const opt *option_of(const opt *o, const char *word)
{
    const size_t len = strcspn(word, "=");
    const bool name = strncmp(word, "--", 2) == 0;

    return option_find(o, !name && len == 2 && word[0] == '-' ? word[1] : 0,
                       name ? (iv_str){ word + 2, len - 2 } : (iv_str){ "", 0 });
}

static void offer_options(FILE *out, const opt *o, const char *typed)
{
    char letter[3] = "-";

    for (; o != NULL && o->kind != OPT_END_; o++) {
        letter[1] = o->letter;
        if (o->kind != OPT_HEADING_ && o->letter != 0)
            offer(out, typed, "", letter, o->help);
        if (o->name != NULL)
            offer(out, typed, "--", o->name, o->help);
    }
}

/* After the words of a command's name. */
static void offer_within(FILE *out, const cmd *const *commands, const cmd *c,
                         const char *previous, const char *typed)
{
    session_table shared;
    char before[80];

    session_options(&shared, c);
    for (int i = 0; i < 2; i++) {
        const opt *all = i == 0 ? c->opts : shared.opts;
        const opt *o = option_of(all, previous);
        if (o != NULL && o->kind != OPT_FLAG_) {
            offer_all(out, typed, "", option_value_words(o));
            return;
        }
        o = strchr(typed, '=') != NULL ? option_of(all, typed) : NULL;
        if (o != NULL && o->name != NULL) {
            (void)snprintf(before, sizeof before, "--%s=", o->name);
            offer_all(out, typed, before, option_value_words(o));
            return;
        }
    }
    if (typed[0] == '-') {
        offer_options(out, c->opts, typed);
        offer_options(out, shared.opts, typed);
    } else if (c->operand_commands) {
        offer_commands(out, commands, typed, NULL);
    } else {
        offer_all(out, typed, "", c->operand_words);
    }
}

void completion_offer(FILE *out, const cmd *const *commands, char **words, size_t count)
{
    static const char *const top[] = { "--help", "--version", NULL };
    const char *typed = count > 0 ? words[count - 1] : "";
    const char *previous = count > 1 ? words[count - 2] : "";
    size_t used = 0;
    const cmd *c = count > 1 ? lookup_command(commands, words, count - 1, &used) : NULL;

    /* bash cuts --name=value in three. */
    if (strcmp(typed, "=") == 0)
        typed = "";
    else if (strcmp(previous, "=") == 0 && count > 2)
        previous = words[count - 3];
    if (c != NULL) {
        offer_within(out, commands, c, previous, typed);
    } else if (count <= 1) {
        offer_commands(out, commands, typed, NULL);
        offer_all(out, typed, "", top);
    } else if (count == 2) {
        offer_commands(out, commands, typed, words[0]);
    }
}
