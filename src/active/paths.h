/* SPDX-License-Identifier: Apache-2.0 */
/* Judging simulated many times over: one path for each topic. */
#ifndef IV_ACTIVE_PATHS_H
#define IV_ACTIVE_PATHS_H

#include "active/judging_state.h"

/*
 * Judging simulated many times over.
 *
 * Which document of a topic comes next depends on that topic alone, so each
 * topic has one path: what is judged after what, and mean and variance of the
 * difference after each judgment.  Judging any set of topics is then a merge
 * of their paths, and a resample of topics costs next to nothing.  Paths are
 * walked only as far as somebody asks.
 */
typedef struct iv_paths iv_paths;

/*
 * Paths of runs a and b over the topics of p, whose judgments are the oracle;
 * judging starts from nothing.  Of the options prior, form, order, no_answer and, of the truth,
 * union_only.  p must outlive it.  IV_ENODATA if the oracle
 * lacks a document and shall refuse (name stands in the message).
 */
IV_MUST_CHECK int iv_paths_new(iv_paths **out, const iv_pooled *p, size_t a, size_t b,
                               const iv_judging_options *options, const char *name,
                               const iv_work *work, iv_err *err);
void iv_paths_free(iv_paths *x);

/*
 * The number of judgments after which n topics (numbers, perhaps repeated and
 * then judged anew) first reach each of `count` rising confidences (from
 * IV_CERTAIN on counts as 1); SIZE_MAX where they never do.  wins and losses
 * (NULL: not asked for) count the topics with expected difference above and
 * below 0 when the last one is reached, or at the end.  Changes the paths,
 * never the result.
 */
IV_MUST_CHECK int iv_paths_judge(size_t *judgments, size_t *wins, size_t *losses, iv_paths *x,
                                 const size_t *topics, size_t n, const double *confidence,
                                 size_t count, const iv_work *work, iv_err *err);

/*
 * Judges n topics to the end, or until visit says false, and shows how things
 * stand before the first judgment and whenever `every` more were made (by
 * pool: after each round): judgments, the sum of the differences over topics, and topics whose
 * expected sign is that of the truth, or not; those without a true sign are not counted.
 */
IV_MUST_CHECK int iv_paths_watch(iv_paths *x, const size_t *topics, size_t n, size_t every,
                                 bool (*visit)(void *user, size_t judgments, iv_moments sum,
                                               size_t right, size_t wrong),
                                 void *user, const iv_work *work, iv_err *err);

/*
 * What is true of topic's difference: with all known judgments, unjudged
 * documents taken for not relevant.
 */
double iv_paths_truth(const iv_paths *x, size_t topic);

#endif
