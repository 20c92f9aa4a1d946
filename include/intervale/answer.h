/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer -- from a question to a result with its sentence,
 * tables, notes, charts and references; report.h writes it.
 *
 *     iv_result *r;
 *     rc = iv_result_new(&r, "eval", &err);
 *     rc = iv_answer_eval(r, &(iv_eval_question){ .source.judgments = path, ... }, NULL, &err);
 *     rc = iv_report_write(stdout, r, &(iv_report_options){ 0 }, &err);
 *
 * A question of zeros requests what the tool does without options.
 */
#ifndef INTERVALE_ANSWER_H
#define INTERVALE_ANSWER_H

#include <stdio.h>

#include "intervale/base.h"
#include "intervale/design.h"
#include "intervale/estimate.h"
#include "intervale/measure.h"
#include "intervale/plan.h"
#include "intervale/simulate.h"
#include "intervale/stat.h"
#include "intervale/trec.h"

IV_BEGIN_C

/* Which formats files have, and what is wrong with them. */

typedef struct iv_check_question {
    iv_texts files;
    iv_judgments_format format; /* to read the files in */
    int64_t most; /* problems to list of each file; 0: 100; IV_ZERO: all */
} iv_check_question;

/*
 * Fills the sentence, the tables `files`, `details` and `problems`, and notes on topics
 * that runs and judgments have in common.  IV_EPARSE if a file has an error, IV_EIO if one
 * cannot be read: err is about the first; the result has all files that could be read.
 */
IV_API IV_MUST_CHECK int iv_answer_check(iv_result *out, const iv_check_question *question,
                                         const iv_work *work, iv_err *err);

/* Which tables answers have, and what their columns mean, for help. */

/*
 * A table of a command.  Its fields are all columns that it can have; an answer
 * has those that the question needs.  A name in capitals stands for one column for each
 * measure, system or class.  A table that is made in several ways is listed several times,
 * one after another.
 */
typedef struct iv_known_table {
    const char *command, *table;
    const iv_field *fields; /* ends with a name that is NULL; only name and about mean
                               something here */
} iv_known_table;

/* All of them, in the order of commands; static.  Cannot fail. */
IV_API size_t iv_known_tables(const iv_known_table **out);

/*
 * What to judge, and what can be said before all is judged: the questions of the
 * commands sample, next and incomplete.
 */

/* ------------------------------------------------------------- sample -- */

/* Which documents should be judged, and with which probability? */
typedef struct iv_sample_question {
    iv_source from;        /* the runs; judgments, if any, are filled in */
    size_t depth;          /* of the frame; 0: IV_FRAME_DEPTH */
    /* A file of automatic labels: documents are sampled from it by this design, without runs, and
     * written as qrels with grade -1; NULL: none. */
    const char *machine;
    iv_human_design human_design;
    iv_sample_options how; /* except its judgments */
    FILE *form;            /* where to write the file to fill in; NULL: nowhere */
} iv_sample_question;

/*
 * Table design has a row for each topic, table probabilities one for each bucket.
 * IV_EARG for options that contradict each other;
 * otherwise as iv_frame_new(), iv_sample_draw() and iv_sample_write().
 */
IV_API IV_MUST_CHECK int iv_answer_sample(iv_result *out, const iv_sample_question *q,
                                          const iv_work *work, iv_err *err);

/* --------------------------------------------------------------- next -- */

/* Which judgments would show which run is better? */
typedef struct iv_next_question {
    iv_source from;        /* a file of judgments may be empty */
    size_t count;          /* documents to list; 0: 10 */
    const char *write;     /* a file to write: the judgments, and these documents with grade -1,
                              to be filled in; NULL: none */
    const char *relevance; /* of unjudged documents: a probability in (0, 1), or "rank":
                              estimated from the judged ones; NULL: "rank" */
    bool paper;            /* as Carterette and Smucker (2007): relevance 0.5, the plain moments,
                              only documents that the runs return */
    size_t depth;          /* of the runs to look at; 0: all */
    int32_t level;         /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    const char *machine;   /* a file of automatic labels; NULL: none */
    /* Judging is simulated with these judgments ... */
    const char *oracle;    /* a file; NULL: it is not simulated */
    double until;          /* ... until the signs have this confidence; 0: 0.95 */
    iv_no_answer no_answer;
    size_t most;           /* judgments; 0: no limit */
} iv_next_question;

