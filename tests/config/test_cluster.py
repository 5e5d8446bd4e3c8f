"""What ``--on`` and the options of workers may say."""

import pytest

from assay.config.system import read_cluster_options
from assay.errors import UseError


def test_an_address_or_this_machine():
    """``ray`` is this machine, ``ray://`` an address; without ``--on`` there is no cluster."""
    assert read_cluster_options(None) is None
    here = read_cluster_options("ray", workers=3, cpus=0.5)
    assert here is not None
    assert (here.address, here.workers, here.cpus, here.gpus) == (None, 3, 0.5, 0.0)
    there = read_cluster_options("ray://head.example:10001")
    assert there is not None
    assert there.address == "ray://head.example:10001"


@pytest.mark.parametrize("on", ["dask", "ray://", "ray://host", "http://host:1", "ray:host:1"])
def test_anything_else_is_refused(on: str):
    """The message says what may be written."""
    with pytest.raises(UseError, match="write ray for this machine"):
        read_cluster_options(on)


def test_workers_without_a_cluster_are_refused():
    """An option of workers alone would silently do nothing."""
    with pytest.raises(UseError, match="--worker-gpus needs --on ray"):
        read_cluster_options(None, gpus=1.0)
    with pytest.raises(UseError, match="write auto, shared or upload"):
        read_cluster_options("ray", files="ftp")
