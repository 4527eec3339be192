"""Chooses the mutants of a run, evenly over modules and kinds, by a seed."""

import pathlib
import random
import subprocess
import tomllib
from itertools import zip_longest

from sites import find_sites

LAYERS = ["Core", "Server", "Agent", "CLI"]


def product_files(root):
    """Returns the Swift files of the product that git knows, or would add."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *LAYERS]
    output = subprocess.run(listing, cwd=root, check=True, capture_output=True, text=True).stdout
    names = sorted(set(output.split("\0")))
    return [name for name in names if name.endswith(".swift") and (root / name).is_file()]


def all_sites(root, module=None, file=None):
    """Returns the sites of the product, or of one module, or of the files whose path contains `file`."""
    sites = []
    for name in product_files(root):
        if module and name.split("/")[1] != module or file and file not in name:
            continue
        sites += find_sites(name, (root / name).read_text(encoding="utf-8"))
    return sites


class Equivalents:
    """The mutants that change nothing that a test could notice, each with the reason."""

    def __init__(self, path):
        self.path = path
        entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
        for entry in entries:
            missing = {"file", "line", "mutation", "reason"} - {name for name, value in entry.items() if value}
            if missing:
                raise ValueError(f"{path}: a mutant has no {', '.join(sorted(missing))}: {entry}")
        self.keys = {f"{entry['file']}: {entry['line']}: {entry['mutation']}" for entry in entries}
        self.files = {entry["file"] for entry in entries}

    def stale(self, root):
        """Returns the entries that are no site of the sources."""
        found = set()
        for name in self.files:
            path = pathlib.Path(root) / name
            if path.is_file():
                found |= {site.key for site in find_sites(name, path.read_text(encoding="utf-8"))}
        return sorted(self.keys - found)


def ordered(sites, seed):
    """Returns the sites of a module in random order, but with their kinds in turn."""
    kinds = {}
    for site in sorted(sites, key=lambda site: (site.file, site.start, site.end, site.kind)):
        kinds.setdefault(site.kind, []).append(site)
    chooser = random.Random(seed)
    queues = [kinds[kind] for kind in sorted(kinds)]
    for queue in queues:
        chooser.shuffle(queue)
    chooser.shuffle(queues)
    return [site for turn in zip_longest(*queues) for site in turn if site is not None]


def choose(sites, count, seed, excluded):
    """Returns `count` sites that do not overlap: in each round one of each module, as long as there are any."""
    modules = {}
    for site in sites:
        modules.setdefault(site.module, []).append(site)
    names = sorted(modules)
    random.Random(f"{seed}").shuffle(names)
    queues = {name: iter(ordered(modules[name], f"{seed} {name}")) for name in names}
    chosen, ranges = [], {}
    while queues and len(chosen) < count:
        for name in list(queues):
            if len(chosen) == count:
                break
            for site in queues[name]:
                taken = ranges.setdefault(site.file, [])
                is_free = all(site.end <= start or end <= site.start for start, end in taken)
                if site.key not in excluded and is_free:
                    taken.append((site.start, site.end))
                    chosen.append(site)
                    break
            else:
                del queues[name]
    return chosen
