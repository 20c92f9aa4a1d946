/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/completion.h"

#include <string.h>

#include "frame/lookup.h"
#include "frame/option_value.h"
#include "frame/session.h"

/* The first word of a two-word name, as text; "" for a one-word name. */
static const char *family_of(char out[64], const cmd *c)
{
    const size_t len = strcspn(c->name, " ");

    (void)snprintf(out, 64, "%.*s", c->name[len] == ' ' ? (int)len : 0, c->name);
    return out;
}

/* Is c the first of its family in the table? */
static bool opens_family(const cmd *const *commands, const cmd *const *c, char family[64])
{
    if (family_of(family, *c)[0] == '\0')
        return false;
    for (; commands < c; commands++)
        if (lookup_in_family(*commands, family))
            return false;
    return true;
}

static const char *second_word(const cmd *c)
{
    return c->name + strcspn(c->name, " ") + 1;
}

/* The first words of all commands, each after a blank. */
static void put_first_words(FILE *out, const cmd *const *commands)
{
    char family[64];

    for (const cmd *const *c = commands; *c != NULL; c++) {
        if (family_of(family, *c)[0] == '\0')
            (void)fprintf(out, " %s", (*c)->name);
        else if (opens_family(commands, c, family))
            (void)fprintf(out, " %s", family);
    }
}

static void put_second_words(FILE *out, const cmd *const *commands, const char *family)
{
    for (; *commands != NULL; commands++)
        if (lookup_in_family(*commands, family))
            (void)fprintf(out, " %s", second_word(*commands));
}

static void put_words(FILE *out, const char *const *words)
{
    for (; *words != NULL; words++)
        (void)fprintf(out, " %s", *words);
}

static bool takes_folder(const opt *o)
{
    return o->value != NULL && strcmp(o->value, "DIR") == 0;
}

static bool takes_file(const opt *o)
{
    return o->value != NULL && strstr(o->value, "FILE") != NULL;
}

/* --------------------------------------------------------------- bash -- */

static void bash_names(FILE *out, const opt *o)
{
    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind != OPT_HEADING_ && o->letter != 0)
            (void)fprintf(out, " -%c", o->letter);
        if (o->name != NULL)
            (void)fprintf(out, " --%s", o->name);
    }
}

/* What follows an option of the command: words, or files by default. */
static void bash_values(FILE *out, const cmd *c, const opt *o)
{
    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_ || o->kind == OPT_FLAG_)
            continue;
        (void)fputs("    ", out);
        if (o->letter != 0)
            (void)fprintf(out, "'%s:-%c'%s", c->name, o->letter, o->name ? "|" : "");
        if (o->name != NULL)
            (void)fprintf(out, "'%s:--%s'", c->name, o->name);
        (void)fputs(") words='", out);
        if (option_value_words(o) != NULL)
            put_words(out, option_value_words(o));
        (void)fputs("'; value=1;;\n", out);
    }
}

static void bash_head(FILE *out, const cmd *const *commands)
{
    char family[64];

    (void)fputs("# bash completion for intervale; made by 'intervale completion bash'\n"
                "_intervale()\n{\n"
                "    local cur=\"${COMP_WORDS[COMP_CWORD]}\"\n"
                "    local prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
                "    local command=\"${COMP_WORDS[1]}\" words='' value=''\n"
                "    COMPREPLY=()\n"
                "    if [ \"$cur\" = '=' ]; then cur=''; fi\n"
                "    if [ \"$prev\" = '=' ]; then\n"
                "        prev=\"${COMP_WORDS[COMP_CWORD-2]}\"\n    fi\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words='", out);
    put_first_words(out, commands);
    (void)fputs(" --help --version'\n"
                "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "        return\n    fi\n    case $command in\n", out);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        if (!opens_family(commands, c, family))
            continue;
        (void)fprintf(out, "    %s)\n        words='", family);
        put_second_words(out, commands, family);
        (void)fputs("'\n        command=\"$command ${COMP_WORDS[2]}\";;\n", out);
    }
    (void)fputs("    esac\n"
                "    if [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$words\" ]; then\n"
                "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                "        return\n    fi\n    words=''\n"
                "    case \"$command:$prev\" in\n", out);
}