/*
 * Tables documents and pairs; also judging, if it is simulated.  IV_EARG for an
 * invalid relevance or fewer than two runs; otherwise as iv_inquiry_new() and
 * iv_judge_until().
 */
IV_API IV_MUST_CHECK int iv_answer_next(iv_result *out, const iv_next_question *q,
                                        const iv_work *work, iv_err *err);

/* --------------------------------------------------------- incomplete -- */

/* Which run is better, given the judgments so far? */
typedef struct iv_incomplete_question {
    iv_source from;             /* a file of judgments may be empty */
    const char *baseline;       /* each run against this one, by name or file; NULL: all
                                   pairs */
    const char *relevance;      /* as in iv_next_question, as is this: */
    bool paper;
    size_t depth;               /* of the runs to look at; 0: all */
    int32_t level;              /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    iv_alternative alternative; /* of the sign test */
    double confidence;          /* in a sign; 0: 0.95 */
} iv_incomplete_question;

/* Tables pairs and signs.  IV_EARG as for next, and for a baseline that is not among the
 * runs. */
IV_API IV_MUST_CHECK int iv_answer_incomplete(iv_result *out, const iv_incomplete_question *q,
                                              const iv_work *work, iv_err *err);

/* How similar are runs, without judgments, and rankings of systems by two sets of scores? */

/* {0}, except for two or more runs, is what the tool does without options. */
typedef struct iv_overlap_question {
    iv_source from; /* the runs; judgments are ignored */
    iv_overlap_options how;
    iv_resampling resampling;
} iv_overlap_question;

/*
 * Compares every pair of runs on the topics that both have.  Tables: pairs (means over
 * topics with intervals) and topics (the
 * most different first).  IV_EARG for fewer than two runs or an option outside its
 * domain, IV_ENODATA for runs without a common topic.
 */
IV_API IV_MUST_CHECK int iv_answer_overlap(iv_result *out, const iv_overlap_question *question,
                                           const iv_work *work, iv_err *err);

/*
 * Judges of the same documents; or
 * two sets of scores of the same systems on the same topics: b is by other judgments, by
 * another measure, or of reproduced runs.  {0}, except for one of these forms, is what the
 * tool does without options.
 */
typedef struct iv_agree_question {
    const char *a_matrix, *b_matrix; /* two files of scores of the same systems ... */
    iv_score_rows by;       /* of these files; auto: systems */
    iv_source source;       /* ... or judgments and runs, and one of: */
    const char *other;      /* other judgments of the same runs, ... */
    const iv_judgments *other_judged; /* ... or these in memory */
    iv_texts again;         /* the reproduced runs, in the order of the runs, ... */
    const iv_run *const *again_ranked; /* ... or these in memory */
    size_t again_ranked_count;
    const char *measure;    /* NULL: AP */
    const char *other_measure; /* of b; NULL: as measure */
    const char *baseline;   /* a system by name: effects over it */
    double persistence; /* of rank-biased overlap; 0: 0.9 */
    double confidence;  /* 0: 0.95 */
    /*
     * Or judges: files of labels of the documents in source.judgments, the reference,
     * and runs (of six fields) to be ranked by each; which is which is detected from the content.
     */
    iv_texts beside;
    int32_t level, judge_level; /* as in iv_judge_options */
    iv_kappa_weights weights;   /* of the kappa of grades */
    /*
     * Or labels by several assessors, a table as iv_assessments_load() reads it, and runs of
     * source, which are scored by the labels of each assessor.
     */
    const char *assessors;
    iv_label_scale scale;    /* of Krippendorff's alpha */
} iv_agree_question;

