# SPDX-License-Identifier: Apache-2.0
"""A page on classifiers by scikit-learn and fairlearn: prints classify.json.

usage: python3 classify.py > classify.json      (pip install scikit-learn fairlearn)

`table` is a table of labels, scores of two systems, and groups; `values` has a line for each table
of the page: table, system, measure, group or "", value.  ECE has the bins of calibration_curve.
"""
import json
import random

import numpy as np
from fairlearn.metrics import (MetricFrame, demographic_parity_difference, selection_rate,
                               true_negative_rate)
from sklearn.calibration import calibration_curve
from sklearn.metrics import (average_precision_score, brier_score_loss, confusion_matrix, log_loss,
                             precision_score, recall_score, roc_auc_score)

AREAS = {"AUC": roc_auc_score, "AP": average_precision_score, "Brier": brier_score_loss,
         "log_loss": log_loss}
RATES = {"selection_rate": selection_rate, "recall": recall_score,
         "specificity": true_negative_rate}


def calibration_error(y, p):
    true, mean = calibration_curve(y, p, n_bins=10)
    which = np.searchsorted(np.linspace(0, 1, 11)[1:-1], p)
    counts = np.bincount(which, minlength=10)
    return float(np.sum(counts[counts > 0] * np.abs(true - mean)) / len(y))


random.seed(70)
rows = []
for i in range(150):
    y = int(random.random() < 0.4)
    z = random.gauss(1.2 if y else -1, 1)
    a, b = (round(1 / (1 + np.exp(-x)), 2) for x in (z, z + random.gauss(0, 1)))
    rows.append((y, min(max(a, .01), .99), min(max(b, .01), .99), random.choice("xyz")))
gold, site = np.array([r[0] for r in rows]), [r[3] for r in rows]
values = []
for k, name in ((1, "A"), (2, "B")):
    scores = np.array([r[k] for r in rows])
    flagged = (scores >= 0.5).astype(int)
    values += [("measures", name, m, "", float(f(gold, scores))) for m, f in AREAS.items()]
    values += [("measures", name, "ECE", "", calibration_error(gold, scores)),
               ("operating", name, "precision", "", float(precision_score(gold, flagged))),
               ("operating", name, "recall", "", float(recall_score(gold, flagged)))]
    matrix = confusion_matrix(gold, flagged)
    values += [("cells", name, f"{g}{p}", "", int(matrix[g][p])) for g in (0, 1) for p in (0, 1)]
    for some, x in (({m: AREAS[m] for m in ("AUC", "Brier", "log_loss")}, scores),
                    ({f"{m} at 0.5": f for m, f in RATES.items()}, flagged)):
        frame = MetricFrame(metrics=some, y_true=gold, y_pred=x, sensitive_features=site)
        for m in some:
            values += [("groups", name, m, g, float(v)) for g, v in frame.by_group[m].items()]
            values.append(("gaps", name, m, "", float(frame.difference()[m])))
    parity = demographic_parity_difference(gold, flagged, sensitive_features=site)
    assert ("gaps", name, "selection_rate at 0.5", "", float(parity)) in values
print(json.dumps({"table": "label,A,B,site\n" + "".join(",".join(map(str, r)) + "\n" for r in rows),
                  "values": values}, separators=(",", ":")).replace('],["', '],\n["'))
