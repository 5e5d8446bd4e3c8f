"""Masking of secrets in everything that is written: rows, recorded replies, summaries, output.

A server or a library may repeat a key in an answer, in an error or in what it prints. The doors
through which text leaves (the journal, the call cache, the summary, the terminal) replace every
known secret by ``***``. Known are the keys that the configuration names and the variables of the
environment and of ``.env`` whose names look like secrets.

A text without a secret costs one search for each known secret, which takes less than a
microsecond; only a text with one is decoded and changed.

With redaction (``assay.redact``) the same doors also replace personal data by tags: a
``Redactor`` is set for the process, and every door calls it after the secrets are masked.
"""

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Protocol, TextIO
from urllib.parse import unquote, unquote_to_bytes

# Known secrets in the codes in which programs send them: Base64 and percent signs.
#
# ``Authorization: Basic …`` is the Base64 of a user and a password. What Base64 makes of a text depends
# on how many characters are before it, so a secret has three forms in it. A URL may write any
# character as ``%`` and two digits, not only those that must be.

_PERCENT: Final = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SHORTEST: Final = 8
_BEGINNING: Final = 16
"""The shortest beginning of a secret that is recognised by itself."""


def base64_forms(value: str) -> Iterator[str]:
    """What Base64 makes of a text, by itself and inside of another text, in both alphabets.

    >>> list(base64_forms("urlPass123"))
    ['dXJsUGFzczEyMw==', 'dXJsUGFzczEyM', 'VybFBhc3MxMj', '1cmxQYXNzMTIz']
    """
    data = value.encode("utf-8", "surrogatepass")
    forms: dict[str, None] = {}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        forms[encode(data).decode()] = None
        for before in range(3):
            # a character of Base64 is six bits; those that belong to other characters are left out
            start, end = -(-before * 8 // 6), (before + len(data)) * 8 // 6
            forms[encode(b"\0" * before + data).decode()[start:end]] = None
    return iter([form for form in forms if len(form) >= _SHORTEST])


class PercentForms:
    """The secrets, prepared for a search in texts with percent signs."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values = tuple(values)

    def may_be_in(self, data: bytes) -> bool:
        """Whether encoded text may contain a secret in this form; quick, and never wrong if it says no."""
        if not self._values or b"%" not in data:
            return False
        return bool(_PERCENT.search(data.decode("utf-8", "replace")))

    def masked(self, text: str, mask: str) -> str:
        """``text`` with ``mask`` in place of each secret, whichever of its characters are encoded."""
        if not self._values or "%" not in text:
            return text
        plain, places = _decoded(text)
        if len(plain) == len(text):
            return text
        parts, position = [], 0
        for start, end in sorted(self._found(plain)):
            begin, stop = places[start], places[end]
            if begin >= position:
                parts += [text[position:begin], mask]
            position = max(position, stop)
        return "".join([*parts, text[position:]])

    def _found(self, plain: str) -> Iterator[tuple[int, int]]:
        """Where secrets are, or beginnings of them, each as long as it goes on."""
        for value in self._values:
            needle = value[:_BEGINNING]
            at = plain.find(needle)
            while at >= 0:
                end = at + len(needle)
                while end < len(plain) and value[end - at : end - at + 1] == plain[end]:
                    end += 1
                yield at, end
                at = plain.find(needle, end)


def _decoded(text: str) -> tuple[str, list[int]]:
    """The text without percent codes, and the place in ``text`` where each character begins."""
    parts: list[str] = []
    places: list[int] = []
    rest = 0
    for match in _PERCENT.finditer(text):
        parts.append(text[rest : match.start()])
        places += range(rest, match.start())
        decoded, starts = _decoded_codes(match[0])
        parts.append(decoded)
        places += (match.start() + start for start in starts)
        rest = match.end()
    parts.append(text[rest:])
    places += range(rest, len(text) + 1)
    return "".join(parts), places


def _decoded_codes(codes: str) -> tuple[str, list[int]]:
    """The characters of a run of codes, and where each begins; bytes that are no UTF-8 stay separate."""
    data = unquote_to_bytes(codes)
    try:
        return data.decode(), [at * 3 for at, byte in enumerate(data) if not 0x80 <= byte < 0xC0]
    except UnicodeDecodeError:
        return data.decode("latin-1"), list(range(0, len(codes), 3))


# Known secrets in other spellings: broken by marks, in other letters, or their end alone.
#
# A model that repeats its key may put an invisible character or a mark of Markdown into it, write it
# in capital letters, or quote only its end. Only a value that is long and has letters and digits is
# recognised in this way: others could be ordinary words. A secret that is broken by other characters,
# turned round, translated into another code or cut into short pieces is not recognised.

SHORTEST: Final = 12
"""The shortest end of a secret that is recognised by itself, and the shortest such secret."""
_SECRET_SPELLING_BEGINNING: Final = 16
"""The shortest beginning of a secret that is recognised by itself."""
_INVISIBLE: Final = "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\ufe0e\ufe0f\ufeff"
_MARKS: Final = "*_`~\\"
_NOISE: Final = frozenset(_INVISIBLE + _MARKS)
_NO_NOISE: Final = dict.fromkeys(map(ord, _NOISE))
_NOISE_BYTES: Final = (_INVISIBLE + _MARKS).encode()


class Spellings:
    """The secrets, prepared for a search in texts."""

    def __init__(self, values: Iterable[str]) -> None:
        plain = {value.translate(_NO_NOISE).lower() for value in values}
        self._plain = sorted(value for value in plain if is_varied(value))
        needles = {
            end
            for value in self._plain
            for end in (value[:_SECRET_SPELLING_BEGINNING], value[-SHORTEST:])
        }
        self._needles = sorted(needle for needle in needles if is_varied(needle))
        self._byte_needles = [
            bytes(needle, "utf-8").translate(None, _NOISE_BYTES) for needle in self._needles
        ]

    def may_be_in(self, data: bytes) -> bool:
        """Whether encoded text may contain a secret; quick, and never wrong if it says no."""
        if not self._needles:
            return False
        if b"\\u" in data:  # JSON may write an invisible character as an escape
            return True
        squeezed = data.translate(None, _NOISE_BYTES).lower()
        return any(needle in squeezed for needle in self._byte_needles)

    def masked(self, text: str, mask: str) -> str:
        """``text`` with ``mask`` in place of each secret, whatever its spelling."""
        lower = text.lower()
        squeezed = lower.translate(_NO_NOISE)
        if not any(needle in squeezed for needle in self._needles):
            return text
        if len(lower) != len(text):  # a letter whose small form is two would move all places
            lower = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
        places = [place for place, char in enumerate(lower) if char not in _NOISE]
        squeezed = "".join(lower[place] for place in places)
        parts, position = [], 0
        for start, end in sorted(self._found(squeezed)):
            begin, stop = places[start], places[end - 1] + 1
            if begin >= position:
                parts += [text[position:begin], mask]
            position = max(position, stop)
        return "".join([*parts, text[position:]])

    def _found(self, squeezed: str) -> Iterator[tuple[int, int]]:
        """Where beginnings and ends of secrets are, each as long as it goes on."""
        for value in self._plain:
            for needle, step in ((value[:_SECRET_SPELLING_BEGINNING], 1), (value[-SHORTEST:], -1)):
                if not is_varied(needle):
                    continue
                at = squeezed.find(needle)
                while at >= 0:
                    yield _grown(squeezed, value, at, at + len(needle), step)
                    at = squeezed.find(needle, at + len(needle))


def _grown(text: str, value: str, start: int, end: int, step: int) -> tuple[int, int]:
    """The place of an end of ``value``, as far as the text has the rest of it."""
    length = end - start
    while length < len(value):
        place = end if step > 0 else start - 1
        expected = value[length] if step > 0 else value[-length - 1]
        if not 0 <= place < len(text) or text[place] != expected:
            break
        start, end = (start, end + 1) if step > 0 else (start - 1, end)
        length += 1
    return start, end


def is_varied(value: str) -> bool:
    """Whether a value has letters and digits and is long, so that it is no word.

    >>> is_varied("tq9xzpl3mw8vr2kn"), is_varied("production-environment")
    (True, False)
    """
    is_long = len(value) >= SHORTEST
    return is_long and any(map(str.isdigit, value)) and any(map(str.isalpha, value))


SHORTEST_CONFIGURED: Final = 8
"""Configured keys that are shorter are not masked: they could be ordinary words."""
SHORTEST_VARIABLE: Final = 12
"""The same for variables that only look like secrets."""
MASK: Final = "***"
_MASK_BEGINNING: Final = 16
"""A text may be cut off inside a secret; from this length on its beginning is masked too."""
_SECRET_WORDS: Final = frozenset(
    {"secret", "secrets", "password", "passwd", "passphrase", "apikey"}
)
_LAST_WORDS: Final = frozenset(
    {
        "key", "keys", "token", "tokens", "auth", "credential", "credentials", "pat", "pwd",
        "sig", "signature", "bearer", "jwt",
    }
)  # fmt: skip
_NOT_SECRET: Final = frozenset({"PWD", "OLDPWD"})
_CREDENTIALS: Final = frozenset({"authorization", "proxy-authorization", "cookie"})
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_URL_PASSWORD: Final = re.compile(r"://[^/\s:@]*:([^/\s@]+)@")
_IDENTIFYING: Final = frozenset({"key", "question_id", "config", "fingerprint", "scored_against"})
"""Fields of a row by which a run is resumed. They come from the user's files, and stay."""
OWN_FOLDER: Final = ".assay"
"""The folder of a workspace for files that assay needs for itself."""
_SEALED: Final = re.compile(r"[kx][0-9a-f]{8,64}(?![0-9A-Za-z])")
REDACTED: Final = "redacted"
"""The field of a row that says that values in its texts were replaced by tags."""


def looks_secret(name: str) -> bool:
    """Whether the name of a variable or of a parameter says that its value is a secret.

    >>> [looks_secret(name) for name in ("OPENAI_API_KEY", "api_key", "DB_PASSWORD_2", "apiKey")]
    [True, True, True, True]
    >>> [looks_secret(name) for name in ("PWD", "SSH_AUTH_SOCK", "MONKEY", "KEYBOARD", "top_k")]
    [False, False, False, False, False]
    """
    if name in _NOT_SECRET:
        return False
    words = [word.lower() for word in _WORD.findall(name)]
    return bool(words) and (words[-1] in _LAST_WORDS or not _SECRET_WORDS.isdisjoint(words))


def is_credential(header: str) -> bool:
    """Whether a header says who calls, and not what is asked: a new key gives the same replies.

    A *virtual key* is the name under which a gateway keeps keys; it decides who replies.

    >>> is_credential("X-API-Key"), is_credential("X-Route"), is_credential("x-virtual-key")
    (True, False, False)
    """
    name = header.lower()
    return name in _CREDENTIALS or (looks_secret(name) and "virtual" not in name)


class Redactor(Protocol):
    """Replaces values that must not leak by tags, and turns the tags back."""

    @property
    def mode(self) -> str:
        """``outputs``, or ``calls`` if what is sent to other computers is masked too."""

    @property
    def has_key(self) -> bool:
        """Whether the same value has the same tag in the next process."""

    def text(self, text: str) -> str:
        """The text with a tag in place of each value."""

    def record(self, value: Any) -> Any:
        """A record of plain values with every text in it masked; ``value`` itself if none is."""

    def identifier(self, text: str) -> str:
        """A masked name or key, which does not depend on what was found elsewhere."""

    def restored(self, value: Any) -> Any:
        """The record with all tags turned back; ``None`` if that is not exactly possible."""

    def outgoing(self, data: bytes) -> bytes:
        """The body of a request as it may leave this computer."""

    def incoming(self, data: bytes) -> bytes:
        """The body of a reply with its tags turned back."""

    def digest(self, data: bytes) -> str:
        """A hash by which nobody without the key can try out what the data was."""

    def without_values(self, text: str) -> str:
        """The text with the kind of each value in its place; it depends on nothing else."""

    def sealed(self, text: str) -> str:
        """Hashes of texts as ones by which nobody without the key can try out the text."""

    def sealed_record(self, value: Any) -> Any:
        """A record with its hashes sealed; ``value`` itself if it has none."""

    def private_folder(self, folder: Path) -> Path:
        """Where files with the text of documents are kept instead of ``folder``."""

    def cipher(self) -> Any:
        """What encrypts recorded calls (``assay.models.cache_file.CacheCipher``); ``None``: keep none."""


class Mask:
    """The known secrets of this process, and its redactor if there is one."""

    def __init__(self) -> None:
        self.redactor: Redactor | None = None
        self._configured: set[str] = set()
        self._variables: set[str] = set()
        self._is_read = False
        self._values: tuple[str, ...] = ()
        self._needles: tuple[bytes, ...] = ()
        self._spellings = Spellings(())
        self._percent_forms = PercentForms(())

    @property
    def file_mode(self) -> int:
        """The mode of new files: only their owner reads them if there is redaction or a key."""
        return 0o600 if self.redactor is not None or self._configured else 0o644

    def add(self, values: Iterable[str], *, shortest: int = SHORTEST_CONFIGURED) -> None:
        """Mask these values from now on, if they are long enough."""
        new = {value for value in values if len(value) >= shortest} - self._configured
        if new:
            self._configured |= new
            self._prepare()

    def read_environment(self) -> None:
        """Mask the variables of the process that look like secrets; called when a run starts."""
        self._is_read = True
        variables = secret_values(os.environ)
        if variables != self._variables:
            self._variables = variables
            self._prepare()

    def text(self, text: str) -> str:
        """``text`` with every known secret replaced, and every value if there is a redactor."""
        if not self._is_read:
            self.read_environment()
        if self._values:
            text = self._replaced(text)
        return text if self.redactor is None else self.redactor.text(text)

    def json(self, data: bytes) -> bytes:
        """JSON text with every known secret and value replaced; ``data`` itself if there is none.

        Only strings are changed, so that it stays valid JSON. Text that is no JSON, and lines of
        JSON, are masked too.
        """
        return self._replaced_json(data) if self.redactor is not None else self.secrets(data)

    def secrets(self, data: bytes) -> bytes:
        """JSON text with every known secret replaced, for data that is encrypted or stays private."""
        if not self._is_read:
            self.read_environment()
        is_in = (
            any(needle in data for needle in self._needles)
            or self._spellings.may_be_in(data)
            or self._percent_forms.may_be_in(data)
        )
        return self._replaced_json(data, with_values=False) if is_in else data

    def values(self, value: Any) -> Any:
        """Plain data with every text in it masked, and every name; for what is shown."""
        if not self._is_read:
            self.read_environment()
        walked = self._walked(value)
        if self.redactor is None:
            return walked
        return self.redactor.record([self.redactor.sealed_record(walked)])[0]

    def identifier(self, text: str) -> str:
        """A name by which something is found again, without values if there is a redactor."""
        return text if self.redactor is None else self.redactor.identifier(text)

    def name(self, text: str) -> str:
        """A name without known secrets, for what is named after the words of the user."""
        if not self._is_read:
            self.read_environment()
        return self._replaced(text) if self._values else text

    def identifiers(self, texts: list[str]) -> list[str]:
        """Many names at once."""
        return texts if self.redactor is None else list(map(self.redactor.identifier, texts))

    def _prepare(self) -> None:
        # imported here because every command has this door, and most know no secret
        import json  # noqa: PLC0415

        values = self._configured | self._variables
        plain = {form for value in values for form in (value, unquote(value))}
        plain = {form for form in plain if len(form) >= SHORTEST_CONFIGURED}
        forms = plain | {form for value in plain for form in base64_forms(value)}
        self._values = tuple(sorted(forms, key=lambda form: (-len(form), form)))
        starts = dict.fromkeys(form[:_MASK_BEGINNING] for form in self._values)
        encoded = [json.dumps(start, ensure_ascii=False)[1:-1].encode() for start in starts]
        self._needles = tuple(dict.fromkeys(encoded))
        self._spellings = Spellings(plain)
        self._percent_forms = PercentForms(sorted(forms, key=len, reverse=True))

    def _replaced(self, text: str) -> str:
        text = self._percent_forms.masked(text, MASK)
        for value in self._values:
            if value[:_MASK_BEGINNING] not in text:
                continue
            text = text.replace(value, MASK)
            for length in range(len(value) - 1, _MASK_BEGINNING - 1, -1):
                if value[:_MASK_BEGINNING] not in text:
                    break
                text = text.replace(value[:length], MASK)
        return self._spellings.masked(text, MASK)

    def _replaced_json(self, data: bytes, *, with_values: bool = True) -> bytes:
        # imported here because every command has this door, and most need no msgspec
        import msgspec  # noqa: PLC0415

        try:
            value = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            lines = data.splitlines(keepends=True)
            if len(lines) > 1 and lines[0][:1] in b"{[" and _is_json(lines[0]):
                return b"".join(
                    self._replaced_json(line, with_values=with_values) for line in lines
                )
            text = self._replaced(data.decode("utf-8", "surrogateescape"))
            if with_values and self.redactor is not None:
                text = self.redactor.text(text)
            return text.encode("utf-8", "surrogateescape")
        masked = self._walked(value, keep=_IDENTIFYING)
        if with_values and self.redactor is not None:
            masked = self.redactor.sealed_record(masked)
            redacted = self.redactor.record(masked)
            if isinstance(redacted, dict) and redacted is not masked and "fingerprint" in redacted:
                redacted[REDACTED] = True
            masked = redacted
        if masked == value:
            return data
        encoded = msgspec.json.encode(masked)
        if b"\n" in data.strip():
            encoded = msgspec.json.format(encoded, indent=2)
        return encoded + data[len(data.rstrip()) :]

    def _walked(self, value: Any, keep: frozenset[str] = frozenset()) -> Any:
        if isinstance(value, str):
            return self._replaced(value)
        if isinstance(value, list):
            return [self._walked(item) for item in value]
        if isinstance(value, dict):
            return {
                self._replaced(key): item if key in keep else self._walked(item)
                for key, item in value.items()
            }
        return value


def secret_values(variables: Mapping[str, str]) -> set[str]:
    """The values of variables that look like secrets, and passwords inside URLs.

    A value that is a path is no secret (``…_CREDENTIALS`` often names a file).
    """
    found: set[str] = set()
    for name, value in variables.items():
        parts = [match[1] for match in _URL_PASSWORD.finditer(value)] if "://" in value else []
        if looks_secret(name):
            stripped = value.strip()
            parts += [stripped, *re.split(r"[,;\s]+", stripped)]
        found.update(
            part for part in parts if len(part) >= SHORTEST_VARIABLE and not _is_path(part)
        )
    return found


def _is_json(line: bytes) -> bool:
    import json  # noqa: PLC0415 - as above

    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _is_path(value: str) -> bool:
    try:
        return "/" in value and Path(value).exists()
    except (OSError, ValueError):
        return False


_mask: Final = Mask()
add_secrets: Final = _mask.add
"""Mask further values: configured keys, whoever reads them."""
read_environment: Final = _mask.read_environment
mask_text: Final = _mask.text
mask_json: Final = _mask.json
mask_secrets: Final = _mask.secrets
mask_values: Final = _mask.values
mask_name: Final = _mask.name
mask_identifier: Final = _mask.identifier
mask_identifiers: Final = _mask.identifiers


class MaskedStream:
    r"""A text stream that masks secrets in everything that is written to it.

    >>> import io
    >>> stream = MaskedStream(io.StringIO())
    >>> stream.write("42\n")
    3
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text; return its length, as any stream does."""
        self._stream.write(mask_text(text))
        return len(text)

    def write_own(self, text: str) -> int:
        """Write a text of this program, whose control characters are meant; it is masked too."""
        self._stream.write(mask_text(text))
        return len(text)

    def write_masked(self, text: str) -> int:
        """Write a text that is masked already, in a form that must not change."""
        return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def redactor() -> Redactor | None:
    """The redactor of this process; ``None`` if there is no redaction."""
    return _mask.redactor


def redact_mode() -> Any:
    """What the header of a run says about redaction; ``UNSET`` if there is none."""
    from msgspec import UNSET  # noqa: PLC0415 - most commands need no msgspec

    return UNSET if _mask.redactor is None else _mask.redactor.mode


def learn_values(texts: Iterable[str]) -> None:
    """Search texts for values, so that these are masked wherever they are later.

    A document says "tax number 7707083893" and an answer only "7707083893".
    """
    if _mask.redactor is not None:
        for text in texts:
            _mask.redactor.text(text)


def restored_record(value: Any) -> Any:
    """A record of a redacted row as it was; ``None`` if no key can turn it back exactly."""
    return None if _mask.redactor is None else _mask.redactor.restored(value)


def keyed_digest(data: bytes) -> str:
    """A hash of text for a place that others may see; with redaction, the key goes into it.

    Without a key, who sees the hash of a sentence could try out every telephone number in it.
    """
    if _mask.redactor is not None:
        return _mask.redactor.digest(data)
    return hashlib.blake2b(data, digest_size=6).hexdigest()


def file_mode() -> int:
    """The mode in which results, plans and caches are created.

    With redaction, or where a key is in use, only the owner reads them: what was not found, or was
    repeated in an unusual spelling, is then not for every user of the computer to see.
    """
    return _mask.file_mode


def private_opener(path: str, flags: int) -> int:
    """The ``opener`` of ``open`` for such files."""
    return os.open(path, flags | os.O_CLOEXEC, _mask.file_mode)


def sealed(text: str) -> str:
    """A fingerprint or another text of hashes as it may be written.

    The hash of a sentence whose telephone number is masked is as good as the number: who has it can
    try out all numbers. With redaction, a hash of each hash is written instead, made with the key.
    It begins with a letter that no hash has, so hashes that earlier versions wrote are known
    by their form and can be sealed when they are read.
    """
    return text if _mask.redactor is None else _mask.redactor.sealed(text)


def without_values(text: str) -> str:
    """A text of which an id is made: with redaction, the kind of a value stands in its place."""
    return text if _mask.redactor is None else _mask.redactor.without_values(text)


def sealed_record(value: Any) -> Any:
    """A record with every hash in its fields as it may be written (see ``sealed``)."""
    return value if _mask.redactor is None else _mask.redactor.sealed_record(value)


def sealed_name(identity: str) -> str:
    """What a system or a judge is known by, with its hashes as they may be written."""
    return str(sealed_record({"identity": identity})["identity"])


def is_sealed(recorded: str) -> bool:
    """Whether a recorded hash depends on a key."""
    return _SEALED.match(recorded) is not None


def is_forgotten(recorded: str) -> bool:
    """Whether a recorded hash was sealed without a key, so that nothing can be compared with it."""
    return is_sealed(recorded) and recorded.startswith("x")


def same_hash(recorded: str, other: str) -> bool | None:
    """Whether two hashes are of the same text; ``None`` if the key that this needs is not there.

    >>> same_hash("12ab34cd", "12ab34cd"), same_hash("12ab34cd", "k98ab34cd")
    (True, None)
    """
    one, two = sealed(recorded), sealed(other)
    if one == two:
        return True
    is_known = is_sealed(one) == is_sealed(two) and not (is_forgotten(one) or is_forgotten(two))
    return False if is_known else None


def set_redactor(chosen: Redactor | None) -> None:
    """Replace values by tags at all doors from now on; ``None`` ends it."""
    _mask.redactor = chosen


def private_folder(folder: Path) -> Path:
    """``folder``, or with redaction the one outside the workspace that takes its place.

    For files that hold the text of documents as it is because they are read again.
    """
    return folder if _mask.redactor is None else _mask.redactor.private_folder(folder)


def private_path(path: Path) -> Path:
    """``path``, or with redaction the one that takes its place if it lies below ``.assay``."""
    if _mask.redactor is None or OWN_FOLDER not in path.parts:
        return path
    at = path.parts.index(OWN_FOLDER) + 1
    return private_folder(Path(*path.parts[:at])).joinpath(*path.parts[at:])
