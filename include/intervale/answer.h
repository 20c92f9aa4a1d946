/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer -- a question in, a result out, with its sentence,
 * tables, notes, charts and references; report.h writes it.
 *
 *     iv_result *r;
 *     rc = iv_result_new(&r, "eval", &err);
 *     rc = iv_answer_eval(r, &(iv_eval_question){ .source.judgments = path, ... }, NULL, &err);
 *     rc = iv_report_write(stdout, r, &(iv_report_options){ 0 }, &err);
 *
 * A question of zeros asks what the tool answers without options.
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

/* What files are, and what is wrong with them. */

typedef struct iv_check_question {
    iv_texts files;
    iv_judgments_format format; /* to take the files for */
    int64_t most; /* problems to list of each file; 0: 100; IV_ZERO: all */
} iv_check_question;

/*
 * Fills the sentence, the tables `files`, `details` and `problems`, and notes on topics
 * that runs and judgments share.  IV_EPARSE when a file has an error, IV_EIO when one
 * cannot be read: err is about the first, and the result is about all that could be read.
 */
IV_API IV_MUST_CHECK int iv_answer_check(iv_result *out, const iv_check_question *question,
                                         const iv_work *work, iv_err *err);

/* Which tables answers have, and what their columns mean: help, without a question. */

/*
 * A table of a command.  Its fields are all columns that it can have, of which an answer
 * has those that the question needs; a name in capitals stands for one column a
 * measure, system or class.  Where a table is made in several ways it is listed as often,
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

/* Which documents shall be judged, and with which probability? */
typedef struct iv_sample_question {
    iv_source from;        /* the runs; its judgments exist and are filled in */
    size_t depth;          /* of the frame; 0: IV_FRAME_DEPTH */
    /* A file of automatic labels: documents are sampled from it by this design, without runs, and
     * written as qrels with grade -1; NULL: none. */
    const char *machine;
    iv_human_design human_design;
    iv_sample_options how; /* but for its judgments */
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
    const char *relevance; /* of unjudged documents: a probability in (0, 1), or "rank", which is
                              learnt from the judged ones; NULL: "rank" */
    bool paper;            /* as Carterette and Smucker (2007): relevance 0.5, the plain moments,
                              only documents that the runs return */
    size_t depth;          /* of the runs to look at; 0: all */
    int32_t level;         /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    const char *machine;   /* a file of a machine's labels, see iv_inquiry_options; NULL: none */
    /* Judging is simulated, with the answers of these judgments ... */
    const char *oracle;    /* a file; NULL: it is not simulated */
    double until;          /* ... until the signs have this confidence; 0: .95 */
    iv_no_answer no_answer;
    size_t most;           /* judgments; 0: no limit */
} iv_next_question;

/*
 * Tables documents and pairs; judging too, if it is simulated.  IV_EARG for a
 * relevance that is none or fewer than two runs; otherwise as iv_inquiry_new() and
 * iv_judge_until().
 */
IV_API IV_MUST_CHECK int iv_answer_next(iv_result *out, const iv_next_question *q,
                                        const iv_work *work, iv_err *err);

/* --------------------------------------------------------- incomplete -- */

/* Which run is better, as far as the judgments go? */
typedef struct iv_incomplete_question {
    iv_source from;             /* a file of judgments may be empty */
    const char *baseline;       /* each run against this one, by name or file; NULL: all
                                   pairs */
    const char *relevance;      /* as in iv_next_question, as is this: */
    bool paper;
    size_t depth;               /* of the runs to look at; 0: all */
    int32_t level;              /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    iv_alternative alternative; /* of the sign test */
    double confidence;          /* in a sign; 0: .95 */
} iv_incomplete_question;

/* Tables pairs and signs, and expected for charts.  IV_EARG as for next, and for a
 * baseline that is not among the runs. */
IV_API IV_MUST_CHECK int iv_answer_incomplete(iv_result *out, const iv_incomplete_question *q,
                                              const iv_work *work, iv_err *err);

/* How alike are runs, without judgments, and orders of systems by two sets of scores? */

