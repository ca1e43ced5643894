"""The exception that the package raises."""
from __future__ import annotations


class Error(Exception):
    """An error, with the message that the command `greenkgc` would print.

    `code` says what kind it is: "usage" (a wrong option, value or combination), "bad_input" (a file or label that is
    not what it should be), "corrupt" (a file of ours that is damaged), "unsupported" (a file that is newer than this
    program, or a machine that lacks something), "io" (the system refused) or "interrupted".

    >>> import greenkgc
    >>> try:
    ...     greenkgc.load("run").predict_tails("Norwy", "borders")
    ... except greenkgc.Error as error:
    ...     print(error.code, "-", error)
    bad_input - the model has no entity 'Norwy'; did you mean 'Norway'?
    """

    code: str

    def __init__(self, message: str, code: str = "usage"):
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return Error, (str(self), self.code)


Error.__module__ = "greenkgc"
