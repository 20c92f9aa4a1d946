/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluation keeps while runs are scored. */
#ifndef IV_RETRIEVAL_EVALUATION_STATE_H
#define IV_RETRIEVAL_EVALUATION_STATE_H

#include "base/memory.h"
#include "retrieval/score_parts.h"
#include "trec/judgments.h"

/* What an evaluation keeps. */
struct iv_part_writer;
struct iv_evaluation {
    struct iv_part_writer *writer; /* takes scores, which are not kept then; NULL: none */
    iv_arena memory;         /* of the arrays below, and what is in them */
    iv_evaluated view;
    iv_scoring task;
    iv_judgments *judgments; /* read here; NULL: the caller's */
    iv_sampling *sampling;
    iv_measures *measures;   /* of complete judgments */
    iv_standards *standards; /* NULL: values as they are */
    iv_sampled_measures *estimated;
    iv_run_scores **scores;
    const char **names, **paths;
    size_t *judged;          /* topics' places in the judgments, rising */
    iv_str *judged_names;    /* of judgments that were read in windows, with their bytes; NULL:
                                ask the judgments */
    iv_arena name_bytes;
    const iv_source *source; /* while runs are scored ... */
    const iv_work *work;     /* ... of one of them */
};

/* The name of a judged topic. */
static inline iv_str iv_judged_name(const iv_evaluation *e, size_t t)
{
    return e->judged_names != NULL ? e->judged_names[t] : iv_judgments_topic(e->task.judgments, t);
}

/* Room for what is told of runs and measures; then all of it, once runs are scored.  paths: of
 * the runs' files, NULL: they have none. */
IV_MUST_CHECK int iv_evaluation_room(iv_evaluation *e, iv_err *err);
IV_MUST_CHECK int iv_evaluation_finish(iv_evaluation *e, const char *const *paths,
                                       const iv_work *work, iv_err *err);

/* Can documents of the format have grades that are still to be filled in? */
bool iv_blanks_count(iv_judgments_format format);

/* Adds what judgments have to what e says of all of them: the largest grade and those above 0, the
 * most groups that a topic has, and with `blanks` documents whose grade is to be filled in. */
void iv_count_judgments(iv_evaluation *e, const iv_judgments *judgments, bool blanks);

/* Puts judged topics that came in another order into that of bytes, with all scores. */
IV_MUST_CHECK int iv_sort_topics(iv_evaluation *e, iv_err *err);

#endif
