"""The numbers of a map as JSON data."""

import json
from pathlib import Path

import msgspec
import pytest

from assay.jobs.depth.map.json_data import depth_json, novel_json
from assay.jobs.depth.map.results import read_cells
from tests.support.depth_results import published_row, published_rows, small, write_results


def test_one_model_has_cells_and_averages(tmp_path: Path):
    """Each cell has exactly six fields; an empty cell has null, not zero."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    data = json.loads(msgspec.json.encode(depth_json(read_cells([path]))))
    names = {"context_length", "depth_bin", "accuracy", "n", "unparsed", "interval"}
    assert all(set(cell) == names for cell in data["cells"])
    assert [cell["accuracy"] for cell in data["cells"]] == [1.0, None]
    assert data["cells"][0]["interval"]["method"] == "wilson"
    assert data["averages"]["overall"]["mean_of_cells"] == 1.0
    assert data["averages"]["by_depth_bin"][1]["mean_of_questions"] is None


def test_averages_hold_both_means(tmp_path: Path):
    """The averages have both means by length, by depth and overall; the view is named."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    data = depth_json(read_cells([path]), "parsed")
    row = data["averages"]["by_context_length"][1]
    assert (data["view"], row["context_length"], row["n"]) == ("parsed", 8000, 54)
    assert row["mean_of_cells"] == pytest.approx((3 + 9.8 / 11 + 0.98) / 5)
    assert row["mean_of_questions"] == pytest.approx((33 + 9.8 + 9.8) / 54)


def test_several_models_have_their_differences(tmp_path: Path):
    """Several models have their own data, and the differences of each to the first."""
    paths = [
        small(
            tmp_path / f"{name}.jsonl",
            [published_row(n, 1000, "0%", score) for n in range(12)],
            model=name,
        )
        for name, score in (("base", 1.0), ("weak", 0.0))
    ]
    data = depth_json(read_cells(paths))
    assert [model["model"] for model in data["models"]] == ["base", "weak"]
    (difference,) = data["differences"]
    assert (difference["baseline"], difference["cells"][0]["significant"]) == ("base", True)


def test_stretches_of_the_novel(tmp_path: Path):
    """The stretches cover the novel from the first token to the last."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    data = novel_json(read_cells([path]), "coverage", number=5)
    assert data["stretches"][0]["start"] == 0
    assert data["stretches"][-1]["end"] == data["novel_tokens"]
    assert sum(part["questions"] for part in data["stretches"]) == 369
