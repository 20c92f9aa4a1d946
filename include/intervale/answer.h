/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer -- from a question to a result with its sentence,
 * tables, notes, charts and references; report.h writes it.
 *
 *     iv_result *r;
 *     rc = iv_result_new(&r, "eval", &err);
 *     rc = iv_answer_eval(r, &(iv_eval_question){ .source.judgments = path, ... }, NULL, &err);
 *     rc = iv_report_write(stdout, r, &(iv_report_options){ 0 }, &err);
 *
 * A question of zeros requests what the tool does without options.
 */
#ifndef INTERVALE_ANSWER_H
#define INTERVALE_ANSWER_H

#include "intervale/active.h"
#include "intervale/classify.h"
#include "intervale/files.h"
#include "intervale/labels.h"
#include "intervale/result/result_tables.h"
#include "intervale/retrieval.h"
#include "intervale/review.h"
#include "intervale/sampling.h"
#include "intervale/scores.h"
#include "intervale/simulate.h"

IV_BEGIN_C

/* Which tables answers have, and what their columns mean, for help. */

/*
 * A table of a command.  Its fields are all columns that it can have; an answer
 * has those that the question needs.  A name in capitals stands for one column for each
 * measure, system or class.  A table that is made in several ways is listed several times,
 * one after another.
 */
typedef struct iv_known_table {
    const char *command, *table;
    const iv_field *fields; /* ends with a name that is NULL; only name and about mean
                               something here */
} iv_known_table;

/* All of them, in the order of commands; static.  Cannot fail. */
IV_API size_t iv_known_tables(const iv_known_table **out);

IV_END_C

#endif /* INTERVALE_ANSWER_H */
