# SPDX-License-Identifier: Apache-2.0
"""The questions of the library, made by tools/python_questions.py from its headers."""
from ctypes import (POINTER, Structure, c_bool, c_char, c_char_p, c_double, c_int,
                    c_int32, c_int64, c_size_t, c_uint, c_uint32, c_uint64, c_void_p)

from ._base import iv_integers, iv_progress, iv_reals, iv_str, iv_texts, iv_work


class iv_source(Structure):
    _fields_ = [
        ("judgments", c_char_p),
        ("judgments_format", c_int),
        ("judged", c_void_p),
        ("runs", iv_texts),
        ("run_format", c_int),
        ("ranked", c_void_p),
        ("ranked_count", c_size_t),
        ("memory", c_uint64),
        ("sort", c_bool),
        ("folder", c_char_p),
        ("parts", iv_texts),
    ]


class iv_orders_options(Structure):
    _fields_ = [
        ("persistence", c_double),
        ("confidence", c_double),
        ("draws", c_size_t),
    ]


class iv_agree_question(Structure):
    _fields_ = [
        ("a_matrix", c_char_p),
        ("b_matrix", c_char_p),
        ("by", c_int),
        ("source", iv_source),
        ("other", c_char_p),
        ("other_judged", c_void_p),
        ("again", iv_texts),
        ("measure", c_char_p),
        ("other_measure", c_char_p),
        ("baseline", c_char_p),
        ("how", iv_orders_options),
        ("beside", iv_texts),
        ("level", c_int32),
        ("judge_level", c_int32),
        ("weights", c_int),
        ("assessors", c_char_p),
        ("scale", c_int),
        ("strata", c_char_p),
        ("populations", iv_integers),
    ]


class iv_check_question(Structure):
    _fields_ = [
        ("files", iv_texts),
        ("format", c_int),
        ("most", c_int64),
    ]


class iv_measure_options(Structure):
    _fields_ = [
        ("dialect", c_int),
        ("level", c_int32),
        ("depth", c_size_t),
        ("judged_only", c_bool),
        ("collection", c_int64),
        ("as_trec_eval", c_bool),
    ]


class iv_resampling(Structure):
    _fields_ = [
        ("confidence", c_double),
        ("resamples", c_size_t),
    ]


class iv_evaluating(Structure):
    _fields_ = [
        ("measures", iv_texts),
        ("measure", iv_measure_options),
        ("complete", c_bool),
        ("texts", c_bool),
        ("bounds", c_bool),
        ("ties", c_bool),
        ("differences", c_bool),
        ("interval", c_int),
        ("guaranteed", c_bool),
        ("resampling", iv_resampling),
        ("estimator", c_int),
        ("unjudged", c_int),
        ("infer", c_int),
        ("machine", c_void_p),
        ("scored", c_bool),
        ("standards", c_char_p),
    ]


class iv_score_source(Structure):
    _fields_ = [
        ("files", iv_texts),
        ("columns", iv_texts),
        ("score", iv_reals),
        ("system", iv_texts),
        ("item", iv_texts),
        ("measure", iv_texts),
        ("repeat", iv_texts),
        ("cluster", iv_texts),
        ("suite", iv_texts),
        ("weight", iv_reals),
    ]


class iv_score_input(Structure):
    _fields_ = [
        ("given", c_bool),
        ("from_", iv_score_source),
        ("sets", c_int),
        ("set_weights", iv_texts),
        ("binary", c_bool),
    ]


class iv_paper(Structure):
    _fields_ = [
        ("interval", c_int),
        ("marks", c_int),
        ("order", c_int),
        ("two_columns", c_bool),
    ]


class iv_structure(Structure):
    _fields_ = [
        ("cluster", POINTER(c_uint32)),
        ("clusters", c_size_t),
        ("suite", POINTER(c_uint32)),
        ("suites", c_size_t),
        ("suite_weight", POINTER(c_double)),
        ("sampled", c_bool),
        ("weight", POINTER(c_double)),
        ("repeat_variance", POINTER(c_double)),
        ("repeat_df", POINTER(c_double)),
    ]


class iv_doubt(Structure):
    _fields_ = [
        ("too_low", c_double),
        ("too_high", c_double),
        ("longer", c_double),
        ("shorter", c_double),
        ("reach", c_double),
    ]


class iv_compare_options(Structure):
    _fields_ = [
        ("tests", POINTER(c_int)),
        ("test_count", c_size_t),
        ("ties", c_int),
        ("zeros", c_int),
        ("alternative", c_int),
        ("correction", c_int),
        ("baselines", POINTER(c_size_t)),
        ("baseline_count", c_size_t),
        ("interval", c_int),
        ("means", c_int),
        ("margin", c_double),
        ("confidence", c_double),
        ("resamples", c_size_t),
        ("permutations", c_size_t),
        ("structure", POINTER(iv_structure)),
        ("binary", c_bool),
        ("doubts", POINTER(iv_doubt)),
        ("bounded", c_bool),
    ]


