/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer -- what a person is told: for each question a sentence, tables, notes and
 * charts, as one iv_result.
 *
 *     iv_result *r = NULL;
 *     rc = iv_result_new(&r, "prf", &err);
 *     rc = iv_answer_prf(r, &(iv_prf_question){ ... }, NULL, &err);
 *     rc = iv_report_write(stdout, r, &(iv_report_options){ 0 }, &err);
 *
 * A question is a struct in which 0 is the default of every field, the tool's too.
 */
#ifndef INTERVALE_ANSWER_H
#define INTERVALE_ANSWER_H

#include "intervale/answer/eval.h"

#endif /* INTERVALE_ANSWER_H */
