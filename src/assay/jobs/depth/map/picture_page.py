"""The page of a heatmap where the page of ``assay view`` was not built: pictures with hover texts.

The picture is the one that is written for papers. The same numbers follow as tables, for readers who
cannot see it. The page has no script and needs no network.
"""

from collections.abc import Sequence
from html import escape

from msgspec.structs import replace

from assay.jobs.depth.map.chart import svg_with_hover_texts
from assay.jobs.depth.map.tile import Heatmap, Panel, Tile
from assay.jobs.depth.map.words import heat_word
from assay.mask import mask_text
from assay.report.look import PAGE
from assay.words.language import Lang

_HTML_LANG: dict[Lang, str] = {"en": "en", "zh": "zh-Hans", "ru": "ru"}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE = """
:root {{ color-scheme: light; }}
body {{ max-width: 62rem; margin: 2rem auto; padding: 0 1rem; background: {paper}; color: {ink}; \
font: 1rem/1.5 system-ui, "Noto Sans CJK SC", sans-serif; }}
h1 {{ font-size: 1.25rem; }}
figure {{ margin: 1.5rem 0; overflow-x: auto; }}
figure > svg {{ display: block; max-width: 100%; height: auto; }}
g[id^="text"] {{ pointer-events: none; }}
g[id^="tile"]:hover {{ filter: brightness(0.92); }}
.numbers {{ overflow-x: auto; }}
table {{ margin-top: 1rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }}
caption {{ text-align: start; font-weight: 600; }}
th, td {{ padding: 0.2rem 0.6rem; border-bottom: 1px solid {line}; text-align: end; }}
th:first-child {{ text-align: start; }}
summary {{ color: {accent}; cursor: pointer; }}
"""
_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""


def picture_page(heatmaps: Sequence[Heatmap], title: str) -> str:
    """The heatmaps, one after the other, with their table and their notes, as a complete page."""
    lang = heatmaps[0].lang
    shown = [replace(heatmaps[0], title="")] if len(heatmaps) == 1 else heatmaps
    parts = [part for heatmap in shown for part in _parts(heatmap, title)]
    parts.append(_table("", [list(row) for row in heatmaps[-1].summary]))
    notes = dict.fromkeys(note for heatmap in heatmaps for note in heatmap.notes)
    notes |= dict.fromkeys(panel.note for each in heatmaps for panel in each.panels if panel.note)
    parts += [f"<p>{escape(note)}</p>" for note in notes]
    return mask_text(
        _PAGE.format(
            lang=_HTML_LANG[lang],
            policy=_POLICY,
            title=escape(title),
            style=_STYLE.format(**PAGE["light"]),
            body="\n".join(parts),
        )
    )


def _parts(heatmap: Heatmap, title: str) -> list[str]:
    label = escape(heatmap.title or title, quote=True)
    figure = f'<figure role="group" aria-label="{label}">{svg_with_hover_texts(heatmap)}</figure>'
    tables = [_numbers(heatmap, panel) for panel in heatmap.panels]
    name = escape(heat_word("numbers", heatmap.lang))
    return [figure, f"<details><summary>{name}</summary>{''.join(tables)}</details>"]


def _numbers(heatmap: Heatmap, panel: Panel) -> str:
    """A table with a row for each tile: what its hover text says."""
    tiles = [tile for tile in panel.all_tiles if tile.tip]
    places = [heat_word(key, heatmap.lang) for key in ("length", "tip depth", "stretch")]
    names = list(dict.fromkeys(name for tile in tiles for name, _ in tile.tip))
    names.sort(key=lambda name: name not in places)
    return _table(panel.name, [names, *([_fact(tile, name) for name in names] for tile in tiles)])


def _fact(tile: Tile, name: str) -> str:
    return dict(tile.tip).get(name, "")


def _table(caption: str, rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    heads = "".join(f'<th scope="col">{escape(text)}</th>' for text in rows[0])
    body = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td>{escape(text)}</td>" for text in row[1:])
        + "</tr>"
        for row in rows[1:]
    )
    head = f"<caption>{escape(caption)}</caption>" if caption else ""
    return (
        f'<div class="numbers"><table>{head}<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )
