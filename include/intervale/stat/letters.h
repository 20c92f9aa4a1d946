/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of systems without a significant difference: systems that share a letter do
 * not differ significantly, those that share none do (Piepho 2004).
 */
#ifndef INTERVALE_STAT_LETTERS_H
#define INTERVALE_STAT_LETTERS_H

#include "intervale/base.h"

IV_BEGIN_C

/* Letters of up to this many groups are found; more are IV_ENUM. */
enum { IV_LETTERS_MOST = 702 };

typedef struct iv_letters iv_letters;

IV_END_C

#endif /* INTERVALE_STAT_LETTERS_H */