/*
 * For assessors: tables alpha, assessors, kappas (of pairs of them), majority; with runs
 * also answers (by each assessor and by the majority) and verdicts (on pairs of runs).
 *
 * With files beside the judgments: how far each judge agrees with the reference.  Tables:
 * judges (the most informative first), confusion, calibration.
 *
 * Otherwise it compares the two rankings of the systems and says which verdicts on pairs change.
 * Tables: orders, systems (with the root mean squared difference of their scores), pairs
 * (people see those whose verdicts differ), effects (with a baseline).  IV_EARG for an
 * incomplete question or an option outside its domain, IV_ENODATA for fewer than two
 * common systems or topics.
 */
IV_API IV_MUST_CHECK int iv_answer_agree(iv_result *out, const iv_agree_question *question,
                                         const iv_work *work, iv_err *err);

/* Which measures exist, and how each is defined. */

typedef struct iv_measures_question {
    iv_texts names; /* with or without parameters, or of sets; none: all */
    FILE *prose;    /* explanations of names are written there, and no table is made; NULL: none */
} iv_measures_question;

/* Fills the table `measures`.  IV_EARG for an unknown name. */
IV_API IV_MUST_CHECK int iv_answer_measures(iv_result *out, const iv_measures_question *question,
                                            const iv_work *work, iv_err *err);

/* How many unretrieved documents must be judged to show that few are relevant? */

/* The first two must be given. */
typedef struct iv_plan_elusion_question {
    int64_t population;  /* documents not retrieved */
    double below;        /* demonstrate that elusion is below this proportion */
    iv_integers accept;  /* relevant documents accepted in the sample; none: 0, 1, 2, 3, 5, 10 */
    double elusion;      /* expected, for P(acceptance); 0: a quarter of below */
    double assurance;    /* P(acceptance) to reach; 0: 0.9 */
    double confidence;
} iv_plan_elusion_question;

/* Table plan.  Errors as those of iv_elusion_size(). */
IV_API IV_MUST_CHECK int iv_answer_plan_elusion(iv_result *out,
                                                const iv_plan_elusion_question *q,
                                                const iv_work *work, iv_err *err);

/* How many documents, or whole topics, should people label in addition to automatic labels? */

/* {0} except for the pilot, the automatic labels, the runs and the width. */
typedef struct iv_plan_machine_question {
    iv_source source;    /* a pilot's judgments, and runs */
    iv_machines machine; /* automatic labels, and how the pilot was chosen */
    iv_texts measures;   /* none: AP */
    int32_t level;       /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    double width;        /* of the interval to reach, above 0 */
    double confidence;   /* 0: 0.95 */
} iv_plan_machine_question;

/* Table plan, with a row for each measure.  Errors as iv_two_phase_new(). */
IV_API IV_MUST_CHECK int iv_answer_plan_machine(iv_result *out,
                                                const iv_plan_machine_question *question,
                                                const iv_work *work, iv_err *err);

/* How many documents must be judged for a recall interval, and of which segment? */

/*
 * The first four must be given (precision unless retrieved_judged is).  Two numbers for recall or
 * precision are a range, whose middle is tried as well; at most 7 of each.
 */
typedef struct iv_plan_recall_question {
    int64_t population, retrieved; /* documents */
    iv_reals recall, precision;    /* expected values */
    iv_integers total;    /* documents to judge; none: 500, 1000, 2000 and 5000 */
    double width;         /* to reach, instead of totals */
    double lower;         /* a lower limit to reach, instead ... */
    double assurance;     /* ... with this probability; 0: on average */
    double target;        /* to demonstrate by a one-sided limit with the assurance (0: 0.8) */
    bool guaranteed;      /* with guaranteed limits */
    iv_recall_method method;
    double confidence;
    bool one_sided;
    int64_t retrieved_judged; /* all retrieved documents were read, and this number is relevant:
                                 only the others are to be judged, totals count only these, and
                                 no precision is needed; 0: not so */
} iv_plan_recall_question;

