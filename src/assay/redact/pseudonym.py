"""Stable tags for values, and the file that can turn them back.

The file lies outside the workspace and only its owner can read it. Its first line has a secret
for the call cache; each further line has a tag and its value in one spelling. Lines are only
appended, under a lock, so that two processes give a value the same tag.
"""

import fcntl
import hashlib
import os
import re
import secrets
import sys
import threading
import unicodedata
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct

from assay.errors import UseError
from assay.redact.finding import Finding, unescaped, without_hidden
from assay.redact.phone import PhoneTags
from assay.text.character import CYRILLIC, HAN

LABELS: Final = {
    "PERSON": ("PERSON", "人名", "ИМЯ"),
    "ORGANISATION": ("ORG", "机构", "ОРГАНИЗАЦИЯ"),
}
"""The labels of kinds that are words, for values in Latin, Chinese and Cyrillic letters."""
TAG: Final = re.compile(rf"\[[A-Z_{HAN}{CYRILLIC}]{{2,14}}_(?:[0-9a-f]{{4}}_)?[0-9]{{1,9}}\]")
_HAN: Final = re.compile(f"[{HAN}]")
_CYRILLIC: Final = re.compile(f"[{CYRILLIC}]")
_SEPARATORS: Final = re.compile(r"[\s\-–·.()（）]+")
DIGIT_KINDS: Final = frozenset(
    {
        "ACCOUNT",
        "CARD",
        "PHONE",
        "ID_NUMBER",
        "SNILS",
        "SSN",
        "PASSPORT",
        "OGRN",
        "INN",
        "IBAN",
        "USCC",
        "PLATE",
    }
)


Value = tuple[str, str]
"""A kind and a value of this kind."""


class Pseudonyms(Protocol):
    """Gives values their tags."""

    def tag(self, kind: str, value: str) -> str:
        """The tag of this value; the same value always has the same one."""

    def tags(self, values: Iterable[Value]) -> list[str]:
        """The tags of several values."""

    def value(self, tag: str) -> str | None:
        """The value of a tag; ``None`` if it is not known."""

    def exact_value(self, tag: str) -> str | None:
        """The value of a tag that was seen in one spelling only; ``None`` otherwise."""

    def values(self) -> list[Value]:
        """All values that have a tag."""


class _Entry(Struct, frozen=True, omit_defaults=True):
    """A line of the file: the first one has ``secret``, the others have the rest."""

    tag: str = ""
    kind: str = ""
    value: str = ""
    secret: str = ""
    version: int = 1


class _Table:
    """Values and their tags in memory."""

    def __init__(self) -> None:
        self._tags: dict[Value, str] = {}
        self._phones = PhoneTags()
        self._spellings: dict[str, list[str]] = {}
        self._seen: dict[Value, str] = {}
        self._counts: dict[str, int] = {}

    def known(self, kind: str, value: str) -> str | None:
        """The tag of a value in exactly this spelling, if it has one."""
        return self._seen.get((kind, value))

    def tag_for(self, kind: str, value: str, salt: str = "") -> str:
        """The tag that a value has or should have."""
        tag = self._seen.get((kind, value))
        if tag is None:
            is_phone = kind == "PHONE"
            plain = plain_text(value) if is_phone else canonical(kind, value)
            tag = self._phones.tag(plain) if is_phone else self._tags.get((kind, plain))
        if tag is None:
            label = tag_label(kind, unescaped(value)) + salt
            tag = f"[{label}_{self._counts.get(label, 0) + 1}]"
        return tag

    def add(self, tag: str, kind: str, value: str) -> None:
        """Note the tag of a value in one spelling."""
        label, _, number = tag[1:-1].rpartition("_")
        self._counts[label] = max(self._counts.get(label, 0), int(number))
        if kind == "PHONE":
            self._phones.add(tag, plain_text(value))
        else:
            self._tags.setdefault((kind, canonical(kind, value)), tag)
        self._seen[kind, value] = tag
        spellings = self._spellings.setdefault(tag, [])
        if value not in spellings:
            spellings.append(value)

    def value(self, tag: str) -> str | None:
        """The value of a tag, as it was first written."""
        spellings = self._spellings.get(tag)
        return spellings[0] if spellings else None

    def exact_value(self, tag: str) -> str | None:
        """The value of a tag that was seen in one spelling only; ``None`` otherwise."""
        spellings = self._spellings.get(tag)
        return spellings[0] if spellings and len(spellings) == 1 else None

    def values(self) -> list[Value]:
        """All values that have a tag, in all spellings."""
        return list(self._seen)


