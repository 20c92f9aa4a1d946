/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of items that a machine labelled, of which people looked at some: prevalence, and
 * recall, precision and F of systems.  Items fall into strata by the system's and the
 * machine's label, and the sample tells of each; the posterior is that of recall (stat/recall.h).
 * doc/methods/machine.md has the evidence.
 */
#ifndef INTERVALE_ESTIMATE_CHECKED_H
#define INTERVALE_ESTIMATE_CHECKED_H

#include "intervale/base.h"

IV_BEGIN_C

/* {0}: gold by its usual names, "1" is positive. */
typedef struct iv_checked_options {
    const char *machine;     /* the column of the machine's labels */
    const char *gold;        /* the column of people's, empty where nobody looked; NULL: gold,
                                label, truth, y_true or target */
    const char *probability; /* the column of the probability with which an item was looked at;
                                NULL: pi, if there is one */
    const char *positive;    /* the label that is positive; NULL: "1" */
    double confidence;       /* 0: .95 */
    iv_texts systems;        /* only these columns are systems; none: all others */
} iv_checked_options;

/* One number of one system; NaN: there is none. */
typedef struct iv_checked_metric {
    const char *system, *metric; /* prevalence has no system: "" */
    double value, lower, upper;  /* people and the machine */
    double human, human_lower, human_upper; /* people alone */
    double machine;              /* if the machine's labels were the truth: no interval */
    double gain;                 /* how much narrower than people's, as a proportion */
} iv_checked_metric;

typedef struct iv_checked {
    const iv_checked_metric *metrics; /* prevalence, then system by system */
    size_t count;
    size_t items, judged, positive; /* rows, looked at, of these positive */
    size_t unlabelled;   /* rows without the machine's label, a stratum of their own */
    size_t merged;       /* strata that nobody looked into, joined with a neighbour */
    bool uneven;         /* the machine's labels were not looked at alike: nothing is said of human
                            labels alone */
    bool weighted;       /* probabilities differ: limits by linearisation, Student's t on the
                            logit scale */
    uint64_t bytes;      /* of the file */
    iv_texts notes;      /* what columns were taken for, by their names alone */
} iv_checked;

IV_END_C

#endif /* INTERVALE_ESTIMATE_CHECKED_H */
