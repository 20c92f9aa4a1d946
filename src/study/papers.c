/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures beside ours: rows, verdicts, and who makes which table. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "study/papers_study.h"

struct iv_papers {
    iv_published *row;
    size_t rows, room;
    bool failed; /* memory was out */
    const char *missing[IV_PAPER_TABLES];
    iv_stage stage; /* at work */
};

static const char *const names[] = {
    "webber-numbers",
    "webber-scenarios",
    "webber-ix",
    "webber-x",
    "webber-xii",
    "park-1",
    "park-2",
    "park-3",
    "goutte-numbers",
    "goutte-1",
    "goutte-2",
    "carterette-numbers",
    "carterette-2",
    "aslam-numbers",
    "aslam-comparison",
    "aslam-1",
    NULL
};

static const char *const abouts[IV_PAPER_TABLES] = {
    "section 2: bias of recall, coverage of binomial intervals",
    "tables VI to VIII: means of the scenarios' variables",
    "table IX: mean width and coverage of nine recall intervals",
    "table X: error of their coverage",
    "table XII: recall in TREC 2009's Legal track, with intervals",
    "table 1: error of percentile bootstrap intervals",
    "table 2: error of accelerated bootstrap intervals",
    "table 3: error of Studentised logit bootstrap intervals",
    "section 2.2: two systems' precision",
    "table 1: probability that one F-score is the larger",
    "table 2: the same for paired outcomes",
    "sections 3 to 5: power, effects, topics and costs",
    "table 2: power of the sign test",
    "section 2: variances of sampled precision",
    "section 3: sampling beside pools, infAP and bpref, in kind",
    "table 1: pairs called significant, in kind",
};

const char *const *iv_paper_table_names(void)
{
    return names;
}

const char *iv_paper_table_about(iv_paper_table table)
{
    return abouts[table];
}

const char *const *iv_verdict_names(void)
{
    static const char *const verdicts[] = { "agrees", "differs", "other data", NULL };

    return verdicts;
}

/* ------------------------------------------------------------------- rows -- */

static void judge(iv_published *x)
{
    const double slack = 1e-9 * fmax(1.0, fabs(x->published)); /* of decimals in binary */

    x->difference = x->ours - x->published;
    if (fabs(x->difference) <= 1e-3 * slack)
        x->difference = 0.0;
    x->se = hypot(x->our_se, x->published_se);
    x->tolerance = x->rounding + IV_PAPERS_SIGMA * x->se;
    if (x->kind == IV_PUBLISHED_KIND) {
        x->verdict = IV_OTHER_DATA;
    } else if (x->kind == IV_PUBLISHED_CLAIM) {
        x->tolerance = 0.0;
        x->verdict = x->difference > 0.0 ? IV_AGREES : IV_DIFFERS;
    } else {
        x->verdict = fabs(x->difference) <= x->tolerance + slack ? IV_AGREES : IV_DIFFERS;
    }
    if (x->verdict != IV_DIFFERS)
        x->reason = NULL;
}

void iv_papers_add(iv_papers *p, iv_published row, const char *cell, ...)
{
    iv_published *rows = iv_grow(p->row, &p->room, p->rows + 1, sizeof *rows);
    va_list words;

    p->failed = p->failed || rows == NULL;
    if (rows == NULL)
        return;
    p->row = rows;
    va_start(words, cell);
    (void)vsnprintf(row.cell, sizeof row.cell, cell, words);
    va_end(words);
    judge(&row);
    p->row[p->rows++] = row;
}

void iv_papers_leave_out(iv_papers *p, iv_paper_table table, const char *why)
{
    p->missing[table] = why;
}

bool iv_papers_wants(const iv_papers_options *o, iv_paper_table first, iv_paper_table last)
{
    for (int t = (int)first; t <= (int)last; t++)
        if (o->wanted[t])
            return true;
    return false;
}

const iv_work *iv_papers_work(const iv_papers *p) { return &p->stage.work; }

/* -------------------------------------------------------------------- run -- */

typedef int maker(iv_papers *p, const iv_papers_options *o, iv_err *err);

static const struct {
    maker *make;
    double weight; /* share of the time, roughly */
} stages[] = {
    { iv_papers_webber, 0.45 }, { iv_papers_legal, 0.05 }, { iv_papers_park, 0.25 },
    { iv_papers_goutte, 0.01 }, { iv_papers_carterette, 0.04 }, { iv_papers_aslam, 0.20 },
};

static int make_tables(iv_papers *p, const iv_papers_options *options, const iv_work *work,
                       iv_err *err)
{
    double before = 0.0;

    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        (void)iv_work_part(&p->stage, work, before, before + stages[i].weight);
        before += stages[i].weight;
        IV_TRY(stages[i].make(p, options, err));
        IV_TRY(iv_check_work(work, before, err));
    }
    return p->failed ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
}

int iv_papers_run(iv_papers **out, const iv_papers_options *options, const iv_work *work,
                  iv_err *err)
{
    iv_papers *p = calloc(1, sizeof *p);
    const int rc = p == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                             : make_tables(p, options, work, err);

    if (rc == IV_OK)
        *out = p;
    else
        iv_papers_free(p);
    return rc;
}

void iv_papers_free(iv_papers *p)
{
    if (p == NULL)
        return;
    free(p->row);
    free(p);
}

size_t iv_papers_rows(const iv_published **out, const iv_papers *p)
{
    *out = p->row;
    return p->rows;
}

const char *iv_papers_missing(const iv_papers *p, iv_paper_table table)
{
    return p->missing[table];
}
