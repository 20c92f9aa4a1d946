/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as tables, for programs and for people. */
#ifndef COMPARE_TABLES_H
#define COMPARE_TABLES_H

#include "command/compare_input.h"
#include "intervale/stat.h"

/* One measure's comparison; in a list, one a measure. */
typedef struct compared {
    size_t measure;
    const iv_comparison *found;
    const char *group; /* of topics; NULL: all of them */
} compared;

/* How to lay tables out. */
typedef struct compare_layout {
    bool people;     /* few columns, to be read or pasted; else all of them */
    bool tests;      /* several tests a pair: say which */
    bool baseline;   /* b is the same in all rows */
    bool adjusted;   /* several pairs: show adjusted p */
    bool uneven;     /* pairs have different topics: show how many */
    bool margin;     /* show where differences stand beside it */
} compare_layout;

/* One row a pair and test, of each comparison in turn. */
void compare_table_pairs(iv_result *out, const char *name, const compare_input *in,
                         const compared *list, size_t count, const compare_layout *layout);

/* One row a run, the best first. */
void compare_table_runs(iv_result *out, const compare_input *in, const compared *list,
                        size_t count, const compare_layout *layout);

/*
 * For papers: one row a run and one column a measure, with marks for what
 * differs from the baseline, or with the letters of its groups without one.
 */
void compare_table_paper(iv_result *out, const compare_input *in, const compared *list,
                         size_t count, size_t baseline);

/* One row a pair: does the difference depend on the group of the topic? */
typedef struct compare_interaction {
    size_t measure;
    const iv_comparison *found; /* whose pairs these are */
    const iv_test *tests;
    const double *p_adjusted;
} compare_interaction;

void compare_table_interaction(iv_result *out, const compare_input *in,
                               const compare_interaction *list, size_t count,
                               const compare_layout *layout);

/* "***", "**", "*" or "", by p. */
const char *compare_mark(double p);

#endif /* COMPARE_TABLES_H */
