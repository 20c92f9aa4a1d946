/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the tables of all answers, declared where the tables are made. */
#ifndef IV_ANSWER_ANSWER_COLUMNS_H
#define IV_ANSWER_ANSWER_COLUMNS_H

#include "intervale/base.h"

extern const iv_field iv_agree_order_fields[], iv_agree_system_fields[], iv_agree_pair_fields[],
    iv_agree_effect_fields[], iv_check_file_fields[], iv_check_detail_fields[],
    iv_check_problem_fields[], iv_compare_sampling_fields[], iv_compare_two_phase_fields[],
    iv_comparing_cell_fields[], iv_comparing_member_fields[], iv_comparing_interaction_fields[],
    iv_comparing_pair_fields[], iv_comparing_run_fields[], iv_comparing_sets_fields[],
    iv_comparing_topic_fields[], iv_cost_coefficient_fields[], iv_cost_fit_fields[],
    iv_cost_curve_fields[], iv_elusion_share_fields[], iv_elusion_missed_fields[],
    iv_eval_two_phase_fields[], iv_eval_topic_fields[],
    iv_eval_scores_fields[], iv_eval_measure_fields[], iv_incomplete_pair_fields[],
    iv_incomplete_sign_fields[], iv_incomplete_expected_fields[], iv_judge_fields[],
    iv_judge_cell_fields[], iv_judge_label_fields[], iv_judge_drift_fields[],
    iv_measures_fields[], iv_next_pair_fields[], iv_next_document_fields[],
    iv_next_judging_fields[], iv_overlap_topic_fields[], iv_overlap_mean_fields[],
    iv_overlap_judge_fields[], iv_plan_cost_fields[], iv_plan_elusion_fields[],
    iv_plan_elusion_curve_fields[], iv_plan_looks_fields[], iv_plan_machine_fields[],
    iv_plan_pilot_fields[], iv_plan_training_fields[], iv_plan_recall_fields[],
    iv_plan_budget_fields[], iv_plan_sample_curve_fields[], iv_plan_topics_fields[],
    iv_plan_power_fields[], iv_plan_power_curve_fields[], iv_prf_curve_fields[],
    iv_prf_error_fields[], iv_prf_checked_fields[], iv_prf_class_fields[], iv_prf_pair_fields[],
    iv_prf_best_fields[], iv_prf_alone_fields[],
    iv_prf_metric_fields[], iv_recall_interval_fields[],
    iv_recall_measure_fields[], iv_recall_yield_fields[],
    iv_recall_data_fields[], iv_recall_control_fields[], iv_recall_proportion_fields[],
    iv_recall_rechecked_fields[],
    iv_recall_point_fields[], iv_recall_anytime_fields[], iv_recall_stop_fields[],
    iv_roc_measure_fields[], iv_roc_pair_fields[], iv_roc_threshold_fields[],
    iv_roc_curve_fields[], iv_roc_class_fields[], iv_sample_design_fields[],
    iv_sample_bucket_fields[],
    iv_scored_design_fields[], iv_scored_part_fields[], iv_scored_reliability_fields[],
    iv_scored_set_fields[], iv_scored_error_fields[], iv_simulate_fields[],
    iv_prf_confusion_fields[], iv_comparing_paper_fields[], iv_prefer_system_fields[],
    iv_prefer_position_fields[], iv_prefer_judge_fields[];

#endif /* IV_ANSWER_ANSWER_COLUMNS_H */
