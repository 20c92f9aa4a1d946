/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer -- a question in, a result out, with its sentence,
 * tables, notes, charts and references; report.h writes it.
 *
 *     iv_result *r;
 *     rc = iv_result_new(&r, "eval", &err);
 *     rc = iv_answer_eval(r, &(iv_eval_question){ .source.judgments = path, ... }, NULL, &err);
 *     rc = iv_report_write(stdout, r, &(iv_report_options){ 0 }, &err);
 *
 * A question of zeros asks what the tool answers without options.
 */
#ifndef INTERVALE_ANSWER_H
#define INTERVALE_ANSWER_H

#include "intervale/answer/check_question.h"
#include "intervale/answer/columns.h"
#include "intervale/answer/compare.h"
#include "intervale/answer/score_input.h"
#include "intervale/answer/eval.h"
#include "intervale/answer/judging.h"
#include "intervale/answer/likeness.h"
#include "intervale/answer/measures_question.h"
#include "intervale/answer/plan_machine_question.h"
#include "intervale/answer/plan_elusion_question.h"
#include "intervale/answer/plan_recall_question.h"
#include "intervale/answer/planning.h"
#include "intervale/answer/prefer_question.h"
#include "intervale/answer/prf_question.h"
#include "intervale/answer/recall_question.h"
#include "intervale/answer/references.h"
#include "intervale/answer/scored_question.h"
#include "intervale/answer/simulate_question.h"
#include "intervale/answer/sort_question.h"

#endif /* INTERVALE_ANSWER_H */
