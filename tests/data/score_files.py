# SPDX-License-Identifier: Apache-2.0
"""Writes score files of the shapes that other tools write.

usage: score_files.py FOLDER

Each writer says which version of which tool it follows; names, nesting and types are
theirs, the contents made up.  write_all() returns the scores that each file holds:
{path: {(system, item, measure): [score of each repeat]}}, for tests to compare with.
"""
import csv
import gzip
import json
import os
import random
import sys


def answers(seed, systems=("org__small", "org__large"), items=40):
    """Right or wrong answers; the second system is a little better."""
    rng = random.Random(seed)
    ease = [rng.random() for _ in range(items)]
    return {s: [1.0 if rng.random() < 0.3 * k + 0.5 * e + 0.2 else 0.0 for e in ease]
            for k, s in enumerate(systems)}


def lm_eval(folder):
    """lm-evaluation-harness 0.4.13, --log_samples: MODEL/samples_TASK_DATE.jsonl.

    lm_eval/evaluator.py and loggers/evaluation_tracker.py (save_results_samples): one object a
    line, resps and filtered_resps as texts, metrics named in "metrics" and standing beside it;
    json.dumps() writes NaN for what is none.
    """
    out = {}
    for task in ("gsm8k", "arc_easy"):
        for system, scores in answers(task).items():
            path = os.path.join(folder, system,
                                f"samples_{task}_2025-07-01T10-11-12.345678.jsonl")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            held = out[path] = {}
            with open(path, "w", encoding="utf-8") as f:
                for filters, metric in ((("strict-match", "flexible-extract"), "exact_match"),
                                        (("none",), "acc"))[task != "gsm8k"],:
                    for name in filters:
                        for i, score in enumerate(scores):
                            sample = {"doc_id": i, "doc": {"question": f"Q {i}?", "page": i // 4,
                                                             "time": float("nan")},
                                      "target": "4", "arguments": {"gen_args_0": {"arg_0": "Q"}},
                                      "resps": [["4"]], "filtered_resps": ["4"], "filter": name,
                                      "metrics": [metric], "doc_hash": "d", "prompt_hash": "p",
                                      "target_hash": "t", metric: score}
                            f.write(json.dumps(sample, ensure_ascii=False) + "\n")
                            label = metric if name == "none" else f"{metric},{name}"
                            held[system, f"{task}/{i}", label] = [score]
    return out


def lm_eval_old(folder):
    """lm-evaluation-harness 0.4.0: samples without "metrics" and "filter"."""
    path = os.path.join(folder, "old__model", "samples_piqa_2023-12-04T00-00-00.jsonl")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    held = {}
    with open(path, "w", encoding="utf-8") as f:
        for i, score in enumerate(answers("piqa")["org__small"]):
            f.write(json.dumps({"doc_id": i, "doc": {"goal": "g"}, "target": 1,
                                "arguments": [["a", "b"]], "resps": [[[-1.5, False]]],
                                "filtered_resps": [[-1.5, False]], "acc": score}) + "\n")
            held["old__model", f"piqa/{i}", "acc"] = [score]
    return {path: held}


