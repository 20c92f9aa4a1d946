/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/simulate.h beside what programs do. */
#ifndef IV_SIMULATE_SIMULATE_PRIVATE_H
#define IV_SIMULATE_SIMULATE_PRIVATE_H

#include "intervale/simulate.h"

/* IV_EARG when options contradict each other or leave their domain. */
IV_MUST_CHECK int iv_simulation_new(iv_simulation **out,
                                           const iv_simulation_options *options,
                                           iv_err *err);

void iv_simulation_free(iv_simulation *s);

/*
 * Draws topic number `topic`, of as many as one wants, in place of the one
 * that was there.  A collection made of files has the topics from 0.
 */
void iv_simulated_topic_draw(iv_simulated_topic *t, uint32_t topic);

const char *iv_simulated_docno(char out[IV_SIMULATED_NAME_SIZE],
                                      const iv_simulated_topic *t,
                                      uint32_t document);

/*
 * One run's answer to the topic, in documents and scores of t, the first ranked first, as many as
 * the depth.  Scores are multiples of 1e-6 and fall strictly, unless options ask
 * for ties; equal scores have the later docno first, as in trec.
 */
void iv_simulated_rank(iv_simulated_topic *t, uint32_t run);

/* The run's average precision on the topic, from complete judgments. */
double iv_simulated_ap(iv_simulated_topic *t, uint32_t run);

/*
 * Writes directory/qrels, directory/runs/NAME for each run, directory/machine.qrels if there
 * is a judge, directory/README
 * (how it was made) and directory/truth.tsv.  files may be NULL: {0}.  The directory appears
 * complete or not at all; what is there already is refused (IV_EIO), unless it is an
 * empty directory.  map, the mean AP of each run over the topics with complete judgments,
 * has room for all runs.
 */
IV_MUST_CHECK int iv_simulation_write(double *map,
                                             iv_simulation_summary *summary,
                                             const iv_simulation *s,
                                             const char *directory,
                                             const iv_simulation_files *files,
                                             const iv_work *work, iv_err *err);

const char *iv_simulated_run_name(char out[IV_SIMULATED_RUN_SIZE],
                                         const iv_simulation *s,
                                         const char *prefix, uint32_t run);

#endif /* IV_SIMULATE_SIMULATE_PRIVATE_H */
