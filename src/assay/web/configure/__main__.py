"""The process that checks a text: a request on standard input, the answer on standard output.

What systems print goes to standard error.
"""

import os
import sys
from pathlib import Path

import msgspec

from assay.web.configure.check import WorkRequest, check, try_question


def main() -> None:
    """Answer one request."""
    answer = os.dup(1)
    os.dup2(2, 1)
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=WorkRequest)
    root = Path(request.root)
    result = try_question(root, request.question) if request.question else None
    if request.check:
        with os.fdopen(answer, "wb") as out:
            out.write(msgspec.json.encode(check(root, request.check)))
    else:
        with os.fdopen(answer, "wb") as out:
            out.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