/* Table plan.  Errors as those of plan.h. */
IV_API IV_MUST_CHECK int iv_answer_plan_recall(iv_result *out, const iv_plan_recall_question *q,
                                               const iv_work *work, iv_err *err);

/* prefer -- which system do people, or a judge, prefer? */

/* {0}, except for a file, is what the tool does without options. */
typedef struct iv_prefer_question {
    const char *file;    /* votes: a table with a header, or JSON lines */
    const iv_csv *table; /* instead of the file */
    iv_texts columns;    /* ROLE=NAME with a role of a, b, winner, item, judge */
    iv_texts judges;     /* only votes of these; none: all */
    const char *human;   /* the judge that others are compared with; NULL: human */
    bool position;       /* correct strengths for the order in which answers were shown */
    double confidence;   /* 0: 0.95 */
} iv_prefer_question;

/*
 * Tables: systems (strength, interval, ranks, wins), position, judges.  If there is no estimate,
 * the answer says why, and strengths are missing.  IV_EPARSE for a bad file, IV_ENODATA for one
 * without votes, IV_EARG for more than 2,000 systems.
 */
IV_API IV_MUST_CHECK int iv_answer_prefer(iv_result *out, const iv_prefer_question *question,
                                          const iv_work *work, iv_err *err);

/* prf -- how sure is a precision, recall or F, and which system is better? */

/* {0}, except for the input, is what the tool does without options. */
typedef struct iv_prf_question {
    iv_prf_input from;
    iv_prf_options how;
    iv_texts targets; /* "f1=0.8": the claim that F1 is at least 0.8, one-sided at the confidence;
                         the result then has a verdict */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in how.metrics' first (none: F1, of classes macro F1), on the same items. */
    bool not_worse;
    const char *baseline;
    double margin;
    /* The column of a machine's labels: gold is then empty where nobody looked, and of
     * prevalence, precision, recall and F1 of each system people alone, with the machine, and the
     * machine alone are reported (iv_checked).  NULL: none. */
    const char *machine;
    const char *probability; /* the column of probabilities to be looked at; NULL: pi */
} iv_prf_question;

/*
 * Fills a new result with the sentence, tables, notes and charts of the question.
 * Labels of two systems are always compared on the same items.  Tables: comparison, best, paired
 * (of a comparison), metrics, classes and confusion (of categories, or from labels), curves.  Fails
 * as iv_prf_evaluate().
 */
IV_API IV_MUST_CHECK int iv_answer_prf(iv_result *out, const iv_prf_question *question,
                                       const iv_work *work, iv_err *err);

/* How complete was a search or review? */

/* When may a review stop? */
typedef enum iv_review_stop {
    IV_REVIEW_STOP_NONE, /* not asked */
    IV_REVIEW_STOP_QBCB, /* when enough relevant control documents are found */
    IV_REVIEW_STOP_HYPERGEOMETRIC /* when a random sample of the documents left makes it unlikely
                            that the target is missed: two segments, all retrieved documents
                            read.  Exact for one test, approximate for repeated tests */
} iv_review_stop;

/* "none", "qbcb", "hypergeometric", NULL. */
IV_API const char *const *iv_review_stop_names(void);

/*
 * The judgments are one of: two segments; the unretrieved segment alone, which gives
 * elusion; strata, in a file or in memory; a
 * ranking and a sample, in files or in memory.  All other members may be 0.
 */
