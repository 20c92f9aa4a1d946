#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs of evaluation tools as they lie on disk: folders, seeds by path, one verdict each.

usage: score_logs.py TOOL DATA

DATA/eval_logs.tar.gz has logs that the tools themselves wrote about mock models (12 questions):
lm-evaluation-harness 0.4.13 (4 seeds), Inspect 0.3.285 (.eval and JSON), promptfoo
(0.121.20 with --repeat 3), DeepEval 4.3.1, OpenAI evals 3.0.1, HELM 0.5.16.  The other files are written here from the tools' published formats.
"""
import json
import os
import subprocess
import struct
import sys
import tarfile
import tempfile
import zipfile

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


def raw_zstd(text):
    """A frame of zstd whose only block is not compressed."""
    return (b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(text))
            + struct.pack("<I", len(text) << 3 | 1)[:3] + text)


def archive(path, parts, method):
    """An .eval file: zstd (93) is not in Python's zipfile, so its entry is stored and renamed."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if method == 8 else 0) as z:
        for name, text in parts.items():
            z.writestr(name, raw_zstd(text.encode()) if method == 93 else text)
    if method == 93:
        with open(path, "rb") as f:
            data = bytearray(f.read())
        for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            start = -1
            while (start := data.find(mark, start + 1)) >= 0:
                data[start + at:start + at + 2] = struct.pack("<H", 93)
        with open(path, "wb") as f:
            f.write(data)


