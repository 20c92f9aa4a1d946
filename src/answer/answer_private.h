/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of answer share, and what other modules use of it. */
#ifndef IV_ANSWER_ANSWER_PRIVATE_H
#define IV_ANSWER_ANSWER_PRIVATE_H

#include "intervale/answer.h"
#include "plan/plan_private.h"
#include "simulate/simulate_private.h"
#include "stat/scored/scored_private.h"

/* ---------------------------------------------------------- references -- */
/* What the other modules use of intervale/answer.h beside what programs do. */

/* What cmake/references.cmake makes of references.bib. */
extern const char iv_references[];

/* The paper of that key; false when there is none.  Its texts are static. */
bool iv_reference_find(iv_citation *out, const char *key);

/* Method number i of all; its texts are static.  False behind the last. */
bool iv_method_at(iv_method_row *out, size_t i);

/* --------------------------------------------------------------- agree -- */
/* What agree answers: about rankings, and about judges beside a reference. */

/* How rankings and verdicts change, in numbers. */
typedef struct iv_verdicts {
    iv_orders orders;
    size_t systems, pairs, same, flips, lost, fresh, order; /* the last five: pairs by verdict */
} iv_verdicts;

/* Reads and compares two sets of scores, and reports nothing but what is excluded. */

/* The answers about rankings, judges, and several assessors. */
IV_MUST_CHECK int iv_agree_assessors(iv_result *out, const iv_agree_question *q,
                                     const iv_work *work, iv_err *err);

/* -------------------------------------------------------------- answer -- */
/* What several answers share. */

/* ------------------------------------------------------------- methods -- */

/* The method of that id (src/answer/methods.c) produced numbers of the result: the line
 * "Method: ..." names it, and its papers are cited.  Once is enough. */
void iv_result_used(iv_result *r, const char *id);

/* The same, with more behind its text: iv_result_used_with(r, "holm", " for %zu pairs", n). */
void iv_result_used_with(iv_result *r, const char *id, const char *fmt, ...) IV_PRINTF(3, 4);

/* Several, with blanks between. */
void iv_result_used_all(iv_result *r, const char *ids);

/* Keeps an object until the answer is made: IV_TRY(IV_KEEP(out, judgments, j, err)). */
#define IV_KEEP(out, T, object, err) iv_keep(&(out)->own, object, iv_end_##T, err)

IV_ENDS(comparison)

/* A table of an array: IV_TABLE(out, "runs", fields, rows, count, .showing = IV_FOLDED). */
#define IV_TABLE(out, table, list, rows, ...)                                      \
    iv_result_rows(out, &(iv_rows){ .name = table, .fields = list, .at = rows,     \
                                    .size = sizeof *(rows), .count = __VA_ARGS__ })

/* A row of a table that needs no type of its own; its list of fields says what each member is. */
typedef struct iv_row {
    const char *text[5];
    iv_str id[2];    /* texts that need not be terminated */
    size_t count[5]; /* SIZE_MAX: missing */
    iv_interval is;
    double p, real[4];
    bool quiet;
} iv_row;

/* The two columns of an interval, members lower and upper of what stands before: is. */
#define IV_LIMITS_NAMED(T, prefix, of, digits_, whom)                 \
    { prefix "lower", IV_AT(T, of lower), .digits = digits_, .audience = whom, \
      .about = "lower limit of the interval" },                      \
    { prefix "upper", IV_AT(T, of upper), .digits = digits_, .audience = whom, \
      .about = "upper limit of the interval" }
#define IV_LIMITS_FOR(T, of, digits_, whom) IV_LIMITS_NAMED(T, "", of, digits_, whom)
#define IV_LIMITS(T, of, digits_) IV_LIMITS_FOR(T, of, digits_, IV_FOR_ALL)

/* Of a difference: people read the limits that allow for all pairs, programs have both kinds. */
#define IV_PAIR_LIMITS(T, of, all, digits_)                                                      \
    { "lower", IV_AT(T, of lower), .digits = digits_, .audience = IV_FOR_PROGRAMS,                 \
      .about = "lower limit for this pair alone (for all pairs: lower_adjusted)" },               \
    { "upper", IV_AT(T, of upper), .digits = digits_, .audience = IV_FOR_PROGRAMS,                 \
      .about = "upper limit for this pair alone (for all pairs: upper_adjusted)" },               \
    { "lower_shown", IV_AT(T, all lower_adjusted), .digits = digits_, .heading = "lower",          \
      .audience = IV_FOR_PEOPLE, .about = "lower limit, simultaneous for all pairs" },            \
    { "upper_shown", IV_AT(T, all upper_adjusted), .digits = digits_, .heading = "upper",          \
      .audience = IV_FOR_PEOPLE, .about = "upper limit, simultaneous for all pairs" }
