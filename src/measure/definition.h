/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The definition of a measure: its public description, its grammar, and the function that reads a
 * prepared topic.  A new measure is one of these in the file of its family, and in the list at
 * the end of that file.
 */
#ifndef IV_MEASURE_DEFINITION_H
#define IV_MEASURE_DEFINITION_H

#include "measure/topic.h"

/* What may follow the name in trec_eval's grammar. */
typedef enum iv_shape {
    IV_SHAPE_PLAIN,   /* nothing */
    IV_SHAPE_CUTS,    /* ranks: one value each */
    IV_SHAPE_POINTS,  /* real numbers: one value each */
    IV_SHAPE_NUMBERS, /* real numbers: one value in all */
    IV_SHAPE_PAIRS    /* name=number: one value in all */
} iv_shape;

/* May @ follow the name in ir_measures' grammar? */
typedef enum iv_at { IV_AT_NEVER, IV_AT_MAY, IV_AT_MUST } iv_at;

/* The keywords of ir_measures' grammar that a measure understands. */
enum {
    IV_IR_REL = 1,
    IV_IR_JUDGED_ONLY = 2,
    IV_IR_P = 4,
    IV_IR_BETA = 8,
    IV_IR_DCG = 16,
    IV_IR_GAINS = 32,
    IV_IR_MAX = 64,
    IV_IR_RELATIVE = 128,
    IV_IR_T = 256,
    IV_IR_MIN_REL = 512,
    IV_IR_MAX_REL = 1024,
    IV_IR_NORMALIZE = 2048,
    IV_IR_ALPHA = 4096,
    IV_IR_MODEL = 8192,
    IV_IR_RESIDUAL = 16384,
    IV_IR_STRICT = 32768
};

/* The sets a measure belongs to. */
enum {
    IV_IN_OFFICIAL = 1,
    IV_IN_SET = 2,
    IV_IN_ALL_9 = 4,
    IV_IN_ALL_10 = 8,
    IV_IN_ALL = IV_IN_ALL_9 | IV_IN_ALL_10,
    IV_IN_ALL_PREFS = 16,
    IV_IN_PREFS = 32,
    IV_IN_JG = 64
};

/* What a prepared topic must hold for the measure to read. */
enum {
    IV_READS_GAINS = 1,
    IV_READS_POWERS = 2,
    IV_READS_GROUPS = 4, /* judgments by groups */
    IV_READS_PREFS = 8,  /* preferences, or those as such */
    IV_READS_NOTHING = 16, /* it takes judgments of any kind */
    IV_READS_NUGGETS = 32,
    IV_READS_JUDGES = IV_READS_GROUPS | IV_READS_PREFS | IV_READS_NUGGETS
};

/* Which computation of bounds and of ties knows the measure. */
typedef enum iv_range_kind {
    IV_RANGE_NONE,
    IV_RANGE_AP,
    IV_RANGE_P,
    IV_RANGE_RPREC,
    IV_RANGE_NDCG,
    IV_RANGE_RR,
    IV_RANGE_RBP,
    IV_RANGE_ERR,
    IV_RANGE_AP_IA,   /* AP of each subtopic: bounds only, as the next */
    IV_RANGE_RISES,   /* with every grade, whatever R is: bounds only */
    IV_RANGE_WEIGHTS, /* the same, linear in the gains: ties, too */
    IV_RANGE_RECALL, /* ties only, as the next */
    IV_RANGE_SUCCESS
} iv_range_kind;

/* How a reader goes down a list; see user_model.c. */
typedef enum iv_model {
    IV_MODEL_NONE,
    IV_MODEL_INST,
    IV_MODEL_INSQ,
    IV_MODEL_BPM,
    IV_MODEL_SDCG,
    IV_MODEL_NERR8,
    IV_MODEL_NERR9,
    IV_MODEL_NERR10,
    IV_MODEL_NERR11,
    IV_MODEL_P,
    IV_MODEL_RR,
    IV_MODEL_AP,
    IV_MODEL_RBP
} iv_model;

