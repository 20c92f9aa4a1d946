/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PRF_CHARTS_H
#define PRF_CHARTS_H

#include "command/prf_rows.h"

/* Adds charts, and a table to draw posteriors from. */
void prf_charts(const prf_rows *rows, const prf_input *in, const prf_wish *w, bool compared,
                iv_result *out);

#endif /* PRF_CHARTS_H */
