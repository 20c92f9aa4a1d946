# SPDX-License-Identifier: Apache-2.0
"""How far long work is, for who looks on."""
from __future__ import annotations

import sys
import time


class Progress:
    """Shows how far long work is, from a second on; tqdm does it where there is one."""

    def __init__(self, what: str):
        self.what, self.begun, self.bar = what, time.monotonic(), None

    def __call__(self, done: float) -> bool:
        if self.bar is None and time.monotonic() - self.begun > 1.0:
            self.bar = self._make()
        if self.bar is not None:
            self.bar(done)
        return False

    def _make(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return self._plain
        bar = tqdm(total=100, desc=self.what, leave=False, bar_format="{desc}: {percentage:3.0f}% {bar}")

        def show(done):
            if bar.n != round(100 * done):
                bar.n = round(100 * done)
                bar.refresh()

        self.close = bar.close
        return show

    def _plain(self, done: float) -> None:
        print(f"\r{self.what}: {100 * done:3.0f}%", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def watched() -> bool:
    """Does somebody look: a terminal, or a notebook that has a bar which is one output, and not a
    line for each step?"""
    if "ipykernel" in sys.modules:
        from importlib.util import find_spec
        return find_spec("tqdm") is not None and find_spec("ipywidgets") is not None
    return sys.stderr is not None and sys.stderr.isatty()
