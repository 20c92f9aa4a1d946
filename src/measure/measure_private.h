/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of measure share, and what other modules use of it. */
#ifndef IV_MEASURE_MEASURE_PRIVATE_H
#define IV_MEASURE_MEASURE_PRIVATE_H

#include "intervale/measure.h"
#include "trec/trec_private.h"

/* ------------------------------------------------------------- measure -- */
/* What the other modules use of intervale/measure.h beside what programs do. */

/* All measures in the order trec_eval prints them, then those it lacks; static.  NULL behind
 * the last. */
const iv_measure_info *iv_measure_at(size_t i);

/* The measure with this name of either family, bare; NULL: there is none. */
const iv_measure_info *iv_measure_find(const char *name);

/* All of these; static.  Returns how many. */
size_t iv_measure_sets(const iv_measure_info **out);

/* How exactly scores are to be looked at: version 9 cuts them to float. */
iv_precision iv_precision_of(iv_dialect dialect);

/*
 * Parses `count` names with their parameters.  IV_EARG, with a message that
 * says what was expected or names the nearest names, for anything that cannot
 * be computed.  options may be NULL: the defaults.  On success *out is the
 * caller's: iv_measures_free().
 */
IV_MUST_CHECK int iv_measures_parse(iv_measures **out,
                                           const char *const *names,
                                           size_t count,
                                           const iv_measure_options *options,
                                           iv_err *err);

void iv_measures_free(iv_measures *m);

/* How many values a topic has, and the i-th, i below that; borrowed from m. */
size_t iv_measures_count(const iv_measures *m);

const iv_value_info *iv_measures_value(const iv_measures *m, size_t i);

/* The gain that the i-th value (nDCG and its kin) gives to a grade. */
double iv_measures_gain(const iv_measures *m, size_t i, int32_t grade);

/*
 * largest_grade: of the whole of the judgments, for ERR and graded RBP (see
 * iv_largest_grade()); IV_ENODATA when one of those is asked for without max=
 * and it is below 1.  m must outlive the scorer.
 */
IV_MUST_CHECK int iv_scorer_new(iv_scorer **out, const iv_measures *m,
                                       int32_t largest_grade, iv_err *err);

void iv_scorer_free(iv_scorer *s);

/*
 * Fills iv_measures_count() values for a topic; a text's is 0, see
 * iv_scorer_text().  A topic without judgments or without documents is
 * allowed.  Linear in hits and judgments.  Fails only for want of memory, or
 * with IV_EARG beyond 4,294,967,000 documents; values may then be half filled.
 */
IV_MUST_CHECK int iv_scorer_topic(double *values, iv_scorer *s,
                                         const iv_joined *topic, iv_err *err);

/*
 * The same for a judged topic that the run misses: what -c adds.  As an empty
 * ranking, but for utility, which is 0.
 */
IV_MUST_CHECK int iv_scorer_missing(double *values, iv_scorer *s,
                                           const iv_judgment *judged,
                                           size_t judged_count, iv_err *err);

/*
 * The text of the i-th value for the topic last scored, terminated, or NULL
 * when the value is no text or not the topic's (runid).  Valid until the next
 * topic.
 */
const char *iv_scorer_text(const iv_scorer *s, size_t i);

/*
 * One value each over `topics` rows of iv_measures_count() values, in the
 * order of the rows; 0 where a measure has none.  above_0: judgments above 0,
 * when topics the run misses are among the rows (-c), else -1; trec_eval
 * then counts every judgment above 0 in num_rel, whatever the level, and so do
 * we.  IV_ENODATA when topics is 0.
 */
IV_MUST_CHECK int iv_measures_summary(double *out, const iv_measures *m, const double *rows,
                                      size_t topics, double above_0, iv_err *err);

/*
 * The line trec_eval prints for a value, newline included, whatever the
 * locale: name, topic ("all" for a summary) and the value, four digits behind
 * the point unless it is a count, or the text (NULL reads as empty).  Returns
 * the length of the line; writes no more than size bytes, always terminated.
 */
