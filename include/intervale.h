/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole library, and where to read on.
 *
 * base.h begins with the conventions of all functions: errors, ownership,
 * threads.  Each header begins with its contract.  By question:
 *
 *   score runs, with intervals, bounds, ties,
 *   from complete or sampled judgments         retrieval.h; measures: measure.h
 *   do systems differ?                         scores.h, stat.h
 *   the same while not all is judged           active.h
 *   the interval of any mean                   stat.h
 *   recall of a search or review               review.h, stat.h
 *   precision, recall, F as distributions      classify.h, stat.h
 *   what to judge: samples; the next document  sampling.h, active.h
 *   classifiers with scores: ROC, calibration  classify.h
 *   judges, assessors, automatic labels        labels.h
 *   how many topics, documents, judgments      scores.h, review.h, retrieval.h, active.h
 *   simulated collections                      simulate.h
 *   all of it as the tool reports it           answer.h
 *   files: runs, judgments, tables             trec.h
 *   results as text, tsv, json, html, ...      result.h, report.h
 *   distributions, random streams, quadrature  num.h
 *
 * A program may include this file or any other alone.  examples/ has complete
 * programs; doc/methods/ the formulas and what they are worth.
 */
#ifndef INTERVALE_H
#define INTERVALE_H

#include "intervale/active.h"
#include "intervale/answer.h"
#include "intervale/base.h"
#include "intervale/classify.h"
#include "intervale/files.h"
#include "intervale/labels.h"
#include "intervale/measure.h"
#include "intervale/num.h"
#include "intervale/report.h"
#include "intervale/result.h"
#include "intervale/retrieval.h"
#include "intervale/review.h"
#include "intervale/sampling.h"
#include "intervale/scores.h"
#include "intervale/simulate.h"
#include "intervale/stat.h"
#include "intervale/trec.h"

#endif /* INTERVALE_H */
