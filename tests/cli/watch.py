# SPDX-License-Identifier: Apache-2.0
"""Series of nights as a user has them: what does not change the answer, and what is refused.

usage: watch.py TOOL
"""
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile

TOOL = os.path.abspath(sys.argv[1])
ITEMS, NIGHTS, CHANGE = 150, 30, 18


def run(*words):
    return subprocess.run([TOOL, "watch", *words], capture_output=True, text=True, check=False)


def ask(*words, status=0):
    said = run("--format", "json", *words)
    assert said.returncode == status, said
    told = json.loads(said.stdout)
    return told, {t["name"]: t["rows"] for t in told["tables"]}


def numbers(tables):
    return [[r[c] for c in ("difference", "mean", "lower", "upper", "p", "alarm")]
            for r in tables["nights"]]


def near(a, b, scale=1.0):
    return all((x == y) if isinstance(x, str) or x is None else abs(x * s - y) <= 1e-9 * max(1.0, abs(y))
               for r, q in zip(a, b) for x, y, s in zip(r, q, [scale] * 4 + [1.0] * 2))


def write(name, rows, header="system,date,item,score"):
    with open(name, "w", encoding="utf-8") as f:
        f.write(header + "\n" + "".join(",".join(map(str, r)) + "\n" for r in rows))
    return name


def refused(text, *words):
    said = run(*words)
    assert said.returncode in (1, 2) and text in said.stderr, (text, said)


def history(seed, loss=0.2, graded=False):
    """Rows of main, once, and of new on each date."""
    rng = random.Random(seed)
    easy = [rng.uniform(0.4, 0.9) for _ in range(ITEMS)]
    score = lambda p: round(p + rng.gauss(0, 0.2), 4) if graded else int(rng.random() < p)
    rows = [("main", "", f"q{i}", score(p)) for i, p in enumerate(easy)]
    for t in range(NIGHTS):
        date = datetime.date(2026, 10, 1) + datetime.timedelta(t)
        rows += [("new", date, f"q{i}", score(p - (loss if t >= CHANGE else 0))) for i, p in enumerate(easy)]
    return rows


def check_same(rows):
    """Order of rows and files, names and units do not matter."""
    told, tables = ask("--baseline", "main", write("h.csv", rows))
    want = numbers(tables)
    assert tables["nights"][-1]["alarm"] == "alarm" and "new is worse than main since 2026-10-1" in told["answer"], told
    assert len(want) == NIGHTS and want[0][-1] == ""
    shuffled = rows[:]
    random.Random(1).shuffle(shuffled)
    assert near(numbers(ask("--baseline", "main", write("s.csv", shuffled))[1]), want)
    turned = [("z" + s, d, f"{(int(i[1:]) * 7) % ITEMS}", x) for s, d, i, x in rows]
    assert near(numbers(ask("--baseline", "zmain", write("t.csv", turned))[1]), want)
    tenfold = [(s, d, i, x * 10) for s, d, i, x in rows]
    assert near(want, numbers(ask("--baseline", "main", write("u.csv", tenfold))[1]), 10.0)
    by_column = [(d or "-", s, i, x) for s, d, i, x in rows if d]
    base = [("", s, i, x) for s, d, i, x in rows if not d]
    write("c.csv", base + by_column, "am,build,item,score")
    assert near(numbers(ask("--baseline", "main", "--columns", "system=build,date=am", "c.csv")[1]), want)
    files = []
    for d in sorted({str(r[1]) for r in rows}):
        files.append(write(f"{d or 'main'}.csv", [r[2:] for r in rows if str(r[1]) == d], "item,score"))
    random.Random(2).shuffle(files)
    told, tables = ask("--baseline", "main", *files)
    assert near(numbers(tables), want) and told["answer"].startswith("Worse than main since"), told
    assert run("--baseline", "main", "h.csv", "--gate").returncode == 3
    assert run("--baseline", "main", "--gate", *[f for f in files if f < "2026-10-15" or f == "main.csv"]).returncode == 0
    few = ask("--baseline", "main", "--margin", "0.5", "--gate", "h.csv")
    assert few[0]["claims"][0]["verdict"] == "PASS", few[0]


def check_numbers():
    """The first night is a paired t test: scipy's ttest_1samp(d, 0, alternative="less")."""
    d = [-0.3, 0.1, -0.2, -0.4, 0.0, -0.1, 0.2, -0.5, -0.1, -0.3, -0.2, 0.1]
    rows = [("main", "", i, 0) for i in range(12)] + [("new", "2026-01-01", i, x) for i, x in enumerate(d)]
    at = ask("--baseline", "main", write("n.csv", rows))[1]["nights"][0]
    assert abs(at["difference"] + 17 / 120) < 1e-12
    # scipy: t = -2.2809967 on 11 degrees of freedom; the larger of its p and Hall's.
    assert 0.0217299909 - 1e-9 <= at["p"] < 0.03, at
    assert abs(at["level"] - 0.05 / 365 / 2) < 1e-9, at
    # One night has no window of several nights; from the seventh on there are both.
    (tonight,) = ask("--baseline", "main", "n.csv")[1]["tonight"]
    assert tonight["test"] == "last night" and tonight["p"] == at["p"], tonight
    both = ask("--baseline", "main", "h.csv")[1]["tonight"]
    assert [r["test"] for r in both] == ["last night", "last nights"], both
    once = ask("--baseline", "main", "--promise", "average", "--nights", "100", "n.csv")[1]["nights"][0]
    assert once["level"] == 0.005 and once["upper"] < at["upper"], once


