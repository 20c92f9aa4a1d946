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


class iv_score_source(Structure):
    _fields_ = [
        ("files", iv_texts),
        ("columns", iv_texts),
        ("rows", c_int),
        ("score", iv_reals),
        ("system", iv_texts),
        ("item", iv_texts),
        ("measure", iv_texts),
        ("repeat", iv_texts),
        ("cluster", iv_texts),
        ("suite", iv_texts),
        ("date", iv_texts),
        ("weight", iv_reals),
        ("human", iv_reals),
        ("stratum", iv_texts),
        ("group", iv_texts),
        ("dated", c_bool),
        ("scores", iv_texts),
    ]


class iv_score_input(Structure):
    _fields_ = [
        ("given", c_bool),
        ("from_", iv_score_source),
        ("sets", c_int),
        ("set_weights", iv_texts),
        ("binary", c_bool),
        ("success", c_char_p),
        ("lower", iv_texts),
    ]


class iv_machines(Structure):
    _fields_ = [
        ("files", iv_texts),
        ("format", c_int),
        ("level", c_int32),
        ("infer", c_int),
        ("design", c_int),
        ("human_labels", c_char_p),
        ("estimator", c_int),
        ("calibration", c_char_p),
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
        ("again_ranked", c_void_p),
        ("again_ranked_count", c_size_t),
        ("measure", c_char_p),
        ("other_measure", c_char_p),
        ("baseline", c_char_p),
        ("persistence", c_double),
        ("confidence", c_double),
        ("beside", iv_texts),
        ("level", c_int32),
        ("judge_level", c_int32),
        ("weights", c_int),
        ("assessors", c_char_p),
        ("scale", c_int),
        ("scores", iv_score_input),
        ("machine", iv_machines),
    ]


class iv_check_question(Structure):
    _fields_ = [
        ("files", iv_texts),
        ("format", c_int),
        ("most", c_int64),
    ]


