"""The command line of benchmarks/run."""

import argparse
import json
import time

from . import aims, contestants, hot, instructions, machine, parts, profile, report
from . import setup, table
from .figures import Figures
from .racing import Race
from .workloads import WORKLOADS

DESCRIPTION = "The race of librac against plain C and its peers."
EPILOG = """the parts, and their minutes on a quiet machine of two cores:
  race          librac in C, plain C, peers in C, C++ and Python          {race}
  python        the Python package beside its peers                       {python}
  swift         the Swift package beside the C names                      {swift}
  growth        how cost grows, for the plot                              {growth}
  instructions  callgrind's counts, which a busy machine does not change  {instructions}
  size          librac.so without the operators that RAC did not have     {size}
"""
MINUTES = {"race": 8, "python": 1, "swift": 1, "growth": 2, "instructions": 2, "size": 2}


def arguments():
    parser = argparse.ArgumentParser(
        prog="benchmarks/run",
        description=DESCRIPTION,
        epilog=EPILOG.format(**MINUTES),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", help="only workloads with one of these in their name"
    )
    parser.add_argument(
        "--parts",
        metavar="NAMES",
        help="what to run, with commas between (default: race; with --write: all)",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="rewrite docs/Measurements.md, with what the parts that do not run now "
        "have measured last, and record instruction counts",
    )
    parser.add_argument(
        "--report",
        action="store_true",
        help="run nothing: --write from what was measured last",
    )
    parser.add_argument(
        "--build", action="store_true", help="only build what the parts need"
    )
    parser.add_argument("--rounds", type=int, help="how many (default: 21)")
    parser.add_argument("--quick", action="store_true", help="3 short rounds")
    parser.add_argument("--json", metavar="FILE", help="also write the results there")
    parser.add_argument("--list", action="store_true", help="list the workloads")
    parser.add_argument(
        "--only", metavar="NAMES", help="contestants, with commas between"
    )
    parser.add_argument(
        "--peers",
        metavar="DIR",
        help="a folder of peers in C++ that no distribution packages: see README.md",
    )
    parser.add_argument(
        "--plot", action="store_true", help="also draw how cost grows, into docs/"
    )
    parser.add_argument(
        "--instructions",
        action="store_true",
        help="count instructions an event with callgrind instead of taking times",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="count librac's instructions by function, for the workloads named",
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="compare instruction counts with the recorded ones",
    )
    parser.add_argument(
        "--record", action="store_true", help="record instruction counts"
    )
    parser.add_argument(
        "--hot",
        action="store_true",
        help="list the functions that events pass, for the compiler",
    )
    options = parser.parse_args()
    if (options.write or options.report) and (options.names or options.only):
        parser.error("docs/Measurements.md needs whole parts")
    if options.profile and not options.names:
        parser.error("--profile needs names of workloads")
    everything = list(parts.NAMES)
    chosen = options.parts.split(",") if options.parts else None
    if chosen is None:
        chosen = everything if options.write or options.build else ["race"]
    if options.report:
        options.write, chosen = True, []
    if options.plot and "growth" not in chosen:
        chosen.append("growth")
    unknown = [name for name in chosen if name not in everything]
    if unknown:
        parser.error("no such part: {}".format(", ".join(unknown)))
    options.parts = [name for name in everything if name in chosen]
    return options


def wanted(workload, names):
    return not names or any(n in workload.key or n in workload.title for n in names)


def write_json(path, found):
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
            file.write("\n")


def count(options, racing, chosen):
    """--instructions, --profile, --compare, --record and --hot."""
    if not instructions.available():
        return 1
    if options.hot:
        hot.write(hot.find(next(c for c in racing if c.name == "librac")))
        return 0
    if options.profile:
        librac = next(c for c in racing if c.name == "librac")
        profile.main(librac, [w for w in WORKLOADS if chosen(w)])
        return 0
    counts = instructions.main(racing, chosen, options.compare, options.record)
    write_json(options.json, {"machine": machine.describe(), "counts": counts})
    return 0


def run_parts(options, folder, python, racing, workloads):
    """What the parts have found, by name. False beside it when something was wrong."""
    race = Race(racing, options)
    how = parts.How(options, folder, python, race, workloads)
    found, went_well = {}, True
    for name in options.parts:
        started = time.monotonic()
        try:
            result = parts.run(name, how)
        except (contestants.Failure, setup.Missing) as failure:
            setup.say("\n{}: {}".format(name, failure))
            result, went_well = None, False
        seconds = time.monotonic() - started
        setup.say("{}: {:.0f} s".format(name, seconds))
        if result is not None:
            found[name] = parts.Part(result, machine.load(), seconds, setup.state())
            # What is of some workloads only is nothing to write a page of.
            if not (options.names or options.only):
                parts.keep(name, found[name])
    race.leave()
    return found, went_well and not race.failed


def main():
    options = arguments()

    def chosen(workload):
        return wanted(workload, options.names)

    workloads = [w for w in WORKLOADS if chosen(w)]
    if options.list:
        for workload in workloads:
            print("{:24} {}".format(workload.key, workload.title))
        return 0
    counting = (
        options.instructions
        or options.compare
        or options.record
        or options.profile
        or options.hot
    )
    found, went_well = {}, True
    if options.parts:
        try:
            in_python = {"race", "python", "growth"} & set(options.parts)
            python = setup.environment() if in_python and not counting else None
            folder = setup.build(
                python if "python" in options.parts else None, peers=options.peers
            )
        except setup.Missing as missing:
            setup.say(str(missing))
            return 1
        racing = contestants.all_of(folder, python)
        if options.only:
            racing = [c for c in racing if c.name in options.only.split(",")]
        if not racing or not workloads:
            setup.say("nothing to race; --list lists the workloads")
            return 2
        if counting:
            return count(options, racing, chosen)
        if options.build:
            return parts.build(options.parts)
        found, went_well = run_parts(options, folder, python, racing, workloads)
    if options.write:
        found = dict(parts.kept(), **found)
    for name, part in found.items():
        print(parts.as_text(name, part))
    if not options.names and not options.only:
        checked = aims.check(Figures(found))
        print("\n" + aims.as_text(checked))
    write_json(options.json, {name: part._asdict() for name, part in found.items()})
    if options.write:
        report.write(found, checked)
    return 0 if went_well else 1
