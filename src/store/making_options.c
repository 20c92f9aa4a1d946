/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan may say, and what it means when it says nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "store/making.h"
#include "store/store_parts.h"

enum { GRADES_MOST = 10 };

/* One grade of "0:not,1:partly,2": its number, and its word, which may be left out. */
static int add_grade(char **to, int64_t *last, iv_str part, iv_err *err)
{
    const char *colon = memchr(part.ptr, ':', part.len);
    const size_t digits = colon == NULL ? part.len : (size_t)(colon - part.ptr);
    const iv_str number = { part.ptr, digits };
    iv_str word = colon == NULL ? number : (iv_str){ colon + 1, part.len - digits - 1 };
    int64_t grade = 0;
    char quoted[IV_QUOTE_SIZE];

    if (!iv_scan_int(&grade, number, 0, 1000) || grade <= *last || word.len == 0
        || word.len > 40)
        return iv_fail(err, IV_EARG, "grade %s, expected rising whole numbers with a word each, "
                       "as in 0:not,1:partly,2:highly", iv_quote(quoted, part));
    *to += sprintf(*to, "%s%lld:%.*s", *last < 0 ? "" : ",", (long long)grade, (int)word.len,
                   word.ptr);
    *last = grade;
    return IV_OK;
}

static int check_grades(iv_making *m, iv_err *err)
{
    const char *text = m->plan->grades == NULL ? "0:not relevant,1:relevant" : m->plan->grades;
    char *to = iv_take(&m->memory, 2 * strlen(text) + 40, 1);
    int64_t last = -1;
    size_t count = 0;

    m->grades = to;
    if (to == NULL)
        return iv_no_memory(err);
    for (const char *at = text; at != NULL; count++) {
        const char *comma = strchr(at, ',');
        IV_TRY(add_grade(&to, &last, (iv_str){ at, comma == NULL ? strlen(at)
                                                                 : (size_t)(comma - at) }, err));
        at = comma == NULL ? NULL : comma + 1;
    }
    if (count < 2 || count > GRADES_MOST)
        return iv_fail(err, IV_EARG, "%zu grades, expected 2 to %d", count, (int)GRADES_MOST);
    m->level = m->plan->level == 0 ? 1 : m->plan->level == IV_ZERO ? 0 : m->plan->level;
    if (m->level > last)
        return iv_fail(err, IV_EARG, "relevant from grade %lld on, expected at most the highest "
                       "grade, %lld", (long long)m->level, (long long)last);
    return IV_OK;
}

static int check_stop(iv_making *m, iv_err *err)
{
    const char *text = m->plan->stop == NULL ? "none" : m->plan->stop;
    const char *colon = strchr(text, ':');
    const size_t len = colon == NULL ? strlen(text) : (size_t)(colon - text);
    const char *const *names = iv_store_stop_names();
    size_t k = 0;

    while (names[k] != NULL && (strlen(names[k]) != len || memcmp(names[k], text, len) != 0))
        k++;
    m->stop = (iv_store_stop)k;
    m->stop_number = m->stop == IV_STORE_STOP_PLAN ? 5 : 0;
    if (names[k] == NULL || (colon != NULL && (m->stop != IV_STORE_STOP_PLAN
                             || !iv_scan_int(&m->stop_number, iv_str_of(colon + 1), 2, 100))))
        return iv_fail(err, IV_EARG, "rule '%.40s' to stop by, expected none, plan:LOOKS, "
                       "anytime or qbcb", text);
    if (m->stop != IV_STORE_STOP_NONE && m->plan->target == 0.0)
        return iv_fail(err, IV_EARG, "a rule to stop by without a target, expected the recall to "
                       "reach");
    if (m->stop == IV_STORE_STOP_NONE && m->plan->target > 0.0)
        return iv_fail(err, IV_EARG, "a target without a rule to stop by; expected --stop plan:5, "
                       "anytime or qbcb");
    if ((m->stop == IV_STORE_STOP_PLAN || m->stop == IV_STORE_STOP_ANYTIME)
        && m->plan->strata == NULL)
        return iv_fail(err, IV_EARG, "the rule %s, expected for the strata of a review", names[k]);
    if (m->stop == IV_STORE_STOP_QBCB && m->plan->queue.count != 1)
        return iv_fail(err, IV_EARG, "the rule qbcb, expected for a queue of one run");
    return IV_OK;
}

static int check_assessors(const iv_making *m, iv_err *err)
{
    const iv_texts *who = &m->plan->assessors;

    if (who->count > IV_ASSESSORS_MOST)
        return iv_fail(err, IV_EARG, "%zu assessors, expected at most %d", who->count,
                       (int)IV_ASSESSORS_MOST);
    for (size_t i = 0; i < who->count; i++) {
        IV_TRY(iv_assessor_name_check(who->at[i], err));
        for (size_t k = 0; k < i; k++)
            if (strcmp(who->at[i], who->at[k]) == 0)
                return iv_fail(err, IV_EARG, "assessor '%s' twice, expected each once",
                               who->at[i]);
    }
    if (m->plan->overlap > 0.0 && who->count < 2)
        return iv_fail(err, IV_EARG, "an overlap of %g with one assessor, expected two or more",
                       m->plan->overlap);
    return IV_OK;
}

int iv_making_options(iv_making *m, iv_err *err)
{
    const iv_session_plan *p = m->plan;

    if ((p->design != NULL) + (p->queue.count > 0) + (p->strata != NULL) != 1)
        return iv_fail(err, IV_EARG, "a design, a queue or strata: expected one of the three");
    if ((p->strata != NULL) != (p->lists != NULL))
        return iv_fail(err, IV_EARG, "strata and the folder of their lists, expected both");
    if (p->judged != NULL && p->queue.count == 0)
        return iv_fail(err, IV_EARG, "judgments that are there, expected with a queue of runs");
    if (!(p->overlap >= 0.0 && p->overlap <= 1.0) || !(p->target >= 0.0 && p->target < 1.0))
        return iv_fail(err, IV_EARG, "overlap %g and target %g, expected from 0 to 1", p->overlap,
                       p->target);
    IV_TRY(check_grades(m, err));
    IV_TRY(check_stop(m, err));
    return check_assessors(m, err);
}

int iv_making_text(iv_str *out, iv_making *m, const char *path, iv_err *err)
{
    iv_bytes b;
    char *copy;

    IV_TRY(iv_bytes_load(&b, path, m->work, err));
    copy = iv_arena_copy(&m->memory, (iv_str){ b.len == 0 ? "" : b.ptr, b.len });
    *out = (iv_str){ copy, b.len };
    iv_bytes_free(&b);
    return copy == NULL ? iv_no_memory(err) : IV_OK;
}