class Forgotten:
    """Tags of one process that nothing can turn back after its end.

    Each has a part that is random for the process, so that tags of two processes are never taken
    for the same value.
    """

    def __init__(self) -> None:
        self._salt = f"_{secrets.token_hex(2)}"
        self._table = _Table()
        self._lock = threading.Lock()
        self.value = self._table.value
        self.exact_value = self._table.exact_value
        self.values = self._table.values

    def tag(self, kind: str, value: str) -> str:
        """The tag of this value."""
        return self.tags([(kind, value)])[0]

    def tags(self, values: Iterable[Value]) -> list[str]:
        """The tags of these values."""
        with self._lock:
            return [self._tag(kind, value) for kind, value in values]

    def _tag(self, kind: str, value: str) -> str:
        tag = self._table.known(kind, value)
        if tag is None:
            tag = self._table.tag_for(kind, value, self._salt)
            self._table.add(tag, kind, value)
        return tag


_SECRET_BYTES: Final = 32
_SECRET: Final = b'{"secret":"'
_FIRST_LINE: Final = re.compile(
    re.escape(_SECRET) + rb'(?:[A-Za-z0-9+/]{0,43}|[A-Za-z0-9+/]{43}="?\}?)'
)


def _whole_secret(text: str) -> str:
    if len(b64decode(text, validate=True)) != _SECRET_BYTES:
        raise ValueError("the secret is damaged")
    return text


def _is_new(data: bytes) -> bool:
    """Whether a key is empty, or a crash cut off its first line, before anybody used it."""
    return _SECRET.startswith(data) or _FIRST_LINE.fullmatch(data) is not None


