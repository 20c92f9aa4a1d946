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
        ("also", c_char_p),
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
        ("confidence", c_double),
        ("resamples", c_size_t),
        ("permutations", c_size_t),
        ("structure", POINTER(iv_structure)),
        ("binary", c_bool),
        ("bounded", c_bool),
    ]


class iv_machines(Structure):
    _fields_ = [
        ("files", iv_texts),
        ("format", c_int),
        ("level", c_int32),
        ("infer", c_int),
        ("design", c_int),
        ("parts", c_bool),
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
        ("gate_sets", c_bool),
        ("gate_on_worse", c_bool),
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
        ("relevance", c_char_p),
        ("paper", c_bool),
        ("depth", c_size_t),
        ("level", c_int32),
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
        ("highest", c_double),
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
        ("control", iv_integers),
        ("proportion", iv_integers),
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
        ("method", c_int),
        ("confidence", c_double),
        ("one_sided", c_bool),
        ("guaranteed", c_bool),
        ("prior", iv_reals),
        ("target", c_double),
        ("max_elusion", c_double),
        ("log", c_char_p),
        ("anytime", c_bool),
        ("looks", c_size_t),
        ("look", c_size_t),
        ("shape", c_int),
        ("found", c_char_p),
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
        ("not_worse", c_bool),
        ("baseline", c_char_p),
        ("measure", c_char_p),
        ("margin", c_double),
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
        ("human_design", c_int),
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
    ]


