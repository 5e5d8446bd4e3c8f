"""The fields of a published results file that are not read."""

import json
from pathlib import Path

import msgspec
from msgspec.structs import fields

from assay.data.jsonl import UNREADABLE, read_line_blocks
from assay.jobs.depth.map.row import DepthRow

_KNOWN = frozenset(field.name for field in fields(DepthRow))


def read_ignored_fields(path: Path) -> tuple[str, ...]:
    """The names of the fields that no part of assay reads, in alphabetical order."""
    decoder = msgspec.json.Decoder(dict[str, msgspec.Raw])
    ignored: set[str] = set()
    for block in read_line_blocks(path, torn_end=True):
        for line in block.data.removeprefix(b"\xef\xbb\xbf").splitlines():
            if line.strip():
                try:
                    names = decoder.decode(line).keys()
                except UNREADABLE:  # NaN, or a name in another encoding; the row itself was read
                    names = json.loads(line.decode("utf-8", "replace")).keys()
                ignored.update(names - _KNOWN)
    return tuple(sorted(ignored))
