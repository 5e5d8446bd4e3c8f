"""Convert the Markdown of the sample annual report to PDF.

    python tools/make_sample_pdf.py [OUT]

The PDF is included in the package, so that ``assay init`` needs neither fpdf2 nor a font. Run
this tool after editing ``report.md``. The same text, font and version of fpdf2 give the same
bytes. The font is DejaVu Sans, from Debian's ``fonts-dejavu`` or from matplotlib.
"""

import importlib.util
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from fpdf import FPDF

SAMPLES = Path(__file__).parent.parent / "src" / "assay" / "data" / "samples" / "ru"
SOURCE = SAMPLES / "report.md"
TARGET = SAMPLES / "report.pdf"
PAGE_MARK = "<!-- page -->"
HEADER = "Горновит · Годовой отчёт 2023"
MARGIN_MM = 20
SIZE = {1: 15, 2: 12.5, 3: 10.5}
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


class Report(FPDF):
    """A4 pages with a running header and a page number, as in printed reports."""

    def header(self) -> None:
        """Write the running header."""
        self.set_font("DejaVu", size=8)
        self.cell(0, 5, HEADER, align="R", new_x="LMARGIN", new_y="NEXT")
        self.ln(3)

    def footer(self) -> None:
        """Write the page number."""
        self.set_y(-15)
        self.set_font("DejaVu", size=8)
        self.cell(0, 5, str(self.page_no()), align="C")


def find_font(name: str) -> Path:
    """Find a font file in the system's font folders or in matplotlib."""
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"]
    matplotlib = importlib.util.find_spec("matplotlib")
    if matplotlib is not None and matplotlib.origin is not None:
        folders.append(Path(matplotlib.origin).parent / "mpl-data" / "fonts")
    for folder in folders:
        for path in sorted(folder.rglob(name)):
            return path
    raise SystemExit(f"the font {name} was not found; install fonts-dejavu")


def make_pdf(markdown: str) -> bytes:
    """Write headings, paragraphs and tables as PDF, with a new page at each page mark."""
    report = Report(format="A4")
    report.set_creation_date(datetime(2024, 4, 26, tzinfo=UTC))
    report.set_producer("assay sample")
    report.set_title("Годовой отчёт за 2023 год")
    report.set_lang("ru")
    report.set_margin(MARGIN_MM)
    report.set_auto_page_break(auto=True, margin=18)
    for style, name in zip(("", "B"), FONTS, strict=True):
        report.add_font("DejaVu", style, find_font(name))
    pages = markdown.split(PAGE_MARK)
    for number, page in enumerate(pages, 1):
        report.add_page()
        for block in re.split(r"\n\s*\n", page.strip()):
            _write(report, block)
        if report.page != number:
            raise SystemExit(f"page {number} of the source does not fit on one page")
    return bytes(report.output())


def _write(report: FPDF, block: str) -> None:
    heading = re.fullmatch(r"(#{1,3}) (.+)", block)
    if heading:
        report.set_font("DejaVu", "B", SIZE[len(heading[1])])
        report.multi_cell(0, 6, heading[2], align="L", new_x="LMARGIN", new_y="NEXT")
        report.ln(1)
    elif block.startswith("|"):
        _write_table(report, block)
    else:
        report.set_font("DejaVu", size=9.5)
        report.multi_cell(0, 4.9, " ".join(block.split()), align="L", new_x="LMARGIN", new_y="NEXT")
        report.ln(2.5)


def _write_table(report: FPDF, block: str) -> None:
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in block.split("\n")]
    report.set_font("DejaVu", size=8.5)
    widths = (1.8, *(1 for _ in rows[0][1:]))
    with report.table(col_widths=widths, first_row_as_headings=True, line_height=5) as table:
        for row in rows:
            if not all(re.fullmatch(r":?-+:?", cell) for cell in row):
                table.row(row)
    report.ln(2.5)


def main() -> None:
    """Write the PDF next to its source, or to the path on the command line."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    out.write_bytes(make_pdf(SOURCE.read_text(encoding="utf-8")))
    print(f"wrote {out.name}: {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
