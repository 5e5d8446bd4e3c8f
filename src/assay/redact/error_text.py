"""Texts of errors, which are written and shown without secrets of any form.

A library may put the key, the header or the address with which it was called into its error.
``assay.mask`` knows only the secrets of this process and of its configuration; a key that the
user's code has from elsewhere is known by its form alone. Answers are not masked like this.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from assay.mask import MASK, redactor
from assay.text.lexicon import lazy_pattern

# The forms of the keys and tokens of the usual providers.

_TOKEN: Final = r"[A-Za-z0-9_\-]"  # noqa: S105 - the letters of one
KEYS: Final[tuple[tuple[str, str], ...]] = (
    ("sk-", rf"sk-(?:ant-|proj-|or-v1-|svcacct-)?{_TOKEN}{{20,200}}"),
    ("_live_", r"[sprw]k_live_[A-Za-z0-9]{16,120}"),
    ("_test_", r"[sprw]k_test_[A-Za-z0-9]{16,120}"),
    ("ghp_", r"ghp_[A-Za-z0-9]{36}"),
    ("gho_", r"gho_[A-Za-z0-9]{36}"),
    ("ghs_", r"ghs_[A-Za-z0-9]{36}"),
    ("ghu_", r"ghu_[A-Za-z0-9]{36}"),
    ("ghr_", r"ghr_[A-Za-z0-9]{36,80}"),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{22,120}"),
    ("glpat-", rf"glpat-{_TOKEN}{{20,60}}"),
    ("AKIA", r"AKIA[0-9A-Z]{16}"),
    ("ASIA", r"ASIA[0-9A-Z]{16}"),
    ("AIza", rf"AIza{_TOKEN}{{35,40}}"),
    ("ya29.", rf"ya29\.{_TOKEN}{{20,200}}"),
    ("xox", rf"xox[abeoprs]-{_TOKEN}{{10,200}}"),
    ("hf_", r"hf_[A-Za-z0-9]{30,60}"),
    ("SG.", rf"SG\.{_TOKEN}{{16,40}}\.{_TOKEN}{{30,60}}"),
    ("npm_", r"npm_[A-Za-z0-9]{36}"),
    ("pypi-", rf"pypi-{_TOKEN}{{40,250}}"),
    ("dapi", r"dapi[0-9a-f]{32}"),
    ("gsk_", r"gsk_[A-Za-z0-9]{40,80}"),
    ("r8_", r"r8_[A-Za-z0-9]{30,60}"),
    ("pplx-", r"pplx-[A-Za-z0-9]{40,60}"),
    ("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("eyJ", rf"eyJ{_TOKEN}{{8,}}\.eyJ{_TOKEN}{{8,}}\.{_TOKEN}{{8,}}"),
    ("LTAI", r"LTAI[A-Za-z0-9]{12,24}"),
    ("AQVN", rf"AQVN{_TOKEN}{{30,40}}"),
    ("AKID", r"AKID[A-Za-z0-9]{16,40}"),
    ("GOCSPX-", rf"GOCSPX-{_TOKEN}{{20,40}}"),
    ("ATATT3", rf"ATATT3{_TOKEN}{{30,250}}={{0,2}}"),
    ("hvs.", rf"hvs\.{_TOKEN}{{20,200}}"),
    ("dop_v1_", r"dop_v1_[0-9a-f]{64}"),
    ("shpat_", r"shpat_[0-9a-fA-F]{32}"),
    ("dckr_pat_", rf"dckr_pat_{_TOKEN}{{20,60}}"),
    ("whsec_", r"whsec_[A-Za-z0-9+/]{20,80}={0,2}"),
    ("nvapi-", rf"nvapi-{_TOKEN}{{40,90}}"),
    ("xapp-", rf"xapp-{_TOKEN}{{20,200}}"),
    ("xai-", r"xai-[A-Za-z0-9]{40,100}"),
    ("tvly-", rf"tvly-{_TOKEN}{{20,60}}"),
    ("lin_api_", r"lin_api_[A-Za-z0-9]{32,60}"),
    ("figd_", rf"figd_{_TOKEN}{{30,60}}"),
    ("y0_", rf"y0_{_TOKEN}{{30,80}}"),
    ("t1.9eu", rf"t1\.9eu{_TOKEN}{{30,400}}(?:\.{_TOKEN}{{30,200}})?"),
    ("vk1.a.", rf"vk1\.a\.{_TOKEN}{{40,300}}"),
    ("key-", r"key-[0-9a-f]{32}"),
    (":AA", rf"[0-9]{{8,10}}:AA{_TOKEN}{{33}}"),
)
"""A literal that every such key contains, which is cheap to look for, and the form of the key."""


def has_key_form(value: str) -> bool:
    """Whether a value as a whole is a key of a usual provider, by its form.

    >>> has_key_form("AKIA" + "Z7" * 8), has_key_form("harbour")
    (True, False)
    """
    is_near = any(literal in value for literal, _ in KEYS)
    return is_near and _any_key().fullmatch(value) is not None


@cache
def _any_key() -> re.Pattern[str]:
    return re.compile("|".join(form for _, form in KEYS))


_NAME: Final = type.__dict__["__name__"].__get__
_SEARCHED: Final = 10_000
"""Of a longer error, only so much is searched."""
_LONGEST_PHRASE: Final = 400
"""No secret of several words is longer."""
_LONGEST_WORD: Final = 4_000
"""No secret without spaces is longer, such as a token that is signed."""
_LITERALS: Final = "|".join(re.escape(literal) for literal, _ in KEYS)
_MAY_HAVE_SECRET: Final = lazy_pattern(
    rf"://|key|secret|token|passw|pass ?(?:code|phrase)|pwd|bearer|authorization|cookie|[^\x00-\x7f]|{_LITERALS}"
)
"""What all secrets have near them; labels of other languages have letters beyond ASCII."""


def masked_error(text: str) -> str:
    """The text of an error with ``***`` in place of what has the form of a secret.

    With redaction, the doors put tags in their place, which can be turned back.

    >>> masked_error("401 for https://me:hunter2@host/v1?api_key=topsecret123")
    '401 for https://***@host/v1?api_key=***'
    """
    return text if redactor() is not None else without_secrets(text)


def error_line(text: str, longest: int, scrub: Callable[[str], str] = str) -> str:
    """The beginning of an error on one line, without secrets.

    It is searched before it is cut: of a secret that is cut, only a part would be left, which has the
    form of none. A text may be so long that not all of it is searched; then what is near the end of
    the searched part, where a secret may be cut, is left out. ``scrub`` removes further secrets.

    >>> error_line("refused: the token sk-abcdefghijklmnopqrstuvwx", 24)
    'refused: the token ***'
    """
    line = scrub(" ".join(text[:_SEARCHED].split()))
    chosen = redactor()
    line = without_secrets(line) if chosen is None else chosen.text(line)
    if len(text) > _SEARCHED:
        near_end = line.rfind(" ", 0, max(0, len(line) - _LONGEST_PHRASE))
        line = line[: max(0, near_end, len(line) - _LONGEST_WORD)]
        longest = min(longest, len(line) + 1)
        line += "…"
    return line if len(line) <= longest else line[: longest - 1] + "…"


def class_name(value: object) -> str:
    """The name of the class of a foreign object, whatever its metaclass does when it is asked.

    >>> class_name(KeyError("x"))
    'KeyError'
    """
    return str(_NAME(type(value)))


def masked_errors(errors: Mapping[str, str]) -> dict[str, str]:
    """The same for several errors by their names."""
    return {name: masked_error(text) for name, text in errors.items()}


def without_secrets(text: str) -> str:
    """The text with ``***`` in place of what has the form of a secret."""
    if not _MAY_HAVE_SECRET.search(text):
        return text
    # reads the word lists of three languages, which most errors do not need
    from assay.redact.network import find_passwords, find_secrets  # noqa: PLC0415

    rest, parts = 0, []
    for finding in sorted([*find_secrets(text), *find_passwords(text)]):
        if finding.end > rest:  # findings may overlap
            parts += [text[rest : max(rest, finding.start)]]
            parts += [MASK] if finding.start >= rest else []
            rest = finding.end
    return "".join([*parts, text[rest:]])
