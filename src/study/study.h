/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study -- experiments on the methods: what they cover, how often they err, what
 * the papers printed.  A library of the tool's own, not part of the promised
 * interface; each study has a header, this one is all of them.
 */
#ifndef IV_STUDY_STUDY_H
#define IV_STUDY_STUDY_H

#include "intervale/simulate.h"
#include "study/all_study.h"
#include "study/coverage_study.h"
#include "study/judging_study.h"
#include "study/machine_study.h"
#include "study/map_study.h"
#include "study/papers_study.h"
#include "study/power_study.h"
#include "study/prf_study.h"
#include "study/recall_study.h"
#include "study/sampling_study.h"
#include "study/stopping_study.h"

#endif /* IV_STUDY_STUDY_H */