/* {0} but for two runs or more is what the tool does without options. */
typedef struct iv_overlap_question {
    iv_source from; /* the runs; judgments do not count */
    iv_overlap_options how;
    iv_resampling resampling;
} iv_overlap_question;

/*
 * Compares every pair of runs on the topics that both have.  Tables: pairs (means over
 * topics with intervals), judging (which documents decide between the runs), topics (the
 * most different first).  IV_EARG for fewer than two runs or an option outside its
 * domain, IV_ENODATA for runs that share no topic.
 */
IV_API IV_MUST_CHECK int iv_answer_overlap(iv_result *out, const iv_overlap_question *question,
                                           const iv_work *work, iv_err *err);

/*
 * Judges of the same documents; or
 * scores of the same systems on the same topics, twice: b is by other judgments, by
 * another measure, or of the runs made again.  {0} but for one of the forms is what the
 * tool does without options.
 */
typedef struct iv_agree_question {
    const char *a_matrix, *b_matrix; /* two files of scores, systems by name ... */
    iv_score_rows by;       /* of these files; auto: systems */
    iv_source source;       /* ... or judgments and runs, and one of: */
    const char *other;      /* other judgments of the same runs, ... */
    const iv_judgments *other_judged; /* ... or these in memory */
    iv_texts again;         /* the runs made again, in the order of the runs, ... */
    const iv_run *const *again_ranked; /* ... or these in memory */
    size_t again_ranked_count;
    const char *measure;    /* NULL: AP */
    const char *other_measure; /* of b; NULL: as measure */
    const char *baseline;   /* a system by name: effects over it */
    double persistence; /* of rank-biased overlap; 0: 0.9 */
    double confidence;  /* 0: 0.95 */
    /*
     * Judges instead: files of labels of the documents that source.judgments, the reference,
     * judged, and runs (of six fields) to be ordered by each, detected from the content.
     */
    iv_texts beside;
    int32_t level, judge_level; /* as in iv_judge_options */
    iv_kappa_weights weights;   /* of the kappa of grades */
    /*
     * Or labels by several assessors, a table as iv_assessments_load() reads it, and runs of
     * source: what the disagreement does to the measure of each.
     */
    const char *assessors;
    iv_label_scale scale;    /* of Krippendorff's alpha */
} iv_agree_question;

/*
 * Of assessors: tables alpha, assessors, kappas (of pairs of them), majority; with runs
 * answers (by each assessor and by the majority), and verdicts (on pairs of runs).
 *
 * With files beside the judgments: how far each judge agrees with the reference.  Tables:
 * judges (the most informative first), confusion, calibration.
 *
 * Otherwise it compares the two rankings of the systems and says which verdicts on pairs change.
 * Tables: orders, systems (with the root mean squared difference of their scores), pairs
 * (those whose verdicts differ are for people), effects (with a baseline).  IV_EARG for a
 * question that is none or an option outside its domain, IV_ENODATA for fewer than two
 * systems or topics that both have.
 */
IV_API IV_MUST_CHECK int iv_answer_agree(iv_result *out, const iv_agree_question *question,
                                         const iv_work *work, iv_err *err);

/* Which measures there are, and what each one is. */

typedef struct iv_measures_question {
    iv_texts names; /* with or without parameters, or of sets; none: all there are */
    FILE *prose;    /* explanations of names go there, and no table is made; NULL: none */
} iv_measures_question;

/* Fills the table `measures`.  IV_EARG for an unknown name. */
IV_API IV_MUST_CHECK int iv_answer_measures(iv_result *out, const iv_measures_question *question,
                                            const iv_work *work, iv_err *err);

/* How many of the documents left behind must be judged to show that few are relevant? */

/* The first two must be given. */
typedef struct iv_plan_elusion_question {
    int64_t population;  /* documents not retrieved */
    double below;        /* elusion to be shown not to be reached */
    iv_integers accept;  /* relevant documents that may be found; none: 0, 1, 2, 3, 5, 10 */
    double elusion;      /* what it may really be, for P(acceptance); 0: a quarter of below */
    double assurance;    /* P(acceptance) wanted then; 0: .9 */
    double confidence;
} iv_plan_elusion_question;

