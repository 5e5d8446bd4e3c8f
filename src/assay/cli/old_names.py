"""The names that options had in assay 0.1: every command takes them, and no help shows them."""

from typing import Any

from assay.errors import UseError
from assay.runs.resume import OLD_NAMES, SWITCHES


class OldNames:
    """A command that also takes the old names of its options.

    The old and the new name may both be given if they say the same.
    """

    name: str | None

    def make_parser(self, ctx: Any) -> Any:
        """The parser of the command line, which also knows the old names."""
        parser = super().make_parser(ctx)  # type: ignore[misc]
        by_name = {name: each for each in self.get_params(ctx) for name in each.opts}  # type: ignore[attr-defined]
        olds = {**OLD_NAMES.get(self.name or "", {}), **dict.fromkeys(SWITCHES, "--resume")}
        options = {
            old: by_name[new] for old, new in olds.items() if new in by_name and old not in by_name
        }
        options |= {name: each for each in options.values() for name in each.opts}
        if not options:
            return parser
        for name, option in options.items():
            switch = SWITCHES.get(name)
            action = "append" if switch is None else "append_const"
            parser.add_option(option, [name], _place(option, name), action=action, const=switch)
        parse = parser.parse_args

        def parse_args(args: list[str]) -> Any:
            values, rest, order = parse(args=args)
            found: dict[str, tuple[str, str]] = {}
            for name, option in options.items():
                given = values.pop(_place(option, name), [])
                # of one name the last counts, as everywhere; --resume is never a matter of order
                for value in given if option.name == "resume" else given[-1:]:
                    earlier, chosen = found.setdefault(option.name, (name, value))
                    if chosen != value and not ctx.resilient_parsing:
                        raise UseError(
                            f"{_typed(earlier, chosen)} and {_typed(name, value)} contradict each "
                            "other: give one of them"
                        )
            return values | {name: value for name, (_, value) in found.items()}, rest, order

        parser.parse_args = parse_args
        return parser


def _place(option: Any, name: str) -> str:
    """Where the parser puts what is given by this name."""
    return f"{option.name} {name}"


def _typed(name: str, value: str) -> str:
    return name if name in SWITCHES else f"{name} {value}"
