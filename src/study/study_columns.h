/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the tables of all studies, declared where the tables are made. */
#ifndef IV_STUDY_STUDY_COLUMNS_H
#define IV_STUDY_STUDY_COLUMNS_H

#include "intervale/answer/columns.h"

/* The same as iv_known_tables(), of studies. */
size_t iv_study_tables(const iv_known_table **out);

extern const iv_field iv_study_cover_fields[], iv_study_paper_fields[],
    iv_study_verdict_fields[], iv_judging_study_certainty_fields[],
    iv_judging_study_judgment_fields[], iv_judging_study_trial_fields[],
    iv_judging_study_cost_fields[], iv_judging_study_power_fields[],
    iv_judging_study_moment_fields[], iv_judging_study_calibration_fields[],
    iv_machine_study_fields[], iv_machine_document_fields[], iv_machine_list_fields[],
    iv_machine_kappa_fields[],
    iv_map_study_fields[], iv_power_study_sign_fields[],
    iv_power_study_error_fields[], iv_power_study_power_fields[],
    iv_power_study_family_fields[], iv_power_study_equal_fields[], iv_power_study_rank_fields[],
    iv_prf_study_fields[], iv_prf_study_summary_fields[], iv_recall_study_topic_fields[],
    iv_recall_study_coverage_fields[], iv_recall_study_closest_fields[],
    iv_recall_study_spread_fields[], iv_sampling_study_error_fields[],
    iv_sampling_study_cover_fields[], iv_sampling_study_agreement_fields[],
    iv_stopping_study_error_fields[],
    iv_stopping_study_power_fields[];

#endif /* IV_STUDY_STUDY_COLUMNS_H */