/* The answer: tables plan and curve.  Errors as those of iv_elusion_size(). */
IV_API IV_MUST_CHECK int iv_answer_plan_elusion(iv_result *out,
                                                const iv_plan_elusion_question *q,
                                                const iv_work *work, iv_err *err);

/* How many documents, or whole topics, should people label beside automatic labels? */

/* {0} but for the pilot, the machine, runs and the width. */
typedef struct iv_plan_machine_question {
    iv_source source;    /* a pilot's judgments, and runs */
    iv_machines machine; /* automatic labels, and how the pilot was chosen */
    iv_texts measures;   /* none: AP */
    int32_t level;       /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    double width;        /* of the interval wanted, above 0 */
    double confidence;   /* 0: .95 */
} iv_plan_machine_question;

/* The answer: table plan, a row a measure.  Errors as iv_two_phase_new(). */
IV_API IV_MUST_CHECK int iv_answer_plan_machine(iv_result *out,
                                                const iv_plan_machine_question *question,
                                                const iv_work *work, iv_err *err);

/* How many documents to judge for a recall interval, and which? */

/*
 * The first four must be given, precision unless retrieved_judged is.  Of recall and precision two
 * numbers are a range, of which the middle is tried as well; at most 7 of each.
 */
typedef struct iv_plan_recall_question {
    int64_t population, retrieved; /* documents */
    iv_reals recall, precision;    /* what they might be */
    iv_integers total;    /* documents to judge; none: 500, 1000, 2000 and 5000 */
    double width;         /* wanted, instead of totals */
    double lower;         /* a lower limit wanted, instead ... */
    double assurance;     /* ... with this probability; 0: on average */
    double target;        /* to be shown by a one-sided limit with the assurance, 0: 0.8 */
    bool guaranteed;      /* by guaranteed limits */
    iv_recall_method method;
    double confidence;
    bool one_sided;
    int64_t retrieved_judged; /* all retrieved are read and so many are relevant: only the others
                                 are to be judged, totals count these, and there is no precision
                                 to guess; 0: not so */
} iv_plan_recall_question;

/* The answer: tables plan, split, size.  Errors as those of plan.h. */
IV_API IV_MUST_CHECK int iv_answer_plan_recall(iv_result *out, const iv_plan_recall_question *q,
                                               const iv_work *work, iv_err *err);

/* prefer -- which system do people, or a judge, prefer? */

/* {0} but for a file is what the tool does without options. */
typedef struct iv_prefer_question {
    const char *file;    /* votes: a table with a header, or JSON lines */
    const iv_csv *table; /* instead of the file */
    iv_texts columns;    /* ROLE=NAME with a role of a, b, winner, item, judge */
    iv_texts judges;     /* only votes of these; none: all */
    const char *human;   /* the judge that others are compared with; NULL: human */
    bool position;       /* strengths with an effect of the position */
    double confidence;   /* 0: 0.95 */
} iv_prefer_question;

/*
 * Tables: systems (strength, interval, ranks, wins), position, judges.  Where there is no estimate
 * the answer says why, and strengths are missing.  IV_EPARSE for a bad file, IV_ENODATA for one
 * without votes, IV_EARG for more than 2,000 systems.
 */
IV_API IV_MUST_CHECK int iv_answer_prefer(iv_result *out, const iv_prefer_question *question,
                                          const iv_work *work, iv_err *err);

/* prf -- how sure is a precision, recall or F, and which system is better? */

/* {0} but for the input is what the tool does without options. */
typedef struct iv_prf_question {
    iv_prf_input from;
    iv_prf_options how;
    iv_texts targets; /* "f1=0.8": the claim that it is at least that, one-sided at the confidence;
                         the result has a verdict then */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in how.metrics' first (none: F1, of classes macro F1), on the same items. */
    bool not_worse;
    const char *baseline;
    double margin;
} iv_prf_question;

/*
 * Fills a new result with the sentence, tables, notes and charts of the question.
 * Labels of two systems are compared on the same items unasked.  Tables: comparison, best, paired
 * (of a comparison), metrics, classes and confusion (of categories, or from labels), curves.  Fails
 * as iv_prf_evaluate().
 */
