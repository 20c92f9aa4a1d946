/* SPDX-License-Identifier: Apache-2.0 */
/* Lets an arena free runs, judgments and tables. */
#ifndef IV_TREC_TREC_ENDS_H
#define IV_TREC_TREC_ENDS_H

#include "base/memory.h"

IV_ENDS(csv)
IV_ENDS(judgments)
IV_ENDS(run)

#endif