#define IV_ADJUSTED_LIMITS(T, all, digits_)                                                      \
    { "lower_adjusted", IV_AT(T, all lower_adjusted), .digits = digits_,                           \
      .audience = IV_FOR_PROGRAMS, .about = "lower limit, simultaneous for all pairs" },          \
    { "upper_adjusted", IV_AT(T, all upper_adjusted), .digits = digits_,                           \
      .audience = IV_FOR_PROGRAMS, .about = "upper limit, simultaneous for all pairs" }

/* ------------------------------------------------------------- wording -- */

/* Sentences put together from parts. */

/* Text that grows up to its end and is cut there; {0} is empty. */
typedef struct iv_wording {
    char at[2400];
    size_t len;
} iv_wording;

void iv_say(iv_wording *w, const char *fmt, ...) IV_PRINTF(2, 3);

/* "p = 0.0123", "p = 1.2e-05", "no p-value (reason)". */
#define IV_P_LEAST 1e-16 /* a smaller p is "< 1e-16" */
void iv_say_p(iv_wording *w, double p, const char *why);

/* "0.0123"; never 0 or 1, which no sample can tell: "less than 0.0001", "more than
 * 0.9999".  Returns out. */
enum { IV_PROBABILITY_SIZE = 32 };
const char *iv_probability(char out[IV_PROBABILITY_SIZE], double p);

/* " (95 % interval 0.301 to 0.436)"; "" where there are no limits.  Returns out. */
enum { IV_SPAN_SIZE = 96 };
const char *iv_span(char out[IV_SPAN_SIZE], double confidence, double lower, double upper);

/* "82 %", "0.15 %", "99.97 %"; with more digits where it would otherwise read as `other` (NaN:
 * none), or lie beyond it.  A target is told with itself: with all digits, as it was given. */
const char *iv_percent(char out[IV_FIGURE_SIZE], double x, double other);

/* The same of a limit that holds: a lower one is rounded down, an upper one up. */
const char *iv_percent_limit(char out[IV_FIGURE_SIZE], double x, double other, bool upper);
/* Of what is no percentage, with so many digits behind the point if it is below 1, fewer above. */
const char *iv_figure(char out[IV_FIGURE_SIZE], int digits, double x, double other);

/* " and N others", or the name of the second (NULL: not known), where `equal` others have the value
 * of the best.  Returns out. */
enum { IV_EQUALS_SIZE = 240 };
const char *iv_say_equals(char out[IV_EQUALS_SIZE], size_t equal, const char *second);

/* "one-sided 95 % limits 0.0301 and 0.2000", rounded outwards beside `other`: for each of several
 * candidates they have its part of the error (Bonferroni's correction). */
void iv_say_one_sided(iv_wording *w, double confidence, size_t candidates, double lower,
                      double upper, double other);

/* The answer of claims, each "PASS: ... . " in w: of several the verdict on all comes first. */
void iv_answer_claims(iv_result *out, iv_wording *w);

/* Claims MEASURE=X: the interval of every row of table measures lies above X, or below. */
IV_MUST_CHECK int iv_claim_at_least(iv_result *out, const iv_texts *targets, double confidence,
                                    iv_err *err);

/* ---------------------------------------------------------- comparisons -- */

/* The set of measures of that name, such as official; NULL: there is none. */
const iv_measure_info *iv_measure_set(const char *name);

/*
 * In place of sets of measures (official) the means of scores that they hold, in names kept
 * in own; a note lists the others.
 */
IV_MUST_CHECK int iv_compared_measures(iv_texts *measures, iv_arena *own,
                                       const iv_measure_options *options, iv_result *out,
                                       iv_err *err);

/* ------------------------------------------------------- planned tests -- */

/* Planned tests by their names. */
enum { IV_PLANNED_TESTS = 8 };

/* The tests named, each once; none named: the randomisation test.  IV_EARG for another name. */

/* --------------------------------------------------------- cost tables -- */

/* The coefficients of the cost model, with standard errors. */
void iv_put_cost_model(iv_result *out, const iv_cost_model *m);

/* ------------------------------------------------------- inquiry input -- */

