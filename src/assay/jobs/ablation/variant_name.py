"""Short names for the variants of a plain run: they must fit into tables and charts."""

import re
from collections.abc import Collection, Iterator, Sequence
from ipaddress import ip_address
from itertools import chain, count
from pathlib import PurePath
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from assay.data.secret_field import without_secrets
from assay.mask import mask_name
from assay.models import is_formed_secret, is_named_secret, shown_url

_UNSAFE: Final = re.compile(r"[^\w.-]+")
_URL: Final = re.compile(r"https?://", re.IGNORECASE)
_REPLAY: Final = "replay:"
_JOINTS: Final = "-._"
_FIRST_WORD: Final = re.compile(r"^[^-._]*[-._]+")
_LONGEST: Final = 40
_LONGEST_URL: Final = 24


def named_variants(
    systems: Sequence[str], prompts: Sequence[str], recorded: Collection[str] = ()
) -> Iterator[tuple[str, str, str]]:
    """The name, the system and the prompt of each variant; names are unique.

    ``recorded`` are the names of a run that exists: it keeps the names of earlier versions.
    """
    taken: set[str] = set()
    for system in systems:
        for prompt in prompts or [""]:
            short, long, earlier = (
                _with_prompt(name, prompt, len(systems), len(prompts)) for name in _names(system)
            )
            if earlier in recorded and earlier not in taken:
                short = earlier
            numbered = (f"{short}-{number}" for number in count(2))
            name = next(each for each in chain((short, long), numbered) if each not in taken)
            taken.add(name)
            yield name, system, prompt


def earlier_names(systems: Sequence[str], prompts: Sequence[str]) -> list[str]:
    """The names that earlier versions gave these variants."""
    old = [
        _with_prompt(_names(system)[2], prompt, len(systems), len(prompts))
        for system in systems
        for prompt in prompts or [""]
    ]
    return [name for name, *_ in named_variants(systems, prompts, old)]


def safe_name(text: str) -> str:
    """The text as a part of the name of a file or a variant.

    >>> safe_name("replay:answers/old.jsonl")
    'replay-answers-old.jsonl'
    """
    return _UNSAFE.sub("-", text).strip("-.")[-_LONGEST:] or "run"


def _names(system: str) -> tuple[str, str, str]:
    """A short name for a system, a longer one, and that of earlier versions; none has a secret.

    >>> _names("python:my_rag:ask")[0], _names("http://127.0.0.1:8917/good")[0]
    ('my_rag.ask', '8917-good')
    """
    plain = safe_name(mask_name(system).removeprefix("python:").replace(":", "."))
    if system.startswith(_REPLAY) and len(_UNSAFE.sub("-", system)) > _LONGEST:
        short, long = _replay_names(mask_name(system).removeprefix(_REPLAY))
        return short, long, plain
    if not _URL.match(system):
        return plain, plain, plain
    try:
        short, long = map(safe_name, map(mask_name, _url_names(str(without_secrets(system)))))
        return short, long, plain if shown_url(system) == system else short
    except ValueError:  # not a URL after all, which loading it will say
        return plain, plain, plain


def _replay_names(source: str) -> tuple[str, str]:
    """The name of a file without its ending, with its variant; the second one has its folder too.

    >>> _replay_names("/home/ann/experiments/spring/baseline.jsonl#openai")
    ('baseline-openai', 'spring-baseline-openai')
    >>> _replay_names("answers-of-the-system-that-everybody-uses-today.jsonl")[0]
    'of-the-system-that-everybody-uses-today'
    """
    file, _, variant = source.partition("#")
    path = PurePath(file)
    short = [path.stem, variant] if variant else [path.stem]
    return _whole_words("-".join(short)), _whole_words("-".join([path.parent.name, *short]))


def _whole_words(text: str) -> str:
    """As many words of the end of a name as fit; a longer word is cut."""
    name = _UNSAFE.sub("-", text).strip("-.")
    if len(name) <= _LONGEST:
        return name or "run"
    end = name[-_LONGEST:]
    starts = name[-_LONGEST - 1] in _JOINTS
    return end if starts else (_FIRST_WORD.sub("", end, count=1) or end)


def _url_names(url: str) -> tuple[str, str]:
    """The host in short with a port of its own, and as much of the end of the path as fits.

    The second name has the whole host and path.

    >>> _url_names("https://rag.example.com/v1/ask")
    ('rag-v1-ask', 'rag.example.com-v1-ask')
    >>> _url_names("http://localhost:8000")[0], _url_names("http://10.0.0.7/ask?k=5&token=x")[0]
    ('localhost-8000', '10.0.0.7-ask-k-5')
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", str(parts.port or "")
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    query = [
        f"{name}-{value}"
        for name, value in given.items()
        if not is_named_secret(name, value) and not is_formed_secret(value)
    ]
    words = [word for word in (*parts.path.split("/"), *query) if word]
    long = safe_name("-".join(word for word in (host, port, *words) if word))
    if _is_local(host) and port and words:
        head = port
    else:
        label = host if _is_address(host) else host.removeprefix("www.").partition(".")[0]
        head = f"{label}-{port}" if port else label
    while len(words) > 1 and len(head) + sum(len(word) + 1 for word in words) > _LONGEST_URL:
        words.pop(0)
    return safe_name("-".join((head, *words))), long


def _is_local(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _with_prompt(name: str, prompt: str, systems: int, prompts: int) -> str:
    """The name of a variant: the prompt is part of it if there are several.

    >>> _with_prompt("openai.small", "brief", 1, 2), _with_prompt("openai.small", "brief", 2, 2)
    ('brief', 'openai.small.brief')
    """
    if prompts > 1 and systems == 1:
        return safe_name(prompt)
    return f"{name}.{safe_name(prompt)}" if prompt and prompts > 1 else name
