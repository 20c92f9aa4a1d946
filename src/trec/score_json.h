/* SPDX-License-Identifier: Apache-2.0 */
/* A record of scores in JSON: what its readers share. */
#ifndef IV_TREC_SCORE_JSON_H
#define IV_TREC_SCORE_JSON_H

#include "trec/score_records.h"

/* What is being read. */
typedef struct iv_score_reading {
    iv_scores_reader *r;
    iv_score_file *f;
    uint64_t line;
    iv_score_record x;
    char number[IV_SCORE_ROLES][IV_REAL_SIZE]; /* texts of what were numbers */
    bool any; /* a score was found */
    iv_str table; /* of our own stream, the one that scores are in */
    iv_err *err;
} iv_score_reading;

/* A member, or one of a member's where the name has a dot and is no member itself. */
const iv_json *iv_json_member(const iv_json *v, iv_str name);

/* A name: a text, or a number as text. */
IV_MUST_CHECK int iv_score_name(iv_str *out, iv_score_reading *in, const iv_json *v,
                                iv_score_role role);

/* A score: a number, a truth, a text that is one, or null for none.  False: neither. */
bool iv_json_score(double *out, const iv_json *v, bool grades);

/* Adds the record at hand with that score. */
IV_MUST_CHECK int iv_score_put(iv_score_reading *in, const iv_json *v, bool grades);

/* The roles of a record: as asked for, or by their usual names. */
IV_MUST_CHECK int iv_score_roles(iv_score_reading *in, const iv_json *v, bool usual);

/* A sample of lm-evaluation-harness, or of Inspect. */
bool iv_is_lm_eval(const iv_json *v);
IV_MUST_CHECK int iv_read_lm_eval(iv_score_reading *in, const iv_json *v);
IV_MUST_CHECK int iv_read_inspect(iv_score_reading *in, const iv_json *v);

/* A text that is kept as long as the table; *out stays where there is none. */
IV_MUST_CHECK int iv_score_keep(iv_str *out, iv_score_reading *in, const iv_json *v);

/* A document of promptfoo, a line of OpenAI evals, an instance of HELM. */
bool iv_is_promptfoo(const iv_json *v);
bool iv_is_openai_evals(const iv_json *v);
bool iv_is_helm(const iv_json *v);
IV_MUST_CHECK int iv_read_promptfoo(iv_score_reading *in, const iv_json *v);
IV_MUST_CHECK int iv_read_openai_evals(iv_score_reading *in, const iv_json *v);
IV_MUST_CHECK int iv_read_helm(iv_score_reading *in, const iv_json *v);

/* FOLDER/samples_TASK_DATE.jsonl: the folder is the system, the task the set. */
void iv_score_folder(iv_score_file *f);

#endif /* IV_TREC_SCORE_JSON_H */
