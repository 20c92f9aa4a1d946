/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the paths of score files say: repeat=@file, system=@folder, and
 * system=@path:{system}/{repeat}/x*; and the files of folders.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "trec/score_records.h"
#include "trec/score_table.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

iv_str iv_score_part(const char *path, const char *end)
{
    const char *from = end;

    while (from > path && from[-1] != '/')
        from--;
    return (iv_str){ from, (size_t)(end - from) };
}

iv_str iv_score_stem(const char *path)
{
    static const char *const ends[] = { ".gz", ".zst", ".jsonl", ".json", ".csv", ".tsv", ".txt",
                                        ".eval" };
    iv_str name = iv_score_part(path, path + strlen(path));

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);
        if (name.len > end && strncmp(name.ptr + name.len - end, ends[i], end) == 0)
            name.len -= end;
    }
    return name;
}

/* Of samples_TASK_DATE the date, which all tasks of a run share; else all of it. */
static iv_str date_of(iv_str stem)
{
    size_t from = 0;

    for (size_t i = 8; strncmp(stem.ptr, "samples_", 8) == 0 && i + 3 < stem.len; i++)
        if (strncmp(stem.ptr + i, "_20", 3) == 0)
            from = i + 1;
    return (iv_str){ stem.ptr + from, stem.len - from };
}

/* The role in braces at a place of a pattern; IV_SCORE_ROLES: there is none. */
static size_t braced(size_t *len, iv_str pattern)
{
    const char *end = pattern.len > 0 && pattern.ptr[0] == '{'
        ? memchr(pattern.ptr, '}', pattern.len) : NULL;

    if (end == NULL)
        return IV_SCORE_ROLES;
    *len = (size_t)(end - pattern.ptr) + 1;
    return iv_score_role_named((iv_str){ pattern.ptr + 1, *len - 2 });
}

/* Does a text fit a pattern of *, {role} and letters?  Neither * nor a role goes over a slash. */
static bool fits(iv_str out[IV_SCORE_ROLES], iv_str pattern, iv_str text)
{
    size_t skip = 1;
    const size_t role = braced(&skip, pattern);
    const bool any = role < IV_SCORE_ROLES || (pattern.len > 0 && pattern.ptr[0] == '*');

    if (pattern.len == 0)
        return text.len == 0;
    if (!any)
        return text.len > 0 && text.ptr[0] == pattern.ptr[0]
            && fits(out, (iv_str){ pattern.ptr + 1, pattern.len - 1 },
                    (iv_str){ text.ptr + 1, text.len - 1 });
    skip = role < IV_SCORE_ROLES ? skip : 1;
    for (size_t n = role < IV_SCORE_ROLES; n <= text.len; n++) {
        if (memchr(text.ptr, '/', n) != NULL)
            return false;
        if (!fits(out, (iv_str){ pattern.ptr + skip, pattern.len - skip },
                  (iv_str){ text.ptr + n, text.len - n }))
            continue;
        if (role < IV_SCORE_ROLES)
            out[role] = (iv_str){ text.ptr, n };
        return true;
    }
    return false;
}

/* The end of a path, with as many parts as a pattern. */
static iv_str tail_of(const char *path, iv_str pattern)
{
    size_t parts = 1;
    const char *at = path + strlen(path);

    for (size_t i = 0; i < pattern.len; i++)
        parts += pattern.ptr[i] == '/';
    while (at > path && (at[-1] != '/' || --parts > 0))
        at--;
    return iv_str_of(at);
}

int iv_score_from_path(iv_score_file *f, const iv_str said[IV_SCORE_ROLES], iv_err *err)
{
    const size_t length = strlen(f->name);

    for (size_t r = 0; r < IV_SCORE_ROLES; r++) {
        const iv_str how = said[r], name = iv_score_part(f->name, f->name + length);
        if (how.ptr == NULL)
            continue;
        if (iv_score_is_given(how))
            f->from[r] = (iv_str){ how.ptr + 6, how.len - 6 };
        else if (iv_str_cmp(how, iv_str_of("@file")) == 0)
            f->from[r] = date_of(iv_score_stem(f->name));
        else if (iv_str_cmp(how, iv_str_of("@folder")) == 0)
            f->from[r] = name.ptr > f->name ? iv_score_part(f->name, name.ptr - 1)
                : (iv_str){ NULL, 0 };
        else if (!fits(f->from, (iv_str){ how.ptr + 6, how.len - 6 },
                       tail_of(f->name, (iv_str){ how.ptr + 6, how.len - 6 })))
            return iv_fail_at(err, IV_EPARSE, f->name, 0, "the path does not fit '%.*s'",
                              (int)(how.len - 6), how.ptr + 6);
        if (f->from[r].len == 0)
            return iv_fail_at(err, IV_EPARSE, f->name, 0, "the path has no part for %s ('%.*s')",
                              iv_score_role_names()[r], (int)how.len, how.ptr);
    }
    return IV_OK;
}