/*
 * Runs, judgments that may be incomplete, and how relevant what nobody judged is
 * taken to be: what several answers read.
 */

/* The runs of a source: read, or the caller's. */
typedef struct iv_run_input {
    const iv_run *const *runs;
    const char *const *paths; /* NULL: they are in memory */
    size_t count;
    const char **names;       /* all different */
} iv_run_input;

/* Reads the runs, which the result keeps while the answer is made, and adds them to its inputs. */
IV_MUST_CHECK int iv_run_input_read(iv_run_input *in, iv_result *out, const iv_source *from,
                                    const iv_work *work, iv_err *err);

/* Is this the run's tag, its file, or the name of its file? */
bool iv_run_input_is(const iv_run_input *in, size_t run, const char *name);

/* The judgments of a file, kept in the same way; adds it to the inputs of the result. */
IV_MUST_CHECK int iv_judgments_input(iv_judgments **j, iv_result *out, const char *path,
                                     iv_judgments_format format, const iv_work *work,
                                     iv_err *err);

typedef struct iv_inquiry_input {
    iv_run_input runs;
    const iv_judgments *judgments; /* NULL: nothing is judged */
    iv_pooled *pooled;
    iv_prior prior;
} iv_inquiry_input;

/*
 * Reads it all into *in, in the same way, and notes what is left out.  An empty file of
 * judgments means that nothing is judged yet.  IV_EARG for fewer than two runs and for a
 * relevance that is neither "rank" nor a probability; NULL is "rank".
 */
IV_MUST_CHECK int iv_inquiry_input_read(iv_inquiry_input *in, iv_result *out,
                                        const iv_source *from, const char *relevance,
                                        const iv_pooled_options *pool, const iv_work *work,
                                        iv_err *err);

/* Notes the method, and where it does not fit the judgments; paper: as printed there. */
void iv_inquiry_input_tell_prior(iv_result *out, const iv_inquiry_input *in, bool paper);

void iv_inquiry_input_tell_uneven(iv_result *out, const iv_inquiry_input *in);

/* What is checked of scores that a question asks of. */
#define IV_SCORES_PARTS(T, of)                                           \
    IV_PART_OF(T, of from.files, PATHS, "file of scores"),               \
    IV_PART_OF(T, of from.columns, TEXTS, "name of a column"),           \
    IV_PART_OF(T, of set_weights, TEXTS, "weight of a set"),             \
    IV_CHOICE_OF(T, of sets, iv_sets_names, "what sets are")

/* Options of eval and compare: of judgments and runs, of automatic labels, and of measures (files
 * of eval --write-scores check them). */
#define IV_OF_RUNS(how)                                                                        \
    IV_IDLE(machine.files.count, "machine"), IV_IDLE(machine.infer, "infer"),                  \
    IV_IDLE(how estimator, "estimator"), IV_IDLE(how also, "also"),                            \
    IV_IDLE(how unjudged, "unjudged"), IV_IDLE(source.run_format, "run-format"),               \
    IV_IDLE(source.judgments_format, "judgments-format")
#define IV_OF_MACHINE                                                                          \
    IV_IDLE(machine.design, "human-design"), IV_IDLE(machine.level, "machine-level"),          \
    IV_IDLE(machine.format, "machine-format")
#define IV_OF_MEASURES(how)                                                                    \
    IV_IDLE(how measure.level, "level"), IV_IDLE(how measure.depth, "depth"),                  \
    IV_IDLE(how measure.judged_only, "judged-only"), IV_IDLE(how measure.dialect, "compat"),   \
    IV_IDLE(how measure.collection, "collection")

/* -------------------------------------------------------------- asking -- */

/*
 * What all questions have in common: what cannot be meant is refused before anything is
 * read, an answer that fails leaves the result as it was, and a progress function that
 * said stop is not asked again.
 */

typedef struct iv_answering {
    const iv_part *parts;
    size_t count;
    int (*answer)(iv_result *out, const void *question, const iv_work *work, iv_err *err);
    const char *uses; /* methods, when the answer names none itself; NULL: it does, or needs none */
    bool keeps; /* what was found of files, also when one of them cannot be read */
} iv_answering;

#define IV_ANSWERING(parts, ...) \
    &(iv_answering){ parts, sizeof parts / sizeof *parts, __VA_ARGS__ }

/* What tables have above two limits: "95 % interval", or "one-sided 95 % limits". */
void iv_name_limits(iv_result *out, double confidence, bool one_sided);

