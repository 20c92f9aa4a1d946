/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names as people write them: ndcg@10, map@100, mrr, recall@5, alpha-nDCG@20.  Whatever
 * the case, with - for _, and trec_eval's name before ir_measures' cut-off, as long as it
 * can mean one measure only.
 */
#include <string.h>

#include "measure/measure_parts.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '-' ? '_' : c;
}

/* Does s begin with the name, whatever the case and dashes? */
static bool begins(iv_str s, const char *name)
{
    const size_t len = name != NULL ? strlen(name) : 0;

    if (name == NULL || len > s.len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (lower(s.ptr[i]) != lower(name[i]))
            return false;
    return true;
}

static bool is(iv_str s, const char *name)
{
    return name != NULL && strlen(name) == s.len && begins(s, name);
}

/* May the rest follow a name of trec_eval's?  Nothing, .5 or _5. */
static bool is_suffix(iv_str rest)
{
    return rest.len == 0 || *rest.ptr == '.'
        || (rest.len > 1 && *rest.ptr == '_' && rest.ptr[1] >= '0' && rest.ptr[1] <= '9');
}

/* What the name may stand for; `many` when that is not one thing. */
typedef struct meaning {
    const iv_definition *is;
    const char *name; /* as it should be written */
    size_t used;      /* bytes of the text that it replaces */
    bool many;
} meaning;

static void offer(meaning *m, const iv_definition *d, const char *name, size_t used)
{
    m->many = m->many || (m->is != NULL && m->is != d);
    if (m->is == NULL)
        *m = (meaning){ d, name, used, m->many };
}

/* Name(...)@10: by ir_measures' names, or by trec_eval's for the same. */
static meaning with_parts(iv_str name, bool at)
{
    const iv_definition *d;
    meaning m = { .is = NULL };

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        if (d->info.ir_name != NULL
            && (is(name, d->info.ir_name) || is(name, d->ir_alias) || is(name, d->info.name)))
            offer(&m, iv_definition_of_ir(iv_str_of(d->info.ir_name), at), d->info.ir_name,
                  name.len);
    }
    return m;
}

/* One word: the longest of trec_eval's names with its parameters, or a name. */
static meaning word(iv_str text)
{
    const iv_definition *d;
    meaning m = { .is = NULL };

    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        const size_t len = strlen(d->info.name);
        if (begins(text, d->info.name) && is_suffix((iv_str){ text.ptr + len, text.len - len })
            && len >= m.used) {
            if (len > m.used)
                m = (meaning){ .is = NULL };
            offer(&m, d, d->info.name, len);
        }
    }
    for (size_t i = 0; (d = iv_definition_at(i)) != NULL; i++) {
        if (is(text, d->info.ir_name) || is(text, d->ir_alias))
            offer(&m, iv_definition_of_ir(iv_str_of(d->info.ir_name), false), d->info.ir_name,
                  text.len);
    }
    return m;
}

int iv_respell(iv_str *out, iv_str text, iv_arena *arena, iv_err *err)
{
    size_t name = 0;

    while (name < text.len && text.ptr[name] != '(' && text.ptr[name] != '@')
        name++;
    const meaning m = name < text.len
        ? with_parts((iv_str){ text.ptr, name }, memchr(text.ptr, '@', text.len) != NULL)
        : word(text);
    *out = (iv_str){ NULL, 0 };
    if (m.is == NULL || m.many)
        return IV_OK;
    const size_t length = strlen(m.name), rest = text.len - m.used;
    char *spelled = iv_arena_alloc(arena, length + rest + 1);
    if (spelled == NULL)
        return iv_no_memory(err);
    memcpy(spelled, m.name, length);
    memcpy(spelled + length, text.ptr + m.used, rest);
    *out = (iv_str){ spelled, length + rest };
    return IV_OK;
}
