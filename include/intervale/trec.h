/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trec -- text files of runs, judgments and scores, and the join of a run with judgments,
 * one topic at a time.
 *
 * Every reader reads plain, gzip or zstd data (detected from the content) from a path, or
 * from standard input ("-").  An error names FILE:LINE:, the value and what was expected.
 * Fields are separated by blanks or tabs; CR before LF is a blank; empty lines are skipped.
 * Topics are sorted in byte order.  The result does not depend on the number of threads.
 */
#ifndef INTERVALE_TREC_H
#define INTERVALE_TREC_H

#include "intervale/trec/delimited_tables.h"
#include "intervale/trec/gold_labels.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/run_sources.h"
#include "intervale/trec/runs.h"
#include "intervale/trec/score_sources.h"
#include "intervale/trec/sorted_lines.h"
#include "intervale/trec/strata_tables.h"
#include "intervale/trec/topic_join.h"

#endif /* INTERVALE_TREC_H */