IV_MUST_CHECK int iv_answer_with(iv_result *out, const void *question, const iv_answering *how,
                         const iv_work *work, iv_err *err);

/* --------------------------------------------------- classify messages -- */
/* The messages of prf, roc and agree. */

extern const iv_message iv_classify_messages[];

/* Says the message of that id, if anything was found. */
#define IV_CLASSIFY(out, id, ...) IV_TELL(out, iv_classify_messages, id, __VA_ARGS__)

/* -------------------------------------------------------- score tables -- */
/* A score table laid out by measure, system and item, with the design of its items; and the
 * tables that several answers have of it. */

typedef struct iv_scored {
    iv_arena *own;           /* the answer's */
    const iv_score_input *asked;
    const iv_score_table *v;
    uint32_t *measures; /* those that were asked for, by their number in v */
    const char **names; /* ... and what they are called */
    size_t measure_count;
    double *values;          /* [(m * systems + s) * items + t], over repeats; NaN: none */
    iv_structure *structure; /* by measure */
    bool structured;         /* items hang together, or repeats bring variance */
    struct iv_set_slice *slices; /* of sets; NULL: there are none */
    bool binary;             /* declared to be 0 or 1 */
    size_t most_repeats;     /* scores of one system on one item, at most */
} iv_scored;

/*
 * Reads and lays out, with what there is to say of the files.  measures: none: `all` of them, or
 * else one. *card starts as zeros; what it takes is kept while the answer is made.
 */
IV_MUST_CHECK int iv_scored_read(iv_scored *card, const iv_score_input *asked,
                                    const iv_texts *measures, bool all, bool complete,
                                    iv_result *out, const iv_work *work, iv_err *err);

/* Refuses what is for scores of any kind only where there are none; `tables`: scores are there in
 * another form, which may be declared to be binary; `parts`: in files of eval --write-scores. */
IV_MUST_CHECK int iv_scored_absent(const iv_score_input *asked, bool tables, bool parts,
                                   iv_err *err);

/* The scores of a measure: systems x items. */
const double *iv_scored_values(const iv_scored *card, size_t measure);

/* Names the estimand and warns of few units; common: means are over items that all systems have. */
void iv_scored_tell(const iv_scored *card, bool common, iv_result *out);

/* Where the items of a set are: from the first of them to the last, with others between. */
typedef struct iv_set_slice {
    size_t from, count;
} iv_set_slice;

/* A set's slice, and how its items hang together; room: for item_count numbers. */
iv_set_slice iv_scored_within(iv_structure *out, uint32_t *room, const iv_scored *card,
                                 size_t measure, size_t set);

/* Are the units that vary clusters or sets, not items? */
bool iv_scored_units(const iv_scored *card);

/* The methods that clusters and repeats add to standard errors. */
void iv_scored_used(const iv_scored *card, iv_result *out);

/* What a unit is called, "item", "topic", "cluster" or "set". */
const char *iv_scored_unit(const iv_scored *card);

/* The variance that repeats bring to the difference of a pair, however many items there are: part
 * of its standard error, so a plan counts it, too. */
double iv_scored_shared(const iv_scored *card, size_t measure, const iv_compared_pair *p);

/* Table variance with its chart; nothing for one system. */
IV_MUST_CHECK int iv_tell_variance(iv_scored *card, double confidence, iv_result *out,
                                   const iv_work *work, iv_err *err);

/* Table design, if there are repeats: the standard error of a difference for more items and
 * for more repeats, with its curve, and a note which buys more. */
IV_MUST_CHECK int iv_tell_design(const iv_scored *card, double confidence, iv_result *out,
                                 iv_err *err);

/* Table sets: each system's mean in each set, if there are sets. */
IV_MUST_CHECK int iv_tell_sets(iv_scored *card, double confidence, iv_result *out,
                               const iv_work *work, iv_err *err);

/* Table errors: what standard errors are made of, if items hang together. */
IV_MUST_CHECK int iv_tell_errors(iv_scored *card, iv_result *out, const iv_work *work,
                                 iv_err *err);

/* ----------------------------------------------------------- comparing -- */
/* Scores that are compared, and what was found: what the files compare*.c share. */

