"""Choose the experiments of a command: by name, all of a file, or one that comes with assay."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from assay.config import Document, Experiment, ExperimentFile, nearest
from assay.errors import UseError


class ExperimentChoice(Struct, frozen=True, kw_only=True):
    """An experiment, by its index in the document that contains it."""

    document: Document[ExperimentFile]
    number: int

    @property
    def experiment(self) -> Experiment:
        """The chosen experiment."""
        return self.document.value.experiments[self.number]

    @property
    def where(self) -> str:
        """The position of the experiment as ``file:line``."""
        return self.document.where("experiments", self.number)


def choose_experiments(
    document: Document[ExperimentFile] | None,
    presets: Document[ExperimentFile],
    names: Sequence[str],
) -> list[ExperimentChoice]:
    """The experiments with these names, from the user's file or else from the presets.

    A preset uses the defaults and baselines of the user's file. A repeated name counts once.

    Raises:
        UseError: Neither the file nor the presets have an experiment with this name.
    """
    sources = [presets]
    if document is not None:
        value = replace(document.value, experiments=presets.value.experiments)
        sources = [document, replace(presets, value=value)]
    return [_find(sources, name) for name in dict.fromkeys(names)]


def all_experiments(document: Document[ExperimentFile]) -> list[ExperimentChoice]:
    """All experiments of a document in their order."""
    count = len(document.value.experiments)
    return [ExperimentChoice(document=document, number=number) for number in range(count)]


def refuse_same_names(choices: Sequence[ExperimentChoice]) -> None:
    """Raise ``UseError`` if two experiments have the same name, and so the same results file."""
    names = [choice.experiment.name for choice in choices]
    for name in names:
        if names.count(name) > 1:
            raise UseError(
                f"two experiments are named {name!r}, so their results would be mixed; rename one"
            )


def _find(sources: Sequence[Document[ExperimentFile]], name: str) -> ExperimentChoice:
    for source in sources:
        for number, experiment in enumerate(source.value.experiments):
            if experiment.name == name:
                return ExperimentChoice(document=source, number=number)
    known = [experiment.name for source in sources for experiment in source.value.experiments]
    raise UseError(f"there is no experiment {name!r}{nearest(name, known)}")
