#!/usr/bin/env python3
"""Draws a picture of the pipeline: from a provider through the gateway to a device and its apps.

    python3 docs/architecture/pipeline.py > docs/architecture/pipeline.svg
"""
import html

WIDTH, HEIGHT = 880, 330

# The boxes: left edge, top edge, width, height, fill color, title, lines of text.
BOXES = [
    (16, 58, 176, 120, "#f3e3ef", "Your provider", ["an APNs client, unmodified,", "or curl, or waypost send"]),
    (16, 266, 848, 48, "#eeeeee", "waypost, the command-line tool", ["send, wait, follow, inject faults, run devices and apps, ask why"]),
    (278, 28, 236, 224, "#e3eaf6", "Gateway", []),
    (294, 58, 204, 54, "#ffffff", "Provider listener", ["HTTP/2 and HTTP/1.1, like APNs"]),
    (294, 124, 204, 54, "#ffffff", "Service listener", ["compressed batches, delivery log"]),
    (294, 190, 204, 50, "#ffffff", "Store", ["synced before the answer"]),
    (600, 28, 264, 224, "#f7ecdc", "Agent: a device", []),
    (616, 58, 232, 54, "#ffffff", "Scene selection", ["identifiers against conditions"]),
    (616, 124, 232, 54, "#ffffff", "Shared with You", ["gates, order, attribution views"]),
    (616, 190, 232, 50, "#ffffff", "Apps", ["processes with an API of their own"]),
]

# The arrows: start, end, label, position of the label.
ARROWS = [
    ((192, 85), (292, 85), "/3/device", (234, 77)),
    ((192, 151), (292, 151), "/v1/batches", (234, 143)),
    ((514, 102), (598, 102), "events", (556, 94)),
    ((598, 134), (514, 134), "acks", (556, 150)),
]


def text(x, y, content, size=12, weight="normal", anchor="middle"):
    """Returns a line of text."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" '
        f'fill="#222222">{html.escape(content)}</text>'
    )


def box(left, top, width, height, color, title, lines):
    """Yields a box with its title and text; a box without text has its title at the top."""
    yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="6" fill="{color}" stroke="#8a8f98"/>'
    middle = left + width / 2
    yield text(middle, top + 20, title, 13, "bold")
    for index, line in enumerate(lines):
        yield text(middle, top + 38 + 16 * index, line)


def arrow(start, end, label, place):
    """Yields an arrow with its label."""
    (x1, y1), (x2, y2) = start, end
    yield f'<path d="M{x1} {y1}H{x2}" stroke="#444444" stroke-width="1.5" marker-end="url(#head)"/>'
    if label:
        yield text(*place, label, 11)


def draw():
    """Yields the lines of the SVG document."""
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    yield "<title>A provider sends to the gateway, which delivers to devices; each device selects scenes and lists links</title>"
    yield '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    yield '<path d="M0 0L8 4L0 8Z" fill="#444444"/></marker>'
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>'
    for each in BOXES:
        yield from box(*each)
    for each in ARROWS:
        yield from arrow(*each)
    yield "</svg>"


print("\n".join(draw()))
