"""The detectors on labelled data: precision and recall by language and source.

    python bench/detect.py                                  all sections, on what is in the repository
    python bench/detect.py --data FOLDER                    also on public data sets in that folder
    python bench/detect.py abstention --more FILE.jsonl     also on data of your own
    python bench/detect.py abstention --failures            wrong verdicts on tuned data

Each section is a module of ``bench/detectors`` with a function ``rows(options)``, which returns the
rows of its table, and ``NAME``. Data is either *tuned* (rules were written while looking at it) or
*untouched*; wrong verdicts are printed for tuned data only. The figures are in docs/detectors.md.

FOLDER has ``xquad/xquad.{en,ru,zh}.json``, ``abstention/dev.jsonl`` and ``novels/*.txt``. A line of FILE.jsonl has
``text``, ``abstains``, ``lang``, ``from``, ``set`` ("tuned" or "untouched") and, if it is known,
``question``.
"""

import argparse
from pathlib import Path

from detectors import SECTIONS
from detectors.table import Options, show


def main() -> None:
    """Print the tables of the chosen sections."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    names = [section.NAME for section in SECTIONS]
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=", ".join(names))
    parser.add_argument("--data", type=Path, help="a folder with public data sets")
    parser.add_argument("--more", type=Path, action="append", default=[], help="a JSON Lines file")
    parser.add_argument("--failures", action="store_true", help="print wrong verdicts")
    arguments = parser.parse_args()
    options = Options(data=arguments.data, more=arguments.more, failures=arguments.failures)
    for section in SECTIONS:
        if not arguments.sections or section.NAME in arguments.sections:
            show(section.NAME, section.rows(options))


if __name__ == "__main__":
    main()
