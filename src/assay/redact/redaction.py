"""The redactor of a process: what the doors of ``assay.mask`` call."""

import hashlib
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from secrets import token_bytes
from typing import Any, Final, Literal

import msgspec

from assay.redact.find import find_values
from assay.redact.finding import Finder
from assay.redact.mask import Masker
from assay.redact.pseudonym import TAG, Cipher, KeyFile, Pseudonyms, UnfinishedKey

Mode = Literal["outputs", "calls"]
_IDENTIFYING: Final = frozenset({"key", "question_id", "config"})
_KEPT: Final = frozenset(
    {
        *("fingerprint", "scored_against", "schema_version", "status", "state", "ts", "job"),
        *("system", "judging", "judges", "judge", "answer_sha256", "questions_sha256", "made_of"),
        *("started_at", "completed_at", "assay_version", "python_version", "redact"),
    }
)
"""Fields of rows and summaries that come from the configuration or are hashes and times."""
_HASHES: Final = frozenset(
    {
        "fingerprint",
        "scored_against",
        "spared_by",
        "made_of",
        "judging",
        "sha256",
        "questions_version",
    }
)
"""Fields with hashes of texts, besides those whose names end in ``_sha256``."""
_HASH: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{8,64}(?![0-9A-Za-z])")
"""A hash in a field of hashes."""
_DATE: Final = re.compile(r"(?:19|20)[0-9]{6}")
"""A date in the name of a model, which is no hash; the hash beside it is longer."""
_SYSTEM: Final = "system"
_NAMED: Final = (_SYSTEM, "identity", "judge")
"""Fields with the name of a system or a judge, which has a hash of its texts."""
_DOCUMENTS: Final = "documents"
"""The field of a header that has the hash of each document by its name."""


