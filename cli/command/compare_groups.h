/* SPDX-License-Identifier: Apache-2.0 */
/* The same comparison within groups of topics, and between them. */
#ifndef COMPARE_GROUPS_H
#define COMPARE_GROUPS_H

#include "command/compare_tables.h"

/*
 * Reads the groups of topics from a file with the columns topic and group, and
 * adds the tables groups and interaction.  list: the comparisons over all
 * topics, one a measure, made with these options.  Unless they are to be listed,
 * a note says how to see them.
 */
IV_MUST_CHECK int compare_groups(cmd_context *c, const char *path, const compare_input *in,
                                 const compared *list, const iv_compare_options *options,
                                 const compare_layout *layout, bool listed, iv_err *err);

/*
 * Tukey's correction, or Holm's where all runs together share too few topics
 * for it.
 */
iv_correction compare_possible_correction(const double *values, size_t runs, size_t topics,
                                          iv_correction wanted);

#endif /* COMPARE_GROUPS_H */
