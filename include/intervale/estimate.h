/* SPDX-License-Identifier: Apache-2.0 */
/*
 * estimate -- from judgments and runs to values and how sure they are.
 *
 * The entry point, iv_evaluate(), takes judgments of any kind and runs, from files or from
 * memory, and gives every measure of every run on every topic, its means, their
 * standard errors and intervals, and all that was missing or unusual.
 *
 * Complete judgments give values.  Judgments that are a sample (prels, strata)
 * give estimates of what the measure would be if all documents of the frame were
 * judged, each with its variance; doc/methods/sampling.md has the formulas.  A
 * topic of which every document was included with certainty has the value of the
 * complete measure, to the last digit, and variance 0.
 *
 * Topics of a run that nobody judged are left out, as trec_eval does, and
 * counted; judged topics that a run misses are left out and named, or count as
 * an empty ranking where options.complete is set (trec_eval's -c).
 */
#ifndef INTERVALE_ESTIMATE_H
#define INTERVALE_ESTIMATE_H

#include "intervale/design/sampling.h"
#include "intervale/estimate/checked.h"
#include "intervale/estimate/judge.h"
#include "intervale/estimate/review.h"
#include "intervale/estimate/run_overlap.h"
#include "intervale/estimate/prf_evaluation.h"
#include "intervale/measure.h"
#include "intervale/stat/interval.h"

IV_BEGIN_C

/* --------------------------------------------------------- one value -- */

/* How measures are estimated from a sample. */
typedef enum iv_estimator {
    IV_ESTIMATOR_AUTO,      /* corrected */
    IV_ESTIMATOR_CORRECTED, /* ratio estimators with weights 1/pi; AP with own term 1 in the
                               precision at a document (Aslam and Pavlu 2008) */
    IV_ESTIMATOR_PUBLISHED  /* AP, its variance and the interval of four standard errors as
                               printed in 2008: biased upwards */
} iv_estimator;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_estimator_names(void);

/* Why there is no interval for a topic. */
typedef enum iv_sampled_gap {
    IV_SAMPLED_INTERVAL,    /* there is one */
    IV_SAMPLED_NO_RELEVANT, /* the sample has no relevant document */
    IV_SAMPLED_FEW,         /* fewer than two of those sampled are relevant */
    IV_SAMPLED_ZERO,        /* the estimate is 0: nothing relevant that was
                               sampled is in the ranking */
    IV_SAMPLED_RANGE,       /* the estimate is 1 or more */
    IV_SAMPLED_NO_SPREAD,   /* the estimated variance is not positive */
    IV_SAMPLED_INFERRED     /* TREC's estimate has no known variance */
} iv_sampled_gap;

/* One number of one topic of one run. */
typedef struct iv_estimate {
    double value;        /* NaN: the run has no such topic */
    double variance;     /* of the sampling, at least 0; NaN: not known */
    double lower, upper; /* NaN: see gap */
    iv_sampled_gap gap;
    size_t relevant;     /* relevant documents sampled that it rests on */
    uint32_t looked;     /* documents of the ranking that the measure looks at, to the frame's
                            depth; 0: the frame is not known */
    uint32_t outside;    /* of these, those that could not be sampled */
    double effective;    /* how many of equal weight would vary as much */
    bool exact;          /* nothing it depends on was left to chance */
    bool empty;          /* the run misses the topic, which counts as empty */
} iv_estimate;

/*
 * Bounds are the lowest and highest value over all ways in which the retrieved documents that
 * were not judged could turn out: every grade from 0 to the judgments' largest
 * (the grades that occur, if that is above 255).  Exact.  For AP, P, R-precision,
 * nDCG, RR, RBP and ERR with their cut-offs and levels, INSQ, SDCG and NERR; of subtopic
 * measures that divide by no ideal, over the subtopics that have a relevant document.
 */

/*
 * Lowest, expected and highest value over all orders of the documents that
 * share a score.  Exact.  For AP to ERR, INSQ and SDCG, recall and success.
 */
typedef struct iv_ties {
    double lower, expected, upper; /* NaN as above */
} iv_ties;

/* What a reader must know of a run, beside the topics it misses. */
typedef struct iv_run_notes {
    size_t not_judged;   /* topics of the run without judgments */
    /* Of complete judgments: */
    size_t float_ties;   /* neighbours equal as float and not as double */
    size_t ties;         /* documents that share their score with another */
    size_t top_retrieved, top_unjudged; /* of each topic to the first measure's cut-off, or 10 */
    size_t retrieved, unjudged;         /* of all documents looked at */
    iv_run_oddities odd;                /* of the run's file */
} iv_run_notes;