class iv_machines(Structure):
    _fields_ = [
        ("files", iv_texts),
        ("format", c_int),
        ("level", c_int32),
        ("infer", c_int),
    ]


class iv_compare_question(Structure):
    _fields_ = [
        ("source", iv_source),
        ("scoring", iv_evaluating),
        ("matrix", c_char_p),
        ("by", c_int),
        ("values", POINTER(c_double)),
        ("systems", iv_texts),
        ("topics", iv_texts),
        ("scores", iv_score_input),
        ("not_worse", c_bool),
        ("topic_texts", c_char_p),
        ("groups", c_char_p),
        ("baselines", iv_texts),
        ("tests", iv_texts),
        ("paper", iv_paper),
        ("how", iv_compare_options),
        ("machine", iv_machines),
    ]


class iv_eval_question(Structure):
    _fields_ = [
        ("source", iv_source),
        ("how", iv_evaluating),
        ("topics", c_bool),
        ("no_summary", c_bool),
        ("matrix", c_char_p),
        ("scores", iv_score_input),
        ("write_scores", c_char_p),
        ("anytime", c_bool),
        ("trec", c_void_p),
        ("machine", iv_machines),
    ]


class iv_incomplete_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("baseline", c_char_p),
        ("model", c_int),
        ("relevance", c_char_p),
        ("form", c_int),
        ("depth", c_size_t),
        ("level", c_int32),
        ("union_only", c_bool),
        ("alternative", c_int),
        ("confidence", c_double),
    ]


class iv_measures_question(Structure):
    _fields_ = [
        ("names", iv_texts),
        ("prose", c_void_p),
    ]


class iv_next_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("count", c_size_t),
        ("write", c_char_p),
        ("model", c_int),
        ("relevance", c_char_p),
        ("form", c_int),
        ("depth", c_size_t),
        ("level", c_int32),
        ("union_only", c_bool),
        ("machine", c_char_p),
        ("oracle", c_char_p),
        ("until", c_double),
        ("no_answer", c_int),
        ("most", c_size_t),
    ]


class iv_overlap_options(Structure):
    _fields_ = [
        ("persistence", c_double),
        ("ties", c_int),
        ("top", c_size_t),
        ("depth", c_size_t),
    ]


class iv_overlap_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("how", iv_overlap_options),
        ("resampling", iv_resampling),
    ]


class iv_prices(Structure):
    _fields_ = [
        ("topic", c_double),
        ("judgment", c_double),
        ("free_topics", c_double),
    ]


class iv_plan_cost_question(Structure):
    _fields_ = [
        ("pilot", c_char_p),
        ("coefficients", iv_reals),
        ("topics", c_double),
        ("prices", iv_prices),
        ("certainty", c_double),
        ("confidence", c_double),
    ]


class iv_plan_elusion_question(Structure):
    _fields_ = [
        ("population", c_int64),
        ("below", c_double),
        ("accept", iv_integers),
        ("elusion", c_double),
        ("assurance", c_double),
        ("confidence", c_double),
    ]


class iv_plan_looks_question(Structure):
    _fields_ = [
        ("shape", c_int),
        ("looks", c_size_t),
        ("fractions", iv_reals),
        ("documents", c_int64),
        ("confidence", c_double),
        ("two_sided", c_bool),
    ]


class iv_plan_machine_question(Structure):
    _fields_ = [
        ("source", iv_source),
        ("machine", iv_machines),
        ("measures", iv_texts),
        ("level", c_int32),
        ("width", c_double),
        ("topics", c_size_t),
        ("price", c_double),
        ("machine_price", c_double),
        ("confidence", c_double),
    ]


class iv_rank_relevance(Structure):
    _fields_ = [
        ("intercept", c_double),
        ("slope", c_double),
        ("judged", c_size_t),
        ("relevant", c_size_t),
    ]


class iv_prior(Structure):
    _fields_ = [
        ("model", c_int),
        ("by_rank", c_bool),
        ("relevance", c_double),
        ("curve", iv_rank_relevance),
    ]


class iv_pilot_options(Structure):
    _fields_ = [
        ("prior", iv_prior),
        ("form", c_int),
        ("no_answer", c_int),
        ("order", c_int),
        ("topics", c_double),
        ("prices", iv_prices),
        ("replicates", c_size_t),
        ("forecasts", c_size_t),
        ("confidence", c_double),
    ]


class iv_plan_pilot_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("effect", c_double),
        ("power", c_double),
        ("alpha", c_double),
        ("relevance", c_char_p),
        ("depth", c_size_t),
        ("level", c_int32),
        ("how", iv_pilot_options),
    ]


class iv_plan_power_question(Structure):
    _fields_ = [
        ("tests", iv_texts),
        ("topics", iv_integers),
        ("effect", iv_reals),
        ("power", iv_reals),
        ("difference", iv_reals),
        ("sd", c_double),
        ("certainty", iv_reals),
        ("sides", c_int),
        ("alpha", c_double),
        ("ties", c_double),
        ("runs", c_size_t),
        ("experiments", c_size_t),
    ]