void completion_bash(FILE *out, const cmd *const *commands)
{
    session_table shared;

    bash_head(out, commands);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        session_options(&shared, *c);
        bash_values(out, *c, (*c)->opts);
        bash_values(out, *c, shared.opts);
    }
    (void)fputs("    esac\n    if [ -z \"$value\" ]; then\n"
                "        case \"$command:$cur\" in\n", out);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        session_options(&shared, *c);
        (void)fprintf(out, "        '%s:-'*) words='", (*c)->name);
        bash_names(out, (*c)->opts);
        bash_names(out, shared.opts);
        (void)fputs("';;\n", out);
        if (!(*c)->operand_commands && (*c)->operand_words == NULL)
            continue;
        (void)fprintf(out, "        '%s:'*) words='", (*c)->name);
        if ((*c)->operand_commands)
            put_first_words(out, commands);
        else
            put_words(out, (*c)->operand_words);
        (void)fputs("';;\n", out);
    }
    /* Nothing offered: "-o default" below lets the shell offer files. */
    (void)fputs("        esac\n    fi\n"
                "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\n"
                "complete -o default -F _intervale intervale\n", out);
}

/* ---------------------------------------------------------------- zsh -- */

/* Inside single quotes, where _arguments gives : [ ] a meaning. */
static void zsh_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            (void)fputs("'\\''", out);
        else
            (void)fprintf(out, "%s%c", strchr(":[]\\", *text) != NULL ? "\\" : "", *text);
    }
}

static void zsh_spec(FILE *out, const opt *o, const char *spelling, const char *join)
{
    (void)fputs(" \\\n            '", out);
    if (o->kind == OPT_LIST_)
        (void)putc('*', out);
    else if (o->letter != 0 && o->name != NULL)
        (void)fprintf(out, "(-%c --%s)", o->letter, o->name);
    (void)fprintf(out, "%s%s[", spelling, o->kind == OPT_FLAG_ ? "" : join);
    zsh_text(out, o->help);
    (void)putc(']', out);
    if (o->kind != OPT_FLAG_) {
        (void)putc(':', out);
        zsh_text(out, o->value);
        (void)putc(':', out);
        if (option_value_words(o) != NULL) {
            (void)putc('(', out);
            put_words(out, option_value_words(o));
            (void)putc(')', out);
        } else if (takes_folder(o) || takes_file(o)) {
            (void)fputs(takes_folder(o) ? "_files -/" : "_files", out);
        }
    }
    (void)putc('\'', out);
}

static void zsh_specs(FILE *out, const opt *o)
{
    char spelling[80];

    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_)
            continue;
        (void)snprintf(spelling, sizeof spelling, "-%c", o->letter);
        if (o->letter != 0)
            zsh_spec(out, o, spelling, "+");
        (void)snprintf(spelling, sizeof spelling, "--%s", o->name ? o->name : "");
        if (o->name != NULL)
            zsh_spec(out, o, spelling, "=");
    }
}

static void zsh_describe(FILE *out, const cmd *const *commands, const char *family)
{
    char own[64];

    (void)fputs("        names=(", out);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        const bool opens = family == NULL && opens_family(commands, c, own);
        if (!opens && !lookup_in_family(*c, family))
            continue;
        (void)fprintf(out, "\n            '%s:",
                      opens ? own : family != NULL ? second_word(*c) : (*c)->name);
        zsh_text(out, opens ? "a family of commands" : (*c)->summary);
        (void)putc('\'', out);
    }
    (void)fputs(")\n        _describe command names\n        return\n", out);
}

