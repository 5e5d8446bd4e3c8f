"""Which experiments a command runs: those it names, all of a file, or one that comes with assay."""

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
        """The experiment itself."""
        return self.document.value.experiments[self.number]

    @property
    def where(self) -> str:
        """Its ``file:line``."""
        return self.document.where("experiments", self.number)


def choose_experiments(
    document: Document[ExperimentFile] | None,
    presets: Document[ExperimentFile],
    names: Sequence[str],
) -> list[ExperimentChoice]:
    """The experiments of these names; the user's file is searched before the presets.

    A preset runs with the defaults and baselines of the user's file. A name that is given twice
    counts once. Raises ``UseError`` for a name that neither has.
    """
    sources = [presets]
    if document is not None:
        value = replace(document.value, experiments=presets.value.experiments)
        sources = [document, replace(presets, value=value)]
    return [_find(sources, name) for name in dict.fromkeys(names)]


def all_experiments(document: Document[ExperimentFile]) -> list[ExperimentChoice]:
    """Every experiment of a document, in its order."""
    count = len(document.value.experiments)
    return [ExperimentChoice(document=document, number=number) for number in range(count)]


def refuse_same_names(choices: Sequence[ExperimentChoice]) -> None:
    """Raise ``UseError`` if two experiments share a name: they would share a results file."""
    names = [choice.experiment.name for choice in choices]
    for name in names:
        if names.count(name) > 1:
            raise UseError(f"two experiments are named {name!r}; their results would mix")


def _find(sources: Sequence[Document[ExperimentFile]], name: str) -> ExperimentChoice:
    for source in sources:
        for number, experiment in enumerate(source.value.experiments):
            if experiment.name == name:
                return ExperimentChoice(document=source, number=number)
    known = [experiment.name for source in sources for experiment in source.value.experiments]
    raise UseError(f"there is no experiment {name!r}{nearest(name, known)}")
