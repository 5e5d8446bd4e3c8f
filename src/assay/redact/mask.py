"""Replace values by tags, in texts and in whole records, and turn tags back."""

from collections.abc import Iterable, Mapping
from typing import Any

from assay.redact.find import find_values
from assay.redact.finding import Finder
from assay.redact.pseudonym import TAG, Pseudonyms


class Masker:
    """Masks texts with the tags of ``pseudonyms``; ``further`` find more kinds of values."""

    def __init__(self, pseudonyms: Pseudonyms, further: Iterable[Finder] = ()) -> None:
        self.pseudonyms = pseudonyms
        self._further = tuple(further)

    def mask(self, text: str) -> str:
        """The text with a tag in place of each value.

        >>> from assay.redact.pseudonym import Forgotten
        >>> masked = Masker(Forgotten()).mask("call 13812345678 or mail li@example.cn")
        >>> masked.startswith("call [PHONE_") and "@" not in masked
        True
        """
        found = find_values(text, self._further)
        if not found:
            return text
        parts: list[str] = []
        end = 0
        for finding in found:
            parts += (text[end : finding.start], self.pseudonyms.tag(finding.kind, finding.value))
            end = finding.end
        return "".join((*parts, text[end:]))

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
