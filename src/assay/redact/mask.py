"""Replace values by tags, in texts and in whole records, and turn tags back."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from assay.redact.find import find_values
from assay.redact.finding import Finder, Finding
from assay.redact.pseudonym import TAG, Pseudonyms

SHORTEST: Final = 6
"""A value of fewer characters is masked only where it was found: it may be a part of a word."""


class Masker:
    """Masks texts with the tags of ``pseudonyms``; ``further`` find more kinds of values."""

    def __init__(self, pseudonyms: Pseudonyms, further: Iterable[Finder] = ()) -> None:
        self.pseudonyms = pseudonyms
        self._further = tuple(further)

    def find(self, text: str) -> list[Finding]:
        """The values in a text, except those inside tags, such as ``?token=[URL_1]``."""
        return _outside_tags(text, find_values(text, self._further))

    def mask(self, text: str) -> str:
        """The text with a tag in place of each value; a masked text stays as it is.

        A value that was found is also masked where it stands again without what gave it away.

        >>> from assay.redact.pseudonym import Forgotten
        >>> masked = Masker(Forgotten()).mask("call 13812345678 or mail li@example.cn")
        >>> masked.startswith("call [PHONE_") and "@" not in masked
        True
        """
        found = self.find(text)
        if not found:
            return text
        tags = {each: self.pseudonyms.tag(each.kind, each.value) for each in found}
        by_value = {each.value: tag for each, tag in tags.items() if len(each.value) >= SHORTEST}
        parts: list[str] = []
        end = 0
        for finding, tag in tags.items():
            parts += (text[end : finding.start], tag)
            end = finding.end
        parts.append(text[end:])
        between = "\0".join(parts[::2])
        again = sorted((value for value in by_value if value in between), key=len, reverse=True)
        if again:
            form = re.compile("|".join(map(re.escape, again)))
            parts[::2] = [form.sub(lambda match: by_value[match[0]], part) for part in parts[::2]]
        return "".join(parts)

    def mask_all(self, value: Any) -> Any:
        """A record of plain values with every text in it masked, keys of mappings too.

        >>> from assay.redact.pseudonym import Forgotten
        >>> Masker(Forgotten()).mask_all({"password": "Tr0ub4dor&3"})["password"][:8]
        '[API_KEY'
        """
        return self._masked(value, "")

    def reveal_all(self, value: Any) -> Any:
        """A record of plain values with the tags in every text turned back."""
        if isinstance(value, str):
            return self.reveal(value)
        if isinstance(value, Mapping):
            return {self.reveal_all(key): self.reveal_all(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.reveal_all(item) for item in value]
        return value

    def _masked(self, value: Any, name: str) -> Any:
        """The record in a field of this name, which may say what kind of value a text is."""
        if isinstance(value, str):
            prefix = f"{name}: " if name else ""
            masked = self.mask(prefix + value)
            return masked[len(prefix) :] if masked.startswith(prefix) else self.mask(value)
        if isinstance(value, Mapping):
            return {
                self._masked(key, ""): self._masked(item, key if isinstance(key, str) else "")
                for key, item in value.items()
            }
        if isinstance(value, (list, tuple)):
            return [self._masked(item, name) for item in value]
        return value

    def reveal(self, text: str) -> str:
        """The text with every known tag turned back into its value; others stay."""
        return TAG.sub(lambda match: self.pseudonyms.value(match[0]) or match[0], text)


def _outside_tags(text: str, found: list[Finding]) -> list[Finding]:
    tags = [match.span() for match in TAG.finditer(text)] if found and "[" in text else []
    if not tags:
        return found
    return [
        each
        for each in found
        if not any(start <= each.start and each.end <= end for start, end in tags)
    ]
