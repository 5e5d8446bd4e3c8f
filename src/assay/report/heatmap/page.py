"""A heatmap as a single HTML file that needs no network and no other file.

The page contains its data as JSON in which every ``<``, ``>`` and ``&`` is escaped, and the
script inserts them as text, never as markup. A content security policy allows only the script and
the style of the page, identified by their hashes, and forbids all requests. A script inside an
answer is therefore shown as text and never runs.
"""

import base64
import hashlib
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final

import msgspec

from assay.mask import mask_json, mask_text
from assay.report.heatmap.grid import PALETTES, Heatmap, Scale
from assay.report.words import Lang, heat_word, shown_decimal

_SCRIPT_WORDS: Final = (
    "all",
    "answers counted",
    "changed only",
    "close",
    "colon",
    "colours",
    "correct answer",
    "framed",
    "green-red",
    "mean of cells",
    "mean of questions",
    "means",
    "no answer",
    "no data",
    "none listed",
    "of cells",
    "of questions",
    "parsed",
    "safe",
    "score",
    "unparsed",
    "view all",
    "view parsed",
    "wrong only",
)
"""The keys of the words that heatmap.js uses."""

_ESCAPES: Final = ((b"&", b"\\u0026"), (b"<", b"\\u003c"), (b">", b"\\u003e"))
_HTML_LANG: Final[dict[Lang, str]] = {"en": "en", "zh": "zh-Hans", "ru": "ru"}


def as_html(heatmap: Heatmap) -> str:
    """The heatmap as a complete HTML page."""
    lang = heatmap.lang
    style, script = _asset("heatmap.css"), _asset("heatmap.js")
    return Template(_asset("heatmap.html")).substitute(
        lang=_HTML_LANG[lang],
        title=mask_text(escape(heatmap.title)),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        needs_script=escape(heat_word("needs script", lang)),
        keys=escape(heat_word("keys", lang)),
        summary=mask_text(_summary(heatmap)),
        notes=mask_text(_notes(heatmap)),
        data=_data(heatmap),
    )


def _asset(name: str) -> str:
    return (files("assay.report.heatmap") / "assets" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(heatmap: Heatmap) -> str:
    content: dict[str, Any] = {
        "heatmap": {
            name: getattr(heatmap, name)
            for name in heatmap.__struct_fields__
            if name not in {"title", "summary", "notes"}  # they are in the HTML
        },
        "words": {key: heat_word(key, heatmap.lang) for key in _SCRIPT_WORDS},
        "palettes": PALETTES,
        "legends": {
            panel.scale: legend_ends(panel.scale, panel.reach, heatmap.lang)
            for panel in heatmap.panels
        },
    }
    encoded = mask_json(msgspec.json.encode(content))
    for character, code in _ESCAPES:
        encoded = encoded.replace(character, code)
    return encoded.decode()


def legend_ends(scale: Scale, reach: float, lang: Lang) -> tuple[str, str]:
    """The labels at the two ends of a scale.

    >>> legend_ends("recall", 1.0, "en"), legend_ends("difference", 0.4, "en")
    (('accuracy 0%', '100%'), ('lower −40', '+40 higher'))
    """
    if scale == "recall":
        space = "\u00a0" if lang == "ru" else ""
        return f"{heat_word('accuracy', lang)} 0{space}%", f"100{space}%"
    end = shown_decimal(100 * reach, 0)
    if scale == "difference":
        return f"{heat_word('lower', lang)} −{end}", f"+{end} {heat_word('higher', lang)}"
    return f"{heat_word('questions', lang)} 0", f"{reach:.0f}"


def _summary(heatmap: Heatmap) -> str:
    if not heatmap.summary:
        return ""
    titles = "".join(f'<th scope="col">{escape(text)}</th>' for text in heatmap.summary[0])
    rows = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in heatmap.summary[1:]
    )
    return (
        f'<div class="wide"><table id="summary"><thead><tr>{titles}</tr></thead>\n'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _notes(heatmap: Heatmap) -> str:
    if not heatmap.notes:
        return ""
    items = "\n".join(f"<li>{escape(note)}</li>" for note in heatmap.notes)
    return f'<ul id="notes">{items}</ul>'