/* What trec_eval 10 does to a topic's value that the run misses. */
typedef enum iv_missing_10 {
    IV_MISSING_COMPUTED,
    IV_MISSING_CLEARED_PLAIN, /* made 0 or empty when asked for without parameters */
    IV_MISSING_CLEARED
} iv_missing_10;

typedef struct iv_definition iv_definition;

/* A requested measure with its parameters. */
typedef struct iv_requested {
    const iv_definition *definition;
    size_t first, count;  /* of its values */
    const double *number; /* cut-offs (ascending), points or coefficients */
    size_t number_count;
    const iv_grade_gain *pair;  /* gains by grade, at most one each */
    size_t pair_count;
    size_t cutoff;        /* where @ is no cut-off of IV_SHAPE_CUTS; 0: all */
    int32_t level;
    bool judged_only;
    bool rel_given;       /* graded measures turn binary */
    bool exponential;
    double persistence;
    double target, alpha; /* T of user models; of novelty */
    int32_t max_grade;    /* 0: the judgments' */
    int32_t min_grade;
    bool normal, residual; /* normalised; what is not judged could add */
    bool strict;          /* partial support is none */
    iv_model model;
    size_t view, gains, powers; /* which of the scorer's */
    /* Only while parsing: */
    const char *label;    /* of a measure asked for in ir_measures' way */
    const char *suffix;   /* trec_eval's parameters as written, or NULL */
} iv_requested;

struct iv_definition {
    iv_measure_info info;
    const char *ir_alias; /* a second name in ir_measures, or ndeval's */
    iv_shape shape;
    const double *usual;  /* the parameters when none are given */
    size_t usual_count;
    bool varied;          /* takes any number of parameters, not usual_count */
    double least, most;   /* what points and numbers may be */
    iv_at at;
    iv_model model;
    double persistence, target, alpha; /* unless given */
    unsigned keywords, sets, reads; /* sets: of measures that trec_eval has, no others */
    iv_range_kind range;
    iv_missing_10 missing;
    bool above_0;      /* -c counts every judgment above 0, whatever the level */
    bool topic_scaled; /* grades are scaled by the topic's largest */
    /* What keyword rel= (of a count) or relative=True makes of it. */
    const iv_definition *variant;
    /* Writes a->count values. */
    void (*compute)(double *out, const iv_requested *a, const iv_topic *t);
};

/* How many of v->rank[from...] are at or above a rank; never below from. */
static inline size_t iv_found_by(const iv_view *v, double rank, size_t from)
{
    while (from < v->found && v->rank[from] <= rank)
        from++;
    return from;
}

/* trec_eval's usual cut-offs. */
extern const double iv_usual_cuts[9];
#define IV_USUAL_CUTS .usual = iv_usual_cuts, .usual_count = 9

/* ... and multiples of R. */
extern const double iv_usual_multiples[10];

/* Of a description: a number for each topic, between these two, and their mean. */
#define IV_MEAN_WITHIN(low, high)                                                        \
    .kind = IV_REAL, .summary = IV_SUMMARY_MEAN, .lowest = (low), .highest = (high),     \
    .per_topic = true, .overall = true

/* A user model by its name, and its name; whether it needs a cut-off, and whether its
 * gains are 0 or 1.  The gain of a grade, and how likely the reader gets to a rank where
 * that does not depend on gains. */
iv_model iv_model_named(iv_str name);
const char *iv_model_name(iv_model m);
bool iv_model_cut(iv_model m);
bool iv_model_binary(iv_model m);
double iv_model_gain(const iv_requested *a, int32_t largest, int32_t grade);
double iv_model_weight(const iv_requested *a, size_t rank);

/* The registry: every definition in trec_eval's order of printing, then those it lacks;
 * NULL behind the last. */
const iv_definition *iv_definition_at(size_t i);

/* By trec_eval's name; NULL: none. */
const iv_definition *iv_definition_of(iv_str name);

/* By ir_measures' name; the one that goes with or without @; NULL: none. */
const iv_definition *iv_definition_of_ir(iv_str name, bool at);

/* The bit of a set's name, for the dialect; 0: no such set. */
unsigned iv_set_bit(iv_str name, iv_dialect dialect);

#endif