bool iv_score_is_given(iv_str column)
{
    return column.len > 6 && strncmp(column.ptr, "@name:", 6) == 0;
}

bool iv_score_is_path(iv_str column)
{
    return iv_str_cmp(column, iv_str_of("@file")) == 0
        || iv_str_cmp(column, iv_str_of("@folder")) == 0
        || (column.len > 6 && strncmp(column.ptr, "@path:", 6) == 0);
}

/* ---------------------------------------------------------------- folders -- */

/* Files that hold scores of items by their name; results_DATE.json has means. */
static bool is_wanted(const char *name)
{
    static const char *const ends[] = { ".jsonl", ".json", ".csv", ".tsv", ".eval", ".jsonl.gz",
                                        ".json.gz", ".csv.gz", ".jsonl.zst", ".json.zst",
                                        ".csv.zst" };
    const size_t len = strlen(name);

    if (name[0] == '.' || strncmp(name, "results_", 8) == 0)
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (len > strlen(ends[i]) && strcmp(name + len - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

/* A file of a folder, or ("") of none. */
static int keep_path(iv_words *to, iv_arena *own, const char *folder, const char *name, iv_err *err)
{
    const size_t len = strlen(folder), room = len + strlen(name) + 2;
    char *path = iv_take(own, room, 1);

    IV_TRY(iv_taken(own, err));
    (void)snprintf(path, room, "%s%s%s", folder, len == 0 || folder[len - 1] == '/' ? "" : "/",
                   name);
    iv_words_add(own, to, path);
    return iv_taken(own, err);
}

static int walk(iv_words *to, iv_arena *own, const char *folder, size_t deep, iv_err *err);

static int add_path(iv_words *to, iv_arena *own, const char *path, size_t deep, bool given,
                    iv_err *err)
{
    struct stat st;
    const iv_str name = iv_score_part(path, path + strlen(path));

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return deep > 8 ? IV_OK : walk(to, own, path, deep + 1, err);
    if (!given && !is_wanted(name.ptr))
        return IV_OK;
    return keep_path(to, own, "", path, err);
}

static int walk(iv_words *to, iv_arena *own, const char *folder, size_t deep, iv_err *err)
{
    iv_words in = { 0 };
    DIR *d = opendir(folder);
    int rc = d != NULL ? IV_OK : iv_fail_at(err, IV_EIO, folder, 0, "the folder cannot be read");

    for (struct dirent *e = d != NULL ? readdir(d) : NULL; rc == IV_OK && e != NULL;
         e = readdir(d)) {
        if (e->d_name[0] != '.')
            rc = keep_path(&in, own, folder, e->d_name, err);
    }
    if (d != NULL)
        (void)closedir(d);
    if (in.count > 0)
        qsort(in.at, in.count, sizeof *in.at, iv_by_text);
    const char *helm = NULL; /* beside it are settings and means */
    for (size_t i = 0; i < in.count; i++)
        if (strcmp(iv_score_part(in.at[i], in.at[i] + strlen(in.at[i])).ptr,
                   "per_instance_stats.json") == 0)
            helm = in.at[i];
    for (size_t i = 0; rc == IV_OK && i < in.count; i++)
        if (helm == NULL || helm == in.at[i])
            rc = add_path(to, own, in.at[i], deep, false, err);
    return rc;
}

int iv_score_paths_of(iv_words *out, iv_arena *own, const iv_texts *files, iv_err *err)
{
    for (size_t i = 0; i < files->count; i++) {
        const size_t before = out->count;
        IV_TRY(add_path(out, own, files->at[i], 0, true, err));
        if (out->count == before)
            return iv_fail_at(err, IV_ENODATA, files->at[i], 0, "the folder has no file of scores "
                              "(.jsonl, .json, .csv, .tsv, .eval)");
    }
    return IV_OK;
}
