#!/usr/bin/env python3
"""Draws a picture of the project's modules and their dependencies.

    swift package describe --type json | python3 docs/architecture/modules.py > docs/architecture/modules.svg

Each module is above all modules that it depends on. A dependency that follows from other dependencies has no line.
"""
import html
import json
import sys

FOLDERS = {"Core": "#e3f0e3", "Server": "#e3eaf6", "Agent": "#f7ecdc", "CLI": "#f3e3ef"}
WIDTH, HEIGHT, GAP, ROW, MARGIN = 128, 26, 14, 74, 16


def modules(package):
    """Returns the folder and the dependencies of each module, by name; other targets, such as tests, are left out."""
    found = {}
    for target in package["targets"]:
        folder = target["path"].split("/")[0]
        if folder in FOLDERS:
            found[target["name"]] = (folder, set(target.get("target_dependencies", [])))
    return {name: (folder, needs & found.keys()) for name, (folder, needs) in found.items()}


def height_of(name, graph, known):
    """Returns the length of the longest chain of dependencies below a module; `known` caches the results."""
    if name not in known:
        known[name] = 1 + max((height_of(need, graph, known) for need in graph[name][1]), default=-1)
    return known[name]


def below(name, graph):
    """Returns all modules that a module depends on, directly or indirectly."""
    return set().union(*({need} | below(need, graph) for need in graph[name][1])) if graph[name][1] else set()


def direct(name, graph):
    """Returns the dependencies of a module that do not follow from its other dependencies."""
    needs = graph[name][1]
    return {need for need in needs if not any(need in below(other, graph) for other in needs - {need})}


def draw(graph):
    """Yields the lines of the SVG document."""
    heights = {}
    for name in graph:
        height_of(name, graph, heights)
    top = max(heights.values())
    rows = [sorted((n for n in graph if heights[n] == h), key=lambda n: (list(FOLDERS).index(graph[n][0]), n)) for h in range(top + 1)]
    width = max(len(row) for row in rows) * (WIDTH + GAP) - GAP + 2 * MARGIN
    places = {}
    for h, row in enumerate(rows):
        start = (width - len(row) * (WIDTH + GAP) + GAP) / 2
        for index, name in enumerate(row):
            places[name] = (start + index * (WIDTH + GAP), MARGIN + (top - h) * ROW)
    total = 2 * MARGIN + top * ROW + HEIGHT + 40
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {total:g}" font-family="sans-serif" font-size="12">'
    yield "<title>The modules of Waypost and their dependencies</title>"
    yield f'<rect width="{width:g}" height="{total:g}" fill="#ffffff"/>'
    for name in sorted(graph):
        for need in sorted(direct(name, graph)):
            (x, y), (u, v) = places[name], places[need]
            x, u, y = x + WIDTH / 2, u + WIDTH / 2, y + HEIGHT
            yield (
                f'<path d="M{x:g} {y:g} C{x:g} {y + 30:g} {u:g} {v - 30:g} {u:g} {v:g}" '
                'fill="none" stroke="#8a8f98" stroke-width="1"/>'
            )
    for name in sorted(graph):
        x, y = places[name]
        yield f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="{FOLDERS[graph[name][0]]}" stroke="#5b616b"/>'
        yield f'<text x="{x + WIDTH / 2:g}" y="{y + 17:g}" text-anchor="middle">{html.escape(name)}</text>'
    for index, (folder, color) in enumerate(FOLDERS.items()):
        x, y = MARGIN + index * 90, total - MARGIN - 14
        yield f'<rect x="{x}" y="{y:g}" width="14" height="14" fill="{color}" stroke="#5b616b"/>'
        yield f'<text x="{x + 20}" y="{y + 11:g}">{folder}</text>'
    yield "</svg>"


print("\n".join(draw(modules(json.load(sys.stdin)))))