/* Scores of runs on topics, wherever they come from, and what they say. */
typedef struct iv_comparing {
    const iv_compare_question *asked;
    const char *const *runs, *const *measures;
    const iv_str *topics;
    size_t run_count, topic_count, measure_count;
    int *digits;    /* by measure: behind the point, for people */
    const double *values; /* values[(m * runs + r) * topics + t]; NaN: missing */
    iv_evaluation *evaluation; /* NULL: scores were given */
    const iv_evaluated *v, *judged; /* its view; the same unless judgments are a sample */
    iv_scored card;         /* scores of any kind: has a view */
    bool named;                /* of systems on items, not of runs on topics */
    bool sampled;              /* ... and they are estimates from a sample */
    bool unit;                 /* scores are in [0, 1] */
    iv_arena *own;             /* the answer's */
    iv_comparison **found;     /* one a measure ... */
    size_t pair_count;         /* ... of so many pairs */
    iv_compare_options how;    /* what was asked for; then, what was done */
    struct iv_set_pair *sets;  /* the worst first; of a suite, or of groups of topics */
    size_t set_count;
    const char *const *set_names;
    const uint32_t *set_of;    /* the group of each topic; NULL: sets are of a suite */
    iv_verdict gate;           /* without that of sets; decided by ... */
    size_t deciding, alike;    /* ... the pair of that number; how many have its verdict */
    size_t hardest;            /* of those that are inconclusive, the one that needs most items */
    double deciding_p;
} iv_comparing;

/* A pair on the items of one set, adjusted for all of these. */
typedef struct iv_set_pair {
    const char *set, *a, *b, *measure, *mark;
    iv_compared_pair is;
    iv_compared_test test;
} iv_set_pair;

/* The first test of a pair. */
static inline const iv_compared_test *iv_first_test(const iv_comparing *c, size_t measure,
                                                    size_t pair)
{
    return &c->found[measure]->tests[pair * c->how.test_count];
}

/* A margin of 0 is asked for as IV_ZERO. */
static inline double iv_comparing_margin(const iv_comparing *c)
{
    return fmax(0.0, c->how.margin);
}

/* What is compared, on what, in words: one or several. */
static inline const char *iv_comparing_run(const iv_comparing *c, size_t n)
{
    return c->named ? (n == 1 ? "system" : "systems") : n == 1 ? "run" : "runs";
}

static inline const char *iv_comparing_topic(const iv_comparing *c, size_t n)
{
    return c->named ? (n == 1 ? "item" : "items") : n == 1 ? "topic" : "topics";
}

/* The tables that have the columns of pairs: what notes are about (iv_result_about). */
#define IV_COMPARING_PAIRS "pairs groups"

/* So many pairs nobody reads one by one. */
enum { IV_PAIRS_READ = 66 };

/* The scores, with the files' part of the result; *c starts as zeros. */
IV_MUST_CHECK int iv_comparing_read(iv_comparing *c, iv_result *out, const iv_work *work,
                                  iv_err *err);

/* The scores of one measure. */
const double *iv_comparing_values(const iv_comparing *c, size_t measure);

/* Topics that a run lacks, of the first measure: it has all measures of a topic or none. */
size_t iv_comparing_lacks(const iv_comparing *c, size_t run);

/* Every pair must share two topics: one line names the first that does not. */
IV_MUST_CHECK int iv_comparing_check(const iv_comparing *c, iv_err *err);

/* How run a stands to run b by the first test: 1 better, -1 worse, 0 not known. */
int iv_comparing_found(const iv_comparing *c, size_t measure, size_t a, size_t b);

/* The answer: of the first measure. */
void iv_comparing_tell_answer(const iv_comparing *c, iv_result *out);

/* The verdict on the claim not_worse, if it was made; then as the first sentences. */
IV_MUST_CHECK int iv_comparing_gate(iv_comparing *c, iv_result *out, iv_err *err);
void iv_comparing_say_gate(iv_wording *t, const iv_comparing *c, iv_result *out);

/* Warnings, and how p-values, intervals and marks were computed. */
void iv_comparing_tell_method(const iv_comparing *c, iv_result *out);

/* The table of pairs: one row a pair and test, of each measure in turn. */
IV_MUST_CHECK int iv_comparing_pairs(iv_comparing *c, iv_result *out, iv_err *err);

/* The tables runs, one row a run, the best first; and paper, one column a measure. */
IV_MUST_CHECK int iv_comparing_runs(iv_comparing *c, iv_result *out, iv_err *err);
IV_MUST_CHECK int iv_comparing_paper(iv_comparing *c, iv_result *out, iv_err *err);

