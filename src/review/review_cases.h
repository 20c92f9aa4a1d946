/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of a review (two segments each), and what each method finds. */
#ifndef IV_REVIEW_REVIEW_CASES_H
#define IV_REVIEW_REVIEW_CASES_H

#include "base/memory.h"
#include "intervale/review.h"

/*
 * How complete was a review or a search?  From counts, from a table of strata, or from a ranking
 * and a judged sample to cases, each the two segments of a run (of a topic, at a cut-off); and
 * from cases to what each method finds.
 */

typedef struct iv_review_case {
    const char *run, *topic; /* topic NULL: not from a ranking */
    int64_t cutoff;          /* 0: not from a ranking */
    iv_segments segments;
    const char *const *strata; /* names of the strata, retrieved ones first; NULL: none */
    bool weighted;           /* sampled with unequal probabilities: the next two say it all */
    double recall, se;       /* ratio of Horvitz-Thompson estimators, linearised standard error */
    int64_t excluded;        /* documents of strata without a sample, which are skipped */
} iv_review_case;

typedef struct iv_review {
    iv_arena arena; /* of all that the cases point to, and of the notes */
    iv_review_case *cases;
    size_t count, capacity;
    iv_words notes; /* what was left out or odd on the way to the cases, in sentences */
} iv_review;

/* One case, "review", from N, n, r of both segments.  IV_EARG, IV_ENODATA. */
IV_MUST_CHECK int iv_review_counts(iv_review **out, iv_stratum retrieved,
                                          iv_stratum unretrieved,
                                          iv_unsampled unsampled, iv_err *err);

/* A case for each run of a table.  IV_ENODATA, or IV_EPARSE of a file, for a
 * segment without a document and for strata that are refused. */
IV_MUST_CHECK int iv_review_strata(iv_review **out, const iv_strata_table *table,
                                          iv_unsampled unsampled, iv_err *err);

/* A ranking and judgments of a random sample of the collection. */
typedef struct iv_review_sample {
    const iv_run *run;
    const iv_judgments *judgments;
    const char *run_name, *sample_name; /* for messages; NULL: "run", "sample" */
    int64_t collection;     /* documents; 0: those the run ranks, topic by topic */
    iv_integers at;         /* cut-offs; none: all that is ranked */
    int64_t drawn_at;       /* the sample was drawn apart from the first so many
                               and from the others; 0: from all together */
    int64_t level;          /* least grade that is relevant; 0: 1 */
    iv_unsampled unsampled;
    iv_unjudged unjudged;   /* sampled documents with a grade below 0 */
    /* A machine's labels: each side of a cut-off falls into what it calls relevant (from
     * machine_level on; 0: as level) and the rest; NULL: none. */
    const iv_judgments *machine;
    int64_t machine_level;
} iv_review_sample;

/*
 * A case for each topic and cut-off.  IV_EARG for a sample with unequal
 * probabilities on a side of drawn_at, or larger than the collection; IV_ENODATA
 * for what is refused, and when nothing is left.
 */
IV_MUST_CHECK int iv_review_ranking(iv_review **out, const iv_review_sample *in,
                                           iv_err *err);

/* Frees it and what is borrowed from it. */
void iv_review_free(iv_review *r);

/* { 0 } and NULL are the default. */
typedef struct iv_review_options {
    iv_recall_options how; /* IV_RECALL_ALL: every method in turn, and with a
                              prior the default with it as well */
    double target;         /* for p_target; 0: none */
    double beta;           /* F-beta beside F1; 0: none */
    size_t curves;         /* of how many posteriors, at most */
} iv_review_options;

/* A measure, or a number of relevant documents. */
typedef struct iv_review_quantity {
    /* Whose row it is.  method: as the library names it, or betabin-prior. */
    const char *run, *method, *topic;
    int64_t cutoff;
    size_t item; /* the index of the case */
    iv_recall_method number; /* of the method */
    const char *name; /* recall, precision, f1, ...; retrieved, unretrieved, all */
    double estimate;  /* plain; NaN: none */
    double lower, upper;
    /* Of the interval of recall by a method: */
    double confidence;
    double prior_share;  /* NaN: no posterior */
    double p_target;     /* P(recall >= target); NaN: not asked */
} iv_review_quantity;

/* A point of the density of recall, precision or F. */
typedef struct iv_review_point {
    const char *name; /* of the case and its method */
    const char *quantity;
    double x, density, lower, upper;
} iv_review_point;

/* Rows in the order of the cases, and of the methods in them. */
typedef struct iv_review_findings {
    iv_arena own; /* all that it points to */
    iv_review_quantity *intervals, *measures, *yields;
    iv_review_point *points;
    size_t interval_count, measure_count, yield_count, point_count;
    const char **refused; /* "METHOD: why", of the methods that gave no row; with
                             IV_RECALL_ALL only, else that is an error */
    size_t refused_count;
} iv_review_findings;

/*
 * What the methods find.  *out borrows from r and is the caller's:
 * iv_review_findings_free().  Errors as iv_recall_interval_of().
 */
IV_MUST_CHECK int iv_review_find(iv_review_findings **out, const iv_review *r,
                                        const iv_review_options *o, const iv_work *work,
                                        iv_err *err);
void iv_review_findings_free(iv_review_findings *f);

/*
 * Limits of a case with unequal probabilities: normal on the logit scale (Sarndal, Swensson and
 * Wretman 1992, section 5.6, for the variance); [0, 1] where recall is estimated at 0 or 1.
 */
iv_limits iv_review_weighted(const iv_review_case *c, double confidence, bool one_sided);

/* The default method: betabin-half for one stratum a segment, else betabin-weighted. */
iv_recall_method iv_recall_usual(const iv_segments *s);

/* Strata that are not fully judged. */
size_t iv_segments_unknown(const iv_segments *s);

#endif
