/* SPDX-License-Identifier: Apache-2.0 */
/* What several answers share. */
#ifndef IV_ANSWER_ANSWER_PARTS_H
#define IV_ANSWER_ANSWER_PARTS_H

#include "base/checking.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/result.h"
#include "estimate/source_parts.h"
#include "intervale/design.h"
#include "intervale/estimate.h"
#include "design/inquiry_parts.h"
#include "plan/cost_model.h"
#include "intervale/plan.h"
#include "intervale/stat.h"

/* ------------------------------------------------------------- methods -- */

/* The method of that id (src/answer/methods.c) produced numbers of the result: the line
 * "Method: ..." names it, and its papers are cited.  Once is enough. */
void iv_result_used(iv_result *r, const char *id);

/* The same, with more behind its text: iv_result_used_with(r, "holm", " for %zu pairs", n). */
void iv_result_used_with(iv_result *r, const char *id, const char *fmt, ...) IV_PRINTF(3, 4);

/* Several, with blanks between. */
void iv_result_used_all(iv_result *r, const char *ids);

/* Keeps an object until the answer is made: IV_TRY(IV_KEEP(out, judgments, j, err)). */
#define IV_ENDS(T) static inline void iv_end_##T(void *object) { iv_##T##_free(object); }
#define IV_KEEP(out, T, object, err) iv_keep(&(out)->own, object, iv_end_##T, err)

IV_ENDS(comparison)
IV_ENDS(csv)
IV_ENDS(evaluation)
IV_ENDS(judgments)
IV_ENDS(run)

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
#define IV_LIMITS_FOR(T, of, digits_, whom)                          \
    { "lower", IV_AT(T, of lower), .digits = digits_, .audience = whom, \
      .about = "lower limit of the interval" },                      \
    { "upper", IV_AT(T, of upper), .digits = digits_, .audience = whom, \
      .about = "upper limit of the interval" }
#define IV_LIMITS(T, of, digits_) IV_LIMITS_FOR(T, of, digits_, IV_FOR_ALL)

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

/* The answer of claims, each "PASS: ... . " in w: of several the verdict on all comes first. */
void iv_answer_claims(iv_result *out, iv_wording *w);

/* Claims MEASURE=X: the interval of every row of table measures lies above X, or below. */
IV_MUST_CHECK int iv_claim_at_least(iv_result *out, const iv_texts *targets, double confidence,
                                    iv_err *err);

/* ---------------------------------------------------------- comparisons -- */

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
    char **names;             /* all different */
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

/* What tables have above two limits: "95 % interval", or "one-sided 95 %". */
void iv_name_limits(iv_result *out, double confidence, bool one_sided);

IV_MUST_CHECK int iv_answer_with(iv_result *out, const void *question, const iv_answering *how,
                         const iv_work *work, iv_err *err);

#endif /* IV_ANSWER_ANSWER_PARTS_H */
