/* SPDX-License-Identifier: Apache-2.0 */
/* What a simulated collection says about itself. */
#ifndef IV_SIMULATE_SIMULATION_README_H
#define IV_SIMULATE_SIMULATION_README_H

#include "simulate/simulation.h"

/* How it was made, and what is in it, for people. */
void iv_simulation_readme(FILE *out, const iv_simulation *s,
                          const iv_simulation_files *files,
                          const iv_simulation_summary *summary);

/* The truth about each run, one a line, with a header; tab-separated. */
void iv_simulation_truth_lines(FILE *out, const iv_simulation *s, const char *prefix,
                               const iv_simulation_truth *truth);

#endif /* IV_SIMULATE_SIMULATION_README_H */
