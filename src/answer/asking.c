/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_parts.h"

#include <math.h>

#include "base/ids.h"
#include "base/result.h"
#include "intervale/answer/references.h"

static int check_list(const void *at, size_t count, const char *what, iv_err *err)
{
    return at != NULL || count == 0 ? IV_OK
        : iv_fail(err, IV_EARG, "a list of %zu is NULL, expected each %s", count, what);
}

static int check_texts(const iv_texts *t, const char *what, bool filled, iv_err *err)
{
    IV_TRY(check_list(t->at, t->count, what, err));
    for (size_t i = 0; i < t->count; i++)
        if (t->at[i] == NULL || (filled && t->at[i][0] == '\0'))
            return iv_fail(err, IV_EARG, "%s %zu of %zu is %s", what, i + 1, t->count,
                           t->at[i] == NULL ? "NULL" : "'', the empty text");
    return IV_OK;
}

static int check_names(const iv_texts *t, const char *what, iv_err *err)
{
    iv_ids ids = { 0 };
    int rc = check_texts(t, what, true, err);

    for (size_t i = 0; i < t->count && rc == IV_OK; i++) {
        const uint32_t id = iv_ids_add(&ids, iv_str_of(t->at[i]));
        if (id == IV_NO_ID)
            rc = iv_no_memory(err);
        else if (id != i)
            rc = iv_fail(err, IV_EARG, "%s %zu of %zu has the name of %s %u, '%.80s'", what,
                         i + 1, t->count, what, id + 1, t->at[i]);
    }
    iv_ids_free(&ids);
    return rc;
}

static int check_path(const char *path, const char *what, iv_err *err)
{
    return path == NULL || path[0] != '\0' ? IV_OK
        : iv_fail(err, IV_EARG, "the path of %s is '', the empty text", what);
}

static int check_choice(unsigned value, const char *const *names, const char *what, iv_err *err)
{
    unsigned count = 0;

    while (names[count] != NULL)
        count++;
    return value < count ? IV_OK : iv_fail(err, IV_EARG, "%s is number %d, expected 0 to %u (%s "
                                           "to %s)", what, (int)value, count - 1, names[0],
                                           names[count - 1]);
}

static int check_reals(const iv_reals *r, const char *what, iv_err *err)
{
    IV_TRY(check_list(r->at, r->count, what, err));
    for (size_t i = 0; i < r->count; i++)
        if (isnan(r->at[i]))
            return iv_fail(err, IV_EARG, "%s is NaN, expected a number", what);
    return IV_OK;
}

static int check_source(const iv_source *s, iv_err *err)
{
    IV_TRY(check_texts(&s->runs, "run", true, err));
    for (size_t i = 0; s->ranked != NULL && i < s->ranked_count; i++)
        if (s->ranked[i] == NULL)
            return iv_fail(err, IV_EARG, "run %zu of %zu is NULL", i + 1, s->ranked_count);
    IV_TRY(check_path(s->judgments, "the judgments", err));
    IV_TRY(check_choice(s->judgments_format, iv_judgments_format_names(),
                        "the format of the judgments", err));
    return check_choice(s->run_format, iv_run_format_names(), "the format of the runs", err);
}

static int check(const iv_part *p, const void *question, iv_err *err)
{
    const void *at = (const char *)question + p->at;

    switch (p->kind) {
    case IV_IS_SOURCE:
        return check_source(at, err);
    case IV_IS_TEXTS:
    case IV_IS_PATHS:
        return check_texts(at, p->what, p->kind == IV_IS_PATHS, err);
    case IV_IS_NAMES:
        return check_names(at, p->what, err);
    case IV_IS_PATH:
        return check_path(*(const char *const *)at, p->what, err);
    case IV_IS_INTEGERS:
        return check_list(((const iv_integers *)at)->at, ((const iv_integers *)at)->count,
                          p->what, err);
    case IV_IS_REALS:
        return check_reals(at, p->what, err);
    case IV_IS_REAL:
        return check_reals(&(iv_reals){ at, 1 }, p->what, err);
    case IV_IS_CHOICE:
        break;
    }
    return check_choice(*(const unsigned *)at, p->names(), p->what, err);
}

/* Once is enough: after a stop the caller hears no more. */
typedef struct asked_once {
    iv_progress whole;
    int stop;
} asked_once;

static int ask_once(void *user, double done)
{
    asked_once *a = user;

    if (a->stop == 0)
        a->stop = a->whole.report(a->whole.user, done);
    return a->stop;
}

int iv_answer_with(iv_result *out, const void *question, const iv_answering *how,
                   const iv_work *work, iv_err *err)
{
    const iv_result before = *out;
    iv_work guarded = work != NULL ? *work : (iv_work){ 0 };
    asked_once once = { guarded.progress, 0 };
    iv_err mine = { 0 };
    int rc = question != NULL ? IV_OK : iv_fail(&mine, IV_EARG, "there is no question");

    if (guarded.progress.report != NULL)
        guarded.progress = (iv_progress){ ask_once, &once };
    for (size_t i = 0; i < how->count && rc == IV_OK; i++)
        rc = check(&how->parts[i], question, &mine);
    if (rc == IV_OK)
        rc = how->answer(out, question, &guarded, &mine);
    if (rc == IV_OK && how->cites != NULL)
        iv_result_cite(out, how->cites);
    if (rc == IV_OK)
        rc = iv_result_status(out, &mine);
    if (rc == IV_OK)
        return IV_OK;
    mine.code = rc;
    if (!how->keeps || (rc != IV_EPARSE && rc != IV_EIO))
        iv_result_rewind(out, &before);
    return iv_fail_as(err, &mine);
}
