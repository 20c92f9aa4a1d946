/* SPDX-License-Identifier: Apache-2.0 */
/* Planned interim analyses share the error of a test; a series of nights promises few alarms. */
#ifndef INTERVALE_STAT_INTERIM_ANALYSES_H
#define INTERVALE_STAT_INTERIM_ANALYSES_H

#include "intervale/base.h"

IV_BEGIN_C

typedef enum iv_look_shape {
    IV_LOOKS_OBRIEN_FLEMING,       /* little early: z falls as 1 / sqrt(fraction) */
    IV_LOOKS_POCOCK,               /* the same z at every look */
    IV_LOOKS_SPEND_OBRIEN_FLEMING, /* nearly the same by spending: looks may be added */
    IV_LOOKS_SPEND_POCOCK
} iv_look_shape;

/* "obrien-fleming", "pocock", "spend-obrien-fleming", "spend-pocock", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_look_shape_names(void);

enum { IV_LOOKS_MOST = 100 };

/* What a series of nights promises on false alarms. */
typedef enum iv_promise {
    IV_PROMISE_YEAR,   /* any, in a number of nights, with probability 1 - confidence at most */
    IV_PROMISE_AVERAGE /* on average one night in that number */
} iv_promise;

/* "year", "average", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_promise_names(void);

IV_END_C

#endif