IV_API IV_MUST_CHECK int iv_answer_prf(iv_result *out, const iv_prf_question *question,
                                       const iv_work *work, iv_err *err);

/* How complete was the search, and how sure are we? */

/* Where may a ranked review end? */
typedef enum iv_review_stop {
    IV_REVIEW_STOP_NONE, /* not asked */
    IV_REVIEW_STOP_QBCB, /* when enough of the relevant ones known before are met */
    IV_REVIEW_STOP_HYPERGEOMETRIC /* when a random sample of what is left makes it unlikely
                            that the target is missed: two segments, the retrieved one read
                            whole.  Exact at one look, approximate when watched */
} iv_review_stop;

/* "none", "qbcb", "hypergeometric", NULL. */
IV_API const char *const *iv_review_stop_names(void);

/*
 * What was judged is one of: two segments; the unretrieved segment alone, which gives
 * elusion; strata, in a file or in memory; a
 * ranking and a sample, in files or in memory.  All else may be left at 0.
 */
typedef struct iv_recall_question {
    iv_integers retrieved, unretrieved; /* N, n, r of each segment */
    iv_integers rechecked;              /* k, c, m, d of each: of the r relevant k were rechecked
                                           and c are, of the other n - r m and d are */
    iv_integers control;                /* control documents found and in all: with the target,
                                           may the review stop? */
    const char *strata, *runs;          /* a table of strata (trec.h), its columns that are runs */
    const iv_strata_table *table;       /* instead of strata */
    const char *run, *sample;           /* paths */
    const iv_run *ranking;              /* instead of run; run is then its name */
    const iv_judgments *judged;         /* instead of sample, in the same way */
    const char *collection;             /* documents in it; "run": those ranked */
    iv_integers at;                     /* these six: see iv_review_sample */
    int64_t drawn_at, level;
    const char *machine;                /* a file of a machine's labels; see iv_review_sample */
    int64_t machine_level;
    iv_unsampled unsampled;
    iv_unjudged unjudged;
    iv_recall_method method;
    double confidence;
    bool one_sided;
    bool guaranteed;                    /* the method exact: held whatever the truth */
    iv_reals prior;                     /* a, b; none: 1/2 each */
    double target;                      /* asks for P(recall >= target), or with exact
                                           whether it is held */
    double max_elusion;                 /* of the unretrieved alone: is elusion below this? */
    /* While it is being judged: */
    const char *log;                    /* the judgments in their order, a file as
                                           iv_review_log_load() takes it; segments may then
                                           be N alone */
    bool anytime;                       /* limits that are valid however one stops; without a log
                                           when one stratum is left to sample */
    size_t looks, look;                 /* planned, and which this one is; 0: none */
    iv_look_shape shape;                /* of the plan */
    const char *found;                  /* with qbcb: a file of the review's judgments so far, whose
                                           relevant documents check that the control is random */
    iv_review_stop stop;                /* with a target; qbcb: of a ranking and a sample, the
                                           collection is not asked for */
} iv_recall_question;

/*
 * The answer: tables recall, measures, yield, data, curves, anytime; of
 * stop and control tables stop or control alone; of the unretrieved alone elusion and missed; of
 * rechecked judgments the table rechecked.  IV_EARG for what
 * makes no sense, IV_ENODATA where there is no recall, IV_EPARSE and IV_EIO of files.
 */
IV_API IV_MUST_CHECK int iv_answer_recall(iv_result *out, const iv_recall_question *q,
                                          const iv_work *work, iv_err *err);

/* The methods that numbers come from, and the papers they are cited by. */

/* A method that can be named: src/answer/methods.c lists them. */
typedef struct iv_method_row {
    const char *id;    /* "holm" */
    const char *text;  /* "Holm's correction" */
    const char *cites; /* keys of papers with blanks between; "" for what needs none */
} iv_method_row;

/* Scores of any kind, as several questions take them. */

/* What the sets of a suite are: all there are to speak of, or a sample of such sets. */
typedef enum iv_sets { IV_SETS_FIXED, IV_SETS_SAMPLED } iv_sets;

