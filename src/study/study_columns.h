/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the tables of studies. */
#ifndef IV_STUDY_STUDY_COLUMNS_H
#define IV_STUDY_STUDY_COLUMNS_H

#include "intervale/answer.h"

/* The same as iv_known_tables(), of studies. */
size_t iv_study_tables(const iv_known_table **out);

extern const iv_field iv_study_rate_fields[], iv_study_summary_fields[],
    iv_study_sampling_fields[], iv_study_judging_fields[], iv_paper_value_fields[],
    iv_paper_verdict_fields[], iv_paper_point_fields[], iv_paper_list_fields[];

#endif /* IV_STUDY_STUDY_COLUMNS_H */
