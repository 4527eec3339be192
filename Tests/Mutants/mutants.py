#!/usr/bin/env python3
"""Changes the product at many places, one after the other, and counts the changes that no test notices.

`make mutants` runs this: `mutants.py [--count N] [--seed N] [--module NAME] [--file PART-OF-PATH] [--list]`.

All mutants are in one build, each as a switch. The tests of each target run once without a mutant, which shows the
switches that they reach. Then, for each mutant, the targets that reach it run, the fastest first, until a test fails.

Results are stored in .build/mutants/results.json, so an interrupted run continues. If the sources or the tests changed
since, the mutants that survived are tried again. The status is 1 if less than 97 % are killed, and 2 if there is no
result.
"""

import argparse
import json
import os
import pathlib
import sys
import time

# The folder is a part of the sources.
sys.dont_write_bytecode = True

from choice import Equivalents, all_sites, choose
from suites import Suites, test_targets
from switches import BuildFailed, Tree

MINIMUM = 0.97
MAXIMUM_BUILDS = 25
KILLED = {"failed", "crashed", "timed out"}

root = pathlib.Path(__file__).resolve().parents[2]


class Results:
    """What is stored between runs."""

    def __init__(self, path):
        self.path = path
        self.content = {"numbers": {}, "broken": [], "digest": "", "baseline": {}, "mutants": {}}
        if path.is_file():
            self.content.update(json.loads(path.read_text(encoding="utf-8")))

    def __getitem__(self, name):
        return self.content[name]

    def __setitem__(self, name, value):
        self.content[name] = value

    def save(self):
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(self.content, indent=1, ensure_ascii=False), encoding="utf-8")
        temporary.replace(self.path)

    def number(self, site):
        """Returns the number of a site, which it keeps in all runs."""
        numbers = self["numbers"]
        return numbers.setdefault(site.key, len(numbers))

    def adopt(self, digest):
        """Forgets what the sources before another digest showed, but not which mutants they killed."""
        if self["digest"] == digest:
            return
        self["mutants"] = {key: one for key, one in self["mutants"].items() if one["outcome"] in KILLED}
        self["baseline"] = {}
        self["digest"] = digest
        self.save()


def say(text):
    print(text, flush=True)


def prepare(tree, results, sites, options, equivalents):
    """Chooses mutants and builds the copy with their switches; replaces those that do not compile."""
    for _ in range(MAXIMUM_BUILDS):
        excluded = equivalents | set(results["broken"])
        chosen = choose(sites, options.count, options.seed, excluded)
        numbered = [(results.number(site), site) for site in chosen]
        digest = tree.write(numbered)
        tree.resolve()
        culprits = tree.unparsable(numbered)
        if not culprits:
            say(f"Building {len(chosen)} mutants; the log is {tree.log}")
            start = time.monotonic()
            culprits = tree.build(numbered)
            say(f"Built in {time.monotonic() - start:.0f} s")
        if not culprits:
            results.adopt(digest)
            return numbered
        for site in culprits:
            say(f"does not compile, another takes its place: {site.file}:{site.line}: {site.mutation}")
        results["broken"] = sorted(set(results["broken"]) | {site.key for site in culprits})
        results.save()
    raise BuildFailed(f"mutants still do not compile after {MAXIMUM_BUILDS} builds; the last log is {tree.log}")


def measure(suites, results, targets):
    """Runs all tests without a mutant."""
    for target in targets:
        if target in results["baseline"]:
            continue
        run, reached = suites.baseline(target)
        results["baseline"][target] = {"seconds": run.seconds, "failures": run.failures, "reached": reached}
        results.save()
        say(f"without a mutant: {target} {run.outcome} in {run.seconds:.0f} s, reaches {len(reached)} mutants")
        for test in run.failures:
            say(f"  fails, and is not used: {test}")
        if run.outcome == "crashed" or run.outcome == "timed out":
            # Nothing is known about a target that does not end by itself.
            results["baseline"][target]["reached"] = []
            results.save()


def attempt(suites, results, number):
    """Runs the targets that reach a mutant, the fastest first, until one notices it."""
    baseline = results["baseline"]
    reaching = sorted((one["seconds"], target) for target, one in baseline.items() if number in one["reached"])
    for seconds, target in reaching:
        run = suites.run(target, number, 3 * seconds + 30, baseline[target]["failures"])
        if run.outcome in KILLED:
            return {"outcome": run.outcome, "by": target, "test": (run.failures or [""])[0], "seconds": run.seconds}
    return {"outcome": "survived" if reaching else "not reached", "by": "", "test": "", "seconds": 0}


def row(site, result):
    outcome = result["outcome"] + (f" by {result['by']}" if result["by"] else "")
    mark = "✔" if result["outcome"] in KILLED else "✘"
    return f"{mark} {site.module:20} {site.file}:{site.line}  {site.mutation}  [{outcome}]"


def summary(numbered, results):
    """Returns the table, and whether enough mutants are killed."""
    rows = [(site, results["mutants"][site.key]) for _, site in numbered]
    # The survivors are last, beside the summary.
    rows.sort(key=lambda pair: (pair[1]["outcome"] not in KILLED, pair[0].file, pair[0].line))
    killed = sum(result["outcome"] in KILLED for _, result in rows)
    lines = [row(site, result) for site, result in rows]
    lines.append(f"killed {killed} of {len(rows)} that can be ({100 * killed / len(rows):.1f} %)")
    return "\n".join(lines), killed >= MINIMUM * len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="the number of mutants")
    parser.add_argument("--seed", default="0", help="another seed chooses other mutants")
    parser.add_argument("--module", help="only mutants of this module, such as Highlights")
    parser.add_argument("--file", help="only mutants of the files whose path contains this")
    parser.add_argument("--list", action="store_true", help="only list the mutants; build and run nothing")
    options = parser.parse_args()

    equivalents = Equivalents(pathlib.Path(__file__).with_name("equivalent.toml"))
    stale = equivalents.stale(root)
    for key in stale:
        say(f"{equivalents.path}: no longer a mutant; remove it: {key}")
    sites = all_sites(root, options.module, options.file)
    if not sites:
        say("No source that is meant has a place that can be changed")
    if stale or not sites:
        return 2
    folder = root / ".build/mutants"
    folder.mkdir(parents=True, exist_ok=True)
    results = Results(folder / "results.json")
    if options.list:
        chosen = choose(sites, options.count, options.seed, equivalents.keys | set(results["broken"]))
        for site in chosen:
            say(f"{site.module:20} {site.kind:11} {site.file}:{site.line}  {site.mutation}")
        return 0
    try:
        tree = Tree(root, folder)
        numbered = prepare(tree, results, sites, options, equivalents.keys)
    except BuildFailed as error:
        say(str(error))
        return 2
    suites = Suites(tree)
    measure(suites, results, test_targets((root / "Package.swift").read_text(encoding="utf-8")))
    for place, (number, site) in enumerate(numbered, 1):
        if site.key not in results["mutants"]:
            results["mutants"][site.key] = attempt(suites, results, number)
            results.save()
        say(f"{place:3} {row(site, results['mutants'][site.key])}")
    table, is_enough = summary(numbered, results)
    (folder / "table.txt").write_text(table + "\n", encoding="utf-8")
    say("\n" + table)
    return 0 if is_enough else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say(f"Interrupted; the results until now are in {os.path.relpath(root / '.build/mutants/results.json')}")
        sys.exit(130)