class iv_plan_recall_question(Structure):
    _fields_ = [
        ("population", c_int64),
        ("retrieved", c_int64),
        ("recall", iv_reals),
        ("precision", iv_reals),
        ("total", iv_integers),
        ("width", c_double),
        ("lower", c_double),
        ("assurance", c_double),
        ("method", c_int),
        ("confidence", c_double),
        ("one_sided", c_bool),
        ("retrieved_judged", c_int64),
    ]


class iv_sample_plan_options(Structure):
    _fields_ = [
        ("goal", c_int),
        ("depth", c_size_t),
        ("topics", c_size_t),
        ("se", c_double),
        ("halfwidth", c_double),
        ("confidence", c_double),
        ("part", c_int),
        ("estimator", c_int),
        ("check", c_int64),
    ]


class iv_plan_sample_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("unjudged", c_int),
        ("how", iv_sample_plan_options),
    ]


class iv_plan_topics_question(Structure):
    _fields_ = [
        ("matrix", c_char_p),
        ("by", c_int),
        ("scores", iv_score_input),
        ("from_", iv_source),
        ("scoring", iv_evaluating),
        ("baseline", c_char_p),
        ("tests", iv_texts),
        ("sides", c_int),
        ("power", c_double),
        ("alpha", c_double),
        ("alone", c_bool),
        ("certainty", c_double),
        ("experiments", c_size_t),
        ("confidence", c_double),
    ]


class iv_prf_counts(Structure):
    _fields_ = [
        ("tp", c_int64),
        ("fp", c_int64),
        ("fn", c_int64),
        ("tn", c_int64),
    ]


class iv_prf_entry(Structure):
    _fields_ = [
        ("system", c_char_p),
        ("category", c_char_p),
        ("counts", iv_prf_counts),
    ]


class iv_labels_options(Structure):
    _fields_ = [
        ("positive", c_char_p),
        ("classes", c_char_p),
        ("gold", c_char_p),
        ("predictions", iv_texts),
        ("threshold", c_char_p),
        ("systems", iv_texts),
    ]


class iv_labels(Structure):
    _fields_ = [
        ("items", c_size_t),
        ("systems", c_size_t),
        ("classes", c_int32),
        ("binary", c_bool),
        ("at", POINTER(c_int32)),
        ("system_names", POINTER(c_char_p)),
        ("class_names", POINTER(c_char_p)),
        ("bytes", c_uint64),
        ("notes", iv_texts),
    ]


class iv_prf_input(Structure):
    _fields_ = [
        ("entries", POINTER(iv_prf_entry)),
        ("entry_count", c_size_t),
        ("counts", iv_texts),
        ("files", iv_texts),
        ("labels", c_char_p),
        ("labels_as", iv_labels_options),
        ("labelled", POINTER(iv_labels)),
        ("prior_counts", iv_texts),
    ]


class iv_prf_options(Structure):
    _fields_ = [
        ("prior", iv_reals),
        ("beta", iv_reals),
        ("interval", c_int),
        ("confidence", c_double),
        ("guaranteed", c_bool),
        ("draws", c_int64),
        ("compare", c_bool),
        ("paired", c_bool),
        ("averaged", c_bool),
    ]


class iv_prf_question(Structure):
    _fields_ = [
        ("from_", iv_prf_input),
        ("how", iv_prf_options),
        ("targets", iv_texts),
        ("metrics", iv_texts),
        ("machine", c_char_p),
        ("probability", c_char_p),
    ]


class iv_strata_row(Structure):
    _fields_ = [
        ("name", iv_str),
        ("size", c_int64),
        ("sampled", c_int64),
        ("relevant", c_int64),
        ("line", c_uint64),
    ]


class iv_strata_table(Structure):
    _fields_ = [
        ("rows", POINTER(iv_strata_row)),
        ("runs", POINTER(iv_str)),
        ("retrieved", POINTER(c_bool)),
        ("row_count", c_size_t),
        ("run_count", c_size_t),
        ("path", c_char_p),
        ("bytes", c_uint64),
        ("ignored", c_char_p),
    ]


class iv_recall_question(Structure):
    _fields_ = [
        ("retrieved", iv_integers),
        ("unretrieved", iv_integers),
        ("strata", c_char_p),
        ("runs", c_char_p),
        ("table", POINTER(iv_strata_table)),
        ("run", c_char_p),
        ("sample", c_char_p),
        ("ranking", c_void_p),
        ("judged", c_void_p),
        ("collection", c_char_p),
        ("at", iv_integers),
        ("drawn_at", c_int64),
        ("level", c_int64),
        ("machine", c_char_p),
        ("machine_level", c_int64),
        ("unsampled", c_int),
        ("unjudged", c_int),
        ("judgments_format", c_int),
        ("method", c_int),
        ("confidence", c_double),
        ("one_sided", c_bool),
        ("guaranteed", c_bool),
        ("prior", iv_reals),
        ("target", c_double),
        ("max_elusion", c_double),
        ("beta", c_double),
        ("draws", c_int64),
        ("density", c_bool),
        ("log", c_char_p),
        ("anytime", c_bool),
        ("looks", c_size_t),
        ("look", c_size_t),
        ("shape", c_int),
        ("stop", c_int),
    ]


