/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of runs and judgments, as TREC's files have them. */
#ifndef IV_SIMULATE_SIMULATION_TEXT_H
#define IV_SIMULATE_SIMULATION_TEXT_H

#include "simulate/simulation.h"

/* Text that grows; memory that ran out is remembered.  {0} is an empty one. */
typedef struct iv_lines {
    char *text;
    size_t len, capacity;
    bool failed;
} iv_lines;

/* Replaces the text by the lines of the ranking that is in t. */
void iv_lines_of_ranking(iv_lines *l, const iv_simulated_topic *t, uint32_t topic,
                         const char *run);

/* Replaces it by the judgments of the documents that judged marks; NULL: all.
 * Returns how many there are. */
uint32_t iv_lines_of_judgments(iv_lines *l, const iv_simulated_topic *t, uint32_t topic,
                               const bool *judged);

#endif /* IV_SIMULATE_SIMULATION_TEXT_H */