/* p of a pair that was adjusted with those of other comparisons; its limits then say the same. */
void iv_comparing_settle(iv_compared_pair *pair, iv_compared_test *test, double p,
                         const iv_comparing *c);

/* How many sets there are. */
static inline size_t iv_comparing_set_names(const iv_comparing *c)
{
    return c->asked->scores.given ? c->card.v->suite_count : 0;
}

/* The table sampling: of each pair the standard error of the difference and its two parts. */
IV_MUST_CHECK int iv_comparing_sampling(iv_comparing *c, iv_result *out, iv_err *err);

/* What is drawn, and the tables it is drawn from. */
IV_MUST_CHECK int iv_comparing_charts(const iv_comparing *c, iv_result *out, iv_err *err);

/* "***", "**", "*" or "", by p. */
const char *iv_comparing_mark(double p);

/* ----------------------------------------------------------- run notes -- */
/* What is said of runs and judgments, whatever they are evaluated for. */

/* The files that were read, as inputs of the result. */
void iv_tell_inputs(iv_result *out, const iv_source *source, const iv_evaluated *v);

/* Ranks against scores, several tags, the same file twice. */
void iv_tell_run_files(iv_result *out, const iv_evaluated *v);

/* Scores that tie, in single precision or at all, and unjudged documents near the top;
 * hint: what shows how much that matters, or "".  removed: they left the ranking. */
void iv_tell_float_ties(iv_result *out, const iv_evaluated *v);
void iv_tell_ties(iv_result *out, const iv_evaluated *v, const char *hint);
void iv_tell_unjudged(iv_result *out, const iv_evaluated *v, bool removed, const char *hint);

/* The proportion of unjudged documents among those that the first measure looks at; and the run
 * where it is largest. */
double iv_top_unjudged(const iv_evaluated_run *run);
size_t iv_most_unjudged(const iv_evaluated *v);

/* Measures of subtopics where there is one. */
void iv_tell_subtopics(iv_result *out, const iv_evaluated *v);
/* Has every run a mean of 0, since no judgment reaches the grade that is relevant? */
bool iv_none_relevant(const iv_evaluated *v, size_t measure);

/* Measures of which that is so, what stands for the highest grade, and judgments none of which is
 * of a document that is not relevant.  removed: unjudged documents left the ranking. */
void iv_tell_grades(iv_result *out, const iv_evaluated *v, bool removed);

/* IV_ENODATA, with the run: none of its documents is judged, or more than IV_OUTSIDE_MOST of what a
 * measure looks at is outside of the sampled frame, and no difference can be tested. */
int iv_check_frame(const iv_evaluated *v, iv_err *err);

/* What is irregular in a sample, and in the estimator. */
void iv_tell_irregular(iv_result *out, const iv_evaluated *v, iv_unjudged unjudged);

/* "" or "s". */
const char *iv_plural(uint64_t n);

/* ---------------------------------------------------------------- eval -- */
/* What the parts of the answer to eval share. */

typedef struct iv_eval {
    const iv_eval_question *asked;
    const iv_evaluation *evaluation;
    const iv_evaluated *v;
    size_t *order; /* of the runs in tables: by the first measure that has a mean */
    iv_result *out;
} iv_eval;

/* A value in the tables of eval: of a topic, or over topics. */
typedef struct iv_eval_line {
    const char *run, *measure, *canonical, *reason, *method;
    iv_str topic;
    size_t topics, missing, relevant;
    double value, se, lower, upper, se_judgments, se_topics, outside;
    iv_limits bounds;
    iv_interval ties;
    iv_interval_gap gap;
    iv_interval_method by;
} iv_eval_line;

/* When a column is there, or shown to people. */
enum {
    IV_EVAL_ONE_RUN = 1 << 0,
    IV_EVAL_MANY_RUNS = 1 << 1,
    IV_EVAL_TOPICS = 1 << 2,    /* each topic has a row */
    IV_EVAL_UNEVEN = 1 << 3,    /* runs differ in their number of topics */
    IV_EVAL_ERRORS = 1 << 4,    /* the standard error is worth its room */
    IV_EVAL_INTERVALS = 1 << 5,
    IV_EVAL_LACKING = 1 << 6,   /* some run misses a topic */
    IV_EVAL_BOUNDS = 1 << 7,
    IV_EVAL_TIES = 1 << 8,
    IV_EVAL_SAMPLED = 1 << 9,
    IV_EVAL_OUTSIDE = 1 << 10, /* some of a run is outside of the sampled frame */
    IV_EVAL_JUDGED = 1 << 11, IV_EVAL_SCORES = 1 << 12 /* of judgments, or scores of any kind */
};

