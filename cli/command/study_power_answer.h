/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STUDY_POWER_ANSWER_H
#define STUDY_POWER_ANSWER_H

#include "intervale/base.h"

/* What the tables of study power say, in a sentence: of those that are there. */
void study_power_answer(iv_result *r);

#endif /* STUDY_POWER_ANSWER_H */
