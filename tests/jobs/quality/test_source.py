"""A PDF is stored in the workspace under its hash; it is read again if the code has changed."""

from pathlib import Path

import pytest

from assay.config.document import ConfigDocument, ExperimentFile
from assay.config.experiment import Defaults
from assay.config.system import PythonConfig, ReferenceConfig
from assay.config.workspace import Workspace
from assay.errors import DatasetError
from assay.jobs.quality import source
from assay.jobs.quality.source import prepare_source, with_source
from tests.jobs.quality.conftest import put_pdf


def test_it_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A PDF is not read a second time, even if it has another name."""
    workspace = Workspace(root=tmp_path)
    first = prepare_source(put_pdf(tmp_path / "a.pdf", "One page.", "Two pages."), workspace)
    assert first.pages == ("One page.", "Two pages.")
    assert (tmp_path / first.manifest).is_file()
    monkeypatch.setattr(source, "read_pdf", None)
    renamed = (tmp_path / "a.pdf").rename(tmp_path / "b.pdf")
    again = prepare_source(renamed, workspace)
    assert (again.sha256, again.pages, again.folder) == (first.sha256, first.pages, first.folder)


def test_other_code_reads_it_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The stored text is not used if another version of the code wrote it."""
    workspace = Workspace(root=tmp_path)
    path = put_pdf(tmp_path / "a.pdf", "One page.")
    prepare_source(path, workspace)
    calls = []
    read_pdf = source.read_pdf

    def note_call(*args: object, **kwargs: object) -> object:
        calls.append(args)
        return read_pdf(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(source, "read_pdf", note_call)
    monkeypatch.setattr(source, "_reader", lambda: "another")
    prepare_source(path, workspace)
    prepare_source(path, workspace)
    assert len(calls) == 1


def test_half_a_cache_is_none(tmp_path: Path):
    """A PDF is read again if its stored record is damaged."""
    workspace = Workspace(root=tmp_path)
    path = put_pdf(tmp_path / "a.pdf", "One page.")
    first = prepare_source(path, workspace)
    (tmp_path / first.folder / "pages.json").write_text('{"reader": ')
    assert prepare_source(path, workspace) == first


def test_what_is_not_there_or_no_pdf_is_one_line(tmp_path: Path):
    """A missing file and one that is not a PDF give a one-line error and write nothing."""
    with pytest.raises(DatasetError, match=r"none\.pdf: cannot be read: No such file"):
        prepare_source(tmp_path / "none.pdf", Workspace(root=tmp_path))
    (tmp_path / "fake.pdf").write_text("hello")
    with pytest.raises(DatasetError, match="not a PDF, or damaged"):
        prepare_source(tmp_path / "fake.pdf", Workspace(root=tmp_path))
    assert not (tmp_path / ".assay").exists()


def test_every_reference_pipeline_gets_the_document(tmp_path: Path):
    """The default pipeline and named ones get the document; other systems do not change."""
    workspace = Workspace(root=tmp_path)
    pdf = prepare_source(put_pdf(tmp_path / "a.pdf", "One page."), workspace)
    file = ExperimentFile(
        defaults=Defaults(chunks_manifest="chunks/manifest.json", top_k=4),
        systems={
            "mine": ReferenceConfig(chunks_manifest="x.json"),
            "other": PythonConfig(target="a:b"),
        },
    )
    document = ConfigDocument(value=file, path=tmp_path / "experiments.yaml", lines={})
    value = with_source(document, pdf, workspace).value
    assert value.defaults.chunks_manifest == pdf.manifest
    assert value.defaults.embedding_cache_dir == pdf.vectors
    assert value.defaults.top_k == 4
    mine = value.systems["mine"]
    assert isinstance(mine, ReferenceConfig)
    assert mine.chunks_manifest == pdf.manifest
    assert value.systems["other"] == file.systems["other"]
    assert with_source(None, pdf, workspace).value.defaults.chunks_manifest == pdf.manifest