/* One measure of one run over its topics; NaN stands for what there is not. */
typedef struct iv_mean {
    size_t topics;
    double value;
    /*
     * s / sqrt(topics); of a geometric mean its own, value times that of the
     * logarithms.  None for a sum.
     */
    double se, lower, upper;
    iv_interval_method method; /* in use */
    bool replaced;             /* it is not the one asked for */
    iv_interval_gap gap;       /* why there is no interval */
    double skewness;           /* of the topics' values, g1 */
    size_t dropped;            /* resamples left out by logit */
    iv_limits bounds;          /* mean of the topics' */
    iv_ties ties;
    /*
     * The parts of se: what judging everything would remove, and what it would
     * not.  The standard deviation over topics includes both: se^2 = se_judgments^2 +
     * se_topics^2, never more.
     */
    double se_judgments, se_topics;
    size_t without;            /* topics whose sampling noise is not known */
    double outside;            /* of what the measure looks at, the proportion outside of the
                                  sampled frame; above IV_OUTSIDE_MOST there is no interval */
} iv_mean;

/* Above this proportion of documents outside of the frame, estimates say nothing of a run. */
#define IV_OUTSIDE_MOST 0.05

/* ------------------------------------------------------- one evaluation -- */

/*
 * Judgments and runs: in files, or in memory.  Files are read one at a time and
 * let go as soon as they are scored.  Judgments in memory must outlive the result.
 */
typedef struct iv_source {
    const char *judgments; /* a file; "-" is standard input */
    iv_judgments_format judgments_format;
    const iv_judgments *judged; /* instead of the file */
    iv_texts runs;         /* files */
    iv_run_format run_format;
    const iv_run *const *ranked; /* instead of files */
    size_t ranked_count;
    /*
     * Files that are sorted by topic (all by bytes, or all by number) are scored some topics
     * at a time, with the same result: by themselves when they are large, plain and regular,
     * and else in memory.  Above 0 nothing else is done: about so many bytes are used
     * beside the scores that are kept, pipes are read so, too, and files that are
     * not sorted, packed or of sampled judgments are IV_EPARSE.
     */
    uint64_t memory;
    /* With memory (0: 256 MB), files are sorted first, into files without names in a folder
     * (NULL: /tmp); lines that messages name are then those of the sorted copy. */
    bool sort;
    const char *folder;
    /*
     * Files of iv_write_scores(), instead of judgments and runs: runs of one name are one run, and
     * a topic that a run has in one part and lacks in another it has.  How topics were scored
     * stands in them; options.measures chooses among theirs (none: all).  IV_EPARSE, with the
     * file's name: a part that is truncated, damaged, of another version, scored otherwise than the
     * first; a topic whose judgments or whose scores of a run differ from those of a part before
     * it, as when its lines were split over two.
     */
    iv_texts parts;
} iv_source;

/* Whose mean is meant: that of a population of topics, or of these. */
typedef enum iv_infer { IV_INFER_NEW, IV_INFER_THESE } iv_infer;

/* "new", "these", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_infer_names(void);

/* What to compute; {0} is the usual measures and their usual intervals. */
typedef struct iv_evaluating {
    iv_texts measures; /* names, as iv_measures_parse() has them, and of a
                          sample TREC's estimates infAP, xinfAP, infNDCG,
                          iP_10, inum_rel, inum_rel_ret; none: AP, nDCG@10, P@10, R@1000 and RR, or
                          what is usual for a sample */
    iv_measure_options measure; /* {0}: trec_eval's */
    bool complete;     /* judged topics that a run misses count, as empty */
    bool texts;        /* keep what text measures say of each topic */
    bool bounds;       /* over what unjudged documents could be */
    bool ties;         /* over the orders of documents of equal score */
    bool differences;  /* keep what iv_evaluation_difference() needs */
    /* Of means: as iv_usual_interval() has it, unless given; t for what logit
     * cannot do. */
    iv_interval_method interval;
    bool guaranteed;   /* coverage is at least the confidence, whatever the truth;
                          AUTO only, and not of sampled judgments */
    iv_resampling resampling; /* its confidence is that of topics' intervals, too */
    /* Of sampled judgments. */
    iv_estimator estimator;
    iv_unjudged unjudged;
    iv_infer infer; /* these topics: of samples only */
    /*
     * A file of qrels to merge with the file of judgments; NULL: none.  Every document of it has
     * probability 1, whether it was sampled or not.  They must have been chosen without regard to
     * what was judged, such as a pool: others bias every estimate.
     */
    const char *also;
    /*
     * A file of lines (topic, measure, mean, deviation) of reference runs: values become
     * distances from the mean in deviations.  Complete judgments only; NULL: none.
     */
    const char *standards;
} iv_evaluating;

