/* SPDX-License-Identifier: Apache-2.0 */
/* What a session is about, and whether it can be what judge new has written: numbers choose
 * names and divide later, so that none may be another. */
#include <math.h>
#include <string.h>

#include "store/store_parts.h"

enum { GRADES_MOST = 10, GRADE_MOST = 1000, WORD_MOST = 40 };

static int damaged(const iv_store *s, iv_err *err, const char *key, double is,
                   const char *expected)
{
    return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: %s %g, expected %s", key,
                      is, expected);
}

/* ------------------------------------------------------------- numbers -- */

/* A number of table meta. */
typedef struct number {
    const char *key;
    double least, most;
    bool whole;
    const char *expected;
} number;

static int read_number(double *out, iv_store *s, const number *n, iv_err *err)
{
    const char *text = NULL;
    size_t len = 0;
    char quoted[IV_QUOTE_SIZE];

    IV_TRY(iv_store_meta(&text, &len, &s->memory, s->reads, s->path, n->key, err));
    if (text == NULL)
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: no %s, expected %s",
                          n->key, n->expected);
    if (!iv_scan_real(out, (iv_str){ text, len }))
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: %s %s, expected %s",
                          n->key, iv_quote(quoted, (iv_str){ text, len }), n->expected);
    if (!(*out >= n->least && *out <= n->most) || (n->whole && *out != floor(*out)))
        return damaged(s, err, n->key, *out, n->expected);
    return IV_OK;
}

/* -------------------------------------------------------------- grades -- */

/* One grade, "1:partly", behind those before it. */
static int take_grade(iv_store *s, iv_store_grade *grades, iv_str part, iv_err *err)
{
    const char *colon = memchr(part.ptr, ':', part.len);
    const size_t digits = colon == NULL ? part.len : (size_t)(colon - part.ptr);
    const size_t n = s->about.grade_count;
    const int64_t least = n == 0 ? 0 : (int64_t)grades[n - 1].grade + 1;
    char quoted[IV_QUOTE_SIZE];
    int64_t grade = 0;

    if (colon == NULL || n == GRADES_MOST || part.len - digits < 2
        || part.len - digits - 1 > WORD_MOST
        || !iv_scan_int(&grade, (iv_str){ part.ptr, digits }, least, GRADE_MOST))
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: grades with %s, "
                          "expected 2 to %d rising ones as in 0:word,1:word",
                          iv_quote(quoted, part), (int)GRADES_MOST);
    const char *word = iv_arena_copy(&s->memory, (iv_str){ colon + 1, part.len - digits - 1 });
    if (word == NULL)
        return iv_no_memory(err);
    grades[s->about.grade_count++] = (iv_store_grade){ (int32_t)grade, word };
    return IV_OK;
}

/* "0:not,1:partly": as judge new has checked it. */
static int load_grades(iv_store *s, iv_err *err)
{
    iv_store_grade *grades = iv_take(&s->memory, GRADES_MOST, sizeof *grades);
    const char *text = NULL;
    size_t len = 0;

    if (grades == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_store_meta(&text, &len, &s->memory, s->reads, s->path, "grades", err));
    s->about.grades = grades;
    for (size_t at = 0; text != NULL && at <= len;) {
        const char *comma = memchr(text + at, ',', len - at);
        const size_t end = comma == NULL ? len : (size_t)(comma - text);
        IV_TRY(take_grade(s, grades, (iv_str){ text + at, end - at }, err));
        at = end + 1;
    }
    if (s->about.grade_count < 2)
        return iv_fail_at(err, IV_EPARSE, s->path, 0, "the session is damaged: %zu grades, "
                          "expected 2 to %d", s->about.grade_count, (int)GRADES_MOST);
    return IV_OK;
}

/* ----------------------------------------------------------- the whole -- */

int iv_store_load_about(iv_store *s, iv_err *err)
{
    enum { KIND, LEVEL, STOP, STOP_NUMBER, TARGET, OVERLAP, INTERLEAVED, HIDE, ZIPPED, NUMBERS };
    static const number numbers[NUMBERS] = {
        { "kind", 0, IV_STORE_REVIEW, true, "0 (sample), 1 (queue) or 2 (review)" },
        { "level", 0, GRADE_MOST, true, "a grade" },
        { "stop", 0, IV_STORE_STOP_QBCB, true, "0 (none), 1 (plan), 2 (anytime) or 3 (qbcb)" },
        { "stop_number", 0, 100, true, "a whole number from 0 to 100" },
        { "target", 0.0, 1.0, false, "0 to below 1" },
        { "overlap", 0.0, 1.0, false, "0 to 1" },
        { "interleaved", 0, 1, true, "0 or 1" },
        { "hide_interval", 0, 1, true, "0 or 1" },
        { "form_zipped", 0, 1, true, "0 or 1" } };
    iv_store_about *b = &s->about;
    double is[NUMBERS] = { 0.0 };

    for (size_t k = 0; k < NUMBERS; k++)
        IV_TRY(read_number(&is[k], s, &numbers[k], err));
    b->kind = (iv_store_kind)is[KIND];
    b->level = (int32_t)is[LEVEL];
    b->stop = (iv_store_stop)is[STOP];
    b->stop_number = (int64_t)is[STOP_NUMBER];
    b->target = is[TARGET];
    b->overlap = is[OVERLAP];
    b->interleaved = is[INTERLEAVED] != 0.0;
    b->hide_interval = is[HIDE] != 0.0;
    IV_TRY(load_grades(s, err));
    IV_TRY(iv_store_meta(&b->guidelines, NULL, &s->memory, s->reads, s->path, "guidelines", err));
    IV_TRY(iv_store_meta(&b->created, NULL, &s->memory, s->reads, s->path, "created", err));
    b->guidelines = b->guidelines == NULL ? "" : b->guidelines;
    b->created = b->created == NULL ? "" : b->created;
    return IV_OK;
}

/* A rule to stop by, of the kind that it is for. */
static int check_stop(const iv_store *s, iv_err *err)
{
    const iv_store_about *b = &s->about;
    const bool plan = b->stop == IV_STORE_STOP_PLAN;

    if (b->stop != IV_STORE_STOP_NONE
        && (b->stop == IV_STORE_STOP_QBCB ? IV_STORE_QUEUE : IV_STORE_REVIEW) != b->kind)
        return damaged(s, err, "stop", b->stop, b->kind == IV_STORE_SAMPLE ? "0 in a sample"
                       : b->kind == IV_STORE_QUEUE ? "0 or 3 in a queue" : "0 to 2 in a review");
    if (plan ? b->stop_number < 2 : b->stop_number != 0)
        return damaged(s, err, "stop_number", (double)b->stop_number,
                       plan ? "2 to 100 looks" : "0, since no looks are planned");
    if (b->target == 1.0 || (b->stop != IV_STORE_STOP_NONE && b->target == 0.0))
        return damaged(s, err, "target", b->target, b->target == 1.0 ? "0 to below 1"
                       : "more than 0, since there is a rule to stop by");
    return IV_OK;
}

int iv_store_check_about(const iv_store *s, iv_err *err)
{
    const iv_store_about *b = &s->about;

    if (b->kind == IV_STORE_REVIEW && b->strata == 0)
        return damaged(s, err, "kind", b->kind, "0 (sample) or 1 (queue), since there are no "
                       "strata");
    if (b->kind != IV_STORE_REVIEW && b->strata > 0)
        return damaged(s, err, "kind", b->kind, "2 (review), since there are strata");
    if (b->level > b->grades[b->grade_count - 1].grade)
        return damaged(s, err, "level", b->level, "at most the highest grade");
    return check_stop(s, err);
}