typedef struct iv_recall_question {
    iv_integers retrieved, unretrieved; /* N, n, r of each segment */
    iv_integers rechecked;              /* k, c, m, d of each: k of the r relevant ones were
                                           rechecked and c are relevant; m of the other n - r
                                           were, and d are relevant */
    iv_integers control;                /* relevant control documents: found, and all; with the
                                           target: may the review stop? */
    iv_integers proportion;             /* r, n: intervals of one proportion */
    const char *strata, *runs;          /* a table of strata (trec.h); which columns are runs */
    const iv_strata_table *table;       /* instead of strata */
    const char *run, *sample;           /* paths */
    const iv_run *ranking;              /* instead of run; run is then its name */
    const iv_judgments *judged;         /* instead of sample, in the same way */
    const char *collection;             /* number of documents in it; "run": those ranked */
    iv_integers at;                     /* these six: see iv_review_sample */
    int64_t drawn_at, level;
    const char *machine;                /* a file of automatic labels; see iv_review_sample */
    int64_t machine_level;
    iv_unsampled unsampled;
    iv_unjudged unjudged;
    iv_recall_method method;
    double confidence;
    bool one_sided;
    bool guaranteed;                    /* the method exact: valid for every true value */
    iv_reals prior;                     /* a, b; none: 1/2 each */
    double target;                      /* is recall at least this? */
    double max_elusion;                 /* of the unretrieved segment: is elusion below this? */
    /* While judging: */
    const char *log;                    /* the judgments in their order, a file as
                                           iv_review_log_load() reads it; segments may then
                                           be N alone */
    bool anytime;                       /* limits that are valid at any time; needs a log unless
                                           only one stratum is left to sample */
    size_t looks, look;                 /* planned interim analyses, and which this is; 0: none */
    iv_look_shape shape;                /* of the plan */
    const char *found;                  /* with qbcb: a file of the review's judgments so far, which
                                           checks that the control sample is random */
    iv_review_stop stop;                /* with a target; qbcb needs a ranking and a sample, but
                                           no collection */
} iv_recall_question;

/*
 * Tables recall, measures, yield, data, curves, anytime.  Only table stop or control for
 * stop or control; elusion and missed for the unretrieved segment alone; rechecked for
 * rechecked judgments; proportion for a proportion.  IV_EARG for contradictory or invalid
 * options, IV_ENODATA if recall is undefined, IV_EPARSE and IV_EIO for files.
 */
IV_API IV_MUST_CHECK int iv_answer_recall(iv_result *out, const iv_recall_question *q,
                                          const iv_work *work, iv_err *err);

/* The methods that numbers come from, and the papers they are cited by. */

/* A method that can be named: src/answer/methods.c lists them. */
typedef struct iv_method_row {
    const char *id;    /* "holm" */
    const char *text;  /* "Holm's correction" */
    const char *cites; /* keys of papers, separated by blanks; "": none is needed */
} iv_method_row;

/* Scores of any kind, as several questions take them. */

/* Whether the sets of a suite are fixed, or a sample of such sets. */
typedef enum iv_sets { IV_SETS_FIXED, IV_SETS_SAMPLED } iv_sets;

/* "fixed", "sampled", NULL. */
IV_API const char *const *iv_sets_names(void);

/* {0}: there are none. */
typedef struct iv_score_input {
    bool given;           /* the question is about these, not about judgments and runs */
    iv_score_source from;
    iv_sets sets;
    iv_texts set_weights; /* "SET=2.5"; other sets have weight 1 */
    bool binary;          /* scores must be 0 or 1 */
} iv_score_input;

/*
 * Which of some runs differ, and how sure is that?
 *
 *     iv_result *r = NULL;
 *     const iv_compare_question q = {
 *         .source = { .judgments = "qrels", .runs = { paths, 2 } } };
 *     if (iv_result_new(&r, "compare", &err) == IV_OK
 *         && iv_answer_compare(r, &q, NULL, &err) == IV_OK)
 *         puts(iv_result_answer_text(r));
 *
 * iv_report_write() writes the whole result, as the command does.
 */

/* How the table paper shows intervals. */
typedef enum iv_paper_interval {
    IV_PAPER_BRACKETS,    /* 0.40 [0.32, 0.48] */
    IV_PAPER_PM,          /* 0.40 +-0.08, half its width */
    IV_PAPER_NO_INTERVAL
} iv_paper_interval;

/* Their names, in the order of the enum, ending with NULL. */
IV_API const char *const *iv_paper_interval_names(void);

