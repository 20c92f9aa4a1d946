/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/base/charts.h beside what programs do. */
#ifndef IV_BASE_CHARTS_PRIVATE_H
#define IV_BASE_CHARTS_PRIVATE_H

#include "intervale/base/charts.h"

/* Reading back; borrowed, as above. */
size_t iv_result_details(const iv_detail **out, const iv_result *r);

iv_showing iv_table_showing(const iv_table *t);

#endif /* IV_BASE_CHARTS_PRIVATE_H */
