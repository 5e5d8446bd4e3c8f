"""One or several systems asked as they are: an ablation without an experiment file."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from ipaddress import ip_address
from itertools import chain, count
from pathlib import Path, PurePath
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from msgspec import UNSET, Struct
from msgspec.structs import replace

from assay import __version__
from assay.checks.scorer import DESCRIBED
from assay.config.experiment import check_name
from assay.data.foreign_value import without_secrets
from assay.data.memory_file import set_name
from assay.data.question import CorpusQuestion, read_further_fields, read_questions, set_version
from assay.data.set_note import odd_question_notes, question_notes
from assay.errors import DatasetError, UseError
from assay.jobs.answers.failed_question import EndedRuns, outcome_lines
from assay.jobs.answers.handler import (
    JOB,
    AblationHandler,
    asked,
    compared_with,
    refuse_recut_gold,
    unchecked_gold_notes,
    with_known_gold,
    with_recorded_gold,
    without_gold,
)
from assay.jobs.answers.preparation import (
    file_sha256,
    id_fields,
    ids_of_run,
    is_replayed,
    is_unlabelled,
    plain_primary,
    refuse_undecidable,
)
from assay.jobs.answers.unread_draft import unread_drafts
from assay.jobs.experiment import describe_early_stop, early_stop, early_stop_fields
from assay.jobs.prepared import JobRuns, PreparedRun, RunOptions
from assay.mask import mask_identifier, mask_name, mask_text
from assay.models.address import is_formed_secret, is_named_secret, shown_url
from assay.records import Estimand, Metric, RunHeader, Variant, digest
from assay.report.description import noted, primary_line
from assay.runs.asking_order import ordered_rule, read_order
from assay.runs.plan import product_plan, top_k_placement
from assay.runs.summary import Summary, read_summary
from assay.runs.write import check_rows_path, summary_path
from assay.study.observation import FACTS, question_facts
from assay.systems.load import (
    IDENTITY,
    SYSTEM,
    SideBySide,
    SystemContext,
    default_system,
    load_configuration,
    load_system,
    make_system_context,
)
from assay.systems.protocol import (
    ChecksSettings,
    System,
    TakesRow,
    check_settings,
    corpus_sha256,
    lists_by_rank,
    packs_passages,
    with_configuration,
)
from assay.text.width import labelled
from assay.words.say import say, say_n

# Short names for the variants of a plain run: they must fit into tables and charts.

_UNSAFE: Final = re.compile(r"[^\w.-]+")
_URL: Final = re.compile(r"https?://", re.IGNORECASE)
_REPLAY: Final = "replay:"
_JOINTS: Final = "-._"
_FIRST_WORD: Final = re.compile(r"^[^-._]*[-._]+")
_LONGEST: Final = 40
_LONGEST_URL: Final = 24


def named_variants(
    systems: Sequence[str], prompts: Sequence[str], recorded: Collection[str] = ()
) -> Iterator[tuple[str, str, str]]:
    """The name, the system and the prompt of each variant; names are unique.

    ``recorded`` are the names of a run that exists: it keeps the names of earlier versions.
    """
    taken: set[str] = set()
    for system in systems:
        for prompt in prompts or [""]:
            short, long, earlier = (
                _with_prompt(name, prompt, len(systems), len(prompts)) for name in _names(system)
            )
            if earlier in recorded and earlier not in taken:
                short = earlier
            numbered = (f"{short}-{number}" for number in count(2))
            name = next(each for each in chain((short, long), numbered) if each not in taken)
            taken.add(name)
            yield name, system, prompt


def earlier_names(systems: Sequence[str], prompts: Sequence[str]) -> list[str]:
    """The names that earlier versions gave these variants."""
    old = [
        _with_prompt(_names(system)[2], prompt, len(systems), len(prompts))
        for system in systems
        for prompt in prompts or [""]
    ]
    return [name for name, *_ in named_variants(systems, prompts, old)]


def safe_name(text: str) -> str:
    """The text as a part of the name of a file or a variant.

    >>> safe_name("replay:answers/old.jsonl")
    'replay-answers-old.jsonl'
    """
    return _UNSAFE.sub("-", text).strip("-.")[-_LONGEST:] or "run"


def _names(system: str) -> tuple[str, str, str]:
    """A short name for a system, a longer one, and that of earlier versions; none has a secret.

    >>> _names("python:my_rag:ask")[0], _names("http://127.0.0.1:8917/good")[0]
    ('my_rag.ask', '8917-good')
    """
    # masked before it becomes a plain name, in which an address cannot be recognised any more
    shown = mask_identifier(mask_name(system))
    plain = safe_name(shown.removeprefix("python:").replace(":", "."))
    if system.startswith(_REPLAY) and len(_UNSAFE.sub("-", system)) > _LONGEST:
        short, long = _replay_names(mask_name(system).removeprefix(_REPLAY))
        return short, long, plain
    if not _URL.match(system):
        return plain, plain, plain
    try:
        short, long = map(safe_name, map(mask_name, _url_names(str(without_secrets(system)))))
        return short, long, plain if shown_url(system) == system else short
    except ValueError:  # not a URL after all, which loading it will say
        return plain, plain, plain


def _replay_names(source: str) -> tuple[str, str]:
    """The name of a file without its ending, with its variant; the second one has its folder too.

    >>> _replay_names("/home/ann/experiments/spring/baseline.jsonl#openai")
    ('baseline-openai', 'spring-baseline-openai')
    >>> _replay_names("answers-of-the-system-that-everybody-uses-today.jsonl")[0]
    'of-the-system-that-everybody-uses-today'
    """
    file, _, variant = source.partition("#")
    path = PurePath(file)
    short = [path.stem, variant] if variant else [path.stem]
    return _whole_words("-".join(short)), _whole_words("-".join([path.parent.name, *short]))


def _whole_words(text: str) -> str:
    """As many words of the end of a name as fit; a longer word is cut."""
    name = _UNSAFE.sub("-", text).strip("-.")
    if len(name) <= _LONGEST:
        return name or "run"
    end = name[-_LONGEST:]
    starts = name[-_LONGEST - 1] in _JOINTS
    return end if starts else (_FIRST_WORD.sub("", end, count=1) or end)


def _url_names(url: str) -> tuple[str, str]:
    """The host in short with a port of its own, and as much of the end of the path as fits.

    The second name has the whole host and path.

    >>> _url_names("https://rag.example.com/v1/ask")
    ('rag-v1-ask', 'rag.example.com-v1-ask')
    >>> _url_names("http://localhost:8000")[0], _url_names("http://10.0.0.7/ask?k=5&token=x")[0]
    ('localhost-8000', '10.0.0.7-ask-k-5')
    """
    parts = urlsplit(url)
    host, port = parts.hostname or "", str(parts.port or "")
    given = dict(parse_qsl(parts.query, keep_blank_values=True))
    query = [
        f"{name}-{value}"
        for name, value in given.items()
        if not is_named_secret(name, value) and not is_formed_secret(value)
    ]
    words = [word for word in (*parts.path.split("/"), *query) if word]
    long = safe_name("-".join(word for word in (host, port, *words) if word))
    if _is_local(host) and port and words:
        head = port
    else:
        label = host if _is_address(host) else host.removeprefix("www.").partition(".")[0]
        head = f"{label}-{port}" if port else label
    while len(words) > 1 and len(head) + sum(len(word) + 1 for word in words) > _LONGEST_URL:
        words.pop(0)
    return safe_name("-".join((head, *words))), long


def _is_local(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _with_prompt(name: str, prompt: str, systems: int, prompts: int) -> str:
    """The name of a variant: the prompt is part of it if there are several.

    >>> _with_prompt("openai.small", "brief", 1, 2), _with_prompt("openai.small", "brief", 2, 2)
    ('brief', 'openai.small.brief')
    """
    if prompts > 1 and systems == 1:
        return safe_name(prompt)
    return f"{name}.{safe_name(prompt)}" if prompt and prompts > 1 else name


TOP_K: Final = 10


class _RunHandler(AblationHandler):
    """Its log lines have the name of the command: nobody asked for an ablation."""

    job = "run"


class PlainRunOptions(Struct, frozen=True, kw_only=True):
    """The options of ``assay run`` besides those that all run commands share.

    ``systems`` are written as on the command line, or are names in ``given``: what a program passes,
    a system of its own or a name for one that is written. Those in ``borrowed`` are not closed.
    """

    questions: Path | None = None
    systems: Sequence[str] = ()
    given: Mapping[str, System | str] = {}
    borrowed: Sequence[System] = ()
    prompts: Sequence[Path] = ()
    settings: Mapping[str, Any] = {}
    columns: Mapping[str, str] = {}
    name: str | None = None
    config: Path | None = None
    limit: int | None = None
    top_k: int | None = None
    primary: str | None = None
    out: Path | None = None
    allow_missing_gold: bool = False
    span_share: float | None = None
    stop_early: bool = False
    scorers: Sequence[Metric] = ()


class _Asked(Struct, frozen=True, kw_only=True):
    """What is asked: the system of each variant together, and the variants.

    ``packed`` are the names of those whose passages are listed as in the prompt.
    """

    system: System
    variants: tuple[Variant, ...]
    packed: frozenset[str]


def prepare(options: PlainRunOptions, run: RunOptions) -> JobRuns:
    """Read the questions and load the systems; no question is asked yet."""
    workspace = run.find_workspace()
    document = load_configuration(workspace, options.config)
    context = make_system_context(
        workspace,
        document,
        use_cache=not run.no_call_cache,
        concurrency=run.concurrency,
        cluster=run.cluster,
        imports=not run.dry_run,
        columns=options.columns,
    )
    path = options.questions
    if path is None and context.defaults.questions_path is not None:
        path = workspace.resolve(context.defaults.questions_path, "questions_path")
    if path is None:
        raise UseError("name a file of questions with --questions FILE")

    systems = options.systems or [default_system(context.defaults, workspace)]
    options = replace(options, systems=systems, scorers=run.scorers)
    ended = EndedRuns()

    def prepared() -> Iterator[PreparedRun]:
        folder = options.out or workspace.experiments_dir
        yield ended.collecting(
            _prepare(
                path,
                options,
                context,
                folder,
                documents=run.documents,
                fresh=run.resume == "fresh",
            )
        )

    return JobRuns(
        settings=run.run_settings(document),
        prepared=prepared,
        close=context.close,
        outcome_json=lambda: ended.as_json()[0],
    )


def _prepare(
    path: Path,
    options: PlainRunOptions,
    context: SystemContext,
    folder: Path,
    *,
    documents: Estimand | None,
    fresh: bool,
) -> PreparedRun:
    named = None if options.name is None else mask_identifier(check_name(options.name))
    name = named or default_name(path, folder, *_asked_systems(options))
    journal = check_rows_path(folder / f"{name}.jsonl")
    sha256 = file_sha256(path)
    ids_by = ids_of_run(journal, path, sha256, options.columns, fresh=fresh)
    questions = read_questions(path, options.columns, ids_by=ids_by)
    questions = questions[: options.limit] if options.limit else questions
    target = _load(options, context, () if fresh else _recorded_names(journal))
    replayed = is_replayed(target.system, path, options.columns)
    primary = plain_primary(options.primary, questions, scorers=options.scorers)
    top_k = options.top_k or context.defaults.top_k
    selected = with_known_gold(
        questions, target.system, str(path), allow=options.allow_missing_gold
    )
    refuse_recut_gold(selected, target.variants, str(path))
    describes = is_unlabelled(selected)
    baseline = target.variants[0].name
    early = early_stop(primary, target.variants, baseline, is_asked_for=options.stop_early)
    if early is not None:
        refuse_undecidable(primary, selected)
        begun = None if fresh else read_order(journal)
        early, ordered = ordered_rule(early, selected, begun, documents)
        selected = tuple(ordered)
    takes_row = isinstance(target.system, TakesRow) and target.system.takes_row
    rows = read_further_fields(path, options.columns, ids_by=ids_by) if takes_row else None
    span_share = options.span_share or context.defaults.gold_span_share
    plan = product_plan(
        questions=selected,
        variants=target.variants,
        placements=[top_k_placement(top_k)],
        system=target.system.identity,
        asked=partial(asked, rows=rows),
        against=compared_with,
        with_recorded_gold=with_recorded_gold,
        early_stop=early,
        header_covers_questions=True,
    )
    header = RunHeader(
        job=JOB,
        name=name,
        system=target.system.identity,
        variants=target.variants,
        total=plan.total,
        questions_path=str(path),
        questions_sha256=sha256,
        limit=options.limit or 0,
        top_k=top_k,
        judging=digest(
            [
                __version__,
                sha256,
                lists_by_rank(target.system),
                span_share,
                *([sorted(target.packed)] if target.packed else []),
                *([DESCRIBED] if describes else []),
            ]
        ),
        extra={
            "description": "",
            "design": "single",
            "baseline": baseline,
            "primary": primary.name,
            "ablation_variable": [SYSTEM] if len(target.variants) > 1 else [],
            "questions": len(selected),
            **({"corpus_sha256": corpus} if (corpus := corpus_sha256(target.system)) else {}),
            **without_gold(selected),
            **({FACTS: question_facts([(q.id, q.text) for q in selected])} if describes else {}),
            **unread_drafts(path, selected, options.columns, ids_by=ids_by),
            "questions_version": set_version(path, options.columns),
            **({"columns": dict(options.columns)} if options.columns else {}),
            **id_fields(path, options.columns, ids_by=ids_by),
            **early_stop_fields(early, selected),
        },
    )
    return PreparedRun(
        plan=plan,
        system=target.system,
        handler=_RunHandler(
            target.system,
            target.packed,
            rows,
            span_share=span_share,
            describes=describes,
            borrowed=options.borrowed,
        ),
        header=header,
        journal=journal,
        description=(*_describe(header, primary, selected), *describe_early_stop(early)),
        outcome=lambda result: outcome_lines(result.recorded.findings, journal, header, primary),
        writes_report=True,
        is_named=named is not None,
        own_notes=(
            *map(noted, question_notes(path, options.columns, is_replayed=replayed)),
            *map(noted, odd_question_notes(path, questions)),
            *unchecked_gold_notes(target.system, allow=options.allow_missing_gold),
        ),
    )


def default_name(
    path: Path,
    folder: Path,
    asked: Sequence[str],
    prompts: Sequence[str] = (),
    *,
    prefix: str = "run",
) -> str:
    """The name that follows from the file of questions, unless another run has it.

    If a run of other systems has it, these systems are part of the name, so that both are kept. A
    run that an earlier version named is found again.
    """
    systems = [name for name, *_ in named_variants(asked, prompts)]
    earlier = earlier_names(asked, prompts)
    plain, ending = f"{prefix}-{safe_name(mask_identifier(set_name(path)))}", safe_name(path.suffix)
    further = (f"{plain}-{ending}-{number}" for number in count(2))
    stem = next(
        name
        for name in chain((plain, f"{plain}-{ending}"), further)
        if (summary := read_summary(folder / f"{name}.json")) is None
        or _is_of(summary.questions_path, path)
    )

    def is_same(summary: Summary) -> bool:
        known = [_is_about(summary.variants, names) for names in (systems, earlier)]
        return _is_of(summary.questions_path, path) and any(known)

    with_earlier, with_systems = (
        f"{stem}-{safe_name(mask_identifier('-'.join(names)))}" for names in (earlier, systems)
    )
    recorded = read_summary(folder / f"{with_earlier}.json")
    if earlier != systems and recorded is not None and is_same(recorded):
        return with_earlier
    numbered = (f"{with_systems}-{number}" for number in count(2))
    return next(
        name
        for name in chain((stem, with_systems), numbered)
        if (summary := read_summary(folder / f"{name}.json")) is None or is_same(summary)
    )


def _recorded_names(journal: Path) -> list[str]:
    """The names of the variants of a run, if it exists."""
    summary = read_summary(summary_path(journal))
    return [variant.name for variant in summary.variants] if summary else []


def _is_about(recorded: Sequence[Variant], systems: Sequence[str]) -> bool:
    """Whether the variants of a run are these systems; a redacted run records masked names.

    A run of systems side by side goes on if another system is added, because it loses none.
    """
    names = {variant.name for variant in recorded}
    return any(
        names == chosen or (len(names) > 1 and names < chosen)
        for chosen in (set(systems), {mask_text(name) for name in systems})
    )


def _is_of(recorded: str | None, path: Path) -> bool:
    """Whether a recorded path means this file; one from another folder is known by its name."""
    if recorded is None:
        return False
    if recorded == mask_text(str(path)):  # a redacted run records the masked path
        return True
    other = Path(recorded)
    return other.samefile(path) if other.exists() and path.exists() else other.name == path.name


def _asked_systems(options: PlainRunOptions) -> tuple[list[str], list[str]]:
    """The systems and the names of the prompts; nothing is loaded yet."""
    return list(options.systems), list(dict.fromkeys(path.stem for path in options.prompts))


def _load(options: PlainRunOptions, context: SystemContext, recorded: Collection[str]) -> _Asked:
    """Load the systems; several of them, or several prompts, become variants of one run.

    ``recorded`` are the names of the variants that the run has already.
    """
    chosen = dict(options.settings)
    named = list(named_variants(*_asked_systems(options), recorded))
    systems = {
        spec: _loaded(options.given.get(spec, spec), context)
        for spec in dict.fromkeys(spec for _, spec, _ in named)
    }
    prompts = {path.stem: _read_prompt(path) for path in options.prompts}
    variants: list[Variant] = []
    by_name: dict[str, System] = {}
    for name, spec, prompt in named:
        given = {**chosen, **({"system_prompt": prompts[prompt]} if prompt else {})}
        settings = _complete(systems[spec], given, spec)
        variants.append(with_configuration(Variant(name=name, settings=settings), systems[spec]))
        by_name[name] = systems[spec]
    packed = frozenset(each.name for each in variants if packs_passages(each, by_name[each.name]))
    if len(variants) == 1:
        system = by_name[variants[0].name]
        return _Asked(system=system, variants=tuple(variants), packed=packed)
    marked = [
        replace(
            variant,
            settings={
                SYSTEM: variant.name,
                IDENTITY: by_name[variant.name].identity,
                **variant.settings,
            },
        )
        for variant in variants
    ]
    return _Asked(system=SideBySide(by_name), variants=tuple(marked), packed=packed)


def _loaded(asked: System | str, context: SystemContext) -> System:
    return load_system(asked, context) if isinstance(asked, str) else asked


def _complete(system: System, given: Mapping[str, Any], spec: str) -> dict[str, Any]:
    check_settings(system, given, f"--set for {spec}")
    defaults = {
        name: setting.default
        for name, setting in (system.settings or {}).items()
        if setting.default is not UNSET
    }
    complete = {**defaults, **given}
    if isinstance(system, ChecksSettings):
        system.check(complete)
    return complete


def _read_prompt(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"{path}: cannot be read: {error}") from None
    if not text:
        raise DatasetError(f"{path}: the prompt is empty")
    return text


def _describe(
    header: RunHeader, primary: Metric, questions: Sequence[CorpusQuestion]
) -> Iterator[str]:
    names = ", ".join(variant.name for variant in header.variants)
    if len(header.variants) > 1:
        first = header.variants[0].name
        names = say("{names}; compared with {baseline}", names=names, baseline=first)
    yield labelled(say("run"), header.name)
    yield labelled(say("systems"), names)
    yield labelled(say("primary"), primary_line(primary, header.top_k))
    known = Counter(
        kind
        for question in questions
        for kind in ("gold", "answer")
        if (question.gold or question.spans if kind == "gold" else question.answers)
    )
    counts = say_n(
        "{n} of {file} (version {version}), {gold} with gold, {answers} with an expected answer; {cases} case",
        "{n} of {file} (version {version}), {gold} with gold, {answers} with an expected answer; {cases} cases",
        header.total,
        n=len(questions),
        file=header.questions_path,
        version=header.extra["questions_version"],
        gold=known["gold"],
        answers=known["answer"],
        cases=header.total,
    )
    yield labelled(say("questions"), counts)
