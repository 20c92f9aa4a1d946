/* SPDX-License-Identifier: Apache-2.0 */
/* What the makers of the papers' tables share. */
#ifndef IV_STUDY_PAPERS_H
#define IV_STUDY_PAPERS_H

#include "base/parallel.h"
#include "study/papers_study.h"

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

#endif /* IV_STUDY_PAPERS_H */
