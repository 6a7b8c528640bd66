"""What is shown while a long call runs."""

from __future__ import annotations

import sys
from collections.abc import Callable

#: Called several times a second with the stage, the steps done and the steps in all (0 if
#: that is not known); a last time with an empty stage when the call is over.
Progress = Callable[[str, int, int], object]

_chosen: Progress | bool | None = None


def show_progress(progress: Progress | bool | None = None) -> None:
    """Chooses what long calls do about their progress.

    Args:
        progress: ``True`` writes a line to standard error, ``False`` is silent, ``None``
            writes only if standard error is a terminal (the default); a function is called
            with the stage, the steps done and the steps in all. An exception that it raises
            stops the call.

    >>> show_progress(False)
    """
    global _chosen
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError("progress is a bool, None, or a function of three arguments")
    _chosen = progress


def chosen() -> Progress | None:
    """The function for the next call, if there is one. The native part asks for it."""
    if callable(_chosen):
        return _chosen
    if _chosen or (_chosen is None and sys.stderr is not None and sys.stderr.isatty()):
        return _line
    return None


def _line(stage: str, done: int, total: int) -> None:
    share = f"{100 * done // total:3} %" if total else f"{done:,}" if done else ""
    sys.stderr.write(f"\r\033[K{stage} {share}")
    sys.stderr.flush()
