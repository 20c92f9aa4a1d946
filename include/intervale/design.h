/* SPDX-License-Identifier: Apache-2.0 */
/*
 * design -- what to judge, and with which probability.
 *
 * One part header a family of methods; each begins with its contract.
 */
#ifndef INTERVALE_DESIGN_H
#define INTERVALE_DESIGN_H

#include "intervale/design/inquiry.h"
#include "intervale/design/sample.h"
#include "intervale/design/sampling.h"

#endif /* INTERVALE_DESIGN_H */