class iv_classify_question(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("table", c_void_p),
        ("gold", c_char_p),
        ("positive", c_char_p),
        ("named", iv_texts),
        ("columns", iv_texts),
        ("threshold", c_double),
        ("confidence", c_double),
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
        ("also", c_char_p),
        ("standards", c_char_p),
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


class iv_compare_options(Structure):
    _fields_ = [
        ("tests", POINTER(c_int)),
        ("test_count", c_size_t),
        ("ties", c_int),
        ("zeros", c_int),
        ("alternative", c_int),
        ("correction", c_int),
        ("family", c_size_t),
        ("baselines", POINTER(c_size_t)),
        ("baseline_count", c_size_t),
        ("interval", c_int),
        ("means", c_int),
        ("margin", c_double),
        ("low", c_double),
        ("high", c_double),
        ("guaranteed", c_bool),
        ("order", POINTER(c_uint32)),
        ("confidence", c_double),
        ("resamples", c_size_t),
        ("permutations", c_size_t),
        ("structure", POINTER(iv_structure)),
        ("binary", c_bool),
        ("unit", c_double),
        ("bounded", c_bool),
    ]


class iv_compare_question(Structure):
    _fields_ = [
        ("source", iv_source),
        ("scoring", iv_evaluating),
        ("values", POINTER(c_double)),
        ("systems", iv_texts),
        ("topics", iv_texts),
        ("scores", iv_score_input),
        ("not_worse", c_bool),
        ("gate_sets", c_bool),
        ("gate_on_worse", c_bool),
        ("guaranteed", c_bool),
        ("range", iv_reals),
        ("groups", c_char_p),
        ("baselines", iv_texts),
        ("tests", iv_texts),
        ("paper", c_int),
        ("paper_order", c_int),
        ("caption", c_char_p),
        ("label", c_char_p),
        ("how", iv_compare_options),
        ("machine", iv_machines),
    ]


class iv_gaps_asked(Structure):
    _fields_ = [
        ("reference", c_char_p),
        ("most", c_double),
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
        ("at_least", iv_texts),
        ("at_most", iv_texts),
        ("range", iv_reals),
        ("trec", c_void_p),
        ("machine", iv_machines),
        ("gaps", iv_gaps_asked),
    ]


class iv_incomplete_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("baseline", c_char_p),
        ("relevance", c_char_p),
        ("paper", c_bool),
        ("depth", c_size_t),
        ("level", c_int32),
        ("measure", c_char_p),
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
        ("relevance", c_char_p),
        ("paper", c_bool),
        ("depth", c_size_t),
        ("level", c_int32),
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
        ("errors", iv_reals),
        ("effect", c_double),
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


class iv_plan_gate_question(Structure):
    _fields_ = [
        ("scores", iv_score_input),
        ("from_", iv_source),
        ("scoring", iv_evaluating),
        ("baseline", c_char_p),
        ("rate", c_double),
        ("sd", c_double),
        ("correlation", c_double),
        ("cluster_size", c_double),
        ("icc", c_double),
        ("repeats", c_size_t),
        ("repeat_sd", c_double),
        ("margin", c_double),
        ("loss", c_double),
        ("candidates", c_size_t),
        ("power", c_double),
        ("confidence", c_double),
    ]


class iv_plan_looks_question(Structure):
    _fields_ = [
        ("shape", c_int),
        ("looks", c_size_t),
        ("fractions", iv_reals),
        ("documents", c_int64),
        ("confidence", c_double),
    ]


class iv_plan_machine_question(Structure):
    _fields_ = [
        ("source", iv_source),
        ("machine", iv_machines),
        ("measures", iv_texts),
        ("level", c_int32),
        ("width", c_double),
        ("confidence", c_double),
        ("scores", iv_score_input),
        ("baseline", c_char_p),
        ("margin", c_double),
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
        ("relevance", c_double),
        ("by_rank", c_bool),
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
        ("target", c_double),
        ("guaranteed", c_bool),
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
        ("confidence", c_double),
    ]


class iv_pool_question(Structure):
    _fields_ = [
        ("from_", iv_source),
        ("measure", c_char_p),
        ("groups", c_char_p),
        ("depth", c_size_t),
        ("level", c_int32),
    ]


class iv_prefer_question(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("table", c_void_p),
        ("columns", iv_texts),
        ("judges", iv_texts),
        ("human", c_char_p),
        ("position", c_bool),
        ("human_design", c_int),
        ("not_worse", c_bool),
        ("baseline", c_char_p),
        ("margin", c_double),
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
        ("columns", iv_texts),
    ]


class iv_item_groups(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("count", c_size_t),
        ("names", POINTER(c_char_p)),
        ("of", POINTER(c_uint32)),
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
        ("highest", c_double),
        ("bytes", c_uint64),
        ("notes", iv_texts),
        ("groups", POINTER(iv_item_groups)),
        ("grouping_count", c_size_t),
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
    ]


class iv_prf_options(Structure):
    _fields_ = [
        ("prior", iv_reals),
        ("beta", iv_reals),
        ("utility", iv_reals),
        ("confidence", c_double),
        ("guaranteed", c_bool),
        ("draws", c_int64),
        ("compare", c_bool),
        ("paired", c_bool),
        ("pair_two", c_bool),
        ("metrics", iv_texts),
    ]


class iv_prf_question(Structure):
    _fields_ = [
        ("from_", iv_prf_input),
        ("how", iv_prf_options),
        ("targets", iv_texts),
        ("not_worse", c_bool),
        ("baseline", c_char_p),
        ("margin", c_double),
        ("machine", c_char_p),
        ("probability", c_char_p),
        ("gaps", iv_gaps_asked),
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
        ("verdict", iv_str),
    ]


class iv_recall_ranking(Structure):
    _fields_ = [
        ("run", c_char_p),
        ("sample", c_char_p),
        ("ranking", c_void_p),
        ("judged", c_void_p),
        ("collection", c_char_p),
        ("at", iv_integers),
        ("unjudged", c_int),
        ("machine", c_char_p),
        ("machine_level", c_int64),
        ("drawn_at", c_int64),
    ]


class iv_recall_stopping(Structure):
    _fields_ = [
        ("control", iv_integers),
        ("rule", c_int),
        ("found", c_char_p),
        ("log", c_char_p),
        ("anytime", c_bool),
        ("looks", c_size_t),
        ("look", c_size_t),
        ("shape", c_int),
    ]


class iv_recall_question(Structure):
    _fields_ = [
        ("retrieved", iv_integers),
        ("unretrieved", iv_integers),
        ("rechecked", iv_integers),
        ("strata", c_char_p),
        ("runs", c_char_p),
        ("table", POINTER(iv_strata_table)),
        ("unsampled", c_int),
        ("ranked", iv_recall_ranking),
        ("families", c_char_p),
        ("level", c_int64),
        ("method", c_int),
        ("confidence", c_double),
        ("one_sided", c_bool),
        ("guaranteed", c_bool),
        ("prior", iv_reals),
        ("target", c_double),
        ("max_elusion", c_double),
        ("stopping", iv_recall_stopping),
        ("proportion", iv_integers),
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
        ("not_worse", c_bool),
        ("baseline", c_char_p),
        ("measure", c_char_p),
        ("margin", c_double),
        ("columns", iv_texts),
        ("gaps", iv_gaps_asked),
        ("cost", c_char_p),
        ("least", iv_texts),
        ("capacity", c_int64),
        ("fixed", iv_reals),
        ("summary", c_bool),
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
        ("depth", c_size_t),
        ("labels", c_char_p),
        ("weights", c_char_p),
        ("machine", c_char_p),
        ("human_design", c_int),
        ("ids", c_char_p),
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


class iv_watch_question(Structure):
    _fields_ = [
        ("scores", iv_score_input),
        ("measures", iv_texts),
        ("baseline", c_char_p),
        ("system", c_char_p),
        ("since", c_char_p),
        ("complete", c_bool),
        ("margin", c_double),
        ("range", iv_reals),
        ("promise", c_int),
        ("nights", c_size_t),
        ("confidence", c_double),
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


class iv_column(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("kind", c_int),
        ("digits", c_int),
        ("audience", c_int),
        ("about", c_char_p),
        ("heading", c_char_p),
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
        ("verbose", c_bool),
        ("cite", c_bool),
        ("wrap", c_bool),
        ("still", c_bool),
    ]


class iv_run_oddities(Structure):
    _fields_ = [
        ("many_tags", c_bool),
        ("misranked_line", c_uint64),
        ("reversed", c_bool),
        ("no_first_rank", c_bool),
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
        ("canonical", c_char_p),
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


class iv_limits(Structure):
    _fields_ = [
        ("lower", c_double),
        ("upper", c_double),
    ]


class iv_interval(Structure):
    _fields_ = [
        ("value", c_double),
        ("se", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("df", c_double),
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
        ("skewness", c_double),
        ("dropped", c_size_t),
        ("bounds", iv_limits),
        ("ties", iv_interval),
        ("se_judgments", c_double),
        ("se_topics", c_double),
        ("without", c_size_t),
        ("outside", c_double),
        ("unseen", c_size_t),
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
        ("graded", c_size_t),
        ("graded_0", c_size_t),
        ("groups", c_size_t),
        ("largest_grade", c_int32),
    ]


class iv_input(Structure):
    _fields_ = [
        ("path", c_char_p),
        ("bytes", c_uint64),
        ("sha256", c_char_p),
    ]


class iv_note(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("severity", c_int),
        ("text", c_char_p),
        ("tables", c_char_p),
        ("legend", c_bool),
        ("people", c_bool),
        ("advice", c_size_t),
    ]


class iv_citation(Structure):
    _fields_ = [
        ("method", c_char_p),
        ("key", c_char_p),
        ("label", c_char_p),
        ("text", c_char_p),
        ("bibtex", c_char_p),
    ]


class iv_claim(Structure):
    _fields_ = [
        ("kind", c_int),
        ("measure", c_char_p),
        ("system", c_char_p),
        ("baseline", c_char_p),
        ("set", c_char_p),
        ("bound", c_double),
        ("estimate", c_double),
        ("lower", c_double),
        ("upper", c_double),
        ("p", c_double),
        ("p_contrary", c_double),
        ("level", c_double),
        ("level_contrary", c_double),
        ("method", c_char_p),
        ("strength", c_int),
        ("withheld", c_char_p),
        ("unknown", c_bool),
        ("open_passes", c_bool),
        ("items", c_double),
        ("needed", c_double),
        ("detectable", c_double),
        ("verdict", c_int),
        ("text", c_char_p),
    ]


# Command: its question, and its options: the field, the function that lists the
# words it may have, whether 0 is a number that can be meant, what it is.
COMMANDS = {
    "agree": (iv_agree_question, {
        "baseline": ("baseline", None, False,
            "compare improvements over SYSTEM by both scores. Shows the effect ratio, and the relative gain by the first scores minus that by the second"),
        "by": ("by", "iv_score_rows_names", False,
            "meaning of a row of the two tables: a system or a topic"),
        "columns": ("scores.from_.columns", None, False,
            "names of its columns, as in 'intervale eval'. Several score columns are several judges; human is the label by people; group makes groups"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "human_design": ("machine.design", "iv_human_design_names", False,
            "design of the sample of human labels; as in 'intervale eval'"),
        "human_labels": ("machine.human_labels", None, False,
            "human labels, instead of columns human=NAME"),
        "judge_level": ("judge_level", None, True,
            "lowest grade of the other labels that counts as relevant (usual: as level; 1 for labels 0 and 1)"),
        "level": ("level", None, True,
            "lowest grade of the REFERENCE that counts as relevant (usual: 1)"),
        "measure": ("measure", None, False,
            "measure to score runs by (usual: AP)"),
        "orders": ("a_matrix", None, False,
            "first of two score tables to compare. Both are systems x topics"),
        "other": ("other", None, False,
            "second judgments to rank the runs by. Do they rank them as REFERENCE does?"),
        "other_measure": ("other_measure", None, False,
            "measure for the second set of scores (usual: as measure)"),
        "persistence": ("persistence", None, False,
            "persistence of rank-biased overlap (usual: 0.9)"),
        "reproduced": ("again", None, False,
            "reproduced run, to compare with the original RUN; give one for each run, in the same order"),
        "scale": ("scale", "iv_label_scale_names", False,
            "type of labels, for Krippendorff's alpha. Names, ordered grades or numbers (usual: words are nominal, up to 16 different whole numbers ordinal, others interval)"),
        "scores": ("scores.given", None, False,
            "a table with the scores of judges, one per answer (doc/formats.md)"),
        "weights": ("weights", "iv_kappa_weights_names", False,
            "weights of disagreements. The same for all, growing with the distance of the grades, or with its square"),
    }),
    "check": (iv_check_question, {
        "judgments_format": ("format", "iv_judgments_format_names", False,
            "read the files as judgments in format F"),
        "most": ("most", None, True,
            "number of problems to list per file; 0 lists all (usual: 100)"),
    }),
    "classify": (iv_classify_question, {
        "columns": ("columns", None, False,
            "columns that put items into groups. Default: columns of text with 2 to 20 values"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "gold": ("gold", None, False,
            "name of the gold column. Default: gold, label, truth, y_true or target"),
        "positive": ("positive", None, False,
            "label of positive items. Default: 1; not for three or more classes"),
        "system": ("named", None, False,
            "use only the column of system NAME"),
        "threshold": ("threshold", None, True,
            "score from which an item is positive (usual: 0.5, of probabilities)"),
    }),
    "compare": (iv_compare_question, {
        "also": ("scoring.also", None, False,
            "use the judgments in QRELS, too. See 'intervale eval'. Never add documents that were chosen because of earlier judgments"),
        "alternative": ("how.alternative", "iv_alternative_names", False,
            "side of the test; a one-sided test has one-sided intervals"),
        "baseline": ("baselines", None, False,
            "run to compare the others with, instead of all pairs. Give its tag, path or file name; it must be among the runs. Several baselines: p-values are corrected for all pairs"),
        "binary": ("scores.binary", None, False,
            "refuse scores other than 0 and 1"),
        "by": ("scores.from_.rows", "iv_score_rows_names", False,
            "what a row is, if each system or topic has a column. A system or a topic"),
        "caption": ("caption", None, False,
            "first words of the caption of table 'paper'"),
        "ci": ("how.interval", "iv_interval_names", False,
            "interval of a difference; auto is that of the test"),
        "columns": ("scores.from_.columns", None, False,
            "names of the columns of score files. Roles: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, set, weight, group, date, human (a label by people, empty where nobody looked), stratum. @file, @folder or @path:PATTERN take the value from the path: repeat=@folder, system=@path:{system}/{repeat}/*. measure=@name:TEXT names the scores"),
        "compat": ("scoring.measure.dialect", "iv_dialect_names", False,
            "follow trec_eval 9 or 10 where they differ"),
        "complete": ("scoring.complete", None, False,
            "count missing topics as 0. By default a topic that a run misses is excluded"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "correct": ("how.correction", "iv_correction_names", False,
            "correction for many pairs; auto is holm"),
        "depth": ("scoring.measure.depth", None, False,
            "use only the top N documents of each topic"),
        "estimator": ("scoring.estimator", "iv_estimator_names", False,
            "estimator for sampled judgments, as in 'intervale eval'"),
        "gate": ("not_worse", None, False,
            "a verdict on every run, by baseline and margin"),
        "gate_on_worse": ("gate_on_worse", None, False,
            "with gate: only a demonstrated loss fails"),
        "gate_sets": ("gate_sets", None, False,
            "make gate fail if any set is significantly worse, by Holm's correction"),
        "groups": ("groups", None, False,
            "compare within groups of topics, too. A table with the columns topic and group"),
        "guaranteed": ("guaranteed", None, False,
            "decide about the margin by a method that is valid for all scores in their range: exact for 0/1, otherwise by betting"),
        "human_design": ("machine.design", "iv_human_design_names", False,
            "design of the sample of human labels. random: a simple random sample of all labelled documents; by-topic: a random sample of each topic's documents; topics: whole topics; stated: the file says it, or everything is judged. For scores: random, strata (columns stratum=NAME), or clusters: whole ones"),
        "human_labels": ("machine.human_labels", None, False,
            "human labels of some scores, instead of columns human=NAME: a table with the columns system, item, repeat and human"),
        "infer": ("machine.infer", "iv_infer_names", False,
            "topics that the interval is about. new: the mean over all topics of this kind; these: over this fixed set of topics, with only some documents judged"),
        "interval_style": ("paper", "iv_paper_interval_names", False,
            "style of intervals in table 'paper': in brackets, as +- half the width, or none"),
        "judge_estimator": ("machine.estimator", "iv_judge_estimator_names", False,
            "how scores and human labels are joined. regression: least squares; ppi: power tuning; difference: slope 1; human: labels alone"),
        "judged_only": ("scoring.measure.judged_only", None, False,
            "remove unjudged documents from the rankings first"),
        "judgments_format": ("source.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content"),
        "label": ("label", None, False,
            "label of table 'paper' in LaTeX. Default: tab:paper"),
        "level": ("scoring.measure.level", None, True,
            "lowest grade that counts as relevant (usual: 1)"),
        "lower_is_better": ("scores.lower", None, False,
            "measures of scores of which lower is better; 'none': no measure. Default: by names such as cost, latency, error and loss"),
        "machine": ("machine.files", None, False,
            "automatic labels of all documents, such as an LLM's. Qrels, BEIR, or lines of topic, document and score. Of several files the first is used; for the others only agreement is shown"),
        "machine_format": ("machine.format", "iv_judgments_format_names", False,
            "format of the automatic labels"),
        "machine_level": ("machine.level", None, True,
            "lowest automatic label that counts as relevant (usual: as level; 1 for labels 0 and 1)"),
        "margin": ("how.margin", None, True,
            "smallest difference of interest. Adds tests of non-inferiority and equivalence"),
        "measure": ("scoring.measures", None, False,
            "measure to compare (see 'intervale measures'). Default: AP. Of a table of scores: a column, or pass@K, A/B, p95:COLUMN"),
        "memory": ("source.memory", None, False,
            "memory for files that are sorted by topic, to read a few topics at a time. Large files are always read this way, pipes only with this option"),
        "paper_order": ("paper_order", "iv_paper_order_names", False,
            "rows of table 'paper': as given, or the best by the first measure first"),
        "permutations": ("how.permutations", None, False,
            "number of random permutations, for correct tukey (usual: 100000)"),
        "range": ("range", None, False,
            "lowest and highest possible score of a table, for guaranteed and equal differences"),
        "resamples": ("how.resamples", None, False,
            "number of bootstrap resamples (usual: 10000)"),
        "run_format": ("source.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "scores": ("scores.given", None, False,
            "files of scores, instead of judgments and runs. One score per record, or a column for each system or topic: tables with a header, JSON, logs of evaluation tools (doc/formats.md)"),
        "set_weight": ("scores.set_weights", None, False,
            "weight W of SET in the mean over sets (default: 1)"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of items, such as data sets or tasks. fixed: all that are of interest; sampled: a sample of them"),
        "sort": ("source.sort", None, False,
            "first sort files that are not sorted by topic. Temporary files go to $TMPDIR or /tmp"),
        "success": ("scores.success", None, False,
            "which scores are successes for pass@k and pass^k, such as 'score >= 0.7'. Default: 1"),
        "test": ("tests", None, False,
            "test of the difference. Default: larger-p, of the t test and Hall's t test; mcnemar for scores of 0 and 1; betting with guaranteed"),
        "ties": ("how.ties", "iv_sign_ties_names", False,
            "what the sign test does with tied topics"),
        "unjudged": ("scoring.unjudged", "iv_unjudged_names", False,
            "what to do with sampled documents without a judgment, as in 'intervale eval'"),
        "zeros": ("how.zeros", "iv_zeros_names", False,
            "what the signed-rank test does with tied topics. drop: removed before ranking; rank: ranked, then removed"),
    }),
    "eval": (iv_eval_question, {
        "also": ("how.also", None, False,
            "use the judgments in QRELS, too. If JUDGMENTS is a sample, the documents of QRELS count as sampled with probability 1. Never add documents that were chosen because of earlier judgments: estimates would be biased"),
        "at_least": ("at_least", None, False,
            "test that MEASURE is at least X; gate sets the exit status"),
        "at_most": ("at_most", None, False,
            "test that MEASURE is at most X, such as a cost; several tests are one gate"),
        "binary": ("scores.binary", None, False,
            "refuse scores other than 0 and 1"),
        "bounds": ("how.bounds", None, False,
            "show the lowest and highest value that unjudged documents allow"),
        "by": ("scores.from_.rows", "iv_score_rows_names", False,
            "what a row is, if each system or topic has a column. A system or a topic"),
        "ci": ("how.interval", "iv_interval_names", False,
            "method of the interval. auto is logit (Studentised logit bootstrap, Park 2011) for measures in [0, 1], wilson for values that are 0 or 1, and bootstrap-t (Studentised bootstrap) for others. See doc/methods/mean-intervals.md"),
        "collection": ("how.measure.collection", None, False,
            "number of documents in the collection. Only the measure 'utility' needs it"),
        "columns": ("scores.from_.columns", None, False,
            "names of the columns of score files. Roles: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, set, weight, group, date, human (a label by people, empty where nobody looked), stratum. @file, @folder or @path:PATTERN take the value from the path: repeat=@folder, system=@path:{system}/{repeat}/*. measure=@name:TEXT names the scores"),
        "compat": ("how.measure.dialect", "iv_dialect_names", False,
            "follow trec_eval 9 or 10 where they differ. They differ in the precision of scores, the list all_trec, interpolated cut-offs and missing topics"),
        "complete": ("how.complete", None, False,
            "count missing topics as 0. By default a topic that a run misses is excluded"),
        "confidence": ("how.resampling.confidence", None, False,
            "confidence of every interval"),
        "depth": ("how.measure.depth", None, False,
            "use only the top N documents of each topic"),
        "estimator": ("how.estimator", "iv_estimator_names", False,
            "estimator for sampled judgments. corrected (auto): the ratio estimates of Aslam and Pavlu; in the precision at its own rank, a document counts as 1, not by its sampling weight. published: AP as printed in 2008, biased upwards, plus or minus 2 standard errors"),
        "guaranteed": ("how.guaranteed", None, False,
            "use intervals whose coverage is guaranteed. Clopper and Pearson's for values that are 0 or 1; Hoeffding's and Bentkus' bounds, much wider, for others in [0, 1]; none for measures without bounds"),
        "human_design": ("machine.design", "iv_human_design_names", False,
            "design of the sample of human labels. random: a simple random sample of all labelled documents; by-topic: a random sample of each topic's documents; topics: whole topics; stated: the file says it, or everything is judged. For scores: random, strata (columns stratum=NAME), or clusters: whole ones"),
        "human_labels": ("machine.human_labels", None, False,
            "human labels of some scores, instead of columns human=NAME: a table with the columns system, item, repeat and human"),
        "infer": ("machine.infer", "iv_infer_names", False,
            "topics that the interval is about. new: the mean over all topics of this kind; these: over this fixed set of topics, with only some documents judged"),
        "judge_calibration": ("machine.calibration", None, False,
            "a judge's scores of other answers, with human labels in a column human: corrects scores of 0 and 1 by its sensitivity and specificity there"),
        "judge_estimator": ("machine.estimator", "iv_judge_estimator_names", False,
            "how scores and human labels are joined. regression: least squares; ppi: power tuning; difference: slope 1; human: labels alone"),
        "judged_only": ("how.measure.judged_only", None, False,
            "remove unjudged documents from the rankings first"),
        "judgments_format": ("source.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS. Detected from the content, except for groups and prefs"),
        "level": ("how.measure.level", None, True,
            "lowest grade that counts as relevant (usual: 1)"),
        "lower_is_better": ("scores.lower", None, False,
            "measures of scores of which lower is better; 'none': no measure. Default: by names such as cost, latency, error and loss"),
        "machine": ("machine.files", None, False,
            "automatic labels of all documents, such as an LLM's. Qrels, BEIR, or lines of topic, document and score. Of several files the first is used; for the others only agreement is shown"),
        "machine_format": ("machine.format", "iv_judgments_format_names", False,
            "format of the automatic labels"),
        "machine_level": ("machine.level", None, True,
            "lowest automatic label that counts as relevant (usual: as level; 1 for labels 0 and 1)"),
        "max_gap": ("gaps.most", None, False,
            "test that the means of no two groups differ by D or more"),
        "measure": ("how.measures", None, False,
            "measure to compute (see 'intervale measures'). Names of trec_eval (P.5,10) or ir_measures (nDCG@10). Default: AP, nDCG@10, P@10, R@1000 and RR; with format trec, trec_eval's official measures"),
        "memory": ("source.memory", None, False,
            "memory for files that are sorted by topic, to read a few topics at a time. Large files are always read this way, pipes only with this option"),
        "no_summary": ("no_summary", None, False,
            "omit the means over topics"),
        "per_topic": ("topics", None, False,
            "show the value of each topic, too"),
        "range": ("range", None, False,
            "lowest and highest possible score of a table, for at_least with guaranteed or equal scores"),
        "reference": ("gaps.reference", None, False,
            "group that the others are compared with (columns group=NAME) (usual: the rest of the items)"),
        "resamples": ("how.resampling.resamples", None, False,
            "number of bootstrap resamples (usual: 10000)"),
        "run_format": ("source.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "scores": ("scores.given", None, False,
            "files of scores, instead of judgments and runs. One score per record, or a column for each system or topic: tables with a header, JSON, logs of evaluation tools (doc/formats.md)"),
        "set_weight": ("scores.set_weights", None, False,
            "weight W of SET in the mean over sets (default: 1)"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of items, such as data sets or tasks. fixed: all that are of interest; sampled: a sample of them"),
        "sort": ("source.sort", None, False,
            "first sort files that are not sorted by topic. Temporary files go to $TMPDIR or /tmp"),
        "standards": ("how.standards", None, False,
            "standardise values by reference runs. Each line of FILE has topic, measure, mean and standard deviation"),
        "success": ("scores.success", None, False,
            "which scores are successes for pass@k and pass^k, such as 'score >= 0.7'. Default: 1"),
        "ties": ("how.ties", None, False,
            "show the lowest, mean and highest value over orders of ties"),
        "unjudged": ("how.unjudged", "iv_unjudged_names", False,
            "what to do with sampled documents without a judgment. Refuse the file, count them as nonrelevant, or drop them and lower the probabilities of the documents sampled with them"),
        "write_matrix": ("matrix", None, False,
            "also write a table of scores, systems x topics. It has the first measure; 'intervale compare' and 'intervale study map' read it"),
        "write_scores": ("write_scores", None, False,
            "write the scores of all topics instead of means. For work divided between machines; scores combines their files"),
    }),
    "incomplete": (iv_incomplete_question, {
        "alternative": ("alternative", "iv_alternative_names", False,
            "side of the sign test: two-sided or one-sided"),
        "baseline": ("baseline", None, False,
            "run to compare the others with, instead of all pairs; by name or file"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "depth": ("depth", None, False,
            "use only the top N documents of each topic"),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content"),
        "level": ("level", None, True,
            "lowest grade that counts as relevant (usual: 1)"),
        "measure": ("measure", None, False,
            "measure to compare, such as nDCG@10, P@10 or RR (usual: AP)"),
        "paper": ("paper", None, False,
            "compute as Carterette and Smucker 2007 did. Relevance 0.5, mean and variance as in the paper, only documents that the runs return"),
        "relevance": ("relevance", None, False,
            "probability that an unjudged document is relevant. Or 'rank': estimated from the judged documents by their ranks (usual: rank)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
    }),
    "measures": (iv_measures_question, {
    }),
    "next": (iv_next_question, {
        "count": ("count", None, False,
            "number of documents to list (usual: 10)"),
        "depth": ("depth", None, False,
            "use only the top N documents of each topic"),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False,
            "format of all judgments; detected from the content"),
        "level": ("level", None, True,
            "lowest grade that counts as relevant (usual: 1)"),
        "machine": ("machine", None, False,
            "automatic labels of the documents. Qrels, BEIR, or topic, document and score; a document is as likely to be relevant as judged ones with its label"),
        "most": ("most", None, False,
            "stop the simulation after N judgments"),
        "oracle": ("oracle", None, False,
            "judgments to simulate with; for until"),
        "paper": ("paper", None, False,
            "compute as Carterette and Smucker 2007 did. Relevance 0.5, mean and variance as in the paper, only documents that the runs return"),
        "relevance": ("relevance", None, False,
            "probability that an unjudged document is relevant. Or 'rank': estimated from the judged documents by their ranks (usual: rank)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "unjudged": ("no_answer", "iv_no_answer_names", False,
            "what to do with documents that oracle did not judge. Refuse, count as nonrelevant, or never ask for them"),
        "until": ("until", None, False,
            "simulate judging until a run wins with probability P. For every pair of runs. With P = 1, it ends at 0.9995 or when no judgment can change the winner"),
        "write": ("write", None, False,
            "also write the documents to FILE, to fill in grades. It has the judgments so far, then the documents with grade -1; 'intervale eval' and 'intervale next' read it. If the judgments so far are a random sample, 'intervale eval' ignores the documents added"),
    }),
    "overlap": (iv_overlap_question, {
        "confidence": ("resampling.confidence", None, False,
            "confidence of every interval"),
        "depth": ("how.depth", None, False,
            "use only the top N documents of each topic"),
        "persistence": ("how.persistence", None, False,
            "persistence p of rank-biased overlap. The probability that a reader goes on to the next rank (usual: 0.9)"),
        "resamples": ("resampling.resamples", None, False,
            "number of bootstrap resamples (usual: 10000)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "ties": ("how.ties", "iv_rbo_ties_names", False,
            "ranks of tied documents. average: over all orders of the ties (RBO-a of Corsi and Urbano); shared: this, divided by a list's overlap with itself (RBO-b); equal: all at one rank (RBO-w)"),
        "top": ("how.top", None, False,
            "cut-off k of overlap@k and Jaccard@k (usual: 10)"),
    }),
    "plan cost": (iv_plan_cost_question, {
        "certainty": ("certainty", None, False,
            "certainty to reach in each topic about the better run. A probability; default: the cheapest one"),
        "coefficients": ("coefficients", None, False,
            "coefficients of the judgment model, instead of PILOT. They are g0, g1 and g2: the number of judgments is exp(g0 + g1 log certainty + g2 log topics)"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "effect": ("effect", None, False,
            "effect to detect: proportion of topics won minus lost"),
        "error_costs": ("errors", None, False,
            "costs of a false positive and a false negative of the test. In judgments, instead of topics; level, power and topics follow"),
        "free_topics": ("prices.free_topics", None, False,
            "existing topics, which cost nothing (usual: 0)"),
        "judgment_cost": ("prices.judgment", None, True,
            "cost of a judgment (usual: 1)"),
        "topic_cost": ("prices.topic", None, False,
            "cost of a topic (usual: 0)"),
        "topics": ("topics", None, False,
            "fully judged topics that would give enough power (usual: 25)"),
    }),
    "plan elusion": (iv_plan_elusion_question, {
        "accept": ("accept", None, False,
            "relevant documents allowed in the sample; one plan for each number (usual: 0,1,2,3,5,10)"),
        "assurance": ("assurance", None, False,
            "chance of success to reach (usual: 0.9)"),
        "below": ("below", None, False,
            "limit of elusion: demonstrate that it is below X"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "elusion": ("elusion", None, False,
            "expected elusion, to compute the chance of success. Default: a quarter of below"),
        "population": ("population", None, False,
            "number of unretrieved documents; retrieved ones do not count"),
    }),
    "plan gate": (iv_plan_gate_question, {
        "baseline": ("baseline", None, False,
            "plan for the others against SYSTEM. By default, the pair that varies most is planned for"),
        "binary": ("scores.binary", None, False,
            "refuse scores other than 0 and 1"),
        "by": ("scores.from_.rows", "iv_score_rows_names", False,
            "what a row is, if each system or topic has a column. A system or a topic"),
        "candidates": ("candidates", None, False,
            "number of candidates that the gate compares with the baseline (usual: 1, or those of the pilot with baseline)"),
        "cluster_size": ("cluster_size", None, False,
            "items of a cluster, such as questions about one document (usual: 1)"),
        "columns": ("scores.from_.columns", None, False,
            "names of the columns of score files. Roles: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, set, weight, group, date, human (a label by people, empty where nobody looked), stratum. @file, @folder or @path:PATTERN take the value from the path: repeat=@folder, system=@path:{system}/{repeat}/*. measure=@name:TEXT names the scores"),
        "complete": ("scoring.complete", None, False,
            "count missing items as 0"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "correlation": ("correlation", None, False,
            "correlation of two versions' scores on the same item"),
        "icc": ("icc", None, False,
            "correlation of differences within a cluster"),
        "loss": ("loss", None, False,
            "loss to find, larger than the margin"),
        "margin": ("margin", None, False,
            "allowed loss of the gate"),
        "measure": ("scoring.measures", None, False,
            "measure of the scores, or to score the runs by (default: AP)"),
        "power": ("power", None, False,
            "power to reach: of PASS if nothing changed. Also of FAIL at the loss (usual: 0.8)"),
        "rate": ("rate", None, False,
            "proportion of items with score 1, of scores 0 and 1"),
        "repeat_sd": ("repeat_sd", None, False,
            "standard deviation of a version's mean from repeat to repeat, such as seeds"),
        "repeats": ("repeats", None, False,
            "scores of each version on each item (usual: 1)"),
        "scores": ("scores.given", None, False,
            "files of scores, instead of judgments and runs. One score per record, or a column for each system or topic: tables with a header, JSON, logs of evaluation tools (doc/formats.md)"),
        "sd": ("sd", None, False,
            "standard deviation of graded scores"),
        "set_weight": ("scores.set_weights", None, False,
            "weight W of SET in the mean over sets (default: 1)"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of items, such as data sets or tasks. fixed: all that are of interest; sampled: a sample of them"),
        "success": ("scores.success", None, False,
            "which scores are successes for pass@k and pass^k, such as 'score >= 0.7'. Default: 1"),
    }),
    "plan looks": (iv_plan_looks_question, {
        "at": ("fractions", None, False,
            "fractions of the documents after which to analyse"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "documents": ("documents", None, False,
            "documents to judge if no analysis stops the review; shows how many are judged at each analysis"),
        "looks": ("looks", None, False,
            "number of equally spaced interim analyses (usual: 5)"),
        "shape": ("shape", "iv_look_shape_names", False,
            "division of the error rate among the analyses. Little early, equal at every analysis, or by a spending function, which allows unplanned analyses"),
    }),
    "plan machine": (iv_plan_machine_question, {
        "baseline": ("baseline", None, False,
            "plan for differences from this system"),
        "binary": ("scores.binary", None, False,
            "refuse scores other than 0 and 1"),
        "by": ("scores.from_.rows", "iv_score_rows_names", False,
            "what a row is, if each system or topic has a column. A system or a topic"),
        "columns": ("scores.from_.columns", None, False,
            "names of the columns of score files. Roles: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, set, weight, group, date, human (a label by people, empty where nobody looked), stratum. @file, @folder or @path:PATTERN take the value from the path: repeat=@folder, system=@path:{system}/{repeat}/*. measure=@name:TEXT names the scores"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "human_design": ("machine.design", "iv_human_design_names", False,
            "design of the pilot's sample; as in 'intervale eval'"),
        "human_labels": ("machine.human_labels", None, False,
            "human labels of a pilot, instead of columns human=NAME"),
        "level": ("level", None, True,
            "lowest grade that counts as relevant (usual: 1)"),
        "machine": ("machine.files", None, False,
            "automatic labels of all documents"),
        "machine_level": ("machine.level", None, True,
            "lowest automatic label that counts as relevant (usual: as level; 1 for labels 0 and 1)"),
        "margin": ("margin", None, False,
            "margin of a gate that an equal system is to pass; instead of width"),
        "measure": ("measures", None, False,
            "measure to estimate (usual: AP)"),
        "pilot": ("source.judgments", None, False,
            "human labels of sampled documents or of whole topics"),
        "scores": ("scores.given", None, False,
            "files of scores, instead of judgments and runs. One score per record, or a column for each system or topic: tables with a header, JSON, logs of evaluation tools (doc/formats.md)"),
        "set_weight": ("scores.set_weights", None, False,
            "weight W of SET in the mean over sets (default: 1)"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of items, such as data sets or tasks. fixed: all that are of interest; sampled: a sample of them"),
        "success": ("scores.success", None, False,
            "which scores are successes for pass@k and pass^k, such as 'score >= 0.7'. Default: 1"),
        "width": ("width", None, False,
            "interval width to reach"),
    }),
    "plan pilot": (iv_plan_pilot_question, {
        "alpha": ("alpha", None, False,
            "significance level of the test (usual: 0.05)"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "depth": ("depth", None, False,
            "use only the top N documents of each topic"),
        "effect": ("effect", None, True,
            "effect to detect: proportion of topics won minus lost. Instead of topics"),
        "forecasts": ("how.forecasts", None, False,
            "number of simulated experiments for the interval (usual: 500)"),
        "free_topics": ("how.prices.free_topics", None, False,
            "existing topics, which cost nothing (usual: 0)"),
        "judge": ("how.order", "iv_judging_order_names", False,
            "order of judging: by 'intervale next', or by pools. Pools grow in depth"),
        "judgment_cost": ("how.prices.judgment", None, True,
            "cost of a judgment (usual: 1)"),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content"),
        "level": ("level", None, True,
            "lowest grade that counts as relevant (usual: 1)"),
        "power": ("power", None, False,
            "power of the one-sided sign test (usual: 0.8)"),
        "relevance": ("relevance", None, False,
            "probability that an unjudged document is relevant. Or 'rank': estimated from the pilot by rank (usual: 0.5)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "samples": ("how.replicates", None, False,
            "number of samples for each number of topics (usual: 20)"),
        "topic_cost": ("how.prices.topic", None, False,
            "cost of a topic (usual: 0)"),
        "topics": ("how.topics", None, False,
            "number of topics of the planned comparison (default: 25)"),
        "unjudged": ("how.no_answer", "iv_no_answer_names", False,
            "what to do with documents not judged in the pilot. Refuse, count as nonrelevant, or never ask for them"),
    }),
    "plan power": (iv_plan_power_question, {
        "alpha": ("alpha", None, False,
            "significance level of the test (usual: 0.05)"),
        "certainty": ("certainty", None, False,
            "probability that a topic's winner is identified; above 0.5 (usual: 1)"),
        "difference": ("difference", None, False,
            "mean differences in units of the measure; needs sd"),
        "effect": ("effect", None, False,
            "effects in sd, or proportion won minus lost (sign). The standard deviation is that of the differences. For the tests sign and normal: the proportion of topics won minus the proportion lost, among topics that do not tie"),
        "power": ("power", None, False,
            "power to reach"),
        "runs": ("runs", None, False,
            "number of runs, of which all pairs are tested. Alpha is divided by the number of pairs (usual: 2)"),
        "sd": ("sd", None, False,
            "standard deviation of the differences over topics; with it, effect sizes are also shown as differences"),
        "sides": ("sides", "iv_sides_names", False,
            "sides of the test: one or two"),
        "test": ("tests", None, False,
            "test to plan (default t); normal is the sign test by the normal approximation"),
        "ties": ("ties", None, False,
            "proportion of topics that tie (not for wilcoxon)"),
        "topics": ("topics", None, False,
            "numbers of topics"),
    }),
    "plan recall": (iv_plan_recall_question, {
        "assurance": ("assurance", None, False,
            "probability of success, with lower or target"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "guaranteed": ("guaranteed", None, False,
            "plan for limits whose coverage is guaranteed"),
        "lower": ("lower", None, False,
            "expected lower limit to reach"),
        "method": ("method", "iv_recall_method_names", False,
            "method of the interval. auto is betabin-half; exact is guaranteed"),
        "one_sided": ("one_sided", None, False,
            "plan for one-sided limits"),
        "population": ("population", None, False,
            "number of documents in the collection"),
        "precision": ("precision", None, False,
            "precision to expect; two numbers are a range"),
        "recall": ("recall", None, False,
            "recall to expect; two numbers are a range. Its ends and middle are tried"),
        "retrieved": ("retrieved", None, False,
            "number of retrieved documents"),
        "retrieved_judged": ("retrieved_judged", None, False,
            "all retrieved documents are judged, R are relevant. Only unretrieved documents are planned, and no precision is needed"),
        "target": ("target", None, False,
            "recall to demonstrate. The answer is a number of documents that demonstrates it in at least 80 % of cases; assurance changes the 80 %. The chance does not rise steadily, so a smaller number may do, too. 75, 75% and 0.75 are the same"),
        "total": ("total", None, False,
            "show what judging N documents would give. N counts retrieved and unretrieved documents; with retrieved_judged, only unretrieved ones"),
        "width": ("width", None, False,
            "expected interval width to reach"),
    }),
    "plan sample": (iv_plan_sample_question, {
        "check": ("how.check", None, True,
            "number of samples to check and correct the plan. Only if the pilot is complete; 0 trusts the formula (usual: 200)"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "depth": ("how.depth", None, False,
            "sample from the top N of each run (the frame) (usual: 100)"),
        "goal": ("how.goal", "iv_sample_goal_names", False,
            "what to estimate: mean AP of a run, or a difference"),
        "halfwidth": ("how.halfwidth", None, False,
            "interval half-width to reach; of the interval that 'intervale eval' reports for new topics"),
        "pilot": ("from_.judgments", None, False,
            "judgments to learn from: qrels, or a completed sample"),
        "se": ("how.se", None, False,
            "standard error to reach; of sampling documents alone"),
        "topics": ("how.topics", None, False,
            "plan for N topics that resemble those of the pilot (usual: as many as the pilot has)"),
        "unjudged": ("unjudged", "iv_unjudged_names", False,
            "what to do with sampled documents without a judgment"),
    }),
    "plan topics": (iv_plan_topics_question, {
        "alone": ("alone", None, False,
            "do not divide alpha by the number of pairs"),
        "alpha": ("alpha", None, False,
            "significance level of the test (usual: 0.05)"),
        "baseline": ("baseline", None, False,
            "compare the others with SYSTEM, instead of all pairs"),
        "binary": ("scores.binary", None, False,
            "refuse scores other than 0 and 1"),
        "by": ("scores.from_.rows", "iv_score_rows_names", False,
            "what a row is, if each system or topic has a column. A system or a topic"),
        "certainty": ("certainty", None, False,
            "probability that a topic's winner is identified; above 0.5 (usual: 1)"),
        "columns": ("scores.from_.columns", None, False,
            "names of the columns of score files. Roles: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, set, weight, group, date, human (a label by people, empty where nobody looked), stratum. @file, @folder or @path:PATTERN take the value from the path: repeat=@folder, system=@path:{system}/{repeat}/*. measure=@name:TEXT names the scores"),
        "complete": ("scoring.complete", None, False,
            "count missing topics as 0"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "measure": ("scoring.measures", None, False,
            "measure to score the runs by (default: AP)"),
        "power": ("power", None, False,
            "power to reach (usual: 0.8)"),
        "scores": ("scores.given", None, False,
            "files of scores, instead of judgments and runs. One score per record, or a column for each system or topic: tables with a header, JSON, logs of evaluation tools (doc/formats.md)"),
        "set_weight": ("scores.set_weights", None, False,
            "weight W of SET in the mean over sets (default: 1)"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of items, such as data sets or tasks. fixed: all that are of interest; sampled: a sample of them"),
        "sides": ("sides", "iv_sides_names", False,
            "sides of the test: one or two"),
        "success": ("scores.success", None, False,
            "which scores are successes for pass@k and pass^k, such as 'score >= 0.7'. Default: 1"),
        "test": ("tests", None, False,
            "test to plan (default t); normal is the sign test by the normal approximation"),
    }),
    "pool": (iv_pool_question, {
        "groups": ("groups", None, False,
            "exclude groups of runs together. A table with the columns run and group"),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content"),
        "level": ("level", None, True,
            "lowest grade that counts as relevant (usual: 1)"),
        "measure": ("measure", None, False,
            "measure to score runs by (usual: AP)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "top": ("depth", None, False,
            "top documents of each topic that a run contributed (usual: 10)"),
    }),
    "prefer": (iv_prefer_question, {
        "baseline": ("baseline", None, False,
            "system that gate compares others with"),
        "columns": ("columns", None, False,
            "columns of the roles a, b, winner, item, judge. a and b are the two systems. covariate=length corrects for length_a and length_b"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "gate": ("not_worse", None, False,
            "a verdict on every run, by baseline and margin"),
        "human": ("human", None, False,
            "judge that the others are compared with (usual: human)"),
        "human_design": ("human_design", "iv_human_design_names", False,
            "random: people voted on a sample of the judges' pairs. It is a random one, and strengths are then people's (usual: stated)"),
        "judge": ("judges", None, False,
            "use only the votes of judge NAME"),
        "margin": ("margin", None, True,
            "gate asks for win rates of 1/2 - D or more"),
        "position": ("position", None, False,
            "correct for the order in which answers were shown"),
    }),
    "prf": (iv_prf_question, {
        "baseline": ("baseline", None, False,
            "system that gate compares the others with (usual: the first)"),
        "beta": ("how.beta", None, False,
            "values of beta: also show F-beta for each"),
        "classes": ("from_.labels_as.classes", None, False,
            "names of all classes, if some have no gold item"),
        "columns": ("from_.labels_as.columns", None, False,
            "columns of labels that put items into groups, such as group=region: adds tables groups and gaps"),
        "compare": ("how.compare", None, False,
            "compare systems evaluated on different items"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "counts": ("from_.counts", None, False,
            "counts of a system"),
        "draws": ("how.draws", None, False,
            "number of random draws for what has no closed form (usual: 10000)"),
        "gate": ("not_worse", None, False,
            "a verdict on every run, by baseline and margin"),
        "gold": ("from_.labels_as.gold", None, False,
            "name of the gold column. Default: gold, label, truth, y_true or target"),
        "guaranteed": ("how.guaranteed", None, False,
            "use intervals whose coverage is guaranteed; Clopper and Pearson's"),
        "labels": ("from_.labels", None, False,
            "table of labels: a gold column, a column per system. Labels are 0 and 1, or classes; a column 'id' is optional"),
        "machine_column": ("machine", None, False,
            "column of automatic labels. Gold is empty where nobody judged; items are stratified by this label and the system's"),
        "margin": ("margin", None, True,
            "how much worse gate allows a system to be"),
        "max_gap": ("gaps.most", None, False,
            "test that the values of no two groups differ by D or more, in accuracy or the first metric; gate sets the exit status"),
        "metric": ("how.metrics", None, False,
            "show only metric NAME, such as f1 or f1[macro]"),
        "paired": ("how.paired", None, False,
            "compare systems evaluated on the same items. From labels, or from counts [A:B=]N1:N2[:N]: items that only A got right, that only B got right, and all items"),
        "positive": ("from_.labels_as.positive", None, False,
            "label of positive items; all others are negative"),
        "predictions": ("from_.labels_as.predictions", None, False,
            "predictions, joined by id with the gold of labels. Columns: id, and one per system"),
        "prior": ("how.prior", None, False,
            "prior counts: one number for all; or A,B, where A is added to TP and TN, B to FP and FN; of paired counts A to N1, B to N2 (usual: 0.5)"),
        "probability_column": ("probability", None, False,
            "column with each item's probability of being judged (usual: pi, if there is one)"),
        "reference": ("gaps.reference", None, False,
            "group that the others are compared with (usual: the rest of the items)"),
        "system": ("from_.labels_as.systems", None, False,
            "use only the column of system NAME"),
        "target": ("targets", None, False,
            "test that METRIC is at least X, such as F1=0.8; gate sets the exit status"),
        "threshold": ("from_.labels_as.threshold", None, False,
            "score from which an item is positive. The columns are then scores"),
        "utility": ("how.utility", None, False,
            "worth of each kind of item: also show the mean utility of an item"),
    }),
    "recall": (iv_recall_question, {
        "anytime": ("stopping.anytime", None, False,
            "use limits that are valid whenever you stop judging; needs log unless all strata but one are judged completely"),
        "at": ("ranked.at", None, False,
            "cut-offs: the top K documents count as retrieved. Default: all"),
        "collection": ("ranked.collection", None, False,
            "number of documents in the collection, or 'run'. With 'run', the collection of a topic is what run lists for it"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "control": ("stopping.control", None, False,
            "relevant control documents: those that the review found, then all of them (15,16: found 15 of 16). They were sampled at random before the review. With target, the answer says whether the review may stop"),
        "families": ("families", None, False,
            "all documents with their families (an e-mail and its attachments), as sampled by 'intervale sample ids': columns document, family and segment (retrieved, unretrieved). sample has the judgments"),
        "found": ("stopping.found", None, False,
            "judgments of the review so far, for stop qbcb. Checks that the control documents are a random part of the relevant ones"),
        "guaranteed": ("guaranteed", None, False,
            "limits with guaranteed coverage, as a court may want"),
        "level": ("level", None, False,
            "lowest grade that counts as relevant (usual: 1)"),
        "log": ("stopping.log", None, False,
            "judgments in the order in which they were made. A table with the columns stratum, relevant and, if judging was planned in blocks, block. Without strata, stratum is retrieved or unretrieved, and retrieved and unretrieved need only their first number"),
        "look": ("stopping.look", None, False,
            "which of the planned analyses this is; 1 is the first"),
        "looks": ("stopping.looks", None, False,
            "number of planned interim analyses"),
        "machine": ("ranked.machine", None, False,
            "automatic labels of the documents. Each segment is stratified by them, which narrows the interval if they are good"),
        "machine_level": ("ranked.machine_level", None, False,
            "lowest automatic label that counts as relevant (usual: as level)"),
        "max_elusion": ("max_elusion", None, False,
            "test if elusion is below X. Needs only unretrieved"),
        "method": ("method", "iv_recall_method_names", False,
            "method of the interval. auto is betabin-half, with strata betabin-weighted; exact is guaranteed (usual: auto)"),
        "one_sided": ("one_sided", None, False,
            "use one-sided limits, each with the full confidence"),
        "prior": ("prior", None, False,
            "prior of each segment, Beta(A, B) instead of Beta(1/2, 1/2). With strata and method betabin-half, it is the prior of each stratum"),
        "proportion": ("proportion", None, False,
            "show intervals of one proportion, r of n. Wald, Wilson, Agresti-Coull, Jeffreys, exact"),
        "rechecked": ("rechecked", None, False,
            "documents rechecked by a second assessor. Corrects recall for errors of the first assessor. Of those judged relevant, k were rechecked and c are relevant; of the others, m were rechecked and d are relevant. First for the retrieved sample, then for the unretrieved one"),
        "retrieved": ("retrieved", None, False,
            "retrieved documents: N, with n judged, r relevant"),
        "run": ("ranked.run", None, False,
            "ranking of the documents"),
        "runs": ("runs", None, False,
            "names of the columns that are runs. Default: those with only 1 and 0, or R and N"),
        "sample": ("ranked.sample", None, False,
            "judgments of a simple random sample of the collection"),
        "sampled_at": ("ranked.drawn_at", None, False,
            "rank at which the sample was split: the top K and the rest were sampled separately"),
        "shape": ("stopping.shape", "iv_look_shape_names", False,
            "division of the error rate among analyses, as in 'intervale plan looks'"),
        "stop": ("stopping.rule", "iv_review_stop_names", False,
            "stopping rule to apply. qbcb: the rank at which a review may stop, from its ranking (run), its control documents (sample) and target. hypergeometric: whether a review may stop, if all its retrieved documents were read and the others sampled at random (usual: none)"),
        "strata": ("strata", None, False,
            "table of strata. Columns: stratum, N, n, r and segment (retrieved or unretrieved). Instead of segment, one column for each run: 1 or R (retrieved), 0 or N (not retrieved). Other columns are ignored"),
        "target": ("target", None, False,
            "test if recall is at least X; 75, 75% and 0.75 are the same"),
        "unjudged": ("ranked.unjudged", "iv_unjudged_names", False,
            "what to do with sampled documents with a grade below 0 (usual: refuse)"),
        "unretrieved": ("unretrieved", None, False,
            "unretrieved documents: N, with n judged, r relevant"),
        "unsampled": ("unsampled", "iv_unsampled_names", False,
            "what to do with strata with n = 0. Refuse, exclude (skip), or use the prior (usual: refuse)"),
    }),
    "roc": (iv_roc_question, {
        "baseline": ("baseline", None, False,
            "system that gate compares the others with (usual: the first)"),
        "bins": ("bins", None, False,
            "number of bins for the calibration error (usual: 10)"),
        "capacity": ("capacity", None, False,
            "number of items that can be looked at: adds the threshold of the top N"),
        "choose": ("goal", "iv_threshold_goal_names", False,
            "goal for which the best threshold is chosen"),
        "columns": ("columns", None, False,
            "columns that put items into groups, such as group=region: adds tables groups and gaps"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "cost": ("cost", None, False,
            "what a false positive and a false negative cost: adds the threshold that costs least"),
        "gate": ("not_worse", None, False,
            "a verdict on every run, by baseline and margin"),
        "gold": ("gold", None, False,
            "name of the gold column. Default: gold, label, truth, y_true or target"),
        "least": ("least", None, False,
            "least recall or precision, such as recall=0.9: adds the threshold that reaches it with the fewest items, or with the most hits"),
        "margin": ("margin", None, True,
            "how much worse gate allows a system to be"),
        "max_gap": ("gaps.most", None, False,
            "test that the values of no two groups differ by D or more"),
        "measure": ("measure", None, False,
            "measure that is tested: AUC, Brier or log_loss. For three or more classes only AUC (usual: AUC)"),
        "positive": ("positive", None, False,
            "label of positive items. Default: 1; not for three or more classes"),
        "reference": ("gaps.reference", None, False,
            "group that the others are compared with (usual: the rest of the items)"),
        "resamples": ("resamples", None, False,
            "number of bootstrap resamples, for thresholds and curves (usual: 2000)"),
        "system": ("named", None, False,
            "use only the columns of system NAME. For three or more classes, NAME is what precedes the class: A in A_cat"),
        "threshold": ("fixed", None, False,
            "thresholds that were fixed before: shows precision and recall with exact limits"),
    }),
    "sample": (iv_sample_question, {
        "budget": ("how.budget", None, False,
            "number of documents to sample per topic (default: 100)"),
        "budget_depth": ("how.budget_depth", None, False,
            "sample as many documents as a topic's pool of depth K has"),
        "depth": ("depth", None, False,
            "sample from the top N of each run (the frame) (usual: 100)"),
        "design": ("how.design", "iv_design_names", False,
            "design of the sample. stevens: by weight, for AP and other measures. uniform: all with the same probability, for infAP. stratified: by their best rank, for xinfAP. pool: no sampling, the pool is judged"),
        "divide": ("how.spread", "iv_spread_rule_names", False,
            "how to divide total among topics: equally, or by size of frame"),
        "human_design": ("human_design", "iv_human_design_names", False,
            "how to sample from automatic labels. random: from all labelled documents; by-topic: the same number from each topic; topics: whole topics, as many as budget says"),
        "ids": ("ids", None, False,
            "sample total documents of this list: one per line, perhaps with a family (an e-mail and its attachments), which is sampled whole. Or CSV with columns document, family and segment (retrieved, unretrieved): half of each segment"),
        "judged": ("from_.judgments", None, False,
            "existing judgments: copied to the output, not sampled. Their documents have probability 1"),
        "labels": ("labels", None, False,
            "grades of documents that are known: they fill in the sample, which does not depend on them"),
        "machine": ("machine", None, False,
            "automatic labels: sample from the documents in LABELS. No runs are needed; 'intervale eval' then corrects the labels by the sample"),
        "pool_depth": ("how.pool_depth", None, False,
            "also judge the top K documents of every run"),
        "rates": ("how.rates", None, False,
            "proportion to sample of each stratum, for design stratified. Without it, the number of documents is divided among strata by weight"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "strata": ("how.strata", None, False,
            "deepest rank of each stratum, for design stratified. Default: 10, 30, 100 and deeper"),
        "total": ("how.total", None, False,
            "number of documents to sample in all topics together"),
        "weights": ("weights", None, False,
            "weight of each document, the score in a file like a run. Default: the prior of average precision"),
    }),
    "simulate": (iv_simulate_question, {
        "breadth": ("collection.breadth", None, True,
            "correlation of a topic's difficulty and prevalence (usual: 0.6)"),
        "depth": ("collection.depth", None, False,
            "number of documents that a run returns for a topic. Default: all, up to 1000"),
        "difficulty": ("collection.difficulty", None, True,
            "standard deviation of quality over topics (usual: 0.8)"),
        "documents": ("collection.documents", None, False,
            "number of documents of each topic. All are judged unless judged is given (usual: 4000)"),
        "first_topic": ("files.first_topic", None, True,
            "number of the first topic (usual: 301)"),
        "grades": ("collection.grades", None, False,
            "number of grades, including 0. Each is half as common as the one below (usual: 2)"),
        "interaction": ("collection.interaction", None, True,
            "standard deviation of quality over runs and topics (usual: 0.33)"),
        "judge": ("files.judge", None, False,
            "simulate automatic labels, in machine.qrels. kappa=K is the agreement with the truth, drift=D how far the number of documents called relevant differs between topics, relatively; kappa=0.4,drift=0.45 resembles language models of 2024"),
        "judged": ("files.judged", None, False,
            "judge only N documents of each topic"),
        "judging": ("files.judging", "iv_judging_names", False,
            "choice of the documents of judged: the top of the pool, or at random"),
        "least_relevant": ("collection.least_relevant", None, False,
            "least number of relevant documents of a topic (usual: 1)"),
        "prefix": ("files.prefix", None, False,
            "prefix of the names of runs (usual: sim)"),
        "prevalence": ("collection.prevalence", None, False,
            "mean proportion of relevant documents (usual: 0.015)"),
        "prevalence_sd": ("collection.prevalence_spread", None, True,
            "standard deviation over topics of logit prevalence (usual: 0.9)"),
        "quality": ("collection.quality", None, False,
            "quality of each run, where 0 is a random ranking. How far relevant documents score above others, in standard deviations: one number for all runs, two for even steps from the first run to the last, or one for each run (usual: 2.1,1.3)"),
        "runs": ("collection.runs", None, False,
            "number of runs (usual: 10)"),
        "similarity": ("collection.similarity", None, True,
            "correlation of the errors of two runs (usual: 0.7)"),
        "ties": ("collection.ties", None, False,
            "round scores to multiples of STEP, which makes ties; 0 makes none (usual: 0)"),
        "topics": ("files.topics", None, False,
            "number of topics (usual: 50)"),
    }),
    "sort": (iv_sort_question, {
        "memory": ("how.memory", None, False,
            "memory to use; the rest goes to temporary files (usual: 256M)"),
        "temporary": ("how.folder", None, False,
            "folder of temporary files, $TMPDIR or /tmp by default. The files have no names"),
    }),
    "watch": (iv_watch_question, {
        "baseline": ("baseline", None, False,
            "the baseline: a system or the date of a night"),
        "binary": ("scores.binary", None, False,
            "refuse scores other than 0 and 1"),
        "by": ("scores.from_.rows", "iv_score_rows_names", False,
            "what a row is, if each system or topic has a column. A system or a topic"),
        "columns": ("scores.from_.columns", None, False,
            "names of the columns of score files. Roles: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, set, weight, group, date, human (a label by people, empty where nobody looked), stratum. @file, @folder or @path:PATTERN take the value from the path: repeat=@folder, system=@path:{system}/{repeat}/*. measure=@name:TEXT names the scores"),
        "complete": ("complete", None, False,
            "count items as 0 that the baseline has and a night lacks"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "margin": ("margin", None, False,
            "a loss up to D raises no alarm (usual: 0)"),
        "measure": ("measures", None, False,
            "measure to watch. Default: the first of the table"),
        "nights": ("nights", None, False,
            "nights that the promise is about (usual: 365)"),
        "promise": ("promise", "iv_promise_names", False,
            "what is promised about false alarms. year: any in nights nights, with probability 1 - confidence at most; average: one night in that number"),
        "range": ("range", None, False,
            "lowest and highest possible score, for differences that are all equal"),
        "set_weight": ("scores.set_weights", None, False,
            "weight W of SET in the mean over sets (default: 1)"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of items, such as data sets or tasks. fixed: all that are of interest; sampled: a sample of them"),
        "since": ("since", None, False,
            "exclude nights before NIGHT. For example after a repair"),
        "success": ("scores.success", None, False,
            "which scores are successes for pass@k and pass^k, such as 'score >= 0.7'. Default: 1"),
        "system": ("system", None, False,
            "watch only this system"),
    }),
}

# Columns of scores: what they are, and the names they are known by.
USUAL = {
    "system": ("system", "run", "model", "agent", "eval_id",),
    "item": ("item", "topic", "query", "query_id", "qid", "question_id", "doc_id", "id", "sample_id", "question", "prompt", "task_id", "instance_id", "user_input",),
    "score": ("score", "value", "correct", "acc", "exact_match", "f1", "resolved", "is_resolved", "success", "passed", "reward",),
    "measure": ("measure", "metric",),
    "repeat": ("repeat", "epoch", "seed", "attempt", "trial",),
    "cluster": ("cluster",),
    "set": ("suite", "set", "dataset", "task", "task_name", "subset",),
    "weight": ("weight",),
    "human": (),
    "stratum": (),
    "group": (),
    "date": ("date", "night", "day",),
}
