"""The map of depth results as the page shows it."""

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from assay.errors import UseError
from assay.jobs.depth.map.results import ModelResults, read_cells
from assay.web import embedded
from assay.web.depth_map import MapOptions, MapView, map_view
from assay.web.embedded import map_page
from tests.support.depth_results import published_row, published_rows, small, write_results


@pytest.fixture(name="models", scope="module")
def _models(tmp_path_factory: pytest.TempPathFactory) -> list[ModelResults]:
    """A good model, and one that fails at the start of short contexts."""
    folder = tmp_path_factory.mktemp("results")
    weak = [published_row(n, 4000, "0%", 0.0) for n in range(11)]
    return read_cells(
        [
            write_results(folder / "good.jsonl", published_rows()),
            write_results(folder / "weak.jsonl", weak, model="lamp/weak"),
        ]
    )


def data_of(view: MapView, chart: int = 0) -> Any:
    """The data of a chart as the page reads them."""
    return msgspec.to_builtins(view.charts[chart].data)


def test_a_map_of_several_models_has_each_and_the_differences_to_the_first(
    models: list[ModelResults],
):
    """All models are on one grid; a difference says what a mark means."""
    data = data_of(map_view(models, MapOptions()))
    assert [each["model"] for each in data["models"]] == ["lamp/reader-1", "lamp/weak"]
    cells = [
        len(each["views"][view]["cells"]) for each in data["models"] for view in ("all", "parsed")
    ]
    assert cells == [35] * 4
    (difference,) = data["differences"]
    assert (difference["model"], difference["baseline"]) == ("lamp/weak", "lamp/reader-1")
    first = difference["views"]["all"]["cells"][0]
    assert (first["difference"], first["significant"]) == (-1.0, True)
    assert "Holm" in difference["note"]["en"]


def test_every_cell_with_answers_leads_to_its_questions(models: list[ModelResults]):
    """The listings of cells and of differences are those of their models."""
    view = map_view(models, MapOptions())
    data = data_of(view)
    numbers = [
        cell["listing"]
        for each in [*data["models"], *data["differences"]]
        for cell in each["views"]["all"]["cells"]
        if cell["listing"] is not None
    ]
    assert sorted(numbers) == list(range(len(view.listings)))
    assert view.listings[numbers[-1]].models == ("lamp/weak", "lamp/reader-1")


def test_failures_are_counted_apart_from_wrong_answers(tmp_path: Path):
    """A cell whose cases all failed has no accuracy, and says how many failed."""
    row = published_row(1, 1000, "100%", 1.0, key="k", status="failed", error="x")
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0), row])
    cells = data_of(map_view(read_cells([path]), MapOptions()))["models"][0]["views"]["all"][
        "cells"
    ]
    shown = [(cell["accuracy"], cell["n"], cell["failed"]) for cell in cells]
    assert shown == [(1.0, 1, 0), (None, 0, 1)]


@pytest.mark.parametrize(
    ("mode", "kinds"),
    [
        ("coverage", ["stretches"]),
        ("accuracy", ["stretches"]),
        ("combined", ["stretches", "stretches"]),
        ("combined_depth", ["heatmap", "stretches", "stretches"]),
    ],
)
def test_a_mode_has_its_maps(models: list[ModelResults], mode: Any, kinds: list[str]):
    """Maps along the novel have a row for each model, and the parts that were asked for."""
    view = map_view(models[:1], MapOptions(mode=mode, bins=8))
    assert [chart.kind for chart in view.charts] == kinds
    (row,) = data_of(view, -1)["models"]
    assert len(row["views"]["all"]) == 8
    assert sum(part["questions"] for part in row["views"]["all"]) == 369


def test_without_positions_the_map_by_depth_stands_alone(tmp_path: Path):
    """A note says why the others are missing; alone, they cannot be drawn."""
    row = published_row(1, 1000, "0%", 1.0)
    del row["position"]
    models = read_cells([small(tmp_path / "r.jsonl", [row])])
    view = map_view(models, MapOptions(mode="combined_depth"))
    assert [chart.kind for chart in view.charts] == ["heatmap"]
    assert "no position in the novel" in view.summary.notes[-1].en
    with pytest.raises(UseError, match="no position"):
        map_view(models, MapOptions(mode="combined"))


def test_the_texts_are_in_all_languages(models: list[ModelResults]):
    """The page can be switched to any of them."""
    view = map_view(models, MapOptions())
    assert view.title.zh.startswith("深度召回热力图")
    assert [column.ru for column in view.summary.columns][:2] == ["модель", "набор данных"]
    assert map_view(models, MapOptions(title="Mine")).title.ru == "Mine"


def test_a_file_of_maps_holds_them_in_a_block_that_ends_no_element(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The data are compressed; markup and keys in answers are in no element of the file."""
    monkeypatch.setattr(embedded, "bundle_file", {"app.js": b"1", "app.css": b"b{}"}.__getitem__)
    key = "sk-or-v1-0123456789abcdef"
    row = published_row(1, 1000, "0%", 1.0, question="</script><b>", model_answer=[f"b {key}"])
    models = read_cells([small(tmp_path / "r.jsonl", [row])])
    page = map_page("r", map_view(models, MapOptions()), []).decode()
    head = re.search(r'id="assay-head">(.*?)</script>', page)
    assert head is not None
    block = re.search(rf'id="assay-{json.loads(head[1])["map"]}">(.*?)</script>', page)
    assert block is not None
    data = gzip.decompress(base64.b64decode(block[1])).decode()
    assert "</script><b>" in json.loads(data)["questions"][0]["text"]
    assert key not in data
    assert page.count("</script>") == 3
