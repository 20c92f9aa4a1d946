#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs of evaluation tools as they lie on disk: folders, seeds by path, promptfoo, OpenAI evals, HELM.

usage: score_logs.py TOOL

The files are written here from the tools' published formats.
"""
import json
import os
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])


def run(*words):
    return subprocess.run([TOOL, *words], capture_output=True, text=True)


def means(*words):
    said = run("eval", "--scores", "--format", "json", *words)
    assert said.returncode == 0, said
    told = json.loads(said.stdout)
    rows = next(t for t in told["tables"] if t["name"] == "measures")["rows"]
    return {(r["run"], r["measure"]): (r["topics"], round(r["value"], 6)) for r in rows}, told


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def lines(records):
    return "".join(json.dumps(r) + "\n" for r in records)


def lm_eval(right):
    return lines({"doc_id": i, "doc": {}, "target": "x", "resps": [["x"]], "filtered_resps": ["x"],
                  "filter": "none", "metrics": ["acc"], "acc": float(ok)} for i, ok in enumerate(right))


with tempfile.TemporaryDirectory() as folder:
    # lm-evaluation-harness: MODEL/SEED/samples_TASK_DATE.jsonl beside results_DATE.json.
    for m, model in enumerate(("base", "cand")):
        for seed in range(4):
            at = f"{folder}/lm/{model}/s{seed}"
            write(f"{at}/samples_gsm8k_2024-05-0{seed + 1}T10-00-00.000.jsonl",
                  lm_eval((i + seed + m) % 3 > m for i in range(12)))
            write(f"{at}/results_2024.json", '{"results": {}}')
    by_path = ("--columns", "system=@path:{system}/{repeat}/*")
    got, told = means(*by_path, f"{folder}/lm")
    assert got == {("base", "acc"): (12, 0.666667), ("cand", "acc"): (12, 0.333333)}, got
    assert len(told["inputs"]) == 8, told["inputs"]
    assert means("--columns", "repeat=@folder", f"{folder}/lm")[0] == got
    assert run("compare", "--scores", *by_path, f"{folder}/lm").returncode == 0
    # The same in one folder, told apart by the date in the files' names.
    for seed in range(4):
        write(f"{folder}/flat/base/samples_gsm8k_2024-05-0{seed + 1}T10-00-00.000.jsonl",
              lm_eval((i + seed) % 3 > 0 for i in range(12)))
    said = run("eval", "--scores", f"{folder}/flat")
    assert said.returncode == 1 and "--columns repeat=COLUMN, repeat=@file" in said.stderr, said
    got, told = means("--columns", "repeat=@file", f"{folder}/flat")
    assert got == {("base", "acc"): (12, 0.666667)}, got
    # promptfoo eval -o results.json
    write(f"{folder}/promptfoo.json", json.dumps({
        "evalId": "eval-1", "results": {"version": 3, "prompts": [], "results": [
            {"promptIdx": 0, "testIdx": t, "provider": {"id": p, "label": ""}, "success": ok,
             "score": float(ok), "namedScores": {"tone": 0.5}, "vars": {"q": t}}
            for p, cut in (("openai:a", 2), ("openai:b", 4)) for t in range(6) for ok in [t < cut]]},
        "config": {}}))
    got, _ = means(f"{folder}/promptfoo.json")
    assert got[("openai:a", "score")] == (6, 0.333333) and got[("openai:b", "score")] == (6, 0.666667)
    assert got[("openai:a", "tone")] == (6, 0.5), got
    # oaieval MODEL EVAL: a line of the run, events of several types, a report.
    for model, cut in (("gpt-a", 3), ("gpt-b", 5)):
        write(f"{folder}/evals/{model}.jsonl", lines(
            [{"spec": {"completion_fns": [model], "eval_name": "test-match.s1", "run_id": "r"}}]
            + [{"run_id": "r", "event_id": 2 * i + k, "sample_id": f"test-match.{i}", "type": t,
                "data": d, "created_at": "x"} for i in range(6)
               for k, (t, d) in enumerate((("sampling", {"prompt": "p", "sampled": ["x"]}),
                                           ("match", {"correct": i < cut, "expected": "x"})))]
            + [{"final_report": {"accuracy": 0.5}, "run_id": "r"}]))
    got, _ = means(f"{folder}/evals")
    assert got == {("gpt-a", "correct"): (6, 0.5), ("gpt-b", "correct"): (6, 0.833333)}, got
    # HELM: runs/SUITE/SCENARIO:args,model=NAME/per_instance_stats.json
    for model, cut in (("m_a", 2), ("m_b", 6)):
        write(f"{folder}/helm/mmlu:subject=law,model={model}/per_instance_stats.json", json.dumps(
            [{"instance_id": f"id{i}", "train_trial_index": 0, "stats": [
                {"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": float(i < cut),
                 "mean": float(i < cut)}]} for i in range(8)]))
    got, _ = means(f"{folder}/helm")
    assert got == {("m_a", "exact_match"): (8, 0.25), ("m_b", "exact_match"): (8, 0.75)}, got
    # Columns as people call them.
    write(f"{folder}/plain.csv", "model,question,correct\na,1,true\na,2,false\nb,1,true\nb,2,true\n")
    assert means(f"{folder}/plain.csv")[0] == {("a", "score"): (2, 0.5), ("b", "score"): (2, 1.0)}
    # What cannot be: one line.
    for columns, words in (("repeat=@nothing", "expected @file, @folder or @path:PATTERN"),
                           ("system=@path:x/{system}/*", "the path does not fit 'x/{system}/*'"),
                           ("score=@file", "expected @file, @folder or @path:PATTERN")):
        said = run("eval", "--scores", "--columns", columns, f"{folder}/lm")
        assert said.returncode in (1, 2) and words in said.stderr and said.stderr.count("\n") == 1, said
    os.makedirs(f"{folder}/empty")
    said = run("eval", "--scores", f"{folder}/empty")
    assert said.returncode == 1 and "the folder has no file of scores" in said.stderr, said