class KeyFile:
    """Tags that are kept in a file; ``path`` is created if it does not exist.

    Raises:
        UseError: the file is not such a file, or others can read it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._salt = ""
        self._table = _Table()
        self._read_to = 0
        self.value = self._table.value
        self.exact_value = self._table.exact_value
        self.values = self._table.values
        self.secret = ""
        with self._locked() as file:
            if _is_new(os.pread(file, 100, 0)):
                self._append(
                    file, [_Entry(secret=b64encode(secrets.token_bytes(_SECRET_BYTES)).decode())]
                )
            self._read_new(file)
        if not self.secret:
            raise UseError(f"{path}: not a key of assay redact; name another file with --key")

    def tag(self, kind: str, value: str) -> str:
        """The tag of this value; a new one is written to the file before it is used."""
        return self.tags([(kind, value)])[0]

    def tags(self, values: Iterable[Value]) -> list[str]:
        """The tags of these values; new ones are written to the file together."""
        wanted = list(values)
        if any(self._table.known(*value) is None for value in wanted):
            with self._locked() as file:
                self._read_new(file)
                entries = []
                for kind, value in dict.fromkeys(wanted):
                    if self._table.known(kind, value) is None:
                        tag = self._table.tag_for(kind, value, self._salt)
                        entries.append(_Entry(tag=tag, kind=kind, value=value))
                        self._table.add(tag, kind, value)
                if entries:
                    self._append(file, entries)
                    self._read_new(file)
        return [self._table.tag_for(kind, value) for kind, value in wanted]

    def _append(self, file: int, entries: list[_Entry]) -> None:
        if os.fstat(file).st_size > self._read_to:  # the rest of a line that a crash cut off
            os.ftruncate(file, self._read_to)
        lines = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
        try:
            while lines:
                lines = lines[os.write(file, lines) :]
            os.fsync(file)
        except OSError as error:
            raise UseError(f"{self.path}: cannot be written: {error.strerror}") from None

    def _read_new(self, file: int) -> None:
        size = os.fstat(file).st_size
        data = os.pread(file, size - self._read_to, self._read_to)
        whole = data[: data.rfind(b"\n") + 1]
        for line in whole.splitlines():
            self._add(line)
        self._read_to += len(whole)

    def _add(self, line: bytes) -> None:
        try:
            entry = msgspec.json.decode(line, type=_Entry)
            if entry.secret:
                self.secret = _whole_secret(entry.secret)
            else:
                self._table.add(entry.tag, entry.kind, entry.value)
        except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError):
            raise UseError(
                f"{self.path}: not a key of assay redact; name another file with --key"
            ) from None

    @contextmanager
    def _locked(self) -> Iterator[int]:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise UseError(f"{self.path}: cannot be opened: {error.strerror}") from None
        try:
            if os.fstat(file).st_mode & 0o077:
                raise UseError(f"{self.path}: others can read this key; chmod 600 {self.path}")
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
        finally:
            os.close(file)


class UnfinishedKey(KeyFile):
    """The tags of work that keeps no key and may be killed: they are forgotten when it is done.

    If it is run again, it goes on with the same tags, and knows the values that were masked already.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._salt = f"_{hashlib.sha256(self.secret.encode()).hexdigest()[:4]}"

    def forget(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


def canonical(kind: str, value: str) -> str:
    r"""The form of a value that all its spellings share.

    >>> canonical("PHONE", "138 1234-5678") == canonical("PHONE", "１３８１２３４\u200b５６７８")
    True
    """
    plain = plain_text(value)
    return _SEPARATORS.sub("", plain).upper() if kind in DIGIT_KINDS else plain.casefold()


def plain_text(value: str) -> str:
    """A value as it is read: without escapes, invisible signs and wide letters."""
    return unicodedata.normalize("NFKC", without_hidden(unescaped(value)))


def tag_label(kind: str, value: str) -> str:
    """The word of a tag: a name in Chinese letters has a Chinese one.

    >>> tag_label("PERSON", "陈明飞"), tag_label("PHONE", "13812345678")
    ('人名', 'PHONE')
    """
    latin, han, cyrillic = LABELS.get(kind, (kind, kind, kind))
    return han if _HAN.search(value) else cyrillic if _CYRILLIC.search(value) else latin


def default_key_path(workspace: Path, environment: Any = os.environ) -> Path:
    """Where the key of a workspace lies: in the state folder of the user, by the folder's path."""
    from hashlib import sha256  # noqa: PLC0415 - only a workspace with redaction needs it

    home = environment.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    name = sha256(str(workspace.resolve()).encode()).hexdigest()[:16]
    return Path(home) / "assay" / "redact" / f"{name}.key"


assert sys.platform != "win32"  # fcntl


# Encryption of recorded calls with the secret of a key file.

_NONCE: Final = 12


class Cipher:
    """Encrypts and decrypts with AES-256 in GCM; each text has a nonce of its own.

    Needs the library ``cryptography``.
    """

    def __init__(self, secret: str) -> None:
        # loaded where calls are encrypted: it takes 50 ms
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415

        main = b64decode(secret)
        self._name_key = hashlib.blake2b(b"names of calls", key=main, digest_size=32).digest()
        key = hashlib.blake2b(b"bodies of calls", key=main, digest_size=32).digest()
        self._aes = AESGCM(key)

    def name(self, key: bytes) -> bytes:
        """The name under which a call is stored, from which nobody can guess what was asked."""
        return hashlib.blake2b(key, key=self._name_key, digest_size=16).digest()

    def seal(self, data: bytes, name: bytes) -> bytes:
        """Encrypt data that belongs to this name."""
        nonce = os.urandom(_NONCE)
        return nonce + self._aes.encrypt(nonce, data, name)

    def unseal(self, data: bytes, name: bytes) -> bytes | None:
        """Decrypt; ``None`` if it was encrypted with another key, or changed."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above

        try:
            return self._aes.decrypt(data[:_NONCE], data[_NONCE:], name)
        except (InvalidTag, ValueError):
            return None


# Parts of a value in what stages of a pipeline record: words of a query, numbers without zeros.
#
# A stage takes a question to pieces: "card 4276 3801 4276 5515" becomes the query "card 4276 3801
# 5515", in which no value is whole.

DERIVED: Final = frozenset({"evaluation", "stages", "queries", "faults", "missing", "why"})
"""Fields of a record that the program makes from its other texts."""
_FEWEST: Final = 6
"""So many letters and digits of a value are a part; fewer are a common word or number.

A Chinese character counts twice.
"""
_MOST_BETWEEN: Final = 3
_PART_HAN: Final = re.compile(f"[{HAN}]")
_TOKEN: Final = re.compile(rf"[0-9]+|[{HAN}]|[^\W\d_{HAN}]+")


class Parts:
    """The parts of some values, which are found in the texts of one record."""

    def __init__(self, values: Iterable[tuple[str, str]]) -> None:
        self._values = list(dict.fromkeys(values))
        self._owners: dict[str, set[int]] = {}
        for number, (_, value) in enumerate(self._values):
            for token in _tokens(plain_text(value)):
                self._owners.setdefault(token, set()).add(number)

    def find(self, text: str) -> Iterator[Finding]:
        """Parts of words that are all words of one value; each finding has the whole value.

        >>> parts = Parts([("CARD", "4276 3801 4276 5515")])
        >>> [(found.start, found.end, found.value) for found in parts.find("card 4276 3801 5515")]
        [(5, 19, '4276 3801 4276 5515')]
        """
        together: list[re.Match[str]] = []
        owners: set[int] = set()
        for token in _TOKEN.finditer(text):
            own = self._owners.get(_plain(token[0]), set())
            is_near = together and token.start() - together[-1].end() <= _MOST_BETWEEN
            if together and not (is_near and owners & own):
                yield from self._part(together, owners)
                together = []
            if own:
                owners = owners & own if together else own
                together.append(token)
        yield from self._part(together, owners)

    def _part(self, together: list[re.Match[str]], owners: set[int]) -> Iterator[Finding]:
        length = sum(2 if _PART_HAN.match(token[0]) else len(token[0]) for token in together)
        has_digit = any(token[0].isdecimal() for token in together)
        if length >= _FEWEST and (has_digit or len(together) > 1):
            kind, value = self._values[min(owners)]
            yield Finding(together[0].start(), together[-1].end(), kind, value)


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        yield _plain(match[0])
    yield "".join(filter(str.isdecimal, text)).lstrip("0")


def _plain(token: str) -> str:
    return token.lstrip("0") or "0" if token.isdecimal() else token.casefold()
