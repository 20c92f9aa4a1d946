/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole library, and where to read on.
 *
 * base.h begins with the conventions of all functions: errors, ownership,
 * threads.  Each header begins with its contract.  By question:
 *
 *   score runs, with intervals, bounds, ties,
 *   from complete or sampled judgments         estimate.h; measures: measure.h
 *   do systems differ?                         stat.h
 *   the same while not all is judged           answer.h
 *   the interval of any mean                   stat.h
 *   recall of a search or review               stat.h
 *   precision, recall, F as distributions      stat.h, estimate.h
 *   what to judge: samples; the next document  design.h
 *   classifiers with scores: ROC, calibration  answer.h
 *   how many topics, documents, judgments      plan.h
 *   simulated collections                      simulate.h
 *   all of it as the tool tells it             answer.h
 *   files: runs, judgments, tables             trec.h
 *   results as text, tsv, json, html, ...      base.h (iv_result), report.h
 *   distributions, random streams, quadrature  num.h
 *
 * A program may include this file or any other alone.  examples/ has complete
 * programs; doc/methods/ the formulas and what they are worth.
 */
#ifndef INTERVALE_H
#define INTERVALE_H

#include "intervale/answer.h"
#include "intervale/base.h"
#include "intervale/design.h"
#include "intervale/estimate.h"
#include "intervale/measure.h"
#include "intervale/num.h"
#include "intervale/plan.h"
#include "intervale/report.h"
#include "intervale/stat.h"
#include "intervale/simulate.h"
#include "intervale/trec.h"

#endif /* INTERVALE_H */