size_t iv_trec_line(char *out, size_t size, const iv_value_info *value,
                           iv_str topic, double number, const char *text);

/* ------------------------------------------------------------- measure -- */
/* What the files of the room share: a topic as measures see it, what a measure is made of,
 * what was asked for. */

/* --------------------------------------------------------------- topic -- */

/*
 * A topic prepared for measures.  Most retrieved documents were never judged;
 * what is kept is short: the judged ones with their ranks, and from those the
 * relevant ones at each level asked for and the gains of each gain table.
 */

/* A retrieved document that the judgments list; grade < 0: not judged. */
typedef struct iv_seen {
    uint32_t rank; /* from 1 */
    int32_t grade;
} iv_seen;

/* The documents retrieved: all of them, or only the judged ones. */
typedef struct iv_ranking {
    size_t retrieved;
    iv_seen *seen; /* by rank; one with rank 0 follows the last */
    size_t seen_count;
    size_t judged; /* of those, with a grade from 0 */
} iv_ranking;

/* How many documents were judged at each grade from 0, highest first; a list of them ends with 0
 * documents. */
typedef struct iv_level {
    int32_t grade;
    uint32_t count;
} iv_level;

/* A ranking as a binary measure sees it. */
typedef struct iv_view {
    int32_t level;
    bool judged_only;
    const iv_ranking *ranking;
    size_t relevant;  /* R: judged at the level or above, retrieved or not */
    size_t found;     /* of those, retrieved */
    uint32_t *rank;   /* their ranks, ascending */
    uint32_t *listed; /* documents above them that the judgments list */
    uint32_t *judged; /* documents above them that were judged */
    double *sum;      /* sum[k]: of the precisions at the first k of them */
} iv_view;

/* A grade and its gain. */
typedef struct iv_pair {
    int32_t grade;
    double gain;
} iv_pair;

/* A ranking as nDCG and its kin see it. */
typedef struct iv_gains {
    const iv_pair *pair; /* gains that are not the grade's own */
    size_t pair_count;
    bool exponential, judged_only;
    const iv_ranking *ranking;
    size_t found;      /* retrieved with a gain other than 0 */
    uint32_t *rank;
    double *gain;
    double *dcg;       /* dcg[k]: over the first k of them */
    size_t ideal;      /* judged with a gain above 0 */
    double *ideal_gain; /* descending */
    double *ideal_dcg; /* ideal_dcg[k]: over the first k */
} iv_gains;

/* A topic of several groups; see judges.h. */
typedef struct iv_judges iv_judges;

/* What a measure reads. */
typedef struct iv_topic {
    const iv_measure_options *options;
    int32_t largest_grade; /* of all judgments */
    bool missing;          /* the run does not have the topic */
    const iv_level *levels;
    const iv_view *view;
    const iv_gains *gains;  /* NULL unless IV_READS_GAINS */
    const iv_judges *panel;  /* NULL unless IV_READS_GROUPS or IV_READS_PREFS */
    const double *powers;   /* powers[k] = p^k, if IV_READS_POWERS */
    const double *log2;     /* log2[k] = log2(k), 1 <= k < log2_count */
    size_t log2_count;
    char *text;             /* room for what a text measure writes */
} iv_topic;

/* The gain of a grade; a document that was not judged has none. */
double iv_gain_of(const iv_pair *pair, size_t count, bool exponential,
                  int32_t grade);

/* ---------------------------------------------------------- definition -- */

/*
 * What a measure is made of: its public description, its grammar, and the
 * function that reads a prepared topic.  A new measure is one of these in the
 * file of its family, and in the list at the end of that file.
 */

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