class iv_run_oddities(Structure):
    _fields_ = [
        ("many_tags", c_bool),
        ("misranked_line", c_uint64),
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
        ("skewness", c_double),
        ("dropped", c_size_t),
        ("limit_error", c_double),
        ("bounds", iv_bounds),
        ("ties", iv_ties),
        ("se_judgments", c_double),
        ("se_topics", c_double),
        ("without", c_size_t),
        ("outside", c_double),
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


class iv_note(Structure):
    _fields_ = [
        ("id", c_char_p),
        ("severity", c_int),
        ("text", c_char_p),
        ("tables", c_char_p),
        ("legend", c_bool),
        ("people", c_bool),
    ]


class iv_citation(Structure):
    _fields_ = [
        ("method", c_char_p),
        ("key", c_char_p),
        ("label", c_char_p),
        ("text", c_char_p),
        ("bibtex", c_char_p),
    ]


# Command: its question, and its options: the field, the function that lists the
# words it may have, whether 0 is a number that can be meant, what it is.
COMMANDS = {
    "agree": (iv_agree_question, {
        "baseline": ("baseline", None, False,
            "are effects over this one the same? effect ratio, and the first improvement less the second"),
        "by": ("by", "iv_matrix_rows_names", False,
            "what a line of these files is"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "judge_level": ("judge_level", None, True,
            "the lowest grade of a judge that means relevant (usual: as level; 1 for labels 0 and 1)"),
        "level": ("level", None, True,
            "the lowest grade that counts as relevant (usual: 1)"),
        "measure": ("measure", None, False,
            "the measure (usual: AP)"),
        "orders": ("a_matrix", None, False,
            "a file of scores, systems x topics; the operand is another"),
        "other": ("other", None, False,
            "other judgments of the same runs"),
        "other_measure": ("other_measure", None, False,
            "the measure of the second scores (usual: as measure)"),
        "persistence": ("persistence", None, False,
            "of rank-biased overlap (usual: 0.9)"),
        "population": ("populations", None, False,
            "documents retrieved and not retrieved, for recall"),
        "reproduced": ("again", None, False,
            "a replicated run; once for each of the runs, in their order"),
        "scale": ("scale", "iv_label_scale_names", False,
            "what labels are, for Krippendorff's alpha: words, grades in an order, numbers (usual: words nominal, up to 16 whole numbers ordinal, else interval)"),
        "strata": ("strata", None, False,
            "sizes of the strata that the table's items are of: recall by each assessor"),
        "weights": ("weights", "iv_kappa_weights_names", False,
            "how much a disagreement on grades counts: all alike, by distance, by its square"),
    }),
    "check": (iv_check_question, {
        "judgments_format": ("format", "iv_judgments_format_names", False,
            "take the files for judgments in this format"),
        "most": ("most", None, True,
            "how many problems to list for each file; 0 lists all (usual: 100)"),
    }),
    "compare": (iv_compare_question, {
        "also": ("scoring.also", None, False,
            "merge these judgments, as in eval; never documents chosen because of what was judged"),
        "alternative": ("how.alternative", "iv_alternative_names", False,
            "what the tests are to find: a and b differ, a is larger, a is smaller; intervals too are one-sided then"),
        "baseline": ("baselines", None, False,
            "compare each run with this one, not all pairs: by its tag, its path or the name of its file, which must be among the RUNs too; several are corrected together"),
        "binary": ("scores.binary", None, False,
            "scores are 0 or 1; any other is an error"),
        "by": ("by", "iv_matrix_rows_names", False,
            "what a row of the matrix stands for"),
        "ci": ("how.interval", "iv_interval_names", False,
            "interval of a difference: that of the test unless given, or t, percentile, bca, none"),
        "columns": ("scores.from_.columns", None, False,
            "which column of score files is what: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, suite, weight; @file, @folder or @path:PATTERN take it from the path: repeat=@folder, system=@path:{system}/{repeat}/*"),
        "compat": ("scoring.measure.dialect", "iv_dialect_names", False,
            "follow trec_eval 9 or 10 where they differ"),
        "complete": ("scoring.complete", None, False,
            "judged topics that a run misses count, with nothing retrieved; missing scores of a matrix are 0"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "correct": ("how.correction", "iv_correction_names", False,
            "how p-values allow for many pairs (auto: holm)"),
        "depth": ("scoring.measure.depth", None, False,
            "look at the first N documents of each topic only"),
        "estimator": ("scoring.estimator", "iv_estimator_names", False,
            "as in eval: corrected (auto) or published"),
        "gate_sets": ("gate_sets", None, False,
            "with gate, fail too if a set of the suite is significantly worse (Holm's correction over sets)"),
        "groups": ("groups", None, False,
            "columns topic and group: compare within groups of topics too, and test whether differences depend on the group"),
        "human_design": ("machine.design", "iv_human_design_names", False,
            "how documents for human labels were chosen: random, a simple random sample of all labelled documents; by-topic, of each topic's; topics, whole topics; stated, the file says it or nothing is excluded"),
        "infer": ("machine.infer", "iv_infer_names", False,
            "what the interval is of: the mean over new topics like these, or over this fixed set, with human judgments of some or, in sampled judgments, some documents"),
        "interval_style": ("paper.interval", "iv_paper_interval_names", False,
            "how it shows intervals: in brackets, as +- half the width, small below the value (in latex), or not at all"),
        "judged_only": ("scoring.measure.judged_only", None, False,
            "take unjudged documents out of the rankings first"),
        "judgments_format": ("source.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content"),
        "level": ("scoring.measure.level", None, True,
            "the lowest grade that counts as relevant (usual: 1)"),
        "machine": ("machine.files", None, False,
            "automatic labels (of an LLM) of all documents: qrels, BEIR, or lines of topic, document and score; of several files the first is used, of the others only agreement is shown"),
        "machine_format": ("machine.format", "iv_judgments_format_names", False,
            "format of LABELS"),
        "machine_level": ("machine.level", None, True,
            "lowest automatic label that counts as relevant (usual: as level; 1 for labels 0 and 1)"),
        "margin": ("how.margin", None, True,
            "smallest difference of interest: adds tests of non-inferiority and equivalence"),
        "marks": ("paper.marks", "iv_paper_marks_names", False,
            "what tells better from worse: arrows against the baseline, or the letters of the runs that a run beats"),
        "matrix": ("matrix", None, False,
            "compare the scores in this CSV file instead of judgments and runs; binary counts for them too"),
        "measure": ("scoring.measures", None, False,
            "a measure, by trec_eval's name or ir_measures' (default: AP); with matrix, what to call its scores"),
        "memory": ("source.memory", None, False,
            "read files that are sorted by topic some topics at a time, with about so much memory beside the scores; large files are read so anyway, if they can be, pipes only with this"),
        "order": ("paper.order", "iv_paper_order_names", False,
            "of its runs: as given, or by the first measure, the best first"),
        "permutations": ("how.permutations", None, False,
            "random permutations, for tukey and groups (usual: 100000)"),
        "resamples": ("how.resamples", None, False,
            "bootstrap resamples for intervals, ranks and the bootstrap test (usual: 10000)"),
        "run_format": ("source.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "scores": ("scores.given", None, False,
            "the operands are files or folders of scores, one a record: tables with a header, JSON, other tools' results (doc/formats.md)"),
        "set_weight": ("scores.set_weights", None, False,
            "a set's weight in the mean over sets; 1 unless given"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of a suite: these and no others, or a sample of such sets"),
        "sort": ("source.sort", None, False,
            "the same, of files that are not sorted: sorts them first, into temporary files in $TMPDIR or /tmp"),
        "test": ("tests", None, False,
            "a test of the difference (default: hall, the larger p of the t test and Hall's t test; mcnemar where scores are 0 or 1)"),
        "ties": ("how.ties", "iv_sign_ties_names", False,
            "what the sign test does with topics on which neither wins"),
        "topic_texts": ("topic_texts", None, False,
            "what the topics ask, for the table topics: a line each, the topic, a tab or blank, its text"),
        "two_columns": ("paper.two_columns", None, False,
            "in latex, a table over both columns of the page"),
        "unjudged": ("scoring.unjudged", "iv_unjudged_names", False,
            "a sampled document without a judgment, as in eval"),
        "zeros": ("how.zeros", "iv_zeros_names", False,
            "what the signed-rank test does with them: drop before or after ranking"),
    }),
    "eval": (iv_eval_question, {
        "also": ("how.also", None, False,
            "merge these judgments; in a sample their documents have probability 1. Never merge documents chosen because of what was judged: estimates would be biased"),
        "anytime": ("anytime", None, False,
            "limits that hold for all numbers of topics at once, so that judging may be stopped by looking at them; topics count in the order of JUDGMENTS. Complete judgments, measures in [0, 1]"),
        "binary": ("scores.binary", None, False,
            "scores are 0 or 1; any other is an error"),
        "bounds": ("how.bounds", None, False,
            "lowest and highest value over all that the unjudged retrieved documents could turn out to be"),
        "ci": ("how.interval", "iv_interval_names", False,
            "interval on each mean over topics; auto is logit (Studentised logit bootstrap, Park 2011) for measures in [0, 1], wilson for values that are 0 or 1, and t for others; bootstrap-t is for skewed values; see doc/methods/mean-intervals.md"),
        "collection": ("how.measure.collection", None, False,
            "documents in the collection, for utility"),
        "columns": ("scores.from_.columns", None, False,
            "which column of score files is what: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, suite, weight; @file, @folder or @path:PATTERN take it from the path: repeat=@folder, system=@path:{system}/{repeat}/*"),
        "compat": ("how.measure.dialect", "iv_dialect_names", False,
            "follow trec_eval 9 or 10 where they differ: scores as float or double, which measures are all_trec, interpolated cut-offs, printing of missing topics"),
        "complete": ("how.complete", None, False,
            "judged topics that a run misses count, with nothing retrieved"),
        "confidence": ("how.resampling.confidence", None, False,
            "confidence of every interval"),
        "depth": ("how.measure.depth", None, False,
            "look at the first N documents of each topic only"),
        "estimator": ("how.estimator", "iv_estimator_names", False,
            "corrected (auto): Aslam and Pavlu's ratio estimates, own term counted 1; published: AP and its interval of 4 standard errors as printed in 2008, biased upwards"),
        "guaranteed": ("how.guaranteed", None, False,
            "intervals with at least the nominal coverage, for any distribution: Clopper and Pearson's for measures that are 0 or 1, bounds by Hoeffding and Bentkus for others in [0, 1], which are much wider; none for measures without bounds"),
        "human_design": ("machine.design", "iv_human_design_names", False,
            "how documents for human labels were chosen: random, a simple random sample of all labelled documents; by-topic, of each topic's; topics, whole topics; stated, the file says it or nothing is excluded"),
        "infer": ("machine.infer", "iv_infer_names", False,
            "what the interval is of: the mean over new topics like these, or over this fixed set, with human judgments of some or, in sampled judgments, some documents"),
        "judged_only": ("how.measure.judged_only", None, False,
            "take unjudged documents out of the rankings first"),
        "judgments_format": ("source.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content, but for groups and prefs"),
        "level": ("how.measure.level", None, True,
            "the lowest grade that counts as relevant (usual: 1)"),
        "machine": ("machine.files", None, False,
            "automatic labels (of an LLM) of all documents: qrels, BEIR, or lines of topic, document and score; of several files the first is used, of the others only agreement is shown"),
        "machine_format": ("machine.format", "iv_judgments_format_names", False,
            "format of LABELS"),
        "machine_level": ("machine.level", None, True,
            "lowest automatic label that counts as relevant (usual: as level; 1 for labels 0 and 1)"),
        "measure": ("how.measures", None, False,
            "a measure, by trec_eval's name (P.5,10) or ir_measures' (nDCG@10); unless given, AP, nDCG@10, P@10, R@1000 and RR, or trec_eval's official ones in its format"),
        "memory": ("source.memory", None, False,
            "read files that are sorted by topic some topics at a time, with about so much memory beside the scores; large files are read so anyway, if they can be, pipes only with this"),
        "no_summary": ("no_summary", None, False,
            "no values over all topics"),
        "per_topic": ("topics", None, False,
            "show each topic, too: rows of the table measures"),
        "resamples": ("how.resampling.resamples", None, False,
            "resamples of the bootstrap (usual: 10000)"),
        "run_format": ("source.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "scores": ("scores.given", None, False,
            "the operands are files or folders of scores, one a record: tables with a header, JSON, other tools' results (doc/formats.md)"),
        "set_weight": ("scores.set_weights", None, False,
            "a set's weight in the mean over sets; 1 unless given"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of a suite: these and no others, or a sample of such sets"),
        "sort": ("source.sort", None, False,
            "the same, of files that are not sorted: sorts them first, into temporary files in $TMPDIR or /tmp"),
        "standards": ("how.standards", None, False,
            "values as distances from the mean of reference runs, in their deviations: FILE has lines of topic, measure, mean and deviation"),
        "ties": ("how.ties", None, False,
            "lowest, expected and highest value over the orders of documents of equal score"),
        "unjudged": ("how.unjudged", "iv_unjudged_names", False,
            "a sampled document without a judgment: refuse the file (default), count it as nonrelevant, or drop it and lower the probabilities of its bucket"),
        "write_matrix": ("matrix", None, False,
            "also write the first measure, systems x topics, for compare and study"),
        "write_scores": ("write_scores", None, False,
            "write the scores of all topics instead of means: a part that scores puts together with others, computed elsewhere"),
    }),
    "incomplete": (iv_incomplete_question, {
        "alternative": ("alternative", "iv_alternative_names", False,
            "what the sign test looks for"),
        "baseline": ("baseline", None, False,
            "compare every run with this one, by name or file, not all pairs"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "depth": ("depth", None, False,
            "look at the first N documents of each topic only"),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content"),
        "level": ("level", None, True,
            "the lowest grade that counts as relevant (usual: 1)"),
        "paper": ("paper", None, False,
            "as Carterette and Smucker 2007: relevance 0.5, the printed moments, only documents that the runs return"),
        "relevance": ("relevance", None, False,
            "probability that an unjudged document is relevant, or rank: learnt from the judged ones, by rank (usual: rank)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
    }),
    "measures": (iv_measures_question, {
    }),
    "next": (iv_next_question, {
        "count": ("count", None, False,
            "how many documents to list (usual: 10)"),
        "depth": ("depth", None, False,
            "look at the first N documents of each topic only"),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS and the oracle; detected from the content"),
        "level": ("level", None, True,
            "the lowest grade that counts as relevant (usual: 1)"),
        "machine": ("machine", None, False,
            "automatic labels (qrels, BEIR, or topic, document and score): a document is as likely to be relevant as judged ones with its label"),
        "most": ("most", None, False,
            "stop after so many judgments"),
        "oracle": ("oracle", None, False,
            "the judgments that until would get"),
        "paper": ("paper", None, False,
            "as Carterette and Smucker 2007: relevance 0.5, the printed moments, only documents that the runs return"),
        "relevance": ("relevance", None, False,
            "probability that an unjudged document is relevant, or rank: learnt from the judged ones, by rank (usual: rank)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "unjudged": ("no_answer", "iv_no_answer_names", False,
            "where the oracle has no judgment: refuse, take it as not relevant, or never ask for it"),
        "until": ("until", None, False,
            "judge in this order until the sign of every difference has this confidence; 1 stands for 0.9995, or a sign that nothing can change"),
        "write": ("write", None, False,
            "also write the judgments with these documents behind them, a grade of -1 to be replaced: eval and next read the file; of a sample eval leaves out what was chosen so"),
    }),
    "overlap": (iv_overlap_question, {
        "confidence": ("resampling.confidence", None, False,
            "confidence of every interval"),
        "depth": ("how.depth", None, False,
            "look at the first N documents of each topic only"),
        "persistence": ("how.persistence", None, False,
            "of rank-biased overlap: the chance to go on to the next rank (usual: 0.9)"),
        "resamples": ("resampling.resamples", None, False,
            "resamples of the bootstrap (usual: 10000)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "ties": ("how.ties", "iv_rbo_ties_names", False,
            "documents of one score: the average over their orders (a in the paper), that over what a list shares with itself (b), or equal ranks (w)"),
        "top": ("how.top", None, False,
            "how many are the first documents, of overlap@k and Jaccard@k (usual: 10)"),
    }),
    "plan cost": (iv_plan_cost_question, {
        "certainty": ("certainty", None, False,
            "show the cost of this certainty, not of the best one"),
        "coefficients": ("coefficients", None, False,
            "the model itself (constant, of log certainty, of log topics) in place of a pilot"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "effect": ("effect", None, False,
            "the effect that a false negative misses: proportion of topics won less lost"),
        "error_costs": ("errors", None, False,
            "in place of topics: costs of a false positive and of a false negative, in judgments; the level, the power and the topics follow"),
        "free_topics": ("prices.free_topics", None, False,
            "topics that are there already and cost nothing (usual: 0)"),
        "judgment_cost": ("prices.judgment", None, True,
            "price of a judgment (usual: 1)"),
        "topic_cost": ("prices.topic", None, False,
            "price of a topic (usual: 0)"),
        "topics": ("topics", None, False,
            "topics that would be enough if judged to certainty (usual: 25)"),
    }),
    "plan elusion": (iv_plan_elusion_question, {
        "accept": ("accept", None, False,
            "relevant documents that are accepted in the sample: a plan for each (usual: 0,1,2,3,5,10)"),
        "assurance": ("assurance", None, False,
            "the probability of acceptance to look for (usual: 0.9)"),
        "below": ("below", None, False,
            "the proportion of relevant documents that elusion is to be below"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "elusion": ("elusion", None, False,
            "what it may really be: how likely is acceptance then? A quarter of below unless given"),
        "population": ("population", None, False,
            "documents that were not retrieved"),
    }),
    "plan looks": (iv_plan_looks_question, {
        "at": ("fractions", None, False,
            "analyses at these fractions of the largest sample, instead"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "documents": ("documents", None, False,
            "the largest sample: after how many documents each analysis is"),
        "looks": ("looks", None, False,
            "equally spaced interim analyses (usual: 5)"),
        "shape": ("shape", "iv_look_shape_names", False,
            "how the error is shared: little early, the same at every analysis, or by a spending function, which allows analyses that were not planned"),
    }),
    "plan machine": (iv_plan_machine_question, {
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "human_design": ("machine.design", "iv_human_design_names", False,
            "how documents of the pilot were chosen: random, by-topic or topics, as in eval"),
        "level": ("level", None, True,
            "the lowest grade that counts as relevant (usual: 1)"),
        "machine": ("machine.files", None, False,
            "automatic labels of all documents"),
        "machine_level": ("machine.level", None, True,
            "lowest automatic label that counts as relevant (usual: as level; 1 for labels 0 and 1)"),
        "measure": ("measures", None, False,
            "a measure (usual: AP)"),
        "pilot": ("source.judgments", None, False,
            "human labels of some documents or topics"),
        "width": ("width", None, False,
            "the interval shall be so wide"),
    }),
    "plan pilot": (iv_plan_pilot_question, {
        "alpha": ("alpha", None, False,
            "and level (usual: 0.05)"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "depth": ("depth", None, False,
            "look at the first N documents of each topic only"),
        "effect": ("effect", None, True,
            "or the effect to find: the proportion of topics won less the proportion lost"),
        "forecasts": ("how.forecasts", None, False,
            "simulated experiments for the interval (usual: 500)"),
        "free_topics": ("how.prices.free_topics", None, False,
            "topics that are there already and cost nothing (usual: 0)"),
        "judge": ("how.order", "iv_judging_order_names", False,
            "in the order of intervale next, or by pools of growing depth"),
        "judgment_cost": ("how.prices.judgment", None, True,
            "price of a judgment (usual: 1)"),
        "judgments_format": ("from_.judgments_format", "iv_judgments_format_names", False,
            "format of JUDGMENTS; detected from the content"),
        "level": ("level", None, True,
            "the lowest grade that counts as relevant (usual: 1)"),
        "power": ("power", None, False,
            "with this power (one-sided sign test) (usual: 0.8)"),
        "relevance": ("relevance", None, False,
            "probability that an unjudged document is relevant, or rank: estimated from the pilot, by rank (usual: 0.5)"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "samples": ("how.replicates", None, False,
            "samples of topics for each number of topics (usual: 20)"),
        "topic_cost": ("how.prices.topic", None, False,
            "price of a topic (usual: 0)"),
        "topics": ("how.topics", None, False,
            "topics to judge (default: 25)"),
        "unjudged": ("how.no_answer", "iv_no_answer_names", False,
            "where the pilot has no judgment: refuse, take it as not relevant, or never ask for it"),
    }),
    "plan power": (iv_plan_power_question, {
        "alpha": ("alpha", None, False,
            "level of the test (usual: 0.05)"),
        "certainty": ("certainty", None, False,
            "probability that the winner of a topic is identified correctly, above 0.5 (usual: 1)"),
        "difference": ("difference", None, False,
            "mean differences in units of the measure, with sd"),
        "effect": ("effect", None, False,
            "effect sizes: the mean difference in standard deviations; for sign and normal the proportion of topics won less the proportion lost, of those that do not tie, at most 1"),
        "power": ("power", None, False,
            "powers to reach"),
        "runs": ("runs", None, False,
            "runs to be compared, all pairs: alpha is divided by their number (usual: 2)"),
        "sd": ("sd", None, False,
            "standard deviation of the differences over topics: effects are shown as differences, too"),
        "sides": ("sides", "iv_sides_names", False,
            "one-sided or two-sided test"),
        "test": ("tests", None, False,
            "t unless given; normal is the sign test in its normal form"),
        "ties": ("ties", None, False,
            "the proportion of topics that tie (not for wilcoxon)"),
        "topics": ("topics", None, False,
            "numbers of topics"),
    }),
    "plan recall": (iv_plan_recall_question, {
        "assurance": ("assurance", None, False,
            "with lower or target: for a lower limit of at least X with this probability"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "guaranteed": ("guaranteed", None, False,
            "limits will be guaranteed, as in recall"),
        "lower": ("lower", None, False,
            "find the number for an expected lower limit of X"),
        "method": ("method", "iv_recall_method_names", False,
            "how the interval will be computed; auto is betabin-half; exact is guaranteed"),
        "one_sided": ("one_sided", None, False,
            "the limits will be one-sided"),
        "population": ("population", None, False,
            "documents in the collection"),
        "precision": ("precision", None, False,
            "what precision might be, in the same way"),
        "recall": ("recall", None, False,
            "what recall might be; two numbers are a range, of which the ends and the middle are tried"),
        "retrieved": ("retrieved", None, False,
            "how many of them are retrieved"),
        "retrieved_judged": ("retrieved_judged", None, False,
            "every retrieved document was read and R are relevant, the usual case: only the others are planned, and no precision is guessed"),
        "target": ("target", None, False,
            "find the number that shows a recall of at least X by recall target, with the chance assurance (default 0.8); 75, 75% and 0.75 are the same"),
        "total": ("total", None, False,
            "documents to judge, in both segments together"),
        "width": ("width", None, False,
            "find the number for an interval of this expected width"),
    }),
    "plan sample": (iv_plan_sample_question, {
        "check": ("how.check", None, True,
            "samples taken to check and correct a budget, if the pilot is complete; 0: trust the formula (usual: 200)"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "depth": ("how.depth", None, False,
            "documents of each run and topic that may be sampled: the frame (usual: 100)"),
        "goal": ("how.goal", "iv_sample_goal_names", False,
            "what must be precise: a run's mean AP, a topic's AP, the difference of two runs' means"),
        "halfwidth": ("how.halfwidth", None, False,
            "or half the width of the interval that eval gives, for new topics"),
        "pilot": ("from_.judgments", None, False,
            "judgments to learn from: qrels, or a completed sample"),
        "se": ("how.se", None, False,
            "the wanted standard error, of judgments alone"),
        "topics": ("how.topics", None, False,
            "of means: over so many topics like the pilot's (usual: as many as the pilot has)"),
        "unjudged": ("unjudged", "iv_unjudged_names", False,
            "what to do with documents of a sampled pilot that nobody judged"),
    }),
    "plan topics": (iv_plan_topics_question, {
        "alone": ("alone", None, False,
            "plan each pair as if it were the only one: alpha is not shared by all pairs"),
        "alpha": ("alpha", None, False,
            "level of the test (usual: 0.05)"),
        "baseline": ("baseline", None, False,
            "compare each system with this one, not all pairs"),
        "binary": ("scores.binary", None, False,
            "scores are 0 or 1; any other is an error"),
        "by": ("by", "iv_matrix_rows_names", False,
            "what a row of the matrix stands for"),
        "certainty": ("certainty", None, False,
            "probability that the winner of a topic is identified correctly, above 0.5 (usual: 1)"),
        "columns": ("scores.from_.columns", None, False,
            "which column of score files is what: system, item, score, binary (a score that is 0 or 1), measure, repeat, cluster, suite, weight; @file, @folder or @path:PATTERN take it from the path: repeat=@folder, system=@path:{system}/{repeat}/*"),
        "complete": ("scoring.complete", None, False,
            "judged topics that a run misses count, with nothing retrieved"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "measure": ("scoring.measures", None, False,
            "of judgments and runs: the measure, AP unless given"),
        "power": ("power", None, False,
            "power to reach (usual: 0.8)"),
        "scores": ("scores.given", None, False,
            "the operands are files or folders of scores, one a record: tables with a header, JSON, other tools' results (doc/formats.md)"),
        "set_weight": ("scores.set_weights", None, False,
            "a set's weight in the mean over sets; 1 unless given"),
        "sets": ("scores.sets", "iv_sets_names", False,
            "sets of a suite: these and no others, or a sample of such sets"),
        "sides": ("sides", "iv_sides_names", False,
            "one-sided or two-sided test"),
        "test": ("tests", None, False,
            "t unless given; normal is the sign test in its normal form"),
    }),
    "prf": (iv_prf_question, {
        "baseline": ("baseline", None, False,
            "with gate: compare the others with this system (usual: the first)"),
        "beta": ("how.beta", None, False,
            "F-beta for these beta, beside F1"),
        "classes": ("from_.labels_as.classes", None, False,
            "the classes there are, also those gold never gives"),
        "compare": ("how.compare", None, False,
            "compare systems evaluated on different items, from counts"),
        "confidence": ("how.confidence", None, False,
            "confidence of every interval"),
        "counts": ("from_.counts", None, False,
            "counts of a system, or the name of a CSV file of them"),
        "draws": ("how.draws", None, False,
            "draws for what has no closed form (usual: 10000)"),
        "gold": ("from_.labels_as.gold", None, False,
            "the column of gold; without it gold, label, truth, y_true or target"),
        "guaranteed": ("how.guaranteed", None, False,
            "limits with at least the nominal coverage (Clopper and Pearson's)"),
        "interval": ("how.interval", "iv_interval_kind_names", False,
            "equal tails or highest density"),
        "labels": ("from_.labels", None, False,
            "labels of items: columns gold, one a system, and perhaps id; 0 and 1, or classes"),
        "machine_column": ("machine", None, False,
            "the column of automatic labels; gold is empty where nobody judged, and items fall into strata by both labels"),
        "margin": ("margin", None, True,
            "with gate: the loss that is allowed"),
        "metric": ("how.metrics", None, False,
            "only this metric, such as f1 or f1[macro]"),
        "paired": ("how.paired", None, False,
            "compare systems evaluated on the same items, from labels, or from counts [A:B=]N1:N2[:N] of items that only A and only B got right, and all items"),
        "positive": ("from_.labels_as.positive", None, False,
            "the label that is positive; all others are negative"),
        "predictions": ("from_.labels_as.predictions", None, False,
            "labels by systems, a column each, beside id; the other file has id and gold. The same as FILEs beside labels"),
        "prior": ("how.prior", None, False,
            "added to the counts: L to all; or A to TP and TN, B to FP and FN (usual: 0.5)"),
        "prior_counts": ("from_.prior_counts", None, False,
            "counts of an earlier collection, whose posterior is the prior"),
        "probability_column": ("probability", None, False,
            "the column of the probability with which an item was looked at (usual: pi, if there is one)"),
        "system": ("from_.labels_as.systems", None, False,
            "only this column is a system's; without it all but id and gold"),
        "target": ("targets", None, False,
            "the claim that a metric, such as F1, is at least X; gate sets the exit status"),
        "threshold": ("from_.labels_as.threshold", None, False,
            "systems' columns are scores, and positive from X on"),
    }),
    "recall": (iv_recall_question, {
        "anytime": ("anytime", None, False,
            "limits that are valid whenever the review is stopped; needs log unless only one stratum is left to sample"),
        "at": ("at", None, False,
            "cut-offs: the first K ranked documents are retrieved; all of them unless given"),
        "collection": ("collection", None, False,
            "documents in the collection; 'run': those the run ranks, topic by topic"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "control": ("control", None, False,
            "relevant control documents, sampled at random before the review: how many of them it found, and how many there are; with target: may it stop?"),
        "drawn_at": ("drawn_at", None, False,
            "the first K documents and the others were sampled separately"),
        "found": ("found", None, False,
            "with stop qbcb: the review's judgments so far; checks that the control documents are a random part of the relevant ones"),
        "guaranteed": ("guaranteed", None, False,
            "limits whose confidence is guaranteed for every possible truth"),
        "level": ("level", None, False,
            "least grade that is relevant (usual: 1)"),
        "log": ("log", None, False,
            "the judgments in their order, a table with the columns stratum, relevant and, if planned, block; segments are called retrieved and unretrieved and may be given as N alone"),
        "look": ("look", None, False,
            "which of them this one is"),
        "looks": ("looks", None, False,
            "planned interim analyses"),
        "machine": ("machine", None, False,
            "automatic labels of the documents: each segment is stratified by them, which narrows the interval as far as they tell"),
        "machine_level": ("machine_level", None, False,
            "the machine's lowest label that counts as relevant (usual: as level)"),
        "max_elusion": ("max_elusion", None, False,
            "with unretrieved alone: is the proportion of relevant documents among them below X?"),
        "method": ("method", "iv_recall_method_names", False,
            "how to compute the interval; auto is betabin-half, with strata betabin-weighted; exact is guaranteed (usual: auto)"),
        "one_sided": ("one_sided", None, False,
            "one-sided limits, each with the confidence"),
        "prior": ("prior", None, False,
            "prior Beta(A, B) instead of Beta(1/2, 1/2): of a segment, or with betabin-half of each stratum"),
        "proportion": ("proportion", None, False,
            "intervals of one proportion, r of n: Wald, Wilson, Agresti-Coull, Jeffreys, exact"),
        "retrieved": ("retrieved", None, False,
            "documents retrieved, how many of them were sampled, and how many of those are relevant"),
        "run": ("run", None, False,
            "the ranking"),
        "runs": ("runs", None, False,
            "the columns that are runs, unless all that hold only 1 and 0, or R and N"),
        "sample": ("sample", None, False,
            "judgments of a simple random sample of the collection"),
        "shape": ("shape", "iv_look_shape_names", False,
            "how the error is shared between interim analyses, as in plan looks"),
        "stop": ("stop", "iv_review_stop_names", False,
            "qbcb: where the review of run may stop with target, by the relevant control documents of sample, sampled at random before it; hypergeometric: may a review stop that read all of retrieved N,N,r and then sampled unretrieved at random? (usual: none)"),
        "strata": ("strata", None, False,
            "a CSV table with the columns stratum,N,n,r and segment (retrieved or unretrieved), or one column a run with 1 or R where the run retrieved the stratum, 0 or N where not; in any order, other columns ignored"),
        "target": ("target", None, False,
            "is recall at least X? 75, 75% and 0.75 are the same"),
        "unjudged": ("unjudged", "iv_unjudged_names", False,
            "sampled documents with a grade below 0 (usual: refuse)"),
        "unretrieved": ("unretrieved", None, False,
            "the same for the documents not retrieved; alone: how much was missed (elusion)"),
        "unsampled": ("unsampled", "iv_unsampled_names", False,
            "strata with n = 0: refuse, leave out (skip), or let the prior speak for them (usual: refuse)"),
    }),
    "roc": (iv_roc_question, {
        "baseline": ("baseline", None, False,
            "with gate: compare the others with this system (usual: the first)"),
        "bins": ("bins", None, False,
            "bins of the calibration error (usual: 10)"),
        "choose": ("goal", "iv_threshold_goal_names", False,
            "choose the threshold that is best for this"),
        "confidence": ("confidence", None, False,
            "confidence of every interval"),
        "gold": ("gold", None, False,
            "the column of what items are; without it gold, label, truth, y_true or target"),
        "margin": ("margin", None, True,
            "with gate: the loss that is allowed"),
        "measure": ("measure", None, False,
            "what gate is about: AUC, Brier or log_loss (usual: AUC)"),
        "positive": ("positive", None, False,
            "the label of positive items; without it labels are 0 and 1, or three classes or more"),
        "resamples": ("resamples", None, False,
            "resamples for thresholds and curves (usual: 2000)"),
        "system": ("named", None, False,
            "only this column is a system's; without it all but id and that of what items are; of classes what stands beside them, as A in A_cat"),
    }),
    "sample": (iv_sample_question, {
        "budget": ("how.budget", None, False,
            "for each topic; 100 if no budget is given"),
        "budget_depth": ("how.budget_depth", None, False,
            "for each topic as many as its pool of depth K has"),
        "depth": ("depth", None, False,
            "documents of each run and topic that may be sampled: the frame (usual: 100)"),
        "design": ("how.design", "iv_design_names", False,
            "how documents are sampled: stevens, by weight (for AP and other measures); uniform, each alike (for infAP); stratified, by the best rank any run gives them (for xinfAP); pool, none: judge a pool"),
        "exclude_runs": ("exclude", None, False,
            "this run, by tag or file name, does not contribute to frame and weights"),
        "human_design": ("human_design", "iv_human_design_names", False,
            "with machine: random, a simple random sample of all labelled documents (total, or budget a topic on average); by-topic, budget of each topic's; topics, budget whole topics"),
        "judged": ("from_.judgments", None, False,
            "judgments that exist; they are filled in"),
        "machine": ("machine", None, False,
            "automatic labels: documents are sampled from it, without runs, for eval machine"),
        "pool_depth": ("how.pool_depth", None, False,
            "the first K documents of every run"),
        "rates": ("how.rates", None, False,
            "stratified: the proportion of each stratum to sample, in place of a budget, which is divided by weight"),
        "run_format": ("from_.run_format", "iv_run_format_names", False,
            "format of the runs; detected from the content"),
        "spread": ("how.spread", "iv_spread_rule_names", False,
            "give every topic as many of the total, or in proportion to its frame"),
        "strata": ("how.strata", None, False,
            "stratified: the deepest best rank of each stratum; unless given, 10, 30, 100 and what is deeper"),
        "total": ("how.total", None, False,
            "for all topics together"),
        "weights": ("weights", None, False,
            "ap, the prior of average precision; uniform; or a table with the columns topic, docno and weight (usual: ap)"),
    }),
    "simulate": (iv_simulate_question, {
        "breadth": ("collection.breadth", None, True,
            "correlation of a topic's difficulty with its proportion of relevant documents (usual: 0.6)"),
        "depth": ("collection.depth", None, False,
            "documents that a run returns for a topic, all up to 1000 unless given"),
        "difficulty": ("collection.difficulty", None, True,
            "standard deviation over topics of what is added to the quality (usual: 0.8)"),
        "documents": ("collection.documents", None, False,
            "documents of each topic; all of them are judged, unless judged is given (usual: 4000)"),
        "first_topic": ("files.first_topic", None, True,
            "number of the first topic (usual: 301)"),
        "grades": ("collection.grades", None, False,
            "levels of relevance, 0 included; each is half as common as the one below (usual: 2)"),
        "interaction": ("collection.interaction", None, True,
            "standard deviation over runs and topics of what is added to both (usual: 0.33)"),
        "judge": ("files.judge", None, False,
            "a machine that labels every document, in machine.qrels: kappa=K, its agreement with the truth beyond chance, and drift=D, how far the number of documents it calls relevant differs between topics, relatively; kappa=0.4,drift=0.45 is like language models of 2024"),
        "judged": ("files.judged", None, False,
            "judge only N documents of each topic"),
        "judging": ("files.judging", "iv_judging_names", False,
            "which N: those that some run ranks highest, unless given, or any by lot"),
        "least_relevant": ("collection.least_relevant", None, False,
            "relevant documents that a topic has at least (usual: 1)"),
        "prefix": ("files.prefix", None, False,
            "what the names of runs begin with (usual: sim)"),
        "prevalence": ("collection.prevalence", None, False,
            "proportion of relevant documents, mean over topics (usual: 0.015)"),
        "prevalence_spread": ("collection.prevalence_spread", None, True,
            "standard deviation over topics of the logit of that proportion (usual: 0.9)"),
        "quality": ("collection.quality", None, False,
            "how far relevant documents stand above others in a run's scores, in standard deviations: one number for all runs, two for even steps from the first run to the last, or one a run (usual: 2.1,1.3)"),
        "runs": ("collection.runs", None, False,
            "runs (usual: 10)"),
        "similarity": ("collection.similarity", None, True,
            "correlation of the errors that two runs make on a topic's documents (usual: 0.7)"),
        "ties": ("collection.ties", None, False,
            "round scores to multiples of STEP, so that some are equal; 0: none are (usual: 0)"),
        "topics": ("files.topics", None, False,
            "topics (usual: 50)"),
        "truth_topics": ("files.truth_topics", None, False,
            "estimate the expected average precision of each run from N other topics (usual: 0)"),
    }),
    "sort": (iv_sort_question, {
        "memory": ("how.memory", None, False,
            "memory to use; what does not fit goes to temporary files (usual: 256M)"),
        "temporary": ("how.folder", None, False,
            "where temporary files go, which have no names; $TMPDIR or /tmp unless given"),
    }),
}

# Columns of scores: what they are, and the names they are known by.
USUAL = {
    "system": ("system", "run", "model",),
    "item": ("item", "topic", "query", "query_id", "qid", "question_id", "doc_id", "id", "sample_id", "question", "prompt",),
    "score": ("score", "value", "correct", "acc", "exact_match", "f1",),
    "measure": ("measure", "metric",),
    "repeat": ("repeat", "epoch", "seed",),
    "cluster": ("cluster",),
    "suite": ("suite", "set", "dataset", "task", "task_name", "subset",),
    "weight": ("weight",),
}
