/* SPDX-License-Identifier: Apache-2.0 */
/* How the error of a test is shared between planned interim analyses. */
#ifndef INTERVALE_STAT_SEQUENTIAL_H
#define INTERVALE_STAT_SEQUENTIAL_H

#include "intervale/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iv_look_shape {
    IV_LOOKS_OBRIEN_FLEMING,       /* little early: z falls as 1 / sqrt(fraction) */
    IV_LOOKS_POCOCK,               /* the same z at every look */
    IV_LOOKS_SPEND_OBRIEN_FLEMING, /* nearly the same by spending: looks may be added */
    IV_LOOKS_SPEND_POCOCK
} iv_look_shape;

/* "obrien-fleming", "pocock", "spend-obrien-fleming", "spend-pocock", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_look_shape_names(void);

enum { IV_LOOKS_MOST = 100 };

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STAT_SEQUENTIAL_H */
