"""The numbers of a map for programs."""

import json
from pathlib import Path

import msgspec
import pytest

from assay.jobs.depth.map.json_data import depth_json, novel_json
from assay.jobs.depth.map.results import read_cells
from tests.support.depth_results import published_row, published_rows, small, write_results


def test_one_model_has_cells_and_averages(tmp_path: Path):
    """Each cell has exactly the six names; an empty one is null, not zero."""
    path = small(tmp_path / "r.jsonl", [published_row(1, 1000, "0%", 1.0)])
    made = json.loads(msgspec.json.encode(depth_json(read_cells([path]))))
    names = {"context_length", "depth_bin", "accuracy", "n", "unparsed", "interval"}
    assert all(set(cell) == names for cell in made["cells"])
    assert [cell["accuracy"] for cell in made["cells"]] == [1.0, None]
    assert made["cells"][0]["interval"]["method"] == "wilson"
    assert made["averages"]["overall"]["mean_of_cells"] == 1.0
    assert made["averages"]["by_depth_bin"][1]["mean_of_questions"] is None


def test_averages_hold_both_means(tmp_path: Path):
    """By length, by depth and over all; the view is named."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    made = depth_json(read_cells([path]), "parsed")
    row = made["averages"]["by_context_length"][1]
    assert (made["view"], row["context_length"], row["n"]) == ("parsed", 8000, 54)
    assert row["mean_of_cells"] == pytest.approx((3 + 9.8 / 11 + 0.98) / 5)
    assert row["mean_of_questions"] == pytest.approx((33 + 9.8 + 9.8) / 54)


def test_several_models_have_their_differences(tmp_path: Path):
    """Each model as if alone, then every other against the first."""
    paths = [
        small(
            tmp_path / f"{name}.jsonl",
            [published_row(n, 1000, "0%", score) for n in range(12)],
            model=name,
        )
        for name, score in (("base", 1.0), ("weak", 0.0))
    ]
    made = depth_json(read_cells(paths))
    assert [model["model"] for model in made["models"]] == ["base", "weak"]
    (difference,) = made["differences"]
    assert (difference["baseline"], difference["cells"][0]["significant"]) == ("base", True)


def test_stretches_of_the_novel(tmp_path: Path):
    """The map along the novel as numbers, from the first token to the last."""
    path = write_results(tmp_path / "r.jsonl", published_rows())
    made = novel_json(read_cells([path]), "coverage", number=5)
    assert made["stretches"][0]["start"] == 0
    assert made["stretches"][-1]["end"] == made["novel_tokens"]
    assert sum(part["questions"] for part in made["stretches"]) == 369
