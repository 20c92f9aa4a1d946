/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scores -- scores of systems compared, ranked and planned: of runs, and of tables of any kind.
 */
#ifndef INTERVALE_SCORES_H
#define INTERVALE_SCORES_H

#include "intervale/retrieval.h"
#include "intervale/stat/comparisons.h"
#include "intervale/stat/interim_analyses.h"
#include "intervale/stat/topic_power.h"
#include "intervale/trec/delimited_tables.h"

IV_BEGIN_C

/* prefer -- which system do people, or a judge, prefer? */

/* {0}, except for a file, is what the tool does without options. */
typedef struct iv_prefer_question {
    const char *file;    /* votes: a table with a header, or JSON lines */
    const iv_csv *table; /* instead of the file */
    iv_texts columns;    /* ROLE=NAME with a role of a, b, winner, item, judge, covariate */
    iv_texts judges;     /* only votes of these; none: all */
    const char *human;   /* the judge that others are compared with; NULL: human */
    bool position;       /* correct strengths for the order in which answers were shown */
    iv_human_design human_design; /* random: people voted on a sample of what judges did */
    bool not_worse;      /* claim: all win against the baseline at a rate of 1/2 - margin or more */
    const char *baseline;
    double margin;       /* IV_ZERO: 0 */
    double confidence;   /* 0: 0.95 */
} iv_prefer_question;

/* Tables: systems, pairs, covariates, position, judges.  If there is no estimate, the answer says
 * why, and strengths are missing.  IV_EPARSE for a bad file, IV_ENODATA for one without votes,
 * IV_EARG for more than 2,000 systems. */
IV_API IV_MUST_CHECK int iv_answer_prefer(iv_result *out, const iv_prefer_question *question,
                                          const iv_work *work, iv_err *err);

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

/* The rows of the table paper: as given, or the best mean of the first measure first. */
typedef enum iv_paper_order { IV_PAPER_GIVEN, IV_PAPER_BEST } iv_paper_order;

/* "given", "best", NULL. */
IV_API const char *const *iv_paper_order_names(void);

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
    bool guaranteed;    /* decide by a method that is valid for all scores in their range */
    iv_reals range;     /* of the scores, lowest and highest; none: that of the measure, if known */

    const char *groups;   /* a file with the columns topic and group */
    iv_texts baselines;   /* compare each run with these, not all pairs: by name, path or file */
    iv_texts tests;       /* of iv_pair_test_names(); none: larger-p, or mcnemar for 0 and 1 */
    iv_paper_interval paper;
    iv_paper_order paper_order;
    const char *caption;  /* of the table paper, before what it says itself */
    const char *label;    /* of the table paper in LaTeX; NULL: tab:paper */
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

/*
 * Has a system that is evaluated night after night become worse than a baseline?
 */
typedef struct iv_watch_question {
    iv_score_input scores; /* a system a night, or systems with dates */
    iv_texts measures;     /* one; none: as compare */
    const char *baseline;  /* a system, or the date of a night; must be given */
    const char *system;    /* NULL: all others; of each date one */
    const char *since;     /* nights before this one are excluded; NULL: none */
    bool complete;         /* items of the baseline that a night lacks count as 0 */
    double margin;         /* a loss up to this is no alarm */
    iv_reals range;        /* of scores, lowest and highest: for differences that are all equal */
    iv_promise promise;
    size_t nights;         /* that the promise is about; 0: 365 */
    double confidence;     /* 0: 0.95 */
} iv_watch_question;

/*
 * Tables tonight and nights, a chart, and a claim: tonight raises no alarm.  The verdict is
 * IV_VERDICT_OTHERWISE on an alarm and else IV_VERDICT_SHOWN.  IV_EARG for an unknown name, or two
 * systems on one date; IV_ENODATA for a night that shares no item with the baseline.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_answer_watch(iv_result *out,
                                                         const iv_watch_question *question,
                                                         const iv_work *work, iv_err *err);

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

/* How many items let a gate pass if nothing changed, and which losses do they find? */
typedef struct iv_plan_gate_question {
    iv_score_input scores; /* of a pilot, of any kind ... */
    iv_source from;        /* ... or judgments and runs, scored by ... */
    iv_evaluating scoring; /* ... the first of its measures; none: AP */
    const char *baseline;  /* the others against this one; NULL: the pair that varies most */
    double rate;           /* without a pilot: the mean of 0/1 scores ... */
    double sd;             /* ... or the standard deviation of graded ones */
    double correlation;    /* of two versions on an item */
    double cluster_size, icc;
    size_t repeats;        /* 0: 1 */
    double repeat_sd;      /* of a version's mean from repeat to repeat */
    double margin;
    double loss;           /* to be found; 0: none */
    size_t candidates;     /* that share the error; 0: those of the pilot, else one */
    double power;          /* 0: 0.8 */
    double confidence;     /* 0: 0.95 */
} iv_plan_gate_question;

/* Table items.  IV_EARG for a margin that is not above 0, a loss within it, or numbers outside
 * their domains; IV_ENODATA for a pilot whose differences are all equal; otherwise as
 * iv_answer_plan_topics(). */
IV_API IV_MUST_CHECK int iv_answer_plan_gate(iv_result *out, const iv_plan_gate_question *q,
                                             const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_SCORES_H */