/* "fixed", "sampled", NULL. */
IV_API const char *const *iv_sets_names(void);

/* {0}: there are none. */
typedef struct iv_score_input {
    bool given;           /* the question is about these, not about judgments and runs */
    iv_score_source from;
    iv_sets sets;
    iv_texts set_weights; /* "SET=2.5"; sets that are not named have 1 */
    bool binary;          /* scores are 0 or 1, or the input is refused */
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
 * iv_report_write() writes the whole of it, as the command does.
 */

/* How the table paper shows intervals. */
typedef enum iv_paper_interval {
    IV_PAPER_BRACKETS,    /* 0.40 [0.32, 0.48] */
    IV_PAPER_PM,          /* 0.40 +-0.08, half its width */
    IV_PAPER_NO_INTERVAL
} iv_paper_interval;

/* Their names, in the order of the enum, ending with NULL. */
IV_API const char *const *iv_paper_interval_names(void);

/* {0} is the default in every field; what to compare must be there, in one of
 * three forms. */
typedef struct iv_compare_question {
    /* Judgments and runs.  Of scoring count the measures (none: AP), complete,
     * measure, estimator and unjudged. */
    iv_source source;
    iv_evaluating scoring;

    /* Scores in memory, values[system * topics.count + topic], NaN where there is
     * none.  scoring.measures says what to call them (none: score); with scoring.complete
     * those that are missing are 0. */
    const double *values;
    iv_texts systems, topics;

    /* Scores of any kind, with repeats, clusters, sets; of scoring.measures those that are
     * named (none: one), and complete.  Of the form above scores.binary counts too. */
    iv_score_input scores;

    /* The claim that no run is worse than the baseline by more than how.margin, which both
     * must be given: the result has a verdict then.  One-sided, at 1 - confidence. */
    bool not_worse;
    bool gate_sets; /* ... and significantly worse in no set of the suite (Holm's correction) */
    bool gate_on_worse; /* what is inconclusive passes: only a loss beyond the margin fails */

    const char *groups;   /* a file with the columns topic and group */
    iv_texts baselines;   /* compare each run with these, not all pairs: by name, path or file */
    iv_texts tests;       /* by iv_pair_test_names(); none: hall, or mcnemar of 0 and 1 */
    iv_paper_interval paper;
    iv_compare_options how; /* but for tests and baselines, which have names here */

    /* Automatic labels beside human ones; {0}: none.  Differences are then tested
     * by Student's t alone, and corrected by Holm's method. */
    iv_machines machine;
} iv_compare_question;

/*
 * Compares the runs and puts into out, which is new: the answer in a sentence a
 * measure; the tables pairs, runs and paper; groups if there are
 * groups; sets of a suite; sampling if the judgments are a sample; topics; charts, notes and
 * inputs.
 *
 * IV_EARG for an unknown name or an option outside its domain, IV_ENODATA where
 * runs share too little; and as iv_evaluate(), iv_compare().
 */
IV_API IV_MUST_CHECK int iv_answer_compare(iv_result *out, const iv_compare_question *question,
                                           const iv_work *work, iv_err *err);

/* Every measure of every run, with its interval. */

/* {0} but for the source: the usual measures, means over topics, 95 % intervals. */
typedef struct iv_eval_question {
    iv_source source;
    iv_evaluating how;
    bool topics;        /* each topic, too */
    bool no_summary;    /* nothing over all topics */
    const char *matrix; /* a file to write: the first measure, systems x topics */
    /* Scores of any kind instead of the source; of how count measures (none: all), complete,
     * interval, guaranteed and resampling. */
    iv_score_input scores;
    /* A file to write, by iv_write_scores(): the scores of every topic, which can be put
     * together with others (source.parts).  They are not kept, so that there is only a sentence. */
    const char *write_scores;
    iv_texts at_least;  /* claims MEASURE=X: the interval is above X (PASS), below it (FAIL) */
    FILE *trec;         /* trec_eval's own lines go there, and no tables are made */
    iv_machines machine; /* labels of a machine beside people's judgments; {0}: none */
} iv_eval_question;

/*
 * Fills the sentence, the table `measures` (a row a mean and, if topics are asked for, a
 * row each; else they are in `topics`, on request), notes and charts; of scores also
 * `errors`, `sets`, `variance` and `reliability`.  With a machine the
 * rows have people alone, both combined and the machine alone side by side, and the tables
 * judges, calibration, confusion and drift say how far the machine agrees.  IV_EARG for what cannot
 * be asked, or not of these judgments; else as iv_evaluate().
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
    iv_reals difference; /* instead of effects, with ... */
    double sd;           /* ... the standard deviation of differences over topics */
    iv_reals certainty;  /* none: 1 */
    iv_sides sides;
    double alpha;        /* 0: .05 */
    double ties;         /* of sign tests: the proportion of topics that tie */
    size_t runs;         /* to be compared, all pairs; 0: two */
} iv_plan_power_question;

