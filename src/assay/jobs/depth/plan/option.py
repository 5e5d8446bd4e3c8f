"""The layout for the options of ``assay depth``, with a check for contradictions."""

from msgspec import Struct

from assay.config import nearest
from assay.errors import UseError
from assay.jobs.depth.plan.slot import MIN_PER_CELL, MODES, Layout, Mode


class LayoutOptions(Struct, frozen=True, kw_only=True):
    """The options as typed by the user; None for options that were not given.

    ``usual_lengths`` are the default lengths.
    """

    mode: str | None = None
    depth: str | None = None
    context_length: str | None = None
    context_lengths: str | None = None
    padding: int | None = None
    max_questions: int | None = None
    per_cell: int | None = None
    min_per_cell: int | None = None
    usual_lengths: tuple[int, ...] = ()


def layout_of(options: LayoutOptions) -> Layout:
    """The layout that the options describe.

    Raises:
        UseError: The options contradict each other, or a value is not valid.
    """
    mode = _mode(options)
    share = None if options.depth is None else depth_share(options.depth)
    if mode == "fixed" and share is None:
        raise UseError("--depth-mode fixed needs a depth: add --depth 0 to 100")
    if mode != "fixed" and share is not None:
        raise UseError(f"--depth is for --depth-mode fixed, not {mode}")
    if mode == "legacy" and options.per_cell is not None:
        raise UseError("--per-cell needs chosen depths: use --depth-mode uniform or fixed")
    if mode != "uniform" and options.min_per_cell is not None:
        raise UseError(f"--min-per-cell is for --depth-mode uniform, not {mode}")
    _check_numbers(options)
    min_per_cell = options.min_per_cell
    return Layout(
        mode=mode,
        lengths=_lengths(options),
        depth=share,
        padding=options.padding,
        max_questions=options.max_questions,
        per_cell=options.per_cell,
        min_per_cell=MIN_PER_CELL if min_per_cell is None else min_per_cell,
    )


def _mode(options: LayoutOptions) -> Mode:
    name = options.mode or "legacy"
    for mode in MODES:
        if mode == name:
            return mode
    raise UseError(f"--depth-mode {name}: no such mode{nearest(name, MODES)}")


def _check_numbers(options: LayoutOptions) -> None:
    numbers = (
        ("--padding-size", options.padding, 0),
        ("--max-questions", options.max_questions, 1),
        ("--per-cell", options.per_cell, 1),
        ("--min-per-cell", options.min_per_cell, 0),
    )
    for option, value, least in numbers:
        if value is not None and value < least:
            raise UseError(f"{option} {value}: must be {least} or more")


def _lengths(options: LayoutOptions) -> tuple[int, ...]:
    if options.context_lengths is not None:
        return token_lengths("--context-lengths", options.context_lengths)
    if options.context_length is not None:
        return token_lengths("--context-length", options.context_length)
    if not options.usual_lengths:
        raise UseError("give the lengths of the contexts, for example --context-lengths 32k,64k")
    return options.usual_lengths


def depth_share(depth: str) -> float:
    """A depth in percent, with or without the percent sign, as a number from 0 to 1.

    A fraction such as 0.5 could mean half a percent or the middle, so it needs the sign.

    >>> depth_share("50"), depth_share("12.5%")
    (0.5, 0.125)
    """
    written = depth.strip()
    try:
        percent = float(written.removesuffix("%"))
    except ValueError:
        raise UseError(f"--depth {depth}: not a number from 0 to 100") from None
    if 0 < percent <= 1 and "%" not in written and not written.isdecimal():
        raise UseError(
            f"--depth {depth}: {percent:g} % or {100 * percent:g} %? "
            f"write {percent:g}% or {100 * percent:g}"
        )
    if not 0 <= percent <= 100:
        raise UseError(f"--depth {depth}: must be between 0 and 100 %")
    return percent / 100


def token_lengths(option: str, value: str) -> tuple[int, ...]:
    """The distinct lengths in a list such as ``4000,8k``, in ascending order.

    >>> token_lengths("--context-lengths", "64k, 32000,64000")
    (32000, 64000)
    """
    lengths = set()
    for word in value.split(","):
        number = word.strip().lower()
        digits = number.removesuffix("k").replace("_", "")
        if not (digits.isascii() and digits.isdecimal()) or int(digits) == 0:
            raise UseError(f"{option} {value}: {word.strip()!r} is not a number of tokens")
        lengths.add(int(digits) * (1000 if number.endswith("k") else 1))
    return tuple(sorted(lengths))
