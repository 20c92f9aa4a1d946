/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COMPARE_CHARTS_H
#define COMPARE_CHARTS_H

#include "command/compare_tables.h"

/* Adds charts of the tables pairs and runs, and tables to draw others from. */
void compare_charts(iv_result *out, const compare_input *in, const compared *list,
                    size_t count, const iv_compare_options *o);

#endif /* COMPARE_CHARTS_H */
