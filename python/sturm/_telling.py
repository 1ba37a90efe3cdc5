# SPDX-License-Identifier: BSD-3-Clause
"""What work says while it runs: sentences go to ``logging``, progress to tqdm where that is installed."""
from __future__ import annotations

import logging
from typing import Any, Callable

log = logging.getLogger("sturm")

Tell = Callable[[str, str, float, float], None]


def teller(verbose: int | bool) -> Tell:
    """The function that native work calls. With `verbose` a bar is shown, too."""
    bar: list[Any] = []

    def close() -> None:
        if bar:
            bar.pop().close()

    def tell(kind: str, text: str, done: float, total: float) -> None:
        if kind == "warning":
            log.warning(text)
        elif kind == "note":
            log.info(text)
        elif kind == "progress" and verbose and total > 0:
            if not bar:
                try:
                    from tqdm.auto import tqdm
                except ImportError:
                    return
                bar.append(tqdm(total=1.0, bar_format="{l_bar}{bar}| {elapsed}<{remaining}", leave=False))
            bar[0].set_description_str(text)
            bar[0].update(max(0.0, done / total - bar[0].n))
        elif kind in ("close", "stage"):
            close()
            if kind == "stage":
                log.debug(text)
        elif kind == "detail":
            log.debug(text)

    return tell
