/* SPDX-License-Identifier: Apache-2.0 */
/* What prf works on: systems, each with the counts of its categories. */
#ifndef PRF_INPUT_H
#define PRF_INPUT_H

#include "frame/cmd.h"
#include "intervale/stat/prf.h"

typedef struct prf_category {
    const char *name; /* NULL: the system's only one */
    iv_prf_counts counts;
} prf_category;

typedef struct prf_system {
    const char *name;
    prf_category *categories;
    size_t count;
} prf_system;

typedef struct prf_input {
    prf_system *systems;
    size_t count;
    bool labelled;   /* from a file of labels, which `items` holds */
    bool multiclass; /* categories are classes that exclude each other */
    iv_prf_items items;
    /* What it owns. */
    char **texts;
    size_t text_count;
    int32_t *labels;
} prf_input;

/* What the options say of the input; see cmd_prf.c. */
typedef struct prf_source {
    opt_list counts;
    const char *labels, *positive, *classes;
} prf_source;

/* Reads everything; on failure *in still needs prf_input_free(). */
int prf_input_read(prf_input *in, cmd_context *c, const prf_source *from, iv_err *err);
void prf_input_free(prf_input *in);

/* Four counts "TP,FP,FN[,TN]"; tn is -1 when it is not there. */
int prf_counts_scan(iv_prf_counts *out, iv_str text, const char *option, iv_err *err);

/* A copy of s that lives as long as the input; NULL when memory is out. */
const char *prf_keep(prf_input *in, iv_str s);

/* Adds the counts of a category (NULL: none) to a system, new or not. */
int prf_add(prf_input *in, const char *system, const char *category,
            const iv_prf_counts *counts, iv_err *err);

/* The system of that name, or NULL. */
prf_system *prf_find(const prf_input *in, const char *name);

/* Labels; in prf_labels.c. */
int prf_labels_read(prf_input *in, cmd_context *c, const prf_source *from, iv_err *err);

#endif /* PRF_INPUT_H */
