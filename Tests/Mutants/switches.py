"""Makes the copy of the sources in which each mutant is a switch, and builds it."""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess

from choice import product_files
from sites import rewrite

HEADER = """\
#pragma once
#include <stdbool.h>

extern int mutant_active;
extern bool mutants_are_recorded;
void mutant_record(int number);

static inline bool mutant_is_on(int number) {
    if (__builtin_expect(mutants_are_recorded, false)) mutant_record(number);
    return number == mutant_active;
}
"""

# Programs that tests start may have an environment of their own, so files say the same.
IMPLEMENTATION = r"""
#include "CMutants.h"
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int mutant_active = -1;
bool mutants_are_recorded = false;

static _Atomic unsigned char reached[1 << 16];
static const char *record;

__attribute__((constructor)) static void read_settings(void) {
    const char *number = getenv("WAYPOST_MUTANT");
    char text[16] = {0};
    if (number == NULL) {
        int file = open(FOLDER "/active", O_RDONLY | O_CLOEXEC);
        if (file >= 0) {
            if (read(file, text, sizeof text - 1) > 0) number = text;
            close(file);
        }
    }
    if (number != NULL && *number >= '0' && *number <= '9') mutant_active = atoi(number);
    record = getenv("WAYPOST_MUTANT_REACHED");
    if (record == NULL && access(FOLDER "/reached", W_OK) == 0) record = FOLDER "/reached";
    mutants_are_recorded = record != NULL;
}

void mutant_record(int number) {
    if (number < 0 || number >= 1 << 16 || atomic_exchange(&reached[number], 1)) return;
    int saved = errno;
    int file = open(record, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file >= 0) {
        dprintf(file, "%d\n", number);
        close(file);
    }
    errno = saved;
}
"""

FUNCTION = """\
internal import CMutants

func mutantIsOn(_ number: Int32) -> Bool { mutant_is_on(number) }

/// `left && right`, or `left || right` if the mutant is active.
func mutantAnd(_ number: Int32, _ left: Bool, _ right: @autoclosure () throws -> Bool) rethrows -> Bool {
    if left == mutantIsOn(number) { return left }
    return try right()
}

/// `left || right`, or `left && right` if the mutant is active.
func mutantOr(_ number: Int32, _ left: Bool, _ right: @autoclosure () throws -> Bool) rethrows -> Bool {
    if left != mutantIsOn(number) { return left }
    return try right()
}
"""

MANIFEST = """
package.targets.append(.target(name: "CMutants", path: "Mutants"))
for target in package.targets where [%s].contains(target.name) { target.dependencies.append("CMutants") }
"""

ERROR = re.compile(r"^(?P<path>/\S[^:]*\.swift):(?P<line>\d+):\d+: error: (?P<message>.*)$")

# An error about an expression may name its first line.
LINES_AROUND = 15


class BuildFailed(Exception):
    """The build failed, and no mutant is the cause."""


