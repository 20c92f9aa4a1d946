/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison of runs on its way to tables and words: what its parts share. */
#ifndef IV_ANSWER_CONTEST_H
#define IV_ANSWER_CONTEST_H

#include "answer/scorecard.h"
#include "answer/answer_parts.h"
#include "base/memory.h"
#include "intervale/answer/compare.h"

/* Scores of runs on topics, wherever they come from, and what they say. */
typedef struct iv_contest {
    const iv_compare_question *asked;
    const char **runs, **measures;
    iv_str *topics;
    size_t run_count, topic_count, measure_count;
    int *digits;    /* by measure: behind the point, for people */
    double *values; /* values[(m * runs + r) * topics + t]; NaN: missing */
    iv_evaluation *evaluation; /* NULL: scores were given */
    iv_scorecard card;         /* scores of any kind: has a view */
    bool sampled;              /* ... and they are estimates from a sample */
    iv_arena names;            /* the lists, and names that nobody else keeps */
    iv_comparison **found;     /* one a measure */
    iv_compare_options how;    /* what was asked for; then, what was done */
} iv_contest;

/* Of one measure, on all topics or on those of a group. */
typedef struct iv_contest_part {
    size_t measure;
    const iv_comparison *found;
    const char *group; /* NULL: all topics */
} iv_contest_part;

/* What is compared, on what, in words: one or several. */
static inline const char *iv_contest_run(const iv_contest *c, size_t n)
{
    return c->asked->scores.given ? (n == 1 ? "system" : "systems") : n == 1 ? "run" : "runs";
}

static inline const char *iv_contest_topic(const iv_contest *c, size_t n)
{
    return c->asked->scores.given ? (n == 1 ? "item" : "items") : n == 1 ? "topic" : "topics";
}

/* The tables that have the columns of pairs: what notes are about (iv_result_about). */
#define IV_CONTEST_PAIRS "pairs groups"

/* So many pairs nobody reads one by one. */
enum { IV_PAIRS_READ = 66 };

/* The scores, with the files' part of the result; *c starts as zeros and is freed in
 * any case. */
IV_MUST_CHECK int iv_contest_read(iv_contest *c, iv_result *out, const iv_work *work,
                                  iv_err *err);
void iv_contest_free(iv_contest *c);

/* The scores of one measure. */
const double *iv_contest_values(const iv_contest *c, size_t measure);

/* Are values from a sample that found too little for means, and their differences, to have
 * intervals? */
bool iv_contest_too_few(const iv_contest *c, size_t measure);

/* Is the run a baseline? */
bool iv_contest_baseline(const iv_contest *c, size_t run);

/* Topics that a run lacks, of the first measure: it has all measures of a topic or none. */
size_t iv_contest_lacks(const iv_contest *c, size_t run);

/* Every pair must share two topics: one line names the first that does not. */
IV_MUST_CHECK int iv_contest_check(const iv_contest *c, iv_err *err);

/* Notes: which run lacks which topics. */
void iv_contest_tell_missing(const iv_contest *c, iv_result *out);

/* The answer, a sentence a measure (of the first three). */
void iv_contest_tell_answer(const iv_contest *c, iv_result *out);

/* The verdict on the claim not_worse, if it was made; then as a sentence. */
IV_MUST_CHECK int iv_contest_gate(const iv_contest *c, iv_result *out, iv_err *err);
void iv_contest_say_gate(iv_wording *t, const iv_contest *c, const iv_result *out);

/* How p-values, intervals and marks were made. */
void iv_contest_tell_method(const iv_contest *c, iv_result *out);

/* Where they are in doubt. */
void iv_contest_tell_doubts(const iv_contest *c, iv_result *out);

/* The table of pairs: one row a pair and test, of each part in turn. */
IV_MUST_CHECK int iv_contest_pairs(const iv_contest *c, iv_result *out, const char *name,
                                   const iv_contest_part *parts, size_t count,
                                   iv_showing showing, iv_err *err);

/* The tables runs, one row a run, the best first; and paper, one column a measure. */
IV_MUST_CHECK int iv_contest_runs(const iv_contest *c, iv_result *out, iv_err *err);
IV_MUST_CHECK int iv_contest_paper(const iv_contest *c, iv_result *out, iv_err *err);

/* The tables groups and interaction. */
IV_MUST_CHECK int iv_contest_groups(const iv_contest *c, iv_result *out, const iv_work *work,
                                    iv_err *err);

/* The table set_pairs, if the scores are of a suite. */
IV_MUST_CHECK int iv_contest_sets(const iv_contest *c, iv_result *out, const iv_work *work,
                                  iv_err *err);

/* What is drawn, and the tables it is drawn from. */
IV_MUST_CHECK int iv_contest_charts(const iv_contest *c, iv_result *out, const iv_work *work,
                                    iv_err *err);

/* The table topics and its chart, a page a pair; ranked: the better run first. */
IV_MUST_CHECK int iv_contest_topics(const iv_contest *c, iv_result *out, bool ranked,
                                    const iv_work *work, iv_err *err);

/* The runs by rank in one measure, equal ones as they were given. */
void iv_contest_order(size_t *order, const iv_contest *c, size_t measure);

/* "***", "**", "*" or "", by p. */
const char *iv_contest_mark(double p);

/* The next group in letters, which have two characters each where there are more
 * than 26 groups; its number from 0 and its length. */
const char *iv_next_letter(size_t *number, size_t *len, const char *at, bool two);

/* Was the correction ours to choose, so that p is guarded by t tests? */
bool iv_contest_guarded(const iv_contest *c);

#endif /* IV_ANSWER_CONTEST_H */