/* The table measures, of runs or of systems and their items. */
extern const iv_field iv_eval_measure_fields[];

static inline const iv_mean *iv_eval_mean(const iv_eval *e, size_t run, size_t measure)
{
    return &e->v->means[run * e->v->measure_count + measure];
}

/* Does a measure show in tables, for each topic? */
static inline bool iv_eval_by_topic(const iv_eval *e, size_t measure)
{
    return !e->v->measures[measure].text && e->v->measures[measure].per_topic;
}

/* Is it a number of topics or documents, known and not estimated? */
static inline bool iv_eval_counts(const iv_eval *e, size_t measure)
{
    return e->v->measures[measure].count && e->v->sampling == NULL;
}

/* The first measure with a mean, a score rather than a number of documents or topics: it
 * decides the order, and is the answer; IV_NONE: there is none. */
size_t iv_eval_deciding(const iv_eval *e, size_t run);

/* Is none of a run's documents judged, of complete judgments? */
bool iv_eval_unmatched(const iv_eval *e, size_t run);

/* What else a reader must know. */
void iv_eval_notes(const iv_eval *e);

/* Names the method of an interval over topics or other items, and what it is used for unless
 * `only` is "". */
void iv_eval_use_interval(iv_result *out, iv_interval_method method, const char *items,
                          const char *only);

/* Names the methods of all intervals, the most frequent first, others with their measures.
 * Returns whether there is an interval. */
bool iv_eval_use_intervals(const iv_eval *e);

/* Says where there is no interval, and why. */
void iv_eval_say_gap(iv_result *out, iv_interval_gap gap, iv_listing *where);

/* Intervals whose coverage is known to be low. */
/* What a warning of few items names instead. */
#define IV_EVAL_INSTEAD ". Limits of --guaranteed are valid for any values"

typedef struct iv_eval_doubts {
    size_t few;    /* the fewest values; 0: they are not few */
    size_t few_items; /* the same of Studentised logit bootstraps */
    double skewed; /* the largest skewness of a t interval; 0: none */
    size_t skewed_values;
    double dropped; /* the largest share of resamples without a logit; 0: none */
    double equal;   /* the same of resamples of equal values, which have no Student's t */
} iv_eval_doubts;

/* Adds an interval, which took so many resamples; then warns, of values of "topics" or "items". */
void iv_eval_doubt(iv_eval_doubts *which, const iv_mean_interval *x, size_t resamples);
void iv_eval_tell_doubts(iv_result *out, const iv_eval_doubts *which, const char *items,
                         const char *instead);
/* The same of sampled judgments. */
void iv_eval_sampled_sentence(const iv_eval *e);

void iv_eval_sampled_method(const iv_eval *e);

/* The answer where scores are given. */
IV_MUST_CHECK int iv_eval_scores(iv_result *out, const iv_eval_question *q, const iv_work *work,
                                 iv_err *err);

/* -------------------------------------------------------- judge tables -- */
/* Tables of judges beside a reference, which several answers have. */

/* A judge to be told of. */
typedef struct iv_told_judge {
    const char *name;
    iv_judge is;
    double p_best;    /* that it is worth as much as the first; NaN: it is the first */
    iv_verdicts runs; /* orders of runs; of 0 systems: none */
} iv_told_judge;

/* The tables judges, confusion, calibration and drift, and their charts. */
void iv_judge_tables(iv_result *out, iv_arena *memory, const iv_told_judge *judges,
                     size_t count, iv_showing showing);

/* Notes: what only one side has, few items, scores, drift, one label for all. */
void iv_judge_notes(iv_result *out, const iv_told_judge *judges, size_t count);

/* The file's name without folder and known endings, in memory. */
const char *iv_judge_name(iv_arena *memory, const char *path);

/* ---------------------------------------------------- judging messages -- */
/* What the commands about samples and active judging say beside their answers. */

extern const iv_message iv_judging_messages[];

/* A row by its id: {n}, then {a} and {b}, {s} and {t}. */
#define IV_SAY(out, id, ...) IV_TELL(out, iv_judging_messages, id, __VA_ARGS__)

/* -------------------------------------------------------------- recall -- */
/* The parts of the answer to a question about recall. */