/* A measure with its parameters, as asked for. */
typedef struct iv_asked {
    const iv_definition *is;
    size_t first, count;  /* of its values */
    const double *number; /* cut-offs (ascending), points or coefficients */
    size_t number_count;
    const iv_pair *pair;  /* gains by grade, at most one each */
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
} iv_asked;

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
    unsigned keywords, sets, reads;
    iv_range_kind range;
    iv_missing_10 missing;
    bool above_0;      /* -c counts every judgment above 0, whatever the level */
    bool topic_scaled; /* grades are scaled by the topic's largest */
    /* What keyword rel= (of a count) or relative=True makes of it. */
    const iv_definition *variant;
    /* Writes a->count values. */
    void (*compute)(double *out, const iv_asked *a, const iv_topic *t);
};

/* Who is asked, from then on, while a topic takes long; NULL, as at first: nobody. */
void iv_scorer_asks(iv_scorer *s, const iv_work *work);

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
double iv_model_gain(const iv_asked *a, int32_t largest, int32_t grade);
double iv_model_weight(const iv_asked *a, size_t rank);

/* The registry: every definition in trec_eval's order of printing, then those it lacks;
 * NULL behind the last. */
const iv_definition *iv_definition_at(size_t i);

/* By trec_eval's name; NULL: none. */
const iv_definition *iv_definition_of(iv_str name);

/* By ir_measures' name; the one that goes with or without @; NULL: none. */
const iv_definition *iv_definition_of_ir(iv_str name, bool at);

/* The bit of a set's name, for the dialect; 0: no such set. */
unsigned iv_set_bit(iv_str name, iv_dialect dialect);

/* ------------------------------------------------------------ measures -- */

/* What was asked for, and which prepared arrays each measure reads. */
struct iv_measures {
    iv_measure_options options;
    iv_arena arena;   /* names and parameters */
    iv_asked *asked;
    size_t asked_count, asked_capacity;
    size_t *asked_at; /* only while parsing: by definition, 1 + which of trec_eval's it is */
    iv_value_info *value;
    size_t *owner;    /* the measure that each value belongs to */
    size_t value_count;
    /* The different ways in which a topic is looked at; each measure names
     * its own by number.  Only the keys are set. */
    iv_view *view;
    size_t view_count;
    iv_gains *gains;
    size_t gains_count;
    double *power;    /* persistences */
    size_t power_count;
    unsigned reads;   /* all that some measure reads */
};

/* The measure that the i-th value belongs to. */
static inline const iv_asked *iv_asked_of(const iv_measures *m, size_t i)
{
    return &m->asked[m->owner[i]];
}

/* IV_EARG for a measure that judgments of the format cannot give. */
IV_MUST_CHECK int iv_measures_fit(const iv_measures *m, iv_judgments_format format,
                                  iv_err *err);

/* Without zeros that stand for defaults: level as it is, depth SIZE_MAX for all. */
iv_measure_options iv_measure_options_of(const iv_measure_options *options);

/*
 * The known names (measures and sets) nearest to a misspelt one, best first.
 * Fills at most `most` and returns how many; 0 when nothing is near.
 */
size_t iv_measure_nearest(const char **out, size_t most, const char *name);

/* ------------------------------------------------------------- prepare -- */

/* The steps of preparing a topic. */

/* r->seen has room for the hits, and one more. */
void iv_see(iv_ranking *r, const iv_joined *topic, size_t depth);

/* The ranking without its unjudged documents; r->seen: all->seen_count + 1. */
void iv_see_judged(iv_ranking *r, const iv_ranking *all);

/* l: the judgments, and one more. */
void iv_count_levels(iv_level *l, const iv_judgment *judged, size_t count);

/* Both take their arrays from the arena, which tells when memory is out: then nothing is filled.
 * log2_of[k] = log2(k) for ranks and judgments + 1. */
void iv_fill_view(iv_view *v, iv_arena *arena, const iv_ranking *r, const iv_level *l);
void iv_fill_gains(iv_gains *g, iv_arena *arena, const iv_ranking *r, const iv_level *l,
                   size_t judged, const double *log2_of);

/* --------------------------------------------------------------- parse -- */

/* From a name with parameters to an iv_asked, in either grammar. */

