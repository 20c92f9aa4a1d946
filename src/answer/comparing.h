/* SPDX-License-Identifier: Apache-2.0 */
/* Scores that are compared, and what was found: what the files compare*.c share. */
#ifndef IV_ANSWER_COMPARING_H
#define IV_ANSWER_COMPARING_H

#include "answer/score_tables.h"
#include "answer/answer_parts.h"
#include "base/memory.h"
#include "intervale/answer.h"
#include "stat/stat_private.h"

/* Scores of runs on topics, wherever they come from, and what they say. */
typedef struct iv_comparing {
    const iv_compare_question *asked;
    const char *const *runs, *const *measures;
    const iv_str *topics;
    size_t run_count, topic_count, measure_count;
    int *digits;    /* by measure: behind the point, for people */
    const double *values; /* values[(m * runs + r) * topics + t]; NaN: missing */
    iv_evaluation *evaluation; /* NULL: scores were given */
    iv_scored card;         /* scores of any kind: has a view */
    bool named;                /* of systems on items, not of runs on topics */
    bool sampled;              /* ... and they are estimates from a sample */
    bool unit;                 /* scores are in [0, 1] */
    iv_arena *own;             /* the answer's */
    iv_comparison **found;     /* one a measure ... */
    size_t pair_count;         /* ... of so many pairs */
    iv_compare_options how;    /* what was asked for; then, what was done */
    struct iv_set_pair *sets;  /* the worst first; of a suite, or of groups of topics */
    size_t set_count;
    const char *const *set_names;
    const uint32_t *set_of;    /* the group of each topic; NULL: sets are of a suite */
    iv_verdict gate;           /* without that of sets; decided by ... */
    size_t deciding, alike;    /* ... the pair of that number; how many have its verdict */
    double deciding_p;
} iv_comparing;

/* A pair on the items of one set, adjusted for all of these. */
typedef struct iv_set_pair {
    const char *set, *a, *b, *measure, *mark;
    iv_compared_pair is;
    iv_compared_test test;
} iv_set_pair;

/* What was found of a measure: its pairs, the first test of one of them, its runs. */
static inline const iv_compared_pair *iv_pairs_of(const iv_comparing *c, size_t measure)
{
    const iv_compared_pair *pairs;

    (void)iv_comparison_pairs(&pairs, c->found[measure]);
    return pairs;
}

static inline const iv_compared_test *iv_first_test(const iv_comparing *c, size_t measure,
                                                    size_t pair)
{
    const iv_compared_test *tests;

    (void)iv_comparison_tests(&tests, c->found[measure], pair);
    return tests;
}

static inline const iv_compared_run *iv_runs_of(const iv_comparing *c, size_t measure)
{
    const iv_compared_run *runs;

    (void)iv_comparison_runs(&runs, c->found[measure]);
    return runs;
}

/* What is compared, on what, in words: one or several. */
static inline const char *iv_comparing_run(const iv_comparing *c, size_t n)
{
    return c->named ? (n == 1 ? "system" : "systems") : n == 1 ? "run" : "runs";
}

static inline const char *iv_comparing_topic(const iv_comparing *c, size_t n)
{
    return c->named ? (n == 1 ? "item" : "items") : n == 1 ? "topic" : "topics";
}

/* The tables that have the columns of pairs: what notes are about (iv_result_about). */
#define IV_COMPARING_PAIRS "pairs groups"

/* So many pairs nobody reads one by one. */
enum { IV_PAIRS_READ = 66 };

/* The scores, with the files' part of the result; *c starts as zeros. */
IV_MUST_CHECK int iv_comparing_read(iv_comparing *c, iv_result *out, const iv_work *work,
                                  iv_err *err);

/* The scores of one measure. */
const double *iv_comparing_values(const iv_comparing *c, size_t measure);

/* Topics that a run lacks, of the first measure: it has all measures of a topic or none. */
size_t iv_comparing_lacks(const iv_comparing *c, size_t run);

/* Every pair must share two topics: one line names the first that does not. */
IV_MUST_CHECK int iv_comparing_check(const iv_comparing *c, iv_err *err);

/* How run a stands to run b by the first test: 1 better, -1 worse, 0 not known. */
int iv_comparing_found(const iv_comparing *c, size_t measure, size_t a, size_t b);

/* The answer: of the first measure. */
void iv_comparing_tell_answer(const iv_comparing *c, iv_result *out);

/* The verdict on the claim not_worse, if it was made; then as the first sentences. */
IV_MUST_CHECK int iv_comparing_gate(iv_comparing *c, iv_result *out, iv_err *err);
void iv_comparing_say_gate(iv_wording *t, const iv_comparing *c, iv_result *out);

/* Warnings, and how p-values, intervals and marks were computed. */
void iv_comparing_tell_method(const iv_comparing *c, iv_result *out);

/* The table of pairs: one row a pair and test, of each measure in turn. */
IV_MUST_CHECK int iv_comparing_pairs(iv_comparing *c, iv_result *out, iv_err *err);

/* The tables runs, one row a run, the best first; and paper, one column a measure. */
IV_MUST_CHECK int iv_comparing_runs(iv_comparing *c, iv_result *out, iv_err *err);
IV_MUST_CHECK int iv_comparing_paper(iv_comparing *c, iv_result *out, iv_err *err);

/* p of a pair that was adjusted with those of other comparisons; its limits then say the same. */
void iv_comparing_settle(iv_compared_pair *pair, iv_compared_test *test, double p,
                         const iv_comparing *c);

/* How many sets there are. */
static inline size_t iv_comparing_set_names(const iv_comparing *c)
{
    return c->asked->scores.given ? c->card.v->suite_count : 0;
}

/* The table sampling: of each pair the standard error of the difference and its two parts. */
IV_MUST_CHECK int iv_comparing_sampling(iv_comparing *c, iv_result *out, iv_err *err);

/* What is drawn, and the tables it is drawn from. */
IV_MUST_CHECK int iv_comparing_charts(const iv_comparing *c, iv_result *out, iv_err *err);

/* "***", "**", "*" or "", by p. */
const char *iv_comparing_mark(double p);

#endif /* IV_ANSWER_COMPARING_H */
