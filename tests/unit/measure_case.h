/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topics written as text.  The ranking has one letter a document: a digit is
 * its grade, '.' a grade of -1, '-' no judgment at all.  The rest are judged
 * documents that were not retrieved.
 */
#ifndef MEASURE_CASE_H
#define MEASURE_CASE_H

#include <string.h>

#include "measure/measures.h"
#include "measure/scorer.h"

enum { CASE_MOST = 400 };

typedef struct measure_case {
    iv_judgment judged[2 * CASE_MOST];
    iv_hit hits[CASE_MOST];
    iv_joined topic;
} measure_case;

static inline int32_t case_grade(char c)
{
    return c == '.' ? -1 : c - '0';
}

static inline void case_set(measure_case *c, const char *ranking,
                            const char *rest)
{
    size_t n = 0, hits = 0;

    memset(c, 0, sizeof *c);
    for (; ranking[hits] != '\0'; hits++) {
        if (ranking[hits] == '-')
            continue;
        c->judged[n] = (iv_judgment){ .pi = 1.0,
                                      .grade = case_grade(ranking[hits]),
                                      .stratum = -1 };
        c->hits[hits].judgment = &c->judged[n++];
    }
    for (; *rest != '\0'; rest++)
        c->judged[n++] = (iv_judgment){ .pi = 1.0,
                                        .grade = case_grade(*rest),
                                        .stratum = -1 };
    c->topic = (iv_joined){ .topic = iv_str_of("1"),
                            .hits = c->hits,
                            .hit_count = hits,
                            .judged = c->judged,
                            .judged_count = n };
}

/* The first value of a measure on a topic; fails the test on any error. */
static inline double case_score(const measure_case *c, const char *name,
                                const iv_measure_options *o)
{
    iv_measures *m = NULL;
    iv_scorer *s = NULL;
    double values[64];
    int32_t largest = 0;
    iv_err err = { IV_OK, "" };

    for (size_t i = 0; i < c->topic.judged_count; i++)
        largest = c->judged[i].grade > largest ? c->judged[i].grade : largest;
    if (iv_measures_parse(&m, &name, 1, o, &err) != IV_OK)
        fail_msg("%s", err.msg);
    assert_true(iv_measures_count(m) <= 64);
    if (iv_scorer_new(&s, m, largest, &err) != IV_OK)
        fail_msg("%s", err.msg);
    if (iv_scorer_topic(values, s, &c->topic, &err) != IV_OK)
        fail_msg("%s", err.msg);
    iv_scorer_free(s);
    iv_measures_free(m);
    return values[0];
}

#endif /* MEASURE_CASE_H */
