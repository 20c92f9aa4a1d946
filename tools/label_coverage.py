#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Coverage, width and bias of intervals from automatic and human labels, by resampling.

    label_coverage.py INTERVALE HUMAN LABELS DESIGN SIZE REPLICATIONS RUN... [--fixed] [--level=N]

HUMAN has complete labels.  Each replication draws as many topics as there are with replacement
(new topics) and human labels by DESIGN (random, by-topic, topics), runs `intervale eval`, and compares
its intervals with the means over the topics of HUMAN.  LABELS `useless` draws grades at random; `good`, `weak`
and `none` are simulated judges of two labels, whose errors differ from topic to topic.
A RUN `made` stands for ten runs simulated from both labels.  Prints one line a measure.
"""
import collections, json, math, random, subprocess, sys, tempfile, pathlib

MEASURES = ["P@10", "AP", "nDCG@10"]
JUDGES = {"good": (1.1, -2.9, 0.7), "weak": (0.0, -1.4, 0.7), "none": (-1.0, -1.0, 0.0)}


def qrels(path):
    out = collections.defaultdict(dict)
    for line in open(path, encoding="utf-8"):
        topic, _, doc, grade = line.split()
        out[topic][doc] = max(0, int(grade))
    return out


def ask(tool, *words):
    done = subprocess.run([tool, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    table = next(t for t in json.loads(done.stdout)["tables"] if t["name"] == "measures")
    names = [c["name"] for c in table["columns"]]
    return [r if isinstance(r, dict) else dict(zip(names, r)) for r in table["rows"]]


def judged(human, level, name):
    """Labels 1 with logits a for relevant and b for other documents, which vary over topics."""
    stream = random.Random(7)
    a, b, sd = JUDGES[name]
    out = {}
    for t in sorted(human):
        yes, no = (1 / (1 + math.exp(-x - stream.gauss(0, sd))) for x in (a, b))
        out[t] = {d: int(stream.random() < (yes if g >= level else no)) for d, g in human[t].items()}
    return out


def made_runs(human, labels, stream):
    for k in range(10):
        yield f"made{k}", {t: sorted(human[t], key=lambda d: -((0.3 + 0.15 * k) * human[t][d]
            + 0.3 * labels[t].get(d, 0) + stream.gauss(0, 1)))[:100] for t in sorted(human)}


def read_runs(paths):
    for path in paths:
        run = collections.defaultdict(list)
        for line in open(path, encoding="utf-8"):
            topic, _, doc, _, score, _ = line.split()
            run[topic].append((float(score), doc))
        yield pathlib.Path(path).name, {t: [d for _, d in sorted(v, key=lambda x: (-x[0], x[1]))][:100]
                                        for t, v in run.items()}


def draw(human, design, size, stream):
    pairs = [(t, d) for t in human for d in human[t]]
    if design == "random":
        return stream.sample(pairs, min(size, len(pairs)))
    if design == "by-topic":
        return [(t, d) for t in human for d in stream.sample(sorted(human[t]), min(size, len(human[t])))]
    return [(t, d) for t in stream.sample(sorted(human), size) for d in human[t]]


def main():
    tool, human_path, label_path, design, size, count, *paths = sys.argv[1:]
    level = next((p[8:] for p in paths if p.startswith("--level=")), "2")
    fixed = "--fixed" in paths
    paths = [p for p in paths if not p.startswith("--")]
    human = qrels(human_path)
    stream = random.Random(1)
    labels = (judged(human, int(level), label_path) if label_path in JUDGES else
              {t: {d: stream.randrange(4) for d in human[t]} for t in human}
              if label_path == "useless" else qrels(label_path))
    runs = dict(made_runs(human, labels, stream) if paths == ["made"] else read_runs(paths))
    with tempfile.TemporaryDirectory() as folder:
        at = pathlib.Path(folder)

        def write(source, chosen=None):
            names = {f"{i}": t for i, t in enumerate(source)}
            new = {i: {f"{d}.{i}": g for d, g in human[t].items()} for i, t in names.items()}
            (at / "llm").write_text("".join(f"{i} 0 {d}.{i} {g}\n" for i, t in names.items()
                                            for d, g in labels[t].items() if d in human[t]))
            for name, run in runs.items():
                (at / name).write_text("".join(f"{i} Q0 {d}.{i} {k + 1} {1000 - k} {name}\n"
                    for i, t in names.items() for k, d in enumerate(run.get(t, []))))
            return new

        def write_human(new, chosen):
            (at / "human").write_text("".join(f"{t} 0 {d} {new[t][d]}\n" for t, d in chosen))

        files = [str(at / name) for name in runs]
        measures = [x for m in MEASURES for x in ("-m", m)]
        new = write(sorted(human))
        write_human(new, [(t, d) for t in new for d in new[t]])
        truth = {(r["run"], r["measure"]): r["value"] for r in ask(
            tool, "eval", str(at / "human"), *files, "-l", level, "-c", *measures, "--ci", "none", "--format", "json")}
        refused = 0
        tally = collections.defaultdict(lambda: [0, 0, 0.0, 0.0, 0.0, 0.0, 0])
        for _ in range(int(count)):
            topics = sorted(human)
            new = write(topics if fixed else [stream.choice(topics) for _ in topics])
            write_human(new, draw(new, design, int(size), stream))
            try:
                rows = ask(tool, "eval", str(at / "human"), *files, "--machine", str(at / "llm"), "-l",
                                 level, "-c", "--human-design", design, *measures, "--format", "json")
            except RuntimeError as error:
                refused += 1
                print(error, file=sys.stderr)
                continue
            for r in rows:
                t, true = tally[r["measure"]], truth[r["run"], r["measure"]]
                t[4] += r["value"] - true
                t[5] += (r["automatic"] or 0) - true
                t[6] += 1
                if r["lower"] is None:
                    continue
                t[0] += 1
                t[1] += r["lower"] <= true <= r["upper"]
                t[2] += r["upper"] - r["lower"]
                t[3] += r["human_upper"] - r["human_lower"]
        for m in MEASURES:
            n, hit, width, human_width, bias, llm, all_ = tally[m]
            print(pathlib.Path(human_path).parent.name, pathlib.Path(label_path).stem, design, size, m, sep="\t", end="\t")
            print(*(f"{x:.3f}" for x in ((hit / n, width / n, width / human_width) if n else (float("nan"),) * 3)),
                  f"{bias / all_:+.3f}", f"{llm / all_:+.3f}", sep="\t", flush=True)


main()
