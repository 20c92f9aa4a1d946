/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two assessors, or people and a model, label the same items: how far do they agree,
 * what does a label of one say about that of the other, and is that the same everywhere?
 *
 * Items stand in units (topics), whose items are alike.  Kappa and alpha have the jackknife
 * over units, over items where there is one unit, with Student's t;
 * proportions Clopper and Pearson's limits for the effective number of items.
 *
 * Several assessors, each of whom labels some of the items: Krippendorff's alpha.
 *
 * Refs: Cohen (1960, 1968); Fleiss and Davies (1982); Korn and Graubard (1998); Krippendorff
 * (2004).
 */
#ifndef INTERVALE_STAT_LABEL_AGREEMENT_H
#define INTERVALE_STAT_LABEL_AGREEMENT_H

#include "intervale/base.h"

IV_BEGIN_C

/* An item: what the reference says, what the other says, as numbers of labels from 0. */
typedef struct iv_label_pair {
    uint32_t a, b;
    double weight; /* above 0: 1 / probability with which it was sampled */
} iv_label_pair;

/* Items unit by unit: those of unit u from starts[u] to starts[u + 1]. */
typedef struct iv_label_pairs {
    const iv_label_pair *at;
    const size_t *starts;
    size_t units;
    uint32_t labels; /* how many there are, of both; at most 1,000 */
} iv_label_pairs;

/* With fewer units than this, the jackknife is over items. */
enum { IV_ALPHA_UNITS = 5 };

/* How much a disagreement counts: all alike, by its distance, by the distance squared. */
typedef enum iv_kappa_weights {
    IV_KAPPA_PLAIN,
    IV_KAPPA_LINEAR,
    IV_KAPPA_QUADRATIC
} iv_kappa_weights;

/* "plain", "linear", "quadratic", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_kappa_weights_names(void);

/* Below these the interval's coverage is below 0.90: items of the rarest label of the reference,
 * items on which both disagree. */
enum { IV_KAPPA_RARE = 10, IV_KAPPA_APART = 5 };

/* ----------------------------------------------------- several assessors -- */
/* What labels are: words, or grades in an order, or numbers. */
typedef enum iv_label_scale {
    IV_SCALE_BY_LABELS, /* words without values; numbers are grades if they are whole and of
                           IV_GRADES_MOST values at most */
    IV_SCALE_NOMINAL,   /* same or not */
    IV_SCALE_ORDINAL,   /* how many labels lie between, by their numbers */
    IV_SCALE_INTERVAL   /* the distance of values, squared */
} iv_label_scale;

enum { IV_GRADES_MOST = 16 };

/* "auto", "nominal", "ordinal", "interval", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_label_scale_names(void);

/* Labels item by item: those of item i from starts[i] to starts[i + 1], none, one or more. */
typedef struct iv_ratings {
    const uint32_t *label;
    const size_t *starts;
    size_t items;
    const size_t *unit_starts; /* items of unit u, as above; NULL: an item is a unit */
    size_t units;
    uint32_t labels;           /* how many there are */
    const double *value;       /* of each, rising; NULL: they are words */
} iv_ratings;

/* Cohen's kappa of two, or Krippendorff's alpha of several. */
typedef struct iv_agreement {
    iv_interval is;       /* NaN where there is one label only; no limits where nothing varies, such
                             as no disagreement */
    double agreement;     /* proportion of items (by weight), or of pairs of labels, that agree */
    double expected;      /* the same by chance */
    size_t items, labels; /* that count; of alpha: with two labels or more, and their labels */
    size_t rare;          /* items whose label is not the commonest; of alpha: on average over
                             assessors */
    size_t apart;         /* items on which they disagree */
    size_t units;         /* of alpha: of the jackknife */
    iv_label_scale scale; /* of alpha: used */
    bool few;             /* rare or apart is too small */
    bool constant;        /* of kappa: one of the two uses one label only */
} iv_agreement;

IV_END_C

#endif