class Tree:
    """A copy of the working tree with switches."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        self.path, self.build_path = folder / "tree", folder / "build"
        self.log = folder / "build.log"

    @property
    def tests(self):
        return self.build_path / "debug/waypostPackageTests.xctest"

    def files(self):
        """Returns the content of each file of the working tree that git knows, or would add."""
        listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        output = subprocess.run(listing, cwd=self.root, check=True, capture_output=True, text=True).stdout
        names = sorted(name for name in set(output.split("\0")) if name and os.path.lexists(self.root / name))
        return [name for name in names if not (self.root / name).is_dir() or (self.root / name).is_symlink()]

    def write(self, numbered):
        """Writes the copy with switches for pairs of a number and a site; returns a digest of all of it.

        Files that stay the same keep their dates, so that the next build is short.
        """
        by_file = {}
        for number, site in numbered:
            by_file.setdefault(site.file, []).append((number, site))
        modules = sorted({"/".join(name.split("/")[:2]) for name in product_files(self.root)})
        extra = {f"{module}/Mutants.swift": FUNCTION for module in modules}
        extra["Mutants/include/CMutants.h"] = HEADER
        extra["Mutants/CMutants.c"] = f'#define FOLDER "{self.folder}"\n' + IMPLEMENTATION
        names, digest = self.files(), hashlib.sha256()
        for name in names:
            source = self.root / name
            if source.is_symlink():
                self.link(name, os.readlink(source))
                continue
            content = source.read_bytes()
            if name in by_file:
                content = rewrite(content.decode(), by_file[name]).encode()
            elif name == "Package.swift":
                content = self.manifest(content.decode(), modules).encode()
            digest.update(f"{name}\0{len(content)}\0".encode() + content)
            self.put(name, content, source.stat().st_mode)
        for name, text in extra.items():
            self.put(name, text.encode(), 0o644)
        self.remove_others(set(names) | set(extra))
        return digest.hexdigest()

    def manifest(self, text, modules):
        names = ", ".join(f'"{module.split("/")[1]}"' for module in modules)
        changed = text.replace(".treatAllWarnings(as: .error),", "")
        if changed == text:
            raise BuildFailed("Package.swift has no .treatAllWarnings(as: .error); switches cause warnings")
        return changed + MANIFEST % names

    def put(self, name, content, mode):
        path = self.path / name
        if path.is_file() and not path.is_symlink() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(content)
        path.chmod(mode & 0o777)

    def link(self, name, destination):
        path = self.path / name
        if path.is_symlink() and os.readlink(path) == destination:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(destination)

    def remove_others(self, names):
        for folder, _, files in os.walk(self.path):
            for file in files:
                path = pathlib.Path(folder) / file
                name = str(path.relative_to(self.path))
                if name not in names and name != "Package.resolved":
                    path.unlink()

    def resolve(self):
        """Takes the versions of packages that the last build of the working tree used."""
        resolved = self.root / "Package.resolved"
        if resolved.is_file() and not (self.path / "Package.resolved").exists():
            shutil.copy(resolved, self.path / "Package.resolved")

    def unparsable(self, numbered):
        """Returns the sites of the files that the compiler cannot parse."""
        files = sorted({site.file for _, site in numbered})
        command = ["swiftc", "-frontend", "-parse", "-swift-version", "6", "-enable-bare-slash-regex"]
        bad = set()
        for start in range(0, len(files), 100):
            paths = [str(self.path / file) for file in files[start : start + 100]]
            result = subprocess.run(command + paths, capture_output=True, text=True)
            bad |= self.culprits(result.stderr, numbered)
        return bad

    def build(self, numbered):
        """Builds the tests; returns the sites that the compiler refuses, and then nothing is built."""
        command = [
            "swift", "build", "--package-path", str(self.path), "--scratch-path", str(self.build_path), "--build-tests",
            "-debug-info-format", "none", "-Xswiftc", "-index-ignore-system-modules",
            "-Xswiftc", "-index-ignore-clang-modules", "-Xswiftc", "-driver-batch-count", "-Xswiftc", "1",
        ]
        with open(self.log, "w", encoding="utf-8") as log:
            status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
        if status == 0:
            return set()
        culprits = self.culprits(self.log.read_text(encoding="utf-8", errors="replace"), numbered)
        if not culprits:
            raise BuildFailed(f"the build of the copy failed, and no mutant is the cause; its log is {self.log}")
        return culprits

    def culprits(self, output, numbered):
        """Returns the sites that errors are about: those of the line, or else the nearest ones of the file."""
        culprits = set()
        for line in output.splitlines():
            match = ERROR.match(line)
            if not match:
                continue
            file = os.path.relpath(match["path"], self.path)
            sites = [site for _, site in numbered if site.file == file]
            number = int(match["line"])
            near = [site for site in sites if site.line == number]
            near = near or [site for site in sites if abs(site.line - number) <= LINES_AROUND] or sites
            culprits.update(near)
        if culprits:
            return culprits
        # A compiler that crashed says in which file.
        files = {os.path.relpath(path, self.path) for path in re.findall(r"at \[(/[^:\]]*\.swift):", output)}
        return {site for _, site in numbered if site.file in files}