/* {0} is the default of every member, except for what to compare, in one of
 * three forms: */
typedef struct iv_compare_question {
    /* Judgments and runs.  These members of scoring are used: measures (none: AP), complete,
     * measure, estimator and unjudged. */
    iv_source source;
    iv_evaluating scoring;

    /* Scores in memory, values[system * topics.count + topic], NaN if a score is
     * missing.  scoring.measures names them (none: score); with scoring.complete
     * missing scores are 0. */
    const double *values;
    iv_texts systems, topics;

    /* Scores of any kind, with repeats, clusters, sets.  scoring.measures chooses measures
     * (none: one); scoring.complete is used, too.  scores.binary also applies to the form above. */
    iv_score_input scores;

    /* The claim that no run is worse than the baseline by more than how.margin; both
     * must be given.  The result then has a verdict, one-sided at level 1 - confidence. */
    bool not_worse;
    bool gate_sets; /* ... and significantly worse in no set of the suite (Holm's correction) */
    bool gate_on_worse; /* an inconclusive verdict passes; only a loss beyond the margin fails */

    const char *groups;   /* a file with the columns topic and group */
    iv_texts baselines;   /* compare each run with these, not all pairs: by name, path or file */
    iv_texts tests;       /* of iv_pair_test_names(); none: hall, or mcnemar for scores 0 and 1 */
    iv_paper_interval paper;
    iv_compare_options how; /* except tests and baselines, which are given by name here */

    /* Automatic labels in addition to human ones; {0}: none.  Differences are then tested
     * by Student's t alone, and corrected by Holm's method. */
    iv_machines machine;
} iv_compare_question;

/*
 * Compares the runs and fills out, a new result: a sentence for each
 * measure; the tables pairs, runs, paper and topics; groups if there are
 * groups; sets for a suite; sampling if the judgments are a sample; charts, notes and
 * inputs.
 *
 * IV_EARG for an unknown name or an option outside its domain, IV_ENODATA if
 * runs have too little in common; otherwise as iv_evaluate() and iv_compare().
 */
IV_API IV_MUST_CHECK int iv_answer_compare(iv_result *out, const iv_compare_question *question,
                                           const iv_work *work, iv_err *err);

/* Every measure of every run, with its interval. */

/* {0} except for the source: the default measures, means over topics, 95 % intervals. */
typedef struct iv_eval_question {
    iv_source source;
    iv_evaluating how;
    bool topics;        /* show each topic, too */
    bool no_summary;    /* omit the means over topics */
    const char *matrix; /* a file to write: the first measure, systems x topics */
    /* Scores of any kind instead of the source.  These members of how are used: measures
     * (none: all), complete, interval, guaranteed and resampling. */
    iv_score_input scores;
    /* A file to write, by iv_write_scores(): the scores of every topic, which can be combined
     * with others (source.parts).  They are not kept; the result has only a sentence. */
    const char *write_scores;
    iv_texts at_least;  /* claims MEASURE=X: the interval is above X (PASS), below it (FAIL) */
    FILE *trec;         /* where to write trec_eval's lines, instead of tables */
    iv_machines machine; /* automatic labels in addition to human ones; {0}: none */
} iv_eval_question;

/*
 * Fills the sentence, the table `measures` (a row for each mean and, if requested, each
 * topic; otherwise topics are in table `topics`, on request), notes and charts; for scores also
 * `errors`, `sets` and `variance`.  With automatic labels, rows have the values by human labels
 * alone, by both and by automatic labels alone, and the tables
 * judges, calibration and confusion show their agreement.  IV_EARG for options that are invalid
 * or do not fit the judgments; otherwise as iv_evaluate().
 */
IV_API IV_MUST_CHECK int iv_answer_eval(iv_result *out, const iv_eval_question *question,
                                        const iv_work *work, iv_err *err);

/* How much is enough: the questions of the commands plan power, topics, cost, pilot,
 * sample and looks. */

/*
 * Two of topics, effect and power: what is the third?  All combinations are
 * answered.  An effect may be given as a difference in the measure's units.
 */
