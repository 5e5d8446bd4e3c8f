"""The font for Chinese that comes with the extra ``fonts``, so that charts need none of the machine.

The package ``zhplot`` contains Noto Sans SC. Only its font file is used: importing the package
would change the settings of matplotlib.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

from assay.words.say import say

BUNDLED: Final = "Noto Sans SC"
"""The family of the font."""
_FILE: Final = Path("fonts", "NotoSansSC-Regular.ttf")


def bundled_font() -> Path | None:
    """The font file; ``None`` if the extra is not installed."""
    found = find_spec("zhplot")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        if (file := Path(folder) / _FILE).is_file():
            return file
    return None


def font_note() -> str | None:
    """What charts lack without the font; ``None`` if it is there."""
    if bundled_font() is not None:
        return None
    return say("charts show Chinese only if this machine has a font for it; see the extra fonts")
