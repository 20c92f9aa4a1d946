/* SPDX-License-Identifier: Apache-2.0 */
/* Lets an arena free runs, judgments and tables. */
#ifndef IV_TREC_TREC_ENDS_H
#define IV_TREC_TREC_ENDS_H

#include "base/memory.h"
#include "intervale/trec/delimited_tables.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/runs.h"

IV_ENDS(csv)
IV_ENDS(judgments)
IV_ENDS(run)

#endif
