"""What keeps a machine of the cluster from working is named with its remedy."""

import os
from pathlib import Path

import pytest

from assay.systems.cluster.probe import difference, file_stamps, machine_facts

DRIVER = {"python": "3.11", "ray": "2.60.0", "assay": "1.2.3"}


@pytest.mark.parametrize(
    ("there", "said"),
    [
        ({}, ""),
        ({"python": "3.12"}, "gpu-7 has python 3.12, the driver 3.11: use the same Python on both"),
        ({"ray": "2.50.0"}, "gpu-7 has ray 2.50.0, the driver 2.60.0: install it there"),
        ({"assay": "1.2.2"}, "pip install 'assay-eval[ray]==1.2.3'"),
        ({"assay": None}, "gpu-7 has no assay: install it there"),
    ],
)
def test_another_version_is_one_line(there: dict[str, object], said: str):
    """The line names the machine, both versions and what to do; none if all are the same."""
    told = difference(dict(DRIVER), {**DRIVER, "host": "gpu-7", **there})
    assert said in told
    assert bool(told) == bool(there)


def test_a_folder_is_shared_if_its_files_are_the_same(tmp_path: Path):
    """A machine that sees the same files has a shared folder; one that sees others has not."""
    (tmp_path / "code.py").write_text("x = 1\n")
    stamps = file_stamps([tmp_path])
    assert machine_facts(stamps)["sees_files"]
    os.utime(tmp_path / "code.py", ns=(1, 1))
    assert not machine_facts(stamps)["sees_files"]
    (tmp_path / "code.py").unlink()
    assert not machine_facts(stamps)["sees_files"]
