/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The five papers that the methods come from: each printed value beside what the library
 * computes.  Printed values are the tables of folder papers (table, row, column, section, value,
 * standard error of their simulation, reason where ours differs); a paper's maker computes
 * values by the same names.
 *
 * A value agrees when |computed - printed| is at most half a unit of the last printed digit
 * plus three standard errors of both simulations.  Nothing about a verdict is stored.
 */
#ifndef IV_STUDY_PAPERS_H
#define IV_STUDY_PAPERS_H

#include "answer/answer_parts.h"
#include "study/study.h"

enum { IV_PAPERS = 5 };

typedef struct iv_papers_question {
    const char *paper;     /* NULL: a list of them */
    bool quick;            /* small simulations, whose values have the verdict quick */
    const char *robust2004; /* average precision of TREC 2004 Robust: 110 systems x 249 topics */
    iv_score_rows by;
    const char *judgments; /* complete judgments, and runs, for Aslam and Pavlu */
    iv_texts runs;
    /* For tests: nothing is simulated; computed values of this table and row are multiplied by
     * the factor. */
    bool exact;
    const char *seeded_table, *seeded_row;
    double seeded_factor;
} iv_papers_question;

/* Tables values, verdicts, differs, one for each table of the paper, and figures. */
IV_MUST_CHECK int iv_papers_answer(iv_result *out, const iv_papers_question *q,
                                   const iv_work *work, iv_err *err);

/* ------------------------------------------------------------ for the makers -- */

typedef enum iv_paper_verdict {
    IV_PAPER_AGREES,
    IV_PAPER_DIFFERS,
    IV_PAPER_QUICK,      /* simulated with few replicates: no verdict */
    IV_PAPER_OTHER_DATA, /* computed on other data: compared in kind */
    IV_PAPER_NOT_REPEATED
} iv_paper_verdict;

const char *const *iv_paper_verdict_names(void);

/* One printed value. */
typedef struct iv_paper_value {
    iv_str table, row, column, section, text, reason;
    const char *item;                   /* table, row, column */
    double printed, rounding, printed_se;
    double computed, se, tolerance;
    bool simulated, other_data;
    iv_paper_verdict verdict;
} iv_paper_value;

enum { IV_PAPER_FIGURES = 16 };

typedef struct iv_paper_run {
    const iv_papers_question *q;
    iv_result *out;
    const iv_work *work;
    iv_arena own;
    iv_paper_value *value;
    size_t values, unknown;             /* unknown: computed, but not printed */
    iv_row *point; /* of figures: figure, panel, curve, which are static; x, y */
    size_t points, capacity;
    iv_chart figure[IV_PAPER_FIGURES];
    size_t figures;
    bool other_data;                    /* what follows is computed on other data */
} iv_paper_run;

/* A computed value; se is 0 where it is not simulated. */
void iv_paper_put(iv_paper_run *p, const char *table, const char *row, const char *column,
                  double computed, double se);

/* The standard error of a printed value, where it is known from our simulation only. */
void iv_paper_their_se(iv_paper_run *p, const char *table, const char *row, const char *column,
                       double se);

/* A point of a figure, and the figure. */
void iv_paper_draw(iv_paper_run *p, const char *figure, const char *panel, const char *curve,
                   double x, double y);
void iv_paper_figure(iv_paper_run *p, iv_chart_kind kind, const char *figure, const char *caption,
                     const char *x, const char *y);

/* Draws x = y into the last figure, over the range of its points. */
void iv_paper_diagonal(iv_paper_run *p);

/* A name in the run's arena; "" without memory, which the arena remembers. */
const char *iv_paper_text(iv_paper_run *p, const char *format, ...) IV_PRINTF(2, 3);

/* The files of papers/, as cmake/papers.cmake makes them part of the program: name without .tsv
 * and bytes. */
extern const iv_str iv_papers_files[][2];
extern const size_t iv_papers_file_count;

/* The lines of a file of papers/ below its header, and the fields of a line. */
IV_MUST_CHECK bool iv_paper_line(iv_str *line, iv_str *rest);
iv_str iv_paper_field(iv_str line, size_t field);
iv_str iv_paper_file(const char *name);
double iv_paper_number(iv_str line, size_t field);

IV_MUST_CHECK int iv_paper_webber(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_aslam(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_carterette(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_park(iv_paper_run *p, iv_err *err);
IV_MUST_CHECK int iv_paper_goutte(iv_paper_run *p, iv_err *err);

/*
 * Scores for Park and for Carterette and Smucker: the matrix of the question if it is that of
 * the Robust track, by shape and checksum; otherwise what is given, or simulated scores of
 * that shape, and what is computed from them is of other data.
 */
IV_MUST_CHECK int iv_paper_robust(iv_score_grid *out, iv_paper_run *p, iv_err *err);

#endif /* IV_STUDY_PAPERS_H */
