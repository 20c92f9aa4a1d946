/* SPDX-License-Identifier: Apache-2.0 */
/* Which tables the studies have. */
#include "study/study_columns.h"

static const iv_known_table listed[] = {
    { "study all", "papers", iv_study_paper_fields },
    { "study all", "paper_tables", iv_study_verdict_fields },
    { "study all", "coverage", iv_study_cover_fields },
    { "study judging", "calibration", iv_judging_study_calibration_fields },
    { "study judging", "certainty", iv_judging_study_certainty_fields },
    { "study judging", "judgments", iv_judging_study_judgment_fields },
    { "study judging", "costs", iv_judging_study_cost_fields },
    { "study judging", "trials", iv_judging_study_trial_fields },
    { "study judging", "power", iv_judging_study_power_fields },
    { "study judging", "moments", iv_judging_study_moment_fields },
    { "study machine", "coverage", iv_machine_study_fields },
    { "study machine", "documents", iv_machine_document_fields },
    { "study machine", "lists", iv_machine_list_fields },
    { "study machine", "kappa", iv_machine_kappa_fields },
    { "study map", "errors", iv_map_study_fields },
    { "study power", "sign", iv_power_study_sign_fields },
    { "study power", "error", iv_power_study_error_fields },
    { "study power", "power", iv_power_study_power_fields },
    { "study power", "familywise", iv_power_study_family_fields },
    { "study power", "families", iv_power_study_equal_fields },
    { "study power", "ranks", iv_power_study_rank_fields },
    { "study prf", "coverage", iv_prf_study_fields },
    { "study prf", "summary", iv_prf_study_summary_fields },
    { "study prf", "grid", iv_prf_study_summary_fields },
    { "study recall", "coverage", iv_recall_study_coverage_fields },
    { "study recall", "quartiles", iv_recall_study_spread_fields },
    { "study recall", "closest", iv_recall_study_closest_fields },
    { "study recall", "topics", iv_recall_study_topic_fields },
    { "study sampling", "errors", iv_sampling_study_error_fields },
    { "study sampling", "coverage", iv_sampling_study_cover_fields },
    { "study sampling", "wilcoxon", iv_sampling_study_agreement_fields },
    { "study sampling", "groups", iv_sampling_study_error_fields },
    { "study stopping", "errors", iv_stopping_study_error_fields },
    { "study stopping", "power", iv_stopping_study_power_fields },
};

size_t iv_study_tables(const iv_known_table **out)
{
    *out = listed;
    return sizeof listed / sizeof *listed;
}
