"""The words for verdicts that people write in a spreadsheet, in three languages."""

from functools import cache
from pathlib import Path
from typing import Any

from assay.labels.label import VERDICTS


def read_verdict(word: Any) -> str:
    """The verdict that a word means; raises ``ValueError`` with the allowed words if it is none.

    >>> read_verdict("Верно"), read_verdict("错"), read_verdict(" no ")
    ('right', 'wrong', 'wrong')
    """
    key = " ".join(str(word).lower().split())
    verdict = next((verdict for verdict in VERDICTS if key in _words()[verdict]), None)
    if verdict is None:
        raise ValueError(f"`verdict` is {word!r}; {_words()['allowed']}")
    return verdict


def read_flag(word: str) -> Any:
    """True or false as a spreadsheet in any language writes it; another word stays."""
    key = word.strip().lower()
    flags = _words()["flag"]
    return next((name == "true" for name in flags if key in flags[name]), word)


@cache
def _words() -> dict[str, Any]:
    import tomllib  # noqa: PLC0415 - most commands that know labels read no words

    path = Path(__file__).with_name("verdict_word.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))
