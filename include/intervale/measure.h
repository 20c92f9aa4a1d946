/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure -- one topic's judged ranking in, numbers out.
 *
 * Measures are asked for by name, in trec_eval's grammar (map, P.5,10, P_10,
 * ndcg_cut.10, set_F.0.5, all_trec) or in ir_measures' (AP, AP(rel=2)@100,
 * nDCG(dcg='exp-log2')@10); both lead to the same code.  A program
 *
 *   1. parses the names once into an iv_measures, which every thread shares;
 *   2. makes one iv_scorer a thread and scores topic after topic: a topic is
 *      looked at once, then every measure reads the same prepared arrays, and
 *      nothing is allocated once the scorer has seen its largest topic;
 *   3. summarises the rows of values over topics.
 *
 * Values follow trec_eval's arithmetic, term by term, so that they print the
 * same digits.  A measure knows nothing of sampling or of intervals, and its
 * value is always finite: where a definition would divide by nothing (nothing
 * retrieved, nothing relevant) the value is 0.
 */
#ifndef INTERVALE_MEASURE_H
#define INTERVALE_MEASURE_H

#include "intervale/base.h"

IV_BEGIN_C

/* ------------------------------------------------- what measures exist -- */

/* How the topics' values become one. */
typedef enum iv_summary {
    IV_SUMMARY_NONE,      /* they do not */
    IV_SUMMARY_MEAN,
    IV_SUMMARY_GEOMETRIC, /* exp of the mean logarithm; values are > 0 */
    IV_SUMMARY_SUM
} iv_summary;

/* A measure without parameters.  All text is static. */
typedef struct iv_measure_info {
    const char *name;    /* trec_eval's; ir_measures' where that has none */
    const char *ir_name; /* ir_measures'; NULL where that has none */
    const char *family;  /* such as "precision" */
    const char *usage;   /* how to ask for it, examples apart by two blanks */
    const char *brief;   /* one line */
    const char *text;    /* formula, parameters, unjudged documents */
    iv_kind kind;        /* IV_REAL, IV_INTEGER (a count) or IV_TEXT */
    iv_summary summary;
    double lowest, highest; /* range of a topic's value; may be infinite */
    bool above;     /* some values lie above the highest, as the text says */
    bool per_topic; /* has a value that means something for a topic */
    bool overall;   /* has a value that means something over topics */
    bool graded;    /* looks at grades, not only at relevant or not */
    size_t binary;  /* the deepest cut-off at which every topic's value is 0 or 1 by
                       definition; SIZE_MAX: at any; 0: at none */
} iv_measure_info;

/* ------------------------------------------------------- asking for them -- */

/* Whose ways to follow where the two versions of trec_eval differ. */
typedef enum iv_dialect { IV_TREC_EVAL_9, IV_TREC_EVAL_10 } iv_dialect;

/* Their names in that order, "9" and "10", ending with NULL. */
IV_API const char *const *iv_dialect_names(void);

/* {0} is trec_eval's: version 9, level 1, every document. */
typedef struct iv_measure_options {
    iv_dialect dialect; /* all_trec; cut-offs of interpolated precision */
    int32_t level;      /* the lowest relevant grade; 0: 1; IV_ZERO: grade 0 (-l) */
    size_t depth;       /* documents of a topic to look at; 0: all (-M) */
    bool judged_only;   /* unjudged documents leave the ranking (-J) */
    int64_t collection; /* documents in the collection, for utility (-N) */
    /*
     * Order and merge as trec_eval does: its measures come in its own order,
     * each once, with the first parameters given for it.  Otherwise values
     * come in the order asked, each name once.
     */
    bool as_trec_eval;
} iv_measure_options;

/* What was requested; immutable, so any number of threads may read it. */
typedef struct iv_measures iv_measures;

/* One number (or text) a topic.  A name such as P.5,10 gives several. */
typedef struct iv_value_info {
    const char *name; /* as it was requested */
    const char *canonical; /* as ir_measures calls it; trec_eval's where that has none */
    const iv_measure_info *measure;
    double lowest, highest; /* the measure's, unless a gain is below 0 */
    size_t cutoff;    /* ranks looked at; 0: all */
    double point;     /* recall of IPrec, multiple of R of Rprec_mult, else 0 */
    int32_t level;    /* the lowest relevant grade */
    bool judged_only;
    double persistence; /* of rank-biased precision, else 0 */
    bool exponential;   /* gain 2^grade - 1 */
    int32_t max_grade;  /* of ERR and RBP; 0: the judgments' largest */
    bool binary;        /* 0 or 1 by definition */
} iv_value_info;

/* --------------------------------------------------------------- scoring -- */

/* The memory that scoring reuses; one a thread. */
typedef struct iv_scorer iv_scorer;

/* ------------------------------------------------- over topics, and out -- */

IV_END_C

#endif /* INTERVALE_MEASURE_H */