class iv_scored_system(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("scores", POINTER(c_double)),
    ]


class iv_roc_question(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("gold", c_char_p),
        ("positive", c_char_p),
        ("named", iv_texts),
        ("table", c_void_p),
        ("systems", POINTER(iv_scored_system)),
        ("system_count", c_size_t),
        ("is_positive", POINTER(c_bool)),
        ("items", c_size_t),
        ("goal", c_int),
        ("bins", c_size_t),
        ("confidence", c_double),
        ("resamples", c_size_t),
    ]


class iv_sample_options(Structure):
    _fields_ = [
        ("design", c_int),
        ("budget", c_size_t),
        ("total", c_size_t),
        ("spread", c_int),
        ("budget_depth", c_size_t),
        ("pool_depth", c_size_t),
        ("judged", c_void_p),
        ("strata", iv_integers),
        ("rates", iv_reals),
    ]


class iv_sample_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("exclude", iv_texts),
        ("depth", c_size_t),
        ("weights", c_char_p),
        ("machine", c_char_p),
        ("how", iv_sample_options),
        ("form", c_void_p),
    ]


class iv_simulation_options(Structure):
    _fields_ = [
        ("seed", c_uint64),
        ("documents", c_uint32),
        ("runs", c_uint32),
        ("depth", c_uint32),
        ("grades", c_uint32),
        ("prevalence", c_double),
        ("prevalence_spread", c_double),
        ("least_relevant", c_uint32),
        ("quality", iv_reals),
        ("similarity", c_double),
        ("difficulty", c_double),
        ("breadth", c_double),
        ("interaction", c_double),
        ("ties", c_double),
    ]


class iv_simulation_files(Structure):
    _fields_ = [
        ("topics", c_uint32),
        ("first_topic", c_int64),
        ("prefix", c_char_p),
        ("judged", c_uint32),
        ("judging", c_int),
        ("judge", c_char_p),
        ("truth_topics", c_uint32),
    ]


class iv_simulate_question(Structure):
    _fields_ = [
        ("directory", c_char_p),
        ("collection", iv_simulation_options),
        ("files", iv_simulation_files),
    ]


class iv_sorting(Structure):
    _fields_ = [
        ("memory", c_uint64),
        ("folder", c_char_p),
    ]


class iv_sort_question(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("sorted", c_char_p),
        ("lines", c_void_p),
        ("how", iv_sorting),
    ]


class iv_text_column(Structure):
    _fields_ = [
        ("strs", POINTER(iv_str)),
        ("texts", POINTER(c_char_p)),
        ("joined", c_char_p),
        ("offsets", POINTER(c_int64)),
        ("bytes", c_size_t),
        ("repeats", POINTER(c_int64)),
        ("distinct", c_size_t),
    ]


class iv_run_columns(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("topic", iv_text_column),
        ("docno", iv_text_column),
        ("score", POINTER(c_double)),
        ("tag", c_char_p),
    ]


class iv_judgment_columns(Structure):
    _fields_ = [
        ("count", c_size_t),
        ("topic", iv_text_column),
        ("docno", iv_text_column),
        ("grade", POINTER(c_int32)),
        ("pi", POINTER(c_double)),
        ("stratum", POINTER(c_int32)),
        ("group", iv_text_column),
        ("comments", c_char_p),
    ]


class iv_said(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("labels", POINTER(c_char_p)),
    ]


class iv_column(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("digits", c_int),
        ("audience", c_int),
        ("about", c_char_p),
    ]


class iv_cell(Structure):
    _fields_ = [
        ("missing", c_bool),
        ("text", iv_str),
        ("integer", c_int64),
        ("real", c_double),
        ("count", c_bool),
    ]


class iv_report_options(Structure):
    _fields_ = [
        ("format", c_int),
        ("table", c_char_p),
        ("width", c_int),
        ("utf8", c_bool),
        ("colour", c_bool),
        ("no_notes", c_bool),
        ("elsewhere", c_char_p),
        ("wrap", c_bool),
    ]


class iv_run_oddities(Structure):
    _fields_ = [
        ("many_tags", c_bool),
        ("misranked_line", c_uint64),
    ]


class iv_run_notes(Structure):
    _fields_ = [
        ("not_judged", c_size_t),
        ("float_ties", c_size_t),
        ("ties", c_size_t),
        ("top_retrieved", c_size_t),
        ("top_unjudged", c_size_t),
        ("retrieved", c_size_t),
        ("unjudged", c_size_t),
        ("odd", iv_run_oddities),
    ]


