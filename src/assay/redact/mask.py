"""Replace values by tags, in texts and in whole records, and turn tags back."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from assay.redact.find import find_again, find_values
from assay.redact.finding import Finder, Finding, without_overlaps
from assay.redact.known import KnownValues
from assay.redact.pseudonym import DERIVED, TAG, Parts, Pseudonyms

_LONGEST_NAME: Final = 80
_MOST_NAMES: Final = 20_000
_SHORTEST_LINE: Final = 16
_LONGEST_BARE: Final = 2
"""No text that is so short is a value."""


class Masker:
    """Masks texts with the tags of ``pseudonyms``; ``further`` find more kinds of values.

    A value that was found is masked from then on wherever it is, also without what gave it
    away.
    """

    def __init__(self, pseudonyms: Pseudonyms, further: Iterable[Finder] = ()) -> None:
        self.pseudonyms = pseudonyms
        self._further = tuple(further)
        self._known = KnownValues()
        values = pseudonyms.values()
        self._known.add(values)
        self._known.add((kind, line) for kind, value in values for line in _lines(kind, value))
        self._names: dict[str, str] = {}

    def find(self, text: str) -> list[Finding]:
        """The values in a text, except those inside tags, such as ``?token=[URL_1]``."""
        return _outside_tags(text, find_values(text, (*self._further, self._known.find)))

    def find_and_learn(self, text: str) -> list[Finding]:
        """The values that ``mask`` replaces in a text; from now on they are known."""
        found = self.find(text)
        if not found:
            return found
        self._learn(found)
        return self._with_known(text, found)

    def find_in_fields(self, fields: Sequence[tuple[str, str]]) -> list[list[Finding]]:
        """The values in the fields of a record, names and texts, that ``mask_all`` replaces.

        >>> from assay.redact.pseudonym import Forgotten
        >>> found = Masker(Forgotten()).find_in_fields([("password", "Tr0ub4dor&3"), ("n", "7")])
        >>> [[each.kind for each in texts] for texts in found]
        [['API_KEY'], []]
        """
        found = [self._find_in_field(text, name) for name, text in fields]
        everything = [each for texts in found for each in texts]
        if not everything:
            return found
        self._learn(everything)
        return [
            self._with_known(text, own) if len(text) > _LONGEST_BARE else own
            for (_, text), own in zip(fields, found, strict=True)
        ]

    def _find_in_field(self, text: str, name: str) -> list[Finding]:
        """The values in the text of a field of this name, which may say what the text is."""
        if len(text) <= _LONGEST_BARE:
            return []
        if not name:
            return self.find(text)
        prefix = f"{name}: "
        found = self.find(prefix + text)
        if any(each.start < len(prefix) for each in found):
            return self.find(text)
        return [
            Finding(each.start - len(prefix), each.end - len(prefix), each.kind, each.value)
            for each in found
        ]

    def mask(self, text: str) -> str:
        """The text with a tag in place of each value; a masked text stays as it is.

        >>> from assay.redact.pseudonym import Forgotten
        >>> masked = Masker(Forgotten()).mask("call 13812345678 or mail li@example.cn")
        >>> masked.startswith("call [PHONE_") and "@" not in masked
        True
        """
        found = self.find_and_learn(text)
        return self._replaced(text, found) if found else text

    def mask_identifier(self, text: str) -> str:
        """A masked key, part by part; it depends on nothing that was found elsewhere.

        >>> from assay.redact.pseudonym import Forgotten
        >>> masker = Masker(Forgotten())
        >>> masker.mask_identifier("q1::normal::topk=10")
        'q1::normal::topk=10'
        """
        return "::".join(map(self._masked_part, text.split("::")))

    def _masked_part(self, text: str) -> str:
        found = _outside_tags(text, find_values(text, self._further))
        if not found:
            return text
        self._learn(found)
        return self._replaced(text, found)

    def mask_all(self, value: Any) -> Any:
        """A record of plain values with every text in it masked, keys of mappings too.

        The values of all its texts are found before the first text is masked.

        >>> from assay.redact.pseudonym import Forgotten
        >>> Masker(Forgotten()).mask_all({"password": "Tr0ub4dor&3"})["password"][:8]
        '[API_KEY'
        """
        return _RecordMasking(self).masked(value)

    def reveal_all(self, value: Any) -> Any:
        """A record of plain values with the tags in every text turned back."""
        if isinstance(value, str):
            return self.reveal(value)
        if isinstance(value, Mapping):
            return {self.reveal_all(key): self.reveal_all(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.reveal_all(item) for item in value]
        return value

    def reveal(self, text: str) -> str:
        """The text with every known tag turned back into its value; others stay."""
        if "[" not in text:
            return text
        return TAG.sub(lambda match: self.pseudonyms.value(match[0]) or match[0], text)

    def can_restore(self, value: Any) -> bool:
        """Whether ``reveal_all`` gives back exactly what was masked."""
        if isinstance(value, str):
            tags = TAG.findall(value) if "[" in value else ()
            return all(self.pseudonyms.exact_value(tag) is not None for tag in tags)
        if isinstance(value, Mapping):
            return all(self.can_restore(key) and self.can_restore(value[key]) for key in value)
        if isinstance(value, (list, tuple)):
            return all(map(self.can_restore, value))
        return True

    def masked_name(self, name: str) -> str:
        """The masked name of a field; such names are few and come again and again."""
        masked = self._names.get(name)
        if masked is None:
            masked = self.mask(name)
            if len(name) <= _LONGEST_NAME and len(self._names) < _MOST_NAMES:
                self._names[name] = masked
        return masked

    def _learn(self, found: Iterable[Finding]) -> None:
        values = list(dict.fromkeys((each.kind, each.value) for each in found))
        self.pseudonyms.tags(values)
        self._known.add(values)
        self._known.add((kind, line) for kind, value in values for line in _lines(kind, value))

    def _with_known(self, text: str, found: list[Finding]) -> list[Finding]:
        known = _outside_tags(text, find_again(text, self._known.find))
        return without_overlaps([*found, *known]) if known else found

    def _replaced(self, text: str, found: list[Finding]) -> str:
        parts: list[str] = []
        end = 0
        tags = self.pseudonyms.tags((each.kind, each.value) for each in found)
        for finding, tag in zip(found, tags, strict=True):
            parts += (text[end : finding.start], tag)
            end = finding.end
        parts.append(text[end:])
        return "".join(parts)


class _RecordMasking:
    """Masks one record: first all its values are found, then all its texts are masked."""

    def __init__(self, masker: Masker) -> None:
        self._masker = masker
        self._found: dict[tuple[str, str], list[Finding]] = {}
        self._has_derived = False
        self._parts: Parts | None = None

    def masked(self, value: Any) -> Any:
        """The masked record."""
        self._find(value, "")
        everything = [finding for found in self._found.values() for finding in found]
        if everything:
            self._masker._learn(everything)  # noqa: SLF001 - one class in two parts
            if self._has_derived:
                self._parts = Parts((each.kind, each.value) for each in everything)
        return self._masked(value, "")

    def _find(self, value: Any, name: str) -> None:
        if isinstance(value, str):
            if len(value) > _LONGEST_BARE and (name, value) not in self._found:
                self._found[name, value] = self._masker._find_in_field(value, name)  # noqa: SLF001
        elif isinstance(value, Mapping):
            self._has_derived = self._has_derived or not DERIVED.isdisjoint(value)
            for key, item in value.items():
                self._find(item, key if isinstance(key, str) else "")
        elif isinstance(value, (list, tuple)):
            for item in value:
                self._find(item, name)

    def _masked(self, value: Any, name: str, *, is_derived: bool = False) -> Any:
        if isinstance(value, str):
            return self._masked_text(value, name, is_derived=is_derived)
        if isinstance(value, Mapping):
            return {
                self._masker.masked_name(key) if isinstance(key, str) else key: self._masked(
                    item,
                    key if isinstance(key, str) else "",
                    is_derived=is_derived or key in DERIVED,
                )
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self._masked(item, name, is_derived=is_derived) for item in value]
        return value

    def _masked_text(self, text: str, name: str, *, is_derived: bool) -> str:
        found = self._found.get((name, text), [])
        masker = self._masker
        if len(text) > _LONGEST_BARE:
            found = masker._with_known(text, found)  # noqa: SLF001
            if is_derived and self._parts is not None:
                found = _with_parts(text, found, self._parts)
        return masker._replaced(text, found) if found else text  # noqa: SLF001


def _with_parts(text: str, found: list[Finding], parts: Parts) -> list[Finding]:
    """The findings, and parts of values in the text between them."""
    rest, end = [], 0
    for each in found:
        rest += [text[end : each.start], "\n" * (each.end - each.start)]
        end = each.end
    between = "".join([*rest, text[end:]])
    return sorted([*found, *_outside_tags(text, list(parts.find(between)))])


def _lines(kind: str, value: str) -> list[str]:
    """The lines of a private key: a text may be divided at them."""
    lines = value.splitlines() if kind == "PRIVATE_KEY" else []
    return [
        line.strip()
        for line in lines
        if len(line.strip()) >= _SHORTEST_LINE and "-----" not in line
    ]


def _outside_tags(text: str, found: list[Finding]) -> list[Finding]:
    tags = [match.span() for match in TAG.finditer(text)] if found and "[" in text else []
    if not tags:
        return found
    starts = [start for start, _ in tags]
    ends = [0, *(end for _, end in tags)]
    return [each for each in found if each.end > ends[bisect_right(starts, each.start)]]