def inspect_log(folder):
    """inspect_ai 0.3.285, a log as JSON (`inspect log dump`): EvalLog, version 2.

    A sample without a score has the value NaN (inspect_ai/scorer/_metric.py).
    """
    out = {}
    for system, scores in answers("arc").items():
        path = os.path.join(folder, f"inspect_{system}.json")
        held = out[path] = {}
        samples = []
        for epoch in (1, 2, 3):
            rng = random.Random(epoch)
            for i, score in enumerate(scores):
                value = score if rng.random() < 0.8 else 1.0 - score
                samples.append({"id": i + 1, "epoch": epoch, "input": "Q", "target": "A",
                                "messages": [], "output": {"model": system, "choices": []},
                                "scores": {"match": {"value": "C" if value else "I",
                                                     "answer": "A", "explanation": "A"}},
                                "metadata": {"page": i // 4}})
                if epoch == 3 and i % 7 == 0:
                    samples[-1]["scores"]["match"] = {"value": float("nan"), "answer": None}
                else:
                    held.setdefault((system, str(i + 1), "match"), []).append(value)
        log = {"version": 2, "status": "success",
               "eval": {"eval_id": "e", "run_id": "r", "created": "2025-07-01T00:00:00+00:00",
                        "task": "arc", "model": system, "dataset": {"name": "arc"},
                        "config": {"epochs": 3}},
               "plan": {"name": "plan", "steps": []}, "results": {"total_samples": 120},
               "stats": {"started_at": "", "completed_at": ""}, "samples": samples}
        with open(path, "w", encoding="utf-8") as f:
            json.dump(log, f, indent=2)
    return out


def inspect_frame(folder):
    """inspect_ai 0.3.285, samples_df() with EvalModel's columns, written by pandas' to_csv."""
    path = os.path.join(folder, "samples_df.csv")
    held = {}
    with open(path, "w", newline="", encoding="utf-8") as f:
        w = csv.writer(f)
        w.writerow(["eval_id", "sample_id", "log", "model", "id", "epoch", "input", "target",
                    "score_match", "score_model_graded_fact", "total_tokens"])
        for system, scores in answers("df").items():
            for i, score in enumerate(scores):
                w.writerow(["e", f"u{i}", "log.eval", system, i, 1, "Q, and\nmore", "A",
                            "C" if score else "I", 0.5, 100])
                held[system, str(i), "match"] = [score]
                held[system, str(i), "model_graded_fact"] = [0.5]
    return {path: held}


def pytrec_eval(folder):
    """pytrec_eval-terrier 0.5.11: RelevanceEvaluator.evaluate(), dumped: query, measure."""
    out = {}
    for k, system in enumerate(("bm25", "dense")):
        rng = random.Random(k)
        path = os.path.join(folder, f"{system}.json")
        values = {str(300 + q): {"map": rng.random(), "ndcg_cut_10": rng.random(),
                                 "recip_rank": rng.random()} for q in range(20)}
        with open(path, "w", encoding="utf-8") as f:
            json.dump(values, f)
        out[path] = {(system, q, m): [v] for q, row in values.items() for m, v in row.items()}
    return out


def ranx(folder):
    """ranx 0.3.21: Run.scores after evaluate(), dumped: metric, query."""
    rng = random.Random(9)
    path = os.path.join(folder, "ranx_run.json")
    values = {m: {f"q_{q}": rng.random() for q in range(20)} for m in ("map@100", "mrr", "ndcg@10")}
    with open(path, "w", encoding="utf-8") as f:
        json.dump(values, f, indent=4)
    return {path: {("ranx_run", q, m): [v] for m, row in values.items() for q, v in row.items()}}


def beir(folder):
    """BEIR 2.2, save_results(): RESULTS/MODEL/SET.json, means of a data set by family."""
    out = {}
    for k, system in enumerate(("e5", "contriever")):
        for n, name in enumerate(("nfcorpus", "scifact", "fiqa")):
            rng = random.Random(10 * k + n)
            path = os.path.join(folder, system, f"{name}.json")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            values = {family: {f"{label}@{cut}": round(rng.random(), 5) for cut in (1, 10, 100)}
                      for family, label in (("ndcg", "NDCG"), ("map", "MAP"), ("recall", "Recall"),
                                            ("precision", "P"), ("mrr", "MRR"))}
            with open(path, "w", encoding="utf-8") as f:
                json.dump(values, f, indent=4)
            out[path] = {(system, name, m): [v] for row in values.values() for m, v in row.items()}
    return out


def trec_eval(folder):
    """trec_eval 9.0.8 -q: measure padded to 22, tab, query or all, tab, value."""
    rng = random.Random(4)
    path = os.path.join(folder, "trec_eval.txt.gz")
    held = {}
    with gzip.open(path, "wt") as f:
        for q in range(301, 321):
            for m in ("num_ret", "map", "P_10"):
                v = 1000.0 if m == "num_ret" else round(rng.random(), 4)
                f.write(f"{m:22}\t{q}\t{v:g}\n")
                held["STANDARD", str(q), m] = [v]
        f.write(f"{'runid':22}\tall\tSTANDARD\n{'map':22}\tall\t0.5000\n")
    return {path: held}


WRITERS = (lm_eval, lm_eval_old, inspect_log, inspect_frame, pytrec_eval, ranx, beir, trec_eval)


def write_all(folder):
    """Every writer's files in a folder of its own: {writer: {path: scores}}."""
    out = {}
    for write in WRITERS:
        under = os.path.join(folder, write.__name__)
        os.makedirs(under, exist_ok=True)
        out[write.__name__] = write(under)
    return out


if __name__ == "__main__":
    for tool, files in write_all(sys.argv[1]).items():
        print(tool, *files)
