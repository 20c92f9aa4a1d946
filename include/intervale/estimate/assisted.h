/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs scored with people's judgments of some topics and a machine's labels of all.
 * A measure is computed from either; over the topics that people judged the one predicts
 * the other (stat/two_phase.h).  doc/methods/machine.md has formulas and evidence.
 */
#ifndef INTERVALE_ESTIMATE_ASSISTED_H
#define INTERVALE_ESTIMATE_ASSISTED_H

#include "intervale/estimate.h"
#include "intervale/stat/two_phase.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The machines; {0}: none. */
typedef struct iv_machines {
    iv_texts files;             /* of labels, see iv_machine_labels_load() */
    iv_judgments_format format; /* of all of them */
    int32_t level;  /* a machine's lowest relevant grade; 0: as people's, 1 for labels 0 and 1 */
    iv_infer infer;
} iv_machines;

/*
 * Of a sample of documents (its frame known) the first machine's labels also say how likely
 * each document is relevant: topics' values are rectified estimates then.  Where the machine
 * labelled a part of the frame only, what is divided by the number of relevant documents (AP, nDCG,
 * recall) would be biased, and stays people's own.
 */

/* One measure of one run, or of a difference of two; NaN stands for what there is not. */
typedef struct iv_assisted_mean {
    size_t judged, units; /* topics with people's and with the machines' values */
    double value, se, lower, upper;
    double p;             /* of a difference: that it is 0 */
    double human, human_se, human_lower, human_upper, human_p; /* people alone */
    double machine;       /* the first machine alone: no interval, it has none */
    double effective;     /* judged topics (of a sample: documents) that would tell as much
                             without a machine */
    double gain;          /* how much narrower the interval is than people's, as a share */
    double skewness;      /* of what single topics do to the value */
    double slope, rho;    /* of the first machine; correlation over the judged topics */
    bool alone;           /* the machine adds nothing: it is people alone */
    const char *reason;   /* why there is no interval; "": there is one */
} iv_assisted_mean;

typedef struct iv_assisted iv_assisted;

/*
 * Scores the runs.  Errors as iv_evaluate() and iv_judge_new(); IV_ENODATA for fewer than four
 * topics that people judged and the machine labelled, and for labels of none of the documents
 * that the runs return.  Of more machines than iv_machines_allowed() the first count.
 * *out is the caller's: iv_assisted_free().
 */
IV_API IV_MUST_CHECK int iv_assisted_new(iv_assisted **out, const iv_source *source,
                                         const iv_machines *machines,
                                         const iv_evaluating *options, const iv_work *work,
                                         iv_err *err);
IV_API void iv_assisted_free(iv_assisted *a);

/* What there is to know beside the numbers; borrowed. */
typedef struct iv_assisted_view {
    const iv_evaluation *human;    /* people's judgments alone */
    const iv_evaluation *machine;  /* the first machine's alone */
    const iv_evaluation *rectified; /* of a sample: what its judgments say together with the first
                                      machine's labels of the documents; NULL: complete
                                      judgments, or a sample whose frame is not known */
    const iv_judge *const *judges; /* one a machine that counts */
    const uint64_t *bytes;         /* of the machines' files, all of them */
    bool framed;                   /* the first machine labelled nine in ten documents of the frame */
    size_t machines, given;        /* that count, of so many */
    size_t judged, units;          /* topics that both have; that the machines have */
    size_t human_only;             /* judged topics that a machine lacks */
    double unlike;                 /* p that the judged topics are like the others, by the first
                                      machine and measure, mean over runs; NaN: not known */
    bool complete;                 /* every topic of the machines is judged */
} iv_assisted_view;
IV_API const iv_assisted_view *iv_assisted_viewed(const iv_assisted *a);

/* The mean of a measure of a run, and the difference of two runs a - b on the topics that both
 * have. */
IV_API IV_MUST_CHECK int iv_assisted_mean_of(iv_assisted_mean *out, const iv_assisted *a, size_t run,
                                             size_t measure, iv_err *err);
IV_API IV_MUST_CHECK int iv_assisted_difference(iv_assisted_mean *out, const iv_assisted *s,
                                                size_t measure, size_t a, size_t b, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ESTIMATE_ASSISTED_H */