/* What both grammars need while they parse one name. */
typedef struct iv_request {
    iv_str text;                       /* all of it, for messages */
    const iv_measure_options *options;
    iv_arena *arena;                   /* owns what the result points to */
} iv_request;

/* A measure without parameters: the usual ones, the options' level. */
iv_asked iv_ask(const iv_definition *d, const iv_measure_options *options);

/*
 * trec_eval's name[.parameters] or name_parameters.  IV_OK with out->is NULL
 * when trec_eval has no such name.
 */
IV_MUST_CHECK int iv_parse_trec(iv_asked *out, const iv_request *r, iv_err *err);

/* ir_measures' Name(keyword=value, ...)@at.  The same when it has none. */
IV_MUST_CHECK int iv_parse_ir(iv_asked *out, const iv_request *r, iv_err *err);

/* What ir_measures calls the measure at that cut-off or point; NULL when memory is out. */
const char *iv_ir_name(iv_arena *arena, const iv_asked *a, double number,
                       const iv_measure_options *o);

/*
 * The name that text must mean where it only differs by case, or has
 * trec_eval's name before ir_measures' parameters; empty when there is none or
 * more than one.
 */
IV_MUST_CHECK int iv_respell(iv_str *out, iv_str text, iv_arena *arena, iv_err *err);

/* s without blanks at its ends. */
iv_str iv_trim(iv_str s);

/* Does a value depend on the largest grade of all judgments? */
bool iv_measures_scale(const iv_measures *m);

/* -------------------------------------------------------------- judges -- */
/*
 * A topic that several judged: judges, or subtopics.  Each group's judgments are
 * looked at as if they were a topic of their own.
 */

/* What a group says of a document. */
typedef struct iv_opinion {
    uint32_t doc, group;
    int32_t subgroup; /* over all groups; in qrels 0; -1: it is made up */
    int32_t grade;    /* below 0: not judged, or a preference */
    double level;
} iv_opinion;

/* A document while an ideal order is found. */
typedef struct iv_gainer {
    double gain;          /* what it adds, or more: see subtopics.c */
    const iv_opinion *at; /* its first opinion */
    iv_str docno;
    int32_t level;        /* the lowest grade that adds */
} iv_gainer;

struct iv_judges {
    size_t groups, docs, found;
    /* Documents that some group judged: the retrieved ones by rank, then the others
     * by docno. */
    uint32_t *rank;   /* of the found, from 1 */
    iv_str *docno;    /* of all */
    iv_opinion *opinion; /* by document, then group and subgroup; one of no document ends them */
    size_t opinions;
    uint32_t *by_group;  /* opinions by group, then as above: those of group g stand from ... */
    size_t *first;       /* ... first[g] to before first[g + 1] */
    size_t retrieved;
    iv_view **view;   /* view[k][g]: group g as the k-th view of the measures sees it */
    double *gain;     /* scratch: of groups, ... */
    iv_gainer *gainer; /* ... and of documents, ... */
    iv_gainer **heap;  /* ... also as a heap */
    double *prefs;    /* what preferences give, if some measure reads them */
};

/*
 * Fills p from memory of the arena.  ascending: documents of equal score are ranked by
 * docno, first first, as trec_eval ranks them for preferences and nothing else.
 * A hit whose judgment is none of the topic's counts as judged so by every group, and a
 * judgment whose level is not a number as made up for its own.
 * IV_EARG when the judgments are not by groups.
 */
IV_MUST_CHECK int iv_judges_fill(iv_judges *p, iv_arena *arena, const iv_joined *topic,
                                size_t depth, bool ascending, iv_err *err);

/* The views of the measures, of every group. */
IV_MUST_CHECK int iv_judges_views(iv_judges *p, iv_arena *arena, const iv_measures *m,
                                 iv_err *err);

/* Counts preferences.  IV_EPARSE where those of one group contradict each other.  Where there are
 * several groups, quadratic in their documents: asks work. */
IV_MUST_CHECK int iv_judges_prefs(iv_judges *p, iv_arena *arena, iv_str topic,
                                  const iv_work *work, iv_err *err);

#endif
