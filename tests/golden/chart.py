"""What an SVG chart shows, as lines: its texts and shapes in drawing order.

Coordinates are rounded to a tenth of a point. The outlines of letters are left out. A chart
with Chinese characters is laid out by the fonts of the machine, or shows ``?`` for want of one:
of such a chart the record has the texts, with ``?`` for these characters, and the colours of
the shapes, but no coordinates.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_FOREIGN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef?]")
_COLOUR = re.compile(r"(?:fill|stroke|opacity|fill-opacity|stroke-dasharray): [^;]+")


def chart_lines(svg: str) -> str:
    """A line for each text and shape of the chart."""
    parser = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))
    root = ET.fromstring(svg, parser=parser)
    lines = [f"size {_rounded(root.get('width', ''))} {_rounded(root.get('height', ''))}"]
    lines += _walk(root)
    if any(_FOREIGN.search(line) for line in lines if line.startswith("text")):
        lines = ["(no coordinates: laid out by the machine's fonts)", *map(_placeless, lines[1:])]
    return "\n".join(lines) + "\n"


def _walk(element: ET.Element) -> Iterator[str]:
    comment = ""
    for child in element:
        if child.tag is ET.Comment:
            comment = (child.text or "").strip()
        elif comment:  # matplotlib writes a text as a comment, then its letters as a group
            yield f"text {_place(child)} {_style(child)} {comment}"
            comment = ""
        elif child.tag == f"{_SVG}path":
            yield f"path {_style(child)} {_rounded(child.get('d', ''))}"
        elif child.tag == f"{_SVG}use":
            x, y = (_rounded(child.get(name, "")) for name in ("x", "y"))
            yield f"mark {x} {y} {_style(child)}"
        elif child.tag == f"{_SVG}rect":
            box = " ".join(_rounded(child.get(name, "")) for name in ("x", "y", "width", "height"))
            yield f"rect {box} {_style(child)}"
        elif child.tag == f"{_SVG}image":
            yield f"image {_rounded(child.get('transform', ''))} {len(child.get(_LINK, ''))}"
        elif child.tag not in {f"{_SVG}metadata", f"{_SVG}defs"}:
            yield from _walk(child)


def _rounded(text: str) -> str:
    words = _NUMBER.sub(lambda number: f"{float(number.group()) + 0.0:.1f}", text).split()
    return re.sub(r"-0\.0\b", "0.0", " ".join(words))


def _place(letters: ET.Element) -> str:
    """Where a text is, how it is turned, and its size in points."""
    transform = letters.get("transform", "")
    size = re.search(r"scale\(([\d.]+)", transform)
    turned = _rounded(re.sub(r"scale\([^)]*\)", "", transform))
    return f"{turned} {100 * float(size.group(1)):.1f}pt" if size else turned


def _style(element: ET.Element) -> str:
    return ",".join(sorted(_COLOUR.findall(element.get("style", "")))).replace(" ", "")


def _placeless(line: str) -> str:
    """The line without its numbers of place; a text with ``?`` for what no font may have."""
    kind, _, rest = line.partition(" ")
    if kind == "text":
        after = re.sub(r"^(?:\w+\([^)]*\)\s*)+[\d.]+pt ", "", rest)
        return "text " + _FOREIGN.sub("?", after)
    style = next((word for word in rest.split() if ":" in word), "")
    return f"{kind} {style}"
