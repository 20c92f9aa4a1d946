/* SPDX-License-Identifier: Apache-2.0 */
/*
 * design -- what to judge, with which probability.
 *
 * One part header a family of designs; each begins with its contract.
 */
#ifndef INTERVALE_DESIGN_H
#define INTERVALE_DESIGN_H

#include "intervale/design/inquiry.h"
#include "intervale/design/pooled.h"

#endif /* INTERVALE_DESIGN_H */
