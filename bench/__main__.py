"""`python -m bench [NAME…] [--json] [--smoke]`: run benchmarks, print ratios; exit status 1 if a target is missed."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench import bots, bullet, card_table, cards, meshes, program, rules, statics, study, whole, window
from bench.finding import Benchmark, Finding

_ROOMS = (rules, cards, statics, bullet, bots, study, meshes, whole, window, card_table, program)
BENCHMARKS: dict[str, Benchmark] = {benchmark.name: benchmark for room in _ROOMS for benchmark in room.BENCHMARKS}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen benchmarks; 0 all targets hold (or a smoke run went through), 1 one is missed, 2 bad use."""
    options = _parser().parse_args(arguments)
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        print(f"bench: no benchmark named {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    missed = False
    for name in options.names or BENCHMARKS:
        findings = _measure(BENCHMARKS[name], options.smoke)
        missed |= not all(finding.holds for finding in findings)
        _show(BENCHMARKS[name], findings, as_json=options.json)
    return int(missed and not options.smoke)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Benchmarks that print ratios against a named anchor measured in the same run."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which to run: {', '.join(BENCHMARKS)} (default: all)")
    parser.add_argument("--json", action="store_true", help="one JSON object a finding, one a line")
    parser.add_argument("--smoke", action="store_true", help="a quick run of each, only to show that they work")
    return parser


def _measure(benchmark: Benchmark, smoke: bool) -> list[Finding]:
    print(f"{benchmark.name}: {benchmark.question}", file=sys.stderr, flush=True)
    return list(benchmark.run(smoke))


def _show(benchmark: Benchmark, findings: Sequence[Finding], *, as_json: bool) -> None:
    if as_json:
        for finding in findings:
            print(json.dumps(finding.to_json()), flush=True)
        return
    table = Table(title=benchmark.question, title_justify="left")
    for column in ("figure", "value", "beside", "ratio", "target", "holds"):
        table.add_column(column, justify="right" if column in ("value", "ratio") else "left")
    for f in findings:
        table.add_row(f.name, f"{f.value:,.4g} {f.unit}", f.anchor, f"{f.ratio:.3g}", f.target, "yes" if f.holds else "NO")
    Console(width=140).print(table)


if __name__ == "__main__":
    sys.exit(main())
