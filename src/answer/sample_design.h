/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IV_ANSWER_SAMPLE_DESIGN_H
#define IV_ANSWER_SAMPLE_DESIGN_H

#include "intervale/design.h"

/* The design of a sample as sentence, tables and charts. */
IV_MUST_CHECK int iv_sample_design(iv_result *out, const iv_sample *sample, iv_err *err);

#endif /* IV_ANSWER_SAMPLE_DESIGN_H */