typedef struct iv_plan_power_question {
    iv_texts tests;      /* of iv_planned_test_names(); none: t */
    iv_integers topics;
    iv_reals effect, power;
    iv_reals difference; /* instead of effects; needs ... */
    double sd;           /* ... the standard deviation of differences over topics */
    iv_reals certainty;  /* none: 1 */
    iv_sides sides;
    double alpha;        /* 0: 0.05 */
    double ties;         /* of sign tests: the proportion of topics that tie */
    size_t runs;         /* to be compared, all pairs; 0: two */
} iv_plan_power_question;

/* Table power.  IV_EARG unless two of the three are given, and sd with a difference;
 * otherwise as iv_power_at(). */
IV_API IV_MUST_CHECK int iv_answer_plan_power(iv_result *out, const iv_plan_power_question *q,
                                              const iv_work *work, iv_err *err);

/* How many topics are needed to find the difference of a pilot? */
typedef struct iv_plan_topics_question {
    iv_score_input scores; /* scores of any kind ... */
    iv_source from;      /* ... or judgments and runs, scored by ... */
    iv_evaluating scoring; /* ... the first of its measures; none: AP */
    const char *baseline; /* each system against this one; NULL: all pairs */
    iv_texts tests;      /* of iv_planned_test_names(); none: t */
    iv_sides sides;
    double power;        /* 0: 0.8 */
    double alpha;        /* 0: 0.05 */
    bool alone;          /* do not divide alpha by the number of pairs */
    double certainty;    /* 0: 1 */
    double confidence;   /* of the effect's interval; 0: 0.95 */
} iv_plan_topics_question;

/* Table topics; for scores with repeats also design: the standard error with more items and
 * more repeats.  IV_EARG for an unknown baseline, or numbers outside their
 * domains; IV_ENODATA for fewer than two systems or topics; otherwise as iv_evaluate(). */
IV_API IV_MUST_CHECK int iv_answer_plan_topics(iv_result *out,
                                               const iv_plan_topics_question *q,
                                               const iv_work *work, iv_err *err);

/* Many topics with few judgments, or few with many? */
typedef struct iv_plan_cost_question {
    const char *pilot;     /* a table with the columns certainty, topics and judgments ... */
    iv_reals coefficients; /* ... or the three coefficients of the model */
    double topics;         /* that would be enough if fully judged; 0: 25 */
    iv_prices prices;
    double certainty;      /* above 1/2; 0: the cheapest */
    iv_reals errors;       /* costs of a false positive and a false negative: topics follow ... */
    double effect;         /* ... at this effect; none: topics are given */
    double confidence;     /* 0: 0.95 */
} iv_plan_cost_question;

/* Tables plan, model and curve.  IV_EARG unless either a pilot or coefficients
 * are given; otherwise as iv_cost_fit() and iv_cost_least(). */
IV_API IV_MUST_CHECK int iv_answer_plan_cost(iv_result *out, const iv_plan_cost_question *q,
                                             const iv_work *work, iv_err *err);

/* What do a few judged topics say about a whole experiment? */
typedef struct iv_plan_pilot_question {
    iv_source from;         /* the pilot's judgments, and two runs */
    double effect;          /* to find by the one-sided sign test, with ... */
    double power, alpha;    /* ... these; 0: 0.8 and 0.05 */
    const char *relevance;  /* as in iv_next_question */
    size_t depth;           /* of the runs to look at; 0: all */
    int32_t level;          /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    iv_pilot_options how;   /* topics only without an effect; no prior */
} iv_plan_pilot_question;

/* Tables plan, model and training.  IV_EARG if both topics and an effect are given;
 * otherwise as iv_pilot_study(). */
IV_API IV_MUST_CHECK int iv_answer_plan_pilot(iv_result *out, const iv_plan_pilot_question *q,
                                              const iv_work *work, iv_err *err);

