/* SPDX-License-Identifier: Apache-2.0 */
/* From a request to an answer: what is refused, and what is undone on failure. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/result_state.h"

#include <string.h>

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

void iv_name_limits(iv_result *out, double confidence, bool one_sided)
{
    char text[48];

    (void)snprintf(text, sizeof text, "%s%g %% %s", one_sided ? "one-sided " : "",
                   confidence == 0.0 ? 95.0 : 100.0 * confidence,
                   one_sided ? "limits" : "interval");
    out->interval = iv_result_keep(out, iv_str_of(text));
}

static void name_interval(iv_result *out, const void *question, const iv_answering *how)
{
    for (size_t i = 0; i < how->count; i++)
        if (how->parts[i].kind == IV_IS_CONFIDENCE) {
            double confidence;
            memcpy(&confidence, (const char *)question + how->parts[i].at, sizeof confidence);
            iv_name_limits(out, confidence, false);
        }
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
    if (rc == IV_OK)
        rc = iv_check_parts(question, how->parts, how->count, &mine);
    if (rc == IV_OK)
        name_interval(out, question, how);
    if (rc == IV_OK)
        rc = how->answer(out, question, &guarded, &mine);
    iv_arena_free(iv_result_own(out));
    if (rc == IV_OK && how->uses != NULL && out->used.count == 0)
        iv_result_used_all(out, how->uses);
    if (rc == IV_OK)
        rc = iv_result_status(out, &mine);
    if (rc == IV_OK)
        return IV_OK;
    mine.code = rc;
    if (!how->keeps || (rc != IV_EPARSE && rc != IV_EIO))
        iv_result_rewind(out, &before);
    return iv_fail_as(err, &mine);
}
