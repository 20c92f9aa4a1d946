/* SPDX-License-Identifier: Apache-2.0 */
/* Which tables the answers have; the columns are told where the tables are made. */
#include "intervale/answer.h"
#include "retrieval/eval.h"

/* Command, table and fields of each. */
#define EVERY_TABLE(X)                                           \
    X("agree", "alpha", iv_agree_alpha_fields)                   \
    X("agree", "assessors", iv_agree_assessor_fields)            \
    X("agree", "kappas", iv_agree_kappa_fields)                  \
    X("agree", "majority", iv_agree_majority_fields)             \
    X("agree", "judges", iv_judge_fields)                        \
    X("agree", "confusion", iv_judge_cell_fields)                \
    X("agree", "calibration", iv_judge_label_fields)             \
    X("agree", "orders", iv_agree_order_fields)                  \
    X("agree", "systems", iv_agree_system_fields)                \
    X("agree", "pairs", iv_agree_pair_fields)                    \
    X("agree", "effects", iv_agree_effect_fields)                \
    X("check", "files", iv_check_file_fields)                    \
    X("check", "details", iv_check_detail_fields)                \
    X("check", "problems", iv_check_problem_fields)              \
    X("classify", "groups", iv_group_value_fields)               \
    X("classify", "gaps", iv_group_gap_fields)                   \
    X("classify", "metrics", iv_prf_metric_fields)               \
    X("classify", "classes", iv_prf_class_fields)                \
    X("classify", "classes", iv_roc_class_fields)                \
    X("classify", "confusion", iv_prf_confusion_fields)          \
    X("classify", "cells", iv_prf_cell_fields)                   \
    X("classify", "comparison", iv_prf_pair_fields)              \
    X("classify", "best", iv_prf_best_fields)                    \
    X("classify", "paired", iv_prf_alone_fields)                 \
    X("classify", "curves", iv_prf_curve_fields)                 \
    X("classify", "curves", iv_roc_curve_fields)                 \
    X("classify", "measures", iv_roc_measure_fields)             \
    X("classify", "pairs", iv_roc_pair_fields)                   \
    X("classify", "threshold", iv_roc_threshold_fields)          \
    X("classify", "operating", iv_roc_operating_fields)          \
    X("classify", "calibration", iv_roc_calibration_fields)      \
    X("classify", "reliability", iv_roc_reliability_fields)      \
    X("compare", "pairs", iv_comparing_pair_fields)              \
    X("compare", "pairs", iv_compare_two_phase_fields)           \
    X("compare", "pairs", iv_compare_judged_fields)              \
    X("compare", "ranks", iv_compare_two_phase_rank_fields)      \
    X("compare", "runs", iv_comparing_run_fields)                \
    X("compare", "paper", iv_comparing_paper_fields)             \
    X("compare", "groups", iv_comparing_sets_fields)             \
    X("compare", "sampling", iv_compare_sampling_fields)         \
    X("compare", "topics", iv_comparing_topic_fields)            \
    X("compare", "judges", iv_judge_fields)                      \
    X("compare", "confusion", iv_judge_cell_fields)              \
    X("compare", "calibration", iv_judge_label_fields)           \
    X("compare", "sets", iv_comparing_sets_fields)               \
    X("compare", "errors", iv_scored_error_fields)               \
    X("compare", "variance", iv_scored_part_fields)              \
    X("agree", "bias", iv_judge_bias_fields)                     \
    X("agree", "agreement", iv_judge_pair_fields)                \
    X("agree", "groups", iv_judge_group_fields)                  \
    X("eval", "groups", iv_group_value_fields)                   \
    X("eval", "gaps", iv_group_gap_fields)                       \
    X("eval", "measures", iv_eval_measure_fields)                \
    X("eval", "measures", iv_eval_two_phase_fields)              \
    X("eval", "measures", iv_eval_judged_fields)                 \
    X("eval", "measures", iv_eval_calibrated_fields)             \
    X("eval", "topics", iv_eval_topic_fields)                    \
    X("eval", "judges", iv_judge_fields)                         \
    X("eval", "confusion", iv_judge_cell_fields)                 \
    X("eval", "calibration", iv_judge_label_fields)              \
    X("eval", "items", iv_scored_item_fields)                    \
    X("eval", "flaky", iv_scored_item_fields)                    \
    X("eval", "sets", iv_scored_set_fields)                      \
    X("eval", "errors", iv_scored_error_fields)                  \
    X("eval", "variance", iv_scored_part_fields)                 \
    X("incomplete", "pairs", iv_incomplete_pair_fields)          \
    X("incomplete", "signs", iv_incomplete_sign_fields)          \
    X("measures", "measures", iv_measures_fields)                \
    X("next", "documents", iv_next_document_fields)              \
    X("next", "pairs", iv_next_pair_fields)                      \
    X("next", "judging", iv_next_judging_fields)                 \
    X("overlap", "pairs", iv_overlap_mean_fields)                \
    X("overlap", "topics", iv_overlap_topic_fields)              \
    X("plan cost", "plan", iv_plan_cost_fields)                  \
    X("plan cost", "model", iv_cost_coefficient_fields)          \
    X("plan cost", "curve", iv_cost_curve_fields)                \
    X("plan elusion", "plan", iv_plan_elusion_fields)            \
    X("plan looks", "looks", iv_plan_looks_fields)               \
    X("plan machine", "plan", iv_plan_machine_fields)            \
    X("plan machine", "plan", iv_plan_judged_fields)             \
    X("plan machine", "strata", iv_next_strata_fields)           \
    X("plan machine", "next", iv_next_labels_fields)             \
    X("plan pilot", "plan", iv_plan_pilot_fields)                \
    X("plan pilot", "model", iv_cost_coefficient_fields)         \
    X("plan pilot", "training", iv_plan_training_fields)         \
    X("plan power", "power", iv_plan_power_fields)               \
    X("plan recall", "plan", iv_plan_recall_fields)              \
    X("plan sample", "budget", iv_plan_budget_fields)            \
    X("plan sample", "curve", iv_plan_sample_curve_fields)       \
    X("plan topics", "topics", iv_plan_topics_fields)            \
    X("plan topics", "design", iv_scored_design_fields)          \
    X("plan gate", "items", iv_plan_gate_fields)                 \
    X("pool", "pool", iv_pool_fields)                            \
    X("prefer", "systems", iv_prefer_system_fields)              \
    X("prefer", "pairs", iv_prefer_pair_fields)                  \
    X("prefer", "covariates", iv_prefer_covariate_fields)        \
    X("prefer", "position", iv_prefer_position_fields)           \
    X("prefer", "judges", iv_prefer_judge_fields)                \
    X("prf", "groups", iv_group_value_fields)                    \
    X("prf", "gaps", iv_group_gap_fields)                        \
    X("prf", "metrics", iv_prf_metric_fields)                    \
    X("prf", "metrics", iv_prf_checked_fields)                   \
    X("prf", "classes", iv_prf_class_fields)                     \
    X("prf", "confusion", iv_prf_confusion_fields)               \
    X("prf", "cells", iv_prf_cell_fields)                        \
    X("prf", "comparison", iv_prf_pair_fields)                   \
    X("prf", "best", iv_prf_best_fields)                         \
    X("prf", "paired", iv_prf_alone_fields)                      \
    X("prf", "curves", iv_prf_curve_fields)                      \
    X("recall", "recall", iv_recall_interval_fields)             \
    X("recall", "families", iv_recall_family_fields)             \
    X("recall", "measures", iv_recall_measure_fields)            \
    X("recall", "yield", iv_recall_yield_fields)                 \
    X("recall", "data", iv_recall_data_fields)                   \
    X("recall", "curves", iv_recall_point_fields)                \
    X("recall", "elusion", iv_elusion_share_fields)              \
    X("recall", "missed", iv_elusion_missed_fields)              \
    X("recall", "anytime", iv_recall_anytime_fields)             \
    X("recall", "stop", iv_recall_stop_fields)                   \
    X("recall", "control", iv_recall_control_fields)             \
    X("recall", "proportion", iv_recall_proportion_fields)       \
    X("recall", "rechecked", iv_recall_rechecked_fields)         \
    X("roc", "groups", iv_group_value_fields)                    \
    X("roc", "gaps", iv_group_gap_fields)                        \
    X("roc", "measures", iv_roc_measure_fields)                  \
    X("roc", "pairs", iv_roc_pair_fields)                        \
    X("roc", "threshold", iv_roc_threshold_fields)               \
    X("roc", "operating", iv_roc_operating_fields)               \
    X("roc", "calibration", iv_roc_calibration_fields)           \
    X("roc", "reliability", iv_roc_reliability_fields)           \
    X("roc", "curves", iv_roc_curve_fields)                      \
    X("roc", "classes", iv_roc_class_fields)                     \
    X("sample", "design", iv_sample_design_fields)               \
    X("sample", "probabilities", iv_sample_bucket_fields)        \
    X("simulate", "runs", iv_simulate_fields)                    \
    X("watch", "tonight", iv_watch_tonight_fields)               \
    X("watch", "nights", iv_watch_night_fields)

#define DECLARE(command_, table_, fields_) extern const iv_field fields_[];
#define ROW(command_, table_, fields_) { command_, table_, fields_ },

EVERY_TABLE(DECLARE)

static const iv_known_table listed[] = { EVERY_TABLE(ROW) };

size_t iv_known_tables(const iv_known_table **out)
{
    *out = listed;
    return sizeof listed / sizeof *listed;
}
