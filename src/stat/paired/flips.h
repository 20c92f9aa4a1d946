/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The randomisation distribution of a sum under random signs.
 *
 * The distribution of a sum under flips of signs, without drawing any.
 *
 * S = sum of +-|d[t]|, every sign as likely as the other.  S >= s when the
 * differences that turn negative add up to at most c = (sum of |d| - s) / 2: a
 * count of subsets.
 *
 *   multiples of one number (P@10, a rank, 0 and 1) with few multiples: counted
 *   cell by cell, exact, or by the saddle point of such sums where there would be more than
 *   IV_FLIPS_COUNTED steps (relative error below 1e-4);
 *   up to IV_FLIPS_CELLED that are not 0: counted on IV_FLIPS_CELLS cells from 0 to c
 *   (error of p 0.3 % at most on scores of real runs, in the tail less);
 *   more: Lugannani and Rice's saddle point (2 %, less with more topics).
 *
 * The same for every caller: no seed, no Monte Carlo error.
 */
#ifndef IV_STAT_PAIRED_FLIPS_H
#define IV_STAT_PAIRED_FLIPS_H

#include "base/memory.h"
#include "intervale/stat/paired_tests.h"

/* Up to this many differences that are not 0 all flips are listed. */
enum { IV_FLIPS_LISTED = 20 };

#define IV_FLIPS_COUNTED 67108864.0

enum { IV_FLIPS_CELLED = 100, IV_FLIPS_CELLS = 8192, IV_FLIPS_LATTICE = 65536 };

/* Memory for differences of up to `most` topics; one a thread. */
typedef struct iv_flips iv_flips;
iv_flips *iv_flips_new(iv_arena *own, size_t most); /* NULL: out of memory */

/*
 * Fisher's randomisation test: how many of the ways to flip the signs of the
 * differences make their sum as extreme as it is?  The statistic is the mean.
 * Counted, not drawn: exact with up to 20 that are not 0 and for scores that are few
 * multiples of one number, else to 0.3 % of p (up to 100 differences that are not
 * 0) or 2 % (more).
 */
IV_MUST_CHECK int iv_randomise(iv_test *out, const double *d, size_t n,
                               iv_alternative alternative, iv_flips *f, iv_err *err);

#endif