def check_baselines(rows):
    """A copy of the baseline with each night changes nothing; one run again removes shifts."""
    want = numbers(ask("--baseline", "main", "h.csv")[1])
    dates = sorted({r[1] for r in rows if r[1]})
    main = [r for r in rows if not r[1]]
    copies = [("main", d, *r[2:]) for d in dates for r in main]
    nights = [r for r in rows if r[1]]
    assert near(numbers(ask("--baseline", "main", write("copy.csv", copies + nights))[1]), want)
    rng = random.Random(4)
    shift = {d: rng.gauss(0, 0.3) for d in dates}
    graded = [("new", d, i, 0.5 + rng.gauss(0, 0.1) + shift[d]) for d in dates for i in range(40)]
    again = [("main", d, i, 0.5 + rng.gauss(0, 0.1) + shift[d]) for d in dates for i in range(40)]
    once = [("main", "", i, 0.5 + rng.gauss(0, 0.1)) for i in range(40)]
    told, tables = ask("--baseline", "main", write("again.csv", graded + again))
    assert not any(r["alarm"] for r in tables["nights"]) and not told["notes"], told["notes"]
    wide = ask("--baseline", "main", write("once.csv", graded + once))
    assert any(n["id"] == "watch.shift" for n in wide[0]["notes"])
    width = [t["nights"][-1]["upper"] - t["nights"][-1]["lower"] for t in (tables, wide[1])]
    assert width[1] > 4 * width[0], width
    first = ask("--baseline", str(dates[0]), write("self.csv", nights))[1]["nights"]
    assert len(first) == NIGHTS - 1, len(first)


def check_equal():
    rows = [(s, d, i, i % 2) for s, d in (("main", ""), ("new", "2026-01-01"), ("new", "2026-01-02")) for i in range(40)]
    told, _ = ask("--baseline", "main", "--gate", write("equal.csv", rows))
    assert "it is as good as main on this night" in told["answer"] and told["verdict"] == "PASS", told


def check_missing(rows):
    lost = [r for r in rows if not (r[1] == max(x[1] for x in rows if x[1]) and int(r[2][1:]) < 40)]
    told, tables = ask("--baseline", "main", write("lost.csv", lost))
    assert tables["nights"][-1]["items"] == ITEMS - 40
    assert any(n["id"] == "watch.lost-items" for n in told["notes"])
    zero = ask("--baseline", "main", "-c", "lost.csv")[1]["nights"][-1]
    assert zero["items"] == ITEMS and zero["difference"] < tables["nights"][-1]["difference"]
    since = ask("--baseline", "main", "--since", "2026-10-20", "h.csv")[1]["nights"]
    assert since[0]["night"] == "2026-10-20" and len(since) == NIGHTS - 19


def check_refusals(rows):
    refused("--baseline NAME is needed", "h.csv")
    refused("no system or date 'old' for the baseline, but 'main', 'new'", "--baseline", "old", "h.csv")
    refused("twice.csv:4652: second score of system '2026-10-01/new' for item 'q0', the first is at",
            "--baseline", "main", write("twice.csv", rows + [r for r in rows if str(r[1]) == "2026-10-01"]))
    both = [("other", *r[1:]) for r in rows if r[1]]
    refused("two systems on 2026-10-01, 'new' and 'other'; expected one; --system NAME chooses",
            "--baseline", "main", write("both.csv", rows + both))
    assert numbers(ask("--baseline", "main", "--system", "new", "both.csv")[1]) \
        == numbers(ask("--baseline", "main", "h.csv")[1])
    refused("the date '31/12/2026', expected YYYY-MM-DD",
            "--baseline", "main", write("dates.csv", [(s, d and "31/12/2026", i, x) for s, d, i, x in rows[:300]]))
    refused("--gate-on has no effect", "--baseline", "main", "--gate", "--gate-on", "worse", "h.csv")
    refused("watch does not use human labels", "--baseline", "main", "--columns", "human=said",
            write("human.csv", [(*r, r[3]) for r in rows], "system,date,item,score,said"))
    refused("looks like an error or a loss", "--baseline", "main",
            write("loss.csv", rows, "system,date,item,loss"), "--columns", "score=loss")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    data = history(1)
    check_same(data)
    check_numbers()
    check_baselines(data)
    check_equal()
    check_missing(data)
    check_refusals(data)