class Redaction:
    """Masks with the tags of ``pseudonyms``, which may be a key file."""

    def __init__(self, mode: Mode, pseudonyms: Pseudonyms, further: Iterable[Finder] = ()) -> None:
        self.mode = mode
        self._further = tuple(further)
        self.masker = Masker(pseudonyms, self._further)
        stored = pseudonyms if isinstance(pseudonyms, KeyFile) else None
        self._key = None if isinstance(stored, UnfinishedKey) else stored
        secret = stored.secret.encode() if stored is not None else token_bytes(32)
        self._secret = hashlib.sha256(b"digest" + secret).digest()
        self._scratch: tempfile.TemporaryDirectory[str] | None = None
        self.text = self.masker.mask
        self.identifier = self.masker.mask_identifier

    @property
    def has_key(self) -> bool:
        """Whether the tags are kept."""
        return self._key is not None

    def with_tags(self, pseudonyms: Pseudonyms) -> "Redaction":
        """The same redaction with other tags."""
        return Redaction(self.mode, pseudonyms, self._further)

    def record(self, value: Any) -> Any:
        """The record with every text masked; ``value`` itself if none is."""
        if not isinstance(value, dict):
            masked = self.masker.mask_all(value)
            return value if masked == value else masked
        fixed = {name: value[name] for name in value if name in _IDENTIFYING or name in _KEPT}
        rest = {name: item for name, item in value.items() if name not in fixed}
        masked = self.masker.mask_all(rest)
        if isinstance(fixed.get(_SYSTEM), str):  # its version and address are the user's words
            fixed[_SYSTEM] = self.text(fixed[_SYSTEM])
        for name in _IDENTIFYING & fixed.keys():
            if isinstance(fixed[name], str):
                fixed[name] = self.identifier(fixed[name])
        if masked == rest and all(value[name] == fixed[name] for name in fixed):
            return value
        masked = dict(zip(rest, masked.items(), strict=True))  # each name with its masked field
        return {
            **{
                (name if name in fixed else masked[name][0]): (
                    fixed[name] if name in fixed else masked[name][1]
                )
                for name in value
            }
        }

    def restored(self, value: Any) -> Any:
        """The record as it was; ``None`` if a tag is not known or stands for several spellings."""
        return self.masker.reveal_all(value) if self.masker.can_restore(value) else None

    def outgoing(self, data: bytes) -> bytes:
        """The body of a request with a tag in place of each value."""
        try:
            value = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self.text(data.decode("utf-8", "replace")).encode()
        masked = self.masker.mask_all(value)
        return data if masked == value else msgspec.json.encode(masked)

    def incoming(self, data: bytes) -> bytes:
        """The body of a reply with its tags turned back."""
        if b"_" not in data or b"[" not in data:
            return data
        try:
            value = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            text = data.decode("utf-8", "surrogateescape")
            return self.masker.reveal(text).encode("utf-8", "surrogateescape")
        if not (TAG.search(data.decode("utf-8", "replace")) or b"\\u" in data):
            return data
        revealed = self.masker.reveal_all(value)
        return data if revealed == value else msgspec.json.encode(revealed)

    def digest(self, data: bytes) -> str:
        """A hash by which nobody without the key can try out what the data was."""
        return hashlib.blake2b(data, digest_size=6, key=self._secret).hexdigest()

    def without_values(self, text: str) -> str:
        """The text with the kind of each value in its place.

        What was found elsewhere does not count, so that it is the same in every process.
        """
        rest, parts = 0, []
        for found in find_values(text, self._further):
            parts += [text[rest : found.start], f"[{found.kind}]"]
            rest = found.end
        return "".join([*parts, text[rest:]])

    def sealed(self, text: str) -> str:
        """A text of hashes, each replaced by one that depends on the key and begins with ``k``.

        Without a key it begins with ``x``, and only this process can compare it. A sealed hash
        stays as it is.
        """
        return _HASH.sub(lambda match: self._sealed(match[0]), text)

    def _sealed_name(self, text: str) -> str:
        """The name of a system, with its hashes sealed."""
        return _HASH.sub(
            lambda match: match[0] if _DATE.fullmatch(match[0]) else self._sealed(match[0]), text
        )

    def _sealed(self, plain: str) -> str:
        mark = "x" if self._key is None else "k"
        made = hashlib.blake2b(plain.encode(), digest_size=32, key=self._secret, person=b"seal")
        return mark + made.hexdigest()[: len(plain)]

    def sealed_record(self, value: Any) -> Any:
        """The record with every hash in its fields sealed; ``value`` itself if there is none."""
        if isinstance(value, list):
            items = [self.sealed_record(item) for item in value]
            is_same = all(new is old for new, old in zip(items, value, strict=True))
            return value if is_same else items
        if not isinstance(value, dict):
            return value
        fields = {name: self._sealed_field(name, item) for name, item in value.items()}
        return value if all(fields[name] is value[name] for name in fields) else fields

    def _sealed_field(self, name: str, item: Any) -> Any:
        if isinstance(item, str):
            if not _HASH.search(item):
                return item
            if name in _NAMED:
                return self._sealed_name(item)
            return self.sealed(item) if name in _HASHES or name.endswith("_sha256") else item
        if name == _DOCUMENTS and isinstance(item, dict):
            return {
                document: self.sealed(each) if isinstance(each, str) and len(each) == 64 else each
                for document, each in item.items()
            }
        return self.sealed_record(item)

    def private_folder(self, folder: Path) -> Path:
        """A folder beside the key that only the user can read; without a key, a temporary one."""
        name = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
        if self._key is not None:
            base = self._key.path.with_name(f"{self._key.path.name}.private")
        else:
            if self._scratch is None:
                self._scratch = tempfile.TemporaryDirectory(prefix="assay-redact-")
            base = Path(self._scratch.name)
        base.mkdir(mode=0o700, parents=True, exist_ok=True)
        return base / name

    def cipher(self) -> Cipher | None:
        """What encrypts recorded calls; ``None`` without a key."""
        return None if self._key is None else Cipher(self._key.secret)

    def close(self) -> None:
        """Remove the temporary folder, if there is one."""
        if self._scratch is not None:
            self._scratch.cleanup()
            self._scratch = None
