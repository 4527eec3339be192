"""Draw a flame graph as SVG from the samples of `perf script` on standard input.

    perf record -F 999 -g --pid PID -- sleep 4
    perf script | swift demangle --simplified | python3 docs/performance/flamegraph.py "title" > picture.svg

A box is a function, its width the share of the samples in which it was on the stack, and what it calls is above it.
Threads of one name share a row at the bottom.
"""

import re
import sys
from html import escape

WIDTH, ROW, MARGIN, TITLE = 1200, 17, 10, 34
SMALLEST = 0.003
CHARACTER = 6.2
THREADS = {
    "-qos.overcommit": "the queues of the store",
    "NIO-SGLTN": "event loops",
    "oot.default-qos": "tasks",
    "SGLTN-TP": "threads that read batches",
}


class Box:
    def __init__(self):
        self.samples = 0
        self.callees = {}

    def add(self, stack):
        self.samples += 1
        if stack:
            self.callees.setdefault(stack[0], Box()).add(stack[1:])

    def height(self, least):
        heights = [box.height(least) for box in self.callees.values() if box.samples >= least]
        return 1 + max(heights, default=0)


def thread(line):
    """The name of a sample's thread, without the number of an event loop or a worker."""
    name = re.split(r"\s+\d+(?:/\d+)?\s+\[?\d", line.strip())[0]
    name = re.sub(r"[-#\s]*\d*$", "", re.sub(r"-\d+-#", "-#", name)) or name
    return THREADS.get(name, name)


def function(line):
    """The name of a frame: without its offset, and without what the compiler says about it."""
    name = re.sub(r"^\s*[0-9a-f]+ ", "", line)
    name = re.sub(r"\s\([^()]*\)\s*$", "", name)
    name = re.sub(r"\+0x[0-9a-f]+$", "", name)
    name = re.sub(r"^(?:(?:generic |function signature |merged |inlined )*specialized|partial apply for|merged|closure #\d+ "
                  r"(?:\([^)]*\) )?in|reabstraction thunk .*|thunk for) ", "", name)
    return name.strip()


def stacks(lines):
    name, frames = None, []
    for line in lines:
        if not line.strip():
            if name is not None:
                yield [name] + frames[::-1]
            name, frames = None, []
        elif name is None:
            name = thread(line)
        else:
            frame = function(line)
            # Frames without a symbol, and repetitions by closures of one function, tell nothing.
            if frame and frame != "[unknown]" and not frame.startswith("0x") and (not frames or frames[-1] != frame):
                frames.append(frame)


def color(name):
    """Warm for our code, blue for SQLite and the kernel's files, gray for the rest."""
    if "sqlite3" in name or "GRDB" in name:
        return "#9dc3e6"
    if re.match(r"(__x64_sys_|do_|ext4|tcp_|vfs_|entry_)", name):
        return "#c9d6c1"
    return "#f4b183" if re.search(r"[A-Z]\w+\.", name) else "#e2e2e2"


def draw(box, name, x, depth, total, height, least):
    width = box.samples / total * (WIDTH - 2 * MARGIN)
    y = height - MARGIN - (depth + 1) * ROW
    share = f"{name}: {100 * box.samples / total:.1f} %"
    room = int(width / CHARACTER)
    text = name if len(name) <= room else name[: max(room - 1, 0)] + "…" if room > 3 else ""
    yield (f'<g><title>{escape(share)}</title><rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW - 1}" '
           f'fill="{color(name)}"/><text x="{x + 3:.1f}" y="{y + 12}">{escape(text)}</text></g>')
    for callee, inner in sorted(box.callees.items(), key=lambda item: -item[1].samples):
        if inner.samples >= least:
            yield from draw(inner, callee, x, depth + 1, total, height, least)
            x += inner.samples / total * (WIDTH - 2 * MARGIN)


def main():
    root = Box()
    for stack in stacks(sys.stdin):
        root.add(stack)
    least = root.samples * SMALLEST
    height = TITLE + root.height(least) * ROW + MARGIN
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
          'font-family="ui-monospace, monospace" font-size="10.5">')
    print(f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>')
    print(f'<text x="{MARGIN}" y="22" font-size="15">{escape(sys.argv[1])}</text>')
    for line in draw(root, "all", MARGIN, 0, root.samples, height, least):
        print(line)
    print("</svg>")


main()
