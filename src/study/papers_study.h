/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The published figures of the five papers this library rests on, each beside
 * what the library computes, with the difference, its standard error and a
 * verdict.
 *
 *     Webber (2013)               recall intervals
 *     Park (2011)                 intervals on mean average precision
 *     Goutte and Gaussier (2005)  posteriors of precision, recall and F
 *     Carterette and Smucker (2007)  tests with incomplete judgments
 *     Aslam and Pavlu (2008)      sampled judgments
 *
 * A verdict is computed, never stored: a figure agrees when it is no further
 * from ours than half a unit of its last printed digit plus IV_PAPERS_SIGMA
 * standard errors of the difference.  That is ours, where we simulate, and
 * theirs, where they did and it is printed or follows from the size of their
 * experiment.  A figure that was not simulated on either side has only its
 * rounding.
 */
#ifndef INTERVALE_STUDY_PAPERS_H
#define INTERVALE_STUDY_PAPERS_H

#include "intervale/design.h"
#include "intervale/stat/paired.h"
#include "intervale/trec.h"
#include "base/parallel.h"

/* Tables of the papers; "numbers" are the figures in their text. */
typedef enum iv_paper_table {
    IV_WEBBER_NUMBERS,
    IV_WEBBER_SCENARIOS,  /* tables VI to VIII: means of the scenarios */
    IV_WEBBER_IX,
    IV_WEBBER_X,
    IV_WEBBER_XII,
    IV_PARK_1,
    IV_PARK_2,
    IV_PARK_3,
    IV_GOUTTE_NUMBERS,
    IV_GOUTTE_1,
    IV_GOUTTE_2,
    IV_CARTERETTE_NUMBERS,
    IV_CARTERETTE_2,
    IV_ASLAM_NUMBERS,
    IV_ASLAM_COMPARISON,  /* figures 5 to 12, in kind: on another collection */
    IV_ASLAM_1,           /* in kind */
    IV_PAPER_TABLES
} iv_paper_table;

/* "webber-ix", "park-1", ...: the paper's name up to the dash.  Ends with NULL. */
const char *const *iv_paper_table_names(void);

/* What the table holds, in a few words. */
const char *iv_paper_table_about(iv_paper_table table);

#define IV_PAPERS_SIGMA 3.0

/* How a figure is held against ours. */
typedef enum iv_published_kind {
    IV_PUBLISHED_FIGURE, /* the same quantity */
    IV_PUBLISHED_CLAIM,  /* that a quantity is above `published` */
    IV_PUBLISHED_KIND    /* the same quantity on other data: no verdict */
} iv_published_kind;

typedef enum iv_paper_verdict { IV_AGREES, IV_DIFFERS, IV_OTHER_DATA } iv_paper_verdict;

/* "agrees", "differs", "other data"; ends with NULL. */
const char *const *iv_verdict_names(void);

enum { IV_PUBLISHED_CELL = 96 };

/* One published figure. */
typedef struct iv_published {
    iv_paper_table table;
    char cell[IV_PUBLISHED_CELL]; /* where in the table */
    iv_published_kind kind;
    double published, rounding;   /* half a unit of its last digit */
    double published_se;          /* of their simulation; 0: none, or not known */
    double ours, our_se;          /* 0: computed, not simulated */
    double difference;            /* ours - published */
    double se;                    /* of that */
    double tolerance;
    iv_paper_verdict verdict;
    const char *reason;           /* why it differs, where that is known */
} iv_published;

typedef struct iv_papers_options {
    bool wanted[IV_PAPER_TABLES];
    bool quick;         /* smaller simulations; their standard errors say so */
    /* Average precision of the systems of TREC 2004's Robust track on its
     * topics, for Park and Carterette and Smucker; NULL: left out. */
    const iv_matrix *robust2004;
    /* A collection with complete judgments, for Aslam and Pavlu; NULL: left
     * out. */
    const iv_run *const *runs;
    size_t run_count;
    const iv_sampling *judged;
} iv_papers_options;

typedef struct iv_papers iv_papers;

/*
 * Recomputes the tables that are wanted and whose data are there.  Minutes
 * with all data, a minute when quick.  IV_EARG or IV_ENODATA for data that a
 * table cannot be made of.  *out is the caller's: iv_papers_free().
 */
IV_MUST_CHECK int iv_papers_run(iv_papers **out, const iv_papers_options *options,
                                const iv_work *work, iv_err *err);
void iv_papers_free(iv_papers *p);

/* The figures, as they were made; borrowed. */
size_t iv_papers_rows(const iv_published **out, const iv_papers *p);

/*
 * Why a wanted table, or a part of it, is left out: a sentence without a full
 * stop; NULL when it is complete.
 */
const char *iv_papers_missing(const iv_papers *p, iv_paper_table table);

/* What the makers of the papers' tables share. */

/* Fills in difference, tolerance and verdict, and keeps the row. */
void iv_papers_add(iv_papers *p, iv_published row, const char *cell, ...) IV_PRINTF(3, 4);

/* Says what is left out of a table; the text must be static. */
void iv_papers_leave_out(iv_papers *p, iv_paper_table table, const char *why);

/* How to work at the stage that is running. */
const iv_work *iv_papers_work(const iv_papers *p);

/* Are any of the tables from first to last wanted? */
bool iv_papers_wants(const iv_papers_options *o, iv_paper_table first, iv_paper_table last);

/* The makers, one a paper or a large table. */
IV_MUST_CHECK int iv_papers_webber(iv_papers *p, const iv_papers_options *o, iv_err *err);
IV_MUST_CHECK int iv_papers_legal(iv_papers *p, const iv_papers_options *o, iv_err *err);
IV_MUST_CHECK int iv_papers_park(iv_papers *p, const iv_papers_options *o, iv_err *err);
IV_MUST_CHECK int iv_papers_goutte(iv_papers *p, const iv_papers_options *o, iv_err *err);
IV_MUST_CHECK int iv_papers_carterette(iv_papers *p, const iv_papers_options *o, iv_err *err);
IV_MUST_CHECK int iv_papers_aslam(iv_papers *p, const iv_papers_options *o, iv_err *err);

#endif /* INTERVALE_STUDY_PAPERS_H */