class iv_evaluated_run(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("tag", c_char_p),
        ("path", c_char_p),
        ("bytes", c_uint64),
        ("topics", c_size_t),
        ("missing", POINTER(iv_str)),
        ("missing_count", c_size_t),
        ("noted", iv_run_notes),
    ]


class iv_measure_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("ir_name", c_char_p),
        ("family", c_char_p),
        ("usage", c_char_p),
        ("brief", c_char_p),
        ("text", c_char_p),
        ("kind", c_int),
        ("summary", c_int),
        ("lowest", c_double),
        ("highest", c_double),
        ("above", c_bool),
        ("per_topic", c_bool),
        ("overall", c_bool),
        ("graded", c_bool),
        ("binary", c_size_t),
    ]


class iv_value_info(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("measure", POINTER(iv_measure_info)),
        ("lowest", c_double),
        ("highest", c_double),
        ("cutoff", c_size_t),
        ("point", c_double),
        ("level", c_int32),
        ("judged_only", c_bool),
        ("persistence", c_double),
        ("exponential", c_bool),
        ("max_grade", c_int32),
        ("binary", c_bool),
    ]


class iv_evaluated_measure(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("info", POINTER(iv_value_info)),
        ("text", c_bool),
        ("per_topic", c_bool),
        ("overall", c_bool),
        ("count", c_bool),
        ("inferred", c_bool),
        ("has_bounds", c_bool),
        ("has_ties", c_bool),
        ("why_no_bounds", c_char_p),
    ]


class iv_bounds(Structure):
    _fields_ = [
        ("lower", c_double),
        ("upper", c_double),
    ]


class iv_ties(Structure):
    _fields_ = [
        ("lower", c_double),
        ("expected", c_double),
        ("upper", c_double),
    ]


