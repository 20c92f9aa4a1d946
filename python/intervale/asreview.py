# SPDX-License-Identifier: Apache-2.0
"""A stopping rule for ASReview 2 and 3: control records, which keep their promise whenever one stops (QBCB)."""
from __future__ import annotations

import csv
import os
from typing import Any, Dict, Mapping, Optional, Union


class ControlStopper:
    """ControlStopper(control, target=0.8, confidence=0.95)

    ASReview's review may stop when it has found enough of the relevant control records that recall of target is
    demonstrated (Lewis, Yang and Frieder 2021). control: record_id -> label (1 or 0) of a random sample of all records,
    labelled before the review and not used to train; or a CSV file with columns record_id and included.
    """

    name = "intervale_control"
    label = "Control records (intervale)"

    def __init__(self, control: Union[Mapping[Any, int], str, os.PathLike], target: float = 0.8,
                 confidence: float = 0.95):
        self.control = control
        self.target = target
        self.confidence = confidence
        self._labels = self._read()
        self._relevant = {r for r, label in self._labels.items() if label == 1}
        self._needed: Optional[int] = None

    def _read(self) -> Dict[str, int]:
        if not isinstance(self.control, (str, os.PathLike)):
            pairs = [(str(r), label) for r, label in self.control.items()]
        else:
            with open(self.control, newline="", encoding="utf-8-sig") as file:
                pairs = [(row["record_id"], row["included"]) for row in csv.DictReader(file)]
        for record, label in pairs:
            if str(label) not in ("0", "1"):
                raise ValueError(f"control record {record!r} has the label {label!r}, expected 1 or 0")
        return {record: int(label) for record, label in pairs}

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """As estimators of scikit-learn have it, which ASReview expects."""
        return {"control": self.control, "target": self.target, "confidence": self.confidence}

    def needed(self) -> int:
        """How many relevant control records the review must find. ValueError: the sample has too few of them."""
        if self._needed is None:
            import intervale

            if not self._relevant:
                raise ValueError(f"none of {len(self._labels)} control records is relevant: label more of them")

            found = intervale.recall(control=(len(self._relevant), len(self._relevant)), target=self.target,
                                     confidence=self.confidence)
            row = found.control[0]
            if row.needed is None:
                raise ValueError(found.sentence)
            self._needed = int(row.needed)
        return self._needed

    def stop(self, results: Any, data: Any) -> bool:
        """May the review stop? results: ASReview's table with columns record_id and label."""
        if len(results) >= len(data):
            return True
        seen = {str(r) for r in results["record_id"]}
        return len(self._relevant & seen) >= self.needed()