/* The claim that recall is at least the target, for one case. */
typedef struct iv_recall_claim {
    iv_verdict verdict;
    iv_limits limits; /* one-sided, each by itself */
    iv_verdict guaranteed;     /* the verdict of the method exact; IV_VERDICT_NONE: not computed */
    double guaranteed_lower;   /* its one-sided lower limit */
    int64_t more;              /* documents that would decide it; -1: unknown */
    bool unretrieved_only;     /* and whether all of them are unretrieved */
} iv_recall_claim;

typedef struct iv_recall_state {
    const iv_recall_question *q;
    iv_recall_options how;
    iv_recall_method method; /* as asked for; IV_RECALL_AUTO: the default */
    double confidence;
    const iv_review_case *cases;
    size_t case_count;
    bool ranked; /* cases have topics and cut-offs */
    const iv_review_findings *found;
    const iv_recall_claim *claims; /* of the cases; NULL: no target */
    /* Of a review that is being judged: its log (NULL: counts alone), and what is valid at any
     * time, if that is asked. */
    iv_review_log *log;
    iv_limits limits; /* one-sided, each by itself */
    double e;         /* log e-value against a recall below the target; NaN */
    double needed;    /* to reject it */
    int64_t documents, blocks, pending;
} iv_recall_state;

/* The rows of all notes, and one of them with texts for {s} and {t}. */
extern const iv_message iv_recall_messages[];
void iv_recall_say(iv_result *out, const char *id, size_t count, const char *s, const char *t);

/* Names the bounds of planned interim analyses. */
void iv_looks_method(iv_result *out, iv_look_shape shape);

/* ----------------------------------------------------------------- parts -- */

/* The answer, its notes and its method. */
void iv_recall_words(iv_result *out, const iv_recall_state *t);

/* What becomes of the target: t->claims. */
IV_MUST_CHECK int iv_recall_claims(iv_recall_state *t, iv_result *out, iv_err *err);

/* "yes", "probably yes", "no", "probably no" or "inconclusive"; the first and the third only of
 * a guaranteed method. */
const char *iv_recall_verdict_word(iv_verdict verdict, bool guaranteed);
bool iv_recall_is_guaranteed(const iv_recall_state *t);

/* Does the interval speak for its case?  Of all methods the default one does. */
bool iv_recall_speaks(const iv_recall_state *t, const iv_review_quantity *x);
iv_verdict iv_recall_verdict(iv_limits x, double target);

/* Reads strata, or takes the segments for them, and the log of the review, if there is one. */
IV_MUST_CHECK int iv_recall_read_strata(iv_review **out, iv_recall_state *t, iv_result *r,
                                        const iv_work *work, iv_err *err);

/* Computes the limits at any time, if asked; and their table. */
IV_MUST_CHECK int iv_recall_watch(iv_recall_state *t, iv_err *err);
void iv_recall_anytime_table(iv_result *out, const iv_recall_state *t);

/* Rules that say when a review may stop: table stop.  The hypergeometric rule; control
 * documents by counts; control documents in a ranking. */
IV_MUST_CHECK int iv_recall_stop_random(iv_result *out, const iv_recall_question *q,
                                        iv_err *err);
IV_MUST_CHECK int iv_recall_stop_control(iv_result *out, const iv_recall_question *q,
                                         iv_err *err);
IV_MUST_CHECK int iv_recall_stop(iv_result *out, const iv_recall_question *q, const iv_run *run,
                                 const iv_judgments *known, const iv_judgments *found,
                                 iv_err *err);

/* The error of a one-sided limit at this interim analysis; 0: there are none. */
IV_MUST_CHECK int iv_recall_look(double *error, iv_result *out, const iv_recall_question *q,
                                 iv_err *err);

/* Elusion, from the unretrieved segment alone; and intervals of one proportion. */
IV_MUST_CHECK int iv_answer_elusion(iv_result *out, const iv_recall_question *q, iv_err *err);
IV_MUST_CHECK int iv_answer_proportion(iv_result *out, const iv_recall_question *q, iv_err *err);

/* ---------------------------------------------------- two phase answer -- */
/* eval, compare and sample with automatic labels beside human ones. */

IV_MUST_CHECK int iv_eval_two_phase(iv_result *out, const iv_eval_question *q,
                                    const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_compare_two_phase(iv_result *out, const iv_compare_question *q,
                                       const iv_work *work, iv_err *err);

/* sample of documents that have automatic labels. */
IV_MUST_CHECK int iv_sample_labels(iv_result *out, const iv_sample_question *q, const iv_work *work,
                                   iv_err *err);

#endif
