"""Draw the pictures of the READMEs again: ``python tools/draw_pictures.py``, about two minutes.

assay draws them offline from its own samples; the same data always give the same bytes.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
ASSAY = (sys.executable, "-m", "assay")
TITLES = {
    "en": "Recall by depth: a reader that keeps 12,000 tokens",
    "zh": "各深度的召回：只保留 12,000 词元的阅读模型",
    "ru": "Полнота по глубине: модель, которая хранит 12 000 токенов",
}


def draw(folder: Path) -> None:
    """Run the experiments of the pictures in ``folder`` and draw them in every language."""
    _run(folder, "init", "work")
    work = folder / "work"
    _run(work, "ablate", "-e", "mrl_dimension", "--no-report")
    _run(work, "depth", "--sample", "--depth-mode", "uniform", "--out", "depth.jsonl")
    for lang, title in TITLES.items():
        name = "" if lang == "en" else f".{lang}"
        _run(work, "report", "mrl_dimension", "--charts", "svg", "--lang", lang)
        chart = work / "experiments/mrl_dimension/charts/effect-avg_gold_coverage.svg"
        shutil.copy(chart, PICTURES / f"effect{name}.svg")
        words = ("--out", "depth.svg", "--title", title, "--lang", lang)
        _run(work, "heatmap", "depth.jsonl", *words)
        shutil.copy(work / "depth.svg", PICTURES / f"depth{name}.svg")


def _run(folder: Path, *words: str) -> None:
    subprocess.run([*ASSAY, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        draw(Path(temporary))
