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

    def mask(self, text: str) -> str:
        """The text with a tag in place of each value; a masked text stays as it is.

        A value that was found is also masked where it stands again without what gave it away.

        >>> from assay.redact.pseudonym import Forgotten
        >>> masked = Masker(Forgotten()).mask("call 13812345678 or mail li@example.cn")
        >>> masked.startswith("call [PHONE_") and "@" not in masked
        True
        """
        found = _outside_tags(text, find_values(text, self._further))
        if not found:
            return text
        tags = {each: self.pseudonyms.tag(each.kind, each.value) for each in found}
        by_value = {each.value: tag for each, tag in tags.items() if len(each.value) >= SHORTEST}
        repeated = re.compile("|".join(map(re.escape, sorted(by_value, key=len, reverse=True))))
        parts: list[str] = []
        end = 0
        for finding, tag in tags.items():
            parts += (text[end : finding.start], tag)
            end = finding.end
        parts.append(text[end:])
        if by_value:
            parts[::2] = [
                repeated.sub(lambda match: by_value[match[0]], part) for part in parts[::2]
            ]
        return "".join(parts)

    def mask_all(self, value: Any) -> Any:
        """A record of plain values with every text in it masked, keys of mappings too."""
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, Mapping):
            return {self.mask_all(key): self.mask_all(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.mask_all(item) for item in value]
        return value

    def reveal(self, text: str) -> str:
        """The text with every known tag turned back into its value; others stay."""
        return TAG.sub(lambda match: self.pseudonyms.value(match[0]) or match[0], text)


def _outside_tags(text: str, found: list[Finding]) -> list[Finding]:
    """The findings that are not part of a tag, such as the token in ``?token=[URL_1]``."""
    tags = [match.span() for match in TAG.finditer(text)] if found and "[" in text else []
    if not tags:
        return found
    return [
        each
        for each in found
        if not any(start <= each.start and each.end <= end for start, end in tags)
    ]
