/* SPDX-License-Identifier: Apache-2.0 */
/* Relevance judgments: which documents are relevant to a topic, by people or samples. */
#ifndef INTERVALE_TREC_RELEVANCE_JUDGMENTS_H
#define INTERVALE_TREC_RELEVANCE_JUDGMENTS_H

#include "intervale/trec/runs.h"

IV_BEGIN_C

typedef enum iv_judgments_format {
    IV_JUDGMENTS_ANY,        /* detected from the fields; refused where ambiguous */
    IV_JUDGMENTS_QRELS,      /* topic iter docno grade */
    IV_JUDGMENTS_PRELS,      /* topic docno grade method pi */
    IV_JUDGMENTS_STRATIFIED, /* topic iter docno stratum grade; -1: not sampled */
    IV_JUDGMENTS_BEIR,       /* query-id corpus-id score, with that header */
    /* In these, a topic may have a document once for each group (a subtopic or a judge).
     * They are never detected: */
    IV_JUDGMENTS_GROUPS,     /* topic group docno grade */
    IV_JUDGMENTS_PREFS,      /* topic group subgroup docno level */
    IV_JUDGMENTS_NUGGETS,    /* topic nugget importance answer support */
    IV_JUDGMENTS_QRELS_JG,   /* trec_eval's names for GROUPS and PREFS: */
    IV_JUDGMENTS_QRELS_PREFS
} iv_judgments_format;

/* "any", "qrels", "prels", "stratified", "beir", "groups", "prefs", "nuggets",
 * "qrels_jg", "qrels_prefs", NULL. */
IV_API const char *const *iv_judgments_format_names(void);

/* Grades are whole numbers in this range; a grade below 0 means not judged. */
enum { IV_GRADE_MIN = -1000000, IV_GRADE_MAX = 1000000 };
#define IV_PI_MIN 1e-100 /* smallest inclusion probability; (1 / pi)^2 is finite */

typedef struct iv_judgment {
    iv_str docno;
    double pi;       /* inclusion probability, in (0, 1]; in groups: the level; for nuggets: 1 if
                        vital, 0.5 if okay */
    /* For nuggets: 2, 1 or 0 for full, partial or no support.  In prefs: -1 minus the number
     * of the subgroup within the topic, from 0. */
    int32_t grade;
    int32_t stratum; /* -1 if the format has no strata; in groups: the number of the group
                        within the topic, from 0, in byte order */
} iv_judgment;

typedef struct iv_judgments iv_judgments;

IV_API IV_MUST_CHECK int iv_judgments_parse(iv_judgments **out, const char *name,
                                            const void *text, size_t len,
                                            iv_judgments_format format,
                                            const iv_work *work, iv_err *err);

/* Judgments as columns of `count` rows. */
typedef struct iv_judgment_columns {
    size_t count;
    iv_text_column topic, docno;
    const int32_t *grade;
    const double *pi;       /* inclusion probabilities; NULL: all 1 */
    const int32_t *stratum; /* as in the stratified format; NULL: none */
    iv_text_column group;   /* the subtopic or the judge; {0}: no groups */
    const char *comments;   /* lines that begin with #, as in a sample; NULL: none */
} iv_judgment_columns;

/* Makes judgments from columns in memory, as iv_run_build() makes a run.  IV_EARG also for a
 * grade or probability outside its range, and for a group whose name contains a blank.  The columns
 * that are given determine the format. */
IV_API IV_MUST_CHECK int iv_judgments_build(iv_judgments **out, const char *name,
                                            const iv_judgment_columns *columns,
                                            const iv_work *work, iv_err *err);

/* Frees the judgments; texts borrowed from them are then invalid. */
IV_API void iv_judgments_free(iv_judgments *j);

/* The index of a topic, or IV_NONE. */
IV_API size_t iv_judgments_find_topic(const iv_judgments *j, iv_str id);

/* A comment line of the file, without its line end.  Start from {0}. */
typedef struct iv_comment {
    iv_str text;   /* from the # on */
    uint64_t line; /* from 1 */
    size_t at;     /* private */
} iv_comment;

/* What to do with a sampled document without a judgment. */
typedef enum iv_unjudged {
    IV_UNJUDGED_REFUSE,
    IV_UNJUDGED_NONRELEVANT, /* it has grade 0 */
    IV_UNJUDGED_DROP /* it leaves the sample, and the others of its bucket have
                        a smaller probability, as if it were missing at random */
} iv_unjudged;

/* Their names in that order, ending with NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_unjudged_names(void);

IV_END_C

#endif