class iv_mean(Structure):
    _fields_ = [
        ("topics", c_size_t),
        ("value", c_double),
        ("se", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("method", c_int),
        ("replaced", c_bool),
        ("gap", c_int),
        ("constant", c_bool),
        ("dropped", c_size_t),
        ("limit_error", c_double),
        ("bounds", iv_bounds),
        ("ties", iv_ties),
        ("se_judgments", c_double),
        ("se_topics", c_double),
        ("without", c_size_t),
        ("too_low", c_double),
        ("too_high", c_double),
    ]


class iv_evaluated(Structure):
    _fields_ = [
        ("runs", POINTER(iv_evaluated_run)),
        ("run_count", c_size_t),
        ("measures", POINTER(iv_evaluated_measure)),
        ("measure_count", c_size_t),
        ("means", POINTER(iv_mean)),
        ("topics", POINTER(iv_str)),
        ("topic_count", c_size_t),
        ("judged_topics", c_size_t),
        ("judgments_bytes", c_uint64),
        ("sampling", c_void_p),
        ("repeated", c_uint64),
        ("complete", c_bool),
        ("certain", c_bool),
        ("resampling", iv_resampling),
        ("estimator", c_int),
        ("blank", c_size_t),
        ("blank_topics", c_size_t),
        ("groups", c_size_t),
        ("largest_grade", c_int32),
    ]


class iv_input(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("bytes", c_uint64),
        ("sha256", c_char_p),
    ]


# Command: its question, and its options: the field, the function that lists the
# words it may have, whether 0 is a number that can be meant.
COMMANDS = {
    "agree": (iv_agree_question, {
        "baseline": ("baseline", None, False),
        "by": ("by", "iv_matrix_rows_names", False),
        "confidence": ("how.confidence", None, False),
        "draws": ("how.draws", None, False),
        "judge_level": ("judge_level", None, True),
        "level": ("level", None, True),
        "measure": ("measure", None, False),
        "orders": ("a_matrix", None, False),
        "other": ("other", None, False),
        "other_measure": ("other_measure", None, False),
        "persistence": ("how.persistence", None, False),
        "population": ("populations", None, False),
        "reproduced": ("again", None, False),
        "scale": ("scale", "iv_label_scale_names", False),
        "strata": ("strata", None, False),
        "weights": ("weights", "iv_kappa_weights_names", False),
    }),
    "check": (iv_check_question, {
        "judgments_format": ("format", "iv_judgments_format_names", False),
        "most": ("most", None, True),
    }),
    "compare": (iv_compare_question, {
        "alternative": ("how.alternative", "iv_alternative_names", False),
        "baseline": ("baselines", None, False),
        "binary": ("scores.binary", None, False),
        "by": ("by", "iv_matrix_rows_names", False),
        "ci": ("how.interval", "iv_interval_names", False),
        "columns": ("scores.from_.columns", None, False),
        "compat": ("scoring.measure.dialect", "iv_dialect_names", False),
        "complete": ("scoring.complete", None, False),
        "confidence": ("how.confidence", None, False),
        "correct": ("how.correction", "iv_correction_names", False),
        "depth": ("scoring.measure.depth", None, False),
        "estimator": ("scoring.estimator", "iv_estimator_names", False),
        "groups": ("groups", None, False),
        "infer": ("machine.infer", "iv_infer_names", False),
        "interval_style": ("paper.interval", "iv_paper_interval_names", False),
        "judged_only": ("scoring.measure.judged_only", None, False),
        "judgments_format": ("source.judgments_format", "iv_judgments_format_names", False),
        "level": ("scoring.measure.level", None, True),
        "machine": ("machine.files", None, False),
        "machine_format": ("machine.format", "iv_judgments_format_names", False),
        "machine_level": ("machine.level", None, True),
        "margin": ("how.margin", None, True),
        "marks": ("paper.marks", "iv_paper_marks_names", False),
        "matrix": ("matrix", None, False),
        "measure": ("scoring.measures", None, False),
        "memory": ("source.memory", None, False),
        "order": ("paper.order", "iv_paper_order_names", False),
        "permutations": ("how.permutations", None, False),
        "resamples": ("how.resamples", None, False),
        "run_format": ("source.run_format", "iv_run_format_names", False),
        "scores": ("scores.given", None, False),
        "set_weight": ("scores.set_weights", None, False),
        "sets": ("scores.sets", "iv_sets_names", False),
        "sort": ("source.sort", None, False),
        "test": ("tests", None, False),
        "ties": ("how.ties", "iv_sign_ties_names", False),
        "topic_texts": ("topic_texts", None, False),
        "two_columns": ("paper.two_columns", None, False),
        "unjudged": ("scoring.unjudged", "iv_unjudged_names", False),
        "zeros": ("how.zeros", "iv_zeros_names", False),
    }),
    "eval": (iv_eval_question, {
        "anytime": ("anytime", None, False),
        "binary": ("scores.binary", None, False),
        "bounds": ("how.bounds", None, False),
        "ci": ("how.interval", "iv_interval_names", False),
        "collection": ("how.measure.collection", None, False),
        "columns": ("scores.from_.columns", None, False),
        "compat": ("how.measure.dialect", "iv_dialect_names", False),
        "complete": ("how.complete", None, False),
        "confidence": ("how.resampling.confidence", None, False),
        "depth": ("how.measure.depth", None, False),
        "estimator": ("how.estimator", "iv_estimator_names", False),
        "guaranteed": ("how.guaranteed", None, False),
        "infer": ("machine.infer", "iv_infer_names", False),
        "judged_only": ("how.measure.judged_only", None, False),
        "judgments_format": ("source.judgments_format", "iv_judgments_format_names", False),
        "level": ("how.measure.level", None, True),
        "machine": ("machine.files", None, False),
        "machine_format": ("machine.format", "iv_judgments_format_names", False),
        "machine_level": ("machine.level", None, True),
        "measure": ("how.measures", None, False),
        "memory": ("source.memory", None, False),
        "no_summary": ("no_summary", None, False),
        "per_topic": ("topics", None, False),
        "resamples": ("how.resampling.resamples", None, False),
        "run_format": ("source.run_format", "iv_run_format_names", False),
        "scores": ("scores.given", None, False),
        "set_weight": ("scores.set_weights", None, False),
        "sets": ("scores.sets", "iv_sets_names", False),
        "sort": ("source.sort", None, False),
        "standards": ("how.standards", None, False),
        "ties": ("how.ties", None, False),
        "unjudged": ("how.unjudged", "iv_unjudged_names", False),
        "write_matrix": ("matrix", None, False),
        "write_scores": ("write_scores", None, False),
    }),
    "incomplete": (iv_incomplete_question, {
        "alternative": ("alternative", "iv_alternative_names", False),
        "baseline": ("baseline", None, False),
        "confidence": ("confidence", None, False),
        "depth": ("depth", None, False),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False),
        "level": ("level", None, True),
        "model": ("model", "iv_belief_model_names", False),
        "moments": ("form", "iv_moments_form_names", False),
        "relevance": ("relevance", None, False),
        "run_format": ("from_.run_format", "iv_run_format_names", False),
        "union_only": ("union_only", None, False),
    }),
    "measures": (iv_measures_question, {
    }),
    "next": (iv_next_question, {
        "count": ("count", None, False),
        "depth": ("depth", None, False),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False),
        "level": ("level", None, True),
        "machine": ("machine", None, False),
        "model": ("model", "iv_belief_model_names", False),
        "moments": ("form", "iv_moments_form_names", False),
        "most": ("most", None, False),
        "oracle": ("oracle", None, False),
        "relevance": ("relevance", None, False),
        "run_format": ("from_.run_format", "iv_run_format_names", False),
        "union_only": ("union_only", None, False),
        "unjudged": ("no_answer", "iv_no_answer_names", False),
        "until": ("until", None, False),
        "write": ("write", None, False),
    }),
    "overlap": (iv_overlap_question, {
        "confidence": ("resampling.confidence", None, False),
        "depth": ("how.depth", None, False),
        "persistence": ("how.persistence", None, False),
        "resamples": ("resampling.resamples", None, False),
        "run_format": ("from_.run_format", "iv_run_format_names", False),
        "ties": ("how.ties", "iv_rbo_ties_names", False),
        "top": ("how.top", None, False),
    }),
    "plan cost": (iv_plan_cost_question, {
        "certainty": ("certainty", None, False),
        "coefficients": ("coefficients", None, False),
        "confidence": ("confidence", None, False),
        "free_topics": ("prices.free_topics", None, False),
        "judgment_cost": ("prices.judgment", None, True),
        "topic_cost": ("prices.topic", None, False),
        "topics": ("topics", None, False),
    }),
    "plan elusion": (iv_plan_elusion_question, {
        "accept": ("accept", None, False),
        "assurance": ("assurance", None, False),
        "below": ("below", None, False),
        "confidence": ("confidence", None, False),
        "elusion": ("elusion", None, False),
        "population": ("population", None, False),
    }),
    "plan looks": (iv_plan_looks_question, {
        "at": ("fractions", None, False),
        "confidence": ("confidence", None, False),
        "documents": ("documents", None, False),
        "looks": ("looks", None, False),
        "shape": ("shape", "iv_look_shape_names", False),
        "two_sided": ("two_sided", None, False),
    }),
    "plan machine": (iv_plan_machine_question, {
        "confidence": ("confidence", None, False),
        "level": ("level", None, True),
        "machine": ("machine.files", None, False),
        "machine_level": ("machine.level", None, True),
        "machine_price": ("machine_price", None, False),
        "measure": ("measures", None, False),
        "pilot": ("source.judgments", None, False),
        "price": ("price", None, False),
        "topics": ("topics", None, False),
        "width": ("width", None, False),
    }),
    "plan pilot": (iv_plan_pilot_question, {
        "alpha": ("alpha", None, False),
        "confidence": ("how.confidence", None, False),
        "depth": ("depth", None, False),
        "effect": ("effect", None, True),
        "forecasts": ("how.forecasts", None, False),
        "free_topics": ("how.prices.free_topics", None, False),
        "judge": ("how.order", "iv_judging_order_names", False),
        "judgment_cost": ("how.prices.judgment", None, True),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False),
        "level": ("level", None, True),
        "moments": ("how.form", "iv_moments_form_names", False),
        "power": ("power", None, False),
        "relevance": ("relevance", None, False),
        "run_format": ("from_.run_format", "iv_run_format_names", False),
        "samples": ("how.replicates", None, False),
        "topic_cost": ("how.prices.topic", None, False),
        "topics": ("how.topics", None, False),
        "unjudged": ("how.no_answer", "iv_no_answer_names", False),
    }),
    "plan power": (iv_plan_power_question, {
        "alpha": ("alpha", None, False),
        "certainty": ("certainty", None, False),
        "difference": ("difference", None, False),
        "effect": ("effect", None, False),
        "experiments": ("experiments", None, False),
        "power": ("power", None, False),
        "runs": ("runs", None, False),
        "sd": ("sd", None, False),
        "sides": ("sides", "iv_sides_names", False),
        "test": ("tests", None, False),
        "ties": ("ties", None, False),
        "topics": ("topics", None, False),
    }),
    "plan recall": (iv_plan_recall_question, {
        "assurance": ("assurance", None, False),
        "confidence": ("confidence", None, False),
        "lower": ("lower", None, False),
        "method": ("method", "iv_recall_method_names", False),
        "one_sided": ("one_sided", None, False),
        "population": ("population", None, False),
        "precision": ("precision", None, False),
        "recall": ("recall", None, False),
        "retrieved": ("retrieved", None, False),
        "retrieved_judged": ("retrieved_judged", None, False),
        "total": ("total", None, False),
        "width": ("width", None, False),
    }),
    "plan sample": (iv_plan_sample_question, {
        "check": ("how.check", None, True),
        "confidence": ("how.confidence", None, False),
        "depth": ("how.depth", None, False),
        "estimator": ("how.estimator", "iv_estimator_names", False),
        "goal": ("how.goal", "iv_sample_goal_names", False),
        "halfwidth": ("how.halfwidth", None, False),
        "part": ("how.part", "iv_sample_part_names", False),
        "pilot": ("from_.judgments", None, False),
        "se": ("how.se", None, False),
        "topics": ("how.topics", None, False),
        "unjudged": ("unjudged", "iv_unjudged_names", False),
    }),
    "plan topics": (iv_plan_topics_question, {
        "alone": ("alone", None, False),
        "alpha": ("alpha", None, False),
        "baseline": ("baseline", None, False),
        "binary": ("scores.binary", None, False),
        "by": ("by", "iv_matrix_rows_names", False),
        "certainty": ("certainty", None, False),
        "columns": ("scores.from_.columns", None, False),
        "complete": ("scoring.complete", None, False),
        "confidence": ("confidence", None, False),
        "experiments": ("experiments", None, False),
        "measure": ("scoring.measures", None, False),
        "power": ("power", None, False),
        "scores": ("scores.given", None, False),
        "set_weight": ("scores.set_weights", None, False),
        "sets": ("scores.sets", "iv_sets_names", False),
        "sides": ("sides", "iv_sides_names", False),
        "test": ("tests", None, False),
    }),
    "prf": (iv_prf_question, {
        "beta": ("how.beta", None, False),
        "classes": ("from_.labels_as.classes", None, False),
        "compare": ("how.compare", None, False),
        "confidence": ("how.confidence", None, False),
        "counts": ("from_.counts", None, False),
        "draws": ("how.draws", None, False),
        "gold": ("from_.labels_as.gold", None, False),
        "guaranteed": ("how.guaranteed", None, False),
        "interval": ("how.interval", "iv_interval_kind_names", False),
        "labels": ("from_.labels", None, False),
        "machine_column": ("machine", None, False),
        "metric": ("metrics", None, False),
        "paired": ("how.paired", None, False),
        "positive": ("from_.labels_as.positive", None, False),
        "predictions": ("from_.labels_as.predictions", None, False),
        "prior": ("how.prior", None, False),
        "prior_counts": ("from_.prior_counts", None, False),
        "probability_column": ("probability", None, False),
        "system": ("from_.labels_as.systems", None, False),
        "target": ("targets", None, False),
        "threshold": ("from_.labels_as.threshold", None, False),
    }),
    "recall": (iv_recall_question, {
        "anytime": ("anytime", None, False),
        "at": ("at", None, False),
        "beta": ("beta", None, False),
        "collection": ("collection", None, False),
        "confidence": ("confidence", None, False),
        "density": ("density", None, False),
        "drawn_at": ("drawn_at", None, False),
        "draws": ("draws", None, False),
        "guaranteed": ("guaranteed", None, False),
        "judgments_format": ("judgments_format", "iv_judgments_format_names", False),
        "level": ("level", None, False),
        "log": ("log", None, False),
        "look": ("look", None, False),
        "looks": ("looks", None, False),
        "machine": ("machine", None, False),
        "machine_level": ("machine_level", None, False),
        "max_elusion": ("max_elusion", None, False),
        "method": ("method", "iv_recall_method_names", False),
        "one_sided": ("one_sided", None, False),
        "prior": ("prior", None, False),
        "retrieved": ("retrieved", None, False),
        "run": ("run", None, False),
        "runs": ("runs", None, False),
        "sample": ("sample", None, False),
        "shape": ("shape", "iv_look_shape_names", False),
        "stop": ("stop", "iv_review_stop_names", False),
        "strata": ("strata", None, False),
        "target": ("target", None, False),
        "unjudged": ("unjudged", "iv_unjudged_names", False),
        "unretrieved": ("unretrieved", None, False),
        "unsampled": ("unsampled", "iv_unsampled_names", False),
    }),
    "roc": (iv_roc_question, {
        "bins": ("bins", None, False),
        "choose": ("goal", "iv_threshold_goal_names", False),
        "confidence": ("confidence", None, False),
        "gold": ("gold", None, False),
        "positive": ("positive", None, False),
        "resamples": ("resamples", None, False),
        "system": ("named", None, False),
    }),
    "sample": (iv_sample_question, {
        "budget": ("how.budget", None, False),
        "budget_depth": ("how.budget_depth", None, False),
        "depth": ("depth", None, False),
        "design": ("how.design", "iv_design_names", False),
        "exclude_runs": ("exclude", None, False),
        "judged": ("from_.judgments", None, False),
        "machine": ("machine", None, False),
        "pool_depth": ("how.pool_depth", None, False),
        "rates": ("how.rates", None, False),
        "run_format": ("from_.run_format", "iv_run_format_names", False),
        "spread": ("how.spread", "iv_spread_rule_names", False),
        "strata": ("how.strata", None, False),
        "total": ("how.total", None, False),
        "weights": ("weights", None, False),
    }),
    "simulate": (iv_simulate_question, {
        "breadth": ("collection.breadth", None, True),
        "depth": ("collection.depth", None, False),
        "difficulty": ("collection.difficulty", None, True),
        "documents": ("collection.documents", None, False),
        "first_topic": ("files.first_topic", None, True),
        "grades": ("collection.grades", None, False),
        "interaction": ("collection.interaction", None, True),
        "judge": ("files.judge", None, False),
        "judged": ("files.judged", None, False),
        "judging": ("files.judging", "iv_judging_names", False),
        "least_relevant": ("collection.least_relevant", None, False),
        "prefix": ("files.prefix", None, False),
        "prevalence": ("collection.prevalence", None, False),
        "prevalence_spread": ("collection.prevalence_spread", None, True),
        "quality": ("collection.quality", None, False),
        "runs": ("collection.runs", None, False),
        "similarity": ("collection.similarity", None, True),
        "ties": ("collection.ties", None, False),
        "topics": ("files.topics", None, False),
        "truth_topics": ("files.truth_topics", None, False),
    }),
    "sort": (iv_sort_question, {
        "memory": ("how.memory", None, False),
        "temporary": ("how.folder", None, False),
    }),
}