/* How many sampled documents must be judged? */
typedef struct iv_plan_sample_question {
    iv_source from;        /* pilot judgments, complete or a sample; runs */
    iv_unjudged unjudged;  /* documents of a sampled pilot */
    iv_sample_plan_options how;
} iv_plan_sample_question;

/* Tables budget and curve.  Fails as iv_sample_plan_make(). */
IV_API IV_MUST_CHECK int iv_answer_plan_sample(iv_result *out,
                                               const iv_plan_sample_question *q,
                                               const iv_work *work, iv_err *err);

/* Interim analyses of a review or an experiment that may stop early. */
typedef struct iv_plan_looks_question {
    iv_look_shape shape;
    size_t looks;       /* equally spaced; 0: 5 */
    iv_reals fractions; /* of the largest sample, instead */
    int64_t documents;  /* the largest sample; 0: not given */
    double confidence;  /* of the whole plan; 0: 0.95 */
} iv_plan_looks_question;

/* Table looks.  IV_EARG as iv_looks_of(). */
IV_API IV_MUST_CHECK int iv_answer_plan_looks(iv_result *out, const iv_plan_looks_question *q,
                                              const iv_work *work, iv_err *err);

/* roc -- how good are the scores of classifiers? */

typedef struct iv_scored_system {
    const char *name;
    const double *scores;
} iv_scored_system;

/* {0}, except for a file or items in memory, is what the tool does without options. */
typedef struct iv_roc_question {
    /* a table: a column of gold labels, and one for each system (or each system and class) */
    const char *file;
    const char *gold;     /* the gold column; NULL: gold, label, truth, y_true or target */
    /* label of positive items; NULL: 1 for labels 0 and 1, or three or more classes */
    const char *positive;
    iv_texts named;       /* only these columns are systems; none: all others except id; with
                             several classes, the part of a name beside the class */
    const iv_csv *table;  /* instead of the file */
    const iv_scored_system *systems; /* instead of both, ... */
    size_t system_count;
    const bool *is_positive;         /* ... with this number of items */
    size_t items;
    iv_threshold_goal goal;
    size_t bins;       /* of the calibration error; 0: 10 */
    double confidence; /* 0: 0.95 */
    size_t resamples;  /* of thresholds and curves; 0: 2,000 */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in a measure: AUC (NULL), Brier or log_loss. */
    bool not_worse;
    const char *baseline, *measure;
    double margin;
} iv_roc_question;

/*
 * Tables: measures (AUC and average precision; Brier, log loss and ECE if all scores are
 * probabilities), pairs (without AP and ECE), threshold, curves; with three or more gold labels
 * classes (the AUC of each against the rest, and averages), pairs (macro averages) and measures.
 * IV_EPARSE for a bad file, IV_ENODATA unless there are items of both kinds, IV_EARG for
 * an option outside its domain.
 */
IV_API IV_MUST_CHECK int iv_answer_roc(iv_result *out, const iv_roc_question *question,
                                       const iv_work *work, iv_err *err);

/* A simulated test collection, written to files.  Experimental, as simulate.h. */

typedef struct iv_simulate_question {
    const char *directory; /* written completely or not at all */
    iv_simulation_options collection;
    iv_simulation_files files;
} iv_simulate_question;

/* Writes the directory; fills the sentence, the table `runs` and a chart of it. */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_answer_simulate(
    iv_result *out, const iv_simulate_question *question, const iv_work *work, iv_err *err);

/* Sorts the lines of files, also larger than memory, by topic. */

typedef struct iv_sort_question {
    const char *file;   /* "-": standard input */
    const char *sorted; /* a file to write, completely or not at all ... */
    FILE *lines;        /* ... or where to write the lines */
    iv_sorting how;
} iv_sort_question;

/* Sorts, and says how many lines and topics there were.  Fails as
 * iv_sort_lines(), and with IV_EARG unless exactly one place for the lines is given. */
IV_API IV_MUST_CHECK int iv_answer_sort(iv_result *out, const iv_sort_question *q,
                                        const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_H */