/* Table power; curve has the power of other numbers of topics.  IV_EARG unless two
 * of the three are given, and a difference with sd; otherwise as iv_power_at() and
 * its kin. */
IV_API IV_MUST_CHECK int iv_answer_plan_power(iv_result *out, const iv_plan_power_question *q,
                                              const iv_work *work, iv_err *err);

/* How many topics does a difference seen in a pilot take? */
typedef struct iv_plan_topics_question {
    iv_score_input scores; /* scores of any kind ... */
    iv_source from;      /* ... or judgments and runs, scored by ... */
    iv_evaluating scoring; /* ... the first of its measures; none: AP */
    const char *baseline; /* each system against this one; NULL: all pairs */
    iv_texts tests;      /* of iv_planned_test_names(); none: t */
    iv_sides sides;
    double power;        /* 0: .8 */
    double alpha;        /* 0: .05 */
    bool alone;          /* each pair as if it were the only one */
    double certainty;    /* 0: 1 */
    double confidence;   /* of the effect's interval; 0: .95 */
} iv_plan_topics_question;

/* Table topics; of scores with repeats also design: what more items and what more repeats
 * buy.  IV_EARG for a baseline that is not there, or numbers outside their
 * domains; IV_ENODATA for fewer than two systems or topics; else as iv_evaluate(). */
IV_API IV_MUST_CHECK int iv_answer_plan_topics(iv_result *out,
                                               const iv_plan_topics_question *q,
                                               const iv_work *work, iv_err *err);

/* Many topics with few judgments, or few with many? */
typedef struct iv_plan_cost_question {
    const char *pilot;     /* table with columns certainty, topics and judgments ... */
    iv_reals coefficients; /* ... or the three of the model */
    double topics;         /* that would be enough if judged to certainty; 0: 25 */
    iv_prices prices;
    double certainty;      /* above 1/2; 0: the cheapest */
    iv_reals errors;       /* costs of a false positive and a false negative: topics follow ... */
    double effect;         /* ... at this effect; none: topics are given */
    double confidence;     /* 0: .95 */
} iv_plan_cost_question;

/* Tables plan, model, fit and curve.  IV_EARG unless either a pilot or coefficients
 * are given; otherwise as iv_cost_fit() and iv_cost_least(). */
IV_API IV_MUST_CHECK int iv_answer_plan_cost(iv_result *out, const iv_plan_cost_question *q,
                                             const iv_work *work, iv_err *err);

/* What do a few judged topics say of a whole experiment? */
typedef struct iv_plan_pilot_question {
    iv_source from;         /* the pilot's judgments, and two runs */
    double effect;          /* to find by the one-sided sign test, with ... */
    double power, alpha;    /* ... these; 0: .8 and .05 */
    const char *relevance;  /* as in iv_next_question */
    size_t depth;           /* of the runs to look at; 0: all */
    int32_t level;          /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    iv_pilot_options how;   /* topics only without an effect; no prior */
} iv_plan_pilot_question;

/* Tables plan, model, fit, training and curve.  IV_EARG for topics and an effect;
 * otherwise as iv_pilot_study(). */
IV_API IV_MUST_CHECK int iv_answer_plan_pilot(iv_result *out, const iv_plan_pilot_question *q,
                                              const iv_work *work, iv_err *err);