with tempfile.TemporaryDirectory() as folder:
    # Logs as the tools wrote them: a verdict with one --columns at most.
    with tarfile.open(f"{sys.argv[2]}/eval_logs.tar.gz") as t:
        t.extractall(folder)
    for log, base, more, want in (
            ("lm_eval", "base", ["--columns", "system=@path:{system}/{repeat}/*"],
             {("base", "acc"): 0.291667, ("cand", "acc"): 0.3125}),
            ("inspect", "mockllm/model0", [], {("mockllm/model0", "match"): 0.666667,
                                               ("mockllm/model1", "match"): 0.75}),
            ("inspect_json", "mockllm/model0", [], {("mockllm/model0", "match"): 0.666667,
                                                    ("mockllm/model1", "match"): 0.75}),
            ("promptfoo/results.json", "base", [], {("base", "score"): 0.666667,
                                                    ("cand", "score"): 0.75}),
            ("promptfoo/lines.jsonl", "base", [], {("base", "score"): 0.666667,
                                                   ("cand", "score"): 0.75}),
            ("deepeval", "base", [], {("base", "Exact"): 0.333333, ("cand", "Exact"): 0.666667}),
            ("openai_evals", "mock1", [], {("mock1", "correct"): 0.65, ("mock2", "correct"): 0.75}),
            ("helm", "mock_base", [], {("mock_base", "exact_match"): 0.583333,
                                       ("mock_cand", "exact_match"): 0.583333})):
        got, _ = means(*more, f"{folder}/logs/{log}")
        assert {k: got[k][1] for k in want} == want, (log, got)
        said = run("compare", "--scores", "--gate", "--baseline", base, "--margin", "0.3", *more,
                   f"{folder}/logs/{log}")
        assert said.returncode in (0, 3, 4) and said.stdout.split(":")[0] in (
            "PASS", "FAIL", "INCONCLUSIVE"), (log, said)
    # .eval in every packing, finished or not, and what is no log.
    samples = json.dumps([{"id": i, "epoch": 1, "scores": {"match": {"value": "CI"[i % 3 == 0]}}}
                          for i in range(12)])
    start = {"eval": {"model": "m", "task": "adding"}}
    head = json.dumps(start | {"status": "success"})
    for method in (0, 8, 93):
        for parts in ({"header.json": head, "summaries.json": samples, "samples/0_epoch_1.json": "{}"},
                      {"header.json": json.dumps(start | {"status": "cancelled"}),
                       "summaries.json": samples},
                      {"_journal/start.json": json.dumps(start), "_journal/summaries/1.json": samples}):
            archive(f"{folder}/one.eval", parts, method)
            noted = "did not finish" in run("eval", "--scores", f"{folder}/one.eval").stdout
            assert noted == (parts.get("header.json") != head), parts
            assert means(f"{folder}/one.eval")[0] == {("m", "match"): (12, 0.666667)}
    # Two prompts with one model: the error names what tells the logs apart, and that works.
    for prompt in ("terse", "polite"):
        os.makedirs(f"{folder}/prompts/{prompt}")
        archive(f"{folder}/prompts/{prompt}/one.eval", {"header.json": head, "summaries.json": samples}, 8)
    said = run("eval", "--scores", f"{folder}/prompts")
    assert said.returncode == 1 and "--columns system=@folder (or @file)" in said.stderr, said
    assert {s for s, _ in means("--columns", "system=@folder", f"{folder}/prompts")[0]} == {"terse", "polite"}
    with open(f"{folder}/one.eval", "rb") as f:
        whole = f.read()
    for broken in (whole[:-30], whole[:60], whole.replace(b"PK\x01\x02", b"PK\x01\x09"),
                   whole[:70] + b"\xff" * 20 + whole[90:]):
        with open(f"{folder}/broken.eval", "wb") as f:
            f.write(broken)
        said = run("eval", "--scores", f"{folder}/broken.eval")
        assert said.returncode == 1 and said.stderr.count("\n") == 1, said
    archive(f"{folder}/other.zip", {"a.txt": "x"}, 8)
    said = run("eval", "--scores", f"{folder}/other.zip")
    assert said.returncode == 1 and "expected a log of Inspect" in said.stderr, said
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
    assert said.returncode == 1 and "repeat=@folder for seeds in folders" in said.stderr, said
    got, told = means("--columns", "repeat=@file", f"{folder}/flat")
    assert got == {("base", "acc"): (12, 0.666667)}, got
    # promptfoo eval -o results.json
    write(f"{folder}/promptfoo.json", json.dumps({
        "evalId": "eval-1", "results": {"version": 3, "prompts": [], "results": [
            {"promptIdx": int(p[-1] == "b"), "promptId": "1", "testIdx": t, "provider": {"id": p, "label": ""}, "success": ok,
             "score": float(ok), "namedScores": {"tone": 0.5}, "vars": {"q": t}}
            for p, cut in (("openai:a", 2), ("openai:b", 4)) for t in range(6) for ok in [t < cut]]},
        "config": {}}))
    got, _ = means(f"{folder}/promptfoo.json")
    assert got[("openai:a", "score")] == (6, 0.333333) and got[("openai:b", "score")] == (6, 0.666667)
    assert got[("openai:a", "tone")] == (6, 0.5), got
    # promptfoo eval --repeat 3, with two prompts: testIdx counts the repeats, which are no items, and
    # systems are called like their prompts.
    got, _ = means(f"{folder}/logs/promptfoo_repeat/lines.jsonl")
    assert got == {("terse", "score"): (12, 0.388889), ("polite", "score"): (12, 0.611111)}, got
    tests = [{"vars": {"text": "x" * 300 + str(i)}} for i in range(4)]  # long names stay different
    tests += [{"assert": [{"type": "equals", "value": str(i)}]} for i in range(2)]  # without variables
    write(f"{folder}/long.jsonl", lines(
        {"promptIdx": p, "promptId": str(p // 2), "testIdx": 2 * t + again, "score": 1.0, "testCase": test,
         "provider": {"id": f"p{p % 2}"}, "prompt": {"label": f"label {p // 2}"}}
        for p in range(4) for again in range(2) for t, test in enumerate(tests)))
    got, _ = means(f"{folder}/long.jsonl")
    assert got == {(f"p{p}, label {k}", "score"): (6, 1.0) for p in range(2) for k in range(2)}, got
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
    # SWE-bench: MODEL.RUN.json; what was not completed is not resolved.
    ids = [f"django__django-{i}" for i in range(8)]
    for model, cut in (("a", 3), ("b", 6)):
        write(f"{folder}/swe/{model}.run1.json", json.dumps({
            "total_instances": 9, "submitted_instances": 8, "resolved_instances": cut, "completed_ids": ids[:7],
            "submitted_ids": ids, "resolved_ids": ids[:cut], "unresolved_ids": ids[cut:7], "error_ids": ids[7:],
            "schema_version": 2}, indent=4))
    got, _ = means(f"{folder}/swe")
    assert got == {("a.run1", "resolved"): (8, 0.375), ("b.run1", "resolved"): (8, 0.75)}, got
    # Terminal-Bench: RUN/results.json, a trial is a repeat of its task.
    for name, cut in (("run1", 2), ("run2", 4)):
        write(f"{folder}/tb/{name}/results.json", json.dumps({"id": "x", "results": [
            {"id": f"u{t}{k}", "trial_name": f"t{t}.{k}-of-3.run", "task_id": f"t{t}", "instruction": "do",
             "is_resolved": None if k == 3 else t < cut, "total_input_tokens": 0}
            for t in range(6) for k in (1, 2, 3)], "n_resolved": 1, "accuracy": 0.5}))
    got, _ = means("-m", "pass@1", "-m", "pass^2", f"{folder}/tb")
    assert got == {("run1", "pass@1"): (6, 0.222222), ("run1", "pass^2"): (6, 0.111111),
                   ("run2", "pass@1"): (6, 0.444444), ("run2", "pass^2"): (6, 0.222222)}, got
    # The table of ragas: user_input is the item, a column a measure; check prints the command.
    write(f"{folder}/ragas.csv", "user_input,retrieved_contexts,response,faithfulness,answer_relevancy\n" + "".join(
        f'"Q {i}, or?","[\'c\', \'d\']",x,{i / 10},{"" if i == 3 else 1.0}\n' for i in range(8)))
    got, _ = means("-m", "faithfulness", "-m", "answer_relevancy", f"{folder}/ragas.csv")
    assert got == {("ragas", "faithfulness"): (8, 0.35), ("ragas", "answer_relevancy"): (7, 1.0)}, got
    write(f"{folder}/judged.csv", "model,question,seed,llm_score,human_label\n" + "".join(
        f"{m},{i},0,{i % 2},{i // 2 % 2 if i % 3 else ''}\n" for m in "ab" for i in range(40)))
    for name, more in (("ragas", "-m faithfulness"),
                       ("judged", "--columns score=llm_score,human=human_label --human-design random")):
        said = run("check", f"{folder}/{name}.csv").stdout
        line = next(s for s in said.splitlines() if "start with" in s)
        assert line.endswith(f"intervale {'eval' if name == 'ragas' else 'compare'} --scores {folder}/{name}.csv {more}"), line
        assert run(*line.split("intervale ")[-1].split()).returncode == 0, line
    # Columns as people call them.
    write(f"{folder}/plain.csv", "model,question,correct\na,1,true\na,2,false\nb,1,true\nb,2,true\n")
    assert means(f"{folder}/plain.csv")[0] == {("a", "score"): (2, 0.5), ("b", "score"): (2, 1.0)}
    # samples_df() of inspect_ai without the columns of models; without a column of systems, a hint.
    frame = "".join(f"u,{e},{e}.eval,{i},{k},C\n" if (i + k + (e == "e1")) % 3 else f"u,{e},{e}.eval,{i},{k},I\n"
                    for e in ("e1", "e2") for i in range(6) for k in (1, 2))
    write(f"{folder}/frame.csv", "sample_id,eval_id,log,id,epoch,score_match\n" + frame)
    got, _ = means(f"{folder}/frame.csv")
    assert {k: v[0] for k, v in got.items()} == {("e1", "match"): 6, ("e2", "match"): 6}, got
    # Its details of scores are no scores; a dictionary is a measure of each key; a target is no label.
    # The same columns with a model of two logs: the error names the column of logs.
    details = "".join(f'u,{e},m{e},{i},{k},yes,{(i + k) % 3 > 0},{"CI"[i % 2]},"a, b",,"{{""a"": 1.0, ""b"": ""{"CI"[k % 2]}""}}"\n'
                      for e in ("e1", "e2") for i in range(6) for k in (1, 2))
    header = "sample_id,eval_id,model,id,epoch,target,score_flag,score_match,score_match_answer,score_match_reason,score_two\n"
    write(f"{folder}/details.csv", header + details)
    got, _ = means(f"{folder}/details.csv")
    assert got == {(m, n): (6, v) for m in ("me1", "me2") for n, v in (
        ("flag", 0.666667), ("match", 0.5), ("two.a", 1.0), ("two.b", 0.5))}, got
    said = run("check", f"{folder}/details.csv").stdout
    assert f"start with  intervale compare --scores {folder}/details.csv\n" in said, said
    write(f"{folder}/details.csv", header + details.replace("me2", "me1"))
    said = run("eval", "--scores", f"{folder}/details.csv")
    assert said.returncode == 1 and said.stderr.endswith("--columns system=eval_id names other systems\n"), said
    assert len(means("--columns", "system=eval_id", f"{folder}/details.csv")[0]) == 8
    write(f"{folder}/details.csv", header + details.replace('1.0, ""b""', '[1], ""b""'))
    said = run("eval", "--scores", f"{folder}/details.csv")
    assert said.returncode == 1 and "details.csv:2: a score is a list" in said.stderr, said
    # evals_df() and messages_df() have no scores of samples.
    for name, text in (("evals", "eval_id,model,score_headline_name,score_headline_value,score_match_accuracy\ne1,m,match,0.5,0.5\n"),
                       ("messages", "message_id,sample_id,eval_id,role,tool_calls,order\nx,u,e1,user,,1\n")):
        write(f"{folder}/{name}.csv", text)
        said = run("eval", "--scores", f"{folder}/{name}.csv")
        assert said.returncode == 1 and "samples_df() of Inspect exports them" in said.stderr, said
        said = run("check", f"{folder}/{name}.csv").stdout
        assert "messages, events or logs of Inspect" in said and "start with" not in said, said
    write(f"{folder}/who.csv", "who,item,repeat,score\na,1,1,0\nb,1,1,1\n")
    said = run("eval", "--scores", f"{folder}/who.csv")
    assert said.returncode == 1 and "--columns system=COLUMN names the systems" in said.stderr, said
    # What cannot be: one line.
    for columns, words in (("repeat=@nothing", "expected @file, @folder, @name:TEXT or @path:PATTERN"),
                           ("system=@path:x/{system}/*", "the path does not fit 'x/{system}/*'"),
                           ("score=@file", "expected @file, @folder, @name:TEXT or @path:PATTERN")):
        said = run("eval", "--scores", "--columns", columns, f"{folder}/lm")
        assert said.returncode in (1, 2) and words in said.stderr and said.stderr.count("\n") == 1, said
    os.makedirs(f"{folder}/empty")
    said = run("eval", "--scores", f"{folder}/empty")
    assert said.returncode == 1 and "the folder has no file of scores" in said.stderr, said
