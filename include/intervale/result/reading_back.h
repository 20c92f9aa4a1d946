/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading back, as the report module and tests do.  Functions with `out` set it to
 * an array and return its length; arrays, texts and tables are borrowed from the
 * result and valid until something is added to it.  Indices must be below the
 * counts.  A cell's text is borrowed too.
 */
#ifndef INTERVALE_RESULT_READING_BACK_H
#define INTERVALE_RESULT_READING_BACK_H

#include "intervale/result/decisions.h"
#include "intervale/result/result_charts.h"

IV_BEGIN_C

/* A message of a result.  Texts spell options as the tool does. */
typedef struct iv_note {
    const char *id;     /* "compare.few-topics"; NULL: none */
    iv_severity severity;
    const char *text;
    const char *tables; /* that it is about, separated by blanks; NULL: all */
    bool legend;        /* it explains columns */
    bool people;        /* ... that only people see */
    size_t advice;      /* number of its last bytes that say what to do next; pages omit them */
} iv_note;

/* A paper that a method comes from; src/result/references.bib has them. */
typedef struct iv_citation {
    const char *method; /* that it is cited for: "Holm's correction" */
    const char *key;    /* "holm1979simple" */
    const char *label;  /* "Holm 1979" */
    const char *text;   /* as in a list of references */
    const char *bibtex;
} iv_citation;

IV_API const char *iv_result_answer_text(const iv_result *r); /* NULL: none */
/* The verdict of all claims, and the claims; either may be NULL. */
IV_API iv_verdict iv_result_has_verdict(const iv_claim **claims, size_t *count,
                                        const iv_result *r);
IV_API size_t iv_result_notes(const iv_note **out, const iv_result *r);
IV_API size_t iv_result_citations(const iv_citation **out, const iv_result *r);
IV_API const char *iv_result_method_text(const iv_result *r); /* NULL: none was named */
IV_API size_t iv_result_inputs(const iv_input **out, const iv_result *r);
IV_API size_t iv_result_tables(const iv_result *r);
IV_API const iv_table *iv_result_table_at(const iv_result *r, size_t i);
IV_API const char *iv_table_name(const iv_table *t);
IV_API size_t iv_table_columns(const iv_column **out, const iv_table *t);
IV_API size_t iv_table_rows(const iv_table *t);
IV_API size_t iv_table_find(const iv_table *t, const char *column);
IV_API const iv_drawn *iv_table_drawn(const iv_table *t); /* NULL: none */

/* What was put into the result; the list is borrowed, the number is returned. */
IV_API size_t iv_result_charts(const iv_chart **out, const iv_result *r);
IV_API size_t iv_result_methods(const char *const **out, const iv_result *r);
IV_API size_t iv_result_assumptions(const char *const **out, const iv_result *r);

IV_END_C

#endif
