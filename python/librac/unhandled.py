"""Errors that nobody handles: what tells librac.on_unhandled, and what that is at first."""

from __future__ import annotations

import asyncio
import logging
import reprlib
from typing import Any

from . import _librac, spoken

_logger = logging.getLogger("librac")
_shown = reprlib.Repr()
_shown.maxstring = _shown.maxother = 120


def log_unhandled(error: BaseException, chain: str, value: Any) -> None:
    """Logs an error that nobody handles, with its traceback, by the logger "librac"; in an
    asyncio loop that has an exception handler of its own, tells that instead.

    librac.on_unhandled is this function unless another one is set, and again with None. It
    is told what a handler raised that no call had brought about, such as that of a timer
    or on a thread of the library, what nobody's on_error heard there, what was raised
    beside the exception that came out of a call, and the error that ends a binding. What
    waits goes on. It is called on the thread where that happened, as a handler is.

    error: what was raised, with its traceback.
    chain: the names of the signal and its operators, as far as they have any.
    value: what was being sent; None where that is not known.
    """
    words = "librac: nobody handles this error"
    if chain:
        words += f" of {chain}"
    if value is not None:
        words += f", at {_shown.repr(value)}"
    loop = asyncio._get_running_loop()
    if loop is not None and loop.get_exception_handler() is not None:
        loop.call_exception_handler({"message": words, "exception": error})
    else:
        _logger.error("%s", words, exc_info=error)


def _tell(error: Exception, chain: str, value: Any) -> None:
    import librac

    chain = spoken.in_python(chain)
    hook = librac.on_unhandled
    if hook is None or hook is log_unhandled:
        return log_unhandled(error, chain, value)
    try:
        hook(error, chain, value)
    except Exception as failure:
        log_unhandled(error, chain, value)
        _logger.error("librac.on_unhandled raised, too", exc_info=failure)


_librac.set_unhandled_hook(_tell)
