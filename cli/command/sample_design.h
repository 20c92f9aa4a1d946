/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMPLE_DESIGN_H
#define SAMPLE_DESIGN_H

#include "frame/cmd.h"
#include "intervale/design.h"

/* The design as tables and charts, in place of the file to fill in. */
void sample_design(cmd_context *c, const iv_sample *sample);

#endif /* SAMPLE_DESIGN_H */
