/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <string.h>


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
    static char incomplete[] = "incomplete";
    static const struct {
        const char *command, *flag;
        char *now;
    } moved[] = { { "compare", "--incomplete", incomplete } };
    size_t used = 0;

    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        char *now[] = { moved[i].now };
        const cmd *other = lookup_command(commands, now, 1, &used);
        if (other == NULL || strcmp(c->name, moved[i].command) != 0)
            continue;
        for (size_t k = 0; k < *count && strcmp(words[k], "--") != 0; k++) {
            if (strcmp(words[k], moved[i].flag) != 0)
                continue;
            memmove(words + k, words + k + 1, (*count - k) * sizeof *words);
            --*count;
            return other;
        }
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

/* "; there is study map, study power": those a family has. */
static void append_member(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);

    (void)snprintf(list + used, size - used, "%s%s", used == 0 ? "; there is " : ", ", name);
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
    char quoted[IV_QUOTE_SIZE], near[SUGGEST_SIZE], asked[128], name[64], list[512] = "";
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
            append_member(list, sizeof list, (*commands)->name);
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