void completion_zsh(FILE *out, const cmd *const *commands)
{
    session_table shared;
    char family[64];

    (void)fputs("#compdef intervale\n"
                "# zsh completion for intervale; made by 'intervale completion zsh'\n"
                "_intervale()\n{\n    local -a names\n    local command=$words[2]\n"
                "    if (( CURRENT == 2 )); then\n", out);
    zsh_describe(out, commands, NULL);
    (void)fputs("    fi\n    shift words\n    (( CURRENT-- ))\n", out);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        if (!opens_family(commands, c, family))
            continue;
        (void)fprintf(out, "    if [[ $command == %s && $CURRENT -eq 2 ]]; then\n", family);
        zsh_describe(out, commands, family);
        (void)fprintf(out, "    fi\n    if [[ $command == %s ]]; then\n"
                      "        command=\"$command $words[2]\"\n        shift words\n"
                      "        (( CURRENT-- ))\n    fi\n", family);
    }
    (void)fputs("    case $command in\n", out);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        session_options(&shared, *c);
        (void)fprintf(out, "    ('%s')\n        _arguments -s", (*c)->name);
        zsh_specs(out, (*c)->opts);
        zsh_specs(out, shared.opts);
        if ((*c)->operand_commands || (*c)->operand_words != NULL) {
            (void)fputs(" \\\n            '*:name:(", out);
            if ((*c)->operand_commands)
                put_first_words(out, commands);
            else
                put_words(out, (*c)->operand_words);
            (void)fputs(")'", out);
        } else if ((*c)->most > 0) {
            (void)fputs(" \\\n            '*:file:_files'", out);
        }
        (void)fputs(";;\n", out);
    }
    (void)fputs("    esac\n}\n_intervale \"$@\"\n", out);
}

/* --------------------------------------------------------------- fish -- */

static void fish_text(FILE *out, const char *text)
{
    (void)putc('\'', out);
    for (; *text != '\0'; text++)
        (void)fprintf(out, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    (void)putc('\'', out);
}

static void fish_options(FILE *out, const cmd *c, const opt *o)
{
    for (; o != NULL && o->kind != OPT_END_; o++) {
        if (o->kind == OPT_HEADING_)
            continue;
        (void)fprintf(out, "complete -c intervale -n '__intervale_is %s'", c->name);
        if (o->letter != 0)
            (void)fprintf(out, " -s %c", o->letter);
        if (o->name != NULL)
            (void)fprintf(out, " -l %s", o->name);
        if (option_value_words(o) != NULL) {
            (void)fputs(" -x -a '", out);
            put_words(out, option_value_words(o));
            (void)putc('\'', out);
        } else if (o->kind != OPT_FLAG_) {
            (void)fputs(takes_folder(o) ? " -x -a '(__fish_complete_directories)'"
                        : takes_file(o) ? " -r -F" : " -x", out);
        }
        (void)fputs(" -d ", out);
        fish_text(out, o->help);
        (void)putc('\n', out);
    }
}

static void fish_name(FILE *out, const char *before, const char *name, const char *what)
{
    (void)fprintf(out, "complete -c intervale -n '__intervale_after %s' -f -a %s -d ",
                  before, name);
    fish_text(out, what);
    (void)putc('\n', out);
}

static void fish_operands(FILE *out, const cmd *const *commands, const cmd *c)
{
    if (!c->operand_commands && c->operand_words == NULL && c->most > 0)
        return;
    (void)fprintf(out, "complete -c intervale -n '__intervale_is %s' -f", c->name);
    if (c->operand_commands || c->operand_words != NULL)
        (void)fputs(" -a '", out);
    if (c->operand_commands)
        put_first_words(out, commands);
    else if (c->operand_words != NULL)
        put_words(out, c->operand_words);
    (void)fputs(c->operand_commands || c->operand_words != NULL ? "'\n" : "\n", out);
}

void completion_fish(FILE *out, const cmd *const *commands)
{
    session_table shared;
    char family[64];

    (void)fputs("# fish completion for intervale; made by 'intervale completion fish'\n"
                "function __intervale_is\n"
                "    set -l words (commandline -opc)\n"
                "    set -l last (math (count $argv) + 1)\n"
                "    test (count $words) -ge $last\n"
                "    and test \"$words[2..$last]\" = \"$argv\"\nend\n"
                "function __intervale_after\n"
                "    set -l words (commandline -opc)\n"
                "    test \"$words[2..-1]\" = \"$argv\"\nend\n", out);
    for (const cmd *const *c = commands; *c != NULL; c++) {
        if (opens_family(commands, c, family))
            fish_name(out, "", family, "a family of commands");
        if (family_of(family, *c)[0] != '\0')
            fish_name(out, family, second_word(*c), (*c)->summary);
        else
            fish_name(out, "", (*c)->name, (*c)->summary);
        session_options(&shared, *c);
        fish_options(out, *c, (*c)->opts);
        fish_options(out, *c, shared.opts);
        fish_operands(out, commands, *c);
    }
}