/* How many documents must be judged, when they are sampled? */
typedef struct iv_plan_sample_question {
    iv_source from;        /* judgments to learn from, complete or a sample; runs */
    iv_unjudged unjudged;  /* documents of a sampled pilot */
    iv_sample_plan_options how;
} iv_plan_sample_question;

/* Tables budget, topics (if a topic is the goal) and curve.  As
 * iv_sample_plan_make(). */
IV_API IV_MUST_CHECK int iv_answer_plan_sample(iv_result *out,
                                               const iv_plan_sample_question *q,
                                               const iv_work *work, iv_err *err);

/* When to look at a review or an experiment that may be stopped early, and what to ask then. */
typedef struct iv_plan_looks_question {
    iv_look_shape shape;
    size_t looks;       /* equally spaced; 0: 5 */
    iv_reals fractions; /* of the largest sample, instead */
    int64_t documents;  /* the largest sample; 0: not said */
    double confidence;  /* of the whole plan; 0: .95 */
} iv_plan_looks_question;

/* Table looks.  IV_EARG as iv_looks_of(). */
IV_API IV_MUST_CHECK int iv_answer_plan_looks(iv_result *out, const iv_plan_looks_question *q,
                                              const iv_work *work, iv_err *err);

/* roc -- how good are the scores of classifiers? */

typedef struct iv_scored_system {
    const char *name;
    const double *scores;
} iv_scored_system;

/* {0} but for a file, or items in memory, is what the tool does without options. */
typedef struct iv_roc_question {
    /* a table: a column of what items are, and one a system (or of each a class) */
    const char *file;
    const char *gold;     /* that column; NULL: gold, label, truth, y_true or target */
    /* its label of positive items; NULL: 1 of 0 and 1, or three classes or more */
    const char *positive;
    iv_texts named;       /* only these columns are systems; none: all others, but for id; of
                             classes what stands beside them */
    const iv_csv *table;  /* instead of the file */
    const iv_scored_system *systems; /* instead of both, ... */
    size_t system_count;
    const bool *is_positive;         /* ... of so many items */
    size_t items;
    iv_threshold_goal goal;
    size_t bins;       /* of the calibration error; 0: 10 */
    double confidence; /* 0: .95 */
    size_t resamples;  /* of thresholds and curves; 0: 2,000 */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in a measure: AUC (NULL), Brier or log_loss. */
    bool not_worse;
    const char *baseline, *measure;
    double margin;
} iv_roc_question;

/*
 * Tables: measures (AUC and average precision; Brier, log loss and ECE where all scores are
 * probabilities), pairs (of these but AP and ECE), threshold, curves; of three gold labels or more
 * classes (areas of each against the rest, and averages), pairs (macro averages) and measures.
 * IV_EPARSE for a bad file, IV_ENODATA unless there are items of both kinds, IV_EARG for
 * an option outside its domain.
 */
IV_API IV_MUST_CHECK int iv_answer_roc(iv_result *out, const iv_roc_question *question,
                                       const iv_work *work, iv_err *err);

/* A made-up test collection, written to files.  Experimental, as simulate.h. */

typedef struct iv_simulate_question {
    const char *directory; /* that appears when it is complete */
    iv_simulation_options collection;
    iv_simulation_files files;
} iv_simulate_question;

/* Writes the directory; fills the sentence, the table `runs` and a chart of it. */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_answer_simulate(
    iv_result *out, const iv_simulate_question *question, const iv_work *work, iv_err *err);

/* Lines by topic, larger than memory. */

typedef struct iv_sort_question {
    const char *file;   /* "-": standard input */
    const char *sorted; /* a file to write, which appears whole or not at all ... */
    FILE *lines;        /* ... or where lines go */
    iv_sorting how;
} iv_sort_question;

/* Sorts, and says how many lines of how many topics there were.  Fails as
 * iv_sort_lines(), and with IV_EARG unless there is one place for the lines. */
IV_API IV_MUST_CHECK int iv_answer_sort(iv_result *out, const iv_sort_question *q,
                                        const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_H */
