/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and verdicts: what is claimed of a value, and whether the evidence shows it. */
#ifndef INTERVALE_RESULT_DECISIONS_H
#define INTERVALE_RESULT_DECISIONS_H

#include "intervale/result/result_tables.h"

IV_BEGIN_C

/*
 * The verdict on a claim.  With several claims, the verdict of the result is
 * IV_VERDICT_OTHERWISE if that of one claim is, otherwise IV_VERDICT_OPEN if that of one is.
 */
typedef enum iv_verdict {
    IV_VERDICT_NONE,      /* nothing was claimed */
    IV_VERDICT_SHOWN,     /* demonstrated, with the requested confidence */
    IV_VERDICT_OTHERWISE, /* the contrary is demonstrated */
    IV_VERDICT_OPEN,      /* neither is demonstrated */
    IV_VERDICT_ERROR      /* there is no answer */
} iv_verdict;

/*
 * A decision: what is claimed of a value, the evidence for it, and the verdict.
 *
 * The value is a measure of a system or, where a baseline is named, a difference: how much better
 * the system is.  The bound is what the value is compared with: t of "at least t" and "below t",
 * m of "not worse by more than m" (the value must be above -m) and of "better by more than m".
 *
 * The verdict follows from p and p_contrary or, where these are NaN, from the limits, each at its
 * level.  iv_claim_decide() is the only function that decides.
 */
typedef enum iv_claim_kind {
    IV_CLAIM_AT_LEAST,
    IV_CLAIM_BELOW,
    IV_CLAIM_NOT_WORSE,
    IV_CLAIM_BETTER
} iv_claim_kind;

typedef enum iv_claim_strength {
    IV_STRENGTH_DEFAULT,   /* the published test that is usual for such data */
    IV_STRENGTH_GUARANTEED /* valid for all data in the range of the score */
} iv_claim_strength;

typedef struct iv_claim {
    iv_claim_kind kind;
    const char *measure, *system, *baseline, *set; /* NULL: not named */
    double bound;
    double estimate;       /* NaN: none */
    double lower, upper;   /* one-sided limits, each at its level; NaN: none */
    double p, p_contrary;  /* small p: the claim holds; small p_contrary: it does not.  NaN: the
                              limits decide */
    double level, level_contrary; /* that p and p_contrary must be below, after correction for
                              several claims; level_contrary 0: as level */
    const char *method;    /* id of a method; NULL: not named */
    iv_claim_strength strength;
    const char *withheld;  /* why it does not pass whatever p is; NULL: nothing is in the way */
    bool unknown;          /* with `withheld`: it does not fail either */
    bool open_passes;      /* only its contrary is tested: inconclusive is PASS */
    double items;          /* it rests on; 0: not counted */
    double needed;         /* items that pass with probability 0.8 if the estimate stays; infinite:
                              no number does; NaN: not known */
    double detectable;     /* the smallest loss (distance from the bound for a claim without a
                              baseline) that fails with probability 0.8; NaN: not known */
    /* Filled in by iv_result_claim(). */
    iv_verdict verdict;
    const char *text;      /* "recall of bm25 is at least 0.75" */
} iv_claim;

/* The verdict of a claim.  Exact, costs nothing; NaN everywhere is IV_VERDICT_OPEN. */
IV_API iv_verdict iv_claim_decide(const iv_claim *claim);

/*
 * Adds a claim: decides it, and copies its texts.  Returns the copy, which lives as long as the
 * result but may move with the next claim; never NULL: without memory, which iv_result_status()
 * reports, it is the claim that was given.
 */
IV_API const iv_claim *iv_result_claim(iv_result *r, const iv_claim *claim);

/* Fills in what would change a claim, from its estimate, limits, levels and items: how many items
 * pass, and which loss fails, with probability 0.8 (normal approximation).  O(1). */
IV_API void iv_claim_outlook(iv_claim *claim);

/* The names of kinds and strengths, in their order, ending with NULL. */
IV_API const char *const *iv_claim_kind_names(void);
IV_API const char *const *iv_claim_strength_names(void);

/* The verdict of the result is IV_VERDICT_ERROR: there is no answer. */
IV_API void iv_result_failed(iv_result *r);

/* The answer begins with the word of the verdict.  open_passes: inconclusive claims pass, only a
 * claim that is refuted fails. */
IV_API void iv_result_gate(iv_result *r, bool open_passes);

/* "PASS", "FAIL", "INCONCLUSIVE", "ERROR"; NULL for IV_VERDICT_NONE. */
IV_API const char *iv_verdict_name(iv_verdict verdict);

/* What is asked of groups of items, whose values have tables groups (each value, and its gap to the
 * rest) and gaps (the largest one between two groups). */
typedef struct iv_gaps_asked {
    const char *reference; /* gaps are to this group; NULL: to all other items */
    double most;           /* the claim that no gap is this large; 0: none */
} iv_gaps_asked;

IV_END_C

#endif