/* A number (or text) that every topic has. */
typedef struct iv_evaluated_measure {
    const char *name;          /* as it was asked for */
    const iv_value_info *info; /* NULL: an estimate that only TREC's tools have */
    bool text;                 /* no number */
    bool per_topic, overall;   /* means something for a topic; over topics */
    bool count;                /* a number of documents */
    bool inferred;             /* as TREC's tools infer it: without error */
    bool has_bounds, has_ties; /* these can be computed */
    const char *why_no_bounds; /* NULL: there are, or nobody has found them */
} iv_evaluated_measure;

typedef struct iv_evaluated_run {
    const char *name;      /* its tag, its file where tags repeat: never twice */
    const char *tag;       /* empty: none */
    const char *path;      /* NULL: it was in memory */
    uint64_t bytes;
    size_t topics;         /* it has values for */
    const iv_str *missing; /* judged topics it misses, whether they count or not */
    size_t missing_count;
    iv_run_notes noted;
} iv_evaluated_run;

/* All there is to know but values of topics; borrowed from the evaluation. */
typedef struct iv_evaluated {
    const iv_evaluated_run *runs; /* as they were given */
    size_t run_count;
    const iv_evaluated_measure *measures;
    size_t measure_count;
    const iv_mean *means;         /* means[run * measure_count + measure] */
    const iv_str *topics;         /* that some run has, in byte order */
    size_t topic_count;
    size_t judged_topics;         /* of the judgments, runs or not */
    uint64_t judgments_bytes;
    const iv_sampling *sampling;  /* how they were sampled; NULL: complete ones */
    uint64_t repeated;            /* of parts: topics of runs that stand in several, with the same
                                     scores: taken once */
    bool complete;                /* topics that a run misses count */
    bool certain;                 /* the file is of a sample, of which everything
                                     was judged: scored as complete judgments */
    iv_resampling resampling;     /* in use, as is this */
    iv_estimator estimator;
    size_t blank, blank_topics;   /* documents with a grade below 0, which nobody judged (of
                                     a sample, those beside it), and topics without others */
    size_t graded, graded_0;      /* of files of qrels: judgments, and those of grade 0 */
    size_t groups;                /* of judgments by groups (subtopics, judges): the most that a
                                     topic has; else 0, as of parts */
    int32_t largest_grade;        /* of the judgments, 0 if none is above; -1: preferences */
} iv_evaluated;

typedef struct iv_evaluation iv_evaluation;

/*
 * Scores runs on judgments of any kind.  Complete judgments are the case in which
 * nothing was left to chance: variances are 0.  IV_EPARSE and IV_EIO for files,
 * IV_ENODATA when a run shares no topic with the judgments or a measure needs
 * what they do not have, IV_EARG for measures or options that are not known, or
 * not for these judgments.  The first bad file in the order given is reported.
 * options and work may be NULL.
 *
 * Linear in documents and judgments, but for bounds of nDCG and ties of ERR;
 * then measures x runs x topics x resamples.  *out is the caller's:
 * iv_evaluation_free().
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_evaluate(iv_evaluation **out, const iv_source *source,
                                     const iv_evaluating *options, const iv_work *work,
                                     iv_err *err);
IV_API IV_EXPERIMENTAL void iv_evaluation_free(iv_evaluation *e);

/* All of it but values of topics; lives as long as e. */
IV_API IV_EXPERIMENTAL const iv_evaluated *iv_evaluation_view(const iv_evaluation *e);

/* The grid that comparisons take: out[run * topic_count + topic], NaN where a run
 * has no value. */
IV_API IV_EXPERIMENTAL void iv_evaluation_grid(double *out, const iv_evaluation *e, size_t measure);

/* A mean difference and its error, in all and in parts, as in iv_mean. */
typedef struct iv_evaluated_difference {
    size_t topics; /* that both have */
    double value, se, se_judgments, se_topics;
} iv_evaluated_difference;

/* What trec_eval prints, run after run: each topic, a summary, or both. */
typedef struct iv_trec_lines {
    bool topics, no_summary;
} iv_trec_lines;

IV_END_C

#include "intervale/estimate/automatic_labels.h"
#include "intervale/estimate/parts.h"

#endif /* INTERVALE_ESTIMATE_H */
