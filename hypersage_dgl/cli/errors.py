"""Exit codes, and errors as one line."""

from __future__ import annotations

from .text import printable

FAILED, USAGE, INTERRUPTED, CLOSED_PIPE = 1, 2, 130, 141

# What these types raise is written for people; the name of any other type is worth knowing.
PLAIN = (ValueError, TypeError, OSError, FloatingPointError)


class UsageError(ValueError):
    """The words of the command line do not fit together; the exit code is 2."""


def one_line(error: BaseException | str) -> str:
    r"""Say an error in one line.

    Examples
    --------
    >>> one_line(ValueError("size is 0;\n  it must be positive"))
    'size is 0; it must be positive'
    >>> one_line(FileNotFoundError(2, "No such file or directory", "a.json"))
    'a.json: No such file or directory'
    >>> one_line(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    if isinstance(error, OSError) and error.strerror:
        place = "" if error.filename is None else f"{error.filename}: "
        return printable(f"{place}{error.strerror}")
    text = printable(" ".join(str(error).split()))
    if isinstance(error, (*PLAIN, Warning, str)) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
