/* SPDX-License-Identifier: Apache-2.0 */
/* Scores that are compared, and what was found: what the files compare*.c share. */
#ifndef IV_SCORES_COMPARING_H
#define IV_SCORES_COMPARING_H

#include <math.h>

#include "base/memory.h"
#include "intervale/scores.h"
#include "result/wording.h"
#include "scores/score_tables.h"
#include "stat/paired/comparison.h"

IV_ENDS(comparison)

/*
 * In place of sets of measures (official) the means of scores that they hold, in names kept
 * in own; a note lists the others.
 */
IV_MUST_CHECK int iv_compared_measures(iv_texts *measures, iv_arena *own,
                                       const iv_measure_options *options, iv_result *out,
                                       iv_err *err);

/* Planned tests by their names. */
enum { IV_PLANNED_TESTS = 8 };

/* Scores of runs on topics, wherever they come from, and what they say. */
typedef struct iv_comparing {
    const iv_compare_question *asked;
    const char *const *runs, *const *measures;
    const iv_str *topics;
    size_t run_count, topic_count, measure_count;
    double *turned_at; /* by measure of which lower is better: values are this less the score */
    int *digits;    /* by measure: behind the point, for people */
    /* values[(m * runs + r) * topics + t]; NaN: missing.  Beside the evaluation, whose scores are
     * in the order of each run's own topics. */
    const double *values;
    iv_evaluation *evaluation; /* NULL: scores were given */
    const iv_evaluated *v; /* its view; of seeds, that of the evaluation of their runs */
    /* Documents of each run and unjudged ones, of a system those of all its seeds; NULL: of
     * scores and of sampled judgments they are not known. */
    const iv_evaluated_run *counted;
    iv_scored scored;         /* scores of any kind: has a view */
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
    const size_t *paper_rows;  /* the runs in the order of the table paper */
    iv_verdict gate;           /* without that of sets; decided by ... */
    size_t deciding, alike;    /* ... the pair of that number; how many have its verdict */
    size_t hardest;            /* of those that are inconclusive, the one that needs most items */
    iv_claim decision;         /* on that pair */
} iv_comparing;

/* A pair on the items of one set, adjusted for all of these. */
typedef struct iv_set_pair {
    const char *set, *a, *b, *measure, *mark;
    iv_compared_pair is;
    iv_compared_test test;
} iv_set_pair;

/* The first test of a pair. */
static inline const iv_compared_test *iv_first_test(const iv_comparing *c, size_t measure,
                                                    size_t pair)
{
    return &c->found[measure]->tests[pair * c->how.test_count];
}

/* The id of the method that decides about a margin. */
const char *iv_margin_method(const iv_comparing *c, size_t m, size_t pair);

/* A margin of 0 is asked for as IV_ZERO. */
static inline double iv_comparing_margin(const iv_comparing *c)
{
    return fmax(0.0, c->how.margin);
}

/* What is compared, on what, in words: one or several. */
static inline const char *iv_comparing_run(const iv_comparing *c, size_t n)
{
    return c->named ? (n == 1 ? "system" : "systems") : n == 1 ? "run" : "runs";
}

static inline const char *iv_comparing_topic(const iv_comparing *c, size_t n)
{
    return c->named && c->v == NULL ? (n == 1 ? "item" : "items") : n == 1 ? "topic" : "topics";
}

/* Is lower better in a measure?  Its values are then turned round, and differences are b - a. */
bool iv_comparing_lower(const iv_comparing *c, size_t measure);

/* Has an item a value of its own?  Of a ratio or percentile it has none. */
bool iv_comparing_items(const iv_comparing *c, size_t measure);

/* Means and their limits as they were before values were turned round, and those of ratios and
 * percentiles. */
IV_MUST_CHECK int iv_comparing_settle_means(iv_comparing *c, size_t measure, iv_err *err);

/* The tables that have the columns of pairs: what notes are about (iv_result_about). */
#define IV_COMPARING_PAIRS "pairs groups"

/* Are topics in groups? */
static inline bool iv_comparing_groups(const iv_comparing *c)
{
    return c->asked->groups != NULL || (c->scored.v != NULL && c->scored.v->group != NULL);
}

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

/* How run a stands to run b by the first test: 1 better, -1 worse, 0 not known, or unjudged
 * documents could change it. */
int iv_comparing_found(const iv_comparing *c, size_t measure, size_t a, size_t b);

/* Could unjudged documents change whether the runs of a pair differ? */
bool iv_comparing_undecided(const iv_comparing *c, size_t measure, size_t pair);

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

/* The table sampling: of each pair the standard error of the difference and its two parts. */
IV_MUST_CHECK int iv_comparing_sampling(iv_comparing *c, iv_result *out, iv_err *err);

/* What is drawn, and the tables it is drawn from. */
IV_MUST_CHECK int iv_comparing_charts(const iv_comparing *c, iv_result *out, iv_err *err);

/* "***", "**", "*" or "", by p. */
const char *iv_comparing_mark(double p);

/* That lower is better, as given or by the name, and what that makes of differences. */
void iv_lower_note(iv_result *out, const char *names, bool given);

/* The answer of compare without automatic labels. */
IV_MUST_CHECK int iv_compare_scores(iv_result *out, const iv_compare_question *q,
                                    const iv_work *work, iv_err *err);

/* Higher is better, which would turn verdicts on errors round: refuses a measure that is named as
 * one, unless its scores are negated.  v: NULL, or the table that the scores are from. */
IV_MUST_CHECK int iv_refuse_error(const iv_score_table *v, const char *measure, const double *x,
                                  size_t count, iv_err *err);

#endif
